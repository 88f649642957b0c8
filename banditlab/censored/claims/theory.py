"""The examples, the theorems, and z-RCUCB."""

import math
from typing import NamedTuple

import numpy as np

from ...claims import claim
from ...simulation import simulate
from .. import bounds
from ..actions import Pair
from ..environments import example, indep, independent
from ..experiments import instances, paper
from ..experiments.instances import PROBLEMS
from ..policies import rcucb, ucb
from ..policies.rcucb import RCUCB
from .common import AS_PRINTED, ends, positive


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


class AtRandom(NamedTuple):
    """RCUCB's estimates of one arm whose limits are played at random, the first time the largest."""

    base: RCUCB

    def actions(self):
        return self.base.actions()

    def init(self, rng):
        return self.base.init(rng)

    def select(self, state, t, rng):
        m = len(self.base.limits)
        return Pair(0, m - 1 if t == 0 else int(m * rng.random()))

    def update(self, state, action, observation, t, rng):
        return self.base.update(state, action, observation, t, rng)

    def tally(self, world, state):
        return {"estimate": state.estimate[0], "radius": state.root[0]}


def errors(rounds, alpha, runs, seed):
    """Error of the estimates of three limits at this round, over their radius; (3, runs)."""
    world = indep(1, [0.3, 0.5, 0.9])
    policy = AtRandom(rcucb(1, world.limits, world.penalty, alpha))
    tallies = simulate(world, policy, rounds - 1, runs, seed, 1).tallies
    estimate, radius = (tallies[what][0].T for what in ("estimate", "radius"))
    return (estimate - world.gains[0][:, None]) / (math.sqrt(2 * alpha * math.log(rounds)) * radius)


def at_most(count, runs):
    """95 % Clopper-Pearson interval of a probability."""
    from scipy.special import betaincinv  # loaded where it is needed

    low = betaincinv(count, runs - count + 1, 0.025) if count else 0.0
    high = betaincinv(count + 1, runs - count, 0.975) if count < runs else 1.0
    return low, high


def radius(scale, seed):
    """B24."""
    alpha, runs, room, said = 2.0, 2000, [], []
    for rounds in (100, 1000):
        off, allowed = errors(rounds, alpha, runs, seed), bounds.proposition1(rounds, alpha)
        count = max((side * off > 1).sum(axis=1).max() for side in (1, -1))
        low, high = at_most(count, runs)
        room.append((allowed - high, allowed - low))
        said.append(f"t = {rounds:,}: {count} of {runs:,}, at most {high:.4f}, allowed {allowed:.4f}, largest error "
                    f"{abs(off).max():.2f} radii")  # fmt: skip
    return claim(
        "B24", "The estimate of a pair is off by more than the radius, to either side, with at most the stated "
        "probability.", "Proposition 1", "; ".join(said),
        "α = 2, limits played at random, the worst of 3 limits and 2 sides; 95 % Clopper-Pearson intervals",
        {AS_PRINTED: positive(room)},
    )  # fmt: skip


def mild():
    """A problem so mild that the theorems say something: two arms, penalties 0.05 and 0.3."""
    return independent([1.0, 1.0], [1.0, 4.0], [2.0, 2.0], [0.5, 3.0], [0.05, 0.3])


def bound_claim(id, sentence, where, reading, policy, limit, vacuous, scale, seed):
    """A regret bound on the mild problem; how vacuous it is on Indep."""
    size = paper.sizes(scale)
    result = simulate(mild(), {"own": policy}, size.rounds, size.runs, seed, 50)
    low, high = ends(result.of_policy("own"))
    most, world = limit(result.checkpoints), indep()
    times = vacuous(world) / bounds.trivial(world.gains, 100_000)
    return claim(
        id, sentence, where, f"smallest bound over upper end of regret {np.min(most / high):.2f}; on Indep the bound "
        f"is {times:.1f} times what nobody can exceed",
        f"95 % intervals of mean regret below, {size.runs} runs, 50 checkpoints of a mild problem, α = 2",
        {reading: positive(np.transpose([most - high, most - low]))},
    )  # fmt: skip


def regret_bound(scale, seed):
    """B25."""
    world = mild()
    return bound_claim(
        "B25", "RCUCB's regret never exceeds the bound.", "Theorem 1 (first sum)", AS_PRINTED,
        rcucb(2, world.limits, world.penalty, 2.0), lambda t: bounds.theorem1(world.gains, world.penalty, t, 2.0),
        lambda own: bounds.theorem1(own.gains, own.penalty, 100_000, 2.0), scale, seed,
    )  # fmt: skip


def pairs_bound(scale, seed):
    """B26."""
    world = mild()
    return bound_claim(
        "B26", "UCB's regret never exceeds the bound.", "Corollary 14", "λmax = penalty of the largest limit",
        ucb(2, world.limits, world.penalty, 2.0), lambda t: bounds.corollary14(world.gains, world.penalty[-1], t, 2.0),
        lambda own: bounds.corollary14(own.gains, own.penalty[-1], 100_000, 2.0), scale, seed,
    )  # fmt: skip


def zooming(scale, seed):
    """B27."""
    table, holds, said = paper.sweep_zooming(scale, seed), {}, []
    first, final = table["T"].min(), table["T"].max()
    for kind, name in (("finest", "a pair of the finest cell"), ("safest", "largest lower bound")):
        falls = []
        for m, rows in table.groupby("m"):
            before, after = (rows.loc[rows["T"] == T, kind].to_numpy() for T in (first, final))
            falls.append(ends(before - after))
            said.append(f"{before.mean():.2g} to {after.mean():.2g} ({name}, m = {m})")
        holds[name] = positive(falls)
    return claim(
        "B27", "The simple regret of z-RCUCB falls with the horizon.", "Theorem 2", "; ".join(said),
        f"95 % interval of the fall from T = {first:,} to {final:,} above 0, 10 runs", holds,
    )  # fmt: skip


def literal_best(scale, seed):
    """B30."""
    found, rows = {}, []
    for name in PROBLEMS:
        world = instances.problem(name, instances.LITERAL)
        limit, share = float(world.limits[instances.best_pair(world)[1]]), instances.lowest_share(world)
        found[name] = round(limit, 9), round(share, 9)
        rows.append(f"{name}: limit {limit:g}, censored {share:.4f}, gain {world.gains.max():.4f}")
    holds = found["PosCorr"] == found["NegCorr"] == (1.0, 0.0) and found["Indep"][0] == 0.5
    return claim(
        "B30", "(ours) On the literal grid the largest limit is best in PosCorr and NegCorr and never censored; in "
        "Indep 0.5 is best.", "Section 5.1", "; ".join(rows), "exact tables", {"k/10 as the text has it": holds},
    )  # fmt: skip
