"""Factored rewards, and the arms and policies of all papers."""

import math
from functools import partial

import numpy as np
from factored import ftrack_law, minimax

import banditlab as bl
from banditlab import classic, factored

EITHER = (TypeError, ValueError)
PRODUCTS = r"means: sizes \[2, 2, 2, 2, 2, 2, ...\] give 32,768 product vectors \(3,932,160 bytes\)"


def rows_of_classic():
    """Arms and policies of all papers."""
    return [
        (lambda: classic.ucb1(3, alpha=0), ValueError, "alpha=0: must be finite and greater than 0"),
        (lambda: classic.ucb1(3, alpha=-1.0), ValueError, "alpha=-1.0: must be finite and greater than 0"),
        (lambda: classic.ucb1(3, alpha=math.inf), ValueError, "alpha=inf: must be finite"),
        (lambda: classic.ucb1(3, alpha=math.nan), ValueError, "alpha=nan: must be finite"),
        (lambda: classic.ucb1(3, alpha="2"), TypeError, "alpha='2': must be a number"),
        (lambda: classic.exp3(3, 0), ValueError, "horizon=0: must be at least 1"),
        (lambda: classic.exp3(3, 1.5), TypeError, "horizon=1.5: must be a whole number"),
        (lambda: classic.bernoulli([]), ValueError, r"means=\[\]: must be a one-dimensional"),
        (lambda: classic.bernoulli([[0.5]]), ValueError, "means=.*: must be a one-dimensional"),
        (lambda: classic.bernoulli(0.5), ValueError, "means=0.5: must be a one-dimensional"),
        (lambda: classic.bernoulli([0.5, 1.5]), ValueError, r"means\[1\]=1.5: must be a finite number from 0.0 to 1.0"),
        (lambda: classic.bernoulli([-0.1]), ValueError, r"means\[0\]=-0.1: must be"),
        (lambda: classic.bernoulli([math.nan]), ValueError, r"means\[0\]=nan: must be"),
        (lambda: classic.bernoulli(["a"]), TypeError, "means=.*: must be a list or array of numbers"),
        (lambda: classic.gaussian([0.5], [1.0, 2.0]), ValueError, "sigma has 2 entries: must have 1"),
        (lambda: classic.gaussian([0.5], -1), ValueError, "sigma=-1: must be finite and at least 0"),
        (lambda: classic.beta([0.5, 1.0]), ValueError, r"means\[1\]=1.0: must be finite and greater than 0 and less"),
        (lambda: classic.beta([0.5], 0), ValueError, "concentration=0: must be finite and at least 0.01"),
        (lambda: classic.beta([0.5], 1e18), ValueError, "concentration=1e+18: must be finite and at least 0.01"),
        (lambda: classic.piecewise([[0.5], [0.6]], []), ValueError, r"changes=\[\]: must be a list of 1"),
        (lambda: classic.piecewise([[0.5]] * 3, [5, 5]), ValueError, r"changes\[1\]=5: must be at least 6"),
        (lambda: classic.piecewise([[1.5]], []), ValueError, r"means\[0\]\[0\]=1.5: must be"),
        (lambda: classic.drifting([0.5], 2), ValueError, "speed=2: must be finite and at least 0 and at most 1"),
        (lambda: classic.kl_ucb(2, -1), ValueError, "c=-1: must be finite and at least 0"),
        (lambda: classic.thompson_beta(2, 0), ValueError, "wins=0: must be finite and at least 0.02"),
        (lambda: classic.sliding_ucb(2, 1), ValueError, "window=1: must be at least 2"),
        (lambda: classic.discounted_ucb(2, 0), ValueError, "gamma=0: must be finite and greater than 0 and at most 1"),
        (lambda: classic.successive_elimination(2, 1), ValueError, "delta=1: must be"),
        (lambda: classic.explore_then_commit(2, 0), ValueError, "pulls=0: must be at least 1"),
        (lambda: classic.epsilon_greedy(2, 1.5), ValueError, "epsilon=1.5: must be"),
        (lambda: classic.exp3_ix(2, 0), ValueError, "horizon=0: must be at least 1"),
        (lambda: classic.divergence(2, 0.5), ValueError, "p=2: must be"),
        (lambda: classic.lai_robbins([0.5, 1.5]), ValueError, r"means\[1\]=1.5: must be"),
    ]


