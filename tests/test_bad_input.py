"""Every public function, every parameter, every kind of bad value: an error that names the parameter.

A function that is new joins by itself; what its parameters may be like is looked up by name in `GOOD`.
"""

import decimal
import inspect
import math
import types

import numpy as np
import pandas as pd

import banditlab as bl

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
    "batch": 2.0, "beta": 1.0, "budget": 2, "budgets": [0.1, 0.3], "changes": [5],
    "classic.means": [0.5, 0.25], "conversions": [0.8, 0.5], "costs": [[0.1, 0.0], [0.0, 0.2]], "covariance": np.eye(3),
    "d": 3, "delta": 0.1, "delta_up": 0.2, "deviations": [1.0, 1.0], "environment": ARMS, "epsilon": 0.1,
    "estimate": [0.5, 0.25, 0.1], "features": 2, "first": 10, "gains": [[0.5, 0.25], [0.2, 0.1]], "gap": 0.5,
    "gaps": [0.0, 0.5], "gram": np.eye(2), "grid": [0.5, 1.0], "h": 0.25, "hi": 9, "horizon": 1000, "factor": 0.5,
    "impressions": [0.2, 0.9], "individuals": 5, "information": [1.0, 1.0], "lambda_max": 1.0, "late_mean": 1.0,
    "late_variance": 1.0, "largest": 1.0, "limits": [0.5, 0.9], "lo": 3, "mean": 2.0,
    "means": [[0.5, 0.25], [0.5, 0.2]],
    "most_affected": 2, "mu": [[0.5, 0.2, 0.1], [0.1, 0.2, 0.9]], "mu0": [0.1, 0.1, 0.1],
    "multipliers": [[1.0, 1.0], [1.0, 2.0]], "n0": 4, "name": "week7", "noise": 0.5, "norm": 1.0, "p": 0.5,
    "pairs": 10, "parts": 2, "penalty": 0.5, "places": [0.1, 0.9], "policies": bl.classic.ucb1(2),
    "policy": bl.classic.ucb1(2), "prices": [1.0, 1.5], "pulls": 7, "q": 0.75, "rates": [1.0, 1.0],
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
    "secant_slope.environment": SPREAD, "near_optimality.environment": SPREAD, "cells_near.environment": SPREAD,
}  # fmt: skip

PLACES = {
    "classic": bl.classic,
    **{paper: getattr(bl, paper) for paper in ("factored", "uplifting", "censored", "composite")},
    **{f"{paper}.bounds": getattr(bl, paper).bounds for paper in ("factored", "uplifting", "censored", "composite")},
}


def functions():
    """Name and function of all that is public."""
    for place, module in PLACES.items():
        for name in dir(module):
            thing = getattr(module, name)
            if isinstance(thing, types.FunctionType) and thing.__module__.startswith("banditlab"):
                yield f"{place}.{name}", thing


FUNCTIONS = {name: f for name, f in functions() if name.rpartition(".")[2] not in ("ledger",)}


def parameters(function):
    return [p for p in inspect.signature(function).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]


def valid(name):
    paper, short = name.partition(".")[0], name.rpartition(".")[2]
    found = {}
    for p in parameters(FUNCTIONS[name]):
        keys = f"{short}.{p.name}", f"{paper}.{p.name}", p.name
        if p.default is p.empty:
            key = next((k for k in keys if k in GOOD), None)
            found[p.name] = GOOD[key] if key else None
        else:
            found[p.name] = GOOD.get(keys[0], p.default)
    return found
