"""The figures of Censored Consumption: grid, numbers, and a caption that concludes from the runs."""

import numpy as np

from ... import figures
from ...conclusions import compared
from ...evidence import Cases, mean, ratio
from ...study import Live, Study, one_seed
from .. import bounds
from ..environments.gaussian import correlation as correlation_of
from ..environments.gaussian import loading_of
from . import drawings, runs
from .drawings import RECOMMENDED, STYLES, environment
from .runs import DELTA, FASTEST, GAIN, GRIDS, MODELS, PROBLEMS, SLOWEST, UCB_SAME, WIDTHS

QUICK, PAPER = dict(horizon=10_000, runs=20), dict(horizon=100_000, runs=100)
SIZES = dict(quick=dict(QUICK, checkpoints=100), paper=dict(PAPER, checkpoints=100))
PAPERS = dict(alpha=1.0, width="both", ts_update="per_tau")
SOME = dict(QUICK, alpha=1.0)
BAND = 1.96  # the paper draws "confidence intervals, using the standard error"


def best_said(world):
    """The best pair in words."""
    arm, place = runs.best_pair(world)
    return (
        rf"Best pair: arm {arm + 1} with limit $\tau={world.limits[place]:.3g}$, gain "
        rf"$\nu^*={world.gains.max():.3f}$; it is censored in {world.survival[arm, place]:.0%} of its rounds."
    )


def widths_said(width):
    """What the widths of RCUCB that are shown stand for."""
    meaning = {
        "gain_only": "its first term alone gives the paper's results",
        "printed": "the theorems are about the one as printed",
        "normalised": "its second term divided by 1 + λmax gives the paper's results too",
    }
    return f"RCUCB's width: {'; '.join(meaning[name] for name in runs.widths_of(width))}."


def ahead_said(found, where):
    """In which panels RCUCB, in each of its widths, has less regret than the others."""
    names = dict.fromkeys(name for result in found.values() for name in result.policies)
    ours = [name for name in names if name in WIDTHS.values()]
    return " ".join(compared(found, name, other, where) for name in ours for other in names if other not in ours)


def bounds_said(result, n):
    """Which bounds say nothing here."""
    if n.alpha <= 1:
        return " No theorem holds for α ≤ 1, which the experiments take: raise α to see the bounds."
    limit = bounds.trivial(environment(result).gains, n.horizon)
    vacuous = [name for name, value in drawings.limits_of(result, n, n.horizon).items() if value >= limit]
    return f" Vacuous on this instance, above T times the largest gap: {', '.join(vacuous)}." if vacuous else ""


def regret_said(found, n):
    (result,) = found.values()
    return (
        f"Mean cumulative regret over {n.runs} runs with {n.arms} arms and {n.limits} limits, "
        f"{figures.band_name(None)}. {best_said(environment(result))} {widths_said(n.width)}"
        + (bounds_said(result, n) if n.upper else "")
    )


LEAD = dict(lead=0.1, correlation=0.4, steepness=10.0, threshold=0.5, arms=10, limits=10, width="both", **SOME)
REGRET = Study(
    "Regret", "three learners where one arm leads", runs.one_leads, regret_said, fixed=LEAD,
    draw=drawings.with_bounds, styles=STYLES, ours=True, live=Live(switches=("upper",)),
)  # fmt: skip


def share_said(found, n):
    (result,) = found.values()
    return (
        rf"Expected share of censored rounds up to $t$, {n.runs} runs, {figures.band_name(None)}. "
        f"{best_said(environment(result))} A good learner is censored as often as the best pair (grey line), not less: "
        "the cheap limits hide most rounds."
    )


SHARE = Study(
    "Share of censored rounds", "share of censored rounds", runs.shares_of_rounds, share_said, fixed=LEAD,
    draw=drawings.share_of_rounds, ours=True,
)  # fmt: skip


def landscape_said(found, n):
    (result,) = found.values()
    return (
        rf"Colour: expected gain $\nu_{{i,\tau}}$, cut off below at $\nu^*-1$. Circles: share of the {n.horizon:,} "
        rf"rounds, by area, mean of {n.runs} runs. {best_said(environment(result))}"
    )


LANDSCAPE = Study(
    "Landscape", "where the rounds go", runs.pulls, landscape_said, fixed=LEAD, draw=drawings.landscape, ours=True
)


