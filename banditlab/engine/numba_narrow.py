"""Small whole numbers, in code from outside: an error where numpy and numba have other results.

numpy keeps the type of an array of uint8, which wraps around beyond 255, also together with a number of Python's;
numba computes with 64 bits.
"""

import numpy as np
from llvmlite import ir
from numba.core import errors, types
from numba.core import ir as numba_ir
from numba.core.lowering import Lower
from numba.core.typing import npydecl
from numba.np.numpy_support import as_dtype, from_dtype

from ..user_code import code_identity

LEAVING = np.add, np.subtract, np.multiply, np.power, np.left_shift, np.floor_divide  # what may leave a type
LEAST = np.negative, np.absolute, np.floor_divide, np.divmod  # what leaves 64 bits at the least number
REFUSED = np.left_shift, np.right_shift, np.fmod  # by name, of whole numbers
ODD = types.float16, types.float32, types.complex64  # numba joins them with 64 bits otherwise than numpy
UFUNCS = {np.where: np.add, pow: np.power, abs: np.absolute, divmod: np.divmod}  # results have the same types
for rules in (npydecl.NumpyRulesArrayOperator, npydecl.NumpyRulesUnaryArrayOperator):
    UFUNCS.update((operation, getattr(np, name)) for operation, name in rules._op_map.items())


