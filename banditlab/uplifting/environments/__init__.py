"""Environments of Uplifting Bandits: m payoffs a round, their sum is the reward, an action moves a few of them."""

from .bernoulli import Clusters, Individuals, bernoulli, criteo_clusters, criteo_individuals
from .gaussian import Gaussian, Seen, gaussian
from .instances import ilift_gaussian, paper_gaussian, scaled_gaussian

__all__ = [
    "Clusters",
    "Gaussian",
    "Individuals",
    "Seen",
    "bernoulli",
    "criteo_clusters",
    "criteo_individuals",
    "gaussian",
    "ilift_gaussian",
    "paper_gaussian",
    "scaled_gaussian",
]
