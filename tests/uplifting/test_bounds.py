"""Bounds against their literal twins, and on simulated runs."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

import banditlab as bl
from banditlab import uplifting
from banditlab.uplifting import bounds
from tests.naive import uplifting_bounds as naive
from tests.naive import uplifting_context as context

INSTANCES = st.lists(st.tuples(st.floats(0.05, 5), st.integers(1, 9)), min_size=1, max_size=6)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(INSTANCES, st.integers(1, 9), st.floats(0.05, 2), st.integers(1, 10**6), st.floats(0.001, 0.5))
def test_upper_bounds_are_their_twins(rows, star, dup, T, delta):
    gaps, sizes, m = [0.0] + [g for g, _ in rows], [star] + [s for _, s in rows], 12
    L = max(sizes)
    pairs = [
        (bounds.ucb_upper(gaps, m, T, delta), naive.ucb_bound(gaps, m, T, delta)),
        (bounds.upucb_bl_upper(gaps, sizes, T, delta), naive.proposition_1(gaps, sizes, T, delta)),
        (bounds.upucb_upper(gaps, sizes, T, delta), naive.theorem_1(gaps, sizes, T, delta)),
        (bounds.naff_bl_upper(gaps, L, m, T, delta), naive.theorem_2_bl(gaps, L, m, T, delta)),
        (bounds.naff_bl_upper(gaps, sizes, m, T, delta), naive.theorem_2_bl(gaps, sizes, m, T, delta)),
        (bounds.naff_upper(gaps, L, m, T, delta), naive.theorem_2(gaps, L, m, T, delta)),
        (bounds.ilift_bl_upper(gaps, sizes, dup, m, T, delta), naive.theorem_3(gaps, sizes, dup, m, T, delta)),
        (bounds.ilift_upper(gaps, sizes, dup, m, T, delta), naive.theorem_4(gaps, sizes, dup, m, T, delta)),
    ]
    pairs.append((bounds.adjusted_upper(gaps, sizes, T, delta), naive.proposition_1(gaps, sizes, T, delta)))
    for ours, theirs in pairs:
        assert ours.beta == pytest.approx(theirs.beta) and ours.regret == pytest.approx(theirs.regret)
        assert ours.pulls.tolist() == pytest.approx(theirs.pulls)
    assert bounds.known_sets_lower(gaps, sizes) == pytest.approx(naive.proposition_3(gaps, sizes))
    assert bounds.no_knowledge_lower(gaps, m) == pytest.approx(naive.proposition_2(gaps, m))
    assert bounds.known_sets_lower(gaps, sizes) * math.log(T) <= pairs[1][0].regret + 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_lemma_4_for_a_known_covariance_is_a_quadratic_program(seed):
    """The least divergence of a shift of the affected means by the gap, against scipy's minimiser."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(5, 5))
    covariance, inside, gap = root @ root.T + 0.1 * np.eye(5), np.array([1, 1, 0, 1, 0], bool), 0.7
    precision = np.linalg.inv(covariance)[np.ix_(inside, inside)]
    shift = np.linalg.solve(precision, np.ones(3))
    shift *= gap / shift.sum()  # the Lagrangian's solution
    least = minimize(lambda x: x @ precision @ x / 2, np.full(3, gap / 3),
                     constraints={"type": "eq", "fun": lambda x: x.sum() - gap}).fun  # fmt: skip
    assert shift @ precision @ shift / 2 == pytest.approx(least, rel=1e-4)
    _, (left,) = uplifting.noise_adjustment(inside[None], covariance)
    expected = bounds.information_lower([0, gap], [1.0, least])
    assert bounds.known_covariance_lower([0, gap], [1.0, left]) == pytest.approx(expected, rel=1e-4)


def test_table_1():
    assert bounds.orders(10, 100, 10, 0.2, 0.01) == pytest.approx(naive.table_1(10, 100, 10, 0.2, 0.01))


