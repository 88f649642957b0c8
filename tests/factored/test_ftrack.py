"""F-Track: traces, plan, recovery, diagnostics, and the law of its misidentification."""

import math

import numpy as np
import pytest
from factored import ftrack_law
from hypothesis import given, settings
from hypothesis import strategies as st

import banditlab as bl
from banditlab import factored
from banditlab.engine.loop import run
from banditlab.factored.policies.ftrack import ENDLESS, RECOVERY, SUCCESS, WARMUP
from banditlab.user_code.contract import make_streams
from tests.factored.duel import SEEDS, SIZES, Shifted, draw_means, duel, feed, gaussian
from tests.kernels import compile_for
from tests.naive import factored as naive

HORIZON = 160
READINGS = [
    dict(),
    dict(n0_mult=4.0),
    dict(n0_mult=0.3),
    dict(eps_div=6.0, c=2.0),
    dict(truncate=False),
    dict(truncate=False, n0_mult=2.0),
    dict(eps_div=100.0, alpha=3.0),
    dict(eps_div=100.0, truncate=False),
    dict(n0_mult=3.0, eps_div=6.0),
    dict(rows="best"),
    dict(rows="best", truncate=False),
    dict(eps_div=100.0, recovery="keep"),
    dict(n0_mult=10.0, eps_div=1e6, recovery="keep"),
]


def words(reading):
    return "-".join(f"{name}={value}" for name, value in reading.items()) or "as printed"


def pair(ks, sigma, horizon, **reading):
    return factored.ftrack(ks, sigma, horizon, **reading), naive.FTrack(ks, sigma, horizon, **reading)


def layout(state):
    """The slices of a plan as (length, vector)."""
    lengths = state.plan.lengths
    used = int(np.count_nonzero(lengths))
    assert not lengths[used:].any()
    return [
        (math.inf if n == ENDLESS else n, tuple(v))
        for n, v in zip(lengths[:used], state.plan.vectors.tolist(), strict=False)
    ]


def literal(policy, means):
    """The same by the twin, from these means after the warm-up."""
    rows = "worst" if policy.worst_first else "best"
    slices = naive.ftrack_plan(means, policy.lead.tolist(), policy.horizon - policy.warmup, policy.truncate, rows)
    return [(math.inf if length >= ENDLESS else length, vector) for length, vector in slices]


def frozen(policy, state):
    """The means after the warm-up."""
    return [state.frozen[i, :k].tolist() for i, k in enumerate(policy.arms)]


def close(policy, state, means):
    """The means after the warm-up, which are these up to rounding (a sum of n equal numbers over n)."""
    found = frozen(policy, state)
    for row, exact in zip(found, means, strict=True):
        assert row == pytest.approx(exact, rel=1e-15, abs=1e-300)
    return found


@pytest.mark.parametrize("reading", READINGS, ids=words)
@settings(max_examples=10, deadline=None, derandomize=True)
@given(ks=SIZES, seed=SEEDS, noise=st.sampled_from([0.0, 0.5]), several=st.booleans())
def test_plays_as_its_twin(reading, ks, seed, noise, several):
    sigma = np.linspace(0.2, 0.6, len(ks)) if several else 0.5
    policy, twin = pair(ks, sigma, HORIZON, **reading)
    state, _ = duel(policy, twin, gaussian(draw_means(ks, seed), noise), HORIZON, seed)
    assert (state.phase == RECOVERY) == twin.recovered and policy.warmup == twin.warmup
    assert policy.allowed == pytest.approx([2 * eps for eps in twin.eps], rel=1e-13)
    assert layout(state) == literal(policy, twin.means0)


def test_plays_as_its_twin_in_a_long_run_of_many_components():
    ks = [2, 3, 1, 5, 2, 4]
    for truncate in (True, False):
        duel(*pair(ks, 0.3, 1500, truncate=truncate), gaussian(draw_means(ks, 3), 0.3), 1500, seed=3)


def test_components_without_a_choice_are_played_all_the_same():
    state, actions = duel(*pair([1, 1], 0.5, 30), gaussian([[0.3], [0.6]], 0.5), 30)
    assert actions == [[0, 0]] * 30 and layout(state) == [(28.0, (0, 0))]


GRID = st.sampled_from([-0.5, 0.0, 0.25, 1 / 3, 0.5, 2 / 3, 1.0]) | st.floats(-1, 2).map(lambda x: round(x, 4))
TABLES = st.lists(st.lists(GRID, min_size=1, max_size=4), min_size=1, max_size=4)


def planned(policy, means):
    """The state after a warm-up without noise, whose means are these up to rounding."""
    rounds = [[row[t % len(row)] for row in means] for t in range(policy.warmup)]
    return feed(policy, rounds, np.random.default_rng(0))[0]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(TABLES, st.integers(60, 10**6), st.booleans(), st.sampled_from(["worst", "best"]))