def rows_of_factored():
    """Factored rewards."""
    bounds, TWO = factored.bounds, [[0.5, 0.6], [0.5]]
    PAIR, FREE = [[1.0, 0.5], [1.0, 0.5]], [[0.0, 0.0], [0.0, 0.0]]
    LOWER = bounds.lower_bound_constant, bounds.lower_bound_lp, bounds.lower_bound_slices
    MAKERS = [
        (lambda means: factored.gaussian(means, 0.5), "means"),
        (factored.bernoulli, "means"),
        (lambda means: factored.rademacher(means, 2.0), "means"),
        (lambda means: factored.correlated(means, [[0.1, 0.1], [0.1]], 0.5), "means"),
        (lambda yields: factored.manufacturing(yields, [[0.1, 0.1], [0.1]], 1.0, 0.5), "yields"),
    ]
    POLICIES = factored.fucb, factored.together_fucb, factored.ucb1, factored.rucb_mom
    PRICED = dict(arms=[2, 1], sigma=0.5, multipliers=[[1, 2], [1]], costs=[[0, 1], [0]], scale=1.0)
    return [
        *[
            (partial(bound, means, sigma), EITHER, words)
            for bound in LOWER
            for means, sigma, words in [
                ([], 1.0, "means"),
                (0.5, 1.0, "means"),
                ([0.5, 0.4], 1.0, r"means\[0\]"),
                ([[1.0], []], 1.0, r"means\[1\]"),
                ([[1.0], [0.5, 1.2]], 1.0, r"means\[1\]\[1\]=1.2"),
                ([[1.0], [-0.1]], 1.0, r"means\[1\]\[0\]=-0.1"),
                ([[math.nan, 1.0]], 1.0, r"means\[0\]\[0\]=nan"),
                (PAIR, 0.0, "sigma=0.0"),
                (PAIR, -1.0, "sigma=-1.0"),
                (PAIR, math.inf, "sigma=inf"),
                (PAIR, "0.5", "sigma='0.5'"),
                (PAIR, [0.5, 0.5, 0.5], "sigma has 3 entries: must have 2"),
                (PAIR, [0.5, 0.0], r"sigma\[1\]=0.0"),
            ]
        ],
        (lambda: bounds.worst_case_lower([], 1.0, 10), EITHER, "sizes"),
        (lambda: bounds.worst_case_lower([2, 0], 1.0, 10), EITHER, r"sizes\[1\]=0"),
        (lambda: bounds.worst_case_lower([2, 2.5], 1.0, 10), EITHER, r"sizes\[1\]=2.5"),
        (lambda: bounds.worst_case_lower([2], 1.0, 0), EITHER, "horizon=0"),
        (lambda: minimax.minimax_lower([2, 0], 1.0, 10), EITHER, r"sizes\[1\]=0"),
        (lambda: minimax.minimax_lower([2], 1.0, 0), EITHER, "horizon=0"),
        (lambda: minimax.minimax_lower_reward_only([2], 0.0, 10), EITHER, "sigma=0.0"),
        (lambda: minimax.hidden_vector([2, 2.5], 1.0, 10), EITHER, r"sizes\[1\]=2.5"),
        (lambda: ftrack_law.ftrack_limit(0.5, 2, 1.0, 1.5), EITHER, "log_horizon"),
        (lambda: ftrack_law.ftrack_limit_begins(0.0, 1.0), EITHER, "gap=0.0"),
        (lambda: bounds.worst_case_upper([2], 1.0, [10, 1.5]), EITHER, "horizon=.*1.5"),
        (lambda: bounds.worst_case_upper([2], 1.0, 10, 2.0), EITHER, "Theorem 4.1: alpha=2.0"),
        (lambda: bounds.reward_only_lower([2, 2], 1.0, 10), EITHER, "Theorem 3.2: sigma=1.0"),
        (lambda: bounds.reward_only_lower([2, 2], [2.0, 0.9], 10), EITHER, "Theorem 3.2: sigma=0.9"),
        (lambda: bounds.g1(2), EITHER, "Theorem 4.1: alpha=2"),
        (lambda: bounds.g2(1.5), EITHER, "Theorem 4.2: alpha=1.5"),
        (lambda: bounds.upper_bound_lp(PAIR, 1.0, 100, 2.0), EITHER, "Theorem 4.2: alpha"),
        (lambda: bounds.upper_bound_lp(PAIR, 1.0, [100]), EITHER, "horizon"),
        (lambda: bounds.upper_bound(PAIR, 1.0, 100, 2.0), EITHER, "Corollary 4.3: alpha"),
        (lambda: bounds.upper_bound(PAIR, 1.0, "100"), EITHER, "horizon"),
        (lambda: bounds.remark41_lower(0.0, 2, 1.0), EITHER, "gap=0.0"),
        (lambda: bounds.remark41_lower(0.5, 0, 1.0), EITHER, "d=0"),
        (lambda: bounds.remark41_upper(1.5, 2, 1.0, 4.0, 10), EITHER, "gap=1.5"),
        (lambda: bounds.remark41_upper(0.5, 2, 1.0, 2.0, 10), EITHER, "Remark 4.1: alpha"),
        (lambda: bounds.remark41_ratio(0.5, 2, 1.0), EITHER, "Remark 4.1: alpha"),
        (lambda: bounds.f_T(2, 0.1), EITHER, "horizon=2"),
        (lambda: bounds.f_T(100, 1.0), EITHER, "delta=1.0"),
        (lambda: bounds.f_T(100, 0.1, c=0), EITHER, "c=0"),
        (lambda: bounds.ftrack_constants(2, 0.5), EITHER, "horizon=2"),
        (lambda: bounds.ftrack_constants(100, 0.0), EITHER, "sigma=0.0"),
        (lambda: bounds.ftrack_constants(100, 0.5, n0_mult=0), EITHER, "n0_mult=0"),
        (lambda: bounds.ftrack_constants(100, 0.5, eps_div=-1), EITHER, "eps_div=-1"),
        (lambda: ftrack_law.misidentification_probability(0.0, 2, 0.5, 4), EITHER, "gap=0.0"),
        (lambda: ftrack_law.misidentification_probability(0.5, 2, 0.5, 0), EITHER, "n0=0"),
        (lambda: bounds.priced_upper(PAIR, FREE, 1.0, 0.5, 10, 2.0), EITHER, "Theorem 4.1: alpha"),
        (lambda: bounds.priced_upper(PAIR[:1], FREE, 1.0, 0.5, 10, 4.0), EITHER, "costs has sizes"),
        (lambda: bounds.priced_upper([[1, -1], [1, 1]], FREE, 1.0, 0.5, 10, 4.0), EITHER, r"multipliers\[0\]\[1\]=-1"),
        (lambda: bounds.priced_upper(PAIR, [[0.0], [0.0, 0.0]], 1.0, 0.5, 10, 4.0), EITHER, "costs has sizes"),
        (lambda: bounds.priced_upper(PAIR, FREE, -1.0, 0.5, 10, 4.0), EITHER, "scale=-1.0"),
        *[
            (partial(make, means), error, name + words)
            for make, name in MAKERS
            for means, error, words in [
                ([], ValueError, "=.*must be a list of one-dimensional lists"),
                (None, (TypeError, ValueError), "=None"),
                (0.5, (TypeError, ValueError), "=0.5"),
                ("ab", (TypeError, ValueError), "='ab'"),
                ([0.5, 0.6], (TypeError, ValueError), r"\[0\]=0.5: must be a one-dimensional"),
                ([[0.5, 0.6], []], ValueError, r"\[1\]=.*not empty"),
                ([[0.5, [0.6]], [0.5]], (TypeError, ValueError), r"\[0\]="),
                ([[0.5, "a"], [0.5]], TypeError, r"\[0\]=.*must be a list or array of numbers"),
                ([[0.5, 1.01], [0.5]], ValueError, r"\[0\]\[1\]=1.01: must be a finite number from 0.0 to 1.0"),
                ([[0.5, 0.6], [-0.1]], ValueError, r"\[1\]\[0\]=-0.1"),
                ([[0.5, math.nan], [0.5]], ValueError, r"\[0\]\[1\]=nan"),
                ([[0.5, math.inf], [0.5]], ValueError, r"\[0\]\[1\]=inf"),
                (np.full((2, 2, 2), 0.5), ValueError, r"\[0\]=(?s:.*)must be a one-dimensional"),
            ]
        ],
        *[
            (lambda sigma=sigma, maker=maker: maker(sigma), error, words)
            for maker in (
                lambda sigma: factored.gaussian(TWO, sigma),
                lambda sigma: factored.manufacturing(TWO, TWO, 1.0, sigma),
                lambda sigma: factored.pricing([0.5], [0.1], [0.5], [1.0], sigma),
            )
            for sigma, error, words in [
                (0, ValueError, "sigma=0: must be finite and greater than 0"),
                (-0.5, ValueError, "sigma=-0.5"),
                (math.nan, ValueError, "sigma=nan"),
                (math.inf, ValueError, "sigma=inf"),
                (True, TypeError, "sigma=True: must be a number"),
                (None, TypeError, "sigma=None"),
                ([0.5], ValueError, "sigma has 1 entries: must have 2"),
                ([0.5, 0.0], ValueError, r"sigma\[1\]=0.0: must be finite and greater than 0"),
                ([0.5, math.nan], ValueError, r"sigma\[1\]=nan"),
                ([[0.5], [0.5, 0.6]], (TypeError, ValueError), "sigma"),
            ]
        ],
        (lambda: factored.rademacher(TWO, 0.59), ValueError, "sigma=0.59: must be at least the largest mean, 0.6"),
        (lambda: factored.rademacher(TWO, 0), ValueError, "sigma=0"),
        (lambda: factored.rademacher(TWO, [1.0, 1.0]), TypeError, "sigma="),
        (lambda: factored.correlated(TWO, TWO, 1.01), ValueError, "rho=1.01: must be .*at least 0 and at most 1"),
        (lambda: factored.correlated(TWO, TWO, -0.1), ValueError, "rho=-0.1"),
        (lambda: factored.correlated(TWO, TWO, math.nan), ValueError, "rho=nan"),
        (lambda: factored.correlated(TWO, TWO, "0"), TypeError, "rho='0'"),
        (lambda: factored.correlated(TWO, [[0.1], [0.1]], 0.5), ValueError, r"scales have sizes \[1, 1\]"),
        (lambda: factored.correlated(TWO, [[0.1, 0.1]], 0.5), ValueError, r"scales have sizes \[2\]"),
        (lambda: factored.correlated(TWO, [[0.1, -0.1], [0.1]], 0.5), ValueError, r"scales\[0\]\[1\]=-0.1"),
        (lambda: factored.correlated(TWO, 0.5, 0.5), (TypeError, ValueError), "scales=0.5"),
        (lambda: factored.manufacturing(TWO, [[0.1], [0.1]], 1.0, 0.5), ValueError, r"costs have .*yields"),
        (lambda: factored.manufacturing(TWO, [[0.1, -1], [0]], 1.0, 0.5), ValueError, r"costs\[0\]\[1\]=-1"),
        (lambda: factored.manufacturing(TWO, [[0.1, math.nan], [0]], 1.0, 0.5), ValueError, r"costs\[0\]\[1\]=nan"),
        (lambda: factored.manufacturing(TWO, TWO, 0.0, 0.5), ValueError, "batch=0.0"),
        (lambda: factored.manufacturing(TWO, TWO, "9", 0.5), TypeError, "batch='9'"),
        (lambda: factored.pricing([0.5, 0.6], [0.1], [0.5], [1.0], 0.5), ValueError, "budgets has 1 entr.*must have 2"),
        (lambda: factored.pricing([0.5], [-0.1], [0.5], [1.0], 0.5), ValueError, r"budgets\[0\]=-0.1"),
        (lambda: factored.pricing([1.5], [0.1], [0.5], [1.0], 0.5), ValueError, r"impressions\[0\]=1.5"),
        (lambda: factored.pricing([0.5], [0.1], [math.nan], [1.0], 0.5), ValueError, r"conversions\[0\]=nan"),
        (lambda: factored.pricing([0.5], [0.1], [0.5], [-1.0], 0.5), ValueError, r"prices\[0\]=-1.0"),
        (lambda: factored.pricing([0.5], [0.1], [0.5], [1.0, 2.0], 0.5), ValueError, "prices has 2 entr.*have 1"),
        (lambda: factored.pricing([], [], [0.5], [1.0], 0.5), ValueError, r"impressions=\[\]"),
        (lambda: factored.pricing(0.5, 0.1, 0.5, 1.0, 0.5), ValueError, "impressions=0.5"),
        *[
            (partial(factored.ftrack, arms, sigma, horizon, **options), error, words)
            for arms, sigma, horizon, options, error, words in [
                ([2, 2], 0.5, 2, {}, ValueError, "horizon=2: must be at least 3"),
                ([2, 2], 0.5, 100.5, {}, TypeError, "horizon=100.5: must be a whole number"),
                ([2, 2], 0.5, "100", {}, TypeError, "horizon='100'"),
                ([2, 5], 0.5, 9, {}, ValueError, "horizon=9: the warm-up takes 10 rounds"),
                ([2, 2], 0.5, 100, dict(n0_mult=20), ValueError, "horizon=100: the warm-up takes 120 rounds"),
                ([2, 2], 0.5, 100, dict(n0_mult=0), ValueError, "n0_mult=0: must be finite and greater than 0"),
                ([2, 2], 0.5, 100, dict(n0_mult=math.nan), ValueError, "n0_mult=nan"),
                ([2, 2], 0.5, 100, dict(eps_div=0.0), ValueError, "eps_div=0.0"),
                ([2, 2], 0.5, 100, dict(eps_div="1"), TypeError, "eps_div='1'"),
                ([2, 2], 0.5, 100, dict(c=-1.0), ValueError, "c=-1.0"),
                ([2, 2], 0.5, 100, dict(alpha=0), ValueError, "alpha=0"),
                ([2, 2], 0.5, 100, dict(truncate=1), TypeError, "truncate=1: must be True or False"),
                ([2, 2], 0.5, 100, dict(rows="first"), ValueError, "rows='first': must be one of 'worst', 'best'"),
                ([2, 2], 0.5, 100, dict(recovery=True), ValueError, "recovery=True: must be one of 'fresh', 'keep'"),
                ([2, 2], 0.0, 100, {}, ValueError, "sigma=0.0"),
                ([2, 2], [0.5, -1.0], 100, {}, ValueError, r"sigma\[1\]=-1.0"),
                ([2, 2], [0.5], 100, {}, ValueError, "sigma has 1 entries: must have 2"),
                ([2, 0], 0.5, 100, {}, ValueError, r"arms\[1\]=0"),
            ]
        ],
        *[
            (partial(make, arms, sigma), error, words)
            for make in POLICIES
            for arms, sigma, error, words in [
                ([], 0.5, ValueError, r"arms=\[\]"),
                (3, 0.5, TypeError, "arms=3"),
                (None, 0.5, TypeError, "arms=None"),
                ([[2], [3]], 0.5, (TypeError, ValueError), "arms"),
                ([[2], [2, 3]], 0.5, (TypeError, ValueError), "arms"),
                ([2, 0], 0.5, ValueError, r"arms\[1\]=0: must be at least 1"),
                ([2, 2.5], 0.5, TypeError, r"arms\[1\]=2.5: must be a whole number"),
                (["2", 2], 0.5, TypeError, r"arms\[0\]='2'"),
                ([2, True], 0.5, TypeError, r"arms\[1\]=True"),
                ([2, 2], 0.0, ValueError, "sigma=0.0: must be finite and greater than 0"),
                ([2, 2], -1, ValueError, "sigma=-1"),
                ([2, 2], math.nan, ValueError, "sigma=nan"),
                ([2, 2], math.inf, ValueError, "sigma=inf"),
                ([2, 2], "0.5", TypeError, "sigma='0.5': must be a number"),
                ([2, 2], None, TypeError, "sigma=None"),
                ([2, 2], [0.5], ValueError, "sigma has 1 entries: must have 2"),
                ([2, 2], [0.5, 0.0], ValueError, r"sigma\[1\]=0.0: must be finite and greater than 0"),
                ([2, 2], [0.5, math.nan], ValueError, r"sigma\[1\]=nan"),
                ([2, 2], [[0.5], [0.5, 1.0]], (TypeError, ValueError), "sigma"),
            ]
        ],
        *[
            (partial(make, [2, 2], 0.5, alpha=alpha), error, "alpha=")
            for make in POLICIES[::2]
            for alpha, error in [
                (0, ValueError),
                (-1.0, ValueError),
                (math.nan, ValueError),
                ("4", TypeError),
                (None, TypeError),
            ]
        ],
        *[
            (partial(factored.priced_fucb, **{**PRICED, **change}), error, words)
            for change, error, words in [
                (dict(arms=[2]), ValueError, r"multipliers have sizes \[2, 1\]: must have those of arms, \[2\]"),
                (dict(arms=[]), ValueError, "arms="),
                (dict(sigma=0), ValueError, "sigma=0"),
                (dict(sigma=[0.5]), ValueError, "sigma has 1 entries: must have 2"),
                (dict(multipliers=[[1, 2], [-1]]), ValueError, r"multipliers\[1\]\[0\]=-1"),
                (dict(multipliers=[[1, math.nan], [1]]), ValueError, r"multipliers\[0\]\[1\]=nan"),
                (dict(multipliers=[[1], [1]]), ValueError, "multipliers have sizes"),
                (dict(multipliers=[]), ValueError, "multipliers="),
                (dict(multipliers=3), TypeError, "multipliers=3"),
                (dict(multipliers=[1, 2]), ValueError, r"multipliers\[0\]"),
                (
                    dict(costs=[[0, 1], [0, 0]]),
                    ValueError,
                    r"costs have sizes \[2, 2\]: must have those of arms, \[2, 1\]",
                ),
                (dict(costs=[[0, -0.1], [0]]), ValueError, r"costs\[0\]\[1\]=-0.1"),
                (dict(costs=[[0, math.inf], [0]]), ValueError, r"costs\[0\]\[1\]=inf"),
                (dict(costs=[[0, "a"], [0]]), TypeError, r"costs\[0\]"),
                (dict(scale=0.0), ValueError, "scale=0.0: must be finite and greater than 0"),
                (dict(scale="1"), TypeError, "scale='1'"),
                (dict(alpha=0.0), ValueError, "alpha=0.0"),
                (dict(cap=1), TypeError, "cap=1: must be True or False"),
                (dict(cap=None), TypeError, "cap=None"),
            ]
        ],
        *[
            (partial(factored.rucb_mom, [2, 2], 0.5, **options), error, words)
            for options, error, words in [
                (dict(mult=0), ValueError, "mult=0: must be finite and greater than 0"),
                (dict(mult=math.nan), ValueError, "mult=nan"),
                (dict(mult="1"), TypeError, "mult='1'"),
                (dict(action_set="dk"), ValueError, "action_set='dk': must be one of 'all', 'first_dk'"),
                (
                    dict(variance="std"),
                    ValueError,
                    "variance='std': must be 'product', 'bounded', or a positive number",
                ),
                (dict(variance=0.0), ValueError, "variance=0.0"),
                (dict(variance=math.inf), ValueError, "variance=inf"),
                (dict(variance=None), TypeError, "variance=None"),
            ]
        ],
        *[
            (partial(factored.tea, arms, noise_scale), error, words)
            for arms, noise_scale, error, words in [
                ([], 1.0, ValueError, "arms="),
                ([2, 0], 1.0, ValueError, r"arms\[1\]=0"),
                ([2, 1.5], 1.0, TypeError, r"arms\[1\]=1.5"),
                ([2, 2], 0.0, ValueError, "noise_scale=0.0: must be finite and greater than 0"),
                ([2, 2], -1.0, ValueError, "noise_scale=-1.0"),
                ([2, 2], math.nan, ValueError, "noise_scale=nan"),
                ([2, 2], None, TypeError, "noise_scale=None"),
            ]
        ],
        *[
            (partial(make, sizes, 0.5), ValueError, f"product vectors: would take {needed} bytes")
            for make in (factored.ucb1, factored.rucb_mom)
            for sizes, needed in (([10] * 9, "[0-9,]+"), ([2] * 1100, "[0-9,]+"))
        ],
        (lambda: factored.ucb1([10] * 9, 0.5), ValueError, "1000000000 product vectors: would take"),
        (
            lambda: bl.simulate(factored.gaussian([[0.1, 0.2], [0.1] * 4], 0.5), factored.fucb([4, 2], 0.5), 10),
            ValueError,
            r"plays on actions \(4, 2\), but the environment offers \(2, 4\)",
        ),
        (
            lambda: bl.simulate(factored.gaussian([[0.5, 0.6]], 0.5), factored.ftrack([2], 0.5, 100), 101),
            ValueError,
            "horizon=101: .* was made for a horizon of 100",
        ),
        (
            lambda: factored.correlated([[0.5, i / 100] for i in range(30)], [[0.1, 0.1]] * 30, 0.5),
            ValueError,
            "means: 1073741824 different vectors",
        ),
        *[
            (partial(bound, [[0.1, 0.2]] * 15, 1.0, *more), ValueError, PRODUCTS)
            for bound, more in ((bounds.lower_bound_lp, ()), (bounds.upper_bound_lp, (10,)))
        ],
        (
            lambda: bounds.robust_ucb_order([[0.1, 0.2]] * 1000),
            ValueError,
            r"give 1e301 product vectors \(1e305 bytes\)",
        ),
        (lambda: bounds.lower_bound_slices([[0.1, 0.2]] * 10_000, 1.0), ValueError, "800,000,000 bytes of slices"),
    ]
