"""Every claim says what its sentence says: made-up results that satisfy it and that contradict it."""

import numpy as np
import pandas as pd
import pytest

from banditlab.claims import NOT_REPRODUCED, REPRODUCED, UNTESTED
from banditlab.result import Result
from banditlab.uplifting import claims, ledger, tuning
from banditlab.uplifting.claims import ablations, bandit, campaign, common, theory
from banditlab.uplifting.experiments import studies
from banditlab.uplifting.experiments.instances import (
    C2,
    C2_BL,
    C2UCB,
    EPS,
    EPS_BL,
    GREEDY_BL,
    LCB,
    NAFF,
    NAFF_BL,
    RANDOM,
    TS,
    UCB,
    UP,
    UP_BL,
)

GAUSSIAN = {UCB: 100, TS: 80, UP_BL: 20, UP: 22, NAFF_BL: 25, NAFF: 32}
BERNOULLI = {UCB: 100, TS: 100, UP_BL: 50, UP: 50}
PEOPLE = BERNOULLI | {NAFF_BL: 110, NAFF: 110}
CAMPAIGN = {GREEDY_BL: 90, EPS_BL: 22, EPS: 22, C2_BL: 20, C2: 20, C2UCB: 60, RANDOM: 80}


def made(finals, growth=0.3, rounds=200, runs=60, spread=0.02, **tallies):
    """A result whose policies have these mean final regrets and this growth, by policy where it is a dict."""
    rng, checkpoints = np.random.default_rng(0), np.linspace(0, rounds, 21)[1:]
    rows = []
    for name, value in finals.items():
        pace = growth.get(name, 0.3) if isinstance(growth, dict) else growth
        noise = value + value * spread * rng.standard_normal(runs) if np.ndim(value) == 0 else value
        rows.append(np.outer(noise, (checkpoints / rounds) ** np.log2(1.0 + pace)))
    tables = {key.replace("_", " "): np.array(list(table.values())) for key, table in tallies.items()}
    return Result({"policies": dict.fromkeys(finals)}, checkpoints.astype(int), np.array(rows), tables, {})


def tuned(best, finals, **options):
    """A tuning whose parameters have these final regrets; the best is the given one."""
    result = made({repr(parameter): value for parameter, value in finals.items()}, **options)
    last = result.regret[:, :, -1]
    table = pd.DataFrame({"parameter": list(finals), "q95": tuning.q95(last, 1), "score": tuning.score(last, 1)})
    return tuning.Tuned(best, table, result)


def always(value):
    """A function that returns it whatever the arguments."""
    return lambda *args, **keywords: value


def gaussian(growth=0.3, **change):
    return dict(gaussian_runs=always(made(GAUSSIAN | change, growth)))


def affected(times):
    return dict(affected_runs=lambda scale, seed, large: made({UP: 10 * times if large else 12, UP_BL: 10}))


def parted(upper, lower):
    """The two ablations, tuned."""
    return dict(ablated=lambda name, *args: {UP: upper, LCB: lower}[name])


def heavy(low, high, share=0.1, runs=100):
    """Final regrets with a tail."""
    values = np.full(runs, float(low)) + np.arange(runs) / runs
    values[: int(share * runs)] = high
    return np.random.default_rng(1).permutation(values)


def given(values, growth=0.3):
    """Tunings of UpUCB-nAff (bl) by what it is told."""
    return dict(ablated=lambda name, scale, seed, L: tuned(5, {5: values[L], 6: values[L]}, growth=growth))


def visits(growth=0.3, realised=1.0, noise=0.1, **change):
    """The campaign; realised regret is so many times the predicted one, by policy where it is a dict."""
    finals, rng = CAMPAIGN | change, np.random.default_rng(2)
    shares = realised if isinstance(realised, dict) else dict.fromkeys(finals, realised)
    table = {n: v * shares.get(n, 1.0) * (1.0 + noise * rng.standard_normal(60)) for n, v in finals.items()}
    run = studies.Campaigned("made-up", made(finals, growth, realised_regret=table))
    return dict(campaign_runs=always(run), equal_epsilons=always(run))