def models_said(found, n):
    return (
        rf"Example 1 with numbers of ours (the paper draws no axes): variance {runs.SIGMA:g}, correlation "
        rf"$\rho={n.correlation:g}$, conditioned on the unit square. Complex models reward more and consume more."
    )


FIGURE_1 = Study(
    "Figure 1", "three models", runs.densities, models_said, fixed=dict(correlation=0.4),
    sizes=dict(quick={}, paper={}), draw=drawings.three_models,
)  # fmt: skip


def gains_said(found, n):
    best = []
    for cell, world in found.items():
        model = world.gains[:, drawings.kept(world, cell.threshold)].max(axis=1).argmax()
        best.append(f"promise {cell.threshold:g}: {MODELS[int(model)]}")
    rho = correlation_of(loading_of(n.correlation))
    return (
        rf"Expected gain $\nu_{{i,\tau}}$ against the limit, correlation $\rho={rho:.2f}$; limits up to the promise. "
        rf"The best model at its best limit: {'; '.join(best)}. The models' numbers are ours."
    )


PROMISES = {0.5: 10.0, 0.99: 5.0}  # threshold to steepness: strict and soft
FIGURE_2 = Study(
    "Figure 2", "which model for which limit?", runs.gains_of_models, gains_said,
    grid=dict(threshold=tuple(PROMISES)), fixed=dict(correlation=correlation_of(0.2)),
    sizes=dict.fromkeys(("quick", "paper"), dict(steepness=lambda cell: PROMISES[cell.threshold])),
    draw=drawings.gains_of_models, seeds=one_seed,
)  # fmt: skip


def grids_said(found, n):
    ((_, grids),) = found.values()
    points = np.concatenate(grids)
    return (
        rf"Grid points of each arm after {n.horizon:,} rounds, $m={n.parts}$, three arms of Indep with penalty $4x^2$: "
        rf"a cell is cut in {n.parts} when its length reaches its confidence radius. Half of all {len(points)} points "
        rf"are at most {np.median(points):.2g}: every round teaches about small limits, and their penalty is small. "
        rf"Curves: expected gain $\nu_{{i,\tau}}$."
    )


FIGURE_3 = Study(
    "Figure 3", "grids that grow", runs.zoomed, grids_said, fixed=dict(parts=4),
    sizes=dict.fromkeys(("quick", "paper"), dict(horizon=100_000)), draw=drawings.growing_grids, seeds=one_seed,
)  # fmt: skip


def problems_title(cell):
    """Title of a panel of Figures 4, 6 and 7."""
    return cell.problem


def learners_said(found, n, where):
    """What all figures of regret say, and of a single panel more."""
    said = f"Mean cumulative regret over {n.runs} runs, {figures.band_name(BAND)}. "
    if len(found) == 1:
        (result,) = found.values()
        censored = zip(result.policies, result.tallies["censored"].mean(axis=1), strict=True)
        said += f"Share of censored rounds: {', '.join(f'{name} {value:.3f}' for name, value in censored)}. "
        said += best_said(environment(result)) + " "
    return said + ahead_said(found, where)


def problems_said(found, n):
    world = environment(next(iter(found.values())))
    limits = f"{len(world.limits)} limits from {world.limits[0]:.2g} to {world.limits[-1]:.2g}; "
    return limits.capitalize() + learners_said(found, n, problems_title) + " The theorems are about the printed width."


REGRETS = Study(
    "Figures 4, 6, 7", "the problems of the paper", runs.on_problem, problems_said,
    grid=dict(grid=tuple(GRIDS), problem=tuple(PROBLEMS)), fixed=PAPERS, sizes=SIZES,
    draw=drawings.side_by_side(problems_title, BAND), panel="{problem}, {grid}", seeds=one_seed,
)  # fmt: skip
FIGURE_4, FIGURE_6, FIGURE_7 = (
    REGRETS._replace(name=name, title="three problems", grid=dict(grid=(grid,), problem=tuple(PROBLEMS)))
    for name, grid in (("Figure 4", "size 10"), ("Figure 6", "M1"), ("Figure 7", "M2"))
)
AS_TABLES = REGRETS._replace(play=runs.as_tables, fixed={})
PLAYED_ONLY = REGRETS._replace(play=runs.played_only, fixed={}, sizes=dict(quick=QUICK, paper=dict(PAPER, runs=20)))


def arms_title(cell):
    """Title of a panel of Figures 8 and 9."""
    return f"n = {cell.arms}"


