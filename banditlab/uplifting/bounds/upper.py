"""Upper bounds on pulls and regret where actions are finitely many: Propositions 1, 4 and 5, Theorems 1 to 4.

What the bounds share: ``gaps`` (K,) are the best expected reward minus that of each action, the smallest 0; ``sizes``
(K,) how many variables each action affects; ``variables`` is their number m, ``horizon`` the number of rounds T, and
``delta``, in (0, 1), the probability with which a bound may fail.
"""

import math

import numpy as np

from ...validate import number, vector, whole
from ..arguments import limits_of

__all__ = [
    "Upper", "adjusted_upper", "ilift_bl_upper", "ilift_upper", "naff_bl_upper", "naff_upper", "orders",
    "ucb_upper", "upucb_bl_upper", "upucb_upper",
]  # fmt: skip


class Upper:
    """An upper bound that holds in a run with probability 1 - delta: what every bound of this module returns.

    Parameters
    ----------
    gaps : ndarray, shape (K,), of the actions
    constants : ndarray, shape (K,), C of each action
    inverse : float, 1 / δ' of the theorem

    Attributes
    ----------
    beta : float, log(1/δ'), the exploration for which the bound holds
    pulls : ndarray, shape (K,)
        Most pulls of each action, C beta / gap² + 1; infinite where the gap is 0.
    regret : float
        Largest regret: the sum of C beta / gap + gap over the actions with a gap.

    Examples
    --------
    >>> bound = upucb_bl_upper([0.0, 0.5], [2, 3], horizon=1000)
    >>> round(bound.beta, 3), round(bound.regret, 1)
    (11.29, 1626.2)
    """

    def __init__(self, gaps, constants, inverse):
        self.beta = math.log(inverse)
        worse = gaps > 0
        safe = np.where(worse, gaps, 1.0)
        self.pulls = np.where(worse, constants * self.beta / safe**2 + 1.0, np.inf)
        self.regret = float((constants * self.beta / safe + gaps)[worse].sum())


def gaps_of(gaps):
    """Gaps as an array, the best of them 0."""
    gaps = vector("gaps", gaps, least=0.0)
    if gaps.min() != 0:
        raise ValueError(f"gaps={gaps.tolist()}: the smallest must be 0")
    return gaps


def sizes_of(sizes, gaps, variables=None):
    """Numbers of affected variables as an array of floats."""
    sizes = vector("sizes", sizes, size=len(gaps))
    return np.array([whole(f"sizes[{a}]", size, 1, variables) for a, size in enumerate(sizes.tolist())], float)


def confidence(horizon, delta):
    """Horizon over delta."""
    return whole("horizon", horizon, 1) / number("delta", delta, above=0, below=1)


def of_best(gaps, sizes):
    """The number of variables that a best action affects; the smallest of them, which gives the smallest bound."""
    return sizes[gaps == 0].min()


def ucb_upper(gaps, variables, horizon, delta=0.05):
    """Upper bound of UCB with width m: Proposition 1 with every variable affected (Section 2), C = 8 m².

    Parameters
    ----------
    gaps, variables, horizon, delta
        As described in `bounds.upper`.
    """
    gaps = gaps_of(gaps)
    return upucb_bl_upper(gaps, np.full(len(gaps), whole("variables", variables, 1)), horizon, delta)


def upucb_bl_upper(gaps, sizes, horizon, delta=0.05):
    """Upper bound of UpUCB (bl): Proposition 1, equation (4), C = 8 (L^a)².

    Parameters
    ----------
    gaps, sizes, horizon, delta
        As described in `bounds.upper`.
    """
    gaps = gaps_of(gaps)
    return Upper(gaps, 8.0 * sizes_of(sizes, gaps) ** 2, 2 * len(gaps) * confidence(horizon, delta))


def adjusted_upper(gaps, deviations, horizon, delta=0.05):
    """Upper bound of `upucb_bl_adjusted` with normal noise: Proposition 1 with s^a for L^a, C = 8 (s^a)²; ours.

    Parameters
    ----------
    gaps, horizon, delta
        As described in `bounds.upper`.
    deviations : array_like, shape (K,)
        Standard deviation s of every action's adjusted uplift, at least 0.
    """
    gaps = gaps_of(gaps)
    deviations = vector("deviations", deviations, least=0.0, size=len(gaps))
    return Upper(gaps, 8.0 * deviations**2, 2 * len(gaps) * confidence(horizon, delta))


