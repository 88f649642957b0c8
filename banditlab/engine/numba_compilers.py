"""numba's compiler with a lowering of ours: from its typed code to that of LLVM.

All this leans on the inside of one minor version of numba: `numba_options` imports it with no other.
"""

from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

from .numba_checks import Checking
from .numba_overlaps import Copying
from .numba_refcounts import Counting, Lending
from .numba_writes import STEPS


def compiler_with(*lowering):
    """numba's compiler, its lowering made of these classes."""

    class Lowered(NativeLowering):
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
LOOP = {True: compiler_with(Checking, Copying, Counting), False: compiler_with(Counting)}
METHOD = {True: compiler_with(Checking, Copying, Lending), False: compiler_with(Lending)}
