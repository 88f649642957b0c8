"""Policies of bandits with censored consumption: RCUCB, z-RCUCB, and the two baselines of Appendix E.1."""

from .rcucb import *
from .thompson import *
from .ucb import *
from .zrcucb import *
