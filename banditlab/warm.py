"""``python -m banditlab.warm``: compile the kernels of the papers' figures and claims ahead, side by side.

One process finds out which kernels there will be: it calls every figure and every claim as a report does, but where a
kernel would be compiled it writes down its signature and plays a moment of the run interpreted. Others compile these
signatures into the folder of kernels. Whoever needs a kernel meanwhile compiles it himself; for one that another
process is at he waits a little.
"""

import argparse
import contextlib
import fcntl
import functools
import importlib
import inspect
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from multiprocessing import get_context

import numpy as np

from . import disk, guard, keep, kernel, loop, tasks
from .explorer.export import PAPERS

ROUNDS, MOMENT = 3, 0.05  # of an interpreted run, rounds and seconds at most
GLANCE = 0.5  # seconds after which a process looks again whether its parent is there
NICE = 10  # what is compiled ahead gives way to what is waited for


class Scout:
    """Takes the place of the compiler, and tells of every kernel once.

    Parameters
    ----------
    found : callable
        ``found(signature, classes, careful)`` is told what to compile `loop.run` for.
    """

    def __init__(self, found):
        self.found, self.known, self.lock = found, set(), threading.Lock()

    def compile_for(self, function, *args, careful=False, codes=None):
        """What `kernel.compile_for` is replaced with: the loop itself, for a moment."""
        classes = frozenset(kernel.classes_in(args))
        key = tuple(map(kernel.typeof, args)), classes, careful
        with self.lock:
            new = key not in self.known and all(map(kernel.is_packaged, classes))
            self.known.add(key)
        if new:
            self.found(*key)
        return moment

    def play(self, work, policy, numbers, flags, *known):
        """What `Work.play` is replaced with: the first run, and others that differ from it by a little."""
        regret, tallies, seconds = played(work, policy, numbers[:1], flags[:1], *known)
        spread = 1.0 + 0.1 * np.random.default_rng(0).random((len(numbers), 1))
        return spread * regret, tallies * len(numbers), seconds

    @contextlib.contextmanager
    def instead(self):
        """Scout while this lasts; nothing that is made up is kept on disk."""
        before = kernel.compile_for, loop.Work.play, tasks.chunks
        kernel.compile_for, tasks.chunks = self.compile_for, lambda runs, *_: [np.arange(runs)]
        loop.Work.play = lambda *args: self.play(*args)
        try:
            with keep.into(""):
                yield
        finally:
            kernel.compile_for, loop.Work.play, tasks.chunks = before


played = loop.Work.play


def moment(environment, policy, checkpoints, shown, flags, *rngs):
    """A few rounds interpreted; then regret grows evenly, so that whoever concludes from it finds numbers."""
    few = np.arange(1, min(ROUNDS, int(checkpoints[-1])) + 1)
    _, world, state = loop.run(environment, policy, few, shown, loop.Deadline(MOMENT), *rngs)
    return checkpoints + 1.0, world, state


def calls(name):
    """What a notebook shows and asks, as calls: claims, figures and tables at quick size, sliders where they start.

    Parameters
    ----------
    name : str, of a paper
    """
    paper = importlib.import_module(f"{__package__}.{name}")
    rooms = importlib.import_module(f"{__package__}.{name}.experiments")
    values = {key: control.start for key, control in rooms.CONTROLS.items()} | {"scale": "quick", "seed": 0}
    yield lambda: rooms.HEADLINE.results("quick")  # a notebook opens with it
    for asked in paper.ledger.__self__.asked:
        if "quick" in asked.scales:
            yield lambda asked=asked: asked.test("quick", 0)
    for thing in list(vars(rooms).values()):
        if "quick" in getattr(thing, "sizes", ()):
            yield lambda study=thing: study.results("quick")
        elif inspect.isfunction(thing) and set(inspect.signature(thing).parameters) == {"scale", "seed"}:
            yield lambda table=thing: table("quick", 0)
    for function in rooms.FIGURES.values():
        taken = {key: values[key] for key in inspect.signature(function).parameters if key in values}
        yield lambda function=function, taken=taken: function(**taken)


def kernels(name, found):
    """Tell ``found(signature, classes, careful)`` of every kernel of a paper.

    Parameters
    ----------
    name : str, of a paper
    found : callable
    """
    keys = []
    with Scout(lambda *key: keys.append(key)).instead(), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for call in calls(name):
            with contextlib.suppress(Exception):  # it met numbers that no run brings; what it needs is compiled later
                call()
            while keys:  # the last first: whoever plays the figure meanwhile begins with the first
                found(*keys.pop())


