"""The figure that a saved notebook shows where no kernel is: plotly's own slider moves it along one control."""

import json

import numpy as np

from .figure import call_figure, figure_bundle
from .grid import check_grid
from .instrument import dress_figure

AXES = "x", "y"
MOVED = "annotations", "shapes", "title"  # of a layout, beside its axes
ROOM = 80  # pixels for the slider


def slide_figure(figures, values, controls, grid, progress):
    """Return the display bundle of the starting figure with a slider, and in words what it moves; None without a grid.

    Parameters
    ----------
    figures, values, controls
        As of `explore`.
    grid : dict of str to dict
        Title of a figure to its axes and sizes: the slider moves along the longest axis.
    progress : callable
        As of figure functions.
    """
    title = values["figure"]
    axes, fixed = check_grid(title, (grid or {}).get(title, {}), figures, values, controls)
    if not axes:
        return None
    name = max(axes, key=lambda axis: len(axes[axis]))
    settings = [{**values, **fixed, name: point} for point in axes[name]]
    drawn = [call_figure(figures[title], one, progress) for one in settings]
    place, texts = axes[name].index(values[name]), [controls[name].text(point) for point in axes[name]]
    figure = add_slider([dress(title, one) for one in drawn], place, controls[name].label, texts)
    still = ", ".join(f"{controls[axis].symbol} = {controls[axis].text(value)}" for axis, value in fixed.items())
    words = f"Here {controls[name].symbol} moves" + (f", with {still}" if still else "")
    return {**figure_bundle(drawn[place]), "application/vnd.plotly.v1+json": figure}, words


def dress(title, figure):
    """Return a figure as JSON whose traces have names that are the same wherever they stand, and points as lists."""
    made = json.loads(dress_figure(title, figure))
    for trace, drawn in zip(made["data"], figure.data, strict=True):
        for key in AXES:
            points = np.asarray(() if drawn[key] is None else drawn[key]).tolist()
            trace[key] = [None if point != point else point for point in points]  # JSON has no nan
    return made


def add_slider(drawn, place, label, texts):
    """Return the figure at this place of several, as JSON, with a slider that leads to the others."""
    known = {trace["uid"]: trace for one in drawn for trace in one["data"]}
    states = [describe_state(one, known) for one in drawn]
    steps = [{"method": "update", "label": text, "args": state} for text, state in zip(texts, states, strict=True)]
    traces, _ = states[place]
    data = [trace | {key: traces[key][i] for key in traces} for i, trace in enumerate(known.values())]
    layout = dict(drawn[place]["layout"])
    layout["margin"] = {**layout.get("margin", {}), "b": ROOM + 50}
    layout["height"] += ROOM
    layout["sliders"] = [{"active": place, "currentvalue": {"prefix": f"{label}: "}, "pad": {"t": 60}, "steps": steps}]
    return {"data": data, "layout": layout}


def describe_state(one, known):
    """Return what plotly must change for this figure: of all traces, and of the layout."""
    there = {trace["uid"]: trace for trace in one["data"]}
    state = {key: [there.get(name, {}).get(key, []) for name in known] for key in AXES}
    state["visible"] = [there[name].get("visible", True) if name in there else False for name in known]
    moved = [key for key in one["layout"] if key in MOVED or key.startswith(("xaxis", "yaxis"))]
    return [state, {key: one["layout"][key] for key in moved}]
