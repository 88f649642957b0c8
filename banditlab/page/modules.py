"""Modules for a page by the types of a pair: built in a process of its own, kept by what their code depends on."""

import gc
import hashlib
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np

from .. import io
from ..engine import compiling, numba_options
from ..engine.methods import helper
from ..user_code import code_identity, guards
from ..user_code.contract import context_marker, has_method

HERE = Path(__file__).parent
MAKERS = ("entry", "link", "mathematics", "object_file", "retarget", "seeding", "trigonometry")
SOURCES = [*(HERE / f"{name}.py" for name in MAKERS), *sorted(HERE.glob("*.ll"))]  # what makes the modules
DIGEST = hashlib.sha256(b"".join(file.read_bytes() for file in SOURCES)).hexdigest()[:16]
HOME = io.find_cache_folder(
    code_identity.SOURCE, code_identity.PACKAGE, f"pages-{code_identity.ENGINE_DIGEST}-{DIGEST}"
)
SEAL = 32  # bytes of the checksum before a module that is kept
NICE = 10  # a page's modules give way to what is waited for
machine = None  # of a process that builds


class Kind(NamedTuple):
    """What a module is built for."""

    environment: object  # types of numba
    policy: object
    shown: tuple  # the marker that the loop takes
    classes: frozenset  # of environment and policy, the reader's too

    def codes(self):
        """The code keys of its classes."""
        return code_identity.code_keys(self.classes)

    def key(self):
        """A name that changes with whatever the module depends on."""
        names = [(str(t), t.instance_class.__module__) for t in (self.environment, self.policy)]
        recipes = sorted(map(repr, self.codes().items()))
        text = repr((names, self.shown, recipes, numba.__version__, numba_options.LENDS))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def kind_of(environment, policy):
    """The `Kind` of an environment, or a recipe that draws one, and a policy."""
    kinds, made = compiling.signature_of((environment, policy)), environment
    if has_method(environment, "draw"):
        made = environment.draw(np.random.default_rng(0))
    return Kind(*kinds, context_marker(made), frozenset(code_identity.classes_in((environment, made, policy))))


def build_modules(kinds, workers=1):
    """Build what is not kept yet.

    Parameters
    ----------
    kinds : iterable of Kind
    workers : int >= 1
        Processes side by side.

    Returns
    -------
    dict of Kind to bytes or str
        The module, or one sentence: why a page cannot play such a pair.
    """
    found = {kind: refusal(kind) or kept(kind) for kind in dict.fromkeys(kinds)}
    missing = [kind for kind, module in found.items() if module is None]
    if missing:
        with ProcessPoolExecutor(min(workers, len(missing)), get_context("spawn"), begin_builder) as pool:
            for kind, module in zip(missing, pool.map(build_one, missing), strict=True):
                found[kind] = module
                if HOME and isinstance(module, bytes):
                    with io.open_whole(path_of_module(kind)) as file:
                        file.write(hashlib.sha256(module).digest() + module)
    return found


def refusal(kind):
    """Why no other process can build this kind, or None."""
    if not numba_options.PINNED:
        return f"numba {numba.__version__} makes no modules for pages, 0.68 does"
    if not code_identity.is_lasting_everywhere(kind.codes()):
        return "a class that stands in no file, or whose file has changed since, plays in no page"
    return None


def path_of_module(kind):
    """The file in which the module of this kind is kept."""
    return HOME / f"{kind.key()}.wasm"


def kept(kind):
    """The module of this kind as it was sealed, or None."""
    if not HOME or not path_of_module(kind).is_file():
        return None
    data = path_of_module(kind).read_bytes()
    return data[SEAL:] if hashlib.sha256(data[SEAL:]).digest() == data[:SEAL] else None


def begin_builder():
    """Take over a process that builds."""
    global machine
    from .retarget import retarget_numba

    os.nice(NICE)
    gc.disable()  # a compilation makes a million objects that live until its end
    machine = retarget_numba()


def build_one(kind):
    """Build a module in a process that `begin_builder` has taken over, or say why there is none."""
    from .link import compile_module

    theirs = {cls for cls in kind.classes if not code_identity.is_packaged(cls)}
    for function in guards.prepare_functions(theirs):
        helper(function)
    try:
        return compile_module(kind.environment, kind.policy, kind.shown, bool(theirs), machine)
    except Exception as error:  # whatever numba or LLVM refuses: the page then has what it has without
        return f"{type(error).__name__}: {(str(error).splitlines() or ['no words'])[0]}"
