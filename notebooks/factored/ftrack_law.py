"""The law of F-Track where the components are alike: how often its warm-up misleads it, and its regret exactly."""

import math

import numpy as np

from banditlab.factored.bounds.lower import remark41_lower
from banditlab.factored.constants import ftrack_constants
from banditlab.validate import is_real, number, unwrap_scalar, vector, whole

__all__ = [
    "far_horizon",
    "ftrack_limit",
    "ftrack_limit_begins",
    "ftrack_regret",
    "ftrack_regret_at",
    "misidentification_probability",
]


def misidentification_probability(gap, d, sigma, n0):
    """Probability 1 - Phi(gap sqrt(n0 / 2) / sigma)^d that a warm-up ends with a wrong best vector.

    For d components of two options, Gaussian observations, n0 samples per option: F-Track in Figure 4.

    Parameters
    ----------
    gap : float > 0
    d : int >= 1
    sigma : float > 0
    n0 : int >= 1

    Examples
    --------
    >>> round(misidentification_probability(0.5, 10, 0.5, 4), 4)
    0.5592
    """
    from scipy.special import log_ndtr

    score = number("gap", gap, above=0) * math.sqrt(whole("n0", n0, least=1) / 2) / number("sigma", sigma, above=0)
    return -math.expm1(whole("d", d, least=1) * float(log_ndtr(score)))


def ftrack_regret(gap, d, sigma, horizon, n0_mult=1.0):
    r"""Expected regret of F-Track without recovery, exactly (ours): Figure 4 without simulation.

    For d components of two Gaussian options with means 1 and 1 - gap. After :math:`N_0` samples per option each
    component plays its estimated worse option for the first :math:`\hat N=\lceil2\sigma^2f_T(1/T)/\hat\Delta^2\rceil`
    rounds of the plan, up to the order of the rounds. It is on option 2 in round s (from 0) with probability
    :math:`p_s=\Phi((z_s-\Delta)/\tau)-\Phi(-\Delta/\tau)+\Phi((-z_s-\Delta)/\tau)`, where
    :math:`z_s=\sqrt{2\sigma^2f_T(1/T)/s}` and :math:`\tau=\sigma\sqrt{2/N_0}`, and components are independent:

    .. math:: E R_T=N_0\,(1-(1-\Delta)^d)+\sum_{s=0}^{T-2N_0-1}\bigl(1-(1-\Delta p_s)^d\bigr).

    The recovery tolerates eight standard deviations of a warm-up mean; its contribution is far below rounding.

    Parameters
    ----------
    gap : float in (0, 1]
    d : int >= 1
    sigma : float > 0
    horizon : int >= 3
    n0_mult : float > 0, reading of the warm-up as in `ftrack`

    Returns
    -------
    float

    References
    ----------
    Factored-Reward Bandits, Algorithm 2 and Appendix E.2.

    Examples
    --------
    >>> round(ftrack_regret(0.9, 10, 0.5, 100_000), 1)
    5047.7
    """
    return ftrack_regret_at(gap, d, sigma, horizon, ftrack_constants(horizon, sigma, n0_mult=n0_mult).n0)


def ftrack_regret_at(gap, d, sigma, horizon, n0):
    """The same with a number of warm-up samples of one's own.

    Parameters
    ----------
    gap : float in (0, 1]
    d : int >= 1
    sigma : float > 0
    horizon : int >= 3
    n0 : int >= 1, samples per option

    Returns
    -------
    float
        NaN where the warm-up does not fit into the horizon.

    Examples
    --------
    >>> round(ftrack_regret_at(0.9, 10, 0.5, 100_000, 20), 1)
    43.8
    """
    from scipy.special import ndtr

    gap, d = number("gap", gap, above=0, most=1), whole("d", d, least=1)
    sigma, n0 = number("sigma", sigma, above=0), whole("n0", n0, least=1)
    lead, rounds = ftrack_constants(horizon, sigma).lead, horizon - 2 * n0
    if rounds < 0:
        return math.nan
    spread = sigma * math.sqrt(2 / n0)  # standard deviation of an estimated gap
    chance = ndtr(-gap / spread)

    def expected(s):
        """Expected regret of round s of the plan."""
        with np.errstate(divide="ignore"):
            z = np.sqrt(lead / s)
        return loss(gap, ndtr((z - gap) / spread) - chance + ndtr((-z - gap) / spread), d)

    total, summed = n0 * loss(gap, 1.0, d), min(rounds, SUMMED)
    total += float(np.sum(expected(np.arange(summed))))
    if summed < rounds:
        total += rest(expected, summed, rounds, lead / gap**2, 2 * spread / gap)
    return float(total)


POINTS, WEIGHTS = (np.polynomial.legendre.leggauss(200) + np.array([[1.0], [0.0]])) / 2  # on [0, 1]
SUMMED = 2**12  # rounds that are summed one by one; the rest, integrated, is right to 1e-13


