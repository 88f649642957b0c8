"""The theorems."""

import bisect
import math
from typing import NamedTuple

import numpy as np

from ...validate import array_of, check_entries, is_real, number, probabilities, vector, whole
from ..arguments import guess_of
from ..environments.shapes import Shape
from ..policies import ars_exp3, ars_ucb
from .delays import d1, d2

__all__ = [
    "adversarial_lower_rate", "ars_clw_rate", "ars_exp3_upper", "ars_ucb_constant", "ars_ucb_upper", "clw_rate",
    "hidden_radius",
]  # fmt: skip

SIZES = 100_000  # of rounds that are added up one by one; the rest is the leading term
HUGE = 1e300  # near the end of the range of floats


class Constant(NamedTuple):
    """The parts of the constant of Theorem 1; logarithms, because the numbers themselves overflow."""

    log_t1: float  # of t1, which the mean d1 of what is late asks for
    log_t2: float  # of t2, which its variance d2 asks for
    log_constant: float  # of the constant itself, 2 max(t1, t2) + 8 N + N F(k0)
    samples: float  # N(d2)


def ars_ucb_upper(means, shape, rounds, alpha):
    r"""The leading term of Theorem 1, :math:`\sum_i8\alpha\ln T/\Delta_i`; the constant is left out, see
    `ars_ucb_constant`.

    Infinite where the theorem does not apply: `alpha` at most 4, or an infinite `d1` or `d2`.

    Parameters
    ----------
    means : array_like, shape (arms,), in [0, 1], expected total reward of a pull
    shape : Shape or sequence of Shape, as `stochastic` takes it
    rounds : array_like, shape (n,), horizons >= 1
    alpha : float > 0, exploration of ARS-UCB

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Theorem 1.
    """
    means, alpha = probabilities("means", means), number("alpha", alpha, above=0)
    rounds = vector("rounds", [rounds] if is_real(rounds) else rounds, least=1)
    late = d1(means, shape), d2(means, shape)
    if alpha <= 4.0 or not all(map(math.isfinite, late)):
        return np.full(len(rounds), np.inf)
    masses = shape.mass if isinstance(shape, Shape) else np.array([one.mass for one in shape])
    gaps = (masses * means).max() - masses * means
    return (8.0 * alpha / gaps[gaps > 0]).sum() * np.log(rounds)


def ars_ucb_constant(late_mean, late_variance, alpha, growth="k2", arms=9):
    r"""The constant of Theorem 1, :math:`c_f^*=2\max\{t_1,t_2\}+8N+NF(k_0)`, as a logarithm, and its parts.

    With `d1` = 4.5 and alpha = 8 the logarithm of t1 is 472 already: no horizon that can be played is as long.

    Infinite where the theorem does not apply: `alpha` at most 4, an infinite `d1` or `d2`, or rounds that do not grow;
    and where a number leaves the range of floats. N(d2) is exact where a hundred thousand different sizes of rounds
    reach it, else right to one part in a thousand.

    Parameters
    ----------
    late_mean, late_variance : float >= 0, `d1` and `d2`
    alpha : float > 0, exploration of ARS-UCB
    growth : str or pair, round sizes as `ars_ucb` takes them
    arms : int >= 1, number of arms N; the paper's nine by default

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Theorem 1 and Appendix A.

    Examples
    --------
    >>> round(ars_ucb_constant(4.5, 0.69, alpha=8).log_t1)
    472
    """
    policy = ars_ucb(arms, alpha, growth)
    late_mean, late_variance = extended("late_mean", late_mean), extended("late_variance", late_variance)
    if policy.alpha <= 4.0 or growth == "1" or math.isinf(late_mean) or math.isinf(late_variance):
        return Constant(math.inf, math.inf, math.inf, math.inf)
    room, first = math.sqrt(policy.alpha) - 2.0, early(policy)
    samples = fewest(policy, 48.0 * (late_variance / room) / room)
    log_t1 = (4.0 * late_mean / room) * (4.0 * late_mean / room)
    log_t2 = both(samples / policy.alpha, policy.arms * (first + 2.0 * samples))
    rest = policy.arms * (8.0 + first)
    return Constant(log_t1, log_t2, both(math.log(2.0) + max(log_t1, log_t2), rest), samples)


