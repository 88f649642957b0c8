"""The engine of `simulate` and `sweep`: every run of every cell, cut into tasks, on threads or on any executor."""

import os
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from types import FunctionType

import numpy as np

from . import keep, kernel, usage
from .archive import is_strange
from .loop import PerRun, Work
from .result import Result

TASK = 1.0  # seconds that a task on an executor should take: a cancel waits for one, a lost worker loses one


class Part:
    """One policy in one cell: what is done, what is under way, what a run costs."""

    def __init__(self, work, policy, runs):
        self.work, self.policy, self.runs = work, policy, runs
        self.calls, self.flags = {}, np.zeros((runs, 2), np.int64)
        self.done = {}  # first run of a task -> its regret and tallies

    @property
    def rounds(self):
        """Rounds played."""
        return int(self.flags[:, 0].sum())

    @property
    def horizon(self):
        return int(self.work.checkpoints[-1])

    @property
    def complete(self):
        return sum(len(regret) for regret, _ in self.done.values()) == self.runs

    def regret(self):
        """Regret of all runs, in their order."""
        return np.concatenate([self.done[start][0] for start in sorted(self.done)])

    def tallies(self):
        """Tallies of all runs, in their order."""
        return [row for start in sorted(self.done) for row in self.done[start][1]]


class Cell:
    """One simulation among those in flight: its parts, and its result when they are complete."""

    def __init__(self, settings, recorded):
        self.settings, self.recorded, self.began = settings, recorded, time.perf_counter()
        self.result = keep.load(settings, recorded)
        strange = is_strange(settings["environment"], *settings["policies"].values())
        work = Work(settings["environment"], recorded, settings["seed"], strange)
        kept = self.result is not None
        self.parts = [] if kept else [Part(work, p, settings["runs"]) for p in settings["policies"].values()]

    def finish(self):
        """Assemble and keep the result as soon as everything is there."""
        if self.result is None and all(part.complete for part in self.parts):
            regret = np.stack([part.regret() for part in self.parts])
            tallies = {name: p.tallies() for name, p in zip(self.settings["policies"], self.parts, strict=True)}
            seconds = time.perf_counter() - self.began
            self.result = Result.of(self.settings, self.recorded, regret, tallies, seconds)
            keep.save(self.result)
            self.parts = []  # the result holds all of it


def play_all(cells, executor=None, progress=None):
    """Give every cell its result: all of them are in flight at once, nothing waits for another cell.

    On threads the kernels are stopped by their flags within a moment. An executor shares no memory: of every policy
    in every cell it plays one run first, whose seconds tell how many runs make a task of about `TASK` seconds,
    whatever machine submits them.
    """
    parts = [part for cell in cells for part in cell.parts]
    owner = {id(part): cell for cell in cells for part in cell.parts}
    total = sum(part.runs * part.horizon for part in parts)
    workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    pool = ThreadPoolExecutor(workers) if executor is None else executor
    jobs = {}
    try:
        if executor is not None:
            travels([cell.settings for cell in cells if cell.parts])
        for part in parts:
            for numbers in chunks(part.runs, workers) if executor is None else [np.arange(1)]:
                jobs[submit(pool, executor is None, part, numbers)] = part, numbers
        while jobs:
            for job in wait(jobs, timeout=0.1, return_when=FIRST_COMPLETED)[0]:
                part, numbers = jobs.pop(job)
                regret, tallies, *seconds = job.result()
                part.done[int(numbers[0])] = regret, tallies
                part.flags[numbers, 0] = part.horizon
                if seconds and numbers[0] == 0:
                    for left in pieces(part.runs, *seconds):
                        jobs[submit(pool, False, part, left)] = part, left
                if part.complete:
                    owner[id(part)].finish()
            if progress is not None and total:
                progress(min(1.0, sum(part.rounds for part in parts) / total))
    except BaseException:
        for part in parts:
            part.flags[:, 1] = 1
        for job in jobs:
            job.cancel()
        raise
    finally:
        if executor is None:
            pool.shutdown(wait=False, cancel_futures=True)
    if progress is not None and not total:
        progress(1.0)
    for cell in cells:
        usage.saw(cell.result)


def submit(pool, shared, part, numbers):
    """One task, on a thread that shares our memory or on an executor."""
    if shared:
        flags = part.flags[numbers[0] : numbers[-1] + 1]
        return pool.submit(part.work.play, part.policy, numbers, flags, part.calls)
    return pool.submit(remote, code_of(part), part.work, part.policy, numbers)


def chunks(runs, workers):
    """The run numbers, cut into about four chunks a worker."""
    return [c for c in np.array_split(np.arange(runs), min(runs, 4 * workers)) if len(c)]


def pieces(runs, seconds):
    """All runs but the first, cut into tasks: at least eight where that is worth their travel, none above `TASK`."""
    left = runs - 1
    least = 8 if left * seconds > TASK / 10 else 1
    count = min(left, max(least, int(np.ceil(left * seconds / TASK))))
    return [part for part in np.array_split(np.arange(1, runs), max(count, 1)) if len(part)]


def remote(code, work, policy, numbers):
    """One task, in another process, and its seconds; refuse to mix two versions of the code."""
    if code != fingerprint(work, policy):
        raise RuntimeError("this worker runs banditlab source or classes of another version: restart the executor")
    if numbers[0] == 0:  # compiled before the clock starts
        short = work._replace(checkpoints=np.minimum(work.checkpoints[:1], 1))
        short.play(policy, numbers[:1], np.zeros((1, 2), np.int64), {})
    began = time.perf_counter()
    regret, tallies = work.play(policy, numbers, np.zeros((len(numbers), 2), np.int64), {})
    return regret, tallies, time.perf_counter() - began


def code_of(part):
    """The fingerprint of a part, taken once."""
    if not hasattr(part, "code"):
        part.code = fingerprint(part.work, part.policy)
    return part.code


def fingerprint(work, policy):
    """What environment and policy, and a function that draws environments, depend on."""
    drawn = [part for part in work.environment if isinstance(part, FunctionType)]
    return kernel.fingerprint((work.environment, policy, *drawn))


def travels(settings):
    """Refuse what another process could not find under its name."""
    for given in settings:
        world = given["environment"]
        things = [world.function] if isinstance(world, PerRun) else [world]
        for cls in {*kernel.classes_in((*things, *given["policies"].values())), *(f for f in things if callable(f))}:
            if cls.__module__ == "__main__" or "<" in cls.__qualname__:
                raise ValueError(
                    f"{cls.__qualname__}: defined in a notebook or inside a function, cannot travel to another process;"
                    " leave executor=None (threads), or put it into a module"
                )
