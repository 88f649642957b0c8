"""A policy and its slow twin side by side: the same payoffs, the same actions."""

import numpy as np
from hypothesis import strategies as st

from banditlab import uplifting
from banditlab.uplifting.environments import Seen

SEEDS = st.integers(0, 2**32 - 1)


def instance(seed, discrete=False):
    """A small random instance: Gaussian with common factors, or payoffs rounded to halves, where ties are common."""
    rng = np.random.default_rng(seed)
    K, m = int(rng.integers(1, 5)), int(rng.integers(2, 8))
    affected = rng.random((K, m)) < 0.5
    affected[np.arange(K), rng.integers(0, m, K)] = True
    mu0 = rng.integers(0, 5, m) / 4
    mu = np.where(affected, rng.integers(-4, 9, (K, m)) / 4, mu0)
    noise = 0.0 if discrete else 0.5
    return uplifting.gaussian(mu, mu0, affected, rng.normal(0, 0.3 * noise, (m, 2)), np.full(m, noise))


def agree(action, twin):
    """Whether the twin plays the same; where two of its indices differ by rounding only, either will do."""
    other = twin.select()
    if action == other:
        return True
    return hasattr(twin, "index") and abs(twin.index(action) - twin.index(other)) < 1e-10


def duel(policy, twin, environment, rounds, seed=0):
    """Play both on what the policy's actions bring; return the policy's last state and all actions."""
    rng, world_rng = np.random.default_rng(seed), np.random.default_rng([seed, 1])
    world, state, actions = environment.start(world_rng), policy.begin(rng), []
    for t in range(rounds):
        action = policy.select(state, t, rng)
        assert agree(int(action), twin), f"the twin plays otherwise in round {t + 1}"
        actions.append(int(action))
        seen = environment.step(world, action, t, world_rng)
        twin.update(int(action), seen.y.copy())
        state = policy.update(state, action, seen, t, rng)
    return state, actions


def trace(policy, payoffs, rounds, seed=0):
    """The actions on a common table: payoffs(t, action) is what a round shows."""
    rng, actions = np.random.default_rng(seed), []
    state = policy.begin(rng)
    for t in range(rounds):
        action = int(policy.select(state, t, rng))
        y = np.asarray(payoffs(t, action), float)
        actions.append(action)
        state = policy.update(state, action, Seen(y, float(y.sum())), t, rng)
    return actions
