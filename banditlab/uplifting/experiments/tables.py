"""The paper's numbers beside ours."""

import pandas as pd

from ...tuning import q95
from .. import tuning
from ..environments.campaigns import MODES
from . import instances, studies
from .instances import NAFF, NAFF_BL, SUMS, TS, UCB, UPLIFTING, WITH_BONUS, WITH_EPSILON

CLUSTERS, PEOPLE = "Bernoulli, clusters", "Bernoulli, variables"


def final_regrets(scale, seed=0):
    """Table of final regrets in Figures 2 and 4.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    DataFrame
        A row per setting and policy: mean, standard error, median, 95 % quantile, and growth: regret of the second
        half of the horizon over that of the first.
    """
    results = {
        "Gaussian": studies.gaussian_runs(scale, seed),
        CLUSTERS: studies.bernoulli_runs(scale, seed),
        PEOPLE: studies.people_runs(scale, seed),
        **{f"campaign, {mode}": studies.campaign_runs(mode, scale, seed).result for mode in MODES},
    }
    rows = []
    for setting, result in results.items():
        last = result.summary().groupby("policy", sort=False).last()
        for name, row in last.iterrows():
            regret = result.of_policy(name)
            rows.append((setting, name, row["mean"], row["se"], row["median"], q95(regret[:, -1]),
                         instances.growth(*instances.halves(regret))))  # fmt: skip
    columns = ["setting", "policy", "mean", "standard error", "median", "95 % quantile", "growth"]
    return pd.DataFrame(rows, columns=columns).round(2).set_index(["setting", "policy"])


def table3(scale, seed=0):
    """Table 3: the paper's tuned parameters beside ours.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment. Quick leaves out the campaign and the nAff policies on Bernoulli payoffs, and takes a
        part of each grid that holds the printed value; Gaussian rows have 100,000 rounds at paper size, 10,000 else.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    DataFrame
        A row per setting and policy: the paper's value, ours and whether it is at the edge of the grid; both scores,
        the standard error (paired bootstrap) of their difference, and whether this is negligible (None: open), as
        claim T3 has it; and what the row rests on.
    """
    found = [("Gaussian", name, studies.tuned(name, scale, seed)) for name in (UCB, TS, *UPLIFTING)]
    found += [(CLUSTERS, name, studies.tuned(name, scale, seed, "Bernoulli")) for name in SUMS]
    if scale == "paper":
        found += [(PEOPLE, name, studies.tuned_people(name, seed)) for name in (NAFF_BL, NAFF)]
        for mode in MODES:
            for name in (*WITH_EPSILON, *WITH_BONUS):
                one = studies.tuned_campaign(name, mode, scale, seed)
                found.append((f"campaign, {mode}, {one.pool}", name, one.result))
    columns = ["setting", "policy", "paper", "ours", "at the edge", "score of the paper's", "best score",
               "standard error", "as good", "rounds", "runs", "grid values"]  # fmt: skip
    return pd.DataFrame([compared(*row) for row in found], columns=columns).set_index(["setting", "policy"])


def printed(setting, name):
    """The value in the paper's Table 3."""
    key = {CLUSTERS: "Bernoulli", PEOPLE: "Bernoulli"}.get(setting, setting)
    if setting.startswith("campaign"):
        key = setting.split(", ")[1]
    return tuning.TABLE_3[key][name]


def compared(setting, name, one):
    """One row of `table3`."""
    paper, scores = printed(setting, name), one.table.set_index("parameter")["score"]
    loss, error = one.worse_by(paper)
    return (
        setting, name, f"{paper:g}", f"{one.best:g}", one.edge, round(scores[paper], 1), round(scores[one.best], 1),
        round(error, 1), tuning.negligible(loss, error, scores[one.best]), int(one.result.checkpoints[-1]),
        one.result.regret.shape[1], len(scores),
    )  # fmt: skip
