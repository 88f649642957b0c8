"""TEA: active sets, blocks, traces, and that it eliminates only if it believes in little noise."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import banditlab as bl
from banditlab import factored
from banditlab.factored.policies.tea import all_compared, eliminate, growth, refill
from tests.factored.duel import SEEDS, SIZES, draw_means, duel, gaussian
from tests.naive import factored as naive

WHERE = st.sampled_from(["inside", "outside"])


def active_sets(N, D, options, base, inverse, noise_scale, where="inside"):
    """Active set and set B as lists, and how many options are active, from one component's tables, padded by one."""
    tables, sets = np.zeros((2, options + 1, options + 1)), np.zeros((2, options + 1), bool)
    tables[:, :options, :options] = N, D
    sets[1, base] = True
    if not all_compared(tables[0], options):
        return list(range(options)), list(base), options
    count = eliminate(*tables, sets[0], options, inverse, factored.tea([options], noise_scale, where))
    refill(sets[1], sets[0], options)
    assert not sets[:, options].any(), "an option that does not exist became active"
    return np.flatnonzero(sets[0]).tolist(), np.flatnonzero(sets[1]).tolist(), count


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.data(), st.integers(1, 4), st.floats(1.0, 1e5), st.sampled_from([1.0, 0.1]), WHERE)
def test_active_sets_are_those_of_the_twin(data, options, t, noise_scale, where):
    """Any tables, also lopsided ones: a swap of indices shows."""
    counts = st.sampled_from([0, 1, 10, 1000, 10**5][data.draw(st.sampled_from([0, 2])) :])
    N = [[data.draw(counts) for _ in range(options)] for _ in range(options)]
    D = [[n * data.draw(st.floats(-2, 2)) for n in row] for row in N]
    base = sorted(data.draw(st.sets(st.integers(0, options - 1), min_size=1)))
    active, B = naive.active_set(N, D, options, 1 / naive.growth(t), base, noise_scale, where)
    got = active_sets(N, D, options, base, growth(t), noise_scale, where)
    assert got == (active, B, len(active))


def table(means, n):
    """Tables after n comparisons of every pair, whose differences are exact."""
    means = np.array(means)
    return n * (1 - np.eye(len(means))), n * (means[:, None] - means[None, :])


@pytest.mark.parametrize(
    "means, n, base, expected",
    [
        ([0.53, 0.0], 1000, [0, 1], ([0], [0], 1)),  # sqrt(12 log(4 f(1000)^2) / 1000) = .5246
        ([0.52, 0.0], 1000, [0, 1], ([0, 1], [0, 1], 2)),
        ([0.52, 0.0], 1000, [1], ([0, 1], [1], 2)),
        ([0.53, 0.0], 1000, [1], ([0], [0], 1)),  # B would be empty
        ([9.0, 0.0, 8.9], 1000, [0, 1], ([0, 2], [0], 2)),
        ([9.0, 0.0, 8.9], 0, [1], ([0, 1, 2], [1], 3)),  # nothing compared yet: B stays
    ],
)
def test_active_sets_by_hand(means, n, base, expected):
    assert active_sets(*table(means, n), len(means), base, growth(1000), 1.0) == expected


def test_active_sets_where_everybody_is_beaten_and_of_a_single_option():
    N, D = table([0.0] * 3, 1000)
    for i in range(3):
        D[i, (i + 1) % 3], D[(i + 1) % 3, i] = 5000.0, -5000.0
    assert active_sets(N, D, 3, [1], 100.0, 1.0) == ([0, 1, 2], [1], 3)
    assert active_sets([[0.0]], [[0.0]], 1, [0], 100.0, 1.0) == ([0], [0], 1)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(SIZES, SEEDS, st.sampled_from([0.0, 0.3]), st.sampled_from([1.0, 0.05, 0.005]), WHERE)
