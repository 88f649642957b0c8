"""Classes from outside the package: a mistake is told in a few lines, and never gives a wrong number."""

import re
from typing import NamedTuple

import numpy as np
import pytest
from numba import njit

import banditlab as bl
from banditlab import classic
from banditlab.engine import loop, player
from banditlab.user_code import contract, diagnose, errors
from tests import toys
from tests.toys import broken

ARMS = classic.bernoulli([0.8, 0.6, 0.6, 0.5, 0.4])

MISTAKES = {  # policy, error, what is said
    "an action past the end": (
        broken.PastTheEnd(5),
        IndexError,
        r"PastTheEnd, run \d, round 750, in past_the_end: action 5 outside 0 to 4\nat broken.py:\d+: `def past_the_end"
        r"(.|\n)*cure: return an int from 0 to 4",
    ),
    "a negative action": (broken.Negative(5), IndexError, r"run \d, round 255, in negative: action -1 outside 0 to 4"),
    "an index past the end": (
        broken.ReadsPast(5),
        IndexError,
        r"ReadsPast, run \d, round 250, in reads_past: index 5(.|\n)*broken.py:\d+: `return 0 if state(.|\n)*cure:",
    ),
    "a division by zero": (
        broken.Divides(5),
        (ZeroDivisionError, FloatingPointError),
        r"Divides, run \d, round 200, in divides(.|\n)*broken.py(.|\n)*cure: guard the division",
    ),
    "a field written to": (
        broken.OwnField(5, np.zeros(5)),
        TypeError,
        r"OwnField, run 0, round 0, in counts_in_field(.|\n)*`self.counts\[action\] \+= 1.0`\ncure: the fields",
    ),
    "a field written to late": (
        broken.LateOwnField(5, np.zeros(5)),
        errors.CompileError,
        r"readonly array(.|\n)*broken.py:\d+(.|\n)*cure: the fields",
    ),
    "numpy's global generator": (broken.Dice(5), TypeError, r"Dice.foreign_dice: uses np.random(.|\n)*cure: draw"),
    "Python's global generator": (broken.OldDice(5), TypeError, r"OldDice.old_dice: uses random(.|\n)*cure: draw"),
    "choice": (broken.Chooses(5), errors.CompileError, r"broken.py:\d+: `return rng.choice(.|\n)*cure: `rng.choice`"),
    "integers": (broken.DrawsWhole(5), errors.CompileError, r"cure: `rng.integers\(n\)`"),
    "None after the rehearsal": (
        broken.NothingLater(5),
        (errors.CompileError, IndexError),
        r"NothingLater(.|\n)*cure: (a value is None in some branch|return an action)",
    ),
    "a state whose type changes": (broken.Turning(5), errors.CompileError, r"Turning(.|\n)*cure: .*state"),
    "numpy's global generator in a helper": (
        broken.Thrown(5),
        TypeError,
        r"Thrown.throws \(through thrown\): uses np.random(.|\n)*broken.py:\d+: `return int(.|\n)*cure: draw from rng",
    ),
    "a new field": (
        broken.Remembers(5),
        AttributeError,
        r"Remembers, run 0, round 0, in remembers: (.|\n)*`self.last = action`\ncure: the fields(.|\n)*state that",
    ),
    "a field of the state assigned to": (
        broken.Assigns(5),
        AttributeError,
        r"Assigns, run 0, round 0, in assigns: (.|\n)*cure: the fields of a NamedTuple(.|\n)*_replace",
    ),
    "an update that returns nothing": (
        broken.Forgets(5),
        IndexError,
        r"Forgets, run 0, round 0, in forgets: its state is None\nat broken.py:\d+: `def forgets(.|\n)*cure: end every",
    ),
    "an init that returns nothing": (
        broken.Empty(5),
        IndexError,
        r"Empty, run 0, round 0, in empty: its state is None\nat broken.py:\d+: `def empty(.|\n)*cure: end every",
    ),
    "a float action": (
        broken.Halves(5),
        IndexError,
        r"Halves, run 0, round 0, in halves: its action 0\.0 is no whole number\nat broken.py(.|\n)*cure: .*`int",
    ),
    "an import in a method": (
        broken.Imports(5),
        errors.CompileError,
        r"Imports.imports: runs in Python but (.|\n)*`from scipy.*brentq`\ncure: import at the top of the file",
    ),
    "a function of scipy": (
        broken.Solves(5),
        errors.CompileError,
        r"Solves.solves: (.|\n)*`return int\(brentq(.|\n)*cure: `brentq` does not compile: write (.|\n)*loop",
    ),
    "the largest of a dict": (
        broken.Scores(5),
        errors.CompileError,
        r"Scores.scores: (.|\n)*`return max\(score, key=(.|\n)*cure: `max` takes numbers(.|\n)*write the loop",
    ),
    "None in a variable": (
        broken.Perhaps(5),
        errors.CompileError,
        r"Perhaps.perhaps: (.|\n)*`arm = None(.|\n)*cure: a value is None in some branch",
    ),
}


ABOUT_ARRAYS = [  # what numpy refuses, and the cure
    (lambda x: x[x > 9].argmax(), "nothing to choose from"),
    (lambda x: x[x > 9].max(), "nothing to choose from"),
    (lambda x: np.nanargmax(x * np.nan), "nothing to choose from"),
    (lambda x: np.linalg.inv(np.ones((2, 2))), "add a ridge"),
    (lambda x: x + np.ones(3), "compare `.shape`"),
    (lambda x: x.__iadd__(np.ones((2, 2))), "compare `.shape`"),
]


