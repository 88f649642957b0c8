"""Arrays that grow, for compiled code, a copy per doubling; their largest entry, their sum; long arrays in pieces."""

import numpy as np

from ..engine.methods import helper


@helper
def double(values):
    """The same numbers in an array twice as long, zeros behind them."""
    longer = np.zeros(2 * len(values))
    for i in range(len(values)):
        longer[i] = values[i]
    return longer


@helper
def double_rows(rows):
    """The same rows in a table twice as long, zeros below them."""
    longer = np.zeros((2 * len(rows), rows.shape[1]))
    for i in range(len(rows)):
        for j in range(rows.shape[1]):
            longer[i, j] = rows[i, j]
    return longer


@helper
def largest_entry(values):
    """The largest entry, where numpy's own ``max`` would take half a second to compile."""
    top = values[0]
    for value in values:
        top = max(top, value)
    return top


@helper
def sum_entries(values):
    """The sum of the entries, one after the other: numpy's own ``sum`` may take another order."""
    total = 0
    for value in values:
        total += value
    return total


def cut_into_pieces(values):
    """Views, one after the other, that the processor's cache holds: what numpy makes of a long array is as long."""
    return np.array_split(values, 1 + len(values) // 2**16)
