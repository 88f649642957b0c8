"""Figures that are no regret panels: (found, n) in, a plotly figure out."""

import re

import numpy as np

from banditlab import evidence
from banditlab.composite import bounds
from banditlab.figures import plots

from . import misleading
from .beyond import GENERAL_TOLD, ODAAF_TOLD
from .delay import Delay
from .runs import ALPHAS, ARS, BLIND, CENTRE, CLW, GROWTHS, VARIANTS, evenly, named

STYLES = {CENTRE: 0, named(1.0, "k2"): 1, named(2.0, "k2"): 2, named(8.0, "k2"): 3, named(4.0, "k"): 4,
          named(4.0, "k3"): 5, named(4.0, "2k"): 6}  # fmt: skip
BEST = "ODAAF, best of four"
COLUMNS = {"α varies": [named(a, "k2") for a in ALPHAS], "f varies": [named(4.0, f) for f in GROWTHS]}


def only(found):
    """What was played in the single cell."""
    (cell,) = found.values()
    return cell


def distributed(found, n):
    """Left: means with intervals, medians thin. Right: the share of runs with at most so much regret at the horizon."""
    result = only(found)
    figure = plots.blank("", "step t", "cumulative regret", "", columns=2, column_widths=[0.62, 0.38])
    plots.regret(result, figure=figure)
    plots.quantiles(figure, result, line=dict(width=1))
    plots.distribution(figure, result, column=2)
    plots.name_band(figure, None)
    figure.update_xaxes(type="log", dtick=1, row=1, col=2)
    return figure


def regret(found, n):
    """Mean regret with its intervals, against steps: a round is a stretch of them."""
    return plots.regret(only(found)).update_xaxes(title_text="step t")


def with_theorem1(found, n):
    """The same, with the leading term of Theorem 1 where it applies."""
    figure, rounds = distributed(found, n), only(found).checkpoints
    limit = bounds.ars_ucb_upper(evenly(n.arms, n.gap), Delay.of(n).shape, rounds, n.alpha)
    if n.upper and np.isfinite(limit).all():
        plots.bound(figure, rounds, limit, "Thm 1, leading term")
    return figure


def one_reward(found, n):
    """The parts of a reward as bars, what is still to come as a line."""
    table = only(found)
    figure = plots.blank("", "delay τ", "part of the reward", "", specs=[[dict(secondary_y=True)]])
    bars = dict(name="arrives after τ", marker_color=plots.PALETTE[0], secondary_y=False)
    figure.add_bar(x=table["delay"], y=table["part"], **bars)
    line = dict(color=plots.PALETTE[1], shape="hv", width=2.5)
    figure.add_scatter(
        x=table["delay"], y=table["still to come"], name="still to come", mode="lines", line=line, secondary_y=True
    )
    figure.update_yaxes(title_text="still to come", range=[0, 1.05], dtick=0.25, secondary_y=True, showgrid=False)
    return figure


