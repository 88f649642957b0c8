"""What the tests of claims share: statistics with their intervals over the runs, and three-valued answers."""

from typing import NamedTuple

import numpy as np

from ...claims import every
from ...result import interval
from ..experiments.instances import growth, halves

DRAWS = 2000  # of the bootstrap
SUBLINEAR, LINEAR = 0.5, 0.8  # growth: at most, at least


class Found(NamedTuple):
    """A statistic with its interval. An answer is None where the interval contains what it is compared with."""

    value: float
    low: float
    high: float

    def __str__(self):
        return f"{self.value:.2f} [{self.low:.2f}, {self.high:.2f}]"

    def at_most(self, limit):
        """Whether it is at most so much."""
        return True if self.high <= limit else False if self.low > limit else None

    def at_least(self, limit):
        """Whether it is at least so much."""
        return True if self.low >= limit else False if self.high < limit else None

    def above(self, limit):
        """Whether it is above so much."""
        return True if self.low > limit else False if self.high <= limit else None

    def within(self, low, high):
        """Whether it is neither below the one nor above the other."""
        return every([self.at_least(low), self.at_most(high)])

    def sublinear(self):
        """Whether a growth is that of sublinear regret, and not that of linear regret."""
        return True if self.high <= SUBLINEAR else False if self.low >= LINEAR else None

    def linear(self):
        """Whether a growth is that of linear regret, and not that of sublinear regret."""
        return True if self.low >= LINEAR else False if self.high <= SUBLINEAR else None


def bootstrap(statistic, runs, among=1, seed=0):
    """A statistic of runs, given by their numbers along the last axis, and its 95 % interval shared among so many."""
    rows = np.random.default_rng(seed).integers(0, runs, (DRAWS, runs))
    tail = 0.025 / among
    low, high = np.quantile(statistic(rows), [tail, 1.0 - tail])
    return Found(float(statistic(np.arange(runs))), float(low), float(high))


def final(result, name):
    """Final regrets of a policy, run by run."""
    return result.of_policy(name)[:, -1]


def over(first, second, middle=np.mean, among=1):
    """Ratio of two columns' means or medians, run by run."""
    return bootstrap(lambda rows: middle(first[rows], axis=-1) / middle(second[rows], axis=-1), len(first), among)


def ratio(result, first, second, middle=np.mean, among=1):
    """Ratio of two policies' final regrets."""
    return over(final(result, first), final(result, second), middle, among)


def gap(difference, among=1):
    """Mean of a paired difference, with its t-interval."""
    mean, _, half = interval(np.asarray(difference, float), 1.0 - 0.05 / among)
    return Found(float(mean), float(mean - half), float(mean + half))


def lead(result, first, second, among=1):
    """How much more regret the first policy has at the end."""
    return gap(final(result, first) - final(result, second), among)


def pace(regret, among=1):
    """Growth of the regret, with its interval."""
    middle, end = halves(regret)
    return bootstrap(lambda rows: growth(middle[rows], end[rows]), len(end), among)


def said(found):
    """Statistics by name, in words."""
    return ", ".join(f"{name} {one}" for name, one in found.items())


def worst(found):
    """Of statistics by name, the largest with its name."""
    name = max(found, key=lambda key: found[key].value)
    return f"{found[name]}, {name}"
