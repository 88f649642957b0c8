"""The kernel never runs old code, and a bad cache never costs a run."""

import importlib
import os
import pwd
import shutil
import subprocess
import sys
import textwrap
import time
import types
from pathlib import Path
from typing import NamedTuple

import numba.core.caching
import numba.core.compiler
import numpy as np
import pytest

import banditlab as bl
from banditlab import classic, io
from banditlab.classic import ucb
from banditlab.engine import compiling
from banditlab.engine import kernel_cache as store
from banditlab.engine.methods import helper
from banditlab.user_code import code_identity
from tests import toys
from tests.kernels import compile_for
from tests.papers import with_all

ROUNDS = 40
NUMBERED = toys.Numbered(ROUNDS)
ARMS = classic.bernoulli([0.0, 0.0, 1.0])


def first(policy):
    """The arm that a policy plays first: a loop that is quick to compile."""
    return policy.select(policy.init(0), 0, 0)


def played(policy):
    return compile_for(first, policy)(policy)


# Redefinitions in one process: what happens between two cells of a notebook.

POLICY = """
class Mine(NamedTuple):
    arms: int
    def init(self, rng): return {begin}
    def select(self, state, t, rng): return {select}
    def update(self, state, action, observation, t, rng): return state
"""


def cell(code, scope=None):
    """Run the code as a notebook cell, in a fresh module unless a scope is given."""
    scope = {"NamedTuple": NamedTuple, "np": np, "helper": helper, "__name__": "cell"} if scope is None else scope
    exec(textwrap.dedent(code), scope)
    return scope


def policy(select, begin="0"):
    return POLICY.format(select=select, begin=begin)


