"""Figures without a learner: the example's laws, gains against the limit; and z-RCUCB's grids and recommendations."""

import math

import numpy as np
import pandas as pd

from ... import figures, kernel
from ...simulate import run, shares, simulate, streams
from .. import bounds
from ..curves import promise
from ..environments import gaussian, indep_interval
from ..environments.gaussian import correlation as correlation_of
from ..environments.named import EXAMPLE
from ..policies import zrcucb

MODELS = ("complex", "medium", "simple")
SIGMA = 0.02
ALPHA, DELTA = 1.1, 0.1


def parameter(rho):
    """The paper's x of a correlation."""
    return float(np.sign(rho) * math.sqrt(0.5 * (1 - math.sqrt(1 - rho * rho))))


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
        "Figure 1: three models", "value", "density", caption, rows=3, columns=3, subplot_titles=titles,
        vertical_spacing=0.11,
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
        figure.update_yaxes(title_text="consumption", row=row, col=3)
    figure.update_xaxes(title_text="reward", row=3, col=1)
    figure.update_xaxes(title_text="consumption", row=3, col=2)
    figure.update_xaxes(title_text="reward", row=3, col=3)
    figure.update_layout(showlegend=False, margin_t=80)
    figure.update_annotations(font_size=13)
    return figure, pd.DataFrame({m: t.mean(axis=0) for m, t in tables.items()}, index=points)


def figure2(correlation, steepness, threshold, seed=0, progress=None):
    """Figure 2: expected gain of the three models against the limit."""
    limits = np.arange(2, 100) / 100
    shown = limits[limits <= threshold + 1e-9] if threshold < 0.9 else limits
    x = parameter(correlation)
    world = gaussian(EXAMPLE, x, SIGMA, limits, promise(limits, threshold, max(0.1, steepness)))
    winner = [MODELS[i] for i in world.gains[:, : len(shown)].max(axis=1).argsort()[::-1]][0]
    caption = (
        rf"Expected gain $\nu_{{i,\tau}}$ against the limit, promise $\tilde\tau={threshold:g}$, steepness "
        rf"$L={steepness:g}$, correlation $\rho={correlation_of(x):.2f}$; limits up to the promise. The best "
        rf"model at its best limit: {winner}. A tight promise pays for simple models, a loose one for complex ones."
    )
    figure = figures.blank("Figure 2: which model for which limit?", "limit τ", "expected gain ν", caption)
    for index, model in enumerate(MODELS):
        figures.curve(figure, shown, world.gains[index, : len(shown)], model, index)
    return figure, pd.DataFrame(world.gains.T, columns=MODELS, index=limits)


def figure3(parts, horizon, seed=0, progress=None):
    """Figure 3: the grids of z-RCUCB after one run, on three arms with penalty 4 x²."""
    world = indep_interval()
    policy = zrcucb(3, horizon, world.penalty, alpha=ALPHA, parts=parts, delta=DELTA)
    args = world, policy, np.array([horizon]), (), np.zeros(2, np.int64), *streams(seed, 0)
    _, _, state = kernel.entry(run, *args)(*args)
    caption = (
        rf"Grid points of each arm after {horizon:,} rounds, $m={parts}$: a cell is cut in {parts} when its length "
        rf"reaches its confidence radius. Small limits are refined most, whether or not they are good: every round "
        rf"teaches about them, and their penalty is small. Curves: expected gain $\nu_{{i,\tau}}$."
    )
    figure = figures.blank(
        f"Figure 3: grids that grow, m = {parts}", "limit τ", "", caption, rows=2, shared_xaxes=True,
        row_heights=[0.6, 0.4], vertical_spacing=0.08,
    )  # fmt: skip
    rows, points = [], np.linspace(0.005, 1, 200)
    for arm, name in enumerate(("arm 1", "arms 2 and 3")):
        figures.curve(figure, points, [world.gain(arm, float(x)) for x in points], name, arm)
    for arm in range(3):
        grid = state.cells[arm, : int(state.arms[arm, 0]), 0]
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
    for (m, T), part in zip(cells, shares(progress, len(cells)), strict=True):
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


def zooming_figure(table, runs):
    """Mean simple regret by m and recommendation."""
    vacuous = 1.0 if table["m"].empty else float(indep_interval().best)
    least = min(
        bounds.theorem2(indep_interval().penalty, 3, int(T), ALPHA, int(m), DELTA, levels=6)
        for m, T in table[["m", "T"]].drop_duplicates().itertuples(index=False)
    )
    caption = (
        rf"Simple regret $\nu^*-\nu$ of the recommended pair, mean of {runs} runs, three arms of Indep with penalty "
        "$4x^2$ (ours: the paper has no experiment). The paper returns a pair of the finest cell; the pair of the "
        f"largest lower confidence bound is our addition. Theorem 2 is vacuous here: at best it allows {least:.3g}, "
        rf"and even $\nu^*$ is only {vacuous:.3g}."
    )
    figure = figures.blank("What z-RCUCB recommends", "horizon T", "simple regret", caption)
    index = 0
    for m, rows in table.groupby("m"):
        for kind, name in (("finest", "finest cell"), ("safest", "largest lower bound")):
            mean = rows.groupby("T")[kind].mean()
            figures.curve(figure, mean.index, mean.clip(lower=1e-9), f"m = {m}, {name}", index, mode="lines+markers")
            index += 1
    horizons = sorted(set(table["T"]))
    figure.update_xaxes(type="log", tickvals=horizons, ticktext=[f"{T:,}" for T in horizons])
    figures.logarithmic(figure)
    return figure
