"""What fields, states and worlds may hold: equal arguments give equal numbers, so nothing may outlive a run."""

from typing import NamedTuple

import numpy as np
import pytest

import banditlab as bl
from banditlab import classic
from tests.toys.broken import Sums

ARMS = classic.bernoulli([0.4, 0.5, 0.6])


class Greedy(NamedTuple):
    """Follow the leader, with a memory that outlives the run where it is a list."""

    arms: int
    sums: object
    pulls: object

    def actions(self):
        return self.arms

    def init(self, rng):
        return 0

    def select(self, state, t, rng):
        best, top = 0, -1.0
        for arm in range(self.arms):
            if self.sums[arm] / self.pulls[arm] > top:
                best, top = arm, self.sums[arm] / self.pulls[arm]
        return best

    def update(self, state, action, observation, t, rng):
        self.sums[action] += observation
        self.pulls[action] += 1.0
        return state


class Inner(NamedTuple):
    pair: tuple


class Holds(NamedTuple):
    """Plays in turn, with any field."""

    held: object

    def init(self, rng):
        return 0

    def select(self, state, t, rng):
        return t % 3

    def update(self, state, action, observation, t, rng):
        return state


class World(NamedTuple):
    """An environment with any field."""

    held: object

    def reset(self, rng):
        return 0

    def step(self, world, action, t, rng):
        return 0.0

    def regret(self, world, action, t):
        return 0.0


ENTRIES = {
    "simulate": lambda environment, policy: bl.simulate(environment, policy, 50),
    "play": lambda environment, policy: bl.record_run(environment, policy, 50),
    "trace": lambda environment, policy: bl.trace(environment, policy, 50),
    "sweep": lambda environment, policy: bl.sweep(lambda x: (environment, policy), {"x": [1]}, 50),
}


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_list_in_a_field_is_refused_everywhere(entry):
    ones = [1.0, 1.0, 1.0]
    told = r"Greedy.sums is a list: make it np.array\(...\); what changes belongs in the state\nat test_fields.py:\d+"
    with pytest.raises(TypeError, match=told):
        ENTRIES[entry](ARMS, Greedy(3, ones, ones))
    assert ones == [1.0, 1.0, 1.0]
    with pytest.raises(TypeError, match=r"World.held is a list: make it np.array"):
        ENTRIES[entry](World([0.4]), classic.ucb1(3))


def test_check_policy_refuses_a_list_too():
    ones = [1.0, 1.0, 1.0]
    report = bl.check_policy(ARMS, Greedy(3, ones, ones))
    assert not report.ok and "Greedy.sums is a list: make it np.array(...)" in report.checks[0].found
    assert ones == [1.0, 1.0, 1.0]


def test_a_drawn_world_with_a_list_is_refused():
    environment = bl.random_instances(lambda seed: World(0.5 if seed == first else [0.5]))
    first = int(np.random.SeedSequence(0, spawn_key=(0, 2)).generate_state(1, np.uint64)[0])
    with pytest.raises(TypeError, match="World.held is a list"):
        bl.simulate(environment, classic.uniform(3), 20, runs=2)


REFUSED = {
    "a dict": ({"a": 1}, r"Holds.held is a dict: make it a NamedTuple, or arrays; what changes"),
    "a set": ({1}, r"Holds.held is a set: make it np.array"),
    "bytes that change": (bytearray(3), r"Holds.held is a bytearray: make it np.array"),
    "in a tuple": ((0, (1.0, [2.0])), r"Holds.held\[1\]\[1\] is a list"),
    "in a tuple of a tuple": (Inner((1, [2])), r"Holds.held.pair\[1\] is a list"),
    "a generator": (np.random.default_rng(0), r"Holds.held is a Generator: draw from rng, the argument"),
    "a function": (max, r"Holds.held is a builtin_function_or_method: make it a method, or tabulate it"),
    "objects": (np.array([[1], [2, 3]], object), r"Holds.held is an array of objects: make it an array of numbers"),
    "anything else": (object(), r"Holds.held is an object: make it numbers, strings, arrays or a NamedTuple"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_no_field_may_hold(case):
    held, told = REFUSED[case]
    with pytest.raises(TypeError, match=told) as caught:
        bl.simulate(ARMS, Holds(held), 50)
    assert str(caught.value).count("\nat test_fields.py:") == 1


@pytest.mark.parametrize("held", ["word", None, (1, (2.0, np.ones(3)))])
def test_what_a_field_may_hold(held):
    regret = bl.simulate(ARMS, Holds(held), 30).regret
    assert np.array_equal(regret, bl.simulate(ARMS, Holds(0), 30).regret)


class Named(NamedTuple):
    """Plays as its name says: a string is as good as a number, compiled and interpreted."""

    arms: int
    rule: str

    def actions(self):
        return self.arms

    def init(self, rng):
        return np.zeros(self.arms)

    def select(self, state, t, rng):
        if self.rule == "in turn":
            return t % self.arms
        return int(self.arms * rng.random())

    def update(self, state, action, observation, t, rng):
        state[action] += observation
        return state


@pytest.mark.parametrize("rule", ["in turn", "by chance"])
def test_a_string_works_compiled(rule):
    report = bl.check_policy(ARMS, Named(3, rule), horizon=50, runs=2)
    assert report.checks[4].verdict == "passed", str(report)


STATES = {
    "a list": (
        lambda self, rng: [0.0, 0.0, 0.0],
        r"Made.init: state is a list: make it np.array\(...\)\nat test_fields",
    ),
    "a dict": (lambda self, rng: {"n": 0}, r"Made.init: state is a dict: make it a NamedTuple, or arrays\nat "),
    "a set": (lambda self, rng: {0}, r"Made.init: state is a set"),
    "in a tuple": (lambda self, rng: Sums(np.zeros(3), [0.0]), r"Made.init: state.rewards is a list"),
}


@pytest.mark.parametrize("case", STATES)
def test_what_no_state_may_hold(case):
    init, told = STATES[case]
    init.__code__ = init.__code__.replace(co_name="init")
    policy = type("Made", (Holds,), {"__slots__": (), "init": init})(1)
    with pytest.raises(TypeError, match=told):
        bl.simulate(ARMS, policy, 50)
    assert any("Made.init: state" in check.found for check in bl.check_policy(ARMS, policy, horizon=50).checks)


def test_a_world_of_a_list_is_refused():
    def reset(self, rng):
        return (0, [0.0])

    environment = type("Made", (World,), {"__slots__": (), "reset": reset})(1)
    with pytest.raises(
        TypeError, match=r"Made.reset: world\[1\] is a list: make it np.array\(...\)\nat test_fields.py"
    ):
        bl.simulate(environment, classic.uniform(3), 50)


def test_arrays_of_several_lengths_may_be_in_a_list_of_the_state():
    policy = type("Rows", (Holds,), {"__slots__": (), "init": lambda self, rng: [np.zeros(1), np.zeros(2)]})(1)
    assert bl.simulate(ARMS, policy, 50).regret.shape == (1, 1, 50)


def test_a_number_that_no_compiled_code_can_hold():
    with pytest.raises(TypeError, match=r"Holds.held: cannot be compiled: Int value is too large"):
        bl.simulate(ARMS, Holds(2**70), 50)
