"""The instrument in a notebook: controls, tools and words around one plot, as one widget."""

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


def read_scripts(*names):
    """The files of these names, one after the other."""
    return "\n".join((HERE / name).read_text(encoding="utf-8") for name in names)


class Instrument(anywidget.AnyWidget):
    """What a reader moves, and a plot that shows one figure after another.

    It hands each figure to ``Plotly.react``, which finds out by itself what has changed. Plotly's own widget does not:
    it changes a figure property by property, and axes keep types, ranges and directions of the figure before.

    Parameters
    ----------
    facts : dict
        As of `describe_instrument`.
    title : str
        Title of the figure in the selector.
    figure : plotly.graph_objects.Figure
        What it shows first.
    **traits
        Of the widget: ``name`` and ``command`` are there before a view comes.
    """

    _esm = read_scripts("shared.js", "instrument.js", "kernel.js")  # anywidget gives it two seconds: plotly comes apart
    plotly = traitlets.Unicode(get_plotlyjs()).tag(sync=True)
    _css = read_scripts("look.css", "instrument.css")
    facts = traitlets.Dict().tag(sync=True)
    values = traitlets.Dict().tag(sync=True)  # of the controls, and the figure's title: what the reader asks for
    preset = traitlets.Unicode().tag(sync=True)  # from which they come, until one of them moves
    by = traitlets.Unicode().tag(sync=True)  # the view in which they were asked for
    figure = traitlets.Unicode().tag(sync=True)  # as JSON
    sketch = traitlets.Bool(False).tag(sync=True)  # whether it is a first sketch: fewer runs, fewer rounds
    name = traitlets.Unicode().tag(sync=True)  # of files, without ending
    command = traitlets.Unicode().tag(sync=True)  # of a report of exactly this figure
    papermill = traitlets.Unicode().tag(sync=True)  # the same with papermill alone
    link = traitlets.Unicode().tag(sync=True)  # to a report at this setting
    status = traitlets.Unicode().tag(sync=True)
    alert = traitlets.Unicode().tag(sync=True)
    aside = traitlets.Unicode().tag(sync=True)
    busy = traitlets.Int(0).tag(sync=True)  # number of the running computation, 0 for none
    fraction = traitlets.Float(0.0).tag(sync=True)

    def __init__(self, facts, title, figure, **traits):
        self.shown = figure
        # at once: on a busy machine a view may come before a second message
        super().__init__(facts=facts, values=facts["start"], figure=dress_figure(title, figure), **traits)
        self.drawn = threading.Event()

    def draw(self, title, figure, sketch=False, name=""):
        """Show a figure; the zoom and the hidden lines of the reader stay as long as the title is the same."""
        self.shown = figure
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
