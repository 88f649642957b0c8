"""Increasing functions of consumption, for compiled code: power laws and tables of knots."""

import math
from typing import NamedTuple

import numpy as np

from ..building_blocks.order_statistics import first_above
from ..engine.methods import helper

__all__ = ["Curve"]


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
        return self.factor * math.pow(x, self.exponent) if self.exponent > 0.0 else between(self.table, x)


@helper
def between(table, x):
    """Linear interpolation in the rows (places, values)."""
    last = table.shape[1] - 1
    if x <= table[0, 0]:
        return table[1, 0]
    if x >= table[0, last]:
        return table[1, last]
    high = first_above(table[0], 1, last, x)
    low = high - 1
    share = (x - table[0, low]) / (table[0, high] - table[0, low])
    return table[1, low] + share * (table[1, high] - table[1, low])


def values_of(curve, points):
    """A curve at many points."""
    if curve.exponent > 0:
        return curve.factor * np.asarray(points) ** curve.exponent
    return np.interp(points, *curve.table)


def law(factor, exponent):
    """The power law, unchecked."""
    return Curve(factor, exponent, np.zeros((2, 1)), 0.0)


def line(places, values, error=0.0):
    """The table of knots, unchecked."""
    return Curve(0.0, 0.0, np.array([places, values]), error)
