"""UpUCB (bl) that subtracts what the unaffected variables tell about the noise, which the paper leaves to others."""

from typing import NamedTuple

import numpy as np

from ...building_blocks.indices import place_of_largest
from ...validate import count_dimensions, table, vector
from ..arguments import covariances, exploration, sets
from ..environments.gaussian import factors
from .ucb_thompson import enter, optimism, unplayed

__all__ = ["noise_adjustment", "upucb_bl_adjusted"]


class NoiseAdjusted(NamedTuple):
    """UCB on the adjusted uplift: what `upucb_bl_adjusted` returns."""

    mu0: np.ndarray  # (m,) expected payoffs of the baseline
    weights: np.ndarray  # (K, m) 1 on the affected variables, minus the regression of their sum on the others
    deviations: np.ndarray  # (K,) standard deviation of the adjusted uplift
    two_beta: float

    def actions(self):
        return len(self.deviations), len(self.mu0), len(self.mu0)

    def diagnostics(self, world, state):
        return {"pulls": state.pulls}

    def init(self, rng):
        return unplayed(len(self.deviations))

    def select(self, state, t, rng):
        return place_of_largest(state.index)

    def indices(self, state, t):
        return optimism(state, self.two_beta, self.deviations)

    def update(self, state, action, observation, t, rng):
        adjusted = 0.0
        for i in range(len(self.mu0)):
            adjusted += self.weights[action, i] * (observation.y[i] - self.mu0[i])
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
    affected = sets(affected, len(mu0))
    weights, deviations = noise_adjustment(affected, covariance)
    return NoiseAdjusted(mu0, weights, deviations, exploration(beta))


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
            factors(law)  # refuses what is no covariance
        if not inside.all():  # least squares: some of the others may be constant, or tell the same
            row[~inside] = -np.linalg.lstsq(law[np.ix_(~inside, ~inside)], law[np.ix_(~inside, inside)].sum(axis=1))[0]
    variances = np.einsum("ki,kij,kj->k", weights, covariance, weights)
    return weights, np.sqrt(np.maximum(variances, 0.0))  # rounding may leave less than nothing
