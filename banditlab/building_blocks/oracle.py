"""How often each arm must be played to find the best one: the optimal shares of fixed confidence, and what they take.

Garivier, Kaufmann, Optimal best arm identification with fixed confidence, COLT 2016, Section 2.2: with the best arm's
share for unit, the transport to arm a of share x costs g_a(x) = d(best, m) + x d(a, m) at the mixture m of both means;
at the optimum all g_a(x_a) are one y, and the ratios d(best, m) / d(a, m) sum to 1.
"""

import math

import numpy as np

from ..engine.methods import helper
from .growing_arrays import sum_entries
from .indices import place_of_largest


@helper
def part_of_divergence(q, gap):
    """p log(p / q) - gap at p = q + gap, the gap exact: close p and q leave it few digits."""
    if abs(gap) > 0.1 * q:
        return (q + gap) * math.log((q + gap) / q) - gap if q + gap > 0.0 else q
    x, series = gap / q, 0.0
    for k in range(16, 1, -1):
        series = 1.0 / (k * (k - 1.0)) - x * series
    return gap * x * series


@helper
def divergence_at(p, q, sigma):
    """Kullback-Leibler divergence of normal laws of these means, of Bernoulli laws where sigma is 0."""
    if sigma > 0.0:
        return (p - q) * (p - q) / (2.0 * sigma * sigma)
    if abs(p - q) < 1e-3 and 0.0 < q < 1.0:  # the terms below would cancel
        return part_of_divergence(q, p - q) + part_of_divergence(1.0 - q, q - p)
    found = 0.0
    if p > 0.0:
        found += p * math.log(p / q) if q > 0.0 else np.inf
    if p < 1.0:
        found += (1.0 - p) * math.log((1.0 - p) / (1.0 - q)) if q < 1.0 else np.inf
    return max(found, 0.0)


@helper
def meet(best, mean, x):
    """The mean at which two arms whose shares are 1 and x are told apart worst."""
    return (best + x * mean) / (1.0 + x)


@helper
def cost_at(best, mean, x, sigma):
    """g(x)."""
    middle = meet(best, mean, x)
    return divergence_at(best, middle, sigma) + x * divergence_at(mean, middle, sigma)


@helper
def solve_share(best, mean, y, most, sigma):
    """The share x in [0, most] with g(x) = y: g is concave, so that Newton's steps come from the left."""
    x, low, high = most, 0.0, most
    for _ in range(60):
        excess = cost_at(best, mean, x, sigma) - y
        if excess > 0.0:
            high = x
        else:
            low = x
        after = x - excess / divergence_at(mean, meet(best, mean, x), sigma)
        if not low <= after <= high:
            after = 0.5 * (low + high)
        moved, x = abs(after - x), after
        if moved <= 1e-12 * x:
            break
    return x


@helper
def fill_shares_at(means, best, x, sigma, shares):
    """Fill in the shares, in units of the best arm's, if the second best arm has x; return y and the sum of ratios."""
    second = np.inf
    for arm in range(len(means)):
        if arm != best:
            second = min(second, means[best] - means[arm])
    y, ratios = cost_at(means[best], means[best] - second, x, sigma), 0.0
    for arm in range(len(means)):
        shares[arm] = 1.0
        if arm != best:
            shares[arm] = solve_share(means[best], means[arm], y, x, sigma)
            middle = meet(means[best], means[arm], shares[arm])
            ratios += divergence_at(means[best], middle, sigma) / divergence_at(means[arm], middle, sigma)
    return y, ratios


@helper
def fill_optimal_shares(means, sigma, shares):
    """Fill in the optimal share of every arm; return 1 / T*, evidence gained a round.

    Where the best arm is not the only one nothing tells it: the shares are equal, and the gain is 0.
    """
    best, arms = place_of_largest(means), len(means)
    alone = arms > 1
    for arm in range(arms):
        shares[arm] = 1.0 / arms
        alone = alone and (arm == best or means[arm] < means[best])
    if not alone:
        return 0.0
    low, high = 0.0, 1.0
    while fill_shares_at(means, best, high, sigma, shares)[1] < 1.0:
        low, high = high, 2.0 * high
    for _ in range(45):
        middle = 0.5 * (low + high)
        if fill_shares_at(means, best, middle, sigma, shares)[1] < 1.0:
            low = middle
        else:
            high = middle
    y = fill_shares_at(means, best, high, sigma, shares)[0]
    total = sum_entries(shares)
    for arm in range(arms):
        shares[arm] /= total
    return y / total
