r"""Costs of consumption and penalties of limits, and the paper's literal grid.

Everywhere in this paper `limits` are positive and ascending, shape (m,); a whole number m stands for the grid of m
points from 0.1 to 0.9. A `penalty` has one value for every limit, at least 0, never decreasing; it may be an array, a
`Curve`, or a callable that is evaluated at the limits. On a whole interval of limits it is a `Curve`, the slope of a
line, or a callable that is tabulated.
"""

import numpy as np

from ..validate import how_many, number, vector
from .arguments import grid, increasing, tabulate
from .curves import law, line

__all__ = ["knots", "literal_grid", "power", "promise", "tabulated"]

ROUNDING = 1e-9  # a limit that is the promised one mathematically counts as kept


def power(factor, exponent=1.0):
    r"""The power law :math:`x\mapsto a\,x^p`: a cost, or a penalty on a whole interval of limits.

    Parameters
    ----------
    factor : float >= 0, a
    exponent : float > 0, p

    References
    ----------
    Bengs, Hüllermeier, Multi-Armed Bandits with Censored Consumption of Resources, Section 5: c(x) = x / 10.

    Examples
    --------
    >>> power(4.0, 2.0).at(0.5)
    1.0
    """
    return law(number("factor", factor, least=0), number("exponent", exponent, above=0))


def knots(places, values):
    """A `Curve` that is linear between knots and constant beyond them.

    Parameters
    ----------
    places : array_like, shape (k,), where; ascending, at least 0
    values : array_like, shape (k,), value at each place; at least 0, never decreasing

    Examples
    --------
    >>> knots([0.0, 1.0, 2.0], [0.0, 0.1, 1.1]).at(1.5)
    np.float64(0.6)
    """
    places = vector("places", places, least=0.0)
    if (np.diff(places) <= 0).any():
        raise ValueError(f"places={places.tolist()}: must be ascending")
    return line(places, increasing("values", values, len(places)))


def tabulated(function, upper):
    """A Python function of consumption, as a table of knots; the field `error` says how far between them it is off.

    Parameters
    ----------
    function : callable
        A function of one number, at least 0, never decreasing; compiled code cannot call it, hence the table. Half way
        between two knots the table must be within 0.001 of the largest value, so a jump is for `knots`.
    upper : float > 0, the table of 1,024 intervals reaches from 0 to here: the largest limit is enough

    Examples
    --------
    >>> tabulated(lambda x: x * x, 1.0).error < 1e-6
    True
    """
    return tabulate("function", function, upper)


def promise(limits, threshold=0.5, steepness=10.0, slope=0.1):
    r"""Penalties of a promised time: :math:`\lambda(x)=ax` up to the promise :math:`\tilde\tau`, :math:`Lx` beyond.

    Parameters
    ----------
    limits : int or array_like, shape (m,)
    threshold : float > 0, the promise; a limit within 1e-9 of it keeps it
    steepness : float, L, at least the slope
    slope : float >= 0, a; the cost per unit of consumption in the paper

    Returns
    -------
    ndarray, shape (m,)
        Penalty of every limit.

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
    size : int >= 1, number of limits m
    largest : float > 0, the largest limit

    References
    ----------
    Censored consumption, Section 5.1.

    Examples
    --------
    >>> literal_grid(4).tolist()
    [0.25, 0.5, 0.75, 1.0]
    """
    return number("largest", largest, above=0) * np.arange(1, how_many("size", size, 64) + 1) / size
