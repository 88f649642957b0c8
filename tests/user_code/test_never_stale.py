"""Whatever changes in the code that a kernel runs, its key is another one: no kernel and no kept result is stale."""

import builtins
import dataclasses
import enum
import functools
import importlib
import json
import math
import os
import shutil
import subprocess
import sys
import textwrap
import types
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba import njit

import banditlab as bl
from banditlab.engine.methods import helper
from banditlab.user_code import code_identity
from tests.changes import FURTHER, HERE, mine
from tests.papers import with_all
from tests.reports import ROOT


def lines(text):
    return textwrap.dedent(text).lstrip("\n")


STATE = "class State(NamedTuple):\n    a: int\n    b: int\n    def arm(self): return {}\n"
KIND = "class Kind(enum.{}):\n    A = {}\n    B = 8\n"
WRAP = "def wrap(f):\n    @functools.wraps(f)\n    def g(x): return f(x) + {}\n    return g\n"

CHANGES = {  # what a first cell holds, and what a second one changes
    "a method's constant": (mine("3"), mine("7")),
    "the sign of a constant": (mine("0.0"), mine("-0.0")),
    "the type of a constant": (mine("1"), mine("1.0")),
    "a whole number for a truth": (mine("1"), mine("True")),
    "a method's operator": (mine("t + 1"), mine("t - 1")),
    "a method's comparison": (mine("t < 1"), mine("t <= 1")),
    "a field that a method reads": (mine("self.arms"), mine("self.arms + t")),
    "the names of two local variables": (mine("(lambda a, b: a)(1, 2)"), mine("(lambda a, b: b)(1, 2)")),
    "the range of a loop": (mine("sum(i for i in range(3))"), mine("sum(i for i in range(4))")),
    "a tuple in a method": (mine("(1, 2)[t]"), mine("(1, 3)[t]")),
    "a set in a method": (mine("t in {1, 2}"), mine("t in {1, 3}")),
    "a slice in a method": (mine("state[1:3]"), mine("state[1:2]")),
    "a text in a method": (mine("'a'"), mine("'b'")),
    "bytes in a method": (mine("b'a'"), mine("b'b'")),
    "init": (mine(init="0"), mine(init="1")),
    "update": (mine(update="state"), mine(update="state + 1")),
    "a method replaced": (mine(), "Mine.select = lambda self, state, t, rng: 7"),
    "a method added": (mine(), "Mine.tally = lambda self, world, state: {}"),
    "a method removed": (mine(), "del Mine.update"),
    "a method of a base class": (
        mine() + "class Base(Mine):\n    __slots__ = ()\nMine = Base",
        "Mine.__mro__[1].select = lambda self, state, t, rng: 7",
    ),
    "a static method": (mine() + "Mine.inner = staticmethod(lambda: 3)", "Mine.inner = staticmethod(lambda: 7)"),
    "the order of the fields": (
        "class State(NamedTuple):\n    a: int\n    b: int" + mine(init="State(3, 7)"),
        "class State(NamedTuple):\n    b: int\n    a: int",
    ),
    "a default of a method": (
        mine("self.inner()") + "def inner(self, arm=3): return arm\nMine.inner = inner",
        "def inner(self, arm=7): return arm\nMine.inner = inner",
    ),
    "a default by name only": (
        mine("self.inner()") + "def inner(self, *, arm=3): return arm\nMine.inner = inner",
        "def inner(self, *, arm=7): return arm\nMine.inner = inner",
    ),
    "a variable of an enclosing function": (
        mine("0") + "def make(n):\n    return lambda self, state, t, rng: n\nMine.select = make(3)",
        "Mine.select = make(7)",
    ),
    "what is caught": (
        mine("self.inner()") + "def inner(self):\n    try: return 1 // 0\n    except ValueError: return 0\n"
        "Mine.inner = inner",
        "def inner(self):\n    try: return 1 // 0\n    except Exception: return 0\nMine.inner = inner",
    ),
    "a helper": ("@helper\ndef f(): return 3" + mine("f()"), "@helper\ndef f(): return 7"),
    "a helper's default": ("@helper\ndef f(n=3): return n" + mine("f()"), "@helper\ndef f(n=7): return n"),
    "a helper of a helper": (
        "@helper\ndef f(): return 3\n@helper\ndef g(): return f()" + mine("g()"), "@helper\ndef f(): return 7",
    ),
    "helpers that call each other": (
        "def f(n): return g(n - 1) if n else 3\ndef g(n): return f(n)" + mine("f(2)"),
        "def g(n): return f(n) + 1",
    ),
    "a name that stands for another helper": (
        "def f(): return 3\ndef g(): return 7\nwhich = f" + mine("which()", init="f() + g()"), "which = g",
    ),
    "a compiled function": ("@njit\ndef f(): return 3" + mine("f()"), "@njit\ndef f(): return 7"),
    "a compiled function called by another": (
        "@njit\ndef f(): return 3\n@njit\ndef g(): return f()" + mine("g()"), "@njit\ndef f(): return 7",
    ),
    "a decorator's code": (
        WRAP.format(1) + "@wrap\ndef f(x): return x" + mine("f(t)"), WRAP.format(2) + "@wrap\ndef f(x): return x",
    ),
    "a partial's argument": (
        "def f(n, x): return n\ng = functools.partial(f, 3)" + mine("g(t)"), "g = functools.partial(f, 7)",
    ),
    "a partial's function": (
        "def f(n, x): return n\ng = functools.partial(f, 3)" + mine("g(t)"),
        "def f(n, x): return n + 1\ng = functools.partial(f, 3)",
    ),
    "a cached function": (
        "@functools.cache\ndef f(): return 3" + mine("f()"), "@functools.cache\ndef f(): return 7",
    ),
    "a function of a library": ("f = math.sqrt" + mine("f(t)"), "f = math.exp"),
    "a function of numpy": ("f = np.sqrt" + mine("f(t)"), "f = np.exp"),
    "a type of numpy": ("f = np.int32" + mine("f(t)"), "f = np.int64"),
    "a global number": ("N = 3" + mine("N"), "N = 7"),
    "a global number's type": ("N = 3" + mine("N"), "N = 3.0"),
    "a global number of numpy": ("N = np.float32(3)" + mine("N"), "N = np.float64(3)"),
    "a global not-a-number": ("N = 0.0" + mine("N"), "N = math.nan"),
    "a global that hides a builtin": (mine("max(1, 2)"), "def max(a, b): return a"),
    "a global that was not there": (mine("N"), "N = 3"),
    "a global of a helper": ("N = 3\n@helper\ndef f(): return N" + mine("f()"), "N = 7"),
    "a global text": ("N = 'a'" + mine("len(N)"), "N = 'ab'"),
    "a global tuple": ("N = (3, 0)" + mine("N[0]"), "N = (7, 0)"),
    "a global list": ("N = [3, 0]" + mine("N[0]"), "N[0] = 7"),
    "a global dict": ("N = {'a': 3}" + mine("N['a']"), "N['a'] = 7"),
    "a global set": ("N = {3}" + mine("3 in N"), "N.add(7)"),
    "a global range": ("N = range(3)" + mine("len(N)"), "N = range(7)"),
    "a global slice": ("N = slice(3)" + mine("state[N]"), "N = slice(7)"),
    "a global type of records": ("N = np.dtype([('a', 'i4')])" + mine("N"), "N = np.dtype([('b', 'i4')])"),
    "the content of a global array": ("N = np.array([3, 0])" + mine("N[0]"), "N[0] = 7"),
    "the shape of a global array": ("N = np.zeros((2, 3))" + mine("N[0]"), "N = N.reshape(3, 2)"),
    "the type of a global array": ("N = np.zeros(2)" + mine("N[0]"), "N = np.zeros(2, np.int64)"),
    "the layout of a global array": ("N = np.zeros((2, 2))" + mine("N[0]"), "N = np.asfortranarray(N)"),
    "a global array in a tuple": ("N = (np.array([3, 0]),)" + mine("N[0][0]"), "N[0][0] = 7"),
    "a field of a global instance": (
        STATE.format("self.a") + "N = State(3, 7)" + mine("N.a"), "N = State(4, 7)",
    ),
    "a method of a global instance": (
        STATE.format("self.a") + "N = State(3, 7)" + mine("N.arm()"), STATE.format("self.b") + "N = State(3, 7)",
    ),
    "a method of the state": (
        STATE.format("self.a") + mine("state.arm()", init="State(3, 7)"), STATE.format("self.b"),
    ),
    "a method of a class within a global instance": (
        STATE.format("self.a") + "class Outer(NamedTuple):\n    inner: State\nN = Outer(State(3, 7))"
        + mine("N.inner.arm()"),
        "State.arm = lambda self: self.b",
    ),
    "a member of an enumeration": (KIND.format("IntEnum", 3) + mine("Kind.A"), KIND.format("IntEnum", 7)),
    "a member of a plain enumeration": (KIND.format("Enum", 3) + mine("Kind.A.value"), KIND.format("Enum", 7)),
    "a global member": (KIND.format("IntEnum", 3) + "N = Kind.A" + mine("N"), KIND.format("IntEnum", 7) + "N = Kind.A"),
    "a number of a module": ("library.N = 3" + mine("library.N"), "library.N = 7"),
    "a function of a module": (
        "exec('def f(): return 3', vars(library))" + mine("library.f()"), "exec('def f(): return 7', vars(library))",
    ),
    "a number of a module's module": (
        "library.inner = types.ModuleType('inner')\nlibrary.inner.N = 3" + mine("library.inner.N"),
        "library.inner.N = 7",
    ),
    **{
        f"an option of a compiled function, {option}": (
            "def f(): return 3\nf = njit(f)" + mine("f()"), f"def f(): return 3\nf = njit({option})(f)",
        )
        for option in ("error_model='numpy'", "fastmath=True", "boundscheck=True", "locals={'x': types_of.int32}")
    },
    "a local variable's type": (
        "def f(): return 3\nf = njit(locals={'x': types_of.int32})(f)" + mine("f()"),
        "def f(): return 3\nf = njit(locals={'x': types_of.int64})(f)",
    ),
    "a number that hides its value": (
        "class Shy(float):\n    def __repr__(self): return '?'\nN = Shy(3)" + mine("N"), "N = Shy(7)",
    ),
    "a whole number that hides its value": (
        "class Shy(int):\n    def __repr__(self): return '?'\nN = Shy(3)" + mine("N"), "N = Shy(7)",
    ),
    "a function put on numpy": (
        "def f(): return 3\nnp.mine = f" + mine("np.mine()"), "def f(): return 7\nnp.mine = f",
    ),
    "a module in place of another": (
        "library.N, other.N = 3, 7\nlib = library" + mine("lib.N"), "lib = other",
    ),
}  # fmt: skip

