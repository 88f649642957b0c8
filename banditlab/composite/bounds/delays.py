"""What is late under a shape: its moments, and the constants d1 and d2 of Theorem 1."""

import functools
import math
from typing import NamedTuple

import numpy as np

from ...validate import how_many, probabilities
from ..environments import shapes

__all__ = ["d1", "d2", "delay_moments", "triangle"]

TERMS = 100_000  # of the series of a power law that are added up; the rest is its leading term


class Moments(NamedTuple):
    """What ODAAF is told of a shape."""

    mean: float  # of the delay, weighted by the shape
    variance: float
    longest: float  # infinite for a shape without an end


def delay_moments(shape):
    """Mean and variance of the delay when the shape is read as a law, and the longest delay.

    In rounds; infinite where they are.

    Parameters
    ----------
    shape : Shape, how a reward spreads over time

    References
    ----------
    Wang, Wang, Huang, Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, AAAI 2021,
    Section 4.1 (the shapes).

    Examples
    --------
    >>> from banditlab.composite import random_delay
    >>> delay_moments(random_delay(10, 30)).longest
    30.0
    """
    kind, first, second = shapes.checked(shape).kind, shape.first, shape.second
    if kind in (shapes.RANDOM, shapes.INTERVAL):  # uniform from the first to the last
        last = second if kind == shapes.RANDOM else second - 1.0
        return Moments((first + last) / 2.0, ((last - first + 1.0) ** 2 - 1.0) / 12.0, last)
    if kind in (shapes.DECREASING, shapes.INCREASING):
        mean = (first + 2.0) / 3.0 if kind == shapes.DECREASING else (2.0 * first + 1.0) / 3.0
        return Moments(mean, (first + 2.0) * (first - 1.0) / 18.0, first)
    if kind == shapes.DISCOUNTED:
        return Moments(1.0 / (1.0 - first), first / (1.0 - first) ** 2, math.inf)
    if kind == shapes.POLYNOMIAL:
        from scipy.special import zeta

        mean = float(zeta(first - 1.0) / zeta(first)) if first > 2.0 else math.inf
        return Moments(mean, float(zeta(first - 2.0) / zeta(first)) - mean**2 if first > 3.0 else math.inf, math.inf)
    weights = shapes.weights_of(shape) / shape.mass
    delays = np.arange(len(weights))
    mean = float((delays * weights).sum())
    return Moments(mean, float(((delays - mean) ** 2 * weights).sum()), float(delays[-1]))


def d1(means, shape):
    r"""Bounds the mean of what is late, :math:`d_1=\sum_{d'}\max_i\mathbb E[\sum_{\tau\ge d'}r_{i,\tau}]`.

    With one shape it is the largest mean times the mean delay; infinite for a power law of exponent 2 or less.

    Parameters
    ----------
    means : array_like, shape (arms,), in [0, 1], expected total reward of a pull
    shape : Shape or sequence of Shape
        How a reward spreads over time; where arms have shapes of their own, a power law must be cut by its window.

    References
    ----------
    Wang, Wang, Huang, Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, AAAI 2021,
    Theorem 1.

    Examples
    --------
    >>> from banditlab.composite import decreasing
    >>> d1([0.5, 0.1], decreasing(100))
    17.0
    """
    means = probabilities("means", means)
    if not isinstance(shape, shapes.Shape):
        return float((means[:, None] * survivals_of(means, shape)).max(axis=0).sum())
    largest, late = float(means.max()), delay_moments(shape).mean
    return largest * shape.mass * late if largest > 0.0 else 0.0


def d2(means, shape):
    r"""Bounds the variance of what is late, :math:`d_2=\sum_{d'}\max_i\mathbb V[\sum_{\tau\ge d'}r_{i,\tau}]`.

    In closed form but for a shape of one's own, for shapes per arm, and for a power law, whose series is cut after a
    hundred thousand terms and completed by an integral; infinite for a power law of exponent 3/2 or less.

    Parameters
    ----------
    means : array_like, shape (arms,), in [0, 1], expected total reward of a pull; totals are 1 or 0
    shape : Shape or sequence of Shape, as in `d1`

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Theorem 1.

    Examples
    --------
    >>> from banditlab.composite import interval
    >>> d2([0.9, 0.5, 0.1], interval(10, 20))
    3.2125
    """
    means = probabilities("means", means)
    if not isinstance(shape, shapes.Shape):
        late = means[:, None] * survivals_of(means, shape)
        # a random delay pays the whole or nothing
        at_once = np.array([one.kind == shapes.RANDOM for one in shape])[:, None]
        late = np.where(at_once, late * (1.0 - late), late * late * (1.0 / np.maximum(means, 1e-300) - 1.0)[:, None])
        return float(late.max(axis=0).sum())
    if shapes.checked(shape).kind == shapes.RANDOM:
        return random_late(means, shape.first, shape.spread)
    spread = float((means * (1.0 - means)).max())
    return spread * squared_survival(shape) if spread > 0.0 else 0.0


