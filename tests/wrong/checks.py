"""What the shared checks refuse, and what `simulate` and the other entries do."""

import math
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from functools import partial

import numpy as np
import plotly.graph_objects as go
from uplifting import tuning

import banditlab as bl
from banditlab import classic, spaces, validate
from banditlab.figures import save
from tests import toys

EITHER = (TypeError, ValueError)
ARMS = classic.bernoulli([0.2, 0.5, 0.9])
LOGGED = dict(actions=[0, 1, 1, 0], rewards=[0.0, 1.0, 0.0, 1.0], propensities=[0.5] * 4, target=[[0.5, 0.5]] * 4)


def rows_of_validate():
    """The checks that all factories share."""
    number, whole, vector, table = validate.number, validate.whole, validate.vector, validate.table
    masked = np.ma.array([1.0, 2.0], mask=[False, True])
    return [
        *[
            (partial(number, "x", value), TypeError, "x=.*: must be a number")
            for value in ("3", None, True, np.True_, 1j, [1.0], np.ones(2), Decimal(1))
        ],
        (lambda: number("x", 1, above=1), ValueError, "x=1: must be finite and greater than 1"),
        (lambda: number("x", 1, below=1), ValueError, "x=1: must be finite and less than 1"),
        (lambda: number("x", 10**400), ValueError, "x=1000.*: must be"),
        *[
            (partial(whole, "n", value, 1), TypeError, "n=.*: must be a whole number, at least 1")
            for value in (2.5, math.nan, math.inf, -math.inf, "2", None, True, np.False_, [2], 1j)
        ],
        (lambda: whole("n", 10**400, 1), ValueError, f"n=1000.*: must be at least 1 and at most {2**64 - 1}$"),
        (lambda: whole("n", 10**400, most=5), ValueError, "n=1000.*: must be at most 5"),
        (lambda: whole("n", 0, 1, 3), ValueError, "n=0: must be at least 1 and at most 3"),
        (lambda: whole("n", 4, 1, 3), ValueError, "n=4: must be at least 1 and at most 3"),
        (
            lambda: validate.how_many("arms", 2**28 + 1),
            ValueError,
            "arms=268435457: would take 2,147,483,656 bytes, must",
        ),
        (lambda: validate.how_many("arms", 0), ValueError, "arms=0: must be at least 1"),
        *[
            (partial(vector, "v", value), EITHER, "^v=")
            for value in (["a"], ["0.5"], "ab", None, [[1], [1, 2]], [1j], object())
        ],
        *[
            (partial(vector, "v", value), TypeError, "v=.*: must be a list or array of numbers")
            for value in (masked, bytearray(b"ab"), memoryview(b"ab"))
        ],
        *[
            (partial(vector, "v", value), ValueError, "v=.*: must be a one-dimensional list or array, not empty")
            for value in ([], [[1.0]], 3.0)
        ],
        (lambda: vector("v", [0, -1, 5], 0, 2), ValueError, "v[1]=-1.0: must be a finite number from 0 to 2"),
        *[(partial(vector, "v", [0, 1, bad]), ValueError, "v[2]=") for bad in (math.nan, math.inf, -math.inf)],
        (lambda: vector("v", [0, 1], size=3), ValueError, "v has 2 entries: must have 3"),
        *[
            (partial(validate.probabilities, "p", [bad]), ValueError, r"p\[0\]=.*from 0.0 to 1.0")
            for bad in (-0.1, 1.1, math.nan)
        ],
        *[
            (partial(validate.choice, "mode", bad, ("a", "b")), ValueError, "mode=.*: must be one of 'a', 'b'")
            for bad in ("c", "", None, 3, ["a"])
        ],
        *[
            (partial(validate.flag, "cap", bad), TypeError, "cap=.*: must be True or False")
            for bad in (1, 0.0, "yes", None, [True], np.array(True))
        ],
        *[
            (partial(validate.horizons, "horizon", bad), EITHER, "horizon=.*must")
            for bad in ([2, 0], [1.5], "ab", [], 10**400, {1}, [2, None], np.ma.array([1, 2], mask=[True, False]))
        ],
        (lambda: validate.horizons("horizon", [3, 2], least=3), ValueError, "horizon=2: must be at least 3"),
        *[
            (partial(table, "rows", rows, (None, 3), 0, 9), error, words)
            for rows, error, words in [
                ([[1], [1, 2]], TypeError, "rows=.*: must be a table of numbers"),
                ([["1"]], TypeError, "rows=.*: must be a table of numbers"),
                ([1.0, 2.0], ValueError, r"rows has shape \(2,\): must be a table"),
                ([[]], ValueError, r"rows has shape \(1, 0\): must be a table"),
                ([[1.0, 2.0]], ValueError, r"rows has shape \(1, 2\): must be any x 3"),
                ([[1.0, np.nan, 2.0]], ValueError, r"rows\[0\]\[1\]=nan: must be a finite number from 0 to 9"),
                ([[1.0, 2.0, 10.0]], ValueError, r"rows\[0\]\[2\]=10.0: must be a finite number from 0 to 9"),
            ]
        ],
        *[
            (partial(validate.listed, "arms", bad), EITHER, "^arms=.*: must be a list, not empty$")
            for bad in (
                3,
                "ab",
                b"ab",
                {1, 2},
                {1: 2},
                [],
                np.array(3),
                iter([1]),
                None,
                np.ma.array([1, 2], mask=[0, 1]),
            )
        ],
    ]


