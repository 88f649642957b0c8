"""Right policies of people who read the pages and no source: phases, windows, batches, and an end."""

import math
from typing import NamedTuple

import numpy as np

from banditlab import classic

from .honest import ARMS, Sums

MOVING = classic.piecewise([[0.8, 0.3, 0.2], [0.1, 0.3, 0.9]], changes=[500])


class Elim(NamedTuple):
    alive: np.ndarray
    n: np.ndarray
    s: np.ndarray


class Elimination(NamedTuple):
    k: int

    def init(self, rng):
        return Elim(np.ones(self.k, dtype=np.bool_), np.zeros(self.k), np.zeros(self.k))

    def select(self, state, t, rng):
        pulls = np.where(state.alive, state.n, np.inf)
        return pulls.argmin()

    def update(self, state, action, observation, t, rng):
        state.n[action] += 1
        state.s[action] += observation
        n = state.n[state.alive]
        if n.min() == n.max():
            m = n.min()
            means = state.s[state.alive] / m
            radius = math.sqrt(math.log(4 * self.k * m * m) / (2 * m))
            for a in range(self.k):
                if state.alive[a] and state.s[a] / m + 2 * radius < means.max():
                    state.alive[a] = False
        return state


class Window(NamedTuple):
    arms: np.ndarray
    rewards: np.ndarray


class SlidingUCB(NamedTuple):
    k: int
    window: int

    def init(self, rng):
        return Window(np.full(self.window, -1), np.zeros(self.window))

    def select(self, state, t, rng):
        best, top = 0, -1.0
        for a in range(self.k):
            n = (state.arms == a).sum()
            if n == 0:
                return a
            mean = (state.rewards * (state.arms == a)).sum() / n
            u = mean + math.sqrt(0.6 * math.log(min(t + 1, self.window)) / n)
            if u > top:
                best, top = a, u
        return best

    def update(self, state, action, observation, t, rng):
        state.arms[t % self.window] = action
        state.rewards[t % self.window] = observation
        return state


class Discounted(NamedTuple):
    k: int
    gamma: float

    def init(self, rng):
        return Sums(np.zeros(self.k), np.zeros(self.k))

    def select(self, state, t, rng):
        total = state.n.sum()
        index = np.zeros(self.k)
        for a in range(self.k):
            if state.n[a] < 1e-9:
                return a
            index[a] = state.s[a] / state.n[a] + 2 * math.sqrt(0.5 * math.log(max(total, 1.0)) / state.n[a])
        return index.argmax()

    def update(self, state, action, observation, t, rng):
        for a in range(self.k):
            state.n[a] *= self.gamma
            state.s[a] *= self.gamma
        state.n[action] += 1
        state.s[action] += observation
        return state


class Racing(NamedTuple):
    k: int
    delta: float

    def init(self, rng):
        return Sums(np.zeros(self.k), np.zeros(self.k))

    def select(self, state, t, rng):
        return t % self.k

    def update(self, state, action, observation, t, rng):
        state.n[action] += 1
        state.s[action] += observation
        return state

    def stop(self, state, t):
        if t % self.k or t == 0:
            return False
        means = np.sort(state.s / state.n)
        m = t // self.k
        return means[-1] - means[-2] > 2 * math.sqrt(math.log(4 * self.k * m * m / self.delta) / (2 * m))

    def answer(self, state):
        return np.argmax(state.s / np.maximum(state.n, 1))


class Batch(NamedTuple):
    n: np.ndarray
    s: np.ndarray
    arm: int
    ends: int


class Batched(NamedTuple):
    k: int

    def init(self, rng):
        return Batch(np.zeros(self.k), np.zeros(self.k), 0, 0)

    def select(self, state, t, rng):
        if t < self.k * 4:
            return t % self.k
        return state.arm

    def update(self, state, action, observation, t, rng):
        state.n[action] += 1
        state.s[action] += observation
        if t + 1 >= max(state.ends, 4 * self.k):
            arm = int(np.argmax(state.s / state.n + np.sqrt(np.log(t + 1) / state.n)))
            return state._replace(arm=arm, ends=t + 1 + max(1, (t + 1) // 10))
        return state


POLICIES = [
    (ARMS, Elimination(3)),
    (MOVING, SlidingUCB(3, 100)),
    (MOVING, Discounted(3, 0.99)),
    (ARMS, Racing(3, 0.1)),
    (ARMS, Batched(3)),
]
