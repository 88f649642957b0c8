"""Bounds against their twins, their printed values, and simulated runs; bad input."""

import math

import numpy as np
import pytest
from censored import leaving
from hypothesis import given, settings
from hypothesis import strategies as st

import banditlab as bl
from banditlab import censored
from banditlab.censored import bounds
from tests.naive import censored as naive


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.integers(0, 2**32 - 1), st.floats(1.1, 5.0), st.integers(10, 10**6))
def test_bounds_are_their_twins(seed, alpha, horizon):
    rng = np.random.default_rng(seed)
    gains, penalty = rng.random((3, 4)).round(1), np.sort(rng.random(4) * 5)
    twin = naive.theorem1(gains, penalty.tolist(), alpha, horizon)
    assert bounds.theorem1(gains, penalty, horizon, alpha) == pytest.approx(twin, rel=1e-12)
    assert bounds.corollary14(gains, 4.0, horizon, alpha) == pytest.approx(
        naive.corollary14(gains, 4.0, alpha, horizon), rel=1e-12
    )
    assert bounds.proposition1(horizon, alpha) == pytest.approx(naive.proposition1(alpha, horizon), rel=1e-12)
    if horizon >= 12:
        delta = naive.theorem1_delta(12, horizon)
        assert bounds.largest_delta(12, horizon) == pytest.approx(delta, rel=1e-12)
        saved = twin - naive.theorem1(gains, penalty.tolist(), alpha, horizon, 0.5, delta, 1.0)
        assert bounds.theorem1_saving(gains, penalty, horizon, alpha) == pytest.approx(saved, abs=1e-9 * twin)


@settings(max_examples=10, deadline=None, derandomize=True)
@given(st.floats(1.05, 4.0), st.integers(2, 4), st.integers(10**3, 10**6), st.floats(0, 2), st.floats(0.1, 4))
def test_theorem2_is_its_twin(alpha, parts, horizon, d, slope):
    """The twin looks at five levels of points: its suprema are at most those over all, and nearly they."""
    args = censored.power(slope, 2.0), 3, horizon, alpha, parts, 0.1
    tail = 3, alpha, parts, horizon, 0.1, lambda x: slope * x * x
    ours, plain = bounds.theorem2(*args, (d, 1.5)), bounds.stoo(*args, (d, 1.5))
    tops, with_one = bounds.supremum(*args), (*tail, 1.0, 5)
    assert ours >= naive.theorem2(d, 1.5, *tail, 5) and ours == pytest.approx(naive.theorem2(d, 1.5, *tail, 5), rel=0.1)
    assert plain >= naive.theorem2(d, 1.5, *tail, 5, stochastic=True)
    assert tops[0] >= naive.theorem2_H(*with_one) and tops[1] >= naive.theorem2_H(*with_one, True)
    assert tops[1] >= tops[0] and plain > ours


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.floats(1.05, 4.0), st.integers(2, 6), st.integers(10, 10**6), st.floats(0, 1), st.floats(0, 20))
def test_the_supremum_is_the_largest_over_all_values(alpha, parts, horizon, low, rise):
    """Against 20,001 values of the penalty, which starts above 0."""
    penalty = censored.knots([0.0, 1.0], [low, low + rise])
    y = np.linspace(low, low + rise, 20_001)
    c = (1 + low + rise) * math.sqrt(2 * alpha * math.log(3 * horizon**2 / 0.1) / horizon)
    largest = np.max((1 + y) ** 2 - (1 + c * y) ** 2 / parts**2)
    H, plain = bounds.supremum(penalty, 3, horizon, alpha, parts, 0.1)
    assert H == pytest.approx(largest, rel=1e-6, abs=1e-6) and plain == pytest.approx((1 + low + rise) ** 2)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.integers(0, 2**32 - 1), st.floats(0.01, 0.6))
def test_cells_are_counted_as_their_twin_counts_them(seed, epsilon):
    """Random zigzags with a flat stretch: a right end after another, on a grid 3,000 times finer."""
    rng = np.random.default_rng(seed)
    places, values = np.sort([0, 1, *rng.random(4)]), rng.random((2, 6)).round(1)
    rows = [np.interp(np.linspace(0, 1, bounds.zooming.POINTS)[1:], places, row) for row in values]
    points, best = np.linspace(0, 1, bounds.zooming.POINTS)[1:], max(map(max, rows))
    ours = bounds.zooming.packed(points, np.array(rows), best, epsilon)
    twin = naive.near_cells([lambda x, row=row: float(np.interp(x, places, row)) for row in values], best, epsilon)
    assert twin <= ours <= twin + 2  # the twin's right ends lie on its grid, so that one may just not fit


@pytest.mark.parametrize("exponent, dimension", [(1.0, 0.0), (2.0, 0.5), (4.0, 0.75)])
def test_the_dimension_follows_from_the_shape_of_the_optimum(exponent, dimension):
    """Gains that fall as |x - 0.4|^p: stretches of length ε^(1/p) hold ε^(1/p - 1) cells."""

    class Peak:
        arms, largest, best = 2, 1.0, 0.5

        def gain(self, arm, limit):
            return 0.5 - 0.3 * arm - abs(limit - 0.4) ** exponent

    near = bounds.near_optimality(Peak(), 1e-4)
    assert near.dimension == pytest.approx(dimension, abs=0.06)
    for epsilon in (1e-4, 1e-3, 1e-2, 0.1):
        assert bounds.cells_near(Peak(), epsilon) <= 1.2 * near.constant * epsilon**-near.dimension + 1
    assert bounds.secant_slope(Peak()) == pytest.approx(max(0.6 ** (exponent - 1), 0.4 ** (exponent - 1)), rel=1e-3)


