"""Exact tables against quadrature and the paper's tables; sampling against the tables; replay; bad input."""

import math

import numpy as np
import pytest
from censored.runs import loading_of
from scipy import special

import banditlab as bl
from banditlab import censored
from banditlab.censored import Pair
from banditlab.censored.environments import quantiles
from tests.naive import censored as naive

STEP = naive.step_penalty()
GRIDS = {"size 10": 10, "M1": [0.5, 0.9], "M2": 20}


def best(world):
    """Arm, limit, gain and survival of the best pair."""
    arm, place = np.unravel_index(world.gains.argmax(), world.gains.shape)
    return int(arm), float(world.limits[place]), world.gains[arm, place], world.survival[arm, place]


# Best pairs: arm, limit, gain, P(C > limit). The limits are the largest of the grid that keep the promise of 0.5; P of
# Indep and NegCorr (sizes 10 and M1) are those that the paper prints.
BEST = [
    (censored.poscorr, 10, 0, 0.45556, 0.21434, 0.50870),
    (censored.poscorr, GRIDS["M1"], 0, 0.5, 0.24212, 0.45375),
    (censored.poscorr, 20, 0, 0.47895, 0.22893, 0.47969),
    (censored.negcorr, 10, 1, 0.45556, 0.12013, 0.76371),
    (censored.negcorr, GRIDS["M1"], 1, 0.5, 0.14666, 0.71856),
    (censored.negcorr, 20, 1, 0.47895, 0.13373, 0.74050),
    (censored.indep, 10, 0, 0.45556, 0.41657, 0.44043),
    (censored.indep, GRIDS["M1"], 0, 0.5, 0.44178, 0.40657),
    (censored.indep, 20, 0, 0.47895, 0.43009, 0.42227),
]


@pytest.mark.parametrize("make, limits, arm, limit, gain, over", BEST)
def test_best_pairs(make, limits, arm, limit, gain, over):
    assert best(make(limits=limits)) == pytest.approx((arm, limit, gain, over), abs=6e-6)


@pytest.mark.parametrize(
    "world, expected",
    [
        (censored.low_censoring(), (0, 0.48889, 0.67940, 0.07535)),
        *[(censored.many_arms(n), (0, 0.5, 0.40564, 0.31946)) for n in (20, 50, 80)],
        (censored.poscorr(limits=censored.literal_grid(10)), (0, 1.0, 0.49576, 0.0)),
        (censored.negcorr(limits=censored.literal_grid(10)), (0, 1.0, 0.60543, 0.0)),
        (censored.indep(limits=censored.literal_grid(10)), (0, 0.5, 0.44178, 0.40657)),
        (censored.poscorr(instance="tables"), (0, 0.45556, 0.18982, 0.61365)),
        (censored.negcorr(instance="tables"), (6, 0.45556, 0.12013, 0.76371)),
    ],
)
def test_best_pairs_of_the_other_problems(world, expected):
    assert best(world) == pytest.approx(expected, abs=6e-6)


@pytest.mark.parametrize("make, limits", [(make, limits) for make, limits, *_ in BEST])
def test_printed_shares_of_the_optimal_pair(make, limits):
    """Table of Section 5.1 and of F.1, to 0.0008 where the sizes reproduce."""
    printed = {censored.indep: (0.4404, 0.4066, 0.4222), censored.negcorr: (0.7631, 0.7189, None)}.get(make)
    value = printed and printed[list(map(str, GRIDS.values())).index(str(limits))]
    if value is not None:
        assert best(make(limits=limits))[3] == pytest.approx(value, abs=1e-4 if make is censored.indep else 8e-4)


@pytest.mark.parametrize("mean, x", [((0.6, 0.45), 0.2), ((0.5, 0.5), 0.6), ((0.8, 0.8), -0.2), ((0.9, 0.0), 0.4)])
def test_gaussian_tables_are_those_of_a_double_integral(mean, x):
    limits = [0.1, 0.5, 0.9, 1.0]
    world = censored.gaussian([mean], x, 0.2, limits, censored.promise(limits))
    gains, over = naive.gaussian_arm(mean, x, 0.2, limits, naive.synthetic_cost, STEP)
    assert world.gains[0] == pytest.approx(gains, abs=1e-8) and world.survival[0] == pytest.approx(over, abs=1e-8)


BENT = [0.0, 0.4123, 0.42, 1.0], [0.0, 0.0, 2.0, 2.5]


