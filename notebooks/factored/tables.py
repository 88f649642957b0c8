"""The tables of the notebook."""

import math

import numpy as np
import pandas as pd

from banditlab.factored import bounds

from . import ftrack_law
from .runs import READINGS, one_gap, wrong_runs
from .studies import FIGURE_3, FIGURE_4

UNBROKEN = "\u00a0"  # a wide table would break the heads of its rows at every space


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
            name: f"{row['mean']:,.1f} ± {row['se']:,.1f}" for name, row in last.iterrows()
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
        row = rows[FIGURE_4.title_of(cell).replace(" ", UNBROKEN)] = {}
        for name in result.policies[1:]:
            final, reading = result.final_regret(name), name.removeprefix("F-Track, ")
            n0 = bounds.ftrack_constants(n.horizon, n.sigma, **READINGS[name]).n0
            row[reading, "wrong"] = f"{wrong_runs(result, name).mean():.0%}"
            row[reading, "predicted"] = f"{ftrack_law.misidentification_probability(cell.gap, cell.d, n.sigma, n0):.0%}"
            row[reading, "median"] = f"{np.median(final):,.1f}"
            row[reading, "95 % quantile"] = f"{np.quantile(final, 0.95):,.1f}"
        row["F-UCB", "mean"] = f"{result.final_regret('F-UCB').mean():,.1f}"
    return pd.DataFrame(rows).T


def table_1(values):
    """The paper's Table 1: what regret grows with per log T, at a parameters cell's numbers; constants left out.

    Parameters
    ----------
    values : dict, ``gap``, ``d`` and ``k`` are used: d alike components, one option at 1, k - 1 at 1 - gap
    """
    gap, d, k = (values[name] for name in ("gap", "d", "k"))
    few = one_gap(d, k, gap)
    every = sum(math.comb(d, m) * (k - 1) ** m / (1 - (1 - gap) ** m) for m in range(1, d + 1))
    least = bounds.lower_bound_constant(few, 1.0) / 2  # per 2 sigma^2, as the others
    rows = [
        ("Robust-UCB", "reward", "all vectors", "Σ 1/Δₐ over vectors", every, "finite variance"),
        ("TEA", "reward", "factors", "maxᵢ μ*₋ᵢ ΣΣ 1/Δᵢⱼ", bounds.tea_order(few), "σ = 1, further logarithms"),
        ("F-UCB, Corollary 4.3", "observations", "factors", "Σᵢ μ*₋ᵢ Σⱼ 1/Δᵢⱼ", bounds.fucb_order(few), "every T"),
        ("F-Track, Theorem 5.1", "observations", "factors", "C(ν)", least, "as T grows"),
        ("least possible, Theorem 3.4", "observations", "factors", "C(ν)", least, "as T grows"),
    ]
    columns = ["", "sees", "learns", "per 2σ² log T", "here", "holds for"]
    return pd.DataFrame(rows, columns=columns).set_index("").rename_axis(None).round({"here": 2})


def table_2(values):
    """The paper's Table 2: orders of the regret on the worst instance, at a parameters cell's numbers.

    Parameters
    ----------
    values : dict, ``d``, ``k``, ``sigma`` and ``horizon`` are used; constants and logarithms of the orders are left out
    """
    d, k, sigma, horizon = (values[name] for name in ("d", "k", "sigma", "horizon"))
    root, linear, blind = math.sqrt(k * horizon), sigma * d, max(sigma, sigma**d)
    rows = [
        ("reward, all vectors (Section 3.1)", "max(σ, σᵈ)√(kᵈT)", blind * math.sqrt(k**d * horizon), "Robust-UCB"),
        ("reward, factors (ours, B3)", "σᵈ√(kᵈT)", sigma**d * math.sqrt(k**d * horizon), "Robust-UCB: × √(1 + 1/σ²)ᵈ"),
        ("reward, factors (Theorem 3.2, for σ > 1)", "σᵈ√(kT/d)", sigma**d * root / math.sqrt(d), "—"),
        ("observations (Theorem 3.1)", "σd√(kT)", linear * root, "F-UCB: × √log T (Theorem 4.1)"),
    ]
    columns = ["learner sees", "at least, in order", "here", "matched by"]
    return pd.DataFrame(rows, columns=columns).set_index("learner sees").round({"here": 1})
