"""Numbers that come with their intervals, at any level."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..validate import number, one_row, shown, whole

__all__ = [
    "Estimate", "bootstrap", "chance_alike", "constant", "difference", "exact", "fieller_ratio", "mean",
    "median", "proportion", "quantile", "quotient", "ratio", "regret_difference",
]  # fmt: skip

DRAWS = 10_000  # of a bootstrap: joint levels look far into the tails
FEW = 20  # runs: of fewer a bootstrap says nothing
RARE = 0.05  # equal runs count as certain where as many would have met an event of this chance
UNKNOWN = (-np.inf, np.inf)


class Estimate(NamedTuple("Estimate", [("value", float), ("ends", Callable), ("is_exact", bool), ("made", tuple)])):
    """A number and its interval at any level.

    Parameters
    ----------
    value : float
        The number; nan where the runs have none.
    ends : callable
        ``ends(level)`` returns the lower and upper end of the interval.
    is_exact : bool
        Whether it was computed without random numbers: it takes no share of a joint level.
    made : tuple
        Name of the function that made it, and what of: runs, numbers, what made its parts; empty: not to be made again.
    """

    def __new__(cls, value: float, ends: Callable, is_exact: bool = False, made: tuple = ()):
        return super().__new__(cls, value, lambda level: ends(number("level", level, above=0, below=1)), is_exact, made)


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
    value = float(value) if isinstance(value, float) else number("value", value)  # a float may be infinite, or nan
    return Estimate(value, lambda level: (value, value), True, ("exact", value))


def constant(values: ArrayLike) -> Estimate:
    """Number that chance does not move, as a claim knows: exact where all runs agree, else their `mean`.

    Parameters
    ----------
    values : array_like, shape (runs,)
        Of a policy that has met nothing random yet, or of worlds without noise; equal runs alone are no reason.

    Examples
    --------
    >>> constant([2.0, 2.0]).ends(0.95), constant([2.0, 2.1]).is_exact
    ((2.0, 2.0), False)
    """
    values = numbers_of_runs("values", values)
    # Whether it takes a share of a joint level depends on its runs: no page can judge it again.
    return exact(float(values[0])) if np.ptp(values) <= 1e-12 * abs(values).max() else mean(values)._replace(made=())


def mean(values: ArrayLike) -> Estimate:
    """Mean over independent runs, with its t-interval, as far as skewed runs need beyond it.

    Where runs are skewed the t-interval ends too early on the side of their long tail: there Hall's transformation of
    the t-statistic tells the end. Few equal runs say nothing.

    Parameters
    ----------
    values : array_like, shape (runs,)
        At least one; the interval of a single run has no ends.

    References
    ----------
    Hall, On the removal of skewness by transformation, 1992, Section 2.

    Examples
    --------
    >>> tuple(round(end, 2) for end in mean([1, 2, 3, 4, 20]).ends(0.95))
    (-3.82, 38.32)
    """
    values = numbers_of_runs("values", values)
    scaled, power = rescale(values)

    def ends(level):
        if says_nothing(scaled, level):
            return UNKNOWN
        middle, se, half = interval(scaled, level)
        # (mean - truth) / se lies between its lower and its upper quantile: the upper one tells the lower end
        low, high = (reach(scaled, side * half / se) for side in (1, -1)) if se > 0 else (0.0, 0.0)
        return tuple(map(float, np.ldexp([middle - max(half, se * low), middle + max(half, -se * high)], power)))

    return Estimate(float(np.ldexp(scaled.mean(), power)), ends, made=("mean", values))


def says_nothing(values, level):
    """Whether runs allow no interval, by checkpoint: one alone, one that is none, few equal that may differ later."""
    n, finite = len(values), np.isfinite(values).all(axis=0)
    if n < 2 or (1 - RARE) ** n <= 1 - level:
        return np.logical_or(n < 2, ~finite)
    with np.errstate(invalid="ignore"):  # an infinite run is told apart above
        return ~finite | (np.ptp(values, axis=0) <= 1e-12 * abs(values).max(axis=0))


def reach(values, quantile):
    """Where Hall's monotone transformation puts a quantile q of the t-statistic of n runs of skewness g:
    √n · 3/g · (∛(1 + g (q/√n - g/(6n))) - 1)."""
    n, deviations = len(values), values - values.mean()
    skewness = (deviations**3).mean() / (deviations**2).mean() ** 1.5
    if abs(skewness) < 1e-6:
        return float(quantile)
    cubed = 1 + skewness * (quantile / np.sqrt(n) - skewness / (6 * n))
    return float(np.sqrt(n) * 3 / skewness * (np.cbrt(cubed) - 1))


def ratio(first: ArrayLike, second: ArrayLike) -> Estimate:
    """Ratio of two means over the same runs, with the t-interval of its logarithm (delta method).

    Parameters
    ----------
    first, second : array_like, shape (runs,)
        Numerator and denominator; where one of the means is not positive there is no ratio to speak of: nan, and any
        question about it stays open.
    """
    first = numbers_of_runs("first", first)
    second = numbers_of_runs("second", second, len(first))
    top, bottom = first.mean(), second.mean()
    if not (top > 0 and bottom > 0):
        return Estimate(float("nan"), lambda level: UNKNOWN)
    value, logs = float(top / bottom), mean(np.log(top / bottom) + first / top - second / bottom)

    def ends(level):
        low, high = np.exp(logs.ends(level))
        return float(min(low, value)), float(max(high, value))  # rounding puts an interval of no width beside it

    return Estimate(value, ends, made=("ratio", first, second))


def quotient(first: Estimate, second: Estimate) -> Estimate:
    """Quotient of two independent positive estimates: the errors of their logarithms add up in squares.

    Parameters
    ----------
    first, second : Estimate
        Numerator and denominator. Where the interval of one reaches 0, that of the quotient has no end on that side: it
        reaches down to 0 for the numerator, up to infinity for the denominator.

    Examples
    --------
    >>> quotient(exact(3), exact(2)).value
    1.5
    """
    require_estimates(first=first, second=second)
    if not (first.value > 0 and second.value > 0):
        return Estimate(float("nan"), lambda level: UNKNOWN)
    value = first.value / second.value

    def apart(low, high):
        return np.log(high / low) if low > 0 and high > 0 else np.inf

    def ends(level):
        (low, high), (least, most) = first.ends(level), second.ends(level)
        down = np.hypot(apart(low, first.value), apart(second.value, most))
        up = np.hypot(apart(first.value, high), apart(least, second.value))
        return float(value * np.exp(-down)), float(value * np.exp(up))

    return Estimate(value, ends, first.is_exact and second.is_exact, ("quotient", first.made, second.made))


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
    require_estimates(first=first, second=second)

    def ends(level):
        (a, low_a, high_a), (b, low_b, high_b) = ((one.value, *one.ends(level)) for one in (first, second))
        return float(a - b - np.hypot(a - low_a, high_b - b)), float(a - b + np.hypot(high_a - a, b - low_b))

    both = first.is_exact and second.is_exact
    return Estimate(first.value - second.value, ends, both, ("difference", first.made, second.made))


def proportion(count: int, n: int) -> Estimate:
    """A probability, with its Clopper-Pearson interval.

    Parameters
    ----------
    count, n : int, successes among so many independent trials, at least one

    Examples
    --------
    >>> low, high = proportion(0, 20).ends(0.95)
    >>> low, round(high, 4)
    (0.0, 0.1684)
    """
    from scipy.special import betaincinv  # slow to import

    n = whole("n", n, 1)
    count = whole("count", count, 0, n)

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
    runs : int >= 1, number of runs; the interval of fewer than 20 has no ends
    seed : int >= 0, of the resampling
    """
    runs, seed = whole("runs", runs, 1), whole("seed", seed, 0)
    if not callable(statistic):
        raise TypeError(f"statistic={shown(statistic)}: must be callable")

    def draw(rows):
        found, wanted = statistic(rows), rows.shape[:-1]
        if np.shape(found) != wanted:
            raise ValueError(f"statistic gave shape {np.shape(found)}: must return {wanted} for runs of {rows.shape}")
        return found

    value = float(draw(np.arange(runs)))
    if runs < FEW:
        return Estimate(value, lambda level: UNKNOWN)
    rng = np.random.default_rng(seed)
    shape = 10, DRAWS // 100, runs  # a statistic along a wrong axis never has that of the draws
    drawn = np.sort(np.concatenate([draw(rng.integers(0, runs, shape)) for _ in range(10)]), axis=None)

    def ends(level):
        if not np.isfinite(drawn[[0, -1]]).all() or (drawn[0] == drawn[-1] and (1 - RARE) ** runs > 1 - level):
            return UNKNOWN
        return tuple(map(float, np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])))

    return Estimate(value, ends)


