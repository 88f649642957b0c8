"""Checks that every factory shares; their errors name the argument, its value and what is allowed.

Every factory, bound and experiment of the package raises a TypeError where an argument is of the wrong kind, and a
ValueError where its value is not as its docstring describes it; docstrings do not repeat that.
"""

import math
import numbers

import numpy as np

LARGEST = 2**62  # of what goes into 64 bits


def finite(value):
    """Whether a real number is finite; an int beyond every float is not for `number`."""
    return isinstance(value, numbers.Integral) or math.isfinite(value)


def number(name, value, above=None, least=None, most=None, below=None):
    """Return the value as a float.

    Parameters
    ----------
    name : str
        Name of the argument, for the message.
    value : float
        A finite number.
    above, least, most, below : float, optional
        Limits: exclusive lower, inclusive lower, inclusive upper, exclusive upper.

    Returns
    -------
    float
        The value.

    Raises
    ------
    TypeError
        If the value is no number.
    ValueError
        If it is not finite or outside the limits.
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name}={value!r}: must be a number")
    rules = [
        (above, lambda limit: value > limit, "greater than"),
        (least, lambda limit: value >= limit, "at least"),
        (most, lambda limit: value <= limit, "at most"),
        (below, lambda limit: value < limit, "less than"),
    ]
    given = [(limit, rule, words) for limit, rule, words in rules if limit is not None]
    if not finite(value) or not all(rule(limit) for limit, rule, _ in given):
        allowed = " and ".join(f"{words} {limit}" for limit, _, words in given)
        raise ValueError(f"{name}={value!r}: must be finite" + (f" and {allowed}" if allowed else ""))
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{name}={value!r}: must be finite") from None


def whole(name, value, least=None, most=None):
    """Return the value as an int.

    Parameters
    ----------
    name : str
        Name of the argument, for the message.
    value : int
        A whole number; a float without a fraction will do.
    least, most : int, optional
        Inclusive limits.

    Returns
    -------
    int
        The value.

    Raises
    ------
    TypeError
        If the value is no whole number.
    ValueError
        If it is outside the limits.
    """
    real = isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))
    if not real or not finite(value) or value != math.floor(value):
        raise TypeError(
            f"{name}={value!r}: must be a whole number" + (f", at least {least}" if least is not None else "")
        )
    if (least is not None and value < least) or (most is not None and value > most):
        limits = " and ".join(
            f"{words} {limit}" for words, limit in (("at least", least), ("at most", most)) if limit is not None
        )
        raise ValueError(f"{name}={value!r}: must be {limits}")
    return int(value)


def flag(name, value):
    """Return a bool.

    Parameters
    ----------
    name : str
        Name of the argument, for the message.
    value : bool
        True or False, of Python or numpy; a 0 or 1 is none.

    Returns
    -------
    bool
        The value.
    """
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}={value!r}: must be True or False")
    return bool(value)


def horizons(name, value, least=1, most=LARGEST):
    """Return one number of rounds, or an array of them, as floats of the same shape.

    Parameters
    ----------
    name : str
        Name of the argument, for the message.
    value : int or array_like of int
        One or many.
    least, most : int
        Inclusive limits.

    Returns
    -------
    ndarray
        Of the shape of the value: `plain` makes a float of what was computed from a single one.
    """
    rounds = [float(whole(name, T, least, most)) for T in np.ravel(value).tolist()]
    if not rounds:
        raise ValueError(f"{name}={value!r}: must hold at least one whole number")
    return np.reshape(rounds, np.shape(value))


def plain(value):
    """Return a float for a single number or a 0-dimensional array, an array as it is.

    Parameters
    ----------
    value : float or ndarray
        What was computed.

    Returns
    -------
    float or ndarray
        The value.
    """
    return float(value) if np.ndim(value) == 0 else value


def vector(name, values, least=None, most=None, size=None):
    """Return the values as a contiguous float array.

    Parameters
    ----------
    name : str
        Name of the argument, for the message.
    values : array_like
        One-dimensional, not empty, finite numbers.
    least, most : float, optional
        Inclusive limits of every entry.
    size : int, optional
        Length that is asked for.

    Returns
    -------
    ndarray
        The values, copied.

    Raises
    ------
    TypeError
        If the values are no numbers.
    ValueError
        If the shape is wrong, or an entry is not finite or outside the limits.
    """
    try:
        array = np.array(values, dtype=float, order="C")
        if np.asarray(values).dtype.kind not in "iuf":
            raise TypeError
    except (TypeError, ValueError):
        raise TypeError(f"{name}={values!r}: must be a list or array of numbers") from None
    if array.ndim != 1 or not array.size:
        raise ValueError(f"{name}={values!r}: must be a one-dimensional list or array, not empty")
    if size is not None and len(array) != size:
        raise ValueError(f"{name} has {len(array)} entries: must have {size}")
    low, high = -math.inf if least is None else least, math.inf if most is None else most
    wrong = ~(np.isfinite(array) & (array >= low) & (array <= high))
    if wrong.any():
        place = int(np.argmax(wrong))
        raise ValueError(f"{name}[{place}]={array[place]}: must be a finite number from {low} to {high}")
    return array


def table(name, rows, shape=None, least=None, most=None):
    """Return the rows as a contiguous float table.

    Parameters
    ----------
    name : str
        Name of the argument, for the message.
    rows : array_like
        Two-dimensional, not empty, finite numbers.
    shape : pair of int or None, optional
        Rows and columns that are asked for; None is any number.
    least, most : float, optional
        Inclusive limits of every entry.

    Returns
    -------
    ndarray
        The values, copied.
    """
    try:
        array = np.array(rows, dtype=float, order="C")
        if np.asarray(rows).dtype.kind not in "iuf":
            raise TypeError
    except (TypeError, ValueError):
        raise TypeError(f"{name}={rows!r}: must be a table of numbers, with rows of equal length") from None
    if array.ndim != 2 or not array.size:
        raise ValueError(f"{name} has shape {array.shape}: must be a table with rows and columns, not empty")
    if shape is not None and any(n is not None and n != k for n, k in zip(shape, array.shape, strict=True)):
        allowed = " x ".join("any" if n is None else str(n) for n in shape)
        raise ValueError(f"{name} has shape {array.shape}: must be {allowed}")
    low, high = -math.inf if least is None else least, math.inf if most is None else most
    wrong = ~(np.isfinite(array) & (array >= low) & (array <= high))
    if wrong.any():
        i, j = map(int, np.argwhere(wrong)[0])
        raise ValueError(f"{name}[{i}][{j}]={array[i, j]}: must be a finite number from {low} to {high}")
    return array


def probabilities(name, values):
    """Return the values as a float array of numbers in [0, 1].

    Parameters
    ----------
    name : str
        Name of the argument, for the message.
    values : array_like
        One-dimensional, not empty.

    Returns
    -------
    ndarray
        The values, copied.
    """
    return vector(name, values, least=0.0, most=1.0)


def choice(name, value, options):
    """Return the value if it is one of the options.

    Parameters
    ----------
    name : str
        Name of the argument, for the message.
    value : str
        What was given.
    options : sequence of str
        What is allowed.

    Returns
    -------
    str
        The value.

    Raises
    ------
    ValueError
        If it is none of the options.
    """
    if not isinstance(value, str) or value not in options:
        raise ValueError(f"{name}={value!r}: must be one of {', '.join(map(repr, options))}")
    return value
