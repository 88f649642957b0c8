"""Environments: the recursions against plain convolution, conservation, common random numbers, delay rules, errors."""

import math
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import banditlab as bl
from banditlab import composite
from banditlab.composite.environments.shapes import weights_of
from tests.composite.duel import watch
from tests.naive import composite_worlds as naive

MEANS = [0.9, 0.5, 0.2, 0.0, 1.0]
FINITE = {
    "interval": (composite.interval(3, 9), naive.interval(3, 9)),
    "interval from 0": (composite.interval(0, 4), naive.interval(0, 4)),
    "decreasing": (composite.decreasing(17), naive.decreasing(17)),
    "decreasing by 1": (composite.decreasing(1), naive.decreasing(1)),
    "increasing": (composite.increasing(17), naive.increasing(17)),
    "increasing by 1": (composite.increasing(1), naive.increasing(1)),
    "own": (composite.shape([0.1, 0.0, 0.4, 0.2]), {0: 0.1, 2: 0.4, 3: 0.2}),
    "cut power": (composite.polynomial(2.0, window=40), naive.polynomial(2.0, 40)),
    "constant": (composite.random_delay(5, 5), {5: 1.0}),
}
SHAPES = {name: shape for name, (shape, _) in FINITE.items()} | {
    "random": composite.random_delay(2, 8),
    "random from 0": composite.random_delay(0, 6),
    "discounted": composite.discounted(0.9),
    "polynomial": composite.polynomial(2.0),
    "steep polynomial": composite.polynomial(3.0),
}
EACH = pytest.mark.parametrize("name", SHAPES)


class Then(NamedTuple):
    """Arm 0 for so many rounds, arm 1 ever after."""

    rounds: int

    def init(self, rng):
        return 0

    def select(self, state, t, rng):
        return 0 if t < self.rounds else 1

    def update(self, state, action, observation, t, rng):
        return state


def earned(arms, seed):
    """Totals of these pulls, from the world's uniforms."""
    u = np.random.default_rng(seed).random(len(arms))
    return (u < np.array(MEANS)[arms]).astype(float)


@pytest.mark.parametrize("name", FINITE)
@settings(max_examples=15, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6))
def test_finite_shapes_equal_convolution(name, seed):
    shape, weights = FINITE[name]
    arms = np.random.default_rng([seed, 1]).integers(0, 5, 150)
    seen, _ = watch(composite.stochastic(MEANS, shape), arms, seed)
    assert np.abs(seen - naive.convolve(earned(arms, seed), weights)[:150]).max() < 1e-10


@pytest.mark.parametrize("name", FINITE)
def test_totals_without_noise_equal_convolution(name):
    shape, weights = FINITE[name]
    arms = np.random.default_rng(0).integers(0, 5, 300)
    seen, _ = watch(composite.stochastic(MEANS, shape, totals="mean"), arms)
    assert np.abs(seen - naive.convolve(np.array(MEANS)[arms], weights)[:300]).max() < 1e-10


@pytest.mark.parametrize("shape", [composite.decreasing(100), composite.increasing(70), composite.interval(30, 40)])
def test_totals_without_noise_do_not_drift(shape):
    """Six digits of what is pending after 300,000 rounds of a mean that no float holds exactly, and a silence."""
    environment = composite.stochastic([0.7, 0.0], shape, totals="mean")
    assert environment.shape.booked.shape[1] <= 3, "the recursion of a few terms was given up"
    result = bl.simulate(environment, {"p": Then(300_000)}, 300_200, checkpoints=1)
    assert result.diagnostics["generated"][0, 0] == pytest.approx(210_000, abs=1e-5)
    assert abs(result.diagnostics["pending"][0, 0]) < 1e-5


def test_rounding_of_totals_without_noise():
    for d in (1, 100, 10_000):
        sizes = composite.stochastic([0.7, 0.1], composite.increasing(d), totals="mean").sizes
        assert np.abs(sizes - [0.7, 0.1]).max() <= max(d * d, 16) / 2**52, "as the docstring says"
    assert composite.stochastic([0.7], composite.discounted(0.3), totals="mean").sizes[0] == 0.7


