"""Products with known multipliers and costs: pricing and advertising, a manufacturing line."""

from typing import NamedTuple

import numpy as np

from ...validate import number, probabilities, vector
from ..arguments import components, deviations
from ..policies.priced import best_action
from .products import Observation


class Line(NamedTuple):
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

    def actions(self):
        return tuple(self.sizes.tolist())

    def reset(self, rng):
        return np.zeros(len(self.sizes))

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
    r"""Joint pricing and advertising: reward :math:`p_{a_1}x_0x_1-b_{a_0}`, budget first, price second.

    Parameters
    ----------
    impressions : array_like, shape (k0,)
        Expected impressions bought by each budget, as a share in [0, 1].
    budgets : array_like, shape (k0,)
        Money spent with each budget, at least 0.
    conversions : array_like, shape (k1,)
        Expected conversion rate at each price, in [0, 1].
    prices : array_like, shape (k1,)
        Money earned per conversion, at least 0.
    sigma : float or array_like, shape (2,)
        Standard deviation of an observation, positive.

    Returns
    -------
    Line
        The environment.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

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
    return line(means, [np.ones(len(means[0])), prices], [budgets, np.zeros(len(means[1]))], 1.0, sigma)


def manufacturing(yields, costs, batch, sigma):
    r"""Manufacturing line: reward :math:`B\prod_i x_i-\sum_i c_{i,a_i}`, the value of undamaged items less the
    stages' costs.

    Parameters
    ----------
    yields : list of array_like
        Expected share of undamaged items of each stage's options, in [0, 1]; sizes may differ.
    costs : list of array_like
        Cost of each option, at least 0; same sizes as `yields`.
    batch : float
        Value B of a whole undamaged batch, positive.
    sigma : float or array_like, shape (d,)
        Standard deviation of an observation, positive.

    Returns
    -------
    Line
        The environment.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Factored-Reward Bandits, Appendix A.2.
    """
    _, sizes = components("yields", yields)
    ones = [np.ones(size) for size in sizes]
    return line(yields, ones, costs, number("batch", batch, above=0), sigma, name="yields")


def line(means, multipliers, costs, scale, sigma, name="means"):
    """Check and assemble a `Line`; its best vector by the rule that the priced policy uses."""
    table, sizes = components(name, means)
    known = {"multipliers": multipliers, "costs": costs}
    for key, rows in known.items():
        known[key], same = components(key, rows, most=None)
        if not np.array_equal(same, sizes):
            raise ValueError(f"{key} have sizes {same.tolist()}: must have those of {name}, {sizes.tolist()}")
    environment = Line(table, sizes, deviations(sigma, len(sizes)), known["multipliers"], known["costs"], scale, 0.0)
    action = best_action(known["multipliers"] * table, known["costs"], sizes, scale)
    return environment._replace(best=float(environment.expected(action)))
