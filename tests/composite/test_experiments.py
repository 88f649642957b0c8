"""Every figure from plain numbers, the sliders that move it, the studies behind the ledger, and the ledger itself."""

import inspect
import math
from types import SimpleNamespace
from typing import NamedTuple

import composite as experiments
import numpy as np
import pytest
from composite import beyond, captions, maps, refined, runs, sequences, studies, tables
from composite.claims import claims
from composite.delay import CASES, SHAPES, Delay

import banditlab as bl
from banditlab import composite
from banditlab.composite import bounds
from banditlab.composite.environments.shapes import weights_of
from banditlab.engine.compiling import signature_of
from banditlab.evidence import VERDICTS
from banditlab.page.arguments import list_leaves
from banditlab.study import study
from banditlab.study.study import Study
from tests.composite.duel import lengths

VALUES = dict(delay="increasing", d=12, start=0.5, gamma=0.8, power=2.0, alpha=5.0, growth="k2", arms=4, gap=0.2,
              horizon=2000, runs=3, upper=True, sequence="week7", rule="oblivious", error=0.1, beta=0.5, told=0.5,
              tie=0.9)  # fmt: skip
NINE = dict(arms=9, gap=0.1)
TINY = dict(runs=3, horizon=1600)


def draw(title, **changed):
    """The figure of this title and its single cell at the values above, some of them changed."""
    values, function = VALUES | changed, experiments.FIGURES[title]
    figure, found = function(**{key: values[key] for key in inspect.signature(function).parameters if key in values})
    return figure, next(iter(found.values()))


def caption(title, **changed):
    """The caption of this figure."""
    return draw(title, **changed)[0].layout.meta["caption"]


@pytest.fixture
def tiny(monkeypatch):
    """Studies of the smallest size; what was played of them is forgotten afterwards."""
    sizes = study.sized

    def small(size, cell):
        numbers = sizes(size, cell)
        changed = {key: value for key, value in TINY.items() if key in numbers}
        return numbers | changed | ({"horizons": (800, 1600)} if "horizons" in numbers else {})

    monkeypatch.setattr(study, "sized", small)
    monkeypatch.delenv("BANDITLAB_DATA", raising=False)
    study.kept.clear()
    sequences.recording.cache_clear()
    yield "quick"
    study.kept.clear()
    sequences.recording.cache_clear()


@pytest.mark.parametrize("title", experiments.FIGURES)
def test_every_figure_is_drawn_and_described(title):
    figure, result = draw(title)
    assert figure.data and figure.layout.meta["caption"] and figure.layout.title.text
    assert result is not None


@pytest.mark.parametrize("delay", SHAPES)
@pytest.mark.parametrize("title", ["Regret", "One reward", "Rounds", "Figure 1", "Knowledge"])
def test_every_shape_is_drawn(delay, title):
    for changed in (dict(d=1, start=0.0), dict(d=9, start=1.0)):
        figure, _ = draw(title, delay=delay, **changed)
        assert figure.data


def test_values_and_presets_are_within_the_controls():
    values = bl.check_parameters(experiments.CONTROLS, **VALUES)
    assert values == VALUES and set(values) == set(experiments.CONTROLS)
    for title, preset in experiments.PRESETS.items():
        known = {key: value for key, value in preset.items() if key in experiments.CONTROLS}
        assert set(preset) - set(known) <= {"figure", "move", "say"}, title
        assert bl.check_parameters(experiments.CONTROLS, **known) == known, title
        figure = experiments.FIGURES[preset["figure"]]
        assert set(known) <= set(inspect.signature(figure).parameters), title


def test_a_delay_is_what_the_sliders_say():
    """The twelve of the paper: their constants, and what benchmarks may be told."""
    told = [30, 60, 40, 20, 100, 50, 100, 50] + [math.inf] * 4
    assert [delay.told for delay in CASES.values()] == told
    means = [bounds.delay_moments(delay.shape).mean for delay in CASES.values()]
    assert means[:10] == pytest.approx([20, 30, 34.5, 14.5, 34, 52 / 3, 67, 101 / 3, 5, 10])
    assert CASES["interval 30–40"].words == "interval 30 to 40" and CASES["polynomial 3"].words.endswith("γ = 3")
    with pytest.raises(ValueError, match="delay"):
        Delay("late").shape  # noqa: B018


