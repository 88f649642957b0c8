"""Wrong policies with one honest mistake each, of people who read the pages and no source: their runs tell."""

import math
import time
from typing import NamedTuple

import numpy as np

from .honest import ARMS, NORMAL, Sums
from .honest_draws import MeansState
from .honest_spaces import DUELS
from .mistaken import Learner


class LastArmForgotten(Learner):
    """Loop stops one arm short."""

    def select(self, state, t, rng):
        best, top = 0, -1.0
        for a in range(self.k - 1):
            u = np.inf if state.n[a] == 0 else state.s[a] / state.n[a] + np.sqrt(np.log(t + 1) / state.n[a])
            if u > top:
                best, top = a, u
        return best


class GreedyFromZero(Learner):
    """Forgotten exploration: starts from zeros, takes the largest mean."""

    def select(self, state, t, rng):
        return np.argmax(state.s / np.maximum(state.n, 1))


class ReadsTruth(NamedTuple):
    """Reads the truth."""

    means: np.ndarray

    def init(self, rng):
        return 0

    def select(self, state, t, rng):
        return np.argmax(self.means)

    def update(self, state, action, observation, t, rng):
        return state


class NaNStart(Learner):
    """NaN at the start hides in a comparison."""

    def select(self, state, t, rng):
        index = state.s / state.n + np.sqrt(2 * np.log(t) / state.n)
        best, top = 0, -np.inf
        for a in range(self.k):
            if index[a] > top:
                best, top = a, index[a]
        return best


class Schedule(NamedTuple):
    """Not anytime: a schedule for 500 rounds, index beyond the end."""

    eps: np.ndarray

    def init(self, rng):
        return MeansState(np.zeros(3, dtype=np.int64), np.zeros(3))

    def select(self, state, t, rng):
        if rng.random() < self.eps[t]:
            return int(3 * rng.random())
        return np.argmax(state.means)

    def update(self, state, action, observation, t, rng):
        state.counts[action] += 1
        state.means[action] += (observation - state.means[action]) / state.counts[action]
        return state


class NoCounts(Learner):
    """Forgets to count."""

    def update(self, state, action, observation, t, rng):
        state.s[action] += observation
        return state


class ClockTies(Learner):
    """Ties by the clock."""

    def select(self, state, t, rng):
        if state.n.min() == 0:
            return time.time_ns() % self.k
        return np.argmax(state.s / state.n + np.sqrt(np.log(t + 1) / state.n))


class Doubles(NamedTuple):
    """Integer overflow of weights."""

    k: int

    def init(self, rng):
        return np.ones(self.k, dtype=np.int64)

    def select(self, state, t, rng):
        u = rng.random() * state.sum()
        for a in range(self.k):
            u -= state[a]
            if u < 0:
                return a
        return self.k - 1

    def update(self, state, action, observation, t, rng):
        if observation > 0:
            state[action] *= 2
        return state


class IntDivision(NamedTuple):
    """Integer division of wins by pulls."""

    k: int

    def init(self, rng):
        return np.zeros(self.k, dtype=np.int64), np.zeros(self.k, dtype=np.int64)

    def select(self, state, t, rng):
        n, s = state
        if t < self.k:
            return t
        if rng.random() < 0.05:
            return int(self.k * rng.random())
        return np.argmax(s // n)

    def update(self, state, action, observation, t, rng):
        n, s = state
        n[action] += 1
        s[action] += int(observation)
        return n, s


class Alias(Learner):
    """In-place alias: the means are computed in the array of the sums."""

    def select(self, state, t, rng):
        if t < self.k:
            return t
        means = state.s
        means /= state.n
        return np.argmax(means + np.sqrt(np.log(t + 1) / state.n))


class IntSums(Learner):
    """Rewards kept in an array of ints."""

    def init(self, rng):
        return Sums(np.zeros(self.k, dtype=np.int64), np.zeros(self.k, dtype=np.int64))


class NeverStops(Learner):
    """Never stops."""

    def stop(self, state, t):
        n = state.n
        return n.sum() < 0

    def answer(self, state):
        return np.argmax(state.s / np.maximum(state.n, 1))


class StopsAtANumber(NeverStops):
    """Stops where a margin is not zero: the comparison is forgotten."""

    def stop(self, state, t):
        return np.ptp(state.s / np.maximum(state.n, 1)) - 2.0


class StopsAtOnce(Learner):
    """Stops at once."""

    def stop(self, state, t):
        means = np.sort(state.s / np.maximum(state.n, 1))
        return means[-1] - means[-2] >= math.sqrt(math.log(t) / t)

    def answer(self, state):
        return np.argmax(state.s / np.maximum(state.n, 1))


class Turned(NamedTuple):
    """Duels: the win goes to the loser."""

    k: int

    def init(self, rng):
        return np.zeros((self.k, self.k))

    def select(self, state, t, rng):
        theta = np.zeros((self.k, self.k))
        for i in range(self.k):
            for j in range(self.k):
                if i != j:
                    theta[i, j] = rng.beta(state[i, j] + 1, state[j, i] + 1)
        scores = theta.sum(axis=1)
        first = int(scores.argmax())
        scores[first] = -1
        return first, int(scores.argmax())

    def update(self, state, action, observation, t, rng):
        i, j = action
        if observation:
            state[j, i] += 1
        else:
            state[i, j] += 1
        return state


class AnswersValue(Learner):
    """Answer is the value, not the arm."""

    def stop(self, state, t):
        return t >= 300

    def answer(self, state):
        return np.max(state.s / np.maximum(state.n, 1))


class Explodes(NamedTuple):
    """EXP3 without renormalising: overflow."""

    k: int

    def init(self, rng):
        return np.ones(self.k)

    def select(self, state, t, rng):
        p = state / state.sum()
        return np.searchsorted(np.cumsum(p), rng.random())

    def update(self, state, action, observation, t, rng):
        p = state[action] / state.sum()
        state[action] *= np.exp(5.0 * observation / p)
        return state


POLICIES = [
    (ARMS, StopsAtANumber(3), "in stop: it returned -2.0, neither True nor False"),
    (ARMS, AnswersValue(3), "in answer: its action 0.8"),
    (ARMS, LastArmForgotten(3), "treat them alike"),
    (ARMS, GreedyFromZero(3), "it loses more"),
    (ARMS, NaNStart(3), "it loses more"),
    (ARMS, Schedule(np.linspace(1, 0, 500)), "round 500, in select: index 500"),
    (ARMS, NeverStops(3), "no run stops within 1000 rounds"),
    (ARMS, NoCounts(3), "treat them alike"),
    (ARMS, ClockTies(3), "leave the clock out"),
    (ARMS, Doubles(3), "2.0 ** t"),
    (ARMS, IntDivision(3), "it loses more"),
    (NORMAL, IntSums(3), "start with np.zeros(n)"),
    (ARMS, StopsAtOnce(3), "by its answer"),
    (DUELS, Turned(3), "is a sign wrong"),
    (ARMS, Explodes(3), "it loses more"),
    (ARMS, Alias(3), "not told apart"),
    (ARMS, ReadsTruth(np.array([0.2, 0.5, 0.9])), "does it know the means?"),
]
