"""Every figure from plain numbers, at tiny sizes; captions; presets and controls; a made-up recording."""

import inspect

import censored as experiments
import numpy as np
import pandas as pd
import pytest
from censored import beyond, drawings, leaving, maps, runs, studies, tables
from censored.printed import SHARES
from censored.runs import GAIN, PRINTED, TS, UCB, UCB_SAME

import banditlab as bl
from banditlab import censored

TINY = dict(
    lead=0.1, correlation=-0.3, steepness=10.0, threshold=0.5, problem="Indep", grid="M1", arms=3, limits=4, alpha=1.0,
    width="both", instance="tables", ts_update="per_tau", parts=3, penalty=3.0, horizon=400, runs=2, upper=False,
    seed=1,
)  # fmt: skip


def arguments(function, **changed):
    """Those of the tiny values that a figure takes."""
    values = TINY | changed
    return {name: values[name] for name in inspect.signature(function).parameters if name in values}


def one(found):
    """What was played in the only cell."""
    (result,) = found.values()
    return result


SMALL = {"What sharing is worth": dict(horizon=200), "How long the printed width stays": dict(horizon=300)}


@pytest.mark.parametrize("name", experiments.FIGURES)
def test_figures_draw_what_they_compute(name, monkeypatch):
    if name == beyond.SWINGS.name:
        monkeypatch.setitem(beyond.SWINGS.grid, "rounds", (200, 400))
    function = experiments.FIGURES[name]
    figure, found = function(**arguments(function, **SMALL.get(name, {})))
    again, _ = function(**arguments(function, **SMALL.get(name, {})))
    assert figure.to_json() == again.to_json(), "not reproducible"
    assert figure.layout.meta["caption"] and figure.layout.title.text
    numbers = [np.asarray(trace.y, object).size for trace in figure.data]
    assert numbers and found is not None


@pytest.mark.parametrize("name", ["Regret", "Share of censored rounds", "Landscape", "Figures 4, 6, 7"])
def test_figures_show_every_policy(name):
    figure, found = experiments.FIGURES[name](**arguments(experiments.FIGURES[name], width="normalised"))
    policies = ["RCUCB, second term rescaled", "UCB", "Thompson sampling"]
    assert one(found).policies == policies + [UCB_SAME] * (name == "Figures 4, 6, 7")
    shown = figure.to_json()
    assert all(word.split(",")[0].split(" ")[0] in shown for word in one(found).policies)


def test_printed_shares_stand_behind_ours(monkeypatch):
    worlds = dict(quick=dict(horizon=100, runs=2, names=tables.NAMES))
    monkeypatch.setattr(tables, "CENSORED", tables.CENSORED._replace(sizes=worlds))
    figure = experiments.printed_shares("quick", 1)
    printed = sorted(trace.x[0] for trace in figure.data if trace.name == "paper, printed" and trace.x[0] is not None)
    values = {panel: [share for share, _ in row] for panel, row in SHARES.items()}
    assert printed == sorted(x for (name, _), row in values.items() for x in row * (1 if name == "Indep" else 2))
    assert "meets 9 of 9 printed under RCUCB" not in figure.layout.meta["caption"]  # after 100 rounds
    figure, _ = experiments.FIGURES["Shares of the tables"](**arguments(experiments.FIGURES["Shares of the tables"]))
    assert [trace.y[0] for trace in figure.data[1:5]] == values["Indep", "M1"]
    other = arguments(experiments.FIGURES["Shares of the tables"], grid="literal, k/10")
    figure, _ = experiments.FIGURES["Shares of the tables"](**other)
    assert "prints no shares" in figure.layout.meta["caption"] and "paper, printed" not in figure.to_json()


def test_curves_are_the_means():
    figure, found = experiments.FIGURES["Regret"](**arguments(experiments.FIGURES["Regret"]))
    drawn = {trace.name: np.asarray(trace.y) for trace in figure.data}
    for name in one(found).policies:
        assert np.array_equal(drawn[name], one(found).of_policy(name).mean(axis=0))


@pytest.mark.parametrize("alpha, words", [(1.0, "No theorem holds"), (2.0, "Vacuous on this instance")])
def test_the_caption_says_where_bounds_say_nothing(alpha, words):
    figure, _ = experiments.FIGURES["Regret"](**arguments(experiments.FIGURES["Regret"], alpha=alpha, upper=True))
    assert words in figure.layout.meta["caption"]


def test_bounds_that_say_something_are_not_called_vacuous():
    preset = TINY | {k: v for k, v in experiments.PRESETS["Bounds with a mild penalty"].items() if k != "figure"}
    values = preset | dict(alpha=4.0, horizon=200_000, steepness=0.5, correlation=0.0, runs=2, width="printed")
    figure, _ = experiments.FIGURES["Regret"](**arguments(experiments.FIGURES["Regret"], **values))
    caption = figure.layout.meta["caption"]
    assert "Vacuous" not in caption and "No theorem" not in caption
    assert "RCUCB at most (Thm 1)" in {trace.name for trace in figure.data}


