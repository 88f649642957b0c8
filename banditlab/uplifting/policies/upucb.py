"""UpUCB: optimism about uplifts, where the affected sets are known."""

import math
from typing import NamedTuple

import numpy as np

from ...protocol import helper
from ...validate import vector, whole
from ..arguments import exploration, sets, weights
from .reward import counted, enter, fresh, largest


class UpUCBbl(NamedTuple):
    """Algorithm 1: what `upucb_bl` returns."""

    mu0: np.ndarray  # (m,) expected payoffs of the baseline
    members: np.ndarray  # (K, most) affected variables, then -1
    lengths: np.ndarray  # (K,) how many they are
    widths: np.ndarray  # (K,) how many variables they stand for
    twice: float  # 2 beta
    total: int  # m

    def actions(self):
        return len(self.lengths), len(self.mu0), self.total

    def tally(self, world, state):
        return counted(state.pulls)

    def init(self, rng):
        return fresh(len(self.lengths))

    def select(self, state, t, rng):
        return largest(state.index)

    def update(self, state, action, observation, t, rng):
        mu0, members, y = self.mu0, self.members, observation.y
        uplift = 0.0
        for j in range(self.lengths[action]):
            i = members[action, j]
            uplift += y[i] - mu0[i]
        enter(state, action, uplift, self.twice, self.widths[action])
        return state


def upucb_bl(affected, mu0, beta, sizes=None):
    r"""UpUCB (bl): the action of largest :math:`\sum_{i\in\mathcal V^a}(\hat\mu^a(i)+c^a-\mu^0(i))`, baseline known.

    Parameters
    ----------
    affected : list of K lists of int, or array of bool, shape (K, m)
        The variables that each action affects, from 0; no set is empty.
    mu0 : array_like, shape (m,)
        Expected payoffs of the baseline.
    beta : float
        Exploration, positive: :math:`c^a=\sqrt{2\beta/N^a}`; log(1/δ') in Proposition 1.
    sizes : array_like, shape (m,), optional
        How many variables each payoff shown is the sum of (clusters); a radius counts once for each of them.

    Returns
    -------
    UpUCBbl
        The policy; if every action affects every variable it is UCB.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Hsieh, Kasiviswanathan, Kveton, Uplifting Bandits, NeurIPS 2022, Algorithm 1.
    """
    mu0 = vector("mu0", mu0)
    affected, sizes = sets(affected, len(mu0)), weights(sizes, len(mu0))
    lengths = affected.sum(axis=1)
    members = np.full((len(affected), lengths.max()), -1, np.int64)
    for a, row in enumerate(affected):
        members[a, : lengths[a]] = np.flatnonzero(row)
    return UpUCBbl(mu0, members, lengths, (affected * sizes).sum(axis=1), exploration(beta), int(sizes.sum()))


def upucb_offline(affected, estimate, samples, beta, sizes=None):
    r"""UpUCB with a baseline estimated beforehand: its *lower* confidence bound is subtracted, in every round alike.

    The error of the estimate stays: the best action is found only if the number of samples is at least of
    order :math:`L^2/\Delta^2`. `upucb_lcb` differs, as it goes on learning the baseline.

    Parameters
    ----------
    affected : list of K lists of int, or array of bool, shape (K, m)
        The variables that each action affects, from 0; no set is empty.
    estimate : array_like, shape (m,)
        Mean payoffs of observational data without any action.
    samples : int
        How many data these are, at least 1.
    beta : float
        Exploration, positive; it gives the radii of the baseline too.
    sizes : array_like, shape (m,), optional
        How many variables each payoff shown is the sum of (clusters); a radius counts once for each of them.

    Returns
    -------
    UpUCBbl
        The policy.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Uplifting Bandits, Section 3, "Estimating Baseline Payoffs from Observational Data".
    """
    estimate = vector("estimate", estimate)
    radius = math.sqrt(exploration(beta) / whole("samples", samples, 1))
    return upucb_bl(affected, estimate - weights(sizes, len(estimate)) * radius, beta, sizes)


class Groups(NamedTuple):
    """What UpUCB remembers: variables affected by the same actions share their counts."""

    pulls: np.ndarray  # (K,)
    sums: np.ndarray  # (K,) payoffs of the affected variables
    own: np.ndarray  # (K,) optimistic payoff of the affected variables, infinite before the first pull
    index: np.ndarray  # (K,) the same minus the estimated baseline
    base: np.ndarray  # (G, 2) rounds in which a group was not affected, and its payoffs in them


