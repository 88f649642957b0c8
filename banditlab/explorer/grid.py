"""A grid of precomputed figures, packed small enough for a page: what a reader without a kernel slides through.

Arrays become 16-bit codes, each array once; differences of neighbouring codes, all low bytes and then all high bytes,
are what gzip likes best. The rest of a figure is JSON whose repetitions gzip finds by itself.
"""

import base64
import gzip
import hashlib
import itertools
import json
import math
import re
import struct

import numpy as np

from .controls import Slider, has_effect
from .facts import describe_instrument, describe_values
from .figure import call_figure, list_arguments

GRID = "application/vnd.banditlab.grid+json"
NAN, TOP = 65535, 65534  # codes of "no number" and of the largest number of an array
LOG = 1e3  # positive numbers that span more are stored by their logarithms
LONG = 8  # shorter lists stay text


def grid_bundle(figures, values, controls, grid, presets=None, progress=None):
    """Return the display bundle of a grid: its cells, and what the page says about them.

    Parameters
    ----------
    figures, values, controls, presets
        As of `explore`.
    grid : dict of str to dict
        Title of a figure to its axes and sizes: a list of values is an axis, a single value replaces that of the
        parameters cell (fewer runs, fewer rounds). The values of the parameters cell join the axes.
    progress : callable, optional
        As of figure functions.
    """
    cells, facts = {}, {}
    for title, given in grid.items():
        axes, fixed = check_grid(title, given, figures, values, controls)
        points = itertools.product(*axes.values())
        settings = [{**values, **fixed, **dict(zip(axes, point, strict=True))} for point in points]
        cells[title] = [figure_as_json(call_figure(figures[title], one, progress)) for one in settings]
        still = {name: {**values, **fixed}[name] for name in list_arguments(figures[title]) if name in values}
        taken = [name for name in controls if name in still and name not in axes and has_effect(controls[name], still)]
        facts[title] = {
            "axes": axes,
            "order": list(axes),  # a stored notebook sorts names; the last one changes fastest
            "fixed": fixed,
            "said": [f"{controls[name].symbol} = {controls[name].text(still[name])}" for name in taken],
        }
    named = {name: describe_values(controls[name], axis) for name, axis in unite_axes(facts).items()}
    captions = [one["layout"].get("meta", {}).get("caption", "") for drawn in cells.values() for one in drawn]
    bundle = {
        "figures": facts,
        "titles": list(facts),
        "controls": named,
        "start": {"figure": values["figure"], **{name: values[name] for name in named}},
        "instrument": describe_instrument(figures, values, controls, presets or {}, texts=False),
        "formulas": list_formulas(captions),
        "packed": pack(cells),
    }
    return {GRID: bundle}


def list_formulas(captions):
    """Return the formulas of captions, each once: a page draws them before it is opened."""
    return sorted({formula for caption in captions for formula in re.findall(r"\$([^$]+)\$", caption)})


def check_grid(title, given, figures, values, controls):
    """Return the axes of a grid, and its fixed values, all checked."""
    function = figures[title]
    if unknown := [name for name in given if name not in list_arguments(function) or name not in controls]:
        raise ValueError(f"grid[{title!r}]: {unknown[0]!r} is no control of this figure")
    lists = {name: points for name, points in given.items() if isinstance(points, (list, tuple))}
    fixed = {name: controls[name].check(name, value) for name, value in given.items() if name not in lists}
    for name, points in lists.items():
        if not isinstance(controls[name], Slider):
            raise ValueError(f"grid[{title!r}]: {name} is no slider")
        points = [controls[name].check(name, value) for value in points]
        lists[name] = sorted({*points, values[name]})
    return lists, fixed


def unite_axes(facts):
    """Return the axes of all figures: name to the values that any of them has."""
    pairs = [(name, value) for one in facts.values() for name, axis in one["axes"].items() for value in axis]
    return {name: sorted({value for other, value in pairs if other == name}) for name in dict(pairs)}


def figure_as_json(figure):
    """Return a figure as JSON, without the layout that all share."""
    made = json.loads(figure.to_json())
    made["layout"].pop("template", None)
    return made


class Pool:
    """Arrays, each once, as codes; a head (length, least, largest, logarithmic, decimals) tells how to read one."""

    def __init__(self):
        self.heads, self.codes, self.known = [], [], {}

    def add(self, array):
        """Return the number of an array in the pool."""
        good = array[np.isfinite(array)]
        low, high = (float(good.min()), float(good.max())) if len(good) else (0.0, 0.0)
        whole = bool(len(good)) and bool((good == np.round(good)).all()) and high - low <= TOP
        log = not whole and low > 0 and high / low > LOG
        ends = [float(f"{end:.9g}") for end in ((math.log(low), math.log(high)) if log else (low, high))]
        step = (1.0 if whole else (ends[1] - ends[0]) / TOP) or 1.0
        decimals = 0 if whole else -1 if log else max(0, math.ceil(-math.log10(step)))
        with np.errstate(invalid="ignore", divide="ignore"):
            scaled = np.log(array) if log else array
            codes = np.where(np.isfinite(array), np.clip(np.round((scaled - ends[0]) / step), 0, TOP), NAN)
        codes = codes.astype(np.uint16)
        head = [len(codes), ends[0], step, int(log), decimals]
        key = hashlib.sha256(codes.tobytes() + repr(head).encode()).digest()
        if key not in self.known:
            self.known[key] = len(self.heads)
            self.heads.append(head)
            self.codes.append(codes)
        return self.known[key]

    def stream(self):
        """Return all codes as bytes."""
        steps = [np.diff(codes, prepend=np.uint16(0)) for codes in self.codes]  # modulo 65,536
        joined = np.concatenate(steps) if steps else np.zeros(0, np.uint16)
        return (joined & 255).astype(np.uint8).tobytes() + (joined >> 8).astype(np.uint8).tobytes()


def pack(cells):
    """Return cells, by title, as text: base64 of gzip of the length of the header, the header, the codes."""
    pool = Pool()
    listed = {title: [without_arrays(figure, pool) for figure in figures] for title, figures in cells.items()}
    header = json.dumps({"cells": listed, "arrays": pool.heads}, separators=(",", ":"), ensure_ascii=False).encode()
    return base64.b64encode(gzip.compress(struct.pack("<I", len(header)) + header + pool.stream(), 9, mtime=0)).decode()


def without_arrays(node, pool):
    """Return a figure in which each array is its number in the pool."""
    if isinstance(node, dict):
        if "bdata" in node:
            array = np.frombuffer(base64.b64decode(node["bdata"]), np.dtype(node["dtype"])).astype(float)
            rows = array.reshape(-1, int(node["shape"].split(",")[1])) if "shape" in node else None
            return {"$a": pool.add(array)} if rows is None else [{"$a": pool.add(row)} for row in rows]
        return {key: without_arrays(value, pool) for key, value in node.items()}
    if isinstance(node, list):
        if len(node) > LONG and all(x is None or type(x) in (int, float) for x in node):
            return {"$a": pool.add(np.array([np.nan if x is None else x for x in node], float))}
        return [without_arrays(value, pool) for value in node]
    return node
