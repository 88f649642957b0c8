"""Lemma 4 is attained: the sums of the proof one by one, and what they give against runs and in the limit."""

import math

import numpy as np
import pytest
from scipy.special import ndtr
from uplifting import optimal

import banditlab as bl
from banditlab.uplifting import bounds

PULLS = np.unique(np.geomspace(1, 1e9, 3000).astype(np.int64))  # every one of the first, then blocks
BLOCKS = np.diff(PULLS)


def test_the_sums_that_attain_lemma_4(soak):
    """Lattimore and Szepesvari, Theorem 8.1, on the scale of an action's own deviation; 3,000 random ones.

    A sum over all pulls is at most that of blocks, each as long as it is and as large as its first term.
    """
    assert 2.4 < optimal.inverse_sum() <= optimal.INVERSE
    rng, number = np.random.default_rng(0), 30_000 if soak else 3000
    s, lead = 10 ** rng.uniform(-2, 1, number), 10 ** rng.uniform(-1, 1, number)
    horizon = 10 ** rng.uniform(0.5, 9, number)
    width = np.log(1 + horizon * np.log(horizon) ** 2)
    low, reaching = optimal.proof_sums(lead / s)[0], optimal.proof_sums(width)[1]
    assert (low <= 1).all() and (reaching <= 1).all()
    for x, w in zip(lead / s, width, strict=True):
        above = (BLOCKS * ndtr(np.sqrt(2 * w) - np.sqrt(PULLS[:-1]) * x)).sum()  # mean and radius reach the lead
        assert above <= 1 + 2 * (w + math.sqrt(math.pi * w) + 1) / x**2


@pytest.mark.parametrize("x, w", [(0.3, 1.0), (1.0, 5.0), (0.05, 20.0)])
def test_the_closed_forms_are_their_sums_and_integrals(x, w):
    n = np.arange(1.0, 1e6)
    assert optimal.proof_sums(np.array([x]))[0] * 2 / x**2 == pytest.approx(np.exp(-n * x * x / 2).sum())
    y = (np.arange(2_000_000) + 0.5) * 1e-2 / x**2 * w / 20
    integral = ndtr(np.sqrt(2 * w) - x * np.sqrt(y)).sum() * (y[1] - y[0])
    assert optimal.reaching_pulls(w) / x**2 == pytest.approx(integral, rel=1e-4)
    assert ndtr(np.sqrt(2 * w) - x * np.sqrt(n)).sum() <= integral


def test_the_bound_is_that_of_the_notebook_with_a_smaller_sum():
    """The best of many splits of the gap, by hand: gap 0.5, deviations 2 and 3."""
    log = 50.0
    f = math.log(1 + math.exp(log) * log**2)
    e = np.linspace(1e-4, 0.4999, 100_000)
    printed = 1 + 5 * 4 / e**2 + 2 * 9 * (f + math.sqrt(math.pi * f) + 1) / (0.5 - e) ** 2
    ours = optimal.optimal_upper([0.0, 0.5], [2.0, 3.0], log)
    assert 0.5 * printed.min() / log * 0.7 < ours < 0.5 * printed.min() / log
    split = 1 + 5 * 4 / e**2 + 9 * optimal.reaching_pulls(f) / (0.5 - e) ** 2
    assert ours == pytest.approx(0.5 * split.min() / log, rel=1e-4)


def test_the_bound_is_above_runs_and_tends_to_lemma_4():
    world = bl.uplifting.gaussian([[1, 0], [0, 0.8]], [0, 0], [[0], [1]], [[1.0], [1.0]], [0.25, 0.25])
    policy = bl.uplifting.upucb_bl_optimal(world.affected, world.mu0, world.covariance)
    least = bounds.known_covariance_lower(world.gaps, policy.deviations)
    regret = bl.simulate(world, policy, 20_000, 100).regret[0, :, -1].mean()
    assert regret < optimal.optimal_upper(world.gaps, policy.deviations, math.log(20_000)) * math.log(20_000)
    over = [optimal.optimal_upper(world.gaps, policy.deviations, 10.0**k) / least for k in range(1, 13)]
    assert (np.diff(over) < 0).all() and 1 < over[-1] < 1.001
