"""The explorer without a browser: controls, values, the worker, the panel's answers, papermill."""

import csv
import html
import io
import json
import pathlib
import re
import shlex
import subprocess
import sys
import threading
import time
from decimal import Decimal
from fractions import Fraction

import hypothesis
import IPython.display
import nbformat
import numpy as np
import papermill
import pytest
from hypothesis import strategies as st
from papermill.cli import _resolve_type as resolved

from banditlab.explorer import Choice, Slider, Switch, check_parameters, explore, parameters_cell, read_parameters
from banditlab.explorer.controls import offered_values
from banditlab.explorer.export import format_csv, papermill_command, report_lines, report_link
from banditlab.explorer.figure import NOTEBOOK
from banditlab.explorer.saved import frame_instrument
from banditlab.explorer.worker import Worker
from banditlab.figures import plots
from banditlab.report.check import check_parameters_cell
from tests.browser import demo

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONTROLS = {
    "gap": Slider("Gap Δ", 0.05, 1, 0.05, "gap between the best and the other option"),
    "d": Slider("Components d", 1, 20, 1),
    "shape": Choice("Shape", ["steps", "ramp"]),
    "bound": Switch("Bound", "Theorem 1"),
}


# Controls and check


@hypothesis.given(st.integers(-1000, 1000), st.integers(1, 300), st.integers(1, 400), st.integers(0, 4))
def test_positions_are_exact_and_allowed(low, step, count, digits):
    scale = Decimal(10) ** -digits
    exact = [low * scale + i * step * scale for i in range(count + 1)]
    slider = Slider("x", float(exact[0]), float(exact[-1]), float(step * scale))
    assert slider.positions() == [float(x) for x in exact]
    assert [slider.check("x", x) for x in slider.positions()] == slider.positions()
    assert len({*map(slider.text, slider.positions())}) == count + 1


def test_the_last_position_is_the_upper_limit():
    assert Slider("x", 0, 10, 4).positions() == [0, 4, 8, 10]
    assert all(type(x) is int for x in Slider("x", 0, 10, 4).positions())
    assert all(type(x) is float for x in Slider("x", 0, 10, 0.5).positions())


def test_limits_of_other_kinds_of_numbers_are_pythons_own():
    """Positions are counted in decimals, and what a page reads is JSON."""
    fractions = Slider("Gap Δ", Fraction(1, 10), Fraction(1, 2), Fraction(1, 10))
    assert fractions.positions() == [0.1, 0.2, 0.3, 0.4, 0.5] and fractions.text(0.3) == "0.3"
    single = Slider("Gap Δ", np.float32(0.1), np.float32(0.3), np.float32(0.1))
    assert single.positions() == [0.1, 0.2, 0.3] and single == Slider("Gap Δ", 0.1, 0.3, 0.1)
    whole = Slider("Arms K", np.int64(2), np.int8(4), np.uint8(1))
    assert whole.positions() == [2, 3, 4] and json.dumps([whole.lo, whole.hi, whole.step]) == "[2, 4, 1]"
    assert Slider("x", 0, 1, 0.1) == Slider("x", 0.0, 1.0, 0.1) and not Slider("x", 0, 1, 0.1).whole
    assert not Slider("x", 0, Fraction(2), 1).whole and Slider("x", 5e-324, 1e-5, 1e-7).lo == 5e-324


def test_texts_have_units_and_values_between_two_positions_a_place():
    slider = Slider("Gap Δ", 0.1, 0.3, 0.1, unit="σ")
    assert offered_values(slider, {0.25, 0.3}) == [0.1, 0.2, 0.25, 0.3]
    assert [slider.text(x) for x in (0.1, 0.25, 0.3)] == ["0.1 σ", "0.25 σ", "0.3 σ"]
    assert Slider("T", 1000, 3000, 1000).text(1000) == "1,000"