def test_tables_split_at_the_knots_of_the_cost():
    """A cost with a steep step between two knots, inside the square and beyond it; to 1e-8."""
    limits = [0.3, 0.415, 0.9, 1.5]
    world = censored.gaussian([(0.5, 0.4)], 0.3, 0.2, limits, censored.promise(limits), censored.knots(*BENT))
    gains, over = naive.gaussian_arm((0.5, 0.4), 0.3, 0.2, limits, lambda c: np.interp(c, *BENT), STEP, BENT[0])
    assert world.gains[0] == pytest.approx(gains, abs=1e-8) and world.survival[0] == pytest.approx(over, abs=1e-8)


def test_a_callable_cost_is_tabulated_where_there_is_consumption():
    """Its table ends at 1 whatever the largest limit; to the error that it states."""
    limits = [0.5, 40.0]
    world = censored.gaussian([(0.5, 0.4)], 0.3, 0.2, limits, [0.1, 0.1], lambda c: 3 * c * c)
    gains, _ = naive.gaussian_arm((0.5, 0.4), 0.3, 0.2, limits, lambda c: 3 * c * c, lambda limit: 0.1)
    assert world.cost.table[0, -1] == 1.0 and world.cost.error < 1e-6
    assert world.gains[0] == pytest.approx(gains, abs=world.cost.error)


@pytest.mark.parametrize("arm", [0, 1, 40, 79])
def test_tables_of_80_arms(arm):
    world, mean = censored.many_arms(80), (0.9 * (1 - arm / 80), 0.3 + 0.7 * arm / 80)
    gains, over = naive.gaussian_arm(mean, 0.2, 0.2, world.limits.tolist(), naive.synthetic_cost, STEP)
    assert world.gains[arm] == pytest.approx(gains, abs=1e-8) and world.survival[arm] == pytest.approx(over, abs=1e-8)


@pytest.mark.parametrize("rho", [0.9999, -0.9999, 0.99])
def test_almost_singular_laws_keep_their_digits(rho):
    """Consumption's quantile and its probability agree to 1e-8 where the reward is almost known."""
    limits = np.arange(1, 20) / 20
    for mean, sigma in [((0.5, 0.5), 0.2), ((0.2, 0.8), 0.2), ((-0.05, 0.5), 0.2), ((0.9, 0.1), 0.05)]:
        world = censored.gaussian([mean], loading_of(rho), sigma, limits, limits)
        inside = [
            (limit, over) for limit, over in zip(limits, world.survival[0], strict=True) if 1e-9 < over < 1 - 1e-9
        ]
        got = [world.law.consumption(0, 1 - over) for _, over in inside]
        assert got == pytest.approx([limit for limit, _ in inside], abs=1e-8)
        assert np.isfinite(world.law.table).all()


def test_a_loading_is_the_inverse_of_its_correlation():
    for rho in (-0.95, -0.4, 0.0, 0.4, 0.95):
        assert censored.correlation(loading_of(rho)) == pytest.approx(rho, abs=1e-15)


def test_indep_tables_are_those_of_integrals():
    world = censored.indep()
    for arm, b in ((0, 0.2), (1, 0.3)):
        gains, over = naive.indep_arm(0.8, b, world.limits.tolist(), naive.synthetic_cost, STEP)
        assert world.gains[arm] == pytest.approx(gains, abs=1e-10)
        assert world.survival[arm] == pytest.approx(over, abs=1e-12)


WORLDS = {
    "poscorr": censored.poscorr(limits=[0.1, 0.3, 0.5, 0.8]),
    "negcorr": censored.negcorr(limits=[0.3, 0.5, 0.8]),
    "indep": censored.indep(limits=[0.1, 0.5, 2.0]),
    "example": censored.example("soft", [0.2, 0.5, 0.99]),
    "curved cost": censored.gaussian([(0.5, 0.5)], 0.3, 0.1, [0.5, 1.0], [0.1, 1.0], censored.power(2.0, 1.7)),
}


def gains_of(world, arm, uniforms):
    """Penalised gain of an arm at every limit, for pairs of uniforms."""
    used = np.array([world.law.consumption(arm, u) for u, _ in uniforms])
    reward = np.array([world.law.reward(arm, c, u, v) for c, (u, v) in zip(used, uniforms, strict=True)])
    cost = np.array([world.cost.at(c) for c in used])
    done = used[:, None] <= world.limits
    return np.where(done, (reward - cost)[:, None], -world.penalty), done


