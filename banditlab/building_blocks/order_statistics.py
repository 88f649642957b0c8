"""Order statistics for compiled code: what a part of a sort suffices for. The entries change places."""

import numpy as np

from ..engine.methods import helper


@helper
def kth_largest(values, size, rank):
    """The rank-th largest (from 1) of the first `size` entries; no entry after it in the array is larger."""
    low, high, place = 0, size - 1, rank - 1
    while low < high:
        pivot = values[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while values[i] > pivot:
                i += 1
            while values[j] < pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if place <= j:
            high = j
        elif place >= i:
            low = i
        else:
            break
    return values[place]


@helper
def median_of_first(values, size):
    """The median of the first `size` entries; of an even number the mean of the two in the middle."""
    half = size // 2
    upper = kth_largest(values, size, size - half)
    if size % 2 == 1:
        return upper
    lower = values[half]
    for i in range(half + 1, size):
        lower = max(lower, values[i])
    return 0.5 * (lower + upper)


@helper
def sum_of_largest(values, size, rank):
    """The sum of the `rank` largest of the first `size` entries."""
    if rank <= 0:
        return 0.0
    total, taken, floor = 0.0, 0, -np.inf
    if rank < size:
        floor = kth_largest(values, size, rank)
    for i in range(size):
        if values[i] > floor:
            total += values[i]
            taken += 1
    if rank < size:
        total += (rank - taken) * floor
    return total


@helper
def first_above(values, low, high, limit):
    """The first of the places from `low` to `high` whose value, they ascend, is above the limit; `high` if none is."""
    while low < high:
        middle = (low + high) >> 1
        if values[middle] > limit:
            high = middle
        else:
            low = middle + 1
    return low


@helper
def mark_largest(values, budget, scratch, chosen):
    """Mark the `budget` largest values, which keep their places, with 1, the others with 0; ties go to the lowest."""
    size = len(values)
    for i in range(size):
        scratch[i] = values[i]
    floor = kth_largest(scratch, size, budget) if budget > 0 else np.inf
    left = budget
    for i in range(size):
        chosen[i] = 1 if values[i] > floor else 0
        left -= chosen[i]
    for i in range(size):
        if left > 0 and values[i] == floor:
            chosen[i] = 1
            left -= 1
