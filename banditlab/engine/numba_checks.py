"""Arithmetic as Python has it, in code from outside: what Python refuses is an error there too, and no silent number.

Compiled as numba has it, ``math.log(0.0)`` is minus infinity, ``2 ** -1`` is 0, ``2**62 * 4`` is 0, and
``rng.beta(-1.0, 1.0)`` never returns. Here the result, or for random draws the argument, is looked at where it is made,
and the error has its line. A variable that may be read before it has a value is refused. The package's own classes are
compiled without any of it.
"""

import ctypes
import math
import operator
from types import SimpleNamespace

import numpy as np
from llvmlite import binding, ir
from numba.core import ir as numba_ir
from numba.core import types
from numba.core.analysis import compute_cfg_from_blocks, compute_use_defs
from numba.np import arrayobj

from ..user_code.endless import STOPPED, NeverReturned
from .numba_draws import Drawing
from .numba_narrow import entry_of, is_whole
from .numba_overlaps import open_array

EXACT = {  # what may overflow -> the instruction that tells so
    operator.add: "sadd_with_overflow",
    operator.sub: "ssub_with_overflow",
    operator.mul: "smul_with_overflow",
}
TEXTS = types.Integer, types.Boolean, types.UnicodeType, types.Literal
ORDERED = list, tuple, np.array, np.asarray, enumerate, zip
WRITERS = (np.fill_diagonal, np.nan_to_num, np.nditer, np.ascontiguousarray, np.asfortranarray)
NO_VALUE = "math domain error: {} has no value there, or one that is too large"
TOO_LARGE = "a whole number leaves its 64 bits"
LARGEST = 2**53  # up to it every whole number is a float
COMPARISONS = operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge
ARITHMETIC = operator.add, operator.sub, operator.mul, operator.pow


