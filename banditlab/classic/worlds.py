"""Arms whose law never changes."""

from typing import NamedTuple

import numpy as np

from ..validate import is_real, number, probabilities, vector

__all__ = ["Bernoulli", "Beta", "Gaussian", "bernoulli", "beta", "gaussian"]

VALUES = 1024  # into how many equally likely values a beta law is cut


class Bernoulli(NamedTuple):
    """Independent arms with Bernoulli rewards: what `bernoulli` returns.

    A step draws one uniform whatever the arm, so all policies meet the same world.
    """

    means: np.ndarray  # (arms,) success probabilities
    gaps: np.ndarray  # (arms,) best mean minus mean

    def actions(self):
        return len(self.means)

    def reset(self, rng):
        return 0

    def step(self, world, action, t, rng):
        return 1.0 if rng.random() < self.means[action] else 0.0

    def regret(self, world, action, t):
        return self.gaps[action]


def bernoulli(means):
    """Arms with Bernoulli rewards.

    Parameters
    ----------
    means : array_like, shape (arms,)
        Success probabilities, in [0, 1].

    Returns
    -------
    Bernoulli
        The environment.

    Examples
    --------
    >>> bernoulli([0.2, 0.7]).gaps
    array([0.5, 0. ])
    """
    means = probabilities("means", means)
    return Bernoulli(means, means.max() - means)


class Gaussian(NamedTuple):
    """Independent arms with normal rewards: what `gaussian` returns. A step draws one normal whatever the arm."""

    means: np.ndarray  # (arms,)
    sigma: np.ndarray  # (arms,) standard deviations
    gaps: np.ndarray  # (arms,) best mean minus mean

    actions, reset, regret = Bernoulli.actions, Bernoulli.reset, Bernoulli.regret

    def step(self, world, action, t, rng):
        return self.means[action] + self.sigma[action] * rng.standard_normal()


def gaussian(means, sigma=1.0):
    """Arms with normal rewards.

    Parameters
    ----------
    means : array_like, shape (arms,)
        Expected rewards.
    sigma : float or array_like, shape (arms,)
        Standard deviations, at least 0.

    Returns
    -------
    Gaussian
        The environment.

    Examples
    --------
    >>> gaussian([0.5, 0.0], sigma=[1.0, 0.2]).sigma
    array([1. , 0.2])
    """
    means = vector("means", means)
    if is_real(sigma):
        sigma = np.full(len(means), number("sigma", sigma, least=0))
    return Gaussian(means, vector("sigma", sigma, least=0, size=len(means)), means.max() - means)


class Beta(NamedTuple):
    """Independent arms with beta rewards: what `beta` returns. A step draws one uniform whatever the arm."""

    values: np.ndarray  # (arms, values) equally likely rewards, ascending
    gaps: np.ndarray  # (arms,) best mean minus mean

    def actions(self):
        return len(self.gaps)

    reset, regret = Bernoulli.reset, Bernoulli.regret

    def step(self, world, action, t, rng):
        return self.values[action, int(self.values.shape[1] * rng.random())]


def beta(means, concentration=2.0):
    r"""Arms with rewards from :math:`\mathrm{Beta}(c\mu,c(1-\mu))`, cut into 1024 equally likely values.

    A value is the mean of its 1024th part of the law, so that expected rewards are exact; an arm takes 8 kB.

    Parameters
    ----------
    means : array_like, shape (arms,)
        Expected rewards, in (0, 1).
    concentration : float
        Sum c of both parameters, from 0.01 to 1e11, beyond which the means are off: 2 at mean 1/2 is the uniform law,
        small is nearly Bernoulli, large is nearly constant; the variance is :math:`\mu(1-\mu)/(c+1)`.

    Returns
    -------
    Beta
        The environment.

    Examples
    --------
    >>> beta([0.5, 0.25]).values.mean(axis=1).round(12)
    array([0.5 , 0.25])
    """
    from scipy.special import betainc, betaincinv  # slow to import

    means = vector("means", means)
    means = np.array([number(f"means[{i}]", mean, above=0, below=1) for i, mean in enumerate(means.tolist())])
    first = (concentration := number("concentration", concentration, least=1e-2, most=1e11)) * means[:, None]
    second = concentration - first
    edges = betaincinv(first, second, np.linspace(0.0, 1.0, VALUES + 1))
    values = VALUES * means[:, None] * np.diff(betainc(first + 1.0, second, edges))  # E[X; X below x], in steps
    values = np.maximum.accumulate(np.clip(values, edges[:, :-1], edges[:, 1:]), axis=1)  # against rounding
    return Beta(np.ascontiguousarray(values), means.max() - means)
