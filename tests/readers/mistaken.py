"""Wrong policies with one honest mistake each, of people who read the pages and no source: told at the start.

They are told before anything is compiled, or at the compiler's first word. Those whose runs tell stand in
`mistaken_late`.
"""

import math
from typing import NamedTuple

import numpy as np

from . import honest
from .honest import ARMS, Sums
from .honest_spaces import BALL, SEMI, TopK


class Learner(honest.Learner):
    """Right as it stands; each class below has one mistake."""

    def actions(self):
        return self.k

    def select(self, state, t, rng):
        for a in range(self.k):
            if state.n[a] == 0:
                return a
        return np.argmax(state.s / state.n + np.sqrt(np.log(t + 1) / state.n))


class FieldMutated(NamedTuple):
    """Counts kept in a field of the policy."""

    counts: np.ndarray

    def init(self, rng):
        return np.zeros(3)

    def select(self, state, t, rng):
        if t < 3:
            return t
        return np.argmax(state / self.counts + np.sqrt(np.log(t + 1) / self.counts))

    def update(self, state, action, observation, t, rng):
        self.counts[action] += 1
        state[action] += observation
        return state


START = np.zeros((2, 3))


class SharedStart(NamedTuple):
    """Init returns a module's array, shared by all runs."""

    k: int

    def init(self, rng):
        return START

    def select(self, state, t, rng):
        for a in range(self.k):
            if state[0, a] == 0:
                return a
        return np.argmax(state[1] / state[0] + np.sqrt(np.log(t + 1) / state[0]))

    def update(self, state, action, observation, t, rng):
        state[0, action] += 1
        state[1, action] += observation
        return state


class TooShort(Learner):
    """State too short."""

    def init(self, rng):
        return Sums(np.zeros(self.k - 1), np.zeros(self.k - 1))

    def select(self, state, t, rng):
        return t % self.k


CLOCK = np.zeros(1)


class GlobalClock(Learner):
    """A global that changes with time."""

    def select(self, state, t, rng):
        CLOCK[0] += 1
        if CLOCK[0] <= 3:
            return int(CLOCK[0]) - 1
        return np.argmax(state.s / np.maximum(state.n, 1) + np.sqrt(np.log(CLOCK[0]) / np.maximum(state.n, 1)))


class FloatAction(Learner):
    """Action is a float."""

    def select(self, state, t, rng):
        if rng.random() < 0.1:
            return np.floor(rng.random() * self.k)
        return float(np.argmax(state.s / np.maximum(state.n, 1)))


class ForgotReturn(Learner):
    """Update forgets to return."""

    def update(self, state, action, observation, t, rng):
        state.n[action] += 1
        state.s[action] += observation


class Swapped(Learner):
    """Arguments of update swapped."""

    def update(self, state, observation, action, t, rng):
        state.n[action] += 1
        state.s[action] += observation
        return state


class OneTooMany(NamedTuple):
    """One item too many."""

    n: int
    m: int

    def init(self, rng):
        return Sums(np.zeros(self.n), np.zeros(self.n))

    def select(self, state, t, rng):
        index = np.where(state.n == 0, 9.9, state.s / np.maximum(state.n, 1))
        chosen = np.zeros(self.n, dtype=np.int64)
        for i in np.argsort(-index)[: self.m + 1]:
            chosen[i] = 1
        return chosen

    def update(self, state, action, observation, t, rng):
        return Sums(state.n + action, state.s + observation)


class LeavesBall(NamedTuple):
    """Leaves the ball."""

    d: int

    def init(self, rng):
        return np.zeros(self.d)

    def select(self, state, t, rng):
        x = np.zeros(self.d)
        if t < 20 * self.d:
            x[t % self.d] = 1.0
            return x
        return state

    def update(self, state, action, observation, t, rng):
        if t < 20 * self.d:
            state[t % self.d] += observation
        return state


class NoModulo(NamedTuple):
    """A window without modulo."""

    k: int
    window: int

    def init(self, rng):
        return np.full(self.window, -1), np.zeros(self.window)

    def select(self, state, t, rng):
        arms, rewards = state
        best, top = 0, -1.0
        for a in range(self.k):
            n = (arms == a).sum()
            if n == 0:
                return a
            u = (rewards * (arms == a)).sum() / n + math.sqrt(math.log(t + 1) / n)
            if u > top:
                best, top = a, u
        return best

    def update(self, state, action, observation, t, rng):
        arms, rewards = state
        arms[t] = action
        rewards[t] = observation
        return arms, rewards


class OwnSeed(Learner):
    """Own generator with a fixed seed."""

    def select(self, state, t, rng):
        own = np.random.default_rng(t)
        if own.random() < 0.1:
            return int(self.k * own.random())
        return np.argmax(state.s / np.maximum(state.n, 1))


class LogZero(Learner):
    """Log(0) in the first round."""

    def select(self, state, t, rng):
        bonus = math.sqrt(math.log(t))
        for a in range(self.k):
            if state.n[a] == 0:
                return a
        return np.argmax(state.s / state.n + bonus / np.sqrt(state.n))


class EatsAction(NamedTuple):
    """Changes the action in place."""

    n: int
    k: int

    def init(self, rng):
        return np.ones(self.n), np.ones(self.n)

    def select(self, state, t, rng):
        draws = np.array([rng.beta(state[0][i], state[1][i]) for i in range(self.n)])
        return np.argsort(-draws)[: self.k]

    def update(self, state, action, observation, t, rng):
        a, b = state
        action.sort()
        a[action] += observation
        b[action] += 1 - observation
        return a, b


class EliminatesAll(NamedTuple):
    """Sees an arm as eliminated for ever, and then eliminates all."""

    k: int

    def init(self, rng):
        return np.ones(self.k, dtype=np.bool_), np.zeros(self.k), np.zeros(self.k)

    def select(self, state, t, rng):
        alive, n, s = state
        index = np.arange(self.k)[alive]
        return index[t % len(index)]

    def update(self, state, action, observation, t, rng):
        alive, n, s = state
        n[action] += 1
        s[action] += observation
        if n.min() > 0:
            means = s / n
            for a in range(self.k):
                if means[a] <= means.max() - 0.5 / np.sqrt(t + 1) or n[a] > 200:
                    alive[a] = False
        return alive, n, s


class FewerArms(Learner):
    """Answers for fewer arms than there are."""

    pass


POLICIES = [
    (ARMS, FieldMutated(np.zeros(3)), "start it from a copy"),
    (ARMS, SharedStart(3), "global arrays, do not change in a run"),
    (ARMS, TooShort(3), "in update: index 2 is out of bounds"),
    (ARMS, GlobalClock(3), "global arrays, do not change in a run"),
    (ARMS, FloatAction(3), "return a whole number: `int(...)`"),
    (ARMS, ForgotReturn(3), "with `return` and the state"),
    (ARMS, Swapped(3), "must be update(self, state, action, observation, t, rng)"),
    (SEMI, OneTooMany(5, 2), "0 to 2 of them 1"),
    (BALL, LeavesBall(2), "of length at most 1"),
    (ARMS, NoModulo(3, 100), "round 100, in update: index 100"),
    (ARMS, OwnSeed(3), "draw from rng"),
    (ARMS, LogZero(3), "bound it, max(x, 1e-9)"),
    (TopK(np.array([0.1, 0.8, 0.3, 0.6, 0.2]), 2), EatsAction(5, 2), "let `select` return a copy"),
    (ARMS, EliminatesAll(3), "integer modulo by zero"),
    (ARMS, FewerArms(2), "the environment offers 3"),
]
