"""Every verdict follows the numbers: made-up results turn it, and results that cannot tell leave it open."""

import numpy as np
import pandas as pd
import pytest

import banditlab as bl
from banditlab import censored
from banditlab.censored import claims
from banditlab.censored.claims import common, forest, learners, theory
from banditlab.censored.experiments import instances, paper, tables
from banditlab.censored.experiments.instances import GAIN, PRINTED, TS, UCB, lowest_share
from banditlab.claims import CLASSES

HELD, FAILED, OPEN, MIXED = "reproduced", "not reproduced", "not tested at this scale", "depends on the reading"
CELLS = [(name, grid) for name in instances.PROBLEMS for grid in instances.GRIDS]
NOISE = np.random.default_rng(0).standard_normal((4, 40))  # one row per policy


def result(world, regret, shares=None, spread=0.01):
    """A made-up result: mean regret and censored share by policy, with noise of this relative size."""
    policies = instances.policies_of(world)
    names = list(policies)
    values = np.array([regret[name] for name in names])[:, None] * (1 + spread * NOISE)
    tallies = {} if shares is None else {"censored": np.array([shares[n] for n in names])[:, None] + 1e-3 * NOISE}
    return bl.Result({"policies": policies, "environment": world}, np.array([9]), values[:, :, None], tallies, {})


WORLD = censored.indep(2, 2)


def verdict(test):
    return test("paper", 0)[-1]


def holding(test):
    """The readings that hold, fail or are open."""
    return test("paper", 0)[-2]


@pytest.mark.parametrize(
    "intervals, expected", [([(1, 2), (0.1, 3)], True), ([(1, 2), (-2, -1)], False), ([(1, 2), (-1, 2)], None)]
)
def test_positive(intervals, expected):
    assert common.positive(intervals) is expected


def test_intervals_of_a_mean():
    """With 40 runs t is 2.0227."""
    values = NOISE[0]
    low, high = common.ends(values)
    half = 2.022691 * values.std(ddof=1) / np.sqrt(40)
    assert low == pytest.approx(values.mean() - half) and high == pytest.approx(values.mean() + half)


@pytest.mark.parametrize(
    "gain, printed, expected", [(1, 9, MIXED), (9, 1, MIXED), (1, 1, HELD), (9, 9, FAILED), (3, 3, OPEN)]
)
def test_ranking(monkeypatch, gain, printed, expected):
    """UCB and Thompson sampling lose 3; equal means cannot tell."""
    made = result(WORLD, {GAIN: gain, PRINTED: printed, UCB: 3.001, TS: 3.001}, spread=0.1)
    monkeypatch.setattr(paper, "sweep9", lambda scale, seed: made)
    assert verdict(claims.best_low) == expected
    if expected == MIXED:
        held = {1: common.FIRST, 9: common.AS_PRINTED}[gain]
        assert holding(claims.best_low).startswith(f"holds: {held};")


def sweep(monkeypatch, lost):
    """A sweep where RCUCB of both widths loses 1, and the competitors what `lost(problem, grid)` says."""
    made = {}
    for name, grid in CELLS:
        ts, ucb = lost(name, grid)
        made[name, grid] = result(WORLD, {GAIN: 1, PRINTED: 1, UCB: ucb, TS: ts})
    monkeypatch.setattr(paper, "sweep4", lambda scale, seed: made)


STEP = {"M1": 0, "size 10": 1, "M2": 2}


@pytest.mark.parametrize(
    "lost, expected",
    [
        (lambda name, grid: (2 + STEP[grid], 3 + STEP[grid]), HELD),
        (lambda name, grid: (4 - STEP[grid], 5 - STEP[grid]), FAILED),
        (lambda name, grid: ((2, 5, 4)[STEP[grid]], 3 + STEP[grid]), FAILED),  # from 10 to 20 limits it falls
        (lambda name, grid: (2 + STEP[grid], 3), OPEN),  # UCB's does not change
        (lambda name, grid: (0.2 + 0.1 * STEP[grid], 3 + STEP[grid]), FAILED),  # no advantage that could grow
    ],
)
def test_advantage_and_number_of_limits(monkeypatch, lost, expected):
    sweep(monkeypatch, lost)
    assert verdict(claims.many_limits) == expected


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
    assert verdict(claims.correlated) == expected


