"""Checks of what only this paper's factories take: round sizes, the guess h, and sequences of rewards."""

import math

import numpy as np

from ..validate import check_entries, count_dimensions, has_masked, number, shown, whole

MOST_ARMS = 10**7
LONGEST = 1_000_000  # delay that a ring of pending rewards holds, and guess of one
GROWTHS = {"1": (1.0, 0.0, 1.0, 1), "k": (1.0, 1.0, 1.0, 1), "k2": (1.0, 2.0, 1.0, 1), "k3": (1.0, 3.0, 1.0, 1),
           "2k": (1.0, 0.0, 2.0, 4)}  # fmt: skip


def round_sizes(growth):
    """Factor, exponent, base and first size of a growth function f."""
    if isinstance(growth, str) and growth in GROWTHS:
        return GROWTHS[growth]
    if not isinstance(growth, tuple | list) or len(growth) != 2:
        known = ", ".join(map(repr, GROWTHS))
        raise ValueError(f"growth={growth!r}: must be one of {known}, or a pair (c, b) or ('2k', c)")
    if growth[0] == "2k":
        shift = whole("growth[1]", growth[1], 0, 40)
        return 2.0**shift, 0.0, 2.0, 4 << shift
    factor = number("growth[0]", growth[0], least=1, most=1e6)
    exponent = number("growth[1]", growth[1], above=0, most=10)
    first = math.ceil(factor - 1e-9)
    if math.ceil(factor * 100.0**exponent - 1e-9) <= first:
        raise ValueError(f"growth={growth!r}: does not grow; the hundredth round must be longer than the first")
    return factor, exponent, 1.0, first


def guess_of(h):
    """The function h of a power p, or the function itself."""
    if callable(h) and not isinstance(h, type):
        return h
    power = number("h", h, above=0, below=1)
    return lambda horizon: max(1, math.ceil(math.pow(float(horizon), power) - 1e-9))  # perfect powers stay exact


def guesses(h, ends):
    """The guess h of the longest delay at the end of every phase."""
    function, found = guess_of(h), []
    for end in ends:
        value = whole(f"h({end})", function(end), 1)
        if value >= end:
            raise ValueError(f"h({end})={value}: must be less than {end}")
        if found and value < found[-1]:
            raise ValueError(f"h({end})={value}: must not fall, and h({end // 2})={found[-1]}")
        if value > LONGEST:
            raise ValueError(f"h({end})={value}: must be at most {LONGEST}; a smaller horizon, or first, needs less")
        found.append(value)
    return np.array(found, np.int64)


def plain(sequence):
    """The sequence as a non-empty array of finite numbers with one to three dimensions."""
    if count_dimensions(sequence) < 0:
        raise ValueError("sequence: is ragged; every round must have a reward for every arm")
    if isinstance(sequence, (bytearray, memoryview)) or has_masked(sequence):
        raise TypeError(f"sequence={shown(sequence)}: must hold numbers, none of them masked")
    array = np.asarray(sequence)
    if array.size == 0 or array.ndim not in (1, 2, 3):
        raise ValueError(f"sequence has shape {array.shape}: must be (rounds,), (rounds, arms) or (rounds, arms, d), "
                         "not empty")  # fmt: skip
    if array.dtype.kind not in "iuf":
        raise TypeError(f"sequence holds {array.dtype}: must hold numbers")
    return check_entries("sequence", array, None, None)


def labels(array, arms):
    """The arm that pays in each round."""
    if array.dtype.kind == "f" and not (array == np.floor(array)).all():
        raise TypeError("sequence: must hold whole numbers, the arm that pays in each round")
    last = MOST_ARMS - 1 if arms is None else whole("arms", arms, 1, MOST_ARMS) - 1
    return check_entries("sequence", array, 0, last).astype(np.int32)


def rewards(array, arms):
    """Every arm's reward in each round, or the parts of it."""
    if arms is not None and whole("arms", arms, 1, MOST_ARMS) != array.shape[1]:
        raise ValueError(f"arms={arms}: sequence has rewards of {array.shape[1]} arms")
    check_entries("sequence", array, 0, 1)
    if array.ndim == 3 and (most := array.sum(axis=2).max()) > 1.0 + 1e-9:
        raise ValueError(f"sequence: the parts of a reward sum to {most}, must sum to at most 1")
    return np.array(array, float, order="C")
