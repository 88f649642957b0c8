"""What classes from outside the package are held to: before they compile, while they run, and when they fail.

* plain functions that their methods call are made helpers;
* numpy's and Python's global random numbers are refused, with the line that draws them;
* arrays in their fields are read-only, interpreted and compiled: a write is an error before the first run;
* compiled indexing is checked, and an action outside the action space is refused in the round where it happens;
* an error names policy, run, round, method, file and line, and says what to do, in at most five lines.
"""

import dis
import inspect
import linecache
import random
import re
import traceback
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import NamedTuple

import numpy as np

from . import kernel

HERE = str(Path(__file__).parent)


class CompileError(TypeError):
    """A method that Python runs and the compiler does not."""


def outside(*things):
    """The classes from outside the package in these environments and policies."""
    return {cls for cls in kernel.classes_in(things) if not kernel.is_packaged(cls)}


def read_only(thing):
    """A copy whose arrays cannot be written to."""
    if isinstance(thing, np.ndarray):
        copy = thing.copy()
        copy.flags.writeable = False
        return copy
    return type(thing)(*map(read_only, thing)) if hasattr(thing, "_fields") else thing


# What the code of a class reaches.


def references(function):
    """What a function's code names, attributes of modules too: (dotted name, object, line)."""
    closure, todo = inspect.getclosurevars(function).nonlocals, [function.__code__]
    while todo:
        code = todo.pop()
        todo += [constant for constant in code.co_consts if hasattr(constant, "co_code")]
        name, value, line = "", None, code.co_firstlineno
        for step in dis.get_instructions(code):
            line = step.positions.lineno or line
            if step.opname in ("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_NAME"):
                scope = closure if step.opname == "LOAD_DEREF" else function.__globals__
                name, value = step.argval, scope.get(step.argval)
            elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and isinstance(value, ModuleType):
                name, value = f"{name}.{step.argval}", getattr(value, step.argval, None)
            else:
                continue
            if value is not None:
                yield name, value, line


def reached(classes):
    """Every function from outside that these classes' methods can call, with what it names."""
    todo, seen = [function for cls in classes for function in kernel.methods(cls)], set()
    while todo:
        function = todo.pop()
        if function in seen or kernel.is_ours(function):
            continue
        seen.add(function)
        found = list(references(function))
        yield function, found
        for _, value, _ in found:
            if isinstance(value, FunctionType) and not foreign(value):
                todo.append(value)
            elif isinstance(value, type) and hasattr(value, "_fields"):
                todo += kernel.methods(value)


def foreign(function):
    """Whether numba has an idea of its own of the function."""
    return (function.__module__ or "").split(".")[0] in kernel.FOREIGN


def is_global_random(value):
    """Whether this is Python's or numpy's global generator, or a method of it."""
    if value is np.random or value is random:
        return True
    owner = getattr(value, "__self__", None) if isinstance(value, BuiltinFunctionType | MethodType) else None
    return owner is random._inst or isinstance(owner, np.random.RandomState)


def prepare(classes):
    """Make helpers of the plain functions that these classes call; refuse global random numbers."""
    from .protocol import helper, helpers

    for function, found in reached(classes):
        for name, value, line in found:
            if is_global_random(value):
                raise TypeError(
                    f"{function.__qualname__}: uses {name}, which the seed of a run does not reach\n"
                    f"at {place(function.__code__.co_filename, line)}\n"
                    "cure: draw from rng, the argument of the method (a numpy Generator): rng.random()"
                )
            if isinstance(value, FunctionType) and not foreign(value) and value not in helpers:
                helper(value)


# Actions.


class Discrete(NamedTuple):
    """The actions 0, ..., n - 1."""

    n: int

    def refuse(self, action):
        if action < 0 or action >= self.n:
            raise IndexError("action outside the action space")

    def told(self):
        return f"0 to {self.n - 1}"


class MultiDiscrete(NamedTuple):
    """Vectors and tuples, entry i of which is one of 0, ..., sizes[i] - 1."""

    sizes: np.ndarray  # (entries,)

    def refuse(self, action):
        for i in range(len(self.sizes)):
            if action[i] < 0 or action[i] >= self.sizes[i]:
                raise IndexError("action outside the action space")

    def told(self):
        return f"whole numbers from 0, below {self.sizes.tolist()}"


