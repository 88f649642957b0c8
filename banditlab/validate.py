"""Checks that every factory shares; their errors name the argument, its value and what is allowed.

Every factory, bound and experiment of the package raises a TypeError where an argument is of the wrong kind, and a
ValueError where its value is not as its docstring describes it; docstrings do not repeat that. Nothing is clipped.
"""

import math
import numbers

import numpy as np

LARGEST = 2**62  # of what goes into 64 bits and has room to grow
WORD = 2**64 - 1
BYTES = 2**31  # that one thing may take: what asks for more is refused before it is made


def shown(value):
    """Return a value as it stands in a message: short, and whatever its class does.

    Parameters
    ----------
    value : object
        Anything.

    Returns
    -------
    str
        At most about 200 characters.
    """
    try:
        text = " ".join(repr(value).split())
    except Exception:  # an int of more digits than Python prints, an object that cannot describe itself
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 200 else f"{text[:150]} ... {text[-30:]}"


def percent(share):
    """A share in percent, with as many digits as it has: 95%, 99.5%."""
    return f"{100 * share:.9g}%"


def is_real(value):
    """Whether a value is one real number; a bool or a span of time is none."""
    if type(value) in (float, int):  # as mostly: an abstract class takes three times as long to ask
        return True
    return isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_, np.timedelta64))


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
    """
    if not is_real(value):
        raise TypeError(f"{name}={shown(value)}: must be a number")
    try:
        found = float(value)
    except OverflowError:
        found = math.inf
    low = (above is None or value > above) and (least is None or value >= least)
    high = (most is None or value <= most) and (below is None or value < below)
    if not (low and high and math.isfinite(found)):
        limits = (("greater than", above), ("at least", least), ("at most", most), ("less than", below))
        allowed = " and ".join(f"{words} {limit}" for words, limit in limits if limit is not None)
        raise ValueError(f"{name}={shown(value)}: must be finite" + (f" and {allowed}" if allowed else ""))
    return found


def whole(name, value, least=None, most=WORD):
    """Return the value as an int.

    Parameters
    ----------
    name : str
        Name of the argument, for the message.
    value : int
        A whole number; a float without a fraction will do.
    least, most : int, optional
        Inclusive limits; the upper one is that of 64 bits by default, None is none.

    Returns
    -------
    int
        The value.
    """
    whole_kind = type(value) is int or isinstance(value, numbers.Integral)
    if not is_real(value) or not (whole_kind or (math.isfinite(value) and value == math.floor(value))):
        limit = "" if least is None else f", at least {least}"
        raise TypeError(f"{name}={shown(value)}: must be a whole number{limit}")
    if (least is not None and value < least) or (most is not None and value > most):
        most = None if most == WORD >= value else most  # that of a word goes without saying
        must = " and ".join(f"at {word} {end}" for word, end in (("least", least), ("most", most)) if end is not None)
        raise ValueError(f"{name}={shown(value)}: must be {must}")
    return int(value)


def how_many(name, value, each=8, least=1, most=WORD):
    """Return how many things are to be kept in memory, as an int.

    Parameters
    ----------
    name : str
        Name of the argument, for the message.
    value : int
        How many.
    each : int
        Bytes that one of them takes.
    least, most : int
        Inclusive limits.

    Returns
    -------
    int
        The value; more than 2 GiB are refused.
    """
    found = whole(name, value, least, most)
    refuse_too_large(f"{name}={found}", found * each)
    return found


def refuse_too_large(what, needed):
    """Refuse what would take more than 2 GiB.

    Parameters
    ----------
    what : str
        Argument and value, for the message.
    needed : int
        Bytes.
    """
    if needed > BYTES:
        raise ValueError(f"{what}: would take {needed:,} bytes, must be at most {BYTES:,}")


def count_dimensions(values):
    """How many dimensions an array or a nested list has, 0 for a number, -1 for what is no array."""
    try:
        return np.ndim(values)
    except Exception:  # ragged, or it does not keep its word
        return -1


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
        raise TypeError(f"{name}={shown(value)}: must be True or False")
    return bool(value)


def listed(name, values, what="a list, not empty", least=1):
    """Return the entries of something ordered, one after the other.

    Parameters
    ----------
    name : str
        Name of the argument, for the message.
    values : sequence
        A list, tuple, array, range or the like; a string, a set, a dict or an iterator is none.
    what : str
        What it must be, for the message.
    least : int
        Number of entries that it must have.

    Returns
    -------
    list
        Its entries.
    """
    unordered = str, bytes, bytearray, memoryview, set, frozenset, dict, type, np.void, np.generic
    try:
        if isinstance(values, unordered) or has_masked(values):
            raise TypeError
        found = [values[i] for i in range(len(values))] if isinstance(values, np.ndarray) else list(values[:])
    except Exception:  # no length, a 0-dimensional array, an object that does not keep its word
        raise TypeError(f"{name}={shown(values)}: must be {what}") from None
    if len(found) < least:
        raise ValueError(f"{name}={shown(values)}: must be {what}")
    return found


def horizons(name, value, least=1, most=WORD):
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
        Of the shape of the value: `unwrap_scalar` makes a float of what was computed from a single one.
    """
    if is_real(value):
        return np.array(float(whole(name, value, least, most)))
    array_of(name, value, "whole numbers")
    if not (rounds := [whole(name, T, least, most) for T in np.ravel(value).tolist()]):
        raise ValueError(f"{name}={shown(value)}: must hold at least one whole number")
    return np.reshape(np.array(rounds, float), np.shape(value))


