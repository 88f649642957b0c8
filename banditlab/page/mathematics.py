"""Logarithms, powers and the error function in plain Python that numba compiles, for code that has no C library.

Written from the mathematics: a table brings the argument near 1 (or 0), a Taylor polynomial does the rest, and what a
product or a sum of two numbers loses is kept in a second number where it matters. No fused multiplication is used, so
that every processor rounds alike. Each result lies within .52 units in the last place of the true value; a test holds
the functions to that.
"""

import math
from decimal import Decimal, localcontext

import numpy as np
from numba import njit

exact = njit(error_model="numpy")  # a division by zero is an infinity, not an error
STEPS = 128  # of the tables of logarithms and exponentials
CUTS = 16  # of the table of the error function, for each unit
FURTHEST = 6.0  # the error function is 1 from here on
BIG = 134217729.0  # 2**27 + 1: splits a number into halves of 26 bits


def pair(value, bits=53):
    """Two numbers whose sum is this decimal; the first is a multiple of 2**-bits."""
    first = float(round(value * 2**bits)) / 2.0**bits if bits < 53 else float(value)
    return first, float(value - Decimal(first))


def reciprocal(j):
    """About 128/j, in so few bits that products with halves of numbers are exact."""
    return round(1024 * STEPS / j) / 1024


def error_function(x, terms=250):
    """The error function of a decimal: a sum of positive terms."""
    term = total = x
    for n in range(1, terms):
        term *= 2 * x * x / (2 * n + 1)
        total += term
    return total * (-x * x).exp() * 2 / PI.sqrt()


with localcontext() as digits:
    digits.prec = 60
    PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")
    LN2 = Decimal(2).ln()
    LN2_HIGH, LN2_LOW = pair(LN2, 42)
    STEP_HIGH, STEP_LOW = pair(LN2 / STEPS, 42)
    PER_STEP, PER_LN2 = float(STEPS / LN2), pair(1 / LN2)
    SLOPE = pair(2 / PI.sqrt())
    INVERSES = np.array([0.0 if j < 90 else reciprocal(j) for j in range(183)])
    LOGS = np.array([(0.0, 0.0) if j < 90 else pair(-Decimal(reciprocal(j)).ln(), 42) for j in range(183)])
    POWERS = np.array([pair((LN2 * i / STEPS).exp()) for i in range(STEPS)])
    AT = [Decimal(i) / CUTS for i in range(int(FURTHEST * CUTS) + 1)]
    ERRORS = np.array([(*pair(error_function(c)), *pair((-c * c).exp() * 2 / PI.sqrt())) for c in AT])
THIRD, SIXTH = 1 / 3, 1 / 6
ONE_OVER = 1.0 / np.maximum(1.0, np.arange(13.0))
OVER = 709.79  # the exponential is infinite
UNDER = -745.2  # the exponential is 0
MIDDLE = 0x3FE6A09E667F3BCD  # bits of the square root of 1/2


@exact
def bits_of(x):
    return np.float64(x).view(np.int64)


@exact
def of_bits(n):
    return np.int64(n).view(np.float64)


@exact
def high_half(x):
    """The upper 26 bits of a number."""
    big = BIG * x
    return big - (big - x)


@exact
def product(a, b):
    """A product and what its rounding lost."""
    p, ah, bh = a * b, high_half(a), high_half(b)
    al, bl = a - ah, b - bh
    return p, ((ah * bh - p) + ah * bl + al * bh) + al * bl


@exact
def total(a, b):
    """A sum and what its rounding lost."""
    s = a + b
    other = s - a
    return s, (a - (s - other)) + (b - other)


@exact
def shorter(a, b):
    """`total` of a number and a smaller one, or of 0 and any."""
    s = a + b
    return s, (a - s) + b


@exact
def parts(x, more):
    """Exponent k, place j in the table and distance r, as two numbers: x + more = 2**k (1 + r) / INVERSES[j]."""
    k, bits = 0, bits_of(x)
    if bits < 1 << 52:  # subnormal
        k, bits = -54, bits_of(x * 2.0**54)
    up = (bits - MIDDLE) >> 52
    m = of_bits(bits - (up << 52))
    more = more * of_bits((1023 - up) << 52) if up < 60 else 0.0
    j = int(m * STEPS + 0.5)
    upper = of_bits(bits_of(m) & -(1 << 27))
    r, low = total(upper * INVERSES[j] - 1.0, (m - upper) * INVERSES[j] + more * INVERSES[j])
    return k + up, j, r, low


