"""What code is this, and whose: the place that tells the package's classes from a reader's, one version from another.

What a class does depends on its own code and on all that this code names (`code_key`). Kernels, kept results and
figures are looked up by it, so that an edited policy, a namesake or a reloaded file never plays old code.
"""

import builtins
import enum
import functools
import hashlib
import inspect
import linecache
import os
import sys
import time
from pathlib import Path
from types import CodeType, FunctionType, MappingProxyType, ModuleType, SimpleNamespace

import llvmlite
import numba
import numpy as np
import scipy

from .. import io


def list_sources(folder):
    """The Python files in a folder; not where compiled kernels come and go meanwhile."""
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        yield from (os.path.join(place, name) for name in files if name.endswith(".py"))


SOURCE = Path(__file__).parents[1]
PACKAGE = SOURCE.name
FILES = sorted([*map(Path, list_sources(SOURCE)), *(SOURCE / "engine").glob("*.ll")])
ENGINE = [file for file in FILES if file.parent.name in ("engine", "user_code")]  # what makes kernels and plays


def stamp_sources():
    """Time and size of every source file; None where one is gone. Looked at ten times a second at most."""
    return stamp_at(int(10 * time.monotonic()))


@functools.lru_cache(1)
def stamp_at(tick):
    """`stamp_sources` in this tenth of a second."""
    try:
        return tuple((s.st_mtime_ns, s.st_size) for s in map(os.stat, FILES))
    except OSError:
        return None


STAMP = stamp_sources()
DIGEST = hashlib.sha256(b"".join(f.read_bytes() for f in FILES)).hexdigest()[:16]
FOREIGN = ("numpy", "numba", "math", "scipy")  # packages whose versions count, not their code
VERSIONS = [sys.version, *(package.__version__ for package in (np, numba, llvmlite, scipy))]
ENGINE_DIGEST = hashlib.sha256(b"".join([*(f.read_bytes() for f in ENGINE), repr(VERSIONS).encode()])).hexdigest()[:16]
HERE_ONLY = "means something in this process only"


HOME = io.find_cache_folder(SOURCE, PACKAGE, f"kernels-{ENGINE_DIGEST}")  # of kernels of exactly this engine


def classes_in(x):
    """The NamedTuple classes of x and of everything in it."""
    if isinstance(x, tuple):
        if type(x) is not tuple:
            yield type(x)
        for y in x:
            yield from classes_in(y)


def is_ours(thing):
    """Whether a class or function was defined in this package."""
    return (thing.__module__ or "").split(".")[0] == PACKAGE


def list_methods(cls):
    """The functions that a class was given by its author, inherited ones too."""
    for c in cls.__mro__:
        for f in vars(c).values() if c.__module__ != "builtins" else ():  # tuple and object have a hundred of C
            f = f.__func__ if isinstance(f, staticmethod) else f
            if isinstance(f, FunctionType) and f.__module__ != "collections" and not f.__name__.startswith("__"):
                yield f


def list_members(cls):
    """Name and value of what a class was given by its author, inherited too: methods, properties, constants."""
    for c in cls.__mro__:
        for name, value in vars(c).items() if c.__module__ not in ("builtins", "typing", "enum") else ():
            value = value.__func__ if isinstance(value, staticmethod | classmethod) else value
            value = value.fget if isinstance(value, property) else value
            if isinstance(value, FunctionType):
                home = value.__module__ or ""
                made_up = home in ("collections", "enum") or home.startswith("namedtuple_")
            else:
                hidden = name.startswith("__") or (issubclass(c, enum.Enum) and name.startswith("_"))
                made_up = hidden or name == "_abc_impl" or name in getattr(c, "_fields", ())
            if not made_up:
                yield name, value


def is_packaged(cls):
    """Whether the class and all its methods are the package's own: a method may have been replaced in a notebook."""
    return is_ours(cls) and all(is_ours(f) for f in list_methods(cls) if not f.__name__.startswith("_"))


