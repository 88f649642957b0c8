"""Every claim says what its sentence says: made-up results that satisfy it and that contradict it."""

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from uplifting import baseline, beyond, checks, data, drawn, optimal, runs, tuning
from uplifting.claims import ablations, claims, theory
from uplifting.names import (
    ADJUSTED,
    C2,
    C2_BL,
    C2UCB,
    EPS,
    EPS_BL,
    GREEDY_BL,
    ILIFT_BL,
    LCB,
    LEARNT,
    LINEAR_ALL,
    LINEAR_BL,
    NAFF,
    NAFF_BL,
    NAIVE,
    OWN_WIDTH,
    RANDOM,
    TS,
    UCB,
    UP,
    UP_BL,
)

import banditlab as bl
from banditlab.evidence.verdicts import (
    DEPENDS,
    FOUND,
    NOT_CONTRADICTED,
    NOT_FOUND,
    NOT_REPRODUCED,
    REPRODUCED,
    UNDECIDED,
    UNTESTED,
)
from banditlab.results.result import Result
from banditlab.study import study

GAUSSIAN = {UCB: 100, TS: 80, UP_BL: 20, UP: 21, NAFF_BL: 25, NAFF: 32}
BERNOULLI = {UCB: 100, TS: 100, UP_BL: 50, UP: 50}
PEOPLE = BERNOULLI | {NAFF_BL: 110, NAFF: 110}
CAMPAIGN = {GREEDY_BL: 90, EPS_BL: 22, EPS: 22, C2_BL: 20, C2: 20, C2UCB: 60, RANDOM: 80}
ASKED = {asked.id: asked for asked in claims.asked}
EXACT = {"P2", "P3", "U1", "N1", "I1", "I2", "O1", "O2", "T4", "T5", "F5"}  # computed without a study; tested apart


def made(finals, growth=0.4, rounds=200, number=60, spread=0.02, environment=None, instance=0, **diagnostics):
    """A result whose policies have these mean final regrets and this growth exponent, by policy where it is a dict."""
    total = int(100 * sum(np.mean(value) for value in finals.values()))
    rng = np.random.default_rng([total, instance])  # others draw otherwise
    checkpoints = np.linspace(0, rounds, 61 if rounds == 600 else 41)[1:]
    rows = []
    for name, value in finals.items():
        exponent = growth.get(name, 0.4) if isinstance(growth, dict) else growth
        noise = value + value * spread * rng.standard_normal(number) if np.ndim(value) == 0 else value
        jitter = 1 + 1e-3 * rng.standard_normal((len(noise), len(checkpoints)))
        rows.append(np.outer(noise, (checkpoints / rounds) ** exponent) * jitter)
    settings = {"policies": dict.fromkeys(finals), "environment": environment}
    return Result(settings, checkpoints.astype(int), np.array(rows), diagnostics, {"seconds": 0.0})


def tuned(best, finals, **options):
    """A tuning whose parameters have these final regrets; the best is the given one."""
    result = made({repr(parameter): value for parameter, value in finals.items()}, **options)
    last = result.regret[:, :, -1]
    columns = {"mean": last.mean(axis=1), "std": last.std(axis=1, ddof=1), "q95": tuning.q95(last, 1)}
    table = pd.DataFrame({"parameter": list(finals), **columns, "score": tuning.score(last, 1)})
    return tuning.Tuned(best, table, result)


def gaussian(growth=0.4, **change):
    """Figure 2 (a) under both readings, and each policy tuned at its horizon."""
    finals = GAUSSIAN | change

    def best(n):
        result = made({n["policy"]: finals[n["policy"]]}, instance=n["instance"])
        return drawn.Judged(1.0, None, result.final_regret(n["policy"]), result)

    growths = growth if isinstance(growth, dict) else dict.fromkeys(finals, growth)
    return {
        drawn.compared: lambda n: made(finals, growths, instance=n["instance"]),
        drawn.judged_gaussian: best,
    }


def coins(finals):
    result = made(finals, 1.0, rounds=2000, number=400)
    return {play: lambda n: result for play in (runs.clusters, runs.figure_2)}


def on_instances(make):
    """The same on every instance, with noise of its own."""
    return lambda n: make(n["instance"])


