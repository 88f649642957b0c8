"""Policies against their twins, the invariants of their bookkeeping, and errors."""

import importlib
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import banditlab as bl
from banditlab import composite
from tests.composite.duel import duel, lengths, watch
from tests.naive import composite as naive

clw_module = importlib.import_module("banditlab.composite.policies.clw")
SEEDS = st.integers(0, 2**32 - 1)
WHOLE = {  # what arrives is a sum of whole numbers, so that sums do not depend on their order
    "late": composite.stochastic([0.9, 0.6, 0.5, 0.2], composite.random_delay(3, 9)),
    "at once": composite.stochastic([0.9, 0.6, 0.5, 0.2], composite.random_delay(0, 0)),
    "halves": composite.stochastic([0.75, 0.5, 0.5, 0.25], composite.shape([0, 0.5, 0.25, 0.25]), totals="mean"),
}
EACH = pytest.mark.parametrize("world", WHOLE)


@EACH
@pytest.mark.parametrize("growth", ["1", "k", "k2", "k3", "2k"])
@pytest.mark.parametrize("alpha, cap", [(4.0, True), (1.0, True), (2.0, False)])
def test_ars_ucb_plays_as_its_twin(world, growth, alpha, cap):
    policy, twin = composite.ars_ucb(4, alpha, growth, cap), naive.ARSUCB(4, alpha, growth, cap)
    rounds = 300 if growth == "1" else 900
    state, arms = duel(policy, twin, WHOLE[world], rounds, np.random.default_rng(0))
    assert len({*arms}) == 4
    rounds = state.begun.astype(int) - (np.arange(4) == state.arm)
    assert state.pulls.tolist() == [sum(map(policy.size, range(1, n + 1))) for n in rounds]  # N = F(K)


OWN_GROWTHS = [
    ((1.5, 0.5), lambda k: math.ceil(1.5 * k**0.5 - 1e-9)),
    ((3, 1), lambda k: 3 * k),
    ((2, 2), lambda k: 2 * k * k),
    (("2k", 0), lambda k: 4 if k == 1 else 2**k),
    (("2k", 2), lambda k: 16 if k == 1 else 2 ** (k + 2)),
]


@pytest.mark.parametrize("growth, twin", OWN_GROWTHS)
def test_own_growth_plays_as_its_twin(growth, twin):
    policy = composite.ars_ucb(4, 1.0, growth)
    assert [policy.size(k) for k in range(1, 12)] == [twin(k) for k in range(1, 12)]
    _, arms = duel(policy, naive.ARSUCB(4, 1.0, twin), WHOLE["late"], 900, np.random.default_rng(0))
    assert len({*arms}) == 4


def test_own_growth_is_rounded_up():
    policy = composite.ars_ucb(2, growth=(1.5, 0.5))
    assert [policy.size(k) for k in range(1, 6)] == [math.ceil(1.5 * math.sqrt(k)) for k in range(1, 6)]
    assert [composite.ars_ucb(2, growth="2k").size(k) for k in range(1, 6)] == [4, 4, 8, 16, 32]
    assert [composite.ars_ucb(2, growth="k3").size(k) for k in (1, 7, 100, 999)] == [1, 343, 10**6, 999**3]


@EACH
def test_ucb1_plays_as_its_twin(world):
    duel(composite.ucb1(4), naive.UCB1(4), WHOLE[world], 300, np.random.default_rng(0))


@EACH
@settings(max_examples=8, deadline=None, derandomize=True)
@given(seed=SEEDS, beta=st.sampled_from([0.0, 0.5, 1.0, 0.3]), horizon=st.integers(30, 250),
       rounding=st.sampled_from(["ceil", "floor", "nearest"]))  # fmt: skip
def test_ars_exp3_plays_as_its_twin(world, seed, beta, horizon, rounding):
    policy = composite.ars_exp3(4, horizon, beta, rounding)
    twin = naive.ARSEXP3(4, horizon, beta, np.random.default_rng(seed), rounding)
    duel(policy, twin, WHOLE[world], horizon, np.random.default_rng(seed), seed)
    assert policy.rounds == twin.K


