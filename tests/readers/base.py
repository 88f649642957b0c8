"""How the programs of readers are written: UCB1 and Bernoulli arms, with other methods or fields in their place."""

from typing import NamedTuple

import numpy as np

from ..toys.broken import Right, Sums


class Arms(NamedTuple):
    """Bernoulli arms, as one writes them down."""

    means: np.ndarray

    def actions(self):
        return len(self.means)

    def reset(self, rng):
        return np.zeros(1)

    def step(self, world, action, t, rng):
        return 1.0 if rng.random() < self.means[action] else 0.0

    def regret(self, world, action, t):
        return self.means.max() - self.means[action]


MEANS = np.array([0.8, 0.6, 0.6, 0.5, 0.4])
ARMS = Arms(MEANS)


def vary(whole, module, *methods, fields=(), values=(), name=None):
    """`Right` or `Arms` with these methods, named ``<method>_<what>``, and these further fields."""
    first = ("arms", int) if whole is Right else ("means", np.ndarray)
    made = NamedTuple(name or methods[0].__name__, [first, *fields])
    for key in ("actions", "init", "select", "update", "reset", "step", "regret"):
        if hasattr(whole, key):
            setattr(made, key, getattr(whole, key))
    for method in methods:
        setattr(made, method.__name__.split("_")[0], method)
    made.__module__ = module
    return made(5 if whole is Right else MEANS.copy(), *values)


def collect(found, module):
    """A decorator that puts a program into this dict: (environment, policy)."""

    def put(*methods, fields=(), values=(), whole=Right):
        program = vary(whole, module, *methods, fields=fields, values=values)
        found[methods[0].__name__] = (ARMS, program) if whole is Right else (program, Right(5))
        return methods[0]

    return put


__all__ = ["ARMS", "MEANS", "Arms", "Right", "Sums", "collect", "vary"]
