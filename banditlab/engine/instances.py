"""Environments that differ from run to run, and copies that threads do not share."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np


class RandomInstances(NamedTuple):
    """A fresh instance for every run: what `random_instances` returns."""

    function: object
    settings: dict

    def draw(self, seed, number):
        """The environment of this run, the same for every policy."""
        if not callable(self.function):  # of a loaded result: a function from outside the package
            raise TypeError(f"function={self.function!r}: must be callable")
        state = np.random.SeedSequence(seed, spawn_key=(number, 2)).generate_state(1, np.uint64)
        return self.function(int(state[0]), **self.settings)


class Drawn:
    """Environments that the runs of one policy have drawn, for the other policies: as many as find room.

    Parameters
    ----------
    room : int
        Bytes of arrays that may be held.
    """

    def __init__(self, room):
        self.room, self.held = room, {}

    def hold(self, number, environment):
        """Hold the environment of this run if it finds room."""
        size = count_bytes(environment)
        if size <= self.room:
            self.room -= size
            self.held[number] = environment


def count_bytes(thing):
    """Bytes of the arrays in a tuple."""
    if isinstance(thing, tuple):
        return sum(map(count_bytes, thing))
    return getattr(thing, "nbytes", 0)


def random_instances(function: Callable[..., tuple], **settings: object) -> RandomInstances:
    """Draw a fresh environment for every run, the same one for all policies.

    Parameters
    ----------
    function : callable
        ``function(seed, **settings)`` returns an environment; ``seed`` is a whole number that depends on the run only.
    **settings
        Passed on to the function.

    Returns
    -------
    RandomInstances
        To be given to `simulate` as its environment.
    """
    if not callable(function):
        raise TypeError(f"function={function!r}: must be callable")
    return RandomInstances(function, settings)


def copy_arrays(thing):
    """A copy with copies of all arrays."""
    if isinstance(thing, np.ndarray):
        return thing.copy()
    return type(thing)(*map(copy_arrays, thing)) if hasattr(thing, "_fields") else thing
