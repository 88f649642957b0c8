"""UpUCB: optimism about uplifts, where the affected sets are known (Sections 3 and 5, Algorithms 1 and 2)."""

import math
from typing import NamedTuple

import numpy as np

from ...building_blocks.indices import new_indices, place_of_largest
from ...engine.methods import helper
from ...validate import how_many, vector, whole
from ..arguments import alike, exploration, sets, weights
from .ucb_thompson import UCB, enter, optimism

__all__ = ["upucb_bl", "upucb_offline", "upucb", "upucb_lcb"]


class UpUCBbl(NamedTuple):
    """Algorithm 1: what `upucb_bl` returns."""

    mu0: np.ndarray  # (m,) expected payoffs of the baseline
    members: np.ndarray  # (K, most) affected variables, then -1
    lengths: np.ndarray  # (K,) how many they are
    widths: np.ndarray  # (K,) L^a, how many variables they stand for
    two_beta: float
    total: int  # m

    def actions(self):
        return len(self.lengths), len(self.mu0), self.total

    diagnostics = UCB.diagnostics

    def init(self, rng):
        return new_indices(len(self.lengths))  # line 2: an index is infinite until its action was taken

    def select(self, state, t, rng):
        return place_of_largest(state.index)  # line 6

    def indices(self, state, t):
        return optimism(state, self.two_beta, self.widths)

    def update(self, state, action, observation, t, rng):
        mu0, members, y = self.mu0, self.members, observation.y
        uplift = 0.0
        for j in range(self.lengths[action]):
            i = members[action, j]
            uplift += y[i] - mu0[i]
        enter(state, action, uplift, self.two_beta, self.widths[action])  # lines 4 and 5, Eq. (3)
        return state


def members_of(affected):
    """The columns that are true in each row (K, most), then -1; and how many they are (K,)."""
    lengths = affected.sum(axis=1)
    members = np.full((len(affected), lengths.max()), -1, np.int64)
    for a, row in enumerate(affected):
        members[a, : lengths[a]] = np.flatnonzero(row)
    return members, lengths


def upucb_bl(affected, mu0, beta, sizes=None):
    r"""UpUCB (bl): the action of largest :math:`\sum_{i\in\mathcal V^a}(\hat\mu^a(i)+c^a-\mu^0(i))`, baseline known.

    If every action affects every variable this is UCB.

    Parameters
    ----------
    affected : list of K lists of int, or array of bool, shape (K, m)
        The variables that each action affects, from 0; no set is empty.
    mu0 : array_like, shape (m,)
        Expected payoffs of the baseline.
    beta : float > 0, exploration: the radius is sqrt(2 beta / N); log(1/δ') in Proposition 1
    sizes : array_like, shape (m,), optional
        How many variables each payoff shown is the sum of (clusters); a radius counts once for each of them.

    References
    ----------
    Hsieh, Kasiviswanathan, Kveton, Uplifting Bandits, NeurIPS 2022, Algorithm 1.
    """
    mu0 = vector("mu0", mu0)
    affected, sizes = sets(affected, len(mu0)), weights(sizes, len(mu0))
    members, lengths = members_of(affected)
    return UpUCBbl(mu0, members, lengths, (affected * sizes).sum(axis=1), exploration(beta), int(sizes.sum()))


def upucb_offline(affected, estimate, samples, beta, sizes=None):
    r"""UpUCB with a baseline estimated beforehand: its *lower* confidence bound is subtracted, in every round alike.

    The error of the estimate stays: the best action is found only if the number of samples is at least of
    order :math:`L^2/\Delta^2`. `upucb_lcb` differs, as it goes on learning the baseline.

    Parameters
    ----------
    affected
        As in `upucb_bl`.
    estimate : array_like, shape (m,)
        Mean payoffs of observational data without any action.
    samples : int >= 1, how many data these are
    beta : float > 0, exploration; it gives the radii of the baseline too
    sizes
        As in `upucb_bl`.

    References
    ----------
    Uplifting Bandits, Section 3, "Estimating Baseline Payoffs from Observational Data".
    """
    estimate = vector("estimate", estimate)
    radius = math.sqrt(exploration(beta) / whole("samples", samples, 1))
    return upucb_bl(affected, estimate - weights(sizes, len(estimate)) * radius, beta, sizes)


class UpUCBState(NamedTuple):
    """What UpUCB remembers: variables affected by the same actions, a group, share their counts."""

    pulls: np.ndarray  # (K,) N^a
    sums: np.ndarray  # (K,) payoffs of the affected variables
    optimistic: np.ndarray  # (K,) U^a summed over the affected variables, infinite before the first pull
    index: np.ndarray  # (K,) the same minus U^0
    rounds: np.ndarray  # (G,) N^0, rounds in which a group was not affected
    base: np.ndarray  # (G,) payoffs of the group in them
    U0: np.ndarray  # (G,) confidence bounds of the baseline


