"""KL-UCB: upper confidence bounds from the Kullback-Leibler divergence of Bernoulli laws."""

import math
from typing import NamedTuple

import numpy as np

from ..engine.methods import helper
from ..validate import how_many, number

__all__ = ["KLUCB", "kl_ucb"]

Y, Q, LOG = 0, 1, 2  # places of a level: y = -log(1 - q), q, log q


class Divergences(NamedTuple):
    """What KL-UCB remembers."""

    pulls: np.ndarray  # (arms,)
    sums: np.ndarray  # (arms,) of the rewards
    means: np.ndarray  # (arms,)
    entropies: np.ndarray  # (arms,) of the Bernoulli laws of these means
    level: np.ndarray  # (3,) between the largest index and all others when they were last computed


@helper
def entropy(p):
    """-p log p - (1 - p) log(1 - p)."""
    return 0.0 if p <= 0.0 or p >= 1.0 else -p * math.log(p) - (1.0 - p) * math.log(1.0 - p)


@helper
def furthest(p, entropy, budget):
    """y = -log(1 - q) of the largest q with d(p, q) <= budget, infinite for p = 1.

    As a function of y the divergence (1 - p) y - p log q - entropy is convex, so that Newton's steps from the right of
    the solution come down to it and never pass it.
    """
    if p >= 1.0:
        return np.inf
    y = (budget + entropy) / (1.0 - p)  # d >= (1 - p) y - entropy
    nearer = p + math.sqrt(0.5 * budget)  # d >= 2 (q - p)^2
    if nearer < 1.0:
        y = min(y, -math.log(1.0 - nearer))
    if p <= 0.0:
        return y
    for _ in range(60):
        q = 1.0 - math.exp(-y)
        excess = (1.0 - p) * y - p * math.log(q) - entropy - budget
        if excess <= 0.0 or q <= p:
            break
        step = excess * q / (q - p)
        y -= step
        if step < 1e-9 * y:  # squared in the next step
            break
    return y


class KLUCB(NamedTuple):
    """Upper confidence bounds of Bernoulli laws: what `kl_ucb` returns."""

    arms: int
    c: float

    def actions(self):
        return self.arms

    def init(self, rng):
        n = self.arms
        return Divergences(np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(3))

    def select(self, state, t, rng):
        if t < self.arms:
            return t
        log = math.log(t + 1.0)
        budget = max(0.0, log + self.c * math.log(log))
        arm = only(state, budget)
        return arm if arm >= 0 else best(state, budget)

    def update(self, state, action, observation, t, rng):
        state.pulls[action] += 1.0
        state.sums[action] += observation
        state.means[action] = state.sums[action] / state.pulls[action]
        state.entropies[action] = entropy(state.means[action])
        return state


@helper
def only(state, budget):
    """The arm whose index alone reaches the level, which takes no solving; -1 if there is none or another."""
    y, q, log = state.level[Y], state.level[Q], state.level[LOG]
    found, reach = -1, 0
    for arm in range(len(state.means)):
        p = state.means[arm]
        if p >= q or state.pulls[arm] * ((1.0 - p) * y - p * log - state.entropies[arm]) <= budget:
            found, reach = arm, reach + 1
    return found if reach == 1 else -1


@helper
def best(state, budget):
    """The arm of largest index, ties to the lowest; puts the level half-way to the next one."""
    arm, top, second, level = 0, -1.0, 0.0, state.level
    for i in range(len(state.means)):
        y = furthest(state.means[i], state.entropies[i], budget / state.pulls[i])
        if y > top:
            arm, top, second = i, y, max(top, 0.0)
        else:
            second = max(second, y)
    level[Y] = min(0.5 * (top + second), second + 1.0)
    level[Q] = 1.0 - math.exp(-level[Y])
    level[LOG] = math.log(level[Q]) if level[Q] > 0.0 else -np.inf
    return arm


def kl_ucb(arms, c=0.0):
    r"""KL-UCB: play the arm of largest q in [0, 1] with :math:`N_a\,d(\hat\mu_a,q)\le\log t+c\log\log t`.

    Parameters
    ----------
    arms : int >= 1, number of arms
    c : float >= 0, exploration; the theorems take 3, the experiments 0

    Returns
    -------
    KLUCB
        The policy; rewards are expected in [0, 1].

    References
    ----------
    Garivier, Cappé, The KL-UCB algorithm for bounded stochastic bandits and beyond, 2011, Algorithm 1.

    Examples
    --------
    >>> from banditlab import classic, simulate
    >>> policies = {"KL-UCB": kl_ucb(2), "UCB1": classic.ucb1(2)}
    >>> result = simulate(classic.bernoulli([0.1, 0.05]), policies, 5000, runs=20)
    >>> bool(result.paired("UCB1", "KL-UCB")["low"].iloc[-1] > 0)
    True
    """
    return KLUCB(how_many("arms", arms, 32), number("c", c, least=0))
