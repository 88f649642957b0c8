"""What no estimate can be made of is refused by name, and what runs cannot tell stays open."""

import math

import numpy as np
import pytest

from banditlab.evidence import (
    Cases,
    Estimate,
    bootstrap,
    exact,
    fieller_ratio,
    instance_ratio,
    mean,
    median,
    proportion,
    quantile,
    ratio,
)

UNKNOWN = (-math.inf, math.inf)
x = np.random.default_rng(0).normal(2.0, 1.0, 1000)


@pytest.mark.parametrize(
    "statistic",
    [
        lambda rows: x[rows].mean(axis=0),
        lambda rows: x[rows].mean(axis=-1, keepdims=True),
        lambda rows: 3.0,
        lambda rows: x[rows],
    ],
)
@pytest.mark.parametrize("runs", [30, 1000])
def test_a_statistic_that_has_no_number_for_each_drawing_of_runs_is_refused(statistic, runs):
    with pytest.raises(ValueError, match=rf"^statistic gave shape \(.*\): must return \(.*\) for runs of \(.*{runs}"):
        bootstrap(statistic, runs)


def test_a_statistic_is_a_function():
    with pytest.raises(TypeError, match="^statistic=3: must be callable"):
        bootstrap(3, 30)


@pytest.mark.parametrize("broken", [math.inf, -math.inf, math.nan])
def test_a_bootstrap_that_draws_what_is_no_number_says_nothing(broken):
    values = np.where(np.arange(30) == 0, broken, x[:30])
    assert bootstrap(lambda rows: values[rows].mean(axis=-1), 30).ends(0.95) == UNKNOWN


@pytest.mark.parametrize(
    "estimate",
    [
        mean(x), median(x), quantile(x, 0.9), proportion(3, 10), exact(3),
        bootstrap(lambda rows: x[rows].mean(axis=-1), 30),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "level, error", [(95, ValueError), (math.nan, ValueError), (0, ValueError), ("0.95", TypeError)]
)
def test_every_interval_checks_its_level(estimate, level, error):
    with pytest.raises(error, match=f"^level={level!r}: must be"):
        estimate.ends(level)


def test_a_number_too_large_for_a_float_is_refused_by_name():
    with pytest.raises(ValueError, match="^value=.*: must be finite"):
        exact(10**400)
    assert exact(math.inf).ends(0.95) == (math.inf, math.inf) and math.isnan(exact(math.nan).value)


def test_few_runs_of_one_and_the_same_ratio_have_no_interval():
    numbers = np.arange(1.0, 60.0)
    for first, second in (([0, 0, 0], [5, 6, 7]), ([3, 4, 5], [3, 4, 5]), (numbers[:58] / 3, numbers[:58])):
        assert np.isnan(fieller_ratio(first, second).ends(0.95)).all()
    assert fieller_ratio(numbers, numbers).ends(0.95) == (1.0, 1.0)  # 59 runs have met what happens in 5 %


@pytest.mark.parametrize("power", [-1000, -560, 560, 1000])
def test_the_interval_of_tiny_and_of_huge_runs_is_that_of_ordinary_ones(power):
    runs = np.array([1.0, -2.0, 5.0])
    with np.errstate(all="raise"):
        found = mean(np.ldexp(runs, power))
        assert found.value == math.ldexp(mean(runs).value, power)
        assert found.ends(0.95) == pytest.approx(np.ldexp(mean(runs).ends(0.95), power), rel=1e-12, abs=0)


def test_a_number_that_is_none_leaves_every_question_open():
    with np.errstate(invalid="ignore"):
        infinite = ratio([1, np.inf], [1, np.inf])
    undefined = instance_ratio([[1, 2], [1, 2]], [[0, 0], [1, 1]])
    for found in (infinite, undefined, exact(math.nan), Estimate(math.nan, lambda level: (1.0, 2.0))):
        cases = Cases("ratio", found)
        assert cases.at_least(0).answer is None and cases.above(-1).answer is None and cases.below(9).answer is None


@pytest.mark.parametrize(
    "values, chance, expected",
    [
        ([1, 2, np.inf], 0.5, 2), ([1, np.inf], 0.5, np.inf), ([1, 2, 3, np.inf], 0.5, 2.5),
        ([np.inf] * 3, 0.5, np.inf), ([-np.inf, 1, 2], 0.25, -np.inf), ([1, np.inf, np.inf], 0.75, np.inf),
    ],
)  # fmt: skip
def test_infinite_runs_have_quantiles(values, chance, expected):
    assert quantile(values, chance).value == expected