def test_progress_may_stop_the_work():
    class Stop(Exception):
        pass

    def progress(fraction):
        raise Stop

    with pytest.raises(Stop):
        draw_with = experiments.FIGURES["Regret"]
        draw_with(**{k: VALUES[k] for k in inspect.signature(draw_with).parameters if k in VALUES}, progress=progress)


def test_shape_does_not_change_what_is_compiled():
    """A slider must never compile: all shapes are one class with fields of the same types."""
    from banditlab.engine import compiling

    shapes = [Delay(name, 9, 0.5, 0.8, 2.0).shape for name in SHAPES]
    assert len({compiling.typeof(composite.stochastic([0.5, 0.4], shape)) for shape in shapes}) == 1


def test_too_many_arms_for_the_gap_are_refused():
    with pytest.raises(ValueError, match="gap=0.2"):
        draw("Regret", arms=9)


def test_upper_bound_is_drawn_only_where_it_holds():
    names = [trace.name for trace in draw("Regret")[0].data]
    assert "Thm 1, leading term" in names
    for changed in (dict(alpha=4.0), dict(delay="polynomial", power=2.0)):
        figure, _ = draw("Regret", **changed)
        assert "Thm 1, leading term" not in [trace.name for trace in figure.data]
        assert "Theorem 1 says nothing" in figure.layout.meta["caption"]


def test_strip_shows_the_rounds_that_are_played():
    """Rounds of ARS-UCB with f = k²: each arm once, then stretches whose lengths are sums of rounds of one arm."""
    figure, played = draw("Rounds")
    first = lengths(np.asarray(played.ranks["ARS-UCB"]))[:4]
    assert [length for _, length in first] == [1, 1, 1, 1] and len({arm for arm, _ in first}) == 4
    assert np.asarray(figure.data[0].z).max() == VALUES["arms"]


def test_triangles_of_a_constant_delay():
    """A delay of 5: a round longer than that gets 5 rewards of earlier pulls, and leaves 5 of its own."""
    _, played = draw("Figure 1", delay="random delay", d=5, start=1.0)
    assert (played.steps, played.late) == (11, pytest.approx(5.0))


@pytest.mark.parametrize("delay, d", [(s, d) for s in SHAPES[:4] for d in (12, 50, 100)]
                         + [("discounted", 12), ("polynomial", 12)])  # fmt: skip
def test_triangles_are_what_crosses_the_ends_of_the_round(delay, d):
    """Pull by pull, from the weights; of the pulls before the round the last 40,000. Tolerance: what comes later."""
    value = Delay(delay, d, 0.5, 0.9, 3.0)
    figure, played = draw("Figure 1", delay=delay, d=d, gamma=0.9, power=3.0)
    length, shape = played.steps, value.shape
    assert math.isinf(value.told) or length >= 2 * value.told
    arrived = np.zeros(40_001 + length)
    known = weights_of(shape, len(arrived))[: len(arrived)]
    arrived[: len(known)] = known
    arrived = np.concatenate([[0.0], np.cumsum(arrived)])  # before the delay j
    lags = np.arange(1, 40_001)
    assert played.late == pytest.approx((arrived[lags + length] - arrived[lags]).sum(), abs=1e-4)
    assert played.late == pytest.approx(sum(1.0 - arrived[j] for j in range(1, length + 1)), abs=1e-9)
    if math.isfinite(value.told):
        assert played.late == pytest.approx(bounds.delay_moments(shape).mean)
    assert f"gets {played.late:.2f} rewards" in figure.layout.meta["caption"]


def test_triangles_without_a_limit_say_so():
    captions = {power: caption("Figure 1", delay="polynomial", power=power) for power in (1.5, 2.0, 3.0)}
    assert "like the logarithm of the round" in captions[2.0] and "like the power 0.5 of the round" in captions[1.5]
    assert "never more than the mean delay, 1.368" in captions[3.0]


