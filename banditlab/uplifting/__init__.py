"""Uplifting Bandits (Hsieh, Kasiviswanathan, Kveton, NeurIPS 2022)."""

from ..lazy import later as _later
from .data import Pool, load, pool, stand_in
from .environments import *
from .policies import *

__getattr__, __dir__ = _later(globals(), "bounds", "experiments", ledger="claims")
