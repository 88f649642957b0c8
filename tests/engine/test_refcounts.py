"""Compiled methods borrow their arguments: nothing is freed too early, nothing is left over.

A mistake here aborts the interpreter, so the odd policy runs in a process of its own.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba import njit, typeof

from banditlab import classic
from banditlab.engine import numba_options
from banditlab.engine.loop import run
from banditlab.engine.methods import helper
from banditlab.user_code.contract import make_streams
from tests.kernels import compile_for


class Pair(NamedTuple):
    a: np.ndarray
    b: np.ndarray
    n: int


@helper
def now_and_then_new(x, t):
    """Its argument, or a fresh array."""
    y = x
    if t % 3 == 0:
        y = x + 1.0
    return y


@helper
def one_of(a, b, t):
    """One of its arguments."""
    if t % 2 == 0:
        return a
    return b


class Odd(NamedTuple):
    """Swaps its arrays, allocates in branches, returns arguments, takes views, rebinds variables in loops."""

    arms: int

    def init(self, rng):
        return Pair(np.zeros(3), np.ones(3), 0)

    def select(self, state, t, rng):
        a = state.a
        for i in range(3):
            if a[i] > state.b[i]:
                a = state.b
            elif t % 7 == 1:
                a = a * 1.0
        best = state.a
        for i in range(3):
            best = state.b if best[i] < state.b[i] else state.a
        a[0] += best[1]
        view = a[1:]
        return int(abs(view[0])) % self.arms

    def update(self, state, action, observation, t, rng):
        if t % 2 == 0:
            state = Pair(state.b, state.a, state.n + 1)
        if t % 5 == 0:
            state = Pair(now_and_then_new(state.a, t), one_of(state.a, state.b, t), t)
        old = state
        if t % 11 == 0:
            state = self.init(rng)
        return Pair(old.a, state.b, old.n)


def play():
    """Regret, compiled and interpreted, and the arrays left over by twenty compiled runs."""
    from numba.core.runtime import rtsys

    arms, policy = classic.bernoulli([0.3, 0.6, 0.9]), Odd(3)

    def given():
        return arms, policy, np.array([1000, 3000]), (), np.zeros(2, np.int64), *make_streams(1, 0)

    loop = compile_for(run, *given())
    before = rtsys.get_allocation_stats()
    runs = [loop(*given()) for _ in range(20)]
    compiled, interpreted = runs[0][0].tolist(), run(*given())[0].tolist()
    del runs
    after = rtsys.get_allocation_stats()
    left = (after.alloc - before.alloc) - (after.free - before.free)
    return compiled == interpreted, after.alloc > before.alloc, left


def test_an_odd_policy_runs_right_and_leaves_nothing():
    code = "from tests.engine.test_refcounts import play; print(*play())"
    call = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "NUMBA_NRT_STATS": "1"}
    )
    assert call.stdout.split() == ["True", "True", "0"], call.stderr[-2000:]


@pytest.mark.skipif(not numba_options.LENDS, reason="without lending numba counts")
def test_the_loop_counts_by_itself():
    """Its machine code asks nobody to count; a count that is shared would be locked."""
    given = classic.bernoulli([0.3, 0.6, 0.9]), Odd(3), np.array([9]), (), np.zeros(2, np.int64), *make_streams(1, 0)
    loop, signature = njit(**numba_options.ask_loop(False))(run), tuple(map(typeof, given))
    loop.compile(signature)
    code = loop.inspect_asm(signature)
    assert "NRT_MemInfo_call_dtor" in code, "it frees nothing: the policy is not odd enough"
    assert "NRT_incref" not in code and "NRT_decref" not in code and "lock" not in code


def test_threads_that_share_all_arguments_leave_nothing():
    """Every call counts for itself, so that plain counts are enough: the arrays of the arguments are as they were."""
    arms, policy, rounds = classic.bernoulli([0.3, 0.6, 0.9]), Odd(3), np.array([3000])
    loop = compile_for(run, arms, policy, rounds, (), np.zeros(2, np.int64), *make_streams(1, 0))

    def once(number):
        return loop(arms, policy, rounds, (), np.zeros(2, np.int64), *make_streams(number % 4, 0))[0][-1]

    before = sys.getrefcount(rounds), sys.getrefcount(arms.means)
    with ThreadPoolExecutor(8) as pool:
        regrets = list(pool.map(once, range(400)))
    assert regrets == regrets[:4] * 100
    assert (sys.getrefcount(rounds), sys.getrefcount(arms.means)) == before


ANOTHER = """
import sys, warnings
import numba
from numba.core import compiler, typed_passes
numba.__version__ = {version!r}
del typed_passes.NativeLowering  # what only one minor version is known to have
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    import banditlab as bl
    world = bl.factored.gaussian([[1.0, 0.7]] * 2, 0.5)
    result = bl.simulate(world, {{"F-UCB": bl.factored.fucb([2, 2], 0.5)}}, 500, 3)
told = [str(w.message) for w in said if "banditlab" in str(w.message)]
print(told, "banditlab.engine.numba_refcounts" in sys.modules)
print(result.regret.tobytes().hex())
"""


def test_another_numba_plays_the_same_and_warns_once(tmp_path):
    """Nothing private is imported; a stub of another version, for a numba that is not out cannot be tried."""
    place = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "BANDITLAB_KEEP": ""}
    calls = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=place)
        for code in (
            ANOTHER.format(version="0.69.0"),
            ANOTHER.format(version=numba.__version__).replace("del typed_passes.NativeLowering", ""),
        )
    ]
    other, ours = (call.stdout.splitlines() for call in calls)
    assert len(other) == 2, calls[0].stderr[-2000:]
    assert other[0] == (
        "['numba 0.69.0: banditlab was made for 0.68; it runs, but slower, and in classes of your own math.log(0.0) "
        "and the like are no errors'] False"
    )
    assert ours == ["[] True", other[1]]
