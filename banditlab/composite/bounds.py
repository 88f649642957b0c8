"""The bounds of the paper as functions of the instance."""

import math
from typing import NamedTuple

import numpy as np

from ..validate import number, probabilities, vector, whole
from .environments import Shape, weights_of
from .environments.shapes import DISCOUNTED, POLYNOMIAL, RANDOM
from .policies import ars_exp3, ars_ucb

__all__ = [
    "ars_exp3_upper",
    "ars_ucb_constant",
    "ars_ucb_upper",
    "d1",
    "d2",
    "delay_moments",
    "hidden_radius",
]
TERMS = 100_000  # of the series of a power law that are added up; the rest is its leading term


class Moments(NamedTuple):
    """What ODAAF is told of a shape."""

    mean: float  # of the delay, weighted by the shape
    variance: float
    longest: float  # infinite for a shape without an end


class Constant(NamedTuple):
    """The parts of the constant of Theorem 1, as logarithms: the numbers themselves overflow."""

    log_t1: float  # of t1, which the mean d1 of what is late asks for
    log_t2: float  # of t2, which its variance d2 asks for
    samples: float  # N(d2)


def checked(shape):
    """Refuse what is not a shape."""
    if not isinstance(shape, Shape):
        raise TypeError(f"shape={shape!r}: must be a Shape")
    return shape


def delay_moments(shape):
    """Mean and variance of the delay when the shape is read as a law, and the longest delay.

    Parameters
    ----------
    shape : Shape
        How a reward spreads over time.

    Returns
    -------
    Moments
        In rounds; infinite where they are.

    Examples
    --------
    >>> from banditlab.composite import random_delay
    >>> delay_moments(random_delay(10, 30)).longest
    30.0
    """
    gamma = checked(shape).first
    if shape.kind == DISCOUNTED:
        return Moments(1.0 / (1.0 - gamma), gamma / (1.0 - gamma) ** 2, math.inf)
    if shape.kind == POLYNOMIAL:
        from scipy.special import zeta

        mean = float(zeta(gamma - 1.0) / zeta(gamma)) if gamma > 2.0 else math.inf
        return Moments(mean, float(zeta(gamma - 2.0) / zeta(gamma)) - mean**2 if gamma > 3.0 else math.inf, math.inf)
    weights = weights_of(shape) / shape.mass
    delays = np.arange(len(weights))
    mean = float((delays * weights).sum())
    return Moments(mean, float(((delays - mean) ** 2 * weights).sum()), float(np.flatnonzero(weights > 1e-15)[-1]))


def survival(shape):
    """Share of a reward that arrives after d' rounds or later, for d' = 1, 2, ...; of a power law the first terms."""
    if shape.kind == POLYNOMIAL:
        from scipy.special import zeta

        return zeta(shape.first, np.arange(1.0, TERMS + 1.0)) / zeta(shape.first)
    return np.cumsum(weights_of(shape)[:0:-1])[::-1]


def d1(means, shape):
    r"""The expected reward that is late at any time, :math:`d_1=\sum_{d'}\max_i\mathbb E[\sum_{\tau\ge d'}r_{i,\tau}]`.

    Parameters
    ----------
    means : array_like, shape (arms,)
        Expected total reward of a pull, in [0, 1].
    shape : Shape
        How a reward spreads over time.

    Returns
    -------
    float
        The largest mean times the mean delay; infinite for a power law of exponent 2 or less.

    References
    ----------
    Wang, Wang, Huang, Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, AAAI 2021,
    Theorem 1.

    Examples
    --------
    >>> from banditlab.composite import discounted
    >>> d1([0.9, 0.1], discounted(0.8))
    4.5
    """
    late = delay_moments(checked(shape)).mean
    return round(float(probabilities("means", means).max()) * shape.mass * late, 12)


def d2(means, shape):
    r"""The variance of the reward that is late, :math:`d_2=\sum_{d'}\max_i\mathbb V[\sum_{\tau\ge d'}r_{i,\tau}]`.

    Parameters
    ----------
    means : array_like, shape (arms,)
        Expected total reward of a pull, in [0, 1]; totals are 1 or 0.
    shape : Shape
        How a reward spreads over time.

    Returns
    -------
    float
        Infinite for a power law of exponent 3/2 or less.

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Theorem 1.

    Examples
    --------
    >>> from banditlab.composite import interval
    >>> d2([0.9, 0.5, 0.1], interval(10, 20))
    3.2125
    """
    means, shape = probabilities("means", means), checked(shape)
    spread = float((means * (1.0 - means)).max())
    if shape.kind == RANDOM:
        late = means[:, None] * survival(shape)
        return float((late * (1.0 - late)).max(axis=0).sum())
    if shape.kind == DISCOUNTED:
        return spread / (1.0 - shape.first**2)
    if shape.kind != POLYNOMIAL:
        return round(spread * float((survival(shape) ** 2).sum()), 12)
    gamma = shape.first
    if gamma <= 1.5:
        return math.inf if spread > 0 else 0.0
    from scipy.special import zeta

    rest = zeta(2.0 * gamma - 2.0, TERMS + 0.5) / ((gamma - 1.0) * zeta(gamma)) ** 2
    return spread * float((survival(shape) ** 2).sum() + rest)