def test_hidden_radius_falls_below_the_played_one_where_the_caption_says():
    figure, (table, _) = draw("Hidden radius", delay="decreasing", d=4, alpha=16.0, arms=9, gap=0.1, horizon=100_000)
    below = table["hidden"] <= table["ARS-UCB"]
    assert not below.iloc[0] and below.iloc[-1]
    first = table["pulls N"][below.idxmax()]
    assert f"as it is from {first:,.0f} pulls on" in figure.layout.meta["caption"]
    assert first == sum(k * k for k in range(1, int(table["rounds K"][below.idxmax()]) + 1))
    assert "never is" in caption("Hidden radius", alpha=4.0)
    assert "so is the hidden radius" in caption("Hidden radius", delay="polynomial", power=2.0)


def test_half_of_lemma_1_has_a_curve_below_the_hidden_radius():
    """It is what leaves 1 / t^3 to Hoeffding's inequality and the union over rounds; the caption says its share."""
    figure, (table, _) = draw("Hidden radius", delay="increasing", d=50, alpha=8.0, horizon=20_000, **NINE)
    late = bounds.d1(runs.evenly(*NINE.values()), Delay("increasing", 50).shape)
    own = table["from below, proved"] - late * table["rounds K"] / table["pulls N"]
    chance = math.sqrt(2 * 20_000) * np.exp(-2 * table["pulls N"] * own**2)
    assert chance.to_numpy() == pytest.approx(20_000.0**-3) and (table["from below, proved"] < table["hidden"]).all()
    share = table["from below, proved"] / table["hidden"]
    assert (
        f"{share.min():.0%} to {share.max():.0%} of the radius has the same confidence" in figure.layout.meta["caption"]
    )
    assert "from below, proved" in [trace.name for trace in figure.data]


@pytest.mark.parametrize("alpha, growth", [(8.0, "k3"), (7.0, "2k"), (16.0, "k")])
def test_refined_horizons_have_curves_and_the_caption_says_those_of_this_alpha(alpha, growth):
    figure, (_, starts) = draw("Hidden radius", delay="discounted", alpha=alpha, growth=growth, **NINE)
    shape, means = Delay("discounted", gamma=0.8).shape, runs.evenly(*NINE.values())
    late = bounds.d1(means, shape), bounds.d2(means, shape)
    logs = {name: refined.refined_log_horizon(*late, alpha, f) for f, name in runs.GROWTHS.items()}
    said = ", ".join(f"{captions.whole_log(logs[name])} with {name}" for name in sorted(logs, key=logs.get))
    assert rf"refined, $d_2$ included, at $\ln T^*$ = {said}." in figure.layout.meta["caption"]
    curves = {trace.name: trace for trace in figure.data}
    for name in runs.GROWTHS.values():
        assert (np.diff(curves[f"T*, f = {name}"].y) < 0).all()  # a larger alpha begins earlier
    printed = [bounds.ars_ucb_constant(*late, a, growth).log_t1 for a in curves["T* as printed"].x]
    assert curves["T* as printed"].y == pytest.approx(printed)
    (here,) = curves["this α and f"].y
    assert here == pytest.approx(logs[runs.GROWTHS[growth]]) and curves["this α and f"].x[0] == alpha


def test_right_panel_is_empty_where_theorem_1_does_not_apply():
    figure, (_, starts) = draw("Hidden radius", delay="polynomial", power=2.0)
    assert starts is None and not any(str(trace.name).startswith("T*") for trace in figure.data)
    figure, _ = draw("Hidden radius", alpha=4.0)
    assert "this α and f" not in [trace.name for trace in figure.data]
    assert "only" in figure.layout.meta["caption"]


