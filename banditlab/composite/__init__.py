"""Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback (Wang, Wang, Huang, AAAI 2021)."""

from . import experiments
from .bounds import *  # noqa: F403
from .bounds import __all__ as _bounds
from .claims import ledger
from .data import coupon, outbrain, synthetic
from .environments import (
    adversarial,
    decreasing,
    discounted,
    increasing,
    interval,
    oblivious_delay,
    polynomial,
    random_delay,
    shape,
    stochastic,
    streak_delay,
)
from .policies import ars_clw, ars_exp3, ars_ucb, clw, doubling, exp3, generalised_odaaf, odaaf, ucb1

__all__ = [
    *_bounds,
    "adversarial",
    "ars_clw",
    "ars_exp3",
    "ars_ucb",
    "clw",
    "coupon",
    "decreasing",
    "discounted",
    "doubling",
    "exp3",
    "experiments",
    "generalised_odaaf",
    "increasing",
    "interval",
    "ledger",
    "oblivious_delay",
    "odaaf",
    "outbrain",
    "polynomial",
    "random_delay",
    "shape",
    "stochastic",
    "streak_delay",
    "synthetic",
    "ucb1",
]
