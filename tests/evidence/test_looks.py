"""A claim is played until it is decided: what looks cost, what they spend, and that the intervals hold all the same."""

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest

from banditlab import classic, composite, simulate
from banditlab.engine.player import Work
from banditlab.evidence import Cases, Claims, count, mean, runs_now
from banditlab.evidence import looks as module
from banditlab.evidence.looks import count_looks, is_hopeless, list_open, look_until_decided, looking, share_of
from banditlab.evidence.questions import LEVEL, Measure, jointly
from banditlab.study import Study
from tests.reports import ROOT


def test_shares_of_the_error_add_up_to_all_of_it():
    for looks in range(1, 8):
        assert sum(share_of(number, looks) for number in range(looks)) == 1


def test_the_number_of_looks_follows_from_the_budget_alone():
    assert count_looks(0, "quick", 5) == 1
    assert count_looks(module.BUDGET["quick"] * 1.1, "quick", 5) == 1
    assert count_looks(module.BUDGET["quick"] / 4, "quick", 5) == 3
    assert count_looks(1, "quick", 5) == 5


def test_the_rules_of_evidence_name_the_budget():
    quick, paper = module.BUDGET["quick"] / 1e6, module.BUDGET["paper"] / 1e9
    rules = " ".join((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split())
    assert f"({quick:.0f} million at quick size, {paper:.0f} billion at the paper's)" in rules


def test_outside_of_a_claim_runs_are_a_figures_own():
    assert runs_now(20) == 20
    with looking(2):
        assert runs_now(20) == 80
    assert runs_now(20) == 20


def judged(values, limit, looks=5, scale="quick"):
    """The measures of a claim on the mean of so many values, all looks taken together."""
    claims = Claims("toy")

    @claims("X", "The mean is above the limit.", "nowhere", looks=looks)
    def test(scale, seed):
        return Cases("mean", mean(values[: runs_now(20)])).above(limit)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module.provenance, "sum_rounds", lambda used: 1)
        return claims.judge(claims.asked[0], scale, 0)


def test_an_open_claim_is_looked_at_again_and_says_so():
    values = np.random.default_rng(2).normal(0.35, 1, 1000)
    alone, often = judged(values, 0.0, looks=1), judged(values, 0.0)
    assert alone.verdict == "undecided" and "look" not in alone.sizes
    assert often.verdict == "reproduced" and "each at twice the runs, within 4 million rounds" in often.sizes


@pytest.mark.parametrize("mean, quick", [(0.0, 2), (0.9, 1), (0.35, 2)], ids=["hopeless", "clear", "hopeful"])
def test_a_quick_row_ends_where_the_last_look_could_not_decide_it(mean, quick):
    """At the paper's size only what is decided ends."""
    noise = np.random.default_rng(0).normal(size=10)
    values = mean + np.tile(np.concatenate([noise, -noise]), 16)  # the same mean at every look
    looks = {scale: judged(values, 0.0, scale=scale).sizes.split()[1] for scale in ("quick", "paper")}
    assert looks == {"quick": str(quick), "paper": "5" if mean == 0 else str(quick)}


def test_hopeless_is_what_no_reading_could_be_decided_by():
    """A reading fails by one measure, holds by all; without an interval more runs may give one."""

    def found(reading, low, high):
        return Measure(reading, "", 0.5, low, high, (0.0, None))

    def is_left(measures, times):
        return is_hopeless(list_open(measures), times)

    clear, near, far = found("a", 0.4, 0.6), found("a", -0.7, 1.7), found("a", -9.0, 10.0)
    assert not is_left([clear, near], 4) and is_left([clear, near], 1.5)
    assert is_left([near, far], 4)
    assert not is_left([far, found("b", -0.7, 1.7)], 4)
    assert not is_left([found("a", -np.inf, 10.0)], 4)


def test_a_clear_claim_is_looked_at_once():
    row = judged(np.random.default_rng(1).normal(5, 1, 1000), 0.0)
    assert row.verdict == "reproduced" and row.sizes.startswith("look 1 of at most 5")


def test_all_intervals_of_all_looks_hold_jointly():
    """Of 2,000 claims on a mean exactly at the limit at most 5 % are decided, at 3 standard errors."""
    rng, decided = np.random.default_rng(3), 0
    for _ in range(2000):
        row = judged(rng.normal(0, 1, 320), 0.0)
        decided += row.verdict != "undecided"
    assert decided / 2000 < 1 - LEVEL + 3 * np.sqrt(0.05 * 0.95 / 2000)
    assert decided / 2000 > 0.02  # the error is spent, not saved


