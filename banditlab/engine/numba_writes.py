"""What writes or may raise stays, in code from outside that numba cleans up after it has written functions out.

Behind a comprehension, a lambda, an inner function or a truth test of None, numba drops what it takes for dead: also
writes into arrays that came out of a call, a NamedTuple made there or a loop over arrays, whose other names it does not
see, and reads that raise. Here it drops what is left of the functions alone.

Nor does an array take the place of a list that ``np.array`` takes: numba's rewriting of the two into one forgets that
the list lives on, that the array has a type of its own, and that a range may be empty.
"""

from numba.core import inline_closurecall, ir, ir_utils, typed_passes
from numba.core.compiler_machinery import register_pass
from numba.core.untyped_passes import InlineClosureLikes

# expressions that neither write nor raise
IDLE = "make_function getattr build_tuple build_list cast phi null undef pair_second exhaust_iter".split()
RAISING = {int, max, "log", "ceil"}  # calls that numba takes for harmless
may_go, drop_dead = ir_utils.has_no_side_effect, ir_utils.dead_code_elimination


def may_be_dropped(value, lives, calls):
    """Whether an unused value can go, in place of numba's own rule."""
    if isinstance(value, ir.Expr) and value.op == "call":
        return RAISING.isdisjoint(calls.get(value.func.name) or ()) and may_go(value, lives, calls)
    return (not isinstance(value, ir.Expr) or value.op in IDLE) and may_go(value, lives, calls)


def drop_remains(func_ir, typemap=None, *aliases):
    """As numba's `dead_code_elimination`: any two names may stand for the same array."""
    func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    names = {one.name for block in func_ir.blocks.values() for inst in block.body for one in inst.list_vars()}
    ir_utils.has_no_side_effect = may_be_dropped
    try:
        drop_dead(func_ir, typemap, {}, names)
    finally:
        ir_utils.has_no_side_effect = may_go


def keeping_writes(step):
    """A step of numba's that writes functions out, which keeps writes."""

    class Keeping(step):
        _name = f"{step._name}, writes kept"

        def run_pass(self, state):
            # whoever compiles holds numba's lock
            inline_closurecall.dead_code_elimination = typed_passes.dead_code_elimination = drop_remains
            inline_closurecall.enable_inline_arraycall = False
            try:
                return super().run_pass(state)
            finally:
                inline_closurecall.enable_inline_arraycall = True
                inline_closurecall.dead_code_elimination = typed_passes.dead_code_elimination = drop_dead

    register_pass(mutates_CFG=True, analysis_only=False)(Keeping)
    return Keeping


STEPS = {step: keeping_writes(step) for step in (InlineClosureLikes, typed_passes.InlineOverloads)}
