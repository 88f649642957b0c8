"""Bounds of the factored paper against linear programs, exact arithmetic, quadrature and simulation."""

import decimal
import itertools
import math

import numpy as np
import pytest
from factored import ftrack_law
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import linprog
from scipy.special import ndtr

from banditlab import factored, simulate
from banditlab.factored import bounds

TENTHS = st.integers(0, 10).map(lambda n: n / 10)  # ties, zeros and ones are common
ANY_MEAN = st.one_of(TENTHS, st.floats(0.05, 0.95).map(lambda x: round(x, 2)))
SIGMAS = st.floats(0.1, 3.0)
ALPHAS = st.floats(2.1, 10.0)


def examples(count):
    """The same random examples in every run."""
    return settings(max_examples=count, deadline=None, derandomize=True)


@st.composite
def instances(draw, least_options=1):
    """Means of up to 4 components with up to 4 options, sizes unequal, and one sigma or one per component."""
    d = draw(st.integers(1, 4))
    means = [draw(st.lists(ANY_MEAN, min_size=least_options, max_size=4)) for _ in range(d)]
    sigma = draw(st.one_of(SIGMAS, st.lists(SIGMAS, min_size=d, max_size=d)))
    return means, sigma


def vectors_of(means):
    return list(itertools.product(*(range(len(m)) for m in means)))


def gap_of(means, vector):
    return math.prod(map(max, means)) - math.prod(m[j] for m, j in zip(means, vector, strict=True))


def requirements(means, sigma):
    """2 sigma_i^2 / gap^2 by (component, option), positive gaps only."""
    sigmas = np.broadcast_to(sigma, len(means))
    options = [(i, j) for i, m in enumerate(means) for j in range(len(m)) if m[j] < max(m)]
    return {(i, j): 2 * sigmas[i] ** 2 / (max(means[i]) - means[i][j]) ** 2 for i, j in options}


def other_optima(means, i):
    return math.prod(max(m) for l, m in enumerate(means) if l != i)  # noqa: E741


def single_costs(means, sigma):
    """Cost of playing the suboptimal options of each component one at a time, per component."""
    costs = np.zeros(len(means))
    for (i, j), pulls in requirements(means, sigma).items():
        costs[i] += pulls * other_optima(means, i) * (max(means[i]) - means[i][j])
    return costs


def oracle_lower(means, sigma):
    """Theorem 3.3, literally."""
    best = tuple(m.index(max(m)) for m in means)
    vectors = [a for a in vectors_of(means) if a != best]
    wanted = requirements(means, sigma)
    if not wanted:
        return 0.0
    rows = [[-float(a[i] == j) for a in vectors] for i, j in wanted]
    unit = max(wanted.values())
    limits = [-pulls / unit for pulls in wanted.values()]
    return unit * linprog([gap_of(means, a) for a in vectors], A_ub=rows, b_ub=limits, method="highs").fun


def oracle_upper_pulls(means, sigma, horizon, alpha):
    """U_ij of Theorem 4.2 with the safe constant, by (component, option)."""
    b = (alpha + 2) / (alpha - 2)
    g2 = 2 * (b + b * b / math.log((alpha + 2) / 4))
    return {key: 2 * alpha * math.log(horizon) * pulls + g2 + 1 for key, pulls in requirements(means, sigma).items()}


def oracle_upper(means, sigma, horizon, alpha):
    """Theorem 4.2, literally."""
    vectors, allowed = vectors_of(means), oracle_upper_pulls(means, sigma, horizon, alpha)
    if not allowed:
        return 0.0
    cost = [-gap_of(means, a) for a in vectors]
    rows = [[float(a[i] == j) for a in vectors] for i, j in allowed]
    limits = [pulls / horizon for pulls in allowed.values()]
    total = [[1.0] * len(vectors)]
    return -horizon * linprog(cost, A_ub=rows, b_ub=limits, A_eq=total, b_eq=[1.0], method="highs").fun


# Instance-dependent lower bound


