"""The panel of an explorer without a browser: what its controls do, and what it sends to the plot."""

import json
import threading
import time

import plotly.graph_objects as go
import pytest

from banditlab.explorer import Choice, Slider, instrument, timed
from banditlab.explorer.export import format_csv
from banditlab.explorer.facts import describe_instrument
from banditlab.explorer.figure import call_figure
from banditlab.explorer.instrument import Instrument
from banditlab.explorer.panel import Panel
from banditlab.explorer.worker import Stale
from banditlab.figures import plots
from banditlab.study import overlay
from tests.browser import demo


def panel(functions=demo.FIGURES, presets=demo.PRESETS, **values):
    """A panel of the demo, or of other figure functions."""
    values = {**demo.VALUES, **values}
    figure = call_figure(functions[values["figure"]], values)
    return Panel(functions, values, demo.CONTROLS, presets, "demo", figure, 0.0)


class Clock:
    """Time that passes only where a test says so: what a panel shows first depends on how long things take."""

    now = 0.0

    def perf_counter(self):
        return self.now

    monotonic = perf_counter

    def sleep(self, seconds):
        self.now += seconds


@pytest.fixture
def clock(monkeypatch):
    """The panel's clock."""
    made = Clock()
    monkeypatch.setattr("banditlab.explorer.panel.time", made)
    return made


def wait(true, seconds=120):
    """Wait until a function returns something true."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def rested(made):
    """The panel once it has nothing to do."""
    wait(lambda: not made.worker.running)
    return made


def shown(made):
    """Names and values of the traces of a panel's plot."""
    return traces(made.instrument.shown)


def traces(figure):
    """Names and values of the traces of a figure."""
    return [(trace.name, [*trace.x], [*trace.y]) for trace in figure.data]


def test_controls_start_at_the_values_of_the_parameters_cell():
    made = panel(gap=0.333, d=7, shape="ramp", bound=True)
    assert made.instrument.values == {
        "figure": "Figure 1", "gap": 0.333, "d": 7, "runs": 20, "seconds": 2.0, "shape": "ramp", "bound": True,
    }  # fmt: skip
    assert 0.333 in made.instrument.facts["controls"]["gap"]["values"]


def test_a_control_without_a_value_is_left_out():
    values = {"figure": "Figure 3", "gap": 0.5}
    made = Panel(demo.FIGURES, values, demo.CONTROLS, {}, "demo", demo.paced(0.5)[0], 0.0)
    assert made.instrument.facts["order"] == ["gap"] and made.instrument.facts["presets"] == []


def test_a_slider_draws_its_figure():
    made = panel()
    made.ask({"gap": 0.5})
    assert shown(rested(made)) == traces(demo.regret(gap=0.5, d=4)[0])
    assert made.instrument.status.startswith("Figure 1: Δ = 0.50 σ, d = 4, Runs = 20, Show the upper bound = off (")
    assert made.instrument.command == "python -m banditlab.report demo --scale quick -p gap 0.5 --notebooks ."
    assert "-p gap 0.5 -p d 4 " in made.instrument.papermill
    assert made.instrument.link == "demo.html#figure=Figure+1&gap=0.5"
    assert made.caption.outputs[0]["data"]["text/markdown"] == r"**Regret** over 20 runs, gap $\Delta=0.5$."


def test_what_a_view_asks_for_is_checked_and_told_to_the_others():
    made = panel()
    made.heard({"do": "ask", "values": {**made.instrument.values, "gap": 1, "d": 9}, "preset": "Mine", "by": "a view"})
    told = made.instrument.values
    assert (told["gap"], told["d"], made.instrument.preset, made.instrument.by) == (1.0, 9, "Mine", "a view")
    assert isinstance(told["gap"], float)  # JSON has one kind of number
    with pytest.raises(ValueError, match="d=21: must be between"):
        made.ask({"d": 21})
    rested(made)


def test_a_figure_gets_only_the_values_it_names():
    got = {}

    def only(gap, seed, progress=None):
        """Only two of them."""
        got.update(gap=gap, seed=seed, progress=progress)
        return go.Figure(), None

    made = panel({**demo.FIGURES, "Other": only})
    made.ask({"figure": "Other"})
    rested(made)
    assert got["gap"] == 0.3 and got["seed"] == 0 and callable(got["progress"])
    facts = made.instrument.facts["figures"]["Other"]
    assert (facts["about"], facts["names"], facts["main"]) == ("Only two of them.", ["gap"], ["gap"])


