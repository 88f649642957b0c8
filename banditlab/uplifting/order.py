"""Partial selection, for compiled code: the largest of many numbers without sorting them."""

import numpy as np

from ..protocol import helper


@helper
def kth_largest(values, size, rank):
    """The rank-th largest (from 1) of the first `size` entries, which change places."""
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
def sum_of_largest(values, size, rank):
    """The sum of the `rank` largest of the first `size` entries, which change places."""
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
def choose(values, budget, scratch, chosen):
    """Mark the `budget` largest values with 1, the others with 0; ties go to the lowest places."""
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