@pytest.mark.parametrize("name", WORLDS)
def test_samples_have_the_gains_of_the_tables(name):
    """20,000 draws of two arms, means within 4 standard errors at every limit."""
    world, uniforms = WORLDS[name], np.random.default_rng(1).random((20_000, 2)).tolist()
    for arm in {0, len(world.gains) - 1}:
        gains, done = gains_of(world, arm, uniforms)
        error = gains.std(axis=0) / math.sqrt(len(uniforms))
        assert (np.abs(gains.mean(axis=0) - world.gains[arm]) <= 4 * error + 1e-12).all()
        spread = np.sqrt(world.survival[arm] * (1 - world.survival[arm]) / len(uniforms))
        assert (np.abs(1 - done.mean(axis=0) - world.survival[arm]) <= 4 * spread + 1e-12).all()


def test_consumption_is_the_exact_quantile():
    limits = np.arange(1, 100) / 100
    world = censored.poscorr(limits=limits, penalty=limits)
    for arm in (0, 2, 9):
        got = [world.law.consumption(arm, 1 - over) for over in world.survival[arm]]
        assert got == pytest.approx(limits, abs=1e-11)


@pytest.mark.parametrize("a, b", [(0.8, 0.2), (0.8, 0.3), (0.1, 5.0), (3.0, 2.0)])
def test_beta_quantiles(a, b):
    table = np.array([quantiles.beta(a, b)])
    p = np.random.default_rng(2).random(500) * 0.9
    x = [quantiles.quantile(table, 0, value) for value in p]
    assert special.betainc(a, b, x) == pytest.approx(p, abs=1e-9)
    table = np.array([quantiles.normal()])
    assert [quantiles.look_up(table, 0, value) for value in p] == pytest.approx(special.ndtri(p), abs=1e-9)
    for extreme in (0.0, 2**-53, 1 - 2**-53):
        assert math.isfinite(quantiles.look_up(table, 0, extreme))


@pytest.mark.parametrize("name", WORLDS)
def test_all_policies_meet_the_same_world(name):
    """A step draws two uniforms whatever the pair."""
    world = WORLDS[name]
    ends = []
    for pair in (Pair(0, 0), Pair(len(world.gains) - 1, len(world.limits) - 1)):
        rng = np.random.default_rng(4)
        state = world.reset(rng)
        for t in range(50):
            world.step(state, pair, t, rng)
        ends.append(rng.random())
    assert ends[0] == ends[1]


def test_a_larger_limit_shows_what_a_smaller_one_hid():
    world = WORLDS["poscorr"]
    for seed in range(30):
        rngs = [np.random.default_rng(seed) for _ in world.limits]
        seen = [world.step(world.reset(rng), Pair(0, j), 0, rng) for j, rng in enumerate(rngs)]
        shown = [(s.reward, s.consumption) for s in seen if not s.censored]
        assert len(set(shown)) <= 1 and [s.censored for s in seen] == sorted((s.censored for s in seen), reverse=True)


def test_censored_rounds_are_counted():
    """Share of an arm played at one limit, 20 runs of 500 rounds, within 4 standard deviations."""
    world = censored.indep(1, [0.5])
    policy = censored.ucb(1, [0.5], world.penalty)
    share = bl.simulate(world, policy, 500, runs=20).final["censored"].mean()
    over = world.survival[0, 0]
    assert abs(share - over) < 4 * math.sqrt(over * (1 - over) / 10_000)


def test_examples():
    """Figure 2: strict promise, simple is best at most limits, medium just below 0.5; soft, complex at the end."""
    strict = censored.example("strict", np.arange(2, 51) / 100).gains
    winners = strict.argmax(axis=0)
    assert set(winners[:40]) == {2} and winners[-1] == 1 and 0 not in winners
    assert best(censored.example("soft"))[:3] == pytest.approx((0, 0.99, 0.686), abs=1e-3)


def test_interval_gains():
    """Closed form against the tables, and the best limit of the problem with penalty 4 x^2."""
    world = censored.indep_interval()
    table = censored.indep(3, [0.1, 0.2178, 0.7], penalty=censored.power(4.0, 2.0))
    gains = [[world.gain(arm, limit) for limit in (0.1, 0.2178, 0.7)] for arm in range(3)]
    assert np.allclose(gains, table.gains, atol=1e-12)
    for arm, b in ((0, 0.2), (1, 0.3)):
        twin, _ = naive.indep_arm(0.8, b, [0.1, 0.2178, 0.7], naive.synthetic_cost, lambda x: 4 * x * x)
        assert gains[arm] == pytest.approx(twin, abs=1e-10)
    assert world.best == pytest.approx(0.12795, abs=5e-6) and world.best >= table.gains.max()


