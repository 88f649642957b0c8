"""Everything that a page plays, as one text: a header, fields and modules, as `tables.js` unpacks it."""

import json
import math
import struct

import numpy as np

from ..evidence.estimates import t_quantile
from . import replays
from .arguments import Leaf, split_rows, zip_text
from .tables import MISSING


def pack_plays(found, pool, built, runs, claims, horizon):
    """All that is played, as text: the length of a header, the header, fields and modules, as of `zip_text`."""
    leaves, used, blob, known = list(pool.places), {}, bytearray(), {}
    kinds = {curve.kind: None for tables in found.values() for curve in tables.curves}
    kinds |= {curve["module"]: None for laid in claims.values() for curve in replays.list_curves(laid)}

    def place(data):
        blob.extend(data)
        return len(blob) - len(data), len(data)

    def lay_down(leaf):
        if (rows := split_rows(leaf))[0] is leaf:
            return [leaf.shape, *place(to_planes(leaf))]
        return [
            leaf.shape,
            *(known.get(row) or known.setdefault(row, place(to_planes(Leaf(leaf.shape[1:], row)))) for row in rows),
        ]

    figures = {title: lay_out_figure(tables, list(kinds), used) for title, tables in found.items()}
    asked = {name: replays.number_parts(laid, list(kinds), used) for name, laid in claims.items()}
    fields = map(leaves.__getitem__, used)
    header = {
        "figures": figures,
        "horizon": horizon,
        "claims": asked,
        "fields": [lay_down(leaf) if isinstance(leaf, Leaf) else leaf for leaf in fields],
        "modules": [place(built[kind]) for kind in kinds],
        "quantiles": [t_quantile(n) for n in range(2, runs + 1)],
    }
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    return zip_text(struct.pack("<I", len(text)) + text + bytes(blob))


def to_planes(leaf):
    """The bytes of an array, the first one of all entries before the second: so gzip packs them better."""
    entries = isinstance(leaf.shape, tuple) and math.prod(leaf.shape)
    return np.frombuffer(leaf.data, np.uint8).reshape(entries, -1).T.tobytes() if entries else leaf.data


def lay_out_figure(tables, kinds, used):
    """One figure, for the header; `used` are the numbers of fields that are packed, in order."""

    def renumber(numbers):
        return [renumber(n) if isinstance(n, tuple) else n if n < 0 else used.setdefault(n, len(used)) for n in numbers]

    def packed(columns):
        return [(names, numbers if i == 0 else renumber(numbers)) for i, (names, numbers) in enumerate(columns)]

    return {
        "positions": tables.positions,
        "curves": [
            [curve.simulation, kinds.index(curve.kind), packed(columns)] for curve, columns in tables.curves.items()
        ],
        "parts": [[part.place, packed(columns)] for part, columns in tables.parts.items()],
        "base": tables.base,
        "hidden": tables.hidden,
        "alone": {name: lay_out_alone(one, tables, renumber) for name, one in tables.alone.items()},
        "wanted": {"names": [*tables.base], **lay_out_alone(tables.wanted, tables, renumber)},
    }


def lay_out_alone(one, tables, renumber):
    """What is played and drawn at values of one control, curves and parts in the order of the tables."""
    if not one.values:
        return {"values": [], "curves": [], "parts": []}
    kinds = {
        "curves": [one.curves.get(curve) or [[MISSING]] * len(laid) for curve, laid in tables.curves.items()],
        "parts": [one.parts.get(part) or [[MISSING]] * len(laid) for part, laid in tables.parts.items()],
    }
    found = {kind: [[there, *map(renumber, columns)] for there, *columns in laid] for kind, laid in kinds.items()}
    return {"values": one.values, **found}
