"""ODAAF: successive elimination with bridges, told the law of the delays; and its form for composite rewards."""

import math
from typing import NamedTuple

import numpy as np

from ...validate import choice, number, whole

SUM, ACTIVE = 0, 1  # rows of the table's columns of arms
PLAYS, BRIDGE = 0, 1  # and of its columns of phases
PHASES = 200  # after so many the last survivors are not told apart any more
FOREVER = 2**62


class Elimination(NamedTuple):
    """What ODAAF remembers."""

    table: np.ndarray  # (2, arms + phases) sum of what counts and whether active, by arm; then the policy's plays
    arm: int
    left: int  # steps of the arm in this phase, or of the bridge
    phase: int
    bridge: bool  # what is seen on a bridge does not count
    total: float  # seen in these steps so far


class ODAAF(NamedTuple):
    """Phases of elimination: what `odaaf` and `generalised_odaaf` return."""

    arms: int
    horizon: int
    plays: np.ndarray  # (2, phases) plays of an active arm up to the phase's end, and length of its bridge

    def actions(self):
        return self.arms

    def tally(self, world, state):
        """Arms not eliminated."""
        return {"active": float(np.sum(state.table[ACTIVE, : self.arms]))}

    # The plays go into the state's table: a second array would cost references at every step (CONTRIBUTING.md).
    def begin(self, rng):
        table = np.ones((2, self.arms + self.plays.shape[1]))
        for arm in range(self.arms):
            table[SUM, arm] = 0.0
        for phase in range(self.plays.shape[1]):
            table[PLAYS, self.arms + phase] = self.plays[PLAYS, phase]
            table[BRIDGE, self.arms + phase] = self.plays[BRIDGE, phase]
        arm, left, phase, bridge = self.open(table, 0)
        return Elimination(table, arm, left, phase, bridge, 0.0)

    def select(self, state, t, rng):
        return state.arm

    def update(self, state, action, seen, t, rng):
        table, total = state.table, state.total + seen
        if state.left > 1:
            return Elimination(table, action, state.left - 1, state.phase, state.bridge, total)
        arm, left, phase, bridge = self.close(table, action, state.phase, state.bridge, total)
        return Elimination(table, arm, left, phase, bridge, 0.0)

    def close(self, table, arm, phase, bridge, total):
        """What follows the plays of an arm, or a bridge: arm, steps, phase, and whether it is a bridge."""
        if bridge:
            return self.open(table, phase + 1)
        table[SUM, arm] += total
        for other in range(arm + 1, self.arms):
            if table[ACTIVE, other] > 0.0:
                return other, self.fresh(table, phase), phase, False
        best, length = self.eliminate(table, phase), int(table[BRIDGE, self.arms + phase])
        if length > 0:
            return best, length, phase, True
        return self.open(table, phase + 1)

    def open(self, table, phase):
        """Begin the phase, or the next one that has plays; a single survivor is played for ever."""
        phases = table.shape[1] - self.arms
        while phase < phases and self.fresh(table, phase) == 0:
            self.eliminate(table, phase)
            phase += 1
        first, count = -1, 0
        for arm in range(self.arms):
            if table[ACTIVE, arm] > 0.0:
                count += 1
                if first < 0:
                    first = arm
        if count == 1 or phase >= phases:
            return first, FOREVER, phase, True
        return first, self.fresh(table, phase), phase, False

    def fresh(self, table, phase):
        """Plays of each active arm in this phase."""
        before = 0.0
        if phase > 0:
            before = table[PLAYS, self.arms + phase - 1]
        return int(table[PLAYS, self.arms + phase] - before)

    def eliminate(self, table, phase):
        """Drop the arms whose mean is more than the tolerance below the largest; return the best, ties to the
        lowest."""
        best, top, plays = -1, -np.inf, table[PLAYS, self.arms + phase]
        for arm in range(self.arms):
            if table[ACTIVE, arm] > 0.0 and table[SUM, arm] > top:
                best, top = arm, table[SUM, arm]
        tolerance = math.pow(0.5, phase + 1.0)
        for arm in range(self.arms):
            if plays > 0.0 and table[SUM, arm] / plays + tolerance < top / plays:
                table[ACTIVE, arm] = 0.0
        return best


