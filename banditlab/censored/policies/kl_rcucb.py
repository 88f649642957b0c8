"""RCUCB's shared observations under an upper bound that knows the range of every limit; not in the paper."""

import math
from typing import NamedTuple

import numpy as np

from ...classic.kl_ucb import entropy, furthest
from ...engine.methods import helper
from ...validate import number
from ..actions import Pair, space
from ..arguments import setting

__all__ = ["kl_rcucb"]


class KLState(NamedTuple):
    """What is remembered of the pairs."""

    rounds: np.ndarray  # (arms, limits) N: rounds of the arm with at least this limit
    gains: np.ndarray  # (arms, limits) sum of their penalised gains at this limit
    means: np.ndarray  # (arms, limits) mean gain, moved and scaled to [0, 1]
    entropies: np.ndarray  # (arms, limits) of the Bernoulli laws of these means
    last: np.ndarray  # (2,) int64: the pair that was played last


@helper
def upper_bound(state, penalty, i, j, budget):
    """The largest gain that the divergence from the mean of a pair allows."""
    y = furthest(state.means[i, j], state.entropies[i, j], budget / state.rounds[i, j])
    return (1.0 + penalty[j]) * (1.0 - math.exp(-y)) - penalty[j]


class KLRCUCB(NamedTuple):
    """Upper confidence bounds from divergences, on RCUCB's shared counts: what `kl_rcucb` returns."""

    arms: int
    limits: np.ndarray  # (limits,)
    penalty: np.ndarray  # (limits,)
    c: float

    def actions(self):
        return space(self.arms, self.limits, False)

    def init(self, rng):
        shape = self.arms, len(self.limits)
        return KLState(np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(2, np.int64))

    def select(self, state, t, rng):
        m = len(self.limits)
        if t < self.arms:  # every arm once with the largest limit
            return Pair(t, m - 1)
        budget = self.budget(t)
        least = upper_bound(state, self.penalty, state.last[0], state.last[1], budget)  # most pairs cannot reach it
        arm, limit, best = 0, 0, -np.inf
        for i in range(self.arms):
            for j in range(m):
                width = 1.0 + self.penalty[j]
                reach = state.means[i, j] + math.sqrt(0.5 * budget / state.rounds[i, j])  # d(p, q) >= 2 (q - p)^2
                if width * reach - self.penalty[j] >= least:
                    index = upper_bound(state, self.penalty, i, j, budget)
                    if index > best:
                        arm, limit, best = i, j, index
        return Pair(arm, limit)

    def budget(self, t):
        """The divergence that is allowed in this round, over the number of rounds that tell of a pair."""
        log = math.log(t + 1.0)
        return log + self.c * max(0.0, math.log(log)) if log > 0.0 else 0.0

    def indices(self, state, t):
        """Estimate, radius and index of every pair, arm by arm."""
        m = len(self.limits)
        shown = np.full((3, self.arms * m), np.nan)
        for i in range(self.arms):
            for j in range(m):
                if state.rounds[i, j] > 0.0:
                    shown[0, i * m + j] = (1.0 + self.penalty[j]) * state.means[i, j] - self.penalty[j]
                    shown[2, i * m + j] = upper_bound(state, self.penalty, i, j, self.budget(t))
                    shown[1, i * m + j] = shown[2, i * m + j] - shown[0, i * m + j]
        return shown

    def update(self, state, action, observation, t, rng):
        i = action.arm
        state.last[0], state.last[1] = i, action.limit
        for j in range(action.limit + 1):
            state.rounds[i, j] += 1.0
            if observation.censored or observation.consumption > self.limits[j]:
                state.gains[i, j] -= self.penalty[j]
            else:
                state.gains[i, j] += observation.reward - observation.cost
            moved = (state.gains[i, j] / state.rounds[i, j] + self.penalty[j]) / (1.0 + self.penalty[j])
            state.means[i, j] = min(1.0, max(0.0, moved))
            state.entropies[i, j] = entropy(state.means[i, j])
        return state


def kl_rcucb(arms, limits, penalty, c=0.0):
    r"""KL-UCB on the pairs, with every limit's own range and RCUCB's shared observations; ours.

    A pair's gain lies in :math:`[-\lambda(\tau),1]`. With the mean :math:`\hat p` of
    :math:`(\text{gain}+\lambda(\tau))/(1+\lambda(\tau))` over the :math:`N_{i,\tau}` rounds of the arm with at least
    this limit, the index is :math:`(1+\lambda(\tau))\,q-\lambda(\tau)` for the largest q with
    :math:`N_{i,\tau}\,d(\hat p,q)\le\log t+c\log\log t`. Rounds 1 to n play every arm with the largest limit. The
    deviation inequality of KL-UCB holds for rewards in [0, 1] whatever their law and whenever a pair is told of, so
    that, as for the width that the paper prints and unlike its first term alone, an unlucky start is made good.

    Parameters
    ----------
    arms : int >= 1
    limits : int or array_like, shape (m,)
    penalty : array_like, shape (m,), or Curve or callable; at least the cost of every limit
    c : float >= 0, exploration; the theorem of KL-UCB takes 3

    References
    ----------
    Garivier, Cappé, The KL-UCB algorithm for bounded stochastic bandits and beyond, 2011, Algorithm 1, Theorem 10.

    Examples
    --------
    >>> from banditlab import censored, simulate
    >>> world = censored.indep(3, 5)
    >>> policies = {"kl": kl_rcucb(3, 5, world.penalty), "printed": censored.rcucb(3, 5, world.penalty)}
    >>> result = simulate(world, policies, 5000, runs=5)
    >>> bool(result.paired("printed", "kl")["low"].iloc[-1] > 0)
    True
    """
    return KLRCUCB(*setting(arms, limits, penalty), number("c", c, least=0))