def is_importable(thing):
    """Whether another process finds this very class or function under its name, untouched, in a module with a file."""
    if is_ours(thing):
        return not isinstance(thing, type) or is_packaged(thing)
    file = getattr(sys.modules.get(thing.__module__), "__file__", None)
    return bool(file) and thing.__module__ != "__main__" and "<" not in thing.__qualname__


def code_key(thing, used=(), seen=None, outside_only=False):
    """What the code of a class or function depends on, as a nested tuple that is the same in every process.

    Parameters
    ----------
    thing : object
    used : sequence of str
        The names looked up where the thing was found: of a module only those count.
    seen : dict
        What stands above it.
    outside_only : bool
        Whether the package's own untouched code counts by its name: enough where a process compares with itself.
    """
    seen = {} if seen is None else seen
    value = value_key(thing, lambda part: code_key(part, used, seen, outside_only))
    if value is not None:
        return value
    if isinstance(thing, ModuleType):
        return module_key(thing, used, seen, outside_only)
    if id(thing) in seen:
        return "above", seen[id(thing)]
    seen[id(thing)] = len(seen)
    home = getattr(thing, "__module__", None) or getattr(thing, "__name__", "")
    name = home, getattr(thing, "__qualname__", ""), type(thing).__name__
    untouched = isinstance(thing, type) and is_packaged(thing)
    if is_foreign(home, outside_only) or (outside_only and untouched):
        return name
    if isinstance(thing, type):
        members = [(m.name, m.value) for m in thing] if issubclass(thing, enum.Enum) else ()
        parts = [*members, *list_members(thing)]
        return name, getattr(thing, "_fields", ()), *((n, code_key(v, used, seen, outside_only)) for n, v in parts)
    inner = getattr(thing, "py_func", None) or getattr(thing, "__wrapped__", None)
    function = thing if isinstance(thing, FunctionType) else inner
    if not isinstance(function, FunctionType):
        own = isinstance(thing, SimpleNamespace) or not is_foreign(type(thing).__module__, True)  # of a reader's class
        held = code_key(getattr(thing, "__dict__", None), used, seen, outside_only) if own else ()
        return HERE_ONLY, *name, id(thing), held
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    if outside_only and is_ours(function):  # what it was made around may be a reader's
        return name, *(code_key(cell, (), seen, outside_only) for cell in cells)
    used = sorted({name for code in list_codes(function.__code__) for name in code.co_names})
    scope = function.__globals__
    options = getattr(thing, "targetoptions", {}), repr(getattr(thing, "locals", {}))  # of numba: other numbers
    by_name = sorted((function.__kwdefaults__ or {}).items())
    parts = [function.__code__, function.__defaults__, by_name, *cells, *options]
    there = {n: scope[n] for n in used if n in scope}
    there |= {n: b for n in used if n not in scope and isinstance(b := vars(builtins).get(n), FunctionType)}  # patched
    globals_ = [(n, code_key(value, used, seen, outside_only)) for n, value in there.items()]
    return name, *(code_key(part, used, seen, outside_only) for part in parts), *globals_


def plain_type_of(thing):
    """Which of Python's plain types a value is of, or of a subclass: its own `__repr__` may hide its value."""
    return next((kind for kind in (bool, int, float, complex, str, bytes) if isinstance(thing, kind)), None)


def value_key(thing, key):
    """`code_key` of plain values, containers of such and byte code, or None; ``key`` tells it of what they hold."""
    kind = type(thing).__name__
    if isinstance(thing, np.ndarray | np.generic):
        return thing.dtype.str, repr(thing.dtype), thing.shape, thing.flags.f_contiguous, thing.tobytes()
    if isinstance(thing, enum.Enum):
        return type(thing).__module__, str(thing), key(thing.value)
    if (plain := plain_type_of(thing)) is not None:
        own = () if type(thing) is plain else (key(type(thing)),)
        return kind, plain.__repr__(thing), *own
    if isinstance(thing, range | np.dtype | inspect.Signature | inspect.Parameter | None):
        return kind, repr(thing)
    if isinstance(thing, slice):
        return kind, *map(key, (thing.start, thing.stop, thing.step))
    if hasattr(thing, "_fields") and not isinstance(thing, type):
        return key(type(thing)), *map(key, thing)
    if isinstance(thing, dict | MappingProxyType):
        return kind, *((repr(name), key(value)) for name, value in thing.items())
    if isinstance(thing, set | frozenset):
        return kind, *sorted(map(repr, thing))
    if isinstance(thing, functools.partial):
        return kind, *map(key, (thing.func, thing.args, thing.keywords))
    if isinstance(thing, tuple | list):
        return kind, *map(key, thing)
    if isinstance(thing, CodeType):
        counts = thing.co_argcount, thing.co_kwonlyargcount, thing.co_flags, thing.co_exceptiontable
        return thing.co_code, thing.co_names, thing.co_varnames, *counts, *map(key, thing.co_consts)
    return None