def affected(times):
    return {
        runs.affected: lambda n: made({UP: 10 * times if 50 in n["sizes"] else 12, UP_BL: 10}, instance=n["instance"])
    }


def parted(upper, lower):
    """The two ablations, tuned on every instance: functions of its number."""
    return {runs.tuned: lambda n: {UP: upper, LCB: lower}[n["policy"]](n["instance"])}


def at(best, finals, number=60):
    """Tunings instance by instance; the best parameter is now and then the next one."""
    return lambda k: tuned(best + k % 2, {b: finals[min(finals, key=lambda f: abs(f - b))] for b in range(1, 10)},
                           number=number, instance=k)  # fmt: skip


def tailed(low, high, share=0.2, number=100):
    """Tunings instance by instance with one parameter and this tail."""
    return lambda k: tuned(2, {1: 500 + heavy(low, high, share, number, k), 2: heavy(low, high, share, number, k)})


def heavy(low, high, share=0.1, number=100, instance=1):
    """Final regrets with a tail."""
    rng = np.random.default_rng(instance)
    values = np.full(number, float(low)) + np.arange(number) / number
    values[: int(share * number)] = high + rng.random()
    return rng.permutation(values)


def given(values, growth=0.4):
    """Tunings of UpUCB-nAff (bl) by what it is told."""
    return {
        runs.figure_3: lambda n: tuned(
            6, {6: values.get(n["case"].split()[-1], 1)}, growth=growth, instance=n["instance"]
        )
    }


def visits(growth=0.4, realised=1.0, noise=0.1, **change):
    """The campaign; realised regret is so many times the predicted one, by policy where it is a dict."""
    finals = CAMPAIGN | change
    shares = realised if isinstance(realised, dict) else dict.fromkeys(finals, realised)
    world = type("World", (), {"budget": 10})
    best = np.tile(np.linspace(2, 120, 60), (len(finals), 60, 1))

    def play(n):
        rng = np.random.default_rng(n["instance"])
        table = [v * shares.get(name, 1.0) * (1.0 + noise * rng.standard_normal(60)) for name, v in finals.items()]
        kept = {"realised regret": np.array(table), "best": best}
        return made(finals, growth, rounds=600, environment=world, instance=n["instance"], **kept)

    return dict.fromkeys((runs.figure_4, runs.equal_epsilons, runs.learners), play)


def stuck(share, growth):
    """Runs of which about so many play a worse action most of the time."""

    def play(n):
        k = n["instance"]
        worse = np.arange(200) < (share + 0.005 * (k % 3)) * 200
        pulls = np.stack([~worse, worse, *[0 * worse] * 8], axis=1) * 1000.0
        return tuned(10, {10: 100}, growth=growth, rounds=1000, number=200, pulls=pulls[None], instance=k)

    return {runs.locks: play, runs.tuned: lambda n: stuck_one(n, share)}


def stuck_one(n, share):
    """A tuning of which the variant with the lower bound gets stuck so often, the others hardly ever."""
    k = n["instance"]
    worse = np.arange(100) % 20 < (1 + k % 2) + (20 * share + k % 3) * (n["policy"] == LCB)
    pulls = np.stack([~worse, worse, *[0 * worse] * 8], axis=1) * 1000.0
    return tuned(1, {1: 100}, rounds=1000, number=100, pulls=pulls[None], instance=k)


def printed(loss, spread=0.02):
    """The printed value of Table 3 loses so much on the one that other runs chose."""

    def play(n):
        k = n.get("instance", 0)
        result = made({"printed": 100 + loss, "chosen": 100}, number=200, spread=spread, instance=k)
        return drawn.Judged(1.0, result.final_regret("printed"), result.final_regret("chosen"), result)

    return dict.fromkeys(
        (drawn.judged_gaussian, drawn.judged_clusters, drawn.judged_people, drawn.judged_campaign), play
    )


def betas(bernoulli, normal=2.0, common=3.0, worse=2.0, apart=0.1):
    """Tuned values of the two settings, and of UCB with common noise and without."""

    def chosen(best, *grid):
        finals = {b: 1.0 if b == best else worse for b in sorted({best, *grid})}
        return tuned(best, finals, number=100)

    def vary(best, n):
        return best * 0.99 ** n["instance"]

    return {
        drawn.common_or_not: lambda n: chosen(vary(common, n) if n["noise"] == "common" else apart, 0.01, 9.0),
        runs.tuned: lambda n: chosen(vary(normal, n), 0.5, 9.0),
        runs.tuned_clusters: lambda n: chosen(bernoulli.get(n["policy"], 1e-6), 1e-7, 1.0),
    }


