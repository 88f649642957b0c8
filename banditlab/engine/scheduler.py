"""The engine of `simulate` and `sweep`: every run of every cell, cut into tasks, on threads or on any executor."""

import os
import queue
import tempfile
import threading
import time
from collections import deque
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np

from ..evidence import looks, provenance
from ..results import result_cache
from ..results.result import Result
from ..results.settings_json import is_strange
from ..user_code import code_identity, endless
from ..user_code.brevity import brief
from . import workers
from .instances import Drawn, RandomInstances
from .player import Work

FEW = 25_000  # rounds that a task on a thread has at least, once every thread has one: it costs .3 ms to hand out
TASK = 1.0  # seconds that a task on an executor should take: a lost worker loses one
ROOM = 2**28  # bytes of drawn environments that a cell with several policies holds
IN_FLIGHT = 1000  # tasks given away at once, so that nobody has to hold those of a million cells
threading._register_atexit(endless.end_given_up)  # called before the one of `ThreadPoolExecutor`, which waits for all


class Part:
    """One policy in one cell: what is done, what is under way."""

    def __init__(self, cell, work, policy, done):
        self.cell, self.work, self.policy, self.runs = cell, work, policy, cell.settings["runs"]
        self.horizon = int(work.checkpoints[-1])
        self.calls, self.flags = {}, None
        self.done = done  # first run of a task -> its regret and diagnostics
        self.start = sum(len(regret) for regret, _ in self.done.values())  # the first run that is to be played

    @property
    def complete(self):
        return sum(len(regret) for regret, _ in self.done.values()) == self.runs

    def gather(self):
        """Regret and diagnostics of all runs, in their order."""
        regret, diagnostics = zip(*(self.done[start] for start in sorted(self.done)), strict=True)
        return np.concatenate(regret), [row for rows in diagnostics for row in rows]


class Cell:
    """One simulation among those in flight: its parts, and its result when they are complete."""

    def __init__(self, settings, recorded, first):
        self.settings, self.recorded, self.seconds = settings, recorded, 0.0
        self.codes, self.parts = {}, []
        self.path = result_cache.path_of(settings, self.codes, first)
        self.result = result_cache.load_kept(self.path, settings, recorded)
        if self.result is None:
            environment, policies = settings["environment"], settings["policies"].values()
            work = Work(environment, recorded, settings["seed"], is_strange(environment, *policies))
            fewer = self.load_fewer(first)
            done = [runs_of(fewer, p) if fewer else {} for p in range(len(policies))]
            self.parts = [Part(self, work, *pair) for pair in zip(policies, done, strict=True)]
            self.drawn = Drawn(ROOM if len(policies) > 1 else 0)

    def load_fewer(self, first):
        """The kept result of the look before, whose runs are the first of ours; None where there is none."""
        settings = {**self.settings, "runs": looks.runs_before(self.settings["runs"])}
        path = result_cache.path_of(settings, self.codes, first) if settings["runs"] else None
        return result_cache.load_kept(path, settings, self.recorded)

    def finish(self):
        """Assemble and keep the result as soon as everything is there."""
        if self.result is None and all(part.complete for part in self.parts):
            regret, told = zip(*(part.gather() for part in self.parts), strict=True)
            diagnostics = dict(zip(self.settings["policies"], told, strict=True))
            self.result = Result.of(self.settings, self.recorded, np.stack(regret), diagnostics, self.seconds)
            result_cache.save_kept(self.path, self.result)
            self.parts, self.drawn = [], None  # the result holds all of it


def runs_of(result, p):
    """What a policy's runs returned, as if they were a task."""
    own = {name: table[p] for name, table in result.diagnostics.items()}
    return {0: (result.regret[p], [{name: own[name][run] for name in own} for run in range(len(result.regret[p]))])}


def count_cores():
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


class Here(Executor):
    """In place of threads or processes: this thread does at once what it is given."""

    def submit(self, function, *args):
        job = Future()
        try:
            job.set_result(function(*args))
        except Exception as error:
            job.set_exception(error)
        return job


class Threads:
    """Tasks on threads of this machine: they share our memory, so their flags tell and stop."""

    def __init__(self, alone):
        self.workers, self.playing, self.newest = count_cores(), set(), None
        # while this thread imports a module, one that compiles would wait for the import's end
        self.pool = Here() if alone else ThreadPoolExecutor(self.workers)

    def first(self, part):
        """The tasks of a part: all runs that are to be played, in chunks."""
        part.flags = np.zeros((part.runs, 2), np.int64)
        self.newest = part
        return [part.start + numbers for numbers in chunk_runs(part.runs - part.start, part.horizon, self.workers)]

    def submit(self, part, numbers):
        flags = part.flags[numbers[0] : numbers[-1] + 1]
        cell = part.cell
        return self.pool.submit(self.play, part.work, part.policy, numbers, flags, part.calls, cell.codes, cell.drawn)

    def play(self, work, *args):
        """`Work.play`, while the thread is known."""
        ident = threading.get_ident()
        self.playing.add(ident)
        try:
            return work.play(*args)
        finally:
            self.playing.discard(ident)

    def later(self, part, numbers, found):
        return []

    def rounds(self, jobs):
        """Rounds played in the tasks under way."""
        return sum(int(part.flags[numbers, 0].sum()) for part, numbers in jobs)

    def stop(self, jobs, error):
        """Ask all tasks to end; the error to raise: an interrupt says which method of a reader's did not return."""
        # an interrupt may have kept a task of the newest part from being noted in `jobs`
        begun = [*filter(None, [self.newest]), *(part for part, _ in jobs.values())]
        for part in begun:
            part.flags[:, 1] = 1
        self.pool.shutdown(wait=False, cancel_futures=True)
        endless.give_up(self.playing)
        if not any(map(is_from_outside, begun)):
            return error
        told = endless.interrupt(list(jobs), self.playing)
        if isinstance(error, KeyboardInterrupt):
            return told
        if str(told):
            error.add_note(str(told))
        return error


