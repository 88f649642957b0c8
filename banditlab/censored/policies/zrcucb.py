"""z-RCUCB: RCUCB on grids that grow where the confidence radius has become smaller than a cell."""

import math
from typing import NamedTuple

import numpy as np

from ...protocol import helper
from ...validate import LARGEST, number, whole
from ..curves import Curve, curve
from ..environments.independent import Point

# columns of the cells; ROOT is 1 / sqrt(PULLS), HEAD the bucket's first observation
END, PULLS, GAIN, OVER, MEAN, ROOT, PENALTY, HEAD = range(8)
USED, WON, NEXT = range(3)  # columns of the observations


class Growing(NamedTuple):
    """What z-RCUCB remembers."""

    cells: np.ndarray  # (arms, room, 8) the cells of every arm, by ascending right end
    arms: np.ndarray  # (arms, 4) number of cells, pulls, largest index, its place
    seen: np.ndarray  # (room, 3) consumption, gain, and the next observation of the same bucket, -1 at its end
    rounds: int  # number of observations kept


class ZRCUCB(NamedTuple):
    """Algorithm 1: what `zrcucb` returns."""

    count: int
    largest: float
    penalty: Curve
    parts: int  # into which a cell is split
    scale: float  # sqrt(2 alpha log(n T^2 / delta))
    horizon: int

    def actions(self):
        return self.count, self.largest

    def init(self, rng):
        n = self.count
        state = Growing(np.zeros((n, 8, 8)), np.zeros((n, 4)), np.zeros((64, 3)), 0)
        for i in range(n):
            cell = state.cells[i, 0]
            cell[END], cell[PENALTY], cell[HEAD] = self.largest, self.penalty.at(self.largest), -1.0
            state.arms[i, 0], state.arms[i, 2] = 1.0, np.inf
        return state

    def select(self, state, t, rng):
        arm, arms = 0, state.arms
        for i in range(1, self.count):
            if arms[i, 2] > arms[arm, 2]:
                arm = i
        return Point(arm, state.cells[arm, int(arms[arm, 3]), END])

    def update(self, state, action, observation, t, rng):
        arm, chosen = action.arm, int(state.arms[action.arm, 3])
        cells, arms, rounds = state.cells, state.arms, state.rounds
        observations = roomy(state.seen, rounds + 1)
        arms[arm, 1] += 1.0
        first = enter(cells[arm], chosen, observation)
        if not observation.censored:
            row = observations[rounds]
            row[USED], row[WON] = observation.consumption, observation.reward - observation.cost
            row[NEXT] = cells[arm, first, HEAD]
            cells[arm, first, HEAD] = rounds
            rounds += 1
        size, root = int(arms[arm, 0]), 1.0 / math.sqrt(arms[arm, 1])
        j, place, top = 0, 0, -np.inf
        while j < size:
            after = j + 1
            if length(cells[arm], j) >= self.radius(cells[arm, j], root):
                while size + self.parts > cells.shape[1]:
                    cells = widened(cells)
                size, after = split(cells[arm], j, size, self.parts, observations), j + self.parts
                for k in range(j, after - 1):
                    cells[arm, k, PENALTY] = self.penalty.at(cells[arm, k, END])
                    settle(cells[arm, k])
            for k in range(j, after):  # what is new now is tested when the arm is played again
                index = cells[arm, k, MEAN] + self.radius(cells[arm, k], root) + length(cells[arm], k)
                if index > top:
                    place, top = k, index
            j = after
        arms[arm, 0], arms[arm, 2], arms[arm, 3] = size, top, place
        return Growing(cells, arms, observations, rounds)

    def radius(self, cell, root):
        """Confidence radius of a cell that was played; root is 1 / sqrt(pulls of the arm)."""
        return self.scale * (cell[ROOT] + cell[PENALTY] * root)

    def tally(self, world, state):
        """Both recommendations: a pair of the finest cell (the paper's), and the largest lower bound (ours)."""
        played = []  # by arm, then by limit: the first of equal ones is the lowest
        for i in range(self.count):
            for j in range(int(state.arms[i, 0]) if state.arms[i, 1] > 0 else 0):
                cell = state.cells[i, j]
                level = round(math.log(self.largest / length(state.cells[i], j), self.parts))
                bound = cell[MEAN] - self.radius(cell, 1.0 / math.sqrt(state.arms[i, 1]))
                played.append((level, cell[MEAN], bound, i, cell[END]))
        *_, arm, limit = max(played, key=lambda cell: cell[:2])
        *_, arm2, limit2 = max(played, key=lambda cell: cell[2])
        return {
            "finest arm": arm, "finest limit": limit, "safest arm": arm2, "safest limit": limit2,
            "cells": state.arms[:, 0].sum(),
        }  # fmt: skip


