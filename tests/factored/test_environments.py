"""Environments: law of the observations, common random numbers, expected rewards, best vectors, errors."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banditlab import factored
from banditlab.factored import environments
from banditlab.factored.environments.correlated import distinct_vectors
from tests.naive import factored as naive

MEANS = [[0.9, 0.4, 0.7], [0.2, 0.8], [0.6]]
SIGMA = [0.3, 0.2, 0.5]
SCALES = [[0.2, 0.5, 0.0], [0.6, 0.3], [0.4]]
ALL = {
    "gaussian": factored.gaussian(MEANS, SIGMA),
    "bernoulli": factored.bernoulli(MEANS),
    "rademacher": factored.rademacher(MEANS, 1.5),
    "correlated": factored.correlated(MEANS, SCALES, 0.6),
    "pricing": factored.pricing(MEANS[0], [0.1, 0.0, 0.3], MEANS[1], [2.0, 0.5], SIGMA[:2]),
    "manufacturing": factored.manufacturing(MEANS, SCALES, 3.0, SIGMA),
}
EACH = pytest.mark.parametrize("name", ALL)


def vectors(environment):
    return [np.array(a) for a in itertools.product(*map(range, environment.actions()))]


def expected(environment, action):
    """Expected reward by its definition."""
    means = [environment.means[i, j] for i, j in enumerate(action)]
    if isinstance(environment, environments.Correlated):
        return naive.expected_reward_correlated(environment.means, environment.scales, environment.rho, action)
    if isinstance(environment, environments.Priced):
        return naive.priced(means, action, environment.multipliers, environment.costs, environment.scale)
    return math.prod(means)


def sample(environment, action, rounds, seed=0):
    """Observations and rewards of a vector played again and again."""
    rng = np.random.default_rng(seed)
    world, x, rewards = environment.reset(rng), [], []
    for t in range(rounds):
        seen = environment.step(world, action, t, rng)
        x.append(seen.x.copy())
        rewards.append(seen.reward)
    return np.array(x), np.array(rewards)


@EACH
def test_regret_is_the_distance_to_the_best_vector(name):
    environment = ALL[name]
    worth = [expected(environment, a) for a in vectors(environment)]
    for action, value in zip(vectors(environment), worth, strict=True):
        assert environment.regret(None, action, 0) == pytest.approx(max(worth) - value, rel=0, abs=1e-11)
    assert environment.best == pytest.approx(max(worth), rel=1e-11)


@EACH
def test_means_by_monte_carlo(name):
    """Every observation and the reward within 4 standard errors of 4000 rounds, for three vectors."""
    environment = ALL[name]
    for action in vectors(environment)[::2][:3]:
        x, rewards = sample(environment, action, 4000, seed=int(action.sum()))
        columns = np.column_stack([x, rewards])
        means = [*(environment.means[i, j] for i, j in enumerate(action)), expected(environment, action)]
        room = 4 * columns.std(axis=0) / math.sqrt(4000) + 1e-12
        assert (abs(columns.mean(axis=0) - means) <= room).all()


@EACH
def test_every_action_draws_the_same_numbers(name):
    """Common random numbers: after any action both streams stand at the same place."""
    environment = ALL[name]
    streams = [np.random.default_rng(7) for _ in vectors(environment)]
    worlds = [environment.reset(rng) for rng in streams]
    for t in range(20):
        for world, rng, action in zip(worlds, streams, vectors(environment), strict=True):
            environment.step(world, action, t, rng)
        assert len({str(rng.bit_generator.state) for rng in streams}) == 1


def test_noise_is_the_same_whatever_the_action():
    for environment, spread in ((ALL["gaussian"], SIGMA), (ALL["manufacturing"], SIGMA)):
        noises = []
        for action in vectors(environment):
            x, _ = sample(environment, action, 50)
            noises.append((x - [environment.means[i, j] for i, j in enumerate(action)]) / spread)
        assert np.allclose(noises, noises[0], rtol=0, atol=1e-12)
    for environment in (ALL["bernoulli"], ALL["rademacher"]):
        draws = {tuple(a.tolist()): sample(environment, a, 200)[0] for a in vectors(environment)}
        for (a, x), (b, y) in itertools.permutations(draws.items(), 2):
            for i in range(3):  # the same uniform under both: the larger mean never sees less
                if MEANS[i][a[i]] >= MEANS[i][b[i]]:
                    assert (x[:, i] >= y[:, i]).all()


def test_components_are_independent_except_for_the_common_noise():
    """Correlations of 4000 rounds, tolerance 4 / sqrt(4000)."""
    for name, shared in (("gaussian", 0.0), ("bernoulli", 0.0), ("rademacher", 0.0), ("correlated", 0.36 / 0.52)):
        x, _ = sample(ALL[name], np.array([1, 1, 0]), 4000, seed=3)
        matrix = np.corrcoef(x.T)
        assert (abs(matrix[np.triu_indices(3, 1)] - shared) < 4 / math.sqrt(4000)).all(), name
        lagged = np.corrcoef(x[1:].T, x[:-1].T)[:3, 3:]
        assert (abs(lagged) < 4 / math.sqrt(4000)).all(), name


def test_spread_of_the_observations():
    """Standard deviations of 4000 rounds, tolerance 4 standard errors of a normal sample's deviation."""
    action, room = np.array([1, 0, 0]), 4 / math.sqrt(8000)
    x, _ = sample(ALL["gaussian"], action, 4000)
    assert (abs(x.std(axis=0) / SIGMA - 1) < room).all()
    x, _ = sample(ALL["correlated"], action, 4000)
    assert (abs(x.std(axis=0) / (np.array([0.5, 0.6, 0.4]) * math.sqrt(0.6**2 + 0.4**2)) - 1) < room).all()
    x, _ = sample(ALL["correlated"], np.array([2, 0, 0]), 50)
    assert (x[:, 0] == 0.7).all(), "an option of scale 0 is noisy"


