"""F-UCB: optimism, component by component."""

import math
from typing import NamedTuple

import numpy as np

from ...classic import confidence
from ...protocol import helper
from ..arguments import deviations, exploration, sizes


class Components(NamedTuple):
    """What is remembered of the options of every component."""

    pulls: np.ndarray  # (d, kmax)
    means: np.ndarray  # (d, kmax) of the observations
    roots: np.ndarray  # (d, kmax) 1 / sqrt(pulls), infinite before the first pull
    action: np.ndarray  # (d,) the vector that select returns


@helper
def fresh(arms):
    """Options never pulled."""
    shape = len(arms), arms.max()
    return Components(np.zeros(shape), np.zeros(shape), np.full(shape, np.inf), np.zeros(len(arms), np.int64))


@helper
def record(state, action, x):
    """The state with one observation more of every component."""
    for i in range(len(action)):
        j = action[i]
        state.pulls[i, j] += 1.0
        share = 1.0 / state.pulls[i, j]
        state.means[i, j] += (x[i] - state.means[i, j]) * share
        state.roots[i, j] = math.sqrt(share)
    return state


@helper
def most_optimistic(state, arms, sigma, width):
    """Write into state.action, for every component, the option of largest mean + width * sigma / sqrt(pulls)."""
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

    def begin(self, rng):
        return fresh(self.arms)

    def select(self, state, t, rng):
        return most_optimistic(state, self.arms, self.sigma, confidence(self.alpha, t))

    def update(self, state, action, seen, t, rng):
        return record(state, action, seen.x)


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