def test_discounted_equals_convolution():
    arms = np.random.default_rng(0).integers(0, 5, 400)
    seen, _ = watch(composite.stochastic(MEANS, composite.discounted(0.8)), arms, 3)
    assert np.abs(seen - naive.convolve(earned(arms, 3), naive.discounted(0.8, 400))[:400]).max() < 1e-10


@pytest.mark.parametrize("gamma", [1.2, 1.5, 2.0, 3.0, 5.0, 12.0])
def test_exponentials_of_a_power_law_keep_their_accuracy(gamma):
    """Relative error below 1e-5 of every part up to ten million rounds, as the docstring says."""
    shape = composite.polynomial(gamma)
    from scipy.special import zeta

    delays = np.unique(np.geomspace(1, 1e7, 400).round())
    decay, weight = shape.tails
    used = decay > 0.0
    parts = (weight[used] * np.exp(np.multiply.outer(delays - 1.0, np.log(decay[used])))).sum(axis=1)
    assert np.abs(parts * delays**gamma * zeta(gamma) - 1.0).max() < 1e-5


def test_power_law_in_the_world_equals_its_parts():
    pulls = np.array([1.0, 0.0, 1.0, 1.0] + [0.0] * 200)
    seen, _ = watch(composite.stochastic([0.0, 1.0], composite.polynomial(2.0)), pulls.astype(int))
    expected = np.convolve(pulls, weights_of(composite.polynomial(2.0), 300))[: len(pulls)]
    assert np.abs(seen[1:] / expected[1:] - 1.0).max() < 1e-5


def test_no_drift_in_a_million_rounds():
    """Sums of whole numbers: what is pending after a million rounds and a silence is nothing, up to the
    rounding of a sum of 600,000."""
    for shape in (composite.decreasing(100), composite.increasing(100), composite.interval(30, 40)):
        environment = composite.stochastic([0.6, 0.0], shape)
        result = bl.simulate(environment, {"p": Then(1_000_000)}, 1_000_200, seed=1, checkpoints=1)
        assert abs(result.diagnostics["pending"][0, 0]) < 1e-5 and result.diagnostics["generated"][0, 0] > 5e5


@EACH
def test_everything_generated_arrives(name):
    """Arm 3 never earns: after 400 of its pulls nothing is pending, but the tail of a power law or a discount."""
    arms = np.concatenate([np.random.default_rng(1).integers(0, 5, 300), np.full(400, 3)])
    environment = composite.stochastic(MEANS, SHAPES[name])
    seen, world = watch(environment, arms)
    tally = environment.diagnostics(world, None)
    tail = {"discounted": 10 * 0.9**400 * 300, "polynomial": 300 / 400, "steep polynomial": 300 / 400**2}
    assert -1e-9 <= tally["pending"] <= tail.get(name, 1e-9)
    assert tally["generated"] * environment.shape.mass - seen.sum() == pytest.approx(tally["pending"], abs=1e-9)


@EACH
def test_every_arm_draws_the_same_numbers(name):
    streams = [np.random.default_rng(7) for _ in MEANS]
    environment = composite.stochastic(MEANS, SHAPES[name])
    worlds = [environment.reset(rng) for rng in streams]
    for t in range(30):
        for arm, (world, rng) in enumerate(zip(worlds, streams, strict=True)):
            environment.step(world, arm, t, rng)
        assert len({str(rng.bit_generator.state) for rng in streams}) == 1


class Split:
    """Two uniforms for the twin from every one of the world's: u, and u over the chance where u is below it."""

    def __init__(self, means, arms, seed):
        uniforms = np.random.default_rng(seed).random(len(arms))
        chances = np.array(means)[arms]
        second = np.divide(uniforms, chances, out=np.zeros(len(arms)), where=uniforms < chances)
        self.uniforms = iter(np.stack([uniforms, second], axis=1).ravel().tolist())

    def random(self):
        return next(self.uniforms)


@pytest.mark.parametrize("lo, hi", [(0, 6), (2, 8), (10, 30), (1, 2)])
@pytest.mark.parametrize("seed", range(3))
def test_random_delays_equal_their_twin(lo, hi, seed):
    arms = np.random.default_rng([seed, 1]).integers(0, 5, 400)
    seen, _ = watch(composite.stochastic(MEANS, composite.random_delay(lo, hi)), arms, seed)
    twin = naive.DelayedWorld(MEANS, naive.uniform_law(lo, hi), Split(MEANS, arms, seed), spread=False)
    assert seen.tolist() == [twin.pull(arm) for arm in arms.tolist()]
    assert len(set(seen)) > 2


