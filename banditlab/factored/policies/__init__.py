"""Policies of Factored-Reward Bandits, and the baselines of Appendix E."""

from .ftrack import *  # noqa: F403
from .fucb import *  # noqa: F403
from .priced import *  # noqa: F403
from .rucb import *  # noqa: F403
from .tea import *  # noqa: F403
from .together import *  # noqa: F403
from .ucb1 import *  # noqa: F403
