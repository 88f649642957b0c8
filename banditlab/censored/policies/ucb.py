"""UCB on the pairs of arm and limit: every pair an arm of its own, gains rescaled to [0, 1]."""

import math
from typing import NamedTuple

import numpy as np

from ...validate import choice, how_many, number
from ..actions import space
from ..arguments import grid, largest, penalties
from .pairs import BASE, best_pair, new_peaks

__all__ = ["ucb"]


class UCBState(NamedTuple):
    """What UCB remembers."""

    pulls: np.ndarray  # (arms, limits)
    gains: np.ndarray  # (arms, limits) sum of the rescaled gains
    estimate: np.ndarray  # (arms, limits) their mean
    root: np.ndarray  # (arms, limits) 1 / sqrt(pulls), infinite before the first
    peaks: np.ndarray  # what is known of the largest indices of the arms


class UCB(NamedTuple):
    """Upper confidence bounds of the pairs: what `ucb` returns."""

    arms: int
    limits: np.ndarray  # (limits,)
    penalty: np.ndarray  # (limits,)
    lambda_max: float
    alpha: float

    def actions(self):
        return space(self.arms, self.limits)

    def init(self, rng):
        shape = self.arms, len(self.limits)
        root = np.full(shape, np.inf)
        return UCBState(np.zeros(shape), np.zeros(shape), np.zeros(shape), root, new_peaks(self.arms))

    def select(self, state, t, rng):
        log = math.log(max(t, 1) + 1.0)  # of 1 it would be 0, and the first indices nan
        return best_pair(state.estimate, state.root, state.peaks, math.sqrt(0.5 * self.alpha * log))

    def update(self, state, action, observation, t, rng):
        i, j = action.arm, action.limit
        gain = -self.penalty[j] if observation.censored else observation.reward - observation.cost
        state.peaks[i, BASE] = np.inf
        state.pulls[i, j] += 1.0
        state.gains[i, j] += (gain + self.lambda_max) / (1.0 + self.lambda_max)
        state.estimate[i, j] = state.gains[i, j] / state.pulls[i, j]  # (31)
        state.root[i, j] = math.sqrt(1.0 / state.pulls[i, j])
        return state


def ucb(arms, limits, penalty, alpha=1.0, lambda_max=None, width="printed"):
    r"""UCB: the pair of largest :math:`\tilde\nu_{i,\tau}+\sqrt{\alpha\log t/(2T_{i,\tau})}`, gains rescaled to [0, 1].

    It plays every pair once first, arm by arm, limits ascending.

    Parameters
    ----------
    arms : int >= 1
    limits : int or array_like, shape (m,)
    penalty : array_like, shape (m,), or Curve or callable
    alpha : float > 0, exploration; the experiments take 1
    lambda_max : float >= 0
        :math:`\lambda_{\max}` of the rescaling; by default the largest penalty. The printed tables fit
        :math:`\lambda(1)=10`.
    width : {"printed", "rcucb"}
        The radius as printed, on the scale of the gains :math:`(1+\lambda_{\max})\sqrt{\alpha\log t/(2T)}`; or (ours,
        to tell sharing from width) the first term of RCUCB's, :math:`\sqrt{2\alpha\log t/T}`, for which alpha is
        multiplied by :math:`4/(1+\lambda_{\max})^2`.

    References
    ----------
    Censored consumption, Appendix E.1, Equation 31.

    Examples
    --------
    >>> ucb(2, [0.5, 0.9], [0.05, 9.0]).lambda_max
    9.0
    >>> ucb(2, [0.5, 0.9], [0.05, 9.0], width="rcucb").alpha
    0.04
    """
    limits = grid("limits", limits)
    penalty = penalties("penalty", penalty, limits)
    arms, alpha = how_many("arms", arms, 64 * len(limits)), number("alpha", alpha, above=0)
    top = largest(penalty, lambda_max)
    if choice("width", width, ("printed", "rcucb")) == "rcucb":
        alpha = alpha * (4.0 / (1.0 + top) ** 2)
    return UCB(arms, limits, penalty, top, alpha)