def compile_one(signature, classes, careful):
    """Compile one kernel into the folder, or find it there; leave it to whoever is at it."""
    with kernel.lock, contextlib.suppress(disk.Busy):
        kernel.checked = careful
        recipes = frozenset((cls, kernel.code_key(cls)) for cls in classes)
        guard.prepare(set())
        try:
            if kernel.stamp() == kernel.STAMP:
                kernel.load_or_compile(loop.run, signature, recipes, kernel.HOME)
        finally:
            kernel.digests.clear()


def sign(name):
    """The file that says that all kernels of a paper are there, for exactly this source."""
    return kernel.HOME / f"warm-{name}-{kernel.DIGEST}" if kernel.HOME else None


def is_warm(name):
    """Whether all kernels of a paper are on disk, or nothing can be kept there."""
    return kernel.HOME is None or sign(name).exists()


def end_with(parent):
    """End this process as soon as its parent, of this number, is gone."""

    def watch():
        while os.getppid() == parent:
            time.sleep(GLANCE)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def begin(parent):
    """Begin a process that compiles."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that gives it work tells it to stop
    disk.polite = True
    end_with(parent)


def warm(names, workers, tell):
    """Compile the kernels of these papers in so many processes.

    Parameters
    ----------
    names : sequence of str
    workers : int >= 1
    tell : callable
        ``tell(left)`` is told the number of kernels that are left.
    """
    with processes(workers) as submit:
        for name in names:
            with alone(name):
                if not is_warm(name):
                    fill(name, submit, tell)


@contextlib.contextmanager
def processes(workers):
    """What gives a kernel to compile to one of so many processes; a single one is this one, which is there already."""
    if workers == 1:
        disk.polite = True
        yield at_once
        return
    pool = ProcessPoolExecutor(workers, get_context("spawn"), begin, (os.getpid(),))
    try:
        yield pool.submit
    finally:
        for process in list((pool._processes or {}).values()):
            process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)


def at_once(function, *args):
    """Call a function, and return what it returns as a future."""
    job = Future()
    job.set_result(function(*args))
    return job


def fill(name, submit, tell):
    """Compile the kernels of one paper, and sign for them."""
    jobs = []

    def give(*key):
        jobs.append(submit(compile_one, *key))
        tell(sum(not job.done() for job in jobs))

    kernels(name, give)
    for done, job in enumerate(as_completed(jobs), 1):
        job.result()
        tell(len(jobs) - done)
    sign(name).touch()


@contextlib.contextmanager
def alone(name):
    """Wait for others who compile the kernels of this paper, and keep more from beginning."""
    if kernel.HOME is None:
        yield
        return
    with open(kernel.HOME / f"warm-{name}.lock", "w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


class Ahead:
    """A process in the background that compiles what is not on disk; it ends with us, or by `stop`.

    Parameters
    ----------
    names : sequence of str
        Of papers; others are passed over.
    tell : callable
        ``tell(left)`` is called, in a thread, with the number of kernels that are left; at the end with 0. May be set
        anew at any time.
    """

    def __init__(self, names, tell=lambda left: None):
        wanted = [name for name in names if name in PAPERS and not is_warm(name)]
        self.tell, self.process = tell, None
        if wanted:
            call = [sys.executable, "-m", f"{__package__}.warm", *wanted, "--ahead", str(os.getpid())]
            quiet = dict(stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            self.process = subprocess.Popen(call, start_new_session=True, **quiet)
            threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        """Pass on what the process says."""
        with self.process:  # waits for it, and closes what it was read from
            for line in self.process.stdout:
                self.tell(int(line))
        self.tell(0)

    def stop(self):
        """End it."""
        if self.process:
            self.process.terminate()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.stop()


@functools.cache
def beside(name):
    """The one `Ahead` of this process for a paper."""
    return Ahead([name])


def yield_to_others():
    """Give way to what is waited for: as a process, and as a session, which Linux weighs first."""
    os.nice(NICE)
    with contextlib.suppress(OSError), open("/proc/self/autogroup", "w") as group:
        group.write(str(NICE))


def main(argv=None):
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m banditlab.warm", description="Compile the notebooks' kernels.")
    parser.add_argument("names", nargs="*", metavar="NAME", default=PAPERS, help="papers (default: all)")
    parser.add_argument("--ahead", type=int, metavar="PID", help="in the background of this process, and ends with it")
    options = parser.parse_args(argv)
    if unknown := [name for name in options.names if name not in PAPERS]:
        parser.error(f"{unknown[0]!r} is none of {', '.join(PAPERS)}")
    workers = tasks.cores()
    if options.ahead:
        end_with(options.ahead)
        yield_to_others()
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with contextlib.suppress(KeyboardInterrupt):
            warm(options.names, max(1, workers - 1), lambda left: print(left, flush=True))
        return 0
    for name in options.names:
        told = f"{name}: {{}} kernels left"
        if not is_warm(name):
            warm([name], workers, lambda left, told=told: print(told.format(left), end="  \r", flush=True))
        print(f"{name}: all kernels are on disk", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
