"""Policies of campaigns: linear or logistic models of the payoffs, and the choice of people by their indices."""

import math
from typing import NamedTuple

import numpy as np

from ...protocol import helper
from ..environments.contextual import best_treatments, treating
from ..logistic import cholesky, fit, sigmoid, solve
from ..order import choose

LEARNT, KNOWN, IGNORED = 0, 1, 2  # the baseline


class Rules(NamedTuple):
    """What is known, and how the index is made of the models."""

    individuals: int
    features: int
    treatments: int
    budget: int
    baseline: int  # LEARNT, KNOWN or IGNORED
    known: np.ndarray  # (d,) weights of a known baseline
    penalty: float
    bonus: float  # times the width; see `factor`
    constant: float  # what the factor has besides, or -1 for a factor of 1
    log: float
    epsilon: float  # share of the treatments given at random
    at_most: int  # 1: only people of positive index are treated

    def actions(self):
        return treating(self.individuals, self.features, self.treatments, self.budget, self.at_most)


class Models(NamedTuple):
    """What is remembered of every treatment, 0 for none."""

    gram: np.ndarray  # (q + 1, d, d) penalty times identity plus the sum of x x'
    moments: np.ndarray  # (2, q + 1, d) sums of y x, and the weights of the last fit
    x: np.ndarray  # (m, d) features of this round
    index: np.ndarray  # (m, q + 1) of every treatment; column 0 is the baseline
    action: np.ndarray  # (3, m) the action, and scratch
    work: np.ndarray  # (2 d + 3, d) for a fit; its first d rows are a triangular factor
    picks: np.ndarray  # (2, m) index of everybody's best treatment, and scratch


@helper
def untrained(rules):
    """Models without data."""
    d, q, m = rules.features, rules.treatments, rules.individuals
    models = Models(
        np.zeros((q + 1, d, d)), np.zeros((2, q + 1, d)), np.zeros((m, d)), np.zeros((m, q + 1)),
        np.zeros((3, m), np.int64), np.zeros((2 * d + 3, d)), np.zeros((2, m)),
    )  # fmt: skip
    for z in range(q + 1):
        for j in range(d):
            models.gram[z, j, j] = rules.penalty
    return models


@helper
def factor(rules, t):
    """What the width is multiplied with: the bonus, times the radius of Theorem 5 where asked for."""
    if rules.constant < 0.0:
        return rules.bonus
    growth = rules.features * math.log(1.0 + rules.individuals * (t + 1) / (rules.features * rules.penalty))
    return rules.bonus * (rules.constant + math.sqrt(rules.log + growth))


@helper
def width(lower, x, i, work):
    """sqrt(x' V^-1 x) of a row; L L' = V."""
    total = 0.0
    for j in range(x.shape[1]):
        value = x[i, j]
        for k in range(j):
            value -= lower[j, k] * work[k]
        work[j] = value / lower[j, j]
        total += work[j] * work[j]
    return math.sqrt(total)


@helper
def scores(weights, x, logistic, index, z):
    """Write the model's expectations into a column of the index."""
    for i in range(len(x)):
        total = 0.0
        for j in range(x.shape[1]):
            total += weights[j] * x[i, j]
        index[i, z] = sigmoid(total) if logistic == 1 else total


@helper
def indices(rules, models, t, logistic):
    """Write the index of every person and treatment: optimistic payoff minus (optimistic) baseline."""
    d, index, x = rules.features, models.index, models.x
    lower, bonus = models.work[0:d], factor(rules, t)
    for i in range(len(x)):
        index[i, 0] = 0.0
    if rules.baseline == KNOWN:
        scores(rules.known, x, logistic, index, 0)
    for z in range(0 if rules.baseline == LEARNT else 1, rules.treatments + 1):
        scores(models.moments[1, z], x, logistic, index, z)
        if bonus > 0.0:
            cholesky(models.gram[z], lower)
            for i in range(len(x)):
                index[i, z] += bonus * width(lower, x, i, models.work[d])
    for i in range(len(x)):
        for z in range(1, rules.treatments + 1):
            index[i, z] -= index[i, 0]


