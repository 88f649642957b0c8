"""The ledger: a paper's claims with their measures and verdicts, as HTML and as rows."""

import contextlib
import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .ledger_html import LAB_SCRIPT, LAB_STYLE, SCRIPT, SIGNS, STYLE, render_ledger
from .ledger_words import list_synonyms
from .verdicts import CLASSES, VERDICTS

__all__ = ["CLASSES", "SIGNS", "VERDICTS", "Claim", "Ledger"]


LEDGER = "application/vnd.banditlab.ledger+json"
COMMITTED = "Verdicts are those of the committed run at the paper's size; a second mark shows where this run differs."


def read_committed_rows(reports):
    """What the committed ledger in this folder lists, as far as it can be read: it is shown only."""
    with contextlib.suppress(OSError, ValueError, RecursionError):
        rows = json.loads((reports / "claims-paper.json").read_text(encoding="utf-8"))
        return rows if isinstance(rows, list) else []
    return []


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


class Ledger:
    """Claims with their verdicts, for a notebook and for the report.

    Parameters
    ----------
    claims : iterable of Claim
        In the order of the paper.
    seconds : float
        CPU seconds that computing the runs behind all claims took, whenever they were computed.
    limits : dict of str to dict, optional
        How far claims hold, by their ids.
    symbols : list of tuple
        Of the paper, as `name_symbols` returns them: a search knows them.
    committed : dict of str to dict, optional
        Rows of the run at the paper's own size, by their ids: a notebook shows their verdicts, and its own beside them.
    """

    def __init__(
        self,
        claims: Iterable[Claim],
        seconds: float = 0.0,
        limits: dict[str, dict] | None = None,
        symbols=(),
        committed: dict[str, dict] | None = None,
    ):
        self.claims, self.seconds, self.limits, self.symbols = list(claims), seconds, limits or {}, symbols
        self.committed = committed or {}

    def __len__(self) -> int:
        return len(self.claims)

    def __iter__(self) -> Iterator[Claim]:
        return iter(self.claims)

    def __str__(self):
        return "\n".join(f"{c.id}: {c.verdict}: {c.sentence} {c.statistic}" for c in self.claims)

    def counts(self) -> dict[str, dict[str, int]]:
        """Number of claims per verdict; those of the paper first, those that are ours apart."""
        return {
            kind: {v: n for v in CLASSES if (n := sum(c.verdict == v for c in self.claims if c.ours is ours))}
            for kind, ours in (("the paper's", False), ("ours", True))
        }

    def rows(self) -> list[dict]:
        """The claims as dicts, as ``reports/claims.json`` holds them."""
        return [claim._asdict() for claim in self.claims]

    def html(self) -> str:
        """The claims as HTML: a field of marks, and a row for each that opens."""
        rows = [row | {"at_paper_size": self.committed.get(row["id"])} for row in self.rows_shown()]
        return (f"<p>{COMMITTED}</p>" if any(row["at_paper_size"] for row in rows) else "") + render_ledger(rows)

    def rows_shown(self) -> list[dict]:
        """The claims as dicts, each with words to search for, and how far it holds, where that was searched."""
        rows = [row | {"also": list_synonyms(row, self.symbols)} for row in self.rows()]
        return [row | ({"limits": found} if (found := self.limits.get(row["id"])) else {}) for row in rows]

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {
            "text/html": f"<style>{LAB_STYLE}{STYLE}</style>{self.html()}<script>{SCRIPT}{LAB_SCRIPT}</script>",
            "text/plain": str(self),
            LEDGER: {"claims": self.rows_shown(), "seconds": self.seconds},  # VS Code takes a list for lines of text
        }
