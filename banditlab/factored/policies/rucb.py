"""Robust-UCB on the product space, with the median of means."""

import math
from typing import NamedTuple

import numpy as np

from ...protocol import helper
from ...validate import number
from ..arguments import deviations, sizes
from .ucb1 import arm_of, reward_variance, vector_of, vectors

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
    upper = smallest(scratch, blocks, blocks // 2)
    if blocks % 2 == 1:
        return upper
    lower = scratch[0]
    for b in range(1, blocks // 2):
        lower = max(lower, scratch[b])
    return 0.5 * (lower + upper)


@helper
def smallest(x, n, k):
    """The k-th smallest (from 0) of the first n entries; afterwards the k entries before place k are not larger."""
    low, high = 0, n - 1
    while low < high:
        pivot, i, j = x[(low + high) // 2], low, high
        while i <= j:
            while x[i] < pivot:
                i += 1
            while x[j] > pivot:
                j -= 1
            if i <= j:
                x[i], x[j] = x[j], x[i]
                i += 1
                j -= 1
        if k <= j:
            high = j
        elif k >= i:
            low = i
        else:
            break
    return x[k]


@helper
def longer(sums):
    """A copy with room for twice as many rewards."""
    copy = np.zeros(2 * len(sums))
    for i in range(len(sums)):
        copy[i] = sums[i]
    return copy


class Medians(NamedTuple):
    """What is remembered of the vectors: every reward, 8 to 16 bytes each."""

    sums: list  # of an array per vector: prefix sums of its rewards, 0 first
    pulls: np.ndarray  # (vectors,)
    values: np.ndarray  # (2, vectors) median of means; 1 / sqrt(pulls), infinite before the first pull
    scratch: np.ndarray  # (BLOCKS,)
    action: np.ndarray  # (d,) the vector that select returns


class RUCBMoM(NamedTuple):
    """Robust-UCB of all vectors: what `rucb_mom` returns."""

    arms: np.ndarray  # (d,)
    vectors: int
    variance: float  # bound on the variance of the reward
    mult: float

    def actions(self):
        return tuple(self.arms.tolist())

    def init(self, rng):
        values = np.zeros((2, self.vectors))
        for v in range(self.vectors):
            values[1, v] = np.inf
        sums = [np.zeros(4) for _ in range(self.vectors)]
        return Medians(
            sums, np.zeros(self.vectors, np.int64), values, np.zeros(BLOCKS), np.zeros(len(self.arms), np.int64)
        )

    def select(self, state, t, rng):
        width = self.mult * math.sqrt(384.0 * self.variance * (math.log(t + 1.0) + 0.0625))
        best, top = 0, -np.inf
        for v in range(self.vectors):
            index = state.values[0, v] + width * state.values[1, v]
            if index > top:
                best, top = v, index
        return vector_of(best, self.arms, state.action)

    def update(self, state, action, observation, t, rng):
        v = arm_of(action, self.arms)
        n = state.pulls[v] + 1
        if n == len(state.sums[v]):
            state.sums[v] = longer(state.sums[v])
        state.sums[v][n] = state.sums[v][n - 1] + observation.reward
        state.pulls[v] = n
        state.values[1, v] = 1.0 / math.sqrt(n)
        before, limit = most_blocks(t + 1.0), most_blocks(t + 2.0)  # of this round and of the next
        state.values[0, v] = median_of_means(state.sums[v], n, limit, state.scratch)
        if limit > before:  # an arm not pulled can change its estimate too
            for u in range(self.vectors):
                if state.pulls[u] // 2 > before:
                    state.values[0, u] = median_of_means(state.sums[u], state.pulls[u], limit, state.scratch)
        return state


def rucb_mom(arms, sigma, mult=1.0, variance="product"):
    r"""Robust-UCB on the product space: median of means plus :math:`\sqrt{384\,v\,(\log t+1/16)/N_v}`.

    The number of blocks grows with t, so the whole history is kept: 8 to 16 bytes a round beside 420 bytes a vector.

    Parameters
    ----------
    arms : sequence of int, shape (d,)
        Number of options of each component, at least 1.
    sigma : float or array_like, shape (d,)
        Standard deviation of an observation's noise, positive.
    mult : float
        Factor of the confidence radius, positive; 1 is the theory's.
    variance : {"product", "bounded"} or float
        Bound v on the variance of the reward: :math:`\prod_i(1+\sigma_i^2)-1` for independent observations, 1/4 for
        rewards in [0, 1], or a positive number of one's own.

    Returns
    -------
    RUCBMoM
        The policy.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or there are more vectors than memory allows.

    References
    ----------
    Bubeck, Cesa-Bianchi, Lugosi, Bandits with heavy tail, 2013, Section 2 with epsilon = 1; Factored-Reward Bandits,
    Appendix E.1.
    """
    arms = sizes(arms)
    sigma = deviations(sigma, len(arms))
    count = vectors(arms, 420)  # an array of its own for each
    if isinstance(variance, str) and variance not in ("product", "bounded"):
        raise ValueError(f"variance={variance!r}: must be 'product', 'bounded', or a positive number")
    if variance == "product":
        variance = reward_variance(sigma)
    elif variance == "bounded":
        variance = 0.25
    return RUCBMoM(arms, count, number("variance", variance, above=0), number("mult", mult, above=0))
