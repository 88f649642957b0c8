"""Machine code is made of the loop alone, not of all that it has taken in.

Whatever the loop calls (methods, helpers, and what numba compiles for them) is linked into it and optimised with it.
numba makes machine code of each of these as well, and most get an entry for C, though nobody ever calls them on their
own: a seventh of the time that kernels take to compile, a quarter where one is the first of a process. So a function
without an entry for Python, which nothing but compiled code can call, is linked and no more.

numba fills an environment, where a function finds its constants, as soon as that function has machine code. Those of
the inner functions are filled when the loop that has taken them in has some.

All this leans on the inside of one minor version of numba: see `banditlab.lend`.
"""

import contextlib
import functools

from numba import _dynfunc
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.lowering import BaseLower

from .lend import LENDS

make_executable, make_entry_for_c = CPUContext.get_executable, BaseLower.create_cfunc_wrapper
environments = {}  # of inner functions: name -> environment


@contextlib.contextmanager
def linked_only():
    """Compile the loop meanwhile, whose inner functions are linked only, and nothing else: numba's lock is held."""
    with global_compiler_lock:
        if LENDS:
            CPUContext.get_executable, BaseLower.create_cfunc_wrapper = executable, entry_for_c
        try:
            yield
        finally:
            CPUContext.get_executable, BaseLower.create_cfunc_wrapper = make_executable, make_entry_for_c


def is_inner(library, function):
    """Whether a library that is being made holds no entry for Python to this function."""
    if library._finalized:
        return False
    try:
        return library.get_function(function.llvm_cpython_wrapper_name).is_declaration
    except NameError:
        return True


def entry_for_c(lower):
    """What numba adds to a function that Python calls, too."""
    if not is_inner(lower.library, lower.fndesc):
        make_entry_for_c(lower)


def executable(context, library, function, environment):
    """What stands for a function: as numba makes it, or without machine code where it is an inner one."""
    if is_inner(library, function):
        library._finalize_final_module = functools.partial(finish, library)
        library._ensure_finalized()
        environments[context.get_env_name(function)] = environment
        words = function.qualname.split(".")[-1], "inner function", 0, environment, (library,)
        return _dynfunc.make_function(function.lookup_module(), *words)
    made = make_executable(context, library, function, environment)
    for name in {variable.name for variable in library._final_module.global_variables} & environments.keys():
        if library.codegen._engine.get_global_value_address(name):  # 0 where optimising has left it no need
            library.codegen.set_env(name, environments[name])
    return made


def finish(library):
    """What numba does when a library is complete, but for machine code."""
    library._finalize_dynamic_globals()
    library._verify_declare_only_symbols()
    library._finalized = True
