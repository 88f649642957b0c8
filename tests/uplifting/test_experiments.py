"""The figures and tables, at sizes of seconds."""

import inspect
import math

import numpy as np
import plotly.graph_objects as go
import pytest
import uplifting as experiments
from uplifting import beyond, checks, data, drawn, figure_1, maps, names, recorded, runs, studies, tables, tuning
from uplifting.tuning import q95, tune

import banditlab as bl
from banditlab import uplifting
from banditlab.study import study
from banditlab.uplifting.environments.gaussian import Observation

SMALL = dict(
    gap=1.0, L=3, m=12, sigma=0.5, K=3, rho=0.3, beta=1.0, given=4, horizon=300, runs=3, bound=True, beta_scale=2.0,
    mode="all", bonus=2.0, epsilon=0.2, rounds=20, eliminating=True, spread=40.0, effect=1.0, best=4,
)  # fmt: skip
TINY = dict(horizon=200, runs=3, betas=(3, 5, 6), every=10, rounds=20)


@pytest.fixture
def tiny(monkeypatch):
    """Every study at a few rounds; what was played before is forgotten."""
    monkeypatch.delenv("BANDITLAB_DATA", raising=False)
    study.kept.clear()
    for name in studies.__all__:
        one = getattr(studies, name)
        sizes = {key: TINY.get(key, value) for key, value in one.sizes.get("quick", {}).items()}
        for module in (studies, experiments, tables):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, one._replace(sizes={"quick": sizes} if one.sizes else {}))
    yield 7
    study.kept.clear()


@pytest.mark.parametrize("title", experiments.FIGURES)
def test_figures_draw_what_they_return(title, monkeypatch):
    monkeypatch.delenv("BANDITLAB_DATA", raising=False)
    function, seen = experiments.FIGURES[title], []
    taken = inspect.signature(function).parameters
    values = {k: v for k, v in SMALL.items() if k in taken}
    figure, found = function(**values, seed=1, progress=seen.append)
    assert isinstance(figure, go.Figure) and figure.layout.meta["caption"] and figure.layout.meta["alt"]
    (result,) = found.values()
    if isinstance(result, bl.Result):
        assert set(result.policies) <= {trace.name for trace in figure.data}
        assert result.regret.shape[1] == 3 and max(seen) == 1.0
        (again,) = function(**values, seed=1)[1].values()
        assert (again.regret == result.regret).all()


def test_controls_and_presets_fit():
    taken = {name for f in experiments.FIGURES.values() for name in inspect.signature(f).parameters}
    assert taken - {"seed", "progress"} == set(experiments.CONTROLS)
    for preset in experiments.PRESETS.values():
        values = {name: value for name, value in preset.items() if name in experiments.CONTROLS}
        assert set(preset) - set(values) <= {"figure", "move", "say"}
        assert preset["figure"] in experiments.FIGURES
        assert bl.check_parameters(experiments.CONTROLS, **values) == values
        assert set(values) <= set(inspect.signature(experiments.FIGURES[preset["figure"]]).parameters)


def test_a_slider_adds_to_the_instance_that_is_there():
    """More variables leave every gap; more affected ones and more actions leave what was drawn before."""
    size = dict(gap=0.5, sigma=1.5, rho=0.25, seed=3)
    worlds = [runs.scaled(L=5, m=m, K=6, **size) for m in (5, 20, 100)]
    for world in worlds:
        assert np.sort(world.gaps)[1] == pytest.approx(0.5)
        assert (world.affected.sum(axis=1) == 5).all() and (world.gaps == worlds[0].gaps).all()
        assert np.allclose(world.covariance[0], 2.25 * (0.75 * np.eye(len(world.mu0)) + 0.25))
    assert (worlds[1].mu0 == worlds[2].mu0[:20]).all()

    def uplifts(world):
        return (world.mu - world.mu0).sum(axis=1)

    few, many = runs.scaled(L=5, m=20, K=4, **size), runs.scaled(L=5, m=20, K=6, **size)
    kept = (few.gaps > 0) & (many.gaps[:4] > 0)  # the leader's own uplift was moved
    assert kept.sum() > 1 and uplifts(few)[kept] == pytest.approx(uplifts(many)[:4][kept])


