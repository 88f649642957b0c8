"""The widgets of an explorer, and what happens when a reader touches one."""

import html
import pathlib
import re
import time

import anywidget
import ipywidgets
import traitlets

from .controls import Choice, Slider
from .export import command, table
from .figure import arguments, call, meta, sentence
from .plot import Plot
from .worker import Worker

FIRST_RUNS = 5  # shown first where all runs take longer than SLOW
SLOW = 0.15  # seconds
TICK = 0.1  # seconds between two movements of the progress bar
NO_PRESET = "choose a preset"
HERE = pathlib.Path(__file__).parent


class Toolbar(anywidget.AnyWidget):
    """Buttons, progress, status and error line; it also gives the sliders their accessible names."""

    _esm = HERE / "toolbar.js"
    _css = HERE / "panel.css"
    command = traitlets.Unicode().tag(sync=True)
    status = traitlets.Unicode().tag(sync=True)
    alert = traitlets.Unicode().tag(sync=True)
    busy = traitlets.Int(0).tag(sync=True)  # number of the running computation, 0 for none
    fraction = traitlets.Float(0.0).tag(sync=True)


class Panel:
    """Controls, buttons and one plot.

    The callbacks of the widgets change `values` and ask the worker; only the worker computes and draws.

    Parameters
    ----------
    figures : dict of str to callable
        The figure functions.
    values : dict
        The parameters cell.
    controls : dict
        Controls of some of the parameters.
    presets : dict of str to dict
        Named settings.
    notebook : str
        Name of the notebook, without folder and ending.
    figure : plotly.graph_objects.Figure
        The starting figure.
    seconds : float
        How long it took.
    """

    def __init__(self, figures, values, controls, presets, notebook, figure, seconds):
        self.figures, self.presets, self.notebook = figures, presets, notebook
        self.start, self.values = values, values
        self.seconds = {kind(values): seconds}  # how long all runs took
        self.setting = False  # whether the panel, not the reader, is moving the controls
        self.inputs = {}
        for name in (name for name in controls if name in values):
            wanted = {values[name], *(preset[name] for preset in presets.values() if name in preset)}
            self.inputs[name] = input_for(controls[name], values[name], wanted)
        self.title = dropdown("Figure", list(figures), values["figure"])
        self.preset = dropdown("Preset", [NO_PRESET, *presets], NO_PRESET)
        self.about = ipywidgets.HTML().add_class("banditlab-about")
        self.toolbar, self.caption = Toolbar(), ipywidgets.Output()
        self.plot = Plot(values["figure"], figure)
        self.worker = Worker(self.work, self.rest)
        self.widget = self.lay_out([self.inputs[name] for name in self.inputs if controls[name].main])
        self.connect()
        self.hide()
        self.tell(figure, values, f"{seconds:.2f} s")

    def lay_out(self, main):
        """Return the panel: selectors, main controls, the others folded, buttons, plot, caption."""
        self.others = grid([w for w in self.inputs.values() if w not in main])
        self.more = ipywidgets.ToggleButton(description="More settings").add_class("banditlab-more")
        show(self.title, len(self.figures) > 1)
        show(self.preset, len(self.presets) > 0)
        parts = [grid([self.title, self.preset]), self.about, grid(main), self.more, self.others]
        controls = ipywidgets.VBox(parts).add_class("banditlab-controls")
        return ipywidgets.VBox([controls, self.toolbar, self.plot, self.caption]).add_class("banditlab-explorer")

    def connect(self):
        """Let every widget tell what the reader does."""
        for name, widget in self.inputs.items():
            widget.observe(lambda change, name=name: self.moved(name, change["new"]), "value")
        self.title.observe(lambda change: self.moved("figure", change["new"]), "value")
        self.preset.observe(lambda change: self.chosen(change["new"]), "value")
        self.more.observe(lambda change: self.hide(), "value")
        self.toolbar.on_msg(lambda widget, message, buffers: self.pressed(message["do"]))

    def moved(self, name, value):
        """Take a new value of one control."""
        if not self.setting and value != self.values[name]:
            self.ask({**self.values, name: value}, NO_PRESET)

    def chosen(self, title):
        """Take a preset: the parameters cell with the preset's values in it, at the figure of now if it names none."""
        if not self.setting and title != NO_PRESET:
            self.ask({**self.start, "figure": self.values["figure"], **self.presets[title]}, title)

    def pressed(self, button):
        """Do what a button of the toolbar says."""
        if button == "reset":
            self.ask(self.start, NO_PRESET)
        elif button == "cancel" and self.toolbar.busy:
            self.worker.cancel()
            self.toolbar.status = f"Cancelled. Still shown: {self.said}"
            self.rest()
        elif button == "csv":
            name = f"{slug(f'{self.notebook} {self.plot.title}')}.csv"
            self.toolbar.send({"csv": table(self.plot.shown), "name": name})

    def ask(self, values, preset):
        """Move the controls to values, and ask for their figure."""
        self.values, self.setting = values, True
        try:
            for name, widget in self.inputs.items():
                widget.value = values[name]
            self.title.value, self.preset.value = values["figure"], preset
        finally:
            self.setting = False
        self.hide()
        self.worker.ask(values)

    def hide(self):
        """Show the controls of the figure chosen, and what it is about."""
        function = self.figures[self.values["figure"]]
        for name, widget in self.inputs.items():
            show(widget, name in arguments(function))
        folded = any(widget.layout.display != "none" for widget in self.others.children)
        show(self.more, folded)
        show(self.others, folded and self.more.value)
        self.about.value = html.escape(sentence(function))

    def work(self, values, alive):
        """Compute and draw a request, in the worker's thread: a few runs first where all of them take long."""
        self.toolbar.busy += 1
        self.toolbar.fraction = 0.0
        try:
            self.compute(values, alive)
        except Exception as error:
            alive()
            self.toolbar.alert = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
            self.toolbar.status = f"Still shown: {self.said}"

    def compute(self, values, alive):
        """Compute and draw a request."""
        function, runs = self.figures[values["figure"]], values.get("runs", 0)
        took = self.seconds.get(kind(values))
        if took is None:
            self.toolbar.status = "compiling..."
        progress = ticker(self.toolbar, alive)
        if "runs" in arguments(function) and runs > FIRST_RUNS and (took is None or took > SLOW):
            figure = call(function, {**values, "runs": FIRST_RUNS}, progress)
            alive()
            self.draw(figure, values, f"first {FIRST_RUNS} of {runs} runs")
        begin = time.perf_counter()
        figure = call(function, values, progress)
        alive()
        took = self.seconds[kind(values)] = time.perf_counter() - begin
        self.draw(figure, values, f"{took:.2f} s")

    def draw(self, figure, values, note):
        """Put a figure on the screen."""
        self.plot.draw(values["figure"], figure)
        self.tell(figure, values, note)

    def tell(self, figure, values, note):
        """Say what is on the screen: the values of the figure, its caption, the command that makes it again."""
        taken = [name for name in arguments(self.figures[self.plot.title]) if name in self.inputs]
        self.said = f"{self.plot.title}: {', '.join(f'{name} = {values[name]}' for name in taken)} ({note})"
        self.toolbar.status, self.toolbar.alert = self.said, ""
        self.toolbar.command = command(self.notebook, values)
        caption = meta(figure, "caption")
        bundle = {"text/markdown": caption, "text/plain": caption}
        outputs = ({"output_type": "display_data", "data": bundle, "metadata": {}},) if caption else ()
        if outputs != self.caption.outputs:
            self.caption.outputs = outputs

    def rest(self):
        """Show that nothing is running."""
        self.toolbar.busy = 0


