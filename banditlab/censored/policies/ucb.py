"""UCB on the pairs of arm and limit: every pair an arm of its own, gains rescaled to [0, 1]."""

import math
from typing import NamedTuple

import numpy as np

from ...validate import number, whole
from ..curves import grid, penalties
from ..environments.censored import actions
from .rcucb import ESTIMATE, ROOT, best_pair, largest


class Played(NamedTuple):
    """What UCB remembers."""

    index: np.ndarray  # (2, arms, limits) rescaled mean, and 1 / sqrt(pulls), infinite before the first
    sums: np.ndarray  # (2, arms, limits) pulls, and the rescaled gains


class UCB(NamedTuple):
    """Upper confidence bounds of the pairs: what `ucb` returns."""

    arms: int
    limits: np.ndarray  # (limits,)
    penalty: np.ndarray  # (limits,)
    lambda_max: float
    alpha: float

    def actions(self):
        return actions(self.arms, self.limits)

    def init(self, rng):
        shape = (2, self.arms, len(self.penalty))
        index = np.zeros(shape)
        for i in range(self.arms):
            for j in range(len(self.penalty)):
                index[ROOT, i, j] = np.inf
        return Played(index, np.zeros(shape))

    def select(self, state, t, rng):
        log = max(t, 1) + 1.0  # of 1 it would be 0, and the first indices nan
        return best_pair(state.index, math.sqrt(0.5 * self.alpha * math.log(log)))

    def update(self, state, action, observation, t, rng):
        i, j = action.arm, action.limit
        gain = -self.penalty[j] if observation.censored else observation.reward - observation.cost
        state.sums[0, i, j] += 1.0
        state.sums[1, i, j] += (gain + self.lambda_max) / (1.0 + self.lambda_max)
        state.index[ESTIMATE, i, j] = state.sums[1, i, j] / state.sums[0, i, j]
        state.index[ROOT, i, j] = math.sqrt(1.0 / state.sums[0, i, j])
        return state


def ucb(arms, limits, penalty, alpha=1.0, lambda_max=None):
    r"""UCB: the pair of largest :math:`\tilde\nu_{i,\tau}+\sqrt{\alpha\log t/(2T_{i,\tau})}`, gains rescaled to [0, 1].

    Parameters
    ----------
    arms : int
        Number of arms, at least 1.
    limits : int or array_like, shape (m,)
        Limits, positive, ascending; a whole number m is the grid of m points from 0.1 to 0.9.
    penalty : array_like, shape (m,), or Curve or callable
        Penalty of every limit, at least 0, never decreasing.
    alpha : float
        Exploration, positive; the experiments take 1.
    lambda_max : float, optional
        :math:`\lambda_{\max}` of the rescaling, at least 0; by default the largest penalty. The printed tables fit
        :math:`\lambda(1)=10`.

    Returns
    -------
    UCB
        The policy; it plays every pair once first, arm by arm, limits ascending.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Censored consumption, Appendix E.1.

    Examples
    --------
    >>> ucb(2, [0.5, 0.9], [0.05, 9.0]).lambda_max
    9.0
    """
    limits = grid("limits", limits)
    penalty = penalties("penalty", penalty, limits)
    arms, alpha = whole("arms", arms, 1), number("alpha", alpha, above=0)
    return UCB(arms, limits, penalty, largest(penalty, lambda_max), alpha)
