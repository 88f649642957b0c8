"""Figures that are no plain panels of regret: results by cell go in, a plotly figure comes out."""

import itertools
import textwrap

import numpy as np

from banditlab.censored import bounds
from banditlab.censored.penalties import ROUNDING
from banditlab.figures import plots

from .printed import BEST, HEADS, SHARES, head_of, printed
from .runs import (  # fmt: skip
    FIT,
    GAIN,
    GRIDS,
    KL,
    MODELS,
    PRINTED,
    RESCALED,
    TS,
    TS_NAIVE,
    TS_PLAYED,
    UCB,
    UCB_SAME,
    lowest_share,
    widths_of,
)

STYLES = {GAIN: 0, PRINTED: 1, UCB: 2, TS: 3, RESCALED: 4, TS_PLAYED: 4, TS_NAIVE: 5, UCB_SAME: 5, KL: 6}
LEAST = 1e-9  # simple regret on the logarithmic axis


def environment(result):
    """The environment that was played on."""
    return result.settings["environment"]


def side_by_side(title_of, band, styles=STYLES):
    """Regret, one panel per cell, in the order of the grid."""

    def draw(found, n):
        if len(found) == 1:
            return plots.regret(*found.values(), band, styles=styles)
        shown = {title_of(cell): result for cell, result in found.items()}
        return plots.panels(shown, band, "", "round t", "", styles)

    return draw


def regret_and_runs(found, n):
    """Regret, and the share of runs with at most so much of it at the end."""
    (result,) = found.values()
    figure = plots.blank("", "round t", "regret", "", columns=2, column_widths=[0.6, 0.4])
    plots.regret(result, figure=figure, styles=STYLES)
    plots.distribution(figure, result, STYLES, column=2)
    plots.name_band(figure, None)
    return figure


def with_bounds(found, n):
    """Regret of one cell, and the upper bounds, Theorem 1 only of the printed width."""
    (result,) = found.values()
    figure = plots.regret(result, styles=STYLES)
    if n.upper:
        rounds = plots.rounds(n.horizon)
        curves = {"t × largest gap": bounds.trivial(environment(result).gains, rounds)}
        curves |= limits_of(result, n, rounds)
        for index, (name, values) in enumerate(curves.items()):
            plots.bound(figure, rounds, values, name, index)
        plots.logarithmic(figure)
    return figure


def limits_of(result, n, rounds):
    """The theorems' bounds by name; none holds for alpha <= 1."""
    world = environment(result)
    if n.alpha <= 1:
        return {}
    curves = {"UCB at most (Cor 14)": bounds.corollary14(world.gains, world.penalty[-1], rounds, n.alpha)}
    if "printed" in widths_of(n.width):
        curves["RCUCB at most (Thm 1)"] = bounds.theorem1(world.gains, world.penalty, rounds, n.alpha)
    return curves


def share_of_rounds(found, n):
    """Share of censored rounds up to t, and that of the best pair."""
    (result,) = found.values()
    figure = plots.blank("", "round t", "share of rounds up to t", "")
    plots.name_band(figure, None)
    places = plots.places_of(result.policies, STYLES)
    for name, rows in result.summary().groupby("policy", sort=False):
        low, high, t = rows["low"] / rows["t"], rows["high"] / rows["t"], rows["t"]
        plots.curve(figure, t, rows["mean"] / t, name, places[name], (low, high))
    plots.bound(figure, [0, n.horizon], [lowest_share(environment(result))] * 2, "best pair")
    figure.update_yaxes(range=[0, 1], tickformat=".0%")
    return figure


def colour_of(name):
    """The colour of a policy, or of the best pair."""
    return plots.BOUND if name == BEST else plots.PALETTE[STYLES[name]]


def colour_under(head):
    """The colour of ours that a printed column is compared with."""
    return colour_of(next(name for name in SHOWN if head_of(name) == head))


def share_and_printed(found, n):
    """Share of censored rounds up to t on a problem of the paper, and behind it what the paper prints."""
    ((cell, _),) = found.items()
    figure = share_of_rounds(found, n)
    ours = len(figure.data)
    for head in HEADS if (cell.problem, cell.grid) in SHARES else ():
        share = printed(cell.problem, cell.grid, head)
        plots.printed(figure, [0, n.horizon], [share] * 2, f"under {head}: {share:.4f}", colour_under(head))
    figure.data = figure.data[ours:] + figure.data[:ours]
    return figure


SHOWN = {BEST: "square", GAIN: "circle", PRINTED: "triangle-up", UCB: "diamond", TS: "cross", TS_PLAYED: "x"}


