"""The house: its rooms and floors, what each may import, and how large its parts are."""

import ast
import functools
import re
from pathlib import Path

import pytest

from banditlab.user_code import code_identity

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "banditlab"
PAPERS = tuple(sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb")))
ROOMS = ("environments", "policies", "bounds")  # of a paper in the package; each may use those before it
FLOORS = (  # each room may use those of the lines above its own, and nothing below or beside
    ("_lazy", "io", "validate"),
    ("evidence", "user_code"),
    ("figures", "results"),
    ("engine",),
    ("building_blocks",),
    ("classic",),
    ("analysis", "study", *PAPERS),
    ("explorer",),
    ("page",),
    ("report",),
    ("new",),
    ("__init__",),
)
MOST_CODE = 15_276  # lines of the package but for `page`, without blank lines, comments and docstrings


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
    return sorted(map(Path, code_identity.list_sources(place))) if place.is_dir() else [place.with_suffix(".py")]


def room_of(path):
    """The room in which a file of the package stands."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def test_the_rooms_are_those_of_the_house():
    there = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert there == {room for floor in FLOORS for room in floor}
    assert len(there) <= 21 and len(FLOORS) <= 12


def test_tests_stand_in_a_folder_named_after_the_room_they_test():
    """Those of the whole stand beside this one, those in a browser, of twins and of `tools` in folders of theirs."""
    folders = {path.parent.name for path in Path(__file__).parent.glob("*/test_*.py")}
    assert folders <= {room for floor in FLOORS for room in floor} | {"browser", "naive", "tools"}


def test_no_room_uses_one_on_its_floor_or_above():
    floor = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
    for path in files():
        mine = room_of(path)
        if path != PACKAGE / "new" / "mypaper.py":  # what a reader gets: it uses the package as a reader does
            used = {parts[0] for parts in imported(path) if parts and parts[0] in floor} - {mine}
            above = {room for room in used if floor[room] >= floor[mine]}
            assert not above, f"{path.relative_to(PACKAGE)} uses {above}"


def may_import(room):
    """What a folder's `__init__` says that it may import, and what these may."""
    words = (ast.get_docstring(ast.parse((PACKAGE / room / "__init__.py").read_text("utf-8"))) or "").split()
    said = " ".join(words).partition("May import ")[2]
    named = {name.split(".")[0] for name in re.findall(r"`([\w.]+)`", said)}
    inner = [may_import(one) for one in named if "may import" in said and (PACKAGE / one).is_dir()]
    return named.union(*inner)


@pytest.mark.parametrize("room", [room for floor in FLOORS for room in floor if (PACKAGE / room).is_dir()])
def test_a_room_imports_what_it_says(room):
    used = {parts[0] for path in files(room) if path.name != "mypaper.py" for parts in imported(path) if parts}
    assert used - {room, "_lazy"} <= (said := may_import(room)), f"{room} says {said}"


@pytest.mark.parametrize("paper", PAPERS)
def test_a_paper_has_environments_policies_and_bounds_and_its_figures_and_claims_beside_its_notebook(paper):
    assert set(ROOMS) <= {path.stem for path in (PACKAGE / paper).iterdir()}
    assert {"studies.py", "drawings.py", "claims"} <= {path.name for path in (ROOT / "notebooks" / paper).iterdir()}


@pytest.mark.parametrize("paper", PAPERS)
def test_a_room_of_a_paper_uses_only_those_before_it(paper):
    helpers = {p.stem for p in (PACKAGE / paper).glob("*.py")} - set(ROOMS) - {"__init__"}
    order = {name: 0 for name in helpers} | {room: 1 + place for place, room in enumerate(ROOMS)}
    for name, place in order.items():
        for path in files(paper, name):
            used = {parts[1] for parts in imported(path) if parts[:1] == (paper,) and len(parts) > 1} & set(order)
            above = {room for room in used if order[room] > place}
            assert not above, f"{path.relative_to(PACKAGE)} uses {above}"


def words_of(path):
    """All strings of a file but its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef)
    prose = {id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, holders) and ast.get_docstring(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node.value


def test_nothing_shared_knows_a_paper():
    """Neither imports nor strings name one: what our papers have, a reader's paper has."""
    for path in files():
        if room_of(path) not in (*PAPERS, "__init__"):
            used = {found[0] for found in imported(path) if found} & set(PAPERS)
            named = {
                word
                for word in words_of(path)
                if word in PAPERS or word.startswith("banditlab.") and set(word.split(".")) & set(PAPERS)
            }
            assert not used | named, f"{path.relative_to(PACKAGE)} knows {used | named}"


JUDGING = {"scipy.stats", "stats", "stdtr", "stdtrit", "cov"}  # what intervals and tests of runs are made of


def test_only_evidence_computes_intervals_and_tests():
    """Whoever draws, tabulates or checks asks there, so that no two places judge the same numbers differently."""
    for path in (path for path in sources() if path.parent != PACKAGE / "evidence"):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        named = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        for node in nodes:
            if isinstance(node, ast.ImportFrom):
                named |= {node.module, *(alias.name for alias in node.names)}
        assert not named & JUDGING, f"{path.relative_to(ROOT)} uses {named & JUDGING}"


MANY_ARGUMENTS = {  # more than seven, and why
    "simulate": "the one entry: a result keeps these arguments by name, and given again they give it again",
    "__call__": "of `Claims`: the words of a row of the ledger, each by name",
}


def arguments(function):
    """How many arguments a function takes."""
    given = function.args
    named = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return len(set(named) - {"self", "cls"}) + bool(given.vararg) + bool(given.kwarg)


def sources():
    """The files of the package, and the modules beside our notebooks."""
    return [*files(), *(path for paper in PAPERS for path in (ROOT / "notebooks" / paper).rglob("*.py"))]


def functions():
    """Path, source and syntax tree of every function."""
    for path in sources():
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{path.relative_to(ROOT)}: {node.name}", source, node


def test_no_function_takes_more_than_seven_arguments():
    """What belongs together is one value: a size, a world, a delay."""
    many = {node.name for _, _, node in functions() if arguments(node) > 7}
    assert many == set(MANY_ARGUMENTS)


VAGUE = set(  # alone they tell neither what is done nor to what
    "begin beside call check checked described digest drawn end find found held inside kind made outside place plain "
    "played put reached read said seen stored told typed within work write".split()
)


def named_functions():
    """Name to the different codes that the workbench has under it, each with a file where it stands."""
    found = {}
    for path in files():
        if room_of(path) not in PAPERS and path != PACKAGE / "new" / "mypaper.py":
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.FunctionDef):
                    found.setdefault(node.name, {})[ast.dump(node)] = str(path.relative_to(PACKAGE))
    return found


