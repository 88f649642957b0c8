"""The index: one page that lists the reports of a folder and the claims of all papers."""

import json
import re

import jinja2
from markupsafe import Markup, escape

from ..evidence import CLASSES, SIGNS
from . import ledger, page

FACTS = re.compile(r'<script\b[^>]*\bid="facts"[^>]*>(.*?)</script>', re.S)


def write_index(out):
    """Write index.html from what is in the folder: its report pages and claims.json.

    Parameters
    ----------
    out : pathlib.Path
        The folder of the reports.
    """
    reports = [facts for path in sorted(out.glob("*.html")) if (facts := read_facts(path))]
    reports.sort(key=lambda report: page.reading_order(report["paper"]))
    rows = ledger.read(out / "claims.json")
    papers = sorted({row["paper"] for row in rows}, key=page.reading_order)
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(page.TEMPLATES), autoescape=True)
    environment.filters["markdown"] = lambda text: Markup(page.markdown_line(text))
    environment.filters["tex"] = lambda text: Markup(page.tex_in_text(str(escape(text))))
    environment.globals.update(page=page, raw=Markup, classes=CLASSES, signs=SIGNS)
    html = environment.get_template("index.html.j2").render(
        reports=reports,
        rows=rows,
        total=ledger.count(rows),
        counts_of={paper: ledger.count([row for row in rows if row["paper"] == paper]) for paper in papers},
        links={report["paper"]: f"{report['name']}.html" for report in reports},
    )
    page.write_whole(out / "index.html", html)


def read_facts(path):
    """What a report page says about itself, None for a page that is no report."""
    with path.open(encoding="utf-8", errors="replace") as file:
        head = file.read(100_000)
    found = FACTS.search(head)
    return json.loads(found[1]) if found else None