MIXED = [composite.interval(3, 9), composite.random_delay(2, 8), composite.shape([0.25, 0.0, 0.5]),
         composite.decreasing(17), composite.increasing(5)]  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_shapes_per_arm_equal_their_twin(seed):
    means, arms = [0.9, 0.5, 0.2, 0.0, 1.0], np.random.default_rng([seed, 1]).integers(0, 5, 300)
    seen, world = watch(composite.stochastic(means, MIXED), arms, seed)
    laws = [naive.interval(3, 9), naive.uniform_law(2, 8), {0: 0.25, 2: 0.5}, naive.decreasing(17), naive.increasing(5)]
    twin = naive.WorldPerArm(means, laws, [True, False, True, True, True], np.random.default_rng(seed))
    assert np.abs(seen - [twin.pull(arm) for arm in arms.tolist()]).max() < 1e-10
    tally = composite.stochastic(means, MIXED).diagnostics(world, None)
    assert tally["pending"] >= -1e-9 and tally["generated"] == sum(map(bool, twin.vectors))


def test_one_shape_for_every_arm_is_the_shape():
    for name, shape in SHAPES.items():
        one, each = composite.stochastic(MEANS, shape), composite.stochastic(MEANS, [shape] * len(MEANS))
        arms = np.random.default_rng(5).integers(0, 5, 200)
        assert np.abs(watch(one, arms)[0] - watch(each, arms)[0]).max() < 1e-10, name
        assert each.gaps == pytest.approx(one.gaps)


def test_regret_with_shapes_that_lose_a_part():
    environment = composite.stochastic([0.9, 0.5], [composite.shape([0.5]), composite.shape([0.0, 1.0])])
    assert environment.gaps == pytest.approx([0.05, 0.0])


def test_reward_vectors_equal_their_twin():
    """Vectors fixed in advance, of sums up to 1; what is seen is Z(t)."""
    rng = np.random.default_rng(3)
    vectors = rng.dirichlet(np.ones(5), size=(200, 3))[:, :, :4]
    environment, arms = composite.adversarial(vectors), rng.integers(0, 3, 200)
    seen, world = watch(environment, arms)
    twin = naive.VectorWorld(vectors.tolist())
    assert seen == pytest.approx([twin.pull(arm) for arm in arms.tolist()], abs=1e-12)
    regret = np.cumsum([environment.regret(world, arm, t) for t, arm in enumerate(arms)])
    assert environment.best == twin.best and regret == pytest.approx(twin.regret(), abs=1e-9)
    tally = environment.diagnostics(world, None)
    assert tally["pending"] == pytest.approx(tally["generated"] - seen.sum()) and tally["pending"] > 0


def test_random_delays_are_uniform():
    """Frequencies of 20,000 delays, within 4.5 standard deviations; both ends occur."""
    environment, rng = composite.stochastic([0.5], composite.random_delay(0, 6)), np.random.default_rng(0)
    counts = np.zeros(7)
    for _ in range(20_000):
        world = environment.reset(rng)
        seen = [environment.step(world, 0, 0, rng)] + [world.ring[z] for z in range(1, 7)]
        counts += seen
    share = counts / counts.sum()
    assert (np.abs(share - 1 / 7) < 4.5 * math.sqrt(1 / 7 * 6 / 7 / counts.sum())).all()
    assert abs(counts.sum() / 20_000 - 0.5) < 4.5 * 0.5 / math.sqrt(20_000)


def test_regret_is_expected_and_knows_lost_rewards():
    environment = composite.stochastic([0.9, 0.5], composite.shape([0.25, 0.25]))
    assert [environment.regret(None, arm, 0) for arm in (0, 1)] == pytest.approx([0.0, 0.2])


def test_delay_of_zero_shows_at_once():
    seen, _ = watch(composite.stochastic([1.0], composite.random_delay(0, 0)), [0, 0, 0])
    assert seen.tolist() == [1.0, 1.0, 1.0]


