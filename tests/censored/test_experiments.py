"""Every figure from plain numbers, at tiny sizes; captions; presets and controls; a made-up recording."""

import inspect

import numpy as np
import pytest

import banditlab as bl
from banditlab import censored
from banditlab.censored import experiments
from banditlab.censored.experiments import instances, laws, paper
from banditlab.censored.experiments.instances import GAIN, PRINTED, TS, UCB

TINY = dict(
    lead=0.1, correlation=-0.3, steepness=10.0, threshold=0.5, problem="Indep", grid="M1", arms=3, limits=4, alpha=1.0,
    width="both", ts_update="per_tau", parts=3, horizon=400, runs=2, upper=False, seed=1,
)  # fmt: skip


def arguments(function, **changed):
    """Those of the tiny values that a figure takes."""
    values = TINY | changed
    return {name: values[name] for name in inspect.signature(function).parameters if name in values}


@pytest.mark.parametrize("name", experiments.FIGURES)
def test_figures_draw_what_they_compute(name):
    function = experiments.FIGURES[name]
    figure, result = function(**arguments(function))
    again, _ = function(**arguments(function))
    assert figure.to_json() == again.to_json(), "not reproducible"
    assert figure.layout.meta["caption"] and figure.layout.title.text
    numbers = [np.asarray(trace.y, object).size for trace in figure.data]
    assert numbers and result is not None


@pytest.mark.parametrize("name", ["Regret", "Share of censored rounds", "Landscape", "Figures 4, 6, 7"])
def test_figures_show_every_policy(name):
    figure, result = experiments.FIGURES[name](**arguments(experiments.FIGURES[name], width="normalised"))
    assert result.policies == ["RCUCB, second term rescaled", "UCB", "Thompson sampling"]
    shown = figure.to_json()
    assert all(word.split(",")[0].split(" ")[0] in shown for word in result.policies)


def test_curves_are_the_means():
    figure, result = experiments.FIGURES["Regret"](**arguments(experiments.FIGURES["Regret"]))
    drawn = {trace.name: np.asarray(trace.y) for trace in figure.data}
    for name in result.policies:
        assert np.array_equal(drawn[name], result.of_policy(name).mean(axis=0))


@pytest.mark.parametrize("alpha, words", [(1.0, "No theorem holds"), (2.0, "Vacuous on this instance")])
def test_the_caption_says_where_bounds_say_nothing(alpha, words):
    figure, _ = experiments.FIGURES["Regret"](**arguments(experiments.FIGURES["Regret"], alpha=alpha, upper=True))
    assert words in figure.layout.meta["caption"]


def test_bounds_that_say_something_are_not_called_vacuous():
    preset = experiments.PRESETS["Bounds with a mild penalty"]
    values = {key: value for key, value in preset.items() if key != "figure"} | dict(alpha=4.0, horizon=200_000)
    values |= dict(steepness=0.5, correlation=0.0, runs=2, width="printed")
    figure, _ = experiments.FIGURES["Regret"](**values)
    caption = figure.layout.meta["caption"]
    assert "Vacuous" not in caption and "No theorem" not in caption
    assert "RCUCB as printed, at most (Thm 1)" in {trace.name for trace in figure.data}


@pytest.mark.parametrize("width", ["both", *instances.WIDTHS])
def test_only_the_printed_width_has_a_theorem(width):
    function = experiments.FIGURES["Regret"]
    figure, _ = function(**arguments(function, alpha=2.0, upper=True, width=width))
    names, caption = {trace.name for trace in figure.data}, figure.layout.meta["caption"]
    assert ("RCUCB as printed, at most (Thm 1)" in names) == (width in ("both", "printed"))
    assert ("as printed" in caption) == (width in ("both", "printed")) and "UCB at most (Cor 14)" in names
    assert ("first term alone" in caption) == (width in ("both", "gain_only"))


@pytest.mark.parametrize(
    "threshold, steepness, best", [(0.5, 10.0, "medium"), (0.99, 5.0, "complex"), (0.2, 10.0, "simple")]
)
def test_the_best_model_is_named(threshold, steepness, best):
    figure, table = laws.figure2(0.4, steepness, threshold)
    assert table[table.index <= threshold + 1e-9].max().idxmax() == best
    assert f": {best}." in figure.layout.meta["caption"]


def test_figure_2_has_the_papers_two_promises():
    figure, found = experiments.paper_figure2()
    assert [table.shape for table in found.values()] == [(98, 3), (98, 3)]
    ends = {trace.xaxis: max(trace.x) for trace in figure.data}
    assert ends == {"x": 0.5, "x2": 0.99}
    drawn = [trace for trace in figure.data if trace.xaxis == "x2" and trace.name == "complex"][0]
    assert np.array_equal(drawn.y, found["soft promise"]["complex"])


def test_theorem_2_is_called_vacuous_where_it_is():
    """At T = 1,000,000 and m = 2 it allows less than the worst pair loses."""
    world = censored.indep_interval()
    short, long = (laws.said_by_theorem2(world, [(2, T)]) for T in (20_000, 1_000_000))
    assert "vacuous" in short and "vacuous" not in long
    mixed = laws.said_by_theorem2(world, [(2, 20_000), (2, 1_000_000)])
    assert "m = 2, T = 1,000,000" in mixed and "20,000" not in mixed and mixed.endswith("vacuous otherwise.")


