"""Instances of the Gaussian uplifting bandit: the paper's size, the iLift conditions, and freely scaled ones."""

import functools

import numpy as np

from ...validate import choice, flag, how_many, number, whole
from .gaussian import gaussian

__all__ = ["ilift_gaussian", "paper_gaussian", "scaled_gaussian"]

READINGS = ("std80", "var80")


def equicorrelated(variables, rho, sigma=1.0):
    """Loadings (m, 1) and own variances (m,) of noise with standard deviation sigma and correlation rho."""
    return np.full((variables, 1), sigma * np.sqrt(rho)), np.full(variables, sigma * sigma * (1.0 - rho))


def three_factors(rng, variables, total=80.0, common=0.4):
    """Loadings (m, 3) whose rows have squared length 0.4, such that the sum of all variables has this variance."""
    rows = rng.standard_normal((variables, 3))
    rows -= rows.mean(axis=0)

    def loadings(shift):
        moved = rows + shift
        return moved * np.sqrt(common / (moved * moved).sum(axis=1, keepdims=True))

    low, high = 0.0, 10.0
    for _ in range(100):
        middle = (low + high) / 2
        spread = (1.0 - common) * variables + (loadings(middle).sum(axis=0) ** 2).sum()
        low, high = (middle, high) if spread < total else (low, middle)
    return loadings(low), np.full(variables, 1.0 - common)


def draw(rng, arms, variables, sizes, most=None):
    """Baseline, affected sets and means to three decimals; no variable is in more than `most` sets."""
    mu0, affected, uses = rng.random(variables).round(3), np.zeros((arms, variables), bool), np.zeros(variables, int)
    for a in range(arms):
        free = np.flatnonzero(uses < (most or arms))
        members = rng.choice(free, sizes[a], replace=False)
        affected[a, members] = True
        uses[members] += 1
    mu = np.where(affected, rng.random((arms, variables)).round(3), mu0)
    return mu0, affected, mu


def paper_gaussian(seed=0, reading="std80"):
    r"""An instance as Section 7 describes it: K = 10, m = 100, 10 affected variables each, :math:`\Delta\approx0.2`.

    The paper gives neither means nor sets nor the covariance. Here means are uniform on [0, 1], sets are uniform, and
    the draw is repeated until the smallest gap is in [0.19, 0.21] and the next in [0.5, 1].

    Parameters
    ----------
    seed : int >= 0, of the draw
    reading : {"std80", "var80"}
        "Variance of the total noise around 80": as printed (``var80``, three factors), or meant as the standard
        deviation (``std80``, equal correlation 0.636), the one under which the tuned parameters of Table 3 make sense.

    References
    ----------
    Uplifting Bandits, Section 7.

    Examples
    --------
    >>> world = paper_gaussian()
    >>> world.mu.shape, bool(0.19 <= np.sort(world.gaps)[1] <= 0.21)
    ((10, 100), True)
    """
    return gaussian(*section_7(whole("seed", seed, 0), choice("reading", reading, READINGS)))


@functools.lru_cache(maxsize=64)
def section_7(seed, reading):
    """Means, baseline, affected sets, noise: `gaussian` copies them; figures and claims ask for the same again."""
    rng = np.random.default_rng(seed)
    while True:
        mu0, affected, mu = draw(rng, 10, 100, [10] * 10)
        rewards = np.sort(mu.sum(axis=1))[::-1]
        if 0.19 <= rewards[0] - rewards[1] <= 0.21 and 0.5 <= rewards[0] - rewards[2] <= 1.0:
            break
    rho = (80.0**2 - 100) / (100 * 99)
    return mu, mu0, affected, *(equicorrelated(100, rho) if reading == "std80" else three_factors(rng, 100))


def scaled_gaussian(seed, arms, variables, size, gap, sigma=1.0, rho=0.6):
    """An instance of any size: the best action leads by exactly the gap, the others follow as they are drawn.

    Parameters
    ----------
    seed : int >= 0, of the draw
    arms : int >= 2, number of actions K
    variables : int >= 1, number of payoffs m
    size : int from 1 to m, how many variables each action affects
    gap : float > 0, distance of the two best expected rewards
    sigma : float > 0, standard deviation of a variable's noise
    rho : float from 0 to 1, correlation of any two variables' noise
    """
    rng, arms = np.random.default_rng(whole("seed", seed, 0)), how_many("arms", arms, 64, 2)
    variables = how_many("variables", variables, 64 * arms)
    size, gap = whole("size", size, 1, variables), number("gap", gap, above=0)
    sigma, rho = number("sigma", sigma, above=0), number("rho", rho, least=0, most=1)
    mu0, affected, mu = draw(rng, arms, variables, [size] * arms)
    order = np.argsort(mu.sum(axis=1))
    best, second = order[-1], order[-2]
    mu[best, affected[best]] += (mu[second].sum() + gap - mu[best].sum()) / size
    return gaussian(mu, mu0, affected, *equicorrelated(variables, rho, sigma))


def ilift_gaussian(seed=0, eliminating=False, delta_up=0.3):
    r"""An instance whose individual uplifts, and their differences between actions, are at least :math:`\Delta_{up}`.

    Parameters
    ----------
    seed : int >= 0, of the draw
    eliminating : bool
        Five actions on 12 variables with independent noise and a gap so large that the first phase of UpUCB-iLift
        drops actions; else the paper's size with three common factors, where it never does.
    delta_up : float > 0 and <= 0.3, least individual uplift

    References
    ----------
    Uplifting Bandits, Section 6.2, Assumption 1.
    """
    seed, least = whole("seed", seed, 0), number("delta_up", delta_up, above=0, most=0.3)
    return gaussian(*assumption_1(seed, flag("eliminating", eliminating), least))


@functools.lru_cache(maxsize=64)
def assumption_1(seed, eliminating, least):
    """As `section_7`, of `ilift_gaussian`."""
    rng, (arms, variables, size) = np.random.default_rng(seed), (5, 12, 4) if eliminating else (10, 100, 10)
    while True:
        mu0, affected, mu = distinct(rng, arms, variables, size, least)
        gaps = np.sort(mu.sum(axis=1).max() - mu.sum(axis=1))
        if (gaps[-1] >= 2.2 and gaps[1] > 0) if eliminating else (0.19 <= gaps[1] <= 0.21 and 0.5 <= gaps[2] <= 1.0):
            break
    return mu, mu0, affected, *((None, None) if eliminating else three_factors(rng, variables))


def distinct(rng, arms, variables, size, least):
    """Sets in which no variable is more than twice, and means in [0, 1] that are all at least so far apart."""
    while True:
        try:
            mu0, affected, mu = draw(rng, arms, variables, [size] * arms, most=2)
            break
        except ValueError:  # too few variables were left for the last sets
            continue
    for n in (1, 2, 3):  # the baseline and the actions that affect the variable
        rows = np.flatnonzero(affected.sum(axis=0) == n - 1)
        spread = np.sort(rng.random((len(rows), n)), axis=1) * (1.0 - least * (n - 1))
        values = rng.permuted(spread.round(3) + least * np.arange(n), axis=1)
        mu0[rows] = values[:, 0]
        for row, value in zip(rows, values, strict=True):
            mu[:, row] = value[0]
            mu[affected[:, row], row] = value[1:]
    return mu0, affected, mu
