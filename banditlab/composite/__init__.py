"""Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback (Wang, Wang, Huang, AAAI 2021)."""

from ..lazy import later as _later
from .data import *
from .environments import *
from .policies import *

__getattr__, __dir__ = _later(globals(), "bounds", "experiments", ledger="claims")
