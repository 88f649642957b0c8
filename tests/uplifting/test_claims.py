"""Every claim says what its sentence says: made-up results that satisfy it and that contradict it."""

import numpy as np
import pandas as pd
import pytest
from uplifting import beyond, checks, runs
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
from banditlab.analysis import tune
from banditlab.evidence.ledger import FOUND, NOT_FOUND, NOT_REPRODUCED, REPRODUCED, UNDECIDED, UNTESTED
from banditlab.results.result import Result
from banditlab.study import study
from banditlab.uplifting import data
from banditlab.uplifting.tuning import TABLE_3

GAUSSIAN = {UCB: 100, TS: 80, UP_BL: 20, UP: 21, NAFF_BL: 25, NAFF: 32}
BERNOULLI = {UCB: 100, TS: 100, UP_BL: 50, UP: 50}
PEOPLE = BERNOULLI | {NAFF_BL: 110, NAFF: 110}
CAMPAIGN = {GREEDY_BL: 90, EPS_BL: 22, EPS: 22, C2_BL: 20, C2: 20, C2UCB: 60, RANDOM: 80}
ASKED = {asked.id: asked for asked in claims.asked}
EXACT = {"P2", "P3", "U1", "N1", "I1", "O1", "T4", "T5"}  # computed without a study; tested apart


def made(finals, growth=0.4, rounds=200, number=60, spread=0.02, environment=None, **diagnostics):
    """A result whose policies have these mean final regrets and this growth exponent, by policy where it is a dict."""
    rng = np.random.default_rng(int(100 * sum(np.mean(value) for value in finals.values())))  # others draw otherwise
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
    columns = {"mean": last.mean(axis=1), "std": last.std(axis=1, ddof=1), "q95": tune.q95(last, 1)}
    table = pd.DataFrame({"parameter": list(finals), **columns, "score": tune.score(last, 1)})
    return tune.Tuned(best, table, result)


def gaussian(growth=0.4, **change):
    """Figure 2 (a) under both readings."""
    finals = GAUSSIAN | change
    growths = growth if isinstance(growth, dict) else dict.fromkeys(finals, growth)
    return {
        runs.figure_2: lambda n: made(finals, growths),
        runs.tuned: lambda n: tuned(1, {1: finals[n["policy"]]}, growth=growths.get(n["policy"], 0.4)),
    }


def coins(finals):
    result = made(finals, 1.0, rounds=2000, number=400)
    return {play: lambda n: result for play in (runs.clusters, runs.figure_2)}


def affected(times):
    return {runs.affected: lambda n: made({UP: 10 * times if 50 in n["sizes"] else 12, UP_BL: 10})}


def parted(upper, lower):
    """The two ablations, tuned, among the other policies."""
    return {runs.tuned: lambda n: {UP: upper, LCB: lower}.get(n["policy"], upper)}


def heavy(low, high, share=0.1, number=100):
    """Final regrets with a tail."""
    values = np.full(number, float(low)) + np.arange(number) / number
    values[: int(share * number)] = high
    return np.random.default_rng(1).permutation(values)


def given(values, growth=0.4):
    """Tunings of UpUCB-nAff (bl) by what it is told."""
    return {runs.figure_3: lambda n: tuned(6, {6: values.get(n["case"].split()[-1], 1)}, growth=growth)}


def visits(growth=0.4, realised=1.0, noise=0.1, **change):
    """The campaign; realised regret is so many times the predicted one, by policy where it is a dict."""
    finals, rng = CAMPAIGN | change, np.random.default_rng(2)
    shares = realised if isinstance(realised, dict) else dict.fromkeys(finals, realised)
    table = [v * shares.get(name, 1.0) * (1.0 + noise * rng.standard_normal(60)) for name, v in finals.items()]
    world = type("World", (), {"budget": 10})
    best = np.tile(np.linspace(2, 120, 60), (len(finals), 60, 1))
    result = made(finals, growth, rounds=600, environment=world, **{"realised regret": np.array(table), "best": best})
    return {runs.figure_4: lambda n: result, runs.equal_epsilons: lambda n: result}


def stuck(share, growth):
    """Runs of which so many play a worse action most of the time."""

    def play(n):
        worse = np.arange(200) < share * 200
        pulls = np.stack([~worse, worse, *[0 * worse] * 8], axis=1) * 1000.0
        return tuned(1, {1: 100, 2: 100}, growth=growth, rounds=1000, number=200, pulls=np.array([pulls, pulls]))

    return {runs.locks: play, runs.tuned: lambda n: stuck_one(n, share)}