def test_values_of_bounded_observations():
    for name, values in (("bernoulli", {0.0, 1.0}), ("rademacher", {-1.5, 1.5})):
        x, rewards = sample(ALL[name], np.array([0, 1, 0]), 300)
        assert set(x.ravel()) == values and np.array_equal(rewards, x.prod(axis=1))
    x, _ = sample(factored.rademacher([[0.4, 0.0]], 0.4), np.array([0]), 300)
    assert (x == 0.4).all(), "a mean of sigma leaves no chance for -sigma"
    x, _ = sample(factored.bernoulli([[0.0, 1.0]] * 2), np.array([0, 1]), 300)
    assert (x == [0.0, 1.0]).all()


def test_rewards_follow_from_the_observations():
    for name, reward in (
        ("gaussian", lambda x: x.prod(axis=1)),
        ("correlated", lambda x: x.prod(axis=1)),
        ("pricing", lambda x: 0.5 * x[:, 0] * x[:, 1] - 0.3),
        ("manufacturing", lambda x: 3.0 * x.prod(axis=1) - 0.0 - 0.3 - 0.4),
    ):
        environment = ALL[name]
        action = np.array([2, 1, 0])[: len(environment.sizes)]
        x, rewards = sample(environment, action, 50)
        assert np.allclose(rewards, reward(x), rtol=1e-13, atol=1e-13), name


@pytest.mark.parametrize("means", [(1.0, 1.0), (0.0, 0.0), (0.3, 0.9)])
def test_variance_of_the_reward(means):
    """Closed form within its bounds (Section 2) and 4 standard errors of 6000 rounds; policies use the upper bound."""
    sigma = np.array([0.5, 0.8])
    variance = math.prod(sigma**2 + np.square(means)) - math.prod(np.square(means))
    upper = math.prod(1 + sigma**2) - 1
    assert math.prod(sigma**2) <= variance * (1 + 1e-12) and variance <= upper * (1 + 1e-12)
    assert factored.rucb_mom([1, 1], sigma).variance == pytest.approx(upper, rel=1e-14)
    _, rewards = sample(factored.gaussian([[m] for m in means], sigma), np.zeros(2, np.int64), 6000)
    squares = (rewards - math.prod(means)) ** 2
    assert abs(squares.mean() - variance) < 4 * squares.std() / math.sqrt(6000)


@settings(deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0.01, 2)), min_size=1, max_size=6))
def test_variance_bounds(pairs):
    """The sharp upper bound is also below the one with the factor d that the paper's text misses."""
    mu, s = np.array(pairs).T
    variance = math.prod(s**2 + mu**2) - math.prod(mu**2)
    assert math.prod(s**2) * (1 - 1e-9) <= variance + 1e-12
    assert variance <= (math.prod(1 + s**2) - 1) * (1 + 1e-9)
    d, top = len(s), s.max() ** 2
    assert (1 + top) ** d - 1 <= d * top * (1 + top) ** (d - 1) * (1 + 1e-9)


def paper(rho, d=10):
    """Figure 5 and 6: two options a component, the second one noisy."""
    return factored.correlated([[1.0, 0.5]] * d, [[0.0, 0.5]] * d, rho)


