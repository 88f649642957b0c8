"""Policies of Uplifting Bandits and their baselines."""

from .contextual import (
    c2ucb,
    c2upucb,
    c2upucb_bl,
    c2upucb_m,
    epsilon_greedy,
    epsilon_greedy_bl,
    greedy,
    greedy_bl,
)
from .ilift import ILift, ILiftbl, NaiveILift, upucb_ilift, upucb_ilift_bl, upucb_ilift_naive
from .linear import UpUCBblLinear, upucb_bl_linear
from .models import LinearTargets, LogisticTargets
from .naff import NAff, NAffbl, upucb_naff, upucb_naff_bl
from .reward import UCB, Thompson, thompson, ucb
from .upucb import UpUCB, UpUCBbl, upucb, upucb_bl, upucb_lcb, upucb_offline

__all__ = [
    "LinearTargets",
    "LogisticTargets",
    "c2ucb",
    "c2upucb",
    "c2upucb_bl",
    "c2upucb_m",
    "epsilon_greedy",
    "epsilon_greedy_bl",
    "greedy",
    "greedy_bl",
    "ILift",
    "ILiftbl",
    "NaiveILift",
    "NAff",
    "NAffbl",
    "UCB",
    "Thompson",
    "UpUCB",
    "UpUCBbl",
    "UpUCBblLinear",
    "thompson",
    "ucb",
    "upucb",
    "upucb_bl",
    "upucb_bl_linear",
    "upucb_ilift",
    "upucb_ilift_bl",
    "upucb_ilift_naive",
    "upucb_lcb",
    "upucb_naff",
    "upucb_naff_bl",
    "upucb_offline",
]
