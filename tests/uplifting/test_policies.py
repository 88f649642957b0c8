"""The policies against their twins, the exact identities between them, and bad input."""

import contextlib
import inspect
import math
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t as student
from uplifting import drawn

import banditlab as bl
from banditlab import uplifting
from banditlab.uplifting.environments.gaussian import Observation
from banditlab.uplifting.policies import unknown_sets
from banditlab.uplifting.policies.least_uplift import identifying_pulls
from tests.naive import uplifting as naive
from tests.papers import SOAK
from tests.uplifting.duel import DYADIC, SEEDS, duel, halves, instance, trace

BETAS = st.sampled_from([0.05, 0.5, 3.0])
FEW = settings(max_examples=25 if SOAK else 12, deadline=None, derandomize=True)


@FEW
@given(SEEDS, st.booleans(), BETAS)
def test_ucb_plays_as_its_twin(seed, quiet, beta):
    world = instance(seed, quiet)
    K, m = world.mu.shape
    duel(uplifting.ucb(K, m, beta), naive.UCB(K, m, beta), world, 120, seed)


@FEW
@given(SEEDS, st.sampled_from([0.01, 0.3]))
def test_thompson_plays_as_its_twin(seed, sigma2):
    world = instance(seed)
    if world.gaps.max() > 0:
        twin = naive.Thompson(world.rewards.tolist(), len(world.mu0), sigma2, np.random.default_rng(seed))
        duel(uplifting.thompson(world.rewards, len(world.mu0), sigma2), twin, world, 120, seed)


@FEW
@given(SEEDS, st.booleans(), BETAS, st.booleans())
def test_upucb_bl_plays_as_its_twin(seed, quiet, beta, weighted):
    world = instance(seed, quiet)
    sizes = np.random.default_rng(seed).integers(1, 5, len(world.mu0)) if weighted else None
    policy = uplifting.upucb_bl(world.affected, world.mu0, beta, sizes)
    duel(policy, naive.UpUCBbl(world.mu0, world.affected, beta, sizes), without_total(world, policy), 120, seed)


def without_total(world, policy):
    """`duel` does not compare action spaces; the weights change what a radius counts, not what is seen."""
    assert policy.actions()[:2] == world.actions()[:2]
    return world


@FEW
@given(SEEDS, BETAS, st.booleans(), st.booleans())
def test_upucb_plays_as_its_twin(seed, beta, weighted, lower):
    world = instance(seed)
    sizes = np.random.default_rng(seed).integers(1, 5, len(world.mu0)) if weighted else None
    factory, twin = (uplifting.upucb_lcb, naive.UpUCBLCB) if lower else (uplifting.upucb, naive.UpUCB)
    policy = factory(world.affected, len(world.mu0), beta, sizes)
    state, _ = duel(policy, twin(world.affected, beta, sizes), without_total(world, policy), 120, seed)
    for g, row in enumerate(policy.member):  # a baseline is seen at least as often as any action that leaves it alone
        assert all(state.rounds[g] >= state.pulls[a] for a in np.flatnonzero(row == 0))


@FEW
@given(SEEDS, BETAS)
def test_upucb_is_combucb(seed, beta):
    world = instance(seed)
    duel(uplifting.upucb(world.affected, len(world.mu0), beta), naive.CombUCB(world.affected, beta), world, 120, seed)


@FEW
@given(SEEDS, st.booleans(), BETAS, st.booleans())
def test_naff_bl_plays_as_its_twin(seed, quiet, beta, several):
    world = instance(seed, quiet)
    K, m = world.mu.shape
    L = np.random.default_rng(seed).integers(1, m + 1, K).tolist() if several else 1 + seed % m
    policy = uplifting.upucb_naff_bl(K, world.mu0, L, beta)
    duel(policy, naive.UpUCBnAffbl(K, world.mu0, L, beta), world, 120, seed)


@FEW
@given(SEEDS, st.booleans(), BETAS)
def test_naff_plays_as_its_twin(seed, quiet, beta):
    world = instance(seed, quiet)
    K, m = world.mu.shape
    duel(uplifting.upucb_naff(K, m, 1 + seed % m, beta), naive.UpUCBnAff(K, m, 1 + seed % m, beta), world, 120, seed)


# Payoffs in halves: borders and ties are met exactly, so every mean must be a sum divided by a count


