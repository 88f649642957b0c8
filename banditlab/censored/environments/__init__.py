"""Environments of bandits with censored consumption: an arm and a limit, and what the limit lets one see."""

from .censored import Censored, Observation, Pair, World
from .gaussian import Truncated, correlation, gaussian
from .independent import Independent, Interval, Point, indep_interval, independent
from .named import example, indep, lead_instance, low_censoring, many_arms, negcorr, poscorr
from .recorded import Recorded, Table, load_table, recorded

__all__ = [
    "Censored",
    "Independent",
    "Interval",
    "Pair",
    "Point",
    "Recorded",
    "Observation",
    "Table",
    "Truncated",
    "World",
    "correlation",
    "example",
    "gaussian",
    "indep",
    "indep_interval",
    "independent",
    "lead_instance",
    "load_table",
    "low_censoring",
    "many_arms",
    "negcorr",
    "poscorr",
    "recorded",
]
