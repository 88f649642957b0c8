"""Few actions on many people with features: each action moves the payoffs of the people whom it concerns."""

import math
from typing import NamedTuple

import numpy as np

from ...building_blocks.growing_arrays import largest_entry
from ...validate import how_many, number, table, whole
from .gaussian import Observation

__all__ = ["linear_actions"]


class Context(NamedTuple):
    """What a policy sees before it acts; the arrays are overwritten in the next round."""

    x: np.ndarray  # (m, d) features of the people
    affected: np.ndarray  # (K, m) bool: whether the action would change a person's expected payoff


class Meeting(NamedTuple):
    """The people of a round: the world."""

    shown: Context
    y: np.ndarray  # (m,) payoffs
    uplift: np.ndarray  # (K,) expected, of every action
    order: np.ndarray  # (d,) coordinates; the first ones are a person's


class LinearActions(NamedTuple):
    """Payoffs linear in sparse features: what `linear_actions` returns.

    A round draws as many uniforms and normals whatever the action, so all policies meet the same world.
    """

    theta: np.ndarray  # (K + 1, d), the baseline first
    individuals: int
    active: int
    noise: float
    rho: float

    def actions(self):
        return len(self.theta) - 1, self.individuals, self.theta.shape[1]

    def reset(self, rng):
        arms, m, d = len(self.theta) - 1, self.individuals, self.theta.shape[1]
        shown = Context(np.zeros((m, d)), np.zeros((arms, m), np.bool_))
        return Meeting(shown, np.zeros(m), np.zeros(arms), np.arange(d))

    def context(self, world, t, rng):
        theta, x, affected, uplift = self.theta, world.shown.x, world.shown.affected, world.uplift
        for i in range(len(x)):
            self.arrive(x, i, world.order, rng)
        for a in range(len(uplift)):
            uplift[a] = 0.0
            for i in range(len(x)):
                change = 0.0
                for j in range(x.shape[1]):
                    change += (theta[a + 1, j] - theta[0, j]) * x[i, j]
                affected[a, i] = change != 0.0
                uplift[a] += change
        return world.shown

    def arrive(self, x, i, order, rng):
        """Draw the coordinates of a person, and a direction in them."""
        for j in range(len(order)):
            x[i, j] = 0.0
        length = 0.0
        for k in range(self.active):
            other = k + int((len(order) - k) * rng.random())
            order[k], order[other] = order[other], order[k]
            value = rng.standard_normal()
            x[i, order[k]] = value
            length += value * value
        for k in range(self.active):
            x[i, order[k]] /= math.sqrt(length)

    def step(self, world, action, t, rng):
        theta, x, y = self.theta, world.shown.x, world.y
        own, shared = math.sqrt(1.0 - self.rho) * self.noise, math.sqrt(self.rho) * self.noise * rng.standard_normal()
        reward = 0.0
        for i in range(len(y)):
            y[i] = shared + own * rng.standard_normal()
            for j in range(x.shape[1]):
                y[i] += theta[action + 1, j] * x[i, j]
            reward += y[i]
        return Observation(y, reward)

    def regret(self, world, action, t):
        return largest_entry(world.uplift) - world.uplift[action]


def linear_actions(theta, individuals=50, active=1, noise=0.5, rho=0.0):
    r"""Contextual uplifting bandit with K actions and payoffs :math:`\langle\theta^a,x\rangle+\xi`.

    A person has few features, drawn afresh in every round: an action changes the payoffs of those people only whose
    features meet the support of :math:`\theta^a-\theta^0`.

    Parameters
    ----------
    theta : array_like, shape (K + 1, d)
        Weights of the baseline, which cannot be played (first row), and of every action.
    individuals : int >= 1, people m in a round
    active : int from 1 to d
        Features of a person that are not 0; which ones is uniform, and so is their direction.
    noise : float > 0, standard deviation of a payoff
    rho : float from 0 to 1, correlation of the payoffs of any two people

    Returns
    -------
    LinearActions
        The environment; a context has the features, and shows whom every action would affect.

    References
    ----------
    Hsieh, Kasiviswanathan, Kveton, Uplifting Bandits, NeurIPS 2022, Section 8, "Contextual Uplifting Bandit with Linear
    Payoffs".

    Examples
    --------
    >>> linear_actions([[0.5, 0.1, 0.1], [0.5, 0.4, 0.1], [0.2, 0.1, 0.1]]).actions()
    (2, 50, 3)
    """
    theta = table("theta", theta)
    if len(theta) < 2:
        raise ValueError("theta has 1 row: must have one for the baseline and one for each action")
    noise, rho = number("noise", noise, above=0), number("rho", rho, least=0, most=1)
    active = whole("active", active, 1, theta.shape[1])
    return LinearActions(theta, how_many("individuals", individuals, 64 * theta.shape[1]), active, noise, rho)
