"""Policies and environments as a careful student gets them right, each in a style of its own."""

import math
from typing import NamedTuple

import numpy as np

from .base import ARMS, Arms, Right, Sums, collect

PROGRAMS = {}
put = collect(PROGRAMS, __name__)
ALPHA = 2.0
TABLE = np.array([0, 1, 2, 3, 4])
INF = float("inf")


@put
def select_vectorised(self, state, t, rng):
    if t < self.arms:
        return t
    means = state.rewards / state.pulls
    return int(np.argmax(means + np.sqrt(ALPHA * np.log(t + 1.0) / state.pulls)))


@put
def select_argmax_as_it_is(self, state, t, rng):
    if t < self.arms:
        return t
    return np.argmax(state.rewards / state.pulls + np.sqrt(2 * math.log(t) / state.pulls))


@put
def select_epsilon_greedy(self, state, t, rng):
    epsilon = min(1.0, 5.0 / (t + 1))
    if rng.random() < epsilon:
        return rng.integers(0, self.arms)
    means = np.zeros(self.arms)
    for arm in range(self.arms):
        means[arm] = state.rewards[arm] / max(state.pulls[arm], 1)
    return means.argmax()


@put
def select_thompson(self, state, t, rng):
    draws = [rng.beta(1 + state.rewards[a], 1 + state.pulls[a] - state.rewards[a]) for a in range(self.arms)]
    best = 0
    for arm, draw in enumerate(draws):
        if draw > draws[best]:
            best = arm
    return best


@put
def select_normal_thompson(self, state, t, rng):
    best, top = -1, -INF
    for arm, (n, total) in enumerate(zip(state.pulls, state.rewards)):  # noqa: B905
        draw = rng.normal(total / (n + 1), 1 / math.sqrt(n + 1))
        if draw > top:
            best, top = arm, draw
    return best


@put
def select_infinity_by_name(self, state, t, rng):
    best, top = 0, float("-inf")
    for arm in range(self.arms):
        index = float("inf") if state.pulls[arm] == 0 else state.rewards[arm] / state.pulls[arm]
        if index > top:
            best, top = arm, index
    return best


def weights_of(sums, rate):
    top = sums.max()
    weights = np.zeros(len(sums))
    for i in range(len(sums)):
        weights[i] = math.exp(rate * (sums[i] - top))
    return weights / weights.sum()


@put
def select_softmax(self, state, t, rng):
    shares = weights_of(state.rewards, 0.1)
    u, arm = rng.random(), 0
    while u > shares[arm] and arm < self.arms - 1:
        u -= shares[arm]
        arm += 1
    return arm


def kl(p, q):
    p, q = min(max(p, 1e-12), 1 - 1e-12), min(max(q, 1e-12), 1 - 1e-12)
    return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))


def kl_index(mean, n, t):
    low, high = mean, 1.0
    for _ in range(30):
        middle = (low + high) / 2
        if n * kl(mean, middle) > math.log(t + 1):
            high = middle
        else:
            low = middle
    return low


@put
def select_kl_ucb(self, state, t, rng):
    for arm in range(self.arms):
        if state.pulls[arm] == 0:
            return arm
    index = np.array([kl_index(state.rewards[a] / state.pulls[a], state.pulls[a], t) for a in range(self.arms)])
    return int(index.argmax())


@put
def select_by_table(self, state, t, rng):
    return TABLE[t % len(TABLE)]


@put
def select_random_of_the_best(self, state, t, rng):
    best = np.flatnonzero(state.rewards == state.rewards.max())
    return best[int(len(best) * rng.random())]


def select_commit(self, state, t, rng):
    if t < self.explore * self.arms:
        return t % self.arms
    return int(np.argmax(state.rewards / state.pulls))


put(select_commit, fields=[("explore", int)], values=[20])


def select_by_rule(self, state, t, rng):
    if self.rule == "greedy":
        return int(np.argmax(state.rewards))
    elif self.rule == "uniform":
        return int(self.arms * rng.random())
    raise ValueError("no such rule")


put(select_by_rule, fields=[("rule", str)], values=["uniform"])


class Alive(NamedTuple):
    sums: Sums
    alive: np.ndarray
    phase: int


def init_elimination(self, rng):
    return Alive(Sums(np.zeros(self.arms), np.zeros(self.arms)), np.ones(self.arms, dtype=np.bool_), 0)


def select_elimination(self, state, t, rng):
    best = -1
    for arm in range(self.arms):
        if state.alive[arm] and (best < 0 or state.sums.pulls[arm] < state.sums.pulls[best]):
            best = arm
    return best


