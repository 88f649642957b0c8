"""The ledger: a paper's claims with their measures and verdicts, as a table and as rows."""

import html
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["CLASSES", "SIGNS", "VERDICTS", "Claim", "Ledger"]

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


STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


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
