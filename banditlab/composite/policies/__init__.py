"""Policies for composite anonymous feedback, and their baselines."""

from .ars_ucb import ARSUCB, ars_ucb, ucb1
from .clw import CLW, ars_clw, clw
from .doubling import Doubling, doubling
from .exp3 import ARSEXP3, ars_exp3, exp3
from .odaaf import ODAAF, generalised_odaaf, odaaf

__all__ = [
    "ARSEXP3",
    "ARSUCB",
    "CLW",
    "Doubling",
    "ODAAF",
    "ars_clw",
    "ars_exp3",
    "ars_ucb",
    "clw",
    "doubling",
    "exp3",
    "generalised_odaaf",
    "odaaf",
    "ucb1",
]
