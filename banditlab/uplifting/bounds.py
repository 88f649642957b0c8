"""Every bound of Uplifting Bandits as a function of the instance."""

import math

import numpy as np

from ..validate import number, vector, whole
from .environments import gaussian

__all__ = [
    "Upper",
    "confidence_ellipsoid",
    "contextual_bonus",
    "contextual_upper",
    "elliptical_potential",
    "hard_instance",
    "ilift_bl_upper",
    "ilift_upper",
    "known_sets_lower",
    "naff_bl_upper",
    "naff_upper",
    "no_knowledge_lower",
    "orders",
    "ucb_upper",
    "upucb_bl_upper",
    "upucb_upper",
]


class Upper:
    """An upper bound that holds in a run with probability 1 - delta.

    Parameters
    ----------
    gaps : ndarray, shape (K,)
        Gaps of the actions.
    constants : ndarray, shape (K,)
        C of each action.
    inverse : float
        1 / δ' of the theorem.

    Examples
    --------
    >>> bound = upucb_bl_upper([0.0, 0.5], [2, 3], horizon=1000)
    >>> round(bound.beta, 3), round(bound.regret, 1)
    (11.29, 1626.2)
    """

    def __init__(self, gaps, constants, inverse):
        self.beta = math.log(inverse)  # the exploration for which it holds
        worse = gaps > 0
        safe = np.where(worse, gaps, 1.0)
        self.pulls = np.where(worse, constants * self.beta / safe**2 + 1.0, np.inf)  # of each action
        self.regret = float((constants * self.beta / safe + gaps)[worse].sum())


def gaps_of(gaps):
    """Gaps as an array, the best of them 0."""
    gaps = vector("gaps", gaps, least=0.0)
    if gaps.min() != 0:
        raise ValueError(f"gaps={gaps.tolist()}: the smallest must be 0")
    return gaps


def confidence(horizon, delta):
    """Horizon over delta."""
    return whole("horizon", horizon, 1) / number("delta", delta, above=0, below=1)


def sizes_of(sizes, gaps):
    """Numbers of affected variables as an array."""
    return vector("sizes", sizes, least=1.0, size=len(gaps))


def of_best(gaps, sizes):
    """The number of variables that a best action affects; the smallest of them, which gives the smallest bound."""
    return sizes[gaps == 0].min()


def ucb_upper(gaps, variables, horizon, delta=0.05):
    """Upper bound of UCB with width m: Proposition 1 with every variable affected (Section 2).

    Parameters
    ----------
    gaps : array_like, shape (K,)
    variables : int >= 1
    horizon : int >= 1
    delta : float in (0, 1)
    """
    gaps = gaps_of(gaps)
    return upucb_bl_upper(gaps, np.full(len(gaps), whole("variables", variables, 1)), horizon, delta)


def upucb_bl_upper(gaps, sizes, horizon, delta=0.05):
    """Upper bound of UpUCB (bl): Proposition 1, equation (4).

    Parameters
    ----------
    gaps : array_like, shape (K,)
    sizes : array_like, shape (K,)
    horizon : int >= 1
    delta : float in (0, 1)
    """
    gaps = gaps_of(gaps)
    return Upper(gaps, 8.0 * sizes_of(sizes, gaps) ** 2, 2 * len(gaps) * confidence(horizon, delta))


def upucb_upper(gaps, sizes, horizon, delta=0.05):
    """Upper bound of UpUCB: Theorem 1, equation (8).

    Parameters
    ----------
    gaps : array_like, shape (K,)
    sizes : array_like, shape (K,)
    horizon : int >= 1
    delta : float in (0, 1)
    """
    gaps = gaps_of(gaps)
    sizes = sizes_of(sizes, gaps)
    constants = 8.0 * (sizes + of_best(gaps, sizes)) ** 2
    return Upper(gaps, constants, 4 * len(gaps) * sizes.max() * confidence(horizon, delta))