@pytest.mark.parametrize(
    "factors, words",
    [
        ((0.01, 100.0), "alone everywhere; with the width as printed nowhere"),
        ((100.0, 0.01), "alone nowhere; with the width as printed everywhere"),
    ],
)
def test_captions_follow_the_numbers(monkeypatch, factors, words):
    world = censored.low_censoring(3, 3)
    result = bl.simulate(world, instances.policies_of(world), 500, runs=20)
    regret = result.regret.copy()
    for name, factor in zip((GAIN, PRINTED), factors, strict=True):
        regret[result.policies.index(name)] *= factor
    changed = bl.Result(result.settings, result.checkpoints, regret, result.tallies, result.origin)
    monkeypatch.setattr(paper, "sweep9", lambda scale, seed: changed)
    monkeypatch.setattr(paper, "sweep8", lambda scale, seed: {2: changed, 5: changed})
    monkeypatch.setattr(paper, "sweep4", lambda scale, seed: {(n, g): changed for n in "ABC" for g in instances.GRIDS})
    for draw in (experiments.headline, experiments.paper_figure6, experiments.paper_figure8, experiments.paper_figure9):
        assert words in draw("quick")[0].layout.meta["caption"]
    assert f"{instances.lowest_share(world):.1%}" in experiments.paper_figure9("quick")[0].layout.meta["caption"]


def test_captions_name_the_panels(monkeypatch):
    regret = {name: np.full((3, 1), value) for name, value in {GAIN: 1.0, PRINTED: 5.0, UCB: 3.0, TS: 3.0}.items()}
    world = censored.indep(2, 2)
    policies = {name: instances.policies_of(world)[name] for name in regret}
    better = bl.Result({"policies": policies}, np.array([1]), np.stack(list(regret.values())), {}, {})
    worse = bl.Result({"policies": policies}, np.array([1]), 1 / better.regret, {}, {})
    said = paper.ahead({"one": better, "two": worse, "three": better})
    assert "alone in one, three only; with the width as printed in two only" in said


def test_shares_start_with_what_was_censored():
    """The curve ends at the expected share, which the counted share meets within 4 standard deviations."""
    function = experiments.FIGURES["Share of censored rounds"]
    _, result = function(**arguments(function, horizon=2000, runs=20))
    expected = result.regret[:, :, -1].mean(axis=1) / 2000
    counted = result.tallies["censored"].mean(axis=1)
    assert np.abs(expected - counted).max() < 4 * 0.5 / np.sqrt(20 * 2000)


def test_presets_and_start_values_are_allowed():
    start = TINY | dict(horizon=1000, scale="quick", live=True)
    assert bl.check(experiments.CONTROLS, **start)
    for preset in experiments.PRESETS.values():
        assert preset["figure"] in experiments.FIGURES
        bl.check(experiments.CONTROLS, **{key: value for key, value in preset.items() if key != "figure"})
    used = {p for f in experiments.FIGURES.values() for p in inspect.signature(f).parameters}
    assert set(experiments.CONTROLS) == used - {"seed", "progress"}


def test_progress_may_stop_a_figure():
    def stop(fraction):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        experiments.FIGURES["Regret"](**arguments(experiments.FIGURES["Regret"], horizon=100_000), progress=stop)


def recording(splits=6, arms=12):
    """Made-up measurements: the more an arm rewards, the longer it takes."""
    rng = np.random.default_rng(0)
    effort = np.linspace(0.2, 1.0, arms)
    time = effort * rng.uniform(0.8, 1.3, (splits, arms))
    return censored.Table(np.clip(0.5 + 0.4 * effort + 0.05 * rng.standard_normal((splits, arms)), 0, 1), time)


def test_figure_5_replays_a_table():
    figure, results = experiments.paper_figure5("quick", 0, recording())
    result, horizon = results["cumulative reward"], 2 * 12 * 10
    assert result.checkpoints[-1] == horizon and result.regret.shape[1] == 3
    world = censored.recorded(recording())
    for name in result.policies:
        assert (-result.of_policy(name)[:, -1] <= horizon * world.rewards.max()).all()
        assert (-results["cumulative penalised gain"].of_policy(name)[:, -1] <= horizon * world.gains.max()).all()
    for axis, found in zip(("x", "x2"), results.values(), strict=True):
        drawn = {trace.name: np.asarray(trace.y) for trace in figure.data if trace.xaxis == axis}
        assert np.allclose(drawn["UCB"], -found.of_policy("UCB").mean(axis=0))


def test_the_committed_recording_is_that_of_the_paper():
    table = instances.recording()
    assert table.time.shape == (20, 672) and table.reward.min() > 0.9
    trees = table.time.mean(axis=0).reshape(7, -1)
    assert (np.diff(trees, axis=0) > 0).all()  # more trees take longer, whatever the other parameters


def test_simple_regrets_are_those_of_the_recommended_pairs():
    """Of every row of the final table, by hand: the pair of the finest cell, and that of the largest lower bound."""
    world, T, seed = censored.indep_interval(), 20_000, 3
    table = laws.simple_regrets((2,), (T,), 3, seed)
    policy = {"z": censored.zrcucb(3, T, world.penalty, alpha=laws.ALPHA, parts=2, delta=laws.DELTA)}
    final = bl.simulate(world, policy, T, 3, seed, 1).final
    for kind in ("finest", "safest"):
        gains = [world.gain(int(a), x) for a, x in zip(final[f"{kind} arm"], final[f"{kind} limit"], strict=True)]
        assert np.allclose(table[kind], world.best - np.array(gains), rtol=0, atol=1e-15)
    assert (table["finest"] != table["safest"]).any()


def test_scales():
    assert paper.sizes("paper")[:2] == (100, 100_000) and paper.sizes("quick").runs >= 20
    with pytest.raises(ValueError, match="scale='big'"):
        paper.sizes("big")
