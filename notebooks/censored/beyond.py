"""Figures beyond the paper: what sharing is worth, the readings of Equation 9, and z-RCUCB, which has no experiment."""

import functools
from typing import NamedTuple

import numpy as np

from banditlab.censored import bounds
from banditlab.evidence import Cases, ratio
from banditlab.figures import plots
from banditlab.study.study import Live, Study, one_seed

from . import drawings, runs
from .drawings import RECOMMENDED
from .runs import DELTA, GAIN, KL, PRINTED, PROBLEMS, UCB, UCB_SAME, WIDTHS
from .studies import PAPER, QUICK


class Promised(NamedTuple):
    """What Theorem 2 says of a problem with this near-optimality dimension, where no pair loses more than the worst."""

    world: object
    near: bounds.NearOptimality
    worst: float
    slope: float  # of the fall from the best limit; at most 1 where the theorem applies

    def loss(self, parts, horizon):
        """The simple regret that the theorem allows."""
        args = self.world.penalty, self.world.arms, horizon, runs.ALPHA, parts, DELTA
        return bounds.theorem2(*args, self.near)


@functools.cache
def promised(problem):
    """Three arms of a problem, and its dimension and constant, by counting cells."""
    world = runs.interval_of(problem)
    worst = float(world.best - bounds.zooming.gains_on(world)[1].min())
    return Promised(world, bounds.near_optimality(world), worst, bounds.secant_slope(world))


def theorem2_said(problem, found):
    """What Theorem 2 says of a problem's (m, T): it is vacuous where it allows more than the worst pair loses."""
    theorem = promised(problem)
    if theorem.slope > 1:
        return (
            f"{problem}: Theorem 2 does not apply, gains fall up to {theorem.slope:.2g} times as fast as the distance "
            "from the best limit."
        )
    limits = {
        f"m = {cell.parts}, T = {T:,}": theorem.loss(cell.parts, T)
        for cell, table in found.items()
        for T in sorted(set(table["T"]))
    }
    useful = [f"{limit:.3g} for {which}" for which, limit in limits.items() if limit < theorem.worst]
    said = (
        f"{problem}: dimension {theorem.near.dimension:.2g}, constant {theorem.near.constant:.3g}, no pair loses more "
        f"than {theorem.worst:.3g}; Theorem 2"
    )
    if not useful:
        return f"{said} is vacuous: it allows {min(limits.values()):.3g} at best."
    return f"{said} allows {', '.join(useful)}" + ("." if len(useful) == len(limits) else ", and is vacuous otherwise.")


def zooming_said(found, n):
    by = {c.problem: {d: table for d, table in found.items() if d.problem == c.problem} for c in found}
    return (
        rf"Simple regret $\nu^*-\nu$ of the recommended pair, mean of {n.runs} runs, three arms of each problem with "
        "penalty $4x^2$ (ours: the paper has no experiment). The paper returns a pair of the finest cell; the pair of "
        f"the largest lower confidence bound is our addition; means below {drawings.LEAST:g} are drawn there. "
        "Near-optimality dimension and constant by counting cells. "
        + " ".join(theorem2_said(*pair) for pair in by.items())
    )


def by_problem(indep, others):
    """Horizons of a cell."""
    return lambda cell: indep if cell.problem == "Indep" else others