def module_key(module, used, seen, outside_only):
    """`code_key` of what is used of a module; modules may name each other."""
    place = id(module), tuple(used)
    if place in seen:
        return "above", seen[place]
    seen[place] = len(seen)
    known = {*vars(module), *getattr(module, "__all__", ())}  # also what it loads only when asked for
    there = {name: getattr(module, name) for name in used if name in known}
    if is_foreign(module.__name__, outside_only):  # its version counts, and what somebody else put there
        there = {name: value for name, value in there.items() if may_be_patched(value)}
    return module.__name__, *((name, code_key(value, used, seen, outside_only)) for name, value in there.items())


@functools.cache
def is_foreign(home, installed):
    """Whether the version of this module's package counts, not its code; with ``installed`` that of any other, too."""
    package = str(home).split(".")[0]
    if package in FOREIGN or package == "__main__" or not installed:
        return package in FOREIGN
    folders = Path(getattr(sys.modules.get(package), "__file__", None) or "").parts
    return package in sys.stdlib_module_names or bool({"site-packages", "dist-packages"} & {*folders})


def may_be_patched(value):
    """Whether a value of a foreign module tells of a change there: a function, a module, a plain number or text."""
    return callable(value) or isinstance(value, ModuleType) or plain_type_of(value) is not None


def classes_from_outside(*things):
    """The reader's own classes in these environments and policies."""
    return frozenset(cls for cls in classes_in(things) if not is_packaged(cls))


def is_lasting_everywhere(known):
    """Whether another process finds the same code under the names of these things, and nothing has changed since."""
    return stamp_sources() == STAMP and all(is_importable(thing) and is_lasting(key) for thing, key in known.items())


def is_lasting(key):
    """Whether a `code_key` means the same in every process."""
    return not isinstance(key, tuple) or (key[:1] != (HERE_ONLY,) and all(map(is_lasting, key)))


def code_keys(things, known=None):
    """The `code_key` of each of these classes and functions; what is not yet in `known` joins it."""
    known = {} if known is None else known
    known.update({thing: code_key(thing) for thing in things if thing not in known})
    return {thing: known[thing] for thing in things}


def digest_code(thing):
    """A hash of the `code_key` of a class or function."""
    return hashlib.sha256(repr(code_key(thing)).encode()).hexdigest()


def fingerprint(things, known=None):
    """A hash of the engine's source and of the code of these things, functions or tuples of NamedTuples."""
    coded = {*classes_in(things), *(thing for thing in things if isinstance(thing, FunctionType))}
    recipes = sorted(repr((thing.__qualname__, key)) for thing, key in code_keys(coded, known).items())
    return hashlib.sha256(repr((ENGINE_DIGEST, recipes)).encode()).hexdigest()[:16]


def list_codes(code):
    """A function's code, and that of all functions written inside it, which are compiled in place."""
    yield code
    for constant in code.co_consts:
        if hasattr(constant, "co_code"):
            yield from list_codes(constant)


def refuse_code(name, what, code, line, cure):
    """Raise the error of something written there that does not compile to what it says."""
    raise TypeError(f"{name}: {what}\nat {quote_line(code.co_filename, line)}\ncure: {cure}")


def quote_line(file, line):
    """File, line and what stands there."""
    text = linecache.getline(file, line).strip()
    return f"{Path(file).name}:{line}" + (f": `{text}`" if text else "")
