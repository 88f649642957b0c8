"""The two printed tables of censored shares, beside ours under every reading that we know."""

import functools
import math

import numpy as np
import pandas as pd

from ...result import interval
from ...simulation import simulate
from .instances import GRIDS, PROBLEMS, TS, TS_PLAYED, UCB, WIDTHS, lowest_share, policies_of
from .paper import sizes

HORIZON = 100_000  # the tables are tested at their own horizon at every scale
TEXT, FIT = "as in the text", "fitted to the tables"  # readings of a problem's parameters
LAMBDA = 10.0  # lambda(1), which the tables fit better than lambda(0.9) = 9
BEST = "best pair"

HEADS = ("RCUCB", "TS", "UCB", "P*")
SHARES = {  # printed mean and standard deviation under each head; Section 5.1 prints no deviations
    ("PosCorr", "size 10"): ((0.6399, None), (0.7516, None), (0.7993, None), (0.6116, None)),
    ("NegCorr", "size 10"): ((0.7700, None), (0.8510, None), (0.8894, None), (0.7631, None)),
    ("Indep", "size 10"): ((0.4462, None), (0.5749, None), (0.5455, None), (0.4404, None)),
    ("PosCorr", "M1"): ((0.5876, 0.0029), (0.5688, 0.0166), (0.5919, 0.0038), (0.5584, None)),
    ("NegCorr", "M1"): ((0.7266, 0.0018), (0.7081, 0.0030), (0.7246, 0.0030), (0.7189, None)),
    ("Indep", "M1"): ((0.4122, 0.0017), (0.4158, 0.0052), (0.4142, 0.0016), (0.4066, None)),
    ("PosCorr", "M2"): ((0.6126, 0.0027), (0.7383, 0.0935), (0.8157, 0.0027), (0.5851, None)),
    ("NegCorr", "M2"): ((0.7477, 0.0016), (0.8396, 0.0432), (0.9185, 0.0021), (0.7559, None)),
    ("Indep", "M2"): ((0.4282, 0.0017), (0.5639, 0.0019), (0.5870, 0.0736), (0.4222, None)),
}
TOLERANCE = {  # of the best pair's probability, of RCUCB's and of UCB's mean share over at least 20 runs
    BEST: {"Indep": 1e-4, "NegCorr": 8e-4, "PosCorr": 8e-4},
    **dict.fromkeys(WIDTHS.values(), {"Indep": 0.002, "NegCorr": 0.003, "PosCorr": 0.004}),
    UCB: {"Indep": 0.003, "NegCorr": 0.006, "PosCorr": 0.006},
}
VERDICTS = {True: "agrees", False: "differs", None: "not tested"}
WILD = 0.02  # printed means of Thompson sampling whose runs spread more than this are not tested


def printed(problem, grid, head):
    """The printed mean under a head."""
    return SHARES[problem, grid][HEADS.index(head)][0]


def world_of(problem, grid, parameters):
    """A problem on a grid, with the parameters of the text or the fitted ones; Indep has only the text's."""
    make = PROBLEMS[problem]
    options = {} if problem == "Indep" else {"instance": "tables" if parameters == FIT else "text"}
    return make(limits=GRIDS[grid], **options)


def parameters_of(problem):
    """The readings of a problem's parameters."""
    return (TEXT,) if problem == "Indep" else (TEXT, FIT)


def panel(problem, grid, parameters):
    """The cell of `results` that stands for a problem under a reading of the parameters."""
    return problem, grid, parameters if parameters in parameters_of(problem) else TEXT


@functools.cache
def results(scale, seed):
    """Runs of 100,000 rounds, by (problem, grid, parameters); Thompson sampling at paper scale only."""
    found, runs = {}, sizes(scale).runs
    updates = ("played_outcome", "per_tau") if scale == "paper" else ()
    for problem, grid in SHARES:
        for parameters in parameters_of(problem):
            world = world_of(problem, grid, parameters)
            policies = policies_of(world, 1.0, WIDTHS, updates, LAMBDA)
            found[problem, grid, parameters] = simulate(world, policies, HORIZON, runs, seed, 1)
    return found


@functools.cache
def shares(scale, seed):
    """Censored shares of every run, by (problem, grid, parameters) and policy."""
    return {
        cell: dict(zip(result.policies, result.tallies["censored"], strict=True))
        for cell, result in results(scale, seed).items()
    }


def tolerance(name, problem, grid, values):
    """How far the mean of these shares may be from the printed one; nan where the printed one is not tested.

    Thompson sampling, for which no number is stated, gets four standard errors of both means. Which of the deviations
    under TS and UCB is its own is unsure: the larger one counts, and ours where none is printed.
    """
    if name in TOLERANCE:
        return TOLERANCE[name][problem]
    spreads = [sd for _, sd in SHARES[problem, grid][1:3] if sd is not None]
    spread = max(spreads, default=values.std(ddof=1))
    if spread > WILD:
        return math.nan
    return 4 * math.sqrt(values.var(ddof=1) / len(values) + (spread / 10 + 5e-4) ** 2)


def within(difference, allowed):
    """Whether a difference is allowed; None where it is not tested."""
    return None if math.isnan(allowed) else bool(abs(difference) <= allowed)


def differences(name, head, scale, seed, problem, parameters):
    """A policy's mean share minus the printed one under this head, and its tolerance, on the three grids."""
    found = []
    for grid in GRIDS:
        values = shares(scale, seed)[panel(problem, grid, parameters)][name]
        off = float(values.mean() - printed(problem, grid, head))
        found.append((off, tolerance(name, problem, grid, values)))
    return found


def rows_of(grids, scale, seed):
    """One row per printed number, reading and policy, as text."""
    rows = []
    for (problem, grid, parameters), own in shares(scale, seed).items():
        if grid not in grids:
            continue
        best = np.array([lowest_share(world_of(problem, grid, parameters))])
        for name, values in {BEST: best, **own}.items():
            head = {BEST: "P*", UCB: "TS", TS: "UCB", TS_PLAYED: "UCB"}.get(name, "RCUCB")
            mean, spread = SHARES[problem, grid][HEADS.index(head)]
            allowed, off = tolerance(name, problem, grid, values), values.mean() - mean
            rows.append(
                {"problem": problem, "limits": grid, "reading": parameters, "ours": name, **measured(values)}
                | {"printed": digits(mean), "printed sd": digits(spread), "printed under": head}
                | {"difference": digits(off), "tolerance": digits(allowed), "verdict": VERDICTS[within(off, allowed)]}
            )
    return pd.DataFrame(rows).set_index(["problem", "limits"])


def digits(value):
    """Four digits, or a dash where there is no number."""
    return "—" if value is None or math.isnan(value) else f"{value:.4f}"


def measured(values):
    """Mean share of some runs, their standard deviation, and the interval of the mean; a single value is exact."""
    if len(values) == 1:
        return {"share": digits(values[0]), "sd": "—", "95 % interval": "exact"}
    mean, _, half = interval(values)
    ends = f"{mean - half:.4f} to {mean + half:.4f}"
    return {"share": digits(mean), "sd": digits(values.std(ddof=1)), "95 % interval": ends}


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
        A row per printed number and reading, with the tolerance of its verdict.
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
        A row per printed number and reading, with the tolerance of its verdict.
    """
    return rows_of(("M1", "M2"), scale, seed)
