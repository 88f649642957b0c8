"""The instances and sweeps that the figures share."""

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from ... import figures
from ...simulation import per_run, simulate
from ...validate import choice
from .. import bounds, environments
from ..environments import oblivious_delay, stochastic, streak_delay
from ..policies import ars_clw, ars_exp3, ars_ucb, clw, exp3, generalised_odaaf, odaaf, ucb1
from . import sequences

SHAPES = ["random delay", "interval", "decreasing", "increasing", "discounted", "polynomial"]
NINE = tuple(i / 10 for i in range(9, 0, -1))  # the paper's means
GROWTHS = {"k": "k", "k2": "k²", "k3": "k³", "2k": "2ᵏ"}
ALPHAS = (1.0, 2.0, 4.0, 8.0)
VARIANTS = ("ODAAF mean", "ODAAF bound", "ODAAF var", "generalised ODAAF")


class Case(NamedTuple):
    """One of the paper's twelve shapes."""

    shape: Callable  # makes it: polynomial shapes need functions that are slow to import
    told: float  # longest delay that the benchmarks are told; infinite where there is none


CASES = {
    "random 10–30": Case(partial(environments.random_delay, 10, 30), 30),
    "random 0–60": Case(partial(environments.random_delay, 0, 60), 60),
    "interval 30–40": Case(partial(environments.interval, 30, 40), 40),
    "interval 10–20": Case(partial(environments.interval, 10, 20), 20),
    "decreasing 100": Case(partial(environments.decreasing, 100), 100),
    "decreasing 50": Case(partial(environments.decreasing, 50), 50),
    "increasing 100": Case(partial(environments.increasing, 100), 100),
    "increasing 50": Case(partial(environments.increasing, 50), 50),
    "discounted 0.8": Case(partial(environments.discounted, 0.8), math.inf),
    "discounted 0.9": Case(partial(environments.discounted, 0.9), math.inf),
    "polynomial 3": Case(partial(environments.polynomial, 3.0), math.inf),
    "polynomial 2": Case(partial(environments.polynomial, 2.0), math.inf),
}
EIGHT = [name for name, case in CASES.items() if math.isfinite(case.told)]  # cells with a benchmark


def shuffled(seed, means, shape):
    """The stochastic world with its arms in random order, so that ties by index favour nobody."""
    return stochastic(np.random.default_rng(seed).permutation(means), shape)


def shuffled_runs(means, shape):
    """A `shuffled` world for every run, the same for all policies."""
    return per_run(shuffled, means=[float(mean) for mean in means], shape=shape)


def named(alpha, growth):
    """Name of a setting of ARS-UCB."""
    return f"α = {alpha:g}, f = {GROWTHS[growth]}"


def shape_of(delay, d, start, gamma, power):
    """The shape that the sliders describe, and the longest delay that a benchmark may be told."""
    choice("delay", delay, SHAPES)
    first = min(round(start * d), d - 1 if delay == "interval" else d)
    made = {
        "random delay": lambda: environments.random_delay(first, d),
        "interval": lambda: environments.interval(first, d),
        "decreasing": lambda: environments.decreasing(d),
        "increasing": lambda: environments.increasing(d),
        "discounted": lambda: environments.discounted(gamma),
        "polynomial": lambda: environments.polynomial(power),
    }[delay]()
    return made, math.inf if delay in ("discounted", "polynomial") else d


def words(delay, d, start, gamma, power):
    """The shape in words, for titles."""
    shape, _ = shape_of(delay, d, start, gamma, power)
    if delay in ("random delay", "interval"):
        return f"{delay} {shape.first:g} to {shape.second:g}"
    return f"{delay} parts, " + (f"d = {d}" if delay.endswith("creasing") else f"γ = {shape.first:g}")


def benchmarks(arms, horizon, case):
    """The four variants of ODAAF, told the truth."""
    moments = bounds.delay_moments(case.shape())
    told = dict(bound=case.told, variance=moments.variance)
    variants = [odaaf(arms, horizon, moments.mean, variant=variant, **told) for variant in ("mean", "bound", "var")]
    return dict(zip(VARIANTS, [*variants, generalised_odaaf(arms, horizon, case.told)], strict=True))


def settings(arms):
    """ARS-UCB with the paper's growth functions at every alpha: 13 settings."""
    pairs = [(alpha, "k2") for alpha in ALPHAS] + [(a, f) for a in (4.0, 2.0, 8.0) for f in ("k", "k3", "2k")]
    return {named(alpha, growth): ars_ucb(arms, alpha, growth) for alpha, growth in pairs}


def one_case(name, horizon, runs, seed, checkpoints):
    """All policies on one of the twelve cases."""
    case, arms = CASES[name], len(NINE)
    policies = settings(arms) | {"UCB1, delay-blind": ucb1(arms)}
    if math.isfinite(case.told):
        policies |= benchmarks(arms, horizon, case)
    return simulate(shuffled_runs(NINE, case.shape()), policies, horizon, runs, seed, checkpoints)


def rule(delays, d):
    """The delay rule of Figure 5 by name."""
    if choice("rule", delays, ("non-oblivious", "oblivious")) == "oblivious":
        return oblivious_delay(max(1, d // 2), d)
    return streak_delay(d)


def contestants(arms, horizon, d, beta=0.5, errors=(), blind=True):
    """The policies of Figure 5; CLW is told d, and d with each of these relative errors that changes it."""
    policies = {"ARS-EXP3": ars_exp3(arms, horizon, beta), "CLW, d told": clw(arms, horizon, d)}
    for told in {max(1, round(d * (1.0 + error))): None for error in errors}:
        if told != d:
            policies[f"CLW, told {told} for {d}"] = clw(arms, horizon, told)
    policies |= {"ARS-CLW, p = 1/3": ars_clw(arms), "ARS-CLW, p = 1/4": ars_clw(arms, 0.25)}
    return policies | ({"EXP3, delay-blind": exp3(arms, horizon)} if blind else {})


def duel(world, arms, horizon, runs, seed, d, errors=(), blind=True, checkpoints=8, only=None):
    """The policies of Figure 5 in a world of `sequences`."""
    policies = contestants(arms, horizon, d, errors=errors, blind=blind)
    policies = {key: policy for key, policy in policies.items() if only is None or key in only}
    result = simulate(world, policies, horizon, runs, seed, checkpoints)
    sequences.drawn.cache_clear()
    return result


def spread_panels(figure, result, styles=None, columns=(1, 2)):
    """Left: means with intervals, medians thin. Right: the share of runs with at most so much regret at the horizon."""
    left, right = columns
    figures.regret(result, figure=figure, column=left, styles=styles)
    for place, name in enumerate(result.policies):
        index = place if styles is None else styles[name]
        regret = result.of_policy(name)
        median = np.median(regret, axis=0)
        figures.curve(figure, result.checkpoints, median, name, index, column=left, legend=False, line=dict(width=1))
        final = np.sort(regret[:, -1])
        share = np.arange(1, len(final) + 1) / len(final)
        figures.curve(figure, final, share, name, index, column=right, legend=False, line=dict(shape="hv"))
    figures.name_band(figure, None)
    figure.update_xaxes(title_text=f"regret at T = {result.checkpoints[-1]:,}", row=1, col=right)
    figure.update_yaxes(title_text="share of runs", range=[0, 1.03], row=1, col=right)
