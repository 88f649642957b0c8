"""Local variables that may be read before they have a value, and what else compiled code reads otherwise."""

import importlib
import inspect
import math
import pkgutil
import re
from typing import NamedTuple

import numpy as np
import pytest
from numba import njit, typeof
from numba.core import errors, ir
from numba.core.compiler import run_frontend
from numba.core.ssa import reconstruct_ssa

import banditlab as bl
from banditlab import classic
from banditlab.engine import numba_options
from banditlab.user_code import code_identity, guards
from banditlab.user_code.errors import explain_compilation
from tests import toys
from tests.toys.broken import with_one_mistake

ARMS = classic.bernoulli([0.8, 0.6, 0.6, 0.5, 0.4])


def only_in_a_branch(self, state, t, rng):
    if t < 250:
        arm = 2
    return arm


def only_where_it_is_larger(self, state, t, rng):
    top = -np.inf
    for a in range(self.arms):
        index = state.rewards[a] if t < 100 else np.nan
        if index > top:
            top, arm = index, a
    return arm


ONLY_IN_A_BRANCH = with_one_mistake("OnlyInABranch", select=only_in_a_branch)
ONLY_WHERE_LARGER = with_one_mistake("OnlyWhereLarger", select=only_where_it_is_larger)


@pytest.mark.parametrize("cls", [ONLY_IN_A_BRANCH, ONLY_WHERE_LARGER], ids=lambda cls: cls.__name__)
def test_a_policy_that_may_play_an_arm_never_chosen_is_refused(cls):
    said = r"`arm`, which may be read before it has a value(.|\n)*: `return arm`\ncure: give `arm` a value before"
    with pytest.raises(TypeError, match=said):
        bl.simulate(ARMS, cls(5), 1000)


def in_a_loop(n):
    for i in range(n):
        last = i
    return last


def in_while(n):
    while n > 0:
        n -= 1
        last = n
    return last


def in_one_case(x):
    if x < 0:
        y = 1
    elif x > 0:
        y = 2
    return y


def in_a_later_round(n):
    for i in range(n):
        if i > 0:
            n = before  # noqa: F821
        before = i  # noqa: F841
    return n


def loop_variable(n):
    for i in range(n):
        n -= i
    return i


def augmented(n):
    for i in range(n):
        total += i  # noqa: F821
    return total  # noqa: F821


def behind_break(values):
    for value in values:
        if value > 0:
            found = value
            break
    return found


def else_that_breaks_first(values):
    for value in values:
        if value > 0:
            break
    else:
        found = 0
    return found


def short_circuit(x):
    if x > 0 and (y := x) > 1:
        return y
    return y


def in_a_comprehension(n):
    if n > 2:
        scale = 2
    return [scale * k for k in range(n)]


def unpacked(n):
    if n:
        a, (b, c) = 1, (2, 3)
    return a + b + c


def in_match(x):
    match x:
        case 1:
            y = 1
        case 2:
            y = 2
    return y


def in_the_branch_that_returns(x):
    if x > 0:
        y = 1
        return y
    return y


def behind_a_loop_that_assigns_nothing(x):
    if x > 0:
        y = 1
        return y + 1
    while x < 5:
        x += 1
    return x * y


def both_branches(x):
    if x > 0:
        y = 1
    else:
        y = 2
    return y


def branch_that_returns(x):
    if x > 0:
        y = 1
    else:
        return 0
    return y


def branch_that_raises(x):
    if x > 0:
        y = 1
    else:
        raise ValueError("x")
    return y


def before_the_loop(n):
    last = -1
    for i in range(n):
        last = i
    return last


def within_the_loop(n):
    total = 0
    for i in range(n):
        square = i * i
        total += square
    return total


def endless(rng):
    while True:
        x = rng.random()
        if x < 0.5:
            break
    return x


def endless_continue(rng):
    while True:
        x = rng.random()
        if x > 0.5:
            continue
        y = x
        break
    return y


def else_of_a_loop(values):
    for value in values:
        if value > 0:
            found = value
            break
    else:
        found = 0
    return found


def tried_finally(x):
    try:
        y = 1.0 / x
    finally:
        x = 0.0
    return y + x


def walrus(x):
    return y if (y := x) > 1 else -y


def comprehension(n):
    scale = 2.0
    return [scale * k for k in range(n)], {k: scale for k in range(n)}


def namesake_of_a_comprehension(n):
    k = 3
    squares = [k * k for k in range(n)]
    return k, squares


def chained(x):
    low = high = x
    return 0 < low < high


def two_loops(n):
    total = 0
    for i in range(n):
        for j in range(i):
            total += i * j
    return total


def early_continue(values):
    total = 0.0
    for value in values:
        if math.isnan(value):
            continue
        part = value
        total += part
    return total


def matched(x):
    match x:
        case 1:
            y = 1
        case _:
            y = 2
    return y


def conditional_value(x):
    y = 1 if x > 0 else 2
    return y


def unpacks(pair):
    (a, b), c = pair
    a, b = b, a
    return a + b + c


