"""Upper confidence bounds that forget, for arms that change: sliding window, discounted."""

import math
from typing import NamedTuple

import numpy as np

from ..building_blocks.growing_arrays import sum_entries
from ..building_blocks.indices import Tally, add_reward, most_optimistic, new_indices, new_tally, place_of_largest
from ..engine.methods import helper
from ..validate import how_many, number

__all__ = ["DiscountedUCB", "SlidingUCB", "discounted_ucb", "sliding_ucb"]


class Window(NamedTuple):
    """What sliding-window UCB remembers: 16 bytes for each of its rounds."""

    tally: Tally  # of the window
    arms: np.ndarray  # (window,) a ring: arms played
    rewards: np.ndarray  # (window,)


@helper
def remove(tally, arm, reward):
    """Take a reward out of a tally again; what is not there any more leaves no rounding behind."""
    tally.pulls[arm] -= 1.0
    tally.sums[arm] -= reward
    if tally.pulls[arm] > 0.0:
        tally.means[arm] = tally.sums[arm] / tally.pulls[arm]
        tally.roots[arm] = math.sqrt(1.0 / tally.pulls[arm])
    else:
        tally.sums[arm], tally.means[arm], tally.roots[arm] = 0.0, 0.0, np.inf


class SlidingUCB(NamedTuple):
    """Upper confidence bounds of the last rounds: what `sliding_ucb` returns."""

    arms: int
    window: int  # tau
    xi: float
    scale: float  # B

    def actions(self):
        return self.arms

    def init(self, rng):
        return Window(new_tally(self.arms), np.zeros(self.window, np.int64), np.zeros(self.window))

    def select(self, state, t, rng):
        if t < self.arms:
            return t
        return most_optimistic(state.tally, self.scale * math.sqrt(self.xi * math.log(float(min(t, self.window)))))

    def update(self, state, action, observation, t, rng):
        place = t % self.window
        if t >= self.window:
            remove(state.tally, state.arms[place], state.rewards[place])
        state.arms[place], state.rewards[place] = action, observation
        add_reward(state.tally, action, observation)
        return state


def sliding_ucb(arms, window, xi=0.6, scale=1.0):
    r"""SW-UCB: play the arm of largest :math:`\bar X_a+B\sqrt{\xi\log\min\{t,\tau\}/N_a}`, mean and number of the last
    :math:`\tau` rounds.

    Parameters
    ----------
    arms : int >= 1, number of arms
    window : int >= 2, number of rounds tau that are remembered, 16 bytes each
    xi : float > 0, exploration; the theorems ask for more than 1/2, the experiments take 0.6
    scale : float > 0, rewards are expected in [0, B]

    Returns
    -------
    SlidingUCB
        The policy; an arm that was not played in the window is played.

    References
    ----------
    Garivier, Moulines, On upper-confidence bound policies for switching bandit problems, 2011, Section 3, SW-UCB.

    Examples
    --------
    >>> from banditlab import classic, simulate
    >>> arms = classic.piecewise([[0.9, 0.5], [0.1, 0.5]], changes=[3000])
    >>> result = simulate(arms, {"sliding": sliding_ucb(2, 500), "UCB1": classic.ucb1(2)}, 6000, runs=20)
    >>> bool(result.paired("UCB1", "sliding")["low"].iloc[-1] > 0)
    True
    """
    xi, scale = number("xi", xi, above=0), number("scale", scale, above=0)
    return SlidingUCB(how_many("arms", arms, 32), how_many("window", window, 16, 2), xi, scale)


class DiscountedUCB(NamedTuple):
    """Upper confidence bounds of rounds that fade: what `discounted_ucb` returns."""

    arms: int
    gamma: float
    xi: float
    scale: float  # B

    actions = SlidingUCB.actions

    def init(self, rng):
        return new_indices(self.arms)

    def select(self, state, t, rng):
        if t < self.arms:
            return t
        total = sum_entries(state.pulls)
        width = 2.0 * self.scale * math.sqrt(self.xi * math.log(total))
        for arm in range(self.arms):
            state.index[arm] = np.inf  # of an arm that faded to nothing
            if state.pulls[arm] > 0.0:
                state.index[arm] = state.sums[arm] / state.pulls[arm] + width / math.sqrt(state.pulls[arm])
        return place_of_largest(state.index)

    def update(self, state, action, observation, t, rng):
        for arm in range(self.arms):
            state.pulls[arm] *= self.gamma
            state.sums[arm] *= self.gamma
        state.pulls[action] += 1.0
        state.sums[action] += observation
        return state


def discounted_ucb(arms, gamma, xi=0.6, scale=1.0):
    r"""D-UCB: play the arm of largest :math:`\bar X_a+2B\sqrt{\xi\log n/N_a}`, where a round weighs :math:`\gamma` to
    the number of rounds since, N sums an arm's weights and n all of them.

    Parameters
    ----------
    arms : int >= 1, number of arms
    gamma : float in (0, 1], discount; 1 forgets nothing
    xi : float > 0, exploration; the theorems ask for more than 1/2, the experiments take 0.6
    scale : float > 0, rewards are expected in [0, B]

    Returns
    -------
    DiscountedUCB
        The policy.

    References
    ----------
    Garivier, Moulines, On upper-confidence bound policies for switching bandit problems, 2011, Section 3, D-UCB.

    Examples
    --------
    >>> from banditlab import classic, simulate
    >>> arms = classic.piecewise([[0.9, 0.5], [0.1, 0.5]], changes=[3000])
    >>> result = simulate(arms, {"discounted": discounted_ucb(2, 0.998), "UCB1": classic.ucb1(2)}, 6000, runs=20)
    >>> bool(result.paired("UCB1", "discounted")["low"].iloc[-1] > 0)
    True
    """
    gamma, xi = number("gamma", gamma, above=0, most=1), number("xi", xi, above=0)
    return DiscountedUCB(how_many("arms", arms, 32), gamma, xi, number("scale", scale, above=0))