@examples(300)
@given(instances())
def test_explicit_constant_is_the_linear_program(instance):
    means, sigma = instance
    expected = oracle_lower(means, sigma)
    assert bounds.lower_bound_constant(means, sigma) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert bounds.lower_bound_lp(means, sigma) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_explicit_constant_is_the_linear_program_on_continuous_means():
    rng = np.random.default_rng(20240721)
    for _ in range(60):
        means = [np.round(rng.random(rng.integers(2, 6)), 3) for _ in range(rng.integers(2, 5))]
        sigma = rng.uniform(0.1, 2.0, size=len(means))
        expected = oracle_lower([m.tolist() for m in means], sigma)
        assert bounds.lower_bound_constant(means, sigma) == pytest.approx(expected, rel=1e-9)


def test_two_component_example_of_the_paper():
    means = [[1.0, 0.5], [1.0, 0.5]]
    assert bounds.lower_bound_constant(means, 1.0) == pytest.approx(6.0, rel=1e-15)
    assert bounds.lower_bound_lp(means, 1.0) == pytest.approx(6.0, rel=1e-12)
    assert sum(single_costs(means, 1.0)) == pytest.approx(8.0, rel=1e-15)
    for y in (0.0, 0.3, 0.9):
        expected = 2 * 0.7**2 * (1 - y**2) / (1 - y) ** 2
        assert bounds.lower_bound_constant([[1.0, y], [y, 1.0]], 0.7) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize(
    "means", [[[0.3]], [[0.3], [1.0]], [[0.5, 0.5], [0.2]], [[0.0, 0.0], [0.5, 1.0]], [[0.0], [0.1, 0.9, 0.4]]]
)
def test_constant_is_zero_where_nothing_can_be_lost(means):
    assert bounds.lower_bound_constant(means, 0.5) == 0.0
    assert bounds.lower_bound_lp(means, 0.5) == 0.0


@examples(150)
@given(instances())
def test_slices_meet_every_requirement_exactly_and_cost_the_constant(instance):
    means, sigma = instance
    lengths, vectors = bounds.lower_bound_slices(means, sigma)
    best = [m.index(max(m)) for m in means]
    wanted = requirements(means, sigma)
    assert np.all(lengths > 0) and len(lengths) <= sum(len(m) - 1 for m in means)
    assert vectors.shape == (len(lengths), len(means)) and vectors.dtype == np.int64
    assert len({tuple(a) for a in vectors}) == len(vectors) and best not in vectors.tolist()
    longest = max((sum(w for (i, _), w in wanted.items() if i == l) for l in range(len(means))), default=0.0)  # noqa: E741
    for i, m in enumerate(means):
        for j in range(len(m)):
            if j != best[i]:
                played = lengths[vectors[:, i] == j].sum()
                assert played == pytest.approx(wanted.get((i, j), 0.0), rel=1e-9, abs=1e-11 * longest)
    assert lengths.sum() == pytest.approx(longest, rel=1e-11)
    cost = sum(length * gap_of(means, a) for length, a in zip(lengths, vectors, strict=True))
    assert cost == pytest.approx(bounds.lower_bound_constant(means, sigma), rel=1e-9, abs=1e-12)


def test_slices_merge_breakpoints_that_differ_by_rounding():
    merged = 2 / 0.3**2 + 2 / 0.1**2
    lengths, vectors = bounds.lower_bound_slices([[1.0, 0.9, 0.7], [1.0, 1 - math.sqrt(2 / merged)]], 1.0)
    assert vectors.tolist() == [[2, 1], [1, 1]]
    assert lengths == pytest.approx([2 / 0.3**2, 2 / 0.1**2], rel=1e-9)


@examples(200)
@given(instances(), ANY_MEAN, st.integers(0, 3), st.floats(0.1, 10))
def test_constant_grows_with_noise_and_with_options_and_lies_between_single_costs(instance, mean, place, factor):
    means, sigma = instance
    constant = bounds.lower_bound_constant(means, sigma)
    scaled = bounds.lower_bound_constant(means, np.multiply(sigma, factor))
    assert scaled == pytest.approx(factor**2 * constant, rel=1e-11)
    singles = single_costs(means, sigma)
    assert singles.max() * (1 - 1e-11) <= constant <= singles.sum() * (1 + 1e-11)
    i = place % len(means)
    if mean <= max(means[i]):
        larger = [m + [mean] if l == i else m for l, m in enumerate(means)]  # noqa: E741
        assert bounds.lower_bound_constant(larger, sigma) >= constant * (1 - 1e-11)


