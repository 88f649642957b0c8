"""What the figures play: one cell each, from plain numbers."""

import importlib.resources
import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from banditlab.analysis.record_run import record_run
from banditlab.analysis.trace import trace
from banditlab.censored.arguments import grid
from banditlab.censored.environments import (  # fmt: skip
    Table,
    gaussian,
    indep,
    indep_interval,
    independent,
    load_table,
    low_censoring,
    many_arms,
    negcorr,
    negcorr_interval,
    poscorr,
    poscorr_interval,
    recorded,
    revealed,
)
from banditlab.censored.environments.paper_instances import EXAMPLE
from banditlab.censored.penalties import literal_grid, power, promise
from banditlab.censored.policies import kl_rcucb, rcucb, thompson, ucb, zrcucb
from banditlab.engine.simulate import simulate, split_progress
from banditlab.study.parameters import Size, bundle

from . import leaving
from .sharing import atoms, sharing_worth

PROBLEMS = {"PosCorr": poscorr, "NegCorr": negcorr, "Indep": indep}
INTERVALS = {"Indep": indep_interval, "PosCorr": poscorr_interval, "NegCorr": negcorr_interval}
GRIDS = {"M1": [0.5, 0.9], "size 10": 10, "M2": 20}
LITERAL = "literal, k/10"
TEXT, FIT = "as in the text", "fitted to the tables"  # readings of a problem's parameters
INSTANCES = {"text": TEXT, "tables": FIT}
SHAPE = (7, 6, 4, 4)  # configurations of the paper's forests: trees, features, nodes, shares of the rows
LAMBDA = 10.0  # lambda(1), which the printed tables fit better than lambda(0.9) = 9

WIDTHS = {
    "gain_only": "RCUCB, first term only",
    "printed": "RCUCB, width as printed",
    "normalised": "RCUCB, second term rescaled",
}
GAIN, PRINTED, RESCALED = WIDTHS.values()
BOTH = "gain_only", "printed"
UCB, UCB_SAME = "UCB", "UCB, RCUCB's width"
KL = "KL-RCUCB, shared and safe"
UPDATES = {
    "per_tau": "Thompson sampling",
    "played_outcome": "Thompson, outcome of the played",
    "naive": "Thompson, played only",
}
TS, TS_PLAYED, TS_NAIVE = UPDATES.values()

SURVIVALS = {
    "consistent": "rounds with at least this limit",
    "carry_up": "censored: exceeds all larger",
    "known_only": "censored: exceeds none",
    "oracle": "as printed, consumption revealed",
}
FASTEST, SLOWEST = "trees fastest, as in R's expand.grid", "trees slowest"
RECORDING = "recorded.npz"  # made by `python -m tools.record_forest`
MODELS = "complex", "medium", "simple"
SIGMA = 0.02  # variance of the models
ALPHA, DELTA = 1.1, 0.1  # of z-RCUCB
KINDS = "finest", "safest"  # its recommendations


def world_of(name, grid, parameters=TEXT):
    """A problem of Section 5.1 on one of the grids; Indep has no other parameters than the text's."""
    options = {"instance": "tables"} if parameters == FIT and name != "Indep" else {}
    return PROBLEMS[name](limits=literal_grid(10) if grid == LITERAL else GRIDS[grid], **options)


def learners(world, alpha=1.0, widths=BOTH, updates=("per_tau",), lambda_max=None):
    """The paper's learners for an environment: RCUCB under these widths, UCB, Thompson sampling."""
    args = len(world.gaps), world.limits, world.penalty
    found = {WIDTHS[w]: rcucb(*args, alpha, width=w, lambda_max=lambda_max) for w in widths}
    found[UCB] = ucb(*args, alpha, lambda_max)
    return found | {UPDATES[u]: thompson(*args, u, lambda_max) for u in updates}


def separated(world, alpha=1.0, lambda_max=None):
    """UCB with the first term of RCUCB's width: what it loses more than RCUCB it loses for want of sharing."""
    return {UCB_SAME: ucb(len(world.gaps), world.limits, world.penalty, alpha, lambda_max, "rcucb")}


def widths_of(word):
    """The widths that a choice of the panel stands for."""
    return BOTH if word == "both" else (word,)


def best_pair(world):
    """Arm and place of the limit of the best pair."""
    return tuple(map(int, np.unravel_index(world.gains.argmax(), world.gains.shape)))


def lowest_share(world):
    """P(C > limit) of the best pair, P* of the paper's tables."""
    return float(world.survival[best_pair(world)])