def both(log, count):
    """The logarithm of exp(log) + count, without computing exp(log)."""
    return float(np.logaddexp(log, math.log(count) if count > 0.0 else -math.inf))


def extended(name, value):
    """A number of at least 0, or infinity."""
    return math.inf if is_real(value) and value == math.inf else number(name, value, least=0)


def early(policy):
    """F(k0): what is played of an arm until the k-th of its rounds, and every later one, has F(k) >= f(k + 1).

    From the hundredth round on that holds of every growth function there is.
    """
    played = late = 0
    for k in range(1, 101):
        played += policy.size(k)
        if played < policy.size(k + 1):
            late = played
    return late


def fewest(policy, limit):
    r"""N(d2): the largest F(K) with :math:`F(K)/K` below the limit, which only grows with K; 0 if there is none."""
    played, k, size = 0.0, 0.0, 0.0  # F(k), k, f(k)
    if policy.size(1) >= limit or limit >= HUGE:
        return math.inf if limit >= HUGE else 0.0
    for _ in range(SIZES):
        size = max(float(policy.size(int(k) + 1)), size + 1.0)  # rounds of the same size are taken together
        last = end_of(policy, size, k + 1.0)
        if size > limit:  # F(K) / K = (F(k) + (K - k) size) / K comes up to the limit some time
            below = math.ceil((size * k - played) / (size - limit)) - 1.0
            if below < last:
                return played + size * (below - k)
        if math.isinf(last):
            return math.inf
        played, k = played + size * (last - k), last
    return limit * to_the(limit * (policy.exponent + 1.0) / policy.factor, 1.0 / policy.exponent)


def end_of(policy, size, k):
    """The last of the rounds of this size, the first of which is k."""
    if policy.base > 1.0:
        return max(k, 2.0)
    return max(k, float(np.floor(to_the((size + 1e-9) / policy.factor, 1.0 / policy.exponent))))


def to_the(base, exponent):
    """A power, infinite where it leaves the range of floats."""
    return math.exp(exponent * math.log(base)) if exponent * math.log(base) < math.log(HUGE) else math.inf


def hidden_radius(pulls, rounds, t, late_mean, late_variance):
    r"""The radius of the proof, :math:`\sqrt{4\ln t/N}+d_1K/N+\sqrt{12d_2K\ln t/N^2}`, which no learner can compute.

    What is seen per pull leaves the true mean by more than this with probability at most 2 / t^3 (Lemma 1).

    Parameters
    ----------
    pulls : array_like >= 1, pulls N of an arm
    rounds : array_like >= 1, rounds K of the arm, all complete
    t : array_like >= 1, steps played so far
    late_mean, late_variance : float >= 0, `d1` and `d2`; infinite ones make the radius infinite

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Appendix A.
    """
    counts = {"pulls": pulls, "rounds": rounds, "t": t}
    for name, values in counts.items():
        if not check_entries(name, array_of(name, values, "a number or an array of numbers"), 1, None).size:
            raise ValueError(f"{name}={values!r}: must not be empty")
    pulls, rounds, t = (np.asarray(values, float) for values in counts.values())
    late_mean, late_variance = extended("late_mean", late_mean), extended("late_variance", late_variance)
    if math.isinf(late_mean) or math.isinf(late_variance):
        return np.full(np.broadcast(pulls, rounds, t).shape, np.inf)
    spread = np.sqrt(12.0 * rounds * np.log(t)) * math.sqrt(late_variance) if late_variance > 0.0 else 0.0
    return np.sqrt(4.0 * np.log(t) / pulls) + (late_mean * rounds + spread) / pulls