class Narrow(Lower):
    """Lowering that follows numpy's types through operations, also those that numba joins into one loop."""

    def pre_lower(self):
        super().pre_lower()
        self.held = {}  # numpy's types of variables for which numba may have others; None: a whole number of Python's

    def lower_assign(self, kind, inst):
        value = inst.value
        self.refuse_odd(kind, value)
        source = value.value if getattr(value, "op", "") in ("getitem", "static_getitem") else value
        made = self.type_of(source) if isinstance(source, numba_ir.Var) else types.float64
        self.made = [made] if made is None or is_whole(made) else []
        found = super().lower_assign(kind, inst)
        self.held.update((inst.target.name, one) for one in self.made)
        return found

    def lower_expr(self, resty, expr):
        kind, of = self.follow(*self.read_tree(expr)), entry_of(resty)
        found = super().lower_expr(resty, expr)
        if kind == types.uint64 and isinstance(of, types.Float):
            self.refuse("arithmetic of uint64 and int64")
        if is_whole(of) and isinstance(kind, types.Integer | None):
            self.made = [of if kind is None and of != resty else kind]
            kind = of if kind is None else kind
            if of in (types.int64, types.uint64) and kind != types.int64:
                self.fail_beyond(resty, found, limits(kind), OverflowError, f"a whole number leaves its type {kind}")
        return found

    def refuse(self, words):
        raise errors.UnsupportedError(f"{words}: not supported", loc=self.loc)

    def refuse_odd(self, kind, value):
        """Refuse numbers of other bits where they come in; sums of small whole numbers are uint64 in numpy, too."""
        if code_identity.is_ours(self.func_ir.func_id.func):  # a page lays down whole numbers as such
            return
        read = [self.typeof(one.name) for one in getattr(value, "list_vars", list)()]
        summed = any(getattr(entry_of(getattr(one, "this", one)), "signed", True) is False for one in read)
        if (of := entry_of(kind)) in ODD or (of == types.uint64 != kind and not summed):
            self.refuse(f"numbers of type {of}")

    def fail_if(self, wrong, kind, words):
        """Raise where this bit is set."""
        with self.builder.if_then(wrong, likely=False):
            name = self.func_ir.func_id.func_name
            self.call_conv.return_user_exc(self.builder, kind, (words,), loc=self.loc, func_name=name)

    def fail_beyond(self, kind, x, ends, error, words):
        """Raise where a whole number, or one in an array, is beyond these ends."""
        c, b, whole = self.context, self.builder, ir.IntType(64)
        low, high = (end if isinstance(end, ir.Value) else ir.Constant(whole, end) for end in ends)
        if isinstance(kind, types.Array):
            wrong = c.compile_internal(b, leaves_range, types.boolean(kind, *[types.int64] * 2), [x, low, high])
        else:
            x = c.cast(b, x, kind, types.int64)
            wrong = b.or_(b.icmp_signed("<", x, low), b.icmp_signed(">", x, high))
        self.fail_if(wrong, error, words)

    def read_tree(self, expr):
        """An operation, and the variables, constants and operations that it is of."""
        if expr.op == "arrayexpr":
            return expr.expr
        if expr.op in ("binop", "inplace_binop"):
            return expr.fn if expr.op == "binop" else expr.immutable_fn, [expr.lhs, expr.rhs]
        if expr.op == "unary":
            return expr.fn, [expr.value]
        counted = expr.op == "call" and not expr.vararg
        function = getattr(self.typeof(expr.func.name), "typing_key", None) if counted else None
        if isinstance(function, np.ufunc) or function is int or function in UFUNCS:
            return function, expr.args[1:] if function is np.where else expr.args[: getattr(function, "nin", 2)]
        return None, []

    def follow(self, operation, parts, last=True):
        """numpy's type of an operation's result; None for a whole number of Python's."""
        kinds = [self.follow(*part, False) if isinstance(part, tuple) else self.type_of(part) for part in parts]
        if not all(kind is None or is_whole(kind) for kind in kinds):
            return types.float64
        if operation is int:
            return None
        ufunc, kind = UFUNCS.get(operation, operation), None
        if not isinstance(ufunc, np.ufunc):
            return types.float64
        if operation in REFUSED:
            self.refuse(f"`np.{operation.__name__}`")
        if ufunc in (np.negative, np.subtract) and all(kind == types.boolean for kind in kinds):  # numpy has none
            self.refuse("arithmetic of two truth values")
        if ufunc is np.power:
            self.check_leaf(parts[1], (0, types.int64.maxval), ValueError, "a whole number to a negative power")
        if ufunc in (np.left_shift, np.right_shift):
            self.check_leaf(parts[1], (0, 63), ValueError, "a shift by that many bits")
        if ufunc in LEAST and kinds[0] is None:
            self.check_leaf(parts[0], (1 - 2**63, 2**63 - 1), OverflowError, "a whole number leaves its 64 bits")
        if any(one is not None for one in kinds):
            given = [int if one is None else as_dtype(one) for one in kinds]
            kind = from_dtype(ufunc.resolve_dtypes((*given, *[None] * ufunc.nout))[-1])
            self.refuse_odd(kind, None)
        if isinstance(kind, types.Integer) and kind != types.int64:
            for part, one in zip(parts, kinds, strict=True):
                if one in (None, types.uint64) and not isinstance(part, tuple):
                    self.check_leaf(part, limits(kind), OverflowError, f"a whole number out of bounds for {kind}")
            if None in kinds and ufunc in LEAVING and not last:
                self.refuse("a longer formula of an array of small whole numbers")
        return kind

    def check_leaf(self, leaf, ends, error, words):
        """`fail_beyond` of a variable or a constant."""
        if isinstance(leaf, numba_ir.Var):
            self.fail_beyond(types.unliteral(self.typeof(leaf.name)), self.loadvar(leaf.name), ends, error, words)
        elif isinstance(leaf, tuple) or not ends[0] <= leaf.value <= ends[1]:
            self.refuse(words)

    def type_of(self, leaf):
        """numpy's type of a variable or a constant; None for a whole number of Python's, which takes on any other."""
        if not isinstance(leaf, numba_ir.Var):
            return None if type(leaf.value) is int else types.float64
        if leaf.name in self.held:
            return self.held[leaf.name]
        kind = types.unliteral(self.typeof(leaf.name))
        return None if kind in (types.int64, types.boolean) else entry_of(kind)


def limits(kind):
    """The ends of a type of whole numbers, as far as 64 bits with a sign reach."""
    return kind.minval, min(kind.maxval, types.int64.maxval)


def entry_of(kind):
    """The type of an array's entries; of what is no array its own."""
    return kind.dtype if isinstance(kind, types.Array) else kind


def is_whole(kind):
    return isinstance(kind, types.Integer | types.Boolean)


def leaves_range(values, low, high):
    """For `Narrow.fail_beyond`."""
    for value in values.flat:
        if value < low or value > high:
            return True
    return False
