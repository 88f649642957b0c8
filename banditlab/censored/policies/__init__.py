"""Policies of bandits with censored consumption: RCUCB, z-RCUCB, two baselines of Appendix E.1; KL-RCUCB is ours."""

from .kl_rcucb import *
from .rcucb import *
from .thompson import *
from .ucb import *
from .zrcucb import *
