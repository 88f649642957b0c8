"""Theorem 2 and Proposition 4: z-RCUCB."""

import functools
from itertools import pairwise
from typing import NamedTuple

from banditlab.censored import bounds
from banditlab.censored.actions import Observation
from banditlab.censored.penalties import power
from banditlab.censored.policies import zrcucb
from banditlab.evidence import Cases, Untested, exact, mean
from banditlab.study.study import sized
from banditlab.user_code.contract import make_streams

from ..beyond import SWINGS, ZOOMING, promised
from ..drawings import RECOMMENDED
from ..runs import ALPHA, DELTA
from .common import AS_PRINTED, claims


def swings(scale, seed):
    """Simple regrets by curvature and horizon."""
    return {(c.curvature, c.rounds): table for c, table in SWINGS.results(scale, seed).items()}


@claims("B27", "The simple regret of z-RCUCB falls with the horizon, as its bound does.", "Theorem 2", ours=True,
        figure=SWINGS.name, scales=("paper",), note="three arms of Indep, penalty a x², from the shortest to the "
        "longest horizon; it may be 0 at both")  # fmt: skip
def falls(scale, seed):
    found, horizons = swings(scale, seed), SWINGS.grid["rounds"]
    readings = {}
    for kind, name in RECOMMENDED.items():
        more = {}
        for a in SWINGS.grid["curvature"]:
            first, last = (found[a, T][kind].to_numpy() for T in (horizons[0], horizons[-1]))
            more[f"a = {a:g}"] = mean(last - first)
        readings[name] = Cases("simple regret, longest minus shortest horizon", more).at_most(0)
    return readings


@claims("B27b", "The pair of the finest cell loses less after more rounds only sometimes: with penalty x² it loses "
        "more after 100,000 rounds than after 20,000; the pair of the largest lower bound loses next to nothing.",
        "Algorithm 1, line 9", ours=True, figure=SWINGS.name, scales=("paper",))  # fmt: skip
def swing(scale, seed):
    found = swings(scale, seed)
    early, late = found[1.0, 20_000], found[1.0, 100_000]
    return [
        Cases("simple regret of the finest cell, late minus early", mean(late["finest"] - early["finest"])).above(0),
        Cases("simple regret of the largest lower bound, late", mean(late["safest"])).at_most(0.01),
    ]


@claims("B27c", "On PosCorr and NegCorr, too, the pair of the finest cell loses more than that of the largest lower "
        "bound.", "Algorithm 1, line 9", ours=True, figure=ZOOMING.name, note="at the longest horizon; three arms, "
        "penalty 4x²")  # fmt: skip
def elsewhere(scale, seed):
    more = {}
    for cell, table in ZOOMING.results(scale, seed, problem=("PosCorr", "NegCorr")).items():
        last = table[table["T"] == table["T"].max()]
        more[f"{cell.problem}, m = {cell.parts}"] = mean((last["finest"] - last["safest"]).to_numpy())
    return Cases("simple regret, finest cell minus largest lower bound", more).above(0)


SILENT = (
    "at these horizons the bound exceeds what any pair can lose, so that no run can refute it; it first says something "
    "before 10^{power} rounds"
)


def first_power(theorem, parts):
    """The least power of ten at which the theorem allows less than the worst pair loses."""
    return next(power for power in range(3, 18) if theorem.loss(parts, 10**power) < theorem.worst)


@claims("B36", "With probability 1 - δ the simple regret is at most the bound.", "Theorem 2", figure=ZOOMING.name,
        note="exact; dimension and constant by counting cells; on the other problems gains fall faster than it asks",
        quote="we obtain the following result for the loss of z-RCUCB.")  # fmt: skip
def inequality(scale, seed):
    theorem, least = promised("Indep"), {}
    for cell in ZOOMING.cells(ZOOMING.grid | dict(problem=("Indep",))):
        for T in sized(ZOOMING.sizes["paper"], cell)["horizons"]:
            least[f"m = {cell.parts}, T = {T:,}"] = exact(theorem.loss(cell.parts, T) / theorem.worst)
    found = {AS_PRINTED: [
        Cases("the bound over what the worst pair loses", least).below(1),
        Cases("fall of the gain over the distance from the best limit",
              exact(theorem.slope)).at_most(1),
    ]}  # fmt: skip
    if min(one.value for one in least.values()) < 1:
        return found[AS_PRINTED]
    power = min(first_power(theorem, cell.parts) for cell in ZOOMING.cells(ZOOMING.grid | dict(problem=("Indep",))))
    return Untested(SILENT.format(power=power), found)


@claims("B37", "It obviously holds that StoOO's constant is at least that of z-RCUCB, and the gap can be large.",
        "Theorem 2", note="exact, penalties a x²; large: at least 1.5 times, the inverse of much",
        quote="it obviously holds that H̃_T ≥ H_T and the gap between H̃_T and H_T can be large")  # fmt: skip
def constants(scale, seed):
    ratios = {}
    for a in (0.1, 1.0, 4.0, 10.0):
        for m in (2, 4):
            for T in (1000, 1_000_000):
                H, plain = bounds.supremum(power(a, 2.0), 3, T, ALPHA, m, DELTA)
                ratios[f"a = {a:g}, m = {m}, T = {T:,}"] = exact(plain / H)
    largest = exact(max(one.value for one in ratios.values()))
    return [
        Cases("StoOO's constant over z-RCUCB's", ratios).at_least(1),
        Cases("StoOO's constant over z-RCUCB's, largest", largest).at_least(1.5),
    ]


class Certain(NamedTuple):
    """What every round of a one-armed problem brings: the same consumption and reward."""

    consumption: float
    reward: float


def new_points(parts, after):
    """Largest number of points that one round inserts, over |M| + m - 1, |M| before the round or after it."""
    sizes = sizes_of_grid(parts)
    return max((late - early) / ((late if after else early) + parts - 1) for early, late in pairwise(sizes))


@functools.cache  # both readings ask
def sizes_of_grid(parts, rounds=1000):
    """How many points there are at the start and after each round: one arm without penalty, all cells alike."""
    policy, (_, rng), outcome = zrcucb(1, rounds, 0.0, parts=parts), make_streams(0, 0), Certain(0.0, 1.0)
    policy = policy._replace(scale=1.0)
    state = policy.init(rng)
    sizes = [int(state.count[0])]
    for t in range(rounds):
        action = policy.select(state, t, rng)
        limit = action._replace(limit=policy.largest)
        state = policy.update(state, limit, Observation(outcome.reward, outcome.consumption, 0.0, False), t, rng)
        sizes.append(int(state.count[0]))
    return sizes


@claims("B38", "A round of z-RCUCB takes of the order of |M| + (m - 1) steps.", "Proposition 4", note="counted: all "
        "cells may be refined in one round, m - 1 new points each, so that of |M| before it no constant will do for "
        "all m; Algorithm 1 assigns the extended grid to M",
        quote="has a worst case update complexity of order")  # fmt: skip
def complexity(scale, seed):
    return {reading: Cases("new points of one round over |M| + m - 1", {
        f"m = {m}": exact(new_points(m, after)) for m in (2, 4, 8, 16)
    }).at_most(1) for reading, after in (("|M| before the round", False), ("|M| after it", True))}  # fmt: skip
