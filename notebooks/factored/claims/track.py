"""Claims on F-UCB and F-Track (Remark 4.1, Appendix E.2, Figures 2 and 4)."""

import itertools
import math

import numpy as np

from banditlab.evidence import (
    LEVEL,
    MUCH,
    Cases,
    count,
    difference,
    exact,
    mean,
    median,
    quotient,
    ratio,
    regret_difference,
)
from banditlab.evidence.questions import some
from banditlab.factored import bounds

from .. import ftrack_law
from ..drawings import over_floor
from ..runs import PRINTED, READINGS, THREEFOLD, wrong_runs
from ..studies import FIGURE_2, FIGURE_4, MANY
from .common import E2, TRACKS, claims

CLOSED = "F-Track's mean exactly where its recovery cannot fire, else over many runs"


def slope(ds, values):
    """Slope of the least-squares line through the values at each d, run by run."""
    return np.polyfit(ds, values, 1)[0]


@claims(
    "A7",
    "The ratio of F-UCB's regret to the lower bound grows linearly with d, the faster the larger the gap.",
    "Remark 4.1, Figure 2",
    quote="the behavior confirms a linear dependence of the actual regret of F-UCB on the number of dimensions of "
    "the action vector",
    figure="Figure 2",
    note="linear: neither half of the regret's curve is much steeper than the other, 2/3 to 3/2, chosen after a run "
    "was seen; as components choose independently the regret is Σ 1 - (1 - Δ q_t)^d, so it bends down",
)
def ratio_linear(scale, seed):
    found, n, gaps = FIGURE_2.results(scale, seed), FIGURE_2.numbers(scale), FIGURE_2.grid["gap"]
    ds, ratios = np.array(FIGURE_2.grid["d"]), {cell: over_floor(result, cell, n) for cell, result in found.items()}
    regret = {gap: np.array([r.final_regret("F-UCB") for c, r in found.items() if c.gap == gap]) for gap in gaps}
    first, second = ds <= ds[-1] // 2, ds > ds[-1] // 2
    bend = {f"Δ = {gap:g}": ratio(slope(ds[second], curve[second]), slope(ds[first], curve[first]))
            for gap, curve in regret.items()}  # fmt: skip
    slopes = {gap: slope(ds, [r for c, r in ratios.items() if c.gap == gap]) for gap in gaps}
    rises = {f"Δ = {a:g} to {b:g}": mean(slopes[b] - slopes[a]) for a, b in itertools.pairwise(gaps)}
    parts = {
        f"Δ = {cell.gap:g}, d = {cell.d}": mean(values / bounds.remark41_ratio(cell.gap, cell.d, n.alpha))
        for cell, values in ratios.items()
    }
    return {
        f"σ = {n.sigma:g}, T = {n.horizon:,} (ours; the paper states neither)": [
            Cases("slope of regret in d, 11 to 20 over 1 to 10", bend, axis="log").between(MUCH, 1 / MUCH),
            Cases("rise of the slope in d from a gap to the next", rises).above(0),
            Cases("regret over the lower bound, over Equation 16", parts).below(1),
        ]
    }


def exactly(cell, name, n):
    """F-Track's expected regret at the horizon of Figure 4."""
    return ftrack_law.ftrack_regret(cell.gap, cell.d, n.sigma, n.horizon, READINGS[name].get("n0_mult", 1))


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
    return Cases("F-Track's regret minus F-UCB's", ahead(scale, seed, name, gaps, ds))


@claims(
    "A8",
    "With 2 and 5 components F-UCB is better for every gap.",
    E2,
    quote="F-UCB outperforms F-Track for all the values of",
    figure="Figure 4",
    note=CLOSED,
)
def few_components(scale, seed):
    return {reading: behind(scale, seed, name, ds=(2, 5)).above(0) for reading, name in TRACKS.items()}