def altered(thing, **methods):
    """The thing with these methods instead."""
    return type(type(thing).__name__, (type(thing),), {"__slots__": (), **methods})(*thing)


class Until(toys.Constant):
    """A policy that has a field for a horizon."""

    __slots__ = ()
    horizon = None


def rows_of_simulate():
    """What `simulate` gets."""
    both = {"UCB1": classic.ucb1(3), "uniform": classic.uniform(3)}
    settings = dict(environment=ARMS, policies=both, horizon=300, runs=10, seed=3)
    counts = [("horizon", 1), ("runs", 1), ("seed", 0), ("checkpoints", 1)]
    crowd, gradient = toys.Crowd(np.zeros(2), 3), toys.Gradient(3, 2, 0.1)
    ragged = toys.product([0.5, 0.9], [0.3, 0.4, 0.5])
    changes = [
        *[
            ({name: value}, ValueError, f"{name}={value}: must be at least {least}")
            for name, least in counts
            for value in (least - 1, -5)
        ],
        *[
            ({name: value}, TypeError, f"{name}=.*: must be a whole number, at least {least}")
            for name, least in counts
            for value in (2.5, "9", True, math.nan)
        ],
        *[({name: [3]}, TypeError, f"{name}=.*: must be a whole number") for name in ("horizon", "runs", "seed")],
        *[({name: None}, TypeError, f"{name}=None: must be a whole number") for name in ("horizon", "runs")],
        ({"checkpoints": 301}, ValueError, "checkpoints=301: must be at least 1 and at most 300"),
        *[
            ({"checkpoints": rounds}, EITHER, "checkpoints")
            for rounds in ([], [7, 30], [30, 7, 300], [7, 7, 300], [0, 300], [7, 300.5], [7, 301], ["7", 300])
        ],
        (
            {"policies": [("A", both["UCB1"]), ("A", both["uniform"])]},
            ValueError,
            "^policies: .*stands for two policies",
        ),
        *[({"policies": none}, ValueError, "^policies=.*: must name at least one policy") for none in ({}, [])],
        *[
            ({"policies": {name: both["UCB1"]}}, TypeError, "^policies: the name .* must be a non-empty string")
            for name in (3, "")
        ],
        *[({"policies": {"A": thing}}, TypeError, "^policies") for thing in (3, classic.UCB1)],
        *[
            ({"policies": thing}, TypeError, "^policies=.*: must be a policy, or a mapping or list of pairs")
            for thing in (list(both.values()), [classic.uniform(3)], [("A",)], "AB", classic.UCB1, ARMS, None, 7)
        ],
        *[
            ({"environment": thing}, TypeError, "^environment=")
            for thing in (None, 3, classic.bernoulli, [ARMS], {"A": ARMS}, bl.random_instances(lambda seed: None))
        ],
        ({"environment": both["UCB1"]}, TypeError, "environment=UCB1: has no method reset(self, rng)"),
        (
            {"policies": {"A": altered(classic.uniform(3), update=lambda self, state, reward, action, t, rng: state)}},
            TypeError,
            "policies['A']=Uniform: method update(self, state, reward, action, t, rng) must be "
            "update(self, state, action, observation, t, rng)",
        ),
        (
            {"environment": altered(ARMS, regret=lambda self, action, t: 0.0)},
            TypeError,
            "environment=Bernoulli: method regret(self, action, t) must be regret(self, world, action, t)",
        ),
        (
            {"environment": altered(ARMS, context=lambda self, t: 0.0)},
            TypeError,
            "environment=Bernoulli: method context(self, t) must be context(self, world, t, rng)",
        ),
        ({"policies": {"A": gradient}}, TypeError, "method select(self, state, context, t, rng) must be"),
        (
            {"environment": crowd},
            TypeError,
            "must be select(self, state, context, t, rng): the environment shows a context",
        ),
        (
            {"policies": {"A": classic.ucb1(4)}},
            ValueError,
            "policies['A']: plays on actions 4, but the environment offers 3",
        ),
        (
            {"environment": ragged, "policies": toys.Ragged(np.array([3, 2]))},
            ValueError,
            "plays on actions (3, 2), but the environment offers (2, 3)",
        ),
        (
            {"policies": {"A": classic.exp3(3, 299)}},
            ValueError,
            "horizon=300: policies['A'] was made for a horizon of 299",
        ),
        (
            {"policies": {"A": Until(3)}},
            TypeError,
            "policies['A'].horizon=None: must be a number of rounds, or no field of this name",
        ),
        (
            {"runs": 10**15},
            ValueError,
            "runs=1000000000000000: regret of 2 policies at 200 checkpoints: would take",
        ),
        (
            {"horizon": 10**15, "checkpoints": 10**15},
            ValueError,
            "checkpoints=1000000000000000: would take",
        ),
        ({"progress": 5}, TypeError, "progress=5: must be callable"),
        ({"executor": 5}, TypeError, "executor=5: must have the interface of concurrent.futures.Executor"),
    ]
    return [
        *[(partial(bl.simulate, **{**settings, **change}), error, words) for change, error, words in changes],
        (lambda: bl.random_instances(3), TypeError, "function=3: must be callable"),
    ]


