"""F-UCB: optimism, component by component."""

import math
from typing import NamedTuple

import numpy as np

from ...arms import confidence
from ...protocol import helper
from ..arguments import deviations, exploration, sizes

PULLS, SUM, MEAN, ROOT = 0, 1, 2, 3  # places in the table; ROOT is 1 / sqrt(pulls), infinite before the first pull


class Components(NamedTuple):
    """What is remembered of the options of every component; one table, because every array of a state costs time."""

    table: np.ndarray  # (d, kmax, 4 or more)
    action: np.ndarray  # (d,) the vector that select returns


@helper
def fresh(arms, columns):
    """Options never pulled, in a table of at least 4 columns."""
    state = Components(np.zeros((len(arms), arms.max(), columns)), np.zeros(len(arms), np.int64))
    forget(state.table)
    return state


@helper
def forget(table):
    """Discard all observations."""
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            table[i, j, PULLS], table[i, j, SUM], table[i, j, MEAN], table[i, j, ROOT] = 0.0, 0.0, 0.0, np.inf


@helper
def record(table, action, x):
    """Enter one observation of every component."""
    for i in range(len(action)):
        j = action[i]
        table[i, j, PULLS] += 1.0
        table[i, j, SUM] += x[i]
        table[i, j, MEAN] = table[i, j, SUM] / table[i, j, PULLS]  # a running mean would break exact ties
        table[i, j, ROOT] = math.sqrt(1.0 / table[i, j, PULLS])


@helper
def most_optimistic(table, arms, sigma, width, action):
    """Write into the action, for every component, the option of largest mean + width * sigma / sqrt(pulls)."""
    for i in range(len(arms)):
        best, top, radius = 0, -np.inf, width * sigma[i]
        for j in range(arms[i]):
            index = table[i, j, MEAN] + radius * table[i, j, ROOT]
            if index > top:
                best, top = j, index
        action[i] = best
    return action


class FUCB(NamedTuple):
    """Algorithm 1: what `fucb` returns."""

    arms: np.ndarray  # (d,) options of each component
    sigma: np.ndarray  # (d,)
    alpha: float

    def actions(self):
        return tuple(self.arms.tolist())

    def init(self, rng):
        return fresh(self.arms, 4)

    def select(self, state, t, rng):
        return most_optimistic(state.table, self.arms, self.sigma, confidence(self.alpha, t), state.action)

    def update(self, state, action, observation, t, rng):
        record(state.table, action, observation.x)
        return state


def fucb(arms, sigma, alpha=4.0):
    r"""F-UCB: in every component the option of largest :math:`\hat\mu_{i,j}+\sigma\sqrt{\alpha\log t/N_{i,j}}`.

    Parameters
    ----------
    arms : sequence of int, shape (d,)
        Number of options of each component, at least 1.
    sigma : float or array_like, shape (d,)
        Subgaussian proxy of an observation's noise, positive.
    alpha : float
        Exploration, positive; the guarantees (Theorems 4.1, 4.2) ask for more than 2.

    Returns
    -------
    FUCB
        The policy; with one component it is UCB1.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    Warns
    -----
    UserWarning
        If ``alpha`` is at most 2.

    References
    ----------
    Mussi, Drago, Restelli, Metelli, Factored-Reward Bandits with Intermediate Observations, ICML 2024, Algorithm 1.

    Examples
    --------
    >>> fucb([2, 3], sigma=0.5).arms
    array([2, 3])
    """
    arms = sizes(arms)
    return FUCB(arms, deviations(sigma, len(arms)), exploration(alpha))
