"""The one plot of an explorer."""

import pathlib
from collections import Counter
from zlib import crc32

import anywidget
import plotly.graph_objects as go
import traitlets
from plotly.offline import get_plotlyjs

HEIGHT = 450  # pixels, where a figure names none


class Plot(anywidget.AnyWidget):
    """A plot in the browser that shows one figure after another.

    It hands each figure to ``Plotly.react``, which finds out by itself what has changed. Plotly's own widget does not:
    it changes a figure property by property, and axes keep types, ranges and directions of the figure before.

    Parameters
    ----------
    title : str
        Title of the figure in the selector.
    figure : plotly.graph_objects.Figure
        What it shows first.
    """

    _esm = get_plotlyjs() + pathlib.Path(__file__).with_name("plot.js").read_text(encoding="utf-8")
    figure = traitlets.Unicode().tag(sync=True)  # as JSON

    def __init__(self, title, figure):
        super().__init__()
        self.draw(title, figure)

    def draw(self, title, figure):
        """Show a figure; the zoom and the hidden lines of the reader stay as long as the title is the same."""
        self.title, self.shown = title, figure
        self.figure = dressed(title, figure).to_json(remove_uids=False)


def dressed(title, figure):
    """Return a copy with a height, and with what tells plotly which axes and lines are still the same."""
    figure = go.Figure(figure)
    figure.update_layout(uirevision=title, height=figure.layout.height or HEIGHT)
    seen = Counter()
    for trace in figure.data:
        line = f"{trace.name} {trace.xaxis} {trace.yaxis}"
        seen[line] += 1
        trace.uid = f"u{crc32(f'{line} {seen[line]}'.encode()):x}"  # plotly makes a CSS class of it
    return figure
