"""The delay constants against their definition, the printed values, and the bounds where they apply."""

import math

import numpy as np
import pytest
from composite import misleading

import banditlab as bl
from banditlab import classic, composite
from banditlab.composite.environments.shapes import weights_of
from tests.naive import composite_worlds as naive

S = np.arange(9, 0, -1) / 10
VALUES = [  # shape, mean delay, d1, d2 of the paper's nine arms
    (composite.random_delay(10, 30), 20, 18, 6.643923),
    (composite.random_delay(0, 60), 30, 27, 12.285856),
    (composite.interval(30, 40), 34.5, 31.05, 8.2125),
    (composite.interval(10, 20), 14.5, 13.05, 3.2125),
    (composite.decreasing(100), 34, 30.6, 5.150663),
    (composite.decreasing(50), 52 / 3, 15.6, 2.651320),
    (composite.increasing(100), 67, 60.3, 13.400663),
    (composite.increasing(50), 101 / 3, 30.3, 6.734654),
    (composite.discounted(0.8), 5, 4.5, 0.694444),
    (composite.discounted(0.9), 10, 9, 1.315789),
    (composite.polynomial(3.0), 1.368433, 1.23159, 0.258583),
    (composite.polynomial(2.0), math.inf, math.inf, 0.333188),
    (composite.polynomial(3.0, 300), 1.3657, 1.229104, 0.258582),
    (composite.polynomial(2.0, 1500), 4.7990, 4.319061, 0.332362),
]


@pytest.mark.parametrize("shape, mean, first, second", VALUES)
def test_delay_constants_of_the_paper(shape, mean, first, second):
    assert composite.bounds.delay_moments(shape).mean == pytest.approx(mean, rel=3e-5)
    assert composite.bounds.d1(S, shape) == pytest.approx(first, rel=1e-5)
    assert composite.bounds.d2(S, shape) == pytest.approx(second, abs=6e-7)


SMALL = [composite.interval(2, 5), composite.decreasing(6), composite.increasing(6), composite.shape([0.2, 0.3, 0.5])]


@pytest.mark.parametrize("shape", [*SMALL, composite.random_delay(0, 4), composite.random_delay(3, 5)])
def test_delay_constants_by_their_definition(shape):
    weights = {delay: float(w) for delay, w in enumerate(weights_of(shape)) if w > 1e-12}
    spread = shape.spread == 1
    for means in ([0.9, 0.5, 0.2], [0.9, 0.8], [1.0, 0.0]):
        first, second = naive.delay_constants(means, weights, spread)
        assert composite.bounds.d1(means, shape) == pytest.approx(first, abs=1e-11)
        assert composite.bounds.d2(means, shape) == pytest.approx(second, abs=1e-11)


@pytest.mark.parametrize("seed", range(60))
def test_closed_forms_equal_sums(seed):
    """Random means (with ties, zeros and ones among them) and parameters; relative error 1e-12."""
    rng = np.random.default_rng(seed)
    means = rng.random(rng.integers(1, 7)).round(rng.integers(1, 4))
    lo, wide, d = (int(rng.integers(*limits)) for limits in ((0, 9), (1, 20), (1, 40)))
    cases = [(composite.random_delay(lo, lo + wide), naive.uniform_law(lo, lo + wide), False),
             (composite.interval(lo, lo + wide), naive.interval(lo, lo + wide), True),
             (composite.decreasing(d), naive.decreasing(d), True), (composite.increasing(d), naive.increasing(d), True),
             (composite.discounted(0.3), naive.discounted(0.3, 60), True)]  # fmt: skip
    for shape, weights, spread in cases:
        found = composite.bounds.d1(means, shape), composite.bounds.d2(means, shape)
        assert found == pytest.approx(naive.delay_constants(means, weights, spread), rel=1e-12, abs=1e-14)
        mean = sum(z * w for z, w in weights.items())
        variance = sum((z - mean) ** 2 * w for z, w in weights.items())
        longest = math.inf if len(weights) == 60 and 60 in weights else max(weights)
        assert composite.bounds.delay_moments(shape) == pytest.approx((mean, variance, longest), rel=1e-12, abs=1e-13)


def test_d2_of_power_laws():
    """The sum over d' of the squared tails is zeta(2 g - 1) + 2 zeta(g, g - 1), a double zeta value that Euler knew:
    zeta(2, 1) = zeta(3), zeta(3, 2) = 3 zeta(2) zeta(3) - 11 zeta(5) / 2."""
    from scipy.special import zeta

    third = zeta(5) + 6 * zeta(2) * zeta(3) - 11 * zeta(5)
    second = 3 * zeta(3)
    assert composite.bounds.d2([0.5], composite.polynomial(2.0)) == pytest.approx(second / zeta(2) ** 2 / 4, rel=1e-12)
    assert composite.bounds.d2([0.5], composite.polynomial(3.0)) == pytest.approx(third / zeta(3) ** 2 / 4, rel=1e-12)


