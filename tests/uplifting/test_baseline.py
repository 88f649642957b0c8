"""The price of an unknown baseline: the inequality of the proof, the bounds beside each other, the exact curve."""

import math

import numpy as np
import pytest
from numba import njit
from uplifting import baseline, beyond
from uplifting.names import UP, UP_BL

import banditlab as bl
from banditlab.uplifting import bounds


def drawn(rng):
    """Sets, gaps and a beta; action 0 is the best one."""
    K, m = int(rng.integers(2, 7)), int(rng.integers(2, 12))
    sets = np.array([rng.permutation(m) < rng.integers(1, m + 1) for _ in range(K)])
    gaps = np.r_[0.0, rng.choice([0.5, 1.0, 2.0, 4.0], K - 1) * rng.uniform(0.5, 1)]
    return sets, gaps, float(rng.choice([0.02, 0.1, 0.3]))


@njit
def worst_player(sets, gaps, beta, rounds=20_000):
    """Regret of who plays a worse action whenever (20) of the proof of Theorem 1 allows it, the largest gap first.

    An action a may be played if its gap is at most twice its own radii and those of the baseline where the best action
    affects a variable and a does not. Every action has been played once.
    """
    own, base, regret = np.zeros(len(gaps)), np.zeros(sets.shape[1]), 0.0
    for t in range(rounds):
        chosen = t if t < len(gaps) else -1
        for a in range(1, len(gaps) if chosen < 0 else 1):
            reach = 0.0
            for i in range(len(base)):
                if sets[a, i]:
                    reach += 2 * np.sqrt(2 * beta / own[a])
                elif sets[0, i]:
                    reach += 2 * np.sqrt(2 * beta / max(base[i], 1.0))
            if gaps[a] <= reach and (chosen < 0 or gaps[a] > gaps[chosen]):
                chosen = a
        if chosen < 0:
            return regret
        own[chosen] += 1
        for i in range(len(base)):
            base[i] += not sets[chosen, i]
        regret += gaps[chosen]
    raise AssertionError("still allowed")


def promised(sets, gaps, beta):
    """What the theorem allows at this beta."""
    sizes, worse = sets.sum(axis=1), gaps > 0
    own = (32 * beta * sizes[worse] ** 2 / gaps[worse] + gaps[worse]).sum()
    return own + 256 * beta * sizes[0] ** 2 / gaps[worse].min()


def test_whoever_obeys_the_proof_s_inequality_stays_below_the_bound(soak):
    """3,000 random instances (`make soak`: 30,000); the largest share is a tenth, or the test could not fail."""
    rng = np.random.default_rng(0)
    shares = []
    for _ in range(30_000 if soak else 3000):
        sets, gaps, beta = drawn(rng)
        shares.append(worst_player(sets, gaps, beta) / promised(sets, gaps, beta))
    assert 0.1 < max(shares) <= 1


def test_the_bound_is_its_formula_and_its_beta_that_of_theorem_1():
    rng = np.random.default_rng(1)
    for _ in range(50):
        sets, gaps, _ = drawn(rng)
        sizes, K = sets.sum(axis=1), len(gaps)
        beta = bounds.upucb_upper(gaps, sizes, 1000).beta
        assert beta == pytest.approx(math.log(4 * K * sizes.max() * 1000 / 0.05))
        assert baseline.upucb_once_upper(gaps, sizes, 1000) == pytest.approx(promised(sets, gaps, beta))
    assert baseline.upucb_once_upper([0.0, 0.0], [1, 2], 1000) == 0


@pytest.mark.parametrize("arms, size, best, gap", [(2, 1, 1, 0.5), (5, 3, 7, 1.0), (20, 2, 30, 0.2)])
def test_the_lower_bound_solves_its_program(arms, size, best, gap):
    """Fewest pulls of a worse action such that no split of the gap between its own means and the baseline fools."""
    x = np.linspace(0, gap, 20_001)

    def told(pulls):
        return (pulls * (x / size) ** 2 / 2 + (arms - 1) * pulls * ((gap - x) / best) ** 2 / 2).min()

    least = 1 / told(1.0)  # information is linear in the pulls
    assert baseline.unknown_baseline_lower(arms, size, best, gap) == pytest.approx((arms - 1) * least * gap, rel=1e-6)


def random_program(rng):
    """K, L, L* and the gap, each over its whole range on a logarithmic scale."""
    arms, size, best = 1 + int(10 ** rng.uniform(0, 3)), int(10 ** rng.uniform(0, 3)), int(10 ** rng.uniform(0, 3))
    return arms, size, best, 10 ** rng.uniform(-3, 1)


def test_the_lower_bound_solves_random_programs():
    """3,000 instances, in closed form: the best split of a gap over pulls N_a costs gap^2/2 / (L^2/N_a + L*^2/sum N).

    Equal pulls that add up to the formula are told apart from every split, just so from the best one; fewer pulls in
    all, however they are shared among the actions, are fooled in the action that has fewest.
    """
    rng = np.random.default_rng(4)
    for _ in range(3000):
        arms, size, best, gap = random_program(rng)
        total = baseline.unknown_baseline_lower(arms, size, best, gap) / gap
        each = total / (arms - 1)

        def told(x, pulls, total, size=size, best=best, gap=gap):
            return pulls * (x / size) ** 2 / 2 + total * ((gap - x) / best) ** 2 / 2

        own, common = size**2 / each, best**2 / total
        assert told(gap * own / (own + common), each, total) == pytest.approx(1, rel=1e-9)
        assert (told(gap * rng.uniform(-1, 2, 100), each, total) >= 1 - 1e-9).all()
        shares = rng.dirichlet(np.full(arms - 1, 10 ** rng.uniform(-1, 2)))
        fewest = 0.999 * total * shares.min()
        x = gap * size**2 / (size**2 + best**2 * fewest / (0.999 * total))
        assert told(x, fewest, 0.999 * total) < 1


def test_the_lower_bound_is_below_the_upper_one():
    for arms, size, best in ((2, 1, 1), (10, 3, 20)):
        upper = baseline.upucb_once_upper([0.0, *[0.5] * (arms - 1)], [best, *[size] * (arms - 1)], 10**6)
        assert baseline.unknown_baseline_lower(arms, size, best, 0.5) * math.log(10**6) < upper


def test_without_noise_regret_comes_to_the_curve():
    """Ratios after 20,000 and after 200,000 rounds: the later is nearer to the formula, and within 15 %."""
    formula = baseline.baseline_price(5, 5, 20)
    off = []
    for horizon in (20_000, 200_000):
        table = beyond.priced(5, 20, 0.1, horizon, 0).set_index("K").loc[5]
        off.append(abs(math.log(table[UP] / table[UP_BL] / formula)))
    assert off[1] < off[0] and off[1] < 0.15


def test_simulated_regret_is_below_the_sharper_bound():
    rng = np.random.default_rng(2)
    sets = np.repeat(np.eye(4), [6, 1, 1, 1], axis=1) > 0
    mu = sets * rng.uniform(2, 3, sets.shape)
    world = bl.uplifting.gaussian(mu, np.zeros(9), sets)
    limit = bounds.upucb_upper(world.gaps, sets.sum(axis=1), 5000)
    result = bl.simulate(world, bl.uplifting.upucb(sets, 9, limit.beta), 5000, runs=20, seed=0)
    assert result.regret.max() < baseline.upucb_once_upper(world.gaps, sets.sum(axis=1), 5000)
