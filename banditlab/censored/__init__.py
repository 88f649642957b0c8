"""Multi-Armed Bandits with Censored Consumption of Resources (Bengs, Hüllermeier, Machine Learning 2023).

Its `bounds`; the paper's figures and claims stand beside its notebook.
May import `engine`, `building_blocks`, `classic` and `validate`.
"""

from .._lazy import load_later as _later
from .actions import *
from .curves import *
from .environments import *
from .penalties import *
from .policies import *

__getattr__, __dir__ = _later(globals(), "bounds")
