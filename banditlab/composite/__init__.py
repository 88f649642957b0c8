"""Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback (Wang, Wang, Huang, AAAI 2021)."""

from . import bounds, experiments
from .claims import ledger
from .data import *
from .environments import *
from .policies import *