def test_a_name_of_a_function_means_one_thing_in_the_whole_workbench():
    """Papers may each have a `gaussian` of their own; whoever searches the workbench for a name finds one function."""
    many = {name: list(codes.values()) for name, codes in named_functions().items() if len(codes) > 1}
    assert set(many) <= {"main"}, many


def test_functions_are_verbs_with_an_object():
    assert not {name: codes for name, codes in named_functions().items() if name in VAGUE}


@functools.cache
def code_lines(source):
    """Numbers of the lines that are code: not blank, no comment, no docstring."""
    tree, holders = ast.parse(source), (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    prose = set()
    for node in ast.walk(tree):
        if isinstance(node, holders) and ast.get_docstring(node, clean=False) is not None:
            prose.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    lines = enumerate(map(str.strip, source.splitlines()), 1)
    return [number for number, line in lines if line and not line.startswith("#") and number not in prose]


def test_functions_are_short():
    """At most 40 lines of code."""
    long = {}
    for name, source, node in functions():
        first = node.body[1 if ast.get_docstring(node) and len(node.body) > 1 else 0].lineno
        count = sum(first <= number <= node.end_lineno for number in code_lines(source))
        if count > 40:
            long[name] = count
    assert not long


def test_files_are_short():
    pages = [path for path in (PACKAGE / "report" / "template").iterdir() if path.is_file()]
    scripts = [path for path in PACKAGE.rglob("*.*") if path.suffix in (".js", ".css")]
    files = {*sources(), *pages, *scripts}
    long = {str(p.relative_to(ROOT)): n for p in files if (n := len(p.read_text("utf-8").splitlines())) > 400}
    assert not long


def test_the_package_is_small():
    counted = [path for path in files() if room_of(path) != "page"]
    assert sum(len(code_lines(path.read_text(encoding="utf-8"))) for path in counted) <= MOST_CODE
