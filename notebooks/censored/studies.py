"""The figures of Censored Consumption: grid, numbers, and a caption that concludes from the runs."""

import numpy as np

from banditlab.censored import bounds
from banditlab.censored.environments.gaussian import correlation as correlation_of
from banditlab.evidence import mean
from banditlab.figures import plots
from banditlab.study.sentences import compared
from banditlab.study.study import Live, Study, one_seed

from . import drawings, runs
from .drawings import STYLES, environment
from .printed import HEADS, SHARES, printed
from .runs import FASTEST, GRIDS, MODELS, PROBLEMS, SLOWEST, WIDTHS

QUICK, PAPER = dict(horizon=10_000, runs=20), dict(horizon=100_000, runs=100)
SIZES = dict(quick=dict(QUICK, checkpoints=100), paper=dict(PAPER, checkpoints=100))
PAPERS = dict(alpha=1.0, width="both", ts_update="per_tau")
SOME = dict(horizon=10_000, runs=10, alpha=1.0)
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
        f"{plots.band_name(None)}. {best_said(environment(result))} {widths_said(n.width)}"
        + (bounds_said(result, n) if n.upper else "")
    )


LEAD = dict(lead=0.1, correlation=0.4, steepness=10.0, threshold=0.5, arms=10, limits=10, width="both", **SOME)
REGRET = Study(
    "Regret", "learners where one arm leads", runs.one_leads, regret_said, fixed=LEAD,
    draw=drawings.with_bounds, styles=STYLES, ours=True, live=Live(switches=("upper",)),
)  # fmt: skip


def share_said(found, n):
    (result,) = found.values()
    why = ", not less: the cheap limits hide most rounds" * (runs.lowest_share(environment(result)) > 0.5)
    return (
        rf"Expected share of censored rounds up to $t$, {n.runs} runs, {plots.band_name(None)}. "
        f"{best_said(environment(result))} A good learner is censored as often as the best pair (grey line){why}."
    )


SHARE = Study(
    "Share of censored rounds", "how often learners are cut short", runs.shares_of_rounds, share_said, fixed=LEAD,
    draw=drawings.share_of_rounds, ours=True,
)  # fmt: skip


def table_said(found, n):
    ((cell, result),) = found.items()
    said = (
        f"Expected share of censored rounds up to $t$ on {cell.problem}, {n.runs} runs, {plots.band_name(None)}. "
        f"{best_said(environment(result))}"
    )
    if (cell.problem, cell.grid) not in SHARES:
        return said + " The paper prints no shares for this grid."
    theirs = ", ".join(f"{head} {printed(cell.problem, cell.grid, head):.4f}" for head in HEADS)
    return (
        f"{said} Pale: what the paper prints after 100,000 rounds, {theirs}, in the colour of ours that it is compared "
        "with; the columns TS and UCB are very probably exchanged in print."
    )


TABLE_SHARES = Study(
    "Shares of the tables", "share of censored rounds, and the printed ones", runs.shares_on_problem, table_said,
    grid=dict(grid=tuple(GRIDS), problem=tuple(PROBLEMS)), draw=drawings.share_and_printed, ours=True,
)  # fmt: skip


def landscape_said(found, n):
    (result,) = found.values()
    return (
        rf"Colour: expected gain $\nu_{{i,\tau}}$, cut off below at $\nu^*-1$. Circles: share of the {n.horizon:,} "
        rf"rounds, by area, mean of {n.runs} runs. {best_said(environment(result))}"
    )


LANDSCAPE = Study(
    "Landscape", "where the rounds go", runs.pulls, landscape_said, fixed=LEAD, draw=drawings.landscape, ours=True,
    live=Live(guests=False),
)  # fmt: skip


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
    rho = correlation_of(runs.loading_of(n.correlation))
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
    said = f"Mean cumulative regret over {n.runs} runs, {plots.band_name(BAND)}. "
    if len(found) == 1:
        (result,) = found.values()
        censored = zip(result.policies, result.diagnostics["censored"].mean(axis=1), strict=True)
        said += f"Share of censored rounds: {', '.join(f'{name} {value:.3f}' for name, value in censored)}. "
        said += best_said(environment(result)) + " "
    return said + ahead_said(found, where)


def problems_said(found, n):
    world = environment(next(iter(found.values())))
    limits = f"{len(world.limits)} limits from {world.limits[0]:.2g} to {world.limits[-1]:.2g}. "
    return limits + learners_said(found, n, problems_title) + " The theorems are about the printed width."


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
    "Figure 8", "many arms, better ones consume less", runs.with_many_arms, many_said,
    grid=dict(arms=(20, 50, 80)), fixed=dict(PAPERS, limits=5), sizes=SIZES,
    draw=drawings.side_by_side(arms_title, BAND), panel="n = {arms}", seeds=one_seed,
)  # fmt: skip
MANY_AS_TABLES = FIGURE_8._replace(
    play=runs.many_as_tables, fixed=dict(limits=5),
    sizes=dict(quick=dict(QUICK, runs=10, checkpoints=100), paper=dict(PAPER, runs=20, checkpoints=100)),
)  # fmt: skip


def low_said(found, n):
    return learners_said(found, n, arms_title)


FIGURE_9 = Study(
    "Figure 9", "low censoring", runs.hardly_censored, low_said, grid=dict(arms=(5,)), fixed=dict(PAPERS, limits=10),
    sizes=SIZES, draw=drawings.side_by_side(arms_title, BAND), panel="n = {arms}", seeds=one_seed,
)  # fmt: skip
LOW_AS_TABLES = FIGURE_9._replace(play=runs.low_as_tables, fixed=dict(limits=10))


def forest_said(found, n):
    result = next(iter(found.values()))["cumulative reward"]
    world = environment(result)
    (arms, limits), splits = world.gaps.shape, len(world.law.table)
    last = {name: mean(result.final_regret(name)).value for name in result.policies}
    return (
        f"{arms} configurations, {splits} recorded splits, {limits} limits in the interquartile range of the training "
        f"times, {result.checkpoints[-1]:,} rounds, {n.runs} runs, {plots.band_name(None)}. UCB and Thompson "
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
FOREST_AS_TABLES = FIGURE_5._replace(play=runs.forest_as_tables, sizes=dict(paper=FIGURE_5.sizes["paper"]))


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
