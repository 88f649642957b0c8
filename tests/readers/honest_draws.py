"""Right policies of people who read the pages and no source: those that draw. `check_policy` fails none of them."""

import math
from typing import NamedTuple

import numpy as np

from .honest import ARMS, NORMAL, Learner, Sums


class MeansState(NamedTuple):
    counts: np.ndarray
    means: np.ndarray


class RunningMean(NamedTuple):
    n_arms: int
    epsilon: float

    def actions(self):
        return self.n_arms

    def init(self, rng):
        return MeansState(np.zeros(self.n_arms, dtype=np.int64), np.zeros(self.n_arms))

    def select(self, state, t, rng):
        if rng.random() < self.epsilon:
            return rng.integers(0, self.n_arms)
        return np.argmax(state.means)

    def update(self, state, action, observation, t, rng):
        state.counts[action] += 1
        state.means[action] += (observation - state.means[action]) / state.counts[action]
        return state


class EpsSchedule(NamedTuple):
    n_arms: int

    def init(self, rng):
        return MeansState(np.zeros(self.n_arms, dtype=np.int64), np.zeros(self.n_arms))

    def select(self, state, t, rng):
        eps = min(1.0, (self.n_arms * math.log(t + 2) / (t + 1)) ** (1 / 3))
        if rng.uniform() < eps:
            return int(rng.uniform() * self.n_arms)
        return int(np.argmax(state.means))

    def update(self, state, action, observation, t, rng):
        c = state.counts[action] + 1
        state.counts[action] = c
        state.means[action] = state.means[action] * (c - 1) / c + observation / c
        return state


class BetaTS(NamedTuple):
    k: int

    def init(self, rng):
        return np.ones((2, self.k))

    def select(self, state, t, rng):
        samples = np.zeros(self.k)
        for i in range(self.k):
            samples[i] = rng.beta(state[0, i], state[1, i])
        return samples.argmax()

    def update(self, state, action, observation, t, rng):
        if observation == 1:
            state[0, action] += 1
        else:
            state[1, action] += 1
        return state


class NormalTS(Learner):
    def select(self, state, t, rng):
        mu = state.s / (state.n + 1)
        return np.argmax(mu + rng.normal(0.0, 1.0, size=self.k) / np.sqrt(state.n + 1))


class NG(NamedTuple):
    n: np.ndarray
    mean: np.ndarray
    ss: np.ndarray


class NormalGammaTS(NamedTuple):
    k: int

    def init(self, rng):
        return NG(np.zeros(self.k), np.zeros(self.k), np.zeros(self.k))

    def select(self, state, t, rng):
        best, top = -1, -math.inf
        for a in range(self.k):
            if state.n[a] < 2:
                return a
            lam = rng.gamma(0.5 * state.n[a], 2.0 / (state.ss[a] + 1e-3))
            draw = state.mean[a] + rng.normal() / math.sqrt(state.n[a] * lam)
            if draw > top:
                best, top = a, draw
        return best

    def update(self, state, action, observation, t, rng):
        state.n[action] += 1
        delta = observation - state.mean[action]
        state.mean[action] += delta / state.n[action]
        state.ss[action] += delta * (observation - state.mean[action])
        return state


class EXP3(NamedTuple):
    k: int
    eta: float
    gamma: float

    def init(self, rng):
        return np.zeros(self.k), np.full(self.k, 1.0 / self.k)

    def select(self, state, t, rng):
        w, p = state
        e = np.exp(self.eta * (w - w.max()))
        p[:] = (1 - self.gamma) * e / e.sum() + self.gamma / self.k
        return min(int(np.searchsorted(np.cumsum(p), rng.random())), self.k - 1)

    def update(self, state, action, observation, t, rng):
        w, p = state
        w[action] += observation / p[action]
        return state


class Tsallis(NamedTuple):
    k: int

    def init(self, rng):
        return Sums(np.zeros(self.k), np.ones(self.k) / self.k)

    def select(self, state, t, rng):
        eta = 1.0 / math.sqrt(t + 1)
        low = state.n.min() - 2 * math.sqrt(self.k) / eta
        high = state.n.min() - 2 / eta
        for _ in range(40):
            x = (low + high) / 2
            total = (4.0 / (eta * (state.n - x)) ** 2).sum()
            if total > 1:
                high = x
            else:
                low = x
        w = 4.0 / (eta * (state.n - low)) ** 2
        w = w / w.sum()
        for a in range(self.k):
            state.s[a] = w[a]
        u = rng.random()
        for a in range(self.k):
            u -= w[a]
            if u < 0:
                return a
        return self.k - 1

    def update(self, state, action, observation, t, rng):
        state.n[action] += (1 - observation) / state.s[action]
        return state


def softmax(h):
    e = np.exp(h - np.max(h))
    return e / np.sum(e)


class Gradient(NamedTuple):
    k: int
    step: float

    def init(self, rng):
        return np.zeros(self.k), 0.0

    def select(self, state, t, rng):
        h, base = state
        return np.argmax(np.cumsum(softmax(h)) > rng.random())

    def update(self, state, action, observation, t, rng):
        h, base = state
        p = softmax(h)
        h = h - self.step * (observation - base) * p
        h[action] += self.step * (observation - base)
        base = base + (observation - base) / (t + 1)
        return h, base


POLICIES = [
    (NORMAL, RunningMean(3, 0.1)),
    (ARMS, EpsSchedule(3)),
    (ARMS, BetaTS(3)),
    (NORMAL, NormalTS(3)),
    (NORMAL, NormalGammaTS(3)),
    (ARMS, EXP3(3, 0.05, 0.05)),
    (ARMS, Tsallis(3)),
    (ARMS, Gradient(3, 0.2)),
]
