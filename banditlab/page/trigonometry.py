"""Sine, cosine and tangent as `mathematics` has logarithms: plain Python for numba, within .52 units in the last place.

An argument is a whole number of 256ths of a turn, whose sine stands in a table, and a rest of at most half of one, kept
as two numbers. Up to `FAR` the rest is what a step in three parts leaves. Beyond, and where a result so near to 0 needs
more digits, the argument is multiplied as a whole number with those digits of 1 / (2 pi) that count.
"""

import math
from decimal import Decimal, localcontext

import numpy as np

from .mathematics import PI, bits_of, exact, high_half, pair, product, shorter, total

PLACES = 256  # of the table, in a turn
HALF_TURN, RIGHT = PLACES // 2, PLACES // 4
FAR = 2.0**20
CLOSE = 2.0**-16  # to a zero: the rest needs more digits
TINY = 2.0**-27  # below it sine and tangent are the argument
WORD = (1 << 24) - 1  # digits of 1 / (2 pi) are words of 24 bits, so that products of two are small whole numbers
LEAD = 3  # words of zeros before them
WORDS = LEAD + 49  # the largest number asks for bits 971 to 1163


def sine_series(x):
    """The sine of a decimal of at most pi / 2."""
    term = total = x
    for n in range(2, 60, 2):
        term *= -x * x / (n * (n + 1))
        total += term
    return total


def inverse_tangent(n, unit):
    """The angle whose tangent is 1 / n, in so many parts of 1."""
    power = found = unit // n
    for k in range(3, unit.bit_length(), 2):
        power = -power // n**2
        found += power // k
    return found


def divide_turn():
    """The digits of 1 / (2 pi) as words, by Machin's formula for pi."""
    spare = 24 * WORDS + 64
    pi = 16 * inverse_tangent(5, 1 << spare) - 4 * inverse_tangent(239, 1 << spare)
    digits = (1 << (spare + 24 * (WORDS - LEAD))) // (2 * pi)
    return np.array([digits >> 24 * (WORDS - 1 - k) & WORD for k in range(WORDS)])


with localcontext() as precision:
    precision.prec = 60
    STEP = 2 * PI / PLACES
    FIRST, _ = pair(STEP, 32)
    SECOND, LAST = pair(STEP - Decimal(FIRST), 52)
    PER_PLACE, TURN = float(1 / STEP), pair(2 * PI)
    QUARTER = [sine_series(STEP * i) for i in range(RIGHT + 1)]
    HALF = [*QUARTER, *QUARTER[-2:0:-1]]
    SINES = np.array([pair(sign * s, 26) for sign in (1, -1) for s in HALF])
IN_TURNS = divide_turn()


@exact
def word_at(bit):
    """24 digits of 1 / (2 pi) from this one on."""
    k, shift = bit // 24, bit % 24
    return ((IN_TURNS[k] << shift) | (IN_TURNS[k + 1] >> (24 - shift))) & WORD


@exact
def two_words(m, bit, carry):
    """48 digits of the product of a whole number m and digits of 1 / (2 pi) from here on, and what goes to the left."""
    a, b, c, d = word_at(bit), word_at(bit + 24), word_at(bit + 48), word_at(bit + 72)
    low, middle, high = m & WORD, (m >> 24) & WORD, m >> 48
    right = low * b + middle * c + high * d + carry
    left = low * a + middle * b + high * c + (right >> 24)
    return ((left & WORD) << 24) | (right & WORD), left >> 24


@exact
def reduce_exactly(size):
    """As `reduce_turns`, for any number of 1 and more: 144 digits of its share of a turn."""
    bits = bits_of(size)
    m = (bits & ((1 << 52) - 1)) | (1 << 52)
    bit = (bits >> 52) - 1075 + 24 * LEAD  # digits before it count whole turns
    last, carry = two_words(m, bit + 96, 0)
    middle, carry = two_words(m, bit + 48, carry)
    first, _ = two_words(m, bit, carry)
    place = (first + (1 << 39)) >> 40
    high, lost = total((first - (place << 40)) * 2.0**-48, middle * 2.0**-96)
    high, low = shorter(high, lost + last * 2.0**-144)
    r, rest = product(high, TURN[0])
    return place, r, rest + (high * TURN[1] + low * TURN[0])


@exact
def reduce_turns(size, zero, apart):
    """The nearest place in the table, and the rest as two numbers, exact where the result is nearly 0.

    These places are `zero` and others, so far `apart`.
    """
    if size >= FAR:
        return reduce_exactly(size)
    place = int(size * PER_PLACE + 0.5)
    r, lost = total(size - place * FIRST, -(place * SECOND))
    if abs(r) < CLOSE and (place - zero) % apart == 0 and place > 0:
        return reduce_exactly(size)
    r, low = total(r, lost - place * LAST)
    return place, r, low


@exact
def sine_near(place, r, low):
    """The sine of a place in the table and a rest, as two numbers."""
    at, across = place & (PLACES - 1), (place + RIGHT) & (PLACES - 1)
    s, s_low, c, c_low = SINES[at, 0], SINES[at, 1], SINES[across, 0], SINES[across, 1]
    upper, square = high_half(r), r * r
    bend = square * (-0.5 + square * (1 / 24 - square * (1 / 720)))  # cosine of the rest - 1
    more = r * square * (-1 / 6 + square * (1 / 120 - square * (1 / 5040)))  # sine of it - r
    first, lost = shorter(s, c * upper)
    rest = lost + c * (r - upper) + s_low
    return first, rest + (c_low * (r + more) + c * (low + more) + (s + s_low) * bend)


@exact
def sin(x):
    """Sine."""
    size = abs(x)
    if not TINY < size < np.inf:
        return x if size <= TINY else np.nan
    first, rest = sine_near(*reduce_turns(size, 0, HALF_TURN))
    return math.copysign(1.0, x) * (first + rest)


@exact
def cos(x):
    """Cosine."""
    if not abs(x) < np.inf:
        return np.nan
    place, r, low = reduce_turns(abs(x), RIGHT, HALF_TURN)
    first, rest = sine_near(place + RIGHT, r, low)
    return first + rest


@exact
def tan(x):
    """Tangent: a quotient and what its rounding lost."""
    size = abs(x)
    if not TINY < size < np.inf:
        return x if size <= TINY else np.nan
    place, r, low = reduce_turns(size, 0, RIGHT)
    up, up_low = shorter(*sine_near(place, r, low))
    down, down_low = shorter(*sine_near(place + RIGHT, r, low))
    found = up / down
    high, lost = product(found, down)
    return math.copysign(1.0, x) * (found + ((up - high) - lost + up_low - found * down_low) / down)


FUNCTIONS = {"sin": sin, "cos": cos, "tan": tan}
