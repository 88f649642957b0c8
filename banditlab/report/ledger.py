"""Claims of executed notebooks: collected, merged into one list, and written as a table."""

import json
import os
import re
import sys

from ..evidence import CLASSES, Claim, Measure
from ..evidence.ledger import LEDGER, read_committed_rows
from ..evidence.ledger_html import anchor_of, count_verdicts
from ..validate import shown
from .page import ReportError, write_text

MEASURED = {**Measure.__annotations__, "answer": bool | None}
PREFACE = """# Reports

A ledger of runs at the papers' own sizes, by `python -m banditlab.report --scale paper`: the tables below, and the same
rows in [claims-paper.json](claims-paper.json). Every verdict was computed by that run. The keys of a row are the fields
of `banditlab.evidence.Claim`, those of its measures the fields of `banditlab.evidence.Measure`, with `answer` true,
false or null.

"""


def collect_claims(nb):
    """The claims that an executed notebook shows, a list of dicts in the notebook's order."""
    rows = {}
    for cell, ledger in ledgers_of(nb):
        for row in ledger["claims"]:
            try:
                check_row(row)
            except ReportError as error:
                raise ReportError(f"cell {cell.id}: {error}") from None
            rows[row["paper"], row["id"]] = {key: row[key] for key in Claim._fields}
    return list(rows.values())


def ledgers_of(nb):
    """The ledgers that an executed notebook shows, each with its cell."""
    outputs = ((cell, output.get("data", {})) for cell in nb.cells for output in cell.get("outputs", []))
    return [(cell, data[LEDGER]) for cell, data in outputs if LEDGER in data]


def cpu_seconds(nb):
    """CPU seconds that computing the runs behind the claims took, whenever they were computed."""
    return sum(ledger["seconds"] for _, ledger in ledgers_of(nb))


def check_row(row):
    """Refuse what is no claim: a missing key, a value of another type, an unknown verdict."""
    if not isinstance(row, dict):
        raise ReportError(f"{str(row)[:60]!r} is no claim")
    row.update({key: row.get(key, "") for key in ("code", "quote")})  # of a ledger that was written without
    if missing := [key for key, kind in Claim.__annotations__.items() if not isinstance(row.get(key), kind)]:
        raise ReportError(f"claim {row.get('id', '?')} has no {', '.join(missing)}")
    if row["verdict"] not in CLASSES:
        raise ReportError(f"claim {row['id']} has verdict {row['verdict']!r}; allowed: {', '.join(CLASSES)}")
    for one in row["measures"]:
        if trouble := find_fault(one):
            raise ReportError(f"claim {row['id']} has a measure {trouble}")


def find_fault(one):
    """What is wrong with a measure, in words; empty where nothing is."""
    if missing := sorted(MEASURED.keys() - (one if isinstance(one, dict) else {})):
        return f"without {', '.join(missing)}"
    for key, kind in MEASURED.items():
        words, fits = FITS[kind]
        if not fits(one[key]):
            return f"with {key}={shown(one[key])}: must be {words}"
    return ""


def is_drawable(value):
    """Whether a drawing can show it."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def is_range(value):
    """Whether these are the two ends of a range, null where it has none."""
    return isinstance(value, tuple | list) and len(value) == 2 and all(end is None or is_drawable(end) for end in value)


FITS = {  # type of a field of `Measure` -> what JSON must hold for it
    str: ("text", lambda value: isinstance(value, str)),
    float: ("a finite number or null", lambda value: value is None or is_drawable(value)),
    int: ("a whole number", lambda value: isinstance(value, int) and not isinstance(value, bool)),
    bool: ("true or false", lambda value: isinstance(value, bool)),
    bool | None: ("true, false or null", lambda value: value is None or isinstance(value, bool)),
    tuple: ("a pair of numbers or nulls", is_range),
    tuple | None: ("a pair of numbers or nulls, or null", lambda value: value is None or is_range(value)),
}


def read_claims(path):
    """The claims in a file, none where there is no file.

    A file that holds anything else is moved out of the way, with a sentence: it may be the work of a hand. Its good
    rows stay in use.
    """
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    except (ValueError, RecursionError) as error:
        rows, wrong = [], [error]
    else:
        rows, wrong = sift_rows(rows if isinstance(rows, list) else [rows])
    if wrong:
        aside = path.with_name(f"{path.stem}.damaged{path.suffix}")
        os.replace(path, aside)
        said = str(wrong[0]).partition("\n")[0][:200]
        print(f"{path} is no list of claims ({said}); it was moved to {aside.name}", file=sys.stderr, flush=True)
    return rows


def sift_rows(rows):
    """The rows that are claims, and what is wrong with the others."""
    good, wrong = [], []
    for row in rows:
        try:
            check_row(row)
            good.append(row)
        except ReportError as error:
            wrong.append(error)
    return good, wrong


def read_committed(out, notebook):
    """The rows of the committed ledger by paper and claim: from the folder of the reports, else from the notebook's."""
    rows = read_committed_rows(out) or read_committed_rows(notebook.parent.parent / "reports")
    return {(row["paper"], row["id"]): row for row in sift_rows(rows)[0]}


