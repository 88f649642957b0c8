"""What no estimate can be made of is refused by name, and what runs cannot tell stays open."""

import math

import numpy as np
import pytest

from banditlab.evidence import bootstrap, exact, mean, median, proportion, quantile

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
