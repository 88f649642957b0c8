"""Claims on the bounds (Sections 3 to 5, Appendix A)."""

import math

import numpy as np

from banditlab.engine.simulate import simulate
from banditlab.evidence import Cases, Untested, exact, mean
from banditlab.factored import bounds
from banditlab.factored.environments import gaussian
from banditlab.factored.policies import fucb

from ..beyond import hardest
from ..drawings import prices_of
from ..runs import READINGS, manufacturing, one_gap, pricing
from ..studies import ASYMPTOTICS, FIGURE_4, MANUFACTURING, PRICING, REWARD_ONLY
from .common import TRACKS, claims

INSTANCES = 200  # random ones of an exact check
SMALL = 5  # components up to which the linear program of Theorem 4.2 is solved


@claims(
    "T1",
    "For every algorithm some instance costs at least σ/(4√2) Σ √(k_i T).",
    "Theorem 3.1",
    note="F-UCB on the instances of the proof; the proof supports 1/16 in place of 1/(4√2)",
)
def worst_case(scale, seed):
    d, k, sigma, horizon, runs = 3, 4, FIGURE_4.fixed["sigma"], 10_000, 20
    gap = sigma / 2 * math.sqrt(k / horizon)
    world = gaussian(one_gap(d, k, gap), sigma)
    regret = simulate(world, {"F-UCB": fucb([k] * d, sigma)}, horizon, runs, seed, 1).final_regret("F-UCB")
    found = {c: bounds.worst_case_lower([k] * d, sigma, horizon, c) for c in ("printed", "proof")}
    return Untested("a sentence on all algorithms, which runs of one can only illustrate", {
        f"constant as in the {word}": Cases("F-UCB's regret over the bound", mean(regret / found[key])).at_least(1)
        for word, key in (("theorem", "printed"), ("proof", "proof"))
    })  # fmt: skip


@claims(
    "T2",
    "Without intermediate observations the dependence on σ^d is unavoidable.",
    "Theorem 3.2",
    figure="Reward only",
    note="three algorithms that see the reward only, on the instance of the proof",
)
def reward_only(scale, seed):
    found, n = REWARD_ONLY.results(scale, seed), REWARD_ONLY.numbers(scale)
    over = {
        f"{name}, d = {cell.d}": mean(
            result.final_regret(name) / bounds.reward_only_lower([2] * cell.d, n.sigma, n.horizon)
        )
        for cell, result in found.items()
        for name in result.policies
        if name != "F-UCB" and hardest(cell.d, n.sigma, n.horizon)
    }
    return Untested("a sentence on all algorithms, which runs of three can only illustrate", {
        "as printed": Cases("regret over the bound with 1/(16e)", over, axis="log").at_least(1)
    })  # fmt: skip


@claims(
    "A14",
    "The explicit solution is the value of the linear program.",
    "Theorems 3.3 and 3.4",
    figure="Figure 1",
    note=f"{INSTANCES} random instances with ties, zeros, unequal sizes",
)
def explicit_bound(scale, seed):
    rng, worst, sigma = np.random.default_rng(seed), 0.0, FIGURE_4.fixed["sigma"]
    for _ in range(INSTANCES):
        means = [np.round(rng.uniform(0, 1, rng.integers(2, 5)), rng.integers(1, 4)) for _ in range(rng.integers(1, 4))]
        closed, program = bounds.lower_bound_constant(means, sigma), bounds.lower_bound_lp(means, sigma)
        worst = max(worst, abs(closed - program) / max(1e-12, abs(program)) if program else abs(closed))
    return Cases("largest relative difference", exact(worst)).below(1e-7)


@claims(
    "A15",
    "F-UCB's regret never exceeds Theorems 4.1 and 4.2 and Corollary 4.3.",
    "Section 4",
    figure="Figure 4",
    note=f"all horizons of Figure 4; the linear program of Theorem 4.2 at T, d ≤ {SMALL}",
)
def bounds_hold(scale, seed):
    n, found, programs = FIGURE_4.numbers(scale), {}, {}
    for cell, result in FIGURE_4.results(scale, seed).items():
        means, regret = one_gap(cell.d, 2, cell.gap), result.of_policy("F-UCB")
        for t, values in zip(result.checkpoints.tolist(), regret.T, strict=True):
            least = min(bounds.upper_bound(means, n.sigma, t), bounds.worst_case_upper([2] * cell.d, n.sigma, t))
            found[f"{FIGURE_4.title_of(cell)}, T = {t:,}"] = mean(values / least)
        if cell.d <= SMALL:
            program = bounds.upper_bound_lp(means, n.sigma, n.horizon, n.alpha)
            programs[FIGURE_4.title_of(cell)] = mean(regret[:, -1] / program)
    return [
        Cases("regret over the smaller of Theorem 4.1 and Corollary 4.3", found).below(1),
        Cases("regret over Theorem 4.2", programs).below(1),
    ]


