"""Costs of consumption and penalties of limits: power laws, tables of knots, and the promise of Example 2."""

import math
import numbers
from typing import NamedTuple

import numpy as np

from ..protocol import helper
from ..validate import number, vector, whole

ROUNDING = 1e-9  # a limit that is the promised one mathematically counts as kept
KNOTS = 1024  # intervals into which a callable is tabulated
EXACT = 1e-3  # share of the largest value by which a table may be off between its knots


class Curve(NamedTuple):
    """An increasing function of consumption: what `power`, `knots` and `tabulated` return."""

    factor: float
    exponent: float  # 0 where the knots rule
    table: np.ndarray  # (2, knots) places and values, linear between them, constant beyond
    error: float  # largest deviation from the callable that was tabulated, measured between its knots

    def at(self, x):
        """The value at one point."""
        if self.exponent == 1.0:
            return self.factor * x
        if self.exponent > 0.0:
            return self.factor * math.pow(x, self.exponent)
        return between(self.table, x)


@helper
def between(table, x):
    """Linear interpolation in the rows (places, values)."""
    last = table.shape[1] - 1
    if x <= table[0, 0]:
        return table[1, 0]
    if x >= table[0, last]:
        return table[1, last]
    low, high = 0, last
    while high - low > 1:
        middle = (low + high) >> 1
        if table[0, middle] <= x:
            low = middle
        else:
            high = middle
    share = (x - table[0, low]) / (table[0, high] - table[0, low])
    return table[1, low] + share * (table[1, high] - table[1, low])


def power(factor, exponent=1.0):
    r"""The power law :math:`x\mapsto a\,x^p`.

    Parameters
    ----------
    factor : float
        a, at least 0.
    exponent : float
        p, positive.

    Returns
    -------
    Curve
        A cost, or a penalty on a whole interval of limits.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Bengs, Hüllermeier, Multi-Armed Bandits with Censored Consumption of Resources, Section 5: c(x) = x / 10.

    Examples
    --------
    >>> power(4.0, 2.0).at(0.5)
    1.0
    """
    exponent = number("exponent", exponent, above=0)
    return Curve(number("factor", factor, least=0), exponent, np.zeros((2, 1)), 0.0)


def knots(places, values):
    """A function that is linear between knots and constant beyond them.

    Parameters
    ----------
    places : array_like, shape (k,)
        Where, ascending, at least 0.
    values : array_like, shape (k,)
        Value at each place, at least 0, never decreasing.

    Returns
    -------
    Curve
        A cost, or a penalty on a whole interval of limits.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    Examples
    --------
    >>> knots([0.0, 1.0, 2.0], [0.0, 0.1, 1.1]).at(1.5)
    np.float64(0.6)
    """
    places = vector("places", places, least=0.0)
    if (np.diff(places) <= 0).any():
        raise ValueError(f"places={places.tolist()}: must be ascending")
    return Curve(0.0, 0.0, np.array([places, increasing("values", values, len(places))]), 0.0)


def tabulated(function, upper):
    """A Python function of consumption, as a table of knots; the field `error` says how far between them it is off.

    Parameters
    ----------
    function : callable
        A function of one number, at least 0, never decreasing; compiled code cannot call it, hence the table. Half way
        between two knots the table must be within 0.001 of the largest value, so a jump is for `knots`.
    upper : float
        The table reaches from 0 to here, positive: the largest limit is enough.

    Returns
    -------
    Curve
        The table, of 1,024 intervals.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    Examples
    --------
    >>> tabulated(lambda x: x * x, 1.0).error < 1e-6
    True
    """
    return tabulate("function", function, upper)


def tabulate(name, function, upper):
    """The table of a callable argument of this name."""
    if not callable(function):
        raise TypeError(f"{name}={function!r}: must be callable")
    places = np.linspace(0.0, number("upper", upper, above=0), 2 * KNOTS + 1)
    values = evaluate(name, function, places)
    error = float(np.abs(values[1::2] - 0.5 * (values[:-2:2] + values[2::2])).max())
    if error > EXACT * values[-1]:
        raise ValueError(
            f"{name}: its table is off by {error:.3g} between two knots, with values up to {values[-1]:.3g}; must be "
            f"off by at most {EXACT:g} of that: give a `power`, or `knots` where it bends"
        )
    return Curve(0.0, 0.0, np.array([places[::2], values[::2]]), error)