def bold(deviation, again=None):
    """Tunings whose smaller parameter has the smaller mean and so large a deviation; one has no smaller parameter.

    Played again it deviates as much, or so much.
    """
    tame = np.random.default_rng(0).normal(100, 2, (10, 100))

    def play(n, own=deviation):
        pair, wild = made({"2.0": 60, "6.0": 100}), np.tile([60.0 - own, 60.0 + own], 50)
        return None if n["policy"] == UCB else drawn.Judged(6.0, wild, tame[n["instance"]], pair)

    return {drawn.bolder: play, drawn.bold_again: lambda n: play(n, deviation if again is None else again)}


def pulled(times):
    """Pulls that are so many times the bounds."""

    def play(n):
        limit = type("Upper", (), {"pulls": np.array([np.inf, 100.0, 1e9])})
        result = made({UCB: 1}, pulls=np.array([[[5.0, 100.0 * times, 5.0]]]))
        return checks.Bounded(result, {UCB: limit})

    return {checks.bounded: play, checks.searched: lambda n: ({UCB: 0.5}, {UCB: 20})}


def fifth(regret, bound=50.0, searched=0.1):
    """Regret, bound, and 100 for blind choices; the largest ratio that a search finds."""
    return {
        checks.searched_campaigns: lambda n: {"random": (searched, 200), "stress": (0.1, 18)},
        checks.theorem_5: lambda n: checks.Bounded(
            made({"C2UpUCB-M": regret}), {"C2UpUCB-M": np.full(40, bound), "blind": 100.0}
        ),
    }


def both(*times):
    """Regret so many times the two bounds."""
    limits = {name: type("Upper", (), {"regret": 100.0 / t}) for name, t in zip(("L", "2 L"), times, strict=True)}
    return {checks.combined: lambda n: checks.Bounded(made({"both": 100.0}, number=200), limits)}


def doubled(ucb, other):
    """Regret with twice as many variables."""
    shown = (UP_BL, UP, NAFF_BL, NAFF)
    return {checks.order: lambda n: made({UCB: ucb if n["m"] == 80 else 1.0} | dict.fromkeys(shown, 1.0)
                                         | ({UP: other} if n["m"] == 80 else {}), spread=0.001)}  # fmt: skip


def more_affected(other):
    """Regret with twice as many affected variables."""
    shown = dict.fromkeys((UCB, UP_BL, UP, NAFF_BL, NAFF), 1.0)
    times = {UP_BL: 4.0, UP: 4.0, NAFF_BL: 4.0, NAFF: other}
    return {checks.order: lambda n: made(shown | (times if n["L"] == 10 else {}), spread=0.001)}


def hidden(regret, growth=1.0, alike=False):
    """Regret where an effect was not told; the action that looks best without it loses 0.5 a round.

    Or regret that is the same share of the effect, whatever it is.
    """
    name = "told the sets without it"
    world = type("World", (), {"affected": np.eye(2, dtype=bool), "mu": np.eye(2), "mu0": np.zeros(2),
                               "gaps": np.array([0.5, 0.0])})  # fmt: skip

    def play(n):
        k = int(10 * n["effect"])
        share, instance = k / 10 if alike else 1, 100 * n["instance"] + k
        result = made({name: regret * share, "told all": 10}, growth, environment=world, instance=instance)
        result.settings["policies"][name] = type("Policy", (), {"members": np.array([[0], [-1]])})
        return result

    return {beyond.outside: play}


def told(adjusted, learnt=60):
    finals = {UP_BL: 100, OWN_WIDTH: 60, ADJUSTED: adjusted, LEARNT: learnt}

    def play(n):
        return made(finals, environment=runs.paper(n["instance"]), instance=n["instance"])

    return {beyond.told_paper: play}