@settings(max_examples=8, deadline=None, derandomize=True)
@given(seed=SEEDS)
def test_exp3_plays_as_its_twin(seed):
    duel(composite.exp3(4, 200), naive.EXP3(4, 200, np.random.default_rng(seed)), WHOLE["at once"], 200,
         np.random.default_rng(seed), seed)  # fmt: skip


def test_ars_exp3_at_a_million_rounds():
    policy = composite.ars_exp3(10, 1_000_000)
    sizes = [math.ceil(math.sqrt(k) - 1e-9) for k in range(1, 13047)]
    assert (policy.rounds, sum(sizes), policy.largest, round(policy.gamma, 7)) == (13046, 999_925, 115, 0.0319789)
    assert sum(sizes) + math.ceil(math.sqrt(13047)) > 1_000_000


@pytest.mark.parametrize("rounding", ["ceil", "floor", "nearest"])
@pytest.mark.parametrize("beta", [0.0, 1e-12, 0.001, 0.05, 0.3, 0.5, 0.77, 1.0])
def test_complete_rounds_are_counted_by_size(rounding, beta):
    for horizon in (1, 2, 3, 7, 100, 12_345):
        policy = composite.ars_exp3(3, horizon, beta, rounding)
        complete, _ = naive.complete_rounds(horizon, lambda k: naive.ROUND_SIZE[rounding](k, beta))
        assert policy.rounds == complete


def test_flat_growth_costs_no_memory():
    """Sizes 1 for one round, 2 for 2^20 - 1, 3 for the rest of two thousand million rounds."""
    policy = composite.ars_exp3(2, 2_000_000_000, 0.05)
    assert policy.rounds == 2**20 + (2_000_000_000 - 1 - 2 * (2**20 - 1)) // 3
    assert composite.doubling(lambda horizon: composite.ars_exp3(4, horizon, 0.05)).policies[20].largest == 3


SCHEDULES = [
    (composite.odaaf(4, 3000, 0.5), naive.ODAAF(4, 3000, "mean", 0.5)),
    (composite.odaaf(4, 3000, 2.0, bound=3.0, variant="bound"), naive.ODAAF(4, 3000, "bound", 2.0, d=3.0)),
    (composite.odaaf(4, 3000, 1.0, variance=0.5, variant="var"), naive.ODAAF(4, 3000, "var", 1.0, 0.5)),
    (composite.generalised_odaaf(4, 3000, 2.0), naive.GeneralisedODAAF(4, 3000, 2.0)),
    (composite.generalised_odaaf(4, 3000, 3.0, bridge="d"), naive.GeneralisedODAAF(4, 3000, 3, "d")),
    (composite.generalised_odaaf(4, 3000, 9.0, bridge="none"), naive.GeneralisedODAAF(4, 3000, 9, "none")),
]


@pytest.mark.parametrize("place", range(len(SCHEDULES)))
def test_odaaf_plays_as_its_twin(place):
    policy, twin = SCHEDULES[place]
    state, _ = duel(policy, twin, WHOLE["late"], 3000, np.random.default_rng(0))
    assert state.active.sum() < 4, "a run without an elimination would prove little"


def test_odaaf_schedules():
    """The values that follow from the formulas at a horizon of 100,000."""
    assert composite.odaaf(9, 10**5, 20).plays[1:5].tolist() == [805, 2834, 8790, 25636]
    bound = composite.odaaf(9, 10**5, 20, bound=30, variant="bound")
    assert bound.plays[1:5].tolist() == [686, 1854, 5238, 15136]
    assert composite.generalised_odaaf(9, 10**5, 40).plays[1:5].tolist() == [322, 1226, 3816, 10888]


# CLW draws the gaps between coins that show heads, its twin draws coin by coin: both are given the same coins.


def coins(seed, d):
    """Coins of a phase that guesses d."""
    rng = np.random.default_rng([seed, d])
    while True:
        yield int(rng.random() < 1 / (2 * d))


