"""Checks of what this paper's factories take: grids of limits, penalties, costs; errors as in `banditlab.validate`."""

import numbers

import numpy as np

from ..validate import count_dimensions, how_many, is_real, number, shown, vector
from .curves import Curve, law, line, values_of

KNOTS = 1024  # intervals into which a callable is tabulated
EXACT = 1e-3  # share of the largest value by which a table may be off between its knots


def grid(name, limits, low=0.1, high=0.9):
    """Return limits as an ascending array of positive numbers; a whole number m is m points from `low` to `high`."""
    if count_dimensions(limits) != 1:
        if not is_real(limits) or not isinstance(limits, numbers.Integral):
            raise TypeError(f"{name}={shown(limits)}: must be a whole number of limits, or a list of the limits")
        many = how_many(name, limits, 80)
        return np.linspace(low, high, many) if many > 1 else np.array([high])
    array = vector(name, limits, least=0.0)
    if array[0] <= 0 or (np.diff(array) <= 0).any():
        raise ValueError(f"{name}={array.tolist()}: must be positive and ascending")
    return array


def increasing(name, values, size=None):
    """Return values that are finite, at least 0 and never decrease."""
    array = vector(name, values, least=0.0, size=size)
    if (np.diff(array) < 0).any():
        place = int(np.argmax(np.diff(array) < 0))
        raise ValueError(f"{name}: decreases from {array[place]} to {array[place + 1]}; must never decrease")
    return array


def penalties(name, penalty, limits):
    """Return the penalty of every limit, from an array, a `Curve` or a callable."""
    if isinstance(penalty, Curve):
        return values_of(penalty, limits)
    return evaluate(name, penalty, limits) if callable(penalty) else increasing(name, penalty, len(limits))


def setting(arms, limits, penalty):
    """Return what every policy of pairs is told: the number of arms, the limits, and their penalties."""
    limits = grid("limits", limits)
    return how_many("arms", arms, 64 * len(limits)), limits, penalties("penalty", penalty, limits)


def largest(penalty, lambda_max):
    """The largest penalty, or what is given in its place."""
    return float(penalty[-1]) if lambda_max is None else number("lambda_max", lambda_max, least=0)


def curve(name, value, upper):
    """Return a `Curve` from itself, from the slope of a line, or from a callable up to the largest limit."""
    if isinstance(value, Curve):
        return value
    return tabulate(name, value, upper) if callable(value) else law(number(name, value, least=0), 1.0)


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
    return line(places[::2], values[::2], error)


def evaluate(name, function, places):
    """Values of a callable argument: finite, at least 0, never decreasing."""
    if isinstance(function, type):
        raise TypeError(f"{name}={function!r}: must be a function, not a class")
    values = [np.asarray(function(x)).tolist() for x in places.tolist()]  # np.where returns an array without dimension
    named = [f"{name}({x:g})" for x in places.tolist()]
    return increasing(name, [number(*pair, least=0) for pair in zip(named, values, strict=True)])
