"""UpUCB-iLift: affected sets unknown, but no individual uplift is smaller than a known number."""

import math
from typing import NamedTuple

import numpy as np

from ...protocol import helper
from ...validate import LARGEST, number, vector, whole
from ..arguments import exploration
from .naff import Payoffs, add, unseen
from .reward import counted, largest


def sufficient(factor, beta, delta_up):
    """Pulls after which an uplift of delta_up cannot hide: factor * beta / delta_up^2, rounded up but for one ulp."""
    square = delta_up * delta_up
    if not factor * beta <= LARGEST * square:
        raise ValueError(f"delta_up={delta_up}, beta={beta}: {factor:g} beta / delta_up^2 must be at most {LARGEST}")
    return max(1, math.ceil(factor * beta / square - 1e-9))


class ILiftbl(NamedTuple):
    """Algorithm 5: what `upucb_ilift_bl` returns."""

    mu0: np.ndarray  # (m,)
    arms: int
    enough: int  # pulls that identify
    half: float  # half of the least uplift
    twice: float  # 2 beta

    def actions(self):
        return self.arms, len(self.mu0), len(self.mu0)

    def tally(self, world, state):
        return counted(state.pulls)

    def init(self, rng):
        return unseen(self.arms, len(self.mu0))

    def select(self, state, t, rng):
        return largest(state.index)

    def update(self, state, action, observation, t, rng):
        pulls, sums, mu0 = state.pulls, state.sums, self.mu0
        add(pulls, sums, action, observation.y)
        radius = math.sqrt(self.twice / pulls[action])
        threshold = self.half if pulls[action] >= self.enough else -1.0
        total = 0.0
        for i in range(len(mu0)):
            uplift = sums[action, i] / pulls[action] - mu0[i]
            if abs(uplift) > threshold:
                total += uplift + radius
        state.index[action] = total
        return state


def upucb_ilift_bl(arms, mu0, delta_up, beta):
    r"""UpUCB-iLift (bl): affected sets unknown, baseline and least individual uplift known.

    UCB on the uplift until an action was played :math:`\lceil8\beta/\Delta_{up}^2\rceil` times; from then on it sums
    the variables that moved by more than :math:`\Delta_{up}/2` only.

    Parameters
    ----------
    arms : int
        Number of actions K, at least 1.
    mu0 : array_like, shape (m,)
        Expected payoffs of the baseline.
    delta_up : float
        Least absolute uplift of an affected variable, positive.
    beta : float
        Exploration, positive; log(1/δ') in Theorem 3.

    Returns
    -------
    ILiftbl
        The policy.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Hsieh, Kasiviswanathan, Kveton, Uplifting Bandits, NeurIPS 2022, Algorithm 5.
    """
    mu0, twice, delta_up = vector("mu0", mu0), exploration(beta), number("delta_up", delta_up, above=0)
    return ILiftbl(mu0, whole("arms", arms, 1), sufficient(8.0, beta, delta_up), delta_up / 2.0, twice)


class Identified(NamedTuple):
    """What is remembered, and which variables every action was found to affect."""

    payoffs: Payoffs
    found: np.ndarray  # (K, m) bool


class NaiveILift(NamedTuple):
    """The naive strategy of Section 6.2.1: what `upucb_ilift_naive` returns."""

    mu0: np.ndarray  # (m,)
    arms: int
    enough: int  # pulls that identify
    half: float  # half of the least uplift
    twice: float  # 2 beta

    def actions(self):
        return self.arms, len(self.mu0), len(self.mu0)

    def tally(self, world, state):
        return counted(state.payoffs.pulls)

    def init(self, rng):
        m = len(self.mu0)
        return Identified(unseen(self.arms, m), np.zeros((self.arms, m), np.bool_))

    def select(self, state, t, rng):
        if t < self.arms * self.enough:
            return t % self.arms
        return largest(state.payoffs.index)

    def update(self, state, action, observation, t, rng):
        pulls, sums, mu0, found = state.payoffs.pulls, state.payoffs.sums, self.mu0, state.found
        add(pulls, sums, action, observation.y)
        if pulls[action] == self.enough:
            for i in range(len(mu0)):
                found[action, i] = abs(sums[action, i] / pulls[action] - mu0[i]) > self.half
        radius, total = math.sqrt(self.twice / pulls[action]), 0.0
        for i in range(len(mu0)):
            if found[action, i]:
                total += sums[action, i] / pulls[action] + radius - mu0[i]
        state.payoffs.index[action] = total
        return state


