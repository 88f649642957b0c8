"""The choice of a parameter from a grid, the grids of Appendix D.1, and what the paper chose from them (Table 3)."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from banditlab.engine.simulate import simulate
from banditlab.results.result import Result
from banditlab.validate import LARGEST, listed, number, shown, whole

GAUSSIAN_BETAS = tuple(range(1, 11))
GAUSSIAN_SIGMA2 = tuple(sorted({round(k * 10.0**-g, 10) for k in range(1, 11) for g in (0, 1, 2)}))
BERNOULLI_GRID = tuple(sorted({round(k * 10.0**-g, 12) for k in range(1, 11) for g in (5, 6, 7)}))
EPSILONS, BONUSES = (0.05, 0.1, 0.2, 0.3), (0.5, 1.0, 2.0, 3.0)

# Table 3, the paper's choices: beta, sigma^2, and in the campaign bonus or epsilon.
TABLE_3 = {
    "Gaussian": {
        "UCB": 2, "Thompson": 0.08, "UpUCB (bl)": 5, "UpUCB": 3, "UpUCB-nAff (bl)": 5, "UpUCB-nAff": 3,
    },
    "Bernoulli": {
        "UCB": 7e-7, "Thompson": 2e-7, "UpUCB (bl)": 8e-5, "UpUCB": 8e-5, "UpUCB-nAff (bl)": 5e-7, "UpUCB-nAff": 2e-6,
    },
    "counterfactual": {"ε-greedy (bl)": 0.2, "ε-greedy": 0.1, "C2UpUCB (bl)": 2.0, "C2UpUCB": 2.0, "C2UCB": 2.0},
    "all": {"ε-greedy (bl)": 0.2, "ε-greedy": 0.2, "C2UpUCB (bl)": 2.0, "C2UpUCB": 2.0, "C2UCB": 2.0},
}  # fmt: skip


NEGLIGIBLE = 0.05  # a loss of this share of the best


def negligible(loss, error, best):
    """Whether a loss is negligible: True if surely below 5 % of the best, False if above that and 3 standard errors."""
    least = NEGLIGIBLE * best
    return True if loss + 2 * error < least else False if loss > max(least, 3 * error) else None


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


def standard_error(statistic, runs):
    """Standard error of a statistic of independent runs, which takes rows of their numbers, by the bootstrap."""
    rows = np.random.default_rng(0).integers(0, runs, (2000, runs))
    return float(statistic(rows).std(ddof=1))


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
