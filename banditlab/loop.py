"""The only loop, and what a single run of it needs: streams, instances, guards, errors that say where."""

import time
from collections.abc import Callable
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from . import guard, kernel, protocol, values
from .mistakes import Refused, told
from .validate import is_real


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


class Drawn:
    """Environments that the runs of one policy have drawn, for the other policies: as many as find room.

    Parameters
    ----------
    room : int
        Bytes of arrays that may be held.
    """

    def __init__(self, room):
        self.room, self.held = room, {}

    def hold(self, number, environment):
        """Hold the environment of this run if it finds room."""
        size = size_of(environment)
        if size <= self.room:
            self.room -= size
            self.held[number] = environment


def size_of(thing):
    """Bytes of the arrays in a tuple."""
    if isinstance(thing, tuple):
        return sum(map(size_of, thing))
    return getattr(thing, "nbytes", 0)


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


def horizon_of(thing, role, horizon):
    """For how many rounds an environment or a policy was made; this horizon where it does not say."""
    known = getattr(thing, "horizon", horizon)
    if not is_real(known):
        raise TypeError(f"{role}.horizon={known!r}: must be a number of rounds, or no field of this name")
    return known


def check_rounds(environment, horizon):
    """Refuse an environment that ends before the horizon: compiled code would read out of bounds."""
    if horizon_of(environment, "environment", horizon) < horizon:
        raise ValueError(f"horizon={horizon}: the environment has only {environment.horizon} rounds")


def check_actions(environment, policy, role):
    """Refuse a policy whose actions are not those of the environment: compiled code would read out of bounds."""
    if protocol.has(environment, "actions") and protocol.has(policy, "actions"):
        offered, known = environment.actions(), policy.actions()
        if offered != known:
            raise ValueError(f"{role}: plays on actions {known}, but the environment offers {offered}")


def contextual(environment):
    """The marker that tells `run` whether the environment shows a context."""
    return (1,) if protocol.has(environment, "context") else ()


def streams(seed, number):
    """The generators of world and policy of one run (not ``spawn``: that counts its calls)."""
    return [np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number, k))) for k in (0, 1)]


def unshared(thing):
    """A copy with arrays of its own: threads that share an array take turns at its reference count.

    Arrays of classes from outside the package are read-only besides.
    """
    return guard.read_only(thing) if guard.outside(thing) else copied(thing)


def copied(thing):
    """A copy with copies of all arrays."""
    if isinstance(thing, np.ndarray):
        return thing.copy()
    return type(thing)(*map(copied, thing)) if hasattr(thing, "_fields") else thing


def first_action(environment, policy, seed, number):
    """The action of the first round, played interpreted."""
    world_rng, policy_rng = streams(seed, number)
    world, state = environment.reset(world_rng), policy.init(policy_rng)
    context = (environment.context(world, 0, world_rng),) if contextual(environment) else ()
    return policy.select(state, *context, 0, policy_rng)


class Work(NamedTuple):
    """What all runs of a policy share."""

    environment: object
    checkpoints: np.ndarray
    seed: int
    careful: bool = False  # its classes' fields come from a file

    def play(self, policy, numbers, flags, calls, codes=None, drawn=None):
        """Play the runs of these numbers; return (regret, tallies, CPU seconds). `calls` keeps the compiled loops of
        this simulation, `codes` what its classes depend on, `drawn` the environments of its runs."""
        began, regret, tallies = time.thread_time(), np.zeros((len(numbers), len(self.checkpoints))), []
        policy, fresh, drawn = unshared(policy), isinstance(self.environment, PerRun), drawn or Drawn(0)
        environment = action = known = None
        for i, number in enumerate(numbers):
            if flags[i, 1]:
                break
            if fresh or environment is None:
                environment = self.instance(policy, number, drawn)
                kind = kernel.kind(environment)
                if kind != known:  # classes alone decide these
                    known, shown, strange = kind, contextual(environment), guard.outside(environment, policy)
                if strange and action is None:
                    action = first_action(environment, policy, self.seed, number)
                player = guard.guarded(environment, policy, action, shown) if strange else policy
            args = environment, player, self.checkpoints, shown, flags[i], *streams(self.seed, number)
            if kind not in calls:
                calls[kind] = kernel.compile_for(run, *args, careful=self.careful, codes=codes)
            regret[i], world, state = played(calls[kind], args, number, self.seed)
            tallies.append(tally(environment, policy, world, state))
        return regret, tallies, time.thread_time() - began

    def instance(self, policy, number, drawn):
        """The environment of this run, with arrays of its own; a drawn one is checked."""
        if not isinstance(self.environment, PerRun):
            return unshared(self.environment)
        environment = drawn.held.get(number)
        if environment is None:
            environment = self.environment.draw(self.seed, number)
            values.refuse_fields(environment)
            drawn.hold(number, environment)
        environment = unshared(environment)
        check_actions(environment, policy, type(policy).__name__)
        check_rounds(environment, int(self.checkpoints[-1]))
        return environment


