"""How fast something grows: exponents of regret over rounds, slopes over a parameter, with their intervals."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..validate import array_of, number, shown, vector
from .estimates import UNKNOWN, Estimate, bootstrap, mean, ratio, require_estimates

__all__ = ["growth", "growth_difference", "growth_exponent", "log_slope", "power"]


def growth(result: Any, name: str) -> Estimate:
    """Growth exponent of a policy's regret: see `growth_exponent`.

    Parameters
    ----------
    result : Result
    name : str, of the policy
    """
    return growth_exponent(result.checkpoints, result.of_policy(name))


def growth_exponent(checkpoints: np.ndarray, regret: np.ndarray) -> Estimate:
    r"""Growth exponent :math:`\log_2(R_T / R_{T/2})` with its interval (delta method).

    Near 0 for a logarithm, 0.5 for :math:`\sqrt T`, 0.67 for :math:`T^{2/3}`, 1 for linear regret.

    Parameters
    ----------
    checkpoints : ndarray, shape (checkpoints,)
        Rounds, ascending; between them regret is taken as linear, and 0 before the first round.
    regret : ndarray, shape (runs, checkpoints)
        Cumulative regret.

    Raises
    ------
    ValueError
        If no checkpoint is near half of the horizon: regret between distant ones would decide.
    """
    return power(ratio(*end_and_half(checkpoints, regret)), 2)


def end_and_half(checkpoints, regret):
    """Regret of every run at the horizon and at half of it."""
    checkpoints, regret = vector("checkpoints", checkpoints), array_of("regret", regret, "a table of numbers")
    if not (np.diff(checkpoints, prepend=0) > 0).all():
        raise ValueError(f"checkpoints={shown(checkpoints)}: must be ascending numbers of rounds")
    if regret.ndim != 2 or not len(regret) or regret.shape[1] != len(checkpoints):
        raise ValueError(f"regret has shape {regret.shape}: must have a row for each run of {len(checkpoints)} numbers")
    half = checkpoints[-1] / 2
    gap = np.diff(checkpoints, prepend=0)[np.searchsorted(checkpoints, half)]
    if gap > max(1, half / 2) and half not in checkpoints:
        raise ValueError(f"checkpoints={shown(checkpoints)}: must have one near {half:g}, half of the horizon")
    return regret[:, -1], np.array([np.interp(half, [0, *checkpoints], [0.0, *run]) for run in regret])


def power(grown: Estimate, factor: float) -> Estimate:
    r"""Power of T with which something grows: :math:`\log g / \log f` where it is g times as large at f times T.

    Parameters
    ----------
    grown : Estimate
        How many times as large it is: a `ratio` or `quotient`.
    factor : float > 1
        How many times as long the horizon is.

    Examples
    --------
    >>> from banditlab.evidence import exact
    >>> power(exact(4), 16).value
    0.5
    """
    require_estimates(grown=grown)
    factor = number("factor", factor, above=1)

    def scaled(end):
        return float(np.log2(end) / np.log2(factor)) if end > 0 else -np.inf

    def ends(level):
        return tuple(map(scaled, grown.ends(level))) if grown.value > 0 else UNKNOWN

    value = scaled(grown.value) if grown.value > 0 else float("nan")
    return Estimate(value, ends, grown.is_exact, ("power", grown.made, factor))


def growth_difference(first: Any, name: str, second: Any, other: str) -> Estimate:
    """How much larger one policy's growth exponent is than another's on the same instances, by the bootstrap.

    Parameters
    ----------
    first : Result
    name : str
        A policy of the first result.
    second : Result
        Of as many runs, which met the same instances.
    other : str
        A policy of the second result.
    """
    mine = end_and_half(first.checkpoints, first.of_policy(name))
    theirs = end_and_half(second.checkpoints, second.of_policy(other))

    def exponent(runs, end, half):
        return np.log2(end[runs].mean(axis=-1) / half[runs].mean(axis=-1))

    return bootstrap(lambda runs: exponent(runs, *mine) - exponent(runs, *theirs), len(mine[0]))


def log_slope(x: ArrayLike, values: ArrayLike) -> Estimate:
    r"""Power of a parameter with which a mean grows, over several of its values.

    The slope of the line that fits the logarithm of the mean against the logarithm of the parameter best (least
    squares; the interval is that of the delta method). Where regret is proportional to :math:`x^{1/2}` it is 0.5: four
    times the parameter makes twice the regret. It is 0 where the parameter does not matter, and negative where a larger
    one helps. For the power of the horizon, within one result, ask `growth`.

    Parameters
    ----------
    x : array_like, shape (cells,)
        The values of the parameter: positive, not all the same.
    values : array_like, shape (cells, runs)
        What was measured in each run, a row for each value of the parameter, such as ``result.final_regret("UCB1")``.
        Run i of all rows must share its seed, or else be independent. Where the mean of a row is not positive there is
        no slope: nan.

    Examples
    --------
    Regret at three gaps, two runs each: half the gap, about twice the regret.

    >>> found = log_slope([0.1, 0.2, 0.4], [[79, 81], [41, 39], [20, 20]])
    >>> round(found.value, 2)
    -1.0

    Of policies that were played: how does the regret of UCB1 grow with the number of equally bad arms?

    >>> from banditlab import classic, simulate
    >>> counts = [4, 8, 16]
    >>> worlds = [classic.bernoulli([0.9] + [0.6] * (arms - 1)) for arms in counts]
    >>> results = [simulate(world, {"UCB1": classic.ucb1(arms)}, 2000, 20) for world, arms in zip(worlds, counts)]
    >>> round(log_slope(counts, [result.final_regret("UCB1") for result in results]).value, 1)
    1.0
    """
    x, values = vector("x", x), array_of("values", values, "a table of numbers")
    if not (x.min() > 0 and np.ptp(x) > 0):
        raise ValueError(f"x={shown(x)}: must be positive numbers, not all the same")
    if values.ndim != 2 or len(values) != len(x) or not values.size:
        raise ValueError(f"values has shape {values.shape}: must have a row of runs for each of x, {len(x)}")
    logs = np.log(x)
    weights = (logs - logs.mean()) / ((logs - logs.mean()) ** 2).sum()
    means = values.mean(axis=1, keepdims=True)
    if not (means > 0).all():
        return Estimate(float("nan"), lambda level: UNKNOWN)
    return mean(weights @ (np.log(means) + values / means - 1))
