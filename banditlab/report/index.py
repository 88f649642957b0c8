"""The index: one page that lists the reports of a folder and the claims of all papers."""

import json
import re
from urllib.parse import quote

import jinja2
from bs4 import BeautifulSoup
from markupsafe import Markup, escape

from ..evidence import CLASSES, SIGNS
from ..evidence.ledger_html import count_verdicts, render_ledger
from . import ledger, page
from .fold import link_ids

FACTS = re.compile(r'<script\b[^>]*\bid="facts"[^>]*>(.*?)</script>', re.S)
# What `draw_still` draws without texts, and nothing else.
THUMB = re.compile(r'<svg class="still" viewBox="[\d .]+" aria-hidden="true">(<path [\w="#(),. -]*/>)*</svg>')
SAID = ("title", "paper", "paper_title", "claim", "scale", "date", "special")  # of a page about itself
MORE = {"order": (int | float, 1e9), "thumb": (str, ""), "errata": (str, ""), "also": (dict, {})}  # and without them


def write_index(out, notebook):
    """Write index.html from what is in the folder: its report pages and claims.json.

    Parameters
    ----------
    out : pathlib.Path
        The folder of the reports.
    notebook : pathlib.Path
        Of one of them, beside which the committed ledger stands where the folder has none.
    """
    reports = [facts for path in sorted(out.glob("*.html")) if (facts := read_facts(path))]
    reports.sort(key=lambda report: (report["order"], report["paper"], report["special"], report["file"]))
    rows = ledger.rows_for_page(ledger.read_claims(out / "claims.json"), ledger.read_committed(out, notebook))
    told = [report["paper"] for report in reports]
    named = {row["paper"] for row in rows}
    papers = [*dict.fromkeys(paper for paper in told if paper in named), *sorted(named.difference(told))]
    rows.sort(key=lambda row: papers.index(row["paper"]))
    first = {report["paper"]: report for report in reversed(reports)}
    rows = [row_of_index(row, first.get(row["paper"])) for row in rows]
    html = read_page("index.html.j2").render(
        reports=reports,
        rows=rows,
        claims=render_ledger(rows, papers, page.escape_with_tex),
        committed=any(row["at_paper_size"] for row in rows),
        anchors={paper: {row["id"]: row["anchor"] for row in rows if row["paper"] == paper} for paper in papers},
        errata=[report for report in reports if report["errata"] and not report["special"]],
        total=count_verdicts(rows),
        counts_of={paper: count_verdicts([row for row in rows if row["paper"] == paper]) for paper in papers},
    )
    page.write_text(out / "index.html", page.set_formulas(html))


def read_page(name):
    """A page that lists others: what it is given is escaped, its formulas are not."""
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(page.TEMPLATES), autoescape=True)
    safe = dict(escape=True, embed_images=False)
    environment.filters["markdown"] = lambda text: Markup(page.render_markdown_line(text, **safe))
    environment.filters["table"] = lambda text, anchors: Markup(link_ids(page.render_markdown(text, **safe), anchors))
    environment.filters["tex"] = lambda text: Markup(page.tex_in_text(str(escape(text))))
    environment.globals.update(page=page, raw=Markup, classes=CLASSES, signs=SIGNS)
    return environment.get_template(name)


def row_of_index(row, report):
    """A row as the index shows it: with its paper's name, in its address too; `report` is None where there is none."""
    anchor, paper = row["anchor"], row["paper"]
    own = {"name": f"{paper} {row['id']}", "anchor": f"{paper}-{anchor}", "filters": {"paper": [paper]}}
    links = [(f"{quote(report['file'])}#{anchor}", "in its report")] if report else []
    return {**row, **own, "links": links, "also": str(report["also"].get(row["id"], "")) if report else ""}


def read_facts(path):
    """What a report page says about itself, None for anything else that has such a name.

    It says so in text: a page that came from elsewhere must not bring its own HTML into the index.
    """
    if not path.is_file():  # a folder, a link to nothing, a pipe
        return None
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            found = FACTS.search(file.read(200_000))
        facts = json.loads(found[1]) if found else None
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(facts, dict) or not all(isinstance(facts.get(key), str) for key in SAID):
        return None
    more = {key: facts[key] if isinstance(facts.get(key), kind) else usual for key, (kind, usual) in MORE.items()}
    more["thumb"] = more["thumb"] if THUMB.fullmatch(more["thumb"]) else ""
    return {**{key: facts[key] for key in SAID}, **more, "title": strip_markup(facts["title"]), "file": path.name}


def strip_markup(title):
    """A title of which only its text and its formulas are left."""
    soup = BeautifulSoup(title, "html.parser")
    parts = [
        page.tex(part) if part.parent.name == "span" and "tex" in part.parent.get("class", []) else escape(part)
        for part in soup.find_all(string=True)
    ]
    return "".join(map(str, parts))