def played(loop, args, number, seed):
    """What the loop returns; an error of a class from outside is told with its round and line."""
    try:
        found = loop(*args)
    except Exception as error:
        if guard.outside(*args[:2]):
            raise located(error, loop, args, number, seed) from None
        raise
    regret, checkpoints = found[0], args[2]
    if not np.isfinite(regret).all():
        if guard.outside(*args[:2]):
            raise located(FloatingPointError(f"regret is {regret[-1]}"), loop, args, number, seed) from None
        wrong = int(checkpoints[np.argmin(np.isfinite(regret))])
        raise FloatingPointError(
            f"{name_of(args[1])}, run {number}: regret is {regret[-1]} by round {wrong} (a division by zero?)"
        )
    return found


def name_of(policy):
    """Name of the class of a policy."""
    return type(guard.inside(policy)[0]).__name__


def located(error, loop, args, number, seed):
    """The error with round, method and line: the run is played again, its failing round interpreted.

    Compiled, and at every round a checkpoint from the last one that it reached: so the flags tell the round.
    """
    environment, policy, checkpoints, shown, *_ = args
    flags = np.zeros(2, np.int64)
    done = reached(loop, (environment, policy, checkpoints, shown, flags), seed, number)
    stretch = np.arange(done + 1, min(done + FINE, int(checkpoints[-1])) + 1)
    fine = np.append(checkpoints[checkpoints <= done], stretch)
    t, rngs = reached(loop, (environment, policy, fine, shown, flags), seed, number), streams(seed, number)
    try:
        with np.errstate(divide="raise", invalid="raise"):
            if t:
                _, world, state = loop(environment, policy, np.array([t]), shown, flags, *rngs)
            else:
                world, state = environment.reset(rngs[0]), policy.init(rngs[1])
            play_round(environment, policy, world, state, t, rngs)
    except Exception as found:
        return told(found, name_of(policy), number, t)
    return told(error, name_of(policy), number, t)


FINE = 1_000_000  # rounds looked at one by one where a run failed


def reached(loop, args, seed, number):
    """Play a run up to its error: the last checkpoint before it, which the flags, the last argument, hold."""
    checkpoints, flags = args[2], args[-1]
    flags[:] = 0
    try:
        regret = loop(*args, *streams(seed, number))[0]
        finite = np.isfinite(regret)
        if not finite.all():
            flags[0] = np.append(0, checkpoints)[np.argmin(finite)]
    except Exception:
        pass  # it is the flags that count
    return int(flags[0])


def play_round(environment, policy, world, state, t, rngs):
    """One round interpreted, for the error that it raises."""
    world_rng, policy_rng = rngs
    inner, space = guard.inside(policy)
    maker = inner.update if t else inner.init
    context = (environment.context(world, t, world_rng),) if contextual(environment) else ()
    with blamed(state, maker, "state", int(t > 0)):
        action = inner.select(state, *context, t, policy_rng)
    refuse_action(action, space, inner.select)
    with blamed(world, environment.reset, "world"):
        observation = environment.step(world, action, t, world_rng)
    with blamed(state, maker, "state", int(t > 0)), seen(observation, environment, inner):
        after = inner.update(state, action, observation, t, policy_rng)
    if after is None and state is not None:
        raise Refused("its state is None", inner.update, "end every branch of `update` with `return` and the state")
    regret = environment.regret(world, action, t)
    if np.ndim(regret) > 0 or not isinstance(regret, int | float | np.number):
        raise Refused(f"its regret {regret!r} is no number", environment.regret, "end every branch with a number")


