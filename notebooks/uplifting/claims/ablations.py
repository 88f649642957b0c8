"""Claims on tuning (Table 3) and on the ablations (Figure 3)."""

from banditlab.analysis.tune import score
from banditlab.evidence import (
    SIMILAR,
    Cases,
    Untested,
    bootstrap,
    count,
    growth_exponent,
    mean,
    proportion,
    quantile,
    quotient,
    ratio,
)
from banditlab.uplifting.environments import paper_gaussian

from .. import data, tables
from ..names import LCB, UCB, UP, UPLIFTING
from ..studies import FIGURE_3, LOCKED, TUNED
from .collected import MORE, claims

SHOWN = dict(figure="Figure 3")
WHERE_A, WHERE_B = "Section 7.1, Figure 3 (a)", "Section 7.1, Figure 3 (b)"


def both(scale, seed):
    """UpUCB with the upper and with the lower confidence bound of the baseline, tuned at Table 3's horizon."""
    found = {cell.policy: one for cell, one in TUNED.results(scale, seed, policy=(UP, LCB)).items()}
    return found[UP], found[LCB]


def of_the_tail(question, runs):
    """A question about a 95 % quantile: open with fewer than the paper's 100 runs, of which it is the fifth largest."""
    return question if runs >= 100 else count(question.what, {f"{runs} runs, not 100": None})


@claims("A1", "With the baseline's lower bound UpUCB needs a larger β.", WHERE_A, **SHOWN,
        note="open where the smaller β scores no worse there by 2 standard errors")  # fmt: skip
def larger_beta(scale, seed):
    upper, lower = both(scale, seed)
    worse, spread = lower.worse_by(upper.best)
    answer = bool(lower.best > upper.best) if worse > 2 * spread else None
    return count("tuned β is larger", {f"lower bound {lower.best:g}, upper bound {upper.best:g}": answer})


@claims("A2", "Tuned, both variants are similar in mean.", WHERE_A, **SHOWN)
def similar_means(scale, seed):
    upper, lower = both(scale, seed)
    return Cases("lower bound / upper bound", ratio(lower.final(lower.best), upper.final(upper.best))).similar()


@claims("A3", "The variant with the lower bound has a much higher 95th percentile.", WHERE_A, **SHOWN)
def heavier_tail(scale, seed):
    upper, lower = (one.final(one.best) for one in both(scale, seed))
    found = quotient(quantile(lower, 0.95), quantile(upper, 0.95))
    return of_the_tail(Cases("ratio of 95 % quantiles", found, axis="log").at_least(MORE), len(lower))


@claims("A4", "The best parameter in mean is also best in the 95th percentile.", WHERE_A, **SHOWN,
        note="its 95 % quantile is at most ten per cent above the least of the grid")  # fmt: skip
def same_optimum(scale, seed):
    found = {}
    for name, one in zip((UP, LCB), both(scale, seed), strict=True):
        own, best = one.final(one.best), one.result.regret[int(one.table["q95"].argmin()), :, -1]
        found[name] = quotient(quantile(own, 0.95), quantile(best, 0.95))
    return of_the_tail(Cases("95 % quantile over the least", found).at_most(SIMILAR[1]), len(own))


def locked(one, parameter, world, most=0.5):
    """Run by run, whether a worse action was played most of the time."""
    pulls = one.result.diagnostics["pulls"][one.result.policies.index(repr(parameter))]
    return pulls[:, world.gaps > 0].max(axis=1) > most * one.result.checkpoints[-1]


@claims("A5", "Subtracting the lower bound fails more frequently.", WHERE_A, **SHOWN,
        note="a run fails that plays a worse action in more than half of the rounds")  # fmt: skip
def fails_more(scale, seed):
    world, (upper, lower) = paper_gaussian(seed), both(scale, seed)
    fails = [locked(one, one.best, world).astype(float) for one in (lower, upper)]
    return Cases("share of runs that fail, lower minus upper", mean(fails[0] - fails[1])).above(0)


@claims("E1", "With too little exploration the mean may be smaller, but the deviation is extremely large.",
        "Appendix D.1", figure="Figure 3",
        note="for some policy the parameter of least mean is smaller than the one of least score, and "
        "deviates at least 1.5 times as much (ours)")  # fmt: skip
def too_little(scale, seed):
    answers = {}
    for cell, one in TUNED.results(scale, seed, policy=(UCB, *UPLIFTING, LCB)).items():
        table = one.table.set_index("parameter")
        bold = table["mean"].idxmin()
        wild = bool(bold < one.best and table["std"][bold] >= MORE * table["std"][one.best])
        enough = one.result.regret.shape[1] >= 100
        answers[f"{cell.policy}: least mean at {bold:g}, tuned {one.best:g}"] = wild if enough else None
    return count("policies with such a parameter", answers, needed=1)


