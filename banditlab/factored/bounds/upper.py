"""Upper bounds of F-UCB (Section 4, Appendix A), and the orders that Section 4.2 compares."""

import math

import numpy as np

from ...validate import flag, horizons, number, unwrap_scalar, vector, whole
from ..arguments import deviations
from ..arguments import sizes as sizes_of
from .common import LP_VECTORS, gaps_of, incidence, joint_gap, least_cost, means_of, rows_of, vector_gaps

__all__ = [
    "fucb_order", "g1", "g2", "priced_upper", "remark41_ratio", "remark41_upper", "robust_ucb_order", "tea_order",
    "upper_bound", "upper_bound_lp", "worst_case_upper",
]  # fmt: skip

ORDER_VECTORS = 10_000_000


def alpha_of(alpha, theorem):
    return number(f"{theorem}: alpha", alpha, above=2)


def other_optima(mu):
    """Product of the best means of all other components, (d,); no division, so a best mean may be 0."""
    best = np.array([m.max() for m in mu])
    before = np.cumprod(np.append(1.0, best[:-1]))
    return before * np.cumprod(np.append(1.0, best[:0:-1]))[::-1]


def inverse_gaps(mu):
    """Sum of 1/gap over the positive gaps of each component, (d,)."""
    return np.array([np.sum(1 / gap[gap > 0]) for gap in gaps_of(mu)])


def g1(alpha):
    """Constant of Theorem 4.1: b + b^2 / log((alpha + 2) / 4) with b = (alpha + 2) / (alpha - 2).

    Parameters
    ----------
    alpha : float > 2

    Examples
    --------
    >>> round(g1(4), 4)
    25.1967
    """
    alpha = alpha_of(alpha, "Theorem 4.1")
    b = (alpha + 2) / (alpha - 2)
    return b + b**2 / math.log1p((alpha - 2) / 4)


def g2(alpha):
    """Constant of Theorem 4.2, twice that of Theorem 4.1 (the paper calls both g).

    Parameters
    ----------
    alpha : float > 2
    """
    return 2 * g1(alpha_of(alpha, "Theorem 4.2"))


def worst_case_terms(sizes, sigma, horizon, alpha):
    """The two terms of Theorem 4.1."""
    root = 4 * np.sum(sigma * np.sqrt(sizes)) * np.sqrt(alpha * horizon * np.log(horizon))
    return root, (g1(alpha) + 1) * np.sum(sizes)


def worst_case_upper(sizes, sigma, horizon, alpha=4.0):
    """Worst-case upper bound on the regret of F-UCB (Theorem 4.1).

    4 sum_i sigma_i sqrt(alpha k_i T log T) + (g1(alpha) + 1) sum_i k_i. The + 1 is not printed: it is the first term of
    the sum that the proof replaces by an integral.

    Parameters
    ----------
    sizes : list of d ints >= 1
    sigma : float > 0, or array (d,)
    horizon : int >= 1, or array
    alpha : float > 2

    Examples
    --------
    >>> round(worst_case_upper([2, 2], 0.5, 10_000), 1)
    3538.3
    """
    sizes, alpha = sizes_of(sizes, "sizes"), alpha_of(alpha, "Theorem 4.1")
    terms = worst_case_terms(sizes, deviations(sigma, len(sizes)), horizons("horizon", horizon), alpha)
    return unwrap_scalar(sum(terms))


def upper_bound_lp(means, sigma, horizon, alpha=4.0):
    """Upper bound on the regret of F-UCB: the linear program of Theorem 4.2, at most 20,000 vectors (ValueError above).

    An option of positive gap is pulled at most 4 alpha sigma_i^2 log(T) / gap^2 + g2(alpha) + 1 times. The + 1 is not
    printed: it is the rounding up of the first term.

    Parameters
    ----------
    means : list of d 1-D arrays in [0, 1]
    sigma : float > 0, or array (d,)
    horizon : int >= 1
    alpha : float > 2

    Examples
    --------
    >>> round(upper_bound_lp([[1.0, 0.5], [1.0, 0.5]], 0.5, 10_000), 3)
    198.759
    """
    from scipy.sparse import vstack

    mu, alpha = means_of(means), alpha_of(alpha, "Theorem 4.2")
    sigma, horizon = deviations(sigma, len(mu)), whole("horizon", horizon, least=1)
    gaps = vector_gaps(mu, LP_VECTORS)
    ratios = np.concatenate([gap / s for gap, s in zip(gaps_of(mu), sigma, strict=True)])
    limited = ratios > 0
    if not limited.any():
        return 0.0
    pulls = np.minimum(4 * alpha * math.log(horizon) / ratios[limited] ** 2 + g2(alpha) + 1, horizon)
    # The optimal vector takes the remaining rounds and costs nothing: "T rounds" is "at most T rounds".
    matrix = vstack([incidence(mu)[limited], np.ones((1, len(gaps)))], format="csr")
    unit = float(pulls.max())
    return -unit * least_cost(-gaps, matrix, np.append(pulls, horizon) / unit)


def upper_bound(means, sigma, horizon, alpha=4.0):
    """Explicit upper bound on the regret of F-UCB (Corollary 4.3), never below that of Theorem 4.2.

    4 alpha log(T) sum_i sigma_i^2 mu*_-i sum_j 1/gap_ij + (g2(alpha) + 1) sum_i k_i over positive gaps; the + 1 as in
    `upper_bound_lp`.

    Parameters
    ----------
    means : list of d 1-D arrays in [0, 1]
    sigma : float > 0, or array (d,)
    horizon : int >= 1, or array
    alpha : float > 2

    Examples
    --------
    >>> round(upper_bound([[1.0, 0.5], [1.0, 0.5]], 0.5, 10_000), 3)
    352.939
    """
    mu, alpha = means_of(means), alpha_of(alpha, "Corollary 4.3")
    slope = 4 * alpha * np.sum(deviations(sigma, len(mu)) ** 2 * other_optima(mu) * inverse_gaps(mu))
    return unwrap_scalar(slope * np.log(horizons("horizon", horizon)) + (g2(alpha) + 1) * sum(len(m) for m in mu))


