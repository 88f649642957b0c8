"""The classic policies against literal twins, textbook bounds, and bad input."""

import decimal
import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

import banditlab as bl
from banditlab import classic
from banditlab.classic.weights import Weights
from banditlab.engine.loop import run
from tests import toys
from tests.kernels import compile_for
from tests.naive import classic as naive
from tests.naive.classic import TWINS


def trace(rewards, policy, seed=0):
    """The actions of the policy, and its final state, where the rewards are known beforehand."""
    environment = toys.Scripted(rewards)
    rngs = [np.random.default_rng(seed), np.random.default_rng(seed)]
    args = environment, policy, np.array([len(rewards)]), (), np.zeros(2, np.int64), *rngs
    _, world, state = compile_for(run, *args)(*args)
    return world.tolist(), state


def ucb1_by_hand(rewards, alpha):
    twin, actions = naive.UCB1(rewards.shape[1], alpha), []
    for row in rewards:
        actions.append(twin.select())
        twin.update(actions[-1], row[actions[-1]])
    return actions


def by_hand(rewards, twin, seed):
    """The actions of a twin, which draws from a stream like that of the policy."""
    actions, rng = [], np.random.default_rng(seed)
    for row in rewards:
        actions.append(twin.select(rng))
        twin.update(actions[-1], row[actions[-1]])
    return actions


def constant(means, rounds=300):
    return np.tile(np.array(means, float), (rounds, 1))


@pytest.mark.parametrize("alpha", [0.1, 2.0, 4.0])
@pytest.mark.parametrize("means", [[0.9, 0.5, 0.1], [0.2, 0.3, 0.9, 0.85], [0.5], [0.0, 1.0]], ids=str)
def test_ucb1_plays_what_its_twin_plays(means, alpha):
    """Noise-free, and with continuous noise, where no two indices are alike."""
    noisy = np.random.default_rng(1).random((300, len(means)))
    for rewards in constant(means), noisy:
        assert trace(rewards, classic.ucb1(len(means), alpha))[0] == ucb1_by_hand(rewards, alpha)


@pytest.mark.parametrize("seed", range(6))
def test_ucb1_breaks_ties_to_the_lowest_arm_whatever_the_order_of_the_rewards(seed):
    """With rewards 0 and 1 two arms often have the same number of pulls and of successes."""
    rewards = (np.random.default_rng(seed).random((300, 4)) < 0.4).astype(float)
    assert trace(rewards, classic.ucb1(4))[0] == ucb1_by_hand(rewards, 2.0)


def test_ucb1_tries_every_arm_once_in_order():
    assert trace(constant([0.0] * 5, 12), classic.ucb1(5))[0] == [0, 1, 2, 3, 4] * 2 + [0, 1]


def exp3_by_hand(rewards, seed):
    twin, actions = naive.EXP3(rewards.shape[1], len(rewards)), []
    rng = np.random.default_rng(seed)
    for row in rewards:
        actions.append(twin.select(rng.random()))
        chances = twin.probabilities()
        twin.update(actions[-1], row[actions[-1]])
    return actions, chances


@pytest.mark.parametrize("means", [[0.9, 0.5, 0.1], [0.5], [0.0, 1.0], [0.3] * 6], ids=str)
def test_exp3_plays_what_its_twin_plays(means):
    for seed in range(3):
        rewards = constant(means)
        actions, state = trace(rewards, classic.exp3(len(means), 300), seed)
        expected, chances = exp3_by_hand(rewards, seed)
        assert actions == expected
        assert state.chances == pytest.approx(chances, rel=1e-9)  # logarithms of weights against weights


@settings(deadline=None, max_examples=50)
@given(st.lists(st.floats(-700, 700), min_size=2, max_size=6), st.integers(1, 10**6), st.integers(0, 2**32))
def test_exp3_has_probabilities_whatever_the_weights(weights, horizon, seed):
    policy = classic.exp3(len(weights), horizon)
    state = Weights(np.array(weights), np.zeros(len(weights)))
    arm = policy.select(state, 0, np.random.default_rng(seed))
    assert 0 <= arm < len(weights)
    assert state.chances.sum() == pytest.approx(1.0, abs=1e-12)  # rounding of at most six terms
    assert state.chances.min() >= policy.gamma / len(weights) * (1 - 1e-12)
    order = np.argsort(weights, kind="stable")
    assert (np.diff(state.chances[order]) >= 0).all()


