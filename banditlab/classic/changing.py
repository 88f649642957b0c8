"""Arms whose means change while one plays; regret is against the best arm of each round."""

from typing import NamedTuple

import numpy as np

from ..building_blocks.growing_arrays import largest_entry
from ..engine.methods import helper
from ..validate import LARGEST, listed, number, probabilities, table, whole

__all__ = ["Drifting", "Piecewise", "drifting", "piecewise"]


class Piecewise(NamedTuple):
    """Bernoulli arms whose means jump: what `piecewise` returns. A step draws one uniform whatever the arm."""

    means: np.ndarray  # (phases, arms)
    gaps: np.ndarray  # (phases, arms) best mean of the phase minus mean
    changes: np.ndarray  # (phases - 1,) rounds played before each later phase

    def actions(self):
        return self.means.shape[1]

    def reset(self, rng):
        return np.zeros(1, np.int64)  # the phase

    def step(self, world, action, t, rng):
        while world[0] < len(self.changes) and t >= self.changes[world[0]]:
            world[0] += 1
        return 1.0 if rng.random() < self.means[world[0], action] else 0.0

    def regret(self, world, action, t):
        return self.gaps[world[0], action]


def piecewise(means, changes):
    """Bernoulli arms whose means are constant between known changes; policies are not told.

    Parameters
    ----------
    means : array_like, shape (phases, arms)
        Success probabilities of each phase, in [0, 1].
    changes : array_like of int, shape (phases - 1,)
        Rounds played before each later phase begins, at least 1, strictly ascending.

    Returns
    -------
    Piecewise
        The environment.

    References
    ----------
    Garivier, Moulines, On upper-confidence bound policies for switching bandit problems, 2011, Section 2.

    Examples
    --------
    >>> piecewise([[0.5, 0.3], [0.5, 0.9]], changes=[3000]).gaps.round(1)
    array([[0. , 0.2],
           [0.4, 0. ]])
    """
    means = table("means", means, least=0, most=1)
    changes = listed("changes", changes, "a list of rounds", 0)
    if len(changes) != len(means) - 1:
        raise ValueError(f"changes={changes!r}: must be a list of {len(means) - 1}, one for each phase after the first")
    rounds = []
    for i, change in enumerate(changes):
        rounds.append(whole(f"changes[{i}]", change, rounds[-1] + 1 if rounds else 1, LARGEST))
    return Piecewise(means, means.max(axis=1, keepdims=True) - means, np.array(rounds, np.int64))


class Drifting(NamedTuple):
    """Bernoulli arms whose means wander: what `drifting` returns.

    A step draws a normal for every arm and one uniform whatever the arm, so all policies meet the same world.
    """

    means: np.ndarray  # (arms,) of the first round
    speed: float  # standard deviation of a round's move

    def actions(self):
        return len(self.means)

    def reset(self, rng):
        return self.means.copy()

    def step(self, world, action, t, rng):
        for arm in range(len(world)):
            world[arm] = reflected(world[arm] + self.speed * rng.standard_normal() if t > 0 else world[arm])
        return 1.0 if rng.random() < world[action] else 0.0

    def regret(self, world, action, t):
        return largest_entry(world) - world[action]


@helper
def reflected(x):
    """The point of [0, 1] where a walk that would be at x is after it bounced off the ends."""
    x = abs(x) % 2.0
    return 2.0 - x if x > 1.0 else x


def drifting(means, speed):
    """Bernoulli arms whose means walk at random in [0, 1], independently, reflected at its ends.

    Parameters
    ----------
    means : array_like, shape (arms,)
        Success probabilities in the first round, in [0, 1].
    speed : float
        Standard deviation of a mean's step from one round to the next, in [0, 1]; 0 stands still.

    Returns
    -------
    Drifting
        The environment.

    References
    ----------
    Slivkins, Upfal, Adapting to a changing environment: the Brownian restless bandits, 2008, Section 2.

    Examples
    --------
    >>> from banditlab import classic, simulate
    >>> policies = {"one arm": classic.explore_then_commit(2, 1), "sliding": classic.sliding_ucb(2, 200)}
    >>> result = simulate(drifting([0.5, 0.5], 0.01), policies, 5000, runs=50)
    >>> bool(result.paired("one arm", "sliding")["low"].iloc[-1] > 0)
    True
    """
    return Drifting(probabilities("means", means), number("speed", speed, least=0, most=1))