def test_texts_read_as_a_person_writes_them():
    assert Slider("x", 0.1, 1.0, 0.1).text(1 / 3) == "1/3"
    assert Slider("x", 0.1, 1.0, 0.1).text(0.123456789) == "0.1235"
    assert [Slider("d", 1, 9, 1, unit="components").text(n) for n in (1, 2)] == ["1 component", "2 components"]
    assert Slider("t", 1, 9, 1, unit="s").text(1) == "1 s"
    assert Choice("f", ["k", "k2"], words={"k2": "k²"}).text("k2") == "k²"
    assert Switch("f").text(True) == "on"


def test_symbols_are_letters_or_labels():
    labels = {"Gap Δ": "Δ", "Runs": "Runs", "Warm-up N₀": "N₀", "Lowest mean": "Lowest mean"}
    assert {label: Slider(label, 0, 1, 1).symbol for label in labels} == labels
    assert Slider("Warm-up N₀ ×", 0, 1, 1, symbol="N₀ ×").symbol == "N₀ ×"


def test_a_parameters_cell_gives_its_own_values():
    controls = {
        "gap": Slider("Gap Δ", 0.1, 1.0, 0.1, "lead", start=1),
        "rule": Choice("Rule", ["a", "b"], "which", start="b"),
        "upper": Switch("Upper", "bounds", start=False),
    }
    text, cell = parameters_cell(controls, "Regret"), {"unrelated": 1}
    exec(text, cell)
    assert read_parameters(controls, cell) == {
        "scale": "quick", "seed": 0, "figure": "Regret", "gap": 1.0, "rule": "b", "upper": False, "live": True,
    }  # fmt: skip
    assert "gap: float = 1.0  # lead" in text
    del cell["gap"], cell["seed"]
    with pytest.raises(NameError, match="the parameters cell sets no seed, gap: run it first"):
        read_parameters(controls, cell)


@pytest.mark.parametrize("figure", ['The "best" arm', "two\nlines", "C:\\new", "it's", '"""', "Δ = 0.3 # no"])
def test_a_parameters_cell_is_python_whatever_its_words(figure):
    controls = {
        "rule": Choice("Rule", [figure, "b"], "which\nof two", start=figure),
        "d": Slider("Components d", 1, 9, 1, start=2),
    }
    text, cell = parameters_cell(controls, figure), {}
    exec(text, cell)
    assert (cell["figure"], cell["rule"], cell["d"], text.count("\n")) == (figure, figure, 2, 5)
    assert "d: int = 2  # Components d" in text and text.splitlines()[3].endswith("# which of two")
    assert not list(check_parameters_cell(notebook_of(text)))


def notebook_of(text):
    """A notebook with this parameters cell."""
    return {"cells": [{"cell_type": "code", "metadata": {"tags": ["parameters"]}, "source": [text]}]}


@pytest.mark.parametrize("live", [True, False])
def test_an_error_in_the_parameters_is_shown_where_the_reader_looks(monkeypatch, live):
    seen, cell = [], {"scale": "quick", "seed": 0, "figure": "Regret", "gap": 7.0, "live": live}
    monkeypatch.setattr("banditlab.explorer.cell.running_shell", object)
    monkeypatch.setattr("banditlab.explorer.reader.notify", seen.append)
    with pytest.raises(ValueError, match="gap=7.0: must be between") as raised:
        read_parameters({"gap": CONTROLS["gap"]}, cell)
    assert seen == [raised.value] * live


def test_check_returns_plain_python_values():
    given = dict(gap=np.float64(0.5), d=np.int64(3), shape=np.str_("ramp"), bound=np.bool_(True))
    values = check_parameters(CONTROLS, **given, seed=np.int32(0), k=np.int8(2))
    assert values == dict(gap=0.5, d=3, shape="ramp", bound=True, seed=0, k=2)
    assert [type(value) for value in values.values()] == [float, int, str, bool, int, int]


