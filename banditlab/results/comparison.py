"""Two results side by side, run by run."""

import numpy as np
import pandas as pd

from .result import Result


def compare(result: Result, other: Result, level: float = 0.95) -> pd.DataFrame:
    """Compare the policies of two results that met the same worlds.

    Parameters
    ----------
    result, other : Result
        On the same environment, seed, runs, horizon and metric, and with common checkpoints; others are refused.
    level : float
        Confidence level of the intervals, in (0, 1).

    Returns
    -------
    DataFrame
        A row for each policy of the first and of the second result and each common checkpoint: columns policy, other,
        t, mean, se, low, high, median, q95 of the difference, regret of the first minus regret of the second, run by
        run. A policy that stands in both is compared with itself only.

    Examples
    --------
    >>> from banditlab import classic, compare, simulate
    >>> arms = classic.bernoulli([0.3, 0.9])
    >>> narrow, wide = (simulate(arms, classic.ucb1(2, alpha), 500, runs=20) for alpha in (0.5, 4.0))
    >>> bool(compare(narrow, wide)["high"].iloc[-1] < 0)
    True
    """
    for name, thing in (("result", result), ("other", other)):
        if not isinstance(thing, Result):
            raise TypeError(f"{name}={type(thing).__name__}: must be a Result")
    result.require_same_worlds(other)
    common, mine, theirs = np.intersect1d(result.checkpoints, other.checkpoints, return_indices=True)
    if not len(common):
        raise ValueError("other: has no checkpoint in common with result")
    twice = set(result.policies) & set(other.policies)
    tables = []
    for first in result.policies:
        for second in [first] if first in twice else other.policies:
            difference = result.of_policy(first)[:, mine] - other.of_policy(second)[:, theirs]
            tables.append(result.statistics(difference, level, t=common, policy=first, other=second))
    return pd.concat(tables, ignore_index=True)
