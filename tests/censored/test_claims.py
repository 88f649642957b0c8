"""Every verdict follows the numbers: made-up results turn it, and results that cannot tell leave it open."""

import functools

import numpy as np
import pandas as pd
import pytest
from censored import beyond, runs, studies
from censored.claims import claims, common, examples, learners, tables, theory, zooming
from censored.runs import GAIN, PRINTED, TS, TS_NAIVE, TS_PLAYED, UCB, UCB_SAME, lowest_share
from censored.sharing import SharingWorth

import banditlab as bl
from banditlab import censored
from banditlab.study.study import Study

HELD, FAILED, OPEN, MIXED, LATER = "reproduced", "not reproduced", "undecided", "depends on the reading", "not tested"
SEARCHED = "not contradicted"
FOUND, NOT_FOUND = "found", "not found"
ASKED = {asked.id: asked for asked in claims.asked}
NOISE = np.random.default_rng(0).standard_normal((8, 320))  # one row per policy
NOISE = (NOISE - NOISE.mean(axis=1)[:, None]) / NOISE.std(axis=1, ddof=1)[:, None]
WORLD = censored.indep(2, 2)


def row(id, scale="paper"):
    """A row of the ledger."""
    return claims.judge(ASKED[id], scale, 0)


def verdict(id, scale="paper"):
    return row(id, scale).verdict


def result(regret, shares=None, spread=0.01, largest=None):
    """A made-up result: mean regret and censored share by policy, with noise of this relative size."""
    values = np.array(list(regret.values()))[:, None] * (1 + spread * NOISE[: len(regret)])
    diagnostics = {}
    if shares is not None:
        diagnostics["censored"] = np.array([shares[name] for name in regret])[:, None] + 1e-3 * NOISE[: len(regret)]
    if largest is not None:
        diagnostics["largest limit"] = np.array([largest[name] for name in regret])[:, None] * np.ones(320)
    settings = {"policies": dict.fromkeys(regret), "environment": WORLD}
    return bl.Result(settings, np.array([9]), values[:, :, None], diagnostics, {})


def patch(monkeypatch, make):
    """Let every study return what `make(study, cell)` says, cell by cell."""

    def results(study, scale, seed=0, **only):
        cells = study.cells(study.grid)
        wanted = [cell for cell in cells if all(getattr(cell, name) in values for name, values in only.items())]
        return {cell: make(study, cell) for cell in wanted}

    monkeypatch.setattr(Study, "results", results)


TABLED = runs.as_tables, runs.many_as_tables, runs.low_as_tables


def names_of(study):
    """Names of RCUCB and the others in a study."""
    return [GAIN, PRINTED, UCB, TS_PLAYED if study.play in TABLED else TS, UCB_SAME]


def test_ids_are_unique_and_sentences_ours_are_marked():
    assert len(ASKED) == len(claims.asked) >= 40
    assert {id for id, asked in ASKED.items() if asked.ours} == {
        "B10",
        "B11",
        "B19",
        "B30",
        "B29",
        "B31",
        "B35",
        "B27",
        "B27b",
        "B27c",
        "B39",
        "B41",
        "B42",
        "B43",
    }


@pytest.mark.parametrize("id", ["B12", "B13", "B14", "B15"])
@pytest.mark.parametrize(
    "gain, printed, expected", [(1, 9, MIXED), (9, 1, MIXED), (1, 1, HELD), (9, 9, FAILED), (3, 3, OPEN)]
)
def test_ranking(monkeypatch, id, gain, printed, expected):
    """UCB and Thompson sampling lose 3; equal means cannot tell."""

    def make(study, cell):
        lost = dict(zip(names_of(study), (gain, printed, 3.001, 3.001, 2.0), strict=True))
        return result(lost, spread=0.1)

    patch(monkeypatch, make)
    assert verdict(id, "quick") == expected
    if expected == MIXED:
        held = {1: common.FIRST, 9: common.AS_PRINTED}[gain]
        assert row(id).reading.startswith(f"holds: {held}")


STEP = {"M1": 0, "size 10": 1, "M2": 2}


