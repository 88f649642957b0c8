"""The rules that a notebook keeps to become a report: ``python -m banditlab.report --check``.

Each rule reads the stored notebook and tells what is wrong in a sentence; docs/paper.md explains them. Where all are
kept, its first two code cells run: do they find the module, and does the module know every parameter?
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat

from ..explorer.paper import choose_notebooks, metadata_of
from .plan import own_value

METADATA = {
    "paper": "name of the paper, the one given to Claims",
    "title": "title of the paper",
    "claim": "its main claim in one sentence",
    "bibtex": "how to cite it",
}
TEMPLATE = {  # what a new paper says of itself until somebody edits it
    "title": "Greedy play with a share of uniform draws",
    "claim": "A share of uniform draws that falls like 1/t keeps the regret logarithmic.",
    "bibtex": "@article{auer2002finite,",
}
FIRST = ("scale", "seed", "figure")
LAST = "live: bool = True"
PARAMETER = re.compile(r"(\w+): (int|float|str|bool|list|dict) = ((?>(['\"])(?:\\.|(?!\4).)*\4|.)+?)  # (\S.*)")
FORM = "`name: type = value  # meaning`, with a type of int, float, str, bool, list, dict"
HOW = "banditlab.explorer.parameters_cell(CONTROLS, figure) writes the whole cell"


def check_notebook(path):
    """What is wrong with a notebook, a list of sentences.

    Parameters
    ----------
    path : path-like
        The stored notebook; it is read as it is, since reading it through nbformat would mend it.
    """
    try:
        notebook = json.loads(Path(path).read_text(encoding="utf-8"))
        if not (broken := [sentence for rule in RULES for sentence in rule(notebook)]):
            nbformat.validate(notebook)
        return broken
    except Exception as error:  # whatever a file that is no notebook provokes
        return [f"it is no notebook: {type(error).__name__}: {str(error).partition(chr(10))[0]}"]


def main(names, folder):
    """Print what is wrong with the notebooks of these names, or with all; returns the exit status."""
    chosen = choose_notebooks(names, folder)
    wrong = {name: check_notebook(path) or run_first_cells(path) for name, path in chosen.items()}
    for name, sentences in wrong.items():
        print(f"{name}: every rule is kept" if not sentences else "\n  ".join([f"{name}:", *sentences]))
        if left := [] if sentences else list_left_over(chosen[name]):
            print(f"  note: metadata.banditlab still speaks of the example it began with: {', '.join(left)}")
    return int(any(wrong.values()))


def list_left_over(path):
    """The words in a notebook's metadata that are still those of the example which a new paper begins with."""
    said = metadata_of(path)
    return [key for key, text in TEMPLATE.items() if said[key].startswith(text)]


BEGIN = """
import json, sys
paper, *sources = json.load(sys.stdin)
names = {}
for source in sources:
    exec(source, names)
from banditlab import Claims, read_parameters
from banditlab.explorer import check_preset
for module in names.values():
    if all(hasattr(module, name) for name in ("CONTROLS", "FIGURES", "PRESETS")):
        values = read_parameters(module.CONTROLS, names)
        for title, preset in module.PRESETS.items():
            check_preset(title, preset, module.FIGURES, values, module.CONTROLS)
things = [thing for value in names.values() for thing in (value, *getattr(value, "__dict__", {}).values())]
known = {thing.paper for thing in things if isinstance(thing, Claims)}
if known and paper not in known:
    raise ValueError(f"metadata.banditlab.paper is {paper!r}: the claims are those of {', '.join(sorted(known))!r}")
"""


def run_first_cells(path):
    """What goes wrong in the first two code cells of a notebook that keeps the rules, a list of sentences."""
    notebook = json.loads(Path(path).read_text(encoding="utf-8"))
    sources = [re.sub(r"^[%!].*", "", read_cell(cell), flags=re.M) for cell in cells_of_kind(notebook, "code")[:2]]
    given = [notebook["metadata"]["banditlab"]["paper"], *sources]
    call = [sys.executable, "-c", BEGIN]
    done = subprocess.run(call, input=json.dumps(given), cwd=Path(path).parent, capture_output=True, text=True)
    if not done.returncode:
        return []
    told = [f"exit status {done.returncode}", *done.stderr.strip().splitlines()][-1]
    return [f"its first two code cells fail: {told.partition(': ')[2] or told}"]


def read_cell(cell):
    """The source of a cell."""
    return "".join(cell["source"])


def read_prose(cell):
    """The source of a Markdown cell without its blocks of code."""
    return re.sub(r"^```.*?^```", "", read_cell(cell), flags=re.M | re.S)


