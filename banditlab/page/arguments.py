"""The fields of an environment and of a policy as a page lays them down: numbers and arrays, in order, as bytes."""

import struct
from typing import NamedTuple

import numpy as np


class Leaf(NamedTuple):
    """A number (eight bytes, no shape) or an array."""

    shape: tuple | None
    data: bytes


def list_leaves(value):
    """The numbers and arrays in tuples, in the order in which `entry.read_value` reads them; TypeError for others."""
    if isinstance(value, np.ndarray):
        yield Leaf(value.shape, value.tobytes())
    elif isinstance(value, tuple):
        for part in value:
            yield from list_leaves(part)
    elif isinstance(value, bool | int | np.bool_ | np.integer):
        yield Leaf(None, struct.pack("<q", int(value)))
    elif isinstance(value, float):
        yield Leaf(None, struct.pack("<d", value))
    elif value is not None:
        raise TypeError(f"{value!r} cannot be laid down in a page")
