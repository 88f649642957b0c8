"""Tuning, the figures and the ledger, at sizes of seconds."""

import inspect

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

import banditlab as bl
from banditlab import uplifting
from banditlab.uplifting import data, experiments, tuning
from banditlab.uplifting.experiments import instances, paper, studies, tables

SMALL = dict(
    gap=1.0, L=3, m=12, sigma=0.5, K=3, rho=0.3, beta=1.0, given=4, horizon=300, runs=3, bound=True, beta_scale=2.0,
    mode="all", bonus=2.0, epsilon=0.2, rounds=20, eliminating=True,
)  # fmt: skip
TINY = studies.Scale(3, 200, 200, 100, 2, 20, 3, 100, 3, 200, 3, (3, 5, 6), 10)


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.delenv("BANDITLAB_DATA", raising=False)
    monkeypatch.setitem(studies.SCALES, "quick", TINY)
    return 987  # a seed of its own: results are cached by scale and seed


@pytest.mark.parametrize("title", experiments.FIGURES)
def test_figures_draw_what_they_return(title, monkeypatch):
    monkeypatch.delenv("BANDITLAB_DATA", raising=False)
    function = experiments.FIGURES[title]
    names = inspect.signature(function).parameters
    seen = []
    values = {k: v for k, v in SMALL.items() if k in names}
    figure, result = function(**values, seed=1, progress=seen.append)
    assert isinstance(figure, go.Figure) and figure.layout.meta["caption"] and figure.layout.meta["alt"]
    drawn = {trace.name for trace in figure.data}
    if isinstance(result, bl.Result):
        assert set(result.policies) <= drawn and result.regret.shape[1] == 3 and max(seen) == 1.0
        again = function(**values, seed=1)[1]
        assert (again.regret == result.regret).all()
    else:
        assert isinstance(result, pd.DataFrame) and len(result)


def test_controls_and_presets_fit():
    names = {name for f in experiments.FIGURES.values() for name in inspect.signature(f).parameters}
    assert names - {"seed", "progress"} == set(experiments.CONTROLS)
    for preset in experiments.PRESETS.values():
        values = {name: value for name, value in preset.items() if name != "figure"}
        assert preset["figure"] in experiments.FIGURES
        assert bl.check(experiments.CONTROLS, **values) == values
        assert set(values) <= set(inspect.signature(experiments.FIGURES[preset["figure"]]).parameters)


def test_identified_cells_are_those_of_the_policy():
    """With much exploration and little noise all affected variables, and nothing else, are identified."""
    _, table = experiments.identified(2.0, 3, 12, 0.1, 3, 0.0, 0.1, 3, 3000, seed=0)
    world = uplifting.scaled_gaussian(0, 3, 12, 3, 2.0, 0.1, 0.0)
    often = [a for a in range(3) if world.gaps[a] == 0]
    visible = np.abs(world.mu - world.mu0) > 0.05
    assert set(table.to_numpy()[often][visible[often]]) == {3}
    assert ((table.to_numpy() >= 2) == world.affected).all()


def test_tuning_takes_the_least_mean_plus_deviation():
    world = uplifting.scaled_gaussian(0, 3, 10, 2, 1.0)
    found = tuning.tune(world, lambda p: instances.policy(instances.UP_BL, world, p), [0.01, 1, 9], 400, 10, 3)
    final = found.result.regret[:, :, -1]
    scores = final.mean(axis=1) + final.std(axis=1, ddof=1)
    assert (
        found.table["score"].tolist() == pytest.approx(scores.tolist()) and found.best == [0.01, 1, 9][scores.argmin()]
    )
    assert found.table["q95"].tolist() == np.sort(final, axis=1)[:, -1].tolist()  # of ten, the largest
    assert found.worse_by(found.best) == (0.0, 0.0) and found.worse_by(9)[0] >= 0.0
    for grid, said in (([], "must hold at least one"), ([1, 2, 1], "holds a parameter twice")):
        with pytest.raises(ValueError, match=f"grid=.*{said}"):
            tuning.tune(world, None, grid, 10)
    with pytest.raises(ValueError, match="runs=1"):
        tuning.tune(world, lambda p: instances.policy(instances.UP_BL, world, p), [1], 10, 1)


def test_grids_hold_the_printed_values():
    assert all(tuning.TABLE_3["Gaussian"][n] in tuning.GAUSSIAN_BETAS for n in instances.UPLIFTING)
    assert tuning.TABLE_3["Gaussian"]["Thompson"] in tuning.GAUSSIAN_SIGMA2
    assert set(tuning.TABLE_3["Bernoulli"].values()) <= set(tuning.BERNOULLI_GRID)


