"""F-UCB: optimism, component by component."""

import math
from typing import NamedTuple

import numpy as np

from ...building_blocks.growing_arrays import largest_entry, sum_entries
from ...building_blocks.indices import confidence
from ...engine.methods import helper
from ..arguments import deviations, exploration, sizes

__all__ = ["FUCB", "FUCBState", "fucb"]


class FUCBState(NamedTuple):
    """What F-UCB remembers of the options of every component."""

    pulls: np.ndarray  # (d, kmax) N
    sums: np.ndarray  # (d, kmax) of the observations
    means: np.ndarray  # (d, kmax) sums over pulls: a running mean would break exact ties
    roots: np.ndarray  # (d, kmax) 1 / sqrt(pulls), infinite before the first pull
    action: np.ndarray  # (d,) the vector that select returns


@helper
def fresh(arms):
    """Options never pulled: line 1 of Algorithm 1."""
    d, k = len(arms), largest_entry(arms)
    pulls, sums, means, roots = np.zeros((d, k)), np.zeros((d, k)), np.zeros((d, k)), np.full((d, k), np.inf)
    return FUCBState(pulls, sums, means, roots, np.zeros(d, np.int64))


@helper
def forget(state):
    """Discard all observations."""
    for i in range(state.pulls.shape[0]):
        for j in range(state.pulls.shape[1]):
            state.pulls[i, j] = state.sums[i, j] = state.means[i, j] = 0.0
            state.roots[i, j] = np.inf


@helper
def observe(state, i, j, x):
    """Enter one observation of option j of component i; what its radius needs is left as it was."""
    state.pulls[i, j] += 1.0
    state.sums[i, j] += x
    state.means[i, j] = state.sums[i, j] / state.pulls[i, j]


@helper
def record(state, action, x):
    """Enter one observation of every component: line 5 of Algorithm 1."""
    for i in range(len(action)):
        observe(state, i, action[i], x[i])
        state.roots[i, action[i]] = math.sqrt(1.0 / state.pulls[i, action[i]])


@helper
def most_optimistic(state, arms, sigma, width):
    """For every component the option of largest mean + width * sigma / sqrt(pulls), ties to the lowest."""
    for i in range(len(arms)):
        best, top, radius = 0, -np.inf, width * sigma[i]
        for j in range(arms[i]):
            index = state.means[i, j] + radius * state.roots[i, j]
            if index > top:
                best, top = j, index
        state.action[i] = best
    return state.action


class FUCB(NamedTuple):
    """Algorithm 1: what `fucb` returns."""

    arms: np.ndarray  # (d,) options of each component
    sigma: np.ndarray  # (d,)
    alpha: float

    def actions(self):
        return tuple(self.arms.tolist())

    def init(self, rng):
        return fresh(self.arms)  # line 1

    def select(self, state, t, rng):  # line 3: the product of indices is largest where each of them is
        return most_optimistic(state, self.arms, self.sigma, confidence(self.alpha, t))

    def indices(self, state, t):
        shown, width, at = np.full((3, sum_entries(self.arms)), np.nan), confidence(self.alpha, t), 0
        for i in range(len(self.arms)):
            for j in range(self.arms[i]):
                if state.pulls[i, j] > 0.0:
                    shown[0, at], shown[1, at] = state.means[i, j], width * self.sigma[i] * state.roots[i, j]
                    shown[2, at] = shown[0, at] + shown[1, at]
                at += 1
        return shown

    def update(self, state, action, observation, t, rng):
        record(state, action, observation.x)  # line 5
        return state


def fucb(arms, sigma, alpha=4.0):
    r"""F-UCB: in every component the option of largest :math:`\hat\mu_{i,j}+\sigma\sqrt{\alpha\log t/N_{i,j}}`.

    With one component it is UCB1.

    Parameters
    ----------
    arms : sequence of d ints >= 1, number of options of each component
    sigma : float > 0 or array_like, shape (d,), subgaussian proxy of an observation's noise
    alpha : float > 0, exploration; the guarantees (Theorems 4.1, 4.2) ask for more than 2, and below it warns

    Returns
    -------
    FUCB

    References
    ----------
    Mussi, Drago, Restelli, Metelli, Factored-Reward Bandits with Intermediate Observations, ICML 2024, Algorithm 1.

    Examples
    --------
    >>> import banditlab as bl
    >>> world = bl.factored.gaussian([[1.0, 0.2], [0.1, 0.9, 0.2]], sigma=0.1)
    >>> result = bl.simulate(world, {"F-UCB": fucb([2, 3], sigma=0.1)}, horizon=1000, runs=5, checkpoints=2)
    >>> bool(result.of_policy("F-UCB")[:, -1].max() < 20)
    True
    """
    arms = sizes(arms)
    return FUCB(arms, deviations(sigma, len(arms)), exploration(alpha))
