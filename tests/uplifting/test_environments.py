"""The environments: their laws, their instances, common random numbers, and bad input."""

import math

import numpy as np
import pytest
from scipy import stats

import banditlab as bl
from banditlab import uplifting
from banditlab.uplifting.environments.bernoulli import SIZES, TREATED, UNTREATED, UPLIFTS, rates

SETS, MU0, MU = [[0, 1], [2]], [0.1, 0.2, 0.3], [[0.5, 0.4, 0.3], [0.1, 0.2, 0.9]]


def draws(environment, action, rounds, seed=0):
    """Payoffs of one action in many rounds."""
    rng = np.random.default_rng(seed)
    world = environment.reset(rng)
    return np.array([environment.step(world, action, t, rng).y.copy() for t in range(rounds)])


def covariance_of(environment):
    assert (environment.covariance == environment.covariance[0]).all()
    return environment.covariance[0]


@pytest.mark.parametrize("reading, spread", [("std80", 80.0), ("var80", math.sqrt(80.0))])
def test_paper_instance(reading, spread):
    world = uplifting.paper_gaussian(0, reading)
    gaps, covariance = np.sort(world.gaps), covariance_of(world)
    assert world.mu.shape == (10, 100) and (world.affected.sum(axis=1) == 10).all()
    assert 0.19 <= gaps[1] <= 0.21 and 0.5 <= gaps[2] <= 1.0
    assert np.allclose(np.diag(covariance), 1.0) and covariance.sum() == pytest.approx(spread**2, rel=1e-6)
    assert ((world.mu == world.mu0) | world.affected).all() and world.mu.min() >= 0 and world.mu.max() <= 1


def test_draws_have_mean_and_covariance():
    """4 standard errors: of 3 means and 6 covariances."""
    world, n = uplifting.gaussian(MU, MU0, SETS, [[0.6, 0.2], [0.1, -0.7], [0.5, 0.5]], [0.3, 0.2, 0.0]), 20_000
    y = draws(world, 1, n)
    expected = covariance_of(world)
    assert (np.abs(y.mean(axis=0) - MU[1]) < 4 * np.sqrt(np.diag(expected) / n)).all()
    spread = np.sqrt((np.outer(np.diag(expected), np.diag(expected)) + expected**2) / n)
    assert (np.abs(np.cov(y.T) - expected) < 4 * spread).all()


def test_the_reward_is_the_sum():
    world, rng = uplifting.paper_gaussian(0), np.random.default_rng(0)
    state = world.reset(rng)
    for t in range(50):
        seen = world.step(state, t % 10, t, rng)
        assert seen.reward == pytest.approx(seen.y.sum(), abs=1e-10)


def test_a_covariance_is_met():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(3, 3))
    covariance = rows @ rows.T + 0.1 * np.eye(3)
    assert np.allclose(covariance_of(uplifting.gaussian(MU, MU0, SETS, covariance=covariance)), covariance)
    flat = np.full((3, 3), 0.5) + 0.5 * np.eye(3)
    world = uplifting.gaussian(MU, MU0, SETS, covariance=flat)
    assert world.loadings.shape == (2, 1, 4), "equal correlation is one factor"
    singular = np.full((3, 3), 2.0)
    assert np.allclose(covariance_of(uplifting.gaussian(MU, MU0, SETS, covariance=singular)), singular)


@pytest.mark.parametrize("groups", [None, [0, 0, 0], [3, 1, 3]])
def test_summed_has_the_law_of_the_sums(groups):
    """Mean and covariance of normals are all; exactly, for every action."""
    laws = [[[0.6, 0.2], [0.1, -0.7], [0.5, 0.5]], [[0.1, 0.0], [0.2, 0.3], [0.4, 0.1]]]
    world = uplifting.gaussian(MU, MU0, [[0, 1], [1, 2]], laws, [[0.3, 0.2, 0.1]] * 2)
    small = uplifting.summed(world, groups)
    own = [1, 2, 0] if groups is None else groups  # by default: of the second action, of the first, of both
    table = np.array([np.array(own) == g for g in sorted(set(own))], float)
    assert np.allclose(small.mu, world.mu @ table.T) and np.allclose(small.mu0, table @ world.mu0)
    assert np.allclose(small.covariance, table @ world.covariance @ table.T)
    assert np.allclose(small.loadings[:, :, -1], world.loadings[:, :, -1]) and (small.sizes == table.sum(axis=1)).all()
    assert small.actions() == (2, len(table), 3) and (small.gaps == world.gaps).all()
    assert (small.affected == (world.affected @ table.T > 0)).all()