def cells_of_kind(notebook, kind):
    """The cells of one kind, "code" or "markdown"."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == kind]


def parameters_cells(notebook):
    """The cells tagged `parameters`."""
    return [cell for cell in notebook["cells"] if "parameters" in cell["metadata"].get("tags", [])]


def check_ids(notebook):
    """Cells have ids of their own, so that two versions can be compared."""
    known = [cell.get("id") for cell in notebook["cells"]]
    if (notebook["nbformat"], notebook["nbformat_minor"]) < (4, 5):
        yield "its format is older than 4.5, whose cells have no ids: save it once with JupyterLab"
    elif len(set(known)) < len(known):
        yield "two cells have the same id: save it once with JupyterLab"


def check_outputs(notebook):
    """A notebook is stored without outputs."""
    if shown := [c["id"] for c in cells_of_kind(notebook, "code") if c["outputs"] or c["execution_count"] is not None]:
        yield f"cells {', '.join(shown)} are stored with outputs: run `nbstripout --keep-id` on it"
    if {"widgets", "papermill"} & set(notebook["metadata"]):
        yield "widgets or papermill are in its metadata: run `nbstripout --keep-id` on it"


def check_kernel(notebook):
    """Every environment has the kernel python3."""
    name = notebook["metadata"].get("kernelspec", {}).get("name")
    if name != "python3":
        yield f"metadata.kernelspec.name is {name!r}: it must be 'python3', which every environment has"


def check_metadata(notebook):
    """The page and the index need to know the paper."""
    paper = notebook["metadata"].get("banditlab", {})
    for key, meaning in METADATA.items():
        if not (isinstance(paper.get(key), str) and paper[key].strip()):
            yield f"metadata.banditlab.{key} is missing: a string, {meaning}"
    known = *METADATA, "order"  # the place of its report among all, a number: it may be left out
    for key in sorted(set(paper) - set(known)):
        yield f"metadata.banditlab.{key} means nothing; known are {', '.join(known)}"


def check_title(notebook):
    """The first cell says what the notebook is about; one title is enough."""
    first = notebook["cells"][0] if notebook["cells"] else None
    if first is None or first["cell_type"] != "markdown" or not read_cell(first).startswith("# "):
        yield "the first cell is no markdown cell that starts with a title: `# The result in one line`"
    prose = "\n".join(map(read_prose, cells_of_kind(notebook, "markdown")))
    if (number := len(re.findall(r"^# ", prose, re.M))) > 1:
        yield f"it has {number} titles (`# ...`): sections start with `## `"


def check_parameters_cell(notebook):
    """papermill replaces literals in one cell and checks nothing: so the form of its lines is fixed."""
    tagged = parameters_cells(notebook)
    if len(tagged) != 1 or tagged[0] is not cells_of_kind(notebook, "code")[0]:
        yield "exactly one cell is tagged `parameters`, and it is the first code cell"
        return
    names, lines = [], read_cell(tagged[0]).splitlines()
    for number, line in enumerate(lines, 1):
        if not (found := PARAMETER.fullmatch(line)):
            yield f"cell parameters, line {number}: {line!r} is not {FORM}; {HOW}"
            continue
        names.append(found[1])
        if type(own_value(found[3], ...)).__name__ != found[2]:
            yield f"cell parameters, line {number}: {found[3]} is no literal of type {found[2]}"
    if lacking := [name for name in FIRST if name not in names]:
        yield f"cell parameters sets no {', '.join(lacking)}; {HOW}"
    if not lines or not lines[-1].startswith(LAST):
        yield f"the last line of cell parameters is `{LAST}  # ...`"


def check_reading(notebook):
    """Values from a command line are checked before anything uses them."""
    code = cells_of_kind(notebook, "code")
    if len(code) < 2 or not re.search(r"\b(read|check)_parameters\(", read_cell(code[1])):
        yield "the second code cell does not check the parameters: `values = bl.read_parameters(CONTROLS, globals())`"


def check_explorers(notebook):
    """Each explorer brings 5 MB of JavaScript into the page."""
    number = sum(bool(re.search(r"\bexplore\(", read_cell(cell))) for cell in cells_of_kind(notebook, "code"))
    if number > 2:
        yield f"{number} cells call explore: at most two, since each brings 5 MB of JavaScript"


def check_images(notebook):
    """Pictures are described in words."""
    for cell in cells_of_kind(notebook, "markdown"):
        if "![](" in read_cell(cell):
            yield f"cell {cell['id']}: an image has no alternative text: `![what it shows](...)`"


def check_prose(notebook):
    """Right under the end of a block of HTML, Markdown is shown as it is typed."""
    for cell in cells_of_kind(notebook, "markdown"):
        for found in re.finditer(r"^(</\w+>)[ \t]*\n[ \t]*[^\s<]", read_prose(cell), re.M):
            yield f"cell {cell['id']}: text right under {found[1]} is not read as Markdown: leave a blank line between"


RULES = (
    check_ids, check_outputs, check_kernel, check_metadata, check_title, check_parameters_cell, check_reading,
    check_explorers, check_images, check_prose,
)  # fmt: skip
