"""banditlab: an interactive research workbench for structured multi-armed bandits."""

from . import censored, classic, composite, evidence, factored, figures, uplifting
from .evidence import Claims, Ledger
from .explorer import Choice, Slider, Switch, check, explore, given
from .horizons import per_horizon
from .recording import play
from .result import Result, load
from .simulation import per_run, simulate
from .study import Study

__all__ = [
    "Choice",
    "Claims",
    "Ledger",
    "Result",
    "Slider",
    "Study",
    "Switch",
    "censored",
    "check",
    "classic",
    "composite",
    "evidence",
    "explore",
    "factored",
    "figures",
    "given",
    "load",
    "per_horizon",
    "per_run",
    "play",
    "simulate",
    "uplifting",
]
