"""F-UCB with known multipliers and costs (Appendix A)."""

import math
from typing import NamedTuple

import numpy as np

from ...building_blocks.indices import confidence
from ...validate import flag, number
from ..arguments import deviations, exploration, known, sizes
from ..programs import best_vector
from .fucb import FUCB

__all__ = ["PricedFUCB", "priced_fucb"]


class PricedFUCB(NamedTuple):
    """F-UCB of Appendix A: what `priced_fucb` returns."""

    arms: np.ndarray  # (d,)
    sigma: np.ndarray  # (d,)
    multipliers: np.ndarray  # (d, kmax) padded with nan
    costs: np.ndarray  # (d, kmax) padded with nan
    scale: float
    alpha: float
    ceiling: float  # of an upper confidence bound: 1 or infinity

    actions, init, update = FUCB.actions, FUCB.init, FUCB.update

    def select(self, state, t, rng):
        if t < state.pulls.shape[1]:  # each option once, before products of infinite indices are compared
            for i in range(len(self.arms)):
                state.action[i] = t % self.arms[i]
            return state.action
        return best_vector(self.optimistic(state, t), self.costs, self.arms, self.scale)  # Eq. (17) with UCB for mu

    def optimistic(self, state, t):
        """Multiplier times upper confidence bound, clipped at 0 (means are nonnegative) and at the ceiling."""
        values, width = np.zeros(self.costs.shape), confidence(self.alpha, t)
        for i in range(len(self.arms)):
            for j in range(self.arms[i]):
                index = state.means[i, j] + width * self.sigma[i] * state.roots[i, j]
                values[i, j] = self.multipliers[i, j] * min(max(index, 0.0), self.ceiling)
        return values


def priced_fucb(arms, sigma, multipliers, costs, scale, alpha=4.0, cap=False):
    r"""F-UCB for :math:`r=B\prod_i m_{i,a_i}x_i-\sum_i c_{i,a_i}` with known multipliers and costs.

    Plays a maximiser of the same expression with upper confidence bounds in place of the observations, after each
    option was played once. Exact: components without cost separate (the nested rule of pricing and advertising), the
    others are combined by a dynamic program over convex chains, never over all product vectors. Among equal vectors
    any may be played.

    Parameters
    ----------
    arms : sequence of d ints >= 1, number of options of each component
    sigma : float > 0 or array_like, shape (d,), subgaussian proxy of an observation's noise
    multipliers : list of d array_like, at least 0, known factor of each option
    costs : list of d array_like, at least 0, known cost of each option
    scale : float > 0, known factor B of the product
    alpha : float > 0, exploration; the guarantees ask for more than 2, and below it warns
    cap : bool, whether to clip indices at 1 too (means are at most 1), which the regret bound with costs asks for

    Returns
    -------
    PricedFUCB

    References
    ----------
    Factored-Reward Bandits, Appendix A.

    Examples
    --------
    >>> priced_fucb([2, 2], 0.1, [[1, 1], [0.5, 1]], [[0.1, 0.3], [0, 0]], scale=1.0, cap=True).ceiling
    1.0
    """
    arms = sizes(arms)
    multipliers, costs = known(arms, "arms", multipliers=multipliers, costs=costs)
    ceiling, scale = 1.0 if flag("cap", cap) else math.inf, number("scale", scale, above=0)
    return PricedFUCB(arms, deviations(sigma, len(arms)), multipliers, costs, scale, exploration(alpha), ceiling)
