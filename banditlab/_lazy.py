"""Names that are looked up when they are first used: whoever only simulates loads neither plots nor widgets."""

import ast
import sys
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType


def load_later(scope, *modules, **names):
    """Make ``__getattr__`` and ``__dir__`` of a package: its face, part of it loaded when it is first asked for.

    Its docstring gets a line for each module whose functions it shows, so that help names all there is.

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
    add_contents(scope)

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


def read_stub(file):
    """What the stub beside a package's file imports: its modules, and its names with the modules that hold them."""
    stub = ast.parse(Path(file).with_suffix(".pyi").read_text(encoding="utf-8"))
    pairs = [(alias.name, node.module) for node in stub.body for alias in node.names]
    return [name for name, module in pairs if not module], {name: module for name, module in pairs if module}


def add_contents(scope):
    """Add to a package's docstring what its modules are about, and the functions in them that the package shows."""
    shown = {}
    for name, thing in sorted(scope.items()):
        if isinstance(thing, FunctionType) and name[0] != "_" and thing.__module__.startswith(scope["__name__"] + "."):
            shown.setdefault(thing.__module__, []).append(f"`{name}`")
    if scope["__doc__"]:  # python -OO strips it
        about = {module: sys.modules[module].__doc__.splitlines()[0] for module in shown}
        lines = [f"* {', '.join(names)}. {about[module]}" for module, names in shown.items()]
        scope["__doc__"] = "\n".join([scope["__doc__"].rstrip(), "", *lines, ""])
