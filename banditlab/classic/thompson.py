"""Thompson sampling: play the arm that is best in a draw from the posterior."""

import math
from typing import NamedTuple

import numpy as np

from ..validate import how_many, number

__all__ = ["ThompsonBeta", "ThompsonGaussian", "thompson_beta", "thompson_gaussian"]


class Counts(NamedTuple):
    """Parameters of the beta posteriors."""

    wins: np.ndarray  # (arms,)
    losses: np.ndarray  # (arms,)


class ThompsonBeta(NamedTuple):
    """Beta posteriors of success probabilities: what `thompson_beta` returns."""

    arms: int
    wins: float  # prior
    losses: float  # prior

    def actions(self):
        return self.arms

    def init(self, rng):
        return Counts(np.full(self.arms, self.wins), np.full(self.arms, self.losses))

    def select(self, state, t, rng):
        best, top = 0, -np.inf
        for arm in range(self.arms):
            theta = rng.beta(state.wins[arm], state.losses[arm])
            if theta > top:
                best, top = arm, theta
        return best

    def update(self, state, action, observation, t, rng):
        if rng.random() < observation:  # Algorithm 2: a trial with the reward as its chance
            state.wins[action] += 1.0
        else:
            state.losses[action] += 1.0
        return state


def thompson_beta(arms, wins=1.0, losses=1.0):
    """Thompson sampling with beta priors on success probabilities.

    A reward between 0 and 1 counts as a success with that probability; rewards 0 and 1 are what they are.

    Parameters
    ----------
    arms : int >= 1, number of arms
    wins, losses : float >= 0.02, parameters of the prior; 1 and 1 is uniform, the paper's, 1/2 and 1/2 is Jeffreys'

    Returns
    -------
    ThompsonBeta
        The policy; rewards are expected in [0, 1].

    References
    ----------
    Agrawal, Goyal, Analysis of Thompson sampling for the multi-armed bandit problem, 2012, Algorithms 1 and 2.

    Examples
    --------
    >>> from banditlab import classic, simulate
    >>> policies = {"Thompson": thompson_beta(2), "UCB1": classic.ucb1(2)}
    >>> result = simulate(classic.bernoulli([0.9, 0.5]), policies, 1000, runs=20)
    >>> bool(result.paired("UCB1", "Thompson")["low"].iloc[-1] > 0)
    True
    """
    wins, losses = number("wins", wins, least=0.02), number("losses", losses, least=0.02)
    return ThompsonBeta(how_many("arms", arms, 32), wins, losses)


class Beliefs(NamedTuple):
    """Normal beliefs on the means."""

    pulls: np.ndarray  # (arms,)
    sums: np.ndarray  # (arms,) of the rewards
    means: np.ndarray  # (arms,)
    deviations: np.ndarray  # (arms,)


class ThompsonGaussian(NamedTuple):
    """Normal beliefs on means: what `thompson_gaussian` returns."""

    arms: int
    sigma: float

    actions = ThompsonBeta.actions

    def init(self, rng):
        n = self.arms
        return Beliefs(np.zeros(n), np.zeros(n), np.zeros(n), np.full(n, self.sigma))

    def select(self, state, t, rng):
        best, top = 0, -np.inf
        for arm in range(self.arms):
            theta = state.means[arm] + state.deviations[arm] * rng.standard_normal()
            if theta > top:
                best, top = arm, theta
        return best

    def update(self, state, action, observation, t, rng):
        state.pulls[action] += 1.0
        state.sums[action] += observation
        more = state.pulls[action] + 1.0
        state.means[action] = state.sums[action] / more
        state.deviations[action] = self.sigma * math.sqrt(1.0 / more)
        return state


def thompson_gaussian(arms, sigma=1.0):
    r"""Thompson sampling with normal beliefs :math:`N(\sum x/(N_a+1),\sigma^2/(N_a+1))`.

    Parameters
    ----------
    arms : int >= 1, number of arms
    sigma : float > 0, standard deviation of the noise; the paper takes 1 for rewards in [0, 1]

    Returns
    -------
    ThompsonGaussian
        The policy.

    References
    ----------
    Agrawal, Goyal, Further optimal regret bounds for Thompson sampling, 2013, Algorithm 2.

    Examples
    --------
    >>> from banditlab import classic, simulate
    >>> policies = {"Thompson": thompson_gaussian(2), "uniform": classic.uniform(2)}
    >>> result = simulate(classic.gaussian([1.0, 0.0]), policies, 1000, runs=20)
    >>> bool(result.paired("uniform", "Thompson")["low"].iloc[-1] > 400)
    True
    """
    return ThompsonGaussian(how_many("arms", arms, 32), number("sigma", sigma, above=0))
