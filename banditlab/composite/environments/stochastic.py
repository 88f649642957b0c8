"""Independent rewards that arrive in parts, mixed with those of other pulls."""

from typing import NamedTuple

import numpy as np

from ...protocol import helper
from ...validate import choice, probabilities
from .shapes import ARRAY, DISCOUNTED, POLYNOMIAL, RANDOM, Shape

INNER, OUTER, GENERATED, SEEN, SUMS = range(5)  # places in the world after its exponentials; then comes the ring


@helper
def fade(world, tails, parts, total):
    """What arrives this round of a power law, from its exponentials; the total joins them for later."""
    a = b = c = d = 0.0
    for k in range(0, tails, 4):  # four sums: they do not wait for one another
        a += world[k]
        b += world[k + 1]
        c += world[k + 2]
        d += world[k + 3]
    for k in range(tails):
        world[k] = parts[0, k] * world[k] + parts[1, k] * total
    return (a + b) + (c + d)


class Stochastic(NamedTuple):
    """Composite anonymous rewards, independent from pull to pull: what `stochastic` returns.

    A step draws one uniform u whatever the arm, so all policies meet the same world: a reward comes if u is below its
    chance, and u over the chance, uniform again, is its random delay. The world is one array: what is left
    of the exponentials of a power law, running sums, and a ring of what is booked for the rounds to come.
    """

    arms: np.ndarray  # (4, arms) chance and size of a reward, expected regret, spread over chance
    parts: np.ndarray  # (2, n) decays and weights of exponentials, then delays and weights that are booked
    tails: int  # how many exponentials
    inner: float  # what the shape's sums carry on
    outer: float
    scale: float
    last: float  # longest shift of the whole at random
    mass: float  # sum of the shape's weights
    room: int  # of the ring, a power of 2

    def actions(self):
        return self.arms.shape[1]

    def tally(self, world, state):
        """All that was generated, and what of it is still to come."""
        generated, seen = float(world[self.tails + GENERATED]), float(world[self.tails + SEEN])
        return {"generated": generated, "pending": self.mass * generated - seen}

    def start(self, rng):
        return np.zeros(self.tails + SUMS + self.room)

    # No branch and no draw inside one: compiled code would count references there (CONTRIBUTING.md).
    def step(self, world, action, t, rng):
        parts, tails, mask = self.parts, self.tails, self.room - 1
        ring, u = tails + SUMS, rng.random()
        total = (u < self.arms[0, action]) * self.arms[1, action]
        shift = t + int(min(self.arms[3, action] * u, self.last))
        for k in range(tails, parts.shape[1]):
            world[ring + ((shift + int(parts[0, k])) & mask)] += parts[1, k] * total
        now = ring + (t & mask)
        inner = self.inner * world[tails + INNER] + world[now]
        outer = self.outer * world[tails + OUTER] + inner
        seen = self.scale * outer + fade(world, tails, parts, total)
        world[now] = 0.0
        world[tails + INNER], world[tails + OUTER] = inner, outer
        world[tails + GENERATED] += total
        world[tails + SEEN] += seen
        return seen

    def regret(self, world, action, t):
        return self.arms[2, action]


def stochastic(means, shape, totals="bernoulli"):
    """Arms whose rewards arrive over time, so that a round shows only the sum of what arrives.

    Parameters
    ----------
    means : array_like, shape (arms,)
        Expected total reward of a pull, in [0, 1].
    shape : Shape
        How a total spreads over time: `random_delay`, `interval`, `decreasing`, `increasing`, `discounted`,
        `polynomial`, or `shape` for one of one's own.
    totals : {"bernoulli", "mean"}
        Reading of the reward's law, which the paper leaves open: 1 with its mean as probability, else 0 (the largest
        variance there is); or always the mean itself.

    Returns
    -------
    Stochastic
        The environment; regret is expected, from the means.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Wang, Wang, Huang, Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, AAAI 2021,
    Section 2.1.

    Examples
    --------
    >>> from banditlab.composite import interval
    >>> stochastic([0.9, 0.5], interval(10, 20)).arms[2]
    array([0. , 0.4])
    """
    means = probabilities("means", means)
    if not isinstance(shape, Shape):
        raise TypeError(f"shape={shape!r}: must be made by random_delay, interval, decreasing, increasing, discounted, "
                        "polynomial, or shape")  # fmt: skip
    if choice("totals", totals, ("bernoulli", "mean")) == "bernoulli":
        chances, sizes = means, np.ones(len(means))
    else:
        chances, sizes = np.ones(len(means)), means
        if shape.outer > 0.0:  # sums of whole numbers are exact, of others they drift
            shape = as_array(shape)
    shifts = np.divide(shape.spread, chances, out=np.zeros(len(means)), where=chances > 0.0)
    arms = np.array([chances, sizes, shape.mass * (means.max() - means), shifts])
    longest = int(shape.booked[0].max(initial=0)) + shape.spread - 1
    carried = shape.inner, shape.outer, shape.scale, shape.spread - 1.0, shape.mass
    parts = np.hstack([shape.tails, shape.booked])
    return Stochastic(arms, parts, shape.tails.shape[1], *carried, 1 << longest.bit_length())


def as_array(shape):
    """The same shape with its weights booked as they are."""
    weights = weights_of(shape)
    delays = np.flatnonzero(weights)
    return shape._replace(booked=np.array([delays, weights[delays]]), inner=0.0, outer=0.0, scale=1.0)


def weights_of(shape, horizon=None):
    """The weights at the delays 0, 1, ..., as an array; of the shapes without end up to the horizon."""
    if shape.kind in (DISCOUNTED, POLYNOMIAL) and horizon is None:
        raise ValueError("horizon=None: must be given for a shape without an end")
    if shape.kind == RANDOM:
        return np.repeat([0.0, 1.0 / shape.spread], [int(shape.first), shape.spread])
    if shape.kind == DISCOUNTED:
        return np.concatenate([[0.0], (1.0 - shape.first) * shape.first ** np.arange(horizon)])
    if shape.kind == POLYNOMIAL:
        from scipy.special import zeta

        return np.concatenate([[0.0], np.arange(1.0, horizon + 1) ** -shape.first / zeta(shape.first)])
    longest = int(shape.booked[0].max())
    weights = np.zeros(longest + 1)
    np.add.at(weights, shape.booked[0].astype(int), shape.booked[1])
    for _ in range(int(shape.inner + shape.outer)):
        weights = np.cumsum(weights)
    return shape.scale * weights[: longest + (shape.kind == ARRAY)]
