"""Products with known multipliers and costs: pricing and advertising, a manufacturing line (Appendix A)."""

from typing import NamedTuple

import numpy as np

from ...validate import number, probabilities, vector
from ..arguments import components, deviations, known
from ..programs import best_vector
from .independent import Gaussian, Observation

__all__ = ["Priced", "manufacturing", "pricing"]


class Priced(NamedTuple):
    """Products with known multipliers and costs: what `pricing` and `manufacturing` return.

    A step draws d normals whatever the action, so all policies meet the same world.
    """

    means: np.ndarray  # (d, kmax) padded with nan
    sizes: np.ndarray  # (d,)
    sigma: np.ndarray  # (d,)
    multipliers: np.ndarray  # (d, kmax) padded with nan
    costs: np.ndarray  # (d, kmax) padded with nan
    scale: float  # B
    best: float  # largest expected reward

    actions, reset = Gaussian.actions, Gaussian.reset

    def step(self, world, action, t, rng):
        reward, cost = self.scale, 0.0
        for i in range(len(world)):
            world[i] = self.means[i, action[i]] + self.sigma[i] * rng.standard_normal()
            reward *= self.multipliers[i, action[i]] * world[i]
            cost += self.costs[i, action[i]]
        return Observation(world, reward - cost)

    def regret(self, world, action, t):
        return self.best - self.expected(action)

    def expected(self, action):
        """Expected reward of a vector."""
        reward, cost = self.scale, 0.0
        for i in range(len(action)):
            reward *= self.multipliers[i, action[i]] * self.means[i, action[i]]
            cost += self.costs[i, action[i]]
        return reward - cost


def pricing(impressions, budgets, conversions, prices, sigma):
    r"""Joint pricing and advertising: reward :math:`p_{a_1}x_0x_1-b_{a_0}`, budget first, price second (Equation 17).

    Parameters
    ----------
    impressions : array_like, shape (k0,), expected impressions bought by each budget, as a share in [0, 1]
    budgets : array_like, shape (k0,), money spent with each budget, at least 0
    conversions : array_like, shape (k1,), expected conversion rate at each price, in [0, 1]
    prices : array_like, shape (k1,), money earned per conversion, at least 0
    sigma : float > 0 or array_like, shape (2,), standard deviation of an observation

    Returns
    -------
    Priced

    References
    ----------
    Factored-Reward Bandits, Appendix A.1.

    Examples
    --------
    >>> pricing([0.2, 0.9], [0.1, 0.3], [0.8, 0.5], [1.0, 2.0], sigma=0.1).best
    0.6000000000000001
    """
    means = [probabilities("impressions", impressions), probabilities("conversions", conversions)]
    budgets = vector("budgets", budgets, least=0, size=len(means[0]))
    prices = vector("prices", prices, least=0, size=len(means[1]))
    return priced(means, [np.ones(len(means[0])), prices], [budgets, np.zeros(len(means[1]))], 1.0, sigma)


def manufacturing(yields, costs, batch, sigma):
    r"""Manufacturing line: reward :math:`B\prod_i x_i-\sum_i c_{i,a_i}`, undamaged items less the stages' costs.

    Parameters
    ----------
    yields : list of d array_like in [0, 1], expected share of undamaged items of each stage's options; sizes may differ
    costs : list of d array_like, at least 0, cost of each option; same sizes as `yields`
    batch : float > 0, value B of a whole undamaged batch
    sigma : float > 0 or array_like, shape (d,), standard deviation of an observation

    Returns
    -------
    Priced

    References
    ----------
    Factored-Reward Bandits, Appendix A.2.

    Examples
    --------
    Either upgrade alone gains less than it costs; both together pay.

    >>> round(manufacturing([[0.25, 1.0]] * 2, [[0.0, 0.4]] * 2, batch=1.0, sigma=0.1).best, 4)
    0.2
    """
    _, sizes = components("yields", yields)
    ones = [np.ones(size) for size in sizes]
    return priced(yields, ones, costs, number("batch", batch, above=0), sigma, name="yields")


def priced(means, multipliers, costs, scale, sigma, name="means"):
    """Check and assemble a `Priced`; its best vector by the program that the priced policy uses."""
    table, sizes = components(name, means)
    multipliers, costs = known(sizes, name, multipliers=multipliers, costs=costs)
    environment = Priced(table, sizes, deviations(sigma, len(sizes)), multipliers, costs, scale, 0.0)
    action = best_vector(multipliers * table, costs, sizes, scale)
    return environment._replace(best=float(environment.expected(action)))