def many_said(found, n):
    pairs = ", ".join(f"{cell.arms * n.limits}" for cell in found)
    return learners_said(found, n, arms_title) + (f" UCB and Thompson sampling first try every pair, {pairs} rounds.")


FIGURE_8 = Study(
    "Figure 8", "many arms, the better the thriftier", runs.with_many_arms, many_said,
    grid=dict(arms=(20, 50, 80)), fixed=dict(PAPERS, limits=5), sizes=SIZES,
    draw=drawings.side_by_side(arms_title, BAND), panel="n = {arms}", seeds=one_seed,
)  # fmt: skip


def low_said(found, n):
    return learners_said(found, n, arms_title)


FIGURE_9 = Study(
    "Figure 9", "low censoring", runs.hardly_censored, low_said, grid=dict(arms=(5,)), fixed=dict(PAPERS, limits=10),
    sizes=SIZES, draw=drawings.side_by_side(arms_title, BAND), panel="n = {arms}", seeds=one_seed,
)  # fmt: skip


def theorem2_said(found):
    """What Theorem 2 says of these (m, T): it is vacuous where it allows more than the worst pair loses."""
    world = runs.indep_interval()
    near, worst = bounds.near_optimality(world), float(world.best - bounds.zooming.gains_on(world)[1].min())
    limits = {
        f"m = {cell.parts}, T = {T:,}": bounds.theorem2(
            world.penalty, world.arms, T, runs.ALPHA, cell.parts, DELTA, near
        )
        for cell, table in found.items()
        for T in sorted(set(table["T"]))
    }
    useful = [f"{limit:.3g} for {which}" for which, limit in limits.items() if limit < worst]
    counted = f"With near-optimality dimension {near.dimension:.2g} and constant {near.constant:.3g}"
    said = f"{counted}, by counting cells, where no pair loses more than {worst:.3g}, Theorem 2"
    if not useful:
        return f"{said} is vacuous: it allows {min(limits.values()):.3g} at best."
    return f"{said} allows {', '.join(useful)}" + ("." if len(useful) == len(limits) else ", and is vacuous otherwise.")


def zooming_said(found, n):
    return (
        rf"Simple regret $\nu^*-\nu$ of the recommended pair, mean of {n.runs} runs, three arms of Indep with penalty "
        "$4x^2$ (ours: the paper has no experiment). The paper returns a pair of the finest cell; the pair of the "
        f"largest lower confidence bound is our addition; means below {drawings.LEAST:g} are drawn there. "
        + theorem2_said(found)
    )


ZOOMING = Study(
    "z-RCUCB", "what z-RCUCB recommends", runs.simple_regrets, zooming_said, grid=dict(parts=(2, 4)),
    sizes=dict(
        quick=dict(horizon=100_000, horizons=(20_000, 100_000), runs=10),
        paper=dict(horizon=1_000_000, horizons=(20_000, 100_000, 1_000_000), runs=10),
    ),
    draw=drawings.recommendations, seeds=one_seed, ours=True,
)  # fmt: skip


def swings_said(found, n):
    worst = {kind: max(found.items(), key=lambda pair, kind=kind: pair[1][kind].mean()) for kind in RECOMMENDED}
    said = [
        f"the {RECOMMENDED[kind]} {table[kind].mean():.3f} ($a={cell.curvature:g}$, T = {cell.rounds:,})"
        for kind, (cell, table) in worst.items()
    ]
    return (
        rf"Mean simple regret of both recommendations of z-RCUCB over {n.runs} runs, $m={n.parts}$, three arms of "
        rf"Indep with penalty $ax^2$. At worst it loses by {' and by '.join(said)}. Small limits are refined "
        "whether or not they are good, so the finest cell is often the wrong one; which, changes with the horizon."
    )


SWINGS = Study(
    "The recommendation that swings", "the recommendation that swings", runs.recommended, swings_said,
    grid=dict(curvature=(0.25, 0.5, 1.0, 2.0, 4.0), rounds=(20_000, 50_000, 100_000)), fixed=dict(parts=2),
    sizes=dict(quick=dict(runs=16), paper=dict(runs=40)), draw=drawings.swings, seeds=one_seed, ours=True,
    live=Live(moves=dict(curvature=None, rounds=None)),
)  # fmt: skip


