"""Policies that look at the reward only: UCB and Gaussian Thompson sampling."""

import math
from typing import NamedTuple

import numpy as np

from ...protocol import helper
from ...validate import number, vector, whole
from ..arguments import exploration, weights


class Indices(NamedTuple):
    """What is remembered of the actions; an index changes only when its action is played."""

    pulls: np.ndarray  # (K,)
    sums: np.ndarray  # (K,)
    index: np.ndarray  # (K,) infinite before the first pull


@helper
def fresh(arms):
    """Actions never played."""
    return Indices(np.zeros(arms), np.zeros(arms), np.full(arms, np.inf))


@helper
def largest(index):
    """The place of the largest entry; ties to the lowest."""
    best, top = 0, -np.inf
    for a in range(len(index)):
        if index[a] > top:
            best, top = a, index[a]
    return best


@helper
def enter(state, action, value, twice, width):
    """Enter one more sum, and renew the action's index: mean + width * sqrt(2 beta / N)."""
    pulls, sums, index = state.pulls, state.sums, state.index
    pulls[action] += 1.0
    sums[action] += value
    index[action] = sums[action] / pulls[action] + width * math.sqrt(twice / pulls[action])


def counted(pulls):
    """The pulls of every action, for `tally`."""
    return {f"pulls {a}": float(n) for a, n in enumerate(pulls)}


class UCB(NamedTuple):
    """Upper confidence bounds of the total reward: what `ucb` returns."""

    arms: int
    observed: int  # numbers seen in a round
    width: float  # m
    twice: float  # 2 beta

    def actions(self):
        return self.arms, self.observed, int(self.width)

    def tally(self, world, state):
        return counted(state.pulls)

    def init(self, rng):
        return fresh(self.arms)

    def select(self, state, t, rng):
        return largest(state.index)

    def update(self, state, action, observation, t, rng):
        enter(state, action, observation.reward, self.twice, self.width)
        return state


def ucb(arms, variables, beta, sizes=None):
    r"""UCB on the reward: the action of largest :math:`\hat r^a+m\sqrt{2\beta/N^a}`, after each was played once.

    Parameters
    ----------
    arms : int
        Number of actions K, at least 1.
    variables : int
        Number of payoffs that a round shows, at least 1.
    beta : float
        Exploration, positive; log(1/δ') in the theory.
    sizes : array_like, shape (variables,), optional
        How many variables each payoff shown is the sum of; the width is their total m.

    Returns
    -------
    UCB
        The policy.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Hsieh, Kasiviswanathan, Kveton, Uplifting Bandits, NeurIPS 2022, Section 7, Appendix D.1.
    """
    variables = whole("variables", variables, 1)
    total = float(weights(sizes, variables).sum())
    return UCB(whole("arms", arms, 1), variables, total, exploration(beta))


class Posterior(NamedTuple):
    """Normal beliefs on the expected rewards."""

    pulls: np.ndarray  # (K,)
    sums: np.ndarray  # (K,)
    belief: np.ndarray  # (K, 2) mean and standard deviation


class Thompson(NamedTuple):
    """Thompson sampling on rewards: what `thompson` returns."""

    arms: int
    observed: int
    width: float  # m
    centre: float  # prior mean
    prior: float  # prior precision
    noise: float  # precision of a reward

    def actions(self):
        return self.arms, self.observed, int(self.width)

    def tally(self, world, state):
        return counted(state.pulls)

    def init(self, rng):
        belief = np.zeros((self.arms, 2))
        for a in range(self.arms):
            belief[a, 0], belief[a, 1] = self.centre, math.sqrt(1.0 / self.prior)
        return Posterior(np.zeros(self.arms), np.zeros(self.arms), belief)

    def select(self, state, t, rng):
        belief = state.belief
        best, top = 0, -np.inf
        for a in range(len(belief)):
            value = belief[a, 0] + belief[a, 1] * rng.standard_normal()
            if value > top:
                best, top = a, value
        return best

    def update(self, state, action, observation, t, rng):
        pulls, sums, belief = state.pulls, state.sums, state.belief
        pulls[action] += 1.0
        sums[action] += observation.reward
        precision = self.prior + pulls[action] * self.noise
        belief[action, 0] = (self.centre * self.prior + sums[action] * self.noise) / precision
        belief[action, 1] = math.sqrt(1.0 / precision)
        return state


def thompson(rewards, variables, sigma2, sizes=None):
    r"""Gaussian Thompson sampling on the reward, with the prior of the paper: the law of the true expected rewards.

    The prior of every action is normal with mean and (population) variance of the true expected rewards over the
    actions, which no other policy is told; the noise variance is taken as :math:`m^2\sigma^2`.

    Parameters
    ----------
    rewards : array_like, shape (K,)
        True expected rewards, not all equal.
    variables : int
        Number of payoffs that a round shows, at least 1.
    sigma2 : float
        Noise variance over m squared, positive; tuned in the paper.
    sizes : array_like, shape (variables,), optional
        How many variables each payoff shown is the sum of; m is their total.

    Returns
    -------
    Thompson
        The policy; no action is forced at the start.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Uplifting Bandits, Appendix D.1.
    """
    rewards, variables = vector("rewards", rewards), whole("variables", variables, 1)
    if np.ptp(rewards) <= 1e-12 * np.abs(rewards).max():  # by rounding only
        raise ValueError(f"rewards={rewards.tolist()}: must not all be equal, their variance is that of the prior")
    total = float(weights(sizes, variables).sum())
    noise = 1.0 / (total * total * number("sigma2", sigma2, above=0))
    return Thompson(len(rewards), variables, total, float(rewards.mean()), 1.0 / float(rewards.var()), noise)
