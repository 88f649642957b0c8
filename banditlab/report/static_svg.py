"""A figure as a still picture: without JavaScript, before a chart is drawn, in a tile, and in the index."""

import html
import math
import re

import numpy as np

from .static_marks import COLOUR, MAPS, as_floats, draw_bars, draw_dots, draw_map, find_extent, find_places

WIDE, LEFT, RIGHT, TOP, FOOT = 760, 62, 14, 26, 46  # of the picture, in pixels
LINE, LETTER, LETTERS = 13, 7.5, 8  # height of a tick's words, width of a letter; letters that have room beside a panel
NEAR = (0.8, 2.5, 10)  # pixels between the points of a line; the next where one makes a picture too large
DASHES = {"dash": "7 5", "dot": "2 4", "dashdot": "7 4 2 4", "longdash": "12 5", "longdashdot": "12 4 2 4"}
KINDS = ("scatter", "bar", *MAPS)
MOST = 17_000  # characters of lines in a panel; a picture that needs more has too many points to help


def draw_still(figure, legend=True):
    """Return an SVG of a figure of lines, bands, dots, bars and maps, or nothing for other kinds.

    Parameters
    ----------
    figure : dict
        A plotly figure as JSON.
    legend : bool
        Whether the picture has a legend and texts; a thumbnail has none.
    """
    traces = [t for t in figure["data"] if t.get("visible") in (None, True)]
    if not traces or any(t.get("type") not in KINDS for t in traces):
        return ""
    for coarse in NEAR:
        drawn, panels = draw_panels(figure["layout"], traces, legend, coarse)
        if len(drawn) <= MOST * max(2, panels):
            return drawn
    return ""


def draw_panels(layout, traces, legend, near):
    """Return the whole picture, empty where a panel has nothing to draw, and how many panels it has."""
    panels = {}
    for trace in traces:
        panels.setdefault((trace.get("xaxis") or "x", trace.get("yaxis") or "y"), []).append(trace)
    height = min(height_of(layout), 620) if legend else 300
    said, above = draw_key(traces) if legend else ("", 0)
    parts = [said]
    for (x, y), members in panels.items():
        xaxis, yaxis = (layout.get(f"{axis[0]}axis{axis[1:]}") or {} for axis in (x, y))
        across, up = (axis.get("domain") or [0, 1] for axis in (xaxis, yaxis))
        width, tall = WIDE - LEFT - RIGHT, height - TOP - FOOT - above
        left, right = LEFT + across[0] * width, LEFT + across[1] * width
        lower, upper = TOP + above + (1 - up[0]) * tall, TOP + above + (1 - up[1]) * tall
        if not (drawing := draw_panel(members, xaxis, yaxis, (left, right, lower, upper, near), legend)):
            return "", 0
        parts.append(drawing)
    start = f'<svg class="still" viewBox="0 0 {WIDE} {height:.0f}" aria-hidden="true">'
    return f"{start}{''.join(parts)}</svg>", len(panels)


def height_of(layout):
    """The height of a figure in pixels; plotly's own where it has none that is a number."""
    height = layout.get("height")
    return height if isinstance(height, int | float) and height > 0 else 450


def draw_key(traces):
    """Return the legend, and its height."""
    named = [t for t in traces if t.get("name") and t.get("showlegend") is not False]
    x, y, parts = LEFT, TOP - 8, []
    for trace in named:
        text = re.sub(r"<[^>]+>", "", str(trace["name"]))
        wide = 34 + 7.2 * len(text)
        if x + wide > WIDE:
            x, y = LEFT, y + 19
        parts.append(f'<path d="M{x:.0f} {y - 4}h22" {line_attributes(trace)}/>')
        parts.append(f'<text x="{x + 27:.0f}" y="{y}">{html.escape(text)}</text>')
        x += wide + 8
    return f'<g class="key">{"".join(parts)}</g>', y - TOP + 16


def line_attributes(trace):
    """Return the attributes of a line."""
    line = trace.get("line") or {}
    colour = line.get("color") or (trace.get("marker") or {}).get("color") or "#6b7480"
    width = line.get("width", 2)
    if not COLOUR.fullmatch(str(colour)) or not isinstance(width, (int, float)):
        colour, width = "#6b7480", 2
    if colour in ("#000", "#000000", "black"):
        colour = "currentColor"  # black would vanish in the dark
    dash = DASHES.get(line.get("dash"), "")
    return f'fill="none" stroke="{colour}" stroke-width="{width}"' + f' stroke-dasharray="{dash}"' * bool(dash)


def draw_panel(traces, xaxis, yaxis, box, texts):
    """Return lines, bands and axes of one panel."""
    left, right, lower, upper, _ = box
    words = {name: list_words(traces, name) for name in "xy"}
    xs, ys = ([find_places(trace, name, words[name]) for trace in traces] for name in "xy")
    wide, tall = zip(*(find_extent(*found) for found in zip(traces, xs, ys, strict=True)), strict=True)
    across, up = scale_axis(xaxis, wide, left, right, 0.0), scale_axis(yaxis, tall, lower, upper, 0.05)
    parts = []
    for value, at in place_named(up, yaxis, words["y"]) or place_ticks(up):
        parts.append(f'<path class="g" d="M{left:.0f} {at:.1f}H{right:.0f}"/>')
        parts.append(f'<text class="d" x="{left - 6:.0f}" y="{at + 4:.1f}" text-anchor="end">{value}</text>' * texts)
    few = 4 if right - left < 300 else 6
    for value, at in place_named(across, xaxis, words["x"], LETTER) or place_ticks(across, few):
        parts.append(f'<text class="d" x="{at:.1f}" y="{lower + 16:.0f}" text-anchor="middle">{value}</text>' * texts)
    parts.append(f'<path class="g" d="M{left:.0f} {lower:.0f}H{right:.0f}"/>')
    curves = [draw_trace(trace, x, y, across[0], up[0], box) for trace, x, y in zip(traces, xs, ys, strict=True)]
    if not any(curves):
        return ""
    parts += curves
    for axis, place in (
        (xaxis, f'x="{(left + right) / 2:.0f}" y="{lower + 36:.0f}"'),
        (yaxis, f'transform="translate({left - 46:.0f} {(upper + lower) / 2:.0f}) rotate(-90)"'),
    ):
        said = html.escape(re.sub(r"<[^>]+>", "", str((axis.get("title") or {}).get("text") or "")))
        parts.append(f'<text {place} text-anchor="middle">{said}</text>' * (texts and bool(said)))
    return "".join(parts)


