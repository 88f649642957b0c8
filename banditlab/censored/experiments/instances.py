"""The problems, grids and policies that the figures share."""

import importlib.resources

import numpy as np

from ..environments import Table, indep, load_table, negcorr, poscorr
from ..environments.recorded import SHAPE
from ..penalties import literal_grid
from ..policies import rcucb, thompson, ucb

PROBLEMS = {"PosCorr": poscorr, "NegCorr": negcorr, "Indep": indep}
GRIDS = {"size 10": 10, "M1": [0.5, 0.9], "M2": 20}
LITERAL = "literal, k/10"
WIDTHS = {
    "gain_only": "RCUCB, first term only",
    "printed": "RCUCB, width as printed",
    "normalised": "RCUCB, second term rescaled",
}
GAIN, PRINTED = WIDTHS["gain_only"], WIDTHS["printed"]
UCB, TS, TS_PLAYED, TS_NAIVE = "UCB", "Thompson sampling", "Thompson, outcome of the played", "Thompson, played only"
STYLES = {GAIN: 0, PRINTED: 1, UCB: 2, TS: 3, WIDTHS["normalised"]: 4, TS_PLAYED: 4, TS_NAIVE: 5}
FASTEST, SLOWEST = "trees fastest, as in R's expand.grid", "trees slowest"
UPDATES = {"per_tau": TS, "played_outcome": TS_PLAYED, "naive": TS_NAIVE}
RECORDING = "recorded.npz"  # made by `python -m tools.record_forest`


def problem(name, grid):
    """A problem of Section 5.1 on one of the grids."""
    return PROBLEMS[name](limits=literal_grid(10) if grid == LITERAL else GRIDS[grid])


def policies_of(world, alpha=1.0, widths=("gain_only", "printed"), updates=("per_tau",), lambda_max=None):
    """The paper's learners for an environment: RCUCB under these widths, Thompson sampling, UCB."""
    args = len(world.gaps), world.limits, world.penalty
    found = {WIDTHS[w]: rcucb(*args, alpha, width=w, lambda_max=lambda_max) for w in widths}
    found[UCB] = ucb(*args, alpha, lambda_max)
    return found | {UPDATES[u]: thompson(*args, u, lambda_max) for u in updates}


def widths_of(word):
    """The widths that a choice of the panel stands for."""
    return ("gain_only", "printed") if word == "both" else (word,)


def shares_of(world):
    """The same environment, whose regret is the expected number of censored rounds."""
    return world._replace(gaps=world.survival)


def best_pair(world):
    """Arm and place of the limit of the best pair."""
    return tuple(map(int, np.unravel_index(world.gains.argmax(), world.gains.shape)))


def lowest_share(world):
    """P(C > limit) of the best pair, P* of the paper's tables."""
    return float(world.survival[best_pair(world)])


def recording():
    """The recorded table that comes with the package."""
    return load_table(importlib.resources.files("banditlab.censored") / RECORDING)


def ordered(table, order):
    """The paper's recording with its configurations numbered in this order; the paper does not say in which."""
    arms = np.arange(table.time.shape[1]).reshape(SHAPE)
    chosen = (arms.T if order == FASTEST else arms).ravel()
    return Table(table.reward[:, chosen], table.time[:, chosen])