def naff_bl_upper(gaps, L, variables, horizon, delta=0.05):
    """Upper bound of UpUCB-nAff (bl): Theorem 2, equation (10); with one L per action Proposition 4, equation (21).

    Parameters
    ----------
    gaps : array_like, shape (K,)
    L : float >= 1, or array (K,)
    variables : int >= 1
    horizon : int >= 1
    delta : float in (0, 1)
    """
    gaps = gaps_of(gaps)
    L = sizes_of(L if np.ndim(L) else [L] * len(gaps), gaps)
    inverse = 2 * len(gaps) * whole("variables", variables, 1) * confidence(horizon, delta)
    return Upper(gaps, 32.0 * L**2, inverse)


def naff_upper(gaps, L, variables, horizon, delta=0.05):
    """Upper bound of UpUCB-nAff: Theorem 2, equation (10), Proposition 5.

    Parameters
    ----------
    gaps : array_like, shape (K,)
    L : float >= 1
    variables : int >= 1
    horizon : int >= 1
    delta : float in (0, 1)
    """
    gaps = gaps_of(gaps)
    inverse = 2 * len(gaps) * whole("variables", variables, 1) * confidence(horizon, delta)
    return Upper(gaps, np.full(len(gaps), 512.0 * number("L", L, least=1) ** 2), inverse)


def ilift_bl_upper(gaps, sizes, delta_up, variables, horizon, delta=0.05):
    """Upper bound of UpUCB-iLift (bl): Theorem 3, equation (12).

    Parameters
    ----------
    gaps : array_like, shape (K,)
    sizes : array_like, shape (K,)
    delta_up : float > 0
    variables : int >= 1
    horizon : int >= 1
    delta : float in (0, 1)
    """
    gaps = gaps_of(gaps)
    sizes, variables = sizes_of(sizes, gaps), whole("variables", variables, 1)
    needed = np.maximum(sizes, np.minimum(gaps / number("delta_up", delta_up, above=0), variables))
    return Upper(gaps, 8.0 * needed**2, 2 * len(gaps) * variables * confidence(horizon, delta))


def ilift_upper(gaps, sizes, delta_up, variables, horizon, delta=0.05):
    """Upper bound of UpUCB-iLift under Assumption 1: Theorem 4, equation (15).

    Parameters
    ----------
    gaps : array_like, shape (K,)
    sizes : array_like, shape (K,)
    delta_up : float > 0
    variables : int >= 1
    horizon : int >= 1
    delta : float in (0, 1)
    """
    gaps = gaps_of(gaps)
    sizes, variables = sizes_of(sizes, gaps), whole("variables", variables, 1)
    both = sizes + of_best(gaps, sizes)
    needed = np.maximum(both, np.minimum(2 * gaps / number("delta_up", delta_up, above=0), 2 * variables))
    return Upper(gaps, 8.0 * needed**2, 2 * len(gaps) * variables * confidence(horizon, delta))


def orders(arms, variables, L, gap, delta_up):
    """Orders of regret, constants and logarithms dropped (Table 1).

    Parameters
    ----------
    arms : int >= 1
    variables : int >= 1
    L : float >= 1
    gap : float > 0
    delta_up : float > 0

    Examples
    --------
    >>> orders(10, 100, 10, 0.2, 0.1)["UCB"]
    500000.0
    """
    K, m = whole("arms", arms, 1), whole("variables", variables, 1)
    L, gap = number("L", L, least=1, most=m), number("gap", gap, above=0)
    found = max(L, min(gap / number("delta_up", delta_up, above=0), m))
    known = K * L**2 / gap
    return {
        "UCB": K * m**2 / gap,
        "UpUCB (bl)": known,
        "UpUCB": known,
        "UpUCB-nAff": known,
        "UpUCB-iLift": K * found**2 / gap,
    }


def known_sets_lower(gaps, sizes):
    """Lower bound on regret / log T of consistent policies that know affected sets and baseline (Proposition 3).

    Parameters
    ----------
    gaps : array_like, shape (K,)
    sizes : array_like, shape (K,)

    Examples
    --------
    >>> known_sets_lower([0, 0.5], [2, 3])
    36.0
    """
    gaps = gaps_of(gaps)
    worse = gaps > 0
    return float((2.0 * sizes_of(sizes, gaps)[worse] ** 2 / gaps[worse]).sum())