def exact_constant(means, sigma):
    """Theorem 3.4 slice by slice with 60 digits, every product from scratch."""
    with decimal.localcontext(prec=60, Emin=-999_999):
        rows = [sorted(map(decimal.Decimal, m)) for m in means]
        widths = [[2 * decimal.Decimal(sigma) ** 2 / (m[-1] - x) ** 2 for x in m[:-1]] for m in rows]
        edges = [list(itertools.accumulate(width)) for width in widths]
        breaks = sorted(itertools.chain(*edges))
        options, total, last = [0] * len(rows), decimal.Decimal(0), decimal.Decimal(0)
        for edge in breaks:
            for i, row_edges in enumerate(edges):
                while options[i] < len(row_edges) and row_edges[options[i]] < edge:
                    options[i] += 1
            best = math.prod(m[-1] for m in rows)
            total += (edge - last) * (best - math.prod(m[j] for m, j in zip(rows, options, strict=True)))
            last = edge
        return float(total)


@pytest.mark.parametrize("power", [1, 8])
def test_constant_keeps_its_digits_where_products_underflow(power):
    means = np.random.default_rng(7).random((40, 25)) ** power
    assert (math.prod(means.min(axis=1)) == 0.0) == (power == 8)
    assert bounds.lower_bound_constant(means, 0.5) == pytest.approx(exact_constant(means, 0.5), rel=1e-12)


def test_constant_of_a_thousand_components_with_a_thousand_options():
    m = np.random.default_rng(11).random(1000)
    best, rises = m.max(), np.sort(m)
    widths = 2 * 0.5**2 / (best - rises[:-1]) ** 2
    # All components equal: slice l has every component on its l-th worst option.
    expected = best**1000 * math.fsum(-widths * np.expm1(1000 * np.log1p(-(best - rises[:-1]) / best)))
    assert bounds.lower_bound_constant([m] * 1000, 0.5) == pytest.approx(expected, rel=1e-11)

    means = np.random.default_rng(12).random((1000, 1000))
    best = means.max(axis=1, keepdims=True)
    gaps = best - means
    inverse = np.divide(1.0, gaps, out=np.zeros_like(gaps), where=gaps > 0)
    singles = 0.5 * np.prod(best) / best[:, 0] * inverse.sum(axis=1)
    assert singles.max() < bounds.lower_bound_constant(means, 0.5) < singles.sum()


def test_constant_of_the_smallest_gaps_does_not_overflow_on_the_way():
    assert bounds.lower_bound_constant([[1e-300, 0.0]], 1.0) == pytest.approx(2e300, rel=1e-14)
    assert bounds.lower_bound_constant([[1e-300, 0.0], [1.0, 0.5]], 1.0) == pytest.approx(2e300, rel=1e-14)


# Worst case


@examples(200)
@given(st.integers(1, 30), st.integers(2, 10), st.floats(0.05, 3.0), st.integers(1, 10**6))
def test_worst_case_lower_holds_exactly_where_its_instance_loses_half_the_sum_of_gaps(d, k, sigma, horizon):
    gap = sigma * math.sqrt(2 * k / horizon)
    # 1 - prod(1 - x_i) >= (1 - x)^(d - 1) sum x_i for x_i <= x, so half the sum survives while (1 - x)^(d - 1) >= 1/2.
    kept = (1 - gap) ** (d - 1) if gap <= 1 else 0.0
    threshold = 0.5 if d > 1 else 0.0
    assume(abs(kept - threshold) > 1e-9 and abs(gap - 1) > 1e-9)
    bound = bounds.worst_case_lower([k] * d, sigma, horizon)
    assert math.isnan(bound) == (kept < threshold or gap > 1)
    if not math.isnan(bound):
        # Half the sum of the components' losses, a quarter of gap * T each.
        assert bound == pytest.approx(d * gap * horizon / 8, rel=1e-12)
        assert 1 - (1 - gap) ** d >= d * gap / 2 * (1 - 1e-12) and bound <= horizon


