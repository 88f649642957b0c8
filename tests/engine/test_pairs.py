"""The same source compiled and interpreted: the same bits, the final world and state included."""

import copy
import hashlib
import json
import multiprocessing
import os
import platform
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numba
import numpy as np
import pytest
import scipy
from threadpoolctl import threadpool_info

import banditlab as bl
from banditlab import composite
from banditlab.engine import compiling, scheduler
from banditlab.engine.loop import run
from banditlab.user_code import code_identity
from banditlab.user_code.contract import context_marker, make_streams
from tests.kernels import compile_for
from tests.pairs import PAIRS


def name(pair):
    environment, policy, _ = pair
    shape = getattr(environment, "shape", None)
    return f"{type(environment).__name__}-{type(policy).__name__}" + (f"-{type(shape).__name__}" if shape else "")


def play(pair, compiled, seed=7):
    """Regret after every round, final world and final state of one run."""
    environment, policy, horizon = pair
    checkpoints = np.arange(1, horizon + 1)
    args = environment, policy, checkpoints, context_marker(environment), np.zeros(2, np.int64), *make_streams(seed, 0)
    return (compile_for(run, *args) if compiled else run)(*args)


def same(a, b):
    """Whether two nested structures are equal bit for bit, lengths and array types included."""
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    a, b = np.asarray(a), np.asarray(b)
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def cover(pairs):
    """The first pairs in which all classes of environments, policies and what they are made of are met."""
    met = set()
    for pair in pairs:
        if not (classes := set(code_identity.classes_in(pair[:2]))) <= met:
            met |= classes
            yield pair


SOAK = bool(os.environ.get("SOAK"))
COMPILED = PAIRS if SOAK else [*cover(PAIRS)]  # every class here, all pairs under `make soak`: two seconds each


@pytest.mark.parametrize("pair", COMPILED, ids=name)
def test_compiled_equals_interpreted(pair):
    before = copy.deepcopy(pair)
    fast, slow = play(pair, compiled=True), play(pair, compiled=False)
    assert same(fast, slow)
    assert same(play(pair, compiled=True), fast), "not reproducible"
    assert same(tuple(pair), tuple(before)), "a run changed the fields of its environment or policy"
    # Tolerance: rounding of a difference of two expected rewards of order one. Realised regret may decrease.
    realised = isinstance(pair[0], composite.environments.Adversarial)
    assert realised or (np.diff(fast[0], prepend=0.0) >= -1e-12).all(), "expected regret decreased"


@pytest.mark.parametrize("pair", COMPILED, ids=name)
def test_another_seed_is_another_run(pair):
    """Else the comparison of bits above would prove little."""
    assert not same(play(pair, compiled=True, seed=7), play(pair, compiled=True, seed=8))


# Golden numbers.


def named():
    """A name for every pair that another pair, added later, does not change."""
    seen = Counter()
    for pair in PAIRS:
        seen[name(pair)] += 1
        yield f"{name(pair)}-{seen[name(pair)]}", pair


NAMED = dict(named())
GOLDEN = Path(__file__).parents[1] / "golden.json"  # written by `make golden`


def here():
    """What numbers may depend on besides the code: another logarithm may round otherwise."""
    versions = {package.__name__: package.__version__ for package in (np, numba, scipy)}
    return {"machine": platform.machine(), "libc": " ".join(platform.libc_ver()), **versions}


def blas():
    """For which processors the library of matrix products picked its code: another one adds up in another order."""
    return sorted({pool["architecture"] for pool in threadpool_info() if pool["user_api"] == "blas"})


def digest(array):
    """A hash of an array: type, shape, bits."""
    return hashlib.sha256(repr((array.dtype.str, array.shape)).encode() + array.tobytes()).hexdigest()[:16]


def golden():
    """The hash of the regret of a run of every pair, round by round. Interpreted: nothing has to be compiled."""
    return {
        "here": here(),
        "blas": blas(),
        "pairs": {label: digest(play(pair, compiled=False)[0]) for label, pair in NAMED.items()},
    }


KEPT = json.loads(GOLDEN.read_text())
ELSEWHERE = KEPT["here"] != here()
MATRICES = "Campaign-Targeting-"  # pairs whose bits depend on how the library adds up


@pytest.mark.skipif(ELSEWHERE, reason=f"the golden numbers were made with {KEPT['here']}, this is {here()}")
@pytest.mark.parametrize("label", NAMED)
def test_the_numbers_are_the_golden_ones(label):
    """A change of numbers is a commit of its own that says why: `make golden` writes the new ones."""
    if label not in KEPT["pairs"]:
        pytest.skip("a new pair: `make golden` adds its numbers")
    if label.startswith(MATRICES) and KEPT["blas"] != blas():
        pytest.skip(f"its golden numbers were made with BLAS for {KEPT['blas']}, here it is for {blas()}")
    pair = NAMED[label]
    assert digest(play(pair, compiled=any(pair is one for one in COMPILED))[0]) == KEPT["pairs"][label]


# The same bits wherever it runs: a small part here, the whole under `make soak`.

RUNS = 3
CUTS = [[3], [1, 2], [2, 1], [1, 1, 1]] if SOAK else [[3], [1, 2]]
PLAYED = [
    label
    for label, pair in NAMED.items()
    if SOAK or (any(pair is one for one in COMPILED) and not code_identity.classes_from_outside(*pair[:2]))
]  # toys compile once more


@pytest.fixture(scope="module")
def processes():
    """Two processes of their own, which import everything anew."""
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


@pytest.mark.parametrize("label", PLAYED)
def test_the_same_bits_on_any_threads_in_any_chunks_and_processes(label, monkeypatch, request):
    environment, policy, horizon = NAMED[label]
    arguments = environment, policy, horizon, RUNS, 11, min(horizon, 20)
    alone = bl.simulate(*arguments)
    for threads in (1, 2):
        for cut in CUTS:
            with monkeypatch.context() as patch:
                patch.setattr(os, "sched_getaffinity", lambda process, n=threads: set(range(n)), raising=False)
                parts = np.split(np.arange(RUNS), np.cumsum(cut)[:-1])
                patch.setattr(scheduler, "chunk_runs", lambda *_, parts=parts: parts)
                assert equal(bl.simulate(*arguments), alone), (threads, cut)
    if SOAK:
        assert equal(bl.simulate(*arguments, executor=request.getfixturevalue("processes")), alone), "processes"
        with monkeypatch.context() as patch:
            patch.setattr(compiling.config, "DISABLE_JIT", True)
            assert equal(bl.simulate(*arguments), alone), "interpreted"


def equal(a, b):
    """Whether two results hold the same bits."""
    diagnostics = all(a.diagnostics[key].tobytes() == b.diagnostics[key].tobytes() for key in b.diagnostics)
    return a.regret.tobytes() == b.regret.tobytes() and list(a.diagnostics) == list(b.diagnostics) and diagnostics


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(golden(), indent=1) + "\n")