def test_check_accepts_limits_ints_for_floats_and_values_between_positions():
    assert check_parameters(CONTROLS, gap=1, d=20) == {"gap": 1.0, "d": 20}
    assert type(check_parameters(CONTROLS, gap=1)["gap"]) is float
    assert check_parameters(CONTROLS, gap=0.05, d=1) == {"gap": 0.05, "d": 1}
    assert check_parameters(CONTROLS, gap=0.123) == {"gap": 0.123}
    assert check_parameters({}, figure="Figure 1", scale="paper", live=False) == dict(
        figure="Figure 1", scale="paper", live=False
    )


# explore without widgets, and what it refuses


@pytest.fixture
def displayed(monkeypatch):
    """What is displayed, in order."""
    bundles = []
    monkeypatch.setattr(IPython.display, "display", lambda bundle, **options: bundles.append(bundle))
    monkeypatch.setattr(IPython.display, "update_display", lambda bundle, **options: bundles.append(bundle))
    return bundles


def test_without_live_the_plain_figure_is_displayed(displayed):
    explore(demo.FIGURES, demo.VALUES, demo.CONTROLS, demo.PRESETS, "demo", live=False)
    bundle, caption = displayed
    assert caption["text/markdown"].startswith("**Regret** over 20 runs") and NOTEBOOK in caption
    assert bundle["text/plain"] == "Regret of three policies."
    expected = demo.regret(gap=0.3, d=4, runs=20)[0]
    assert bundle["application/vnd.plotly.v1+json"] == json.loads(expected.to_json())
    assert len(bundle) == 2


def test_with_live_the_plain_figure_stands_before_the_widget(displayed):
    explore(demo.FIGURES, demo.VALUES, demo.CONTROLS, demo.PRESETS, "demo")
    waiting, line, plain, caption, widget = displayed
    assert waiting["text/plain"] == "Figure 1: compiling..." and line["text/plain"].startswith("For all sliders: Run")
    assert {*plain} == {"application/vnd.plotly.v1+json", "text/plain"}
    assert {*widget} == {"application/vnd.jupyter.widget-view+json", "text/plain", NOTEBOOK}
    assert all(NOTEBOOK in bundle for bundle in (waiting, line, caption, widget))  # a report has the plain one only


def test_a_first_figure_that_fails_raises(displayed):
    with pytest.raises(ValueError, match="d=13: too many arms"):
        explore(demo.FIGURES, {**demo.VALUES, "figure": "Figure 2: long runs", "d": 13, "seconds": 0.1}, {}, {})
    assert displayed[-1] == {"text/plain": "", NOTEBOOK: {}}


def test_a_report_needs_no_widgets():
    code = (
        "import sys\nfrom tests.browser import demo\nfrom banditlab.explorer import explore\n"
        "explore(demo.FIGURES, demo.VALUES, demo.CONTROLS, demo.PRESETS, 'demo', live=False)\n"
        "print([name for name in ('ipywidgets', 'anywidget') if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"values": {"figure": "Figure 9"}}, ValueError, "figure='Figure 9': must be one of 'Figure 1'"),
        ({"values": {"gap": 7.0}}, ValueError, "gap=7.0: must be between 0.05 and 1"),
        ({"values": {"seed": -3}}, ValueError, "seed=-3: must be at least 0"),
        ({"presets": {"Odd": {"zeta": 1}}}, ValueError, "presets['Odd']: 'zeta' is none of the values"),
        ({"presets": {"Odd": {"gap": 7.0}}}, ValueError, "presets['Odd']: gap=7.0: must be between"),
        ({"presets": {"Odd": {"d": 1.5}}}, TypeError, "presets['Odd']: d=1.5: must be a whole number"),
        ({"presets": {"Odd": {"figure": "Figure 9"}}}, ValueError, "presets['Odd']: figure='Figure 9'"),
        ({"figures": {"Figure 1": lambda gap, zeta, progress=None: None}}, TypeError, "also needs zeta"),
        ({"figures": {"Figure 1": lambda gap: None}}, TypeError, "must take progress=None"),
    ],
)
def test_explore_refuses(change, error, words, displayed):
    values = {**demo.VALUES, **change.get("values", {})}
    with pytest.raises(error, match=re.escape(words)):
        explore(change.get("figures", demo.FIGURES), values, demo.CONTROLS, change.get("presets"), live=False)
    assert not displayed