def quantile(values: ArrayLike, chance: float) -> Estimate:
    """Quantile of the law that independent runs follow, with its interval between two of the ordered runs.

    The interval holds whatever the law; where there are too few runs for one of its ends it has none on that side.

    Parameters
    ----------
    values : array_like, shape (runs,)
    chance : float in (0, 1): 0.5 for the median

    Examples
    --------
    >>> quantile(range(1, 21), 0.5).ends(0.95)
    (6.0, 15.0)
    >>> quantile(range(1, 21), 0.95).ends(0.95)
    (17.0, inf)
    """
    from scipy.special import bdtr  # slow to import

    values, chance = np.sort(numbers_of_runs("values", values)), number("chance", chance, above=0, below=1)
    n = len(values)
    below = bdtr(np.arange(n, dtype=float), n, chance)  # that at most so many runs lie below the quantile

    def ends(level):
        if np.isnan(values[-1]):
            return UNKNOWN
        low, high = int((below <= (1 - level) / 2).sum()), int((below < (1 + level) / 2).sum())
        return float(values[low - 1]) if low else -np.inf, float(values[high]) if high < n else np.inf

    endless = np.isinf(abs(values).max())  # at an infinite run, and beside it, numpy's own quantile is nan
    value = np.interp(chance * (n - 1), np.arange(n), values) if endless else np.quantile(values, chance)
    return Estimate(float(value), ends)


