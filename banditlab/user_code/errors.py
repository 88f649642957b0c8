"""What is said of a mistake in a class from outside: policy, run, round, method, file, line and cure, in five lines.

The cures are in `cures.txt`, which is no part of what is compiled: a better one compiles nothing anew.
"""

import linecache
import re
import sysconfig
import traceback
from pathlib import Path

import numpy as np
from numba import typeof

from . import guards
from .code_identity import SOURCE, quote_line
from .contract import show_context

HERE = str(SOURCE)
LIBRARIES = tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))


class CompileError(TypeError):
    """A method that Python runs and the compiler does not."""


class MissingKeyError(KeyError):
    """A key that a dict of a reader's code lacks: Python's own error shows its text quoted, on one line."""

    __str__ = Exception.__str__


class Refused(IndexError):
    """What a method returned is not allowed."""

    def __init__(self, message, method, advice, ago=0):
        super().__init__(message)
        self.code, self.advice, self.ago = method.__func__.__code__, advice, ago  # ago: it returned it rounds before


UNLIKE = "Cannot unify|Can't unify"  # of variables, or of what several branches return
OTHER = "write it with numbers, arrays and loops; docs/protocol.md, 'What compiles', lists what does"


def read_cures():
    """The parts of `cures.txt` by name, each pairs of a pattern and its cure."""
    parts = (Path(__file__).parent / "cures.txt").read_text(encoding="utf-8").strip().split("\n\n")[1:]
    heads = (part.partition("\n") for part in parts)
    return {head.strip("[]"): [tuple(line.split("\t")) for line in rows.splitlines()] for head, _, rows in heads}


CURES = read_cures()
PLAYING = CURES["playing"]  # what an error of Python and the line where it happened hold -> what to do
COMPILING = CURES["compiling"]  # what the compiler's message and its line hold -> what to do


def find_cure(text, known, default=""):
    """What to do about a message."""
    return next((m.expand(advice) for pattern, advice in known if (m := re.search(pattern, text))), default)


def method_at(classes, file, line):
    """Which method stands there, and what it is called through; "" where none of these classes'."""
    there = ""
    for name, function, _ in guards.list_functions(classes):
        code = function.__code__
        if Path(code.co_filename).resolve() == Path(file).resolve() and line in list_lines(code):
            there = name
    return there


def list_lines(code):
    """The lines of a function, ascending."""
    return sorted({line for *_, line in code.co_lines() if line})


def find_none(classes):
    """The first line of these classes' methods that names None."""
    for _, function, _ in guards.list_functions(classes):
        code = function.__code__
        for line in list_lines(code):
            if re.search(r"\bNone\b", linecache.getline(code.co_filename, line)):
                yield code.co_filename, line


def explain_compilation(error, classes, args):
    """The compiler's error in a few lines: what, where, cure."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error)) or f"{type(error).__name__} without a word"
    named = re.findall(r'File "([^"]+)", line (\d+)', text) + re.findall(r"Raised from (\S+) \((\d+)\)", text)
    theirs = [(f, int(n)) for f, n in named if not str(Path(f).resolve()).startswith(HERE) and "/numba/" not in f]
    if not theirs and "Optional" in text:
        theirs = list(find_none(classes))[:1]
    head = text.partition(f'File "{theirs[0][0]}", line')[0] if theirs else text  # of the innermost function
    what = pick_line(re.sub(r"(?s).*helper\.<locals>.*?specific error:", "", head) or text)
    changed = find_changing_field(args) if re.search(UNLIKE, text) or not theirs else ""
    where = "at " + quote_line(*theirs[0]) if theirs else "at a place that the compiler does not name"
    advice = find_cure(f"{text}\n{where}", COMPILING, OTHER)
    if changed:
        init = guards.unwrap_policy(args[1])[0].init.__func__.__code__
        what, where = changed, "at " + quote_line(init.co_filename, init.co_firstlineno)
        turned = re.search(r", C\) at first and array\(.*, [AF]\)", changed)
        start = "return a copy, `x[::-1].copy()`" if turned else "start the field as 0.0, or as 0, everywhere"
        advice = f"the types of a state never change: {start}"
    names = theirs and not changed and method_at(classes, *theirs[0])
    names = names or ", ".join(sorted(cls.__name__ for cls in classes))
    return CompileError(f"{names}: runs in Python but does not compile: {what}\n{where}\ncure: {advice}")


def pick_line(text):
    """The line of the compiler's message that says most."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    clear = [line for line in lines if re.search(r"annot|an't|nknown|nsupported|not supported|No implementation", line)]
    line = min(clear, key=len) if clear else lines[0] if lines else ""
    if line.endswith("signature:") and line != lines[-1]:  # it stands in the next line
        line = line.removesuffix(" found for signature:") + " for " + lines[lines.index(line) + 1].lstrip("> ")
    if "OptionalType" in line:
        return "a value that is None in some branch is used as a number or an index"
    return re.sub(r", defined at.*|banditlab\.\S+\.| Raised from .*| at 0x\w+", "", line)[:200]


def find_changing_field(args):
    """Which field of the state has another type after the first rounds than `init` gave it; "" where none."""
    try:
        environment, policy = args[:2]
        world_rng, policy_rng = np.random.default_rng(0), np.random.default_rng(1)
        world, state = environment.reset(world_rng), policy.init(policy_rng)
        first = state
        for t in range(30):
            action = policy.select(state, *show_context(environment, world, t, world_rng), t, policy_rng)
            state = policy.update(state, action, environment.step(world, action, t, world_rng), t, policy_rng)
            names = getattr(first, "_fields", None)
            pairs = zip(names, first, state, strict=True) if names else [("state", first, state)]
            for name, a, b in pairs:
                if typeof(a) != typeof(b):
                    return f"`{name}` of the state is {typeof(a)} at first and {typeof(b)} in round {t}"
    except Exception:  # this is for the message only
        pass
    return ""


def name_field(things):
    """The error for a field that compiled code cannot hold: a number too large, for one."""
    for thing in (thing for thing in things if hasattr(thing, "_fields")):
        for name, value in zip(thing._fields, thing, strict=True):
            try:
                typeof(value)
            except ValueError as error:
                if hasattr(value, "_fields"):
                    return name_field([value])
                return TypeError(f"{type(thing).__name__}.{name}: cannot be compiled: {str(error).splitlines()[0]}")
    return TypeError("an argument cannot be compiled")


def explain_error(error, role, number, t):
    """An error of interpreted code with policy, run, round, method, file and line, and the cure.

    Its type stays, where it is one of Python's that hold a message only.
    """
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(HERE)]
    frames = [f for f in frames if not f.filename.startswith(LIBRARIES) and Path(f.filename).suffix != ".pyx"]
    message = " ".join(str(error).split())[:300]
    where, line = "", ""
    if isinstance(error, Refused):
        where, line = error.code.co_name, "at " + quote_line(error.code.co_filename, error.code.co_firstlineno)
        advice, t = error.advice, t - error.ago
    else:
        if frames:
            where, line = frames[-1].name, "at " + quote_line(frames[-1].filename, frames[-1].lineno)
        advice = find_cure(f"{type(error).__name__}: {error}\n{line}", PLAYING)
    kind = type(error) if type(error).__module__ == "builtins" else RuntimeError
    kind = IndexError if isinstance(error, Refused) else TypeError if "read-only" in str(error) else kind
    kind = MissingKeyError if kind is KeyError else kind
    text = f"{role}, run {number}, round {t}" + (f", in {where}" if where else "") + f": {message}"
    return kind("\n".join([text, *([line] if line else []), *(["cure: " + advice] if advice else [])]))
