"""Small environments and policies for the tests.

They are outside the package: compiled in every process that uses them and never kept on disk, so they are cheap.
"""

from .plain import Constant, Expressions, Failing, Fixed, InTurn, Numbered, Scripted, Still, Witness
from .shapes import (
    Counting,
    Crowd,
    Delayed,
    Doubling,
    Fading,
    Gradient,
    Listed,
    Pairwise,
    Ragged,
    Ring,
    Rounds,
    censored,
    panel,
    product,
)

__all__ = [
    "Constant",
    "Expressions",
    "Failing",
    "Fixed",
    "InTurn",
    "Numbered",
    "Scripted",
    "Still",
    "Witness",
    "Counting",
    "Crowd",
    "Delayed",
    "Doubling",
    "Fading",
    "Gradient",
    "Listed",
    "Pairwise",
    "Ragged",
    "Ring",
    "Rounds",
    "censored",
    "panel",
    "product",
]
