"""What is played beyond the paper: who is misled, alpha against T, what knowledge of the delays is worth, readings."""

import numpy as np

from banditlab.analysis.record_run import record_run
from banditlab.building_blocks.growing_arrays import cut_into_pieces
from banditlab.composite import bounds
from banditlab.composite.environments import adversarial, oblivious_delay, streak_delay
from banditlab.composite.policies import ars_clw, ars_exp3, ars_ucb, clw, doubling, generalised_odaaf, odaaf
from banditlab.engine.instances import drawn_by, random_instances
from banditlab.engine.simulate_horizons import simulate_horizons
from banditlab.study.parameters import Size, bundle

from . import sequences
from .data import STAND_INS
from .delay import CASES, described
from .lottery import Lottery
from .runs import ARS, CLW, NINE, SLOW, delays_of, described_runs, named, pair, played, shuffled_runs

INDEPENDENT = {name: tuple(p / sum(counts) for p in counts) for name, counts in STAND_INS.items()} | {
    "0.9, 0.1": (0.9, 0.1), "0.8, 0.2": (0.8, 0.2), "0.6, 0.4": (0.6, 0.4), "0.8, 0.1, 0.1": (0.8, 0.1, 0.1),
    "0.5, 0.3, 0.2": (0.5, 0.3, 0.2), "nearly flat": tuple(0.12 - 0.04 * i / 9 for i in range(10)),
}  # chances of the arms  # fmt: skip
WIDE = (1.0, 2.0, 4.0, 8.0, 16.0)
ODAAF_TOLD, GENERAL_TOLD = "ODAAF, told {:g} × the mean", "gen. ODAAF, told {:g} × d"


@bundle(world=described_runs, size=Size)
def alpha_against_t(world, growth, arms, size):
    """Values of alpha, recorded at 64 steps on the way."""
    return size.simulate(world, {named(alpha, growth): ars_ucb(arms, alpha, growth) for alpha in WIDE}, 64)


def benchmarks_told(delay, told, arms, horizon):
    """ODAAF that is told so many times the truth, by names that do not say how many."""
    mean = bounds.delay_moments(delay.shape).mean
    policies = {}
    if np.isfinite(mean):
        policies[ODAAF_TOLD.format(told)] = odaaf(arms, horizon, told * mean)
    if np.isfinite(delay.told):
        policies[GENERAL_TOLD.format(told)] = generalised_odaaf(arms, horizon, told * delay.told)
    return policies


@bundle(delay=described, world=described_runs, size=Size)
def knowledge(delay, world, told, arms, size):
    """ODAAF told the truth and so many times the truth, beside ARS-UCB, which is told nothing."""
    policies = {named(4.0, "k2"): ars_ucb(arms)}
    for times in dict.fromkeys((1.0, told)):
        policies |= benchmarks_told(delay, times, arms, size.horizon)
    return size.simulate(world, policies)


@bundle(size=Size)
def knowledge_case(case, told, size):
    """ODAAF told each of so many times the truth, beside ARS-UCB, in one of the paper's cases."""
    delay, policies = CASES[case], {named(4.0, "k2"): ars_ucb(len(NINE))}
    for times in told:
        policies |= benchmarks_told(delay, times, len(NINE), size.horizon)
    return size.simulate(shuffled_runs(NINE, delay.shape), policies, 1)


def tied_chances(tie, best=0.5):
    """Chances of three arms to be the one that pays: the best, one that nearly ties, and the rest."""
    return best, tie * best, 1.0 - best - tie * best


def draws_tied(tie, rounds, delays):
    """What draws the world of `tied` in compiled code."""
    return Lottery(np.array(tied_chances(tie)), 1.0, False, rounds, delays)


@drawn_by(draws_tied)
def tied(seed, tie, rounds, delays):
    """An adversarial world on a fresh sequence of three arms, two of which nearly tie."""
    best, both = np.cumsum(tied_chances(tie))[:-1]
    rng, labels = np.random.default_rng(seed), np.zeros(rounds, np.int32)
    for piece in cut_into_pieces(labels):
        u = rng.random(len(piece))
        piece += u >= best
        piece += u >= both
    return adversarial(labels, delays, arms=3)


@bundle(size=Size)
def misled(tie, d, rule, size):
    """ARS-EXP3 and CLW where two of three arms nearly tie."""
    delays = streak_delay(d) if rule == "non-oblivious" else oblivious_delay(1, 1)
    world = random_instances(tied, tie=tie, rounds=size.horizon, delays=delays)
    return size.simulate(world, pair(3, size.horizon, d), 16)


@bundle(size=Size)
def betas(game, betas, size):
    """ARS-EXP3 with rounds that grow at several speeds."""
    world = sequences.worlds(game.sequence, size.horizon, delays_of(game.rule, game.d))
    arms = len(sequences.chances(game.sequence, size.horizon))
    return played(world, {f"β = {b:g}": ars_exp3(arms, size.horizon, b) for b in betas}, size, 8)


