"""The figures of Factored-Reward Bandits: grid, numbers, and a caption that concludes from the runs."""

import math

import numpy as np

from banditlab.factored import bounds
from banditlab.figures import plots
from banditlab.study.sentences import compared, least, shapes
from banditlab.study.study import Live, Study, one_seed

from . import beyond, drawings, ftrack_law, minimax, runs
from .drawings import STYLES, wrong_shares
from .runs import VECTORS

QUICK, PAPER = dict(horizon=10_000, runs=20), dict(horizon=10_000, runs=50)
LONG = dict(quick=dict(QUICK, checkpoints=4), paper=dict(horizon=100_000, runs=50))  # its ledger needs more than 10
SOME = dict(horizon=10_000, runs=10, alpha=4.0)  # of the figures that are ours
NOISY = {"second": "option 2 only", "both": "both options"}
LAWS = {"normal": "normal", "bernoulli": "Bernoulli (1/2-subgaussian)"}
PANEL_3, PANEL_4, PANEL_6 = "d = {d}, k = {k}", "d = {d}, Δ = {gap:g}", "ρ = {rho:g}"


def too_large(d, k):
    """The sentence that stands in for the policies that are left out."""
    if k**d <= VECTORS:
        return ""
    return f" The product space has {k**d:,} vectors: policies that learn each of them are left out."


def left(n):
    """Those who learn every vector, where there are too many."""
    return {"UCB1": "too many vectors to learn one by one"} if n.k**n.d > VECTORS else {}


def regret_said(found, n):
    (result,) = found.values()
    said = (
        f"Mean cumulative regret over {n.runs} runs with {plots.band_name(None)}: $d={n.d}$ components of $k={n.k}$ "
        rf"options, gap $\Delta={n.gap:g}$, {LAWS[n.law]} observations, $\sigma={n.sigma:g}$. F-UCB learns "
        f"$dk={n.d * n.k}$ means, UCB1 $k^d={n.k**n.d:,}$. {shapes(found)}" + too_large(n.d, n.k)
    )
    return said + drawings.crossed(result, n) + drawings.list_unheld(n)


REGRET = Study(
    "Regret", "two learners, one sees every component and one their product", runs.regret, regret_said,
    fixed=dict(gap=0.3, d=4, k=3, law="normal", sigma=0.5, **SOME), draw=drawings.with_bounds,
    live=Live(switches=("lower", "upper"), left=left),
)  # fmt: skip


def packing_said(found, n):
    ((means, *_),) = found.values()
    constant = bounds.lower_bound_constant(means, n.sigma)
    alone = 2.0 * n.sigma**2 * (1.0 / (1.0 - means[:, 1:])).sum()
    return (
        r"Each row is a component, its worst options leftmost, as wide as the samples "
        r"$L_{i,j}=2\sigma^2/\Delta_{i,j}^2$ they need per $\log T$. A vertical cut is a vector to play: bad options "
        rf"are played together, at a cost of $C(\nu)={constant:.3g}$, where one at a time would cost {alone:.3g}."
    )


FIGURE_1 = Study(
    "Figure 1", "the packing of Theorem 3.4", runs.packing, packing_said,
    fixed=dict(gap=0.5, d=4, k=4, sigma=0.5), sizes=dict(quick={}, paper={}), draw=drawings.rows_of_options,
    seeds=one_seed,
)  # fmt: skip


def ratio_said(found, n):
    fits = {gap: drawings.line(found, gap, n) for gap in dict.fromkeys(cell.gap for cell in found)}
    known = [
        f"Δ = {gap:g}: slope {slope:.2f}" + f", R² {fit:.3f}" * (not math.isnan(fit))
        for gap, (slope, fit) in fits.items()
        if not math.isnan(slope)
    ]
    return (
        rf"Left: regret of F-UCB at $T={n.horizon:,}$ over $C(\nu)\log T$, {plots.band_name(2)} (the paper's band), "
        rf"{n.runs} runs, $\sigma={n.sigma:g}$. Right: what the leading terms of the bounds allow (Equation 16, "
        rf"$\alpha={n.alpha:g}$). Straight-line fits, left: {'; '.join(known) or 'too few points'}."
    )


