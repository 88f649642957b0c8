"""The paper's figures as printed, and the runs that the ledger shares with them."""

import functools
from typing import NamedTuple

import numpy as np
import pandas as pd

from ... import figures
from ...simulate import simulate
from ...validate import choice
from .. import data, tuning
from ..environments import criteo_clusters, criteo_individuals, paper_gaussian
from ..environments.contextual import MODES
from . import instances, live
from .instances import LCB, NAFF, NAFF_BL, STYLES, TS, UCB, UP, UP_BL, UPLIFTING

LIMITS = (5, 8, 10, 15)  # L given to UpUCB-nAff (bl) in Figure 3 (b)
SUMS = (UCB, TS, UP_BL, UP)


class Scale(NamedTuple):
    """How large the experiments are; the paper gives runs but no horizons."""

    runs: int  # the paper has 100
    rounds: int  # Gaussian
    clusters: int  # Bernoulli, by sums
    people: int  # Bernoulli, variable by variable
    repeats: int  # of the latter
    campaign: int  # rounds
    visits: int  # runs of the campaign
    tuning: int  # runs of a parameter in tuning
    betas: tuple  # of the Gaussian grid
    grid: int  # every so many entries of the long grids


SCALES = {
    "quick": Scale(30, 20_000, 2000, 200, 2, 100, 20, 20, (2, 3, 5, 6), 3),
    "paper": Scale(100, 20_000, 2000, 500, 10, 200, 100, 100, tuning.GAUSSIAN_BETAS, 1),
}


def sizes(scale):
    """The sizes of a scale.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Quick takes seconds: fewer runs, shorter campaigns and coarser grids; paper has the paper's 100 runs.

    Returns
    -------
    Scale
        Runs and horizons.
    """
    return SCALES[choice("scale", scale, tuple(SCALES))]


@functools.cache
def gaussian_runs(scale, seed, reading="std80"):
    """Figure 2 (a) at the parameters of Table 3; with the literal noise all betas are 1."""
    size, world = sizes(scale), paper_gaussian(seed, reading)
    given = tuning.TABLE_3["Gaussian"]
    if reading == "var80":
        given = dict.fromkeys(given, 1) | {TS: 0.01}
    return simulate(world, instances.policies(world, given), size.rounds, size.runs, seed, 200)


@functools.cache
def bernoulli_runs(scale, seed):
    """Figure 2 (b) at cluster level, at the parameters of Table 3."""
    size, world, given = sizes(scale), criteo_clusters(), tuning.TABLE_3["Bernoulli"]
    policies = instances.policies(world, {name: given[name] for name in SUMS})
    return simulate(world, policies, size.clusters, size.runs, seed, 200)


@functools.cache
def people_runs(scale, seed):
    """Figure 2 (b) at the level of 100,000 variables: few runs, all six policies."""
    size, world = sizes(scale), criteo_individuals()
    policies = instances.policies(world, tuning.TABLE_3["Bernoulli"], 12654)
    return simulate(world, policies, size.people, size.repeats, seed, 100)


def grid_of(name, setting, size):
    """The paper's tuning grid of a policy, or a part of it."""
    if setting == "Bernoulli":
        return tuning.BERNOULLI_GRID[size.grid > 1 :: size.grid]
    return tuning.GAUSSIAN_SIGMA2[size.grid > 1 :: size.grid] if name == TS else size.betas


@functools.cache
def tuned(name, scale, seed, setting="Gaussian", L=None):
    """The tuning protocol for one policy, on the grid or, at quick size, a part of it."""
    size = sizes(scale)
    world = paper_gaussian(seed) if setting == "Gaussian" else criteo_clusters()
    grid, horizon = grid_of(name, setting, size), size.rounds if setting == "Gaussian" else size.clusters
    return tuning.tune(world, lambda p: instances.policy(name, world, p, L), grid, horizon, size.tuning, seed)


