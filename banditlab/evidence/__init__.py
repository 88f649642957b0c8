"""Estimates with intervals, questions asked of them, and claims that they decide: the only place that judges.

From runs to a verdict: an `Estimate` knows its interval at any level; `Cases` asks one `Question` of many estimates;
the ledger answers all questions of one reading jointly at 95 % and turns each into a `Measure`, from which words,
picture, verdict and ``claims.json`` follow, so that they cannot disagree. CONTRIBUTING states the rules of evidence.
"""

from .claims import Claims, Untested, verdict
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
from .instances import instance_growth, instance_mean, instance_ratio
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
    "instance_growth",
    "instance_mean",
    "instance_ratio",
    "mean",
    "median",
    "power",
    "proportion",
    "quantile",
    "quotient",
    "ratio",
    "regret_difference",
    "runs_now",
    "short",
    "some",
    "standard_error",
    "verdict",
]