def unwrap_scalar(value):
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


def has_masked(values):
    """Whether an array has entries that a mask hides."""
    return isinstance(values, np.ma.MaskedArray) and bool(np.ma.getmaskarray(values).any())


def array_of(name, values, what):
    """Numbers as a contiguous float array of any shape, copied."""
    try:
        if isinstance(values, (str, bytes, bytearray, memoryview)) or has_masked(values):
            raise TypeError
        array = np.array(values, dtype=float, order="C")
        if np.asarray(values).dtype.kind not in "iuf":
            raise TypeError
    except Exception:  # numpy asks the values themselves, which may answer with anything
        raise TypeError(f"{name}={shown(values)}: must be {what}") from None
    return array


def check_entries(name, array, least, most):
    """Refuse an array with an entry that is not finite or outside inclusive limits; the first one is named."""
    low, high = -math.inf if least is None else least, math.inf if most is None else most
    wrong = ~(np.isfinite(array) & (array >= low) & (array <= high))
    if wrong.any():
        place = tuple(map(int, np.argwhere(wrong)[0]))
        entry = "".join(f"[{i}]" for i in place)
        raise ValueError(f"{name}{entry}={array[place]}: must be a finite number from {low} to {high}")
    return array


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
    """
    return check_entries(name, one_row(name, values, size), least, most)


def one_row(name, values, size, each=""):
    """The values as a one-dimensional float array, not empty, nan allowed; `each` tells what an entry belongs to."""
    array = array_of(name, values, f"a list or array of numbers{each}")
    if array.ndim != 1 or not array.size:
        raise ValueError(f"{name}={shown(values)}: must be a one-dimensional list or array, not empty")
    if size is not None and len(array) != size:
        raise ValueError(f"{name} has {len(array)} entries: must have {size}{each}")
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
    array = array_of(name, rows, "a table of numbers, with rows of equal length")
    if array.ndim != 2 or not array.size:
        raise ValueError(f"{name} has shape {array.shape}: must be a table with rows and columns, not empty")
    if shape is not None and any(n is not None and n != k for n, k in zip(shape, array.shape, strict=True)):
        allowed = " x ".join("any" if n is None else str(n) for n in shape)
        raise ValueError(f"{name} has shape {array.shape}: must be {allowed}")
    return check_entries(name, array, least, most)


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
    """
    if not isinstance(value, str) or value not in options:
        raise ValueError(
            f"{name}={shown(value)}: must be one of {', '.join(map(repr, options)) or 'those there are: none'}"
        )
    return str(value)


def refuse_unknown(given, allowed):
    """Refuse keyword arguments that mean nothing.

    Parameters
    ----------
    given : dict
        What was given, by name.
    allowed : sequence of str
        The names that there are.
    """
    for name in given:
        choice("option", name, allowed)