def test_logarithms_of_ratios_meet_the_bootstrap():
    """The delta method's standard error is within a quarter of the bootstrap's."""
    made = result(WORLD, {GAIN: 1, PRINTED: 1, UCB: 3, TS: 2}, spread=0.2)
    values = learners.ratios(made, GAIN)[TS]
    rng, own, other = np.random.default_rng(1), learners.last(made, GAIN), learners.last(made, TS)
    draws = rng.integers(0, 40, (4000, 40))
    again = np.log(other[draws].mean(axis=1) / own[draws].mean(axis=1))
    assert values.mean() == pytest.approx(np.log(other.mean() / own.mean()))
    assert values.std(ddof=1) / np.sqrt(40) == pytest.approx(again.std(), rel=0.25)


@pytest.mark.parametrize("ts, ucb, both, low", [(6, 1, HELD, HELD), (1, 1, FAILED, FAILED), (6, 6, FAILED, HELD)])
def test_variation(monkeypatch, ts, ucb, both, low):
    """Standard deviations of final regret, RCUCB's being 1; Thompson sampling's must be 1.5 times as large."""
    noise = (NOISE - NOISE.mean(axis=1)[:, None]) / NOISE.std(axis=1)[:, None]
    regret = 100 + noise * np.array([1, 1, ucb, ts])[:, None]
    made = result(WORLD, {GAIN: 1, PRINTED: 1, UCB: 1, TS: 1})
    made = bl.Result(made.settings, made.checkpoints, regret[:, :, None], {}, {})
    monkeypatch.setattr(paper, "sweep4", lambda scale, seed: dict.fromkeys(CELLS, made))
    monkeypatch.setattr(paper, "sweep9", lambda scale, seed: made)
    assert verdict(claims.varies) == both and verdict(claims.varies_low) == low


def offset(monkeypatch, values):
    """A sweep whose censored shares differ from the best pair's by these: first term, as printed, UCB, Thompson."""
    made = {}
    for cell in CELLS:
        world = instances.problem(*cell)
        shares = {name: lowest_share(world) + x for name, x in zip((GAIN, PRINTED, UCB, TS), values, strict=True)}
        made[cell] = result(world, dict.fromkeys(shares, 1), shares)
    monkeypatch.setattr(paper, "sweep4", lambda scale, seed: made)


@pytest.mark.parametrize(
    "values, far, near, only",
    [
        ((0.0, 0.0, 0.1, 0.1), HELD, FAILED, HELD),
        ((0.0, 0.0, 0.01, 0.02), FAILED, HELD, HELD),
        ((0.0, -0.1, 0.01, 0.01), FAILED, MIXED, MIXED),
        ((0.01, 0.1, 0.0, 0.2), FAILED, FAILED, FAILED),
        ((0.0, 0.0, 0.025, 0.1), OPEN, FAILED, HELD),
        ((0.0, 0.0, 0.0, 0.0), FAILED, HELD, OPEN),
    ],
)
def test_shares_and_the_best_pair(monkeypatch, values, far, near, only):
    offset(monkeypatch, values)
    assert (verdict(claims.higher), verdict(claims.all_close), verdict(claims.only_rcucb_close)) == (far, near, only)


@pytest.mark.parametrize(
    "own, ucb, expected", [(0.01, 0.05, HELD), (0.05, 0.01, FAILED), (-0.05, 0.01, FAILED), (0.03, -0.03, OPEN)]
)
def test_distance_of_the_shares(monkeypatch, own, ucb, expected):
    def offsets(key):
        best = lowest_share(tables.world_of(*key))
        return {
            GAIN: best + own + 1e-3 * NOISE[0],
            PRINTED: best + own + 1e-3 * NOISE[1],
            UCB: best + ucb - 1e-3 * NOISE[0],
        }

    made = {key: offsets(key) for key in [(p, g, r) for p, g in tables.SHARES for r in tables.parameters_of(p)]}
    monkeypatch.setattr(tables, "shares", lambda scale, seed: made)
    assert verdict(claims.closest) == expected


@pytest.mark.parametrize("final, expected", [(0.001, HELD), (0.2, FAILED), (0.1, OPEN)])
def test_simple_regret_falls(monkeypatch, final, expected):
    rng, rows = np.random.default_rng(2), []
    for m in (2, 4):
        for T, mean in ((100, 0.1), (1000, final)):
            for _ in range(10):
                rows.append(
                    {"m": m, "T": T, **{kind: mean + 0.01 * rng.standard_normal() for kind in ("finest", "safest")}}
                )
    monkeypatch.setattr(paper, "sweep_zooming", lambda scale, seed: pd.DataFrame(rows))
    assert verdict(claims.zooming) == expected


@pytest.mark.parametrize(
    "share, side, expected", [(0.0, 1, HELD), (0.2, 1, FAILED), (0.2, -1, FAILED), (0.0036, 1, OPEN)]
)
def test_off_by_more_than_the_radius(monkeypatch, share, side, expected):
    """Proposition 1 allows 0.0533 at t = 100 and 0.0036 at t = 1000; a share of 0.0036 of 2,000 cannot tell."""
    off = np.zeros((3, 2000))
    off[1, : round(2000 * share)] = side * 1.01
    monkeypatch.setattr(theory, "errors", lambda rounds, alpha, runs, seed: off)
    assert verdict(claims.radius) == expected


