"""Estimates with intervals, questions asked of them, and claims that they decide: the only place that judges.

From runs to a verdict: an `Estimate` knows its interval at any level; `Cases` asks one `Question` of many estimates;
the ledger answers all questions of one reading jointly at 95 % and turns each into a `Measure`, from which words,
picture, verdict and ``claims.json`` follow, so that they cannot disagree. CONTRIBUTING states the rules of evidence.
"""

from .claims import CLASSES, SIGNS, VERDICTS, Claim, Claims, Ledger, Untested, verdict
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
from .instances import instance_growth, instance_mean, instance_ratio
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
    "instance_growth",
    "instance_mean",
    "instance_ratio",
    "regret_difference",
    "mean",
    "median",
    "power",
    "quotient",
    "ratio",
    "proportion",
    "quantile",
    "short",
    "some",
    "verdict",
]
