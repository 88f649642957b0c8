"""Figures without a learner: the example's laws, gains against the limit; and z-RCUCB's grids and recommendations."""

import numpy as np
import pandas as pd

from ... import figures, kernel
from ...simulation import run, simulate, split_progress, streams
from .. import bounds
from ..environments import example, gaussian, indep_interval
from ..environments.gaussian import correlation as correlation_of
from ..environments.gaussian import loading_of
from ..environments.paper_instances import EXAMPLE
from ..penalties import ROUNDING, promise
from ..policies import zrcucb

MODELS = ("complex", "medium", "simple")
SIGMA = 0.02
LEAST = 1e-9  # simple regret on the logarithmic axis
ALPHA, DELTA = 1.1, 0.1


def joint(mean, rho, points):
    """Density of one model on the unit square, (consumption, reward)."""
    r, c = points[None, :] - mean[0], points[:, None] - mean[1]
    density = np.exp(-(r * r - 2 * rho * r * c + c * c) / (2 * SIGMA * (1 - rho * rho)))
    return density / density.mean()


def figure1(correlation, seed=0, progress=None):
    """Figure 1: reward and consumption of the three models of Example 1."""
    points = (np.arange(120) + 0.5) / 120
    caption = (
        rf"Example 1 with numbers of ours (the paper draws no axes): variance {SIGMA:g}, correlation "
        rf"$\rho={correlation:g}$, conditioned on the unit square. Complex models reward more and consume more."
    )
    titles = [f"{model}: {what}" for model in MODELS for what in ("reward", "consumption", "both")]
    figure = figures.blank(
        "The paper's Figure 1: three models", "value", "density", caption, rows=3, columns=3, subplot_titles=titles,
        vertical_spacing=0.11, horizontal_spacing=0.13,
    )  # fmt: skip
    tables = {}
    for row, (model, mean) in enumerate(zip(MODELS, EXAMPLE, strict=True), 1):
        density = tables[model] = joint(mean, correlation, points)
        for column, axis in ((1, 0), (2, 1)):
            figures.curve(figure, points, density.mean(axis=axis), model, row - 1, row=row, column=column)
        figure.add_contour(
            x=points, y=points, z=density, showscale=False, colorscale="Viridis", ncontours=8, row=row, col=3,
            hovertemplate="reward %{x:.2f}, consumption %{y:.2f}<extra></extra>",
        )  # fmt: skip
        figure.update_yaxes(title=dict(text="consumption", standoff=4), row=row, col=3)
    figure.update_xaxes(title_text="reward", row=3, col=1)
    figure.update_xaxes(title_text="consumption", row=3, col=2)
    figure.update_xaxes(title_text="reward", row=3, col=3)
    figure.update_layout(showlegend=False, margin_t=80)
    figure.update_annotations(font_size=13)
    return figure, pd.DataFrame({m: t.mean(axis=0) for m, t in tables.items()}, index=points)


def figure2(correlation, steepness, threshold, seed=0, progress=None):
    """Figure 2: expected gain of the three models against the limit."""
    limits, x = np.arange(2, 100) / 100, loading_of(correlation)
    world = gaussian(EXAMPLE, x, SIGMA, limits, promise(limits, threshold, steepness))
    title = rf"promise {threshold:g}, steepness {steepness:g}"
    return gains_figure({title: world}, [threshold], correlation_of(x)), gains_table(world)


def paper_figure2():
    """Figure 2 with the paper's two promises: strict (0.5, steepness 10) and soft (0.99, steepness 5).

    Returns
    -------
    figure, tables : plotly.graph_objects.Figure, dict
        The figure, and the gains of every model and limit by case.
    """
    worlds = {f"{case} promise": example(case) for case in ("strict", "soft")}
    figure = gains_figure(worlds, [0.5, 0.99], correlation_of(0.2))
    return figure, {case: gains_table(world) for case, world in worlds.items()}


def gains_table(world):
    """Expected gains, a row per limit."""
    return pd.DataFrame(world.gains.T, columns=MODELS, index=world.limits)


def gains_figure(worlds, thresholds, rho):
    """Expected gain of the three models against the limit, up to the promise; a panel per world."""
    shown = [world.limits <= end + ROUNDING for world, end in zip(worlds.values(), thresholds, strict=True)]
    best = [
        f"{title}: {MODELS[int(world.gains[:, kept].max(axis=1).argmax())]}"
        for (title, world), kept in zip(worlds.items(), shown, strict=True)
    ]
    caption = (
        rf"Expected gain $\nu_{{i,\tau}}$ against the limit, correlation $\rho={rho:.2f}$; limits up to the promise. "
        rf"The best model at its best limit: {'; '.join(best)}. The models' numbers are ours."
    )
    figure = figures.blank(
        "The paper's Figure 2: which model for which limit?", "limit τ", "expected gain ν", caption,
        columns=len(worlds), subplot_titles=list(worlds),
    )  # fmt: skip
    for column, (world, kept) in enumerate(zip(worlds.values(), shown, strict=True), 1):
        for index, model in enumerate(MODELS):
            gains = world.gains[index, kept]
            figures.curve(figure, world.limits[kept], gains, model, index, column=column, legend=column == 1)
    return figure


