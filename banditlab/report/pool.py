"""Several notebooks at once, each in a process: while one concludes, or compiles, another keeps the cores busy."""

import contextlib
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process

from tqdm import tqdm

from ..engine import scheduler

line = 0  # of the terminal, on which this process shows how far its notebook is


@contextlib.contextmanager
def open_crew(workers):
    """What gives work to one of so many processes, and returns a future; a single one is this one."""
    if workers == 1:
        yield scheduler.Here().submit
        return
    context = get_context("forkserver")
    context.set_forkserver_preload([f"{__package__}.run"])  # imported once
    pool = ProcessPoolExecutor(workers, context, begin_worker, (context.RLock(), context.Value("i")))
    with end_with_block(pool):
        yield lambda *call: pool.submit(do_work, *call)


@contextlib.contextmanager
def end_with_block(pool):
    """Let a pool last as long as the block; where that fails its processes end with what they are at."""
    try:
        yield
    except BaseException:
        for process in list((pool._processes or {}).values()):
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def begin_worker(lock, lines):
    """Begin a process: an interrupt reaches it from its parent, as SIGTERM, and lets it end its kernel."""
    global line
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, end_work)
    threading.Thread(target=end_with_parent, daemon=True).start()
    tqdm.set_lock(lock)
    with lines.get_lock():
        line, lines.value = lines.value, lines.value + 1


def do_work(function, *args):
    """Call the function, which an interrupt may end."""
    try:
        return function(*args)
    except SystemExit:  # the kernel has ended; the pool would go on
        os._exit(1)


def end_work(*_):
    """End what is under way, and then the process."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough: the pool says it again
    signal.alarm(10)  # ends the process where the exception is lost: in a finalizer, or just as the work is done
    raise SystemExit(1)


def end_with_parent():
    """End this process when its parent is gone, however that ended; the kernel then ends itself."""
    parent_process().join()
    os._exit(1)


def say_line(text, stream):
    """Write a line, on a terminal in place of the line of progress where the cursor happens to be."""
    clear = "\r\x1b[K" if stream.isatty() else ""
    print(f"{clear}{text}", file=stream, flush=True)
