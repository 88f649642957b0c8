"""Rewards that are linear in features, or logistic, with fresh contexts in every round: LinUCB, Thompson sampling."""

import math
from typing import NamedTuple

import numpy as np

from ..engine.methods import helper
from ..validate import choice, how_many, number, vector, whole

__all__ = ["FreshContexts", "LinTS", "LinUCB", "LogisticTS", "fresh_contexts", "lin_ts", "lin_ucb", "logistic_ts"]


class FreshContexts(NamedTuple):
    """Arms with new features in every round: what `fresh_contexts` returns.

    A step draws one normal, or one uniform of logistic rewards, whatever the arm, so all policies meet the same world.
    """

    theta: np.ndarray  # (features,)
    arms: int
    sigma: float  # of normal noise; 0 for rewards 0 and 1 with logistic chance

    def actions(self):
        return self.arms

    def reset(self, rng):
        return np.zeros((self.arms, len(self.theta)))

    def context(self, world, t, rng):
        for arm in range(self.arms):
            draw_direction(world[arm], rng)
        return world

    def worth_of(self, world, arm):
        total = multiply(world[arm], self.theta)
        return total if self.sigma > 0.0 else 1.0 / (1.0 + math.exp(-total))

    def step(self, world, action, t, rng):
        mean = self.worth_of(world, action)
        if self.sigma > 0.0:
            return mean + self.sigma * rng.standard_normal()
        return 1.0 if rng.random() < mean else 0.0

    def regret(self, world, action, t):
        best = -np.inf
        for arm in range(self.arms):
            best = max(best, self.worth_of(world, arm))
        return best - self.worth_of(world, action)


@helper
def draw_direction(x, rng):
    """Overwrite a row of numbers with a point drawn evenly from the unit sphere."""
    length = 0.0
    for i in range(len(x)):
        x[i] = rng.standard_normal()
        length += x[i] * x[i]
    for i in range(len(x)):
        x[i] /= math.sqrt(length)


@helper
def multiply(x, y):
    """The inner product."""
    total = 0.0
    for i in range(len(x)):
        total += x[i] * y[i]
    return total


def fresh_contexts(theta, arms, sigma=1.0, link="identity"):
    """Arms whose features are drawn anew in every round, evenly from the unit sphere, and shown before the choice.

    Parameters
    ----------
    theta : array_like, shape (features,), what features are worth
    arms : int >= 1, number of arms
    sigma : float > 0, standard deviation of normal noise; of no use with logistic rewards
    link : {"identity", "logistic"}, normal rewards of mean x theta, or rewards 1 with the logistic chance of it, else 0

    Returns
    -------
    FreshContexts
        The environment; its context is an array (arms, features).

    Examples
    --------
    >>> world = fresh_contexts([1.0, -1.0], arms=3)
    >>> world.context(world.reset(None), 0, np.random.default_rng(0)).shape
    (3, 2)
    """
    sigma = number("sigma", sigma, above=0)
    normal = choice("link", link, ("identity", "logistic")) == "identity"
    return FreshContexts(vector("theta", theta), how_many("arms", arms, 8), sigma if normal else 0.0)


class Ridge(NamedTuple):
    """What policies of linear rewards remember: ridge regression, kept up to date."""

    inverse: np.ndarray  # (features, features) of the design matrix
    sums: np.ndarray  # (features,) of rewards times features
    estimate: np.ndarray  # (features,)
    seen: np.ndarray  # (features,) of the arm that was chosen last


@helper
def new_ridge(features, ridge):
    """A regression that has seen nothing."""
    inverse = np.zeros((features, features))
    for i in range(features):
        inverse[i, i] = 1.0 / ridge
    return Ridge(inverse, np.zeros(features), np.zeros(features), np.zeros(features))


@helper
def check_features(context, features):
    """Refuse a context of other features: compiled code would read and write out of bounds."""
    if context.shape[1] != features:
        raise ValueError("context: must have a column for each of the policy's features")


@helper
def spread_of(inverse, x):
    """x V^-1 x."""
    total = 0.0
    for i in range(len(x)):
        total += x[i] * multiply(inverse[i], x)
    return max(total, 0.0)


@helper
def remember_features(state, x):
    """Keep the features of the arm that is chosen, for `learn_reward`."""
    for i in range(len(x)):
        state.seen[i] = x[i]