def stuck_one(n, share):
    """A tuning of which the variant with the lower bound gets stuck so often, the others never."""
    worse = np.arange(100) < share * 100 * (n["policy"] == LCB)
    pulls = np.stack([~worse, worse, *[0 * worse] * 8], axis=1) * 1000.0
    return tuned(1, {1: 100}, rounds=1000, number=100, pulls=pulls[None])


def printed(loss):
    """Tunings in which the printed value of Table 3 loses so much."""

    def one(setting):
        def play(n):
            value = TABLE_3[setting or n["mode"]].get(n["policy"], 1.0)
            return tuned(2 * value, {value: 100 + loss, 2 * value: 100})

        return play

    return {
        runs.tuned: one("Gaussian"), runs.tuned_clusters: one("Bernoulli"), runs.tuned_people: one("Bernoulli"),
        runs.tuned_campaign: one(None),
    }  # fmt: skip


def betas(bernoulli, normal=2.0):
    """Tuned values of the two settings."""
    return {
        runs.tuned: lambda n: tuned(normal, {1.0: 1, 9.0: 1}),
        runs.tuned_clusters: lambda n: tuned(bernoulli.get(n["policy"], 1e-6), dict.fromkeys((1e-7, 1.0), 1)),
    }


def bold(deviation):
    """Tunings whose smaller parameter has the smaller mean and so large a deviation."""
    wild = np.r_[np.full(50, 90 - deviation), np.full(50, 90 + deviation)].astype(float)
    return {runs.tuned: lambda n: tuned(6, {2: wild, 6: 100}, number=100)}


def pulled(times):
    """Pulls that are so many times the bounds."""

    def play(n):
        limit = type("Upper", (), {"pulls": np.array([np.inf, 100.0, 1e9])})
        result = made({UCB: 1}, pulls=np.array([[[5.0, 100.0 * times, 5.0]]]))
        return checks.Bounded(result, {UCB: limit})

    return {checks.bounded: play}


def fifth(regret, bound=50.0):
    """Regret, bound, and 100 for blind choices."""
    return {
        checks.theorem_5: lambda n: checks.Bounded(
            made({"C2UpUCB-M": regret}), {"C2UpUCB-M": np.full(40, bound), "blind": 100.0}
        )
    }


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


def hidden(regret, growth=1.0):
    """Regret where an effect was not told; the action that looks best without it loses 0.5 a round."""
    name = "told the sets without it"
    world = type("World", (), {"affected": np.eye(2, dtype=bool), "mu": np.eye(2), "mu0": np.zeros(2),
                               "gaps": np.array([0.5, 0.0])})  # fmt: skip
    result = made({name: regret, "told all": 10}, growth, environment=world)
    result.settings["policies"][name] = type("Policy", (), {"members": np.array([[0], [-1]])})
    return {beyond.outside: lambda n: result}


def told(adjusted):
    world = bl.uplifting.paper_gaussian(0)
    return {beyond.told_paper: lambda n: made({UP_BL: 100, OWN_WIDTH: 60, ADJUSTED: adjusted}, environment=world)}


def units(deviation, variance):
    """Parameters in units of the noise, Gaussian over Bernoulli, if 80 is a standard deviation and if a variance."""
    rows = [(name, setting) for name in (UCB, TS) for setting in ("Gaussian", "Bernoulli")]
    return {
        beyond.one_unit: lambda n: pd.DataFrame(rows, columns=["policy", "setting"]).assign(
            **{"in units": [deviation if n["spread"] == 80 else variance, 1.0] * 2}
        )
    }