@claims(
    "A16",
    "The order of F-UCB's bound is below those of Robust-UCB and TEA.",
    "Section 4.2, Table 1",
    note="500 random instances; the constants and logarithms apart, as the table compares them",
)
def orders(scale, seed):
    rng, robust, elimination = np.random.default_rng(seed), 0.0, 0.0
    for _ in range(500):
        means = [rng.uniform(0, 1, rng.integers(2, 5)) for _ in range(rng.integers(1, 5))]
        own = bounds.fucb_order(means)
        robust = max(robust, own / bounds.robust_ucb_order(means))
        elimination = max(elimination, own / bounds.tea_order(means))
    return Cases("largest ratio of the instance factors", {
        "over Robust-UCB's": exact(robust), "over TEA's": exact(elimination)
    }).at_most(1 + 1e-12)  # fmt: skip


@claims(
    "T3",
    "F-UCB is tight in σ, d and k: it matches the lower bound up to logarithms.",
    "Section 4.1, Table 2",
    note="leading terms of Theorem 4.1 over Theorem 3.1, all k alike: 16√2 √(α log T)",
)
def tight(scale, seed):
    alpha, horizon, found = FIGURE_4.fixed["alpha"], 10**7, {}
    allowed = 16 * math.sqrt(2 * alpha * math.log(horizon))
    for sigma, d, k in ((0.1, 1, 2), (0.5, 3, 4), (1.0, 10, 2), (2.0, 2, 30), (0.3, 20, 5)):
        rest = (bounds.g1(alpha) + 1) * d * k
        upper = bounds.worst_case_upper([k] * d, sigma, horizon, alpha) - rest
        ratio = upper / bounds.worst_case_lower([k] * d, sigma, horizon)
        found[f"σ = {sigma:g}, d = {d}, k = {k}"] = exact(ratio / allowed - 1)
    return Cases("ratio over 16√2 √(α log T), less 1", found).between(-1e-9, 1e-9)


@claims(
    "T4",
    "Theorem 4.1's constant g(α) is of order (α - 2)^-2.",
    "Theorem 4.1",
    note="of the expression in the proof, b + b² / log((α + 2) / 4), as α falls to 2",
)
def order_of_g(scale, seed):
    near, far = 2 + 1e-6, 2 + 1e-5
    return Cases("exponent of 1 / (α - 2)", exact(math.log10(bounds.g1(near) / bounds.g1(far)))).at_most(2)


@claims(
    "T5",
    "F-Track's regret is at most C(ν) log T in the limit.",
    "Theorem 5.1",
    figure="Theorem 5.1",
    note="exact without recovery; N₀ as printed is 4 from T = 8,104 to 8.9 million, and wrong plans cost T",
)
def optimal_in_the_limit(scale, seed):
    found = {cell.horizon: ratios for cell, (ratios, _) in ASYMPTOTICS.results(scale).items()}
    return Untested("at horizons that nobody reaches", {
        reading: Cases(f"E R_T / (C(ν) log T) at T = {max(found):,}", exact(found[max(found)][name])).at_most(1)
        for reading, name in TRACKS.items()
        if "eps_div" not in READINGS[name]
    })  # fmt: skip


@claims(
    "A19",
    "With known prices and costs the bound continues to hold, times the largest price.",
    "Appendix A",
    figure="Pricing",
    note="two examples; with costs the proof covers indices capped at 1 only",
)
def priced_bound(scale, seed):
    asked = {"index as printed": {}, "index capped at 1": {}}
    for title, play, study in (("pricing", pricing, PRICING), ("manufacturing", manufacturing, MANUFACTURING)):
        result = play(**{**study.fixed, "runs": 20}, seed=seed)  # the sliders start with fewer
        known, n = prices_of(result.settings["environment"]), study.fixed
        limit = bounds.priced_upper(*known, n["sigma"], n["horizon"], n["alpha"], cap=True)
        for reading, name in zip(asked, ("F-UCB, costs known", "F-UCB, costs known, capped"), strict=True):
            asked[reading][title] = mean(result.final_regret(name) / limit)
    return {reading: Cases("regret over the bound", found).below(1) for reading, found in asked.items()}
