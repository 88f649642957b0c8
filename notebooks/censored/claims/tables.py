"""The tables of censored shares: which readings give the printed numbers."""

import numpy as np

from banditlab.censored.environments import indep, low_censoring
from banditlab.censored.penalties import literal_grid
from banditlab.evidence import Cases, bootstrap, exact, mean

from .. import tables
from ..runs import (  # fmt: skip
    FIT,
    GAIN,
    GRIDS,
    LITERAL,
    PROBLEMS,
    TEXT,
    TS,
    TS_PLAYED,
    UCB,
    best_pair,
    lowest_share,
    world_of,
)
from ..tables import BEST, SHARES, TOLERANCE, agreement, panel, printed
from .common import ALL_WIDTHS, EQUATION_32, EXPLAINED, PLAYED, READINGS, TABLES, claims

OURS, LITERALLY = "10, 2 and 20 points from 0.1 to 0.9", "k/10 as the text has it"
IN_TABLES = "Sections 5.1 and F.1, tables"
LONG = f"{tables.ROUNDS:,} rounds"
OWN = "tolerances ours; the fitted parameters were fitted to these tables"
PARAMETERS = {"text": TEXT, "fit": FIT}


@claims("B1", "The best limit of PosCorr, NegCorr and Indep is 0.4.", "Section 5.1, Appendix E.2",
        note="exact; within 0.02 of it, ours",
        quote="arm 1 with resource limit τ = 0.4 corresponds to the optimal arm/resource-limit pair")  # fmt: skip
def optimal_limit(scale, seed):
    return {
        reading: Cases("best limit", {name: exact(limit_of(world_of(name, grid))) for name in PROBLEMS}).between(
            0.38, 0.42
        )
        for reading, grid in ((LITERALLY, LITERAL), ("10 points from 0.1 to 0.9", "size 10"))
    }


def limit_of(world):
    """The limit of the best pair."""
    return world.limits[best_pair(world)[1]]


@claims("B2", "The first arm is the best in PosCorr, NegCorr and Indep.", "Appendix E.2", note="exact",
        quote="arm 1 with resource limit τ = 0.4 corresponds to the optimal arm/resource-limit pair")  # fmt: skip
def optimal_arm(scale, seed):
    def lost(grids):
        found = {(name, grid): world_of(name, grid).gaps[0].min() for name in PROBLEMS for grid in grids}
        return Cases("gap of arm 1 at its best limit", {", ".join(k): exact(v) for k, v in found.items()}).at_most(0)

    return {LITERALLY: lost([LITERAL]), OURS: lost(GRIDS)}


def shares_of_best(name, worlds):
    """P(C > limit) of the best pair against the printed one on the three grids; `worlds` maps readings to makers."""
    allowed = TOLERANCE[BEST][name]
    return {
        reading: Cases(
            "probability minus the printed", {g: exact(lowest_share(make(g)) - printed(name, g, "P*")) for g in GRIDS}
        ).between(-allowed, allowed)
        for reading, make in worlds.items()
    }


def in_words(problem, head):
    """The printed shares on the three grids."""
    return ", ".join(f"{printed(problem, grid, head):.4f} ({grid})" for grid in GRIDS)


@claims("B3", f"In Indep the best pair is censored with probability {in_words('Indep', 'P*')}.", IN_TABLES,
        note="exact; rounding of the printed numbers",
        quote="probability of observing a censored observation for the optimal arm/resource-limit pair")  # fmt: skip
def best_on_indep(scale, seed):
    def literally(grid):
        return indep(limits=GRIDS[grid] if grid == "M1" else literal_grid(GRIDS[grid]))

    as_ours = {OURS: lambda grid: world_of("Indep", grid)}
    return shares_of_best("Indep", {"k/10 and k/20 as the text has it": literally} | as_ours)


@claims("B4", f"In NegCorr the best pair is censored with probability {in_words('NegCorr', 'P*')}.", IN_TABLES,
        note=f"exact; {OWN}",
        quote="probability of observing a censored observation for the optimal arm/resource-limit pair")  # fmt: skip
