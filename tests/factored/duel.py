"""A policy and its slow twin side by side: the same observations, the same actions."""

import math
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from banditlab import factored
from banditlab.factored.environments import Observation

SEEDS = st.integers(0, 2**32 - 1)
SIZES = st.lists(st.integers(1, 4), min_size=1, max_size=3).filter(lambda ks: max(ks) > 1)


def draw_means(ks, seed):
    """Distinct expected observations for components of these sizes."""
    rng = np.random.default_rng(seed)
    return [rng.random(k) for k in ks]


def gaussian(means, noise):
    """The package's normal observations, also with a noise of 0, which its factory refuses."""
    environment = factored.gaussian(means, noise or 1.0)
    return environment._replace(sigma=np.full(len(means), float(noise)))


class Shifted(NamedTuple):
    """One environment for the first rounds, another one of the same kind afterwards."""

    before: NamedTuple
    after: NamedTuple
    rounds: np.ndarray  # (1,) of the first

    def reset(self, rng):
        return self.before.reset(rng)

    def step(self, world, action, t, rng):
        return (self.before if t < self.rounds[0] else self.after).step(world, action, t, rng)


def duel(policy, twin, environment, rounds, seed=0):
    """Play both for some rounds on what the policy's actions bring; return the policy's last state and all actions."""
    rng, world_rng = np.random.default_rng(seed), np.random.default_rng([seed, 1])
    world, state, actions = environment.reset(world_rng), policy.init(rng), []
    for t in range(rounds):
        action = policy.select(state, t, rng)
        actions.append(action.tolist())
        assert actions[-1] == list(twin.select()), f"the twin plays otherwise in round {t + 1}"
        seen = environment.step(world, action, t, world_rng)
        twin.update(actions[-1], seen.x.tolist(), float(seen.reward))
        state = policy.update(state, action, seen, t, rng)
    return state, actions


def feed(policy, observations, rng):
    """Play on prescribed observations, one vector a round; return the last state and all actions."""
    state, actions = policy.init(rng), []
    for t, x in enumerate(observations):
        action = policy.select(state, t, rng)
        actions.append(action.tolist())
        state = policy.update(state, action, Observation(np.asarray(x, float), math.prod(x)), t, rng)
    return state, actions
