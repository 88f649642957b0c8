"""Every figure from plain numbers, the sliders that move it, the sweeps behind the ledger, and the ledger itself."""

import inspect
import math

import numpy as np
import pytest

import banditlab as bl
from banditlab import composite
from banditlab.claims import CLASSES
from banditlab.composite import claims, experiments
from banditlab.composite.experiments import instances, live, paper
from tests.composite.duel import lengths

VALUES = dict(delay="increasing", d=12, start=0.5, gamma=0.8, power=2.0, alpha=5.0, growth="k2", arms=4, gap=0.2,
              horizon=2000, runs=3, upper=True, sequence="week7", rule="oblivious", error=0.1, beta=0.5)  # fmt: skip
TINY = paper.Scale(3, {}, 1600, 1600, 3, (800, 1600), 1600)


def draw(function, **changed):
    """The figure and its result at the values above, some of them changed."""
    values = VALUES | changed
    return function(**{key: values[key] for key in inspect.signature(function).parameters if key in values})


@pytest.fixture
def tiny(monkeypatch):
    """Experiments of the smallest size; what is kept of them is forgotten afterwards."""
    monkeypatch.setitem(paper.SCALES, "quick", TINY)
    sweeps = (paper.cell, paper.game, paper.slopes, paper.stress, paper.at_once)
    for sweep in sweeps:
        sweep.cache_clear()
    yield "quick"
    for sweep in sweeps:
        sweep.cache_clear()


@pytest.mark.parametrize("title", experiments.FIGURES)
def test_every_figure_is_drawn_and_described(title):
    figure, result = draw(experiments.FIGURES[title])
    assert figure.data and figure.layout.meta["caption"] and figure.layout.title.text
    assert result is not None


@pytest.mark.parametrize("delay", instances.SHAPES)
@pytest.mark.parametrize("function", [live.regret, live.spread, live.rounds, live.figure1])
def test_every_shape_is_drawn(delay, function):
    for changed in (dict(d=1, start=0.0), dict(d=9, start=1.0)):
        figure, _ = draw(function, delay=delay, **changed)
        assert figure.data


def test_values_and_presets_are_within_the_controls():
    values = bl.check(experiments.CONTROLS, **VALUES)
    assert values == VALUES and set(values) == set(experiments.CONTROLS)
    for title, preset in experiments.PRESETS.items():
        known = {key: value for key, value in preset.items() if key != "figure"}
        assert bl.check(experiments.CONTROLS, **known) == known, title
        figure = experiments.FIGURES[preset["figure"]]
        assert set(known) <= set(inspect.signature(figure).parameters), title


def test_progress_may_stop_the_work():
    class Stop(Exception):
        pass

    def progress(fraction):
        raise Stop

    with pytest.raises(Stop):
        live.regret(**{k: VALUES[k] for k in inspect.signature(live.regret).parameters if k in VALUES},
                    progress=progress)  # fmt: skip


def test_shape_does_not_change_what_is_compiled():
    """A slider must never compile: all shapes are one class with fields of the same types."""
    from banditlab import kernel

    kinds = set()
    for delay in instances.SHAPES:
        shape, _ = instances.shape_of(delay, 9, 0.5, 0.8, 2.0)
        kinds.add(kernel.typeof(composite.stochastic([0.5, 0.4], shape)))
    assert len(kinds) == 1


def test_too_many_arms_for_the_gap_are_refused():
    with pytest.raises(ValueError, match="gap=0.2"):
        draw(live.regret, arms=9)


def test_upper_bound_is_drawn_only_where_it_holds():
    names = [trace.name for trace in draw(live.regret)[0].data]
    assert "Thm 1, leading term" in names
    for changed in (dict(alpha=4.0), dict(delay="polynomial", power=2.0)):
        figure, _ = draw(live.regret, **changed)
        assert "Thm 1, leading term" not in [trace.name for trace in figure.data]
        assert "Theorem 1 says nothing" in figure.layout.meta["caption"]


def test_strip_shows_the_rounds_that_are_played():
    """Rounds of ARS-UCB with f = k²: each arm once, then stretches whose lengths are sums of rounds of one arm."""
    figure, _ = draw(live.rounds)
    strip = dict(zip(figure.data[0].y, figure.data[0].z, strict=True))
    first = lengths(np.asarray(strip["ARS-UCB"]))[:4]
    assert [length for _, length in first] == [1, 1, 1, 1] and len({arm for arm, _ in first}) == 4
    assert np.asarray(figure.data[0].z).max() == VALUES["arms"]


def test_triangles_of_a_constant_delay():
    """A delay of 5: a round longer than that gets 5 rewards of earlier pulls, and leaves 5 of its own."""
    _, table = draw(live.figure1, delay="random delay", d=5, start=1.0)
    assert table.iloc[0].tolist() == pytest.approx([5.0, 5.0])


def test_triangles_are_as_large_as_the_mean_delay():
    for delay in ("interval", "decreasing", "increasing"):
        shape, _ = instances.shape_of(delay, 12, 0.5, 0.8, 2.0)
        _, table = draw(live.figure1, delay=delay)
        mean = composite.delay_moments(shape).mean
        assert table["left to later rounds"].iloc[0] == pytest.approx(mean)


def test_sweeps_and_ledger(tiny):
    """At the smallest size everything is computed, and no verdict is typed."""
    ledger = claims.ledger(tiny)
    assert len({claim.id for claim in ledger}) == len(ledger) == 22
    assert {claim.verdict for claim in ledger} <= set(CLASSES) and {claim.paper for claim in ledger} == {"composite"}
    for function in (experiments.paper_figure2, experiments.paper_figure3, experiments.paper_figure4,
                     experiments.paper_figure5, experiments.headline, experiments.growth_and_ties):  # fmt: skip
        figure, _ = function(tiny)
        values = [np.asarray(t.y, float) for t in figure.data if t.y is not None and None not in t.y]
        assert len(values) > 2 and all(np.isfinite(v).all() for v in values)
    assert "synthetic" in experiments.paper_figure5(tiny)[0].layout.title.text
    table = experiments.heavy_tails(tiny)
    assert list(table.index) == list(instances.CASES) and (table[paper.CENTRE] != "").all()
    assert paper.tail(np.array([1.0, 1.0, 1.0, 5.0])) == "2 (1), 25% heavy"
    assert set(experiments.adversarial_table(tiny).reset_index()["sequence"]) == {*paper.HARD, "week7"}


def test_statistics_of_the_ledger():
    straight = np.arange(1, 17)[None, :] * np.ones((3, 1))
    assert claims.slowing(straight[:, 1::2]) == pytest.approx(1.0)
    late, early = claims.increments(straight)
    assert late.tolist() == [8, 8, 8] and early.tolist() == [4, 4, 4]
    logs = np.log(np.arange(1, 17) * 1000.0)[None, :]
    late, early = claims.increments(logs)
    assert late / early == pytest.approx(1.0)
    assert paper.statistics(np.array([1.0, 1.0, 1.0, 5.0]))["heavy"] == 0.25
    assert math.isclose(paper.statistics(np.array([1.0, 3.0]))["s.e."], 1.0)