def loading_of(rho):
    """The paper's x of a correlation: the inverse of `correlation` on the side of 0."""
    return math.copysign(math.sqrt(0.5 * (1 - math.sqrt(1 - rho * rho))), rho)


def leading(lead, correlation, steepness, threshold, arms, limits):
    """Arms alike but for the first, whose mean reward leads: Section 5.1 with PosCorr's numbers freed."""
    means, limits = [(0.5 + lead, 0.5)] + [(0.5, 0.5)] * (arms - 1), grid("limits", limits)
    return gaussian(means, loading_of(correlation), 0.2, limits, promise(limits, threshold, steepness))


@bundle(world=leading, size=Size)
def one_leads(world, alpha, width, size):
    """Regret where one arm leads."""
    return size.simulate(world, learners(world, alpha, widths_of(width)))


@bundle(world=leading, size=Size)
def shares_of_rounds(world, alpha, width, size):
    """Expected number of censored rounds on the same instance."""
    counted = world._replace(gaps=world.survival)
    return size.simulate(counted, learners(world, alpha, widths_of(width)), metric="censored rounds")


@bundle(size=Size)
def shares_on_problem(problem, grid, instance, width, size):
    """Expected number of censored rounds on a problem of Section 5.1, scaled as the printed tables fit."""
    world = world_of(problem, grid, INSTANCES[instance])
    policies = learners(world, 1.0, widths_of(width), lambda_max=LAMBDA)
    return size.simulate(world._replace(gaps=world.survival), policies, metric="censored rounds")


@bundle(world=leading, size=Size)
def pulls(world, alpha, width, size):
    """Where the rounds go on the same instance."""
    return size.simulate(world, learners(world, alpha, widths_of(width)), 1)


def densities(correlation, seed, progress=None):
    """Example 1: points, and by model the density of (consumption, reward) on the unit square."""
    points, found = (np.arange(120) + 0.5) / 120, {}
    for model, (reward, consumption) in zip(MODELS, EXAMPLE, strict=True):
        r, c = points[None, :] - reward, points[:, None] - consumption
        density = np.exp(-(r * r - 2 * correlation * r * c + c * c) / (2 * SIGMA * (1 - correlation * correlation)))
        found[model] = density / density.mean()
    return points, found


def gains_of_models(threshold, steepness, correlation, seed, progress=None):
    """Example 2: the environment of the three models under a promise, whose gains are exact."""
    limits = np.arange(2, 100) / 100
    return gaussian(EXAMPLE, loading_of(correlation), SIGMA, limits, promise(limits, threshold, steepness))


@bundle(size=Size)
def on_problem(problem, grid, alpha, width, ts_update, size, checkpoints=200):
    """Regret on a problem of Section 5.1."""
    world = world_of(problem, grid)
    policies = learners(world, alpha, widths_of(width), (ts_update,)) | separated(world, alpha)
    return size.simulate(world, policies, checkpoints)


@bundle(size=Size)
def as_tables(problem, grid, size, checkpoints=200):
    """Regret under the reading that gives the printed tables: fitted parameters, the played outcome, λmax = λ(1)."""
    return tables_on(world_of(problem, grid, FIT), size, checkpoints, BOTH)


@bundle(size=Size)
def with_many_arms(arms, limits, alpha, width, ts_update, size, checkpoints=200):
    """Regret with many arms, the more rewarding the less they consume."""
    world = many_arms(arms, limits)
    return size.simulate(world, learners(world, alpha, widths_of(width), (ts_update,)), checkpoints)


@bundle(size=Size)
def hardly_censored(arms, limits, alpha, width, ts_update, size, checkpoints=200):
    """Regret where the best pair is hardly ever censored."""
    world = low_censoring(arms, limits)
    return size.simulate(world, learners(world, alpha, widths_of(width), (ts_update,)), checkpoints)


@bundle(size=Size)
def many_as_tables(arms, limits, size, checkpoints=200):
    """The same reading with many arms, whose parameters are the text's."""
    return tables_on(many_arms(arms, limits), size, checkpoints)


@bundle(size=Size)
def low_as_tables(arms, limits, size, checkpoints=200):
    """The same reading where the best pair is hardly ever censored."""
    return tables_on(low_censoring(arms, limits), size, checkpoints)


def tables_on(world, size, checkpoints, widths=("gain_only",)):
    """The learners as the tables have them; no fit of the parameters where no table is printed."""
    return size.simulate(world, learners(world, 1.0, widths, ("played_outcome",), LAMBDA), checkpoints)


