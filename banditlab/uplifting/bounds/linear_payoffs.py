"""Theorem 5 and its lemmas: campaigns with linear payoffs (Section 8, Appendix C.2)."""

import math

import numpy as np

from ...validate import horizons, listed, number, table, unwrap_scalar, whole

__all__ = ["confidence_ellipsoid", "contextual_bonus", "contextual_upper", "elliptical_potential"]


def contextual_bonus(t, features, individuals, treatments, penalty, norm, delta=0.05):
    """Bonus α of C2UpUCB-M in a round, for which Theorem 5 holds; the penalty must then be at least the budget.

    Parameters
    ----------
    t : int >= 1 or array of int, the round
    features : int >= 1, length d of a person's features
    individuals : int >= 1, people m in a round
    treatments : int >= 1, treatments q beside none
    penalty : float > 0, λ of the ridge
    norm : float > 0, bound S on the length of the weights
    delta : float in (0, 1), probability with which it may fail
    """
    rounds = horizons("t", t)
    d, m = whole("features", features, 1), whole("individuals", individuals, 1)
    q, penalty = whole("treatments", treatments, 1), number("penalty", penalty, above=0)
    log = 2.0 * math.log((q + 1) / number("delta", delta, above=0, below=1))
    bonus = math.sqrt(penalty) * number("norm", norm, above=0) + np.sqrt(log + d * np.log1p(m * rounds / (d * penalty)))
    return unwrap_scalar(bonus)


def contextual_upper(horizon, size, penalty, norm, delta=0.05):
    """Upper bound on the regret of C2UpUCB-M with linear payoffs: Theorem 5.

    Parameters
    ----------
    horizon : int >= 1, number of rounds T
    size : tuple of int, (individuals m, features d, treatments q, budget L from 1 to m)
    penalty : float, λ of the ridge, at least the budget
    norm, delta
        As in `contextual_bonus`; the bound holds in a run with probability 1 - delta.
    """
    size = listed("size", size, "(individuals, features, treatments, budget)")
    if len(size) != 4:
        raise ValueError(f"size={size}: must be (individuals, features, treatments, budget)")
    T, m, d = whole("horizon", horizon, 1), whole("size: individuals", size[0], 1), whole("size: features", size[1], 1)
    q, L = whole("size: treatments", size[2], 1), whole("size: budget", size[3], 1, m)
    bonus = contextual_bonus(T, d, m, q, number("penalty", penalty, least=L), norm, delta)
    return 4.0 * math.sqrt(d * L * (q + 1) * T * math.log1p(L * T / (d * penalty))) * bonus


def confidence_ellipsoid(gram, penalty, norm, delta=0.05):
    """Radius of the ellipsoid around a ridge estimate, in the norm of its matrix V (Lemma 5).

    Parameters
    ----------
    gram : array_like, shape (d, d)
        V: penalty times the identity plus the sum of x x'.
    penalty : float > 0, λ of the ridge
    norm : float >= 0, length of the weights
    delta : float in (0, 1), probability with which the weights may be outside in some round
    """
    gram = table("gram", gram)
    penalty, norm = number("penalty", penalty, above=0), number("norm", norm, least=0)
    log = 2.0 * math.log(1.0 / number("delta", delta, above=0, below=1))
    if gram.shape[0] != gram.shape[1] or not np.allclose(gram, gram.T):
        raise ValueError(f"gram of shape {gram.shape}: must be symmetric")
    least = float(np.linalg.eigvalsh(gram)[0])
    if least < penalty * (1 - 1e-9):
        raise ValueError(f"gram: its smallest eigenvalue is {least}, must be at least penalty={penalty}")
    growth = float(np.linalg.slogdet(gram / penalty)[1])
    return math.sqrt(penalty) * norm + math.sqrt(log + max(0.0, growth))  # the determinant is at least 1


def elliptical_potential(pairs, features, penalty):
    """Most that the squared widths of so many individuals sum to (Lemma 6); the penalty is at least a round's number.

    Parameters
    ----------
    pairs : int >= 1, how many individuals were entered into V, all rounds together
    features : int >= 1, length d of a person's features
    penalty : float > 0, λ of the ridge
    """
    pairs, d = whole("pairs", pairs, 1), whole("features", features, 1)
    return 2.0 * d * math.log1p(pairs / (d * number("penalty", penalty, above=0)))
