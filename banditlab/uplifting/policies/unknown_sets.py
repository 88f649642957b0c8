"""UpUCB-nAff: affected sets are not known, only how large they are at most (Section 6.1, Algorithms 3 and 4)."""

import math
from typing import NamedTuple

import numpy as np

from ...building_blocks.indices import place_of_largest
from ...building_blocks.order_statistics import sum_of_largest
from ...engine.methods import helper
from ...validate import how_many, vector, whole
from ..arguments import exploration, limits_of
from .ucb_thompson import UCB

__all__ = ["upucb_naff_bl", "upucb_naff"]


class NAffState(NamedTuple):
    """What is remembered of every action and variable."""

    pulls: np.ndarray  # (K,) N^a
    sums: np.ndarray  # (K, m) of the payoffs
    index: np.ndarray  # (K,) infinite before the first pull
    added: np.ndarray  # (K,) what optimism adds to it
    base: np.ndarray  # (m,) means of the action that stands for the baseline
    rho: np.ndarray  # (m,) individual indices of the variables not identified


@helper
def unseen(arms, variables):
    """Actions never played."""
    pulls, sums, index = np.zeros(arms), np.zeros((arms, variables)), np.full(arms, np.inf)
    return NAffState(pulls, sums, index, np.zeros(arms), np.zeros(variables), np.zeros(variables))


@helper
def add(pulls, sums, action, y):
    """Enter the payoffs of a round."""
    pulls[action] += 1.0
    for i in range(len(y)):
        sums[action, i] += y[i]


@helper
def explain(state, least):
    """Estimated uplift, what optimism adds to it, and index of every action (3, K); nan before so many pulls."""
    shown = np.full((3, len(state.pulls)), np.nan)
    for a in range(len(state.pulls)):
        if state.pulls[a] >= least:
            shown[0, a], shown[1, a], shown[2, a] = state.index[a] - state.added[a], state.added[a], state.index[a]
    return shown


class NAffbl(NamedTuple):
    """Algorithm 3: what `upucb_naff_bl` returns."""

    mu0: np.ndarray  # (m,)
    L: np.ndarray  # (K,) most affected variables of each action
    two_beta: float

    def actions(self):
        return len(self.L), len(self.mu0), len(self.mu0)

    diagnostics = UCB.diagnostics

    def init(self, rng):
        return unseen(len(self.L), len(self.mu0))

    def select(self, state, t, rng):
        return place_of_largest(state.index)  # line 11

    def indices(self, state, t):
        return explain(state, 1.0)

    def update(self, state, action, observation, t, rng):
        pulls, sums, rho, mu0 = state.pulls, state.sums, state.rho, self.mu0
        add(pulls, sums, action, observation.y)
        radius = math.sqrt(self.two_beta / pulls[action])
        total, found, left = 0.0, 0, 0
        for i in range(len(mu0)):
            uplift = sums[action, i] / pulls[action] - mu0[i]
            if abs(uplift) > radius:  # line 6: mu0 is outside the interval, the variable is identified
                total += uplift + radius  # line 5, Eq. (9)
                found += 1
            else:
                rho[left] = uplift + radius
                left += 1
        padding = min(max(0, self.L[action] - found), left)  # line 7
        state.index[action] = total + sum_of_largest(rho, left, padding)  # lines 8 and 9
        state.added[action] = (found + padding) * radius
        return state


def upucb_naff_bl(arms, mu0, most_affected, beta):
    r"""UpUCB-nAff (bl): affected sets unknown, baseline and a bound on the number of affected variables known.

    The index sums :math:`\hat\mu^a(i)+c^a-\mu^0(i)` over the variables whose confidence interval excludes the baseline,
    and over the largest others until there are L. Only the played action's index changes: a round costs O(m). With
    L = m this is UCB.

    Parameters
    ----------
    arms : int >= 1, number of actions K
    mu0 : array_like, shape (m,)
        Expected payoffs of the baseline.
    most_affected : int or sequence of int, shape (K,)
        L: no action affects more variables; from 1 to m.
    beta : float > 0, exploration; log(1/δ') in Theorem 2

    References
    ----------
    Hsieh, Kasiviswanathan, Kveton, Uplifting Bandits, NeurIPS 2022, Algorithm 3; Proposition 4 for one L per action.
    """
    mu0 = vector("mu0", mu0)
    return NAffbl(mu0, limits_of(most_affected, how_many("arms", arms, 32 * len(mu0)), len(mu0)), exploration(beta))


class NAff(NamedTuple):
    """Algorithm 4: what `upucb_naff` returns."""

    arms: int
    variables: int
    limit: int  # 2 L
    two_beta: float

    def actions(self):
        return self.arms, self.variables, self.variables

    diagnostics, select, indices = NAffbl.diagnostics, NAffbl.select, NAffbl.indices

    def init(self, rng):
        return unseen(self.arms, self.variables)

    def update(self, state, action, observation, t, rng):
        pulls, sums, index = state.pulls, state.sums, state.index
        add(pulls, sums, action, observation.y)
        b = place_of_largest(pulls)  # line 4; another than before only if it was played now
        first, last = action, action + 1
        if action == b:  # every index compares with it
            first, last = 0, self.arms
            for i in range(self.variables):
                state.base[i] = sums[b, i] / pulls[b]
        known = math.sqrt(self.two_beta / pulls[b])
        for a in range(first, last):  # line 5
            if pulls[a] > 0.0:
                radius = math.sqrt(self.two_beta / pulls[a])
                index[a], summed = self.relative(state, a, radius, known)
                state.added[a] = summed * (radius - known)
        index[b] = state.added[b] = 0.0
        return state

    def relative(self, state, a, radius, known):
        """The index of an action against the means of b_t, whose radius is `known`, and how many variables it sums.

        ``state.base`` must hold the means of that very b_t.
        """
        sums, rho, n = state.sums, state.rho, state.pulls[a]
        total, found, left = 0.0, 0, 0
        both, lead = radius + known, radius - known
        for i in range(self.variables):
            difference = sums[a, i] / n - state.base[i]
            value, disjoint = difference + lead, abs(difference) > both  # line 6: the intervals are disjoint
            total += value if disjoint else 0.0  # line 7: U^a - U^b; no branch, it would be foreseen too rarely
            found += disjoint
            rho[left] = value
            left += (value > 0.0) & (not disjoint)
        padding = min(max(0, self.limit - found), left)  # line 8
        return total + sum_of_largest(rho, left, padding), found + padding  # lines 9 and 10


def upucb_naff(arms, variables, most_affected, beta):
    r"""UpUCB-nAff: neither affected sets nor baseline are known, only how many variables an action affects at most.

    Actions are compared with the one played most, :math:`b_t`: the index sums
    :math:`\hat\mu^a(i)+c^a-\hat\mu^{b_t}(i)-c^{b_t}` over the variables whose intervals are disjoint, and over the
    largest positive others until there are 2 L. A round costs O(m), or O(Km) where :math:`b_t` is played; the state
    has 8 K m bytes and some.

    Parameters
    ----------
    arms : int >= 1, number of actions K
    variables : int >= 1, number of payoffs m
    most_affected : int from 1 to m, L: no action affects more variables
    beta : float > 0, exploration; log(1/δ') in Theorem 2

    References
    ----------
    Uplifting Bandits, Algorithm 4.
    """
    arms = how_many("arms", arms, 64)
    variables = how_many("variables", variables, 32 * arms)
    limit = 2 * whole("most_affected", most_affected, 1, variables)
    return NAff(arms, variables, limit, exploration(beta))
