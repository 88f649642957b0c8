"""The only loop; its replications on threads or on any executor, from one seed sequence."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, wait
from typing import NamedTuple

import numpy as np

from . import keep, kernel, protocol, usage
from .aliases import Policies, Progress
from .result import Result
from .validate import LARGEST, whole


def run(environment, policy, checkpoints, contextual, flags, world_rng, policy_rng):
    """Play one run; return cumulative expected regret at the checkpoints, the final world and the final state.

    ``contextual`` is () or (1,): numba drops the branch that does not apply before it types anything.
    ``flags[0]`` is the number of steps done (written), ``flags[1]`` asks the run to stop (read).
    """
    world, state = environment.reset(world_rng), policy.init(policy_rng)
    regret, total, start = np.zeros(len(checkpoints)), 0.0, 0
    for k in range(len(checkpoints)):
        for t in range(start, checkpoints[k]):
            if flags[1]:
                return regret, world, state
            if len(contextual) == 0:
                action = policy.select(state, t, policy_rng)
            else:
                action = policy.select(state, environment.context(world, t, world_rng), t, policy_rng)
            observation = environment.step(world, action, t, world_rng)
            state = policy.update(state, action, observation, t, policy_rng)
            total += environment.regret(world, action, t)
            regret[k] = total  # at every step: without a store the compiler may read flags[1] once for all
        start = flags[0] = checkpoints[k]
    return regret, world, state


class PerRun(NamedTuple):
    """A fresh instance for every run: what `per_run` returns."""

    function: object
    settings: dict

    def draw(self, seed, number):
        """The environment of this run, the same for every policy."""
        if not callable(self.function):  # of a loaded result: a function from outside the package
            raise TypeError(f"function={self.function!r}: must be callable")
        state = np.random.SeedSequence(seed, spawn_key=(number, 2)).generate_state(1, np.uint64)
        return self.function(int(state[0]), **self.settings)


def per_run(function: Callable[..., tuple], **settings: object) -> PerRun:
    """Draw a fresh environment for every run, the same one for all policies.

    Parameters
    ----------
    function : callable
        ``function(seed, **settings)`` returns an environment; ``seed`` is a whole number that depends on the run only.
    **settings
        Passed on to the function.

    Returns
    -------
    PerRun
        To be given to `simulate` as its environment.
    """
    if not callable(function):
        raise TypeError(f"function={function!r}: must be callable")
    return PerRun(function, settings)


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
    seed = whole("seed", seed, 0)
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


def check_rounds(environment, horizon):
    """Refuse an environment that ends before the horizon: compiled code would read out of bounds."""
    if getattr(environment, "horizon", horizon) < horizon:
        raise ValueError(f"horizon={horizon}: the environment has only {environment.horizon} rounds")


def check_actions(environment, policy, role):
    """Refuse a policy whose actions are not those of the environment: compiled code would read out of bounds."""
    if protocol.has(environment, "actions") and protocol.has(policy, "actions"):
        offered, known = environment.actions(), policy.actions()
        if offered != known:
            raise ValueError(f"{role}: plays on actions {known}, but the environment offers {offered}")


def dry_run(environment, policies, horizon, seed):
    """Play classes from outside the package for a moment interpreted: a mistake is then an ordinary Python error."""
    for policy in policies.values():
        if not all(map(kernel.is_packaged, set(kernel.classes_in((environment, policy))))):
            few = np.array([min(horizon, 30)])
            run(environment, policy, few, contextual(environment), Deadline(0.05), *streams(seed, 0))


class Deadline:
    """Flags that ask a run to stop after some seconds."""

    def __init__(self, seconds):
        self.end = time.perf_counter() + seconds

    def __getitem__(self, place):
        return time.perf_counter() > self.end

    def __setitem__(self, place, value):
        pass


def contextual(environment):
    """The marker that tells `run` whether the environment shows a context."""
    return (1,) if protocol.has(environment, "context") else ()


def streams(seed, number):
    """The generators of world and policy of one run (not ``spawn``: that counts its calls)."""
    return [np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number, k))) for k in (0, 1)]


class Work(NamedTuple):
    """What all chunks of runs share."""

    environment: object
    checkpoints: np.ndarray
    seed: int

    def play(self, policy, numbers, flags, calls):
        """Play the runs of these numbers; return (regret, tallies). `calls` keeps the compiled loops of this
        simulation."""
        regret, tallies = np.zeros((len(numbers), len(self.checkpoints))), []
        policy = unshared(policy)
        fixed = not isinstance(self.environment, PerRun)
        if fixed:
            environment = unshared(self.environment)
        for i, number in enumerate(numbers):
            if flags[i, 1]:
                break
            if not fixed:
                environment = self.environment.draw(self.seed, number)
                check_actions(environment, policy, type(policy).__name__)
                check_rounds(environment, int(self.checkpoints[-1]))
            args = (
                environment,
                policy,
                self.checkpoints,
                contextual(environment),
                flags[i],
                *streams(self.seed, number),
            )
            kind = kernel.typeof(environment)
            if kind not in calls:
                calls[kind] = kernel.compile_for(run, *args)
            regret[i], world, state = calls[kind](*args)
            if not np.isfinite(regret[i]).all():
                wrong = int(self.checkpoints[np.argmin(np.isfinite(regret[i]))])
                raise FloatingPointError(
                    f"{type(policy).__name__}, run {number}: regret is {regret[i, -1]} by round {wrong} (a division "
                    f"by zero?)"
                )
            tallies.append(tally(environment, policy, world, state))
        return regret, tallies


def unshared(thing):
    """A copy with arrays of its own: threads that share an array take turns at its reference count."""
    if isinstance(thing, np.ndarray):
        return thing.copy()
    if hasattr(thing, "_fields"):
        return type(thing)(*map(unshared, thing))
    return thing


def tally(environment, policy, world, state):
    """What environment and policy count of a finished run."""
    counts = {}
    for thing in (environment, policy):
        if protocol.has(thing, "tally"):
            counts.update(thing.tally(world, state))
    return counts


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
