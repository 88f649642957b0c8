"""Lists of observations, one for every cell of limits: those whose consumption lies in the cell."""

from typing import NamedTuple

import numpy as np

from ...building_blocks.growing_arrays import double_rows
from ...engine.methods import helper

CONSUMPTION, GAIN, NEXT = range(3)  # columns; NEXT is the row of the next observation of the list, -1 at its end
EMPTY = -1.0  # head of an empty list


class Buckets(NamedTuple):
    """All observations."""

    rows: np.ndarray  # (room, 3)
    size: int


@helper
def new_buckets():
    """No observation, and room for some."""
    return Buckets(np.zeros((64, 3)), 0)


@helper
def put(buckets, head, consumption, gain):
    """One observation more, before the list of this head; its own row is the head from now on."""
    rows = double_rows(buckets.rows) if buckets.size == len(buckets.rows) else buckets.rows
    rows[buckets.size, CONSUMPTION], rows[buckets.size, GAIN], rows[buckets.size, NEXT] = consumption, gain, head
    return Buckets(rows, buckets.size + 1)
