"""Environments and policies as simple as they can be: what comes out is known beforehand."""

from typing import NamedTuple

import numpy as np


class Numbered(NamedTuple):
    """The regret of action a is a; every action that was taken stays in the world."""

    rounds: int

    def reset(self, rng):
        return np.zeros(self.rounds)

    def step(self, world, action, t, rng):
        world[t] = action
        return 0.0

    def regret(self, world, action, t):
        return float(action)


class Scripted(NamedTuple):
    """Rewards known beforehand, without noise; every action that was taken stays in the world."""

    rewards: np.ndarray  # (rounds, arms)

    def reset(self, rng):
        return np.zeros(len(self.rewards), np.int64)

    def step(self, world, action, t, rng):
        world[t] = action
        return self.rewards[t, action]

    def regret(self, world, action, t):
        return 1.0 - self.rewards[t, action]


class Witness(NamedTuple):
    """Independent normal arms, drawn all together; the draws stay in the world."""

    means: np.ndarray  # (arms,)
    rounds: int

    def reset(self, rng):
        return np.zeros((self.rounds, len(self.means)))

    def step(self, world, action, t, rng):
        for arm in range(len(self.means)):
            world[t, arm] = self.means[arm] + rng.standard_normal()
        return world[t, action]

    def regret(self, world, action, t):
        return self.means[0] - self.means[action]

    def diagnostics(self, world, state):
        return {"first": world[0, 0], "last": world[-1, -1]}


class Fixed(NamedTuple):
    """Always the same arm, whatever it sees."""

    arm: int
    draws: int  # variates of its own that it wastes in every round

    def init(self, rng):
        return np.zeros(1)

    def select(self, state, t, rng):
        for _ in range(self.draws):
            state[0] += rng.random()
        return self.arm

    def update(self, state, action, observation, t, rng):
        return state

    def diagnostics(self, world, state):
        return {"wasted": state[0]}


class Still(NamedTuple):
    """Always the same regret; neither draws nor stores anything."""

    gap: float

    def reset(self, rng):
        return 0

    def step(self, world, action, t, rng):
        return 1.0

    def regret(self, world, action, t):
        return self.gap


class Constant(NamedTuple):
    """Always arm 0; neither draws nor stores anything."""

    arms: int

    def init(self, rng):
        return 0

    def select(self, state, t, rng):
        return 0

    def update(self, state, action, observation, t, rng):
        return state


class Failing(NamedTuple):
    """Arm 0, until it raises an error."""

    arms: int
    round: int

    def init(self, rng):
        return 0

    def select(self, state, t, rng):
        if t == self.round:
            raise ValueError("the policy gave up")
        return 0

    def update(self, state, action, observation, t, rng):
        return state


class InTurn(NamedTuple):
    """Takes the arms in turn and learns nothing; others change what it learns."""

    arms: int

    def init(self, rng):
        return 0

    def select(self, state, t, rng):
        return t % self.arms

    def update(self, state, action, observation, t, rng):
        return state


class Expressions(NamedTuple):
    """A policy in array expressions, as one writes them in NumPy; numba asks functions in C for some of them."""

    arms: int

    def init(self, rng):
        return np.zeros((2, self.arms))

    def select(self, state, t, rng):
        order = rng.permutation(self.arms)
        chances = np.exp(state[1] - state[1].max())
        chances[:] = np.cumsum(chances / chances.sum())
        if rng.random() < 0.3:
            return order[0]
        spread = np.outer(state[1], state[1]).reshape(self.arms * self.arms)
        return int(np.searchsorted(chances, rng.random() * chances[-1])) if np.median(spread) < 1e6 else 0

    def update(self, state, action, observation, t, rng):
        state[0, action] += 1.0
        state[1, action] += (observation - state[1, action]) / state[0, action]
        return state