@helper
def learn_reward(state, reward):
    """The regression with one round more (Sherman, Morrison)."""
    x, features = state.seen, len(state.seen)
    turned, scale = np.zeros(features), 1.0 + spread_of(state.inverse, state.seen)
    for i in range(features):
        turned[i] = multiply(state.inverse[i], x)
        state.sums[i] += reward * x[i]
    for i in range(features):
        for j in range(features):
            state.inverse[i, j] -= turned[i] * turned[j] / scale
    for i in range(features):
        state.estimate[i] = multiply(state.inverse[i], state.sums)
    return state


class LinUCB(NamedTuple):
    """The best estimate plus a multiple of its spread: what `lin_ucb` returns."""

    features: int
    alpha: float
    ridge: float

    def init(self, rng):
        return new_ridge(self.features, self.ridge)

    def select(self, state, context, t, rng):
        check_features(context, self.features)
        best, top = 0, -np.inf
        for arm in range(len(context)):
            width = self.alpha * math.sqrt(spread_of(state.inverse, context[arm]))
            index = multiply(state.estimate, context[arm]) + width
            if index > top:
                best, top = arm, index
        remember_features(state, context[best])
        return best

    def update(self, state, action, observation, t, rng):
        return learn_reward(state, observation)


def lin_ucb(features, alpha=1.0, ridge=1.0):
    r"""LinUCB: play the arm of largest :math:`x\hat\theta+\alpha\sqrt{x^\top V^{-1}x}`; all arms share one theta.

    Parameters
    ----------
    features : int >= 1, number of features
    alpha : float > 0, exploration
    ridge : float > 0, lambda of the ridge regression

    Returns
    -------
    LinUCB
        The policy; it is shown a context, an array (arms, features).

    References
    ----------
    Li, Chu, Langford, Schapire, A contextual-bandit approach to personalized news article recommendation, WWW 2010,
    Algorithm 1, with one theta for all arms as in Chu, Li, Reyzin, Schapire, AISTATS 2011.

    Examples
    --------
    >>> from banditlab import classic, simulate
    >>> world = fresh_contexts([0.8, -0.5, 0.2], arms=5, sigma=0.3)
    >>> policies = {"LinUCB": lin_ucb(3), "uniform": classic.uniform(5, context=True)}
    >>> result = simulate(world, policies, 1000, runs=20)
    >>> bool(result.paired("uniform", "LinUCB")["low"].iloc[-1] > 0)
    True
    """
    alpha, ridge = number("alpha", alpha, above=0), number("ridge", ridge, above=0)
    return LinUCB(count_features(features), alpha, ridge)


def count_features(features):
    """The number of features; a state holds its square."""
    return whole("features", features, 1, 4096)


@helper
def play_best(state, context, weights):
    """The arm of largest value at these weights, its features remembered."""
    check_features(context, len(weights))
    best, top = 0, -np.inf
    for arm in range(len(context)):
        value = multiply(weights, context[arm])
        if value > top:
            best, top = arm, value
    remember_features(state, context[best])
    return best


class LinTS(NamedTuple):
    """The best arm of a drawn theta: what `lin_ts` returns."""

    features: int
    scale: float
    ridge: float

    init, update = LinUCB.init, LinUCB.update

    def select(self, state, context, t, rng):
        return play_best(state, context, self.draw(state, rng))

    def draw(self, state, rng):
        """Theta from the normal law around the estimate, by the Cholesky factor of its covariance."""
        n = self.features
        factor, theta, drawn = np.zeros((n, n)), state.estimate.copy(), np.zeros(n)
        for i in range(n):
            drawn[i] = self.scale * rng.standard_normal()
            for j in range(i + 1):
                rest = state.inverse[i, j]
                for k in range(j):
                    rest -= factor[i, k] * factor[j, k]
                factor[i, j] = math.sqrt(max(rest, 1e-300)) if i == j else rest / factor[j, j]
                theta[i] += factor[i, j] * drawn[j]
        return theta