ALL = CHANGES | FURTHER
GIVEN = dict(
    builtins=builtins,
    dataclasses=dataclasses,
    json=json,
    os=os,
    Path=Path,
    NamedTuple=NamedTuple,
    np=np,
    math=math,
    helper=helper,
    njit=njit,
    enum=enum,
    functools=functools,
    types_of=numba.types,
)


def cell(code, scope=None):
    """Run the code as a notebook cell, in a fresh scope unless one is given."""
    if scope is None:
        scope = {**GIVEN, "types": types, "__name__": "cell"}
        scope |= {name: types.ModuleType(name) for name in ("library", "other")}
    exec(code, scope)
    return scope


def key(scope, outside_only=False):
    return code_identity.code_key(scope["Mine"], outside_only=outside_only)


PATCHED = [(math, "tau"), (math, "log"), (np, "pi"), (np, "sqrt"), (np.linalg, "det"), (builtins, "max")]


@pytest.fixture(autouse=True)
def as_it_was(monkeypatch, tmp_path):
    """What cells patch is put back, and what they write goes away."""
    monkeypatch.setattr(np, "mine", None, raising=False)
    for place, name in PATCHED:
        monkeypatch.setattr(place, name, getattr(place, name))
    monkeypatch.setenv("MINE", "")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("outside_only", [False, True], ids=["all code", "outside only"])