def upucb_ilift_naive(arms, mu0, delta_up, beta):
    r"""The strategy that UpUCB-iLift (bl) improves: identify the affected variables of all actions, then UpUCB (bl).

    All actions are played in turn until each had :math:`\lceil8\beta/\Delta_{up}^2\rceil` pulls. What moved by more
    than :math:`\Delta_{up}/2` by then counts as affected for ever.

    Parameters
    ----------
    arms : int
        Number of actions K, at least 1.
    mu0 : array_like, shape (m,)
        Expected payoffs of the baseline.
    delta_up : float
        Least absolute uplift of an affected variable, positive.
    beta : float
        Exploration, positive; log(1/δ').

    Returns
    -------
    NaiveILift
        The policy.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Uplifting Bandits, Section 6.2.1.
    """
    mu0, twice, delta_up = vector("mu0", mu0), exploration(beta), number("delta_up", delta_up, above=0)
    return NaiveILift(mu0, whole("arms", arms, 1), sufficient(8.0, beta, delta_up), delta_up / 2.0, twice)


class Sweep(NamedTuple):
    """Where UpUCB-iLift stands."""

    payoffs: Payoffs  # scratch[0] is the optimistic baseline of phase II
    alive: np.ndarray  # (K,) whether an action survives, 1 or 0
    members: np.ndarray  # (K, 1 + m) how many variables an action was found to affect, and which
    reference: np.ndarray  # (m,) the action that stands for a variable's baseline, or -1
    sweep: int  # sweeps of phase I that are finished
    turn: int  # next action of phase I; -1 in phase II


@helper
def next_alive(alive, a):
    """The first surviving action from a on, or the number of actions."""
    while a < len(alive) and alive[a] == 0:
        a += 1
    return a


@helper
def stands_for(state, i, a):
    """Whether surviving action a was found not to affect variable i: some other survivor cannot be told apart."""
    return state.alive[a] == 1 and not affects(state.members, a, i)


@helper
def affects(members, a, i):
    """Whether variable i is in the sorted list of action a."""
    low, high = 1, members[a, 0] + 1
    while low < high:
        middle = (low + high) // 2
        if members[a, middle] < i:
            low = middle + 1
        else:
            high = middle
    return low <= members[a, 0] and members[a, low] == i


