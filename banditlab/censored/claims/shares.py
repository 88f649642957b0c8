"""The tables of censored shares: which readings give the printed numbers."""

import numpy as np

from ...claims import claim, every
from ..environments import indep, low_censoring, negcorr, poscorr
from ..experiments import instances, paper, tables
from ..experiments.instances import GRIDS, PROBLEMS, TS, TS_PLAYED, UCB, lowest_share
from ..experiments.tables import BEST, FIT, TEXT
from ..penalties import literal_grid
from .common import ALL_WIDTHS, READINGS, ends, positive

SHORT = {TEXT: "text", FIT: "fit"}
CLOSE = 0.025  # shares are close where they differ by less, and far apart where by more


def optimal_limit(scale, seed):
    """B1."""
    found = {
        "10 points from 0.1 to 0.9": [float(limit_of(instances.problem(name, "size 10"))) for name in PROBLEMS],
        "k/10 as the text has it": [float(limit_of(instances.problem(name, instances.LITERAL))) for name in PROBLEMS],
    }
    return claim(
        "B1", "The best limit of PosCorr, NegCorr and Indep is 0.4.", "Section 5.1, Appendix E.2",
        "; ".join(f"{', '.join(f'{x:.3f}' for x in xs)} ({name})" for name, xs in found.items()),
        "exact tables; |limit - 0.4| < 0.02",
        {name: all(abs(x - 0.4) < 0.02 for x in xs) for name, xs in found.items()},
    )  # fmt: skip


def limit_of(world):
    """The limit of the best pair."""
    return world.limits[instances.best_pair(world)[1]]


def optimal_arm(scale, seed):
    """B2."""
    lost = {name: [float(instances.problem(name, grid).gaps[0].min()) for grid in GRIDS] for name in PROBLEMS}
    return claim(
        "B2", "The first arm is the best in PosCorr, NegCorr and Indep.", "Appendix E.2",
        "; ".join(f"{name}: arm 1 loses {min(x):.4f} to {max(x):.4f}" for name, x in lost.items()),
        "exact tables, three grids; loses nothing in any", {TEXT: max(map(max, lost.values())) == 0},
    )  # fmt: skip


def share_claim(id, name, worlds, grids=tuple(GRIDS)):
    """P(C > limit) of the best pair against the printed one, on some grids; `worlds` maps readings to makers."""
    printed, allowed = [tables.printed(name, grid, "P*") for grid in grids], tables.TOLERANCE[BEST][name]
    found = {reading: [lowest_share(make(grid)) for grid in grids] for reading, make in worlds.items()}
    off = {reading: np.abs(np.subtract(values, printed)).max() for reading, values in found.items()}
    said = ", ".join(f"{value:.4f} ({grid})" for value, grid in zip(printed, grids, strict=True))
    return claim(
        id, f"In {name} the best pair is censored with probability {said}.", "Section 5.1 and F.1, tables, last column",
        "; ".join(f"{', '.join(f'{x:.4f}' for x in xs)}, off by {off[r]:.4f} ({r})" for r, xs in found.items()),
        f"exact tables, ± {allowed:g}", {reading: bool(value <= allowed) for reading, value in off.items()},
    )  # fmt: skip


def share_indep(scale, seed):
    """B3."""
    worlds = {
        "10 and 20 points from 0.1 to 0.9": lambda grid: indep(limits=GRIDS[grid]),
        "k/10 and k/20 as the text has it": lambda grid: indep(
            limits=GRIDS[grid] if grid == "M1" else literal_grid(GRIDS[grid])
        ),
    }
    return share_claim("B3", "Indep", worlds)


def share_negcorr(scale, seed):
    """B4, first half."""
    return share_claim("B4a", "NegCorr", {TEXT: lambda grid: negcorr(limits=GRIDS[grid])}, ("size 10", "M1"))


def share_negcorr_fine(scale, seed):
    """B4, second half."""
    return share_claim("B4b", "NegCorr", {TEXT: lambda grid: negcorr(limits=GRIDS[grid])}, ("M2",))


def share_poscorr(scale, seed):
    """B5."""
    worlds = {
        TEXT: lambda grid: poscorr(limits=GRIDS[grid]),
        FIT: lambda grid: poscorr(limits=GRIDS[grid], instance="tables"),
    }
    return share_claim("B5", "PosCorr", worlds)


