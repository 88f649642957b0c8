"""Kernels that are compiled ahead: which are listed, that none is missing then, and that nothing stays behind."""

import importlib
import json
import os
import queue
import signal
import subprocess
import sys
import time
from typing import NamedTuple

import composite
import numba
import numpy as np
import pytest

import banditlab as bl
from banditlab import classic
from banditlab.engine import compiling, player
from banditlab.explorer import precompile
from banditlab.user_code import code_identity, guards
from tests import toys
from tests.papers import OPENED
from tests.reports import ROOT

NOTEBOOK = ROOT / "notebooks" / "composite.ipynb"
PAPERS = [path.stem for path in OPENED]
ARMS = classic.bernoulli([0.3, 0.9])


def refuse(*args, **kwargs):
    raise AssertionError("compiled")


class Greedy(NamedTuple):
    """A policy of a reader's module."""

    arms: int
    weights: np.ndarray
    label: str
    parts: tuple
    on: bool

    def init(self, rng):
        return np.zeros(self.arms)

    def select(self, state, t, rng):
        return t % self.arms

    def update(self, state, action, observation, t, rng):
        return state


GREEDY = Greedy(2, np.zeros((2, 3), np.float32), "x", (np.zeros(2, int), 1.5), True)


@pytest.mark.parametrize("thing", [classic.ucb1(3), ARMS, GREEDY, guards.make_read_only(GREEDY)])
def test_an_example_has_the_types_of_what_was_described(thing):
    described = json.loads(json.dumps(precompile.describe_types(thing)))
    assert numba.typeof(precompile.make_example(described)) == numba.typeof(thing)


def test_a_list_makes_named_tuples_and_nothing_else():
    with pytest.raises(TypeError, match="os:getcwd: must be a NamedTuple class"):
        precompile.make_example(["os:getcwd"])


@pytest.fixture
def notebook(tmp_path):
    """A notebook whose list this process writes meanwhile."""
    player.listeners.append(precompile.Recorder(tmp_path / "mine.ipynb"))
    yield tmp_path / "mine.ipynb"
    player.listeners.pop()


def test_a_run_lists_what_it_plays_each_pair_once(notebook):
    for policy in (classic.ucb1(2), classic.ucb1(2, 1.0), classic.uniform(2)):
        bl.simulate(ARMS, policy, 100, runs=3)
    played = [{type(part).__name__ for part in pair} for pair in precompile.read_pairs(notebook).values()]
    assert played == [{"Bernoulli", "Uniform"}, {"Bernoulli", "UCB1"}]


def test_a_class_that_no_other_process_finds_is_not_listed(notebook):
    class Local(toys.Numbered):
        """A class of a cell."""

    bl.simulate(Local(10), classic.uniform(3), 10)
    assert not precompile.list_file(notebook).exists()
    bl.simulate(toys.Numbered(10), classic.uniform(3), 10)  # of a module: listed as ours are, held to its actions
    ((_, policy),) = precompile.read_pairs(notebook).values()
    assert type(policy) is guards.Around


GONE = [
    '["", ["banditlab.classic:Nobody", "<i8"], ["banditlab.classic.arms:Uniform", "<i8"]]',
    '["", ["banditlab.nowhere:Bernoulli", "<i8"], ["banditlab.classic.arms:Uniform", "<i8"]]',
    '["", ["banditlab.classic.greedy:EpsilonGreedy", "<i8"], ["x:Y"]]',
    "half a line of a merge",
]


def test_lines_that_fit_no_class_are_passed_over_and_dropped(tmp_path):
    notebook = tmp_path / "mine.ipynb"
    precompile.list_file(notebook).write_text("\n".join(GONE))
    assert precompile.read_pairs(notebook) == {}
    precompile.Recorder(notebook)(ARMS, classic.ucb1(2))
    assert len(precompile.read_pairs(notebook)) == len(precompile.list_file(notebook).read_text().splitlines()) == 1


def test_a_folder_of_somebody_else_stops_no_run(tmp_path):
    precompile.Recorder(tmp_path / "gone" / "mine.ipynb")(ARMS, classic.ucb1(2))


def test_a_pair_that_does_not_compile_is_told_and_the_others_are_compiled(tmp_path, monkeypatch, capsys):
    notebook, left = tmp_path / "mine.ipynb", []
    for policy in (classic.ucb1(2), classic.uniform(2)):
        precompile.Recorder(notebook)(ARMS, policy)
    good, file = precompile.list_file(notebook).read_text(), precompile.list_file(notebook)
    file.write_text(good + good.splitlines()[0].replace('"<i8"', '"str"') + "\n")  # a field is a number now
    monkeypatch.setattr(code_identity, "HOME", tmp_path)
    precompile.compile_notebook(notebook, 1, left.append)
    assert left == [2, 1, 0] and precompile.is_warm(notebook)
    assert capsys.readouterr().err.count("does not compile") == 1


@pytest.mark.parametrize("paper", PAPERS)
def test_the_list_of_a_paper_names_all_that_its_figures_play_at_their_start(paper):
    """If it does not: show that figure in the paper's notebook, once, and commit the line that was added."""
    module, missing = importlib.import_module(paper), []
    listed = precompile.read_pairs(ROOT / "notebooks" / f"{paper}.ipynb")
    values = {name: control.start for name, control in module.CONTROLS.items()}
    values |= {"horizon": 1000, "runs": 2, "seed": 0}

    def look(environment, policy):
        line = json.dumps(precompile.describe_types((environment, policy)))
        missing.extend([line] if line not in listed else [])

    player.listeners.append(look)
    try:
        for figure in module.FIGURES.values():
            figure(**{name: values[name] for name in figure.__signature__.parameters if name in values})
    finally:
        player.listeners.remove(look)
    assert listed and not missing


def test_after_warming_no_figure_of_a_notebook_compiles(monkeypatch):
    call = [sys.executable, "-m", "banditlab.explorer.precompile", str(NOTEBOOK)]
    done = subprocess.run(call, check=True, capture_output=True, text=True)
    assert done.stdout.endswith("composite: all kernels are on disk\n") and "does not compile" not in done.stderr
    assert precompile.is_warm(NOTEBOOK) and precompile.Ahead([NOTEBOOK]).process is None
    compiling.entries.clear()
    monkeypatch.setattr(numba.core.compiler, "compile_extra", refuse)
    values = {name: control.start for name, control in composite.CONTROLS.items()}
    values |= {"horizon": 1000, "runs": 2, "seed": 0}
    for figure in composite.FIGURES.values():
        taken = {name: values[name] for name in figure.__signature__.parameters if name in values}
        figure(**taken)


def test_who_compiles_ahead_leaves_no_pipe_open(monkeypatch):
    monkeypatch.setattr(precompile, "is_warm", lambda name: False)
    said = queue.Queue()
    with precompile.Ahead(["notebooks/factored.ipynb"], said.put) as ahead:
        pass
    while said.get(timeout=600):
        pass
    assert ahead.process.stdout.closed and ahead.process.returncode


PARENT = """
import time
from banditlab.explorer import precompile
precompile.is_warm = lambda name: False
print(precompile.Ahead(["notebooks/factored.ipynb"]).process.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_nothing_stays_behind_when_the_parent_is_gone(how):
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as parent:
        group = int(parent.stdout.readline())
        os.killpg(group, 0)  # it lives
        parent.send_signal(how)
    while lives(group):  # else the test does not end
        time.sleep(0.1)


def lives(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
