"""Every public function, every parameter, every kind of bad value: an error that names the parameter.

A function that is new joins by itself; what its parameters may be like is looked up by name in `GOOD`.
"""

import decimal
import inspect
import math
import re
import signal
import types
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import banditlab as bl
from banditlab.censored.bounds.zooming import NearOptimality

NAN = float("nan")


def recursive():
    """A list that holds itself."""
    found = []
    found.append(found)
    return found


def a_function(*args):
    """A function where a number is asked for."""
    raise ZeroDivisionError


class Odd:
    """An object that pretends to be long, and no number."""

    def __len__(self):
        return 2

    def __getitem__(self, place):
        raise RuntimeError

    def __repr__(self):
        return "Odd()"


BAD = {  # made anew for every call
    "nan": lambda: NAN,
    "nan of numpy": lambda: np.float64("nan"),
    "nan of 32 bits": lambda: np.float32("nan"),
    "inf": lambda: math.inf,
    "-inf": lambda: -math.inf,
    "-inf of numpy": lambda: np.float64("-inf"),
    "10**400": lambda: 10**400,
    "-10**400": lambda: -(10**400),
    "complex": lambda: 1j,
    "complex of numpy": lambda: np.complex128(0.5),
    "empty string": lambda: "",
    "word": lambda: "abc",
    "digit": lambda: "1",
    "'nan'": lambda: "nan",
    "string of numpy": lambda: np.str_("2"),
    "bytes": lambda: b"1",
    "bytearray": lambda: bytearray(b"ab"),
    "memoryview": lambda: memoryview(b"ab"),
    "None": lambda: None,
    "True": lambda: True,
    "False": lambda: False,
    "True of numpy": lambda: np.True_,
    "Ellipsis": lambda: ...,
    "NotImplemented": lambda: NotImplemented,
    "object": lambda: object(),
    "class": lambda: int,
    "module": lambda: math,
    "function": lambda: a_function,
    "exception": lambda: ValueError("x"),
    "odd object": lambda: Odd(),
    "slice": lambda: slice(3),
    "set": lambda: {0.5, 0.25},
    "empty set": lambda: set(),
    "frozenset": lambda: frozenset({1}),
    "dict": lambda: {"a": 1},
    "empty dict": lambda: {},
    "dict of numbers": lambda: {0: 0.5, 1: 0.2},
    "generator": lambda: (x for x in [0.5, 0.2]),
    "iterator": lambda: iter([0.5, 0.2]),
    "empty list": lambda: [],
    "empty tuple": lambda: (),
    "list of an empty list": lambda: [[]],
    "list of None": lambda: [None],
    "list of a digit": lambda: ["1"],
    "list of nan": lambda: [NAN],
    "list with nan": lambda: [0.5, NAN],
    "list with inf": lambda: [0.5, math.inf],
    "list with None": lambda: [0.5, None],
    "list with bool": lambda: [True, False],
    "list of 10**400": lambda: [10**400],
    "list of complex": lambda: [1j],
    "list of objects": lambda: [object()],
    "list of sets": lambda: [{0.5}],
    "list of dicts": lambda: [{}],
    "ragged list": lambda: [[0.5], [0.5, 0.25]],
    "recursive list": recursive,
    "rows with nan": lambda: [[0.5, NAN], [0.5, 0.2]],
    "rows with None": lambda: [[0.5, None], [0.5, 0.2]],
    "0-d nan": lambda: np.array(NAN),
    "0-d object": lambda: np.array(None),
    "empty array": lambda: np.array([]),
    "array of nan": lambda: np.array([NAN]),
    "array with inf": lambda: np.array([0.5, math.inf]),
    "array of strings": lambda: np.array(["a", "b"]),
    "array of objects": lambda: np.array([None, 0.5]),
    "array of complex": lambda: np.array([0.5 + 0j, 0.25]),
    "no rows": lambda: np.zeros((0, 2)),
    "three dimensions": lambda: np.full((2, 2, 2), 0.5),
    "masked": lambda: np.ma.masked,
    "masked number": lambda: np.ma.array(0.5, mask=True),
    "masked array": lambda: np.ma.array([0.5, 0.25], mask=[False, True]),
    "masked table": lambda: np.ma.array([[0.5, 0.25], [0.5, 0.5]], mask=[[False, True], [False, False]]),
    "NaT": lambda: np.datetime64("NaT"),
    "date": lambda: np.datetime64("2020-01-01"),
    "time": lambda: np.timedelta64(1, "s"),
    "array of dates": lambda: np.array(["2020-01-01"], "M8[D]"),
    "records": lambda: np.zeros(2, [("a", float)]),
    "void": lambda: np.void(b"1"),
    "NA": lambda: pd.NA,
    "series with nan": lambda: pd.Series([0.5, NAN]),
    "frame": lambda: pd.DataFrame({"a": ["x", "y"]}),
    "decimal": lambda: decimal.Decimal("0.5"),
    "decimal nan": lambda: decimal.Decimal("nan"),
}

