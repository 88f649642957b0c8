"""The random-forest problem: what is earned, and how often a training is cut off."""

import numpy as np

from ...claims import claim
from ..experiments import paper
from ..experiments.instances import FASTEST, SLOWEST, TS, UCB
from .common import READINGS, ends, positive

WHERE = "Section 5.2, Figure 5"
FIRST_ROUNDS = 0.05  # share of the horizon before which "throughout" does not count
ALIKE = 0.02  # largest difference of the shares of two policies that are called alike


def played(scale, seed, order=FASTEST):
    """The result whose regret is minus the expected reward."""
    return paper.forest_runs(scale, seed, order)["cumulative reward"]


def shares(result, name):
    """Share of censored rounds of a policy, run by run."""
    final = result.final
    return final.loc[final["policy"] == name, "censored"].to_numpy()


def lead(result, name):
    """Whether a policy earns more than both others from early on; since when; and how much more at the horizon."""
    gaps = [result.paired(other, name)[["low", "high"]].to_numpy() for other in (TS, UCB)]
    least = np.min(gaps, axis=0)
    behind = np.flatnonzero(least[:, 0] <= 0)
    since = result.checkpoints[min(behind[-1] + 1, len(least) - 1)] if len(behind) else 1
    return positive(least[result.checkpoints >= FIRST_ROUNDS * result.checkpoints[-1]]), since, least[-1, 0]


def earns_most(scale, seed):
    """B28a."""
    holds, said = {}, []
    for order in (FASTEST, SLOWEST):
        for reading, name in READINGS.items():
            which = f"{reading}, {order}"
            holds[which] = None
            if order == FASTEST or scale == "paper":
                holds[which], since, more = lead(played(scale, seed, order), name)
                said.append(f"from round {since:,} on, at last by {more:,.0f} or more ({which})")
    return claim(
        "B28a", "RCUCB's cumulative reward exceeds those of UCB and Thompson sampling throughout.", WHERE,
        f"ahead of both {'; '.join(said)}", f"paired 95 % intervals above 0 from {FIRST_ROUNDS:.0%} of the rounds on",
        holds,
    )  # fmt: skip


def least_censored(scale, seed):
    """B28b."""
    result = played(scale, seed)
    gaps = {
        reading: [ends(shares(result, other) - 2 * shares(result, name)) for other in (TS, UCB)]
        for reading, name in READINGS.items()
    }
    return claim(
        "B28b", "RCUCB is censored much less often than UCB and Thompson sampling (.0589, .2853, .2843).", WHERE,
        ", ".join(f"{name} {shares(result, name).mean():.4f}" for name in result.policies),
        "95 % intervals of twice RCUCB's share below the others; times depend on the machine",
        {reading: positive(found) for reading, found in gaps.items()},
    )  # fmt: skip


def others_alike(scale, seed):
    """B28c."""
    result = played(scale, seed)
    low, high = ends(shares(result, TS) - shares(result, UCB))
    earned = {name: -result.of_policy(name)[:, -1].mean() for name in (UCB, TS)}
    return claim(
        "B28c", "UCB and Thompson sampling are barely distinguishable.", WHERE,
        f"share of censored rounds, Thompson sampling - UCB: {low:.4f} to {high:.4f}; cumulative reward "
        f"{earned[UCB]:,.0f} and {earned[TS]:,.0f}", f"95 % interval of the difference within ±{ALIKE}",
        {"Equation 32": positive([(low + ALIKE, high + ALIKE), (ALIKE - high, ALIKE - low)])},
    )  # fmt: skip