def units(deviation, variance):
    """Parameters in units of the noise, Gaussian over Bernoulli, if 80 is a standard deviation and if a variance."""
    rows = [(name, setting) for name in (UCB, TS) for setting in ("Gaussian", "Bernoulli")]
    return {
        beyond.one_unit: lambda n: pd.DataFrame(rows, columns=["policy", "setting"]).assign(
            **{"in units": [deviation if n["spread"] == 80 else variance, 1.0] * 2}
        )
    }


def people_of(few, many):
    """Regret of who is told whom an action affects, with 20 and 80 people; the other has 100."""
    return {beyond.few_actions: lambda n: made({LINEAR_BL: few if n["people"] == 20 else many, LINEAR_ALL: 100})}


def totals(few, many, growth=0.5):
    """Regret of a learner of the total reward, with 20 and 40 people."""
    return {beyond.total_reward: lambda n: made({LINEAR_ALL: few if n["people"] == 20 else many}, growth)}


def price(times):
    """UpUCB's regret over that of UpUCB (bl), by actions and size of the best one's set."""

    def play(n):
        rows = [(K, times(K, n["best"]) * 10.0, 10.0) for K in (2, 5, 20)]
        return pd.DataFrame(rows, columns=["K", UP, UP_BL])

    return {beyond.priced: play}


def torn(k):
    """A tuning whose best parameter has a far larger 95 % quantile than another."""
    return tuned(2, {2: heavy(10, 90, 0.1, 100, k), 6: heavy(60, 61, 0.1, 100, k)})


FLAT, STEEP = {2: 100, 6: 50}, {2: 50, 6: 100}  # final regrets by β
CASES = {  # claim: (what satisfies it, what contradicts it)
    "G1": [gaussian(), gaussian(**{NAFF: 70})],
    "G2": [gaussian(), gaussian(**{UP: 30})],
    "G3": [gaussian(), gaussian(**{NAFF: 18})],
    "G4": [gaussian(), gaussian(growth={NAFF: 1.0})],
    "G5": [affected(6), affected(1.3)],
    "B1": [coins(BERNOULLI), coins(BERNOULLI | {UP: 90})],
    "B2": [coins(BERNOULLI), coins(BERNOULLI | {UP: 70})],
    "B3": [coins(PEOPLE), coins(PEOPLE | {NAFF_BL: BERNOULLI[UP_BL]}), coins(PEOPLE | {NAFF: BERNOULLI[UP]})],
    "B4": [betas({}), betas({TS: 1e-3}), betas({UP: 1.0}), betas({}, common=0.5), betas({}, common=0.05, apart=9.0)],
    "A1": [parted(at(2, FLAT), at(6, FLAT)), parted(at(6, FLAT), at(2, STEEP))],
    "A2": [parted(at(6, FLAT), at(2, STEEP)), parted(at(6, FLAT), at(2, {2: 90, 6: 95}))],
    "A3": [parted(tailed(10, 11), tailed(10, 90)), parted(tailed(10, 90), tailed(10, 11))],
    "A4": [parted(tailed(10, 60), tailed(10, 90)), parted(tailed(10, 60), torn)],
    "A5": [stuck(0.5, 1.0), stuck(-0.5, 1.0)],
    "E1": [bold(45), bold(1), bold(45, again=1)],
    "L1": [given({"10": 100, "15": 180}), given({"10": 100, "15": 110}), given({"10": 100, "15": 180}, growth=1.0)],
    "L2a": [given({"8": 80, "10": 100, "15": 180}), given({"8": 120, "10": 100, "15": 180})],
    "L2b": [given({"5": 100, "8": 80, "10": 100, "15": 180}), given({"5": 60, "8": 80, "10": 100, "15": 180})],
    "L3": [stuck(0.5, 1.0), stuck(0.01, 1.0), stuck(0.5, 0.3)],
    "T3a": [printed(0), printed(50)],
    "T3b": [printed(0), printed(50)],
    "T3c": [printed(0), printed(50)],
    "T3d": [printed(0), printed(50)],
    "C1": [visits(), visits(**{C2UCB: 15}), visits(**{GREEDY_BL: 10}), visits(**{EPS: 85})],
    "C2": [visits(), visits(**{EPS: 15, EPS_BL: 15})],
    "C2b": [visits(**{EPS_BL: 90, EPS: 90}), visits()],
    "C3": [visits(), visits(realised=1.5)],
    "C4a": [visits(realised={EPS: 0.5}), visits(noise=0.01)],
    "C4b": [visits(growth=1.0), visits(growth={C2: 0.4, EPS: 1.0, EPS_BL: 1.0, C2_BL: 1.0})],
    "C5a": [visits(**{EPS: 40, EPS_BL: 40}), visits(growth={C2: 1.0}, **{EPS: 40, EPS_BL: 40}), visits()],
    "C6b": [visits(**{C2_BL: 30}), visits(**{C2_BL: 10, EPS_BL: 10})],
    "C7": [visits(realised={EPS: 0.91, EPS_BL: 0.91}), visits(realised={EPS: 2.0})],
    "T1": [pulled(0.5), pulled(2.0)],
    "T2": [fifth(20), fifth(80), fifth(20, 200.0), fifth(20, searched=1.1)],
    "I3": [both(0.5, 0.5), both(2.0, 2.0)],
    "R1": [doubled(4.0, 1.0), doubled(2.0, 1.0), doubled(4.0, 2.0)],
    "R2": [more_affected(4.0), more_affected(2.0)],
    "S8": [people_of(50, 50), people_of(90, 90), people_of(20, 60)],
    "S8b": [totals(50, 100), totals(50, 150), totals(50, 100, 1.0)],
    "M1": [hidden(100, alike=True), hidden(900)],
    "F1": [told(10), told(90)],
    "F4": [told(10, 20), told(10, 55)],
    "F2": [units(1, 80), units(20, 80), units(1, 5)],
    "F3": [hidden(100), hidden(50)],
    "P4": [price(lambda K, best: 1 + best * (K - 1))],
    "P5": [price(lambda K, best: baseline.baseline_price(K, 10, best)), price(lambda K, best: 3.0)],
}  # fmt: skip


