"""Documents tell the truth, files stay small and clean, compiled code keeps to what gives the same bits interpreted."""

import ast
import importlib
import inspect
import json
import re
import subprocess
from collections import Counter
from pathlib import Path
from types import FunctionType, ModuleType

import pytest
from plotly.basedatatypes import BaseFigure

import banditlab
from banditlab.evidence.verdicts import CLASSES
from banditlab.user_code import code_identity
from tests.test_architecture import FLOORS

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "banditlab"
SOURCES = sorted(map(Path, code_identity.list_sources(PACKAGE)))
PAPERS = sorted(path.stem for path in (PACKAGE.parent / "notebooks").glob("*.ipynb"))
EXPERIMENTS = [importlib.import_module(paper) for paper in PAPERS]


def name_of(path):
    """A path as it is shown in the list of tests."""
    return path.relative_to(ROOT).as_posix()


# Docstrings


def public(module):
    """(name, thing) of our functions and classes that a module offers; parts of compiled code are not offered."""
    names = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
    for name in names:
        thing = getattr(module, name)
        if isinstance(thing, FunctionType | type) and thing.__module__.startswith("banditlab"):
            if not inspect.getsource(thing).startswith("@helper"):
                yield f"{module.__name__}.{name}", thing


def offered():
    """Everything public in the package, in the modules that it names, and in the papers and their experiments."""
    modules = [banditlab, *(getattr(banditlab, name) for name in banditlab.__all__), *EXPERIMENTS]
    return dict(pair for module in modules if isinstance(module, ModuleType) for pair in public(module))


OFFERED = offered()


@pytest.mark.parametrize("paper", ["classic", *PAPERS])
def test_help_names_what_there_is(paper):
    module = getattr(banditlab, paper)
    functions = {name for name in dir(module) if isinstance(getattr(module, name), FunctionType)}
    assert {name for name in functions if f"`{name}`" not in module.__doc__} == set()


def documented(docstring):
    """The names under "Parameters" of a numpydoc docstring, or None without that section."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\S[^\n]*\n-+$|\Z)", inspect.cleandoc(docstring), re.M | re.S)
    entries = re.findall(r"^(\S.*?)(?: :.*)?$", section[1], re.M) if section else None
    return entries and [name.lstrip("*") for entry in entries for name in entry.split(", ")]


def is_record(thing):
    """Whether it is a NamedTuple class, whose fields carry a comment each."""
    return isinstance(thing, type) and issubclass(thing, tuple)


def test_everything_public_is_found():
    assert {f"banditlab.{paper}" for paper in PAPERS} <= {name.rpartition(".")[0] for name in OFFERED}
    assert {"banditlab.simulate", "banditlab.classic.ucb1"} <= set(OFFERED)


@pytest.mark.parametrize("name", OFFERED)
def test_docstring_names_the_parameters(name):
    thing = OFFERED[name]
    docstring, parameters = thing.__doc__ or "", list(inspect.signature(thing).parameters)
    assert docstring and not docstring.startswith(f"{thing.__name__}("), "no docstring"
    controls = next((set(e.CONTROLS) for e in EXPERIMENTS if thing in e.FIGURES.values()), None)
    if controls and not documented(docstring):  # the controls say what the parameters of a figure mean
        assert set(parameters) <= controls | {"seed", "progress"}
    elif not is_record(thing) or documented(docstring):
        assert (documented(docstring) or []) == parameters


def methods(thing):
    """(name, function) of the public methods and properties that a class defines."""
    for key, member in vars(thing).items():
        inner = [getattr(member, name, None) for name in ("__func__", "func", "fget")]  # behind a decorator
        function = next(filter(None, inner), member)
        if isinstance(function, FunctionType) and not key.startswith("_"):
            yield key, function


@pytest.mark.parametrize("name", [name for name in OFFERED if isinstance(OFFERED[name], type)])
def test_public_methods_have_docstrings(name):
    for key, function in methods(OFFERED[name]) if not is_record(OFFERED[name]) else ():
        assert function.__doc__, f"{key} has no docstring"
        parameters = [p for p in inspect.signature(function).parameters if p not in ("self", "cls")]
        assert documented(function.__doc__) in (None, parameters), key


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_modules_have_docstrings(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_documented_reads_numpydoc():
    text = "One.\n\nParameters\n----------\na, b : int\n    Two: words.\n*rest\n    Any.\n\nReturns\n-------\nint\n"
    assert documented(text) == ["a", "b", "rest"]
    assert documented("One.\n\nReturns\n-------\nint\n") is None


# README and CONTRIBUTING


def example(name):
    """The first block of Python in a document, ready to run."""
    block = re.search(r"^```python\n(.*?)^```$", (ROOT / name).read_text(encoding="utf-8"), re.M | re.S)
    assert block, f"{name} holds no python block"
    return compile(block[1], name, "exec")


def test_readme_example_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(BaseFigure, "show", lambda figure, *args, **keywords: figure.to_json())  # opens no browser
    exec(example("README.md"), {"__name__": "__main__"})


def test_contributed_policy_learns():
    names = {"__name__": "contributed"}
    exec(example("CONTRIBUTING.md"), names)
    policies = {"greedy": names["epsilon_greedy"](2), "uniform": banditlab.classic.uniform(2)}
    final = banditlab.simulate(banditlab.classic.bernoulli([0.2, 0.8]), policies, 500, runs=20, seed=1).final
    regret = final.groupby("policy")["regret"].mean()
    assert regret["greedy"] < 0.4 * regret["uniform"]  # about 150 for uniform, 15 and what the start costs for greedy


# Clean files

UNWANTED = {
    "somebody's own folder": r"(?<![\w.:/~$}>-])/(?:home|root|Users|opt|work|srv|mnt|media|tmp)/\w|\b[A-Z]:\\Users",
    "a package index": r"\b(?:index-url|find-links|trusted-host)\b|/simple/|//registry\.\w|files\.pythonhosted",
    "the namesake on the package index": r"\bpip3? install (?:-\S+ )*[\"']?banditlab(?!-workbench)\b",
    "a reminder": r"\b(?:TODO|FIXME|XXX)\b",
    "a conflict": r"^(?:<{7}|>{7}) ",
}


def unwanted(text):
    """(what, line) of everything in a text that should not be stored."""
    lines = enumerate(text.splitlines(), 1)
    return [(what, number) for number, line in lines for what, bad in UNWANTED.items() if re.search(bad, line)]


def test_stored_files_are_clean():
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    found = {}
    for path in (ROOT / name for name in names if name):
        if path.is_file() and path != Path(__file__).resolve():
            data = path.read_bytes()
            if b"\0" not in data:
                found[name_of(path)] = unwanted(data.decode())
    assert "pyproject.toml" in found
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "line",
    [
        'open("/home/me/x")',
        "see /tmp/x.csv",
        "C:\\Users\\me",
        "--index-url x",
        "pip install -U banditlab",
        "# TODO later",
        ">>>>>>> theirs",
    ],
)
def test_unwanted_is_found(line):
    assert unwanted(line)


@pytest.mark.parametrize("line", ["#!/usr/bin/env bash", "https://host/work/x", "pip install -e .", "> /dev/null"])
def test_wanted_is_left_alone(line):
    assert not unwanted(line)


# The same bits, compiled and interpreted (the lists stand in docs/protocol.md)

NUMPY = set("exp expm1 exp2 log log1p log2 log10 power sum mean var std quantile dot matmul linalg".split())
METHODS = set("sum mean var std dot integers shuffle permutation".split())
INTERPRETED = {"actions", "diagnostics"}  # the protocol's methods that are never compiled


def compiled_functions(tree, methods_too):
    """What gets compiled of a module: functions marked @helper and, if asked for, methods of NamedTuple classes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and "helper" in map(ast.unparse, node.decorator_list):
            yield node
        if methods_too and isinstance(node, ast.ClassDef) and "NamedTuple" in " ".join(map(ast.unparse, node.bases)):
            yield from (f for f in node.body if isinstance(f, ast.FunctionDef) and f.name not in INTERPRETED)


