"""UpUCB-iLift: affected sets unknown, but no individual uplift is smaller than a known number (Section 6.2)."""

import math
from typing import NamedTuple

import numpy as np

from ...building_blocks.growing_arrays import sum_entries
from ...building_blocks.indices import place_of_largest
from ...classic.committing import following
from ...validate import LARGEST, how_many, number, vector
from ..arguments import exploration
from .unknown_sets import NAff, NAffbl, NAffState, add, explain, unseen

__all__ = ["upucb_ilift_bl", "upucb_ilift_naive", "upucb_ilift"]


def identifying_pulls(factor, beta, delta_up):
    """Pulls after which an uplift of delta_up cannot hide: factor * beta / delta_up^2, rounded up but for one ulp."""
    square = delta_up * delta_up
    if not factor * beta <= LARGEST * square:
        raise ValueError(f"delta_up={delta_up}, beta={beta}: {factor:g} beta / delta_up^2 must be at most {LARGEST}")
    return max(1, math.ceil(factor * beta / square - 1e-9))


class ILiftbl(NamedTuple):
    """Algorithm 5: what `upucb_ilift_bl` returns."""

    mu0: np.ndarray  # (m,)
    arms: int
    enough: int  # N_0, pulls that identify
    half: float  # half of the least uplift
    two_beta: float

    def actions(self):
        return self.arms, len(self.mu0), len(self.mu0)

    diagnostics, select, indices = NAffbl.diagnostics, NAffbl.select, NAffbl.indices

    def init(self, rng):
        return unseen(self.arms, len(self.mu0))

    def update(self, state, action, observation, t, rng):
        pulls, sums, mu0 = state.pulls, state.sums, self.mu0
        add(pulls, sums, action, observation.y)
        radius = math.sqrt(self.two_beta / pulls[action])
        threshold = self.half if pulls[action] >= self.enough else -1.0  # line 7; before, all count as affected
        total, summed = 0.0, 0
        for i in range(len(mu0)):
            uplift = sums[action, i] / pulls[action] - mu0[i]
            if abs(uplift) > threshold:  # line 8
                total += uplift + radius  # lines 4 and 5, Eq. (9)
                summed += 1
        state.index[action], state.added[action] = total, summed * radius
        return state


def upucb_ilift_bl(arms, mu0, delta_up, beta):
    r"""UpUCB-iLift (bl): affected sets unknown, baseline and least individual uplift known.

    UCB on the uplift until an action was played :math:`\lceil8\beta/\Delta_{up}^2\rceil` times; from then on it sums
    the variables that moved by more than :math:`\Delta_{up}/2` only.

    Parameters
    ----------
    arms : int >= 1, number of actions K
    mu0 : array_like, shape (m,)
        Expected payoffs of the baseline.
    delta_up : float > 0, least absolute uplift of an affected variable
    beta : float > 0, exploration; log(1/δ') in Theorem 3

    References
    ----------
    Hsieh, Kasiviswanathan, Kveton, Uplifting Bandits, NeurIPS 2022, Algorithm 5.
    """
    mu0, two_beta, delta_up = vector("mu0", mu0), exploration(beta), number("delta_up", delta_up, above=0)
    enough = identifying_pulls(8.0, beta, delta_up)
    return ILiftbl(mu0, how_many("arms", arms, 32 * len(mu0)), enough, delta_up / 2.0, two_beta)


class NaiveILiftState(NamedTuple):
    """What is remembered, and which variables every action was found to affect."""

    payoffs: NAffState
    found: np.ndarray  # (K, m) bool