def test_captions_say_what_the_theorem_is_worth():
    """The leading term is 8 alpha ln T times the sum of 1 / gap; it may exceed all that can be lost."""
    for horizon, word in ((2000, "above"), (40_000, "below")):
        said = caption("Regret", alpha=5.0, horizon=horizon)
        leading = 8 * 5.0 * math.log(horizon) * (1 / 0.2 + 1 / 0.4 + 1 / 0.6)
        assert f"{leading:,.0f} at the horizon, {word} {0.6 * horizon:,.0f}" in said
        assert "With it, the theorem says nothing" in said
    short = caption("Regret", delay="discounted", gamma=0.05, alpha=16.0, horizon=40_000)
    assert "is left out" in short and "says nothing" not in short


def test_infinite_constants_are_written_as_such():
    said = caption("One reward", delay="polynomial", power=1.3)
    assert "$d_1=∞$" in said and "$d_2=∞$" in said and "inf" not in said


def test_no_contestant_enters_twice():
    """A tenth of 4 rounds to nothing; the caption says so."""
    assert "CLW, told 4 for 4" not in runs.contestants(3, 100, 4, errors=(-0.1, 0.1))
    assert "CLW, told 11 for 10" in runs.contestants(3, 100, 10, errors=(0.1,))
    figure, result = draw("Figure 5", d=4)
    assert sum(name.startswith("CLW") for name in result.policies) == 1
    assert "rounds to the same" in figure.layout.meta["caption"]
    assert "told d, and 11 in its place" in caption("Figure 5", d=10)


def test_every_study_is_drawn_at_the_smallest_size(tiny):
    drawn = [s for s in vars(studies).values() if isinstance(s, Study) and "quick" in s.sizes and s.draw]
    assert len(drawn) > 10
    for one in drawn:
        figure, _ = one.figure(tiny)
        assert figure.data and figure.layout.meta["caption"], one.name
    assert "synthetic" in studies.FIGURE_5.figure(tiny)[0].layout.meta["caption"]


def test_the_ledger_is_computed_at_the_smallest_size(tiny):
    rows = claims.ledger(tiny)
    assert {claim.verdict for claim in rows} <= {*VERDICTS, "found", "not found"}
    assert {claim.paper for claim in rows} == {"composite"}
    named = {claim.figure for claim in rows} - {""}
    known = set(experiments.FIGURES) | {s.name for s in vars(studies).values() if isinstance(s, Study)}
    assert named <= known


def test_tables(tiny):
    table = experiments.heavy_tails(tiny)
    assert list(table.index.unique(0)) == list(CASES) and (table["(4, k²)"] != "").all()
    assert list(tables.tail(np.array([1.0, 1.0, 1.0, 5.0])).items()) == [
        ("mean ± s.e.", "2 ± 1"), ("median", "1"), ("s.d.", "2"), ("max", "5"), ("heavy", "25%")]  # fmt: skip
    named = set(experiments.adversarial_table(tiny).reset_index()["sequence"])
    assert named == {f"synthetic stand-in {name}" for name in (*studies.WATCHED, "week7")}


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
    rounds = TINY["horizon"]
    competition(tmp_path, rounds + 5)
    monkeypatch.setenv("BANDITLAB_DATA", str(tmp_path))
    assert sequences.chances("outbrain10", rounds) == pytest.approx([2 / 3, 1 / 3], abs=1e-3)
    assert len(sequences.recording("outbrain10", rounds).labels) == rounds
    games = {cell.game: result for cell, result in studies.FIGURE_5.results(tiny).items()}
    game = games[runs.Game("outbrain10", "non-oblivious", 10)]
    # Tolerance: five standard deviations of realised regret of uniform play over three runs.
    regret = game.final_regret("EXP3, delay-blind").mean()
    assert regret == pytest.approx(rounds * (2 / 3 - 1 / 2), abs=5 * math.sqrt(rounds / 4 / 3))
    settings = game.settings["environment"].settings
    best = {sequences.relabelled(s, settings["labels"], settings["arms"], settings["delays"]).best for s in range(8)}
    assert best == {0, 1}, "the arms are not in random order"
    source = sequences.sources(["outbrain10", "week7"], rounds)
    assert "Outbrain clicks" in source and "Coupon visits" in source and "synthetic" not in source


