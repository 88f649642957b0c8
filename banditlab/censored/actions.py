"""What is played and what it brings: pairs of an arm and a limit, observations."""

from typing import NamedTuple

__all__ = ["Observation", "Pair", "Point"]


class Pair(NamedTuple):
    """An action on a grid of limits."""

    arm: int
    limit: int  # its place among the limits


class Point(NamedTuple):
    """An action on a whole interval of limits."""

    arm: int
    limit: float


class Observation(NamedTuple):
    """What a policy gets to see; all zero but the last where the round was censored."""

    reward: float
    consumption: float
    cost: float  # of the consumption
    censored: bool


def space(arms, limits, revealed=False):
    """What is played on, to compare and to print: the number of arms, and the limits to nine digits.

    A learner that needs the consumption of censored rounds fits only where it is revealed, and no other does there.
    """
    known = arms, tuple(float(f"{limit:.9g}") for limit in limits)
    return (*known, "consumption revealed") if revealed else known
