"""The figures: who has less regret, by how much, and where."""

from itertools import pairwise

import numpy as np

from ...claims import claim
from ...simulation import simulate
from ..experiments import instances, live, paper, tables
from ..experiments.instances import PRINTED, PROBLEMS, TS, UCB
from ..policies import thompson
from .common import AS_PRINTED, READINGS, ends, positive

MUCH = 1.5  # a standard deviation is much higher than another if it is this many times as large


def last(result, name):
    """A policy's regret at the horizon, run by run."""
    return result.of_policy(name)[:, -1]


def ranking(id, sentence, where, results, scale):
    """RCUCB has less regret than Thompson sampling and UCB, by reading."""
    holds, said = {}, []
    for reading, name in READINGS.items():
        gaps = [ends(last(result, other) - last(result, name)) for result in results for other in (TS, UCB)]
        holds[reading] = positive(gaps)
        low, high = np.min(gaps, axis=0)
        said.append(f"{low:,.0f} to {high:,.0f} ({reading})")
    size = paper.sizes(scale)
    tolerance = f"paired 95 % intervals above 0, {size.runs} runs of {size.rounds:,} rounds"
    return claim(id, sentence, where, f"other - RCUCB where it is least: {'; '.join(said)}", tolerance, holds)


def cells(scale, seed, *grids):
    """Results of Figures 4, 6 and 7 on these grids."""
    return [result for (_, grid), result in paper.sweep4(scale, seed).items() if grid in grids]


def best_problems(scale, seed):
    """B12."""
    sentence = "RCUCB has less regret than Thompson sampling and UCB in all three problems."
    return ranking("B12", sentence, "Section 5.1, Figure 4", cells(scale, seed, "size 10"), scale)


def best_grids(scale, seed):
    """B13."""
    sentence = "So it has with 2 and with 20 limits."
    return ranking("B13", sentence, "Appendix F.1, Figures 6 and 7", cells(scale, seed, "M1", "M2"), scale)


def best_many(scale, seed):
    """B14."""
    sentence = "So it has with 20, 50 and 80 arms."
    return ranking("B14", sentence, "Appendix F.2, Figure 8", list(paper.sweep8(scale, seed).values()), scale)


def best_low(scale, seed):
    """B15."""
    sentence = "So it has where hardly any round is censored."
    return ranking("B15", sentence, "Appendix F.3, Figure 9", [paper.sweep9(scale, seed)], scale)


def ratios(result, name):
    """By competitor, values by run whose mean is the logarithm of its mean regret over this policy's (delta method)."""
    own, found = last(result, name), {}
    for other in (TS, UCB):
        lost = last(result, other)
        found[other] = np.log(lost.mean() / own.mean()) + lost / lost.mean() - own / own.mean()
    return found


def compared(id, sentence, where, what, steps, scale, seed):
    """Ratios of regret in some panels of Figures 4, 6 and 7: all above 1, and in every step the second the larger."""
    holds, said = {}, []
    tolerance = "95 % intervals (delta method): ratios above 1, changes above 0; 100,000 rounds, λmax = λ(0.9)"
    if scale != "paper":
        return claim(id, sentence, where, "needs 100,000 rounds of Thompson sampling", tolerance, None)
    panels = list(dict.fromkeys(cell for step in steps for cell in step))
    for reading, name in READINGS.items():
        found = {cell: ratios(paper.sweep4(scale, seed)[cell], name) for cell in panels}
        changes = [found[after][other] - found[before][other] for before, after in steps for other in (TS, UCB)]
        logs = [found[cell][other] for cell in panels for other in (TS, UCB)]
        holds[reading] = positive([ends(values) for values in logs + changes])
        for other in (TS, UCB):
            values = ", ".join(f"{np.exp(found[cell][other].mean()):.2f}" for cell in panels)
            said.append(f"{other} {values} ({reading})")
    return claim(id, sentence, where, f"regret over RCUCB's {what}: {'; '.join(said)}", tolerance, holds)