@pytest.mark.parametrize("largest", [0.6, 1.0, 2.5])
def test_interval_plays_as_its_twin(largest):
    """Step by step on the same uniforms; the tally is the share of censored rounds."""
    world = censored.indep_interval(3, largest=largest)
    twin = naive.IndepInterval([0.2, 0.3, 0.3], naive.synthetic_cost)
    rng, uniforms, played = np.random.default_rng(7), np.random.default_rng(7), world.reset(None)
    limits = np.random.default_rng(1).random(300) * largest
    for t, limit in enumerate(limits.tolist()):
        seen = world.step(played, censored.Point(t % 3, limit), t, rng)
        reward, used, cost, lost = twin.pull(t % 3, limit, uniforms.random(), uniforms.random())
        assert seen == pytest.approx((reward, used, cost, lost), abs=1e-8)
    assert world.diagnostics(played, None) == {"censored": twin.censored / 300}


def test_interval_samples_have_its_gains():
    """20,000 rounds of two arms at three limits, means within 4 standard errors."""
    world, rng = censored.indep_interval(cost=0.3), np.random.default_rng(2)
    played = world.reset(rng)
    for arm in (0, 2):
        for limit in (0.1, 0.4, 1.0):
            rounds = [world.step(played, censored.Point(arm, limit), t, rng) for t in range(20_000)]
            gains = np.array([-world.penalty.at(limit) if s.censored else s.reward - s.cost for s in rounds])
            assert abs(gains.mean() - world.gain(arm, limit)) <= 4 * gains.std() / math.sqrt(len(gains))


@pytest.mark.parametrize("make, x", [("poscorr", [0.2, 0.3, 0.4]), ("negcorr", -0.2)])
def test_gaussian_intervals_have_the_gains_of_their_grids(make, x):
    """At any limit what quadrature says, to 1e-10; beyond 1 nothing changes but the penalty."""
    square = censored.power(4.0, 2.0)
    world = getattr(censored, f"{make}_interval")(3, square, largest=1.2)
    limits = [0.003, 0.1, 0.31415, 0.5, 0.777, 0.9999, 1.0, 1.1]
    grid = getattr(censored, make)(3, limits, square)
    found = np.array([[world.gain(arm, limit) for limit in limits] for arm in range(3)])
    assert found == pytest.approx(grid.gains, abs=1e-10) and world.best >= found.max()
    over = np.array([[world.expected.exceeded(arm, limit) for limit in limits] for arm in range(3)])
    assert over == pytest.approx(grid.survival, abs=1e-10)
    mean, own = ((0.6, 0.45) if make == "poscorr" else (0.9, 0.8)), (x[0] if make == "poscorr" else x)
    twin, _ = naive.gaussian_arm(mean, own, 0.2, [0.31415], naive.synthetic_cost, lambda limit: 4 * limit * limit)
    assert found[0, 2] == pytest.approx(twin[0], abs=1e-8)


def test_a_gaussian_interval_brings_what_its_grid_brings():
    """The same law and the same uniforms: the same rounds."""
    whole, grid = censored.poscorr_interval(3), censored.poscorr(3, [0.3, 0.6])
    rngs = [np.random.default_rng(2) for _ in range(2)]
    worlds = [world.reset(None) for world in (whole, grid)]
    for t in range(200):
        arm, place = t % 3, t % 2
        first = whole.step(worlds[0], censored.Point(arm, [0.3, 0.6][place]), t, rngs[0])
        second = grid.step(worlds[1], Pair(arm, place), t, rngs[1])
        assert first == pytest.approx(second, abs=1e-15)


def test_the_promise_survives_rounding():
    limits = [0.1 + 0.4, 5 * 0.1, 0.1 * 3 + 0.2, 0.5 + 1e-12]
    for limit in limits:
        assert censored.promise([limit]) == pytest.approx([0.05], abs=1e-9)
    assert censored.promise([0.5001]) == pytest.approx([5.001])


def test_curves():
    square = censored.tabulated(lambda x: x * x, 2.0)
    assert square.error == pytest.approx((2 / 2048) ** 2, rel=1e-6)
    assert [square.at(x) for x in (0.0, 0.3, 2.0, 5.0)] == pytest.approx([0, 0.09, 4, 4], abs=1e-6)
    assert censored.power(2.0, 3.0).at(0.5) == 0.25 and censored.power(0.3).at(2.0) == 0.6
    assert censored.knots([1.0], [2.0]).at(0.5) == 2.0
    assert censored.tabulated(lambda x: np.where(x > 1, x, 1), 2.0).at(1.5) == 1.5


