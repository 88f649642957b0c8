"""Theorem 5 and its lemmas: campaigns with linear payoffs (Section 8, Appendix C.2)."""

import math

import numpy as np

from ...validate import number, whole
from ..arguments import table


def contextual_bonus(t, features, individuals, treatments, penalty, norm, delta=0.05):
    """Bonus α of C2UpUCB-M in a round, for which Theorem 5 holds; the penalty must then be at least the budget.

    Parameters
    ----------
    t : int or array of int
        The round, from 1.
    features : int
        Length d of a person's features, at least 1.
    individuals : int
        People m in a round, at least 1.
    treatments : int
        Treatments q beside none, at least 1.
    penalty : float
        λ of the ridge, positive.
    norm : float
        Bound S on the length of the weights, positive.
    delta : float
        Probability with which it may fail, in (0, 1).

    Returns
    -------
    float or ndarray
        The bonus, as an array for an array of rounds.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.
    """
    rounds = np.reshape([whole("t", one, 1) for one in np.ravel(t).tolist()], np.shape(t))
    d, m = whole("features", features, 1), whole("individuals", individuals, 1)
    q, penalty = whole("treatments", treatments, 1), number("penalty", penalty, above=0)
    log = 2.0 * math.log((q + 1) / number("delta", delta, above=0, below=1))
    bonus = math.sqrt(penalty) * number("norm", norm, above=0) + np.sqrt(log + d * np.log1p(m * rounds / (d * penalty)))
    return bonus if np.ndim(t) else float(bonus)


def contextual_upper(horizon, features, individuals, budget, treatments, penalty, norm, delta=0.05):
    """Upper bound on the regret of C2UpUCB-M with linear payoffs: Theorem 5.

    Parameters
    ----------
    horizon : int
        Number of rounds T, at least 1.
    features : int
        Length d of a person's features, at least 1.
    individuals : int
        People m in a round, at least 1.
    budget : int
        People L that are treated at most, from 1 to m.
    treatments : int
        Treatments q beside none, at least 1.
    penalty : float
        λ of the ridge, at least the budget.
    norm : float
        Bound S on the length of the weights, positive.
    delta : float
        Probability with which it may fail, in (0, 1).

    Returns
    -------
    float
        The bound; it holds in a run with probability 1 - delta.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.
    """
    T, d, m = whole("horizon", horizon, 1), whole("features", features, 1), whole("individuals", individuals, 1)
    L, q = whole("budget", budget, 1, m), whole("treatments", treatments, 1)
    bonus = contextual_bonus(T, d, m, q, number("penalty", penalty, least=L), norm, delta)
    return 4.0 * math.sqrt(d * L * (q + 1) * T * math.log1p(L * T / (d * penalty))) * bonus


def confidence_ellipsoid(gram, penalty, norm, delta=0.05):
    """Radius of the ellipsoid around a ridge estimate, in the norm of its matrix V (Lemma 5).

    Parameters
    ----------
    gram : array_like, shape (d, d)
        V: penalty times the identity plus the sum of x x'.
    penalty : float
        λ of the ridge, positive.
    norm : float
        Length of the weights, at least 0.
    delta : float
        Probability with which the weights may be outside in some round, in (0, 1).

    Returns
    -------
    float
        The radius.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.
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
    pairs : int
        How many individuals were entered into V, all rounds together, at least 1.
    features : int
        Length d of a person's features, at least 1.
    penalty : float
        λ of the ridge, positive.

    Returns
    -------
    float
        The bound.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.
    """
    pairs, d = whole("pairs", pairs, 1), whole("features", features, 1)
    return 2.0 * d * math.log1p(pairs / (d * number("penalty", penalty, above=0)))