def test_exp3_draws_arms_with_its_probabilities():
    policy, rng = classic.exp3(3, 100), np.random.default_rng(0)
    state = Weights(np.array([0.0, 1.0, 2.0]), np.zeros(3))
    counts = np.bincount([policy.select(state, 0, rng) for _ in range(4000)], minlength=3)
    # Tolerance: four standard deviations of a binomial fraction, at most 0.008 each.
    assert counts / 4000 == pytest.approx(state.chances, abs=0.032)


def test_exp3_survives_long_runs_of_rewards():
    """Weights themselves would overflow after some thousand rounds."""
    result = bl.simulate(classic.bernoulli([1.0, 0.0]), classic.exp3(2, 20_000), 20_000, runs=4)
    assert np.isfinite(result.regret).all()
    assert (result.regret[0, :, -1] < 1500).all()


def all_rewards(arms):
    """Of no noise (dyadic: sums are exact), of continuous noise, of 0 and 1, and of arms that change places."""
    rng, means = np.random.default_rng(5), np.arange(1, arms + 1) / 8
    yield constant(means)
    yield constant([0.5] * arms)
    yield rng.random((300, arms)) ** (1 / means - 1)
    yield (rng.random((300, arms)) < means).astype(float)
    yield (rng.random((300, arms)) < np.vstack([constant(means, 150), constant(means[::-1], 150)])).astype(float)


@pytest.mark.parametrize("name", TWINS)
def test_a_policy_plays_what_its_twin_plays(name):
    policy, twin = TWINS[name]
    for arms in 2, 5:
        for seed, rewards in enumerate(all_rewards(arms)):
            assert trace(rewards, policy(arms), seed)[0] == by_hand(rewards, twin(arms), seed)


def test_elimination_drops_arms_when_its_twin_does():
    rewards = constant([0.5, 1.0, 0.0], 700)
    actions = trace(rewards, classic.successive_elimination(3, 0.5, 1.0))[0]
    assert actions == by_hand(rewards, naive.SuccessiveElimination(3, 0.5, 1.0), 0)
    ends = [len(actions) - actions[::-1].index(arm) for arm in range(3)]
    assert ends[2] < ends[0] < 690 and ends[1] == 700


@pytest.mark.parametrize("name", TWINS)
def test_a_single_arm_is_played(name):
    assert set(trace(constant([0.5], 50), TWINS[name][0](1))[0]) == {0}


def test_exp3_mixes_at_the_rate_of_its_horizon():
    assert classic.exp3(10, 1000).gamma == pytest.approx(math.sqrt(10 * math.log(10) / ((math.e - 1) * 1000)))
    assert classic.exp3(10, 1).gamma == 1.0
    assert classic.exp3(1, 100).gamma == 0.0


def test_uniform_draws_every_arm_alike():
    actions, _ = trace(constant([0.5] * 4, 4000), classic.uniform(4))
    # Tolerance: four standard deviations of a binomial fraction, 0.007 each.
    assert np.bincount(actions, minlength=4) / 4000 == pytest.approx([0.25] * 4, abs=0.028)


@pytest.mark.parametrize("means", [[0.9, 0.8, 0.5], [0.5, 0.45], [0.1, 0.9, 0.1, 0.1]], ids=str)
def test_ucb1_stays_below_its_bound(means):
    """Theorem 1: 8 sum log T / gap + (1 + pi^2 / 3) sum gap."""
    result = bl.simulate(classic.bernoulli(means), classic.ucb1(len(means)), 20_000, runs=20, seed=2)
    gaps = max(means) - np.array(means)
    for row in result.summary().itertuples():
        bound = 8 * (math.log(row.t) / gaps[gaps > 0]).sum() + (1 + math.pi**2 / 3) * gaps.sum()
        assert row.high <= bound
    assert row.mean < 0.5 * 20_000 * gaps.mean()  # far from playing at random


@pytest.mark.parametrize("horizon", [200, 5000])
def test_exp3_stays_below_its_bound(horizon):
    """Corollary 3.2: 2 sqrt(e - 1) sqrt(T N log N), at the horizon that its rate is made for."""
    means = [0.5, 0.6, 0.4, 0.9, 0.1]
    result = bl.simulate(classic.bernoulli(means), classic.exp3(5, horizon), horizon, runs=20, seed=2)
    bound = 2 * math.sqrt(math.e - 1) * math.sqrt(horizon * 5 * math.log(5))
    assert result.summary()["high"].iloc[-1] <= bound


