"""Every figure from plain numbers, at tiny sizes; presets and controls; a made-up recording; the ledger."""

import inspect

import numpy as np
import pytest

import banditlab as bl
from banditlab import censored
from banditlab.censored import claims, experiments
from banditlab.censored.experiments import instances, laws, paper, tables
from banditlab.claims import CLASSES

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
    assert "RCUCB at most (Thm 1)" in {trace.name for trace in figure.data}


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
    figure, result = experiments.paper_figure5("quick", 0, recording())
    horizon = 2 * 12 * 10
    assert result.marks[-1] == horizon and result.regret.shape[1] == 10
    world = result.settings["environment"]
    for name in result.policies:
        assert (-result.of_policy(name)[:, -1] <= horizon * world.rewards.max()).all()
    drawn = {trace.name: np.asarray(trace.y) for trace in figure.data if trace.xaxis == "x"}
    assert np.allclose(drawn["UCB"], -result.of_policy("UCB").mean(axis=0))


def test_without_a_table_figure_5_says_so():
    if instances.recording() is None:
        figure, result = experiments.paper_figure5("quick")
        assert result is None and "no recorded table" in figure.to_json()


def test_simple_regrets_are_those_of_the_recommended_pairs():
    table = laws.simple_regrets((2,), (500,), 3, 0)
    assert table.shape[0] == 3 and (table[["finest", "safest"]] >= 0).all(axis=None)


def test_scales():
    assert paper.sizes("paper")[:2] == (100, 100_000) and paper.sizes("quick").runs >= 20
    with pytest.raises(ValueError, match="scale='big'"):
        paper.sizes("big")


@pytest.mark.parametrize("test", [claims.optimal_limit, claims.optimal_arm, claims.share_indep, claims.share_poscorr])
def test_exact_claims(test):
    row = bl.Claim("censored", *test("quick", 0), "quick")
    expected = {"B1": "not reproduced", "B2": "not reproduced"}
    assert row.verdict == expected.get(row.id, "depends on the reading") and row.verdict in CLASSES


def test_verdicts_follow_the_numbers(monkeypatch):
    """A made-up sweep in which the printed width wins gives the opposite verdict."""
    world = censored.indep(3, 3)
    result = bl.simulate(world, instances.policies_of(world), 500, runs=3)
    for better, worse in ((instances.GAIN, instances.PRINTED), (instances.PRINTED, instances.GAIN)):
        regret = result.regret.copy()
        for name, factor in ((better, 0.01), (worse, 100.0)):
            regret[result.policies.index(name)] *= factor
        changed = bl.Result(result.settings, result.marks, regret, result.tallies, result.origin)
        monkeypatch.setattr(paper, "sweep9", lambda scale, seed, changed=changed: changed)
        reading = claims.best_low("quick", 0)[5]
        held = [name for name, policy in claims.common.READINGS.items() if policy == better][0]
        assert reading.startswith(f"holds: {held}")


def test_printed_tables_are_compared_with_what_the_reading_says(monkeypatch):
    """Shares that are exactly the printed ones agree; RCUCB's head is RCUCB, UCB's head is TS."""
    made = {
        (problem, grid, parameters): {instances.GAIN: np.full(3, printed[0]), instances.UCB: np.full(3, printed[1])}
        for (problem, grid), printed in tables.SHARES.items()
        for parameters in tables.parameters_of(problem)
    }
    monkeypatch.setattr(tables, "shares", lambda scale, seed: made)
    table = tables.rows_of(("M1",), "quick", 0)
    assert set(table.loc[table["ours"] != "best pair", "verdict"]) == {"agrees"}
    assert tables.agrees(instances.UCB, "TS", "quick", 0, "Indep", tables.TEXT)
    assert not tables.agrees(instances.UCB, "UCB", "quick", 0, "Indep", tables.TEXT)
