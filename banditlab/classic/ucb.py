"""Upper confidence bounds: UCB1, MOSS, UCB-V."""

import math
from typing import NamedTuple

import numpy as np

from ..building_blocks.indices import add_reward, confidence, most_optimistic, new_indices, new_tally, place_of_largest
from ..validate import LARGEST, how_many, number, whole

__all__ = ["MOSS", "UCB1", "UCBV", "moss", "ucb1", "ucb_v"]


class UCB1(NamedTuple):
    """Upper confidence bounds: what `ucb1` returns."""

    arms: int
    alpha: float

    def actions(self):
        return self.arms

    def init(self, rng):
        return new_tally(self.arms)

    def select(self, state, t, rng):
        return most_optimistic(state, confidence(self.alpha, t))

    def indices(self, state, t):
        shown, width = np.full((3, self.arms), np.nan), confidence(self.alpha, t)
        for arm in range(self.arms):
            if state.pulls[arm] > 0.0:
                shown[0, arm], shown[1, arm] = state.means[arm], width * state.roots[arm]
                shown[2, arm] = shown[0, arm] + shown[1, arm]
        return shown

    def update(self, state, action, observation, t, rng):
        return add_reward(state, action, observation)


def ucb1(arms, alpha=2.0):
    r"""UCB1: play the arm of largest :math:`\hat\mu_a + \sqrt{\alpha \log t / N_a}`.

    Parameters
    ----------
    arms : int >= 1, number of arms
    alpha : float > 0, exploration; 2 is the choice of the paper

    Returns
    -------
    UCB1
        The policy; rewards are expected in [0, 1].

    References
    ----------
    Auer, Cesa-Bianchi, Fischer, Finite-time analysis of the multiarmed bandit problem, 2002, Figure 1.

    Examples
    --------
    >>> from banditlab import classic, simulate
    >>> result = simulate(classic.bernoulli([0.9, 0.5]), {"UCB1": ucb1(2)}, 1000, runs=20)
    >>> bool(result.summary()["high"].iloc[-1] < 60)  # a policy that draws arms at random loses 200
    True
    """
    return UCB1(how_many("arms", arms, 32), number("alpha", alpha, above=0))


class MOSS(NamedTuple):
    """Minimax optimal strategy in the stochastic case: what `moss` returns."""

    arms: int
    horizon: int

    actions = UCB1.actions

    def init(self, rng):
        return new_indices(self.arms)

    def select(self, state, t, rng):
        return place_of_largest(state.index)

    def update(self, state, action, observation, t, rng):
        state.pulls[action] += 1.0
        state.sums[action] += observation
        s = state.pulls[action]
        log = max(0.0, math.log(self.horizon / (self.arms * s)))
        state.index[action] = state.sums[action] / s + math.sqrt(log / s)
        return state


def moss(arms, horizon):
    r"""MOSS: play the arm of largest :math:`\hat\mu_a+\sqrt{\max\{\log(n/(KN_a)),0\}/N_a}`.

    Parameters
    ----------
    arms : int >= 1, number of arms K
    horizon : int >= 1, number of rounds n

    Returns
    -------
    MOSS
        The policy; rewards are expected in [0, 1].

    References
    ----------
    Audibert, Bubeck, Minimax policies for adversarial and stochastic bandits, 2009, Section 2.1.

    Examples
    --------
    >>> from banditlab import classic, simulate
    >>> policies = {"MOSS": moss(2, 1000), "UCB1": ucb1(2)}
    >>> result = simulate(classic.bernoulli([0.9, 0.5]), policies, 1000, runs=20)
    >>> bool(result.paired("UCB1", "MOSS")["low"].iloc[-1] > 0)
    True
    """
    return MOSS(how_many("arms", arms, 32), whole("horizon", horizon, 1, LARGEST))


class Variances(NamedTuple):
    """What UCB-V remembers."""

    pulls: np.ndarray  # (arms,)
    sums: np.ndarray  # (2, arms) of the rewards, and of their squares
    means: np.ndarray  # (arms,)
    roots: np.ndarray  # (arms,) sqrt(2 V / N), V the mean squared deviation
    shares: np.ndarray  # (arms,) 1 / N, infinite before the first pull


class UCBV(NamedTuple):
    """Upper confidence bounds from empirical variances: what `ucb_v` returns."""

    arms: int
    zeta: float
    range: float  # 3 b c

    actions = UCB1.actions

    def init(self, rng):
        n = self.arms
        return Variances(np.zeros(n), np.zeros((2, n)), np.zeros(n), np.zeros(n), np.full(n, np.inf))

    def select(self, state, t, rng):
        explore = self.zeta * math.log(max(t, 1) + 1.0)
        root, extra, best, top = math.sqrt(explore), self.range * explore, 0, -np.inf
        for arm in range(self.arms):  # Equation 1
            index = state.means[arm] + root * state.roots[arm] + extra * state.shares[arm]
            if index > top:
                best, top = arm, index
        return best

    def update(self, state, action, observation, t, rng):
        sums = state.sums
        state.pulls[action] += 1.0
        sums[0, action] += observation
        sums[1, action] += observation * observation
        share = 1.0 / state.pulls[action]
        mean = sums[0, action] * share
        state.means[action], state.shares[action] = mean, share
        state.roots[action] = math.sqrt(2.0 * max(0.0, sums[1, action] * share - mean * mean) * share)
        return state


def ucb_v(arms, zeta=1.2, c=1.0, b=1.0):
    r"""UCB-V: play the arm of largest :math:`\hat\mu_a+\sqrt{2V_a\mathcal E_t/N_a}+3bc\,\mathcal E_t/N_a`,
    :math:`\mathcal E_t=\zeta\log t`.

    Parameters
    ----------
    arms : int >= 1, number of arms
    zeta : float > 0, exploration; the bounds ask for more than 1
    c : float > 0, weight of the last term; the bounds are for 1
    b : float > 0, rewards are expected in [0, b]

    Returns
    -------
    UCBV
        The policy; V is the mean squared deviation of an arm's rewards.

    References
    ----------
    Audibert, Munos, Szepesvári, Exploration-exploitation tradeoff using variance estimates in multi-armed bandits,
    2009, Equation 1 and Theorem 4.

    Examples
    --------
    >>> from banditlab import classic, simulate
    >>> arms = classic.beta([0.6, 0.5], concentration=50)  # little noise
    >>> result = simulate(arms, {"UCB-V": ucb_v(2), "UCB1": ucb1(2)}, 5000, runs=20)
    >>> bool(result.paired("UCB1", "UCB-V")["low"].iloc[-1] > 0)
    True
    """
    c, b = number("c", c, above=0), number("b", b, above=0)
    return UCBV(how_many("arms", arms, 32), number("zeta", zeta, above=0), 3.0 * b * c)
