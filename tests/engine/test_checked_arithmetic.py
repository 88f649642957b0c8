"""Arithmetic of code from outside: where Python raises, compiled code does, and nowhere else do they differ."""

import contextlib
import math

import numpy as np
import pytest
from numba import typeof
from numba.core import errors

from banditlab.engine import compiling
from tests.papers import SOAK

FROZEN = np.array([3.0, 1.0, 2.0])
FROZEN.flags.writeable = False
BYTES = np.array([2, 3], np.uint8)
MASK = np.array([True, False])
SINGLE, UNSIGNED = np.array([0.1, 0.2], np.float32), np.array([2**63 + 5, 7], np.uint64)
RECORD = np.zeros(1, [("a", np.float32)])
INF, NAN = math.inf, math.nan
STEP = 1 if SOAK else 3  # each case is compiled
REFUSED = ArithmeticError, ValueError, LookupError, TypeError, errors.NumbaError

WRONG = [  # what Python raises at, too
    ("math.log(x)", 0.0),
    ("math.log(x)", 0),
    ("math.log2(x)", -1.0),
    ("math.sqrt(x)", -1.0),
    ("math.exp(x)", 1000.0),
    ("math.log1p(x)", -1.0),
    ("math.sin(x)", INF),
    ("math.acos(x)", 2.0),
    ("math.cosh(x)", 1000.0),
    ("math.gamma(x)", 0.0),
    ("math.pow(x, -1.0)", 0.0),
    ("math.floor(x)", INF),
    ("round(x)", NAN),
    ("int(x)", INF),
    ("int(x)", np.float32(NAN)),
    ("x**-1.0", 0.0),
    ("x**2.0", 1e200),
    ("x / 0", 1),
    ("x % 0.0", 1.0),
    ("1 << x", -1),
    ("np.bincount(x)", np.array([-1])),
    ("x.flat[7]", np.zeros(3)),
    ("np.int32(x)", 2**40),
    ("np.power(x, -1)", 2),
    ("np.zeros(x)", -1),
    ("rng.normal(0.0, x)", -1.0),
    ("rng.beta(x, 1.0)", 0.0),
    ("rng.beta(1.0, x)", -1.0),
    ("rng.binomial(5, x)", 1.2),
    ("rng.binomial(x, 0.5)", -1),
    ("rng.exponential(x)", -1.0),
    ("rng.gamma(x)", -1.0),
    ("rng.poisson(x)", -1.0),
    ("rng.geometric(x)", 0.0),
    ("rng.integers(x, 1)", 3),
    ("rng.uniform(x, 0.0)", 1.0),
    ("rng.normal(scale=x)", -1.0),
    ("rng.lognormal(0.0, x)", -1.0),
    ("rng.standard_t(x)", 0.0),
    ("rng.zipf(x)", 1.0),
    ("rng.laplace(0.0, x)", -1.0),
    ("x[np.array([True, False])]", np.zeros(3)),
    ("x ** -1", np.array([2, 3])),
    ("2 ** (1 - x)", np.array([2, 3])),
    ("2 ** x", np.array([2, -3])),
    ("x - 1000", BYTES),
    ("rng.uniform(x)", 2.0),
    ("rng.uniform(high=x)", -2.0),
    ("rng.uniform(-x, x)", 1e308),
    ("rng.uniform(x)", -INF),
    ("rng.triangular(0.0, x, 1.0)", 2.0),
    ("rng.triangular(x, 1.0, 1.0)", 1.0),
    ("rng.negative_binomial(x, 0.5)", 0),
    ("x[:, np.array([True, False])]", np.zeros((2, 3))),
    ("np.add(x, 1.0, np.zeros(2))", np.zeros(3)),
    ("np.sqrt(x, np.zeros(2))", np.zeros(3)),
    ("np.add(np.ones((2, 3)), x, x)", np.zeros(3)),
    ("x % 300", BYTES),
    ("x & 300", BYTES),
    ("x[0] // 300", BYTES),
    ("np.gcd(x, 300)", BYTES),
    ("x.sum() % -3", BYTES),
    ("np.delete(x, np.array([0, 9]))", FROZEN),
    ("np.delete(x, np.array([-4]))", FROZEN),
]
OTHERWISE = [  # what Python computes otherwise: longer whole numbers, floats, complex numbers, an order, identity
    ("x + x", 2**62),
    ("x - 2", -(2**63)),
    ("x * 4", 2**62),
    ("2**x", 70),
    ("x**2", 10**10),
    ("2**-x", 3),
    ("1 << x", 64),
    ("x ** (1 / 3)", -8.0),
    ("[a for a in {x, 7, 1000}]", 300),
    ("list({x, 7, 1000})", 300),
    ("x is x + 0", 300),
    ("(x > 1) + (x > 2)", 5),
    ("~(x > 1)", 5),
    ("round(x, 1)", 0.15),
    ("np.left_shift(1, x)", 70),
    ("str(x)", 0.1),
    ("f'{x}'", 0.1),
    ("np.ascontiguousarray(x)", FROZEN),
    ("np.nan_to_num(x)", FROZEN),
    ("x + 1", np.uint8(255)),
    ("0 if x > 3 else x > 1", 5),
    ("rng.gamma(x)", NAN),
    ("rng.beta(x, 1.0)", NAN),
    ("rng.binomial(x, 0.5)", 5.7),
    ("x[0] - x[1]", BYTES),
    ("x - 3", BYTES),
    ("x * 100", BYTES),
    ("x ** 9", BYTES),
    ("x * 2 + 1", BYTES),
    ("np.multiply(x, 100)", BYTES),
    ("np.right_shift(x, 70)", BYTES),
    ("np.fmod(x, 3)", np.array([-4])),
    ("np.median(x)", np.array([3.0, NAN, 1.0, 2.0])),
    ("x[x > 1]", np.ones((2, 2))),
    ("x[0] << 8", BYTES),
    ("x[0] ** 9", BYTES),
    ("sum(x)", BYTES),
    ("np.histogram(x, 5)[0]", FROZEN),
    ("max(x, 1.5)", 2**53 + 1),
    ("x if x > 3 else 0.5", 2**53 + 1),
    ("x if x < 3 else 0.5", -(2**63)),
    ("{x, 7}.pop()", 300),
    ("(x, 1) == (x, 1)", np.zeros(2)),
    ("sum([x, x])", 2**62),
    ("sum((x, x, x))", 2**62),
    ("x >> 70", np.array([3, 5])),
    ("-x", MASK),
    ("x - x", MASK),
    ("np.negative(x)", MASK),
    ("[v for _, v in enumerate({x, 7, 1000})]", 300),
    ("[*{x, 7, 1000}]", 300),
    ("np.clip(x, 0.0, np.nan)", np.ones(3)),
    ("x | 256", BYTES),
    ("np.maximum(x, 300)", BYTES),
    ("str((x, 1))", 1),
    ("np.dot(x, x, out=x)", np.eye(2)),
    ("np.zeros(3, 'float32') + x", 0.1),
    ("np.zeros(3, np.dtype('f4')) + x", 0.1),
    ("np.array([x]).astype('complex64')", 0.1),
    ("SINGLE * x", 0.1),
    ("SINGLE[0] * x", 0.1),
    ("(SINGLE, 1)[0][0] * x", 0.1),
    ("x[0]['a'] * 0.1", RECORD),
    ("np.hypot(x, 3)", BYTES),
    ("np.sqrt(x[0])", BYTES),
    ("UNSIGNED[1] - x", 8),
    ("UNSIGNED.sum() // x", 3),
    ("np.zeros(3, 'uint64') - x", 1),
    ("(2**63 + 5) // x", 2),
    ("x % 2**63", 5),
    ("x ^ (2**64 - 1)", 5),
    ("x.sum() - 1000", BYTES),
    ("np.where(x > 2, x, -1)", BYTES),
    ("np.where(x > 2, x[0], 300)", BYTES),
    ("np.where(x > 2, x, 1) + 254", BYTES),
    ("np.where(x > 2, x, 1)[0] + 255", BYTES),
    ("abs(x)", -(2**63)),
    ("-x", -(2**63)),
    ("x // -1", -(2**63)),
    ("divmod(x, -1)", -(2**63)),
]
RIGHT = [
    ("math.log(x)", 5e-324),
    ("math.log(x)", INF),
    ("math.exp(x)", -1000.0),
    ("math.exp(x)", 709.0),
    ("math.sqrt(x)", NAN),
    ("x**0.5", 4.0),
    ("x**-2.0", 4.0),
    ("x**2.0", INF),
    ("2**x", 62),
    ("x**3", -7),
    ("x + x", 2**61),
    ("x * -3", 2**61),
    ("1 << x", 62),
    ("x >> 2", -9),
    ("round(x)", 2.5),
    ("int(x)", -7.9),
    ("int(x)", -(2.0**63)),
    ("x - 1", np.int32(-5)),
    ("x is None", 3),
    ("5 in {x, 5}", 3),
    ("len({x, 3})", 3),
    ("x + (x > 2)", 5),
    ("np.bincount(x)", np.array([0, 2])),
    ("np.int8(x)", -128),
    ("x[::-1][0]", FROZEN),
    ("rng.normal(0.0, x)", 0.0),
    ("rng.beta(x, 1.0)", 0.5),
    ("rng.poisson(x)", 0.0),
    ("rng.binomial(5, x)", 1.0),
    ("rng.geometric(x)", 1.0),
    ("rng.uniform(low=x, high=2.0)", 2.0),
    ("rng.integers(x, 4)", 3),
    ("rng.normal(scale=x)", 2.0),
    ("rng.gamma(x, 2.0)", 0.5),
    ("rng.random(x)", 3),
    ("rng.integers(0, x, size=2)", 9),
    ("rng.binomial(x, 0.5)", 40.0),
    ("x[1] - x[0]", BYTES),
    ("3 - x", BYTES),
    ("x / 2.0 * 300", BYTES),
    ("x * 1.0 + 300", BYTES),
    ("(x > 2) * 2", BYTES),
    ("x + np.array([300, 1])", BYTES),
    ("x ** 2 + 2 * x", np.array([2, 3])),
    ("2 ** x", np.array([2, 3])),
    ("2.0 ** (1 - x)", np.array([2, 3])),
    ("np.fmod(x, 3.0)", np.array([-4.0])),
    ("np.median(x)", np.array([3.0, INF, 1.0, 2.0])),
    ("x[0] + x[0] - x[1]", BYTES),
    ("np.array([300])[0] + x[0]", BYTES),
    ("np.histogram(x, np.array([0.0, 1.5, 3.0]))[0]", FROZEN),
    ("max(x, 1.5)", 2**53),
    ("x if x > 3 else 0.5", 2**53),
    ("x if x < 3 else 0.5", -(2**53)),
    ("x[x > 1]", FROZEN),
    ("(x, 1.5) < (2, 0.5)", 2),
    ("sum([x, -x, 3])", 2**61),
    ("sum((x, 2))", 3),
    ("x >> 2", np.array([9, -9])),
    ("x[:, np.array([True, False, True])]", np.ones((2, 3))),
    ("rng.uniform()", 0.0),
    ("rng.uniform(x)", 1.0),
    ("rng.triangular(0.0, x, 1.0)", 1.0),
    ("np.clip(x, 2.0, 1.0)", np.ones(3)),
    ("np.add(x[:1], 1.0, np.zeros(3))", np.zeros(3)),
    ("np.maximum(x, 2)", BYTES),
    ("~x", MASK),
    ("(x > 2) * 300", BYTES),
    ("x / 2 * 300", BYTES),
    ("x % 2 + 1", BYTES),
    ("int(x[0]) - 5", BYTES),
    ("int(x[0]) * 300 + int(x[1])", BYTES),
    ("int(np.uint8(x)) - 5", 3),
    ("np.where(x > 2, x, 0)", BYTES),
    ("np.where(x > 2, 1, 0) * 300", BYTES),
    ("np.where(x > 2, x, 0.5) * 300", BYTES),
    ("np.minimum(x, 2) * 2", BYTES),
    ("x.sum() + 1", BYTES),
    ("x.sum(axis=0)[0] * 2", np.ones((2, 2), np.uint8)),
    ("x.cumsum() / 2.0", BYTES),
    ("np.sqrt(x)", np.array([1, 4], np.int32)),
    ("x < 2**63", 5),
    ("2.0**63 + float(2**63) * x", 1),
    ("np.delete(x, np.array([0, -1]))", FROZEN),
    ("np.diag(x).sum()", np.eye(2)),
    ("abs(x) + (-x // -2)", -(2**63) + 1),
]
OVERLAPPING = [  # in place, on memory that is read elsewhere
    "x[1:] += x[:-1]",
    "x[:-1] *= x[1:]",
    "x /= x[:1]",
    "x -= x[::-1]",
    "a = x[1:]; b = x[:-1]; a += b; b -= a",
    "x[1:3] += frozen[:2]",
    "x += x",
    "np.add(x[1:], x[:-1], x[1:])",
    "m += m.T",
    "m -= m[0]",
    "m[:, 0] += m[:, 1]",
    "m.T[:] += m[:, :1]",
    "m[1:] = m[:-1]; m[:] = m.T",
]


