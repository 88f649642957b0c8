"""Independent rewards that arrive in parts, mixed with those of other pulls."""

import math
from typing import NamedTuple

import numpy as np

from ...protocol import helper
from ...validate import choice, probabilities
from .shapes import ARRAY, DISCOUNTED, POLYNOMIAL, RANDOM, Shape

INNER, OUTER = 0, 1  # places in the running sums
GENERATED, SEEN = 0, 1  # places in the counts


class Pending(NamedTuple):
    """Rewards on their way; everything changes in place."""

    ring: np.ndarray  # (a power of 2,) booked for the rounds to come
    sums: np.ndarray  # (2,) running sums of what the ring brought
    fading: np.ndarray  # (m,) what is left in the exponentials of a power law
    counts: np.ndarray  # (2,) all rewards generated and seen so far


@helper
def fade(fading, tails, total):
    """What arrives this round of a power law, from its exponentials; the total joins them for later."""
    a = b = c = d = 0.0
    for k in range(0, len(fading), 4):  # four sums: they do not wait for one another
        a += fading[k]
        b += fading[k + 1]
        c += fading[k + 2]
        d += fading[k + 3]
    for k in range(len(fading)):
        fading[k] = tails[0, k] * fading[k] + tails[1, k] * total
    return (a + b) + (c + d)


class Stochastic(NamedTuple):
    """Composite anonymous rewards, independent from pull to pull: what `stochastic` returns.

    A step draws one uniform u whatever the arm, so all policies meet the same world: a reward comes if u is below its
    chance, and u over the chance, uniform again, is its random delay.
    """

    chances: np.ndarray  # (arms,) that a reward comes
    sizes: np.ndarray  # (arms,) of the reward if it comes
    gaps: np.ndarray  # (arms,) expected regret
    shifts: np.ndarray  # (arms,) number of random delays over the chance
    shape: Shape  # how a reward spreads over time
    room: int  # of the ring, a power of 2

    def actions(self):
        return len(self.gaps)

    def tally(self, world, state):
        """All that was generated, and what of it is still to come."""
        generated, seen = float(world.counts[GENERATED]), float(world.counts[SEEN])
        return {"generated": generated, "pending": self.shape.mass * generated - seen}

    def reset(self, rng):
        return Pending(np.zeros(self.room), np.zeros(2), np.zeros(self.shape.tails.shape[1]), np.zeros(2))

    def step(self, world, action, t, rng):
        ring, sums, counts, shape, mask = world.ring, world.sums, world.counts, self.shape, self.room - 1
        u = rng.random()
        # The same steps whether a reward comes or not: nothing guesses a coin.
        total = (u < self.chances[action]) * self.sizes[action]
        shift = t + int(min(self.shifts[action] * u, shape.spread - 1.0))
        for k in range(shape.booked.shape[1]):
            ring[(shift + int(shape.booked[0, k])) & mask] += shape.booked[1, k] * total
        inner = shape.inner * sums[INNER] + ring[t & mask]
        outer = shape.outer * sums[OUTER] + inner
        seen = shape.scale * outer + fade(world.fading, shape.tails, total)
        ring[t & mask] = 0.0
        sums[INNER], sums[OUTER] = inner, outer
        counts[GENERATED] += total
        counts[SEEN] += seen
        return seen

    def regret(self, world, action, t):
        return self.gaps[action]


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
        variance there is); or always the mean itself, in the interval and the linear shapes up to a rounding error of
        ``d**2 / 2**52`` for parts over d rounds (1e-12 for 100), which keeps their running sums exact.

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
    >>> stochastic([0.9, 0.5], interval(10, 20)).gaps
    array([0. , 0.4])
    """
    means = probabilities("means", means)
    if not isinstance(shape, Shape):
        raise TypeError(f"shape={shape!r}: must be made by random_delay, interval, decreasing, increasing, discounted, "
                        "polynomial, or shape")  # fmt: skip
    if choice("totals", totals, ("bernoulli", "mean")) == "bernoulli":
        chances, sizes = means, np.ones(len(means))
    else:
        chances, sizes = np.ones(len(means)), on_grid(means, shape)
    shifts = np.divide(shape.spread, chances, out=np.zeros(len(means)), where=chances > 0.0)
    longest = int(shape.booked[0].max(initial=0)) + shape.spread - 1
    return Stochastic(chances, sizes, shape.mass * (means.max() - means), shifts, shape, 1 << longest.bit_length())


def on_grid(sizes, shape):
    """The sizes as multiples of a power of 2 coarse enough for the running sums, which then are exact: others drift."""
    if shape.outer == 0.0:
        return sizes
    grain = 2.0 ** (math.ceil(math.log2(2.0 / shape.scale)) - 52)
    return np.round(sizes / grain) * grain


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
