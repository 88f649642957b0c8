"""Claims that a page judges anew: what they ask for is found out, and what would come to other numbers is refused."""

import functools

import numpy as np
import pytest

from banditlab import classic
from banditlab.engine.instances import random_instances
from banditlab.evidence import (
    Cases,
    Claims,
    constant,
    count,
    difference,
    exact,
    growth,
    instance_growth,
    instance_mean,
    instance_ratio,
    mean,
    median,
    quotient,
    ratio,
    regret_difference,
)
from banditlab.evidence import claims as judging
from banditlab.evidence.looks import looking, share_of
from banditlab.explorer.paper import find_paper
from banditlab.page import plays, replays
from banditlab.page.tables import Pool
from banditlab.study import Study, study
from banditlab.study.parameters import Size, bundle
from tests.reports import ROOT

FEWEST = {"factored": 12, "uplifting": 9, "censored": 4, "composite": 12}  # claims that a page judges anew


@bundle(size=Size)
def play(gap, size):
    policies = {"UCB1": classic.ucb1(2), "uniform": classic.uniform(2)}
    return size.simulate(classic.bernoulli([0.5, 0.5 - gap]), policies, 10)


def fresh(seed, gap):
    return classic.bernoulli(np.random.default_rng(seed).permutation([0.5, 0.5 - gap]))


@bundle(size=Size)
def play_fresh(gap, size):
    policies = {"UCB1": classic.ucb1(2), "uniform": classic.uniform(2)}
    return size.simulate(random_instances(fresh, gap=gap), policies, 10)


@bundle(size=Size)
def play_twins(gap, size):
    policies = {"UCB1": classic.ucb1(2), "twin": classic.ucb1(2)}
    return size.simulate(classic.bernoulli([0.5, 0.5 - gap]), policies, 10)


SIZES = {"quick": {"horizon": 200, "runs": 10}}
GAPS = Study("Gaps", "regret by gap", play, lambda found, n: "", {"gap": (0.1, 0.2, 0.4)}, sizes=SIZES)
FRESH = Study("Fresh", "in fresh worlds", play_fresh, lambda found, n: "", {"gap": (0.2,)}, sizes=SIZES)
TWINS = Study("Twins", "two that are the same", play_twins, lambda found, n: "", {"gap": (0.2,)}, sizes=SIZES)
toy = Claims("toy")


def results(scale, seed, chosen=GAPS):
    return list(chosen.results(scale, seed).values())


@toy("less", "UCB1 loses less than uniform play.", "here")
def less(scale, seed):
    found = {f"Δ = {c.gap}": regret_difference(r, "uniform", "UCB1") for c, r in GAPS.results(scale, seed).items()}
    return Cases("uniform - UCB1", found, "regret").above(0)


@toy("fresh", "So it does in fresh worlds.", "here", ours=True)
def in_fresh_worlds(scale, seed):
    (result,) = results(scale, seed, FRESH)
    parts = ratio(result.final_regret("UCB1"), result.final_regret("uniform"))
    return [Cases("UCB1 / uniform", parts, axis="log").below(1), Cases("growth", growth(result, "UCB1")).sublinear()]