@helper
def length(cells, j):
    """Length of a cell: its right end minus the one before."""
    return cells[j, END] - (cells[j - 1, END] if j > 0 else 0.0)


@helper
def settle(cell):
    """Work out what a cell's counts say: the estimated gain of its right end, and the root of its radius."""
    cell[MEAN] = (cell[GAIN] - cell[PENALTY] * cell[OVER]) / cell[PULLS]
    cell[ROOT] = 1.0 / math.sqrt(cell[PULLS])


@helper
def enter(cells, chosen, seen):
    """Enter a round with the chosen cell's right end as limit; return the cell of the consumption, if it was seen."""
    first = chosen
    for j in range(chosen + 1):
        cells[j, PULLS] += 1.0
        if seen.censored or seen.consumption > cells[j, END]:
            cells[j, OVER] += 1.0
        else:
            cells[j, GAIN] += seen.reward - seen.cost
            first = min(first, j)
        settle(cells[j])
    return first


@helper
def split(cells, j, size, parts, observations):
    """Cut cell j into equal parts and its bucket with it; return the new number of cells."""
    low, high = (cells[j - 1, END] if j > 0 else 0.0), cells[j, END]
    for k in range(size - 1, j - 1, -1):
        for column in range(cells.shape[1]):
            cells[k + parts - 1, column] = cells[k, column]
    last = j + parts - 1
    bucket = int(cells[last, HEAD])
    for k in range(j, last + 1):
        for column in range(PULLS, PENALTY):
            cells[k, column] = cells[last, column]
        cells[k, HEAD] = -1.0
    for k in range(j, last):
        cells[k, END] = low + (high - low) * (k - j + 1) / parts
    while bucket >= 0:
        after = int(observations[bucket, NEXT])
        k = j
        while k < last and cells[k, END] < observations[bucket, USED]:
            cells[k, GAIN] -= observations[bucket, WON]
            cells[k, OVER] += 1.0
            k += 1
        observations[bucket, NEXT] = cells[k, HEAD]
        cells[k, HEAD] = bucket
        bucket = after
    return size + parts - 1


@helper
def roomy(rows, size):
    """The table, twice as long where it is full."""
    if size <= len(rows):
        return rows
    more = np.zeros((2 * len(rows), rows.shape[1]))
    for i in range(len(rows)):
        for j in range(rows.shape[1]):
            more[i, j] = rows[i, j]
    return more


@helper
def widened(cells):
    """The cells of all arms with twice the room."""
    more = np.zeros((cells.shape[0], 2 * cells.shape[1], cells.shape[2]))
    for i in range(cells.shape[0]):
        for j in range(cells.shape[1]):
            for column in range(cells.shape[2]):
                more[i, j, column] = cells[i, j, column]
    return more


def zrcucb(arms, horizon, penalty, largest=1.0, alpha=1.1, parts=2, delta=0.1):
    r"""z-RCUCB: all limits of :math:`(0,\tau_{\max}]`; a cell is split when its length reaches its confidence radius.

    Plays the right end of largest estimate + radius + length, where the radius is RCUCB's with the constant
    :math:`\log(nT^2/\delta)` in place of :math:`\log t`. It keeps every uncensored round, 24 bytes each.

    Parameters
    ----------
    arms : int
        Number of arms n, at least 1.
    horizon : int
        Number of rounds T, at least 1.
    penalty : Curve or float or callable
        Penalty of a limit; a number is a slope.
    largest : float
        The largest limit, positive.
    alpha : float
        Exploration; Theorem 2 needs more than 1, and so does this factory.
    parts : int
        Into how many cells one is split, m, at least 2.
    delta : float
        Allowed probability of failure, in (0, 1).

    Returns
    -------
    ZRCUCB
        The policy; its tally holds two recommendations, a pair of the finest cell as the paper has it, and the pair of
        the largest lower confidence bound.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Bengs, Hüllermeier, Multi-Armed Bandits with Censored Consumption of Resources, 2023, Algorithm 1.

    Examples
    --------
    >>> zrcucb(3, 1000, 0.1).parts
    2
    """
    arms, horizon = whole("arms", arms, 1, LARGEST), whole("horizon", horizon, 1, LARGEST)
    alpha, delta = number("alpha", alpha, above=1), number("delta", delta, above=0, below=1)
    largest = number("largest", largest, above=0)
    scale = math.sqrt(2.0 * alpha * math.log(arms * horizon**2 / delta))
    return ZRCUCB(arms, largest, curve("penalty", penalty, largest), whole("parts", parts, 2), scale, horizon)