class Guarded(NamedTuple):
    """A policy that plays as another one, and stops in the round where its action is none."""

    policy: object
    space: object

    around = True

    def init(self, rng):
        return self.policy.init(rng)

    def select(self, state, t, rng):
        action = self.policy.select(state, t, rng)
        self.space.refuse(action)
        return action

    def update(self, state, action, observation, t, rng):
        return self.policy.update(state, action, observation, t, rng)


class ContextGuarded(NamedTuple):
    """`Guarded` for a policy that is shown a context."""

    policy: object
    space: object

    around = True

    def init(self, rng):
        return self.policy.init(rng)

    def select(self, state, context, t, rng):
        action = self.policy.select(state, context, t, rng)
        self.space.refuse(action)
        return action

    def update(self, state, action, observation, t, rng):
        return self.policy.update(state, action, observation, t, rng)


def space_of(environment, action):
    """The action space that the environment declares, where it describes actions like this one; else None.

    A number of arms, or the first of several numbers, bounds an action that is a number; numbers of the same length
    as the action bound its entries. Other words of ``actions()`` bound nothing: there compiled indexing is checked.
    """
    method = getattr(type(environment), "actions", None)
    declared = method(environment) if isinstance(method, FunctionType) else ()  # a field of this name is none
    sizes = declared if isinstance(declared, tuple | list) else (declared,)
    whole = bool(sizes) and all(isinstance(size, int | np.integer) for size in sizes)
    if not whole or action is None:
        return None
    if np.ndim(action) == 0 and not isinstance(action, tuple):
        return Discrete(int(sizes[0]))
    return MultiDiscrete(np.array(sizes, np.int64)) if len(sizes) > 1 and np.shape(action) == (len(sizes),) else None


def inside(policy):
    """The policy that others of ours were put around, and the action space that it is held to, or None."""
    space = None
    while getattr(type(policy), "around", False):
        policy, space = policy.policy, getattr(policy, "space", space)
    return policy, space


def guarded(environment, policy, action, contextual):
    """The policy, held to the action space where one of the two comes from outside the package."""
    space = space_of(environment, action) if outside(environment, policy) else None
    return policy if space is None else (ContextGuarded if contextual else Guarded)(policy, space)


# Errors.


def place(file, line):
    """File, line and what stands there."""
    text = linecache.getline(file, line).strip()
    return f"{Path(file).name}:{line}" + (f": `{text}`" if text else "")


CURES = [  # what a message holds -> what to do
    (
        r"read-?only",
        "the fields of an environment or policy do not change in a run; what changes belongs into the state that "
        "`init` returns (start it from a copy: `self.prior.copy()`)",
    ),
    (r"action outside", "return a whole number of the action space, as `actions()` of the environment declares it"),
    (r"out of (bounds|range)", "an index leaves its array: negative ones and len(array) are none"),
    (r"division by zero|divide by zero|invalid value", "guard the division: an arm that was never pulled has no mean"),
    (r"\bchoice\b", "`rng.choice` does not compile: write `int(n * rng.random())`"),
    (r"\bintegers\b", "`rng.integers(n)` does not compile: write `int(n * rng.random())` or `rng.integers(0, n)`"),
    (r"type of <class 'dict'>|reflected|type of <class 'list'>", "use numbers, strings, arrays and NamedTuple classes"),
    (r"Cannot determine Numba type of <class '([\w.]+)'>", r"a \1 cannot be compiled: tabulate it in an array"),
    (
        r"\bnone\b|NoneType|Optional|is None",
        "a method returns nothing, in some branch at least: `select` returns an action, `update` the state",
    ),
    (r"array index type float|getitem.*float64|setitem.*float64", "an index must be whole: wrap it in `int(...)`"),
    (r"Cannot unify", "a value has one type here and another there: start it as 0.0, or as 0, everywhere"),
    (r"Unknown attribute '(\w+)'", r"there is no `\1`: name a field or method, or draw otherwise from `rng`"),
]


