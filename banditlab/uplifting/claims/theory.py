"""Bounds of the paper, checked on runs; only a bound that can be exceeded within the horizon says anything."""

import numpy as np

from ...claims import claim
from ...simulation import simulate
from .. import bounds
from ..environments import gaussian, ilift_gaussian, linear_campaign, paper_gaussian
from ..experiments import instances
from ..experiments.instances import ILIFT, ILIFT_BL, NAFF, NAFF_BL, UP, UP_BL
from ..policies import c2upucb_m

RUNS, ROUNDS, DELTA = 10, 20_000, 0.05
LINEAR_RUNS, LINEAR_ROUNDS = 5, 50_000


def wide_gaussian():
    """Four actions with two affected variables each and gaps from 8 to 14: there every bound is below the horizon."""
    uplifts = np.repeat([6.0, 2.0, 1.0, -1.0], 2)
    affected = np.kron(np.eye(4), np.ones(2)) > 0
    return gaussian(affected * uplifts, np.zeros(8), affected)


def limits_of(world, delta_up):
    """The bound of every policy that the instance is for; those of UpUCB-iLift need the least individual uplift."""
    m, sizes, args = len(world.mu0), world.affected.sum(axis=1), (ROUNDS, DELTA)
    L, found = int(sizes.max()), {}
    if delta_up is not None:
        found[ILIFT_BL] = bounds.ilift_bl_upper(world.gaps, sizes, delta_up, m, *args)
        found[ILIFT] = bounds.ilift_upper(world.gaps, sizes, delta_up, m, *args)
    return found | {
        UP_BL: bounds.upucb_bl_upper(world.gaps, sizes, *args),
        UP: bounds.upucb_upper(world.gaps, sizes, *args),
        NAFF_BL: bounds.naff_bl_upper(world.gaps, L, m, *args),
        NAFF: bounds.naff_upper(world.gaps, L, m, *args),
    }


def pull_bounds(scale, seed):
    """T1."""
    told = {name: [0, 0, 0] for name in (UP_BL, UP, NAFF_BL, NAFF, ILIFT_BL, ILIFT)}  # bounds, telling ones, violations
    worlds = (paper_gaussian(seed), None), (ilift_gaussian(seed, eliminating=True), 0.3), (wide_gaussian(), None)
    for world, delta_up in worlds:
        limits, worse = limits_of(world, delta_up), world.gaps > 0
        policies = instances.policies(world, {name: limit.beta for name, limit in limits.items()})
        result = simulate(world, policies, ROUNDS, RUNS, seed, 10)
        for name, limit in limits.items():
            counts, most = instances.pulls(result, name)[:, worse], limit.pulls[worse]
            told[name] = np.add(told[name], [len(most), (most < ROUNDS).sum(), (counts > most).sum()])
    text = [f"{name} {broken} violations, {telling} of {n} below the horizon" for name, (n, telling, broken) in
            told.items()]  # fmt: skip
    return claim(
        "T1", "No worse action is pulled more often than the proofs allow.", "Propositions 1, 4, 5; Theorems 1, 3, 4",
        f"bounds on the pulls of an action: {'; '.join(text)}",
        f"no violation in {RUNS} runs on each of three instances (a run may fail with probability 5 %)",
        {name: broken == 0 if telling else None for name, (_, telling, broken) in told.items()},
    )  # fmt: skip


def best_uplift(world, draws=10_000):
    """What a blind choice, whose uplift is 0 on average, loses in a round."""
    x = np.random.default_rng(0).standard_normal((draws, world.individuals, world.theta.shape[1]))
    x /= np.linalg.norm(x, axis=2, keepdims=True)
    return float((x @ (world.theta[1:] - world.theta[0]).T).max(axis=(1, 2)).mean())


def linear_bound(scale, seed):
    """T2."""
    theta, holds, text = ((-1.0, 0.0), (1.0, 0.0), (0.0, 1.0)), {}, []
    for treatments in (1, 2):
        world = linear_campaign(theta[: treatments + 1], individuals=4, budget=1)
        policy = c2upucb_m(4, 2, treatments, 1, penalty=1.0, norm=1.0, delta=DELTA)
        result = simulate(world, {"C2UpUCB-M": policy}, LINEAR_ROUNDS, LINEAR_RUNS, seed, 50)
        limit = np.array(
            [bounds.contextual_upper(int(t), (4, 2, treatments, 1), 1.0, 1.0, DELTA) for t in result.checkpoints]
        )
        most, blind = result.regret.max(axis=(0, 1)), LINEAR_ROUNDS * best_uplift(world)
        holds[f"q = {treatments}"] = bool((most <= limit).all()) if limit[-1] < blind else None
        text.append(f"q = {treatments}: at most {most[-1]:,.0f}, bound {limit[-1]:,.0f}, blind choices {blind:,.0f}")
    return claim(
        "T2", "The regret of C2UpUCB-M with linear payoffs is within the bound.", "Section 8, Theorem 5",
        "; ".join(text), f"no violation in {LINEAR_RUNS} runs of {LINEAR_ROUNDS:,} rounds (a run may fail with "
        "probability 5 %), where blind choices lose more", holds,
    )  # fmt: skip
