"""Right policies of people who read the pages and no source: lists, subsets, vectors, contexts, duels, products."""

import math
from typing import NamedTuple

import numpy as np

from banditlab import classic, factored, spaces

from .honest import Sums


class Semi(NamedTuple):
    """Subsets of at most m items; every chosen item shows its own click."""

    chances: np.ndarray
    most: int

    def actions(self):
        return spaces.multi_binary(len(self.chances), self.most)

    def reset(self, rng):
        return 0

    def step(self, world, action, t, rng):
        return (rng.random(len(self.chances)) < self.chances) * action

    def regret(self, world, action, t):
        best = np.sort(self.chances)[::-1][: self.most].sum()
        return max(best - (self.chances * action).sum(), 0.0)


class TopK(NamedTuple):
    """Lists of K items; each shows its own click."""

    chances: np.ndarray
    length: int

    def actions(self):
        return spaces.ranked(len(self.chances), self.length)

    def reset(self, rng):
        return 0

    def step(self, world, action, t, rng):
        u = rng.random(len(self.chances))
        return (u < self.chances)[action] * 1.0

    def regret(self, world, action, t):
        best = np.sort(self.chances)[::-1][: self.length].sum()
        return max(best - self.chances[action].sum(), 0.0)


class BallWorld(NamedTuple):
    theta: np.ndarray
    sigma: float

    def actions(self):
        return spaces.ball(len(self.theta))

    def reset(self, rng):
        return 0

    def step(self, world, action, t, rng):
        return float(np.dot(self.theta, action)) + self.sigma * rng.normal()

    def regret(self, world, action, t):
        return max(math.sqrt(np.dot(self.theta, self.theta)) - np.dot(self.theta, action), 0.0)


class Rows(NamedTuple):
    rows: np.ndarray
    theta: np.ndarray

    def actions(self):
        return spaces.vectors(self.rows)

    def reset(self, rng):
        return 0

    def step(self, world, action, t, rng):
        return action @ self.theta + 0.3 * rng.standard_normal()

    def regret(self, world, action, t):
        return max((self.rows @ self.theta).max() - action @ self.theta, 0.0)


class SubsetUCB(NamedTuple):
    n: int
    m: int

    def actions(self):
        return spaces.multi_binary(self.n, self.m)

    def init(self, rng):
        return Sums(np.zeros(self.n), np.zeros(self.n))

    def select(self, state, t, rng):
        index = np.where(
            state.n == 0,
            np.inf,
            state.s / np.maximum(state.n, 1) + np.sqrt(1.5 * np.log(t + 1) / np.maximum(state.n, 1)),
        )
        order = np.argsort(-index)
        chosen = np.zeros(self.n, dtype=np.int64)
        for i in order[: self.m]:
            chosen[i] = 1
        return chosen

    def update(self, state, action, observation, t, rng):
        for i in range(self.n):
            if action[i]:
                state.n[i] += 1
                state.s[i] += observation[i]
        return state


class RankedUCB(NamedTuple):
    n: int
    k: int

    def init(self, rng):
        return Sums(np.zeros(self.n), np.zeros(self.n))

    def select(self, state, t, rng):
        index = np.zeros(self.n)
        for i in range(self.n):
            index[i] = (
                100.0 if state.n[i] == 0 else state.s[i] / state.n[i] + math.sqrt(1.5 * math.log(t + 1) / state.n[i])
            )
        return np.argsort(index)[::-1][: self.k]

    def update(self, state, action, observation, t, rng):
        for j in range(self.k):
            state.n[action[j]] += 1
            state.s[action[j]] += observation[j]
        return state


class RankedTS(NamedTuple):
    n: int
    k: int

    def actions(self):
        return spaces.ranked(self.n, self.k)

    def init(self, rng):
        return np.ones(self.n), np.ones(self.n)

    def select(self, state, t, rng):
        draws = np.array([rng.beta(state[0][i], state[1][i]) for i in range(self.n)])
        return np.argsort(-draws)[: self.k]

    def update(self, state, action, observation, t, rng):
        a, b = state
        a[action] += observation
        b[action] += 1 - observation
        return a, b


class Lin(NamedTuple):
    A: np.ndarray
    b: np.ndarray
    x: np.ndarray


class LinUCB(NamedTuple):
    d: int
    alpha: float

    def init(self, rng):
        return Lin(np.eye(self.d), np.zeros(self.d), np.zeros(self.d))

    def select(self, state, context, t, rng):
        inv = np.linalg.inv(state.A)
        theta = inv @ state.b
        p = np.zeros(len(context))
        for a in range(len(context)):
            x = context[a]
            p[a] = theta @ x + self.alpha * np.sqrt(x @ inv @ x)
        a = np.argmax(p)
        state.x[:] = context[a]
        return a

    def update(self, state, action, observation, t, rng):
        A = state.A + np.outer(state.x, state.x)
        return Lin(A, state.b + observation * state.x, state.x)


