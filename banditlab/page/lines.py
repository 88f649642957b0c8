"""What lines of a figure show: statistics of the made-up regret that they were drawn of."""

import functools
import itertools
from typing import NamedTuple

import numpy as np

from ..evidence.estimates import interval, mean
from ..evidence.questions import LEVEL

STUCK = 2  # times the median: a run that is stuck
LEVELS, METHODS = (0.05, 0.5, 0.95), ("linear", "higher")  # of quantiles
LINES = ("mean", "band", "ends", "quantile", "shares", "stuck", "ratio")  # what a line may show of a policy
NEAR = dict(rtol=1e-9, atol=1e-300)


class Line(NamedTuple):
    """What a trace shows of a policy."""

    statistic: str  # one of LINES
    policy: str
    simulation: int | None  # None: the end of every simulation that has the policy
    told: (
        object  # of a band standard errors, None for the t-interval; level of a quantile; policy below a ratio or None
    )
    method: str  # of the quantile


class Summary(NamedTuple):
    """What lines may show of runs; bands and intervals are told apart by more than their numbers."""

    statistics: list  # of name, what it is told, method, numbers
    band: tuple  # as of `interval`
    last: np.ndarray  # upper and lower end of the interval that `mean` has at the last point
    order: np.ndarray  # the last points of the runs, from small to large


class Series(NamedTuple):
    """Made-up regret that a trace may show."""

    policy: str
    simulation: int | None
    x: np.ndarray  # rounds
    values: np.ndarray  # (runs, points)
    summary: Summary


class Shown(NamedTuple):
    """A trace that is recognised."""

    line: Line
    factor: np.ndarray | None  # what the statistic is multiplied by, point by point
    x: np.ndarray | None  # where the points stand, if not at the rounds


def list_series(asked):
    """What may be drawn: every policy against the rounds of its simulation, and its end in all of them."""
    ends = {}
    for number, cell in enumerate(asked):
        for name, regret in zip(cell.settings["policies"], cell.result.regret, strict=True):
            yield Series(name, number, cell.recorded, regret, summarise(regret.tobytes(), regret.shape))
            ends.setdefault(name, []).append((cell.recorded[-1], regret[:, -1]))
    for name, found in ends.items():
        rounds, last = zip(*found, strict=True)
        values = np.stack(last, axis=1)
        yield Series(name, None, np.array(rounds), values, summarise(values.tobytes(), values.shape))


def is_same(a, b):
    """Whether two arrays are the same numbers but for the last bits."""
    return a.shape == b.shape and is_near(a, b)


def is_near(a, b):
    """As `is_same`, of an array and a number, too; mostly the last entries tell, which takes a tenth of the time."""
    one, other = (float(np.ravel(c)[-1]) if np.size(c) else 0.0 for c in (a, b))
    near = one == other or abs(one - other) <= NEAR["atol"] + NEAR["rtol"] * abs(other)
    return near and np.allclose(a, b, **NEAR)


def points_of(trace):
    """The numbers of a line, or None."""
    if trace.get("type") != "scatter" or trace.get("x") is None or trace.get("y") is None:
        return None
    try:
        return tuple(np.asarray(trace[name], float) for name in "xy")
    except (TypeError, ValueError):
        return None


@functools.lru_cache(200)
def summarise(data, shape):
    """The `Summary` of numbers that are given as bytes: most drawings of a figure meet the same made-up ones."""
    values = np.frombuffer(data).reshape(shape)
    found = [("mean", None, "", values.mean(axis=0))]
    found.append(("stuck", STUCK, "", (values > STUCK * np.median(values, axis=0)).mean(axis=0)))
    for level, method in itertools.product(LEVELS, METHODS):
        found.append(("quantile", level, method, np.quantile(values, level, axis=0, method=method)))
    last = np.array(mean(values[:, -1]).ends(LEVEL)[::-1])
    return Summary(found, interval(values), last, np.sort(values[:, -1]))