class NaiveILift(ILiftbl):
    """The naive strategy of Section 6.2.1, with the numbers of Algorithm 5: what `upucb_ilift_naive` returns."""

    def diagnostics(self, world, state):
        return {"pulls": state.payoffs.pulls}

    def init(self, rng):
        m = len(self.mu0)
        return NaiveILiftState(unseen(self.arms, m), np.zeros((self.arms, m), np.bool_))

    def select(self, state, t, rng):
        return t % self.arms if t < self.arms * self.enough else place_of_largest(state.payoffs.index)

    def indices(self, state, t):
        return explain(state.payoffs, self.enough)  # from when an action is identified

    def update(self, state, action, observation, t, rng):
        pulls, sums, mu0, found = state.payoffs.pulls, state.payoffs.sums, self.mu0, state.found
        add(pulls, sums, action, observation.y)
        if pulls[action] == self.enough:
            for i in range(len(mu0)):
                found[action, i] = abs(sums[action, i] / pulls[action] - mu0[i]) > self.half
        radius, total = math.sqrt(self.two_beta / pulls[action]), 0.0
        for i in range(len(mu0)):
            if found[action, i]:
                total += sums[action, i] / pulls[action] + radius - mu0[i]
        state.payoffs.index[action], state.payoffs.added[action] = total, sum_entries(found[action]) * radius
        return state


def upucb_ilift_naive(arms, mu0, delta_up, beta):
    r"""The strategy that UpUCB-iLift (bl) improves: identify the affected variables of all actions, then UpUCB (bl).

    All actions are played in turn until each had :math:`\lceil8\beta/\Delta_{up}^2\rceil` pulls. What moved by more
    than :math:`\Delta_{up}/2` by then counts as affected for ever (Section 6.2.1).

    Parameters
    ----------
    arms, mu0, delta_up, beta
        As in `upucb_ilift_bl`.
    """
    return NaiveILift(*upucb_ilift_bl(arms, mu0, delta_up, beta))


class ILiftState(NamedTuple):
    """Where UpUCB-iLift stands."""

    payoffs: NAffState
    alive: np.ndarray  # (K,) bool: whether an action survives
    found: np.ndarray  # (K, m) bool: whether a survivor was found to affect the variable
    sweep: int  # sweeps of phase I that are finished
    turn: int  # next action of phase I; the number of actions in phase II


