"""The checks on a reader's own classes: before they compile, while they run, and when they fail.

* functions that their methods call, plain ones and those of `njit`, are made helpers;
* numpy's and Python's global random numbers are refused, with the line that draws them;
* what compiled code would make a silent number of is refused: see `ignored`;
* arrays in their fields are read-only, interpreted and compiled: a write is an error before the first run;
* compiled indexing is checked, and an action outside the action space is refused in the round where it happens;
* what is said of a mistake stands in `diagnose` and `errors`: policy, run, round, method, file, line and cure.
"""

import builtins
import dis
import inspect
import random
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import NamedTuple

import numpy as np
from numba.core.dispatcher import Dispatcher

from . import code_identity, fields
from .contract import declared_actions
from .ignored import refuse_kept, refuse_names, refuse_operators
from .spaces import ENDLESS, SPACES, Discrete, Held, MultiDiscrete


def make_read_only(thing):
    """A copy whose arrays cannot be written to."""

    def freeze(array):
        array = array.copy()
        array.flags.writeable = False
        return array

    return fields.map_arrays(thing, freeze)


# What the code of a class reaches.


def list_references(function):
    """What a function's code names, attributes of modules too: (dotted name, object, line)."""
    closure = inspect.getclosurevars(function).nonlocals
    for code in code_identity.list_codes(function.__code__):
        name, value, line = "", None, code.co_firstlineno
        for step in dis.get_instructions(code):
            line = step.positions.lineno or line
            if step.opname in ("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_NAME"):
                scope = closure if step.opname == "LOAD_DEREF" else function.__globals__
                name, value = step.argval, scope.get(step.argval, vars(builtins).get(step.argval))
            elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and isinstance(value, ModuleType):
                name, value = f"{name}.{step.argval}", getattr(value, step.argval, None)
            else:
                continue
            if value is not None:
                yield name, value, line


def list_functions(classes):
    """Every function from outside that these classes' methods can call: its name in a message, it, what it names."""

    def name_methods(cls):
        return [(f"{cls.__name__}.{method.__name__}", method) for method in code_identity.list_methods(cls)]

    ordered = sorted(classes, key=lambda cls: cls.__qualname__)
    todo, seen = [named for cls in ordered for named in name_methods(cls)], set()
    while todo:
        name, function = todo.pop(0)
        if function in seen or code_identity.is_ours(function):
            continue
        seen.add(function)
        found = list(list_references(function))
        yield name, function, found
        for _, value, _ in found:
            if plain := find_plain(value):
                todo.append((f"{name.split(' (')[0]} (through {plain.__name__})", plain))
            elif isinstance(value, type) and hasattr(value, "_fields"):
                todo += name_methods(value)


def find_plain(value):
    """The plain function that this is, or that a reader told numba to compile: numba alone would check nothing.

    None where it is something else, or numba has an idea of its own of it.
    """
    plain = value.py_func if isinstance(value, Dispatcher) else value
    known = not isinstance(plain, FunctionType) or (plain.__module__ or "").split(".")[0] in code_identity.FOREIGN
    return None if known else plain


def is_global_random(value):
    """Whether this is Python's or numpy's global generator, or a method of it."""
    if value is np.random or value is random:
        return True
    owner = getattr(value, "__self__", None) if isinstance(value, BuiltinFunctionType | MethodType) else None
    return owner is random._inst or isinstance(owner, np.random.RandomState)


def prepare_functions(classes):
    """The functions that these classes call, for compiled code to find; what gives other numbers is refused."""
    helpers = []
    refuse_operators(classes)
    for method, function, found in list_functions(classes):
        refuse_names(method, function, found)
        refuse_kept(method, function)
        refuse_operators(value for _, value, _ in found if isinstance(value, type) and hasattr(value, "_fields"))
        for name, value, line in found:
            if is_global_random(value):
                what = f"uses {name}, which the seed of a run does not reach"
                cure = "draw from rng, the argument of the method (a numpy Generator): rng.random()"
                code_identity.refuse_code(method, what, function.__code__, line, cure)
            if find_plain(value):
                helpers.append(value)
    return helpers


# Actions.


class Around(NamedTuple):
    """A policy that plays as another one, while a witness looks on.

    The witness is a NamedTuple with three methods: ``before(policy, state, t)``, ``chosen(action, t)`` and
    ``after(action, observation, t)``. `spaces.Held` is one that stops the run at an action outside an action space.
    """

    policy: object
    witness: object

    around = True

    def init(self, rng):
        return self.policy.init(rng)

    def select(self, state, *seen):  # the context, where one is shown; t, rng
        self.witness.before(self.policy, state, seen[-2])
        action = self.policy.select(state, *seen)
        self.witness.chosen(action, seen[-2])
        return action

    def update(self, state, action, observation, t, rng):
        self.witness.after(action, observation, t)
        return self.policy.update(state, action, observation, t, rng)


def space_of(environment, action):
    """The action space that the environment declares, where it describes actions like this one; else None.

    A number of arms, or the first of several numbers, bounds an action that is a number; numbers of the same length
    as the action bound its entries; a space of `spaces` is itself. Other words of ``actions()`` bound nothing: there
    compiled indexing is checked.
    """
    declared = declared_actions(environment)
    if isinstance(declared, SPACES):
        return declared
    sizes = declared if isinstance(declared, tuple) else (declared,)
    whole = bool(sizes) and all(isinstance(size, int | np.integer) for size in sizes)
    single = np.ndim(action) == 0 and not isinstance(action, tuple)
    if not whole or action is None:
        return None
    if single or (isinstance(declared, int | np.integer) and not code_identity.classes_from_outside(environment)):
        return Discrete(int(sizes[0]))
    return MultiDiscrete(np.array(sizes, np.int64)) if len(sizes) > 1 and np.shape(action) == (len(sizes),) else None


def unwrap_policy(policy):
    """The policy that witnesses were put around, and the action space that it is held to, or None."""
    space = None
    while getattr(type(policy), "around", False):
        witness = getattr(policy, "witness", None)
        policy, space = policy.policy, witness.space if isinstance(witness, Held) else space
    return policy, space


def hold_to_actions(environment, policy, action):
    """The policy, held to the action space of which this action is one, where anybody knows it."""
    space = space_of(environment, action)
    if space is None and isinstance(action, int | np.integer):
        space = Discrete(ENDLESS)  # those from 0: a negative one would count from the end
    return policy if space is None else Around(policy, Held(space))
