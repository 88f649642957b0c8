"""How the lines of a figure are made of what is played: found by drawing it with made-up regret.

A line that is the mean of one policy's made-up regret is that of its real one. What is none of the known statistics but
changes with the regret makes the page refuse the figure; what changes with the controls only, a bound, is left out
while a reader plays.
"""

import json
from typing import NamedTuple

import numpy as np

from ..evidence.estimates import interval
from .tables import RUN, hold_back

PROBES = 6  # positions at which a figure is drawn
WIDTHS = (None, 1, 2)  # of bands in standard errors; None is the t-interval
LEVELS = (0.5, 0.95)  # of quantiles


class Line(NamedTuple):
    """What a trace shows of a policy."""

    statistic: str  # "mean", "band", "quantile", "shares"
    policy: str
    simulation: int | None  # None: the end of every simulation that has the policy
    told: object  # width of the band, level of the quantile
    method: str = ""  # of the quantile


class Series(NamedTuple):
    """Made-up regret that a trace may show."""

    policy: str
    simulation: int | None
    x: np.ndarray  # rounds
    values: np.ndarray  # (runs, points)
    numbers: tuple = ()  # of the simulations, a point each


def list_series(asked):
    """What may be drawn: every policy against the rounds of its simulation, and its ends over all simulations."""
    ends = {}
    for number, cell in enumerate(asked):
        for name, regret in zip(cell.settings["policies"], cell.result.regret, strict=True):
            yield Series(name, number, cell.recorded, regret)
            ends.setdefault(name, []).append((number, cell.recorded[-1], regret[:, -1]))
    for name, found in ends.items():
        if len(found) > 1:
            numbers, rounds, last = zip(*found, strict=True)
            yield Series(name, None, np.array(rounds), np.stack(last, axis=1), numbers)


def is_same(a, b):
    """Whether two arrays are the same numbers but for the last bits."""
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-9, atol=0)


def recognise(trace, series):
    """The `Line` that a trace is, and the series that it shows; or None."""
    if trace.get("y") is None or trace.get("x") is None or trace.get("type") != "scatter":
        return None
    try:
        x, y = (np.asarray(trace[name], float) for name in "xy")
    except (TypeError, ValueError):
        return None
    for one in series:
        middle, error, half = interval(one.values)
        if is_same(y, middle):
            return Line("mean", one.policy, one.simulation, None), one
        for width in WIDTHS if len(y) == 2 * len(middle) else ():
            wide = half if width is None else width * error
            if is_same(y, np.concatenate([middle + wide, (middle - wide)[::-1]])):
                return Line("band", one.policy, one.simulation, width), one
        if len(y) == len(middle):
            for method in ("linear", "higher"):
                for level in LEVELS:
                    if is_same(y, np.quantile(one.values, level, axis=0, method=method)):
                        return Line("quantile", one.policy, one.simulation, level, method), one
        if one.simulation is not None and is_same(x, np.sort(one.values[:, -1])):
            return Line("shares", one.policy, one.simulation, None), one
    return None


class Drawing(NamedTuple):
    """How a figure is drawn."""

    layout: dict
    traces: list  # pairs of a `Line`, or None for what never changes, and its trace without the numbers
    hidden: list  # names of what is left out


def draw(play, values, salt=0):
    """A figure with made-up regret, as JSON with arrays, and what it asked for."""
    asked = []
    with hold_back(asked, draws=True, salt=salt):
        figure, _ = play(**values)
    traces = [trace.to_plotly_json() for trace in figure.data]  # of the whole figure it would pack the arrays
    return {"data": traces, "layout": figure.layout.to_plotly_json()}, asked


def find_drawing(play, case, curves):
    """How a figure is drawn.

    Parameters
    ----------
    play : callable
        The figure function.
    case : Case
        Its positions.
    curves : iterable of Curve
        All that it may play.

    Returns
    -------
    Drawing

    Raises
    ------
    TypeError
        If a trace shows of what is played what the page cannot make.
    """
    lines, others, layout = {}, {}, None
    places = [{}, *(case.anywhere() for _ in range(PROBES))]
    wanted = {(curve.simulation, curve.policy) for curve in curves}
    places += [case.where(curve) for curve in {(curve.simulation, curve.policy): curve for curve in curves}.values()]
    for number, place in enumerate(places):
        if number > PROBES and not wanted:
            break
        values = {**case.values, **{name: value for name, value in place.items() if name != RUN}}
        try:
            figure, asked = draw(play, values)
        except ValueError:
            continue
        layout = layout or figure["layout"]
        wanted -= learn_traces(figure, asked, lines, others, draw(play, values, 1)[0])
    if wanted:
        raise TypeError(f"it does not draw the regret of {sorted(wanted, key=str)[0][1]}")
    still = [(None, {"trace": json.loads(texts[0])}) for texts in others.values() if len(set(texts)) == 1]
    hidden = [key for key, texts in others.items() if len(set(texts)) > 1]
    layout = json.loads(to_json(layout))
    layout.pop("template", None)
    return Drawing(layout, [*still, *lines.items()], hidden)


def learn_traces(figure, asked, lines, others, again):
    """Add the traces of a figure to those known; returns simulations and policies of those that are drawn."""
    series, drawn, counts = list(list_series(asked)), set(), {}
    for trace, second in zip(figure["data"], again["data"], strict=True):
        line, shown = recognise(trace, series) or (None, None)
        plain = {key: value for key, value in trace.items() if line is None or key not in "xy"}
        if line is None:
            if to_json(trace) != to_json(second):
                raise TypeError(f"it draws of the regret what no page makes ({trace.get('name')})")
            counts[trace.get("name")] = counts.get(trace.get("name"), 0) + 1
            others.setdefault((trace.get("name"), counts[trace.get("name")]), []).append(to_json(plain))
            continue
        lines.setdefault(line, {"trace": plain, "at": {}})
        place_points(np.asarray(trace["x"], float), shown, lines[line]["at"])
        drawn |= {(number, line.policy) for number in shown.numbers or [line.simulation]}
    return drawn


def place_points(x, series, at):
    """Learn where the ends of several simulations stand: at their horizons, or each at a place of its own."""
    for number, t, place in zip(series.numbers, series.x, x, strict=False):
        place = None if t == place and at.get(number) is None else float(place)
        if at.setdefault(number, place) != place:
            raise TypeError("where its points stand changes with the controls")


def to_json(thing):
    """A part of a figure as text."""
    from plotly.utils import PlotlyJSONEncoder

    return json.dumps(thing, cls=PlotlyJSONEncoder, sort_keys=True)
