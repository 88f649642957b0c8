"""The tables of censored shares: which readings give the printed numbers."""

import numpy as np

from ...claims import claim
from ..curves import literal_grid
from ..environments import indep, low_censoring, negcorr, poscorr
from ..experiments import instances, paper, tables
from ..experiments.instances import GAIN, GRIDS, PRINTED, PROBLEMS, TS, TS_PLAYED, UCB, WIDTHS, lowest_share
from ..experiments.tables import FIT, SHARES, TEXT
from .common import AS_PRINTED, FIRST, READINGS


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


def share_claim(id, name, worlds, tolerance, grids=tuple(GRIDS)):
    """P(C > limit) of the best pair against the printed one, on some grids; `worlds` maps readings to makers."""
    found = {reading: [lowest_share(make(grid)) for grid in grids] for reading, make in worlds.items()}
    printed = [SHARES[name, grid][3] for grid in grids]
    said = ", ".join(f"{value:.4f} ({grid})" for value, grid in zip(printed, grids, strict=True))
    return claim(
        id, f"In {name} the best pair is censored with probability {said}.", "Section 5.1 and F.1, tables, last column",
        "; ".join(f"{', '.join(f'{x:.4f}' for x in values)} ({reading})" for reading, values in found.items()),
        f"exact tables, ± {tolerance:g}",
        {r: bool(np.abs(np.subtract(values, printed)).max() <= tolerance) for r, values in found.items()},
    )  # fmt: skip


def share_indep(scale, seed):
    """B3."""
    worlds = {
        "10 and 20 points from 0.1 to 0.9": lambda grid: indep(limits=GRIDS[grid]),
        "k/10 and k/20 as the text has it": lambda grid: indep(
            limits=GRIDS[grid] if grid == "M1" else literal_grid(GRIDS[grid])
        ),
    }
    return share_claim("B3", "Indep", worlds, 1e-4)


def share_negcorr(scale, seed):
    """B4, first half."""
    return share_claim("B4a", "NegCorr", {TEXT: lambda grid: negcorr(limits=GRIDS[grid])}, 8e-4, ("size 10", "M1"))


def share_negcorr_fine(scale, seed):
    """B4, second half."""
    return share_claim("B4b", "NegCorr", {TEXT: lambda grid: negcorr(limits=GRIDS[grid])}, 8e-4, ("M2",))


def share_poscorr(scale, seed):
    """B5."""
    worlds = {
        TEXT: lambda grid: poscorr(limits=GRIDS[grid]),
        FIT: lambda grid: poscorr(limits=GRIDS[grid], instance="tables"),
    }
    return share_claim("B5", "PosCorr", worlds, 2.5e-3)


def share_low(scale, seed):
    """B6."""
    value = lowest_share(low_censoring())
    return claim(
        "B6", "In the problem with low censoring the best pair is censored with probability about 0.075.",
        "Appendix F.3", f"{value:.4f}", "exact table, ± 0.0005",
        {"10 points from 0.1 to 0.6": abs(value - 0.075) < 5e-4},
    )  # fmt: skip


def shares_text(name, problem, parameters, scale, seed):
    """Mean shares of a policy on the three grids, as text."""
    table = tables.shares(scale, seed)
    return ", ".join(f"{table[problem, grid, parameters][name].mean():.4f}" for grid in GRIDS)


def printed_text(problem, head):
    """The printed shares on the three grids."""
    return ", ".join(f"{SHARES[problem, grid][tables.HEADS.index(head)]:.4f}" for grid in GRIDS)


def rcucb_indep(scale, seed):
    """B7."""
    names = {FIRST: GAIN, "second term rescaled": WIDTHS["normalised"], AS_PRINTED: PRINTED}
    holds = {r: tables.agrees(name, "RCUCB", scale, seed, "Indep", TEXT) for r, name in names.items()}
    said = [f"{shares_text(name, 'Indep', TEXT, scale, seed)} ({r})" for r, name in names.items()]
    return claim(
        "B7", f"RCUCB's rounds on Indep are censored in shares {printed_text('Indep', 'RCUCB')}.",
        "Section 5.1 and F.1, tables", "; ".join(said), f"± 0.002, {paper.sizes(scale).runs} runs of 100,000 rounds",
        holds,
    )  # fmt: skip


def both(name, head, scale, seed):
    """Statistic and verdicts of a policy on PosCorr and NegCorr under both readings of their parameters."""
    said, holds = [], {}
    for parameters in (TEXT, FIT):
        cells = [(problem, parameters) for problem in ("PosCorr", "NegCorr")]
        holds[parameters] = all(tables.agrees(name, head, scale, seed, *cell) for cell in cells)
        said += [f"{cell[0]} {tables.deviation(name, head, scale, seed, *cell):.4f} ({parameters})" for cell in cells]
    return "; ".join(said), holds


def rcucb_others(scale, seed):
    """B8."""
    said, holds = both(GAIN, "RCUCB", scale, seed)
    return claim(
        "B8", f"RCUCB's rounds are censored in shares {printed_text('PosCorr', 'RCUCB')} (PosCorr) and "
        f"{printed_text('NegCorr', 'RCUCB')} (NegCorr).", "Section 5.1 and F.1, tables",
        f"largest difference: {said}; first term of the width only", "± 0.004, ± 0.003", holds,
    )  # fmt: skip


def ucb_claim(id, head, sentence, scale, seed):
    """UCB's shares against the printed column of this head."""
    said, holds = both(UCB, head, scale, seed)
    off = tables.deviation(UCB, head, scale, seed, "Indep", TEXT)
    return claim(
        id, sentence, "Section 5.1 and F.1, tables", f"largest difference: Indep {off:.4f}; {said}",
        "± 0.003 on Indep, ± 0.006 on the others; λmax = 10",
        {reading: value and off <= tables.tolerance(UCB, "Indep") for reading, value in holds.items()},
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
    where, tolerance = "Section 5.1 and F.1, tables", "4 standard errors of both means; λmax = 10"
    if scale != "paper":
        return claim("B11", sentence, where, "needs 100,000 rounds of Thompson sampling", tolerance, None)
    table, holds, said = tables.shares(scale, seed), {}, []
    for reading, name in {"Equation 32": TS, "outcome of the played pair": TS_PLAYED}.items():
        off = []
        for grid in GRIDS:
            values = table["Indep", grid, TEXT][name]
            off.append(abs(values.mean() - SHARES["Indep", grid][2]) / (values.std(ddof=1) * np.sqrt(0.02) + 5e-4))
        holds[reading] = max(off) <= 4
        said.append(f"{shares_text(name, 'Indep', TEXT, scale, seed)} ({reading})")
    return claim("B11", sentence, where, "; ".join(said), tolerance, holds)


def closest(scale, seed):
    """B19."""
    table, said, holds = tables.shares(scale, seed), [], {}
    for reading, name in READINGS.items():
        off = {}
        for policy in (name, UCB):
            off[policy] = [
                abs(table[key][policy].mean() - lowest_share(tables.world_of(*key))) for key in table if key[2] == TEXT
            ]
        holds[reading] = all(np.array(off[name]) < np.array(off[UCB]))
        said.append(f"RCUCB off by {min(off[name]):.3f} to {max(off[name]):.3f} ({reading})")
    return claim(
        "B19", "RCUCB's share of censored rounds is closer to the best pair's than UCB's.", "Section 5.1",
        f"{'; '.join(said)}; UCB by {min(off[UCB]):.3f} to {max(off[UCB]):.3f}",
        "in all nine panels, parameters of the text",
        holds,
    )  # fmt: skip
