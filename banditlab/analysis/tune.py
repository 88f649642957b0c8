"""Choosing a policy's parameter from a grid, every parameter on the same worlds."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from ..engine.simulate import simulate
from ..evidence import standard_error
from ..results.result import Result
from ..validate import LARGEST, listed, number, shown, whole


class Tuned(NamedTuple):
    """What `tune` returns."""

    best: float  # parameter of the least score
    table: pd.DataFrame  # columns parameter, mean, std, q95, score
    result: Result  # policies are named after their parameters

    @property
    def edge(self):
        """Whether the best parameter is the least or the largest of the grid: a wider one might hold a better one."""
        return self.best in (self.table["parameter"].min(), self.table["parameter"].max())

    def final(self, parameter):
        """Final regrets of a parameter, run by run."""
        return self.result.of_policy(repr(parameter))[:, -1]

    def worse_by(self, parameter):
        """How far a parameter's score is above the least, and the standard error of that by a paired bootstrap."""
        ours, best = self.final(parameter), self.final(self.best)
        return float(score(ours) - score(best)), standard_error(
            lambda runs: score(ours[runs], -1) - score(best[runs], -1), len(ours)
        )


def q95(values, axis=0):
    """The 95 % quantile that some run attained: of 100 runs the fifth largest.

    Parameters
    ----------
    values : ndarray
        One for each run.
    axis : int
        Along the runs.

    Returns
    -------
    float or ndarray
        Without the axis.
    """
    return np.quantile(values, 0.95, axis=axis, method="higher")


def score(final, axis=0):
    """Mean plus one standard deviation: what a parameter is chosen by.

    Parameters
    ----------
    final : ndarray
        Final regret of each run.
    axis : int
        Along the runs.

    Returns
    -------
    float or ndarray
        Without the axis.
    """
    return final.mean(axis=axis) + final.std(axis=axis, ddof=1)


def tune(environment, make, grid, horizon, runs=100, seed=0, progress=None):
    """Choose the parameter of least mean plus standard deviation of final regret.

    Every parameter meets the same worlds, run by run, and the reported curve is the best parameter's on these runs.

    Parameters
    ----------
    environment : NamedTuple
        The environment.
    make : callable
        ``make(parameter)`` returns a policy.
    grid : sequence of float
        Parameters to try.
    horizon : int
        As for `simulate`.
    runs : int
        At least 2, for a standard deviation.
    seed : int
        As for `simulate`.
    progress : callable, optional
        As for `simulate`.

    Returns
    -------
    Tuned
        The best parameter, the table of scores, and the result with all runs.

    References
    ----------
    Hsieh, Kasiviswanathan, Kveton, Uplifting Bandits, NeurIPS 2022, Appendix D.1.

    Examples
    --------
    >>> from banditlab import classic
    >>> found = tune(classic.bernoulli([0.9, 0.1]), lambda alpha: classic.ucb1(2, alpha), [0.5, 50.0], 500, 20)
    >>> found.best, found.edge
    (0.5, True)
    """
    grid, horizon = listed("grid", grid, "a list of at least one parameter"), whole("horizon", horizon, 1, LARGEST)
    if not callable(make):
        raise TypeError(f"make={shown(make)}: must be callable, parameter -> policy")
    for i, parameter in enumerate(grid):
        number(f"grid[{i}]", parameter)
    if len(set(grid)) < len(grid):
        raise ValueError(f"grid={grid!r}: holds a parameter twice")
    policies = {repr(parameter): make(parameter) for parameter in grid}
    runs = whole("runs", runs, 2)
    result = simulate(environment, policies, horizon, runs, seed, min(50, horizon), progress=progress)
    final = result.regret[:, :, -1]
    columns = {"mean": final.mean(axis=1), "std": final.std(axis=1, ddof=1), "q95": q95(final, axis=1)}
    table = pd.DataFrame({"parameter": grid, **columns, "score": score(final, axis=1)})
    return Tuned(grid[int(table["score"].argmin())], table, result)
