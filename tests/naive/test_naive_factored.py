"""Facts checked by hand about the slow twins themselves."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.naive import factored as naive


def play(policy, observe, rounds):
    """Actions of `rounds` rounds; observe(t, action) gives the observations of round t."""
    actions = []
    for t in range(1, rounds + 1):
        action = policy.select()
        x = observe(t, action)
        policy.update(action, x, math.prod(x))
        actions.append(action)
    return actions


def exact(means):
    return lambda t, action: [row[j] for row, j in zip(means, action, strict=True)]


def noisy(means, sigma, seed):
    rng = np.random.default_rng(seed)
    return lambda t, action: [row[j] + sigma * rng.standard_normal() for row, j in zip(means, action, strict=True)]


MEANS = [[0.6, 1.0], [0.9, 0.5, 0.7, 0.3], [0.2, 0.8, 0.4]]


def test_fucb_sweeps_all_components_together_first():
    actions = play(naive.FUCB([2, 4, 3], 0.5), exact(MEANS), 4)
    assert [a[1] for a in actions] == [0, 1, 2, 3]
    assert [a[2] for a in actions[:3]] == [0, 1, 2]
    assert [a[0] for a in actions[:2]] == [0, 1]


def test_fucb_index_with_a_sigma_per_component():
    policy = naive.FUCB([2, 2], [0.5, 2.0], alpha=4.0)
    play(policy, exact([[0.5, 0.25], [0.75, 1.0]]), 2)
    assert policy.index(0, 1) == pytest.approx(0.25 + math.sqrt(math.log(3)), rel=1e-15)
    assert policy.index(1, 0) == pytest.approx(0.75 + 4 * math.sqrt(math.log(3)), rel=1e-15)
    assert policy.select() == [0, 1]


def test_fucb_with_one_component_is_ucb1():
    means = [[0.7, 0.9, 0.8, 0.95]]
    traces = [play(policy([4], 0.5), noisy(means, 0.5, 3), 400) for policy in (naive.FUCB, naive.UCB1)]
    assert traces[0] == traces[1]
    assert {a[0] for a in traces[0][4:]} == {0, 1, 2, 3}


def test_priced_fucb_sweeps_then_maximises_the_priced_value():
    multipliers, costs = [[1.0, 1.0], [2.0, 0.5, 1.0]], [[0.25, 1.5], [0.0, 0.0, 0.0]]
    policy = naive.PricedFUCB([2, 3], 0.0, multipliers, costs, scale=2.0)
    means = [[0.5, 1.0], [0.25, 0.75, 0.625]]
    assert play(policy, exact(means), 3) == [[0, 0], [1, 1], [0, 2]]
    values = {a: policy.value(a) for a in itertools.product(range(2), range(3))}
    assert values[0, 2] == 2 * 0.5 * 0.625 - 0.25 and values[1, 0] == 2 * 1.0 * 0.5 - 1.5
    assert policy.select() == [0, 2] == naive.best_vector(means, multipliers, costs, 2.0)


def test_priced_fucb_clips_negative_indices_and_caps():
    policy = naive.PricedFUCB([1, 2], 0.0, [[1.0], [1.0, 1.0]], [[0.0], [0.0, 0.0]], 1.0)
    capped = naive.PricedFUCB([1, 2], 0.0, [[1.0], [1.0, 1.0]], [[0.0], [0.0, 0.0]], 1.0, cap=True)
    for p in (policy, capped):
        play(p, exact([[-0.5], [-2.0, 3.0]]), 2)
        assert p.value((0, 0)) == p.value((0, 1)) == 0.0 and p.select() == [0, 0]
        p.fucb.seen[0][0][:] = [0.5]
    assert policy.value((0, 1)) == 1.5 and capped.value((0, 1)) == 0.5


def test_best_vector_with_two_costs_is_not_the_greedy_one():
    means, ones, costs = [[0.25, 1.0], [0.25, 1.0]], [[1.0, 1.0]] * 2, [[0.0, 0.4]] * 2
    assert naive.best_vector(means, ones, costs, 1.0) == [1, 1]  # either upgrade alone gains .1875 and costs .4


@pytest.mark.parametrize(
    "horizon, n0_mult, n0, deviations", [(10**4, 1, 4, 8.3), (10**4, 10, 40, 8.3), (10**5, 1, 4, 8.6)]
)
def test_ftrack_constants(horizon, n0_mult, n0, deviations):
    policy = naive.FTrack([2, 3], [0.5, 0.1], horizon, n0_mult=n0_mult)
    assert policy.n0 == n0 and policy.warmup == 3 * n0
    for eps, sigma in zip(policy.eps, [0.5, 0.1], strict=True):
        assert 2 * eps * math.sqrt(n0) / sigma == pytest.approx(deviations, abs=0.05)
    halved = naive.FTrack([2, 3], 0.5, horizon, n0_mult=n0_mult, eps_div=4.0)
    assert halved.eps[0] == pytest.approx(policy.eps[0] / 2)


def test_packing_by_hand():
    means, lengths = [[0.5, 1.0, 0.2], [0.9, 0.4], [0.3, 0.3]], [[3, math.inf, 2], [math.inf, 4], [9, 0]]
    assert naive.plan_by_packing(means, lengths) == [(2, (2, 1, 0)), (2, (0, 1, 0)), (1, (0, 0, 0))]
    assert naive.plan_by_packing([[0.3, 0.3, 0.2]], [[7, 5, 4]]) == [(4, (2,)), (5, (1,))]
    assert naive.plan_by_packing([[0.2, 0.3, 0.2]], [[4, 7, 5]]) == [(4, (0,)), (5, (2,))]


means_strategy = st.lists(
    st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.6, 0.9, 1.0]) | st.floats(0, 1), min_size=2, max_size=4),
    min_size=1,
    max_size=3,
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(means_strategy, st.integers(100, 300))
def test_ftrack_plays_its_plan_which_fills_the_horizon(means, horizon):
    policy = naive.FTrack([len(row) for row in means], 0.3, horizon)
    actions = play(policy, exact(means), horizon)
    lengths, vectors = zip(*policy.plan, strict=True)
    assert sum(lengths) == horizon - policy.warmup and min(lengths) > 0
    assert len(set(vectors)) == len(vectors) <= sum(len(row) - 1 for row in means) + 1
    played = [tuple(a) for a in actions[policy.warmup :]]
    assert [played.count(v) for v in vectors] == list(lengths) and not policy.recovered
    assert all(a == [(t % len(row)) for row in means] for t, a in enumerate(actions[: policy.warmup]))
    for row, j in itertools.pairwise(vectors):
        assert all(policy.means0[i][a] <= policy.means0[i][b] for i, (a, b) in enumerate(zip(row, j, strict=True)))


def test_ftrack_without_truncation_shares_the_rounds_equally():
    cut, full = (naive.FTrack([2], 1.0, 100, truncate=truncate) for truncate in (True, False))
    actions, shared = play(cut, exact([[1.0, 0.75]]), 100), play(full, exact([[1.0, 0.75]]), 100)
    assert cut.warmup == full.warmup == 6
    assert cut.plan == [(94, (1,))] and actions[6:] == [[1]] * 94
    assert full.plan[-1] == (math.inf, (0,)) and full.plan[0][0] == 329  # 2 * 10.2495... / .25^2 = 327.98... rounded up
    assert shared[6:] == [[1], [0]] * 47


def test_ftrack_options_without_a_gap_take_all_the_rounds():
    tied = [[0.5, 0.5, 0.5], [0.25, 0.75]]
    assert naive.ftrack_plan(tied, [1.0, 1.0], 50, True) == [(4, (1, 0)), (46, (1, 1))]
    endless = [(math.inf, (1, 1)), (math.inf, (0, 1))]
    assert naive.ftrack_plan(tied, [1.0, 1.0], 50, False) == [(4, (1, 0)), *endless]


def test_ftrack_recovers_after_a_mean_shift_with_a_fresh_fucb():
    policy = naive.FTrack([2], 0.1, 1000)
    assert policy.warmup == 6 and 2 * policy.eps[0] == pytest.approx(0.4544, abs=1e-4)
    actions = play(policy, lambda t, a: [0.5] if a == [1] else [float(t <= 6)], 11)
    assert policy.plan == [(2, (1,)), (992, (0,))] and not policy.recovered
    assert actions[6:] == [[1], [0], [1], [0], [0]]  # option 0: 3/4 and 3/5 stay within .4544 of 1, 3/6 does not
    assert policy.select() == [0] and policy.recovered
    fresh = naive.FUCB([2], 0.1, 4.0)
    assert play(policy, exact([[0.0, 0.5]]), 40) == play(fresh, exact([[0.0, 0.5]]), 40)


def test_ucb1_scales_and_arm_sets():
    assert naive.UCB1([2, 2], [0.5, 0.25]).scale == 0.5
    assert naive.UCB1([2, 2], 0.5, scale="reward_std").scale == 0.75
    assert naive.UCB1([2, 3], 0.5).arms == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    first = naive.UCB1([3, 3, 3], 0.5, action_set="first_dk").arms
    assert len(first) == 9 and {arm[0] for arm in first} == {0} and first[-1] == (0, 2, 2)
    assert len(naive.UCB1([2, 2], 0.5, action_set="first_dk").arms) == 4
    assert len(naive.UCB1([3], 0.5, action_set="first_dk").arms) == 3


@pytest.mark.parametrize("n, blocks", [(1, [1]), (2, [2]), (3, [3]), (4, [2, 2]), (5, [2, 2])])
def test_median_of_means_of_few_rewards(n, blocks):
    rewards = [1.0, 10.0, 100.0, 1000.0, 10000.0][:n]
    edges = np.cumsum([0, *blocks])
    expected = np.median([np.mean(rewards[a:b]) for a, b in itertools.pairwise(edges)])
    assert naive.median_of_means(rewards, 1000) == expected
    assert naive.median_of_means(rewards, 1) == np.mean(rewards)  # one block at t = 1


@pytest.mark.parametrize(
    "n, blocks, width", [(23, 11, 2), (24, 12, 2), (25, 12, 2), (26, 12, 2), (35, 12, 2), (36, 12, 3)]
)
def test_median_of_means_where_the_number_of_blocks_is_reached(n, blocks, width):
    rewards = list(2.0 ** np.arange(n))  # at t = 2 at most floor(1 + 16 log 2) = 12 blocks; increasing, so no sorting
    block_means = [sum(rewards[b * width : (b + 1) * width]) / width for b in range(blocks)]
    middle = (block_means[(blocks - 1) // 2] + block_means[blocks // 2]) / 2
    assert naive.median_of_means(rewards, 2) == middle


def test_rucb_index_and_sweep():
    policy = naive.RUCBMoM([2, 2], v=0.5, mult=2.0)
    assert play(policy, exact([[1.0, 0.5], [0.5, 1.0]]), 5) == [[0, 0], [0, 1], [1, 0], [1, 1], [0, 1]]
    assert policy.index((0, 1)) == pytest.approx(1.0 + 2 * math.sqrt(192 * (math.log(6) + 1 / 16) / 2), rel=1e-14)


def pair_tables(options, n, means):
    N = [[0 if i == j else n for j in options] for i in options]
    return N, [[n * (means[i] - means[j]) for j in options] for i in options]


@pytest.mark.parametrize(
    "gap, noise_scale, B, expected",
    [
        (0.52, 1.0, [0, 1], ([0, 1], [0, 1])),
        (0.53, 1.0, [0, 1], ([0], [0])),  # 1001 log(1001)^2 = 47777; sqrt(12 log(4 * 47777^2) / 1000) = .5246
        (0.27, 0.5, [0, 1], ([0], [0])),
        (0.26, 0.5, [0, 1], ([0, 1], [0, 1])),
        (0.26, 0.5, [1], ([0, 1], [1])),
        (0.53, 1.0, [1], ([0], [0])),  # B would be empty
    ],
)
def test_tea_active_set_of_two(gap, noise_scale, B, expected):
    N, D = pair_tables(range(2), 1000, [gap, 0.0])
    assert naive.active_set(N, D, 2, 1 / naive.growth(1000), B, noise_scale) == expected


def test_tea_active_set_special_cases():
    N, D = pair_tables(range(3), 1000, [9.0, 0.0, 8.9])
    assert naive.active_set(N, D, 3, 1e-4, [0, 1], 1.0) == ([0, 2], [0])
    N[2][0] = 0
    assert naive.active_set(N, D, 3, 1e-4, [1], 1.0) == ([0, 1, 2], [1])  # a pair without a sample; B stays
    N, D = pair_tables(range(3), 1000, [0.0] * 3)
    for i in range(3):
        D[i][(i + 1) % 3], D[(i + 1) % 3][i] = 5000.0, -5000.0
    assert naive.active_set(N, D, 3, 1e-4, [1], 1.0) == ([0, 1, 2], [1])  # everybody is beaten
    assert naive.active_set([[0]], [[0.0]], 1, 1e-4, [0], 1.0) == ([0], [0])


class Uniforms:
    def __init__(self, values):
        self.random = iter(values).__next__


def test_tea_schedule_and_feedback_of_one_block():
    policy = naive.TEA([3, 2], rng=Uniforms([0.99, 0.0, 0.5, 0.5, 0.6, 0.3]))
    rewards = iter([1.0, 2.0, 4.0])
    actions = play(policy, lambda t, a: [1.0, next(rewards)], 3)
    assert actions == [[1, 0], [2, 0], [0, 1]]
    assert policy.N == [[[0, 1, 1], [1, 0, 1], [1, 1, 0]], [[0, 1], [1, 0]]]
    assert policy.D == [[[0.0, 3.0, 2.0], [-3.0, 0.0, -1.0], [-2.0, 1.0, 0.0]], [[0.0, -2.5], [2.5, 0.0]]]


def test_tea_feedback_weighs_a_pair_by_the_fewer_plays():
    policy = naive.TEA([4, 2], rng=Uniforms([0.0] * 8))
    rewards = iter([1.0, 2.0, 4.0, 16.0])
    assert play(policy, lambda t, a: [1.0, next(rewards)], 4) == [[0, 0], [1, 1], [2, 0], [3, 1]]
    assert policy.N[1] == [[0, 2], [2, 0]] and policy.D[1] == [[0.0, -13.0], [13.0, 0.0]]


def test_tea_fills_its_block_from_the_base_set():
    policy = naive.TEA([4], rng=Uniforms([0.0, 0.9, 0.0, 0.9, 0.0]))
    assert policy.schedule([0, 2, 3], [2, 3], 5) == [0, 3, 3, 2, 2]


@pytest.mark.parametrize("gap, active", [(0.52, [0, 1]), (0.53, [0])])
def test_tea_confidence_shrinks_with_the_round_at_the_block_start(gap, active):
    policy = naive.TEA([2], rng=Uniforms([0.0] * 2))
    N, D = pair_tables(range(2), 1000, [gap, 0.0])
    policy.N, policy.D, policy.t = [N], [D], 1000
    policy.select()
    assert policy.active == [active] and naive.growth(math.e - 1) == pytest.approx(math.e)


def test_tea_eliminates_only_with_little_noise():
    means = [[0.7, 1.0, 0.8], [1.0, 0.7]]
    policy = naive.TEA([3, 2], rng=np.random.default_rng(5))
    play(policy, noisy(means, 0.1, 6), 3000)
    assert policy.active == [[0, 1, 2], [0, 1]]  # radius above .5 at 1000 pairs, gaps of .3
    sure = naive.TEA([3, 2], noise_scale=0.1, rng=np.random.default_rng(5))
    assert play(sure, noisy(means, 0.1, 6), 3000)[-100:] == [[1, 0]] * 100


def test_lower_bound_of_two_components_by_hand():
    means = [[1.0, 0.5], [1.0, 0.5]]
    assert naive.lower_bound_lp(means, 1.0) == pytest.approx(6.0)
    singly = sum(2.0 / 0.25 * naive.vector_gap(means, a) for a in [(1, 0), (0, 1)])
    assert singly == pytest.approx(8.0)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(means_strategy, st.floats(0.1, 2.0))
def test_packing_attains_the_linear_program(means, sigma):
    means = [[round(m, 3) for m in row] for row in means]
    lengths = [[2 * sigma**2 / (max(r) - m) ** 2 if m < max(r) else 0.0 for m in r] for r in means]
    cost = sum(length * naive.vector_gap(means, a) for length, a in naive.plan_by_packing(means, lengths))
    assert cost == pytest.approx(naive.lower_bound_lp(means, sigma), rel=1e-7, abs=1e-9)


def test_lower_bound_of_remark_4_1_with_a_sigma_per_component():
    assert naive.lower_bound_lp([[1.0, 0.2]] * 4, 0.5) == pytest.approx(0.5 * (1 - 0.2**4) / 0.64)
    assert naive.lower_bound_lp([[1.0, 0.0], [1.0, 0.0]], [1.0, 2.0]) == pytest.approx(8.0)
    assert naive.lower_bound_lp([[0.5, 0.5], [0.25, 0.25]], 1.0) == 0.0


def test_upper_bound_plays_suboptimal_options_singly_when_the_horizon_is_long():
    means, sigma, alpha, horizon = [[1.0, 0.6, 0.8], [0.5, 0.9]], 0.2, 4.0, 10**5
    assert naive.g2(4.0) == pytest.approx(2 * 25.1967, abs=2e-4)
    pulls = {gap: 16 * 0.04 * math.log(horizon) / gap**2 + naive.g2(4.0) for gap in (0.4, 0.2)}
    expected = 0.9 * (0.4 * pulls[0.4] + 0.2 * pulls[0.2]) + 1.0 * 0.4 * pulls[0.4]
    assert naive.upper_bound_lp(means, sigma, alpha, horizon) == pytest.approx(expected, rel=1e-9)
    assert naive.upper_bound_lp(means, sigma, alpha, 10) == pytest.approx(10 * (0.9 - 0.6 * 0.5))


def paper_reward(rho, m):
    """Expected reward of Appendix E.3 with m of ten components on their noisy option."""
    action = [1] * m + [0] * (10 - m)
    return naive.expected_reward_correlated([[1.0, 0.5]] * 10, [[0.0, 0.5]] * 10, rho, action)


@pytest.mark.parametrize("rho", [0.0, 0.2, 0.6, 0.8, 1.0])
@pytest.mark.parametrize("m", [0, 1, 6, 10])
def test_correlated_reward_is_the_closed_form(rho, m):
    moments = [1, 1, 3, 15, 105, 945]  # E eta^(2q)
    terms = [math.comb(m, 2 * q) * 0.5**m * rho ** (2 * q) * moments[q] for q in range(m // 2 + 1)]
    assert paper_reward(rho, m) == pytest.approx(sum(terms), rel=1e-9)


def test_correlated_reward_crosses_one_between_six_and_eight_tenths():
    assert paper_reward(0.6, 6) == pytest.approx(0.202, abs=5e-4)
    assert paper_reward(0.6, 10) == pytest.approx(0.323, abs=5e-4)
    assert paper_reward(0.8, 10) > 1