def strip(found, n):
    """A colour is an arm, one row per policy."""
    names, ranks = list(only(found).ranks)[::-1], list(only(found).ranks.values())[::-1]
    figure = plots.blank("", "step t", "", "")
    figure.add_heatmap(
        z=ranks, x=np.arange(1, len(ranks[0]) + 1), y=names, colorscale="Viridis", zmin=1, zmax=n.arms, ygap=6,
        colorbar=dict(title="arm, by<br>its mean", dtick=max(1, n.arms // 8)),
        hovertemplate="step %{x}, %{y}: arm of rank %{z}<extra></extra>",
    )  # fmt: skip
    figure.update_layout(height=330, margin_t=60)
    return figure


def triangles(found, n):
    """Each row a pull, each column the step in which a part of its reward arrives; the round is framed."""
    round_, reach = only(found), only(found).reach
    steps, last = np.arange(-reach, 3 * reach + 1), round_.steps - 1
    lag = steps[None, :] - steps[:, None]
    weights = round_.weights
    parts = np.where((lag >= 0) & (lag < len(weights)), weights[np.clip(lag, 0, len(weights) - 1)], 0.0)
    figure = plots.blank("", "step of arrival", "step of the pull", "")
    figure.add_heatmap(
        z=np.where(parts > 0, parts, np.nan).astype(np.float32), x=steps, y=steps, colorscale="Blues", zmin=0,
        colorbar=dict(title="part"), hovertemplate="pulled at %{y}, arrives at %{x}: %{z:.3f}<extra></extra>",
    )  # fmt: skip
    for low, high, left, right, dash in ((0, last, 0, last, "solid"), (-reach, -1, 0, last, "dot"),
                                         (0, last, last + 1, 3 * reach, "dot")):  # fmt: skip
        line = dict(color=plots.PALETTE[1], width=2.5, dash=dash)
        corners = dict(x0=left - 0.5, x1=right + 0.5, y0=low - 0.5, y1=high + 0.5)
        figure.add_shape(type="rect", line=line, **corners)
    figure.update_yaxes(autorange="reversed")
    figure.update_layout(height=520, margin_t=60)
    return figure


def radii(found, n):
    """Left: radii against pulls. Right: the horizon from which Theorem 1 is at work, against alpha."""
    (table, starts), titles = only(found), ["radii at T", "Theorem 1 is at work from T*"]
    figure = plots.blank("", "pulls N", "radius", "", columns=2, subplot_titles=titles)
    for index, name in enumerate(table.columns[2:]):
        plots.curve(figure, table["pulls N"], table[name], name, index)
    if starts is not None:
        plots.bound(figure, starts["α"], starts["printed"], "T* as printed", column=2)
        for index, name in enumerate(GROWTHS.values(), 4):
            plots.curve(figure, starts["α"], starts[name], f"T*, f = {name}", index, column=2)
        if n.alpha > 4.0:
            here = starts[starts["α"] == n.alpha]
            marker = dict(size=11, symbol="diamond", color="black")
            plots.curve(figure, here["α"], here[GROWTHS[n.growth]], "this α and f", 0, column=2, mode="markers",
                        marker=marker)  # fmt: skip
    figure.update_xaxes(type="log", row=1, col=1)
    figure.update_xaxes(title_text="α", row=1, col=2)
    figure.update_yaxes(title_text="ln T*", row=1, col=2)
    plots.logarithmic(figure)
    return figure


def headline(found, n):
    """Regret at the horizon in all cases: means, with bars from the 5 % to the 95 % quantile."""
    figure, shown = plots.blank("", "", "regret at T", ""), {f"ARS-UCB, {CENTRE}": CENTRE, BEST: None, BLIND: BLIND}
    for index, (name, policy) in enumerate(shown.items()):
        places, means, ends = [], [], []
        for place, result in enumerate(found.values()):
            final = result.final_regret(policy) if policy else best_variant(result)
            if final is not None:
                places.append(place + 0.2 * (index - 1))
                means.append(final.mean())
                ends.append(np.quantile(final, [0.05, 0.95]))
        low, high = np.transpose(ends)
        bars = dict(type="data", array=high - means, arrayminus=means - low)
        marker = dict(size=9, color=plots.PALETTE[index], symbol=index)
        figure.add_scatter(x=places, y=means, error_y=bars, name=name, mode="markers", marker=marker)
    figure.update_xaxes(tickangle=-35, tickvals=list(range(len(found))), ticktext=[cell.case for cell in found])
    ticks = [digit * 10**power for power in range(7) for digit in (1, 2, 5)]  # all cases lie around one power of ten
    figure.update_yaxes(type="log", tickvals=ticks, tickformat=",")
    return figure


def best_variant(result):
    """Regret at the horizon of the variant of ODAAF with the least mean; None where none plays."""
    variants = [result.final_regret(name) for name in VARIANTS if name in result.policies]
    return min(variants, key=np.mean, default=None)


def two_columns(benchmark):
    """Two panels a case, medians with bands of quantiles: alpha varies, f varies; a benchmark beside them."""

    def draw(found, n):
        titles = [f"{cell.case}: {what}" for cell in found for what in COLUMNS]
        spacing = dict(vertical_spacing=0.24 / len(found), horizontal_spacing=0.09)
        figure = plots.blank("", "step t", "regret", "", rows=len(found), columns=2, subplot_titles=titles,
                               shared_xaxes=True, **spacing)  # fmt: skip
        for row, result in enumerate(found.values(), 1):
            for column, shown in enumerate(COLUMNS.values(), 1):
                for name in shown:
                    legend = row == 1 and (column == 1 or name not in COLUMNS["α varies"])
                    spread(figure, result, name, STYLES[name], row=row, column=column, legend=legend)
                if benchmark:
                    line = dict(color=plots.BOUND, dash="dot")
                    spread(figure, result, benchmark, 0, row=row, column=column, legend=row == column == 1, line=line)
        height = 170 + 230 * len(found)
        figure.update_layout(height=height, legend_y=1 - 44 / height, margin_t=150, title_y=1 - 12 / height)
        figure.update_annotations(font_size=13)
        figure.update_yaxes(rangemode="tozero")
        return figure

    return draw


def spread(figure, result, name, index, **options):
    """Median regret of a policy, with a band from the 5 % to the 95 % quantile."""
    low, middle, high = np.quantile(result.of_policy(name), [0.05, 0.5, 0.95], axis=0)
    plots.curve(figure, result.checkpoints, middle, name, index, (low, high), **options)


def games(found, n):
    """Figure 5: one row per game; left the regret, right its difference to CLW's, since most curves nearly coincide."""
    titles = [title for cell in found for title in (title_of(cell.game), f"less that of {CLW}")]
    rows, order = len(found), []
    spacing = dict(vertical_spacing=0.3 / rows, horizontal_spacing=0.1)
    figure = plots.blank("", "step t", "regret", "", rows=rows, columns=2, subplot_titles=titles, **spacing)
    for row, result in enumerate(found.values(), 1):
        names = [told(name) for name in result.policies]
        order += [name for name in names if name not in order]
        for name, shown in zip(result.policies, names, strict=True):
            tables = result.statistics(result.of_policy(name)), result.paired(name, CLW)
            for column, table in enumerate(tables, 1):
                plots.curve(
                    figure, table["t"], table["mean"], shown, order.index(shown),
                    (table["low"], table["high"]), row=row, column=column, legend=False,
                )  # fmt: skip
    for trace in figure.data:
        first = next(t for t in figure.data if t.name == trace.name)
        trace.showlegend = trace is first and "(band)" not in trace.name
    figure.update_layout(height=170 + 230 * rows, margin_t=170, legend_y=1 - 44 / (170 + 230 * rows))
    figure.update_annotations(font_size=13)
    return figure


def told(name):
    """What CLW is told in place of d, as a share of d: the same curve in all games."""
    found = re.fullmatch(r"CLW, told (\d+) for (\d+)", name)
    return f"CLW, told d {int(found[1]) / int(found[2]) - 1:+.0%}" if found else name


def title_of(game):
    """Title of a game's panel."""
    return f"{game.rule}, d = {game.d}" if game.rule == "non-oblivious" else f"oblivious {game.d // 2} to {game.d}"


def horizons(found, n):
    """Regret of policies made anew for every horizon, on logarithmic axes, beside the power 2/3 of Theorem 2."""
    result, figure = only(found), plots.blank("", "horizon T", "regret", "")
    plots.regret(result, figure=figure)
    rounds, start = result.checkpoints, result.of_policy(ARS)[:, 0].mean()
    plots.bound(figure, rounds, start * (rounds / rounds[0]) ** (2 / 3), "power 2/3")
    figure.update_xaxes(type="log", title_text="horizon T")
    figure.update_yaxes(type="log", dtick=1)
    return figure


def ties(found, n):
    """Two policies under every delay rule: a colour a policy, a dash a rule."""
    figure = plots.blank("", "step t", "regret", "")
    for cell, dash in zip(found, ("solid", "dot", "dash"), strict=False):
        for index, name in enumerate((ARS, CLW)):
            line, curve = dict(color=plots.PALETTE[index], dash=dash), found[cell].of_policy(name).mean(axis=0)
            plots.curve(figure, found[cell].checkpoints, curve, f"{name}, {cell.rule}", index, line=line)
    return figure


def against_time(found, n):
    """Left: mean regret of every alpha over the best one's, against t. Right: share of stuck runs."""
    result = only(found)
    titles = ["mean / least mean", "share of stuck runs"]
    figure = plots.blank("", "step t", "mean regret / least", "", columns=2, subplot_titles=titles)
    means = result.regret.mean(axis=1)
    for index, name in enumerate(result.policies):
        regret = result.of_policy(name)
        stuck = (regret > 2 * np.median(regret, axis=0)).mean(axis=0)
        plots.curve(figure, result.checkpoints, means[index] / means.min(axis=0), name, index)
        plots.curve(figure, result.checkpoints, stuck, name, index, column=2, legend=False)
    figure.update_xaxes(type="log")
    return figure


def told_wrong(found, n):
    """Regret at the horizon against what ODAAF is told, a panel a case; ARS-UCB as a level."""
    cells = list(found)
    figure = plots.blank("", "told value / true value", "regret at T", "", columns=len(cells),
                           subplot_titles=[cell.case for cell in cells])  # fmt: skip
    for column, cell in enumerate(cells, 1):
        result = found[cell]
        for index, name in enumerate((ODAAF_TOLD, GENERAL_TOLD), 1):
            ends = [mean_and_ends(result.final_regret(name.format(m))) for m in n.told]
            middle, low, high = np.transpose(ends)
            label, options = name.split(",")[0], dict(column=column, legend=column == 1, mode="lines+markers")
            plots.curve(figure, n.told, middle, label, index, (low, high), **options)
        level = np.full(len(n.told), result.final_regret(CENTRE).mean())
        line = dict(color=plots.PALETTE[0], dash="dash")
        plots.curve(figure, n.told, level, f"ARS-UCB, {CENTRE}", 0, column=column, legend=column == 1, line=line)
    return figure


def mean_and_ends(values):
    """Mean, and the ends of its interval."""
    one = evidence.mean(values)
    return one.value, *one.ends(evidence.LEVEL)


TIES = np.round(np.arange(0.80, 0.996, 0.005), 3)
DELAYS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50)


def map_of_misled(found, n):
    """The map over (s2/s1, d), its border, and a dot a measured cell."""
    drift = [[misleading.clw_drift(tie, d, 0.5) for tie in TIES] for d in DELAYS]
    figure = plots.blank("", "s₂ / s₁", "longest delay d", "")
    figure.add_contour(
        z=drift, x=TIES, y=DELAYS, colorscale="RdBu", zmin=-0.1, zmax=0.1, line_width=0,
        contours=dict(start=-0.1, end=0.1, size=0.02), colorbar=dict(title="drift to<br>the best arm"),
        hovertemplate="s₂/s₁ %{x}, d = %{y}: %{z:.3f}<extra></extra>",
    )  # fmt: skip
    figure.add_contour(z=drift, x=TIES, y=DELAYS, showscale=False, name="no drift", hoverinfo="skip", line_width=3,
                       contours=dict(start=0.0, end=0.0, size=1.0, coloring="lines"),
                       colorscale=[[0, "black"], [1, "black"]])  # fmt: skip
    for answer, (symbol, word) in MISLED.items():
        cells = [cell for cell, result in found.items() if linear(result, CLW) is answer]
        if cells:
            grown = [f"exponent {evidence.growth(found[cell], CLW).value:.2f}" for cell in cells]
            marker = dict(symbol=symbol, size=13, color="white", line=dict(color="black", width=2))
            figure.add_scatter(x=[cell.tie for cell in cells], y=[cell.d for cell in cells], mode="markers",
                               name=f"CLW {word}", marker=marker, text=grown)  # fmt: skip
    figure.update_yaxes(type="log", tickvals=[1, 2, 5, 10, 20, 50])
    figure.update_layout(legend_orientation="h")
    return figure


MISLED = {True: ("x", "linear"), None: ("diamond", "open"), False: ("circle", "learns")}


def linear(result, name):
    """Whether the regret of a policy grows linearly: at least 0.95; up to 0.75 not; None between."""
    return evidence.Cases("", evidence.growth(result, name)).linear().answer


def rates(found, n):
    """Regret at the horizon over that of beta = 1/2, against beta, a curve a game."""
    figure = plots.blank("", "β", "regret / regret at β = ½", "")
    for index, (cell, result) in enumerate(found.items()):
        regret = {b: result.final_regret(f"β = {b:g}") for b in n.betas}
        final = [evidence.exact(1.0) if b == 0.5 else evidence.ratio(regret[b], regret[0.5]) for b in n.betas]
        low, high = np.transpose([one.ends(evidence.LEVEL) for one in final])
        name = f"{cell.game.sequence}, {title_of(cell.game)}"
        plots.curve(figure, n.betas, [one.value for one in final], name, index, (low, high), mode="lines+markers")
    return figure
