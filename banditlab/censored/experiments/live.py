"""One panel of every figure, from plain numbers: what the sliders move."""

import numpy as np

from ... import figures
from ...simulation import simulate
from .. import bounds
from ..environments import lead_instance, low_censoring, many_arms
from . import instances
from .instances import STYLES, best_pair, lowest_share, policies_of, widths_of


def regret(
    lead, correlation, steepness, threshold, arms, limits, alpha, width, horizon, runs, upper, seed=0, progress=None
):
    """Regret of RCUCB, UCB and Thompson sampling where one arm leads."""
    world = lead_instance(lead, correlation, threshold, steepness, arms, limits)
    policies = policies_of(world, alpha, widths_of(width))
    result = simulate(world, policies, horizon, runs, seed, progress=progress)
    title = f"Regret with {arms} arms and {limits} limits"
    caption = rf"Mean cumulative regret over {runs} runs, {figures.band_name(None)}. {told(world)} {meant(width)}"
    figure = figures.regret(result, title=title, caption=caption, styles=STYLES)
    if upper:
        draw_bounds(figure, world, alpha, horizon, "printed" in widths_of(width))
    return figure, result


def meant(width):
    """What the widths of RCUCB that are shown stand for."""
    meaning = {
        "gain_only": "its first term alone gives the paper's results",
        "printed": "the theorems are about the one as printed",
        "normalised": "its second term divided by 1 + λmax gives the paper's results too",
    }
    return f"RCUCB's width: {'; '.join(meaning[name] for name in widths_of(width))}."


def told(world):
    """The best pair in words."""
    arm, place = best_pair(world)
    return (
        rf"Best pair: arm {arm + 1} with limit $\tau={world.limits[place]:.3g}$, gain "
        rf"$\nu^*={world.gains.max():.3f}$; it is censored in {world.survival[arm, place]:.0%} of its rounds."
    )


def draw_bounds(figure, world, alpha, horizon, printed):
    """The upper bounds, Theorem 1 only of the printed width; the caption says where a bound is vacuous."""
    rounds = np.unique(np.geomspace(2, horizon, 60).astype(int))
    limit = bounds.trivial(world.gains, rounds)
    figures.bound(figure, rounds, limit, "t times the largest gap", 0)
    said = " No theorem holds for α ≤ 1, which the experiments take: raise α to see the bounds."
    if alpha > 1:
        curves = {"UCB at most (Cor 14)": bounds.corollary14(world.gains, world.penalty[-1], rounds, alpha)}
        if printed:
            name = "RCUCB as printed, at most (Thm 1)"
            curves[name] = bounds.theorem1(world.gains, world.penalty, rounds, alpha)
        for index, (name, values) in enumerate(curves.items()):
            figures.bound(figure, rounds, values, name, 1 + index)
        vacuous = [name for name, values in curves.items() if values[-1] >= limit[-1]]
        said = f" Vacuous on this instance, above T times the largest gap: {', '.join(vacuous)}." if vacuous else ""
    figures.logarithmic(figure)
    figure.layout.meta["caption"] += said


def share(lead, correlation, steepness, threshold, arms, limits, alpha, width, horizon, runs, seed=0, progress=None):
    """Share of censored rounds as it develops."""
    world = lead_instance(lead, correlation, threshold, steepness, arms, limits)
    policies = policies_of(world, alpha, widths_of(width))
    result = simulate(instances.shares_of(world), policies, horizon, runs, seed, progress=progress)
    caption = (
        rf"Expected share of censored rounds up to $t$, {runs} runs, {figures.band_name(None)}. {told(world)} A good "
        r"learner is censored as often as the best pair (grey line), not less: the cheap limits hide most rounds."
    )
    figure = figures.blank("Share of censored rounds", "round t", "share of rounds up to t", caption)
    figures.name_band(figure, None)
    for name, rows in result.summary().groupby("policy", sort=False):
        low, high, t = rows["low"] / rows["t"], rows["high"] / rows["t"], rows["t"]
        figures.curve(figure, t, rows["mean"] / t, name, STYLES[name], low, high)
    figures.bound(figure, [0, horizon], [lowest_share(world)] * 2, "best pair")
    figure.update_yaxes(range=[0, 1], tickformat=".0%")
    return figure, result


