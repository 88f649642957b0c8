"""Arms and policies that more than one paper uses."""

import math
from typing import NamedTuple

import numpy as np

from .arms import confidence, draw, fresh, most_optimistic, record
from .validate import number, probabilities, whole


class Bernoulli(NamedTuple):
    """Independent arms with Bernoulli rewards: what `bernoulli` returns.

    A step draws one uniform whatever the arm, so all policies meet the same world.
    """

    means: np.ndarray  # (arms,) success probabilities
    gaps: np.ndarray  # (arms,) best mean minus mean

    def actions(self):
        return len(self.means)

    def reset(self, rng):
        return 0

    def step(self, world, action, t, rng):
        return 1.0 if rng.random() < self.means[action] else 0.0

    def regret(self, world, action, t):
        return self.gaps[action]


def bernoulli(means):
    """Arms with Bernoulli rewards.

    Parameters
    ----------
    means : array_like, shape (arms,)
        Success probabilities, in [0, 1].

    Returns
    -------
    Bernoulli
        The environment.

    Raises
    ------
    ValueError
        If `means` is empty, not one-dimensional, or leaves [0, 1].

    Examples
    --------
    >>> bernoulli([0.2, 0.7]).gaps
    array([0.5, 0. ])
    """
    means = probabilities("means", means)
    return Bernoulli(means, means.max() - means)


class UCB1(NamedTuple):
    """Upper confidence bounds: what `ucb1` returns."""

    arms: int
    alpha: float

    def actions(self):
        return self.arms

    def init(self, rng):
        return fresh(self.arms)

    def select(self, state, t, rng):
        return most_optimistic(state, confidence(self.alpha, t))

    def update(self, state, action, observation, t, rng):
        return record(state, action, observation)


def ucb1(arms, alpha=2.0):
    r"""UCB1: play the arm of largest :math:`\hat\mu_a + \sqrt{\alpha \log t / N_a}`.

    Parameters
    ----------
    arms : int
        Number of arms, at least 1.
    alpha : float
        Exploration, positive; 2 is the choice of the paper.

    Returns
    -------
    UCB1
        The policy; rewards are expected in [0, 1].

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Auer, Cesa-Bianchi, Fischer, Finite-time analysis of the multiarmed bandit problem, 2002, Figure 1.
    """
    return UCB1(whole("arms", arms, 1), number("alpha", alpha, above=0))


class Weights(NamedTuple):
    """What EXP3 remembers."""

    weights: np.ndarray  # (arms,) logarithms
    chances: np.ndarray  # (arms,) probabilities of this round


class EXP3(NamedTuple):
    """Exponential weights: what `exp3` returns."""

    arms: int
    horizon: int
    gamma: float

    def actions(self):
        return self.arms

    def init(self, rng):
        return Weights(np.zeros(self.arms), np.zeros(self.arms))

    def select(self, state, t, rng):
        return draw(state.weights, state.chances, self.gamma, 1.0, rng)

    def update(self, state, action, observation, t, rng):
        state.weights[action] += self.gamma * observation / (self.arms * state.chances[action])
        return state


def exp3(arms, horizon):
    r"""EXP3 with the mixing rate of its horizon, :math:`\gamma=\min\{1,\sqrt{N\ln N/((e-1)T)}\}`.

    Parameters
    ----------
    arms : int
        Number of arms N, at least 1.
    horizon : int
        Number of rounds T, at least 1.

    Returns
    -------
    EXP3
        The policy; rewards are expected in [0, 1].

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Auer, Cesa-Bianchi, Freund, Schapire, The nonstochastic multiarmed bandit problem, 2002, Corollary 3.2.
    """
    arms, horizon = whole("arms", arms, 1), whole("horizon", horizon, 1)
    return EXP3(arms, horizon, min(1.0, math.sqrt(arms * math.log(arms) / ((math.e - 1.0) * horizon))))


class Uniform(NamedTuple):
    """Every arm alike, for ever: what `uniform` returns."""

    arms: int

    def actions(self):
        return self.arms

    def init(self, rng):
        return 0

    def select(self, state, t, rng):
        return int(self.arms * rng.random())

    def update(self, state, action, observation, t, rng):
        return state


def uniform(arms):
    """Play an arm drawn uniformly, whatever is seen.

    Parameters
    ----------
    arms : int
        Number of arms, at least 1.

    Returns
    -------
    Uniform
        The policy.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.
    """
    return Uniform(whole("arms", arms, 1))