def list_words(traces, name):
    """The words of an axis, in the order in which they are met."""
    values = (trace.get(name) for trace in traces)
    return list(dict.fromkeys(x for found in values if isinstance(found, list) for x in found if isinstance(x, str)))


def draw_trace(trace, x, y, across, up, box):
    """Return one trace inside its panel; points of a line closer than the eye can tell are left out."""
    if trace["type"] in MAPS:
        return draw_map(trace, x, y, across, up)
    if trace["type"] == "bar":
        return draw_bars(trace, x, y, across, up)
    _, _, lower, upper, near = box
    x, y = across(x), up(y)
    good = np.isfinite(x) & np.isfinite(y)
    y = np.clip(y, upper - 1, lower + 1)
    if not good.any():
        return ""
    if "lines" not in (trace.get("mode") or "lines"):
        return draw_dots(trace, x[good], y[good])
    filled = trace.get("fill") == "toself"
    lines = (thin_out(x[part].tolist(), y[part].tolist(), near) for part in split_at_gaps(good))
    path = "".join("M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in line) + "Z" * filled for line in lines)
    if not filled:
        return f'<path d="{path}" {line_attributes(trace)}/>'
    found = re.fullmatch(r"rgba\((\d+), ?(\d+), ?(\d+), ?([\d.]+)\)", str(trace.get("fillcolor")))
    red, green, blue, share = found.groups() if found else ("107", "116", "128", "0.2")
    return f'<path d="{path}" fill="rgb({red},{green},{blue})" fill-opacity="{share}"/>'


def split_at_gaps(good):
    """Places of the parts of a line: a point that is none divides it."""
    parts = np.split(np.arange(len(good)), np.flatnonzero(~good))
    return [part[good[part]] for part in parts if good[part].any()]


def thin_out(x, y, near):
    """The points of a line, without those that are near the last one that stayed; the last always stays."""
    last = x[0], y[0]
    yield last
    for point in zip(x[1:-1], y[1:-1], strict=True):
        if math.dist(point, last) > near:
            last = point
            yield last
    if len(x) > 1:
        yield x[-1], y[-1]


def scale_axis(axis, arrays, first, last, pad):
    """Return a function from values to pixels, the ends of the axis, and whether it is logarithmic."""
    log = axis.get("type") == "log"
    every = np.concatenate([np.zeros(0), *arrays])
    every = every[np.isfinite(every) & ((every > 0) | (not log))]
    bend = np.log10 if log else np.asarray
    low, high = (float(bend(every.min())), float(bend(every.max()))) if len(every) else (0.0, 1.0)
    if axis.get("range"):
        low, high = axis["range"]
    else:
        span = pad * (high - low)
        low, high = (0.0 if pad and not log and low > 0 else low - span), high + span
    high = high if high > low else low + 1.0
    if axis.get("autorange") == "reversed":
        low, high = high, low

    def place(values):
        with np.errstate(all="ignore"):
            return first + (bend(values) - low) / (high - low) * (last - first)

    return place, (low, high), log


def place_named(axis, layout, words, letter=0.0):
    """Return texts and places of the ticks that a layout names, or of words: no more than have room."""
    place, (first, last), log = axis
    values = [*as_floats(layout.get("tickvals"))] or [float(k) for k in range(len(words))]
    texts = layout.get("ticktext") or words or map(shorten_number, values)
    low, high = min(first, last), max(first, last)
    bent = [math.log10(value) if log and value > 0 else value for value in values]
    named = [
        (re.sub(r"<[^>]+>", "", str(text)), float(place(value)))
        for text, value, at in zip(texts, values, bent, strict=False)
        if low <= at <= high
    ]
    wide = max((letter * len(text) or LINE for text, _ in named), default=0)
    span = abs(named[-1][1] - named[0][1]) if named else 0
    shown = named[:: max(1, math.ceil(wide * (len(named) - 1) / span) if span else 1)]
    most = None if letter else LETTERS
    return [(html.escape(text if most is None or len(text) <= most else f"{text[:most]}…"), at) for text, at in shown]


def place_ticks(axis, most=6):
    """Return texts and places of the ticks."""
    place, (first, last), log = axis
    low, high = min(first, last), max(first, last)
    if log:
        powers = range(math.ceil(low), math.floor(high) + 1)
        found = [10.0**p for p in powers][:: max(1, len(powers) // 5)]
    else:
        step = 10.0 ** math.floor(math.log10((high - low) / most))
        step = next(step * m for m in (1, 2, 5, 10) if (high - low) / (step * m) <= most)
        found = [k * step for k in range(math.ceil(low / step), math.floor(high / step + 1e-9) + 1)]
    return [(shorten_number(value), float(place(value))) for value in found]


def shorten_number(value):
    """Return 10k for 10,000, as plotly says it."""
    return f"{value / 1e3:.6g}k" if abs(value) >= 10_000 else f"{value:.6g}"
