"""The printed tables, typed a second time; tolerances; verdicts of the rows and of the ledger."""

import math

import numpy as np
import pytest

from banditlab.censored import claims
from banditlab.censored.experiments import tables
from banditlab.censored.experiments.instances import TS, TS_PLAYED, UCB, WIDTHS

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
WAVE = np.array([-1.0, 0.0, 1.0])  # three runs, standard deviation 1


def test_shares_are_the_printed_ones():
    lines = [line.split() for line in PRINTED.strip().splitlines()]
    typed = {}
    for *grid, problem, r, r_sd, ts, ts_sd, ucb, ucb_sd, best in lines:
        pairs = [(r, r_sd), (ts, ts_sd), (ucb, ucb_sd), (best, "-")]
        typed[problem, " ".join(grid)] = tuple((float(x), None if sd == "-" else float(sd)) for x, sd in pairs)
    assert typed == tables.SHARES


def made(scale="quick", off=0.0, spread=1e-4):
    """Shares that are the printed ones, exchanged for UCB and Thompson sampling, but for an offset."""
    names = dict.fromkeys(WIDTHS.values(), "RCUCB") | {UCB: "TS"}
    names |= {TS: "UCB", TS_PLAYED: "UCB"} if scale == "paper" else {}
    return {
        (problem, grid, reading): {n: tables.printed(problem, grid, h) + off + spread * WAVE for n, h in names.items()}
        for problem, grid in tables.SHARES
        for reading in tables.parameters_of(problem)
    }


@pytest.mark.parametrize("scale", ["quick", "paper"])
def test_shares_that_are_printed_agree(monkeypatch, scale):
    monkeypatch.setattr(tables, "shares", lambda *args: made(scale))
    rows = tables.rows_of(("M1", "M2"), scale, 0).query("ours != 'best pair'")
    wild = rows["ours"].str.startswith("Thompson") & (rows.index.get_level_values("limits") == "M2")
    assert set(rows.loc[~wild, "verdict"]) == {"agrees"} and set(rows.loc[wild, "verdict"]) <= {"not tested"}
    assert wild.sum() == (10 if scale == "paper" else 0)
    assert claims.rcucb_indep(scale, 0)[-1] == claims.rcucb_others(scale, 0)[-1] == "reproduced"
    assert claims.ucb_exchanged(scale, 0)[-1] == "reproduced" and claims.ucb_shares(scale, 0)[-1] == "not reproduced"


def test_table_and_ledger_judge_alike(monkeypatch):
    """Between two tolerances, 0.0025 off: RCUCB differs on Indep only; UCB nowhere. Farther, 0.0035: UCB on Indep."""
    for off, differing in (
        (0.0025, {("RCUCB", "Indep")}),
        (0.0035, {("RCUCB", "Indep"), ("RCUCB", "NegCorr"), ("UCB", "Indep")}),
    ):
        monkeypatch.setattr(tables, "shares", lambda *args, off=off: made(off=off))
        rows = tables.rows_of(tuple(tables.GRIDS), "quick", 0).query("ours != 'best pair' and verdict == 'differs'")
        assert {
            (name.split(",")[0], p) for name, p in zip(rows["ours"], rows.index.get_level_values(0), strict=True)
        } == differing
        assert claims.rcucb_indep("quick", 0)[-1] == "not reproduced"
        assert (claims.rcucb_others("quick", 0)[-1] == "reproduced") == (("RCUCB", "NegCorr") not in differing)
        assert (claims.ucb_exchanged("quick", 0)[-1] == "reproduced") == (("UCB", "Indep") not in differing)


def test_tolerances():
    """Those of the printed means; four standard errors for Thompson sampling, where its runs do not spread too much."""
    runs = 0.5 + 0.01 * np.tile(WAVE, 4)
    s2 = runs.var(ddof=1)
    assert tables.tolerance(UCB, "Indep", "M1", runs) == 0.003
    assert tables.tolerance(TS, "Indep", "M1", runs) == pytest.approx(4 * math.sqrt(s2 / 12 + (0.00052 + 0.0005) ** 2))
    assert math.isnan(tables.tolerance(TS, "Indep", "M2", runs)), "printed deviation 0.0736, under UCB"
    own = 4 * math.sqrt(s2 / 12 + (math.sqrt(s2) / 10 + 0.0005) ** 2)
    assert tables.tolerance(TS_PLAYED, "Indep", "size 10", runs) == pytest.approx(own)
    assert math.isnan(tables.tolerance(TS_PLAYED, "Indep", "size 10", 5 * runs))


@pytest.mark.parametrize("off, spread, expected", [(0, 1e-4, "reproduced"), (0.1, 1e-4, "not reproduced")])
def test_thompson_is_judged_where_it_can_be(monkeypatch, off, spread, expected):
    monkeypatch.setattr(tables, "shares", lambda *args: made("paper", off, spread))
    assert claims.thompson_shares("paper", 0)[-1] == expected, "20 limits are never tested, the others decide"
