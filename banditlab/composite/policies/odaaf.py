"""ODAAF: successive elimination with bridges, told the law of the delays; and its form for composite rewards.

The steps of a phase are those of Algorithm 1 of Pike-Burke et al. (2018): 1 play every active arm, 2 eliminate, 3 halve
the tolerance, 4 bridge.
"""

import math
from typing import NamedTuple

import numpy as np

from ...validate import choice, how_many, number, whole

__all__ = ["ODAAF", "generalised_odaaf", "odaaf"]

PHASES = 200  # after so many the last survivors are not told apart any more
FOREVER = 2**62


class ODAAFState(NamedTuple):
    """What ODAAF remembers."""

    sums: np.ndarray  # (arms,) of what counts
    active: np.ndarray  # (arms,) A_m, whether not dropped
    arm: int
    left: int  # steps of the arm in this phase, or of the bridge
    phase: int
    bridge: bool  # what is seen on a bridge does not count
    total: float  # seen in these steps so far


class ODAAF(NamedTuple):
    """Phases of elimination: what `odaaf` and `generalised_odaaf` return."""

    arms: int
    horizon: int
    plays: np.ndarray  # (phases + 1,) n_m, plays of an active arm up to the end of phase m; n_0 = 0
    bridges: np.ndarray  # (phases + 1,) steps of the bridge after phase m

    def actions(self):
        return self.arms

    def diagnostics(self, world, state):
        """Arms not eliminated."""
        return {"active": float(np.sum(state.active))}

    def init(self, rng):
        sums, active = np.zeros(self.arms), np.ones(self.arms, np.bool_)
        arm, left, phase, bridge = self.open(sums, active, 1)
        return ODAAFState(sums, active, arm, left, phase, bridge, 0.0)

    def select(self, state, t, rng):
        return state.arm

    def update(self, state, action, observation, t, rng):
        sums, active, total = state.sums, state.active, state.total + observation
        arm, left, phase, bridge = action, state.left - 1, state.phase, state.bridge
        if left == 0:
            if not bridge:  # step 1: plays that count; a bridge's (step 4) do not
                sums[arm] += total
            arm, left, phase, bridge = self.follow(sums, active, arm, phase, bridge)
            total = 0.0
        return ODAAFState(sums, active, arm, left, phase, bridge, total)

    def follow(self, sums, active, arm, phase, bridge):
        """What follows the plays of an arm, or a bridge: arm, steps, phase, and whether it is a bridge."""
        if bridge:
            return self.open(sums, active, phase + 1)
        for other in range(arm + 1, self.arms):  # step 1: one arm after the other
            if active[other]:
                return other, self.fresh(phase), phase, False
        best = self.eliminate(sums, active, phase)
        if self.bridges[phase] > 0:  # step 4
            return best, self.bridges[phase], phase, True
        return self.open(sums, active, phase + 1)

    def open(self, sums, active, phase):
        """Begin the phase, or the next one that has plays; a single survivor is played for ever."""
        while phase < len(self.plays) and self.fresh(phase) == 0:
            self.eliminate(sums, active, phase)
            phase += 1
        first, count = -1, 0
        for arm in range(self.arms):
            if active[arm]:
                count += 1
                if first < 0:
                    first = arm
        if count == 1 or phase >= len(self.plays):
            return first, FOREVER, phase, True
        return first, self.fresh(phase), phase, False

    def fresh(self, phase):
        """Plays of each active arm in this phase, n_m - n_{m-1}."""
        return self.plays[phase] - self.plays[phase - 1]

    def eliminate(self, sums, active, phase):
        """Step 2: drop the arms whose mean is more than the tolerance below the largest; return the best, ties to the
        lowest."""
        best, top, plays, tolerance = -1, -np.inf, self.plays[phase], math.pow(0.5, float(phase))
        for arm in range(self.arms):
            if active[arm] and sums[arm] > top:
                best, top = arm, sums[arm]
        for arm in range(self.arms):
            if plays > 0 and sums[arm] / plays + tolerance < top / plays:
                active[arm] = False
        return best