SHAPE = bl.composite.random_delay(3, 9)
CURVE = bl.censored.power(0.1)
ARMS = bl.classic.bernoulli([0.5, 0.25])
PAIRS = bl.censored.poscorr(3, 5)
SPREAD = bl.censored.indep_interval(3)

GOOD = {  # by parameter; "function.parameter" or "paper.parameter" where it means something else
    "a": [1.0, 2.0], "affected": [[0, 1], [1, 2]], "arms": 3, "alpha": 3.0, "b": [1.0, 2.0], "baseline": [0.5, 0.25],
    "batch": 2.0, "best_size": 2, "beta": 1.0, "budget": 2, "budgets": [0.1, 0.3], "changes": [5],
    "classic.means": [0.5, 0.25], "conversions": [0.8, 0.5], "costs": [[0.1, 0.0], [0.0, 0.2]], "covariance": np.eye(3),
    "d": 3, "delta": 0.1, "delta_up": 0.2, "deviations": [1.0, 1.0], "environment": ARMS, "epsilon": 0.1,
    "estimate": [0.5, 0.25, 0.1], "features": 2, "first": 10, "gains": [[0.5, 0.25], [0.2, 0.1]], "gap": 0.5,
    "gaps": [0.0, 0.5], "gram": np.eye(2), "grid": [0.5, 1.0], "h": 0.25, "hi": 9, "horizon": 1000, "factor": 0.5,
    "impressions": [0.2, 0.9], "individuals": 5, "information": [1.0, 1.0], "lambda_max": 1.0, "late_mean": 1.0,
    "late_variance": 1.0, "largest": 1.0, "limits": [0.5, 0.9], "lo": 3, "log_horizon": 50.0, "mean": 2.0,
    "means": [[0.5, 0.25], [0.5, 0.2]],
    "most_affected": 2, "mu": [[0.5, 0.2, 0.1], [0.1, 0.2, 0.9]], "mu0": [0.1, 0.1, 0.1],
    "multipliers": [[1.0, 1.0], [1.0, 2.0]], "n0": 4, "name": "week7", "noise": 0.5, "norm": 1.0, "p": 0.5,
    "pairs": 10, "parts": 2, "penalty": 0.5, "places": [0.1, 0.9], "policies": bl.classic.ucb1(2),
    "policy": bl.classic.ucb1(2), "prices": [1.0, 1.5], "pulls": 7, "q": 0.75, "rates": [1.0, 1.0],
    "revealed.environment": PAIRS,
    "rewards": [0.5, 0.2],
    "rho": 0.5, "rounds": 100, "runs": 2, "samples": 5, "scale": 1.0, "scales": [[0.5, 0.2], [0.5, 0.2]], "seed": 0,
    "sequence": [0, 1, 1, 0], "shape": SHAPE, "sigma": 0.5, "sigma2": 0.5, "size": 2, "sizes": [2, 2], "speed": 0.1,
    "t": 5, "theta": [[0.5, 0.2], [0.1, 0.4]], "theta0": [0.5, 0.2], "threshold": 0.5, "steepness": 10.0,
    "treated": [[0.5, 0.9, 0.9], [0.9, 0.9, 0.5]], "treatments": 1, "untreated": [0.5, 0.5, 0.5],
    "values": [0.1, 0.2], "variables": 3, "weights": [0.5, 0.25], "window": 5, "x": 0.5,
    "yields": [[0.5, 0.9], [0.5, 0.7]],
    "gamma": 0.9, "polynomial.gamma": 2.0, "arms.factored": 2, "factored.arms": [2, 2], "factored.sizes": [2, 2],
    "piecewise.means": [[0.5, 0.25], [0.5, 0.9]], "composite.means": [0.5, 0.25], "censored.penalty": [0.1, 0.2],
    "censored.means": [0.5, 0.25], "correlation": 0.5, "lead": 0.1, "table": ([[0.5, 0.25]], [[1.0, 2.0]]),
    "zrcucb.penalty": 0.1, "gaussian_interval.penalty": 0.1, "independent_interval.penalty": 0.1,
    "theorem2.penalty": CURVE, "stoo.penalty": CURVE, "supremum.penalty": CURVE, "epsilon_greedy.baseline": None,
    "function": a_function, "upper": 1.0, "pool": bl.uplifting.stand_in(), "make": lambda x: bl.classic.ucb1(2),
    "noise_adjustment.covariance": np.eye(3), "noise_adjustment.affected": [[0, 1, 2], [0, 1]],
    "summed.world": bl.uplifting.scaled_gaussian(0, 2, 3, 1, 0.5), "groups": [0, 0, 1],
    "uplifting.treated": [0.9, 0.9, 0.9], "bernoulli.affected": [[0], [1]],
    "gaussian_interval.means": [[0.6, 0.5], [0.5, 0.5]], "contextual_upper.penalty": 5.0,
    "reward_only_lower.sigma": 2.0, "priced_upper.cap": True,
    "gaussian.x": [0.2, 0.2], "gaussian_interval.x": 0.2, "censored.gaussian.means": [[0.5, 0.4], [0.4, 0.5]],
    "adversarial.delays": bl.composite.streak_delay(3),
    "doubling.factory": lambda horizon: bl.composite.exp3(3, horizon), "tabulated.function": lambda x: x,
    "tie": 0.9, "best": 0.4, "steps": 5, "logged.actions": [0, 1], "logged.propensities": [0.5, 1.0],
    "fresh_contexts.theta": [0.5, 0.2], "sequential_halving.budget": 100,
    "doubly_robust.actions": [0, 1], "doubly_robust.propensities": [0.5, 1.0], "doubly_robust.target": [[0.5, 0.5]] * 2,
    "duels.chances": [[0.5, 0.7], [0.3, 0.5]],
    "near": NearOptimality(0.0, 2.0), "contextual_upper.size": (2, 5, 1, 2),
    "secant_slope.environment": SPREAD, "near_optimality.environment": SPREAD, "cells_near.environment": SPREAD,
}  # fmt: skip