def naff_bl(world, L, beta, module=unknown_sets):
    K = world.table.shape[1]
    return module.upucb_naff_bl(K, world.mu0, L, beta), naive.UpUCBnAffbl(K, world.mu0, L, beta)


def naff_alone(world, L, beta, module=unknown_sets):
    _, K, m = world.table.shape
    return module.upucb_naff(K, m, L, beta), naive.UpUCBnAff(K, m, L, beta)


BOTH = pytest.mark.parametrize("make", [naff_bl, naff_alone])


@BOTH
@pytest.mark.parametrize("beta", DYADIC)
@pytest.mark.parametrize("seed", range(8))
def test_on_halves_no_tie_is_forgiven(make, beta, seed):
    """With these seeds no two actions have indices that differ by the order of their terms only."""
    world = halves(seed, 100)
    for L in (1, 2, 4):
        duel(*make(world, L, beta), world, 100, seed, strict=True)


def with_running_means():
    """The module of the nAff policies, changed to keep means instead of sums."""
    source, module = inspect.getsource(unknown_sets), ModuleType("changed")
    module.__package__ = unknown_sets.__package__
    for before, after in (
        ("sums[action, i] += y[i]", "sums[action, i] += (y[i] - sums[action, i]) / pulls[action]"),
        ("sums[action, i] / pulls[action]", "sums[action, i]"),
        ("sums[b, i] / pulls[b]", "sums[b, i]"),
        ("sums[a, i] / n", "sums[a, i]"),
    ):
        assert source.count(before) == 1
        source = source.replace(before, after)
    exec(compile(source, "changed", "exec"), module.__dict__)
    return module


@BOTH
def test_running_means_would_be_noticed(make):
    changed, noticed = with_running_means(), 0
    for seed in range(8):
        for beta in DYADIC:
            world = halves(seed, 100)
            with contextlib.suppress(AssertionError):
                duel(*make(world, 1, beta, changed), world, 100, seed, strict=True)
                continue
            noticed += 1
    assert noticed >= 3


@pytest.mark.parametrize("seed", range(3))
def test_on_bernoulli_variables_the_twins_agree(seed):
    """The environment of Section 7 at the level of variables, small; no two variables have the same rate."""
    rng = np.random.default_rng(seed)
    untreated, treated = rng.random(9), rng.random(9)
    world = uplifting.bernoulli(untreated, treated, [[0, 1, 2], [3, 4], [5, 6, 7]])
    known = uplifting.upucb_naff_bl(3, untreated, 3, 0.05)
    duel(known, naive.UpUCBnAffbl(3, untreated, 3, 0.05), world, 150, seed, strict=True)
    duel(uplifting.upucb_naff(3, 9, 3, 0.05), naive.UpUCBnAff(3, 9, 3, 0.05), world, 150, seed)


@FEW
@given(SEEDS, st.sampled_from([0.05, 0.5]), st.sampled_from([0.25, 1.0]))
def test_ilift_bl_plays_as_its_twin(seed, beta, delta_up):
    world = instance(seed)
    K = len(world.mu)
    policy = uplifting.upucb_ilift_bl(K, world.mu0, delta_up, beta)
    duel(policy, naive.UpUCBiLiftbl(K, world.mu0, delta_up, beta), world, 120, seed)


@FEW
@given(SEEDS, st.sampled_from([0.05, 0.5]), st.sampled_from([0.5, 1.0]))
def test_naive_ilift_plays_as_its_twin(seed, beta, delta_up):
    world = instance(seed)
    K = len(world.mu)
    policy = uplifting.upucb_ilift_naive(K, world.mu0, delta_up, beta)
    duel(policy, naive.UpUCBiLiftNaive(K, world.mu0, delta_up, beta), world, 120, seed)


@FEW
@given(SEEDS, st.sampled_from([1, 10, 10**6]), BETAS, st.booleans())
def test_an_offline_baseline_plays_as_its_twin(seed, samples, beta, weighted):
    world = instance(seed)
    rng = np.random.default_rng(seed)
    sizes, estimate = rng.integers(1, 5, len(world.mu0)) if weighted else None, world.mu0 + rng.normal(0, 0.1)
    policy = uplifting.upucb_offline(world.affected, estimate, samples, beta, sizes)
    twin = naive.UpUCBOffline(estimate, samples, world.affected, beta, sizes)
    duel(policy, twin, without_total(world, policy), 120, seed)


