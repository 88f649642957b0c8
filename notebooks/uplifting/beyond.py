"""What is played beyond the paper: noise told by the others, Table 3 in one unit, effects outside the known sets."""

import numpy as np
import pandas as pd

from banditlab.engine.simulate import simulate, split_progress
from banditlab.study.parameters import Size, bundle
from banditlab.uplifting import environments, policies
from banditlab.uplifting.environments.bernoulli import rates
from banditlab.uplifting.policies.noise_adjusted import NoiseAdjusted, noise_adjustment

from . import names, tuning
from .names import ADJUSTED, LEARNT, OPTIMAL, OWN_WIDTH, TS, UCB, UP, UP_BL
from .runs import paper, scaled


def own_width(world, beta):
    """UpUCB (bl) whose radius is that of the noise of the affected sum, not of as many variables."""
    inside, covariance = world.affected.astype(float), world.covariance
    deviations = np.sqrt(np.einsum("ki,kij,kj->k", inside, covariance, inside))
    return NoiseAdjusted(world.mu0, inside, deviations, 2.0 * beta)


def told(world, worst, beta, size):
    """UpUCB (bl) with the paper's radius, its own width, and adjusted by what others tell: known, learnt, optimal."""
    found = {
        UP_BL: names.policy(UP_BL, world, worst),
        OWN_WIDTH: own_width(world, beta),
        **names.policies(world, {ADJUSTED: beta, LEARNT: beta, OPTIMAL: None}),
    }
    return size.simulate(world, found, 100)


@bundle(world=scaled, size=Size)
def told_scaled(world, beta, size):
    """All of them on an instance of any size."""
    return told(world, beta, beta, size)


@bundle(world=paper, size=Size)
def told_paper(world, beta, size):
    """All of them on the paper's instance; UpUCB (bl) at Table 3's beta."""
    return told(world, tuning.TABLE_3["Gaussian"][UP_BL], beta, size)


def deviations(world):
    """Standard deviation of the affected sums, and of what is left once the other variables are known: (2, K)."""
    return np.array([own_width(world, 1.0).deviations, noise_adjustment(world.affected, world.covariance)[1]])


def gain(rho, share, m):
    """Variance of the sum of L = share m equally correlated variables over what is left of it given the others."""
    L = np.maximum(1.0, np.round(share * m))
    n = m - L
    own = L * (1.0 - rho) + L * L * rho
    left = L * (1.0 - rho) + L * L * rho * (1.0 - rho) / (1.0 - rho + n * rho)
    return own / left


def gains(m, seed, progress=None):
    """The gain over correlation and share of affected variables."""
    rho, share = np.linspace(0.0, 0.99, 34), np.linspace(0.02, 1.0, 50)
    return pd.DataFrame([[gain(r, s, m) for s in share] for r in rho], index=rho.round(2), columns=share.round(2))


def one_unit(spread, seed, progress=None):
    """Table 3's parameters over the variance of the noise that their policy averages, both in squared radii.

    A radius of UCB stands for m variables, one of UpUCB (bl) and UpUCB for the affected ones: the unit is
    the variance of the total over m squared, or of the affected sum over L squared. `spread` is the standard deviation
    of the Gaussian total, whose noise is equally correlated.
    """
    m, L, table = 100, 10, tuning.TABLE_3
    rho = (spread * spread - m) / (m * (m - 1))
    sizes, p0, p1 = rates()
    best = int(np.argmax(sizes * (p1 - p0)))
    rows = []
    for setting, total, affected in (
        ("Gaussian", spread**2 / m**2, (L + L * (L - 1) * rho) / L**2),
        ("Bernoulli", (sizes * p0 * (1 - p0)).sum() / sizes.sum() ** 2, p1[best] * (1 - p1[best]) / sizes[best]),
    ):
        for name, unit in ((UCB, total), (TS, total), (UP_BL, affected), (UP, affected)):
            rows.append((setting, name, table[setting][name], unit, table[setting][name] / unit))
    return pd.DataFrame(rows, columns=["setting", "policy", "parameter", "unit", "in units"])


