"""The figures: who has less regret, by how much, and where."""

from ...claims import claim, least
from ...simulate import simulate
from ..experiments import instances, paper, tables
from ..experiments.instances import GAIN, PROBLEMS, TS, UCB
from ..experiments.tables import TEXT
from ..policies import thompson
from .common import FIRST, READINGS


def ranking(id, sentence, where, results, scale):
    """RCUCB has less regret than Thompson sampling and UCB, by reading."""
    holds, said = {}, []
    for reading, name in READINGS.items():
        gaps = [least(result, other, name) for result in results for other in (TS, UCB)]
        holds[reading] = min(gaps) > 0
        said.append(f"{min(gaps):,.0f} ({reading})")
    size = paper.sizes(scale)
    tolerance = f"paired 95 % intervals above 0, {size.runs} runs of {size.rounds:,} rounds"
    return claim(id, sentence, where, f"least lower end of (other - RCUCB): {'; '.join(said)}", tolerance, holds)


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


def many_limits(scale, seed):
    """B16."""
    found = paper.ratios(scale, seed)
    said = [f"{name} {found[name, 'M1'][0]:.1f} and {found[name, 'M2'][0]:.1f}" for name in PROBLEMS]
    return claim(
        "B16", "RCUCB's advantage grows with the number of limits.", "Appendix F.1",
        f"regret of Thompson sampling over RCUCB's with 2 and with 20 limits: {'; '.join(said)}", "grows in all three",
        {FIRST: all(found[name, "M2"][0] > found[name, "M1"][0] for name in PROBLEMS)},
    )  # fmt: skip


def correlated(scale, seed):
    """B17."""
    found = {}
    for name in PROBLEMS:
        regret = tables.results(scale, seed)[name, "size 10", TEXT].regret.mean(axis=1)[:, -1]
        names = tables.results(scale, seed)[name, "size 10", TEXT].policies
        found[name] = regret[names.index(UCB)] / regret[names.index(GAIN)]
    return claim(
        "B17", "RCUCB's advantage is larger where reward and consumption are correlated.", "Section 5.1, Figure 4",
        "regret of UCB over RCUCB's: " + ", ".join(f"{name} {value:.1f}" for name, value in found.items()),
        f"larger in PosCorr and in NegCorr than in Indep, {paper.sizes(scale).runs} runs of 100,000 rounds",
        {FIRST: min(found["PosCorr"], found["NegCorr"]) > found["Indep"]},
    )  # fmt: skip


def varies(scale, seed):
    """B18."""
    found = {}
    for (name, grid), result in paper.sweep4(scale, seed).items():
        last = {policy: result.of_policy(policy)[:, -1].std(ddof=1) for policy in (GAIN, TS)}
        found[name, grid] = last[TS] / last[GAIN]
    low = min(found, key=found.get)
    return claim(
        "B18", "Thompson sampling varies more from run to run than RCUCB.", "Section 5.1, Figure 4",
        f"standard deviation of final regret over RCUCB's: {min(found.values()):.2f} ({', '.join(low)}) to "
        f"{max(found.values()):.1f}", "> 1.5 in all nine panels, after 100,000 rounds",
        {FIRST: min(found.values()) > 1.5} if scale == "paper" else None,
    )  # fmt: skip


def below_both(scale, seed):
    """B20."""
    found = {}
    for key, result in paper.sweep4(scale, seed).items():
        shares = result.final.groupby("policy")["censored"].mean()
        found[key] = (shares[GAIN], shares[TS], shares[UCB])
    cells = {key: value for key, value in found.items() if key[1] != "M1"}
    ordered = all(a < b < c for a, b, c in cells.values())
    said = [f"{name}, {grid}: " + ", ".join(f"{x:.3f}" for x in value) for (name, grid), value in cells.items()]
    return claim(
        "B20", "RCUCB censors fewest of its rounds, then (as the tables are headed) Thompson sampling, then UCB.",
        "Section 5.1", "RCUCB, Thompson sampling, UCB: " + "; ".join(said),
        "means; 10 and 20 limits, after 100,000 rounds",
        {FIRST: ordered} if scale == "paper" else None,
    )  # fmt: skip


def all_limits(scale, seed):
    """B21."""
    size, gaps, said = paper.sizes(scale), [], []
    for name in PROBLEMS:
        world = instances.problem(name, "size 10")
        args = len(world.gaps), world.limits, world.penalty
        policies = {mode: thompson(*args, mode) for mode in ("per_tau", "naive")}
        result = simulate(world, policies, size.rounds, size.runs, seed, 1)
        gaps.append(least(result, "naive", "per_tau"))
        mean = result.regret[:, :, -1].mean(axis=1)
        said.append(f"{name} {mean[1] / mean[0]:.2f}")
    return claim(
        "B21", "Thompson sampling that updates all limits up to the played one is significantly better.",
        "Appendix E.1, footnote 13", f"regret of the naive update over its: {', '.join(said)}",
        f"paired 95 % intervals above 0, {size.runs} runs", {"Equation 32": min(gaps) > 0},
    )  # fmt: skip


def forest(scale, seed):
    """B28."""
    table = instances.recording()
    sentence = "On random forests RCUCB earns most and is censored least; Thompson sampling and UCB are alike."
    where = "Section 5.2, Figure 5"
    if table is None:
        return claim("B28", sentence, where, "no recorded table", "—", None)
    _, result = paper.replay(table, seed)
    shares = result.final.groupby("policy")["censored"].mean()
    earned = {name: -result.of_policy(name)[:, -1].mean() for name in result.policies}
    holds = {
        reading: earned[name] > max(earned[TS], earned[UCB]) and shares[name] < min(shares[TS], shares[UCB])
        for reading, name in READINGS.items()
    }
    said = ", ".join(f"{name} {earned[name]:,.0f} / {shares[name]:.3f}" for name in result.policies)
    return claim("B28", sentence, where, f"reward / censored share: {said}", "means of 10 runs", holds)
