"""Replications of the loop, on threads or on any executor, from one seed sequence."""

import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, wait

import numpy as np

from . import keep, kernel, protocol, usage
from .aliases import Policies, Progress
from .loop import (  # noqa: F401  (some are only to be found here)
    PerRun,
    Work,
    check_actions,
    check_rounds,
    contextual,
    dry_run,
    per_run,
    run,
    streams,
)
from .result import Result
from .validate import LARGEST, whole


def simulate(
    environment: tuple, policies: Policies, horizon: int, runs: int = 1, seed: int = 0,
    checkpoints: int | Sequence[int] | None = None, executor: Executor | None = None, progress: Progress | None = None,
    quantity: str = "regret",
) -> Result:  # fmt: skip
    """Play every policy against the environment and record its expected regret.

    Every run has two random streams, one for the world and one for the policy, so that policies meet the same world
    run by run (common random numbers). The same seed gives the same bits on any number of threads or workers.

    Parameters
    ----------
    environment : NamedTuple or PerRun
        The environment, or `per_run` of a function that draws one.
    policies : mapping or sequence of pairs or NamedTuple
        Name to policy; a policy alone is named after its class.
    horizon : int
        Number of rounds T, at least 1.
    runs : int
        Number of independent runs, at least 1.
    seed : int
        Whole number, at least 0.
    checkpoints : int or sequence of int
        Number of equally spaced rounds at which regret is recorded, 1 to ``horizon``, or these rounds themselves,
        ascending to ``horizon``; by default 200, or every round of a shorter horizon.
    executor : concurrent.futures.Executor, optional
        Where the runs go; threads on this machine by default.
    progress : callable, optional
        ``progress(fraction)`` is called about ten times a second; an exception it raises stops all runs.
    quantity : str
        What the environment's method ``regret`` measures, where it is no regret: "cumulative reward" for one that
        returns expected rewards. It names the column in frames and tables.

    Returns
    -------
    Result
        Regret at the checkpoints, run by run.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or a policy does not fit the environment.

    Examples
    --------
    >>> from banditlab import classic, simulate
    >>> arms = classic.bernoulli([0.3, 0.5, 0.9])
    >>> result = simulate(arms, {"UCB1": classic.ucb1(3), "uniform": classic.uniform(3)}, horizon=1000, runs=20)
    >>> bool(result.paired("uniform", "UCB1")["low"].iloc[-1] > 0)
    True
    """
    horizon, runs = whole("horizon", horizon, 1, LARGEST), whole("runs", runs, 1, LARGEST)
    seed = whole("seed", seed, 0, None)
    checkpoints, recorded = rounds_of(checkpoints, horizon)
    if not isinstance(quantity, str) or quantity in ("", "policy", "run", "t"):
        raise ValueError(f"quantity={quantity!r}: must be a non-empty string other than policy, run and t")
    if progress is not None and not callable(progress):
        raise TypeError(f"progress={progress!r}: must be callable")
    policies = named(policies)
    first = environment.draw(seed, 0) if isinstance(environment, PerRun) else environment
    check(first, policies, horizon)
    settings = dict(
        environment=environment,
        policies=policies,
        horizon=horizon,
        runs=runs,
        seed=seed,
        checkpoints=checkpoints,
        quantity=quantity,
    )
    kept = keep.load(settings)
    if kept is not None:
        if progress is not None:
            progress(1.0)
        usage.saw(kept)
        return kept
    dry_run(first, policies, horizon, seed)
    began = time.perf_counter()
    work = Work(environment, recorded, seed)
    done = (
        on_threads(work, policies, runs, progress)
        if executor is None
        else on_executor(executor, work, policies, runs, progress)
    )
    regret = np.stack([np.concatenate([chunk[0] for chunk in done[name]]) for name in policies])
    tallies = {name: [row for chunk in done[name] for row in chunk[1]] for name in policies}
    result = Result.of(settings, recorded, regret, tallies, time.perf_counter() - began)
    keep.save(result)
    usage.saw(result)
    return result


def rounds_of(checkpoints, horizon):
    """The argument of this name as plain numbers, and the rounds that it stands for."""
    if isinstance(checkpoints, list | tuple | range | np.ndarray):
        rounds = [whole(f"checkpoints[{i}]", t, 1, horizon) for i, t in enumerate(checkpoints)]
        if rounds != sorted(set(rounds)) or rounds[-1:] != [horizon]:
            raise ValueError(f"checkpoints={checkpoints!r}: must ascend to the horizon {horizon}")
        return rounds, np.array(rounds, np.int64)
    count = min(200, horizon) if checkpoints is None else whole("checkpoints", checkpoints, 1, horizon)
    return count, np.unique(np.linspace(0, horizon, count + 1).astype(np.int64)[1:])


