"""What the policies share: round sizes, and exponential weights over arms."""

import math

from ...protocol import helper


@helper
def power_size(factor, exponent, base, k):
    """The size of round k: factor * k^exponent * base^k, rounded up."""
    return int(math.ceil(factor * math.pow(float(k), exponent) * math.pow(base, float(k)) - 1e-9))


@helper
def draw(weights, gamma, scale, rng):
    """Draw an arm in proportion to exp(weights[0] / scale), mixed with gamma of uniform; chances go to weights[1]."""
    arms = weights.shape[1]
    top, total, left = weights[0, 0], 0.0, rng.random()
    for arm in range(1, arms):
        top = max(top, weights[0, arm])
    for arm in range(arms):
        weights[1, arm] = math.exp((weights[0, arm] - top) / scale)
        total += weights[1, arm]
    for arm in range(arms):
        weights[1, arm] = (1.0 - gamma) * weights[1, arm] / total + gamma / arms
    for arm in range(arms - 1):
        left -= weights[1, arm]
        if left < 0.0:
            return arm
    return arms - 1
