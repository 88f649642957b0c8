"""Right policies in the style of people who read the pages and no source: arms. `check_policy` fails none of them."""

import math
from typing import NamedTuple

import numpy as np

from banditlab import classic

ARMS = classic.bernoulli([0.2, 0.5, 0.9])
NORMAL = classic.gaussian([0.0, 0.5, 1.5], sigma=1.0)
MOVING = classic.piecewise([[0.8, 0.3, 0.2], [0.1, 0.3, 0.9]], changes=[500])


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


class RandomTies(Learner):
    def select(self, state, t, rng):
        index = np.where(
            state.n > 0, state.s / np.maximum(state.n, 1) + np.sqrt(2 * np.log(t + 1) / np.maximum(state.n, 1)), 1e12
        )
        ties = np.flatnonzero(index == index.max())
        return ties[rng.integers(0, len(ties))]


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
    (NORMAL, RunningMean(3, 0.1)),
    (ARMS, EpsSchedule(3)),
    (ARMS, RandomTies(3)),
    (ARMS, BetaTS(3)),
    (NORMAL, NormalTS(3)),
    (NORMAL, NormalGammaTS(3)),
    (ARMS, EXP3(3, 0.05, 0.05)),
    (ARMS, Tsallis(3)),
    (ARMS, Elimination(3)),
    (ARMS, DoublingUCB(3)),
    (MOVING, SlidingUCB(3, 100)),
    (MOVING, Discounted(3, 0.99)),
    (ARMS, Racing(3, 0.1)),
    (ARMS, UCBTuned(3)),
    (ARMS, Gradient(3, 0.2)),
    (ARMS, Batched(3)),
    (ARMS, KLUCB(3)),
]
