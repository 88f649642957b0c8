"""Inner functions are linked into the loop and have no machine code of their own; whatever Python calls has."""

import os
import subprocess
import sys
import threading
from typing import NamedTuple

import numpy as np
import pytest
from numba import njit
from numba.core.codegen import JITCodeLibrary
from numba.core.cpu import CPUContext
from numba.core.lowering import BaseLower

from banditlab import classic, lend, simulate
from tests.toys import InTurn

pytestmark = pytest.mark.skipif(not lend.LENDS, reason="numba compiles as it is")
WORLD = classic.bernoulli([0.2, 0.8, 0.5])


@njit
def doubled(x):
    """A function of the reader's, who calls it from Python, too."""
    return np.full(2, 2.0 * x).sum() / 2


@njit
def depth(n):
    """A function that calls itself."""
    if n < 1:
        return 0
    return 1 + depth(n - 1)


class Sums(NamedTuple):
    arms: int

    def init(self, rng):
        return np.zeros(self.arms)

    def select(self, state, t, rng):
        return np.argmax(state) if depth(t % 5) == t % 5 else 0

    def update(self, state, action, observation, t, rng):
        state[action] += doubled(observation) - np.cumsum(np.ones(3))[1]
        return state


class Talking(InTurn):
    def update(self, state, action, observation, t, rng):
        if t == 40:  # beyond the rounds that are rehearsed
            print("round", t, "arm", action)
        return state + 1


class Failing(InTurn):
    def update(self, state, action, observation, t, rng):
        if t == 40:
            raise ValueError("forty")
        return state


def played(policy):
    """Regret of one run, so that nothing is compiled when it is there."""
    return simulate(WORLD, {"mine": policy}, 100).regret


def test_a_loop_makes_machine_code_of_itself_alone(monkeypatch):
    made, finalize = [], JITCodeLibrary._finalize_specific
    monkeypatch.setattr(JITCodeLibrary, "_finalize_specific", lambda self: (made.append(self.name), finalize(self)))

    class Fresh(Talking):
        """Nothing of it is compiled yet."""

    played(Fresh(3))
    assert made.count("run") == 1
    assert not [name for name in made if "update" in name or "select" in name]


def test_a_function_that_python_calls_keeps_its_machine_code():
    played(Sums(3))
    assert doubled(3.0) == 6.0


def test_functions_that_the_loop_had_compiled_first_work_outside_of_it():
    played(Sums(3))

    @njit
    def again(n):
        return np.cumsum(np.ones(n))[1] + np.full(2, 1.0).sum()

    assert again(3) == 4.0


def test_a_function_that_calls_itself_plays_as_it_does_interpreted():
    code = "import tests.test_inner as t; print(t.played(t.Sums(3)).tobytes().hex())"
    call, found = [sys.executable, "-c", code], []
    for interpreted in "01":
        way = os.environ | {"NUMBA_DISABLE_JIT": interpreted}
        found.append(subprocess.run(call, env=way, capture_output=True, check=True).stdout)
    assert found[0] == found[1] and len(found[0]) > 100


@pytest.mark.parametrize("twice", [False, True])
def test_constants_of_inner_functions_are_found(capfd, twice):
    played(Talking(3))
    if twice:

        class Other(Talking):
            """The same functions in another loop."""

        played(Other(3))
    assert "round 40 arm 1" in capfd.readouterr().out


def test_errors_of_inner_functions_are_told():
    with pytest.raises(ValueError, match="forty"):
        played(Failing(3))


def test_numba_is_left_as_it_was():
    before = CPUContext.get_executable, BaseLower.create_cfunc_wrapper

    class Wrong(Talking):
        def update(self, state, action, observation, t, rng):
            return state + (1 if t < 35 else "one")

    with pytest.raises(Exception, match="does not compile"):
        played(Wrong(3))
    assert (CPUContext.get_executable, BaseLower.create_cfunc_wrapper) == before
    played(Talking(3))
    assert (CPUContext.get_executable, BaseLower.create_cfunc_wrapper) == before


def test_code_of_the_reader_s_own_that_is_compiled_meanwhile_can_be_called():
    found, going = [], threading.Event()

    def compile_many():
        for k in range(8):
            scope = {"np": np}
            exec(f"def f{k}(x):\n    return np.ones({k + 1}).sum() * x", scope)
            found.append(njit(scope[f"f{k}"])(2.0))
            going.set()

    thread = threading.Thread(target=compile_many)
    thread.start()
    going.wait()

    class Meanwhile(Sums):
        """Compiled beside them."""

    played(Meanwhile(3))
    thread.join()
    assert found == [2.0 * (k + 1) for k in range(8)]