def upucb_upper(gaps, sizes, horizon, delta=0.05):
    """Upper bound of UpUCB: Theorem 1, equation (8), C = 8 (L^a + L of a best action)².

    Parameters
    ----------
    gaps, sizes, horizon, delta
        As described in `bounds.upper`.
    """
    gaps = gaps_of(gaps)
    sizes = sizes_of(sizes, gaps)
    constants = 8.0 * (sizes + of_best(gaps, sizes)) ** 2
    return Upper(gaps, constants, 4 * len(gaps) * sizes.max() * confidence(horizon, delta))


def naff_bl_upper(gaps, most_affected, variables, horizon, delta=0.05):
    """Upper bound of UpUCB-nAff (bl): Theorem 2, equation (10), C = 32 L²; Proposition 4, (21), for one L per action.

    Parameters
    ----------
    gaps, variables, horizon, delta
        As described in `bounds.upper`.
    most_affected : int or sequence of int, shape (K,)
        L: the bound on the number of affected variables that the policy is given, from 1 to m.
    """
    gaps, variables = gaps_of(gaps), whole("variables", variables, 1)
    constants = 32.0 * limits_of(most_affected, len(gaps), variables) ** 2
    return Upper(gaps, constants, 2 * len(gaps) * variables * confidence(horizon, delta))


def naff_upper(gaps, most_affected, variables, horizon, delta=0.05):
    """Upper bound of UpUCB-nAff: Theorem 2, equation (10), Proposition 5, C = 512 L².

    Parameters
    ----------
    gaps, variables, horizon, delta
        As described in `bounds.upper`.
    most_affected : int from 1 to m, L: the bound on the number of affected variables that the policy is given
    """
    gaps, variables = gaps_of(gaps), whole("variables", variables, 1)
    constants = np.full(len(gaps), 512.0 * whole("most_affected", most_affected, 1, variables) ** 2)
    return Upper(gaps, constants, 2 * len(gaps) * variables * confidence(horizon, delta))


def ilift_bl_upper(gaps, sizes, delta_up, variables, horizon, delta=0.05):
    """Upper bound of UpUCB-iLift (bl): Theorem 3, equation (12), C = 8 clip(gap / delta_up, L^a, m)².

    Parameters
    ----------
    gaps, sizes, variables, horizon, delta
        As described in `bounds.upper`.
    delta_up : float > 0, least absolute uplift of an affected variable
    """
    gaps, variables = gaps_of(gaps), whole("variables", variables, 1)
    sizes, delta_up = sizes_of(sizes, gaps, variables), number("delta_up", delta_up, above=0)
    needed = np.maximum(sizes, np.minimum(gaps / delta_up, variables))
    return Upper(gaps, 8.0 * needed**2, 2 * len(gaps) * variables * confidence(horizon, delta))


def ilift_upper(gaps, sizes, delta_up, variables, horizon, delta=0.05):
    """Upper bound of UpUCB-iLift, Assumption 1: Theorem 4, (15), C = 8 clip(2 gap / delta_up, L^a + L^best, 2 m)².

    Parameters
    ----------
    gaps, sizes, variables, horizon, delta
        As described in `bounds.upper`.
    delta_up : float > 0, least distance of an affected variable's expected payoffs under two actions
    """
    gaps, variables = gaps_of(gaps), whole("variables", variables, 1)
    sizes, delta_up = sizes_of(sizes, gaps, variables), number("delta_up", delta_up, above=0)
    both = sizes + of_best(gaps, sizes)
    needed = np.maximum(both, np.minimum(2 * gaps / delta_up, 2 * variables))
    return Upper(gaps, 8.0 * needed**2, 2 * len(gaps) * variables * confidence(horizon, delta))


def orders(arms, variables, size, gap, delta_up):
    """Orders of regret, constants and logarithms dropped (Table 1), by algorithm.

    Parameters
    ----------
    arms, variables : int >= 1, numbers of actions K and of variables m
    size : float from 1 to m, how many variables every action affects
    gap : float > 0, of every action but the best
    delta_up : float > 0, least individual uplift

    Examples
    --------
    >>> orders(10, 100, 10, 0.2, 0.1)["UCB"]
    500000.0
    """
    K, m = whole("arms", arms, 1), whole("variables", variables, 1)
    L, gap = number("size", size, least=1, most=m), number("gap", gap, above=0)
    found = max(L, min(gap / number("delta_up", delta_up, above=0), m))
    known = K * L**2 / gap
    return {
        "UCB": K * m**2 / gap,
        "UpUCB (bl)": known,
        "UpUCB": known,
        "UpUCB-nAff": known,
        "UpUCB-iLift": K * found**2 / gap,
    }