def test_identified_cells_are_those_of_the_policy():
    """With much exploration and little noise all affected variables, and nothing else, are identified."""
    values = dict(gap=2.0, L=3, m=12, sigma=0.1, K=3, rho=0.0, beta=0.1, given=3, horizon=3000)
    figure, found = experiments.FIGURES["Who touches what"](**values, seed=0)
    world = next(iter(found.values())).world
    best = world.gaps.argmin()
    code, visible = np.array(figure.data[0].z)[0], np.abs(world.mu - world.mu0)[best] > 0.05
    assert set(code[visible]) == {3} and ((code >= 2) == world.affected[best]).all()


def test_tuning_takes_the_least_mean_plus_deviation():
    world = uplifting.scaled_gaussian(0, 3, 10, 2, 1.0)
    found = tune(world, lambda p: names.policy(names.UP_BL, world, p), [0.01, 1, 9], 400, 10, 3)
    final = found.result.regret[:, :, -1]
    scores = final.mean(axis=1) + final.std(axis=1, ddof=1)
    assert found.best == [0.01, 1, 9][scores.argmin()]


def test_grids_hold_the_printed_values():
    assert all(tuning.TABLE_3["Gaussian"][n] in tuning.GAUSSIAN_BETAS for n in names.UPLIFTING)
    assert tuning.TABLE_3["Gaussian"]["Thompson"] in tuning.GAUSSIAN_SIGMA2
    assert set(tuning.TABLE_3["Bernoulli"].values()) <= set(tuning.BERNOULLI_GRID)
    assert tuning.TABLE_3["Gaussian"]["Thompson"] in runs.grid_of("Thompson", "Gaussian", (), 3)


def targeted(rounds):
    """Two runs of the campaign with two policies."""
    return runs.run_campaign(uplifting.stand_in(), "all", {names.GREEDY_BL: None, names.C2_BL: 2.0}, rounds, 2, 0)


@pytest.mark.parametrize("rounds", [10, 40, 310])
def test_mean_uplift_at_every_tenth_round(rounds):
    """Uplift so far is the oracle's minus the regret of that very round, whatever the horizon."""
    result = targeted(rounds)
    checkpoints, uplift, oracle = recorded.mean_uplift(result)
    assert checkpoints.tolist() == list(range(10, rounds + 1, 10))
    for place, t in enumerate(checkpoints):
        best, regret = result.diagnostics["best"][:, :, place], result.regret[:, :, t - 1]
        assert uplift[:, :, place] == pytest.approx((best - regret) / (10 * t))
        assert oracle[place] == pytest.approx(best[0].mean() / (10 * t))
    assert oracle[-1] == pytest.approx(result.diagnostics["best uplift"][0].mean() / (10 * rounds))


@pytest.mark.parametrize("rounds", [5, 1010])
def test_what_a_campaign_cannot_record_is_refused(rounds):
    with pytest.raises(ValueError, match=f"rounds={rounds}: must be a multiple of 10, at most 1000"):
        targeted(rounds)


def test_a_campaign_is_played_again_when_the_data_change(tiny, monkeypatch):
    """Runs on one pool are not shown as runs on another, and are not used for it."""
    whole, read = uplifting.stand_in(), data.read_once
    half = whole._replace(name="half of it", features=whole.features[:2500], treatment=whole.treatment[:2500],
                          visit=whole.visit[:2500])  # fmt: skip

    def result():
        return next(iter(studies.FIGURE_4.results("quick", tiny, mode=("all",)).values()))

    first = result()
    monkeypatch.setattr(data, "source", lambda: ("half", 0, 0))
    monkeypatch.setattr(data, "read_once", lambda *source: half if source else read())
    assert (first.regret != result().regret).any()
    assert experiments.FIGURE_4.figure("quick", tiny)[0].layout.meta["caption"].startswith("Data: half of it.")
    monkeypatch.setattr(data, "source", lambda: ())
    assert (first.regret == result().regret).all()


