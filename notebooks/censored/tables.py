"""The two printed tables of censored shares beside ours, and the regret at the horizon in every panel."""

import pandas as pd

from banditlab.evidence import Cases, exact, mean
from banditlab.study.study import Study, one_seed

from . import drawings, runs, studies
from .printed import BEST, HEADS, SHARES, head_of, printed
from .runs import FIT, GAIN, PRINTED, TEXT, TS, TS_PLAYED, UCB, WIDTHS, lowest_share

TOLERANCE = {  # of the best pair's probability, of RCUCB's and of UCB's mean share: what our fits can be held to
    BEST: {"Indep": 1e-4, "NegCorr": 8e-4, "PosCorr": 8e-4},
    **dict.fromkeys(WIDTHS.values(), {"Indep": 0.002, "NegCorr": 0.003, "PosCorr": 0.004}),
    UCB: {"Indep": 0.003, "NegCorr": 0.006, "PosCorr": 0.006},
}
ERRORS = 4  # Thompson sampling's may be off by so many standard errors of both means
ROUNDING = 5e-4  # allowed for in the standard error of a printed mean
VERDICTS = {True: "agrees", False: "differs", None: "open"}

PANELS = tuple(
    (*cell, parameters) for cell in SHARES for parameters in ((TEXT,) if cell[0] == "Indep" else (TEXT, FIT))
)
ROUNDS = 100_000  # the tables are tested at their own horizon at every scale
NAMES = (*WIDTHS.values(), UCB)
ELSEWHERE = (  # what the figures have played too, where they are as long
    (studies.REGRETS, TEXT, (GAIN, PRINTED, TS)),
    (studies.AS_TABLES, FIT, (GAIN, PRINTED, UCB, TS_PLAYED)),
)


def panel(problem, grid, parameters):
    """The panel that stands for a problem under a reading of the parameters."""
    return problem, grid, TEXT if problem == "Indep" else parameters


def left_to_play(cell):
    """Names that no figure has played in this panel."""
    problem, grid, _ = cell.panel
    known = [names for _, parameters, names in ELSEWHERE if panel(problem, grid, parameters) == cell.panel]
    return tuple(name for name in NAMES if not any(name in names for names in known))


CENSORED = Study(
    "Shares", "censored shares", runs.shares, lambda found, n: "", grid=dict(panel=PANELS),
    sizes=dict(
        quick=dict(horizon=ROUNDS, runs=4, names=NAMES), paper=dict(horizon=ROUNDS, runs=100, names=left_to_play)
    ), seeds=one_seed, ours=True,
)  # fmt: skip


def played(scale, seed):
    """By panel and policy the result that it is in; Thompson sampling where its runs are as long."""
    found = {c.panel: dict.fromkeys(r.policies, r) for c, r in CENSORED.results(scale, seed).items()}
    for study, parameters, names in ELSEWHERE:
        if study.sizes[scale]["horizon"] == ROUNDS:
            for cell, result in study.results(scale, seed).items():
                found[panel(cell.problem, cell.grid, parameters)] |= dict.fromkeys(names, result)
    order = (*NAMES, TS, TS_PLAYED)
    return {p: {name: own[name] for name in order if name in own} for p, own in found.items()}


def shares(scale, seed):
    """Censored shares of every run, by panel and policy."""
    return {p: {n: censored(r)[n] for n, r in own.items()} for p, own in played(scale, seed).items()}


def censored(result):
    """Share of censored rounds of every policy, run by run."""
    return dict(zip(result.policies, result.diagnostics["censored"], strict=True))


def spread_of(problem, grid, values):
    """The standard deviation that stands for Thompson sampling's printed one, ours where none is printed.

    Which of the deviations under TS and UCB is its own is unsure: the larger one counts.
    """
    printed_ones = [sd for _, sd in SHARES[problem, grid][1:3] if sd is not None]
    return max(printed_ones, default=values.std(ddof=1))


def agreement(name, head, problem, by_grid):
    """Whether shares are the printed ones under a head, on some grids: a question."""
    off = {grid: values - printed(problem, grid, head) for grid, values in by_grid.items()}
    if name in TOLERANCE:
        allowed, what = TOLERANCE[name][problem], f"censored share minus the printed one, {problem}"
        found = {grid: exact(values[0]) if len(values) == 1 else mean(values) for grid, values in off.items()}
        return Cases(what, found).between(-allowed, allowed)
    what = f"censored share minus the printed one, {problem}, in standard errors"
    found = {grid: mean(values / error_of(problem, grid, values)) for grid, values in off.items()}
    return Cases(what, found).between(-ERRORS, ERRORS)


