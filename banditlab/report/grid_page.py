"""A page that lays the reports of a grid of parameters side by side: their first figures, and their verdicts."""

import json
import re
import sys

from markupsafe import Markup

from . import page
from .index import FACTS, read_page, strip_markup, write_index
from .plan import name_page
from .pool import say_line

STILL = re.compile(r'<svg\b[^>]*class="still".*?</svg>', re.S)
SAID = re.compile(r'<div\b(?=[^>]*class="plot")[^>]*aria-label="([^"]*)"')


def write_grid(out, jobs):
    """Write the page of these reports, which lie in the folder already; the index lists it, too.

    Parameters
    ----------
    out : pathlib.Path
        The folder of the reports.
    jobs : list of Job
        Of one notebook, each with other parameters.
    """
    values = {name: list({str(job.given[name]): job.given[name] for job in jobs}.values()) for name in jobs[0].given}
    reports = [read_report(out, job, [name for name in values if len(values[name]) > 1]) for job in jobs]
    facts = reports[0]["facts"]
    special = "; ".join(f"{name} = {', '.join(map(str, of))}" for name, of in values.items())
    about = {**facts, "special": f"side by side: {special}", "verdicts": [], "errata": "", "thumb": ""}
    html = read_page("grid.html.j2").render(
        title=Markup(strip_markup(facts["title"])),
        special=special,
        reports=reports,
        parts=list_rows(reports),
        facts=Markup(page.make_island(about)),
    )
    name = name_page(jobs[0].name, {name: ",".join(map(str, of)) for name, of in values.items()})
    page.write_text(out / f"{name}.html", page.set_formulas(html))
    write_index(out, jobs[0].path)
    say_line(f"side by side: {out / name}.html", sys.stdout)


def read_report(out, job, varied):
    """What the page shows of a report: the values that are its own, its facts, its first figure."""
    text = (out / f"{job.page}.html").read_text(encoding="utf-8")
    first = text.partition("</figure>")[0]
    picture, said = STILL.search(first), SAID.search(first)
    told = ", ".join(f"{name} = {job.given[name]}" for name in varied)
    return {
        "file": f"{job.page}.html",
        "told": told,
        "facts": json.loads(FACTS.search(text)[1]),
        "picture": Markup(picture[0] if picture else ""),
        "said": Markup(said[1] if said else ""),
    }


def list_rows(reports):
    """Pairs of words and rows (anchor, name, sentence, verdicts): what differs first, then what is the same."""
    rows = {}
    for place, report in enumerate(reports):
        for name, anchor, sentence, verdict in report["facts"].get("verdicts", []):
            rows.setdefault(name, (anchor, name, sentence, [""] * len(reports)))[3][place] = verdict
    differing = [row for row in rows.values() if len(set(row[3])) > 1]
    same = [row for row in rows.values() if len(set(row[3])) == 1]
    return [("Verdicts that differ", differing), ("Verdicts that are the same", same)]