def many_limits(scale, seed):
    """B16."""
    steps = [step for name in PROBLEMS for step in pairwise((name, grid) for grid in ("M1", "size 10", "M2"))]
    sentence, where = "RCUCB's advantage grows with the number of limits.", "Appendix F.1, Figures 4, 6 and 7"
    return compared("B16", sentence, where, "with 2, 10, 20 limits of each problem", steps, scale, seed)


def correlated(scale, seed):
    """B17."""
    steps = [(("Indep", "size 10"), (name, "size 10")) for name in ("PosCorr", "NegCorr")]
    sentence = "RCUCB's advantage over its competitors is larger where reward and consumption are correlated."
    return compared("B17", sentence, "Section 5.1, Figure 4", "in Indep, PosCorr, NegCorr", steps, scale, seed)


def spread(result, name):
    """Values by run whose mean is the logarithm of the standard deviation of final regret (delta method)."""
    lost = last(result, name)
    return np.log(lost.std()) + 0.5 * (((lost - lost.mean()) / lost.std()) ** 2 - 1)


def varied(id, sentence, where, results, calmer, scale):
    """Thompson sampling varies much more than RCUCB, and than the policies in `calmer`, in all panels."""
    holds, said = {}, []
    tolerance = f"95 % intervals of all ratios (delta method) above {MUCH:g}, 100,000 rounds"
    if scale != "paper":
        return claim(id, sentence, where, "needs 100,000 rounds of Thompson sampling", tolerance, None)
    for reading, name in READINGS.items():
        more = [spread(result, TS) - spread(result, other) for result in results for other in (name, *calmer)]
        holds[reading] = positive([ends(values - np.log(MUCH)) for values in more])
        sizes = [np.exp(values.mean()) for values in more]
        said.append(f"{min(sizes):.2f} to {max(sizes):.2f} ({reading})")
    said = f"ratio of standard deviations of final regret: {'; '.join(said)}"
    return claim(id, sentence, where, said, tolerance, holds)


def varies(scale, seed):
    """B18, first half."""
    sentence = "With 2 and with 20 limits Thompson sampling varies much more from run to run than the other two."
    results = cells(scale, seed, "M1", "M2")
    return varied("B18a", sentence, "Appendix F.1, Figures 6 and 7", results, (UCB,), scale)


def varies_low(scale, seed):
    """B18, second half."""
    sentence = "Where hardly any round is censored RCUCB varies much less from run to run than Thompson sampling."
    return varied("B18b", sentence, "Appendix F.3, Figure 9", [paper.sweep9(scale, seed)], (), scale)


def all_limits(scale, seed):
    """B21."""
    size, gaps, said = paper.sizes(scale), [], []
    for name in PROBLEMS:
        world, known = instances.problem(name, "size 10"), paper.sweep4(scale, seed)[name, "size 10"]
        policy = thompson(len(world.gaps), world.limits, world.penalty, "naive")
        naive = last(simulate(world, {"naive": policy}, size.rounds, size.runs, seed, 1), "naive")
        gaps.append(ends(naive - last(known, TS)))
        said.append(f"{name} {naive.mean() / last(known, TS).mean():.2f}")
    return claim(
        "B21", "Thompson sampling that updates all limits up to the played one is significantly better.",
        "Appendix E.1, footnote 13", f"regret of the naive update over its: {', '.join(said)}",
        f"paired 95 % intervals above 0, {size.runs} runs of {size.rounds:,} rounds", {"Equation 32": positive(gaps)},
    )  # fmt: skip


def stays(scale, seed):
    """B29."""
    result = tables.results(scale, seed)["PosCorr", "size 10", tables.TEXT]
    pulls = live.pulls_of(result)[PRINTED]
    share = pulls[:, -1].sum() / pulls.sum()
    return claim(
        "B29", "(ours) On PosCorr RCUCB as printed never leaves the largest limit.", "Section 5.1, Figure 4",
        f"share of rounds there: {share:.5f}", f"≥ 0.999, mean of {paper.sizes(scale).runs} runs of 100,000 rounds",
        {AS_PRINTED: share >= 0.999},
    )  # fmt: skip
