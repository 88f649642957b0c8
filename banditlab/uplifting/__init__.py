"""Uplifting Bandits (Hsieh, Kasiviswanathan, Kveton, NeurIPS 2022)."""

from . import bounds, experiments
from .claims import ledger
from .data import Pool, load, pool, stand_in
from .environments import *
from .policies import *
from .tuning import tune