def sweep(monkeypatch, lost):
    """RCUCB of both widths loses 1 in every cell, the competitors what `lost(problem, grid)` says."""

    def make(study, cell):
        ts, ucb = lost(cell.problem, cell.grid)
        return result(dict(zip(names_of(study), (1, 1, ucb, ts, 1), strict=True)))

    patch(monkeypatch, make)


@pytest.mark.parametrize(
    "lost, expected",
    [
        (lambda name, grid: (2 + STEP[grid], 3 + STEP[grid]), HELD),
        (lambda name, grid: (4 - STEP[grid], 5 - STEP[grid]), FAILED),
        (lambda name, grid: ((2, 5, 4)[STEP[grid]], 3 + STEP[grid]), FAILED),  # from 10 to 20 limits it falls
        (lambda name, grid: (2 + STEP[grid], 3), OPEN),  # UCB's does not change
    ],
)
def test_superiority_and_number_of_limits(monkeypatch, lost, expected):
    sweep(monkeypatch, lost)
    assert verdict("B16") == expected and verdict("B16", "quick") == LATER


def test_gap_and_ratio_are_two_readings(monkeypatch):
    """All lose twice as much with more limits: the gap grows, the ratio stays or falls."""

    def make(study, cell):
        factor = 4.0 ** STEP[cell.grid]
        return result(
            dict(zip(names_of(study), (factor, factor, 2.5 * factor**0.9, 2.6 * factor**0.9, 1), strict=True))
        )

    patch(monkeypatch, make)
    assert verdict("B16") == MIXED and "holds: gap" in row("B16").reading


@pytest.mark.parametrize(
    "lost, expected",
    [
        (lambda name, grid: (2, 3) if name == "Indep" else (4, 5), HELD),
        (lambda name, grid: (2, 3) if name == "Indep" else (1.5, 5), FAILED),  # not over Thompson sampling
        (lambda name, grid: (2, 3) if name == "Indep" else (4, 2), FAILED),  # not over UCB
        (lambda name, grid: (2, 3) if name == "Indep" else (2, 5), OPEN),
    ],
)
def test_advantage_and_correlation(monkeypatch, lost, expected):
    sweep(monkeypatch, lost)
    assert verdict("B17") == expected


@pytest.mark.parametrize(
    "ts, ucb, one, both, low",
    [(6, 1, 1, HELD, HELD), (1, 1, 1, FAILED, FAILED), (6, 6, 6, FAILED, HELD), (6, 1, 6, MIXED, HELD)],
)
def test_variation(monkeypatch, ts, ucb, one, both, low):
    """Standard deviations of final regret, RCUCB's being 1; another's must be at most 2/3 of Thompson sampling's.

    In one panel UCB has its own: not every panel holds then, but all together.
    """
    alone = one

    def make(study, cell):
        special = getattr(cell, "problem", "") == "NegCorr" and cell.grid == "M1"
        regret = 100 + NOISE[:5] * np.array([1, 1, alone if special else ucb, ts, 1])[:, None]
        one = result(dict.fromkeys(names_of(study), 1))
        return bl.Result(one.settings, one.checkpoints, regret[:, :, None], {}, {})

    patch(monkeypatch, make)
    assert verdict("B18a") == both and verdict("B18b") == low


@pytest.mark.parametrize(
    "few, many, expected", [(1.05, 9.0, HELD), (2.0, 9.0, MIXED), (1.05, 1.0, FAILED), (5.0, 9.0, FAILED)]
)
def test_well_on_average(monkeypatch, few, many, expected):
    """RCUCB loses 1 and UCB 3; Thompson sampling loses so much with 2 and with 20 limits."""
    sweep(monkeypatch, lambda name, grid: ({"M1": few}.get(grid, many), 3))
    assert verdict("B18c") == expected


@pytest.mark.parametrize("naive, expected", [(2.0, HELD), (0.5, FAILED), (1.0, FAILED), (1.1, OPEN)])
def test_updating_all_limits(monkeypatch, naive, expected):
    def make(study, cell):
        if study.play is runs.played_only:
            return result({TS_NAIVE: naive}, spread=0.1)
        return result(dict(zip(names_of(study), (1, 1, 1, 1, 1), strict=True)), spread=0.1)

    patch(monkeypatch, make)
    assert verdict("B21") == expected