@toy("readings", "Uniform play loses 5 rewards.", "here", universal=True)
def readings(scale, seed):
    one, two, _ = results(scale, seed)
    per_round = mean(two.final_regret("uniform") / 200 + 1)
    twice = quotient(mean(two.final_regret("uniform")), mean(one.final_regret("uniform")))
    values = one.of_policy("uniform")[:, 4]
    half = mean(values[: len(values) // 2])
    return {
        "a": Cases("a round", {"0.2": per_round, "told": exact(1.1)}).between(1, 1.2),
        "b": [Cases("twice", twice).above(3), Cases("half", half).ask((None, 4), (6, None))],
    }


@toy("instances", "Over instances.", "here")
def over_instances(scale, seed):
    found = results(scale, seed)
    ends = [[one.final_regret(name) for one in found] for name in ("UCB1", "uniform")]
    return [
        Cases("times", {"ratio": instance_ratio(*ends)}, axis="log").much_less(),
        Cases("mean", instance_mean(ends[0])).below(40),
        Cases("growth", instance_growth(found, "uniform")).linear(),
        Cases("more", difference(mean(ends[1][1]), mean(ends[0][0]))).above(0),
    ]


@toy("equal", "Two policies that are the same lose the same.", "here")
def equal(scale, seed):
    (result,) = results(scale, seed, TWINS)
    found = {t: ratio(*(result.of_policy(name)[:, t] for name in result.policies)) for t in range(2, 10)}
    return Cases("UCB1 / twin", found).between(0.9, 1.1)


WRONG = Claims("wrong")


@WRONG("counted", "More than regret.", "here")
def counted(scale, seed):
    return Cases("pulls", mean(results(scale, seed)[0].diagnostics["pulls"][0, :, 0])).above(0)


@WRONG("squared", "What no page makes of regret.", "here")
def squared(scale, seed):
    return Cases("squares", mean(results(scale, seed)[0].final_regret("UCB1") ** 2)).above(0)


@WRONG("middle", "An interval that no page makes.", "here")
def middle(scale, seed):
    return Cases("median", median(results(scale, seed)[0].final_regret("UCB1"))).above(0)


@WRONG("agreed", "Numbers that are exact only where all runs agree.", "here")
def agreed(scale, seed):
    one, two, _ = (constant(result.final_regret("UCB1")) for result in results(scale, seed))
    return Cases("ratio", quotient(one, two)).above(0)


@WRONG("judged", "A test that judges by itself.", "here")
def judged(scale, seed):
    found = Cases("", mean(results(scale, seed)[0].final_regret("UCB1"))).above(0)
    return count("cases", {"one": found.answer})


@WRONG("chosen", "What is asked changes with what is found.", "here")
def chosen(scale, seed):
    one = results(scale, seed)[0]
    best = min(one.policies, key=lambda name: one.final_regret(name)[0])
    return Cases("the better one's", mean(one.final_regret(best))).above(0)


@WRONG("largest", "A number that only looks exact.", "here")
def largest(scale, seed):
    return Cases("largest", exact(results(scale, seed)[0].regret.max())).above(0)


@WRONG("formula", "No simulation.", "here")
def formula(scale, seed):
    return Cases("two", constant([2.0, 2.0])).above(1)


@pytest.mark.parametrize("asked", toy.asked, ids=lambda one: one.id)
def test_a_claim_is_made_again_from_regret_as_it_makes_itself(asked):
    replay = replays.find_replay("toy", asked, 3)
    for number in range(min(2, replay.looks)):
        with looking(number, share_of(number, replay.looks)):
            _, own = judging.tested("toy", asked, "quick", 3)
            played = [found_of(cell, number) for cell in replay.cells]
            again = functools.partial(replays.make_again, regret=played)
            made = replays.change_estimates(replay.readings, again)
            for mine, theirs in zip(judging.all_measures(made), judging.all_measures(own), strict=True):
                np.testing.assert_allclose(mine[2:5], theirs[2:5], rtol=1e-9)
                assert mine.answer == theirs.answer and mine.words() == theirs.words()


@pytest.mark.parametrize("factor", [1.0, 2.0, 0.1, -3.5, 1 / 200, 1 / 3, 0.0123456789012345, 1e-9, 0.0])
def test_a_fitted_factor_is_the_number_that_was_written(factor):
    for off in (factor * (1 + 2e-16), factor * (1 - 3e-16), factor):
        found = replays.tidy_factor(off)
        assert found == (factor if factor != 0.0123456789012345 else off)


def found_of(cell, number):
    """What a simulation finds at a look."""
    from banditlab import simulate

    return simulate(**{**cell.settings, "runs": cell.settings["runs"] * 2**number}).regret


@pytest.mark.parametrize("asked", WRONG.asked, ids=lambda one: one.id)
def test_what_a_page_cannot_judge_is_refused(asked):
    with pytest.raises((TypeError, LookupError)):
        replays.find_replay("wrong", asked, 0)


def test_nothing_made_up_is_left_behind(monkeypatch):
    monkeypatch.setattr(study, "kept", {})  # without what other tests played
    before = {cell: result.regret.copy() for cell, result in GAPS.results("quick", 8).items()}
    replays.find_replay("toy", toy.asked[0], 8)
    kept = [id(one.regret) for one in study.kept.values()]
    for cell, regret in before.items():
        found = GAPS.results("quick", 8)[cell].regret
        assert id(found) in kept
        np.testing.assert_array_equal(found, regret)


def test_levels_and_quantiles_are_those_of_each_look():
    from banditlab.evidence.estimates import t_quantile

    laid = replays.lay_out("toy", toy.asked[0], 0, Pool())
    levels = laid["readings"]["as printed"]["levels"]
    assert len(levels) == 5 and laid["grows"]
    for number, at in enumerate(levels):
        assert at["level"] == 1 - 0.05 * share_of(number, 5) / 3
        assert at["quantiles"] == {10 * 2**number: t_quantile(10 * 2**number, at["level"])}


def test_fresh_worlds_are_enough_for_seeds_of_a_readers_own():
    laid = replays.lay_out("toy", toy.asked[1], 0, Pool())
    (simulation,) = laid["simulations"]
    assert simulation["drawn"] and len(simulation["worlds"]) == 3 * simulation["most"] == 3 * 10 * 16
    assert laid["answers"] == {
        "true": "found",
        "false": "not found",
        "both": "depends on the reading",
        "null": "undecided",
    }


@pytest.mark.parametrize("name", FEWEST)
def test_papers_have_claims_that_a_page_judges_anew(name):
    paper = find_paper(ROOT / "notebooks" / f"{name}.ipynb")
    claims, found = plays.find_claims(paper), []
    for asked in claims.asked:
        replays.find_replay(name, asked, 0)
        found.append(asked.id)
    assert found == list(paper.REPLAYS) and len(found) >= FEWEST[name]
