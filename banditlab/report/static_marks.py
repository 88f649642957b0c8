"""What is no line in a still picture: bars, maps, dots."""

import base64
import re

import numpy as np
from plotly.colors import sample_colorscale
from plotly.exceptions import PlotlyError

ACROSS, UP, SHADES = 48, 32, 16  # most cells of a map, and colours of one
MAPS, GREY = ("heatmap", "contour"), "#8a94a0"
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}|[a-z]+|rgba?\([\d., ]+\)")


def as_floats(values):
    """Return an array of plotly as floats; words have no place on a line."""
    if isinstance(values, dict):
        flat = np.frombuffer(base64.b64decode(values["bdata"]), np.dtype(values["dtype"])).astype(float)
        return flat.reshape([int(n) for n in str(values.get("shape", len(flat))).split(",")])
    return np.array([x if isinstance(x, (int, float)) else np.nan for x in values or []], float)


def as_table(values):
    """Return a matrix of plotly as floats."""
    return as_floats(values) if isinstance(values, dict) else np.array([as_floats(row) for row in values or []])


def find_places(trace, name, words):
    """Return where a trace stands on the axis of this name; a word stands at its place among those of the axis."""
    values = trace.get(name)
    if values is None and trace["type"] in MAPS:
        return np.arange(as_table(trace.get("z")).shape["yx".index(name)], dtype=float)
    if isinstance(values, list) and any(isinstance(x, str) for x in values):
        return np.array([words.index(x) if isinstance(x, str) else np.nan for x in values], float)
    return as_floats(values)


def find_edges(centres, cells):
    """Return the edges of cells around these centres; as many and one are the edges already."""
    if len(centres) == cells + 1:
        return centres
    if len(centres) < 2:
        return np.concatenate([centres - 0.5, centres + 0.5])
    middles = (centres[1:] + centres[:-1]) / 2
    return np.concatenate([[2 * centres[0] - middles[0]], middles, [2 * centres[-1] - middles[-1]]])


def find_bars(trace, x, y):
    """Return the corners of a trace's bars: left, right, lower and upper, one array each."""
    flat, base = trace.get("orientation") == "h", float(trace.get("base") or 0)
    at, ends = (y, x) if flat else (x, y)
    good = np.isfinite(at) & np.isfinite(ends)
    thick, long = (at[good] - 0.36, at[good] + 0.36), (np.full(good.sum(), base), base + ends[good])
    return (*long, *thick) if flat else (*thick, *long)


def find_extent(trace, x, y):
    """Return the values that an axis across and one upwards must hold for a trace."""
    if trace["type"] in MAPS:
        rows, columns = as_table(trace.get("z")).shape
        return find_edges(x, columns), find_edges(y, rows)
    if trace["type"] == "bar":
        left, right, lower, upper = find_bars(trace, x, y)
        return np.concatenate([left, right]), np.concatenate([lower, upper])
    return x, y


def draw_boxes(left, right, lower, upper, colour):
    """Return boxes of one colour as one path, from pixels."""
    corners = zip(left, right, lower, upper, strict=True)
    path = "".join(f"M{a:.1f} {c:.1f}H{b:.1f}V{d:.1f}H{a:.1f}z" for a, b, c, d in corners)
    return f'<path d="{path}" fill="{colour}"/>' if path else ""


def draw_bars(trace, x, y, across, up):
    """Return the bars of a trace."""
    colour = str((trace.get("marker") or {}).get("color"))
    left, right, lower, upper = find_bars(trace, x, y)
    return draw_boxes(across(left), across(right), up(lower), up(upper), colour if COLOUR.fullmatch(colour) else GREY)


def draw_dots(trace, x, y):
    """Return the dots of a trace."""
    colour = str((trace.get("marker") or {}).get("color"))
    path = "".join(f"M{a:.1f} {b:.1f}h.1" for a, b in zip(x, y, strict=True))
    colour = colour if COLOUR.fullmatch(colour) and colour not in ("white", "black") else "currentColor"
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="6" stroke-linecap="round"/>' if path else ""


def draw_map(trace, x, y, across, up):
    """Return a map of colours, of no more cells than the eye can tell in a small picture."""
    z = as_table(trace.get("z"))
    if (trace.get("contours") or {}).get("coloring") in ("none", "lines") or z.ndim < 2 or not z.size:
        return ""
    shown = [np.linspace(0, n - 1, min(n, most)).astype(int) for n, most in zip(z.shape, (UP, ACROSS), strict=True)]
    rows, columns = map(np.unique, shown)
    wide, tall = find_edges(x, z.shape[1]), find_edges(y, z.shape[0])
    if (len(tall) - 1, len(wide) - 1) != z.shape:
        return ""
    across, up = across(np.append(wide[columns], wide[-1])), up(np.append(tall[rows], tall[-1]))
    shades = find_shades(trace, z[np.ix_(rows, columns)])
    runs = {}  # of cells of one shade in a row
    for row, line in enumerate(shades):
        starts = np.flatnonzero(np.diff(line, prepend=-2))
        for start, end in zip(starts, [*starts[1:], len(line)], strict=True):
            runs.setdefault(line[start], []).append((across[start], across[end], up[row], up[row + 1]))
    colours = {shade: mix_colour(trace.get("colorscale") or [], shade / (SHADES - 1)) for shade in runs if shade >= 0}
    return "".join(draw_boxes(*zip(*runs[shade], strict=True), colours[shade]) for shade in sorted(colours))


def find_shades(trace, z):
    """Return the number of the shade of every value, -1 where there is none."""
    known = z[np.isfinite(z)]
    low = known.min(initial=np.inf) if trace.get("zmin") is None else trace["zmin"]
    high = known.max(initial=-np.inf) if trace.get("zmax") is None else trace["zmax"]
    if trace.get("zmid") is not None:
        reach = max(high - trace["zmid"], trace["zmid"] - low)
        low, high = trace["zmid"] - reach, trace["zmid"] + reach
    share = np.clip((z - low) / ((high - low) or 1), 0, 1)
    return np.where(np.isfinite(share), np.nan_to_num(share) * (SHADES - 1), -1).round().astype(int)


def mix_colour(scale, share):
    """Return the colour at a share of a scale, grey where plotly cannot mix its colours."""
    try:
        return sample_colorscale(scale, [share])[0].replace(" ", "")
    except (PlotlyError, TypeError, ValueError):
        return GREY