class Misshapen(toys.Constant):
    __slots__ = ()

    def indices(self, state, t):
        return np.zeros((2, 3))


def make(T):
    """EXP3 for this horizon; a second one that cannot play less than 50 rounds."""
    policies = {"EXP3": classic.exp3(3, T)}
    return policies if T < 50 else {**policies, "late": classic.exp3(3, 2 * T)}


def instance(gap, arms):
    """A cell of a sweep."""
    return classic.bernoulli([0.5] * (arms - 1) + [0.5 + gap]), classic.ucb1(arms)


def rows_of_entries():
    """The other entries: horizons, one run, sweeps, tuning, files of figures, logs."""
    HORIZONS = dict(environment=ARMS, make=make, horizons=[20, 50, 200])
    RUN = dict(environment=ARMS, policy=classic.ucb1(3), horizon=10)
    SWEEP = dict(function=instance, grid={"gap": [0.1, 0.3], "arms": [2, 5]}, horizon=10)
    return [
        *[
            (partial(bl.simulate_horizons, **{**HORIZONS, **change}), EITHER, words)
            for change, words in [
                ({"horizons": []}, "must be ascending numbers of rounds, at least one"),
                ({"horizons": [50, 20]}, "must be ascending numbers of rounds"),
                ({"horizons": [20, 20]}, "must be ascending numbers of rounds"),
                ({"horizons": 10}, "horizons=10: must be ascending numbers of rounds, at least one"),
                ({"runs": 2.5}, "runs=2.5: must be a whole number"),
                ({"horizons": [0, 20]}, r"horizons\[0\]=0: must be at least 1"),
                ({"make": "EXP3"}, "make='EXP3': must be callable"),
                ({"make": lambda T: {}}, "have no version for the longest horizon 200"),
                ({"make": lambda T: make(T) if T < 200 else make(20)}, r"the policies \['late'\] have no version"),
            ]
        ],
        *[
            (partial(bl.record_run, **{**RUN, **change}), EITHER, words)
            for change, words in [
                ({"run": -1}, "run=-1: must be at least 0"),
                ({"horizon": 0}, "horizon=0: must be at least 1"),
                ({"seed": 0.5}, "seed=0.5: must be a whole number"),
                ({"policy": classic.ucb1(4)}, "plays on actions 4, but the environment offers 3"),
            ]
        ],
        *[
            (partial(bl.trace, **{**RUN, **change}), EITHER, words)
            for change, words in [
                ({"every": 0}, "every=0: must be at least 1"),
                ({"run": -1}, "run=-1: must be at least 0"),
                ({"policy": classic.ucb1(4)}, "plays on actions 4"),
                ({"policy": Misshapen(3)}, r"Misshapen.indices: returns the shape \(2, 3\), must be \(3, arms\)"),
            ]
        ],
        *[
            (partial(bl.sweep, **{**SWEEP, **change}), EITHER, words)
            for change, words in [
                ({"grid": {"gap": []}}, r"grid\['gap'\]=\[\]: must be a list of values"),
                ({"grid": {"gap": "ab"}}, r"grid\['gap'\]='ab': must be a list"),
                ({"grid": 3}, "grid=3: must be a dict of lists"),
                (
                    {"grid": {"mean": [0.5]}},
                    "grid: the parameter 'mean' must have another name, none of policy, run, t, ",
                ),
                ({"grid": [{"gap": 0.1, "run": 2}]}, "grid: the parameter 'run' must have another name"),
                ({"grid": [{"gap": 0.1, "arms": 2}, {"gap": 0.1}]}, "the same parameters in all of them"),
                ({"function": 3}, "function=3: must be callable"),
                ({"function": lambda gap, arms: 3}, "must return environment and policies"),
                ({"runs": 0}, "runs=0: must be at least 1"),
                ({"executor": ThreadPoolExecutor}, "executor=.*must have the interface"),
                ({"progress": 5}, "progress=5: must be callable"),
            ]
        ],
        *[
            (partial(save.save_figure, **{**dict(figure=go.Figure()), **change}), ValueError, words)
            for change, words in [
                ({"path": "a.jpg"}, "path's ending='.jpg'"),
                ({"path": "a.svg", "width": "wide"}, "width='wide'"),
                ({"path": "a.svg", "width": 0.5}, "width=0.5"),
                ({"path": "a.svg", "height": 50}, "height=50"),
                ({"path": "a.svg", "size": 2}, "size=2"),
            ]
        ],
        *[
            (partial(classic.logged, **{**dict(actions=[0, 1], rewards=[1.0, 0.0]), **change}), ValueError, words)
            for change, words in [
                ({"actions": [0, 0.5]}, "actions: must be whole numbers, not 0.5"),
                ({"actions": [0, 2]}, "actions"),
                ({"actions": [0, 0]}, "must hold at least two arms and each of them, not a single one"),
                ({"actions": [1, 1]}, r"each of them, not \[0\]"),
                ({"propensities": [0.0, 1.0]}, "propensities"),
                ({"rewards": [1.0]}, "actions"),
            ]
        ],
        *[
            (partial(tuning.tune, ARMS, partial(classic.ucb1, 3), grid, 10), ValueError, words)
            for grid, words in [
                ([], "at least one"),
                ([1.0, 2.0, 1.0], "twice"),
            ]
        ],
        (lambda: spaces.ranked(4, 5), ValueError, "length=5: must be at least 1 and at most 4"),
        (lambda: spaces.multi_binary(4, 2, 3), ValueError, "least=3: must be at least 0 and at most 2"),
        (lambda: spaces.vectors([[1.0, 2.0], [1.0, 2.0]]), ValueError, "rows: must be all different"),
        (lambda: spaces.ball(0), ValueError, "dimension=0: must be at least 1"),
        (lambda: spaces.ball(2, 0.0), ValueError, "radius=0.0: must be finite and greater than 0"),
        *[
            (partial(classic.duels, chances), ValueError, words)
            for chances, words in [
                ([[0.5, 0.7], [0.4, 0.5]], "the two chances of every pair must add up to 1"),
                ([[0.5, 0.7]], "must be a square table"),
                ([[0.5, 0.5], [0.5, 0.5]], "one arm must win against every other"),
            ]
        ],
        *[
            (partial(classic.doubly_robust, **{**LOGGED, **change}), ValueError, words)
            for change, words in [
                (dict(target=[[0.5, 0.4]] * 4), "must have a row for each of 4 rounds, and each must add up to 1"),
                (dict(target=[[0.5, 0.5]] * 3), "target: must have a row for each of 4 rounds"),
                (dict(actions=[0, 1, 2, 0]), "actions"),
                (dict(actions=[0, 0.5, 1, 0]), "actions: must be whole numbers, not 0.5"),
                (dict(propensities=[0.5, 0.0, 0.5, 0.5]), "propensities"),
                (dict(predicted=[[0.5, 0.5]] * 3), "predicted"),
            ]
        ],
    ]


def rows_of_results():
    """What a result is asked for."""
    result = bl.simulate(ARMS, {"UCB1": classic.ucb1(3), "uniform": classic.uniform(3)}, 4, runs=2)
    takes_level = (
        lambda level: result.summary(level),
        lambda level: result.paired("UCB1", "uniform", level),
        lambda level: result.table(level=level),
        lambda level: bl.compare(result, result, level),
    )
    return [
        (lambda: result.paired("UCB1", "none"), ValueError, "policy='none': must be one of"),
        *[
            (partial(call, level), ValueError, "level=.*: must be finite and greater than 0 and less than 1")
            for call in takes_level
            for level in (0, 1, 95, -0.5, math.nan)
        ],
        *[
            (partial(call, level), TypeError, "level=.*: must be a number")
            for call in takes_level
            for level in ("0.95", None, True)
        ],
        (lambda: result.summary(quantiles=0.5), TypeError, "quantiles=0.5: must be a list of"),
        (lambda: result.summary(quantiles=[2]), ValueError, "quantiles=2: must be finite and at"),
    ]
