"""RCUCB: optimism about every pair of arm and limit, learnt from all rounds with at least that limit."""

import math
from typing import NamedTuple

import numpy as np

from ...protocol import helper
from ...validate import choice, number, whole
from ..curves import grid, penalties
from ..environments.censored import Pair, actions

TIES = ("lowest", "random")
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


@helper
def any_best_pair(index, width, rng):
    """One of the pairs of largest index, drawn uniformly where there are several."""
    pair = best_pair(index, width)
    top = index[ESTIMATE, pair.arm, pair.limit] + width * index[ROOT, pair.arm, pair.limit]
    tied = 0
    for i in range(index.shape[1]):
        for j in range(index.shape[2]):
            tied += index[ESTIMATE, i, j] + width * index[ROOT, i, j] == top
    if tied > 1:
        tied = int(tied * rng.random())
        for i in range(index.shape[1]):
            for j in range(index.shape[2]):
                if index[ESTIMATE, i, j] + width * index[ROOT, i, j] == top:
                    if tied == 0:
                        return Pair(i, j)
                    tied -= 1
    return pair


class RCUCB(NamedTuple):
    """Resource-censored upper confidence bounds: what `rcucb` returns."""

    arms: int
    limits: np.ndarray  # (limits,)
    penalty: np.ndarray  # (limits,)
    second: np.ndarray  # (limits,) factor of the radius' second term
    alpha: float
    own: float  # 1 if the survival estimate divides by the pair's rounds, 0 if by the arm's
    carry: float  # 1 if a censored round counts as exceeding every larger limit
    ties: int  # among TIES

    def actions(self):
        return actions(self.arms, self.limits)

    def init(self, rng):
        n, m = self.arms, len(self.limits)
        return Pairs(np.zeros((2, n, m)), np.zeros((3, n, m)), np.zeros(n))

    def select(self, state, t, rng):
        if t < self.arms:
            return Pair(t, len(self.limits) - 1)
        width = math.sqrt(2.0 * self.alpha * math.log(t + 1.0))
        if self.ties == 0:
            return best_pair(state.index, width)
        return any_best_pair(state.index, width, rng)

    def update(self, state, action, observation, t, rng):
        i, chosen, sums, index = action.arm, action.limit, state.sums, state.index
        state.pulls[i] += 1.0
        for j in range(chosen + 1):
            sums[PULLS, i, j] += 1.0
            if observation.censored or observation.consumption > self.limits[j]:
                sums[OVER, i, j] += 1.0
            else:
                sums[GAIN, i, j] += observation.reward - observation.cost
        if observation.censored:
            for j in range(chosen + 1, len(self.limits)):
                sums[OVER, i, j] += self.carry
        all_rounds = 1.0 / state.pulls[i]
        for j in range(len(self.limits)):
            share = 1.0 / sums[PULLS, i, j]
            over = sums[OVER, i, j] * (self.own * share + (1.0 - self.own) * all_rounds)
            index[ESTIMATE, i, j] = sums[GAIN, i, j] * share - self.penalty[j] * over
            index[ROOT, i, j] = math.sqrt(share) + self.second[j] * math.sqrt(all_rounds)
        return state


def rcucb(arms, limits, penalty, alpha=1.0, survival="consistent", width="printed", lambda_max=None, ties="lowest"):
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
    ties : {"lowest", "random"}
        Which of several best pairs is played: the lowest arm and then the lowest limit, or a uniform draw. Under
        "gain_only" the limits of an arm tie that no consumption has exceeded yet.

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
    ties = TIES.index(choice("ties", ties, TIES))
    return RCUCB(whole("arms", arms, 1), limits, penalty, second, alpha, own, carry, ties)


def largest(penalty, lambda_max):
    """The largest penalty, or what is given in its place."""
    return float(penalty[-1]) if lambda_max is None else number("lambda_max", lambda_max, least=0)
