"""The pair of the largest index, where an index is an estimate + width * root."""

import numpy as np

from ...protocol import helper
from ..actions import Pair


@helper
def best_pair(estimate, root, width):
    """The pair of the largest index; ties to the lowest arm, then to the lowest limit."""
    arm, limit, top = 0, 0, -np.inf
    for i in range(estimate.shape[0]):
        for j in range(estimate.shape[1]):
            index = estimate[i, j] + width * root[i, j]
            if index > top:
                arm, limit, top = i, j, index
    return Pair(arm, limit)


@helper
def any_best_pair(estimate, root, width, rng):
    """One of the pairs of the largest index, drawn uniformly where there are several."""
    pair = best_pair(estimate, root, width)
    top = estimate[pair.arm, pair.limit] + width * root[pair.arm, pair.limit]
    tied = 0
    for i in range(estimate.shape[0]):
        for j in range(estimate.shape[1]):
            tied += estimate[i, j] + width * root[i, j] == top
    if tied > 1:
        tied = int(tied * rng.random())
        for i in range(estimate.shape[0]):
            for j in range(estimate.shape[1]):
                if estimate[i, j] + width * root[i, j] == top:
                    if tied == 0:
                        return Pair(i, j)
                    tied -= 1
    return pair