def shares_beside(by_panel):
    """Mean shares by (problem, grid, parameters) and name, one panel per grid; behind them the paper's."""
    titles = [f"{len(limits) if isinstance(limits, list) else limits} limits" for limits in GRIDS.values()]
    figure = plots.blank(
        "", "share censored", "", "", columns=len(GRIDS), subplot_titles=titles, shared_yaxes=True,
        horizontal_spacing=0.04,
    )  # fmt: skip
    for column, grid in enumerate(GRIDS, 1):
        rows = {problem + ", fitted" * (kind == FIT): own for (problem, g, kind), own in by_panel.items() if g == grid}
        for row, head in itertools.product(rows, HEADS):
            share = printed(row.partition(",")[0], grid, head)
            plots.printed(figure, [share], [row], f"under {head}: {share:.4f}", colour_under(head), column=column)
        for name, symbol in SHOWN.items():
            known = {row: np.mean(own[name]) for row, own in rows.items() if name in own}
            figure.add_scatter(
                x=list(known.values()), y=list(known), mode="markers", name=name, legendgroup=name, row=1, col=column,
                marker=dict(symbol=symbol, size=9, color=colour_of(name)), showlegend=column == 1 and bool(known),
            )  # fmt: skip
    order = [problem + word for problem in ("PosCorr", "NegCorr") for word in ("", ", fitted")] + ["Indep"]
    figure.update_xaxes(range=[0, 1], dtick=0.5)
    return figure.update_yaxes(type="category", categoryorder="array", categoryarray=order[::-1])


def pulls_of(result):
    """Mean number of rounds of every pair, by policy."""
    return dict(zip(result.policies, result.diagnostics["pulls"].mean(axis=1), strict=True))


def landscape(found, n):
    """Expected gain of every pair by colour, and where the policies spend their rounds by circles."""
    (result,) = found.values()
    world, names = environment(result), result.policies
    arms, limits = world.gains.shape
    figure = plots.blank(
        "", "limit τ", "arm", "", columns=len(names), shared_yaxes=True,
        subplot_titles=["<br>".join(textwrap.wrap(name, 10)) for name in names],
    )  # fmt: skip
    shown = np.maximum(world.gains, world.gains.max() - 1)
    x, y = np.meshgrid(np.arange(limits), np.arange(1, arms + 1))
    for column, (name, rounds) in enumerate(pulls_of(result).items(), 1):
        figure.add_heatmap(
            z=shown, x=np.arange(limits), y=np.arange(1, arms + 1), colorscale="Viridis", showscale=column == 1,
            colorbar=dict(title="gain ν", thickness=12), row=1, col=column, customdata=world.gains,
            hovertemplate="arm %{y}, limit %{x}: ν = %{customdata:.3f}<extra></extra>",
        )  # fmt: skip
        spent = rounds.ravel() / n.horizon
        figure.add_scatter(
            x=x.ravel(), y=y.ravel(), mode="markers", showlegend=False, row=1, col=column, customdata=spent,
            marker=dict(size=34 * np.sqrt(spent), color="#ffffff", line=dict(color="#000000", width=1)),
            hovertemplate="arm %{y}: %{customdata:.1%} of the rounds<extra>" + name + "</extra>",
        )  # fmt: skip
    places = np.linspace(0, limits - 1, min(3, limits)).astype(int).tolist()
    texts = [f"{world.limits[place]:.2f}" for place in places]
    figure.update_xaxes(title_text="limit τ", tickvals=places, ticktext=texts, tickangle=0)
    figure.update_yaxes(range=[0.5, arms + 0.5])
    figure.update_layout(showlegend=False)
    return figure


def three_models(found, n):
    """Laws of reward and consumption, a row per model: both marginals, and the joint one."""
    ((points, densities),) = found.values()
    titles = [f"{model}: {what}" for model in MODELS for what in ("reward", "consumption", "both")]
    figure = plots.blank(
        "", "value", "density", "", rows=3, columns=3, subplot_titles=titles, vertical_spacing=0.11,
        horizontal_spacing=0.13,
    )  # fmt: skip
    for row, (model, density) in enumerate(densities.items(), 1):
        for column, axis in ((1, 0), (2, 1)):
            plots.curve(figure, points, density.mean(axis=axis), model, row - 1, row=row, column=column)
        few = np.float32(density[::2, ::2])  # a quarter of the points, in half of the bytes: contours look the same
        figure.add_contour(
            x=points[::2], y=points[::2], z=few, showscale=False, colorscale="Viridis", ncontours=8, row=row, col=3,
            hovertemplate="reward %{x:.2f}, consumption %{y:.2f}<extra></extra>",
        )  # fmt: skip
        figure.update_yaxes(title=dict(text="consumption", standoff=4), row=row, col=3)
    for column, text in enumerate(("reward", "consumption", "reward"), 1):
        figure.update_xaxes(title_text=text, row=3, col=column)
    figure.update_xaxes(showticklabels=False, row=1).update_xaxes(showticklabels=False, row=2)  # as in the third
    figure.update_layout(showlegend=False, margin_t=80)
    figure.update_annotations(font_size=13)
    return figure