def best_on_negcorr(scale, seed):
    return shares_of_best("NegCorr", {TEXT: lambda grid: world_of("NegCorr", grid)})


@claims("B5", f"In PosCorr the best pair is censored with probability {in_words('PosCorr', 'P*')}.", IN_TABLES,
        note=f"exact; {OWN}; the fit is ours and no statement of the paper",
        quote="probability of observing a censored observation for the optimal arm/resource-limit pair")  # fmt: skip
def best_on_poscorr(scale, seed):
    makers = {parameters: lambda grid, own=parameters: world_of("PosCorr", grid, own) for parameters in (TEXT, FIT)}
    return shares_of_best("PosCorr", makers)


@claims("B6", "In the problem with low censoring the best pair is censored with probability about 0.075.",
        "Appendix F.3", figure="Figure 9", note="exact; rounding of the printed number",
        quote="the probability of observing a censored reward "
        "for the optimal arm/resource-limit pair is about 0.075.")  # fmt: skip
def best_with_low_censoring(scale, seed):
    found = Cases("best pair's censoring probability", exact(lowest_share(low_censoring()))).between(0.0745, 0.0755)
    return {"10 points from 0.1 to 0.6": found}


def agreements(name, head, scale, seed, problems, parameters):
    """Whether a policy's mean shares are the printed ones under a head: a question for every problem."""
    found = tables.shares(scale, seed)
    return [
        agreement(name, head, problem, {g: found[panel(problem, g, parameters)][name] for g in GRIDS})
        for problem in problems
    ]


@claims("B7", f"RCUCB's rounds on Indep are censored in shares {in_words('Indep', 'RCUCB')}.", IN_TABLES,
        note=f"{LONG}; {OWN}",
        quote="the following table reports the (mean) proportion of censored rounds")  # fmt: skip
def rcucb_on_indep(scale, seed):
    return {r: agreements(name, "RCUCB", scale, seed, ["Indep"], TEXT) for r, name in ALL_WIDTHS.items()}


@claims("B8", f"RCUCB's rounds are censored in shares {in_words('PosCorr', 'RCUCB')} in PosCorr and "
        f"{in_words('NegCorr', 'RCUCB')} in NegCorr.", IN_TABLES, note=f"{LONG}; {OWN}",
        quote="the following table reports the (mean) proportion of censored rounds")  # fmt: skip
def rcucb_elsewhere(scale, seed):
    return {
        f"{width}, {short}": agreements(name, "RCUCB", scale, seed, ["PosCorr", "NegCorr"], parameters)
        for short, parameters in PARAMETERS.items()
        for width, name in ALL_WIDTHS.items()
    }


@claims("B9", "UCB's shares of censored rounds are those headed UCB.", IN_TABLES, note=f"{LONG}, λmax = 10; {OWN}",
        quote="the following table reports the (mean) proportion of censored rounds")  # fmt: skip
def ucb_as_headed(scale, seed):
    return {short: agreements(UCB, "UCB", scale, seed, PROBLEMS, own) for short, own in PARAMETERS.items()}


@claims("B9b", "Thompson sampling's shares of censored rounds are those headed TS.", IN_TABLES, scales=("paper",),
        note=f"{LONG}; the played outcome with λmax = 10 and the fitted parameters",
        quote="the following table reports the (mean) proportion of censored rounds")  # fmt: skip
def thompson_as_headed(scale, seed):
    return thompson_under("TS", scale, seed)


def thompson_under(head, scale, seed):
    """Thompson sampling's shares against those under a head."""
    return {
        EQUATION_32: agreements(TS, head, scale, seed, PROBLEMS, TEXT),
        PLAYED: agreements(TS_PLAYED, head, scale, seed, PROBLEMS, FIT),
    }


@claims("B10", "The columns TS and UCB of the tables are exchanged: UCB's shares are those headed TS.", IN_TABLES,
        ours=True, note=f"{LONG}, λmax = 10; {OWN}")  # fmt: skip