FIGURE_2 = Study(
    "Figure 2", "ratio of regret to the lower bound", runs.over_the_bound, ratio_said,
    grid=dict(gap=(0.2, 0.5, 1.0), d=tuple(range(1, 21))), fixed=dict(sigma=0.5, alpha=4.0),
    sizes=dict(quick=QUICK, paper=PAPER), draw=drawings.ratios_by_d, seeds=one_seed,
    live=Live(moves=dict(d=lambda d: range(1, d + 1)), guests=False),
)  # fmt: skip


def four_said(found, n):
    left_out = "".join(dict.fromkeys(too_large(cell.d, cell.k) for cell in found))
    return (
        rf"Cumulative regret over {n.runs} runs, each on fresh means $\mu\sim U[{n.low:g},1]$, the same for all "
        rf"policies, $\sigma={n.sigma:g}$; {plots.band_name(1)} (the paper's band). "
        f"{least(found, 'F-UCB', FIGURE_3.title_of)} {shapes(found)}{left_out}"
    )


FIGURE_3 = Study(
    "Figure 3", "four policies", runs.four, four_said,
    grid=dict(k=(3, 4, 5), d=(1, 2, 3, 4)), fixed=dict(low=0.7, sigma=0.1, alpha=4.0),
    sizes=dict(quick=dict(QUICK, checkpoints=100), paper=dict(PAPER, checkpoints=100)),
    panel=PANEL_3, band=1, styles=STYLES,
)  # fmt: skip
ALONE = FIGURE_3._replace(  # F-UCB costs little: enough runs to tell how it scales
    play=runs.alone, sizes=dict(quick=dict(horizon=10_000, runs=100), paper=dict(horizon=10_000, runs=2000))
)
FIRST_DK = FIGURE_3._replace(play=runs.first_vectors, grid=dict(k=(3, 4, 5), d=(2, 3, 4)), seeds=one_seed)
NARROW = FIRST_DK._replace(play=runs.narrow_robust)


def headline_said(found, n):
    *_, (cell, widest) = found.items()
    ours, rest = widest.final_regret("F-UCB").mean(), [name for name in widest.policies if name != "F-UCB"]
    times = ", ".join(f"{widest.final_regret(name).mean() / ours:.1f} times as much ({name})" for name in rest)
    first = next(iter(found.values())).final_regret("F-UCB").mean()
    return (
        f"Regret after $T={n.horizon:,}$ rounds, mean and 95 % t-interval of {n.runs} runs, $k={cell.k}$ options per "
        f"component (logarithmic axis). From $d=1$ to $d={cell.d}$ F-UCB's regret grows {ours / first:.1f} times; at "
        f"$d={cell.d}$ the others lose {times}."
    )


HEADLINE = FIGURE_3._replace(
    name="Headline", title="what seeing every factor is worth", draw=drawings.last_by_d, caption=headline_said,
    ours=True,
)  # fmt: skip


def track_said(found, n):
    steps = np.linspace(n.horizon / 10, n.horizon, 10).astype(int)
    n0 = [bounds.ftrack_constants(int(T), n.sigma).n0 for T in steps]
    kink = f" $N_0$ as printed steps from {n0[0]} to {n0[-1]} on the way." if n0[0] != n0[-1] else ""
    others = dict.fromkeys(name for result in found.values() for name in result.policies[1:])
    ahead = " ".join(compared(found, name, "F-UCB", FIGURE_4.title_of) for name in others)
    below = drawings.below_slope(next(iter(found.values())), n, 2) if n.lower else ""
    return (
        rf"Regret at each horizon over {n.runs} runs, $\sigma={n.sigma:g}$; {plots.band_name(2)} (the paper's band). "
        "All horizons share their random numbers, so the points of a curve are correlated. A run of F-Track whose "
        "warm-up ranks the options wrongly follows the wrong plan, for ever unless recovery fires, which only N₀ × 3 "
        "with ε/√6 lets it; share of runs that settled for a wrong "
        f"vector: {wrong_shares(found)}. {ahead}{kink}{below}"
    )


FIGURE_4 = Study(
    "Figure 4", "F-UCB and F-Track", runs.track, track_said,
    grid=dict(gap=(0.5, 0.7, 0.9), d=(2, 5, 10, 20, 30)), fixed=dict(sigma=0.5, alpha=4.0, n0_mult=10, released=True),
    sizes=LONG, draw=drawings.against_horizons(PANEL_4), panel=PANEL_4,
    live=Live(draw=drawings.two_humps, switches=("lower",)),
)  # fmt: skip
MANY = FIGURE_4._replace(  # the reading whose recovery may fire, so that there is no closed form: many runs
    play=runs.threefold, fixed=dict(sigma=0.5, alpha=4.0),
    sizes=dict(quick=dict(horizon=10_000, runs=lambda cell: 40 if cell.d == 10 else 20),
               paper=dict(horizon=100_000, runs=400)),
)  # fmt: skip