PLACES = {
    "classic": bl.classic,
    **{paper: getattr(bl, paper) for paper in ("factored", "uplifting", "censored", "composite")},
    **{f"{paper}.bounds": getattr(bl, paper).bounds for paper in ("factored", "uplifting", "censored", "composite")},
}


ELSEWHERE = {"ledger", "load_table", "read_log"}  # have tests of their own


def functions():
    """Name and function of all that is public."""
    for place, module in PLACES.items():
        for name in dir(module):
            thing = getattr(module, name)
            ours = isinstance(thing, types.FunctionType) and thing.__module__.startswith("banditlab")
            if ours and name not in ELSEWHERE and inspect.signature(thing).parameters:
                yield f"{place}.{name}", thing


FUNCTIONS = dict(functions())


def parameters(name):
    """The named parameters of a function, but for those that every simulation has."""
    given = inspect.signature(FUNCTIONS[name]).parameters.values()
    return [p for p in given if p.kind is p.POSITIONAL_OR_KEYWORD and p.name != "progress"]


def valid(name):
    """Arguments that the function takes."""
    paper, short, found = name.partition(".")[0], name.rpartition(".")[2], {}
    for p in parameters(name):
        keys = f"{paper}.{short}.{p.name}", f"{short}.{p.name}", f"{paper}.{p.name}", p.name
        if p.default is not p.empty:
            keys = keys[:2]
        found[p.name] = next((GOOD[key] for key in keys if key in GOOD), p.default)
    return found


def allowed(parameter, good, kind):
    """Whether a value of this kind is none of the bad ones here."""
    return (
        (kind == "None" and parameter.default is None)
        or (kind in ("True", "False", "True of numpy") and isinstance(good, bool))
        or (kind == "ragged list" and parameter.name == "means")  # components of different sizes
        or (kind == "inf" and parameter.name.startswith("late_"))
        or (kind == "three dimensions" and parameter.name == "covariance")  # a law for each action
        or (kind == "digit" and parameter.name == "growth")  # f(k) = 1
        or kind == "function"  # its own error is the reader's
        and (callable(good) or parameter.name in ("penalty", "cost", "h"))
    )


class Hangs(BaseException):
    """A call that takes longer than it may."""


def alarm(*_):
    raise Hangs


@pytest.fixture(autouse=True)
def watched():
    """A call that hangs is ended; counted is its own computing time, not what a busy machine does besides."""
    before = signal.signal(signal.SIGVTALRM, alarm)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