@helper
def played(policy, state, action, y):
    """Enter the payoffs of the variables that the action leaves alone, Eq. (6); return that of the others."""
    starts, order, member, inside = policy.starts, policy.order, policy.member, 0.0
    for g in range(len(state.base)):
        payoff = 0.0
        for j in range(starts[g], starts[g + 1]):
            payoff += y[order[j]]
        if member[g, action]:
            inside += payoff
        else:
            state.rounds[g] += 1.0
            state.base[g] += payoff
    return inside


class UpUCB(NamedTuple):
    """Algorithm 2: what `upucb` and `upucb_lcb` return."""

    order: np.ndarray  # variables that some action affects, group by group
    starts: np.ndarray  # (G + 1,) where the groups begin
    member: np.ndarray  # (G, K) bool: whether the action affects the group
    groups: np.ndarray  # (K, most) the groups that an action affects, then -1
    lengths: np.ndarray  # (K,) how many they are
    sizes: np.ndarray  # (G,) how many variables a group stands for
    widths: np.ndarray  # (K,) L^a, how many variables an action affects
    lean: float  # 1: upper confidence bound of the baseline is subtracted; -1: the lower one
    two_beta: float
    observed: int
    total: int  # m

    def actions(self):
        return len(self.widths), self.observed, self.total

    diagnostics, select = UpUCBbl.diagnostics, UpUCBbl.select

    def init(self, rng):
        K, G = len(self.widths), len(self.sizes)
        unknown = np.full(K, np.inf)
        return UpUCBState(np.zeros(K), np.zeros(K), unknown, unknown.copy(), np.zeros(G), np.zeros(G), np.zeros(G))

    def indices(self, state, t):
        """Estimated uplift, what optimism adds to it (less than 0 where the baseline is known worse), and index."""
        pulls, shown = state.pulls, np.full((3, len(state.pulls)), np.nan)
        for a in range(len(pulls)):
            if pulls[a] > 0.0:
                shown[0, a], shown[2, a] = state.sums[a] / pulls[a], state.index[a]
                for j in range(self.lengths[a]):
                    g = self.groups[a, j]
                    if state.rounds[g] > 0.0:
                        shown[0, a] -= state.base[g] / state.rounds[g]
                shown[1, a] = shown[2, a] - shown[0, a]
        return shown

    def update(self, state, action, observation, t, rng):
        pulls, sums, optimistic, index, U0 = state.pulls, state.sums, state.optimistic, state.index, state.U0
        pulls[action] += 1.0
        sums[action] += played(self, state, action, observation.y)
        radius = math.sqrt(self.two_beta / pulls[action])  # line 4, Eq. (7)
        optimistic[action] = sums[action] / pulls[action] + self.widths[action] * radius
        for g in range(len(U0)):
            U0[g] = self.baseline(state, g)
        for a in range(len(index)):
            index[a] = optimistic[a]
            for j in range(self.lengths[a]):
                index[a] -= U0[self.groups[a, j]]  # line 5: the sum of U^a - U^0 over the affected variables
        return state

    def baseline(self, state, g):
        """U^0 of a group, Eq. (7): 0 without data, as for a group that every action affects."""
        n = state.rounds[g]
        if n == 0.0:
            return 0.0
        return state.base[g] / n + self.lean * self.sizes[g] * math.sqrt(self.two_beta / n)


def grouped(affected, variables, beta, sizes, lean):
    """UpUCB with the variables sorted into groups that the same actions affect."""
    variables = how_many("variables", variables, 64)
    affected, sizes = sets(affected, variables), weights(sizes, variables)
    patterns, group = alike(affected)
    used = [g for g in range(len(patterns)) if patterns[g].any()]
    parts, member = [np.flatnonzero(group == g) for g in used], np.ascontiguousarray(patterns[used])
    order, starts = np.concatenate(parts), np.cumsum([0, *map(len, parts)])
    counts, widths = np.array([sizes[part].sum() for part in parts]), (affected * sizes).sum(axis=1)
    two_beta, total = exploration(beta), int(sizes.sum())
    return UpUCB(order, starts, member, *members_of(member.T), counts, widths, lean, two_beta, variables, total)


def upucb(affected, variables, beta, sizes=None):
    r"""UpUCB: the action of largest :math:`\sum_{i\in\mathcal V^a}(\hat\mu^a(i)+c^a-U^0(i))`, baseline learnt.

    The baseline of a variable is learnt from the rounds whose action does not affect it; its *upper* confidence bound
    is subtracted. A variable that every action affects has baseline 0. A round costs O(m + KG), where G is the number
    of groups of variables that the same actions affect.

    Parameters
    ----------
    affected
        As in `upucb_bl`.
    variables : int >= 1, number of payoffs m that a round shows
    beta : float > 0, exploration; log(1/δ') in Theorem 1
    sizes
        As in `upucb_bl`.

    References
    ----------
    Uplifting Bandits, Algorithm 2.
    """
    return grouped(affected, variables, beta, sizes, 1.0)


def upucb_lcb(affected, variables, beta, sizes=None):
    """UpUCB that subtracts the baseline's lower confidence bound: the ablation of Figure 3 (a), Section 7.

    Parameters
    ----------
    affected, variables, beta, sizes
        As in `upucb`.
    """
    return grouped(affected, variables, beta, sizes, -1.0)
