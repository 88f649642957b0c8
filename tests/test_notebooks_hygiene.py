"""Every notebook is stored clean and follows one plan, so that whoever knows one of them knows them all."""

import ast
import importlib
import json
import re
from pathlib import Path

import nbformat
import pytest

from banditlab.explorer import parameters_cell

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SECTIONS = "The claim|The idea|Play|Does it match the paper?|The numbers|Limits and readings|Your turn".split("|")
PARAMETER = re.compile(r"(\w+): (int|float|str|bool|list|dict) = (.+?)  # (\S.*)")


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request):
    """The notebook as stored: reading it through nbformat would mend it."""
    return json.loads(request.param.read_text(encoding="utf-8"))


def text(cell):
    """The source of a cell."""
    return "".join(cell["source"])


def cells(notebook, kind):
    """The cells of one kind, "code" or "markdown"."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == kind]


def code_lines(cell):
    """The lines of a cell that are neither blank nor a comment."""
    return [line for line in text(cell).splitlines() if line.strip() and not line.strip().startswith("#")]


def parameters(notebook):
    """The cells tagged `parameters`."""
    return [cell for cell in notebook["cells"] if "parameters" in cell["metadata"].get("tags", [])]


def is_explorer(cell):
    """Whether a cell calls `explore`."""
    return cell["cell_type"] == "code" and re.search(r"\bexplore\(", text(cell))


def test_there_is_a_notebook():
    assert FOLDER / "factored.ipynb" in NOTEBOOKS


def test_format_is_valid(notebook):
    nbformat.validate(notebook)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) >= (4, 5)  # cells have ids since 4.5
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)


def test_stored_without_outputs(notebook):
    assert [c["id"] for c in cells(notebook, "code") if c["outputs"] or c["execution_count"] is not None] == []
    assert {"widgets", "papermill"} & set(notebook["metadata"]) == set()


def test_kernel_is_the_one_every_environment_has(notebook):
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"


def test_metadata_names_the_paper(notebook):
    paper = notebook["metadata"]["banditlab"]
    assert sorted(paper) == ["bibtex", "claim", "paper", "title"]
    assert [key for key, value in paper.items() if not (isinstance(value, str) and value.strip())] == []


def test_parameters_cell(notebook):
    (cell,) = parameters(notebook)
    assert cell is cells(notebook, "code")[0]
    lines = [PARAMETER.fullmatch(line) for line in text(cell).splitlines()]
    assert all(lines), "each line of the parameters cell is `name: type = value  # meaning`"
    names = [line[1] for line in lines]
    assert {"scale", "seed", "figure"} <= set(names)
    assert lines[-1][0].startswith("live: bool = True ")
    assert [line[0] for line in lines if type(ast.literal_eval(line[3])).__name__ != line[2]] == []


def test_parameters_are_those_of_the_controls(notebook):
    """Names, starting values and meanings stand once, in CONTROLS; the cell repeats them as papermill needs them."""
    paper = notebook["metadata"]["banditlab"]["paper"]
    experiments = importlib.import_module(f"banditlab.{paper}.experiments")
    if any(control.start is None for control in experiments.CONTROLS.values()):
        pytest.skip(f"{paper}: its controls do not say where they start")
    figure = next(iter(experiments.FIGURES))
    assert text(parameters(notebook)[0]) == parameters_cell(experiments.CONTROLS, figure)


def test_parameters_are_checked_before_they_are_used(notebook):
    assert re.search(r"\b(given|check)\(", text(cells(notebook, "code")[1]))


def test_plan(notebook):
    first = notebook["cells"][0]
    assert first["cell_type"] == "markdown" and text(first).startswith("# ")
    prose = re.sub(r"^```.*?^```", "", "\n\n".join(map(text, cells(notebook, "markdown"))), flags=re.M | re.S)
    assert len(re.findall(r"^# ", prose, re.M)) == 1
    assert re.findall(r"^## (.+?) *$", prose, re.M) == SECTIONS


def test_explorer_is_introduced(notebook):
    explorers = [i for i, cell in enumerate(notebook["cells"]) if is_explorer(cell)]
    assert 1 <= len(explorers) <= 2  # each carries 5 MB of JavaScript
    before = [notebook["cells"][i - 1] for i in explorers]
    assert all(cell["cell_type"] == "markdown" and "What to look for" in text(cell) for cell in before)


def test_code_stays_small(notebook):
    code = [cell for cell in cells(notebook, "code") if "parameters" not in cell["metadata"].get("tags", [])]
    assert {cell["id"]: len(code_lines(cell)) for cell in code if len(code_lines(cell)) > 15} == {}
    assert sum(len(code_lines(cell)) for cell in code) <= 80


def test_notebooks_call_and_do_not_define(notebook):
    nodes = [node for cell in cells(notebook, "code") for node in ast.walk(ast.parse(text(cell)))]
    defined = [n for n in nodes if isinstance(n, ast.FunctionDef) and n.end_lineno > n.lineno]
    assert [node.name for node in defined] == []


def test_images_have_alternative_text(notebook):
    assert [text(cell) for cell in cells(notebook, "markdown") if "![](" in text(cell)] == []
