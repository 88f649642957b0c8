"""One figure each, from plain numbers: what the sliders move."""

import numpy as np
import pandas as pd

from ... import figures
from ...recording import play
from ...simulation import simulate
from ...tuning import q95
from .. import bounds, data
from ..environments import criteo_clusters, ilift_gaussian, scaled_gaussian
from ..tuning import TABLE_3
from . import instances
from .instances import (
    ILIFT,
    ILIFT_BL,
    LCB,
    NAFF,
    NAFF_BL,
    NAIVE,
    STYLES,
    SUMS,
    TS,
    UCB,
    UP,
    UP_BL,
    WITH_BONUS,
    WITH_EPSILON,
)

TS_NOISE = TABLE_3["Gaussian"][TS]  # for noise of standard deviation 1
SHOWN = 3  # actions whose uplifts are seen without a click


def regret(gap, L, m, sigma, K, rho, beta, given, horizon, runs, bound, seed=0, progress=None):
    """Regret of policies that look at uplifts, and of UCB and Thompson sampling, which look at the reward."""
    L = min(L, m)
    world = scaled_gaussian(seed, K, m, L, gap, sigma, rho)
    names = (UCB, UP_BL, UP, NAFF_BL, NAFF)
    policies = instances.policies(world, dict.fromkeys(names, beta), min(given, m))
    policies[TS] = instances.policy(TS, world, TS_NOISE * sigma**2)
    result = simulate(world, policies, horizon, runs, seed, progress=progress)
    caption = (
        rf"Mean cumulative regret over {runs} runs with {figures.band_name(None)}: $K={K}$ actions, $m={m}$ variables, "
        rf"each action affects $L={L}$ of them, gap $\Delta={gap:g}$, noise $\sigma={sigma:g}$ with correlation "
        rf"{rho:g}, $\beta={beta:g}$. UCB's radius counts all $m$ variables, UpUCB's the affected ones; the nAff "
        rf"policies are told that at most {min(given, m)} are affected."
    )
    figure = figures.regret(result, title=f"Regret with {L} of {m} variables affected", caption=caption, styles=STYLES)
    if bound:
        rounds = np.unique(np.geomspace(2, horizon, 40).astype(int))
        sizes = world.affected.sum(axis=1)
        standard = world.gaps / sigma  # the theorems are for noise 1
        upper = [sigma * bounds.upucb_bl_upper(standard, sizes, int(t)).regret for t in rounds]
        lower = sigma * bounds.known_sets_lower(standard, sizes) * np.log(rounds)
        figures.bound(figure, rounds, upper, "UpUCB (bl) at most (Prop. 1, its β)", 0)
        figures.bound(figure, rounds, lower, "least for T → ∞, all noise common (Prop. 3)", 1)
        figures.logarithmic(figure)
    return figure, result


def played(world, policy, rounds, seed):
    """The final state of one run."""
    return play(world, policy, rounds, seed).state


def identified(gap, L, m, sigma, K, rho, beta, given, horizon, seed=0, progress=None):
    """Which variables each action affects, and which UpUCB-nAff (bl) has identified after the horizon."""
    L, given = min(L, m), min(given, m)
    world = scaled_gaussian(seed, K, m, L, gap, sigma, rho)
    state = played(world, instances.policy(NAFF_BL, world, beta, given), horizon, seed)
    radius = np.sqrt(2 * beta / np.maximum(state.pulls, 1))[:, None]
    found = np.abs(state.sums / np.maximum(state.pulls, 1)[:, None] - world.mu0) > radius
    code = np.where(world.affected, np.where(found, 3, 2), np.where(found, 1, 0))
    names = ["not affected", "identified, though not affected", "affected, not yet identified", "identified"]
    colours = ["#f1f3f5", figures.PALETTE[1], figures.PALETTE[5], figures.PALETTE[0]]
    right, most = found & world.affected, int(state.pulls.argmax())
    caption = (
        rf"One run of UpUCB-nAff (bl), $\beta={beta:g}$, after {horizon:,} rounds: of {L} affected variables it has "
        rf"identified {int(right[most].sum())} for the action played most and "
        rf"{np.delete(right, most, 0).sum() / (K - 1):.1f} on average for the others; "
        rf"{int((found & ~world.affected).sum())} are identified wrongly. Where fewer than {given} are identified, the "
        "index is filled up with the most promising others."
    )
    figure = figures.blank("Which variables does an action touch?", "variable i", "action (pulls)", caption)
    steps = [(k / 4 + e, colour) for k, colour in enumerate(colours) for e in (0.0, 0.25)]
    order = np.argsort(world.gaps, kind="stable")
    figure.add_heatmap(
        z=code[order], zmin=-0.5, zmax=3.5, colorscale=steps, showscale=False, xgap=1, ygap=2,
        x=np.arange(m), text=np.array(names)[code[order]], hovertemplate="variable %{x}: %{text}<extra></extra>",
    )  # fmt: skip
    for name, colour in zip(names, colours, strict=True):
        figure.add_scatter(x=[None], y=[None], mode="markers", name=name, marker=dict(symbol="square", size=13,
                           color=colour, line=dict(width=1, color="#b6bcc4")))  # fmt: skip
    labels = [f"{a} ({int(state.pulls[a]):,})" for a in order]
    figure.update_yaxes(tickvals=list(range(K)), ticktext=labels, autorange="reversed", showgrid=False)
    figure.update_xaxes(showgrid=False, zeroline=False)
    return figure, pd.DataFrame(code, index=[f"action {a}" for a in range(K)])


