"""In what forms `simulate` takes its arguments; mistakes in classes from outside are ordinary Python errors."""

import functools
import multiprocessing
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import NamedTuple

import numba
import numpy as np
import pytest

import banditlab as bl
from banditlab import classic
from banditlab.user_code import code_identity
from tests import toys

ARMS = classic.bernoulli([0.2, 0.5, 0.9])
BOTH = {"UCB1": classic.ucb1(3), "uniform": classic.uniform(3)}
SETTINGS = dict(environment=ARMS, policies=BOTH, horizon=300, runs=10, seed=3)


def refused(error, match, **changes):
    with pytest.raises(error, match=match):
        bl.simulate(**{**SETTINGS, **changes})


def test_checkpoints_may_be_rounds():
    found = bl.simulate(**{**SETTINGS, "checkpoints": (7, 30, 300)})
    every = bl.simulate(**{**SETTINGS, "checkpoints": 300})
    assert found.checkpoints.tolist() == [7, 30, 300]
    assert found.regret.tolist() == every.regret[:, :, [6, 29, 299]].tolist()


def test_a_list_of_pairs_will_do():
    listed = bl.simulate(**{**SETTINGS, "policies": list(BOTH.items())})
    assert listed.policies == list(BOTH)
    assert listed.regret.tobytes() == bl.simulate(**SETTINGS).regret.tobytes()


def test_a_policy_alone_is_named_after_its_class():
    assert bl.simulate(ARMS, classic.uniform(3), 10).policies == ["Uniform"]


class Fields(NamedTuple):
    """Fields may have any name, also that of an optional method."""

    actions: int
    context: float
    tally: float

    def reset(self, rng):
        return 0

    def step(self, world, action, t, rng):
        return 1.0

    def regret(self, world, action, t):
        return 0.5

    def init(self, rng):
        return 0

    def select(self, state, t, rng):
        return 0

    def update(self, state, action, observation, t, rng):
        return state


def test_fields_may_be_called_like_optional_methods():
    thing = Fields(3, 1.0, 1.0)
    assert bl.simulate(thing, {"A": thing}, 10).regret[0, 0, -1] == 5.0


def test_a_policy_for_a_shorter_horizon_is_refused():
    refused(
        ValueError,
        r"horizon=300: policies\['A'\] was made for a horizon of 299",
        policies={"A": classic.exp3(3, 299)},
    )
    assert bl.simulate(ARMS, classic.exp3(3, 400), 300).checkpoints[-1] == 300


def test_classes_of_a_notebook_stay_in_their_process(monkeypatch):
    class Local(toys.Constant):
        __slots__ = ()

    with ThreadPoolExecutor(1) as pool:
        sentence = "Local: defined in a notebook or inside a function, cannot travel to another process"
        refused(ValueError, sentence, policies={"A": Local(3)}, executor=pool)
        monkeypatch.setattr(toys.Constant, "__module__", "__main__")
        refused(ValueError, "Constant: defined in a notebook", policies={"A": toys.Constant(3)}, executor=pool)
        drawn = bl.random_instances(lambda seed: ARMS)
        refused(ValueError, "lambda>: defined in a notebook", environment=drawn, executor=pool)
        drawn = bl.random_instances(functools.partial(lambda seed: ARMS))
        refused(ValueError, "must be a function of a module to travel", environment=drawn, executor=pool)


def select_third(self, state, t, rng):
    return 2


def test_a_patched_package_does_not_run_unpatched_elsewhere(monkeypatch):
    """Either the workers run what the caller sees, or the call is refused."""
    monkeypatch.setattr(classic.Uniform, "select", select_third)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        try:
            result = bl.simulate(ARMS, classic.uniform(3), 50, executor=pool)
        except (ValueError, RuntimeError):
            return
    assert (result.regret == 0).all()


class Elsewhere:
    """An executor whose workers have imported another version of the package."""

    def __init__(self, monkeypatch):
        self.monkeypatch = monkeypatch

    def submit(self, function, *args):
        future = Future()
        with self.monkeypatch.context() as patch:
            patch.setattr(code_identity, "ENGINE_DIGEST", "other")
            try:
                future.set_result(function(*args))
            except RuntimeError as error:
                future.set_exception(error)
        return future


