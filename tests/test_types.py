"""The public interface is annotated, and a type checker that knows it accepts right programs and refuses wrong ones."""

import inspect
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import pytest

import banditlab as bl
from banditlab import evidence

HERE = Path(__file__).parent
WRONG = """
import banditlab as bl
arms = bl.classic.bernoulli([0.9, 0.8])
bl.simulate(arms, {"UCB1": bl.classic.ucb1(2)}, horizon="1000")
bl.simulate(arms, {"UCB1": bl.classic.ucb1(2)}, 1000, run=20)
bl.load("result.npz").summery()
bl.evidence.Cases("lead", 3.0).above(0)
"""


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    """The lines that mypy prints about a program."""
    cache = tmp_path_factory.mktemp("mypy")

    def lines(path):
        call = [sys.executable, "-m", "mypy", "--config-file", str(HERE.parent / "pyproject.toml"), str(path)]
        done = subprocess.run([*call, "--cache-dir", str(cache)], capture_output=True, text=True, cwd=HERE.parent)
        return done.stdout.splitlines() + done.stderr.splitlines()

    return lines


def test_a_right_program_and_the_interface_pass(mypy):
    assert mypy(HERE / "typed.py")[-1] == "Success: no issues found in 1 source file"


def test_a_wrong_program_is_refused(mypy, tmp_path):
    (tmp_path / "wrong.py").write_text(WRONG)
    found = mypy(tmp_path / "wrong.py")
    assert [line.rpartition("[")[2] for line in found[:-1] if "error" in line] == [
        "arg-type]",
        "call-arg]",
        "attr-defined]",
        "arg-type]",
    ]


def public():
    """(name, function) of the functions that the package and its module of evidence offer, and of its classes."""
    names = [(name, getattr(bl, name)) for name in bl.__all__]
    names += [(name, thing) for name, thing in vars(evidence).items() if not name.startswith("_")]
    for name, thing in names:
        if isinstance(thing, FunctionType):
            yield name, thing
        elif name in ("Result", "Claims", "Ledger", "Cases"):
            for key, member in vars(thing).items():
                inner = [getattr(member, attribute, None) for attribute in ("__func__", "func", "fget")]
                function = next(filter(None, inner), member)
                if isinstance(function, FunctionType) and not key.startswith("_") and function.__module__ != "typing":
                    yield f"{name}.{key}", function


INSIDE = {"Result.of", "Result.statistics", "Claims.judge", "verdict"}  # methods of the house


@pytest.mark.parametrize(("name", "function"), [pair for pair in public() if pair[0] not in INSIDE])
def test_public_functions_are_annotated(name, function):
    signature = inspect.signature(function)
    parameters = [p for p in signature.parameters.values() if p.name not in ("self", "cls")]
    assert [p.name for p in parameters if p.annotation is p.empty] == []
    assert signature.return_annotation is not signature.empty
