"""The ledger: what a paper claims, the measures that decide it, and a verdict computed in this very run."""

import html
import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ..validate import choice, shown, whole
from . import provenance
from .questions import Question, Unjudgeable, every, known
from .status_line import line

REPRODUCED, NOT_REPRODUCED = "reproduced", "not reproduced"
DEPENDS, UNDECIDED, UNTESTED = "depends on the reading", "undecided", "not tested"
NOT_CONTRADICTED = "not contradicted"  # of a sentence on all instances: searched, and nothing found against it
FOUND, NOT_FOUND = "found", "not found"  # of claims that are ours
VERDICTS = (REPRODUCED, NOT_CONTRADICTED, NOT_REPRODUCED, DEPENDS, UNDECIDED, UNTESTED)
OURS = {REPRODUCED: FOUND, NOT_REPRODUCED: NOT_FOUND}
CLASSES = {
    REPRODUCED: "verdict-reproduced",
    NOT_CONTRADICTED: "verdict-searched",
    NOT_REPRODUCED: "verdict-not-reproduced",
    DEPENDS: "verdict-depends",
    UNDECIDED: "verdict-undecided",
    UNTESTED: "verdict-untested",
    FOUND: "verdict-reproduced",
    NOT_FOUND: "verdict-not-reproduced",
}
# the verdict is never told by colour alone
SIGNS = {
    REPRODUCED: "✓", NOT_CONTRADICTED: "(✓)", NOT_REPRODUCED: "✗", DEPENDS: "◐", UNDECIDED: "?", UNTESTED: "○",
    FOUND: "✓", NOT_FOUND: "✗",
}  # fmt: skip
SCALES = ("quick", "paper")
WORDS = 25  # of a quotation, at most
RETURNS = "a Question, a list of them or a dict of reading to either, none of them empty, or Untested"


class Claim(NamedTuple):
    """One checkable sentence, and what this run says of it.

    Parameters
    ----------
    paper : str
        Name of its folder.
    id : str
        Unique in the paper.
    sentence : str
        What the paper says, in our words, or what we found beyond it.
    quote : str
        The paper's own words, at most 25; empty where none are given.
    where : str
        Section, figure or theorem.
    ours : bool
        Whether the sentence is ours and not the paper's.
    figure : str
        The figure that shows it, as the explorer names it; empty where there is none.
    statistic : str
        What was measured, with values and intervals: the words of `measures`.
    rule : str
        When it holds: the ranges of `measures`, and a note.
    reading : str
        Under which readings of the paper it holds.
    verdict : str
        One of `VERDICTS`; of claims that are ours "found" and "not found" stand for "reproduced" and "not reproduced".
    measures : list of dict
        The numbers: see `banditlab.evidence.Measure`, with ``answer`` true, false or null.
    scale : str
        "quick" or "paper".
    seed : int
        Seed of the runs.
    source : str
        Module and name of the function that decided it.
    code : str
        Its source, as far as it can be read.
    sizes : str
        Runs and rounds behind it, in words; empty where it was computed without runs.
    seconds : float
        CPU seconds that computing these runs took, whenever they were computed; other claims may share them.
    """

    paper: str
    id: str
    sentence: str
    quote: str
    where: str
    ours: bool
    figure: str
    statistic: str
    rule: str
    reading: str
    verdict: str
    measures: list
    scale: str
    seed: int
    source: str
    code: str
    sizes: str
    seconds: float


class Untested(NamedTuple):
    """A claim that this run cannot test, and why; what was measured all the same."""

    why: str  # "needs the paper's data", "at horizons that nobody reaches"
    found: dict = {}  # reading to questions


def verdict(answers):
    """Judge a claim from what was found under each reading.

    Parameters
    ----------
    answers : dict of str to bool or None
        Reading to whether the claim holds under it, None where this run cannot tell. The paper's literal reading first.

    Returns
    -------
    verdict, reading : str
        The verdict, and the readings by answer. A claim is not reproduced only where no reading is open; where some
        hold and the others are open it is reproduced if the literal reading holds.

    Examples
    --------
    >>> verdict({"as printed": False, "N0 times 10": True})
    ('depends on the reading', 'holds: N0 times 10; fails: as printed')
    >>> verdict({"as printed": True})
    ('reproduced', 'as printed')
    """
    if not answers:
        raise Unjudgeable("answers={}: must hold at least one answer")
    answers = {name: known(f"answers[{name!r}]", answer) for name, answer in answers.items()}
    by = {kind: [name for name, answer in answers.items() if answer is kind] for kind in (True, False, None)}
    words = {True: "holds", False: "fails", None: "undecided"}
    said = "; ".join(f"{words[kind]}: {', '.join(names)}" for kind, names in by.items() if names)
    said = next(iter(answers)) if len(answers) == 1 else said
    if by[True] and by[False]:
        return DEPENDS, said
    if by[True]:
        return (REPRODUCED if next(iter(answers.values())) else UNDECIDED), said
    return (UNDECIDED if by[None] else NOT_REPRODUCED), said


