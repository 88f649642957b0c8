"""One kernel, four ways: docs/kernel.md's own C gives the bits of `simulate` and of the interpreted loop."""

import ctypes
import re
import shutil
import subprocess

import numpy as np
import pytest

from banditlab import classic, simulate
from banditlab.engine.loop import run
from banditlab.user_code.contract import context_marker, make_streams
from tests.reports import ROOT

ROUNDS, RUNS = 2000, 3
COMPILER = shutil.which("cc") or shutil.which("gcc")
NUMBERS = np.ctypeslib.ndpointer(np.float64)


@pytest.fixture(scope="module")
def by_hand(tmp_path_factory):
    """The page's loop in C, compiled."""
    (source,) = re.findall(r"^```c\n(.*?)^```$", (ROOT / "docs" / "kernel.md").read_text(encoding="utf-8"), re.M | re.S)
    folder = tmp_path_factory.mktemp("c")
    (folder / "ucb1.c").write_text(source, encoding="utf-8")
    options = ["-O3", "-ffp-contract=off", "-shared", "-fPIC", "-Wall", "-Werror", "-o", "ucb1.so", "ucb1.c", "-lm"]
    subprocess.run([COMPILER, *options], cwd=folder, check=True)
    play = ctypes.CDLL(str(folder / "ucb1.so")).play
    stream = np.ctypeslib.ndpointer(np.uint64)
    play.argtypes = [stream, ctypes.c_long, NUMBERS, NUMBERS, ctypes.c_double, ctypes.c_long, NUMBERS]
    play.restype = None
    return play


def words_of(generator):
    """State and increment of a stream, the lower word of each first."""
    state, low = generator.bit_generator.state["state"], 2**64 - 1
    whole = state["state"], state["inc"]
    return np.array([word for one in whole for word in (one & low, one >> 64)], np.uint64)


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler here")
@pytest.mark.parametrize("seed", range(3))
def test_interpreted_numba_and_c_give_the_same_bits(by_hand, seed):
    world = classic.bernoulli(np.random.default_rng(seed).uniform(0, 1, 2 + 9 * seed))
    policy = classic.ucb1(len(world.means), 2.0 - seed / 2)
    checkpoints = np.arange(1, ROUNDS + 1)
    compiled = simulate(world, {"UCB1": policy}, ROUNDS, RUNS, seed, checkpoints=checkpoints).of_policy("UCB1")
    for number in range(RUNS):
        streams = make_streams(seed, number)
        found = np.zeros(ROUNDS)
        by_hand(words_of(streams[0]), len(world.means), world.means, world.gaps, policy.alpha, ROUNDS, found)
        flags = np.zeros(2, np.int64)
        interpreted, *_ = run(world, policy, checkpoints, context_marker(world), flags, *streams)
        assert compiled[number].tobytes() == found.tobytes() == interpreted.tobytes()
