"""Settings as text and arrays, and back: what a file of a result holds, without pickle."""

import importlib
import inspect
import sys
import threading
from types import FunctionType

import numpy as np

from ..user_code import code_identity

strangers = {}  # id -> instance whose fields come from a file: no factory has seen whether they fit together
lock = threading.Lock()


def is_strange(*things):
    """Whether one of these, or a part of it, was made from a file."""
    return any(id(x) in strangers or (isinstance(x, tuple | list) and is_strange(*x)) for x in things)


def remember(stranger):
    """Keep in mind that an instance comes from a file, for as long as anybody has it."""
    with lock:
        strangers[id(stranger)] = stranger
        if len(strangers) & (len(strangers) - 1) == 0:  # at 2, 4, 8, ...: looking through them costs nothing then
            forget_the_gone()


def forget_the_gone():
    """Drop the instances that are here only; a tuple takes no weak references, so references are counted."""
    strangers[None] = object()  # nobody has it
    counts = {key: sys.getrefcount(strangers[key]) for key in list(strangers)}
    for key, count in counts.items():
        if count <= counts[None]:
            del strangers[key]


def describe_settings(thing, arrays):
    """The thing as JSON; its arrays are appended to the list."""
    if isinstance(thing, (np.ndarray, np.generic)) and not thing.dtype.hasobject:
        arrays.append(np.asarray(thing))
        return {"array": len(arrays) - 1}
    if isinstance(thing, (str, int, float, bool)) or thing is None:
        return thing
    if isinstance(thing, dict):
        return {"pairs": [[key, describe_settings(value, arrays)] for key, value in thing.items()]}
    if isinstance(thing, FunctionType):
        name = f"{thing.__module__}:{thing.__qualname__}"
        return {"name": name} if code_identity.is_ours(thing) and "<" not in name else {"function": name}
    if hasattr(thing, "_fields"):
        cls = type(thing)
        name, known = f"{cls.__module__}:{cls.__qualname__}", code_identity.is_packaged(cls)
        known = known and "<" not in cls.__qualname__
        told = {"class": name} if known else {"outside": name, "code": code_identity.digest_code(cls)}
        fields = zip(thing._fields, thing, strict=True)
        return {**told, "fields": [[field, describe_settings(value, arrays)] for field, value in fields]}
    if isinstance(thing, (list, tuple)):
        return {"items": [describe_settings(value, arrays) for value in thing], "tuple": isinstance(thing, tuple)}
    raise TypeError(f"{thing!r}: cannot be saved; use numbers, strings, arrays and NamedTuple classes")


def rebuild_settings(data, arrays):
    """What `describe_settings` described; only names of this package are looked up."""
    if not isinstance(data, dict):
        return data
    if "array" in data:
        array = arrays[f"field{data['array']}"]
        return array if array.ndim else array[()]
    if "pairs" in data:
        return {key: rebuild_settings(value, arrays) for key, value in data["pairs"]}
    if "items" in data:
        items = [rebuild_settings(value, arrays) for value in data["items"]]
        return tuple(items) if data["tuple"] else items
    if "name" in data:
        return find_named(data["name"], FunctionType | type)
    if "function" in data:
        return {"outside": data["function"]}
    fields = {name: rebuild_settings(value, arrays) for name, value in data["fields"]}
    if "class" in data:
        made = find_named(data["class"], type)(**fields)
        remember(made)
        return made
    cls = find_imported(data["outside"])
    same = getattr(cls, "_fields", None) == tuple(fields) and code_identity.digest_code(cls) == data.get("code")
    return cls(**fields) if same else {"outside": data["outside"], **fields}


def find_imported(name):
    """The NamedTuple class of this name, if its module is imported already: a file imports nothing."""
    module, _, path = name.partition(":")
    cls = getattr(sys.modules.get(module), path, None)
    known = isinstance(cls, type) and issubclass(cls, tuple) and f"{cls.__module__}:{cls.__qualname__}" == name
    return cls if known and cls.__new__.__module__ == f"namedtuple_{cls.__name__}" else None


def find_named(name, kind):
    """The NamedTuple class or function of this package with that name, and nothing else that its modules can see."""
    module, _, path = name.partition(":")
    if module.split(".")[0] != code_identity.PACKAGE:
        raise ValueError(f"{name} is not part of {code_identity.PACKAGE}")
    thing = importlib.import_module(module)
    for part in path.split("."):
        thing = getattr(thing, part)
    own = isinstance(thing, kind) and f"{thing.__module__}:{thing.__qualname__}" == name
    if isinstance(thing, type):
        own = own and hasattr(thing, "_fields")
    else:  # `random_instances` calls it: nothing but what draws an instance
        own = own and next(iter(inspect.signature(thing).parameters), "") == "seed"
    if not own:
        raise ValueError(f"{name} cannot be made from a file")
    return thing
