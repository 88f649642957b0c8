"""What sharing is worth at most: the inequalities of the proof, on random arms."""

import math

import numpy as np
import pytest
from censored.runs import PROBLEMS
from censored.sharing import atoms, change_of_law, information, outcomes, sharing_worth

from banditlab import censored
from tests.papers import ALL


def random_arm(rng):
    """Gains, cells, penalties and a level above all gains of an arm."""
    limits, n = int(rng.integers(1, 6)), int(rng.integers(2, 30))
    gains, cells = rng.uniform(-0.3, 1.0, n), rng.integers(0, limits + 1, n)
    penalty = np.sort(rng.uniform(0, rng.choice([0.2, 2.0, 9.0]), limits))
    best = outcomes(gains, cells, penalty).mean(axis=1).max()
    return gains, cells, penalty, best + rng.uniform(0.01, 0.99) * (1 - best)


def test_the_change_of_law_reaches_the_level_and_no_law_is_nearer(soak):
    """2,000 arms, 10,000 under `make soak`, five other laws on the same atoms and on 1 each; tolerance: bisection."""
    rng = np.random.default_rng(0)
    for _ in range(10_000 if soak else 2000):
        gains, cells, penalty, level = random_arm(rng)
        values = outcomes(gains, cells, penalty)
        densities = change_of_law(values, level)
        left = 1 - densities.mean(axis=1)
        assert (left > -1e-9).all() and (densities > 0).all()
        assert (densities * values).mean(axis=1) + left == pytest.approx(level, abs=1e-9)
        least = -np.log(densities).mean(axis=1)
        for law in rng.dirichlet(np.ones(len(gains) + 1), 5):
            reached = values @ law[:-1] + law[-1]
            share = np.clip((level - reached) / (1 - reached), 0, 1)[:, None]  # as much of an atom at 1 as it needs
            moved = (1 - share) * law[:-1]
            assert (-np.log(moved * len(gains)).mean(axis=1) >= least - 1e-9).all()


def test_of_two_outcomes_it_is_the_entropy_of_coins():
    gains = np.repeat([1.0, 0.0], [3, 7])
    told = information(gains, np.zeros(10, int), [0.5], 0.6)
    assert told == pytest.approx(0.3 * math.log(0.3 / 0.6) + 0.7 * math.log(0.7 / 0.4))


def test_a_round_tells_all_of_smaller_limits_and_less_of_larger_ones(soak):
    """2,000 arms, 10,000 under `make soak`; tolerance: rounding."""
    rng = np.random.default_rng(1)
    for _ in range(10_000 if soak else 2000):
        told = information(*random_arm(rng))
        own = told.diagonal()
        assert np.allclose(np.tril(told), np.tril(np.broadcast_to(own, told.shape)), rtol=1e-9)
        assert (np.triu(told) <= own * (1 + 1e-9)).all() and (told >= -1e-12).all()


def test_sharing_costs_at_most_what_pairs_apart_cost_and_the_largest_limit_alone():
    """400 pairs of arms, 2,000 with PAPERS=all, the first of which is made the better one; tolerance: the program's."""
    rng = np.random.default_rng(2)
    for _ in range(2000 if ALL else 400):
        gains, cells, penalty, level = random_arm(rng)
        best = np.full(len(gains), level)
        found = sharing_worth([best, gains], [np.zeros(len(gains)), cells], penalty)
        told, gaps = information(gains, cells, penalty, level), level - outcomes(gains, cells, penalty).mean(axis=1)
        assert 0 < found.shared <= min(found.apart, found.frugal) * (1 + 1e-7)
        assert found.shared <= gaps[-1] / told.diagonal().min() * (1 + 1e-7)
        assert found.apart == pytest.approx((gaps / told.diagonal()).sum(), rel=1e-9)
        if gaps.argmin() == len(gaps) - 1:  # the largest limit suits it best: there is nothing to be generous with
            assert found.frugal == found.shared
        if gaps.argmin() == 0 and told[0].min() > 1e-6:
            assert found.frugal == pytest.approx(gaps[0] / told[0].min(), rel=1e-6)


@pytest.mark.parametrize("make", [censored.indep, censored.poscorr])
def test_atoms_have_the_gains_of_the_world(make):
    """Tolerance: 60 points each way, a hundredth of the range of outcomes."""
    world = make(arms=2, limits=5)
    gains, cells = atoms(world)
    found = [outcomes(*arm, world.penalty).mean(axis=1) for arm in zip(gains, cells, strict=True)]
    assert np.allclose(found, world.gains, atol=0.01 * (1 + world.penalty.max()))


@pytest.mark.parametrize("problem, pays", [("Indep", False), ("NegCorr", False), ("PosCorr", True)])
def test_generosity_is_worth_something_on_one_of_the_problems(problem, pays):
    """As the note of claim B44 says; tolerance: the program's."""
    world = PROBLEMS[problem](limits=10)
    found = sharing_worth(*atoms(world), world.penalty)
    assert found.frugal > 10 * found.apart if pays else found.frugal == pytest.approx(found.shared, rel=1e-6)
