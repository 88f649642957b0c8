"""The delay constants against their definition, the printed values, and the bounds where they apply."""

import math

import numpy as np
import pytest

import banditlab as bl
from banditlab import composite
from banditlab.composite.environments import weights_of
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
    assert composite.delay_moments(shape).mean == pytest.approx(mean, rel=3e-5)
    assert composite.d1(S, shape) == pytest.approx(first, rel=1e-5)
    assert composite.d2(S, shape) == pytest.approx(second, abs=6e-7)


SMALL = [composite.interval(2, 5), composite.decreasing(6), composite.increasing(6), composite.shape([0.2, 0.3, 0.5])]


@pytest.mark.parametrize("shape", [*SMALL, composite.random_delay(0, 4), composite.random_delay(3, 5)])
def test_delay_constants_by_their_definition(shape):
    weights = {delay: float(w) for delay, w in enumerate(weights_of(shape)) if w > 1e-12}
    spread = shape.spread == 1
    for means in ([0.9, 0.5, 0.2], [0.9, 0.8], [1.0, 0.0]):
        first, second = naive.delay_constants(means, weights, spread)
        assert composite.d1(means, shape) == pytest.approx(first, abs=1e-11)
        assert composite.d2(means, shape) == pytest.approx(second, abs=1e-11)


def test_moments():
    assert composite.delay_moments(composite.random_delay(0, 60)).variance == pytest.approx(310)
    assert composite.delay_moments(composite.interval(10, 20)).longest == 19
    parts = weights_of(composite.discounted(0.8), 400)
    mean = (np.arange(401) * parts).sum()
    moments = composite.delay_moments(composite.discounted(0.8))
    assert moments.mean == pytest.approx(mean) and math.isinf(moments.longest)
    assert moments.variance == pytest.approx(((np.arange(401) - mean) ** 2 * parts).sum())
    assert math.isinf(composite.delay_moments(composite.polynomial(3.0)).variance)
    assert composite.d2([0.5], composite.polynomial(1.5)) == math.inf


def test_theorem_1():
    shape, gaps = composite.interval(10, 20), 0.9 - S
    bound = composite.ars_ucb_upper(S, shape, [100, 1000], 8)
    assert bound == pytest.approx([naive.theorem1_leading(8, gaps, t) for t in (100, 1000)])
    for alpha, other in ((4.0, shape), (2.0, shape), (8.0, composite.polynomial(2.0))):
        assert np.isinf(composite.ars_ucb_upper(S, other, [100], alpha)).all()
    constant = composite.ars_ucb_constant(4.5, 0.7, 8)
    assert constant.log_t1 == pytest.approx(naive.theorem1_log_t1(4.5, 8))
    for alpha, growth in ((8, "k"), (8, "k2"), (6, "k3"), (9, "2k")):
        found = composite.ars_ucb_constant(4.5, 1.3, alpha, growth).samples
        assert found == naive.theorem1_n_d2(alpha, 1.3, growth, 30 if growth == "2k" else 1500)
    assert composite.ars_ucb_constant(4.5, 0.7, 4.0) == (math.inf,) * 3
    assert composite.ars_ucb_constant(math.inf, 0.7, 8.0) == (math.inf,) * 3


def test_regret_stays_below_theorem_1_where_its_constant_is_small():
    shape = composite.discounted(0.2)
    result = bl.simulate(composite.stochastic(S, shape), composite.ars_ucb(9, 16.0), 50_000, runs=20, seed=0)
    assert (result.regret[0].mean(axis=0) < composite.ars_ucb_upper(S, shape, result.marks, 16.0)).all()


def test_theorem_2():
    for arms, horizon, beta, d in ((10, 10**4, 0.5, 10), (3, 500, 1.0, 2), (4, 300, 0.0, 5)):
        expected = naive.theorem2(arms, horizon, beta, d)
        assert composite.ars_exp3_upper(arms, horizon, d, beta) == pytest.approx(expected)
    sequence = np.random.default_rng(0).integers(0, 3, 20_000) // 2
    world = composite.adversarial(sequence, composite.streak_delay(5))
    result = bl.simulate(world, composite.ars_exp3(2, 20_000), 20_000, runs=20, seed=0)
    assert result.regret[0, :, -1].mean() < composite.ars_exp3_upper(2, 20_000, 5)


@pytest.mark.parametrize("shape", [composite.interval(10, 20), composite.decreasing(50), composite.discounted(0.9)])
def test_hidden_radius_holds(shape):
    """What ARS-UCB has seen of each arm at the end of 40 runs is never further from the mean than the radius."""
    first, second = composite.d1(S, shape), composite.d2(S, shape)
    policy, world = composite.ars_ucb(9), composite.stochastic(S, shape)
    for seed in range(40):
        rng, world_rng = np.random.default_rng(seed), np.random.default_rng([seed, 1])
        pending, state = world.start(world_rng), policy.begin(rng)
        for t in range(1500):
            state = policy.update(state, state.arm, world.step(pending, state.arm, t, world_rng), t, rng)
        rounds = state.table[2] - 1 - (np.arange(9) == state.arm)
        radius = composite.hidden_radius(state.table[0], rounds, 1500, first, second)
        assert (np.abs(state.table[1] / state.table[0] - S) <= radius).all()


def test_bad_input_is_refused():
    for call in (lambda: composite.d1([0.5], 3), lambda: composite.d2([1.5], SMALL[0]),
                 lambda: composite.ars_ucb_upper(S, SMALL[0], [0], 8), lambda: composite.ars_exp3_upper(3, 10, -1),
                 lambda: composite.ars_ucb_constant(-1, 0, 8)):  # fmt: skip
        with pytest.raises((TypeError, ValueError)):
            call()
