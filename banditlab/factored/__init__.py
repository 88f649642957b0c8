"""Factored-Reward Bandits with Intermediate Observations (Mussi, Drago, Restelli, Metelli, ICML 2024).

* Environments: `gaussian`, `bernoulli`, `rademacher`, `correlated`; with known prices and costs: `pricing`,
  `manufacturing`.
* Policies: `fucb`, `ftrack`, `priced_fucb`, `together_fucb`; those that see the product only: `ucb1`, `rucb_mom`; and
  `tea`.
* `bounds`. The paper's figures and claims stand beside its notebook.
"""

from .._lazy import load_later as _later
from .environments import bernoulli, correlated, gaussian, manufacturing, pricing, rademacher
from .policies import FTrackReading, ftrack, fucb, priced_fucb, rucb_mom, tea, together_fucb, ucb1

__getattr__, __dir__ = _later(globals(), "bounds")
