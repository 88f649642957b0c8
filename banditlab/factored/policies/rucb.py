"""Robust-UCB on the product space, with the median of means."""

import math
from typing import NamedTuple

import numpy as np

from ...building_blocks.growing_arrays import double
from ...building_blocks.indices import most_optimistic
from ...building_blocks.order_statistics import median_of_first
from ...engine.methods import helper
from ...validate import number
from ..arguments import deviations, sizes
from .ucb1 import UCB1, arm_of, reward_variance, vector_of, vectors

__all__ = ["RUCBMoM", "RUCBMoMState", "rucb_mom"]

BLOCKS = 800  # more than 1 + 16 log t for any 64-bit t


@helper
def most_blocks(t):
    """The largest number of blocks at round t."""
    return int(1.0 + 16.0 * math.log(t))


@helper
def median_of_means(sums, n, limit, scratch):
    """Median of the means of consecutive blocks of equal length; `sums` are prefix sums of the n rewards.

    The number of blocks is min(limit, n / 2) rounded down, at least 1; the last rewards that fill no block are left
    out.
    """
    blocks = max(1, min(limit, n // 2))
    length = n // blocks
    for b in range(blocks):
        scratch[b] = (sums[(b + 1) * length] - sums[b * length]) / length
    return median_of_first(scratch, blocks)


class RUCBMoMState(NamedTuple):
    """What Robust-UCB remembers of the vectors: every reward, 8 to 16 bytes each."""

    sums: list  # of an array per vector: prefix sums of its rewards, 0 first
    pulls: np.ndarray  # (vectors,)
    means: np.ndarray  # (vectors,) median of means
    roots: np.ndarray  # (vectors,) 1 / sqrt(pulls), infinite before the first pull
    scratch: np.ndarray  # (BLOCKS,)
    action: np.ndarray  # (d,) the vector that select returns


class RUCBMoM(NamedTuple):
    """Robust-UCB of vectors: what `rucb_mom` returns."""

    arms: np.ndarray  # (d,)
    vectors: int  # how many of them are arms, lexicographic order
    variance: float  # bound on the variance of the reward
    mult: float

    actions = UCB1.actions

    def init(self, rng):
        n = self.vectors
        sums, pulls = [np.zeros(4) for _ in range(n)], np.zeros(n, np.int64)
        action = np.zeros(len(self.arms), np.int64)
        return RUCBMoMState(sums, pulls, np.zeros(n), np.full(n, np.inf), np.zeros(BLOCKS), action)

    def select(self, state, t, rng):  # sqrt(12 v) sqrt(16 log(e^(1/8) t^2) / N): Bubeck et al., Theorem 3, delta = t^-2
        width = self.mult * math.sqrt(384.0 * self.variance * (math.log(t + 1.0) + 0.0625))
        return vector_of(most_optimistic(state, width), self.arms, state.action)

    def update(self, state, action, observation, t, rng):
        v = arm_of(action, self.arms)
        n = state.pulls[v] + 1
        if n == len(state.sums[v]):
            state.sums[v] = double(state.sums[v])
        state.sums[v][n] = state.sums[v][n - 1] + observation.reward
        state.pulls[v] = n
        state.roots[v] = 1.0 / math.sqrt(n)
        before, limit = most_blocks(t + 1.0), most_blocks(t + 2.0)  # of this round and of the next
        state.means[v] = median_of_means(state.sums[v], n, limit, state.scratch)
        if limit > before:  # a vector not pulled can change its estimate too
            for u in range(self.vectors):
                if state.pulls[u] // 2 > before:
                    state.means[u] = median_of_means(state.sums[u], state.pulls[u], limit, state.scratch)
        return state


def rucb_mom(arms, sigma, mult=1.0, variance="product", action_set="all"):
    r"""Robust-UCB on the product space: median of means plus :math:`\sqrt{384\,v\,(\log t+1/16)/N_v}`.

    The number of blocks grows with t, so the whole history is kept: 8 to 16 bytes a round beside 420 bytes a vector.

    Parameters
    ----------
    arms : sequence of d ints >= 1, number of options of each component
    sigma : float > 0 or array_like, shape (d,), standard deviation of an observation's noise
    mult : float > 0, factor of the confidence radius; 1 is the theory's
    variance : {"product", "bounded"} or float > 0
        Bound v on the variance of the reward: :math:`\prod_i(1+\sigma_i^2)-1` for independent observations, 1/4 for
        rewards in [0, 1], or a number of one's own.
    action_set : {"all", "first_dk"}
        All vectors, or only the first :math:`\sum_i k_i` in lexicographic order (the authors' released code).

    Returns
    -------
    RUCBMoM

    Raises
    ------
    ValueError
        If there are more vectors than memory allows.

    References
    ----------
    Bubeck, Cesa-Bianchi, Lugosi, Bandits with heavy tail, 2013, Section 2 with epsilon = 1; Factored-Reward Bandits,
    Appendix E.1.

    Examples
    --------
    >>> rucb_mom([3, 3, 3], sigma=0.1).vectors, rucb_mom([3, 3, 3], sigma=0.1, action_set="first_dk").vectors
    (27, 9)
    """
    arms = sizes(arms)
    sigma = deviations(sigma, len(arms))
    count = vectors(arms, 420, action_set)  # an array of its own for each
    if isinstance(variance, str):
        if variance not in ("product", "bounded"):
            raise ValueError(f"variance={variance!r}: must be 'product', 'bounded', or a positive number")
        variance = reward_variance(sigma) if variance == "product" else 0.25
    return RUCBMoM(arms, count, number("variance", variance, above=0), number("mult", mult, above=0))