STRESS = FIGURE_4._replace(  # the gaps that are hardest to tell apart at this horizon
    play=runs.hardest_gap, grid=dict(units=(2, 4, 6, 8), d=(1, 3, 10)), fixed=dict(sigma=0.5, alpha=4.0),
    sizes=dict(quick=dict(horizon=10_000, runs=20), paper=dict(horizon=10_000, runs=200)),
    panel="d = {d}, gap {units} σ√(2/T)",
)  # fmt: skip


def rewards_said(found, n):
    above = [cell.rho for cell, table in found.items() if table[n.d] > table[0]]
    crossing = f"from ρ = {above[0]:.2f} on" if above else "for no ρ"
    return (
        rf"Expected reward of the vectors with $m$ of $d={n.d}$ components on option 2 ($\mu=(1,"
        rf"{1 - n.gap:g})$, $\sigma={n.sigma:g}$, noise on {NOISY[n.noisy]}), by exact quadrature. "
        f"The product of the bad options beats that of the good ones {crossing}."
    )


FIGURE_5 = Study(
    "Figure 5", "expected reward under shared noise", runs.expected, rewards_said,
    grid=dict(rho=tuple(np.linspace(0.0, 1.0, 51).tolist())), fixed=dict(gap=0.5, d=10, sigma=0.5, noisy="second"),
    sizes=dict(quick={}, paper={}), draw=drawings.rewards_by_rho, seeds=one_seed, live=Live(moves=dict(rho=None)),
)  # fmt: skip
RHOS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
AT_SIX = FIGURE_5._replace(grid=dict(rho=RHOS))


def shared_said(found, n):
    worlds = {cell.rho: result.settings["environment"] for cell, result in found.items()}
    better = [f"{rho:g}" for rho, world in worlds.items() if drawings.all_second_best(world)]
    mixed = [f"{rho:g}" for rho, world in worlds.items() if drawings.mixed_best(world)]
    best = f"(2..2) is better than (1..1) at ρ = {', '.join(better)}" if better else "(1..1) is better than (2..2)"
    best += f"; best is a vector of both options at ρ = {', '.join(mixed)}" if mixed else ""
    settled = [f"{wrong_shares({cell: result})} at ρ = {cell.rho:g}" for cell, result in found.items()]
    return (
        rf"Regret against the best vector under the true expectation, {n.runs} runs, $d={n.d}$, $\sigma={n.sigma:g}$, "
        f"noise on {NOISY[n.noisy]}; "
        rf"{plots.band_name(2)} (the paper's band): {best}. Runs of F-Track that settled for another vector: "
        f"{'; '.join(settled)}."
    )


FIGURE_6 = Study(
    "Figure 6", "shared noise", runs.track_shared, shared_said,
    grid=dict(rho=RHOS), fixed=dict(gap=0.5, d=10, sigma=0.5, noisy="second", alpha=4.0, n0_mult=10, released=True),
    sizes=LONG, draw=drawings.against_horizons(PANEL_6), panel=PANEL_6, seeds=one_seed,
    live=Live(draw=drawings.two_humps),
)  # fmt: skip
FIGURE_6_BOTH = FIGURE_6._replace(
    title="shared noise, on both options as in the released code",
    fixed={**FIGURE_6.fixed, "noisy": "both", "released": False},
)


def pricing_said(found, n):
    return (
        rf"Reward $p\,x_0x_1-b$ with {n.k} budgets $b$ (impressions grow like $\sqrt b$) and {n.k} prices $p$ "
        f"(conversion falls with $p$). F-UCB with known prices and costs optimises the expression itself; {n.runs} "
        f"runs, {plots.band_name(None)}. {shapes(found)}"
    )


def line_said(found, n):
    return (
        rf"Reward $B\prod_i x_i-\sum_i c_i$ with $B={n.batch:g}$ and {n.d} stages of {n.k} options. The stages do not "
        f"separate: what an option is worth depends on all others; {n.runs} runs, {plots.band_name(None)}. "
        f"{shapes(found)}" + too_large(n.d, n.k)
    )


