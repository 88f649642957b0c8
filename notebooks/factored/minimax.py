"""Lower bounds on the worst case that are ours: Theorem 3.1 with its constant, the price of seeing the reward only."""

import math
from collections import Counter

import numpy as np

from banditlab.factored.arguments import deviations
from banditlab.factored.arguments import sizes as sizes_of
from banditlab.validate import horizons, unwrap_scalar

__all__ = ["hidden_vector", "minimax_lower", "minimax_lower_reward_only"]

SCALES = np.geomspace(0.2, 6.0, 80)  # gaps that are tried, in units of sigma sqrt(k / T)
PARTS = np.linspace(
    0.4, 1.2, 81
)  # the same for the hidden vector, in units of the best one to first order, or the largest
ROOTS, WEIGHTS = np.polynomial.legendre.leggauss(48)
ROOTS = (ROOTS + 1) / 2  # square roots of the share of the horizon that is played
WEIGHTS = WEIGHTS * ROOTS  # of the share itself: half a weight of [-1, 1], times 2 sqrt(share)


def minimax_lower(sizes, sigma, horizon):
    r"""What every algorithm loses on some instance: the largest worst-case lower bound that we can prove (ours).

    Independent good options :math:`h_i` drawn uniformly, mean 1 there and :math:`1-\Delta_i` elsewhere, Gaussian
    observations. The larger of two bounds, each at its best gap:

    .. math:: \sum_{t<T}\Bigl[1-\prod_i\bigl(1-\Delta_i\Phi(-\tfrac{\Delta_i\sqrt t}{2\sigma_i})\bigr)\Bigr],\qquad
       \varphi\sum_i\Delta_iT\Bigl(1-\tfrac1{k_i}-\tfrac{\Delta_i}{2\sigma_i}\sqrt{T/k_i}\Bigr),\quad
       \varphi=\frac{1-\prod_i(1-\Delta_i)}{\sum_i\Delta_i}.

    The first is exact for two options each: the Bayes regret of that prior. (Its sum is taken as an integral, which is
    less by at most 1.) With the first for components of two options the second proves Theorem 3.1 with its constant.
    Components of a single option are left out.

    Parameters
    ----------
    sizes : list of d ints >= 1
    sigma : float > 0, or array (d,)
    horizon : int >= 1, or array

    Returns
    -------
    float or array

    Examples
    --------
    >>> round(minimax_lower([2] * 10, 0.5, 10_000))
    261
    """
    sizes, horizon = sizes_of(sizes, "sizes"), horizons("horizon", horizon)
    sigma = deviations(sigma, len(sizes))
    pairs, counts = np.unique(np.stack([sizes, sigma])[:, sizes > 1], axis=1, return_counts=True)
    if not len(counts):
        return unwrap_scalar(np.zeros(horizon.shape))
    alike = [(k, one, count) for (k, one), count in zip(pairs.T, counts, strict=True)]
    t = np.asarray(horizon, float)[..., None]
    return unwrap_scalar(np.maximum(two_candidates(alike, t), uniform_options(alike, t)))


def two_candidates(alike, t):
    """The Bayes regret where two options of each component may be the good one, at the best gap tried."""
    from scipy.special import ndtr

    logs, counts = 0.0, Counter()
    for _, sigma, count in alike:  # how many options there are does not matter here
        counts[sigma] += count
    for sigma, count in counts.items():
        gap = np.minimum(1.0, SCALES * sigma * np.sqrt(2.0 / t))[..., None]
        share = ndtr(-gap * np.sqrt(t)[..., None] / (2.0 * sigma) * ROOTS)  # wrong after the share ROOTS^2 of T
        logs = logs + count * np.log1p(-gap * share)
    return (t * (-np.expm1(logs) @ WEIGHTS)).max(axis=-1)


