"""Compiled methods do not count references to what their caller keeps alive anyway.

A caller holds its arguments, and with them the fields of its NamedTuples, until the call returns. numba counts a
reference all the same whenever a variable takes one of them or goes out of use; LLVM removes such a pair only where
both halves face each other in the control flow: with an ``if`` in between, every array costs some nanoseconds a round.

All this leans on the inside of one minor version of numba: with any other, or with ``BANDITLAB_LEND=0`` in the
environment, numba compiles as it is.
"""

import os
import warnings

import numba
from numba.core import ir, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering


def borrowed(blocks, typemap):
    """The variables that hold nothing but arguments, fields of arguments or copies of such.

    A returned value is never among them: numba casts it first, and the cast counts.
    """
    values, found, before = {}, set(), -1
    for block in blocks.values():
        for assignment in block.find_insts(ir.Assign):
            values.setdefault(assignment.target.name, []).append(assignment.value)

    def lent(value, kind):
        if isinstance(value, ir.Arg):
            return typemap["arg." + value.name] == kind
        if isinstance(value, ir.Var):
            return value.name in found and typemap[value.name] == kind
        field = isinstance(value, ir.Expr) and value.op == "getattr"
        return field and value.value.name in found and isinstance(typemap[value.value.name], types.BaseNamedTuple)

    while len(found) > before:
        before = len(found)
        found |= {name for name in values if all(lent(value, typemap[name]) for value in values[name])}
    return found


class Lending(Lower):
    """Lowering that gives the reference to a borrowed variable back at once and never counts it again."""

    borrowed, counting = frozenset(), True

    def pre_lower(self):
        super().pre_lower()
        self.borrowed = borrowed(self.blocks, self.fndesc.typemap)

    def storevar(self, value, name, argidx=None):
        if name in self.borrowed:
            self.decref(self.typeof(name), value)
            self.counting = False  # the variable's former value is not ours to give back
        super().storevar(value, name, argidx)
        self.counting = True

    def delvar(self, name):
        if name not in self.borrowed:
            super().delvar(name)

    def decref(self, typ, val):
        if self.counting:
            super().decref(typ, val)


@register_pass(mutates_CFG=True, analysis_only=False)
class LendingPass(NativeLowering):
    """numba's pass of this name, with `Lending`."""

    _name = "native lowering that lends"
    lowering_class = Lending


class Compiler(CompilerBase):
    """numba's compiler, with `LendingPass`."""

    def define_pipelines(self):
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [(LendingPass if p is NativeLowering else p, text) for p, text in pipeline.passes]
        pipeline.finalize()
        return [pipeline]


PINNED = numba.__version__.startswith("0.68.")
LENDS = PINNED and os.environ.get("BANDITLAB_LEND", "1") != "0"
if not PINNED:
    warnings.warn(f"numba {numba.__version__}: banditlab was made for 0.68; it runs, but slower", stacklevel=2)

LOOP = {"nogil": True} | ({"pipeline_class": Compiler} if LENDS else {})
METHOD = LOOP | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "forceinline": True}
