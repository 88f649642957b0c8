"""``python -m banditlab.explorer.precompile``: compile the kernels of notebooks ahead, side by side.

Beside the module of a paper stands a list of the pairs of environment and policy that its runs played. A notebook that
runs, live or for a report, adds what is not in it yet; whoever compiles ahead compiles what it says into the folder of
kernels, and a kernel needed meanwhile is compiled where it is needed. Lines whose classes are gone or have other fields
now are passed over, and left out when the list is next written.
"""

import argparse
import contextlib
import hashlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numba.core.errors import NumbaError

from ..engine import compiling, player, scheduler
from ..io import open_whole
from ..user_code import code_identity
from ..user_code.contract import context_marker, make_streams
from .paper import first_on_path, is_module, reading_order

GLANCE = 0.5  # seconds after which a process looks again whether its parent is there
NICE = 10  # what is compiled ahead gives way to what is waited for


def describe_types(x):
    """What compiled code knows of a value, as JSON: class and fields; type of a number, and dimensions of an array.

    Examples
    --------
    >>> describe_types((0.5, np.zeros((2, 3), int)))
    ['', '<f8', '<i8 2']
    """
    if isinstance(x, tuple):
        kind = type(x)
        return ["" if kind is tuple else f"{kind.__module__}:{kind.__qualname__}", *map(describe_types, x)]
    if isinstance(x, str):
        return "str"
    if isinstance(x, np.ndarray):
        return f"{x.dtype.str} {x.ndim}{' read' * (not x.flags.writeable)}"
    return np.asarray(x).dtype.str


def make_example(text):
    """A value of which `describe_types` says this: zeros, and arrays without entries."""
    if isinstance(text, list):
        cls = pkgutil.resolve_name(text[0]) if text[0] else None
        if cls and not (isinstance(cls, type) and hasattr(cls, "_fields")):
            raise TypeError(f"{text[0]}: must be a NamedTuple class")
        return cls(*map(make_example, text[1:])) if cls else tuple(map(make_example, text[1:]))
    if text == "str":
        return ""
    kind, *dimensions = text.removesuffix(" read").split()
    if not dimensions:
        return np.dtype(kind).type(0)
    array = np.zeros((0,) * int(dimensions[0]), kind)
    array.flags.writeable = not text.endswith(" read")
    return array


def list_file(notebook):
    """The file that lists what the runs of a notebook play: in the folder beside it, or beside it."""
    folder = Path(notebook).resolve().with_suffix("")
    return folder / "kernels.jsonl" if is_module(folder) else folder.with_suffix(".kernels.jsonl")


def read_pairs(notebook):
    """Line of the list to an example of environment and policy, for every line that fits its classes as they are."""
    file, pairs = list_file(notebook), {}
    with first_on_path(Path(notebook).resolve().parent):
        for line in file.read_text(encoding="utf-8").splitlines() if file.is_file() else ():
            with contextlib.suppress(ValueError, TypeError, ImportError, AttributeError):
                pairs[line] = make_example(json.loads(line))
    return pairs


class Recorder:
    """Adds to the list of a notebook what this process compiles, or finds compiled, from now on.

    Parameters
    ----------
    notebook : path
    """

    def __init__(self, notebook):
        self.notebook, self.known, self.lock = notebook, set(read_pairs(notebook)), threading.Lock()

    def __call__(self, environment, policy):
        """Write down this pair, where another process finds its classes."""
        pair = environment, policy
        line = json.dumps(describe_types(pair))
        if line in self.known:
            return
        self.known.add(line)
        if code_identity.is_lasting_everywhere(code_identity.code_keys(set(code_identity.classes_in(pair)))):
            with self.lock, contextlib.suppress(OSError), open_whole(list_file(self.notebook), "w") as file:
                file.writelines(f"{one}\n" for one in sorted({*read_pairs(self.notebook), line}))


def compile_listed(folder, line):
    """Compile one kernel, of classes in the package or in this folder, or find it on disk."""
    with first_on_path(folder):
        environment, policy = make_example(json.loads(line))
    rest = np.zeros(1, np.int64), context_marker(environment), np.zeros(2, np.int64), *make_streams(0, 0)
    player.compile_pair((environment, policy, *rest), code_identity.classes_from_outside(environment, policy))


