"""Lower bounds: what no policy, or no consistent policy, can beat (Section 3)."""

import math
import reprlib

import numpy as np

from ...validate import horizons, number, unwrap_scalar, whole
from ..arguments import deviations
from ..arguments import sizes as sizes_of
from .common import LP_VECTORS, gaps_of, incidence, joint_gap, least_cost, means_of, vector_gaps

__all__ = [
    "lower_bound_constant", "lower_bound_lp", "lower_bound_slices", "remark41_lower", "reward_only_lower",
    "worst_case_lower",
]  # fmt: skip

SLICE_ENTRIES = 10_000_000


def worst_case_lower(sizes, sigma, horizon):
    r"""Worst-case lower bound on the regret of every algorithm (Theorem 3.1).

    Some instance costs :math:`\frac1{4\sqrt2}\sum_i\sigma_i\sqrt{k_iT}` or more if
    :math:`T\ge2\max_i\sigma_i^2k_i/(1-2^{-1/(d-1)})^2`, where the denominator is 1 for d = 1. The constant was not
    legible in our copy and is reconstructed from the proof; `minimax_lower`, which is larger, proves it. Components of
    a single option cannot err and are left out.

    Parameters
    ----------
    sizes : list of d ints >= 1
    sigma : float > 0, or array (d,)
    horizon : int >= 1, or array

    Returns
    -------
    float or array
        NaN below the least horizon of the theorem.

    Examples
    --------
    >>> round(worst_case_lower([4], 1.0, 10_000), 2)
    35.36
    >>> worst_case_lower([4], 1.0, 7)
    nan
    """
    sizes, horizon = sizes_of(sizes, "sizes"), horizons("horizon", horizon)
    sigma = deviations(sigma, len(sizes))
    sizes, sigma = sizes[sizes > 1], sigma[sizes > 1]
    largest_gap = 1 - 2 ** (-1 / (len(sizes) - 1)) if len(sizes) > 1 else 1.0
    least = 2.0 * np.max(sigma**2 * sizes, initial=0.0) / largest_gap**2
    bound = np.sum(sigma * np.sqrt(sizes)) * np.sqrt(horizon) / (4 * math.sqrt(2))
    return unwrap_scalar(np.where(horizon >= least, bound, np.nan))


def reward_only_lower(sizes, sigma, horizon):
    """Worst-case lower bound for algorithms that see nothing but the reward (Theorem 3.2).

    Some instance costs prod_i(sigma_i) sqrt((k - 1) T / d) / (16 e) or more, where k = min_i k_i. (The constant was not
    legible in our copy and is reconstructed; `minimax_lower_reward_only` is larger.) The means of its instance are in
    [0, 1] only if T >= max(4, prod_i sigma_i^2) (k - 1) / d (the paper prints 4), so the bound is at most T / (16 e).

    Parameters
    ----------
    sizes : list of d ints >= 1
    sigma : float > 1, or array (d,)
    horizon : int >= 1, or array

    Returns
    -------
    float or array
        NaN where the instance does not exist.

    Examples
    --------
    >>> round(reward_only_lower([3, 3], 2.0, 1_000), 4)
    2.9083
    """
    sizes, horizon = sizes_of(sizes, "sizes"), horizons("horizon", horizon)
    d, others = len(sizes), sizes.min() - 1
    sigma = deviations(sigma, d)
    if np.any(sigma <= 1):
        raise ValueError(f"Theorem 3.2: sigma={sigma.min()}: must be greater than 1")
    if others == 0:  # a component that cannot err: the bound is void
        return unwrap_scalar(np.zeros(horizon.shape))
    noise = math.prod(sigma.tolist())  # may overflow to infinity, but only where the instance does not exist
    exists = horizon * d >= max(4.0, noise * noise) * others
    return unwrap_scalar(np.where(exists, noise / (16 * math.e) * np.sqrt(others * horizon / d), np.nan))


def widths_of(mu, sigma):
    """Arrays of (s sigma_i / gap)^2, 0 at gap 0, and s = min gap / sigma_i: required pulls in units of the largest."""
    ratios = [gap / s for gap, s in zip(gaps_of(mu), sigma, strict=True)]
    least = float(min(ratio[ratio > 0].min(initial=np.inf) for ratio in ratios))
    return [np.divide(least, r, out=np.zeros_like(r), where=r > 0) ** 2 for r in ratios], least


def ascending(m):
    """Options by increasing mean, ties by index, but the lowest best one last (Theorem 3.4)."""
    order, best = np.argsort(m, kind="stable"), m.argmax()
    return np.append(order[order != best], best)