def evaluate(name, function, places):
    """Values of a callable argument: finite, at least 0, never decreasing."""
    values = [np.asarray(function(x)).tolist() for x in places.tolist()]  # np.where returns an array without dimension
    named = [f"{name}({x:g})" for x in places.tolist()]
    return increasing(name, [number(*pair, least=0) for pair in zip(named, values, strict=True)])


def increasing(name, values, size=None):
    """Return values that are finite, at least 0 and never decrease."""
    array = vector(name, values, least=0.0, size=size)
    if (np.diff(array) < 0).any():
        place = int(np.argmax(np.diff(array) < 0))
        raise ValueError(f"{name}: decreases from {array[place]} to {array[place + 1]}; must never decrease")
    return array


def curve(name, value, upper):
    """Return a `Curve` from itself, from the slope of a line, or from a callable up to the largest limit."""
    if isinstance(value, Curve):
        return value
    return tabulate(name, value, upper) if callable(value) else power(number(name, value, least=0))


def values_of(curve, points):
    """A curve at many points."""
    if curve.exponent > 0:
        return curve.factor * np.asarray(points) ** curve.exponent
    return np.interp(points, *curve.table)


def grid(name, limits, low=0.1, high=0.9):
    """Return limits as an ascending array of positive numbers; a whole number m is m points from `low` to `high`."""
    if not hasattr(limits, "__len__"):
        if isinstance(limits, (bool, np.bool_)) or not isinstance(limits, numbers.Integral):
            raise TypeError(f"{name}={limits!r}: must be a whole number of limits, or a list of the limits themselves")
        if limits < 1:
            raise ValueError(f"{name}={limits}: must be a positive number of limits, or the limits themselves")
        return np.linspace(low, high, int(limits)) if limits > 1 else np.array([high])
    array = vector(name, limits, least=0.0)
    if array[0] <= 0 or (np.diff(array) <= 0).any():
        raise ValueError(f"{name}={array.tolist()}: must be positive and ascending")
    return array


def penalties(name, penalty, limits):
    """Return the penalty of every limit, from an array, a `Curve` or a callable."""
    if isinstance(penalty, Curve):
        return values_of(penalty, limits)
    return evaluate(name, penalty, limits) if callable(penalty) else increasing(name, penalty, len(limits))


def promise(limits, threshold=0.5, steepness=10.0, slope=0.1):
    r"""Penalties of a promised time: :math:`\lambda(x)=ax` up to the promise :math:`\tilde\tau`, :math:`Lx` beyond.

    Parameters
    ----------
    limits : int or array_like, shape (m,)
        Limits, positive, ascending; a whole number m is the grid of m points from 0.1 to 0.9.
    threshold : float
        The promise, positive; a limit within 1e-9 of it keeps it.
    steepness : float
        L, at least the slope.
    slope : float
        a, at least 0; the cost per unit of consumption in the paper.

    Returns
    -------
    ndarray, shape (m,)
        Penalty of every limit.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Censored consumption, Example 2 (strict: 0.5 and 10; soft: 0.99 and 5) and Section 5.1.

    Examples
    --------
    >>> promise([0.3, 0.5, 0.6]).tolist()
    [0.03, 0.05, 6.0]
    """
    limits, slope = grid("limits", limits), number("slope", slope, least=0)
    threshold, steepness = number("threshold", threshold, above=0), number("steepness", steepness, least=slope)
    return np.where(limits <= threshold + ROUNDING, slope * limits, steepness * limits)


def literal_grid(size, largest=1.0):
    r"""The literal reading of "equidistant grid of (0, 1]": :math:`k\tau_{\max}/m` for k = 1..m.

    The printed shares of censored rounds belong to m points from 0.1 to 0.9 instead; see the notebook.

    Parameters
    ----------
    size : int
        Number of limits m, at least 1.
    largest : float
        The largest limit, positive.

    Returns
    -------
    ndarray, shape (m,)
        The limits.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Censored consumption, Section 5.1.

    Examples
    --------
    >>> literal_grid(4).tolist()
    [0.25, 0.5, 0.75, 1.0]
    """
    return number("largest", largest, above=0) * np.arange(1, whole("size", size, 1) + 1) / size
