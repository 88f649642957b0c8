"""Sentences that are wrong as printed: exact counterexamples."""

import itertools
import math

from banditlab.evidence import Cases, exact

from .common import claims


def signs():
    """Observations (1 + e) / 2 of the signs e1, e2, e1 e2: pairwise uncorrelated, equally likely outcomes."""
    return [[(1 + e) / 2 for e in (a, b, a * b)] for a, b in itertools.product((-1, 1), repeat=2)]


def average(outcomes, chosen):
    """Expected product of the chosen components."""
    return sum(math.prod(row[i] for i in chosen) for row in outcomes) / len(outcomes)


@claims(
    "T6",
    "Independence may be relaxed to non-correlation among the intermediate observations.",
    "Remark 3.1",
    note="observations (1 + e) / 2 of the signs e1, e2 and e1 e2; needed is that the product of all factorises, "
    "Equation (170)",
)
def uncorrelated(scale, seed):
    outcomes = signs()
    pairs = {
        f"{i + 1}, {j + 1}": exact(average(outcomes, (i, j)) - average(outcomes, (i,)) * average(outcomes, (j,)))
        for i, j in itertools.combinations(range(3), 2)
    }
    whole = average(outcomes, range(3)) - math.prod(average(outcomes, (i,)) for i in range(3))
    return {
        "any two of three components uncorrelated": [
            Cases("covariance of two", pairs).between(0, 0),
            Cases("E of the product less the product of the E", exact(whole)).between(0, 0),
        ],
        "two components": Cases("E of the product less the product of the E", pairs).between(0, 0),
    }


@claims(
    "T7",
    "The reward's variance is at most σ²(1 + σ²)^(d-1).",
    "Section 4.1 (Lemma D.3 has it right)",
    note="the largest, (1 + σ²)^d - 1, is attained at means 1: a factor of up to d is missing",
)
def variance(scale, seed):
    found = {}
    for sigma, d in itertools.product((0.1, 0.5, 1.0), (1, 2, 5, 10)):
        attained = math.expm1(d * math.log1p(sigma**2))
        found[f"σ = {sigma:g}, d = {d}"] = exact(attained / (sigma**2 * (1 + sigma**2) ** (d - 1)))
    return Cases("variance at means 1 over the printed bound", found).at_most(1 + 1e-12)


def normal_norm(p):
    """Logarithm of the p-norm of a standard normal number."""
    return (math.lgamma((p + 1) / 2) - math.lgamma(1 / 2)) / p + math.log(2) / 2


def sign_norm(p):
    """Logarithm of the p-norm of a sign: it is 1 whatever the p."""
    return 0.0


@claims(
    "T8",
    "With three and more components the reward admits no moment-generating function.",
    "Section 4.1, Lemma D.1",
    note="one exists only if the p-norm of the reward grows at most like p; p from 2^20 to 2^21, means 0",
)
def heavy_tail(scale, seed):
    laws, p = {"any subgaussian observations (signs)": sign_norm, "normal ones, as in the proof": normal_norm}, 2.0**20
    return {
        law: Cases(
            "growth exponent of the reward's p-norm",
            {f"d = {d}": exact(d * (norm(2 * p) - norm(p)) / math.log(2)) for d in (3, 5, 10)},
        ).above(1)
        for law, norm in laws.items()
    }
