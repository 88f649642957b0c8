"""What the shared checks let through."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditlab.validate import (
    choice,
    flag,
    horizons,
    how_many,
    listed,
    number,
    probabilities,
    shown,
    table,
    unwrap_scalar,
    vector,
    whole,
)

finite = st.floats(allow_nan=False, allow_infinity=False)


@given(finite)
def test_a_finite_number_comes_back_as_a_float(value):
    for kind in value, np.float64(value):
        result = number("x", kind)
        assert type(result) is float
        assert result == value


@pytest.mark.parametrize("value", [3, Fraction(1, 2), np.int64(7), np.float32(0.5)])
def test_other_kinds_of_numbers_become_floats(value):
    assert type(number("x", value)) is float
    assert number("x", value) == value


@given(value=st.floats(), above=finite, least=finite, most=finite, below=finite)
def test_limits_hold_exactly(value, above, least, most, below):
    allowed = math.isfinite(value) and value > above and value >= least and value <= most and value < below
    try:
        assert number("x", value, above, least, most, below) == value
        assert allowed
    except ValueError as error:
        assert not allowed
        for part in "x=", repr(value), str(above), str(least), str(most), str(below):
            assert part in str(error)


def test_inclusive_limits_are_taken():
    assert number("x", 1, least=1) == number("x", 1, most=1) == 1


@given(st.integers())
def test_a_whole_number_comes_back_as_an_int_however_large(value):
    assert whole("n", value, most=None) == value


@pytest.mark.parametrize("value", [2.0, np.int64(2), np.float64(2), Fraction(2)])
def test_what_has_no_fraction_is_whole(value):
    assert whole("n", value) == 2
    assert type(whole("n", value)) is int


def test_a_whole_number_far_beyond_floats_is_taken():
    assert whole("n", 10**400, most=None) == 10**400
    assert whole("n", 2**64 - 1) == 2**64 - 1


def test_limits_of_whole_numbers_are_inclusive():
    assert whole("n", 1, 1, 3) == 1
    assert whole("n", 3, 1, 3) == 3


def test_a_vector_is_a_contiguous_float_copy():
    given = np.arange(6.0)[::2]
    result = vector("v", given)
    assert result.flags.c_contiguous
    assert result.dtype == float
    result[0] = 9
    assert given[0] == 0
    assert vector("v", (1, 2)).tolist() == [1.0, 2.0]


def test_what_lies_in_its_limits_is_taken():
    assert vector("v", [0, 2], least=0, most=2, size=2).tolist() == [0, 2]
    assert probabilities("p", [0, 0.5, 1]).tolist() == [0, 0.5, 1]
    assert choice("mode", "a", ("a", "b")) == "a"
    for value in True, False, np.True_, np.False_:
        assert flag("cap", value) is bool(value)


def test_horizons_keep_their_shape():
    for value in 5, [5], [[5, 6], [7, 8]], np.array(5), range(1, 4), np.float64(5):
        rounds = horizons("horizon", value)
        assert rounds.dtype == float and rounds.shape == np.shape(value) and np.array_equal(rounds, value)
    assert type(unwrap_scalar(2 * horizons("horizon", 5))) is float and unwrap_scalar(
        horizons("horizon", [5])
    ).tolist() == [5.0]


def test_a_table_is_a_contiguous_float_copy():
    given = np.arange(6).reshape(2, 3).T
    result = table("rows", given, (3, None))
    assert result.flags.c_contiguous and result.dtype == float and np.array_equal(result, given)
    result[0, 0] = 9
    assert given[0, 0] == 0


def test_a_size_that_memory_holds_is_taken():
    assert how_many("arms", 2**28) == 2**28


def test_a_list_has_an_order():
    for value in [1, 2], (1, 2), np.array([1, 2]), range(1, 3), np.ma.array([1, 2]):
        assert listed("arms", value) == [1, 2]


def test_messages_stay_short_whatever_the_value():
    class Silent:
        def __repr__(self):
            raise RuntimeError

    assert shown(0.5) == "0.5" and shown(Silent()) == "<Silent>"
    assert shown(10**5000) == "<int>"  # more digits than Python prints
    assert len(shown(list(range(10**5)))) < 200
