"""Names that are looked up when they are first used: whoever only simulates loads neither plots nor widgets."""

from importlib import import_module
from types import ModuleType


def load_later(scope, *modules, **names):
    """Make ``__getattr__`` and ``__dir__`` of a package: its face, part of it loaded when it is first asked for.

    Parameters
    ----------
    scope : dict
        ``globals()`` of the package.
    *modules : str
        Its modules that a user should see.
    **names : str
        Other names, each with the module that defines it.

    Returns
    -------
    find, shown : callable
        ``__getattr__``, which keeps what it found in the package, and ``__dir__``, which shows these names and what the
        package itself imports, but no other module.
    """
    package = scope["__name__"]

    def find(name):
        if name in names:
            found = getattr(import_module(f"{package}.{names[name]}"), name)
        elif name in modules:
            found = import_module(f"{package}.{name}")
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        scope[name] = found
        return found

    def shown():
        here = [name for name, thing in scope.items() if name[0] != "_" and not isinstance(thing, ModuleType)]
        return sorted({*here, *modules, *names})

    return find, shown