@pytest.mark.parametrize("width", ["both", *runs.WIDTHS])
def test_only_the_printed_width_has_a_theorem(width):
    function = experiments.FIGURES["Regret"]
    figure, _ = function(**arguments(function, alpha=2.0, upper=True, width=width))
    names, caption = {trace.name for trace in figure.data}, figure.layout.meta["caption"]
    assert ("RCUCB at most (Thm 1)" in names) == (width in ("both", "printed"))
    assert ("as printed" in caption) == (width in ("both", "printed")) and "UCB at most (Cor 14)" in names
    assert ("first term alone" in caption) == (width in ("both", "gain_only"))


@pytest.mark.parametrize(
    "threshold, steepness, best", [(0.5, 10.0, "medium"), (0.99, 5.0, "complex"), (0.2, 10.0, "simple")]
)
def test_the_best_model_is_named(threshold, steepness, best):
    figure, found = experiments.FIGURES["Figure 2"](threshold=threshold, steepness=steepness, correlation=0.4)
    world = one(found)
    gains = world.gains[:, world.limits <= threshold + 1e-9].max(axis=1)
    assert runs.MODELS[gains.argmax()] == best
    assert f": {best}." in figure.layout.meta["caption"]


def test_figure_2_has_the_papers_two_promises():
    figure, found = experiments.FIGURE_2.figure("quick")
    assert [world.gains.shape for world in found.values()] == [(3, 98), (3, 98)]
    for case, world in zip(("strict", "soft"), found.values(), strict=True):
        assert world.gains == pytest.approx(censored.example(case).gains, abs=1e-12)
    ends = {trace.xaxis: max(trace.x) for trace in figure.data}
    assert ends == {"x": 0.5, "x2": 0.99}
    drawn = [trace for trace in figure.data if trace.xaxis == "x2" and trace.name == "complex"][0]
    assert np.array_equal(drawn.y, list(found.values())[1].gains[0])


def zoomed(*horizons):
    """A made-up cell of the figure of z-RCUCB."""
    (cell,) = beyond.ZOOMING.cells(dict(problem=("Indep",), parts=(2,)))
    return {cell: pd.DataFrame({"T": horizons, "finest": 0.1, "safest": 0.0})}


def test_theorem_2_is_called_vacuous_where_it_is():
    """No pair loses more than 0.271, so that the bound of 0.63 at a million rounds says nothing; at 10^9 it does."""
    assert "is vacuous: it allows 0.63" in beyond.theorem2_said("Indep", zoomed(20_000, 1_000_000))
    mixed = beyond.theorem2_said("Indep", zoomed(20_000, 10**9))
    assert "m = 2, T = 1,000,000,000" in mixed and "20,000" not in mixed and mixed.endswith("vacuous otherwise.")
    assert "vacuous" not in beyond.theorem2_said("Indep", zoomed(10**9))


def made(regret, world=None):
    """A made-up result: the regret of every run by policy."""
    world = censored.indep(2, 2) if world is None else world
    policies = {name: runs.learners(world)[name] for name in regret}
    noise = 0.01 * np.random.default_rng(0).standard_normal((len(regret), 3, 1))
    values = np.array(list(regret.values()))[:, None, None] + noise
    diagnostics = {"censored": np.full((len(regret), 3), 0.5)}
    return bl.Result({"policies": policies, "environment": world}, np.array([1]), values, diagnostics, {})


def test_captions_name_the_panels():
    better = made({GAIN: 1.0, PRINTED: 5.0, UCB: 3.0, TS: 3.0})
    worse = made({GAIN: 5.0, PRINTED: 1.0, UCB: 3.0, TS: 3.0})
    cells = studies.FIGURE_4.cells(studies.FIGURE_4.grid)
    found = dict(zip(cells, [better, worse, better], strict=True))
    said = studies.ahead_said(found, studies.problems_title)
    assert f"{GAIN} has less regret than UCB: in 2 of 3 panels, not in 1 (NegCorr)." in said
    assert f"{PRINTED} has less regret than Thompson sampling: in 1 of 3 panels, not in 2 (PosCorr; Indep)." in said
    n = studies.FIGURE_4.numbers("quick")
    assert said in studies.problems_said(found, n)
    alone = studies.low_said({studies.FIGURE_9.cells(dict(arms=(5,)))[0]: worse}, n)
    assert "Share of censored rounds: RCUCB, first term only 0.500" in alone and "than UCB: no." in alone


def test_the_map_of_sharing_follows_the_numbers():
    cells = beyond.WORTH.cells(beyond.WORTH.grid)
    world = censored.indep(2, 2)
    policies = {GAIN: 1, UCB_SAME: 1}
    found = {
        cell: bl.Result(
            {"policies": policies, "environment": world}, np.array([9]),
            np.array([[[1.0], [1.1]], [[1.01 * cell.limits], [1.09 * cell.limits]]]), {}, {},
        )
        for cell in cells
    }  # fmt: skip
    n = beyond.WORTH.numbers("quick")
    assert "1.0" not in beyond.worth_said(found, n) and "20.0 with 20 limits" in beyond.worth_said(found, n)
    assert "20 of 20 cells surely" in beyond.worth_said(found, n)
    (shown,) = drawings.worth_of_sharing(found, n).data
    assert list(shown.text[0]) == ["2.0", "3.0", "5.0", "10.0", "20.0"]