def kept(world, threshold):
    """Places of the limits that keep the promise."""
    return world.limits <= threshold + ROUNDING


def gains_of_models(found, n):
    """Expected gain of the three models against the limit up to the promise, a panel per promise."""
    titles = [f"promise {cell.threshold:g}" for cell in found]
    figure = plots.blank("", "limit τ", "expected gain ν", "", columns=len(found), subplot_titles=titles)
    for column, (cell, world) in enumerate(found.items(), 1):
        places = kept(world, cell.threshold)
        for index, model in enumerate(MODELS):
            gains = world.gains[index, places]
            plots.curve(figure, world.limits[places], gains, model, index, column=column, legend=column == 1)
    return figure


def growing_grids(found, n):
    """Expected gain against the limit, and below it the grid of every arm."""
    ((world, grids),) = found.values()
    figure = plots.blank(
        "", "limit τ", "", "", rows=2, shared_xaxes=True, row_heights=[0.6, 0.4], vertical_spacing=0.08
    )
    points = np.linspace(0.005, 1, 200)
    for arm, name in enumerate(("arm 1", "arms 2 and 3")):
        plots.curve(figure, points, [world.gain(arm, float(x)) for x in points], name, arm)
    for arm, grid in enumerate(grids):
        colour = plots.PALETTE[min(arm, 1)]
        figure.add_scatter(
            x=grid, y=[f"arm {arm + 1}"] * len(grid), mode="markers", showlegend=False, row=2, col=1,
            marker=dict(color=colour, size=14, symbol="line-ns", line=dict(width=2, color=colour)),
            name=f"grid of arm {arm + 1}",
        )  # fmt: skip
    figure.update_yaxes(title_text="gain ν", row=1, col=1)
    figure.update_yaxes(title_text="grid", autorange="reversed", row=2, col=1)
    return figure


RECOMMENDED = {"finest": "finest cell", "safest": "largest lower bound"}


def recommendations(found, n):
    """Mean simple regret by horizon, m and recommendation, one panel per problem."""
    problems = list(dict.fromkeys(cell.problem for cell in found))
    styles = [(parts, kind) for parts in dict.fromkeys(cell.parts for cell in found) for kind in RECOMMENDED]
    figure = plots.blank(
        "", "horizon T", "simple regret", "", columns=len(problems), shared_yaxes=True, subplot_titles=problems
    )
    for (cell, table), (kind, name) in itertools.product(found.items(), RECOMMENDED.items()):
        mean, column = table.groupby("T")[kind].mean().clip(lower=LEAST), problems.index(cell.problem) + 1
        plots.curve(
            figure, mean.index, mean, f"m = {cell.parts}, {name}", styles.index((cell.parts, kind)),
            mode="lines+markers", column=column, legend=column == 1,
        )  # fmt: skip
    horizons = sorted({T for table in found.values() for T in table["T"]})
    figure.update_xaxes(type="log", tickvals=horizons, ticktext=[f"{T:,}" for T in horizons])
    plots.logarithmic(figure)
    return figure


def earnings(found, n):
    """Cumulative reward and cumulative penalised gain."""
    (results,) = found.values()
    figure = plots.blank("", "round t", "", "", columns=2, subplot_titles=list(results))
    for column, result in enumerate(results.values(), 1):
        plots.regret(result, figure=figure, column=column, legend=column == 1, styles=STYLES)
    return figure


def heat(figure, values, x, y, text, column=1, **options):
    """A map over two parameters, with its numbers written into it."""
    shown = [[text.format(value) for value in row] for row in values]
    figure.add_heatmap(
        z=values, x=[str(value) for value in x], y=[f"{value:g}" for value in y], text=shown, texttemplate="%{text}",
        row=1, col=column, hovertemplate="%{x}, %{y}: %{text}<extra></extra>", **options,
    )  # fmt: skip


