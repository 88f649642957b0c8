"""Policies that stop: the run ends where they say, the answer is judged, and bounds hold."""

import math
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

import banditlab as bl
from banditlab import classic
from banditlab.figures import plots
from banditlab.page.plays import tabulate
from banditlab.page.tables import Pool
from tests import toys
from tests.naive.exploration import TWINS


class Count(NamedTuple):
    """Plays in turn and stops after so many rounds."""

    arms: int
    rounds: int

    def actions(self):
        return self.arms

    def init(self, rng):
        return np.zeros(self.arms)

    def select(self, state, t, rng):
        return t % self.arms

    def update(self, state, action, observation, t, rng):
        state[action] += observation
        return state

    def stop(self, state, t):
        return t == self.rounds

    def answer(self, state):
        return int(np.argmax(state))


ARMS = classic.bernoulli([1.0, 0.0, 0.5])


@pytest.mark.parametrize("rounds", [1, 7, 10, 11, 99, 100])
def test_a_run_ends_in_the_round_in_which_the_policy_says_so(rounds):
    result = bl.simulate(ARMS, {"count": Count(3, rounds), "all": classic.uniform(3)}, 100, runs=3, checkpoints=10)
    count, other = (result.final[result.final["policy"] == name] for name in ("count", "all"))
    assert count["stopping_time"].tolist() == [rounds] * 3 and other["stopping_time"].isna().all()
    lost = np.cumsum(np.tile([0.0, 1.0, 0.5], 34))[:rounds]
    expected = [lost[min(t, rounds) - 1] for t in result.checkpoints]
    assert result.of_policy("count").tolist() == [expected] * 3
    assert (count["error"] == 0).all() and (count["simple_regret"] == 0).all() and (count["answer"] == 0).all()


def test_who_never_stops_plays_to_the_horizon():
    result = bl.simulate(ARMS, Count(3, 500), 100, runs=2)
    assert result.final["stopping_time"].tolist() == [100, 100] and result.regret[0, 0, -1] == 49.5


def test_what_was_played_and_traced_ends_with_the_run():
    found = bl.record_run(ARMS, Count(3, 7), 100)
    assert found.actions.tolist() == [0, 1, 2, 0, 1, 2, 0] and len(found.regret) == 7
    traced = bl.trace(ARMS, Count(3, 7), 100)
    assert len(traced.frame) == 7 and traced.frame["regret"].iloc[-1] == found.regret[-1]
    assert len(bl.trace(ARMS, classic.lucb(3, 0.1), 5000, every=50).frame) > 1


def test_a_policy_that_stops_early_meets_the_same_world():
    report = bl.check_policy(ARMS, Count(3, 7), 100, runs=5)
    assert report.ok and "after 7 rounds: they can be paired" in str(report), str(report)


def test_the_answer_is_judged_by_the_environment():
    class Wrong(Count):
        def answer(self, state):
            return 2

    result = bl.simulate(ARMS, Wrong(3, 7), 100, runs=2)
    assert result.final["simple_regret"].tolist() == [0.5, 0.5] and result.final["error"].tolist() == [1, 1]
    report = bl.check_policy(ARMS, Wrong(3, 7), 50, runs=5)
    assert "by its answer" in report.checks[-1].found


@pytest.mark.parametrize("method, said", [("stop", "stop(self, state, t)"), ("answer", "answer(self, state)")])
def test_methods_of_other_arguments_are_refused(method, said):
    Bad = type("Bad", (Count,), {method: lambda self, t, state, more: True})
    with pytest.raises(TypeError) as told:
        bl.simulate(ARMS, Bad(3, 7), 100)
    assert f"must be {said}" in str(told.value)


def test_a_mistake_in_stop_is_told_with_its_line():
    class Bad(Count):
        def stop(self, state, t):
            return math.log(20.0 - t) > 9.0

    with pytest.raises(Exception, match="Bad, run 0, round 19, in stop: math domain error"):
        bl.simulate(ARMS, Bad(3, 7), 100)


def test_a_page_does_not_play_who_stops():
    def figure(gap, seed=0, progress=None):
        result = bl.simulate(classic.bernoulli([0.9, 0.9 - gap]), Count(2, 7), 100, runs=2, seed=seed)
        return plots.regret(result), result

    controls = {"gap": bl.Slider("Gap", 0.1, 0.5, 0.1, "of means", start=0.3)}
    with pytest.raises(TypeError, match="a policy ends its runs by itself"):
        tabulate(figure, {"gap": 0.3, "seed": 0}, controls, Pool())


def all_rewards(arms):
    """Without noise (dyadic: sums are exact), and of zeros and ones."""
    yield np.tile(np.arange(1, arms + 1) / 8, (300, 1))
    yield np.tile(np.arange(arms, 0, -1) / 8, (300, 1))
    for seed in range(2):
        yield (np.random.default_rng(seed).random((300, arms)) < np.linspace(0.9, 0.1, arms)).astype(float)


@pytest.mark.parametrize("name", TWINS)
def test_a_policy_plays_what_its_twin_plays_and_stops_when_it_does(name):
    policy, make = TWINS[name]
    ends = set()
    for arms in (2, 3, 5):
        for rewards in all_rewards(arms):
            rewards = rewards[:80] if name == "Track-and-Stop" else rewards  # its twin takes its time
            found, twin = bl.record_run(toys.Scripted(rewards), policy(arms), len(rewards)), make(arms)
            expected, played = [], found.actions.tolist()
            while len(expected) < len(rewards) and not twin.over():
                expected.append(twin.select(played[len(expected)] if len(expected) < len(played) else None))
                twin.update(expected[-1], rewards[len(expected) - 1][expected[-1]])
            assert played == expected
            if twin.over():
                assert policy(arms).answer(found.state) == twin.answer()
            ends.add(len(expected))
    assert len(ends) > 2 and min(ends) < 80 + 220 * (name != "Track-and-Stop")


