"""F-UCB and UCB1 on the product space against their twins; their equality with one component, bounds and errors."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import banditlab as bl
from banditlab import factored
from banditlab.factored import bounds
from banditlab.factored.policies.ucb1 import arm_of, reward_variance, vector_of
from tests.factored.duel import SEEDS, SIZES, draw_means, duel, feed, gaussian
from tests.naive import factored as naive

RAGGED = [[0.6, 1.0], [0.9, 0.5, 0.7, 0.3], [0.8]]
NOISES = st.sampled_from([0.0, 0.5])


@settings(max_examples=30, deadline=None, derandomize=True)
@given(SIZES, SEEDS, NOISES, st.sampled_from([4.0, 2.5]))
def test_fucb_plays_as_its_twin(ks, seed, noise, alpha):
    policy, twin = factored.fucb(ks, 0.5, alpha), naive.FUCB(ks, 0.5, alpha)
    duel(policy, twin, gaussian(draw_means(ks, seed), noise), 250, seed)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(SIZES, SEEDS, NOISES)
def test_fucb_plays_as_its_twin_with_a_sigma_per_component(ks, seed, noise):
    sigma = np.random.default_rng([seed, 2]).uniform(0.05, 2.0, len(ks))
    duel(factored.fucb(ks, sigma), naive.FUCB(ks, sigma), gaussian(draw_means(ks, seed), noise), 250, seed)


def test_fucb_sweeps_all_components_together_then_explores_on():
    _, actions = duel(factored.fucb([2, 4, 1], 0.5), naive.FUCB([2, 4, 1], 0.5), gaussian(RAGGED, 0.0), 400)
    assert [a[1] for a in actions[:4]] == [0, 1, 2, 3] and [a[0] for a in actions[:2]] == [0, 1]
    assert {a[1] for a in actions[200:]} == {0, 1, 2, 3}, "a trace without switches would prove little"


def test_fucb_takes_the_best_of_negative_indices_in_every_component():
    x = [[-3.0, -2.0], [-1.0, -4.0], [-1.0, -4.0], [-1.0, -4.0]]
    _, actions = feed(factored.fucb([2, 2], 0.01), x, np.random.default_rng(0))
    assert actions[2:] == [[1, 0], [1, 0]]  # the largest product of indices would be that of options 0 and 1


UCB1_READINGS = [
    dict(scale=scale, action_set=action_set)
    for scale in ("observation", "reward_std")
    for action_set in ("all", "first_dk")
]


@pytest.mark.parametrize("reading", UCB1_READINGS, ids=lambda r: f"{r['scale']}-{r['action_set']}")
@settings(max_examples=8, deadline=None, derandomize=True)
@given(ks=SIZES, seed=SEEDS, noise=NOISES, several=st.booleans())
def test_ucb1_plays_as_its_twin(reading, ks, seed, noise, several):
    sigma = np.linspace(0.2, 0.6, len(ks)) if several else 0.3
    policy, twin = factored.ucb1(ks, sigma, **reading), naive.UCB1(ks, sigma, **reading)
    duel(policy, twin, gaussian(draw_means(ks, seed), noise), 200, seed)


def test_ucb1_first_dk_never_moves_the_first_of_three_components():
    twin = naive.UCB1([3, 3, 3], 0.5, action_set="first_dk")
    policy = factored.ucb1([3, 3, 3], 0.5, action_set="first_dk")
    _, actions = duel(policy, twin, gaussian([[0.1, 0.9, 0.8]] * 3, 0.1), 100)
    assert {a[0] for a in actions} == {0} and len({tuple(a) for a in actions}) == 9


@settings(deadline=None, derandomize=True)
@given(SIZES)
def test_vectors_are_numbered_lexicographically(ks):
    arms, action = np.array(ks), np.zeros(len(ks), np.int64)
    for number, vector in enumerate(itertools.product(*map(range, ks))):
        assert tuple(vector_of(number, arms, action)) == vector
        assert arm_of(np.array(vector), arms) == number


def test_reward_std_is_the_largest_of_products_with_means_up_to_one():
    assert reward_variance(np.array([0.5, 0.5])) == pytest.approx(0.5625, rel=1e-15)
    assert reward_variance(np.array([0.3, 2.0, 0.1])) == pytest.approx(1.09 * 5 * 1.01 - 1, rel=1e-14)
    assert factored.ucb1([2, 2], [0.5, 0.2]).scale == 0.5


@pytest.mark.parametrize("sigma", [0.1, 0.5, 1.3])
def test_fucb_with_one_component_is_ucb1(sigma):
    """Step by step; exact equality: the two compute the same sums in the same order."""
    environment = factored.gaussian([[0.7, 0.9, 0.8, 0.95]], sigma)
    traces = []
    for policy in (factored.fucb([4], sigma), factored.ucb1([4], sigma)):
        rng, world_rng = np.random.default_rng(1), np.random.default_rng(2)
        world, state, actions = environment.reset(world_rng), policy.init(rng), []
        for t in range(400):
            action = policy.select(state, t, rng)
            actions.append(int(action[0]))
            state = policy.update(state, action, environment.step(world, action, t, world_rng), t, rng)
        traces.append(actions)
    assert traces[0] == traces[1] and set(traces[0][4:]) == {0, 1, 2, 3}


def test_fucb_with_one_component_is_ucb1_run_by_run():
    policies = {"F-UCB": factored.fucb([3], 0.5), "UCB1": factored.ucb1([3], 0.5)}
    result = bl.simulate(factored.gaussian([[0.5, 0.8, 0.9]], 0.5), policies, 5000, runs=5, checkpoints=500)
    assert np.array_equal(result.of_policy("F-UCB"), result.of_policy("UCB1"))
    assert len(set(result.of_policy("UCB1")[:, -1])) == 5


@settings(max_examples=30, deadline=None, derandomize=True)
@given(SIZES, SEEDS, NOISES, st.sampled_from([0.0, 0.5, 1.0]))
def test_together_plays_as_its_twin(ks, seed, noise, slack):
    policy, twin = factored.together_fucb(ks, 0.5, 4.0, slack), naive.TogetherFUCB(ks, 0.5, 4.0, slack)
    duel(policy, twin, gaussian(draw_means(ks, seed), noise), 250, seed)


def test_together_without_slack_is_fucb():
    policies = {"F-UCB": factored.fucb([2, 3], 0.5), "together": factored.together_fucb([2, 3], 0.5, slack=0.0)}
    result = bl.simulate(factored.gaussian([[0.9, 0.4], [0.5, 0.2, 0.8]], 0.5), policies, 2000, runs=3)
    assert np.array_equal(*result.regret)


def test_together_loses_less_where_many_components_have_large_gaps():
    """Bad options side by side: 20 runs at d = 10, gap 0.9; paired differences of many standard errors."""
    policies = {"F-UCB": factored.fucb([2] * 10, 0.5), "together": factored.together_fucb([2] * 10, 0.5)}
    result = bl.simulate(factored.gaussian([[1.0, 0.1]] * 10, 0.5), policies, 10_000, runs=20, checkpoints=1)
    alone, together = result.regret[:, :, -1]
    assert (together < 0.5 * alone).all()


@pytest.mark.parametrize(
    "means, sigma",
    [
        ([[1.0, 0.5], [1.0, 0.5]], 0.5),
        ([[0.9, 0.2, 0.6], [0.4, 1.0]], [0.3, 0.8]),
        ([[0.5, 0.5, 0.4], [0.0, 0.9], [0.7]], 0.2),
        ([[1.0, 0.0], [1.0, 0.0]], 1.0),
    ],
)
def test_fucb_stays_below_its_bounds(means, sigma):
    """Mean regret of 20 runs plus four standard errors below Theorem 4.1 and Corollary 4.3 at every checkpoint."""
    ks = [len(row) for row in means]
    result = bl.simulate(factored.gaussian(means, sigma), factored.fucb(ks, sigma), 4000, runs=20, checkpoints=40)
    summary = result.summary()
    high = (summary["mean"] + 4 * summary["se"]).to_numpy()
    assert (high <= bounds.upper_bound(means, sigma, result.checkpoints)).all()
    assert (high <= bounds.worst_case_upper(ks, sigma, result.checkpoints)).all()
    worst = math.prod(map(max, means)) - math.prod(map(min, means))
    assert 0 < high[-1] < 0.2 * worst * 4000, "no learning, the bounds would prove little"


def test_runs_together_are_the_runs_alone():
    environment, policy = factored.gaussian(RAGGED, 0.5), factored.fucb([2, 4, 1], 0.5)
    together = bl.simulate(environment, policy, 120, runs=3, seed=5, checkpoints=120).of_policy("FUCB")
    for number, row in enumerate(together):
        world_rng, rng = (np.random.default_rng(np.random.SeedSequence(5, spawn_key=(number, k))) for k in (0, 1))
        world, state, total = environment.reset(world_rng), policy.init(rng), 0.0
        for t in range(120):
            action = policy.select(state, t, rng)
            seen = environment.step(world, action, t, world_rng)
            state = policy.update(state, action, seen, t, rng)
            total += environment.regret(world, action, t)
            assert row[t] == total


@pytest.mark.parametrize("alpha", [2, 2.0, 0.5])
def test_fucb_warns_where_no_theorem_holds(alpha):
    with pytest.warns(UserWarning, match="Theorems 4.1 and 4.2 ask for alpha > 2") as caught:
        assert factored.fucb([2, 2], 0.5, alpha=alpha).alpha == alpha
    assert caught[0].filename == __file__


def test_ucb1_readings_are_checked_and_a_huge_space_has_few_first_vectors():
    with pytest.raises(ValueError, match="scale=1.0: must be one of 'observation', 'reward_std'"):
        factored.ucb1([2, 2], 0.5, scale=1.0)
    with pytest.raises(ValueError, match="action_set='dk': must be one of 'all', 'first_dk'"):
        factored.ucb1([2, 2], 0.5, action_set="dk")
    assert factored.ucb1([3] * 50, 0.5, action_set="first_dk").vectors == 150
    assert factored.ucb1([2, 1], 0.5, action_set="first_dk").vectors == 2
