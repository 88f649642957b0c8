"""A policy and its slow twin side by side: the same payoffs, the same actions."""

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from banditlab import uplifting
from banditlab.uplifting.environments.gaussian import Observation

SEEDS = st.integers(0, 2**32 - 1)


def instance(seed, quiet=False):
    """A small random instance, means in quarters; with noise that has common factors, or none: then ties are common."""
    rng = np.random.default_rng(seed)
    K, m = int(rng.integers(1, 5)), int(rng.integers(2, 8))
    affected = rng.random((K, m)) < 0.5
    affected[np.arange(K), rng.integers(0, m, K)] = True
    mu0 = rng.integers(0, 5, m) / 4
    mu = np.where(affected, rng.integers(-4, 9, (K, m)) / 4, mu0)
    noise = 0.0 if quiet else 0.5
    return uplifting.gaussian(mu, mu0, affected, rng.normal(0, 0.3 * noise, (m, 2)), np.full(m, noise))


class Halves(NamedTuple):
    """Payoffs of 0, 1/2 or 1; those of the last two variables are stretched, so that sums are seldom equal by chance.

    With the exploration of `DYADIC` the radius after 1, 4, 9, 16 ... pulls is a fraction, and means often lie exactly
    on the border of an interval: a mean that is wrong in its last digit then falls on the other side.
    """

    table: np.ndarray  # (rounds, K, m)
    mu0: np.ndarray  # (m,) quarters, stretched as the payoffs

    def reset(self, rng):
        return None

    def step(self, world, action, t, rng):
        return Observation(self.table[t, action], float(self.table[t, action].sum()))


DYADIC = [1 / 128, 1 / 32, 1 / 8]  # 2 beta is the square of 1/8, 1/4, 1/2


def halves(seed, rounds):
    """Two or three actions, nine variables, uplifts of 0 and 1/8."""
    rng = np.random.default_rng(seed)
    K, m = int(rng.integers(2, 4)), 9
    stretch = np.where(np.arange(m) < 7, 1.0, 1 + rng.random(m))
    mu0 = rng.integers(1, 4, m) / 4
    rates = mu0 + rng.integers(-1, 2, (K, m)) / 8
    table = (rng.random((rounds, K, m, 2)) < rates[:, :, None]).sum(axis=3) / 2
    return Halves(table * stretch, stretch * mu0)


def agree(action, twin):
    """Whether the twin plays the same; where two of its indices differ by rounding only, either will do."""
    other = twin.select()
    if action == other:
        return True
    return hasattr(twin, "index") and abs(twin.index(action) - twin.index(other)) < 1e-10


def duel(policy, twin, environment, rounds, seed=0, strict=False):
    """Play both on what the policy's actions bring; return the policy's last state and all actions.

    Strictly: the same action, no tie forgiven, and the same indices (up to rounding) of all actions played before.
    """
    rng, world_rng = np.random.default_rng(seed), np.random.default_rng([seed, 1])
    world, state, actions = environment.reset(world_rng), policy.init(rng), []
    for t in range(rounds):
        action = policy.select(state, t, rng)
        if strict and len(set(actions)) == twin.K:
            expected = [twin.index(a) for a in range(twin.K)]
            assert np.allclose(state.index, expected, rtol=0, atol=1e-9), f"other indices in round {t + 1}"
        same = action == twin.select() if strict else agree(int(action), twin)
        assert same, f"the twin plays otherwise in round {t + 1}"
        actions.append(int(action))
        seen = environment.step(world, action, t, world_rng)
        twin.update(int(action), seen.y.copy())
        state = policy.update(state, action, seen, t, rng)
    return state, actions


def trace(policy, payoffs, rounds, seed=0):
    """The actions on a common table: payoffs(t, action) is what a round shows."""
    rng, actions = np.random.default_rng(seed), []
    state = policy.init(rng)
    for t in range(rounds):
        action = int(policy.select(state, t, rng))
        y = np.asarray(payoffs(t, action), float)
        actions.append(action)
        state = policy.update(state, action, Observation(y, float(y.sum())), t, rng)
    return actions
