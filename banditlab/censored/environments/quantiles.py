"""Quantile functions as tables: a fixed number of uniforms becomes a draw of any law, for every arm alike.

The table holds, for logit p on a grid of step 1/64, the logit of the quantile (of a law on [0, 1]) and its slope. In
these coordinates the functions are smooth and almost straight at both ends, whatever the poles of the density, so
that a cubic between two nodes is within 1e-9 of the truth: no experiment can tell the draws from exact ones.
"""

import functools
import math

import numpy as np

from ...engine.methods import helper

SPAN = 38.0  # logit p of the ends; a uniform of 53 bits has logit within 37.5
STEPS = 64.0  # nodes per unit
TINY = 2.0**-54  # in place of a uniform that is 0
NODES = np.linspace(-SPAN, SPAN, int(2 * SPAN * STEPS) + 1)
POINTS, WEIGHTS = np.polynomial.legendre.leggauss(8)


@helper
def look_up(table, row, p):
    """The row's function at logit p."""
    place = (math.log((p + TINY) / (1.0 - p)) + SPAN) * STEPS
    return cubic(table, row, int(place), place - int(place))


@helper
def cubic(table, row, k, s):
    """The cubic that has the values and slopes of node k and the next one, a share s of the way between them."""
    rest = 1.0 - s
    left = table[row, k, 0] * (1.0 + 2.0 * s) + table[row, k, 1] * s
    right = table[row, k + 1, 0] * (1.0 + 2.0 * rest) - table[row, k + 1, 1] * rest
    return rest * rest * left + s * s * right


@helper
def quantile(table, row, p):
    """The quantile of a law on [0, 1]."""
    return 1.0 / (1.0 + math.exp(-look_up(table, row, p)))


def rows(values, slopes):
    """Nodes of a table: values, and slopes per step."""
    return np.stack([values, slopes / STEPS], axis=-1)


def normal():
    """Nodes of the standard normal quantile, itself and not its logit."""
    from scipy.special import expit, log_expit, ndtri

    x = np.where(NODES < 0, ndtri(expit(NODES)), -ndtri(expit(-NODES)))
    logarithm = log_expit(NODES) + log_expit(-NODES)  # of p (1 - p), the slope of p
    return rows(x, np.exp(logarithm + 0.5 * x * x) * math.sqrt(2 * math.pi))


@functools.lru_cache(maxsize=256)
def beta(a, b):
    """Nodes of a Beta(a, b) law; who asks gets the same array again."""
    from scipy.special import betaincinv, betaln, expit, log_expit

    with np.errstate(under="ignore"):
        low, high = betaincinv(a, b, expit(NODES)), betaincinv(b, a, expit(-NODES))
    start = (NODES + math.log(a) + betaln(a, b)) / a  # where the quantile itself is below the smallest number
    end = (NODES - math.log(b) - betaln(a, b)) / b
    with np.errstate(divide="ignore"):
        left = np.where(low > 1e-290, np.log(low), start)
        right = np.where(high > 1e-290, np.log(high), -end)
    lower = low < 0.5
    left = np.where(lower, left, np.log1p(-np.where(lower, 0.0, high)))
    right = np.where(lower, np.log1p(-np.where(lower, low, 0.0)), right)
    slope = log_expit(NODES) + log_expit(-NODES) + betaln(a, b) - a * left - b * right
    return rows(left - right, np.exp(slope))


def density(function):
    """Nodes of the law on [0, 1] whose density is proportional to the function of an array."""
    from scipy.special import expit

    edges = np.linspace(-60.0, 60.0, 1921)

    def along(w):
        """The function on the logit axis."""
        u = expit(w)
        return function(u) * u * expit(-w)

    def mass(low, high):
        """Integral over stretches of the logit axis."""
        middle, half = 0.5 * (low + high), 0.5 * (high - low)
        return half * (along(middle[:, None] + half[:, None] * POINTS) @ WEIGHTS)

    cells = mass(edges[:-1], edges[1:])
    below = np.concatenate([[0.0], np.cumsum(cells)])
    above = np.concatenate([np.cumsum(cells[::-1])[::-1], [0.0]])
    with np.errstate(divide="ignore"):
        z = np.log(below) - np.log(above)
    inside = np.isfinite(z)
    w = np.interp(NODES, z[inside], edges[inside])
    for _ in range(3):
        k = np.clip(np.searchsorted(edges, w, side="right") - 1, 0, len(cells) - 1)
        part = mass(edges[k], w)
        low, high = np.maximum(below[k] + part, 0.0), np.maximum(above[k + 1] + (cells[k] - part), 0.0)
        rise = along(w) * above[0]
        with np.errstate(divide="ignore", invalid="ignore"):  # where the density has died out the quantile stands still
            steps = np.where((low > 0) & (high > 0) & (rise > 0), low * high / rise, 0.0)
            moves = np.where(steps > 0, (np.log(low) - np.log(high) - NODES) * steps, 0.0)
        w = np.clip(w - moves, -60.0, 60.0)
    return rows(w, steps)
