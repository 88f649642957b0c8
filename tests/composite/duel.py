"""A policy and its slow twin side by side: the same observations, the same actions."""

import numpy as np


def duel(policy, twin, environment, rounds, rng, seed=0):
    """Play both for some rounds on what the policy's arms bring; return the last state and all arms."""
    world_rng = np.random.default_rng([seed, 1])
    world, state, arms = environment.reset(world_rng), policy.init(rng), []
    for t in range(rounds):
        arms.append(int(policy.select(state, t, rng)))
        assert arms[-1] == twin.select(), f"the twin plays otherwise in step {t + 1}"
        seen = environment.step(world, arms[-1], t, world_rng)
        twin.update(arms[-1], seen)
        state = policy.update(state, arms[-1], seen, t, rng)
    return state, arms


def watch(environment, arms, seed=0):
    """What a fixed list of arms sees, step by step; and the last world."""
    rng = np.random.default_rng(seed)
    world = environment.reset(rng)
    return np.array([environment.step(world, arm, t, rng) for t, arm in enumerate(arms)]), world


def lengths(arms):
    """A list of arms as (arm, length) of its stretches."""
    cuts = [0, *(np.flatnonzero(np.diff(arms)) + 1), len(arms)]
    return [(arms[a], int(b - a)) for a, b in zip(cuts[:-1], cuts[1:], strict=True)]
