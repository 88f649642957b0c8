"""What the proofs say of every round in which all estimates are within their radii (Appendix A)."""

import math

import numpy as np
import pytest

from banditlab import uplifting

ROUNDS, BETA = 400, 6.0


def rounds(world, policy, pick, seed=0):
    """Play; after each round in which all means are within their radii yield (state, means, radii)."""
    rng, world_rng = np.random.default_rng(seed), np.random.default_rng([seed, 1])
    crowd, state, good = world.reset(world_rng), policy.init(rng), 0
    for t in range(ROUNDS):
        action = policy.select(state, t, rng)
        state = policy.update(state, action, world.step(crowd, action, t, world_rng), t, rng)
        pulls, sums = pick(state)
        means = sums / np.maximum(pulls, 1)[:, None]
        radii = np.sqrt(2 * BETA / np.maximum(pulls, 1e-300))
        if (pulls > 0).all() and (np.abs(means - world.mu) < radii[:, None]).all():
            good += 1
            yield state, means, radii
    assert good > ROUNDS / 2, "a test that seldom applies would prove little"


def payoffs(state):
    return state.pulls, state.sums


def small(seed):
    """Uplifts of both signs, sets that overlap, strong common noise."""
    rng = np.random.default_rng(seed)
    affected = np.array([[1, 1, 1, 0, 0, 0, 0], [0, 0, 1, 1, 0, 0, 0], [0, 0, 0, 0, 1, 1, 0]], bool)
    mu0 = rng.random(7)
    return uplifting.gaussian(
        np.where(affected, mu0 + rng.normal(0, 3, (3, 7)), mu0), mu0, affected, np.full((7, 1), 0.7)
    )


@pytest.mark.parametrize("seed", range(4))
def test_naff_bl(seed):
    """Only affected variables are identified; the index is from the uplift to the uplift + 4 L c."""
    world, L = small(seed), 3
    uplift = (world.mu - world.mu0).sum(axis=1)
    policy = uplifting.upucb_naff_bl(3, world.mu0, L, BETA)
    for state, means, radii in rounds(world, policy, payoffs, seed):
        found = np.abs(means - world.mu0) > radii[:, None]
        assert (found <= world.affected).all()
        assert (state.index >= uplift - 1e-9).all() and (state.index <= uplift + 4 * L * radii + 1e-9).all()


@pytest.mark.parametrize("seed", range(4))
def test_naff(seed):
    """Variables told apart from the reference are affected by one of the two; no mean is known better than its."""
    world = small(seed)
    policy = uplifting.upucb_naff(3, 7, 3, BETA)
    for state, means, radii in rounds(world, policy, payoffs, seed):
        b = int(state.pulls.argmax())
        found = np.abs(means - means[b]) > (radii + radii[b])[:, None]
        assert (found <= (world.affected | world.affected[b])).all()
        assert (radii[b] <= radii).all() and state.index[b] == 0.0


@pytest.mark.parametrize("seed", range(3))
def test_ilift_bl(seed):
    """After enough pulls exactly the affected variables are summed."""
    world, dup = uplifting.ilift_gaussian(seed, eliminating=True), 2.0
    moved = uplifting.gaussian(
        np.where(world.affected, world.mu0 + 3.0 * np.sign(world.mu - world.mu0), world.mu0), world.mu0, world.affected
    )
    policy = uplifting.upucb_ilift_bl(5, moved.mu0, dup, BETA)
    assert policy.enough == math.ceil(8 * BETA / dup**2)
    for state, means, radii in rounds(moved, policy, payoffs, seed):
        for a in np.flatnonzero(state.pulls >= policy.enough):
            assert ((np.abs(means[a] - moved.mu0) > dup / 2) == moved.affected[a]).all()
            expected = (means[a] + radii[a] - moved.mu0)[moved.affected[a]].sum()
            assert state.index[a] == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(3))
def test_ilift(seed):
    """Assumption 1 with 6, rewards so close that phase I keeps all actions.

    The best action survives; an action that stands for a variable's baseline does not affect it; the sets found are
    right up to those of the best action.
    """
    rng = np.random.default_rng(seed)
    affected, mu, rewards = np.zeros((4, 9), bool), np.zeros((4, 9)), rng.permutation([0.0, 0.2, 0.5, 1.0])
    for a, (up, down) in enumerate(([0, 1], [2, 3], [4, 5], [1, 6])):
        affected[a, [up, down]] = True
        mu[a, up], mu[a, down] = 6.0 * (a + 1) + rewards[a], -6.0 * (a + 1)
    world = uplifting.gaussian(mu, np.zeros(9), affected)
    policy, best = uplifting.upucb_ilift(4, 9, 6.0, BETA), int(rewards.argmax())
    checked = 0
    for state, _, _ in rounds(world, policy, lambda s: (s.payoffs.pulls, s.payoffs.sums), seed):
        assert state.alive[best] == 1
        if state.turn == 4:
            survivors = np.flatnonzero(state.alive)
            found = {a: set(np.flatnonzero(state.found[a]).tolist()) for a in survivors}
            true = {a: set(np.flatnonzero(affected[a]).tolist()) for a in survivors}
            assert len(survivors) > 1
            for a in survivors:
                assert true[a] <= found[a], "it would stand for the baseline of a variable that it affects"
                assert found[a] | found[best] == true[a] | true[best]
                checked += 1
            shared = [(i, k) for i in range(9) for k in survivors if i not in found[k]]
            assert all(i not in true[k] for i, k in shared) and len({i for i, _ in shared}) > 4
    assert checked > ROUNDS


def test_upucb_keeps_its_bound():
    """The optimistic baseline is above the true one: the index is at most the uplift + 2 L c on the good event."""
    world = small(1)
    policy = uplifting.upucb(world.affected, 7, BETA)
    rng, world_rng = np.random.default_rng(0), np.random.default_rng(1)
    crowd, state = world.reset(world_rng), policy.init(rng)
    uplift = (world.mu - world.mu0).sum(axis=1)
    for t in range(ROUNDS):
        action = policy.select(state, t, rng)
        state = policy.update(state, action, world.step(crowd, action, t, world_rng), t, rng)
        if t >= 3:
            radii = np.sqrt(2 * BETA / state.pulls)
            assert (state.index <= uplift + 2 * policy.widths * radii + 1e-9).all()
