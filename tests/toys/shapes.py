"""An environment and a policy for every shape of action, observation and memory that the engine carries."""

import math
from typing import NamedTuple

import numpy as np

from banditlab.engine.methods import helper


@helper
def best_of(values, size):
    """The place of the largest of the first values, ties to the lowest."""
    best = 0
    for i in range(1, size):
        if values[i] > values[best]:
            best = i
    return best


# A pair (arm, limit), and an outcome that the limit may hide.


class Choice(NamedTuple):
    arm: int
    limit: int


class Outcome(NamedTuple):
    gain: float
    used: float
    censored: bool


class Censored(NamedTuple):
    rates: np.ndarray  # (arms,) of the exponential consumption
    limits: np.ndarray  # (limits,)
    gaps: np.ndarray  # (arms, limits)

    def actions(self):
        return len(self.rates), len(self.limits)

    def reset(self, rng):
        return np.zeros(1, np.int64)

    def step(self, world, action, t, rng):
        gain, used, limit = rng.random(), rng.exponential(1.0 / self.rates[action.arm]), self.limits[action.limit]
        if used > limit:
            world[0] += 1
            return Outcome(0.0, limit, True)
        return Outcome(gain, used, False)

    def regret(self, world, action, t):
        return self.gaps[action.arm, action.limit]

    def diagnostics(self, world, state):
        return {"censored": world[0]}


def censored(rates, limits):
    """Gain uniform on [0, 1], lost where an exponential consumption exceeds the limit; a limit costs its tenth."""
    rates, limits = np.array(rates, float), np.array(limits, float)
    values = 0.5 * (1 - np.exp(-rates[:, None] * limits)) - 0.1 * limits
    return Censored(rates, limits, values.max() - values)


class Pairwise(NamedTuple):
    """Greedy over all pairs with probability 0.9."""

    arms: int
    limits: int

    def actions(self):
        return self.arms, self.limits

    def init(self, rng):
        return np.zeros((self.arms, self.limits, 2))

    def select(self, state, t, rng):
        arm, limit = int(self.arms * rng.random()), int(self.limits * rng.random())
        if rng.random() < 0.9:
            top = -np.inf
            for i in range(self.arms):
                for j in range(self.limits):
                    mean = state[i, j, 1] / max(state[i, j, 0], 1.0)
                    if mean > top:
                        arm, limit, top = i, j, mean
        return Choice(arm, limit)

    def update(self, state, action, observation, t, rng):
        state[action.arm, action.limit, 0] += 1.0
        gain = 0.0 if observation.censored else observation.gain
        state[action.arm, action.limit, 1] += gain - 0.1 * observation.used
        return state


# Rewards that arrive later and mixed, and a policy of rounds that is stepped one by one.


class Ring(NamedTuple):
    """The whole reward arrives after a delay uniform on lo..hi."""

    lo: int
    hi: int

    def memory(self):
        return np.zeros(self.hi + 1)

    def arrive(self, memory, reward, t, rng):
        n = len(memory)
        memory[(t + self.lo + int((self.hi + 1 - self.lo) * rng.random())) % n] += reward
        seen = memory[t % n]
        memory[t % n] = 0.0
        return seen


class Fading(NamedTuple):
    """The reward arrives for ever, in geometrically falling parts."""

    gamma: float

    def memory(self):
        return np.zeros(1)

    def arrive(self, memory, reward, t, rng):
        memory[0] = self.gamma * memory[0] + (1.0 - self.gamma) * reward
        return memory[0]


class Delayed(NamedTuple):
    means: np.ndarray  # (arms,) the first is the best
    shape: tuple  # Ring or Fading

    def reset(self, rng):
        return self.shape.memory()

    def step(self, world, action, t, rng):
        return self.shape.arrive(world, 1.0 if rng.random() < self.means[action] else 0.0, t, rng)

    def regret(self, world, action, t):
        return self.means[0] - self.means[action]


class Round(NamedTuple):
    pulls: np.ndarray  # (arms,)
    sums: np.ndarray  # (arms,)
    lengths: np.ndarray  # (arms,) of the last round
    arm: int
    left: int