@pytest.mark.parametrize("change", [*ALL, *HERE])
def test_a_change_has_another_key(change, outside_only):
    before, after = {**ALL, **HERE}[change]
    scope = cell(before)
    first = key(scope, outside_only)
    assert key(scope, outside_only) == first
    cell(after, scope)
    assert key(scope, outside_only) != first


@pytest.mark.parametrize("change", ALL)
def test_the_same_code_has_the_same_key(change):
    """Else nothing would ever be found again."""
    first, again = (key(cell(ALL[change][0])) for _ in range(2))
    assert first == again
    assert code_identity.is_lasting(first)


def test_there_are_enough_kinds():
    assert len(CHANGES) >= 60 and len(FURTHER | HERE) >= 60 and not {*CHANGES} & {*FURTHER}


FILES = {  # a module on the disk: what is edited in which file
    "the class's own file": ("own", "self.arms - 1", "self.arms - 2"),
    "a file that it imports from": ("near", "N = 3", "N = 7"),
    "a file that such a file imports": ("far", "return 3", "return 7"),
}


@pytest.mark.parametrize("change", FILES)
def test_an_edited_file_has_another_key(change, tmp_path, monkeypatch):
    texts = {
        "far": "def f(): return 3\n",
        "near": "from far import f\nN = 3\ndef g(): return f() + N\n",
        "own": "from typing import NamedTuple\nfrom near import g\n" + mine("g() + self.arms - 1"),
    }

    def read():
        for name, text in texts.items():
            (tmp_path / f"{name}.py").write_text(text)
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        found = key(vars(importlib.import_module("own")))
        for name in texts:
            sys.modules.pop(name, None)
        return found

    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    first = read()
    assert read() == first
    name, old, new = FILES[change]
    assert old in texts[name]
    texts[name] = texts[name].replace(old, new)
    assert read() != first