@FEW
@given(SEEDS, st.sampled_from([0.02, 0.3]), st.sampled_from([0.5, 1.5]))
def test_ilift_plays_as_its_twin(seed, beta, delta_up):
    world = instance(seed)
    K, m = world.mu.shape
    duel(uplifting.upucb_ilift(K, m, delta_up, beta), naive.UpUCBiLift(K, m, delta_up, beta), world, 150, seed)


@FEW
@given(SEEDS, BETAS, st.booleans())
def test_the_adjusted_policy_plays_as_its_twin(seed, beta, own):
    world, rng = instance(seed), np.random.default_rng(seed)
    m, covariance = len(world.mu0), world.covariance[0]
    if own:  # what an action affects has noise of its own besides
        extra = [np.diag(row * rng.random(m)) for row in world.affected.astype(float)]
        world = uplifting.gaussian(world.mu, world.mu0, world.affected, covariance=[covariance + e for e in extra])
    policy = uplifting.upucb_bl_adjusted(world.affected, world.mu0, world.covariance if own else covariance, beta)
    duel(policy, naive.Adjusted(world.mu0, world.affected, world.covariance, beta), world, 120, seed)


@FEW
@given(SEEDS)
def test_the_optimal_policy_plays_as_its_twin(seed):
    world = instance(seed)
    policy = uplifting.upucb_bl_optimal(world.affected, world.mu0, world.covariance)
    duel(policy, naive.Optimal(world.mu0, world.affected, world.covariance), world, 120, seed)


def test_the_optimal_policy_nears_the_bound_of_lemma_4():
    """Regret over its least times log T tends to one; log(1 + T log^2 T) is 1.4 times log T at this horizon."""
    world = uplifting.gaussian([[1, 0], [0, 0.8]], [0, 0], [[0], [1]], [[1.0], [1.0]], [0.25, 0.25])
    policy = uplifting.upucb_bl_optimal(world.affected, world.mu0, world.covariance)
    least = uplifting.bounds.known_covariance_lower(world.gaps, policy.deviations)
    regret = bl.simulate(world, policy, 100_000, 100).regret[0, :, -1].mean()
    assert 0.7 < regret / (least * math.log(100_000)) < 1.6


@FEW
@given(SEEDS, BETAS)
def test_the_learning_policy_plays_as_its_twin(seed, beta):
    world = instance(seed)
    policy = uplifting.upucb_bl_learnt(world.affected, world.mu0, beta)
    duel(policy, naive.Learnt(world.mu0, world.affected, beta), world, 120, seed)


def test_students_law_stays_below_the_radius():
    """P(T > x) <= (1 + x^2 / nu)^(-nu / 2), over degrees of freedom and x."""
    nu, x = np.meshgrid([1, 2, 3, 5, 10, 30, 100, 1000, 10_000], np.linspace(0, 30, 400))
    assert (student.sf(x, nu) <= (1 + x * x / nu) ** (-nu / 2)).all()


@pytest.mark.parametrize("affected", [[[0, 1], [2]], [[0, 1, 2], [0, 1, 2]]])
def test_independent_noise_and_absent_others_tell_nothing(affected):
    table = np.array([np.isin(np.arange(3), row) for row in affected])
    weights, deviations = uplifting.noise_adjustment(table, np.eye(3))
    assert (weights == table).all() and deviations == pytest.approx(np.sqrt(table.sum(axis=1)))


def test_ilift_eliminates_identifies_and_goes_on():
    """The traces above are short; here phase I drops actions and phase II is long."""
    world = uplifting.ilift_gaussian(3, eliminating=True)
    policy, twin = uplifting.upucb_ilift(5, 12, 0.3, 0.05), naive.UpUCBiLift(5, 12, 0.3, 0.05)
    state, actions = duel(policy, twin, world, 300)
    assert state.turn == 5 and 1 <= state.alive.sum() < 5 and len(set(actions[150:])) > 0


# Exact identities (same random payoffs, no ties)


def tables(seed, K, m, rounds):
    """payoffs(t, action) from a common table."""
    values = np.random.default_rng(seed).normal(0.5, 1.0, (rounds, K, m))
    return lambda t, a: values[t, a]