def uplifts(gap, L, m, sigma, K, rho, beta, horizon, seed=0, progress=None):
    """The estimated uplift of every action with its confidence interval as rounds go by, for UpUCB (bl)."""
    L = min(L, m)
    world = scaled_gaussian(seed, K, m, L, gap, sigma, rho)
    policy, rounds = instances.policy(UP_BL, world, beta), np.unique(np.geomspace(2 * K, horizon, 25).astype(int))
    rows = []
    for k, t in enumerate(rounds):
        state = played(world, policy, int(t), seed)
        rows.append((state.sums / state.pulls, L * np.sqrt(2 * beta / state.pulls)))
        if progress is not None:
            progress((k + 1) / len(rounds))
    means, radii = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    true, order = world.rewards - world.mu0.sum(), np.argsort(world.gaps, kind="stable")
    caption = (
        rf"One run of UpUCB (bl): estimated uplifts $\pm L\sqrt{{2\beta/N}}$ with $\beta={beta:g}$, and as grey lines "
        rf"the true ones; shown are the {min(SHOWN, K)} best actions, a click on its name shows another. The action "
        "whose upper end is highest is played, so the intervals of the others stop shrinking once their upper ends are "
        "below it."
    )
    figure = figures.blank("Uplifts and their intervals", "round t", "uplift", caption)
    for index, a in enumerate(order):
        name, shown = f"action {a}", True if index < SHOWN else "legendonly"
        low, high = means[:, a] - radii[:, a], means[:, a] + radii[:, a]
        figures.curve(figure, rounds, means[:, a], name, index, low, high)
        figure.add_scatter(x=rounds[[0, -1]], y=[true[a]] * 2, mode="lines", legendgroup=name, showlegend=False,
                           name=f"{name}, true", line=dict(color=figures.BOUND, width=1.5, dash="dash"))  # fmt: skip
        figure.update_traces(dict(visible=shown), dict(legendgroup=name))
    figure.update_xaxes(type="log", dtick=1, exponentformat="power")
    best = order[:SHOWN]
    top = np.abs(true[best]).max() + 3 * np.median(radii[len(rounds) // 2, best])
    figure.update_yaxes(range=[-top, top])
    columns = {f"action {a} {what}": table[:, a] for a in order for what, table in (("mean", means), ("radius", radii))}
    return figure, pd.DataFrame({"t": rounds, **columns})


def bernoulli(horizon, runs, beta_scale, seed=0, progress=None):
    """Figure 2 (b) at cluster level: the policies that need sums only, at the paper's tuned values."""
    world, tuned = criteo_clusters(), TABLE_3["Bernoulli"]
    names = {name: tuned[name] * beta_scale for name in SUMS}
    result = simulate(world, instances.policies(world, names), horizon, runs, seed, progress=progress)
    caption = (
        rf"Cumulative regret over {runs} runs, {figures.band_name(1)}: 20 clusters of 100,000 people, one treated in a "
        rf"round, Table 3's parameters times {beta_scale:g}. Simulated exactly, cluster by cluster. The first 20 rounds"
        " play each action once, which Thompson sampling does not."
    )
    return figures.regret(result, 1, "The paper's Figure 2 (b): Bernoulli payoffs", caption, styles=STYLES), result


def ablation(gap, L, m, sigma, K, rho, beta, horizon, runs, seed=0, progress=None):
    """The paper's Figure 3 (a): subtract the baseline's upper or its lower confidence bound."""
    world = scaled_gaussian(seed, K, m, min(L, m), gap, sigma, rho)
    result = simulate(world, instances.policies(world, {UP: beta, LCB: beta}), horizon, runs, seed, progress=progress)
    caption = (
        rf"UpUCB subtracts the upper confidence bound of the baseline, the ablation the lower one; $\beta={beta:g}$. "
        rf"Left: {figures.band_name(1)} over {runs} runs. Right: the 95 % quantile of regret."
    )
    return with_quantile(result, "The paper's Figure 3 (a): which bound of the baseline?", caption), result


def misspecified(gap, L, m, sigma, K, rho, beta, given, horizon, runs, seed=0, progress=None):
    """The paper's Figure 3 (b): UpUCB-nAff (bl) told too small or too large an L."""
    L = min(L, m)
    world = scaled_gaussian(seed, K, m, L, gap, sigma, rho)
    told = sorted({max(1, L // 2), max(1, L - 2), L, min(m, L + L // 2 + 1), min(given, m)})
    policies = {f"L = {value}": instances.policy(NAFF_BL, world, beta, value) for value in told}
    result = simulate(world, policies, horizon, runs, seed, progress=progress)
    caption = (
        rf"UpUCB-nAff (bl) with $\beta={beta:g}$, told that actions affect at most so many variables; the truth is "
        rf"$L={L}$. Left: {figures.band_name(1)} over {runs} runs. Right: the 95 % quantile of regret."
    )
    return with_quantile(result, "The paper's Figure 3 (b): given L against the true one", caption), result


def with_quantile(result, title, caption):
    """Mean regret on the left, its 95 % quantile on the right."""
    figure = figures.blank(title, "round t", "regret", caption, columns=2, subplot_titles=["mean", "95 % quantile"])
    figures.regret(result, 1, figure=figure, row=1, column=1)
    for index, name in enumerate(result.policies):
        figures.curve(figure, result.checkpoints, q95(result.of_policy(name)), name, index, column=2, legend=False)
    figures.name_band(figure, 1)
    return figure


def ilift(beta, horizon, runs, eliminating, seed=0, progress=None):
    """UpUCB-iLift where every individual uplift is at least 0.3: affected sets are learnt, then used."""
    world = ilift_gaussian(seed, eliminating)
    names = dict.fromkeys((UCB, UP_BL, NAFF_BL, ILIFT_BL, NAIVE, ILIFT), beta)
    result = simulate(world, instances.policies(world, names), horizon, runs, seed, progress=progress)
    needed = {name: instances.policy(name, world, beta).enough for name in (ILIFT_BL, ILIFT)}
    caption = (
        rf"Cumulative regret over {runs} runs, {figures.band_name(1)}, $\beta={beta:g}$. Known: no uplift is smaller "
        rf"than 0.3. UpUCB-iLift (bl) plays as UCB until {needed[ILIFT_BL]:,} pulls have identified an action; the "
        rf"naive variant first plays every action so often. Without the baseline {needed[ILIFT]:,} sweeps over all "
        "surviving actions come first."
    )
    return figures.regret(result, 1, "UpUCB-iLift: least uplift known", caption, styles=STYLES), result


def campaign(mode, bonus, epsilon, rounds, runs, seed=0, progress=None):
    """Figure 4: a campaign of 10 treatments a round among 100 people, in one of the two feedback modes."""
    pool = data.pool()
    given = instances.line_up(dict.fromkeys(WITH_EPSILON, epsilon) | dict.fromkeys(WITH_BONUS, bonus))
    result = instances.run_campaign(pool, mode, rounds, runs, seed, given, progress)
    caption = (
        rf"Data: {pool.name}. Feedback mode “{mode}”, {runs} runs, {figures.band_name(1)}; bonus {bonus:g}, "
        rf"$\varepsilon={epsilon:g}$. Left: regret in predicted uplift. Middle: in visits that happened. Right: "
        "predicted uplift per treated person so far."
    )
    return campaign_figure([result], [mode], caption, "The paper's Figure 4: a targeted campaign"), result


def campaign_figure(results, modes, caption, title):
    """Three panels for each feedback mode."""
    columns = ["predicted-uplift regret", "realised regret", "mean predicted uplift"]
    titles = columns if len(modes) == 1 else [f"{what}, {mode}" for mode in modes for what in columns]
    figure = figures.blank(title, "round t", "", caption, rows=len(modes), columns=3, subplot_titles=titles)
    for row, result in enumerate(results, 1):
        figures.regret(result, 1, figure=figure, row=row, column=1, legend=row == 1, styles=STYLES)
        checkpoints, realised = instances.recorded(result, "realised")
        _, uplift, oracle = instances.mean_uplift(result)
        for column, values in ((2, realised), (3, uplift)):
            for place, name in enumerate(result.policies):
                mean, spread = values[place].mean(axis=0), values[place].std(axis=0, ddof=1) / len(values[place]) ** 0.5
                figures.curve(figure, checkpoints, mean, name, STYLES[name], mean - spread, mean + spread, row=row,
                              column=column, legend=False)  # fmt: skip
        figures.bound(figure, checkpoints, oracle, "oracle", 1, row=row, column=3, legend=row == 1)
    figures.name_band(figure, 1)
    figure.update_annotations(font_size=13)
    figure.update_layout(legend_font_size=12, margin_t=150)
    return figure