def test_moments():
    assert composite.bounds.delay_moments(composite.random_delay(0, 60)).variance == pytest.approx(310)
    assert composite.bounds.delay_moments(composite.interval(10, 20)).longest == 19
    parts = weights_of(composite.discounted(0.8), 400)
    mean = (np.arange(401) * parts).sum()
    moments = composite.bounds.delay_moments(composite.discounted(0.8))
    assert moments.mean == pytest.approx(mean) and math.isinf(moments.longest)
    assert moments.variance == pytest.approx(((np.arange(401) - mean) ** 2 * parts).sum())
    assert math.isinf(composite.bounds.delay_moments(composite.polynomial(3.0)).variance)
    assert composite.bounds.d2([0.5], composite.polynomial(1.5)) == math.inf


def test_theorem_1():
    shape, gaps = composite.interval(10, 20), 0.9 - S
    bound = composite.bounds.ars_ucb_upper(S, shape, [100, 1000], 8)
    assert bound == pytest.approx([naive.theorem1_leading(8, gaps, t) for t in (100, 1000)])
    for alpha, other in ((4.0, shape), (2.0, shape), (8.0, composite.polynomial(2.0))):
        assert np.isinf(composite.bounds.ars_ucb_upper(S, other, [100], alpha)).all()
    constant = composite.bounds.ars_ucb_constant(4.5, 0.7, 8)
    assert constant.log_t1 == pytest.approx(naive.theorem1_log_t1(4.5, 8))
    for alpha, growth in ((8, "k"), (8, "k2"), (6, "k3"), (9, "2k")):
        found = composite.bounds.ars_ucb_constant(4.5, 1.3, alpha, growth).samples
        assert found == naive.theorem1_n_d2(alpha, 1.3, growth, 30 if growth == "2k" else 1500)
    for nothing in ((4.5, 0.7, 4.0), (math.inf, 0.7, 8.0), (4.5, math.inf, 8.0), (4.5, 0.7, 8.0, "1")):
        assert composite.bounds.ars_ucb_constant(*nothing) == (math.inf,) * 4


GROWTHS = ["k", "k2", "k3", "2k", (3, 1), (1.5, 0.5), (2, 2.5), ("2k", 2)]


@pytest.mark.parametrize("growth", GROWTHS)
@pytest.mark.parametrize(
    "arms, late_mean, late_variance, alpha", [(9, 0.2, 0.05, 8), (2, 0.1, 0.3, 16), (5, 1.5, 0.3, 12)]
)
def test_constant_of_theorem_1(growth, arms, late_mean, late_variance, alpha):
    size, rounds = composite.ars_ucb(1, growth=growth).size, 25 if "2k" in growth else 800
    log_t2, constant = naive.theorem1_constant(arms, late_mean, late_variance, alpha, size, rounds)
    found = composite.bounds.ars_ucb_constant(late_mean, late_variance, alpha, growth, arms)
    assert found[1:3] == pytest.approx((log_t2, constant), rel=1e-12)


def test_constant_of_theorem_1_by_hand():
    """Nine arms, k0 = 3, F(3) = 14, N(d2) = 5: t2 = e^(5/8) + 9 (14 + 10) = 1.87 + 216."""
    constant = composite.bounds.ars_ucb_constant(0.2, 0.05, 8, "k2", arms=9)
    assert constant.samples == 5 and constant.log_t2 == pytest.approx(math.log(math.exp(5 / 8) + 216), rel=1e-14)
    assert naive.theorem1_early("k2") == 14
    assert constant.log_constant == pytest.approx(math.log(2 * (math.exp(5 / 8) + 216) + 72 + 126), rel=1e-14)