@exact
def cubic(r):
    """(log(1 + r) - r + r**2 / 2) / r**3 of a small number."""
    s = 1 / 7 + r * (-0.125 + r * (1 / 9 - r * 0.1))
    return THIRD + r * (-0.25 + r * (0.2 + r * (-SIXTH + r * s)))


@exact
def logarithm(x, more, unit_high, unit_low):
    """The logarithm of x + more, as two numbers, where the exponent counts so much for each power of 2."""
    k, j, r, low = parts(x, more)
    first, lost = shorter(k * unit_high + LOGS[j, 0], r)
    return first, lost + (k * unit_low + LOGS[j, 1] + low) + r * r * (-0.5 + r * cubic(r)), k


@exact
def is_ordinary(x):
    """Whether a number is positive and finite."""
    return 0.0 < x < np.inf


@exact
def log_of_others(x):
    """The logarithm of 0, of infinity and of what has none."""
    return -np.inf if x == 0.0 else x if x == np.inf else np.nan


@exact
def log(x):
    """Natural logarithm."""
    if not is_ordinary(x):
        return log_of_others(x)
    first, rest, _ = logarithm(x, 0.0, LN2_HIGH, LN2_LOW)
    return first + rest


@exact
def log1p(x):
    """Natural logarithm of 1 + x."""
    if abs(x) < 1 / 160:
        return x + x * x * (-0.5 + x * cubic(x))
    if not is_ordinary(1.0 + x):
        return log_of_others(1.0 + x)
    first, rest, _ = logarithm(*total(1.0, x), LN2_HIGH, LN2_LOW)
    return first + rest


@exact
def log2(x):
    """Logarithm to base 2."""
    if not is_ordinary(x):
        return log_of_others(x)
    first, rest, k = logarithm(x, 0.0, 0.0, 0.0)
    high, low = product(first, PER_LN2[0])
    whole, lost = total(float(k), high)
    return whole + (lost + (low + first * PER_LN2[1] + rest * PER_LN2[0]))


@exact
def scaled(high, low, e):
    """(high + low) 2**e, rounded once, also where the result is subnormal."""
    if -1022 < e < 1024 or (e == -1022 and high + low >= 1.0):
        return (high + low) * of_bits((e + 1023) << 52)
    if e >= 1024:
        return (high + low) * of_bits((e + 1022) << 52) * 2.0 if e == 1024 else np.inf
    if e < -1076:
        return 0.0
    grid = of_bits((1023 + 52 - 1074 - e) << 52)  # sums with it are multiples of what the result can hold
    first, lost = total(grid, high)
    return ((first + (lost + low)) - grid) * of_bits((e + 200 + 1023) << 52) * 2.0**-200


@exact
def steps(high, low):
    """What is left of high + low after whole steps of log 2 / 128, as two numbers; exponent and place in the table."""
    near = high * PER_STEP
    k = int(near + 0.5) if near >= 0.0 else int(near - 0.5)
    return high - k * STEP_HIGH, low - k * STEP_LOW, k >> 7, k & (STEPS - 1)


@exact
def square_and_more(r):
    """exp(r) - 1 - r of a small number."""
    return r * r * (0.5 + r * (SIXTH + r * (1 / 24 + r * (1 / 120 + r * (1 / 720)))))


@exact
def raised(high, low):
    """exp(high + low) as two numbers and an exponent; the second argument is small."""
    r, rest, e, i = steps(high, low)
    r += rest
    return POWERS[i, 0], POWERS[i, 0] * (r + square_and_more(r)) + POWERS[i, 1], e


@exact
def exp(x):
    """Exponential."""
    if not UNDER < x < OVER:
        return np.inf if x >= OVER else 0.0 if x <= UNDER else x
    return scaled(*raised(x, 0.0))


@exact
def exp2(x):
    """Power of 2."""
    if not -1080.0 < x < 1024.0:
        return np.inf if x >= 1024.0 else 0.0 if x <= -1080.0 else x
    whole = math.floor(x + 0.5)
    rest = x - whole
    high, low = product(rest, LN2_HIGH)
    first, second, e = raised(high, low + rest * LN2_LOW)
    return scaled(first, second, e + int(whole))


