"""Compiled methods do not count references to what their caller keeps alive anyway.

A caller holds its arguments, and with them the fields of its NamedTuples, until the call returns. numba counts a
reference all the same whenever a variable takes one of them or goes out of use; LLVM removes such a pair only where
both halves face each other in the control flow: with an ``if`` in between, every array costs some nanoseconds a round.

What is left to count, the loop counts by itself. numba's counts are atomic, for counters that threads share, and calls,
for its pruning to find them: 7 ns each. A call of the loop makes counters of its own for all that it is given (arrays
and generators) and for what it allocates, which no other thread sees while it runs.

All this leans on the inside of one minor version of numba: `numba_options` imports it with no other.
"""

from pathlib import Path

from llvmlite import binding as llvm
from numba.core import ir, types
from numba.core.lowering import Lower

COUNTS = Path(__file__).with_name("counts.ll").read_text("utf-8")


def find_borrowed(blocks, typemap):
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
        kept = self.generator_info  # a generator outlives its call
        self.borrowed = frozenset() if kept else find_borrowed(self.blocks, self.fndesc.typemap)

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


class Counting(Lending):
    """`Lending` for the loop, into which everything is inlined: when it is optimised, it gets counts of its own."""

    def pre_lower(self):
        super().pre_lower()
        library, optimise = self.library, self.library._optimize_final_module

        def optimise_and_count():
            optimise()
            count_alone(library._final_module, library._codegen._pass_builder())

        library._optimize_final_module = optimise_and_count


def count_alone(module, builder):
    """Put plain additions in the place of numba's atomic counts."""
    module.link_in(llvm.parse_assembly(COUNTS))
    for name in ("NRT_incref", "NRT_decref"):  # else they would be taken for those of other modules
        module.get_function(name).linkage = "internal"
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_simplify_cfg_pass()
    passes.add_instruction_combine_pass()
    passes.run(module, builder)
