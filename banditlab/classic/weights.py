"""Exponential weights against an adversary: EXP3, EXP3-IX."""

import math
from typing import NamedTuple

import numpy as np

from ..building_blocks.indices import draw_arm
from ..validate import how_many, whole

__all__ = ["EXP3", "EXP3IX", "exp3", "exp3_ix"]


class Weights(NamedTuple):
    """What exponential weights remember."""

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
        return draw_arm(state.weights, state.chances, self.gamma, 1.0, rng)

    def update(self, state, action, observation, t, rng):
        state.weights[action] += self.gamma * observation / (self.arms * state.chances[action])
        return state


def exp3(arms, horizon):
    r"""EXP3 with the mixing rate of its horizon, :math:`\gamma=\min\{1,\sqrt{N\ln N/((e-1)T)}\}`.

    Parameters
    ----------
    arms : int >= 1, number of arms N
    horizon : int >= 1, number of rounds T

    Returns
    -------
    EXP3
        The policy; rewards are expected in [0, 1].

    References
    ----------
    Auer, Cesa-Bianchi, Freund, Schapire, The nonstochastic multiarmed bandit problem, 2002, Corollary 3.2.

    Examples
    --------
    >>> from banditlab import classic, simulate
    >>> policies = {"EXP3": exp3(2, 2000), "uniform": classic.uniform(2)}
    >>> result = simulate(classic.bernoulli([0.9, 0.5]), policies, 2000, runs=20)
    >>> bool(result.paired("uniform", "EXP3")["low"].iloc[-1] > 0)
    True
    """
    arms, horizon = how_many("arms", arms, 16), whole("horizon", horizon, 1)
    return EXP3(arms, horizon, min(1.0, math.sqrt(arms * math.log(arms) / ((math.e - 1.0) * horizon))))


class EXP3IX(NamedTuple):
    """Exponential weights with implicit exploration: what `exp3_ix` returns."""

    arms: int
    eta: float  # of a known horizon; else of the first round
    anytime: bool

    actions, init = EXP3.actions, EXP3.init

    def rate(self, t):
        """eta of this round; gamma is half of it."""
        return self.eta / math.sqrt(t + 1.0) if self.anytime else self.eta

    def select(self, state, t, rng):
        return draw_arm(state.weights, state.chances, 0.0, 1.0 / self.rate(t), rng)

    def update(self, state, action, observation, t, rng):
        state.weights[action] -= (1.0 - observation) / (state.chances[action] + 0.5 * self.rate(t))
        return state


def exp3_ix(arms, horizon=None):
    r"""EXP3-IX: arms drawn in proportion to :math:`\exp(-\eta_t\sum\tilde\ell_a)`, where
    :math:`\tilde\ell_a=\ell_a/(p_a+\gamma_t)` for the arm played and 0 for the others.

    Parameters
    ----------
    arms : int >= 1, number of arms K
    horizon : int >= 1, optional
        Number of rounds T, for which :math:`\eta=2\gamma=\sqrt{2\log K/(KT)}`; without it
        :math:`\eta_t=2\gamma_t=\sqrt{\log K/(Kt)}`.

    Returns
    -------
    EXP3IX
        The policy; rewards are expected in [0, 1], a loss is 1 minus a reward.

    References
    ----------
    Neu, Explore no more: improved high-probability regret bounds for non-stochastic bandits, 2015, Algorithm 1 and
    Theorem 1.

    Examples
    --------
    >>> from banditlab import classic, simulate
    >>> policies = {"EXP3-IX": exp3_ix(2), "uniform": classic.uniform(2)}
    >>> result = simulate(classic.bernoulli([0.9, 0.5]), policies, 2000, runs=20)
    >>> bool(result.paired("uniform", "EXP3-IX")["low"].iloc[-1] > 0)
    True
    """
    arms = how_many("arms", arms, 16)
    log = math.log(max(arms, 2))  # a single arm needs no rate
    if horizon is None:
        return EXP3IX(arms, math.sqrt(log / arms), True)
    return EXP3IX(arms, math.sqrt(2.0 * log / (arms * whole("horizon", horizon, 1))), False)