@pytest.mark.parametrize("ending, rounds", [("_mini", 2000), ("", 1500)])
def test_a_part_of_the_data_is_never_taken(tiny, tmp_path, monkeypatch, ending, rounds):
    """Else the ledger would depend on which part somebody has."""
    competition(tmp_path, rounds, ending)
    monkeypatch.setenv("BANDITLAB_DATA", str(tmp_path))
    assert sequences.sources(["outbrain10", "week7"], TINY["horizon"]).startswith("synthetic stand-ins")


def test_a_sequence_of_ones_own_is_drawn():
    sequence = sequences.synthetic("week7", 500)
    figure, result = experiments.recorded(sequence, d=4, runs=2)
    assert "synthetic stand-in week7" in figure.layout.title.text and result.regret.shape[1] == 2
    with pytest.raises(TypeError, match="sequence"):
        experiments.recorded([0, 1, 2])


def test_maps_over_two_parameters(monkeypatch):
    """One cell of each, against the two simulations that it compares."""
    few = dict(grid=dict(alpha=[4.0, 8.0], d=[5, 50]), horizon=2000, runs=4)
    monkeypatch.setitem(maps.WHERE_IT_STOPS.sizes, "quick", few)
    figure = maps.WHERE_IT_STOPS.figure("quick", 3)[0]
    world = maps.shuffled_runs(maps.NINE, bl.composite.increasing(50))
    policies = bl.composite.ars_ucb(9, 4.0), bl.composite.generalised_odaaf(9, 2000, 50)
    means = [bl.simulate(world, policy, 2000, 4, 3, 1).regret.mean() for policy in policies]
    assert 2.0 ** figure.data[0].z[1, 0] == pytest.approx(means[0] / means[1])
    assert (figure.data[-1].name, figure.data[-1].x, figure.data[-1].y) == ("the paper's", (0,), (1,))
    few = dict(grid=dict(beta=[0.5, 1.0], d=[2, 10]), horizon=1000, runs=3)
    monkeypatch.setitem(maps.RATES_BY_DELAY.sizes, "quick", few)
    ratio = 2.0 ** maps.RATES_BY_DELAY.figure("quick")[0].data[0].z
    assert (ratio[:, 0] == 1).all() and (ratio[:, 1] != 1).any()  # at 1/2 it is compared with itself


def test_headline_speaks_also_where_a_blind_learner_never_wins():
    """Made-up results: UCB1 above ARS-UCB everywhere, then below it in one of the two cases."""

    def made(blind):
        final = {runs.CENTRE: 100.0, runs.BLIND: blind, runs.VARIANTS[0]: 200.0}
        return SimpleNamespace(policies=list(final), regret=np.zeros((3, 20, 1)),
                               final_regret=lambda name: np.full(20, final[name]))  # fmt: skip

    Case, n = NamedTuple("Case", [("case", str)]), SimpleNamespace(horizon=1000)
    never = captions.headline(dict(zip(map(Case, "ab"), map(made, (300.0, 300.0)), strict=True)), n)
    once = captions.headline(dict(zip(map(Case, "ab"), map(made, (300.0, 50.0)), strict=True)), n)
    assert never.endswith("in 2 of 2 cases, UCB1 a smaller one than ARS-UCB in 0 of 2.")
    assert once.endswith("than ARS-UCB in 1 of 2 (b).")


@pytest.mark.parametrize(
    "world",
    [
        sequences.synthetic_worlds("outbrain10", 2000, runs.delays_of("oblivious", 7)),
        sequences.synthetic_worlds("twin3", 501, runs.delays_of("non-oblivious", 20)),
        beyond.random_instances(beyond.tied, tie=0.94, rounds=777, delays=runs.delays_of("non-oblivious", 2)),
    ],
)
def test_what_a_page_draws_is_what_is_played(world):
    for seed in (0, 5, 2**63 + 7):
        drawn, own = world.draw(seed, 1), np.random.SeedSequence(seed, spawn_key=(1, 2)).generate_state(1, np.uint64)
        again = world.recipe().draw(np.random.default_rng(int(own[0])))
        assert signature_of((again,)) == signature_of((drawn,))
        assert list(list_leaves(again)) == list(list_leaves(drawn))
