"""Claims on Gaussian and Bernoulli payoffs (Figure 2)."""

import numpy as np

from ...claims import claim, every
from ..experiments import studies
from ..experiments.instances import NAFF, NAFF_BL, TS, UCB, UP, UP_BL, UPLIFTING
from ..experiments.studies import READINGS
from .common import bootstrap, final, pace, ratio, said, worst

PAIRS = [(name, other) for name in UPLIFTING for other in (UCB, TS)]


def gaussian_claim(id, sentence, where, tolerance, found, answer, text, scale, seed):
    """A claim on Figure 2 (a), under both readings of the noise."""
    results = {said: found(studies.gaussian_runs(scale, seed, name)) for name, said in READINGS.items()}
    statistic = "; ".join(f"{text(one)} ({reading})" for reading, one in results.items())
    return claim(id, sentence, where, statistic, tolerance, {r: answer(one) for r, one in results.items()})


def uplift_wins(scale, seed):
    """G1."""
    return gaussian_claim(
        "G1", "Methods that look at uplifts do much better than UCB and Thompson sampling.", "Section 7, Figure 2 (a)",
        "all 8 intervals (jointly 95 %) at most 0.5",
        lambda r: {f"{a} / {b}": ratio(r, a, b, among=len(PAIRS)) for a, b in PAIRS},
        lambda found: every(one.at_most(0.5) for one in found.values()),
        lambda found: f"largest ratio of mean regrets {worst(found)}", scale, seed,
    )  # fmt: skip


def baseline_cheap(scale, seed):
    """G2."""
    return gaussian_claim(
        "G2", "Not knowing the baseline costs little.", "Section 7, Figure 2 (a)", "95 % interval at most 1.5",
        lambda r: ratio(r, UP, UP_BL), lambda one: one.at_most(1.5), lambda one: f"UpUCB / UpUCB (bl) {one}",
        scale, seed,
    )  # fmt: skip


def sets_dearer(scale, seed):
    """G3."""
    pairs = ((NAFF_BL, UP_BL), (NAFF, UP))
    return gaussian_claim(
        "G3", "Not knowing the affected sets costs more.", "Section 7, Figure 2 (a)",
        "both ratios (intervals jointly 95 %) above 1",
        lambda r: {f"{a} / {b}": ratio(r, a, b, among=len(pairs)) for a, b in pairs},
        lambda found: every(one.above(1.0) for one in found.values()), said, scale, seed,
    )  # fmt: skip


def sublinear(scale, seed):
    """G4."""
    return gaussian_claim(
        "G4", "The regret of the uplifting methods is sublinear.", "Section 7, Figure 2 (a)",
        "regret of second half over first: four intervals (jointly 95 %) at most 0.5; fails from 0.8 (linear: 1)",
        lambda r: {name: pace(r.of_policy(name), among=len(UPLIFTING)) for name in UPLIFTING},
        lambda found: every(one.sublinear() for one in found.values()),
        lambda found: f"largest growth {worst(found)}", scale, seed,
    )  # fmt: skip


def large_best(scale, seed):
    """G5."""
    few, many = (studies.affected_runs(scale, seed, large) for large in (False, True))
    columns = [final(result, name) for result in (many, few) for name in (UP, UP_BL)]

    def times(rows):
        many_up, many_bl, few_up, few_bl = (column[rows].mean(axis=-1) for column in columns)
        return many_up / many_bl / (few_up / few_bl)

    found = bootstrap(times, len(columns[0]))
    return claim(
        "G5", "An unknown baseline costs much only if the best action affects many more variables than the others.",
        "Section 4, after Theorem 1",
        f"UpUCB / UpUCB (bl) at β = 5: {ratio(few, UP, UP_BL)} where all affect 10, {ratio(many, UP, UP_BL)} where the "
        f"best affects 50, others 5: {found} times as much", "95 % interval at least 2",
        {"standard deviation 80": found.at_least(2.0)},
    )  # fmt: skip


def smaller(result, pairs):
    """For each pair of policies, the chance that the first's final regrets are no smaller: Wilcoxon's signed ranks."""
    from scipy.stats import wilcoxon  # takes a second to import

    return [wilcoxon(final(result, a) - final(result, b), alternative="less").pvalue for a, b in pairs]


def bernoulli_wins(scale, seed):
    """B1."""
    result, pairs = studies.bernoulli_runs(scale, seed), [(name, other) for name in (UP_BL, UP) for other in (UCB, TS)]
    chance = max(smaller(result, pairs))
    found = {f"{a} / {b}": ratio(result, a, b, np.median, among=len(pairs)) for a, b in pairs}
    clear = True if chance < 0.05 / len(pairs) else None
    return claim(
        "B1", "With Bernoulli payoffs UpUCB, with and without the baseline, beats UCB and Thompson sampling.",
        "Section 7, Figure 2 (b)", f"largest ratio of medians {worst(found)}; Wilcoxon p at most {chance:.1e}",
        "four intervals (jointly 95 %) at most 0.7, p below 0.0125",
        {"as printed": every([clear, *(one.at_most(0.7) for one in found.values())])},
    )  # fmt: skip


def bernoulli_baseline(scale, seed):
    """B2."""
    found = ratio(studies.bernoulli_runs(scale, seed), UP, UP_BL, np.median)
    return claim(
        "B2", "Here knowing the baseline makes hardly a difference.", "Section 7, Figure 2 (b)",
        f"ratio of medians {found}", "95 % interval within 0.9 and 1.1",
        {"as printed": found.within(0.9, 1.1)},
    )  # fmt: skip


def bernoulli_naff(scale, seed):
    """B3."""
    result = studies.people_runs(scale, seed)
    ratios = [ratio(result, *pair, np.median, among=2) for pair in ((NAFF_BL, UP_BL), (NAFF, UP))]
    pairs = [(name, other) for name in (NAFF_BL, NAFF) for other in (UCB, TS)]
    better = [f"{a} / {b}" for (a, b), p in zip(pairs, smaller(result, pairs), strict=True) if p < 0.05 / len(pairs)]
    runs, rounds = result.regret.shape[1], result.checkpoints[-1]
    return claim(
        "B3", "Here UpUCB-nAff does much worse, no better than policies that see the reward only.",
        "Section 7, Figure 2 (b)",
        f"ratios of medians, nAff over UpUCB: {ratios[0]} with baseline, {ratios[1]} without; below the policies that "
        f"see the reward: {', '.join(better) or 'none'} ({runs} runs × {rounds} rounds)",
        "both intervals (jointly 95 %) at least 1.5; no Wilcoxon p below 0.0125 in four; needs 50 runs",
        {"as printed": every([*(one.at_least(1.5) for one in ratios), not better])} if runs >= 50 else None,
    )  # fmt: skip
