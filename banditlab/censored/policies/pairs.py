"""The pair of the largest index, where an index is an estimate + width * root; few of them are worked out.

Roots are not negative. So while the width grows and an arm is not played, its largest index rises by at most the rise
of the width times its largest root: an arm that cannot have come up to the best index is passed over.
"""

import numpy as np

from ...engine.methods import helper
from ..actions import Pair

# an arm's largest index is at most BASE + width * STEEPEST; the row after the arms holds the width of the last search
BASE, STEEPEST = range(2)
ROUNDING = 1e-9  # far above what rounding does to an index


@helper
def new_peaks(arms):
    """Nothing is known of any arm."""
    peaks = np.zeros((arms + 1, 2))
    forget(peaks)
    return peaks


@helper
def forget(peaks):
    """Nothing is known any more."""
    for i in range(len(peaks) - 1):
        peaks[i, BASE] = np.inf


@helper
def best_pair(estimate, root, peaks, width):
    """The pair of the largest index; ties to the lowest arm, then to the lowest limit."""
    arm, limit, best = 0, 0, -np.inf
    if width < peaks[-1, BASE]:
        forget(peaks)
    peaks[-1, BASE] = width
    for i in range(len(estimate)):
        if peaks[i, BASE] + width * peaks[i, STEEPEST] < best:
            continue
        own, place, steepest = -np.inf, 0, 0.0
        for j in range(estimate.shape[1]):
            index = estimate[i, j] + width * root[i, j]
            steepest = max(steepest, root[i, j])
            if index > own:
                own, place = index, j
        if own == np.inf:  # a pair that was never played
            steepest = 0.0
        peaks[i, BASE], peaks[i, STEEPEST] = own - width * steepest + ROUNDING, steepest
        if own > best:
            arm, limit, best = i, place, own
    return Pair(arm, limit)


@helper
def any_best_pair(estimate, root, peaks, width, rng):
    """One of the pairs of the largest index, drawn uniformly where there are several."""
    pair = best_pair(estimate, root, peaks, width)
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
