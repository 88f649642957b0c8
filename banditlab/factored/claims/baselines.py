"""Claims on F-UCB and its baselines (Appendix E.1, Figure 3)."""

import itertools
import math

import numpy as np

from ...claims import claim, least
from ...result import interval
from ...simulation import simulate
from ..environments import gaussian
from ..experiments import instances, paper
from ..experiments.paper import COMPONENTS3, SIZES3
from ..policies import fucb, ucb1
from .common import ALL, FIRST_DK, ratio_of


def one_component(scale, seed):
    """A1."""
    runs, means = 20, [[0.9, 0.6, 0.3]]
    policies = {"F-UCB": fucb([3], 0.5), "UCB1": ucb1([3], 0.5)}
    result = simulate(gaussian(means, 0.5), policies, 2000, runs, seed)
    same = np.abs(result.of_policy("F-UCB") - result.of_policy("UCB1")).max()
    return claim(
        "A1", "With one component F-UCB coincides with UCB1.", "Appendix E.1, Figure 3 (d = 1)",
        f"largest difference of regret on shared noise: {same:g}", f"exactly 0, {runs} runs × 2,000 rounds",
        {"as printed": same == 0},
    )  # fmt: skip


def robust_one_component(scale, seed):
    """A2."""
    found = [(ratio_of(r, "Robust-UCB"), least(r, "Robust-UCB", "F-UCB")) for r in cells(scale, seed, (1,))]
    worst, gap = max(f[0] for f in found), min(f[1] for f in found)
    return claim(
        "A2", "With one component Robust-UCB is sublinear, above F-UCB.", "Appendix E.1, Figure 3 (d = 1)",
        f"late ratio at most {worst:.3f}; paired difference to F-UCB at least {gap:.0f}",
        "late ratio < 0.45 (linear: 0.5); 95 % intervals above 0, k = 3, 4, 5",
        {"as printed": worst < 0.45 and gap > 0},
    )  # fmt: skip


def cells(scale, seed, ds):
    """Results of Figure 3 with these numbers of components."""
    return [result for (_, d), result in paper.sweep3(scale, seed).items() if d in ds]


def elimination(scale, seed):
    """A3."""
    from scipy.special import stdtrit  # slow to import

    results = cells(scale, seed, COMPONENTS3)
    ratios = [ratio_of(r, "TEA") for r in results]
    away = max(map(from_uniform, results))
    limit = stdtrit(paper.sizes(scale).runs - 1, 1 - 0.001 / len(results) / 2)
    return claim(
        "A3", "TEA's regret is linear for every number of components.", "Appendix E.1, Figure 3",
        f"late ratio {min(ratios):.3f} to {max(ratios):.3f}; at most {away:.1f} standard errors from uniform play",
        f"0.49 < late ratio < 0.51; {limit:.1f} standard errors (level 0.001 over 12 panels)",
        {"as printed": min(ratios) > 0.49 and max(ratios) < 0.51 and away < limit},
    )  # fmt: skip


def from_uniform(result):
    """Distance of TEA's regret from that of uniform play on the same instances, in standard errors."""
    settings = result.settings
    worlds = [settings["environment"].draw(settings["seed"], run) for run in range(settings["runs"])]
    expected = [settings["horizon"] * (w.best - math.prod(w.means.mean(axis=1))) for w in worlds]
    mean, se, _ = interval(result.of_policy("TEA")[:, -1] - expected)
    return float(abs(mean) / se)


def ucb1_grows(scale, seed):
    """A4, first half."""
    return ucb1_claim("A4a", "With two components UCB1 keeps growing.", (2,), 0.3, scale, seed)


def ucb1_linear(scale, seed):
    """A4, second half."""
    return ucb1_claim("A4b", "With three and more components UCB1 is linear.", (3, 4), 0.45, scale, seed)


def ucb1_claim(id, sentence, ds, limit, scale, seed):
    """UCB1's late ratio, over all vectors and over those that the released code reaches."""
    full = [ratio_of(r, "UCB1") for r in cells(scale, seed, ds)]
    few = []
    for k, d in itertools.product(SIZES3, ds):
        policy = ucb1([k] * d, 0.1, action_set="first_dk")
        size = paper.sizes(scale)
        world = instances.fresh_instances(d, k, 0.7, 0.1)
        few.append(ratio_of(simulate(world, {"UCB1": policy}, size.rounds, size.runs, seed, 100), "UCB1"))
    return claim(
        id, sentence, "Appendix E.1, Figure 3",
        f"late ratio {min(full):.3f} to {max(full):.3f} with all vectors, {min(few):.3f} to {max(few):.3f} with the "
        f"first dk",
        f"late ratio > {limit} in every panel", {ALL: min(full) > limit, FIRST_DK: min(few) > limit},
    )  # fmt: skip


def robust_sublinear(scale, seed):
    """A5, first part."""
    ratios = {d: max(ratio_of(r, "Robust-UCB") for r in cells(scale, seed, (d,))) for d in (2, 3, 4)}
    return claim(
        "A5a", "With two and more components Robust-UCB is sublinear.", "Appendix E.1, Figure 3",
        "largest late ratio: " + ", ".join(f"{value:.3f} at d = {d}" for d, value in ratios.items()),
        "late ratio < 0.45 in every panel", {"as printed": max(ratios.values()) < 0.45},
    )  # fmt: skip


def robust_grows(scale, seed):
    """A5, second part."""
    results = paper.sweep3(scale, seed)
    means = [[results[k, d].of_policy("Robust-UCB")[:, -1].mean() for d in COMPONENTS3] for k in SIZES3]
    steps = np.diff(means)
    return claim(
        "A5b", "Robust-UCB gets worse as the number of components grows.", "Appendix E.1, Figure 3",
        f"smallest increase of mean regret from d to d + 1: {steps.min():.0f}", "> 0 for k = 3, 4, 5",
        {"as printed": bool(steps.min() > 0)},
    )  # fmt: skip


def robust_below_ucb1(scale, seed):
    """A5, third part."""
    gaps = [least(r, "UCB1", "Robust-UCB") for r in cells(scale, seed, (3, 4))]
    return claim(
        "A5c", "With three and more components Robust-UCB is better than UCB1 (implied).", "Appendix E.1, Figure 3",
        f"paired difference UCB1 - Robust-UCB, lower ends: {min(gaps):.0f} to {max(gaps):.0f}", "95 % intervals above "
        "0",
        {"as printed": min(gaps) > 0},
    )  # fmt: skip


def factored_best(scale, seed):
    """A6."""
    others = ("UCB1", "Robust-UCB", "TEA")
    gaps = [least(r, other, "F-UCB") for r in cells(scale, seed, (2, 3, 4)) for other in others]
    return claim(
        "A6", "With two and more components F-UCB is the best of the four.", "Appendix E.1, Figure 3",
        f"smallest lower end of a paired difference (other - F-UCB): {min(gaps):.1f}", "all 27 95 % intervals above 0",
        {"as printed": min(gaps) > 0},
    )  # fmt: skip