@examples(200)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.floats(0, 1))
def test_packing_inequality(x, room):
    d, largest = len(x), max(x)
    lost = 1 - math.prod(1 - y for y in x)
    assert lost >= (1 - largest) ** (d - 1) * sum(x) - 1e-12
    limit = 1 - 2 ** (-1 / (d - 1)) if d > 1 else 1.0
    small = [y * limit * room for y in x]
    assert 1 - math.prod(1 - y for y in small) >= sum(small) / 2 - 1e-12


def test_worst_case_lower_values():
    assert bounds.worst_case_lower([4], 1.0, 8) == pytest.approx(math.sqrt(32) / (4 * math.sqrt(2)))
    assert math.isnan(bounds.worst_case_lower([4], 1.0, 7))
    assert bounds.worst_case_lower([4, 9], [1.0, 0.5], 32) == pytest.approx(
        (2 + 1.5) * math.sqrt(32) / (4 * math.sqrt(2))
    )
    assert math.isnan(bounds.worst_case_lower([4, 9], [1.0, 0.5], 31))
    assert math.isnan(bounds.worst_case_lower([4, 9], [0.5, 1.0], 71))
    assert bounds.worst_case_lower([4, 1, 1], 1.0, 100) == bounds.worst_case_lower([4], 1.0, 100)
    assert bounds.worst_case_lower([1, 1], 1.0, 1) == 0.0
    curve = bounds.worst_case_lower([2, 3], 0.3, [1, 100, 10_000])
    assert np.isnan(curve[0]) and curve[2] == pytest.approx(10 * curve[1])


@examples(200)
@given(st.integers(1, 12), st.integers(2, 9), st.floats(1.01, 2.5), st.integers(1, 10**8))
def test_reward_only_lower_exists_exactly_where_its_instance_does(d, k, sigma, horizon):
    noise = sigma**d
    gap = noise * math.sqrt((k - 1) / (4 * d * horizon))
    assume(abs(2 * gap - 1) > 1e-9 and abs(gap / noise - 0.25) > 1e-9)
    bound = bounds.reward_only_lower([k] + [k + 3] * (d - 1), sigma, horizon)
    assert math.isnan(bound) == (2 * gap > 1 or gap > noise / 4)
    if not math.isnan(bound):
        assert bound == pytest.approx(gap * horizon / (8 * math.e), rel=1e-12)


def test_reward_only_lower_values():
    assert bounds.reward_only_lower([3, 5], [2.0, 3.0], 36) == pytest.approx(36 / (16 * math.e))
    assert math.isnan(bounds.reward_only_lower([3, 5], [2.0, 3.0], 35))
    assert math.isnan(bounds.reward_only_lower([3] * 5000, 2.0, 10**15))
    assert bounds.reward_only_lower([1, 3], 2.0, 5) == 0.0
    curve = bounds.reward_only_lower([3, 3], 2.0, [10, 100, 10_000])
    assert np.isnan(curve[0]) and curve[2] == pytest.approx(10 * curve[1])


@pytest.mark.parametrize("alpha", [2.2, 3.0, 4.0, 6.0, 10.0, 100.0])
def test_g_is_the_integral_and_one_more_covers_the_sum(alpha):
    grid = 1 / math.log((alpha + 2) / 4)
    power = 2 * alpha / (alpha + 2)

    def term(t):
        return (grid * np.log(t) + 1) * t**-power

    integral = quad(lambda u: (grid * u + 1) * math.exp(u * (1 - power)), 0, math.inf, epsabs=0, epsrel=1e-11)[0]
    assert bounds.g1(alpha) == pytest.approx(integral, rel=1e-8)
    assert bounds.g2(alpha) == 2 * bounds.g1(alpha)
    last = 10**6
    rest = quad(lambda u: (grid * u + 1) * math.exp(u * (1 - power)), math.log(last), math.inf, epsrel=1e-11)[0]
    total = math.fsum(term(np.arange(1.0, last + 1))) + rest
    # The terms rise before they fall, but never by enough for the + 1 to be missed.
    assert total < bounds.g1(alpha) + 1