FLAT, STEEP = {2: 100, 6: 50}, {2: 50, 6: 100}  # final regrets by β
CASES = {  # claim: (what satisfies it, what contradicts it)
    "G1": [gaussian(), gaussian(**{NAFF: 70})],
    "G2": [gaussian(), gaussian(**{UP: 30})],
    "G3": [gaussian(), gaussian(**{NAFF: 18})],
    "G4": [gaussian(), gaussian(growth={NAFF: 1.0})],
    "G5": [affected(6), affected(1.2)],
    "B1": [coins(BERNOULLI), coins(BERNOULLI | {UP: 90})],
    "B2": [coins(BERNOULLI), coins(BERNOULLI | {UP: 70})],
    "B3": [coins(PEOPLE), coins(PEOPLE | {NAFF_BL: 60}), coins(PEOPLE | {NAFF: 80})],
    "B4": [betas({}), betas({TS: 1e-3})],
    "A1": [parted(tuned(2, FLAT), tuned(6, FLAT)), parted(tuned(6, FLAT), tuned(2, STEEP))],
    "A2": [parted(tuned(6, FLAT), tuned(2, STEEP)), parted(tuned(6, FLAT), tuned(2, FLAT))],
    "A3": [parted(tuned(2, {2: heavy(10, 11)}), tuned(2, {2: heavy(10, 90, 0.2)})),
           parted(tuned(2, {2: heavy(10, 90, 0.2)}), tuned(2, {2: heavy(10, 11)}))],
    "A4": [parted(tuned(6, FLAT, number=100), tuned(6, FLAT, number=100)),
           parted(tuned(6, FLAT, number=100), tuned(2, {2: heavy(10, 90, 0.3), 6: heavy(20, 21)}))],
    "A5": [stuck(0.5, 1.0), stuck(0.0, 1.0)],
    "E1": [bold(80), bold(0)],
    "L1": [given({"10": 100, "15": 180}), given({"10": 100, "15": 110}), given({"10": 100, "15": 180}, growth=1.0)],
    "L2a": [given({"8": 80, "10": 100, "15": 180}), given({"8": 120, "10": 100, "15": 180})],
    "L2b": [given({"5": 100, "8": 80, "10": 100, "15": 180}), given({"5": 60, "8": 80, "10": 100, "15": 180})],
    "L3": [stuck(0.5, 1.0), stuck(0.01, 1.0), stuck(0.5, 0.3)],
    "T3a": [printed(0), printed(50)],
    "T3b": [printed(0), printed(50)],
    "T3c": [printed(0), printed(50)],
    "T3d": [printed(0), printed(50)],
    "C1": [visits(), visits(**{C2UCB: 15}), visits(**{GREEDY_BL: 10}), visits(**{EPS: 85})],
    "C2": [visits(), visits(**{EPS: 15, EPS_BL: 15}), visits(**{EPS_BL: 90, EPS: 90})],
    "C3": [visits(), visits(realised=1.5)],
    "C4a": [visits(realised=0.5), visits()],
    "C4b": [visits(growth=1.0), visits(growth={C2: 0.4, EPS: 1.0, EPS_BL: 1.0, C2_BL: 1.0})],
    "C5a": [visits(**{EPS: 40, EPS_BL: 40}), visits(growth={C2: 1.0}, **{EPS: 40, EPS_BL: 40}), visits()],
    "C5b": [visits(growth=1.0), visits(growth=0.3)],
    "C6b": [visits(**{C2_BL: 30, EPS_BL: 30}), visits(**{C2_BL: 10, EPS_BL: 10})],
    "C7": [visits(realised={EPS: 0.91, EPS_BL: 0.91}), visits(realised={EPS: 2.0})],
    "T1": [pulled(0.5), pulled(2.0)],
    "T2": [fifth(20), fifth(80), fifth(20, 200.0)],
    "R1": [doubled(4.0, 1.0), doubled(2.0, 1.0), doubled(4.0, 2.0)],
    "R2": [more_affected(4.0), more_affected(2.0)],
    "I2": [{runs.ilift: lambda n: made({UCB: 100, NAIVE: 90, ILIFT_BL: 50})},
           {runs.ilift: lambda n: made({UCB: 100, NAIVE: 40, ILIFT_BL: 50})}],
    "S8": [{beyond.few_actions: lambda n: made({LINEAR_BL: 50, LINEAR_ALL: 100})},
           {beyond.few_actions: lambda n: made({LINEAR_BL: 90, LINEAR_ALL: 100})}],
    "M1": [hidden(100), hidden(100, growth=0.4)],
    "F1": [told(10), told(90)],
    "F2": [units(1, 80), units(20, 80), units(1, 5)],
    "F3": [hidden(100), hidden(50)],
}  # fmt: skip


def judge(id, plays, monkeypatch, find=lambda: "here"):
    """The verdict that a claim's test gives on made-up results."""
    monkeypatch.setattr(study, "play_once", lambda play, numbers, seed: plays[play](numbers))
    monkeypatch.setattr(data, "find", find)
    monkeypatch.setattr(ablations, "paper_gaussian", lambda seed: type("World", (), {"gaps": np.arange(10.0)}))
    monkeypatch.setattr(data, "source", lambda: ())
    return claims.judge(ASKED[id], "paper", 0)


