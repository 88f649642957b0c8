"""Facts checked by hand about the slow twins of censored consumption."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.naive import censored as naive
from tests.naive import classic

COST, STRICT = naive.synthetic_cost, naive.step_penalty()
SIZE10, M1, M2 = np.linspace(0.1, 0.9, 10), [0.5, 0.9], np.linspace(0.1, 0.9, 20)
LOST = (math.nan, math.nan, True)


def gaussian(mean, x, sigma, grid):
    return naive.gaussian_arm(mean, x, sigma, grid, COST, STRICT)


def indep(b, grid):
    return naive.indep_arm(0.8, b, grid, COST, STRICT)


def optimum(table, grid):
    nu, above = table
    i, k = np.unravel_index(np.argmax(nu), nu.shape)
    return i, grid[k], nu[i, k], above[i, k]


PROBLEMS = {
    "poscorr": lambda grid: naive.table(
        [gaussian((0.6, 0.45), 0.2, 0.2, grid)] + [gaussian((0.5, 0.5), x, 0.2, grid) for x in (0.2, 0.3, 0.4, 0.6)]
    ),
    "negcorr": lambda grid: naive.table([gaussian((m, m - d), -0.2, 0.2, grid) for m, d in ((0.9, 0.1), (0.8, 0))]),
    "indep": lambda grid: naive.table([indep(0.2, grid), indep(0.3, grid)]),
    "poscorr_tables": lambda grid: naive.table([gaussian((0.9, c), 0.2, 0.2, grid) for c in (0.7, 0.8)]),
    "negcorr_tables": lambda grid: naive.table([gaussian((r, 0.8), -0.2, 0.2, grid) for r in (0.8, 0.9)]),
}
NEGCORR = [(0.12013, 0.76371), (0.14666, 0.71856), (0.13373, 0.74050)]


@pytest.mark.parametrize(
    "problem, arm, pairs",
    [
        ("poscorr", 0, [(0.21434, 0.50870), (0.24212, 0.45375), (0.22893, 0.47969)]),
        ("negcorr", 1, NEGCORR),
        ("indep", 0, [(0.41657, 0.44043), (0.44178, 0.40657), (0.43009, 0.42227)]),
        ("poscorr_tables", 0, [(None, 0.6137), (None, 0.5600), (None, 0.5856)]),
        ("negcorr_tables", 0, NEGCORR),
    ],
)
def test_optimal_pairs_of_section_7(problem, arm, pairs):
    for (nu, above), grid, best in zip(pairs, (SIZE10, M1, M2), (0.455555556, 0.5, 0.478947368), strict=True):
        i, tau, found, survival = optimum(PROBLEMS[problem](grid), grid)
        assert i == arm and tau == pytest.approx(best, abs=1e-8)
        assert survival == pytest.approx(above, abs=6e-5 if nu is None else 6e-6)
        assert nu is None or found == pytest.approx(nu, abs=6e-6)


def test_first_arm_of_negcorr():
    """It is not the best one: the gap is .002 to .003."""
    for grid, k, nu, above in [(SIZE10, 4, 0.11751, 0.7766), (M1, 0, 0.14464, 0.7325), (M2, 9, 0.13139, 0.7540)]:
        table = PROBLEMS["negcorr"](grid)
        assert table[0][0, k] == pytest.approx(nu, abs=6e-6) and table[1][0, k] == pytest.approx(above, abs=6e-5)
        assert 0.002 <= table[0][1, k] - table[0][0, k] <= 0.003


def test_many_arms_and_low_censoring():
    grid = np.linspace(0.1, 0.9, 5)
    for n in (20, 50, 80):
        arms = [gaussian((0.9 * (1 - i / n), 0.3 + 0.7 * i / n), 0.2, 0.2, grid) for i in (0, 1, n // 2)]
        i, tau, nu, above = optimum(naive.table(arms), grid)
        assert i == 0 and tau == pytest.approx(0.5, abs=1e-12)
        assert nu == pytest.approx(0.40564, abs=6e-6) and above == pytest.approx(0.31946, abs=6e-6)
    grid = np.linspace(0.1, 0.6, 10)
    arms = [gaussian((0.9 * (1 - i / 5), 0.0), 0.2, 0.1, grid) for i in range(5)]
    i, tau, nu, above = optimum(naive.table(arms), grid)
    assert i == 0 and tau == pytest.approx(0.488888889, abs=1e-8)
    assert nu == pytest.approx(0.67940, abs=6e-6) and above == pytest.approx(0.07535, abs=6e-6)


def test_literal_grid_has_its_optimum_at_one():
    grid = [k / 10 for k in range(1, 11)]
    for problem, arm, nu in [("poscorr", 0, 0.4958), ("negcorr", 0, 0.6054)]:
        found = optimum(PROBLEMS[problem](grid), grid)
        assert found[:2] == (arm, 1.0) and found[2] == pytest.approx(nu, abs=6e-5) and found[3] == 0
    assert optimum(PROBLEMS["indep"](grid), grid)[:2] == (0, 0.5)


def test_indep_is_the_closed_form_of_section_3_2():
    grid = [0.05, 0.5, 0.500001, 0.9, 3.0]
    nu, above = indep(0.3, grid)
    rate = 0.8 / 1.1 + 1
    for tau, value, survival in zip(grid, nu, above, strict=True):
        e = math.exp(-rate * tau)
        wanted = 0.8 / 1.1 * (1 - e) - (1 - e * (1 + rate * tau)) / rate / 10 - STRICT(tau) * e
        assert value == pytest.approx(wanted, abs=1e-10) and survival == pytest.approx(e, abs=1e-10)


def test_gaussian_arm_against_draws():
    """20,000 draws by rejection; four standard errors."""
    mean, x, sigma, grid = (0.6, 0.45), 0.4, 0.2, [0.2, 0.5, 0.8]
    rng = np.random.default_rng(1)
    draws = np.array([naive.truncated_gaussian_pair(mean, x, sigma, rng) for _ in range(20_000)])
    nu, above = gaussian(mean, x, sigma, grid)
    for tau, value, survival in zip(grid, nu, above, strict=True):
        within = draws[:, 1] <= tau
        gain = np.where(within, draws[:, 0] - draws[:, 1] / 10, -STRICT(tau))
        assert abs(gain.mean() - value) <= 4 * gain.std() / math.sqrt(len(gain))
        assert abs((~within).mean() - survival) <= 4 * math.sqrt(survival * (1 - survival) / len(gain))
    assert np.corrcoef(draws.T)[0, 1] > 0.2


def test_correlations_and_penalties():
    for x, rho in [(0.2, 0.3919), (0.3, 0.5724), (0.4, 0.7332), (0.6, 0.96)]:
        assert naive.correlation(x) == pytest.approx(rho, abs=5e-5) and naive.correlation(-x) == -naive.correlation(x)
    assert [STRICT(x) for x in (0.3, 0.5, 0.5 + 1e-12, 0.6)] == pytest.approx([0.03, 0.05, 0.05, 6.0], rel=1e-9)
    soft = naive.step_penalty(0.99, 5.0)
    assert [soft(x) for x in (0.99, 1.0)] == pytest.approx([0.099, 5.0])


def test_examples_of_section_3_4():
    """Best of (complex, medium, simple) at each limit."""
    grid = [round(0.02 * k, 2) for k in range(1, 23)] + [0.45, 0.46, 0.47, 0.48, 0.5, 0.75, 0.99]
    soft = naive.step_penalty(0.99, 5.0)
    means = [(0.8, 0.8), (0.5, 0.4), (0.3, 0.2)]
    nu = np.array([naive.gaussian_arm(mean, 0.2, 0.02, grid, COST, soft)[0] for mean in means])
    best = dict(zip(grid, np.argmax(nu, axis=0), strict=True))  # both penalties are x / 10 up to .5
    assert all(best[tau] == 2 for tau in grid if 0.1 <= tau <= 0.46)
    assert all(best[tau] == 1 for tau in (0.47, 0.48, 0.5))
    assert 0 not in {best[tau] for tau in grid if tau <= 0.5}
    assert nu[0, -1] == nu[0].max() == pytest.approx(0.686, abs=5e-4)
    assert nu[1].max() == pytest.approx(0.460, abs=1e-3) and nu[2].max() == pytest.approx(0.291, abs=1e-3)


def test_best_limit_of_the_zooming_experiment():
    """Quadratic penalty 4 x^2, first Indep arm."""
    grid = np.linspace(0.2, 0.24, 401)
    nu, _ = naive.indep_arm(0.8, 0.2, grid, COST, lambda x: 4 * x * x)
    assert max(nu) == pytest.approx(0.12795, abs=6e-6)
    assert grid[int(np.argmax(nu))] == pytest.approx(0.2178, abs=1.5e-4)


GRID = [0.25, 0.5, 1.0]


def seen(*rounds):
    """Statistics of arm 0 after rounds (limit, outcome); the cost is free."""
    statistics = naive.Statistics(lambda x: 0.0)
    statistics.rounds = [(0, limit, outcome) for limit, outcome in rounds]
    return statistics


def test_definitions_8_and_9_on_five_rounds():
    rounds = [(1.0, (0.5, 0.375, False)), (0.5, LOST), (0.25, LOST), (0.5, (1.0, 0.125, False)), (1.0, LOST)]
    facts = seen(*rounds)
    assert [facts.N(0, tau) for tau in GRID] == [5, 4, 2] and facts.N0(0) == 5
    assert [facts.pulls(0, tau) for tau in GRID] == [1, 2, 2]
    assert [facts.G(0, tau) for tau in GRID] == [1.0, 1.5, 0.5]
    assert [facts.K(0, tau) for tau in GRID] == [4, 2, 1]
    assert [facts.survival(0, tau, "consistent") for tau in GRID] == [4 / 5, 2 / 4, 1 / 2]
    assert [facts.survival(0, tau, "known_only") for tau in GRID] == [4 / 5, 2 / 5, 1 / 5]
    assert [facts.survival(0, tau, "carry_up") for tau in GRID] == [4 / 5, 3 / 5, 3 / 5]


def test_rcucb_starts_with_the_largest_limit_and_its_index_by_hand():

    def pen(x):
        return 2 * x

    twins = {w: naive.RCUCB(2, GRID, lambda x: x, pen, alpha=2.0, width=w) for w in ("printed", "gain_only")}
    twins["normalised"] = naive.RCUCB(2, GRID, lambda x: x, pen, alpha=2.0, width="normalised", lambda_max=3.0)
    for policy in twins.values():
        assert policy.select() == (0, 2)
        policy.update((0, 2), (0.75, 0.375, False))
        assert policy.select() == (1, 2)
        policy.update((1, 2), LOST)
        policy.update((0, 1), LOST)
        assert [policy.estimate(0, k) for k in range(3)] == [-0.5, 0.1875 - 0.5, 0.375]
        assert [policy.estimate(1, k) for k in range(3)] == [-0.5, -1.0, -2.0]
    log = math.log(4)
    for name, factor in [("printed", 1.0), ("gain_only", 0.0), ("normalised", 0.25)]:
        for (arm, k), N, N0 in [((0, 0), 2, 2), ((0, 1), 2, 2), ((0, 2), 1, 2), ((1, 1), 1, 1)]:
            wanted = math.sqrt(4 * log / N) + factor * 2 * GRID[k] * math.sqrt(4 * log / N0)
            index = twins[name].index(arm, k) - twins[name].estimate(arm, k)
            assert index == pytest.approx(wanted, rel=1e-14)
    assert twins["gain_only"].select() == (0, 2) and twins["printed"].select() == (0, 2)


def test_default_lambda_max_is_the_penalty_of_the_largest_limit():
    assert naive.RCUCB(1, SIZE10, COST, STRICT).lambda_max == pytest.approx(9, rel=1e-12)
    assert naive.UCB(1, SIZE10, COST, STRICT, lambda_max=10.0).lambda_max == 10


def test_ties_go_to_the_lowest_pair_or_to_a_draw():
    class Half:
        def random(self):
            return 0.5

    pairs = naive.all_pairs(2, GRID)
    assert pairs == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    assert naive.best_pair(pairs, lambda arm, k: k % 2) == (0, 1)
    assert naive.best_pair(pairs, lambda arm, k: k % 2, Half()) == (1, 1)
    assert naive.best_pair(pairs, lambda arm, k: arm + k, rng="never asked") == (1, 2)


def test_rcucb_without_limits_is_ucb1():
    """Remark 1: limit 0, no consumption, no cost, no penalty."""

    def free(x):
        return 0.0

    rng = np.random.default_rng(5)
    rewards = rng.random((4, 200)) * np.array([[0.5], [0.9], [0.8], [1.0]])
    ours, theirs = naive.RCUCB(4, [0.0], free, free, alpha=1.0), classic.UCB1(4, alpha=2.0)
    world, traces = naive.Replay([[(r, 0.0) for r in row] for row in rewards.tolist()]), [[], []]
    for _ in range(200):
        arm, limit = ours.select()
        assert limit == 0
        outcome = world.pull(arm, 0.0)
        ours.update((arm, 0), outcome)
        traces[0].append(arm)
        arm = theirs.select()
        theirs.update(arm, rewards[arm, traces[1].count(arm)])
        traces[1].append(arm)
    assert traces[0] == traces[1] and set(traces[0][4:]) == {0, 1, 2, 3}


def random_world(seed, arms, rounds):
    rng = np.random.default_rng(seed)
    return naive.Replay([[tuple(rng.random(2).tolist()) for _ in range(rounds)] for _ in range(arms)])


def play(policy, world, rounds, limit_of):
    actions = []
    for _ in range(rounds):
        action = policy.select()
        policy.update(action, world.pull(action[0], limit_of(action[1])))
        actions.append(action)
    return actions


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["consistent", "carry_up", "known_only"]))
def test_monotone_structure(seed, survival):
    policy = naive.RCUCB(2, GRID, COST, STRICT, survival=survival, width="gain_only")
    actions = play(policy, random_world(seed, 2, 60), 60, GRID.__getitem__)
    facts = policy.statistics
    for arm in range(2):
        N = [facts.N(arm, tau) for tau in GRID] + [0]
        assert N[0] == facts.N0(arm) and N == sorted(N, reverse=True)
        assert [facts.pulls(arm, tau) for tau in GRID] == [N[k] - N[k + 1] for k in range(3)]
        known = [facts.survival(arm, tau, "known_only") for tau in GRID]
        carried = [facts.survival(arm, tau, "carry_up") for tau in GRID]
        consistent = [facts.survival(arm, tau, "consistent") for tau in GRID]
        assert known[0] == carried[0] == consistent[0]
        assert all(low <= middle and low <= high for low, middle, high in zip(known, consistent, carried, strict=True))
    assert sum(facts.pulls(arm, tau) for arm in range(2) for tau in GRID) == len(actions)


def test_replay_censors_strictly_above_the_limit():
    world = naive.Replay([[(0.5, 0.5), (0.25, 0.5)]])
    assert world.pull(0, 0.5) == (0.5, 0.5, False)
    lost = world.pull(0, 0.49)
    assert lost[2] and math.isnan(lost[0]) and math.isnan(lost[1])


def test_ucb_plays_every_pair_once_and_its_index_by_hand():
    policy = naive.UCB(2, [0.5, 1.0], lambda x: x, lambda x: 3 * x)
    outcomes = [(1.0, 0.25, False), LOST, (0.5, 0.5, False), (0.5, 0.75, False)]
    for pair, outcome in zip([(0, 0), (0, 1), (1, 0), (1, 1)], outcomes, strict=True):
        assert policy.select() == pair
        policy.update(pair, outcome)
    assert policy.gains == {(0, 0): [0.75], (0, 1): [-3.0], (1, 0): [0.0], (1, 1): [-0.25]}
    policy.update((0, 0), LOST)
    assert policy.index(0, 0) == pytest.approx((-0.375 + 3) / 4 + math.sqrt(math.log(6) / 4), rel=1e-14)
    assert policy.index(0, 1) == pytest.approx(math.sqrt(math.log(6) / 2), rel=1e-14)
    assert policy.select() == (1, 0)


class Scripted:
    """Uniforms that are given; the beta draw is the posterior mean; all calls are noted."""

    def __init__(self, uniforms=()):
        self.uniforms, self.calls = list(uniforms), []

    def random(self):
        self.calls.append("uniform")
        return self.uniforms.pop(0)

    def beta(self, a, b):
        self.calls.append((a, b))
        return a / (a + b)


@pytest.mark.parametrize(
    "ts_update, outcome, played, chances",
    [
        ("per_tau", (0.75, 0.375, False), 2, [2.5 / 4, 3.375 / 4, 3.375 / 4]),
        ("per_tau", LOST, 1, [2.25 / 4, 1.5 / 4]),
        ("played_outcome", (0.75, 0.375, False), 2, [3.375 / 4] * 3),
        ("played_outcome", LOST, 1, [1.5 / 4] * 2),
        ("naive", LOST, 1, [None, 1.5 / 4]),
    ],
)
def test_thompson_trials_by_hand(ts_update, outcome, played, chances):
    """Penalty 3 x, so limits .25, .5, 1 cost .75, 1.5, 3; a uniform at the chance fails, one below it succeeds."""
    if ts_update == "per_tau" and not outcome[2]:
        chances = [2.25 / 4, *chances[1:]]  # consumption .375 exceeds the limit .25
    asked = [chance for chance in chances if chance is not None]
    for uniforms, successes in [(asked, 0), ([chance - 1e-9 for chance in asked], 1)]:
        policy = naive.ThompsonSampling(1, GRID, lambda x: x, lambda x: 3 * x, Scripted(uniforms), ts_update)
        policy.update((0, played), outcome)
        wanted = [[] if chance is None else [bool(successes)] for chance in chances] + [[]] * (2 - played)
        assert [policy.trials[0, k] for k in range(3)] == wanted
        assert policy.rng.uniforms == []


def test_thompson_draws_all_pairs_after_the_first_sweep():
    rng = Scripted([0.0] * 100)
    policy = naive.ThompsonSampling(2, [0.5, 1.0], COST, STRICT, rng)
    for pair in [(0, 0), (0, 1), (1, 0), (1, 1)]:
        assert policy.select() == pair
        policy.update(pair, (1.0, 0.1, False))
    assert rng.calls == ["uniform"] * 6
    assert policy.select() == (0, 0)
    assert rng.calls[6:] == [(3, 1), (2, 1), (3, 1), (2, 1)]


def test_thompson_chance_is_clipped():
    policy = naive.ThompsonSampling(1, [1.0], lambda x: 5 * x, lambda x: x, Scripted())
    assert policy.chance((0.0, 0.9, False), 1.0) == 0.0 and policy.chance((1.0, 0.0, False), 1.0) == 1.0


def test_figure_3():
    policy = naive.ZRCUCB(1, 1.0, COST, STRICT, 100, m=4)
    assert policy.grid(0) == [1.0]
    policy.split(0, 1.0)
    assert policy.grid(0) == [0.25, 0.5, 0.75, 1.0]
    policy.split(0, 0.25)
    policy.split(0, 0.5)
    assert policy.grid(0) == [0.0625, 0.125, 0.1875, 0.25, 0.3125, 0.375, 0.4375, 0.5, 0.75, 1.0]
    assert [policy.cell(0, tau) for tau in (0.0625, 0.25, 0.3125, 0.75, 1.0)] == [0.0625, 0.0625, 0.0625, 0.25, 0.25]
    assert [policy.level[0][tau] for tau in (0.0625, 0.25, 0.3125, 0.5, 0.75, 1.0)] == [2, 2, 2, 2, 1, 1]


def test_first_split_of_section_4_4():
    """6687 rounds per arm with the strict penalty; the same formula decides in a game that is played."""
    wanted = 2 * math.log(10 * 10**10 / 0.1) * 121
    assert math.ceil(wanted) == 6687

    def mild(x):
        return 0.25 * x

    policy = naive.ZRCUCB(2, 1.0, COST, mild, 200, alpha=1.0, m=2, delta=0.5)
    N = math.ceil(2 * math.log(2 * 200**2 / 0.5) * 1.25**2)
    world = random_world(3, 2, 200)
    while policy.grid(0) == [1.0] and policy.grid(1) == [1.0]:
        play(policy, world, 1, lambda tau: tau)
    counts = sorted(policy.statistics.N0(arm) for arm in range(2))
    assert counts[1] == N and counts[0] < N
    split = next(arm for arm in range(2) if policy.grid(arm) == [0.5, 1.0])
    assert policy.statistics.N(split, 0.5) == policy.statistics.N(split, 1.0) == N


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([2, 4]))
def test_new_points_inherit_the_counts_of_their_cell(seed, m):
    policy = naive.ZRCUCB(2, 1.0, COST, lambda x: 0.1 * x * x, 150, alpha=1.0, m=m, delta=0.9)
    world, splits = random_world(seed, 2, 150), 0
    for _ in range(150):
        before = [policy.grid(arm) for arm in range(2)]
        (arm, _) = play(policy, world, 1, lambda tau: tau)[0]
        facts = policy.statistics
        for point in set(policy.grid(arm)) - set(before[arm]):
            end = min(tau for tau in before[arm] if tau > point)
            inside = [(r, c) for _, (r, c, lost) in facts.of(arm) if not lost and point < c <= end]
            known = [(r, c) for limit, (r, c, lost) in facts.of(arm) if limit >= end and not lost and point < c <= end]
            assert inside == known
            assert facts.N(arm, point) == facts.N(arm, end)
            assert facts.K(arm, point) == facts.K(arm, end) + len(known)
            moved = sum(r - COST(c) for r, c in known)
            assert facts.G(arm, point) == pytest.approx(facts.G(arm, end) - moved, abs=1e-12)
            splits += 1
        level = max(max(levels.values()) for levels in policy.level)
        assert all((tau * m**level).is_integer() for tau in policy.grid(arm))
        assert all(policy.cell(arm, tau) == float(m) ** -policy.level[arm][tau] for tau in policy.grid(arm))
    assert splits > 0


def test_zooming_plays_every_arm_first_and_recommends():
    policy = naive.ZRCUCB(3, 1.0, COST, lambda x: 0.0, 90, alpha=1.0, m=2, delta=0.9)
    world = naive.Replay([[(0.5, 0.2)] * 90, [(1.0, 0.9)] * 90, [(0.25, 0.2)] * 90])
    assert [arm for arm, _ in play(policy, world, 3, lambda tau: tau)] == [0, 1, 2]
    policy.split(1, 1.0)
    policy.split(2, 1.0)
    policy.split(2, 0.5)
    assert policy.recommend_finest() == (2, 0.25)
    assert policy.estimate(1, 0.5) == 0.0 and policy.estimate(1, 1.0) == pytest.approx(0.91)
    assert policy.recommend_lower() == (1, 1.0)


def test_zooming_index_by_hand():
    """Counts differ from N_0 where a smaller limit was played; an unplayed arm comes first."""
    policy = naive.ZRCUCB(2, 1.0, lambda x: x, lambda x: x, 10, alpha=1.5, m=2, delta=0.5)
    policy.level[0] = {0.25: 2, 0.5: 2, 1.0: 1}
    for tau, outcome in [(1.0, (0.75, 0.375, False)), (0.5, LOST), (0.25, LOST), (0.5, (1.0, 0.125, False))]:
        policy.statistics.rounds.append((0, tau, outcome))
    log = math.log(2 * 100 / 0.5)
    for tau, estimate, N, cell in [
        (0.25, 0.875 / 4 - 3 / 16, 4, 0.25),
        (0.5, 1.25 / 3 - 1 / 6, 3, 0.25),
        (1, 0.375, 1, 0.5),
    ]:
        radius = math.sqrt(3 * log / N) + tau * math.sqrt(3 * log / 4)
        assert policy.estimate(0, tau) == pytest.approx(estimate, rel=1e-14)
        assert policy.radius(0, tau) == pytest.approx(radius, rel=1e-14)
        assert policy.index(0, tau) == pytest.approx(estimate + radius + cell, rel=1e-14)
    assert policy.select() == (1, 1.0)


def test_lower_bound_recommendation_prefers_what_is_known():
    policy = naive.ZRCUCB(2, 1.0, COST, lambda x: 0.0, 10)
    policy.statistics.rounds = [(0, 1.0, (0.5, 0.0, False))] * 50 + [(1, 1.0, (1.0, 0.0, False))]
    assert policy.recommend_lower() == (0, 1.0)
    assert policy.recommend_finest() == (1, 1.0)


def test_proposition_1():
    assert naive.proposition1(2, 100) == pytest.approx(0.05325, abs=5e-6)
    assert naive.proposition1(2, 1000) == pytest.approx(0.003607, abs=5e-7)


def test_bounds_of_section_5():
    """Indep, ten limits, horizon 1e5, alpha 2."""
    first, second = indep(0.2, SIZE10), indep(0.3, SIZE10)
    nu, _ = naive.table([first] + [second] * 9)
    penalties = [STRICT(tau) for tau in SIZE10]
    plain = naive.theorem1(nu, penalties, 2, 10**5)
    assert plain == pytest.approx(4.3633e5, rel=2e-5)
    assert naive.corollary14(nu, 9, 2, 10**5) == pytest.approx(2.0574e6, rel=3e-5)
    assert naive.corollary14(nu, 10, 2, 10**5) == pytest.approx(2.4874e6, rel=3e-5)
    delta = naive.theorem1_delta(100, 10**5)
    assert delta == pytest.approx(0.3753, abs=5e-5)
    gaps = (nu.max() - nu).tolist()
    largest = max(
        2 * delta * math.log(10**5) / naive.theorem1_H(gaps, penalties, 2, i, k)
        for i in range(10)
        for k in range(1, 10)
    )
    assert largest <= 5.1e-6
    full = naive.theorem1(nu, penalties, 2, 10**5, epsilon=1.0, delta=delta, chance=1.0)
    assert 0 < plain - full < 1e-2
    assert 10**5 * nu.max() - 10**5 * nu.min() == pytest.approx(2.1e5, rel=0.02) and plain > 2.1e5


def test_theorem_1_terms_by_hand():
    gaps, penalties = [[0.0, 0.5], [0.25, 1.0]], [1.0, 2.0]
    u = naive.theorem1_u(0.5, 2.0, 3.0, 100)
    assert u == pytest.approx(24 * 9 * math.log(100) / 0.25 + 1 + 8 / math.log(2) * 4, rel=1e-14)
    # pair (0, 1), others (0, 0), (1, 0), (1, 1): 8 * 4 + .5, 8 * 4 + .25, 8 * 13 - .5
    assert naive.theorem1_H(gaps, penalties, 3.0, 0, 1) == 103.5**2
    # pair (1, 1): 8 * 4 + 1, 8 * 13 + .5, 8 * 4 + .75
    assert naive.theorem1_H(gaps, penalties, 3.0, 1, 1) == 104.5**2
    taken = 3 * 0.5 * 0.25 * math.log(100) * (0.0 / 103.5**2 + 0.25 / 104.5**2)
    nu = [[1.0, 0.5], [0.75, 0.0]]
    full = naive.theorem1(nu, penalties, 3.0, 100, epsilon=0.5, delta=0.25, chance=0.5)
    assert naive.theorem1(nu, penalties, 3.0, 100) - full == pytest.approx(taken / 2, rel=1e-6)


def test_theorem_2_by_hand():
    """A constant penalty 2, m = 2, one level only: H = 9 - (1 + 2 c)^2 / 4."""
    c = math.sqrt(4 * math.log(3 * 10**8 / 0.1) * 9 / 10**4)
    H = naive.theorem2_H(3, 2.0, 2, 10**4, 0.1, lambda x: 2.0, 1.0, depth=3)
    assert H == pytest.approx(9 - (1 + 2 * c) ** 2 / 4, rel=1e-14)
    assert naive.theorem2_H(3, 2.0, 2, 10**4, 0.1, lambda x: 2.0, 1.0, depth=3, stochastic=True) == 9
    bound = naive.theorem2(0, 1.5, 3, 2.0, 2, 10**4, 0.1, lambda x: 2.0, depth=3)
    assert bound == pytest.approx(math.sqrt(48 * (H + 9) / 0.75 * math.log(10**8 / 0.1) / 10**4), rel=1e-14)


def test_theorem_2_takes_the_parent_of_the_next_point():
    """m = 2, penalty x: points j / 4 of level 2 have parents 1/2, 1, 1; the largest value is at 3/4."""
    c = math.sqrt(4 * math.log(10**4 / 0.1) * 4 / 100)
    values = [(1 + j / 4) ** 2 - (1 + parent * c) ** 2 / 4 for j, parent in [(1, 0.5), (2, 1.0), (3, 1.0)]]
    values.append(1.5**2 - (1 + c) ** 2 / 4)
    assert naive.theorem2_H(1, 2.0, 2, 100, 0.1, lambda x: x, 1.0, depth=2) == pytest.approx(max(values), rel=1e-14)
    # penalty 2 on [1/2, 1), 3 at 1: the parent of 1/2 is 1, not itself
    c = math.sqrt(4 * math.log(10**8 / 0.1) * 16 / 10**4)
    jump = {0.25: 0.0, 0.5: 2.0, 0.75: 2.0, 1.0: 3.0}.get
    H = naive.theorem2_H(1, 2.0, 2, 10**4, 0.1, jump, 1.0, depth=2)
    assert H == pytest.approx(9 - (1 + 3 * c) ** 2 / 4, rel=1e-14)


def test_pseudo_regret():
    assert naive.pseudo_regret([[0.5, 1.0], [0.25, 0.0]], [(0, 1), (1, 0), (1, 1)]) == [0.0, 0.75, 1.75]
