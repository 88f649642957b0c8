"""Lower bounds of consistent policies (Section 4, Appendix B), and the instances on which they hold."""

import numpy as np

from ...validate import flag, how_many, vector, whole
from ..environments import gaussian
from .upper import gaps_of, sizes_of

__all__ = ["hard_instance", "information_lower", "known_covariance_lower", "known_sets_lower", "no_knowledge_lower"]


def information_lower(gaps, information):
    """Lower bound on regret / log T of consistent policies: the sum of gap / d_inf (Lemma 4).

    Parameters
    ----------
    gaps : array_like, shape (K,)
        Best expected reward minus that of each action, at least 0; the smallest is 0.
    information : array_like, shape (K,)
        d_inf: the least divergence, of what a pull of the action shows, from a law that would make the action better
        than the best; positive where the gap is.

    Examples
    --------
    >>> information_lower([0, 0.5], [1, 0.125])
    4.0
    """
    gaps, information = pick_worse(gaps, "information", information)
    return float((gaps / information).sum())


def pick_worse(gaps, name, values):
    """The gaps of the worse actions, and what they have of something that must be positive there."""
    gaps = gaps_of(gaps)
    values, worse = vector(name, values, least=0.0, size=len(gaps)), gaps > 0
    if (values[worse] == 0).any():
        raise ValueError(f"{name}={values.tolist()}: must be positive where the gap is")
    return gaps[worse], values[worse]


def known_covariance_lower(gaps, deviations):
    """The same for normal payoffs of known covariance, affected sets and baseline: the sum of 2 s² / gap; ours.

    Shifting the means of the affected variables by an uplift of the gap has divergence gap² / (2 s²) at least, where s
    is the standard deviation of the affected sum given all other variables. Common noise on all variables leaves little
    of it, which Proposition 3 rules out by its worst case.

    Parameters
    ----------
    gaps : array_like, shape (K,)
        As in `information_lower`.
    deviations : array_like, shape (K,)
        s of every action, as `noise_adjustment` returns it; positive where the gap is.

    Examples
    --------
    >>> known_covariance_lower([0, 0.5], [2, 3])
    36.0
    """
    gaps, deviations = pick_worse(gaps, "deviations", deviations)
    return float((2.0 * deviations**2 / gaps).sum())


def known_sets_lower(gaps, sizes):
    """Lower bound on regret / log T of consistent policies that know affected sets and baseline (Proposition 3).

    It holds for the worst correlation of the payoffs, that of `hard_instance`.

    Parameters
    ----------
    gaps : array_like, shape (K,)
        As in `information_lower`.
    sizes : array_like, shape (K,)
        How many variables each action affects, at least 1.

    Examples
    --------
    >>> known_sets_lower([0, 0.5], [2, 3])
    36.0
    """
    gaps = gaps_of(gaps)
    return known_covariance_lower(gaps, sizes_of(sizes, gaps))


def no_knowledge_lower(gaps, variables):
    """Lower bound on regret / log T of policies that see rewards only, or know nothing of means and sets (Prop. 2).

    It holds for the worst correlation of the payoffs.

    Parameters
    ----------
    gaps : array_like, shape (K,)
        As in `information_lower`.
    variables : int >= 1, number of variables m
    """
    gaps = gaps_of(gaps)
    return known_sets_lower(gaps, np.full(len(gaps), whole("variables", variables, 1)))


def hard_instance(gaps, sizes, variables, everywhere=False):
    """The instance of equation (42): one standard normal, common to all variables that have noise.

    Action a affects variables 0 to sizes[a] - 1, the baseline is 0.

    Parameters
    ----------
    gaps : array_like, shape (K,)
        As in `information_lower`.
    sizes : array_like, shape (K,)
        How many variables each action affects, at least 1, at most m.
    variables : int >= 1, number of variables m
    everywhere : bool
        Whether all variables have the noise, under every action (Proposition 2), or those that the action affects
        (Proposition 3).

    Examples
    --------
    >>> hard_instance([0.0, 0.5], [2, 1], 3).mu
    array([[0.75, 0.75, 0.  ],
           [1.  , 0.  , 0.  ]])
    """
    gaps = gaps_of(gaps)
    variables = how_many("variables", variables, 64 * len(gaps))
    sizes = sizes_of(sizes, gaps, variables)
    affected = np.arange(variables) < sizes[:, None]
    mu = np.where(affected, (1.0 + gaps.max() - gaps)[:, None] / sizes[:, None], 0.0)
    noisy = np.ones_like(affected) if flag("everywhere", everywhere) else affected
    return gaussian(mu, np.zeros(variables), affected, noisy[:, :, None].astype(float), np.zeros(variables))
