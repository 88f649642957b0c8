"""numba makes code for WebAssembly: in a process that does nothing else, since code made afterwards cannot run here.

Whole numbers stay 64 bits wide as on this machine, pointers are 32. All this leans on the inside of one minor version
of numba, as `engine.numba_refcounts` does.
"""

from llvmlite import binding as llvm
from numba.core import codegen, cpu, lowering
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.runtime import nrtdynmod, rtsys

from ..engine import numba_compilers

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext"


def retarget_numba():
    """Let numba make WebAssembly in this process from now on, and no machine code; returns LLVM's target machine."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    context = cpu_target.target_context
    context.refresh()
    rtsys.initialize(context)
    maker = context.codegen()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        opt=3, cpu="generic", features=FEATURES, reloc="static"
    )
    maker._tm, maker._target_data, maker._data_layout = machine, machine.target_data, str(machine.target_data)
    begin_module = type(maker)._create_empty_module

    def begin_for_page(self, name):
        module = begin_module(self, name)
        module.triple = TRIPLE
        return module

    type(maker)._create_empty_module = begin_for_page
    codegen.JITCodeLibrary._finalize_final_module = numba_compilers.finish_library
    cpu.CPUContext.get_executable = link_only
    lowering.BaseLower.create_cfunc_wrapper = lambda self: None
    with global_compiler_lock:  # counts of references once more, for pointers of 32 bits
        rtsys._library = nrtdynmod.compile_nrt_functions(context)
    return machine


def link_only(context, library, description, environment):
    """What stands for a compiled function that cannot be called here."""
    library._ensure_finalized()
    return numba_compilers.stand_in(library, description, environment)
