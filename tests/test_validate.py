"""What the shared checks let through, and what their errors say."""

import math
from decimal import Decimal
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


@pytest.mark.parametrize("value", ["3", None, True, np.True_, 1j, [1.0], np.ones(2), Decimal(1)])
def test_what_is_no_number_is_named(value):
    with pytest.raises(TypeError, match="x=.*: must be a number"):
        number("x", value)


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


@pytest.mark.parametrize(
    "limits, edge, inside",
    [({"above": 1}, False, 2), ({"least": 1}, True, 2), ({"most": 1}, True, 0), ({"below": 1}, False, 0)],
)
def test_edges(limits, edge, inside):
    assert number("x", inside, **limits) == inside
    if edge:
        assert number("x", 1, **limits) == 1
    else:
        with pytest.raises(ValueError):
            number("x", 1, **limits)


@given(st.integers())
def test_a_whole_number_comes_back_as_an_int_however_large(value):
    assert whole("n", value, most=None) == value


@pytest.mark.parametrize("value", [2.0, np.int64(2), np.float64(2), Fraction(2)])
def test_what_has_no_fraction_is_whole(value):
    assert whole("n", value) == 2
    assert type(whole("n", value)) is int


@pytest.mark.parametrize("value", [2.5, math.nan, math.inf, -math.inf, "2", None, True, np.False_, [2], 1j])
def test_what_is_not_whole_is_named(value):
    with pytest.raises(TypeError, match="n=.*: must be a whole number, at least 1"):
        whole("n", value, 1)


def test_a_number_far_beyond_floats_is_judged_by_its_limits():
    assert whole("n", 10**400, most=None) == 10**400
    assert whole("n", 2**64 - 1) == 2**64 - 1
    with pytest.raises(ValueError, match=f"n=1000.*: must be at least 1 and at most {2**64 - 1}$"):
        whole("n", 10**400, 1)
    with pytest.raises(ValueError, match="n=1000.*: must be at most 5"):
        whole("n", 10**400, most=5)
    with pytest.raises(ValueError, match="x=1000.*: must be"):
        number("x", 10**400)


def test_limits_of_whole_numbers_are_inclusive():
    assert whole("n", 1, 1, 3) == 1
    assert whole("n", 3, 1, 3) == 3
    with pytest.raises(ValueError, match="n=0: must be at least 1 and at most 3"):
        whole("n", 0, 1, 3)
    with pytest.raises(ValueError, match="n=4: must be at least 1 and at most 3"):
        whole("n", 4, 1, 3)


def test_a_vector_is_a_contiguous_float_copy():
    given = np.arange(6.0)[::2]
    result = vector("v", given)
    assert result.flags.c_contiguous
    assert result.dtype == float
    result[0] = 9
    assert given[0] == 0
    assert vector("v", (1, 2)).tolist() == [1.0, 2.0]


@pytest.mark.parametrize("value", [["a"], ["0.5"], "ab", None, [[1], [1, 2]], [1j], object()])
def test_what_holds_no_numbers_is_named(value):
    with pytest.raises((TypeError, ValueError), match="^v="):
        vector("v", value)


@pytest.mark.parametrize("value", [[], [[1.0]], 3.0])
def test_what_has_another_shape_is_named(value):
    with pytest.raises(ValueError, match="v=.*: must be a one-dimensional list or array, not empty"):
        vector("v", value)


def test_the_wrong_entry_is_named():
    with pytest.raises(ValueError, match=r"v\[1\]=-1.0: must be a finite number from 0 to 2"):
        vector("v", [0, -1, 5], least=0, most=2)
    for bad in math.nan, math.inf, -math.inf:
        with pytest.raises(ValueError, match=r"v\[2\]="):
            vector("v", [0, 1, bad])
    with pytest.raises(ValueError, match="v has 2 entries: must have 3"):
        vector("v", [0, 1], size=3)
    assert vector("v", [0, 2], least=0, most=2, size=2).tolist() == [0, 2]


def test_probabilities_leave_nothing_out():
    assert probabilities("p", [0, 0.5, 1]).tolist() == [0, 0.5, 1]
    for bad in -0.1, 1.1, math.nan:
        with pytest.raises(ValueError, match=r"p\[0\]=.*from 0.0 to 1.0"):
            probabilities("p", [bad])


