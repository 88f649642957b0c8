"""The paper's figures: all panels, at the size of our study or at a quick one (the paper states no sizes)."""

import functools
from typing import NamedTuple

import numpy as np
import pandas as pd

from ... import figures
from ...simulation import simulate
from ...validate import choice
from ..data import STAND_INS
from ..environments import oblivious_delay, random_delay, streak_delay
from ..policies import ars_ucb
from . import instances, live, sequences
from .instances import ALPHAS, CASES, EIGHT, GROWTHS, NINE, VARIANTS, named

HARD = ("zipf10", "outbrain10", "neartie10")
DELAYS = (10, 20)
CENTRE = named(4.0, "k2")
BLIND = "UCB1, delay-blind"
BEST = "ODAAF, best of four"
SEVEN = [(alpha, "k2") for alpha in ALPHAS] + [(4.0, growth) for growth in ("k", "k3", "2k")]
SHOWN = {f"({alpha:g}, {GROWTHS[growth]})": named(alpha, growth) for alpha, growth in SEVEN}
SHOWN |= {name.replace("generalised", "gen."): name for name in VARIANTS} | {"UCB1": BLIND}
STYLES = {CENTRE: 0, named(1.0, "k2"): 1, named(2.0, "k2"): 2, named(8.0, "k2"): 3, named(4.0, "k"): 4,
          named(4.0, "k3"): 5, named(4.0, "2k"): 6}  # fmt: skip


class Scale(NamedTuple):
    """How large the experiments are."""

    runs: int  # of the stochastic cells
    more: dict  # of those that need more
    horizon: int  # stochastic
    rounds: int  # adversarial
    games: int  # adversarial runs
    slopes: tuple  # horizons of the slope study
    stress: int  # horizon of the near-tie stress test


SCALES = {
    "quick": Scale(20, {}, 50_000, 200_000, 20, (100_000, 300_000), 600_000),
    "paper": Scale(80, {"interval 10–20": 120, "increasing 100": 200}, 200_000, 1_000_000, 30,
                   (100_000, 300_000, 1_000_000, 3_000_000), 4_000_000),
}  # fmt: skip


def sizes(scale):
    """The sizes of a scale.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Quick takes some seconds.

    Returns
    -------
    Scale
        Runs and horizons.
    """
    return SCALES[choice("scale", scale, tuple(SCALES))]


@functools.cache
def cell(name, scale, seed):
    """All policies on one of the twelve cases; checkpoints T/16, 2T/16, ..., T."""
    size = sizes(scale)
    return instances.one_case(name, size.horizon, size.more.get(name, size.runs), seed, 16)


@functools.cache
def game(name, delays, d, scale, seed):
    """The policies of Figure 5 on a sequence; where delays do not watch, CLW is also told 10 % less and more."""
    size, errors = sizes(scale), () if delays == "non-oblivious" else (-0.1, 0.1)
    world = sequences.worlds(name, size.rounds, instances.rule(delays, d))
    return instances.duel(world, len(sequences.chances(name, size.rounds)), size.rounds, size.games, seed, d, errors)


def synthetic_duel(name, delays, horizon, runs, seed, checkpoints):
    """ARS-EXP3 and CLW on a stand-in, d = 10."""
    world, only = sequences.synthetic_worlds(name, horizon, delays), ("ARS-EXP3", "CLW, d told")
    return instances.duel(
        world, len(STAND_INS[name]), horizon, runs, seed, 10, blind=False, checkpoints=checkpoints, only=only
    )


@functools.cache
def slopes(scale, seed):
    """Final regret of ARS-EXP3 and CLW on outbrain10, d = 10, made anew for every horizon: (policy, horizon, run)."""
    runs = [synthetic_duel("outbrain10", streak_delay(10), horizon, 10, seed, 1) for horizon in sizes(scale).slopes]
    return np.stack([result.regret[:, :, -1] for result in runs], axis=1)


@functools.cache
def stress(scale, seed):
    """Results on twin3, d = 10, under the watching rule and under constant delays 1 and 10."""
    rules = {"watching": streak_delay(10), "constant 1": oblivious_delay(1, 1), "constant 10": oblivious_delay(10, 10)}
    return {name: synthetic_duel("twin3", rule, sizes(scale).stress, 12, seed, 8) for name, rule in rules.items()}


@functools.cache
def at_once(scale, seed):
    """ARS-UCB without any delay, with rounds of one step and with every growth function."""
    size = sizes(scale)
    policies = {growth: ars_ucb(len(NINE), 4.0, growth) for growth in ("1", *GROWTHS)}
    world = instances.shuffled_runs(NINE, random_delay(0, 0))
    return simulate(world, policies, size.horizon, size.runs, seed, 1)


def final(result, name):
    """Regret at the horizon, run by run."""
    return result.of_policy(name)[:, -1]


