"""Claims on shared noise (Appendix E.3, Figures 5 and 6)."""

import numpy as np

from ...claims import claim
from ..experiments import instances, live, paper
from ..experiments.paper import RHOS
from .common import READINGS, ratio_of


def rewards():
    """Expected reward by number of noisy components and rho of the paper, shape (11, 6)."""
    return live.expected_rewards(0.5, 10, 0.5, RHOS)


def crossing(scale, seed):
    """A12."""
    last = rewards()[10]
    return claim(
        "A12", "The reward of (2..2) increases with ρ and crosses that of (1..1) between 0.6 and 0.8.", "Appendix "
        "E.3, Figure 5",
        ", ".join(f"{value:.3g} at ρ = {rho:g}" for rho, value in zip(RHOS, last, strict=True)), "exact quadrature",
        {"d = 10": bool((np.diff(last) > 0).all() and last[3] < 1 < last[4])},
    )  # fmt: skip


def others_suboptimal(scale, seed):
    """A17, first half."""
    table = rewards()
    lead = (np.maximum(table[0], table[10]) - table[1:10]).min()
    return claim(
        "A17a", "All other vectors are suboptimal.", "Appendix E.3, Figure 5",
        f"smallest lead of the better extreme over the others: {lead:.3g}", "exact quadrature, six values of ρ",
        {"d = 10": bool(lead > 0)},
    )  # fmt: skip


def others_between(scale, seed):
    """A17, second half."""
    table = rewards()
    low = np.minimum(table[0], table[10])
    outside = [f"ρ = {rho:g}" for q, rho in enumerate(RHOS) if (table[1:10, q] < low[q]).any()]
    return claim(
        "A17b", "All other vectors give intermediate rewards.", "Appendix E.3, Figure 5",
        f"some vector is below both extremes at {', '.join(outside)}" if outside else "no vector is below both "
        "extremes",
        "exact quadrature, six values of ρ", {"d = 10": not outside},
    )  # fmt: skip


def shared_noise(scale, seed):
    """A13."""
    results, limit, near = paper.sweep6(scale, seed), 0.15, 0.1
    low, high = [results[rho] for rho in RHOS[:4]], [results[rho] for rho in RHOS[4:]]
    late = max(ratio_of(r, "F-UCB") for r in low)
    holds = {"F-UCB": late < limit and max(slope_error(r, "F-UCB") for r in high) < near}
    text = [f"F-UCB: late ratio at most {late:.3f} for ρ ≤ 0.6"]
    for reading, name in READINGS.items():
        wrong = max(instances.wrong_share(r, name) for r in low)
        holds[f"F-Track, {reading}"] = wrong == 0 and max(slope_error(r, name) for r in high) < near
        text.append(f"F-Track, {reading}: up to {wrong:.0%} wrong plans there, each of linear regret")
    slope = max(slope_error(r, name) for r in high for name in r.policies)
    return claim(
        "A13", "Regret is sublinear up to ρ = 0.6 and linear beyond.", "Appendix E.3, Figure 6",
        "; ".join(text) + f"; slope for ρ ≥ 0.8 within {slope:.1%} of E r(2..2) - 1",
        f"late ratio < {limit} or no wrong plan for ρ ≤ 0.6; slope within {near:.0%} for ρ ≥ 0.8", holds,
    )  # fmt: skip


def slope_error(result, name):
    """Relative distance of the late slope of regret from that of always playing (1..1)."""
    world, mean = result.settings["environment"], result.of_policy(name).mean(axis=0)
    half = len(mean) // 2 - 1
    late = (mean[-1] - mean[half]) / (result.checkpoints[-1] - result.checkpoints[half])
    return abs(late / (world.best - world.expected(np.zeros(len(world.sizes), np.int64))) - 1)