@contextmanager
def seen(observation, environment, policy):
    """Blame an environment from outside where a policy of the package cannot take what it returned."""
    try:
        yield
    except Exception as error:
        if guard.outside(policy) or not guard.outside(environment):
            raise
        wrong = f"{type(policy).__name__} cannot take its observation {observation!r} ({error})"
        raise Refused(wrong, environment.step, "return what the policy expects, a number for one reward") from None


def refuse_action(action, space, method):
    """Refuse what is no action, with the method that returned it."""
    if action is None:
        raise Refused("its action is None", method, "return an action in every branch")
    if space is None:
        return
    single = isinstance(space, guard.Discrete)
    if single and (isinstance(action, bool) or not isinstance(action, int | np.integer)):
        raise Refused(f"its action {action} is no whole number", method, "return a whole number: `int(...)`")
    try:
        space.refuse(action)
    except IndexError:
        advice = f"return {'an int from ' if single else ''}{space.told()}"
        raise Refused(f"action {action} outside {space.told()}", method, advice) from None


@contextmanager
def blamed(made, method, word, ago=0):
    """Blame the method that returned nothing where its None is not what was asked for."""
    try:
        yield
    except (AttributeError, TypeError) as error:
        if made is not None or "NoneType" not in str(error):
            raise
        advice = f"end every branch of `{method.__name__}` with `return` and the {word}"
        raise Refused(f"its {word} is None", method, advice, ago) from None


rehearsed = set()  # code that was played interpreted in this process


def dry_run(environment, policies, horizon, seed):
    """Play classes from outside the package for a moment interpreted: a mistake is then an ordinary Python error.

    Once for every code: later calls differ in values only, and what these break is told when it happens.
    """
    for policy in policies.values():
        classes = set(kernel.classes_in((environment, policy)))
        if not guard.outside(environment, policy):
            continue
        code = frozenset((cls, kernel.code_key(cls)) for cls in classes)
        if code not in rehearsed:
            guard.prepare(guard.outside(environment, policy))
            rehearse(unshared(environment), unshared(policy), min(horizon, 30), seed)
            rehearsed.add(code)


def rehearse(environment, policy, rounds, seed, seconds=0.05):
    """Play some rounds interpreted, at most for some seconds."""
    shown, few = contextual(environment), np.arange(1, rounds + 1)
    refuse_made(environment, policy, seed)
    try:
        player = guard.guarded(environment, policy, first_action(environment, policy, seed, 0), shown)
    except Exception:
        player = policy  # the run below raises the same
    args = environment, player, few, shown, Deadline(seconds), *streams(seed, 0)
    try:
        run(*args)
    except Exception as error:
        raise located(error, run, args, 0, seed) from None


def refuse_made(environment, policy, seed):
    """Refuse a world or a state that holds what no array can replace."""
    world_rng, policy_rng = streams(seed, 0)
    for word, method, rng in (("world", environment.reset, world_rng), ("state", policy.init, policy_rng)):
        try:
            made = method(rng)
        except Exception:
            return  # the rehearsal raises the same
        values.refuse_made(method, made, word)


class Deadline:
    """Flags that ask a run to stop after some seconds."""

    def __init__(self, seconds):
        self.end = time.perf_counter() + seconds

    def __getitem__(self, place):
        return time.perf_counter() > self.end

    def __setitem__(self, place, value):
        pass


def tally(environment, policy, world, state):
    """What environment and policy count of a finished run."""
    counts = {}
    for thing in (environment, policy):
        if protocol.has(thing, "tally"):
            found = thing.tally(world, state)
            if not isinstance(found, dict):
                raise TypeError(f"{type(thing).__name__}.tally: must return a dict of numbers by name, got {found!r}")
            counts.update(found)
    return counts