VALUES, STREAM = np.ones(3), np.random.default_rng(0)
WRONG = {
    in_a_loop: "last", in_while: "last", in_one_case: "y", in_a_later_round: "before", loop_variable: "i",
    augmented: "total", behind_break: "found", else_that_breaks_first: "found", short_circuit: "y",
    in_a_comprehension: "scale", unpacked: "a", in_match: "y",
    in_the_branch_that_returns: "y", behind_a_loop_that_assigns_nothing: "y",
}  # fmt: skip
TAKES = {
    behind_break: VALUES, else_that_breaks_first: VALUES, else_of_a_loop: VALUES, early_continue: VALUES,
    unpacks: ((1, 2), 3), endless: STREAM, endless_continue: STREAM,
}  # fmt: skip


def compiled(function):
    """As a reader's method is compiled."""
    return njit(**numba_options.ask_loop(True))(function).compile((typeof(TAKES.get(function, 3)),))


@pytest.mark.parametrize(("function", "name"), WRONG.items(), ids=[function.__name__ for function in WRONG])
def test_a_path_that_assigns_nothing_is_found(function, name):
    with pytest.raises(errors.NumbaError) as caught:
        compiled(function)
    told = str(explain_compilation(caught.value, (), ()))
    first, lines = function.__code__.co_firstlineno, len(inspect.getsource(function).splitlines())
    assert first <= int(re.search(r"at test_unassigned.py:(\d+)", told)[1]) < first + lines
    assert told.endswith(f"cure: give `{name}` a value before the loop or branch that assigns it")


def find_unassigned(function):
    """Its variables to which one way leads without a value, as numba sees them."""
    blocks = reconstruct_ssa(run_frontend(function)).blocks.values()
    values = ((one.target, one.value) for block in blocks for one in block.find_insts(ir.Assign))
    merged = [(target, value) for target, value in values if getattr(value, "op", "") == "phi"]
    return {target.unversioned_name for target, value in merged if ir.UNDEFINED in value.incoming_values}


RIGHT = [
    both_branches, branch_that_returns, branch_that_raises, before_the_loop, within_the_loop, endless,
    endless_continue, else_of_a_loop, tried_finally, walrus, comprehension, namesake_of_a_comprehension, chained,
    two_loops, early_continue, matched, conditional_value, unpacks,
]  # fmt: skip


@pytest.mark.parametrize("function", RIGHT, ids=lambda function: function.__name__)
def test_right_functions_are_let_through(function):
    assert find_unassigned(function) == set()
    compiled(function)


def played_classes():
    """Every environment and policy class of the package, of the notebooks' modules and of the toys that compile."""
    papers = [importlib.import_module(name) for name in ("censored", "composite", "factored", "uplifting")]
    for package in (bl, *papers, toys):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith(("__main__", ".broken")):
                for value in vars(importlib.import_module(found.name)).values():
                    if inspect.isclass(value) and hasattr(value, "_fields") and value.__module__ == found.name:
                        yield value


PYTHON = re.compile(r"\w+\.(actions|diagnostics|told|count|every)\b")  # methods that run as Python


def test_no_method_that_is_compiled_reads_what_it_may_not_have_assigned(monkeypatch):
    monkeypatch.setattr(code_identity, "is_ours", lambda function: False)
    classes = [cls for cls in played_classes() if {"select", "step"} & {*vars(cls)}]
    assert len(classes) > 100
    for cls in classes:
        for method, function, _ in guards.list_functions([cls]):
            if not PYTHON.match(method):
                assert find_unassigned(function) == set(), method


class Counted(NamedTuple):
    arms: int

    def __len__(self):
        return self.arms

    def init(self, rng):
        return np.zeros(1)

    def select(self, state, t, rng):
        return len(self) - 1

    def update(self, state, action, observation, t, rng):
        return state


def test_an_operator_that_compiled_code_ignores_is_refused():
    with pytest.raises(TypeError, match=r"Counted.__len__: compiled code ignores it(.|\n)*cure: make it a method"):
        bl.simulate(ARMS, Counted(5), 100)


def memory_never_written(self, rng):
    return np.empty(self.arms)


def test_memory_never_written_is_refused():
    cls = with_one_mistake("Unwritten", init=memory_never_written)
    with pytest.raises(TypeError, match=r"np.empty holds whatever lay in memory(.|\n)*cure: np.zeros"):
        bl.simulate(ARMS, cls(5), 100)


def rounds_of_nothing(self, state, t, rng):
    return int(math.nan if t > 250 else 1.0)


def rounds_infinity(self, state, t, rng):
    return int(state.rewards[0] * np.inf) if t > 250 else 1


@pytest.mark.parametrize("select", [rounds_of_nothing, rounds_infinity], ids=lambda function: function.__name__)
def test_int_of_no_number_raises_as_python_does(select):
    cls = with_one_mistake("Rounds", select=select)
    with pytest.raises(
        (ValueError, FloatingPointError), match=r"Rounds, run \d, round 251, in rounds_(.|\n)*return int"
    ):
        bl.simulate(ARMS, cls(5), 1000)
