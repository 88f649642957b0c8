"""Propositions 1 and 2, Theorem 1, Corollary 14, Remark 1; how long the printed width stays where it starts."""

import math
from typing import NamedTuple

import numpy as np

from banditlab.analysis.record_run import record_run
from banditlab.censored import bounds
from banditlab.censored.actions import Pair, space
from banditlab.censored.environments import indep, independent, recorded, revealed
from banditlab.censored.policies import rcucb, ucb
from banditlab.censored.policies.rcucb import RCUCB
from banditlab.classic import UCB1, ucb1
from banditlab.engine.simulate import simulate
from banditlab.evidence import SIMILAR, Cases, Estimate, exact, mean, proportion, ratio
from banditlab.user_code.contract import make_streams

from ..beyond import GUARANTEED, LEAVING, MOST_WORTH, REMARK_3, SAFE, UNLUCKY, count_stuck
from ..runs import GAIN, KL, PROBLEMS, TEXT, world_of, worse_pulls
from ..sharing import hidden_excess
from ..studies import SIZES
from .common import AS_PRINTED, claims

ALPHA = 2.0
RANDOM_RUNS = 2000


SEEN = {"Equation 9 as printed, every consumption known": "oracle", "over the rounds that show it": "consistent"}
SELDOM = {"limits alike": 1 / 3, "the largest seldom": 0.005}  # how often the largest limit is played


class AtRandom(NamedTuple):
    """RCUCB's estimates of one arm whose limits are played at random, the first time the largest."""

    base: RCUCB
    largest: float  # chance of the largest limit

    def actions(self):
        return self.base.actions()

    def init(self, rng):
        return self.base.init(rng)

    def select(self, state, t, rng):
        below = len(self.base.limits) - 1
        return Pair(0, below if t == 0 or rng.random() < self.largest else int(below * rng.random()))

    def update(self, state, action, observation, t, rng):
        return self.base.update(state, action, observation, t, rng)

    def diagnostics(self, world, state):
        return {"estimate": state.estimate[0], "radius": state.root[0]}


def errors(rounds, alpha, runs, seed, survival, largest):
    """Error of the estimates of three limits at this round, over their radius; (3, runs)."""
    world = indep(1, [0.3, 0.5, 0.9])
    policy = AtRandom(rcucb(1, world.limits, world.penalty, alpha, survival=survival), largest)
    shown = revealed(world) if survival == "oracle" else world
    diagnostics = simulate(shown, policy, rounds - 1, runs, seed, 1).diagnostics
    estimate, radius = (diagnostics[what][0].T for what in ("estimate", "radius"))
    return (estimate - world.gains[0][:, None]) / (math.sqrt(2 * alpha * math.log(rounds)) * radius)


@claims("B24", "The estimate of a pair is off by more than the radius, to either side, with at most the stated "
        "probability.", "Proposition 1", universal=True, note=f"searched: α = {ALPHA:g}, "
        f"{RANDOM_RUNS:,} histories of limits played at random, alike or the largest in one of 200 rounds, the worst "
        "of 3 limits and 2 sides",
        quote="these estimates also allow for deriving suitable confidence intervals")  # fmt: skip
def radius(scale, seed):
    return {reading: Cases("share of misses over the probability allowed", {
        f"t = {rounds:,}, {history}": misses(rounds, seed, survival, largest)
        for rounds in (100, 1000) for history, largest in SELDOM.items()
    }).at_most(1) for reading, survival in SEEN.items()}  # fmt: skip


def misses(rounds, seed, survival, largest):
    """The share of histories in which the estimate that misses most often misses, over the probability allowed."""
    off = errors(rounds, ALPHA, RANDOM_RUNS, seed, survival, largest)
    count = max(int((side * off > 1).sum(axis=1).max()) for side in (1, -1))
    return scaled(proportion(count, RANDOM_RUNS), 1 / bounds.proposition1(rounds, ALPHA))


