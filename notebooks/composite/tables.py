"""Tables of the notebook."""

import math

import numpy as np
import pandas as pd

from banditlab.composite import bounds

from . import refined, sequences
from .delay import CASES
from .runs import ALPHAS, BLIND, GROWTHS, NINE, VARIANTS, named
from .studies import NON_OBLIVIOUS, OBLIVIOUS, TWELVE

SHOWN = {f"({a:g}, {GROWTHS[f]})": named(a, f) for a, f in [*[(a, "k2") for a in ALPHAS], (4.0, "k"), (4.0, "k3"),
                                                            (4.0, "2k")]}  # fmt: skip
SHOWN |= {name.replace("generalised", "gen."): name for name in VARIANTS} | {"UCB1": BLIND}


def refined_constants():
    """Table of ln T*, from which Theorem 1 is at work, at α = 8: as printed, and refined for every growth function."""
    rows = {}
    for case, delay in CASES.items():
        late = bounds.d1(NINE, delay.shape), bounds.d2(NINE, delay.shape)
        if math.isfinite(late[0]):
            ours = {f"refined, {name}": refined.refined_log_horizon(*late, 8.0, f) for f, name in GROWTHS.items()}
            constant = bounds.ars_ucb_constant(*late, 8.0, "k")
            printed = {"printed t₁, any f": constant.log_t1, "printed t₂, k": constant.log_t2}
            rows[case] = {"d₁": late[0], **printed, **ours}
    return pd.DataFrame(rows).T.map("{:,.0f}".format)


def heavy_tails(scale, seed=0):
    """Table of the regret at the horizon in the stochastic cases: mean, median, and how heavy its tail is.

    Rows for every case: mean with standard error, median, standard deviation, maximum, and "heavy", the share of runs
    above twice the median; a column per setting (α, f) of ARS-UCB and per other policy.

    Parameters
    ----------
    scale : {"quick", "paper"}, size of the experiment
    seed : int >= 0
    """
    rows = {}
    for cell, result in TWELVE.results(scale, seed).items():
        said = {shown: tail(result.final_regret(name)) for shown, name in SHOWN.items() if name in result.policies}
        for key in said["UCB1"]:
            rows[cell.case, key] = {shown: words[key] for shown, words in said.items()}
    return pd.DataFrame(rows).T.fillna("")


def tail(values):
    """Statistics of a sample in words."""
    found = statistics(values)
    return {
        "mean ± s.e.": f"{found['mean']:,.0f} ± {found['s.e.']:,.0f}",
        **{key: f"{found[key]:,.0f}" for key in ("median", "s.d.", "max")}, "heavy": f"{found['heavy']:.0%}",
    }  # fmt: skip


def adversarial_table(scale, seed=0):
    """Table of the regret at the horizon in every adversarial cell, a row per cell and policy.

    Parameters
    ----------
    scale : {"quick", "paper"}, size of the experiment
    seed : int >= 0
    """
    rows = []
    for cell, result in {**NON_OBLIVIOUS.results(scale, seed), **OBLIVIOUS.results(scale, seed)}.items():
        (sequence, rule, d), horizon = cell.game, int(result.checkpoints[-1])
        source, arms = sequences.sources([sequence], horizon), len(sequences.chances(sequence, horizon))
        for name in result.policies:
            rows.append({"sequence": source, "arms": arms, "delays": rule, "d": d, "policy": name,
                         **statistics(result.final_regret(name))})  # fmt: skip
    return pd.DataFrame(rows).set_index(["sequence", "arms", "delays", "d", "policy"]).round(1)


def statistics(values):
    """What the tables say of a sample."""
    median = float(np.median(values))
    return {
        "mean": values.mean(), "s.e.": values.std(ddof=1) / np.sqrt(len(values)), "s.d.": values.std(ddof=1),
        "median": median, "max": values.max(), "heavy": float((values > 2 * median).mean()),
    }  # fmt: skip
