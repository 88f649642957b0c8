"""What the figures show, and what follows: captions, concluded from what is drawn."""

import numpy as np

from banditlab.figures.plots import band_name
from banditlab.study.sentences import compared, shapes
from banditlab.uplifting import bounds
from banditlab.uplifting.policies import noise_adjustment

from . import baseline, beyond, checks, names, recorded
from .names import NAFF, NAFF_BL, TS, UCB, UP, UP_BL, UPLIFTING

BAND = band_name(1)


def only(found):
    """What was played in the single cell."""
    return next(iter(found.values()))


def last(result):
    """Mean final regrets in words."""
    return ", ".join(f"{name} {result.final_regret(name).mean():,.0f}" for name in result.policies)


def none(found, n):
    """Stands in no report."""
    return ""


def headline(found, n):
    result = only(found)
    means = {name: result.final_regret(name).mean() for name in result.policies}
    best, reward = (min(means[name] for name in group) for group in (UPLIFTING, (UCB, TS)))
    return (
        rf"Ten actions, each moves 10 of 100 correlated variables. Mean cumulative regret of {n.runs} "
        rf"runs, {BAND}. The "
        rf"best policy that looks at the payoffs of the variables has regret {best:,.0f}, the best that looks at their "
        f"sum {reward:,.0f}."
    )


def regret(found, n):
    L = min(n.L, n.m)
    return (
        rf"Mean cumulative regret over {n.runs} runs with {band_name(None)}: $K={n.K}$ actions, $m={n.m}$ variables, "
        rf"each action affects $L={L}$ of them, gap $\Delta={n.gap:g}$, noise $\sigma={n.sigma:g}$ with correlation "
        rf"{n.rho:g}, $\beta={n.beta:g}$. UCB's radius counts all $m$ variables, UpUCB's the affected ones; the nAff "
        rf"policies are told that at most {min(n.given, n.m)} are affected."
    )


def figure_1(found, n):
    world, _, (before, after, _) = only(found)
    pulled, best = int(np.argmax(after.pulls - before.pulls)), int(world.gaps.argmin())
    return (
        rf"Top left: each action affects two variables. (a) UpUCB without noise, $\beta={n.beta:g}$, before and after "
        f"action {pulled} is played once more: the intervals of the means of its own variables shrink, and of the "
        f"baseline elsewhere. Its index goes from {before.index[pulled]:.2f} to {after.index[pulled]:.2f}, that of the "
        f"best action {best} from {before.index[best]:.2f} to {after.index[best]:.2f}. (b) With noise, after {n.seen} "
        "rounds: variables whose interval excludes the baseline (crosses) are identified; where fewer than two are, "
        "the largest others fill up to two."
    )


def identified(found, n):
    world, _, (state,) = only(found)
    radius = np.sqrt(2 * n.beta / np.maximum(state.pulls, 1))[:, None]
    said = np.abs(state.sums / np.maximum(state.pulls, 1)[:, None] - world.mu0) > radius
    right, most = (said & world.affected).sum(axis=1), int(state.pulls.argmax())
    return (
        rf"One run of UpUCB-nAff (bl), $\beta={n.beta:g}$, after {n.horizon:,} rounds: of "
        rf"{world.affected[0].sum()} affected "
        rf"variables it has identified {right[most]} for the action played most and "
        rf"{np.delete(right, most).mean():.1f} on average for "
        rf"the others; {(said & ~world.affected).sum()} are identified wrongly. Where fewer than "
        rf"{min(n.given, n.m)} are "
        "identified, the index is filled up with the most promising others."
    )


def uplifts(found, n):
    return (
        rf"One run of UpUCB (bl): estimated uplifts $\pm L\sqrt{{2\beta/N}}$ with $\beta={n.beta:g}$, and as grey "
        "lines the true ones, of the best actions; click a name for another. The "
        "action whose upper end is "
        "highest is played, so the intervals of the others stop shrinking once their upper ends are below it."
    )


def figure_2(found, n):
    results = {cell.panel: result for cell, result in found.items()}
    people = results.get("(b) Bernoulli, 100,000 variables")
    first = f"{BAND.capitalize()} over " + ", ".join(f"{r.regret.shape[1]} runs in {p}" for p, r in results.items())
    if people is None:
        return f"{first}, parameters of Table 3. {shapes(results)}"
    medians = ", ".join(f"{name} {np.median(people.final_regret(name)):,.0f}" for name in (UCB, UP, NAFF_BL, NAFF))
    return (
        f"{first}, parameters of Table 3. The nAff policies need every variable's payoff, so they are in the "
        f"right panel only, on a shorter horizon; median regrets there: {medians}."
    )


