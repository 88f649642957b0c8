"""The setting: pick an arm and a limit; where the consumption exceeds the limit, nothing but that is seen."""

from typing import NamedTuple

import numpy as np

from ..actions import Observation, space
from ..curves import Curve

__all__ = ["World", "revealed"]


class World(NamedTuple):
    """What is counted in a run."""

    pulls: np.ndarray  # (arms, limits)
    censored: np.ndarray  # (1,)


class Censored(NamedTuple):
    """Arms with a law of (reward, consumption) and a grid of limits: what all factories but one return.

    A step draws two uniforms whatever the pair, and every arm's law is reached through its quantiles, so all policies
    meet the same world.
    """

    law: tuple  # Truncated, Independent or Recorded
    limits: np.ndarray  # (limits,)
    cost: Curve
    penalty: np.ndarray  # (limits,)
    gaps: np.ndarray  # (arms, limits) best gain minus gain
    gains: np.ndarray  # (arms, limits) expected penalised gain
    rewards: np.ndarray  # (arms, limits) expected reward, 0 where censored
    survival: np.ndarray  # (arms, limits) probability of being censored
    reveals: bool  # whether a censored round tells its consumption

    def actions(self):
        return space(len(self.gaps), self.limits, self.reveals)

    def reset(self, rng):
        return World(np.zeros(self.gaps.shape, np.int64), np.zeros(1, np.int64))

    def step(self, world, action, t, rng):
        u, v = rng.random(), rng.random()
        world.pulls[action.arm, action.limit] += 1
        consumption = self.law.consumption(action.arm, u)
        if consumption > self.limits[action.limit]:
            world.censored[0] += 1
            return Observation(0.0, consumption if self.reveals else 0.0, 0.0, True)
        reward, cost = self.law.reward(action.arm, consumption, u, v), self.cost.at(consumption)
        return Observation(reward, consumption, cost, False)

    def regret(self, world, action, t):
        return self.gaps[action.arm, action.limit]

    def diagnostics(self, world, state):
        rounds = max(1, world.pulls.sum())
        return {
            "censored": world.censored[0] / rounds,
            "optimal": world.pulls[self.gaps < 1e-9].sum() / rounds,
            "largest limit": world.pulls[:, -1].sum() / rounds,
            "pulls": world.pulls,
        }


def assemble(law, limits, cost, penalty, rewards, costs, survival):
    """The environment from its law and its exact tables."""
    gains = rewards - costs - penalty * survival
    tables = [np.ascontiguousarray(table) for table in (gains.max() - gains, gains, rewards, survival)]
    return Censored(law, limits, cost, penalty, *tables, False)


def revealed(environment):
    """The environment as it is for somebody who sees the consumption of censored rounds too.

    No learner of the paper's setting does; Equation 9 as printed needs it (`rcucb` with ``survival="oracle"``). The
    random numbers are those of the environment itself.

    Parameters
    ----------
    environment : Censored, what the factories of grids of limits return

    Examples
    --------
    >>> from banditlab.censored import indep
    >>> revealed(indep(2, [0.5])).actions()
    (2, (0.5,), 'consumption revealed')
    """
    if not isinstance(environment, Censored):
        raise TypeError(f"environment={type(environment).__name__}: must be a problem on a grid of limits")
    return environment._replace(reveals=True)