class Asked(NamedTuple):
    """A sentence and the function that tests it."""

    id: str
    sentence: str
    quote: str
    where: str
    figure: str
    note: str
    ours: bool
    universal: bool
    scales: tuple
    test: Callable


class Claims:
    """The claims of a paper, in the order of their file: a decorator that collects them, and their ledger.

    A claim is a function ``(scale, seed)`` that returns a `Question`, a list of them, or a dict of reading to either;
    or `Untested`. All questions of one reading are answered jointly at 95 %.

    Parameters
    ----------
    paper : str
        Name of its folder.

    Examples
    --------
    >>> from banditlab.evidence import Cases, exact
    >>> claims = Claims("mine")
    >>> @claims("M1", "Two is more than one.", "Section 1")
    ... def more(scale, seed):
    ...     return Cases("two", exact(2)).above(1)
    >>> [(claim.id, claim.verdict, claim.statistic) for claim in claims.ledger("quick", 0)]
    [('M1', 'reproduced', 'two 2')]
    """

    def __init__(self, paper: str):
        self.paper, self.asked = paper, []

    def __call__(
        self,
        id: str,
        sentence: str,
        where: str,
        *,
        quote: str = "",
        figure: str = "",
        note: str = "",
        ours: bool = False,
        universal: bool = False,
        scales: tuple[str, ...] = SCALES,
    ) -> Callable[[Callable], Callable]:
        """Collect the function below as the test of a sentence.

        Parameters
        ----------
        id, sentence, where, quote, figure, ours
            As in `Claim`.
        note : str
            What the rule must say beside the ranges: sizes, choices of ours, and what was searched.
        universal : bool
            Whether the sentence is on all instances, or on all algorithms, and the test searches some of them: where
            nothing is found against it the verdict is "not contradicted". A proof or an exact check is no search.
        scales : tuple of str
            Scales that can test it.
        """
        if id in (asked.id for asked in self.asked):
            raise ValueError(f"id={id!r}: another claim of {self.paper} has it")
        if len(quote.split()) > WORDS:
            raise ValueError(f"quote={shown(quote)}: must have at most {WORDS} words, has {len(quote.split())}")

        def register(test):
            self.asked.append(Asked(id, sentence, quote, where, figure, note, ours, universal, scales, test))
            return test

        return register

    def ledger(self, scale: str = "quick", seed: int = 0) -> "Ledger":
        """Test every claim of the paper; the runs behind it are shared with the paper's figures.

        Parameters
        ----------
        scale : {"quick", "paper"}, size of the experiments
        seed : int >= 0
        """
        scale, seed = choice("scale", scale, SCALES), whole("seed", seed, 0)
        rows = []
        with provenance.watch() as used, line() as say:
            for asked in self.asked:
                say(f"{len(rows)} of {len(self.asked)} claims are judged ...")
                rows.append(self.judge(asked, scale, seed))
        return Ledger(rows, provenance.sizes(used)[1])

    def judge(self, asked, scale, seed):
        """The row of one claim: words, ranges and verdict all come from its measures."""
        with provenance.watch() as used, provenance.lasting():
            untested, readings = tested(self.paper, asked, scale, seed)
        measures = [one for name, questions in readings.items() for one in answered(name, questions)]
        answers = {name: every(one.answer for one in measures if one.reading == name) for name in readings}
        judged, reading = (UNTESTED, untested) if untested else verdict(answers)
        judged = NOT_CONTRADICTED if asked.universal and judged == REPRODUCED else judged
        sizes, seconds = provenance.sizes(used)
        rules = [*dict.fromkeys(one.rule() for one in measures), *[asked.note] * bool(asked.note)]
        return Claim(
            paper=self.paper, id=asked.id, sentence=asked.sentence, quote=asked.quote, where=asked.where,
            ours=asked.ours, figure=asked.figure, statistic=spoken(measures, readings), rule="; ".join(rules),
            reading=reading, verdict=OURS.get(judged, judged) if asked.ours else judged,
            measures=[one.row() for one in measures], scale=scale, seed=seed,
            source=f"{asked.test.__module__}:{asked.test.__qualname__}", code=source_of(asked.test),
            sizes=sizes, seconds=seconds,
        )  # fmt: skip


def source_of(function):
    """The source of a function; empty where nobody can read it."""
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return ""


def tested(paper, asked, scale, seed):
    """Why a claim could not be tested, empty where it was, and its questions by reading."""
    if scale not in asked.scales:
        return f"at this scale: it needs the {asked.scales[0]} size", {}
    try:
        found = asked.test(scale, seed)
        why, questions = (found.why, found.found) if isinstance(found, Untested) else ("", found)
        readings = by_reading(questions)
        if not (why or readings):
            raise Unjudgeable(f"returned {shown(found)}")
        return why, readings
    except Unjudgeable as error:
        raise ValueError(f"claim {asked.id} of {paper}: {error}; it must return {RETURNS}") from error