def kind(values):
    """Return what decides which code a request compiles: the figure and the choices; numbers change no types."""
    return tuple(value for value in values.values() if isinstance(value, str))


def input_for(control, value, wanted):
    """Return the widget of a control; `wanted` are the values it must be able to take."""
    if isinstance(control, Slider):
        options = control.options(wanted)  # a FloatSlider would send back 1.0000000000000002 for 1.0
        return ipywidgets.SelectionSlider(options=options, value=value, description=control.label, tooltip=control.help)
    if isinstance(control, Choice):
        return dropdown(control.label, control.options, value, control.help)
    return ipywidgets.Checkbox(value=value, description=control.label, tooltip=control.help, indent=False)


def dropdown(label, options, value, help=""):
    """Return a box to choose a word from."""
    return ipywidgets.Dropdown(options=options, value=value, description=label, tooltip=help)


def grid(widgets):
    """Return widgets in as many columns as fit."""
    return ipywidgets.Box(widgets).add_class("banditlab-grid")


def show(widget, visible):
    """Show or hide a widget."""
    widget.layout.display = None if visible else "none"


def slug(text):
    """Return a text as a file name."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def ticker(toolbar, alive):
    """Return the callback that moves the progress bar, and ends a computation that nobody waits for."""
    last = 0.0

    def progress(fraction):
        nonlocal last
        alive()
        if time.monotonic() - last > TICK:
            last = time.monotonic()
            toolbar.fraction = float(fraction)

    return progress