def share_low(scale, seed):
    """B6."""
    value = lowest_share(low_censoring())
    return claim(
        "B6", "In the problem with low censoring the best pair is censored with probability about 0.075.",
        "Appendix F.3", f"{value:.4f}", "exact table, ± 0.0005",
        {"10 points from 0.1 to 0.6": abs(value - 0.075) < 5e-4},
    )  # fmt: skip


def shares_text(name, problem, scale, seed):
    """Mean shares of a policy on the three grids, as text."""
    table = tables.shares(scale, seed)
    return ", ".join(f"{table[problem, grid, TEXT][name].mean():.4f}" for grid in GRIDS)


def printed_text(problem, head):
    """The printed shares on the three grids."""
    return ", ".join(f"{tables.printed(problem, grid, head):.4f}" for grid in GRIDS)


def agrees(name, head, scale, seed, cells):
    """Whether a policy's mean shares are the printed ones, where they can be tested, and largest differences."""
    found = {cell[0]: tables.differences(name, head, scale, seed, *cell) for cell in cells}
    verdicts = [tables.within(*pair) for pairs in found.values() for pair in pairs]
    tested = [verdict for verdict in verdicts if verdict is not None]
    largest = {problem: max(abs(off) for off, _ in pairs) for problem, pairs in found.items()}
    return every(tested) if tested else None, ", ".join(f"{problem} {off:.4f}" for problem, off in largest.items())


def rcucb_indep(scale, seed):
    """B7."""
    holds = {r: agrees(name, "RCUCB", scale, seed, [("Indep", TEXT)])[0] for r, name in ALL_WIDTHS.items()}
    said = [f"{shares_text(name, 'Indep', scale, seed)} ({r})" for r, name in ALL_WIDTHS.items()]
    return claim(
        "B7", f"RCUCB's rounds on Indep are censored in shares {printed_text('Indep', 'RCUCB')}.",
        "Section 5.1 and F.1, tables", "; ".join(said), f"± 0.002, {paper.sizes(scale).runs} runs of 100,000 rounds",
        holds,
    )  # fmt: skip


def rcucb_others(scale, seed):
    """B8."""
    holds, said = {}, []
    for parameters in (TEXT, FIT):
        for width, name in ALL_WIDTHS.items():
            cells = [(problem, parameters) for problem in ("PosCorr", "NegCorr")]
            reading = f"{width} ({SHORT[parameters]})"
            holds[reading], off = agrees(name, "RCUCB", scale, seed, cells)
            said.append(f"{reading}: {off}")
    return claim(
        "B8", f"RCUCB's rounds are censored in shares {printed_text('PosCorr', 'RCUCB')} (PosCorr) and "
        f"{printed_text('NegCorr', 'RCUCB')} (NegCorr).", "Section 5.1 and F.1, tables",
        f"largest difference: {'; '.join(said)}",
        f"± 0.004, ± 0.003; {paper.sizes(scale).runs} runs of 100,000 rounds; parameters: text or fit", holds,
    )  # fmt: skip


def ucb_claim(id, head, sentence, scale, seed):
    """UCB's shares against the printed column of this head."""
    holds, said = {}, []
    for parameters in (TEXT, FIT):
        cells = [(problem, parameters) for problem in PROBLEMS]
        holds[parameters], off = agrees(UCB, head, scale, seed, cells)
        said.append(f"{off} ({parameters})")
    return claim(
        id, sentence, "Section 5.1 and F.1, tables", f"largest difference: {'; '.join(said)}",
        "± 0.003 on Indep, ± 0.006 on the others; λmax = 10", holds,
    )  # fmt: skip


def ucb_shares(scale, seed):
    """B9."""
    return ucb_claim("B9", "UCB", "UCB's shares of censored rounds are those headed UCB.", scale, seed)


def ucb_exchanged(scale, seed):
    """B10."""
    sentence = "(ours) The columns TS and UCB of the tables are exchanged: UCB's shares are those headed TS."
    return ucb_claim("B10", "TS", sentence, scale, seed)


