"""Any limit up to the largest, for z-RCUCB: what a limit earns is known in closed form, or from a dense table."""

import math
from typing import NamedTuple

import numpy as np

from ...engine.methods import helper
from ...validate import number
from ..actions import Observation
from ..arguments import curve
from ..curves import Curve, law, values_of
from .gaussian import integrals, joint_law, laws_of
from .independent import law_of
from .quantiles import cubic

__all__ = ["gaussian_interval", "independent_interval"]

NODES = 1025  # of the tables; between two of them a cubic is within 1e-11 of the truth


class IntervalWorld(NamedTuple):
    """What is counted in a run, each of shape (1,)."""

    rounds: np.ndarray
    censored: np.ndarray


class Exponential(NamedTuple):
    """Expectations where the consumption is exponential and independent of the reward, in closed form."""

    means: np.ndarray  # (arms,) of the reward
    rates: np.ndarray  # (arms,) of the consumption
    cost: float  # slope

    def earned(self, arm, limit):
        """Expected reward minus cost of the rounds within a limit."""
        rate, over = self.rates[arm], self.exceeded(arm, limit)
        return self.means[arm] * (1.0 - over) - self.cost * (1.0 - over * (1.0 + rate * limit)) / rate

    def exceeded(self, arm, limit):
        """Probability of exceeding a limit."""
        return math.exp(-self.rates[arm] * limit)


class Dense(NamedTuple):
    """Expectations of consumptions in [0, 1], from tables of values and slopes."""

    kind: np.ndarray  # (arms,) row of the tables
    earnings: np.ndarray  # (kinds, nodes, 2) reward minus cost of the rounds within a limit, and slope per step
    over: np.ndarray  # (kinds, nodes, 2) probability of exceeding a limit, and slope per step

    def earned(self, arm, limit):
        """Expected reward minus cost of the rounds within a limit."""
        return read_table(self.earnings, self.kind[arm], limit)

    def exceeded(self, arm, limit):
        """Probability of exceeding a limit."""
        return read_table(self.over, self.kind[arm], limit)


@helper
def read_table(table, row, limit):
    """A table's function at a limit; constant beyond the last node."""
    last = table.shape[1] - 1
    place = min(limit, 1.0) * last
    k = min(int(place), last - 1)
    return cubic(table, row, k, place - k)


class Interval(NamedTuple):
    """Arms with a law of (reward, consumption), any limit up to the largest.

    A step draws two uniforms whatever the action, so all policies meet the same world.
    """

    law: tuple  # Independent or Truncated
    expected: tuple  # Exponential or Dense
    arms: int
    largest: float
    cost: float  # slope
    penalty: Curve
    best: float  # largest expected gain

    def actions(self):
        return self.arms, self.largest

    def reset(self, rng):
        return IntervalWorld(np.zeros(1, np.int64), np.zeros(1, np.int64))

    def step(self, world, action, t, rng):
        u, v = rng.random(), rng.random()
        consumption = self.law.consumption(action.arm, u)
        world.rounds[0] += 1
        if consumption > action.limit:
            world.censored[0] += 1
            return Observation(0.0, 0.0, 0.0, True)
        return Observation(self.law.reward(action.arm, consumption, u, v), consumption, self.cost * consumption, False)

    def regret(self, world, action, t):
        return max(self.best - self.gain(action.arm, action.limit), 0.0)

    def gain(self, arm, limit):
        """Expected penalised gain."""
        return self.expected.earned(arm, limit) - self.penalty.at(limit) * self.expected.exceeded(arm, limit)

    def diagnostics(self, world, state):
        return {"censored": world.censored[0] / max(1, world.rounds[0])}


def independent_interval(a, b, rates, penalty, cost=0.1, largest=1.0):
    r"""Rewards Beta(a, b), consumption exponential, independent, on all limits of :math:`(0,\tau_{\max}]`.

    The expected gain of the best pair is found to 1e-12.

    Parameters
    ----------
    a, b : array_like, shape (arms,), parameters of the reward's Beta law, at least 0.1
    rates : array_like, shape (arms,), rate of the consumption, positive
    penalty : Curve or float or callable, a number is a slope
    cost : float >= 0, its slope
    largest : float > 0, the largest limit

    References
    ----------
    Censored consumption, Section 4.2 and Appendix E.2.

    Examples
    --------
    >>> round(independent_interval([0.8], [0.2], [1.8], 1.0).best, 4)
    0.4726
    """
    law, means = law_of(a, b, rates)
    terms = checked(largest, cost, penalty)
    expected = Exponential(means, np.ascontiguousarray(law.arms[:, 1]), terms["cost"])
    return with_best(law, expected, list(zip(means, expected.rates, strict=True)), **terms)


def gaussian_interval(means, x, sigma, penalty, cost=0.1, largest=1.0):
    r"""Pairs :math:`(R,C)\sim N(\mu_i,\Sigma_i)` conditioned on the unit square, on all limits of
    :math:`(0,\tau_{\max}]`.

    Parameters
    ----------
    means, x, sigma
        As in `gaussian`.
    penalty : Curve or float or callable, a number is a slope
    cost : float >= 0, its slope
    largest : float > 0, the largest limit

    References
    ----------
    Censored consumption, Section 4.2 and Appendix E.2.

    Examples
    --------
    >>> world = gaussian_interval([[0.6, 0.45]], 0.2, 0.2, 1.0)
    >>> round(float(1 - world.expected.exceeded(0, 0.5)), 4)
    0.5463
    """
    laws = laws_of(means, x, number("sigma", sigma, least=0.001))
    terms, kinds, limits = checked(largest, cost, penalty), list(dict.fromkeys(laws)), np.linspace(0, 1, NODES)
    earnings, over = zip(*(dense(own, limits, terms["cost"]) for own in kinds), strict=True)
    expected = Dense(np.array([kinds.index(own) for own in laws]), np.array(earnings), np.array(over))
    return with_best(joint_law(laws, kinds), expected, laws, **terms)


def checked(largest, cost, penalty):
    """What all arms share, as the fields of `Interval`."""
    largest = number("largest", largest, above=0)
    return dict(largest=largest, cost=number("cost", cost, least=0), penalty=curve("penalty", penalty, largest))


def dense(own, limits, cost):
    """Both tables of one law: values, and slopes per step."""
    line = law(cost, 1.0)
    reward, spent, above, mass = integrals(own.densities, limits, line)
    h0, h1 = (h / mass * limits[1] for h in own.densities(limits))
    return np.stack([reward - spent, h1 - h0 * values_of(line, limits)], -1), np.stack([above, -h0], -1)


def with_best(law, expected, kinds, **terms):
    """The environment, which knows the gain of its best pair; `kinds` tells which arms are alike."""
    world = Interval(law, expected, len(kinds), **terms, best=0.0)
    points = np.linspace(0, world.largest, 2049)[1:]
    return world._replace(best=max(peak(world, kinds.index(kind), points) for kind in dict.fromkeys(kinds)))


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