@pytest.mark.parametrize("t", [1, 7, 1000])
def test_contextual_bounds_are_their_twins(t):
    assert bounds.contextual_bonus(t, 6, 50, 2, 5.0, 1.0) == pytest.approx(
        context.theorem_5_alpha(t, 6, 50, 2, 5.0, 1.0, 0.05)
    )
    several = bounds.contextual_bonus([t, 3], 6, 50, 2, 5.0, 1.0)
    assert several.shape == (2,) and several[0] == bounds.contextual_bonus(t, 6, 50, 2, 5.0, 1.0)
    assert bounds.contextual_upper(t, (50, 6, 2, 5), 5.0, 1.0) == pytest.approx(
        context.theorem_5(t, 6, 50, 2, 5, 5.0, 1.0, 0.05)
    )
    gram = np.diag([2.0, 3.0, 5.0])
    assert bounds.confidence_ellipsoid(gram, 2.0, 1.0, 0.1) == pytest.approx(context.lemma_5(gram, 2.0, 1.0, 0.1))
    assert bounds.elliptical_potential(70, 3, 2.0) == pytest.approx(context.lemma_6(70, 3, 2.0))


@pytest.mark.parametrize("sizes", [[3, 3, 3], [3, 1, 5]])
@pytest.mark.parametrize("everywhere", [False, True])
def test_hard_instance_is_equation_42(sizes, everywhere):
    gaps = [0.0, 0.5, 1.0]
    world, twin = (make.hard_instance(gaps, sizes, 5, everywhere) for make in (bounds, naive))
    assert np.allclose(world.mu, twin.mu) and np.allclose(world.mu0, twin.mu0) and np.allclose(world.gaps, gaps)
    rng = np.random.default_rng(0)
    for action, row in enumerate(twin.noisy):
        noise = world.step(world.reset(rng), action, 0, rng).y - world.mu[action]
        assert (noise != 0).tolist() == row and np.allclose(noise[row], noise[row][0], atol=1e-12)


@pytest.mark.parametrize("name", ["bl", "plain", "naff bl", "naff", "ilift bl", "ilift"])
def test_pull_bounds_hold_in_every_run(name):
    """Every action of 10 runs, at the theorem's beta with delta = 1 %: a failure has probability below 1 % a run.

    The instance has a gap of 6 and few variables, so that the bounds are not trivially larger than the horizon.
    """
    world = uplifting.gaussian([[3, 3, 0, 0], [0, 0, 0.5, -0.5]], np.zeros(4), [[0, 1], [2, 3]])
    gaps, sizes, T = world.gaps, [2, 2], 20_000
    bound, make = {
        "bl": (
            bounds.upucb_bl_upper(gaps, sizes, T, 0.01),
            lambda b: uplifting.upucb_bl(world.affected, world.mu0, b),
        ),
        "plain": (bounds.upucb_upper(gaps, sizes, T, 0.01), lambda b: uplifting.upucb(world.affected, 4, b)),
        "naff bl": (
            bounds.naff_bl_upper(gaps, 2, 4, T, 0.01),
            lambda b: uplifting.upucb_naff_bl(2, world.mu0, 2, b),
        ),
        "naff": (bounds.naff_upper(gaps, 2, 4, T, 0.01), lambda b: uplifting.upucb_naff(2, 4, 2, b)),
        "ilift bl": (
            bounds.ilift_bl_upper(gaps, sizes, 0.5, 4, T, 0.01),
            lambda b: uplifting.upucb_ilift_bl(2, world.mu0, 0.5, b),
        ),
        "ilift": (bounds.ilift_upper(gaps, sizes, 0.5, 4, T, 0.01), lambda b: uplifting.upucb_ilift(2, 4, 0.5, b)),
    }[name]
    assert bound.pulls[1] < T
    result = bl.simulate(world, make(bound.beta), T, runs=10, checkpoints=10)
    assert (result.diagnostics["pulls"][0] <= bound.pulls).all()
    assert (result.regret[0][:, -1] <= bound.regret).all()