CHANGES = {  # what a first cell holds, and what a second one changes: arm 3 must become arm 7
    "class": (policy("3"), policy("7")),
    "method": (policy("3"), "Mine.select = lambda self, state, t, rng: 7"),
    "method that a method calls": (
        policy("self.inner()") + "Mine.inner = lambda self: 3",
        "Mine.inner = lambda self: 7",
    ),
    "default of a method": (
        policy("self.inner()") + "def inner(self, arm=3): return arm\nMine.inner = inner",
        "def inner(self, arm=7): return arm\nMine.inner = inner",
    ),
    "helper": ("@helper\ndef which(): return 3" + policy("which()"), "@helper\ndef which(): return 7"),
    "default of a helper": (
        "@helper\ndef which(arm=3): return arm" + policy("which()"),
        "@helper\ndef which(arm=7): return arm",
    ),
    "helper of a helper": (
        "@helper\ndef inner(): return 3\n@helper\ndef which(): return inner()" + policy("which()"),
        "@helper\ndef inner(): return 7",
    ),
    "name that stands for another known helper": (
        "@helper\ndef f(): return 3\n@helper\ndef g(): return 7\nwhich = f" + policy("which()", begin="f() + g()"),
        "which = g",
    ),
    "global number": ("ARM = 3" + policy("ARM"), "ARM = 7"),
    "global of a helper": ("ARM = 3\n@helper\ndef which(): return ARM" + policy("which()"), "ARM = 7"),
    "shape of a global array": (
        "TABLE = np.array([[0, 0], [3, 7], [0, 0]])" + policy("TABLE[1, 0]"),
        "TABLE = TABLE.reshape(2, 3)",
    ),
    "content of a global array": ("TABLE = np.array([3, 0])" + policy("TABLE[0]"), "TABLE[0] = 7"),
    "global tuple": ("TABLE = (3, 0)" + policy("TABLE[0]"), "TABLE = (7, 0)"),
    "fields of the state": (
        "class State(NamedTuple):\n  a: int\n  b: int" + policy("state.a", begin="State(3, 7)"),
        "class State(NamedTuple):\n  b: int\n  a: int",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changed_in_a_cell_is_run(change):
    before, after = CHANGES[change]
    scope = cell(before)
    assert played(scope["Mine"](10)) == 3
    cell(after, scope)
    assert played(scope["Mine"](10)) == 7


def test_namesakes_run_their_own_code():
    three, seven = cell(policy("3"))["Mine"](10), cell(policy("7"))["Mine"](10)
    result = bl.simulate(NUMBERED, [("A", three), ("B", seven), ("C", three)], ROUNDS)
    assert result.regret[:, 0, -1].tolist() == [3 * ROUNDS, 7 * ROUNDS, 3 * ROUNDS]


@pytest.mark.parametrize("select", ["library.which()", "library.ARM"])
def test_what_changed_in_a_module_is_run(select):
    """A reload leaves the module object as it was: its name alone tells nothing."""
    library = types.ModuleType("library")
    library.helper = helper
    exec("ARM = 3\n@helper\ndef which(): return ARM", library.__dict__)
    scope = cell("")
    scope["library"] = library
    cell(policy(select), scope)
    assert played(scope["Mine"](10)) == 3
    exec("ARM = 7\n@helper\ndef which(): return ARM", library.__dict__)
    assert played(scope["Mine"](10)) == 7


def test_a_reloaded_module_is_run(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    file = tmp_path / "written_by_a_user.py"
    file.write_text("from typing import NamedTuple\n" + policy("3"))
    module = importlib.import_module("written_by_a_user")
    assert played(module.Mine(10)) == 3
    file.write_text("from typing import NamedTuple\n" + policy("7 + 0"))
    importlib.reload(module)
    assert played(module.Mine(10)) == 7


@helper
def always_third(tally, width):
    return 2


def third(self, state, t, rng):
    return 2


@pytest.mark.parametrize(
    "place, name, value, regret",
    [
        (classic.UCB1, "select", third, (0, 0)),
        (classic.UCB1, "select", classic.Uniform.select, (290, 380)),
        (ucb, "most_optimistic", always_third, (0, 0)),
    ],
    ids=["method", "method of another class", "helper"],
)
def test_a_patched_package_is_run_and_spoils_nothing_on_the_disk(place, name, value, regret, monkeypatch, disk):
    """Played alike, two of three arms cost 333 in 500 rounds, with a standard deviation of 11."""

    def ucb1():
        return bl.simulate(ARMS, classic.ucb1(3), 500).regret[0, 0, -1]

    plain = ucb1()
    kept = contents(disk)
    assert kept
    assert 0 < plain < 200
    with monkeypatch.context() as patch:
        patch.setattr(place, name, value)
        assert regret[0] <= ucb1() <= regret[1]
    assert kept.items() <= contents(disk).items()
    compiling.entries.clear()
    assert ucb1() == plain


# The disk, in one process.


@pytest.fixture
def disk(tmp_path, monkeypatch):
    """An empty cache folder of this test's own; nothing compiled is remembered."""
    monkeypatch.setattr(code_identity, "HOME", tmp_path)
    monkeypatch.setattr(
        code_identity, "stamp_sources", lambda: code_identity.STAMP
    )  # an editor at work is no concern of these tests
    monkeypatch.setattr(compiling, "entries", {})
    return tmp_path


def contents(folder):
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def uniform():
    """A result that the disk is asked for first, whatever is in memory."""
    compiling.entries.clear()
    return bl.simulate(ARMS, classic.uniform(3), 300, seed=5).regret


def refuse(*args, **kwargs):
    raise OSError(28, "No space left on device")


def test_the_disk_spares_the_compiler(disk, monkeypatch):
    before = uniform()
    monkeypatch.setattr(numba.core.compiler, "compile_extra", refuse)
    assert (uniform() == before).all()


def test_every_signature_has_a_folder_of_its_own(disk):
    """numba's index is read, changed and written without a lock."""
    for policy in classic.uniform(3), classic.ucb1(3):
        bl.simulate(ARMS, policy, 10)
    assert sorted(len(list(folder.rglob("*.nbc"))) for folder in disk.iterdir()) == [1, 1]
    assert sorted(len(list(folder.rglob("*.nbi"))) for folder in disk.iterdir()) == [1, 1]


@pytest.mark.parametrize("kind, size", [("*.nbc", 30), ("*.nbi", 0)], ids=["data", "index"])
def test_a_file_cut_short_is_compiled_again(kind, size, disk):
    before = uniform()
    (file,) = disk.rglob(kind)
    file.write_bytes(file.read_bytes()[:size])
    assert (uniform() == before).all()
    assert (uniform() == before).all()


DAMAGE = [(kind, place) for place in (0.0, 0.3, 0.6, 0.9) for kind in ("*.nbc", "*.nbi")]  # data, index


@pytest.mark.parametrize("kind, place", DAMAGE if os.environ.get("SOAK") else DAMAGE[::3])
def test_a_damaged_file_is_never_loaded(kind, place, disk, monkeypatch):
    """A block of zeros in machine code would end the process."""
    before, loaded = uniform(), []
    (file,) = disk.rglob(kind)
    whole = bytearray(file.read_bytes())
    start = int(place * len(whole))
    whole[start : start + 4096] = bytes(len(whole[start : start + 4096]))
    file.write_bytes(whole)
    with monkeypatch.context() as patch:
        patch.setattr(numba.core.caching.Cache, "load_overload", lambda *a: loaded.append(a[0].cache_path))
        assert (uniform() == before).all()
    assert not any(file.parent.name in Path(path).parts for path in loaded)
    monkeypatch.setattr(numba.core.compiler, "compile_extra", refuse)
    assert (uniform() == before).all()


def test_a_foreign_file_in_a_kernels_folder_is_noticed(disk):
    uniform()
    (folder,) = disk.iterdir()
    assert store.is_sealed(folder)
    (folder / "more").write_text("")
    assert not store.is_sealed(folder)


def test_a_full_disk_costs_nothing_but_time(disk, monkeypatch):
    monkeypatch.setattr(numba.core.caching.IndexDataCacheFile, "save", refuse)
    before = uniform()
    monkeypatch.undo()
    assert (uniform() == before).all()


def test_a_folder_that_vanished_is_made_again(disk):
    before = uniform()
    shutil.rmtree(disk)
    assert (uniform() == before).all()
    assert contents(disk)


def test_without_any_folder_it_compiles(disk, monkeypatch):
    monkeypatch.setattr(code_identity, "HOME", None)
    assert uniform()[0, 0, -1] > 0
    assert not contents(disk)


def find_home():
    """Where kernels would be kept."""
    source, name = code_identity.SOURCE, f"kernels-{code_identity.ENGINE_DIGEST}"
    return io.find_cache_folder(source, code_identity.PACKAGE, name)


def test_home_is_the_package_then_the_user_then_nothing(tmp_path, monkeypatch):
    """The administrator may write everywhere: a file in place of a folder stands for one that nobody may write to."""
    package, user = tmp_path / "package", tmp_path / "user"
    package.mkdir()
    monkeypatch.setattr(code_identity, "SOURCE", package)
    monkeypatch.setenv("XDG_CACHE_HOME", str(user))
    name = f"kernels-{code_identity.ENGINE_DIGEST}"
    assert find_home() == package / "__pycache__" / name
    shutil.rmtree(package / "__pycache__")
    (package / "__pycache__").write_text("")
    assert find_home() == user / "banditlab" / name
    shutil.rmtree(user)
    user.write_text("")
    assert find_home() is None


def test_versions_that_nobody_used_for_a_month_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(code_identity, "SOURCE", tmp_path / "none")
    (tmp_path / "none").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    base = tmp_path / "banditlab"
    mine = f"kernels-{code_identity.ENGINE_DIGEST}"
    ages = {"kernels-old": 31, "kernels-young": 29, mine: 40}
    for name in ages:
        (base / name).mkdir(parents=True)
    for name, days in ages.items():
        os.utime(base / name, (time.time() - days * 86400,) * 2)
    assert find_home() == base / mine
    left = {str(path.relative_to(base)) for path in base.rglob("*")}
    assert left == {"kernels-young", mine}


def test_kernels_that_nobody_loaded_for_a_month_are_removed_when_another_is_compiled(disk):
    """A policy that is edited every day leaves a kernel each time."""
    uniform()
    (loaded,) = disk.iterdir()
    for name, days in {"old": 31, "young": 29, loaded.name: 31}.items():
        (disk / name).mkdir(exist_ok=True)
        os.utime(disk / name, (time.time() - days * 86400,) * 2)
    uniform()
    bl.simulate(ARMS, classic.ucb1(3), 10)
    assert {"young", loaded.name} < {path.name for path in disk.iterdir()} and not (disk / "old").exists()
    assert len([*disk.iterdir()]) == 3


def test_sources_are_not_looked_for_among_the_kernels(tmp_path):
    """Another process makes and removes folders there while this one starts."""
    for file in "a.py", "inner/b.py", "inner/b.txt", "__pycache__/kernels-1/.draft-2/c.py", "inner/__pycache__/d.py":
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    assert sorted(code_identity.list_sources(tmp_path)) == [str(tmp_path / "a.py"), str(tmp_path / "inner" / "b.py")]


def test_a_user_without_a_home_is_no_obstacle(tmp_path, monkeypatch):
    """As in a container that runs under a number nobody knows."""
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", {}.__getitem__)
    monkeypatch.setattr(code_identity, "SOURCE", tmp_path)
    assert find_home() == tmp_path / "__pycache__" / f"kernels-{code_identity.ENGINE_DIGEST}"


@pytest.mark.parametrize(
    "environment, policy",
    [
        (ARMS, toys.Fixed(0, 0)),
        (NUMBERED, classic.uniform(3)),
        (toys.Delayed(np.array([0.7, 0.5]), toys.Fading(0.9)), classic.uniform(2)),
    ],
    ids=["policy", "environment", "nested"],
)
def test_classes_of_a_module_reach_the_disk(environment, policy, disk, monkeypatch):
    before = bl.simulate(environment, policy, ROUNDS).regret
    assert contents(disk)
    compiling.entries.clear()
    monkeypatch.setattr(numba.core.compiler, "compile_extra", refuse)
    assert (bl.simulate(environment, policy, ROUNDS).regret == before).all()


def test_classes_of_a_notebook_never_reach_the_disk(disk):
    """Nor does a class of the package with a method from there."""
    bl.simulate(NUMBERED, cell(policy("3"))["Mine"](10), ROUNDS)
    scope = cell("", {"NamedTuple": NamedTuple, "__name__": "__main__"})
    bl.simulate(NUMBERED, cell(policy("3"), scope)["Mine"](10), ROUNDS)
    assert not contents(disk)


OWN = "from typing import NamedTuple\n" + POLICY


@with_all
def test_a_module_of_ones_own_is_compiled_once_and_follows_its_source(engine):
    code = """
        import own
        regret = simulate(classic.bernoulli([0.0, 0.25, 0.75, 1.0]), own.Mine(4), 200).regret[0, 0, -1]
        print(regret, len(compiled) > 0)
    """
    found = []
    for arm in "0", "0", "1", "0":
        (engine.parent / "own.py").write_text(OWN.format(select=arm, begin="0"))
        shutil.rmtree(engine.parent / "__pycache__", ignore_errors=True)
        found.append(output(start(engine, code)))
    assert found == [["200.0", "True"], ["200.0", "False"], ["150.0", "True"], ["200.0", "False"]]


# The package's own source changes: each test has a copy of the engine and processes of its own.


@pytest.fixture
def engine(tmp_path):
    """A copy of the engine, with an empty cache."""
    folder = tmp_path / "banditlab"
    shutil.copytree(code_identity.SOURCE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


SCRIPT = """
import sys
from pathlib import Path
import numba.core.compiler as compiler
from banditlab import classic
from banditlab.engine.simulate import simulate
from banditlab.user_code import code_identity

compiled, original = [], compiler.compile_extra
def compile_extra(*args, **kwargs):
    compiled.append(args)
    return original(*args, **kwargs)
compiler.compile_extra = compile_extra

def arm(name="uniform"):
    "The arm that is played from first to last, -1 where it is not always the same."
    regret = simulate(classic.bernoulli([0.0, 0.25, 0.75, 1.0]), getattr(classic, name)(4), 200).regret[0, 0, -1] / 200
    return {1.0: 0, 0.75: 1, 0.25: 2, 0.0: 3}.get(regret, -1)
"""


def start(engine, code, *arguments, **variables):
    """A process that runs the code with this copy of the engine."""
    command = [sys.executable, "-c", SCRIPT + textwrap.dedent(code), *map(str, arguments)]
    return subprocess.Popen(
        command,
        cwd=engine.parent,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(engine) | variables,
    )


def environment(engine):
    """No settings but a search path: no other cache, no interpreter mode, no kept results."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "BANDITLAB_", "PYTHON"))}
    return {**kept, "PYTHONPATH": str(engine.parent), "XDG_CACHE_HOME": str(engine.parent / "cache")}


def output(process, seconds=600):
    """What the process printed, as words."""
    try:
        out, err = process.communicate(timeout=seconds)
    finally:
        process.kill()
    assert process.returncode == 0, err
    return out.split()


def edit(file, before, after):
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after))


DRAW = "return int(self.arms * rng.random())"


@with_all
def test_an_edit_in_another_file_and_a_renamed_class_are_seen_by_the_next_process(engine):
    file, code = engine / "classic" / "greedy.py", "print(arm(), len(compiled) > 0)"
    edit(file, DRAW, "return 2")
    assert output(start(engine, code)) == ["2", "True"]
    edit(file, "return 2", "return 1")
    assert output(start(engine, code)) == ["1", "True"]
    edit(file, "Uniform", "Evenly")
    assert output(start(engine, code)) == ["1", "True"]


def test_a_reload_after_an_edit_runs_the_new_code_and_never_fails(engine):
    edit(engine / "classic" / "greedy.py", DRAW, "return 2")
    code = """
        import importlib
        from banditlab.classic import greedy
        file = Path(greedy.__file__)
        print(arm())
        file.write_text(file.read_text().replace("return 2", "return 1  # edited"))
        importlib.reload(greedy)
        importlib.reload(classic)
        before = set(code_identity.HOME.rglob("*"))
        print(arm(), set(code_identity.HOME.rglob("*")) == before)
        file.unlink()  # as after a change of branch while a notebook is open
        print(arm("ucb1"))
    """
    assert output(start(engine, code)) == ["2", "1", "True", "-1"]


@with_all
def test_autoreload_runs_the_new_code_also_in_a_class_of_the_notebook(engine):
    """The notebook's class calls a helper of the package through its module."""
    edit(engine / "building_blocks" / "indices.py", "best, top = 0, -np.inf", "best, top = 2, np.inf")
    code = """
        from IPython.core.interactiveshell import InteractiveShell
        from banditlab.building_blocks import indices
        shell = InteractiveShell.instance()
        def cell(code):
            shell.run_cell(code).raise_error()
        cell('''
        %load_ext autoreload
        %autoreload 2
        from typing import NamedTuple
        from banditlab import classic
        from banditlab.building_blocks import indices as helpers
        from banditlab.engine.simulate import simulate
        class Mine(NamedTuple):
            arms: int
            def init(self, rng): return helpers.new_tally(self.arms)
            def select(self, state, t, rng): return helpers.most_optimistic(state, 1.0)
            def update(self, state, action, observation, t, rng): return state
        arms = classic.bernoulli([0.0, 0.5, 1.0])
        ''')
        show = "print(*(simulate(arms, p, 10).regret[0, 0, -1] for p in (Mine(3), classic.ucb1(3))))"
        cell(show)
        file = Path(indices.__file__)
        file.write_text(file.read_text().replace("best, top = 2, np.inf", "best, top = 1, np.inf  # edited"))
        cell(show)
    """
    assert output(start(engine, textwrap.dedent(code))) == ["0.0", "0.0", "5.0", "5.0"]


@with_all
def test_two_processes_that_compile_at_once_end_right_and_a_third_finds_their_kernels(engine):
    names = "uniform", "ucb1"
    code = "print(*map(arm, sys.argv[1:]), len(compiled) > 0)"
    first, second = start(engine, code, *names), start(engine, code, *reversed(names))
    assert output(first) == ["-1", "-1", "True"]
    assert output(second) == ["-1", "-1", "True"]
    assert output(start(engine, code, *names)) == ["-1", "-1", "False"]


def test_a_checkout_copied_with_its_kernels_compiles_nothing(engine, tmp_path):
    code = "print(arm(), arm('ucb1'), len(compiled) > 0)"
    assert output(start(engine, code)) == ["-1", "-1", "True"]
    copied = shutil.copytree(engine, tmp_path / "elsewhere" / "banditlab", copy_function=shutil.copy)  # later files
    shutil.rmtree(engine)
    assert output(start(copied, code)) == ["-1", "-1", "False"]


@with_all
def test_a_processor_that_can_less_has_kernels_of_its_own(engine, monkeypatch):
    code = "print(arm(), len(compiled) > 0)"
    found = []
    for name in "", "generic", "":
        found.append(output(start(engine, code, NUMBA_CPU_NAME=name)))
    assert found == [["-1", "True"], ["-1", "True"], ["-1", "False"]]


def test_a_fork_while_a_thread_compiles_does_not_hang(engine):
    code = """
        import multiprocessing, threading
        busy, compile_extra = threading.Event(), compiler.compile_extra
        def announced(*args, **kwargs):
            busy.set()
            return compile_extra(*args, **kwargs)
        compiler.compile_extra = announced
        thread = threading.Thread(target=arm, args=("ucb1",))
        thread.start()
        busy.wait()
        child = multiprocessing.get_context("fork").Process(target=arm)
        child.start()
        child.join(600)
        print(child.exitcode)
        if child.exitcode is None:
            child.kill()
        thread.join()
    """
    assert output(start(engine, code)) == ["0"]


def test_modules_that_name_each_other_have_a_key():
    """A field named like a function of its module leads to whatever that function can see."""
    first, second = types.ModuleType("first"), types.ModuleType("second")
    first.second, second.first = second, first
    exec("def walk():\n    return second.first.second", vars(first))
    first.walk.__module__ = "first"
    assert code_identity.is_lasting(code_identity.code_key(first.walk))


# What pairs share.


def test_a_world_is_compiled_once_for_all_its_policies(monkeypatch):
    """A method's key holds its own code and that of its arguments, not the whole pair's."""
    seen, compile_extra = [], numba.core.compiler.compile_extra

    def counted(typing, target, function, *rest, **options):
        seen.append(function.__qualname__)
        return compile_extra(typing, target, function, *rest, **options)

    monkeypatch.setattr(code_identity, "HOME", None)
    monkeypatch.setattr(compiling, "entries", {})
    monkeypatch.setattr(numba.core.compiler, "compile_extra", counted)
    world = cell(WORLD)["World"](np.zeros(4))
    for policy in classic.uniform(4), classic.ucb1(4):
        bl.simulate(world, policy, 10)
    assert seen.count("World.step") == seen.count("World.regret") == 1
    assert seen.count("run") == 2


WORLD = """
class Seen(NamedTuple):
    value: float
    def shown(self): return self.value + 3.0
class World(NamedTuple):
    gaps: np.ndarray
    def reset(self, rng): return 0
    def step(self, world, action, t, rng): return 1.0
    def regret(self, world, action, t): return self.gaps[action]
class Looking(NamedTuple):
    arms: int
    def init(self, rng): return 0
    def select(self, state, t, rng): return state
    def update(self, state, action, observation, t, rng): return int(observation.shown())
"""


def test_a_method_of_an_observation_that_changed_is_run():
    """It stands in no field and no global of the policy that calls it."""
    scope = cell(WORLD)
    scope["World"].step = cell("def step(self, world, action, t, rng): return Seen(0.0)", scope)["step"]

    def last():
        world, looking = scope["World"](np.arange(10.0)), scope["Looking"](10)
        return bl.simulate(world, looking, 5).regret[0, 0, -1] / 4

    assert last() == 3.0
    cell("Seen.shown = lambda self: self.value + 7.0", scope)
    assert last() == 7.0


LOUD = """
class Loud(NamedTuple):
    arms: int
    last: int
    def init(self, rng): return 0
    def select(self, state, t, rng):
        if t > self.last:
            raise ValueError("too late", t)
        if t == self.last:
            print("round", t)
        return 0
    def update(self, state, action, observation, t, rng): return state
"""


def test_a_method_may_print_and_raise_what_it_only_knows_in_a_run(engine):
    """Compiled, and loaded from the disk: the message's constants must be found in both."""
    (engine / "loud.py").write_text("from typing import NamedTuple\n" + LOUD)
    code = """
        from banditlab import loud
        simulate(classic.bernoulli([0.5, 0.5]), loud.Loud(2, 7), 8)
        try:
            simulate(classic.bernoulli([0.5, 0.5]), loud.Loud(2, 7), 9)
        except ValueError as error:
            print("too late" in str(error), "8" in str(error), len(compiled) > 0)
    """
    assert output(start(engine, code)) == ["round", "7", "round", "7", "True", "True", "True"]
    assert output(start(engine, code)) == ["round", "7", "round", "7", "True", "True", "False"]
