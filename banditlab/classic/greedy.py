"""Policies that explore by drawing arms at random: uniform, epsilon-greedy."""

import math
from typing import NamedTuple

from ..building_blocks.indices import new_indices, place_of_largest
from ..user_code import spaces
from ..validate import LARGEST, flag, how_many, number, whole

__all__ = ["EpsilonGreedy", "Uniform", "UniformOn", "epsilon_greedy", "epsilon_n_greedy", "uniform"]


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


class UniformOn(NamedTuple):
    """Every action of a space alike, for ever: what `uniform` returns for a space."""

    space: object

    init, update = Uniform.init, Uniform.update

    def actions(self):
        return self.space

    def select(self, state, t, rng):
        return self.space.sample(rng)


class UniformShown(UniformOn):
    """The same where a context is shown."""

    def select(self, state, context, t, rng):
        return self.space.sample(rng)


def uniform(arms, context=False):
    """Play an arm, or an action of a space, drawn uniformly, whatever is seen.

    Parameters
    ----------
    arms : int >= 1, number of arms; or an action space that a function of `banditlab.spaces` returns
    context : bool, whether the environment shows a context

    Returns
    -------
    Uniform or UniformOn
        The policy. Of subsets the number of items is drawn first, uniformly, then a subset of so many.
    """
    space = isinstance(arms, spaces.SPACES)
    if flag("context", context):
        return UniformShown(arms if space else spaces.discrete(whole("arms", arms, 1, LARGEST)))
    return UniformOn(arms) if space else Uniform(whole("arms", arms, 1, LARGEST))


class EpsilonGreedy(NamedTuple):
    """The best mean, or now and then any arm: what `epsilon_greedy` and `epsilon_n_greedy` return."""

    arms: int
    epsilon: float  # largest probability of a uniform draw
    decay: float  # in round n it is at most decay / n

    actions = Uniform.actions

    def init(self, rng):
        return new_indices(self.arms)

    def select(self, state, t, rng):
        if rng.random() < min(self.epsilon, self.decay / (t + 1.0)):
            return int(self.arms * rng.random())
        return place_of_largest(state.index)

    def update(self, state, action, observation, t, rng):
        state.pulls[action] += 1.0
        state.sums[action] += observation
        state.index[action] = state.sums[action] / state.pulls[action]
        return state


def epsilon_greedy(arms, epsilon=0.1):
    """Play the arm of largest mean reward, and with a fixed probability an arm drawn uniformly.

    Parameters
    ----------
    arms : int >= 1, number of arms
    epsilon : float in [0, 1], probability of a uniform draw

    Returns
    -------
    EpsilonGreedy
        The policy; rewards may have any range.

    References
    ----------
    Sutton, Barto, Reinforcement Learning, 2018, Section 2.4.

    Examples
    --------
    >>> from banditlab import classic, simulate
    >>> policies = {"greedy": epsilon_greedy(2), "uniform": uniform(2)}
    >>> result = simulate(classic.bernoulli([0.9, 0.1]), policies, 1000, runs=20)
    >>> bool(result.paired("uniform", "greedy")["low"].iloc[-1] > 300)
    True
    """
    return EpsilonGreedy(how_many("arms", arms, 24), number("epsilon", epsilon, least=0, most=1), math.inf)


def epsilon_n_greedy(arms, gap, c=5.0):
    r"""Play the arm of largest mean reward, and an arm drawn uniformly with probability :math:`\min\{1,cK/(d^2n)\}` in
    round n.

    Parameters
    ----------
    arms : int >= 1, number of arms K
    gap : float in (0, 1), a lower bound d on the smallest gap between the best mean and another
    c : float > 0, exploration; the theorem asks for more than 5

    Returns
    -------
    EpsilonGreedy
        The policy; rewards are expected in [0, 1].

    References
    ----------
    Auer, Cesa-Bianchi, Fischer, Finite-time analysis of the multiarmed bandit problem, 2002, Figure 3 and Theorem 3.

    Examples
    --------
    >>> epsilon_n_greedy(10, gap=0.5).decay
    200.0
    """
    arms, gap = how_many("arms", arms, 24), number("gap", gap, above=0, below=1)
    return EpsilonGreedy(arms, 1.0, number("c", c, above=0) * arms / (gap * gap))
