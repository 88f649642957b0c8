"""Every notebook keeps the rules of a report; those of the four papers follow one plan besides."""

import ast
import importlib
import json
import re
from pathlib import Path

import pytest

from banditlab.explorer import parameters_cell
from banditlab.new import mypaper
from banditlab.report import check
from banditlab.report.__main__ import main
from banditlab.report.check import cells_of_kind, parameters_cells, read_cell

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
TEMPLATE = ROOT / "banditlab" / "new" / "mypaper.ipynb"
SECTIONS = (
    "Play|The claim|Does it match the paper?|Beyond the paper|The idea|The paper's figures|"
    "The numbers|Limits and readings|Your turn"
).split("|")


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request):
    """The notebook as stored: reading it through nbformat would mend it."""
    return json.loads(request.param.read_text(encoding="utf-8"))


def code_lines(cell):
    """The lines of a cell that are neither blank nor a comment."""
    return [line for line in read_cell(cell).splitlines() if line.strip() and not line.strip().startswith("#")]


# The rules for everybody


@pytest.mark.parametrize("path", [*NOTEBOOKS, TEMPLATE], ids=lambda path: path.stem)
def test_rules_of_a_report(path):
    assert check.check_notebook(path) == []


def retagged(nb):
    nb["cells"][2]["metadata"]["tags"] = ["parameters"]


def put(path, value):
    """A change of a notebook: the value put in this place."""

    def change(nb):
        for key in path[:-1]:
            nb = nb[key]
        nb[path[-1]] = value

    return change


def line(old, new):
    """A change of a notebook: other words in its parameters cell."""

    def change(nb):
        source = nb["cells"][1]["source"]
        assert any(old in row for row in source)
        nb["cells"][1]["source"] = [row.replace(old, new) for row in source]

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (put(["nbformat"], "four"), "it is no notebook"),
        (put(["cells", 4, "cell_type"], "prose"), "it is no notebook"),
        (put(["nbformat_minor"], 4), "format is older than 4.5"),
        (put(["cells", 0, "id"], "setup"), "same id"),
        (put(["cells", 2, "execution_count"], 3), "cells setup are stored with outputs"),
        (put(["metadata", "widgets"], {}), "widgets or papermill"),
        (put(["metadata", "kernelspec", "name"], "mine"), "'mine': it must be 'python3'"),
        (put(["metadata", "banditlab", "claim"], " "), "banditlab.claim is missing"),
        (put(["metadata", "banditlab", "doi"], "x"), "banditlab.doi means nothing"),
        (put(["cells", 0, "source"], ["Words."]), "starts with a title"),
        (put(["cells", 3, "source"], ["# Another"]), "it has 2 titles"),
        (retagged, "exactly one cell is tagged"),
        (line("gap: float = 0.3", "gap = 0.3"), "line 4: 'gap = 0.3  #"),
        (line("gap: float = 0.3", "gap: float = 1 / 3"), "1 / 3 is no literal of type float"),
        (line("seed: int", "sead: int"), "sets no seed"),
        (line("live: bool = True", "live: bool = False"), "last line of cell parameters"),
        (put(["cells", 2, "source"], ["import banditlab"]), "does not check the parameters"),
        (
            put(["cells", 2, "source"], ["%load_ext autoreload\n", "read_parameters('![](x.png)')"]),
            "fail: name 'read_parameters' is not",
        ),
        (put(["cells", 2, "source"], ["import sys  # read_parameters(\n", "sys.exit(1)"]), "fail: exit status 1"),
        (put(["cells", 2, "source"], ["assert not 'read_parameters('"]), "fail: AssertionError"),
        (put(["cells", 3, "source"], ["![](x.png)"]), "cell play: an image has no alternative text"),
        (put(["cells", 3, "source"], ["<p>\n", "</p>\n", "**bold**"]), "cell play: text right under </p> is not read"),
    ],
)
def test_a_broken_rule_is_told(change, said, tmp_path, capsys):
    notebook = json.loads(TEMPLATE.read_text(encoding="utf-8"))
    change(notebook)
    (tmp_path / "broken.ipynb").write_text(json.dumps(notebook))
    assert main(["--check", "--notebooks", str(tmp_path)]) == 1
    assert said in capsys.readouterr().out


