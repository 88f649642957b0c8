"""What no policy can beat."""

import math

import numpy as np

from ..validate import number, probabilities, vector

__all__ = ["divergence", "lai_robbins"]


def divergence(p, q):
    """Kullback-Leibler divergence of two Bernoulli laws, in nats.

    Parameters
    ----------
    p, q : float in [0, 1]
        Their means.

    Returns
    -------
    float
        Infinite where q is 0 or 1 and p is not.

    Examples
    --------
    >>> round(divergence(0.5, 0.9), 4), divergence(0.5, 1.0)
    (0.5108, inf)
    """
    p, q = number("p", p, least=0, most=1), number("q", q, least=0, most=1)
    terms = [(p, q), (1.0 - p, 1.0 - q)]
    if any(a > 0 and b == 0 for a, b in terms):
        return math.inf
    return max(0.0, sum(a * math.log(a / b) for a, b in terms if a > 0))


def lai_robbins(means, sigma=None):
    r"""Return :math:`\sum_a\Delta_a/d(\mu_a,\mu^*)`: regret over log T of any consistent policy, in the limit at least.

    Parameters
    ----------
    means : array_like, shape (arms,)
        Expected rewards; in [0, 1] for Bernoulli laws.
    sigma : float, optional
        Standard deviation of normal rewards, positive; Bernoulli laws without it.

    Returns
    -------
    float
        The constant; arms that are best add nothing, nor do Bernoulli arms beside one of mean 1.

    References
    ----------
    Lai, Robbins, Asymptotically efficient adaptive allocation rules, 1985, Theorem 2.

    Examples
    --------
    >>> round(lai_robbins([0.9, 0.8, 0.5]), 3), lai_robbins([0.5, 0.0], sigma=1.0)
    (3.035, 4.0)
    """
    means = probabilities("means", means) if sigma is None else vector("means", means)
    best, below = means.max(), means[means < means.max()]
    if sigma is not None:
        return float(np.sum(2.0 * number("sigma", sigma, above=0) ** 2 / (best - below)))
    return float(sum((best - mean) / divergence(mean, best) for mean in below.tolist()))
