"""One panel of every figure, from plain numbers: what the sliders move."""

import math

import numpy as np
import pandas as pd

from ... import figures
from ...result import interval
from ...simulation import simulate, split_progress
from .. import bounds
from ..environments import gaussian
from ..environments import manufacturing as manufacturing_line
from ..environments import pricing as pricing_problem
from ..policies import fucb, priced_fucb, ucb1
from . import instances
from .instances import VECTORS, one_gap, too_large

SMALL = 400  # product vectors for which the linear program of Theorem 4.2 is drawn


def regret(gap, d, k, sigma, horizon, runs, alpha, lower, upper, seed=0, progress=None):
    """Regret of F-UCB, which sees every component's observation, and of UCB1, which sees their product."""
    means = one_gap(d, k, gap)
    policies = {"F-UCB": fucb([k] * d, sigma, alpha)}
    if k**d <= VECTORS:
        policies["UCB1"] = ucb1([k] * d, sigma, alpha)
    result = simulate(gaussian(means, sigma), policies, horizon, runs, seed, progress=progress)
    caption = (
        f"Mean cumulative regret over {runs} runs with {figures.band_name(None)}: $d={d}$ components of $k={k}$ "
        rf"options, gap $\Delta={gap:g}$, noise $\sigma={sigma:g}$. F-UCB learns $dk={d * k}$ means, UCB1 "
        f"$k^d={k**d:,}$." + too_large(d, k)
    )
    title = f"Regret with {d} components of {k} options"
    figure = figures.regret(result, title=title, caption=caption)
    rounds = np.unique(np.geomspace(2, horizon, 60).astype(int))
    if lower:
        draw_lower(figure, rounds, means, sigma)
    if upper:
        draw_upper(figure, rounds, means, sigma, alpha)
        figures.logarithmic(figure)
    return figure, result


def draw_lower(figure, rounds, means, sigma):
    """The lower bounds of Section 3."""
    arms = [len(row) for row in means]
    constant = bounds.lower_bound_constant(means, sigma)
    figures.bound(figure, rounds, constant * np.log(rounds), "C(ν) log t (Thm 3.4)", 0)
    figures.bound(
        figure, rounds, [bounds.worst_case_lower(arms, sigma, int(t)) for t in rounds], "worst case (Thm 3.1)", 1
    )
    if sigma > 1 and min(arms) > 1:
        curve = [bounds.reward_only_lower(arms, sigma, int(t)) for t in rounds]
        figures.bound(figure, rounds, curve, "reward only (Thm 3.2)", 2)


