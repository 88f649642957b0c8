"""The tables of the notebook."""

import numpy as np
import pandas as pd

from .. import bounds
from .runs import READINGS, wrong_runs
from .studies import FIGURE_3, FIGURE_4


def final_regrets(scale, seed=0):
    """Regret at the horizon in every panel of Figure 3: mean ± standard error.

    Parameters
    ----------
    scale : {"quick", "paper"}, size of the experiment
    seed : int >= 0
    """
    rows = {}
    for cell, result in FIGURE_3.results(scale, seed).items():
        last = result.summary().groupby("policy", sort=False).last()
        rows[f"k = {cell.k}, d = {cell.d}"] = {
            name: f"{row['mean']:.1f} ± {row['se']:.1f}" for name, row in last.iterrows()
        }
    return pd.DataFrame(rows).T


def failures(scale, seed=0):
    """F-Track's wrong plans in Figure 4, at the longest horizon, found and predicted, and what they do to the regret.

    Parameters
    ----------
    scale : {"quick", "paper"}, size of the experiment
    seed : int >= 0
    """
    n, rows = FIGURE_4.numbers(scale), {}
    for cell, result in FIGURE_4.results(scale, seed).items():
        row = rows[FIGURE_4.title_of(cell)] = {}
        for name in result.policies[1:]:
            final, reading = result.final_regret(name), name.removeprefix("F-Track, ")
            n0 = bounds.ftrack_constants(n.horizon, n.sigma, **READINGS[name]).n0
            row[reading, "wrong"] = f"{wrong_runs(result, name).mean():.0%}"
            row[reading, "predicted"] = f"{bounds.misidentification_probability(cell.gap, cell.d, n.sigma, n0):.0%}"
            row[reading, "median"] = f"{np.median(final):.1f}"
            row[reading, "95 % quantile"] = f"{np.quantile(final, 0.95):.1f}"
        row["F-UCB", "mean"] = f"{result.final_regret('F-UCB').mean():.1f}"
    return pd.DataFrame(rows).T
