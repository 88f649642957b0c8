"""Normal payoffs; the noise of an action has a covariance with a few factors, the same for all actions or its own."""

from typing import NamedTuple

import numpy as np

from ...validate import count_dimensions, listed, table, vector
from ..arguments import alike, sets

__all__ = ["gaussian", "summed"]


class Observation(NamedTuple):
    """What a policy gets to see; the array is overwritten in the next round."""

    y: np.ndarray  # (m,) payoffs of the variables
    reward: float  # their sum


class World(NamedTuple):
    """The payoffs and the common factors of a round."""

    y: np.ndarray  # (m,)
    factors: np.ndarray  # (r,)


class Gaussian(NamedTuple):
    """Payoffs with factor-structured normal noise: what `gaussian` returns.

    A step draws m + r normals whatever the action, so all policies meet the same world.
    """

    mu: np.ndarray  # (K, m) expected payoffs
    mu0: np.ndarray  # (m,) of the baseline
    affected: np.ndarray  # (K, m) bool
    loadings: np.ndarray  # (K, r, m + 1) of the action's common factors, and in the last column their sum
    scale: np.ndarray  # (K, m) standard deviation of what is a variable's own
    gaps: np.ndarray  # (K,) best expected reward minus that of the action
    best: float  # largest expected reward
    sizes: np.ndarray  # (m,) how many variables each payoff shown is the sum of

    @property
    def rewards(self):
        return self.best - self.gaps

    @property
    def covariance(self):
        """Covariance of the noise of every action, (K, m, m)."""
        loadings, own = self.loadings[:, :, :-1], self.scale[:, :, None] * np.eye(len(self.mu0))
        return np.einsum("kri,krj->kij", loadings, loadings) + own * own

    def actions(self):
        return len(self.mu), len(self.mu0), int(self.sizes.sum())

    def reset(self, rng):
        return World(np.zeros(len(self.mu0)), np.zeros(self.loadings.shape[1]))

    def step(self, world, action, t, rng):
        mu, scale, loadings, y, factors = self.mu, self.scale, self.loadings, world.y, world.factors
        reward = 0.0
        for k in range(len(factors)):
            factors[k] = rng.standard_normal()
            reward += loadings[action, k, len(y)] * factors[k]
        for i in range(len(y)):
            y[i] = mu[action, i] + scale[action, i] * rng.standard_normal()
            reward += y[i]
        for k in range(len(factors)):
            for i in range(len(y)):
                y[i] += loadings[action, k, i] * factors[k]
        return Observation(y, reward)

    def regret(self, world, action, t):
        return self.gaps[action]


def gaussian(mu, mu0, affected, loadings=None, idiosyncratic=None, covariance=None):
    r"""A :math:`(K,m)`-uplifting bandit with normal noise :math:`\mathrm{diag}(d)^{1/2}e+Az`.

    The noise is the same law for all actions, or one for each; then any two actions must agree on the variables that
    neither of them affects, as both have the law of the baseline there.

    Parameters
    ----------
    mu : array_like, shape (K, m)
        Expected payoffs; outside the affected set of an action they must be those of the baseline.
    mu0 : array_like, shape (m,)
        Expected payoffs of the baseline, which cannot be played.
    affected : list of K lists of int, or array of bool, shape (K, m)
        The variables that each action affects, from 0; no set is empty.
    loadings : array_like, shape (m, r) or (K, m, r), optional
        A: how each variable's noise depends on r common factors; without it all noise is a variable's own.
    idiosyncratic : array_like, shape (m,) or (K, m), optional
        d: variance of the noise that is a variable's own, at least 0; by default what the loadings leave of variance 1.
    covariance : array_like, shape (m, m) or (K, m, m), optional
        Covariance of the noise, instead of the two; a draw then costs up to m factors.

    References
    ----------
    Hsieh, Kasiviswanathan, Kveton, Uplifting Bandits, NeurIPS 2022, Sections 2 and 7.

    Examples
    --------
    >>> gaussian([[0.9, 0.2, 0.1], [0.4, 0.5, 0.1]], [0.4, 0.2, 0.1], [[0], [1]]).gaps
    array([0. , 0.2])
    """
    mu0 = vector("mu0", mu0)
    affected = sets(affected, len(mu0))
    mu = table("mu", mu, affected.shape)
    moved = (mu != mu0) & ~affected
    if moved.any():
        a, i = map(int, np.argwhere(moved)[0])
        raise ValueError(f"mu[{a}][{i}]={mu[a, i]}: action {a} does not affect variable {i}, must be mu0[{i}]={mu0[i]}")
    A, variance = noises(affected, loadings, idiosyncratic, covariance)
    rewards = mu.sum(axis=1)
    gaps = (rewards.max() - rewards).round(12) + 0.0
    columns = np.ascontiguousarray(np.concatenate([A, A.sum(axis=1, keepdims=True)], axis=1).transpose(0, 2, 1))
    return Gaussian(mu, mu0, affected, columns, np.sqrt(variance), gaps, float(rewards.max()), np.ones(len(mu0)))


