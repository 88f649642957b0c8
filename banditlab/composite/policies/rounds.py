"""What the policies share: round sizes, and exponential weights over arms."""

import math

from ...protocol import helper


@helper
def power_size(factor, exponent, base, k):
    """The size of round k: factor * k^exponent * base^k, rounded up."""
    return int(math.ceil(factor * math.pow(float(k), exponent) * math.pow(base, float(k)) - 1e-9))


@helper
def draw(memory, arms, gamma, scale, rng):
    """Draw an arm in proportion to exp(weight / scale), mixed with gamma of uniform.

    The memory begins with the weights of the arms; their chances go behind them.
    """
    top, total, left = memory[0], 0.0, rng.random()
    for arm in range(1, arms):
        top = max(top, memory[arm])
    for arm in range(arms):
        memory[arms + arm] = math.exp((memory[arm] - top) / scale)
        total += memory[arms + arm]
    for arm in range(arms):
        memory[arms + arm] = (1.0 - gamma) * memory[arms + arm] / total + gamma / arms
    for arm in range(arms - 1):
        left -= memory[arms + arm]
        if left < 0.0:
            return arm
    return arms - 1
