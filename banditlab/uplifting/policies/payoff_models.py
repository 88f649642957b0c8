"""Models of people's payoffs under every treatment, and confidence in them: Appendices C.2 and C.3, Eqs. (45), (46)."""

import math
from typing import NamedTuple

import numpy as np

from ...arrays import doubled, doubled_rows
from ...protocol import helper
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
        score = 0.0
        for j in range(x.shape[1]):
            score += weights[j] * x[i, j]
        models.U[z, i] = form.link(score)


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
    """Rows behind logistic models: 8 (d + 1) bytes each, up to m in a round."""

    rows: list  # for every treatment (capacity, d)
    outcomes: list  # for every treatment (capacity,)
    counts: np.ndarray  # (q + 1,)


class Logistic(NamedTuple):
    """Chances of a visit by logistic regression, refitted to all data in every round."""

    penalty: float

    def link(self, score):
        return sigmoid(score)

    def history(self, treatments, individuals, features):
        many, m = treatments + 1, individuals
        rows, outcomes = [np.zeros((4 * m, features)) for _ in range(many)], [np.zeros(4 * m) for _ in range(many)]
        return History(rows, outcomes, np.zeros(many, np.int64))

    def train(self, models, history, action, y, first):
        """Learn the treatments from the first on."""
        learn(models, action, y, first)
        for z in range(first, len(models.weights)):
            size = self.enter(models, history, action, y, z)
            if size > 0:
                fit(history.rows[z], history.outcomes[z], size, self.penalty, models.weights[z], models.scratch)

    def enter(self, models, history, action, y, z):
        """Add the rows of a treatment; return how many there are now."""
        x, size = models.x, history.counts[z]
        if size + len(y) > len(history.outcomes[z]):
            history.rows[z] = doubled_rows(history.rows[z])
            history.outcomes[z] = doubled(history.outcomes[z])
        rows, outcomes = history.rows[z], history.outcomes[z]
        for i in range(len(y)):
            if action[i] == z:
                for j in range(x.shape[1]):
                    rows[size, j] = x[i, j]
                outcomes[size] = y[i]
                size += 1
        history.counts[z] = size
        return size
