"""What a stranger got right who had read the pages and no source: algorithms and styles that `right` has not."""

import math
from typing import NamedTuple

import numpy as np

from .base import Arms, Right, Sums, collect

PROGRAMS = {}
put = collect(PROGRAMS, __name__)


@put
def select_ties_by_reservoir(self, state, t, rng):
    best, top, ties = 0, -math.inf, 0
    for arm in range(self.arms):
        n = state.pulls[arm]
        index = math.inf if n == 0 else state.rewards[arm] / n + math.sqrt(2 * math.log(t + 1) / n)
        if index > top:
            best, top, ties = arm, index, 1
        elif index == top:
            ties += 1
            if rng.random() * ties < 1:
                best = arm
    return best


@put
def select_gumbel(self, state, t, rng):
    if t < self.arms:
        return t
    noise = np.array([-math.log(-math.log(rng.random())) for _ in range(self.arms)])
    return int(np.argmax(10 * state.rewards / state.pulls + noise / np.sqrt(state.pulls)))


@put
def select_top_two_thompson(self, state, t, rng):
    first = -1
    for _ in range(20):
        draws = [rng.beta(1.0 + r, 1.0 + n - r) for r, n in zip(state.rewards, state.pulls)]  # noqa: B905
        best = 0
        for arm in range(self.arms):
            if draws[arm] > draws[best]:
                best = arm
        if first < 0:
            first = best
            if rng.random() < 0.5:
                break
        elif best != first:
            return best
    return first


@put
def select_by_a_dict(self, state, t, rng):
    pulls = {}
    for arm in range(self.arms):
        pulls[arm] = state.pulls[arm]
    best = 0
    for arm in pulls:
        if pulls[arm] < pulls[best]:
            best = arm
    return best


class Variances(NamedTuple):
    n: np.ndarray
    total: np.ndarray
    squares: np.ndarray
    t: int


def init_ucb_v(self, rng):
    zero = np.zeros(self.arms)
    return Variances(zero, zero.copy(), zero.copy(), 0)


def select_ucb_v(self, state, t, rng):
    if state.t < self.arms:
        return state.t
    e = math.log(state.t)
    variance = np.maximum(state.squares / state.n - (state.total / state.n) ** 2, 0)
    return int(np.argmax(state.total / state.n + np.sqrt(2 * variance * e / state.n) + 3 * e / state.n))


def update_ucb_v(self, state, action, observation, t, rng):
    state.n[action] += 1
    state.total[action] += observation
    state.squares[action] += observation**2
    return state._replace(t=state.t + 1)


put(init_ucb_v, select_ucb_v, update_ucb_v)


class Weights(NamedTuple):
    logs: np.ndarray
    chances: np.ndarray


def init_exp3(self, rng):
    return Weights(np.zeros(self.arms), np.ones(self.arms) / self.arms)


def select_exp3(self, state, t, rng):
    weights = np.exp(state.logs - state.logs.max())
    state.chances[:] = 0.9 * weights / weights.sum() + 0.1 / self.arms
    return min(np.searchsorted(np.cumsum(state.chances), rng.random(), side="right"), self.arms - 1)


def update_exp3(self, state, action, observation, t, rng):
    state.logs[action] += 0.1 * observation / (self.arms * state.chances[action])
    return state


put(init_exp3, select_exp3, update_exp3)


class Phase(NamedTuple):
    rewards: np.ndarray
    arm: int


def init_phase(self, rng):
    return Phase(np.zeros(self.arms), -1)


def select_phase(self, state, t, rng):
    return t % self.arms if t < 50 else state.arm


def update_phase(self, state, action, observation, t, rng):
    if t < 50:
        state.rewards[action] += observation
        if t == 49:
            return state._replace(arm=np.argmax(state.rewards))
    return state


put(init_phase, select_phase, update_phase)


class Wrapped(NamedTuple):
    """Another policy, told half of each reward."""

    base: Right

    def actions(self):
        return self.base.actions()

    def init(self, rng):
        return self.base.init(rng)

    def select(self, state, t, rng):
        return self.base.select(state, t, rng)

    def update(self, state, action, observation, t, rng):
        return self.base.update(state, action, 0.5 * observation, t, rng)


PROGRAMS["Wrapped"] = (Arms(np.array([0.8, 0.6, 0.4])), Wrapped(Right(3)))


class Restless(NamedTuple):
    """Arms of two hidden states that change whether they are played or not."""

    stay: np.ndarray  # (arms, 2)

    def actions(self):
        return self.stay.shape[0]

    def reset(self, rng):
        return np.zeros(len(self.stay), dtype=np.int64)

    def step(self, world, action, t, rng):
        seen = float(world[action])
        for arm in range(len(world)):
            if rng.random() > self.stay[arm, world[arm]]:
                world[arm] = 1 - world[arm]
        return seen

    def mean(self, arm):
        leave, back = 1 - self.stay[arm, 0], 1 - self.stay[arm, 1]
        return leave / (leave + back)

    def regret(self, world, action, t):
        return max([self.mean(arm) for arm in range(len(self.stay))]) - self.mean(action)


PROGRAMS["Restless"] = (Restless(np.array([[0.5, 0.9], [0.9, 0.5], [0.7, 0.7]])), Right(3))


class Seen(NamedTuple):
    arrived: bool
    arm: int
    reward: float


class Waiting(NamedTuple):
    arm: np.ndarray
    reward: np.ndarray


