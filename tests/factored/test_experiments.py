"""Every figure: its curves are the simulation's, at the ends of every slider too; what is exact agrees with runs."""

import inspect
from types import SimpleNamespace

import factored
import numpy as np
import pytest
from factored import beyond, drawings, ftrack_law, maps, minimax, runs

import banditlab as bl
from banditlab.explorer import Slider, check_parameters
from banditlab.factored import bounds
from banditlab.study.parameters import Size

VALUES = dict(
    gap=0.5, d=2, sigma=0.5, rho=0.8, k=2, law="normal", horizon=1000, runs=3, alpha=4.0, low=0.7, n0_mult=10,
    spend=0.3, batch=2.0, noisy="second", lower=True, upper=True, seed=0,
)  # fmt: skip


def drawn(title, **changes):
    function = factored.FIGURES[title]
    names = inspect.signature(function).parameters
    return function(**{n: v for n, v in {**VALUES, **changes}.items() if n in names})


@pytest.mark.parametrize("title", factored.FIGURES)
def test_every_figure_draws_and_explains_itself(title):
    figure, _ = drawn(title)
    assert any(t.x is not None and len(t.x) for t in figure.data)
    assert len(figure.layout.meta["caption"]) > 40 and figure.layout.title.text


@pytest.mark.parametrize("title", factored.FIGURES)
def test_every_parameter_has_a_control_or_is_the_seed(title):
    names = set(inspect.signature(factored.FIGURES[title]).parameters)
    assert names <= set(factored.CONTROLS) | {"seed", "progress"}


def test_presets_are_valid_and_name_figures():
    for preset in factored.PRESETS.values():
        assert preset["figure"] in factored.FIGURES
        check_parameters(factored.CONTROLS, **preset)


@pytest.mark.parametrize("end", ["lo", "hi"])
@pytest.mark.parametrize("name", ["gap", "d", "sigma", "rho", "k", "alpha", "low", "n0_mult", "spend", "batch"])
def test_figures_survive_the_ends_of_the_sliders(name, end):
    slider = factored.CONTROLS[name]
    assert isinstance(slider, Slider)
    for title, function in factored.FIGURES.items():
        if name in inspect.signature(function).parameters:
            figure, _ = drawn(title, **{name: getattr(slider, end), "runs": 2})
            assert figure.layout.meta["caption"]


def test_regret_curves_are_the_results_means_and_bernoulli_worlds_are_played():
    for law, kind in (("normal", "Gaussian"), ("bernoulli", "Bernoulli")):
        figure, found = drawn("Regret", law=law)
        (result,) = found.values()
        assert type(result.settings["environment"]).__name__ == kind
        for name in ("F-UCB", "UCB1"):
            assert np.array_equal(next(t for t in figure.data if t.name == name).y, result.of_policy(name).mean(axis=0))


def test_a_product_space_too_large_leaves_the_plot_with_a_sentence():
    figure, found = drawn("Regret", d=20, k=5, runs=2)
    (result,) = found.values()
    assert result.policies == ["F-UCB"] and "95,367,431,640,625 vectors" in figure.layout.meta["caption"]


def test_a_policy_below_a_lower_bound_is_explained():
    """A world whose gap is large: F-UCB is below the line of Theorem 3.1's proof, which some other instance attains."""
    figure, found = drawn("Regret", gap=1.0, d=4, k=3, horizon=100_000, runs=3, upper=False)
    line = next(t for t in figure.data if t.name == "some instance costs at least (proof of Thm 3.1)")
    (result,) = found.values()
    assert line.y[-1] == pytest.approx(minimax.minimax_lower([3] * 4, 0.5, 100_000))
    below = result.final_regret("F-UCB").mean() < line.y[-1]
    assert ("below the line of Theorem 3.1's proof" in figure.layout.meta["caption"]) is bool(below)
    assert "below" not in drawn("Regret", lower=False)[0].layout.meta["caption"]