def targeted(rounds):
    """Two runs of the campaign with two policies."""
    given = {instances.GREEDY_BL: None, instances.C2_BL: 2.0}
    return instances.run_campaign(uplifting.stand_in(), "all", rounds, 2, 0, given)


@pytest.mark.parametrize("rounds", [10, 205, 310])
def test_mean_uplift_at_every_tenth_round(rounds):
    """Uplift so far is the oracle's minus the regret of that very round, whatever the horizon."""
    result = targeted(rounds)
    checkpoints, uplift, oracle = instances.mean_uplift(result)
    assert checkpoints.tolist() == list(range(10, rounds + 1, 10)) and result.checkpoints.tolist() == list(
        range(1, rounds + 1)
    )
    for place, t in enumerate(checkpoints):
        best, regret = result.tallies[f"best {t}"], result.regret[:, :, t - 1]
        assert uplift[:, :, place] == pytest.approx((best - regret) / (10 * t))
        assert oracle[place] == pytest.approx(best[0].mean() / (10 * t))


def test_what_a_campaign_cannot_record_is_refused():
    for rounds in (5, 1001):
        with pytest.raises(ValueError, match=f"rounds={rounds}: must be at least 10 and at most 1000"):
            targeted(rounds)
    world = uplifting.campaign(uplifting.stand_in(), "all")
    policy = instances.target(instances.GREEDY_BL, world, None)
    with pytest.raises(ValueError, match="checkpoints must contain every 10th round"):
        instances.mean_uplift(bl.simulate(world, policy, 40, checkpoints=3))
    with pytest.raises(ValueError, match="has 1010 rounds, a campaign records the first 1000 only"):
        instances.recorded(bl.Result({}, np.array([1010]), np.zeros((1, 1, 1)), {}, {}), "best")


def test_the_label_is_that_of_the_data_used(tiny, monkeypatch):
    """Runs on one pool are not shown as runs on another, and are not used for it."""
    first, whole = studies.campaign_runs("all", "quick", tiny), uplifting.stand_in()
    half = whole._replace(name="half of it", features=whole.features[:2500], treatment=whole.treatment[:2500],
                          visit=whole.visit[:2500])  # fmt: skip
    monkeypatch.setattr(data, "pool", lambda: half)
    second = studies.campaign_runs("all", "quick", tiny)
    assert first.pool == whole.name and second.pool == "half of it"
    assert (first.result.regret != second.result.regret).any()
    assert paper.paper_figure4("quick", tiny)[0].layout.meta["caption"].startswith("Data: half of it.")
    monkeypatch.setattr(data, "pool", lambda: half._replace(visit=1.0 - half.visit))  # the file has changed
    assert (studies.campaign_runs("all", "quick", tiny).result.regret != second.result.regret).any()
    monkeypatch.undo()
    monkeypatch.delenv("BANDITLAB_DATA", raising=False)
    monkeypatch.setitem(studies.SCALES, "quick", TINY)
    assert studies.campaign_runs("all", "quick", tiny) is first


def test_campaign_records_add_up():
    result = targeted(40)
    checkpoints, uplift, oracle = instances.mean_uplift(result)
    assert checkpoints.tolist() == [10, 20, 30, 40]
    best = result.tallies["best uplift"][0].mean()
    assert oracle[-1] == pytest.approx(best / 400)
    assert uplift[0, 0, -1] == pytest.approx((result.tallies["best uplift"][0, 0] - result.regret[0, 0, -1]) / 400)


def test_unequal_instances_have_equal_gaps():
    few, many = instances.unequal(0, [10] * 10), instances.unequal(0, [50] + [5] * 9)
    assert np.allclose(few.gaps, many.gaps) and np.sort(few.gaps)[1] == pytest.approx(0.2)
    assert many.affected.sum(axis=1).tolist() == [50] + [5] * 9 and few.gaps.argmin() == 0


def test_the_paper_s_figures_and_tables(tiny):
    for draw in (
        experiments.headline, experiments.paper_figure2, experiments.paper_figure3, experiments.paper_figure4,
        experiments.linear_payoffs,
    ):  # fmt: skip
        figure, _ = draw("quick", tiny)
        assert len(figure.data) > 4 and figure.layout.meta["caption"]
    assert len(experiments.final_regrets("quick", tiny)) == 6 + 4 + 6 + 7 + 7


