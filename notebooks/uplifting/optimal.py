"""Lemma 4 is attained: what `upucb_bl_optimal` loses at most, against the least that any consistent policy loses."""

import math

import numpy as np

from banditlab.uplifting.bounds.upper import gaps_of
from banditlab.validate import number, vector

__all__ = ["inverse_sum", "optimal_upper", "proof_sums"]

INVERSE = 2.5  # that the sum of 1 / f(t) may be
SHARES = np.geomspace(1e-5, 0.9, 2000)  # of the gap that the best action may be underestimated by


def proof_sums(width):
    r"""The two sums of the proof, in closed form, over what it allows for them.

    Of an action with lead x, in units of its own deviation, :math:`\sum_n e^{-nx^2/2}=1/(e^{x^2/2}-1)` may be
    :math:`2/x^2`; and the pulls after which mean and radius still reach the lead, at most
    :math:`\int_0^\infty\Phi(c-x\sqrt y)\,dy=\bigl((c^2+1)\Phi(c)+c\,\varphi(c)\bigr)/x^2` with :math:`c=\sqrt{2w}`,
    may be :math:`2(w+\sqrt{\pi w}+1)/x^2`, whatever x.

    Parameters
    ----------
    width : ndarray
        For the first sum x, for the second w = log f(T); positive.

    Returns
    -------
    first, second : ndarray
        Sum over what is allowed.
    """
    half = width * width / 2.0
    return -half * np.exp(-half) / np.expm1(-half), reaching_pulls(width) / (
        2.0 * (width + np.sqrt(math.pi * width) + 1.0)
    )


def inverse_sum(rounds=100_000):
    r"""The sum of :math:`1/f(t)=1/(1+t\log^2t)` over all t, its tail by the integral of :math:`1/(t\log^2t)`."""
    n = np.arange(1.0, rounds + 1)
    return float((1.0 / (1.0 + n * np.log(n) ** 2)).sum() + 1.0 / math.log(rounds))


def reaching_pulls(width):
    """Pulls, times the squared lead in units of the deviation, after which an index of this log f(T) still leads."""
    from scipy.special import ndtr  # slow to import

    c = np.sqrt(2.0 * width)
    return (2.0 * width + 1.0) * ndtr(c) + c * np.exp(-width) / math.sqrt(2.0 * math.pi)


def optimal_upper(gaps, deviations, log_horizon):
    r"""Upper bound on the expected regret of `upucb_bl_optimal` over log T, for normal payoffs; ours.

    An action of gap :math:`\Delta^a` is played once, as long as the best one's index is more than
    :math:`\varepsilon_a` too low, in at most :math:`2\cdot2.5(s^{a^\star})^2/\varepsilon_a^2` rounds, and as long as
    its own index reaches :math:`\Delta^a-\varepsilon_a`: the sum of `proof_sums`.
    The best :math:`\varepsilon_a` is taken.

    Parameters
    ----------
    gaps : array_like, shape (K,)
        0 for a best action.
    deviations : array_like, shape (K,)
        What is left of the noise of every action, as `noise_adjustment` returns it.
    log_horizon : float > 0, log T, which may be far beyond any number of rounds

    References
    ----------
    Lattimore, Szepesvári, Bandit Algorithms, 2020, Theorem 8.1.

    Examples
    --------
    >>> from banditlab.uplifting.bounds import known_covariance_lower
    >>> gaps, deviations = [0.0, 0.5], [1.0, 1.0]
    >>> [round(optimal_upper(gaps, deviations, 10**k) / known_covariance_lower(gaps, deviations), 2) for k in (2, 4, 8)]
    [2.15, 1.18, 1.01]
    """
    gaps, log = gaps_of(gaps), number("log_horizon", log_horizon, above=0)
    deviations, worse = vector("deviations", deviations, size=len(gaps)), gaps > 0
    pulls = reaching_pulls(np.logaddexp(0.0, log + 2.0 * math.log(log)))
    best, own, gap = deviations[~worse].min(), deviations[worse, None], gaps[worse, None]
    rounds = 1.0 + 2.0 * INVERSE * (best / (SHARES * gap)) ** 2 + pulls * (own / ((1.0 - SHARES) * gap)) ** 2
    return float((gaps[worse] * rounds.min(axis=1)).sum() / log)
