"""Arrays that share memory, in code from outside: as in numpy, what an operation reads is not what it has just written.

Compiled as numba has it, ``x[1:] += x[:-1]``, ``m += m.T`` and ``m -= m[0]`` read entries that they changed before.
"""

import numpy as np
from numba.core import cgutils, types
from numba.core.ir_utils import get_definition, guard
from numba.core.lowering import Lower
from numba.np import arrayobj

PARTS = "reshape", "ravel", "view"  # methods of arrays whose result is the same memory
WRITING = "fill", "sort"  # methods that write


class Copying(Lower):
    """Lowering that reads a copy of an array where an operation writes into memory that it may share."""

    copied = {}  # by the name of a variable

    def lower_expr(self, resty, expr):
        out, read = self.split_operands(expr)
        self.refuse_write(out)
        self.check_fit(out, read)
        names = {x.name for x in read} - {getattr(out, "name", "")}
        names = [name for name in names if all(isinstance(self.typeof(n), types.Array) for n in (name, out.name))]
        made = [(name, *self.copy_shared(out.name, name)) for name in names]
        self.copied = {name: copy for name, copy, _ in made}  # loaded meanwhile in place of what is read
        found = super().lower_expr(resty, expr)
        self.copied = {}
        for name, copy, shared in made:
            with self.builder.if_then(shared, likely=False):
                self.context.nrt.decref(self.builder, copied_kind(self.typeof(name)), copy)
        return found

    def lower_assign(self, ty, inst):
        if (matrix := self.find_matrix(inst.value)) and matrix.mutable and not inst.target.name.startswith("$"):
            self.refuse("a name for what `np.diag` took of a matrix")
        return super().lower_assign(ty, inst)

    def loadvar(self, name):
        return self.copied[name] if name in self.copied else super().loadvar(name)

    def split_operands(self, expr):
        """What an operation writes into, and what it reads."""
        if expr.op == "inplace_binop":
            return expr.lhs, [expr.rhs]
        function = self.find_called(expr)
        if function is np.dot and len(expr.args) + len(expr.kws) > 2:
            self.refuse("`np.dot` with `out`")
        if isinstance(function, np.ufunc) and len(expr.args) > function.nin:
            return expr.args[function.nin], expr.args[: function.nin]
        written = name_method(function) in WRITING
        return (get_definition(self.func_ir, expr.func).value if written else None), []

    def find_called(self, made):
        """What a call calls, as numba knows it; None where there is no call."""
        return getattr(self.typeof(made.func.name), "typing_key", None) if getattr(made, "op", "") == "call" else None

    def find_whole(self, part):
        """The definition of the array of which this one is a part, itself where it is none."""
        made = guard(get_definition, self.func_ir, part)
        while getattr(made, "op", "") in ("call", "getitem", "static_getitem"):
            if made.op == "call":
                if name_method(self.find_called(made)) not in PARTS:
                    break
                made = get_definition(self.func_ir, made.func)
            made = guard(get_definition, self.func_ir, made.value)
        return made

    def find_matrix(self, made):
        """The type of the matrix whose diagonal this is: in numpy a read-only part of it, a copy here; or None."""
        taken = [*made.args, *dict(made.kws).values()] if self.find_called(made) is np.diag else []
        return next((kind for x in taken[:1] if (kind := self.typeof(x.name)).ndim == 2), None)

    def refuse_write(self, out):
        """Refuse a write into an array of a field, or into the diagonal of a matrix."""
        kind = out and self.typeof(out.name)
        if isinstance(kind, types.Array) and not kind.mutable:
            self.refuse("a write into a read-only array")
        if out and self.find_matrix(self.find_whole(out)):
            self.refuse("a write into what `np.diag` took of a matrix")

    def check_fit(self, out, read):
        """What is read has as many entries along each dimension as what is written, or one."""
        b, arrays = self.builder, [x.name for x in (out, *read) if x and isinstance(self.typeof(x.name), types.Array)]
        if not out or out.name not in arrays:
            return
        for name in arrays[1:]:
            into, of = (open_array(self, x)[2] for x in (out.name, name))
            if len(of) > len(into):
                self.refuse("an operation in place on an array of fewer dimensions")
            for size, length in zip(reversed(into), reversed(of), strict=False):
                wrong = b.and_(b.icmp_signed("!=", length, size), b.icmp_signed("!=", length, length.type(1)))
                self.fail_if(wrong, ValueError, "the shapes of an operation in place do not fit")

    def copy_shared(self, out, name):
        """An array, or a copy of it if it may share memory with `out`; and whether."""
        b, c, kind, value = self.builder, self.context, self.typeof(name), self.loadvar(name)
        ends = [end for x in (out, name) for end in arrayobj.get_array_memory_extents(c, b, *open_array(self, x))]
        shared, place = arrayobj.extents_may_overlap(c, b, *ends), cgutils.alloca_once_value(b, value)
        with b.if_then(shared, likely=False):
            copy = (lambda x: x.T.copy().T) if kind.layout == "F" else (lambda x: x.copy())
            b.store(c.compile_internal(b, copy, copied_kind(kind)(kind), [value]), place)
        return b.load(place), shared


def open_array(lowering, name):
    """An array's type, structure, shape, strides and address."""
    kind, b = lowering.typeof(name), lowering.builder
    array = arrayobj.make_array(kind)(lowering.context, b, lowering.loadvar(name))
    return kind, array, cgutils.unpack_tuple(b, array.shape), cgutils.unpack_tuple(b, array.strides), array.data


def copied_kind(kind):
    """The type of an array's copy."""
    return kind.copy(layout="F" if kind.layout == "F" else "C", readonly=False)


def name_method(key):
    """The name of a method of arrays, which numba knows as a text or as a pair with the class."""
    return key[1] if isinstance(key, tuple) else str(key).removeprefix("array.")