PRICING = Study(
    "Pricing", "pricing and advertising", runs.pricing, pricing_said,
    fixed=dict(k=6, sigma=0.1, spend=0.3, **SOME), draw=drawings.with_cap, live=Live(switches=("upper",)),
)  # fmt: skip
MANUFACTURING = Study(
    "Manufacturing", "a manufacturing line", runs.manufacturing, line_said,
    fixed=dict(d=4, k=4, sigma=0.1, batch=2.0, **SOME), draw=drawings.with_cap, live=Live(switches=("upper",)),
)  # fmt: skip


def wins_said(found, n):
    gaps = [cell.gap for cell in found]
    tables = [np.transpose([pair[part] for pair in found.values()]) for part in (0, 1)]
    whole = [m for m, row in zip(beyond.MULTIPLES, tables[0], strict=True) if (row < 1).all()]
    first = [d for d, row in zip(beyond.COMPONENTS, tables[1], strict=True) if (row < 1).any()]
    some = f"F-Track wins at some gap from d = {first[0]} on" if first else "F-Track wins at no d and no gap"
    every = f"N₀ × {whole[0]} to {whole[-1]}" if whole else "no multiple of N₀"
    return (
        rf"Expected regret at $T={n.horizon:,}$, $\sigma={n.sigma:g}$, gaps {gaps[0]:g} to {gaps[-1]:g}: F-Track's "
        "exactly, F-UCB's at every $d$ from a single component (components are independent). Blue: F-Track loses less; "
        f"the black line is equal regret. At d = {n.d} F-Track wins at all these gaps with {every}; with N₀ × "
        f"{n.n0_mult}, {some}."
    )


WHO_WINS = Study(
    "Who wins", "F-Track or F-UCB, a map without simulation", beyond.who_wins, wins_said,
    grid=dict(gap=tuple(round(0.1 * i, 1) for i in range(1, 11))),
    fixed=dict(d=10, n0_mult=3, sigma=0.5, alpha=4.0),
    sizes=dict(quick=dict(horizon=10_000, runs=100), paper=dict(horizon=100_000, runs=400)),
    draw=drawings.map_of_winners, ours=True, seeds=one_seed, live=Live(moves=dict(gap=None)),
)  # fmt: skip
COMPONENT = WHO_WINS._replace(  # a single component, and all of them together, for enough runs to compare
    play=beyond.component, grid=dict(gap=FIGURE_4.grid["gap"]), fixed=dict(sigma=0.5, alpha=4.0),
    sizes=dict(quick=dict(horizon=10_000, runs=500), paper=dict(horizon=100_000, runs=4000)),
)  # fmt: skip
JOINT = FIGURE_4._replace(
    play=runs.over_the_bound, fixed=dict(sigma=0.5, alpha=4.0),
    sizes=dict(quick=dict(horizon=10_000, runs=40), paper=dict(horizon=100_000, runs=800)),
)  # fmt: skip


def limit_said(found, n):
    *_, (cell, (ratios, best)) = found.items()
    digits = {name: 1 if value < 100 else 0 for name, value in ratios.items()}
    said = ", ".join(f"{value:,.{digits[name]}f} ({name.removeprefix('F-Track, ')})" for name, value in ratios.items())
    begins = ftrack_law.ftrack_limit_begins(n.gap, n.sigma)
    return (
        rf"F-Track's expected regret over $C(\nu)\log T$ for $d={n.d}$ components, $\Delta={n.gap:g}$, "
        rf"$\sigma={n.sigma:g}$. Left: exact, at horizons that can be played; at $T={cell.horizon:,}$: {said}; the "
        rf"best "
        rf"$N_0$ there is {best}. Right: the logarithm of the same ratio as printed, to leading order, against "
        rf"$\log T$: it "
        rf"grows like $T$ up to $\log T={begins:,.0f}$, where $4\epsilon_T$ has fallen to $\Delta$ and every wrong "
        rf"plan is "
        "detected; from there on the theorem takes effect."
    )


ASYMPTOTICS = Study(
    "Theorem 5.1", "F-Track's regret over what the theorem promises", beyond.asymptotics, limit_said,
    grid=dict(horizon=(1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000)),
    fixed=dict(gap=0.9, d=10, sigma=0.5), sizes=dict(quick={}, paper={}), draw=drawings.ratios_by_horizon, ours=True,
    seeds=one_seed, live=Live(moves=dict(horizon=None)),
)  # fmt: skip


