"""Facts checked by hand about the slow twins of composite anonymous feedback."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import zeta

from tests.naive import composite as naive
from tests.naive import composite_worlds as worlds

NINE = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]


class Script:
    """A generator whose uniforms are given."""

    def __init__(self, uniforms):
        self.uniforms = iter(uniforms)

    def random(self):
        return next(self.uniforms)


def play(policy, world, steps):
    """The arms of `steps` steps."""
    for _ in range(steps):
        arm = policy.select()
        policy.update(arm, world.pull(arm))
    return world.arms


def exact(means, weights):
    return worlds.DelayedWorld(means, weights, noise=False)


AT_ONCE = {0: 1.0}


@pytest.mark.parametrize(
    "growth, sizes, k0",
    [("k", [1, 2, 3, 4], 1), ("k2", [1, 4, 9, 16], 3), ("k3", [1, 8, 27, 64], 4), ("2k", [4, 4, 8, 16], 0)],
)
def test_round_sizes_and_the_condition_of_theorem_1(growth, sizes, k0):
    f = naive.GROWTH[growth]
    assert [f(k) for k in range(1, 5)] == sizes
    F = list(itertools.accumulate(f(k) for k in range(1, 60)))
    fails = [k for k in range(1, 59) if F[k - 1] < f(k + 1)]
    assert fails == list(range(1, k0 + 1))


def test_ars_uncapped_rounds_by_hand():
    """Zero delay, means 3/4 and 1/4, f = k, alpha = 1/4: after 2 steps indices .75 + r and .25 + r, r = .416."""
    policy = naive.ARSUCB(2, 0.25, "k", cap=False)
    play(policy, exact([0.75, 0.25], AT_ONCE), 13)
    # at 4: .75 + .340 against .25 + .589; at 7: .75 + .285 against .25 + .697; at 11: .75 + .245 against .25 + .774
    assert policy.rounds == [(0, 0, 1), (1, 1, 1), (2, 0, 2), (4, 0, 3), (7, 0, 4), (11, 1, 2)]
    assert policy.index(1) == pytest.approx(0.25 + math.sqrt(0.25 * math.log(13) / 3), rel=1e-15)


def test_ars_ties_at_the_cap_go_to_the_arm_pulled_least_then_to_the_lowest():
    policy = naive.ARSUCB(3, 4.0, "k2")
    play(policy, exact([0.5, 0.5, 0.5], AT_ONCE), 20)
    assert policy.rounds == [(0, 0, 1), (1, 1, 1), (2, 2, 1), (3, 0, 4), (7, 1, 4), (11, 2, 4), (15, 0, 9)]
    assert [policy.index(arm) for arm in range(3)] == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("growth", ["k", "k2", "k3", "2k"])
def test_ars_counts_at_decisions(growth):
    """Section 9 (iii): N_i = F(K_i - 1)."""
    policy = naive.ARSUCB(3, 1.0, growth)
    play(policy, worlds.DelayedWorld([0.9, 0.5, 0.2], worlds.interval(3, 6), np.random.default_rng(1)), 400)
    f = naive.GROWTH[growth]
    for start, _, _ in policy.rounds[3:]:
        for arm in range(3):
            done = sum(played == arm for begun, played, _ in policy.rounds if begun < start)
            assert [played for played, _ in policy.history[:start]].count(arm) == sum(f(k) for k in range(1, done + 1))


def test_ars_with_rounds_of_one_step_and_no_delay_is_ucb1():
    """Section 9 (iv)."""
    traces = []
    for policy in (naive.ARSUCB(4, 2.0, "1", cap=False), naive.UCB1(4)):
        traces.append(play(policy, worlds.DelayedWorld([0.9, 0.8, 0.5, 0.1], AT_ONCE, np.random.default_rng(5)), 600))
    assert traces[0] == traces[1] and set(traces[0][4:]) == {0, 1, 2, 3}


def test_ucb1_ties_go_to_the_arm_pulled_least_then_to_the_lowest():
    policy = naive.UCB1(3)
    policy.history = [(arm, 0.0) for arm in [0, 1, 2, 0, 1, 2, 0]]
    policy.index = lambda arm: 0.5
    assert policy.select() == 1


def test_exp3_caps_what_it_sees():
    policy = naive.EXP3(2, 1000, Script([0.7, 0.7]))
    policy.update(policy.select(), 9.0)
    assert policy.history == [(1, 1.0 / 0.5)]
    odds = math.exp(policy.gamma)
    assert policy.probabilities()[1] == pytest.approx((1 - policy.gamma) * odds / (1 + odds) + policy.gamma / 2)


def test_ars_credits_late_rewards_to_the_arm_on_show():
    policy = naive.ARSUCB(2, 1.0, "k2")
    play(policy, exact([0.75, 0.25], {2: 1.0}), 4)
    assert policy.history == [(0, 0.0), (1, 0.0), (0, 0.75), (0, 0.25)]


@pytest.mark.parametrize(
    "beta, horizon, K, G, last, gamma", [(0.5, 10**6, 13046, 999925, 115, 0.0319789), (0.0, 500, 500, 500, 1, None)]
)
def test_ars_exp3_sizes(beta, horizon, K, G, last, gamma):
    def g(k):
        return naive.ROUND_SIZE["ceil"](k, beta)

    assert naive.complete_rounds(horizon, g) == (K, G) and g(K) == last
    if gamma:
        assert naive.ars_exp3_gamma(10, horizon, beta) == pytest.approx(gamma, abs=5e-8)


def test_round_sizes_are_exact_at_perfect_powers():
    sizes = {name: [rule(k, 0.5) for k in (1, 2, 4, 6, 9, 12, 10**6)] for name, rule in naive.ROUND_SIZE.items()}
    assert sizes["ceil"] == [1, 2, 2, 3, 3, 4, 1000]
    assert sizes["floor"] == [1, 1, 2, 2, 3, 3, 1000]
    assert sizes["nearest"] == [1, 1, 2, 2, 3, 3, 1000]
    for rule in naive.ROUND_SIZE.values():
        assert [rule(k, 1 / 3) for k in (8, 27, 64, 125, 1000)] == [2, 3, 4, 5, 10]


def test_ars_exp3_plays_its_leftover_as_a_round_without_learning():
    """Sizes 1, 2, 2, 2, 3, 3: 10 complete after 5 rounds, 2 steps are left of 12."""
    policy = naive.ARSEXP3(3, 12, 0.5, np.random.default_rng(0))
    play(policy, worlds.DelayedWorld([0.9, 0.5, 0.2], {1: 1.0}, np.random.default_rng(1)), 12)
    assert policy.K == 5 and policy.G == 10
    assert [(start, length) for start, _, length in policy.rounds] == [(0, 1), (1, 2), (3, 2), (5, 2), (7, 3), (10, 2)]


def test_ars_exp3_first_update_by_hand():
    policy = naive.ARSEXP3(2, 12, 0.5, Script([0.7] + [0.0] * 9))
    gamma = min(1, math.sqrt(2 * math.log(2) / ((math.e - 1) * 18 ** (2 / 3))))
    assert policy.gamma == pytest.approx(gamma, rel=1e-15) and policy.select() == 1
    policy.update(1, 5.0)  # capped at g(1) = 1; p = 1/2, so w_1 grows by gamma; g(K) = 3
    odds = math.exp(gamma / 3)
    assert policy.weights() == [1.0, 1.0 + gamma]
    assert policy.probabilities()[1] == pytest.approx((1 - gamma) * odds / (1 + odds) + gamma / 2, rel=1e-14)
    assert policy.select() == 0


def test_ars_exp3_with_rounds_of_one_step_is_exp3():
    """Section 9 (v); the probabilities of the last step agree to 1e-12."""
    policies = [naive.ARSEXP3(4, 300, 0.0, np.random.default_rng(3)), naive.EXP3(4, 300, np.random.default_rng(3))]
    twins = [worlds.DelayedWorld([0.9, 0.5, 0.2, 0.1], {1: 1.0}, np.random.default_rng(4)) for _ in policies]
    assert play(policies[0], twins[0], 299) == play(policies[1], twins[1], 299)
    assert policies[0].probabilities() == pytest.approx(policies[1].probabilities(), rel=1e-12)


def test_ars_exp3_exponents_move_by_at_most_one():
    """Section 9 (ix)."""
    policy = naive.ARSEXP3(3, 2000, 0.5, np.random.default_rng(0))
    play(policy, worlds.DelayedWorld([1.0, 0.9, 0.9], worlds.increasing(20), np.random.default_rng(1)), 2000)
    assert len(policy.rounds) > policy.K - 1
    for (start, arm, length), p in zip(policy.rounds[: policy.K], policy.drawn_from, strict=False):
        gain = min(sum(seen for _, seen in policy.history[start : start + length]), length)
        assert gain <= policy.g(policy.K) and policy.gamma / (3 * p[arm]) <= 1 + 1e-12


def scripted_coins(coins):
    return [0.0 if coin == "1" else 0.9 for coin in coins]


@pytest.mark.parametrize("start", ["zeros", "wait"])
def test_clw_example_of_section_5_6(start):
    """d = 2: an arm before the first coin, and one after each of the ends 4 and 10."""
    uniforms = scripted_coins("0001010001")
    script = [0.2, *uniforms[:4], 0.8, *uniforms[4:], 0.2, 0.9]
    policy = naive.CLW(2, 100, 2, Script(script), start)
    for _ in range(11):
        policy.update(policy.select(), 0.5)
    assert policy.ends == [4, 10]
    assert [arm for arm, _ in policy.history] == [0] * 4 + [1] * 6 + [0]
    assert policy.fed == [(0, 0.25, 0.5), (1, 0.25, policy.fed[1][2])]


@pytest.mark.parametrize("start, ends", [("zeros", [1]), ("wait", [])])
def test_clw_start_rules_differ_by_an_early_end(start, ends):
    policy = naive.CLW(2, 100, 3, Script([0.2, 0.0, *([0.2] if ends else []), *[0.9] * 4]), start)
    for _ in range(5):
        policy.update(policy.select(), 1.0)
    assert policy.ends == ends
    assert policy.fed == ([(0, 1 / 6, 0.5)] if ends else [])


def test_ars_clw_rule_on_the_same_coins():
    """Constant h = 2: 3 coins at the start of the phase, one more per step, so the end at 6 is known in step 6."""
    uniforms = scripted_coins("0001010001")
    policy = naive.ARSCLW(2, Script([0.2, *uniforms[:9], 0.8, uniforms[9], 0.9]), h=lambda T: 2, first=100)
    for _ in range(7):
        policy.update(policy.select(), 0.5)
    assert policy.ends == [6]
    assert [arm for arm, _ in policy.history] == [0] * 6 + [1]


def test_ars_clw_phases_and_guesses():
    assert [naive.CUBE_ROOT(T) for T in (1, 8, 9, 1000, 2000, 4000, 8000)] == [1, 2, 3, 10, 13, 16, 20]
    assert [naive.power_guess(0.25)(T) for T in (1000, 2000, 10**4)] == [6, 7, 10]
    policy = naive.ARSCLW(2, np.random.default_rng(0), first=8)
    bounds = []
    for _ in range(64):
        policy.update(policy.select(), 1.0)
        bounds.append((policy.phase_start, policy.phase_end, policy.d))
    assert list(dict.fromkeys(bounds)) == [(0, 8, 2), (8, 16, 3), (16, 32, 4), (32, 64, 4)]
    assert policy.gamma == min(1, math.sqrt(2 * 4 * 2 * math.log(2) / 68))


@pytest.mark.parametrize("wrapper", ["clw", "ars"])
def test_wrappers_end_rounds_at_the_stated_rate(wrapper):
    """Section 9 (viii), d = 3: rate q (1 - q)^5 = .0670 within four standard deviations; ends at least 6 apart."""
    rng, steps = np.random.default_rng(11), 6000
    if wrapper == "clw":
        policy = naive.CLW(2, steps, 3, rng)
    else:
        policy = naive.ARSCLW(2, rng, h=lambda T: 3, first=steps)
    for _ in range(steps):
        policy.update(policy.select(), 0.0)
    rate = (1 / 6) * (5 / 6) ** 5
    assert abs(len(policy.ends) - steps * rate) <= 4 * math.sqrt(steps * rate)
    assert min(b - a for a, b in itertools.pairwise(policy.ends)) == 6


def test_wrapper_window_is_capped_and_holds_the_last_d_steps():
    history = [(0, 9.0), (0, 1.0), (1, 2.0)]
    assert naive.window_reward(history, 2) == 0.75
    assert naive.window_reward(history, 3) == 1.0
    assert naive.window_reward(history, 8) == 12 / 16


@pytest.mark.parametrize(
    "samples, plays",
    [
        (lambda m: naive.odaaf_samples(m, 10**5, "mean", 20), [805, 2834, 8790, 25636]),
        (lambda m: naive.odaaf_samples(m, 10**5, "bound", 20, d=30), [686, 1854, 5238, 15136]),
        (lambda m: naive.generalised_samples(m, 10**5, 40), [322, 1226, 3816, 10888]),
    ],
)
def test_plays_per_phase_of_sections_5_4_and_5_5(samples, plays):
    assert naive.cumulative_plays(samples, 4) == plays


def test_var_plays_by_hand():
    L = math.log(10**5 / 16)
    wanted = (math.sqrt(2 * L) + math.sqrt(2 * L + 2 / 3 * L + 20 + 2 * 36)) ** 2 * 16
    assert naive.odaaf_samples(2, 10**5, "var", 20, var_delay=36) == pytest.approx(wanted, rel=1e-14)


def test_bound_plays_by_hand():
    """m d up to n^mean: with a huge d the plays of `mean`, with a middling one m d."""
    mean = naive.odaaf_samples(3, 10**5, "mean", 20)
    assert naive.odaaf_samples(3, 10**5, "bound", 20, d=10**6) == pytest.approx(mean, rel=1e-15)
    assert naive.odaaf_samples(3, 10**5, "bound", 20, d=2500) == 7500 < mean


def test_generalised_plays_give_the_stated_accuracy():
    """The bias m d / n and the Hoeffding width sqrt(L / 2n) add up to half the tolerance."""
    for m, d in [(1, 3.0), (3, 40.0), (5, 7.0)]:
        n = naive.generalised_samples(m, 10**6, d)
        L = math.log(10**6 * 4.0**-m)
        assert m * d / n + math.sqrt(L / (2 * n)) == pytest.approx(2.0**-m / 2, rel=1e-12)


def test_elimination_by_hand():
    """Plays 2, then 5 in all; tolerances 1/2, 1/4: arm 2 goes after phase 1, arm 1 after phase 2."""
    policy = naive.PhasedElimination(3, 40, lambda m: [1.5, 5.0][m - 1], lambda m, plays: plays)
    play(policy, exact([1.0, 0.625, 0.25], AT_ONCE), 40)
    assert policy.rounds == [(0, 0, 2), (2, 1, 2), (4, 2, 2), (6, 0, 2), (8, 0, 3), (11, 1, 3), (14, 0, 26)]
    assert policy.counted == [True] * 3 + [False] + [True] * 2 + [False]


def test_bridge_goes_to_the_lowest_leader_and_is_discarded():
    policy = naive.PhasedElimination(2, 10, lambda m: 2 * m, lambda m, plays: plays)
    for seen in [1.0, 0.0, 0.0, 1.0, 5.0, 5.0, 0.0, 0.0, 1.0, 1.0]:
        policy.update(policy.select(), seen)
    assert policy.rounds == [(0, 0, 2), (2, 1, 2), (4, 0, 2), (6, 0, 2), (8, 1, 2)]
    assert policy.mean(0) == 0.25 and policy.mean(1) == 0.75


def test_phase_without_new_plays_is_skipped():
    policy = naive.PhasedElimination(2, 12, lambda m: [2.0, 1.0, 1.75, 3.0][m - 1], lambda m, plays: plays)
    play(policy, exact([0.5, 0.5], AT_ONCE), 9)
    assert policy.rounds == [(0, 0, 2), (2, 1, 2), (4, 0, 2), (6, 0, 1), (7, 1, 1), (8, 0, 1)]


def test_phase_without_new_plays_still_eliminates():
    """The gap .3 is within 1/2 after phase 1 and beyond 1/4 in phase 2."""
    policy = naive.PhasedElimination(2, 12, lambda m: 2.0, lambda m, plays: 1)
    play(policy, exact([0.5, 0.2], AT_ONCE), 12)
    assert policy.rounds == [(0, 0, 2), (2, 1, 2), (4, 0, 1), (5, 0, 7)]


def test_odaaf_is_cut_at_the_horizon():
    policy = naive.ODAAF(2, 1000, "mean", mean_delay=5)
    play(policy, exact([0.9, 0.1], {5: 1.0}), 1000)
    first = naive.cumulative_plays(lambda m: naive.odaaf_samples(m, 1000, "mean", 5), 1)[0]
    assert policy.rounds == [(0, 0, first), (first, 1, first), (2 * first, 0, 1000 - 2 * first)]


@pytest.mark.parametrize("bridge, length", [("ratio", 322), ("d", 40), ("none", None)])
def test_generalised_bridges(bridge, length):
    policy = naive.GeneralisedODAAF(2, 10**5, 40, bridge)
    for _ in range(1100):
        policy.update(policy.select(), 0.5)
    assert policy.rounds[:2] == [(0, 0, 322), (322, 1, 322)]
    assert policy.rounds[2] == (644, 0, length if length else 1226 - 322)
    assert policy.counted[2] is (length is None)


def test_doubling_starts_afresh():
    horizons = []

    def make(horizon):
        horizons.append(horizon)
        return naive.UCB1(3)

    policy = naive.Doubling(make, first=4)
    play(policy, exact([0.1, 0.5, 0.9], AT_ONCE), 13)
    assert horizons == [4, 8, 16]
    arms = [arm for arm, _ in policy.policy.history]
    assert arms == [0] and policy.left == 15
    world = exact([0.1, 0.5, 0.9], AT_ONCE)
    assert play(naive.Doubling(make, first=4), world, 7)[4:] == [0, 1, 2]


SHAPES = [
    ("random_10_30", worlds.uniform_law(10, 30), False, 20, 18, 6.643923),
    ("random_0_60", worlds.uniform_law(0, 60), False, 30, 27, 12.285856),
    ("interval_30_40", worlds.interval(30, 40), True, 34.5, 31.05, 8.2125),
    ("interval_10_20", worlds.interval(10, 20), True, 14.5, 13.05, 3.2125),
    ("decreasing_100", worlds.decreasing(100), True, 34, 30.6, 5.150663),
    ("decreasing_50", worlds.decreasing(50), True, 52 / 3, 15.6, 2.651320),
    ("increasing_100", worlds.increasing(100), True, 67, 60.3, 13.400663),
    ("increasing_50", worlds.increasing(50), True, 101 / 3, 30.3, 6.734654),
    ("discounted_.8", worlds.discounted(0.8, 200), True, 5, 4.5, 0.694444),
    ("discounted_.9", worlds.discounted(0.9, 400), True, 10, 9, 1.315789),
    ("polynomial_3", worlds.polynomial(3, 300), True, 1.3657, 1.229104, 0.258582),
    ("polynomial_2", worlds.polynomial(2, 1500), True, 4.7990, 4.319061, 0.332362),
]


@pytest.mark.parametrize("name, weights, spread, mean_delay, d1, d2", SHAPES, ids=[row[0] for row in SHAPES])
def test_mean_delay_and_constants_of_section_6(name, weights, spread, mean_delay, d1, d2):
    assert math.fsum(weights.values()) == pytest.approx(1, abs=1e-12)
    assert math.fsum(z * w for z, w in weights.items()) == pytest.approx(mean_delay, abs=5e-5)
    assert worlds.delay_constants(NINE, weights, spread) == pytest.approx((d1, d2), abs=6e-7)


def test_constants_of_the_whole_polynomial_3_shape():
    tails = zeta(3, np.arange(1, 10**6)) / zeta(3)
    assert 0.9 * tails.sum() == pytest.approx(1.23159, abs=5e-6)
    assert 0.25 * (tails**2).sum() == pytest.approx(0.258583, abs=1e-6)


def test_variance_of_the_random_delays():
    for lo, hi, variance in [(10, 30, 110 / 3), (0, 60, 310)]:
        law = worlds.uniform_law(lo, hi)
        mean = sum(z * p for z, p in law.items())
        assert sum((z - mean) ** 2 * p for z, p in law.items()) == pytest.approx(variance, rel=1e-12)


def recursions(shape, R):
    """The O(1) recursions of section 3; R(u) for u >= 1 is R[u], R[0] = 0."""
    kind, *args = shape

    def r(u):
        return R[u] if u > 0 else 0.0

    Y, A, seen = 0.0, 0.0, []
    for t in range(len(R) - 1):
        if kind == "interval":
            lo, hi = args
            Y += (r(t + 1 - lo) - r(t + 1 - hi)) / (hi - lo)
        elif kind == "discounted":
            Y = args[0] * Y + (1 - args[0]) * r(t)
        else:
            d = args[0]
            c = 2 / (d * (d + 1))
            Y += c * d * r(t) - c * A if kind == "decreasing" else c * r(t) + c * A - c * (d + 1) * r(t - d)
            A += r(t) - r(t - d)
        seen.append(Y)
    return seen


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.integers(0, 1), min_size=1, max_size=60),
    st.integers(1, 9),
    st.integers(1, 9),
    st.sampled_from(["interval", "decreasing", "increasing", "discounted"]),
)
def test_recursions_of_section_3_are_the_convolution(totals, a, b, kind):
    """Section 9 (vi), to 1e-10."""
    weights, args = {
        "interval": (worlds.interval(a, a + b), (a, a + b)),
        "decreasing": (worlds.decreasing(a), (a,)),
        "increasing": (worlds.increasing(a), (a,)),
        "discounted": (worlds.discounted(a / 10, 80), (a / 10,)),
    }[kind]
    wanted = worlds.convolve([float(x) for x in totals], weights)[: len(totals)]
    assert recursions((kind, *args), [0.0, *totals]) == pytest.approx(wanted, abs=1e-10)


@pytest.mark.parametrize("spread", [True, False])
def test_world_conserves_the_reward(spread):
    """Section 9 (i)."""
    world = worlds.DelayedWorld(NINE, worlds.decreasing(12), np.random.default_rng(2), spread=spread)
    policy = naive.ARSUCB(9, 4.0, "k2")
    play(policy, world, 700)
    seen = math.fsum(seen for _, seen in policy.history)
    assert seen + world.late() == pytest.approx(math.fsum(world.totals), rel=1e-12)
    if spread:
        whole = worlds.convolve(world.totals, world.weights)
        assert [seen for _, seen in policy.history] == pytest.approx(whole[:700], abs=1e-12)
        assert math.fsum(whole) == pytest.approx(math.fsum(world.totals), rel=1e-12)


def test_observed_and_earned_sums_of_an_arm_stay_close():
    """Section 9 (ii): |M - L| <= rounds * largest pending mass, E tau at the most for totals of at most 1."""
    world = worlds.DelayedWorld([0.9, 0.6, 0.3], worlds.interval(4, 9), np.random.default_rng(7))
    policy = naive.ARSUCB(3, 2.0, "k2")
    play(policy, world, 600)
    largest = 0.0
    for start, _, _ in policy.rounds[3:]:
        for arm in range(3):
            done = sum(played == arm for begun, played, _ in policy.rounds if begun < start)
            M = sum(naive.seen_by(policy.history[:start], arm))
            L = sum(total for played, total in zip(world.arms[:start], world.totals, strict=False) if played == arm)
            assert abs(M - L) <= done * 6.0 + 1e-9
            largest = max(largest, abs(M - L))
    assert largest > 3


def test_delay_zero_is_visible_at_once_and_others_are_not():
    world = worlds.DelayedWorld([1.0], {0: 0.5, 2: 0.5}, noise=False)
    assert [world.pull(0) for _ in range(4)] == [0.5, 0.5, 1.0, 1.0]
    assert world.late() == 1.0


def test_random_delay_world_draws_total_then_delay():
    """u < mean pays; delays 1, 2, 3 by thirds: total 1 with delay 3, total 0 with delay 1, total 1 with delay 1."""
    world = worlds.DelayedWorld(
        [0.5], worlds.uniform_law(1, 3), Script([0.4, 0.9, 0.5, 0.1, 0.1, 0.2, 0.9, 0.9]), False
    )
    assert [world.pull(0) for _ in range(4)] == [0.0, 0.0, 0.0, 2.0]
    assert world.totals == [1.0, 0.0, 1.0, 0.0]


def test_pseudo_regret():
    world = exact([0.75, 0.25, 0.5], {1: 1.0})
    for arm in [1, 0, 2]:
        world.pull(arm)
    assert world.regret() == [0.5, 0.5, 0.75]


def test_misleading_delay_of_section_4():
    """d = 2, pulls of the best arm only: z = 1, 1, 1, 1, 1, 2, 2; another arm resets the streak."""
    delay = worlds.misleading_delay(0, 2)
    assert [delay([0] * pulls) for pulls in range(1, 8)] == [1, 1, 1, 1, 1, 2, 2]
    assert delay([0] * 9 + [1]) == 1 and delay([0] * 9 + [1] + [0] * 5) == 1 and delay([0] * 9 + [1] + [0] * 6) == 2


@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_a_streak_of_the_best_arm_loses_what_section_4_says(d):
    for length in range(1, 6 * d):
        correct = [0] * (length + d + 1)
        world = worlds.AdversarialWorld(correct, 2, worlds.misleading_delay(0, d))
        seen = [world.pull(0 if t < length else 1) for t in range(len(correct))]
        slots = [t for t in range(2, length + 1) if seen[t - 1] == 0]
        assert slots == [t for t in range(3 * d + 1, 4 * d) if t <= length]
        assert sum(seen) == length
        after = sum(seen[length:])
        assert after == 1 + (d - 1 if length >= 4 * d - 1 else max(0, length - 3 * d))


def test_adversarial_regret_is_against_the_best_arm_of_the_whole_sequence():
    world = worlds.AdversarialWorld([0, 1, 1, 2], 3, worlds.random_delay(5, 10, np.random.default_rng(0)))
    assert world.best == 1
    assert [world.pull(arm) for arm in [0, 0, 1, 1]] == [0.0] * 4
    assert world.regret() == [-1, 0, 0, 0]
    assert {t for t in world.arrivals} <= set(range(5, 13))
    assert worlds.best_fixed_arm([2, 0, 2, 0], 3) == 0


def test_oblivious_delays_cover_both_ends():
    delay = worlds.random_delay(5, 10, np.random.default_rng(0))
    assert {delay([]) for _ in range(200)} == set(range(5, 11))


def test_bounds_of_theorems_1_and_2():
    assert worlds.theorem1_log_t1(4.5, 8) == pytest.approx(472, abs=0.5)
    gaps = [0.0, 0.5, 0.25]
    assert worlds.theorem1_leading(5, gaps, 100) == pytest.approx(40 * math.log(100) * 6, rel=1e-14)
    assert worlds.theorem1_leading(4, gaps, 100) == worlds.theorem1_log_t1(3, 4) == math.inf
    assert worlds.theorem1_log_t1(math.inf, 8) == math.inf
    # f = 1: sqrt(12 d2) against (sqrt 16 - 2) / 2 = 1; f = k: 24 d2 / (K + 1) > 1 up to K = 24 d2 - 2 = 22, F = 253
    assert worlds.theorem1_n_d2(16, 1 / 12, "1", 50) == 0
    assert worlds.theorem1_n_d2(16, 1.0, "k", 500) == 22 * 23 / 2
    # T = 12, beta = 1/2: K = 5, g(5) = g(6) = 3
    assert worlds.theorem2(4, 12, 0.5, 7) == pytest.approx(9 * math.sqrt(20 * math.log(4)) + 70 + 3, rel=1e-14)


@pytest.mark.parametrize(
    "make",
    [
        lambda rng: naive.ARSUCB(3, 4.0, "2k"),
        lambda rng: naive.ARSEXP3(3, 300, 0.5, rng),
        lambda rng: naive.ARSCLW(3, rng, first=50),
        lambda rng: naive.CLW(3, 300, 4, rng),
        lambda rng: naive.EXP3(3, 300, rng),
        lambda rng: naive.ODAAF(3, 300, "var", 2.0, 1.0),
    ],
)
def test_same_seed_same_arms(make):
    """Section 9 (x)."""
    traces = []
    for _ in range(2):
        world = worlds.DelayedWorld([0.9, 0.5, 0.2], worlds.uniform_law(1, 3), np.random.default_rng(1), spread=False)
        traces.append(play(make(np.random.default_rng(9)), world, 300))
    assert traces[0] == traces[1]