def summed(world, groups=None):
    r"""The same bandit, of which a round shows sums over groups of variables only.

    For policies that look at nothing else: UCB and Thompson sampling at the total, UpUCB and its variants at variables
    that the same actions affect; pass them ``sizes=environment.sizes``. With the noise
    :math:`\mathrm{diag}(d)^{1/2}e+Az` the sum over a group is
    :math:`\sum_i\mu^a(i)+\sum_k(\sum_iA_{ik})z_k+\sum_id_i^{1/2}e_i`. Groups share no variable, so that the last
    terms are independent normals of variance :math:`\sum_id_i`, independent of z: a round draws one of them for each
    group, and its sums have exactly the law of those of the bandit given, with other draws.

    Parameters
    ----------
    world : Gaussian, as `gaussian` returns it
    groups : array_like of int, shape (m,), optional
        Number of the group of each variable; by default variables are together that the same actions affect. An action
        affects a group if it affects one of its variables.

    Examples
    --------
    >>> world = gaussian([[0.9, 0.8, 0.1], [0.4, 0.5, 0.3]], [0.4, 0.5, 0.1], [[0, 1], [2]])
    >>> summed(world).sizes, summed(world).mu0
    (array([1., 2.]), array([0.1, 0.9]))
    """
    if not isinstance(world, Gaussian):
        raise TypeError(f"world={type(world).__name__}: must be a bandit as gaussian returns it")
    m = len(world.mu0)
    if groups is None:
        groups = alike(world.affected)[1]
    groups = vector("groups", groups, size=m)
    parts = [np.flatnonzero(groups == g) for g in np.unique(groups)]

    def sums(values):
        return np.stack([values[..., part].sum(axis=-1) for part in parts], axis=-1)

    A, own = world.loadings[:, :, :-1], world.scale * world.scale
    columns = np.concatenate([sums(A), A.sum(axis=2, keepdims=True)], axis=2)
    affected = sums(world.affected) > 0
    mu, mu0, scale = sums(world.mu), sums(world.mu0), np.sqrt(sums(own))
    return Gaussian(mu, mu0, affected, columns, scale, world.gaps, world.best, sums(world.sizes))


def noises(affected, loadings, idiosyncratic, covariance):
    """Loadings (K, m, r) and own variances (K, m) of the noise of every action."""
    (K, m), given = affected.shape, (loadings, idiosyncratic, covariance)
    own = [count_dimensions(values) == depth for values, depth in zip(given, (3, 2, 3), strict=True)]
    for name, values, several in zip(("loadings", "idiosyncratic", "covariance"), given, own, strict=True):
        if several and len(table(name, values) if name == "idiosyncratic" else listed(name, values)) != K:
            raise ValueError(f"{name} has {len(values)} laws: must be one law, or one for each of {K} actions")
    if not any(own):
        A, variance = noise(m, *given)
        return np.repeat(A[None], K, axis=0), np.repeat(variance[None], K, axis=0)
    laws = [noise(m, *(v[a] if several else v for v, several in zip(given, own, strict=True))) for a in range(K)]
    r = max(A.shape[1] for A, _ in laws)
    A = np.array([np.pad(A, ((0, 0), (0, r - A.shape[1]))) for A, _ in laws])
    variance = np.array([variance for _, variance in laws])
    agree(affected, A @ A.transpose(0, 2, 1) + variance[:, :, None] * np.eye(m))
    return A, variance


def agree(affected, covariance):
    """Refuse laws of two actions that differ on variables that neither of them affects."""
    tiny = 1e-9 * covariance.max()
    for b in range(len(covariance)):
        for a in range(b):
            alike = ~(affected[a] | affected[b])
            if not np.allclose(*(covariance[k][np.ix_(alike, alike)] for k in (a, b)), rtol=0, atol=tiny):
                raise ValueError(f"noise of actions {a} and {b}: must agree on the variables that neither affects")


def noise(variables, loadings, idiosyncratic, covariance):
    """Loadings (m, r) and own variances (m,) of the noise."""
    if covariance is not None:
        if loadings is not None or idiosyncratic is not None:
            raise ValueError("covariance: must not be given together with loadings or idiosyncratic")
        return factors(table("covariance", covariance, (variables, variables)))
    loadings = np.zeros((variables, 0)) if loadings is None else table("loadings", loadings, (variables, None))
    if idiosyncratic is not None:
        return loadings, vector("idiosyncratic", idiosyncratic, least=0.0, size=variables)
    own = 1.0 - (loadings * loadings).sum(axis=1)
    if (own < -1e-12).any():
        i = int(np.argmin(own))
        raise ValueError(f"loadings[{i}]={loadings[i].tolist()}: must have length at most 1, or give idiosyncratic")
    return loadings, np.maximum(own, 0.0)


def factors(covariance):
    """A covariance as its smallest eigenvalue times the identity, plus factors for the rest."""
    check_covariance(covariance)
    values, vectors = np.linalg.eigh(covariance)
    least = max(values[0], 0.0)
    used = values - least > 1e-9 * max(values[-1], 1e-300)
    return np.ascontiguousarray(vectors[:, used] * np.sqrt(values[used] - least)), np.full(len(values), least)


def check_covariance(covariance):
    """Refuse what is no covariance."""
    if not np.allclose(covariance, covariance.T, rtol=0, atol=1e-9 * np.abs(covariance).max()):
        raise ValueError("covariance: must be symmetric")
    values = np.linalg.eigvalsh(covariance)
    if values[0] < -1e-9 * max(values[-1], 1e-300):
        raise ValueError(f"covariance: must be positive semi-definite, but its smallest eigenvalue is {values[0]:.3g}")
