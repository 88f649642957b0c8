"""Independent rewards that arrive in parts, mixed with those of other pulls."""

import math
from typing import NamedTuple

import numpy as np

from ...engine.methods import helper
from ...validate import choice, probabilities
from .shapes import Shape, checked

__all__ = ["Stochastic", "StochasticPerArm", "stochastic"]


class StochasticWorld(NamedTuple):
    """Rewards on their way; everything changes in place. Of a shape per arm there is a row for each arm."""

    ring: np.ndarray  # (a power of 2,) booked for the rounds to come
    inner: np.ndarray  # (1,) running sums of what the ring brought,
    outer: np.ndarray  # (1,) once and twice
    fading: np.ndarray  # (m,) what is left in the exponentials of a power law
    generated: np.ndarray  # (1,) all rewards so far
    observed: np.ndarray  # (1,) what of them has arrived


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


@helper
def arrives(shape, ring, inner, outer, t):
    """What arrives this round from the ring, summed up twice."""
    now = t & (len(ring) - 1)
    inner[0] = shape.inner * inner[0] + ring[now]
    outer[0] = shape.outer * outer[0] + inner[0]
    ring[now] = 0.0
    return shape.scale * outer[0]


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

    def diagnostics(self, world, state):
        """All that was generated, and what of it is still to come."""
        generated = float(world.generated[0])
        return {"generated": generated, "pending": self.shape.mass * generated - float(world.observed[0])}

    def reset(self, rng):
        fading = np.zeros(self.shape.tails.shape[1])
        return StochasticWorld(np.zeros(self.room), np.zeros(1), np.zeros(1), fading, np.zeros(1), np.zeros(1))

    def step(self, world, action, t, rng):
        shape, ring = self.shape, world.ring
        total = self.book(shape, ring, action, t, rng.random())
        observation = arrives(shape, ring, world.inner, world.outer, t) + fade(world.fading, shape.tails, total)
        world.generated[0] += total
        world.observed[0] += observation
        return observation

    def book(self, shape, ring, action, t, u):
        """Book the parts of this pull's reward, the same steps whether one comes or not: nothing guesses a coin."""
        total = (u < self.chances[action]) * self.sizes[action]
        shift = t + int(min(self.shifts[action] * u, shape.spread - 1.0))
        for k in range(shape.booked.shape[1]):
            ring[(shift + int(shape.booked[0, k])) & (self.room - 1)] += shape.booked[1, k] * total
        return total

    def regret(self, world, action, t):
        return self.gaps[action]


class StochasticPerArm(NamedTuple):
    """The same with a shape for every arm, which costs a step in proportion to the arms."""

    chances: np.ndarray  # (arms,) as in `Stochastic`
    sizes: np.ndarray  # (arms,)
    gaps: np.ndarray  # (arms,)
    shifts: np.ndarray  # (arms,)
    shapes: tuple  # (arms,)
    room: int  # of every ring, a power of 2
    nodes: int  # of the longest power law

    actions, book, regret = Stochastic.actions, Stochastic.book, Stochastic.regret

    def diagnostics(self, world, state):
        """All that was generated, and what of it is still to come."""
        total = sum(shape.mass * generated for shape, generated in zip(self.shapes, world.generated, strict=True))
        return {"generated": float(world.generated.sum()), "pending": float(total - world.observed.sum())}

    def reset(self, rng):
        n = len(self.gaps)
        return StochasticWorld(np.zeros((n, self.room)), np.zeros((n, 1)), np.zeros((n, 1)), np.zeros((n, self.nodes)),
                               np.zeros(n), np.zeros(n))  # fmt: skip

    def step(self, world, action, t, rng):
        total = self.book(self.shapes[action], world.ring[action], action, t, rng.random())
        world.generated[action] += total
        observation = 0.0
        for arm in range(len(self.gaps)):
            shape, own = self.shapes[arm], total if arm == action else 0.0
            arrived = arrives(shape, world.ring[arm], world.inner[arm], world.outer[arm], t)
            arrived += fade(world.fading[arm, : shape.tails.shape[1]], shape.tails, own)
            world.observed[arm] += arrived
            observation += arrived
        return observation


def stochastic(means, shape, totals="bernoulli"):
    """Arms whose rewards arrive over time, so that a round shows only the sum of what arrives.

    Regret is expected, from the means.

    Parameters
    ----------
    means : array_like, shape (arms,), in [0, 1], expected total reward of a pull
    shape : Shape or sequence of Shape
        How a total spreads over time: `random_delay`, `interval`, `decreasing`, `increasing`, `discounted`,
        `polynomial`, or `shape` for one of one's own; or one of them for every arm.
    totals : {"bernoulli", "mean"}
        Reading of the reward's law, which the paper leaves open: 1 with its mean as probability, else 0 (the largest
        variance there is); or always the mean itself, in the interval and the linear shapes up to a rounding error of
        ``d**2 / 2**52`` for parts over d rounds (1e-12 for 100), which keeps their running sums exact.

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
    means, alike = probabilities("means", means), isinstance(shape, Shape)
    if not alike and not isinstance(shape, list | tuple):
        checked(shape)
    shapes = [shape] * len(means) if alike else [checked(one) for one in shape]
    if len(shapes) != len(means):
        raise ValueError(f"shape has {len(shapes)} entries: must have {len(means)}, one for each mean")
    if choice("totals", totals, ("bernoulli", "mean")) == "bernoulli":
        chances, sizes = means, np.ones(len(means))
    else:
        chances, sizes = np.ones(len(means)), np.array(list(map(on_grid, means, shapes)))
    shifts = np.divide([s.spread for s in shapes], chances, out=np.zeros(len(means)), where=chances > 0.0)
    room = 1 << max(int(s.booked[0].max(initial=0)) + s.spread - 1 for s in shapes).bit_length()
    if alike:
        return Stochastic(chances, sizes, shape.mass * (means.max() - means), shifts, shape, room)
    worth = means * [s.mass for s in shapes]
    nodes = max(s.tails.shape[1] for s in shapes)
    return StochasticPerArm(chances, sizes, worth.max() - worth, shifts, tuple(shapes), room, nodes)


def on_grid(size, shape):
    """The size as a multiple of a power of 2 coarse enough for the running sums, which then are exact: others drift."""
    if shape.outer == 0.0:
        return size
    grain = 2.0 ** (math.ceil(math.log2(2.0 / shape.scale)) - 52)
    return np.round(size / grain) * grain
