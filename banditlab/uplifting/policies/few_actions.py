"""UpUCB (bl) with features: optimism about the uplift of each action, which is linear in those whom it affects."""

import math
from typing import NamedTuple

import numpy as np

from ...building_blocks.indices import place_of_largest
from ...validate import flag, how_many, number, vector
from ..logistic import cholesky, solve
from .payoff_models import width

__all__ = ["upucb_bl_linear"]


class Regressions(NamedTuple):
    """Ridge regressions of uplifts, one an action."""

    gram: np.ndarray  # (K, d, d) V, lower triangle: penalty times identity plus the sum of X X'
    lower: np.ndarray  # (K, d, d) its triangular factor L, L L' = V
    moments: np.ndarray  # (K, d) sums of responses times X
    weights: np.ndarray  # (K, d) the estimates V^-1 b
    work: np.ndarray  # (d,)


class UpUCBblLinearState(NamedTuple):
    """The regressions, and what this round shows."""

    models: Regressions
    X: np.ndarray  # (K, d) the features of those affected, added up
    index: np.ndarray  # (K,)
    baseline: np.ndarray  # (m,) expected payoffs without an action
    affected: np.ndarray  # (K, m) bool


class UpUCBblLinear(NamedTuple):
    """Linear UCB on the uplift: what `upucb_bl_linear` returns."""

    theta0: np.ndarray  # (d,)
    arms: int
    individuals: int
    bonus: float
    penalty: float
    everybody: bool  # whether an action is taken to affect everybody

    def actions(self):
        return self.arms, self.individuals, len(self.theta0)

    def init(self, rng):
        K, m, d = self.arms, self.individuals, len(self.theta0)
        models = Regressions(np.zeros((K, d, d)), np.zeros((K, d, d)), np.zeros((K, d)), np.zeros((K, d)), np.zeros(d))
        for a in range(K):
            for j in range(d):
                models.gram[a, j, j], models.lower[a, j, j] = self.penalty, math.sqrt(self.penalty)
        return UpUCBblLinearState(models, np.zeros((K, d)), np.zeros(K), np.zeros(m), np.zeros((K, m), np.bool_))

    def select(self, state, context, t, rng):
        self.look(state, context)
        models, index = state.models, state.index
        for a in range(self.arms):  # an upper bound of <theta^a - theta^0, X^a>, Section 8
            index[a] = self.bonus * width(models.lower[a], state.X, a, models.work)
            for j in range(len(self.theta0)):
                index[a] += models.weights[a, j] * state.X[a, j]
        return place_of_largest(index)

    def look(self, state, context):
        """Keep what the update needs; the world's arrays will change."""
        x, affected, baseline, X, theta0 = context.x, context.affected, state.baseline, state.X, self.theta0
        for i in range(len(x)):
            baseline[i] = 0.0
            for j in range(len(theta0)):
                if not math.isfinite(x[i, j]):
                    raise ValueError("context: must be finite")
                baseline[i] += theta0[j] * x[i, j]
        for a in range(self.arms):
            for j in range(len(theta0)):
                X[a, j] = 0.0
            for i in range(len(x)):
                state.affected[a, i] = self.everybody or affected[a, i]
                if state.affected[a, i]:
                    for j in range(len(theta0)):
                        X[a, j] += x[i, j]

    def update(self, state, action, observation, t, rng):
        gram, lower, moments, weights, _ = state.models
        X, y, response = state.X, observation.y, 0.0
        for i in range(len(y)):
            if state.affected[action, i]:
                response += y[i] - state.baseline[i]
        for j in range(len(self.theta0)):
            moments[action, j] += response * X[action, j]
            for k in range(j + 1):
                gram[action, j, k] += X[action, j] * X[action, k]
        cholesky(gram[action], lower[action])
        solve(lower[action], moments[action], weights[action])
        return state


def upucb_bl_linear(theta0, arms, individuals, bonus=1.0, penalty=1.0, everybody=False):
    r"""UpUCB (bl) with linear payoffs: a linear UCB on the uplift of those whom an action affects, baseline known.

    With :math:`X^a=\sum_{i\in\mathcal V^a}x(i)` the index is :math:`\langle\hat\theta^a,X^a\rangle` plus the bonus
    times :math:`\|X^a\|_{(V^a)^{-1}}`; both are of a ridge regression of what those people paid above their baseline,
    :math:`\sum_{i\in\mathcal V^a}(y(i)-\langle\theta^0,x(i)\rangle)`, on :math:`X^a` in the rounds that played a. The
    paper describes this index without pseudo-code. No action is forced at the start.

    Parameters
    ----------
    theta0 : array_like, shape (d,)
        Weights of the baseline.
    arms : int >= 1, number of actions K
    individuals : int >= 1, people m in a round
    bonus : float >= 0
        Multiplier of the width; of order L in theory, as the noise of a sum over L people is.
    penalty : float > 0, λ of the ridge
    everybody : bool
        Whether to sum over all people instead of those affected: a linear UCB on the total, which pays m for L.

    References
    ----------
    Hsieh, Kasiviswanathan, Kveton, Uplifting Bandits, NeurIPS 2022, Section 8, "Contextual Uplifting Bandit with Linear
    Payoffs".
    """
    theta0, arms = vector("theta0", theta0), how_many("arms", arms, 64 * len(theta0) ** 2)
    bonus, penalty = number("bonus", bonus, least=0), number("penalty", penalty, above=0)
    told = flag("everybody", everybody)
    return UpUCBblLinear(theta0, arms, how_many("individuals", individuals, 32), bonus, penalty, told)
