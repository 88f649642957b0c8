"""Policies of Uplifting Bandits and their baselines."""

from .ilift import ILift, ILiftbl, upucb_ilift, upucb_ilift_bl
from .naff import NAff, NAffbl, upucb_naff, upucb_naff_bl
from .reward import UCB, Thompson, thompson, ucb
from .upucb import UpUCB, UpUCBbl, upucb, upucb_bl, upucb_lcb

__all__ = [
    "ILift",
    "ILiftbl",
    "NAff",
    "NAffbl",
    "UCB",
    "Thompson",
    "UpUCB",
    "UpUCBbl",
    "thompson",
    "ucb",
    "upucb",
    "upucb_bl",
    "upucb_ilift",
    "upucb_ilift_bl",
    "upucb_lcb",
    "upucb_naff",
    "upucb_naff_bl",
]