def test_constant_of_theorem_1_of_slow_growth():
    """Where k^.01 is rounded up, size s lasts up to round s^100: the mean size gets to 90.9 among the rounds of size
    92. And where alpha nears 4, N(d2) of f = k is L (2 L - 1), to the stated part in a thousand."""
    limit, before = 48 * 1.3 / (math.sqrt(8) - 2) ** 2, sum(s * (s**100 - (s - 1) ** 100) for s in range(1, 92))
    rounds = (92 * 91**100 - before) / (92 - limit)
    assert 91**100 < rounds < 92**100
    slow = composite.bounds.ars_ucb_constant(4.5, 1.3, 8, (1, 0.01))
    assert slow.samples == pytest.approx(limit * rounds, rel=1e-5)
    limit = 48 * 1.3 / (math.sqrt(4.0001) - 2) ** 2
    steep = composite.bounds.ars_ucb_constant(4.5, 1.3, 4.0001, "k")
    assert steep.samples == pytest.approx(limit * (2 * limit - 1), rel=1e-3)
    assert composite.bounds.ars_ucb_constant(4.5, 1.3, 4 + 1e-12, (1, 0.2)).samples < math.inf
    assert composite.bounds.ars_ucb_constant(4.5, 1.3, 4 + 1e-12, (1, 0.01))[1:] == (math.inf,) * 3


def test_regret_stays_below_theorem_1_with_its_constant():
    """A short delay and a large alpha make the constant small; playing at random passes the bound tenfold."""
    means, shape, alpha = [0.9, 0.1], composite.discounted(0.2), 16.0
    policies = {"ARS-UCB": composite.ars_ucb(2, alpha), "at random": classic.uniform(2)}
    result = bl.simulate(composite.stochastic(means, shape), policies, 100_000, runs=20, seed=0)
    late = composite.bounds.d1(means, shape), composite.bounds.d2(means, shape)
    constant = math.exp(composite.bounds.ars_ucb_constant(*late, alpha, arms=2).log_constant)
    bound = constant + composite.bounds.ars_ucb_upper(means, shape, result.checkpoints, alpha)
    assert (result.of_policy("ARS-UCB").mean(axis=0) < bound).all()
    assert result.of_policy("at random")[:, -1].min() > 10 * bound[-1]


def test_theorem_2():
    for arms, horizon, beta, d in ((10, 10**4, 0.5, 10), (3, 500, 1.0, 2), (4, 300, 0.0, 5)):
        expected = naive.theorem2(arms, horizon, beta, d)
        assert composite.bounds.ars_exp3_upper(arms, horizon, d, beta) == pytest.approx(expected)


def test_regret_stays_below_theorem_2():
    """Arm 0 always pays: playing at random loses half of the rounds, more than the bound."""
    world = composite.adversarial(np.zeros(100_000, int), composite.streak_delay(5), arms=2)
    policies = {"ARS-EXP3": composite.ars_exp3(2, 100_000), "at random": classic.uniform(2)}
    result = bl.simulate(world, policies, 100_000, runs=20, seed=0)
    bound = composite.bounds.ars_exp3_upper(2, 100_000, 5)
    assert result.of_policy("ARS-EXP3")[:, -1].mean() < bound < result.of_policy("at random")[:, -1].min()


def test_rates_without_constants():
    def h(rounds):
        return rounds**0.25

    expected = naive.theorem3(5, 10**6, h, lambda d: d**4, 20)
    assert composite.bounds.ars_clw_rate(5, 10**6, 0.25, 20) == pytest.approx(expected, rel=1e-12)
    assert composite.bounds.clw_rate(5, 10**6, 20) == pytest.approx(math.sqrt(20 * 10**6 * 5 * math.log(5)), rel=1e-12)
    growth = composite.bounds.ars_clw_rate(2, 10**8, 1 / 3, 0) / composite.bounds.ars_clw_rate(2, 10**6, 1 / 3, 0)
    assert growth == pytest.approx(100 ** (2 / 3), rel=1e-12)
    assert composite.bounds.ars_clw_rate(2, 10, 1e-6, 5) == math.inf


def test_hidden_radius_equals_its_twin():
    for case in ((50, 3, 400, 2.5, 0.7), (1, 1, 1, 0.0, 0.0), (900, 30, 10**6, 60.3, 13.4)):
        assert composite.bounds.hidden_radius(*case) == pytest.approx(naive.hidden_radius(*case), rel=1e-14)
    both = composite.bounds.hidden_radius([50, 60], [3, 4], 400, 2.5, 0.7)
    assert both == pytest.approx([naive.hidden_radius(n, k, 400, 2.5, 0.7) for n, k in ((50, 3), (60, 4))])
    assert composite.bounds.hidden_radius(50, 3, 1, math.inf, 0.7) == math.inf


