"""The runs and the tunings that figures, tables and the ledger share: each is made once."""

import functools
from typing import NamedTuple

import numpy as np

from ...result import Result
from ...simulation import simulate
from ...tuning import Tuned, tune
from ...validate import choice
from .. import data, tuning
from ..environments import campaign, criteo_clusters, criteo_individuals, linear_campaign, paper_gaussian
from ..environments.campaigns import THETA
from ..policies import c2ucb, c2upucb_bl, c2upucb_m, epsilon_greedy
from . import instances
from .instances import (
    C2_BL,
    C2UCB,
    EPS,
    EPS_BL,
    GREEDY,
    LCB,
    MANY,
    MANY_5,
    NAFF_BL,
    SUMS,
    TS,
    UP,
    UP_BL,
    WITH_EPSILON,
)

LIMITS = (5, 8, 10, 15)  # L given to UpUCB-nAff (bl) in Figure 3 (b)
READINGS = {"std80": "standard deviation 80, Table 3", "var80": "variance 80 as printed, all β = 1, σ² = 0.01"}
PEOPLE_GRID = (2e-7, 5e-7, 2e-6, 1e-5)


class Scale(NamedTuple):
    """How large the experiments are; the paper gives runs but no horizons."""

    runs: int  # the paper has 100
    rounds: int  # Gaussian
    cluster_rounds: int  # Bernoulli, by sums
    people_rounds: int  # Bernoulli, variable by variable
    people_runs: int
    campaign_rounds: int
    campaign_runs: int
    linear_rounds: int
    tuning_runs: int  # of a parameter
    table_rounds: int  # Gaussian rows of Table 3
    table_runs: int
    betas: tuple  # of the Gaussian grid
    grid: int  # every so many entries of the long grids