def test_the_leaving_round_is_that_of_exact_estimates():
    """RCUCB on estimates that are the true gains: a literal loop until a smaller limit has the larger index."""
    for world in (censored.indep(3, 4), censored.negcorr(2, 3), censored.indep(4, 6, censored.promise(6, 0.5, 4.0))):
        expected = naive.leaving_round(world.gains.tolist(), world.penalty.tolist(), 1.0)
        found = leaving.leaving_round(world.gains, world.penalty)
        assert found == pytest.approx(expected, rel=0.02, abs=len(world.gaps))
    assert leaving.leaving_round([[0.1, 0.5]], [0.1, 1.0]) == math.inf, "the largest limit is the best"
    assert leaving.leaving_round([[0.2, 0.1], [0.1, 5.0]], [0.1, 1.0]) == math.inf, "another arm is far better there"


@pytest.mark.parametrize("pairs, horizon", [(101, 10), (100_000, 10), (101, 100), (3, 2), (2, 1)])
def test_no_delta_fits_a_horizon_below_the_number_of_pairs(pairs, horizon):
    """(pairs - 1)^(1 - delta) T^(2 delta) <= T holds for no delta of a fine grid of (0, 1/2), and then for none."""
    delta = np.linspace(0, 0.5, 1002)[1:-1]
    assert not ((1 - delta) * math.log(pairs - 1) + 2 * delta * math.log(horizon) < math.log(horizon) - 1e-12).any()
    with pytest.raises(ValueError, match=f"horizon={horizon}: Theorem 1 allows no delta for {pairs} pairs"):
        bounds.largest_delta(pairs, horizon)


@pytest.mark.parametrize("pairs, horizon", [(100, 100), (101, 10**6), (3, 3), (2, 50)])
def test_the_largest_delta_is_the_edge_of_the_constraint(pairs, horizon):
    delta = bounds.largest_delta(pairs, horizon)
    assert 0 < delta <= 0.5
    for step, holds in ((-1e-6, True), (1e-6, False)):
        left = (1 - delta - step) * math.log(pairs - 1) + 2 * (delta + step) * math.log(horizon)
        assert (left <= math.log(horizon)) == holds


def test_numbers_of_indep():
    """Size 10, T = 100,000, alpha = 2; both bounds exceed what nobody can exceed."""
    world, horizon = censored.indep(), 100_000
    first = bounds.theorem1(world.gains, world.penalty, horizon, 2.0)
    assert first == pytest.approx(4.3633e5, rel=2e-5)
    assert bounds.corollary14(world.gains, 9.0, horizon, 2.0) == pytest.approx(2.0574e6, rel=2e-5)
    assert bounds.corollary14(world.gains, 10.0, horizon, 2.0) == pytest.approx(2.4874e6, rel=2e-5)
    assert first > bounds.trivial(world.gains, horizon) == pytest.approx(2.113e5, rel=1e-3)
    assert bounds.theorem1_saving(world.gains, world.penalty, horizon, 2.0) < 1e-3


def test_bounds_hold():
    """A mild penalty, for which they say something; 10 runs, mean plus four standard errors, alpha = 2."""
    world = censored.independent([1.0, 1.0], [1.0, 4.0], [2.0, 2.0], [0.5, 3.0], [0.05, 0.3])
    args = 2, world.limits, world.penalty, 2.0
    policies = {"RCUCB": censored.rcucb(*args), "UCB": censored.ucb(*args)}
    result = bl.simulate(world, policies, 20_000, runs=10, checkpoints=20)
    high = {name: rows["mean"] + 4 * rows["se"] for name, rows in result.summary().groupby("policy")}
    first = bounds.theorem1(world.gains, world.penalty, result.checkpoints, 2.0)
    second = bounds.corollary14(world.gains, 0.3, result.checkpoints, 2.0)
    assert (high["RCUCB"].to_numpy() <= first).all() and (high["UCB"].to_numpy() <= second).all()
    assert first[-1] < bounds.trivial(world.gains, 20_000), "a vacuous bound would prove little"


def test_proposition_1_holds():
    """Share of 400 histories of one pair, alpha 2, in which the estimate is off by more than its radius."""
    world, rng = censored.indep(1, [0.3, 0.5, 0.9]), np.random.default_rng(0)
    for t in (100, 300):
        off, policy = np.zeros(2), censored.rcucb(1, world.limits, world.penalty, 2.0)
        for _ in range(400):
            state, played = policy.init(rng), world.reset(rng)
            for s in range(t):
                action = censored.Pair(0, 2 if s == 0 else int(3 * rng.random()))
                state = policy.update(state, action, world.step(played, action, s, rng), s, rng)
            error = state.estimate[0, 1] - world.gains[0, 1]
            radius = math.sqrt(4 * math.log(t)) * state.root[0, 1]
            off += [error > radius, -error > radius]
        assert (off / 400 <= bounds.proposition1(t, 2.0)).all()