def test_plays_as_its_twin(ks, seed, noise, noise_scale, where):
    policy = factored.tea(ks, noise_scale, where)
    twin = naive.TEA(ks, noise_scale, where, rng=np.random.default_rng(seed))
    duel(policy, twin, gaussian(draw_means(ks, seed), noise), 300, seed)


def test_traces_reach_unequal_active_sets():
    """Else the comparison above would miss slots that set B fills."""
    ks = [4, 2, 1]
    policy, twin = factored.tea(ks, 0.1), naive.TEA(ks, 0.1, rng=np.random.default_rng(3))
    state, _ = duel(policy, twin, gaussian([[0.9, 0.88, 0.1, 0.3], [0.9, 0.2], [0.8]], 0.02), 400, seed=3)
    assert [np.flatnonzero(state.active[i, :k]).tolist() for i, k in enumerate(ks)] == [[0, 1], [0], [0]]
    assert state.length == 2
    for i, (N, D) in enumerate(zip(twin.N, twin.D, strict=True)):
        k = ks[i]
        assert state.N[i, :k, :k].tolist() == N
        assert np.allclose(state.D[i, :k, :k], D, rtol=0, atol=1e-10)


def test_every_block_plays_every_active_option():
    policy, rng = factored.tea([3, 2, 1]), np.random.default_rng(0)
    environment = factored.gaussian([[0.5, 0.6, 0.7], [0.2, 0.9], [0.4]], 0.5)
    state, world, actions = policy.init(rng), environment.reset(rng), []
    for t in range(300):
        action = policy.select(state, t, rng)
        actions.append(action.copy())
        state = policy.update(state, action, environment.step(world, action, t, rng), t, rng)
    for block in np.reshape(actions, (100, 3, 3)):
        assert sorted(block[:, 0]) == [0, 1, 2]
        assert sorted(block[:, 1]) == [0, 0, 1] and block[:, 2].tolist() == [0, 0, 0]
    orders = {tuple(block[:, 0]) for block in np.reshape(actions, (100, 3, 3))}
    assert orders == set(itertools.permutations(range(3)))


MEANS = [[0.7, 0.95, 0.8], [1.0, 0.75, 0.7]]
UNIFORM = 0.95 - np.mean(MEANS[0]) * np.mean(MEANS[1])  # expected regret of a round of uniform play


def test_with_its_own_noise_it_plays_uniformly():
    """Mean of 100 runs within 3 standard errors of uniform play, half of it in the second half."""
    result = bl.simulate(factored.gaussian(MEANS, 0.1), factored.tea([3, 3]), 3000, runs=100, seed=1, checkpoints=2)
    middle, end = result.summary()[["mean", "se"]].to_numpy()
    assert abs(end[0] - 3000 * UNIFORM) < 3 * end[1] and end[1] < 0.01 * end[0]
    assert 0.49 < (end[0] - middle[0]) / end[0] < 0.51


def test_with_little_noise_it_eliminates():
    policy = factored.tea([3, 3], noise_scale=0.05)
    regret = bl.simulate(factored.gaussian(MEANS, 0.1), policy, 3000, runs=20, seed=1, checkpoints=3).of_policy("TEA")
    assert (regret[:, -1] < 0.1 * 3000 * UNIFORM).all() and (regret[:, 0] > 0).all()
    assert (regret[:, 2] - regret[:, 1] < 0.02 * 1000 * UNIFORM).all(), "options come back only now and then"


def test_the_released_radius_never_eliminates():
    policy = factored.tea([3, 3], noise_scale=0.05, delta="outside")
    regret = bl.simulate(factored.gaussian(MEANS, 0.1), policy, 3000, runs=20, seed=1, checkpoints=2).of_policy("TEA")
    assert regret[:, -1].mean() == pytest.approx(3000 * UNIFORM, rel=0.02)
    with pytest.raises(ValueError, match="delta=0.1: must be one of 'inside', 'outside'"):
        factored.tea([3, 3], delta=0.1)
