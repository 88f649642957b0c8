"""Remark 3's conjecture and what refutes it: pulls without noise, by formula and by recursion, on random instances."""

import math

import numpy as np
import pytest
from censored import beyond, drawings, runs


def drawn(number, seed):
    """Penalties up to 20, alpha from 0.25 to 5, gaps from 0.06 to 1, each on a logarithmic scale."""
    rng = np.random.default_rng(seed)
    return 20 ** rng.uniform(-1, 1, number), 0.25 * 20 ** rng.uniform(0, 1, number), 0.06 ** rng.uniform(0, 1, number)


def test_pulls_come_to_their_limit_and_the_limit_refutes():
    """5,000 instances at T = 10^9: between 0.7 and 1 times the limit, which exceeds 8 where the penalty exceeds 1.

    With the limit L the pulls N are at most L, as N^(-1/2) = L^(-1/2) + (T - N)^(-1/2). So they are at least L over the
    square of 1 + sqrt(L / (T - L)); the largest L that is drawn is 2.6 per cent of T, which gives 0.73.
    """
    horizon = 10**9
    for penalty, alpha, gap in zip(*drawn(5000, 0), strict=True):
        unit = alpha * math.log(horizon) / gap**2
        limit = 2 * (1 + penalty) ** 2 * unit
        share = runs.worse_pulls(penalty, horizon, alpha, gap) / limit
        assert (1 + math.sqrt(limit / (horizon - limit))) ** -2 - 1e-9 <= share <= 1 + 1e-9 and share > 0.7
        assert (limit / unit > 8) == (penalty > 1)


def test_any_constant_is_exceeded_at_some_horizon():
    """2,000 instances with penalties above 1 and constants up to 20: at log T = 700 the refined bound is exceeded.

    There 8 (1 + C penalty / 700)^2 is below 2 (1 + penalty)^2 by a proof only where C penalty / 700 is less than
    (penalty - 1) / 2; such are drawn.
    """
    rng, tried = np.random.default_rng(1), 0
    for penalty, alpha, gap in zip(*drawn(5000, 2), strict=True):
        constant = 20 * rng.random()
        if constant * penalty / 700 < 0.99 * (penalty - 1) / 2 and tried < 2000:
            tried += 1
            pulls = runs.worse_pulls(penalty, math.exp(700), alpha, gap) * gap**2 / (700 * alpha)
            assert pulls > 8 * (1 + constant * penalty / 700) ** 2
    assert tried == 2000


def test_the_formula_is_what_the_recursion_plays():
    """2,000 instances, 3,000 rounds of the indices themselves, no noise: within two pulls."""
    horizon, (penalty, alpha, gap) = 3000, drawn(2000, 3)
    pulls = np.ones((2, 2000))
    for t in range(3, horizon + 1):
        better, worse = (1 + penalty) * np.sqrt(2 * alpha * math.log(t) / pulls)
        pulls[(worse - gap > better).astype(int), np.arange(2000)] += 1
    formula = [runs.worse_pulls(*one) for one in zip(penalty, [horizon] * 2000, alpha, gap, strict=True)]
    assert np.abs(pulls[1] - formula).max() <= 2


@pytest.mark.parametrize("penalty, words", [(9.0, "exceed it from log T = "), (1.0, "not above 8")])
def test_the_figure_shows_the_pulls_and_what_is_allowed(penalty, words):
    study = beyond.REMARK_3._replace(fixed=dict(penalty=penalty, alpha=2.0))
    figure, found = study.figure("quick", 0)
    (one,), curve = found.values(), figure.data[0]
    assert curve.y[-1] == pytest.approx(2 * (1 + penalty) ** 2, rel=1e-6) and (np.diff(curve.y) > -1e-9).all()
    assert words in figure.layout.meta["caption"] and drawings.PRINTED in curve.name
    assert [trace.y[0] for trace in figure.data[1:3]] == [8 * (1 + penalty) ** 2, 8]
    assert one.allowed[10][-1] == pytest.approx(8 * (1 + penalty / 70) ** 2)
