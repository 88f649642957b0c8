"""A policy outside of a simulation: stopped and resumed it decides as if it had never been stopped."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest

import banditlab as bl
from banditlab import classic
from tests.pairs import PAIRS
from tests.stand_ins import MODULES

PAGE = Path(__file__).parents[1] / "docs" / "outside.md"
ONCE = {type(policy): (world, policy) for world, policy, _ in PAIRS if type(policy).__module__.startswith("banditlab")}


def go_on(world, policy, state, there, t, rounds, rngs):
    """Actions of so many rounds, and the state after them."""
    actions = []
    for now in range(t, t + rounds):
        context = (world.context(there, now, rngs[0]),) if hasattr(world, "context") else ()
        actions.append(policy.select(state, *context, now, rngs[1]))
        seen = world.step(there, actions[-1], now, rngs[0])
        state = policy.update(state, actions[-1], seen, now, rngs[1])
    return [np.array(action).tolist() for action in actions], state


@pytest.mark.parametrize("kind", ONCE, ids=lambda kind: f"{kind.__module__.split('.')[1]}-{kind.__name__}")
def test_every_state_comes_back_bit_for_bit(kind, tmp_path):
    world, policy = ONCE[kind]
    rngs = [np.random.default_rng(seed) for seed in (1, 2)]
    there = world.reset(rngs[0])
    _, state = go_on(world, policy, policy.init(rngs[1]), there, 0, 25, rngs)
    bl.save_state(tmp_path / "state.npz", state, 25, rngs[1])
    resumed = np.random.default_rng()
    again, t = bl.load_state(tmp_path / "state.npz", policy, resumed)
    assert t == 25 and resumed.bit_generator.state == rngs[1].bit_generator.state
    assert same(again, state)


def same(a, b):
    """Whether two states are of the same classes, types and bits."""
    if isinstance(a, tuple | list):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    a, b = np.asarray(a), np.asarray(b)
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def test_a_resumed_policy_decides_as_one_that_was_never_stopped(tmp_path):
    policy, world = classic.thompson_beta(3), classic.bernoulli([0.2, 0.5, 0.4])
    rngs = [np.random.default_rng(seed) for seed in (1, 2)]
    whole, _ = go_on(world, policy, policy.init(rngs[1]), 0, 0, 120, rngs)
    rngs = [np.random.default_rng(seed) for seed in (1, 2)]
    first, state = go_on(world, policy, policy.init(rngs[1]), 0, 0, 60, rngs)
    bl.save_state(tmp_path / "state.npz", state, 60, rngs[1])
    rngs[1] = np.random.default_rng()
    state, t = bl.load_state(tmp_path / "state.npz", classic.thompson_beta(3), rngs[1])
    second, _ = go_on(world, policy, state, 0, t, 60, rngs)
    assert first + second == whole


def test_what_is_no_state_of_the_policy_is_refused(tmp_path):
    path, rng = tmp_path / "state.npz", np.random.default_rng(0)
    policy = classic.ucb1(3)
    bl.save_state(path, policy.init(rng), 0, rng)
    with pytest.raises(ValueError, match="its state is no state of MOSS"):
        bl.load_state(path, classic.moss(3, 100), rng)
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ValueError, match="cannot be read as a state of this policy"):
        bl.load_state(path, policy, rng)
    with pytest.raises(FileNotFoundError):
        bl.load_state(tmp_path / "gone.npz", policy, rng)
    with pytest.raises(TypeError, match="rng=RandomState: must be a numpy Generator"):
        bl.save_state(path, policy.init(rng), 0, np.random.RandomState(0))
    with pytest.raises(ValueError, match="t=-1: must be at least 0"):
        bl.save_state(path, policy.init(rng), -1, rng)
    table = np.zeros((2, 3))
    with pytest.raises(ValueError, match="share memory"):
        bl.save_state(path, (table, table[0]), 0, rng)
    bl.save_state(path, (table[:, 0], table[:, 1]), 0, rng)  # beside each other


@pytest.mark.parametrize("arms", [2, 5])
@pytest.mark.parametrize("make", [classic.ucb1, classic.thompson_beta, classic.rucb, classic.lin_ucb])
def test_a_state_of_another_number_of_arms_is_refused(make, arms, tmp_path):
    path, rng = tmp_path / "state.npz", np.random.default_rng(0)
    bl.save_state(path, make(arms).init(rng), 7, rng)
    before = rng.bit_generator.state
    with pytest.raises(ValueError, match=r"array of shape \(\d.*where this policy has \(3.*as many arms"):
        bl.load_state(path, make(3), rng)
    assert rng.bit_generator.state == before
    assert bl.load_state(path, make(arms), rng)[1] == 7


BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)


def find_block(module):
    """The page's block that says so."""
    return next(block for block in BLOCKS if module in block)


def test_it_works_with_gymnasium_as_the_page_says():
    gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed")
    names = {"gymnasium": gymnasium}
    exec(find_block("class Arms(gymnasium.Env)"), names)
    gymnasium.register("my/Bandit-v0", lambda: names["Arms"](classic.bernoulli([0.1, 0.9])))
    policy, rng = classic.ucb1(2), np.random.default_rng(0)
    names |= {"policy": policy, "rng": rng, "state": policy.init(rng)}
    exec(find_block("gymnasium.make"), names)
    assert names["state"].pulls[1] > 600


def test_it_works_behind_the_interface_of_river_as_the_page_says():
    pytest.importorskip("river", reason="river is not installed")
    names = {"np": np}
    exec(find_block("from river import"), names)
    ours, users = names["Ours"](classic.kl_ucb(2), 0), np.random.default_rng(1)
    for _ in range(1000):
        arm = ours.pull(["bad", "good"])
        ours.update(arm, float(users.random() < {"bad": 0.1, "good": 0.9}[arm]))
    assert ours.state.pulls[1] > 900


def test_it_works_behind_the_interface_of_open_bandit_pipeline_as_the_page_says(monkeypatch):
    for name in ("obp", "obp.policy"):
        monkeypatch.setitem(sys.modules, name, MODULES[name])
    names = {"np": np}
    exec(find_block("from obp.policy"), names)
    ours, users = names["Ours"](classic.kl_ucb(2), 2, 0), np.random.default_rng(1)
    for _ in range(1000):
        action = ours.select_action()[0]
        ours.update_params(action, float(users.random() < [0.1, 0.9][action]))
    assert ours.n_trial == 1000 and ours.state.pulls[1] > 900
