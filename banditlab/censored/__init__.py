"""Multi-Armed Bandits with Censored Consumption of Resources (Bengs, Hüllermeier, Machine Learning 2023)."""

from . import experiments
from .bounds import *
from .bounds import __all__ as _bounds
from .claims import ledger
from .curves import Curve, knots, literal_grid, power, promise, tabulated
from .environments import (
    Observation,
    Pair,
    Point,
    Table,
    World,
    correlation,
    example,
    gaussian,
    indep,
    indep_interval,
    independent,
    lead_instance,
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
    "Pair",
    "Point",
    "Observation",
    "Table",
    "World",
    "correlation",
    "example",
    "experiments",
    "gaussian",
    "indep",
    "indep_interval",
    "independent",
    "knots",
    "lead_instance",
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
