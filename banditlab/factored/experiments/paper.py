"""The paper's figures as printed: all panels, at the paper's size or at a quick one."""

import functools
import math
from typing import NamedTuple

import numpy as np
import pandas as pd

from ... import figures
from ...simulation import simulate
from ...validate import choice
from .. import bounds
from ..environments import gaussian
from . import instances, live
from .instances import PRINTED, STYLES, TENFOLD, one_gap

GAPS2, GAPS4 = (0.2, 0.5, 1.0), (0.5, 0.7, 0.9)
SIZES3, COMPONENTS3 = (3, 4, 5), (1, 2, 3, 4)
COMPONENTS4, RHOS = (2, 5, 10, 20, 30), (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


class Scale(NamedTuple):
    """How large the experiments are."""

    runs: int  # the paper has 5, 50, 10 and 10; its ledger needs 50
    rounds: int  # horizon of Figures 2 and 3
    longest: int  # longest horizon of Figures 4 and 6
    many: int  # runs where wrong plans of F-Track are rare


SCALES = {"quick": Scale(20, 10_000, 10_000, 500), "paper": Scale(50, 10_000, 100_000, 1000)}


def sizes(scale):
    """The sizes of a scale.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Quick takes seconds: 20 runs, and a tenth of the paper's horizon in Figures 4 and 6.

    Returns
    -------
    Scale
        Runs and horizons.
    """
    return SCALES[choice("scale", scale, tuple(SCALES))]


@functools.cache
def sweep2(scale, seed):
    """Table of Figure 2."""
    size = sizes(scale)
    return live.ratios(GAPS2, range(1, 21), 0.5, size.rounds, size.runs, 4.0, seed)


@functools.cache
def sweep3(scale, seed):
    """Results of Figure 3, by (k, d); every panel has random numbers of its own."""
    size, cells = sizes(scale), [(k, d) for k in SIZES3 for d in COMPONENTS3]
    return {(k, d): four(k, d, size.rounds, size.runs, own(seed, i)) for i, (k, d) in enumerate(cells)}


def own(seed, panel):
    """The seed of a panel: panels of a figure are independent."""
    return 100 * seed + panel


def four(k, d, horizon, runs, seed):
    """One panel of Figure 3."""
    world = instances.fresh_instances(d, k, 0.7, 0.1)
    return simulate(world, instances.four_policies(d, k, 0.1, 4.0), horizon, runs, seed, 100)


@functools.cache
def sweep4(scale, seed):
    """Results of Figure 4, by (gap, d); every panel has random numbers of its own."""
    size, cells = sizes(scale), [(gap, d) for gap in GAPS4 for d in COMPONENTS4]
    return {(gap, d): track(gap, d, horizons(size), size.runs, own(seed, i)) for i, (gap, d) in enumerate(cells)}


def track(gap, d, horizons, runs, seed):
    """One panel of Figure 4."""
    return instances.against_horizon(gaussian(one_gap(d, 2, gap), 0.5), [2] * d, 0.5, horizons, runs, seed)


def horizons(size):
    """The ten horizons of Figures 4 and 6."""
    return np.linspace(size.longest / 10, size.longest, 10).astype(int)


@functools.cache
def small_panels(scale, seed):
    """Results of Figure 4 with 2 and 5 components at the longest horizon, in many runs: wrong plans are rare there."""
    size, cells = sizes(scale), [(gap, d) for gap in GAPS4 for d in (2, 5)]
    return {(gap, d): track(gap, d, [size.longest], size.many, own(seed, i)) for i, (gap, d) in enumerate(cells)}


@functools.cache
def sweep6(scale, seed):
    """Results of Figure 6, by rho."""
    size = sizes(scale)
    worlds = {rho: instances.noisy_second(10, 0.5, 0.5, rho) for rho in RHOS}
    return {
        rho: instances.against_horizon(world, [2] * 10, 0.5, horizons(size), size.runs, seed)
        for rho, world in worlds.items()
    }


def headline(scale, seed=0):
    """Regret at the horizon against the number of components, from the middle column of Figure 3.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, table : plotly.graph_objects.Figure, DataFrame
        The figure and its numbers.
    """
    size, k = sizes(scale), SIZES3[1]
    tables = [result.summary().assign(d=d) for (own, d), result in sweep3(scale, seed).items() if own == k]
    table = pd.concat(tables)
    table = table[table["t"] == size.rounds]
    caption = (
        f"Regret after $T={size.rounds:,}$ rounds, mean and 95 % t-interval of {size.runs} runs, $k={k}$ options per "
        "component (logarithmic axis). The observations of the components keep the problem easy: F-UCB's regret "
        "grows with $d$ about as fast as the number of components, while those who see only the reward face $4^d$ "
        "vectors."
    )
    figure = figures.blank("What seeing every factor is worth", "components d", "regret at T", caption)
    for name, rows in table.groupby("policy", sort=False):
        figures.curve(
            figure, rows["d"], rows["mean"], name, STYLES[name], rows["low"], rows["high"], mode="lines+markers"
        )
    figures.name_band(figure, None)
    figure.update_xaxes(dtick=1)
    figures.logarithmic(figure)
    return figure, table


def paper_figure2(scale, seed=0):
    """Figure 2 with the paper's three gaps, d = 1 to 20.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, table : plotly.graph_objects.Figure, DataFrame
        The figure and its numbers.
    """
    size, table = sizes(scale), sweep2(scale, seed)
    figure, _ = live.ratio_panels(table, 0.5, size.rounds, size.runs, 4.0)
    figure.update_layout(title_text="The paper's Figure 2: regret over the lower bound")
    return figure, table


def paper_figure3(scale, seed=0):
    """Figure 3: d = 1, 2, 3, 4 by k = 3, 4, 5.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, results : plotly.graph_objects.Figure, dict
        The figure, and the results by (k, d).
    """
    results, size = sweep3(scale, seed), sizes(scale)
    caption = (
        rf"Cumulative regret over {size.runs} runs, each on fresh means $\mu\sim U[0.7,1]$, $\sigma=0.1$; "
        f"{figures.band_name(1)} (the paper's band). F-UCB stays at the bottom everywhere. UCB1, given all $k^d$ "
        "vectors, is logarithmic too, and worse the larger the product space; TEA learns nothing at this horizon, "
        "Robust-UCB almost nothing from $d=3$ on."
    )
    shown = {f"d = {d}, k = {k}": results[k, d] for d in COMPONENTS3 for k in SIZES3}
    return figures.panels(shown, 1, "The paper's Figure 3: four policies", "round t", caption, STYLES), results


def paper_figure4(scale, seed=0):
    """Figure 4: d = 2, 5, 10, 20, 30 by gaps 0.5, 0.7, 0.9, F-Track under both readings of N0.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, results : plotly.graph_objects.Figure, dict
        The figure, and the results by (gap, d).
    """
    results, size = sweep4(scale, seed), sizes(scale)
    caption = (
        rf"Regret at each horizon over {size.runs} runs, $\sigma=0.5$; {figures.band_name(2)} (the paper's band), "
        rf"logarithmic axis. "
        r"With $N_0=\lceil\sqrt{\log T}\rceil$ as printed some runs rank the options wrongly and pay for ever, which "
        "lifts F-Track's mean above F-UCB's; with ten times as many warm-up samples F-Track overtakes F-UCB as $d$ "
        "grows."
    )
    if size.longest / 10 < math.exp(9) < size.longest:
        caption += r" The kink at $T=e^9\approx8100$ is $N_0$ stepping from 3 to 4."
    shown = {f"d = {d}, Δ = {gap:g}": results[gap, d] for d in COMPONENTS4 for gap in GAPS4}
    title = "The paper's Figure 4: F-UCB and F-Track"
    figure = figures.panels(shown, 2, title, "horizon T", caption, STYLES, shared_yaxes="all")
    figures.logarithmic(figure)
    return figure, results


def paper_figure5():
    """Figure 5: expected rewards against rho, exactly, without simulation.

    Returns
    -------
    figure, table : plotly.graph_objects.Figure, DataFrame
        The figure and its numbers.
    """
    figure, table = live.figure5(0.5, 10, 0.5)
    figure.update_layout(title_text="The paper's Figure 5: expected reward under shared noise")
    return figure, table


def paper_figure6(scale, seed=0):
    """Figure 6: rho = 0 to 1, d = 10, noise on the second options only.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, results : plotly.graph_objects.Figure, dict
        The figure, and the results by rho.
    """
    results, size = sweep6(scale, seed), sizes(scale)
    caption = (
        rf"Regret against the best vector under the true expectation, {size.runs} runs, $d=10$, $\sigma=0.5$; "
        rf"{figures.band_name(2)} (the paper's band), logarithmic axis. Up to $\rho=0.6$ the regret of F-UCB is "
        "logarithmic; beyond, (2..2) is best, nobody finds it, and the regret is linear."
    )
    shown = {f"ρ = {rho:g}": result for rho, result in results.items()}
    title = "The paper's Figure 6: shared noise"
    figure = figures.panels(shown, 2, title, "horizon T", caption, STYLES, shared_yaxes="all")
    figures.logarithmic(figure)
    return figure, results


def final_regrets(scale, seed=0):
    """Table of the regret at the horizon in every panel of Figure 3.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    DataFrame
        A row per (k, d), a column per policy: mean ± standard error.
    """
    rows = {}
    for (k, d), result in sweep3(scale, seed).items():
        last = result.summary().groupby("policy", sort=False).last()
        rows[f"k = {k}, d = {d}"] = {name: f"{row['mean']:.1f} ± {row['se']:.1f}" for name, row in last.iterrows()}
    return pd.DataFrame(rows).T


def failures(scale, seed=0):
    """Table of F-Track's wrong plans in Figure 4, at the longest horizon.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    DataFrame
        A row per d and gap; by reading the share of runs with a wrong plan, the share that the normal law predicts,
        median and 95 % quantile of the regret.
    """
    horizon, rows = sizes(scale).longest, {}
    for (gap, d), result in sweep4(scale, seed).items():
        row = rows[f"d = {d}, Δ = {gap:g}"] = {}
        for name, multiple in ((PRINTED, 1), (TENFOLD, 10)):
            final, reading = result.of_policy(name)[:, -1], name.removeprefix("F-Track, ")
            n0 = bounds.ftrack_constants(horizon, 0.5, n0_mult=multiple).n0
            row[reading, "wrong"] = f"{instances.wrong_share(result, name):.0%}"
            row[reading, "predicted"] = f"{bounds.misidentification_probability(gap, d, 0.5, n0):.0%}"
            row[reading, "median"] = f"{np.median(final):.1f}"
            row[reading, "95 % quantile"] = f"{np.quantile(final, 0.95):.1f}"
        row["F-UCB", "mean"] = f"{result.of_policy('F-UCB')[:, -1].mean():.1f}"
    return pd.DataFrame(rows).T


def late_ratio(regret):
    """Share of the regret that falls into the second half of the horizon, run means: 0.5 is linear.

    Parameters
    ----------
    regret : ndarray, shape (runs, checkpoints)
        Cumulative regret at equally spaced rounds.

    Returns
    -------
    float
        (R_T - R_{T/2}) / R_T of the mean curve.
    """
    mean = np.concatenate([[0.0], regret.mean(axis=0)])
    middle = np.interp((len(mean) - 1) / 2, np.arange(len(mean)), mean)
    return float((mean[-1] - middle) / mean[-1])
