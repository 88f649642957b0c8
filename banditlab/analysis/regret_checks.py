"""The lines of `check_policy` on regret: never negative, and none for the best action."""

import copy
import inspect
import sys

import numpy as np

from ..engine.player import unshare
from ..user_code import code_identity, contract, spaces
from ..user_code.fields import are_equal
from .statistical_checks import FAILED, OPEN, PASSED


def is_documented(thing, word):
    """Whether a class that the thing is made of, or what is beside it in its module, documents this word."""
    names = {cls.__module__ for cls in code_identity.classes_in(thing)}
    there = [f for name in names for f in vars(sys.modules[name]).values() if getattr(f, "__module__", "") == name]
    return any(word in (inspect.getdoc(found) or "") for found in there)


def check_least_regret(pair):
    """the expected regret of a round is never negative"""
    if writes_in_regret(pair):
        return FAILED, "regret changes the world, and whoever asks it twice plays another one: let `step` do that"
    steps = np.diff(pair.play(pair.horizon)[0], prepend=0.0)
    if steps.min() >= -1e-9:
        return PASSED, f"at least {max(steps.min(), 0.0):.3g} in {len(steps)} rounds"
    if is_documented(pair.environment, "realised"):
        return PASSED, f"but for {steps.min():.3g}: the environment says that its regret is realised, not expected"
    return FAILED, f"{steps.min():.3g} in round {int(np.argmin(steps))}: {REGRET}"


def writes_in_regret(pair):
    """Whether the world is another one after `regret` was asked about the first round."""
    environment, (world, rng) = unshare(pair.environment), pair.before(0)
    contract.show_context(environment, world, 0, rng)
    action = contract.play_first_action(environment, pair.policy, pair.seed, 0)
    environment.step(world, action, 0, rng)
    kept = copy.deepcopy(world)
    environment.regret(world, action, 0)
    return not are_equal(kept, world)


REGRET = "regret is that of one round, the best mean minus the mean of the action, and never from the noise"
ROUNDS, ACTIONS = 24, 400  # looked at one by one


def check_best_action(pair):
    """in every round the best action has no regret"""
    if is_documented(pair.environment, "realised"):
        return OPEN, "the environment says that its regret is realised, not expected"
    if (actions := list_actions(pair)) is None:
        return check_drawn_actions(pair)
    rounds = np.unique(np.linspace(0, pair.horizon - 1, ROUNDS).astype(int)).tolist()
    least = np.array([min(found) for found in map(lambda t: regrets_of(pair, actions, t), rounds)])
    t = int(np.argmax(np.abs(least)))
    if abs(least[t]) <= 1e-9:
        return PASSED, f"the least of {len(actions)} actions is 0 in {len(rounds)} rounds of {pair.horizon}"
    return FAILED, f"the least of {len(actions)} actions is {least[t]:.3g} in round {rounds[t]}: {REGRET}"


def check_drawn_actions(pair):
    """`check_best_action` where actions cannot all be looked at: those that a policy without skill plays."""
    if (other := pair.uniform()) is None:
        return OPEN, "the environment declares no actions of which the best one could be sought"
    rounds = min(pair.horizon, ACTIONS)
    least = np.diff(pair.play(rounds, policy=other)[0], prepend=0.0).min()
    if least >= -1e-9:
        return PASSED, f"of {rounds} that were drawn, among more than {ACTIONS}, none has less than 0"
    return FAILED, f"an action that was drawn has {least:.3g}: {REGRET}"


def list_actions(pair):
    """Every action, as the policy would write it; None where they cannot be listed."""
    space, action = pair.space()
    if space is None or space.count() > ACTIONS:
        return None
    if isinstance(action, np.ndarray):
        return [np.asarray(entries, action.dtype) for entries in space.every()]
    if not isinstance(space, spaces.MultiDiscrete):
        return list(space.every())
    listed = map(np.ndarray.tolist, space.every())
    return [type(action)(*entries) if hasattr(action, "_fields") else tuple(entries) for entries in listed]


def regrets_of(pair, actions, t):
    """Regret of each of these actions in round t of a run, had the policy played it there."""
    environment, began = unshare(pair.environment), pair.before(t)
    for action in actions:
        there, rng = copy.deepcopy(began)
        contract.show_context(environment, there, t, rng)
        environment.step(there, action, t, rng)
        yield environment.regret(there, action, t)