@functools.cache
def tuned_people(name, seed):
    """Tuning of an nAff policy on 100,000 variables: 10 runs and four values around the paper's."""
    world = criteo_individuals()
    grid = [2e-7, 5e-7, 2e-6, 1e-5]
    return tuning.tune(world, lambda p: instances.policy(name, world, p, 12654), grid, 500, 10, seed)


@functools.cache
def campaign_runs(mode, scale, seed):
    """Figure 4 in one feedback mode, at the parameters of Table 3."""
    size = sizes(scale)
    return instances.run_campaign(data.pool(), mode, size.campaign, size.visits, seed)


@functools.cache
def affected_runs(scale, seed, large):
    """UpUCB with and without the baseline at equal beta; the best action affects 50 variables, or all affect 10."""
    size = sizes(scale)
    world = instances.unequal(seed, [50] + [5] * 9 if large else [10] * 10)
    return simulate(world, instances.policies(world, {UP_BL: 5, UP: 5}), size.rounds, size.runs, seed, 100)


def headline(scale, seed=0):
    """Regret of all policies on the Gaussian instance, with what each is told in its name.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, result : plotly.graph_objects.Figure, Result
        The figure and its runs.
    """
    result = gaussian_runs(scale, seed)
    final = result.regret.mean(axis=1)[:, -1]
    best, reward = final[2:].min(), final[:2].min()
    caption = (
        rf"Ten actions, each moves 10 of 100 correlated variables. Mean cumulative regret of {result.regret.shape[1]} "
        rf"runs, {figures.band_name(1)}. Looking at the payoffs of the variables costs {best:,.0f} where looking at "
        rf"their sum costs {reward:,.0f}."
    )
    return figures.regret(result, 1, "What seeing every payoff is worth", caption, styles=STYLES), result


def paper_figure2(scale, seed=0):
    """Figure 2: regret with Gaussian and with Bernoulli payoffs.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, results : plotly.graph_objects.Figure, list
        The figure, and the results of its three panels.
    """
    results = [gaussian_runs(scale, seed), bernoulli_runs(scale, seed), people_runs(scale, seed)]
    titles = ["(a) Gaussian", "(b) Bernoulli, by clusters", "(b) Bernoulli, 100,000 variables"]
    size = sizes(scale)
    caption = (
        rf"{figures.band_name(1).capitalize()} over {size.runs} runs ({size.repeats} in the right panel), parameters "
        "of Table 3. The nAff policies need every variable's payoff, so that they stand in the right panel only, on a "
        "shorter horizon. With independent Bernoulli payoffs they gain nothing over UCB."
    )
    shown = dict(zip(titles, results, strict=True))
    return figures.panels(shown, 1, "Figure 2: six policies", "round t", caption, STYLES), results


def paper_figure3(scale, seed=0):
    """Figure 3: which bound of the baseline, and a misspecified L; parameters tuned as in Appendix D.1.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, results : plotly.graph_objects.Figure, list
        The figure, and the tunings behind its two rows.
    """
    rows = [ablation_tunings(scale, seed), limit_tunings(scale, seed)]
    titles = ["(a) mean", "(a) 95 % quantile", "(b) mean", "(b) 95 % quantile"]
    text = ", ".join(f"{name}: {t.best:g}" for row in rows for name, t in row.items())
    caption = rf"{figures.band_name(1).capitalize()} over {sizes(scale).tuning} runs; tuned β: {text}."
    figure = figures.blank(
        "Figure 3: ablations", "round t", "regret", caption, rows=2, columns=2, subplot_titles=titles
    )
    for row, found in enumerate(rows, 1):
        for index, (name, one) in enumerate(found.items()):
            mean, quantile = curves(one)
            place = index if row == 1 else index + 2
            low, high = mean["mean"] - mean["se"], mean["mean"] + mean["se"]
            figures.curve(figure, mean["t"], mean["mean"], name, place, low, high, row=row, column=1)
            figures.curve(figure, mean["t"], quantile, name, place, row=row, column=2, legend=False)
    figures.name_band(figure, 1)
    return figure, rows


