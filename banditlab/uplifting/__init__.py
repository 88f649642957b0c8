"""Uplifting Bandits (Hsieh, Kasiviswanathan, Kveton, NeurIPS 2022).

Its `bounds`; the paper's figures and claims, and what reads its data, stand beside its notebook.
May import `engine`, `building_blocks`, `classic` and `validate`.
"""

from .._lazy import load_later as _later
from .data import Pool, stand_in
from .environments import *
from .policies import *

__getattr__, __dir__ = _later(globals(), "bounds")
