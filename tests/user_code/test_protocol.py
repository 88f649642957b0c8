"""What compiled code may call, and what is refused as an environment or a policy."""

import math
import types
from typing import NamedTuple

import numpy as np
import pytest

from banditlab import classic, record_run, simulate
from banditlab.engine.methods import helper
from banditlab.user_code import contract
from tests import toys
from tests.kernels import compile_for


@helper
def scaled(x, by=2.0):
    """A default that a caller may leave out or name."""
    return x * by


class Pair(NamedTuple):
    first: int
    second: float

    def total(self, extra=1.0):
        return self.first + self.second + extra


class Calls(NamedTuple):
    pair: Pair

    def inner(self, x):
        return scaled(x) + scaled(x, 3.0) + scaled(x, by=5.0)

    def all(self, x):
        return self.pair.total(), self.pair.total(extra=0.5), self.inner(x), Pair(1, x).total()


def both(function, *args):
    """What the function gives compiled and interpreted."""
    return compile_for(function, *args)(*args), function(*args)


def use(calls, x):
    return calls.all(x)


def double(x):
    return scaled(x)


def test_methods_and_helpers_call_each_other_with_defaults_and_keywords():
    compiled, interpreted = both(use, Calls(Pair(3, 0.5)), 1.5)
    assert compiled == interpreted == (4.5, 4.0, 15.0, 3.5)


def test_one_function_serves_arguments_of_several_types():
    for x in 1, 1.5, np.arange(3.0):
        compiled, interpreted = both(double, x)
        assert np.array_equal(compiled, interpreted)
        assert np.asarray(compiled).dtype == np.asarray(interpreted).dtype


def test_a_helper_stays_the_function_it_was():
    def plain(x):
        return x

    assert helper(plain) is plain
    assert isinstance(scaled, types.FunctionType)


ARMS = classic.bernoulli([0.2, 0.8])


@pytest.mark.parametrize("thing", [3, None, (1, 2), [classic.ucb1(2)], classic.UCB1, np.zeros(2), "policy"])
def test_only_instances_of_named_tuples_conform(thing):
    with pytest.raises(TypeError, match=r"^it=.*must be an instance of a typing.NamedTuple class with at"):
        contract.check_methods(thing, "it", contract.POLICY)


@pytest.mark.parametrize(
    "environment, policy, cure",
    [
        (ARMS, classic.UCB1, r"write UCB1\(...\), with its fields"),
        (ARMS, classic.ucb1, r"call it, ucb1\(...\)$"),
        (ARMS, type("Plain", (), {}), r"begin it with `class Plain\(NamedTuple\):`"),
        (ARMS, type("Plain", (), {})(), r"begin it with `class Plain\(NamedTuple\):`"),
        (ARMS, type("NT", (tuple,), {"_fields": (), "__slots__": ()}), r"begin it with `class NT\(NamedTuple\):`"),
        (ARMS, dict, r"at least one field$"),
        (classic.bernoulli, classic.ucb1(2), r"call it, bernoulli\(...\), or, .* bl.random_instances\(bernoulli\)"),
    ],
)
def test_what_is_no_instance_is_told_how_to_become_one(environment, policy, cure):
    with pytest.raises(TypeError, match=cure):
        simulate(environment, {"it": policy}, 10)
    if environment is ARMS:
        with pytest.raises(TypeError, match=cure.replace("at least one field", "names and policies")):
            simulate(environment, policy, 10)


def test_a_class_without_fields_is_refused():
    class Empty(NamedTuple):
        pass

    with pytest.raises(TypeError, match="at least one field"):
        contract.check_methods(Empty(), "it", contract.POLICY)


def altered(cls, **methods):
    """An instance of a subclass with these methods instead; None hides a method."""
    return type(cls.__name__, (cls,), {"__slots__": (), **methods})


def test_a_missing_method_is_named():
    with pytest.raises(TypeError, match=r"it=Bernoulli: has no method init\(self, rng\)"):
        contract.check_methods(ARMS, "it", contract.POLICY)
    silent = altered(classic.UCB1, update=None)(2, 2.0)
    with pytest.raises(TypeError, match=r"it=UCB1: has no method update\(self, state, action, observation, t, rng\)"):
        contract.check_methods(silent, "it", contract.POLICY)


@pytest.mark.parametrize(
    "method",
    [
        lambda self, state, t: 0,
        lambda self, state, rng, t: 0,
        lambda self, state, t, rng=None: 0,
        lambda self, state, context, t, rng: 0,
        lambda self, *args: 0,
    ],
    ids=["too few", "other order", "a default", "too many", "any"],
)
def test_other_parameters_are_refused(method):
    with pytest.raises(TypeError, match=r"it=UCB1: method select\(.*\) must be select\(self, state, t, rng\)"):
        contract.check_methods(altered(classic.UCB1, select=method)(2, 2.0), "it", contract.POLICY)


class Renamed(NamedTuple):
    """UCB1 whose arguments have names of their own."""

    arms: int

    def init(self, gen):
        return np.zeros((2, self.arms))

    def select(self, seen, n, gen):
        means = seen[1] / np.maximum(seen[0], 1.0) + np.sqrt(2.0 * math.log(n + 1.0) / np.maximum(seen[0], 0.5))
        return int(np.argmax(means))

    def update(self, seen, arm, reward, n, gen):
        seen[0, arm] += 1.0
        seen[1, arm] += reward
        return seen


def test_arguments_are_told_apart_by_position():
    result = simulate(ARMS, {"renamed": Renamed(2)}, 200, runs=3, seed=1)
    interpreted = record_run(ARMS, Renamed(2), 200, 1)
    assert result.regret[0, 0, -1] == interpreted.regret[-1]


def test_conforming_things_pass():
    contract.check_methods(ARMS, "it", contract.ENVIRONMENT)
    contract.check_methods(classic.ucb1(2), "it", contract.POLICY)
    crowd = toys.Crowd(np.zeros(2), 3)
    contract.check_methods(crowd, "it", {**contract.ENVIRONMENT, **contract.CONTEXT})
    contract.check_methods(toys.Gradient(3, 2, 0.1), "it", contract.CONTEXTUAL)
    with pytest.raises(TypeError, match="must be select"):
        contract.check_methods(toys.Gradient(3, 2, 0.1), "it", contract.POLICY)
    with pytest.raises(TypeError, match="must be select"):
        contract.check_methods(classic.ucb1(2), "it", contract.CONTEXTUAL)


class Counted(NamedTuple):
    n: int
    total: float
    rows: np.ndarray


def replaced(state, u):
    once = state._replace(n=state.n + 1, total=state.total + float(u < 0.5))
    return once, once._replace(rows=state.rows * 2.0), once._replace()


@pytest.mark.parametrize("u", [0.2, 0.7])
def test_replace_and_float_of_a_comparison_compile(u):
    compiled, interpreted = both(replaced, Counted(1, 2.0, np.arange(3.0)), u)
    assert [(type(a), a.n, a.total, a.rows.tolist()) for a in compiled] == [
        (type(a), a.n, a.total, a.rows.tolist()) for a in interpreted
    ]
    assert compiled[0].total == 2.0 + (u < 0.5)
