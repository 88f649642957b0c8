"""Readers' own programs: no silent wrong number, no right one refused; a method that never returns is stopped.

What is a bad algorithm but legal Python plays as Python plays it; all else is told in a few lines.
"""

import multiprocessing
import os
import pickle
import re
import subprocess
import sys
import threading
import time
from concurrent.futures import Future, ProcessPoolExecutor

import numpy as np
import pytest

import banditlab as bl
from banditlab.engine import loop
from banditlab.user_code import contract, endless
from tests.readers import lists, right, slips, styles, wrong
from tests.readers.stuck import Stuck
from tests.reports import ROOT

HORIZON, RUNS, SEED = 400, 2, 1
LEGAL = {  # bad algorithms: Python plays them, and so does compiled code
    *("update_forgets_counts", "init_whole_numbers", "update_halves_whole_numbers", "select_variance_by_difference"),
    *("select_nothing_over_nothing", "select_compares_nan", "init_none", "select_last_entry", "update_swaps"),
    *("select_caret", "update_plus_minus", "update_loses_its_copy", "update_writes_all", "update_grows"),
    *("regret_of_the_wrong_sign", "step_counts_its_own_world"),
}
TOLD = TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RuntimeError, AssertionError


def interpreted(environment, policy):
    """Regret of every run, played by Python."""
    rounds, shown = np.arange(1, HORIZON + 1), contract.context_marker(environment)
    with np.errstate(all="ignore"):
        runs = [
            loop.run(environment, policy, rounds, shown, np.zeros(2, np.int64), *contract.make_streams(SEED, number))[0]
            for number in range(RUNS)
        ]
    return np.array(runs)


def compiled(environment, policy):
    return bl.simulate(environment, policy, HORIZON, RUNS, SEED, checkpoints=HORIZON).regret[0]


# A part here, the whole under `make soak`: each compiles a loop of its own.
SOAK = bool(os.environ.get("SOAK"))
RIGHT, WRONG = {**right.PROGRAMS, **styles.PROGRAMS, **lists.PROGRAMS}, {**wrong.PROGRAMS, **slips.PROGRAMS}
PLAYED = [*RIGHT, *sorted(LEGAL)]
MISTAKEN = [name for name in WRONG if name not in LEGAL]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of numpy, as a reader sees them
@pytest.mark.parametrize("name", PLAYED if SOAK else PLAYED[::8])
def test_what_python_plays_is_played_the_same(name):
    pair = {**RIGHT, **WRONG}[name]
    assert np.allclose(compiled(*pair), interpreted(*pair), rtol=1e-9, atol=0.0)


@pytest.mark.filterwarnings("ignore:Bitwise inversion")  # so Python says, too, from 3.12 on
@pytest.mark.parametrize("name", MISTAKEN if SOAK else MISTAKEN[::8])
def test_a_mistake_is_told(name):
    with pytest.raises(TOLD) as caught:
        compiled(*WRONG[name])
    said = str(caught.value)
    assert slips.CURES.get(name, "") in said
    assert len(said.splitlines()) <= 5 and max(map(len, said.splitlines())) < 400
    assert not re.search(r"site-packages|\.pyx|banditlab/", said)


def test_there_are_enough_programs():
    assert len(WRONG) >= 120 and len(RIGHT) >= 40 and {*slips.CURES} == {*slips.PROGRAMS}
    assert {*WRONG} >= LEGAL and not {*WRONG} & {*RIGHT}
    assert len({*WRONG, *RIGHT}) == sum(len(one.PROGRAMS) for one in (right, styles, lists, wrong, slips))


