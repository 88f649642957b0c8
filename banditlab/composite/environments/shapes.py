"""How the reward of one pull spreads over time: each shape is given to `stochastic`."""

import math
from typing import NamedTuple

import numpy as np

from ...validate import number, vector, whole
from ..arguments import LONGEST

__all__ = ["Shape", "decreasing", "discounted", "increasing", "interval", "polynomial", "random_delay", "shape"]

ARRAY, RANDOM, INTERVAL, DECREASING, INCREASING, DISCOUNTED, POLYNOMIAL = range(7)  # kinds
ACCURACY = 5e-6  # relative error of the parts of a power law
REACH = math.log(1e7)  # logarithm of the largest delay for which a power law keeps its accuracy


class Shape(NamedTuple):
    """Where the reward of one pull goes: what the functions of this module return.

    Numbers, not types, say which shape it is, so that another shape never compiles. Of every reward the weights are
    booked into a ring at their delays; what is read from the ring is summed up twice, with `inner` and `outer` as the
    share that is carried on: 0 and 0 for weights as they are, 0 and 1 for weights that are constant in pieces (booked
    are their steps), 1 and 1 for linear pieces (booked are their kinks), gamma and 0 for the discounted shape.
    """

    booked: np.ndarray  # (2, n) delays and weights
    tails: np.ndarray  # (2, m) of a power law: decay per round and weight of each exponential
    inner: float  # share that the inner sum carries on
    outer: float  # share that the outer sum carries on
    scale: float  # of the outer sum
    spread: int  # number of rounds over which the whole is shifted at random
    mass: float  # sum of all weights
    kind: int
    first: float  # parameters, as given
    second: float


def random_delay(lo, hi):
    """The whole reward after a delay drawn uniformly, both ends included.

    Parameters
    ----------
    lo, hi : int, 0 <= lo <= hi, shortest and longest delay in rounds; a delay of 0 shows in its own round

    References
    ----------
    Wang, Wang, Huang, Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, AAAI 2021,
    Section 4.1 (delayed reward).
    """
    lo = whole("lo", lo, 0, LONGEST)
    hi = whole("hi", hi, lo, LONGEST)
    return made([lo], [1.0], spread=hi - lo + 1, kind=RANDOM, first=lo, second=hi)


def interval(lo, hi):
    """Equal parts at the delays lo, ..., hi - 1.

    Parameters
    ----------
    lo, hi : int, 0 <= lo < hi, first delay and the one after the last, in rounds

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Section 4.1 (bounded interval).
    """
    lo = whole("lo", lo, 0, LONGEST)
    hi = whole("hi", hi, lo + 1, LONGEST)
    return made([lo, hi], [1.0, -1.0], outer=1.0, scale=1 / (hi - lo), kind=INTERVAL, first=lo, second=hi)


def decreasing(d):
    """Parts that fall linearly over the delays 1, ..., d.

    Parameters
    ----------
    d : int >= 1, longest delay in rounds

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Section 4.1.
    """
    d = whole("d", d, 1, LONGEST)
    return made([1, 2, d + 2], [d, -d - 1, 1], 1.0, 1.0, 2 / (d * (d + 1)), kind=DECREASING, first=d)


def increasing(d):
    """Parts that grow linearly over the delays 1, ..., d.

    Parameters
    ----------
    d : int >= 1, longest delay in rounds

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Section 4.1.
    """
    d = whole("d", d, 1, LONGEST)
    return made([1, d + 1, d + 2], [1, -d - 1, d], 1.0, 1.0, 2 / (d * (d + 1)), kind=INCREASING, first=d)


def discounted(gamma):
    r"""Parts :math:`(1-\gamma)\gamma^{\tau-1}` at all delays :math:`\tau\ge1`, without an end.

    Parameters
    ----------
    gamma : float in (0, 1), share that is left from round to round

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Section 4.1.
    """
    gamma = number("gamma", gamma, above=0, below=1)
    return made([1], [1.0 - gamma], inner=gamma, kind=DISCOUNTED, first=gamma)