@bundle(size=Size)
def played_only(problem, grid, size):
    """Thompson sampling that updates the played pair alone."""
    world = world_of(problem, grid)
    return size.simulate(world, {TS_NAIVE: thompson(len(world.gaps), world.limits, world.penalty, "naive")}, 1)


@bundle(size=Size)
def shares(panel, names, size):
    """Censored shares of RCUCB and UCB, scaled as the printed tables fit; a panel is (problem, grid, parameters)."""
    world = world_of(*panel)
    known = learners(world, 1.0, WIDTHS, (), LAMBDA)
    return size.simulate(world, {name: known[name] for name in names}, 1)


def zoomed(parts, horizon, seed, progress=None):
    """One run of z-RCUCB on three arms of Indep: the environment, and the grid of every arm."""
    world = indep_interval()
    policy = zrcucb(3, horizon, world.penalty, alpha=ALPHA, parts=parts, delta=DELTA)
    state = record_run(world, policy, horizon, seed).state
    return world, [state.cells[arm, : state.count[arm], 0] for arm in range(3)]


def interval_of(problem):
    """Three arms of a problem on all limits."""
    return INTERVALS[problem](3)


def simple_regrets(problem, parts, horizon, runs, seed, progress=None, horizons=()):
    """Simple regret of both recommendations of z-RCUCB on three arms of a problem: a row per horizon and run."""
    world, rows = interval_of(problem), []
    horizons = horizons or np.unique(np.geomspace(max(1000, horizon / 20), horizon, 5).astype(int)).tolist()
    for T, part in zip(horizons, split_progress(progress, len(horizons)), strict=True):
        policy = {"z": zrcucb(3, T, world.penalty, alpha=ALPHA, parts=parts, delta=DELTA)}
        final = simulate(world, policy, T, runs, seed, 1, progress=part).final
        for _, row in final.iterrows():
            lost = {kind: lost_by(world, row, kind) for kind in KINDS}
            rows.append({"T": T, "cells": row["cells"], "regret": row["regret"], **lost})
    return pd.DataFrame(rows)


def lost_by(world, row, kind):
    """What a recommended pair loses on the best."""
    return world.best - world.gain(int(row[f"{kind} arm"]), float(row[f"{kind} limit"]))


def recording():
    """The recorded table that comes with the package."""
    return load_table(importlib.resources.files("banditlab.censored") / RECORDING)


def ordered(table, order):
    """The paper's recording with its configurations numbered in this order; the paper does not say in which."""
    arms = np.arange(table.time.shape[1]).reshape(SHAPE)
    chosen = (arms.T if order == FASTEST else arms).ravel()
    return Table(table.reward[:, chosen], table.time[:, chosen])


def forest(order, runs, seed, progress=None):
    """Random forests: what the learners earn on the recording that comes with the package."""
    return replayed(ordered(recording(), order), runs, seed)


def forest_as_tables(order, runs, seed, progress=None):
    """The rewards of the learners as the tables have them."""
    world = recorded(ordered(recording(), order))
    return tables_on(world._replace(gaps=world.rewards), Size(2 * world.gaps.size, runs, seed), 100)


def replayed(table, runs, seed):
    """What the learners earn on a recording: expected reward, and penalised gain."""
    world = recorded(table)
    kinds = {"cumulative reward": world.rewards, "cumulative penalised gain": world.gains}
    return {
        kind: simulate(world._replace(gaps=values), learners(world), 2 * world.gaps.size, runs, seed, 100, metric=kind)
        for kind, values in kinds.items()
    }


@bundle(size=Size)
def shared_and_safe(problem, size):
    """KL-UCB on shared counts beside the paper's learners; RCUCB in both widths."""
    world = world_of(problem, "size 10")
    return size.simulate(world, {KL: kl_rcucb(len(world.gaps), world.limits, world.penalty), **learners(world)}, 50)


@bundle(size=Size)
def unlucky(size):
    """Two arms, one limit with penalty 9: the better arm is censored now and then, and all gain is lost."""
    world = independent([49.0, 25.0], [1.0, 25.0], [3.9, 20.0], [0.9], [9.0])
    args = 2, world.limits, world.penalty
    found = {WIDTHS[w]: rcucb(*args, width=w) for w in ("gain_only", "printed")} | {KL: kl_rcucb(*args)}
    return size.simulate(world, found, 100)