def ars_exp3_upper(arms, horizon, d, beta=0.5):
    r"""Theorem 2: regret of ARS-EXP3 is at most :math:`3g(K)\sqrt{NK\ln N}+2dK+g(K+1)`.

    It is vacuous where it exceeds the horizon, as it does below a hundred thousand rounds or so.

    Parameters
    ----------
    arms : int >= 1, number of arms N
    horizon : int from 1 to 10^11, number of rounds T
    d : float >= 0, longest delay, which only the bound knows
    beta : float in [0, 1], growth of the rounds

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Theorem 2.
    """
    policy, d = ars_exp3(arms, horizon, beta), number("d", d, least=0)
    rounds = policy.rounds
    learning = 3.0 * policy.largest * math.sqrt(policy.arms * rounds * math.log(policy.arms))
    return learning + 2.0 * d * rounds + policy.size(rounds + 1)


def ars_clw_rate(arms, horizon, h, d):
    r"""Theorem 3 without its constant: regret of ARS-CLW is of the order :math:`\sqrt{T\,h(2T)\,N\ln N}+h^{-1}(d)`.

    An order, not a bound: compare its growth with the regret's, not its size. It holds for oblivious delays only.

    Parameters
    ----------
    arms : int >= 1, number of arms N
    horizon : int >= 1, number of rounds T
    h : float in (0, 1) or callable, as `ars_clw` takes it; a power p stands for T^p, not rounded
    d : float >= 0, longest delay, which only the bound knows

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Theorem 3.
    """
    arms, horizon, d = whole("arms", arms, 1), whole("horizon", horizon, 1), number("d", d, least=0)
    function = guess_of(h)
    if callable(h):
        guess, late = function(2 * horizon), reached(function, d)
    else:
        guess, late = (2.0 * horizon) ** h, to_the(d, 1.0 / h) if d > 0.0 else 0.0
    return math.sqrt(horizon * guess * arms * math.log(arms)) + late


def reached(h, d):
    """The inverse of h: the first T with h(T) >= d; infinite if there is none up to 2^61."""
    high = 1
    while h(high) < d:
        high *= 2
        if high > 2**61:
            return math.inf
    return float(bisect.bisect_left(range(high), d, high // 2 + 1, key=h))


def clw_rate(arms, horizon, d):
    r"""The rate of CLW with EXP3 inside, which is told d: regret of the order :math:`\sqrt{dTN\ln N}`.

    An order, not a bound; see `adversarial_lower_rate`. It holds for oblivious delays only.

    Parameters
    ----------
    arms : int >= 1, number of arms N
    horizon : int >= 1, number of rounds T
    d : float >= 0, longest delay

    References
    ----------
    Cesa-Bianchi, Gentile, Mansour, Nonstochastic bandits with composite anonymous feedback, 2018; Adaptive Algorithms
    for Multi-armed Bandit with Composite and Anonymous Feedback, Section 1.1, quotes it without the logarithm, and
    Appendix C without d.
    """
    return adversarial_lower_rate(arms, horizon, d) * math.sqrt(math.log(arms))


def adversarial_lower_rate(arms, horizon, d):
    r"""What every learner suffers under some oblivious sequence, up to a constant: :math:`\Omega(\sqrt{dTN})`.

    An order, not a bound.

    Parameters
    ----------
    arms : int >= 1, number of arms N
    horizon : int >= 1, number of rounds T
    d : float >= 0, longest delay

    References
    ----------
    Cesa-Bianchi, Gentile, Mansour, Nonstochastic bandits with composite anonymous feedback, 2018, as quoted in
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Section 1.1.
    """
    arms, horizon, d = whole("arms", arms, 1), whole("horizon", horizon, 1), number("d", d, least=0)
    return math.sqrt(d * horizon * arms)