def test_g1_at_four_and_near_two():
    assert bounds.g1(4) == pytest.approx(3 + 9 / math.log(1.5), rel=1e-14)
    assert round(bounds.g1(4), 4) == 25.1967
    assert bounds.g1(2 + 1e-6) * 1e-18 == pytest.approx(64, rel=1e-5)  # order (alpha - 2)^-3, not -2


def test_worst_case_upper_values():
    safe = 3 + 9 / math.log(1.5) + 1
    expected = 4 * 0.5 * (math.sqrt(2) + math.sqrt(3)) * math.sqrt(4 * 1000 * math.log(1000)) + safe * 5
    assert bounds.worst_case_upper([2, 3], 0.5, 1000) == pytest.approx(expected, rel=1e-13)
    uneven = bounds.worst_case_upper([2, 3], [0.5, 0.0001], 1000) - bounds.worst_case_upper([2, 3], 0.0001, 1000)
    assert uneven == pytest.approx(4 * 0.4999 * math.sqrt(2 * 4 * 1000 * math.log(1000)), rel=1e-9)
    assert bounds.worst_case_upper([2, 3], 0.5, 1) == pytest.approx(safe * 5)
    curve = bounds.worst_case_upper([2, 3], 0.5, [10, 1000])
    assert curve.tolist() == [bounds.worst_case_upper([2, 3], 0.5, T) for T in (10, 1000)]


@examples(100)
@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=6), st.floats(0.05, 3.0), st.integers(1, 10**7), st.floats(2.1, 20)
)
def test_worst_case_bounds_are_ordered_and_grow(sizes, sigma, horizon, alpha):
    upper = bounds.worst_case_upper(sizes, sigma, horizon, alpha)
    lower = bounds.worst_case_lower(sizes, sigma, horizon)
    assert math.isnan(lower) or lower < upper
    assert upper < bounds.worst_case_upper(sizes, sigma, horizon + 1, alpha)
    assert upper < bounds.worst_case_upper(sizes + [2], sigma, horizon, alpha)
    assert upper <= bounds.worst_case_upper(sizes, sigma * 1.1, horizon, alpha)


# Instance-dependent upper bound


@examples(150)
@given(instances(), st.integers(1, 10**5), ALPHAS)
def test_upper_linear_program_is_the_theorem_and_below_the_corollary(instance, horizon, alpha):
    means, sigma = instance
    value = bounds.upper_bound_lp(means, sigma, horizon, alpha)
    expected = oracle_upper(means, sigma, horizon, alpha)
    assert value == pytest.approx(expected, rel=1e-7, abs=1e-7)
    assert value <= bounds.upper_bound(means, sigma, horizon, alpha) * (1 + 1e-9)


@examples(100)
@given(instances(), st.floats(1.0, 2.0), ALPHAS)
def test_upper_linear_program_plays_bad_options_one_at_a_time_once_the_horizon_allows_it(instance, factor, alpha):
    means, sigma = instance
    horizon = 2.0
    while horizon < (needed := sum(oracle_upper_pulls(means, sigma, horizon, alpha).values())):
        horizon = math.ceil(needed)
    horizon = math.ceil(horizon * factor)
    pulls = oracle_upper_pulls(means, sigma, horizon, alpha)
    assert sum(pulls.values()) <= horizon
    expected = math.fsum(u * other_optima(means, i) * (max(means[i]) - means[i][j]) for (i, j), u in pulls.items())
    assert bounds.upper_bound_lp(means, sigma, horizon, alpha) == pytest.approx(expected, rel=1e-8, abs=1e-9)


def test_upper_linear_program_is_tighter_at_a_short_horizon_and_grows():
    means = [[1.0, 0.9], [1.0, 0.8], [0.5, 1.0]]
    horizons = [1, 10, 100, 1000, 10_000, 100_000]
    values = [bounds.upper_bound_lp(means, 0.5, T) for T in horizons]
    explicit = bounds.upper_bound(means, 0.5, horizons)
    assert values[1] == pytest.approx(10 * (1 - 0.9 * 0.8 * 0.5), rel=1e-9)  # nothing forbids the worst vector yet
    assert np.all(np.diff(values) > 0) and np.all(values < explicit)
    assert explicit.tolist() == [bounds.upper_bound(means, 0.5, T) for T in horizons]


