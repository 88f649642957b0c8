"""Exponential weights over arms, which ARS-EXP3 and CLW share."""

import math

from ...protocol import helper


@helper
def draw(weights, chances, gamma, scale, rng):
    """Draw an arm in proportion to exp(weight / scale), mixed with gamma of uniform; write down all chances."""
    arms, top, total, left = len(weights), weights[0], 0.0, rng.random()
    for arm in range(1, arms):
        top = max(top, weights[arm])
    for arm in range(arms):
        chances[arm] = math.exp((weights[arm] - top) / scale)
        total += chances[arm]
    for arm in range(arms):
        chances[arm] = (1.0 - gamma) * chances[arm] / total + gamma / arms
    for arm in range(arms - 1):
        left -= chances[arm]
        if left < 0.0:
            return arm
    return arms - 1