def rows_for_page(rows, paper_size, figures=(), commit=""):
    """Rows with what a page shows of them: the run at paper size, the figure, the address, the source.

    Parameters
    ----------
    rows : list of dict
        Claims of a run.
    paper_size : dict
        What `read_committed` returned.
    figures : sequence of (int, list of set of str)
        Numbers of the page's figures, what each is called, and what its sliders also show.
    commit : str
        Of the source, where it is known.
    """
    walked = []
    for row in rows:
        paper = paper_size.get((row["paper"], row["id"])) if row["scale"] != "paper" else None
        place = figure_number(row, figures)
        links = [(f"#figure-{place}", "its figure")] if place else []
        links.append((f"#{anchor_of(row)}", "the address of this row"))
        more = {"at_paper_size": paper, "place": place, "anchor": anchor_of(row), "commit": commit, "links": links}
        walked.append({**row, **more})
    return walked


def figure_number(row, figures):
    """The number of the figure on the page that shows what a claim is about, or None."""
    numbered = [f"Figure {number}" for key in ("figure", "where") for number in re.findall(r"Figures? (\d+)", row[key])]
    for wanted in filter(None, [row["figure"], *numbered]):
        for rank in range(2):  # the figure itself, else one that can be moved to it
            for number, names in figures:
                if wanted in names[rank]:
                    return number
    return None


def merge_rows(path, paper, rows):
    """Put the rows of one paper in the place of its old ones."""
    replaced = {paper, *(row["paper"] for row in rows)}
    before = read_claims(path)
    kept = [row for row in before if row["paper"] not in replaced]
    place = next((i for i, row in enumerate(before) if row["paper"] in replaced), len(kept))
    write_text(path, json.dumps(kept[:place] + rows + kept[place:], indent=1, ensure_ascii=False) + "\n")


def merge_table(path, paper, title, rows, note):
    """Put the table of one paper, with a note on its run, in the place of its old one; what stands above all stays."""
    text = path.read_text(encoding="utf-8") if path.is_file() else PREFACE
    tables = {m[1]: m[0].strip() for m in re.finditer(r"<!-- (\S+) -->\n.*?(?=<!-- \S+ -->|\Z)", text, re.S)}
    tables[paper] = "\n".join([f"<!-- {paper} -->", f"## {title}", "", *format_table(rows), "", note])
    write_text(path, text.partition("<!-- ")[0] + "\n\n".join(tables[name] for name in tables) + "\n")


def format_table(rows):
    """Lines of a markdown table of claims, and of its counts."""
    head = ["claim", "sentence", "where", "statistic", "rule", "runs", "reading", "verdict", "seeds"]
    lines = [", ".join(f"{number} {verdict}" for verdict, number in count_verdicts(rows).items()) + ".", ""]
    for cells in (head, ["---"] * len(head), *map(format_cells, rows)):
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def format_cells(row):
    """The cells of one claim: what is ours is marked, and verdicts of further seeds are told."""
    sentence = f"(ours) {row['sentence']}" if row["ours"] else row["sentence"]
    seeds = row.get("seeds", {str(row["seed"]): row["verdict"]})
    told = ", ".join(seeds)
    if len(seeds) > 1:
        differ = len(set(seeds.values())) > 1
        told = "; ".join(f"{seed}: {verdict}" for seed, verdict in seeds.items()) if differ else f"{told}: the same"
    middle = [row[key] for key in ("where", "statistic", "rule", "sizes", "reading", "verdict")]
    return [word.replace("|", "\\|").replace("\n", " ") for word in [row["id"], sentence, *middle, told]]
