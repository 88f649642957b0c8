"""Multi-Armed Bandits with Censored Consumption of Resources (Bengs, Hüllermeier, Machine Learning 2023)."""

from . import experiments
from .bounds import *
from .bounds import __all__ as _bounds
from .claims import ledger
from .curves import Curve, knots, literal_grid, power, promise, tabulated
from .environments import (
    Table,
    correlation,
    example,
    gaussian,
    indep,
    indep_interval,
    independent,
    load_table,
    low_censoring,
    many_arms,
    negcorr,
    poscorr,
    recorded,
)
from .policies import rcucb, thompson, ucb, zrcucb

__all__ = [
    *_bounds,
    "Curve",
    "Table",
    "correlation",
    "example",
    "experiments",
    "gaussian",
    "indep",
    "indep_interval",
    "independent",
    "knots",
    "ledger",
    "literal_grid",
    "load_table",
    "low_censoring",
    "many_arms",
    "negcorr",
    "poscorr",
    "power",
    "promise",
    "rcucb",
    "recorded",
    "tabulated",
    "thompson",
    "ucb",
    "zrcucb",
]