@helper
def treat(rules, models, rng):
    """Turn the index into an action: the largest, and some at random."""
    index, action, picks, m = models.index, models.action, models.picks, rules.individuals
    best_treatments(index, action[0], picks[0])
    random = rng.binomial(rules.budget, rules.epsilon) if rules.epsilon > 0.0 else 0
    choose(picks[0], rules.budget - random, picks[1], action[1])
    for i in range(m):
        if rules.at_most == 1 and picks[0, i] <= 0.0:
            action[1, i] = 0
    for n in range(random):
        surprise(action[1], int((m - rules.budget + random - n) * rng.random()))
    for i in range(m):
        if action[1, i] == 0:
            action[0, i] = 0
    return action[0]


@helper
def surprise(chosen, place):
    """Treat the person in this place among those not yet chosen."""
    for i in range(len(chosen)):
        if chosen[i] == 0:
            if place == 0:
                chosen[i] = 1
                break
            place -= 1


@helper
def keep(models, context):
    """Copy the features of the round: the world's array will change."""
    for i in range(len(context)):
        for j in range(context.shape[1]):
            if not math.isfinite(context[i, j]):
                raise ValueError("context: must be finite")
            models.x[i, j] = context[i, j]


@helper
def learn(rules, models, action, y):
    """Enter the payoffs of a round into the sums."""
    gram, moments, x = models.gram, models.moments, models.x
    for i in range(len(y)):
        z = action[i]
        if z > 0 or rules.baseline == LEARNT:
            for j in range(x.shape[1]):
                moments[0, z, j] += y[i] * x[i, j]
                for k in range(j + 1):
                    gram[z, j, k] += x[i, j] * x[i, k]


class LinearTargets(NamedTuple):
    """Ridge regression of the payoffs under every treatment: what the factories return with ``form="linear"``."""

    rules: Rules

    def actions(self):
        return self.rules.actions()

    def init(self, rng):
        return untrained(self.rules)

    def select(self, state, context, t, rng):
        keep(state, context)
        indices(self.rules, state, t, 0)
        return treat(self.rules, state, rng)

    def update(self, state, action, observation, t, rng):
        learn(self.rules, state, action, observation.y)
        lower = state.work[0 : self.rules.features]
        for z in range(0 if self.rules.baseline == LEARNT else 1, self.rules.treatments + 1):
            cholesky(state.gram[z], lower)
            solve(lower, state.moments[0, z], state.moments[1, z])
        return state


class History(NamedTuple):
    """Models and the rows behind them: 8 (d + 1) bytes each, up to m in a round."""

    models: Models
    rows: list  # for every treatment (capacity, d)
    outcomes: list  # for every treatment (capacity,)
    counts: np.ndarray  # (q + 1,)


@helper
def grown(rows, size):
    """The same rows in an array twice as large."""
    larger = np.zeros((2 * len(rows), rows.shape[1]))
    for r in range(size):
        for j in range(rows.shape[1]):
            larger[r, j] = rows[r, j]
    return larger


@helper
def grown_line(values, size):
    """The same numbers in an array twice as large."""
    larger = np.zeros(2 * len(values))
    for r in range(size):
        larger[r] = values[r]
    return larger


class LogisticTargets(NamedTuple):
    """Logistic regression, refitted every round: what the factories return with ``form="logistic"``."""

    rules: Rules

    def actions(self):
        return self.rules.actions()

    def init(self, rng):
        many, d, m = self.rules.treatments + 1, self.rules.features, self.rules.individuals
        rows, outcomes = [np.zeros((4 * m, d)) for _ in range(many)], [np.zeros(4 * m) for _ in range(many)]
        return History(untrained(self.rules), rows, outcomes, np.zeros(many, np.int64))

    def select(self, state, context, t, rng):
        keep(state.models, context)
        indices(self.rules, state.models, t, 1)
        return treat(self.rules, state.models, rng)

    def update(self, state, action, observation, t, rng):
        rules, models, counts = self.rules, state.models, state.counts
        learn(rules, models, action, observation.y)
        first = 0 if rules.baseline == LEARNT else 1
        for z in range(first, rules.treatments + 1):
            if counts[z] + rules.individuals > len(state.outcomes[z]):
                state.rows[z] = grown(state.rows[z], counts[z])
                state.outcomes[z] = grown_line(state.outcomes[z], counts[z])
            rows, outcomes, size = state.rows[z], state.outcomes[z], counts[z]
            for i in range(rules.individuals):
                if action[i] == z:
                    for j in range(rules.features):
                        rows[size, j] = models.x[i, j]
                    outcomes[size] = observation.y[i]
                    size += 1
            counts[z] = size
            if size > 0:
                fit(rows, outcomes, size, rules.penalty, models.moments[1, z], models.work)
        return state
