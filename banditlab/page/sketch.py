"""A figure of plain dicts in plotly's place: what a drawing shows at a position is looked at, and seen by nobody.

plotly checks and copies whatever it is told, which takes most of the time of a drawing. A sketch knows what drawings
ask of a figure as a rule; what it does not know is an error, and then plotly draws. That both come to the same is
checked where tables are (`traces.Drawing.check`).
"""

import functools
from collections import namedtuple

import plotly.graph_objects as go

from ..figures import plots

WHOLE = ("error_x", "error_y", "paper_bgcolor", "plot_bgcolor")  # names that `a_b`, which is b of a, leaves alone
PARTS = ("colorbar", "font", "legend", "line", "marker", "margin", "tickfont", "title")  # what has names in it
AXES = ("xaxis", "yaxis")
TRACES = ("bar", "contour", "heatmap", "scatter")
Panel = namedtuple("Panel", AXES)


class Node:
    """A part of a figure by the names in it; what is not there is None, or an empty part."""

    def __init__(self, plotly_name="", own=()):
        vars(self).update(plotly_name=plotly_name, own={})
        self.update(dict(own))

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return self.part(name) if name in PARTS or name.startswith(AXES) else self.own.get(name)

    def __setattr__(self, name, value):
        self.own.pop(name, None)
        self.update({name: value})

    def part(self, name):
        """What stands under this name, made where it is not there."""
        return self.own.setdefault(name, Node(name))

    def update(self, *told, **options):
        """Take over what is told, a part into a part."""
        for name, value in [pair for one in (*told, options) for pair in one.items()]:
            first, _, rest = (name, "", "") if name in WHOLE else name.partition("_")
            if rest:
                self.part(first).update({rest: value})
            elif value is None:
                self.own.pop(name, None)
            elif name == "title" and isinstance(value, str):
                self.part(name).update(text=value)
            elif name == "colorscale" and isinstance(value, str):
                self.own[name] = read_colours(value)
            elif isinstance(value, dict) and name != "meta":
                self.part(name).update(value)
            elif isinstance(value, list | tuple) and value and isinstance(value[0], dict):
                self.own[name] = [Node("", one) for one in value]
            else:
                self.own[name] = value.to_numpy() if hasattr(value, "to_numpy") else value  # a column of a table
        return self

    def to_plotly_json(self):
        """All that is there, as plotly says it: no part that is empty."""
        found = {name: unwrap_parts(value) for name, value in self.own.items()}
        return {name: value for name, value in found.items() if not isinstance(value, dict) or value}


def unwrap_parts(value):
    """A value, whose parts are told as dicts."""
    if isinstance(value, Node):
        return value.to_plotly_json()
    parts = isinstance(value, list) and value and isinstance(value[0], Node)
    return [*map(unwrap_parts, value)] if parts else value


class Sketch:
    """A figure, as far as drawings ask for it, of the panels of a plotly figure and what surrounds them."""

    def __init__(self, grid, layout):
        self.data, self.grid, self.layout = (), grid, Node("layout", layout)

    def __getattr__(self, name):
        if name.removeprefix("add_") not in TRACES:
            raise AttributeError(name)

        def add(row=None, col=None, secondary_y=None, **options):
            return self.add_trace({"type": name.removeprefix("add_"), **options}, row, col, secondary_y)

        return add

    def add_trace(self, trace, row=None, col=None, secondary_y=None):
        """Add a trace that is told as a dict."""
        self.data += (Node("", trace),)
        if row is not None or secondary_y is not None:
            self.data[-1].update(self.grid[(row or 1) - 1][(col or 1) - 1][bool(secondary_y)].trace_kwargs)
        return self

    def get_subplot(self, row, col):
        """The axes of a panel."""
        return Panel(*map(self.layout.part, self.grid[row - 1][col - 1][0].layout_keys))

    def update_layout(self, **options):
        """Change what surrounds the traces."""
        self.layout.update(options)
        return self

    def update_annotations(self, **options):
        """Change all words in the figure."""
        for one in self.layout.annotations or ():
            one.update(options)
        return self

    def update_xaxes(self, row=None, col=None, **options):
        """Change the x axes of a row, of a column, of a panel, or all."""
        return self.update_axes(0, row, col, options)

    def update_yaxes(self, row=None, col=None, secondary_y=None, **options):
        """As `update_xaxes`; of a panel with two y axes the first, the second, or both."""
        return self.update_axes(1, row, col, options, secondary_y)

    def update_axes(self, side, row, col, options, second=None):
        """Change axes of one side."""
        for i, panels in enumerate(self.grid, 1):
            for j, axes in enumerate(panels, 1):
                chosen = axes if second is None else [axes[second]]
                for panel in chosen if row in (None, i) and col in (None, j) else ():
                    self.layout.part(panel.layout_keys[side]).update(options)
        return self


@functools.lru_cache(64)
def read_colours(scale):
    """The colours of a scale that has a name, as plotly says them."""
    return go.Heatmap(colorscale=scale).to_plotly_json()["colorscale"]


@functools.lru_cache(64)
def read_layout(rows, columns, options):
    """What surrounds the traces in a frame, without the template."""
    layout = plots._frame(rows, columns, options).layout.to_plotly_json()
    layout.pop("template")
    return layout


def sketch_panels(rows, columns, options):
    """As `plots._panels`."""
    return Sketch(plots._frame(rows, columns, options)._grid_ref, read_layout(rows, columns, options))
