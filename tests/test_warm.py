"""Kernels that are compiled ahead: which there will be, that none is missing then, and that nothing stays behind."""

import os
import queue
import signal
import subprocess
import sys
import time

import composite
import numba
import pytest

import banditlab as bl
from banditlab import classic
from banditlab.engine import compiling, player
from banditlab.evidence import provenance
from banditlab.explorer import precompile
from banditlab.user_code import code_identity
from tests import toys
from tests.reports import ROOT

NOTEBOOK = ROOT / "notebooks" / "composite.ipynb"
ARMS = classic.bernoulli([0.3, 0.9])


def refuse(*args, **kwargs):
    raise AssertionError("compiled")


def test_a_scout_tells_of_every_kernel_once_and_compiles_none(monkeypatch):
    monkeypatch.setattr(numba.core.compiler, "compile_extra", refuse)
    found = []
    with precompile.Scout(lambda *key: found.append(key)).instead():
        for policy in (classic.ucb1(2), classic.ucb1(2, 1.0), classic.uniform(2)):
            result = bl.simulate(ARMS, {"one": policy}, 1000, runs=3)
    names = [{cls.__name__ for cls in classes} for _, classes, _ in found]
    assert names == [{"Bernoulli", "UCB1"}, {"Bernoulli", "Uniform"}]
    assert result.regret.shape == (1, 3, 200) and (result.regret > 0).all()
    assert player.compile_pair.__module__ == player.__name__


def test_a_class_that_no_other_process_finds_is_left_to_the_reader():
    class Local(toys.Numbered):
        """A class of a cell."""

    found = []
    with precompile.Scout(lambda *key: found.append(key)).instead():
        bl.simulate(Local(10), classic.uniform(3), 10)
        assert found == []
        bl.simulate(toys.Numbered(10), classic.uniform(3), 10)  # of a module: compiled ahead as ours are
    assert [(len(classes), careful) for _, classes, careful in found] == [(4, True)]


def test_what_a_scout_makes_up_is_not_kept(monkeypatch, tmp_path):
    monkeypatch.setattr(code_identity, "HOME", tmp_path / "kernels")
    for named in (str(tmp_path), None):
        monkeypatch.setenv("BANDITLAB_KEEP", named) if named else monkeypatch.delenv("BANDITLAB_KEEP")
        with precompile.Scout(lambda *key: None).instead(), provenance.lasting():
            bl.simulate(ARMS, classic.ucb1(2), 100)
        assert not list(tmp_path.iterdir()) and os.environ.get("BANDITLAB_KEEP") == named


def test_after_warming_no_figure_of_a_notebook_compiles(monkeypatch):
    subprocess.run([sys.executable, "-m", "banditlab.explorer.precompile", str(NOTEBOOK)], check=True)
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
