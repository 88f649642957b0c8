"""Estimates with intervals, questions asked of them, and claims that they decide: the only place that judges.

From runs to a verdict: an `Estimate` knows its interval at any level; `Cases` asks one `Question` of many estimates;
the ledger answers all questions of one reading jointly at 95 % and turns each into a `Measure`, from which words,
picture, verdict and ``claims.json`` follow, so that they cannot disagree. CONTRIBUTING states the rules of evidence.
"""

from .claims import CLASSES, SIGNS, VERDICTS, Claim, Claims, Ledger, Untested, verdict
from .estimates import (
    Estimate,
    bootstrap,
    chance_alike,
    constant,
    difference,
    exact,
    fieller_ratio,
    mean,
    median,
    proportion,
    quantile,
    quotient,
    ratio,
    regret_difference,
    standard_error,
)
from .exponents import growth, growth_difference, growth_exponent, log_slope, power
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
    "chance_alike",
    "constant",
    "count",
    "every",
    "exact",
    "fieller_ratio",
    "growth",
    "growth_difference",
    "growth_exponent",
    "log_slope",
    "mean",
    "median",
    "power",
    "proportion",
    "quantile",
    "quotient",
    "ratio",
    "regret_difference",
    "short",
    "some",
    "standard_error",
    "verdict",
]