KEPT = [  # writes and reads that numba takes for dead behind what it writes out, here a comprehension
    "for row in (x, m[0]): row[0] += 1.0",
    "for row, by in zip((x, m[0]), (1.0, 2.0)): row[1] += by",
    "p = np.asarray(x); p += 1.0",
    "p = x.reshape(1, 3); p[0, 1] = 9.0",
    "pair = (x, m); y, z = pair; y[0] += 5.0; z[1, 1] = 7.0",
    "rows = [r for r in m]; rows[0][1] = 4.0",
    "unused = x[int(m[0, 0]) + 7]",
    "unused = 1.0 / (len(x) - 3)",
    "unused = math.log(x[0] - 1.0)",
]


@pytest.mark.parametrize("text", KEPT)
def test_a_comprehension_drops_no_writes_and_no_errors(text):
    scope = dict(np=np, math=math)
    exec(f"def played(x, m):\n    doubled = [2.0 * v for v in x]\n    {text}\n    return doubled[0]", scope)
    args = [(np.arange(1.0, 4.0), np.arange(1.0, 10.0).reshape(3, 3)) for _ in range(2)]
    loop = compiling.compile_loop(scope["played"], tuple(map(typeof, args[0])), frozenset(), checked=True)
    if "unused" in text:
        for function, one in zip((loop, scope["played"]), args, strict=True):
            with pytest.raises((ArithmeticError, ValueError, IndexError)):
                function(*one)
        return
    assert loop(*args[0]) == scope["played"](*args[1])
    assert all(map(np.array_equal, *args))


