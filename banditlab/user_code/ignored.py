"""What Python heeds in a class from outside and compiled code does not: operators of its own, memory never written."""

from types import FunctionType

import numpy as np

from . import code_identity
from .code_identity import quote_line

ARITHMETIC = "add sub mul matmul truediv floordiv mod divmod pow lshift rshift and or xor".split()
OTHERS = (
    "len getitem iter contains reversed call bool int float index complex hash eq ne lt le gt ge neg pos abs invert "
    "round trunc floor ceil getattr getattribute enter exit"
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
            if name in OPERATORS and isinstance(value, FunctionType) and not code_identity.is_ours(value):
                code = value.__code__
                raise TypeError(
                    f"{cls.__name__}.{name}: compiled code ignores it and treats the instance as a plain tuple\n"
                    f"at {quote_line(code.co_filename, code.co_firstlineno)}\n"
                    "cure: make it a method with a name of its own, and call that"
                )


def refuse_empty(method, function, found):
    """Refuse a function that names `np.empty` or `np.empty_like`.

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
        if value is np.empty or value is np.empty_like:
            instead = name.replace("empty", "zeros")
            raise TypeError(
                f"{method}: {name} holds whatever lay in memory, so that the same seed may give other numbers\n"
                f"at {quote_line(function.__code__.co_filename, line)}\n"
                f"cure: {instead}"
            )