def test_the_leaving_round_is_what_a_run_shows():
    """The first round with a smaller limit, by hand, and the computed one beside it."""
    computed, rounds, *_ = runs.left(20.0, "Indep", 6000, 2, 3)
    limits = np.linspace(0.1, 0.9, 10)
    world = censored.indep(limits=limits, penalty=censored.promise(limits, steepness=20.0))
    assert computed == leaving.leaving_round(world.gains, world.penalty)
    actions = bl.record_run(world, censored.rcucb(10, limits, world.penalty), 6000, 3, run=1).actions
    assert (actions[: int(rounds[1]) - 1, 1] == 9).all() and actions[int(rounds[1]) - 1, 1] < 9
    computed, rounds, *_ = runs.left(2.0, "PosCorr", 100, 1, 0)
    assert computed == np.inf and np.isinf(rounds).all()


def test_shares_start_with_what_was_censored():
    """The curve ends at the expected share, which the counted share meets within 4 standard deviations."""
    function = experiments.FIGURES["Share of censored rounds"]
    result = one(function(**arguments(function, horizon=2000, runs=20))[1])
    assert result.metric == "censored rounds"
    expected = result.regret[:, :, -1].mean(axis=1) / 2000
    counted = result.diagnostics["censored"].mean(axis=1)
    assert np.abs(expected - counted).max() < 4 * 0.5 / np.sqrt(20 * 2000)


def test_presets_and_start_values_are_allowed():
    start = TINY | dict(horizon=1000, scale="quick", live=True)
    assert bl.check_parameters(experiments.CONTROLS, **start)
    for preset in experiments.PRESETS.values():
        assert preset["figure"] in experiments.FIGURES
        bl.check_parameters(experiments.CONTROLS, **{key: value for key, value in preset.items() if key != "figure"})
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
    figure, results = experiments.figure_of_recording(recording())
    results, horizon = one(results), 2 * 12 * 10
    result = results["cumulative reward"]
    assert result.checkpoints[-1] == horizon and result.regret.shape[1] == 3
    world = censored.recorded(recording())
    for name in result.policies:
        assert (result.of_policy(name)[:, -1] <= horizon * world.rewards.max()).all()
        assert (results["cumulative penalised gain"].of_policy(name)[:, -1] <= horizon * world.gains.max()).all()
    for axis, found in zip(("x", "x2"), results.values(), strict=True):
        drawn = {trace.name: np.asarray(trace.y) for trace in figure.data if trace.xaxis == axis}
        assert np.allclose(drawn["UCB"], found.of_policy("UCB").mean(axis=0))


def test_the_committed_recording_is_that_of_the_paper():
    table = runs.recording()
    assert table.time.shape == (20, 672) and table.reward.min() > 0.9
    trees = table.time.mean(axis=0).reshape(7, -1)
    assert (np.diff(trees, axis=0) > 0).all()  # more trees take longer, whatever the other parameters


def test_simple_regrets_are_those_of_the_recommended_pairs():
    """Of every row of the final table, by hand: the pair of the finest cell, and that of the largest lower bound."""
    world, T, seed = censored.indep_interval(), 20_000, 3
    table = runs.simple_regrets("Indep", 2, T, 3, seed, horizons=(T,))
    policy = {"z": censored.zrcucb(3, T, world.penalty, alpha=runs.ALPHA, parts=2, delta=runs.DELTA)}
    final = bl.simulate(world, policy, T, 3, seed, 1).final
    for kind in ("finest", "safest"):
        gains = [world.gain(int(a), x) for a, x in zip(final[f"{kind} arm"], final[f"{kind} limit"], strict=True)]
        assert np.allclose(table[kind], world.best - np.array(gains), rtol=0, atol=1e-15)
    assert (table["finest"] != table["safest"]).any()
    assert table[["finest", "safest"]].equals(runs.recommended(4.0, T, 2, 3, seed))


def test_sizes():
    assert studies.SIZES["paper"]["runs"] == 100 and studies.SIZES["paper"]["horizon"] == 100_000
    assert studies.SIZES["quick"]["runs"] >= 20
    with pytest.raises(ValueError, match="scale='big'"):
        experiments.FIGURE_4.figure("big")


def test_the_map_marks_the_papers_cell(monkeypatch):
    """The star stands on L = 10 and ten limits, where RCUCB loses less than half."""
    place, sizes = maps.WHERE_IT_STOPS.mark, maps.WHERE_IT_STOPS.sizes
    for size in sizes.values():
        assert place[0] in size["grid"]["steepness"] and place[1] in size["grid"]["limits"]
    monkeypatch.setitem(sizes, "quick", {**sizes["quick"], "grid": dict(steepness=[0.1, 10.0], limits=[2, 10])})
    figure = experiments.WHERE_IT_STOPS.figure("quick")[0]
    ratios, star = figure.data[0], figure.data[-1]
    assert star.name == "the paper's" and (star.x[0], star.y[0]) == (1, 1)
    assert ratios.z[1][1] < -1 < ratios.z[0][0]