def clusters(found, n):
    return (
        rf"Cumulative regret over {n.runs} runs, {BAND}: 20 clusters of 100,000 people, one treated in a round, Table "
        rf"3's parameters times {n.beta_scale:g}. Simulated exactly, cluster by cluster. Every policy but Thompson "
        "sampling plays each action once in the first 20 rounds."
    )


def affected(found, n):
    said = {f"sizes {set(cell.sizes)}": last(result) for cell, result in found.items()}
    return f"β = {n.beta:g}. " + "; ".join(f"{case}: {text}" for case, text in said.items()) + "."


def figure_3(found, n):
    text = ", ".join(f"{cell.case}: {one.best:g}" for cell, one in found.items())
    return rf"{BAND.capitalize()} over {n.runs} runs; tuned β: {text}."


def ablation(found, n):
    return (
        rf"UpUCB subtracts the upper confidence bound of the baseline, the ablation the lower one; $\beta={n.beta:g}$. "
        rf"Left: {BAND} over {n.runs} runs. Right: the 95 % quantile of regret."
    )


def locking(found, n):
    one = only(found)
    regrets = ", ".join(f"{name} {trace.regret[-1]:,.0f}" for name, trace in one.traces.items())
    return (
        rf"Of {n.runs} runs the one (number {one.run}) in which the ablation does worst; $\beta={n.beta:g}$. The "
        "action of largest index is played. Subtracting the lower bound adds the baseline's radius to an index, and it "
        "shrinks in every round that leaves these variables alone: the index of the best action falls while it is not "
        f"played, and may never come back. With the upper bound such an action gains. Regrets of this run: {regrets}."
    )


def noiseless(found, n):
    world, _, (state,) = only(found)
    worse = world.gaps > 0
    L = world.affected.sum(axis=1)[worse]
    share = state.pulls[worse] * world.gaps[worse] ** 2 / (2 * n.beta * L * L)
    return (
        rf"UpUCB (bl) without noise, $\beta={n.beta:g}$, after {n.horizon:,} rounds. A worse action is played until "
        rf"its radius $L\sqrt{{2\beta/N}}$ equals its gap plus the radius of the best action: $2\beta L^2/\Delta^2$ "
        rf"pulls for large $T$; so far the actions had {share.min():.0%} to {share.max():.0%} of that. The bound (4), "
        rf"$8\beta L^2/\Delta^2$, is four times as high, as it pays for estimates that are off by a radius."
    )


def misspecified(found, n):
    return (
        rf"UpUCB-nAff (bl) with $\beta={n.beta:g}$, told this bound on the affected variables; the truth is "
        rf"$L={min(n.L, n.m)}$. Left: {BAND} over {n.runs} runs. Right: the 95 % quantile of regret."
    )


def figure_4(found, n):
    results = {cell.mode: result for cell, result in found.items()}
    pool = recorded.pool_name()
    gains = "; ".join(f"with feedback “{mode}” {gained(result)}" for mode, result in results.items())
    return (
        rf"Data: {pool}. {n.runs} runs, {BAND}. Feedback “counterfactual” takes the logged visit where the log agrees "
        "with the choice; with “all” every visit follows the oracle models. Left: regret in predicted uplift; middle: "
        f"in visits that happened; right: predicted uplift per treated person so far, at the end {gains}."
    )


def gained(result):
    """Mean uplift at the end, policy by policy, in words."""
    _, uplift, oracle = recorded.mean_uplift(result)
    said = [f"{name} {mean:.3f}" for name, mean in zip(result.policies, uplift[:, :, -1].mean(axis=1), strict=True)]
    return ", ".join([*said, f"oracle {oracle[-1]:.3f}"])


def linear(found, n):
    one = only(found)
    world = one.settings["environment"]
    return (
        rf"{BAND.capitalize()} over {n.runs} runs: {world.individuals} people a round with {world.theta.shape[1]} "
        rf"features, {world.budget} of them treated, instance ours. $\lambda=1$, and with the $\alpha_t$ of Theorem 5 "
        rf"$\lambda={world.budget}$, $S=1$, $\delta=0.05$. C2UpUCB-M with one treatment is C2UpUCB; mean regrets "
        f"there: {last(one)}."
    )


def few_actions(found, n):
    results = {f"{cell.people} people": result for cell, result in found.items()}
    return (
        f"{BAND.capitalize()} over {n.runs} runs, noise correlated by 0.5: five actions, each moves two "
        f"people on average. {compared(results, names.LINEAR_BL, names.LINEAR_ALL)} Instance ours; the paper "
        "has no experiment."
    )


def ilift(found, n):
    result = only(found)
    made = result.settings["policies"]
    return (
        rf"Cumulative regret over {n.runs} runs, {BAND}, $\beta={n.beta:g}$. Known: no uplift is smaller than "
        rf"{names.LEAST_UPLIFT:g}. UpUCB-iLift (bl) plays as UCB until {made[names.ILIFT_BL].enough:,} pulls have "
        rf"identified an action; the naive variant first plays every action as often. Without the baseline "
        rf"{made[names.ILIFT].enough:,} sweeps over all surviving actions come first."
    )


