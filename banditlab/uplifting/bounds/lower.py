"""Lower bounds of consistent policies, and the instances on which they hold: Propositions 2 and 3."""

import numpy as np

from ...validate import whole
from ..environments import gaussian
from .upper import gaps_of, sizes_of


def known_sets_lower(gaps, sizes):
    """Lower bound on regret / log T of consistent policies that know affected sets and baseline (Proposition 3).

    Parameters
    ----------
    gaps : array_like, shape (K,)
        Best expected reward minus that of each action, at least 0; the smallest is 0.
    sizes : array_like, shape (K,)
        How many variables each action affects, at least 1.

    Returns
    -------
    float
        The bound, for the worst correlation of the payoffs.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

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
        Best expected reward minus that of each action, at least 0; the smallest is 0.
    variables : int
        Number of variables m, at least 1.

    Returns
    -------
    float
        The bound, for the worst correlation of the payoffs.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.
    """
    gaps = gaps_of(gaps)
    return known_sets_lower(gaps, np.full(len(gaps), whole("variables", variables, 1)))


def hard_instance(gaps, sizes, variables, everywhere=False):
    """The instance of equation (42): one standard normal, common to all variables that have noise.

    The noise of a variable that an action does not affect must be that of the baseline: where only affected variables
    have noise, that of Proposition 3, all actions must affect the same variables, so the sizes must be equal.

    Parameters
    ----------
    gaps : array_like, shape (K,)
        Best expected reward minus that of each action, at least 0; the smallest is 0.
    sizes : array_like, shape (K,)
        How many variables each action affects, at least 1, at most m.
    variables : int
        Number of variables m, at least 1.
    everywhere : bool
        Whether all variables have the noise, under every action (Proposition 2), or the affected ones (Proposition 3).

    Returns
    -------
    Gaussian
        The environment; action a affects variables 0 to sizes[a] - 1, and the baseline is 0.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    Examples
    --------
    >>> hard_instance([0.0, 0.5], [2, 2], 3).mu
    array([[0.75, 0.75, 0.  ],
           [0.5 , 0.5 , 0.  ]])
    """
    gaps, variables = gaps_of(gaps), whole("variables", variables, 1)
    sizes = sizes_of(sizes, gaps, variables)
    if not isinstance(everywhere, bool | np.bool_):
        raise TypeError(f"everywhere={everywhere!r}: must be True or False")
    if not everywhere and len(set(sizes)) > 1:
        raise ValueError(f"sizes={sizes.astype(int).tolist()}: must be equal, or give everywhere=True")
    affected = np.arange(variables) < sizes[:, None]
    mu = np.where(affected, (1.0 + gaps.max() - gaps)[:, None] / sizes[:, None], 0.0)
    noisy = np.ones((variables, 1)) if everywhere else affected[:1].T.astype(float)
    return gaussian(mu, np.zeros(variables), affected, noisy, np.zeros(variables))
