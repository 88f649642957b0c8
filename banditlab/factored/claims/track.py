"""Claims on F-UCB and F-Track (Remark 4.1, Appendix E.2, Figures 2 and 4)."""

import math

import numpy as np

from ...claims import claim
from ...result import interval
from .. import bounds
from ..experiments import paper
from ..experiments.instances import PRINTED
from ..experiments.paper import GAPS2, GAPS4
from .common import READINGS


def ratio_linear(scale, seed):
    """A7."""
    fits, below = [], True
    for _, rows in paper.sweep2(scale, seed).groupby("gap"):
        slope, start = np.polyfit(rows["d"], rows["ratio"], 1)
        left = ((rows["ratio"] - slope * rows["d"] - start) ** 2).sum()
        fits.append((slope, 1 - left / ((rows["ratio"] - rows["ratio"].mean()) ** 2).sum()))
        below &= bool((rows["ratio"] < rows["allowed"]).all())
    slopes = [slope for slope, _ in fits]
    fit = min(r for _, r in fits)
    return claim(
        "A7", "F-UCB's regret over the lower bound grows linearly with d, the faster the larger the gap.", "Remark "
        "4.1, Figure 2",
        f"slopes {', '.join(f'{s:.2f}' for s in slopes)} at Δ = {', '.join(map(str, GAPS2))}; R² at least {fit:.4f}",
        "R² > 0.99, slopes increasing, every ratio below Equation 16",
        {"as printed": bool(fit > 0.99 and slopes == sorted(slopes) and below)},
    )  # fmt: skip


def compare(results, reading):
    """Mean and interval of (F-Track - F-UCB) at the longest horizon, by cell."""
    pairs = {cell: result.paired(READINGS[reading], "F-UCB").iloc[-1] for cell, result in results.items()}
    return {cell: (row["mean"], row["low"], row["high"]) for cell, row in pairs.items()}


def panels(scale, seed, ds, gaps=GAPS4):
    """Results of Figure 4 with these numbers of components."""
    results = paper.sweep4(scale, seed)
    return {(gap, d): results[gap, d] for gap in gaps for d in ds}


def decide(found, signs):
    """Whether every interval lies on the wanted side of 0; None if none is on the wrong side, but not all are
    decided."""
    lows = [min(sign * low, sign * high) for (_, low, high), sign in zip(found, signs, strict=True)]
    highs = [max(sign * low, sign * high) for (_, low, high), sign in zip(found, signs, strict=True)]
    return True if min(lows) > 0 else False if min(highs) < 0 else None


def shown(found):
    """The smallest and the largest of mean differences."""
    means = [mean for mean, _, _ in found.values()]
    return f"{min(means):.0f} to {max(means):.0f}"


def few_components(scale, seed):
    """A8."""
    found = {reading: compare(paper.small_panels(scale, seed), reading) for reading in READINGS}
    holds = {reading: decide(cell.values(), [1] * 6) for reading, cell in found.items()}
    return claim(
        "A8", "With 2 and 5 components F-UCB is better for every gap.", "Appendix E.2, Figure 4",
        "mean difference F-Track - F-UCB: " + "; ".join(f"{shown(cell)} ({name})" for name, cell in found.items()),
        f"paired 95 % intervals above 0 in all six panels, {paper.sizes(scale).many} runs", holds,
    )  # fmt: skip


def ten_components(scale, seed):
    """A9."""
    found = {reading: compare(panels(scale, seed, (10,), (0.5, 0.9)), reading) for reading in READINGS}
    holds = {name: decide([cell[0.5, 10], cell[0.9, 10]], [1, -1]) for name, cell in found.items()}
    text = [
        f"{cell[0.5, 10][0]:.0f} at Δ = 0.5, {cell[0.9, 10][0]:.0f} at 0.9 ({name})" for name, cell in found.items()
    ]
    return claim(
        "A9", "With 10 components F-UCB is better at Δ = 0.5, F-Track at Δ = 0.9.", "Appendix E.2, Figure 4",
        "mean difference F-Track - F-UCB: " + "; ".join(text), "paired 95 % intervals above and below 0", holds,
    )  # fmt: skip


def many_components(scale, seed):
    """A10."""
    results, holds, text = panels(scale, seed, (20, 30)), {}, []
    for reading, name in READINGS.items():
        better = decide(compare(results, reading).values(), [-1] * 6)
        ratios = {cell: log_ratio(result, name) for cell, result in results.items()}
        steps = [rise(ratios[0.5, d], ratios[0.9, d]) for d in (20, 30)]
        both = (better, decide(steps, [1, 1]))
        holds[reading] = False if False in both else None if None in both else True
        shares = [math.exp(mean) for mean, _ in ratios.values()]
        text.append(f"F-UCB / F-Track {min(shares):.3g} to {max(shares):.3g} ({reading})")
    return claim(
        "A10", "With 20 and 30 components F-Track is better, the more so the larger the gap.", "Appendix E.2, Figure 4",
        "; ".join(text), "paired 95 % intervals below 0 in all six panels; ratio larger at Δ = 0.9 than at 0.5, 95 "
        "%", holds,
    )  # fmt: skip


def log_ratio(result, name):
    """Logarithm of mean regret of F-UCB over that of a policy at the horizon, and its standard error (delta method)."""
    own, other = result.of_policy("F-UCB")[:, -1], result.of_policy(name)[:, -1]
    _, se, _ = interval(own / own.mean() - other / other.mean())
    return math.log(own.mean() / other.mean()), float(se)


def rise(first, second):
    """Difference of two independent estimates, with its 95 % interval."""
    step, half = second[0] - first[0], 1.96 * math.hypot(first[1], second[1])
    return step, step - half, step + half


def wrong_plans(scale, seed):
    """A11."""
    size, observed, expected, spread, fires, costs = paper.sizes(scale), 0.0, 0.0, 0.0, 0.0, []
    n0 = bounds.ftrack_constants(size.longest, 0.5).n0
    for (gap, d), result in paper.sweep4(scale, seed).items():
        place = result.policies.index(PRINTED)
        wrong = result.tallies["settled"][place] != 0
        chance = bounds.misidentification_probability(gap, d, 0.5, n0)
        observed, expected = observed + wrong.sum(), expected + size.runs * chance
        spread += size.runs * chance * (1 - chance)
        fires += result.tallies["recovered"][place].sum()
        costs.extend(result.of_policy(PRINTED)[wrong, -1] / size.longest / gap)
    away = (observed - expected) / math.sqrt(spread)
    return claim(
        "A11", "(ours) F-Track fails because its warm-up ranks options wrongly: its regret is then linear, and "
        "recovery never fires.",
        "Algorithm 2, Figure 4",
        f"{observed:.0f} wrong plans of {15 * size.runs} runs, {expected:.1f} predicted; median regret of one / (T Δ) "
        f"{np.median(costs):.2f}; {fires:.0f} recoveries",
        f"{abs(away):.1f} of at most 3 binomial standard deviations; regret over T Δ > 0.5; no recovery",
        {"as printed": abs(away) < 3 and float(np.median(costs)) > 0.5 and fires == 0},
    )  # fmt: skip
