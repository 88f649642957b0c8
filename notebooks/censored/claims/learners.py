"""The figures: who has less regret, by how much, and where."""

from itertools import pairwise

import numpy as np

from banditlab.evidence import MUCH, SIMILAR, Cases, bootstrap, mean, quotient, ratio, regret_difference

from .. import tables
from ..beyond import CUT_SHORT
from ..runs import GAIN, PRINTED, PROBLEMS, SURVIVALS, TEXT, TS, TS_NAIVE, TS_PLAYED, UCB, UCB_SAME, WIDTHS
from ..studies import AS_TABLES, FIGURE_8, FIGURE_9, LOW_AS_TABLES, MANY_AS_TABLES, PLAYED_ONLY, REGRETS
from .common import AS_PRINTED, EXPLAINED, LEARNERS, READINGS, TABLES, claims

ORDER = "M1", "size 10", "M2"  # by number of limits


def text_and_tables(scale, seed, **only):
    """Reading to RCUCB's name, Thompson sampling's name, and results by cell: as printed, and as the tables."""
    return both_ways(REGRETS.results(scale, seed, **only), AS_TABLES.results(scale, seed, **only))


def both_ways(text, tables):
    """The same of these results."""
    return {r: (name, TS, text) for r, name in READINGS.items()} | {TABLES: (GAIN, TS_PLAYED, tables)}


def ranked(found, study):
    """Whether RCUCB has less regret than Thompson sampling and UCB in all cells, by reading."""
    return {
        reading: Cases(
            "another policy's regret minus RCUCB's",
            {
                f"{other}, {study.title_of(c)}": regret_difference(r, other, name)
                for c, r in cells.items()
                for other in (ts, UCB)
            },
        ).above(0)
        for reading, (name, ts, cells) in found.items()
    }


@claims("B12", "RCUCB has less regret than Thompson sampling and UCB in all three problems.", "Section 5.1, Figure 4",
        figure="Figure 4", note=EXPLAINED,
        quote="RCUCB distinctly outperforms both UCB and TS on each problem instance")  # fmt: skip
def best_problems(scale, seed):
    return ranked(text_and_tables(scale, seed, grid=("size 10",)), REGRETS)


@claims("B13", "With 2 and with 20 limits, too, RCUCB has less regret than Thompson sampling and UCB.",
        "Appendix F.1, Figures 6 and 7", figure="Figure 7", note=EXPLAINED,
        quote="In summary, these results confirm firstly the findings in Section 5")  # fmt: skip
def best_grids(scale, seed):
    return ranked(text_and_tables(scale, seed, grid=("M1", "M2")), REGRETS)


@claims("B14", "With 20, 50 and 80 arms, too, RCUCB has less regret than Thompson sampling and UCB.",
        "Appendix F.2, Figure 8", figure="Figure 8", note=LEARNERS,
        quote="which reveal that RCUCB is also well suited for the case of larger number of arms")  # fmt: skip
def best_many(scale, seed):
    return ranked(both_ways(FIGURE_8.results(scale, seed), MANY_AS_TABLES.results(scale, seed)), FIGURE_8)


@claims("B15", "Where hardly any round is censored RCUCB has less regret than Thompson sampling and UCB, too.",
        "Appendix F.3, Figure 9", figure="Figure 9", note=LEARNERS,
        quote="Once again RCUCB shows the best performance")  # fmt: skip
def best_low(scale, seed):
    return ranked(both_ways(FIGURE_9.results(scale, seed), LOW_AS_TABLES.results(scale, seed)), FIGURE_9)


def advantages(cells, name, other):
    """Cell to regret of another policy over RCUCB's."""
    return {(c.problem, c.grid): ratio(r.final_regret(other), r.final_regret(name)) for c, r in cells.items()}


@claims("B16", "RCUCB's superiority is more distinct, the more limits there are.", "Appendix F.1, Figures 4, 6 and 7",
        figure="Figure 7", scales=("paper",), note="from 2 to 10 and from 10 to 20 limits; gap or ratio, the paper "
        f"does not say which; {EXPLAINED}",
        quote="the superiority of RCUCB is more distinct, the larger "
        "the number of elements in the admissible resource range")  # fmt: skip
