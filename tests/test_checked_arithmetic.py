"""Arithmetic of code from outside: where Python raises, compiled code does, and nowhere else do they differ."""

import math

import numpy as np
import pytest
from numba import typeof
from numba.core import errors

from banditlab.engine import compiling

FROZEN = np.array([3.0, 1.0, 2.0])
FROZEN.flags.writeable = False
INF, NAN = math.inf, math.nan
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
]


def write(text):
    scope = dict(math=math, np=np)
    exec(f"def played(x, rng): return {text}", scope)
    return scope["played"]


def compiled(function, x):
    args = x, np.random.default_rng(0)
    return compiling.compile_loop(function, tuple(map(typeof, args)), frozenset(), checked=True)(*args)


def label(case):
    return f"{case[0]}, x = {case[1]}"


@pytest.mark.parametrize("case", WRONG, ids=label)
def test_what_python_raises_at_raises(case):
    function = write(case[0])
    with pytest.raises((ArithmeticError, ValueError, IndexError)):
        function(case[1], np.random.default_rng(0))
    with pytest.raises(REFUSED):
        compiled(function, case[1])


@pytest.mark.parametrize("case", OTHERWISE, ids=label)
def test_what_python_computes_otherwise_raises(case):
    with pytest.raises(REFUSED):
        compiled(write(case[0]), case[1])


@pytest.mark.parametrize("case", RIGHT, ids=label)
def test_what_has_a_value_is_let_through(case):
    function = write(case[0])
    assert np.array_equal(compiled(function, case[1]), function(case[1], np.random.default_rng(0)), equal_nan=True)
