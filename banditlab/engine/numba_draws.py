"""Random draws in code from outside: an error where numpy refuses a parameter; numba draws something, or for ever."""

import itertools
import math

from llvmlite import ir
from numba.core import types

from .numba_narrow import Narrow

LEAST = 5e-324  # the smallest positive number
LIMITS = {  # parameters of draws: least and most; numpy raises beyond, and where one is not a number
    **dict.fromkeys(("scale", "sigma", "shape", "nonc"), (0.0, math.inf)),
    **dict.fromkeys(("a", "b", "df", "dfnum", "dfden"), (LEAST, math.inf)),
    **dict.fromkeys(("lam", "n"), (0.0, 2.0**62)),
    "p": (0.0, 1.0),
}
OTHER_LIMITS = {
    ("geometric", "p"): (LEAST, 1.0), ("zipf", "a"): (math.nextafter(1.0, 2.0), math.inf),
    ("negative_binomial", "n"): (LEAST, 2.0**62),
}  # fmt: skip

ENDS = {"integers": ("low", "high"), "uniform": ("low", "high"), "triangular": ("left", "mode", "right")}


class Drawing(Narrow):
    """Lowering that looks at the parameters of draws."""

    def as_float(self, value, kind):
        """A number as one of 64 bits; None for what is no real number."""
        if isinstance(kind, types.Integer | types.Float | types.Boolean):
            return self.context.cast(self.builder, value, kind, types.float64)
        return None

    def load_float(self, name):
        return self.as_float(self.loadvar(name), self.typeof(name))

    def compare(self, x, sign, limit):
        return self.builder.fcmp_unordered(sign, x, ir.Constant(x.type, limit))

    def check_draw(self, method, expr):
        """Refuse parameters of a distribution that numpy refuses."""
        signature = self.fndesc.calltypes[expr]
        names = [name for name in signature.pysig.parameters if name != "inst"]
        given = {**dict(zip(names, expr.args, strict=False)), **dict(expr.kws)}
        for name, value in given.items():
            low, high = OTHER_LIMITS.get((method, name), LIMITS.get(name, (-math.inf, math.inf)))
            x = self.load_float(value.name)
            if x is not None and (low > -math.inf or high < math.inf):
                wrong = self.builder.or_(self.compare(x, "<", low), self.compare(x, ">", high))
                self.fail_if(wrong, ValueError, f"rng.{method}: its parameter {name} is out of range")
        if method == "binomial" and isinstance(self.typeof(given["n"].name), types.Float):
            x = self.load_float(given["n"].name)
            whole = self.builder.call(self.builder.module.declare_intrinsic("llvm.trunc", [x.type]), [x])
            wrong = self.builder.fcmp_ordered("!=", x, whole)
            self.fail_if(wrong, ValueError, "rng.binomial: its parameter n is not whole")
        ends = ENDS.get(method, ())
        usual = {"low": 0.0, "high": 1.0} if method == "uniform" else {}
        found = [self.load_float(given[name].name) if name in given else usual.get(name) for name in ends]
        if found and None not in found:
            self.check_ends(method, ends, [ir.DoubleType()(x) if isinstance(x, float) else x for x in found])

    def check_ends(self, method, names, ends):
        """Refuse limits of a draw that are not in order, or too far apart for their distance to be a number."""
        b = self.builder
        for i, (low, high) in enumerate(itertools.pairwise(ends)):
            sign = ">=" if method == "integers" else ">"
            wrong = b.fcmp_unordered(sign, low, high)
            self.fail_if(wrong, ValueError, f"rng.{method}: {names[i]} {sign} {names[i + 1]}")
        width = b.fsub(ends[-1], ends[0])
        wrong = b.fcmp_unordered(">=", width, width.type(math.inf))
        if method == "triangular":
            wrong = b.or_(wrong, b.fcmp_unordered("==", width, width.type(0.0)))
        self.fail_if(wrong, ValueError, f"rng.{method}: {names[0]} and {names[-1]} are no limits of a range")
