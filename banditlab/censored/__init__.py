"""Multi-Armed Bandits with Censored Consumption of Resources (Bengs, Hüllermeier, Machine Learning 2023)."""

from . import bounds, experiments
from .actions import *
from .claims import ledger
from .curves import *
from .environments import *
from .penalties import *
from .policies import *
