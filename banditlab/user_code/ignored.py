"""What Python heeds in a class from outside and compiled code does not: operators of its own, memory never written."""

import dis
import inspect
from types import FunctionType

import numpy as np
from numba.core.typing.templates import builtin_registry

from . import code_identity
from .code_identity import list_codes, refuse_code

ARITHMETIC = "add sub mul matmul truediv floordiv mod divmod pow lshift rshift and or xor".split()
OTHERS = (
    "len getitem iter contains reversed call bool int float index complex hash eq ne lt le gt ge neg pos abs invert "
    "round trunc floor ceil getattr getattribute enter exit new init"
).split()
OPERATORS = {f"__{name}__" for name in [*OTHERS, *ARITHMETIC, *("r" + name for name in ARITHMETIC)]}


def refuse_operators(classes):
    """Refuse classes from outside that define what compiled code takes from the tuple instead.

    Parameters
    ----------
    classes : iterable of type

    Raises
    ------
    TypeError
        With the class, the operator, its line and the cure.
    """
    for cls in sorted(classes, key=lambda cls: cls.__qualname__):
        for name, value in ((name, value) for owner in cls.__mro__ for name, value in vars(owner).items()):
            value = value.__func__ if isinstance(value, staticmethod) else value  # as `__new__` is
            made_up = (getattr(value, "__module__", "") or "").startswith(("namedtuple_", f"{code_identity.PACKAGE}."))
            if name in OPERATORS and isinstance(value, FunctionType) and not made_up:
                what = "compiled code ignores it and treats the instance as a plain tuple"
                cure, code = "make it a method with a name of its own, and call that", value.__code__
                refuse_code(f"{cls.__name__}.{name}", what, code, code.co_firstlineno, cure)


def is_overloaded(function):
    """Whether somebody gave numba another implementation of the function."""
    known = (kind for value, kind in builtin_registry.globals if value is function)
    return any(hasattr(template, "_overload_func") for kind in known for template in getattr(kind, "templates", ()))


MEMORY = "holds whatever lay in memory, so that the same seed may give other numbers"
NAMES = [  # what gives other numbers compiled, why, and what to write instead
    ((np.empty, np.empty_like), MEMORY, "np.zeros or np.zeros_like"),
    ((isinstance, type), "tells numpy's numbers from Python's, which compiled code does not", "leave it out"),
]


GATHERS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS  # compiled in place, the first argument is taken for all


def refuse_kept(method, function):
    """Refuse a function that shares a default, catches errors, gathers or names arguments, or that numba keeps.

    Parameters
    ----------
    method : str
        What the message calls the function.
    function : function

    Raises
    ------
    TypeError
        With the line and the cure.
    """
    code, keywords = function.__code__, function.__kwdefaults__ or {}
    line = code.co_firstlineno
    catches = next((step for step in dis.get_instructions(code) if step.opname == "PUSH_EXC_INFO"), None)
    shared = [value for value in (*(function.__defaults__ or ()), *keywords.values()) if hasattr(value, "__setitem__")]
    if shared:
        what, cure = "has a default that all its calls share", "make it a field, or pass it"
    elif catches is not None:
        what, cure = "catches errors, and compiled code has others than Python", "ask with `if` first; leave `with` out"
        line = next((s.positions.lineno for s in dis.get_instructions(code) if s.opname == "NOP"), line)
    elif gathers := next((one for one in list_codes(code) if one is not code and one.co_flags & GATHERS), None):
        what, cure = f"its inner function `{gathers.co_name}` gathers arguments with a star", "name each argument"
        line = gathers.co_firstlineno
    elif code.co_kwonlyargcount:
        what, cure = "takes an argument by name only", "let it come by position, without the star"
    elif is_overloaded(function):
        what, cure = "has an `overload` of numba's, whose first version numba keeps", "let it compile as it is written"
    else:
        return
    refuse_code(method, what, code, line, cure)


def refuse_names(method, function, found):
    """Refuse a function that names what compiled code computes otherwise: memory never written, types.

    Parameters
    ----------
    method : str
        What the message calls the function.
    function : function
    found : list of (str, object, int)
        What it names: see `guards.list_references`.

    Raises
    ------
    TypeError
        With the line and the cure.
    """
    for name, value, line in found:
        for values, why, instead in NAMES:
            if any(value is one for one in values):
                refuse_code(method, f"{name} {why}", function.__code__, line, instead)