def stuck(share, growth):
    """Runs of which so many play a worse action most of the time."""

    def runs(name, horizon, number, grid, seed, L):
        counts = np.array([np.arange(10) == (1 if run < share * 60 else 0) for run in range(60)]) * horizon
        return tuned(grid[0], {p: 100 + p for p in grid}, growth=growth, rounds=horizon,
                     pulls=dict.fromkeys(grid, counts))  # fmt: skip

    def world(seed):
        return type("World", (), {"gaps": np.arange(10.0)})

    return dict(gaussian_tuning=runs, paper_gaussian=world)


def correlated(value):
    return dict(correlation=always(studies.Campaigned("made-up", value)))


def printed(loss, spread=0.02):
    """Tunings in which the printed value of Table 3 loses so much."""

    def one(name, setting):
        value = tuning.TABLE_3[setting][name]
        return tuned(2 * value, {value: 100 + loss, 2 * value: 100}, rounds=100_000, spread=spread)

    return dict(
        tuned=lambda name, scale, seed, setting="Gaussian": one(name, setting),
        tuned_people=lambda name, seed: one(name, "Bernoulli"),
        tuned_campaign=lambda name, mode, scale, seed: studies.Campaigned("made-up", one(name, mode)),
    )


def betas(bernoulli, gaussian=2.0):
    """Tuned values of the two settings."""

    def one(name, scale, seed, setting="Gaussian", beyond=()):
        best = gaussian if setting == "Gaussian" else bernoulli.get(name, 1e-6)
        return tuned(best, dict.fromkeys((1.0, 9.0) if setting == "Gaussian" else (1e-7, 1e-4, *beyond), 1))

    return dict(tuned=one)


def simulated(pulls, regret=1.0):
    """A `simulate` whose policies pull every action so often and have this regret."""

    def simulate(world, policies, rounds, runs, seed, checkpoints):
        arms = len(getattr(world, "gaps", ()))
        counts = dict.fromkeys(policies, np.full((runs, arms), pulls))
        return made(dict.fromkeys(policies, regret), rounds=rounds, runs=runs, pulls=counts)

    return dict(simulate=simulate)