def test_policies_of_sums_have_the_same_law_of_regret_on_sums():
    """Mean final regrets of 200 runs within 4 standard errors."""
    world = uplifting.scaled_gaussian(0, 4, 20, 4, 0.5)
    for policy, groups in (("ucb", np.zeros(20)), ("upucb", None), ("upucb_bl", None)):
        found = []
        for shown in (world, uplifting.summed(world, groups)):
            m, sizes = len(shown.mu0), shown.sizes
            made = {
                "ucb": lambda m=m, sizes=sizes: uplifting.ucb(4, m, 0.5, sizes),
                "upucb": lambda m=m, sizes=sizes, w=shown: uplifting.upucb(w.affected, m, 0.5, sizes),
                "upucb_bl": lambda sizes=sizes, w=shown: uplifting.upucb_bl(w.affected, w.mu0, 0.5, sizes),
            }[policy]()
            found.append(bl.simulate(shown, {"p": made}, 500, 200, 0).final_regret("p"))
        error = np.sqrt(sum(values.var(ddof=1) / 200 for values in found))
        assert abs(found[0].mean() - found[1].mean()) < 4 * error


@pytest.mark.parametrize("eliminating", [False, True])
def test_ilift_instances_satisfy_their_assumption(eliminating):
    for seed in range(3):
        world = uplifting.ilift_gaussian(seed, eliminating)
        assert world.affected.sum(axis=0).max() <= 2
        for i in range(len(world.mu0)):
            values = np.sort([world.mu0[i], *world.mu[world.affected[:, i], i]])
            assert (np.diff(values) >= 0.3 - 1e-9).all()
        if eliminating:
            assert world.gaps.max() >= 2.2 > 0.3 * 12 / 2
        else:
            assert 0.19 <= np.sort(world.gaps)[1] <= 0.21


def test_scaled_instances_have_their_gap():
    world = uplifting.scaled_gaussian(3, 5, 30, 4, 0.7, sigma=2.0, rho=0.25)
    covariance = covariance_of(world)
    assert np.sort(world.gaps)[1] == pytest.approx(0.7)
    assert np.allclose(np.diag(covariance), 4.0) and covariance[0, 1] == pytest.approx(1.0)


def test_tables_of_the_bernoulli_bandit():

    sizes, p0, p1 = rates()
    assert sum(SIZES) == 100_000 and max(SIZES) == 12654
    assert np.allclose(sizes * (p1 - p0), UPLIFTS)
    assert np.abs(p0 - UNTREATED).max() <= 5.01e-4 and np.abs(p1 - TREATED).max() <= 5.01e-4
    world = uplifting.criteo_clusters()
    assert world.mu0.sum() == pytest.approx(4024.06, abs=0.005)
    assert world.gaps.argmin() == 5 and world.gaps.sum() == pytest.approx(2091.1)
    deviation = math.sqrt((sizes * p0 * (1 - p0)).sum())
    assert 55 < deviation < 57


def test_cluster_sums_are_binomial():
    """Kolmogorov-Smirnov at 0.1 %, by tabulated quantiles; treated and untreated."""
    world = uplifting.criteo_clusters()
    y = draws(world, 5, 4000)
    sizes, p0, p1 = rates()
    for g in (0, 5, 12, 18, 19):
        law = stats.binom(int(sizes[g]), (p1 if g == 5 else p0)[g])
        assert y[:, g].mean() == pytest.approx(law.mean(), abs=4 * law.std() / math.sqrt(len(y)) + 1e-12)
        assert y[:, g].var() == pytest.approx(law.var(), rel=0.1, abs=1e-12)
        observed, counts = np.unique(y[:, g], return_counts=True)
        assert np.abs(np.cumsum(counts) / len(y) - law.cdf(observed)).max() < 1.95 / math.sqrt(len(y))


def test_variables_and_clusters_have_the_same_expectations():
    fine, coarse = uplifting.criteo_individuals(), uplifting.criteo_clusters()
    assert np.allclose(fine.gaps, coarse.gaps) and np.allclose(fine.rewards, coarse.rewards)
    assert fine.actions() == (20, 100_000, 100_000) and coarse.actions() == (20, 20, 100_000)


@pytest.mark.parametrize(
    "world", [uplifting.paper_gaussian(0), uplifting.criteo_clusters(0.1), uplifting.criteo_individuals(0.01)]
)
def test_all_policies_meet_the_same_world(world):
    """Payoffs of unaffected variables, and all that follows, are the same whatever is played."""
    rngs = [np.random.default_rng(5) for _ in range(2)]
    worlds, affected = [world.reset(rng) for rng in rngs], world.affected
    for t in range(20):
        first, second = (world.step(worlds[k], a, t, rngs[k]).y for k, a in enumerate((0, t % len(affected))))
        alike = ~(affected[0] | affected[t % len(affected)])
        assert (first[alike] == second[alike]).all()
    assert rngs[0].random() == rngs[1].random()


def test_policies_of_other_sizes_are_refused():
    world = uplifting.criteo_clusters(0.1)
    for policy in (
        uplifting.ucb(3, 20, 1, world.sizes),
        uplifting.upucb_naff(20, 10_000, 5, 1),
        uplifting.ucb(20, 20, 1),
    ):
        with pytest.raises(ValueError, match="plays on actions"):
            bl.simulate(world, policy, 10)
