"""A policy and its slow twin side by side: the same rounds, the same actions."""

import math
from typing import NamedTuple

import numpy as np

from banditlab.censored import Observation
from banditlab.censored.environments.grid import Censored
from tests.naive import censored as naive


class Told(NamedTuple):
    """Consumption and reward of every arm's rounds, told in advance: the n-th pull of an arm is entry n."""

    outcomes: np.ndarray  # (arms, rounds, 2) reward, consumption
    limits: np.ndarray
    reveals: bool = False

    def reset(self, rng):
        return np.zeros(len(self.outcomes), np.int64)

    def step(self, world, action, t, rng):
        reward, used = self.outcomes[action.arm, world[action.arm]].tolist()
        world[action.arm] += 1
        limit = action.limit if isinstance(action.limit, float) else self.limits[action.limit]
        if used > limit:
            return Observation(0.0, used if self.reveals else 0.0, 0.0, True)
        return Observation(reward, used, used / 10, False)


def told(arms, limits, rounds, seed, places=None):
    """Random rewards and consumptions; rounded to few places they fall on limits and tie."""
    outcomes = np.random.default_rng(seed).random((arms, rounds, 2)) * [1.0, 1.1]
    return Told(outcomes if places is None else outcomes.round(places), np.asarray(limits, float))


def duel(policy, twin, environment, rounds, seed=0):
    """Play both for some rounds on what the policy's actions bring; return the policy's last state and all actions.

    Without a twin the policy plays alone.
    """
    rng, world_rng = np.random.default_rng(seed), np.random.default_rng([seed, 1])
    world, state, actions = environment.reset(world_rng), policy.init(rng), []
    for t in range(rounds):
        action = policy.select(state, t, rng)
        actions.append(tuple(action))
        assert twin is None or actions[-1] == tuple(twin.select()), f"the twin plays otherwise in round {t + 1}"
        seen = environment.step(world, action, t, world_rng)
        hidden = (math.nan, seen.consumption if getattr(environment, "reveals", False) else math.nan, True)
        if twin is not None:
            twin.update(actions[-1], hidden if seen.censored else (seen.reward, seen.consumption, False))
        state = policy.update(state, action, seen, t, rng)
    return state, actions


def cost_and_penalty(environment):
    """The twin's functions for an environment of the package."""
    assert isinstance(environment, Censored)
    table = dict(zip(environment.limits.tolist(), environment.penalty.tolist(), strict=True))
    return naive.synthetic_cost, lambda limit: table[float(limit)]
