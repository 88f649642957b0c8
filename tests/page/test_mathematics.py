"""The page's mathematics: within .52 units in the last place of the true value, and C's rules at the ends."""

import math
from fractions import Fraction

import numpy as np
import pytest
from numba import vectorize

from banditlab.page import mathematics, trigonometry
from banditlab.page.link import FUNCTIONS

LONG = np.longdouble
MOST = 0.52  # units in the last place
COUNT = 40_000  # arguments of each kind; with SOAK=1 a million
REFERENCE = pytest.mark.skipif(np.finfo(LONG).nmant < 63, reason="long double is no longer than double here")


def ours(name):
    """One of the functions, over arrays."""
    function = FUNCTIONS[name]
    if name == "pow":
        return vectorize(["float64(float64, float64)"])(lambda x, y: function(x, y))
    return vectorize(["float64(float64)"])(lambda x: function(x))


def erf(x):
    """The error function in long double: a sum of positive terms."""
    term = total = x
    for n in range(1, 260):
        term = term * 2 * x * x / (2 * n + 1)
        total = total + term
    return total * np.exp(-x * x) * 2 / np.sqrt(LONG("3.14159265358979323846264338327950288"))


TRUE = {"log": np.log, "log2": np.log2, "log1p": np.log1p, "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1,
        "pow": np.power, "erf": erf, "sin": np.sin, "cos": np.cos, "tan": np.tan}  # fmt: skip


NEAREST = [45.553093477052, 14461176.67027838, 3.576149729694266e39, 3.8281827772588983e59, 1.1248520745804428e89,
           6.426511099577231e173, 9.312926614229972e204, 5.319372648326541e255, 1.3930726336834465e259,
           3.924293714572882e298]  # fmt: skip
# to multiples of pi / 2 among all numbers, by continued fractions: within 2**-61 to 2**-57


def angles(n):
    """Angles of every size, many as near to a quarter of a turn, or to the middle between two places, as can be."""
    rng = np.random.default_rng(n)
    quarter, sign = 2 * np.arctan(LONG(1)), rng.choice([-1, 1], n)
    many, near = rng.integers(1, 2 ** rng.integers(1, 63, n)), np.exp(rng.uniform(-30, 0, n))
    sizes = [rng.normal(size=n), rng.uniform(-100, 100, n), sign * np.exp(rng.uniform(-705, 709, n)),
             sign * np.exp(rng.uniform(-20, 0, n)), trigonometry.FAR * np.exp(rng.uniform(-0.1, 0.1, n))]  # fmt: skip
    multiples = [np.arange(1, n + 1) * quarter, sign * (many * quarter), many % 2**20 * quarter + near,
                 (many % 2**14 * 2 + 1) * quarter / 128 + 1e-6 * near]  # fmt: skip
    return [*sizes, *(part.astype(float) for part in multiples), np.arange(1, n + 1.0), np.array(NEAREST)]


