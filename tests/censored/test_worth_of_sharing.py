"""What sharing is worth at most: the inequalities of the proof, on random arms."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from censored.runs import PROBLEMS
from censored.sharing import atoms, change_of_law, hidden_excess, information, outcomes, sharing_worth

from banditlab.censored import power
from tests.papers import ALL


def random_arm(rng):
    """Gains, cells, weights, penalties and a level above all gains of an arm."""
    limits, n = int(rng.integers(1, 6)), int(rng.integers(2, 30))
    gains, cells, weights = rng.uniform(-0.3, 1.0, n), rng.integers(0, limits + 1, n), rng.dirichlet(np.ones(n))
    penalty = np.sort(rng.uniform(0, rng.choice([0.2, 2.0, 9.0]), limits))
    best = (outcomes(gains, cells, penalty) @ weights).max()
    return gains, cells, weights, penalty, best + rng.uniform(0.01, 0.99) * (1 - best)


def test_the_change_of_law_reaches_the_level_and_no_law_is_nearer(soak):
    """2,000 arms, 10,000 under `make soak`, five other laws on the same atoms and on 1 each; tolerance: bisection."""
    rng = np.random.default_rng(0)
    for _ in range(10_000 if soak else 2000):
        gains, cells, weights, penalty, level = random_arm(rng)
        values = outcomes(gains, cells, penalty)
        densities = change_of_law(values, weights, level)
        left = 1 - densities @ weights
        assert (left > -1e-9).all() and (densities > 0).all()
        assert (densities * values) @ weights + left == pytest.approx(level, abs=1e-9)
        least = -np.log(densities) @ weights
        for law in rng.dirichlet(np.ones(len(gains) + 1), 5):
            reached = values @ law[:-1] + law[-1]
            share = np.clip((level - reached) / (1 - reached), 0, 1)[:, None]  # as much of an atom at 1 as it needs
            moved = (1 - share) * law[:-1]
            assert (-np.log(moved / weights) @ weights >= least - 1e-9).all()


def test_of_two_outcomes_it_is_the_entropy_of_coins():
    gains = np.repeat([1.0, 0.0], [3, 7])
    told = information(gains, np.zeros(10, int), np.full(10, 0.1), [0.5], 0.6)
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
        gains, cells, weights, penalty, level = random_arm(rng)
        best = np.full(len(gains), level)
        found = sharing_worth([best, gains], [np.zeros(len(gains)), cells], [weights] * 2, penalty)
        own = information(gains, cells, weights, penalty, level).diagonal()
        gaps = level - outcomes(gains, cells, penalty) @ weights
        assert 0 < found.shared <= min(found.apart, found.largest) * (1 + 1e-7)
        assert found.largest == pytest.approx(gaps[-1] / own.min(), rel=1e-9)
        assert found.apart == pytest.approx((gaps / own).sum(), rel=1e-9)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_atoms_have_the_gains_of_the_world_and_more_of_them_move_nothing(problem):
    """Tolerance: 12 points each way in each cell; .0001 of gains, and half a per cent of what 18 points give."""
    world = PROBLEMS[problem](limits=4)
    found = atoms(world)
    gains = [outcomes(*seen, world.penalty) @ weights for *seen, weights in zip(*found, strict=True)]
    assert np.allclose(gains, world.gains, atol=1e-4)
    assert sharing_worth(*found, world.penalty) == pytest.approx(sharing_worth(*atoms(world, 18), world.penalty), 5e-3)


def test_what_a_limit_hides_can_make_the_next_one_the_best():
    """As the proof in the notebook has it, of 2,000 random arms; tolerance: rounding."""
    rng, cut = np.random.default_rng(3), 0
    for _ in range(2000):
        gains, cells, weights, penalty, level = random_arm(rng)
        paid = outcomes(gains, cells, penalty) @ weights
        survival = [weights[cells > k].sum() for k in range(len(penalty))]
        own = int(paid.argmax())
        if own == len(penalty) - 1 or not survival[own] > 0:
            continue
        hides, cut = cells > own, cut + 1
        moved = outcomes(np.where(hides, 1.0, gains), np.where(hides, own + 1, cells), penalty) @ weights
        tables = dict(gains=np.array([paid, np.full(len(paid), level)]), survival=np.array([survival, survival]))
        world = SimpleNamespace(limits=np.zeros(len(penalty)), cost=power(0.0), penalty=penalty, **tables)
        assert moved[: own + 1] == pytest.approx(paid[: own + 1])
        assert hidden_excess(world)[0] == pytest.approx(moved[own + 1] - level)
    assert cut > 500
