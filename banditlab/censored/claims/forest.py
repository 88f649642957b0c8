"""The random-forest problem: what is earned, and how often a training is cut off."""

from ...evidence import Cases, mean, ratio
from ..experiments.runs import TS, UCB
from ..experiments.studies import FIGURE_5, OTHER_ORDER
from .common import EQUATION_32, READINGS, claims

WHERE = "Section 5.2, Figure 5"
FIRST_ROUNDS = 0.05  # share of the horizon before which "throughout" does not count
ONE = (
    "the three claims of Figure 5 are one statistic here: our rewards are nearly alike, so that what is earned is the "
    "share of uncensored rounds"
)


def played(study, scale, seed):
    """The result whose quantity is the expected reward."""
    ((_, found),) = study.results(scale, seed).items()
    return found["cumulative reward"]


def smallest_lead(result, name, other):
    """By how much a policy is ahead where it is least, run by run, after the first rounds."""
    later = result.checkpoints >= FIRST_ROUNDS * result.checkpoints[-1]
    return mean((result.of_policy(name) - result.of_policy(other))[:, later].min(axis=1))


@claims("B28a", "RCUCB's cumulative reward exceeds those of UCB and Thompson sampling throughout.", WHERE,
        figure="Figure 5", note=f"from {FIRST_ROUNDS:.0%} of the rounds on, ours; at the paper's size in both "
        f"orders of the configurations; {ONE}")  # fmt: skip
def earns_most(scale, seed):
    found = {}
    for study in (FIGURE_5, OTHER_ORDER) if scale == "paper" else (FIGURE_5,):
        (order,), result = study.grid["order"], played(study, scale, seed)
        for reading, name in READINGS.items():
            leads = {other: smallest_lead(result, name, other) for other in (TS, UCB)}
            found[f"{reading}, {order}"] = Cases("smallest lead in reward", leads).above(0)
    return found


def censored(result, name):
    """Share of censored rounds of a policy, run by run."""
    return result.tallies["censored"][result.policies.index(name)]


@claims("B28b", "RCUCB is censored much less often than UCB and Thompson sampling (.0589, .2853, .2843).", WHERE,
        figure="Figure 5", note=f"times depend on the machine; {ONE}")  # fmt: skip
def least_censored(scale, seed):
    result = played(FIGURE_5, scale, seed)
    return {
        reading: Cases(
            "share of censored rounds over another's",
            {other: ratio(censored(result, name), censored(result, other)) for other in (TS, UCB)},
            axis="log",
        ).much_less()
        for reading, name in READINGS.items()
    }


@claims("B28c", "UCB and Thompson sampling earn almost the same.", WHERE, figure="Figure 5",
        note=f"times depend on the machine; {ONE}")  # fmt: skip
def others_alike(scale, seed):
    result = played(FIGURE_5, scale, seed)
    one = ratio(result.final_regret(TS), result.final_regret(UCB))
    return {EQUATION_32: Cases("reward of Thompson sampling over UCB's", one, axis="log").similar()}