def scaled(one, factor):
    """An estimate in other units."""
    return Estimate(one.value * factor, lambda level: tuple(factor * end for end in one.ends(level)), one.is_exact)


def mild():
    """A problem so mild that the theorems say something: two arms, penalties 0.05 and 0.3."""
    return independent([1.0, 1.0], [1.0, 4.0], [2.0, 2.0], [0.5, 3.0], [0.05, 0.3])


def instance(number):
    """A random problem of two or three arms and two limits whose penalties are so mild that the theorems speak."""
    rng = np.random.default_rng([number, 25])
    arms = int(rng.integers(2, 4))
    shapes, rates = rng.uniform(0.5, 4.0, (2, arms)), rng.uniform(0.5, 4.0, arms)
    return independent(*shapes, rates, [0.5, 3.0], np.sort(rng.uniform(0.0, 1.5, 2)))


def below(make, limit, scale, seed):
    """A policy's mean regret over a bound: on the mild problem at all checkpoints, on random ones at the largest."""
    size = SIZES[scale]
    most = {"the mild problem": over(mild(), make, limit, size["horizon"], size["runs"], seed)}
    for number in range(SEARCH[scale]):
        most[f"random problem {number}"] = over(instance(number), make, limit, 10_000, 10, seed)
    return Cases("regret over the bound", most).at_most(1)


def over(world, make, limit, horizon, runs, seed):
    """Mean regret over the bound at the checkpoint where it is largest."""
    result = simulate(world, {"own": make(world)}, horizon, runs, seed, 20)
    shares = result.of_policy("own") / limit(world, result.checkpoints)
    return mean(shares[:, shares.mean(axis=0).argmax()])


SEARCH = dict(quick=20, paper=200)
MILD = (
    f"α = {ALPHA:g}; searched: our mild instance, and 200 random ones (20 at quick size) of two or three arms and mild "
    "penalties; on the paper's instances the bound exceeds what nobody can exceed"
)


@claims("B25", "RCUCB's regret never exceeds the bound.", "Theorem 1 (first sum)", note=MILD, universal=True,
        quote="We obtain the following upper bound on the cumulative regret of RCUCB")  # fmt: skip
def regret_bound(scale, seed):
    def make(world):
        return rcucb(len(world.gaps), world.limits, world.penalty, ALPHA)

    return {AS_PRINTED: below(make, lambda w, t: bounds.theorem1(w.gains, w.penalty, t, ALPHA), scale, seed)}


@claims("B26", "UCB's regret never exceeds the bound.", "Corollary 14", note=MILD, universal=True,
        quote="UCB as specified in Section E.1 satisfies the following regret upper bound.")  # fmt: skip
def pairs_bound(scale, seed):
    def make(world):
        return ucb(len(world.gaps), world.limits, world.penalty, ALPHA)

    def limit(world, t):
        return bounds.corollary14(world.gains, world.penalty[-1], t, ALPHA)

    return {"λmax = penalty of the largest limit": below(make, limit, scale, seed)}


@claims("B32", "Theorem 1 reveals why RCUCB is superior: from the terms of UCB's bound it subtracts pulls that a "
        "larger limit has saved.", "Theorem 1, Remark 2", note=f"exact, α = {ALPHA:g}, 100,000 rounds, ε = 1/2, the "
        "largest δ; it counts from a hundredth on, ours",
        quote="reveals why RCUCB is in general superior to the straightforward mapping")  # fmt: skip
def saving(scale, seed):
    found = {}
    for name in PROBLEMS:
        world = world_of(name, "size 10", TEXT)
        args = world.gains, world.penalty, 100_000, ALPHA
        found[name] = exact(bounds.theorem1_saving(*args) / bounds.theorem1(*args))
    return Cases("subtracted terms as a share of the bound", found, axis="log").at_least(0.01)