class Elsewhere:
    """Tasks on an executor, in processes or on machines that share nothing with us.

    Of every policy in every cell one run comes first: its seconds tell how many runs make a task of about `TASK`
    seconds, whatever machine submits them.
    """

    def __init__(self, executor, token):
        self.pool, self.token, self.codes = executor, token, {}

    def first(self, part):
        """The first task of a part: one run."""
        return [np.arange(part.start, part.start + 1)]

    def submit(self, part, numbers):
        things = part.work.environment, part.policy
        key = frozenset([*code_identity.classes_in(things), *filter(callable, things[0])])
        if key not in self.codes:
            self.codes[key] = workers.fingerprint_task(part.work, part.policy)
        return self.pool.submit(workers.play_remotely, self.codes[key], self.token, part.work, part.policy, numbers)

    def later(self, part, numbers, found):
        """The other tasks of a part, when the first one told what a run costs."""
        left = cut_into_tasks(part.runs - part.start, found[2]) if numbers[0] == part.start else []
        return [part.start + numbers for numbers in left]

    def rounds(self, jobs):
        return 0  # nobody tells before a task is done

    def stop(self, jobs, error):
        """Tell the executor that nobody waits; the error to raise."""
        for job in jobs:
            job.cancel()
        return error


def is_from_outside(part):
    """Whether a part plays classes of a reader's."""
    environment = part.work.environment
    return isinstance(environment, RandomInstances) or code_identity.classes_from_outside(environment, part.policy)


@contextmanager
def open_pool(executor):
    """Where the tasks go."""
    if executor is None:
        threads = Threads(endless.is_importing())
        try:
            yield threads
        finally:
            threads.pool.shutdown(wait=False, cancel_futures=True)
    else:
        with tempfile.NamedTemporaryFile(prefix="banditlab-") as file:  # lasts as long as somebody waits
            yield Elsewhere(executor, file.name)


def play_all(cells, executor=None, progress=None):
    """Give every cell its result: nothing waits for another cell, the first ones end first."""
    parts = deque(part for cell in cells for part in cell.parts)
    total = sum((part.runs - part.start) * part.horizon for part in parts)
    if executor is not None:
        for cell in cells:
            if cell.parts:
                workers.require_importable(cell.settings)
    with brief(), open_pool(executor) as there:
        play_parts(parts, there, Told(progress, total))
    for cell in cells:
        provenance.saw(cell.result)


def play_parts(parts, there, told):
    """Play all tasks of all parts, a bounded number of them in flight; an exception stops them."""
    jobs, waiting, finished = {}, deque(), queue.SimpleQueue()
    try:
        while parts or waiting or jobs:
            while (parts or waiting) and len(jobs) < IN_FLIGHT:
                if not waiting:
                    part = parts.popleft()
                    waiting.extend((part, numbers) for numbers in there.first(part))
                part, numbers = waiting.popleft()
                job = there.submit(part, numbers)
                jobs[job] = part, numbers
                job.add_done_callback(finished.put)
            try:
                job = finished.get(timeout=0.1)
            except queue.Empty:
                pass
            else:
                part, numbers = jobs.pop(job)
                found = result_of(job)
                part.done[int(numbers[0])] = found[:2]
                part.cell.seconds += found[2]
                waiting.extend((part, left) for left in there.later(part, numbers, found))
                told.done += len(numbers) * part.horizon
                if part.complete:
                    part.cell.finish()
            told.tell(there, jobs)
        told.tell(there, jobs, last=True)
    except BaseException as error:
        raise there.stop(jobs, error) from None


def result_of(job):
    """What a task returned; an executor that gave it up, as dask does whose scheduler was restarted, is named."""
    try:
        return job.result()
    except CancelledError as error:
        cure = "connect anew and call again; cells that had ended are kept where BANDITLAB_KEEP names a folder"
        raise RuntimeError(f"executor: it gave a task up, its scheduler was lost or restarted; {cure}") from error


class Told:
    """What the caller is told of the progress: about ten times a second the share of all rounds that is played."""

    def __init__(self, progress, total):
        self.progress, self.total, self.done, self.last = progress, total, 0, -1.0

    def tell(self, there, jobs, last=False):
        if self.progress is not None and (last or time.monotonic() - self.last > 0.1):
            self.last = time.monotonic()
            self.progress(1.0 if last else min(1.0, (self.done + there.rounds(jobs.values())) / self.total))


def chunk_runs(runs, horizon, workers):
    """The run numbers, cut into about four chunks a worker; into fewer, but one for each, where they are short."""
    count = min(4 * workers, max(workers, runs * horizon // FEW))
    return np.array_split(np.arange(runs), min(runs, count))


def cut_into_tasks(runs, seconds):
    """All runs but the first, cut into tasks of at most `TASK`: up to eight, where an eighth is worth its travel."""
    left = runs - 1
    whole = left * seconds / TASK
    count = min(left, max(int(np.ceil(whole)), min(8, int(np.ceil(8 * whole)))))
    return [part for part in np.array_split(np.arange(1, runs), max(count, 1)) if len(part)]
