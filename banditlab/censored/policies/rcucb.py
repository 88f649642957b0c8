"""RCUCB: optimism about every pair of arm and limit, learnt from all rounds with at least that limit."""

import math
from typing import NamedTuple

import numpy as np

from ...protocol import helper
from ...validate import choice, number, whole
from ..curves import grid, penalties
from ..environments.censored import Pair

ESTIMATE, ROOT = 0, 1  # rows of the indices
PULLS, GAIN, OVER = 0, 1, 2  # rows of the sums


class Pairs(NamedTuple):
    """What RCUCB remembers."""

    index: np.ndarray  # (2, arms, limits) estimate, and the confidence radius at sqrt(2 alpha log t) = 1
    sums: np.ndarray  # (3, arms, limits) rounds with at least that limit; gains seen in them; known to exceed it
    pulls: np.ndarray  # (arms,)


@helper
def best_pair(index, width):
    """The pair of largest estimate + width * root; ties to the lowest arm, then to the lowest limit."""
    arm, place, top = 0, 0, -np.inf
    for i in range(index.shape[1]):
        for j in range(index.shape[2]):
            value = index[ESTIMATE, i, j] + width * index[ROOT, i, j]
            if value > top:
                arm, place, top = i, j, value
    return Pair(arm, place)


class RCUCB(NamedTuple):
    """Resource-censored upper confidence bounds: what `rcucb` returns."""

    arms: int
    limits: np.ndarray  # (limits,)
    penalty: np.ndarray  # (limits,)
    second: np.ndarray  # (limits,) factor of the radius' second term
    alpha: float
    own: float  # 1 if the survival estimate divides by the pair's rounds, 0 if by the arm's
    carry: float  # 1 if a censored round counts as exceeding every larger limit

    def actions(self):
        return self.arms, len(self.limits)

    def begin(self, rng):
        n, m = self.arms, len(self.limits)
        return Pairs(np.zeros((2, n, m)), np.zeros((3, n, m)), np.zeros(n))

    def select(self, state, t, rng):
        if t < self.arms:
            return Pair(t, len(self.limits) - 1)
        return best_pair(state.index, math.sqrt(2.0 * self.alpha * math.log(t + 1.0)))

    def update(self, state, action, seen, t, rng):
        index, sums, limits, penalty, second = state.index, state.sums, self.limits, self.penalty, self.second
        arm, chosen, used, own, shared = action.arm, action.limit, seen.consumption, self.own, 1.0 - self.own
        state.pulls[arm] += 1.0
        share0 = 1.0 / state.pulls[arm]
        root0, gain = math.sqrt(share0), seen.reward - seen.cost
        first = 0  # the first limit that was not exceeded, as far as is known
        if seen.censored:
            first, gain = chosen + 1, 0.0
        else:
            while limits[first] < used:
                first += 1
        for j in range(chosen + 1):
            sums[PULLS, arm, j] += 1.0
        for j in range(first):
            sums[OVER, arm, j] += 1.0
        for j in range(first, chosen + 1):
            sums[GAIN, arm, j] += gain
        if seen.censored:
            for j in range(first, len(limits)):
                sums[OVER, arm, j] += self.carry
        for j in range(len(limits)):
            share = 1.0 / sums[PULLS, arm, j]
            over = sums[OVER, arm, j] * (own * share + shared * share0)
            index[ESTIMATE, arm, j] = sums[GAIN, arm, j] * share - penalty[j] * over
            index[ROOT, arm, j] = math.sqrt(share) + second[j] * root0
        return state


def rcucb(arms, limits, penalty, alpha=1.0, survival="consistent", width="printed", lambda_max=None):
    r"""RCUCB: the pair of largest :math:`\hat g-\lambda(\tau)\hat P(C>\tau)+\sqrt{2\alpha\log t/N_{i,\tau}}
    +\lambda(\tau)\sqrt{2\alpha\log t/N_{i,0}}`.

    Parameters
    ----------
    arms : int
        Number of arms, at least 1.
    limits : int or array_like, shape (m,)
        Limits, positive, ascending; a whole number m is the grid of m points from 0.1 to 0.9.
    penalty : array_like, shape (m,), or Curve or callable
        Penalty of every limit, at least 0, never decreasing.
    alpha : float
        Exploration, positive; the experiments take 1, the theorems ask for more.
    survival : {"consistent", "carry_up", "known_only"}
        Reading of the estimate of :math:`P(C>\tau)`, which as printed (Equation 9) is not observed in all rounds that
        it sums: over rounds with at least this limit (unbiased); or over all rounds of the arm, where a censored round
        counts as exceeding every larger limit; or where it counts as not exceeding it.
    width : {"printed", "gain_only", "normalised"}
        The radius as printed; or its first term alone; or its second term divided by :math:`1+\lambda_{\max}`. The
        last two reproduce the paper's tables, the first is what its theory is about.
    lambda_max : float, optional
        :math:`\lambda_{\max}` of the normalised width, at least 0; by default the largest penalty.

    Returns
    -------
    RCUCB
        The policy; rounds 1 to n play every arm with the largest limit.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Bengs, Hüllermeier, Multi-Armed Bandits with Censored Consumption of Resources, 2023, Section 3, Equations 8 to 12.

    Examples
    --------
    >>> rcucb(2, [0.5, 0.9], [0.05, 9.0], width="gain_only").second
    array([0., 0.])
    """
    limits = grid("limits", limits)
    penalty = penalties("penalty", penalty, limits)
    survival = choice("survival", survival, ("consistent", "carry_up", "known_only"))
    top = largest(penalty, lambda_max)
    width = choice("width", width, ("printed", "gain_only", "normalised"))
    second = {"printed": penalty, "gain_only": 0.0 * penalty, "normalised": penalty / (1.0 + top)}[width]
    alpha, own, carry = number("alpha", alpha, above=0), float(survival == "consistent"), float(survival == "carry_up")
    return RCUCB(whole("arms", arms, 1), limits, penalty, second, alpha, own, carry)


def largest(penalty, lambda_max):
    """The largest penalty, or what is given in its place."""
    return float(penalty[-1]) if lambda_max is None else number("lambda_max", lambda_max, least=0)