class OneLimit(NamedTuple):
    """A policy of the standard problem, in this one with a single limit."""

    base: UCB1
    limits: np.ndarray

    def actions(self):
        return space(self.base.arms, self.limits)

    def init(self, rng):
        return self.base.init(rng)

    def select(self, state, t, rng):
        return Pair(self.base.select(state, t, rng), 0)

    def update(self, state, action, observation, t, rng):
        return self.base.update(state, action.arm, observation.reward, t, rng)


@claims("B33", "With one limit that is never exceeded, no cost and no penalty the problem is the standard one.",
        "Remark 1", note="exact: RCUCB and UCB1 with 2α on 50 recorded rewards, 2,000 rounds",
        quote="The considered bandit problem can recover the standard MAB problem by assuming that")  # fmt: skip
def standard(scale, seed):
    rewards = np.random.default_rng(seed).random((50, 3)) * [1.0, 0.8, 0.5]
    world = recorded((rewards, np.ones((50, 3))), [1.0], [0.0], 0.0)
    policies = rcucb(3, world.limits, world.penalty), OneLimit(ucb1(3, 2.0), world.limits)
    first, second = (record_run(world, policy, 2000, seed).actions for policy in policies)
    return Cases("share of equal actions", exact((first == second).all(axis=1).mean())).at_least(1)


@claims("B34", "A round of RCUCB changes at most of the order of n|M| numbers.", "Proposition 2", note="counted, "
        "300 rounds of every problem: estimates and radii of the played arm, the n|M| indices, which "
        "depend on t",
        quote="RCUCB has a worst case update complexity of order")  # fmt: skip
def complexity(scale, seed):
    found = {}
    for name in PROBLEMS:
        world = world_of(name, "size 10", TEXT)
        found[name] = exact(most_changed(world, rcucb(len(world.gaps), world.limits, world.penalty), 300, seed))
    return Cases("numbers that a round changes over (n + 2)|M|", found).at_most(1)


def most_changed(world, policy, rounds, seed):
    """Largest number of entries of the state that one round changed, and the indices, over (n + 2)|M|."""
    (world_rng, rng), most = make_streams(seed, 0), 0
    now, state = world.reset(world_rng), policy.init(rng)
    for t in range(rounds):
        before = [array.copy() for array in (state.estimate, state.root)]
        action = policy.select(state, t, rng)
        state = policy.update(state, action, world.step(now, action, t, world_rng), t, rng)
        changed = sum((a != b).sum() for a, b in zip(before, (state.estimate, state.root), strict=True))
        most = max(most, int(changed))
    arms, limits = world.gains.shape
    return (arms * limits + most) / ((arms + 2) * limits)


@claims("B35", "The round in which RCUCB as printed leaves the largest limit follows from gains and penalties alone.",
        "Section 3.3", ours=True, figure=LEAVING.name, note="mean over the "
        "runs; a factor of 1.5, ours")  # fmt: skip
def leaves(scale, seed):
    found = {}
    for cell, one in LEAVING.results(scale, seed).items():
        if np.isfinite(one.rounds).all():
            found[LEAVING.title_of(cell)] = mean(one.rounds / one.computed)
    return Cases("simulated round over the computed one", found, axis="log").between(1 / 1.5, 1.5)


@claims("B40", "The factor (1 + λ(τ)) of Theorem 1 can be refined to (1 + C λ(τ) / log T) with a constant C.",
        "Remark 3", figure=REMARK_3.name, note="exact: with one limit that nothing exceeds, RCUCB is UCB with a radius "
        "1 + λ times as wide; so without noise the worse of two arms is played 2 α (1 + λ)² log T / Δ² times; refined, "
        "the bound's 8 α (1 + C λ / log T)² log T / Δ² would allow 8 in these units as T grows, whatever C",
        quote="We conjecture that this bound can be refined to")  # fmt: skip
