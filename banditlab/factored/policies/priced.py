"""F-UCB with known multipliers and costs."""

import math
from typing import NamedTuple

import numpy as np

from ...arms import confidence
from ...protocol import helper
from ...validate import number
from ..arguments import components, deviations, exploration, sizes
from .fucb import MEAN, ROOT, fresh, record


@helper
def best_action(values, costs, arms, scale):
    """The vector that maximises scale * prod values - sum costs (values and costs at least 0), exactly.

    Components without cost take their best option, whatever the others do.  The others are added one by one; of the
    partial choices, points (P, C) of product and cost, only the maximisers of lambda P - C for some lambda >= 0 can
    lead to a best vector, because the value of any completion is linear in P.  They form a convex chain of at most 1
    + sum (k_i - 1) points.
    """
    d = len(arms)
    point = np.zeros((2, 1))  # the chain
    point[0, 0] = 1.0
    ways = [
        np.zeros((2, 1), np.int64) for _ in range(d)
    ]  # option and predecessor of the points of the chain, by component
    for i in range(d):
        point, ways[i] = extend(point, values[i], costs[i], arms[i])
    best, top = 0, -np.inf
    for k in range(point.shape[1]):
        if scale * point[0, k] - point[1, k] > top:
            best, top = k, scale * point[0, k] - point[1, k]
    action = np.zeros(d, np.int64)
    for i in range(d - 1, -1, -1):
        action[i] = ways[i][0, best]
        best = ways[i][1, best]
    return action


@helper
def extend(point, values, costs, options):
    """The chain after one more component, and how its points came about: all sums, less those that can never win."""
    size = point.shape[1]
    every = np.zeros((2, size * options))
    for k in range(size):
        for j in range(options):
            every[0, k * options + j] = point[0, k] * values[j]
            every[1, k * options + j] = point[1, k] + costs[j]
    order = np.argsort(every[0], kind="mergesort")
    chain, length = np.zeros(size * options, np.int64), 0
    for q in range(len(order)):
        candidate = order[q]
        while length > 0 and useless(every, chain, length, candidate):
            length -= 1
        if length == 0 or every[0, candidate] > every[0, chain[length - 1]]:
            chain[length] = candidate
            length += 1
    following, ways = np.zeros((2, length)), np.zeros((2, length), np.int64)
    for k in range(length):
        following[0, k], following[1, k] = every[0, chain[k]], every[1, chain[k]]
        ways[0, k], ways[1, k] = chain[k] % options, chain[k] // options
    return following, ways


@helper
def useless(every, chain, length, candidate):
    """Whether the chain's last point never beats its neighbours, now that a point of at least its product comes."""
    p, c = every[0, candidate], every[1, candidate]
    last = chain[length - 1]
    if c <= every[1, last] and (c < every[1, last] or p > every[0, last]):
        return True
    if length == 1 or p == every[0, last]:
        return False
    first = chain[length - 2]
    run, rise = every[0, last] - every[0, first], every[1, last] - every[1, first]
    return rise * (p - every[0, last]) >= (c - every[1, last]) * run


class PricedFUCB(NamedTuple):
    """F-UCB of Appendix A: what `priced_fucb` returns."""

    arms: np.ndarray  # (d,)
    sigma: np.ndarray  # (d,)
    multipliers: np.ndarray  # (d, kmax) padded with nan
    costs: np.ndarray  # (d, kmax) padded with nan
    scale: float
    alpha: float
    ceiling: float  # of an upper confidence bound: 1 or infinity

    def actions(self):
        return tuple(self.arms.tolist())

    def init(self, rng):
        return fresh(self.arms, 4)

    def select(self, state, t, rng):
        if t < self.arms.max():
            for i in range(len(self.arms)):
                state.action[i] = t % self.arms[i]
            return state.action
        return best_action(self.optimistic(state.table, t), self.costs, self.arms, self.scale)

    def optimistic(self, table, t):
        """Multiplier times upper confidence bound, clipped at 0 (means are nonnegative) and at the ceiling."""
        values, width = np.zeros(self.costs.shape), confidence(self.alpha, t)
        for i in range(len(self.arms)):
            for j in range(self.arms[i]):
                bound = table[i, j, MEAN] + width * self.sigma[i] * table[i, j, ROOT]
                values[i, j] = self.multipliers[i, j] * min(max(bound, 0.0), self.ceiling)
        return values

    def update(self, state, action, observation, t, rng):
        record(state.table, action, observation.x)
        return state


def priced_fucb(arms, sigma, multipliers, costs, scale, alpha=4.0, cap=False):
    r"""F-UCB for :math:`r=B\prod_i m_{i,a_i}x_i-\sum_i c_{i,a_i}` with known multipliers and costs.

    Plays a maximiser of the same expression with upper confidence bounds in place of the observations, after each
    option was played once. Exact: components without cost separate (the nested rule of pricing and advertising), the
    others are combined by a dynamic program over convex chains, never over all product vectors. Among equal vectors
    any may be played.

    Parameters
    ----------
    arms : sequence of int, shape (d,)
        Number of options of each component, at least 1.
    sigma : float or array_like, shape (d,)
        Subgaussian proxy of an observation's noise, positive.
    multipliers : list of array_like
        Known factor of each option, at least 0.
    costs : list of array_like
        Known cost of each option, at least 0.
    scale : float
        Known factor B of the product, positive.
    alpha : float
        Exploration, positive; the guarantees ask for more than 2.
    cap : bool
        Also clip upper confidence bounds at 1 (means are at most 1), which the regret bound with costs asks for.

    Returns
    -------
    PricedFUCB
        The policy.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    Warns
    -----
    UserWarning
        If ``alpha`` is at most 2.

    References
    ----------
    Factored-Reward Bandits, Appendix A.
    """
    arms = sizes(arms)
    tables = {"multipliers": multipliers, "costs": costs}
    for name, rows in tables.items():
        tables[name], same = components(name, rows, most=None)
        if not np.array_equal(same, arms):
            raise ValueError(f"{name} have sizes {same.tolist()}: must have those of arms, {arms.tolist()}")
    if not isinstance(cap, (bool, np.bool_)):
        raise TypeError(f"cap={cap!r}: must be True or False")
    return PricedFUCB(
        arms,
        deviations(sigma, len(arms)),
        tables["multipliers"],
        tables["costs"],
        number("scale", scale, above=0),
        exploration(alpha),
        1.0 if cap else math.inf,
    )
