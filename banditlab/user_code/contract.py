"""What an environment and a policy are: the methods that each has, and the two random streams of a run."""

import inspect
from types import FunctionType

import numpy as np

from ..validate import is_real
from . import fields, spaces

ENVIRONMENT = {
    "reset": ("self", "rng"),
    "step": ("self", "world", "action", "t", "rng"),
    "regret": ("self", "world", "action", "t"),
}
CONTEXT = {"context": ("self", "world", "t", "rng")}
POLICY = {
    "init": ("self", "rng"),
    "select": ("self", "state", "t", "rng"),
    "update": ("self", "state", "action", "observation", "t", "rng"),
}
EXPLORING = {"stop": ("self", "state", "t"), "answer": ("self", "state")}  # optional
CONTEXTUAL = {**POLICY, "select": ("self", "state", "context", "t", "rng")}


def has_method(thing, name):
    """Whether the class of the thing has a method of this name (a field of this name is none)."""
    return isinstance(getattr(type(thing), name, None), FunctionType)


def hint_at(thing, role):
    """What to write in place of a thing that is neither environment nor policy."""
    kind = thing if isinstance(thing, type) else type(thing)
    if isinstance(thing, FunctionType):
        drawn = f", or, if it draws one from a seed, bl.random_instances({thing.__name__})" * (role == "environment")
        return f": call it, {thing.__name__}(...){drawn}"
    if kind.__module__ == "builtins":
        return ""
    if kind is thing and getattr(kind, "_fields", ()):
        return f": write {kind.__name__}(...), with its fields"
    return f": begin it with `class {kind.__name__}(NamedTuple):` and fields, `arms: int`"


def check_methods(thing, role, contract):
    """Refuse a thing whose methods are not those of the contract.

    Parameters
    ----------
    thing : NamedTuple
        An environment or a policy.
    role : str
        How to call it in the message.
    contract : dict
        Method name to parameter names: `ENVIRONMENT`, `CONTEXT`, `POLICY` or `CONTEXTUAL`.

    Raises
    ------
    TypeError
        If the thing is no NamedTuple with at least one field, or a method is missing, takes another number of
        parameters or has the contract's names in another order, or a field holds what is neither number, string nor
        array, nor tuples of these.
    """
    if not (isinstance(thing, tuple) and getattr(thing, "_fields", ())):
        wanted = "must be an instance of a typing.NamedTuple class with at least one field"
        raise TypeError(f"{role}={thing!r}: {wanted}{hint_at(thing, role)}")
    for name, expected in contract.items():
        method = getattr(type(thing), name, None)
        if not isinstance(method, FunctionType):
            raise TypeError(f"{role}={type(thing).__name__}: has no method {name}({', '.join(expected)})")
        parameters = inspect.signature(method).parameters
        if not fits_by_position(parameters, expected):
            got, why = ", ".join(map(str, parameters.values())), ""
            if name == "select" and len(parameters) != len(expected):
                why = f": the environment shows {'a' if 'context' in expected else 'no'} context"
            raise TypeError(
                f"{role}={type(thing).__name__}: method {name}({got}) must be {name}({', '.join(expected)}){why}"
            )
    fields.refuse_fields(thing)


def fits_by_position(parameters, expected):
    """Whether these arguments fit by position: names are free, but those of the contract stand at their own place."""
    plain = all(one.kind is one.POSITIONAL_OR_KEYWORD and one.default is one.empty for one in parameters.values())
    fits = len(parameters) == len(expected)
    return plain and fits and all(a == b or a not in expected for a, b in zip(parameters, expected, strict=True))


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


def declared_actions(thing):
    """What its method `actions` says, an array or a list as a tuple; () where it has none (a field of this name is
    none)."""
    said = thing.actions() if has_method(thing, "actions") else ()
    if isinstance(said, spaces.Discrete):
        return said.n
    said = said.tolist() if isinstance(said, np.ndarray) else said
    return tuple(said) if isinstance(said, list) else said


def declared_sizes(thing):
    """What `declared_actions` says, the sizes of `multi_discrete` as the tuple that means the same."""
    said = declared_actions(thing)
    return tuple(said.sizes.tolist()) if isinstance(said, spaces.MultiDiscrete) else said


def check_actions(environment, policy, role):
    """Refuse a policy whose actions are not those of the environment: compiled code would read out of bounds."""
    if has_method(environment, "actions") and has_method(policy, "actions"):
        offered, known = declared_sizes(environment), declared_sizes(policy)
        spoken = isinstance(offered, spaces.SPACES) or isinstance(known, spaces.SPACES)
        alike = type(offered) is type(known) and fields.are_equal(offered, known) if spoken else offered == known
        if not alike:
            raise ValueError(f"{role}: plays on actions {known}, but the environment offers {offered}")


def context_marker(environment):
    """The marker that tells `run` whether the environment shows a context."""
    return (1,) if has_method(environment, "context") else ()


def show_context(environment, world, t, rng):
    """What the environment shows in round t: its context alone, or nothing."""
    return (environment.context(world, t, rng),) if context_marker(environment) else ()


def make_streams(seed, number):
    """The generators of world and policy of one run (not ``spawn``: that counts its calls)."""
    return [np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number, k))) for k in (0, 1)]


def play_first_action(environment, policy, seed, number):
    """The action of the first round, played interpreted."""
    world_rng, policy_rng = make_streams(seed, number)
    world, state = environment.reset(world_rng), policy.init(policy_rng)
    return policy.select(state, *show_context(environment, world, 0, world_rng), 0, policy_rng)