def is_constant(node):
    """Whether an expression is made of numbers only."""
    return not any(isinstance(part, ast.Name) for part in ast.walk(node))


def has_slice(index):
    """Whether an index names a whole range of entries."""
    return any(isinstance(part, ast.Slice) for part in (index, *getattr(index, "elts", ())))


def differs(node):
    """What is wrong with a node of compiled code: not the same bits interpreted, slow to compile, or slow to run."""
    match node:
        case ast.BinOp(op=ast.Pow(), right=power) | ast.AugAssign(op=ast.Pow(), value=power) if is_constant(power):
            return "** with a constant exponent: multiply, or math.sqrt"
        case ast.BinOp(op=ast.MatMult()) | ast.AugAssign(op=ast.MatMult()):
            return "@: write the loop"
        case ast.Attribute(value=ast.Name(id="np" | "numpy"), attr=attr) if attr in NUMPY:
            return f"np.{attr}: use math, or write the loop"
        case ast.Attribute(value=ast.Name(id="math"), attr="gamma" | "lgamma" | "hypot"):
            return "math.gamma, lgamma, hypot"
        case ast.Call(func=ast.Attribute(attr=attr)) if attr in METHODS:
            return f".{attr}(): write the loop, or int(n * rng.random())"
        case ast.Call(func=ast.Attribute(attr="argsort"), keywords=words) if "kind" not in [w.arg for w in words]:
            return 'argsort without kind="mergesort"'
        case ast.Subscript(ctx=ast.Store(), slice=index) if has_slice(index):
            return "assignment to a slice: write the loop"
    return None


def offences(source, methods_too=True):
    """What is wrong with the compiled functions of a module, with line numbers."""
    nodes = [node for f in compiled_functions(ast.parse(source), methods_too) for node in ast.walk(f)]
    return [f"line {node.lineno}: {what}" for node in nodes if (what := differs(node))]


def holds_methods(path):
    """Whether a file is a module, or part of a folder, of environments or policies."""
    return {"environments", "policies", "classic"} & set(path.relative_to(PACKAGE).with_suffix("").parts)


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_compiled_code_gives_the_same_bits(path):
    assert offences(path.read_text(encoding="utf-8"), bool(holds_methods(path))) == []