@pytest.mark.parametrize("mistake, cure", ABOUT_ARRAYS)
def test_what_numpy_refuses_has_a_cure(mistake, cure):
    with pytest.raises(Exception) as told:
        mistake(np.ones(2))
    assert cure in errors.find_cure(f"{type(told.value).__name__}: {told.value}", errors.PLAYING)


@pytest.mark.parametrize("kind", MISTAKES)
def test_a_mistake_is_told_with_its_place_and_its_cure(kind):
    policy, error, told = MISTAKES[kind]
    with pytest.raises(error, match=told) as caught:
        bl.simulate(ARMS, policy, 1000, 2, checkpoints=7)
    assert len(str(caught.value).splitlines()) <= 5, str(caught.value)
    assert max(map(len, str(caught.value).splitlines())) < 400


def test_arrays_in_tuples_are_read_only_too():
    with pytest.raises(TypeError, match=r"InTuple, run 0, round 0, in counts_in_tuple(.|\n)*cure: the fields"):
        bl.simulate(ARMS, broken.InTuple(5, (np.zeros(5), 1)), 100)


def test_the_run_that_fails_is_named():
    policy = toys.Failing(3, 700)
    with pytest.raises(ValueError, match=r"Failing, run \d, round 700, in select: the policy gave up\nat plain.py:\d+"):
        bl.simulate(toys.Still(0.0), policy, 1000, runs=3, checkpoints=3)


def test_plain_functions_just_work():
    """`Right` calls a plain function; it plays as the same source interpreted."""
    result = bl.simulate(ARMS, broken.Right(5), 300, 3, seed=2, checkpoints=300)
    for number in range(3):
        args = ARMS, broken.Right(5), np.arange(1, 301), (), np.zeros(2, np.int64), *contract.make_streams(2, number)
        assert loop.run(*args)[0].tolist() == result.regret[0, number].tolist()


@njit
def entry_after(values, place):
    return values[place + 1]


@njit
def called_with_ends(function, values):
    return function(values, 0)


class ReadsAfter(toys.Failing):
    """Its helper, which a reader told numba to compile, reads past the end from some round on."""

    def select(self, state, t, rng):
        return int(entry_after(np.zeros(self.arms), 1 if t < self.round else self.arms - 1))


def test_what_a_reader_told_numba_to_compile_is_checked_too():
    assert bl.simulate(toys.Still(0.0), ReadsAfter(3, 50), 50).regret.shape == (1, 1, 50)
    assert called_with_ends(entry_after, np.array([3.0, 5.0])) == 5.0  # and can still be handed on
    with pytest.raises(IndexError, match=r"ReadsAfter, run 0, round 40: index is out of bounds\ncure: an index"):
        bl.simulate(toys.Still(0.0), ReadsAfter(3, 40), 50)


def test_products_and_pairs_are_checked_too():
    product = toys.product([0.9, 0.4], [0.5, 0.7, 0.8, 0.2])

    class Vector(NamedTuple):
        sizes: np.ndarray

        def init(self, rng):
            return np.zeros(2, np.int64)

        def select(self, state, t, rng):
            state[1] = t // 100
            return state

        def update(self, state, action, observation, t, rng):
            return state

    with pytest.raises(IndexError, match=r"Vector, run 0, round 400, in select: action \[0 4\] outside .*\[2, 4\]"):
        bl.simulate(product, Vector(np.array([2, 4])), 1000)

    class Pairs(NamedTuple):
        arms: int

        def init(self, rng):
            return 0

        def select(self, state, t, rng):
            return toys.shapes.Choice(0, t // 100 - 1 if t > 99 else 0)

        def update(self, state, action, observation, t, rng):
            return state

    with pytest.raises(IndexError, match=r"Pairs, run 0, round 500, in select: action .* outside .*\[3, 4\]"):
        bl.simulate(toys.censored([0.5, 1.0, 2.0], [0.2, 0.6, 1.0, 3.0]), Pairs(3), 1000)


def test_the_packages_own_pay_nothing(monkeypatch):
    """Neither guards nor checks: the loop gets the policy itself."""
    seen, compile_pair = [], player.compile_pair

    def looked(args, *options):
        seen.append(args)
        return compile_pair(args, *options)

    monkeypatch.setattr(player, "compile_pair", looked)
    bl.simulate(ARMS, classic.ucb1(5), 20)
    bl.simulate(ARMS, broken.Right(5), 20)
    assert [type(args[1]).__name__ for args in seen] == ["UCB1", "Around"]
    assert seen[0][0].means.flags.writeable and seen[1][0].means.flags.writeable


def test_rehearsed_once(monkeypatch):
    calls, rehearse = [], diagnose.rehearse
    monkeypatch.setattr(player, "rehearsed", set())
    monkeypatch.setattr(diagnose, "rehearse", lambda *args: calls.append(args) or rehearse(*args))
    for seed in range(3):
        bl.simulate(ARMS, broken.Right(5), 20, seed=seed)
    assert len(calls) == 1


def test_messages_do_not_name_this_folder():
    with pytest.raises(IndexError) as caught:
        bl.simulate(ARMS, broken.PastTheEnd(5), 1000)
    assert not re.search(r"banditlab/|site-packages", str(caught.value))