@exact
def expm1(x):
    """Exponential minus 1."""
    if abs(x) < 0.1:
        return expm1_of_small(x)
    if not -40.0 < x < 700.0:
        return -1.0 if x <= -40.0 else exp(x)
    r, rest, e, i = steps(x, 0.0)
    unit = of_bits((e + 1023) << 52)
    high, lost = product(POWERS[i, 0], r)
    low = lost + POWERS[i, 0] * (rest + square_and_more(r + rest)) + POWERS[i, 1] * (1.0 + r)
    first, a = total(POWERS[i, 0] * unit, -1.0)
    first, b = total(first, high * unit)
    return first + (a + b + low * unit)


@exact
def expm1_of_small(x):
    """Exponential minus 1 of numbers below 1/10: a series whose second term is kept twice as long."""
    if abs(x) < 2.0**-54:
        return x
    square, lost = product(x, x)
    s = 1.0
    for n in range(11, 3, -1):
        s = 1.0 + x * s * ONE_OVER[n]
    first, rest = shorter(x, 0.5 * square)
    return first + (rest + 0.5 * lost + x * square * s * SIXTH)


@exact
def pow(x, y):
    """Power of floating-point numbers, with C's rules for zeros, infinities and negative numbers."""
    if y == 0.0 or x == 1.0:
        return 1.0
    if x != x or y != y:
        return np.nan
    whole = abs(y) >= 2.0**53 or y == math.floor(y)
    odd = whole and abs(y) < 2.0**53 and int(y) % 2 == 1
    sign = -1.0 if odd and (x < 0.0 or (x == 0.0 and bits_of(x) < 0)) else 1.0
    if x < 0.0 and not whole and x != -np.inf:
        return np.nan
    size = abs(x)
    if size == 1.0:
        return sign
    if not is_ordinary(size) or abs(y) > 2.0**65:
        return sign * (np.inf if (size > 1.0) == (y > 0.0) else 0.0)
    return sign * raise_positive(size, y)


@exact
def raise_positive(x, y):
    """Power of a positive number: exponential of y log x, the logarithm in 68 bits."""
    k, j, r, low = parts(x, 0.0)
    square, lost = product(r, r)
    first, a = shorter(k * LN2_HIGH + LOGS[j, 0], r)
    first, b = shorter(first, -0.5 * square)
    rest = a + b + (k * LN2_LOW + LOGS[j, 1]) + low - (0.5 * lost + r * low) + r * square * cubic(r)
    high, low = product(y, first)
    low += y * rest
    if not UNDER - 1.0 < high < OVER + 1.0:
        return np.inf if high > 0.0 else 0.0
    return scaled(*raised(high, low))


@exact
def erf(x):
    """Error function."""
    size = abs(x)
    if size < 0.1:
        return erf_of_small(x)
    if not size < FURTHEST:
        return x if x != x else 1.0 if x > 0.0 else -1.0
    j = int(size * CUTS + 0.5)
    c = j / CUTS
    h = size - c
    before, now, series, step = 0.0, 1.0, 0.0, h  # coefficients of exp(-2ch - h**2), its integral from h**2 on
    for n in range(1, 12):
        before, now = now, -2.0 * (c * now + before) * ONE_OVER[n]
        step *= h
        series += now * step * ONE_OVER[n + 1]
    high, low = product(ERRORS[j, 2], h)
    first, lost = total(ERRORS[j, 0], high)
    found = first + (lost + (low + ERRORS[j, 1] + ERRORS[j, 3] * h + ERRORS[j, 2] * series))
    return found if x > 0.0 else -found


@exact
def erf_of_small(x):
    """Error function of numbers below 1/10: its series, the first term kept twice as long."""
    if abs(x) < 2.0**-900:  # halves of it would be too small to be kept
        return erf_of_small(x * 2.0**300) * 2.0**-300 if x != 0.0 else x
    square = x * x
    s = -1 / 42 + square * (1 / 216 + square * (-1 / 1320 + square / 9360))
    s = square * (-THIRD + square * (0.1 + square * s))
    high, low = product(x, SLOPE[0])
    return high + (low + x * SLOPE[1] + high * s)


FUNCTIONS = {"log": log, "log2": log2, "log1p": log1p, "exp": exp, "exp2": exp2, "expm1": expm1, "pow": pow, "erf": erf}
