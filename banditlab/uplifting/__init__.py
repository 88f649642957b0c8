"""Uplifting Bandits (Hsieh, Kasiviswanathan, Kveton, NeurIPS 2022)."""

from . import experiments
from .bounds import *  # noqa: F403
from .bounds import __all__ as _bounds
from .claims import ledger
from .data import Pool, load, pool, stand_in
from .environments import (
    bernoulli,
    campaign,
    criteo_clusters,
    criteo_individuals,
    gaussian,
    ilift_gaussian,
    linear_campaign,
    paper_gaussian,
    scaled_gaussian,
)
from .policies import (
    c2ucb,
    c2upucb,
    c2upucb_bl,
    c2upucb_m,
    epsilon_greedy,
    epsilon_greedy_bl,
    greedy,
    greedy_bl,
    thompson,
    ucb,
    upucb,
    upucb_bl,
    upucb_ilift,
    upucb_ilift_bl,
    upucb_ilift_naive,
    upucb_lcb,
    upucb_naff,
    upucb_naff_bl,
    upucb_offline,
)
from .tuning import tune

__all__ = [
    *_bounds,
    "Pool",
    "bernoulli",
    "c2ucb",
    "c2upucb",
    "c2upucb_bl",
    "c2upucb_m",
    "campaign",
    "criteo_clusters",
    "criteo_individuals",
    "epsilon_greedy",
    "epsilon_greedy_bl",
    "experiments",
    "gaussian",
    "greedy",
    "greedy_bl",
    "ilift_gaussian",
    "ledger",
    "linear_campaign",
    "load",
    "paper_gaussian",
    "pool",
    "scaled_gaussian",
    "stand_in",
    "thompson",
    "tune",
    "ucb",
    "upucb",
    "upucb_bl",
    "upucb_ilift",
    "upucb_ilift_bl",
    "upucb_ilift_naive",
    "upucb_lcb",
    "upucb_naff",
    "upucb_naff_bl",
    "upucb_offline",
]
