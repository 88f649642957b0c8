"""Bernoulli payoffs in clusters, from the tables of Appendix D.2: cluster by cluster, or variable by variable."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...building_blocks.order_statistics import first_above
from ...validate import number, probabilities, vector
from ..arguments import sets
from .gaussian import Observation

__all__ = ["bernoulli", "criteo_clusters", "criteo_individuals"]

SIZES, UNTREATED, TREATED, UPLIFTS = np.loadtxt(Path(__file__).with_name("criteo_clusters.txt"), unpack=True)
TAIL = 1e-15  # of a binomial law on either side: what a uniform of 53 bits can hardly tell


def rates(share=1.0):
    """Sizes of this share, untreated and treated rates: moved within their rounding they give the printed uplifts."""
    p0 = np.maximum(0.0, UNTREATED + (TREATED - UNTREATED - UPLIFTS / SIZES) / 2.0)
    kept = np.maximum(1.0, np.round(SIZES * number("share", share, above=0, most=1)))
    return kept, p0, p0 + UPLIFTS / SIZES


class Clusters(NamedTuple):
    """Sums of Bernoulli payoffs over clusters: what `criteo_clusters` returns.

    A step draws one uniform for every cluster and reads its binomial law's quantile, so all policies meet the same
    world, treated or not.
    """

    laws: np.ndarray  # (2, K, width) distribution function of a cluster's sum, from its least value on
    least: np.ndarray  # (2, K) int64
    mu0: np.ndarray  # (K,) expected sums of the untreated clusters
    sizes: np.ndarray  # (K,) variables of each cluster
    affected: np.ndarray  # (K, K) bool: each action treats one cluster
    gaps: np.ndarray  # (K,)
    best: float  # largest expected reward

    @property
    def rewards(self):
        return self.best - self.gaps

    def actions(self):
        return len(self.gaps), len(self.gaps), int(self.sizes.sum())

    def reset(self, rng):
        return np.zeros(len(self.gaps))

    def step(self, world, action, t, rng):
        laws, least = self.laws, self.least
        reward = 0.0
        for g in range(len(world)):
            treated = 1 if g == action else 0
            world[g] = least[treated, g] + first_above(laws[treated, g], 0, laws.shape[2] - 1, rng.random())
            reward += world[g]
        return Observation(world, reward)

    def regret(self, world, action, t):
        return self.gaps[action]


def binomial_laws(sizes, rates):
    """Distribution functions (2, K, width) for rates (2, K), and their least values (2, K)."""
    from scipy.special import bdtr  # slow to import

    rows, least = [], []
    for n, p in zip(np.tile(sizes, 2), rates.ravel(), strict=True):
        spread = 9.0 * np.sqrt(n * p * (1 - p)) + 12.0
        values = np.arange(max(0, int(n * p - spread)), min(int(n), int(n * p + spread) + 12) + 1)
        law = bdtr(values, int(n), p)
        first = int(np.searchsorted(law, TAIL))
        rows.append(law[first:])
        least.append(int(values[first]))
    width = max(map(len, rows))
    laws = np.array([np.pad(row, (0, width - len(row)), constant_values=1.0) for row in rows])
    return laws.reshape(*rates.shape, width), np.reshape(least, rates.shape)


def criteo_clusters(share=1.0):
    r"""The Bernoulli bandit of Section 7 at cluster level: 20 actions, each treats one cluster of 100,000 people.

    Exact for policies that need sums over affected sets only (UCB, Thompson sampling, UpUCB and its variants): pass
    them ``sizes=environment.sizes``. Rates are the printed ones, moved within their rounding so that every uplift is
    the printed one.

    Parameters
    ----------
    share : float > 0 and <= 1, of every cluster to keep; less is a smaller bandit for trying out

    Returns
    -------
    Clusters
        The environment; a payoff shown is the sum of a cluster.

    References
    ----------
    Hsieh, Kasiviswanathan, Kveton, Uplifting Bandits, NeurIPS 2022, Section 7, Appendix D.2.

    Examples
    --------
    >>> world = criteo_clusters()
    >>> world.gaps.sum().round(1).item(), np.sort(world.gaps)[1].round(1).item()
    (2091.1, 27.8)
    """
    sizes, p0, p1 = rates(share)
    laws, least = binomial_laws(sizes, np.array([p0, p1]))
    uplift = sizes * (p1 - p0)
    affected = np.eye(len(sizes), dtype=bool)
    best = float((sizes * p0).sum() + uplift.max())
    return Clusters(laws, least, sizes * p0, sizes, affected, uplift.max() - uplift, best)


class Individuals(NamedTuple):
    """Independent Bernoulli payoffs: what `bernoulli` and `criteo_individuals` return.

    A step draws one uniform for every variable whatever the action, so all policies meet the same world.
    """

    rates: np.ndarray  # (2, m) untreated and treated
    action_of: np.ndarray  # (m,) the action that treats the variable, -1 for none
    mu0: np.ndarray  # (m,) the untreated rates
    gaps: np.ndarray  # (K,)
    best: float  # largest expected reward

    rewards, regret = Clusters.rewards, Clusters.regret

    def actions(self):
        return len(self.gaps), len(self.mu0), len(self.mu0)

    @property
    def affected(self):
        return self.action_of == np.arange(len(self.gaps))[:, None]

    def reset(self, rng):
        return np.zeros(len(self.mu0))

    def step(self, world, action, t, rng):
        rates, action_of = self.rates, self.action_of
        reward = 0.0
        for i in range(len(world)):
            treated = 1 if action_of[i] == action else 0
            world[i] = 1.0 if rng.random() < rates[treated, i] else 0.0
            reward += world[i]
        return Observation(world, reward)


def criteo_individuals(share=1.0):
    """The Bernoulli bandit of Section 7 at the level of its 100,000 variables, for policies that need every payoff.

    Variables are sorted by cluster.

    Parameters
    ----------
    share : float > 0 and <= 1, of every cluster to keep

    References
    ----------
    Uplifting Bandits, Section 7, Appendix D.2.

    Examples
    --------
    >>> criteo_individuals(0.01).actions()
    (20, 1001, 1001)
    """
    sizes, p0, p1 = rates(share)
    sizes = sizes.astype(int)
    return independent(np.repeat(p0, sizes), np.repeat(p1, sizes), np.repeat(np.arange(len(sizes)), sizes), len(sizes))


def independent(untreated, treated, action_of, arms):
    """The environment of these rates; every variable is treated by one action at most."""
    uplift = np.bincount(action_of[action_of >= 0], (treated - untreated)[action_of >= 0], arms)
    gaps = (uplift.max() - uplift).round(12) + 0.0
    best = float(untreated.sum() + uplift.max())
    return Individuals(np.array([untreated, treated]), action_of.astype(np.int64), untreated.copy(), gaps, best)


def bernoulli(untreated, treated, affected):
    """Independent Bernoulli payoffs, every variable treated by one action at most.

    Parameters
    ----------
    untreated, treated : array_like, shape (m,)
        Success probabilities without and with treatment, in [0, 1].
    affected : list of K lists of int, or array of bool, shape (K, m)
        The variables that each action treats, from 0; disjoint, none is empty.

    References
    ----------
    Uplifting Bandits, Section 7.

    Examples
    --------
    >>> bernoulli([0.1, 0.2, 0.3], [0.5, 0.2, 0.4], [[0], [2]]).gaps
    array([0. , 0.3])
    """
    untreated = probabilities("untreated", untreated)
    treated = vector("treated", treated, least=0.0, most=1.0, size=len(untreated))
    affected = sets(affected, len(untreated))
    if (affected.sum(axis=0) > 1).any():
        i = int(np.argmax(affected.sum(axis=0)))
        raise ValueError(f"affected: variable {i} is in several sets; they must be disjoint")
    action_of = np.where(affected.any(axis=0), affected.argmax(axis=0), -1)
    return independent(untreated, treated, action_of, len(affected))
