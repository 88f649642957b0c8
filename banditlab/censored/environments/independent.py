"""Reward Beta, consumption exponential, independent of each other."""

import math
from typing import NamedTuple

import numpy as np

from ...validate import number, vector, whole
from ..curves import Curve, curve, grid, penalties, power, values_of
from . import quantiles
from .censored import Observation, assemble
from .gaussian import POINTS, WEIGHTS
from .quantiles import quantile


class Independent(NamedTuple):
    """Independent reward and consumption, both by their quantiles."""

    table: np.ndarray  # (laws, nodes, 2) quantiles of the reward
    arms: np.ndarray  # (arms, 2) law of the reward, rate of the consumption

    def consumption(self, arm, u):
        return -math.log(1.0 - u) / self.arms[arm, 1]

    def reward(self, arm, consumption, u, v):
        return quantile(self.table, int(self.arms[arm, 0]), v)


def law_of(a, b, rates):
    """The law and the mean rewards, checked."""
    a = vector("a", a, least=0.1)
    b, rates = vector("b", b, least=0.1, size=len(a)), vector("rates", rates, least=0.0, size=len(a))
    if (rates == 0).any():
        raise ValueError(f"rates={rates.tolist()}: must be positive")
    shapes = list(zip(a.tolist(), b.tolist(), strict=True))
    kinds = list(dict.fromkeys(shapes))
    table = np.array([quantiles.beta(*shape) for shape in kinds])
    arms = [(kinds.index(shape), rate) for shape, rate in zip(shapes, rates, strict=True)]
    return Independent(table, np.array(arms, float)), a / (a + b)


def independent(a, b, rates, limits, penalty, cost=0.1):
    r"""Rewards Beta(a, b), consumption exponential, independent; expected gains exactly.

    Parameters
    ----------
    a, b : array_like, shape (arms,)
        Parameters of the reward's Beta law, at least 0.1.
    rates : array_like, shape (arms,)
        Rate of the consumption, positive; its mean is 1 / rate.
    limits : int or array_like, shape (m,)
        Limits, positive, ascending; a whole number m is the grid of m points from 0.1 to 0.9.
    penalty : array_like, shape (m,), or Curve or callable
        Penalty of every limit, at least 0, never decreasing.
    cost : float or Curve or callable
        Cost of consumption; a number is a slope.

    Returns
    -------
    Censored
        The environment; a step draws two uniforms whatever the pair.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Censored consumption, Appendix E.2.

    Examples
    --------
    >>> world = independent([0.8], [0.2], [1.8], [0.5], [0.05])
    >>> round(float(world.gains[0, 0]), 5)
    0.44178
    """
    limits = grid("limits", limits)
    law, mean = law_of(a, b, rates)
    cost, penalty = curve("cost", cost, limits[-1]), penalties("penalty", penalty, limits)
    survival = np.exp(-law.arms[:, 1:] * limits)
    rewards = -mean[:, None] * np.expm1(-law.arms[:, 1:] * limits)
    return assemble(law, limits, cost, penalty, rewards, spent(law.arms[:, 1], limits, cost), survival)


def spent(rates, limits, cost):
    """Expected cost of the consumption up to every limit, (arms, limits)."""
    edges = np.unique(np.concatenate([limits, np.linspace(0, limits[-1], 65), cost.table[0]]))
    edges = edges[edges <= limits[-1]]
    half = 0.5 * np.diff(edges)
    u = 0.5 * (edges[1:] + edges[:-1])[:, None] + half[:, None] * POINTS
    values = values_of(cost, u)
    parts = [half * ((rate * np.exp(-rate * u) * values) @ WEIGHTS) for rate in rates]
    return np.array([np.concatenate([[0.0], np.cumsum(part)])[np.searchsorted(edges, limits)] for part in parts])


class Point(NamedTuple):
    """An action on a whole interval of limits."""

    arm: int
    limit: float


class Interval(NamedTuple):
    """Independent reward and consumption, any limit up to the largest: what `indep_interval` returns.

    A step draws two uniforms whatever the action, so all policies meet the same world.
    """

    law: Independent
    means: np.ndarray  # (arms,) of the reward
    largest: float
    cost: float  # slope
    penalty: Curve
    best: float  # largest expected gain

    def actions(self):
        return len(self.means), self.largest

    def reset(self, rng):
        return np.zeros(2, np.int64)

    def step(self, world, action, t, rng):
        u, v = rng.random(), rng.random()
        consumption = self.law.consumption(action.arm, u)
        world[0] += 1
        if consumption > action.limit:
            world[1] += 1
            return Observation(0.0, 0.0, 0.0, True)
        return Observation(self.law.reward(action.arm, consumption, u, v), consumption, self.cost * consumption, False)

    def regret(self, world, action, t):
        return max(self.best - self.gain(action.arm, action.limit), 0.0)

    def gain(self, arm, limit):
        """Expected penalised gain, in closed form."""
        rate = self.law.arms[arm, 1]
        over = math.exp(-rate * limit)
        spent = self.cost * (1.0 - over * (1.0 + rate * limit)) / rate
        return self.means[arm] * (1.0 - over) - spent - self.penalty.at(limit) * over

    def tally(self, world, state):
        return {"censored": world[1] / max(1, world[0])}


def indep_interval(arms=3, penalty=None, cost=0.1, largest=1.0):
    r"""The problem Indep on all limits of :math:`(0,\tau_{\max}]`, for z-RCUCB.

    Parameters
    ----------
    arms : int
        Number of arms, at least 1; the first is the best.
    penalty : Curve or float
        Penalty of a limit; a number is a slope; by default :math:`4x^2` (ours: the paper has no such experiment).
    cost : float
        Slope of the cost, at least 0.
    largest : float
        The largest limit, positive.

    Returns
    -------
    Interval
        The environment; the expected gain of its best pair is found to 1e-12.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Censored consumption, Section 4.2 and Appendix E.2.

    Examples
    --------
    >>> round(indep_interval().best, 5)
    0.12795
    """
    law, means = law_of(*indep_arms(arms))
    largest, cost = number("largest", largest, above=0), number("cost", cost, least=0)
    penalty = power(4.0, 2.0) if penalty is None else curve("penalty", penalty, largest)
    world = Interval(law, means, largest, cost, penalty, 0.0)
    points = np.linspace(0, largest, 2049)[1:]
    best = max(peak(world, arm, points) for arm in {0, len(means) - 1})
    return world._replace(best=best)


def peak(world, arm, points):
    """Largest expected gain of an arm, by golden section around the best of many points."""
    k = int(np.argmax([world.gain(arm, float(limit)) for limit in points]))
    low, high = points[max(k - 1, 0)], points[min(k + 1, len(points) - 1)]
    share = (math.sqrt(5) - 1) / 2
    for _ in range(60):
        left, right = high - share * (high - low), low + share * (high - low)
        if world.gain(arm, left) < world.gain(arm, right):
            low = left
        else:
            high = right
    return float(max(world.gain(arm, low), world.gain(arm, high), world.gain(arm, points[k])))


def indep_arms(arms):
    """Parameters of the paper's arms: the first is the best, the others alike."""
    n = whole("arms", arms, 1)
    a, b = np.full(n, 0.8), np.array([0.2] + [0.3] * (n - 1))
    return a, b, a / (a + b) + 1
