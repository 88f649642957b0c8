"""Censored consumption."""

import math
from functools import partial

import numpy as np
from censored import leaving
from censored.sharing import sharing_worth

import banditlab as bl
from banditlab import censored

EITHER = (TypeError, ValueError)


def jump(x):
    """A penalty that a table cannot follow."""
    return x / 10 if x <= 0.5 else 1 + x / 10


def rows_of_censored():
    """Censored consumption."""
    bounds, POLICIES = censored.bounds, (censored.rcucb, censored.ucb, censored.thompson)
    REWARD, TIME = [[0.5, 0.9, 0.7], [0.4, 1.0, 0.8]], [[1.0, 4.0, 2.0], [2.0, 4.0, 3.0]]
    PAIR, LIMITS = [(0.5, 0.5), (0.6, 0.5)], [0.2, 0.45, 0.5, 0.9]
    PENALTY = censored.promise(LIMITS)
    return [
        (lambda: bounds.theorem1([[0.5]], [0.1], 100, 1.0), ValueError, "Theorem 1: alpha=1.0: .*greater than 1"),
        (lambda: bounds.corollary14([[0.5]], 1.0, 100, 0.5), ValueError, "Corollary 14: alpha=0.5"),
        (lambda: bounds.proposition1(100, 1.0), ValueError, "Proposition 1: alpha"),
        (lambda: bounds.theorem2(censored.power(1.0), 3, 100, 1.0, 2, 0.1, (0, 1)), ValueError, "alpha=1.0"),
        (lambda: bounds.theorem2(censored.power(1.0), 3, 100, 1.1, 2, 0.1, (-1, 1)), ValueError, "near.dimension=-1"),
        (lambda: bounds.theorem2(censored.power(1.0), 3, 100, 1.1, 2, 0.1, (0, 0)), ValueError, "near.constant=0"),
        (lambda: bounds.cells_near(censored.indep_interval(), 0.0), ValueError, "epsilon=0.0"),
        (lambda: leaving.leaving_round([[0.5, 0.1]], [0.2, 0.1]), ValueError, "penalty: decreases"),
        (lambda: bounds.theorem1([0.5], [0.1], 100, 2.0), ValueError, "gains"),
        (lambda: bounds.theorem1([[0.5, 0.1]], [0.1], 100, 2.0), ValueError, "penalty has 1 entries"),
        (lambda: bounds.theorem1([[0.5, 0.1]], [0.2, 0.1], 100, 2.0), ValueError, "penalty: decreases"),
        (lambda: bounds.theorem1([[0.5]], [0.1], 0, 2.0), ValueError, "horizon=0"),
        (lambda: bounds.corollary14([[math.nan]], 1.0, 100, 2.0), ValueError, "gains"),
        (lambda: bounds.largest_delta(1, 100), ValueError, "pairs=1"),
        (lambda: bounds.theorem1_saving(np.eye(4), [0.1] * 4, 10, 2.0), ValueError, "no delta for 16 pairs"),
        (lambda: bounds.stoo(censored.power(1.0), 3, 100, 1.0, 2, 0.1, (0, 1)), ValueError, "alpha=1.0"),
        (lambda: bounds.theorem2(censored.power(1.0), 3, 10**200, 2.0, 2, 0.1, (0, 1)), ValueError, "horizon=1000"),
        (lambda: bounds.proposition1(10**200, 2.0), ValueError, "rounds=1000"),
        *[
            (partial(censored.recorded, table), error, words)
            for table, error, words in [
                ((REWARD, TIME[:1]), ValueError, r"table.time has shape \(1, 3\): must be 2 x 3"),
                ((REWARD[0], TIME[0]), ValueError, r"table.reward has shape \(3,\)"),
                (([[0.5, math.nan]], [[1.0, 1.0]]), ValueError, r"table.reward\[0\]\[1\]=nan"),
                (
                    ([[0.5, 1.5]], [[1.0, 1.0]]),
                    ValueError,
                    r"table.reward\[0\]\[1\]=1.5: must be a finite number from 0.0 to 1.0",
                ),
                (
                    ([[0.5, 0.5]], [[1.0, 0.0]]),
                    ValueError,
                    r"table.time holds 0.0: must be positive numbers of seconds",
                ),
                (([[0.5, 0.5]], [[1.0, math.inf]]), ValueError, r"table.time\[0\]\[1\]=inf"),
                (([["a"]], [[1.0]]), TypeError, "table.reward=.*: must be a table of numbers"),
                ("table", TypeError, "table=str"),
                ((np.zeros((0, 2)), np.zeros((0, 2))), ValueError, "not empty"),
            ]
        ],
        (lambda: censored.gaussian(PAIR, 1 / math.sqrt(2), 0.2, [0.5], [0.1]), ValueError, "singular"),
        (lambda: censored.gaussian(PAIR, [0.1, -1 / math.sqrt(2)], 0.2, [0.5], [0.1]), ValueError, "singular"),
        (lambda: censored.gaussian(PAIR, 1.2, 0.2, [0.5], [0.1]), ValueError, "x=1.2"),
        (lambda: censored.gaussian(PAIR, [0.1], 0.2, [0.5], [0.1]), ValueError, "x has 1 entries"),
        (
            lambda: censored.gaussian([(0.5, 0.5), (-4.0, 0.5)], 0.2, 0.2, [0.5], [0.1]),
            ValueError,
            r"means\[1\]=.*holds .*e-22",
        ),
        (lambda: censored.gaussian([(50.0, 0.5)], 0.2, 0.2, [0.5], [0.1]), ValueError, r"means\[0\]=.*holds 0.0e"),
        (lambda: censored.gaussian([], 0.2, 0.2, [0.5], [0.1]), ValueError, r"means=\[\]"),
        (lambda: censored.gaussian([0.5, 0.5], 0.2, 0.2, [0.5], [0.1]), ValueError, r"means\[0\]=0.5"),
        (lambda: censored.gaussian(PAIR, 0.2, 0.0, [0.5], [0.1]), ValueError, "sigma=0.0"),
        (lambda: censored.gaussian(PAIR, 0.2, 0.2, [0.5, 0.4], [0.1, 0.1]), ValueError, "ascending"),
        (lambda: censored.gaussian(PAIR, 0.2, 0.2, [0.4, 0.5], [0.2, 0.1]), ValueError, "decreases"),
        (lambda: censored.gaussian(PAIR, 0.2, 0.2, [1.0], [0.1], lambda x: -x), ValueError, r"cost\(0.000488281\)=-"),
        (lambda: censored.gaussian(PAIR, 0.2, 0.2, [1.0], [0.1], lambda x: math.nan), ValueError, r"cost\(0\)=nan"),
        (lambda: censored.gaussian(PAIR, 0.2, 0.2, [1.0], [0.1], lambda x: "a"), TypeError, r"cost\(0\)='a'"),
        (lambda: censored.gaussian(PAIR, 0.2, 0.2, [1.0], [0.1], lambda x: x > 0.3), TypeError, r"cost\(0\)=False"),
        (
            lambda: censored.gaussian(PAIR, 0.2, 0.2, [1.0], [0.1], lambda x: 2.0 * (x > 0.3)),
            ValueError,
            "cost: its table is off by 1 between two knots, with values up to 2; must be off by at most 0.001",
        ),
        (lambda: censored.gaussian(iter(PAIR), 0.2, 0.2, [0.5], [0.1]), TypeError, "means=.*must be a list of pairs"),
        (lambda: censored.gaussian(np.array(0.5), 0.2, 0.2, [0.5], [0.1]), TypeError, r"means=array\(0.5\)"),
        (
            lambda: censored.gaussian(PAIR, 0.707, 0.2, [0.5], [0.1]),
            ValueError,
            "differ from ±1/√2 by more than 0.0005",
        ),
        (lambda: censored.gaussian(PAIR, 0.7065, 0.001, [0.5], [0.1]), ValueError, "x=0.7065: .*deviation of 5.4e-05"),
        (lambda: censored.indep(2, 10.0), TypeError, "limits=10.0: must be a whole number of limits, or a list"),
        (lambda: censored.indep(2, None), TypeError, "limits=None: must be a whole number"),
        (lambda: censored.indep(2, True), TypeError, "limits=True: must be a whole number"),
        (lambda: censored.recorded((REWARD, TIME), 2.0), TypeError, "limits=2.0: must be a whole number"),
        (lambda: censored.many_arms(0), ValueError, "arms=0"),
        (lambda: censored.low_censoring(0), ValueError, "arms=0"),
        (lambda: censored.gaussian(PAIR, 0.2, 0.2, [0.5], [0.1], -0.1), ValueError, "cost=-0.1"),
        (lambda: censored.independent([0.8], [0.05], [1.0], [0.5], [0.1]), ValueError, r"b\[0\]=0.05"),
        (lambda: censored.independent([0.8], [0.2], [0.0], [0.5], [0.1]), ValueError, "rates=.*positive"),
        (lambda: censored.poscorr(instance="printed"), ValueError, "instance='printed'"),
        (lambda: censored.poscorr(0), ValueError, "arms=0"),
        (lambda: censored.example("hard"), ValueError, "case='hard'"),
        (lambda: censored.promise([0.5], threshold=0), ValueError, "threshold=0"),
        (lambda: censored.promise([0.5], steepness=0.01), ValueError, "steepness=0.01"),
        (lambda: censored.power(-1.0), ValueError, "factor=-1.0"),
        (lambda: censored.power(1.0, 0.0), ValueError, "exponent=0.0"),
        (lambda: censored.knots([0.0, 0.0], [0.1, 0.2]), ValueError, "places=.*ascending"),
        (lambda: censored.knots([0.0, 1.0], [0.2, 0.1]), ValueError, "values: decreases"),
        (lambda: censored.tabulated(3.0, 1.0), TypeError, "function=3.0: must be callable"),
        (lambda: censored.literal_grid(0), ValueError, "size=0"),
        (lambda: censored.indep_interval(largest=0), ValueError, "largest=0"),
        (lambda: censored.poscorr_interval(0), ValueError, "arms=0"),
        (lambda: censored.negcorr_interval(cost=-1), ValueError, "cost=-1"),
        (lambda: censored.gaussian_interval([(-4.0, 0.5)], 0.2, 0.2, 1.0), ValueError, r"means\[0\]=.*holds .*e-22"),
        (lambda: censored.independent_interval([0.8], [0.2], [0.0], 1.0), ValueError, "rates=.*positive"),
        *[
            (partial(make, arms, limits, penalty), error, words)
            for make in POLICIES
            for arms, limits, penalty, error, words in [
                (0, LIMITS, PENALTY, ValueError, "arms=0"),
                (2.5, LIMITS, PENALTY, TypeError, "arms=2.5"),
                (2, [], [], ValueError, r"limits=\[\]"),
                (2, 0, [], ValueError, "limits=0"),
                (2, [0.5, 0.4], [0.1, 0.2], ValueError, "limits=.*positive and ascending"),
                (2, [0.5, 0.5], [0.1, 0.2], ValueError, "limits=.*positive and ascending"),
                (2, [0.0, 0.5], [0.1, 0.2], ValueError, "limits=.*positive and ascending"),
                (2, [-0.1, 0.5], [0.1, 0.2], ValueError, r"limits\[0\]=-0.1"),
                (2, [0.5, math.nan], [0.1, 0.2], ValueError, r"limits\[1\]=nan"),
                (2, "ab", [0.1, 0.2], TypeError, "limits='ab'"),
                (2, [0.5, 0.9], [0.2, 0.1], ValueError, "penalty: decreases from 0.2 to 0.1"),
                (2, [0.5, 0.9], [0.2, math.nan], ValueError, r"penalty\[1\]=nan"),
                (2, [0.5, 0.9], [0.2], ValueError, "penalty has 1 entries: must have 2"),
                (2, [0.5, 0.9], lambda x: -x, ValueError, r"penalty\(0.5\)=-0.5"),
                (2, [0.5, 0.9], lambda x: 1 / x, ValueError, "penalty: decreases"),
            ]
        ],
        (lambda: censored.rcucb(2, LIMITS, PENALTY, alpha=0), ValueError, "alpha=0"),
        (lambda: censored.rcucb(2, LIMITS, PENALTY, alpha=math.nan), ValueError, "alpha=nan"),
        (lambda: censored.rcucb(2, LIMITS, PENALTY, survival="all"), ValueError, "survival='all'"),
        (lambda: censored.rcucb(2, LIMITS, PENALTY, width="none"), ValueError, "width='none'"),
        (lambda: censored.rcucb(2, LIMITS, PENALTY, lambda_max=-1), ValueError, "lambda_max=-1"),
        (lambda: censored.rcucb(2, LIMITS, PENALTY, ties="first"), ValueError, "ties='first'"),
        (lambda: censored.ucb(2, LIMITS, PENALTY, alpha=-1), ValueError, "alpha=-1"),
        (lambda: censored.ucb(2, LIMITS, PENALTY, width="gain_only"), ValueError, "width='gain_only'"),
        (lambda: censored.thompson(2, LIMITS, PENALTY, ts_update="all"), ValueError, "ts_update='all'"),
        *[
            (partial(censored.zrcucb, **dict(arms=2, horizon=100, penalty=0.1) | change), ValueError, words)
            for change, words in [
                (dict(alpha=1.0), "alpha=1.0: must be finite and greater than 1"),
                (dict(parts=1), "parts=1: must be at least 2"),
                (dict(delta=0.0), "delta=0.0"),
                (dict(delta=1.0), "delta=1.0"),
                (dict(largest=0.0), "largest=0.0"),
                (dict(horizon=0), "horizon=0"),
                (dict(horizon=10**200), "horizon=1000"),
                (dict(arms=0), "arms=0"),
                (dict(penalty=-1.0), "penalty=-1.0"),
                (dict(penalty=lambda x: 1 - x), "decreases"),
                (dict(penalty=lambda x: math.nan), r"penalty\(0\)=nan"),
                (dict(penalty=jump), "penalty: its table is off by 0.5 between two knots"),
            ]
        ],
        (
            lambda: bl.simulate(censored.indep_interval(), censored.zrcucb(3, 100, 0.1), 200),
            ValueError,
            "was made for a horizon of 100",
        ),
        *[
            (partial(sharing_worth, *args), ValueError, words)
            for args, words in [
                (([[1.5]], [[0]], [[1.0]], [0.1]), "gains"),
                (([[0.5]], [[0, 1]], [[1.0]], [0.1]), "cells"),
                (([[0.5]], [[0]], [[1.0]], [0.2, 0.1]), "penalty: decreases"),
                (([[0.5]], [[-1]], [[1.0]], [0.1]), "cells"),
                (([[0.5]], [[0]], [[-1.0]], [0.1]), "weights"),
                (([[0.5]], [[0]], [[0.5]], [0.1]), "weights=.*: those of an arm must add up to 1"),
            ]
        ],
    ]