def test_a_decided_question_stays_decided():
    """The second look would turn the first question over; it keeps the measure that decided it."""
    noise = np.random.default_rng(0).normal(size=80)
    values = iter([1 + 0.1 * noise, 0.1 * noise - 1])

    def test():
        turning = Cases("turning", mean(next(values)[: runs_now(40)])).above(0)
        return "", {"as printed": [turning, Cases("open", mean(noise[: runs_now(40)])).above(0)]}

    def measure(readings):
        return [question.measure("as printed") for question in readings["as printed"]]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module.provenance, "sum_rounds", lambda used: 1)
        *_, (turning, still_open), words = look_until_decided(test, measure, "paper", 2)
    assert words.startswith("look 2")
    assert turning.answer is True and turning.value > 0
    assert still_open.answer is None


def test_a_test_is_asked_once_at_its_first_look():
    """But twice where it judged something itself at half of the error, and turns out to have a single look."""
    asked, values = [], np.random.default_rng(0).normal(1, 1, 100)

    def test(judges):
        asked.append(judges)
        found = Cases("mean", mean(values[: runs_now(20)])).above(0)
        answers = jointly({"mean": found}) if judges else {"mean": True}
        return "", {"as printed": [found, count("means", answers)]}

    def measure(readings):
        return [question.measure("as printed") for question in readings["as printed"]]

    for rounds, judges in ((1, False), (1, True), (1e12, False)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module.provenance, "sum_rounds", lambda used, rounds=rounds: rounds)
            look_until_decided(lambda judges=judges: test(judges), measure, "quick", 5)
    assert asked == [False, True, False]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module.provenance, "sum_rounds", lambda used: 1e12)
        whole = look_until_decided(lambda: test(True), measure, "quick", 5)[2]
    assert asked[3:] == [True, True]
    assert whole == measure({"as printed": test(True) and test(True)[1]["as printed"]})


def look_at_arms(number, executor=None):
    """Two policies, one of which counts its pulls, on three arms, in three runs at the first look."""
    arms, counting = classic.bernoulli([0.2, 0.5, 0.9]), composite.ars_ucb(3)
    with looking(number):
        return simulate(
            arms, {"uniform": classic.uniform(3), "ARS-UCB": counting}, 50, runs_now(3), 1, executor=executor
        )


@pytest.mark.parametrize("pool", [lambda: None, lambda: ThreadPoolExecutor(2)], ids=["threads", "executor"])
def test_a_look_plays_the_further_runs_only(pool, monkeypatch, tmp_path):
    """And gets the bits of all runs at once, what was counted included."""
    played, play = [], Work.play

    def noting(work, policy, numbers, *args):
        if work.checkpoints[-1] == 50:  # no warm-up
            played.extend(map(int, numbers))
        return play(work, policy, numbers, *args)

    monkeypatch.setenv("BANDITLAB_KEEP", str(tmp_path / "kept"))
    monkeypatch.setattr(Work, "play", noting)
    for number, new in enumerate(([0, 1, 2], [3, 4, 5], range(6, 12))):
        found = look_at_arms(number, pool())
        assert sorted(played) == sorted([*new, *new])
        played.clear()
    monkeypatch.setenv("BANDITLAB_KEEP", "")
    assert look_at_arms(2) == found and found.diagnostics
    assert sorted(played) == sorted([*range(12), *range(12)])


def play(arms, runs, seed, progress=None):
    return simulate(classic.bernoulli([0.5] * arms), {"uniform": classic.uniform(arms)}, 100, runs, seed)


def test_a_figure_plays_more_runs_inside_a_look_only():
    study = Study("F", "toy.", play, lambda found, n: "", grid=dict(arms=(2, 3)), sizes=dict(quick=dict(runs=5)))
    plain = study.results("quick")
    with looking(1):
        assert study.numbers("quick").runs == 10
        more = study.results("quick")
    for cell, result in plain.items():
        assert result.regret.shape[1] == 5 and more[cell].regret.shape[1] == 10
        assert np.array_equal(result.regret, more[cell].regret[:, :5])  # the same runs, and further ones
    assert study.numbers("quick") == SimpleNamespace(runs=5, seed=0)