def test_captions_hold_the_numbers_of_the_run(tiny):
    people = experiments.paper_figure2("quick", tiny)
    median = np.median(people[1][2].of_policy(instances.NAFF_BL)[:, -1])
    assert f"of UpUCB-nAff (bl) {median:,.0f}" in people[0].layout.meta["caption"]
    figure, results = experiments.paper_figure4("quick", tiny)
    gain = instances.mean_uplift(results[1])[1][3, :, -1].mean()
    assert f"{results[1].policies[3]} {gain:.3f}" in figure.layout.meta["caption"].split("“all”")[1]
    figure, results = experiments.linear_payoffs("quick", tiny)
    assert f"C2UCB {results['1 treatment'].of_policy('C2UCB')[:, -1].mean():,.0f}" in figure.layout.meta["caption"]


def test_table_3_compares_the_printed_values(tiny):
    found = experiments.table3("quick", tiny)
    assert len(found) == 6 + 4
    for (setting, name), row in found.iterrows():
        one = studies.tuned(name, "quick", tiny, setting.split(",")[0])
        scores, printed = one.table.set_index("parameter")["score"], tables.printed(setting, name)
        assert float(row["paper"]) == printed and row["score of the paper's"] == round(scores[printed], 1)
        assert float(row["ours"]) == scores.idxmin() and row["grid values"] == len(scores)
        assert (row["rounds"], row["runs"]) == (200, 3)
        assert row["at the edge"] == (scores.idxmin() in (scores.index.min(), scores.index.max()))


def test_table_3_of_the_campaign(tiny):
    pool, one = studies.tuned_campaign(instances.EPS, "all", "quick", tiny)
    assert pool == uplifting.stand_in().name and one.table["parameter"].tolist() == list(tuning.EPSILONS)
    same = studies.tuned_campaign(instances.C2, "counterfactual", "quick", tiny).result
    assert same.table["parameter"].tolist() == list(tuning.BONUSES)
    result = studies.campaign_runs("counterfactual", "quick", tiny).result  # bonus 2, the same worlds
    assert (same.final(2.0) == result.of_policy(instances.C2)[:, -1]).all()
    row = tables.compared("campaign, counterfactual, here", instances.C2, same)
    assert row[2] == "2" and row[-3:] == (20, 3, 4)


def test_figure_1_shows_what_the_policies_do():
    figure, (before, after, state) = experiments.paper_figure1(3)
    pulled = int(np.argmax(after.pulls - before.pulls))
    assert pulled != 0 and after.pulls.sum() == before.pulls.sum() + 1
    assert after.index[pulled] < before.index[pulled] and after.index[0] > before.index[0]  # as the paper's (a) says
    widths = {trace.name: np.array(trace.error_x.array) for trace in figure.data if trace.error_x.array is not None}
    shrunk = widths["after"] < widths["before the pull"]
    other = [i not in experiments.illustration.SETS[pulled] for i in experiments.illustration.SETS[0]]
    assert shrunk.tolist() == [True, True, False, False, *other]
    shown = {trace.name: len(trace.x) for trace in figure.data if trace.error_y.array is not None}
    assert sum(shown.values()) == 15 and set(shown) == {"identified", "filled up with", "left out"}
    assert experiments.illustration.kinds(np.array([0.9, 0.1, 0.3, -0.8, 0.2]), 0.5) == [
        "identified", "left out", "left out", "identified", "left out",
    ]  # fmt: skip
    assert experiments.illustration.kinds(np.array([0.9, 0.1, 0.3, -0.4, 0.2]), 0.5)[2] == "filled up with"


def test_uplifts_of_all_actions_are_there():
    figure, table = experiments.uplifts(0.5, 3, 12, 0.5, 6, 0.3, 1.0, 500, seed=1)
    for a in range(6):
        shown = {trace.visible for trace in figure.data if trace.legendgroup == f"action {a}"}
        assert len(shown) == 1 and f"action {a} radius" in table
    assert sum(trace.visible == "legendonly" and trace.showlegend is not False for trace in figure.data) == 3


def test_the_quantile_is_the_paper_s():
    """Of 100 runs the fifth largest."""
    assert tuning.q95(np.random.default_rng(0).permutation(100)) == 95


def test_unknown_scales_are_refused():
    with pytest.raises(ValueError, match="scale='large'"):
        uplifting.ledger("large")
