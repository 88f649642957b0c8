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
    quote="it is possible to relax the independence assumption, by requiring non-correlation among the intermediate "
    "observations",
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
            Cases("covariance of two observations", pairs).between(0, 0),
            Cases("mean of the product minus product of the means", exact(whole)).between(0, 0),
        ],
        "two components": Cases("mean of the product minus product of the means", pairs).between(0, 0),
    }


def normal_norm(p):
    """Logarithm of the p-norm of a standard normal number."""
    return (math.lgamma((p + 1) / 2) - math.lgamma(1 / 2)) / p + math.log(2) / 2


def sign_norm(p):
    """Logarithm of the p-norm of a sign: it is 1 whatever the p."""
    return 0.0


@claims(
    "T8",
    "With three and more components the reward does not admit a moment-generating function.",
    "Section 4.1, Lemma D.1",
    quote="does not admit a moment-generating function and, consequently, displays a heavy-tailed behavior",
    note="one exists only if the p-norm of the reward grows at most like p; p from 2^20 to 2^21, means 0",
)
def heavy_tail(scale, seed):
    laws, p = {"any subgaussian observations (signs)": sign_norm, "normal ones, as in the proof": normal_norm}, 2.0**20
    return {
        law: Cases(
            "power of p in the reward's p-norm",
            {f"d = {d}": exact(d * (norm(2 * p) - norm(p)) / math.log(2)) for d in (3, 5, 10)},
        ).above(1)
        for law, norm in laws.items()
    }