def test_a_choice_is_one_of_its_options():
    assert choice("mode", "a", ("a", "b")) == "a"
    for bad in "c", "", None, 3, ["a"]:
        with pytest.raises(ValueError, match="mode=.*: must be one of 'a', 'b'"):
            choice("mode", bad, ("a", "b"))


def test_a_flag_is_true_or_false():
    for value in True, False, np.True_, np.False_:
        assert flag("cap", value) is bool(value)
    for bad in 1, 0.0, "yes", None, [True], np.array(True):
        with pytest.raises(TypeError, match="cap=.*: must be True or False"):
            flag("cap", bad)


def test_horizons_keep_their_shape():
    for value in 5, [5], [[5, 6], [7, 8]], np.array(5), range(1, 4), np.float64(5):
        rounds = horizons("horizon", value)
        assert rounds.dtype == float and rounds.shape == np.shape(value) and np.array_equal(rounds, value)
    assert type(unwrap_scalar(2 * horizons("horizon", 5))) is float and unwrap_scalar(
        horizons("horizon", [5])
    ).tolist() == [5.0]
    for bad in [2, 0], [1.5], "ab", [], 10**400, {1}, [2, None], np.ma.masked_array([1, 2], [True, False]):
        with pytest.raises((TypeError, ValueError), match="horizon=.*must"):
            horizons("horizon", bad)
    with pytest.raises(ValueError, match="horizon=2: must be at least 3"):
        horizons("horizon", [3, 2], least=3)


def test_a_table_is_a_contiguous_float_copy():
    given = np.arange(6).reshape(2, 3).T
    result = table("rows", given, (3, None))
    assert result.flags.c_contiguous and result.dtype == float and np.array_equal(result, given)
    result[0, 0] = 9
    assert given[0, 0] == 0


@pytest.mark.parametrize(
    "rows, error, said",
    [
        ([[1], [1, 2]], TypeError, "rows=.*: must be a table of numbers"),
        ([["1"]], TypeError, "rows=.*: must be a table of numbers"),
        ([1.0, 2.0], ValueError, r"rows has shape \(2,\): must be a table"),
        ([[]], ValueError, r"rows has shape \(1, 0\): must be a table"),
        ([[1.0, 2.0]], ValueError, r"rows has shape \(1, 2\): must be any x 3"),
        ([[1.0, np.nan, 2.0]], ValueError, r"rows\[0\]\[1\]=nan: must be a finite number from 0 to 9"),
        ([[1.0, 2.0, 10.0]], ValueError, r"rows\[0\]\[2\]=10.0: must be a finite number from 0 to 9"),
    ],
)
def test_a_wrong_table_is_named(rows, error, said):
    with pytest.raises(error, match=said):
        table("rows", rows, (None, 3), 0, 9)


def test_sizes_say_how_many_bytes_they_need():
    assert how_many("arms", 2**28) == 2**28
    with pytest.raises(ValueError, match="arms=268435457: would take 2,147,483,656 bytes, must be at most"):
        how_many("arms", 2**28 + 1)
    with pytest.raises(ValueError, match="arms=0: must be at least 1"):
        how_many("arms", 0)


def test_a_list_has_an_order():
    for value in [1, 2], (1, 2), np.array([1, 2]), range(1, 3), np.ma.array([1, 2]):
        assert listed("arms", value) == [1, 2]
    for bad in 3, "ab", b"ab", {1, 2}, {1: 2}, [], np.array(3), iter([1]), None, np.ma.array([1, 2], mask=[0, 1]):
        with pytest.raises((TypeError, ValueError), match="^arms=.*: must be a list, not empty$"):
            listed("arms", bad)


def test_messages_stay_short_whatever_the_value():
    class Silent:
        def __repr__(self):
            raise RuntimeError

    assert shown(0.5) == "0.5" and shown(Silent()) == "<Silent>"
    assert shown(10**5000) == "<int>"  # more digits than Python prints
    assert len(shown(list(range(10**5)))) < 200


@pytest.mark.parametrize("hide", [np.ma.array([1.0, 2.0], mask=[False, True]), bytearray(b"ab"), memoryview(b"ab")])
def test_what_only_looks_like_numbers_is_refused(hide):
    with pytest.raises(TypeError, match="v=.*: must be a list or array of numbers"):
        vector("v", hide)
