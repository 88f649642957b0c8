"""Every figure from plain numbers, the sliders that move it, the sweeps behind the ledger, and the ledger itself."""

import inspect
import math

import numpy as np
import pytest

import banditlab as bl
from banditlab import composite
from banditlab.claims import CLASSES
from banditlab.composite import claims, experiments
from banditlab.composite.environments.shapes import weights_of
from banditlab.composite.experiments import instances, live, paper, sequences
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
    monkeypatch.delenv("BANDITLAB_DATA", raising=False)
    sweeps = (paper.cell, paper.game, paper.slopes, paper.stress, paper.at_once, sequences.recording)
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
    assert table.iloc[0].tolist() == pytest.approx([11.0, 5.0, 5.0])


@pytest.mark.parametrize("delay, d", [(s, d) for s in instances.SHAPES[:4] for d in (12, 50, 100)]
                         + [("discounted", 12), ("polynomial", 12)])  # fmt: skip
def test_triangles_are_what_crosses_the_ends_of_the_round(delay, d):
    """Pull by pull, from the weights; of the pulls before the round the last 40,000. Tolerance: what comes later."""
    gamma, power = 0.9, 3.0
    shape, told = instances.shape_of(delay, d, 0.5, gamma, power)
    figure, table = draw(live.figure1, delay=delay, d=d, gamma=gamma, power=power)
    length, gained, left = table.iloc[0]
    assert math.isinf(told) or length >= 2 * told
    arrived = np.zeros(40_001 + int(length))
    known = weights_of(shape, len(arrived))[: len(arrived)]
    arrived[: len(known)] = known
    arrived = np.concatenate([[0.0], np.cumsum(arrived)])  # before the delay j
    lags = np.arange(1, 40_001)
    assert gained == pytest.approx((arrived[lags + int(length)] - arrived[lags]).sum(), abs=1e-4)
    assert left == pytest.approx(sum(1.0 - arrived[j] for j in range(1, int(length) + 1)), abs=1e-9)
    if math.isfinite(told):
        assert left == pytest.approx(composite.bounds.delay_moments(shape).mean)
    assert f"gets {gained:.2f} rewards" in figure.layout.meta["caption"]


def test_triangles_without_a_limit_say_so():
    captions = {power: draw(live.figure1, delay="polynomial", power=power)[0].layout.meta["caption"]
                for power in (1.5, 2.0, 3.0)}  # fmt: skip
    assert "like the logarithm of the round" in captions[2.0] and "like the power 0.5 of the round" in captions[1.5]
    assert "never more than the mean delay, 1.368" in captions[3.0]


def test_hidden_radius_falls_below_the_played_one_where_the_caption_says():
    figure, table = draw(live.radii, delay="decreasing", d=4, alpha=16.0, arms=9, gap=0.1, horizon=100_000)
    below = table["hidden"] <= table["ARS-UCB"]
    assert not below.iloc[0] and below.iloc[-1]
    first = table["pulls N"][below.idxmax()]
    assert f"as it is from {first:,.0f} pulls on" in figure.layout.meta["caption"]
    assert first == sum(k * k for k in range(1, int(table["rounds K"][below.idxmax()]) + 1))
    assert "never gives" in draw(live.radii, alpha=4.0)[0].layout.meta["caption"]
    assert "so is the hidden radius" in draw(live.radii, delay="polynomial", power=2.0)[0].layout.meta["caption"]


def test_captions_say_what_the_theorem_is_worth():
    """The leading term is 8 alpha ln T times the sum of 1 / gap; it may exceed all that can be lost."""
    for alpha, word in ((5.0, "above"), (5.0, "below")):
        horizon = 2000 if word == "above" else 40_000
        caption = draw(live.regret, alpha=alpha, horizon=horizon)[0].layout.meta["caption"]
        leading = 8 * alpha * math.log(horizon) * (1 / 0.2 + 1 / 0.4 + 1 / 0.6)
        assert f"{leading:,.0f} at the horizon, {word} {0.6 * horizon:,.0f}" in caption
        assert "With it, the theorem says nothing" in caption
    short = draw(live.regret, delay="discounted", gamma=0.05, alpha=16.0, horizon=40_000)[0].layout.meta["caption"]
    assert "is left out" in short and "says nothing" not in short


def test_infinite_constants_are_written_as_such():
    caption = draw(live.spread, delay="polynomial", power=1.3)[0].layout.meta["caption"]
    assert "$d_1=∞$" in caption and "$d_2=∞$" in caption and "inf" not in caption


def test_no_contestant_enters_twice():
    """A tenth of 4 rounds to nothing; the caption says so."""
    assert "CLW, told 4 for 4" not in instances.contestants(3, 100, 4, errors=(-0.1, 0.1))
    assert "CLW, told 11 for 10" in instances.contestants(3, 100, 10, errors=(0.1,))
    figure, result = draw(live.adversary, d=4)
    assert sum(name.startswith("CLW") for name in result.policies) == 1
    assert "rounds to the same" in figure.layout.meta["caption"]
    assert "told d, and 11 in its place" in draw(live.adversary, d=10)[0].layout.meta["caption"]


