"""Who is to blame: an error of a reader's class is told with its policy, run, round, method and line."""

import copy
import time
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace

import numpy as np

from . import fields, guards, spaces
from .code_identity import classes_from_outside
from .contract import context_marker, has_method, make_streams, play_first_action, show_context
from .endless import NeverReturned, call_stoppable, say_where
from .errors import Refused, explain_error
from .stopping import let_stop


def play_or_explain(loop, args, number, seed, theirs):
    """What the loop returns; an error of a class from outside (`theirs`) is told with its round and line."""
    try:
        found = call_stoppable(loop, args, args[4])
    except Exception as error:
        if theirs:
            raise locate_error(error, loop, args, number, seed) from None
        raise
    regret, checkpoints = found[0], args[2]
    if not np.isfinite(regret).all():
        if theirs:
            raise locate_error(FloatingPointError(f"regret is {regret[-1]}"), loop, args, number, seed) from None
        wrong = int(checkpoints[np.argmin(np.isfinite(regret))])
        raise FloatingPointError(
            f"{name_of(args[1])}, run {number}: regret is {regret[-1]} by round {wrong} (a division by zero?)"
        )
    return found


def name_of(policy):
    """Name of the class of a policy."""
    return type(guards.unwrap_policy(policy)[0]).__name__


def locate_error(error, loop, args, number, seed):
    """The error with round, method and line: the run is played again, its failing round interpreted.

    Compiled, and at every round a checkpoint from the last one that it reached: so the flags tell the round.
    """
    environment, policy, checkpoints, shown, *_ = args
    flags = np.zeros(2, np.int64)
    done = find_last_checkpoint(loop, (environment, policy, checkpoints, shown, flags), seed, number)
    stretch = np.arange(done + 1, min(done + FINE, int(checkpoints[-1])) + 1)
    fine = np.append(checkpoints[checkpoints <= done], stretch)
    t = find_last_checkpoint(loop, (environment, policy, fine, shown, flags), seed, number)
    rngs = make_streams(seed, number)
    try:
        with np.errstate(divide="raise", invalid="raise", over="ignore"):  # of what overflows the compiled error tells
            if t:
                _, world, state = loop(environment, policy, np.array([t]), shown, flags, *rngs)
            else:
                world, state = environment.reset(rngs[0]), policy.init(rngs[1])
            play_round(environment, policy, world, state, t, rngs)
    except Exception as found:
        return explain_error(found, name_of(policy), number, t)
    return explain_error(error, name_of(policy), number, t)


FINE = 1_000_000  # rounds looked at one by one where a run failed


def find_last_checkpoint(loop, args, seed, number):
    """Play a run up to its error: the last checkpoint before it, which the flags, the last argument, hold."""
    checkpoints, flags = args[2], args[-1]
    flags[:] = 0
    try:
        regret = loop(*args, *make_streams(seed, number))[0]
        finite = np.isfinite(regret)
        if not finite.all():
            flags[0] = np.append(0, checkpoints)[np.argmin(finite)]
    except Exception:
        pass  # it is the flags that count
    return int(flags[0])


def play_round(environment, policy, world, state, t, rngs):
    """One round interpreted, for the error that it raises."""
    world_rng, policy_rng = rngs
    inner, space = guards.unwrap_policy(policy)
    maker = inner.update if t else inner.init
    context = show_context(environment, world, t, world_rng)
    with blame_method(state, maker, "state", int(t > 0)):
        action = inner.select(state, *context, t, policy_rng)
    refuse_action(action, space, inner.select)
    with blame_method(world, environment.reset, "world"):
        observation = environment.step(world, action, t, world_rng)
    with blame_method(state, maker, "state", int(t > 0)), blame_environment(observation, environment, inner):
        after = inner.update(state, action, observation, t, policy_rng)
    if after is None and state is not None:
        raise Refused("its state is None", inner.update, "end every branch of `update` with `return` and the state")
    if has_method(inner, "stop"):
        ask_stop(inner, after, t + 1)
    regret = environment.regret(world, action, t)
    if np.ndim(regret) > 0 or not isinstance(regret, int | float | np.number):
        raise Refused(f"its regret {regret!r} is no number", environment.regret, "end every branch with a number")