def no_knowledge_lower(gaps, variables):
    """Lower bound on regret / log T of policies that see rewards only, or know nothing of means and sets (Prop. 2).

    Parameters
    ----------
    gaps : array_like, shape (K,)
    variables : int >= 1
    """
    gaps = gaps_of(gaps)
    return known_sets_lower(gaps, np.full(len(gaps), whole("variables", variables, 1)))


def hard_instance(gaps, sizes, variables):
    """The instance of Proposition 3, equation (42): one common standard normal on the variables of an action.

    The noise of a variable that an action does not affect must be that of the baseline, which is no noise: such
    variables are given none under all actions, so the instance is the paper's where all sizes are equal.

    Parameters
    ----------
    gaps : array_like, shape (K,)
    sizes : array_like, shape (K,)
    variables : int >= 1
    """
    gaps, variables = gaps_of(gaps), whole("variables", variables, 1)
    sizes = sizes_of(sizes, gaps)
    affected = np.arange(variables) < sizes[:, None]
    mu = np.where(affected, (1.0 + gaps.max() - gaps)[:, None] / sizes[:, None], 0.0)
    noisy = affected.any(axis=0).astype(float)
    return gaussian(mu, np.zeros(variables), affected, noisy[:, None], np.zeros(variables))


def contextual_bonus(t, features, individuals, treatments, penalty, norm, delta=0.05):
    """Bonus of C2UpUCB-M in round t + 1 for which Theorem 5 holds (Section 8); the penalty must be at least L.

    Parameters
    ----------
    t : int >= 0, or array
    features : int >= 1
    individuals : int >= 1
    treatments : int >= 1
    penalty : float > 0
    norm : float > 0
    delta : float in (0, 1)
    """
    log = 2.0 * math.log((treatments + 1) / number("delta", delta, above=0, below=1))
    growth = features * np.log1p(individuals * np.asarray(t) / (features * penalty))
    return math.sqrt(penalty) * norm + np.sqrt(log + growth)


def contextual_upper(horizon, features, individuals, budget, treatments, penalty, norm, delta=0.05):
    """Upper bound on the regret of C2UpUCB-M with linear payoffs: Theorem 5.

    Parameters
    ----------
    horizon : int >= 1
    features : int >= 1
    individuals : int >= 1
    budget : int >= 1
    treatments : int >= 1
    penalty : float > 0
    norm : float > 0
    delta : float in (0, 1)
    """
    T, d, L = whole("horizon", horizon, 1), whole("features", features, 1), whole("budget", budget, 1)
    penalty = number("penalty", penalty, least=L)
    bonus = contextual_bonus(T, d, individuals, treatments, penalty, norm, delta)
    return float(4.0 * math.sqrt(d * L * (treatments + 1) * T * math.log1p(L * T / (d * penalty))) * bonus)


def confidence_ellipsoid(gram, penalty, norm, delta=0.05):
    """Radius of the ellipsoid around a ridge estimate, in the norm of its matrix V (Lemma 5).

    Parameters
    ----------
    gram : ndarray, shape (d, d)
    penalty : float > 0
    norm : float > 0
    delta : float in (0, 1)
    """
    sign, logarithm = np.linalg.slogdet(gram)
    log = 2.0 * math.log(1.0 / number("delta", delta, above=0, below=1))
    return math.sqrt(penalty) * norm + math.sqrt(log + logarithm - len(gram) * math.log(penalty))


def elliptical_potential(pairs, features, penalty):
    """Most that the squared widths of so many individuals sum to (Lemma 6); the penalty is at least a round's number.

    Parameters
    ----------
    pairs : int >= 1
    features : int >= 1
    penalty : float > 0
    """
    return 2.0 * features * math.log1p(pairs / (features * penalty))