@bundle(size=Size)
def readings(game, size):
    """What the paper leaves open: rounding of g, unknown horizon, the first coins, a multiple of γ."""
    horizon = size.horizon
    world = sequences.worlds(game.sequence, horizon, delays_of(game.rule, game.d))
    arms = len(sequences.chances(game.sequence, horizon))
    policies = {
        ARS: ars_exp3(arms, horizon), CLW: clw(arms, horizon, game.d),
        "g rounded down": ars_exp3(arms, horizon, rounding="floor"),
        "g rounded to the nearest": ars_exp3(arms, horizon, rounding="nearest"),
        "coins waited for": clw(arms, horizon, game.d, start="wait"),
        "doubling": doubling(lambda T: ars_exp3(arms, T)),
        "ARS-EXP3, 4 γ": ars_exp3(arms, horizon, rate=4.0), "CLW, 4 γ": clw(arms, horizon, game.d, rate=4.0),
    }  # fmt: skip
    return played(world, policies, size, 8)


def logarithm(horizon):
    """A guess h that grows with the logarithm."""
    return max(1, int(np.ceil(np.log(horizon))))


@bundle(size=Size)
def guessing(delay, size):
    """ARS-CLW with three guesses h, and CLW that is told a delay of 1, the right one, and a hundred, on week7."""
    arms, world = len(STAND_INS["week7"]), sequences.worlds("week7", size.horizon, oblivious_delay(delay, delay))
    policies = {"h = T^(1/3)": ars_clw(arms), "h = T^(1/4)": ars_clw(arms, 0.25), "h = ln T": ars_clw(arms, logarithm)}
    policies |= {f"CLW, told {d}": clw(arms, size.horizon, d) for d in sorted({1, delay, 100})}
    return played(world, policies, size, size.horizon // 1000)


def lottery(seed, chances, rounds, delays):
    """An adversarial world in which every arm pays with its own chance, one in each round."""
    rng, labels = np.random.default_rng(seed), np.zeros(rounds, np.int32)
    for piece in cut_into_pieces(labels):
        u = rng.random(len(piece))
        for limit in np.cumsum(chances)[:-1]:  # few arms: faster than a search
            piece += u >= limit
    return adversarial(labels, delays, arms=len(chances))


def lotteries(chances, rounds, delays):
    """A `lottery` for every run."""
    return random_instances(lottery, chances=[float(p) for p in chances], rounds=rounds, delays=delays)


@bundle(size=Size)
def longer(game, size):
    """ARS-EXP3 alone in a game of Figure 5, for longer."""
    world = sequences.worlds(game.sequence, size.horizon, delays_of(game.rule, game.d))
    return played(world, {ARS: ars_exp3(len(sequences.chances(game.sequence, size.horizon)), size.horizon)}, size, 8)


@bundle(size=Size)
def independent(name, d, size):
    """ARS-EXP3 and CLW told d on independent rounds, under delays that do not watch."""
    chances = INDEPENDENT[name]
    world = lotteries(chances, size.horizon, delays_of("oblivious", d))
    return size.simulate(world, pair(len(chances), size.horizon, d), 1)


@bundle(size=Size)
def learnt_guess(chances, delay, size):
    """ARS-CLW where it learns, under a constant delay; recorded often enough to tell before from after."""
    world = lotteries(chances, size.horizon, oblivious_delay(delay, delay))
    return size.simulate(world, {"h = T^(1/4)": ars_clw(len(chances), 0.25)}, size.horizon // 1000)


@bundle(size=Size)
def learnt_clw(game, size):
    """ARS-CLW where it learns, under oblivious delays; a game is its chances and its longest delay."""
    chances, d = game
    world = lotteries(chances, size.horizon, delays_of("oblivious", d))
    return size.simulate(world, {SLOW[0]: ars_clw(len(chances)), SLOW[1]: ars_clw(len(chances), 0.25)}, 8)


def learnt_slopes(chances, d, horizons, runs, seed, progress=None):
    """ARS-EXP3 where it learns, made anew for every horizon, under delays that watch the player."""

    def world(horizon):
        return lotteries(chances, horizon, streak_delay(d))

    return simulate_horizons(world, lambda T: {ARS: ars_exp3(len(chances), T)}, list(horizons), runs, seed, progress)


def used_radius(means, shape, policy, horizon, runs, seed):
    """The largest error of what ARS-UCB has seen per pull, over the hidden radius: (runs,)."""
    found, late, world = [], (bounds.d1(means, shape), bounds.d2(means, shape)), shuffled_runs(means, shape)
    for run in range(runs):
        state, true = record_run(world, policy, horizon, seed, run).state, max(means) - world.draw(seed, run).gaps
        rounds = state.begun - (np.arange(len(means)) == state.arm)
        error = np.abs(state.sums / state.pulls - true)
        found.append(float((error / bounds.hidden_radius(state.pulls, rounds, horizon, *late)).max()))
    return np.array(found)
