"""A method from outside that never returns is stopped: its thread is named in a word that its compiled loops read.

Who stops whom:

* Whoever wants runs to end sets their flags, and a run ends by itself between two rounds. If it has not done so after
  `GRACE`, it is in a loop of a reader's method: `stop_threads` names its thread in `STOPPED`, which compiled loops read
  at every turn, and raises `NeverReturned` in it where Python runs the method.
* An interrupt reaches the main thread only: `interrupt` stops all others, and says which method did not return.
* In a worker process nobody interrupts; `stop_unwanted` watches whether somebody still waits.
* After an error `give_up` notes the threads that still play; at the end of the process `end_given_up` ends them.
"""

import ctypes
import sys
import threading
import time
import traceback
from concurrent.futures import Future, wait
from contextlib import contextmanager

import numpy as np

from .code_identity import SOURCE, quote_line

STOPPED = np.zeros(1, np.int64)  # the thread whose loops are to stop, 0 for none
watched = set()  # threads that another one looks after
given_up = []  # sets of threads whose tasks nobody waits for
one_at_a_time = threading.Lock()
GLANCE = 0.2  # seconds after which it is looked again whether somebody waits
GRACE = 0.3  # seconds in which a run ends by itself, between two of its rounds
PATIENCE = 0.3  # seconds in which its loops stop
INTERPRETED = ("play_first_action", "play_round", "rehearse")  # where a reader's methods run as Python


class NeverReturned(BaseException):
    """A method was stopped within a loop; not an Exception, so that nothing catches it on its way."""


def stop_threads(playing):
    """Stop the loops of these threads, a set that each leaves by itself, within a moment; compilers go on."""
    with one_at_a_time:
        end, told = time.monotonic() + PATIENCE, set()
        while playing and time.monotonic() < end:
            for ident in list(playing):
                STOPPED[0] = ident
                if ident not in told and plays_interpreted(ident):
                    told.add(ident)
                    raise_in(ident, NeverReturned)
                time.sleep(0.002)
        STOPPED[0] = 0


def keep_stopping(playing):
    """`stop_threads` until all are: on a busy machine a moment may not be enough, and a compilation ends first."""
    while playing:
        stop_threads(playing)
        time.sleep(GRACE)


def raise_in(ident, error):
    """Raise an exception of this class in another thread, as soon as it is back in Python."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(error))


@contextmanager
def stop_unwanted(gone, ask):
    """Stop what this thread plays meanwhile once ``gone()`` says so: ``ask()`` it first, then stop its loops."""
    over, ident = threading.Event(), threading.get_ident()
    playing = {ident}
    watched.add(ident)

    def watch():
        while not over.wait(GLANCE):
            if gone():
                ask()
                while not over.wait(GRACE):  # in a loop of a reader's that never ends
                    stop_threads(playing)
                return

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        playing.clear()
        watched.discard(ident)
        thread.join()


def give_up(playing):
    """Note that nobody waits for these threads, a set that each leaves by itself."""
    with one_at_a_time:
        given_up[:] = [*filter(None, given_up), playing]


def end_given_up():
    """End the threads that nobody waits for, also within a compilation: the process ends, no kernel will be played."""
    for playing in given_up:
        while playing:
            for ident in list(playing):
                raise_in(ident, SystemExit)
            stop_threads(playing)


def plays_interpreted(ident):
    """Whether the thread is in a reader's method as Python runs it, and not in the compiler."""
    frame = sys._current_frames().get(ident)
    codes = [one.f_code for one, _ in traceback.walk_stack(frame)] if frame else []
    return any(code.co_name in INTERPRETED and code.co_filename.startswith(str(SOURCE)) for code in codes)


def is_importing():
    """Whether this thread imports a module: another thread that asks for it would wait for the end of the import."""
    return any(frame.f_code.co_name == "_find_and_load" for frame, _ in traceback.walk_stack(sys._getframe()))


def call_stoppable(loop, args, flags):
    """What the loop returns; from the main thread in another one, so that an interrupt is heard while it plays."""
    another = threading.current_thread() is not threading.main_thread() or threading.get_ident() in watched
    if another or is_importing():
        return loop(*args)
    job, playing = Future(), set()

    def play():
        playing.add(threading.get_ident())
        try:
            job.set_result(loop(*args))
        except BaseException as error:
            job.set_exception(error)
        playing.clear()

    try:
        threading.Thread(target=play, daemon=True).start()
        return job.result()
    except KeyboardInterrupt:
        flags[1] = 1
        raise interrupt([job], playing) from None


def interrupt(jobs, playing):
    """Stop the threads of these jobs, which were asked to end; the interrupt tells which method did not return."""
    wait(jobs, GRACE)
    stop_threads(playing)
    wait(jobs, GRACE if playing else 10)  # a thread that has left its loop is certain to bring its error
    threading.Thread(target=keep_stopping, args=(playing,), daemon=True).start()
    errors = (job.exception() for job in jobs if job.done() and not job.cancelled())
    where = next((say_where(error) for error in errors if isinstance(error, NeverReturned)), "")
    return KeyboardInterrupt(where) if where else KeyboardInterrupt()


def say_where(error):
    """Which method did not return, and the line where it was stopped."""
    if not (frames := [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(str(SOURCE))]):
        return "stopped in a method that did not return"
    return (
        f"stopped in {frames[-1].name}, which did not return\nat {quote_line(frames[-1].filename, frames[-1].lineno)}\n"
        "cure: look at how its loop ends"
    )
