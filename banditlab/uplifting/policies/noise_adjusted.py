"""UpUCB (bl) that subtracts what the unaffected variables tell about the noise, which the paper leaves to others."""

import functools
import math
from typing import NamedTuple

import numpy as np

from ...building_blocks.indices import new_indices, place_of_largest
from ...engine.methods import helper
from ...validate import count_dimensions, table, vector
from ..arguments import covariances, exploration, sets
from ..environments.gaussian import check_covariance
from .ucb_thompson import UCB, enter, optimism

__all__ = ["noise_adjustment", "upucb_bl_adjusted", "upucb_bl_learnt", "upucb_bl_optimal"]


LARGEST = 700.0  # whose exponential is a number


@helper
def adjusted_uplift(weights, mu0, y):
    """What the payoffs are above the baseline, in these weights."""
    adjusted = 0.0
    for i in range(len(mu0)):
        adjusted += weights[i] * (y[i] - mu0[i])
    return adjusted


class NoiseAdjusted(NamedTuple):
    """UCB on the adjusted uplift: what `upucb_bl_adjusted` returns."""

    mu0: np.ndarray  # (m,) expected payoffs of the baseline
    weights: np.ndarray  # (K, m) 1 on the affected variables, minus the regression of their sum on the others
    deviations: np.ndarray  # (K,) standard deviation of the adjusted uplift
    two_beta: float

    def actions(self):
        return len(self.deviations), len(self.mu0), len(self.mu0)

    diagnostics, select = UCB.diagnostics, UCB.select

    def init(self, rng):
        return new_indices(len(self.deviations))

    def indices(self, state, t):
        return optimism(state, self.two_beta, self.deviations)

    def update(self, state, action, observation, t, rng):
        adjusted = adjusted_uplift(self.weights[action], self.mu0, observation.y)
        enter(state, action, adjusted, self.two_beta, self.deviations[action])
        return state


def upucb_bl_adjusted(affected, mu0, covariance, beta):
    r"""UpUCB (bl) on uplifts from which the noise is taken that the unaffected variables show; covariance known.

    With the baseline known, the noise of every variable that an action leaves alone is seen. The index is the mean of
    :math:`\sum_{i\in\mathcal V^a}(y(i)-\mu^0(i))` minus its regression on these residuals, plus
    :math:`s^a\sqrt{2\beta/N^a}`, where :math:`s^a` is the standard deviation that is left. No consistent policy can do
    with less for this covariance, by `bounds.known_covariance_lower`, but for a constant.

    Parameters
    ----------
    affected, mu0
        As in `upucb_bl`.
    covariance : array_like, shape (m, m) or (K, m, m)
        Of the noise, the same for all actions or one for each.
    beta : float > 0, exploration; log(1/δ') in `bounds.adjusted_upper`

    Examples
    --------
    Two variables that share nearly all their noise: one of them tells the noise of the other.

    >>> upucb_bl_adjusted([[0], [1]], [0, 0], [[1, 0.99], [0.99, 1]], 1.0).deviations.round(2).tolist()
    [0.14, 0.14]
    """
    mu0 = vector("mu0", mu0)
    return NoiseAdjusted(mu0, *noise_adjustment(sets(affected, len(mu0)), covariance), exploration(beta))


def noise_adjustment(affected, covariance):
    """Weights (K, m) of the payoffs in the adjusted uplift of every action, and its standard deviations (K,).

    Parameters
    ----------
    affected, covariance
        As in `upucb_bl_adjusted`.
    """
    if count_dimensions(covariance) != 3:
        covariance = table("covariance", covariance)
    is_table = isinstance(affected, np.ndarray) and affected.dtype == bool and affected.ndim == 2
    affected = sets(affected, np.shape(affected if is_table else covariance)[-1])
    covariance, weights = covariances(covariance, *affected.shape), affected.astype(float)
    for a, (row, inside, law) in enumerate(zip(weights, affected, covariance, strict=True)):
        if a == 0 or not np.array_equal(law, covariance[a - 1]):
            check_covariance(law)
        if not inside.all():
            others, sums = law[np.ix_(~inside, ~inside)], law[np.ix_(~inside, inside)].sum(axis=1)
            row[~inside] = -regression(others.tobytes(), sums.tobytes())
    variances = np.einsum("ki,kij,kj->k", weights, covariance, weights)
    return weights, np.sqrt(np.maximum(variances, 0.0))  # rounding may leave less than nothing


@functools.lru_cache(maxsize=128)  # most sliders ask for the same again
def regression(covariance, covariances):
    """Weights of variables of this covariance in the regression of another, from the bytes of both.

    By least squares: some may be constant, or tell the same.
    """
    sums = np.frombuffer(covariances)
    return np.linalg.lstsq(np.frombuffer(covariance).reshape(len(sums), -1), sums)[0]


class NoiseOptimal(NamedTuple):
    """UCB on the adjusted uplift, with a radius that grows with time: what `upucb_bl_optimal` returns."""

    mu0: np.ndarray  # (m,) expected payoffs of the baseline
    weights: np.ndarray  # (K, m) as of `NoiseAdjusted`
    deviations: np.ndarray  # (K,)

    actions, diagnostics, init = NoiseAdjusted.actions, NoiseAdjusted.diagnostics, NoiseAdjusted.init

    def select(self, state, t, rng):
        n = t + 1.0
        double = 2.0 * math.log(1.0 + n * math.log(n) * math.log(n))
        for a in range(len(self.deviations)):
            if state.pulls[a] > 0.0:
                radius = self.deviations[a] * math.sqrt(double / state.pulls[a])
                state.index[a] = state.sums[a] / state.pulls[a] + radius
        return place_of_largest(state.index)

    def update(self, state, action, observation, t, rng):
        state.pulls[action] += 1.0
        state.sums[action] += adjusted_uplift(self.weights[action], self.mu0, observation.y)
        return state