@claims(
    "A9",
    "With 10 components F-UCB is better at the smallest gap, F-Track at the largest.",
    E2,
    quote="while for larger value of the suboptimality gap, F-Track is better",
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
    quote="The results turn in favor of F-Track when d becomes larger",
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
            Cases(f"F-UCB's regret over F-Track's, Δ = {most:g} over {least:g}", ratios, axis="log").above(1),
        ]
        answers[f"{reading}, as a difference"] = [
            better,
            Cases(f"F-UCB's regret minus F-Track's, Δ = {most:g} minus {least:g}",
                  {f"d = {d}": difference(*pair) for d, pair in leads.items()}).above(0),
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
        wrong = wrong_runs(result, PRINTED)
        chance = ftrack_law.misidentification_probability(cell.gap, cell.d, n.sigma, n0)
        observed, predicted = observed + int(wrong.sum()), predicted + n.runs * chance
        spread += n.runs * chance * (1 - chance)
        fires += result.diagnostics["recovered"][result.policies.index(PRINTED)].sum()
        costs.extend(result.final_regret(PRINTED)[wrong] / n.horizon / cell.gap)
    away = (observed - predicted) / math.sqrt(spread)
    return [
        Cases(
            "wrong plans minus those predicted, in standard deviations",
            {f"{observed} and {predicted:.1f}": exact(away)},
        ).between(-3, 3),
        Cases("median regret of a run with a wrong plan over T Δ", median(costs)).above(0.5),
        Cases("times that recovery fires, all runs", exact(fires)).at_most(0),
    ]


@claims(
    "A20",
    "No multiple of N₀ gives the whole of Figure 4.",
    E2,
    figure="Who wins",
    ours=True,
    looks=1,
    note="N₀ × 1 to 60, beyond which the warm-up alone costs more than F-UCB at d = 10, Δ = 0.9, and N₀ × 3 with ε/√6; "
    "contradicted: F-UCB's interval, joint over the panels, lies on the other side of F-Track's regret than a "
    "sentence says",
)
def no_single_reading(scale, seed):
    n, gaps = FIGURE_4.numbers(scale), FIGURE_4.grid["gap"]
    said = {(gap, d): wanted(gap, d, gaps) for gap in gaps for d in FIGURE_4.grid["d"]}
    said = {at: wins for at, wins in sorted(said.items(), key=lambda one: abs(one[0][1] - 10)) if wins is not None}
    level = 1 - (1 - LEVEL) / len(said)
    ours = {(c.gap, c.d): mean(r.final_regret("F-UCB")).ends(level) for c, r in FIGURE_4.results(scale, seed).items()}

    def contradicted(multiple):
        """Whether some panel surely is not as the paper says; None where only intervals stand in the way."""
        lost = {at: ftrack_law.ftrack_regret(*at, n.sigma, n.horizon, multiple) for at in said}
        leads = {at: (lost[at] - high, lost[at] - low) for at, (low, high) in ours.items() if at in said}
        return some(against(said[at], *leads[at]) for at in said)

    answers = {f"N₀ × {multiple}": contradicted(multiple) for multiple in range(1, 61)}
    many = {(c.gap, c.d): regret_difference(r, THREEFOLD, "F-UCB").ends(level)
            for c, r in MANY.results(scale, seed).items()}  # fmt: skip
    answers["N₀ × 3, ε/√6"] = some(against(wins, *many[at]) for at, wins in said.items())
    warm_up = 60 * bounds.ftrack_constants(n.horizon, n.sigma).n0 * -math.expm1(10 * math.log1p(-max(gaps)))
    beyond = Cases("warm-up's regret at N₀ × 60 over F-UCB's", exact(warm_up / ours[max(gaps), 10][1])).above(1)
    return [count("readings of N₀ contradicted by some panel", answers), beyond]


def against(wins, low, high):
    """Whether F-Track - F-UCB lies on the other side than a sentence says: F-Track wins below 0."""
    return None if low <= 0 <= high else (low > 0) is wins


def wanted(gap, d, gaps):
    """Whether F-Track wins at this panel, by the three sentences on Figure 4; None where they are silent."""
    if d != 10:
        return d > 10
    return {min(gaps): False, max(gaps): True}.get(gap)