class Rounds(NamedTuple):
    """An arm is played for a round that doubles each time; only then it decides anew."""

    arms: int

    def init(self, rng):
        return Round(np.zeros(self.arms), np.zeros(self.arms), np.ones(self.arms, np.int64), 0, 1)

    def select(self, state, t, rng):
        return state.arm

    def update(self, state, action, observation, t, rng):
        state.pulls[action] += 1.0
        state.sums[action] += observation
        if state.left > 1:
            return Round(state.pulls, state.sums, state.lengths, action, state.left - 1)
        state.lengths[action] *= 2
        arm, top = 0, -np.inf
        for i in range(self.arms):
            index = np.inf
            if state.pulls[i] > 0:
                index = state.sums[i] / state.pulls[i] + math.sqrt(math.log(t + 2.0) / state.pulls[i])
            if index > top:
                arm, top = i, index
        return Round(state.pulls, state.sums, state.lengths, arm, state.lengths[arm])


# The payoffs of many variables, one of few actions.


class Panel(NamedTuple):
    rates: np.ndarray  # (variables,)
    lifts: np.ndarray  # (variables,) added by the action of the variable's group
    groups: np.ndarray  # (variables,) int64
    gaps: np.ndarray  # (actions,)

    def reset(self, rng):
        return np.zeros(len(self.rates), np.uint8)

    def step(self, world, action, t, rng):
        for i in range(len(self.rates)):
            world[i] = rng.random() < self.rates[i] + (self.lifts[i] if self.groups[i] == action else 0.0)
        return world

    def regret(self, world, action, t):
        return self.gaps[action]


def panel(variables, actions, seed=0):
    """As many variables as wanted, the k-th action lifts every variable of group k."""
    rng = np.random.default_rng(seed)
    lifts, groups = rng.uniform(0, 0.3, variables), np.arange(variables) % actions
    values = np.bincount(groups, lifts, actions)
    return Panel(rng.uniform(0, 0.5, variables), lifts, groups, values.max() - values)


class Counts(NamedTuple):
    sums: np.ndarray  # (actions, variables) int32
    pulls: np.ndarray  # (actions,)
    scores: np.ndarray  # (actions,)


class Counting(NamedTuple):
    """Follows the action of the largest total payoff, after one round of each."""

    arms: int
    variables: int

    def init(self, rng):
        return Counts(np.zeros((self.arms, self.variables), np.int32), np.zeros(self.arms), np.zeros(self.arms))

    def select(self, state, t, rng):
        return t if t < self.arms else best_of(state.scores, self.arms)

    def update(self, state, action, observation, t, rng):
        state.pulls[action] += 1.0
        total = 0
        for i in range(self.variables):
            state.sums[action, i] += observation[i]
            total += state.sums[action, i]
        state.scores[action] = total / state.pulls[action]
        return state


# A context before the choice, an action for each person in it.


class Crowd(NamedTuple):
    theta: np.ndarray  # (features,) effect of a treatment
    people: int

    def reset(self, rng):
        return np.zeros((self.people, len(self.theta)))

    def context(self, world, t, rng):
        for i in range(self.people):
            for j in range(len(self.theta)):
                world[i, j] = rng.standard_normal()
        return world

    def effect(self, row):
        total = 0.0
        for j in range(len(self.theta)):
            total += self.theta[j] * row[j]
        return total

    def step(self, world, action, t, rng):
        seen = np.zeros(self.people)
        for i in range(self.people):
            seen[i] = action[i] * self.effect(world[i]) + rng.standard_normal()
        return seen

    def regret(self, world, action, t):
        total = 0.0
        for i in range(self.people):
            effect = self.effect(world[i])
            total += max(effect, 0.0) - action[i] * effect
        return total


class Learner(NamedTuple):
    theta: np.ndarray  # (features,)
    rows: np.ndarray  # (people, features) of this round
    action: np.ndarray  # (people,) of this round


class Gradient(NamedTuple):
    """Treats whom a linear model of the effect, fitted by gradient steps, would treat."""

    people: int
    features: int
    rate: float

    def init(self, rng):
        return Learner(np.zeros(self.features), np.zeros((self.people, self.features)), np.zeros(self.people, np.int64))

    def select(self, state, context, t, rng):
        for i in range(self.people):
            score = 0.1 * rng.standard_normal()
            for j in range(self.features):
                state.rows[i, j] = context[i, j]
                score += state.theta[j] * context[i, j]
            state.action[i] = 1 if score > 0.0 else 0
        return state.action

    def update(self, state, action, observation, t, rng):
        for i in range(self.people):
            if action[i] == 1:
                error = observation[i]
                for j in range(self.features):
                    error -= state.theta[j] * state.rows[i, j]
                for j in range(self.features):
                    state.theta[j] += self.rate * error * state.rows[i, j]
        return state


# State that grows: a list of arrays that are replaced, and a table whose room doubles.


