"""banditlab: an interactive research workbench for structured multi-armed bandits."""

from . import censored, claims, classic, composite, factored, figures, uplifting
from .claims import Claim, Ledger
from .explorer import check, explore, given
from .result import Result, load
from .simulation import per_run, simulate

__all__ = [
    "Claim",
    "Ledger",
    "Result",
    "censored",
    "check",
    "claims",
    "classic",
    "composite",
    "explore",
    "factored",
    "figures",
    "given",
    "load",
    "per_run",
    "simulate",
    "uplifting",
]