RAISING = [  # statements that Python raises at: a view that is read-only, a dict that changes while it is read
    "np.diag(m)[:] = 9.0",
    "y = np.diag(m, 1); y[0] = 9.0",
    "y = np.diag(m); y += 1.0",
    "y = np.diag(m); np.add(y, 1.0, y)",
    "np.diag(m).fill(9.0)",
    "y = np.diag(m); y.sort()",
    "y = np.diag(m)[1:]; y[0] = 9.0",
    "np.diag(m)[1:].reshape(2, 1)[:] = 9.0",
    "for k in d: d[k + 7] = k",
    "for k in d: d.pop(k)",
    "for k, v in d.items(): d[k + 7] = v",
    "for v in d.values(): d[v + 7] = v",
]
PASSING = [
    "y = np.diag(m) + 0.0; y[0] = 9.0",
    "y = np.diag(m).copy(); y += 1.0; m[0, 0] = y[0]",
    "y = np.diag(m).copy()[1:]; y.sort(); y.fill(2.0); m[0, 0] = y[0]",
    "y = m[0].reshape(3, 1); y[:] = 2.0; m[1:].ravel().fill(3.0)",
    "y = np.diag(m[0]); y[0, 0] = 9.0",
    "for k in d: d[k] = 9",
    "for k in list(d): d[k + 7] = 9",
    "for k in d.keys():\n        d[k + 7] = 9; break",
]


