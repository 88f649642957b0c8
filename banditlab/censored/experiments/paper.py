"""The paper's figures as printed: all panels, at the paper's size or at a quick one."""

import functools
from typing import NamedTuple

import pandas as pd

from ... import figures
from ...claims import least
from ...simulation import simulate
from ...validate import choice
from ..environments import low_censoring, many_arms, recorded
from . import instances, laws
from .instances import FASTEST, GAIN, GRIDS, PRINTED, PROBLEMS, STYLES, TS, UCB, policies_of

ARMS8 = (20, 50, 80)
FIGURES = {"size 10": 4, "M1": 6, "M2": 7}


class Scale(NamedTuple):
    """How large the experiments are."""

    runs: int  # the paper has 100
    rounds: int
    zooming: tuple  # horizons of z-RCUCB
    forest: int  # runs of the random forest: the paper has 10


SCALES = {
    "quick": Scale(20, 10_000, (20_000, 100_000), 3),
    "paper": Scale(100, 100_000, (20_000, 100_000, 1_000_000), 10),
}


def sizes(scale):
    """The sizes of a scale.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Quick takes seconds: 20 runs, and a tenth of the paper's horizon.

    Returns
    -------
    Scale
        Runs and horizons.
    """
    return SCALES[choice("scale", scale, tuple(SCALES))]


@functools.cache
def sweep4(scale, seed):
    """Results of Figures 4, 6 and 7, by (problem, grid)."""
    size = sizes(scale)
    worlds = {(name, grid): instances.problem(name, grid) for grid in GRIDS for name in PROBLEMS}
    return {cell: simulate(w, policies_of(w), size.rounds, size.runs, seed, 100) for cell, w in worlds.items()}


@functools.cache
def sweep8(scale, seed):
    """Results of Figure 8, by number of arms."""
    size = sizes(scale)
    worlds = {n: many_arms(n) for n in ARMS8}
    return {n: simulate(w, policies_of(w), size.rounds, size.runs, seed, 100) for n, w in worlds.items()}


@functools.cache
def sweep9(scale, seed):
    """Result of Figure 9."""
    size, world = sizes(scale), low_censoring()
    return simulate(world, policies_of(world), size.rounds, size.runs, seed, 100)


@functools.cache
def sweep_zooming(scale, seed):
    """Simple regrets of z-RCUCB, 10 runs."""
    return laws.simple_regrets((2, 4), sizes(scale).zooming, 10, seed)


def ahead(results):
    """Where RCUCB surely loses less than Thompson sampling and UCB, for each width, in words."""
    said = []
    for name, words in ((GAIN, "with the first term of its width alone"), (PRINTED, "with the width as printed")):
        won = [key for key, result in results.items() if min(least(result, other, name) for other in (TS, UCB)) > 0]
        places = "everywhere" if len(won) == len(results) else f"in {', '.join(won)} only" if won else "nowhere"
        said.append(f"{words} {places}")
    return f"RCUCB is ahead of both others (paired 95 % intervals) {'; '.join(said)}."


def headline(scale, seed=0):
    """Figure 4: the three problems on the grid of size 10.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, results : plotly.graph_objects.Figure, dict
        The figure, and the results by problem.
    """
    return problems_figure("size 10", scale, seed)


def paper_figure6(scale, seed=0):
    """Figure 6: the three problems with the limits 0.5 and 0.9.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, results : plotly.graph_objects.Figure, dict
        The figure, and the results by problem.
    """
    return problems_figure("M1", scale, seed)


def paper_figure7(scale, seed=0):
    """Figure 7: the three problems with 20 limits.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, results : plotly.graph_objects.Figure, dict
        The figure, and the results by problem.
    """
    return problems_figure("M2", scale, seed)


def problems_figure(grid, scale, seed):
    """One of Figures 4, 6 and 7."""
    results = {name: result for (name, own), result in sweep4(scale, seed).items() if own == grid}
    size, limits = sizes(scale), next(iter(results.values())).settings["environment"].limits
    caption = (
        rf"Cumulative regret over {size.runs} runs with {len(limits)} limits, {figures.band_name(1.96)}. "
        f"{ahead(results)} The theorems are about the width as printed."
    )
    title = f"The paper's Figure {FIGURES[grid]}: three problems"
    return figures.panels(results, 1.96, title, "round t", caption, STYLES), results


