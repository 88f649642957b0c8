"""Claims of executed notebooks: collected, merged into one list, and written as a table."""

import json
import re
from collections import Counter

from ..evidence import CLASSES, Claim
from .page import ReportError, reading_order, write_whole

CLAIMS = "application/vnd.banditlab.claims+json"
PREFACE = """# Reports

`make reports` builds the HTML pages of this folder; they are not committed. Committed is the ledger of a run at the
papers' own sizes, `python -m banditlab.report --scale paper`: the tables below, and the same rows in
[claims-paper.json](claims-paper.json). Every verdict was computed by that run.

"""


def collect(nb):
    """The claims that an executed notebook shows, a list of dicts in the notebook's order."""
    rows = {}
    for cell in nb.cells:
        for output in cell.get("outputs", []):
            for row in output.get("data", {}).get(CLAIMS, []):
                check(row, cell)
                rows[row["paper"], row["id"]] = {key: row[key] for key in Claim._fields}
    return list(rows.values())


def check(row, cell):
    """Refuse a claim with a missing key or an unknown verdict."""
    missing = [key for key in Claim._fields if key not in row]
    if missing:
        raise ReportError(f"cell {cell.id}: claim {row.get('id', '?')} has no {', '.join(missing)}")
    if row["verdict"] not in CLASSES:
        allowed = ", ".join(CLASSES)
        raise ReportError(f"cell {cell.id}: claim {row['id']} has verdict {row['verdict']!r}; allowed: {allowed}")


def read(path):
    """The claims in a file, none where there is no file."""
    if not path.is_file():
        return []
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ReportError(f"{path} is damaged ({error}): remove it and build the reports again") from None


def merge(path, paper, rows):
    """Put the rows of one paper in the place of its old ones."""
    replaced = {paper, *(row["paper"] for row in rows)}
    kept = [row for row in read(path) if row["paper"] not in replaced]
    merged = sorted(kept + rows, key=lambda row: reading_order(row["paper"]))
    write_whole(path, json.dumps(merged, indent=1, ensure_ascii=False) + "\n")


def count(rows):
    """How many claims have which verdict, in the ledger's order, without the zeros."""
    tally = Counter(row["verdict"] for row in rows)
    return {verdict: tally[verdict] for verdict in CLASSES if tally[verdict]}


def merge_table(path, paper, title, rows, note):
    """Put the table of one paper, with a note on its run, in the place of its old one."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    tables = {m[1]: m[0].strip() for m in re.finditer(r"<!-- (\S+) -->\n.*?(?=<!-- \S+ -->|\Z)", text, re.S)}
    tables[paper] = "\n".join([f"<!-- {paper} -->", f"## {title}", "", *table(rows), "", note])
    write_whole(path, PREFACE + "\n\n".join(tables[name] for name in sorted(tables, key=reading_order)) + "\n")


def table(rows):
    """Lines of a markdown table of claims, and of its counts."""
    columns = ("id", "sentence", "where", "statistic", "rule", "reading", "verdict")
    cells = [[str(row[column]).replace("|", "\\|").replace("\n", " ") for column in columns] for row in rows]
    return [
        ", ".join(f"{number} {verdict}" for verdict, number in count(rows).items()) + ".",
        "",
        "| claim | sentence | where | statistic | rule | reading | verdict |",
        "|---|---|---|---|---|---|---|",
        *("| " + " | ".join(row) + " |" for row in cells),
    ]
