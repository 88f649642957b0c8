"""Factored-Reward Bandits with Intermediate Observations (Mussi, Drago, Restelli, Metelli, ICML 2024)."""

from ..lazy import later as _later
from .environments import bernoulli, correlated, gaussian, manufacturing, pricing, rademacher
from .policies import FTrackReading, ftrack, fucb, priced_fucb, rucb_mom, tea, together_fucb, ucb1

__getattr__, __dir__ = _later(globals(), "bounds", "experiments", ledger="claims")