FLAT, STEEP = {2: 100, 6: 50}, {2: 50, 6: 100}  # final regrets by β
CASES = {  # claim: (what satisfies it, what contradicts it)
    bandit.uplift_wins: [gaussian(), gaussian(**{NAFF: 60})],
    bandit.baseline_cheap: [gaussian(), gaussian(**{UP: 40})],
    bandit.sets_dearer: [gaussian(), gaussian(**{NAFF: 18})],
    bandit.sublinear: [gaussian(), gaussian(growth={NAFF: 0.9})],
    bandit.large_best: [affected(6), affected(1.2)],
    bandit.bernoulli_wins: [dict(bernoulli_runs=always(made(BERNOULLI))),
                            dict(bernoulli_runs=always(made(BERNOULLI | {UP: 90})))],
    bandit.bernoulli_baseline: [dict(bernoulli_runs=always(made(BERNOULLI))),
                                dict(bernoulli_runs=always(made(BERNOULLI | {UP: 70})))],
    bandit.bernoulli_naff: [dict(people_runs=always(made(PEOPLE))),
                            dict(people_runs=always(made(PEOPLE | {NAFF_BL: 60}))),
                            dict(people_runs=always(made(PEOPLE | {NAFF: 85})))],
    ablations.small_betas: [betas({}), betas({TS: 1e-3}), betas({UP: 1e-2})],
    ablations.larger_beta: [parted(tuned(2, FLAT), tuned(6, FLAT)), parted(tuned(6, FLAT), tuned(2, STEEP))],
    ablations.similar_means: [parted(tuned(6, FLAT), tuned(2, STEEP)), parted(tuned(6, FLAT), tuned(2, FLAT))],
    ablations.heavier_tail: [parted(tuned(2, {2: heavy(10, 11)}), tuned(2, {2: heavy(10, 90)})),
                             parted(tuned(2, {2: heavy(10, 90)}), tuned(2, {2: heavy(10, 11)}))],
    ablations.same_optimum: [parted(tuned(6, FLAT), tuned(6, FLAT)),
                             parted(tuned(6, FLAT), tuned(2, {2: heavy(10, 90), 6: heavy(20, 21)}))],
    ablations.overspecified: [given({5: 1, 8: 1, 10: 100, 15: 180}), given({5: 1, 8: 1, 10: 100, 15: 110}),
                              given({5: 1, 8: 1, 10: 100, 15: 180}, growth=0.9)],
    ablations.underspecified: [given({5: 1, 8: 80, 10: 100, 15: 180}), given({5: 1, 8: 120, 10: 100, 15: 180})],
    ablations.severely_underspecified: [stuck(0.5, 0.95), stuck(0.01, 0.95), stuck(0.5, 0.3)],
    campaign.greedy_poor: [visits(), visits(**{C2UCB: 15}), visits(**{GREEDY_BL: 10}), visits(**{EPS: 85})],
    campaign.optimism_better: [visits(), visits(**{EPS: 15})],
    campaign.optimism_slightly: [visits(), visits(**{EPS_BL: 40})],
    campaign.modes_agree: [visits(), visits(realised=1.5)],
    campaign.modes_differ: [visits(realised=1.5), visits()],
    campaign.mode1_linear: [visits(growth=1.0), visits(growth={C2: 0.4, EPS: 1.0, EPS_BL: 1.0, C2_BL: 1.0})],
    campaign.mode2_sublinear: [visits(), visits(growth={C2: 0.9}), visits(**{C2: 30})],
    campaign.mode2_linear: [visits(growth=0.7), visits(growth=0.3)],
    campaign.correlation: [correlated(0.3), correlated(-0.3)],
    campaign.baseline_hurts: [visits(**{C2_BL: 30, EPS_BL: 30}), visits(**{C2_BL: 10, EPS_BL: 10})],
    campaign.mode1_alike: [visits(realised={EPS: 0.91, EPS_BL: 0.91}), visits(realised={EPS: 2.0})],
    ablations.table_3: [printed(0), printed(50)],
    theory.pull_bounds: [simulated(1), simulated(theory.ROUNDS)],
    theory.linear_bound: [simulated(1), simulated(1, 1e9)],
}  # fmt: skip


def judge(test, replaced, monkeypatch):
    """The verdict that a claim's test gives on made-up results."""
    for module in (studies, tuning):
        monkeypatch.setattr(module, "simulate", None)  # nothing is simulated
    for name, function in replaced.items():
        place = next(module for module in (ablations, theory, studies) if hasattr(module, name))
        monkeypatch.setattr(place, name, function)
    return test("paper", 0)[-1]


@pytest.mark.parametrize("test", CASES, ids=lambda test: test.__name__)
def test_claims_tell_right_from_wrong(test, monkeypatch):
    right, *wrong = CASES[test]
    assert judge(test, right, monkeypatch) == REPRODUCED
    for case in wrong:
        assert judge(test, case, monkeypatch) == NOT_REPRODUCED


def test_all_claims_are_among_the_cases():
    assert set(CASES) == set(claims.TESTS)


@pytest.mark.parametrize(
    "test, replaced",
    [
        (bandit.baseline_cheap, dict(gaussian_runs=always(made(GAUSSIAN | {UP: 30}, spread=0.3)))),
        (bandit.sets_dearer, dict(gaussian_runs=always(made(GAUSSIAN | {UP_BL: 25, UP: 32}, spread=0.3)))),
        (bandit.bernoulli_naff, dict(people_runs=always(made(PEOPLE, runs=10)))),
        (ablations.larger_beta, parted(tuned(2, FLAT), tuned(2, FLAT))),
        (campaign.optimism_better, visits(**{EPS: 20, C2: 20})),
        (ablations.table_3, printed(5, spread=0.1)),
        (ablations.small_betas, betas({UP: 1.0})),
        (ablations.small_betas, betas({}, gaussian=1.0)),
        (ablations.same_optimum, parted(tuned(6, FLAT), tuned(2, {2: heavy(10, 20, 0.05), 6: heavy(10, 11)}))),
        (ablations.severely_underspecified, stuck(0.1, 0.95)),
        (campaign.modes_agree, visits(noise=1.0)),
        (campaign.modes_differ, visits(noise=1.0)),
        (campaign.mode1_alike, visits(realised={EPS: 0.91, EPS_BL: 0.91}, noise=1.0)),
        (theory.linear_bound, {"LINEAR_ROUNDS": 100, **simulated(1)}),
    ],
)  # fmt: skip
def test_claims_stay_open_where_runs_cannot_tell(test, replaced, monkeypatch):
    assert judge(test, replaced, monkeypatch) == UNTESTED


