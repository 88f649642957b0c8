"""Theorem 2: the simple regret of z-RCUCB; the near-optimality dimension by counting cells."""

import math
from typing import NamedTuple

import numpy as np

from ...validate import LARGEST, listed, number, shown, whole
from ..curves import Curve

__all__ = ["NearOptimality", "cells_near", "near_optimality", "secant_slope", "stoo", "supremum", "theorem2"]

POINTS = 20_001  # at which gains are evaluated; between them they are taken as linear
SHARE = 1 / 3  # eta: length of a cell that counts, over the distance from the best gain


class NearOptimality(NamedTuple):
    """Fewer than C ε^-d disjoint cells of length at least ε / 3 have a right end that loses at most ε."""

    dimension: float  # d
    constant: float  # C


def gains_on(environment):
    """The points of the interval and the gains there, (arms, points)."""
    if not callable(getattr(environment, "gain", None)):
        raise TypeError(f"environment={shown(environment)}: must be an Interval")
    points = np.linspace(0.0, environment.largest, POINTS)[1:]
    alike = {}  # arms of equal gains are evaluated once
    for arm in range(environment.arms):
        key = tuple(environment.gain(arm, float(x)) for x in points[:: POINTS // 7])
        alike.setdefault(key, []).append(arm)
    table = np.empty((environment.arms, len(points)))
    for arms in alike.values():
        table[arms] = [environment.gain(arms[0], float(x)) for x in points]
    return points, table


def cells_near(environment, epsilon):
    r"""Largest number of disjoint cells of length at least ε/3 whose right end loses at most ε (Definition 3).

    The paper prints "at most ηε", under which the number is infinite.

    Parameters
    ----------
    environment : Interval
    epsilon : float > 0

    Examples
    --------
    >>> from banditlab.censored import indep_interval
    >>> cells_near(indep_interval(1), 0.01)
    47
    """
    return packed(*gains_on(environment), environment.best, number("epsilon", epsilon, above=0))


def packed(points, table, best, epsilon):
    """The number of cells, arm by arm, taking the leftmost right end that is allowed each time."""
    return sum(sum(taken) for taken in (packed_row(points, row - best + epsilon, SHARE * epsilon) for row in table))


def packed_row(points, above, length):
    """How many right ends fit into each stretch where a row of numbers is not negative."""
    last, taken = 0.0, []
    for low, high in stretches(points, above):
        first = max(low, last + length)
        if first <= high:
            taken.append(1 + math.floor((high - first) / length + 1e-9))
            last = first + (taken[-1] - 1) * length
    return taken


def stretches(points, values):
    """Intervals where a function that is linear between its points is not negative."""
    inside = values >= 0
    ups = np.flatnonzero(~inside[:-1] & inside[1:])
    downs = np.flatnonzero(inside[:-1] & ~inside[1:])

    def roots(k):
        return points[k] - values[k] * (points[k + 1] - points[k]) / (values[k + 1] - values[k])

    lows, highs = list(roots(ups)), list(roots(downs))
    lows = [points[0], *lows] if inside[0] else lows
    return list(zip(lows, [*highs, points[-1]] if inside[-1] else highs, strict=True))


def near_optimality(environment, least=1e-5):
    r"""The 1/3-near-optimality dimension and constant of an instance, by counting cells.

    The dimension is the growth of the count where ε is smallest, :math:`\log_4 (N_\varepsilon/N_{4\varepsilon})`; a
    smooth optimum has 1/2, a kink at which gains fall linearly 0. The constant is the smallest that works for all of
    40 values of ε from `least` to the largest loss.

    Parameters
    ----------
    environment : Interval
    least : float > 0, smallest ε

    Examples
    --------
    >>> from banditlab.censored import indep_interval
    >>> near = near_optimality(indep_interval())
    >>> round(near.dimension, 2), 10 < near.constant < 20
    (0.5, True)
    """
    points, table = gains_on(environment)
    least, best = number("least", least, above=0), environment.best
    epsilons = np.geomspace(least, max(float(best - table.min()), 8 * least), 40)
    fine, coarse = (packed(points, table, best, epsilon) for epsilon in (least, 4 * least))
    dimension = max(0.0, math.log(fine / coarse, 4))
    counts = np.array([packed(points, table, best, epsilon) for epsilon in epsilons])
    return NearOptimality(dimension, float((counts * epsilons**dimension).max()))


def secant_slope(environment):
    r"""How fast the best arm's gain falls away from its best limit: the largest :math:`(\nu^*-\nu_\tau)/|\tau^*-\tau|`.

    Theorem 2 assumes that it is at most 1.

    Parameters
    ----------
    environment : Interval

    Examples
    --------
    >>> from banditlab.censored import indep_interval
    >>> secant_slope(indep_interval()) < 1
    True
    """
    points, table = gains_on(environment)
    arm, place = np.unravel_index(table.argmax(), table.shape)
    away = np.delete(np.arange(len(points)), place)
    return float(np.max((environment.best - table[arm, away]) / np.abs(points[away] - points[place])))


def supremum(penalty, arms, horizon, alpha, parts, delta):
    r"""The numbers :math:`H_T` of z-RCUCB and :math:`\tilde H_T\ge H_T` of StoOO in Theorem 2, for limits in (0, 1].

    A curve is continuous and never falls, so that the supremum over the points of all levels is that over the values y
    that it takes, :math:`(1+y)^2-(1+c_Ty)^2/m^2`: a parent's end comes down to the point as cells get finer. It is at
    the largest value, or where the derivative vanishes, at :math:`(1-c_T/m^2)/(c_T^2/m^2-1)` for :math:`c_T>m`.

    Parameters
    ----------
    penalty : Curve, of a limit
    arms, horizon : int >= 1
    alpha : float > 1
    parts : int >= 2, into how many cells one is split
    delta : float in (0, 1)

    Returns
    -------
    H, H_tilde : float

    Examples
    --------
    >>> from banditlab.censored import power
    >>> tuple(round(one, 2) for one in supremum(power(10.0, 2.0), 3, 1000, 1.1, 2, 0.1))
    (2.23, 121.0)
    """
    alpha, delta = number("alpha", alpha, above=1), number("delta", delta, above=0, below=1)
    n, T, m = whole("arms", arms, 1, LARGEST), whole("horizon", horizon, 1, LARGEST), whole("parts", parts, 2)
    if not isinstance(penalty, Curve):
        raise TypeError(f"penalty={penalty!r}: must be a Curve")
    low, high = float(penalty.at(0.0)), float(penalty.at(1.0))
    c = (1 + high) * math.sqrt(2 * alpha * math.log(n * T**2 / delta) / T)
    peak = (1 - c / m**2) / (c**2 / m**2 - 1) if c > m else high
    y = min(max(low, peak), high)
    return (1 + y) ** 2 - (1 + c * y) ** 2 / m**2, (1 + high) ** 2


def theorem2(penalty, arms, horizon, alpha, parts, delta, near):
    """Bound on the simple regret of z-RCUCB for limits in (0, 1], with probability 1 - delta (Theorem 2).

    It needs gains that fall by at most the distance from the best limit: see `secant_slope`; a jump of the penalty
    violates that.

    Parameters
    ----------
    penalty : Curve, of a limit
    arms, horizon : int >= 1
    alpha : float > 1
    parts : int >= 2, into how many cells one is split
    delta : float in (0, 1)
    near : NearOptimality, or a pair of dimension >= 0 and constant > 0
    """
    return loss(supremum(penalty, arms, horizon, alpha, parts, delta)[0], penalty, horizon, alpha, parts, delta, near)


def stoo(penalty, arms, horizon, alpha, parts, delta, near):
    """The same bound for StoOO on the pairs, after Theorem 2: nothing is subtracted in the supremum, so it is larger.

    Parameters
    ----------
    penalty, arms, horizon, alpha, parts, delta, near
        As in `theorem2`.
    """
    return loss(supremum(penalty, arms, horizon, alpha, parts, delta)[1], penalty, horizon, alpha, parts, delta, near)


def loss(H, penalty, horizon, alpha, m, delta, near):
    """The bound of Theorem 2 for this supremum."""
    near = listed("near", near, "a NearOptimality, or a pair of dimension and constant")
    if len(near) != 2:
        raise ValueError(f"near={near}: must be a pair of dimension and constant")
    dimension, constant = near
    d, C = number("near.dimension", dimension, least=0), number("near.constant", constant, above=0)
    front = 4 * alpha * C * m**2 * (H + (1 + penalty.at(1.0)) ** 2) / (3**d * (1 - m ** -(d + 2)))
    return float((front * math.log(horizon**2 / delta) / horizon) ** (1 / (d + 2)))