def paper_figure8(scale, seed=0):
    """Figure 8: 20, 50 and 80 arms.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, results : plotly.graph_objects.Figure, dict
        The figure, and the results by number of arms.
    """
    results, size = sweep8(scale, seed), sizes(scale)
    shown = {f"n = {n}": result for n, result in results.items()}
    caption = (
        rf"Cumulative regret over {size.runs} runs, 5 limits, {figures.band_name(1.96)}. {ahead(shown)} UCB and "
        rf"Thompson sampling first try every pair, {', '.join(f'{5 * n}' for n in results)} rounds."
    )
    return figures.panels(shown, 1.96, "The paper's Figure 8: many arms", "round t", caption, STYLES), results


def paper_figure9(scale, seed=0):
    """Figure 9: five arms with hardly any censoring.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, result : plotly.graph_objects.Figure, Result
        The figure and its numbers.
    """
    result, size = sweep9(scale, seed), sizes(scale)
    share = instances.lowest_share(result.settings["environment"])
    caption = (
        rf"Cumulative regret over {size.runs} runs, {figures.band_name(1.96)}. The best pair is censored in "
        rf"{share:.1%} of its rounds. {ahead({'low censoring': result})}"
    )
    return figures.regret(result, 1.96, "The paper's Figure 9: low censoring", caption, styles=STYLES), result


def paper_zooming(scale, seed=0):
    """z-RCUCB on three arms of Indep with penalty 4 x²: simple regret of both recommendations.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Horizons up to 100,000, or up to 1,000,000.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, table : plotly.graph_objects.Figure, DataFrame
        The figure, and a row per m, horizon and run.
    """
    table = sweep_zooming(scale, seed)
    return laws.zooming_figure(table, 10), table


@functools.cache
def forest_runs(scale, seed, order=FASTEST):
    """Figure 5: what the learners earn on the committed recording."""
    return earned(instances.ordered(instances.recording(), order), sizes(scale).forest, seed)


def earned(table, runs, seed):
    """Results on a recording, whose regret is the expected reward, or penalised gain, with a minus sign."""
    world = recorded(table)
    horizon, policies = 2 * world.gaps.size, policies_of(world)
    kinds = {"cumulative reward": world.rewards, "cumulative penalised gain": world.gains}
    return {
        kind: simulate(world._replace(gaps=-values), policies, horizon, runs, seed, 100)
        for kind, values in kinds.items()
    }


def paper_figure5(scale, seed=0, table=None):
    """Figure 5: the random-forest problem, replayed from a recorded table.

    Parameters
    ----------
    scale : {"quick", "paper"}
        3 runs, or the paper's 10.
    seed : int
        Whole number, at least 0.
    table : Table, optional
        Another recording than the one that comes with the package, as `load_table` returns it.

    Returns
    -------
    figure, results : plotly.graph_objects.Figure, dict
        The figure; results whose regret is minus the reward, and minus the penalised gain.
    """
    results = forest_runs(scale, seed) if table is None else earned(table, sizes(scale).forest, seed)
    result = results["cumulative reward"]
    world, runs = result.settings["environment"], result.regret.shape[1]
    (arms, limits), splits = world.gaps.shape, len(world.law.table)
    caption = (
        f"{arms} configurations, {splits} recorded splits, {limits} limits in the interquartile range of the training "
        f"times, {result.checkpoints[-1]:,} rounds, {runs} runs, {figures.band_name(None)}. UCB and Thompson sampling "
        "try every pair once before they choose, which takes them half of the rounds; RCUCB tries every configuration "
        "once, with the largest limit."
    )
    title = "The paper's Figure 5: configuring random forests"
    figure = figures.blank(title, "round t", "", caption, columns=2, subplot_titles=list(results))
    for column, found in enumerate(results.values(), 1):
        for name, rows in found.summary().groupby("policy", sort=False):
            options = dict(column=column, legend=column == 1)
            figures.curve(figure, rows["t"], -rows["mean"], name, STYLES[name], -rows["high"], -rows["low"], **options)
    return figure, results


def final_regrets(scale, seed=0):
    """Table of the regret at the horizon in every panel of Figures 4 and 6 to 9.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    DataFrame
        A row per panel, a column per policy: mean ± standard error.
    """
    results = {f"{name}, {grid}": result for (name, grid), result in sweep4(scale, seed).items()}
    results |= {f"many arms, n = {n}": result for n, result in sweep8(scale, seed).items()}
    results["low censoring"] = sweep9(scale, seed)
    rows = {}
    for key, result in results.items():
        last = result.summary().groupby("policy", sort=False).last()
        rows[key] = {name: f"{row['mean']:,.0f} ± {row['se']:.0f}" for name, row in last.iterrows()}
    return pd.DataFrame(rows).T
