"""What the figures that are ours play: results beyond the paper, most of them without simulation."""

import functools
import math

import numpy as np

from banditlab.analysis.record_run import record_run
from banditlab.engine.simulate import split_progress
from banditlab.evidence import mean
from banditlab.factored import bounds
from banditlab.factored.environments import gaussian, rademacher
from banditlab.factored.policies import ftrack, fucb, rucb_mom, tea, together_fucb, ucb1
from banditlab.study.parameters import Size, bundle

from . import ftrack_law, minimax
from .runs import READINGS, TENFOLD, on_products, one_gap, packing, two_options

MULTIPLES, COMPONENTS = tuple(range(1, 21)), tuple(range(1, 31))
TOGETHER = "F-UCB, exploring together"


@bundle(size=Size)
def component(gap, sigma, alpha, size):
    """F-UCB's regret in a single component of two options, which in k = 2 alike components each of them has."""
    rounds = np.unique(np.geomspace(1, size.horizon, 500).astype(int)).tolist()
    return size.simulate(two_options(gap, 1, sigma), {"F-UCB": fucb([2], sigma, alpha)}, rounds)


def fucb_regret(alone, gap, d):
    """F-UCB's expected regret in d alike components, estimated from one of them.

    A component's choices depend on its own observations and on the round only, so components are independent: with
    q_t the probability that one of them is on its bad option, E R_T = sum_t 1 - (1 - gap q_t)^d. The share q_t is
    taken as constant between checkpoints, of which the first hundred are single rounds.
    """
    lengths = np.diff(alone.checkpoints, prepend=0)
    pulls = np.diff(alone.of_policy("F-UCB"), axis=1, prepend=0.0) / gap  # (runs, checkpoints)
    share = pulls.mean(axis=0) / lengths
    value = np.sum(lengths * (1 - (1 - gap * share) ** d))
    slope = d * gap * (1 - gap * share) ** (d - 1)  # what one pull more costs: the error comes from the runs
    return mean(value + (pulls - pulls.mean(axis=0)) @ slope)


@bundle(size=Size)
def who_wins(gap, d, n0_mult, sigma, alpha, size):
    """Regret of F-Track over that of F-UCB, by multiple of N0 (at d) and by d (at one multiple); F-Track's exactly."""
    alone, horizon = component(gap, sigma, alpha, *size), size.horizon
    ours = {m: fucb_regret(alone, gap, m).value for m in {d, *COMPONENTS}}
    by_multiple = [ftrack_law.ftrack_regret(gap, d, sigma, horizon, m) / ours[d] for m in MULTIPLES]
    by_d = [ftrack_law.ftrack_regret(gap, m, sigma, horizon, n0_mult) / ours[m] for m in COMPONENTS]
    return np.array(by_multiple), np.array(by_d)