def many_limits(scale, seed):
    found = {}
    steps = [((p, a), (p, b)) for p in PROBLEMS for a, b in pairwise(ORDER)]
    for reading, (name, ts, cells) in text_and_tables(scale, seed).items():
        by, others = {(c.problem, c.grid): r for c, r in cells.items()}, (ts, UCB)
        gaps = {
            f"{other}, {p}, {a} to {b}": mean(gap(by[p, b], other, name) - gap(by[p, a], other, name))
            for other in others
            for (p, a), (_, b) in steps
        }
        ratios = {other: advantages(cells, name, other) for other in others}
        changes = {
            f"{other}, {p}, {a} to {b}": quotient(ratios[other][p, b], ratios[other][p, a])
            for other in others
            for (p, a), (_, b) in steps
        }
        found[f"gap, {reading}"] = Cases("regret minus RCUCB's, with more minus fewer limits", gaps).above(0)
        found[f"ratio, {reading}"] = Cases("regret over RCUCB's, more over fewer limits", changes, axis="log").above(1)
    return found


def gap(result, other, name):
    """How much more regret another policy has than RCUCB, run by run."""
    return result.final_regret(other) - result.final_regret(name)


@claims("B17", "The relative gap between RCUCB and its competitors is larger where reward and consumption are "
        "correlated.", "Section 5.1, Figure 4", figure="Figure 4", scales=("paper",), note=EXPLAINED,
        quote="the relative gap between RCUCB and its competitors is larger "
        "for the correlated problem settings than for the uncorrelated one")  # fmt: skip
def correlated(scale, seed):
    found = {}
    for reading, (name, ts, cells) in text_and_tables(scale, seed, grid=("size 10",)).items():
        ratios = {other: advantages(cells, name, other) for other in (ts, UCB)}
        found[reading] = Cases(
            "regret over RCUCB's, over that in Indep",
            {
                f"{other}, {p}": quotient(own[p, "size 10"], own["Indep", "size 10"])
                for other, own in ratios.items()
                for p in ("PosCorr", "NegCorr")
            },
            axis="log",
        ).above(1)
    return found


def spread_ratio(result, other, name):
    """Standard deviation of a policy's final regret over that of another."""
    first, second = result.final_regret(other), result.final_regret(name)
    return bootstrap(lambda rows: first[rows].std(axis=-1, ddof=1) / second[rows].std(axis=-1, ddof=1), len(first))


def varied(found, calmer, study):
    """Whether Thompson sampling's regret varies much more than that of RCUCB and of others, by reading."""
    return {
        reading: Cases(
            "standard deviation over Thompson sampling's",
            {
                f"{own}, {study.title_of(c)}": spread_ratio(r, own, ts)
                for c, r in cells.items()
                for own in (name, *calmer)
            },
            axis="log",
        ).much_less()
        for reading, (name, ts, cells) in found.items()
    }


@claims("B18a", "With 2 and with 20 limits Thompson sampling varies much more from run to run than the other two.",
        "Appendix F.1, Figures 6 and 7", figure="Figure 6", scales=("paper",), note="every panel, or all panels "
        "together, by the geometric mean of the ratios; in one panel, NegCorr with 2 limits, the paper's own table "
        f"prints equal deviations of the censored shares for UCB and Thompson sampling, .0030 and .0030; {EXPLAINED}",
        quote="it reveals a much higher variation than the other two algorithms")  # fmt: skip
def varies(scale, seed):
    by, found = text_and_tables(scale, seed, grid=("M1", "M2")), {}
    for reading, question in varied(by, (UCB,), REGRETS).items():
        name, ts, cells = by[reading]
        found[f"every panel, {reading}"] = question
        found[f"together, {reading}"] = Cases(
            "standard deviation over Thompson sampling's, panels together",
            {own: spread_together(cells.values(), own, ts) for own in (name, UCB)},
            axis="log",
        ).much_less()
    return found


def spread_together(results, other, name):
    """The geometric mean over some results of `spread_ratio`; their runs are drawn together."""
    pairs = [(one.final_regret(other), one.final_regret(name)) for one in results]

    def times(rows):
        logs = [np.log(a[rows].std(axis=-1, ddof=1) / b[rows].std(axis=-1, ddof=1)) for a, b in pairs]
        return np.exp(np.mean(logs, axis=0))

    return bootstrap(times, len(pairs[0][0]))


@claims("B18b", "Where hardly any round is censored RCUCB varies much less from run to run than Thompson sampling.",
        "Appendix F.3, Figure 9", figure="Figure 9", scales=("paper",), note=LEARNERS,
        quote="and compared to TS has a much smaller variation")  # fmt: skip
def varies_low(scale, seed):
    return varied(both_ways(FIGURE_9.results(scale, seed), LOW_AS_TABLES.results(scale, seed)), (), FIGURE_9)


