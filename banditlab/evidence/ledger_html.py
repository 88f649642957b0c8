"""The ledger as HTML, the same in a notebook, a report and the index: a mark and a row for every claim."""

import functools
import html
import json
import re
from collections import Counter
from pathlib import Path

from .ledger_words import set_plain_formulas
from .picture import draw_picture, draw_strip, pick_measure
from .questions import short
from .robustness import describe_limits
from .verdicts import CLASSES, OURS

HERE = Path(__file__).parent
STYLE, SCRIPT = ((HERE / f"ledger.{kind}").read_text("utf-8") for kind in ("css", "js"))
LAB_STYLE, LAB_SCRIPT = ((HERE / f"ledger_lab.{kind}").read_text("utf-8") for kind in ("css", "js"))
TICK = '<path class="{}" d="M4.6 8.2 7 10.6 11.4 5.6"/>'
SHAPES = {  # of a verdict, in a square of 16: none is told by its colour alone
    "verdict-reproduced": '<circle cx="8" cy="8" r="7"/>' + TICK.format("in"),
    "verdict-searched": '<circle class="dash" cx="8" cy="8" r="6.2"/>' + TICK.format("on"),
    "verdict-not-reproduced": '<path d="M8 0 16 8 8 16 0 8z"/><path class="in" d="M5.5 5.5l5 5m0-5-5 5"/>',
    "verdict-depends": '<circle class="out" cx="8" cy="8" r="6.2"/><path d="M8 1.8a6.2 6.2 0 0 0 0 12.4z"/>',
    "verdict-undecided": '<path class="out" d="M8 1.6 15 14.2H1z"/><path class="on" d="M8 6v3.6M8 11.4v1"/>',
    "verdict-untested": '<circle class="out" cx="8" cy="8" r="3.6"/>',
}
SIGN = '<svg class="sign {0}" viewBox="0 0 16 16" aria-hidden="true">{1}</svg>'
SIGNS = {verdict: SIGN.format(name, SHAPES[name]) for verdict, name in CLASSES.items()}  # the same on all pages
KINDS = "Section|Appendix|Figure|Table|Theorem|Proposition|Lemma|Corollary|Remark|Example|Algorithm|Equation"
PARTS = re.compile(r"; (?![^(]*\))")  # of what was measured: a reading each
PLACE = re.compile(rf"\b({KINDS})s? (\w[\w.]*(?:(?:, | and )[A-Z]?\.?\d[\d.]*)*)", re.I)


def anchor_of(row):
    """Where a claim stands in its page."""
    return "claim-" + re.sub(r"[^\w-]+", "-", row["id"])


def leading(row):
    """The row that a page believes: that of the committed run at the paper's size, where there is one."""
    return row.get("at_paper_size") or row


def count_verdicts(rows):
    """How many claims have which verdict, in the ledger's order, without the zeros."""
    tally = Counter(leading(row)["verdict"] for row in rows)
    return {verdict: tally[verdict] for verdict in CLASSES if tally[verdict]}


def list_places(where):
    """The sections, figures and theorems that a row names; of sections and appendices the number before the dot."""
    pairs = [(kind.capitalize(), one) for kind, many in PLACE.findall(where) for one in re.split(r", | and ", many)]
    named = (f"{kind} {one.partition('.')[0] if kind in ('Section', 'Appendix') else one}" for kind, one in pairs)
    return list(dict.fromkeys(named))


def render_ledger(rows, papers=None, text=html.escape):
    """Return the ledger: a field of marks, filters, a row for every claim.

    Parameters
    ----------
    rows : list of dict
        Claims as ``claims.json`` holds them, ``limits`` (how far each holds) and ``also`` (words that a search finds it
        by). A page adds ``at_paper_size`` (the committed row), ``anchor``, ``name``, ``links`` (pairs of address and
        words), ``slides`` (the figure whose sliders it has; a notebook has those of all), ``unplayed`` (why its runs
        are not played there), ``commit``, and ``filters`` (name to list of values).
    papers : list of str, optional
        Papers that have a field of marks each; by default the claims of the paper have one, and those that are ours.
    text : function of str, optional
        From words with TeX to HTML.
    """
    from markupsafe import Markup

    shown = [describe_row(row) for row in rows]
    fields = {paper: [row for row in shown if row["paper"] == paper] for paper in papers or ()} or {
        title: [row for row in shown if row["ours"] is ours] for title, ours in (("the paper", False), ("ours", True))
    }
    filters = {}
    for row in shown:
        for name, values in row["filters"].items():
            filters.setdefault(name, set()).update(values)
    return load_template().render(
        rows=shown,
        fields=fields,
        text=lambda words: Markup(set_plain_formulas(text(words))),
        verdicts=[verdict for verdict in CLASSES if fields.get("ours", True) or verdict not in OURS.values()],
        counts=count_verdicts(rows),
        filters={name: sorted(values, key=order_of_place) for name, values in filters.items()},
        committed=any(row["at_paper_size"] for row in shown),
    )


@functools.cache
def load_template():
    """Return the template of the ledger."""
    import jinja2

    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(HERE), autoescape=True)
    called = dict(short=short, pick_measure=pick_measure, draw_strip=draw_strip, list_parts=PARTS.split)
    environment.globals.update(classes=CLASSES, signs=SIGNS, **called)
    return environment.get_template("ledger.html.j2")


def describe_row(row):
    """A row with all that the template asks for."""
    paper = row.get("at_paper_size")
    sizes = [("then", paper), ("now", row)] if paper else [("now", row)]
    limits, slides = row.get("limits"), row.get("slides", row["figure"])
    filters = row.get("filters", {"section": list_places(row["where"])})
    filters = {**filters, "whose": ["ours" if row["ours"] else "the paper's"]}
    kept = {"verdict": {size: one["verdict"] for size, one in sizes}, "also": row.get("also", ""), **filters}
    return {
        "anchor": anchor_of(row), "name": row["id"], **row, "at_paper_size": paper, "sizes": sizes, "filters": filters,
        "behind": row["sizes"], "limits": limits and describe_limits(limits, slides, leading(row)["verdict"]),
        "kept": json.dumps(kept, ensure_ascii=False),
        "picture": draw_picture(row["measures"], paper["measures"] if paper else ()),
    }  # fmt: skip


def order_of_place(place):
    """Sort key: sections before appendices, and by number."""
    kind, _, number = place.partition(" ")
    known = KINDS.split("|")
    return known.index(kind) if kind in known else -1, [int(n) if n.isdigit() else 0 for n in number.split(".")], place
