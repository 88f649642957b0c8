"""Questions asked of estimates, and the measures that answer them: yes, no, or open."""

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from ..validate import choice, number, shown, whole
from .estimates import UNKNOWN, Estimate, require_estimates
from .spending import spend_share

__all__ = [
    "LEVEL", "LINEAR", "MUCH", "SIMILAR", "SUBLINEAR", "Cases", "Measure", "Question", "count", "every",
    "short", "some",
]  # fmt: skip

LEVEL = 0.95  # of all comparisons that decide one sentence under one reading, jointly
SUBLINEAR, LINEAR = 0.75, 0.95  # growth exponent: at most, at least; open between
MUCH = 2 / 3  # "much better": at most so much of the other's
SIMILAR = (0.9, 1.1)  # "similar": within ten per cent
FEW = 3  # names of cases that words spell out


class Unjudgeable(ValueError):
    """Nothing there that could be judged; the ledger says in which claim."""


class Measure(NamedTuple):
    """One number that decides a claim, with the range in which the claim holds.

    Parameters
    ----------
    reading : str
        Under which reading of the paper.
    what : str
        What was measured, in a few words.
    value, low, high : float
        The number and its interval; equal where it is exact.
    holds : tuple
        From and to; the claim holds if the whole interval lies here. None is infinite.
    fails : tuple or None
        It fails if the interval lies here; None: wherever it does not hold.
    strict : bool
        Whether the limits of `holds` do not belong to it.
    case : str
        Of several cases the one that decides: the nearest to failing, of those that fail the farthest. Where their
        intervals are equally far the number tells; of equal numbers it is the first, of unknown ones the first by name.
    cases, held, failed : int
        Number of cases, of those that hold and of those that fail.
    unit : str
        Unit of the number.
    axis : {"linear", "log"}
        How to draw it.
    """

    reading: str
    what: str
    value: float
    low: float
    high: float
    holds: tuple
    fails: tuple | None = None
    strict: bool = False
    case: str = ""
    cases: int = 1
    held: int = 0
    failed: int = 0
    unit: str = ""
    axis: str = "linear"

    @property
    def answer(self) -> bool | None:
        """True, False, or None where the interval does not tell."""
        if lies_inside(self.low, self.high, self.holds, self.strict):
            return True
        ranges, strict = ([self.fails], False) if self.fails else (ranges_outside(self.holds), not self.strict)
        return False if any(lies_inside(self.low, self.high, pair, strict) for pair in ranges) else None

    def words(self) -> str:
        """What was found, for people."""
        text = f"{self.what} {short(self.value)}"
        if self.low < self.high:
            text += f" [{short(self.low)}, {short(self.high)}]"
        text += f" {self.unit}" * bool(self.unit)
        counts = []
        if self.cases > 1:
            counts = [f"{self.held} of {self.cases} hold"] + [f"{self.failed} fail"] * bool(self.failed)
            counts += [f"{self.cases - self.held - self.failed} open"] * (self.held + self.failed < self.cases)
        said = "; ".join([*[self.case] * bool(self.case), *[", ".join(counts)] * bool(counts)])
        return text + f" ({said})" * bool(said)

    def rule(self) -> str:
        """When it holds, for people."""
        text = f"{self.what}: {describe_range(self.holds, self.strict)}"
        return f"{text}, fails {describe_range(self.fails, False)}" if self.fails else text

    def row(self) -> dict:
        """The measure as JSON can hold it; ends that are not finite are null."""
        none = {key: None for key in ("value", "low", "high") if not math.isfinite(getattr(self, key))}
        return {**self._asdict(), **none, "answer": self.answer}


class Question(NamedTuple):
    """What is asked of some estimates; `measure` answers it at a level."""

    what: str
    found: dict  # case to Estimate
    holds: tuple
    fails: tuple | None
    strict: bool
    unit: str
    axis: str
    named: str = ""  # what stands for the case, where there is a single one

    @property
    def comparisons(self) -> int:
        """Number of estimates that take a share of the joint level."""
        return sum(not one.is_exact for one in self.found.values())

    def measure(self, reading: str = "", comparisons: int | None = None) -> Measure:
        """Answer, with all intervals of so many comparisons holding jointly at 95 %."""
        level = 1 - (1 - LEVEL) * spend_share() / max(1, self.comparisons if comparisons is None else comparisons)
        rows = [self.one(reading, case, estimate, level) for case, estimate in self.found.items()]
        decisive = min(rows, key=rank)
        held, failed = (sum(row.answer is kind for row in rows) for kind in (True, False))
        return decisive._replace(cases=len(rows), held=held, failed=failed)

    def one(self, reading, case, estimate, level):
        """The measure of one case."""
        low, high = map(float, UNKNOWN if math.isnan(estimate.value) else estimate.ends(level))
        rule = self.holds, self.fails, self.strict, self.named or str(case)
        return Measure(reading, self.what, estimate.value, low, high, *rule, unit=self.unit, axis=self.axis)

    @property
    def answer(self) -> bool | None:
        """True, False, or None, where nothing else is asked."""
        return self.measure().answer


