"""Policies of bandits with censored consumption: RCUCB, z-RCUCB, and the two baselines of Appendix E.1."""

from .rcucb import RCUCB, rcucb
from .thompson import Thompson, thompson
from .ucb import UCB, ucb
from .zrcucb import ZRCUCB, zrcucb

__all__ = ["RCUCB", "Thompson", "UCB", "ZRCUCB", "rcucb", "thompson", "ucb", "zrcucb"]