def test_unequal_instances_have_equal_gaps():
    few, many = runs.unequal(0, [10] * 10), runs.unequal(0, [50] + [5] * 9)
    assert np.allclose(few.gaps, many.gaps) and np.sort(few.gaps)[1] == pytest.approx(0.2)
    assert many.affected.sum(axis=1).tolist() == [50] + [5] * 9 and few.gaps.argmin() == 0


REPORTED = ["HEADLINE", "FIGURE_1", "TOUCHED", "FIGURE_2", "FIGURE_3", "FIGURE_4", "LINEAR_PAYOFFS", "FEW_ACTIONS",
            "ILIFT", "OFFLINE", "TOLD", "GAINS", "ONE_UNIT", "OUTSIDE"]  # fmt: skip


@pytest.mark.parametrize("name", REPORTED)
def test_the_figures_of_the_report(name, tiny):
    figure, _ = getattr(experiments, name).figure("quick", tiny)
    caption = figure.layout.meta["caption"]
    assert len(figure.data) > 0 and caption.endswith(".") and "nan" not in caption


def test_captions_hold_the_numbers_of_the_run(tiny):
    figure, found = experiments.FIGURE_2.figure("quick", tiny)
    median = np.median(found[list(found)[2]].final_regret(names.NAFF_BL))
    assert f"UpUCB-nAff (bl) {median:,.0f}" in figure.layout.meta["caption"]
    figure, found = experiments.FIGURE_4.figure("quick", tiny)
    result = found[list(found)[1]]
    gain = recorded.mean_uplift(result)[1][3, :, -1].mean()
    assert f"{result.policies[3]} {gain:.3f}" in figure.layout.meta["caption"].split("“all”")[-1]


def test_lines_of_the_price_have_the_dashes_that_its_caption_names(tiny):
    figure, _ = experiments.PRICE.figure("quick", tiny)
    dashes = {trace.name: trace.line.dash for trace in figure.data if trace.mode == "lines"}
    assert dashes == {"once: (1 + L*/(L√(K−1)))²": "dot", "Theorem 1 over Proposition 1": "dash"}
    caption = figure.layout.meta["caption"]
    assert "Dotted: the formula" in caption and "dashed: Theorem 1 over Proposition 1" in caption


def test_the_tables(tiny):
    assert len(experiments.final_regrets("quick", tiny)) == 6 + 4 + 6 + 7 + 7
    found = experiments.table_3("quick", tiny)
    assert len(found) == 6 + 4
    for (setting, name), row in found.iterrows():
        one = tables.tunings("quick", tiny)[setting][name]
        scores, printed = one.table.set_index("parameter")["score"], tables.printed(setting, name)
        assert float(row["paper"]) == printed and row["score of the paper's"] == round(scores[printed], 1)
        assert float(row["ours"]) == scores.idxmin() and row["grid values"] == len(scores)
    drawn = experiments.printed_parameters("quick", tiny).data
    known = [trace for trace in drawn if trace.name == "paper, printed" and trace.x[0] is not None]
    assert [trace.x[0] for trace in known] == [float(row["paper"]) for _, row in found.iterrows()]
    assert [float(f"{trace.y[0]:.4g}") for trace in known] == pytest.approx(
        (found["score of the paper's"] / found["best score"]).tolist(), abs=0.01
    )
    assert experiments.table_1().iloc[:, -1].tolist() == [500_000, 5000, 5000, 5000, 5000]