def test_estimates_are_unbiased():
    """Mean error of 2,000 histories of 99 rounds within 4 standard errors of 0, and never exactly 0."""
    off = theory.errors(100, 2.0, 2000, 5)
    assert (abs(off.mean(axis=1)) < 4 * off.std(axis=1) / np.sqrt(2000)).all() and (off.std(axis=1) > 0.02).all()


def test_clopper_pearson():
    """P(X >= k) at the lower end and P(X <= k) at the upper end are 2.5 %."""
    from scipy.stats import binom

    low, high = theory.at_most(7, 200)
    assert binom.sf(6, 200, low) == pytest.approx(0.025) and binom.cdf(7, 200, high) == pytest.approx(0.025)
    assert theory.at_most(0, 10)[0] == 0 and theory.at_most(10, 10)[1] == 1


@pytest.mark.parametrize("test, bound", [(claims.regret_bound, "theorem1"), (claims.pairs_bound, "corollary14")])
def test_bounds_that_are_exceeded(monkeypatch, test, bound):
    assert test("quick", 0)[-1] == HELD
    true = getattr(theory.bounds, bound)
    monkeypatch.setattr(theory.bounds, bound, lambda *args: 0.01 * true(*args))
    assert test("quick", 0)[-1] == FAILED


@pytest.mark.parametrize(
    "test", [claims.optimal_limit, claims.optimal_arm, claims.share_indep, claims.share_poscorr, claims.literal_best]
)
def test_exact_claims(test):
    row = claims.Claim("censored", *test("quick", 0), "quick")
    expected = {"B3": MIXED, "B30": HELD}
    assert row.verdict == expected.get(row.id, FAILED) and row.verdict in CLASSES


def test_as_printed_it_stays_at_the_largest_limit(monkeypatch):
    """On PosCorr it does from the start, on Indep it has left after 20,000 rounds."""
    for world, expected in ((censored.poscorr(), HELD), (censored.indep(), FAILED)):
        made = bl.simulate(world, instances.policies_of(world), 20_000, 2, checkpoints=1)
        found = {("PosCorr", "size 10", tables.TEXT): made}
        monkeypatch.setattr(tables, "results", lambda scale, seed, found=found: found)
        assert verdict(claims.stays) == expected


def forest_result(earned, shares, early=(0, 0)):
    """A made-up Figure 5: rewards per round and censored shares by policy; `early` is taken from RCUCB at first."""
    world, checkpoints = WORLD, np.arange(1, 101) * 10
    policies = instances.policies_of(world)
    names = list(policies)
    noise = 1 + 1e-3 * NOISE[:, :4, None]
    regret = -np.array([earned[n] for n in names])[:, None, None] * checkpoints * noise
    regret[:2, :, : early[1]] += early[0]
    tallies = {"censored": np.array([shares[n] for n in names])[:, None] + 1e-4 * NOISE[:, :4]}
    return bl.Result({"policies": policies, "environment": world}, checkpoints, regret, tallies, {})


def test_the_forest_s_claims_follow_the_numbers(monkeypatch):
    def judged(test, *args, **options):
        result = forest_result(*args, **options)
        monkeypatch.setattr(paper, "forest_runs", lambda *key: {"cumulative reward": result})
        return verdict(test)

    earned, shares = {GAIN: 0.9, PRINTED: 0.8, UCB: 0.6, TS: 0.7}, {GAIN: 0.05, PRINTED: 0.1, UCB: 0.28, TS: 0.285}
    assert judged(forest.earns_most, earned, shares) == HELD
    assert judged(forest.earns_most, earned, shares, early=(50, 4)) == HELD  # below 5 % of the horizon
    assert judged(forest.earns_most, earned, shares, early=(50, 8)) == FAILED
    assert judged(forest.earns_most, earned | {PRINTED: 0.5}, shares) == MIXED
    assert judged(forest.least_censored, earned, shares) == HELD
    assert judged(forest.least_censored, earned, shares | {PRINTED: 0.2}) == MIXED
    assert judged(forest.least_censored, earned, shares | {UCB: 0.08}) == FAILED
    assert judged(forest.others_alike, earned, shares) == HELD
    assert judged(forest.others_alike, earned, shares | {UCB: 0.25}) == FAILED
    assert judged(forest.others_alike, earned, shares | {UCB: 0.265}) == OPEN
