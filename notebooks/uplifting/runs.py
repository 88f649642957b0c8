"""What is played: one cell of a figure each, from plain numbers."""

import functools
from typing import NamedTuple

import numpy as np

from banditlab.analysis.record_run import record_run
from banditlab.analysis.trace import trace
from banditlab.engine.simulate import simulate
from banditlab.study.parameters import Size, bundle
from banditlab.uplifting import environments, policies
from banditlab.uplifting.environments.bernoulli import SIZES
from banditlab.uplifting.environments.campaigns import EVERY, RECORDS, THETA

from . import data, names, tuning
from .names import LCB, NAFF, NAFF_BL, SUMS, TS, UCB, UP, UP_BL, WITH_BONUS, WITH_EPSILON
from .tuning import tune

PEOPLE_L = max(SIZES)  # the largest cluster
PANELS = ("(a) Gaussian", "(b) Bernoulli, by clusters", "(b) Bernoulli, 100,000 variables")
PEOPLE_GRID = (2e-7, 5e-7, 2e-6, 1e-5)
LONG = {"Gaussian": tuning.GAUSSIAN_SIGMA2, "Bernoulli": tuning.BERNOULLI_GRID}


def paper(instance=0, reading="std80"):
    """One of the instances that stand for the paper's, which it does not give; seeds move the noise only."""
    return environments.paper_gaussian(instance, reading)


# Bandits of any size, for sliders


def scaled(gap, L, m, sigma, K, rho, seed):
    """An instance of this size, the best action ahead by exactly the gap.

    Lists are drawn that a slider cuts: another number of variables leaves all gaps as they are, one affected variable
    more adds its uplift to those before. If every size had an instance of its own, a step could show the opposite of a
    claim.
    """
    L, mu0 = min(L, m), np.random.default_rng([seed, 0]).random(m).round(3)
    affected, uplifts = np.zeros((K, m), bool), np.zeros((K, L))
    for a in range(K):
        affected[a, np.argsort(np.random.default_rng([seed, 1, a]).random(m))[:L]] = True
        uplifts[a] = np.subtract(*np.random.default_rng([seed, 2, a]).random((L, 2)).T).round(3)  # of two means
    order = np.argsort(uplifts.sum(axis=1))
    uplifts[order[-1]] += (uplifts[order[-2]].sum() + gap - uplifts[order[-1]].sum()) / L
    mu = np.tile(mu0, (K, 1))
    mu[affected] += uplifts.ravel()
    loadings, own = np.full((m, 1), sigma * np.sqrt(rho)), np.full(m, sigma * sigma * (1.0 - rho))
    return environments.gaussian(mu, mu0, affected, loadings, own)


@bundle(world=scaled, size=Size)
def regret(world, m, sigma, beta, given, size):
    """Policies that look at uplifts, and UCB and Thompson sampling, which look at the reward."""
    found = names.policies(world, dict.fromkeys((UCB, UP_BL, UP, NAFF_BL, NAFF), beta), min(given, m))
    noise = tuning.TABLE_3["Gaussian"][TS]  # for a standard deviation of 1
    found[TS] = names.policy(TS, world, noise * sigma**2)
    return size.simulate(world, found)


class Seen(NamedTuple):
    """A world, and what a policy remembers of it at some rounds."""

    world: object
    rounds: list
    states: list


@bundle(world=scaled)
def identified(world, m, beta, given, horizon, seed, progress=None):
    """UpUCB-nAff (bl) after the horizon."""
    policy = names.policy(NAFF_BL, world, beta, min(given, m))
    return Seen(world, [horizon], [record_run(world, policy, horizon, seed).state])


@bundle(world=scaled)
def uplifts(world, K, beta, horizon, seed, progress=None):
    """UpUCB (bl) as rounds go by."""
    rounds = np.unique(np.geomspace(2 * K, horizon, 25).astype(int))
    policy, states = names.policy(UP_BL, world, beta), []
    for k, t in enumerate(rounds):
        states.append(record_run(world, policy, int(t), seed).state)
        if progress is not None:
            progress((k + 1) / len(rounds))
    return Seen(world, rounds.tolist(), states)


@bundle(world=scaled, size=Size)
def ablation(world, beta, size):
    """Upper or lower confidence bound of the baseline."""
    return size.simulate(world, names.policies(world, {UP: beta, LCB: beta}))