REWARD, TIME = [[0.5, 0.9, 0.7], [0.4, 1.0, 0.8]], [[1.0, 4.0, 2.0], [2.0, 4.0, 3.0]]


def test_recorded_tables_by_hand():
    world = censored.recorded((REWARD, TIME), limits=[0.5, 0.9])
    scale = np.quantile([1.5, 4.0, 2.5], 0.75)
    done = np.array(TIME)[:, :, None] / scale <= [0.5, 0.9]
    gain = np.where(done, (np.array(REWARD) - np.array(TIME) / scale)[:, :, None], [-5.0, -9.0]).mean(axis=0)
    assert np.allclose(world.gains, gain, atol=1e-14)
    assert world.law.consumption(0, 0.49) == 1 / scale and world.law.reward(0, 0.0, 0.51, 0.1) == 0.4


def test_recorded_replays_the_same_split_for_all():
    world, rng = censored.recorded((REWARD, TIME), limits=[0.5, 2.0]), np.random.default_rng(0)
    played = world.reset(rng)
    seen = {world.step(played, Pair(1, 1), t, rng).reward for t in range(40)}
    assert seen == {0.9, 1.0} and played.censored[0] == 0
    default = censored.recorded((REWARD, TIME))
    assert len(default.limits) == 10 and default.limits[-1] == 1.0


def test_recorded_plays_as_its_twin():
    """A round draws a split uniformly; times in units of the third quartile of the arms' mean times."""
    world, twin = censored.recorded((REWARD, TIME), limits=[0.5, 0.9]), naive.Recorded(REWARD, TIME, lambda x: x)
    rng, uniforms = np.random.default_rng(3), np.random.default_rng(3)
    played, hits = world.reset(rng), np.random.default_rng(4).integers(0, [3, 2], (200, 2)).tolist()
    for t, (arm, place) in enumerate(hits):
        seen = world.step(played, Pair(arm, place), t, rng)
        u, _ = uniforms.random(), uniforms.random()
        assert seen == pytest.approx(twin.pull(arm, [0.5, 0.9][place], u), abs=1e-14)
    counts = world.diagnostics(played, None)
    assert counts["censored"] == twin.censored / 200
    assert counts["largest limit"] == sum(place for _, place in hits) / 200


def test_the_grid_of_a_recording_spans_its_quartiles():
    for size in (3, np.int64(3)):
        assert censored.recorded((REWARD, TIME), size).limits == pytest.approx([2 / 3.25, 2.625 / 3.25, 1.0])
    assert censored.recorded((REWARD, TIME), 1).limits.tolist() == [1.0]
    alike = np.full((2, 3), 0.5), np.full((2, 3), 7.0)
    for size in (10, np.int64(2)):
        with pytest.raises(
            ValueError, match="limits=.*quartiles of the arms' mean times, 7 and 7 seconds, hold no grid"
        ):
            censored.recorded(alike, size)
    assert censored.recorded(alike, [0.5, 1.0]).survival.tolist() == [[1.0, 0.0]] * 3


@pytest.mark.parametrize("size", [5, np.int64(5), np.int32(5)])
def test_a_number_of_limits_of_any_integer_type(size):
    assert np.array_equal(censored.low_censoring(2, size).limits, np.linspace(0.1, 0.6, 5))
    assert np.array_equal(censored.indep(2, size).limits, np.linspace(0.1, 0.9, 5))
    assert censored.low_censoring(2, 1).limits.tolist() == [0.6] and censored.indep(2, 1).limits.tolist() == [0.9]


def test_foreign_files_are_refused(tmp_path):
    path = tmp_path / "table.npz"
    with pytest.raises(FileNotFoundError):
        censored.load_table(path)
    np.savez(path, reward=REWARD, time=TIME)
    with pytest.raises(ValueError, match="not a table of recorded splits"):
        censored.load_table(path)
    np.savez(path, reward=REWARD, time=TIME, format="another")
    with pytest.raises(ValueError, match="format is 'another'"):
        censored.load_table(path)
    np.savez(path, reward=[["a"]], time=[[1.0]], format="banditlab censored recording 1")
    with pytest.raises(TypeError, match="table.reward=.*: must be a table of numbers"):
        censored.load_table(path)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(ValueError, match="or damaged"):
        censored.load_table(path)


def test_arguments_are_copied():
    limits, penalty = np.array([0.4, 0.5]), np.array([0.1, 0.2])
    world = censored.indep(2, limits, penalty)
    limits[:], penalty[:] = 0.9, 9.0
    assert world.limits.tolist() == [0.4, 0.5] and world.penalty.tolist() == [0.1, 0.2]
