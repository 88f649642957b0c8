"""The floor: UCB1, F-UCB and RCUCB written by hand in C, on the same problems and with the same kinds of draws.

The C draws uniforms by xoshiro256** and normals by the polar method: what a careful C programmer would write without
a library, not the same variates. A sentence where no compiler is there.
"""

import ctypes
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

import banditlab as bl

from .bench import compiled, cpu, say

SOURCE = Path(__file__).with_name("floor.c")
HORIZON = 1_000_000


def library(folder):
    """The compiled C, or None."""
    program = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not program:
        return None
    built = Path(folder) / "floor.so"
    subprocess.run([program, "-O3", "-march=native", "-shared", "-fPIC", "-o", built, SOURCE, "-lm"], check=True)
    loops = ctypes.CDLL(str(built))
    for name in ("ucb1", "fucb", "rcucb"):
        getattr(loops, name).restype = ctypes.c_double
    return loops


def doubles(values):
    """A pointer to doubles, which keeps them."""
    values = np.ascontiguousarray(values, float)
    return np.ctypeslib.as_ctypes(values.ravel())


def pairs(loops):
    """Name of a pair to a call of ours and a call of the C."""
    horizon, real, whole = ctypes.c_long(HORIZON), ctypes.c_double, ctypes.c_int
    means = np.linspace(0.1, 0.9, 10)
    vectors, sigma = np.random.default_rng(0).uniform(0.7, 1.0, (4, 5)), 0.1
    shop = bl.censored.indep()
    k, m = shop.gains.shape
    arms, table, gains = doubles(means), doubles(vectors), doubles(shop.gains)
    law = doubles(shop.law.table), ctypes.c_long(shop.law.table.shape[1]), doubles(shop.law.arms)
    ends = doubles(shop.limits), doubles(shop.penalty), whole(m), real(0.1)
    return {
        "UCB1, 10 Bernoulli arms": (
            compiled(bl.classic.bernoulli(means), bl.classic.ucb1(10), HORIZON),
            lambda: loops.ucb1(arms, whole(10), horizon),
        ),
        "F-UCB, d = 4, k = 5": (
            compiled(bl.factored.gaussian(vectors, sigma), bl.factored.fucb([5] * 4, sigma), HORIZON),
            lambda: loops.fucb(table, whole(4), whole(5), real(sigma), horizon),
        ),
        f"RCUCB, {k} arms, {m} limits": (
            compiled(shop, bl.censored.rcucb(k, shop.limits, shop.penalty), HORIZON),
            lambda: loops.rcucb(*law, gains, whole(k), *ends, horizon),
        ),
    }


def floor():
    """Ours over C, in turns."""
    with tempfile.TemporaryDirectory() as folder:
        loops = library(folder)
        if loops is None:
            say("hand-written C", "not measured", "no C compiler was found (cc, gcc, clang)")
            return
        for name, (ours, theirs) in pairs(loops).items():
            ours(), theirs()
            both = [(cpu(ours, 1), cpu(theirs, 1)) for _ in range(5)]
            mine, hand = (min(column) / HORIZON * 1e9 for column in zip(*both, strict=True))
            say(f"{name}: ns per step, over hand-written C", f"{mine:.1f}", f"{mine / hand:.2f} of {hand:.1f} ns")