def test_what_a_figure_says_of_itself_is_in_the_facts():
    def figure(a, b, c, d, shape, progress=None):
        return go.Figure(), None

    controls = {name: Slider(name, 0, 9, 1, main=True) for name in "abcd"}
    controls["a"] = Slider("a", 0, 9, 1, main=True, where={"shape": ("ramp",)})
    controls["shape"] = Choice("Shape", ["steps", "ramp"], words={"steps": "in steps"})
    values = {"figure": "One", **dict.fromkeys("abcd", 0), "shape": "steps"}
    step = {"Look": {"a": 3, "say": "Raise a.", "move": ["a"]}}
    facts = describe_instrument({"One": figure}, values, controls, step)
    assert facts["figures"]["One"]["main"] == ["a", "b", "c"]  # the page leaves out those that do nothing
    assert facts["controls"]["a"]["where"] == {"shape": ["ramp"]}
    assert facts["controls"]["shape"]["texts"] == ["in steps", "ramp"]
    assert facts["presets"] == [{"title": "Look", "say": "Raise a.", "move": ["a"], "values": {"a": 3}}]
    figure.main, figure.marks, figure.opens = ("d", "elsewhere"), {"b": [2, 4]}, {"c": 5}
    own = describe_instrument({"One": figure}, values, controls, {}, texts=False)
    about = own["figures"]["One"]
    assert (about["main"], about["marks"], about["opens"]) == (["d"], {"b": [2, 4]}, {"c": 5})
    assert "values" not in own["controls"]["a"]
    made = Panel({"One": figure}, values, controls, {}, "demo", go.Figure(), 0.0)
    assert "a = 0" not in made.said and "b = 0" in made.said


def test_after_a_sketch_the_cores_are_the_browser_s_until_it_has_drawn(monkeypatch):
    monkeypatch.setattr(instrument, "PATIENCE", 600)
    made, looks = panel(), []

    def alive():
        looks.append(None)
        if len(looks) == 3:
            made.instrument._handle_custom_msg("drawn", [])
        if len(looks) > 3:
            raise Stale

    made.instrument.draw("One", go.Figure(), sketch=True)
    made.instrument.wait(alive)
    assert len(looks) == 3
    made.instrument.draw("One", go.Figure(), sketch=True)
    with pytest.raises(Stale):  # a newer request does not wait for it
        made.instrument.wait(alive)
    monkeypatch.setattr(instrument, "PATIENCE", 0)
    made.instrument.wait(lambda: None)  # where nobody looks


def test_a_slow_figure_begins_with_a_quarter_of_the_rounds_and_says_how_long(clock):
    calls = []

    def figure(runs, horizon, progress=None):
        calls.append((runs, horizon))
        clock.sleep(0.16)
        return go.Figure(), None

    controls = {"runs": Slider("Runs", 2, 999, 1), "horizon": Slider("T", 100, 10_000, 100)}
    values = {"figure": "One", "runs": 5, "horizon": 1000}
    made, said, sketches = Panel({"One": figure}, values, controls, {}, "demo", go.Figure(), 1.0), [], []
    made.instrument.observe(lambda change: said.append(change["new"]), "status")
    made.instrument.observe(lambda change: sketches.append(change["new"]), "sketch")
    made.ask({**values, "runs": 100})
    rested(made)
    assert calls == [(3, 250), (100, 1000)] and sketches == [True, False]
    assert "First 3 of 100 runs of One: Runs = 100, T = 1,000; all are coming, about 21 s" in said[1]
    made.rates.clear()  # as if it took as long whatever the numbers
    made.seconds = dict.fromkeys(made.seconds, 1.0)
    made.ask({**values, "runs": 10, "horizon": 300})  # a quarter would be too few
    rested(made)
    assert calls[2:] == [(3, 300), (10, 300)]


def counted(clock, seconds, calls):
    """A figure function that takes a while and keeps its numbers of runs."""

    def figure(gap, runs, progress=None):
        calls.append(runs)
        clock.sleep(seconds)
        return go.Figure(go.Scatter(x=[0, 1], y=[gap, runs], name="line")), None

    return {"Figure 1": figure}