@helper
def played(policy, state, action, y):
    """Enter a round; return the payoff of the affected variables."""
    starts, order, member, base = policy.starts, policy.order, policy.member, state.base
    inside = 0.0
    for g in range(len(base)):
        payoff = 0.0
        for j in range(starts[g], starts[g + 1]):
            payoff += y[order[j]]
        if member[g, action]:
            inside += payoff
        else:
            base[g, 0] += 1.0
            base[g, 1] += payoff
    return inside


class UpUCB(NamedTuple):
    """Algorithm 2: what `upucb` and `upucb_lcb` return."""

    order: np.ndarray  # variables that some action affects, group by group
    starts: np.ndarray  # (G + 1,) where the groups begin
    member: np.ndarray  # (G, K) bool: whether the action affects the group
    sizes: np.ndarray  # (G,) how many variables a group stands for
    widths: np.ndarray  # (K,) how many variables an action affects
    lean: float  # 1: upper confidence bound of the baseline is subtracted; -1: the lower one
    twice: float  # 2 beta
    observed: int
    total: int  # m

    def actions(self):
        return len(self.widths), self.observed, self.total

    def tally(self, world, state):
        return counted(state.pulls)

    def init(self, rng):
        arms = len(self.widths)
        unknown = np.full(arms, np.inf)
        return Groups(np.zeros(arms), np.zeros(arms), unknown, unknown.copy(), np.zeros((len(self.sizes), 2)))

    def select(self, state, t, rng):
        return largest(state.index)

    def update(self, state, action, observation, t, rng):
        pulls, sums, own, index, base = state.pulls, state.sums, state.own, state.index, state.base
        member = self.member
        pulls[action] += 1.0
        sums[action] += played(self, state, action, observation.y)
        own[action] = sums[action] / pulls[action] + self.widths[action] * math.sqrt(self.twice / pulls[action])
        for a in range(len(index)):
            index[a] = own[a]
        for g in range(len(base)):
            baseline = self.baseline(base, g)
            for a in range(len(index)):
                if member[g, a]:
                    index[a] -= baseline
        return state

    def baseline(self, base, g):
        """U^0 of a group, equation (7): 0 without data, as for a group that every action affects."""
        rounds = base[g, 0]
        if rounds == 0.0:
            return 0.0
        return base[g, 1] / rounds + self.lean * self.sizes[g] * math.sqrt(self.twice / rounds)


def grouped(affected, variables, beta, sizes, lean):
    """UpUCB with the variables sorted into groups that the same actions affect."""
    variables = whole("variables", variables, 1)
    affected, sizes = sets(affected, variables), weights(sizes, variables)
    patterns, group = np.unique(affected.T, axis=0, return_inverse=True)
    group = group.ravel()
    used = [g for g in range(len(patterns)) if patterns[g].any()]
    parts = [np.flatnonzero(group == g) for g in used]
    return UpUCB(
        np.concatenate(parts),
        np.concatenate([[0], np.cumsum([len(part) for part in parts])]),
        np.ascontiguousarray(patterns[used]),
        np.array([sizes[part].sum() for part in parts]),
        (affected * sizes).sum(axis=1),
        lean,
        exploration(beta),
        variables,
        int(sizes.sum()),
    )


def upucb(affected, variables, beta, sizes=None):
    r"""UpUCB: the action of largest :math:`\sum_{i\in\mathcal V^a}(\hat\mu^a(i)+c^a-U^0(i))`, baseline learnt.

    The baseline of a variable is learnt from the rounds whose action does not affect it; its *upper* confidence bound
    is subtracted. A variable that every action affects has baseline 0. A round costs O(m + KG), where G is the number
    of groups of variables that the same actions affect.

    Parameters
    ----------
    affected : list of K lists of int, or array of bool, shape (K, m)
        The variables that each action affects, from 0; no set is empty.
    variables : int
        Number of payoffs m that a round shows, at least 1.
    beta : float
        Exploration, positive; log(1/δ') in Theorem 1.
    sizes : array_like, shape (m,), optional
        How many variables each payoff shown is the sum of (clusters).

    Returns
    -------
    UpUCB
        The policy.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Uplifting Bandits, Algorithm 2.
    """
    return grouped(affected, variables, beta, sizes, 1.0)


def upucb_lcb(affected, variables, beta, sizes=None):
    """UpUCB that subtracts the baseline's lower confidence bound: the ablation of Figure 3.

    Parameters
    ----------
    affected : list of K lists of int, or array of bool, shape (K, m)
        The variables that each action affects, from 0; no set is empty.
    variables : int
        Number of payoffs m that a round shows, at least 1.
    beta : float
        Exploration, positive.
    sizes : array_like, shape (m,), optional
        How many variables each payoff shown is the sum of (clusters).

    Returns
    -------
    UpUCB
        The policy.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Uplifting Bandits, Section 7, Figure 3 (a).
    """
    return grouped(affected, variables, beta, sizes, -1.0)