def cure(text, default="see what compiles in CONTRIBUTING.md"):
    """What to do about a message."""
    return next((m.expand(advice) for pattern, advice in CURES if (m := re.search(pattern, text))), default)


def explain(error, classes, args):
    """The compiler's error in a few lines: what, where, cure."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    named = [(file, int(line)) for file, line in re.findall(r'File "([^"]+)", line (\d+)', text)]
    theirs = [(f, n) for f, n in named if not str(Path(f).resolve()).startswith(HERE) and "/numba/" not in f]
    said = [line.strip() for line in text.splitlines() if line.strip()]
    clear = [line for line in said if re.search(r"annot|nknown|nsupported|not supported|No implementation", line)]
    what = re.sub(r", defined at.*|banditlab\.\S+\.", "", min(clear, key=len) if clear else said[0])[:200]
    advice = cure(text)
    if "Cannot unify" in text and (changed := changing_field(args)):
        what, advice = changed, "the types of a state never change: start the field as 0.0, or as 0, everywhere"
    names = ", ".join(sorted(cls.__name__ for cls in classes))
    return CompileError(
        f"{names}: runs in Python but does not compile: {what}\n"
        f"at {place(*theirs[-1]) if theirs else 'a place that the compiler does not name'}\ncure: {advice}"
    )


def changing_field(args):
    """Which field of the state has another type after the first rounds than `init` gave it; "" where none."""
    try:
        environment, policy, _, contextual = args[:4]
        world_rng, policy_rng = np.random.default_rng(0), np.random.default_rng(1)
        world, state = environment.reset(world_rng), policy.init(policy_rng)
        first = state
        for t in range(30):
            context = (environment.context(world, t, world_rng),) if contextual else ()
            action = policy.select(state, *context, t, policy_rng)
            state = policy.update(state, action, environment.step(world, action, t, world_rng), t, policy_rng)
            names = getattr(first, "_fields", None)
            pairs = zip(names, first, state, strict=True) if names else [("state", first, state)]
            for name, a, b in pairs:
                if kernel.typeof(a) != kernel.typeof(b):
                    return f"`{name}` of the state is {kernel.typeof(a)} at first and {kernel.typeof(b)} in round {t}"
    except Exception:  # this is for the message only
        pass
    return ""


def fields(things):
    """The error for a field that compiled code cannot hold."""
    for thing in (thing for thing in things if hasattr(thing, "_fields")):
        for name, value in zip(thing._fields, thing, strict=True):
            try:
                kernel.typeof(value)
            except ValueError:
                if hasattr(value, "_fields"):
                    return fields([value])
                return TypeError(
                    f"{type(thing).__name__}.{name}: holds a {type(value).__name__}, which compiled code cannot\n"
                    "cure: use numbers, strings, arrays and NamedTuple classes (a function becomes a table or a method)"
                )
    return TypeError("an argument cannot be compiled")


class Refused(IndexError):
    """What a method returned is not allowed."""

    def __init__(self, message, method):
        super().__init__(message)
        self.code = method.__func__.__code__


def told(error, role, number, t):
    """An error of interpreted code with policy, run, round, method, file and line, and the cure.

    Its type stays, where it is one of Python's that hold a message only.
    """
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(HERE)]
    message = " ".join(str(error).split())[:300]
    where, line = "", ""
    if isinstance(error, Refused):
        where, line = error.code.co_name, place(error.code.co_filename, error.code.co_firstlineno)
    elif frames:
        where, line = frames[-1].name, place(frames[-1].filename, frames[-1].lineno)
    advice = cure(f"{type(error).__name__}: {error}", "")
    kind = type(error) if type(error).__module__ == "builtins" else RuntimeError
    kind = IndexError if isinstance(error, Refused) else TypeError if "read-only" in str(error) else kind
    text = f"{role}, run {number}, round {t}" + (f", in {where}" if where else "") + f": {message}"
    return kind("\n".join([text, *(["at " + line] if line else []), *(["cure: " + advice] if advice else [])]))