def test_a_slow_figure_is_shown_with_a_few_runs_first(clock):
    calls = []
    made = panel(counted(clock, 0.2, calls), presets={})
    made.seconds.clear()
    for gap in (0.5, 0.55):
        made.ask({"gap": gap})
        rested(made)
    assert calls == [20, 3, 20, 1, 20]  # while it compiles nobody knows how long; then all come before a band is read
    assert shown(made) == [("line", [0, 1], [0.55, 20])]


def test_more_runs_than_before_are_expected_to_take_longer(clock):
    calls = []
    made = panel(counted(clock, 0.03, calls), presets={})
    for runs in (25, 100):
        made.ask({**made.values, "runs": runs})
        rested(made)
    assert calls == [20, 25, 1, 100]


def test_a_fast_figure_is_computed_once(clock):
    calls = []
    made = panel(counted(clock, 0.0, calls), presets={})
    made.ask({"gap": 0.5})
    rested(made)
    assert calls == [20, 20]


def test_a_new_kind_of_figure_says_that_it_compiles():
    said = []
    made = panel()
    made.instrument.observe(lambda change: said.append(change["new"]), "status")
    made.ask({"figure": "Figure 3"})
    rested(made)
    made.ask({"gap": 0.5})
    rested(made)
    assert said[0] == "Compiling..." and said.count("Compiling...") == 1


def test_a_run_of_more_than_five_seconds_is_announced_with_its_seconds(clock):
    said = []
    made = panel(counted(clock, 0.0, []), presets={})
    for gap, rate in ((0.5, 0.01), (0.55, 0.5)):  # made up: seconds of a run
        made.rates = dict.fromkeys(made.seconds, rate)
        made.instrument.observe(lambda change: said.append(change["new"]), "status")
        made.ask({"gap": gap})
        rested(made)
    assert any(text.endswith(", about 10 s...") for text in said) and not any("about 0 s" in text for text in said)


def test_a_long_preset_tells_its_seconds():
    presets = {"Paper": {"gap": 0.5}, "Short": {"gap": 0.9}}
    assert timed(presets, {"Paper": 12.3}) == {"Paper · about 12 s": {"gap": 0.5}, "Short": {"gap": 0.9}}


def test_an_error_is_one_line_and_keeps_the_last_figure():
    made = panel(figure="Figure 2: long runs", seconds=0.1, d=12)
    before = shown(made)
    made.ask({"d": 13})
    rested(made)
    assert made.instrument.alert == "ValueError: d=13: too many arms"
    assert made.instrument.status.startswith("Still shown: Figure 2: long runs: d = 12")
    assert shown(made) == before and made.instrument.busy == 0
    made.ask({"d": 14})
    rested(made)
    assert made.instrument.alert == "" and shown(made) == [("steps", ["F-UCB", "UCB1"], [14, 20])]


