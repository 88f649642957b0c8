"""The best vector where options have known values and costs (Equation 17), never by trying all vectors."""

from typing import NamedTuple

import numpy as np

from ..engine.methods import helper


class Choices(NamedTuple):
    """Choices of the components so far: points (P, C) of product and cost."""

    products: np.ndarray
    costs: np.ndarray


@helper
def best_vector(values, costs, arms, scale):
    """The vector that maximises scale * prod values - sum costs (values and costs at least 0), exactly.

    Components without cost take their best option, whatever the others do.  The others are added one by one; of the
    partial choices only the maximisers of lambda P - C for some lambda >= 0 can lead to a best vector, because the
    value of any completion is linear in P.  They form a convex chain of at most 1 + sum (k_i - 1) points.
    """
    d = len(arms)
    chain = Choices(np.ones(1), np.zeros(1))
    came = [np.zeros(1, np.int64) for _ in range(d)]  # by component: what each point of the chain was made of
    for i in range(d):
        every = extended(chain, values[i], costs[i], arms[i])
        came[i] = worthwhile(every)
        chain = Choices(every.products[came[i]], every.costs[came[i]])
    best, top = 0, -np.inf
    for p in range(len(chain.products)):
        if scale * chain.products[p] - chain.costs[p] > top:
            best, top = p, scale * chain.products[p] - chain.costs[p]
    action = np.zeros(d, np.int64)
    for i in range(d - 1, -1, -1):
        action[i] = came[i][best] % arms[i]
        best = came[i][best] // arms[i]
    return action


@helper
def extended(chain, values, costs, options):
    """Every point of the chain with every option of one more component: point p with option j is p * options + j."""
    size = len(chain.products)
    every = Choices(np.zeros(size * options), np.zeros(size * options))
    for p in range(size):
        for j in range(options):
            every.products[p * options + j] = chain.products[p] * values[j]
            every.costs[p * options + j] = chain.costs[p] + costs[j]
    return every


@helper
def worthwhile(every):
    """The points that maximise lambda P - C for some lambda >= 0, by increasing product: the lower right hull."""
    order = np.argsort(every.products, kind="mergesort")
    hull, length = np.zeros(len(order), np.int64), 0
    for q in range(len(order)):
        point = order[q]
        while length > 0 and hides_last(every, hull, length, point):
            length -= 1
        if length == 0 or every.products[point] > every.products[hull[length - 1]]:
            hull[length] = point
            length += 1
    return hull[:length]


@helper
def hides_last(every, hull, length, point):
    """Whether the hull's last point can no longer win, now that a point of at least its product comes."""
    last = hull[length - 1]
    run, rise = every.products[point] - every.products[last], every.costs[point] - every.costs[last]
    if rise < 0.0 or (rise == 0.0 and run > 0.0):
        return True  # the new point is cheaper, or costs the same and brings more
    if length == 1 or run == 0.0:
        return False
    first = hull[length - 2]
    run_before, rise_before = every.products[last] - every.products[first], every.costs[last] - every.costs[first]
    return rise_before * run >= rise * run_before  # the chain would not be convex
