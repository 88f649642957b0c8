"""What no estimate can be made of is refused by name, and what runs cannot tell stays open."""

import math
import re

import numpy as np
import pytest

from banditlab.evidence import (
    Cases,
    Claims,
    Estimate,
    bootstrap,
    every,
    exact,
    fieller_ratio,
    instance_ratio,
    log_slope,
    mean,
    median,
    proportion,
    quantile,
    ratio,
    refute,
    some,
    verdict,
)
from banditlab.evidence.questions import jointly

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


ONE = Cases("one", exact(1))


@pytest.mark.parametrize(
    "call, error, words",
    [
        (
            lambda: log_slope([1, 0], [[1, 2], [3, 4]]),
            ValueError,
            "x=array([1., 0.]): must be positive numbers, not all",
        ),
        (
            lambda: log_slope([2, 2], [[1, 2], [3, 4]]),
            ValueError,
            "x=array([2., 2.]): must be positive numbers, not all",
        ),
        (lambda: log_slope([1, math.nan], [[1, 2], [3, 4]]), ValueError, "x[1]=nan: must be a finite number"),
        (
            lambda: log_slope([1, 2, 3], [[1, 2], [3, 4]]),
            ValueError,
            "values has shape (2, 2): must have a row of runs",
        ),
        (lambda: log_slope([1, 2], [1, 2]), ValueError, "values has shape (2,): must have a row of runs"),
        (lambda: jointly([ONE.above(0)]), TypeError, "questions=[Question("),
        (lambda: jointly({"a": True}), TypeError, "questions={'a': True}: must be a dict of case to Question"),
        (lambda: verdict([True]), TypeError, "answers=[True]: must be a dict of case to True, False or None"),
        (lambda: every(None), TypeError, "answers=None: must be an iterable"),
        (lambda: some(True), TypeError, "answers=True: must be an iterable"),
        (lambda: ONE.ask((None, None)), TypeError, "holds=(None, None): must be a pair of numbers"),
        (lambda: ONE.ask((0, 2), (1, 3)), ValueError, "fails=(1, 3): must lie outside of holds=(0, 2)"),
        (lambda: ONE.ask((0, None), (None, 1)), ValueError, "fails=(None, 1): must lie outside of holds=(0, None)"),
        (lambda: Cases("one", exact(1), axis="loglog"), ValueError, "axis='loglog': must be one of 'linear', 'log'"),
        (lambda: Claims("toy")("T", "It.", "1", scales=()), ValueError, "scales=(): must be a list, not empty"),
        (lambda: Claims("toy")("T", "It.", "1", scales=("Quick",)), ValueError, "scales='Quick': must be one of"),
        (lambda: Claims("toy")("T", "It.", "1", scales="quick"), TypeError, "scales='quick': must be a list"),
        (lambda: search(scale="q"), ValueError, "scale='q': must be one of 'quick', 'paper'"),
        (lambda: search(seed=-1), ValueError, "seed=-1: must be at least 0"),
    ],
)
def test_arguments_that_mean_nothing_are_refused_by_name(call, error, words):
    with pytest.raises(error, match=f"^{re.escape(words)}"):
        call()


def search(**size):
    """Refute a claim that holds."""
    claims = Claims("toy")
    claims("T", "It holds.", "Section 1")(lambda scale, seed: ONE.above(0))
    return refute(claims, "T", {}, **size)


def test_ranges_may_touch():
    assert ONE.ask((0, 2), (2, 3)).answer and ONE.ask((0, 2), (None, 0)).answer and ONE.ask((1, None), (0, 1)).answer


def test_two_decorators_made_before_either_is_applied_are_one_claim():
    claims = Claims("toy")
    first, second = (claims("T1", sentence, "Section 1") for sentence in ("It holds.", "It does not."))
    first(lambda scale, seed: ONE.above(0))
    with pytest.raises(ValueError, match="id='T1': another claim of toy has it"):
        second(lambda scale, seed: ONE.below(0))
    assert [claim.sentence for claim in claims.asked] == ["It holds."]
