"""F-UCB with multipliers and costs: the dynamic program against brute force, traces, bounds, errors."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import banditlab as bl
from banditlab import factored
from banditlab.factored.programs import best_vector
from tests.factored.duel import SEEDS, draw_means
from tests.naive import factored as naive


def padded(rows, filler=math.nan):
    table = np.full((len(rows), max(map(len, rows))), filler)
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table


def worth(values, costs, scale, action):
    """scale * prod value - sum cost."""
    product = math.prod(row[j] for row, j in zip(values, action, strict=True))
    return scale * product - sum(row[j] for row, j in zip(costs, action, strict=True))


def attained(values, costs, scale):
    """What the dynamic program's vector is worth, and what the best of all vectors is."""
    sizes = np.array([len(row) for row in values], np.int64)
    action = best_vector(padded(values), padded(costs), sizes, scale).tolist()
    everything = itertools.product(*(range(len(row)) for row in values))
    return worth(values, costs, scale, action), max(worth(values, costs, scale, a) for a in everything)


SHORT = st.integers(1, 4)
WHOLE = st.integers(0, 6).map(float)  # ties, zeros and equal slopes are common, and the arithmetic is exact
REAL = st.floats(0, 3)


@st.composite
def programs(draw, entries):
    sizes = draw(st.lists(SHORT, min_size=1, max_size=4))
    rows = [[draw(st.tuples(entries, entries)) for _ in range(k)] for k in sizes]
    values, costs = ([[both[part] for both in row] for row in rows] for part in (0, 1))
    return values, costs, draw(st.sampled_from([1.0, 2.0, 0.25, 1000.0]))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(programs(WHOLE))
def test_dynamic_program_is_brute_force_exactly(program):
    got, best = attained(*program)
    assert got == best


@settings(max_examples=200, deadline=None, derandomize=True)
@given(programs(REAL))
def test_dynamic_program_is_brute_force(program):
    got, best = attained(*program)
    assert got == pytest.approx(best, rel=1e-12, abs=1e-12)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(st.tuples(REAL, REAL), min_size=1, max_size=5), st.lists(st.tuples(REAL, REAL), min_size=1, max_size=5))
def test_pricing_is_the_nested_rule(budgets, prices):
    """Best price whatever the budget, then the best budget at that price (Appendix A.1)."""
    top = max(p * u for p, u in prices)
    nested = max(top * u - b for u, b in budgets)
    values = [[u for u, _ in budgets], [p * u for p, u in prices]]
    got, best = attained(values, [[b for _, b in budgets], [0.0] * len(prices)], 1.0)
    assert got == pytest.approx(nested, rel=1e-12, abs=1e-12) and best == pytest.approx(nested, rel=1e-12, abs=1e-12)


def test_two_costs_are_not_separable():
    """Either upgrade alone gains .1875 and costs .4; both together pay."""
    values, costs = np.array([[0.25, 1.0]] * 2), np.array([[0.0, 0.4]] * 2)
    assert best_vector(values, costs, np.array([2, 2]), 1.0).tolist() == [1, 1]


NEARLY_COLLINEAR = (
    [
        [1.225739208266581, 1.2257392085253067],
        [0.8038678482558168, 0.8038678483689358],
        [2.311155074119909, 2.3111550743496405],
        [2.0241117554159587, 2.0241117554710173],
    ],
    [[0.0, 2.1107750505821871e-10], [1.0, 1.0000000001407183], [5.964073817226358e-08, 1.5904196845936954e-07]]
    + [[1.0, 1.0000000000272014]],
)


def test_chains_that_rounding_makes_longer():
    """Exact arithmetic leaves at most five points; on nearly equal slopes rounding leaves six."""
    got, best = attained(*NEARLY_COLLINEAR, 1.0)
    assert got == pytest.approx(best, rel=1e-12)


