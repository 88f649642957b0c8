"""Models of people's payoffs under every treatment, and confidence in them: Appendices C.2 and C.3, Eqs. (45), (46)."""

import math
from typing import NamedTuple

import numpy as np

from ...building_blocks.growing_arrays import double, double_rows
from ...classic.linear import multiply
from ...engine.methods import helper
from ..logistic import Workspace, cholesky, fit, sigmoid, solve, workspace

__all__ = []


class Models(NamedTuple):
    """What is remembered of every treatment, 0 for none, and of the round."""

    gram: np.ndarray  # (q + 1, d, d) V, lower triangle: penalty times identity plus the sum of x x'
    moments: np.ndarray  # (q + 1, d) b, the sum of y x
    weights: np.ndarray  # (q + 1, d) of the last fit
    x: np.ndarray  # (m, d) features of this round
    U: np.ndarray  # (q + 1, m) optimistic payoffs; row 0 is the baseline
    scratch: Workspace


@helper
def untrained(treatments, individuals, features, penalty):
    """Models without data."""
    d, many, m = features, treatments + 1, individuals
    gram = np.zeros((many, d, d))
    for z in range(many):
        for j in range(d):
            gram[z, j, j] = penalty
    zeros = np.zeros((many, d))
    return Models(gram, zeros, zeros.copy(), np.zeros((m, d)), np.zeros((many, m)), workspace(d))


@helper
def look(models, context):
    """Copy the features of the round: the world's array will change."""
    for i in range(len(context)):
        for j in range(context.shape[1]):
            if not math.isfinite(context[i, j]):
                raise ValueError("context: must be finite")
            models.x[i, j] = context[i, j]


@helper
def expected(form, models, weights, z):
    """Write everybody's expected payoff under these weights as U^z."""
    x = models.x
    for i in range(len(x)):
        models.U[z, i] = form.link(multiply(weights, x[i]))


@helper
def optimistic(form, models, z, alpha):
    """Write everybody's U^z, Eq. (46): expected payoff plus alpha times the width."""
    expected(form, models, models.weights[z], z)
    if alpha > 0.0:
        lower = models.scratch.lower
        cholesky(models.gram[z], lower)
        for i in range(len(models.x)):
            models.U[z, i] += alpha * width(lower, models.x, i, models.scratch.step)


@helper
def width(lower, x, i, work):
    """The norm of x(i) in the inverse of V = L L'."""
    total = 0.0
    for j in range(x.shape[1]):
        value = x[i, j]
        for k in range(j):
            value -= lower[j, k] * work[k]
        work[j] = value / lower[j, j]
        total += work[j] * work[j]
    return math.sqrt(total)


@helper
def learn(models, action, y, first):
    """Enter the payoffs under all treatments from the first on into the sums of Eq. (45)."""
    gram, moments, x = models.gram, models.moments, models.x
    for i in range(len(y)):
        z = action[i]
        if z >= first:
            for j in range(x.shape[1]):
                moments[z, j] += y[i] * x[i, j]
                for k in range(j + 1):
                    gram[z, j, k] += x[i, j] * x[i, k]


class Ridge(NamedTuple):
    """Payoffs linear in the features, by ridge regression."""

    penalty: float

    def link(self, score):
        return score

    def history(self, treatments, individuals, features):
        """The sums hold all that is needed."""
        return 0

    def train(self, models, history, action, y, first):
        """Learn the treatments from the first on: theta = V^-1 b, below Eq. (45)."""
        learn(models, action, y, first)
        lower = models.scratch.lower
        for z in range(first, len(models.weights)):
            cholesky(models.gram[z], lower)
            solve(lower, models.moments[z], models.weights[z])


class History(NamedTuple):
    """The different rows behind logistic models, each once: who comes again makes no row more.

    There are 8 (d + 2) bytes a row, and as many again for the table in which rows are looked up.
    """

    rows: list  # for every treatment (capacity, d)
    times: list  # for every treatment (capacity,), how often a row came
    visits: list  # for every treatment (capacity,), its outcomes added up
    slots: list  # for every treatment (4 capacity,), number of the row that is kept here, -1 for none
    sizes: np.ndarray  # (q + 1,) different rows


@helper
def slot_of(rows, slots, x, i):
    """The slot of row i of x, or the free one where it belongs; the order of the rows does not depend on it."""
    mixed = 0.0
    for j in range(x.shape[1]):
        mixed = 0.7548776662466927 * mixed + x[i, j]
    mixed = abs(4096.0 * mixed)
    slot = int(mixed % 1.0 * len(slots)) if mixed < 1e12 else 0
    while slots[slot] >= 0:
        same = True
        for j in range(x.shape[1]):
            same = same and rows[slots[slot], j] == x[i, j]
        if same:
            break
        slot = (slot + 1) % len(slots)
    return slot


@helper
def lengthen(history, z):
    """Make room for twice as many rows of a treatment."""
    rows = history.rows[z] = double_rows(history.rows[z])
    history.times[z], history.visits[z] = double(history.times[z]), double(history.visits[z])
    slots = history.slots[z] = np.full(4 * len(rows), -1)
    for r in range(history.sizes[z]):
        slots[slot_of(rows, slots, rows, r)] = r


@helper
def add_row(history, z, x, i, outcome):
    """Enter row i of x with its outcome."""
    rows, slots = history.rows[z], history.slots[z]
    slot = slot_of(rows, slots, x, i)
    if slots[slot] < 0:
        slots[slot] = history.sizes[z]
        history.sizes[z] += 1
        for j in range(x.shape[1]):
            rows[slots[slot], j] = x[i, j]
    history.times[z][slots[slot]] += 1.0
    history.visits[z][slots[slot]] += outcome


class Logistic(NamedTuple):
    """Chances of a visit by logistic regression, refitted to all data in every round."""

    penalty: float

    def link(self, score):
        return sigmoid(score)

    def history(self, treatments, individuals, features):
        many, m = treatments + 1, 4 * individuals
        rows, slots = [np.zeros((m, features)) for _ in range(many)], [np.full(4 * m, -1) for _ in range(many)]
        times, visits = [np.zeros(m) for _ in range(many)], [np.zeros(m) for _ in range(many)]
        return History(rows, times, visits, slots, np.zeros(many, np.int64))

    def train(self, models, history, action, y, first):
        """Learn the treatments from the first on."""
        learn(models, action, y, first)
        for z in range(first, len(models.weights)):
            self.enter(models.x, history, action, y, z)
            size = history.sizes[z]
            if size > 0:
                rows, times, visits = history.rows[z], history.times[z], history.visits[z]
                fit(rows, times, visits, size, self.penalty, models.weights[z], models.scratch)

    def enter(self, x, history, action, y, z):
        """Add the rows of a treatment."""
        if history.sizes[z] + len(y) > len(history.times[z]):
            lengthen(history, z)
        for i in range(len(y)):
            if action[i] == z:
                add_row(history, z, x, i, y[i])
