"""The classic policies against literal twins, textbook bounds, and bad input."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import banditlab as bl
from banditlab import classic, kernel
from banditlab.simulation import run
from tests import toys
from tests.naive import classic as naive


def trace(rewards, policy, seed=0):
    """The actions of the policy, and its final state, where the rewards are known beforehand."""
    environment = toys.Scripted(rewards)
    rngs = [np.random.default_rng(seed), np.random.default_rng(seed)]
    args = environment, policy, np.array([len(rewards)]), (), np.zeros(2, np.int64), *rngs
    _, world, state = kernel.compile_for(run, *args)(*args)
    return world.tolist(), state


def ucb1_by_hand(rewards, alpha):
    twin, actions = naive.UCB1(rewards.shape[1], alpha), []
    for row in rewards:
        actions.append(twin.select())
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
    state = classic.Weights(np.array(weights), np.zeros(len(weights)))
    arm = policy.select(state, 0, np.random.default_rng(seed))
    assert 0 <= arm < len(weights)
    assert state.chances.sum() == pytest.approx(1.0, abs=1e-12)  # rounding of at most six terms
    assert state.chances.min() >= policy.gamma / len(weights) * (1 - 1e-12)
    order = np.argsort(weights, kind="stable")
    assert (np.diff(state.chances[order]) >= 0).all()


def test_exp3_draws_arms_with_its_probabilities():
    policy, rng = classic.exp3(3, 100), np.random.default_rng(0)
    state = classic.Weights(np.array([0.0, 1.0, 2.0]), np.zeros(3))
    counts = np.bincount([policy.select(state, 0, rng) for _ in range(4000)], minlength=3)
    # Tolerance: four standard deviations of a binomial fraction, at most 0.008 each.
    assert counts / 4000 == pytest.approx(state.chances, abs=0.032)


def test_exp3_survives_long_runs_of_rewards():
    """Weights themselves would overflow after some thousand rounds."""
    result = bl.simulate(classic.bernoulli([1.0, 0.0]), classic.exp3(2, 20_000), 20_000, runs=4)
    assert np.isfinite(result.regret).all()
    assert (result.regret[0, :, -1] < 1500).all()


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
    [lambda arms: classic.ucb1(arms), lambda arms: classic.exp3(arms, 10), lambda arms: classic.uniform(arms)],
    ids=["ucb1", "exp3", "uniform"],
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


@pytest.mark.parametrize(
    "call, error, match",
    [
        (lambda: classic.ucb1(3, alpha=0), ValueError, "alpha=0: must be finite and greater than 0"),
        (lambda: classic.ucb1(3, alpha=-1.0), ValueError, "alpha=-1.0: must be finite and greater than 0"),
        (lambda: classic.ucb1(3, alpha=math.inf), ValueError, "alpha=inf: must be finite"),
        (lambda: classic.ucb1(3, alpha=math.nan), ValueError, "alpha=nan: must be finite"),
        (lambda: classic.ucb1(3, alpha="2"), TypeError, "alpha='2': must be a number"),
        (lambda: classic.exp3(3, 0), ValueError, "horizon=0: must be at least 1"),
        (lambda: classic.exp3(3, 1.5), TypeError, "horizon=1.5: must be a whole number"),
        (lambda: classic.bernoulli([]), ValueError, r"means=\[\]: must be a one-dimensional"),
        (lambda: classic.bernoulli([[0.5]]), ValueError, "means=.*: must be a one-dimensional"),
        (lambda: classic.bernoulli(0.5), ValueError, "means=0.5: must be a one-dimensional"),
        (lambda: classic.bernoulli([0.5, 1.5]), ValueError, r"means\[1\]=1.5: must be a finite number from 0.0 to 1.0"),
        (lambda: classic.bernoulli([-0.1]), ValueError, r"means\[0\]=-0.1: must be"),
        (lambda: classic.bernoulli([math.nan]), ValueError, r"means\[0\]=nan: must be"),
        (lambda: classic.bernoulli(["a"]), TypeError, "means=.*: must be a list or array of numbers"),
    ],
)
def test_bad_input_is_named(call, error, match):
    with pytest.raises(error, match=match):
        call()
