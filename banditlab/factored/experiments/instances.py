"""The instances and sweeps that the figures share."""

import dataclasses

import numpy as np

from ...simulation import per_run, simulate, split_progress
from ..environments import correlated, gaussian
from ..policies import ftrack, fucb, rucb_mom, tea, ucb1

VECTORS = 5_000  # a product space larger than this leaves a live figure
PRINTED, TENFOLD = "F-Track, N₀ as printed", "F-Track, N₀ × 10"
STYLES = {"F-UCB": 0, "UCB1": 1, "Robust-UCB": 2, "TEA": 3, PRINTED: 1, TENFOLD: 2}


def one_gap(d, k, gap):
    """Means of d alike components: one option at 1, the k - 1 others at 1 - gap."""
    return [[1.0] + [1.0 - gap] * (k - 1)] * d


def uniform_instance(seed, d, k, low, sigma):
    """A fresh Gaussian instance with means uniform on [low, 1] (Figure 3)."""
    return gaussian(np.random.default_rng(seed).uniform(low, 1.0, (d, k)), sigma)


def fresh_instances(d, k, low, sigma):
    """A `uniform_instance` for every run, the same for all policies."""
    return per_run(uniform_instance, d=d, k=k, low=low, sigma=sigma)


def noisy_second(d, gap, sigma, rho):
    """Appendix E.3: option 1 has mean 1 and no noise, option 2 has mean 1 - gap and correlated noise."""
    return correlated([[1.0, 1.0 - gap]] * d, [[0.0, sigma]] * d, rho)


def four_policies(d, k, sigma, alpha):
    """The policies of Figure 3; those on the product space only where it can be run."""
    arms = [k] * d
    policies = {"F-UCB": fucb(arms, sigma, alpha)}
    if k**d <= VECTORS:
        policies |= {"UCB1": ucb1(arms, sigma, alpha), "Robust-UCB": rucb_mom(arms, sigma)}
    return policies | {"TEA": tea(arms)}


def too_large(d, k):
    """The sentence that stands in for the policies that are left out."""
    if k**d <= VECTORS:
        return ""
    return f" The product space has {k**d:,} vectors: policies that learn each of them are left out."


def fitting(arms, sigma, horizon, multiples):
    """F-Track under the readings of N0 whose warm-up fits into the horizon."""
    names = {1: PRINTED, 10: TENFOLD}
    policies = {}
    for m in dict.fromkeys(multiples):
        try:
            policies[names.get(m, f"F-Track, N₀ × {m}")] = ftrack(arms, sigma, horizon, n0_mult=m)
        except ValueError as error:
            if "warm-up" not in str(error):
                raise
    return policies


def against_horizon(environment, arms, sigma, horizons, runs, seed, alpha=4.0, multiples=(1, 10), progress=None):
    """F-UCB in one run, F-Track made anew for every horizon: a result assembled from these, whose checkpoints are the
    horizons.

    F-Track at a horizon shorter than its warm-up has no regret to show: nan.
    """
    steps = split_progress(progress, 1 + len(horizons))
    first = simulate(
        environment, {"F-UCB": fucb(arms, sigma, alpha)}, horizons[-1], runs, seed, len(horizons), progress=steps[0]
    )
    names = list(fitting(arms, sigma, horizons[-1], multiples))
    regret = np.full((1 + len(names), runs, len(horizons)), np.nan)
    regret[0] = first.regret[0]
    for h, horizon in enumerate(horizons):
        policies = fitting(arms, sigma, int(horizon), multiples)
        if policies:
            last = simulate(environment, policies, int(horizon), runs, seed, 1, progress=steps[1 + h])
            for name in last.policies:
                regret[1 + names.index(name), :, h] = last.of_policy(name)[:, 0]
    if not names:
        return first
    both = {**first.settings["policies"], **last.settings["policies"]}
    settings = {**first.settings, "policies": both}
    tallies = {key: np.vstack([np.full((1, runs), np.nan), table]) for key, table in last.tallies.items()}
    return dataclasses.replace(
        last, settings=settings, checkpoints=np.asarray(horizons), regret=regret, tallies=tallies
    )


def wrong_share(result, name):
    """Share of F-Track's runs that settled for a wrong vector (the best one is number 0 in these instances)."""
    return float((result.tallies["settled"][result.policies.index(name)] != 0).mean())
