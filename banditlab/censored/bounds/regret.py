"""Bounds on regret: Proposition 1, Theorem 1, Corollary 14, and what nobody can exceed."""

import math

import numpy as np

from ...validate import LARGEST, horizons, number, table, unwrap_scalar, whole
from ..arguments import increasing

__all__ = ["corollary14", "largest_delta", "proposition1", "theorem1", "theorem1_saving", "trivial"]


def alpha_of(alpha, theorem):
    return number(f"{theorem}: alpha", alpha, above=1)


def peel(alpha):
    """((alpha + 1) / (alpha - 1))^2 / log((alpha + 1) / 2), which all proofs share."""
    return ((alpha + 1) / (alpha - 1)) ** 2 / math.log((alpha + 1) / 2)


def gaps_of(gains):
    """Best gain minus gain, checked."""
    gains = table("gains", gains)
    return gains.max() - gains


def proposition1(rounds, alpha):
    """Probability that RCUCB's estimate of one pair is off by more than its radius, to one side (Proposition 1).

    It is proved for Equation 9 as printed, ``survival="oracle"``, and for no estimate that a learner can have.

    Parameters
    ----------
    rounds : int >= 2
        The round t.
    alpha : float > 1

    Examples
    --------
    >>> round(proposition1(100, 2.0), 5), round(proposition1(1000, 2.0), 6)
    (0.05325, 0.003607)
    """
    t, alpha = whole("rounds", rounds, 2, LARGEST), alpha_of(alpha, "Proposition 1")
    return 2 * (1 + math.log(t) / math.log((alpha + 1) / 2)) * t ** (-2 * alpha / (alpha + 1))


def trivial(gains, horizon):
    """What nobody can exceed: every round at the largest gap. A bound above it says nothing on this instance.

    Parameters
    ----------
    gains : array (arms, limits)
    horizon : int >= 1, or array
    """
    return unwrap_scalar(horizons("horizon", horizon) * gaps_of(gains).max())


def theorem1(gains, penalty, horizon, alpha):
    """Upper bound on the regret of RCUCB with the width as printed: the first sum of Theorem 1.

    Parameters
    ----------
    gains : array (arms, limits)
    penalty : array (limits,)
    horizon : int >= 1, or array
    alpha : float > 1

    Examples
    --------
    >>> theorem1([[0.5, 0.0]], [0.1, 1.0], 1000, 2.0) > 221.0
    True
    """
    gaps, alpha = gaps_of(gains), alpha_of(alpha, "Theorem 1")
    factor = np.broadcast_to((1 + increasing("penalty", penalty, gaps.shape[1])) ** 2, gaps.shape)
    bad = gaps > 0
    slope = np.sum(8 * alpha * factor[bad] / gaps[bad])
    return unwrap_scalar(slope * np.log(horizons("horizon", horizon)) + gaps.sum() * (1 + 8 * peel(alpha)))


def largest_delta(pairs, horizon):
    """Largest delta that Theorem 1 allows: (pairs - 1)^(1 - delta) T^(2 delta) = T, in (0, 1/2).

    There is none, a ValueError, where the horizon is below the number of pairs; with two pairs it is the end, 1/2.

    Parameters
    ----------
    pairs : int >= 2
        Number of arms times number of limits.
    horizon : int >= pairs

    Examples
    --------
    >>> round(largest_delta(100, 100_000), 4)
    0.3753
    """
    pairs, horizon = whole("pairs", pairs, 2, LARGEST), whole("horizon", horizon, 1, LARGEST)
    if horizon < pairs:
        raise ValueError(f"horizon={horizon}: Theorem 1 allows no delta for {pairs} pairs; must be at least {pairs}")
    return math.log(horizon / (pairs - 1)) / math.log(horizon**2 / (pairs - 1))


def theorem1_saving(gains, penalty, horizon, alpha, epsilon=0.5):
    """What Theorem 1 subtracts, but for the probability of its event, at the largest delta it allows.

    The proof does not support it (it would bound the pulls of all larger limits together by those of one), and it is
    numerically nil.

    Parameters
    ----------
    gains : array (arms, limits)
    penalty : array (limits,)
    horizon : int, at least the number of pairs
    alpha : float > 1
    epsilon : float in (0, 1)
    """
    gaps, alpha = gaps_of(gains), alpha_of(alpha, "Theorem 1")
    penalty = increasing("penalty", penalty, gaps.shape[1])
    delta = largest_delta(gaps.size, horizon)
    scale = alpha * number("epsilon", epsilon, above=0, below=1) * delta * math.log(horizon)
    head = 8 * (1 + penalty**2 * alpha)
    total = 0.0
    for (i, j), gap in np.ndenumerate(gaps[:, :-1]):
        others = head + gaps[i, j + 1] - gaps
        others[i, j + 1] = 0.0
        total += gap * scale / np.max(others**2)
    return float(total)


def corollary14(gains, lambda_max, horizon, alpha):
    """Upper bound on the regret of UCB on the pairs (Corollary 14).

    Parameters
    ----------
    gains : array (arms, limits)
    lambda_max : float >= 0
        Penalty by which the gains are rescaled.
    horizon : int >= 1, or array
    alpha : float > 1

    Examples
    --------
    >>> corollary14([[0.5, 0.0]], 1.0, 1000, 2.0) > 110.0
    True
    """
    gaps, alpha = gaps_of(gains), alpha_of(alpha, "Corollary 14")
    factor = (1 + number("lambda_max", lambda_max, least=0)) ** 2
    slope = 2 * alpha * factor * np.sum(1 / gaps[gaps > 0])
    return unwrap_scalar(slope * np.log(horizons("horizon", horizon)) + gaps.sum() * (1 + 4 * peel(alpha)))
