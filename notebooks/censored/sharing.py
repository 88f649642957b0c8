"""What it is worth at most that a round tells of all smaller limits: no theorem of the paper, but Graves and Lai's.

An arm's law is given by equally likely atoms: the gain of a round that is not cut short, reward less cost, and the cell
of its consumption, the number of the first limit that it does not exceed (the number of limits, if it exceeds all).
"""

from typing import NamedTuple

import numpy as np

from banditlab.censored.arguments import increasing
from banditlab.validate import table, whole

HALVINGS = 60


class SharingWorth(NamedTuple):
    """Least regret over log T, as T grows."""

    apart: float  # of a learner to whom every pair is an arm of its own, with bounded outcomes
    shared: float  # of any learner, whatever it shares: a lower bound
    frugal: float  # of any that explores no arm beyond the limit that suits it best, inf if it cannot learn


def atoms(world, points=60):
    """Atoms of every arm: the midpoints of a grid of so many quantiles of consumption, and of reward given it.

    Parameters
    ----------
    world : Censored
    points : int >= 1, each way

    Returns
    -------
    gains, cells : ndarray, shape (arms, points squared)
        As `sharing_worth` takes them.
    """
    n, gains, cells = whole("points", points, 1), [], []
    grid = (np.arange(n) + 0.5) / n
    for arm in range(len(world.gaps)):
        consumed = np.array([world.law.consumption(arm, u) for u in grid])
        gains.append([
            world.law.reward(arm, c, u, v) - world.cost.at(c) for c, u in zip(consumed, grid, strict=True) for v in grid
        ])  # fmt: skip
        cells.append(np.repeat(np.searchsorted(world.limits, consumed), n))
    return np.array(gains), np.array(cells)


def outcomes(gains, cells, penalty):
    """What every limit pays at every atom, shape (limits, atoms): the gain, or minus the penalty where it is exceeded.

    Parameters
    ----------
    gains : array_like, shape (atoms,), at most 1
    cells : array_like of int, shape (atoms,)
    penalty : array_like, shape (limits,)
    """
    numbers = np.arange(len(penalty))[:, None]
    return np.where(np.asarray(cells) <= numbers, np.asarray(gains, float), -np.asarray(penalty, float)[:, None])


def change_of_law(values, level):
    r"""Density of the law nearest to each row's, in relative entropy, whose mean reaches a level; up to an atom at 1.

    It is :math:`1/(1-\eta(Y-\mu))` with the :math:`\eta\in[0,1/(1-\mu)]` of largest
    :math:`\mathbf E\log(1-\eta(Y-\mu))`; that maximum is the entropy.

    Parameters
    ----------
    values : array, shape (rows, atoms), at most 1
    level : float below 1

    Returns
    -------
    ndarray, shape (rows, atoms)

    References
    ----------
    Honda, Takemura, An asymptotically optimal policy for finite support models, 2010, Theorem 5.
    """
    off = values - level
    low, high = np.zeros((len(values), 1)), np.full((len(values), 1), 1 / (1 - level))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        rises = (off / (1 - middle * off)).mean(axis=1, keepdims=True) < 0
        low, high = np.where(rises, middle, low), np.where(rises, high, middle)
    return 1 / (1 - low * off)


def information(gains, cells, penalty, level):
    """What a round with each limit tells for the change of law that lifts another limit's gain to a level.

    Parameters
    ----------
    gains, cells, penalty
        As of `outcomes`.
    level : float
        Above the arm's own gains.

    Returns
    -------
    ndarray, shape (limits, limits)
        Relative entropies: row the limit that is played, column the one that is lifted. A limit tells of all smaller
        ones what they tell themselves.
    """
    densities, cells = change_of_law(outcomes(gains, cells, penalty), level), np.asarray(cells)
    found = np.empty((len(penalty), len(penalty)))
    for played in range(len(penalty)):
        seen = cells <= played
        told = -np.log(densities[:, seen]).sum(axis=1)
        if not seen.all():  # of a round that is cut short nothing else is seen
            told -= (~seen).sum() * np.log(densities[:, ~seen].mean(axis=1))
        found[played] = told / len(cells)
    return found


def sharing_worth(gains, cells, penalty):
    r"""Least regret over log T of learners that keep all pairs apart, and a bound below that of any that shares.

    Apart it is the sum of :math:`\Delta/K_{\inf}` over all pairs (Burnetas and Katehakis). Sharing, an arm's rounds N
    must tell enough of every change of law that would make one of its limits the best,
    :math:`\sum_\tau N_\tau I_{\tau,\tau'}\ge\log T`: a linear program an arm. The best arm's other limits are left out.

    Parameters
    ----------
    gains : array_like, shape (arms, atoms), gains of rounds that are not cut short, at most 1
    cells : array_like of int, shape (arms, atoms), number of the first limit that the consumption does not exceed
    penalty : array_like, shape (limits,)

    Returns
    -------
    SharingWorth

    References
    ----------
    Burnetas, Katehakis, Optimal adaptive policies for sequential allocation problems, 1996; Graves, Lai, Asymptotically
    efficient adaptive choice of control laws in controlled Markov chains, 1997.

    Examples
    --------
    >>> worth = sharing_worth([[0.9, 0.9], [0.8, 0.4]], [[0, 0], [0, 1]], [0.1, 0.2])
    >>> worth.apart > worth.shared > 0
    True
    >>> worth.frugal >= worth.shared
    True
    """
    gains = table("gains", gains, most=1)
    cells = table("cells", cells, gains.shape, least=0).astype(int)
    penalty, known, costs = increasing("penalty", penalty), {}, np.zeros(3)
    paid = np.array([outcomes(*arm, penalty).mean(axis=1) for arm in zip(gains, cells, strict=True)])
    for own, *law in zip(paid, gains, cells, strict=True):
        key = b"".join(part.tobytes() for part in law)
        if key not in known:  # the paper's arms are alike but for one
            known[key] = costs_of_arm(paid.max() - own, information(*law, penalty, paid.max()))
        costs += known[key]
    return SharingWorth(*costs.tolist())


def costs_of_arm(gaps, told):
    """Least cost of an arm's rounds over log T: limits apart, sharing, and sharing up to the arm's own best limit."""
    worse, every = gaps > 0, len(gaps)
    apart = (gaps[worse] / told.diagonal()[worse]).sum()
    return apart, *(least_cost(gaps[:most], told[:most]) if worse.all() else 0.0 for most in (every, gaps.argmin() + 1))


def least_cost(gaps, told):
    """Of rounds with these limits that tell enough of every change of law."""
    from scipy.optimize import linprog  # slow to import

    found = linprog(gaps, A_ub=-told.T, b_ub=-np.ones(told.shape[1]))
    return found.fun if found.success else np.inf