class ILift(NamedTuple):
    """Algorithm 6: what `upucb_ilift` returns."""

    arms: int
    variables: int
    enough: int  # sweeps of phase I
    twice: float  # 2 beta

    def actions(self):
        return self.arms, self.variables, self.variables

    def tally(self, world, state):
        return counted(state.payoffs.pulls) | {"surviving actions": float(state.alive.sum())}

    def init(self, rng):
        members = np.zeros((self.arms, 1 + self.variables), np.int64)
        reference = np.full(self.variables, -1, np.int64)
        return Sweep(unseen(self.arms, self.variables), np.ones(self.arms, np.int64), members, reference, 0, 0)

    def select(self, state, t, rng):
        if state.turn >= 0:
            return state.turn
        return largest(state.payoffs.index)

    def update(self, state, action, observation, t, rng):
        pulls, sums, alive = state.payoffs.pulls, state.payoffs.sums, state.alive
        add(pulls, sums, action, observation.y)
        sweep, turn = state.sweep, state.turn
        if turn < 0:
            self.advance(state, action)
        else:
            turn = next_alive(alive, turn + 1)
            if turn == self.arms:
                sweep += 1
                left = self.eliminate(state, sweep)
                turn = next_alive(alive, 0)
                if left == 1 or sweep == self.enough:
                    turn = -1
                    self.identify(state)
        return Sweep(state.payoffs, alive, state.members, state.reference, sweep, turn)

    def eliminate(self, state, sweep):
        """Drop every action that is surely not the best; return how many are left."""
        sums, alive, index = state.payoffs.sums, state.alive, state.payoffs.index
        width, best, left = 2.0 * self.variables * math.sqrt(self.twice / sweep), -np.inf, 0
        for a in range(self.arms):
            index[a] = -np.inf
            if alive[a] == 1:
                total = 0.0
                for i in range(self.variables):
                    total += sums[a, i]
                index[a] = total / sweep
                best = max(best, index[a])
        for a in range(self.arms):
            if index[a] + width < best:
                alive[a] = 0
            left += alive[a]
        return left

    def identify(self, state):
        """Find out which variables every survivor affects: those where it differs from all other survivors."""
        pulls, sums, alive, members = state.payoffs.pulls, state.payoffs.sums, state.alive, state.members
        for i in range(self.variables):
            for a in range(self.arms):
                alone = alive[a] == 1
                for b in range(self.arms):
                    if alone and b != a and alive[b] == 1:
                        radii = math.sqrt(self.twice / pulls[a]) + math.sqrt(self.twice / pulls[b])
                        alone = abs(sums[a, i] / pulls[a] - sums[b, i] / pulls[b]) > radii
                if alone:
                    members[a, 0] += 1
                    members[a, members[a, 0]] = i
        for a in range(self.arms):
            self.advance(state, a)

    def advance(self, state, action):
        """Renew what the played action may have changed: the reference of each variable, and all indices."""
        pulls, sums, index, scratch = (
            state.payoffs.pulls, state.payoffs.sums, state.payoffs.index, state.payoffs.scratch,
        )  # fmt: skip
        members, reference, alive = state.members, state.reference, state.alive
        for i in range(self.variables):
            k = reference[i]
            if k != action and stands_for(state, i, action):
                if k < 0 or pulls[action] > pulls[k] or (pulls[action] == pulls[k] and action < k):
                    reference[i] = k = action
            if k >= 0:
                scratch[0, i] = sums[k, i] / pulls[k] + math.sqrt(self.twice / pulls[k])
        for a in range(self.arms):
            index[a] = -np.inf
            if alive[a] == 1:
                radius, total = math.sqrt(self.twice / pulls[a]), 0.0
                for j in range(1, members[a, 0] + 1):
                    i = members[a, j]
                    total += sums[a, i] / pulls[a] + radius - scratch[0, i]
                index[a] = total


def upucb_ilift(arms, variables, delta_up, beta):
    r"""UpUCB-iLift: affected sets and baseline unknown, least individual uplift known.

    Phase I plays all surviving actions in turn and drops those that are surely not the best. After
    :math:`\lceil32\beta/\Delta_{up}^2\rceil` sweeps the affected variables of the survivors are read off their
    confidence intervals, and phase II is UpUCB with these; the baseline of a variable is learnt from the most played
    of the survivors that do not affect it.

    Parameters
    ----------
    arms : int
        Number of actions K, at least 1.
    variables : int
        Number of payoffs m, at least 1.
    delta_up : float
        Least distance of the expected payoffs of an affected variable under two actions (Assumption 1), positive.
    beta : float
        Exploration, positive; log(1/δ') in Theorem 4.

    Returns
    -------
    ILift
        The policy.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Uplifting Bandits, Algorithm 6; the identification looks at survivors only, as the proof does.
    """
    twice, delta_up = exploration(beta), number("delta_up", delta_up, above=0)
    enough = sufficient(32.0, beta, delta_up)
    return ILift(whole("arms", arms, 1), whole("variables", variables, 1), enough, twice)