# What a reader takes away


def test_the_command_reads_back_as_the_same_values():
    values = {"figure": "Figure 4: F-Track's law", "gap": 1e-05, "d": 20, "shape": "3", "bound": True, "word": "True"}
    text = papermill_command("factored", {**values, "live": True})
    words = shlex.split(text)
    assert words[:3] == ["papermill", "notebooks/factored.ipynb", "out.ipynb"]
    options = [words[i : i + 3] for i in range(3, len(words), 3)]
    read = {name: value if flag == "-r" else resolved(value) for flag, name, value in options}
    assert read == {**values, "live": False}
    assert [type(value) for value in read.values()] == [str, float, int, str, bool, str, bool]
    assert papermill_command("", values) == ""


def test_the_commands_name_a_notebook_of_any_name():
    assert shlex.split(papermill_command("my own", {"d": 2}))[:2] == ["papermill", "notebooks/my own.ipynb"]
    assert report_link("my own", {"word": "a&b", "on": True}) == "my%20own.html#word=a%26b&on=true"
    lines = report_lines("my own", "quick", {}, {})
    assert [shlex.split(line)[place] for line, place in zip(lines, (2, 3), strict=True)] == ["NB=my own", "my own"]


def test_the_table_has_lines_with_their_bands_and_panels():
    figure = plots.blank("title", "t", "regret", "caption", columns=2)
    plots.curve(figure, [1, 2, 3], [4.0, 5.0, 6.0], "F-UCB", 0, ([3.0, 4.0, 5.0], [5.0, 6.0, 7.0]))
    plots.bound(figure, [1, 3], [9.0, 9.5], "Theorem 1", column=2)
    figure.add_bar(x=["a"], y=[1], name="bars")
    figure.add_scatter(x=[None], y=[None], name="only in the legend")
    figure.add_scatter(x=[1], y=[7], name="F-UCB", legendgroup="F-UCB")
    assert format_csv(figure, ["a", "b"]).startswith(
        "# a\n# b\n# panel 1: x is t, y is regret\n# panel 2: x is t, y is not named\npanel,"
    )
    assert [*csv.reader(io.StringIO(format_csv(figure).partition("named\n")[2]))] == [
        ["panel", "series", "x", "y", "low", "high"],
        ["1", "F-UCB", "1", "4.0", "3.0", "5.0"],
        ["1", "F-UCB", "2", "5.0", "4.0", "6.0"],
        ["1", "F-UCB", "3", "6.0", "5.0", "7.0"],
        ["2", "Theorem 1", "1", "9.0", "", ""],
        ["2", "Theorem 1", "3", "9.5", "", ""],
        ["1", "bars", "a", "1", "", ""],
        ["1", "F-UCB (2)", "1", "7", "", ""],  # a median, say: it has no band, and a name of its own
    ]


# The worker


@pytest.fixture
def gated():
    """A worker whose requests wait at a gate; what it has done; and its events: it rests, may go on, has begun."""
    done, resting, gate, begun = [], threading.Event(), threading.Event(), threading.Event()

    def job(request, alive):
        begun.set()
        gate.wait(120)
        alive()
        done.append(request)

    return Worker(job, resting.set), done, resting, gate, begun


def test_the_latest_request_wins_and_older_ones_stop(gated):
    worker, done, resting, gate, begun = gated
    worker.ask(1)
    assert begun.wait(120)
    for request in range(2, 15):
        worker.ask(request)
    gate.set()
    assert resting.wait(120)
    assert done == [14]


def test_a_cancelled_request_is_dropped_and_the_next_one_done(gated):
    worker, done, resting, gate, begun = gated
    worker.ask("long")
    assert begun.wait(120)
    worker.ask("waiting")
    worker.cancel()
    gate.set()
    assert resting.wait(120) and done == []
    resting.clear()
    worker.ask("next")
    assert resting.wait(120) and done == ["next"]


