"""z-RCUCB: RCUCB on grids that grow where the confidence radius has become smaller than a cell."""

import math
from typing import NamedTuple

import numpy as np

from ...building_blocks.indices import place_of_largest
from ...validate import LARGEST, how_many, number, whole
from ..actions import Point
from ..arguments import curve
from ..curves import Curve
from .buckets import EMPTY, Buckets, new_buckets, put
from .cells import COLUMNS, END, ESTIMATE, HEAD, PENALTY, ROOT, estimate, length, observe, split, widened

__all__ = ["zrcucb"]


class ZRCUCBState(NamedTuple):
    """What z-RCUCB remembers."""

    cells: np.ndarray  # (arms, room, columns)
    count: np.ndarray  # (arms,) number of cells
    pulls: np.ndarray  # (arms,) N_0: all rounds of the arm
    index: np.ndarray  # (arms,) largest index of the arm's cells
    best: np.ndarray  # (arms,) the cell that has it
    buckets: Buckets  # all uncensored rounds


class ZRCUCB(NamedTuple):
    """Algorithm 1: what `zrcucb` returns."""

    arms: int
    largest: float
    penalty: Curve
    parts: int  # into which a cell is split
    scale: float  # sqrt(2 alpha log(n T^2 / delta))
    horizon: int

    def actions(self):
        return self.arms, self.largest

    def init(self, rng):
        n = self.arms
        cells, index = np.zeros((n, 8, COLUMNS)), np.zeros(n)
        for i in range(n):
            cell, index[i] = cells[i, 0], np.inf
            cell[END], cell[PENALTY], cell[HEAD] = self.largest, self.penalty.at(self.largest), EMPTY
        return ZRCUCBState(cells, np.ones(n, np.int64), np.zeros(n), index, np.zeros(n, np.int64), new_buckets())

    def select(self, state, t, rng):
        arm = place_of_largest(state.index)
        return Point(arm, state.cells[arm, state.best[arm], END])  # line 2, (13)

    def update(self, state, action, observation, t, rng):
        arm, buckets = action.arm, state.buckets
        state.pulls[arm] += 1.0
        home = observe(state.cells[arm], state.count[arm], action.limit, observation)  # line 4
        if not observation.censored:
            head = state.cells[arm, home, HEAD]
            state.cells[arm, home, HEAD] = buckets.size
            buckets = put(buckets, head, observation.consumption, observation.reward - observation.cost)
        cells = self.refine(state, arm, buckets)  # lines 5 to 8
        self.find_best(state, cells[arm], arm)
        return ZRCUCBState(cells, state.count, state.pulls, state.index, state.best, buckets)

    def refine(self, state, arm, buckets):
        """Split the cells whose length reaches their radius; what is new now is tested when the arm is played again."""
        cells, count, j, pulled = state.cells, state.count[arm], 0, 1.0 / math.sqrt(state.pulls[arm])
        while j < count:
            after = j + 1
            if length(cells[arm], j) >= self.radius(cells[arm, j], pulled):  # (14)
                while count + self.parts > cells.shape[1]:
                    cells = widened(cells)
                count, after = split(cells[arm], j, count, self.parts, buckets.rows), j + self.parts
                for k in range(j, after - 1):
                    cells[arm, k, PENALTY] = self.penalty.at(cells[arm, k, END])
                    estimate(cells[arm, k])
            j = after
        state.count[arm] = count
        return cells

    def find_best(self, state, cells, arm):
        """The arm's largest index; the radius does not depend on the round, so that no other arm's changes."""
        pulled = 1.0 / math.sqrt(state.pulls[arm])
        state.index[arm] = -np.inf
        for j in range(state.count[arm]):
            index = cells[j, ESTIMATE] + self.radius(cells[j], pulled) + length(cells, j)  # (13)
            if index > state.index[arm]:
                state.index[arm], state.best[arm] = index, j

    def radius(self, cell, pulled):
        """Confidence radius of a cell that was played; `pulled` is 1 / sqrt(N_0)."""
        return self.scale * (cell[ROOT] + cell[PENALTY] * pulled)

    def diagnostics(self, world, state):
        """Both recommendations: a pair of the finest cell (the paper's), and the largest lower bound (ours)."""
        played = []  # by arm, then by limit: the first of equal ones is the lowest
        for i in range(self.arms):
            for j in range(state.count[i] if state.pulls[i] > 0 else 0):
                cell = state.cells[i, j]
                level = round(math.log(self.largest / length(state.cells[i], j), self.parts))
                bound = cell[ESTIMATE] - self.radius(cell, 1.0 / math.sqrt(state.pulls[i]))
                played.append((level, cell[ESTIMATE], bound, i, cell[END]))
        *_, arm, limit = max(played, key=lambda cell: cell[:2])  # lines 9 and 10
        *_, arm2, limit2 = max(played, key=lambda cell: cell[2])
        return {
            "finest arm": arm, "finest limit": limit, "safest arm": arm2, "safest limit": limit2,
            "cells": state.count.sum(),
        }  # fmt: skip


def zrcucb(arms, horizon, penalty, largest=1.0, alpha=1.1, parts=2, delta=0.1):
    r"""z-RCUCB: all limits of :math:`(0,\tau_{\max}]`; a cell is split when its length reaches its confidence radius.

    Plays the right end of largest estimate + radius + length, where the radius is RCUCB's with the constant
    :math:`\log(nT^2/\delta)` in place of :math:`\log t`. It keeps every uncensored round, 24 bytes each. Its tally
    holds two recommendations: a pair of the finest cell as the paper has it, of the largest estimate if there are
    several; and the pair of the largest lower confidence bound.

    Parameters
    ----------
    arms : int >= 1, number of arms n
    horizon : int >= 1, number of rounds T
    penalty : Curve or float or callable, penalty of a limit; a number is a slope
    largest : float > 0, the largest limit
    alpha : float > 1, exploration; so Theorem 2 has it
    parts : int >= 2, into how many cells one is split, m
    delta : float in (0, 1), allowed probability of failure

    References
    ----------
    Bengs, Hüllermeier, Multi-Armed Bandits with Censored Consumption of Resources, 2023, Algorithm 1.

    Examples
    --------
    >>> zrcucb(3, 1000, 0.1).parts
    2
    """
    arms, horizon = how_many("arms", arms, 1024, most=LARGEST), whole("horizon", horizon, 1, LARGEST)
    alpha, delta = number("alpha", alpha, above=1), number("delta", delta, above=0, below=1)
    largest = number("largest", largest, above=0)
    scale = math.sqrt(2.0 * alpha * math.log(arms * horizon**2 / delta))
    return ZRCUCB(arms, largest, curve("penalty", penalty, largest), whole("parts", parts, 2), scale, horizon)