def test_figure_1_shows_what_the_policies_do():
    figure, found = experiments.FIGURE_1.figure("quick", 3)
    _, _, (before, after, _) = next(iter(found.values()))
    pulled = int(np.argmax(after.pulls - before.pulls))
    assert pulled != 0 and after.pulls.sum() == before.pulls.sum() + 1
    assert after.index[pulled] < before.index[pulled] and after.index[0] > before.index[0]  # as the paper's (a) says
    widths = {trace.name: np.array(trace.error_x.array) for trace in figure.data if trace.error_x.array is not None}
    shrunk = widths["after"] < widths["before the pull"]
    other = [i not in runs.SMALL_SETS[pulled] for i in runs.SMALL_SETS[0]]
    assert shrunk.tolist() == [True, True, False, False, *other]
    shown = {trace.name: len(trace.x) for trace in figure.data if trace.error_y.array is not None}
    assert sum(shown.values()) == 15 and set(shown) == {"identified", "filled up with", "left out"}
    assert figure_1.kinds(np.array([0.9, 0.1, 0.3, -0.8, 0.2]), 0.5) == [
        "identified", "left out", "left out", "identified", "left out",
    ]  # fmt: skip
    assert figure_1.kinds(np.array([0.9, 0.1, 0.3, -0.4, 0.2]), 0.5)[2] == "filled up with"


# Beyond the paper


@pytest.mark.parametrize("rho, share", [(0.0, 0.1), (0.6, 0.1), (0.9, 0.5), (0.6, 1.0)])
def test_the_gain_is_what_the_policy_finds(rho, share):
    """The closed form against the covariance of an instance: 20 variables, equally correlated."""
    world = uplifting.scaled_gaussian(0, 3, 20, round(20 * share), 0.5, 1.0, rho)
    own, left = beyond.deviations(world) ** 2
    assert own / left == pytest.approx(np.full(3, beyond.gain(rho, share, 20)))


def test_the_slope_follows_from_what_is_told():
    slopes = {effect: beyond.slope(beyond.outside(effect, 1.0, 100, 2, 0)) for effect in (0.2, 0.8, 1.5)}
    assert slopes == {0.2: 0.0, 0.8: pytest.approx(0.3), 1.5: pytest.approx(1.0)}


def test_the_second_best_action_trails_by_a_half_on_every_instance_of_an_effect_outside():
    for instance in drawn.INSTANCES:
        for effect, lost in ((0.2, 0.0), (0.8, 0.3), (1.5, 1.0)):
            one = beyond.outside(effect, 1.0, 100, 2, 0, instance=instance)
            assert beyond.slope(one) == pytest.approx(lost), instance


def test_comb_ucb_by_hand():
    inside, actions, payoffs = np.array([[True, False], [False, True]]), np.array([0, 1]), [[1.0, 0.0], [0.0, 0.0]]
    assert checks.comb_ucb(inside, actions[:1], payoffs[:1], 0.5) == 1  # each once
    assert checks.comb_ucb(inside, actions, payoffs, 0.5) == 0


def test_wrong_choices_are_a_matter_of_samples():
    world = uplifting.paper_gaussian(0)
    assert checks.wrong_choices(world, 1e9, 100, 0) == 0 and checks.wrong_choices(world, 1.0, 100, 0) > 60


def test_the_quantile_is_the_paper_s():
    """Of 100 runs the fifth largest."""
    assert q95(np.random.default_rng(0).permutation(100)) == 95


def test_the_run_that_locks_is_the_worst_of_the_ablation():
    found = runs.locking(1.0, 400, 5, 3)
    world, made = found.world, names.policies(found.world, {names.LCB: 1.0})
    regrets = bl.simulate(world, made, 400, 5, 3).final_regret(names.LCB)
    assert found.run == regrets.argmax() and found.traces[names.LCB].regret[-1] == regrets.max()
    assert found.traces[names.LCB].indices.shape == (400, 3, 10)


