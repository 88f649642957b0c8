"""One run, written down: the very run that `simulate` plays."""

import numpy as np
import pytest

import banditlab as bl
from banditlab import censored, classic, factored
from tests import toys

PAIRS = {
    "a number": (classic.bernoulli([0.8, 0.5, 0.3]), classic.ucb1(3), ()),
    "a vector": (factored.gaussian([[0.9, 0.4], [0.2, 0.8, 0.1]], 0.3), factored.fucb([2, 3], 0.3), (2,)),
    "a pair": (censored.poscorr(3, 5), censored.ucb(3, 5, censored.poscorr(3, 5).penalty), (2,)),
    "with a context": (classic.fresh_contexts([0.8, -0.4, 0.1], 5, 0.3), classic.lin_ucb(3), ()),
    "from outside": (toys.censored([0.5, 1.0, 2.0], [0.2, 0.6, 1.0, 3.0]), toys.Pairwise(3, 4), (2,)),
}


@pytest.mark.parametrize("play", [bl.record_run, bl.trace])
def test_fields_from_a_file_are_played_with_checked_indexing(play, tmp_path):
    """No factory has seen whether they fit together."""
    arms = classic.bernoulli([0.8, 0.5, 0.3])
    bl.simulate(arms._replace(gaps=arms.gaps[:2]), classic.ucb1(3), 2).save(tmp_path / "a.npz")
    settings = bl.load(tmp_path / "a.npz").settings
    with pytest.raises(IndexError):
        play(settings["environment"], classic.uniform(3), 100)


@pytest.mark.parametrize("name", PAIRS)
def test_a_play_is_a_run_of_simulate(name):
    environment, policy, shape = PAIRS[name]
    result = bl.simulate(environment, policy, 60, runs=3, seed=4, checkpoints=60)
    found = bl.record_run(environment, policy, 60, seed=4, run=2)
    assert found.regret.tobytes() == result.regret[0, 2].tobytes()
    assert found.actions.shape == (60, *shape)
    assert found.actions.dtype == np.int64


def test_actions_world_and_state_are_those_of_the_run():
    found = bl.record_run(toys.Numbered(50), classic.uniform(4), 50, seed=1)
    assert found.actions.tolist() == found.world.tolist()
    assert len(set(found.actions.tolist())) == 4
    assert found.regret.tolist() == np.cumsum(found.actions).tolist()
    pulls = bl.record_run(classic.bernoulli([0.9, 0.2]), classic.ucb1(2), 50).state.pulls
    assert pulls.sum() == 50


def test_actions_of_several_types_are_kept_field_by_field():
    """An arm and a real limit: in the class of an action, as arrays."""
    world = censored.indep_interval(3, 0.1)
    policy = censored.zrcucb(3, 1000, 0.1)._replace(scale=0.3)  # a radius so small that it refines soon
    found = bl.record_run(world, policy, 1000, seed=3, run=1)
    result = bl.simulate(world, policy, 1000, runs=2, seed=3, checkpoints=1000)
    assert found.regret.tobytes() == result.regret[0, 1].tobytes()
    assert type(found.actions) is censored.Point and found.actions.arm.dtype == np.int64
    lost = [max(world.best - world.gain(int(i), x), 0.0) for i, x in zip(*found.actions, strict=True)]
    assert np.cumsum(lost) == pytest.approx(found.regret, rel=1e-12) and len(set(found.actions.limit.tolist())) > 3


def test_every_run_has_its_own_instance():
    drawn = bl.random_instances(lambda seed: classic.bernoulli(np.random.default_rng(seed).random(3)))
    result = bl.simulate(drawn, classic.ucb1(3), 80, runs=3, seed=2, checkpoints=80)
    for run in range(3):
        assert bl.record_run(drawn, classic.ucb1(3), 80, 2, run).regret.tobytes() == result.regret[0, run].tobytes()


def test_a_run_that_no_memory_holds_is_refused():
    with pytest.raises(ValueError, match=r"horizon=1000000000000: would take .* bytes, must be at most"):
        bl.record_run(*PAIRS["a number"][:2], 10**12)
    with pytest.raises(ValueError, match=r"every=1: of 1000000000000 rounds: would take .* bytes"):
        bl.trace(*PAIRS["a number"][:2], 10**12, every=1)


def test_actions_that_no_array_can_hold_are_refused():
    class Words(toys.Constant):
        def select(self, state, t, rng):
            return np.zeros((2, 2))

    with pytest.raises(TypeError, match="Words: its actions are neither numbers nor vectors"):
        bl.record_run(toys.Still(0.0), Words(2), 5)