def test_plan_is_the_packing_of_the_frozen_means(means, horizon, truncate, rows):
    """Any means, also tied, negative, and with gaps of rounding size."""
    policy = factored.ftrack([len(row) for row in means], 0.4, horizon, truncate=truncate, rows=rows)
    state = planned(policy, means)
    slices = layout(state)
    assert slices == literal(policy, close(policy, state, means))
    assert len({vector for _, vector in slices}) == len(slices) <= sum(len(row) - 1 for row in means) + 2 - truncate
    if truncate:
        assert sum(length for length, _ in slices) == horizon - policy.warmup


def final(environment, policy, horizon, seed):
    """Regret and final state of one compiled run."""
    args = environment, policy, np.array([horizon]), (), np.zeros(2, np.int64), *make_streams(seed, 0)
    regret, _, state = compile_for(run, *args)(*args)
    return regret[0], state


THIRDS = [1 / 3, 0.33333333333333337]  # running means of (1, 0, 0) and of (0, 0, 1)


@pytest.mark.parametrize("truncate", [True, False])
@pytest.mark.parametrize(
    "means", [[THIRDS], [[0.0, *THIRDS], [0.5, 0.9]], [[0.5, 0.5 + 1e-10], [0.2, 0.9]], [[0.7, 0.7]]]
)
def test_compiled_plan_with_tiny_gaps(means, truncate):
    """A gap of rounding size asks for more pulls than an int64 holds."""
    policy = factored.ftrack([len(row) for row in means], 0.5, 200, truncate=truncate)
    state = planned(policy, means)
    assert layout(state) == literal(policy, close(policy, state, means))
    _, state = final(gaussian(means, 0.0), policy, 200, seed=0)
    assert layout(state) == literal(policy, close(policy, state, means))


def test_plan_of_gaps_whose_squares_underflow():
    policy = factored.ftrack([2], 0.5, 200)
    for tiny in (1e-170, 5e-324):
        assert layout(planned(policy, [[0.0, tiny]])) == [(200.0 - policy.warmup, (0,))]


@pytest.mark.parametrize("means, n0_mult", [([[1.0, 0.5]] * 5, 1.0), ([[0.4, 0.9, 0.6], [0.7, 0.2]], 3.0)])
def test_regret_is_warmup_plus_plan(means, n0_mult):
    """Without recovery the regret is a deterministic function of the frozen means; tolerance: rounding of 2000 sums."""
    ks, horizon = [len(row) for row in means], 2000
    policy, environment = factored.ftrack(ks, 0.5, horizon, n0_mult=n0_mult), factored.gaussian(means, 0.5)
    warm = sum(naive.vector_gap(means, [t % k for k in ks]) for t in range(policy.warmup))
    regrets = set()
    for seed in range(60):
        regret, state = final(environment, policy, horizon, seed)
        slices = literal(policy, frozen(policy, state))
        expected = warm + sum(length * naive.vector_gap(means, vector) for length, vector in slices)
        assert state.phase == SUCCESS and regret == pytest.approx(expected, rel=1e-11)
        left, sweep = state.plan.left, state.plan.sweep
        assert left == 0 and sweep == state.plan.lengths.max(), "the plan was not played to its end"
        regrets.add(regret)
    assert len(regrets) == 60


@pytest.mark.parametrize("ks, truncate", [([2], True), ([2, 3], True), ([2, 3], False)])
def test_recovery_after_a_shift_restarts_fucb(ks, truncate):
    """The first round in which a running mean is off by more than 2 epsilon starts F-UCB afresh, its clock at 1."""
    before, after = [np.linspace(1.0, 0.5, k) for k in ks], [np.linspace(0.0, 0.8, k) for k in ks]
    horizon, sigma = 1000, 0.1
    policy, twin = pair(ks, sigma, horizon, truncate=truncate)
    environment = Shifted(gaussian(before, 0.02), gaussian(after, 0.02), np.full(1, policy.warmup))
    state, actions = duel(policy, twin, environment, 300, seed=5)
    start = state.start
    assert twin.recovered and state.phase == RECOVERY and policy.warmup < start < 200
    assert policy.diagnostics(None, state) == {"recovered": 1.0, "settled": 0.0}
    for i, k in enumerate(ks):
        assert [a[i] for a in actions[start : start + k]] == list(range(k)), "no fresh sweep"
        assert state.options.pulls[i, :k].sum() == 300 - start, "statistics from before the recovery were kept"
    assert all(a[i] == k - 1 for a in actions[-20:] for i, k in enumerate(ks)), "the shifted best vector was not found"


def test_recovery_with_a_small_tolerance():
    """With eps_div large the noise of the first pulls after the warm-up is enough."""
    policy, twin = pair([2, 3], 0.5, 300, eps_div=1e8)
    state, _ = duel(policy, twin, gaussian([[0.5, 0.9], [0.2, 0.6, 0.4]], 0.5), 300)
    assert twin.recovered and state.start == policy.warmup + 1
    _, state = final(factored.gaussian([[0.5, 0.9], [0.2, 0.6, 0.4]], 0.5), policy, 300, seed=1)
    assert state.phase == RECOVERY and state.start == policy.warmup + 1