def polynomial(gamma, window=None):
    r"""Parts proportional to :math:`\tau^{-\gamma}` at all delays :math:`\tau\ge1`, without an end.

    A power is an integral of exponentials; the trapezoid rule with about 55 nodes gives every part up to a delay of ten
    million rounds to a relative error below 1e-5. Each node is one decaying number of the world.

    Parameters
    ----------
    gamma : float in (1, 20], exponent; with 2 or less the mean delay is infinite
    window : int, optional
        Reading: cut after this many rounds, the parts rescaled to sum 1 (another law, with a finite mean delay).

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Section 4.1.
    """
    from scipy.special import zeta  # slow to import

    gamma = number("gamma", gamma, above=1, most=20)
    if window is not None:
        weights = np.arange(1.0, 1.0 + whole("window", window, 1, LONGEST)) ** -gamma
        return shape(np.concatenate([[0.0], weights / weights.sum()]))
    low, distance = -REACH - 14.0 / gamma, node_distance(gamma)
    count = 4 * math.ceil((4.5 - low) / (4 * distance))  # the world adds them up four at a time
    u = low + distance * np.arange(count)
    rates = np.exp(u)
    weights = distance * np.exp(gamma * u - rates) / (math.gamma(gamma) * zeta(gamma))
    return made([], [], tails=[np.exp(-rates), weights], kind=POLYNOMIAL, first=gamma)


def node_distance(gamma):
    """The distance h of nodes at which the rule's error, 2 |Gamma(gamma + 2 pi i / h)| / Gamma(gamma), is small."""
    from scipy.special import loggamma

    distance = 0.5
    while 2.0 * math.exp(loggamma(gamma + 2j * math.pi / distance).real - math.lgamma(gamma)) > ACCURACY:
        distance *= 0.9
    return distance


def shape(weights):
    """A shape of one's own: the parts at the delays 0, 1, 2, ...

    Parameters
    ----------
    weights : array_like, shape (delays,)
        Parts of the reward, at least 0, with a sum of at most 1; what is missing to 1 is lost. The first one shows in
        the round of the pull.

    Examples
    --------
    >>> shape([0.0, 0.5, 0.25]).mass
    0.75
    """
    weights = vector("weights", weights, least=0)
    if weights.sum() > 1.0 + 1e-9:
        raise ValueError(f"weights sum to {weights.sum()}: must sum to at most 1")
    if not weights.any():
        raise ValueError("weights: must not all be 0")
    if len(weights) > LONGEST:
        raise ValueError(f"weights has {len(weights)} entries: must have at most {LONGEST}")
    delays = np.flatnonzero(weights)
    return made(delays, weights[delays], mass=math.fsum(weights))


def made(delays, weights, inner=0.0, outer=0.0, scale=1.0, tails=((), ()), **rest):
    """A shape with plain types."""
    booked, tails = np.array([delays, weights], float), np.array(tails, float)
    known = dict(spread=1, mass=1.0, kind=ARRAY, first=0.0, second=0.0) | rest
    known |= {key: float(known[key]) for key in ("mass", "first", "second")}
    return Shape(booked, tails, float(inner), float(outer), float(scale), **known)


def checked(shape):
    """Refuse what is not a shape."""
    if not isinstance(shape, Shape):
        raise TypeError(f"shape={shape!r}: must be made by random_delay, interval, decreasing, increasing, discounted, "
                        "polynomial, or shape")  # fmt: skip
    return shape


def weights_of(shape, horizon=None):
    """The weights at the delays 0, 1, ..., as an array; of the shapes without end up to the horizon."""
    if shape.kind in (DISCOUNTED, POLYNOMIAL) and horizon is None:
        raise ValueError("horizon=None: must be given for a shape without an end")
    if shape.kind == RANDOM:
        return np.repeat([0.0, 1.0 / shape.spread], [int(shape.first), shape.spread])
    if shape.kind == DISCOUNTED:
        return np.concatenate([[0.0], (1.0 - shape.first) * shape.first ** np.arange(horizon)])
    if shape.kind == POLYNOMIAL:
        from scipy.special import zeta

        return np.concatenate([[0.0], np.arange(1.0, horizon + 1) ** -shape.first / zeta(shape.first)])
    longest = int(shape.booked[0].max())
    weights = np.zeros(longest + 1)
    np.add.at(weights, shape.booked[0].astype(int), shape.booked[1])
    for _ in range(int(shape.inner + shape.outer)):
        weights = np.cumsum(weights)
    return shape.scale * weights[: longest + (shape.kind == ARRAY)]