def survivals_of(means, each):
    """S_i(d') for d' = 1, 2, ..., the share of arm i's reward that arrives after d' rounds or later: (arms, rounds)."""
    if not isinstance(each, list | tuple) or len(each) != len(means):
        raise TypeError(f"shape={each!r}: must be a Shape, or one for each of the {len(means)} means")
    if any(shapes.checked(shape).kind == shapes.POLYNOMIAL for shape in each):
        raise ValueError("shape: among shapes per arm a power law must be cut, polynomial(gamma, window)")
    weights = [shapes.weights_of(shape, TERMS if shape.kind == shapes.DISCOUNTED else None) for shape in each]
    found = np.zeros((len(each), max(map(len, weights)) - 1))
    for row, known in zip(found, weights, strict=True):
        row[: len(known) - 1] = np.cumsum(known[:0:-1])[::-1]
    return found


def random_late(means, lo, n):
    r"""The d_2 of whole rewards whose delay has n values from lo on, :math:`\sum_{d'}\max_is_iS(d')(1-s_iS(d'))`.

    With x = s S the term x (1 - x) is largest for the best arm while S is below 1 / (s_1 + s_2), then for the second
    best while S is below 1 / (s_2 + s_3), and so on; and S runs through lo ones and through 0, 1/n, ..., (n - 1) / n.
    """
    total, done = lo * float((means * (1.0 - means)).max()), 0
    ranked = np.unique(means)[::-1]
    for mean, lower in zip(ranked, [*ranked[1:], None], strict=True):
        last = n - 1 if lower is None else min(n - 1, math.floor(n / (mean + lower)))
        if last > done:
            first_power = (last * (last + 1) - done * (done + 1)) / 2.0
            second_power = (last * (last + 1) * (2 * last + 1) - done * (done + 1) * (2 * done + 1)) / 6.0
            total += mean / n * first_power - (mean / n) ** 2 * second_power
            done = last
    return float(total)


def squared_survival(shape):
    """Sum over d' = 1, 2, ... of the square of S(d'), the share of a reward that arrives after d' rounds or later."""
    first, n = shape.first, shape.second - shape.first
    if shape.kind == shapes.INTERVAL:
        return first + (n - 1.0) * (2.0 * n - 1.0) / (6.0 * n)
    if shape.kind == shapes.DECREASING:  # S = j (j + 1) / (d (d + 1)) for j = d + 1 - d'
        return (first + 2.0) * (3.0 * first**2 + 6.0 * first + 1.0) / (15.0 * first * (first + 1.0))
    if shape.kind == shapes.INCREASING:  # S = 1 - m (m + 1) / (d (d + 1)) for m = d' - 1
        square = (first - 1.0) * (3.0 * first**2 - 2.0) / (15.0 * first * (first + 1.0))
        return first - 2.0 * (first - 1.0) / 3.0 + square
    if shape.kind == shapes.DISCOUNTED:
        return 1.0 / (1.0 - first**2)
    if shape.kind == shapes.ARRAY:
        return float((np.cumsum(shapes.weights_of(shape)[:0:-1]) ** 2).sum())
    return math.inf if first <= 1.5 else squared_power_law(first)


@functools.lru_cache(100)  # a step of any other slider asks for the same
def squared_power_law(exponent):
    """`squared_survival` of a power law: sums term by term, and then by an integral."""
    from scipy.special import zeta

    added = (zeta(exponent, np.arange(1.0, TERMS + 1.0)) / zeta(exponent)) ** 2
    return float(added.sum() + zeta(2.0 * exponent - 2.0, TERMS + 0.5) / ((exponent - 1.0) * zeta(exponent)) ** 2)


def triangle(shape, steps):
    r"""What a round leaves to later ones if every pull pays 1, and gets of earlier ones: a triangle of Figure 1.

    A round of n steps leaves S(1) + ... + S(n), S(j) the share that comes j steps after a pull or later. Of the pull j
    steps before it, it gets S(j) - S(j + n), which adds up to the same. However long the round, it is at most the mean
    delay; where that is infinite it grows without limit.

    Parameters
    ----------
    shape : Shape, how a reward spreads over time
    steps : int >= 1, length of the round

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Figure 1 and Equation (3).

    Examples
    --------
    >>> from banditlab.composite import decreasing
    >>> round(triangle(decreasing(20), 41), 3)
    7.333
    """
    steps = how_many("steps", steps, 32)
    parts, known = np.zeros(steps), shapes.weights_of(shapes.checked(shape), steps)[:steps]
    parts[: len(known)] = known
    return float((shape.mass - np.cumsum(parts)).sum())
