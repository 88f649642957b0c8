"""Claims on Gaussian and Bernoulli payoffs (Figure 2)."""

from banditlab.evidence import MUCH, SIMILAR, Cases, bootstrap, count, growth_exponent, ratio

from ..names import NAFF, NAFF_BL, SUMS, TS, UCB, UP, UP_BL, UPLIFTING
from ..studies import OFTEN, TUNED, TUNED_VAR80, UNEQUAL, WIDER_CLUSTERS
from .collected import MORE, STD80, VAR80, after, claims, panel

FIGURE = "Figure 2"
PAIRS = [(name, other) for name in UPLIFTING for other in (UCB, TS)]


def readings(scale, seed):
    """Checkpoints and regret of every policy in Figure 2 (a), under both readings of the noise."""
    first = panel(0, scale, seed)
    tuned = {cell.policy: one for cell, one in TUNED_VAR80.results(scale, seed).items()}
    return {
        STD80: {name: (first.checkpoints, first.of_policy(name)) for name in first.policies},
        VAR80: {name: (one.result.checkpoints, one.result.of_policy(repr(one.best))) for name, one in tuned.items()},
    }


def times(found, pairs):
    """Ratios of mean final regrets."""
    ratios = {f"{a} / {b}": ratio(found[a][1][:, -1], found[b][1][:, -1]) for a, b in pairs}
    return Cases("ratio of mean regrets", ratios, axis="log")


@claims("G1", "Methods that look at uplifts have a much smaller regret than UCB and Thompson sampling.",
        "Section 7, Figure 2 (a)", figure=FIGURE, note="every reading with parameters of its own")  # fmt: skip
def uplift_wins(scale, seed):
    return {reading: times(found, PAIRS).much_less() for reading, found in readings(scale, seed).items()}


@claims("G2", "Where the affected sets are known, not knowing the baseline costs hardly anything.",
        "Section 7, Figure 2 (a)", figure=FIGURE, note="at most ten per cent more")  # fmt: skip
def baseline_cheap(scale, seed):
    return {r: times(found, [(UP, UP_BL)]).at_most(SIMILAR[1]) for r, found in readings(scale, seed).items()}


@claims("G3", "Not knowing the affected sets costs more.", "Section 7, Figure 2 (a)", figure=FIGURE)
def sets_dearer(scale, seed):
    pairs = [(NAFF_BL, UP_BL), (NAFF, UP)]
    return {reading: times(found, pairs).above(1) for reading, found in readings(scale, seed).items()}


@claims("G4", "The regret of the uplifting methods is sublinear.", "Theorems 1 and 2, Figure 2 (a)", figure=FIGURE)
def sublinear(scale, seed):
    return {
        reading: Cases("growth exponent", {name: growth_exponent(*found[name]) for name in UPLIFTING}).sublinear()
        for reading, found in readings(scale, seed).items()
    }


@claims("G5", "An unknown baseline costs much only if the best action affects many more variables than the others.",
        "Section 5, after Theorem 1", note="instances ours: all affect 10, or the best 50 and the others 5"
)  # fmt: skip
def large_best(scale, seed):
    few, many = UNEQUAL.results(scale, seed).values()
    columns = [result.final_regret(name) for result in (many, few) for name in (UP, UP_BL)]

    def more(rows):
        many_up, many_bl, few_up, few_bl = (column[rows].mean(axis=-1) for column in columns)
        return many_up / many_bl / (few_up / few_bl)

    found = bootstrap(more, len(columns[0]))
    return Cases("UpUCB / UpUCB (bl), large best over equal sizes", found, axis="log").at_least(MORE)


@claims("B1", "With Bernoulli payoffs too, UpUCB with and without the baseline has a much smaller regret than UCB and "
        "Thompson sampling.", "Section 7, Figure 2 (b)", figure="Figure 2 (b)",
        note="regret after the first 20 rounds, in which every action is played once; 2,000 runs, as one in a hundred "
        "locks")  # fmt: skip
def bernoulli_wins(scale, seed):
    (result,) = OFTEN.results(scale, seed).values()
    pairs = [(name, other) for name in (UP_BL, UP) for other in (UCB, TS)]
    found = {f"{a} / {b}": ratio(after(result, a), after(result, b)) for a, b in pairs}
    return Cases("ratio of mean regrets", found, axis="log").at_most(MUCH)


@claims(
    "B2",
    "Here too, not knowing the baseline costs hardly anything.",
    "Section 7, Figure 2 (b)",
    figure="Figure 2 (b)",
    note="at most ten per cent more, of all regret as it is drawn; 2,000 runs, as one in a hundred locks",
)
def bernoulli_baseline(scale, seed):
    (result,) = OFTEN.results(scale, seed).values()
    found = ratio(result.final_regret(UP), result.final_regret(UP_BL))
    return Cases("UpUCB / UpUCB (bl)", found, axis="log").at_most(SIMILAR[1])


@claims("B3", "Here not knowing the affected sets causes a much larger regret, so that the nAff policies do no better "
        "than those that see the reward only.", "Section 7, Figure 2 (b)", figure=FIGURE, scales=("paper",),
        note="mean regret after the first 20 rounds against UpUCB, all of it against UCB and Thompson sampling"
)  # fmt: skip
def bernoulli_naff(scale, seed):
    result = panel(2, scale, seed)
    larger = {f"{a} / {b}": ratio(after(result, a), after(result, b)) for a, b in ((NAFF_BL, UP_BL), (NAFF, UP))}
    no_better = {
        f"{a} / {b}": ratio(result.final_regret(a), result.final_regret(b)) for a in (NAFF_BL, NAFF) for b in (UCB, TS)
    }
    return [
        Cases("ratio of mean regrets", larger, axis="log").at_least(MORE),
        Cases("ratio of mean regrets", no_better, axis="log").at_least(SIMILAR[0]),
    ]


@claims("B4", "Tuned exploration is orders of magnitude smaller with independent Bernoulli payoffs.",
        "Appendix D.1, Table 3", figure="Table 3 in one unit",
        note="at least 10,000 times; open where a value is at the end of its grid that is nearer to the other"
)  # fmt: skip
def small_betas(scale, seed):
    normal = {cell.policy: one for cell, one in TUNED.results(scale, seed).items()}
    coins = {cell.policy: one for cell, one in WIDER_CLUSTERS.results(scale, seed).items()}
    answers = {name: smaller(normal[name], coins[name]) for name in SUMS}
    return count("policies whose parameter is so much smaller", answers)


def smaller(gaussian, bernoulli):
    """Whether the second is 10,000 times smaller; open where wider grids might bring the two closer."""
    closest = gaussian.best == gaussian.table["parameter"].min() or bernoulli.best == bernoulli.table["parameter"].max()
    return None if closest else bool(gaussian.best >= 1e4 * bernoulli.best)