STUCK = """
import os, signal, sys, threading, time, traceback
from typing import NamedTuple
import numpy as np
import banditlab as bl

class Stuck(NamedTuple):
    arms: int
    late: int

    def init(self, rng):
        return np.zeros(self.arms)

    def select(self, state, t, rng):
        arm = 0
        while t >= self.late:
            arm = (arm + 1) % self.arms
        return arm

    def update(self, state, action, observation, t, rng):
        return state

def is_at(late):
    \"\"\"Whether a run is at this round, where Stuck stays: Python is in `select`, or the loop's flags tell.\"\"\"
    frames = [frame for top in sys._current_frames().values() for frame, _ in traceback.walk_stack(top)]
    called = lambda name: [frame.f_locals for frame in frames if frame.f_code.co_name == name]
    selects = [one for one in called("select") if isinstance(one.get("self"), Stuck)]
    return any(one["t"] >= late for one in selects) or any(one["flags"][0] >= late for one in called("call_stoppable"))

def is_heard():
    \"\"\"Whether the main thread waits for its runs, or plays one: while it starts a thread it does not stop it.\"\"\"
    main = threading.main_thread().ident
    look = lambda: [(f.f_code.co_name, n) for f, n in traceback.walk_stack(sys._current_frames()[main])]
    before = look()
    time.sleep(0.02)
    waits = before == look() and "start" not in dict(before)
    return waits or before[0][0] == "select"

def interrupt(late):
    while not (is_at(late) and is_heard()):
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)

def interrupted(policy, play):
    late = getattr(policy, "late", 1)
    threading.Thread(target=interrupt, args=(late,), daemon=True).start()
    try:
        play(policy)
    except KeyboardInterrupt as error:
        while is_at(late):  # its thread is still to end, and would be taken for the next one's
            time.sleep(0.01)
        return " | ".join(str(error).splitlines())

arms = bl.classic.bernoulli([0.5, 0.4])
plays = [
    lambda policy: bl.simulate(arms, policy, 500, 4, checkpoints=500),
    lambda policy: bl.record_run(arms, policy, 500),
    lambda policy: bl.trace(arms, policy, 500),
]
for play in plays:
    play(Stuck(2, 1000))  # compiled: no thread is in the compiler when the interrupt comes
    print(interrupted(Stuck(2, 300), play))
print(interrupted(Stuck(2, 0), plays[0]))
bl.trace(arms, bl.classic.uniform(2), 10)
print("ours:", interrupted(bl.classic.uniform(2), lambda policy: bl.trace(arms, policy, 10**12)))
print(bl.simulate(arms, Stuck(2, 1000), 500, 4).regret.shape)
"""


def test_a_method_that_never_returns_is_stopped_and_named(tmp_path):
    """Compiled and interpreted, on threads and in the main thread; then the process plays on, and ends by itself.

    A run of the package's own classes hears an interrupt just so, between two rounds.
    """
    (tmp_path / "stuck.py").write_text(STUCK)
    place = {**os.environ, "PYTHONPATH": str(ROOT), "BANDITLAB_KEEP": ""}
    call = subprocess.run(
        [sys.executable, "stuck.py"], cwd=tmp_path, env=place, capture_output=True, text=True, timeout=600
    )
    *stopped, ours, after = call.stdout.splitlines()
    assert ours == "ours: "
    said = "stopped in select, which did not return | at stuck.py:16: `while t >= self.late:` | cure: "
    assert [line.startswith(said) for line in stopped] == [True] * 4, call.stdout + call.stderr[-2000:]
    assert after == "(1, 4, 200)" and call.returncode == 0


def test_an_interrupt_says_where_though_others_are_stopped_first_and_the_error_comes_late():
    job, playing = Future(), set()

    def play():
        playing.add(threading.get_ident())
        while endless.STOPPED[0] != threading.get_ident():
            time.sleep(0.001)
        playing.clear()
        time.sleep(0.05)
        job.set_exception(endless.NeverReturned())

    threading.Thread(target=play, daemon=True).start()
    endless.one_at_a_time.acquire()
    threading.Timer(endless.GRACE + 2 * endless.PATIENCE, endless.one_at_a_time.release).start()
    assert str(endless.interrupt([job], playing)) == "stopped in a method that did not return"