def ucb_exchanged(scale, seed):
    return {short: agreements(UCB, "TS", scale, seed, PROBLEMS, own) for short, own in PARAMETERS.items()}


@claims("B11", "Thompson sampling's shares are those headed UCB.", IN_TABLES, ours=True, scales=("paper",),
        note=f"{LONG}; the played outcome with λmax = 10 and the fitted parameters")  # fmt: skip
def thompson_exchanged(scale, seed):
    return thompson_under("UCB", scale, seed)


FACTOR = 1.5  # a deviation is neither much less nor much more: the inverse of "much"


@claims("B11b", "The standard deviations printed in F.1 are those of RCUCB's and UCB's shares.", "Appendix F.1, table",
        note=f"{LONG}, λmax = 10, fitted parameters; all twelve jointly: the typical factor between ours and the "
        f"printed one, exp of the root mean square of its logarithms, is at most {FACTOR:g}; the error of a printed "
        "deviation (100 runs: 7 %) is included",
        quote="the corresponding empirical standard deviation (in squared brackets)")  # fmt: skip
def deviations(scale, seed):
    found = tables.shares(scale, seed)
    exchanged = ("Indep", "M2")  # where TS's and UCB's seem to have gone with the means

    def asked(swapped):
        pairs = []
        for (problem, grid), (rcucb, ts, ucb, _) in SHARES.items():
            if rcucb[1] is not None:
                own = found[panel(problem, grid, FIT)]
                head = ts if (problem, grid) in swapped else ucb
                pairs += [(own[GAIN], rcucb[1]), (own[UCB], head[1])]
        return Cases("typical factor of our over the printed deviations", typical_factor(pairs), axis="log").at_most(
            FACTOR
        )

    return {"as headed": asked([]), "TS and UCB exchanged on Indep, M2": asked([exchanged])}


def typical_factor(pairs):
    """How far deviations are from printed ones of 100 runs, whose error is drawn with the bootstrap."""
    rng, number = np.random.default_rng(1), min(len(values) for values, _ in pairs)

    def factor(rows):
        logs = [np.log(values[rows].std(axis=-1, ddof=1) / wanted) for values, wanted in pairs]
        if rows.ndim > 1:
            logs = [one + rng.standard_normal(one.shape) / np.sqrt(2 * 99) for one in logs]
        return np.exp(np.sqrt(np.mean(np.square(logs), axis=0)))

    return bootstrap(factor, number)


def printed_gaps(grids, heads):
    """How far the printed shares under some heads are above the printed ones of the best pair."""
    return [printed(p, g, head) - printed(p, g, "P*") for p, g in SHARES if g in grids for head in heads]


CLOSE = max(map(abs, printed_gaps(["M1"], ["RCUCB", "TS", "UCB"]) + printed_gaps(["M2"], ["RCUCB"])))
FAR = min(printed_gaps(["size 10", "M2"], ["TS", "UCB"]))
MIDDLE = (CLOSE + FAR) / 2
BY_PRINT = (
    f"close up to {MIDDLE:.4f}, the middle between the largest printed gap that the paper calls close ({CLOSE:.4f}) "
    f"and the smallest that it calls higher ({FAR:.4f}); {LONG}; {EXPLAINED}"
)


def by_problem(grid, scale, seed):
    """By reading, problem by problem: shares of RCUCB, UCB and Thompson sampling, and the best pair's."""
    found = tables.shares(scale, seed)
    text = {r: (name, TS, TEXT) for r, name in READINGS.items()}
    readings = text | {TABLES: (GAIN, TS_PLAYED, FIT)}
    rows = {}
    for reading, (name, ts, parameters) in readings.items():
        cells = {problem: panel(problem, grid, parameters) for problem in PROBLEMS}
        rows[reading] = {
            problem: (found[cell][name], found[cell][UCB], found[cell][ts], lowest_share(world_of(*cell)))
            for problem, cell in cells.items()
        }
    return rows


