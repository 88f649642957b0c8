"""Environments of Uplifting Bandits: m payoffs a round, their sum is the reward, an action moves a few of them."""

from .bernoulli import Clusters, Individuals, bernoulli, criteo_clusters, criteo_individuals
from .contextual import Campaign, Linear, campaign, linear_campaign
from .gaussian import Gaussian, Observation, gaussian
from .instances import ilift_gaussian, paper_gaussian, scaled_gaussian
from .linear import LinearActions, linear_actions

__all__ = [
    "Campaign",
    "Linear",
    "LinearActions",
    "campaign",
    "linear_campaign",
    "Clusters",
    "Gaussian",
    "Individuals",
    "Observation",
    "bernoulli",
    "criteo_clusters",
    "criteo_individuals",
    "gaussian",
    "ilift_gaussian",
    "linear_actions",
    "paper_gaussian",
    "scaled_gaussian",
]