def update_elimination(self, state, action, observation, t, rng):
    sums, phase = state.sums, state.phase
    sums.pulls[action] += 1
    sums.rewards[action] += observation
    if sums.pulls[state.alive].min() >= 2**phase * 10:
        phase += 1
        means = sums.rewards / np.maximum(sums.pulls, 1)
        gap = 2.0**-phase
        for arm in range(self.arms):
            if state.alive[arm] and means[arm] < means[state.alive].max() - 2 * gap:
                state.alive[arm] = False
    return state._replace(phase=phase)


put(init_elimination, select_elimination, update_elimination)


class Window(NamedTuple):
    arms: np.ndarray
    rewards: np.ndarray
    filled: int


def init_window(self, rng):
    return Window(np.full(100, -1), np.zeros(100), 0)


def select_window(self, state, t, rng):
    best, top = 0, -1.0
    for arm in range(self.arms):
        mine = state.arms == arm
        if not mine.any():
            return arm
        index = state.rewards[mine].mean() + math.sqrt(math.log(min(t, 100) + 1) / mine.sum())
        if index > top:
            best, top = arm, index
    return best


def update_window(self, state, action, observation, t, rng):
    state.arms[t % 100], state.rewards[t % 100] = action, observation
    return Window(arms=state.arms, rewards=state.rewards, filled=min(t + 1, 100))


put(init_window, select_window, update_window)


@put
def update_discounted(self, state, action, observation, t, rng):
    pulls, rewards = 0.99 * state.pulls, 0.99 * state.rewards
    pulls[action] += 1.0
    rewards[action] += observation
    return Sums(pulls, rewards)


def init_tuple(self, rng):
    return np.zeros(self.arms), np.zeros(self.arms, np.int64), 0.0


def select_tuple(self, state, t, rng):
    rewards, pulls, _ = state
    for arm in range(self.arms):
        if pulls[arm] == 0:
            return arm
    return int((rewards / pulls).argmax())


def update_tuple(self, state, action, observation, t, rng):
    rewards, pulls, total = state
    rewards[action] += observation
    pulls[action] += 1
    return rewards, pulls, total + observation


put(init_tuple, select_tuple, update_tuple)


def init_lists(self, rng):
    return [np.zeros(self.arms), np.zeros(self.arms)]


def select_lists(self, state, t, rng):
    return int(np.argmin(state[0]))


def update_lists(self, state, action, observation, t, rng):
    state[0][action] += 1
    state[1][action] += observation
    return state


put(init_lists, select_lists, update_lists)


class Matrix(NamedTuple):
    design: np.ndarray
    seen: np.ndarray


def init_matrix(self, rng):
    return Matrix(np.eye(self.arms), np.zeros(self.arms))


def select_matrix(self, state, t, rng):
    theta = np.linalg.solve(state.design, state.seen)
    return int(np.argmax(theta + 1.0 / np.sqrt(np.diag(state.design))))


def update_matrix(self, state, action, observation, t, rng):
    x = np.zeros(self.arms)
    x[action] = 1.0
    return Matrix(state.design + np.outer(x, x), state.seen + observation * x)


put(init_matrix, select_matrix, update_matrix)


@put
def update_asserts(self, state, action, observation, t, rng):
    assert 0 <= observation <= 1, "rewards lie in [0, 1]"
    state.pulls[action] += 1
    state.rewards[action] += observation
    return state


@put
def select_least_of_python(self, state, t, rng):
    arm, least = 0, state.pulls[0]
    for a, n in enumerate(state.pulls):
        if n < least:
            arm, least = a, n
    return arm


class Count(NamedTuple):
    count: int
    index: float = 0.0


def init_named_count(self, rng):
    return Count(count=0, index=0.0)


def select_named_count(self, state, t, rng):
    return state.count % self.arms


def update_named_count(self, state, action, observation, t, rng):
    return Count(state.count + 1, state.index + observation)


put(init_named_count, select_named_count, update_named_count)


class WithConstants(NamedTuple):
    arms: int
    scale: float = 2.0

    init, update = Right.init, Right.update

    def actions(self):
        return self.arms

    def width(self, n, t):
        return math.sqrt(self.scale * math.log(t + 1) / n)

    def select(self, state, t, rng):
        for arm in range(self.arms):
            if state.pulls[arm] < 1:
                return arm
        index = [state.rewards[a] / state.pulls[a] + self.width(state.pulls[a], t) for a in range(self.arms)]
        return index.index(max(index))


class Inherits(WithConstants):
    __slots__ = ()

    def width(self, n, t):
        return self.scale / n