@examples(100)
@given(instances(), st.integers(2, 10**9), ALPHAS)
def test_lower_constant_stays_below_the_explicit_upper_bound(instance, horizon, alpha):
    means, sigma = instance
    upper = bounds.upper_bound(means, sigma, horizon, alpha)
    singles = 2 * alpha * math.log(horizon) * single_costs(means, sigma).sum()
    assert upper - bounds.upper_bound(means, sigma, 1, alpha) == pytest.approx(singles, rel=1e-9, abs=1e-9)
    assert bounds.lower_bound_constant(means, sigma) * math.log(horizon) < upper
    options = sum(map(len, means))
    assert bounds.upper_bound(means, sigma, 1, alpha) == pytest.approx((bounds.g2(alpha) + 1) * options)


@examples(100)
@given(instances())
def test_order_of_the_corollary_is_the_least(instance):
    means, _ = instance
    gaps = [[max(m) - x for x in m if x < max(m)] for m in means]
    singles = [other_optima(means, i) * sum(1 / gap for gap in row) for i, row in enumerate(gaps)]
    own, tea, robust = bounds.fucb_order(means), bounds.tea_order(means), bounds.robust_ucb_order(means)
    assert own == pytest.approx(sum(singles), rel=1e-12)
    kappa = max(other_optima(means, i) for i in range(len(means)))
    assert tea == pytest.approx(kappa * sum(1 / gap for row in gaps for gap in row), rel=1e-12)
    positive = [gap for gap in (gap_of(means, a) for a in vectors_of(means)) if gap > 1e-12]
    assert robust == pytest.approx(sum(1 / gap for gap in positive), rel=1e-9)
    assert own <= tea * (1 + 1e-12) and own <= robust * (1 + 1e-12)


# Multipliers and costs


def test_priced_upper_scales_the_theorem():
    ones = [[1.0, 1.0], [1.0, 1.0, 1.0]]
    free, paid = [[0.0, 0.0], [0.0, 0.0, 0.0]], [[0.0, 3.0], [1.0, 0.0, 0.5]]
    plain = bounds.worst_case_upper([2, 3], 0.3, 500, 3.0)
    rest = (bounds.g1(3.0) + 1) * 5
    assert bounds.priced_upper(ones, free, 1.0, 0.3, 500, 3.0) == pytest.approx(plain)
    prices = [[2.0, 1.0], [0.5, 0.1, 3.0]]
    assert bounds.priced_upper(prices, free, 10.0, 0.3, 500, 3.0) == pytest.approx(60 * plain)
    flat = [[7.0, 7.0], [1.0, 1.0, 1.0]]  # a cost that no choice changes is no cost
    assert bounds.priced_upper(prices, flat, 10.0, 0.3, 500, 3.0) == pytest.approx(60 * plain)
    capped = bounds.priced_upper(prices, paid, 10.0, 0.3, 500, 3.0, cap=True)
    assert capped == pytest.approx(60 * plain + 4 * rest)
    curve = bounds.priced_upper(prices, paid, 10.0, 0.3, [10, 500], 3.0, cap=True)
    assert curve[1] == capped and curve[0] < capped
    with pytest.raises(ValueError, match="cap=False"):
        bounds.priced_upper(prices, paid, 10.0, 0.3, 500, 3.0)


# Remark 4.1


@examples(150)
@given(st.floats(0.01, 1.0), st.integers(1, 40), SIGMAS, ALPHAS, st.integers(2, 10**9))
def test_remark_is_the_theorems_on_its_instance(gap, d, sigma, alpha, horizon):
    means = [[1.0, 1 - gap]] * d
    exact = 1 - means[0][1]  # the gap that the means really have
    lower, upper = bounds.remark41_lower(exact, d, sigma), bounds.remark41_upper(exact, d, sigma, alpha, horizon)
    assert lower == pytest.approx(bounds.lower_bound_constant(means, sigma), rel=1e-12)
    leading = bounds.upper_bound(means, sigma, horizon, alpha) - bounds.upper_bound(means, sigma, 1, alpha)
    assert upper == pytest.approx(leading, rel=1e-9, abs=1e-9)
    ratio = bounds.remark41_ratio(exact, d, alpha)
    assert ratio == pytest.approx(upper / (lower * math.log(horizon)), rel=1e-12)
    assert 2 * alpha * (1 - 1e-12) <= ratio <= 2 * alpha * d * (1 + 1e-12)