def test_pulls_without_noise_follow_the_radii():
    """A worse action is not played any more when its radius is less than its gap; of large gaps that comes soon."""
    world, _, (state,) = runs.noiseless(1.0, 60_000, 0)
    worse = world.gaps > 0
    enough = 2.0 * (10 / world.gaps[worse]) ** 2
    assert (state.pulls[worse] <= enough + 1).all()
    assert (state.pulls[worse] / enough)[world.gaps[worse] > 2].min() > 0.8


def test_the_map_marks_the_paper(monkeypatch):
    few = dict(grid=dict(L=[2, 10], rho=[0.0, 0.636]), horizon=60, runs=3)
    monkeypatch.setitem(maps.WHERE_IT_STOPS.sizes, "quick", few)
    figure = experiments.WHERE_IT_STOPS.figure("quick", 1)[0]
    star = next(one for one in figure.data if one.name == "the paper's")
    assert (star.x, star.y) == ((1,), (1,)) and "cells" in figure.layout.meta["caption"]


def test_both_is_algorithm_3_and_then_algorithm_5():
    """Without noise: the index of the one before N0 pulls, of the other from then on."""
    mu = np.array([[1.0, 0.0, 0.0], [0.0, 0.4, 0.0]])
    early, late = uplifting.upucb_naff_bl(2, np.zeros(3), 1, 1.0), uplifting.upucb_ilift_bl(2, np.zeros(3), 0.4, 1.0)
    played = [(policy, policy.init(None)) for policy in (checks.Both(early, late), early, late)]
    for pulls in range(1, late.enough + 3):
        seen = Observation(mu[1], 0.4)
        both, first, second = (policy.update(state, 1, seen, 0, None).index[1] for policy, state in played)
        assert both == (first if pulls < late.enough else second) and (first != second or pulls >= late.enough)


def test_the_bound_that_the_combination_breaks_is_equation_12():
    """beta = log(2 K m T / delta) in both; 8 beta L^2 / gap + gap, and four times the first part."""
    one = checks.combined(m=50, at=20, hidden=0.8, lead=1.1, delta=0.05, horizon=300, runs=2, seed=0)
    gap, beta = one.result.settings["environment"].gaps.max(), math.log(2 * 2 * 50 * 300 / 0.05)
    assert gap == pytest.approx(2.2 * math.sqrt(2 * beta / 20))
    for name, times in (("L", 1), ("2 L", 2)):
        assert one.limits[name].beta == pytest.approx(beta)
        assert one.limits[name].regret == pytest.approx(8 * times**2 * beta / gap + gap)


def test_a_lasting_loss_is_largest_at_one_gap():
    """x Phi(-x) is largest near 0.75; the difference of two sets' errors has deviation L sqrt(2 / n)."""
    assert checks.lasting_loss(10, 400) == pytest.approx(0.17 * 10 * math.sqrt(2 / 400), rel=1e-3)


def test_campaigns_are_searched_as_theorem_5_allows_them():
    worlds = [checks.drawn_campaign(number) for number in range(100)]
    lengths = np.array([np.linalg.norm(world.theta, axis=1).max() for world in worlds])
    assert all(1 <= world.budget < world.individuals and world.noise == 1 for world in worlds)
    assert lengths.min() > 0.01 and lengths.max() < 10 and lengths.max() > 100 * lengths.min()
    found = checks.searched_campaigns(3, 0.05, horizon=60, runs=2, seed=0)
    assert {kind: number for kind, (_, number) in found.items()} == {"random": 3, "stress": 18}
    assert all(0 < largest < 1 for largest, _ in found.values())


def test_stress_campaigns_turn_the_weights_round():
    """The best choice gains twice the weights' length at most; a wrong one loses as much."""
    for world in checks.stress_campaigns():
        assert (world.theta[1] == -world.theta[0]).all() and len(world.theta) == 2
