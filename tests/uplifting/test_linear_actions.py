"""Few actions on people with features (Section 8): environment and policy against their twins, and bad input."""

import math

import numpy as np
import pytest

import banditlab as bl
from banditlab import uplifting
from banditlab.uplifting.environments.few_actions import Context
from tests.naive import uplifting_context, uplifting_worlds

THETA = np.array(
    [
        [0.5, 0.2, 0.1, 0.3, 0.0, 0.4],
        [0.5, 0.6, 0.1, 0.3, 0.0, 0.4],
        [0.1, 0.2, 0.1, 0.3, 0.0, 0.4],
        [0.5, 0.2, 0.1, 0.3, 0.5, 0.1],
    ]
)


@pytest.mark.parametrize("active", [1, 2, 6])
def test_world_and_policy_are_their_twins(active):
    ours, theirs = np.random.default_rng(active), np.random.default_rng(active)
    world = uplifting.linear_actions(THETA, 12, active, noise=0.3, rho=0.4)
    policy = uplifting.upucb_bl_linear(THETA[0], 3, 12, 0.7, penalty=2.0)
    twin_world = uplifting_worlds.LinearActionsWorld(THETA.tolist(), 12, active, 0.3, 0.4, theirs)
    twin = uplifting_context.UpUCBblLinear(THETA[0], 3, 0.7, 2.0)
    assert policy.actions() == world.actions()
    crowd, state, actions = world.reset(ours), policy.init(None), []
    for t in range(80):
        shown, (x, sets) = world.context(crowd, t, ours), twin_world.context()
        assert np.allclose(shown.x, x, rtol=0, atol=1e-12)
        assert [np.flatnonzero(row).tolist() for row in shown.affected] == sets
        action = policy.select(state, shown, t, None)
        assert action == twin.select((x, sets))
        assert state.index == pytest.approx([twin.index((x, sets), a) for a in range(3)], abs=1e-9)
        assert world.regret(crowd, action, t) == pytest.approx(twin_world.regret(action), abs=1e-12)
        seen, y = world.step(crowd, action, t, ours), twin_world.play(action)
        assert seen.y == pytest.approx(y, abs=1e-12) and seen.reward == pytest.approx(sum(y), abs=1e-10)
        state = policy.update(state, action, seen, t, None)
        twin.update((x, sets), action, y)
        actions.append(action)
    assert set(actions) == {0, 1, 2}


def test_affected_people_are_few_and_counted_right():
    """With one feature each, action a affects those whose feature is in its support: a sixth, a sixth, a third."""
    world, rng = uplifting.linear_actions(THETA, 3000), np.random.default_rng(0)
    crowd = world.reset(rng)
    shares = world.context(crowd, 0, rng).affected.mean(axis=1)
    assert np.abs(shares - [1 / 6, 1 / 6, 1 / 3]).max() < 4 * math.sqrt(2 / 9 / 3000)
    assert crowd.uplift == pytest.approx((crowd.shown.x @ (THETA[1:] - THETA[0]).T).sum(axis=0))


def test_it_learns():
    """Four times as many rounds cost at most half as much again, in each of 20 runs."""
    world = uplifting.linear_actions(THETA, 20, noise=0.3, rho=0.5)
    regret = bl.simulate(world, uplifting.upucb_bl_linear(THETA[0], 3, 20), 2400, runs=20, checkpoints=4).regret[0]
    assert (regret[:, 3] < 1.5 * regret[:, 0]).all()


def test_contexts_that_are_not_finite_are_refused():
    policy = uplifting.upucb_bl_linear([1.0, 0.5], 2, 1)
    with pytest.raises(ValueError, match="context: must be finite"):
        policy.select(policy.init(None), Context(np.array([[math.nan, 1.0]]), np.ones((2, 1), bool)), 0, None)
