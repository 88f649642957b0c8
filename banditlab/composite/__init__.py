"""Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback (Wang, Wang, Huang, AAAI 2021).

Its `bounds`; the paper's figures and claims, and what reads its data, stand beside its notebook.
May import `engine`, `building_blocks`, `user_code` and `validate`.
"""

from .._lazy import load_later as _later
from .environments import *
from .policies import *

__getattr__, __dir__ = _later(globals(), "bounds")
