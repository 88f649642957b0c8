"""Claims on F-UCB and F-Track (Remark 4.1, Appendix E.2, Figures 2 and 4)."""

import itertools
import math

import numpy as np

from banditlab.evidence import Cases, difference, exact, mean, median, quotient, ratio, regret_difference
from banditlab.factored import bounds

from ..beyond import MULTIPLES
from ..drawings import line, over_floor
from ..runs import PRINTED, READINGS, THREEFOLD, wrong_runs
from ..studies import FIGURE_2, FIGURE_4, MANY
from .common import E2, TRACKS, claims

CLOSED = "F-Track's mean exactly where its recovery cannot fire, else over many runs"


@claims(
    "A7",
    "F-UCB's regret over the lower bound grows linearly with d, the faster the larger the gap.",
    "Remark 4.1, Figure 2",
    figure="Figure 2",
)
def ratio_linear(scale, seed):
    found, n, gaps = FIGURE_2.results(scale, seed), FIGURE_2.numbers(scale), FIGURE_2.grid["gap"]
    ratios = {cell: over_floor(result, cell, n) for cell, result in found.items()}
    slopes = {gap: np.polyfit(FIGURE_2.grid["d"], [r for c, r in ratios.items() if c.gap == gap], 1)[0] for gap in gaps}
    rises = {f"Δ = {a:g} to {b:g}": mean(slopes[b] - slopes[a]) for a, b in itertools.pairwise(gaps)}
    parts = {
        f"Δ = {cell.gap:g}, d = {cell.d}": mean(values / bounds.remark41_ratio(cell.gap, cell.d, n.alpha))
        for cell, values in ratios.items()
    }
    return {
        f"σ = {n.sigma:g}, T = {n.horizon:,} (ours; the paper states neither)": [
            Cases("R² of the line", {f"Δ = {gap:g}": exact(line(found, gap, n)[1]) for gap in gaps}).at_least(0.99),
            Cases("rise of the slope", rises).above(0),
            Cases("ratio over Equation 16", parts).below(1),
        ]
    }


def exactly(cell, name, n):
    """F-Track's expected regret at the horizon of Figure 4."""
    return bounds.ftrack_regret(cell.gap, cell.d, n.sigma, n.horizon, READINGS[name].get("n0_mult", 1))


def ahead(scale, seed, name, gaps=FIGURE_4.grid["gap"], ds=FIGURE_4.grid["d"]):
    """F-Track - F-UCB at the longest horizon, by panel."""
    if name == THREEFOLD:
        found = MANY.results(scale, seed, gap=gaps, d=ds)
        return {FIGURE_4.title_of(cell): regret_difference(result, name, "F-UCB") for cell, result in found.items()}
    found, n = FIGURE_4.results(scale, seed, gap=gaps, d=ds), FIGURE_4.numbers(scale)
    return {
        FIGURE_4.title_of(cell): mean(exactly(cell, name, n) - result.final_regret("F-UCB"))
        for cell, result in found.items()
    }


def behind(scale, seed, name, gaps=FIGURE_4.grid["gap"], ds=FIGURE_4.grid["d"]):
    return Cases("F-Track - F-UCB", ahead(scale, seed, name, gaps, ds), "regret")


@claims("A8", "With 2 and 5 components F-UCB is better for every gap.", E2, figure="Figure 4", note=CLOSED)
def few_components(scale, seed):
    return {reading: behind(scale, seed, name, ds=(2, 5)).above(0) for reading, name in TRACKS.items()}


@claims(
    "A9",
    "With 10 components F-UCB is better at the smallest gap, F-Track at the largest.",
    E2,
    figure="Figure 4",
    note=CLOSED,
)
def ten_components(scale, seed):
    least, *_, most = FIGURE_4.grid["gap"]
    return {
        reading: [
            behind(scale, seed, name, (least,), (10,)).above(0),
            behind(scale, seed, name, (most,), (10,)).below(0),
        ]
        for reading, name in TRACKS.items()
    }


def both(scale, seed, name, gap, d):
    """Regret of F-UCB and of F-Track at the longest horizon, run by run; the latter exactly where it can be."""
    ((cell, result),) = (MANY if name == THREEFOLD else FIGURE_4).results(scale, seed, gap=(gap,), d=(d,)).items()
    ours = result.final_regret("F-UCB")
    theirs = result.final_regret(name) if name == THREEFOLD else exactly(cell, name, FIGURE_4.numbers(scale))
    return ours, np.broadcast_to(theirs, ours.shape)


