"""Independent observations, whose product is the reward."""

from typing import NamedTuple

import numpy as np

from ...engine.methods import helper
from ...validate import number
from ..arguments import components, deviations

__all__ = ["Bernoulli", "Gaussian", "Observation", "Rademacher", "bernoulli", "gaussian", "rademacher"]


class Observation(NamedTuple):
    """What a policy gets to see; the array is overwritten in the next round."""

    x: np.ndarray  # (d,) intermediate observations
    reward: float  # their product (less the costs, where there are some)


@helper
def product(table, action):
    """The product over components of the table's entries at the action."""
    value = 1.0
    for i in range(len(action)):
        value *= table[i, action[i]]
    return value


def best_product(table):
    """The product of the best means: none is negative, so the best vector is the best option of every component."""
    return float(product(np.nanmax(table, axis=1)[:, None], np.zeros(len(table), np.int64)))


class Gaussian(NamedTuple):
    """Independent normal observations: what `gaussian` returns.

    A step draws d normals whatever the action, so all policies meet the same world.
    """

    means: np.ndarray  # (d, kmax) padded with nan
    sizes: np.ndarray  # (d,) options of each component
    sigma: np.ndarray  # (d,) standard deviations
    best: float  # product of the best means

    def actions(self):
        return tuple(self.sizes.tolist())

    def reset(self, rng):
        return np.zeros(len(self.sizes))

    def step(self, world, action, t, rng):
        reward = 1.0
        for i in range(len(world)):
            world[i] = self.observe(i, action[i], rng)
            reward *= world[i]
        return Observation(world, reward)

    def observe(self, i, option, rng):
        """What component i shows of this option."""
        return self.means[i, option] + self.sigma[i] * rng.standard_normal()

    def regret(self, world, action, t):  # the vector gap of Section 2
        return self.best - product(self.means, action)


def gaussian(means, sigma):
    r"""Observations :math:`x_i\sim\mathcal N(\mu_{i,a_i},\sigma_i^2)`, neither clipped nor truncated.

    Parameters
    ----------
    means : list of d array_like in [0, 1], expected observations of each component's options; sizes may differ
    sigma : float > 0 or array_like, shape (d,), standard deviation of an observation

    Returns
    -------
    Gaussian

    References
    ----------
    Mussi, Drago, Restelli, Metelli, Factored-Reward Bandits with Intermediate Observations, ICML 2024, Section 2.

    Examples
    --------
    >>> gaussian([[1.0, 0.5], [0.8, 0.2, 0.1]], sigma=0.5).best
    0.8
    """
    table, sizes = components("means", means)
    return Gaussian(table, sizes, deviations(sigma, len(sizes)), best_product(table))


class Bernoulli(Gaussian):
    """Independent observations in {0, 1}, here sigma is 1/2: what `bernoulli` returns.

    A step draws d uniforms whatever the action, so all policies meet the same world.
    """

    def observe(self, i, option, rng):
        return 1.0 if rng.random() < self.means[i, option] else 0.0


def bernoulli(means):
    """Observations that are 1 with their mean as probability, else 0; policies may use sigma = 1/2.

    Parameters
    ----------
    means : list of d array_like in [0, 1], success probabilities of each component's options; sizes may differ

    Returns
    -------
    Bernoulli

    References
    ----------
    Factored-Reward Bandits, Section 2 (observations in [0, 1] are 1/2-subgaussian).

    Examples
    --------
    >>> bernoulli([[0.9, 0.5], [0.5, 0.2]]).best
    0.45
    """
    table, sizes = components("means", means)
    return Bernoulli(table, sizes, 0.5, best_product(table))


class Rademacher(Gaussian):
    """Observations plus or minus sigma, here one number: what `rademacher` returns.

    A step draws d uniforms whatever the action, so all policies meet the same world.
    """

    def observe(self, i, option, rng):
        chance = 0.5 + 0.5 * self.means[i, option] / self.sigma
        return self.sigma if rng.random() < chance else -self.sigma


def rademacher(means, sigma):
    r"""Observations :math:`\pm\sigma`, plus with probability :math:`\frac12+\mu/(2\sigma)`.

    Parameters
    ----------
    means : list of d array_like in [0, 1], expected observations of each component's options; sizes may differ
    sigma : float > 0, absolute value of an observation, at least the largest mean

    Returns
    -------
    Rademacher

    References
    ----------
    Factored-Reward Bandits, proof of Theorem 3.2.

    Examples
    --------
    >>> rademacher([[1.0, 0.5], [0.5, 0.2]], sigma=1.5).best
    0.5
    """
    table, sizes = components("means", means)
    sigma = number("sigma", sigma, above=0)
    if sigma < np.nanmax(table):
        raise ValueError(f"sigma={sigma}: must be at least the largest mean, {np.nanmax(table)}")
    return Rademacher(table, sizes, sigma, best_product(table))
