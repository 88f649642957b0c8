"""The widgets of an explorer, and what happens when a reader touches one."""

import html
import pathlib
import re
import time

import anywidget
import ipywidgets
import traitlets

from ..study.overlay import WATCHING
from ..user_code.endless import NeverReturned
from .controls import Choice, Slider, has_effect
from .export import format_csv, papermill_command, report_lines
from .figure import call_figure, first_sentence, list_arguments, read_meta
from .plot import Plot
from .worker import Stale, Worker

FIRST_RUNS = 3  # of a quarter of the rounds: shown first where the whole takes longer than SLOW
SLOW = 0.05  # seconds
BRIEF = 1.0  # seconds for which one run is enough: nobody could read a band before all are there
LONG = 5.0  # seconds of which a reader is told before
MOST = 4  # main controls; the others are folded
TICK = 0.1  # seconds between two movements of the progress bar
MOST_LETTERS = 80  # of the name of a file
NO_PRESET = "choose a preset"
HERE = pathlib.Path(__file__).parent


class Toolbar(anywidget.AnyWidget):
    """Buttons, progress, status and error line; it also gives the sliders their accessible names."""

    _esm = HERE / "toolbar.js"
    _css = HERE / "panel.css"
    command = traitlets.Unicode().tag(sync=True)  # of a report of exactly this figure
    papermill = traitlets.Unicode().tag(sync=True)  # the same with papermill alone
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
        self.figures, self.controls, self.presets, self.notebook = figures, controls, presets, notebook
        self.start, self.values = values, values
        self.seconds = {kind_of_code(values): seconds}  # how long the whole took
        self.rates = {}  # seconds of a round of a run, once the code is compiled
        self.setting = False  # whether the panel, not the reader, is moving the controls
        self.inputs = {}
        for name in (name for name in controls if name in values):
            wanted = {values[name], *(preset[name] for preset in presets.values() if name in preset)}
            self.inputs[name] = make_input(controls[name], values[name], wanted)
        self.title = make_dropdown("Figure", list(figures), values["figure"])
        self.preset = make_dropdown("Preset", [NO_PRESET, *presets], NO_PRESET)
        self.about = ipywidgets.HTML().add_class("banditlab-about")
        self.toolbar, self.caption = Toolbar(), ipywidgets.Output()
        self.ahead = ipywidgets.HTML().add_class("banditlab-about")
        set_visible(self.ahead, False)
        self.plot = Plot(values["figure"], figure)
        self.worker = Worker(self.work, self.rest)
        self.widget = self.lay_out()
        self.connect()
        self.hide()
        for other in [other for other in WATCHING if other.notebook == notebook]:
            WATCHING.discard(other)  # of the same cell, run before: its output is gone
        WATCHING.add(self)
        self.plot.name = self.file_name(values)
        self.tell(figure, values, f"{seconds:.2f} s")

    def lay_out(self):
        """Return the panel: controls beside the plot, buttons and caption under it."""
        self.main, self.others = lay_out([]), lay_out([])
        self.more = ipywidgets.ToggleButton(description="More settings").add_class("banditlab-more")
        set_visible(self.title, len(self.figures) > 1)
        set_visible(self.preset, len(self.presets) > 0)
        parts = [lay_out([self.title, self.preset]), self.about, self.main, self.more, self.others, self.ahead]
        controls = ipywidgets.VBox(parts).add_class("banditlab-controls")
        shown = ipywidgets.VBox([self.plot, self.toolbar, self.caption]).add_class("banditlab-shown")
        inner = ipywidgets.Box([controls, shown]).add_class("banditlab-inner")
        return ipywidgets.Box([inner]).add_class("banditlab-explorer")

    def connect(self):
        """Let every widget tell what the reader does."""
        for name, widget in self.inputs.items():
            widget.observe(lambda change, name=name: self.moved(name, change["new"]), "value")
        self.title.observe(lambda change: self.moved("figure", change["new"]), "value")
        self.preset.observe(lambda change: self.chosen(change["new"]), "value")
        self.more.observe(lambda change: self.hide(), "value")
        self.toolbar.on_msg(lambda widget, message, buffers: self.pressed(message["do"]))
        for widget in (*self.inputs.values(), self.title, self.preset, self.more, self.toolbar, self.plot):
            hear_at_once(widget)

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
            head = [f"banditlab, {self.notebook}: {self.said}", f"again: {self.toolbar.command}"]
            self.toolbar.send({"csv": format_csv(self.plot.shown, head), "name": f"{self.plot.name}.csv"})

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

    def again(self):
        """Draw the figure of now anew: a policy of the reader's own has joined it."""
        self.worker.ask(self.values)

    def hide(self):
        """Show the controls that act on the figure chosen, the main ones first, and what it is about."""
        function = self.figures[self.values["figure"]]
        named = self.acting(self.values)
        main = [name for name in named if self.controls[name].main][:MOST] or named[:1]
        put_into(self.main, [self.inputs[name] for name in main])
        put_into(self.others, [self.inputs[name] for name in named if name not in main])
        set_visible(self.more, bool(self.others.children))
        set_visible(self.others, bool(self.others.children) and self.more.value)
        self.about.value = html.escape(first_sentence(function))

    def work(self, values, alive):
        """Compute and draw a request, in the worker's thread: a few runs first where all of them take long."""
        with self.toolbar.hold_sync():  # one message: each costs kernel, server and browser milliseconds
            self.toolbar.busy += 1
            self.toolbar.fraction = 0.0
            self.toolbar.status = self.announced(values)
        try:
            self.compute(values, alive)
        except (Stale, NeverReturned) as stopped:
            if words := " ".join([str(stopped), *getattr(stopped, "__notes__", ())]).split():
                self.toolbar.alert = " ".join(words)  # which method of the reader's did not return
            raise Stale from None
        except Exception as error:
            alive()
            self.toolbar.alert = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
            self.toolbar.status = f"Still shown: {self.said}"

    def announced(self, values):
        """Return what is about to be done, and how long it will take where that is long."""
        seconds = self.expected(values)
        if seconds is None:
            return "Compiling..."
        long = f", about {seconds:.0f} s" if seconds > LONG else ""
        return f"Computing {self.words(values)}{long}..."

    def expected(self, values):
        """Return how many seconds the whole will take, as far as is known; None where it must be compiled."""
        rate = self.rates.get(kind_of_code(values))
        return rate * count_rounds(values) if rate else self.seconds.get(kind_of_code(values))

    def compute(self, values, alive):
        """Compute and draw a request."""
        function = self.figures[values["figure"]]
        expected, progress = self.expected(values), make_ticker(self.toolbar, alive)
        if expected is None or expected > SLOW:
            self.sketch(function, values, progress, alive, 1 if expected and expected < BRIEF else FIRST_RUNS)
        begin = time.perf_counter()
        figure = call_figure(function, values, progress)
        alive()
        took = time.perf_counter() - begin
        self.seconds[kind_of_code(values)] = took
        if expected is not None:
            self.rates[kind_of_code(values)] = took / count_rounds(values)
        self.plot.draw(values["figure"], figure, name=self.file_name(values))
        self.tell(figure, values, f"{took:.2f} s")

    def sketch(self, function, values, progress, alive, runs):
        """Draw a few runs of a quarter of the rounds, and tell how long the whole will take."""
        if "runs" not in list_arguments(function) or values.get("runs", 0) <= runs:
            return
        few, share = {**values, "runs": runs}, values["runs"] / runs
        rounds = self.controls.get("horizon")
        if rounds and "horizon" in list_arguments(function) and values["horizon"] // 4 >= rounds.lo:
            few, share = {**few, "horizon": values["horizon"] // 4}, 4 * share
        begin = time.perf_counter()
        figure = call_figure(function, few, progress)
        alive()
        whole = share * (time.perf_counter() - begin)
        self.plot.draw(values["figure"], figure, sketch=True, name=self.file_name(values))
        rest = f", about {whole:.0f} s" if whole > LONG else ""
        self.toolbar.status = f"First {runs} of {values['runs']} runs of {self.words(values)}; all are coming{rest}"
        self.plot.wait(alive)

    def acting(self, values):
        """Return the names of the controls that do something to a figure."""
        taken = {name: values[name] for name in list_arguments(self.figures[values["figure"]]) if name in values}
        return [name for name in self.inputs if name in taken and has_effect(self.controls[name], taken)]

    def words(self, values):
        """Return in words what a figure shows."""
        controls = {name: self.controls[name] for name in self.acting(values)}
        said = (f"{control.symbol} = {control.text(values[name])}" for name, control in controls.items())
        return f"{values['figure']}: {', '.join(said)}"

    def changed(self, values):
        """Return what a report must be told to show this figure: what it takes, unless it is the notebook's own."""
        own = {"seed": 0, "figure": next(iter(self.figures))}
        own |= {name: control.start for name, control in self.controls.items() if control.start is not None}
        told = "figure", "seed", *list_arguments(self.figures[values["figure"]])
        taken = [name for name in values if name in told]
        return {name: values[name] for name in taken if name not in own or values[name] != own[name]}

    def file_name(self, values):
        """Return the name of files of this figure, without ending."""
        moved = [f"{name}{value}" for name, value in self.changed(values).items() if name != "figure"]
        return to_file_name(" ".join([self.notebook, values["figure"], *moved]))[:MOST_LETTERS]

    def tell(self, figure, values, note):
        """Say what is on the screen: the values of the figure, its caption, the commands that make it again."""
        self.said = f"{self.words(values)} ({note})"
        with self.toolbar.hold_sync():
            self.toolbar.status, self.toolbar.alert = self.said, ""
            self.toolbar.papermill = papermill_command(self.notebook, values)
            if self.notebook:
                self.toolbar.command = self.report_line(values)
        caption = read_meta(figure, "caption")
        bundle = {"text/markdown": caption, "text/plain": caption}
        outputs = ({"output_type": "display_data", "data": bundle, "metadata": {}},) if caption else ()
        if outputs != self.caption.outputs:
            self.caption.outputs = outputs

    def compiling(self, left):
        """Say how many kernels of this notebook are still being compiled in the background."""
        self.ahead.value = f"In the background: {left} kernels are left to compile."
        set_visible(self.ahead, left > 0)

    def report_line(self, values):
        """Return the command that makes the report of this figure; a paper of one's own stands where it is edited."""
        usual = (pathlib.Path.cwd().parent / "Makefile").is_file() and pathlib.Path.cwd().name == "notebooks"
        places = {} if usual else {"notebooks": "."}
        return report_lines(self.notebook, values.get("scale", "quick"), self.changed(values), places)[0]

    def rest(self):
        """Show that nothing is running."""
        self.toolbar.busy = 0


def count_rounds(values):
    """Return how many rounds all runs of a figure have, as far as its values tell."""
    return values.get("runs", 1) * values.get("horizon", 1)


def kind_of_code(values):
    """Return what decides which code a request compiles: the figure and the choices; numbers change no types."""
    return tuple(value for value in values.values() if isinstance(value, str))


def make_input(control, value, wanted):
    """Return the widget of a control; `wanted` are the values it must be able to take."""
    if isinstance(control, Slider):
        options = control.options(wanted)  # a FloatSlider would send back 1.0000000000000002 for 1.0
        return ipywidgets.SelectionSlider(options=options, value=value, description=control.label, tooltip=control.help)
    if isinstance(control, Choice):
        return make_dropdown(control.label, [(control.text(x), x) for x in control.options], value, control.help)
    return ipywidgets.Checkbox(value=value, description=control.label, tooltip=control.help, indent=False)


def make_dropdown(label, options, value, help=""):
    """Return a box to choose a word from."""
    return ipywidgets.Dropdown(options=options, value=value, description=label, tooltip=help)


def lay_out(widgets):
    """Return widgets in as many columns as fit."""
    return ipywidgets.Box(widgets).add_class("banditlab-grid")


def hear_at_once(widget):
    """Hear what a reader does to a widget while cells run.

    JupyterLab sends it to a thread beside the cells. ipykernel, from 7.4 on, hands it back to where the widget last
    spoke, to the cell that made it, and it would wait for all cells of Run All; before, nobody asks what is set here.
    """
    widget.comm._reply_subshell_for = lambda data, named: named


def put_into(box, widgets):
    """Put widgets into a box, unless they are there already."""
    if box.children != (*widgets,):
        box.children = widgets


def set_visible(widget, visible):
    """Show or hide a widget."""
    widget.layout.display = None if visible else "none"


def to_file_name(text):
    """Return a text as a file name."""
    return re.sub(r"[^a-z0-9.=]+", "-", text.lower()).strip("-")


def make_ticker(toolbar, alive):
    """Return the callback that moves the progress bar, and ends a computation that nobody waits for."""
    last = time.monotonic()

    def progress(fraction):
        nonlocal last
        alive()
        if time.monotonic() - last > TICK:
            last = time.monotonic()
            toolbar.fraction = float(fraction)

    return progress