WORLD = [0.7, 0.4, 0.3]


@pytest.mark.parametrize("name", ["LUCB", "elimination", "Track-and-Stop"])
def test_fixed_confidence_errs_as_seldom_as_it_says_and_takes_what_nobody_can_beat(name):
    delta = 0.2
    policy = {
        "LUCB": classic.lucb(3, delta),
        "elimination": classic.successive_elimination(3, delta, stops=True),
        "Track-and-Stop": classic.track_and_stop(3, delta),
    }[name]
    final = bl.simulate(classic.bernoulli(WORLD), {name: policy}, 20_000, runs=40, seed=1).final
    assert final["stopping_time"].max() < 20_000
    # Tolerance: with 40 runs an error of 0.2 gives more than 16 errors with chance 0.001.
    assert final["error"].sum() <= 16
    least = classic.characteristic_time(WORLD) * classic.divergence(delta, 1 - delta)
    assert final["stopping_time"].mean() > least
    if name == "Track-and-Stop":
        mean = final["stopping_time"].mean()
        assert mean < 1.5 * classic.characteristic_time(WORLD) * policy.threshold(mean)  # in the limit without 1.5


def test_track_and_stop_is_near_the_characteristic_time():
    """Two normal arms: above the lower bound, and at most three times the leading term."""
    policy = classic.track_and_stop(2, 0.1, sigma=1.0, threshold="experiments")
    final = bl.simulate(classic.gaussian([0.5, 0.0]), policy, 20_000, runs=60, seed=3).final
    time = classic.characteristic_time([0.5, 0.0], 1.0)
    assert time * classic.divergence(0.1, 0.9) < final["stopping_time"].mean() < 3 * time * math.log(10)


def test_a_larger_budget_errs_less():
    errors = [
        bl.simulate(classic.bernoulli([0.6, 0.4, 0.4, 0.4]), classic.sequential_halving(4, n), 2000, runs=200)
        .final["error"].mean()
        for n in (16, 100, 1600)
    ]  # fmt: skip
    # Tolerance: of 200 runs, 0.035 a standard error.
    assert errors[0] > errors[1] + 0.1 and errors[1] > errors[2] and errors[2] < 0.02


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 8), st.floats(0.01, 5.0), st.floats(0.1, 3.0))
def test_equal_gaps_have_a_closed_form(arms, gap, sigma):
    """(1 + sqrt(K - 1))^2 2 sigma^2 / gap^2; with two arms 8 sigma^2 / gap^2."""
    found = classic.characteristic_time([gap] + [0.0] * (arms - 1), sigma)
    assert found == pytest.approx((1 + math.sqrt(arms - 1)) ** 2 * 2 * sigma**2 / gap**2, rel=1e-6)
    shares = classic.optimal_shares([gap] + [0.0] * (arms - 1), sigma)
    assert shares[0] == pytest.approx(1 / (1 + math.sqrt(arms - 1)), rel=1e-6)


@pytest.mark.parametrize("means", [[0.5, 0.4], [0.9, 0.1], [1.0, 0.3], [0.2, 0.0]], ids=str)
def test_two_bernoulli_arms_by_a_search_over_the_share(means):
    def gain(w):
        m = w * means[0] + (1 - w) * means[1]
        return -(w * classic.divergence(means[0], m) + (1 - w) * classic.divergence(means[1], m))

    best = minimize_scalar(gain, bounds=(1e-9, 1 - 1e-9), method="bounded", options={"xatol": 1e-12})
    assert classic.characteristic_time(means) == pytest.approx(-1 / best.fun, rel=1e-6)
    assert classic.optimal_shares(means)[0] == pytest.approx(best.x, abs=1e-4)


@pytest.mark.parametrize(
    "means, printed",
    [
        ([0.5, 0.45, 0.43, 0.4], [0.417, 0.390, 0.136, 0.057]),
        ([0.3, 0.21, 0.2, 0.19, 0.18], [0.336, 0.251, 0.177, 0.132, 0.104]),
    ],
)
def test_the_shares_are_those_that_the_paper_prints(means, printed):
    """Garivier, Kaufmann 2016, Section 6."""
    assert classic.optimal_shares(means) == pytest.approx(printed, abs=0.0005)


def test_no_shares_beat_the_optimal_ones():
    means, rng = np.array([0.6, 0.5, 0.3, 0.1]), np.random.default_rng(0)

    def gain(w):
        m = (w[0] * means[0] + w[1:] * means[1:]) / (w[0] + w[1:])
        return min(
            w[0] * classic.divergence(means[0], one) + w[a + 1] * classic.divergence(means[a + 1], one)
            for a, one in enumerate(m.tolist())
        )

    best = gain(classic.optimal_shares(means))
    assert best == pytest.approx(1 / classic.characteristic_time(means), rel=1e-9)
    assert all(gain(w) < best for w in rng.dirichlet([3.0, 3.0, 1.0, 1.0], size=300))


def test_several_best_arms_are_never_told_apart():
    assert classic.characteristic_time([0.5, 0.5, 0.1]) == math.inf
    assert classic.optimal_shares([0.5, 0.5]).tolist() == [0.5, 0.5]
