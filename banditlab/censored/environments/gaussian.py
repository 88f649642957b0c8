"""Reward and consumption jointly normal, conditioned on the unit square."""

import functools
import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...validate import is_real, listed, number, vector
from ..arguments import curve, grid, penalties
from ..curves import line, values_of
from . import quantiles
from .grid import assemble

__all__ = ["correlation", "gaussian"]

ROOT2 = math.sqrt(2.0)
POINTS, WEIGHTS = np.polynomial.legendre.leggauss(40)
LEAST = 1e-4  # acceptance of rejection sampling below which the law is all tail
SINGULAR = 1e-6  # distance of the correlation from 1 below which there is no covariance to speak of
NARROW = 0.003  # deviation of the reward given the consumption below which the tables would lose digits


class Truncated(NamedTuple):
    """Normal pairs on the unit square: the consumption by its quantile, the reward by its quantile given that."""

    table: np.ndarray  # (laws + 1, nodes, 2) quantiles of consumption, last the standard normal
    arms: np.ndarray  # (arms, 4) law, then base, slope and deviation of the reward given the consumption

    def consumption(self, arm, u):
        return quantiles.quantile(self.table, int(self.arms[arm, 0]), u)

    def reward(self, arm, consumption, u, v):
        mean = self.arms[arm, 1] + self.arms[arm, 2] * consumption
        deviation = self.arms[arm, 3]
        low = 0.5 + 0.5 * math.erf(-mean / deviation / ROOT2)
        high = 0.5 + 0.5 * math.erf((1.0 - mean) / deviation / ROOT2)
        share = low + v * (high - low)
        return min(max(mean + deviation * quantiles.look_up(self.table, len(self.table) - 1, share), 0.0), 1.0)


@dataclass(frozen=True)
class Law:
    """One arm's parameters."""

    mean_r: float
    mean_c: float
    rho: float
    sigma: float  # a variance

    def rest(self):
        """Deviation of the reward given the consumption."""
        return math.sqrt(self.sigma * (1 - self.rho * self.rho))

    def base(self):
        """Mean reward at consumption 0, before truncation."""
        return self.mean_r - self.rho * self.mean_c

    def densities(self, u):
        """The density, and that times the mean reward."""
        s, mean, deviation = math.sqrt(self.sigma), self.base() + self.rho * u, self.rest()
        front = np.exp(-0.5 * ((u - self.mean_c) / s) ** 2) / (s * math.sqrt(2 * math.pi))  # before truncation
        low, high = -mean / deviation, (1 - mean) / deviation  # rewards 0 and 1, given the consumption
        mass = between(low, high)
        edge = (np.exp(-0.5 * low * low) - np.exp(-0.5 * high * high)) / math.sqrt(2 * math.pi)
        return front * mass, front * (mean * mass + deviation * edge)


def between(low, high):
    """Mass of the standard normal law between two arrays, from the tail where both are above 0."""
    from scipy.special import ndtr

    above = low > 0
    return ndtr(np.where(above, -low, high)) - ndtr(np.where(above, -high, low))


@functools.lru_cache(maxsize=256)
def nodes(law):
    """The quantiles of a law's consumption; a slider asks for the same ones again and again."""
    return quantiles.density(lambda u: law.densities(u)[0])


def integrals(densities, limits, cost):
    """Up to every limit: expected reward, cost, and the probability of exceeding it; and the mass of the square."""
    edges = np.unique(np.clip(np.concatenate([limits, cost.table[0], np.linspace(0, 1, 33)]), 0, 1))
    middle, half = 0.5 * (edges[1:] + edges[:-1]), 0.5 * np.diff(edges)
    u = middle[:, None] + half[:, None] * POINTS
    h0, h1 = densities(u)
    parts = [half * (h @ WEIGHTS) for h in (h1, h0 * values_of(cost, u), h0)]
    mass = parts[2].sum()
    place = np.searchsorted(edges, np.minimum(limits, 1.0))
    below = [np.concatenate([[0.0], np.cumsum(part)])[place] for part in parts[:2]]
    above = np.concatenate([np.cumsum(parts[2][::-1])[::-1], [0.0]])[place]
    scale = 1.0 / mass if mass > 0 else 0.0
    return below[0] * scale, below[1] * scale, above * scale, mass