def worth_said(found, n):
    ratios = {c: ratio(r.final_regret(UCB_SAME), r.final_regret(GAIN)) for c, r in found.items()}
    own = {c.limits: one.value for c, one in ratios.items() if c.alpha == 1.0}
    said = ", ".join(f"{value:.1f} with {size} limits" for size, value in own.items())
    surely = sum(Cases("", one).above(1).answer is True for one in ratios.values())
    return (
        rf"Regret of UCB on the pairs, whose width is the first term of RCUCB's, over RCUCB's own: {n.problem}, "
        rf"{n.horizon:,} rounds, {n.runs} runs. Red: sharing pays, {surely} of {len(ratios)} cells surely (95 % each). "
        rf"With $\alpha=1$ it is {said}. The rest of the paper's lead over UCB is the width, which UCB has "
        r"$(1+\lambda_{\max})/2$ times wider."
    )


WORTH = Study(
    "What sharing is worth", "what sharing is worth, and what is width", runs.worth, worth_said,
    grid=dict(alpha=(0.0625, 0.25, 1.0, 4.0), limits=(2, 3, 5, 10, 20)), fixed=dict(problem="Indep"),
    sizes=dict(quick=dict(horizon=10_000, runs=10), paper=dict(horizon=100_000, runs=20)),
    draw=drawings.worth_of_sharing, seeds=one_seed, ours=True, live=Live(moves=dict(alpha=None, limits=None)),
)  # fmt: skip


def leaving_said(found, n):
    left = {c.steepness: (t, rounds) for c, (t, rounds) in found.items() if np.isfinite(rounds).any()}
    said = "; ".join(
        f"L = {L:g}: computed {t:,.0f}, simulated {np.median(rounds):,.0f}" for L, (t, rounds) in left.items()
    )
    return (
        rf"The round in which RCUCB with the width as printed first plays a limit below the largest: {n.problem}, 10 "
        rf"limits, promise 0.5, {n.runs} runs of {n.horizon:,} rounds. Until then all limits of an arm share their "
        rf"rounds, so that it follows from gains and penalties alone (line). Median: {said or 'no run leaves it'}."
    )


LEAVING = Study(
    "How long the printed width stays", "how long the printed width stays where it starts", runs.left, leaving_said,
    grid=dict(steepness=(2.0, 3.0, 5.0, 10.0, 20.0)), fixed=dict(problem="Indep"),
    sizes=dict(quick=dict(horizon=20_000, runs=8), paper=dict(horizon=20_000, runs=40)), draw=drawings.leaving,
    panel="L = {steepness:g}", seeds=one_seed, ours=True, live=Live(moves=dict(steepness=None)),
)  # fmt: skip


def forest_said(found, n):
    result = next(iter(found.values()))["cumulative reward"]
    world = environment(result)
    (arms, limits), splits = world.gaps.shape, len(world.law.table)
    last = {name: mean(result.final_regret(name)).value for name in result.policies}
    return (
        f"{arms} configurations, {splits} recorded splits, {limits} limits in the interquartile range of the training "
        f"times, {result.checkpoints[-1]:,} rounds, {n.runs} runs, {figures.band_name(None)}. UCB and Thompson "
        "sampling try every pair once before they choose, which takes them half of the rounds; RCUCB tries every "
        "configuration once, with the largest limit. Reward at the end: "
        + ", ".join(f"{name} {value:,.0f}" for name, value in last.items())
        + "."
    )


FIGURE_5 = Study(
    "Figure 5", "configuring random forests", runs.forest, forest_said, grid=dict(order=(FASTEST,)),
    sizes=dict(quick=dict(runs=3), paper=dict(runs=10)), draw=drawings.earnings, seeds=one_seed,
)  # fmt: skip
OTHER_ORDER = FIGURE_5._replace(grid=dict(order=(SLOWEST,)))


def figure_of_recording(table, scale="quick", seed=0):
    """Figure 5 of another recording than the one that comes with the package.

    Parameters
    ----------
    table : Table, as `load_table` returns it
    scale : {"quick", "paper"}, 3 runs or the paper's 10
    seed : int >= 0

    Returns
    -------
    figure, found : plotly.graph_objects.Figure, dict
        The figure; by cell the cumulative reward and the cumulative penalised gain.
    """
    n, (cell,) = FIGURE_5.numbers(scale, seed), FIGURE_5.cells(FIGURE_5.grid)
    found = {cell: runs.replayed(table, n.runs, seed)}
    return FIGURE_5.drawn(FIGURE_5.draw, FIGURE_5.title, found, n), found
