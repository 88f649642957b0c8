"""Observations with a shared noise."""

import functools
import itertools
import math
from typing import NamedTuple

import numpy as np

from ...validate import number
from ..arguments import components, known
from .independent import Gaussian, Observation

__all__ = ["Correlated", "correlated"]

COMBINATIONS = 100_000  # vectors that the factory is ready to compare
quadrature = functools.cache(np.polynomial.hermite_e.hermegauss)


class Correlated(NamedTuple):
    """Observations with a shared noise: what `correlated` returns.

    A step draws d + 1 normals whatever the action, so all policies meet the same world.
    """

    means: np.ndarray  # (d, kmax) padded with nan
    scales: np.ndarray  # (d, kmax) standard deviations before mixing, padded with nan
    sizes: np.ndarray  # (d,)
    rho: float  # share of the common noise
    nodes: np.ndarray  # (n,) of the Gauss-Hermite quadrature over the common noise
    weights: np.ndarray  # (n,)
    best: float  # largest expected reward over all vectors

    actions, reset = Gaussian.actions, Gaussian.reset

    def step(self, world, action, t, rng):
        common, reward = rng.standard_normal(), 1.0
        for i in range(len(world)):
            noise = self.rho * common + (1.0 - self.rho) * rng.standard_normal()
            world[i] = self.means[i, action[i]] + self.scales[i, action[i]] * noise
            reward *= world[i]
        return Observation(world, reward)

    def regret(self, world, action, t):
        return self.best - self.expected(action)

    def expected(self, action):
        """Expected reward: given the common noise observations are independent, so the quadrature is exact."""
        total = 0.0
        for q in range(len(self.nodes)):
            value = self.weights[q]
            for i in range(len(action)):
                value *= self.means[i, action[i]] + self.rho * self.scales[i, action[i]] * self.nodes[q]
            total += value
        return total


def correlated(means, scales, rho):
    r"""Observations :math:`x_i=\mu_{i,a_i}+s_{i,a_i}(\rho\,\eta+(1-\rho)\,\epsilon_i)` with one :math:`\eta` for all
    components.

    The expected reward is no longer the product of the means; regret is measured against the vector of largest true
    expectation. It is computed exactly, by Gauss-Hermite quadrature over the common noise.

    Parameters
    ----------
    means : list of d array_like in [0, 1], expected observations of each component's options; sizes may differ
    scales : list of d array_like, at least 0, standard deviation of each option's noise before mixing; sizes of `means`
    rho : float in [0, 1], share of the common noise (the paper's alpha)

    Returns
    -------
    Correlated

    Raises
    ------
    ValueError
        If there are too many vectors to find the best one.

    References
    ----------
    Factored-Reward Bandits, Appendix E.3.

    Examples
    --------
    >>> round(correlated([[1.0, 0.5]] * 10, [[0.0, 0.5]] * 10, rho=1.0).best, 3)
    9.273
    """
    table, sizes = components("means", means)
    (spread,) = known(sizes, "means", scales=scales)
    nodes, weights = map(np.copy, quadrature(len(sizes) // 2 + 1))
    rho = number("rho", rho, least=0, most=1)
    environment = Correlated(table, spread, sizes, rho, nodes, weights / math.sqrt(2.0 * math.pi), 0.0)
    best = float(max(expected_rewards(environment, distinct_vectors(table, spread, sizes))))
    if not math.isfinite(best):
        raise ValueError(f"scales: an expected reward of {len(sizes)} components at rho={environment.rho} is no float")
    return environment._replace(best=best)


def expected_rewards(environment, vectors):
    """As `Correlated.expected` of every vector, bit for bit: multiplied and added in the same order, all at once."""
    rows = zip(environment.means, environment.scales, vectors.T, strict=True)
    parts = (means[k, None] + environment.rho * scales[k, None] * environment.nodes for means, scales, k in rows)
    return sum(math.prod(parts, start=environment.weights).T)


def distinct_vectors(means, scales, sizes):
    """All vectors, (n, d), up to exchanges of identical components."""
    groups = {}
    for i, size in enumerate(sizes):
        groups.setdefault((size, means[i, :size].tobytes(), scales[i, :size].tobytes()), []).append(i)
    count = math.prod(math.comb(size + len(rows) - 1, len(rows)) for (size, _, _), rows in groups.items())
    if count > COMBINATIONS:
        raise ValueError(f"means: {count} different vectors to compare for the best one; at most {COMBINATIONS}")
    choices = [itertools.combinations_with_replacement(range(size), len(rows)) for (size, _, _), rows in groups.items()]
    order = [i for rows in groups.values() for i in rows]
    return np.array([[*itertools.chain(*one)] for one in itertools.product(*choices)])[:, np.argsort(order)]
