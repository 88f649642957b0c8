"""The ledger: what a paper claims, the statistic that tests it, and a verdict computed in this very run."""

import html
from typing import NamedTuple

REPRODUCED = "reproduced"
NOT_REPRODUCED = "not reproduced"
DEPENDS = "depends on the reading"
UNTESTED = "not tested at this scale"
CLASSES = {
    REPRODUCED: "verdict-reproduced",
    NOT_REPRODUCED: "verdict-not-reproduced",
    DEPENDS: "verdict-depends",
    UNTESTED: "verdict-untested",
}
SIGNS = {REPRODUCED: "✓", NOT_REPRODUCED: "✗", DEPENDS: "◐", UNTESTED: "○"}  # the verdict is never told by colour alone


class Claim(NamedTuple):
    """One checkable sentence of a paper, and what this run says of it."""

    paper: str  # name of its folder
    id: str
    sentence: str  # what the paper says
    where: str  # section, figure or theorem
    statistic: str  # what was measured, with its value
    interval: str  # its uncertainty, or the tolerance of the test
    reading: str  # under which readings it holds
    verdict: str  # computed: one of the four
    scale: str  # quick or paper


def verdict(holds):
    """Judge a claim from what was found under each reading.

    Parameters
    ----------
    holds : dict of str to bool or None
        Reading to whether the claim holds under it, None where this run cannot tell; None for a claim that was not run.

    Returns
    -------
    verdict, reading : str
        The verdict, and the readings under which the claim holds.

    Examples
    --------
    >>> verdict({"as printed": False, "N0 times 10": True})
    ('depends on the reading', 'holds: N0 times 10; fails: as printed')
    >>> verdict({"as printed": True})
    ('reproduced', 'as printed')
    """
    if holds is None:
        return UNTESTED, "—"
    known = {name: None if value is None else bool(value) for name, value in holds.items()}
    yes, no, open_ = ([name for name, value in known.items() if value is wanted] for wanted in (True, False, None))
    if not yes and not no:
        return UNTESTED, f"undecided: {', '.join(open_)}"
    rest = f"; undecided: {', '.join(open_)}" if open_ else ""
    if yes and no:
        return DEPENDS, f"holds: {', '.join(yes)}; fails: {', '.join(no)}{rest}"
    return (REPRODUCED if yes else NOT_REPRODUCED), ", ".join(yes or no) + rest


def claim(id, sentence, where, statistic, interval, holds):
    """Judge a claim; a ledger adds its paper and its scale.

    Parameters
    ----------
    id, sentence, where, statistic, interval : str
        As in `Claim`.
    holds : dict of str to bool or None
        As in `verdict`.

    Returns
    -------
    tuple of str
        The fields of `Claim` between paper and scale.
    """
    said, reading = verdict(holds)
    return id, sentence, where, statistic, interval, reading, said


def every(found):
    """Whether all conditions hold.

    Parameters
    ----------
    found : iterable of bool or None
        Whether each holds, None where this run cannot tell.

    Returns
    -------
    bool or None
        False if one fails, else None if one is open.
    """
    found = list(found)
    return False if False in found else None if None in found else True


def some(found):
    """Whether one of the conditions holds.

    Parameters
    ----------
    found : iterable of bool or None
        Whether each holds, None where this run cannot tell.

    Returns
    -------
    bool or None
        True if one holds, else None if one is open.
    """
    found = list(found)
    return True if True in found else None if None in found else False


def least(result, first, second):
    """Lower end of what the first policy loses more than the second.

    Parameters
    ----------
    result : Result
        What `simulate` returned.
    first, second : str
        Names of policies.

    Returns
    -------
    float
        Of the 95 % interval of the paired difference of their regrets at the horizon.
    """
    return float(result.paired(first, second)["low"].iloc[-1])


class Ledger:
    """Claims as a table, for a notebook and for the report.

    Parameters
    ----------
    claims : iterable of Claim
        In the order of the paper.
    """

    def __init__(self, claims):
        self.claims = list(claims)

    def __len__(self):
        return len(self.claims)

    def __iter__(self):
        return iter(self.claims)

    def counts(self):
        """Number of claims per verdict."""
        return {v: sum(c.verdict == v for c in self.claims) for v in CLASSES}

    def rows(self):
        """The claims as dicts of strings, as ``reports/claims.json`` holds them."""
        return [{key: str(value) for key, value in claim._asdict().items()} for claim in self.claims]

    def table(self):
        """The claims as an HTML table."""
        head = ["", "claim", "where", "statistic", "interval or tolerance", "reading", "verdict"]
        cells = [self.row(claim) for claim in self.claims]
        caption = ", ".join(f"{n} {v}" for v, n in self.counts().items() if n)
        return (
            f'<table class="ledger"><caption>{len(self)} claims: {caption}.</caption><thead><tr>'
            + "".join(f'<th scope="col">{title}</th>' for title in head)
            + f"</tr></thead><tbody>{''.join(cells)}</tbody></table>"
        )

    def row(self, claim):
        """One claim as a table row."""
        text = [claim.sentence, claim.where, claim.statistic, claim.interval, claim.reading]
        chip = f'<span class="verdict {CLASSES[claim.verdict]}">{SIGNS[claim.verdict]} {claim.verdict}</span>'
        cells = "".join(f"<td>{html.escape(t)}</td>" for t in text)
        return f'<tr><th scope="row">{html.escape(claim.id)}</th>{cells}<td>{chip}</td></tr>'

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {
            "text/html": f"<style>{STYLE}</style>{self.table()}",
            "text/plain": "\n".join(f"{c.id}: {c.verdict}: {c.sentence}" for c in self.claims),
            "application/vnd.banditlab.claims+json": self.rows(),
        }


# For JupyterLab, whose own tables align right and do not wrap; the report has its own rules for the same classes.
STYLE = """
table.ledger td, table.ledger th { text-align: left !important; vertical-align: top; white-space: normal !important; }
table.ledger caption { text-align: left; font-weight: 600; padding: .4em 0; }
.verdict { display: inline-block; padding: .1em .6em; border-radius: 99px; white-space: nowrap; border: 1px solid; }
.verdict-reproduced { color: #0b5a2b; background: #e3f4e8; }
.verdict-not-reproduced { color: #8c1c13; background: #fdeae7; }
.verdict-depends { color: #6b4a00; background: #fff3d6; }
.verdict-untested { color: #454d57; background: #eceff2; }
"""
