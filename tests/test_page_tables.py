"""What a figure plays, as tables: what they say is what the figure asks for; what a page cannot draw is refused."""

import itertools

import numpy as np
import pytest

from banditlab import classic
from banditlab.engine.instances import random_instances
from banditlab.explorer import Choice, Slider, Switch
from banditlab.figures import plots
from banditlab.page import plays, tables, traces
from banditlab.page.arguments import list_leaves
from banditlab.study.parameters import Size, bundle
from banditlab.study.study import Study

CONTROLS = {
    "gap": Slider("Gap Δ", 0.1, 0.4, 0.1, start=0.2),
    "arms": Slider("Arms", 2, 5, 1, start=3),
    "alpha": Slider("α", 1.0, 4.0, 0.5, start=2.0),
    "rival": Choice("Rival", ("uniform", "ucb1"), start="uniform"),
    "bound": Switch("Bound", start=True),
    "horizon": Slider("T", 100, 1000, 100, start=200),
    "runs": Slider("Runs", 2, 10, 1, start=4),
}
VALUES = {"seed": 3, **{name: control.start for name, control in CONTROLS.items()}}


def means_of(arms, gap):
    return [0.5, *[0.5 - gap] * (arms - 1)]


@bundle(size=Size)
def play(gap, arms, alpha, rival, size):
    """UCB1 against another, which leaves where there are many arms."""
    policies = {"UCB1": classic.ucb1(arms, alpha)}
    if arms < 5:
        policies["rival"] = classic.uniform(arms) if rival == "uniform" else classic.ucb1(arms, 1.0)
    return size.simulate(classic.bernoulli(means_of(arms, gap)), policies, 10)


def shuffled(seed, arms, gap):
    return classic.bernoulli(np.random.default_rng(seed).permutation(means_of(arms, gap)))


@bundle(size=Size)
def play_drawn(gap, arms, size):
    return size.simulate(random_instances(shuffled, arms=arms, gap=gap), {"UCB1": classic.ucb1(arms)}, 10)


def with_bound(found, n):
    (result,) = found.values()
    figure = plots.regret(result)
    plots.bound(figure, result.checkpoints, n.gap * result.checkpoints, "at most")
    return figure


def slope(found, n):
    """What no page knows: the last regret over the horizon."""
    (result,) = found.values()
    figure = plots.regret(result)
    plots.curve(figure, [0, 1], result.regret[0, :2, -1] ** 2, "squares", 3)
    return figure


def never(found, n):
    raise AssertionError("captions would conclude from what is made up")


def study(**other):
    return Study("Toy", "a toy", **{"play": play, "caption": never, "draw": with_bound, **other})


@pytest.fixture
def pool():
    return tables.Pool()


@pytest.fixture(autouse=True)
def unbuilt(monkeypatch):
    """No module is built: others test them."""
    monkeypatch.setattr(plays.modules, "build_modules", lambda kinds, workers: dict.fromkeys(kinds, b""))


def test_tables_say_what_the_figure_asks_for_at_every_position(pool):
    made, case = tables.tabulate(study().slider(), VALUES, CONTROLS, pool)
    leaves = list(pool.places)
    assert set(made.positions) == {"gap", "arms", "alpha", "rival"}  # the bound and the horizon change no field
    for spot in itertools.product(*made.positions.values()):
        at = dict(zip(made.positions, spot, strict=True))
        (cell,) = case.ask(at)
        expected = {
            name: list(list_leaves((cell.settings["environment"], policy)))
            for name, policy in cell.settings["policies"].items()
        }
        found = {}
        for curve, (there, *columns) in made.curves.items():
            if tables.look_up(there, at, made.positions) >= 0:
                _, *fields = (leaves[tables.look_up(column, at, made.positions)] for column in columns)
                found[curve.policy] = fields
        assert found == expected


def test_a_field_stands_over_what_changes_it_only(pool):
    made, _ = tables.tabulate(study().slider(), VALUES, CONTROLS, pool)
    used = {name for column in made.curves.values() for names, _ in column[2:] for name in names}
    assert used == {"gap", "arms", "alpha"}
    assert all({"gap", "alpha"} - set(names) for column in made.curves.values() for names, _ in column)


def test_drawn_worlds_have_a_table_over_runs(pool):
    made, case = tables.tabulate(study(play=play_drawn).slider(), VALUES, CONTROLS, pool)
    leaves, at = list(pool.places), {"gap": 0.1, "arms": 4, tables.RUN: 7}
    ((there, _, first, *_),) = made.curves.values()
    assert made.drawn and tables.look_up(there, at, made.positions) == 0
    world = case.ask(at)[0].settings["environment"].draw(3, 7)
    assert leaves[tables.look_up(first, at, made.positions)] == next(iter(list_leaves(world)))


def test_lines_are_recognised_and_bounds_are_left_out(pool):
    made, case = tables.tabulate(study().slider(), VALUES, CONTROLS, pool)
    drawing = traces.find_drawing(study().slider(), case, made.curves)
    known = [(line.statistic, line.policy) for line, _ in drawing.traces if line]
    assert known == [("band", "UCB1"), ("mean", "UCB1"), ("band", "rival"), ("mean", "rival")]
    assert [one["trace"]["name"] for line, one in drawing.traces if not line] == [plots.band_name(None)]
    assert drawing.hidden == [("at most", 1)]


def test_what_no_page_draws_is_refused_with_a_reason():
    figures = {"good": study(), "bad": study(draw=slope), "none": study(play=lambda gap, seed, progress=None: gap)}
    found = plays.describe_plays({name: one.slider() for name, one in figures.items()}, CONTROLS, VALUES)
    assert list(found["figures"]) == ["good"]
    assert "what no page makes (squares)" in found["refused"]["bad"] and found["refused"]["none"] == "it plays nothing"
    assert list(found["figures"]["good"]["axes"]) == ["gap", "arms", "alpha", "rival", "horizon", "runs"]


def test_too_large_fields_leave_the_page(pool, monkeypatch):
    monkeypatch.setattr(plays, "ROOM", 10)
    found = plays.describe_plays({"Toy": study().slider()}, CONTROLS, VALUES)
    assert found["refused"] == {"Toy": "its fields would make the page too large"} and found["figures"] == {}