def test_weights_of_every_shape():
    for name, (shape, weights) in FINITE.items():
        full = np.zeros(max(weights) + 1)
        full[list(weights)] = list(weights.values())
        got = weights_of(shape)
        size = max(len(full), len(got))
        assert np.allclose(np.pad(got, (0, size - len(got))), np.pad(full, (0, size - len(full))), atol=1e-15), name
    with pytest.raises(ValueError, match="horizon"):
        weights_of(composite.discounted(0.5))


# The adversary


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.integers(1, 4), st.booleans())
def test_adversary_equals_its_twin(seed, d, watches):
    rng = np.random.default_rng(seed)
    correct, arms = rng.integers(0, 3, 200), np.repeat(rng.integers(0, 3, 40), rng.integers(1, 12, 40))[:200]
    delays = composite.streak_delay(d) if watches else composite.oblivious_delay(d, d + 3)
    environment = composite.adversarial(correct, delays, arms=3)
    seen, world = watch(environment, arms, seed)
    own = np.random.default_rng(seed)
    rule = naive.misleading_delay(environment.best, d) if watches else naive.random_delay(d, d + 3, own)
    twin = naive.AdversarialWorld(correct.tolist(), 3, rule)
    assert seen.tolist() == [twin.pull(arm) for arm in arms.tolist()]
    assert np.cumsum([environment.regret(world, arm, t) for t, arm in enumerate(arms)]).tolist() == twin.regret()
    assert environment.diagnostics(world, None)["pending"] >= 0


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.integers(1, 4), st.booleans())
def test_reward_tables_equal_their_twin(seed, d, watches):
    """Rewards in eighths, so that sums are exact."""
    rng = np.random.default_rng(seed)
    table, arms = rng.integers(0, 9, (150, 3)) / 8, np.repeat(rng.integers(0, 3, 40), rng.integers(1, 12, 40))[:150]
    delays = composite.streak_delay(d) if watches else composite.oblivious_delay(d, d + 3)
    environment = composite.adversarial(table, delays)
    seen, world = watch(environment, arms, seed)
    own = np.random.default_rng(seed)
    twin = naive.RewardWorld(table.tolist(), lambda best: naive.misleading_delay(best, d) if watches
                             else naive.random_delay(d, d + 3, own))  # fmt: skip
    assert environment.best == twin.best
    assert seen.tolist() == [twin.pull(arm) for arm in arms.tolist()]
    regret = np.cumsum([environment.regret(world, arm, t) for t, arm in enumerate(arms)])
    assert regret.tolist() == twin.regret()


def test_labels_need_no_table():
    environment = composite.adversarial([0, 10**6, 10**6], composite.streak_delay(2))
    assert (environment.arms, environment.best, environment.table.size) == (10**6 + 1, 10**6, 0)
    assert [environment.regret(None, 0, t) for t in range(3)] == [-1.0, 1.0, 1.0]


def test_streak_rule_of_delay_two():
    """Six pulls of the best arm make the streak: delays 1, 1, 1, 1, 1, 2, 2, ..., so that slot 7 (from 1) is empty."""
    seen, _ = watch(composite.adversarial([0] * 12, composite.streak_delay(2)), [0] * 12)
    assert seen.tolist() == [0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1]


def test_streak_ends_with_another_arm():
    arms = [0] * 5 + [1] + [0] * 8
    seen, _ = watch(composite.adversarial([0] * 14, composite.streak_delay(2), arms=2), arms)
    assert seen.tolist() == [0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1]


def test_rewards_of_every_arm():
    table = [[0.5, 0.25], [0.0, 1.0], [0.25, 0.75]]
    environment = composite.adversarial(table, composite.oblivious_delay(1, 1))
    seen, world = watch(environment, [0, 1, 0])
    assert environment.best == 1 and seen.tolist() == [0.0, 0.5, 1.0]
    assert [environment.regret(world, 0, t) for t in range(3)] == [-0.25, 1.0, 0.5]


def test_adversary_refuses_a_longer_horizon():
    environment = composite.adversarial([0, 1] * 10, composite.streak_delay(1))
    with pytest.raises(ValueError, match="only 20 rounds"):
        bl.simulate(environment, composite.ucb1(2), 21)
    with pytest.raises(ValueError, match="only 20 rounds"):
        bl.simulate(bl.random_instances(lambda seed: environment), composite.ucb1(2), 21)