def upucb_bl_optimal(affected, mu0, covariance):
    r"""UpUCB (bl) on adjusted uplifts that attains the lower bound of Lemma 4 for normal payoffs of this covariance.

    The adjusted uplifts of an action are independent and normal with standard deviation :math:`s^a`, so that the index
    :math:`\bar x^a+s^a\sqrt{2\ln(1+t\ln^2 t)/N^a}` is that of an asymptotically optimal UCB: regret over
    :math:`\ln T` tends to :math:`\sum_a 2(s^a)^2/\Delta^a`, which is `bounds.known_covariance_lower`. It does so
    slowly: :math:`\ln(1+t\ln^2 t)` is 1.4 times :math:`\ln t` after a million rounds.

    Parameters
    ----------
    affected, mu0, covariance
        As in `upucb_bl_adjusted`.

    References
    ----------
    Lattimore, Szepesvári, Bandit Algorithms, 2020, Theorem 8.1, for the radius and the limit.

    Examples
    --------
    >>> from banditlab import simulate, uplifting
    >>> arms = uplifting.gaussian([[1, 0], [0, 0.5]], [0, 0], [[0], [1]], [[1.0], [1.0]], [0.01, 0.01])
    >>> policy = upucb_bl_optimal([[0], [1]], [0, 0], arms.covariance)
    >>> float(simulate(arms, policy, 1000, 20).final["regret"].mean())
    1.0
    """
    mu0 = vector("mu0", mu0)
    return NoiseOptimal(mu0, *noise_adjustment(sets(affected, len(mu0)), covariance))


class Moments(NamedTuple):
    """What is remembered of the affected sums and of the others' beside them."""

    pulls: np.ndarray  # (K,) N^a
    means: np.ndarray  # (K, 2)
    products: np.ndarray  # (K, 3) sums of squares and of products about the means: of the first, of both, of the second
    index: np.ndarray  # (K,) infinite before the third pull


class NoiseLearnt(NamedTuple):
    """UCB on the regressed uplift: what `upucb_bl_learnt` returns."""

    mu0: np.ndarray  # (m,) expected payoffs of the baseline
    inside: np.ndarray  # (K, m) whether an action affects a variable
    two_beta: float

    def actions(self):
        return len(self.inside), len(self.mu0), len(self.mu0)

    diagnostics, select = NoiseAdjusted.diagnostics, NoiseAdjusted.select

    def init(self, rng):
        K = len(self.inside)
        return Moments(np.zeros(K), np.zeros((K, 2)), np.zeros((K, 3)), np.full(K, np.inf))

    def update(self, state, action, observation, t, rng):
        own = others = 0.0
        for i in range(len(self.mu0)):
            if self.inside[action, i]:
                own += observation.y[i] - self.mu0[i]
            else:
                others += observation.y[i] - self.mu0[i]
        state.pulls[action] += 1.0
        n, mean, product = state.pulls[action], state.means[action], state.products[action]
        off_own, off_others = own - mean[0], others - mean[1]
        mean[0] += off_own / n
        mean[1] += off_others / n
        product[0] += off_own * (own - mean[0])
        product[1] += off_own * (others - mean[1])
        product[2] += off_others * (others - mean[1])
        if n > 2.0:
            state.index[action] = self.regressed(n, mean, product)
        return state

    def regressed(self, n, mean, product):
        """Mean without what the others tell, plus radius."""
        value, left, share, degrees = mean[0], product[0], 1.0 / n, n - 1.0
        if product[2] > 0.0:
            slope = product[1] / product[2]
            value -= slope * mean[1]
            left = max(0.0, left - slope * product[1])
            share += mean[1] * mean[1] / product[2]
            degrees -= 1.0
        return value + math.sqrt(left * share * math.expm1(min(self.two_beta / degrees, LARGEST)))


def upucb_bl_learnt(affected, mu0, beta):
    r"""UpUCB (bl) that learns from its own rounds what the unaffected variables tell about the noise.

    The index regresses the sum :math:`A` over the affected variables, less the baseline, on the sum :math:`B` over the
    others, whose mean is 0: :math:`\bar A-c\bar B+\sqrt{S(1/N+\bar B^2/S_{BB})(e^{2\beta/\nu}-1)}`, with the slope
    :math:`c=S_{AB}/S_{BB}`, the sum of squares :math:`S` that is left and :math:`\nu=N-2`. Under normal noise the
    mean is exceeded by Student's law, so that such an index is too small with a chance of :math:`e^{-\beta}` at most.

    Parameters
    ----------
    affected, mu0
        As in `upucb_bl`.
    beta : float > 0, exploration

    References
    ----------
    Verma, Hanawal, Stochastic multi-armed bandits with control variates, 2021, for the regression; Cowan, Honda,
    Katehakis, Normal bandits of unknown means and variances, 2018, for the radius.

    Examples
    --------
    Two variables that share all their noise: after three pulls of each action nothing is left of it.

    >>> from banditlab import simulate, uplifting
    >>> arms = uplifting.gaussian([[1, 0], [0, 0.5]], [0, 0], [[0], [1]], [[1.0], [1.0]], [0, 0])
    >>> float(simulate(arms, upucb_bl_learnt([[0], [1]], [0, 0], 3.0), 1000, 20).final["regret"].max())
    1.5
    """
    mu0 = vector("mu0", mu0)
    return NoiseLearnt(mu0, sets(affected, len(mu0)), exploration(beta))
