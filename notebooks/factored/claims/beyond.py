"""Sentences of ours: what the paper's own experiments do not show."""

from banditlab.engine.simulate import simulate
from banditlab.evidence import MUCH, Cases, exact, mean, ratio
from banditlab.factored import bounds
from banditlab.factored.policies import fucb, together_fucb

from ..beyond import TOGETHER, at_once, best_warmup, fucb_regret, of_uniform
from ..runs import TENFOLD, fresh_instances
from ..studies import COMPONENT, COORDINATION, FIGURE_3, FIGURE_4, REWARD_ONLY
from .common import claims


@claims(
    "B1",
    "F-UCB's regret with any number of alike components follows from a single one.",
    "Figure 4",
    figure="Who wins",
    ours=True,
    note="the components' choices are independent; the second reading was added after a quick run was seen",
)
def one_component_is_enough(scale, seed):
    alone, found = COMPONENT.results(scale, seed), {}
    for cell, result in FIGURE_4.results(scale, seed).items():
        (single,) = (r for c, r in alone.items() if c.gap == cell.gap)
        predicted = fucb_regret(single, cell.gap, cell.d).value
        found[cell] = mean(result.final_regret("F-UCB") / predicted)
    return {
        reading: Cases(
            "mean regret over the prediction",
            {FIGURE_4.title_of(cell): one for cell, one in found.items() if cell.d >= least},
        ).similar()
        for reading, least in (("every number in Figure 4", 1), ("10 components and more", 10))
    }


@claims(
    "B2",
    "With the best N₀ F-Track beats F-UCB from 10 components on; no formula of the paper gives that N₀.",
    "Theorem 5.1, Figure 4",
    figure="Who wins",
    ours=True,
    note="exact regret of F-Track; narrowed to 10 components and more after a quick run was seen",
)
def with_the_best_warmup(scale, seed):
    n, found, best = FIGURE_4.numbers(scale), {}, []
    for cell, result in FIGURE_4.results(scale, seed).items():
        if cell.d >= 10:
            n0, least = best_warmup(cell.gap, cell.d, n.sigma, n.horizon)
            best.append(n0)
            found[f"{FIGURE_4.title_of(cell)}, N₀ = {n0}"] = mean(least / result.final_regret("F-UCB"))
    printed = bounds.ftrack_constants(n.horizon, n.sigma).n0
    return [
        Cases("F-Track over F-UCB", found, axis="log").below(1),
        Cases("largest best N₀ over the printed one", exact(max(best) / printed), axis="log").above(1),
    ]


@claims(
    "B3",
    "On Theorem 3.2's instance those who see only the reward do little better than uniform play, whose loss "
    "grows like σ^d; F-UCB loses a small part of it.",
    "Theorem 3.2",
    figure="Reward only",
    ours=True,
    note="little better: not much better, so more than 2/3 of uniform play's loss; this bar was chosen after a quick "
    "run was seen",
)
def exponential_made_visible(scale, seed):
    found = REWARD_ONLY.results(scale, seed)
    *_, (last, widest) = found.items()
    blind = [name for name in widest.policies if name != "F-UCB"]
    shares = {f"{name}, d = {c.d}": of_uniform(r, c.d, name) for c, r in found.items() for name in blind}
    ours = {f"d = {last.d}, {name}": ratio(widest.final_regret("F-UCB"), widest.final_regret(name)) for name in blind}
    return [
        Cases("share of uniform play's loss", shares).at_least(MUCH),
        Cases("F-UCB over another", ours, axis="log").much_less(),
    ]


@claims(
    "B4",
    "F-UCB explores one option at a time; exploring side by side loses much less.",
    "Remark 4.1, Section 3.2",
    figure="Coordination",
    ours=True,
    note="one at a time: at most 1.5 bad options a round that has one, of d",
)
def coordination_made_visible(scale, seed):
    (found,) = COORDINATION.results(scale, seed).values()
    (alone, ours), (together, theirs) = found["F-UCB"], found[TOGETHER]
    return [
        Cases("bad options at once, F-UCB", ratio(*at_once(alone))).at_most(1.5),
        Cases("bad options at once, together", ratio(*at_once(together))).at_least(COORDINATION.fixed["d"] / 2),
        Cases("regret together over F-UCB's", ratio(theirs, ours), axis="log").much_less(),
    ]


@claims(
    "B5",
    "Exploring side by side beats F-Track too, without knowing the horizon.",
    "Figure 4",
    figure="Coordination",
    ours=True,
    note="d = 10, Δ = 0.9; F-Track with the N₀ of the released notebook",
)
def together_beats_track(scale, seed):
    (found,) = COORDINATION.results(scale, seed).values()
    return Cases("regret together over F-Track's", ratio(found[TOGETHER][1], found[TENFOLD][1]), axis="log").much_less()


@claims(
    "B6",
    "Exploring side by side loses more than F-UCB where gaps are small and components differ.",
    "Figure 3",
    figure="Figure 3",
    ours=True,
    note="the instances of Figure 3 with two components and more; the reverse was expected, and the sentence turned "
    "after a quick run was seen",
)
def together_where_components_differ(scale, seed):
    n, found = FIGURE_3.numbers(scale), {}
    for cell in FIGURE_3.cells(FIGURE_3.grid):
        if cell.d > 1:
            arms, world = [cell.k] * cell.d, fresh_instances(cell.k, cell.d, n.low, n.sigma)
            policies = {"F-UCB": fucb(arms, n.sigma), TOGETHER: together_fucb(arms, n.sigma)}
            result = simulate(world, policies, n.horizon, n.runs, FIGURE_3.seeds(seed, cell), 1)
            found[FIGURE_3.title_of(cell)] = ratio(result.final_regret(TOGETHER), result.final_regret("F-UCB"))
    return Cases("regret together over F-UCB's", found, axis="log").above(1)
