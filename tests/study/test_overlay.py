"""A reader's own policy in the explorer's figures."""

import importlib
import inspect
import re
import sys
from typing import NamedTuple

import nbformat
import numpy as np
import plotly.graph_objects as go
import pytest

import banditlab as bl
from banditlab.engine import loop, player
from banditlab.explorer.panel import Panel
from banditlab.explorer.worker import Stale
from banditlab.study import overlay
from banditlab.study.study import Live, Study
from banditlab.user_code import diagnose
from tests.explorer.test_explorer_panel import rested, wait
from tests.papers import OPENED
from tests.readers.stuck import Stuck
from tests.reports import ROOT

PAPERS = [path.stem for path in OPENED]
CONTROLS = {"gap": bl.Slider("Gap", 0.1, 0.5, 0.1)}


def play(gap, seed, progress=None):
    """Two arms, UCB1."""
    return bl.simulate(bl.classic.bernoulli([0.9, 0.9 - gap]), {"UCB1": bl.classic.ucb1(2)}, 200, 5, seed)


def said(found, n):
    """A caption."""
    return "caption"


REGRET = Study("Regret", "regret", play, said, dict(gap=(0.2,)), sizes=dict(quick={}), styles={"UCB1": 0}, ours=True)


@pytest.fixture(autouse=True)
def nobody():
    """Nobody has joined, before and after, and no explorer of another test watches."""
    overlay.WATCHING.clear()
    overlay.MAKERS.clear()
    yield
    overlay.MAKERS.clear()


def mine(environment):
    """Uniform play."""
    return bl.classic.uniform(len(environment.means))


def test_a_policy_joins_the_slider_s_figure_and_no_other():
    bl.overlay("Mine", mine)
    figure, found = REGRET.explore(gap=0.3)
    (result,) = found.values()
    assert result.policies == ["UCB1", "Mine"]
    alone = bl.simulate(bl.classic.bernoulli([0.9, 0.9 - 0.3]), {"Mine": bl.classic.uniform(2)}, 200, 5, 0)
    assert np.array_equal(result.of_policy("Mine"), alone.of_policy("Mine"))  # the same worlds
    assert "Mine" in [trace.name for trace in figure.data]
    (printed,) = REGRET.figure("quick")[1].values()
    assert printed.policies == ["UCB1"]  # figures and claims of the paper stay as they are


def test_joining_again_replaces_and_none_takes_out():
    bl.overlay("Mine", mine)
    bl.overlay("Mine", lambda environment: bl.classic.ucb1(2, alpha=9.0))
    (result,) = REGRET.explore(gap=0.3)[1].values()
    assert result.settings["policies"]["Mine"] == bl.classic.ucb1(2, alpha=9.0)
    bl.overlay("Mine", lambda environment: None)
    assert next(iter(REGRET.explore(gap=0.3)[1].values())).policies == ["UCB1"]
    bl.overlay("Mine", None)
    bl.overlay("Mine", None)
    assert overlay.MAKERS == {}


def test_the_explorer_draws_it_at_once_and_while_sliders_move():
    values = {"figure": "Regret", "gap": 0.2}
    functions = {"Regret": REGRET.slider()}
    made = Panel(functions, values, CONTROLS, {}, "", REGRET.explore(gap=0.2)[0], 0.0)
    bl.overlay("Mine", mine)
    assert "Mine" in [trace.name for trace in rested(made).instrument.shown.data]
    made.ask({"gap": 0.4})
    assert "Mine" in [trace.name for trace in rested(made).instrument.shown.data]
    bl.overlay("Mine", None)
    assert "Mine" not in [trace.name for trace in rested(made).instrument.shown.data]


def runs_in(file, name, reached):
    """Whether a thread is in this function of this file: other threads wait in a `select` of their own.

    Compiled, the run must be of Stuck, for others play beside it, and have reached the round where it stays: one that
    is cancelled before ends as any other.
    """
    frames = [frame for frame in sys._current_frames().values() if frame.f_code.co_name == name]
    there = [frame.f_locals for frame in frames if frame.f_code.co_filename.endswith(file)]
    return any("flags" not in one or plays_stuck(one) and one["flags"][0] >= reached for one in there)


def plays_stuck(call):
    """Whether a call of a compiled loop plays Stuck."""
    return diagnose.name_of(call["args"][1]) == "Stuck"


@pytest.mark.parametrize(
    "late, where", [(0, ("stuck.py", "select")), (100, (".py", "call_stoppable"))], ids=["rehearsed", "compiled"]
)
def test_a_method_that_never_returns_is_cancelled_and_told(late, where):
    """In its first rounds, which Python plays in the explorer's thread, and in later ones, compiled."""
    values = {"figure": "Regret", "gap": 0.2}
    made = Panel({"Regret": REGRET.slider()}, values, CONTROLS, {}, "", REGRET.explore(gap=0.2)[0], 0.0)
    overlay.MAKERS["Mine"] = lambda environment: Stuck(2, late)
    made.again()
    wait(lambda: runs_in(*where, late))
    made.heard({"do": "cancel"})
    rested(made)
    assert made.instrument.status.startswith("Cancelled. Still shown: Regret")
    assert made.instrument.alert.startswith("stopped in select, which did not return at stuck.py:1")
    assert "cure: look at how its loop ends" in made.instrument.alert
    bl.overlay("Mine", None)
    assert rested(made).instrument.alert == "" and "Mine" not in [trace.name for trace in made.instrument.shown.data]