@pytest.mark.parametrize(
    "same, expected",
    [
        ({"M1": 1.0, "size 10": 3.0, "M2": 4.0}, FOUND),
        ({"M1": 3.0, "size 10": 3.0, "M2": 4.0}, NOT_FOUND),  # sharing pays with 2 limits too
        ({"M1": 1.0, "size 10": 1.0, "M2": 4.0}, NOT_FOUND),  # and not with 10
        ({"M1": 1.5, "size 10": 3.0, "M2": 4.0}, OPEN),
    ],
)
def test_width_or_sharing(monkeypatch, same, expected):
    patch(monkeypatch, lambda study, cell: result({GAIN: 1, UCB_SAME: same[cell.grid]}, spread=0.1))
    assert verdict("B31") == expected


def offset(monkeypatch, values):
    """Shares that differ from the best pair's by these: first term, as printed, UCB, Thompson sampling."""
    found = {}
    for panel in tables.tables.PANELS:
        best = lowest_share(runs.world_of(*panel))
        names = (GAIN, PRINTED, UCB, TS, TS_PLAYED)
        noises = NOISE[[0, 1, 0, 2, 3]] * np.array([1, 1, -1, 1, 1])[:, None]
        offsets = (*values, values[3])
        found[panel] = {n: best + x + 1e-3 * e for n, x, e in zip(names, offsets, noises, strict=True)}
    monkeypatch.setattr(tables.tables, "shares", lambda scale, seed: found)


@pytest.mark.parametrize(
    "values, far, near, only",
    [
        ((0.0, 0.0, 0.1, 0.1), HELD, FAILED, HELD),
        ((0.0, 0.0, 0.01, 0.02), FAILED, HELD, HELD),
        ((0.0, -0.1, 0.01, 0.01), FAILED, MIXED, MIXED),
        ((0.01, 0.1, 0.0, 0.2), FAILED, FAILED, FAILED),
        ((0.0, 0.0, tables.MIDDLE, 0.1), OPEN, FAILED, HELD),
        ((0.0, 0.0, 0.0, 0.0), FAILED, HELD, OPEN),
    ],
)
def test_shares_and_the_best_pair(monkeypatch, values, far, near, only):
    offset(monkeypatch, values)
    assert (verdict("B20a"), verdict("B20b"), verdict("B20c")) == (far, near, only)


def test_what_is_close_follows_from_the_printed_table():
    assert tables.CLOSE == pytest.approx(0.5919 - 0.5584) and tables.FAR == pytest.approx(0.8396 - 0.7559)
    assert tables.CLOSE < tables.MIDDLE < tables.FAR


@pytest.mark.parametrize(
    "own, ucb, expected",
    [(0.01, 0.05, FOUND), (0.05, 0.01, NOT_FOUND), (-0.05, 0.01, NOT_FOUND), (0.03, -0.03, OPEN)],
)
def test_distance_of_the_shares(monkeypatch, own, ucb, expected):
    offset(monkeypatch, (own, own, ucb, 0.0))
    assert verdict("B19") == expected


@pytest.mark.parametrize("factor, expected", [(1.0, HELD), (2.0, FAILED)])
def test_printed_deviations(monkeypatch, factor, expected):
    """Deviations that are the printed ones, and twice those; as headed UCB's on Indep, M2 is TS's in print."""
    found = {}
    for (problem, grid), (rcucb, _, ucb, _) in tables.SHARES.items():
        for parameters in (runs.TEXT, runs.FIT):
            own = {GAIN: rcucb[1], UCB: ucb[1]}
            values = {n: 0.5 + factor * (sd or 0.001) * np.tile(NOISE[0], 5) for n, sd in own.items()}
            found[problem, grid, parameters] = values
    monkeypatch.setattr(tables.tables, "shares", lambda scale, seed: found)
    judged = row("B11b")
    headed, exchanged = (
        [m["answer"] for m in judged.measures if m["reading"].startswith(word)] for word in ("as", "TS")
    )
    assert (headed == [True]) == (factor == 1.0) and exchanged == [False]
    assert (judged.verdict == MIXED) == (factor == 1.0) and (judged.verdict == FAILED) == (factor == 2.0)


