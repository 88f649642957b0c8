"""What is played: one cell of a figure each, from plain numbers."""

import functools
from typing import NamedTuple

import numpy as np

from ...recording import play
from ...simulation import simulate
from ...traces import trace
from ...tuning import tune
from .. import data, environments, policies, tuning
from ..environments.bernoulli import SIZES
from ..environments.campaigns import EVERY, RECORDS, THETA
from . import names
from .names import LCB, NAFF, NAFF_BL, SUMS, TS, UCB, UP, UP_BL, WITH_BONUS, WITH_EPSILON

PEOPLE_L = max(SIZES)  # the largest cluster
PANELS = ("(a) Gaussian", "(b) Bernoulli, by clusters", "(b) Bernoulli, 100,000 variables")
PEOPLE_GRID = (2e-7, 5e-7, 2e-6, 1e-5)
LONG = {"Gaussian": tuning.GAUSSIAN_SIGMA2, "Bernoulli": tuning.BERNOULLI_GRID}


# Bandits of any size, for sliders


def scaled(gap, L, m, sigma, K, rho, seed):
    """An instance of this size."""
    return environments.scaled_gaussian(seed, K, m, min(L, m), gap, sigma, rho)


def regret(gap, L, m, sigma, K, rho, beta, given, horizon, runs, seed, progress=None):
    """Policies that look at uplifts, and UCB and Thompson sampling, which look at the reward."""
    world = scaled(gap, L, m, sigma, K, rho, seed)
    found = names.policies(world, dict.fromkeys((UCB, UP_BL, UP, NAFF_BL, NAFF), beta), min(given, m))
    noise = tuning.TABLE_3["Gaussian"][TS]  # for a standard deviation of 1
    found[TS] = names.policy(TS, world, noise * sigma**2)
    return simulate(world, found, horizon, runs, seed, progress=progress)


class Seen(NamedTuple):
    """A world, and what a policy remembers of it at some rounds."""

    world: object
    rounds: list
    states: list


def identified(gap, L, m, sigma, K, rho, beta, given, horizon, seed, progress=None):
    """UpUCB-nAff (bl) after the horizon."""
    world = scaled(gap, L, m, sigma, K, rho, seed)
    policy = names.policy(NAFF_BL, world, beta, min(given, m))
    return Seen(world, [horizon], [play(world, policy, horizon, seed).state])


def uplifts(gap, L, m, sigma, K, rho, beta, horizon, seed, progress=None):
    """UpUCB (bl) as rounds go by."""
    world, rounds = scaled(gap, L, m, sigma, K, rho, seed), np.unique(np.geomspace(2 * K, horizon, 25).astype(int))
    policy, states = names.policy(UP_BL, world, beta), []
    for k, t in enumerate(rounds):
        states.append(play(world, policy, int(t), seed).state)
        if progress is not None:
            progress((k + 1) / len(rounds))
    return Seen(world, rounds.tolist(), states)


def ablation(gap, L, m, sigma, K, rho, beta, horizon, runs, seed, progress=None):
    """Upper or lower confidence bound of the baseline."""
    world = scaled(gap, L, m, sigma, K, rho, seed)
    return simulate(world, names.policies(world, {UP: beta, LCB: beta}), horizon, runs, seed, progress=progress)