def test_cancel_stops_the_computation_and_keeps_the_figure(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = panel(figure="Figure 2: long runs", seconds=0.1)
    before = shown(made)
    demo.HOLD.touch()
    made.ask({"seconds": 10.0})
    wait(lambda: made.instrument.busy)
    made.heard({"do": "cancel"})
    rested(made)
    assert made.instrument.status.startswith("Cancelled. Still shown: Figure 2: long runs: d = 4")
    assert made.instrument.busy == 0 and shown(made) == before
    status = made.instrument.status
    made.heard({"do": "cancel"})  # nothing runs
    assert made.instrument.status == status


def test_cancel_has_the_last_word(tmp_path, monkeypatch):
    """Also where it comes while a request begins, or when a sketch is drawn, which is then what stands."""
    monkeypatch.chdir(tmp_path)
    made = panel(figure="Figure 2: long runs", seconds=0.1)
    announced, wait_for_browser = made.announced, made.instrument.wait

    def begin(values):
        made.heard({"do": "cancel"})
        return announced(values)

    made.announced = begin
    made.ask({"seconds": 0.2})
    assert rested(made).instrument.status.startswith("Cancelled. Still shown: Figure 2: long runs: d = 4")
    made.announced = announced
    made.seconds.clear(), made.rates.clear()  # as if nothing were compiled: a sketch comes first

    def see_sketch(alive):
        made.heard({"do": "cancel"})
        wait_for_browser(alive)

    made.instrument.wait = see_sketch
    made.ask({"seconds": 0.3})
    assert rested(made).instrument.status.startswith("Cancelled. Still shown: First 3 of 20 runs of Figure 2")
    assert made.instrument.busy == 0


def test_save_csv_answers_with_the_lines_on_the_screen():
    made, sent = panel(), []
    made.instrument.send = sent.append
    made.heard({"do": "csv"})
    (answer,) = sent
    head, numbers = answer["csv"].split("# panel 1", 1)
    assert answer["name"] == "demo-figure-1.csv" and numbers in format_csv(demo.regret(gap=0.3, d=4)[0])
    assert head.startswith("# banditlab, demo: Figure 1: Δ = 0.30 σ, d = 4, Runs = 20, ")
    assert head.endswith("# again: python -m banditlab.report demo --scale quick --notebooks .\n")
    made.ask({"gap": 0.5})
    rested(made)
    assert made.instrument.name == "demo-figure-1-gap0.5"


def test_the_plot_keeps_the_view_of_one_figure_and_knows_its_lines():
    figure = plots.blank("two", "x", "y", "caption", columns=2)
    plots.curve(figure, [1, 2], [3, 4], "a", 0, ([2, 3], [4, 5]))
    plots.curve(figure, [1, 2], [3, 4], "a", 0, column=2)
    figure.add_scatter(x=[1], y=[2], name="a")
    plot = Instrument(panel().instrument.facts, "Figure 1", figure)
    one = json.loads(plot.figure)
    assert len({trace["uid"] for trace in one["data"]}) == 4
    assert one["layout"]["uirevision"] == "Figure 1" and one["layout"]["height"] == 470
    plot.draw("Figure 1", plots.blank("a", "x", "y", "caption").add_scatter(x=[1], y=[5], name="a"))
    two = json.loads(plot.figure)
    assert two["layout"]["uirevision"] == "Figure 1"
    assert two["data"][0]["uid"] in {trace["uid"] for trace in one["data"]}
    plot.draw("Figure 2", go.Figure())
    three = json.loads(plot.figure)
    assert three["layout"]["uirevision"] == "Figure 2" and three["layout"]["height"] == 450
    assert figure.layout.uirevision is None  # what was given stays as it was


def test_a_cell_that_is_run_again_leaves_one_explorer_to_draw_anew(monkeypatch):
    made = [panel() for _ in range(3)]
    other = panel()
    monkeypatch.setattr(other, "notebook", "another")
    overlay.WATCHING.add(other)
    assert made[-1] not in overlay.WATCHING and other in overlay.WATCHING
    last = panel()
    assert set(overlay.WATCHING) & {*made, other, last} == {other, last}


def test_the_numbers_of_a_map_are_its_cells():
    figure = go.Figure(go.Heatmap(name="a", x=[1, 2], y=[5, 6, 7], z=[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]))
    lines = format_csv(figure).splitlines()[1:]
    assert lines[0] == "panel,series,x,y,low,high,z" and len(lines) == 7
    assert lines[1:4] == ["1,a,1,5,,,0.0", "1,a,2,5,,,1.0", "1,a,1,6,,,2.0"]


def test_what_is_left_for_later_waits_until_nobody_asks_and_is_done_once():
    made, done, begun, go = panel(), [], threading.Event(), threading.Event()

    def job(alive):
        assert not made.instrument.busy
        begun.set()
        while not go.is_set():
            alive()
            time.sleep(0.01)
        done.append(made.values["d"])

    made.do_later(job)
    assert begun.wait(60)
    made.ask({"d": 7})  # ends the job; it begins anew behind this request
    wait(lambda: made.instrument.shown.layout.title.text == "Regret, d = 7")
    assert done == []
    go.set()
    rested(made)
    assert done == [7] and made.later is None
    made.ask({"d": 8})
    rested(made)
    assert done == [7]


def test_what_goes_wrong_later_is_no_concern_of_the_reader():
    made = panel()
    made.do_later(lambda alive: 1 / 0)
    rested(made)
    assert made.later is None and not made.instrument.alert