def test_compiled_code_is_found():
    compiled = [f.name for p in SOURCES if holds_methods(p) for f in compiled_functions(ast.parse(p.read_text()), True)]
    assert {"reset", "step", "regret", "init", "select", "update"} <= set(compiled)


UNSOUND = """
    x ** 2 | x ** -0.5 | x ** (1 / 3) | x **= 2 | np.exp(x) | np.log1p(x) | np.mean(x) | x.sum() | x @ y | x @= y
    np.linalg.solve(x, y) | math.lgamma(x) | x.argsort() | rng.integers(3) | rng.shuffle(x)
    x[:] = y | x[i, 1:] = y | x[i, :, j] = y | x[:] += y
"""
SOUND = "x ** y | math.exp(x) | x[i, 0] = y | y = x[1:] | x.argmax() | np.argsort(x, kind='mergesort')"


@pytest.mark.parametrize("line", re.split(r" \| |\n *", UNSOUND.strip()))
def test_offences_are_found(line):
    assert offences(f"@helper\ndef f(x, y, i, rng):\n    {line}\n")
    assert offences(f"class A(NamedTuple):\n    def step(self, x, y, i, rng):\n        {line}\n")
    assert not offences(f"class A(NamedTuple):\n    def diagnostics(self, x, y):\n        {line}\n")
    assert not offences(f"def f(x, y, i, rng):\n    {line}\n")


@pytest.mark.parametrize("line", SOUND.split(" | "))
def test_sound_code_is_left_alone(line):
    assert not offences(f"@helper\ndef f(x, y, i, rng):\n    {line}\n")


def test_the_house_is_the_one_that_the_imports_are_held_to():
    house = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## The house")[1].split("\n## ")[0]
    table = "\n".join(line.split("|")[2] for line in house.splitlines() if re.match(r"\| \d", line))
    assert [set(floor) for floor in FLOORS[:-1]] == [set(re.findall(r"`(\w+)`", line)) for line in table.splitlines()]


# Rows that were asked after a run

CHOSEN_LATE = re.compile(r"\b(?:chosen|narrowed|turned)\b[^;,.]* after\b")  # what their notes say


def test_rows_that_were_asked_after_a_run_say_so_and_are_listed():
    """They are those of the rules of evidence, and no seed has another verdict."""
    rules = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("rows break the rule ")[1].split("\n\n")[0]
    listed, paper = set(), None
    for word in re.findall(rf"\b(?:{'|'.join(PAPERS)}|[A-Z]\d+\w*)", rules):
        paper = word if word in PAPERS else paper
        listed |= {(paper, word)} - {(paper, paper)}
    asked = [(paper, row) for paper, one in zip(PAPERS, EXPERIMENTS, strict=True) for row in one.claims.claims.asked]
    assert {(paper, row.id) for paper, row in asked if CHOSEN_LATE.search(row.note)} == listed
    rows = json.loads((ROOT / "reports" / "claims-paper.json").read_text(encoding="utf-8"))
    seeds = [row["seeds"].values() for row in rows if (row["paper"], row["id"]) in listed]
    assert len(seeds) == len(listed) and all(len(one) == 3 and len({*one}) == 1 for one in seeds)


# Verdicts that changed


def read_changes(section):
    """((paper, claim), verdict before, verdict today) of each row that the section names."""
    listed = re.findall(r"(\w+): (\w+(?:, \w+)*) \(([a-z ]+) → ([a-z ]+)\)", section)
    return [((paper, claim), *verdicts) for paper, claims, *verdicts in listed for claim in claims.split(", ")]


def test_each_committed_row_shows_the_function_that_decided_it():
    rows = json.loads((ROOT / "reports" / "claims-paper.json").read_text(encoding="utf-8"))
    shown = [re.search(r"^(?:def (\w+)|class (\w+))", row["code"], re.M) for row in rows]
    assert [row["source"].split(":")[1] for row in rows] == [found[1] or found[2] for found in shown]


def test_verdicts_that_changed_lead_to_the_committed_ones():
    """Who changes a verdict or adds a row tells it there: a new row is "new" before, one that went "gone" today."""
    text = (ROOT / "reports" / "README.md").read_text(encoding="utf-8")
    section = text.split("\n## Verdicts that changed\n")[1].split("\n<!-- ")[0]
    rows = json.loads((ROOT / "reports" / "claims-paper.json").read_text(encoding="utf-8"))
    today, changes = {(row["paper"], row["id"]): row["verdict"] for row in rows}, read_changes(section)
    assert {row: new for row, _, new in changes} == {row: today.get(row, "gone") for row, _, _ in changes}
    assert len({row for row, _, _ in changes}) == len(changes) and all(old != new for _, old, new in changes)
    before = {verdict: int(number) for number, verdict in re.findall(rf"(\d+) ({'|'.join(CLASSES)})\b", section)}
    assert f" {sum(before.values())} rows: " in section
    then = Counter(before) + Counter(new for *_, new in changes) - Counter(old for _, old, _ in changes)
    assert then - Counter(gone=len(changes)) == Counter(today.values())
