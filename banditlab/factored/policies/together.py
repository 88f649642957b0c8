"""F-UCB whose components explore together: an ablation of ours that shows what coordination is worth."""

from typing import NamedTuple

import numpy as np

from ...building_blocks.indices import confidence
from ...engine.methods import helper
from ...validate import number
from ..arguments import deviations, exploration, sizes
from .fucb import FUCB, most_optimistic

__all__ = ["TogetherFUCB", "together_fucb"]


@helper
def explores(state, arms):
    """Whether some component's action is not its option of largest mean."""
    found = False
    for i in range(len(arms)):
        for j in range(arms[i]):
            found = found or state.means[i, j] > state.means[i, state.action[i]]
    return found


class TogetherFUCB(NamedTuple):
    """F-UCB whose components explore together: what `together_fucb` returns."""

    arms: np.ndarray  # (d,) options of each component
    sigma: np.ndarray  # (d,)
    alpha: float
    slack: float

    actions, init, update = FUCB.actions, FUCB.init, FUCB.update

    def select(self, state, t, rng):
        action = most_optimistic(state, self.arms, self.sigma, confidence(self.alpha, t))
        if explores(state, self.arms):
            wider = confidence(self.alpha * (1.0 + self.slack), t)
            most_optimistic(state, self.arms, self.sigma, wider)
        return action


def together_fucb(arms, sigma, alpha=4.0, slack=1.0):
    r"""F-UCB, but where one component explores, those that soon would explore in the same round.

    As long as every component's most optimistic option is also its best so far, it is F-UCB. As soon as one is not,
    all components use the exploration :math:`\alpha(1+s)` in this round: bad options are played side by side, as in the
    packing of Theorem 3.4, and a vector of many bad options costs little more than one of a single bad option. An
    option that is not the best so far is played only where F-UCB with :math:`\alpha(1+s)` would play it. Not in the
    paper.

    Parameters
    ----------
    arms : sequence of d ints >= 1, number of options of each component
    sigma : float > 0 or array_like, shape (d,), subgaussian proxy of an observation's noise
    alpha : float > 0, exploration; at most 2 warns
    slack : float >= 0, how much earlier a component may explore to keep another one company; 0 is F-UCB

    Returns
    -------
    TogetherFUCB

    References
    ----------
    Factored-Reward Bandits, Section 3.2 (coordination) and Remark 4.1 (what F-UCB loses without it).

    Examples
    --------
    >>> together_fucb([2, 3], sigma=0.5).slack
    1.0
    """
    arms = sizes(arms)
    slack = number("slack", slack, least=0)
    return TogetherFUCB(arms, deviations(sigma, len(arms)), exploration(alpha), slack)