@claims("B20a", "UCB and Thompson sampling are censored far more often than the best pair.", "Section 5.1",
        note=BY_PRINT, scales=("paper",),
        quote="the proportion of rounds with censored rewards is "
        "much higher than the actual ground truth probability")  # fmt: skip
def far_above(scale, seed):
    found = by_problem("size 10", scale, seed)
    found = {EQUATION_32: found["width as printed"], TABLES: found[TABLES]}
    return {
        reading: Cases(
            "censored share minus the best pair's",
            {
                f"{name}, {p}": mean(values - best)
                for p, (_, ucb, ts, best) in rows.items()
                for name, values in ((UCB, ucb), (TS, ts))
            },
        ).above(MIDDLE)
        for reading, rows in found.items()
    }


@claims("B20b", "With 2 limits all three learners are censored nearly as often as the best pair.", "Appendix F.1",
        note=BY_PRINT, scales=("paper",),
        quote="all three algorithms have an empirical probability of obtaining censored "
        "rewards which is close to the actual ground truth probability")  # fmt: skip
def all_close(scale, seed):
    return {
        reading: Cases(
            "censored share minus the best pair's",
            {f"{name}, {p}": mean(x - best) for p, (*three, best) in rows.items() for name, x in named(three)},
        ).between(-MIDDLE, MIDDLE)
        for reading, rows in by_problem("M1", scale, seed).items()
    }


def named(three):
    """Shares by learner."""
    return zip(("RCUCB", UCB, TS), three, strict=True)


@claims("B20c", "With 20 limits RCUCB is censored nearly as often as the best pair, the other two more often than it.",
        "Appendix F.1", note=BY_PRINT, scales=("paper",),
        quote="UCB and TS have a higher proportion of censored rounds than RCUCB")  # fmt: skip
def only_rcucb_close(scale, seed):
    found = {}
    for reading, rows in by_problem("M2", scale, seed).items():
        near = {problem: mean(own - best) for problem, (own, _, _, best) in rows.items()}
        more = {f"UCB, {p}": mean(ucb - own) for p, (own, ucb, _, _) in rows.items()}
        more |= {f"TS, {p}": mean(ts - own) for p, (own, _, ts, _) in rows.items()}
        found[reading] = [
            Cases("RCUCB's censored share minus the best pair's", near).between(-MIDDLE, MIDDLE),
            Cases("others' censored share minus RCUCB's", more).above(0),
        ]
    return found


@claims("B19", "RCUCB's share of censored rounds is closer to the best pair's than UCB's, in all nine panels.",
        IN_TABLES, ours=True, note=f"{LONG}, λmax = 10")  # fmt: skip
def closer(scale, seed):
    found = tables.shares(scale, seed)

    def asked(name, parameters):
        leads = {}
        for problem, grid in SHARES:
            cell = panel(problem, grid, parameters)
            best = lowest_share(world_of(*cell))
            leads[f"{problem}, {grid}"] = mean(abs(found[cell][UCB] - best) - abs(found[cell][name] - best))
        return Cases("distance to the best pair's share, UCB's minus RCUCB's", leads).above(0)

    return {f"{w}, {short}": asked(name, own) for short, own in PARAMETERS.items() for w, name in READINGS.items()}


@claims("B30", "On the literal grid the largest limit is best in PosCorr and NegCorr and never censored; in Indep 0.5 "
        "is best.", "Section 5.1", ours=True, note="exact")  # fmt: skip
def literal_best(scale, seed):
    worlds = {name: world_of(name, LITERAL) for name in PROBLEMS}
    wanted = {"PosCorr": 1.0, "NegCorr": 1.0, "Indep": 0.5}
    off = {name: exact(abs(limit_of(world) - wanted[name])) for name, world in worlds.items()}
    over = {name: exact(lowest_share(worlds[name])) for name in ("PosCorr", "NegCorr")}
    return [
        Cases("distance of the best limit from the one named", off).at_most(1e-9),
        Cases("share of censored rounds at the best pair", over).at_most(1e-9),
    ]