SHORT = """
import sys
from tests.readers import slips, wrong
import banditlab as bl
bl.simulate(*{{**wrong.PROGRAMS, **slips.PROGRAMS}}["{name}"], 400, 2, seed=1)
"""


ENDED = [
    "select_asks_for_a_key",
    "means_a_list",
    "select_log_of_zero",
    "select_default_list",
    "select_choice",
]  # in a round, before, compiling


@pytest.mark.parametrize("name", ENDED if SOAK else ENDED[:2])
def test_in_a_terminal_the_lines_come_without_our_traceback(name):
    call = subprocess.run(
        [sys.executable, "-c", SHORT.format(name=name)], cwd=ROOT, capture_output=True, text=True, timeout=600
    )
    lines = call.stderr.splitlines()
    assert call.returncode == 1 and len(lines) <= 4, call.stderr
    assert re.match(r"\w+Error: ", lines[0]) and lines[1].startswith("at ")


def test_other_errors_keep_their_traceback():
    code = (
        SHORT.format(name="select_log_of_zero").replace("bl.simulate", "try: bl.simulate") + "except ValueError: 1 / 0"
    )
    call = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert call.stderr.startswith("Traceback") and "ZeroDivisionError" in call.stderr


def test_ipython_is_given_the_lines_alone():
    with pytest.raises(TypeError) as caught:
        compiled(*wrong.PROGRAMS["select_default_list"])
    lines = caught.value._render_traceback_()
    assert len(lines) == 3 and lines[0].startswith("TypeError: ")
    assert pickle.loads(pickle.dumps(caught.value))._render_traceback_() == lines  # it comes from other processes


REHEARSED = """
print(interrupted(Stuck(2, 20), lambda policy: bl.simulate(arms, policy, 500)))
"""


def test_so_is_one_that_never_returns_at_once(tmp_path):
    (tmp_path / "stuck.py").write_text(STUCK.split("plays = [")[0] + REHEARSED)
    call = subprocess.run([sys.executable, "stuck.py"], cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert call.stdout.startswith("stopped in select, which did not return | at stuck.py"), call.stderr[-2000:]


ON_IMPORT = """
from functools import partial

import numpy as np

import banditlab as bl


class First(type(bl.classic.uniform(2))):
    def select(self, state, t, rng):
        return 0


def draw(seed):
    return bl.classic.bernoulli(np.random.default_rng(seed).uniform(0, 1, 2))


class Own(type(draw(0))):
    def regret(self, world, action, t):
        return 0.5


def own(seed):
    return Own(*draw(seed))


worlds = draw(0), bl.random_instances(draw), bl.random_instances(partial(own))
played = [bl.simulate(world, First(*bl.classic.uniform(2)), 10, 3).regret for world in worlds]
played.append(bl.simulate(own(0), bl.classic.uniform(2), 10, 3).regret)
"""


def test_a_module_may_play_while_it_is_imported(tmp_path):
    """A thread that compiles asks for the module, and would wait for ever for the import that waits for it."""
    (tmp_path / "on_import").mkdir()
    (tmp_path / "on_import" / "__init__.py").write_text("from .played import played")  # it is imported meanwhile, too
    (tmp_path / "on_import" / "played.py").write_text(ON_IMPORT)
    variables = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    call = subprocess.run(
        [sys.executable, "-c", "import on_import; print(len(on_import.played))"],
        env=variables, cwd=tmp_path, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert call.stdout == "4\n", call.stderr[-2000:]


def test_a_worker_is_free_again_when_nobody_waits_for_a_method_that_never_returns():
    arms, calls = bl.classic.bernoulli([0.5, 0.4]), []

    def stop(share):
        calls.append(share)
        if len(calls) > 10:
            raise KeyError("nobody waits")

    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        bl.simulate(arms, Stuck(2, 1000), 500, executor=pool)
        with pytest.raises(KeyError, match="nobody waits"):
            bl.simulate(arms, Stuck(2, 300), 500, executor=pool, progress=stop)
        assert pool.submit(int, "7").result() == 7
