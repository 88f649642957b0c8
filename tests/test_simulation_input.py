"""What `simulate` refuses, and what it says; mistakes in classes from outside are ordinary Python errors."""

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


@pytest.mark.parametrize("name, least", [("horizon", 1), ("runs", 1), ("seed", 0), ("checkpoints", 1)])
def test_counts_must_be_whole_and_large_enough(name, least):
    for value in least - 1, -5:
        refused(ValueError, f"{name}={value}: must be at least {least}", **{name: value})
    for value in 2.5, "9", [3], True, float("nan"):
        if not (name == "checkpoints" and value == [3]):  # these are rounds: below
            refused(TypeError, f"{name}=.*: must be a whole number, at least {least}", **{name: value})


def test_checkpoints_may_be_rounds():
    found = bl.simulate(**{**SETTINGS, "checkpoints": (7, 30, 300)})
    every = bl.simulate(**{**SETTINGS, "checkpoints": 300})
    assert found.checkpoints.tolist() == [7, 30, 300]
    assert found.regret.tolist() == every.regret[:, :, [6, 29, 299]].tolist()


@pytest.mark.parametrize("rounds", [[], [7, 30], [30, 7, 300], [7, 7, 300], [0, 300], [7, 300.5], [7, 301], ["7", 300]])
def test_checkpoints_must_ascend_to_the_horizon(rounds):
    refused((TypeError, ValueError), r"checkpoints", checkpoints=rounds)


@pytest.mark.parametrize("name", ["horizon", "runs"])
def test_counts_without_a_number_are_refused(name):
    refused(TypeError, f"{name}=None: must be a whole number", **{name: None})


def test_more_checkpoints_than_rounds_are_refused():
    refused(ValueError, "checkpoints=301: must be at least 1 and at most 300", checkpoints=301)


NAMELESS = {
    "two of a name": ([("A", BOTH["UCB1"]), ("A", BOTH["uniform"])], ValueError),
    "no entry": ({}, ValueError),
    "no pair": ([], ValueError),
    "number as a name": ({3: BOTH["UCB1"]}, TypeError),
    "empty name": ({"": BOTH["UCB1"]}, TypeError),
    "number as a policy": ({"A": 3}, TypeError),
    "class as a policy": ({"A": classic.UCB1}, TypeError),
    "list of policies": (list(BOTH.values()), TypeError),
    "list of a policy": ([classic.uniform(3)], TypeError),
    "list of a name": ([("A",)], TypeError),
    "word": ("AB", TypeError),
    "class": (classic.UCB1, TypeError),
    "environment": (ARMS, TypeError),
    "nothing": (None, TypeError),
    "number": (7, TypeError),
}


@pytest.mark.parametrize("kind", NAMELESS)
def test_policies_must_be_named_policies(kind):
    policies, error = NAMELESS[kind]
    refused(error, r"^policies", policies=policies)


def test_a_list_of_pairs_will_do():
    listed = bl.simulate(**{**SETTINGS, "policies": list(BOTH.items())})
    assert listed.policies == list(BOTH)
    assert listed.regret.tobytes() == bl.simulate(**SETTINGS).regret.tobytes()


def test_a_policy_alone_is_named_after_its_class():
    assert bl.simulate(ARMS, classic.uniform(3), 10).policies == ["Uniform"]


@pytest.mark.parametrize(
    "environment", [None, 3, classic.bernoulli, [ARMS], {"A": ARMS}], ids=lambda thing: type(thing).__name__
)
def test_an_environment_must_follow_the_protocol(environment):
    refused(TypeError, "^environment=", environment=environment)


def test_a_policy_in_the_place_of_the_environment_is_told_what_it_lacks():
    refused(TypeError, r"environment=UCB1: has no method reset\(self, rng\)", environment=BOTH["UCB1"])


def altered(thing, **methods):
    """The thing with these methods instead."""
    return type(type(thing).__name__, (type(thing),), {"__slots__": (), **methods})(*thing)


def test_wrong_parameters_of_methods_are_named():
    wrong = altered(classic.uniform(3), update=lambda self, state, reward, action, t, rng: state)
    refused(
        TypeError,
        r"policies\['A'\]=Uniform: method update\(self, state, reward, action, t, rng\) must be "
        r"update\(self, state, action, observation, t, rng\)",
        policies={"A": wrong},
    )
    refused(
        TypeError,
        r"environment=Bernoulli: method regret\(self, action, t\) must be regret\(self, world, action, t\)",
        environment=altered(ARMS, regret=lambda self, action, t: 0.0),
    )
    refused(
        TypeError,
        r"environment=Bernoulli: method context\(self, t\) must be context\(self, world, t, rng\)",
        environment=altered(ARMS, context=lambda self, t: 0.0),
    )


def test_contextual_policies_belong_to_contextual_environments():
    crowd, gradient = toys.Crowd(np.zeros(2), 3), toys.Gradient(3, 2, 0.1)
    refused(TypeError, r"method select\(self, state, context, t, rng\) must be", policies={"A": gradient})
    refused(
        TypeError,
        r"method select\(self, state, t, rng\) must be select\(self, state, context, t, rng\)",
        environment=crowd,
    )


def test_sizes_must_match():
    refused(
        ValueError,
        r"policies\['A'\]: plays on actions 4, but the environment offers 3",
        policies={"A": classic.ucb1(4)},
    )
    ragged = toys.product([0.5, 0.9], [0.3, 0.4, 0.5])
    with pytest.raises(ValueError, match=r"plays on actions \(3, 2\), but the environment offers \(2, 3\)"):
        bl.simulate(ragged, toys.Ragged(np.array([3, 2])), 10)


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


class Until(toys.Constant):
    """A policy that has a field for a horizon."""

    __slots__ = ()
    horizon = None


def test_a_horizon_that_is_no_number_is_refused():
    told = r"policies\['A'\].horizon=None: must be a number of rounds, or no field of this name"
    refused(TypeError, told, policies={"A": Until(3)})


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"runs": 10**15}, "runs=1000000000000000: regret of 2 policies at 200 checkpoints: would take"),
        ({"horizon": 10**15, "checkpoints": 10**15}, "checkpoints=1000000000000000: would take"),
    ],
)
def test_what_no_memory_holds_is_refused_before_anything_is_played(changes, match):
    refused(ValueError, match, **changes)


def test_what_per_run_gets_must_be_a_function_of_an_environment():
    with pytest.raises(TypeError, match="function=3: must be callable"):
        bl.random_instances(3)
    refused(TypeError, "^environment=None", environment=bl.random_instances(lambda seed: None))


def test_progress_must_be_callable():
    refused(TypeError, "progress=5: must be callable", progress=5)


def test_an_executor_must_have_its_interface():
    refused(TypeError, "executor=5: must have the interface of concurrent.futures.Executor", executor=5)


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