def judge(id, plays, monkeypatch, find=lambda: "here", rows=20_000):
    """The verdict that a claim's test gives on made-up results."""
    monkeypatch.setattr(data, "pool", lambda: SimpleNamespace(visit=range(rows)))
    monkeypatch.setattr(study, "play_once", lambda play, numbers, seed, code: plays[play](numbers))
    monkeypatch.setattr(data, "find", find)
    monkeypatch.setattr(ablations, "paper", lambda instance: type("World", (), {"gaps": np.arange(10.0)}))
    monkeypatch.setattr(data, "source", lambda: ())
    return claims.judge(ASKED[id], "paper", 0)


@pytest.mark.parametrize("id", CASES)
def test_claims_tell_right_from_wrong(id, monkeypatch):
    right, *wrong = CASES[id]
    yes, no = (FOUND, NOT_FOUND) if ASKED[id].ours else (REPRODUCED, NOT_REPRODUCED)
    assert judge(id, right, monkeypatch).verdict == (NOT_CONTRADICTED if ASKED[id].universal else yes)
    for case in wrong:
        assert judge(id, case, monkeypatch).verdict == no


def test_how_good_a_parameter_is_takes_enough_people(monkeypatch):
    row = judge("T3d", CASES["T3d"][1], monkeypatch, rows=19_999)
    assert row.verdict == "not tested" and row.measures[0]["answer"] is False and "needs 20,000 rows" in row.reading


def test_all_claims_are_among_the_cases():
    assert set(CASES) | EXACT | {"C5b", "C6a"} == set(ASKED)


@pytest.mark.parametrize(
    "id, plays",
    [
        ("A1", parted(at(2, FLAT), lambda k: at(2, FLAT)(k + 1))),  # larger on one instance, smaller on the next
        ("A1", parted(at(9, FLAT), at(9, FLAT))),  # at the edge: a wider grid may turn it
        ("B4", betas({UP: 1e-3}, normal=9.0)),  # 9,000 times, more on a wider grid
        ("B4", betas({}, normal=0.5)),  # at the other edge
        ("B4", betas({}, common=0.05, apart=0.01)),  # five times, more on a wider grid of what divides
        ("B4", betas({}, worse=1.001)),  # resampled runs choose the ends of the grids, too
        ("C3", visits(noise=5.0)),
        ("C4a", visits(noise=5.0)),
        ("L3", stuck(0.095, 1.0)),
        ("T3b", printed(10, spread=0.3)),
    ],
)  # fmt: skip
def test_claims_stay_open_where_runs_cannot_tell(id, plays, monkeypatch):
    assert judge(id, plays, monkeypatch).verdict == UNDECIDED


