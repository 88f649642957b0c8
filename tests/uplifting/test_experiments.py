"""Tuning, the figures and the ledger, at sizes of seconds."""

import inspect

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

import banditlab as bl
from banditlab import uplifting
from banditlab.claims import UNTESTED
from banditlab.uplifting import experiments, tuning
from banditlab.uplifting.experiments import instances, paper

SMALL = dict(
    gap=1.0, L=3, m=12, sigma=0.5, K=3, rho=0.3, beta=1.0, given=4, horizon=300, runs=3, bound=True, beta_scale=2.0,
    mode="all", bonus=2.0, epsilon=0.2, rounds=20, eliminating=True,
)  # fmt: skip
TINY = paper.Scale(3, 200, 200, 100, 2, 20, 3, 3, (3, 5, 6), 10)


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.delenv("BANDITLAB_DATA", raising=False)
    monkeypatch.setitem(paper.SCALES, "quick", TINY)
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
    with pytest.raises(ValueError, match="grid="):
        tuning.tune(world, None, [], 10)


def test_grids_hold_the_printed_values():
    assert all(tuning.TABLE_3["Gaussian"][n] in tuning.GAUSSIAN_BETAS for n in instances.UPLIFTING)
    assert tuning.TABLE_3["Gaussian"]["Thompson"] in tuning.GAUSSIAN_SIGMA2
    assert set(tuning.TABLE_3["Bernoulli"].values()) <= set(tuning.BERNOULLI_GRID)


def test_campaign_records_add_up():
    result = instances.run_campaign(uplifting.stand_in(), "all", 40, 2, 0)
    marks, uplift, oracle = instances.mean_uplift(result)
    assert marks.tolist() == [10, 20, 30, 40]
    best = result.tallies["best uplift"][0].mean()
    assert oracle[-1] == pytest.approx(best / 400)
    assert uplift[0, 0, -1] == pytest.approx((result.tallies["best uplift"][0, 0] - result.regret[0, 0, -1]) / 400)


def test_unequal_instances_have_equal_gaps():
    few, many = instances.unequal(0, [10] * 10), instances.unequal(0, [50] + [5] * 9)
    assert np.allclose(few.gaps, many.gaps) and np.sort(few.gaps)[1] == pytest.approx(0.2)
    assert many.affected.sum(axis=1).tolist() == [50] + [5] * 9 and few.gaps.argmin() == 0


def test_the_paper_s_figures_and_the_ledger(tiny):
    for draw in (experiments.headline, experiments.paper_figure2, experiments.paper_figure3, experiments.paper_figure4):
        figure, _ = draw("quick", tiny)
        assert len(figure.data) > 4 and figure.layout.meta["caption"]
    assert len(experiments.final_regrets("quick", tiny)) == 6 + 4 + 6 + 7 + 7
    assert len(experiments.table3("quick", tiny)) == 10
    ledger = uplifting.ledger("quick", tiny)
    ids = [claim.id for claim in ledger]
    assert len(set(ids)) == len(ids) == 28
    assert sum(claim.verdict != UNTESTED for claim in ledger) >= 2 * len(ledger) / 3
    assert {c.paper for c in ledger} == {"uplifting"} and all(c.statistic and c.where for c in ledger)
    campaign = [claim for claim in ledger if claim.id in ("C1", "C6a")]
    assert all("stand-in" in claim.reading + claim.statistic for claim in campaign)


def test_unknown_scales_are_refused():
    with pytest.raises(ValueError, match="scale='large'"):
        uplifting.ledger("large")
