"""What the bounds share: arguments, gaps, and linear programs over product vectors."""

import itertools
import math
import reprlib

import numpy as np

from ...validate import listed, probabilities

LP_VECTORS = 20_000  # variables: more take minutes


def rows_of(name, values, check):
    """A list of arrays, each checked under its own name."""
    rows = listed(name, values, "a list of one array per component, at least one")
    return [check(f"{name}[{i}]", row) for i, row in enumerate(rows)]


def means_of(means):
    return rows_of("means", means, probabilities)


def gaps_of(mu):
    return [m.max() - m for m in mu]


def vector_gaps(mu, limit):
    """Gaps of all product vectors in lexicographic order, by their exact decomposition (section 2)."""
    sizes = [len(m) for m in mu]
    count = math.prod(sizes)
    if count > limit:
        vectors, size = (f"{n:,}" if n < 1e15 else f"1e{math.log10(n):.0f}" for n in (count, 8 * count * len(mu)))
        shown = f"sizes {reprlib.repr(sizes)} give {vectors} product vectors ({size} bytes)"
        raise ValueError(f"means: {shown}; at most {limit:,} vectors can be enumerated")
    gaps, best = np.zeros(1), 1.0
    for m in mu:
        gaps = (gaps[:, None] * m + best * (m.max() - m)).ravel()  # no term is negative: nothing cancels
        best *= m.max()
    return gaps


def incidence(mu):
    """Sparse 0-1 matrix (options of all components, product vectors): which options a vector contains."""
    from scipy.sparse import csr_array

    sizes = np.array([len(m) for m in mu])
    vectors = np.array(list(itertools.product(*map(range, sizes))))
    rows = vectors + np.cumsum(sizes) - sizes
    columns = np.repeat(np.arange(len(vectors)), len(mu))
    return csr_array((np.ones(rows.size), (rows.ravel(), columns)), shape=(sizes.sum(), len(vectors)))


def least_cost(cost, matrix, limits):
    """Least cost @ x over x >= 0 with matrix @ x <= limits."""
    from scipy.optimize import linprog

    tolerances = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    solution = linprog(cost, A_ub=matrix, b_ub=limits, method="highs", options=tolerances)
    if solution.status != 0:
        raise RuntimeError(f"the linear program was not solved: {solution.message}")
    return float(solution.fun)


def joint_gap(gap, d):
    """1 - (1 - gap)^d without cancellation."""
    return 1.0 if gap == 1 else -math.expm1(d * math.log1p(-gap))
