"""Facts checked by hand about the slow twins of contextual uplifting bandits, and the identities between them."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq, minimize
from scipy.special import expit

from tests.naive import uplifting_context as naive

THETA = np.array([[0.6, 0.4, 0.0], [0.5, 0.4, 0.5], [0.6, 0.1, -0.6]])


class World:
    """m individuals a round, features uniform on the sphere; linear payoffs with noise, or logistic visits."""

    def __init__(self, seed, rounds=30, m=12, logistic=False):
        rng = np.random.default_rng(seed)
        x = rng.standard_normal((rounds, m, 3))
        self.contexts = x / np.linalg.norm(x, axis=2, keepdims=True)
        means = self.contexts @ THETA.T
        uniforms = rng.random(means.shape[:2])[:, :, None]
        noise = 0.5 * rng.standard_normal(means.shape[:2])[:, :, None]
        self.payoffs = (uniforms < expit(means)).astype(float) if logistic else means + noise
        self.means = means

    def play(self, policy):
        actions = []
        for context, payoffs in zip(self.contexts, self.payoffs, strict=True):
            action = policy.select(context)
            policy.update(context, action, payoffs[np.arange(len(action)), action])
            actions.append(action)
        return actions


def linear(lam=1.0):
    return naive.LinearModel(3, lam)


def logistic():
    return naive.LogisticModel(3)


def baseline(context):
    return np.asarray(context) @ THETA[0]


MODELS = pytest.mark.parametrize("model, is_logistic", [(linear, False), (logistic, True)])


# Models


def test_linear_model_by_hand():
    """V = 2 I + diag(4, 1), b = (2 * 3, 5) for treatment 1; V = 2 I for treatment 0."""
    model = naive.LinearModel(2, 2.0)
    model.add([[2.0, 0.0], [0.0, 1.0], [9.0, 9.0]], [1, 1, 2], [3.0, 5.0, 7.0])
    context = [[1.0, 0.0], [0.0, 3.0]]
    assert model.estimate(1, context) == pytest.approx([6 / 6, 3 * 5 / 3])
    assert model.width(1, context) == pytest.approx([math.sqrt(1 / 6), math.sqrt(9 / 3)])
    assert list(model.estimate(0, context)) == [0, 0]
    assert model.width(0, context) == pytest.approx([math.sqrt(1 / 2), math.sqrt(9 / 2)])
    assert naive.upper(model, 1, context, 2.0) == pytest.approx([1 + 2 / math.sqrt(6), 5 + 2 * math.sqrt(3)])


def test_ridge_is_least_squares_with_rows_that_ask_for_zero():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((20, 3)), rng.standard_normal(20)
    model = linear(0.7)
    model.add(X, [1] * 20, y)
    theta = np.linalg.lstsq(np.vstack([X, math.sqrt(0.7) * np.eye(3)]), np.append(y, np.zeros(3)))[0]
    assert model.estimate(1, np.eye(3)) == pytest.approx(theta)


def test_logistic_fit_of_one_feature_by_root_finding():
    x, y = np.array([1.0, 2.0, -1.0, 0.5]), np.array([1.0, 1.0, 0.0, 0.0])
    root = brentq(lambda w: sum(x * (expit(w * x) - y)) + w, -10, 10, xtol=1e-13)
    assert naive.logistic_fit(x[:, None], y) == pytest.approx([root], abs=1e-9)


def test_logistic_fit_is_stationary_also_on_separable_and_large_data():
    rng = np.random.default_rng(1)
    X = np.hstack([np.ones((500, 1)), rng.random((500, 3))])
    noise = rng.random(500) < expit(X @ [-1.0, 2.0, 0.0, 1.0])
    for y in (noise.astype(float), (X[:, 1] > 0.5).astype(float), np.ones(500)):
        w = naive.logistic_fit(X, y)
        assert X.T @ (expit(X @ w) - y) + w == pytest.approx(np.zeros(4), abs=1e-9)


def test_logistic_fit_has_the_least_penalised_loss():
    rng = np.random.default_rng(2)
    X, y = rng.standard_normal((40, 3)), (rng.random(40) < 0.6).astype(float)

    def loss(w):
        p = expit(X @ w)
        return -sum(y * np.log(p) + (1 - y) * np.log(1 - p)) + w @ w / 2

    assert naive.logistic_fit(X, y) == pytest.approx(minimize(loss, np.zeros(3)).x, abs=1e-4)


def test_logistic_fit_without_data_is_even():
    assert list(naive.logistic_fit(np.zeros((0, 4)), np.zeros(0))) == [0, 0, 0, 0]
    assert list(logistic().estimate(1, [[1.0, 2.0, 3.0]])) == [0.5]


def test_logistic_model_has_a_penalised_constant_that_counts_in_the_width():
    model = naive.LogisticModel(1)
    model.add([[0.0]] * 3, [1, 1, 0], [1.0, 1.0, 1.0])
    root = brentq(lambda w: 2 * (expit(w) - 1) + w, 0, 10, xtol=1e-13)
    assert model.estimate(1, [[0.0], [5.0]]) == pytest.approx([expit(root)] * 2)
    assert model.width(1, [[0.0], [2.0]]) == pytest.approx([math.sqrt(1 / 3), math.sqrt(1 / 3 + 4)])


# Policies by hand


def test_largest():
    assert naive.largest([1.0, 3.0, 3.0, -1.0, 3.0], 2) == [1, 2]
    assert naive.largest([1.0, 0.0, -1.0], 3) == [0, 1, 2]
    assert naive.largest([1.0, 0.0, -1.0], 3, at_most=True) == [0]


def trained():
    """One feature, lam = 1: theta = (1/2, 2, -3/2) and V = (2, 2, 4) for treatments 0, 1, 2."""
    model = naive.LinearModel(1, 1.0)
    model.add([[1.0], [1.0], [1.0], [1.0], [1.0]], [0, 1, 2, 2, 2], [1.0, 4.0, -2.0, -2.0, -2.0])
    return model


CONTEXT = [[1.0], [-2.0], [0.5], [-1.0]]


def test_c2upucb_by_hand():
    """U^1 - U^0 = 3/2 x whatever the bonus, since V^0 = V^1."""
    assert naive.C2UpUCB(trained(), 2, 1.0).select(CONTEXT) == [1, 0, 1, 0]
    assert naive.C2UpUCB(trained(), 3, 1.0).select(CONTEXT) == [1, 0, 1, 1]
    assert naive.C2UpUCB(trained(), 3, 1.0, at_most=True).select(CONTEXT) == [1, 0, 1, 0]


def test_c2upucb_bl_by_hand():
    """2 x + bonus |x| / sqrt(2) - g^0."""
    baseline = lambda context: np.array([0.0, -9.0, 5.0, 0.0])  # noqa: E731
    assert naive.C2UpUCBbl(trained(), baseline, 2, 0.0).select(CONTEXT) == [1, 1, 0, 0]
    assert naive.C2UpUCBbl(trained(), baseline, 3, 0.0).select(CONTEXT) == [1, 1, 0, 1]
    assert naive.C2UpUCBbl(trained(), baseline, 3, 0.0, at_most=True).select(CONTEXT) == [1, 1, 0, 0]


def test_c2upucb_m_by_hand():
    """Treatment 2 has -2 x + bonus |x| (1/2 - 1/sqrt(2)), treatment 1 has 3/2 x."""
    assert naive.C2UpUCBM(trained(), 2, 3, 0.0).select(CONTEXT) == [1, 2, 0, 2]
    assert naive.C2UpUCBM(trained(), 2, 4, 0.0, at_most=True).select(CONTEXT) == [1, 2, 1, 2]
    assert naive.C2UpUCBM(trained(), 2, 1, 0.0).select([[-2.0], [3.0]]) == [0, 1]
    assert naive.C2UpUCBM(trained(), 2, 2, 0.0).select([[0.0], [0.0], [0.0]]) == [1, 1, 0]


def test_c2ucb_by_hand():
    """2 x + bonus |x| / sqrt(2)."""
    assert naive.C2UCB(trained(), 2, 1.0).select(CONTEXT) == [1, 0, 1, 0]
    assert naive.C2UCB(trained(), 1, 10.0).select(CONTEXT) == [0, 1, 0, 0]


def test_a_bonus_may_follow_the_round():
    seen = []
    policy = naive.C2UCB(linear(), 2, lambda t: seen.append(t) or 1.0 / t)
    World(0, rounds=4).play(policy)
    assert seen == [1, 2, 3, 4]


def test_greedy_by_hand():
    assert naive.Greedy(trained(), 2).select(CONTEXT) == [1, 0, 1, 0]
    assert naive.GreedyBl(trained(), lambda context: np.array([0.0, -9.0, 5.0, 0.0]), 2).select(CONTEXT) == [1, 1, 0, 0]
    assert naive.Greedy(logistic(), 2).select(np.eye(3)) == [1, 1, 0]  # all equal without data


def test_epsilon_greedy_by_its_draws():
    """epsilon = 1: all picks are random; the u-th of those not yet selected, in ascending order."""
    rng = np.random.default_rng(5)
    assert rng.binomial(2, 1.0) == 2
    first, second = int(4 * rng.random()), int(3 * rng.random())
    expected = {first, [i for i in range(4) if i != first][second]}
    action = naive.EpsilonGreedy(trained(), 2, 1.0, np.random.default_rng(5)).select(CONTEXT)
    assert {i for i in range(4) if action[i]} == expected


def test_epsilon_greedy_explores_as_often_as_it_says():
    """The greedy pick of L = 1 among 4 is kept with probability 0.7 + 0.3 / 4; 4000 draws, four deviations."""
    policy = naive.EpsilonGreedyBl(trained(), lambda context: 0.0, 1, 0.3, np.random.default_rng(6))
    counts = sum(np.array(policy.select(CONTEXT)) for _ in range(4000)) / 4000
    assert counts[0] == pytest.approx(0.7 + 0.3 / 4, abs=0.027)
    assert counts[1:] == pytest.approx([0.3 / 4] * 3, abs=0.017)


# Identities


@MODELS
def test_one_treatment_makes_c2upucb_m_c2upucb(model, is_logistic):
    world = World(1, logistic=is_logistic)
    traces = [world.play(p) for p in (naive.C2UpUCB(model(), 3, 1.0), naive.C2UpUCBM(model(), 1, 3, 1.0))]
    assert traces[0] == traces[1]
    assert all(sum(action) == 3 for action in traces[0])


@MODELS
def test_a_constant_baseline_makes_c2upucb_bl_c2ucb(model, is_logistic):
    world = World(2, logistic=is_logistic)
    constant = naive.C2UpUCBbl(model(), lambda context: np.full(len(context), 0.25), 3, 1.0)
    traces = [world.play(p) for p in (constant, naive.C2UCB(model(), 3, 1.0), naive.C2UpUCB(model(), 3, 1.0))]
    assert traces[0] == traces[1] != traces[2]


@MODELS
def test_epsilon_zero_is_greedy_and_so_is_no_bonus(model, is_logistic):
    world, rng = World(3, logistic=is_logistic), np.random.default_rng(0)
    unknown = naive.Greedy(model(), 3), naive.EpsilonGreedy(model(), 3, 0.0, rng), naive.C2UpUCB(model(), 3, 0.0)
    known = [
        naive.GreedyBl(model(), baseline, 3),
        naive.EpsilonGreedyBl(model(), baseline, 3, 0.0, rng),
        naive.C2UpUCBbl(model(), baseline, 3, 0.0),
    ]
    traces = [[world.play(policy) for policy in policies] for policies in (unknown, known)]
    for same in traces:
        assert same[0] == same[1] == same[2]
    assert traces[0][0] != traces[1][0]


# Theory


def test_alpha_and_theorem_5_by_hand():
    alpha = naive.theorem_5_alpha(10, d=2, m=8, q=1, lam=4.0, S=1.5, delta=0.1)
    assert alpha == pytest.approx(3 + math.sqrt(2 * math.log(20) + 2 * math.log(11)))
    bound = naive.theorem_5(10, d=2, m=8, q=1, L=4, lam=4.0, S=1.5, delta=0.1)
    assert bound == pytest.approx(4 * math.sqrt(2 * 4 * 2 * 10 * math.log(6)) * alpha)


def test_lemma_5_by_hand():
    V = np.diag([4.0, 9.0])
    assert naive.lemma_5(V, 2.0, 3.0, 0.1) == pytest.approx(
        3 * math.sqrt(2) + math.sqrt(2 * math.log(10) + math.log(9))
    )


@pytest.mark.parametrize("seed", range(3))
def test_c2upucb_m_within_its_theory(seed):
    """At delta = 0.05, q = 2, L = lam = 3: ellipsoids, valid upper bounds, the sum of squared widths, the regret."""
    m, T, q, L, lam, delta = 12, 40, 2, 3, 3.0, 0.05
    world, model, S = World(seed, T, m), linear(lam), 1.0
    policy = naive.C2UpUCBM(model, q, L, lambda t: naive.theorem_5_alpha(t, 3, m, q, lam, S, delta))
    regret, squares = 0.0, np.zeros(q + 1)
    for t, (context, payoffs, means) in enumerate(zip(world.contexts, world.payoffs, world.means, strict=True), 1):
        action, widths = policy.select(context), [model.width(z, context) for z in range(q + 1)]
        for z in range(q + 1):
            V, error = naive.gram(model.rows(z)[0], lam), model.estimate(z, np.eye(3)) - THETA[z]
            radius = naive.lemma_5(V, lam, np.linalg.norm(THETA[z]), delta / (q + 1))
            assert math.sqrt(error @ V @ error) <= radius <= policy.bonus(t) + 1e-12
            assert all(naive.upper(model, z, context, policy.bonus(t)) >= means[:, z])
            if z:
                squares[z] += sum(widths[z][i] ** 2 for i in range(m) if action[i] == z)
        uplift = means - means[:, :1]
        best = sum(sorted(uplift[:, 1:].max(axis=1))[-L:])
        regret += best - sum(uplift[np.arange(m), action])
        policy.update(context, action, payoffs[np.arange(m), action])
    assert all(squares[1:] <= naive.lemma_6(L * T, 3, lam)) and min(squares[1:]) > 0
    assert 0 < regret <= naive.theorem_5(T, 3, m, q, L, lam, S, delta)