def priced_upper(multipliers, costs, scale, sigma, horizon, alpha, cap=False):
    """Upper bound on the regret of F-UCB with known multipliers and costs (Theorem 4.1 and Appendix A).

    The reward is scale prod_i(m_i x_i) - sum_i c_i; let M = scale prod_i max_j m_ij. Without costs both terms of
    Theorem 4.1 are multiplied by M. With costs the second one is multiplied by M + sum_i(max_j c_ij - min_j c_ij)
    instead, and the indices must be capped at 1: the proof needs partial products of indices to be at most 1.

    Parameters
    ----------
    multipliers : list of d 1-D arrays >= 0
        A number for each option of a component; the means do not matter.
    costs : list of d 1-D arrays
        Of the same sizes, in the unit of the reward.
    scale : float >= 0
    sigma : float > 0, or array (d,)
    horizon : int >= 1, or array
    alpha : float > 2
    cap : bool
        Whether the algorithm caps its indices at 1.

    Raises
    ------
    ValueError
        With cap=False and options that differ in cost, where no bound is known.

    Examples
    --------
    >>> free = [[0.0, 0.0], [0.0, 0.0]]
    >>> priced_upper([[1, 1], [1, 2]], free, 1.0, 0.5, 100, 4.0) == 2 * worst_case_upper([2, 2], 0.5, 100)
    True
    """
    multipliers = rows_of("multipliers", multipliers, lambda name, row: vector(name, row, least=0.0))
    costs = rows_of("costs", costs, vector)
    sizes, other = (np.array([len(row) for row in rows]) for rows in (multipliers, costs))
    if sizes.tolist() != other.tolist():
        raise ValueError(f"costs has sizes {other.tolist()}: must be those of multipliers, {sizes.tolist()}")
    spread = sum(float(np.ptp(row)) for row in costs)
    if spread > 0 and not flag("cap", cap):
        raise ValueError(f"cap={cap!r}: must be True where options differ in cost, no bound is known otherwise")
    largest = number("scale", scale, least=0) * math.prod(float(row.max()) for row in multipliers)
    alpha = alpha_of(alpha, "Theorem 4.1")
    root, rest = worst_case_terms(sizes, deviations(sigma, len(sizes)), horizons("horizon", horizon), alpha)
    return unwrap_scalar(largest * root + (largest + spread) * rest)


def remark41_upper(gap, d, sigma, alpha, horizon):
    """Leading term 4 d alpha sigma^2 log(T) / gap of Corollary 4.3 for means 1 and 1 - gap (Remark 4.1).

    Parameters
    ----------
    gap : float in (0, 1]
    d : int >= 1
    sigma : float > 0
    alpha : float > 2
    horizon : int >= 1, or array

    Examples
    --------
    >>> round(remark41_upper(0.5, 2, 0.5, 4.0, 10_000), 3)
    147.365
    """
    gap, d = number("gap", gap, above=0, most=1), whole("d", d, least=1)
    slope = 4 * d * alpha_of(alpha, "Remark 4.1") * number("sigma", sigma, above=0) ** 2 / gap
    return unwrap_scalar(slope * np.log(horizons("horizon", horizon)))


def remark41_ratio(gap, d, alpha=4.0):
    """Ratio 2 d alpha gap / (1 - (1 - gap)^d) of the two bounds of Remark 4.1 (Equation 16), 2 alpha to 2 d alpha.

    Parameters
    ----------
    gap : float in (0, 1]
    d : int >= 1
    alpha : float > 2

    Examples
    --------
    >>> remark41_ratio(1.0, 5)
    40.0
    """
    gap, d = number("gap", gap, above=0, most=1), whole("d", d, least=1)
    return 2 * d * alpha_of(alpha, "Remark 4.1") * (gap / joint_gap(gap, d))


def robust_ucb_order(means):
    """Sum of 1/gap over the suboptimal product vectors, the order of Robust-UCB (section 4.2, Equation 15).

    Parameters
    ----------
    means : list of d 1-D arrays in [0, 1]
        At most 10 million product vectors (ValueError above).

    Examples
    --------
    >>> round(robust_ucb_order([[1.0, 0.5], [1.0, 0.5]]), 4)
    5.3333
    """
    gaps = vector_gaps(means_of(means), ORDER_VECTORS)
    return float(np.sum(1 / gaps[gaps > 0]))


def tea_order(means):
    """max_i mu*_-i times the sum of 1/gap_ij over positive gaps, the order of TEA but for its logarithms (section 4.2).

    Parameters
    ----------
    means : list of d 1-D arrays in [0, 1]

    Examples
    --------
    >>> tea_order([[1.0, 0.5], [0.5, 0.25]])
    6.0
    """
    mu = means_of(means)
    return float(other_optima(mu).max() * np.sum(inverse_gaps(mu)))


def fucb_order(means):
    """sum_i mu*_-i sum_j 1/gap_ij over positive gaps, the order of F-UCB in Corollary 4.3 (section 4.2, Equation 14).

    Parameters
    ----------
    means : list of d 1-D arrays in [0, 1]

    Examples
    --------
    >>> fucb_order([[1.0, 0.5], [0.5, 0.25]])
    5.0
    """
    mu = means_of(means)
    return float(np.sum(other_optima(mu) * inverse_gaps(mu)))
