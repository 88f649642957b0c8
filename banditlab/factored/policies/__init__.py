"""Policies of Factored-Reward Bandits and their baselines."""

from .ftrack import FTrack, ftrack
from .fucb import FUCB, fucb
from .priced import PricedFUCB, priced_fucb
from .rucb import RUCBMoM, rucb_mom
from .tea import TEA, tea
from .ucb1 import UCB1, ucb1

__all__ = [
    "FTrack",
    "FUCB",
    "PricedFUCB",
    "RUCBMoM",
    "TEA",
    "UCB1",
    "ftrack",
    "fucb",
    "priced_fucb",
    "rucb_mom",
    "tea",
    "ucb1",
]
