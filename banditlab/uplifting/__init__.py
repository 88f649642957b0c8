"""Uplifting Bandits (Hsieh, Kasiviswanathan, Kveton, NeurIPS 2022)."""

from .environments import (
    bernoulli,
    criteo_clusters,
    criteo_individuals,
    gaussian,
    ilift_gaussian,
    paper_gaussian,
    scaled_gaussian,
)
from .policies import (
    thompson,
    ucb,
    upucb,
    upucb_bl,
    upucb_ilift,
    upucb_ilift_bl,
    upucb_lcb,
    upucb_naff,
    upucb_naff_bl,
)

__all__ = [
    "bernoulli",
    "criteo_clusters",
    "criteo_individuals",
    "gaussian",
    "ilift_gaussian",
    "paper_gaussian",
    "scaled_gaussian",
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
