"""``python -m banditlab.explorer.precompile``: compile the kernels of notebooks ahead, side by side.

One process finds out which kernels there will be: it calls every figure and every claim of the module beside a notebook
as a report does, but where a kernel would be compiled it writes down its signature and plays a moment of the run
interpreted. Others compile these signatures into the folder of kernels. Whoever needs a kernel meanwhile compiles it
himself.
"""

import argparse
import contextlib
import hashlib
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
from pathlib import Path

import numpy as np

from ..engine import compiling, loop, player, scheduler
from ..engine.methods import helper
from ..results import result_cache
from ..user_code import code_identity, diagnose, guards
from .paper import find_paper, reading_order

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

    def compile_pair(self, args, theirs, careful=False, codes=None):
        """What `player.compile_pair` is replaced with: the loop itself, for a moment."""
        classes = frozenset(code_identity.classes_in(args))
        key = compiling.signature_of(args), classes, careful or bool(theirs)
        with self.lock:
            new = key not in self.known and all(map(code_identity.is_importable, classes))
            self.known.add(key)
        if new:
            self.found(*key)
        return play_moment

    def play(self, work, policy, numbers, flags, *known):
        """What `Work.play` is replaced with: the first run, and others that differ from it by a little."""
        regret, diagnostics, seconds = play_all_runs(work, policy, numbers[:1], flags[:1], *known)
        spread = 1.0 + 0.1 * np.random.default_rng(0).random((len(numbers), 1))
        return spread * regret, diagnostics * len(numbers), seconds

    @contextlib.contextmanager
    def instead(self):
        """Scout while this lasts; nothing that is made up is kept on disk."""
        before = player.compile_pair, player.Work.play, scheduler.chunk_runs
        player.compile_pair, scheduler.chunk_runs = self.compile_pair, lambda runs, *_: [np.arange(runs)]
        player.Work.play = lambda *args: self.play(*args)
        try:
            with result_cache.keep_in(""):
                yield
        finally:
            player.compile_pair, player.Work.play, scheduler.chunk_runs = before


play_all_runs = player.Work.play


def play_moment(environment, policy, checkpoints, shown, flags, *rngs):
    """A few rounds interpreted; then regret grows evenly, so that whoever concludes from it finds numbers."""
    few = np.arange(1, min(ROUNDS, int(checkpoints[-1])) + 1)
    _, world, state = loop.run(environment, policy, few, shown, diagnose.Deadline(MOMENT), *rngs)
    return checkpoints + 1.0, world, state


def list_calls(paper):
    """What a notebook shows and asks, as calls: claims, figures and tables at quick size, sliders where they start.

    Parameters
    ----------
    paper : module beside a notebook
    """
    controls = getattr(paper, "CONTROLS", {})
    values = {key: control.start for key, control in controls.items()} | {"scale": "quick", "seed": 0}
    if hasattr(paper, "HEADLINE"):
        yield lambda: paper.HEADLINE.results("quick")  # a notebook opens with it
    registry = getattr(paper.claims, "claims", paper.claims) if hasattr(paper, "claims") else None
    for asked in getattr(registry, "asked", ()):
        if "quick" in asked.scales:
            yield lambda asked=asked: asked.test("quick", 0)
    for thing in list(vars(paper).values()):
        if "quick" in getattr(thing, "sizes", ()):
            yield lambda study=thing: study.results("quick")
        elif inspect.isfunction(thing) and set(inspect.signature(thing).parameters) == {"scale", "seed"}:
            yield lambda table=thing: table("quick", 0)
    for function in getattr(paper, "FIGURES", {}).values():
        taken = {key: values[key] for key in inspect.signature(function).parameters if key in values}
        yield lambda function=function, taken=taken: function(**taken)


def find_kernels(paper, found):
    """Tell ``found(signature, classes, careful)`` of every kernel of a paper.

    Parameters
    ----------
    paper : module beside a notebook
    found : callable
    """
    keys = []
    with Scout(lambda *key: keys.append(key)).instead(), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for call in list_calls(paper):
            with contextlib.suppress(Exception):  # it met numbers that no run brings; what it needs is compiled later
                call()
            while keys:  # the last first: whoever plays the figure meanwhile begins with the first
                found(*keys.pop())


def compile_one(signature, classes, careful):
    """Compile one kernel into the folder, or find it there."""
    known = code_identity.code_keys(classes)
    for function in guards.prepare_functions({cls for cls in classes if not code_identity.is_packaged(cls)}):
        helper(function)
    if code_identity.is_lasting_everywhere(known):
        compiling.compile_loop(loop.run, signature, frozenset(known.items()), careful, code_identity.HOME)