def test_bounds_above_the_horizon_say_nothing(monkeypatch):
    judge(theory.pull_bounds, {"ROUNDS": 100, **simulated(1)}, monkeypatch)
    reading = theory.pull_bounds("paper", 0)[-2]
    assert reading == "UpUCB (bl), UpUCB, UpUCB-nAff (bl); undecided: UpUCB-nAff, UpUCB-iLift (bl), UpUCB-iLift"


def test_statistics_answer_in_three_ways():
    low, wide, high = common.Found(1.0, 0.9, 1.1), common.Found(1.0, 0.0, 2.5), common.Found(3.0, 2.9, 3.1)
    assert [one.at_most(2.0) for one in (low, wide, high)] == [True, None, False]
    assert [one.at_least(2.0) for one in (low, wide, high)] == [False, None, True]
    assert [one.above(2.0) for one in (low, wide, high)] == [False, None, True]
    assert [one.within(0.8, 2.0) for one in (low, wide, high)] == [True, None, False]
    losses = (1.0, 1.0), (4.0, 1.0), (6.0, 3.0), (6.0, 1.0)  # with their errors, of a best of 100
    assert [tuning.negligible(*one, 100.0) for one in losses] == [True, None, None, False]
    paces = [common.Found(value, value - 0.05, value + 0.05) for value in (0.4, 0.6, 0.9)]
    assert [one.sublinear() for one in paces] == [True, None, False]
    assert [one.linear() for one in paces] == [False, None, True]
    values = np.random.default_rng(3).normal(10.0, 1.0, 400)
    mean = common.bootstrap(lambda rows: values[rows].mean(axis=-1), 400)
    assert mean.value == pytest.approx(values.mean())
    assert (mean.high - mean.low) / 2 == pytest.approx(1.96 * values.std() / 20, rel=0.1)  # of 2000 draws: 4 %
    shared = common.bootstrap(lambda rows: values[rows].mean(axis=-1), 400, among=5)
    assert shared.low < mean.low and shared.high > mean.high


FIRM = {  # verdicts at quick size that no seed should change
    "G2": REPRODUCED,
    "G3": REPRODUCED,
    "G5": REPRODUCED,
    "B1": REPRODUCED,
    "B2": REPRODUCED,
    "C1": REPRODUCED,
    "C2a": REPRODUCED,
    "C4a": REPRODUCED,
    "C4b": NOT_REPRODUCED,
    "C5a": REPRODUCED,
    "C6a": REPRODUCED,
    "C7": NOT_REPRODUCED,
    "T1": REPRODUCED,
    "T2": REPRODUCED,
}


def test_quick_ledger(kept, monkeypatch):
    monkeypatch.delenv("BANDITLAB_DATA", raising=False)
    found = {claim.id: claim for claim in ledger("quick", 0)}
    assert len(found) == len(claims.TESTS)
    assert {id: found[id].verdict for id in FIRM} == FIRM
    assert sum(claim.verdict != UNTESTED for claim in found.values()) >= 2 * len(found) / 3
    assert all("stand-in" in claim.reading for id, claim in found.items() if id.startswith("C"))
    assert {claim.paper for claim in found.values()} == {"uplifting"}
    assert all(claim.statistic and claim.where and claim.interval for claim in found.values())