def best_warmup(gap, d, sigma, horizon):
    """The number of warm-up samples that makes F-Track's expected regret least, and that regret; exact.

    Found on a grid of doublings, then by halving between the neighbours of its best: the regret falls while samples
    still find out the worse options, and rises by what each of them costs.
    """
    regret = functools.cache(functools.partial(ftrack_law.ftrack_regret_at, gap, d, sigma, horizon))
    top = min(horizon // 4, 4 + round(64 * sigma**2 * math.log(horizon) / gap**2))
    coarse = np.unique(np.geomspace(1, top, 2 + round(math.log2(top))).astype(int)).tolist()
    place = coarse.index(min(coarse, key=regret))
    low, high = coarse[max(0, place - 1)], coarse[min(len(coarse) - 1, place + 1)]
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if regret(middle) <= regret(middle + 1) else (middle + 1, high)
    return low, regret(low)


def asymptotics(horizon, gap, d, sigma, seed, progress=None):
    """F-Track's expected regret over C(nu) log T under every reading of N0, and with the best one; exact."""
    floor = bounds.lower_bound_constant(one_gap(d, 2, gap), sigma) * math.log(horizon)
    best, least = best_warmup(gap, d, sigma, horizon)
    found = {
        name: ftrack_law.ftrack_regret(gap, d, sigma, horizon, one.get("n0_mult", 1)) / floor
        for name, one in READINGS.items()
    }
    return {**found, "best N₀": least / floor}, best


@bundle(size=Size)
def reward_only(d, k, sigma, alpha, size):
    """Policies that see the reward only, told its proxy sigma^d, and F-UCB, where one vector among k^d has a mean."""
    arms = [k] * d
    makers = dict(UCB1=lambda: ucb1(arms, sigma**d, alpha),
                  Robust_UCB=lambda: rucb_mom(arms, sigma, variance=sigma ** (2 * d)))  # fmt: skip
    policies = {
        "F-UCB": fucb(arms, sigma, alpha),
        **on_products(d, k, **makers),
        "TEA": tea(arms, noise_scale=sigma**d),
    }
    return size.simulate(rademacher(minimax.hidden_vector(arms, sigma, size.horizon), sigma), policies, 1)


@bundle(world=two_options, size=Size)
def coordination(world, d, sigma, alpha, size):
    """How many components are on their bad option at once: rounds by policy, run and number, and regret."""
    arms, horizon, runs, found = [2] * d, size.horizon, size.runs, {}
    policies = {"F-UCB": fucb(arms, sigma, alpha), TOGETHER: together_fucb(arms, sigma, alpha)}
    if 2 * bounds.ftrack_constants(horizon, sigma, **READINGS[TENFOLD]).n0 <= horizon:
        policies[TENFOLD] = ftrack(arms, sigma, horizon, **READINGS[TENFOLD])
    for (name, policy), part in zip(policies.items(), size.split(len(policies)), strict=True):
        counts, regret = np.zeros((runs, d + 1), np.int64), np.zeros(runs)
        for run in range(runs):
            one = record_run(world, policy, horizon, size.seed, run)
            counts[run] = np.bincount((one.actions != 0).sum(axis=1), minlength=d + 1)
            regret[run] = one.regret[-1]
            if part.progress:
                part.progress((run + 1) / runs)
        found[name] = counts, regret
    return found


@bundle(packed=packing)
def packed_runs(packed, sigma, alpha, horizon, seed, progress=None):
    """Figure 1 as it is played, one run a policy: vectors (n, d), rounds (n,) and costs (n,) by name, costliest first.

    Without the vector of best options; first what Theorem 3.4 prescribes, in rounds at this horizon.
    """
    means, lengths, slices = packed
    (d, k), world = means.shape, gaussian(means, sigma)
    arms = [k] * d
    policies = {"F-UCB": fucb(arms, sigma, alpha), TOGETHER: together_fucb(arms, sigma, alpha)}
    if k * bounds.ftrack_constants(horizon, sigma, **READINGS[TENFOLD]).n0 <= horizon:
        policies[TENFOLD] = ftrack(arms, sigma, horizon, **READINGS[TENFOLD])
    found = {"Theorem 3.4": (slices, lengths * math.log(horizon))}
    for (name, policy), report in zip(policies.items(), split_progress(progress, len(policies)), strict=True):
        vectors, rounds = np.unique(record_run(world, policy, horizon, seed).actions, axis=0, return_counts=True)
        bad = (vectors != 0).any(axis=1)  # option 0 is the best
        found[name] = vectors[bad], rounds[bad]
        if report:
            report(1.0)
    return {name: costliest_first(means, *one) for name, one in found.items()}


def costliest_first(means, vectors, rounds):
    """Vectors, their rounds, and what each of them costs a round, by falling cost."""
    costs = 1.0 - means[np.arange(len(means)), vectors].prod(axis=1)
    order = np.argsort(-costs, kind="stable")
    return vectors[order], rounds[order], costs[order]


def at_once(counts):
    """Bad options per round with at least one of them, run by run: 1 is one at a time, d is all together."""
    bad = np.arange(counts.shape[1])
    return counts @ bad, counts[:, 1:].sum(axis=1)