def simple(first, last):
    """Simple regrets of both recommendations of a made-up z-RCUCB: the finest cell's, at the first and last horizon."""
    rng = np.random.default_rng(2)

    def make(study, cell):
        mean = {20_000: first, 100_000: last}.get(cell.rounds, 0.1)
        return pd.DataFrame({"finest": mean + 0.01 * rng.standard_normal(100), "safest": np.zeros(100)})

    return make


@pytest.mark.parametrize("first, last, expected, ours", [
    (0.1, 0.001, FOUND, NOT_FOUND), (0.1, 0.2, MIXED, FOUND), (0.1, 0.1, OPEN, OPEN),
])  # fmt: skip
def test_simple_regret_falls(monkeypatch, first, last, expected, ours):
    patch(monkeypatch, simple(first, last))
    by = {m["reading"]: m["answer"] for m in row("B27").measures}
    assert by["largest lower bound"] is True and by["finest cell"] is {0.001: True, 0.2: False, 0.1: None}[last]
    assert (verdict("B27") == expected or expected == OPEN) and verdict("B27b") == ours


@pytest.mark.parametrize("finest, expected", [(0.1, FOUND), (-0.1, NOT_FOUND), (0.0, OPEN)])
def test_the_finest_cell_on_other_problems(monkeypatch, finest, expected):
    """It loses so much more than the pair of the largest lower bound at the longest horizon, and -1 before."""
    long = np.repeat([10, 20], 320)

    def make(study, cell):
        return pd.DataFrame(
            {"T": long, "finest": np.where(long == 20, finest, -1) + 0.01 * NOISE[:2].ravel(), "safest": 0}
        )

    patch(monkeypatch, make)
    assert verdict("B27c") == expected


@pytest.mark.parametrize("seen, expected", [(1.0, FOUND), (2.0, NOT_FOUND), (0.5, NOT_FOUND), (1.1, OPEN)])
def test_want_of_indicators(monkeypatch, seen, expected):
    lost = dict(zip(runs.SURVIVALS.values(), (seen, 3.0, 3.0, 1.0), strict=True))
    patch(monkeypatch, lambda study, cell: result(lost, spread=0.03))
    assert verdict("B39") == expected


@pytest.mark.parametrize(
    "share, side, expected", [(0.0, 1, SEARCHED), (0.2, 1, FAILED), (0.2, -1, FAILED), (0.0036, 1, OPEN)]
)
def test_off_by_more_than_the_radius(monkeypatch, share, side, expected):
    """Proposition 1 allows 0.0533 at t = 100 and 0.0036 at t = 1000; a share of 0.0036 of 2,000 cannot tell."""
    off = np.zeros((3, 2000))
    off[1, : round(2000 * share)] = side * 1.01
    monkeypatch.setattr(theory, "errors", lambda *_: off)
    assert verdict("B24") == expected


@pytest.mark.parametrize("survival", ["consistent", "oracle"])
def test_estimates_are_unbiased(survival):
    """Mean error of 2,000 histories of 99 rounds within 4 standard errors of 0, and never exactly 0."""
    off = theory.errors(100, 2.0, 2000, 5, survival, 1 / 3)
    assert (abs(off.mean(axis=1)) < 4 * off.std(axis=1) / np.sqrt(2000)).all() and (off.std(axis=1) > 0.02).all()


@pytest.mark.parametrize("id, bound", [("B25", "theorem1"), ("B26", "corollary14")])
def test_bounds_that_are_exceeded(monkeypatch, id, bound):
    monkeypatch.setattr(theory, "SEARCH", dict(quick=3))
    assert verdict(id, "quick") == SEARCHED
    true = getattr(theory.bounds, bound)
    monkeypatch.setattr(theory.bounds, bound, lambda *args: 0.01 * true(*args))
    assert verdict(id, "quick") == FAILED