def test_explorers_are_counted(tmp_path):
    notebook = json.loads(TEMPLATE.read_text(encoding="utf-8"))
    explorer = next(cell for cell in notebook["cells"] if cell["id"] == "explore")
    notebook["cells"] += [{**explorer, "id": f"explore-{k}"} for k in range(2)]
    (tmp_path / "three.ipynb").write_text(json.dumps(notebook))
    assert check.check_notebook(tmp_path / "three.ipynb") == [
        "3 cells call explore: at most two, since each brings 5 MB of JavaScript"
    ]


@pytest.mark.parametrize("title", ["'Regret  # of all'", '"It\'s  # \\"all\\""', "'  #'"])
def test_a_title_may_hold_what_begins_a_comment(title):
    assert check.PARAMETER.fullmatch(f"figure: str = {title}  # its title  # or none")[3] == title


def test_a_check_of_what_is_not_there(tmp_path, capsys):
    assert main(["--check", "--notebooks", str(tmp_path)]) == 2
    assert "there is no notebook in" in capsys.readouterr().err
    assert main(["--check", "absent", "--notebooks", str(TEMPLATE.parent)]) == 2
    assert "there is no notebook 'absent'" in capsys.readouterr().err


def test_template_parameters_are_those_of_its_controls():
    cell = parameters_cells(json.loads(TEMPLATE.read_text(encoding="utf-8")))[0]
    assert read_cell(cell) == parameters_cell(mypaper.CONTROLS, next(iter(mypaper.FIGURES)))


# The plan of the four papers, so that whoever knows one of them knows them all


def is_explorer(cell):
    """Whether a cell calls `explore`."""
    return cell["cell_type"] == "code" and re.search(r"\bexplore\(", read_cell(cell))


def test_there_is_a_notebook():
    assert ROOT / "notebooks" / "factored.ipynb" in NOTEBOOKS


def test_parameters_are_those_of_the_controls(notebook):
    """Names, starting values and meanings stand once, in CONTROLS; the cell repeats them as papermill needs them."""
    paper = notebook["metadata"]["banditlab"]["paper"]
    experiments = importlib.import_module(paper)
    if any(control.start is None for control in experiments.CONTROLS.values()):
        pytest.skip(f"{paper}: its controls do not say where they start")
    figure = next(iter(experiments.FIGURES))
    assert read_cell(parameters_cells(notebook)[0]) == parameters_cell(experiments.CONTROLS, figure)


def test_plan(notebook):
    prose = re.sub(
        r"^```.*?^```", "", "\n\n".join(map(read_cell, cells_of_kind(notebook, "markdown"))), flags=re.M | re.S
    )
    assert re.findall(r"^## (.+?) *$", prose, re.M) == SECTIONS


def test_explorer_is_introduced(notebook):
    explorers = [i for i, cell in enumerate(notebook["cells"]) if is_explorer(cell)]
    before = [notebook["cells"][i - 1] for i in explorers]
    assert explorers and all(c["cell_type"] == "markdown" and "What to look for" in read_cell(c) for c in before)


def test_code_stays_small(notebook):
    code = [cell for cell in cells_of_kind(notebook, "code") if "parameters" not in cell["metadata"].get("tags", [])]
    lines = {cell["id"]: len(code_lines(cell)) for cell in code}
    assert {name: n for name, n in lines.items() if n > (25 if name == "own" else 15)} == {}  # a complete class
    assert sum(lines.values()) <= 60


def test_notebooks_call_and_do_not_define(notebook):
    """But for the reader's own policy, whose methods may have a few lines."""
    shown = [cell for cell in cells_of_kind(notebook, "code") if cell["id"] != "own"]
    nodes = [node for cell in shown for node in ast.walk(ast.parse(read_cell(cell)))]
    defined = [n for n in nodes if isinstance(n, ast.FunctionDef) and n.end_lineno > n.lineno]
    assert [node.name for node in defined] == []