def reward_only_said(found, n):
    *_, (last, result) = found.items()
    blind = [name for name in result.policies if name != "F-UCB"]
    said = ", ".join(f"{result.final_regret(name).mean():,.0f} ({name})" for name in result.policies)
    floor = minimax.minimax_lower_reward_only([n.k] * last.d, n.sigma, n.horizon)
    below = " and".join([", ".join(blind[:-1]), f" {blind[-1]}"]) if len(blind) > 1 else blind[0]
    return (
        rf"Regret on our instance for reward-only policies: one vector of mean above 0 among $k^d$, "
        rf"observations "
        rf"$\pm\sigma$, $\sigma={n.sigma:g}$, $k={n.k}$, $T={n.horizon:,}$, {n.runs} runs, {plots.band_name(None)}. At "
        rf"$d={last.d}$: {said}. {below} see the reward only; any such policy loses {floor:,.0f} or more on "
        rf"average over "
        rf"the $k^d$ instances of this kind; Theorem 3.2 asks for less by a factor that grows like $k^{{d/2}}$."
    )


REWARD_ONLY = Study(
    "Reward only", "the price of seeing only the product", beyond.reward_only, reward_only_said,
    grid=dict(d=(1, 2, 3, 4, 5, 6)), fixed=dict(k=2, sigma=1.5, alpha=4.0),
    sizes=dict(quick=dict(horizon=10_000, runs=20), paper=dict(horizon=10_000, runs=50)),
    draw=drawings.regret_by_d, ours=True, live=Live(moves=dict(d=lambda d: range(1, min(d, 7) + 1))),
)  # fmt: skip


def coordination_said(found, n):
    ((_, policies),) = found.items()
    means = ", ".join(f"{regret.mean():.0f} ({name})" for name, (_, regret) in policies.items())
    return (
        rf"Left: rounds by number of components on a bad option (logarithmic), $d={n.d}$, $\Delta={n.gap:g}$, "
        rf"$\sigma={n.sigma:g}$, $T={n.horizon:,}$, mean of {n.runs} runs; right: regret of every run. Bad options per "
        f"round that has one: {drawings.bad_at_once(policies)}. Regret: {means}."
    )


COORDINATION = Study(
    "Coordination", "who explores one at a time, who side by side", beyond.coordination, coordination_said,
    fixed=dict(gap=0.9, d=10, sigma=0.5, alpha=4.0),
    sizes=dict(quick=dict(horizon=10_000, runs=20), paper=dict(horizon=100_000, runs=50)),
    draw=drawings.side_by_side, ours=True,
)  # fmt: skip


def as_played_said(found, n):
    (shown,) = found.values()
    bad = ", ".join(f"{(v != 0).sum(axis=1) @ r / r.sum():.2f} ({name})" for name, (v, r, _) in shown.items())
    costs = ", ".join(f"{r @ cost:,.0f} ({name})" for name, (_, r, cost) in shown.items())
    return (
        rf"An instance like Figure 1's, gaps up to {n.gap:g}; one run of $T={n.horizon:,}$ rounds each. Only "
        "rounds off the best vector are shown: columns are rounds, costliest first, rows are components, grey is the "
        "best option, other colours as in "
        rf"Figure 1. First what Theorem 3.4 prescribes, times $\log T$. Bad options in such a round: {bad} "
        f"in the mean. What these rounds cost: {costs}."
    )


AS_PLAYED = Study(
    "Figure 1 as played", "the packing that each policy achieves", beyond.packed_runs, as_played_said,
    fixed=dict(FIGURE_1.fixed, gap=0.9, alpha=4.0), sizes=dict(quick=dict(horizon=10_000), paper=dict(horizon=100_000)),
    draw=drawings.as_played, seeds=one_seed, ours=True,
)  # fmt: skip

STUDIES = (REGRET, FIGURE_1, FIGURE_2, FIGURE_3, FIGURE_4, FIGURE_5, FIGURE_6, PRICING, MANUFACTURING,
           WHO_WINS, ASYMPTOTICS, REWARD_ONLY, COORDINATION)  # fmt: skip

__all__ = [name for name, thing in globals().items() if isinstance(thing, Study)]
