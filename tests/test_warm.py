"""Kernels that are compiled ahead: which there will be, that none is missing then, and that nothing stays behind."""

import os
import queue
import signal
import subprocess
import sys
import threading
import time

import composite
import numba
import pytest

import banditlab as bl
from banditlab import classic
from banditlab.engine import compiling, kernel_cache
from banditlab.evidence import provenance
from banditlab.explorer import precompile
from tests import toys

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
    assert compiling.compile_for.__module__ == compiling.__name__


def test_a_readers_own_class_is_left_to_the_reader():
    found = []
    with precompile.Scout(lambda *key: found.append(key)).instead():
        bl.simulate(toys.Numbered(10), classic.uniform(3), 10)
    assert found == []


def test_what_a_scout_makes_up_is_not_kept(monkeypatch, tmp_path):
    monkeypatch.setattr(compiling, "HOME", tmp_path / "kernels")
    for named in (str(tmp_path), None):
        monkeypatch.setenv("BANDITLAB_KEEP", named) if named else monkeypatch.delenv("BANDITLAB_KEEP")
        with precompile.Scout(lambda *key: None).instead(), provenance.lasting():
            bl.simulate(ARMS, classic.ucb1(2), 100)
        assert not list(tmp_path.iterdir()) and os.environ.get("BANDITLAB_KEEP") == named


def test_after_warming_no_figure_of_a_notebook_compiles(monkeypatch):
    subprocess.run([sys.executable, "-m", "banditlab.explorer.precompile", "composite"], check=True, timeout=600)
    assert precompile.is_warm("composite") and precompile.Ahead(["composite", "nothing"]).process is None
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
    with precompile.Ahead(["factored"], said.put) as ahead:
        pass
    while said.get(timeout=60):
        pass
    assert ahead.process.stdout.closed and ahead.process.returncode


@pytest.fixture
def another():
    """Number of a process that lives."""
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process.pid
        process.kill()


def drafted(folder, maker):
    """A kernel's folder as it is while this process compiles it."""
    draft = folder.with_name(f"{kernel_cache.DRAFT}{folder.name}-{maker}-x")
    draft.mkdir()
    return draft


def test_a_kernel_that_another_process_is_compiling_is_left_to_it(monkeypatch, tmp_path, another):
    monkeypatch.setattr(kernel_cache, "polite", True)
    drafted(tmp_path / "one", another)
    with pytest.raises(kernel_cache.Busy), kernel_cache.place(tmp_path / "one"):
        pass
    with kernel_cache.place(tmp_path / "two") as place:
        assert place != tmp_path / "two"


def test_who_needs_it_waits_for_the_one_who_began_before(tmp_path, another):
    folder = tmp_path / "one"
    draft = drafted(folder, another)

    def finish():
        (draft / "kernel").write_text("code")
        kernel_cache.seal(draft)
        draft.rename(folder)

    threading.Timer(0.3, finish).start()
    with kernel_cache.place(folder) as place:
        assert place == folder and (folder / "kernel").read_text() == "code"


@pytest.mark.parametrize("maker", ["gone", "slow", "oneself"])
def test_but_not_for_long_and_not_for_the_dead(maker, monkeypatch, tmp_path, another):
    with subprocess.Popen(["true"]) as gone:
        gone.wait()
    monkeypatch.setattr(kernel_cache, "PATIENCE", 0.2)
    folder = tmp_path / "one"
    drafted(folder, {"gone": gone.pid, "slow": another, "oneself": os.getpid()}[maker])
    began = time.monotonic()
    with kernel_cache.place(folder) as place:
        assert place != folder and (time.monotonic() - began > 0.2) == (maker == "slow")


PARENT = """
import time
from banditlab import warm
warm.is_warm = lambda name: False
print(warm.Ahead(["factored"]).process.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_nothing_stays_behind_when_the_parent_is_gone(how):
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as parent:
        group = int(parent.stdout.readline())
        os.killpg(group, 0)  # it lives
        parent.send_signal(how)
    ended = time.monotonic() + 60
    while time.monotonic() < ended and lives(group):
        time.sleep(0.1)
    assert not lives(group)


def lives(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