class Checking(Drawing):
    """Lowering that looks at arithmetic, conversions and draws."""

    def lower_expr(self, resty, expr):
        if expr.op == "call":
            self.check_arguments(expr)
        elif expr.op in ("binop", "inplace_binop"):
            self.check_operands(expr)
        elif expr.op == "unary":
            self.refuse_signed(expr)
        elif expr.op == "cast":
            self.check_joined(resty, expr.value)
        elif expr.op in ("getiter", "exhaust_iter"):
            self.refuse_order(self.typeof(expr.value.name))
        elif expr.op == "iternext":
            self.check_size(expr.value)
        elif expr.op in ("getitem", "static_getitem"):
            self.refuse_flat(self.typeof(expr.value.name))
            self.check_mask(expr.value, getattr(expr, "index", None))
        found = super().lower_expr(resty, expr)
        if expr.op == "call":
            self.check_returned(expr, resty, found)
        elif expr.op in ("binop", "inplace_binop"):
            self.check_result(expr, resty, found)
        return found

    def pre_lower(self):
        super().pre_lower()
        self.order = {id(block): label for label, block in self.blocks.items()}
        self.refuse_unassigned()

    def lower_block(self, block):
        self.label = self.order[id(block)]
        super().lower_block(block)

    def lower_inst(self, inst):
        kind = type(inst).__name__
        targets = (inst.target,) if kind == "Jump" else (inst.truebr, inst.falsebr) if kind == "Branch" else ()
        if any(target <= self.label for target in targets):
            self.leave_loop()
        if kind in ("SetItem", "StaticSetItem"):
            self.refuse_flat(self.typeof(inst.target.name))
            self.refuse_write(inst.target)
            self.check_mask(inst.target, inst.index)
        if kind == "Assign" and type(inst.value).__name__ == "Var":
            self.check_joined(self.typeof(inst.target.name), inst.value)
        super().lower_inst(inst)

    def leave_loop(self):
        """At the end of every turn of a loop: raise where somebody wants this thread to stop."""
        b, whole = self.builder, ir.IntType(64)
        wanted = b.load_atomic(find_symbol(b.module, "banditlab_stopped", whole), "monotonic", 8)  # read every time
        with b.if_then(b.icmp_signed("!=", wanted, ir.Constant(whole, 0)), likely=False):
            this = b.call(find_symbol(b.module, "banditlab_this_thread", ir.FunctionType(whole, ())), ())
            self.fail_if(b.icmp_signed("==", wanted, this), NeverReturned, "it was stopped within a loop")

    # What is refused when it is compiled.

    def refuse_unassigned(self):
        """A variable that some way through the function reads before it has a value: numba would play on with a 0."""
        kept = {label: list(filter(gives_value, block.body)) for label, block in self.blocks.items()}
        reads, given = compute_use_defs({label: SimpleNamespace(body=body) for label, body in kept.items()})
        graph, waiting = compute_cfg_from_blocks(self.blocks), list(kept)
        wanted = {label: set(names) for label, names in reads.items()}
        while waiting:
            label = waiting.pop()
            for before, _ in graph.predecessors(label):
                if more := wanted[label] - given[before] - wanted[before]:
                    wanted[before] |= more
                    waiting.append(before)
        lost = {label: wanted[min(kept)] & names for label, names in reads.items()}
        there = [
            (inst, one)
            for label, body in kept.items()
            for inst in body
            for one in inst.list_vars()
            if one.name in lost[label]
        ]
        if there:  # best where it is read, and not where ways meet
            inst, one = min(there, key=lambda pair: defines(pair[0], pair[1].unversioned_name))
            self.loc = inst.loc
            self.refuse(f"`{one.unversioned_name}`, which may be read before it has a value")

    def refuse_order(self, kind):
        """A set has another order, compiled."""
        if isinstance(kind, types.Set):
            self.refuse("the order of a set")

    def refuse_signed(self, expr):
        """Of Python's truth values `~` is -1 or -2, which are both true; numpy has no `-` and no `+` of its own."""
        if expr.fn is not operator.not_ and isinstance(self.typeof(expr.value.name), types.Boolean):
            self.refuse("`~` of one truth value" if expr.fn is operator.invert else "arithmetic of one truth value")

    def refuse_flat(self, kind):
        """Neither its bounds nor whether it may be written to is looked at."""
        if isinstance(kind, types.NumpyFlatType):
            self.refuse("an index of `.flat`")

    def check_operands(self, expr):
        """Identity has no meaning for numbers in registers, unless None is asked for."""
        kinds = self.typeof(expr.lhs.name), self.typeof(expr.rhs.name)
        if expr.fn in (operator.is_, operator.is_not) and not any(
            isinstance(kind, types.NoneType | types.Optional) for kind in kinds
        ):
            self.refuse("`is` between values")
        operation = expr.fn if expr.op == "binop" else expr.immutable_fn
        if operation in ARITHMETIC and all(isinstance(kind, types.Boolean) for kind in kinds):
            self.refuse("arithmetic of two truth values")
        if expr.fn in COMPARISONS and any(isinstance(x, types.Array) for kind in kinds for x in parts_of(kind)):
            self.refuse("a comparison of tuples that hold arrays")

    # What is an error when it happens.

    def check_joined(self, kind, value):
        """A variable of several types has the widest: no truth value may become a number, no number lose its end."""
        if isinstance(kind, types.Integer) and isinstance(self.typeof(value.name), types.Boolean):
            self.refuse("a truth value here and a whole number there")  # as an index it is none
        if isinstance(kind, types.Float):
            self.check_exact(value)

    def check_size(self, iterator):
        """Refuse to go on through a dict that has changed its size: numba stops silently, or does not."""
        kind, b, whole = self.typeof(iterator.name), self.builder, ir.IntType(64)
        if isinstance(kind, types.DictIteratorType):
            state = self.context.make_helper(b, kind, self.loadvar(iterator.name)).state
            parent, _, size = (b.load(b.gep(b.bitcast(state, whole.as_pointer()), [whole(i)])) for i in range(3))
            now = b.load(b.inttoptr(parent, whole.as_pointer()))
            self.fail_if(b.icmp_signed("!=", now, size), RuntimeError, "dictionary changed size during iteration")

    def check_exact(self, value):
        """Refuse a whole number that no float is; Python leaves it one."""
        kind, words = self.typeof(value.name), "a whole number is too large for a float"
        if isinstance(kind, types.Integer) and kind.bitwidth == 64:
            self.fail_beyond(kind, self.loadvar(value.name), (-LARGEST, LARGEST), OverflowError, words)

    def check_mask(self, array, index):
        """A mask that is too short would say nothing of the rest."""
        kinds = [self.typeof(x.name) for x in (array, index) if hasattr(x, "name")]
        if len(kinds) < 2 or not isinstance(kinds[0], types.Array):
            return
        whole = self.loadvar(index.name)
        parts = [(kinds[1], whole)]
        if isinstance(kinds[1], types.BaseTuple):
            parts = [(kind, self.builder.extract_value(whole, i)) for i, kind in enumerate(kinds[1])]
        for axis, (kind, value) in enumerate(parts):
            if isinstance(kind, types.Array) and isinstance(kind.dtype, types.Boolean):
                if kind.ndim > 1 or any(isinstance(one, types.NoneType | types.EllipsisType) for one, _ in parts):
                    self.refuse("a mask of several dimensions")
                picked = [i for i, (one, _) in enumerate(parts) if not isinstance(one, types.SliceType)]
                if axis and picked[-1] - picked[0] >= len(picked):  # numpy turns the axes round
                    self.refuse("an index with a slice between a number and an array")
                shape = open_array(self, array.name)[2]
                length = arrayobj.make_array(kind)(self.context, self.builder, value).shape
                wrong = self.builder.icmp_signed("!=", shape[axis], self.builder.extract_value(length, 0))
                self.fail_if(wrong, IndexError, "a mask has another length than its array")

    def is_lost(self, result, args):
        """Whether a function has no value there, or one too large: not a number from numbers, infinite from finite."""
        b, zero = self.builder, ir.Constant(result.type, 0.0)
        no_number = b.fcmp_unordered("uno", result, zero)
        infinite = b.fcmp_ordered("==", self.size_of(result), ir.Constant(result.type, math.inf))
        for arg in args:
            no_number = b.and_(no_number, b.fcmp_ordered("ord", arg, zero))
            infinite = b.and_(infinite, b.fcmp_ordered("<", self.size_of(arg), ir.Constant(arg.type, math.inf)))
        return b.or_(no_number, infinite)

    def size_of(self, x):
        """The absolute value."""
        return self.builder.call(self.builder.module.declare_intrinsic("llvm.fabs", [x.type]), [x])

    def check_arguments(self, expr):
        """Refuse a draw whose parameters numpy refuses, and ``int`` or ``round`` of what is no whole number's size."""
        kind = self.typeof(expr.func.name)
        args = [*expr.args, *(value for _, value in sorted(expr.kws, key=lambda pair: pair[0] != "a"))]
        many = len(args) + (len(self.typeof(expr.vararg.name)) if expr.vararg else 0)
        if isinstance(kind, types.NamedTupleClass) and many < len(kind.instance_class._fields):
            self.refuse("a NamedTuple without all its fields")
        if isinstance(kind, types.BoundFunction) and isinstance(kind.this, types.NumPyRandomGeneratorType):
            self.check_draw(kind.typing_key[1], expr)
        elif isinstance(kind, types.BoundFunction):
            key, handed = kind.typing_key, any(isinstance(self.typeof(arg.name), types.Set) for arg in expr.args)
            if (handed and "extend" in key) or (isinstance(kind.this, types.Set) and "pop" in key):
                self.refuse("the order of a set")
            if key == (types.Array, "clip"):
                self.refuse_called(np.clip, [kind.this, *(self.typeof(arg.name) for arg in args)])
        else:
            self.check_called(getattr(kind, "typing_key", None), args)

    def check_called(self, function, args):
        """Refuse what a function of Python's or numpy's does silently."""
        kinds, b = [self.typeof(arg.name) for arg in args], self.builder
        self.refuse_called(function, kinds)
        if function in (int, round) and len(args) == 1 and isinstance(kinds[0], types.Float):
            x = self.load_float(args[0].name)
            wrong = b.or_(self.compare(x, ">=", 2.0**63), self.compare(x, "<", -(2.0**63)))
            self.fail_if(wrong, ValueError, f"{function.__name__}() of a number that is not finite, or too large")
        if function in (min, max) and any(isinstance(kind, types.Float) for kind in kinds):
            for arg in args:
                self.check_exact(arg)
        if function is np.clip:
            for x in [self.load_float(arg.name) for arg in args if isinstance(self.typeof(arg.name), types.Float)]:
                self.fail_if(self.compare(x, "uno", 0.0), ValueError, "np.clip at what is no number")
        listed = isinstance(kinds[0] if kinds else None, types.List | types.ListType | types.UniTuple)
        if function is sum and listed and isinstance(kinds[0].dtype, types.Integer):
            self.fail_if(self.ask(adds_too_much, args[0]), OverflowError, TOO_LARGE)
        if function is np.median and isinstance(entry_of(kinds[0]), types.Float):
            self.fail_if(self.ask(has_nan, args[0]), ValueError, "np.median of what is no number")
        if function is np.delete and isinstance(kinds[1], types.Array) and isinstance(kinds[0], types.Array):
            size = open_array(self, args[0].name)[1].nitems
            ends, words = (b.neg(size), b.sub(size, size.type(1))), "an index is out of bounds for axis 0"
            self.fail_beyond(kinds[1], self.loadvar(args[1].name), ends, IndexError, words)
        if function is np.bincount and isinstance(entry_of(kinds[0]), types.Integer):
            ends, words = (0, types.int64.maxval), "np.bincount of a negative number"
            self.fail_beyond(kinds[0], self.loadvar(args[0].name), ends, ValueError, words)

    def ask(self, question, variable):
        """What a function says of a value when the code runs: a bit."""
        kind, value = self.typeof(variable.name), self.loadvar(variable.name)
        return self.context.compile_internal(self.builder, question, types.boolean(kind), [value])

    def refuse_called(self, function, kinds):
        """Refuse a function that computes something else."""
        if function is round and len(kinds) == 2 and isinstance(kinds[0], types.Float):
            self.refuse("`round` to a number of digits")
        if function is str and kinds and not isinstance(kinds[0], TEXTS):
            self.refuse("the text of a number with a point, or of what is no number")
        if function in WRITERS and any(isinstance(kind, types.Array) and not kind.mutable for kind in kinds):
            self.refuse(f"{function.__name__} of a read-only array")
        if function is sum and entry_of(kinds[0]) != kinds[0] and getattr(kinds[0].dtype, "bitwidth", 64) < 64:
            self.refuse("`sum` of an array of small whole numbers")
        if function is np.histogram and (len(kinds) < 2 or not isinstance(kinds[1], types.Array)):
            self.refuse("`np.histogram` without the edges of its bins")
        if function in ORDERED and any(isinstance(kind, types.Set) for kind in kinds):
            self.refuse("the order of a set")
        entries = [entry_of(kind) for kind in kinds]
        if function is np.clip and any(map(is_whole, entries[:1])) and any(isinstance(x, types.Float) for x in entries):
            self.refuse("np.clip of whole numbers at one with a point")
        if function is np.take_along_axis or (function is np.take and kinds[2:] not in ([], [types.none])):
            self.refuse(f"{function.__name__} along an axis")

    def check_returned(self, expr, resty, found):
        """Refuse what a function of ``math`` raises at, and a power of whole numbers."""
        function = getattr(self.typeof(expr.func.name), "typing_key", None)
        if isinstance(resty, types.Float) and getattr(function, "__module__", "") == "math":
            args = [self.load_float(arg.name) for arg in expr.args]
            if None not in args:
                words = NO_VALUE.format(f"math.{function.__name__}")
                self.fail_if(self.is_lost(self.as_float(found, resty), args), ValueError, words)
        if function in (pow, np.power) and len(expr.args) == 2:
            self.check_power(*expr.args, resty, found)

    def check_result(self, expr, resty, found):
        """Refuse an operator's result that is not what Python has."""
        operation = expr.fn if expr.op == "binop" else expr.immutable_fn
        if operation is operator.pow:
            self.check_power(expr.lhs, expr.rhs, resty, found)
        sides, b = (expr.lhs, expr.rhs), self.builder
        kinds = [self.typeof(side.name) for side in sides]
        if not all(map(is_whole, kinds)) or resty != types.int64:
            return
        x, y = (self.context.cast(b, self.loadvar(side.name), self.typeof(side.name), types.int64) for side in sides)
        if operation in EXACT:
            self.fail_if(b.extract_value(getattr(b, EXACT[operation])(x, y), 1), OverflowError, TOO_LARGE)
        if operation is operator.lshift:
            self.fail_if(b.icmp_signed("!=", b.ashr(found, y), x), OverflowError, TOO_LARGE)

    def check_power(self, base, exponent, resty, found):
        """Refuse a power that Python gives as a float, as a complex number or not at all."""
        b = self.builder
        x, y = self.load_float(base.name), self.load_float(exponent.name)
        if x is None or y is None:
            return
        if isinstance(resty, types.Float):
            words = NO_VALUE.format("a power")
            self.fail_if(self.is_lost(self.as_float(found, resty), (x, y)), ValueError, words)
        elif isinstance(resty, types.Integer):
            power = b.call(b.module.declare_intrinsic("llvm.pow", [x.type]), [x, y])
            wrong = b.fcmp_unordered(">=", self.size_of(power), ir.Constant(x.type, 2.0**63))
            self.fail_if(wrong, OverflowError, TOO_LARGE)


