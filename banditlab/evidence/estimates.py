"""Numbers that come with their intervals, at any level."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..result import Result, interval

DRAWS = 10_000  # of a bootstrap: joint levels look far into the tails
UNKNOWN = (-np.inf, np.inf)


class Estimate(NamedTuple):
    """A number and its interval at any level.

    Parameters
    ----------
    value : float
        The number; nan where the runs have none.
    ends : callable
        ``ends(level)`` returns the lower and upper end of the interval.
    is_exact : bool
        Whether it was computed without random numbers: it takes no share of a joint level.
    """

    value: float
    ends: Callable
    is_exact: bool = False


def exact(value: float) -> Estimate:
    """A number without uncertainty.

    Parameters
    ----------
    value : float, the number

    Examples
    --------
    >>> exact(2).ends(0.95)
    (2.0, 2.0)
    """
    return Estimate(float(value), lambda level: (float(value), float(value)), True)


def mean(values: ArrayLike) -> Estimate:
    """Mean over independent runs, with its t-interval.

    Parameters
    ----------
    values : array_like, shape (runs,)
    """
    values = np.asarray(values, float)

    def ends(level):
        if len(values) < 2:
            return UNKNOWN
        middle, _, half = interval(values, level)
        return float(middle - half), float(middle + half)

    return Estimate(float(values.mean()), ends)


def ratio(first: ArrayLike, second: ArrayLike) -> Estimate:
    """Ratio of two means over the same runs, with the t-interval of its logarithm (delta method).

    Parameters
    ----------
    first, second : array_like, shape (runs,)
        Numerator and denominator; where one of the means is not positive there is no ratio to speak of: nan, and any
        question about it stays open.
    """
    first, second = np.asarray(first, float), np.asarray(second, float)
    top, bottom = first.mean(), second.mean()
    if not (top > 0 and bottom > 0):
        return Estimate(float("nan"), lambda level: UNKNOWN)
    logs = mean(np.log(top / bottom) + first / top - second / bottom)
    return Estimate(float(top / bottom), lambda level: tuple(map(float, np.exp(logs.ends(level)))))


def quotient(first: Estimate, second: Estimate) -> Estimate:
    """Quotient of two independent positive estimates: the errors of their logarithms add up in squares.

    Parameters
    ----------
    first, second : Estimate
    """
    if not (first.value > 0 and second.value > 0):
        return Estimate(float("nan"), lambda level: UNKNOWN)

    def ends(level):
        widths = [np.log(one.ends(level)[1] / one.value) for one in (first, second)]
        middle, half = np.log(first.value / second.value), float(np.hypot(*widths))
        return float(np.exp(middle - half)), float(np.exp(middle + half))

    return Estimate(first.value / second.value, ends, first.is_exact and second.is_exact)


def difference(first: Estimate, second: Estimate) -> Estimate:
    """Difference of two independent estimates: their errors add up in squares.

    Parameters
    ----------
    first, second : Estimate

    Examples
    --------
    >>> difference(exact(3), exact(1)).value
    2.0
    """

    def ends(level):
        pairs = [(one.value, *one.ends(level)) for one in (first, second)]
        (a, low_a, high_a), (b, low_b, high_b) = pairs
        return float(a - b - np.hypot(a - low_a, high_b - b)), float(a - b + np.hypot(high_a - a, b - low_b))

    return Estimate(first.value - second.value, ends, first.is_exact and second.is_exact)


def share(count: int, n: int) -> Estimate:
    """A probability, with its Clopper-Pearson interval.

    Parameters
    ----------
    count, n : int, successes among so many independent trials

    Examples
    --------
    >>> low, high = share(0, 20).ends(0.95)
    >>> low, round(high, 4)
    (0.0, 0.1684)
    """
    from scipy.special import betaincinv  # slow to import

    def ends(level):
        tail = (1 - level) / 2
        low = betaincinv(count, n - count + 1, tail) if count else 0.0
        return float(low), float(betaincinv(count + 1, n - count, 1 - tail)) if count < n else 1.0

    return Estimate(count / n, ends)


def bootstrap(statistic: Callable[[np.ndarray], np.ndarray], runs: int, seed: int = 0) -> Estimate:
    """Any statistic of independent runs, with its percentile interval.

    Parameters
    ----------
    statistic : callable
        Takes numbers of runs, shape (..., runs), and returns the statistic of these runs along the last axis.
    runs : int >= 2, number of runs
    seed : int, of the resampling
    """
    rng = np.random.default_rng(seed)
    drawn = np.sort(np.concatenate([statistic(rng.integers(0, runs, (DRAWS // 10, runs))) for _ in range(10)]))
    return Estimate(
        float(statistic(np.arange(runs))),
        lambda level: tuple(map(float, np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2]))),
    )


def median(values: ArrayLike) -> Estimate:
    """Median over independent runs, with its bootstrap interval.

    Parameters
    ----------
    values : array_like, shape (runs,)
    """
    values = np.asarray(values, float)
    return bootstrap(lambda rows: np.median(values[rows], axis=-1), len(values))


def lead(result: Result, first: str, second: str) -> Estimate:
    """How much more regret the first policy has at the horizon than the second, run by run.

    Parameters
    ----------
    result : Result
    first, second : str, names of policies
    """
    return mean(result.of_policy(first)[:, -1] - result.of_policy(second)[:, -1])


def growth(result: Result, name: str) -> Estimate:
    """Growth exponent of a policy's regret: see `growth_exponent`.

    Parameters
    ----------
    result : Result
    name : str, of the policy
    """
    return growth_exponent(result.checkpoints, result.of_policy(name))


def growth_exponent(checkpoints: np.ndarray, regret: np.ndarray) -> Estimate:
    r"""Growth exponent :math:`\log_2(R_T / R_{T/2})` with its interval (delta method).

    Near 0 for a logarithm, 0.5 for :math:`\sqrt T`, 0.67 for :math:`T^{2/3}`, 1 for linear regret.

    Parameters
    ----------
    checkpoints : ndarray, shape (checkpoints,)
        Rounds, ascending; between them regret is taken as linear, and 0 before the first round.
    regret : ndarray, shape (runs, checkpoints)
        Cumulative regret.
    """
    half = checkpoints[-1] / 2
    middle = np.array([np.interp(half, [0, *checkpoints], [0.0, *run]) for run in regret])
    found = ratio(regret[:, -1], middle)
    return Estimate(float(np.log2(found.value)), lambda level: exponent(found.ends(level)))


def exponent(pair):
    """Base-2 logarithms of the ends of a ratio's interval; unknown ends stay unknown."""
    return tuple(float(np.log2(end)) if np.isfinite(end) else float(end) for end in pair)
