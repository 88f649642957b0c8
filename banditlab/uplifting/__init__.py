"""Uplifting Bandits (Hsieh, Kasiviswanathan, Kveton, NeurIPS 2022)."""

from types import ModuleType as _Module

from ..tuning import tune
from . import bounds, experiments
from .claims import ledger
from .data import Pool, load, pool, stand_in
from .environments import *
from .policies import *


def __dir__():
    """What a user should see: of the modules the bounds and the experiments only."""
    shown = {name: thing for name, thing in globals().items() if not name.startswith("_")}
    return [name for name, thing in shown.items() if thing in (bounds, experiments) or not isinstance(thing, _Module)]
