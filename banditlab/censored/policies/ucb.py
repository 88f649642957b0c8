"""UCB on the pairs of arm and limit: every pair an arm of its own, gains rescaled to [0, 1]."""

import math
from typing import NamedTuple

import numpy as np

from ...building_blocks.indices import Tally, add_reward, new_tally
from ...validate import choice, number
from ..actions import space
from ..arguments import largest, setting
from .pairs import BASE, best_pair, new_peaks

__all__ = ["ucb"]


class UCBState(NamedTuple):
    """What UCB remembers."""

    tally: Tally  # (arms, limits) of the rescaled gains
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
        return UCBState(new_tally((self.arms, len(self.limits))), new_peaks(self.arms))

    def select(self, state, t, rng):
        log = math.log(max(t, 1) + 1.0)  # of 1 it would be 0, and the first indices nan
        return best_pair(state.tally.means, state.tally.roots, state.peaks, math.sqrt(0.5 * self.alpha * log))

    def update(self, state, action, observation, t, rng):
        i, j = action.arm, action.limit
        gain = -self.penalty[j] if observation.censored else observation.reward - observation.cost
        state.peaks[i, BASE] = np.inf
        add_reward(state.tally, (i, j), (gain + self.lambda_max) / (1.0 + self.lambda_max))  # (31)
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
    arms, limits, penalty = setting(arms, limits, penalty)
    alpha, top = number("alpha", alpha, above=0), largest(penalty, lambda_max)
    if choice("width", width, ("printed", "rcucb")) == "rcucb":
        alpha = alpha * (4.0 / (1.0 + top) ** 2)
    return UCB(arms, limits, penalty, top, alpha)
