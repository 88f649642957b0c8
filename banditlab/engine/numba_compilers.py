"""numba's compiler with a lowering of ours: from its typed code to that of LLVM.

The loop takes in whatever it calls, and is optimised as a whole. numba optimises each method as well and makes machine
code of it, though nobody ever calls it on its own: a quarter of the time that kernels take to compile.

All this leans on the inside of one minor version of numba: `numba_options` imports it with no other.
"""

from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

from .numba_checks import Checking
from .numba_overlaps import Copying
from .numba_refcounts import Counting, Lending
from .numba_writes import STEPS

environments = {}  # where methods find their constants, by the names under which code looks for them


def finish_library(library):
    """End a library's making without turning it into machine code."""
    library._finalize_dynamic_globals()
    library._verify_declare_only_symbols()
    library._finalized = True


class Linked(JITCodeLibrary):
    """The code of a method, as others take it in."""

    _finalize_final_module = finish_library

    def _optimize_final_module(self):
        """The loop does so."""


def stand_in(library, description, environment):
    """What stands for a compiled function that cannot be called."""
    name = description.qualname.split(".")[-1]
    return _dynfunc.make_function(description.lookup_module(), name, "no machine code", 0, environment, (library,))


class ToLink(NativeLowering):
    """A method's way, which ends before machine code is made."""

    def run_pass(self, state):
        context = state.targetctx
        state.library = Linked(context.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        state.flags.no_compile = True
        super().run_pass(state)
        made = state["cr"]
        state["cr"] = made._replace(cfunc=stand_in(state.library, made.fndesc, made.env))
        context.insert_user_function(state["cr"].cfunc, made.fndesc, [state.library])
        state.reload_init.extend(state.library._reload_init)
        environments[context.get_env_name(made.fndesc)] = made.env
        return True


class ToRun(NativeLowering):
    """The loop's way, after which the methods in it find their constants, as far as they still need them."""

    def run_pass(self, state):
        super().run_pass(state)
        maker = state.targetctx.codegen()
        for variable in state.library._final_module.global_variables:
            if variable.name in environments and maker._engine.get_global_value_address(variable.name):
                maker.set_env(variable.name, environments[variable.name])
        return True


def compiler_with(way, *lowering):
    """numba's compiler, which goes this way with a lowering made of these classes."""

    class Lowered(way):
        _name = "native lowering with " + ", ".join(part.__name__ for part in lowering)
        lowering_class = type("Lowering", lowering, {})

    register_pass(mutates_CFG=True, analysis_only=False)(Lowered)
    steps = {NativeLowering: Lowered, **(STEPS if Checking in lowering else {})}

    class Compiler(CompilerBase):
        def define_pipelines(self):
            pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
            pipeline.passes = [(steps.get(step, step), text) for step, text in pipeline.passes]
            pipeline.finalize()
            return [pipeline]

    return Compiler


# by whether the code is checked
LOOP = {True: compiler_with(ToRun, Checking, Copying, Counting), False: compiler_with(ToRun, Counting)}
METHOD = {True: compiler_with(ToLink, Checking, Copying, Lending), False: compiler_with(ToLink, Lending)}
