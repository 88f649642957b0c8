"""What is said of a mistake in a class from outside: policy, run, round, method, file, line and cure, in five lines.

Words only: they are no part of what is compiled, so that a better one compiles nothing anew.
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


FIELDS = (
    "the fields of an environment or policy, and global arrays, do not change in a run; what changes belongs in the "
    "state that `init` returns (start it from a copy: `self.prior.copy()`)"
)
TUPLE = (
    "the fields of a NamedTuple cannot be assigned to: `update` returns a new one, "
    "`state._replace(count=state.count + 1)`; the entries of its arrays can: `state.sums[:] += x`"
)
UNASSIGNED = r"give `\1\2` a value before the loop or branch that assigns it"
WHOLE = "an action and an index must be whole: wrap it in `int(...)`"

PLAYING = [  # what an error of Python and the line where it happened hold -> what to do
    (r"attribute(.|\n)*\nat .*`self\.\w+ *([-+*/%&|^@]|//|\*\*|<<|>>)?= ", FIELDS),
    (r"attribute(.|\n)*\nat .*`\w+\.\w+ *([-+*/%&|^@]|//|\*\*|<<|>>)?= ", TUPLE),
    (r"read-?only", FIELDS),
    (r"only integers, slices|must be integers|float' object cannot be interpreted as an integer", WHOLE),
    (r"out of bounds for axis|index (is )?out of", "an index is outside its array: use 0 to len(array) - 1"),
    (r"mask has another length|boolean index did not match", "make the mask from the array itself: `x[x > 0]`"),
    (r"array element with a sequence", "several numbers where one is wanted: take a part of what `step` returns"),
    (r"'tuple' object has no attr", "make it a NamedTuple, whose parts have names: `class Pair(NamedTuple)`"),
    (r"truth value of an array", "an array is no condition: write a loop, or `(a == b).all()`, `(a == b).any()`"),
    (r"is not subscriptable|no len\(\)", "one number where several are wanted: an action of several parts is an array"),
    (r"leaves its type|for u?int(8|16|32)", "give the array the type np.int64: smaller ones of numpy wrap around"),
    (r"64 bits|too large|out of bounds for u?int", "Python's whole numbers are unbounded, these are not: use 2.0 ** t"),
    (r"negative power", "make it a float: 2.0 ** -3"),
    (r"empty sequence|zero-size array|All-NaN", "nothing to choose from: ask `x.size`, `np.isfinite(x).any()`"),
    (r"Singular matrix|infs or NaNs", "no inverse: add a ridge, `m + np.eye(len(m))`, and look where a nan comes from"),
    (r"not be broadcast|non-broadcastable|cannot assign slice", "the shapes do not fit: compare `.shape` of both"),
    (r"incompatible shape for array", "reshape a copy: `m.T.copy().reshape(6)`"),
    (
        r"math domain error|nonnegative input|positive input|in (scalar )?(log|sqrt|power)",
        "the number has no logarithm, root or power: bound it, max(x, 1e-9)",
    ),
    (r"result out of range", "a power beyond all numbers: bound its exponent"),
    (r"math range error|Result too large", "exp() grows beyond all numbers from 710 on: subtract the largest exponent"),
    (r"is not whole", "wrap it in `int(...)`"),
    (r"changed size during iteration", "loop over a copy of its keys: `for k in list(d)`"),
    (r"^ValueError(.|\n)*rng\.\w+\(", "a parameter of the distribution is out of range: bound it, max(x, 1e-9)"),
    (r"convert float|np.median of|int\(\) of|round\(\) of", "it is nan or infinite there: look where it comes from"),
    (r"division by zero|divide by zero|invalid value", "guard the division: an arm that was never pulled has no mean"),
    (r"NoneType", "a method returns nothing, in some branch at least: end it with `return`"),
]

UNLIKE = "Cannot unify|Can't unify"  # of variables, or of what several branches return
COMPILING = [  # what the compiler's message and its line hold -> what to do
    (r"modify read-?only|read-only array", FIELDS),
    (r"`(\w+)`, which may be read|Variable '(\w+)' is not defined", UNASSIGNED),
    (r"`is` between", "write `==`: `is` asks for the same object"),
    (r"order of a set", "use a tuple or an array: a set has no order"),
    (r"\.flat`", "index the array itself, or its `ravel()`"),
    (r"`~` of one", "write `not`"),
    (r"cannot be determined(.|\n)*\nat .*:=", "write what `:=` does on a line of its own"),
    (r"fmod`", "write `np.fmod(1.0 * x, y)`, or `%` where nothing is negative"),
    (r"`sum` of an array", "write `x.sum()`"),
    (r"numbers of type", "make them np.float64 or np.int64: Python and compiled code compute others differently"),
    (r"`np.diag` took", "copy it, `np.diag(m).copy()`, or write into the matrix: `m[i, i] = x`"),
    (r"small whole numbers", "make the array one of np.int64: smaller ones wrap around in Python"),
    (r"uint64 and int64", "wrap it in `int(...)`, or make it `.astype(np.int64)`"),
    (r"edges of its bins", "hand it the edges: `np.histogram(x, np.linspace(0.0, 1.0, 11))`"),
    (r"mask of several", "write `x.ravel()[mask.ravel()]`, or a loop"),
    (r"comparison of tuples", "compare their numbers, and their arrays with `(a == b).all()`"),
    (r"`round` to", "write `math.floor(10.0 * x + 0.5) / 10.0`"),
    (r"`np\.(left|right)_shift`", "write `<<` or `>>`"),
    (r"function log>", "`math.log` takes one number here: `math.log(x) / math.log(2.0)`"),
    (r"text of a number", "compute and compare with the number itself"),
    (r"truth value", "wrap it in `int(...)`"),
    (r"(int|float)\(unicode_type", "a text does not become a number: keep the number"),
    (r"function that may escape", "a function inside a method cannot be handed on, as `key=` does: write the loop"),
    (r"Function\(<class '(int|float|bool)'>\)", "as a dtype write np.int64, np.float64 or np.bool_"),
    (r"unexpected keyword argument '(?!key')(\w+)'", r"compiled code takes no `\1=` there: write it out as a loop"),
    (
        r"No implementation of function Function\(<function (?!NumPy)|Failed in nopython(.|\n)*\nat .*`.*self\.\w+\(",
        "what is called there does not compile, nor do this package's own functions: write it out, or tabulate it in a "
        "field; if it calls itself, write a loop",
    ),
    (r"Can't index at|without all its fields", "give a NamedTuple all its fields, defaults too"),
    (r"at one with a point", "make the array one of floats: `1.0 * x`"),
    (r"along an axis|slice between", "write the loop over that axis, or two indices: `m[i][:, mask]`"),
    (r"setattr(.|\n)*\nat .*`self\.", FIELDS),
    (r"setattr", TUPLE),
    (r"IMPORT_NAME|IMPORT_FROM", "import at the top of the file"),
    (r"opcode(?! .LOAD_SUPER)", "write it with numbers, arrays, `if` and loops: this statement does not compile"),
    (r"\bchoice\b", "`rng.choice` does not compile: write `int(n * rng.random())`, or a loop over the chances"),
    (r"Type_integers", "`rng.integers(n)` does not compile: write `int(n * rng.random())` or `rng.integers(0, n)`"),
    (r"attribute 'args'", "an array keeps its type, a field also its numbers: start from `np.zeros(n)` or a copy"),
    (r"np_array\(array", "copy an array with `.copy()`"),
    (
        r"Optional|NoneType|\bnone\b|is None",
        "a value is None in some branch: give it a number, -1, in all; "
        "a method that returns nothing there: `select` returns an action, `update` the state",
    ),
    (r"function (max|min)>", r"`\1` takes numbers, no dict and no `key=`: write the loop, and keep the best so far"),
    (r"type of <class 'dict'>|reflected|type of <class 'list'>", "use numbers, strings, arrays and NamedTuple classes"),
    (r"without a word", "inner functions, `enumerate`, `zip`, `astype` take arguments by position; drop `del`"),
    (r"yield in a closure|Assigning a code object", "write a list, `sum([... for ...])`"),
    (r"global name '(all|any)'", r"`\1` does not compile: write the loop"),
    (r"'super'|LOAD_SUPER", "call what it should do by a name of its own: `def plain_select(self, ...)` in the base"),
    (
        r"Untyped global name '(\w+)'",
        r"`\1` does not compile: write what it does as a loop (a bisection for a root), "
        r"or tabulate its values in an array that is a field",
    ),
    (r"Cannot determine Numba type of <class '([\w.]+)'>", r"a \1 cannot be compiled: tabulate it in an array"),
    (r"array index type float|getitem.*float64|setitem.*float64", WHOLE),
    (UNLIKE, "a value has one type here and another there: start it as 0.0, or as 0, everywhere"),
    (r"Module\(<module '(time|datetime)'", "a run depends on its seed and its round `t`: leave the clock out"),
    (
        r"Unknown attribute '(\w+)' of type Module",
        r"`\1` does not compile: write what it does as a loop, or tabulate its values in an array that is a field",
    ),
    (r"Unknown attribute '(\w+)' of type NumPyRandomGen", r"`rng.\1` does not compile: draw otherwise from `rng`"),
    (r"Unknown attribute '(\w+)'", r"`\1` is neither field nor method: make a property or a constant of a class one"),
]
OTHER = "write it with numbers, arrays and loops; docs/protocol.md, 'What compiles', lists what does"


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