def sign_of(notebook):
    """The file that says that all kernels of a notebook are there, for exactly this source; None without a disk."""
    path, pairs = Path(notebook).resolve(), list_file(notebook)
    beside = [path.with_suffix(".py"), *sorted(path.with_suffix("").rglob("*.py")), pairs]
    source = b"".join(file.read_bytes() for file in beside if file.is_file())
    made_by = repr((code_identity.DIGEST, compiling.platform())).encode()
    digest = hashlib.sha256(source + made_by).hexdigest()[:16]
    return code_identity.HOME / f"warm-{path.stem}-{digest}" if code_identity.HOME else None


def is_warm(notebook):
    """Whether all kernels that a notebook lists are on disk, or nothing can be kept there."""
    return not list_file(notebook).is_file() or code_identity.HOME is None or sign_of(notebook).exists()


def begin_compiler(parent):
    """Begin a process that compiles: it ends as soon as its parent, of this number, is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that gives it work is told to stop

    def watch():
        while os.getppid() == parent:
            time.sleep(GLANCE)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def compile_notebook(notebook, workers, tell):
    """Compile the kernels that a notebook lists in so many processes, and sign for them.

    Parameters
    ----------
    notebook : path
    workers : int >= 1
        A single one is a thread of this process, which is there already.
    tell : callable
        ``tell(left)`` is told the number of kernels that are left.
    """
    pool = ThreadPoolExecutor(1) if workers == 1 else ProcessPoolExecutor(
        workers, get_context("spawn"), begin_compiler, (os.getpid(),)
    )  # fmt: skip
    folder = str(Path(notebook).resolve().parent)
    try:
        jobs = {pool.submit(compile_listed, folder, line): line for line in read_pairs(notebook)}
        for done, job in enumerate(as_completed(jobs), 1):
            try:
                job.result()
            except (NumbaError, TypeError) as error:  # the fields of its classes hold other types now
                print(f"{notebook}: a pair of its list does not compile: {jobs[job]}: {error}", file=sys.stderr)
            tell(len(jobs) - done)
    finally:
        pool.shutdown(cancel_futures=True)
    sign_of(notebook).touch()


class Ahead(contextlib.AbstractContextManager):
    """A process in the background that compiles what is not on disk; it ends with us, or by `stop`.

    Parameters
    ----------
    notebooks : sequence of paths
        Those that list nothing are passed over.
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

    def __exit__(self, *error):
        if self.process:
            self.process.terminate()


going = {}  # name of a paper -> the one `Ahead` of this process for it


def follow_notebook(module, live):
    """List what the notebook of this module plays and, for a reader, compile ahead what it will; once in a process."""
    file = Path(module)
    notebook = (file.parent if file.stem == "__init__" else file).with_suffix(".ipynb")
    if notebook.stem not in going:
        player.listeners.append(Recorder(notebook))
        going[notebook.stem] = Ahead([notebook] if live else [])


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
    usual = "paths (default: notebooks/*.ipynb)"
    parser.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK", help=usual)
    parser.add_argument("--ahead", type=int, metavar="PID", help="in the background of this process, and ends with it")
    options = parser.parse_args(argv)
    notebooks = options.notebooks or sorted(Path("notebooks").glob("*.ipynb"), key=reading_order)
    if missing := [str(path) for path in notebooks if not path.is_file()]:
        parser.error(f"there is no notebook {missing[0]}")
    workers = max(1, scheduler.count_cores() - bool(options.ahead))
    if options.ahead:
        begin_compiler(options.ahead)
        yield_to_others()
    for path in notebooks:
        name = "" if options.ahead else f"{path.stem}: kernels left: "
        if not is_warm(path):
            compile_notebook(path, workers, lambda left, name=name: print(f"{name}{left}", flush=True))
        if not options.ahead:
            there = "all kernels are on disk" if list_file(path).is_file() else "lists none before its first run"
            print(f"{path.stem}: {there}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