class Delayed(NamedTuple):
    """Rewards come some rounds later, with the arm that earned them."""

    means: np.ndarray
    delay: int

    def actions(self):
        return len(self.means)

    def reset(self, rng):
        return Waiting(np.zeros(self.delay, np.int64), np.zeros(self.delay))

    def step(self, world, action, t, rng):
        i = t % self.delay
        seen = Seen(t >= self.delay, world.arm[i], world.reward[i])
        world.arm[i] = action
        world.reward[i] = float(rng.random() < self.means[action])
        return seen

    def regret(self, world, action, t):
        return self.means.max() - self.means[action]


class Patient(NamedTuple):
    arms: int

    init, select = Right.init, Right.select

    def update(self, state, action, seen, t, rng):
        if seen.arrived:
            state.pulls[seen.arm] += 1
            state.rewards[seen.arm] += seen.reward
        return state


PROGRAMS["Delayed"] = (Delayed(np.array([0.9, 0.6, 0.5]), 20), Patient(3))


class Duel(NamedTuple):
    """Which of two arms wins."""

    wins: np.ndarray  # (arms, arms)

    def actions(self):
        return (len(self.wins), len(self.wins))

    def reset(self, rng):
        return 0

    def step(self, world, action, t, rng):
        i, j = action
        return 1 if rng.random() < self.wins[i, j] else 0

    def regret(self, world, action, t):
        i, j = action
        return (self.wins[0, i] + self.wins[0, j] - 1.0) / 2.0


class RUCB(NamedTuple):
    arms: int

    def actions(self):
        return (self.arms, self.arms)

    def init(self, rng):
        return np.zeros((self.arms, self.arms))

    def select(self, state, t, rng):
        upper = np.ones((self.arms, self.arms)) * 0.5
        for i in range(self.arms):
            for j in range(self.arms):
                n = state[i, j] + state[j, i]
                if i != j:
                    upper[i, j] = 1.0 if n == 0 else state[i, j] / n + math.sqrt(0.6 * math.log(t + 1) / n)
        first = int(np.argmax((upper >= 0.5).sum(axis=1)))
        return first, int(np.argmax(upper[:, first]))

    def update(self, state, action, observation, t, rng):
        i, j = action
        if observation == 1:
            state[i, j] += 1
        else:
            state[j, i] += 1
        return state


PROGRAMS["Duel"] = (Duel(np.array([[0.5, 0.7, 0.8], [0.3, 0.5, 0.6], [0.2, 0.4, 0.5]])), RUCB(3))


class Cascade(NamedTuple):
    """A list of items, of which the first that pleases is clicked (Kveton, Szepesvari, Wen, Ashkan 2015)."""

    please: np.ndarray  # (items,)
    length: int

    def actions(self):
        return np.full(self.length, len(self.please))

    def reset(self, rng):
        return np.zeros(len(self.please))

    def step(self, world, action, t, rng):
        for item in range(len(self.please)):
            world[item] = rng.random() < self.please[item]
        for place in range(self.length):
            if world[action[place]] > 0:
                return place
        return self.length

    def regret(self, world, action, t):
        missed, least = 1.0, 1.0
        best = np.sort(self.please)[::-1]
        for place in range(self.length):
            missed *= 1.0 - self.please[action[place]]
            least *= 1.0 - best[place]
        return missed - least


class CascadeUCB1(NamedTuple):
    items: int
    length: int
    stable: bool

    def actions(self):
        return np.full(self.length, self.items)

    def init(self, rng):
        return Sums(np.zeros(self.items), np.zeros(self.items))

    def select(self, state, t, rng):
        upper = np.zeros(self.items)
        for item in range(self.items):
            n = state.pulls[item]
            upper[item] = math.inf if n == 0 else state.rewards[item] / n + math.sqrt(1.5 * math.log(t + 1) / n)
        if self.stable:
            return np.argsort(-upper, kind="mergesort")[: self.length]
        return np.argsort(-upper)[: self.length]

    def update(self, state, action, observation, t, rng):
        for place in range(self.length):
            if place <= observation:
                state.pulls[action[place]] += 1
                state.rewards[action[place]] += place == observation
        return state


CASCADE = Cascade(np.array([0.6, 0.5, 0.4, 0.3, 0.3, 0.2, 0.2, 0.1]), 3)
PROGRAMS["Cascade"] = (CASCADE, CascadeUCB1(8, 3, True))


class Subsets(NamedTuple):
    """Some of the arms are played at once, and each of them is seen."""

    means: np.ndarray
    size: int

    def reset(self, rng):
        return 0

    def step(self, world, action, t, rng):
        seen = np.full(self.means.size, np.nan)
        for arm in range(self.means.size):
            reward = float(rng.random() < self.means[arm])
            if action[arm] == 1:
                seen[arm] = reward
        return seen

    def regret(self, world, action, t):
        return np.sort(self.means)[-self.size :].sum() - (self.means * action).sum()


class CUCB(NamedTuple):
    arms: int
    size: int

    init = Right.init

    def select(self, state, t, rng):
        upper = np.full(self.arms, np.inf)
        for arm in range(self.arms):
            if state.pulls[arm] > 0:
                n = state.pulls[arm]
                upper[arm] = state.rewards[arm] / n + math.sqrt(1.5 * math.log(t + 1) / n)
        chosen = np.zeros(self.arms, np.int64)
        for _ in range(self.size):
            arm = np.argmax(upper)
            chosen[arm] = 1
            upper[arm] = -1.0
        return chosen

    def update(self, state, action, observation, t, rng):
        for arm in range(self.arms):
            if not np.isnan(observation[arm]):
                state.pulls[arm] += 1
                state.rewards[arm] += observation[arm]
        return state


PROGRAMS["Subsets"] = (Subsets(np.array([0.9, 0.8, 0.5, 0.4, 0.3]), 2), CUCB(5, 2))