def worse_pulls(penalty, horizon, alpha=2.0, gap=0.5):
    """Pulls of the worse of two arms under RCUCB as printed with one limit that nothing exceeds, without noise.

    Both indices are the mean plus (1 + penalty) times the same root over the pulls; they stay equal, up to one pull.
    """
    width, low, high = (1 + penalty) * math.sqrt(2 * alpha * math.log(horizon)), 1.0, horizon / 2
    for _ in range(200):
        middle = math.sqrt(low * high)  # the horizon may be as large as a number can be
        ahead = width * (middle**-0.5 - (horizon - middle) ** -0.5) - gap
        low, high = (middle, high) if ahead > 0 else (low, middle)
    return low


class Refined(NamedTuple):
    """Pulls of the worse of two arms and what Remark 3 would allow, by log T, all over alpha log T / gap^2."""

    logs: np.ndarray
    pulls: np.ndarray
    limit: float  # of the pulls, as T grows
    allowed: dict  # constant C of the remark to an array


def refined(penalty, alpha, seed, progress=None):
    """RCUCB as printed with one limit that nothing exceeds, without noise, against the factor of Remark 3."""
    logs, gap = np.geomspace(5.0, 700.0, 100), 0.5
    pulls = np.array([worse_pulls(penalty, math.exp(log), alpha, gap) for log in logs])
    allowed = {c: 8.0 * (1 + c * penalty / logs) ** 2 for c in (1, 10, 100)}
    return Refined(logs, pulls * gap**2 / (alpha * logs), 2.0 * (1 + penalty) ** 2, allowed)


@bundle(size=Size)
def survivals(problem, width, size):
    """RCUCB under the readings of Equation 9; the oracle meets the same world, and sees more of it."""
    world, first, last = world_of(problem, "size 10"), *size.split(2)
    policies = {
        name: rcucb(len(world.gaps), world.limits, world.penalty, survival=survival, width=width)
        for survival, name in SURVIVALS.items()
    }
    oracle = {SURVIVALS["oracle"]: policies.pop(SURVIVALS["oracle"])}
    seen, told = first.simulate(world, policies, 100), last.simulate(revealed(world), oracle, 100)
    return seen.join(replace(told, settings=told.settings | {"environment": world}))


@bundle(size=Size)
def worth(alpha, limits, problem, size):
    """RCUCB's first term alone, and UCB of the same width, with this many limits."""
    world = PROBLEMS[problem](limits=limits)
    args = len(world.gaps), world.limits, world.penalty, alpha
    policies = {GAIN: rcucb(*args, width="gain_only"), **separated(world, alpha)}
    return size.simulate(world, policies, 1)


def most_worth(limits, problem, seed, progress=None):
    """What anybody must lose over log T with this many limits, pairs apart and sharing."""
    world = PROBLEMS[problem](limits=limits)
    return sharing_worth(*atoms(world), world.penalty)


def recommended(curvature, rounds, parts, runs, seed, progress=None):
    """Simple regret of both recommendations of z-RCUCB on three arms of Indep with penalty a x²: a row per run."""
    world = indep_interval(3, power(curvature, 2.0))
    policy = {"z": zrcucb(3, rounds, world.penalty, alpha=ALPHA, parts=parts, delta=DELTA)}
    final = simulate(world, policy, rounds, runs, seed, 1, progress=progress).final
    return pd.DataFrame([{kind: lost_by(world, row, kind) for kind in KINDS} for _, row in final.iterrows()])


class Left(NamedTuple):
    """When RCUCB as printed leaves the largest limit, and how the indices of arm 1 came to that in the first run."""

    computed: float  # round
    rounds: np.ndarray  # (runs,) infinite: never
    limits: np.ndarray  # (limits,)
    t: np.ndarray  # (rows,)
    indices: np.ndarray  # (rows, limits)


def left(steepness, problem, horizon, runs, seed, progress=None):
    """The round in which RCUCB as printed leaves the largest limit."""
    limits = grid("limits", 10)
    world = PROBLEMS[problem](limits=limits, penalty=promise(limits, steepness=steepness))
    policy, found = rcucb(len(world.gaps), limits, world.penalty), []
    for run, part in zip(range(runs), split_progress(progress, runs), strict=True):
        smaller = np.flatnonzero(record_run(world, policy, horizon, seed, run).actions[:, 1] < len(limits) - 1)
        found.append(smaller[0] + 1.0 if len(smaller) else np.inf)
        if part is not None:
            part(1.0)
    first = trace(world, policy, horizon, seed, every=max(1, horizon // 400))
    computed = leaving.leaving_round(world.gains, world.penalty)
    return Left(computed, np.array(found), limits, first.t + 1, first.indices[:, 2, : len(limits)])
