"""RCUCB: optimism about every pair of arm and limit, learnt from all rounds with at least that limit."""

import math
from typing import NamedTuple

import numpy as np

from ...validate import choice, number, refuse_unknown
from ..actions import Pair, space
from ..arguments import largest, setting
from .pairs import BASE, any_best_pair, best_pair, new_peaks

__all__ = ["RCUCBReading", "rcucb"]

SURVIVALS = ("consistent", "carry_up", "known_only", "oracle")
CONSISTENT, CARRY_UP, KNOWN_ONLY, ORACLE = range(4)
TIES = ("lowest", "random")
LOWEST, RANDOM = range(2)


class RCUCBState(NamedTuple):
    """What RCUCB remembers."""

    rounds: np.ndarray  # (arms, limits) N: rounds of the arm with at least this limit
    gains: np.ndarray  # (arms, limits) sum of R - c(C) in those rounds in which C was at most this limit
    exceeded: np.ndarray  # (arms, limits) rounds known to exceed this limit
    pulls: np.ndarray  # (arms,) N_0: all rounds of the arm
    estimate: np.ndarray  # (arms, limits) (10)
    root: np.ndarray  # (arms, limits) confidence radius at sqrt(2 alpha log t) = 1
    peaks: np.ndarray  # what is known of the largest indices of the arms


class RCUCB(NamedTuple):
    """Resource-censored upper confidence bounds: what `rcucb` returns."""

    arms: int
    limits: np.ndarray  # (limits,)
    penalty: np.ndarray  # (limits,)
    second: np.ndarray  # (limits,) factor of the radius' second term
    alpha: float
    survival: int  # among SURVIVALS
    ties: int  # among TIES

    def actions(self):
        return space(self.arms, self.limits, self.survival == ORACLE)

    def init(self, rng):
        shape = self.arms, len(self.limits)
        rounds, gains, exceeded, pulls = np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(self.arms)
        return RCUCBState(rounds, gains, exceeded, pulls, np.zeros(shape), np.zeros(shape), new_peaks(self.arms))

    def select(self, state, t, rng):
        if t < self.arms:  # every arm once with the largest limit
            return Pair(t, len(self.limits) - 1)
        if self.ties == LOWEST:
            return best_pair(state.estimate, state.root, state.peaks, self.width(t))  # (12)
        return any_best_pair(state.estimate, state.root, state.peaks, self.width(t), rng)

    def width(self, t):
        """Factor of the radii in this round."""
        return math.sqrt(2.0 * self.alpha * math.log(t + 1.0))

    def indices(self, state, t):
        """Estimate, radius and index of every pair, arm by arm."""
        m, width = len(self.limits), self.width(t)
        shown = np.full((3, self.arms * m), np.nan)
        for i in range(self.arms):
            for j in range(m):
                if state.pulls[i] > 0.0:
                    shown[0, i * m + j], shown[1, i * m + j] = state.estimate[i, j], width * state.root[i, j]
                    shown[2, i * m + j] = state.estimate[i, j] + width * state.root[i, j]  # (12)
        return shown

    def update(self, state, action, observation, t, rng):
        i, m = action.arm, len(self.limits)
        state.pulls[i] += 1.0
        state.peaks[i, BASE] = np.inf
        for j in range(action.limit + 1):
            state.rounds[i, j] += 1.0
            if observation.censored or observation.consumption > self.limits[j]:
                state.exceeded[i, j] += 1.0
            else:
                state.gains[i, j] += observation.reward - observation.cost
        if observation.censored and (self.survival == CARRY_UP or self.survival == ORACLE):
            for j in range(action.limit + 1, m):
                if self.survival == CARRY_UP or observation.consumption > self.limits[j]:
                    state.exceeded[i, j] += 1.0
        pulled = 1.0 / state.pulls[i]
        root_pulled = math.sqrt(pulled)
        for j in range(m):
            share = 1.0 / state.rounds[i, j]
            gain = state.gains[i, j] * share  # (8)
            over = state.exceeded[i, j] * (share if self.survival == CONSISTENT else pulled)  # (9), as it can be read
            state.estimate[i, j] = gain - self.penalty[j] * over  # (10)
            state.root[i, j] = math.sqrt(share) + self.second[j] * root_pulled
        return state


class RCUCBReading(NamedTuple):
    r"""What the paper leaves open, as options of `rcucb` by name.

    Parameters
    ----------
    survival : {"consistent", "carry_up", "known_only", "oracle"}
        The estimate of :math:`P(C>\tau)`, which as printed (Equation 9) is not observed in all rounds that it sums:
        over rounds with at least this limit (unbiased); or over all rounds of the arm, where a censored round counts
        as exceeding every larger limit; or where it counts as not exceeding it. "oracle" is Equation 9 as printed, for
        analysis only: it plays where the consumption of censored rounds is `revealed`, and nowhere else. The radius
        as printed covers this one alone: a limit that is seldom played needs its own rounds in the second term, too.
    width : {"printed", "gain_only", "normalised"}
        The radius as printed; or its first term alone; or its second term divided by :math:`1+\lambda_{\max}`. The
        last two reproduce the paper's tables, the first is what its theory is about.
    ties : {"lowest", "random"}
        Which of several best pairs is played: the lowest arm and then the lowest limit, or a uniform draw. Under
        "gain_only" the limits of an arm tie that no consumption has exceeded yet.
    """

    survival: str = "consistent"
    width: str = "printed"
    ties: str = "lowest"


def rcucb(arms, limits, penalty, alpha=1.0, lambda_max=None, **reading):
    r"""RCUCB: the pair of largest :math:`\hat g-\lambda(\tau)\hat P(C>\tau)+\sqrt{2\alpha\log t/N_{i,\tau}}
    +\lambda(\tau)\sqrt{2\alpha\log t/N_{i,0}}`; rounds 1 to n play every arm with the largest limit.

    Parameters
    ----------
    arms : int >= 1
    limits : int or array_like, shape (m,)
    penalty : array_like, shape (m,), or Curve or callable
    alpha : float > 0, exploration; the experiments take 1, the theorems ask for more
    lambda_max : float >= 0, :math:`\lambda_{\max}` of the normalised width; by default the largest penalty
    **reading
        What the paper leaves open, the fields of `RCUCBReading`: ``survival="consistent"``, ``width="printed"``,
        ``ties="lowest"``.

    References
    ----------
    Bengs, Hüllermeier, Multi-Armed Bandits with Censored Consumption of Resources, 2023, Section 3, Equations 8 to 12.

    Examples
    --------
    >>> rcucb(2, [0.5, 0.9], [0.05, 9.0], width="gain_only").second
    array([0., 0.])
    """
    arms, limits, penalty = setting(arms, limits, penalty)
    refuse_unknown(reading, RCUCBReading._fields)
    reading, top = RCUCBReading(**reading), largest(penalty, lambda_max)
    survival, ties = choice("survival", reading.survival, SURVIVALS), choice("ties", reading.ties, TIES)
    width = choice("width", reading.width, ("printed", "gain_only", "normalised"))
    second = {"printed": penalty, "gain_only": 0.0 * penalty, "normalised": penalty / (1.0 + top)}[width]
    alpha, readings = number("alpha", alpha, above=0), (SURVIVALS.index(survival), TIES.index(ties))
    return RCUCB(arms, limits, penalty, second, alpha, *readings)