def uniform_options(alike, t):
    """Pinsker's inequality against the instance without a good option, at the best gap tried."""
    k, sigma, count = (np.reshape(part, (-1, *[1] * t.ndim)) for part in zip(*alike, strict=True))
    gap = np.minimum(1.0, SCALES * sigma * np.sqrt(k / t))
    wrong = np.maximum(0.0, 1.0 - 1.0 / k - gap / (2.0 * sigma) * np.sqrt(t / k))
    with np.errstate(divide="ignore"):  # a gap of 1
        logs = (count * np.log1p(-gap)).sum(axis=0)
    total, lost = (count * gap).sum(axis=0), (count * gap * wrong).sum(axis=0)
    return (-np.expm1(logs) / total * lost * t).max(axis=-1)


def minimax_lower_reward_only(sizes, sigma, horizon):
    r"""What every algorithm that sees nothing but the reward loses on some instance (ours): :math:`k^d` arms and
    :math:`\sigma^d` noise.

    One vector h has a mean, all others have none, and observations are :math:`\pm\sigma_i`. Every other vector
    contains a fair sign, so its reward is a fair :math:`\pm\prod_i\sigma_i`: a bandit of :math:`K=\prod_ik_i` arms, and

    .. math:: E R_T\ge T\Delta\Bigl(1-\tfrac1K-\tfrac12\sqrt{-\log(1-\Delta^2\prod_i\sigma_i^{-2})\,T/K}\Bigr),

    which is :math:`\Omega(\sigma^d\sqrt{k^dT})` for T above a multiple of :math:`\max(1,\sigma^{2d})k^d`. It is more
    than Theorem 3.2 asks.

    Parameters
    ----------
    sizes : list of d ints >= 1
    sigma : float > 0, or array (d,)
    horizon : int >= 1, or array

    Returns
    -------
    float or array

    Examples
    --------
    >>> round(minimax_lower_reward_only([2] * 6, 1.5, 10_000))
    4408
    """
    sizes, horizon = sizes_of(sizes, "sizes"), horizons("horizon", horizon)
    return unwrap_scalar(best_hidden(sizes, deviations(sigma, len(sizes)), np.asarray(horizon, float))[1])


def hidden_vector(sizes, sigma, horizon):
    """The means behind `minimax_lower_reward_only`: 0 but for the first option of every component.

    Parameters
    ----------
    sizes : list of d ints >= 1
    sigma : float > 0, or array (d,)
    horizon : int >= 1

    Returns
    -------
    list of d arrays

    Examples
    --------
    >>> [row.round(3).tolist() for row in hidden_vector([2, 2], 1.5, 10_000)]
    [[0.184, 0.0], [0.184, 0.0]]
    """
    sizes = sizes_of(sizes, "sizes")
    sigma = deviations(sigma, len(sizes))
    gap, _ = best_hidden(sizes, sigma, np.asarray(horizons("horizon", horizon), float))
    most = np.minimum(1.0, sigma)  # observations of +-sigma have no larger mean
    shrunk = math.exp((math.log(float(gap)) - np.log(most).sum()) / len(sizes))
    return [np.append(one * shrunk, np.zeros(k - 1)) for one, k in zip(most, sizes, strict=True)]


def best_hidden(sizes, sigma, t):
    """The gap of the hidden vector at which the bound is largest, and the bound."""
    arms, noise = math.prod(map(float, sizes)), math.prod(sigma.tolist())
    t, most = t[..., None], math.prod(np.minimum(1.0, sigma).tolist())
    gap = np.minimum(most, PARTS * np.minimum(most, noise * np.sqrt(arms / t)))
    with np.errstate(divide="ignore"):  # the sign is certain
        told = np.sqrt(-np.log1p(-((gap / noise) ** 2)) * t / arms) / 2.0
    lost = np.maximum(0.0, t * gap * (1.0 - 1.0 / arms - told))
    place = lost.argmax(axis=-1)[..., None]
    return tuple(np.take_along_axis(one, place, -1)[..., 0] for one in (gap, lost))