@pytest.mark.parametrize("seed", range(5))
def test_everything_affected_is_ucb(seed):
    K, m, T = 4, 6, 400
    payoffs, everything, mu0 = tables(seed, K, m, T), np.ones((K, m), bool), np.random.default_rng(seed).random(m)
    expected = trace(uplifting.ucb(K, m, 0.3), payoffs, T)
    assert len(set(expected[20:])) > 1
    assert trace(uplifting.upucb_bl(everything, mu0, 0.3), payoffs, T) == expected
    assert trace(uplifting.upucb(everything, m, 0.3), payoffs, T) == expected
    assert trace(uplifting.upucb_naff_bl(K, mu0, m, 0.3), payoffs, T) == expected
    assert trace(uplifting.upucb_ilift_bl(K, mu0, 1e-3, 0.3), payoffs, T) == expected  # never identifies


def test_unaffected_variables_do_not_matter():
    """Any noise on variables that no action affects leaves UpUCB's actions as they are."""
    K, m, T = 3, 6, 300
    affected, mu0 = [[0], [1], [0, 2]], np.zeros(m)
    payoffs, other = tables(0, K, m, T), tables(1, K, m, T)

    def noisy(t, a):
        return np.concatenate([payoffs(t, a)[:3], 100 * other(t, a)[3:]])

    for policy in (uplifting.upucb_bl(affected, mu0, 0.5), uplifting.upucb(affected, m, 0.5)):
        assert trace(policy, payoffs, T) == trace(policy, noisy, T)
    assert trace(uplifting.ucb(K, m, 0.01), payoffs, T) != trace(uplifting.ucb(K, m, 0.01), noisy, T)


def test_clusters_and_variables_give_the_same_actions():
    world = uplifting.criteo_individuals(0.005)
    sizes, m, T = np.bincount(world.action_of), len(world.mu0), 150
    single, sums = world.affected, np.eye(20, dtype=bool)
    base = np.bincount(world.action_of, world.mu0)
    rng = np.random.default_rng(0)
    uniforms = rng.random((T, m))

    def variables(t, a):
        return uniforms[t] < world.rates[(world.action_of == a).astype(int), np.arange(m)]

    def clusters(t, a):
        return np.bincount(world.action_of, variables(t, a))

    pairs = [
        (uplifting.ucb(20, m, 1e-4), uplifting.ucb(20, 20, 1e-4, sizes)),
        (uplifting.thompson(world.rewards, m, 1e-5), uplifting.thompson(world.rewards, 20, 1e-5, sizes)),
        (uplifting.upucb_bl(single, world.mu0, 1e-3), uplifting.upucb_bl(sums, base, 1e-3, sizes)),
        (uplifting.upucb(single, m, 1e-3), uplifting.upucb(sums, 20, 1e-3, sizes)),
        (uplifting.upucb_lcb(single, m, 1e-3), uplifting.upucb_lcb(sums, 20, 1e-3, sizes)),
    ]
    for fine, coarse in pairs:
        actions = trace(fine, variables, T)
        assert actions == trace(coarse, clusters, T) and len(set(actions[40:])) > 1


# Details


def test_identification_needs_no_pull_more_than_it_should():
    assert identifying_pulls(8.0, 0.09, 0.3) == 8  # 8.000000000000002 in floating point
    assert identifying_pulls(32.0, 3.0, 0.3) == 1067
    assert identifying_pulls(32.0, 1e-11, 1.0) == 1  # one pull at least, or phase I would never end
    world = instance(3)
    K, m = world.mu.shape
    duel(uplifting.upucb_ilift(K, m, 1.0, 1e-11), naive.UpUCBiLift(K, m, 1.0, 1e-11), world, 30)


def test_negative_uplifts_are_summed():
    """Uplifts 1, 1, -4 and L = 3: the index is from the uplift to the uplift + 4 L c (text after Theorem 2)."""
    mu0, y = np.zeros(5), np.array([1.0, 1.0, -4.0, 0.0, 0.0])
    policy = uplifting.upucb_naff_bl(1, mu0, 3, 0.5)
    state = policy.init(None)
    for t in range(200):
        state = policy.update(state, 0, Observation(y, y.sum()), t, None)
        radius = math.sqrt(1.0 / (t + 1))
        assert -2 <= state.index[0] <= -2 + 12 * radius