@pytest.mark.parametrize("id", CASES)
def test_claims_tell_right_from_wrong(id, monkeypatch):
    right, *wrong = CASES[id]
    yes, no = (FOUND, NOT_FOUND) if ASKED[id].ours else (REPRODUCED, NOT_REPRODUCED)
    assert judge(id, right, monkeypatch).verdict == yes
    for case in wrong:
        assert judge(id, case, monkeypatch).verdict == no


def test_all_claims_are_among_the_cases():
    assert set(CASES) | EXACT | {"C6a"} == set(ASKED)


@pytest.mark.parametrize(
    "id, plays",
    [
        ("A1", parted(tuned(2, FLAT), tuned(2, FLAT))),
        ("A3", parted(tuned(2, FLAT), tuned(2, FLAT))),  # 60 runs
        ("A4", parted(tuned(2, FLAT), tuned(2, FLAT))),
        ("B4", betas({UP: 1.0})),
        ("B4", betas({}, normal=1.0)),
        ("C3", visits(noise=1.0)),
        ("C4a", visits(noise=1.0)),
        ("L3", stuck(0.1, 1.0)),
        ("T3b", printed(0) | {runs.tuned_clusters: lambda n: tuned(
            9.0, {TABLE_3["Bernoulli"][n["policy"]]: heavy(9, 95), 9.0: heavy(10, 88)[::-1]})}),
    ],
)  # fmt: skip
def test_claims_stay_open_where_runs_cannot_tell(id, plays, monkeypatch):
    assert judge(id, plays, monkeypatch).verdict == UNDECIDED


def test_the_stand_in_judges_nothing(monkeypatch):
    row = judge("C3", visits(), monkeypatch, find=lambda: None)
    assert row.verdict == UNTESTED and "stand-in" in row.reading and row.measures


@pytest.mark.parametrize("sign, verdict", [(1, REPRODUCED), (-1, NOT_REPRODUCED)])
def test_the_sign_of_the_correlation(sign, verdict, monkeypatch):
    chances = np.column_stack([[0.1, 0.2, 0.3], [0.1, 0.2, 0.3]]) + np.outer([1, 2, 3], [0.0, 0.05 * sign])
    world = type("World", (), {"chances": chances})
    monkeypatch.setattr("uplifting.claims.campaign.campaign", lambda pool: world)
    assert judge("C6a", {}, monkeypatch).verdict == verdict


@pytest.mark.parametrize("id", sorted(EXACT - {"U1"}))
def test_exact_rows_hold(id):
    assert claims.judge(ASKED[id], "quick", 0).verdict == REPRODUCED


def test_exact_rows_can_fail(monkeypatch):
    monkeypatch.setattr(theory, "SIZES", [2, 1, 3])
    assert claims.judge(ASKED["P3"], "quick", 0).verdict == REPRODUCED  # whatever the sizes
    monkeypatch.setattr(theory.bounds, "known_sets_lower", lambda gaps, sizes: 1.0)
    monkeypatch.setattr(theory.bounds, "no_knowledge_lower", lambda gaps, variables: 1.0)
    monkeypatch.setattr(theory, "same_actions", lambda rounds, seed: 0.9)
    monkeypatch.setattr(theory, "wrong_choices", lambda world, samples, draws, seed: draws)
    outside = checks.Histories(np.repeat([0.5, 1.5], 100), np.array([0.5, 1.5]))
    monkeypatch.setattr(theory, "ridge_histories", lambda **options: outside)
    for id in ("P2", "P3", "U1", "O1", "T4", "T5"):
        assert claims.judge(ASKED[id], "quick", 0).verdict == NOT_REPRODUCED, id


def test_one_unit_follows_from_the_printed_numbers(monkeypatch):
    row = claims.judge(ASKED["F2"], "quick", 0)
    assert row.verdict == FOUND and [m["held"] for m in row.measures] == [2, 2]
    table = beyond.one_unit(80.0, 0).set_index(["policy", "setting"])["in units"]
    assert table[UCB, "Gaussian"] == pytest.approx(2 / 0.64) and table[UCB, "Bernoulli"] == pytest.approx(2.2, abs=0.1)


def test_running_runs_are_locked_or_not():
    world = type("World", (), {"gaps": np.array([0.0, 1.0])})
    one = tuned(1, {1: 100}, rounds=1000, number=2, pulls=np.array([[[400.0, 600.0], [600.0, 400.0]]]))
    assert ablations.locked(one, 1, world).tolist() == [True, False]
