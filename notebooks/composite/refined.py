"""What the proof of Theorem 1 gives beyond the paper: a constant that knows the round sizes, and half of Lemma 1."""

import bisect
import functools
import math

import numpy as np

from banditlab.composite.bounds.theorems import HUGE, extended
from banditlab.composite.policies import ars_ucb
from banditlab.validate import whole

__all__ = ["lemma1_lower", "lower_radius", "refined_log_horizon"]

ROUNDS = 200_000  # of an arm; the constant is infinite where more are needed


def refined_log_horizon(late_mean, late_variance, alpha, growth="k2"):
    r"""The logarithm of the horizon :math:`T^*` from which the radius of ARS-UCB covers that of the proof (ours).

    Where an arm has fewer than :math:`\alpha\ln t` pulls its index is capped at 1, ties go to the fewest pulls, and the
    arm that is played has a radius of more than its gap. So the radius need only be large enough for rounds K with
    :math:`F(K)\ge\alpha\ln t`, and T* is the first t with

    .. math:: \frac{d_1}{\sqrt{\ln t}}\frac K{\sqrt{F(K)}}+\sqrt{\frac{12d_2K}{F(K)}}\le\sqrt\alpha-2
       \quad\text{for all such }K.

    Lemma 2 takes :math:`K/\sqrt{F(K)}\le2` for all K, and so :math:`\ln T^*=(4d_1/(\sqrt\alpha-2))^2` whatever the
    rounds; here it is of the order :math:`(d_1/(\sqrt\alpha-2))^{(\beta+1)/\beta}` for :math:`f(k)=k^\beta`, and
    :math:`d_1\ln d_1` for :math:`f(k)=2^k`: Remark 1 as a theorem.

    Parameters
    ----------
    late_mean, late_variance : float >= 0, `d1` and `d2`
    alpha : float > 0, exploration of ARS-UCB; infinite for at most 4
    growth : str or pair, round sizes as `ars_ucb` takes them

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Remark 1 and Lemma 2.

    Examples
    --------
    >>> [round(refined_log_horizon(4.5, 0.69, 8, growth)) for growth in ("k", "k2", "k3")]
    [327, 40, 14]
    """
    policy = ars_ucb(1, alpha, growth)
    late_mean, late_variance = extended("late_mean", late_mean), extended("late_variance", late_variance)
    if policy.alpha <= 4.0 or growth == "1" or math.isinf(late_mean) or math.isinf(late_variance):
        return math.inf
    room, (played, biased, spread) = math.sqrt(policy.alpha) - 2.0, worst_rounds(policy._replace(alpha=1.0), ROUNDS)

    def needed(k):
        """The logarithm of t from which the radius covers round k and all later ones; it falls with k."""
        left = room - math.sqrt(12.0 * late_variance * spread[k])
        root = late_mean * biased[k] / left if left > 0.0 else math.inf
        return float(root * root)

    def end(k):
        """The logarithm of t up to which round k counts."""
        return float(played[k] / policy.alpha)

    first = bisect.bisect_left(range(len(played)), True, key=lambda k: needed(k) <= end(k))
    return max(needed(first), end(first - 1) if first else 0.0) if first < len(played) else math.inf


@functools.lru_cache(16)  # a slider asks for the same at every step
def worst_rounds(policy, most):
    """F(K), and the largest K' / sqrt(F(K')) and K' / F(K') from K on, by number of rounds K up to so many."""
    rounds = np.arange(1.0, most + 1.0)
    with np.errstate(over="ignore"):
        sizes = np.ceil(policy.factor * rounds**policy.exponent * policy.base**rounds - 1e-9)
    sizes[0] = policy.first
    rounds = rounds[sizes < HUGE**0.5]
    played = np.cumsum(sizes[: len(rounds)])
    biased = np.maximum.accumulate((rounds / np.sqrt(played))[::-1])[::-1]
    if policy.base <= 1.0 and policy.exponent == 1.0:  # it rises to its limit
        biased = np.maximum(biased, math.sqrt(2.0 / policy.factor))
    return played, biased, np.maximum.accumulate((rounds / played)[::-1])[::-1]


def lemma1_lower(t):
    r"""A bound on the chance that :math:`s_i` exceeds its upper confidence bound after t steps: half of Lemma 1 (ours).

    What each pull of the arm pays within its own round is in [0, 1], and whatever else is seen meanwhile only adds. At
    the end of K rounds, N pulls, these N numbers are independent, as the rounds' sizes are fixed, and what they miss of
    :math:`Ns_i` is at most :math:`d_1K` in the mean. So Hoeffding's inequality at :math:`2\sqrt{N\ln t}` gives
    :math:`t^{-8}` for each K, however K depends on what was seen; then the sum over :math:`K\le\sqrt{2t}`.

    Parameters
    ----------
    t : int >= 1, steps played

    Returns
    -------
    float
        It never exceeds 1 / t^3.

    Examples
    --------
    >>> lemma1_lower(2) * 2**3
    0.0625
    """
    t = float(whole("t", t, 1))
    return min(1.0, math.sqrt(2.0 * t) * t**-8)


def lower_radius(pulls, rounds, t, late_mean):
    r"""What the lower side of Lemma 1 needs in place of the hidden radius (ours).

    With :math:`\sqrt{(7\ln t+\ln2)/4N}+d_1K/N` the proof of `lemma1_lower` gives :math:`1/t^3`: Hoeffding's inequality
    leaves :math:`t^{-7/2}/\sqrt2` for each K, and there are at most :math:`\sqrt{2t}` of them. No variance is needed.

    Parameters
    ----------
    pulls, rounds : array_like >= 1, pulls N of an arm in its K rounds, all complete
    t : float >= 1, steps played so far
    late_mean : float >= 0, `d1`

    Examples
    --------
    >>> round(float(lower_radius(100, 6, 1000, 2.0)), 3)
    0.472
    """
    pulls, rounds = np.asarray(pulls, float), np.asarray(rounds, float)
    return np.sqrt((7.0 * math.log(t) + math.log(2.0)) / (4.0 * pulls)) + late_mean * rounds / pulls
