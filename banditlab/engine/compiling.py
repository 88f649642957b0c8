"""Compiles the loop for the types at hand, and keeps what it compiled.

Three things that numba leaves to us:

* its dispatcher knows a NamedTuple by class *name* and field names only, so a class redefined in a cell, or a
  namesake in another module, would run the old code: kernels are looked up by ``typeof``, which knows the class
  itself, and by what the classes' code depends on (`code_identity.code_key`);
* its cache watches one file: ours lives in a folder named after the hash of the engine's source, and a kernel's name
  holds what the code of its classes depends on, so that editing one policy compiles that policy anew and no other;
* its index file is read, changed and written without a lock: every signature has a folder of its own.
"""

import gc
import hashlib
import os
import shutil
import threading

import numpy as np
from numba import config, njit, typeof
from numba.core import errors
from numba.core.registry import cpu_target

from . import kernel_cache, methods, numba_options

entries = {}
lock = threading.Lock()

# A fork in the middle of a compilation would leave the child with locks that nobody releases: forks wait for its end.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)


def compile_loop(loop, signature, recipes, checked=False, folder=None):
    """Return the loop compiled for these types, from memory or from the disk where it is there already.

    Parameters
    ----------
    loop : function
        What to compile.
    signature : tuple of numba types
        Of its arguments: see `signature_of`.
    recipes : frozenset of (class, code key)
        What the classes in its arguments depend on.
    checked : bool
        Whether an index out of range is an error.
    folder : Path, optional
        Where kernels are kept on disk; None for one that means something in this process only.

    Returns
    -------
    callable
        Takes arguments of exactly these types; bypasses numba's dispatcher, which cannot tell namesakes apart.
    """
    if config.DISABLE_JIT:
        return loop
    key = loop, signature, recipes, checked
    if key not in entries:
        with lock:  # numba compiles one at a time anyway; its configuration and our digests are global
            if key not in entries:
                entries[key] = compile_alone(loop, signature, recipes, checked, folder)
    return entries[key]


def compile_alone(loop, signature, recipes, checked, folder):
    """`compile_loop` while nobody else compiles."""
    methods.checked, collecting = checked, gc.isenabled()
    gc.disable()  # a compilation makes a million objects that live until its end
    try:
        return load_or_compile(loop, signature, recipes, folder)
    finally:
        methods.digests.clear()
        if collecting:
            gc.enable()


def load_or_compile(loop, signature, recipes, folder):
    """The entry point for this signature, from the disk where possible."""
    options = numba_options.ask_loop(methods.checked)
    if folder:
        classes = [(str(t), getattr(getattr(t, "instance_class", None), "__module__", "")) for t in signature]
        kinds = config.BOUNDSCHECK, config.OPT, numba_options.LENDS, methods.checked, platform()
        text = repr((loop.__module__, loop.__qualname__, classes, sorted(map(repr, recipes)), kinds))
        own = folder / hashlib.sha256(text.encode()).hexdigest()[:16]
        try:
            with kernel_cache.open_folder(own) as place, kernel_cache.numba_keeps_in(place):
                return njit(cache=True, **options)(loop).compile(signature)
        except errors.NumbaError:  # the code itself does not compile
            raise
        except Exception:  # disk full, folder gone: a cache is never worth a failed run
            shutil.rmtree(own, ignore_errors=True)
    return njit(**options)(loop).compile(signature)


def platform():
    """What machine code depends on beside source and versions (`code_identity.HOME`): the processor, what it can do."""
    return cpu_target.target_context.codegen().magic_tuple()


def signature_of(args):
    """The types of these arguments; ValueError where compiled code cannot hold one of them."""
    return tuple(map(typeof, args))


def key_of_types(x):
    """What `typeof` tells apart among arguments of the same names, in a small part of its time."""
    if isinstance(x, np.ndarray):
        flags = x.flags
        return type(x), x.dtype, x.ndim, flags.c_contiguous, flags.f_contiguous, flags.writeable, flags.aligned
    if isinstance(x, tuple):
        return type(x), *map(key_of_types, x)
    plain = isinstance(x, float | bool | str | np.generic | None) or (isinstance(x, int) and -(2**63) <= x < 2**63)
    return type(x) if plain else typeof(x)