def late_slope(result, name):
    """Regret per step over the last quarter, run by run."""
    regret = result.of_policy(name)
    return (regret[:, -1] - regret[:, 3 * regret.shape[1] // 4 - 1]) / (result.checkpoints[-1] / 4)


def headline(scale, seed=0):
    """Regret at the horizon in all twelve cases.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, table : plotly.graph_objects.Figure, DataFrame
        The figure and its numbers.
    """
    size, rows = sizes(scale), []
    for name in CASES:
        result = cell(name, scale, seed)
        variants = [v for v in VARIANTS if v in result.policies]
        best = min(variants, key=lambda v: final(result, v).mean(), default=None)
        for shown, policy in {"ARS-UCB, " + CENTRE: CENTRE, BEST: best, BLIND: BLIND}.items():
            if policy is not None:
                low, middle, high = np.quantile(final(result, policy), [0.05, 0.5, 0.95])
                mean = final(result, policy).mean()
                rows.append({"case": name, "policy": shown, "mean": mean, "low": low, "median": middle, "high": high})
    table = pd.DataFrame(rows)
    caption = (
        f"Regret after $T={size.horizon:,}$ steps on the paper's nine arms, logarithmic axis: points are means of at "
        f"least {size.runs} runs, bars reach from the 5 % to the 95 % quantile. ARS-UCB is told nothing. ODAAF is "
        "told the delays; the best of its four variants is shown. UCB1 credits what it sees to the arm it has just "
        "played."
    )
    figure = figures.blank("Regret in the twelve cases, told the delays and not told them", "", "regret at T", caption)
    for index, (name, part) in enumerate(table.groupby("policy", sort=False)):
        place = [list(CASES).index(case) + 0.2 * (index - 1) for case in part["case"]]
        bars = dict(type="data", array=part["high"] - part["mean"], arrayminus=part["mean"] - part["low"])
        marker = dict(size=9, color=figures.PALETTE[index], symbol=index)
        figure.add_scatter(x=place, y=part["mean"], error_y=bars, name=name, mode="markers", marker=marker)
    figure.update_xaxes(tickangle=-35, tickvals=list(range(len(CASES))), ticktext=list(CASES))
    figures.logarithmic(figure)
    return figure, table


def paper_figure1(scale="paper", seed=0):
    """Figure 1: the two triangles of a bounded interval; no simulation, so scale and seed change nothing.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Not used.
    seed : int
        Not used.

    Returns
    -------
    figure, table : plotly.graph_objects.Figure, DataFrame
        The figure and its numbers.
    """
    return live.figure1("decreasing", 20, 0.0, 0.5, 2.0)


def paper_figure2(scale, seed=0):
    """Figure 2: random delays.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, results : plotly.graph_objects.Figure, dict
        The figure, and the results by case.
    """
    return panels("The paper's Figure 2: random delays", EIGHT[:2], "ODAAF mean", scale, seed)


def paper_figure3(scale, seed=0):
    """Figure 3: rewards spread over a bounded interval.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, results : plotly.graph_objects.Figure, dict
        The figure, and the results by case.
    """
    return panels("The paper's Figure 3: composite rewards", EIGHT[2:], "generalised ODAAF", scale, seed)


def paper_figure4(scale, seed=0):
    """Figure 4: rewards that go on for ever.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, results : plotly.graph_objects.Figure, dict
        The figure, and the results by case.
    """
    return panels("The paper's Figure 4: rewards without an end", list(CASES)[8:], None, scale, seed)


def panels(title, names, benchmark, scale, seed):
    """Two panels a case: four values of alpha at f = k², and four growth functions at alpha = 4."""
    size, results = sizes(scale), {name: cell(name, scale, seed) for name in names}
    caption = (
        rf"Medians of at least {size.runs} runs, bands from the 5 % to the 95 % quantile; means would hide that some "
        rf"settings are heavy tailed. Left $\alpha\in\{{1,2,4,8\}}$ with f = k², right f = k, k², k³, 2ᵏ with "
        r"$\alpha=4$" + (f"; {benchmark} is told the delays." if benchmark else "; no benchmark is known here.")
    )
    titles = [f"{name}: {what}" for name in names for what in ("α varies", "f varies")]
    figure = figures.blank(
        title, "step t", "regret", caption, rows=len(names), columns=2, subplot_titles=titles,
        shared_xaxes=True, vertical_spacing=0.24 / len(names), horizontal_spacing=0.09,
    )  # fmt: skip
    columns = [[named(a, "k2") for a in ALPHAS], [named(4.0, f) for f in GROWTHS]]
    for row, result in enumerate(results.values(), 1):
        for column, shown in enumerate(columns, 1):
            for name in shown + ([benchmark] if benchmark else []):
                low, middle, high = np.quantile(result.of_policy(name), [0.05, 0.5, 0.95], axis=0)
                options = dict(row=row, column=column, legend=row == 1 and (column == 1 or name not in columns[0]))
                if name == benchmark:
                    options |= dict(line=dict(color=figures.BOUND, dash="dot"), legend=row == column == 1)
                figures.curve(figure, result.checkpoints, middle, name, STYLES.get(name, 0), low, high, **options)
    height = 170 + 230 * len(names)
    figure.update_layout(height=height, legend_y=1 - 44 / height, margin_t=150, title_y=1 - 12 / height)
    figure.update_annotations(font_size=13)
    figure.update_yaxes(rangemode="tozero")
    return figure, results


def paper_figure5(scale, seed=0):
    """Figure 5: adversarial rewards; where the paper's data are not at hand, synthetic stand-ins take their place.

    The data are read from the folder that ``BANDITLAB_DATA`` names (or its folders ``outbrain`` and ``coupon``) if it
    holds all of ``clicks_train.csv``, ``promoted_content.csv`` and ``documents_categories.csv``, or
    ``coupon_visit_train.csv`` (perhaps with ``.gz`` or ``.zip``), under these very names and with as many rounds as the
    scale asks for. A sample of them is never taken, so that figures and ledger are the same for all who lack the whole.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, results : plotly.graph_objects.Figure, dict
        The figure, and the results by panel.
    """
    size = sizes(scale)
    cells = {f"non-oblivious, d = {d}": game("outbrain10", "non-oblivious", d, scale, seed) for d in DELAYS}
    cells |= {f"oblivious {d // 2} to {d}": game("week7", "oblivious", d, scale, seed) for d in DELAYS}
    above, below = (sequences.sources([name], size.rounds) for name in ("outbrain10", "week7"))
    caption = (
        rf"Realised regret over {size.games} runs, {figures.band_name(None)}. Above: {above}. Below: {below}. EXP3 "
        "ignores delays; CLW is told d, and below also 10 % less and more."
    )
    used = sequences.sources(["outbrain10", "week7"], size.rounds)
    figure = figures.blank(
        f"The paper's Figure 5 ({used})", "step t", "regret", caption, rows=2, columns=2,
        subplot_titles=list(cells), vertical_spacing=0.14, horizontal_spacing=0.1,
    )  # fmt: skip
    order = ["ARS-EXP3", "CLW, d told", "ARS-CLW, p = 1/3", "ARS-CLW, p = 1/4", "EXP3, delay-blind"]
    for place, result in enumerate(cells.values()):
        names = order + [name for name in result.policies if name not in order]
        styles = {name: min(i, 6) for i, name in enumerate(names)}
        row, column = 1 + place // 2, 1 + place % 2
        figures.regret(result, figure=figure, row=row, column=column, legend=False, styles=styles)
    for trace in figure.data:  # every name once
        first = next(t for t in figure.data if t.name == trace.name)
        trace.showlegend = trace is first and "(band)" not in trace.name
    figure.update_layout(height=720, margin_t=170, legend_y=1 - 44 / 720)
    return figure, cells


def heavy_tails(scale, seed=0):
    """Table of the regret at the horizon in the stochastic cases: mean, median, and how heavy its tail is.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    DataFrame
        Rows for every case: mean with standard error, median, standard deviation, maximum, and "heavy", the share of
        runs above twice the median; a column per setting (α, f) of ARS-UCB and per other policy.
    """
    rows = {}
    for case in CASES:
        result = cell(case, scale, seed)
        found = {shown: tail(final(result, name)) for shown, name in SHOWN.items() if name in result.policies}
        for key in found["UCB1"]:
            rows[case, key] = {shown: words[key] for shown, words in found.items()}
    return pd.DataFrame(rows).T.fillna("")


def tail(values):
    """Statistics of a sample in words."""
    found = statistics(values)
    return {
        "mean ± s.e.": f"{found['mean']:,.0f} ± {found['s.e.']:,.0f}",
        **{key: f"{found[key]:,.0f}" for key in ("median", "s.d.", "max")}, "heavy": f"{found['heavy']:.0%}",
    }  # fmt: skip


def adversarial_table(scale, seed=0):
    """Table of the regret at the horizon in every adversarial cell.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    DataFrame
        A row per cell and policy.
    """
    cells = [(name, "non-oblivious", d) for name in HARD for d in DELAYS]
    cells += [("week7", "oblivious", d) for d in DELAYS]
    rounds, rows = sizes(scale).rounds, []
    for name, delays, d in cells:
        result = game(name, delays, d, scale, seed)
        source, arms = sequences.sources([name], rounds), len(sequences.chances(name, rounds))
        for policy in result.policies:
            rows.append({"sequence": source, "arms": arms, "delays": delays, "d": d, "policy": policy,
                         **statistics(final(result, policy))})  # fmt: skip
    return pd.DataFrame(rows).set_index(["sequence", "arms", "delays", "d", "policy"]).round(1)


def statistics(values):
    """What the tables say of a sample."""
    median = float(np.median(values))
    return {
        "mean": values.mean(), "s.e.": values.std(ddof=1) / np.sqrt(len(values)), "s.d.": values.std(ddof=1),
        "median": median, "max": values.max(), "heavy": float((values > 2 * median).mean()),
    }  # fmt: skip
