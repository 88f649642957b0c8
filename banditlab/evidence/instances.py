"""Numbers of several drawn instances: the instance is the unit, its runs tell no more than its own number.

Where a paper does not give its instance a fixed list of drawn ones stands for it. The interval is the t-interval of the
mean over instances: what the runs leave open of an instance's number is part of how the numbers differ, so that more
runs narrow it, as far as the instances allow. The runs of two instances must be independent. Over ten instances it
covers as often as it says where their numbers are normal, and 95 % ones about 92 % where they are log-normal with
deviation 0.5; ratios are therefore averaged on the logarithmic scale.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..validate import listed
from .estimates import UNKNOWN, Estimate, interval, mean, numbers_of_runs, says_nothing
from .exponents import growth

__all__ = ["instance_growth", "instance_mean", "instance_ratio"]


def instance_mean(samples: Sequence[ArrayLike]) -> Estimate:
    """Mean over instances of the mean over an instance's runs.

    Parameters
    ----------
    samples : sequence of array_like, shape (runs,)
        One for each instance, at least two.

    Examples
    --------
    >>> instance_mean([[1, 3], [2, 6], [3, 3]]).value
    3.0
    """
    found = average(means_of("samples", samples))
    return found._replace(made=("average", *(("mean", np.asarray(sample, float)) for sample in samples)))


def instance_ratio(first: Sequence[ArrayLike], second: Sequence[ArrayLike]) -> Estimate:
    """Geometric mean over instances of the ratio of two means, so that each instance counts alike.

    Parameters
    ----------
    first, second : sequence of array_like, shape (runs,)
        One for each instance, at least two; where a mean is not positive there is no ratio: nan, and any question about
        it stays open.

    Examples
    --------
    >>> instance_ratio([[2, 2], [8, 8]], [[1, 1], [1, 1]]).value
    4.0
    """
    top, bottom = means_of("first", first), means_of("second", second)
    if len(top) != len(bottom):
        raise ValueError(f"second has {len(bottom)} instances: must have {len(top)}, as many as first")
    ratios = average_ratios([a / b if a > 0 < b and a / b > 0 else math.nan for a, b in zip(top, bottom, strict=True)])
    pairs = ((np.asarray(a, float), np.asarray(b, float)) for a, b in zip(first, second, strict=True))
    return ratios._replace(made=("geometric", *(("quotient", ("mean", a), ("mean", b)) for a, b in pairs)))


def instance_growth(results: Sequence[Any], name: str) -> Estimate:
    """Mean over instances of the growth exponent of a policy's regret: see `growth_exponent`.

    Parameters
    ----------
    results : sequence of Result
        One for each instance, at least two.
    name : str, of the policy
    """
    grown = [growth(result, name) for result in listed("results", results, "a list of results")]
    return average([one.value for one in grown])._replace(made=("average", *(one.made for one in grown)))


def average(numbers):
    """Mean of the instances' numbers; a few equal ones say nothing."""
    values = np.array(numbers, float)

    def ends(level):
        if says_nothing(values, level):
            return UNKNOWN
        middle, _, half = interval(values, level)
        return float(middle - half), float(middle + half)

    return Estimate(mean(values).value, ends)


def average_ratios(ratios):
    """Geometric mean of the instances' ratios."""
    logs = average([math.log(one) for one in ratios])
    return Estimate(math.exp(logs.value), lambda level: tuple(map(float, np.exp(logs.ends(level)))))


def means_of(name, samples):
    """Mean of every instance's runs."""
    samples = listed(name, samples, "a list of the runs of each instance")
    return np.array([interval(numbers_of_runs(f"{name}[{k}]", sample))[0] for k, sample in enumerate(samples)])
