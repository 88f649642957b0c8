"""What a stranger got wrong who had read the pages and no source: kinds of mistakes that `wrong` has not, and cures."""

import math
import time
from typing import NamedTuple

import numpy as np

import banditlab as bl

from .base import ARMS, Arms, Right, collect

PROGRAMS = {}
CURES = {}  # name -> words of what is said
put = collect(PROGRAMS, __name__)
TICKS = np.zeros(1)
SINGLE, UNSIGNED = np.ones(5, np.float32), np.ones(5, np.uint64)


def told(words, *others, **options):
    """Collect the methods, and others beside them, with the words that help."""

    def keep(*methods):
        CURES[methods[0].__name__] = words
        return put(*methods, *others, **options)

    return keep


@told("`not`")
def select_inverts_a_truth(self, state, t, rng):
    return 1 if ~(t > 5) else 0


@told("math.floor")
def select_rounds_to_a_digit(self, state, t, rng):
    return int(round(t * 0.15, 1) * 10.0) % 3


@told("the number itself")
def select_length_of_a_text(self, state, t, rng):
    return len(str(t * 0.1)) % 3


@told("name each argument")
def select_gathers(self, state, t, rng):
    def count(*numbers):
        return len(numbers)

    return min(count(state.pulls), 2)


@told("by position")
def select_names_an_argument(self, state, t, rng):
    def scale(x, by):
        return x * by

    return scale(by=t % 2, x=1)


@told("write the loop")
def select_max_by_key(self, state, t, rng):
    return max(range(self.arms), key=lambda arm: state.pulls[arm])


@told("write the loop")
def select_all_of_a_list(self, state, t, rng):
    return 1 if all([n > 5.0 for n in state.pulls]) else 0


@told("clock")
def select_by_the_clock(self, state, t, rng):
    return int(time.time() * 1000.0) % 3


@told("keep the number")
def select_reads_a_text(self, state, t, rng):
    name = f"arm{t % 3}"
    return int(name[3:])


@told("bound its exponent")
def select_power_too_large(self, state, t, rng):
    return 1 if 10.0**t > 1e300 else 0


@told("an index is outside its array")
def select_nothing_found(self, state, t, rng):
    return np.where(state.pulls > 300.0)[0][0]


@told("write a loop, or")
def select_compares_arrays(self, state, t, rng):
    if state.pulls == state.rewards:
        return 0
    return 1


@told("Python's whole numbers are unbounded")
def select_int_of_a_huge_number(self, state, t, rng):
    return int(1e19 * (t + 1.0)) % 3


@told("bound it")
def select_root_of_a_loss(self, state, t, rng):
    return 1 if (state.rewards[0] - state.pulls[0] - 0.5) ** 0.5 > 1.0 else 0


@told("_replace")
def update_squares_in_place(self, state, action, observation, t, rng):
    state.pulls **= 2
    return state


@told("global arrays")
def update_ticks(self, state, action, observation, t, rng):
    TICKS[0] += 1.0
    return state


@told("None in some branch")
def select_none_at_first(self, state, t, rng):
    best, top = None, -math.inf
    for arm in range(self.arms):
        if best is None or state.rewards[arm] > state.rewards[best]:
            best, top = arm, state.rewards[arm]
    return best if top > 0.0 else 0


@told("math.log(x) / math.log(2.0)")
def select_log_to_a_base(self, state, t, rng):
    return 1 if math.log(t + 1.0, 2) > 3.0 else 0


class Box(NamedTuple):
    low: float
    high: float = 1.0


@told("defaults too")
def select_leaves_a_default_out(self, state, t, rng):
    return 1 if max(Box(state.rewards[0] / 1000.0)) >= 1.0 else 0


@told("one of floats")
def select_clips_whole_numbers(self, state, t, rng):
    return int(np.argmax(1.0 / np.clip(state.pulls.astype(np.int64), 0.5, 9.0)))


@told("one of floats")
def select_clips_by_a_method(self, state, t, rng):
    return int(np.argmax(1.0 / state.pulls.astype(np.int64).clip(0.5, 9.0)))