PROGRAMS |= {cls.__name__: (ARMS, cls(5)) for cls in (WithConstants, Inherits)}


def env(*methods, **options):
    return put(*methods, whole=Arms, **options)


@env
def step_gaussian(self, world, action, t, rng):
    return self.means[action] + 0.1 * rng.normal()


def reset_drift(self, rng):
    return self.means.copy()


def step_drift(self, world, action, t, rng):
    world += 0.001 * rng.normal(size=len(world))
    return world[action]


def regret_drift(self, world, action, t):
    return world.max() - world[action]


env(reset_drift, step_drift, regret_drift)


@env
def step_counted(self, world, action, t, rng):
    world[0] += 1
    return self.means[action] if world[0] % 2 == 0 else 1 - self.means[action]


@env
def regret_switch(self, world, action, t):
    if t < 200:
        return self.means.max() - self.means[action]
    return self.means[::-1].max() - self.means[::-1][action]


def step_heavy(self, world, action, t, rng):
    return self.means[action] + self.sigma * rng.standard_t(3.0)


env(step_heavy, fields=[("sigma", float)], values=[0.1])


@env
def step_poisson(self, world, action, t, rng):
    return float(rng.poisson(self.means[action]))


class Contexts(NamedTuple):
    theta: np.ndarray  # (arms, 2)

    def actions(self):
        return len(self.theta)

    def reset(self, rng):
        return np.zeros(2)

    def context(self, world, t, rng):
        world[0], world[1] = rng.random(), rng.random()
        return world

    def step(self, world, action, t, rng):
        return self.theta[action] @ world + 0.1 * rng.normal()

    def regret(self, world, action, t):
        return (self.theta @ world).max() - self.theta[action] @ world


class Contextual(NamedTuple):
    arms: int

    init, update = Right.init, Right.update

    def select(self, state, context, t, rng):
        return 0 if context[0] > context[1] else 1


PROGRAMS["contexts"] = (Contexts(np.array([[1.0, 0.0], [0.0, 1.0]])), Contextual(2))


@put
def update_shifts_in_place(self, state, action, observation, t, rng):
    state.rewards[1:] += 0.1 * state.rewards[:-1]
    late = state.rewards[:-1]
    late -= state.rewards[1:]
    state.rewards[:] = state.rewards[::-1]
    state.rewards[action] += observation
    state.pulls[action] += 1.0
    return state


@put
def select_of_square_tables(self, state, t, rng):
    table = np.outer(state.rewards, state.pulls) + np.arange(25.0).reshape(5, 5)
    table += table.T
    table -= table[1]
    table[:, 0] *= table[:, 2]
    np.add(table[1:], table[:-1], table[1:])
    return int(abs(table.sum())) % 5


@put
def select_of_bytes(self, state, t, rng):
    bits = np.zeros(5, np.uint8)
    bits[t % 5] = 1
    others, wide = 1 - bits, np.array([300])
    wide[0] += bits[1]
    return int(others[1] + bits[0] * 2 + (bits / 255.0).sum() + (t > 9) * others[2] + wide[0]) % 5


def select_mean_and_width(self, state, t, rng):
    width = np.sqrt(2.0 * math.log(t + 1) / (state.pulls + 1))
    return int(np.argmax((state.rewards + 1) / (state.pulls + 1) + width))


def update_discounting_by_a_list(self, state, action, observation, t, rng):
    state = Sums(state.pulls.copy(), np.array([0.99 * reward for reward in state.rewards]))
    state.pulls[action] += 1.0
    state.rewards[action] += observation
    return state


put(update_discounting_by_a_list, select_mean_and_width)


def update_unpacked_beside_a_lambda(self, state, action, observation, t, rng):
    gain = lambda a: observation if a == action else 0.0  # noqa: E731
    pulls, rewards = state
    for a, values in enumerate(zip(pulls, rewards)):  # noqa: B905
        assert len(values) == 2
        rewards[a] += gain(a)
    for row, by in zip((pulls, pulls), (0.5, 0.5)):  # noqa: B905
        row[action] += by
    return state


put(update_unpacked_beside_a_lambda, select_mean_and_width)


def running(values):
    i = 0
    while i < len(values):
        yield values[i]
        i += 1


def update_with_a_generator(self, state, action, observation, t, rng):
    pulls = state.pulls + 0.0
    pulls[action] += 1.0
    total = 0.0
    for pull in running(pulls):
        total += pull
    rewards = state.rewards + 0.0
    rewards[action] += observation if total > 0.0 else 0.0
    return Sums(pulls, rewards)


put(update_with_a_generator, select_mean_and_width)