def conjecture(scale, seed):
    alpha, gap, T = 2.0, 0.5, 10**9
    unit, limits = alpha * math.log(T) / gap**2, {one: 2.0 * (1 + one) ** 2 for one in (3, 9)}
    allowed = {f"λ = {one}": exact(limit) for one, limit in limits.items()}
    found = {f"λ = {one}": exact(worse_pulls(float(one), T, alpha, gap) / (unit * limits[one])) for one in limits}
    return [
        Cases("worse arm's pulls over α log T / Δ², as T grows", allowed, axis="log").at_most(8),
        Cases("worse arm's pulls over 2 α (1 + λ)² log T / Δ², T = 10⁹", found, axis="log").similar(),
    ]


@claims("B41", "The width that gives the paper's tables is not safe: with its first term alone RCUCB is stuck with the "
        "worse of two arms in some of its runs, the width as printed and KL-RCUCB in none.", "Section 5", ours=True,
        note="one limit 0.9 with penalty 9; gains .66 and .50, the better arm is censored with probability .03; stuck: "
        "more than half of T times the gap is lost; at least 5 % against at most 2 % (ours)")  # fmt: skip
def stuck(scale, seed):
    (result,) = UNLUCKY.results(scale, seed).values()
    shares = {name: proportion(count, result.regret.shape[1]) for name, count in count_stuck(result).items()}
    return [
        Cases("share of runs that are stuck, first term", shares.pop(GAIN)).at_least(0.05),
        Cases("share of runs that are stuck, the others", shares).at_most(0.02),
    ]


@claims("B42", "One index shares and is safe: KL-UCB on RCUCB's shared counts, with every limit's own range, has much "
        "less regret than UCB and RCUCB as printed, the learners of the paper that have a guarantee.", "Section 5.1",
        ours=True, figure=SAFE.name, scales=("paper",), note="10 limits, the parameters of the text; α = 1 for "
        "all, less than any of the three guarantees asks")  # fmt: skip
def shares_and_is_safe(scale, seed):
    found = {
        f"{name}, {cell.problem}": ratio(result.final_regret(KL), result.final_regret(name))
        for cell, result in SAFE.results(scale, seed).items()
        for name in GUARANTEED
    }
    return Cases("regret over that of UCB or RCUCB as printed", found, axis="log").much_less()


@claims("B43", "Sharing frees the learner from the number of limits: with 20 of them instead of 3 a lower bound for "
        "whoever shares does not rise, where regret rises in proportion for whoever keeps the pairs apart.",
        "Section 3", ours=True, figure=MOST_WORTH.name, note="Indep, over log T as T grows, exact up to quadrature: "
        "apart the constant of Burnetas and Katehakis, which is attained. In proportion: at least half of 20/3 (ours). "
        "The largest limit alone: what worse arms cost that are explored with it")  # fmt: skip
def shared_lower(scale, seed):
    few, *_, many = MOST_WORTH.results(scale, seed).values()
    flat = {"lower bound": many.shared / few.shared, "largest limit alone": many.largest / few.largest}
    return [
        Cases("regret with pairs apart, 20 limits over 3", exact(many.apart / few.apart)).at_least(10 / 3),
        Cases("regret sharing, 20 limits over 3", {name: exact(one) for name, one in flat.items()}).at_most(SIMILAR[1]),
    ]


@claims("B44", "A certain generosity in the choice of the limit might be favorable.", "Section 3.3",
        note="10 limits, exact, the arm for which it is least. Whoever plays an arm with no more than the limit that "
        "suits it best cannot tell its law from one under which all rounds beyond that limit end just above it, with "
        "reward 1: there the next limit pays more than the best pair, and regret is linear. So generosity is needed",
        quote="a certain generosity regarding the choice of the resource limit might be favorable")  # fmt: skip
def generosity(scale, seed):
    least = {problem: exact(hidden_excess(PROBLEMS[problem](limits=10)).min()) for problem in PROBLEMS}
    return Cases("gain that the next limit may hide above the best pair", least).above(0)
