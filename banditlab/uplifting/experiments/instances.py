"""The policies and campaigns that the figures share."""

import numpy as np

from ...simulate import simulate
from ..environments import campaign, gaussian, paper_gaussian
from ..environments.contextual import EVERY
from ..policies import (
    c2ucb,
    c2upucb,
    c2upucb_bl,
    epsilon_greedy,
    epsilon_greedy_bl,
    greedy_bl,
    thompson,
    ucb,
    upucb,
    upucb_bl,
    upucb_ilift,
    upucb_ilift_bl,
    upucb_lcb,
    upucb_naff,
    upucb_naff_bl,
)
from ..tuning import TABLE_3

UCB, TS, UP_BL, UP, NAFF_BL, NAFF = "UCB", "Thompson", "UpUCB (bl)", "UpUCB", "UpUCB-nAff (bl)", "UpUCB-nAff"
LCB, ILIFT_BL, ILIFT = "UpUCB, baseline LCB", "UpUCB-iLift (bl)", "UpUCB-iLift"
UPLIFTING = (UP_BL, UP, NAFF_BL, NAFF)
RANDOM, GREEDY_BL, EPS_BL, EPS = "random", "Greedy (bl)", "ε-greedy (bl)", "ε-greedy"
C2_BL, C2, C2UCB = "C2UpUCB (bl)", "C2UpUCB", "C2UCB"
STYLES = {
    UCB: 6, TS: 4, UP_BL: 0, UP: 1, NAFF_BL: 2, NAFF: 3, LCB: 2, ILIFT_BL: 5, ILIFT: 4,
    GREEDY_BL: 3, EPS_BL: 2, EPS: 4, C2_BL: 0, C2: 1, C2UCB: 5, RANDOM: 6,
}  # fmt: skip


def policy(name, world, parameter, L=None, delta_up=0.3):
    """The policy of this name for a bandit; sums of clusters are weighted."""
    K, m = len(world.gaps), len(world.mu0)
    sizes = getattr(world, "sizes", None)
    L = int(world.affected.sum(axis=1).max()) if L is None else L
    return {
        UCB: lambda: ucb(K, m, parameter, sizes),
        TS: lambda: thompson(world.rewards, m, parameter, sizes),
        UP_BL: lambda: upucb_bl(world.affected, world.mu0, parameter, sizes),
        UP: lambda: upucb(world.affected, m, parameter, sizes),
        LCB: lambda: upucb_lcb(world.affected, m, parameter, sizes),
        NAFF_BL: lambda: upucb_naff_bl(K, world.mu0, L, parameter),
        NAFF: lambda: upucb_naff(K, m, L, parameter),
        ILIFT_BL: lambda: upucb_ilift_bl(K, world.mu0, delta_up, parameter),
        ILIFT: lambda: upucb_ilift(K, m, delta_up, parameter),
    }[name]()


def policies(world, parameters, L=None):
    """Policies by name, each with its parameter."""
    return {name: policy(name, world, parameter, L) for name, parameter in parameters.items()}


def unequal(seed, sizes):
    """An instance of the paper's size with gaps 0, 0.2, 0.7, 1, 1.5 ..., whatever the sizes of its affected sets."""
    rng = np.random.default_rng(seed)
    gaps = np.array([0.0, 0.2, 0.7, 1.0, 1.5, 2.0, 2.2, 2.5, 3.0, 5.0])
    affected = np.zeros((10, 100), bool)
    for a, size in enumerate(sizes):
        affected[a, rng.choice(100, size, replace=False)] = True
    mu0 = rng.random(100)
    uplift = (3.0 - gaps) / affected.sum(axis=1)
    paper = paper_gaussian(seed)
    return gaussian(np.where(affected, mu0 + uplift[:, None], mu0), mu0, affected, paper.loadings[:, :-1].T,
                    paper.scale**2)  # fmt: skip


def targeting(world, parameters):
    """The campaign's policies by name, each with its bonus or epsilon; greedy and random ones always."""
    m, d, _, budget = world.actions()
    base, rest = world.weights[0], dict(form="logistic")
    made = {
        GREEDY_BL: lambda p: greedy_bl(m, d, budget, base, **rest),
        EPS_BL: lambda p: epsilon_greedy_bl(m, d, budget, base, p, **rest),
        EPS: lambda p: epsilon_greedy(m, d, budget, p, **rest),
        C2_BL: lambda p: c2upucb_bl(m, d, budget, base, p, **rest),
        C2: lambda p: c2upucb(m, d, budget, p, **rest),
        C2UCB: lambda p: c2ucb(m, d, budget, p, **rest),
        RANDOM: lambda p: epsilon_greedy_bl(m, d, budget, base, 1.0, **rest),
    }
    return {name: make(parameters.get(name)) for name, make in made.items()}


def run_campaign(pool, mode, rounds, runs, seed, parameters=None, progress=None):
    """Figure 4's campaign in one feedback mode."""
    world = campaign(pool, mode)
    return simulate(world, targeting(world, parameters or TABLE_3[mode]), rounds, runs, seed, progress=progress)


def recorded(result, what):
    """Rounds, and an array (policies, runs, rounds) of what the campaign recorded: "realised" or "best"."""
    marks = np.arange(EVERY, result.marks[-1] + 1, EVERY)
    keys = [f"{what} {t}" for t in marks if f"{what} {t}" in result.tallies]
    return marks[: len(keys)], np.stack([result.tallies[key] for key in keys], axis=2)


def mean_uplift(result):
    """Rounds, and predicted uplift per treated person so far (policies, runs, rounds), and that of the oracle."""
    marks, best = recorded(result, "best")
    budget = result.settings["environment"].budget
    regret = result.regret[:, :, np.searchsorted(result.marks, marks)]
    return marks, (best - regret) / (budget * marks), best[0].mean(axis=0) / (budget * marks)


def growth(regret):
    """Regret of the second half of the horizon over that of the first, run means: 1 is linear, 0.41 a square root."""
    mean = np.concatenate([[0.0], regret.mean(axis=0)])
    middle = np.interp((len(mean) - 1) / 2, np.arange(len(mean)), mean)
    return float((mean[-1] - middle) / middle)


def pulls(result, name):
    """Pulls (runs, K) of a policy."""
    place, K = result.policies.index(name), sum(key.startswith("pulls") for key in result.tallies)
    return np.stack([result.tallies[f"pulls {a}"][place] for a in range(K)], axis=1)