def offline(found, n):
    result = only(found)
    world = result.settings["environment"]
    needed = 100 / np.sort(world.gaps)[1] ** 2
    wrong = {k: checks.wrong_choices(world, k, 10_000, n.seed) / 10_000 for k in n.samples}
    chances = ", ".join(f"{chance:.0%} with {k:,} samples" for k, chance in wrong.items())
    return (
        rf"UpUCB on the paper's instance with a baseline estimated once, from this many samples, "
        rf"$\beta={n.beta:g}$, {n.runs} runs, {BAND}. To find the best action the paper asks for samples of order "
        rf"$L^2/\Delta^2={needed:,.0f}$. Chance that an estimate makes a worse action look best: "
        f"{chances}. Mean regrets with the estimates drawn here: {last(result)}."
    )


def told(found, n):
    result = only(found)
    world = result.settings["environment"]
    own, left = beyond.deviations(world).mean(axis=1)
    worst = bounds.known_sets_lower(world.gaps, world.affected.sum(axis=1))
    least = bounds.known_covariance_lower(world.gaps, noise_adjustment(world.affected, world.covariance)[1])
    return (
        rf"{BAND.capitalize()} over {n.runs} runs. The sum of the affected payoffs has noise of standard deviation "
        rf"{own:.2g}; given the residuals of the variables that the action leaves alone, {left:.2g} is left. As T "
        rf"grows no consistent policy has a regret below {least:,.0f} $\log T$ here, and with the worst correlation "
        rf"none below {worst:,.0f} $\log T$ (Proposition 3); at a finite horizon it may be lower. Mean "
        f"regrets: {last(result)}. {compared({'': result}, names.ADJUSTED, UP_BL)}"
    )


def gains(found, n):
    table = only(found)
    share = table.columns[np.argmin(np.abs(table.columns - 0.1))]
    tenth, few = table[share], max(1, round(share * n.m))
    return (
        rf"Variance of the affected sum over what is left of it once the other of $m={n.m}$ variables are known, for "
        "equally correlated noise; the regret bound of the adjusted policy is smaller by this factor than with the "
        "affected sum's own deviation as its radius. "
        rf"With {few} affected it is {tenth.iloc[0]:.3g} without correlation and {tenth.max():.3g} at "
        rf"$\rho={tenth.idxmax():g}$."
    )


def price(found, n):
    said = [
        rf"$L^*={cell.best}$: {table[UP].iloc[-1] / table[UP_BL].iloc[-1]:.3g} times with {table['K'].iloc[-1]} "
        f"actions, where the formula has {baseline.baseline_price(int(table['K'].iloc[-1]), n.L, cell.best):.3g} and "
        f"the bounds {(1 + cell.best / n.L) ** 2:.3g}"
        for cell, table in found.items()
    ]
    return (
        rf"Regret of UpUCB over that of UpUCB (bl), without noise, $\beta={n.beta:g}$, after {n.horizon:,} rounds: "
        rf"disjoint sets, the worse actions affect $L={n.L}$ variables, gaps of 1. Dotted: the formula "
        rf"$(1+L^*/(L\sqrt{{K-1}}))^2$; dashed: Theorem 1 over Proposition 1, $(1+L^*/L)^2$. {'; '.join(said)}."
    )


def one_unit(found, n):
    said = []
    for cell, table in found.items():
        wide = table.pivot(index="policy", columns="setting", values="in units")
        ratios = wide["Gaussian"] / wide["Bernoulli"]
        said.append(
            f"with a total noise of standard deviation {cell.spread:.3g} UCB's β is {wide['Gaussian'][UCB]:.3g} units "
            f"(Bernoulli: {wide['Bernoulli'][UCB]:.3g}), a factor of {ratios[UCB]:.3g}; Thompson sampling's σ² differs "
            f"by a factor of {ratios[TS]:.3g}"
        )
    return (
        "Table 3's parameters, divided by the variance of the noise that the policy averages, in squared radii. The "
        f"printed values of the two settings differ by factors of 40 thousand to ten million. Here, {'; '.join(said)}."
    )


def outside(found, n):
    said = [f"effect {cell.effect:g}: {beyond.slope(result):.3g}" for cell, result in found.items()]
    return (
        rf"UpUCB (bl), $\beta={n.beta:g}$, {n.runs} runs, {BAND}. The second best action trails by 0.5; it has an "
        "effect on one variable more than the policy is told. Dashed: the regret per round that "
        "follows from the sets told, "
        f"{', '.join(said)}."
    )