ZOOMING = Study(
    "z-RCUCB", "what z-RCUCB recommends", runs.simple_regrets, zooming_said,
    grid=dict(problem=tuple(runs.INTERVALS), parts=(2, 4)),
    sizes=dict(
        quick=dict(horizon=100_000, horizons=by_problem((20_000, 100_000), (20_000, 50_000)), runs=10),
        paper=dict(
            horizon=1_000_000,
            horizons=by_problem((20_000, 100_000, 1_000_000), (20_000, 100_000, 300_000)),
            runs=10,
        ),
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
        "whether or not they are good, so the finest cell is often the wrong one, and changes with the horizon."
    )


SWINGS = Study(
    "The recommendation that swings", "what two ways to recommend a pair lose", runs.recommended, swings_said,
    grid=dict(curvature=(0.25, 0.5, 1.0, 2.0, 4.0), rounds=(20_000, 50_000, 100_000)), fixed=dict(parts=2),
    sizes=dict(quick=dict(runs=10), paper=dict(runs=100)), draw=drawings.swings, seeds=one_seed, ours=True,
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
    draw=drawings.worth_of_sharing, seeds=one_seed, ours=True,
    live=Live(moves=dict(alpha=None, limits=None), guests=False),
)  # fmt: skip


def most_worth_said(found, n):
    (few, first), *_, (many, last) = [(cell.limits, one) for cell, one in found.items()]
    said = ", ".join(f"{one.apart / one.shared:.1f} with {cell.limits}" for cell, one in found.items())
    return (
        rf"Least regret over $\log T$ as T grows, {n.problem}: of learners keeping all pairs apart (attained), and of "
        rf"any learner (a lower bound). So sharing is worth at most a factor {said} limits. Apart, the "
        f"price of {many} limits is {last.apart / first.apart:.1f} times that of {few}; shared, the bound is "
        f"{last.shared / first.shared:.2f} times as large."
    )


MOST_WORTH = Study(
    "What sharing is worth at most", "least regret of any learner, sharing or not", runs.most_worth, most_worth_said,
    grid=dict(limits=(3, 5, 10, 20)), fixed=dict(problem="Indep"), sizes=dict(quick={}, paper={}),
    draw=drawings.most_worth, seeds=one_seed, ours=True, live=Live(moves=dict(limits=None)),
)  # fmt: skip


def leaving_said(found, n):
    left = {c.steepness: one for c, one in found.items() if np.isfinite(one.rounds).any()}
    said = "; ".join(
        f"L = {L:g}: computed {one.computed:,.0f}, simulated {np.median(one.rounds):,.0f}" for L, one in left.items()
    )
    return (
        rf"The round in which RCUCB with the width as printed first plays a limit below the largest: {n.problem}, 10 "
        rf"limits, promise 0.5, {n.runs} runs of {n.horizon:,} rounds. Until then all limits of an arm share their "
        rf"rounds, so that it follows from gains and penalties alone (line). Median: {said or 'no run leaves it'}. "
        f"Right: five indices of arm 1 in the first run, L = {drawings.shown_steepness(found):g}; the largest limit is "
        "played until another index comes up to it."
    )


LEAVING = Study(
    "How long the printed width stays", "how long the printed width stays where it starts", runs.left, leaving_said,
    grid=dict(steepness=(2.0, 3.0, 5.0, 10.0, 20.0)), fixed=dict(problem="Indep"),
    sizes=dict(quick=dict(horizon=20_000, runs=8), paper=dict(horizon=20_000, runs=40)), draw=drawings.leaving,
    panel="L = {steepness:g}", seeds=one_seed, ours=True, live=Live(moves=dict(steepness=None)),
)  # fmt: skip


def refined_said(found, n):
    (one,) = found.values()
    above = {c: one.logs[one.pulls > allowed] for c, allowed in one.allowed.items()}
    first = ", ".join(f"{logs[0]:.0f} (C = {c})" for c, logs in above.items() if len(logs))
    return (
        rf"Pulls of the worse of two arms over $\alpha\log T/\Delta^2$, exact: one limit that nothing exceeds, no "
        rf"noise, $\lambda={n.penalty:g}$, $\alpha={n.alpha:g}$, $\Delta=0.5$. They rise to "
        rf"$2(1+\lambda)^2={one.limit:.4g}$. Grey: leading terms of the bounds. That of Remark 3, "
        r"$8(1+C\lambda/\log T)^2$, falls to 8 whatever the constant C: "
        + (f"the pulls exceed it from log T = {first} on." if first else "not exceeded up to log T = 700.")
        + (" With this penalty the limit is not above 8." if one.limit <= 8 else "")
    )


REMARK_3 = Study(
    "Remark 3", "the factor that Remark 3 conjectures", runs.refined, refined_said, fixed=dict(penalty=9.0, alpha=2.0),
    sizes=dict(quick={}, paper={}), draw=drawings.refined, seeds=one_seed, ours=True,
)  # fmt: skip


def readings_title(cell):
    """Title of a panel."""
    return f"{cell.problem}, {WIDTHS[cell.width].removeprefix('RCUCB, ')}"


def survivals_said(found, n):
    own, *others = runs.SURVIVALS.values()
    said = []
    for name in others:
        ratios = [ratio(r.final_regret(name), r.final_regret(own)).value for r in found.values()]
        said.append(f"{name}: {min(ratios):.2f} to {max(ratios):.2f}")
    return (
        rf"Regret of RCUCB under the readings of $\hat P_i(C>\tau)$, {n.runs} runs, 10 limits. Over that of the first "
        f"reading, in {len(found)} panels: {'; '.join(said)}."
    )


CUT_SHORT = Study(
    "Readings of Equation 9", "what a round that was cut short counts for", runs.survivals, survivals_said,
    grid=dict(width=("printed", "gain_only"), problem=tuple(PROBLEMS)),
    sizes=dict(quick=dict(QUICK, runs=10), paper=dict(PAPER, runs=20)),
    draw=drawings.side_by_side(readings_title, None, None), panel="{problem}, {width}", seeds=one_seed, ours=True,
    live=Live(moves=dict(width=runs.widths_of)),
)  # fmt: skip


def safe_said(found, n):
    own = {cell.problem: result.final_regret(KL).mean() for cell, result in found.items()}
    others = {c.problem: min(r.final_regret(name).mean() for name in GUARANTEED) for c, r in found.items()}
    said = ", ".join(f"{problem} {others[problem] / value:.1f}" for problem, value in own.items())
    return (
        rf"Regret of KL-UCB on RCUCB's shared counts (ours), whose deviation inequality knows every limit's range, "
        rf"beside the paper's learners, {n.runs} runs, {plots.band_name(None)}. The least regret of a learner of the "
        rf"paper with a guarantee (UCB, RCUCB as printed) over its own: {said}. RCUCB's first term "
        "alone, which gives the paper's tables, has none: an unlucky start may cost it everything (claim B41)."
    )


GUARANTEED = UCB, PRINTED
SAFE = Study(
    "Shared and safe", "an index that shares and is safe", runs.shared_and_safe, safe_said,
    grid=dict(problem=tuple(PROBLEMS)), sizes=dict(quick=dict(QUICK, runs=5), paper=dict(PAPER, runs=20)),
    draw=drawings.side_by_side(lambda cell: cell.problem, None), panel="{problem}", seeds=one_seed, ours=True,
)  # fmt: skip


def count_stuck(result):
    """Policy to how many runs lose more than half of what the worse of two arms costs."""
    worst = result.checkpoints[-1] * drawings.environment(result).gaps.max()
    return {name: int((result.final_regret(name) > 0.5 * worst).sum()) for name in result.policies}


def unlucky_said(found, n):
    (result,) = found.values()
    said = "; ".join(f"{name}: {count}" for name, count in count_stuck(result).items())
    return (
        f"Two arms and one limit with penalty 9; the better arm is censored in 3 % of its rounds. {n.runs} runs of "
        f"{n.horizon:,} rounds; runs that lose more than half of what the worse arm costs: {said}. An arm that was "
        "censored early has a low mean, and where the width is narrow it may not be played again. Left: mean regret; "
        "right: all runs by their regret at the end."
    )


UNLUCKY = Study(
    "An unlucky start", "who is stuck after an unlucky start", runs.unlucky, unlucky_said,
    sizes=dict(quick=dict(horizon=20_000, runs=100), paper=dict(horizon=100_000, runs=2000)),
    draw=drawings.regret_and_runs, seeds=one_seed, ours=True,
)  # fmt: skip