def ars_ucb_upper(means, shape, rounds, alpha):
    r"""The leading term of Theorem 1, :math:`\sum_i8\alpha\ln T/\Delta_i`; the constant is left out, see
    `ars_ucb_constant`.

    Parameters
    ----------
    means : array_like, shape (arms,)
        Expected total reward of a pull, in [0, 1].
    shape : Shape
        How a reward spreads over time.
    rounds : array_like, shape (n,)
        Horizons, at least 1.
    alpha : float
        Exploration of ARS-UCB, positive.

    Returns
    -------
    ndarray, shape (n,)
        Infinite where the theorem does not apply: ``alpha`` at most 4, or an infinite `d1` or `d2`.

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Theorem 1.
    """
    means, alpha = probabilities("means", means), number("alpha", alpha, above=0)
    rounds = vector("rounds", np.atleast_1d(rounds), least=1)
    if alpha <= 4.0 or not math.isfinite(d1(means, shape)) or not math.isfinite(d2(means, shape)):
        return np.full(len(rounds), np.inf)
    gaps = shape.mass * (means.max() - means)
    return (8.0 * alpha / gaps[gaps > 0]).sum() * np.log(rounds)


def ars_ucb_constant(late_mean, late_variance, alpha, growth="k2"):
    r"""The parts of the constant of Theorem 1, :math:`T^*=\max\{t_1,t_2\}`, as logarithms.

    With `d1` = 4.5 and alpha = 8 the logarithm of t1 is 472 already: no horizon that can be played is as long.

    Parameters
    ----------
    late_mean, late_variance : float
        `d1` and `d2`, at least 0.
    alpha : float
        Exploration of ARS-UCB, positive.
    growth : str or pair of float
        Round sizes, as `ars_ucb` takes them.

    Returns
    -------
    Constant
        Infinite where the theorem does not apply: ``alpha`` at most 4, or an infinite `d1` or `d2`.

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Theorem 1 and Appendix A.

    Examples
    --------
    >>> round(ars_ucb_constant(4.5, 0.69, alpha=8).log_t1)
    472
    """
    policy = ars_ucb(1, alpha, growth)
    for name, value in (("late_mean", late_mean), ("late_variance", late_variance)):
        if value != math.inf:
            number(name, value, least=0)
    if alpha <= 4.0 or not math.isfinite(late_mean) or not math.isfinite(late_variance):
        return Constant(math.inf, math.inf, math.inf)
    room = math.sqrt(alpha) - 2.0
    limit, total, needed, k = 48.0 * late_variance / room**2, policy.size(1), 0.0, 1
    while total / k < limit:  # the mean size of K rounds only grows
        if growth == "1":
            return Constant((4.0 * late_mean / room) ** 2, math.inf, math.inf)
        needed, k = float(total), k + 1
        total += policy.size(k)
    return Constant((4.0 * late_mean / room) ** 2, needed / alpha, needed)


def hidden_radius(pulls, rounds, t, late_mean, late_variance):
    r"""The radius of the proof, :math:`\sqrt{4\ln t/N}+d_1K/N+\sqrt{12d_2K\ln t/N^2}`, which no learner can compute.

    Parameters
    ----------
    pulls : array_like
        Pulls N of an arm, at least 1.
    rounds : array_like
        Rounds K of the arm, all complete.
    t : array_like
        Steps played so far, at least 1.
    late_mean, late_variance : float
        `d1` and `d2`.

    Returns
    -------
    ndarray
        What is seen per pull leaves the true mean by more than this with probability at most 2 / t^3.

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Appendix A.
    """
    pulls, rounds, log = np.asarray(pulls, float), np.asarray(rounds, float), np.log(t)
    late = late_mean * rounds / pulls + np.sqrt(12.0 * late_variance * rounds * log) / pulls
    return np.sqrt(4.0 * log / pulls) + late


def ars_exp3_upper(arms, horizon, d, beta=0.5):
    r"""Theorem 2: regret of ARS-EXP3 is at most :math:`3g(K)\sqrt{NK\ln N}+2dK+g(K+1)`.

    Parameters
    ----------
    arms : int
        Number of arms N, at least 1.
    horizon : int
        Number of rounds T, at least 1.
    d : float
        Longest delay, which only the bound knows, at least 0.
    beta : float
        Growth of the rounds, in [0, 1].

    Returns
    -------
    float
        The bound; it is vacuous where it exceeds the horizon, as it does below a hundred thousand rounds or so.

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Theorem 2.
    """
    policy, d = ars_exp3(arms, whole("horizon", horizon, 1), beta), number("d", d, least=0)
    rounds = policy.rounds
    last = math.ceil((rounds + 1.0) ** policy.beta - 1e-9)
    return 3.0 * policy.largest * math.sqrt(arms * rounds * math.log(arms)) + 2.0 * d * rounds + last
