"""Linear and logistic rewards with fresh contexts: the world, LinUCB and linear Thompson sampling."""

import math

import numpy as np
import pytest

import banditlab as bl
from banditlab import classic
from tests.naive import linear as naive

TWINS = {
    "LinUCB": (classic.lin_ucb(3, 0.7, 2.0), lambda: naive.LinUCB(3, 0.7, 2.0)),
    "LinTS": (classic.lin_ts(3, 0.4, 2.0), lambda: naive.LinTS(3, 0.4, 2.0)),
}


@pytest.mark.parametrize("name", TWINS)
def test_a_policy_plays_what_its_twin_plays(name):
    policy, make = TWINS[name]
    for seed in range(3):
        rng, rngs, twin = np.random.default_rng(seed), [np.random.default_rng(9) for _ in range(2)], make()
        state = policy.init(rngs[0])
        for t in range(150):
            contexts, reward = rng.normal(size=(4, 3)), rng.normal()
            action = policy.select(state, contexts, t, rngs[0])
            assert action == twin.select(contexts, rngs[1])
            twin.update(contexts[action], reward)
            state = policy.update(state, action, reward, t, rngs[0])
        V, theta = twin.solve()
        assert state.estimate == pytest.approx(theta) and state.inverse == pytest.approx(np.linalg.inv(V))


def test_logistic_thompson_sampling_plays_what_its_twin_plays():
    policy = classic.logistic_ts(3, 0.8, 2.0)
    for seed in range(3):
        rng, twin = np.random.default_rng(seed), naive.LogisticTS(3, 0.8, 2.0)
        rngs = [np.random.default_rng(9) for _ in range(2)]
        state = policy.init(rngs[0])
        for t in range(100):
            contexts, reward = rng.normal(size=(4, 3)), float(rng.random() < 0.4)
            action = policy.select(state, contexts, t, rngs[0])
            assert action == twin.select(contexts, rngs[1])
            twin.update(contexts[action], reward)
            state = policy.update(state, action, reward, t, rngs[0])
            assert state.mean == pytest.approx(twin.m, abs=1e-6) and state.precision == pytest.approx(twin.q, rel=1e-6)
            twin.m, twin.q = state.mean.copy(), state.precision.copy()  # the minimiser's error does not add up


@pytest.mark.parametrize("link", ["identity", "logistic"])
def test_the_world_pays_what_it_says(link):
    world, rng = classic.fresh_contexts([0.6, -1.2], 3, 0.5, link), np.random.default_rng(0)
    shown = world.reset(rng)
    first = world.context(shown, 0, rng).copy()
    assert np.linalg.norm(first, axis=1) == pytest.approx([1.0] * 3)
    assert not np.array_equal(first, world.context(shown, 1, rng))
    value = shown @ world.theta
    means = value if link == "identity" else 1 / (1 + np.exp(-value))
    assert [world.regret(shown, arm, 1) for arm in range(3)] == pytest.approx(means.max() - means)
    paid = [world.step(shown, 1, 1, rng) for _ in range(4000)]
    assert link == "identity" or set(paid) <= {0.0, 1.0}
    assert np.mean(paid) == pytest.approx(means[1], abs=4 * 0.5 / math.sqrt(4000))  # four standard errors at most


CHECKED = {"LinUCB": classic.lin_ucb(2), "LinTS": classic.lin_ts(2, 0.5), "LogisticTS": classic.logistic_ts(2)}


@pytest.mark.parametrize("name", CHECKED)
def test_they_are_what_the_workbench_takes_them_for(name):
    link = "logistic" if name == "LogisticTS" else "identity"
    report = bl.check_policy(classic.fresh_contexts([1.0, -0.5], 4, 0.3, link), CHECKED[name], 400, runs=20)
    left = {check.name: check.found for check in report.checks if check.verdict != "passed"}
    assert report.ok and [*left] == ["the names of the arms do not matter"], str(report)
    assert "features that are drawn anew" in left["the names of the arms do not matter"]


def test_regret_grows_slowly():
    found = bl.simulate(classic.fresh_contexts([1.0, -0.5], 4, 0.3), classic.lin_ucb(2), 4000, runs=20)
    assert bl.evidence.growth(found, "LinUCB").ends(0.95)[1] < 0.75


@pytest.mark.parametrize("make", [classic.lin_ucb, classic.lin_ts, classic.logistic_ts])
@pytest.mark.parametrize("features", [2, 4])
def test_a_context_of_other_features_is_an_error(make, features):
    world = classic.fresh_contexts([0.8, -0.5, 0.2], arms=4, link="logistic")
    with pytest.raises(ValueError, match="context: must have a column for each of the policy's features"):
        bl.simulate(world, make(features), horizon=10, runs=1)


def test_logistic_thompson_sampling_refuses_other_rewards():
    normal = classic.fresh_contexts([0.8, -0.5], arms=4)
    with pytest.raises(ValueError, match="observation: must be 0 or 1 for logistic Thompson sampling"):
        bl.simulate(normal, classic.logistic_ts(2), horizon=10, runs=1)
    policy, rng = classic.logistic_ts(2), np.random.default_rng(0)
    with pytest.raises(ValueError, match="must be 0 or 1"):
        policy.update(policy.init(rng), 0, np.nan, 0, rng)
