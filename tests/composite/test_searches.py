"""Searches of random instances: what they report is the largest, and a bound that is wrong is found out."""

import numpy as np
import pytest
from composite import searches

from banditlab.composite import bounds, streak_delay

SEARCHES = [
    (searches.search_theorem_1, "allowed_by_theorem_1"), (searches.search_theorem_2, "ars_exp3_upper"),
    (searches.search_lemma_1, "hidden_radius"),
]  # fmt: skip
SMALL = searches.Search(6, 2, 5, 20_000)


@pytest.mark.parametrize("search, bound", SEARCHES, ids=[bound for _, bound in SEARCHES])
def test_a_search_finds_nothing_against_a_bound_and_much_against_a_hundredth_of_it(monkeypatch, search, bound):
    found = search(SMALL, 3)
    assert search(SMALL, 3) == found and all(0 < one < 1 for one in found)
    home = searches if hasattr(searches, bound) else bounds
    real = getattr(home, bound)
    monkeypatch.setattr(home, bound, lambda *given: real(*given) / 100)
    assert min(search(SMALL, 3)) > 1


def test_random_instances_are_as_the_ledger_says(soak):
    """Sizes, delays with finite d1 and d2, chances that add up; both delay rules come."""
    rng, rules = np.random.default_rng(0), set()
    for _ in range(5000 if soak else 500):
        means, delay = searches.draw_means(rng), searches.draw_delay(rng, 8)
        assert 2 <= len(means) <= 6 and (np.diff(means) <= 0).all() and 1 <= delay.d <= 8
        assert np.isfinite([bounds.d1(means, delay.shape), bounds.d2(means, delay.shape)]).all()
        chances, d, delays = searches.draw_game(rng)
        assert 2 <= len(chances) <= 6 and chances.sum() == pytest.approx(1) and delays.hi <= d <= 10
        rules.add(delays == streak_delay(d))
    assert rules == {True, False}


def test_doubling_is_played_in_every_game_and_the_rate_is_that_of_the_bound():
    """For long horizons the bound over its rate comes near 3 (3/2)^(2/3) = 3.93 from below."""
    found = searches.search_doubling(SMALL, 0)
    assert len(found) == 2 and all(1 < one.value < 2.7 for one in found.values())
    assert 3.5 < searches.largest_over_rate(200, 0, 9, 11) < 3 * 1.5 ** (2 / 3) + 1e-3


def test_regret_in_random_games_grows_with_a_power_near_two_thirds():
    """From 40,000 rounds to ten times as many, in games that the theorem says are learnt by then."""
    found = searches.search_growth(SMALL._replace(steps=40_000), 0)
    assert len(found) == 2 and all(0.55 < one.value < 0.8 for one in found.values())