def lin_ts(features, scale=1.0, ridge=1.0):
    r"""Linear Thompson sampling: play the best arm of a theta drawn from :math:`N(\hat\theta,v^2V^{-1})`.

    Parameters
    ----------
    features : int >= 1, number of features
    scale : float > 0, v; the standard deviation of the noise for the posterior of normal rewards
    ridge : float > 0, lambda of the ridge regression

    Returns
    -------
    LinTS
        The policy; it is shown a context, an array (arms, features). A round takes features^3 / 3 multiplications.

    References
    ----------
    Agrawal, Goyal, Thompson sampling for contextual bandits with linear payoffs, ICML 2013, Algorithm 1.

    Examples
    --------
    >>> from banditlab import classic, simulate
    >>> world = fresh_contexts([2.0, -1.0], arms=5, link="logistic")
    >>> policies = {"LinTS": lin_ts(2, 0.5), "uniform": classic.uniform(5, context=True)}
    >>> result = simulate(world, policies, 1000, runs=20)
    >>> bool(result.paired("uniform", "LinTS")["low"].iloc[-1] > 0)
    True
    """
    scale, ridge = number("scale", scale, above=0), number("ridge", ridge, above=0)
    return LinTS(count_features(features), scale, ridge)


class Laplace(NamedTuple):
    """What `LogisticTS` remembers: a normal law of independent weights."""

    mean: np.ndarray  # (features,)
    precision: np.ndarray  # (features,)
    seen: np.ndarray  # (features,) of the arm that was chosen last


class LogisticTS(NamedTuple):
    """The best arm of drawn weights of a logistic model: what `logistic_ts` returns."""

    features: int
    scale: float
    penalty: float

    def init(self, rng):
        n = self.features
        return Laplace(np.zeros(n), np.full(n, self.penalty), np.zeros(n))

    def select(self, state, context, t, rng):
        weights = np.zeros(self.features)
        for i in range(self.features):
            weights[i] = state.mean[i] + self.scale * rng.standard_normal() / math.sqrt(state.precision[i])
        return play_best(state, context, weights)

    def update(self, state, action, observation, t, rng):
        if observation != 0.0 and observation != 1.0:
            raise ValueError("observation: must be 0 or 1 for logistic Thompson sampling")
        x, spread = state.seen, 0.0
        for i in range(self.features):
            spread += x[i] * x[i] / state.precision[i]
        residual = residual_at_mode(multiply(state.mean, x), spread, observation)
        chance = observation - residual  # of a reward 1, at the new mean
        for i in range(self.features):
            state.mean[i] += residual * x[i] / state.precision[i]
            state.precision[i] += x[i] * x[i] * chance * (1.0 - chance)
        return state


@helper
def residual_at_mode(value, spread, reward):
    """The c with c = reward - sigma(value + spread c): the mode of the weights is mean + c x / precision.

    The right-hand side falls in c, so bisection finds it between reward - 1 and reward.
    """
    low, high = reward - 1.0, reward
    for _ in range(60):
        middle = 0.5 * (low + high)
        if middle < reward - 1.0 / (1.0 + math.exp(-value - spread * middle)):
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def logistic_ts(features, scale=1.0, penalty=1.0):
    r"""Logistic Thompson sampling: play the best arm of weights drawn from :math:`N(m_i,v^2/q_i)`, for rewards 0 and 1.

    After each round m is the mode of the weights and q grows by the curvature there (Laplace's approximation, one
    round a batch). The features of a round enter through their inner product alone, so the mode is a root on a line.

    Parameters
    ----------
    features : int >= 1, number of features
    scale : float > 0, v; 1 draws from the approximate posterior, less explores less
    penalty : float > 0, lambda, the precision of all weights at the start

    Returns
    -------
    LogisticTS
        The policy; it is shown a context, an array (arms, features), and refuses rewards other than 0 and 1.

    References
    ----------
    Chapelle, Li, An empirical evaluation of Thompson sampling, NeurIPS 2011, Algorithm 3.

    Examples
    --------
    >>> from banditlab import classic, simulate
    >>> world = fresh_contexts([2.0, -1.0], arms=5, link="logistic")
    >>> policies = {"logistic TS": logistic_ts(2), "uniform": classic.uniform(5, context=True)}
    >>> result = simulate(world, policies, 1000, runs=20)
    >>> bool(result.paired("uniform", "logistic TS")["low"].iloc[-1] > 0)
    True
    """
    scale, penalty = number("scale", scale, above=0), number("penalty", penalty, above=0)
    return LogisticTS(count_features(features), scale, penalty)