def test_recovery_that_keeps_data_and_clock():
    """The released code: its first action is F-UCB's on all observations so far."""
    policy, twin = pair([2, 3], 0.5, 300, eps_div=1e8, recovery="keep")
    state, actions = duel(policy, twin, gaussian([[0.5, 0.9], [0.2, 0.6, 0.4]], 0.5), 300)
    assert twin.recovered and state.phase == RECOVERY and state.start == 0
    assert state.options.pulls.sum() == 2 * 300, "statistics from before the recovery were discarded"
    assert actions != duel(*pair([2, 3], 0.5, 300, eps_div=1e8), gaussian([[0.5, 0.9], [0.2, 0.6, 0.4]], 0.5), 300)[1]


def test_rows_of_the_released_code_cost_more_where_there_are_three_options():
    """Least suboptimal leftmost: the packing is no longer that of Theorem 3.4, so it costs at least as much."""
    means = [[1.0, 0.6, 0.1], [1.0, 0.9, 0.3]]
    costs = []
    for rows in ("worst", "best"):
        policy = factored.ftrack([3, 3], 0.1, 100_000, rows=rows)
        slices = layout(planned(policy, means))
        costs.append(sum(length * naive.vector_gap(means, vector) for length, vector in slices))
    assert costs[0] < costs[1]
    worst, best = (factored.ftrack([2, 2], 0.1, 1000, rows=rows) for rows in ("worst", "best"))
    assert layout(planned(worst, [[1.0, 0.6], [0.2, 0.5]])) == layout(planned(best, [[1.0, 0.6], [0.2, 0.5]]))


def test_tallies():
    environment = factored.gaussian([[0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], 0.05)
    policies = {
        "planned": factored.ftrack([2, 3, 3], 0.05, 500),
        "recovered": factored.ftrack([2, 3, 3], 0.05, 500, eps_div=1e8),
        "unplanned": factored.ftrack([2, 3, 3], 0.05, 500, n0_mult=20.0),
    }
    table = bl.simulate(environment, policies, 150, runs=3).final.groupby("policy")
    settled, recovered = table["settled"].unique(), table["recovered"].unique()
    assert settled["planned"] == settled["recovered"] == [1 * 9 + 0 * 3 + 2] and settled["unplanned"] == [-1]
    assert recovered["planned"] == recovered["unplanned"] == [0] and recovered["recovered"] == [1]


def test_many_components():
    """2^70 vectors: more than an int64 can number."""
    table = bl.simulate(factored.gaussian([[1.0, 0.2]] * 70, 0.1), factored.ftrack([2] * 70, 0.1, 300), 300).final
    assert table["regret"].iloc[0] > 0 and table["recovered"].iloc[0] == 0


@pytest.mark.parametrize("d, gap, horizon, n0_mult", [(2, 0.5, 100, 1.0), (10, 0.9, 100, 1.0), (3, 0.3, 300, 4.0)])
def test_misidentification(d, gap, horizon, n0_mult):
    """Binomial, 400 runs, 4 standard errors."""
    policy = factored.ftrack([2] * d, 0.5, horizon, n0_mult=n0_mult)
    means = [[1.0, 1.0 - gap]] * d
    table = bl.simulate(factored.gaussian(means, 0.5), policy, horizon, runs=400, seed=2, checkpoints=1).final
    chance = ftrack_law.misidentification_probability(gap, d, 0.5, policy.warmup // 2)
    wrong = table["settled"] != 0
    assert 0.05 < chance < 0.95
    assert abs(wrong.mean() - chance) < 4 * math.sqrt(chance * (1 - chance) / 400)
    assert not table["recovered"].any()


def test_a_wrong_run_pays_for_ever():
    """Linear regret where the warm-up misleads, a plan of bounded length elsewhere (medians of 100 runs)."""
    policy, environment = factored.ftrack([2, 2], 0.5, 20_000), factored.gaussian([[1.0, 0.5]] * 2, 0.5)
    result = bl.simulate(environment, policy, 20_000, runs=100, seed=3, checkpoints=2)
    wrong = (result.final["settled"] != 0).to_numpy()
    late = np.diff(result.of_policy("FTrack"), axis=1)[:, 0]
    assert 5 < wrong.sum() < 30 and not result.final["recovered"].any()
    assert np.median(late[wrong]) == pytest.approx(10_000 * 0.5, rel=1e-9) and np.median(late[~wrong]) == 0.0


@pytest.mark.parametrize("horizon", [3, 4, 5])
def test_a_warmup_that_fills_the_horizon(horizon):
    """Two samples an option: the plan is made of what is left, nothing or one or two rounds."""
    policy, twin = pair([2, 1] if horizon > 3 else [1, 1], 0.5, horizon)
    assert policy.warmup == (4 if horizon > 3 else 2)
    environment = gaussian(draw_means(twin.ks, horizon), 0.5)
    state, _ = duel(policy, twin, environment, horizon)
    assert state.phase == SUCCESS and state.plan.left == 0
    begun, _ = duel(*pair(twin.ks, 0.5, horizon), environment, policy.warmup - 1)
    assert begun.phase == WARMUP and policy.diagnostics(None, begun) == {"recovered": 0.0, "settled": -1.0}