@pytest.mark.parametrize("d", [1, 2, 20, 1000])
def test_limits_of_the_ratio(d):
    assert bounds.remark41_ratio(1e-15, d, 3.0) == pytest.approx(6.0, rel=1e-11)
    assert bounds.remark41_ratio(1.0, d, 3.0) == 6.0 * d
    assert bounds.remark41_ratio(1 - 1e-12, d, 3.0) == pytest.approx(6.0 * d, rel=1e-11)
    gaps = np.linspace(0.001, 1.0, 50)
    ratios = [bounds.remark41_ratio(gap, d, 3.0) for gap in gaps]
    assert np.all(np.diff(ratios) >= -1e-9)
    assert bounds.remark41_lower(1e-200, d, 1e-150) == pytest.approx(2e-100 * d, rel=1e-12, abs=0)


# F-Track


def test_ftrack_constants_of_the_paper():
    horizon, log = 10_000, math.log(10_000)
    constants = bounds.ftrack_constants(horizon, 0.5)
    assert constants.n0 == 4 and isinstance(constants.n0, int)
    assert constants.lead == pytest.approx(0.5 * (1 + 1 / log) * (2.5 * math.log(log) + log), rel=1e-14)
    assert constants.eps == pytest.approx(math.sqrt(0.5 * (1 + 1 / log) * 3.5 * math.log(log) / 4), rel=1e-14)
    assert bounds.f_T(horizon, 0.05, c=2.0) == pytest.approx((1 + 1 / log) * (2 * math.log(log) + math.log(20)))
    # Twice the threshold in standard deviations of a warm-up mean: out of reach at any n0 and sigma.
    for T, expected in ((10_000, 8.3), (100_000, 8.6)):
        for sigma, n0_mult in ((0.1, 1.0), (2.0, 10.0)):
            n0, eps, _ = bounds.ftrack_constants(T, sigma, n0_mult=n0_mult)
            assert round(2 * eps / (sigma / math.sqrt(n0)), 1) == expected


def test_ftrack_constants_readings_and_shapes():
    one, ten = bounds.ftrack_constants(10_000, 0.5), bounds.ftrack_constants(10_000, 0.5, n0_mult=10)
    assert ten.n0 == 40 and ten.eps == pytest.approx(one.eps / math.sqrt(10)) and ten.lead == one.lead
    divided = bounds.ftrack_constants(10_000, 0.5, eps_div=6.0)
    assert divided.n0 == 4 and divided.eps == pytest.approx(one.eps / math.sqrt(6))
    assert bounds.ftrack_constants(10_000, 0.5, n0_mult=0.6).n0 == 3
    several = bounds.ftrack_constants(10_000, [0.5, 1.0])
    assert several.eps.tolist() == pytest.approx([one.eps, 2 * one.eps])
    assert several.lead.tolist() == pytest.approx([one.lead, 4 * one.lead])
    smallest = bounds.ftrack_constants(3, 1.0)
    assert smallest.n0 == 2 and smallest.eps > 0 and smallest.lead > 0
    assert bounds.ftrack_constants(10_000, 0.5, c=5.0).lead > one.lead


def test_misidentification_probability_matches_simulated_warm_ups():
    gap, d, sigma, n0, runs = 0.5, 3, 0.5, 4, 100_000
    rng = np.random.default_rng(3)
    good = 1 + sigma * rng.standard_normal((runs, d, n0)).mean(axis=2)
    bad = 1 - gap + sigma * rng.standard_normal((runs, d, n0)).mean(axis=2)
    wrong = np.mean(np.any(bad > good, axis=1))
    expected = ftrack_law.misidentification_probability(gap, d, sigma, n0)
    assert abs(wrong - expected) < 4 * math.sqrt(expected * (1 - expected) / runs)  # four standard errors


