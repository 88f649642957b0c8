"""Ridge-penalised logistic regression by Newton steps, for compiled code and for fitting a pool once."""

import math
from typing import NamedTuple

import numpy as np

from ..classic.linear import multiply
from ..engine.methods import helper

PRECISION = 1e-8  # of the last Newton step


class Workspace(NamedTuple):
    """Scratch of a fit."""

    matrix: np.ndarray  # (d, d) second derivative, lower triangle
    lower: np.ndarray  # (d, d) its triangular factor
    gradient: np.ndarray  # (d,)
    step: np.ndarray  # (d,)
    trial: np.ndarray  # (d,)


@helper
def workspace(d):
    """Scratch for d weights."""
    return Workspace(np.zeros((d, d)), np.zeros((d, d)), np.zeros(d), np.zeros(d), np.zeros(d))


@helper
def sigmoid(score):
    """1 / (1 + exp(-score)), without overflow."""
    if score >= 0.0:
        return 1.0 / (1.0 + math.exp(-score))
    power = math.exp(score)
    return power / (1.0 + power)


@helper
def cholesky(matrix, lower):
    """Write the lower triangle L of L L' = matrix."""
    d = len(matrix)
    for i in range(d):
        for j in range(i + 1):
            total = matrix[i, j]
            for k in range(j):
                total -= lower[i, k] * lower[j, k]
            lower[i, j] = math.sqrt(total) if i == j else total / lower[j, j]


@helper
def solve(lower, right, out):
    """Write the solution of L L' out = right."""
    d = len(lower)
    for i in range(d):
        total = right[i]
        for k in range(i):
            total -= lower[i, k] * out[k]
        out[i] = total / lower[i, i]
    for i in range(d - 1, -1, -1):
        total = out[i]
        for k in range(i + 1, d):
            total -= lower[k, i] * out[k]
        out[i] = total / lower[i, i]


@helper
def slope(rows, times, visits, size, weights, penalty, gradient):
    """Write the gradient of the penalised loss."""
    d = len(weights)
    for j in range(d):
        gradient[j] = penalty * weights[j]
    for r in range(size):
        miss = times[r] * sigmoid(multiply(weights, rows[r])) - visits[r]
        for j in range(d):
            gradient[j] += miss * rows[r, j]


@helper
def curvature(rows, times, size, weights, penalty, matrix):
    """Write the lower triangle of the second derivative."""
    d = len(weights)
    for j in range(d):
        for k in range(d):
            matrix[j, k] = penalty if j == k else 0.0
    for r in range(size):
        chance = sigmoid(multiply(weights, rows[r]))
        weight = times[r] * (chance * (1.0 - chance))
        for j in range(d):
            part = weight * rows[r, j]
            if part != 0.0:
                for k in range(j + 1):
                    matrix[j, k] += part * rows[r, k]


@helper
def loss(rows, times, visits, size, weights, penalty):
    """The penalised negative log likelihood."""
    total = 0.0
    for j in range(len(weights)):
        total += 0.5 * penalty * weights[j] * weights[j]
    for r in range(size):
        score = multiply(weights, rows[r])
        total += times[r] * (max(score, 0.0) + math.log(1.0 + math.exp(-abs(score)))) - visits[r] * score
    return total


@helper
def fit(rows, times, visits, size, penalty, weights, scratch):
    """Improve the weights until they are the best for the first `size` rows.

    A row that came several times is one of these, with the sum of its outcomes in `visits`: the loss is the same.
    A second derivative serves several steps while they shrink fast, and is renewed when they do not; a step that grows
    is halved until the loss falls. Weights that are not found are an error.
    """
    step, length, last, renew = scratch.step, np.inf, np.inf, True
    for _ in range(200):
        if length < PRECISION:
            break
        if renew:
            curvature(rows, times, size, weights, penalty, scratch.matrix)
            cholesky(scratch.matrix, scratch.lower)
        slope(rows, times, visits, size, weights, penalty, scratch.gradient)
        solve(scratch.lower, scratch.gradient, step)
        length = 0.0
        for j in range(len(weights)):
            value = abs(step[j])
            if not value <= length:  # so a nan stays
                length = value
        share = 1.0
        if length > 1.0 or length > last:
            share = shortened(rows, times, visits, size, weights, penalty, scratch)
        for j in range(len(weights)):
            weights[j] -= share * step[j]
        renew = length > 0.1 * last
        last = length
    if not length < PRECISION:
        raise ValueError("features: no weights of the logistic model found in 200 steps; scale them to about 1")


@helper
def shortened(rows, times, visits, size, weights, penalty, scratch):
    """The share of a step, halved until the loss does not grow."""
    before, share, trial = loss(rows, times, visits, size, weights, penalty), 1.0, scratch.trial
    for _ in range(40):
        for j in range(len(weights)):
            trial[j] = weights[j] - share * scratch.step[j]
        if loss(rows, times, visits, size, trial, penalty) <= before:
            break
        share = 0.5 * share
    return share


def logistic_fit(features, outcomes, penalty=1.0):
    """Weights of the logistic model with penalty/2 times their squared length; zeros without data.

    Parameters
    ----------
    features : ndarray, shape (n, d)
        Rows; put a column of ones in front for a constant.
    outcomes : ndarray, shape (n,), 0 or 1
    penalty : float > 0, of the squared length of all weights

    Returns
    -------
    ndarray, shape (d,)
        The weights.

    Raises
    ------
    ValueError
        If they are not found in 100 Newton steps.
    """

    def loss(w):
        scores = features @ w
        return np.logaddexp(0.0, scores).sum() - outcomes @ scores + 0.5 * penalty * (w @ w)

    weights = np.zeros(features.shape[1])
    for _ in range(100):
        chance = 1.0 / (1.0 + np.exp(-np.clip(features @ weights, -700, 700)))
        gradient = features.T @ (chance - outcomes) + penalty * weights
        hessian = (features.T * (chance * (1 - chance))) @ features + penalty * np.eye(len(weights))
        step, before = np.linalg.solve(hessian, gradient), loss(weights)
        while loss(weights - step) > before * (1 + 1e-12):  # too far: the loss must not grow, but by rounding
            step = step / 2.0
        weights = weights - step
        if np.abs(step).max() < PRECISION:
            return weights
    raise ValueError("features: no weights of the logistic model found in 100 Newton steps; scale them to about 1")