SCALES = {
    "quick": Scale(30, 20_000, 2000, 100, 2, 100, 20, 500, 20, 10_000, 20, (3, 5, 6), 3),
    "paper": Scale(100, 20_000, 2000, 500, 50, 200, 100, 1000, 100, 100_000, 50, tuning.GAUSSIAN_BETAS, 1),
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
    """Figure 2 (a) at the parameters of Table 3; with the literal noise at the least values of the grids."""
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
    return simulate(world, policies, size.cluster_rounds, size.runs, seed, 200)


@functools.cache
def people_runs(scale, seed):
    """Figure 2 (b) at the level of 100,000 variables: all six policies."""
    size, world = sizes(scale), criteo_individuals()
    policies = instances.policies(world, tuning.TABLE_3["Bernoulli"], 12654)
    return simulate(world, policies, size.people_rounds, size.people_runs, seed, 100)


@functools.cache
def affected_runs(scale, seed, large):
    """UpUCB with and without the baseline at equal beta; the best action affects 50 variables, or all affect 10."""
    size = sizes(scale)
    world = instances.unequal(seed, [50] + [5] * 9 if large else [10] * 10)
    return simulate(world, instances.policies(world, {UP_BL: 5, UP: 5}), size.rounds, size.runs, seed, 100)


@functools.cache
def linear_runs(scale, seed):
    """Linear payoffs with one and with two treatments, by title."""
    size, found = sizes(scale), {}
    for treatments in (1, 2):
        world = linear_campaign(THETA[: treatments + 1])
        m, d, _, budget = world.actions()[:4]
        many = functools.partial(c2upucb_m, m, d, treatments, budget)
        policies = {GREEDY: many(bonus=0.0), MANY: many(), MANY_5: many(penalty=float(budget), norm=1.0)}
        if treatments == 1:
            policies = {
                EPS: epsilon_greedy(m, d, budget, 0.1), C2UCB: c2ucb(m, d, budget),
                C2_BL: c2upucb_bl(m, d, budget, THETA[0]), **policies,
            }  # fmt: skip
        title = f"{treatments} treatment{'s' * (treatments > 1)}"
        found[title] = simulate(world, policies, size.linear_rounds, size.campaign_runs, seed, 100)
    return found


# Tuning


def grid_of(name, setting, size):
    """The paper's grid, or a part of it that holds the printed value."""
    whole = tuning.BERNOULLI_GRID if setting == "Bernoulli" else tuning.GAUSSIAN_SIGMA2
    part = size.betas if setting == "Gaussian" and name != TS else whole[size.grid > 1 :: size.grid]
    printed = tuning.TABLE_3[setting].get(name)
    return tuple(sorted({*part} | ({printed} - {None})))


@functools.cache
def gaussian_tuning(name, horizon, runs, grid, seed, L=None):
    """The tuning protocol on the paper's Gaussian instance."""
    world = paper_gaussian(seed)
    return tune(world, lambda p: instances.policy(name, world, p, L), grid, horizon, runs, seed)


def ablated(name, scale, seed, L=None):
    """The tuning behind Figure 3, at its horizon."""
    size = sizes(scale)
    return gaussian_tuning(name, size.rounds, size.tuning_runs, grid_of(name, "Gaussian", size), seed, L)


def ablations(scale, seed):
    """UpUCB with the baseline's upper and with its lower confidence bound, tuned."""
    return {name: ablated(name, scale, seed) for name in (UP, LCB)}


def limits(scale, seed):
    """UpUCB-nAff (bl) tuned for every given L."""
    return {L: ablated(NAFF_BL, scale, seed, L) for L in LIMITS}


@functools.cache
def bernoulli_tuning(name, horizon, runs, grid, seed):
    """The tuning protocol on Bernoulli payoffs, by clusters."""
    world = criteo_clusters()
    return tune(world, lambda p: instances.policy(name, world, p), grid, horizon, runs, seed)


def tuned(name, scale, seed, setting="Gaussian", beyond=()):
    """The tuning behind Table 3, at its horizon; with Bernoulli payoffs by clusters, beyond the grid if wanted."""
    size = sizes(scale)
    grid = (*grid_of(name, setting, size), *beyond)
    if setting == "Gaussian":
        return gaussian_tuning(name, size.table_rounds, size.table_runs, grid, seed)
    return bernoulli_tuning(name, size.cluster_rounds, size.tuning_runs, grid, seed)


@functools.cache
def tuned_people(name, seed):
    """Tuning of an nAff policy on 100,000 variables: 10 runs and four values around the paper's."""
    world = criteo_individuals()
    return tune(world, lambda p: instances.policy(name, world, p, 12654), PEOPLE_GRID, 500, 10, seed)


# The campaign: whoever names the data takes the name from the run


class Campaigned(NamedTuple):
    """What was found on a campaign, and the pool that it drew from."""

    pool: str
    result: Result | Tuned | float


def by_pool(function):
    """Cache a function of a pool and other arguments by the pool itself; the caller leaves the pool out."""
    pools = {}  # keeps a pool alive, so that no other gets its id

    @functools.cache
    def made(place, *args):
        return Campaigned(pools[place].name, function(pools[place], *args))

    @functools.wraps(function)
    def of_today(*args):
        pool = data.pool()
        pools[id(pool)] = pool
        return made(id(pool), *args)

    return of_today


def campaigned(pool, mode, scale, seed, parameters):
    """The campaign at the size of the scale."""
    size = sizes(scale)
    return instances.run_campaign(pool, mode, size.campaign_rounds, size.campaign_runs, seed, parameters)


@by_pool
def campaign_runs(pool, mode, scale, seed):
    """Figure 4 in one feedback mode, at the parameters of Table 3."""
    return campaigned(pool, mode, scale, seed, instances.line_up(tuning.TABLE_3[mode]))


@by_pool
def equal_epsilons(pool, mode, scale, seed):
    """ε-greedy with and without the baseline, both with the ε that Table 3 has for the one that knows it."""
    given = tuning.TABLE_3[mode]
    if given[EPS] == given[EPS_BL]:
        return campaign_runs(mode, scale, seed).result
    return campaigned(pool, mode, scale, seed, dict.fromkeys(WITH_EPSILON, given[EPS_BL]))


@by_pool
def tuned_campaign(pool, name, mode, scale, seed):
    """The tuning protocol for one policy of the campaign, on predicted-uplift regret."""
    size, world = sizes(scale), campaign(pool, mode)
    grid = tuning.EPSILONS if name in WITH_EPSILON else tuning.BONUSES
    return tune(world, lambda p: instances.target(name, world, p), grid, size.campaign_rounds, size.campaign_runs, seed)


@by_pool
def correlation(pool):
    """Correlation of people's baseline with their uplift, by the oracle models."""
    chances = campaign(pool).chances
    return float(np.corrcoef(chances[:, 0], chances[:, 1] - chances[:, 0])[0, 1])