def correlation(x):
    r"""The correlation :math:`2x\sqrt{1-x^2}` of reward and consumption, before truncation, of the paper's parameter x.

    Parameters
    ----------
    x : float in [-1, 1], not within 0.0005 of ±1/√2, where the covariance is singular

    References
    ----------
    Censored consumption, Equation 35.

    Examples
    --------
    >>> round(correlation(0.2), 4)
    0.3919
    """
    x = number("x", x, least=-1, most=1)
    rho = 2 * x * math.sqrt(1 - x * x)
    if 1 - abs(rho) < SINGULAR:
        raise ValueError(
            f"x={x}: correlation {rho:.9g} makes the covariance singular; must differ from ±1/√2 by more than 0.0005"
        )
    return rho


def gaussian(means, x, sigma, limits, penalty, cost=0.1):
    r"""Pairs :math:`(R,C)\sim N(\mu_i,\Sigma_i)` conditioned on the unit square; expected gains by quadrature.

    A step draws two uniforms whatever the pair. Refused are arms of whose law the unit square holds less than 1e-4, or
    whose reward's deviation given the consumption is below 0.003.

    Parameters
    ----------
    means : array_like, shape (arms, 2), mean reward and mean consumption before truncation
    x : float or array_like, shape (arms,), parameter of `correlation`
    sigma : float >= 0.001, variance before truncation
    limits : int or array_like, shape (m,)
    penalty : array_like, shape (m,), or Curve or callable
    cost : float or Curve or callable, cost of consumption; a number is a slope

    References
    ----------
    Bengs, Hüllermeier, Multi-Armed Bandits with Censored Consumption of Resources, 2023, Appendix E.2.

    Examples
    --------
    >>> world = gaussian([[0.6, 0.45], [0.5, 0.5]], 0.2, 0.2, [0.5], [0.05])
    >>> round(float(world.survival[0, 0]), 4)
    0.4537
    """
    limits = grid("limits", limits)
    laws = laws_of(means, x, number("sigma", sigma, least=0.001))
    cost, penalty = curve("cost", cost, min(limits[-1], 1.0)), penalties("penalty", penalty, limits)
    kinds = list(dict.fromkeys(laws))
    exact = {law: integrals(law.densities, limits, cost) for law in kinds}
    tables = [np.array([exact[own][k] for own in laws]) for k in range(3)]
    return assemble(joint_law(laws, kinds), limits, cost, penalty, *tables)


def joint_law(laws, kinds):
    """The law of all arms, of which some are alike."""
    table = [nodes(law) for law in kinds]
    arms = [(kinds.index(law), law.base(), law.rho, law.rest()) for law in laws]
    return Truncated(np.array([*table, quantiles.normal()]), np.array(arms, float))


def laws_of(means, x, sigma):
    """The parameters of every arm, checked."""
    rows = listed("means", means, "a list of pairs (reward, consumption), one for each arm")
    pairs = [vector(f"means[{i}]", pair, size=2) for i, pair in enumerate(rows)]
    xs = [x] * len(pairs) if is_real(x) else vector("x", x, size=len(pairs)).tolist()
    laws = [Law(float(p[0]), float(p[1]), correlation(own), sigma) for p, own in zip(pairs, xs, strict=True)]
    for place, (own, law) in enumerate(zip(xs, laws, strict=True)):
        if law.rest() < NARROW:
            raise ValueError(
                f"x={own}: correlation {law.rho:.9g} leaves the reward a deviation of {law.rest():.2g} where the "
                f"consumption is known, and the covariance almost singular; must leave at least {NARROW:g}"
            )
        mass = mass_of(law)
        if not mass >= LEAST:
            raise ValueError(
                f"means[{place}]={[law.mean_r, law.mean_c]}: the unit square holds {mass:.1e} of this law; must be at "
                f"least {LEAST:g}"
            )
    return laws


@functools.lru_cache(maxsize=256)
def mass_of(law):
    """Probability of the unit square before truncation."""
    return integrals(law.densities, np.ones(1), line([0.0, 1.0], [0.0, 0.0]))[3]
