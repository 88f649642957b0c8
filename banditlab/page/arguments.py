"""The fields of an environment and of a policy as a page lays them down: numbers and arrays, in order, as bytes."""

import base64
import gzip
import struct
from typing import NamedTuple

import numpy as np

TEXT = "text"  # the shape of words
ORDER = "order"  # the shape of what says where the entries of the array before it stand
SHORT = 1000  # entries of an array that is split
LONG = 10_000  # bytes of a row that is packed by itself: worlds that differ in one law share the others


class Leaf(NamedTuple):
    """A number (eight bytes, no shape), an array, an order, or words."""

    shape: object
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


def split_leaves(leaves):
    """The same with short arrays sorted, each with the order of its entries: of a shuffled world only this changes."""
    for leaf in leaves:
        if (
            not leaf.shape
            or len(leaf.shape) > 1
            or not 0 < leaf.shape[0] <= SHORT
            or len(leaf.data) != 8 * leaf.shape[0]
        ):
            yield leaf
            continue
        numbers = np.frombuffer(leaf.data)
        places = np.argsort(numbers, kind="stable")
        order = np.empty(len(places), np.uint16)
        order[places] = np.arange(len(places))
        yield Leaf(leaf.shape, numbers[places].tobytes())
        yield Leaf(ORDER, order.tobytes())


def split_rows(leaf):
    """The bytes of what is packed by itself: long rows, else the whole."""
    several = isinstance(leaf, Leaf) and isinstance(leaf.shape, tuple) and len(leaf.shape) > 1
    length = len(leaf.data) // leaf.shape[0] if several else 0
    return [leaf.data[k : k + length] for k in range(0, len(leaf.data), length)] if length > LONG else [leaf]


def zip_text(data):
    """Bytes gzipped, as text that a script may hold: base85, a sixteenth shorter than base64, with a slash for <."""
    return base64.b85encode(gzip.compress(data, 9, mtime=0)).decode().replace("<", "/")