def outcome(name, parameter, value, seconds=60):
    """None if the value is refused as it must be; else what happened."""
    arguments = {**valid(name), parameter: value}
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = FUNCTIONS[name](**arguments)
        return f"accepted: {str(found)[:80]}"
    except (TypeError, ValueError) as error:
        said = str(error)
        plain = type(error) in (TypeError, ValueError) and parameter in said and re.search("must|at most|may", said)
        return None if plain else f"{type(error).__name__}: {said[:120]}"
    except BaseException as error:
        return f"{type(error).__name__}: {str(error)[:120]}"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_good_arguments_are_taken(name):
    """Else what follows would prove nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        FUNCTIONS[name](**valid(name))


def test_there_are_enough_kinds():
    assert len(BAD) >= 60 and len(FUNCTIONS) >= 100


@pytest.mark.parametrize("name", FUNCTIONS)
def test_bad_values_are_refused_by_name(name):
    wrong = {}
    for parameter in parameters(name):
        good = valid(name)[parameter.name]
        for kind, make in BAD.items():
            if not allowed(parameter, good, kind):
                found = outcome(name, parameter.name, make())
                if found is not None:
                    wrong[f"{parameter.name}, {kind}"] = found
    assert wrong == {}


@pytest.mark.parametrize(
    "factory, arguments, options",
    [
        (bl.factored.ftrack, ([2, 2], 0.5, 1000), "'n0_mult', 'eps_div', 'truncate', 'rows', 'recovery'"),
        (bl.censored.rcucb, (2, [0.5, 0.9], [0.1, 0.2]), "'survival', 'width', 'ties'"),
        (bl.uplifting.c2upucb, (5, 2, 2), "'form', 'penalty', 'norm', 'delta', 'at_most'"),
        (bl.uplifting.c2ucb, (5, 2, 2), "'form', 'penalty', 'norm', 'delta', 'at_most'"),
        (bl.uplifting.greedy, (5, 2, 2), "'form', 'penalty', 'norm', 'delta', 'at_most'"),
    ],
)
def test_options_are_those_of_the_docstring(factory, arguments, options):
    for name in "foo", "size":  # the second is an argument of a function within
        with pytest.raises(ValueError, match=f"option='{name}': must be one of {options}$"):
            factory(*arguments, **{name: 1})


@pytest.mark.parametrize("law, told", [([[1, 2], [2, 1]], "positive semi"), ([[1, 0.5], [0.1, 1]], "symmetric")])
def test_a_covariance_is_one_for_environments_and_policies(law, told):
    for laws in law, [np.eye(2), law]:
        with pytest.raises(ValueError, match=f"covariance: must be {told}"):
            bl.uplifting.gaussian([[1, 0], [0, 1]], [0, 0], [[0], [1]], covariance=laws)
        with pytest.raises(ValueError, match=f"covariance: must be {told}"):
            bl.uplifting.upucb_bl_adjusted([[0], [1]], [0, 0], laws, 1.0)


HUGE = (10**9, 10**12, 10**15, 10**18)


@pytest.fixture
def little_memory():
    """At most 3 GiB more of addresses: what asks for more fails at once."""
    resource, pages = pytest.importorskip("resource"), Path("/proc/self/statm")
    if not pages.exists():
        pytest.skip("nobody says here how much memory is used")
    before = resource.getrlimit(resource.RLIMIT_AS)
    used = resource.getpagesize() * int(pages.read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (used + 3 * 2**30, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_sizes_beyond_memory_are_refused(name, little_memory):
    """A number that takes no memory may be huge; a policy or a world that was made must be able to begin."""
    wrong = {}
    for parameter, good in valid(name).items():
        for huge in HUGE if type(good) is int else ():
            found = outcome(name, parameter, huge, 20)
            if found and found.startswith("accepted"):
                thing = FUNCTIONS[name](**{**valid(name), parameter: huge})
                begin = getattr(thing, "init", None) or getattr(thing, "reset", None)
                try:
                    if begin:
                        begin(np.random.default_rng(0))
                    found = None
                except Exception as error:
                    found = f"accepted, but then {type(error).__name__}: {error}"
            if found is not None:
                wrong[f"{parameter}={huge}"] = found
    assert wrong == {}


def test_what_is_wrong_is_found(monkeypatch):
    """Functions that let a bad value through, stumble over it, or do not say which argument it was."""
    monkeypatch.setitem(FUNCTIONS, "a.takes", lambda arms: arms)
    monkeypatch.setitem(FUNCTIONS, "a.stumbles", lambda arms: 1 / 0)
    monkeypatch.setitem(FUNCTIONS, "a.mumbles", lambda arms: int("must not be bad"))
    monkeypatch.setitem(FUNCTIONS, "a.hangs", lambda arms: all(True for _ in iter(int, 1)))
    assert outcome("a.takes", "arms", NAN) == "accepted: nan"
    assert outcome("a.stumbles", "arms", NAN) == "ZeroDivisionError: division by zero"
    assert outcome("a.mumbles", "arms", NAN).startswith("ValueError: ")
    assert outcome("a.hangs", "arms", NAN, 0.05).startswith("Hangs")
    assert outcome("classic.ucb1", "arms", NAN) is None
