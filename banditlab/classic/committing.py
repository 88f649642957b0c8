"""Policies that stop exploring: explore-then-commit, successive elimination."""

import math
from typing import NamedTuple

import numpy as np

from ..building_blocks.indices import place_of_largest
from ..engine.methods import helper
from ..validate import LARGEST, flag, how_many, number, whole

__all__ = ["ExploreThenCommit", "SuccessiveElimination", "explore_then_commit", "successive_elimination"]


class Explored(NamedTuple):
    """What explore-then-commit remembers."""

    sums: np.ndarray  # (arms,) of the rewards
    choice: int  # arm committed to, once it is


class ExploreThenCommit(NamedTuple):
    """Every arm equally often, then the best for ever: what `explore_then_commit` returns."""

    arms: int
    pulls: int  # of each arm

    def actions(self):
        return self.arms

    def init(self, rng):
        return Explored(np.zeros(self.arms), 0)

    def select(self, state, t, rng):
        if t < self.pulls * self.arms:  # line 3
            return t % self.arms
        return state.choice

    def update(self, state, action, observation, t, rng):
        sums, choice = state.sums, state.choice
        if t < self.pulls * self.arms:
            sums[action] += observation
            if t + 1 == self.pulls * self.arms:
                choice = place_of_largest(sums)
        return Explored(sums, choice)


def explore_then_commit(arms, pulls):
    """Play every arm m times in turn, then for ever the arm of largest mean.

    Parameters
    ----------
    arms : int >= 1, number of arms
    pulls : int >= 1, pulls m of each arm

    Returns
    -------
    ExploreThenCommit
        The policy; rewards may have any range.

    References
    ----------
    Lattimore, Szepesvári, Bandit Algorithms, 2020, Algorithm 1 (Section 6.1).

    Examples
    --------
    >>> from banditlab import classic, simulate
    >>> policies = {"few": explore_then_commit(2, 1), "enough": explore_then_commit(2, 50)}
    >>> result = simulate(classic.bernoulli([0.7, 0.3]), policies, 5000, runs=100)
    >>> bool(result.paired("few", "enough")["low"].iloc[-1] > 0)
    True
    """
    arms = how_many("arms", arms, 16)
    return ExploreThenCommit(arms, whole("pulls", pulls, 1, LARGEST // arms))


class Survivors(NamedTuple):
    """What successive elimination remembers."""

    sums: np.ndarray  # (arms,) of the rewards
    active: np.ndarray  # (arms,) bool
    arm: int  # to play next
    sweeps: int  # pulls of every active arm before this sweep
    left: int  # number of active arms


class SuccessiveElimination(NamedTuple):
    """All arms that may be best, in turn: what `successive_elimination` returns."""

    arms: int
    delta: float
    c: float

    actions = ExploreThenCommit.actions

    def init(self, rng):
        return Survivors(np.zeros(self.arms), np.ones(self.arms, np.bool_), 0, 0, self.arms)

    def select(self, state, t, rng):
        return state.arm

    def update(self, state, action, observation, t, rng):
        sums, active, sweeps, left = state.sums, state.active, state.sweeps, state.left
        arm = action
        if left > 1:
            sums[action] += observation
            arm = following(active, action + 1)
            if arm == len(active):  # every active arm was played once more
                sweeps += 1
                left = self.eliminate(sums, active, float(sweeps))
                arm = following(active, 0)
        return Survivors(sums, active, arm, sweeps, left)

    def eliminate(self, sums, active, n):
        """Drop the arms whose mean is at least 2 alpha below the best; return how many are left."""
        alpha, top, left = math.sqrt(math.log(self.c * self.arms * n * n / self.delta) / n), -np.inf, 0
        for arm in range(self.arms):
            if active[arm]:
                top = max(top, sums[arm] / n)
        for arm in range(self.arms):
            active[arm] = active[arm] and top - sums[arm] / n < 2.0 * alpha
            left += active[arm]
        return left


class StoppingElimination(SuccessiveElimination):
    """The same, which stops when one arm is left: what `successive_elimination` with ``stops`` returns."""

    def stop(self, state, t):
        return state.left == 1

    def answer(self, state):
        return place_of_largest(np.where(state.active, state.sums, -np.inf))


@helper
def following(active, arm):
    """The first active arm from here on; the number of arms if there is none."""
    while arm < len(active) and not active[arm]:
        arm += 1
    return arm


def successive_elimination(arms, delta, c=4.0, stops=False):
    r"""Play all arms in turn, dropping those whose mean is :math:`2\alpha_n` below the best after n pulls of each,
    :math:`\alpha_n=\sqrt{\log(cKn^2/\delta)/n}`; the last one left is played for ever.

    Parameters
    ----------
    arms : int >= 1, number of arms K
    delta : float in (0, 1), allowed probability of dropping the best arm
    c : float >= 1, constant of the radius; from pi^2 / 3 on, `delta` holds for rewards in [0, 1] by Hoeffding's bound

    stops : bool, whether the run ends when one arm is left, which is then the answer, as in the paper

    Returns
    -------
    SuccessiveElimination
        The policy; rewards are expected in [0, 1].

    References
    ----------
    Even-Dar, Mannor, Mansour, Action elimination and stopping conditions for the multi-armed bandit and reinforcement
    learning problems, 2006, Algorithm 3.

    Examples
    --------
    >>> from banditlab import classic, simulate
    >>> policies = {"elimination": successive_elimination(3, 0.01), "uniform": classic.uniform(3)}
    >>> result = simulate(classic.bernoulli([0.9, 0.5, 0.1]), policies, 2000, runs=20)
    >>> bool(result.paired("uniform", "elimination")["low"].iloc[-1] > 0)
    True
    """
    delta = number("delta", delta, above=0, below=1)
    kind = StoppingElimination if flag("stops", stops) else SuccessiveElimination
    return kind(how_many("arms", arms, 16), delta, number("c", c, least=1))