@claims("B18c", "Thompson sampling performs well with 2 limits on average, much worse with 20.", "Appendix F.1",
        figure="Figure 7", scales=("paper",), note="well: less regret than UCB, or no more than 1.1 times RCUCB's; "
        f"the paper does not say; {EXPLAINED}",
        quote="but with a much worse average performance")  # fmt: skip
def well_on_average(scale, seed):
    found = {}
    for reading, (name, ts, cells) in text_and_tables(scale, seed).items():
        by = {(c.problem, c.grid): r for c, r in cells.items()}
        worse = {p: ratio(by[p, "M1"].final_regret(ts), by[p, "M2"].final_regret(ts)) for p in PROBLEMS}
        few = {p: by[p, "M1"] for p in PROBLEMS}
        ucb = {p: ratio(r.final_regret(ts), r.final_regret(UCB)) for p, r in few.items()}
        own = {p: ratio(r.final_regret(ts), r.final_regret(name)) for p, r in few.items()}
        rest = Cases("regret with 2 limits over that with 20", worse, axis="log").much_less()
        found[f"less than UCB's, {reading}"] = [Cases("regret over UCB's, 2 limits", ucb, axis="log").below(1), rest]
        found[f"like RCUCB's, {reading}"] = [Cases("regret over RCUCB's, 2 limits", own, axis="log").at_most(1.1), rest]
    return found


@claims("B21", "Thompson sampling that updates all limits up to the played one is significantly better.",
        "Appendix E.1", figure="Figure 4", note="by the number of limits; in 20 runs; it fails where the "
        "naive update is similar, at most ten per cent worse",
        quote="by updating all parameters for which τ ≤ τ_t^TS holds, the resulting TS algorithm performs "
        "significantly better")  # fmt: skip
def all_limits(scale, seed):
    own, naive = REGRETS.results(scale, seed), PLAYED_ONLY.results(scale, seed)
    found = {}
    for grid in ("size 10", "M1", "M2"):
        times = {}
        for cell in (cell for cell in own if cell.grid == grid):
            alone = naive[cell].final_regret(TS_NAIVE)  # the same runs as the first of the figure's
            times[cell.problem] = ratio(alone, own[cell].final_regret(TS)[: len(alone)])
        found[grid] = Cases("regret updating the played limit over updating all", times, axis="log").above(SIMILAR[1])
    return found


@claims("B29", "On PosCorr RCUCB as printed does not leave the largest limit in the paper's 100,000 rounds.",
        "Section 5.1, Figure 4", ours=True, figure="Figure 4", note="100,000 rounds")  # fmt: skip
def stays(scale, seed):
    one = tables.played(scale, seed)["PosCorr", "size 10", TEXT][PRINTED]
    share = mean(one.diagnostics["largest limit"][one.policies.index(PRINTED)])
    return {AS_PRINTED: Cases("share of rounds at the largest limit", share).at_least(0.999)}


@claims("B31", "Sharing is worth much with 10 and 20 limits, and nothing like it with 2: against UCB of RCUCB's own "
        "width RCUCB has much less regret there and not here.", "Figures 4, 6 and 7", ours=True, figure="Figure 6",
        note="first term of RCUCB's width only, the parameters of the text")  # fmt: skip
def width_or_sharing(scale, seed):
    found = REGRETS.results(scale, seed)
    ratios = {c: ratio(r.final_regret(GAIN), r.final_regret(UCB_SAME)) for c, r in found.items()}
    many = {REGRETS.title_of(c): one for c, one in ratios.items() if c.grid != "M1"}
    few = {REGRETS.title_of(c): one for c, one in ratios.items() if c.grid == "M1"}
    return [
        Cases("regret over that of UCB with the same width, 10 and 20 limits", many, axis="log").much_less(),
        Cases("regret over that of UCB with the same width, 2 limits", few, axis="log").above(MUCH),
    ]


@claims("B39", "Nothing is lost for want of the indicators that Equation 9 sums and nobody observes: with consumption "
        "revealed RCUCB's regret is similar.", "Equation 9", ours=True, figure=CUT_SHORT.name, note="10 limits; the "
        "estimate from the rounds with at least this limit against the equation as printed")  # fmt: skip
def for_want_of_indicators(scale, seed):
    seen, *_, revealed = SURVIVALS.values()
    results, found = CUT_SHORT.results(scale, seed), {}
    for reading, width in READINGS.items():
        by = {c.problem: r for c, r in results.items() if WIDTHS[c.width] == width}
        ratios = {problem: ratio(r.final_regret(seen), r.final_regret(revealed)) for problem, r in by.items()}
        found[reading] = Cases("regret over that with consumption revealed", ratios, axis="log").similar()
    return found
