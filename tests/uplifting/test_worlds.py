"""The environments against their slow twins: the same draws, payoffs, best actions and regrets."""

import numpy as np
import pytest

from banditlab import uplifting
from banditlab.uplifting.environments.bernoulli import rates
from banditlab.uplifting.environments.campaigns import EVERY, THETA
from tests.naive import uplifting_worlds as naive
from tests.uplifting.test_contextual import small_pool


def rngs(seed):
    return np.random.default_rng(seed), np.random.default_rng(seed)


@pytest.mark.parametrize("factors", [0, 1, 3])
def test_gaussian_noise_is_its_twin(factors):
    ours, theirs = rngs(factors)
    A, d = 0.3 * ours.normal(size=(4, factors)), ours.random(4)
    mu0, affected = ours.random(4), np.array([[1, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 1]], bool)
    mu = np.where(affected, ours.random((3, 4)), mu0)
    theirs.bit_generator.state = ours.bit_generator.state
    world, twin = (
        uplifting.gaussian(mu, mu0, affected, A if factors else None, d),
        naive.GaussianWorld(mu, d, A, theirs),
    )
    state = world.reset(ours)
    for t in range(60):
        seen = world.step(state, t % 3, t, ours)
        expected = twin.play(t % 3)
        assert seen.y == pytest.approx(expected, abs=1e-12) and seen.reward == pytest.approx(sum(expected), abs=1e-12)
        assert world.regret(state, t % 3, t) == pytest.approx(max(map(sum, mu)) - sum(mu[t % 3]), abs=1e-11)


def test_noise_of_an_action_is_its_own():
    """Actions with one, two and no factors: fewer factors than others have draw the same numbers and leave them out."""
    ours, theirs = rngs(9)
    mu, sets = np.zeros((3, 4)) + [[1.0], [2.0], [3.0]], [range(4)] * 3
    loadings = np.array([[[0.5, 0.0]] * 4, [[0.3, -0.2]] * 4, [[0.0, 0.0]] * 4])
    own = np.array([[1.0] * 4, [0.5] * 4, [0.0] * 4])
    world, state = uplifting.gaussian(mu, np.zeros(4), sets, loadings, own), None
    state = world.reset(ours)
    for t in range(30):
        twin = naive.GaussianWorld(mu, own[t % 3], loadings[t % 3], theirs)
        assert world.step(state, t % 3, t, ours).y == pytest.approx(twin.play(t % 3), abs=1e-12)
    assert world.covariance[1] == pytest.approx(0.13 + 0.5 * np.eye(4))


def test_bernoulli_variables_are_their_twin():
    ours, theirs = rngs(1)
    untreated, treated, sets = np.linspace(0, 1, 7), np.linspace(0.9, 0.1, 7), [[0, 1], [3], [5, 6]]
    world, twin = uplifting.bernoulli(untreated, treated, sets), naive.BernoulliWorld(untreated, treated, sets, theirs)
    state = world.reset(ours)
    for t in range(100):
        assert world.step(state, t % 3, t, ours).y.tolist() == twin.play(t % 3)


@pytest.mark.parametrize("share", [0.005, 0.05])
def test_cluster_sums_are_their_twin(share):
    ours, theirs = rngs(2)
    _, p0, p1 = rates()
    world = uplifting.criteo_clusters(share)
    twin, state = naive.ClusterWorld(world.sizes.astype(int), p0, p1, theirs), world.reset(ours)
    for t in range(60):
        seen, expected = world.step(state, t % 20, t, ours), twin.play(t % 20)
        assert seen.y.tolist() == expected and seen.reward == sum(expected)


def anybody(rng, world, at_most):
    """A random action: as many people as the budget says, or up to so many, with any treatments."""
    m, _, treatments, budget = world.actions()[:4]
    action = np.zeros(m, np.int64)
    some = rng.integers(0, budget + 1) if at_most else budget
    action[rng.permutation(m)[:some]] = rng.integers(1, treatments + 1, some)
    return action


@pytest.mark.parametrize("at_most", [False, True])
@pytest.mark.parametrize("treatments", [1, 2])
def test_linear_campaign_is_its_twin(treatments, at_most):
    ours, theirs = rngs(3)
    theta, choice = THETA[: treatments + 1], np.random.default_rng(4)
    world = uplifting.linear_campaign(theta, 8, 5, noise=0.3, at_most=at_most)
    twin, state = naive.LinearWorld(theta, 8, 5, 0.3, at_most, theirs), world.reset(ours)
    for t in range(40):
        assert np.allclose(world.context(state, t, ours), twin.context(), rtol=0, atol=1e-12)
        assert state.best.treatment.tolist() == twin.best()
        action = anybody(choice, world, at_most)
        assert world.step(state, action, t, ours).y == pytest.approx(twin.play(action), abs=1e-12)
        assert world.regret(state, action, t) == pytest.approx(twin.regret(action), abs=1e-12)
        assert world.regret(state, state.best.treatment, t) == 0.0


@pytest.mark.parametrize("at_most", [False, True])
@pytest.mark.parametrize("treatments", [1, 2])
@pytest.mark.parametrize("mode", [1, 2])
def test_campaign_is_its_twin(mode, treatments, at_most):
    """Expected and realised regret too; the realised one is booked every tenth round."""
    ours, theirs = rngs(5)
    pool, choice = small_pool(200, treatments), np.random.default_rng(6)
    world = uplifting.campaign(pool, ("counterfactual", "all")[mode - 1], 12, 4, at_most)
    twin = naive.CampaignWorld(
        pool.features, pool.treatment.tolist(), pool.visit.tolist(), mode, 12, 4, at_most, theirs
    )
    state, realised, best = world.reset(ours), {}, 0.0
    for t in range(35):
        assert np.allclose(world.context(state, t, ours), twin.context(), rtol=0, atol=0)
        assert state.best.treatment.tolist() == twin.best()
        best += twin.total(twin.best())
        action = anybody(choice, world, at_most)
        assert world.step(state, action, t, ours).y.tolist() == twin.play(action)
        assert world.regret(state, action, t) == pytest.approx(twin.regret(action), abs=1e-6)
        realised[t + 1] = twin.realised
    tally = world.diagnostics(state, None)
    assert tally["realised regret"] == twin.realised and tally["best uplift"] == pytest.approx(best, abs=1e-5)
    assert tally["realised"].tolist() == [realised[t] for t in range(EVERY, 36, EVERY)]


@pytest.mark.parametrize("make", [uplifting.paper_gaussian, uplifting.ilift_gaussian])
def test_an_instance_that_is_asked_for_again_is_another_object(make):
    """What one holder writes into an array is not in the next one's."""
    one, other = make(1), make(1)
    for name, part in one._asdict().items():
        if isinstance(part, np.ndarray):
            again = getattr(other, name)
            assert np.array_equal(part, again) and not np.shares_memory(part, again), name
