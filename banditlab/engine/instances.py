"""Environments that differ from run to run, and copies that threads do not share."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..user_code.fields import list_arrays


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

    def recipe(self):
        """What draws the same environments in compiled code (`drawn_by`), or None."""
        make = getattr(self.function, "recipe", None)
        return make and make(**self.settings)


def drawn_by(make):
    """Say of a function for `random_instances` what draws the same in compiled code, so that a report's page does.

    Parameters
    ----------
    make : callable
        ``make(**settings)`` returns a NamedTuple whose method ``draw(rng)`` makes of ``numpy.random.default_rng(seed)``
        what the function makes of the seed.
    """

    def mark(function):
        function.recipe = make
        return function

    return mark


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
        size = sum(array.nbytes for array in list_arrays(environment))
        if size <= self.room:
            self.room -= size
            self.held[number] = environment


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
