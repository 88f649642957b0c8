"""banditlab: an interactive research workbench for structured multi-armed bandits."""

from . import classic
from .result import Result, load
from .simulate import per_run, simulate

__all__ = ["Result", "classic", "load", "per_run", "simulate"]
