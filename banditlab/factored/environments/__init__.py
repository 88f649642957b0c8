"""Environments of Factored-Reward Bandits: d components, one noisy observation each, their product is the reward."""

from .correlated import *  # noqa: F403
from .independent import *  # noqa: F403
from .priced import *  # noqa: F403
