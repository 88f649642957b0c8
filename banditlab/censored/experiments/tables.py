"""The two printed tables of censored shares, beside ours under every reading that we know."""

import functools

import numpy as np
import pandas as pd

from ...result import interval
from ...simulate import simulate
from .instances import GAIN, GRIDS, PROBLEMS, TS_PLAYED, UCB, lowest_share, policies_of
from .paper import sizes

HORIZON = 100_000  # the tables are tested at their own horizon at every scale
TEXT, FIT = "as in the text", "fitted to the tables"  # readings of a problem's parameters
LAMBDA = 10.0  # lambda(1), which the tables fit better than lambda(0.9) = 9

SHARES = {  # printed: RCUCB, TS, UCB, the best pair
    ("PosCorr", "size 10"): (0.6399, 0.7516, 0.7993, 0.6116),
    ("NegCorr", "size 10"): (0.7700, 0.8510, 0.8894, 0.7631),
    ("Indep", "size 10"): (0.4462, 0.5749, 0.5455, 0.4404),
    ("PosCorr", "M1"): (0.5876, 0.5688, 0.5919, 0.5584),
    ("NegCorr", "M1"): (0.7266, 0.7081, 0.7246, 0.7189),
    ("Indep", "M1"): (0.4122, 0.4158, 0.4142, 0.4066),
    ("PosCorr", "M2"): (0.6126, 0.7383, 0.8157, 0.5851),
    ("NegCorr", "M2"): (0.7477, 0.8396, 0.9185, 0.7559),
    ("Indep", "M2"): (0.4282, 0.5639, 0.5870, 0.4222),
}
HEADS = ("RCUCB", "TS", "UCB", "P*")
TOLERANCE = {GAIN: {"Indep": 0.002, "NegCorr": 0.003, "PosCorr": 0.004}, UCB: {"Indep": 0.003}}
LOOSE = 0.006  # UCB on the fitted problems


def world_of(problem, grid, parameters):
    """A problem on a grid, with the parameters of the text or the fitted ones; Indep has only the text's."""
    make = PROBLEMS[problem]
    options = {} if problem == "Indep" else {"instance": "tables" if parameters == FIT else "text"}
    return make(limits=GRIDS[grid], **options)


def parameters_of(problem):
    """The readings of a problem's parameters."""
    return (TEXT,) if problem == "Indep" else (TEXT, FIT)


@functools.cache
def results(scale, seed):
    """Runs of 100,000 rounds, by (problem, grid, parameters); Thompson sampling at paper scale only."""
    found, runs = {}, sizes(scale).runs
    updates = ("played_outcome", "per_tau") if scale == "paper" else ()
    for problem, grid in SHARES:
        for parameters in parameters_of(problem):
            world = world_of(problem, grid, parameters)
            widths = ["gain_only"] + ["printed"] * (parameters == TEXT) + ["normalised"] * (problem == "Indep")
            policies = policies_of(world, 1.0, widths, updates, LAMBDA)
            found[problem, grid, parameters] = simulate(world, policies, HORIZON, runs, seed, 1)
    return found


@functools.cache
def shares(scale, seed):
    """Censored shares of every run, by (problem, grid, parameters) and policy."""
    return {
        cell: dict(zip(result.policies, result.tallies["censored"], strict=True))
        for cell, result in results(scale, seed).items()
    }


def tolerance(name, problem):
    """How far a mean share may be from the printed one."""
    return TOLERANCE.get(name, TOLERANCE[GAIN]).get(problem, LOOSE)


def deviation(name, head, scale, seed, problem, parameters):
    """Largest difference of a policy's mean shares from the printed ones under this head, over the three grids."""
    table, place = shares(scale, seed), HEADS.index(head)
    off = [table[problem, grid, parameters][name].mean() - SHARES[problem, grid][place] for grid in GRIDS]
    return float(np.abs(off).max())


def agrees(name, head, scale, seed, problem, parameters):
    """Whether a policy's mean shares are the printed ones under this head, on all three grids."""
    return deviation(name, head, scale, seed, problem, parameters) <= tolerance(name, problem)


def rows_of(grids, scale, seed):
    """One row per printed number, reading and policy."""
    rows, table = [], shares(scale, seed)
    for (problem, grid), printed in SHARES.items():
        if grid not in grids:
            continue
        for parameters in parameters_of(problem):
            own = table[problem, grid, parameters]
            world = world_of(problem, grid, parameters)
            base = {"problem": problem, "limits": grid, "reading": parameters}
            best = lowest_share(world)
            rows.append({**base, "ours": "best pair", "printed under": "P*", "printed": printed[3], "share": best})
            for name, values in own.items():
                head = {UCB: "TS", TS_PLAYED: "UCB"}.get(name, "UCB" if name.startswith("Thompson") else "RCUCB")
                mean, _, half = interval(values)
                text = f"{mean - half:.4f} to {mean + half:.4f}"
                known = {**base, "ours": name, "printed under": head, "printed": printed[HEADS.index(head)]}
                rows.append({**known, "share": mean, "95 % interval": text})
    frame = pd.DataFrame(rows)
    frame["difference"] = frame["share"] - frame["printed"]
    frame["verdict"] = np.where(frame["difference"].abs() <= 0.006, "agrees", "differs")
    order = ["reading", "ours", "share", "95 % interval", "printed", "printed under", "difference", "verdict"]
    return frame.round(4).fillna("exact").set_index(["problem", "limits"])[order]


def table_51(scale, seed=0):
    """Shares of censored rounds on the grid of size 10: the paper's table of Section 5.1 beside ours.

    Our UCB is compared with the column headed TS and our Thompson sampling with the column headed UCB: the two are
    very probably exchanged in print, see the notebook.

    Parameters
    ----------
    scale : {"quick", "paper"}
        20 runs, or 100 and Thompson sampling too; 100,000 rounds always.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    DataFrame
        A row per printed number and reading; "agrees" within 0.006.
    """
    return rows_of(("size 10",), scale, seed)


def table_f1(scale, seed=0):
    """Shares of censored rounds on the grids of 2 and 20 limits: the paper's table of Appendix F.1 beside ours.

    Parameters
    ----------
    scale : {"quick", "paper"}
        20 runs, or 100 and Thompson sampling too; 100,000 rounds always.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    DataFrame
        A row per printed number and reading; "agrees" within 0.006.
    """
    return rows_of(("M1", "M2"), scale, seed)
