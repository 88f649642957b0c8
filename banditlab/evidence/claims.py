"""What a paper claims: sentences with the functions that test them, judged in this very run."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ..validate import choice, listed, shown, whole
from . import looks, provenance
from .ledger import Claim, Ledger, read_committed_rows
from .ledger_words import name_symbols
from .questions import Question, Unjudgeable, every, known_by_case
from .robustness import list_edges, read_limits, read_source
from .status_line import line
from .verdicts import DEPENDS, NOT_CONTRADICTED, NOT_REPRODUCED, OURS, REPRODUCED, UNDECIDED, UNTESTED

__all__ = ["Claims", "Untested", "verdict"]

SCALES = ("quick", "paper")
WORDS = 25  # of a quotation, at most
LOOKS = 5  # at growing numbers of runs, where nothing else is said
RETURNS = "a Question, a list of them or a dict of reading to either, none of them empty, or Untested"


class Untested(NamedTuple):
    """A claim that this run cannot test, and why; what was measured all the same."""

    why: str  # "needs the paper's data", "no horizon that can be played shows it"
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
    answers = known_by_case(answers)
    by = {kind: [name for name, answer in answers.items() if answer is kind] for kind in (True, False, None)}
    words = {True: "holds", False: "fails", None: "undecided"}
    said = "; ".join(f"{words[kind]}: {' · '.join(names)}" for kind, names in by.items() if names)
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
    looks: int
    test: Callable


class Claims:
    """The claims of a paper, in the order of their file: a decorator that collects them, and their ledger.

    A claim is a function ``(scale, seed)`` that returns a `Question`, a list of them, or a dict of reading to either;
    or `Untested`. All questions of one reading are answered jointly at 95 %.

    Parameters
    ----------
    paper : str
        Name of its folder.
    reports : str or Path, optional
        Folder of the reports: what ``python -m tools.robustness`` wrote there says how far each claim holds, and the
        committed ledger what it is at the paper's own size.

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

    def __init__(self, paper: str, reports: str | Path | None = None):
        self.paper, self.reports, self.asked, self.symbols = paper, reports and Path(reports), [], []

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
        looks: int = LOOKS,
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
        looks : int >= 1
            Looks at most, each at twice the runs of the one before, until every reading is answered.
        """
        if len(quote.split()) > WORDS:
            raise ValueError(f"quote={shown(quote)}: must have at most {WORDS} words, has {len(quote.split())}")
        scales = tuple(choice("scales", scale, SCALES) for scale in listed("scales", scales))
        looks = whole("looks", looks, 1)

        def register(test):
            if id in (asked.id for asked in self.asked):
                raise ValueError(f"id={id!r}: another claim of {self.paper} has it")
            self.asked.append(Asked(id, sentence, quote, where, figure, note, ours, universal, scales, looks, test))
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
        committed = self.committed() if scale == "quick" else {}
        return Ledger(rows, provenance.sizes(used)[1], self.limits(), self.symbols, committed)

    def committed(self) -> dict[str, dict]:
        """The rows of the committed ledger, by their ids, as far as they are rows."""
        rows = read_committed_rows(self.reports) if self.reports else []
        whole_rows = [row for row in rows if isinstance(row, dict) and row.keys() >= set(Claim._fields)]
        return {row["id"]: row for row in whole_rows if row["paper"] == self.paper}

    def limits(self) -> dict[str, dict]:
        """How far the claims hold, by their ids, as far as that was searched."""
        return read_limits(self.reports, self.paper, self.asked)

    def mark(self, figures: dict[str, Callable], controls: dict | None = None) -> dict[str, Callable]:
        """Let the sliders of figures say where a claim that they show changes its verdict; returns the figures.

        Parameters
        ----------
        figures : dict of str to callable
            Title and figure function, as `explore` takes them.
        controls : dict of str to Slider, Choice or Switch, optional
            Their controls: a search in the ledger for "components" then finds rows that say d.
        """
        limits, self.symbols = self.limits(), name_symbols(controls or {})
        for title, figure in figures.items():
            figure.edges = list_edges(limits, title, self.asked)
        return figures

    def judge(self, asked, scale, seed):
        """The row of one claim: words, ranges and verdict all come from its measures."""
        with provenance.watch() as used, provenance.lasting():
            untested, readings, measures, looked = looks.look_until_decided(
                lambda: tested(self.paper, asked, scale, seed), all_measures, scale, asked.looks
            )
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
            source=f"{asked.test.__module__}:{asked.test.__qualname__}", code=read_source(asked.test),
            sizes="; ".join(filter(None, [sizes, looked])), seconds=seconds,
        )  # fmt: skip


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
    lists = {name: [one] if isinstance(one, Question) else one for name, one in readings.items()}
    if not all(map(are_questions, lists.values())):
        raise Unjudgeable(f"returned {shown(found)}")
    return {name: list(questions) for name, questions in lists.items()}


def are_questions(found):
    """Whether these are questions that ask something, at least one."""
    return isinstance(found, list | tuple) and bool(found) and all(isinstance(q, Question) and q.found for q in found)


def all_measures(readings):
    """The measures of all readings."""
    counts = {name: sum(question.comparisons for question in questions) for name, questions in readings.items()}
    return [one.measure(name, counts[name]) for name, questions in readings.items() for one in questions]


def spoken(measures, readings):
    """What was measured, reading by reading."""
    parts = {name: ", ".join(one.words() for one in measures if one.reading == name) for name in readings}
    return "; ".join(f"{name}: {text}" if len(parts) > 1 else text for name, text in parts.items()) or "—"