def misspecified(gap, L, m, sigma, K, rho, beta, given, horizon, runs, seed, progress=None):
    """UpUCB-nAff (bl) told too small or too large an L."""
    L = min(L, m)
    world = scaled(gap, L, m, sigma, K, rho, seed)
    told = sorted({max(1, L // 2), max(1, L - 2), L, min(m, L + L // 2 + 1), min(given, m)})
    found = {f"L = {value}": names.policy(NAFF_BL, world, beta, value) for value in told}
    return simulate(world, found, horizon, runs, seed, progress=progress)


# Figures 1 and 2


def around_a_pull(beta, seen, seed, progress=None):
    """Figure 1: UpUCB around the first pull of a worse action past round ten, and UpUCB-nAff (bl) with noise."""
    still, noisy = small_world(0.0), small_world(0.5)
    policy, rounds = names.policy(UP, still, beta), 10
    before, after = (play(still, policy, t, 0).state for t in (rounds, rounds + 1))
    while (after.pulls - before.pulls)[still.gaps == 0].any():
        rounds += 1
        before, after = after, play(still, policy, rounds + 1, 0).state
    last = play(noisy, names.policy(NAFF_BL, noisy, beta), seen, seed).state
    return Seen(still, [rounds, rounds + 1, seen], [before, after, last])


SMALL_BASE, SMALL_SETS = np.array([0.5, 0.4, 0.6, 0.3, 0.5]), [[1, 3], [2, 4], [3, 4]]
SMALL_UPLIFTS = np.array([[0.5, 0.4], [0.4, -0.1], [0.3, 0.2]])


def small_world(spread):
    """Three actions, five variables, two of them affected by each action, as in Figure 1; the means are ours."""
    mu = np.tile(SMALL_BASE, (3, 1))
    for row, members, uplift in zip(mu, SMALL_SETS, SMALL_UPLIFTS, strict=True):
        row[members] += uplift
    return environments.gaussian(mu, SMALL_BASE, SMALL_SETS, idiosyncratic=np.full(5, spread * spread))


def gaussian(horizon, runs, seed, progress=None):
    """Figure 2 (a) at the parameters of Table 3."""
    world = environments.paper_gaussian(seed)
    found = names.policies(world, tuning.TABLE_3["Gaussian"])
    return simulate(world, found, horizon, runs, seed, 200, progress=progress)


def clusters(beta_scale, horizon, runs, seed, progress=None):
    """Figure 2 (b) at cluster level: the policies that need sums only."""
    world, tuned = environments.criteo_clusters(), tuning.TABLE_3["Bernoulli"]
    found = names.policies(world, {name: tuned[name] * beta_scale for name in SUMS})
    return simulate(world, found, horizon, runs, seed, progress=progress)


def people(horizon, runs, seed, progress=None):
    """Figure 2 (b) at the level of 100,000 variables: all six policies."""
    world = environments.criteo_individuals()
    found = names.policies(world, tuning.TABLE_3["Bernoulli"], PEOPLE_L)
    return simulate(world, found, horizon, runs, seed, 100, progress=progress)


def figure_2(panel, horizon, runs, seed, progress=None):
    """One panel of Figure 2."""
    made = dict(zip(PANELS, (gaussian, functools.partial(clusters, 1.0), people), strict=True))[panel]
    return made(horizon, runs, seed, progress)


def affected(sizes, beta, horizon, runs, seed, progress=None):
    """UpUCB with and without the baseline at equal beta, with actions of these sizes."""
    world = unequal(seed, sizes)
    return simulate(world, names.policies(world, {UP_BL: beta, UP: beta}), horizon, runs, seed, 100, progress=progress)


def unequal(seed, sizes):
    """An instance of the paper's size with gaps 0, 0.2, 0.7, 1, 1.5 ..., whatever the sizes of its affected sets."""
    rng = np.random.default_rng(seed)
    gaps = np.array([0.0, 0.2, 0.7, 1.0, 1.5, 2.0, 2.2, 2.5, 3.0, 5.0])
    inside = np.zeros((10, 100), bool)
    for a, size in enumerate(sizes):
        inside[a, rng.choice(100, size, replace=False)] = True
    mu0 = rng.random(100)
    mu = np.where(inside, mu0 + ((3.0 - gaps) / inside.sum(axis=1))[:, None], mu0)
    paper = environments.paper_gaussian(seed)
    return environments.gaussian(mu, mu0, inside, paper.loadings[0, :, :-1].T, paper.scale[0] ** 2)


# Tuning: Figure 3 and Table 3


def grid_of(name, setting, betas, every):
    """The paper's grid, or a part of it that holds the printed value."""
    part = betas if setting == "Gaussian" and name != TS else LONG[setting][every > 1 :: every]
    printed = tuning.TABLE_3[setting].get(name)
    return tuple(sorted({*part} | ({printed} - {None})))


def needed(policy, world):
    """The bandit, of which this policy is shown no more than it looks at: a round then draws fewer normals."""
    if policy in (UCB, TS):
        return environments.summed(world, np.zeros(len(world.mu0)))
    return environments.summed(world) if policy in (UP_BL, UP, LCB) else world


def tuned(policy, betas, every, horizon, runs, seed, L=None, reading="std80", progress=None):
    """The tuning protocol on the paper's Gaussian instance."""
    world, grid = environments.paper_gaussian(seed, reading), grid_of(policy, "Gaussian", betas, every)
    world = needed(policy, world)
    return tune(world, lambda p: names.policy(policy, world, p, L), grid, horizon, runs, seed, progress)


CASES = {  # of Figure 3: policy and the L that it is given
    "UpUCB": (UP, None), LCB: (LCB, None),
    **{f"given L = {L}": (NAFF_BL, L) for L in (5, 8, 10, 15)},
}  # fmt: skip


def figure_3(case, betas, every, horizon, runs, seed, progress=None):
    """One curve of Figure 3: tuned as in Appendix D.1."""
    name, L = CASES[case]
    return tuned(name, betas, every, horizon, runs, seed, L, progress=progress)


def tuned_clusters(policy, beyond, every, horizon, runs, seed, progress=None):
    """The tuning protocol on Bernoulli payoffs, by clusters, beyond the paper's grid if wanted."""
    world, grid = environments.criteo_clusters(), (*grid_of(policy, "Bernoulli", (), every), *beyond)
    return tune(world, lambda p: names.policy(policy, world, p), grid, horizon, runs, seed, progress)


def tuned_people(policy, horizon, runs, seed, progress=None):
    """Tuning of an nAff policy on 100,000 variables, with four values around the paper's."""
    world = environments.criteo_individuals()
    make = functools.partial(names.policy, policy, world, L=PEOPLE_L)
    return tune(world, make, PEOPLE_GRID, horizon, runs, seed, progress)


def locks(L, betas, horizon, runs, seed, progress=None):
    """UpUCB-nAff (bl) told this L, with every beta."""
    world = environments.paper_gaussian(seed)
    return tune(world, lambda p: names.policy(NAFF_BL, world, p, L), betas, horizon, runs, seed, progress)


class Locking(NamedTuple):
    """The traces of a run in which the lower bound does worst."""

    world: object
    run: int
    traces: dict


def locking(beta, horizon, runs, seed, progress=None):
    """UpUCB and its ablation in that of so many runs in which the ablation has the largest regret."""
    world = needed(UP, environments.paper_gaussian(seed))
    found = names.policies(world, {UP: beta, LCB: beta})
    run = int(np.argmax(simulate(world, {LCB: found[LCB]}, horizon, runs, seed, 1, progress=progress).regret[0, :, -1]))
    every = max(1, horizon // 500)
    return Locking(world, run, {name: trace(world, one, horizon, seed, run, every) for name, one in found.items()})


def noiseless(beta, horizon, seed, progress=None):
    """UpUCB (bl) on the paper's instance without noise: the world and its final state."""
    world = environments.paper_gaussian(seed)
    still = environments.gaussian(world.mu, world.mu0, world.affected, idiosyncratic=np.zeros(len(world.mu0)))
    return Seen(still, [horizon], [play(still, names.policy(UP_BL, still, beta), horizon, seed).state])


# Least uplift known, offline baseline


def ilift(beta, eliminating, horizon, runs, seed, progress=None):
    """UpUCB-iLift where every individual uplift is at least 0.3: affected sets are learnt, then used."""
    world = environments.ilift_gaussian(seed, eliminating)
    shown = (UCB, UP_BL, NAFF_BL, names.ILIFT_BL, names.NAIVE, names.ILIFT)
    return simulate(world, names.policies(world, dict.fromkeys(shown, beta)), horizon, runs, seed, progress=progress)


def offline(samples, beta, horizon, runs, seed, progress=None):
    """UpUCB with a baseline estimated from so many samples beforehand, and UpUCB, which learns it."""
    world, found = environments.paper_gaussian(seed), {}
    rng = np.random.default_rng([seed, 5])
    deviations = np.linalg.cholesky(world.covariance[0])
    for n in samples:  # the mean of n samples has the covariance of one over n
        estimate = world.mu0 + deviations @ rng.standard_normal(len(world.mu0)) / np.sqrt(n)
        found[f"{n:,} samples"] = policies.upucb_offline(world.affected, estimate, n, beta)
    found[UP] = names.policy(UP, world, beta)
    return simulate(world, found, horizon, runs, seed, 100, progress=progress)


# Campaigns and linear payoffs


def line_up(parameters):
    """Parameters of all policies of Figure 4: those given, and greedy and random choices."""
    return {names.GREEDY_BL: None, **parameters, names.RANDOM: 1.0}


def run_campaign(pool, mode, parameters, rounds, runs, seed, progress=None):
    """A campaign in one feedback mode; the environment's records end after 1,000 rounds."""
    world = environments.campaign(pool, mode)
    found = {name: names.target(name, world, parameter) for name, parameter in parameters.items()}
    if rounds % EVERY or rounds > EVERY * RECORDS:
        raise ValueError(f"rounds={rounds}: must be a multiple of {EVERY}, at most {EVERY * RECORDS}")
    return simulate(world, found, rounds, runs, seed, rounds, progress=progress)


def campaign(mode, bonus, epsilon, rounds, runs, seed, progress=None):
    """Figure 4 with these parameters, on the people of today."""
    parameters = line_up(dict.fromkeys(WITH_EPSILON, epsilon) | dict.fromkeys(WITH_BONUS, bonus))
    return run_campaign(data.pool(), mode, parameters, rounds, runs, seed, progress)


def figure_4(mode, people, rounds, runs, seed, progress=None):
    """Figure 4 in one feedback mode, at the parameters of Table 3; `people` is the source of the pool."""
    parameters = line_up(tuning.TABLE_3[mode])
    return run_campaign(data.read_once(*people), mode, parameters, rounds, runs, seed, progress)


def equal_epsilons(mode, people, rounds, runs, seed, progress=None):
    """ε-greedy with and without the baseline, both with the ε that Table 3 has for the one that knows it."""
    given = tuning.TABLE_3[mode]
    if given[names.EPS] == given[names.EPS_BL]:
        return figure_4(mode, people, rounds, runs, seed, progress)
    parameters = dict.fromkeys(WITH_EPSILON, given[names.EPS_BL])
    return run_campaign(data.read_once(*people), mode, parameters, rounds, runs, seed, progress)


def tuned_campaign(mode, policy, people, rounds, runs, seed, progress=None):
    """The tuning protocol for one policy of the campaign, on predicted-uplift regret."""
    world = environments.campaign(data.read_once(*people), mode)
    grid = tuning.EPSILONS if policy in WITH_EPSILON else tuning.BONUSES
    return tune(world, lambda p: names.target(policy, world, p), grid, rounds, runs, seed, progress)


def linear(treatments, horizon, runs, seed, progress=None):
    """Linear payoffs (Section 8) with one or with two treatments."""
    world = environments.linear_campaign(THETA[: treatments + 1])
    m, d, _, budget = world.actions()[:4]
    many = functools.partial(policies.c2upucb_m, m, d, treatments, budget)
    found = {
        names.EPS: policies.epsilon_greedy(m, d, budget, 0.1, treatments=treatments),
        names.C2UCB: policies.c2ucb(m, d, budget, treatments=treatments), names.MANY_BL: many(baseline=THETA[0]),
        names.GREEDY: many(bonus=0.0), names.MANY: many(), names.MANY_5: many(penalty=float(budget), norm=1.0),
    }  # fmt: skip
    return simulate(world, found, horizon, runs, seed, 100, progress=progress)
