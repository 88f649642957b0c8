"""Intervals over drawn instances cover; an instance counts once, however many runs it has."""

import math

import numpy as np
import pytest

import banditlab as bl
from banditlab.evidence import Cases, fieller_ratio, growth, instance_growth, instance_mean, instance_ratio
from banditlab.evidence.estimates import interval

INSTANCES, TRIES = 10, 1500


def share(estimate, truth, level=0.95):
    """How often, of so many tries, the interval holds the true number."""
    ends = [estimate().ends(level) for _ in range(TRIES)]
    return np.mean([low <= truth <= high for low, high in ends])


@pytest.mark.parametrize("runs, spread, noise", [(2, 1.0, 1.0), (10, 1.0, 3.0), (40, 0.0, 5.0)])
def test_the_mean_covers(runs, spread, noise):
    """Ten instances, 95 %: binomial, four standard deviations (0.023)."""
    rng = np.random.default_rng(1)

    def estimate():
        own = 3 + spread * rng.standard_normal(INSTANCES)
        return instance_mean(own[:, None] + noise * rng.standard_normal((INSTANCES, runs)))

    assert share(estimate, 3) > 0.95 - 0.023


def test_the_mean_of_skewed_instances_covers_nearly_as_often():
    """Log-normal numbers with deviation 0.5: about 92 % at 95 %, as the module says."""
    rng = np.random.default_rng(4)
    held = share(lambda: instance_mean(rng.lognormal(0, 0.5, (INSTANCES, 1))), math.exp(0.125))
    assert 0.90 < held < 0.95


def test_the_ratio_covers_where_instances_differ_much():
    """Ratios whose logarithms are normal with deviation 0.5, runs that deviate by 0.5 of their mean."""
    rng = np.random.default_rng(2)

    def estimate():
        logs, shape = rng.normal(math.log(2), 0.5, INSTANCES), (INSTANCES, 40)
        first = np.exp(logs)[:, None] * (1 + 0.5 * rng.standard_normal(shape))
        return instance_ratio(first, 1 + 0.5 * rng.standard_normal(shape))

    assert share(estimate, 2) > 0.95 - 0.023


def test_runs_of_one_instance_are_no_instances():
    """A thousand runs of two instances leave more open than the same number of instances would."""
    rng = np.random.default_rng(3)
    few = [k + 0.01 * rng.standard_normal(1000) for k in (1.0, 2.0)]
    low, high = instance_mean(few).ends(0.95)
    assert low < 0 and high > 3


def test_each_instance_counts_alike():
    assert instance_mean([[1, 1, 1, 1], [3]]).value == 2
    assert instance_ratio([[100], [1]], [[1], [1]]).value == pytest.approx(10)
    assert Cases("", instance_ratio([[1], [-1]], [[1], [1]])).above(0).answer is None
    with pytest.raises(ValueError, match="second has 1 instances: must have 2"):
        instance_ratio([[1], [1]], [[1]])
    with pytest.raises(ValueError, match=r"samples\[1\]"):
        instance_mean([[1], []])


@pytest.mark.parametrize("power", [-1000, -600, -300, -201, 201, 300, 600, 1015])
def test_numbers_whose_squares_are_no_floats_have_the_same_interval(power):
    """In units of a power of two, which rounds nothing."""
    numbers = np.random.default_rng(0).lognormal(0, 1, (6, 9)) * np.arange(1, 7)[:, None]
    usual, far = instance_mean(numbers), instance_mean(np.ldexp(numbers, power))
    assert far.value == math.ldexp(usual.value, power)
    assert far.ends(0.95) == tuple(math.ldexp(end, power) for end in usual.ends(0.95))
    assert instance_ratio(np.ldexp(numbers, power), numbers[::-1]).ends(0.5)[0] > 0
    for usual, far in zip(interval(numbers), interval(np.ldexp(numbers, power)), strict=True):
        assert far.tolist() == np.ldexp(usual, power).tolist()
    one, other = numbers[:2] + 5
    assert fieller_ratio(np.ldexp(one, power), np.ldexp(other, power)).ends(0.9) == fieller_ratio(one, other).ends(0.9)


@pytest.mark.parametrize("top, bottom", [(1.0, math.inf), (1e-200, 1e200)])
def test_a_ratio_that_is_no_positive_float_is_none(top, bottom):
    found = instance_ratio([[top], [1.0]], [[bottom], [1.0]])
    assert math.isnan(found.value) and Cases("", found).above(0).answer is None


def test_growth_is_the_mean_of_the_exponents():
    def made(power):
        rounds = np.arange(1, 101) * 10
        table = np.array([[rounds**power]])
        return bl.Result({"policies": {"own": None}, "environment": None}, rounds, table, {}, {})

    found = instance_growth([made(0.2), made(0.4)], "own")
    assert found.value == pytest.approx(np.mean([growth(made(p), "own").value for p in (0.2, 0.4)]))