def odaaf(arms, horizon, mean, bound=None, variance=None, variant="mean"):
    r"""ODAAF: phases :math:`m` of tolerance :math:`2^{-m}`, every surviving arm played until it has :math:`n_m` plays.

    Parameters
    ----------
    arms : int
        Number of arms N, at least 1.
    horizon : int
        Number of rounds T, at least 1.
    mean : float
        What it is told of the mean delay, in rounds, at least 0.
    bound : float, optional
        What it is told of the longest delay, at least 0; needed by the variant "bound".
    variance : float, optional
        What it is told of the delay's variance, at least 0; needed by the variant "var".
    variant : {"mean", "bound", "var"}
        Which of the three schedules.

    Returns
    -------
    ODAAF
        The policy; rewards are expected in [0, 1].

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or the variant lacks what it is told.

    References
    ----------
    Pike-Burke, Agrawal, Szepesvári, Grünewälder, Bandits with delayed, aggregated anonymous feedback, 2018,
    Algorithm 1 and Equations (5), (8), (9).

    Examples
    --------
    >>> odaaf(9, 100_000, mean=20).plays[0, :4]
    array([  805.,  2834.,  8790., 25636.])
    """
    mean = number("mean", mean, least=0)
    choice("variant", variant, ("mean", "bound", "var"))
    for name, value, needed in (("bound", bound, "bound"), ("variance", variance, "var")):
        if variant == needed:
            number(name, value, least=0) if value is not None else lacking(name, variant)

    def plays(m, tolerance, log):
        by_mean = schedule(tolerance, log, 6.0 * m * mean)
        if variant == "mean":
            return by_mean
        if variant == "var":
            return schedule(tolerance, log, 4.0 * (mean + 2.0 * variance))
        return max(min(m * bound, by_mean), schedule(tolerance, log, 4.0 * mean))

    return eliminating(arms, horizon, plays, "ratio")


def generalised_odaaf(arms, horizon, d, bridge="ratio"):
    r"""ODAAF for composite rewards, told the length d of the reward interval.

    The original preprint's constants were not at hand: the plays :math:`n_m` are derived from the same argument, a bias
    of at most :math:`md` after m phases and Hoeffding's radius, together half the tolerance.

    Parameters
    ----------
    arms : int
        Number of arms N, at least 1.
    horizon : int
        Number of rounds T, at least 1.
    d : float
        What it is told of the longest delay, in rounds, at least 0.
    bridge : {"ratio", "d", "none"}
        Reading of the bridge's length: the phase's plays of an arm, d, or no bridge.

    Returns
    -------
    ODAAF
        The policy; rewards are expected in [0, 1].

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Garg, Akash, Stochastic bandits with delayed composite anonymous feedback, 2019 (the form of the schedule).

    Examples
    --------
    >>> generalised_odaaf(9, 100_000, d=40).plays[0, :4]
    array([  322.,  1226.,  3816., 10888.])
    """
    d = number("d", d, least=0)

    def plays(m, tolerance, log):
        root = math.sqrt(log) + math.sqrt(log + 4.0 * tolerance * m * d)
        return root * root / (2.0 * tolerance * tolerance)

    return eliminating(arms, horizon, plays, choice("bridge", bridge, ("ratio", "d", "none")), d)


def lacking(name, variant):
    """Say what a variant was not told."""
    raise ValueError(f"{name}=None: must be given for variant={variant!r}")


def schedule(tolerance, log, late):
    """Plays of a phase: what noise asks for, and what comes late."""
    root = math.sqrt(2.0 * log) + math.sqrt(2.0 * log + 8.0 / 3.0 * tolerance * log + tolerance * late)
    return root * root / (tolerance * tolerance)


def eliminating(arms, horizon, plays, bridge, d=0.0):
    """An ODAAF whose plays are tabulated up to the horizon."""
    arms, horizon = whole("arms", arms, 1), whole("horizon", horizon, 1)
    total, table = 0.0, []
    for m in range(1, PHASES + 1):
        tolerance = 0.5**m
        log = max(0.0, math.log(horizon) + 2.0 * math.log(tolerance))
        before, total = total, max(total, float(math.ceil(min(plays(m, tolerance, log), 2.0**53))))
        length = {"ratio": total - before, "d": math.ceil(d), "none": 0.0}[bridge]
        table.append((total, float(length)))
        if total >= horizon:
            break
    return ODAAF(arms, horizon, np.array(table).T.copy())