def test_a_policy_below_a_lower_bound_is_explained_in_every_figure_that_draws_it():
    for lower in (True, False):  # a small gap: all that can be lost in 1,000 rounds is less than C(ν) log T
        said = drawn("Figure 4", gap=0.05, d=10, lower=lower)[0].layout.meta["caption"]
        assert ("lie below C(ν) log t" in said) is lower
    # lines: 812 and 9,839
    numbers = SimpleNamespace(lower=True, k=2, d=8, gap=1.0, sigma=2.0, horizon=10_000, law="normal")
    result = SimpleNamespace(
        policies=["F-UCB", "UCB1"], final_regret=lambda name: np.full(3, 1250.0 if name == "F-UCB" else 1e4)
    )
    assert drawings.crossed(result, numbers) == ""
    result.final_regret = lambda name: np.full(3, 9000.0 if name == "UCB1" else 500.0)
    said = drawings.crossed(result, numbers)
    assert said.startswith(" F-UCB lies below the line of Theorem 3.1's proof: some instance")
    assert " UCB1 lies below the line for those who see the reward only: some instance" in said


@pytest.mark.parametrize("law, sigma", [("normal", 0.3), ("bernoulli", 0.5), ("bernoulli", 0.3)])
def test_bernoulli_observations_have_only_bounds_that_hold_for_them(law, sigma):
    """No option can be better than a best mean of 1, so that the constant of Theorem 3.4 is 0."""
    figure, _ = drawn("Regret", law=law, sigma=sigma, horizon=1000, runs=2, lower=True, upper=True)
    curves, said = {trace.name: trace for trace in figure.data}, figure.layout.meta["caption"]
    slope = curves["C(ν) log t, asymptotic (Thm 3.4)"].y[-1]
    assert bool(slope > 0) is (law == "normal") is (r"$C(\nu)=0$" not in said)
    upper = [np.isfinite(curve.y).all() for name, curve in curves.items() if name.startswith("F-UCB at most")]
    covered = law == "normal" or sigma == 0.5
    assert upper == [covered] * 3 and covered is ("upper bounds need" not in said)


def test_a_mixed_vector_that_is_best_is_named():
    """Two of three factors gain by a strong shared noise; the third would only add its own."""
    few, words = dict(runs=1, horizon=100), "best is a vector of both options at ρ = "
    assert words in drawn("Figure 6", gap=1.0, d=3, sigma=2.0, **few)[0].layout.meta["caption"]
    assert words not in drawn("Figure 6", gap=0.5, d=2, sigma=0.5, **few)[0].layout.meta["caption"]


def test_figure1_draws_the_required_widths():
    figure, found = drawn("Figure 1", d=3, k=3)
    ((means, lengths, _),) = found.values()
    for i, row in enumerate(means):
        for j in (1, 2):
            width = sum(t.x[0] for t in figure.data if t.y[0] == i and t.text == f"{j + 1}")
            assert width == pytest.approx(2 * 0.25 / (1 - row[j]) ** 2, rel=1e-9)
    assert lengths.sum() == pytest.approx(max(2 * 0.25 / (1 - m[1:]) ** 2 @ [1, 1] for m in means), rel=1e-9)


def test_figure1_as_played_counts_every_round_and_costs_what_is_prescribed():
    n = SimpleNamespace(gap=0.5, d=2, k=3, sigma=0.3, alpha=4.0, horizon=2000, seed=1)
    found = beyond.packed_runs(**vars(n))
    means, *_ = runs.packing(0.5, 2, 3, 0.3, 1)
    _, lengths, costs = found["Theorem 3.4"]
    assert lengths @ costs == pytest.approx(bounds.lower_bound_constant(means, 0.3) * np.log(2000))
    world = bl.factored.gaussian(means, 0.3)
    policies = {"F-UCB": bl.factored.fucb([3, 3], 0.3), runs.TENFOLD: bl.factored.ftrack([3, 3], 0.3, 2000, n0_mult=10)}
    played = bl.simulate(world, policies, 2000, 1, 1, 1)
    for name in policies:
        vectors, rounds, costs = found[name]
        assert rounds @ costs == pytest.approx(played.final_regret(name)[0]) and (np.diff(costs) <= 0).all()
        assert (vectors != 0).any(axis=1).all() and rounds.sum() < 2000
    figure = drawings.as_played({None: found}, n)
    assert [len(t.x) - 1 for t in figure.data] == [len(rounds) for _, rounds, _ in found.values()]
    assert figure.data[1].z.shape == found["F-UCB"][0].T.shape