@pytest.mark.parametrize("means", [[0.9, 0.8, 0.5], [0.05, 0.02, 0.02, 0.01]], ids=str)
def test_kl_ucb_comes_near_what_nobody_can_beat(means):
    """Lai and Robbins speak of the limit only: within a factor of 2 of the constant times log T."""
    result = bl.simulate(classic.bernoulli(means), classic.kl_ucb(len(means)), 50_000, runs=20, seed=4)
    leading = classic.lai_robbins(means) * math.log(50_000)
    assert 0.5 * leading < result.summary()["mean"].iloc[-1] < 2.0 * leading


def test_moss_and_exp3_ix_stay_below_their_bounds():
    """49 sqrt(n K) (2009, Theorem 5); Theorem 1 with delta = 0.05 in at least 19 of 20 runs."""
    means, T = [0.5, 0.6, 0.4, 0.9, 0.1], 5000
    policies = {"MOSS": classic.moss(5, T), "IX": classic.exp3_ix(5, T), "anytime": classic.exp3_ix(5)}
    result = bl.simulate(classic.bernoulli(means), policies, T, runs=20, seed=2)
    moss, known, anytime = result.regret[:, :, -1]
    scale, ratio = math.sqrt(5 * T * math.log(5)), math.sqrt(5 * T / math.log(5))
    assert moss.mean() <= 49 * math.sqrt(5 * T)
    assert (known <= math.sqrt(8) * scale + (math.sqrt(2) * ratio + 1) * math.log(40)).sum() >= 19
    assert (anytime <= 4 * scale + (2 * ratio + 1) * math.log(40)).sum() >= 19


def test_lai_robbins_is_a_sum_over_the_arms_below_the_best():
    p, best = 0.3, 0.8
    d = p * math.log(p / best) + (1 - p) * math.log((1 - p) / (1 - best))
    assert classic.divergence(p, best) == pytest.approx(d)
    assert classic.lai_robbins([best, p, best, p]) == pytest.approx(2 * (best - p) / d)
    assert classic.lai_robbins([1.0, 0.5]) == classic.lai_robbins([0.5, 0.5]) == 0.0
    assert classic.lai_robbins([3.0, -1.0], sigma=2.0) == pytest.approx(2 * 4 / 4)


@pytest.mark.parametrize("q", [0.5, 0.3, 0.99, 1e-3])
@pytest.mark.parametrize("digits", range(1, 16))
def test_the_divergence_of_close_means_keeps_its_digits(q, digits):
    for p in (q - 10.0**-digits * q, q + 10.0**-digits * min(q, 1 - q)):
        with decimal.localcontext(prec=80):
            a, b = decimal.Decimal(p), decimal.Decimal(q)
            exact = float(a * (a / b).ln() + (1 - a) * ((1 - a) / (1 - b)).ln())
        near = abs(p - q) < 1e-3
        assert classic.divergence(p, q) == pytest.approx(exact, rel=1e-13 if near else 1e-9, abs=0)


def test_close_means_take_their_time():
    """Two Bernoulli arms about 1/2 with a gap: 2 / gap^2 rounds by the law of normal arms of variance 1/4."""
    for gap in (1e-6, 1e-8, 1e-9):
        means = [0.5, 0.5 + gap]
        assert classic.characteristic_time(means) * gap**2 == pytest.approx(2, rel=1e-6)
        assert classic.optimal_shares(means) == pytest.approx([0.5, 0.5], abs=1e-6)
        assert classic.lai_robbins(means) * gap == pytest.approx(0.5, rel=1e-6)


def steps(environment, arm, rounds, seed=0):
    """Rewards of one arm, and its expected regret in each round."""
    rng = np.random.default_rng(seed)
    world, found = environment.reset(rng), []
    for t in range(rounds):
        reward = environment.step(world, arm, t, rng)
        found.append((reward, environment.regret(world, arm, t)))
    return np.array(found).T


def test_normal_arms_pay_with_their_law_and_share_their_noise():
    environment = classic.gaussian([0.3, -1.0], [0.5, 2.0])
    paid = [steps(environment, arm, 4000)[0] for arm in (0, 1)]
    assert (paid[0] - 0.3) / 0.5 == pytest.approx((paid[1] + 1.0) / 2.0)
    # Tolerance: four standard errors of a mean and of a standard deviation of 4,000 normals.
    assert paid[0].mean() == pytest.approx(0.3, abs=0.032) and paid[0].std() == pytest.approx(0.5, abs=0.023)
    assert environment.gaps.tolist() == [0.0, 1.3]


