"""Reward Beta, consumption exponential, independent of each other."""

import math
from typing import NamedTuple

import numpy as np

from ...validate import how_many, vector
from ..arguments import curve, grid, penalties
from ..curves import values_of
from . import quantiles
from .gaussian import POINTS, WEIGHTS
from .grid import assemble

__all__ = ["independent"]


class Independent(NamedTuple):
    """Independent reward and consumption, both by their quantiles."""

    table: np.ndarray  # (laws, nodes, 2) quantiles of the reward
    arms: np.ndarray  # (arms, 2) law of the reward, rate of the consumption

    def consumption(self, arm, u):
        return -math.log(1.0 - u) / self.arms[arm, 1]

    def reward(self, arm, consumption, u, v):
        return quantiles.quantile(self.table, int(self.arms[arm, 0]), v)


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

    A step draws two uniforms whatever the pair.

    Parameters
    ----------
    a, b : array_like, shape (arms,), parameters of the reward's Beta law, at least 0.1
    rates : array_like, shape (arms,), rate of the consumption, positive; its mean is 1 / rate
    limits : int or array_like, shape (m,)
    penalty : array_like, shape (m,), or Curve or callable
    cost : float or Curve or callable, cost of consumption; a number is a slope

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


def indep_arms(arms):
    """Parameters of the paper's arms: the first is the best, the others alike."""
    n = how_many("arms", arms, 256)
    a, b = np.full(n, 0.8), np.array([0.2] + [0.3] * (n - 1))
    return a, b, a / (a + b) + 1