class ILift(NamedTuple):
    """Algorithm 6: what `upucb_ilift` returns."""

    arms: int
    variables: int
    enough: int  # N_0, sweeps of phase I
    two_beta: float

    actions = NAff.actions

    def diagnostics(self, world, state):
        return {"pulls": state.payoffs.pulls, "surviving actions": float(state.alive.sum())}

    def init(self, rng):
        K, m = self.arms, self.variables
        return ILiftState(unseen(K, m), np.ones(K, np.bool_), np.zeros((K, m), np.bool_), 0, 0)

    def select(self, state, t, rng):
        if state.turn < self.arms:
            return state.turn  # line 6
        return place_of_largest(state.payoffs.index)  # line 19

    def indices(self, state, t):
        """Estimated uplift, what optimism adds to it, and index, of the survivors in phase II; nan otherwise."""
        payoffs, alive, found, _, turn = state
        shown = np.full((3, self.arms), np.nan)
        if turn == self.arms:
            for a in range(self.arms):
                if alive[a]:
                    shown[0, a], shown[2, a] = self.estimate(payoffs, alive, found, a), payoffs.index[a]
                    shown[1, a] = shown[2, a] - shown[0, a]
        return shown

    def estimate(self, payoffs, alive, found, a):
        """Estimated uplift of the variables that the action was found to affect."""
        total = 0.0
        for i in range(self.variables):
            if found[a, i]:
                total += payoffs.sums[a, i] / payoffs.pulls[a]
                k = self.untouched(payoffs, alive, found, i)
                if k >= 0:
                    total -= payoffs.sums[k, i] / payoffs.pulls[k]
        return total

    def update(self, state, action, observation, t, rng):
        payoffs, alive, found, sweep, turn = state
        add(payoffs.pulls, payoffs.sums, action, observation.y)
        if turn < self.arms:
            turn = following(alive, turn + 1)
            if turn == self.arms:
                sweep += 1  # line 4
                left = self.eliminate(payoffs, alive, sweep)
                turn = following(alive, 0)
                if left == 1 or sweep == self.enough:
                    turn = self.arms
                    self.identify(payoffs, alive, found)
        if turn == self.arms:
            self.refresh(payoffs, alive, found)
        return ILiftState(payoffs, alive, found, sweep, turn)

    def eliminate(self, payoffs, alive, sweep):
        """Lines 8 and 9: drop every action that is surely not the best; return how many are left."""
        reward, width = payoffs.index, 2.0 * self.variables * math.sqrt(self.two_beta / sweep)  # 2 c_l
        best, left = -np.inf, 0
        for a in range(self.arms):
            reward[a] = -np.inf
            if alive[a]:
                reward[a] = sum_entries(payoffs.sums[a]) / sweep
                best = max(best, reward[a])
        for a in range(self.arms):
            alive[a] = alive[a] and reward[a] + width >= best
            left += alive[a]
        return left

    def identify(self, payoffs, alive, found):
        """Line 15: a survivor affects the variables on which its interval meets that of no other, Eq. (13)."""
        pulls, sums = payoffs.pulls, payoffs.sums
        for a in range(self.arms):
            for i in range(self.variables):
                found[a, i] = alive[a]
                for b in range(self.arms):
                    if alive[a] and alive[b] and b != a:
                        radii = math.sqrt(self.two_beta / pulls[a]) + math.sqrt(self.two_beta / pulls[b])
                        if abs(sums[a, i] / pulls[a] - sums[b, i] / pulls[b]) <= radii:
                            found[a, i] = False

    def refresh(self, payoffs, alive, found):
        """Lines 17 and 18: the baseline of every variable, and the indices."""
        for i in range(self.variables):
            payoffs.base[i] = self.baseline(payoffs, alive, found, i)
        for a in range(self.arms):
            payoffs.index[a] = self.index(payoffs, found, a) if alive[a] else -np.inf

    def baseline(self, payoffs, alive, found, i):
        """U^0 of a variable, Eq. (14): that of the most played survivor that does not affect it; 0 if there is none."""
        k = self.untouched(payoffs, alive, found, i)
        if k < 0:
            return 0.0
        return payoffs.sums[k, i] / payoffs.pulls[k] + math.sqrt(self.two_beta / payoffs.pulls[k])

    def untouched(self, payoffs, alive, found, i):
        """The most played survivor that does not affect a variable, -1 if there is none."""
        pulls, k = payoffs.pulls, -1
        for a in range(self.arms):
            if alive[a] and not found[a, i] and (k < 0 or pulls[a] > pulls[k]):
                k = a
        return k

    def index(self, payoffs, found, a):
        """The sum of U^a - U^0 over the variables that the action was found to affect."""
        n = payoffs.pulls[a]
        radius, total = math.sqrt(self.two_beta / n), 0.0
        for i in range(self.variables):
            if found[a, i]:
                total += payoffs.sums[a, i] / n + radius - payoffs.base[i]
        return total


def upucb_ilift(arms, variables, delta_up, beta):
    r"""UpUCB-iLift: affected sets and baseline unknown, least individual uplift known.

    Phase I plays all surviving actions in turn and drops those that are surely not the best. After
    :math:`\lceil32\beta/\Delta_{up}^2\rceil` sweeps the affected variables of the survivors are read off their
    confidence intervals, and phase II is UpUCB with these; the baseline of a variable is learnt from the most played
    of the survivors that do not affect it.

    Parameters
    ----------
    arms : int >= 1, number of actions K
    variables : int >= 1, number of payoffs m
    delta_up : float > 0
        Least distance of the expected payoffs of an affected variable under two actions (Assumption 1).
    beta : float > 0, exploration; log(1/δ') in Theorem 4

    References
    ----------
    Uplifting Bandits, Algorithm 6; the identification looks at survivors only, as the proof does.
    """
    two_beta, delta_up = exploration(beta), number("delta_up", delta_up, above=0)
    enough = identifying_pulls(32.0, beta, delta_up)
    arms = how_many("arms", arms, 64)
    return ILift(arms, how_many("variables", variables, 32 * arms), enough, two_beta)
