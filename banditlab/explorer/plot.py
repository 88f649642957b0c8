"""The one plot of an explorer."""

import pathlib
import threading
import time
from collections import Counter
from zlib import crc32

import anywidget
import traitlets
from plotly.io.json import to_json_plotly
from plotly.offline import get_plotlyjs

HERE = pathlib.Path(__file__).parent
HEIGHT = 450  # pixels, where a figure names none
PATIENCE = 0.2  # seconds for a browser to draw a sketch; none may be looking


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

    _esm = get_plotlyjs() + "".join((HERE / name).read_text(encoding="utf-8") for name in ("shared.js", "plot.js"))
    figure = traitlets.Unicode().tag(sync=True)  # as JSON
    sketch = traitlets.Bool(False).tag(sync=True)  # whether it is a first sketch: fewer runs, fewer rounds
    name = traitlets.Unicode().tag(sync=True)  # of files, without ending

    def __init__(self, title, figure):
        self.title, self.shown = title, figure
        text = dress_figure(title, figure)
        super().__init__(figure=text, name=title)  # at once: on a busy machine a view may come before a second message
        self.drawn = threading.Event()
        self.on_msg(lambda widget, message, buffers: self.drawn.set())  # the page says it of sketches

    def draw(self, title, figure, sketch=False, name=""):
        """Show a figure; the zoom and the hidden lines of the reader stay as long as the title is the same."""
        self.title, self.shown = title, figure
        self.drawn.clear()
        with self.hold_sync():  # one message: the browser must not take a sketch for the whole
            self.sketch, self.name = sketch, name or title
            self.figure = dress_figure(title, figure)

    def wait(self, alive):
        """Leave the cores to the browser while it draws a sketch: two that compute would hold it up.

        Parameters
        ----------
        alive : callable
            Raises where nobody waits for the figure any more.
        """
        end = time.monotonic() + PATIENCE
        while not self.drawn.wait(0.01) and time.monotonic() < end:
            alive()


def dress_figure(title, figure):
    """Return a figure as JSON with a height, and with what tells plotly which axes and lines are still the same."""
    made = figure.to_dict()
    made["layout"]["uirevision"] = title
    made["layout"].setdefault("height", HEIGHT)
    seen = Counter()
    for trace in made["data"]:
        line = f"{trace.get('name')} {trace.get('xaxis')} {trace.get('yaxis')}"
        seen[line] += 1
        trace["uid"] = f"u{crc32(f'{line} {seen[line]}'.encode()):x}"  # plotly makes a CSS class of it
    return to_json_plotly(made)
