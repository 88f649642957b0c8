"""Environments of Factored-Reward Bandits: d components, one noisy observation each, their product is the reward."""

from .correlated import Correlated, correlated
from .line import Line, manufacturing, pricing
from .products import Bernoulli, Gaussian, Observation, Rademacher, bernoulli, gaussian, rademacher

__all__ = [
    "Bernoulli",
    "Correlated",
    "Gaussian",
    "Line",
    "Rademacher",
    "Observation",
    "bernoulli",
    "correlated",
    "gaussian",
    "manufacturing",
    "pricing",
    "rademacher",
]