def curves(one):
    """Statistics of the best parameter's runs."""
    table = one.result.summary()
    rows = table[table["policy"] == repr(one.best)]
    return rows, rows["q95"]


def ablation_tunings(scale, seed):
    """Both variants of UpUCB, tuned."""
    return {name: tuned(name, scale, seed) for name in (UP, LCB)}


def limit_tuning(L, scale, seed):
    """UpUCB-nAff (bl) for one given L, tuned; the true one is that of Table 3."""
    return tuned(NAFF_BL, scale, seed, L=None if L == 10 else L)


def limit_tunings(scale, seed):
    """UpUCB-nAff (bl) for every given L, tuned."""
    return {f"given L = {L}": limit_tuning(L, scale, seed) for L in LIMITS}


def paper_figure4(scale, seed=0):
    """Figure 4: the campaign in both feedback modes.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, results : plotly.graph_objects.Figure, list
        The figure, and the results of its two rows.
    """
    results, size = [campaign_runs(mode, scale, seed) for mode in MODES], sizes(scale)
    caption = (
        rf"{data.pool().name.capitalize()}, {size.visits} runs, {figures.band_name(1)}, bonus and ε of Table 3. "
        "Top: the logged visit is used where the log agrees with the choice; bottom: all visits follow the oracle "
        "models. Greedy choices and those that ignore the baseline do not learn whom a treatment moves."
    )
    return live.campaign_figure(results, MODES, caption, "Figure 4: a targeted campaign"), results


def final_regrets(scale, seed=0):
    """Table of final regrets in Figures 2 and 4.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    DataFrame
        A row per setting and policy: mean, standard error, median, 95 % quantile, and growth: regret of the second
        half of the horizon over that of the first.
    """
    results = {"Gaussian": gaussian_runs(scale, seed), "Bernoulli, clusters": bernoulli_runs(scale, seed)}
    results["Bernoulli, variables"] = people_runs(scale, seed)
    results |= {f"campaign, {mode}": campaign_runs(mode, scale, seed) for mode in MODES}
    rows = []
    for setting, result in results.items():
        last = result.summary().groupby("policy", sort=False).last()
        for name, row in last.iterrows():
            growth = instances.growth(result.of_policy(name))
            rows.append((setting, name, *(row[key] for key in ("mean", "se", "median", "q95")), growth))
    columns = ["setting", "policy", "mean", "standard error", "median", "95 % quantile", "growth"]
    return pd.DataFrame(rows, columns=columns).round(2).set_index(["setting", "policy"])


def table3(scale, seed=0):
    """Table 3: the paper's tuned parameters beside ours.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment; at quick size every third value of the long grids, and no nAff on Bernoulli payoffs.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    DataFrame
        A row per setting and policy: the paper's value, ours, and whether the paper's is within two standard errors
        (paired bootstrap) of our best score.
    """
    rows = []
    for setting, names in (("Gaussian", (UCB, TS, *UPLIFTING)), ("Bernoulli", SUMS)):
        rows += [compared(setting, name, tuned(name, scale, seed, setting)) for name in names]
    if scale == "paper":
        rows += [compared("Bernoulli", name, tuned_people(name, seed)) for name in (NAFF_BL, NAFF)]
    columns = ["setting", "policy", "paper", "ours", "score of the paper's", "best score", "within 2 s.e."]
    return pd.DataFrame(rows, columns=columns).set_index(["setting", "policy"])


def compared(setting, name, one):
    """One row of `table3`; where the grid leaves the paper's value out, its nearest neighbour stands for it."""
    paper = tuning.TABLE_3[setting][name]
    near = min(one.table["parameter"], key=lambda p: abs(np.log(p / paper)))
    gap, spread = one.worse_by(near)
    scores = one.table.set_index("parameter")["score"]
    return (
        setting,
        name,
        f"{paper:g}",
        f"{one.best:g}",
        round(scores[near], 1),
        round(scores[one.best], 1),
        gap <= 2 * spread,
    )