def told(scale, seed):
    """UpUCB-nAff (bl) by the L that it is told, tuned."""
    cells = FIGURE_3.results(scale, seed).items()
    return {int(cell.case.split()[-1]): one for cell, one in cells if cell.case.startswith("given")}


@claims("L1", "Told too large an L, UpUCB-nAff (bl) is still sublinear but its regret is much larger.", WHERE_B,
        figure="Figure 3")  # fmt: skip
def overspecified(scale, seed):
    found = told(scale, seed)
    wide, right = found[15], found[10]
    return [
        Cases("L = 15 / L = 10", ratio(wide.final(wide.best), right.final(right.best)), axis="log").at_least(MORE),
        Cases("growth exponent", growth_exponent(wide.result.checkpoints, wide.result.of_policy(repr(wide.best))))
        .sublinear(),
    ]  # fmt: skip


def compared(scale, seed, others):
    """What L = 8 with β = 6 saves against others, tuned."""
    found = told(scale, seed)
    ours = found[8].final(6)
    saved = {f"L = {L}, β = {found[L].best:g}": mean(found[L].final(found[L].best) - ours) for L in others}
    return Cases("regret saved by L = 8, β = 6", saved).above(0)


@claims("L2a", "A slightly too small L is made good by a larger β: L = 8 with β = 6 beats the larger L.", WHERE_B,
        figure="Figure 3")  # fmt: skip
def underspecified(scale, seed):
    return compared(scale, seed, (10, 15))


@claims("L2b", "L = 8 with β = 6 gives the smallest regret of all.", WHERE_B, figure="Figure 3")
def smallest(scale, seed):
    return compared(scale, seed, (5, 10, 15))


@claims("L3", "With a much too small L, UpUCB-nAff (bl) fails whatever the β.", WHERE_B, figure="Figure 3",
        scales=("paper",),
        note="for every β at least a tenth of the runs (ours) plays a worse action most of the time")  # fmt: skip
def severely_underspecified(scale, seed):
    world, found = paper_gaussian(seed), {}
    for cell, one in LOCKED.results(scale, seed).items():
        runs = {f"β = {p:g}": locked(one, p, world) for p in one.table["parameter"]}
        grows = {f"β = {p:g}": growth_exponent(one.result.checkpoints, one.result.of_policy(repr(p)))
                 for p in one.table["parameter"]}  # fmt: skip
        found[f"L = {cell.L}"] = [
            Cases("share of runs that fail", {b: proportion(int(s.sum()), len(s)) for b, s in runs.items()}).at_least(
                0.1
            ),
            Cases("growth exponent", grows).linear(),
        ]
    return found


def as_good(found, setting):
    """Whether the printed parameters score within ten per cent of our best."""
    losses = {}
    for name, one in found.items():
        ours, best = one.final(tables.printed(setting, name)), one.final(one.best)
        losses[name] = bootstrap(lambda rows, a=ours, b=best: score(a[rows], -1) / score(b[rows], -1), len(ours))
    return Cases("mean plus deviation, printed parameter over our best", losses).at_most(SIMILAR[1])


def table_3(setting, scale, seed):
    """One setting of Table 3."""
    return as_good(tables.tunings(scale, seed)[setting], setting)


@claims("T3a", "The tuned parameters of Table 3: Gaussian payoffs.", "Appendix D.1, Table 3", scales=("paper",),
        figure="Table 3 in one unit",
        note="standard deviation 80; horizons ours: 100,000 rounds, 20,000 for the nAff policies")  # fmt: skip
def table_3_gaussian(scale, seed):
    return table_3("Gaussian", scale, seed)


@claims("T3b", "The tuned parameters of Table 3: Bernoulli payoffs, policies that need sums.", "Appendix D.1, Table 3",
        figure="Table 3 in one unit", note="horizon ours")  # fmt: skip
def table_3_clusters(scale, seed):
    return table_3("Bernoulli, clusters", scale, seed)


@claims("T3c", "The tuned parameters of Table 3: Bernoulli payoffs, nAff policies.", "Appendix D.1, Table 3",
        scales=("paper",), note="four values of the grid; horizon ours")  # fmt: skip
def table_3_people(scale, seed):
    return table_3("Bernoulli, variables", scale, seed)


@claims("T3d", "The tuned parameters of Table 3: the campaign.", "Appendix D.1, Table 3", scales=("paper",))
def table_3_campaign(scale, seed):
    found = tables.tunings(scale, seed)
    cases = {setting: as_good(one, setting) for setting, one in found.items() if setting.startswith("campaign")}
    return cases if data.find() else Untested(data.NO_DATA, cases)