def test_figure2_divides_by_the_lower_bound():
    figure, found = drawn("Figure 2", runs=4)
    allowed = next(t for t in figure.data if t.xaxis == "x2")
    assert list(allowed.y) == [bounds.remark41_ratio(0.5, d) for d in (1, 2)]
    (one, _) = found.values()
    floor = bounds.lower_bound_constant([[1.0, 0.5]], 0.5) * np.log(1000)
    measured = next(t for t in figure.data if t.mode == "lines+markers")
    assert measured.y[0] == pytest.approx(one.final_regret("F-UCB").mean() / floor)


def test_figure5_is_the_closed_form():
    _, found = drawn("Figure 5", d=10)
    rewards = next(table for cell, table in found.items() if cell.rho == pytest.approx(0.8))
    assert rewards[0] == pytest.approx(1) and rewards[10] == pytest.approx(1.96, abs=0.01)


def test_against_the_horizon_f_track_is_made_anew():
    world = bl.factored.gaussian(runs.one_gap(2, 2, 0.5), 0.5)
    both = runs.against_horizon(world, 2, 0.5, 4.0, runs.READINGS, Size(400, 4, 3), 2)
    for name, reading in runs.READINGS.items():
        alone = bl.simulate(world, {"x": bl.factored.ftrack([2, 2], 0.5, 200, **reading)}, 200, 4, 3, 1)
        assert np.array_equal(both.of_policy(name)[:, 0], alone.regret[0, :, 0])
    assert list(both.checkpoints) == [200, 400] and both.policies[0] == "F-UCB"


def test_a_warm_up_that_does_not_fit_leaves_a_gap_in_the_curve():
    world = bl.factored.gaussian(runs.one_gap(2, 2, 0.5), 0.5)
    result = runs.against_horizon(world, 2, 0.5, 4.0, runs.READINGS, Size(60, 2, 0), 2)
    assert np.isnan(result.of_policy(runs.TENFOLD)[:, 0]).all()
    assert np.isfinite(result.of_policy(runs.TENFOLD)[:, 1]).all()


def test_wrong_runs_are_those_that_settle_for_less_than_the_best_of_their_own_world():
    """At rho = 1 the vector of noisy options is best, so that whoever settles for (1..1) is wrong."""
    _, found = drawn("Figure 6", d=10, rho=1.0, horizon=2000)
    (result,) = found.values()
    settled = result.diagnostics["settled"][result.policies.index(runs.TENFOLD)]
    assert (runs.wrong_runs(result, runs.TENFOLD) == (settled != 2**10 - 1)).all() and (settled == 0).any()
    _, found = drawn("Figure 6", d=10, rho=0.0, horizon=2000)
    (result,) = found.values()
    settled = result.diagnostics["settled"][result.policies.index(runs.TENFOLD)]
    assert (runs.wrong_runs(result, runs.TENFOLD) == (settled != 0)).all()


@pytest.mark.parametrize("gap, d", [(0.5, 2), (0.9, 10)])
def test_regret_of_many_components_from_one(gap, d):
    """100 runs of d components against 400 of one: within 4 standard errors of the difference."""
    alone = beyond.component(gap, 0.5, 4.0, 2000, 400, seed=1)
    world = bl.factored.gaussian(runs.one_gap(d, 2, gap), 0.5)
    regret = bl.simulate(world, bl.factored.fucb([2] * d, 0.5), 2000, 100, 2, 1).regret[0, :, 0]
    found = beyond.fucb_regret(alone, gap, d)
    low, high = found.ends(0.6827)
    assert abs(regret.mean() - found.value) < 4 * np.hypot(regret.std(ddof=1) / 10, (high - low) / 2)