def landscape(
    lead, correlation, steepness, threshold, arms, limits, alpha, width, horizon, runs, seed=0, progress=None
):
    """Expected gain of every pair, and where the policies spend their rounds."""
    world = lead_instance(lead, correlation, threshold, steepness, arms, limits)
    policies = policies_of(world, alpha, widths_of(width))
    result = simulate(world, policies, horizon, runs, seed, 1, progress=progress)
    caption = (
        rf"Colour: expected gain $\nu_{{i,\tau}}$, cut off below at $\nu^*-1$. Circles: share of the {horizon:,} "
        rf"rounds, by area, mean of {runs} runs. {told(world)}"
    )
    names = result.policies
    figure = figures.blank(
        "Where the rounds go", "limit τ", "arm", caption, columns=len(names), shared_yaxes=True,
        subplot_titles=[name.replace(", ", ",<br>").replace(" sampling", "<br>sampling") for name in names],
    )  # fmt: skip
    shown = np.maximum(world.gains, world.gains.max() - 1)
    x, y = np.meshgrid(np.arange(limits), np.arange(1, arms + 1))
    pulls = pulls_of(result)
    text = [f"{limit:.2f}" for limit in world.limits]
    for column, name in enumerate(names, 1):
        figure.add_heatmap(
            z=shown, x=np.arange(limits), y=np.arange(1, arms + 1), colorscale="Viridis", showscale=column == 1,
            colorbar=dict(title="gain ν", thickness=12), row=1, col=column, customdata=world.gains,
            hovertemplate="arm %{y}, limit %{x}: ν = %{customdata:.3f}<extra></extra>",
        )  # fmt: skip
        spent = pulls[name].ravel() / horizon
        figure.add_scatter(
            x=x.ravel(), y=y.ravel(), mode="markers", showlegend=False, row=1, col=column, customdata=spent,
            marker=dict(size=34 * np.sqrt(spent), color="#ffffff", line=dict(color="#000000", width=1)),
            hovertemplate="arm %{y}: %{customdata:.1%} of the rounds<extra>" + name + "</extra>",
        )  # fmt: skip
    every = max(1, (limits - 1) // 3)
    figure.update_xaxes(title_text="limit τ", tickvals=list(range(0, limits, every)), ticktext=text[::every])
    figure.update_layout(showlegend=False)
    return figure, result


def pulls_of(result):
    """Mean number of rounds of every pair, by policy."""
    return dict(zip(result.policies, result.tallies["pulls"].mean(axis=1), strict=True))


def learners(world, title, horizon, runs, alpha, width, update, seed, progress):
    """Regret of the paper's learners on one problem, and the share of rounds that each of them lost."""
    policies = policies_of(world, alpha, widths_of(width), (update,))
    result = simulate(world, policies, horizon, runs, seed, progress=progress)
    shares = result.final.groupby("policy", sort=False)["censored"].mean()
    caption = (
        rf"Mean regret over {runs} runs, {figures.band_name(1.96)}. Share of censored rounds: "
        + ", ".join(f"{name} {value:.3f}" for name, value in shares.items())
        + f". {told(world)}"
    )
    return figures.regret(result, 1.96, title, caption, styles=STYLES), result


def figure4(problem, grid, alpha, width, ts_update, horizon, runs, seed=0, progress=None):
    """Figures 4, 6 and 7: the paper's problems on its grids."""
    world = instances.problem(problem, grid)
    title = f"{problem}, {len(world.limits)} limits from {world.limits[0]:.2g} to {world.limits[-1]:.2g}"
    return learners(world, title, horizon, runs, alpha, width, ts_update, seed, progress)


def figure8(arms, limits, alpha, width, ts_update, horizon, runs, seed=0, progress=None):
    """Figure 8: many arms, the more rewarding the less they consume."""
    world, title = many_arms(arms, limits), f"{arms} arms, the better the thriftier"
    return learners(world, title, horizon, runs, alpha, width, ts_update, seed, progress)


def figure9(arms, limits, alpha, width, ts_update, horizon, runs, seed=0, progress=None):
    """Figure 9: hardly any censoring."""
    world, title = low_censoring(arms, limits), f"Low censoring, {arms} arms"
    return learners(world, title, horizon, runs, alpha, width, ts_update, seed, progress)