class LinTS(NamedTuple):
    d: int

    def init(self, rng):
        return Lin(np.eye(self.d), np.zeros(self.d), np.zeros(self.d))

    def select(self, state, context, t, rng):
        cov = np.linalg.inv(state.A)
        mean = np.linalg.solve(state.A, state.b)
        theta = mean + 0.3 * np.linalg.cholesky(cov) @ rng.normal(0, 1, self.d)
        a = int(np.argmax(context @ theta))
        for i in range(self.d):
            state.x[i] = context[a, i]
        return a

    def update(self, state, action, observation, t, rng):
        state.A[:] += np.outer(state.x, state.x)
        state.b[:] += observation * state.x
        return state


class OnlineLogit(NamedTuple):
    d: int

    def init(self, rng):
        return np.zeros(self.d), np.zeros(self.d)

    def select(self, state, context, t, rng):
        w, x = state
        a = np.argmax(context @ w)
        if rng.random() < 0.1:
            a = int(rng.random() * len(context))
        x[:] = context[a, :]
        return a

    def update(self, state, action, observation, t, rng):
        w, x = state
        p = 1 / (1 + np.exp(-w @ x))
        return w + 0.5 * (observation - p) * x, x


class RowsUCB(NamedTuple):
    rows: np.ndarray

    def actions(self):
        return spaces.vectors(self.rows)

    def init(self, rng):
        return np.eye(2), np.zeros(2)

    def select(self, state, t, rng):
        V, b = state
        inv = np.linalg.inv(V)
        scores = self.rows @ (inv @ b)
        for i in range(len(self.rows)):
            scores[i] += math.sqrt(self.rows[i] @ inv @ self.rows[i])
        return self.rows[np.argmax(scores)]

    def update(self, state, action, observation, t, rng):
        V, b = state
        return V + np.outer(action, action), b + action * observation


class BallETC(NamedTuple):
    d: int
    m: int

    def init(self, rng):
        return np.zeros(self.d)

    def select(self, state, t, rng):
        x = np.zeros(self.d)
        if t < self.m * self.d:
            x[t % self.d] = 1.0
            return x
        norm = np.linalg.norm(state)
        if norm == 0:
            x[0] = 1.0
            return x
        return state / norm / (1 + 1e-12)

    def update(self, state, action, observation, t, rng):
        if t < self.m * self.d:
            state[t % self.d] += observation / self.m
        return state


class DoubleTS(NamedTuple):
    k: int

    def init(self, rng):
        return np.zeros((self.k, self.k))

    def select(self, state, t, rng):
        theta = np.full((self.k, self.k), 0.5)
        for i in range(self.k):
            for j in range(i + 1, self.k):
                theta[i, j] = rng.beta(state[i, j] + 1, state[j, i] + 1)
                theta[j, i] = 1 - theta[i, j]
        wins = (theta > 0.5).sum(axis=1)
        first = int(wins.argmax())
        second, top = first, -1.0
        for j in range(self.k):
            v = 0.5 if j == first else rng.beta(state[j, first] + 1, state[first, j] + 1)
            if v > top:
                second, top = j, v
        return first, second

    def update(self, state, action, observation, t, rng):
        i, j = action
        if observation:
            state[i, j] += 1
        else:
            state[j, i] += 1
        return state


class Marginals(NamedTuple):
    sizes: tuple

    def actions(self):
        return self.sizes

    def init(self, rng):
        return np.zeros((2, 2)), np.zeros((2, 2))

    def select(self, state, t, rng):
        n, s = state
        a = np.zeros(2, dtype=np.int64)
        for d in range(2):
            top = -np.inf
            for j in range(self.sizes[d]):
                u = np.inf if n[d, j] == 0 else s[d, j] / n[d, j] + np.sqrt(np.log(t + 1) / n[d, j])
                if u > top:
                    top = u
                    a[d] = j
        return a

    def update(self, state, action, observation, t, rng):
        n, s = state
        for d in range(2):
            n[d, action[d]] += 1
            s[d, action[d]] += observation.x[d]
        return n, s


CHANCES, ROWS = np.array([0.1, 0.8, 0.3, 0.6, 0.2]), np.array([[1.0, 0.0], [0.0, 1.0], [0.7, 0.7], [-0.7, 0.7]])
SHOWN = classic.fresh_contexts([1.0, -1.0], arms=4, sigma=0.3)
CLICKS = classic.fresh_contexts([2.0, -2.0], arms=4, link="logistic")
DUELS = classic.duels([[0.5, 0.7, 0.9], [0.3, 0.5, 0.8], [0.1, 0.2, 0.5]])
SEMI, BALL = Semi(CHANCES, 2), BallWorld(np.array([0.6, -0.8]), 0.5)
POLICIES = [
    (SEMI, SubsetUCB(5, 2)),
    (TopK(CHANCES, 2), RankedUCB(5, 2)),
    (TopK(CHANCES, 2), RankedTS(5, 2)),
    (SHOWN, LinUCB(2, 0.5)),
    (SHOWN, LinTS(2)),
    (CLICKS, OnlineLogit(2)),
    (Rows(ROWS, np.array([0.9, 0.1])), RowsUCB(ROWS)),
    (BALL, BallETC(2, 20)),
    (DUELS, DoubleTS(3)),
    (factored.bernoulli([[0.9, 0.2], [0.3, 0.8]]), Marginals((2, 2))),
]