def gives_value(inst):
    """Whether an instruction neither ends a variable nor stands for a way that gives it no value."""
    return not (isinstance(inst, numba_ir.Del) or getattr(getattr(inst, "value", None), "op", "") == "null")


def defines(inst, name):
    """Whether an instruction gives a variable of this name its value."""
    return isinstance(inst, numba_ir.Assign) and inst.target.unversioned_name == name


def find_symbol(module, name, kind):
    """A variable or function of this process, for compiled code."""
    if name in module.globals:
        return module.get_global(name)
    return (ir.Function if isinstance(kind, ir.FunctionType) else ir.GlobalVariable)(module, kind, name)


binding.add_symbol("banditlab_stopped", STOPPED.ctypes.data)
THIS_THREAD = ctypes.cast(ctypes.pythonapi.PyThread_get_thread_ident, ctypes.c_void_p)
binding.add_symbol("banditlab_this_thread", THIS_THREAD.value)


def parts_of(kind):
    """The types in a tuple, and in the tuples in it."""
    for part in kind if isinstance(kind, types.BaseTuple) else ():
        yield part
        yield from parts_of(part)


def has_nan(values):
    """For `np.median`."""
    return np.isnan(values).any()


def adds_too_much(values):
    """For `sum`."""
    return sum([abs(float(value)) for value in values]) >= 2.0**63
