"""Small whole numbers, in code from outside: an error where numpy and numba have other results.

numpy keeps the type of an array of uint8, which wraps around beyond 255, also together with a number of Python's;
numba computes with 64 bits.
"""

import operator

import numpy as np
from llvmlite import ir
from numba.core import errors, types
from numba.core import ir as numba_ir
from numba.core.lowering import Lower

POWERS = operator.pow, np.power
KEEPING = {  # what may leave a type
    *(*POWERS, operator.add, operator.sub, operator.mul, operator.lshift),
    *(np.add, np.subtract, np.multiply, operator.floordiv, np.floor_divide),
    *(operator.or_, operator.xor, np.maximum, np.minimum),
}
LACKING = {operator.neg, operator.sub, np.negative, np.subtract}  # numpy has none of truth values
SHIFTS = operator.lshift, operator.rshift
REFUSED = {np.left_shift, np.right_shift, np.fmod}  # of whole numbers


class Narrow(Lower):
    """Lowering that follows numpy's types through operations, also those that numba joins into one loop."""

    def lower_expr(self, resty, expr):
        operation, parts = self.read_tree(expr)
        kind = self.follow(operation, parts) if operation else None
        found = super().lower_expr(resty, expr)
        if operation in KEEPING and isinstance(kind, types.Integer | None):
            self.check_range(kind, resty, found)
        return found

    def refuse(self, words):
        raise errors.UnsupportedError(f"{words}: not supported", loc=self.loc)

    def fail_if(self, wrong, kind, words):
        """Raise where this bit is set."""
        with self.builder.if_then(wrong, likely=False):
            name = self.func_ir.func_id.func_name
            self.call_conv.return_user_exc(self.builder, kind, (words,), loc=self.loc, func_name=name)

    def read_tree(self, expr):
        """An operation, and the variables, constants and operations that it is of."""
        if expr.op == "arrayexpr":
            return expr.expr
        if expr.op in ("binop", "inplace_binop"):
            return expr.fn if expr.op == "binop" else expr.immutable_fn, [expr.lhs, expr.rhs]
        return None, []

    def follow(self, operation, parts, last=True):
        """numpy's type of an operation's result; None for a whole number of Python's."""
        kinds = [self.follow(*part, False) if isinstance(part, tuple) else self.type_of(part) for part in parts]
        if not all(kind is None or is_whole(kind) for kind in kinds):
            return types.float64
        if operation in REFUSED:
            self.refuse(f"`np.{operation.__name__}`")
        if operation in LACKING and all(kind == types.boolean for kind in kinds):
            self.refuse("arithmetic of two truth values")
        if operation in POWERS:
            self.check_exponent(parts[1], types.int64.maxval, "a whole number to a negative power")
        if operation in SHIFTS:
            self.check_exponent(parts[1], 63, "a shift by that many bits")
        whole = [kind for kind in kinds if isinstance(kind, types.Integer)]
        widest = max(whole, key=lambda kind: kind.bitwidth, default=None)
        if None in kinds and widest and widest.bitwidth < 64 and operation in KEEPING and not last:
            self.refuse("a longer formula of an array of small whole numbers")
        return types.boolean if types.boolean in kinds and widest is None else widest

    def type_of(self, leaf):
        """numpy's type of a variable or a constant; None for a whole number of Python's, which takes on any other."""
        if not isinstance(leaf, numba_ir.Var):
            return None if type(leaf.value) is int else types.float64
        kind = self.typeof(leaf.name)
        python = isinstance(kind, types.Integer) and kind.bitwidth == 64 and not self.is_entry(leaf)
        return None if python else entry_of(kind)

    def is_entry(self, variable):
        """Whether this is an entry of an array."""
        made = self.func_ir._definitions[variable.name]
        read = len(made) == 1 and getattr(made[0], "op", "") in ("getitem", "static_getitem")
        return read and isinstance(self.typeof(made[0].value.name), types.Array)

    def check_exponent(self, exponent, most, words):
        """Refuse a whole number to a negative power, and a shift by less than 0 or more than all bits."""
        b = self.builder
        if not isinstance(exponent, numba_ir.Var):
            if isinstance(exponent, tuple) or not 0 <= exponent.value <= most:
                self.refuse(words)
            return
        kind = self.typeof(exponent.name)
        if isinstance(kind, types.Integer) and kind.signed:
            y = self.context.cast(b, self.loadvar(exponent.name), kind, types.int64)
            self.fail_if(b.icmp_unsigned(">", y, y.type(most)), ValueError, words)
        elif isinstance(kind, types.Array):
            ends = [ir.Constant(ir.IntType(64), end) for end in (0, most)]
            self.fail_if(self.ask_range(kind, self.loadvar(exponent.name), *ends), ValueError, words)

    def ask_range(self, kind, array, low, high):
        """Whether one of an array's whole numbers is beyond these."""
        asked = types.boolean(kind, types.int64, types.int64)
        return self.context.compile_internal(self.builder, leaves_range, asked, [array, low, high])

    def check_range(self, kind, resty, found):
        """Refuse a result of 64 bits that leaves the small type which numpy gives it."""
        of, b = entry_of(resty), self.builder
        if isinstance(of, types.Float):
            self.refuse("arithmetic of uint64 and int64")
        if kind is None or kind.bitwidth == 64 or of.bitwidth < 64:
            return
        low, high = (ir.Constant(ir.IntType(64), end) for end in (kind.minval, kind.maxval))
        if isinstance(resty, types.Array):
            wrong = self.ask_range(resty, found, low, high)
        else:
            wrong = b.or_(b.icmp_signed("<", found, low), b.icmp_signed(">", found, high))
        self.fail_if(wrong, OverflowError, f"a whole number leaves its type {kind}")


def entry_of(kind):
    """The type of an array's entries; of what is no array its own."""
    return kind.dtype if isinstance(kind, types.Array) else kind


def is_whole(kind):
    return isinstance(kind, types.Integer | types.Boolean)


def leaves_range(values, low, high):
    """For `Narrow.ask_range`."""
    for value in values.flat:
        if value < low or value > high:
            return True
    return False