def draw_upper(figure, rounds, means, sigma, alpha):
    """The upper bounds of Section 4, where alpha allows them."""
    if alpha <= 2:
        return
    arms = [len(row) for row in means]
    figures.bound(figure, rounds, bounds.upper_bound(means, sigma, rounds, alpha), "F-UCB at most (Cor 4.3)", 3)
    figures.bound(figure, rounds, bounds.worst_case_upper(arms, sigma, rounds, alpha), "F-UCB at most (Thm 4.1)", 4)
    if math.prod(arms) <= SMALL:
        few = rounds[:: max(1, len(rounds) // 8)]
        curve = [bounds.upper_bound_lp(means, sigma, int(t), alpha) for t in few]
        figures.bound(figure, few, curve, "F-UCB at most (Thm 4.2)", 0)


def figure1(gap, d, k, sigma, seed=0, progress=None):
    """Figure 1: how the lower bound packs the exploration of all components side by side."""
    means = np.ones((d, k))
    means[:, 1:] -= gap * np.random.default_rng(seed).uniform(0.5, 1.0, (d, k - 1))
    lengths, vectors = bounds.lower_bound_slices(means, sigma)
    constant, alone = bounds.lower_bound_constant(means, sigma), 2.0 * sigma**2 * (1.0 / (1.0 - means[:, 1:])).sum()
    caption = (
        rf"Each row is a component, its worst options leftmost, as wide as the samples "
        rf"$L_{{i,j}}=2\sigma^2/\Delta_{{i,j}}^2$ they "
        rf"need per $\log T$. A vertical cut is a vector to play: bad options are played together, at a cost of "
        rf"$C(\nu)={constant:.3g}$, where one at a time would cost {alone:.3g}."
    )
    figure = figures.blank(f"The packing of Theorem 3.4 for {d} components", "pulls per log T", "component", caption)
    edges = np.concatenate([[0.0], np.cumsum(lengths)])
    for i in range(d):
        draw_row(figure, i, edges, vectors[:, i], means[i], sigma)
    for edge in edges[1:]:
        figure.add_vline(x=edge, line=dict(color=figures.BOUND, width=1, dash="dot"))
    figure.update_yaxes(
        tickvals=list(range(d)), ticktext=[f"i = {i + 1}" for i in range(d)], autorange="reversed", showgrid=False
    )
    figure.update_layout(barmode="overlay", showlegend=False, margin_t=60)
    slices = pd.DataFrame(vectors, columns=[f"component {i + 1}" for i in range(d)])
    return figure, slices.assign(length=lengths)


def draw_row(figure, i, edges, options, means, sigma):
    """One component of Figure 1: a bar for every stretch of slices with the same option."""
    starts = [s for s in range(len(options)) if s == 0 or options[s] != options[s - 1]]
    for start, end in zip(starts, [*starts[1:], len(options)], strict=True):
        j, left, right = int(options[start]), edges[start], edges[end]
        best = means[j] == means.max()
        figure.add_bar(
            y=[i], x=[right - left], base=left, orientation="h", width=0.72,
            marker=dict(color="#e3e6ea" if best else figures.PALETTE[j % 7], opacity=0.75),
            text=f"a*={j + 1}" if best else f"{j + 1}", textposition="inside", insidetextanchor="middle",
            hovertemplate=f"option {j + 1}, mean {means[j]:.3f}, {right - left:.3g} pulls per log T<extra></extra>",
        )  # fmt: skip


def figure2(gap, d, sigma, horizon, runs, alpha, seed=0, progress=None):
    """Figure 2: F-UCB's regret over the lower bound, against the number of components."""
    return ratio_panels(
        ratios([gap], range(1, d + 1), sigma, horizon, runs, alpha, seed, progress), sigma, horizon, runs, alpha
    )


def ratio_panels(table, sigma, horizon, runs, alpha):
    """Both panels of Figure 2, for the gaps of the table."""
    caption = (
        rf"Left: regret of F-UCB at $T={horizon:,}$ over $C(\nu)\log T$, {figures.band_name(2)} (the paper's band), "
        rf"{runs} runs, $\sigma={sigma:g}$. Right: what the leading terms of the bounds allow (Equation 16, "
        rf"$\alpha={alpha:g}$). Both grow linearly with $d$, the faster the larger the gap."
    )
    titles = ["measured", "allowed by the bounds"]
    figure = figures.blank(
        "Regret over the lower bound", "components d", "ratio", caption, columns=2, subplot_titles=titles
    )
    for index, (gap, rows) in enumerate(table.groupby("gap")):
        low, high = rows["ratio"] - 2 * rows["se"], rows["ratio"] + 2 * rows["se"]
        figures.curve(figure, rows["d"], rows["ratio"], f"Δ = {gap:g}", index, low, high, mode="lines+markers")
        figures.curve(figure, rows["d"], rows["allowed"], f"Δ = {gap:g}", index, column=2, legend=False)
    figures.name_band(figure, 2)
    return figure, table


def ratios(gaps, ds, sigma, horizon, runs, alpha, seed, progress=None):
    """The table of Figure 2: gap, d, ratio, its standard error, Equation 16."""
    rows, cells = [], [(gap, d) for gap in gaps for d in ds]
    for (gap, d), report in zip(cells, split_progress(progress, len(cells)), strict=True):
        means = one_gap(d, 2, gap)
        policy = {"F-UCB": fucb([2] * d, sigma, alpha)}
        result = simulate(gaussian(means, sigma), policy, horizon, runs, seed, 1, progress=report)
        floor = bounds.lower_bound_constant(means, sigma) * math.log(horizon)
        mean, se, _ = interval(result.regret[0, :, -1] / floor)
        rows.append((gap, d, float(mean), float(se), bounds.remark41_ratio(gap, d, alpha)))
    return pd.DataFrame(rows, columns=["gap", "d", "ratio", "se", "allowed"])


def figure3(d, k, low, sigma, horizon, runs, alpha, seed=0, progress=None):
    """Figure 3: four policies on a fresh instance in every run."""
    policies = instances.four_policies(d, k, sigma, alpha)
    result = simulate(instances.fresh_instances(d, k, low, sigma), policies, horizon, runs, seed, progress=progress)
    caption = (
        rf"Cumulative regret over {runs} runs, each on fresh means $\mu\sim U[{low:g},1]$, the same for all policies; "
        rf"$d={d}$, $k={k}$, $\sigma={sigma:g}$; {figures.band_name(1)} (the paper's band)." + too_large(d, k)
    )
    title = f"Four policies, {d} components of {k} options"
    return figures.regret(result, 1, title, caption, styles=instances.STYLES), result


def figure4(gap, d, sigma, horizon, runs, alpha, n0_mult, lower, seed=0, progress=None):
    """Figure 4: F-UCB and F-Track against the horizon, and F-Track's two-humped law."""
    means, arms = one_gap(d, 2, gap), [2] * d
    return horizon_figure(
        gaussian(means, sigma), means if lower else None, arms, sigma, horizon, runs, alpha, n0_mult, seed, progress
    )


def figure6(gap, d, rho, sigma, horizon, runs, alpha, n0_mult, seed=0, progress=None):
    """Figure 6: the same two policies when the noise of the second options is shared."""
    environment, arms = instances.noisy_second(d, gap, sigma, rho), [2] * d
    figure, result = horizon_figure(environment, None, arms, sigma, horizon, runs, alpha, n0_mult, seed, progress)
    slope = environment.best - environment.expected(np.zeros(d, np.int64))
    said = f"E r(2..2) = {environment.expected(np.ones(d, np.int64)):.3g} against E r(1..1) = 1."
    if slope > 1e-9:
        figures.bound(figure, result.checkpoints, slope * result.checkpoints, "always playing (1..1)")
        said += " The policies settle for (1..1), which is no longer best: their regret is linear."
    figure.layout.meta["caption"] += rf" Common noise share $\rho={rho:g}$: {said}"
    return figure, result


def horizon_figure(environment, means, arms, sigma, horizon, runs, alpha, n0_mult, seed, progress):
    """Left: regret against the horizon, means and medians. Right: every run's regret at the horizon, in order."""
    horizons = np.unique(np.linspace(horizon / 10, horizon, 10).astype(int))
    result = instances.against_horizon(environment, arms, sigma, horizons, runs, seed, alpha, (1, n0_mult), progress)
    shares = [f"{name.split(', ')[1]}: {instances.wrong_share(result, name):.0%}" for name in result.policies[1:]]
    caption = (
        f"Left: regret at each horizon over {runs} runs, {figures.band_name(2)} (the paper's band); thin lines are "
        "medians. Right: the share of runs with at most that regret at the longest horizon. F-Track's law has two "
        "humps: a run whose warm-up ranks the options wrongly follows the wrong plan for ever. Share of runs that "
        "settled for a wrong vector: "
        + ("; ".join(shares) or "the warm-up does not fit into the horizon") + "."
    )  # fmt: skip
    title = f"F-UCB and F-Track, {len(arms)} components of {arms[0]} options"
    figure = figures.blank(title, "horizon T", "cumulative regret", caption, columns=2, column_widths=[0.6, 0.4])
    for index, name in enumerate(result.policies):
        rows = result.statistics(result.of_policy(name))
        low, high = rows["mean"] - 2 * rows["se"], rows["mean"] + 2 * rows["se"]
        figures.curve(figure, rows["t"], rows["mean"], name, index, low, high)
        figures.curve(figure, rows["t"], rows["median"], name, index, legend=False, line=dict(width=1))
        final = np.sort(result.of_policy(name)[:, -1])
        share = np.arange(1, len(final) + 1) / len(final)
        figures.curve(figure, final, share, name, index, column=2, legend=False, line=dict(shape="hv"))
    figures.name_band(figure, 2)
    figure.update_xaxes(type="log", dtick=1, title_text=f"regret at T = {horizon:,}", row=1, col=2)
    figure.update_yaxes(title_text="share of runs", range=[0, 1.03], row=1, col=2)
    if means is not None:
        floor = bounds.lower_bound_constant(means, sigma) * np.log(horizons)
        figures.bound(figure, horizons, floor, "C(ν) log T (Thm 3.4)")
    return figure, result


def figure5(gap, d, sigma, seed=0, progress=None):
    """Figure 5: expected reward under shared noise, exactly, against the share rho."""
    rhos = np.linspace(0.0, 1.0, 51)
    table = expected_rewards(gap, d, sigma, rhos)
    caption = (
        rf"Expected reward of the vectors with $m$ of $d={d}$ components on the noisy option 2 ($\mu=(1,{1 - gap:g})$, "
        rf"$\sigma={sigma:g}$), by exact quadrature. With enough shared noise the product of bad options beats the "
        rf"good ones."
    )
    figure = figures.blank(
        "Expected reward under shared noise", "share of the common noise ρ", "expected reward", caption
    )
    for m in range(1, d):
        figures.bound(figure, rhos, table[m], f"m between 1 and {d - 1}", 2, legend=m == 1)
    figures.curve(figure, rhos, table[0], "r(1..1), m = 0", 0)
    figures.curve(figure, rhos, table[d], f"r(2..2), m = {d}", 1)
    return figure, pd.DataFrame(table.T, columns=[f"m = {m}" for m in range(d + 1)]).assign(rho=rhos)


def expected_rewards(gap, d, sigma, rhos):
    """Expected reward by number m of components on option 2 and rho, shape (d + 1, rhos)."""
    vectors = np.tril(np.ones((d + 1, d), np.int64), -1)
    worlds = [instances.noisy_second(d, gap, sigma, rho) for rho in rhos]
    return np.array([[world.expected(vector) for world in worlds] for vector in vectors])


def pricing(k, sigma, spend, horizon, runs, alpha, upper, seed=0, progress=None):
    """Joint pricing and advertising (Appendix A.1): a budget buys impressions, a price sells."""
    shares, prices = np.arange(1, k + 1) / k, np.arange(1, k + 1) / k
    budgets, means = spend * shares, [np.sqrt(shares), 1.0 - 0.8 * prices]
    environment = pricing_problem(means[0], budgets, means[1], prices, sigma)
    known = dict(multipliers=[np.ones(k), prices], costs=[budgets, np.zeros(k)], scale=1.0)
    caption = (
        rf"Reward $p\,x_0x_1-b$ with {k} budgets $b$ (impressions grow like $\sqrt b$) and {k} prices $p$ (conversion "
        f"falls with $p$). F-UCB with known prices and costs optimises the expression itself; {runs} runs, "
        f"{figures.band_name(None)}."
    )
    title = f"Pricing and advertising, {k} budgets and {k} prices"
    return priced_figure(environment, [k, k], sigma, known, horizon, runs, alpha, upper, title, caption, seed, progress)


def manufacturing(d, k, sigma, batch, horizon, runs, alpha, upper, seed=0, progress=None):
    """Manufacturing line (Appendix A.2): every stage trades yield against cost."""
    quality = np.arange(k) / max(1, k - 1)
    yields = [0.7 + 0.28 * quality ** (1 + i % 3) for i in range(d)]
    costs = [0.25 * quality * (1 + i % 2) for i in range(d)]
    environment = manufacturing_line(yields, costs, batch, sigma)
    known = dict(multipliers=[np.ones(k)] * d, costs=costs, scale=batch)
    caption = (
        rf"Reward $B\prod_i x_i-\sum_i c_i$ with $B={batch:g}$ and {d} stages of {k} options. The stages do not "
        rf"separate: what an "
        rf"option is worth depends on all others; {runs} runs, {figures.band_name(None)}." + too_large(d, k)
    )
    title = f"Manufacturing line, {d} stages of {k} options"
    return priced_figure(
        environment, [k] * d, sigma, known, horizon, runs, alpha, upper, title, caption, seed, progress
    )


def priced_figure(environment, arms, sigma, known, horizon, runs, alpha, upper, title, caption, seed, progress):
    """Regret of the policies that know the prices and costs, and of one that does not."""
    policies = {
        "F-UCB, costs known": priced_fucb(arms, sigma, alpha=alpha, **known),
        "F-UCB, costs known, capped": priced_fucb(arms, sigma, alpha=alpha, cap=True, **known),
    }
    factor = known["scale"] * math.prod(max(row) for row in known["multipliers"])
    if math.prod(arms) <= VECTORS:
        policies["UCB1"] = ucb1(arms, sigma * factor, alpha)
    result = simulate(environment, policies, horizon, runs, seed, progress=progress)
    figure = figures.regret(result, title=title, caption=caption)
    if upper and alpha > 2:
        means = [row[:size] for row, size in zip(environment.means, arms, strict=True)]
        rounds = np.unique(np.geomspace(2, horizon, 60).astype(int))
        limit = bounds.priced_upper(means, sigma, rounds, alpha, **known, cap=True)
        figures.bound(figure, rounds, limit, "capped F-UCB at most (Thm 4.1, App. A)")
        figures.logarithmic(figure)
    return figure, result