def test_an_empty_request_replaces_none_and_ends_none(gated):
    worker, done, resting, gate, begun = gated
    worker.ask("running")
    assert begun.wait(120)
    worker.ask({})
    gate.set()
    assert resting.wait(120) and done == ["running", {}]
    resting.clear(), gate.clear()
    worker.ask("running")
    worker.ask("waiting")
    worker.ask({})
    gate.set()
    assert resting.wait(120) and done[-1] == "waiting"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_job_that_breaks_does_not_end_the_worker():
    done, resting = [], threading.Event()

    def job(request, alive):
        if request == "broken":
            raise RuntimeError("broken")
        done.append(request)

    worker = Worker(job, resting.set)
    worker.ask("broken")
    wait(lambda: "banditlab explorer" not in [thread.name for thread in threading.enumerate()])  # its error is told
    assert not worker.running
    worker.ask("good")
    assert resting.wait(120) and done == ["good"]


def wait(true, seconds=120):
    """Wait until a function returns something true."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


# A notebook under papermill


@pytest.mark.parametrize("live", [True, False])
def test_papermill_keeps_the_figure(tmp_path, live):
    cells = [
        "gap: float = 0.3  # gap\nlive: bool = True  # sliders",
        "from tests.browser import demo\nfrom banditlab.explorer import explore",
        "explore(demo.FIGURES, {**demo.VALUES, 'gap': gap}, demo.CONTROLS, demo.PRESETS, 'demo', live)",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    notebook.cells[0].metadata.tags = ["parameters"]
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, tmp_path / "demo.ipynb")
    run = {"progress_bar": False, "kernel_name": "python3", "cwd": str(ROOT)}
    given = {"gap": 0.5} if live else {"gap": 0.5, "live": False}
    done = papermill.execute_notebook(tmp_path / "demo.ipynb", tmp_path / "out.ipynb", given, **run)
    bundles = [output.data for cell in done.cells for output in cell.outputs if output.output_type == "display_data"]
    (plain,) = [bundle for bundle in bundles if NOTEBOOK not in bundle]
    assert plain["application/vnd.plotly.v1+json"] == json.loads(demo.regret(gap=0.5, d=4)[0].to_json())
    assert any("application/vnd.jupyter.widget-view+json" in bundle for bundle in bundles) == live
    assert ("widgets" in done.metadata) == live


# the figure that slides where no kernel is


def test_a_saved_notebook_has_the_page_of_a_report_in_a_frame():
    grid = {"Figure 1": {"gap": [0.1, 0.3], "d": [1, 4, 16], "runs": 10}}
    told = demo.FIGURES, demo.VALUES, demo.CONTROLS, {}, "demo"
    (source,) = re.findall(r'srcdoc="([^"]*)"', frame_instrument(*told, grid, lambda fraction: None))
    page = html.unescape(source)
    (facts,) = (json.loads(text) for text in re.findall(r'<script [^>]*class="facts"[^>]*>(.*?)</script>', page))
    assert facts["figures"]["Figure 1"]["axes"] == {"gap": [0.1, 0.3], "d": [1, 4, 16]}
    assert facts["figures"]["Figure 1"]["fixed"] == {"runs": 10} and facts["titles"] == ["Figure 1"]
    (run,) = (json.loads(text) for text in re.findall(r'<script [^>]*id="page"[^>]*>(.*?)</script>', page))
    assert run["notebook"] == "demo" and run["run"]["d"] == "4" and run["own"]["gap"] == "0.3"


@pytest.mark.parametrize("grid", [None, {}, {"another": {"d": [1, 2]}}, {"Figure 1": {"runs": 10}}])
def test_without_an_axis_there_is_no_frame(grid):
    assert not frame_instrument(demo.FIGURES, demo.VALUES, demo.CONTROLS, {}, "demo", grid, None)