def test_random_problems_are_within_reach_of_the_theorems():
    """Two or three arms with two limits, gains that differ, penalties below 1.5."""
    for number in range(20):
        world = theory.instance(number)
        assert world.gains.shape[0] in (2, 3) and np.ptp(world.gains) > 0.01 and world.penalty.max() < 1.5


@pytest.mark.parametrize(
    "id, expected",
    [("B1", FAILED), ("B2", MIXED), ("B3", MIXED), ("B4", FAILED), ("B5", FAILED), ("B6", HELD), ("B22", HELD),
     ("B23", HELD), ("B23b", FAILED), ("B30", FOUND), ("B32", FAILED), ("B33", HELD), ("B34", HELD), ("B36", LATER),
     ("B37", HELD), ("B38", MIXED), ("B40", FAILED), ("B43", FOUND), ("B44", HELD)],
)  # fmt: skip
def test_exact_claims(id, expected):
    assert verdict(id, "quick") == expected


def swapped(monkeypatch, change):
    """Let the problems of the tables have changed gains or survival."""
    true = runs.world_of

    @functools.cache
    def world_of(*args):
        return change(true(*args))

    monkeypatch.setattr(tables, "world_of", world_of)
    monkeypatch.setattr(theory, "world_of", world_of)


def test_exact_claims_follow_the_tables(monkeypatch):
    """All limits alike but 0.4; every arm the first; survival as printed."""

    def at_four(world):
        gains = 0.0 * world.gains
        gains[0, np.abs(world.limits - 0.4).argmin()] = 1.0
        return world._replace(gains=gains, gaps=1 - gains)

    swapped(monkeypatch, at_four)
    assert verdict("B1") == MIXED and verdict("B2") == HELD and verdict("B30") == NOT_FOUND
    for name, id in (("Indep", "B3"), ("NegCorr", "B4"), ("PosCorr", "B5")):

        def printed(world, name=name):
            grid = {2: "M1", 10: "size 10", 20: "M2"}[len(world.limits)]
            return world._replace(survival=np.full(world.gains.shape, tables.printed(name, grid, "P*")))

        swapped(monkeypatch, printed)
        monkeypatch.setattr(tables, "indep", lambda limits: printed(censored.indep(limits=limits)))
        assert verdict(id) == HELD


def test_examples_follow_the_gains(monkeypatch):
    def example(case, limits=None):
        gains = np.array([[0.9] * 3, [0.5] * 3, [0.1] * 3])
        return WORLD._replace(gains=gains if case == "strict" else gains[::-1])

    monkeypatch.setattr(examples, "example", example)
    assert verdict("B22") == FAILED and verdict("B23") == FAILED
    dear = type("World", (), {"cost": censored.power(0.9)})
    monkeypatch.setattr(examples, "example", lambda case: dear)
    assert verdict("B23b") == HELD