def test_misidentification_probability_keeps_small_and_large_values():
    tiny = ftrack_law.misidentification_probability(0.5, 10, 0.5, 400)
    assert tiny == pytest.approx(10 * ndtr(-math.sqrt(200)), rel=1e-9, abs=0)
    assert ftrack_law.misidentification_probability(1e-9, 10**6, 0.5, 1) == 1.0
    assert ftrack_law.misidentification_probability(1e-9, 1, 0.5, 1) == pytest.approx(0.5)


# Arguments


def literal_expected_regret(gap, d, sigma, horizon, n0):
    """E R_T of F-Track by numerical integration over the estimated gap, position by position."""
    lead, spread = bounds.ftrack_constants(horizon, sigma).lead, sigma * math.sqrt(2 / n0)

    def density(g):
        return math.exp(-((g - gap) ** 2) / (2 * spread * spread)) / (spread * math.sqrt(2 * math.pi))

    total = n0 * (1 - (1 - gap) ** d)
    for s in range(horizon - 2 * n0):
        if s == 0:  # option 2 is played where it seems the worse one
            chance = ndtr(gap / spread)
        else:
            edge = math.sqrt(lead / s)  # and is left once the plan has it often enough
            chance = quad(density, 0, edge, limit=200)[0] + quad(density, -np.inf, -edge, limit=200)[0]
        total += 1 - (1 - gap * chance) ** d
    return total


@pytest.mark.parametrize(
    "gap, d, sigma, horizon, n0", [(0.5, 2, 0.5, 60, 2), (0.9, 5, 0.4, 80, 3), (1.0, 3, 0.7, 50, 4)]
)
def test_expected_regret_of_ftrack_is_the_integral(gap, d, sigma, horizon, n0):
    found = ftrack_law.ftrack_regret_at(gap, d, sigma, horizon, n0)
    assert found == pytest.approx(literal_expected_regret(gap, d, sigma, horizon, n0), rel=1e-6)


@pytest.mark.parametrize("gap, d, n0_mult", [(0.5, 2, 1), (0.9, 10, 1), (0.7, 5, 3), (0.5, 10, 3), (0.9, 20, 10)])
def test_expected_regret_of_ftrack_is_the_mean_of_runs(gap, d, n0_mult):
    """400 runs, at most 4 standard errors away; no run recovers."""
    policy, horizon = factored.ftrack([2] * d, 0.5, 2000, n0_mult=n0_mult), 2000
    world = factored.gaussian([[1.0, 1.0 - gap]] * d, 0.5)
    result = simulate(world, {"F-Track": policy}, horizon, runs=400, seed=5, checkpoints=1)
    regret, expected = result.regret[0, :, 0], ftrack_law.ftrack_regret(gap, d, 0.5, horizon, n0_mult)
    assert abs(regret.mean() - expected) < 4 * regret.std(ddof=1) / 20
    assert not result.diagnostics["recovered"].any()


@pytest.mark.parametrize("gap, d, n0", [(0.9, 10, 20), (0.5, 3, 4), (0.01, 2, 5000), (0.05, 5, 10**5)])
def test_ftrack_regret_of_long_horizons_is_the_sum(gap, d, n0, monkeypatch):
    """Tolerance: the third derivatives that the formula leaves out, below 1e-12 of the sum."""
    found = ftrack_law.ftrack_regret_at(gap, d, 0.5, 2**22, n0)
    monkeypatch.setattr(ftrack_law, "SUMMED", 2**22)
    assert found == pytest.approx(ftrack_law.ftrack_regret_at(gap, d, 0.5, 2**22, n0), rel=1e-12)


def test_ftrack_regret_of_longer_horizons_rises_and_ends():
    found = [ftrack_law.ftrack_regret_at(0.3, 4, 0.5, 10**k, 50) for k in (8, 10, 12, 15)]
    assert found == sorted(found) and np.isfinite(found).all()


def test_expected_regret_of_ftrack_at_the_ends():
    assert math.isnan(ftrack_law.ftrack_regret_at(0.5, 2, 0.5, 10, 6))  # the warm-up does not fit
    assert ftrack_law.ftrack_regret_at(0.5, 2, 0.5, 12, 6) == 6 * 0.75  # and is all there is
    with pytest.raises(ValueError, match="gap=1.5"):
        ftrack_law.ftrack_regret(1.5, 2, 0.5, 1000)
