"""The bounds of "Uplifting Bandits" (Propositions 1-4, Theorems 1-4, Table 1) as literal formulas.

`gaps` are the gaps of the actions, `sizes` how many variables each affects, `L` an upper bound on the sizes, `dup` a
lower bound on individual uplifts. Theorem 5 and its lemmas stand in uplifting_context.py.
"""

import math
from typing import NamedTuple


class Bound(NamedTuple):
    """A theorem's beta, pulls of each action (inf for an optimal one) and regret, with probability 1 - delta."""

    beta: float
    pulls: list
    regret: float


def bound(gaps, constants, inverse_delta_prime):
    beta = math.log(inverse_delta_prime)
    pairs = list(zip(gaps, constants, strict=True))
    pulls = [C * beta / gap**2 + 1 if gap > 0 else math.inf for gap, C in pairs]
    return Bound(beta, pulls, sum(C * beta / gap + gap for gap, C in pairs if gap > 0))


def clip(x, low, high):
    return max(low, min(high, x))


def smallest_optimal(gaps, sizes):
    """L of an optimal action; the proofs hold for any of them, the smallest gives the tightest bound."""
    return min(size for gap, size in zip(gaps, sizes, strict=True) if gap == 0)


def ucb_bound(gaps, m, T, delta):
    """Section 2: Proposition 1 with every variable affected."""
    return proposition_1(gaps, [m] * len(gaps), T, delta)


def proposition_1(gaps, sizes, T, delta):
    """UpUCB (bl), equation (4)."""
    return bound(gaps, [8 * size**2 for size in sizes], 2 * len(gaps) * T / delta)


def theorem_1(gaps, sizes, T, delta):
    """UpUCB, equation (8)."""
    star = smallest_optimal(gaps, sizes)
    return bound(gaps, [8 * (size + star) ** 2 for size in sizes], 4 * len(gaps) * max(sizes) * T / delta)


def theorem_2_bl(gaps, L, m, T, delta):
    """UpUCB-nAff (bl), equation (10); with one L per action Proposition 4, equation (21)."""
    limits = L if hasattr(L, "__len__") else [L] * len(gaps)
    return bound(gaps, [32 * limit**2 for limit in limits], 2 * len(gaps) * m * T / delta)


def theorem_2(gaps, L, m, T, delta):
    """UpUCB-nAff, equation (10)."""
    return bound(gaps, [512 * L**2] * len(gaps), 2 * len(gaps) * m * T / delta)


def theorem_3(gaps, sizes, dup, m, T, delta):
    """UpUCB-iLift (bl), equation (12)."""
    constants = [8 * clip(gap / dup, size, m) ** 2 for gap, size in zip(gaps, sizes, strict=True)]
    return bound(gaps, constants, 2 * len(gaps) * m * T / delta)


def theorem_4(gaps, sizes, dup, m, T, delta):
    """UpUCB-iLift, equation (15)."""
    star = smallest_optimal(gaps, sizes)
    constants = [8 * clip(2 * gap / dup, size + star, 2 * m) ** 2 for gap, size in zip(gaps, sizes, strict=True)]
    return bound(gaps, constants, 2 * len(gaps) * m * T / delta)


def table_1(K, m, L, gap, dup):
    """Table 1: orders of regret without constants and logarithms."""
    return {
        "UCB": K * m**2 / gap,
        "UpUCB (bl)": K * L**2 / gap,
        "UpUCB": K * L**2 / gap,
        "UpUCB-nAff": K * L**2 / gap,
        "UpUCB-iLift": K * clip(gap / dup, L, m) ** 2 / gap,
    }


def proposition_2(gaps, m):
    """Lower bound on regret / log T without usable prior knowledge."""
    return sum(2 * m**2 / gap for gap in gaps if gap > 0)


def proposition_3(gaps, sizes):
    """Lower bound on regret / log T with the affected sets and the baseline law known."""
    return sum(2 * size**2 / gap for gap, size in zip(gaps, sizes, strict=True) if gap > 0)


class HardInstance(NamedTuple):
    """Equation (42); variable i of action a is mu[a][i] plus the round's one normal number where noisy[a][i]."""

    mu0: list
    mu: list
    noisy: list


def hard_instance(gaps, sizes, m, everywhere=False):
    """The instance of Proposition 3, or of Proposition 2 with the noise on all variables; gaps[0] must be 0."""
    best = 1 + max(gaps)
    rows = list(zip(gaps, sizes, strict=True))
    mu = [[(best - gap) / size if i < size else 0.0 for i in range(m)] for gap, size in rows]
    return HardInstance([0.0] * m, mu, [[everywhere or i < size for i in range(m)] for _, size in rows])
