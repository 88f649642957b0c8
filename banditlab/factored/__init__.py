"""Factored-Reward Bandits with Intermediate Observations (Mussi, Drago, Restelli, Metelli, ICML 2024)."""

from . import experiments
from .bounds import *  # noqa: F403
from .bounds import __all__ as _bounds
from .claims import ledger
from .environments import bernoulli, correlated, gaussian, manufacturing, pricing, rademacher
from .policies import ftrack, fucb, priced_fucb, rucb_mom, tea, ucb1

__all__ = [
    *_bounds,
    "bernoulli",
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
    "ucb1",
]
