"""What the tests of claims share."""

import numpy as np

from ...result import interval


def final(result, name):
    """Final regrets of a policy, run by run."""
    return result.of_policy(name)[:, -1]


def ratio(result, first, second, middle=np.mean):
    """Ratio of two policies' final regrets."""
    return float(middle(final(result, first)) / middle(final(result, second)))


def above(difference):
    """Whether a paired difference is above 0: 95 % t-interval."""
    mean, _, half = interval(np.asarray(difference, float))
    return bool(mean - half > 0)


def larger(result, first, second):
    """Whether the first policy's final regret is larger, run by run."""
    return above(final(result, first) - final(result, second))