@contextmanager
def blame_environment(observation, environment, policy):
    """Blame an environment from outside where a policy of the package cannot take what it returned."""
    try:
        yield
    except Exception as error:
        if classes_from_outside(policy) or not classes_from_outside(environment):
            raise
        wrong = f"{type(policy).__name__} cannot take its observation {observation!r} ({error})"
        raise Refused(wrong, environment.step, "return what the policy expects, a number for one reward") from None


def refuse_action(action, space, method):
    """Refuse what is no action, with the method that returned it."""
    if action is None:
        raise Refused("its action is None", method, "return an action in every branch")
    if space is None:
        return
    single = isinstance(space, spaces.Discrete)
    if single and (isinstance(action, bool) or not isinstance(action, int | np.integer)):
        raise Refused(f"its action {action} is no whole number", method, "return a whole number: `int(...)`")
    try:
        space.refuse(action)
    except (IndexError, TypeError):  # the latter where it has no entries
        told = space.told()
        wrong = f"action {action} outside {told.removeprefix('an int from ')}"
        raise Refused(wrong, method, f"return {told}") from None


def ask_answer(environment, policy, state, number, rounds):
    """What a policy answers at the end of a run, None if it gives no answers; what is no action is told."""
    if not has_method(policy, "answer"):
        return None
    try:
        answer = policy.answer(state)
        refuse_action(answer, guards.space_of(environment, answer), policy.answer)
    except Exception as error:
        raise explain_error(error, name_of(policy), number, rounds) from None
    return answer


def ask_stop(policy, state, t):
    """Whether a policy ends its run after t rounds; what is no condition is told."""
    ended = policy.stop(state, t)
    if ended not in (0, 1):
        raise Refused(f"it returned {ended}, neither True nor False", policy.stop, "return a condition in every branch")
    return ended


@contextmanager
def blame_method(made, method, word, ago=0):
    """Blame the method that returned nothing where its None is not what was asked for."""
    try:
        yield
    except (AttributeError, TypeError) as error:
        if made is not None or "NoneType" not in str(error):
            raise
        advice = f"end every branch of `{method.__name__}` with `return` and the {word}"
        raise Refused(f"its {word} is None", method, advice, ago) from None


def rehearse(run, environment, policy, rounds, seed, seconds=0.05):
    """Play some rounds of the loop interpreted, at most for some seconds."""
    try:
        refuse_first_values(environment, policy, seed)
        play_first_rounds(run, environment, policy, rounds, seed, Deadline(seconds))
    except (KeyboardInterrupt, NeverReturned) as error:
        raise type(error)(say_where(error)) from None


def play_first_rounds(run, environment, policy, rounds, seed, flags):
    """The rounds of a rehearsal; an error is told with its round and line."""
    try:
        player = guards.hold_to_actions(environment, policy, play_first_action(environment, policy, seed, 0))
    except Exception:
        player = policy  # the run below raises the same
    asked = SimpleNamespace(stop=partial(ask_stop, policy))
    player = let_stop(guards.Around(player, Unchanged()), policy, flags, asked)
    args = environment, player, np.arange(1, rounds + 1), context_marker(environment), flags, *make_streams(seed, 0)
    try:
        run(*args)
    except Exception as error:
        raise locate_error(error, run, args, 0, seed) from None


class Unchanged:
    """A witness, interpreted: what `select` returned is still the same when `regret` has been asked about it."""

    def before(self, policy, state, t):
        if t and not fields.are_equal(*self.seen):
            update, advice = guards.unwrap_policy(policy)[0].update, "let `select` return a copy: `state.chosen.copy()`"
            raise Refused("it writes into the action, which `regret` is asked about afterwards", update, advice, ago=1)

    def chosen(self, action, t):
        self.seen = action, copy.deepcopy(action)

    def after(self, action, observation, t):
        pass


def refuse_first_values(environment, policy, seed):
    """Refuse a world or a state that holds what no array can replace."""
    world_rng, policy_rng = make_streams(seed, 0)
    for word, method, rng in (("world", environment.reset, world_rng), ("state", policy.init, policy_rng)):
        try:
            made = method(rng)
        except Exception:
            return  # the rehearsal raises the same
        fields.refuse_first_value(method, made, word)


class Deadline:
    """Flags that ask a run to stop after some seconds."""

    def __init__(self, seconds):
        self.end = time.perf_counter() + seconds

    def __getitem__(self, place):
        return time.perf_counter() > self.end

    def __setitem__(self, place, value):
        if place:  # the policy stopped
            self.end = 0.0
