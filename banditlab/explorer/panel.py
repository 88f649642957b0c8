"""The panel of an explorer, and what happens when a reader touches it."""

import contextlib
import pathlib
import re
import time

import ipywidgets

from ..study.overlay import WATCHING
from ..user_code.endless import NeverReturned
from .controls import check_parameters, has_effect
from .export import format_csv, papermill_command, report_lines, report_link
from .facts import describe_instrument
from .figure import call_figure, list_arguments, read_meta
from .instrument import Instrument
from .worker import Stale, Worker

FIRST_RUNS = 3  # of a quarter of the rounds: shown first where the whole takes longer than SLOW
SLOW = 0.05  # seconds
BRIEF = 1.0  # seconds for which one run is enough: nobody could read a band before all are there
LONG = 5.0  # seconds of which a reader is told before
TICK = 0.1  # seconds between two movements of the progress bar
MOST_LETTERS = 80  # of the name of a file


class Panel:
    """An instrument, and the caption under it.

    What the reader asks for reaches `values`, and the worker; only the worker computes and draws.

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
        self.figures, self.notebook, self.values = figures, notebook, values
        self.controls = {name: control for name, control in controls.items() if name in values}
        self.seconds = {kind_of_code(values): seconds}  # how long the whole took
        self.rates = {}  # seconds of a round of a run, once the code is compiled
        facts = describe_instrument(figures, values, controls, presets)
        names = {"name": self.file_name(values), "command": self.report_line(values)}
        self.instrument, self.caption = Instrument(facts, values["figure"], figure, **names), ipywidgets.Output()
        self.worker, self.later = Worker(self.work, self.rest), None
        self.widget = ipywidgets.Box([self.instrument, self.caption]).add_class("banditlab-explorer")
        self.instrument.on_msg(lambda widget, message, buffers: self.heard(message))
        # Heard while cells run: JupyterLab sends what a reader does to a thread beside them. ipykernel, from 7.4 on,
        # hands it back to where the widget last spoke, to the cell that made it, and it would wait for all cells of
        # Run All; before, nobody asks what is set here.
        self.instrument.comm._reply_subshell_for = lambda data, named: named
        # those of the same cell, run before: their output is gone
        WATCHING.difference_update([other for other in WATCHING if other.notebook == notebook])
        WATCHING.add(self)
        self.tell(figure, values, f"{seconds:.2f} s")

    def heard(self, message):
        """Do what the page says."""
        if message == "drawn":
            self.instrument.drawn.set()  # it says so of sketches
        elif message["do"] == "ask":
            self.ask(message["values"], message["preset"], message["by"])
        elif message["do"] == "cancel" and self.instrument.busy:
            self.worker.cancel()
            self.say_kept("Cancelled. ")
            self.rest()
        elif message["do"] == "csv":
            head = [f"banditlab, {self.notebook}: {self.said}", f"again: {self.instrument.command}"]
            text = format_csv(self.instrument.shown, head)
            self.instrument.send({"csv": text, "name": f"{self.instrument.name}.csv"})

    def ask(self, values, preset="", by=""):
        """Take values that a reader asks for, in whichever view of the page, and ask for their figure."""
        self.values = {**self.values, **check_parameters(self.controls, **values)}
        with self.instrument.hold_sync():
            self.instrument.by, self.instrument.preset = by, preset
            self.instrument.values = {name: self.values[name] for name in self.instrument.values}
        self.worker.ask(self.values)

    def attempt(self):
        """Play the figure of now with two runs, for its errors."""
        call_figure(self.figures[self.values["figure"]], {**self.values, "runs": 2})

    def again(self):
        """Draw the figure of now anew: a policy of the reader's own has joined it."""
        self.worker.ask(self.values)

    def do_later(self, job):
        """Call ``job(alive)`` once, in the worker's thread, when nobody waits for a figure."""
        self.later = job
        self.worker.ask({})

    def work(self, values, alive):
        """Do a request, in the worker's thread; then what is left for later, which ends where a new request comes."""
        if values:
            self.answer(values, alive)
        if self.later:
            self.rest()
            with contextlib.suppress(Exception, NeverReturned):  # what is wrong is told where somebody asks for it
                self.later(alive)
            self.later = None

    def answer(self, values, alive):
        """Compute and draw a request: a few runs first where all of them take long."""
        with self.instrument.hold_sync():  # one message: each costs kernel, server and browser milliseconds
            self.instrument.busy += 1
            self.instrument.fraction = 0.0
            self.instrument.status = self.announced(values)
        try:
            self.compute(values, alive)
        except (Stale, NeverReturned) as stopped:
            if words := " ".join([str(stopped), *getattr(stopped, "__notes__", ())]).split():
                self.instrument.alert = " ".join(words)  # which method of the reader's did not return
            if self.worker.request is None:  # cancelled, perhaps before other words
                self.say_kept("Cancelled. ")
            raise Stale from None
        except Exception as error:
            alive()
            self.instrument.alert = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
            self.say_kept()

    def say_kept(self, why=""):
        """Say that the figure before stays."""
        self.instrument.status = f"{why}Still shown: {self.said}"

    def announced(self, values):
        """Return what is about to be done, and how long it will take where that is long."""
        if (seconds := self.expected(values)) is None:
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
        expected, progress = self.expected(values), make_ticker(self.instrument, alive)
        if expected is None or expected > SLOW:
            self.sketch(function, values, progress, alive, 1 if expected and expected < BRIEF else FIRST_RUNS)
        begin = time.perf_counter()
        figure = call_figure(function, values, progress)
        alive()
        took = time.perf_counter() - begin
        self.seconds[kind_of_code(values)] = took
        if expected is not None:
            self.rates[kind_of_code(values)] = took / count_rounds(values)
        self.instrument.draw(values["figure"], figure, name=self.file_name(values))
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
        self.instrument.draw(values["figure"], figure, sketch=True, name=self.file_name(values))
        rest = f", about {whole:.0f} s" if whole > LONG else ""
        self.said = f"First {runs} of {values['runs']} runs of {self.words(values)}"
        self.instrument.status = f"{self.said}; all are coming{rest}"
        self.instrument.wait(alive)

    def words(self, values):
        """Return in words what a figure shows: the controls that do something to it."""
        taken = {name: values[name] for name in list_arguments(self.figures[values["figure"]]) if name in values}
        acting = {name: one for name, one in self.controls.items() if name in taken and has_effect(one, taken)}
        said = (f"{control.symbol} = {control.text(values[name])}" for name, control in acting.items())
        return f"{values['figure']}: {', '.join(said)}"

    def changed(self, values):
        """Return what a report must be told to show this figure: what it takes, unless it is the notebook's own."""
        own = {"seed": 0, "figure": next(iter(self.figures)), **{name: c.start for name, c in self.controls.items()}}
        told = "figure", "seed", *list_arguments(self.figures[values["figure"]])
        return {name: x for name, x in values.items() if name in told and x != own.get(name)}

    def file_name(self, values):
        """Return the name of files of this figure, without ending."""
        moved = [f"{name}{value}" for name, value in self.changed(values).items() if name != "figure"]
        words = re.sub(r"[^a-z0-9.=]+", "-", " ".join([self.notebook, values["figure"], *moved]).lower())
        return words.strip("-")[:MOST_LETTERS]

    def tell(self, figure, values, note):
        """Say what is on the screen: the values of the figure, its caption, the commands that make it again."""
        self.said = f"{self.words(values)} ({note})"
        with self.instrument.hold_sync():
            self.instrument.status, self.instrument.alert = self.said, ""
            self.instrument.papermill = papermill_command(self.notebook, values)
            self.instrument.link = report_link(self.notebook, {"figure": values["figure"], **self.changed(values)})
            self.instrument.command = self.report_line(values)
        caption = read_meta(figure, "caption")
        bundle = {"text/markdown": caption, "text/plain": caption}
        self.caption.outputs = ({"output_type": "display_data", "data": bundle, "metadata": {}},) if caption else ()

    def compiling(self, left):
        """Say how many kernels of this notebook are still being compiled in the background."""
        self.instrument.aside = f"In the background: {left} kernels are left to compile." if left else ""

    def report_line(self, values):
        """Return the command that makes the report of this figure; a paper of one's own stands where it is edited."""
        if not self.notebook:
            return ""
        usual = (pathlib.Path.cwd().parent / "Makefile").is_file() and pathlib.Path.cwd().name == "notebooks"
        places = {} if usual else {"notebooks": "."}
        return report_lines(self.notebook, values.get("scale", "quick"), self.changed(values), places)[0]

    def rest(self):
        """Show that nothing is running."""
        self.instrument.busy = 0


def count_rounds(values):
    """Return how many rounds all runs of a figure have, as far as its values tell."""
    return values.get("runs", 1) * values.get("horizon", 1)


def kind_of_code(values):
    """Return what decides which code a request compiles: the figure and the choices; numbers change no types."""
    return tuple(value for value in values.values() if isinstance(value, str))


def make_ticker(instrument, alive):
    """Return the callback that moves the progress bar, and ends a computation that nobody waits for."""
    last = time.monotonic()

    def progress(fraction):
        nonlocal last
        alive()
        if time.monotonic() - last > TICK:
            last = time.monotonic()
            instrument.fraction = float(fraction)

    return progress
