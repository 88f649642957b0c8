"""Multi-Armed Bandits with Censored Consumption of Resources (Bengs, Hüllermeier, Machine Learning 2023)."""

from ..lazy import later as _later
from .actions import *
from .curves import *
from .environments import *
from .penalties import *
from .policies import *

__getattr__, __dir__ = _later(globals(), "bounds", "experiments", ledger="claims")
