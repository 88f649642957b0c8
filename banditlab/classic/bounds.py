"""What no policy can beat."""

import math

import numpy as np

from ..building_blocks.oracle import divergence_at, fill_optimal_shares
from ..validate import number, probabilities, vector

__all__ = ["characteristic_time", "divergence", "lai_robbins", "optimal_shares"]


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
    return divergence_at(p, q, 0.0)


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


def optimal_shares(means, sigma=None):
    r"""Return :math:`w^*(\nu)`: the shares of the rounds in which the best arm is found soonest.

    Parameters
    ----------
    means : array_like, shape (arms,)
        Expected rewards; in [0, 1] for Bernoulli laws; the best one alone.
    sigma : float, optional
        Standard deviation of normal rewards, positive; Bernoulli laws without it.

    Returns
    -------
    ndarray, shape (arms,)
        They add up to 1.

    References
    ----------
    Garivier, Kaufmann, Optimal best arm identification with fixed confidence, COLT 2016, Theorem 5.

    Examples
    --------
    >>> optimal_shares([0.5, 0.45, 0.43, 0.4]).round(3)
    array([0.417, 0.39 , 0.136, 0.057])
    """
    return solve_oracle(means, sigma)[0]


def characteristic_time(means, sigma=None):
    r"""Return :math:`T^*(\nu)`: rounds per :math:`\mathrm{kl}(\delta,1-\delta)` that finding the best arm takes.

    Whoever errs with probability at most :math:`\delta` plays at least :math:`T^*\,\mathrm{kl}(\delta,1-\delta)` rounds
    on average.

    Parameters
    ----------
    means : array_like, shape (arms,)
        Expected rewards; in [0, 1] for Bernoulli laws.
    sigma : float, optional
        Standard deviation of normal rewards, positive; Bernoulli laws without it.

    Returns
    -------
    float
        Infinite where several arms are best.

    References
    ----------
    Garivier, Kaufmann, Optimal best arm identification with fixed confidence, COLT 2016, Theorem 1.

    Examples
    --------
    >>> round(characteristic_time([1.0, 0.0], sigma=1.0), 9)  # two normal arms: 8 sigma^2 / gap^2
    8.0
    """
    gain = solve_oracle(means, sigma)[1]
    return 1.0 / gain if gain > 0.0 else math.inf


def solve_oracle(means, sigma):
    """Optimal shares, and the evidence that a round gains."""
    means = probabilities("means", means) if sigma is None else vector("means", means)
    if len(means) < 2:
        raise ValueError(f"means={means.tolist()}: must hold at least two arms")
    shares = np.zeros(len(means))
    gain = fill_optimal_shares(means, 0.0 if sigma is None else number("sigma", sigma, above=0), shares)
    return shares, float(gain)
