"""Duels: an action is a pair of arms, and what is seen is which of the two wins."""

import math
from typing import NamedTuple

import numpy as np

from ..user_code import spaces
from ..validate import how_many, number, table

__all__ = ["RUCB", "Duels", "duels", "rucb"]


class Duels(NamedTuple):
    """Pairs of arms of which one wins: what `duels` returns. A step draws one uniform whatever the pair."""

    chances: np.ndarray  # (arms, arms) that the first one wins
    gaps: np.ndarray  # (arms,) chance that the best arm wins, less one half

    def actions(self):
        arm = spaces.Discrete(len(self.gaps))
        return spaces.tuple_of(arm, arm)

    def reset(self, rng):
        return 0

    def step(self, world, action, t, rng):
        return 1.0 if rng.random() < self.chances[action[0], action[1]] else 0.0

    def regret(self, world, action, t):
        return 0.5 * (self.gaps[action[0]] + self.gaps[action[1]])


def duels(chances):
    """Arms that are compared in pairs, with one that wins against every other more often than not.

    Parameters
    ----------
    chances : array_like in [0, 1], shape (arms, arms)
        Chance that the arm of the row wins against that of the column; chances of a pair add up to 1, the diagonal is
        1/2, and one row is above 1/2 everywhere else.

    Returns
    -------
    Duels
        The environment: an action is a tuple of two arms, what is seen is 1 if the first one wins, else 0, and the
        regret of a round is the mean of what both lose to the best arm.

    Examples
    --------
    >>> duels([[0.5, 0.7], [0.3, 0.5]]).gaps
    array([0. , 0.2])
    """
    chances = table("chances", chances, least=0, most=1)
    if chances.shape[0] != chances.shape[1] or np.abs(chances + chances.T - 1.0).max() > 1e-9:
        raise ValueError("chances: must be a square table, and the two chances of every pair must add up to 1")
    winners = np.flatnonzero((chances > 0.5).sum(axis=1) == len(chances) - 1)
    if len(winners) != 1:
        raise ValueError("chances: one arm must win against every other with a chance above 1/2")
    return Duels(chances, chances[winners[0]] - 0.5)


class Fights(NamedTuple):
    """What RUCB remembers."""

    wins: np.ndarray  # (arms, arms) of the row against the column
    champion: np.ndarray  # (1,) the arm that may be the best one alone; -1 for none


class RUCB(NamedTuple):
    """Relative upper confidence bounds: what `rucb` returns."""

    arms: int
    alpha: float

    def actions(self):
        arm = spaces.Discrete(self.arms)
        return spaces.tuple_of(arm, arm)

    def init(self, rng):
        return Fights(np.zeros((self.arms, self.arms)), np.full(1, -1))

    def upper(self, wins, i, j, log):
        """U_ij of line 4: the largest chance that i wins against j."""
        if i == j:
            return 0.5
        fights = wins[i, j] + wins[j, i]
        return wins[i, j] / fights + math.sqrt(self.alpha * log / fights) if fights > 0.0 else 2.0

    def select(self, state, t, rng):
        wins, log, u = state.wins, math.log(t + 1.0), rng.random()
        possible, count = np.zeros(self.arms, np.bool_), 0
        for i in range(self.arms):  # line 5: who may win against everybody
            possible[i] = True
            for j in range(self.arms):
                possible[i] = possible[i] and self.upper(wins, i, j, log) >= 0.5
            count += possible[i]
        first = self.choose(state.champion, possible, count, u)
        second, top = first, -np.inf
        for j in range(self.arms):  # line 13: the strongest rival, itself only if no other is as strong
            upper = self.upper(wins, j, first, log)
            if upper > top or (upper == top and second == first):
                second, top = j, upper
        return first, second

    def choose(self, champion, possible, count, u):
        """Lines 6 to 12: the first arm, by one uniform number."""
        if champion[0] >= 0 and not possible[champion[0]]:
            champion[0] = -1
        if count == 0:
            return int(self.arms * u)
        if champion[0] >= 0 and count > 1:
            if u < 0.5:
                return champion[0]
            u, count = 2.0 * (u - 0.5), count - 1
            possible[champion[0]] = False
        left, arm = int(count * u), 0
        for arm in range(self.arms):
            if possible[arm]:
                if left == 0:
                    break
                left -= 1
        if count == 1 and champion[0] < 0:
            champion[0] = arm
        return arm

    def update(self, state, action, observation, t, rng):
        first, second = action
        if observation > 0.5:
            state.wins[first, second] += 1.0
        else:
            state.wins[second, first] += 1.0
        return state


def rucb(arms, alpha=0.51):
    r"""RUCB: let an arm that may be the best one fight its strongest rival, by upper bounds of the chances to win.

    Parameters
    ----------
    arms : int >= 1, number of arms
    alpha : float > 0.5, exploration; 0.51 is what the paper plays

    Returns
    -------
    RUCB
        The policy; an action is a tuple of two arms.

    References
    ----------
    Zoghi, Whiteson, Munos, de Rijke, Relative upper confidence bound for the K-armed dueling bandit problem, ICML 2014,
    Algorithm 1.

    Examples
    --------
    >>> from banditlab import classic, simulate, spaces
    >>> world = duels([[0.5, 0.7, 0.8], [0.3, 0.5, 0.6], [0.2, 0.4, 0.5]])
    >>> policies = {"RUCB": rucb(3), "uniform": classic.uniform(world.actions())}
    >>> result = simulate(world, policies, 2000, runs=20)
    >>> bool(result.paired("uniform", "RUCB")["low"].iloc[-1] > 0)
    True
    """
    return RUCB(how_many("arms", arms, 64), number("alpha", alpha, above=0.5))