def thompson_shares(scale, seed):
    """B11."""
    sentence = "(ours) Thompson sampling's shares on Indep are those headed UCB."
    where = "Section 5.1 and F.1, tables"
    tolerance = "4 standard errors of both means, where the runs spread by at most 0.02; λmax = 10"
    if scale != "paper":
        return claim("B11", sentence, where, "needs 100,000 rounds of Thompson sampling", tolerance, None)
    names = {"Equation 32": TS, "outcome of the played pair": TS_PLAYED}
    holds = {reading: agrees(name, "UCB", scale, seed, [("Indep", TEXT)])[0] for reading, name in names.items()}
    said = [f"{shares_text(name, 'Indep', scale, seed)} ({reading})" for reading, name in names.items()]
    return claim("B11", sentence, where, "; ".join(said), tolerance, holds)


def closest(scale, seed):
    """B19."""
    table, said, holds = tables.shares(scale, seed), [], {}
    cells = [(problem, grid) for problem in PROBLEMS for grid in GRIDS]
    for parameters in (TEXT, FIT):
        keys = [tables.panel(*cell, parameters) for cell in cells]
        best = {key: lowest_share(tables.world_of(*key)) for key in keys}
        for width, name in READINGS.items():
            reading = f"{width} ({SHORT[parameters]})"
            lead = {key: ends(abs(table[key][UCB] - best[key]) - abs(table[key][name] - best[key])) for key in keys}
            worst = min(lead, key=lambda key: lead[key][0])
            holds[reading] = positive(list(lead.values()))
            said.append(f"{reading}: {lead[worst][0]:.3f} to {lead[worst][1]:.3f} in {worst[0]}, {worst[1]}")
    return claim(
        "B19", "RCUCB's share of censored rounds is closer to the best pair's than UCB's.", "Section 5.1, F.1",
        f"distance of UCB's share less that of RCUCB's, in the worst of nine panels: {'; '.join(said)}",
        f"paired 95 % intervals above 0, {paper.sizes(scale).runs} runs of 100,000 rounds, λmax = 10; "
        "parameters: text or fit", holds,
    )  # fmt: skip


def higher(scale, seed):
    """B20a."""
    sentence = "UCB and Thompson sampling are censored far more often than the best pair."
    return judged("B20a", sentence, "Section 5.1", "size 10", scale, seed, far_above, {"Equation 32": TS})


def all_close(scale, seed):
    """B20b."""
    sentence = "With 2 limits all three learners are censored nearly as often as the best pair."
    return judged("B20b", sentence, "Appendix F.1", "M1", scale, seed, all_near)


def only_rcucb_close(scale, seed):
    """B20c."""
    sentence = "With 20 limits RCUCB is censored nearly as often as the best pair, the other two more often."
    return judged("B20c", sentence, "Appendix F.1", "M2", scale, seed, rcucb_near)


def far_above(own, ucb, ts, best):
    """Intervals that are positive where UCB and Thompson sampling are far above the best pair's share."""
    return [ends(ucb - best - CLOSE), ends(ts - best - CLOSE)]


def all_near(own, ucb, ts, best):
    """Intervals that are positive where all three are close to the best pair's share."""
    return [ends(side * (best - shares) + CLOSE) for shares in (own, ucb, ts) for side in (1, -1)]


def rcucb_near(own, ucb, ts, best):
    """Intervals that are positive where RCUCB is close to the best pair's share, and the others above RCUCB."""
    near = [ends(side * (best - own) + CLOSE) for side in (1, -1)]
    return [*near, ends(ucb - own), ends(ts - own)]


def judged(id, sentence, where, grid, scale, seed, intervals, readings=READINGS):
    """Shares of censored rounds on one grid, after as many rounds as the paper has."""
    tolerance = f"95 % intervals; near is within {CLOSE:g}, far is beyond; 100,000 rounds, λmax = λ(0.9)"
    if scale != "paper":
        return claim(id, sentence, where, "needs 100,000 rounds of Thompson sampling", tolerance, None)
    found, holds, said = {}, {}, []
    for problem in PROBLEMS:
        result = paper.sweep4(scale, seed)[problem, grid]
        shares = dict(zip(result.policies, result.tallies["censored"], strict=True))
        found[problem] = shares, lowest_share(result.settings["environment"])
        means = ", ".join(f"{name} {values.mean():.3f}" for name, values in shares.items())
        said.append(f"{problem}: best pair {found[problem][1]:.3f}, {means}")
    for reading, name in readings.items():
        holds[reading] = positive([x for s, best in found.values() for x in intervals(s[name], s[UCB], s[TS], best)])
    return claim(id, sentence, where, "; ".join(said), tolerance, holds)