class Cases:
    """Estimates about which one thing is asked.

    Parameters
    ----------
    what : str
        What was measured, in a few words.
    found : dict of str to Estimate, or Estimate
        By case (a panel, a pair of policies): the question must hold in all of them.
    unit : str
        Unit of the number.
    axis : {"linear", "log"}
        How to draw it; ratios are drawn on a logarithmic axis.

    Examples
    --------
    >>> from banditlab.evidence import exact
    >>> Cases("ratio", {"d = 1": exact(1.0), "d = 2": exact(0.4)}).below(1).measure().words()
    'ratio 1 (d = 1; 1 of 2 hold, 1 fail)'
    """

    def __init__(self, what: str, found: Mapping[str, Estimate] | Estimate, unit: str = "", axis: str = "linear"):
        self.what, self.unit, self.axis = what, unit, choice("axis", axis, ("linear", "log"))
        if not isinstance(found, Estimate | Mapping):
            raise TypeError(f"found={shown(found)}: must be an Estimate, or a dict of case to Estimate (what={what!r})")
        self.found = {"": found} if isinstance(found, Estimate) else dict(found)
        if not self.found:
            raise Unjudgeable(f"found={found!r}: must hold at least one estimate (what={what!r})")
        require_estimates(**{f"found[{case!r}]": one for case, one in self.found.items()})

    def ask(self, holds: tuple, fails: tuple | None = None, strict: bool = False) -> Question:
        """Whether all lie in a range; ``fails`` as in `Measure`."""
        holds, fails = check_range("holds", holds), None if fails is None else check_range("fails", fails)
        if fails and all(None in gap or gap[0] > gap[1] for gap in ((fails[1], holds[0]), (holds[1], fails[0]))):
            raise ValueError(f"fails={fails}: must lie outside of holds={holds}")
        return Question(self.what, self.found, holds, fails, strict, self.unit, self.axis)

    def above(self, limit: float) -> Question:
        """Whether all are greater."""
        return self.ask((check_end("limit", limit), None), strict=True)

    def below(self, limit: float) -> Question:
        """Whether all are less."""
        return self.ask((None, check_end("limit", limit)), strict=True)

    def at_least(self, limit: float) -> Question:
        """Whether all are so large."""
        return self.ask((check_end("limit", limit), None))

    def at_most(self, limit: float) -> Question:
        """Whether all are at most so large."""
        return self.ask((None, check_end("limit", limit)))

    def between(self, low: float, high: float) -> Question:
        """Whether all lie between the two, ends included."""
        low = check_end("low", low)
        return self.ask((low, check_end("high", high, least=low)))

    def similar(self) -> Question:
        """Of ratios: whether the two are alike, within ten per cent."""
        return self.between(*SIMILAR)

    def much_less(self) -> Question:
        """Of ratios: whether the first is much less than the second, at most two thirds."""
        return self.at_most(MUCH)

    def sublinear(self) -> Question:
        """Of growth exponents: at most 0.75 holds, from 0.95 on it fails."""
        return self.ask((None, SUBLINEAR), (LINEAR, None))

    def linear(self) -> Question:
        """Of growth exponents: at least 0.95 holds, up to 0.75 it fails."""
        return self.ask((LINEAR, None), (None, SUBLINEAR))


def count(what: str, answers: Mapping[str, bool | np.bool_ | None], needed: int | None = None) -> Question:
    """In how many cases something holds: ranks, agreements, "in most panels", "tuned at the edge of the grid".

    Parameters
    ----------
    what : str
        What is counted, in a few words.
    answers : dict of str to bool or None
        By case, None where the runs cannot tell; `banditlab.evidence.questions.jointly` answers a `Question` about
        each.
    needed : int, optional
        How many must hold; all by default.

    Returns
    -------
    Question
        Its number is how many hold, its interval reaches to how many may.

    Examples
    --------
    >>> count("panels", {"a": True, "b": None, "c": False}, needed=2).measure().words()
    'panels 1 [1, 2] of 3 (fails: c; open: b)'
    """
    answers = known_by_case(answers, f" (what={what!r})")
    needed = len(answers) if needed is None else whole("needed", needed, 1, len(answers))
    held, open_ = (sum(answer is kind for answer in answers.values()) for kind in (True, None))
    words = []
    for kind, word in ((False, "fails"), (None, "open")):
        names = [str(case) for case, answer in answers.items() if answer is kind]
        few = ", ".join(names) if len(names) <= FEW else f"{', '.join(names[:FEW])} and {len(names) - FEW} more"
        words += [f"{word}: {few}"] * bool(names)
    estimate = Estimate(float(held), lambda level: (float(held), float(held + open_)), True)
    return Question(what, {"": estimate}, (needed, None), None, False, f"of {len(answers)}", "linear", "; ".join(words))


