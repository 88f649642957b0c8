"""The rooms of a paper: the same names everywhere, each using only those before it; nothing shared uses a paper."""

import ast
from pathlib import Path

import pytest

from banditlab.user_code import code_identity

PACKAGE = Path(__file__).parents[1] / "banditlab"
PAPERS = ("censored", "composite", "factored", "uplifting")
ROOMS = ("environments", "policies", "bounds", "experiments", "claims")  # each may use those before it
WORKBENCH = {"explorer", "report", "study", "gather", "evidence", "conclusions", "figures"}  # above the algorithms


def imported(path):
    """Dotted names, below the package, that a file imports."""
    module = path.relative_to(PACKAGE.parent).with_suffix("").parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = module[: len(module) - node.level] if node.level else ()
            stem = (*base, *(node.module or "").split(".")) if node.module else base
            if stem[:1] == ("banditlab",):
                yield from ((*stem[1:], alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (tuple(a.name.split(".")[1:]) for a in node.names if a.name.split(".")[0] == "banditlab")


def files(*parts):
    """The Python files of a room, a file or a folder."""
    place = PACKAGE.joinpath(*parts)
    return sorted(map(Path, code_identity.sources(place))) if place.is_dir() else [place.with_suffix(".py")]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_paper_has_the_same_rooms(paper):
    there = {path.stem for path in (PACKAGE / paper).iterdir()}
    assert set(ROOMS) <= there


@pytest.mark.parametrize("paper", PAPERS)
def test_a_room_uses_only_those_before_it(paper):
    helpers = {p.stem for p in (PACKAGE / paper).glob("*.py")} - set(ROOMS) - {"__init__"}
    order = {name: 0 for name in helpers} | {room: 1 + place for place, room in enumerate(ROOMS)}
    for name, place in order.items():
        for path in files(paper, name):
            used = {parts[1] for parts in imported(path) if parts[:1] == (paper,) and len(parts) > 1} & set(order)
            above = {room for room in used if order[room] > place}
            assert not above, f"{path.relative_to(PACKAGE)} uses {above}"


@pytest.mark.parametrize("paper", PAPERS)
def test_a_paper_uses_no_other_paper(paper):
    for path in files(paper):
        others = {parts[0] for parts in imported(path)} & set(PAPERS) - {paper}
        assert not others, f"{path.relative_to(PACKAGE)} uses {others}"


def test_nothing_shared_uses_a_paper():
    for path in files():
        parts = path.relative_to(PACKAGE).parts
        if parts[0] not in PAPERS and parts != ("__init__.py",):
            used = {found[0] for found in imported(path) if found} & set(PAPERS)
            assert not used, f"{'/'.join(parts)} uses {used}"


def test_algorithms_and_engine_do_not_use_the_workbench_above_them():
    lower = [path for paper in PAPERS for room in ROOMS[:3] for path in files(paper, room)]
    engine = [
        PACKAGE / f"{name}.py"
        for name in ("kernel", "inner", "lend", "protocol", "simulation", "result", "keep", "validate")
    ]
    for path in lower + engine:
        used = {parts[0] for parts in imported(path) if parts} & WORKBENCH
        assert not used, f"{path.relative_to(PACKAGE)} uses {used}"


MANY_ARGUMENTS = {  # more than seven, and why
    "simulate": "the one entry: a result keeps these arguments by name, and given again they give it again",
}


def arguments(function):
    """How many arguments a function takes."""
    given = function.args
    named = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return len(set(named) - {"self", "cls"}) + bool(given.vararg) + bool(given.kwarg)


def functions():
    """Path, source and syntax tree of every function of the package."""
    for path in files():
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{path.relative_to(PACKAGE)}: {node.name}", source, node


def test_no_function_takes_more_than_seven_arguments():
    """What belongs together is one value: a size, a world, a delay."""
    many = {node.name for _, _, node in functions() if arguments(node) > 7}
    assert many == set(MANY_ARGUMENTS)


def test_functions_are_short():
    """At most 40 lines of code, docstring, comments and blank lines left out."""
    long = {}
    for name, source, node in functions():
        first = node.body[1 if ast.get_docstring(node) and len(node.body) > 1 else 0].lineno
        code = [line.strip() for line in source.splitlines()[first - 1 : node.end_lineno]]
        if (count := sum(bool(line) and not line.startswith("#") for line in code)) > 40:
            long[name] = count
    assert not long


def test_files_are_short():
    long = {str(p.relative_to(PACKAGE)): n for p in files() if (n := len(p.read_text().splitlines())) > 400}
    assert not long
