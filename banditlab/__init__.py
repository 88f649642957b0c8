"""banditlab: an interactive research workbench for structured multi-armed bandits."""

from . import censored, claims, classic, factored, figures
from .claims import Claim, Ledger
from .explore import check, explore
from .result import Result, load
from .simulate import per_run, simulate

__all__ = [
    "Claim",
    "Ledger",
    "Result",
    "censored",
    "check",
    "claims",
    "classic",
    "explore",
    "factored",
    "figures",
    "load",
    "per_run",
    "simulate",
]