def sign_of(notebook):
    """The file that says that all kernels of a notebook are there, for exactly this source."""
    path = Path(notebook).resolve()
    beside = [path.with_suffix(".py"), *sorted(path.with_suffix("").rglob("*.py"))]
    source = b"".join(file.read_bytes() for file in beside if file.is_file())
    digest = hashlib.sha256(source + code_identity.DIGEST.encode()).hexdigest()[:16]
    return code_identity.HOME / f"warm-{path.stem}-{digest}" if code_identity.HOME else None


def is_warm(notebook):
    """Whether all kernels of a notebook are on disk, or nothing can be kept there."""
    return code_identity.HOME is None or sign_of(notebook).exists()


def end_with(parent):
    """End this process as soon as its parent, of this number, is gone."""

    def watch():
        while os.getppid() == parent:
            time.sleep(GLANCE)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def begin_compiler(parent):
    """Begin a process that compiles."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that gives it work tells it to stop
    end_with(parent)


def compile_notebooks(notebooks, workers, tell):
    """Compile the kernels of these notebooks in so many processes.

    Parameters
    ----------
    notebooks : sequence of paths
    workers : int >= 1
    tell : callable
        ``tell(left)`` is told the number of kernels that are left.
    """
    with open_compilers(workers) as submit:
        for notebook in notebooks:
            if not is_warm(notebook) and (paper := find_paper(notebook)):
                compile_notebook(paper, notebook, submit, tell)


@contextlib.contextmanager
def open_compilers(workers):
    """What gives a kernel to compile to one of so many processes; a single one is this one, which is there already."""
    if workers == 1:
        yield call_at_once
        return
    pool = ProcessPoolExecutor(workers, get_context("spawn"), begin_compiler, (os.getpid(),))
    try:
        yield pool.submit
    finally:
        for process in list((pool._processes or {}).values()):
            process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)


def call_at_once(function, *args):
    """Call a function, and return what it returns as a future."""
    job = Future()
    job.set_result(function(*args))
    return job


def compile_notebook(paper, notebook, submit, tell):
    """Compile the kernels of one notebook, and sign for them."""
    jobs = []

    def give(*key):
        jobs.append(submit(compile_one, *key))
        tell(sum(not job.done() for job in jobs))

    find_kernels(paper, give)
    for done, job in enumerate(as_completed(jobs), 1):
        job.result()
        tell(len(jobs) - done)
    sign_of(notebook).touch()


class Ahead:
    """A process in the background that compiles what is not on disk; it ends with us, or by `stop`.

    Parameters
    ----------
    notebooks : sequence of paths
        Those beside which no module stands are passed over.
    tell : callable
        ``tell(left)`` is called, in a thread, with the number of kernels that are left; at the end with 0. May be set
        anew at any time.
    """

    def __init__(self, notebooks, tell=lambda left: None):
        wanted = [str(path) for path in notebooks if not is_warm(path)]
        self.tell, self.process = tell, None
        if wanted:
            call = [sys.executable, "-m", __name__, *wanted, "--ahead", str(os.getpid())]
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


going = {}  # name of a paper -> the one `Ahead` of this process for it


def precompile(module):
    """Begin to compile what the notebook of this module needs; once in a process."""
    file = Path(module)
    notebook = (file.parent if file.stem == "__init__" else file).with_suffix(".ipynb")
    if notebook.stem not in going:
        going[notebook.stem] = Ahead([notebook])


def tell_panel(name, tell):
    """Let a panel say how many kernels of its notebook are left."""
    if name in going:
        going[name].tell = tell


def yield_to_others():
    """Give way to what is waited for: as a process, and as a session, which Linux weighs first."""
    os.nice(NICE)
    with contextlib.suppress(OSError), open("/proc/self/autogroup", "w") as group:
        group.write(str(NICE))


def main(argv=None):
    """Run the command line."""
    text = "Compile the kernels of notebooks."
    parser = argparse.ArgumentParser(prog="python -m banditlab.explorer.precompile", description=text)
    parser.add_argument(
        "notebooks", nargs="*", type=Path, metavar="NOTEBOOK", help="paths (default: notebooks/*.ipynb)"
    )
    parser.add_argument("--ahead", type=int, metavar="PID", help="in the background of this process, and ends with it")
    options = parser.parse_args(argv)
    notebooks = options.notebooks or sorted(Path("notebooks").glob("*.ipynb"), key=reading_order)
    if missing := [str(path) for path in notebooks if not path.is_file()]:
        parser.error(f"there is no notebook {missing[0]}")
    workers = scheduler.count_cores()
    if options.ahead:
        end_with(options.ahead)
        yield_to_others()
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with contextlib.suppress(KeyboardInterrupt):
            compile_notebooks(notebooks, max(1, workers - 1), lambda left: print(left, flush=True))
        return 0
    for path in notebooks:
        told = f"{path.stem}: {{}} kernels left"
        compile_notebooks([path], workers, lambda left, told=told: print(told.format(left), end="  \r", flush=True))
        print(
            f"{path.stem}: all kernels are on disk" if is_warm(path) else f"{path.stem}: no module beside it",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