@pytest.mark.parametrize(
    "shape", [composite.increasing(100), composite.interval(30, 40), composite.random_delay(20, 80)]
)
def test_hidden_radius_holds(shape):
    """What ARS-UCB has seen of each arm at the end of 40 runs is never further from the mean than the radius; without
    its terms of what is late it is, as short rounds (f = k) and long delays are mostly somebody else's rewards."""
    first, second = composite.bounds.d1(S, shape), composite.bounds.d2(S, shape)
    policy, world, beyond = composite.ars_ucb(9, growth="k"), composite.stochastic(S, shape), 0
    for seed in range(40):
        rng, world_rng = np.random.default_rng(seed), np.random.default_rng([seed, 1])
        pending, state = world.reset(world_rng), policy.init(rng)
        for t in range(1500):
            state = policy.update(state, state.arm, world.step(pending, state.arm, t, world_rng), t, rng)
        rounds, error = state.begun - (np.arange(9) == state.arm), np.abs(state.sums / state.pulls - S)
        assert (error <= composite.bounds.hidden_radius(state.pulls, rounds, 1500, first, second)).all()
        beyond += (error > composite.bounds.hidden_radius(state.pulls, rounds, 1500, 0, 0)).any()
    assert beyond >= 20


OWN = [
    [composite.interval(3, 9), composite.random_delay(2, 6), composite.decreasing(8)],
    [composite.increasing(12), composite.shape([0.2, 0.0, 0.5]), composite.random_delay(4, 4)],
]


@pytest.mark.parametrize("shapes", OWN)
def test_constants_with_a_shape_per_arm(shapes):
    means = [0.9, 0.5, 0.3]
    laws = [{delay: w for delay, w in enumerate(weights_of(shape).tolist()) if w > 0.0} for shape in shapes]
    expected = naive.constants_per_arm(means, laws, [shape.kind != 1 for shape in shapes])
    assert composite.bounds.d1(means, shapes) == pytest.approx(expected[0], rel=1e-12)
    assert composite.bounds.d2(means, shapes) == pytest.approx(expected[1], rel=1e-12)


def test_alike_shapes_per_arm_are_one_shape():
    for shape in (composite.discounted(0.9), composite.increasing(30), composite.random_delay(3, 20)):
        for constant in (composite.bounds.d1, composite.bounds.d2):
            assert constant(S, [shape] * len(S)) == pytest.approx(constant(S, shape), rel=1e-9)
    alike = composite.bounds.ars_ucb_upper(S, [composite.interval(1, 3)] * len(S), [1000], 8)
    assert alike == pytest.approx(composite.bounds.ars_ucb_upper(S, composite.interval(1, 3), [1000], 8))


@pytest.mark.parametrize("d", [1, 2, 3, 5, 10])
def test_loss_of_a_fresh_round_equals_its_twin(d):
    """Coin by coin, 4,000 rounds. Tolerance: 4.5 standard errors of a share between 0 and 1 of mean below 0.2."""
    expected = naive.lost_by_fresh_rounds(d, 4000, np.random.default_rng(0))
    assert misleading.clw_loss(d) == pytest.approx(expected, abs=4.5 * 0.4 / math.sqrt(4000))


def test_who_is_misled():
    """By hand: nothing is lost at d = 1; at d = 5 the border of p = 1/2 lies at 1 - 0.149 / 2."""
    assert misleading.clw_loss(1) == 0.0
    assert misleading.clw_drift(0.92, 5, 0.5) > 0 > misleading.clw_drift(0.93, 5, 0.5)
    assert misleading.clw_drift(1.0, 1, 0.5) == 0.0
    assert misleading.recovery_horizon(0.9, 11) == pytest.approx(2 / 3 * 100**3)
    losses = [misleading.clw_loss(d) for d in (1, 2, 5, 10, 50)]
    assert losses == sorted(losses) and losses[-1] < 0.18


def test_triangles_grow_to_the_mean_delay():
    for shape in (composite.decreasing(20), composite.random_delay(0, 9), composite.discounted(0.5)):
        late = [composite.bounds.triangle(shape, steps) for steps in (1, 5, 100)]
        assert late == sorted(late) and late[-1] == pytest.approx(composite.bounds.delay_moments(shape).mean)


def test_rates_of_any_increasing_guess():
    """A logarithm: the inverse is where it first reaches d, and the rate is near the lower bound's."""

    def h(T):
        return math.ceil(math.log2(T)) if T > 1 else 1

    expected = naive.theorem3(10, 10**6, h, lambda d: 2 ** (d - 1) + 1, 12)
    assert composite.bounds.ars_clw_rate(10, 10**6, h, 12) == pytest.approx(expected, rel=1e-12)
    assert composite.bounds.ars_clw_rate(10, 10**6, lambda T: 3, 12) == math.inf
    lower = composite.bounds.adversarial_lower_rate(10, 10**6, 12)
    assert lower == pytest.approx(naive.lower_rate(10, 10**6, 12)) and lower < composite.bounds.clw_rate(10, 10**6, 12)
