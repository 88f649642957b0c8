"""UCB1 on the product space: every vector an arm, only the reward is used."""

import math
from typing import NamedTuple

import numpy as np

from ...building_blocks.indices import Tally, add_reward, confidence, most_optimistic, new_tally
from ...engine.methods import helper
from ...validate import choice, number, refuse_too_large
from ..arguments import deviations, sizes

__all__ = ["UCB1", "UCB1State", "ucb1"]


@helper
def vector_of(arm, arms, action):
    """Write the arm's vector into the action, lexicographic order, last component fastest."""
    for i in range(len(arms) - 1, -1, -1):
        action[i] = arm % arms[i]
        arm //= arms[i]
    return action


@helper
def arm_of(action, arms):
    """The number of a vector in lexicographic order."""
    arm = 0
    for i in range(len(arms)):
        arm = arm * arms[i] + action[i]
    return arm


class UCB1State(NamedTuple):
    """What UCB1 remembers of the vectors."""

    tally: Tally
    action: np.ndarray  # (d,) the vector that select returns


class UCB1(NamedTuple):
    """Upper confidence bounds of all vectors: what `ucb1` returns. The tally and the index of `classic.ucb1`."""

    arms: np.ndarray  # (d,) options of each component
    vectors: int  # how many of them are arms, lexicographic order
    scale: float  # of the confidence radius
    alpha: float

    def actions(self):
        return tuple(self.arms.tolist())

    def init(self, rng):
        return UCB1State(new_tally(self.vectors), np.zeros(len(self.arms), np.int64))

    def select(self, state, t, rng):
        arm = most_optimistic(state.tally, self.scale * confidence(self.alpha, t))  # largest index, ties to the lowest
        return vector_of(arm, self.arms, state.action)

    def update(self, state, action, observation, t, rng):
        return UCB1State(add_reward(state.tally, arm_of(action, self.arms), observation.reward), state.action)


def ucb1(arms, sigma, alpha=4.0, scale="observation", action_set="all"):
    r"""UCB1 on the product space: the vector of largest :math:`\bar r_v+s\sqrt{\alpha\log t/N_v}`.

    Parameters
    ----------
    arms : sequence of d ints >= 1, number of options of each component
    sigma : float > 0 or array_like, shape (d,), subgaussian proxy of an observation's noise
    alpha : float > 0, exploration; 4 with sigma = 1/2 is the index of rewards in [0, 1]
    scale : {"observation", "reward_std"}
        The radius' factor s: sigma of one observation (the paper's experiments), or the largest standard deviation of
        the reward, :math:`\sqrt{\prod_i(1+\sigma_i^2)-1}`.
    action_set : {"all", "first_dk"}
        All vectors, or only the first :math:`\sum_i k_i` in lexicographic order (the authors' released code).

    Returns
    -------
    UCB1

    Raises
    ------
    ValueError
        If there are more vectors than memory allows.

    References
    ----------
    Bubeck, Bandits games and clustering foundations, 2010; Factored-Reward Bandits, Appendix E.1.

    Examples
    --------
    >>> ucb1([3, 4], sigma=0.1).vectors
    12
    """
    arms = sizes(arms)
    sigma = deviations(sigma, len(arms))
    count = vectors(arms, 24, action_set)
    spread = sigma.max()
    if choice("scale", scale, ("observation", "reward_std")) == "reward_std":
        spread = math.sqrt(reward_variance(sigma))
    return UCB1(arms, count, float(spread), number("alpha", alpha, above=0))


def reward_variance(sigma):
    """The largest variance of a product of independent observations with means in [0, 1]."""
    log = float(np.log1p(sigma * sigma).sum())
    if log > 700:
        raise ValueError(
            f"sigma: the variance of the product of {len(sigma)} observations, exp({log:.0f}), is not a float"
        )
    return math.expm1(log)


def vectors(arms, each, action_set="all"):
    """How many vectors are arms; refuses more than memory allows, at so many bytes each."""
    count = math.prod(arms.tolist())
    if choice("action_set", action_set, ("all", "first_dk")) == "first_dk":
        count = min(count, int(arms.sum()))
    refuse_too_large(f"arms={arms.tolist()}: {count} product vectors", count * each)
    return count
