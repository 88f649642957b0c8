"""Factored-Reward Bandits with Intermediate Observations (Mussi, Drago, Restelli, Metelli, ICML 2024)."""

from . import bounds, experiments
from .claims import ledger
from .environments import bernoulli, correlated, gaussian, manufacturing, pricing, rademacher
from .policies import ftrack, fucb, priced_fucb, rucb_mom, tea, together_fucb, ucb1

__all__ = [
    "bernoulli",
    "bounds",
    "correlated",
    "experiments",
    "ftrack",
    "fucb",
    "gaussian",
    "ledger",
    "manufacturing",
    "priced_fucb",
    "pricing",
    "rademacher",
    "rucb_mom",
    "tea",
    "together_fucb",
    "ucb1",
]


def __dir__():
    return __all__
