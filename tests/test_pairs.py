"""The same source compiled and interpreted: the same bits, the final world and state included."""

import copy

import numpy as np
import pytest

from banditlab import composite, kernel
from banditlab.simulation import contextual, run, streams
from tests.pairs import PAIRS


def name(pair):
    environment, policy, _ = pair
    shape = getattr(environment, "shape", None)
    return f"{type(environment).__name__}-{type(policy).__name__}" + (f"-{type(shape).__name__}" if shape else "")


def play(pair, compiled, seed=7):
    """Regret after every round, final world and final state of one run."""
    environment, policy, horizon = pair
    checkpoints = np.arange(1, horizon + 1)
    args = environment, policy, checkpoints, contextual(environment), np.zeros(2, np.int64), *streams(seed, 0)
    return (kernel.compile_for(run, *args) if compiled else run)(*args)


def same(a, b):
    """Whether two nested structures are equal bit for bit, lengths and array types included."""
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    a, b = np.asarray(a), np.asarray(b)
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


@pytest.mark.parametrize("pair", PAIRS, ids=name)
def test_compiled_equals_interpreted(pair):
    before = copy.deepcopy(pair)
    fast, slow = play(pair, compiled=True), play(pair, compiled=False)
    assert same(fast, slow)
    assert same(play(pair, compiled=True), fast), "not reproducible"
    assert same(tuple(pair), tuple(before)), "a run changed the fields of its environment or policy"
    # Tolerance: rounding of a difference of two expected rewards of order one. Realised regret may decrease.
    realised = isinstance(pair[0], composite.environments.Adversarial)
    assert realised or (np.diff(fast[0], prepend=0.0) >= -1e-12).all(), "expected regret decreased"


@pytest.mark.parametrize("pair", PAIRS, ids=name)
def test_another_seed_is_another_run(pair):
    """Else the comparison of bits above would prove little."""
    assert not same(play(pair, compiled=True, seed=7), play(pair, compiled=True, seed=8))