def odaaf(arms, horizon, mean, bound=None, variance=None, variant="mean"):
    r"""ODAAF: phases :math:`m` of tolerance :math:`2^{-m}`, every surviving arm played until it has :math:`n_m` plays.

    Rewards are expected in [0, 1]. What it is told may be wrong: it is not checked against anything.

    Parameters
    ----------
    arms : int >= 1, number of arms N
    horizon : int >= 1, number of rounds T
    mean : float >= 0, what it is told of the mean delay, in rounds
    bound : float >= 0, what it is told of the longest delay; needed by the variant "bound"
    variance : float >= 0, what it is told of the delay's variance; needed by the variant "var"
    variant : {"mean", "bound", "var"}
        Which of the three schedules.

    References
    ----------
    Pike-Burke, Agrawal, Szepesvári, Grünewälder, Bandits with delayed, aggregated anonymous feedback, 2018,
    Algorithm 1 and Equations (5), (8), (9).

    Examples
    --------
    >>> odaaf(9, 100_000, mean=20).plays[1:5].tolist()
    [805, 2834, 8790, 25636]
    """
    mean = number("mean", mean, least=0)
    choice("variant", variant, ("mean", "bound", "var"))
    for name, value, needed in (("bound", bound, "bound"), ("variance", variance, "var")):
        if value is None and variant == needed:
            raise ValueError(f"{name}=None: must be given for variant={variant!r}")
        if value is not None:
            number(name, value, least=0)

    def plays(m, tolerance, log):
        by_mean = schedule(tolerance, log, 6.0 * m * mean)
        if variant == "mean":
            return by_mean  # (5)
        if variant == "var":
            return schedule(tolerance, log, 4.0 * (mean + 2.0 * variance))  # (9)
        return max(min(m * bound, by_mean), schedule(tolerance, log, 4.0 * mean))  # (8)

    return eliminating(arms, horizon, plays, "ratio")


def generalised_odaaf(arms, horizon, d, bridge="ratio"):
    r"""ODAAF for composite rewards, told the length d of the reward interval.

    The original preprint's constants were not at hand: the plays :math:`n_m` are derived from the same argument, a bias
    of at most :math:`md` after m phases and Hoeffding's radius, together half the tolerance.

    Parameters
    ----------
    arms : int >= 1, number of arms N
    horizon : int >= 1, number of rounds T
    d : float >= 0, what it is told of the longest delay, in rounds
    bridge : {"ratio", "d", "none"}
        Reading of the bridge's length: the phase's plays of an arm, d, or no bridge.

    References
    ----------
    Garg, Akash, Stochastic bandits with delayed composite anonymous feedback, 2019 (the form of the schedule).

    Examples
    --------
    >>> generalised_odaaf(9, 100_000, d=40).plays[1:5].tolist()
    [322, 1226, 3816, 10888]
    """
    d = number("d", d, least=0)

    def plays(m, tolerance, log):
        root = math.sqrt(log) + math.sqrt(log + 4.0 * tolerance * m * d)
        return root * root / (2.0 * tolerance * tolerance)

    return eliminating(arms, horizon, plays, choice("bridge", bridge, ("ratio", "d", "none")), d)


def schedule(tolerance, log, late):
    """Plays of a phase: what noise asks for, and what comes late."""
    root = math.sqrt(2.0 * log) + math.sqrt(2.0 * log + 8.0 / 3.0 * tolerance * log + tolerance * late)
    return root * root / (tolerance * tolerance)


def eliminating(arms, horizon, plays, bridge, d=0.0):
    """An ODAAF whose plays are tabulated up to the horizon."""
    arms, horizon = how_many("arms", arms, 64), whole("horizon", horizon, 1)
    total, table = 0, [(0, 0)]
    for m in range(1, PHASES + 1):
        tolerance = 0.5**m  # step 3
        log = max(0.0, math.log(horizon) + 2.0 * math.log(tolerance))
        before, total = total, max(total, math.ceil(min(plays(m, tolerance, log), 2.0**53)))
        table.append((total, {"ratio": total - before, "d": math.ceil(d), "none": 0}[bridge]))
        if total >= horizon:
            break
    return ODAAF(arms, horizon, *np.array(table, np.int64).T.copy())