def jointly(questions: Mapping[str, Question]) -> dict[str, bool | None]:
    """Answers of several questions whose intervals hold jointly at 95 %.

    Parameters
    ----------
    questions : dict of str to Question

    Returns
    -------
    dict of str to bool or None
    """
    if not isinstance(questions, Mapping) or not all(isinstance(one, Question) for one in questions.values()):
        raise TypeError(f"questions={shown(questions)}: must be a dict of case to Question")
    n = sum(question.comparisons for question in questions.values())
    return {case: question.measure(comparisons=n).answer for case, question in questions.items()}


def every(answers: Iterable[bool | None]) -> bool | None:
    """Whether all hold: False if one fails, else None if one is open.

    Parameters
    ----------
    answers : iterable of bool or None

    Examples
    --------
    >>> every([True, None]), every([None, False])
    (None, False)
    """
    answers = all_known(answers)
    return False if False in answers else None if None in answers else True


def some(answers: Iterable[bool | None]) -> bool | None:
    """Whether one holds: True if one does, else None if one is open.

    Parameters
    ----------
    answers : iterable of bool or None
    """
    answers = all_known(answers)
    return True if True in answers else None if None in answers else False


def known(name, answer):
    """True, False or None, also where numpy said it."""
    if answer is not None and not isinstance(answer, bool | np.bool_):
        raise TypeError(f"{name}={shown(answer)}: must be True, False or None")
    return None if answer is None else bool(answer)


def known_by_case(answers, said=""):
    """The answers by case, at least one, as True, False or None."""
    if not isinstance(answers, Mapping):
        raise TypeError(f"answers={shown(answers)}: must be a dict of case to True, False or None{said}")
    if not answers:
        raise Unjudgeable(f"answers={{}}: must hold at least one answer{said}")
    return {case: known(f"answers[{case!r}]", answer) for case, answer in answers.items()}


def all_known(answers):
    """The answers as a list of True, False or None."""
    if not isinstance(answers, Iterable):
        raise TypeError(f"answers={shown(answers)}: must be an iterable of True, False or None")
    return [known(f"answers[{i}]", answer) for i, answer in enumerate(answers)]


def check_end(name, value, **limits):
    """A finite number as it is: an int stays one, so that a ledger shows it as it was written."""
    found = number(name, value, **limits)
    return value if isinstance(value, int | float) else found


def check_range(name, pair):
    """A range: from and to, None where it has no end."""
    if not isinstance(pair, tuple | list) or len(pair) != 2 or pair[0] is pair[1] is None:
        raise TypeError(f"{name}={shown(pair)}: must be a pair of numbers, one of them None where the range has no end")
    low = None if pair[0] is None else check_end(f"{name}[0]", pair[0])
    return low, None if pair[1] is None else check_end(f"{name}[1]", pair[1], least=low)


def lies_inside(low, high, pair, strict):
    """Whether an interval lies in a range; a nan lies nowhere."""
    first = pair[0] is None or (low > pair[0] if strict else low >= pair[0])
    last = pair[1] is None or (high < pair[1] if strict else high <= pair[1])
    return first and last and not (math.isnan(low) or math.isnan(high))


def ranges_outside(pair):
    """The ranges left and right of a range."""
    return [side for side in ((None, pair[0]), (pair[1], None)) if side != (None, None)]


def rank(measure):
    """Sort key of cases: what fails first, then what is open; of these the nearest to failing."""
    ends = (measure.low, measure.high), (measure.value, measure.value)
    far, own = (slack_of(measure, *pair) for pair in ends)
    name = measure.case * math.isinf(far)  # where nothing is known the order of the cases must not tell
    return {False: 0, None: 1, True: 2}[measure.answer], far, own, name


def slack_of(measure, low, high):
    """How far an interval is from leaving the range in which the claim holds; negative where it does."""
    first, last = measure.holds
    room = math.inf if first is None else low - first, math.inf if last is None else last - high
    return -math.inf if any(map(math.isnan, room)) else min(room)


def describe_range(pair, strict):
    """A range in words."""
    low, high = pair
    if low is None:
        return f"{'below' if strict else 'at most'} {short(high)}"
    if high is None:
        return f"{'above' if strict else 'at least'} {short(low)}"
    return f"{'strictly ' * strict}between {short(low)} and {short(high)}"


def short(value: float) -> str:
    """A number as people write it.

    Parameters
    ----------
    value : float

    Examples
    --------
    >>> short(25137.4), short(0.04129), short(3.0), short(math.inf), short(math.nan)
    ('25,137', '0.0413', '3', '∞', 'undefined')
    """
    if not math.isfinite(value):
        return "undefined" if math.isnan(value) else "∞" if value > 0 else "−∞"
    return f"{value:,.0f}" if 1000 <= abs(value) < 1e15 else f"{value:.3g}"