class History(NamedTuple):
    rewards: list  # of an array for each arm, all its rewards
    used: np.ndarray  # (arms,) int64


class Listed(NamedTuple):
    """Follows the arm of the best last ten rewards; an arm's array is replaced by a longer one when it is full:
    at most 16 bytes a round."""

    arms: int

    def init(self, rng):
        return History([np.zeros(1) for _ in range(self.arms)], np.zeros(self.arms, np.int64))

    def select(self, state, t, rng):
        best, top = 0, -np.inf
        for arm in range(self.arms):
            n, total = state.used[arm], 1.0
            for i in range(max(0, n - 10), n):
                total += state.rewards[arm][i]
            if total / (n + 1.0) > top:
                best, top = arm, total / (n + 1.0)
        return best

    def update(self, state, action, observation, t, rng):
        n, old = state.used[action], state.rewards[action]
        if n == len(old):
            longer = np.zeros(2 * n)
            for i in range(n):
                longer[i] = old[i]
            state.rewards[action] = longer
        state.rewards[action][n] = observation
        state.used[action] += 1
        return state


class Table(NamedTuple):
    rewards: np.ndarray  # (arms, room)
    used: np.ndarray  # (arms,) int64


class Doubling(NamedTuple):
    """The same policy with one table for all arms, twice as wide whenever a row is full."""

    arms: int

    def init(self, rng):
        return Table(np.zeros((self.arms, 1)), np.zeros(self.arms, np.int64))

    def select(self, state, t, rng):
        best, top = 0, -np.inf
        for arm in range(self.arms):
            n, total = state.used[arm], 1.0
            for i in range(max(0, n - 10), n):
                total += state.rewards[arm, i]
            if total / (n + 1.0) > top:
                best, top = arm, total / (n + 1.0)
        return best

    def update(self, state, action, observation, t, rng):
        n, rewards = state.used[action], state.rewards
        if n == rewards.shape[1]:
            rewards = np.zeros((self.arms, 2 * n))
            for i in range(self.arms):
                for j in range(n):
                    rewards[i, j] = state.rewards[i, j]
        rewards[action, n] = observation
        state.used[action] += 1
        return Table(rewards, state.used)


# A vector action whose components have different numbers of arms, a vector of intermediate rewards.


class Parts(NamedTuple):
    x: np.ndarray  # (components,)
    reward: float


class Product(NamedTuple):
    means: np.ndarray  # (components, most arms), padded with nan
    sizes: np.ndarray  # (components,) int64
    best: float

    def actions(self):
        return tuple(self.sizes.tolist())

    def reset(self, rng):
        return np.zeros(len(self.sizes))

    def step(self, world, action, t, rng):
        reward = 1.0
        for i in range(len(self.sizes)):
            world[i] = self.means[i, action[i]] + 0.3 * rng.standard_normal()
            reward *= world[i]
        return Parts(world, reward)

    def regret(self, world, action, t):
        value = 1.0
        for i in range(len(self.sizes)):
            value *= self.means[i, action[i]]
        return self.best - value


def product(*means):
    """Components of the given means, one list each."""
    sizes = np.array([len(row) for row in means])
    padded = np.full((len(means), sizes.max()), np.nan)
    best = 1.0
    for i, row in enumerate(means):
        padded[i, : len(row)] = row
        best *= max(row)
    return Product(padded, sizes, best)


class Vector(NamedTuple):
    pulls: np.ndarray  # (components, most arms)
    sums: np.ndarray  # (components, most arms)
    action: np.ndarray  # (components,) of this round


class Ragged(NamedTuple):
    """An upper confidence bound for every component by itself."""

    sizes: np.ndarray  # (components,) int64

    def actions(self):
        return tuple(self.sizes.tolist())

    def init(self, rng):
        shape = len(self.sizes), self.sizes.max()
        return Vector(np.zeros(shape), np.zeros(shape), np.zeros(len(self.sizes), np.int64))

    def select(self, state, t, rng):
        for i in range(len(self.sizes)):
            arm, top = 0, -np.inf
            for a in range(self.sizes[i]):
                n, index = state.pulls[i, a], np.inf
                if n > 0:
                    index = state.sums[i, a] / n + math.sqrt(0.2 * math.log(t + 1.0) / n)
                if index > top:
                    arm, top = a, index
            state.action[i] = arm
        return state.action

    def update(self, state, action, observation, t, rng):
        for i in range(len(self.sizes)):
            state.pulls[i, action[i]] += 1.0
            state.sums[i, action[i]] += observation.x[i]
        return state