def test_how_many_random_models_do_as_ours(monkeypatch):
    """Drawn once more, without the questions: the simple model in most limits, the medium one last, never the third."""
    rng, alike, limits = np.random.default_rng(22), 0, np.arange(2, 51) / 100
    for _ in range(6):
        rewards, consumptions = (sorted(rng.random(3), reverse=True) for _ in range(2))
        means = list(zip(rewards, consumptions, strict=True))
        best = censored.gaussian(means, 0.2, 0.02, limits, censored.promise(limits, 0.5, 10.0)).gains.argmax(axis=0)
        alike += best.tolist().count(2) > len(limits) / 2 and best[-1] == 1 and 0 not in best
    assert examples.draw_alike(6).value == alike / 6
    monkeypatch.setattr(examples, "draw_alike", lambda n: examples.proportion(n // 2, n))
    row = claims.judge(next(one for one in claims.asked if one.id == "B22"), "quick", 0)
    assert "of 10 random ones 0.5 [0.187, 0.813] do the same" in row.statistic and row.verdict == HELD


def test_theory_s_exact_claims_follow_the_numbers(monkeypatch):
    with monkeypatch.context() as inner:
        inner.setattr(theory.bounds, "theorem1_saving", lambda *args: 1e9)
        assert verdict("B32") == HELD
    with monkeypatch.context() as inner:
        inner.setattr(theory, "ucb1", lambda arms, alpha: bl.classic.ucb1(arms, 9.0))
        assert verdict("B33") == FAILED
    with monkeypatch.context() as inner:
        inner.setattr(theory, "most_changed", lambda *args: 1.01)
        assert verdict("B34") == FAILED
    with monkeypatch.context() as inner:
        inner.setattr(zooming.bounds, "theorem2", lambda *args: 0.001)
        assert verdict("B36") == HELD  # where it speaks, no pair loses more
        beyond.promised.cache_clear()
        inner.setattr(zooming.bounds, "secant_slope", lambda world: 2.0)
        assert verdict("B36") == FAILED
    beyond.promised.cache_clear()
    with monkeypatch.context() as inner:
        inner.setattr(zooming.bounds, "supremum", lambda *args: (1.0, 1.2))
        assert verdict("B37") == FAILED
        inner.setattr(zooming.bounds, "supremum", lambda *args: (1.0, 0.9))
        assert verdict("B37") == FAILED
    with monkeypatch.context() as inner:
        inner.setattr(zooming, "new_points", lambda m, after: 0.9)
        assert verdict("B38") == HELD


def test_the_radius_covers_the_estimate_as_printed_and_not_the_one_that_a_learner_has():
    """Where the largest limit is played in one of 200 rounds; alike both are covered."""
    seldom = theory.SELDOM["the largest seldom"]
    seen, known = (theory.misses(1000, 0, survival, seldom) for survival in ("consistent", "oracle"))
    assert seen.ends(0.95)[0] > 1 > known.ends(0.95)[1]
    assert theory.misses(1000, 0, "consistent", 1 / 3).ends(0.95)[1] < 1


def test_all_cells_split_in_one_round():
    """Eight cells that are alike, m = 8: 56 new points where |M| + m - 1 is 15, and 71 after it; m = 2 never more."""
    assert zooming.new_points(8, False) >= 56 / 15 and zooming.new_points(2, False) <= 1
    assert 56 / 71 <= zooming.new_points(8, True) < 1


@pytest.mark.parametrize("apart, shared, largest", [(3.0, 1.0, 1.0), (6.0, 1.2, 1.0), (6.0, 1.0, 1.2)])
def test_what_sharing_is_worth_can_fail(monkeypatch, apart, shared, largest):
    few, many = SharingWorth(1.0, 1.0, 1.0), SharingWorth(apart, shared, largest)
    monkeypatch.setattr(theory.MOST_WORTH.__class__, "results", lambda *args: {"3 limits": few, "20": many})
    assert verdict("B43", "quick") == NOT_FOUND


def test_generosity_is_needed_only_where_limits_hide_something(monkeypatch):
    monkeypatch.setattr(theory, "hidden_excess", lambda world: np.array([0.3, -0.1]))
    assert verdict("B44", "quick") == FAILED


@pytest.mark.parametrize("factor, expected", [(1.0, FOUND), (2.0, NOT_FOUND), (0.4, NOT_FOUND), (1.5, OPEN)])
def test_the_leaving_round(monkeypatch, factor, expected):
    left = runs.Left(1000.0, 1000.0 * factor * (1 + 0.1 * NOISE[0]), *[None] * 3)
    patch(monkeypatch, lambda study, cell: left)
    assert verdict("B35") == expected


def test_as_printed_it_stays_at_the_largest_limit(monkeypatch):
    for share, expected in ((1.0, FOUND), (0.9, NOT_FOUND)):
        largest = {GAIN: 0.1, PRINTED: share}
        patch(monkeypatch, lambda study, cell, most=largest: result(dict.fromkeys(most, 1), largest=most))
        assert verdict("B29") == expected


@pytest.mark.parametrize(
    "first, others, expected", [(0.12, 0.0, FOUND), (0.0, 0.0, NOT_FOUND), (0.12, 0.12, NOT_FOUND), (0.05, 0.0, OPEN)]
)
def test_an_unlucky_start(monkeypatch, first, others, expected):
    """So many of 2,000 runs lose all."""
    shares = {GAIN: first, PRINTED: others, runs.KL: 0.0}
    lost = np.array([np.where(np.arange(2000) < share * 2000, 9.0 * 9, 0.1) for share in shares.values()])
    settings = {"policies": dict.fromkeys(shares), "environment": WORLD}
    patch(monkeypatch, lambda study, cell: bl.Result(settings, np.array([9]), lost[:, :, None], {}, {}))
    assert verdict("B41") == expected


@pytest.mark.parametrize("kl, expected", [(1.0, FOUND), (3.5, NOT_FOUND), (2.66, OPEN)])
def test_shared_and_safe(monkeypatch, kl, expected):
    patch(monkeypatch, lambda study, cell: result({runs.KL: kl, UCB: 4.0, PRINTED: 5.0}, spread=0.05))
    assert verdict("B42") == expected


@pytest.mark.parametrize("penalty", [3.0, 9.0])
def test_the_pulls_without_noise_are_those_that_are_played(penalty):
    """10,000 rounds of RCUCB as printed on two arms whose rewards are certain: within two pulls."""
    table = np.tile([1.0, 0.5], (2, 1)), np.full((2, 2), 0.5)
    world = censored.recorded(table, [1.0], [penalty], 0.0)
    policy = censored.rcucb(2, world.limits, world.penalty, 2.0)
    played = bl.analysis.record_run.record_run(world, policy, 10_000, 0).actions[:, 0]
    assert abs((played == 1).sum() - runs.worse_pulls(penalty, 10_000)) <= 2


def forest_result(earned, shares, early=(0, 0)):
    """A made-up Figure 5: rewards per round and censored shares by policy; `early` is taken from RCUCB at first."""
    checkpoints, names = np.arange(1, 101) * 10, list(earned)
    noise = 1 + 1e-3 * NOISE[:4, :4, None]
    reward = np.array([earned[n] for n in names])[:, None, None] * checkpoints * noise
    reward[:2, :, : early[1]] -= early[0]
    diagnostics = {"censored": np.array([shares[n] for n in names])[:, None] + 1e-4 * NOISE[:4, :4]}
    return bl.Result({"policies": dict.fromkeys(names), "environment": WORLD}, checkpoints, reward, diagnostics, {})


def test_the_forest_s_claims_follow_the_numbers(monkeypatch):
    def judged(id, *args, **options):
        found = forest_result(*args, **options)
        names = [TS_PLAYED if name == TS else name for name in found.policies]
        tabled = bl.Result({"policies": dict.fromkeys(names)}, found.checkpoints, found.regret, found.diagnostics, {})
        played = {runs.forest: {"cumulative reward": found}, runs.forest_as_tables: tabled}
        patch(monkeypatch, lambda study, cell: played[study.play])
        return verdict(id)

    earned, shares = {GAIN: 0.9, PRINTED: 0.8, UCB: 0.65, TS: 0.66}, {GAIN: 0.05, PRINTED: 0.1, UCB: 0.28, TS: 0.285}
    assert judged("B28a", earned, shares) == HELD
    assert judged("B28a", earned, shares, early=(50, 4)) == HELD  # below 5 % of the horizon
    assert judged("B28a", earned, shares, early=(50, 8)) == FAILED
    assert judged("B28a", earned | {PRINTED: 0.5}, shares) == MIXED
    assert judged("B28b", earned, shares) == HELD
    assert judged("B28b", earned, shares | {PRINTED: 0.24}) == MIXED
    assert judged("B28b", earned, shares | {UCB: 0.06}) == FAILED
    assert judged("B28c", earned, shares) == LATER  # it says how much


def test_the_quick_ledger_names_its_figures():
    studied = (*vars(studies).values(), *vars(beyond).values())
    names = {study.name for study in studied if isinstance(study, Study)}
    assert {asked.figure for asked in claims.asked} <= names | {""}
    assert learners.ORDER == tuple(runs.GRIDS)