def recognise(points, series, again=None, salted=None):
    """What a line shows, or None.

    Parameters
    ----------
    points : pair of ndarray
    series : list of Series
    again, salted : the same of another drawing, optional
        Then a statistic may be multiplied by what does not change with the regret.
    """
    for number, one in enumerate(series):
        other = salted[number] if salted else None
        shown = (
            as_band(points, one, again, other)
            or as_ends(points, one)
            or as_shares(points, one)
            or as_statistic(points, one, again, other)
        )
        if shown:
            return shown
    return None


def own_places(x, one):
    """None where a line stands at the rounds of its series, else where it stands."""
    return None if is_same(x, np.asarray(one.x, float)) else x


def as_band(points, one, again, other):
    """A band: the same number of standard errors everywhere, and what the mean is multiplied by."""
    x, y = points
    n = one.values.shape[1]
    if len(y) != 2 * n:
        return None
    factor, widths, own = measure_band(y, one)
    if not widths[0] > 0 or not is_near(widths, widths[0]):
        return None
    if n == 1 and not np.isclose(factor[0], 1.0, **NEAR):  # one point has always a factor: another drawing has the same
        if again is None or not is_near(factor, measure_band(again[1], other)[0]):
            return None
    told = None if np.isclose(widths[0], own, **NEAR) else float(np.round(widths[0], 9))
    return Shown(Line("band", one.policy, one.simulation, told, ""), plain_factor(factor), own_places(x[:n], one))


def as_ends(points, one):
    """The ends of the intervals that `evidence.mean` has."""
    x, y = points
    n = one.values.shape[1]
    if len(y) != 2 * n or not is_same(y[n - 1 : n + 1], one.summary.last):
        return None  # the others take a while
    low, high = np.transpose([mean(column).ends(LEVEL) for column in one.values.T])
    if not is_same(y, np.concatenate([high, low[::-1]])):
        return None
    return Shown(Line("ends", one.policy, one.simulation, None, ""), None, own_places(x[:n], one))


def measure_band(y, one):
    """Of the edges of a band: its middle over the mean, its half width in standard errors, and a t-interval's."""
    middle, error, half = one.summary.band
    high, low = y[: len(middle)], y[len(middle) :][::-1]
    factor = (high + low) / (2 * middle)
    with np.errstate(divide="ignore", invalid="ignore"):  # runs that agree have no width
        return factor, (high - low) / (2 * error * factor), half[0] / error[0]


def as_shares(points, one):
    """The share of runs with at most so much regret at the end."""
    if one.simulation is None or not is_same(points[0], one.summary.order):
        return None
    return Shown(Line("shares", one.policy, one.simulation, None, ""), None, None)


def as_statistic(points, one, again, other):
    """The mean or a quantile, as it is, or multiplied by what another drawing has, too."""
    x, y = points
    if len(y) != one.values.shape[1]:
        return None
    for number, (name, told, method, values) in enumerate(one.summary.statistics):
        if name == "stuck":  # mostly zeros: as it is or not at all
            if values.any() and is_same(y, values):
                return Shown(Line(name, one.policy, one.simulation, told, method), None, own_places(x, one))
            continue
        factor = y / values
        if again is not None:
            *_, others = other.summary.statistics[number]
            if again[1].shape != y.shape or not is_near(factor, again[1] / others):
                continue
        elif not is_near(factor, 1.0):
            continue
        return Shown(Line(name, one.policy, one.simulation, told, method), plain_factor(factor), own_places(x, one))
    return None


def as_ratio(points, series):
    """A mean over that of another policy, or over the least one."""
    x, y = points
    for one in series:
        mine = [
            other for other in series if other.simulation == one.simulation and other.values.shape == one.values.shape
        ]
        if len(y) != one.values.shape[1] or len(mine) < 2:
            continue
        means = np.array([other.values.mean(axis=0) for other in mine])
        for name, below in ((None, means.min(axis=0)), *zip([other.policy for other in mine], means, strict=True)):
            if name != one.policy and is_same(y, one.values.mean(axis=0) / below):
                return Shown(Line("ratio", one.policy, one.simulation, name, ""), None, own_places(x, one))
    return None


def plain_factor(factor):
    """None for ones."""
    return None if is_near(factor, 1.0) else factor