TRACED = {  # by name, for a world of ten variables of which each action moves three
    "ucb": lambda world: uplifting.ucb(3, 10, 1.0),
    "upucb_bl": lambda world: uplifting.upucb_bl(world.affected, world.mu0, 1.0),
    "upucb": lambda world: uplifting.upucb(world.affected, 10, 1.0),
    "upucb_lcb": lambda world: uplifting.upucb_lcb(world.affected, 10, 1.0),
    "adjusted": lambda world: uplifting.upucb_bl_adjusted(world.affected, world.mu0, world.covariance, 1.0),
    "naff_bl": lambda world: uplifting.upucb_naff_bl(3, world.mu0, [4, 3, 2], 0.05),
    "naff": lambda world: uplifting.upucb_naff(3, 10, 3, 0.05),
    "ilift_bl": lambda world: uplifting.upucb_ilift_bl(3, world.mu0, 0.3, 0.05),
    "ilift_naive": lambda world: uplifting.upucb_ilift_naive(3, world.mu0, 0.3, 0.05),
    "ilift": lambda world: uplifting.upucb_ilift(3, 10, 0.3, 0.05),
}


@pytest.mark.parametrize("name", TRACED)
def test_indices_are_estimate_plus_radius_and_choose(name):
    """The traced index is their sum, and the largest of it is what is played next once it is what chooses."""
    world = uplifting.scaled_gaussian(0, 3, 10, 3, 0.5)
    found = bl.trace(world, TRACED[name](world), 200)
    estimate, radius, index = found.indices.transpose(1, 0, 2)
    assert np.isnan(index[0]).all() and np.allclose(estimate + radius, index, equal_nan=True)
    known = ~np.isnan(index).all(axis=1)
    known &= ~np.isnan(index).any(axis=1) | (name == "ilift")  # of which some actions are dropped
    assert known.sum() > 100 and (np.nanargmax(index[known], axis=1) == found.actions[known]).all()


@pytest.mark.parametrize("name", ["naff_bl", "naff", "ilift_bl", "ilift_naive", "ilift"])
def test_the_estimate_that_is_shown_is_the_uplift_of_what_was_found(name):
    """Without noise: the true uplift once all is identified; without the baseline, its lead over the best action's."""
    mu0 = np.full(8, 0.5)
    mu = np.tile(mu0, (3, 1))
    mu[0, :3], mu[1, 3:6], mu[2, :2] = 1.5, 1.4, 1.3
    world = uplifting.gaussian(mu, mu0, mu != mu0, idiosyncratic=np.zeros(8))
    made = {
        "naff_bl": lambda: uplifting.upucb_naff_bl(3, mu0, 2, 0.01),
        "naff": lambda: uplifting.upucb_naff(3, 8, 1, 0.001),
        "ilift_bl": lambda: uplifting.upucb_ilift_bl(3, mu0, 0.3, 0.01),
        "ilift_naive": lambda: uplifting.upucb_ilift_naive(3, mu0, 0.3, 0.01),
        "ilift": lambda: uplifting.upucb_ilift(3, 8, 0.1, 0.0005),
    }[name]()
    estimate, radius, _ = bl.trace(world, made, 100).indices[-1]
    uplift, alive = (mu - mu0).sum(axis=1), ~np.isnan(estimate)
    if name == "naff":
        assert estimate[0] == radius[0] == 0
    if name in ("naff", "ilift"):
        assert alive.sum() > 1 and (estimate - estimate[0])[alive] == pytest.approx((uplift - uplift[0])[alive])
    else:
        assert estimate == pytest.approx(uplift)
        pulls = bl.record_run(world, made, 99).state
        pulls = getattr(pulls, "payoffs", pulls).pulls
        assert radius == pytest.approx([3, 3, 2] * np.sqrt(2 * 0.01 / pulls))


@pytest.mark.skipif(not SOAK, reason="a minute: with make soak")
def test_parameters_under_the_literal_noise_are_those_that_tuning_chooses():
    chosen = {cell.policy: one.best for cell, one in drawn.TUNED_LOW.results("paper").items()}
    assert chosen == drawn.VARIANCE_80
    for policy, best in chosen.items():
        grid = drawn.LOW_SIGMA2 if policy == "Thompson" else drawn.LOW_BETAS
        assert min(grid) < best < max(grid)
