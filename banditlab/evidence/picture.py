"""A claim as a small drawing: intervals, the range in which it holds, the range in which it fails."""

import html
import math
import textwrap

from .ledger_words import set_label
from .questions import ranges_outside, short

WIDE, LANE, BAR = 336, 40, 18  # of a drawing, in pixels: its width, a measure, the track of a measure
MOST = 5  # measures that are drawn; the words have them all
LINE, LETTERS = 13, 44  # height of a line of a label, and letters of it beside the values
DIGIT = 6.4  # width of a digit under a track
STRIP, HIGH = 112, 14  # width and height of the drawing in a row that is closed


def draw_picture(now, paper=()):
    """Return an SVG with a lane for every measure, this run above the committed run at paper size.

    Parameters
    ----------
    now, paper : list of dict
        Measures as ``claims.json`` holds them: see `banditlab.evidence.Measure`.
    """
    lanes = {}
    for place, found in enumerate((now, paper)):
        for one in found:
            if one["value"] is not None:
                lanes.setdefault((one["reading"], one["what"]), [None, None])[place] = one
    if not lanes:
        return ""
    shown = sorted(lanes.items(), key=lambda lane: rank_lane(lane[1]))[:MOST]
    shown = [lane for lane in lanes.items() if lane in shown]
    several = len({reading for reading, _ in lanes}) > 1
    parts, spoken, y = [], [], 2
    for (reading, what), pair in shown:
        label = set_label(f"{reading} · {what}" if several else what)
        lines = textwrap.wrap(label, LETTERS, max_lines=3, placeholder=" …")
        drawn, told = draw_lane(lines, pair, y)
        parts.append(drawn)
        spoken.append(f"{label}: {told}")
        y += LANE + LINE * len(lines)
    if len(lanes) > len(shown):
        parts.append(f'<text x="0" y="{y + 8}">and {len(lanes) - len(shown)} more, in words below</text>')
        y += 14
    said = html.escape("; ".join(spoken), quote=True)
    return f'<svg class="range" viewBox="0 0 {WIDE} {y}" role="img" aria-label="{said}">{"".join(parts)}</svg>'


def pick_measure(measures):
    """Return the measure that a closed row shows, if there is one: what fails first, then what is open."""
    return min((one for one in measures if one["value"] is not None), key=lambda one: rank_lane([one]), default=None)


def draw_strip(one, css):
    """Return an SVG of a single measure, a line high: its interval, the threshold, where it holds, where it fails."""
    place, ends, limits = scale_values(one, [one], STRIP)
    parts = draw_zones(one, place, ends, 1, HIGH - 2)
    parts += [f'<path class="limit" d="M{place(limit):.1f} 0v{HIGH}"/>' for limit in limits]
    parts.append(draw_mark(one, css, HIGH / 2, place, ends))
    return f'<svg class="range" viewBox="0 0 {STRIP} {HIGH}" aria-hidden="true">{"".join(parts)}</svg>'


def rank_lane(pair):
    """Sort key of a lane: what fails first, then what is open."""
    return {False: 0, None: 1, True: 2}[(pair[0] or pair[1])["answer"]]


def draw_lane(label, pair, y):
    """Return one measure, its label in lines, as drawing and in words."""
    rule = pair[0] or pair[1]
    place, ends, limits = scale_values(rule, [one for one in pair if one])
    track, parts = y + 3 + LINE * len(label), []
    values = " · ".join(
        f'<tspan class="{css}">{set_label(short(one["value"]))}</tspan>'
        for one, css in zip(pair, ("v", "w"), strict=True)
        if one
    )
    for k, text in enumerate(label):
        parts.append(f'<text x="0" y="{y + 10 + LINE * k}">{html.escape(text)}</text>')
    parts.append(f'<text x="{WIDE}" y="{y + 10}" text-anchor="end">{values}</text>')
    parts += draw_zones(rule, place, ends, track, BAR)
    at, words = [place(limit) for limit in limits], [set_label(short(limit)) for limit in limits]
    for x, middle, word in zip(at, spread_words(at, words), words, strict=True):
        parts.append(f'<path class="limit" d="M{x:.1f} {track - 2}v{BAR + 4}"/>')
        parts.append(f'<text x="{middle:.1f}" y="{track + BAR + 12}" text-anchor="middle">{word}</text>')
    spoken = []
    for one, css, at, said in zip(pair, ("now", "then"), (5.5, 12.5), ("this run", "paper size"), strict=True):
        if one:
            parts.append(draw_mark(one, css, track + at, place, ends))
            spoken.append(f"{said} {set_label(short(one['value']))}")
    return "".join(parts), ", ".join(spoken)


def draw_zones(rule, place, ends, top, high):
    """Return the ranges in which a claim holds and fails."""
    parts = []
    failing = [rule["fails"]] if rule["fails"] else ranges_outside(rule["holds"])
    for ranges, css in (([rule["holds"]], "yes"), (failing, "no")):
        for low, high_end in ranges:
            a, b = (place(min(max(x, ends[0]), ends[1])) for x in ends_of_range(low, high_end))
            if b - a > 0.5:
                parts.append(f'<rect class="{css}" x="{a:.1f}" y="{top}" width="{b - a:.1f}" height="{high}" rx="3"/>')
    return parts


def spread_words(at, words):
    """Where the middles of words stand that belong to these places, ascending: apart, and inside the picture."""
    halves, middles, edge = [DIGIT * len(word) / 2 for word in words], [], 0.0
    for x, half in zip(at, halves, strict=True):
        middles.append(max(x, edge + half))
        edge = middles[-1] + half + DIGIT
    edge = WIDE
    for i in reversed(range(len(at))):
        middles[i] = min(middles[i], edge - halves[i])
        edge = middles[i] - halves[i] - DIGIT
    return middles


def draw_mark(one, css, y, place, ends):
    """Return an interval and its value: filled for this run, hollow for the paper's size."""
    low, high = ends_of_range(one["low"], one["high"])
    a, b, x = (place(min(max(value, ends[0]), ends[1])) for value in (low, high, one["value"]))
    bar = f'<path class="{css}" d="M{a:.1f} {y}H{b:.1f}" stroke-width="1.6"/>' if b - a > 1 else ""
    return f'{bar}<circle class="{css}" cx="{x:.1f}" cy="{y}" r="3.2" stroke-width="1.6"/>'


def ends_of_range(low, high):
    """Return the ends of a range, with infinities for what has none."""
    return (-math.inf if low is None else low), (math.inf if high is None else high)


def scale_values(rule, found, wide=WIDE):
    """Return a function from values to pixels, the ends of the axis, and the limits on it."""
    limits = sorted({x for pair in (rule["holds"], rule["fails"] or ()) for x in pair if x is not None})
    points = [one[key] for one in found for key in ("value", "low", "high") if one[key] is not None] + limits
    log = rule["axis"] == "log" and min(points) > 0
    bend, back = (math.log, math.exp) if log else (float, float)
    first, last = bend(min(points)), bend(max(points))
    pad = 0.12 * (last - first) or 0.5
    first, last = first - pad, last + pad
    return (lambda x: (bend(x) - first) / (last - first) * wide), (back(first), back(last)), limits
