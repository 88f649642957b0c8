"""What is played: one cell each, from plain numbers."""

import math
from typing import NamedTuple

import numpy as np

from banditlab.analysis.record_run import record_run
from banditlab.composite import bounds
from banditlab.composite.environments import oblivious_delay, random_delay, stochastic, streak_delay
from banditlab.composite.policies import ars_clw, ars_exp3, ars_ucb, clw, exp3, generalised_odaaf, odaaf, ucb1
from banditlab.engine.instances import random_instances
from banditlab.engine.simulate_horizons import simulate_horizons
from banditlab.study.parameters import Size, bundle
from banditlab.validate import choice

from . import sequences
from .data import STAND_INS
from .delay import CASES, EIGHT, described

NINE = tuple(i / 10 for i in range(9, 0, -1))  # the paper's means
GROWTHS = {"k": "k", "k2": "k²", "k3": "k³", "2k": "2ᵏ"}
ALPHAS = (1.0, 2.0, 4.0, 8.0)
VARIANTS = ("ODAAF mean", "ODAAF bound", "ODAAF var", "generalised ODAAF")
BENCHMARK = {name: VARIANTS[0] if name.startswith("random") else VARIANTS[3] for name in EIGHT}  # the paper's
RULES = ("non-oblivious", "oblivious")
BLIND = "UCB1, delay-blind"
ARS, CLW, SLOW = "ARS-EXP3", "CLW, d told", ("ARS-CLW, p = 1/3", "ARS-CLW, p = 1/4")
SHOWN = 600  # steps in the picture of rounds


def named(alpha, growth):
    """Name of a setting of ARS-UCB."""
    return f"α = {alpha:g}, f = {GROWTHS[growth]}"


SEVEN = [named(a, "k2") for a in ALPHAS] + [named(4.0, f) for f in ("k", "k3", "2k")]  # ours: the paper names no curve
CENTRE = named(4.0, "k2")  # what it favours
SAFE_SETTINGS = [named(4.0, f) for f in GROWTHS] + [named(8.0, "k2")]  # of these, α ≥ 4


def evenly(arms, gap):
    """Means of arms that differ by the gap, the best one at 0.9."""
    if not gap > 0:
        raise ValueError(f"gap={gap}: must be above 0")
    low = 0.9 - gap * (arms - 1)
    if low < -1e-9:
        most = 0.9 / (arms - 1)
        raise ValueError(f"gap={gap}: {arms} arms from 0.9 down would need negative means; at most {most:.3f}")
    return np.maximum(0.9 - gap * np.arange(arms), 0.0)


def shuffled(seed, means, shape):
    """The stochastic world with its arms in random order, so that ties by index favour nobody."""
    return stochastic(np.random.default_rng(seed).permutation(means), shape)


def shuffled_runs(means, shape):
    """A `shuffled` world for every run, the same for all policies."""
    return random_instances(shuffled, means=[float(mean) for mean in means], shape=shape)


@bundle(delay=described, means=evenly)
def described_runs(delay, means):
    """The worlds at the sliders' numbers."""
    return shuffled_runs(means, delay.shape)


def benchmarks(arms, horizon, delay):
    """The four variants of ODAAF, told the truth."""
    moments = bounds.delay_moments(delay.shape)
    told = dict(bound=delay.told, variance=moments.variance)
    variants = [odaaf(arms, horizon, moments.mean, variant=variant, **told) for variant in ("mean", "bound", "var")]
    return dict(zip(VARIANTS, [*variants, generalised_odaaf(arms, horizon, delay.told)], strict=True))


def settings(arms):
    """ARS-UCB with the paper's growth functions at every alpha: 13 settings."""
    pairs = [(alpha, "k2") for alpha in ALPHAS] + [(a, f) for a in (4.0, 2.0, 8.0) for f in ("k", "k3", "2k")]
    return {named(alpha, growth): ars_ucb(arms, alpha, growth) for alpha, growth in pairs}


@bundle(size=Size)
def stochastic_case(case, size):
    """All policies on one of the twelve cases; checkpoints T/16, 2T/16, ..., T."""
    delay, arms = CASES[case], len(NINE)
    policies = settings(arms) | {BLIND: ucb1(arms)}
    if math.isfinite(delay.told):
        policies |= benchmarks(arms, size.horizon, delay)
    return size.simulate(shuffled_runs(NINE, delay.shape), policies, 16)


@bundle(size=Size)
def safe_case(case, size):
    """The settings with alpha of 4 and more on one of the twelve cases, for many runs."""
    policies = {name: policy for name, policy in settings(len(NINE)).items() if name in SAFE_SETTINGS}
    return size.simulate(shuffled_runs(NINE, CASES[case].shape), policies, 1)


@bundle(size=Size)
def drawn_case(case, size):
    """Our seven settings on one of the twelve cases."""
    policies = {name: policy for name, policy in settings(len(NINE)).items() if name in SEVEN}
    return size.simulate(shuffled_runs(NINE, CASES[case].shape), policies, 1)


@bundle(size=Size)
def favoured_case(case, size):
    """The setting that the paper favours, and its benchmark, on one of the eight cases that have one."""
    delay, arms, name = CASES[case], len(NINE), BENCHMARK[case]
    policies = {CENTRE: settings(arms)[CENTRE], name: benchmarks(arms, size.horizon, delay)[name]}
    return size.simulate(shuffled_runs(NINE, delay.shape), policies, 1)


@bundle(size=Size)
def at_once(growths, size):
    """ARS-UCB without any delay, with rounds of one step and with every growth function."""
    policies = {growth: ars_ucb(len(NINE), 4.0, growth) for growth in growths}
    return size.simulate(shuffled_runs(NINE, random_delay(0, 0)), policies, 1)