def median(values: ArrayLike) -> Estimate:
    """Median of the law that independent runs follow: see `quantile`.

    Parameters
    ----------
    values : array_like, shape (runs,)
        The interval of fewer than six runs has no ends at 95 %.
    """
    return quantile(values, 0.5)


def regret_difference(result: Any, first: str, second: str) -> Estimate:
    """How much more regret the first policy has at the horizon than the second, run by run.

    Parameters
    ----------
    result : Result
    first, second : str, names of policies
    """
    return mean(result.of_policy(first)[:, -1] - result.of_policy(second)[:, -1])


def fieller_ratio(first: ArrayLike, second: ArrayLike) -> Estimate:
    """Ratio of two means over the same runs, with Fieller's interval: exact for normal runs, of whatever sign.

    Parameters
    ----------
    first, second : array_like, shape (runs,)
        Numerator and denominator. The interval is unbounded where the denominator's mean may be zero; a single run,
        few of one and the same ratio, or a denominator of mean zero have none: nan.

    Examples
    --------
    >>> found = fieller_ratio([9, 10, 11, 10], [19, 20, 22, 21])
    >>> round(found.value, 3), [round(end, 3) for end in found.ends(0.95)]
    (0.488, [0.464, 0.51])
    """
    x, up = rescale(numbers_of_runs("first", first))
    y, down = rescale(numbers_of_runs("second", second, len(x)))
    n, a, b = len(x), x.mean(), y.mean()

    def ends(level):
        # chance moves what the ratio leaves of x; beside x what rounding leaves is nothing
        if b == 0 or says_nothing(abs(x).max() + x - a / b * y, level):
            return np.nan, np.nan
        (va, c), (_, vb) = np.cov(x, y) / n
        q = t_quantile(n, level) ** 2
        scale = b * b - q * vb
        if scale <= 0:
            return UNKNOWN
        middle, root = a * b - q * c, max((a * b - q * c) ** 2 - scale * (a * a - q * va), 0.0) ** 0.5
        return tuple(map(float, np.ldexp([(middle - root) / scale, (middle + root) / scale], up - down)))

    return Estimate(float(np.ldexp(a / b, up - down)) if b else np.nan, ends)


def chance_alike(first: ArrayLike, second: ArrayLike) -> float:
    """Chance that independent runs of one law differ as much as these (two-sample Kolmogorov-Smirnov test).

    Parameters
    ----------
    first, second : array_like, shape (runs,)
    """
    from scipy.stats import ks_2samp  # takes a second to import

    return float(ks_2samp(numbers_of_runs("first", first), numbers_of_runs("second", second)).pvalue)


def numbers_of_runs(name, values, size=None):
    """One number of each run as an array; nan, which leaves a question open, where a run has none."""
    return one_row(name, values, size, ", one of each run")


def require_estimates(**given):
    """Refuse an argument, by its name, that is no estimate."""
    for name, value in given.items():
        if not isinstance(value, Estimate):
            raise TypeError(f"{name}={shown(value)}: must be an Estimate, as `mean` and `exact` return one")


def rescale(values):
    """Runs, scaled by a power of two where their fourth powers would be no floats, and the exponent that undoes it."""
    power = np.frexp(abs(values).max(axis=0))[1]
    power *= abs(power) > 200
    return np.ldexp(values, -power), power


def interval(values, level=0.95):
    """Mean, standard error and half width of the t-interval over axis 0; nan where there is a single run."""
    n, level = len(values), number("level", level, above=0, below=1)
    scaled, power = rescale(values)
    mean = scaled.mean(axis=0)
    se = scaled.std(axis=0, ddof=1) / np.sqrt(n) if n > 1 else np.full_like(mean, np.nan)
    return tuple(np.ldexp(found, power) for found in (mean, se, t_quantile(n, level) * se))


def t_quantile(runs, level=0.95):
    """Half width of the t-interval over so many runs, in standard errors."""
    from scipy.special import stdtrit  # loaded where it is needed: scipy.stats takes a second to import

    return float(stdtrit(runs - 1, (1 + level) / 2))