# What is on the disk when a process begins.


def run_in_process(code, place, kept, folder, **variables):
    """What a process prints that runs this code in `place`, finds the package in `folder` and keeps its results."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "BANDITLAB_KEEP": str(kept), **variables}
    call = subprocess.run([sys.executable, "-c", code], cwd=place, env=environment, capture_output=True, text=True)
    assert call.returncode == 0, call.stderr
    return call.stdout.split()


UPGRADES = {  # what a process finds in place of what is installed
    "nothing": "",
    "numpy": "numpy.__version__ = '2.4.99'",
    "numba": "numba.__version__ = '0.68.99'",
    "llvmlite": "llvmlite.__version__ = '0.99.0'",
    "scipy": "scipy.__version__ = '1.17.99'",
    "Python": "sys.version = sys.version.replace(' ', '+ ', 1)",
}
UPGRADED = """
import sys
import llvmlite, numba, numpy, pandas, scipy
{}
import banditlab as bl
from banditlab.user_code import code_identity
bl.simulate(bl.classic.bernoulli([0.25, 0.75]), bl.classic.ucb1(2), 20, seed=1)
print(code_identity.HOME)
"""


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A copy of the package, what it kept of a simulation, and where its kernels lie."""
    folder = tmp_path_factory.mktemp("package")
    shutil.copytree(ROOT / "banditlab", folder / "banditlab", ignore=shutil.ignore_patterns("__pycache__"))
    (kernels,) = run_in_process(UPGRADED.format(""), folder, folder / "kept", folder, NUMBA_DISABLE_JIT="1")
    return folder, kernels


@pytest.mark.parametrize("library", UPGRADES)
def test_an_upgraded_library_finds_neither_kernels_nor_results(library, first, tmp_path):
    folder, kernels = first
    shutil.copytree(folder / "kept", tmp_path / "kept")
    code = UPGRADED.format(UPGRADES[library])
    (now,) = run_in_process(code, tmp_path, tmp_path / "kept", folder, NUMBA_DISABLE_JIT="1")
    assert (now == kernels) is (library == "nothing")
    assert len([*(tmp_path / "kept").iterdir()]) == 1 + (library != "nothing")


def test_all_that_plays_is_in_the_key():
    """The streams, the first action, the draws of instances: an old result may not outlive a change of any of them."""
    rooms = [code_identity.SOURCE / room for room in ("engine", "user_code")]
    there = {path for room in rooms for path in room.iterdir() if path.suffix in (".py", ".ll")}
    assert {*code_identity.ENGINE} == there


BESIDE = """
import banditlab as bl, paper
print(bl.simulate(bl.classic.bernoulli([0.25, 0.75]), paper.Mine(2), 100, checkpoints=1).regret[0, 0, 0])
"""


@with_all
def test_two_notebooks_with_modules_and_classes_of_one_name(tmp_path):
    """Each in a process of its own; they share the kernels on the disk and the kept results."""
    for arm in "01":
        (tmp_path / arm).mkdir()
        (tmp_path / arm / "paper.py").write_text("from typing import NamedTuple\n" + mine(arm))
    regrets = [run_in_process(BESIDE, tmp_path / arm, tmp_path / "kept", ROOT) for arm in "0101"]
    assert regrets == [["50.0"], ["0.0"]] * 2
    assert len([*(tmp_path / "kept").iterdir()]) == 2  # each was found again


def test_two_notebooks_in_one_kernel_with_a_class_of_one_name(tmp_path, monkeypatch):
    """As `%run` plays them; the class of either is alive while the other's plays."""
    monkeypatch.setenv("BANDITLAB_KEEP", str(tmp_path / "kept"))
    arms = bl.classic.bernoulli([0.25, 0.75])
    notebooks = [cell(mine(arm), {**GIVEN, "__name__": "__main__"})["Mine"](2) for arm in "01"]
    regrets = [bl.simulate(arms, notebooks[i], 100, checkpoints=1).regret[0, 0, 0] for i in (0, 1, 0, 1)]
    assert regrets == [50.0, 0.0, 50.0, 0.0]
    assert not (tmp_path / "kept").exists()  # no other process could tell which of them it is