def named(policies):
    """The policies as a dict; names must be distinct strings."""
    if not isinstance(policies, type) and protocol.has(policies, "select"):
        return {type(policies).__name__: policies}
    pairs = list(policies.items()) if isinstance(policies, Mapping) else policies
    if not isinstance(pairs, list | tuple) or not all(type(pair) in (list, tuple) and len(pair) == 2 for pair in pairs):
        raise TypeError(f"policies={policies!r}: must be a policy, or a mapping or list of pairs of names and policies")
    if not pairs:
        raise ValueError(f"policies={policies!r}: must name at least one policy")
    seen = set()
    for name, _ in pairs:
        if not isinstance(name, str) or not name:
            raise TypeError(f"policies: the name {name!r} must be a non-empty string")
        if name in seen:
            raise ValueError(f"policies: the name {name!r} stands for two policies; names must be distinct")
        seen.add(name)
    return dict(pairs)


def check(environment, policies, horizon):
    """Refuse what does not follow the protocol or does not fit together."""
    protocol.conform(environment, "environment", protocol.ENVIRONMENT)
    check_rounds(environment, horizon)
    shown = protocol.has(environment, "context")
    if shown:
        protocol.conform(environment, "environment", protocol.CONTEXT)
    for name, policy in policies.items():
        role = f"policies[{name!r}]"
        protocol.conform(policy, role, protocol.CONTEXTUAL if shown else protocol.POLICY)
        check_actions(environment, policy, role)
        if getattr(policy, "horizon", horizon) < horizon:
            raise ValueError(f"horizon={horizon}: {role} was made for a horizon of {policy.horizon}")


def split_progress(progress, n):
    """A progress callback for each of n equal parts of the work."""
    if progress is None:
        return [None] * n
    return [lambda fraction, i=i: progress((i + fraction) / n) for i in range(n)]


def chunks(runs, workers):
    """The run numbers, cut into about four chunks a worker."""
    return [c for c in np.array_split(np.arange(runs), min(runs, 4 * workers)) if len(c)]


def on_threads(work, policies, runs, progress):
    """Run on threads of this process; an exception, Ctrl-C included, stops every kernel within a moment."""
    workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    flags = {name: np.zeros((runs, 2), np.int64) for name in policies}
    calls = {name: {} for name in policies}
    steps = runs * len(policies) * int(work.checkpoints[-1])
    pool = ThreadPoolExecutor(workers)
    try:
        jobs = {
            name: [
                pool.submit(work.play, policy, part, flags[name][part[0] : part[-1] + 1], calls[name])
                for part in chunks(runs, workers)
            ]
            for name, policy in policies.items()
        }
        gather(jobs, progress, lambda: sum(int(f[:, 0].sum()) for f in flags.values()) / steps)
    except BaseException:
        for f in flags.values():
            f[:, 1] = 1
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return {name: [job.result() for job in parts] for name, parts in jobs.items()}


def on_executor(executor, work, policies, runs, progress):
    """Run on any executor: one chunk of runs a task, no shared memory."""
    if not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor={executor!r}: must have the interface of concurrent.futures.Executor")
    things = [work.environment.function] if isinstance(work.environment, PerRun) else [work.environment]
    for cls in {*kernel.classes_in((*things, *policies.values())), *(f for f in things if callable(f))}:
        if cls.__module__ == "__main__" or "<" in cls.__qualname__:
            raise ValueError(
                f"{cls.__qualname__}: defined in a notebook or inside a function, cannot travel to another process; "
                "leave executor=None (threads), or put it into a module"
            )
    workers = getattr(executor, "_max_workers", None) or os.cpu_count()
    jobs = {}
    for name, policy in policies.items():
        code = kernel.fingerprint((work.environment, policy))
        jobs[name] = [executor.submit(remote, code, work, policy, part) for part in chunks(runs, workers)]
    flat = [job for parts in jobs.values() for job in parts]
    try:
        gather(jobs, progress, lambda: sum(job.done() for job in flat) / len(flat))
    except BaseException:
        for job in flat:
            job.cancel()
        raise
    return {name: [job.result() for job in parts] for name, parts in jobs.items()}


def remote(code, work, policy, numbers):
    """One chunk, in another process; refuse to mix two versions of the code."""
    if code != kernel.fingerprint((work.environment, policy)):
        raise RuntimeError("this worker runs banditlab source or classes of another version: restart the executor")
    return work.play(policy, numbers, np.zeros((len(numbers), 2), np.int64), {})


def gather(jobs, progress, fraction):
    """Wait for all jobs, report progress, and raise the first error as soon as it happens."""
    left = {job for parts in jobs.values() for job in parts}
    while left:
        done, left = wait(left, timeout=0.1, return_when="FIRST_EXCEPTION")
        for job in done:
            job.result()
        if progress is not None:
            progress(min(1.0, fraction()))