def closed_form(rho, m):
    """Expected reward with m components on the noisy option."""
    odd = [math.prod(range(1, 2 * q, 2)) for q in range(m // 2 + 1)]  # (2q - 1)!!
    return sum(math.comb(m, 2 * q) * 0.5 ** (m - 2 * q) * (rho * 0.5) ** (2 * q) * f for q, f in enumerate(odd))


@pytest.mark.parametrize("rho", [0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
def test_correlated_expectation_is_the_closed_form(rho):
    environment = paper(rho)
    for m in range(11):
        for action in (np.array([1] * m + [0] * (10 - m)), np.array([0] * (10 - m) + [1] * m)):
            assert environment.expected(action) == pytest.approx(closed_form(rho, m), rel=1e-12)
    best = max(closed_form(rho, m) for m in range(11))
    assert environment.best == pytest.approx(best, rel=1e-12)


def test_rewards_of_figure_5():
    ends = [paper(rho).expected(np.ones(10, np.int64)) for rho in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)]
    assert all(a < b for a, b in itertools.pairwise(ends)) and ends[3] < 1 < ends[4]
    assert ends[0] == pytest.approx(2.0**-10) and ends[3] == pytest.approx(0.323, abs=5e-4)
    six = paper(0.6).expected(np.array([1] * 6 + [0] * 4))
    assert six == pytest.approx(0.202, abs=5e-4) and six < ends[3], "not between the extremes"
    five = paper(1.0, 5)
    assert five.expected(np.ones(5, np.int64)) == pytest.approx(0.8125) and five.best == 1.0


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.data(), st.sampled_from([0.0, 0.3, 1.0]))
def test_correlated_expectation_by_integration_and_best_by_brute_force(data, rho):
    sizes = data.draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    entry = st.integers(0, 10).map(lambda n: n / 10)
    means, scales = ([[data.draw(entry) for _ in range(k)] for k in sizes] for _ in range(2))
    environment = factored.correlated(means, scales, rho)
    rewards = [naive.expected_reward_correlated(means, scales, rho, a) for a in naive.all_vectors(sizes)]
    for action, reward in zip(naive.all_vectors(sizes), rewards, strict=True):
        assert environment.expected(np.array(action)) == pytest.approx(reward, rel=1e-9, abs=1e-11)
    assert environment.best == pytest.approx(max(rewards), rel=1e-9, abs=1e-11)
    vectors = distinct_vectors(environment.means, environment.scales, environment.sizes)
    assert environment.best == max(map(environment.expected, vectors))  # regret is never below 0 by a rounding


def test_identical_components_are_exchanged_only_with_each_other():
    means, scales = [[0.1, 0.9], [0.2, 0.3, 0.4], [0.1, 0.9], [0.1, 0.9]], [[0, 1], [0, 0, 0], [0, 1], [1, 0]]
    environment = factored.correlated(means, scales, 0.5)
    tried = [a.tolist() for a in distinct_vectors(environment.means, environment.scales, environment.sizes)]
    assert len(tried) == 3 * 3 * 2  # of 24: the first and the third component are alike
    assert len({(*sorted((a, c)), b, e) for a, b, c, e in tried}) == 18


ENTRY = st.integers(0, 10).map(lambda n: n / 10)
OPTIONS = st.lists(st.tuples(ENTRY, ENTRY), min_size=1, max_size=5)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.data(), st.lists(st.integers(1, 4), min_size=1, max_size=4), st.sampled_from([0.5, 1.0, 10.0]))
def test_best_of_a_manufacturing_line_is_brute_force(data, sizes, batch):
    yields, costs = ([[data.draw(ENTRY) for _ in range(k)] for k in sizes] for _ in range(2))
    environment = factored.manufacturing(yields, costs, batch, 0.5)
    ones = [[1.0] * k for k in sizes]
    best = naive.best_vector(yields, ones, costs, batch)
    worth = naive.priced([yields[i][j] for i, j in enumerate(best)], best, ones, costs, batch)
    assert environment.best == pytest.approx(worth, rel=1e-12, abs=1e-12)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(OPTIONS, OPTIONS)
def test_best_of_pricing_is_brute_force(advertising, selling):
    (impressions, budgets), (conversions, prices) = zip(*advertising, strict=True), zip(*selling, strict=True)
    environment = factored.pricing(impressions, budgets, conversions, prices, 0.5)
    worth = [p * x * y - b for x, b in advertising for y, p in selling]
    assert environment.best == pytest.approx(max(worth), rel=1e-12, abs=1e-12)


@EACH
def test_sizes_and_padding(name):
    environment = ALL[name]
    sizes = environment.sizes.tolist()
    assert environment.actions() == tuple(sizes) and environment.means.shape == (len(sizes), 3)
    for i, k in enumerate(sizes):
        assert np.isfinite(environment.means[i, :k]).all() and np.isnan(environment.means[i, k:]).all()


def test_arguments_are_copied():
    means, sigma = np.array([[0.1, 0.9]]), np.array([0.5])
    environment = factored.gaussian(means, sigma)
    means[:], sigma[:] = 0.0, 9.0
    assert environment.means.tolist() == [[0.1, 0.9]] and environment.sigma.tolist() == [0.5]


def test_vectors_that_are_alike_are_compared_once():
    assert factored.correlated([[1.0, 0.5]] * 60, [[0.0, 0.5]] * 60, 0.1).best == pytest.approx(1.0, rel=1e-14)