@bundle(world=scaled, size=Size)
def misspecified(world, L, m, beta, given, size):
    """UpUCB-nAff (bl) told too small or too large an L."""
    L = min(L, m)
    told = sorted({max(1, L // 2), max(1, L - 2), L, min(m, L + L // 2 + 1), min(given, m)})
    return size.simulate(world, {f"L = {value}": names.policy(NAFF_BL, world, beta, value) for value in told})


# Figures 1 and 2


def around_a_pull(beta, seen, seed, progress=None):
    """Figure 1: UpUCB around the first pull of a worse action past round ten, and UpUCB-nAff (bl) with noise."""
    still, noisy = small_world(0.0), small_world(0.5)
    policy, rounds = names.policy(UP, still, beta), 10
    before, after = (record_run(still, policy, t, 0).state for t in (rounds, rounds + 1))
    while (after.pulls - before.pulls)[still.gaps == 0].any():
        rounds += 1
        before, after = after, record_run(still, policy, rounds + 1, 0).state
    last = record_run(noisy, names.policy(NAFF_BL, noisy, beta), seen, seed).state
    return Seen(still, [rounds, rounds + 1, seen], [before, after, last])


SMALL_BASE, SMALL_SETS = np.array([0.5, 0.4, 0.6, 0.3, 0.5]), [[1, 3], [2, 4], [3, 4]]
SMALL_UPLIFTS = np.array([[0.5, 0.4], [0.4, -0.1], [0.3, 0.2]])


def small_world(spread):
    """Three actions, five variables, two of them affected by each action, as in Figure 1; the means are ours."""
    mu = np.tile(SMALL_BASE, (3, 1))
    for row, members, uplift in zip(mu, SMALL_SETS, SMALL_UPLIFTS, strict=True):
        row[members] += uplift
    return environments.gaussian(mu, SMALL_BASE, SMALL_SETS, idiosyncratic=np.full(5, spread * spread))


def gaussian(size):
    """Figure 2 (a) at the parameters of Table 3."""
    world = paper()
    return size.simulate(world, names.policies(world, tuning.TABLE_3["Gaussian"]), 200)


@bundle(size=Size)
def clusters(beta_scale, size):
    """Figure 2 (b) at cluster level: the policies that need sums only."""
    world, tuned = environments.criteo_clusters(), tuning.TABLE_3["Bernoulli"]
    return size.simulate(world, names.policies(world, {name: tuned[name] * beta_scale for name in SUMS}))


def people(size):
    """Figure 2 (b) at the level of 100,000 variables: all six policies."""
    world = environments.criteo_individuals()
    return size.simulate(world, names.policies(world, tuning.TABLE_3["Bernoulli"], PEOPLE_L), 100)


@bundle(size=Size)
def figure_2(panel, size):
    """One panel of Figure 2."""
    return dict(zip(PANELS, (gaussian, lambda size: clusters(1.0, *size), people), strict=True))[panel](size)


@bundle(size=Size)
def affected(sizes, beta, size, instance=0):
    """UpUCB with and without the baseline at equal beta, with actions of these sizes."""
    world = unequal(instance, sizes)
    return size.simulate(world, names.policies(world, {UP_BL: beta, UP: beta}), 100)


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


@bundle(world=paper, size=Size)
def tuned(world, policy, betas, every, size, L=None):
    """The tuning protocol on the paper's Gaussian instance."""
    world, grid = needed(policy, world), grid_of(policy, "Gaussian", betas, every)
    return tune(world, lambda p: names.policy(policy, world, p, L), grid, *size)


CASES = {  # of Figure 3: policy and the L that it is given
    "UpUCB": (UP, None), LCB: (LCB, None),
    **{f"given L = {L}": (NAFF_BL, L) for L in (5, 8, 10, 15)},
}  # fmt: skip


@bundle(size=Size)
def figure_3(case, betas, every, size, instance=0, reading="std80"):
    """One curve of Figure 3: tuned as in Appendix D.1."""
    name, L = CASES[case]
    return tuned(policy=name, betas=betas, every=every, L=L, instance=instance, reading=reading, **size._asdict())


@bundle(size=Size)
def tuned_clusters(policy, beyond, every, size):
    """The tuning protocol on Bernoulli payoffs, by clusters, beyond the paper's grid if wanted."""
    world, grid = environments.criteo_clusters(), (*grid_of(policy, "Bernoulli", (), every), *beyond)
    return tune(world, lambda p: names.policy(policy, world, p), grid, *size)


@bundle(size=Size)
def tuned_people(policy, size):
    """Tuning of an nAff policy on 100,000 variables, with four values around the paper's."""
    world = environments.criteo_individuals()
    return tune(world, functools.partial(names.policy, policy, world, L=PEOPLE_L), PEOPLE_GRID, *size)


@bundle(world=paper, size=Size)
def locks(world, L, betas, size):
    """UpUCB-nAff (bl) told this L, with every beta."""
    return tune(world, lambda p: names.policy(NAFF_BL, world, p, L), betas, *size)


class Locking(NamedTuple):
    """The traces of a run in which the lower bound does worst."""

    world: object
    run: int
    traces: dict


def locking(beta, horizon, runs, seed, progress=None):
    """UpUCB and its ablation in that of so many runs in which the ablation has the largest regret."""
    world = needed(UP, paper())
    found = names.policies(world, {UP: beta, LCB: beta})
    run = int(np.argmax(simulate(world, {LCB: found[LCB]}, horizon, runs, seed, 1, progress=progress).regret[0, :, -1]))
    every = max(1, horizon // 500)
    return Locking(world, run, {name: trace(world, one, horizon, seed, run, every) for name, one in found.items()})


@bundle(world=paper)
def noiseless(world, beta, horizon, seed, progress=None):
    """UpUCB (bl) on the paper's instance without noise: the world and its final state."""
    still = environments.gaussian(world.mu, world.mu0, world.affected, idiosyncratic=np.zeros(len(world.mu0)))
    return Seen(still, [horizon], [record_run(still, names.policy(UP_BL, still, beta), horizon, seed).state])


# Least uplift known, offline baseline


@bundle(size=Size)
def ilift(beta, eliminating, size):
    """UpUCB-iLift where every individual uplift is at least 0.3: affected sets are learnt, then used."""
    world = environments.ilift_gaussian(0, eliminating)
    shown = (UCB, UP_BL, NAFF_BL, names.ILIFT_BL, names.NAIVE, names.ILIFT)
    return size.simulate(world, names.policies(world, dict.fromkeys(shown, beta)))


@bundle(world=paper, size=Size)
def offline(world, samples, beta, size):
    """UpUCB with a baseline estimated from so many samples beforehand, and UpUCB, which learns it."""
    rng, found = np.random.default_rng([size.seed, 5]), {}
    deviations = np.linalg.cholesky(world.covariance[0])
    for n in samples:  # the mean of n samples has the covariance of one over n
        estimate = world.mu0 + deviations @ rng.standard_normal(len(world.mu0)) / np.sqrt(n)
        found[f"{n:,} samples"] = policies.upucb_offline(world.affected, estimate, n, beta)
    found[UP] = names.policy(UP, world, beta)
    return size.simulate(world, found, 100)


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


def figure_4(mode, people, rounds, runs, seed, progress=None, instance=None):
    """Figure 4 in one feedback mode, at the parameters of Table 3, on the people of a source or on a sample of them."""
    pool = data.read_once(*people) if instance is None else data.draw_again(instance, *people)
    parameters = line_up(tuning.TABLE_3[mode])
    return run_campaign(pool, mode, parameters, rounds, runs, seed, progress)


def learners(mode, instance, people, rounds, runs, seed, progress=None):
    """C2UpUCB and ε-greedy alone, with and without the baseline, at the parameters of Table 3."""
    parameters = {name: tuning.TABLE_3[mode][name] for name in (*WITH_EPSILON, names.C2_BL, names.C2)}
    return run_campaign(data.draw_again(instance, *people), mode, parameters, rounds, runs, seed, progress)


def equal_epsilons(mode, instance, people, rounds, runs, seed, progress=None):
    """ε-greedy with and without the baseline, both with the ε that Table 3 has for the one that knows it."""
    parameters = dict.fromkeys(WITH_EPSILON, tuning.TABLE_3[mode][names.EPS_BL])
    return run_campaign(data.draw_again(instance, *people), mode, parameters, rounds, runs, seed, progress)


def tuned_campaign(mode, policy, people, rounds, runs, seed, progress=None):
    """The tuning protocol for one policy of the campaign, on predicted-uplift regret."""
    world = environments.campaign(data.read_once(*people), mode)
    grid = tuning.EPSILONS if policy in WITH_EPSILON else tuning.BONUSES
    return tune(world, lambda p: names.target(policy, world, p), grid, rounds, runs, seed, progress)


@bundle(size=Size)
def linear(treatments, size):
    """Linear payoffs (Section 8) with one or with two treatments."""
    world = environments.linear_campaign(THETA[: treatments + 1])
    m, d, _, budget = world.actions()[:4]
    many = functools.partial(policies.c2upucb_m, m, d, treatments, budget)
    found = {
        names.EPS: policies.epsilon_greedy(m, d, budget, 0.1, treatments=treatments),
        names.C2UCB: policies.c2ucb(m, d, budget, treatments=treatments), names.MANY_BL: many(baseline=THETA[0]),
        names.GREEDY: many(bonus=0.0), names.MANY: many(), names.MANY_5: many(penalty=float(budget), norm=1.0),
    }  # fmt: skip
    return size.simulate(world, found, 100)
