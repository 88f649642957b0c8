"""Thompson sampling on the pairs, with a Bernoulli trial for every limit up to the chosen one."""

from typing import NamedTuple

import numpy as np

from ...validate import choice, whole
from ..actions import Pair, space
from ..arguments import grid, largest, penalties

__all__ = ["thompson"]

MODES = ("per_tau", "played_outcome", "naive")
PER_TAU, PLAYED, NAIVE = range(3)


class ThompsonState(NamedTuple):
    """Parameters of the Beta laws, each of shape (arms, limits): 1 + successes, 1 + failures."""

    successes: np.ndarray
    failures: np.ndarray


class Thompson(NamedTuple):
    """Posterior sampling of the pairs: what `thompson` returns."""

    arms: int
    limits: np.ndarray  # (limits,)
    penalty: np.ndarray  # (limits,)
    lambda_max: float
    mode: int  # among MODES

    def actions(self):
        return space(self.arms, self.limits)

    def init(self, rng):
        return ThompsonState(np.ones((self.arms, len(self.limits))), np.ones((self.arms, len(self.limits))))

    def select(self, state, t, rng):
        n, m = self.arms, len(self.limits)
        if t < n * m:
            return Pair(t // m, t % m)
        arm, limit, top = 0, 0, -1.0
        for i in range(n):
            for j in range(m):
                value = rng.beta(state.successes[i, j], state.failures[i, j])
                if value > top:
                    arm, limit, top = i, j, value
        return Pair(arm, limit)

    def update(self, state, action, observation, t, rng):
        i, chosen = action.arm, action.limit
        for j in range(chosen if self.mode == NAIVE else 0, chosen + 1):
            judged = chosen if self.mode == PLAYED else j
            within = not observation.censored and observation.consumption <= self.limits[judged]
            gain = observation.reward - observation.cost if within else -self.penalty[judged]
            if rng.random() < (gain + self.lambda_max) / (1.0 + self.lambda_max):  # (32)
                state.successes[i, j] += 1.0
            else:
                state.failures[i, j] += 1.0
        return state


def thompson(arms, limits, penalty, ts_update="per_tau", lambda_max=None):
    r"""Thompson sampling: a draw from every pair's Beta posterior, and the pair of the largest.

    It plays every pair once first, arm by arm, limits ascending. A round updates every limit up to the chosen one by a
    Bernoulli trial of its own, with the probability of Equation 32; a probability outside [0, 1], possible with large
    costs, acts as 0 or 1.

    Parameters
    ----------
    arms : int >= 1
    limits : int or array_like, shape (m,)
    penalty : array_like, shape (m,), or Curve or callable
    ts_update : {"per_tau", "played_outcome", "naive"}
        Every limit up to the chosen one by what it would have brought (Equation 32); or all by what the chosen one
        brought (no reading of the paper's text, but of its printed tables); or the chosen one alone (the ablation of
        the paper's footnote 13).
    lambda_max : float >= 0, :math:`\lambda_{\max}` of the rescaling; by default the largest penalty

    References
    ----------
    Censored consumption, Appendix E.1.

    Examples
    --------
    >>> thompson(2, [0.5, 0.9], [0.05, 9.0], ts_update="naive").mode
    2
    """
    limits = grid("limits", limits)
    penalty = penalties("penalty", penalty, limits)
    mode = MODES.index(choice("ts_update", ts_update, MODES))
    return Thompson(whole("arms", arms, 1), limits, penalty, largest(penalty, lambda_max), mode)
