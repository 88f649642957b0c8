"""The policies and campaigns that the figures share."""

import numpy as np

from ...simulation import simulate
from ...validate import whole
from ..environments import campaign, gaussian, paper_gaussian
from ..environments.campaigns import EVERY, RECORDS
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
    upucb_ilift_naive,
    upucb_lcb,
    upucb_naff,
    upucb_naff_bl,
)

UCB, TS, UP_BL, UP, NAFF_BL, NAFF = "UCB", "Thompson", "UpUCB (bl)", "UpUCB", "UpUCB-nAff (bl)", "UpUCB-nAff"
LCB, ILIFT_BL, ILIFT, NAIVE = "UpUCB, baseline LCB", "UpUCB-iLift (bl)", "UpUCB-iLift", "naive iLift (bl)"
UPLIFTING, SUMS = (UP_BL, UP, NAFF_BL, NAFF), (UCB, TS, UP_BL, UP)
RANDOM, GREEDY_BL, EPS_BL, EPS = "random", "Greedy (bl)", "ε-greedy (bl)", "ε-greedy"
C2_BL, C2, C2UCB = "C2UpUCB (bl)", "C2UpUCB", "C2UCB"
GREEDY, MANY, MANY_5 = "Greedy", "C2UpUCB-M, α = 1", "C2UpUCB-M, α of Theorem 5"
WITH_EPSILON, WITH_BONUS = (EPS_BL, EPS), (C2_BL, C2, C2UCB)
STYLES = {
    UCB: 6, TS: 4, UP_BL: 0, UP: 1, NAFF_BL: 2, NAFF: 3, LCB: 2, ILIFT_BL: 5, ILIFT: 4, NAIVE: 3,
    GREEDY_BL: 3, EPS_BL: 2, EPS: 4, C2_BL: 0, C2: 1, C2UCB: 5, RANDOM: 6, GREEDY: 3, MANY: 1, MANY_5: 6,
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
        NAIVE: lambda: upucb_ilift_naive(K, world.mu0, delta_up, parameter),
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
    return gaussian(np.where(affected, mu0 + uplift[:, None], mu0), mu0, affected, paper.loadings[0, :, :-1].T,
                    paper.scale[0] ** 2)  # fmt: skip


def target(name, world, parameter):
    """The campaign's policy of this name with its bonus or epsilon; greedy choices have no parameter."""
    m, d, _, budget = world.actions()[:4]
    base, rest = world.weights[0], dict(form="logistic")
    return {
        GREEDY_BL: lambda: greedy_bl(m, d, budget, base, **rest),
        EPS_BL: lambda: epsilon_greedy_bl(m, d, budget, base, parameter, **rest),
        EPS: lambda: epsilon_greedy(m, d, budget, parameter, **rest),
        C2_BL: lambda: c2upucb_bl(m, d, budget, base, parameter, **rest),
        C2: lambda: c2upucb(m, d, budget, parameter, **rest),
        C2UCB: lambda: c2ucb(m, d, budget, parameter, **rest),
        RANDOM: lambda: epsilon_greedy_bl(m, d, budget, base, parameter, **rest),
    }[name]()


def line_up(parameters):
    """Parameters of all policies of Figure 4: those given, and greedy and random choices."""
    return {GREEDY_BL: None, **parameters, RANDOM: 1.0}


def run_campaign(pool, mode, rounds, runs, seed, parameters, progress=None):
    """Figure 4's campaign in one feedback mode; the environment's records end after 1,000 rounds."""
    rounds = whole("rounds", rounds, EVERY, EVERY * RECORDS)
    world = campaign(pool, mode)
    policies = {name: target(name, world, parameter) for name, parameter in parameters.items()}
    return simulate(world, policies, rounds, runs, seed, rounds, progress=progress)


def recorded(result, what):
    """Rounds, and an array (policies, runs, rounds) of what the campaign recorded: "realised" or "best"."""
    last = int(result.checkpoints[-1])
    if last > EVERY * RECORDS:
        raise ValueError(f"result: has {last} rounds, a campaign records the first {EVERY * RECORDS} only")
    checkpoints = np.arange(EVERY, last + 1, EVERY)
    return checkpoints, result.tallies[what]


def mean_uplift(result):
    """Rounds, and predicted uplift per treated person so far (policies, runs, rounds), and that of the oracle."""
    checkpoints, best = recorded(result, "best")
    places = np.searchsorted(result.checkpoints, checkpoints)
    if (result.checkpoints[places] != checkpoints).any():
        raise ValueError(f"result: its checkpoints must contain every {EVERY}th round")
    budget = result.settings["environment"].budget
    return (
        checkpoints,
        (best - result.regret[:, :, places]) / (budget * checkpoints),
        best[0].mean(axis=0) / (budget * checkpoints),
    )


def halves(regret):
    """Regret of every run at half the horizon and at its end."""
    rounds = np.arange(regret.shape[1] + 1)
    middle = [np.interp(rounds[-1] / 2, rounds, np.append(0.0, row)) for row in regret]
    return np.array(middle), regret[:, -1]


def growth(middle, end):
    """Of what `halves` returns, regret of the second half over that of the first: 1 is linear, 0.41 a square root."""
    return end.mean(axis=-1) / middle.mean(axis=-1) - 1.0


def pulls(result, name):
    """Pulls (runs, K) of a policy."""
    return result.tallies["pulls"][result.policies.index(name)]