@told("over that axis")
def select_takes_a_row_that_is_none(self, state, t, rng):
    both = np.stack((state.pulls, state.rewards))
    return 1 if np.take(both, np.array([2 if t > 300 else 0]), axis=0)[0].sum() > 1e5 else 0


@told("over that axis")
def select_takes_along_an_axis(self, state, t, rng):
    return int(np.take_along_axis(np.stack((state.pulls, state.rewards)), np.array([[t // 40], [0]]), 1)[0, 0]) % 2


@told("two indices")
def select_slice_between_number_and_mask(self, state, t, rng):
    cube = np.arange(50.0).reshape(2, 5, 5)
    return cube[t % 2, :, state.pulls > 3.0].shape[0] % self.arms


@told("an index is outside its array", fields=[("weights", tuple)], values=[(1.0, 2.0, 3.0)])
def select_end_of_a_tuple(self, state, t, rng):
    return 1 if self.weights[t // 100] > 2.5 else 0


@told("bound it", whole=Arms)
def regret_root(self, world, action, t):
    return np.sqrt(300.0 - t) * 0.0 + self.means.max() - self.means[action]


class Super(NamedTuple("Base", [("arms", int)])):
    __slots__ = ()

    init, update = Right.init, Right.update

    def select(self, state, t, rng):
        return super().count(t)


class Two(NamedTuple):
    """On two components of two options each, wrong in one of several ways."""

    kind: str

    def init(self, rng):
        return np.zeros(2, np.int64)

    def update(self, state, action, observation, t, rng):
        if self.kind == "overwritten":
            state[:] = 0
        return state


class Number(Two):
    __slots__ = ()

    def select(self, state, t, rng):
        return t % 2


class Long(Two):
    __slots__ = ()

    def select(self, state, t, rng):
        return np.array([0, 1, 1])


class Points(Two):
    __slots__ = ()

    def select(self, state, t, rng):
        return np.zeros(2)


class Late(Two):
    __slots__ = ()

    def select(self, state, t, rng):
        return np.array([0, 2 if t > 390 else 1])


class Overwritten(Two):
    __slots__ = ()

    def select(self, state, t, rng):
        state[:] = 1
        return state


FACTORED = bl.factored.gaussian([[1.0, 0.5], [1.0, 0.5]], 0.1)
PROGRAMS |= {cls.__name__: (FACTORED, cls("overwritten")) for cls in (Number, Long, Points, Late, Overwritten)}
PROGRAMS["Super"] = (ARMS, Super(5))
CURES |= {
    "Number": "several are wanted",
    "Long": "an index is outside its array",
    "Points": "must be whole",
    "Late": "below [2, 2]",
    "Overwritten": "return a copy",
    "Super": "a name of its own",
}


class Counters(NamedTuple):
    pulls: np.ndarray  # uint8


def init_bytes_counters(self, rng):
    return Counters(np.full(self.arms, 250, np.uint8))


def select_counts_bytes(self, state, t, rng):
    return 1 if state.pulls[0] + 1 > 255 else 0


def update_counts_bytes(self, state, action, observation, t, rng):
    if t % 50 == 0:
        state.pulls[0] += 1
    return state


told("leaves its type uint8")(init_bytes_counters, select_counts_bytes, update_counts_bytes)


def init_whole(self, rng):
    return np.zeros(self.arms, np.int64)


def select_whole(self, state, t, rng):
    return 1 if state[0] < 0 else 0


def update_writes_nan(self, state, action, observation, t, rng):
    state[0] = math.nan if t == 350 else observation
    return state


told("nan or infinite")(init_whole, select_whole, update_writes_nan)


@told("hand it the edges")
def select_histogram(self, state, t, rng):
    return int(np.histogram(np.array([0.1, (t % 10) / 10]), 5, (0.0, 1.0))[0][3])


@told("a set has no order")
def select_pops(self, state, t, rng):
    return {3, 1, t % 5}.pop()


@told("on a line of its own")
def select_walrus(self, state, t, rng):
    return 0 if (gap := state.pulls[0] - state.pulls[1]) > 2.0 else int(gap > 0.0)


def scaled(x, *, by):
    return x * by


def tabulated(x):
    return np.interp(x, x, x, left=0.0)


def looked_up(x):
    return tabulated(x)[0]


@told("left=0.0)`\ncure: compiled code takes no `left=`")  # where it is written, not where `select` calls it
def select_looks_up(self, state, t, rng):
    return int(looked_up(state.pulls)) % 2


@told("without the star")
def select_keyword_only(self, state, t, rng):
    return scaled(t % 2, by=1)


@told("from the array itself")
def select_short_mask(self, state, t, rng):
    seen = np.zeros(5)
    seen[np.ones(4 if t == 300 else 5, np.bool_)] = 1.0
    return int(seen[4])


@told("wrap it in `int(")
def select_binomial_of_a_fraction(self, state, t, rng):
    return int(rng.binomial(4.0 if t < 300 else 3.5, 0.5))


@told("of np.int64")
def select_formula_of_bytes(self, state, t, rng):
    bits = np.zeros(5, np.uint8)
    return int((2 * bits - 1)[0] % 5)


@told("make it np.array", fields=[("table", np.ndarray)], values=[np.ma.array([1.0, 2.0], mask=[0, 1])])
def select_masked(self, state, t, rng):
    return int(self.table.sum()) % 5


@told("make it float64", fields=[("table", np.ndarray)], values=[np.array([1.0, 2.0], ">f8")])
def select_other_bytes(self, state, t, rng):
    return int(self.table[t % 2])


@told("with `(a == b).all()`")
def select_compares_states(self, state, t, rng):
    return 1 if state == state else 0


@told("Python's whole numbers are unbounded")
def select_joins_kinds(self, state, t, rng):
    k = 2**60 + 1
    if t % 2 or t < 200:
        k = 0.5
    return int(k % 5)


@told("make them np.float64")
def update_single_by_text(self, state, action, observation, t, rng):
    weights = np.ones(self.arms, "float32")
    state.rewards[action] += 0.1 * weights[action]
    return state


@told("make them np.float64")
def update_single_by_a_global(self, state, action, observation, t, rng):
    state.rewards[action] += 0.1 + SINGLE[action]
    return state


@told("or np.int64")
def select_below_an_unsigned(self, state, t, rng):
    return int(UNSIGNED[0] - 1) % 5


@told("Python's whole numbers are unbounded")
def select_beyond_a_sign(self, state, t, rng):
    return t % 2**63 % 5


@told("for k in list(d)")
def select_grows_a_dict(self, state, t, rng):
    seen = {0: 1}
    for arm in seen:
        seen[arm + 1] = t
    return len(seen) % 5


@told("int(...)")
def select_negates_a_truth(self, state, t, rng):
    late = state.pulls[0] > 20
    return 1 + int(-late) if t > 50 else 0


def init_whole_counts(self, rng):
    return np.zeros(5, np.int64)


def select_in_turn(self, state, t, rng):
    return t % 5


@told("start from", init_whole_counts, select_in_turn)
def update_shrinks_counts(self, state, action, observation, t, rng):
    state[action] += 1
    if t > 40:
        state *= 0.9
    return state


@told(".copy()")
def select_from_an_array_of_an_array(self, state, t, rng):
    return int(np.argmin(np.array(state.pulls)))


@told("by position")
def select_counts_from_one(self, state, t, rng):
    best = 0
    for i, pulls in enumerate(state.pulls, start=1):
        if pulls > 3:
            best = i - 1
    return best


@told("select_asks_for_a_key: 'b'\nat ")
def select_asks_for_a_key(self, state, t, rng):
    arms = {"a": 1}
    return arms["b"] if t > 40 else 0


@told("write a list")
def select_sums_in_passing(self, state, t, rng):
    return int(sum(pulls for pulls in state.pulls)) % 5


@told("a check of your own code failed")
def select_checks_itself(self, state, t, rng):
    assert t < 50, "the round is too large"
    return 0


@told("the base is 0")
def select_inverts_a_power_of_nothing(self, state, t, rng):
    return int((0.5 * (t % 60)) ** -1) % 5 if t > 40 else 0