def error_of(problem, grid, values):
    """Standard error of the difference between a mean of ours and a printed one."""
    theirs = spread_of(problem, grid, values) / 10 + ROUNDING
    return (values.var(ddof=1) / len(values) + theirs**2) ** 0.5


def rows_of(grids, scale, seed):
    """One row per printed number, reading and policy, as text."""
    rows = []
    for (problem, grid, parameters), own in shares(scale, seed).items():
        if grid not in grids:
            continue
        best = pd.Series([lowest_share(runs.world_of(problem, grid, parameters))]).to_numpy()
        for name, values in {BEST: best, **own}.items():
            head = head_of(name)
            share, spread = SHARES[problem, grid][HEADS.index(head)]
            measure = agreement(name, head, problem, {grid: values}).measure()
            allowed = f"± {measure.holds[1]:g}" + " standard errors" * (name not in TOLERANCE)
            rows.append(
                {"problem": problem, "limits": grid, "reading": parameters, "ours": name}
                | {"verdict": VERDICTS[measure.answer], **measured(values)}
                | {"printed": digits(share), "printed sd": digits(spread), "printed under": head}
                | {"ours less printed": allowed}
            )
    return pd.DataFrame(rows).set_index(["problem", "limits"])


def printed_shares(scale, seed=0):
    """Figure of the shares of censored rounds in all panels of both tables, the printed ones behind ours.

    Parameters
    ----------
    scale, seed
        As in `table_51`.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    ours = {p: {BEST: [lowest_share(runs.world_of(*p))], **own} for p, own in shares(scale, seed).items()}
    figure, said = drawings.shares_beside(ours), []
    for name, parameters in ((GAIN, TEXT), (GAIN, FIT), (UCB, FIT)):
        asked = {cell: ours[panel(*cell, parameters)][name] for cell in SHARES}
        head = head_of(name)
        met = [agreement(name, head, cell[0], {cell[1]: x}).measure().answer is True for cell, x in asked.items()]
        said.append(f"{name}, parameters {parameters}, meets {sum(met)} of {len(met)} printed under {head}")
    caption = (
        f"Share of censored rounds after {ROUNDS:,} rounds. Pale: printed, in the colour of ours that it is compared "
        f"with; the columns TS and UCB are very probably exchanged in print. {'; '.join(said)}."
    )
    figure.update_layout(title_text="Censored shares, ours and the paper's", meta=dict(caption=caption))
    return figure


def digits(value):
    """Four digits, or a dash where there is no number."""
    return "—" if value is None else f"{value:.4f}"


def measured(values):
    """Mean share of some runs, their standard deviation, and the interval of the mean; a single value is exact."""
    if len(values) == 1:
        return {"share": digits(values[0]), "sd": "—", "95 % interval": "exact"}
    found = mean(values)
    low, high = found.ends(0.95)
    ends = f"{low:.4f} to {high:.4f}"
    return {"share": digits(found.value), "sd": digits(values.std(ddof=1)), "95 % interval": ends}


def table_51(scale, seed=0):
    """Shares of censored rounds on the grid of size 10: the paper's table of Section 5.1 beside ours.

    Our UCB is compared with the column headed TS and our Thompson sampling with the column headed UCB: the two are
    very probably exchanged in print, see the notebook.

    Parameters
    ----------
    scale : {"quick", "paper"}
        20 runs, or 100 and Thompson sampling too; 100,000 rounds always.
    seed : int >= 0

    Returns
    -------
    DataFrame
        A row per printed number and reading, with the difference up to which both agree.
    """
    return rows_of(("size 10",), scale, seed)


def table_f1(scale, seed=0):
    """Shares of censored rounds on the grids of 2 and 20 limits: the paper's table of Appendix F.1 beside ours.

    Parameters
    ----------
    scale, seed
        As in `table_51`.

    Returns
    -------
    DataFrame
        A row per printed number and reading, with the difference up to which both agree.
    """
    return rows_of(("M1", "M2"), scale, seed)


def final_regrets(scale, seed=0):
    """Table of the regret at the horizon in every panel of Figures 4 and 6 to 9.

    Parameters
    ----------
    scale : {"quick", "paper"}, size of the experiment
    seed : int >= 0

    Returns
    -------
    DataFrame
        A row per panel, a column per policy: mean ± standard error.
    """
    rows = {}
    for study in (studies.REGRETS, studies.FIGURE_8, studies.FIGURE_9):
        for cell, result in study.results(scale, seed).items():
            last = result.summary().groupby("policy", sort=False).last()
            name = study.title_of(cell) + ", low censoring" * (study is studies.FIGURE_9)
            rows[name] = {policy: f"{row['mean']:,.0f} ± {row['se']:.0f}" for policy, row in last.iterrows()}
    return pd.DataFrame(rows).T.fillna("—")
