"""The growing grid of an arm: cells of limits by ascending right end, which stand for them."""

import math

import numpy as np

from ...engine.methods import helper
from .buckets import CONSUMPTION, EMPTY, NEXT
from .buckets import GAIN as GAINED

# columns of a cell: its right end and that limit's rounds N, gains, rounds that exceeded it, estimate (10), 1 / sqrt(N)
# and penalty; and the first observation of its bucket
END, ROUNDS, GAIN, EXCEEDED, ESTIMATE, ROOT, PENALTY, HEAD = range(8)
COLUMNS = 8


@helper
def left_end(cells, j):
    """down of the paper: the right end of the cell before, 0 where there is none."""
    return cells[j - 1, END] if j > 0 else 0.0


@helper
def length(cells, j):
    """Length of a cell."""
    return cells[j, END] - left_end(cells, j)


@helper
def estimate(cell):
    """Work out what a cell's counts say."""
    cell[ESTIMATE] = (cell[GAIN] - cell[PENALTY] * cell[EXCEEDED]) / cell[ROUNDS]  # (8) to (10)
    cell[ROOT] = 1.0 / math.sqrt(cell[ROUNDS])


@helper
def observe(cells, count, limit, observation):
    """Count a round with this limit in all cells up to it; return the cell of the consumption."""
    last = count - 1
    while last > 0 and cells[last - 1, END] >= limit:
        last -= 1
    home = last
    for j in range(last + 1):
        cells[j, ROUNDS] += 1.0
        if observation.censored or observation.consumption > cells[j, END]:
            cells[j, EXCEEDED] += 1.0
        else:
            cells[j, GAIN] += observation.reward - observation.cost
            home = min(home, j)
        estimate(cells[j])
    return home


@helper
def split(cells, j, count, parts, rows):
    """Cut cell j into equal parts; return the new number of cells. Their penalties and estimates are yet to come."""
    low, high, last = left_end(cells, j), cells[j, END], j + parts - 1
    for k in range(count - 1, j - 1, -1):
        for column in range(COLUMNS):
            cells[k + parts - 1, column] = cells[k, column]
    for k in range(j, last):
        cells[k, END] = low + (high - low) * (k - j + 1) / parts
        for column in range(ROUNDS, PENALTY):  # no limit of the past lies inside: the rounds are the same
            cells[k, column] = cells[last, column]
        cells[k, HEAD] = EMPTY
    share_out(cells, j, last, rows)
    return count + parts - 1


@helper
def share_out(cells, j, last, rows):
    """Share out the bucket of the last of these cells: what consumed more than a new limit gained nothing with it."""
    place = int(cells[last, HEAD])
    cells[last, HEAD] = EMPTY
    while place >= 0:
        after, k = int(rows[place, NEXT]), j
        while k < last and cells[k, END] < rows[place, CONSUMPTION]:
            cells[k, GAIN] -= rows[place, GAINED]
            cells[k, EXCEEDED] += 1.0
            k += 1
        rows[place, NEXT] = cells[k, HEAD]
        cells[k, HEAD] = place
        place = after


@helper
def widened(cells):
    """The cells of all arms, (arms, room, columns), with twice the room."""
    more = np.zeros((cells.shape[0], 2 * cells.shape[1], cells.shape[2]))
    for i in range(cells.shape[0]):
        for j in range(cells.shape[1]):
            for column in range(cells.shape[2]):
                more[i, j, column] = cells[i, j, column]
    return more