@pytest.mark.parametrize(
    "mean, concentration", [(0.5, 2.0), (0.9, 0.3), (0.2, 60.0), (1e-3, 1.0), (0.3, Fraction(1, 2))]
)
def test_beta_arms_have_the_mean_and_the_law_of_beta(mean, concentration):
    environment = classic.beta([mean, 0.5], concentration)
    values = environment.values[0]
    assert values.mean() == pytest.approx(mean, rel=1e-9) and (np.diff(values) >= 0).all()
    assert 0 <= values.min() and values.max() <= 1
    cells = np.arange(1024) / 1024
    law = scipy.stats.beta(mean * float(concentration), (1 - mean) * float(concentration))
    assert (values >= law.ppf(cells) - 1e-9).all() and (values <= law.ppf(cells + 1 / 1024) + 1e-9).all()
    paid = steps(environment, 0, 4000)[0]
    assert set(paid) <= set(values)
    assert paid.mean() == pytest.approx(mean, abs=4 * law.std() / math.sqrt(4000))  # four standard errors


def test_means_jump_where_they_are_told_to():
    environment = classic.piecewise([[0.0, 1.0], [1.0, 0.0], [0.0, 0.5]], [3, 4])
    for arm, expected in (0, [0, 0, 0, 1, 0, 0]), (1, [1, 1, 1, 0]):
        rewards, regrets = steps(environment, arm, len(expected))
        assert rewards.tolist() == expected
        assert regrets.tolist() == [1.0, 1.0, 1.0, 0.0, 0.5, 0.5] if arm == 0 else [0.0, 0.0, 0.0, 1.0]


def test_means_drift_as_a_reflected_walk():
    environment, rng = classic.drifting([0.5, 0.95], 0.05), np.random.default_rng(1)
    world, path = environment.reset(rng), []
    for t in range(3000):
        environment.step(world, 0, t, rng)
        path.append(world.copy())
    path, again = np.array(path), np.random.default_rng(1)
    assert path[0].tolist() == [0.5, 0.95] and path.min() >= 0 and path.max() <= 1 and environment.means[1] == 0.95
    expected = np.array([0.5, 0.95])
    for t, means in enumerate(path):
        if t:
            expected = expected + 0.05 * again.standard_normal(2)
            expected = np.where(expected < 0, -expected, np.where(expected > 1, 2 - expected, expected))
        again.random()
        assert means == pytest.approx(expected, abs=1e-9)
    # Tolerance: a stationary reflected walk is uniform; 3,000 rounds are about 8 passages through [0, 1].
    assert 0.3 < path.mean() < 0.7
    assert environment.regret(np.array([0.25, 0.75]), 0, 5) == 0.5
    assert classic.drifting([0.5], 0.0).reset(rng).tolist() == [0.5]


def test_bernoulli_arms_pay_with_their_probabilities():
    environment, rng = classic.bernoulli([0.0, 0.3, 1.0]), np.random.default_rng(0)
    paid = [[environment.step(0, arm, 0, rng) for _ in range(4000)] for arm in range(3)]
    assert set(map(float, np.unique(paid))) == {0.0, 1.0}
    # Tolerance: four standard deviations of a binomial fraction, 0.0073 each.
    assert np.mean(paid, axis=1) == pytest.approx([0.0, 0.3, 1.0], abs=0.029)
    assert [environment.regret(0, arm, 0) for arm in range(3)] == pytest.approx([1.0, 0.7, 0.0])


def test_bernoulli_keeps_a_copy():
    means = np.array([0.2, 0.8])
    environment = classic.bernoulli(means)
    means[0] = 1.0
    assert environment.means.tolist() == [0.2, 0.8]


@pytest.mark.parametrize(
    "make",
    [classic.ucb1, lambda arms: classic.exp3(arms, 10), classic.uniform, *(policy for policy, _ in TWINS.values())],
    ids=["ucb1", "exp3", "uniform", *TWINS],
)
def test_arms_must_be_a_whole_number_from_one(make):
    assert make(1).actions() == 1
    assert make(2.0) == make(2)
    for bad in 0, -1:
        with pytest.raises(ValueError, match=f"arms={bad}: must be at least 1"):
            make(bad)
    for bad in 1.5, "3", None, True, [3]:
        with pytest.raises(TypeError, match="arms=.*: must be a whole number, at least 1"):
            make(bad)