def by_reading(found):
    """Reading to list of questions, however a claim returned them."""
    readings = found if isinstance(found, dict) else {"as printed": found}
    listed = {name: [one] if isinstance(one, Question) else one for name, one in readings.items()}
    if not all(map(are_questions, listed.values())):
        raise Unjudgeable(f"returned {shown(found)}")
    return {name: list(questions) for name, questions in listed.items()}


def are_questions(found):
    """Whether these are questions that ask something, at least one."""
    return isinstance(found, list | tuple) and bool(found) and all(isinstance(q, Question) and q.found for q in found)


def answered(reading, questions):
    """The measures of one reading, all intervals holding jointly."""
    n = sum(question.comparisons for question in questions)
    return [question.measure(reading, n) for question in questions]


def spoken(measures, readings):
    """What was measured, reading by reading."""
    parts = {name: ", ".join(one.words() for one in measures if one.reading == name) for name in readings}
    return "; ".join(f"{name}: {text}" if len(parts) > 1 else text for name, text in parts.items()) or "—"


class Ledger:
    """Claims as a table, for a notebook and for the report.

    Parameters
    ----------
    claims : iterable of Claim
        In the order of the paper.
    seconds : float
        CPU seconds that computing the runs behind all claims took, whenever they were computed.
    """

    def __init__(self, claims: Iterable[Claim], seconds: float = 0.0):
        self.claims, self.seconds = list(claims), seconds

    def __len__(self) -> int:
        return len(self.claims)

    def __iter__(self) -> Iterator[Claim]:
        return iter(self.claims)

    def counts(self) -> dict[str, dict[str, int]]:
        """Number of claims per verdict; those of the paper first, those that are ours apart."""
        return {
            kind: {v: n for v in CLASSES if (n := sum(c.verdict == v for c in self.claims if c.ours is ours))}
            for kind, ours in (("the paper's", False), ("ours", True))
        }

    def rows(self) -> list[dict]:
        """The claims as dicts, as ``reports/claims.json`` holds them."""
        return [claim._asdict() for claim in self.claims]

    def caption(self) -> str:
        """The counts in words."""
        said = [
            f"{sum(by.values())} claims of {'ours' if kind == 'ours' else 'the paper'}: "
            + ", ".join(f"{n} {v}" for v, n in by.items())
            for kind, by in self.counts().items()
            if by
        ]
        return "; ".join(said) + "."

    def table(self) -> str:
        """The claims as an HTML table."""
        head = ["", "claim", "where", "found", "rule", "reading", "verdict"]
        cells = "".join(f'<th scope="col">{title}</th>' for title in head)
        body = "".join(row(claim) for claim in self.claims)
        caption = f"<caption>{html.escape(self.caption())}</caption>"
        return f'<table class="ledger">{caption}<thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>'

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {
            "text/html": f"<style>{STYLE}</style>{self.table()}",
            "text/plain": "\n".join(f"{c.id}: {c.verdict}: {c.sentence}" for c in self.claims),
            "application/vnd.banditlab.claims+json": self.rows(),
            "application/vnd.banditlab.ledger+json": {"seconds": self.seconds},
        }


def row(claim):
    """One claim as a table row."""
    sentence = f"(ours) {claim.sentence}" if claim.ours else claim.sentence
    text = [sentence + f" “{claim.quote}”" * bool(claim.quote), claim.where, claim.statistic, claim.rule, claim.reading]
    chip = f'<span class="verdict {CLASSES[claim.verdict]}">{SIGNS[claim.verdict]}&nbsp;{claim.verdict}</span>'
    cells = "".join(f"<td>{html.escape(t)}</td>" for t in text)
    return f'<tr><th scope="row">{html.escape(claim.id)}</th>{cells}<td>{chip}</td></tr>'


# For JupyterLab, whose own tables align right and do not wrap; the report has its own rules for the same classes.
STYLE = """
table.ledger td, table.ledger th { text-align: left !important; vertical-align: top; white-space: normal !important; }
table.ledger { table-layout: fixed; width: 100%; }  /* as wide as the cell: no verdict out of sight */
table.ledger th { width: 7.6em; }
table.ledger th:nth-child(1) { width: 2.9em; }
table.ledger th:nth-child(2) { width: 9.8em; }
table.ledger th:nth-child(3) { width: 6.4em; }
table.ledger th:nth-child(4) { width: 13em; }
table.ledger th:nth-child(5) { width: 10.8em; }
table.ledger th:nth-child(7) { width: 8.8em; }
table.ledger td { overflow-wrap: break-word; }
table.ledger caption { text-align: left; font-weight: 600; padding: .4em 0; }
.verdict { display: inline-block; padding: .1em .6em; border-radius: .9em; border: 1px solid; }
.verdict-reproduced { color: #0b5a2b; background: #e3f4e8; }
.verdict-searched { color: #0b5a2b; border-style: dashed; }
.verdict-not-reproduced { color: #8c1c13; background: #fdeae7; }
.verdict-depends { color: #6b4a00; background: #fff3d6; }
.verdict-undecided { color: #3d3d7a; background: #ececfa; }
.verdict-untested { color: #454d57; background: #eceff2; }
"""
