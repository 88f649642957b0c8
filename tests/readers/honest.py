"""Right policies in the style of people who read the pages and no source: indices. `check_policy` fails none of them.

Those that draw stand in `honest_draws`, those of phases and windows in `honest_phases`, those that play something else
than arms in `honest_spaces`.
"""

import math
from typing import NamedTuple

import numpy as np

from banditlab import classic

ARMS = classic.bernoulli([0.2, 0.5, 0.9])
NORMAL = classic.gaussian([0.0, 0.5, 1.5], sigma=1.0)


class Sums(NamedTuple):
    n: np.ndarray
    s: np.ndarray


class Learner(NamedTuple):
    k: int

    def init(self, rng):
        return Sums(np.zeros(self.k), np.zeros(self.k))

    def update(self, state, action, observation, t, rng):
        state.n[action] += 1
        state.s[action] += observation
        return state


class VectorUCB(Learner):
    def select(self, state, t, rng):
        if t < self.k:
            return t
        return np.argmax(state.s / state.n + np.sqrt(2 * np.log(t) / state.n))


class TupleUCB(NamedTuple):
    k: int

    def init(self, rng):
        return np.zeros(self.k), np.zeros(self.k)

    def select(self, state, t, rng):
        n, s = state
        for a in range(self.k):
            if n[a] == 0:
                return a
        best = 0
        value = -1e9
        for a in range(self.k):
            u = s[a] / n[a] + math.sqrt(2 * math.log(t + 1) / n[a])
            if u > value:
                value = u
                best = a
        return best

    def update(self, state, action, observation, t, rng):
        n, s = state
        n[action] += 1
        s[action] += observation
        return n, s


class Immutable(NamedTuple):
    k: int

    def init(self, rng):
        return Sums(np.ones(self.k), np.ones(self.k))

    def select(self, state, t, rng):
        return int((state.s / state.n + np.sqrt(np.log(t + 2) / state.n)).argmax())

    def update(self, state, action, observation, t, rng):
        hot = np.zeros(self.k)
        hot[action] = 1.0
        return Sums(state.n + hot, state.s + observation * hot)


class RandomTies(Learner):
    def select(self, state, t, rng):
        index = np.where(
            state.n > 0, state.s / np.maximum(state.n, 1) + np.sqrt(2 * np.log(t + 1) / np.maximum(state.n, 1)), 1e12
        )
        ties = np.flatnonzero(index == index.max())
        return ties[rng.integers(0, len(ties))]


class DoublingUCB(NamedTuple):
    k: int

    def init(self, rng):
        return np.zeros(self.k), np.zeros(self.k), np.array([8])

    def select(self, state, t, rng):
        n, s, epoch = state
        for a in range(self.k):
            if n[a] == 0:
                return a
        return np.argmax(s / n + np.sqrt(np.log(epoch[0]) / n))

    def update(self, state, action, observation, t, rng):
        n, s, epoch = state
        n[action] += 1
        s[action] += observation
        if t + 1 >= epoch[0]:
            epoch[0] *= 2
            n *= 0.5
            s *= 0.5
        return state


class Three(NamedTuple):
    n: np.ndarray
    s: np.ndarray
    sq: np.ndarray


class UCBTuned(NamedTuple):
    k: int

    def init(self, rng):
        return Three(np.zeros(self.k), np.zeros(self.k), np.zeros(self.k))

    def select(self, state, t, rng):
        if state.n.min() == 0:
            return int(state.n.argmin())
        mean = state.s / state.n
        log = np.log(t)
        var = state.sq / state.n - mean**2 + np.sqrt(2 * log / state.n)
        return int(np.argmax(mean + np.sqrt(log / state.n * np.minimum(0.25, var))))

    def update(self, state, action, observation, t, rng):
        state.n[action] += 1
        state.s[action] += observation
        state.sq[action] += observation**2
        return state


class ByIndex(Learner):
    def index(self, mean, n, t):
        return mean

    def select(self, state, t, rng):
        values = np.zeros(self.k)
        for a in range(self.k):
            values[a] = np.inf if state.n[a] == 0 else self.index(state.s[a] / state.n[a], state.n[a], t)
        return values.argmax()


class KLUCB(ByIndex):
    def index(self, mean, n, t):
        lo, hi = mean, 1.0
        while hi - lo > 1e-6:
            q = (lo + hi) / 2
            kl = 0.0
            if mean > 0:
                kl += mean * np.log(mean / q)
            if mean < 1:
                kl += (1 - mean) * np.log((1 - mean) / (1 - q))
            if n * kl > np.log(t + 1):
                hi = q
            else:
                lo = q
        return lo


POLICIES = [
    (ARMS, VectorUCB(3)),
    (ARMS, TupleUCB(3)),
    (ARMS, Immutable(3)),
    (ARMS, RandomTies(3)),
    (ARMS, DoublingUCB(3)),
    (ARMS, UCBTuned(3)),
    (ARMS, KLUCB(3)),
]
