"""Policies that look at the reward only: UCB and Gaussian Thompson sampling (Section 7, Appendix D.1)."""

import math
from typing import NamedTuple

import numpy as np

from ...building_blocks.indices import new_indices, place_of_largest
from ...classic.thompson import Beliefs, ThompsonGaussian
from ...engine.methods import helper
from ...validate import how_many, number, vector
from ..arguments import exploration, weights

__all__ = ["ucb", "thompson"]


@helper
def enter(state, action, value, two_beta, width):
    """Enter one more value, and renew the action's index: mean + width * c, c = sqrt(2 beta / N) of Eq. (3)."""
    pulls, sums, index = state.pulls, state.sums, state.index
    pulls[action] += 1.0
    sums[action] += value
    index[action] = sums[action] / pulls[action] + width * math.sqrt(two_beta / pulls[action])


@helper
def optimism(state, two_beta, widths):
    """Mean, radius and index of every action (3, K), as `enter` makes them; nan before the first pull."""
    pulls, shown = state.pulls, np.full((3, len(state.pulls)), np.nan)
    for a in range(len(pulls)):
        if pulls[a] > 0.0:
            shown[0, a], shown[1, a] = state.sums[a] / pulls[a], widths[a] * math.sqrt(two_beta / pulls[a])
            shown[2, a] = state.index[a]
    return shown


class UCB(NamedTuple):
    """Upper confidence bounds of the total reward: what `ucb` returns."""

    arms: int
    observed: int  # numbers seen in a round
    width: float  # m
    two_beta: float

    def actions(self):
        return self.arms, self.observed, int(self.width)

    def diagnostics(self, world, state):
        return {"pulls": state.pulls}

    def init(self, rng):
        return new_indices(self.arms)

    def select(self, state, t, rng):
        return place_of_largest(state.index)

    def indices(self, state, t):
        return optimism(state, self.two_beta, np.full(self.arms, self.width))

    def update(self, state, action, observation, t, rng):
        enter(state, action, observation.reward, self.two_beta, self.width)
        return state


def ucb(arms, variables, beta, sizes=None):
    r"""UCB on the reward: the action of largest :math:`\hat r^a+m\sqrt{2\beta/N^a}`, after each was played once.

    Parameters
    ----------
    arms : int >= 1, number of actions K
    variables : int >= 1, number of payoffs that a round shows
    beta : float > 0, exploration; log(1/δ') in the theory
    sizes : array_like, shape (variables,), optional
        How many variables each payoff shown is the sum of (clusters); the width is their total m.

    References
    ----------
    Hsieh, Kasiviswanathan, Kveton, Uplifting Bandits, NeurIPS 2022, Section 7, Appendix D.1.
    """
    variables = how_many("variables", variables, 64)
    total = float(weights(sizes, variables).sum())
    return UCB(how_many("arms", arms, 64), variables, total, exploration(beta))


class Thompson(NamedTuple):
    """Thompson sampling on rewards: what `thompson` returns."""

    arms: int
    observed: int
    width: float  # m
    centre: float  # prior mean
    prior: float  # prior precision
    noise: float  # precision of a reward

    actions, diagnostics = UCB.actions, UCB.diagnostics

    def init(self, rng):
        K = self.arms
        return Beliefs(np.zeros(K), np.zeros(K), np.full(K, self.centre), np.full(K, math.sqrt(1.0 / self.prior)))

    select = ThompsonGaussian.select

    def update(self, state, action, observation, t, rng):
        pulls, sums = state.pulls, state.sums
        pulls[action] += 1.0
        sums[action] += observation.reward
        precision = self.prior + pulls[action] * self.noise  # of the posterior, for noise of variance m² σ² (App. D.1)
        state.means[action] = (self.centre * self.prior + sums[action] * self.noise) / precision
        state.deviations[action] = math.sqrt(1.0 / precision)
        return state


def thompson(rewards, variables, sigma2, sizes=None):
    r"""Gaussian Thompson sampling on the reward, with the prior of the paper: the law of the true expected rewards.

    The prior of every action is normal with mean and (population) variance of the true expected rewards over the
    actions, which no other policy is told; the noise variance is taken as :math:`m^2\sigma^2`. No action is forced at
    the start.

    Parameters
    ----------
    rewards : array_like, shape (K,)
        True expected rewards, not all equal.
    variables : int >= 1, number of payoffs that a round shows
    sigma2 : float > 0, noise variance over m squared; tuned in the paper
    sizes : array_like, shape (variables,), optional
        How many variables each payoff shown is the sum of; m is their total.

    References
    ----------
    Uplifting Bandits, Appendix D.1.
    """
    rewards, variables = vector("rewards", rewards), how_many("variables", variables, 64)
    if np.ptp(rewards) <= 1e-12 * np.abs(rewards).max():  # by rounding only
        raise ValueError(f"rewards={rewards.tolist()}: must not all be equal, their variance is that of the prior")
    total = float(weights(sizes, variables).sum())
    noise = 1.0 / (total * total * number("sigma2", sigma2, above=0))
    return Thompson(len(rewards), variables, total, float(rewards.mean()), 1.0 / float(rewards.var()), noise)
