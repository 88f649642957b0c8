"""Robust-UCB with the median of means: block rule, selection, incremental refresh, traces."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banditlab import factored
from banditlab.factored.environments import Observation
from banditlab.factored.policies import rucb
from tests.factored.duel import SEEDS, SIZES, draw_means, duel, gaussian
from tests.naive import factored as naive

REWARDS = st.floats(-100.0, 100.0).map(lambda x: round(x, 2))


def from_scratch(rewards, t):
    """The package's estimate of a history at round t (1-based)."""
    sums = np.concatenate([[0.0], np.cumsum(rewards)])
    return rucb.median_of_means(sums, len(rewards), rucb.most_blocks(float(t)), np.zeros(rucb.BLOCKS))


def agree(rewards, t):
    # Tolerance: prefix sums of n numbers up to m in absolute value round at n m 2^-53 each.
    room = 4 * len(rewards) * max(1.0, max(map(abs, rewards))) * 2.0**-52
    assert from_scratch(rewards, t) == pytest.approx(naive.median_of_means(rewards, t), rel=0, abs=room)


@settings(deadline=None, derandomize=True)
@given(st.lists(REWARDS, min_size=1, max_size=5), st.integers(1, 10**6))
def test_few_rewards(rewards, t):
    agree(rewards, t)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(REWARDS, min_size=1, max_size=300), st.integers(1, 10**9))
def test_random_histories(rewards, t):
    agree(rewards, t)


@pytest.mark.parametrize("t", [1, 2, 3, 7, 50, 10**4, 10**6])
@pytest.mark.parametrize("over", range(-3, 4))
def test_histories_around_the_full_number_of_blocks(t, over):
    n = max(1, 2 * math.floor(1 + 16 * math.log(t)) + over)
    agree(np.random.default_rng([t, over + 3]).standard_t(3, n).tolist(), t)


@pytest.mark.parametrize(
    "n, blocks", [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (23, 11), (24, 12), (25, 12), (36, 12), (37, 12)]
)
def test_number_and_length_of_blocks(n, blocks):
    """At t = 2 there are at most floor(1 + 16 log 2) = 12; powers of two tell which rewards a block holds."""
    rewards = [2.0**q for q in range(n)]
    length = n // blocks
    means = [sum(rewards[b * length : (b + 1) * length]) / length for b in range(blocks)]
    assert from_scratch(rewards, 2) == 0.5 * (means[(blocks - 1) // 2] + means[blocks // 2])


def test_number_of_blocks_fits_the_scratch():
    assert [rucb.most_blocks(float(t)) for t in (1, 2, 3, 10**4)] == [1, 12, 18, 148]
    assert rucb.most_blocks(2.0**63) < rucb.BLOCKS


@settings(max_examples=12, deadline=None, derandomize=True)
@given(SIZES, SEEDS, st.sampled_from([0.0, 0.5]), st.sampled_from([1.0, 0.03]))
def test_plays_as_its_twin(ks, seed, noise, mult):
    """With mult = 1 play is nearly uniform at this horizon; a small factor brings the estimates to bear."""
    policy = factored.rucb_mom(ks, 0.5, mult=mult)
    variance = math.prod([1.25] * len(ks)) - 1
    assert policy.variance == pytest.approx(variance, rel=1e-14)
    duel(policy, naive.RUCBMoM(ks, variance, mult), gaussian(draw_means(ks, seed), noise), 200, seed)


def test_plays_as_its_twin_where_blocks_grow():
    duel(factored.rucb_mom([2], 0.5), naive.RUCBMoM([2], 0.25), gaussian([[0.5, 0.52]], 0.5), 600)


@pytest.mark.parametrize("ks, mult, rounds", [([2, 3], 0.02, 300), ([4], 0.02, 300), ([2, 1], 1.0, 600)])
def test_incremental_estimates_equal_those_from_scratch_after_every_round(ks, mult, rounds):
    policy, rng = factored.rucb_mom(ks, 0.5, mult=mult), np.random.default_rng(4)
    environment = factored.gaussian(draw_means(ks, 8), 0.5)
    world, state = environment.reset(rng), policy.init(rng)
    history = [[] for _ in range(policy.vectors)]
    changed_unpulled = 0
    for t in range(rounds):
        action = policy.select(state, t, rng).copy()
        before = state.means.copy()
        seen = environment.step(world, action, t, rng)
        state = policy.update(state, action, seen, t, rng)
        pulled = np.ravel_multi_index(action, ks)
        history[pulled].append(seen.reward)
        changed_unpulled += any(v != pulled and before[v] != state.means[v] for v in range(policy.vectors))
        for v, rewards in enumerate(history):
            if rewards:
                limit = rucb.most_blocks(t + 2.0)
                again = rucb.median_of_means(state.sums[v], len(rewards), limit, np.zeros(rucb.BLOCKS))
                assert state.means[v] == again  # to the bit
                assert again == pytest.approx(naive.median_of_means(rewards, t + 2), rel=0, abs=1e-11)
                assert state.roots[v] == 1 / math.sqrt(len(rewards)) and state.pulls[v] == len(rewards)
    assert changed_unpulled or mult < 1.0, "the refresh of arms not pulled was never needed"


@pytest.mark.parametrize("ahead", [0, 1, 2, 3, 4])
def test_estimates_of_arms_not_pulled_when_a_block_is_added(ahead):
    """Arm 0 is held where its pairs just make the new block, and the block is added while arm 1 is pulled."""
    policy, rng = factored.rucb_mom([2], 0.5), np.random.default_rng(ahead)
    state, history, added = policy.init(rng), [[], []], 0
    for t in range(300):
        arm = int(len(history[0]) >= 2 * rucb.most_blocks(t + 1.0) + ahead)
        added += arm and rucb.most_blocks(t + 2.0) > rucb.most_blocks(t + 1.0)
        history[arm].append(rng.standard_normal())
        observation = Observation(np.array(history[arm][-1:]), history[arm][-1])
        state = policy.update(state, np.array([arm]), observation, t, rng)
        for v, rewards in enumerate(history):
            expected = naive.median_of_means(rewards, t + 2) if rewards else 0.0
            assert state.means[v] == pytest.approx(expected, rel=0, abs=1e-12)
    assert added > 5


def test_first_dk_vectors_are_those_of_the_released_code():
    policy = factored.rucb_mom([3, 2, 2], 0.5, 0.03, action_set="first_dk")
    twin = naive.RUCBMoM([3, 2, 2], policy.variance, 0.03, action_set="first_dk")
    _, actions = duel(policy, twin, gaussian(draw_means([3, 2, 2], 1), 0.5), 200, seed=1)
    assert policy.vectors == 7 and {a[0] for a in actions} == {0, 1}


def test_variance_readings():
    assert factored.rucb_mom([2, 2], [0.5, 2.0]).variance == pytest.approx(1.25 * 5 - 1, rel=1e-14)
    assert factored.rucb_mom([2, 2], 0.5, variance="bounded").variance == 0.25
    assert factored.rucb_mom([2, 2], 0.5, variance=3).variance == 3.0
