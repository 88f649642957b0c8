"""What it is worth at most that a round tells of all smaller limits: no theorem of the paper, but Graves and Lai's.

An arm's law is given by atoms: their weights, the gain of a round that is not cut short, reward less cost, and the cell
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
    largest: float  # of worse arms explored with the largest limit alone


def atoms(world, points=12):
    """Atoms of every arm: Gauss-Legendre quadrature of its quantiles of consumption and of reward given it.

    Consumption is cut at the limits, where what a round shows jumps: each cell has points of its own.

    Parameters
    ----------
    world : Censored
    points : int >= 1, each way, in each cell

    Returns
    -------
    gains, cells, weights : ndarray, shape (arms, (limits + 1) points squared)
        As `sharing_worth` takes them.
    """
    nodes, shares = np.polynomial.legendre.leggauss(whole("points", points, 1))
    nodes, shares, gains, cells, weights = (nodes + 1) / 2, shares / 2, [], [], []
    for arm, survival in enumerate(world.survival):
        edges = np.array([0.0, *(1.0 - survival), 1.0])
        widths = np.diff(edges)[:, None]
        drawn = ((u, world.law.consumption(arm, u)) for u in (edges[:-1, None] + widths * nodes).ravel())
        gains.append([world.law.reward(arm, c, u, v) - world.cost.at(c) for u, c in drawn for v in nodes])
        cells.append(np.repeat(np.arange(len(widths)), points**2))
        weights.append(np.outer(widths * shares, shares).ravel())
    return np.array(gains), np.array(cells), np.array(weights)


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


def change_of_law(values, weights, level):
    r"""Density of the law nearest to each row's, in relative entropy, whose mean reaches a level; up to an atom at 1.

    It is :math:`1/(1-\eta(Y-\mu))` with the :math:`\eta\in[0,1/(1-\mu)]` of largest
    :math:`\mathbf E\log(1-\eta(Y-\mu))`; that maximum is the entropy.

    Parameters
    ----------
    values : array, shape (rows, atoms), at most 1
    weights : array, shape (atoms,)
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
        rises = (off / (1 - middle * off)) @ weights[:, None] < 0
        low, high = np.where(rises, middle, low), np.where(rises, high, middle)
    return 1 / (1 - low * off)


def information(gains, cells, weights, penalty, level):
    """What a round with each limit tells for the change of law that lifts another limit's gain to a level.

    Parameters
    ----------
    gains, cells, penalty
        As of `outcomes`.
    weights : array, shape (atoms,)
    level : float
        Above the arm's own gains.

    Returns
    -------
    ndarray, shape (limits, limits)
        Relative entropies: row the limit that is played, column the one that is lifted. A limit tells of all smaller
        ones what they tell themselves.
    """
    densities, cells = change_of_law(outcomes(gains, cells, penalty), weights, level), np.asarray(cells)
    found = np.empty((len(penalty), len(penalty)))
    for played in range(len(penalty)):
        seen = cells <= played
        hidden = weights[~seen].sum()
        found[played] = -np.log(densities[:, seen]) @ weights[seen]
        if hidden > 0:  # of a round that is cut short nothing else is seen
            found[played] -= hidden * np.log(densities[:, ~seen] @ weights[~seen] / hidden)
    return found


def sharing_worth(gains, cells, weights, penalty):
    r"""Least regret over log T of learners that keep all pairs apart, and a bound below that of any that shares.

    Apart it is the sum of :math:`\Delta/K_{\inf}` over all pairs (Burnetas and Katehakis). Sharing, an arm's rounds N
    must tell enough of every change of law that would make one of its limits the best,
    :math:`\sum_\tau N_\tau I_{\tau,\tau'}\ge\log T`: a linear program an arm. The best arm's other limits are left out.

    Parameters
    ----------
    gains : array_like, shape (arms, atoms), gains of rounds that are not cut short, at most 1
    cells : array_like of int, shape (arms, atoms), number of the first limit that the consumption does not exceed
    weights : array_like, shape (arms, atoms), of the atoms; those of an arm add up to 1
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
    >>> worth = sharing_worth([[0.9, 0.9], [0.8, 0.4]], [[0, 0], [0, 1]], [[0.5, 0.5]] * 2, [0.1, 0.2])
    >>> worth.apart > worth.shared > 0
    True
    >>> worth.largest >= worth.shared
    True
    """
    gains = table("gains", gains, most=1)
    cells = table("cells", cells, gains.shape, least=0).astype(int)
    weights = table("weights", weights, gains.shape, least=0)
    if abs(weights.sum(axis=1) - 1).max() > 1e-9:
        raise ValueError(f"weights={weights.tolist()}: those of an arm must add up to 1")
    penalty, known, costs = increasing("penalty", penalty), {}, np.zeros(3)
    laws = list(zip(gains, cells, weights, strict=True))
    paid = np.array([outcomes(*seen, penalty) @ shares for *seen, shares in laws])
    for own, law in zip(paid, laws, strict=True):
        key = b"".join(part.tobytes() for part in law)
        if key not in known:  # the paper's arms are alike but for one
            known[key] = costs_of_arm(paid.max() - own, information(*law, penalty, paid.max()))
        costs += known[key]
    return SharingWorth(*costs.tolist())


def costs_of_arm(gaps, told):
    """Least cost of an arm's rounds over log T: limits apart, sharing, and with the largest limit alone."""
    own, worse = told.diagonal(), gaps > 1e-9  # rounding
    apart = (gaps[worse] / own[worse]).sum()
    return (apart, least_cost(gaps, told), gaps[-1] / own.min()) if worse.all() else (apart, 0.0, 0.0)


def least_cost(gaps, told):
    """Of rounds with these limits that tell enough of every change of law."""
    from scipy.optimize import linprog  # slow to import

    return linprog(gaps, A_ub=-told.T, b_ub=-np.ones(len(gaps))).fun


def hidden_excess(world):
    """What the next limit may pay above the best pair where nothing tells of it up to the limit that suits an arm best.

    That limit shows the same whatever the rounds are like that it cuts short: they may all end just above it, with
    reward 1. Whoever plays the arm with no larger limit has then linear regret.

    Parameters
    ----------
    world : Censored
        Of no arm is the largest limit the best.

    Returns
    -------
    ndarray, shape (arms,)
    """
    arms, own = np.arange(len(world.gains)), world.gains.argmax(axis=1)
    hidden = world.survival[arms, own]
    costs = np.array([world.cost.at(limit) for limit in world.limits[own]])
    return world.gains[arms, own] + hidden * (world.penalty[own] + 1 - costs) - world.gains.max()