@claims(
    "A10",
    "With 20 and 30 components F-Track is better, the more so the larger the gap.",
    E2,
    figure="Figure 4",
    note=f"the advantage is read as a ratio and as a difference; {CLOSED}",
)
def many_components(scale, seed):
    (least, *_, most), answers = FIGURE_4.grid["gap"], {}
    for reading, name in TRACKS.items():
        better = behind(scale, seed, name, ds=(20, 30)).below(0)
        at = {(gap, d): both(scale, seed, name, gap, d) for gap in (least, most) for d in (20, 30)}
        ratios = {f"d = {d}": quotient(ratio(*at[most, d]), ratio(*at[least, d])) for d in (20, 30)}
        leads = {d: [mean(ours - theirs) for ours, theirs in (at[most, d], at[least, d])] for d in (20, 30)}
        answers[f"{reading}, as a ratio"] = [
            better,
            Cases(f"F-UCB / F-Track at Δ = {most:g} over that at {least:g}", ratios, axis="log").above(1),
        ]
        answers[f"{reading}, as a difference"] = [
            better,
            Cases(f"(F-UCB - F-Track) at Δ = {most:g} less that at {least:g}",
                  {f"d = {d}": difference(*pair) for d, pair in leads.items()}, "regret").above(0),
        ]  # fmt: skip
    return answers


@claims(
    "A11",
    "F-Track fails because its warm-up ranks options wrongly: its regret is then linear, and recovery never fires.",
    "Algorithm 2, Figure 4",
    figure="Figure 4",
    ours=True,
    note="3 binomial standard deviations",
)
def wrong_plans(scale, seed):
    n, observed, predicted, spread, fires, costs = FIGURE_4.numbers(scale), 0, 0.0, 0.0, 0.0, []
    n0 = bounds.ftrack_constants(n.horizon, n.sigma).n0
    for cell, result in FIGURE_4.results(scale, seed).items():
        wrong, chance = wrong_runs(result, PRINTED), bounds.misidentification_probability(cell.gap, cell.d, n.sigma, n0)
        observed, predicted = observed + int(wrong.sum()), predicted + n.runs * chance
        spread += n.runs * chance * (1 - chance)
        fires += result.diagnostics["recovered"][result.policies.index(PRINTED)].sum()
        costs.extend(result.final_regret(PRINTED)[wrong] / n.horizon / cell.gap)
    away = (observed - predicted) / math.sqrt(spread)
    return [
        Cases(
            "wrong plans less those predicted, in standard deviations",
            {f"{observed} and {predicted:.1f}": exact(away)},
        ).between(-3, 3),
        Cases("median regret of one / (T Δ)", median(costs)).above(0.5),
        Cases("recoveries", exact(fires)).at_most(0),
    ]


@claims(
    "A20",
    "No multiple of N₀ gives the whole of Figure 4.",
    E2,
    figure="Who wins",
    ours=True,
    note="N₀ × 1 to 20 and N₀ × 3 with ε/6; exact regret of F-Track against the mean of F-UCB",
)
def no_single_reading(scale, seed):
    n, gaps = FIGURE_4.numbers(scale), FIGURE_4.grid["gap"]
    ours = {(c.gap, c.d): r.final_regret("F-UCB").mean() for c, r in FIGURE_4.results(scale, seed).items()}
    readings = {
        f"N₀ × {m}": {at: bounds.ftrack_regret(*at, n.sigma, n.horizon, m) < mean for at, mean in ours.items()}
        for m in MULTIPLES
    }
    many = {(c.gap, c.d): r for c, r in MANY.results(scale, seed).items()}
    readings["N₀ × 3, ε/6"] = {
        at: r.final_regret(THREEFOLD).mean() < r.final_regret("F-UCB").mean() for at, r in many.items()
    }
    whole = [name for name, wins in readings.items() if as_printed(wins, gaps)]
    return Cases("readings under which all three sentences on Figure 4 hold", exact(len(whole))).at_most(0)


def as_printed(wins, gaps):
    """Whether F-Track wins where the three sentences on Figure 4 say so."""
    few, many = ([won for (_, d), won in wins.items() if (d > 10) is kind and d != 10] for kind in (False, True))
    return not any(few) and not wins[min(gaps), 10] and wins[max(gaps), 10] and all(many)