@pytest.mark.parametrize("text", [*RAISING, *PASSING])
def test_a_write_that_python_refuses_raises(text):
    scope = dict(np=np)
    exec(f"def played(m, n):\n    d = {{n: 2, 3: 4}}\n    {text}\n    return m.sum() + len(d) + d[n]", scope)
    m = np.arange(1.0, 10.0).reshape(3, 3)
    with pytest.raises((ValueError, RuntimeError)) if text in RAISING else contextlib.nullcontext():
        right = scope["played"](m.copy(), 1)
    with pytest.raises((RuntimeError, errors.NumbaError)) if text in RAISING else contextlib.nullcontext():
        loop = compiling.compile_loop(scope["played"], tuple(map(typeof, (m, 1))), frozenset(), checked=True)
        assert loop(m, 1) == right


def test_a_diagonal_that_would_follow_its_matrix_is_refused():
    """In numpy y is 2 at the end."""

    def played(m):
        y = np.diag(m)
        m[0, 0] += 1.0
        return y[0]

    assert played(np.eye(2)) == 2.0
    with pytest.raises(errors.NumbaError, match="a name for what `np.diag` took"):
        compiling.compile_loop(played, (typeof(np.eye(2)),), frozenset(), checked=True)


def write(text):
    scope = dict(math=math, np=np, SINGLE=SINGLE, UNSIGNED=UNSIGNED)
    exec(f"def played(x, rng): return {text}", scope)
    return scope["played"]