def test_chains_on_nearly_equal_slopes():
    rng = np.random.default_rng(0)
    for _ in range(2000):
        sizes, tiny = rng.integers(2, 4, rng.integers(2, 5)), 10.0 ** rng.uniform(-15, -6)
        steps = [np.sort(rng.integers(0, 9, k)) * tiny for k in sizes]
        values = [rng.uniform(0.3, 3.0) * (1 + step) for step in steps]
        costs = [rng.choice([0.0, 1.0, 100.0]) + step * rng.choice([1.0, 1e3]) for step in steps]
        got, best = attained(values, costs, 1.0)
        assert got == pytest.approx(best, rel=1e-12, abs=1e-12)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    ks=st.lists(SHORT, min_size=1, max_size=3),
    seed=SEEDS,
    noise=st.sampled_from([0.0, 0.4, 1.5]),
    low=st.sampled_from([0.0, 1.0, 3.0]),
    cap=st.booleans(),
    costly=st.sampled_from(["none", "first", "all"]),
)
def test_attains_the_largest_optimistic_value(ks, seed, noise, low, cap, costly):
    """Round by round against all vectors, same observations, negative ones too; the same vector if only one is best."""
    rng = np.random.default_rng([seed, 3])
    means, multipliers = draw_means(ks, seed), [rng.uniform(0, 2, k) for k in ks]
    priced = {"none": 0, "first": 1, "all": len(ks)}[costly]
    costs = [rng.uniform(0, 0.5, k) if i < priced else np.zeros(k) for i, k in enumerate(ks)]
    sigma, scale = rng.uniform(0.1, 0.6, len(ks)), 1.5
    policy = factored.priced_fucb(ks, sigma, multipliers, costs, scale, cap=cap)
    twin = naive.PricedFUCB(ks, sigma, multipliers, costs, scale, cap=cap)
    state, vectors = policy.init(rng), naive.all_vectors(ks)
    for t in range(60):
        action = policy.select(state, t, rng)
        if t < max(ks):
            assert action.tolist() == twin.select()
        else:
            values = sorted(((twin.value(a), a) for a in vectors), reverse=True)
            near = 1e-11 * (1 + abs(values[0][0]))
            assert abs(twin.value(action) - values[0][0]) <= near
            if len(values) == 1 or values[1][0] < values[0][0] - near:
                assert tuple(action.tolist()) == values[0][1]
        x = [row[j] - low + noise * rng.standard_normal() for row, j in zip(means, action, strict=True)]
        twin.update(action.tolist(), x, 0.0)
        state = policy.update(state, action, factored.environments.Observation(np.array(x), 0.0), t, rng)


def test_without_prices_it_is_fucb():
    """Multipliers 1 and costs 0: the same separate maxima, as long as no index is negative."""
    ks, rng = [3, 2, 4], np.random.default_rng(0)
    free, ones = [np.zeros(k) for k in ks], [np.ones(k) for k in ks]
    policies = [factored.fucb(ks, 0.3), factored.priced_fucb(ks, 0.3, ones, free, scale=7.0)]
    means, states = [0.5 + 0.5 * row for row in draw_means(ks, 1)], [p.init(rng) for p in policies]
    traces = [[], []]
    for t in range(max(ks), 300):
        for q, policy in enumerate(policies):
            if t == max(ks):  # the sweeps differ: one waits at its best option where the other goes round
                for j in range(max(ks)):
                    x = np.array([row[j % k] for row, k in zip(means, ks, strict=True)])
                    seen = factored.environments.Observation(x, 0.0)
                    states[q] = policy.update(states[q], np.array([j % k for k in ks]), seen, j, rng)
            action = policy.select(states[q], t, rng)
            traces[q].append(action.tolist())
            x = np.array([row[j] for row, j in zip(means, action, strict=True)])
            states[q] = policy.update(states[q], action, factored.environments.Observation(x, 0.0), t, rng)
    assert traces[0] == traces[1]


PRICING = factored.pricing([0.2, 0.6, 0.9], [0.05, 0.1, 0.5], [0.9, 0.5, 0.1], [0.5, 1.0, 1.5], sigma=0.1)
COSTS = [[0.1, 0.3], [0.0, 0.1, 0.2], [0.1]]
LINE = factored.manufacturing([[0.6, 0.9], [0.5, 0.7, 0.95], [0.8]], COSTS, 2.0, sigma=0.2)


def rows(table, sizes):
    return [row[:k] for row, k in zip(table, sizes, strict=True)]


@pytest.mark.parametrize("environment, cap", [(PRICING, True), (LINE, True), (PRICING, False)])
def test_learns_and_stays_below_its_bound(environment, cap):
    """Mean of 10 runs plus four standard errors below the bound (of capped indices), and far below uniform play."""
    sizes, scale = environment.sizes.tolist(), environment.scale
    multipliers, costs = (rows(table, sizes) for table in (environment.multipliers, environment.costs))
    policy = factored.priced_fucb(sizes, environment.sigma, multipliers, costs, scale, cap=cap)
    result = bl.simulate(environment, policy, 3000, runs=10, checkpoints=20)
    high = (result.summary()["mean"] + 4 * result.summary()["se"]).to_numpy()
    bound = factored.bounds.priced_upper(
        multipliers, costs, scale, environment.sigma, result.checkpoints, 4.0, cap=True
    )
    assert (high <= bound).all()
    uniform = np.mean([environment.regret(None, np.array(a), 0) for a in naive.all_vectors(sizes)])
    assert 0 < high[-1] < 0.3 * 3000 * uniform


GOOD = dict(arms=[2, 1], sigma=0.5, multipliers=[[1, 2], [1]], costs=[[0, 1], [0]], scale=1.0)


def test_warns_where_no_theorem_holds():
    with pytest.warns(UserWarning, match="Theorems 4.1 and 4.2 ask for alpha > 2") as caught:
        factored.priced_fucb(**GOOD, alpha=2.0)
    assert caught[0].filename == __file__


def test_a_cap_is_a_ceiling():
    assert factored.priced_fucb(**GOOD).ceiling == math.inf and factored.priced_fucb(**GOOD, cap=True).ceiling == 1.0