@bundle(delay=described, world=described_runs, size=Size)
def regret(delay, world, alpha, growth, arms, size):
    """ARS-UCB, ODAAF, which is told the delays, and UCB1, which does not know of them."""
    moments = bounds.delay_moments(delay.shape)
    policies = {"ARS-UCB": ars_ucb(arms, alpha, growth), BLIND: ucb1(arms)}
    if math.isfinite(moments.mean):
        policies["ODAAF, told the mean"] = odaaf(arms, size.horizon, moments.mean)
    if math.isfinite(delay.told):
        policies["gen. ODAAF, told d"] = generalised_odaaf(arms, size.horizon, delay.told)
    return size.simulate(world, policies)


@bundle(world=described_runs, size=Size)
def alphas(world, growth, arms, size):
    """Four values of alpha."""
    return size.simulate(world, {named(alpha, growth): ars_ucb(arms, alpha, growth) for alpha in ALPHAS})


@bundle(world=described_runs, size=Size)
def growths(world, alpha, arms, size):
    """Four growth functions."""
    return size.simulate(world, {named(alpha, growth): ars_ucb(arms, alpha, growth) for growth in GROWTHS})


class Strip(NamedTuple):
    """Which arm was played when, in one run."""

    ranks: dict  # of policy to (steps,) place of the arm by its mean, from 1
    first: int  # steps of each arm with which ODAAF begins; 0 where it does not play


@bundle(delay=described, means=evenly)
def rounds(delay, means, alpha, growth, horizon, seed, progress=None):
    """Which arm is played when, in one run of three policies."""
    arms, steps, mean = len(means), min(SHOWN, horizon), bounds.delay_moments(delay.shape).mean
    policies = {"ARS-UCB": ars_ucb(arms, alpha, growth), "UCB1": ucb1(arms)}
    if math.isfinite(mean):
        policies["ODAAF"] = odaaf(arms, horizon, mean)
    world = shuffled_runs(means, delay.shape)
    ranks = 1 + np.argsort(np.argsort(world.draw(seed, 0).gaps, kind="stable"), kind="stable")
    found = {name: ranks[record_run(world, policy, steps, seed).actions] for name, policy in policies.items()}
    return Strip(found, int(policies["ODAAF"].plays[1]) if "ODAAF" in policies else 0)


class Game(NamedTuple):
    """Against whom Figure 5 is played."""

    sequence: str
    rule: str  # whether the delays watch the player
    d: int  # longest delay


def delays_of(rule, d):
    """The delay rule of Figure 5 by name."""
    if choice("rule", rule, RULES) == "oblivious":
        return oblivious_delay(max(1, d // 2), d)
    return streak_delay(d)


def contestants(arms, horizon, d, beta=0.5, errors=()):
    """The policies of Figure 5; CLW is told d, and d with each of these relative errors that changes it."""
    policies = {ARS: ars_exp3(arms, horizon, beta), CLW: clw(arms, horizon, d)}
    for told in {max(1, round(d * (1.0 + error))): None for error in errors}:
        if told != d:
            policies[f"CLW, told {told} for {d}"] = clw(arms, horizon, told)
    policies |= {SLOW[0]: ars_clw(arms), SLOW[1]: ars_clw(arms, 0.25)}
    return policies | {"EXP3, delay-blind": exp3(arms, horizon)}


def pair(arms, horizon, d):
    """The two that Figure 5 compares."""
    return {ARS: ars_exp3(arms, horizon), CLW: clw(arms, horizon, d)}


@bundle(size=Size)
def game(game, size):
    """A panel of Figure 5; where delays do not watch, CLW is also told 10 % less and more."""
    world, errors = sequences.worlds(game.sequence, size.horizon, delays_of(game.rule, game.d)), (-0.1, 0.1)
    arms = len(sequences.chances(game.sequence, size.horizon))
    policies = contestants(arms, size.horizon, game.d, errors=errors if game.rule == "oblivious" else ())
    return played(world, policies, size, 8)


@bundle(size=Size)
def adversary(sequence, rule, d, error, beta, size):
    """Figure 5 on a stand-in, with an error of one's own."""
    world = sequences.synthetic_worlds(sequence, size.horizon, delays_of(rule, d))
    policies = contestants(len(STAND_INS[sequence]), size.horizon, d, beta, (error,))
    return played(world, policies, size, 100)


def slopes(sequence, d, horizons, runs, seed, progress=None):
    """ARS-EXP3 and CLW, made anew for every horizon, under delays that watch the player."""

    def world(horizon):
        return sequences.synthetic_worlds(sequence, horizon, streak_delay(d))

    found = simulate_horizons(
        world, lambda T: pair(len(STAND_INS[sequence]), T, d), list(horizons), runs, seed, progress
    )
    sequences.drawn.cache_clear()
    return found


@bundle(size=Size)
def stress(rule, sequence, d, size):
    """ARS-EXP3 and CLW where two arms nearly tie: delays that watch, or constant ones."""
    delays = streak_delay(d) if rule == "watching" else oblivious_delay(*[int(rule.removeprefix("constant "))] * 2)
    world = sequences.synthetic_worlds(sequence, size.horizon, delays)
    return played(world, pair(len(STAND_INS[sequence]), size.horizon, d), size, 8)


def played(world, policies, size, checkpoints):
    """A simulation in a world of sequences, which are long: they are forgotten afterwards."""
    found = size.simulate(world, policies, checkpoints)
    sequences.drawn.cache_clear()
    return found
