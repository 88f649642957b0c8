"""Bounds of Mussi, Drago, Restelli, Metelli, "Factored-Reward Bandits with Intermediate Observations" (ICML 2024).

`means` is a list of d arrays: the expected observations of the options of each component, in [0, 1]. `sizes` lists
their lengths, `sigma` is the known subgaussian proxy of the observations, one number or one per component
(footnote 4), `horizon` the number of rounds T. Arguments outside the stated ranges raise a ValueError, or a TypeError
if they are no numbers.
"""

from ..constants import *  # noqa: F403
from .lower import *  # noqa: F403
from .upper import *  # noqa: F403
