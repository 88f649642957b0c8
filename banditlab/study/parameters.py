"""Loose numbers put together: sliders move numbers one by one, and what is played takes a delay, a world, a size."""

import functools
import inspect
from collections.abc import Callable
from typing import NamedTuple

from ..engine.simulate import Progress, simulate, split_progress


class Size(NamedTuple):
    """How much is played, and who is told of it: what a play function takes as its ``size``."""

    horizon: int
    runs: int
    seed: int
    progress: Progress | None = None

    def simulate(self, environment, policies, checkpoints=None, **options):
        """A simulation of this size; the arguments are those of `simulate`."""
        given = self.horizon, self.runs, self.seed, checkpoints
        return simulate(environment, policies, *given, progress=self.progress, **options)

    def split(self, n):
        """The same size for each of n equal parts of the work."""
        return [self._replace(progress=part) for part in split_progress(self.progress, n)]


def bundle(**makers: Callable) -> Callable[[Callable], Callable]:
    """Let a function take values that are made of loose numbers.

    The function takes a value under the maker's name here. Callers and `inspect.signature` see in its place the
    parameters of the maker, with their defaults; a number that several take, makers or the function itself, is given
    once and reaches them all, and must be given if one of them has no default. So a `Study` and its sliders go on
    speaking of numbers by name.

    Parameters
    ----------
    **makers
        Name of a parameter to what makes its value: a NamedTuple, or a function, which may itself be bundled.

    Returns
    -------
    callable
        A decorator.

    Examples
    --------
    >>> from banditlab import classic
    >>> def pair(gap):
    ...     return classic.bernoulli([0.5, 0.5 + gap])
    >>> @bundle(world=pair, size=Size)
    ... def regret(world, alpha, size):
    ...     return size.simulate(world, {"UCB1": classic.ucb1(2, alpha)})
    >>> print(inspect.signature(regret))
    (gap, alpha, horizon: int, runs: int, seed: int, progress: ... = None)
    >>> regret(gap=0.1, alpha=2.0, horizon=100, runs=3, seed=0).regret.shape
    (1, 3, 100)
    """

    def gathering(function):
        own = inspect.signature(function).parameters
        parts = {name: inspect.signature(makers[name]).parameters for name in own if name in makers}
        loose = {}
        for name, parameter in own.items():
            for part in parts.get(name, {name: parameter}).values():
                known = loose.pop(part.name, part)  # it stands where it is last taken: a seed at the end
                loose[part.name] = part if part.default is part.empty else known
        signature = inspect.Signature(sorted(loose.values(), key=lambda one: one.default is not one.empty))

        @functools.wraps(function)
        def bundled(*args, **numbers):
            given = signature.bind(*args, **numbers)
            given.apply_defaults()
            values = given.arguments
            made = {name: makers[name](**{one: values[one] for one in part}) for name, part in parts.items()}
            return function(**{name: values[name] for name in own if name not in parts}, **made)

        bundled.__signature__ = signature
        return bundled

    return gathering