class Tilted(NamedTuple):
    """Two arms, the first a little worse with every round."""

    arms: int

    def actions(self):
        return self.arms

    def reset(self, rng):
        return 0

    def step(self, world, action, t, rng):
        return 1.0 if rng.random() < (0.9 - 0.001 * t if action == 0 else 0.5) else 0.0

    def regret(self, world, action, t):
        first = 0.9 - 0.001 * t
        return max(first, 0.5) - (first if action == 0 else 0.5)


def test_an_environment_joins_and_all_policies_meet_it():
    bl.overlay("tilted", lambda environment: Tilted(2))
    bl.overlay("Mine", mine)
    (result,) = REGRET.explore(gap=0.3)[1].values()
    assert result.policies == ["UCB1", "Mine", "UCB1, tilted", "Mine, tilted"]
    alone = bl.simulate(Tilted(2), {"UCB1": bl.classic.ucb1(2)}, 200, 5, 0)
    assert np.array_equal(result.of_policy("UCB1, tilted"), alone.of_policy("UCB1"))
    bl.overlay("tilted", lambda environment: bl.classic.bernoulli([0.9, 0.1]))  # defined anew
    (result,) = REGRET.explore(gap=0.3)[1].values()
    easier = bl.simulate(bl.classic.bernoulli([0.9, 0.1]), {"UCB1": bl.classic.ucb1(2)}, 200, 5, 0)
    assert np.array_equal(result.of_policy("UCB1, tilted"), easier.of_policy("UCB1"))
    bl.overlay("tilted", lambda environment: Tilted(3))
    figure, found = REGRET.explore(gap=0.3)
    assert next(iter(found.values())).policies == ["UCB1", "Mine"]  # the others are drawn all the same
    assert figure.layout.meta["left"].keys() == {"tilted"} and figure.layout.meta["left"]["tilted"].startswith("Value")


def test_progress_goes_on_while_own_things_are_played_and_may_stop_them():
    bl.overlay("Mine", mine)
    bl.overlay("tilted", lambda environment: Tilted(2))
    seen = []
    REGRET.explore(gap=0.3, progress=seen.append)
    assert seen == sorted(seen) and 0.5 < seen[0] < seen[-1] == pytest.approx(1)

    def stop(fraction):
        raise Stale("stopped")

    with pytest.raises(Stale, match="stopped"):
        REGRET.explore(gap=0.3, progress=stop)


@pytest.fixture(params=PAPERS)
def last_section(request):
    """The variables of a paper's notebook after its last section, its figures at small sizes, and its last exercise."""
    cells = {cell.id: cell.source for cell in nbformat.read(ROOT / f"notebooks/{request.param}.ipynb", 4).cells}
    notebook = {"paper": importlib.import_module(request.param)}
    for name in ("parameters", "setup", "own"):
        exec(cells[name], notebook)
    values = {**notebook["values"], "horizon": 400, "runs": 2}
    taken = {title: inspect.signature(figure).parameters for title, figure in notebook["paper"].FIGURES.items()}
    asked = {title: {name: values[name] for name in names if name in values} for title, names in taken.items()}
    return notebook, asked, re.search(r"```python\n(.*?)```", cells["own-environment"], re.S)[1]


def names_of(figure):
    """Names in the legend of a figure."""
    return [trace.name for trace in figure.data if trace.name and trace.showlegend is not False]


def test_the_policy_and_the_environment_of_a_notebook_join_its_figure(last_section):
    notebook, asked, exercise = last_section
    figures = notebook["paper"].FIGURES
    title = notebook["figure"]
    before = names_of(figures[title](**asked[title])[0])
    (own,) = overlay.MAKERS
    assert before.count(own) == 1
    exec(exercise, notebook)
    (name,) = set(overlay.MAKERS) - {own}
    after = names_of(figures[title](**asked[title])[0])
    assert f"{own}, {name}" in after and set(before) < set(after)


def moment(environment, policy, checkpoints, shown, flags, *rngs):
    """Three rounds interpreted; then regret grows evenly."""
    _, world, state = loop.run(environment, policy, np.arange(1, 4), shown, flags, *rngs)
    return checkpoints + 1.0, world, state


def test_the_policy_of_a_notebook_stands_in_the_way_of_no_figure(last_section, monkeypatch):
    notebook, asked, _ = last_section
    ((own, made),) = overlay.MAKERS.items()
    overlay.MAKERS.clear()
    monkeypatch.setattr(player, "compile_pair", lambda *args: moment)  # whether it runs is not asked here
    played, play = [], overlay.play_beside
    monkeypatch.setattr(overlay, "play_beside", lambda *args: played.append(args) or play(*args))
    with np.errstate(all="ignore"):
        for title, figure in notebook["paper"].FIGURES.items():
            try:
                figure(**asked[title])
            except IndexError:
                continue  # it asks more of a run than a moment
            bl.overlay(own, made)
            played.clear()
            drawn, _ = figure(**asked[title])
            assert not played or own in names_of(drawn), f"{title} plays {own} and does not draw it"
            bl.overlay(own, None)


