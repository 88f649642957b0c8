"""Replay of measurements: reward and training time of every configuration on every split."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from ... import validate
from ..arguments import curve, grid, penalties
from ..curves import values_of
from ..penalties import power
from .grid import assemble

__all__ = ["Table", "load_table", "recorded"]

FORMAT = "banditlab censored recording 1"


class Table(NamedTuple):
    """Measurements: what `load_table` returns, and what `recorded` replays."""

    reward: np.ndarray  # (splits, arms) in [0, 1]
    time: np.ndarray  # (splits, arms) seconds, positive


class Recorded(NamedTuple):
    """A split drawn uniformly, the same for all arms; its reward and time are read."""

    table: np.ndarray  # (splits, arms, 2) consumption, reward

    def consumption(self, arm, u):
        return self.table[int(u * len(self.table)), arm, 0]

    def reward(self, arm, consumption, u, v):
        return self.table[int(u * len(self.table)), arm, 1]


def load_table(path):
    """Read a recorded table.

    Parameters
    ----------
    path : path-like
        A file that ``python -m tools.record_forest`` wrote.

    Returns
    -------
    Table
        Rewards and times.

    Raises
    ------
    OSError
        If there is no such file, or it cannot be opened.
    TypeError, ValueError
        If the file is truncated, foreign, or holds measurements that `recorded` refuses.
    """
    return checked(Table(*stored(path, Table._fields)))


def stored(path, names):
    """Arrays of these names from a file in our format."""
    with open(Path(path), "rb") as raw:
        try:
            with np.load(raw, allow_pickle=False) as file:
                if str(file["format"]) != FORMAT:
                    raise ValueError(f"its format is {str(file['format'])!r}")
                return [file[name] for name in names]
        except Exception as error:  # a damaged archive has many ways to fail
            raise ValueError(f"path={str(path)!r}: not a table of recorded splits, or damaged ({error})") from error


def checked(table):
    """The table, if it is one."""
    if not isinstance(table, tuple) or len(table) != 2:
        raise TypeError(f"table={type(table).__name__}: must be a pair of arrays (reward, time)")
    reward = validate.table("table.reward", table[0], least=0.0, most=1.0)
    time = validate.table("table.time", table[1], reward.shape, least=0.0)
    if time.min() == 0:
        raise ValueError("table.time holds 0.0: must be positive numbers of seconds")
    return Table(reward, time)


def recorded(table, limits=10, penalty=None, cost=None):
    r"""Replay a recorded table: a round draws a split uniformly and reads reward and time of the arm.

    Times are divided by their third quartile over the arms, so that it is the largest limit, 1.

    A step draws two uniforms, of which one picks the split.

    Parameters
    ----------
    table : Table
        Pair (reward, time) of arrays of shape (splits, arms); rewards in [0, 1], times positive, none missing.
    limits : int or array_like, shape (m,)
        Limits in units of the third quartile; a whole number m is m points of the interquartile range of the arms'
        mean times.
    penalty : array_like, shape (m,), or Curve or callable, by default :math:`10x` (PAR10)
    cost : float or Curve or callable, cost of the time; by default :math:`x`

    References
    ----------
    Censored consumption, Section 5.2.

    Examples
    --------
    >>> world = recorded(Table(np.array([[0.5, 0.9]]), np.array([[1.0, 2.0]])), limits=2)
    >>> world.limits.round(3).tolist()
    [0.714, 1.0]
    """
    table = checked(table)
    first, third = np.quantile(table.time.mean(axis=0), [0.25, 0.75])
    time = table.time / third
    if validate.is_real(limits) and limits != 1 and not first < third:
        raise ValueError(
            f"limits={limits!r}: the quartiles of the arms' mean times, {first:g} and {third:g} seconds, hold no grid; "
            "give the limits themselves"
        )
    limits = grid("limits", limits, first / third, 1.0)
    penalty = power(10.0) if penalty is None else penalty
    cost = power(1.0) if cost is None else curve("cost", cost, limits[-1])
    done = time[:, :, None] <= limits
    rewards = (table.reward[:, :, None] * done).mean(axis=0)
    costs = (values_of(cost, time)[:, :, None] * done).mean(axis=0)
    law = Recorded(np.ascontiguousarray(np.stack([time, table.reward], axis=-1)))
    tables = rewards, costs, 1.0 - done.mean(axis=0)
    return assemble(law, limits, cost, penalties("penalty", penalty, limits), *tables)