def arguments(name, n):
    """Arguments of every size, dense where a function bends or changes its way of computing."""
    if name in trigonometry.FUNCTIONS:
        return angles(n // 4)
    rng = np.random.default_rng(n)
    positive = [rng.random(n), np.exp(rng.uniform(-745, 709, n)), 1 + rng.uniform(-0.02, 0.02, n),
                1 + rng.normal(size=n) * 1e-6, np.arange(1, n + 1.0)]  # fmt: skip
    small = [rng.normal(size=n), rng.uniform(-0.3, 0.3, n), rng.choice([-1, 1], n) * np.exp(rng.uniform(-690, 0, n))]
    return {
        "log": positive,
        "log2": positive,
        "log1p": [-rng.random(n), np.abs(small[0]), small[1], np.maximum(small[2], -0.999), positive[1]],
        "exp": [*small, rng.uniform(-745, 709.7, n), rng.uniform(-745, -705, n)],
        "exp2": [*small, rng.uniform(-1074, 1023.9, n)],
        "expm1": [*small, rng.uniform(-45, 709, n)],
        "erf": [*small, rng.uniform(-6.5, 6.5, n)],
        "pow": [(positive[0], 1 / rng.uniform(0.2, 30, n)), (positive[1], rng.uniform(-1, 1, n)),
                (positive[2], rng.uniform(-3e4, 3e4, n)), (positive[4], rng.random(n) - 0.5)],
    }[name]  # fmt: skip


def furthest(name, *x):
    """How far the results lie from the true ones at most, in units in the last place of these."""
    with np.errstate(all="ignore"):  # on the way to a rounded result numbers may overflow
        found, true = ours(name)(*x), TRUE[name](*(part.astype(LONG) for part in x))
    plain = (np.abs(true) > 0) & (np.abs(true) < np.finfo(float).max) & (np.abs(true) > 5e-324)
    unit = np.maximum(LONG(2) ** (np.floor(np.log2(np.abs(true[plain]))) - 52), LONG(5e-324))
    return float(np.max(np.abs(found[plain].astype(LONG) - true[plain]) / unit))


@REFERENCE
@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_are_rounded_nearly_as_well_as_can_be(name, soak):
    for x in arguments(name, 1_000_000 if soak else COUNT):
        assert furthest(name, *(x if isinstance(x, tuple) else (x,))) <= MOST


ENDS = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, -2.0, -3.0, 5e-324, 1e-310, 1e300, -1e300, 710.0, -746.0, 2.0**60,
        math.inf, -math.inf, math.nan]  # fmt: skip


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "pow"])
def test_ends_of_the_range_are_those_of_the_c_library(name):
    with np.errstate(all="ignore"):
        native = {"erf": np.vectorize(math.erf)}.get(name) or getattr(np, name)
        expected, found = native(np.array(ENDS)), ours(name)(np.array(ENDS))
    np.testing.assert_allclose(found, expected, rtol=4e-16, atol=0)
    zeros = expected == 0
    assert (np.signbit(found) == np.signbit(expected))[zeros].all()


def test_powers_follow_the_rules_of_c():
    x, y = map(np.ravel, np.meshgrid(ENDS, ENDS))
    with np.errstate(all="ignore"):
        expected, found = np.power(x, y), ours("pow")(x, y)
    np.testing.assert_allclose(found, expected, rtol=4e-16, atol=0)
    zeros = expected == 0
    assert (np.signbit(found) == np.signbit(expected))[zeros].all()


def test_tables_are_those_of_their_formulas():
    """Rounded anew with twice the digits: no entry depends on how far the series went."""
    from decimal import Decimal, localcontext

    with localcontext() as digits:
        digits.prec = 120
        root = Decimal("3.14159265358979323846264338327950288419716939937510582097494459").sqrt()
        for c, entry in zip(mathematics.AT, mathematics.ERRORS, strict=True):
            assert tuple(entry[2:]) == mathematics.pair((-c * c).exp() * 2 / root)
            assert entry[0] == pytest.approx(math.erf(c), rel=4e-16, abs=0)


def test_tables_of_angles_are_those_of_their_formulas():
    """A turn times the digits of its inverse is 1; squares of sine and cosine add up to 1."""
    digits = sum(int(word) << 24 * k for k, word in enumerate(trigonometry.IN_TURNS[::-1]))
    bits = 24 * (trigonometry.WORDS - trigonometry.LEAD)
    assert abs(Fraction(digits, 2**bits) * 2 * Fraction(mathematics.PI) - 1) < Fraction(1, 10**61)
    longer = trigonometry.inverse_tangent(2, 1 << 2000) + trigonometry.inverse_tangent(3, 1 << 2000)  # of pi / 4
    assert digits == (1 << 2000 + bits) // (8 * longer)
    exact = [sum(map(Fraction, map(float, row))) for row in trigonometry.SINES]
    for k, sine in enumerate(exact):
        assert float(sine) == pytest.approx(math.sin(k * math.pi / 128), rel=4e-16, abs=1e-15)
        assert abs(sine**2 + exact[k - 64] ** 2 - 1) < Fraction(1, 2**77)