def test_workers_of_another_version_are_refused(monkeypatch):
    refused(RuntimeError, "worker .* runs banditlab source .*restart the executor", executor=Elsewhere(monkeypatch))


# Mistakes in classes from outside are ordinary Python errors.


def mistaken(select):
    """A policy of a notebook with this method."""
    scope = {"NamedTuple": NamedTuple, "np": np, "__name__": "cell"}
    exec(
        "class Mine(NamedTuple):\n"
        "    arms: int\n"
        "    def init(self, rng): return np.zeros(self.arms)\n"
        f"    def select(self, state, t, rng): return {select}\n"
        "    def update(self, state, action, observation, t, rng): return state\n",
        scope,
    )
    return scope["Mine"](3)


@pytest.mark.parametrize(
    "select, error, text",
    [
        ("stat[0]", NameError, "name 'stat' is not defined"),
        ("self.arm", AttributeError, "no attribute 'arm'"),
        ("state.pulls", AttributeError, "no attribute 'pulls'"),
        ("5", IndexError, "action 5 outside 0 to 2"),
        ("0 if t < 20 else 5", IndexError, "round 20, in select: action 5 outside 0 to 2"),
        ("(-1,)", IndexError, r"in select: its action \(-1,\) is no whole number"),
        ("np.array([0])", IndexError, r"in select: its action \[0\] is no whole number"),
        ("rng.random() < 2", IndexError, "in select: its action True is no whole number"),
    ],
)
@pytest.mark.parametrize("horizon", [30, 10_000])
def test_a_mistake_is_an_ordinary_error(select, error, text, horizon):
    refused(error, text, policies={"A": mistaken(select)}, horizon=horizon)


def made_up(step="return self.means[action]", regret="return 0.5"):
    """A world of one's own that does not tell how many arms it has."""
    scope = {"NamedTuple": NamedTuple, "np": np, "__name__": "cell"}
    exec(
        "class World(NamedTuple):\n"
        "    means: np.ndarray\n"
        "    def reset(self, rng): return 0\n"
        f"    def step(self, world, action, t, rng): {step}\n"
        f"    def regret(self, world, action, t): {regret}\n",
        scope,
    )
    return scope["World"](np.array([0.9, 0.5]))


@pytest.mark.parametrize(
    "world, policy, text",
    [
        (
            made_up("return np.array([1.0])"),
            classic.ucb1(2),
            r"in step: UCB1 cannot take its observation array\(\[1\.\]\)",
        ),
        (made_up("self.means[action]"), classic.ucb1(2), "in step: UCB1 cannot take its observation None"),
        (made_up(regret="self.means[action]"), classic.ucb1(2), "in regret: its regret None is no number"),
        (made_up(), mistaken("-1"), "in select: action -1 outside 0, 1, 2 and so on"),
    ],
)
def test_a_mistake_of_a_world_names_its_method(world, policy, text):
    refused(IndexError, text, environment=world, policies={"A": policy})


def test_diagnostics_are_a_dict():
    class Counting(toys.Constant):
        __slots__ = ()

        def diagnostics(self, world, state):
            return 3

    refused(
        TypeError, "Counting.diagnostics: must return a dict of numbers by name, got 3", policies={"A": Counting(3)}
    )


def test_no_diagnostic_takes_the_place_of_another():
    class Answers(toys.Constant):
        __slots__ = ()

        def stop(self, state, t):
            return t > 3

        def diagnostics(self, world, state):
            return {"stopping_time": 7.0}

    refused(ValueError, "diagnostic 'stopping_time': is counted twice", policies={"A": Answers(3)})


def test_a_rehearsal_is_short_for_slow_policies(monkeypatch):
    calls = []

    class Slow(toys.Constant):
        __slots__ = ()

        def select(self, state, t, rng):
            time.sleep(0.02)
            calls.append(t)
            return 0

    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)
    bl.simulate(ARMS, Slow(3), 30)
    assert calls[-30:] == list(range(30))
    assert 0 < len(calls) - 30 <= 6  # a twentieth of a second, and the first round by itself
