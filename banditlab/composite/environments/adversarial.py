"""Rewards fixed in advance, paid late by a rule that may watch the player."""

from typing import NamedTuple

import numpy as np

from ...validate import whole
from .shapes import LONGEST

NEVER = 2**62  # a streak that no run reaches
STREAK, GENERATED, SEEN = range(3)  # places in the counts
MOST = 10**7  # arms


class Delays(NamedTuple):
    """When the reward of one pull is paid: what `oblivious_delay` and `streak_delay` return."""

    lo: int  # shortest and
    hi: int  # longest delay, drawn uniformly
    late: int  # delay of the best arm once it has been played
    after: int  # that many times in succession


def oblivious_delay(lo, hi):
    """Delays drawn uniformly, whatever the player does, both ends included.

    Parameters
    ----------
    lo, hi : int
        Shortest and longest delay in rounds, ``1 <= lo <= hi``; equal ones make a constant delay.

    Returns
    -------
    Delays
        To be given to `adversarial`.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Wang, Wang, Huang, Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, AAAI 2021,
    Section 4.2 (Coupon).
    """
    lo = whole("lo", lo, 1, LONGEST)
    return Delays(lo, whole("hi", hi, lo, LONGEST), lo, NEVER)


def streak_delay(d):
    """Delay d for the best arm once it has been played at least 3 d times in succession, delay 1 otherwise.

    The streak counts the current pull, runs on across rounds of a policy, and ends with any other arm.

    Parameters
    ----------
    d : int
        The long delay in rounds, at least 1.

    Returns
    -------
    Delays
        To be given to `adversarial`.

    Raises
    ------
    TypeError, ValueError
        If `d` is not as described.

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Section 4.2 (Outbrain).
    """
    d = whole("d", d, 1, LONGEST)
    return Delays(1, 1, d, 3 * d)


class Late(NamedTuple):
    """Rewards on their way; everything changes in place."""

    ring: np.ndarray  # (a power of 2,) to be paid in each round to come
    counts: np.ndarray  # (3,) streak of the best arm; all rewards generated and seen so far


class Adversarial(NamedTuple):
    """Rewards fixed in advance, paid late: what `adversarial` returns.

    A step draws one uniform whatever the arm, so that all policies meet the same world.
    """

    paying: np.ndarray  # (rounds,) the arm that pays 1; empty where the table says what every arm pays
    table: np.ndarray  # (rounds, arms) rewards; no rows where each round has one arm that pays
    delays: Delays
    best: int  # arm of the largest sum over all rounds
    room: int  # of the ring, a power of 2
    horizon: int  # number of rounds
    arms: int

    def actions(self):
        return self.arms

    def tally(self, world, state):
        """All that was generated, and what of it is still to come."""
        generated, seen = float(world.counts[GENERATED]), float(world.counts[SEEN])
        return {"generated": generated, "pending": generated - seen}

    def reward(self, arm, t):
        """What the arm pays for the pull of this round."""
        if len(self.paying) > 0:
            return 1.0 if self.paying[t] == arm else 0.0
        return self.table[t, arm]

    def reset(self, rng):
        return Late(np.zeros(self.room), np.zeros(3))

    def step(self, world, action, t, rng):
        ring, counts, mask = world.ring, world.counts, self.room - 1
        total = self.reward(action, t)
        delay = self.delays.lo + int((self.delays.hi + 1 - self.delays.lo) * rng.random())
        streak = counts[STREAK] + 1.0 if action == self.best else 0.0
        delay = self.delays.late if streak >= self.delays.after else delay
        ring[(t + delay) & mask] += total
        seen = ring[t & mask]
        ring[t & mask] = 0.0
        counts[STREAK] = streak
        counts[GENERATED] += total
        counts[SEEN] += seen
        return seen

    def regret(self, world, action, t):
        return self.reward(self.best, t) - self.reward(action, t)


def adversarial(sequence, delays, arms=None):
    """A sequence of rewards fixed in advance, each paid as a whole after a delay.

    Parameters
    ----------
    sequence : array_like, shape (rounds,) or (rounds, arms)
        The arm that pays 1 in each round, the others paying 0, whole numbers from 0; or every arm's reward, in [0, 1].
    delays : Delays
        `oblivious_delay`, or `streak_delay` for one that watches the player.
    arms : int, optional
        Number of arms where `sequence` names the paying arm, at most ten million; by default the largest number there,
        plus 1.

    Returns
    -------
    Adversarial
        The environment. Regret is realised, against the arm of the largest sum over the whole sequence (ties to the
        lowest), so that in some rounds it is negative.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Section 3.1.

    Examples
    --------
    >>> adversarial([0, 2, 2, 1], streak_delay(2)).best
    2
    """
    if not isinstance(delays, Delays):
        raise TypeError(f"delays={delays!r}: must be made by oblivious_delay or streak_delay")
    array = plain(sequence)
    if array.ndim == 1:
        paying = labels(array, arms)
        sums, table = np.bincount(paying, minlength=arms or 0), np.zeros((0, 0))
    else:
        paying, table = np.zeros(0, np.int32), rewards(array, arms)
        sums = table.sum(axis=0)
    room = 1 << max(delays.hi, delays.late).bit_length()
    return Adversarial(paying, table, delays, int(np.argmax(sums)), room, len(array), len(sums))


def plain(sequence):
    """The sequence as a non-empty array of finite numbers with one or two dimensions."""
    try:
        array = np.asarray(sequence)
    except ValueError:
        raise ValueError("sequence: is ragged; every round must have a reward for every arm") from None
    if array.size == 0 or array.ndim not in (1, 2):
        raise ValueError(f"sequence has shape {array.shape}: must be (rounds,) or (rounds, arms), not empty")
    if array.dtype.kind not in "iuf":
        raise TypeError(f"sequence holds {array.dtype}: must hold numbers")
    refuse(array, ~np.isfinite(array), "a finite number")
    return array


def refuse(array, wrong, allowed):
    """Name the first wrong entry of a sequence."""
    if wrong.any():
        place = tuple(np.argwhere(wrong)[0].tolist())
        raise ValueError(f"sequence{list(place)}={array[place]}: must be {allowed}")


def labels(array, arms):
    """The arm that pays in each round."""
    if array.dtype.kind == "f" and not (array == np.floor(array)).all():
        raise TypeError("sequence: must hold whole numbers, the arm that pays in each round")
    last = MOST - 1 if arms is None else whole("arms", arms, 1, MOST) - 1
    refuse(array, (array < 0) | (array > last), f"an arm from 0 to {last}")
    return array.astype(np.int32)


def rewards(array, arms):
    """Every arm's reward in each round."""
    if arms is not None and whole("arms", arms, 1, MOST) != array.shape[1]:
        raise ValueError(f"arms={arms}: sequence has rewards of {array.shape[1]} arms")
    refuse(array, (array < 0.0) | (array > 1.0), "in [0, 1]")
    return np.array(array, float, order="C")
