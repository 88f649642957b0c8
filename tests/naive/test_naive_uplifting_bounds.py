"""The bounds of uplifting bandits by hand, and on runs of the slow twins."""

import math

import numpy as np
import pytest

from tests.naive import uplifting as naive
from tests.naive import uplifting_bounds as bounds
from tests.naive.test_naive_uplifting import noisy, play, separated


def sizes_and_gaps(mu, affected):
    rewards = mu.sum(axis=1)
    return [int(n) for n in affected.sum(axis=1)], [float(max(rewards) - r) for r in rewards]


def test_bounds_by_hand():
    gaps, sizes = [0.0, 0.5, 2.0], [3, 1, 2]
    ucb = bounds.ucb_bound(gaps, 10, 100, 0.1)
    assert ucb.beta == pytest.approx(math.log(6000)) and ucb.pulls[0] == math.inf
    assert ucb.pulls[1] == pytest.approx(800 * ucb.beta / 0.25 + 1)
    assert ucb.regret == pytest.approx((1600 + 400) * ucb.beta + 2.5)
    known = bounds.proposition_1(gaps, sizes, 100, 0.1)
    assert known.regret == pytest.approx((8 / 0.5 + 32 / 2) * math.log(6000) + 2.5)
    first = bounds.theorem_1(gaps, sizes, 100, 0.1)
    assert first.regret == pytest.approx((8 * 16 / 0.5 + 8 * 25 / 2) * math.log(4 * 3 * 3 * 100 / 0.1) + 2.5)
    assert first.pulls[2] == pytest.approx(8 * 25 * math.log(36000) / 4 + 1)
    log = math.log(2 * 3 * 10 * 100 / 0.1)
    assert bounds.theorem_2_bl(gaps, 3, 10, 100, 0.1).regret == pytest.approx(32 * 9 * 2.5 * log + 2.5)
    assert bounds.theorem_2_bl(gaps, sizes, 10, 100, 0.1).regret == pytest.approx((64 + 64) * log + 2.5)
    assert bounds.theorem_2(gaps, 3, 10, 100, 0.1).regret == pytest.approx(512 * 9 * 2.5 * log + 2.5)
    third = bounds.theorem_3(gaps, sizes, 0.25, 6, 100, 0.1)  # clip(2, 1, 6) and clip(8, 2, 6)
    assert third.regret == pytest.approx((8 * 4 / 0.5 + 8 * 36 / 2) * math.log(2 * 3 * 6 * 1000) + 2.5)
    fourth = bounds.theorem_4(gaps, sizes, 0.25, 6, 100, 0.1)  # clip(4, 4, 12) and clip(16, 5, 12)
    assert fourth.regret == pytest.approx((8 * 16 / 0.5 + 8 * 144 / 2) * math.log(2 * 3 * 6 * 1000) + 2.5)


def test_regret_bound_is_the_sum_of_the_pull_bounds():
    gaps, sizes = [0.3, 0.0, 1.1, 0.0], [2, 3, 4, 2]
    for b in (
        bounds.ucb_bound(gaps, 9, 50, 0.05),
        bounds.theorem_1(gaps, sizes, 50, 0.05),
        bounds.theorem_2(gaps, 4, 9, 50, 0.05),
        bounds.theorem_4(gaps, sizes, 0.2, 9, 50, 0.05),
    ):
        assert b.regret == pytest.approx(sum(gap * n for gap, n in zip(gaps, b.pulls, strict=True) if gap > 0))


def test_clip():
    assert [bounds.clip(x, 2, 5) for x in (1, 3, 7)] == [2, 3, 5]


def test_table_1():
    table = bounds.table_1(10, 100, 10, 0.2, 0.01)
    assert table["UCB"] == pytest.approx(500_000) and table["UpUCB-iLift"] == pytest.approx(10 * 20**2 / 0.2)
    assert table["UpUCB (bl)"] == table["UpUCB"] == table["UpUCB-nAff"] == pytest.approx(5_000)


def test_lower_bounds_on_their_hard_instances():
    """The information of a shift of all affected means by gap / L under one common unit normal."""
    gaps, sizes = [0.0, 0.5, 1.5], [2, 1, 4]
    third = bounds.hard_instance(gaps, sizes, 5)
    mu, mu0 = np.array(third.mu), np.array(third.mu0)
    found_sizes, found_gaps = sizes_and_gaps(mu, mu != mu0)
    assert found_sizes == sizes and found_gaps == pytest.approx(gaps) and max(mu.sum(axis=1)) == pytest.approx(2.5)
    assert (np.array(third.noisy) == (mu != mu0)).all()
    assert np.array(bounds.hard_instance(gaps, sizes, 5, everywhere=True).noisy).all()
    information = [(gap / size) ** 2 / 2 for gap, size in zip(gaps, sizes, strict=True)]
    assert bounds.proposition_3(gaps, sizes) == pytest.approx(0.5 / information[1] + 1.5 / information[2])
    assert bounds.proposition_3(gaps, [5] * 3) == bounds.proposition_2(gaps, 5) == pytest.approx(100 + 100 / 3)


@pytest.mark.parametrize("seed", range(2))
def test_pull_bounds_hold(seed):
    """Each bound may fail in a run with probability 0.05; it holds with these seeds and means something at this T."""
    mu0, mu, affected = separated(seed, K=3, m=8, size=1, dup=4.0)
    sizes, gaps = sizes_and_gaps(mu, affected)
    T, m, delta = 300, 8, 0.05
    cases = [
        (bounds.proposition_1(gaps, sizes, T, delta), lambda beta: naive.UpUCBbl(mu0, affected, beta)),
        (bounds.theorem_1(gaps, sizes, T, delta), lambda beta: naive.UpUCB(affected, beta)),
        (bounds.theorem_2_bl(gaps, 1, m, T, delta), lambda beta: naive.UpUCBnAffbl(3, mu0, 1, beta)),
        (bounds.theorem_3(gaps, sizes, 4.0, m, T, delta), lambda beta: naive.UpUCBiLiftbl(3, mu0, 4.0, beta)),
        (bounds.theorem_4(gaps, sizes, 4.0, m, T, delta), lambda beta: naive.UpUCBiLift(3, m, 4.0, beta)),
    ]
    for bound, make in cases:
        actions = play(make(bound.beta), noisy(mu, seed), T)
        assert all(actions.count(a) <= bound.pulls[a] for a in range(3))
        assert sum(n for n in bound.pulls if n < math.inf) < T
