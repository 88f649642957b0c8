"""Rewards fixed in advance, paid late by a rule that may watch the player."""

from typing import NamedTuple

import numpy as np

from ...building_blocks.growing_arrays import cut_into_pieces
from ...engine.methods import helper
from ...validate import whole
from ..arguments import LONGEST, labels, plain, rewards

__all__ = ["Adversarial", "Delays", "adversarial", "oblivious_delay", "streak_delay"]

NEVER = 2**62  # a streak that no run reaches


class Delays(NamedTuple):
    """When the reward of one pull is paid: what `oblivious_delay` and `streak_delay` return."""

    lo: int  # shortest and
    hi: int  # longest delay, drawn uniformly
    late: int  # delay of the best arm once it has been played
    after: int  # that many times in succession


def oblivious_delay(lo, hi):
    """Delays drawn uniformly, whatever the player does, both ends included; to be given to `adversarial`.

    Parameters
    ----------
    lo, hi : int, 1 <= lo <= hi, shortest and longest delay in rounds; equal ones make a constant delay

    References
    ----------
    Wang, Wang, Huang, Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, AAAI 2021,
    Section 4.2 (Coupon).
    """
    lo = whole("lo", lo, 1, LONGEST)
    return Delays(lo, whole("hi", hi, lo, LONGEST), lo, NEVER)


def streak_delay(d):
    """Delay d for the best arm once it has been played at least 3 d times in succession, delay 1 otherwise.

    The streak counts the current pull, runs on across rounds of a policy, and ends with any other arm. To be given to
    `adversarial`.

    Parameters
    ----------
    d : int >= 1, the long delay in rounds

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Section 4.2 (Outbrain).
    """
    d = whole("d", d, 1, LONGEST)
    return Delays(1, 1, d, 3 * d)


class AdversarialWorld(NamedTuple):
    """Rewards on their way; everything changes in place."""

    ring: np.ndarray  # (a power of 2,) to be paid in each round to come
    streak: np.ndarray  # (1,) of the best arm
    generated: np.ndarray  # (1,) all rewards so far
    observed: np.ndarray  # (1,) what of them has arrived


class Adversarial(NamedTuple):
    """Rewards fixed in advance, paid late: what `adversarial` returns.

    A step draws one uniform whatever the arm, so that all policies meet the same world.
    """

    paying: np.ndarray  # (rounds,) the arm that pays 1; empty where the table says what every arm pays
    table: np.ndarray  # (rounds, arms) rewards; no rows where each round has one arm that pays
    parts: np.ndarray  # (rounds, arms, d) of the rewards, after 1, ..., d rounds; no rows where they are paid whole
    delays: Delays  # of rewards that are paid whole
    best: int  # arm of the largest sum over all rounds
    room: int  # of the ring, a power of 2
    horizon: int  # number of rounds
    arms: int

    def actions(self):
        return self.arms

    def diagnostics(self, world, state):
        """All that was generated, and what of it is still to come."""
        generated = float(world.generated[0])
        return {"generated": generated, "pending": generated - float(world.observed[0])}

    def reward(self, arm, t):
        """What the arm pays for the pull of this round, s_i(t)."""
        if len(self.paying) > 0:
            return 1.0 if self.paying[t] == arm else 0.0
        return self.table[t, arm]

    def reset(self, rng):
        return AdversarialWorld(np.zeros(self.room), np.zeros(1), np.zeros(1), np.zeros(1))

    def step(self, world, action, t, rng):
        ring, mask, total, u = world.ring, self.room - 1, self.reward(action, t), rng.random()
        if len(self.parts) > 0:
            for k in range(self.parts.shape[2]):
                ring[(t + 1 + k) & mask] += self.parts[t, action, k]
        else:
            ring[(t + self.delay(world, action, u)) & mask] += total
        observation = ring[t & mask]
        ring[t & mask] = 0.0
        world.generated[0] += total
        world.observed[0] += observation
        return observation

    def delay(self, world, action, u):
        """Rounds until the reward of this pull is paid."""
        streak = world.streak[0] + 1.0 if action == self.best else 0.0
        world.streak[0] = streak
        if streak >= self.delays.after:
            return self.delays.late
        return self.delays.lo + int((self.delays.hi + 1 - self.delays.lo) * u)

    def regret(self, world, action, t):
        return self.reward(self.best, t) - self.reward(action, t)


@helper
def ring_size(delays):
    """A power of 2 above all delays."""
    room = 1
    while room <= max(delays.hi, delays.late):
        room *= 2
    return room


def adversarial(sequence, delays=None, arms=None):
    """A sequence of rewards fixed in advance, each paid as a whole after a delay, or in parts.

    Regret is realised, against the arm of the largest sum over the whole sequence (ties to the lowest), so that in some
    rounds it is negative.

    Parameters
    ----------
    sequence : array_like, shape (rounds,), (rounds, arms) or (rounds, arms, d)
        The arm that pays 1 in each round, the others paying 0, whole numbers from 0; or every arm's reward, in [0, 1];
        or every arm's reward vector, whose parts, of sum at most 1, arrive after 1, ..., d rounds.
    delays : Delays
        `oblivious_delay`, or `streak_delay` for one that watches the player; not given with reward vectors.
    arms : int >= 1, optional
        Number of arms where `sequence` names the paying arm, at most ten million; by default the largest number there,
        plus 1.

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Section 3.1.

    Examples
    --------
    >>> adversarial([0, 2, 2, 1], streak_delay(2)).best
    2
    >>> adversarial([[[0.5, 0.5], [0.0, 0.2]]]).room  # one round, two arms, parts after one and two rounds
    4
    """
    if delays is not None and not isinstance(delays, Delays):
        raise TypeError(f"delays={delays!r}: must be made by oblivious_delay or streak_delay")
    array = plain(sequence)
    if (array.ndim == 3) != (delays is None):
        raise TypeError(f"delays={delays!r}: must be given, unless sequence has shape (rounds, arms, d)")
    paying, table, parts = np.zeros(0, np.int32), np.zeros((0, 0)), np.zeros((0, 0, 0))
    if array.ndim == 1:
        paying = labels(array, arms)
        count = arms or int(paying.max()) + 1
        sums = np.sum([np.bincount(piece, minlength=count) for piece in cut_into_pieces(paying)], axis=0)
    else:
        given = rewards(array, arms)
        table, parts = (given.sum(axis=2), given) if array.ndim == 3 else (given, parts)
        sums = table.sum(axis=0)
    delays = Delays(1, array.shape[2], 1, NEVER) if delays is None else delays
    best = int(np.argmax(sums))
    return Adversarial(paying, table, parts, delays, best, ring_size(delays), len(array), len(sums))