@bundle(size=Size)
def outside(effect, beta, size, instance=0):
    """UpUCB (bl) where the second best action has an effect outside its set: told the set, or told all."""
    world = environments.scaled_gaussian(instance, 4, 30, 3, 0.5, 0.5, 0.0)
    told_best, second = np.argsort(world.gaps, kind="stable")[:2]
    spot = int(np.flatnonzero(~world.affected.any(axis=0))[0])
    mu, sets = world.mu.copy(), world.affected.copy()
    mu[second, spot] += effect
    sets[second, spot] = True
    true = environments.gaussian(mu, world.mu0, sets, world.loadings[0, :, :-1].T, world.scale[0] ** 2)
    found = {
        "told the sets without it": policies.upucb_bl(world.affected, world.mu0, beta),
        "told all": policies.upucb_bl(sets, world.mu0, beta),
    }
    return size.simulate(true, found, 100)


def slope(result):
    """What the action that looks best without the effect loses in a round."""
    world, blind = result.settings["environment"], result.settings["policies"]["told the sets without it"]
    inside = np.zeros(world.affected.shape, bool)
    for a, members in enumerate(blind.members):
        inside[a, members[members >= 0]] = True
    seen = ((world.mu - world.mu0) * inside).sum(axis=1)
    return float(world.gaps[np.argmax(seen)])


def slopes(result):
    """Regret a round in the second half of a policy told the sets without the effect, run by run."""
    regret, rounds = result.of_policy("told the sets without it"), result.checkpoints
    half = int(np.searchsorted(rounds, rounds[-1] / 2))
    return (regret[:, -1] - regret[:, half]) / (rounds[-1] - rounds[half])


def on_many_people(people, features):
    """Five actions, each of which moves those of so many people with one feature; theta without an action."""
    rng = np.random.default_rng([0, 8])
    theta = np.tile(rng.random(features), (6, 1))
    theta[np.arange(1, 6), 2 * np.arange(5)] += np.linspace(0.1, 0.5, 5)
    return environments.linear_actions(theta, people, active=1, noise=0.5, rho=0.5), theta[0]


def of_everybody(theta0, people):
    """A learner of what everybody pays above the baseline; its radius counts all of them."""
    return policies.upucb_bl_linear(theta0, 5, people, bonus=0.5 * people, everybody=True)


@bundle(size=Size)
def few_actions(people, size):
    """Section 8: a learner of the total reward, and one that sums what an action adds to those it affects, two here."""
    world, theta0 = on_many_people(people, people // 2)
    affected = policies.upucb_bl_linear(theta0, 5, people, bonus=0.5 * 2)
    return size.simulate(world, {names.LINEAR_BL: affected, names.LINEAR_ALL: of_everybody(theta0, people)}, 100)


@bundle(size=Size)
def total_reward(people, size):
    """The learner of the total reward alone; 20 features, however many people."""
    world, theta0 = on_many_people(people, 20)
    return size.simulate(world, {names.LINEAR_ALL: of_everybody(theta0, people)}, 100)


SHOWN_ARMS = (2, 5, 20)


def priced(L, best, beta, horizon, seed, progress=None):
    """UpUCB's regret over UpUCB (bl)'s without noise, and both regrets, by number of actions: a row each."""
    rows = []
    for K, part in zip(SHOWN_ARMS, split_progress(progress, len(SHOWN_ARMS)), strict=True):
        world = disjoint(K, L, best)
        made = names.policies(world, {UP: beta, UP_BL: beta})
        result = simulate(world, made, horizon, 1, seed, 1, progress=part)
        rows.append((K, *(float(result.final_regret(name)[0]) for name in (UP, UP_BL))))
    return pd.DataFrame(rows, columns=["K", UP, UP_BL])


def disjoint(K, L, best, gap=1.0):
    """An instance without noise: disjoint sets of L variables, of `best` for the best action, gaps of 1."""
    sizes = [best, *[L] * (K - 1)]
    inside = np.repeat(np.eye(K), sizes, axis=1) > 0
    mu = inside * (np.r_[2.0 * gap, np.full(K - 1, gap)] / sizes)[:, None]
    return environments.gaussian(mu, np.zeros(inside.shape[1]), inside, idiosyncratic=np.zeros(inside.shape[1]))