def test_every_figure_draws_a_single_run(last_section):
    """The first sketch of an explorer is one: no band, and no number of it needs a second run."""
    notebook, asked, _ = last_section
    overlay.MAKERS.clear()
    for title, figure in notebook["paper"].FIGURES.items():
        if "runs" in asked[title]:
            figure(**{**asked[title], "runs": 1})


def test_fresh_worlds_are_met_by_one_policy():
    def fresh(gap, seed, progress=None):
        """Two arms, drawn anew for every run."""
        return bl.simulate(bl.random_instances(two_arms, gap=gap), {"UCB1": bl.classic.ucb1(2)}, 200, 5, seed)

    bl.overlay("Mine", mine)
    (result,) = REGRET._replace(play=fresh).explore(gap=0.3)[1].values()
    assert result.policies == ["UCB1", "Mine"]


def test_no_world_is_drawn_where_nobody_joins():
    """Sequences of ten thousand rounds are worlds, too, and every step of a slider asks."""
    met = bl.random_instances(two_arms, gap=0.3)
    result = bl.simulate(met, {"UCB1": bl.classic.ucb1(2)}, 200, 5)
    result.settings["environment"] = bl.random_instances(lambda seed: pytest.fail("a world was drawn"))
    assert overlay.joined(result, {}) is result


def two_arms(seed, gap):
    """Two arms, the better one by chance the first."""
    return bl.classic.bernoulli([0.5, 0.5 + gap] if seed % 2 else [0.5 + gap, 0.5])


def test_a_name_of_the_figure_is_refused_where_a_policy_would_have_it():
    bl.overlay("UCB1", mine)
    figure, found = REGRET.explore(gap=0.3)
    assert "name='UCB1': is a policy of this figure already, must be" in figure.layout.meta["left"]["UCB1"]
    assert next(iter(found.values())).policies == ["UCB1"]
    bl.overlay("UCB1", lambda environment: None)  # does not fit in, so it is in nobody's way
    bl.overlay("Mine", mine)
    figure, found = REGRET.explore(gap=0.3)
    assert next(iter(found.values())).policies == ["UCB1", "Mine"]
    assert figure.layout.meta["left"] == {"UCB1": overlay.ABSENT}
    bl.overlay("UCB1", lambda environment: Tilted(2))
    (result,) = REGRET.explore(gap=0.3)[1].values()
    assert result.policies == ["UCB1", "Mine", "UCB1, UCB1", "Mine, UCB1"]


def test_a_figure_that_plays_nothing_names_who_plays_no_part():
    bl.overlay("Mine", mine)
    figure, _ = REGRET._replace(play=lambda gap, seed, progress=None: gap, draw=lambda found, n: go.Figure()).explore(
        gap=0.3
    )
    assert figure.layout.meta["left"] == {"Mine": overlay.ABSENT}


def test_a_figure_that_draws_no_curve_of_it_says_so_though_it_plays_it():
    """Of the results it draws a measure of its own policies."""
    bl.overlay("Mine", mine)
    figure, found = REGRET._replace(draw=lambda found, n: go.Figure(go.Scatter(x=[1], y=[2], name="ratio"))).explore(
        gap=0.3
    )
    assert next(iter(found.values())).policies == ["UCB1", "Mine"]
    assert figure.layout.meta["left"] == {"Mine": overlay.ABSENT}


def test_a_figure_that_has_no_guests_does_not_play_them():
    bl.overlay("Mine", mine)
    figure, found = REGRET._replace(live=Live(guests=False)).explore(gap=0.3)
    assert next(iter(found.values())).policies == ["UCB1"] and figure.layout.meta["left"] == {"Mine": overlay.ABSENT}


def test_what_cannot_join():
    with pytest.raises(TypeError, match="make=3: must be a function of the environment"):
        bl.overlay("Mine", 3)
    with pytest.raises(ValueError, match="name='': must be a name"):
        bl.overlay("", mine)
    bl.overlay("Mine", lambda environment: environment.nothing)
    figure, found = REGRET.explore(gap=0.3)
    assert next(iter(found.values())).policies == ["UCB1"]
    assert figure.layout.meta["left"]["Mine"].startswith(
        "AttributeError: 'Bernoulli' object has no attribute 'nothing'"
    )


def test_what_is_wrong_is_told_in_the_cell_and_leaves_the_explorer_as_it_was():
    made = Panel(
        {"Regret": REGRET.slider()}, {"figure": "Regret", "gap": 0.2}, CONTROLS, {}, "", REGRET.explore(gap=0.2)[0], 0.0
    )
    bl.overlay("Mine", mine)
    with pytest.raises(AttributeError, match="nothing"):
        bl.overlay("Mine", lambda environment: environment.nothing)
    assert overlay.MAKERS == {}
    assert "UCB1" in names_of(rested(made).instrument.shown) and made.instrument.alert == ""
