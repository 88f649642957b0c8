"""Estimates with intervals, questions asked of them, and claims that they decide: the only place that judges.

From runs to a verdict: an `Estimate` knows its interval at any level; `Cases` asks one `Question` of many estimates;
the ledger answers all questions of one reading jointly at 95 % and turns each into a `Measure`, from which words,
picture, verdict and ``claims.json`` follow, so that they cannot disagree. CONTRIBUTING states the rules of evidence.
"""

from .claims import Claims, Untested, verdict
from .estimates import (
    Estimate,
    bootstrap,
    constant,
    difference,
    exact,
    growth,
    growth_exponent,
    mean,
    median,
    power,
    proportion,
    quantile,
    quotient,
    ratio,
    regret_difference,
)
from .ledger import CLASSES, SIGNS, VERDICTS, Claim, Ledger
from .looks import runs_now
from .questions import LEVEL, LINEAR, MUCH, SIMILAR, SUBLINEAR, Cases, Measure, Question, count, every, short, some

__all__ = [
    "CLASSES",
    "LEVEL",
    "LINEAR",
    "MUCH",
    "SIGNS",
    "SIMILAR",
    "SUBLINEAR",
    "VERDICTS",
    "Cases",
    "Claim",
    "Claims",
    "Estimate",
    "Ledger",
    "Measure",
    "Question",
    "Untested",
    "bootstrap",
    "constant",
    "count",
    "every",
    "exact",
    "growth",
    "growth_exponent",
    "mean",
    "median",
    "power",
    "quotient",
    "ratio",
    "proportion",
    "quantile",
    "regret_difference",
    "runs_now",
    "short",
    "some",
    "verdict",
]