def rest(expected, start, end, turn, width):
    """The sum from start to end - 1 by the Euler-Maclaurin formula, slopes at both ends included.

    The terms fall around the round ``turn``, over a part ``width`` of it: the integral is cut there, in log s.
    """
    around = [math.log(turn) + k * width for k in (-8, -4, -2, -1, 0, 1, 2, 4, 8)]
    low, high = math.log(start), math.log(end)
    cuts = np.array([low, *sorted(x for x in around if low < x < high), high])
    lengths = np.diff(cuts)
    s = np.exp(cuts[:-1, None] + lengths[:, None] * POINTS)
    total = float(sum(length * np.dot(WEIGHTS, part) for length, part in zip(lengths, expected(s) * s, strict=True)))
    ends = np.array([start, end])
    before, at, after = expected(np.stack([ends - 1, ends, ends + 1]))
    slopes = (after - before) / 2
    return total + float(at[0] - at[1]) / 2 + float(slopes[1] - slopes[0]) / 12


def loss(gap, share, d):
    """1 - (1 - gap share)^d without cancellation."""
    with np.errstate(divide="ignore"):  # log 0 where a component errs for certain and loses everything
        return -np.expm1(d * np.log1p(-gap * share))


def ftrack_limit(gap, d, sigma, log_horizon, c=2.5):
    r"""Theorem 5.1 at any horizon, to leading order: what F-Track loses over :math:`C(\nu)\log T`, in two parts (ours).

    For the instance of `ftrack_regret`, with :math:`L=\log T` and :math:`N_0=\sqrt L`. Planned: the warm-up and the
    plan at the true gaps, :math:`N_0(1-(1-\Delta)^d)/(C(\nu)L)+f_T(1/T)/L`. Wrong plans: one stays undetected only
    while both options of a component may be off by :math:`2\epsilon_T`, so while :math:`4\epsilon_T\ge\Delta`, and then
    costs a share of all rounds.

    Parameters
    ----------
    gap : float in (0, 1]
    d : int >= 1
    sigma : float > 0
    log_horizon : float >= 2, or array: the logarithm of T, which itself may be too large for any computer
    c : float > 0, as in `ftrack`

    Returns
    -------
    planned, log_wrong : array or float
        The planned part, and the logarithm of what wrong plans cost over :math:`C(\nu)\log T`; minus infinity where
        none stays undetected.

    Examples
    --------
    >>> planned, log_wrong = ftrack_limit(0.9, 10, 0.5, 10_000)
    >>> round(planned, 3), round(log_wrong)
    (1.019, 9909)
    """
    from scipy.special import log_ndtr

    gap, d, sigma = number("gap", gap, above=0, most=1), whole("d", d, least=1), number("sigma", sigma, above=0)
    begins = ftrack_limit_begins(gap, sigma, c)
    log = vector("log_horizon", [log_horizon] if is_real(log_horizon) else log_horizon, least=2)
    log = log[0] if is_real(log_horizon) else log
    scale = remark41_lower(gap, d, sigma) * log  # C(nu) log T
    planned = np.sqrt(log) * loss(gap, 1.0, d) / scale + (1 + 1 / log) * (c * np.log(log) + log) / log
    chance = log_ndtr(-gap * np.sqrt(np.sqrt(log) / 2) / sigma)  # that a component is wrong
    log_wrong = log + math.log(d * gap) + chance - np.log(scale)
    return unwrap_scalar(planned), unwrap_scalar(np.where(log <= begins, log_wrong, -np.inf))


def ftrack_limit_begins(gap, sigma, c=2.5):
    r"""The logarithm of the horizon from which F-Track detects every wrong plan: :math:`4\epsilon_T=\Delta` (ours).

    Parameters
    ----------
    gap : float in (0, 1]
    sigma : float > 0
    c : float > 0, as in `ftrack`

    Examples
    --------
    >>> round(ftrack_limit_begins(0.9, 0.5))
    173994
    """
    gap, sigma, c = number("gap", gap, above=0, most=1), number("sigma", sigma, above=0), number("c", c, above=0)

    def seen(log):
        """Whether warm-up means that are off by the threshold cannot hide the gap."""
        eps = sigma * math.sqrt(2 * (1 + 1 / log) * (c + 1) * math.log(log) / math.sqrt(log))
        return 4 * eps < gap

    low, high = math.e**2, math.e**4  # log(x) / sqrt(x) falls from e^2 on
    while not seen(high):
        low, high = high, 2 * high
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if seen(middle) else (middle, high)
    return high


def far_horizon(gap, d, sigma, times=1e5):
    r"""The logarithm of a horizon at which Theorem 5.1's ratio must be near 1: far beyond where it turns (ours).

    Wrong plans end at `ftrack_limit_begins`. The warm-up is :math:`N_0(1-(1-\Delta)^d)=w\sqrt{\log T}` of
    :math:`C(\nu)\log T`: at :math:`\log T\ge n(w/C(\nu))^2` at most :math:`1/\sqrt n`.

    Parameters
    ----------
    gap : float in (0, 1]
    d : int >= 1
    sigma : float > 0
    times : float >= 1, n

    Examples
    --------
    >>> f"{far_horizon(0.9, 10, 0.5):.3g}"
    '1.74e+10'
    """
    warm_up = loss(gap, 1.0, d) / remark41_lower(gap, d, sigma)
    return times * max(ftrack_limit_begins(gap, sigma), warm_up**2)
