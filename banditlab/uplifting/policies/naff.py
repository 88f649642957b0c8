"""UpUCB-nAff: the affected sets are not known, only how large they are at most."""

import math
from typing import NamedTuple

import numpy as np

from ...protocol import helper
from ...validate import vector, whole
from ..arguments import exploration, most_affected
from ..order import sum_of_largest
from .reward import counted, largest


class Payoffs(NamedTuple):
    """What is remembered of every action and variable."""

    pulls: np.ndarray  # (K,)
    sums: np.ndarray  # (K, m) of the payoffs
    index: np.ndarray  # (K,) infinite before the first pull
    scratch: np.ndarray  # (2, m)


@helper
def unseen(arms, variables):
    """Actions never played."""
    return Payoffs(np.zeros(arms), np.zeros((arms, variables)), np.full(arms, np.inf), np.zeros((2, variables)))


@helper
def add(pulls, sums, action, y):
    """Enter the payoffs of a round."""
    pulls[action] += 1.0
    for i in range(len(y)):
        sums[action, i] += y[i]


class NAffbl(NamedTuple):
    """Algorithm 3: what `upucb_naff_bl` returns."""

    mu0: np.ndarray  # (m,)
    L: np.ndarray  # (K,) most affected variables of each action
    twice: float  # 2 beta

    def actions(self):
        return len(self.L), len(self.mu0), len(self.mu0)

    def tally(self, world, state):
        return counted(state.pulls)

    def init(self, rng):
        return unseen(len(self.L), len(self.mu0))

    def select(self, state, t, rng):
        return largest(state.index)

    def update(self, state, action, observation, t, rng):
        pulls, sums, index, scratch, mu0 = state.pulls, state.sums, state.index, state.scratch, self.mu0
        add(pulls, sums, action, observation.y)
        radius = math.sqrt(self.twice / pulls[action])
        total, found, left = 0.0, 0, 0
        for i in range(len(mu0)):
            uplift = sums[action, i] / pulls[action] - mu0[i]
            if abs(uplift) > radius:
                total += uplift + radius
                found += 1
            else:
                scratch[0, left] = uplift + radius
                left += 1
        index[action] = total + sum_of_largest(scratch[0], left, min(max(0, self.L[action] - found), left))
        return state


def upucb_naff_bl(arms, mu0, L, beta):
    r"""UpUCB-nAff (bl): affected sets unknown, baseline and a bound on the number of affected variables known.

    The index sums :math:`\hat\mu^a(i)+c^a-\mu^0(i)` over the variables whose confidence interval excludes the baseline,
    and over the largest others until there are L. Only the played action's index changes: a round costs O(m).

    Parameters
    ----------
    arms : int
        Number of actions K, at least 1.
    mu0 : array_like, shape (m,)
        Expected payoffs of the baseline.
    L : int or sequence of int, shape (K,)
        No action affects more variables; from 1 to m.
    beta : float
        Exploration, positive; log(1/δ') in Theorem 2.

    Returns
    -------
    NAffbl
        The policy; with L = m it is UCB.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Hsieh, Kasiviswanathan, Kveton, Uplifting Bandits, NeurIPS 2022, Algorithm 3; Proposition 4 for one L per action.
    """
    mu0 = vector("mu0", mu0)
    return NAffbl(mu0, most_affected(L, whole("arms", arms, 1), len(mu0)), exploration(beta))


class NAff(NamedTuple):
    """Algorithm 4: what `upucb_naff` returns."""

    arms: int
    variables: int
    limit: int  # 2 L
    twice: float  # 2 beta

    def actions(self):
        return self.arms, self.variables, self.variables

    def tally(self, world, state):
        return counted(state.pulls)

    def init(self, rng):
        return unseen(self.arms, self.variables)

    def select(self, state, t, rng):
        return largest(state.index)

    def update(self, state, action, observation, t, rng):
        pulls, sums, index, scratch = state.pulls, state.sums, state.index, state.scratch
        add(pulls, sums, action, observation.y)
        most = largest(pulls)  # another than before only if it was played now
        first, last = action, action + 1
        if action == most:  # every index compares with it
            first, last = 0, self.arms
            for i in range(self.variables):
                scratch[1, i] = sums[most, i] / pulls[most]
        known = math.sqrt(self.twice / pulls[most])
        for a in range(first, last):
            if pulls[a] > 0.0:
                index[a] = relative(sums, a, pulls[a], scratch, math.sqrt(self.twice / pulls[a]), known, self.limit)
        index[most] = 0.0
        return state


@helper
def relative(sums, a, n, scratch, radius, known, limit):
    """The index of an action against the means in the second row of the scratch, whose radius is `known`."""
    total, found, left = 0.0, 0, 0
    both, lead = radius + known, radius - known
    for i in range(sums.shape[1]):
        difference = sums[a, i] / n - scratch[1, i]
        if abs(difference) > both:
            total += difference + lead
            found += 1
        elif difference + lead > 0.0:
            scratch[0, left] = difference + lead
            left += 1
    return total + sum_of_largest(scratch[0], left, min(max(0, limit - found), left))


def upucb_naff(arms, variables, L, beta):
    r"""UpUCB-nAff: neither affected sets nor baseline are known, only how many variables an action affects at most.

    Actions are compared with the one played most, :math:`b_t`: the index sums
    :math:`\hat\mu^a(i)+c^a-\hat\mu^{b_t}(i)-c^{b_t}` over the variables whose intervals are disjoint, and over the
    largest positive others until there are 2 L. A round costs O(m), or O(Km) where :math:`b_t` is played.

    Parameters
    ----------
    arms : int
        Number of actions K, at least 1.
    variables : int
        Number of payoffs m, at least 1.
    L : int
        No action affects more variables; from 1 to m.
    beta : float
        Exploration, positive; log(1/δ') in Theorem 2.

    Returns
    -------
    NAff
        The policy; its state has 8 K m bytes and some.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Uplifting Bandits, Algorithm 4.
    """
    variables = whole("variables", variables, 1)
    return NAff(whole("arms", arms, 1), variables, 2 * whole("L", L, 1, variables), exploration(beta))