def test_sweeps_and_ledger(tiny):
    """At the smallest size everything is computed, and no verdict is typed."""
    ledger = claims.ledger(tiny)
    assert len({claim.id for claim in ledger}) == len(ledger) == 22
    assert {claim.verdict for claim in ledger} <= set(CLASSES) and {claim.paper for claim in ledger} == {"composite"}
    assert not any("depends" in claim.verdict for claim in ledger if claim.id != "C3"), "only C3 has two readings"
    for function in (experiments.paper_figure2, experiments.paper_figure3, experiments.paper_figure4,
                     experiments.paper_figure5, experiments.headline, experiments.growth_and_ties):  # fmt: skip
        figure, _ = function(tiny)
        values = [np.asarray(t.y, float) for t in figure.data if t.y is not None and None not in t.y]
        assert len(values) > 2 and all(np.isfinite(v).all() for v in values)
    assert "synthetic" in experiments.paper_figure5(tiny)[0].layout.title.text
    table = experiments.heavy_tails(tiny)
    assert list(table.index.unique(0)) == list(instances.CASES) and (table["(4, k²)"] != "").all()
    assert list(paper.tail(np.array([1.0, 1.0, 1.0, 5.0])).items()) == [
        ("mean ± s.e.", "2 ± 1"), ("median", "1"), ("s.d.", "2"), ("max", "5"), ("heavy", "25%")]  # fmt: skip
    named = set(experiments.adversarial_table(tiny).reset_index()["sequence"])
    assert named == {f"synthetic stand-in {name}" for name in (*paper.HARD, "week7")}
    figure, results = experiments.growth_and_ties(tiny)
    assert len([t for t in figure.data if t.name.endswith(tuple(results))]) == 2 * 3
    slope = paper.late_slope(results["constant 10"], "CLW, d told").mean()
    assert f"{slope:.4f}." in figure.layout.meta["caption"]


def competition(folder, rounds, ending=""):
    """Files of both competitions under their own names, or with an ending such as that of a sample."""
    clicks = [f"{i},{i % 3},1\n" for i in range(1, rounds + 1)]
    texts = {
        "outbrain/clicks_train": "display_id,ad_id,clicked\n" + "".join(clicks),
        "outbrain/promoted_content": "ad_id,document_id,campaign_id,advertiser_id\n0,0,0,0\n1,1,1,1\n2,2,2,2\n",
        "outbrain/documents_categories": "document_id,category_id,confidence_level\n0,7,1\n1,8,1\n2,7,1\n",
        "coupon/coupon_visit_train": "I_DATE\n" + "".join(f"2012-03-{1 + i % 28:02} 14:15:00\n" for i in range(rounds)),
    }
    for name, text in texts.items():
        path = folder / f"{name}{ending}.csv"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def test_complete_data_take_the_place_of_the_stand_ins(tiny, tmp_path, monkeypatch):
    """Two thirds of the clicks are in category 7: uniform play loses a sixth, which delay-blind EXP3 cannot help."""
    competition(tmp_path, TINY.rounds + 5)
    monkeypatch.setenv("BANDITLAB_DATA", str(tmp_path))
    assert sequences.chances("outbrain10", TINY.rounds) == pytest.approx([2 / 3, 1 / 3], abs=1e-3)
    assert len(sequences.recording("outbrain10", TINY.rounds).labels) == TINY.rounds
    figure, results = experiments.paper_figure5(tiny)
    assert "Outbrain clicks by category" in figure.layout.title.text and "synthetic" not in figure.layout.title.text
    assert "Above: Outbrain clicks" in figure.layout.meta["caption"]
    assert "Below: Coupon visits" in figure.layout.meta["caption"]
    game = results["non-oblivious, d = 10"]
    uniform = TINY.rounds * (2 / 3 - 1 / 2)
    # Tolerance: five standard deviations of realised regret of uniform play over three runs.
    regret = paper.final(game, "EXP3, delay-blind").mean()
    assert regret == pytest.approx(uniform, abs=5 * math.sqrt(TINY.rounds / 4 / 3))
    best = {sequences.relabelled(s, *world_of(game)).best for s in range(8)}
    assert best == {0, 1}, "the arms are not in random order"
    rows = {claim.id: claim for claim in claims.ledger(tiny)}
    for id in ("C7", "C10"):
        assert rows[id].statistic.startswith(("Outbrain clicks", "Coupon visits"))
        assert "Outbrain clicks" in rows[id].reading or "Coupon visits" in rows[id].reading
    assert "synthetic stand-ins zipf10, neartie10" in rows["C7"].statistic


def world_of(game):
    """Labels, arms and delays of a game on recorded data."""
    settings = game.settings["environment"].settings
    return settings["labels"], settings["arms"], settings["delays"]


@pytest.mark.parametrize("ending, rounds", [("_mini", 2000), ("", 1500)])
def test_a_part_of_the_data_is_never_taken(tiny, tmp_path, monkeypatch, ending, rounds):
    """Else the ledger would depend on which part somebody has."""
    before = claims.ledger(tiny).rows()
    competition(tmp_path, rounds, ending)
    monkeypatch.setenv("BANDITLAB_DATA", str(tmp_path))
    for sweep in (paper.game, sequences.recording):
        sweep.cache_clear()
    assert claims.ledger(tiny).rows() == before
    assert "synthetic" in experiments.paper_figure5(tiny)[0].layout.title.text