def figure3(parts, horizon, seed=0, progress=None):
    """Figure 3: the grids of z-RCUCB after one run, on three arms with penalty 4 x²."""
    world = indep_interval()
    policy = zrcucb(3, horizon, world.penalty, alpha=ALPHA, parts=parts, delta=DELTA)
    args = world, policy, np.array([horizon]), (), np.zeros(2, np.int64), *streams(seed, 0)
    _, _, state = kernel.compile_for(run, *args)(*args)
    grids = [state.cells[arm, : state.count[arm], 0] for arm in range(3)]
    points = np.concatenate(grids)
    caption = (
        rf"Grid points of each arm after {horizon:,} rounds, $m={parts}$: a cell is cut in {parts} when its length "
        rf"reaches its confidence radius. Half of all {len(points)} points are at most {np.median(points):.2g}: every "
        rf"round teaches about small limits, and their penalty is small. Curves: expected gain $\nu_{{i,\tau}}$."
    )
    figure = figures.blank(
        f"The paper's Figure 3: grids that grow, m = {parts}", "limit τ", "", caption, rows=2, shared_xaxes=True,
        row_heights=[0.6, 0.4], vertical_spacing=0.08,
    )  # fmt: skip
    rows, points = [], np.linspace(0.005, 1, 200)
    for arm, name in enumerate(("arm 1", "arms 2 and 3")):
        figures.curve(figure, points, [world.gain(arm, float(x)) for x in points], name, arm)
    for arm, grid in enumerate(grids):
        rows += [(f"arm {arm + 1}", float(x)) for x in grid]
        style = dict(color=figures.PALETTE[min(arm, 1)], size=14, symbol="line-ns", line=dict(width=2))
        style["line"]["color"] = style["color"]
        figure.add_scatter(
            x=grid, y=[f"arm {arm + 1}"] * len(grid), mode="markers", marker=style, showlegend=False, row=2, col=1,
            name=f"grid of arm {arm + 1}",
        )  # fmt: skip
    figure.update_yaxes(title_text="gain ν", row=1, col=1)
    figure.update_yaxes(title_text="grid", autorange="reversed", row=2, col=1)
    return figure, pd.DataFrame(rows, columns=["arm", "limit"])


def simple_regrets(splits, horizons, runs, seed, progress=None):
    """Simple regret of both recommendations of z-RCUCB: a row per m, horizon and run."""
    world, rows = indep_interval(), []
    cells = [(m, T) for m in splits for T in horizons]
    for (m, T), part in zip(cells, split_progress(progress, len(cells)), strict=True):
        policy = {"z": zrcucb(3, T, world.penalty, alpha=ALPHA, parts=m, delta=DELTA)}
        final = simulate(world, policy, T, runs, seed, 1, progress=part).final
        for _, row in final.iterrows():
            lost = {
                kind: world.best - world.gain(int(row[f"{kind} arm"]), float(row[f"{kind} limit"]))
                for kind in ("finest", "safest")
            }
            rows.append({"m": m, "T": T, "cells": row["cells"], "regret": row["regret"], **lost})
    return pd.DataFrame(rows)


def zooming(parts, horizon, runs, seed=0, progress=None):
    """Simple regret of what z-RCUCB recommends, against the horizon."""
    horizons = np.unique(np.geomspace(max(1000, horizon / 20), horizon, 5).astype(int)).tolist()
    table = simple_regrets([parts], horizons, runs, seed, progress)
    return zooming_figure(table, runs), table


def said_by_theorem2(world, cells):
    """What Theorem 2 says of these (m, T), in words: it is vacuous where it allows more than the worst pair loses."""
    points = np.linspace(0, world.largest, 1001)[1:]
    worst = world.best - min(world.gain(arm, float(x)) for arm in range(world.arms) for x in points)
    near = bounds.near_optimality(world)
    limits = {(m, T): bounds.theorem2(world.penalty, world.arms, T, ALPHA, m, DELTA, near) for m, T in cells}
    useful = [f"{limit:.3g} for m = {m}, T = {T:,}" for (m, T), limit in limits.items() if limit < worst]
    counted = f"With near-optimality dimension {near.dimension:.2g} and constant {near.constant:.3g}"
    said = f"{counted}, where no pair loses more than {worst:.3g}, Theorem 2"
    if not useful:
        return f"{said} is vacuous: it allows {min(limits.values()):.3g} at best."
    return f"{said} allows {', '.join(useful)}" + ("." if len(useful) == len(limits) else ", and is vacuous otherwise.")


def zooming_figure(table, runs):
    """Mean simple regret by m and recommendation."""
    cells = [(int(m), int(T)) for m, T in table[["m", "T"]].drop_duplicates().itertuples(index=False)]
    caption = (
        rf"Simple regret $\nu^*-\nu$ of the recommended pair, mean of {runs} runs, three arms of Indep with penalty "
        "$4x^2$ (ours: the paper has no experiment). The paper returns a pair of the finest cell; the pair of the "
        f"largest lower confidence bound is our addition; means below {LEAST:g} are drawn there. "
        + said_by_theorem2(indep_interval(), cells)
    )
    figure = figures.blank("What z-RCUCB recommends", "horizon T", "simple regret", caption)
    index = 0
    for m, rows in table.groupby("m"):
        for kind, name in (("finest", "finest cell"), ("safest", "largest lower bound")):
            mean = rows.groupby("T")[kind].mean()
            figures.curve(figure, mean.index, mean.clip(lower=LEAST), f"m = {m}, {name}", index, mode="lines+markers")
            index += 1
    horizons = sorted(set(table["T"]))
    figure.update_xaxes(type="log", tickvals=horizons, ticktext=[f"{T:,}" for T in horizons])
    figures.logarithmic(figure)
    return figure
