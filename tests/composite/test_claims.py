"""The tests behind the verdicts: intervals that may stay undecided, ratios run by run, and rules that can fail."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from banditlab.composite.claims import adversarial, common, stochastic
from banditlab.composite.experiments import paper

ROOT = Path(__file__).parents[2]
LOGS = np.log(np.arange(1, 17) * 1000.0)


def noisy(mean, spread=1.0, n=20, seed=0):
    """A sample of exactly this mean and standard deviation."""
    values = np.random.default_rng(seed).normal(size=n)
    return mean + spread * (values - values.mean()) / values.std(ddof=1)


def test_below_is_decided_by_the_interval():
    """Of 20 runs the 98 % interval is 2.54 standard errors wide on either side: 0.568 standard deviations."""
    for mean, holds in ((-0.6, True), (-0.5, None), (0.5, None), (0.6, False)):
        assert common.below(noisy(mean), 0.0) is holds
        assert common.below(0.0, noisy(-mean)) is holds
        assert common.below(noisy(mean) + 7.0, np.full(20, 7.0)) is holds
    assert common.below(noisy(-0.6), 0.0, level=0.995) is None, "a higher level decides less"


def test_ratio_has_the_mean_and_the_spread_of_the_ratio():
    """Against a thousand samples; tolerance 10 % of the standard error."""
    rng, ratios, errors = np.random.default_rng(1), [], []
    for _ in range(1000):
        second = rng.gamma(25.0, 4.0, 40)
        first = 0.5 * second + rng.normal(0.0, 5.0, 40)
        values = common.ratio(first, second)
        assert values.mean() == pytest.approx(first.mean() / second.mean())
        ratios.append(values.mean())
        errors.append(values.std(ddof=1) / math.sqrt(40))
    assert np.mean(errors) == pytest.approx(np.std(ratios), rel=0.1)


def test_words_of_three_values():
    assert common.most([True] * 7 + [None] * 5, 0.5) is True and common.most([True] * 6 + [None] * 6, 0.5) is None
    assert common.most([True] * 2 + [None] * 4 + [False] * 6, 0.5) is False
    assert common.counted([True, True]) == "better in 2 of 2"
    assert common.counted([True, False, None], "so", "not") == "so in 1 of 3, not 1, undecided 1"


def test_place_among_settings():
    """With two that are decidedly smaller and one undecided a setting is third or fourth."""
    found = [False, False, None, True, True, True]
    assert [stochastic.place(found, limit) for limit in (1, 2, 3, 4)] == [False, False, None, True]


def test_slowing_is_one_for_a_line_and_less_for_a_logarithm():
    straight = np.arange(1, 17)[None, :] * np.ones((3, 1))
    assert adversarial.slowing(straight[:, 1::2]).mean() == pytest.approx(1.0)
    assert adversarial.slowing(LOGS[None, 1::2]).mean() < 0.2


def test_growth_of_the_last_doubling():
    """A logarithm passes, a line and a root do not; a cell with a heavy tail stays open."""
    late, early = stochastic.increments(LOGS[None, :])
    assert late / early == pytest.approx(1.0)
    steps, noise = np.arange(1, 17)[None, :] * 1.0, noisy(0.0, 0.01)[:, None]
    for curve, holds in ((np.log(steps), True), (steps**0.6, False), (steps, False)):
        assert stochastic.flattens(*stochastic.increments(curve * (1.0 + noise))) is holds
    tail = np.r_[np.zeros(18), 1.0, 1.0][:, None] * np.maximum(steps - 8.0, 0.0)
    assert stochastic.flattens(*stochastic.increments(np.log(steps) + tail)) is None


def test_statistics_of_a_sample():
    assert paper.statistics(np.array([1.0, 1.0, 1.0, 5.0]))["heavy"] == 0.25
    assert math.isclose(paper.statistics(np.array([1.0, 3.0]))["s.e."], 1.0)


def test_committed_ledger_is_that_of_the_stand_ins():
    """Whatever data were at hand when it was made."""
    rows = json.loads((ROOT / "reports" / "claims-paper.json").read_text(encoding="utf-8"))
    ids = {test.__doc__.partition(".")[0] for test in adversarial.ADVERSARIAL}
    found = [row for row in rows if row["paper"] == "composite" and row["id"] in ids]
    assert len(found) == len(ids) == 10
    assert all("synthetic stand-in" in row["reading"] for row in found if row["reading"] != "—")


class Made:
    """A made-up result: regret of every policy at sixteen checkpoints, twenty runs; a number is the end of a line."""

    checkpoints = np.arange(1, 17) * 1000

    def __init__(self, regret, spread=0.01):
        self.curves, self.spread = regret, spread

    def of_policy(self, name):
        place = list(self.curves).index(name)
        curve = self.curves[name] * (self.checkpoints / 16_000 if np.ndim(self.curves[name]) == 0 else 1.0)
        return curve * (1.0 + noisy(0.0, self.spread, seed=place))[:, None]


HELD, FAILED, OPEN = "reproduced", "not reproduced", "not tested at this scale"


def verdict(monkeypatch, test, regret, spread=0.01):
    """What a claim says if all cells and games are alike."""
    made = Made(regret, spread)
    for name in ("cell", "game"):
        monkeypatch.setattr(paper, name, lambda *key: made)
    return test("paper", 0)[-1]


SETTINGS = {name: 500.0 for name in stochastic.SEVEN}
BENCHMARKS = {name: 1000.0 for name in stochastic.VARIANTS}
LEARNERS = {"ARS-EXP3": 1000.0, "CLW, d told": 900.0}
TOLD = {adversarial.told(d, error): 1100.0 for d in paper.DELAYS for error in (-0.1, 0.1)}
ONE_ALIKE = {adversarial.told(10, 0.1): 1000.0}
ROOT_CURVE = 1000.0 * np.sqrt(Made.checkpoints / 16_000)


@pytest.mark.parametrize(
    "test, regret, expected",
    [
        (stochastic.beats_odaaf, SETTINGS | BENCHMARKS, HELD),
        (stochastic.beats_odaaf, SETTINGS | BENCHMARKS | {"ODAAF var": 400.0}, FAILED),
        (stochastic.beats_odaaf, SETTINGS | BENCHMARKS | {"ODAAF var": 500.0}, OPEN),
        (stochastic.always_beats_odaaf, SETTINGS | BENCHMARKS, HELD),
        (stochastic.always_beats_odaaf, SETTINGS | BENCHMARKS | {stochastic.SEVEN[0]: 2000.0}, FAILED),
        (adversarial.exp3_sublinear, LEARNERS | {"ARS-EXP3": ROOT_CURVE}, HELD),
        (adversarial.exp3_sublinear, LEARNERS, FAILED),
        (adversarial.clw_linear, LEARNERS, HELD),
        (adversarial.clw_linear, LEARNERS | {"CLW, d told": ROOT_CURVE}, FAILED),
        (adversarial.clw_slightly_better, LEARNERS, HELD),
        (adversarial.clw_slightly_better, LEARNERS | {"CLW, d told": 1000.0}, OPEN),
        (adversarial.clw_slightly_better, LEARNERS | {"CLW, d told": 1100.0}, FAILED),
        (adversarial.ten_percent_worse, LEARNERS | TOLD, HELD),
        (adversarial.ten_percent_worse, LEARNERS | dict.fromkeys(TOLD, 900.0), FAILED),
        (adversarial.ten_percent_worse, LEARNERS | dict.fromkeys(TOLD, 1000.0), OPEN),
        (adversarial.ten_percent_worse, LEARNERS | dict.fromkeys(TOLD, 900.0) | ONE_ALIKE, OPEN),
    ],
)  # fmt: skip
def test_claims_follow_the_numbers(monkeypatch, test, regret, expected):
    assert verdict(monkeypatch, test, regret) == expected