def test_the_stand_in_judges_nothing(monkeypatch):
    row = judge("C3", visits(), monkeypatch, find=lambda: None)
    assert row.verdict == UNTESTED and "stand-in" in row.reading and row.measures


@pytest.mark.parametrize("sign, verdict", [(1, REPRODUCED), (-1, NOT_REPRODUCED)])
def test_the_sign_of_the_correlation(sign, verdict, monkeypatch):
    rng = np.random.default_rng(0)

    def world(pool):
        chances = np.column_stack([[0.1, 0.2, 0.3], [0.1, 0.2, 0.3]]) + np.outer([1, 2, 3], [0.0, 0.05 * sign])
        return type("World", (), {"chances": chances + 0.01 * rng.random((3, 2))})

    monkeypatch.setattr("uplifting.claims.campaign.campaign", world)
    assert judge("C6a", {}, monkeypatch).verdict == verdict


@pytest.mark.parametrize("id", sorted(EXACT - {"U1"}))
def test_exact_rows_hold(id):
    expected = NOT_CONTRADICTED if ASKED[id].universal else FOUND if ASKED[id].ours else REPRODUCED
    assert claims.judge(ASKED[id], "quick", 0).verdict == expected


def test_exact_rows_can_fail(monkeypatch):
    monkeypatch.setattr(theory, "SIZES", [2, 1, 3])
    assert claims.judge(ASKED["P3"], "quick", 0).verdict == REPRODUCED  # whatever the sizes
    monkeypatch.setattr(theory.bounds, "known_sets_lower", lambda gaps, sizes: 1.0)
    monkeypatch.setattr(theory.bounds, "no_knowledge_lower", lambda gaps, variables: 1.0)
    monkeypatch.setattr(theory, "same_actions", lambda rounds, seed: 0.9)
    monkeypatch.setattr(theory, "wrong_choices", lambda world, samples, draws, seed: draws)
    outside = checks.Histories(np.repeat([0.5, 1.5], 100), np.array([0.5, 1.5]))
    monkeypatch.setattr(theory, "ridge_histories", lambda **options: outside)
    between = {UCB: 100, NAIVE: 10, ILIFT_BL: 50}
    monkeypatch.setattr(theory, "transition", lambda gaps, **options: dict.fromkeys(gaps, between))
    monkeypatch.setattr(theory, "lasting_loss", lambda L, samples: samples**-0.4)
    monkeypatch.setattr(optimal, "optimal_upper", lambda gaps, deviations, log: 1e9)
    for id in ("P2", "P3", "U1", "O1", "O2", "T4", "T5", "I2", "F5"):
        assert claims.judge(ASKED[id], "quick", 0).verdict == (NOT_FOUND if id == "F5" else NOT_REPRODUCED), id


def test_one_unit_follows_from_the_printed_numbers(monkeypatch):
    row = claims.judge(ASKED["F2"], "quick", 0)
    assert row.verdict == FOUND and [m["held"] for m in row.measures] == [2, 2]
    table = beyond.one_unit(80.0, 0).set_index(["policy", "setting"])["in units"]
    assert table[UCB, "Gaussian"] == pytest.approx(2 / 0.64) and table[UCB, "Bernoulli"] == pytest.approx(2.2, abs=0.1)


def test_the_price_of_the_baseline_may_be_that_of_the_bounds_only(monkeypatch):
    row = judge("P4", price(lambda K, best: 1 + best), monkeypatch)
    assert row.verdict == DEPENDS and row.reading == "holds: of the bounds; fails: of the regret"


def test_the_combination_may_keep_the_bound_of_the_proofs_only(monkeypatch):
    row = judge("I3", both(2.0, 0.5), monkeypatch)
    assert row.verdict == DEPENDS and row.reading == "holds: (12) with 2 L; fails: (12) with L"


def test_running_runs_are_locked_or_not():
    world = type("World", (), {"gaps": np.array([0.0, 1.0])})
    one = tuned(1, {1: 100}, rounds=1000, number=2, pulls=np.array([[[400.0, 600.0], [600.0, 400.0]]]))
    assert ablations.locked(one, world).tolist() == [[True, False]]


