"""Every figure of the paper: its curves are the simulation's, at the ends of every slider too."""

import inspect

import numpy as np
import pytest

from banditlab import factored
from banditlab.explorer import Slider, check
from banditlab.factored import bounds, experiments
from banditlab.factored.experiments import instances, live, paper

VALUES = dict(
    gap=0.5, d=2, sigma=0.5, rho=0.8, k=2, horizon=1000, runs=3, alpha=4.0, low=0.7, n0_mult=10, spend=0.3, batch=2.0,
    lower=True, upper=True, seed=0,
)  # fmt: skip


def drawn(title, **changes):
    function = experiments.FIGURES[title]
    names = inspect.signature(function).parameters
    return function(**{n: v for n, v in {**VALUES, **changes}.items() if n in names})


@pytest.mark.parametrize("title", experiments.FIGURES)
def test_every_figure_draws_and_explains_itself(title):
    figure, _ = drawn(title)
    assert any(t.x is not None and len(t.x) for t in figure.data)
    assert len(figure.layout.meta["caption"]) > 40 and figure.layout.title.text


@pytest.mark.parametrize("title", experiments.FIGURES)
def test_every_parameter_has_a_control_or_is_the_seed(title):
    names = set(inspect.signature(experiments.FIGURES[title]).parameters)
    assert names <= set(experiments.CONTROLS) | {"seed", "progress"}


def test_presets_are_valid_and_name_figures():
    for preset in experiments.PRESETS.values():
        assert preset["figure"] in experiments.FIGURES
        check(experiments.CONTROLS, **preset)


@pytest.mark.parametrize("end", ["lo", "hi"])
@pytest.mark.parametrize("name", ["gap", "d", "sigma", "rho", "k", "alpha", "low", "n0_mult", "spend", "batch"])
def test_figures_survive_the_ends_of_the_sliders(name, end):
    slider = experiments.CONTROLS[name]
    assert isinstance(slider, Slider)
    for title, function in experiments.FIGURES.items():
        if name in inspect.signature(function).parameters:
            figure, _ = drawn(title, **{name: getattr(slider, end), "runs": 2})
            assert figure.data


def test_regret_curves_are_the_results_means():
    figure, result = drawn("Regret")
    for name in ("F-UCB", "UCB1"):
        assert np.array_equal(next(t for t in figure.data if t.name == name).y, result.of_policy(name).mean(axis=0))


def test_a_product_space_too_large_leaves_the_plot_with_a_sentence():
    figure, result = drawn("Regret", d=20, k=5, runs=2)
    assert result.policies == ["F-UCB"] and "95,367,431,640,625 vectors" in figure.layout.meta["caption"]


def test_figure1_draws_the_required_widths():
    figure, slices = drawn("Figure 1", d=3, k=3)
    means = np.ones((3, 3))
    means[:, 1:] -= 0.5 * np.random.default_rng(0).uniform(0.5, 1.0, (3, 2))
    for i, row in enumerate(means):
        for j in (1, 2):
            width = sum(t.x[0] for t in figure.data if t.y[0] == i and t.text == f"{j + 1}")
            assert width == pytest.approx(2 * 0.25 / (1 - row[j]) ** 2, rel=1e-9)
    assert slices["length"].sum() == pytest.approx(max(2 * 0.25 / (1 - m[1:]) ** 2 @ [1, 1] for m in means), rel=1e-9)


def test_figure5_is_the_closed_form():
    _, table = drawn("Figure 5", d=10)
    at = table[np.isclose(table["rho"], 0.8)].iloc[0]
    assert at["m = 0"] == pytest.approx(1) and at["m = 10"] == pytest.approx(1.96, abs=0.01)


def test_against_the_horizon_f_track_is_made_anew():
    world, horizons = factored.gaussian(instances.one_gap(2, 2, 0.5), 0.5), [200, 400]
    both = instances.against_horizon(world, [2, 2], 0.5, horizons, 4, seed=3)
    from banditlab import simulate

    alone = simulate(world, {"x": factored.ftrack([2, 2], 0.5, 200)}, 200, 4, 3, 1)
    assert np.array_equal(both.of_policy(instances.PRINTED)[:, 0], alone.regret[0, :, 0])
    assert list(both.checkpoints) == horizons and both.policies[0] == "F-UCB"


def test_a_warm_up_that_does_not_fit_leaves_a_gap_in_the_curve():
    world = factored.gaussian(instances.one_gap(2, 2, 0.5), 0.5)
    result = instances.against_horizon(world, [2, 2], 0.5, [30, 400], 2, seed=0)
    assert np.isnan(result.of_policy(instances.TENFOLD)[:, 0]).all()
    assert np.isfinite(result.of_policy(instances.TENFOLD)[:, 1]).all()


def test_late_ratio_of_known_curves():
    t = np.arange(1, 101.0)
    assert paper.late_ratio(t[None]) == pytest.approx(0.5)
    assert paper.late_ratio(np.sqrt(t)[None]) == pytest.approx(1 - np.sqrt(0.5), abs=1e-9)


def test_ratio_table_divides_by_the_lower_bound():
    table = live.ratios([0.5], [1, 2], 0.5, 1000, 4, 4.0, seed=0)
    assert list(table["allowed"]) == [bounds.remark41_ratio(0.5, d) for d in (1, 2)]
    assert (table["ratio"] > 0).all() and (table["ratio"] < table["allowed"]).all()


def test_progress_goes_up_to_one_and_may_stop_the_work():
    seen = []
    live.figure4(0.5, 2, 0.5, 1000, 2, 4.0, 10, False, progress=seen.append)
    assert seen and seen == sorted(seen) and seen[-1] == pytest.approx(1)

    def stop(fraction):
        raise KeyError("stopped")

    with pytest.raises(KeyError, match="stopped"):
        live.figure4(0.5, 2, 0.5, 1000, 2, 4.0, 10, False, progress=stop)