def compiled(function, x):
    args = x, np.random.default_rng(0)
    return compiling.compile_loop(function, tuple(map(typeof, args)), frozenset(), checked=True)(*args)


def label(case):
    return f"{case[0]}, x = {case[1]}"


@pytest.mark.parametrize("case", WRONG[::STEP], ids=label)
def test_what_python_raises_at_raises(case):
    function = write(case[0])
    with pytest.raises((ArithmeticError, ValueError, IndexError)):
        function(case[1], np.random.default_rng(0))
    with pytest.raises(REFUSED):
        compiled(function, case[1])


@pytest.mark.parametrize("case", OTHERWISE[::STEP], ids=label)
def test_what_python_computes_otherwise_raises(case):
    with pytest.raises(REFUSED):
        compiled(write(case[0]), case[1])


@pytest.mark.parametrize("case", RIGHT[::STEP], ids=label)
def test_what_has_a_value_is_let_through(case):
    function = write(case[0])
    assert np.array_equal(compiled(function, case[1]), function(case[1], np.random.default_rng(0)), equal_nan=True)


@pytest.mark.parametrize("text", OVERLAPPING)
def test_what_an_operation_reads_is_not_what_it_has_just_written(text):
    scope = dict(np=np)
    exec(f"def played(x, m, frozen):\n    {text}\n    return x, m", scope)
    args = [(np.arange(1.0, 6.0), np.arange(1.0, 10.0).reshape(3, 3), FROZEN) for _ in range(2)]
    signature = tuple(map(typeof, args[0]))
    there = compiling.compile_loop(scope["played"], signature, frozenset(), checked=True)(*args[0])
    assert all(map(np.array_equal, there, scope["played"](*args[1])))


def test_a_mask_that_is_too_short_assigns_nothing():
    def played(x, mask):
        x[mask] = 2.0

    for size, error in ((3, None), (2, IndexError), (4, IndexError)):
        args = np.zeros(3), np.ones(size, np.bool_)
        loop = compiling.compile_loop(played, tuple(map(typeof, args)), frozenset(), checked=True)
        with pytest.raises(error) if error else contextlib.nullcontext():
            loop(*args)
        assert args[0].tolist() == ([0.0] * 3 if error else [2.0] * 3)