def worth_of_sharing(found, n):
    """Regret of UCB with RCUCB's width over RCUCB's, by width and number of limits."""
    alphas, sizes = (list(dict.fromkeys(getattr(cell, name) for cell in found)) for name in ("alpha", "limits"))
    ratios = {c: r.final_regret(UCB_SAME).mean() / r.final_regret(GAIN).mean() for c, r in found.items()}
    values = [[ratios[cell] for cell in found if cell.alpha == alpha] for alpha in alphas]
    figure = plots.blank("", "limits |M|", "exploration α", "")
    heat(
        figure, np.log(values), sizes, alphas, "", colorscale="RdBu_r", zmid=0.0, showscale=False,
    )  # fmt: skip
    figure.data[0].text = [[f"{value:.1f}" for value in row] for row in values]
    return figure


def swings(found, n):
    """Mean simple regret of both recommendations by curvature and horizon."""
    curvatures, horizons = (list(dict.fromkeys(getattr(cell, name) for cell in found)) for name in found_names(found))
    titles = list(RECOMMENDED.values())
    figure = plots.blank("", "horizon T", "curvature a", "", columns=2, subplot_titles=titles, shared_yaxes=True)
    for column, kind in enumerate(RECOMMENDED, 1):
        values = [[t[kind].mean() for c, t in found.items() if c.curvature == a] for a in curvatures]
        names = [f"{T:,}" for T in horizons]
        heat(
            figure, values, names, curvatures, "{:.3f}", column, colorscale="Reds", zmin=0.0, zmax=0.3,
            showscale=False,
        )  # fmt: skip
    return figure


def found_names(found):
    """Names of the grid of some cells."""
    return next(iter(found))._fields


FIVE = 0.0, 0.25, 0.45, 0.7, 1.0  # which limits' indices are drawn, as shares of the grid


def shown_steepness(found):
    """The paper's steepness, or the first that there is."""
    steep = [cell.steepness for cell in found]
    return 10.0 if 10.0 in steep else steep[0]


def most_worth(found, n):
    """Least regret over log T, pairs apart and shared, over the number of limits."""
    figure = plots.blank("", "limits |M|", "least regret / log T", "")
    sizes = [cell.limits for cell in found]
    plots.curve(figure, sizes, [one.apart for one in found.values()], "pairs apart", 0)
    plots.bound(figure, sizes, [one.shared for one in found.values()], "sharing, lower bound", 1)
    plots.logarithmic(figure)
    return figure


def leaving(found, n):
    """The computed round against the steepness, and the simulated ones; beside it the indices of one arm."""
    titles = ["who leaves when", "five indices of arm 1"]
    figure = plots.blank(
        "", "steepness L", "round in which the largest limit is left", "", columns=2, subplot_titles=titles
    )
    by = {cell.steepness: one for cell, one in found.items()}
    plots.curve(figure, list(by), [one.computed for one in by.values()], "computed from gains and penalties", 0)
    known = [(x, float(t)) for x, one in by.items() for t in one.rounds if np.isfinite(t)]
    figure.add_scatter(
        x=[x for x, _ in known], y=[t for _, t in known], mode="markers", name="simulated runs", row=1, col=1,
        marker=dict(color=plots.PALETTE[1], size=7),
    )  # fmt: skip
    plots.bound(figure, [min(by), max(by)], [n.horizon] * 2, "end of the runs")
    plots.logarithmic(figure, row=1, col=1)
    one = by[shown_steepness(found)]
    for index, share in enumerate(FIVE):
        place = round(share * (len(one.limits) - 1))
        plots.curve(figure, one.t, one.indices[:, place], f"τ = {one.limits[place]:.2g}", index, column=2)
    figure.update_xaxes(type="log", dtick=1, title_text="round t", row=1, col=2)
    plots.logarithmic(figure, row=1, col=2)
    return figure


def refined(found, n):
    """Pulls of the worse arm in units of alpha log T / gap^2, and what Remark 3 and Theorem 1 allow."""
    (one,) = found.values()
    figure = plots.blank("", "log T", "pulls · Δ² / (α log T)", "")
    plots.curve(figure, one.logs, one.pulls, f"{PRINTED}, without noise", STYLES[PRINTED])
    ends = one.logs[[0, -1]]
    plots.bound(figure, ends, [4 * one.limit] * 2, "Theorem 1", 0)
    plots.bound(figure, ends, [8.0] * 2, "Remark 3 as T grows, whatever C", 1)
    for index, (constant, allowed) in enumerate(one.allowed.items(), 2):
        plots.bound(figure, one.logs, allowed, f"Remark 3, C = {constant}", index)
    figure.update_xaxes(type="log", dtick=1)
    plots.logarithmic(figure)
    return figure
