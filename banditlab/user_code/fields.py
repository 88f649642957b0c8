"""What fields, states and worlds may hold.

A list in a field would be shared by all runs and by the caller: what a method writes into it outlives the run, so
that equal arguments would give other numbers. Arrays are safe: nobody can write to the copies
that `guards.make_read_only` gives.
"""

import enum
from types import FunctionType

import numpy as np

from .code_identity import digest_code, quote_line

ODD = tuple(map(np.dtype, "float16 float32 complex64 uint64".split()))  # compiled code computes with other bits
PLAIN = bool | int | float | complex | np.generic | str | bytes | enum.Enum | None


KINDS = np.ndarray, np.memmap  # others have operators of their own


def is_odd(value):
    """Whether a number's or array's bits are not as compiled code has them."""
    dtype = getattr(value, "dtype", None)
    return dtype in ODD or (isinstance(dtype, np.dtype) and not dtype.isnative)


def refuse_fields(thing):
    """Refuse an environment or a policy with a field that is neither number, string nor array, nor tuples of these."""
    for name, value in zip(thing._fields, thing, strict=True):
        for path, part in find_unfit(value, f"{type(thing).__name__}.{name}", False):
            changes = "; what changes belongs in the state" if is_container(part) else ""
            raise TypeError(f"{path} is {describe_value(part)}: {advise(part)}{changes}{locate_class(type(thing))}")


def locate_class(cls):
    """Where the first method of a class is written, as the last line of a message; empty where nobody can tell."""
    own = [f.__code__ for f in vars(cls).values() if isinstance(f, FunctionType) and f.__module__ == cls.__module__]
    first = min(own, key=lambda code: code.co_firstlineno, default=None)
    return f"\nat {quote_line(first.co_filename, first.co_firstlineno)}" if first else ""


def refuse_first_value(method, value, word):
    """Refuse such a state or world, fresh from the method that makes it. Arrays of several lengths may be in a list."""
    for path, part in find_unfit(value, word, True):
        owner, code = type(method.__self__).__name__, method.__func__.__code__
        place = quote_line(code.co_filename, code.co_firstlineno)
        raise TypeError(f"{owner}.{code.co_name}: {path} is {describe_value(part)}: {advise(part)}\nat {place}")


def find_unfit(value, path, made):
    """The places and values that compiled code cannot hold, or that outlive a run."""
    if isinstance(value, tuple):
        for i, part in enumerate(value):
            step = f".{value._fields[i]}" if hasattr(value, "_fields") else f"[{i}]"
            yield from find_unfit(part, path + step, made)
    elif isinstance(value, np.ndarray):
        if value.dtype.hasobject or is_odd(value) or type(value) not in KINDS:
            yield path, value
    elif made and isinstance(value, list) and value and all(isinstance(part, np.ndarray) for part in value):
        return
    elif not isinstance(value, PLAIN) or isinstance(value, np.void) or is_odd(value):
        yield path, value


def describe_value(value):
    """What the value is, with its article."""
    if type(value) in KINDS:
        return "an array of objects" if value.dtype.hasobject else f"an array of {value.dtype}"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeioAEIO' else 'a'} {name}"


def is_container(value):
    """Whether it is a container of some kind."""
    return hasattr(value, "__len__") or hasattr(value, "__iter__")


def advise(value):
    """What to write instead."""
    if is_odd(value):
        return "make it float64 or int64, or compiled code and Python would compute with other numbers of bits"
    if isinstance(value, np.ndarray):
        return "make it an array of numbers" if type(value) in KINDS else "make it np.array(...)"
    if isinstance(value, dict):
        return "make it a NamedTuple, or arrays"
    if isinstance(value, np.random.Generator | np.random.RandomState):
        return "draw from rng, the argument of the methods"
    if is_container(value):
        return "make it np.array(...)"
    if callable(value):
        return "make it a method, or tabulate it in an array"
    return "make it numbers, strings, arrays or a NamedTuple of these"


def map_arrays(thing, change, kind=np.ndarray):
    """A value with all arrays, or what else is asked for, that it holds changed; the very same where it holds none."""
    if isinstance(thing, kind):
        return change(thing)
    if isinstance(thing, dict):
        return {key: map_arrays(part, change, kind) for key, part in thing.items()}
    if not isinstance(thing, tuple | list):
        return thing
    parts = [map_arrays(part, change, kind) for part in thing]
    if all(new is old for new, old in zip(parts, thing, strict=True)):
        return thing
    return type(thing)(*parts) if hasattr(thing, "_fields") else type(thing)(parts)


def list_arrays(thing):
    """All arrays in a value."""
    if isinstance(thing, np.ndarray):
        return [thing]
    return [array for part in thing for array in list_arrays(part)] if isinstance(thing, tuple | list) else []


def are_same(a, b):
    """Whether two classes are one, or both come from a cell that was run again as it was."""
    return a is b or (a.__qualname__ == b.__qualname__ and hasattr(a, "_fields") and digest_code(a) == digest_code(b))


def are_equal(a, b):
    """Whether two nested values are equal, class by class and bit for bit; numbers of Python and numpy are the same."""
    if isinstance(a, dict | tuple | list):
        if not are_same(type(a), type(b)) or len(a) != len(b):
            return False
        if isinstance(a, dict):
            return list(a) == list(b) and are_equal(list(a.values()), list(b.values()))
        return all(map(are_equal, a, b))
    x, y = np.asarray(a), np.asarray(b)
    if x.dtype.hasobject:
        return type(a) is type(b) and bool(a == b)
    return x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()
