"""The examples, the theorems, and z-RCUCB."""

import numpy as np

from ...claims import claim
from ...result import interval
from ...simulate import simulate
from .. import bounds
from ..environments import Pair, example, indep, independent
from ..experiments import paper
from ..policies import rcucb, ucb
from .common import AS_PRINTED


def strict(scale, seed):
    """B22."""
    world = example("strict", np.arange(2, 51) / 100)
    winners = world.gains.argmax(axis=0)
    medium = world.limits[winners == 1]
    return claim(
        "B22", "With a strict promise simple models are best, at its end the medium one; complex ones never.",
        "Example 2, Figure 2",
        f"simple best at {np.mean(winners == 2):.0%} of the limits, medium from {medium.min():.2f}",
        "exact; the models' numbers are ours",
        {"numbers of ours": bool((winners == 2).mean() > 0.8 and winners[-1] == 1 and 0 not in winners)},
    )  # fmt: skip


def soft(scale, seed):
    """B23."""
    best = example("soft").gains.max(axis=1)
    return claim(
        "B23", "With a soft promise the complex model is best.", "Example 2, Figure 2",
        f"largest gains {', '.join(f'{value:.3f}' for value in best)} (complex, medium, simple)",
        "exact; the models' numbers are ours", {"numbers of ours": int(best.argmax()) == 0},
    )  # fmt: skip


def radius(scale, seed):
    """B24."""
    world, alpha, rounds, runs = indep(1, [0.3, 0.5, 0.9]), 2.0, 100, 400
    policy = rcucb(1, world.limits, world.penalty, alpha)
    rng, off = np.random.default_rng(seed), 0
    for _ in range(runs):
        state, played = policy.begin(rng), world.start(rng)
        for t in range(rounds):
            action = Pair(0, 2 if t == 0 else int(3 * rng.random()))
            state = policy.update(state, action, world.step(played, action, t, rng), t, rng)
        width = np.sqrt(2 * alpha * np.log(rounds)) * state.index[1, 0]
        off += bool((state.index[0, 0] - world.gains[0] > width).any())
    limit = bounds.proposition1(rounds, alpha)
    return claim(
        "B24", "The estimate of a pair exceeds its mean by more than the radius with at most the stated probability.",
        "Proposition 1", f"{off} of {runs} histories at any of 3 limits; allowed {limit:.4f} at each",
        "α = 2, t = 100, limits played at random", {AS_PRINTED: off / runs <= limit},
    )  # fmt: skip


def mild():
    """A problem so mild that the theorems say something: two arms, penalties 0.05 and 0.3."""
    return independent([1.0, 1.0], [1.0, 4.0], [2.0, 2.0], [0.5, 3.0], [0.05, 0.3])


def bound_claim(id, sentence, where, policy, limit, vacuous, scale, seed):
    """A regret bound on the mild problem; how vacuous it is on Indep."""
    size = paper.sizes(scale)
    result = simulate(mild(), {"own": policy}, size.rounds, size.runs, seed, 50)
    mean = result.of_policy("own").mean(axis=0)
    world = indep()
    times = vacuous(world) / bounds.trivial(world.gains, 100_000)
    return claim(
        id, sentence, where, f"smallest bound over mean regret {np.min(limit(result.marks) / mean):.2f}; on Indep the "
        f"bound is {times:.1f} times what nobody can exceed", "> 1 at 50 checkpoints of a mild problem, α = 2",
        {AS_PRINTED: bool((limit(result.marks) >= mean).all())},
    )  # fmt: skip


def regret_bound(scale, seed):
    """B25."""
    world = mild()
    return bound_claim(
        "B25", "RCUCB's regret never exceeds the bound.", "Theorem 1 (first sum)",
        rcucb(2, world.limits, world.penalty, 2.0), lambda t: bounds.theorem1(world.gains, world.penalty, t, 2.0),
        lambda own: bounds.theorem1(own.gains, own.penalty, 100_000, 2.0), scale, seed,
    )  # fmt: skip


def pairs_bound(scale, seed):
    """B26."""
    world = mild()
    return bound_claim(
        "B26", "UCB's regret never exceeds the bound.", "Corollary 14", ucb(2, world.limits, world.penalty, 2.0),
        lambda t: bounds.corollary14(world.gains, 0.3, t, 2.0),
        lambda own: bounds.corollary14(own.gains, 9.0, 100_000, 2.0), scale, seed,
    )  # fmt: skip


def zooming(scale, seed):
    """B27."""
    table, holds, said = paper.sweep_zooming(scale, seed), {}, []
    for kind, name in (("finest", "a pair of the finest cell"), ("safest", "largest lower bound")):
        for m, rows in table.groupby("m"):
            means = rows.groupby("T")[kind].mean()
            mean, _, half = interval(rows.loc[rows["T"] == rows["T"].max(), kind].to_numpy())
            holds[name] = holds.get(name, True) and bool(mean + half < means.iloc[0])
            said.append(f"{means.iloc[0]:.2g} to {means.iloc[-1]:.2g} ({name}, m = {m})")
    horizons = sorted(set(table["T"]))
    return claim(
        "B27", "The simple regret of z-RCUCB falls with the horizon.", "Theorem 2", "; ".join(said),
        f"95 % interval at T = {horizons[-1]:,} below the mean at {horizons[0]:,}, 10 runs", holds,
    )  # fmt: skip
