"""Factored-Reward Bandits with Intermediate Observations (Mussi, Drago, Restelli, Metelli, ICML 2024).

Its `bounds`; the paper's figures and claims stand beside its notebook.
May import `engine`, `building_blocks` and `validate`.
"""

from .._lazy import load_later as _later
from .environments import *
from .policies import *

__getattr__, __dir__ = _later(globals(), "bounds")