@pytest.mark.parametrize("case, most", [((0.9, 10, 0.5, 10_000), 60), ((0.3, 4, 1.0, 100_000), 1000)])
def test_best_warm_up_is_the_least_of_all(case, most):
    n0, least = beyond.best_warmup(*case)
    found = [ftrack_law.ftrack_regret_at(*case, n) for n in range(1, most)]
    assert found[n0 - 1] == least == min(found)


def test_coordination_counts_every_round():
    ((_, found),) = drawn("Coordination", gap=0.9, d=4, runs=2)[1].items()
    for counts, regret in found.values():
        assert (counts.sum(axis=1) == 1000).all()
        cost = counts @ (1 - 0.1 ** np.arange(5))
        assert cost == pytest.approx(regret, rel=1e-9)
    bad, rounds = beyond.at_once(found[beyond.TOGETHER][0])
    assert (bad > rounds).all()


def test_reward_only_leaves_out_what_a_product_space_is_too_large_for():
    """6 options in 6 components are 46,656 vectors; the lines are the bounds at this d."""
    figure, found = drawn("Reward only", d=6, k=6, sigma=1.2, runs=2, horizon=2000)
    assert [result.policies for result in found.values()][0] == ["F-UCB", "UCB1", "Robust-UCB", "TEA"]
    assert list(found.values())[-1].policies == ["F-UCB", "TEA"]
    line = next(t for t in figure.data if t.name == "reward only, at least (ours)")
    assert line.y[-1] == pytest.approx(minimax.minimax_lower_reward_only([6] * 6, 1.2, 2000))


def test_progress_goes_up_to_one_and_may_stop_the_work():
    seen = []
    figure = factored.FIGURES["Figure 4"]
    given = dict(gap=0.5, d=2, sigma=0.5, alpha=4.0, n0_mult=10, horizon=1000, runs=2, lower=False)
    figure(**given, progress=seen.append)
    assert seen and seen == sorted(seen) and seen[-1] == pytest.approx(1)

    def stop(fraction):
        raise KeyError("stopped")

    with pytest.raises(KeyError, match="stopped"):
        figure(**given, progress=stop)


def test_shares_of_wrong_plans_in_words():
    _, found = drawn("Figure 4", gap=0.9, d=2)
    assert drawings.wrong_shares(found).endswith("(N₀ × 10)")


def test_tables_of_guarantees():
    values = dict(gap=0.3, d=3, k=3, sigma=2.0, horizon=10_000)
    table, means = factored.table_1(values)["here"], runs.one_gap(3, 3, 0.3)
    assert table["Robust-UCB"] == pytest.approx(bounds.robust_ucb_order(means), abs=0.006)
    assert table.tolist() == sorted(table, reverse=True) and table.iloc[-1] == table.iloc[-2]
    one = factored.table_1({**values, "d": 1})["here"]
    assert (one == round(2 / 0.3, 2)).all()  # one component: an ordinary bandit
    worst = factored.table_2(values)["here"]
    assert worst.tolist() == [
        float(round(x, 1)) for x in (8 * 27**0.5 * 100, 8 * 27**0.5 * 100, 8 * 100, 2 * 3 * 3**0.5 * 100)
    ]


def test_noise_on_both_options_leaves_the_order_as_it_is():
    """With noise on both options the good ones profit from sharing it as well, so that nothing crosses."""
    for rho in factored.AT_SIX.grid["rho"]:
        world = runs.shared_noise(4, 0.5, 0.5, rho, "both")
        assert not drawings.all_second_best(world) and world.best == world.expected(np.zeros(4, np.int64))
    assert drawings.all_second_best(runs.shared_noise(10, 0.5, 0.5, 1.0, "second"))


def test_map_of_where_the_claim_stops(monkeypatch):
    sizes = maps.WHERE_IT_STOPS.sizes
    monkeypatch.setitem(sizes, "quick", {**sizes["quick"], "grid": dict(sigma=[0.1, 1.0], d=[1, 4])})
    figure = factored.WHERE_IT_STOPS.figure("quick")[0]
    ratio = 2.0 ** figure.data[0].z
    assert (ratio[0] == 1).all() and (ratio[1] < 1).all()  # one component: one algorithm
    assert (figure.data[-1].x, figure.data[-1].y) == ((0,), (1,))
