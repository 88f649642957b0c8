"""The printed tables, typed a second time; tolerances; verdicts of the rows and of the ledger."""

import math

import numpy as np
import pytest
from censored import runs, tables
from censored.claims import claims
from censored.runs import FIT, GRIDS, RESCALED, TEXT, TS, TS_PLAYED, UCB, WIDTHS

PRINTED = """
size 10 PosCorr .6399 - .7516 - .7993 - .6116
size 10 NegCorr .7700 - .8510 - .8894 - .7631
size 10 Indep   .4462 - .5749 - .5455 - .4404
M1 PosCorr .5876 .0029 .5688 .0166 .5919 .0038 .5584
M1 NegCorr .7266 .0018 .7081 .0030 .7246 .0030 .7189
M1 Indep   .4122 .0017 .4158 .0052 .4142 .0016 .4066
M2 PosCorr .6126 .0027 .7383 .0935 .8157 .0027 .5851
M2 NegCorr .7477 .0016 .8396 .0432 .9185 .0021 .7559
M2 Indep   .4282 .0017 .5639 .0019 .5870 .0736 .4222
"""
WAVE = np.tile([-1.0, 0.0, 1.0], 4)  # twelve runs, standard deviation about 0.85


def verdicts(scale="quick"):
    """Verdicts by id of the claims about the printed shares."""
    wanted = ("B7", "B8", "B9", "B9b", "B10", "B11")
    return {a.id: claims.judge(a, scale, 0).verdict for a in claims.asked if a.id in wanted}


def test_shares_are_the_printed_ones():
    lines = [line.split() for line in PRINTED.strip().splitlines()]
    typed = {}
    for *grid, problem, r, r_sd, ts, ts_sd, ucb, ucb_sd, best in lines:
        pairs = [(r, r_sd), (ts, ts_sd), (ucb, ucb_sd), (best, "-")]
        typed[problem, " ".join(grid)] = tuple((float(x), None if sd == "-" else float(sd)) for x, sd in pairs)
    assert typed == tables.SHARES


def made(scale="quick", off=0.0, spread=1e-4):
    """Shares that are the printed ones, exchanged for UCB and Thompson sampling, but for an offset."""
    found = {}
    for problem, grid, parameters in tables.PANELS:
        names = dict.fromkeys(WIDTHS.values(), "RCUCB") | {UCB: "TS"}
        names |= {TS: "UCB", TS_PLAYED: "UCB"} if scale == "paper" else {}
        values = {name: tables.printed(problem, grid, head) + off + spread * WAVE for name, head in names.items()}
        found[problem, grid, parameters] = values
    return found


def patched(monkeypatch, **options):
    monkeypatch.setattr(tables, "shares", lambda scale, seed: made(**options))


@pytest.mark.parametrize("scale", ["quick", "paper"])
def test_shares_that_are_printed_agree(monkeypatch, scale):
    patched(monkeypatch, scale=scale)
    rows = tables.rows_of(("M1", "M2"), scale, 0).query("ours != 'best pair'")
    assert set(rows["verdict"]) == {"agrees"} and rows["ours"].str.startswith("Thompson").any() == (scale == "paper")
    expected = {"B7": "reproduced", "B8": "reproduced", "B9": "not reproduced", "B10": "found"}
    later = ("not reproduced", "found") if scale == "paper" else ("not tested", "not tested")
    later = dict(zip(("B9b", "B11"), later, strict=True))
    assert verdicts(scale) == expected | later


def test_table_and_ledger_judge_alike(monkeypatch):
    """Between two tolerances, 0.0025 off: RCUCB differs on Indep only; UCB nowhere. Farther, 0.0035: UCB on Indep."""
    for off, differing in (
        (0.0025, {("RCUCB", "Indep")}),
        (0.0035, {("RCUCB", "Indep"), ("RCUCB", "NegCorr"), ("UCB", "Indep")}),
    ):
        patched(monkeypatch, off=off)
        rows = tables.rows_of(tuple(GRIDS), "quick", 0).query("ours != 'best pair' and verdict == 'differs'")
        assert {
            (name.split(",")[0], p) for name, p in zip(rows["ours"], rows.index.get_level_values(0), strict=True)
        } == differing
        found = verdicts()
        assert found["B7"] == "not reproduced"
        assert (found["B8"] == "reproduced") == (("RCUCB", "NegCorr") not in differing)
        assert (found["B10"] == "found") == (("UCB", "Indep") not in differing)


def test_an_interval_over_a_tolerance_is_open(monkeypatch):
    patched(monkeypatch, off=0.002, spread=1e-3)
    assert verdicts()["B7"] == "undecided"
    rows = tables.rows_of(("M1",), "quick", 0)
    assert rows.loc[("Indep", "M1")].query("ours == 'RCUCB, first term only'")["verdict"].tolist() == ["open"]


def test_errors_of_thompson_sampling():
    """In standard errors of both means: ours, and a tenth of the printed deviation and its rounding."""
    runs = 0.5 + 0.01 * WAVE
    theirs = 0.0052 / 10 + 0.0005
    assert tables.error_of("Indep", "M1", runs) == pytest.approx(math.hypot(runs.std(ddof=1) / 12**0.5, theirs))
    own = runs.std(ddof=1)
    assert tables.error_of("Indep", "size 10", runs) == pytest.approx(math.hypot(own / 12**0.5, own / 10 + 0.0005))
    question = tables.agreement(TS, "UCB", "Indep", {"M1": tables.printed("Indep", "M1", "UCB") + 0.01 * WAVE})
    assert question.holds == (-4, 4) and question.answer is True
    assert tables.agreement(TS, "UCB", "Indep", {"M1": 0.05 + runs}).answer is False


def test_panels():
    assert len(tables.PANELS) == 15 and ("Indep", "M1", FIT) not in tables.PANELS
    assert tables.panel("Indep", "M1", FIT) == ("Indep", "M1", TEXT)
    assert tables.panel("PosCorr", "M1", FIT) == ("PosCorr", "M1", FIT)


def test_nothing_is_played_twice():
    """With the figures and the panels' own rounds every panel has all its names, each once, Indep's figures apart."""
    assert tables.left_to_play(tables.CENSORED.cells(dict(panel=[("Indep", "M1", TEXT)]))[0]) == (RESCALED,)
    assert tables.left_to_play(tables.CENSORED.cells(dict(panel=[("PosCorr", "M1", FIT)]))[0]) == (RESCALED,)
    assert tables.left_to_play(tables.CENSORED.cells(dict(panel=[("PosCorr", "M1", TEXT)]))[0]) == (RESCALED, UCB)


def test_a_figure_s_runs_are_those_of_the_panel():
    """The same names mean the same policies, so the same bits, in 2 runs of 300 rounds."""
    for study, parameters, names in tables.ELSEWHERE:
        for name in set(names) - {TS, TS_PLAYED}:
            figure = study.play("NegCorr", "M1", **study.fixed, horizon=300, runs=2, seed=3)
            own = runs.shares(("NegCorr", "M1", parameters), (name,), 300, 2, 3)
            assert tables.censored(figure)[name].tolist() == tables.censored(own)[name].tolist()
            assert figure.final_regret(name).tolist() == own.final_regret(name).tolist()
