"""The policies by the names that figures, tables and claims share, and how each is made for a bandit or a campaign."""

from banditlab.uplifting.policies import (
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
    upucb_bl_adjusted,
    upucb_bl_learnt,
    upucb_bl_optimal,
    upucb_ilift,
    upucb_ilift_bl,
    upucb_ilift_naive,
    upucb_lcb,
    upucb_naff,
    upucb_naff_bl,
)

UCB, TS, UP_BL, UP, NAFF_BL, NAFF = "UCB", "Thompson", "UpUCB (bl)", "UpUCB", "UpUCB-nAff (bl)", "UpUCB-nAff"
LCB, ILIFT_BL, ILIFT, NAIVE = "UpUCB, baseline LCB", "UpUCB-iLift (bl)", "UpUCB-iLift", "naive iLift (bl)"
ADJUSTED, LEARNT, OWN_WIDTH = "noise-adjusted (bl)", "noise-adjusted, learnt (bl)", "own width (bl)"
OPTIMAL, BOTH = "noise-adjusted, optimal (bl)", "UpUCB-nAff, then iLift (bl)"
UPLIFTING, SUMS = (UP_BL, UP, NAFF_BL, NAFF), (UCB, TS, UP_BL, UP)
RANDOM, GREEDY_BL, EPS_BL, EPS = "random", "Greedy (bl)", "ε-greedy (bl)", "ε-greedy"
C2_BL, C2, C2UCB = "C2UpUCB (bl)", "C2UpUCB", "C2UCB"
GREEDY, MANY, MANY_5, MANY_BL = "Greedy", "C2UpUCB-M, α = 1", "C2UpUCB-M, α of Theorem 5", "C2UpUCB-M (bl), α = 1"
LINEAR_BL, LINEAR_ALL = "UpUCB (bl), linear", "linear UCB on everybody"
WITH_EPSILON, WITH_BONUS = (EPS_BL, EPS), (C2_BL, C2, C2UCB)
STYLES = {
    UCB: 6, TS: 4, UP_BL: 0, UP: 1, NAFF_BL: 2, NAFF: 3, LCB: 2, ILIFT_BL: 5, ILIFT: 4, NAIVE: 3, ADJUSTED: 5,
    LEARNT: 4, OWN_WIDTH: 3, OPTIMAL: 1, GREEDY_BL: 3, EPS_BL: 2, EPS: 4, C2_BL: 0, C2: 1, C2UCB: 5, RANDOM: 6,
    GREEDY: 3, MANY: 1, MANY_5: 6, MANY_BL: 0, LINEAR_BL: 0, LINEAR_ALL: 6,
}  # fmt: skip
LEAST_UPLIFT = 0.3  # of the instances of UpUCB-iLift


def policy(name, world, parameter, L=None):
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
        ILIFT_BL: lambda: upucb_ilift_bl(K, world.mu0, LEAST_UPLIFT, parameter),
        NAIVE: lambda: upucb_ilift_naive(K, world.mu0, LEAST_UPLIFT, parameter),
        ILIFT: lambda: upucb_ilift(K, m, LEAST_UPLIFT, parameter),
        ADJUSTED: lambda: upucb_bl_adjusted(world.affected, world.mu0, world.covariance, parameter),
        LEARNT: lambda: upucb_bl_learnt(world.affected, world.mu0, parameter),
        OPTIMAL: lambda: upucb_bl_optimal(world.affected, world.mu0, world.covariance),
    }[name]()


def policies(world, parameters, L=None):
    """Policies by name, each with its parameter."""
    return {name: policy(name, world, parameter, L) for name, parameter in parameters.items()}


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