def share_coins(monkeypatch, seed):
    """Let both take their coins from `coins`, and draw arms with random streams of the same seed."""
    own, arms, draw = {}, np.random.default_rng(seed), naive.draw_arm

    def heads_after(step, d, rng):
        stream = own.setdefault(d, coins(seed, d))
        return step + next(steps for steps in range(1, 10**9) if next(stream))

    monkeypatch.setattr(clw_module, "heads_after", heads_after)
    monkeypatch.setattr(naive, "draw_arm", lambda chances, rng: draw(chances, arms))


class Coins:
    """Uniforms that fall as the coins do."""

    def __init__(self, seed, d):
        self.coins = coins(seed, d)

    def random(self):
        return 0.0 if next(self.coins) else 1.0


@EACH
@pytest.mark.parametrize("start", ["zeros", "wait"])
@pytest.mark.parametrize("d", [1, 2, 5])
def test_clw_plays_as_its_twin(world, start, d, monkeypatch):
    for seed in range(4):
        share_coins(monkeypatch, seed)
        twin = naive.CLW(4, 300, d, Coins(seed, d), start)
        duel(composite.clw(4, 300, d, start), twin, WHOLE[world], 300, np.random.default_rng(seed))
        monkeypatch.undo()


@EACH
@pytest.mark.parametrize("power, first", [(1 / 3, 40), (0.4, 40), (1 / 2, 40), (1 / 4, 1000)])
def test_ars_clw_plays_as_its_twin(world, power, first, monkeypatch):
    """Another guess in every phase, else two phases would share their coins."""

    class Twin(naive.ARSCLW):
        def toss(self, t):
            self.coins[t] = next(streams.setdefault(self.d, coins(seed, self.d)))

    for seed in range(4):
        share_coins(monkeypatch, seed)
        streams = {}
        twin = Twin(4, None, naive.power_guess(power), first)
        duel(composite.ars_clw(4, power, first), twin, WHOLE[world], 9 * first // 4, np.random.default_rng(seed))
        monkeypatch.undo()


def logarithm(T):
    """A guess that grows with the logarithm: Theorem 3 is then CLW's own rate up to a logarithm."""
    return max(1, math.ceil(math.log(T) - 1e-9))


@EACH
@pytest.mark.parametrize("h, first", [(logarithm, 40), (lambda T: T // 10, 40)])
def test_ars_clw_with_any_increasing_h_plays_as_its_twin(world, h, first, monkeypatch):
    class Twin(naive.ARSCLW):
        def toss(self, t):
            self.coins[t] = next(streams.setdefault(self.d, coins(seed, self.d)))

    for seed in range(4):
        share_coins(monkeypatch, seed)
        streams = {}
        twin = Twin(4, None, h, first)
        policy = composite.ars_clw(4, h, first, horizon=1000)
        state, _ = duel(policy, twin, WHOLE[world], 9 * first // 4, np.random.default_rng(seed))
        assert len({*policy.guesses[:3].tolist()}) == 3, "two phases would share their coins"
        assert policy.diagnostics(None, state)["rounds"] == len(set(twin.ends) - {first, 2 * first})
        monkeypatch.undo()


@pytest.mark.parametrize("rate", [0.5, 4.0])
def test_a_multiple_of_gamma_plays_as_its_twin(rate, monkeypatch):
    policy, twin = composite.ars_exp3(4, 3000, rate=rate), naive.ARSEXP3(4, 3000, 0.5, np.random.default_rng(0))
    twin.gamma *= rate
    duel(policy, twin, WHOLE["late"], 300, np.random.default_rng(0))
    share_coins(monkeypatch, 0)
    twin = naive.CLW(4, 3000, 2, Coins(0, 2))
    twin.gamma *= rate
    duel(composite.clw(4, 3000, 2, rate=rate), twin, WHOLE["late"], 300, np.random.default_rng(0))
    first, again = composite.ars_clw(4), composite.ars_clw(4, rate=rate)
    assert again.plan_phase(9).gamma == pytest.approx(rate * first.plan_phase(9).gamma)


def test_clw_counts_its_rounds(monkeypatch):
    share_coins(monkeypatch, 0)
    policy, twin = composite.clw(4, 300, 2), naive.CLW(4, 300, 2, Coins(0, 2))
    state, _ = duel(policy, twin, WHOLE["late"], 299, np.random.default_rng(0))
    assert policy.diagnostics(None, state)["rounds"] == len(twin.ends) > 10


def test_coins_of_the_example(monkeypatch):
    """Coins 0001010001 with d = 2: CLW ends rounds at 4 and 10; the rule that looks ahead ends one at 6."""
    for policy, ends in ((composite.clw(2, 10, 2), [4, 10]), (composite.ars_clw(2, 0.25, first=16), [6])):
        gaps = iter([4, 2, 4, 1, 100, 100])
        monkeypatch.setattr(clw_module, "heads_after", lambda step, d, rng, gaps=gaps: step + next(gaps))
        rng = np.random.default_rng(0)
        state, found = policy.init(rng), []
        for t in range(10):
            before = rng.bit_generator.state["state"]["state"]
            state = policy.update(state, state.arm, 1.0, t, rng)
            found += [t + 1] * (rng.bit_generator.state["state"]["state"] != before)
        assert found == ends


@pytest.mark.parametrize("ahead", [False, True])
def test_rate_and_spacing_of_round_ends(ahead):
    """An end with probability q(1-q)^(2d-1) per step, within 4.5 deviations; ends at least 2d apart."""
    d, horizon = 4, 60_000
    policy = composite.clw(2, horizon, d)._replace(ahead=ahead)
    rng = np.random.default_rng(0)
    state, ends = policy.init(rng), []
    for t in range(horizon - 1):
        logs = state.weights.copy()
        state = policy.update(state, state.arm, 1.0, t, rng)
        if (state.weights != logs).any():
            ends.append(t + 1)
    rate = (1 / (2 * d)) * (1 - 1 / (2 * d)) ** (2 * d - 1)
    assert min(np.diff(ends)) >= 2 * d
    assert abs(len(ends) / horizon - rate) < 4.5 * math.sqrt(rate / horizon)


def test_rate_and_spacing_in_every_phase():
    """ARS-CLW ends rounds at the rate of the phase's guess, within 4.5 deviations, and at least 2 d apart in it."""
    policy, rng = composite.ars_clw(2, first=2000), np.random.default_rng(1)
    state, phases = policy.init(rng), {}
    for t in range(128_000 - 1):
        weights, phase = state.weights.copy(), state.phase
        state = policy.update(state, state.arm, 1.0, t, rng)
        if state.phase == phase and (state.weights != weights).any():
            phases.setdefault(phase, []).append(t + 1)
    assert [phase.d for phase in phases] == [13, 16, 20, 26, 32, 40, 51]
    for phase, ends in phases.items():
        length = phase.end if phase.end == 2000 else phase.end // 2
        rate = (1 / (2 * phase.d)) * (1 - 1 / (2 * phase.d)) ** (2 * phase.d - 1)
        assert abs(len(ends) - length * rate) < 4.5 * math.sqrt(length * rate)
        assert min(np.diff(ends)) >= 2 * phase.d


def test_doubling_plays_as_its_twin():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        twin = naive.Doubling(lambda horizon, rng=rng: naive.ARSEXP3(4, horizon, 0.5, rng), first=20)
        policy = composite.doubling(lambda horizon: composite.ars_exp3(4, horizon), first=20)
        duel(policy, twin, WHOLE["late"], 300, np.random.default_rng(seed))


def test_doubling_of_elimination_plays_as_its_twin():
    twin = naive.Doubling(lambda horizon: naive.ODAAF(4, horizon, "mean", 1.0), first=50)
    policy = composite.doubling(lambda horizon: composite.odaaf(4, horizon, 1.0), first=50)
    state, arms = duel(policy, twin, WHOLE["late"], 1500, np.random.default_rng(0))
    assert state.number == 4 and len({*arms[-50:]}) < len({*arms})


# Invariants


@pytest.mark.parametrize("shape", [composite.interval(3, 9), composite.increasing(10), composite.random_delay(0, 6)])
def test_bias_is_bounded_by_what_is_pending(shape):
    """|M - L| of an arm is at most its rounds times the largest mass that was ever pending; half of one such mass is
    reached, so that a bias of many rounds would be seen."""
    environment, policy = composite.stochastic([0.9, 0.6, 0.3], shape), composite.ars_ucb(3)
    rng, world_rng = np.random.default_rng(0), np.random.default_rng(1)
    world, state, true, pending = environment.reset(world_rng), policy.init(rng), np.zeros(3), 0.0
    decisions, largest = 0, 0.0
    for t in range(3000):
        arm, rounds = state.arm, state.begun.sum()
        seen = environment.step(world, arm, t, world_rng)
        tally = environment.diagnostics(world, None)
        true[arm] += tally["generated"] - true.sum()
        pending = max(pending, tally["pending"])
        state = policy.update(state, arm, seen, t, rng)
        if state.begun.sum() > rounds and state.pulls.min() > 0:
            done = state.begun - (np.arange(3) == state.arm)
            bias = np.abs(state.sums - true)
            assert (bias <= done * pending + 1e-9).all()
            assert state.sums.sum() == pytest.approx(true.sum() - tally["pending"], abs=1e-6)
            decisions, largest = decisions + 1, max(largest, float(bias.max()))
    assert decisions > 20 and largest > pending / 2


def test_without_noise_the_rounds_are_known():
    """Totals of exactly .5, .25, .125, each paid in the next round: ARS-UCB's list of rounds, worked out by hand."""
    world = composite.stochastic([0.5, 0.25, 0.125], composite.random_delay(1, 1), totals="mean")
    twin = naive.ARSUCB(3, 4.0, "k2")
    _, arms = duel(composite.ars_ucb(3), twin, world, 200, np.random.default_rng(0))
    stretches = lengths(arms)
    assert stretches[:4] == [(0, 1), (1, 1), (2, 1), (0, 4)]
    assert [length for _, _, length in twin.rounds][:6] == [1, 1, 1, 4, 4, 4]


def test_the_learner_that_waits_beats_the_blind_one():
    """100 rounds of linear increase: UCB1 credits the wrong arms; paired 95 % interval of 20 runs."""
    world = composite.stochastic(np.arange(9, 0, -1) / 10, composite.increasing(100))
    policies = {"ARS": composite.ars_ucb(9, growth="2k"), "UCB1": composite.ucb1(9)}
    result = bl.simulate(world, policies, 50_000, runs=20, seed=0)
    assert result.paired("UCB1", "ARS")["low"].iloc[-1] > 0


def test_same_seed_same_output():
    world = composite.adversarial(np.arange(500) % 3, composite.oblivious_delay(2, 5))
    for policy in (composite.clw(3, 500, 5), composite.ars_clw(3, first=100), composite.ars_exp3(3, 500)):
        first, again = (bl.simulate(world, policy, 500, runs=5, seed=3).regret for _ in range(2))
        assert np.array_equal(first, again)
        assert (watch(world, [0] * 20)[0] == watch(world, [0] * 20)[0]).all()


@pytest.mark.parametrize("horizon", [1, 2, 3, 7])
def test_horizons_shorter_than_the_first_rounds(horizon):
    policies = {"ARS-UCB": composite.ars_ucb(4, growth="2k"), "ARS-EXP3": composite.ars_exp3(4, horizon),
                "CLW": composite.clw(4, horizon, 50), "ODAAF": composite.odaaf(4, horizon, 5),
                "ARS-CLW": composite.ars_clw(4)}  # fmt: skip
    assert np.isfinite(bl.simulate(WHOLE["late"], policies, horizon, runs=2).regret).all()
