"""A figure of lines as a still picture: without JavaScript, before a chart is drawn, and in the index."""

import base64
import html
import math
import re

import numpy as np

WIDE, LEFT, RIGHT, TOP, FOOT = 760, 62, 14, 26, 46  # of the picture, in pixels
GAP = 46  # between panels
DASHES = {"dash": "7 5", "dot": "2 4", "dashdot": "7 4 2 4", "longdash": "12 5", "longdashdot": "12 4 2 4"}
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}|[a-z]+|rgba?\([\d., ]+\)")
MOST = 24_000  # characters of lines in a panel; a picture that needs more has too many points to help


def draw_still(figure, legend=True):
    """Return an SVG of a figure that consists of lines and bands, or nothing for other kinds.

    Parameters
    ----------
    figure : dict
        A plotly figure as JSON.
    legend : bool
        Whether the picture has a legend and texts; a thumbnail has none.
    """
    traces = [t for t in figure["data"] if t.get("visible") in (None, True)]
    if not traces or any(t.get("type") != "scatter" for t in traces):
        return ""
    layout = figure["layout"]
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
        drawing = draw_panel(members, xaxis, yaxis, (left, right, lower, upper), legend)
        if not drawing:
            return ""
        parts.append(drawing)
    body = "".join(parts)
    if len(body) > MOST * max(2, len(panels)):
        return ""
    return f'<svg class="still" viewBox="0 0 {WIDE} {height:.0f}" aria-hidden="true">{body}</svg>'


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
    return "".join(parts), y - TOP + 16


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
    left, right, lower, upper = box
    xs, ys = ([as_floats(trace.get(name)) for trace in traces] for name in "xy")
    across, up = scale_axis(xaxis, xs, left, right, 0.0), scale_axis(yaxis, ys, lower, upper, 0.05)
    parts = []
    for value, at in place_ticks(up):
        parts.append(f'<path class="g" d="M{left:.0f} {at:.1f}H{right:.0f}"/>')
        parts.append(f'<text class="d" x="{left - 6:.0f}" y="{at + 4:.1f}" text-anchor="end">{value}</text>' * texts)
    for value, at in place_ticks(across, 4 if right - left < 300 else 6):
        parts.append(f'<text class="d" x="{at:.1f}" y="{lower + 16:.0f}" text-anchor="middle">{value}</text>' * texts)
    parts.append(f'<path class="g" d="M{left:.0f} {lower:.0f}H{right:.0f}"/>')
    curves = [
        draw_trace(trace, across[0](x), up[0](y), lower, upper) for trace, x, y in zip(traces, xs, ys, strict=True)
    ]
    if not any(curves):  # words on an axis, dots alone: no lines to draw
        return ""
    parts += curves
    for axis, place in (
        (xaxis, f'x="{(left + right) / 2:.0f}" y="{lower + 36:.0f}"'),
        (yaxis, f'transform="translate({left - 46:.0f} {(upper + lower) / 2:.0f}) rotate(-90)"'),
    ):
        said = html.escape(re.sub(r"<[^>]+>", "", str((axis.get("title") or {}).get("text") or "")))
        parts.append(f'<text {place} text-anchor="middle">{said}</text>' * (texts and bool(said)))
    return "".join(parts)


def draw_trace(trace, x, y, lower, upper):
    """Return one trace as a path inside its panel; points closer than the eye can tell are left out."""
    good = np.isfinite(x) & np.isfinite(y)
    x, y = x[good], np.clip(y[good], upper - 1, lower + 1)
    if not len(x) or "lines" not in (trace.get("mode") or "lines"):
        return ""
    path = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in thin_out(x.tolist(), y.tolist()))
    if trace.get("fill") != "toself":
        return f'<path d="{path}" {line_attributes(trace)}/>'
    found = re.fullmatch(r"rgba\((\d+), ?(\d+), ?(\d+), ?([\d.]+)\)", str(trace.get("fillcolor")))
    red, green, blue, share = found.groups() if found else ("107", "116", "128", "0.2")
    return f'<path d="{path}Z" fill="rgb({red},{green},{blue})" fill-opacity="{share}"/>'


def thin_out(x, y):
    """The points of a line, without those at most .4 pixels from the last one that stayed; the last always stays."""
    last = x[0], y[0]
    yield last
    for point in zip(x[1:-1], y[1:-1], strict=True):
        if math.dist(point, last) > 0.4:
            last = point
            yield last
    if len(x) > 1:
        yield x[-1], y[-1]


def as_floats(values):
    """Return an array of plotly as floats; words have no place on a line."""
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), np.dtype(values["dtype"])).astype(float)
    return np.array([x if isinstance(x, (int, float)) else np.nan for x in values or []], float)


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