def test_the_interval_of_a_share_ends_at_zero_and_one():
    """Ten instances of which one fails now and then: the interval of their mean would begin below zero."""
    fails = [np.zeros(40)] * 9 + [np.r_[np.ones(14), np.zeros(26)]]
    for samples, one in ((fails, 0.035), ([1 - f for f in fails], 0.965)):
        share, plain = ablations.share_over_instances(samples), ablations.instance_mean(samples)
        (low, high), (below, above) = share.ends(0.95), plain.ends(0.95)
        assert share.value == pytest.approx(one) and (low, high) == (max(below, 0.0), min(above, 1.0))
        assert below < 0 or above > 1


def test_choices_are_judged_on_other_runs():
    """Of two parameters one is better in the first half, the other in the second: each is judged where it is worse."""
    first, second = np.r_[np.zeros(10), np.full(10, 5.0)], np.r_[np.full(10, 5.0), np.zeros(10)]
    one = tuned(1, {1: first, 2: second}, number=20)
    assert (drawn.held_out(one) > 4.9).all()
    marks = np.array([np.zeros(20), np.ones(20)])
    assert drawn.held_out(one, values=marks).tolist() == [0.0] * 10 + [1.0] * 10


def test_blind_choices_lose_for_ever():
    """A tenth of ten treatments at random: what ten people of known uplift lose against nobody in particular."""
    pool = data.stand_in()
    always, never = checks.blind_loss(pool, 1.0, 0, 200), checks.blind_loss(pool, 0.0, 0, 200)
    assert never.max() == pytest.approx(0, abs=1e-12) and always.min() > 0
    row = judge_campaign_row("C5b")
    assert row.verdict == FOUND


def judge_campaign_row(id):
    """A row that needs no runs, on whatever pool there is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(data, "find", lambda: "here")
        patch.setattr(data, "pool", data.stand_in)
        return claims.judge(ASKED[id], "quick", 0)


def test_too_little_exploration_is_chosen_on_some_runs_and_played_on_others():
    one = drawn.bolder(instance=3, policy=UP, choosing=6, horizon=400, runs=5, seed=3)
    world = runs.needed(UP, runs.paper(3))
    make = {repr(b): runs.names.policy(UP, world, b) for b in tuning.GAUSSIAN_BETAS}
    first = bl.simulate(world, make, 400, 6, seed=3)
    final = np.array([first.final_regret(name) for name in make])
    best = int(tuning.score(final, 1).argmin())
    bold = int(final[:best].mean(axis=1).argmin())
    others = bl.simulate(
        world, {n: make[n] for n in (list(make)[bold], list(make)[best])}, 400, 5, seed=3 + drawn.FRESH
    )
    assert one.chosen == tuning.GAUSSIAN_BETAS[best] and best > 0
    np.testing.assert_array_equal([one.printed, one.best], [others.final_regret(name) for name in others.policies])


def test_what_a_bolder_parameter_gains_and_risks_is_in_the_row(monkeypatch):
    """Each candidate with both intervals, and whether they decide."""
    rng = np.random.default_rng(0)
    best = 100 + rng.normal(0, 10, 400)
    bolder = {"wild": 50 + rng.normal(0, 80, 400), "tame": 50 + rng.normal(0, 12, 400)}
    found = {name: SimpleNamespace(printed=printed, best=best) for name, printed in bolder.items()}
    monkeypatch.setattr(ablations, "list_boldest", lambda scale, seed: found)
    (counted,) = ablations.too_little("paper", 0).values()
    assert counted.answer is True
    wild, tame = counted.named.split("; ")
    assert re.match(r"holds: wild, mean less by [45]\d.* \[.*\], deviation times [78][.\d]* \[.*\]$", wild)
    assert re.match(r"fails: tame, mean less by [45]\d.* \[.*\], deviation times 1[.\d]* \[.*\]$", tame)


def test_where_the_least_parameter_is_best_none_is_smaller(monkeypatch):
    monkeypatch.setattr(drawn, "grid_of", lambda *grid: (1, 2))
    monkeypatch.setattr(drawn, "tune", lambda *given: tuned(1, {1: 50, 2: 100}))
    assert drawn.bolder(instance=3, policy=UP, choosing=6, horizon=400, runs=5, seed=3) is None