def lower_bound_lp(means, sigma):
    """C(nu) of Theorem 3.3: its linear program over all product vectors, at most 20,000 (ValueError above).

    Parameters
    ----------
    means : list of d 1-D arrays in [0, 1]
        Options of zero gap are not constrained.
    sigma : float > 0, or array (d,)

    Examples
    --------
    >>> round(lower_bound_lp([[1.0, 0.5], [1.0, 0.5]], 1.0), 9)
    6.0
    """
    mu = means_of(means)
    gaps = vector_gaps(mu, LP_VECTORS)
    widths, least = widths_of(mu, deviations(sigma, len(mu)))
    widths = np.concatenate(widths)
    required = widths > 0
    if not required.any():
        return 0.0
    return 2 * (least_cost(gaps, -incidence(mu)[required], -widths[required]) / least) / least


def lower_bound_constant(means, sigma):
    """C(nu) of Theorem 3.4: the linear program of Theorem 3.3 solved explicitly, O(K log K) for K options in all.

    For Gaussian observations and a unique optimal vector, every consistent algorithm has liminf E R_T / log T >= C(nu).
    Where a best mean is 1 this holds for algorithms that are consistent also beyond 1, as F-UCB and F-Track are.

    Parameters
    ----------
    means : list of d 1-D arrays in [0, 1]
    sigma : float > 0, or array (d,)

    Examples
    --------
    The two-component example of section 3.2: playing the bad options one at a time would cost 8.

    >>> lower_bound_constant([[1.0, 0.5], [1.0, 0.5]], 1.0)
    6.0
    """
    mu = means_of(means)
    widths, least = widths_of(mu, deviations(sigma, len(mu)))
    edges, steps = [], []
    for m, width in zip(mu, widths, strict=True):
        order = ascending(m)
        edges.append(np.cumsum(width[order[:-1]]))
        upper = m[order[1:]]
        drops = np.divide(np.diff(m[order]), upper, out=np.zeros_like(upper), where=upper > 0)
        with np.errstate(divide="ignore"):  # log 0 at a mean of 0: from here to the first slice the product is 0
            steps.append(np.log1p(-drops))
    edges, steps = np.concatenate(edges), np.concatenate(steps)
    order = np.argsort(edges, kind="stable")
    lengths = np.diff(edges[order], prepend=0.0)
    # From the last slice to the first the log of the product only falls: no underflow, no cancellation.
    logs = np.cumsum(steps[order][::-1])[::-1]
    cost = np.prod([m.max() for m in mu]) * np.sum(lengths * np.abs(np.expm1(logs)))
    return 2 * (float(cost) / least) / least


def lower_bound_slices(means, sigma):
    """The packing behind C(nu), slice by slice (Theorem 3.4, Figure 1), the most suboptimal vector first.

    The lengths times the gaps of the vectors sum to C(nu). Breakpoints within 1e-12 relative are merged.

    Parameters
    ----------
    means : list of d 1-D arrays in [0, 1]
        At most 10 million entries of slice vectors (ValueError above).
    sigma : float > 0, or array (d,)

    Returns
    -------
    lengths : float64 array (slices,)
        Pulls per log T.
    vectors : int64 array (slices, d)
        0-based options.

    Examples
    --------
    >>> lengths, vectors = lower_bound_slices([[1.0, 0.5], [0.75, 1.0]], 1.0)
    >>> lengths.tolist(), vectors.tolist()
    ([8.0, 24.0], [[1, 0], [0, 0]])
    """
    mu = means_of(means)
    widths, least = widths_of(mu, deviations(sigma, len(mu)))
    entries = sum(len(m) - 1 for m in mu) * len(mu)
    if entries > SLICE_ENTRIES:
        sizes = reprlib.repr([len(m) for m in mu])
        raise ValueError(f"means: sizes {sizes} give {8 * entries:,} bytes of slices; at most {8 * SLICE_ENTRIES:,}")
    orders = [ascending(m) for m in mu]
    edges = [np.cumsum(width[order[:-1]]) for width, order in zip(widths, orders, strict=True)]
    ends = np.sort(np.concatenate(edges))
    ends = ends[np.diff(ends, prepend=0.0) > 1e-12 * ends]
    vectors = [order[np.searchsorted(edge, ends)] for edge, order in zip(edges, orders, strict=True)]
    return 2 * (np.diff(ends, prepend=0.0) / least) / least, np.stack(vectors, axis=1)


def remark41_lower(gap, d, sigma):
    """C(nu) = 2 sigma^2 (1 - (1 - gap)^d) / gap^2 of d components with means 1 and 1 - gap (Remark 4.1).

    Parameters
    ----------
    gap : float in (0, 1]
    d : int >= 1
    sigma : float > 0

    Examples
    --------
    >>> remark41_lower(0.5, 2, 1.0)
    6.0
    """
    gap, d = number("gap", gap, above=0, most=1), whole("d", d, least=1)
    return 2 * number("sigma", sigma, above=0) ** 2 * (joint_gap(gap, d) / gap) / gap
