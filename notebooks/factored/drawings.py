"""How the figures that are no plain regret panels are drawn; each takes one cell or many."""

import functools
import math

import numpy as np

from banditlab.evidence import LEVEL, mean
from banditlab.evidence.estimates import interval
from banditlab.factored import bounds
from banditlab.figures import plots

from . import ftrack_law, minimax
from .beyond import COMPONENTS, MULTIPLES, TOGETHER, at_once
from .runs import PRINTED, TENFOLD, THREEFOLD, one_gap, wrong_runs

SMALL = 400  # product vectors for which the linear program of Theorem 4.2 is drawn
STYLES = {"F-UCB": 0, "UCB1": 1, "Robust-UCB": 2, "TEA": 3, PRINTED: 1, TENFOLD: 2, THREEFOLD: 3,
          TOGETHER: 4}  # fmt: skip


def with_bounds(found, n):
    """Regret with the bounds of Sections 3 and 4 where they are switched on."""
    (result,) = found.values()
    figure = plots.regret(result)
    if n.lower:
        draw_lower(figure, n)
    if n.upper:
        draw_upper(figure, n)
        plots.logarithmic(figure)
    return figure


def is_subgaussian(n):
    """Whether σ covers the noise, as the upper bounds ask: Bernoulli observations need 1/2."""
    return n.law == "normal" or n.sigma >= 0.5


def list_unheld(n):
    """A sentence on the bounds that are others for Bernoulli observations."""
    slope = " With a best mean of 1 Bernoulli observations have $C(\\nu)=0$." * (n.lower and n.law != "normal")
    return slope + " The upper bounds need $\\sigma\\ge1/2$, and have no line." * (n.upper and not is_subgaussian(n))


def draw_lower(figure, n):
    """The lower bounds of Section 3, named for what they are: of this instance asymptotically, or of some instance."""
    t = plots.rounds(n.horizon)
    plots.bound(figure, t, slope_of(n, n.k) * np.log(t), "C(ν) log t, asymptotic (Thm 3.4)", 0)
    worst, blind = worst_lines(n, t)
    plots.bound(figure, t, worst, "some instance costs at least (proof of Thm 3.1)", 1)
    if blind is not None:
        plots.bound(figure, t, blind, "some instance, reward only, at least", 2)


def slope_of(n, k):
    """C(ν) of normal observations; of Bernoulli ones it is 0, as no option can be better than a best mean of 1."""
    normal = getattr(n, "law", "normal") == "normal"  # only some figures let the law move
    return bounds.lower_bound_constant(one_gap(n.d, k, n.gap), n.sigma) * normal


def worst_lines(n, t):
    """What some instance costs every algorithm, and those that see the reward only; None where that is no more."""
    arms = [n.k] * n.d
    worst, blind = minimax.minimax_lower(arms, n.sigma, t), minimax.minimax_lower_reward_only(arms, n.sigma, t)
    return worst, np.maximum(worst, blind) if np.max(blind - worst) > 0 else None


def draw_upper(figure, n):
    """The upper bounds of Section 4, where alpha allows them."""
    if n.alpha <= 2:
        return
    arms, means, t = [n.k] * n.d, one_gap(n.d, n.k, n.gap), plots.rounds(n.horizon)
    known = 1.0 if is_subgaussian(n) else math.nan
    plots.bound(figure, t, known * bounds.upper_bound(means, n.sigma, t, n.alpha), "F-UCB at most (Cor 4.3)", 3)
    plots.bound(figure, t, known * bounds.worst_case_upper(arms, n.sigma, t, n.alpha), "F-UCB at most (Thm 4.1)", 4)
    if math.prod(arms) <= SMALL:
        few = np.unique([*t[:: max(1, len(t) // 8)], n.horizon])
        program = [known * bounds.upper_bound_lp(means, n.sigma, int(T), n.alpha) for T in few]
        plots.bound(figure, few, program, "F-UCB at most (Thm 4.2)", 0)


def crossed(result, n):
    """A sentence for every lower bound in the figure that a policy's mean ends below."""
    if not n.lower:
        return ""
    some, (worst, blind) = "some instance costs at least that, not this one", worst_lines(n, n.horizon)
    said = below_slope(result, n, n.k)
    said += beneath(result, worst, f"the line of Theorem 3.1's proof: {some}")
    if blind is not None:
        said += beneath(result, blind, f"the line for those who see the reward only: {some}", {"F-UCB"})
    return said


def below_slope(result, n, k):
    """A sentence on the policies whose mean ends below C(ν) log T."""
    slope = slope_of(n, k) * math.log(n.horizon)
    return beneath(result, slope, "C(ν) log t: it holds as T grows, and need not hold here")


def beneath(result, level, words, but=frozenset()):
    """A sentence on the policies, but for some, whose mean regret ends below a level."""
    below = [name for name in result.policies if name not in but and result.final_regret(name).mean() < level]
    return f" {' and '.join(below)} lie{'s' * (len(below) == 1)} below {words}." if below else ""


def rows_of_options(found, n):
    """Figure 1: one row per component, a bar for every stretch of slices with the same option."""
    ((means, lengths, vectors),) = found.values()
    figure = plots.blank("", "pulls per log T", "component", "")
    edges = np.concatenate([[0.0], np.cumsum(lengths)])
    for i, options in enumerate(vectors.T):
        for bar in list_bars(i, edges, options, means[i]):
            figure.add_trace(bar)
    cut = dict(type="line", yref="y domain", y0=0, y1=1, line=dict(color=plots.BOUND, width=1, dash="dot"))
    figure.update_layout(shapes=[dict(cut, x0=edge, x1=edge) for edge in edges[1:]])
    names = [f"i = {i + 1}" for i in range(len(means))]
    figure.update_yaxes(
        tickvals=list(range(len(means))), ticktext=names, autorange="reversed", showgrid=False, zeroline=False
    )
    figure.update_layout(barmode="overlay", showlegend=False, margin_t=60)
    return figure


def list_bars(i, edges, options, means):
    """One component of Figure 1, bars as dicts."""
    starts = [s for s in range(len(options)) if s == 0 or options[s] != options[s - 1]]
    for start, end in zip(starts, [*starts[1:], len(options)], strict=True):
        j, left, right = int(options[start]), edges[start], edges[end]
        best = means[j] == means.max()
        yield dict(
            type="bar", y=[i], x=[right - left], base=left, orientation="h", width=0.72,
            marker=dict(color="#e3e6ea" if best else plots.PALETTE[j % 7], opacity=0.75),
            text=f"a*={j + 1}" if best else f"{j + 1}", textposition="inside", insidetextanchor="middle",
            hovertemplate=f"option {j + 1}, mean {means[j]:.3f}, {right - left:.3g} pulls per log T<extra></extra>",
        )  # fmt: skip


def as_played(found, n):
    """Figure 1 as each policy plays it: rows are components, columns rounds, colours options; grey is the best one."""
    (shown,) = found.values()
    titles = [f"{name}:<br>{rounds.sum():,.0f} rounds" for name, (_, rounds, _) in shown.items()]
    figure = plots.blank("", "rounds, costliest first", "component", "", rows=2, columns=2, subplot_titles=titles)
    colours = ["#e3e6ea", *(plots.PALETTE[j % 7] for j in range(1, n.k))]
    scale = [[(j + side) / n.k, colour] for j, colour in enumerate(colours) for side in (0, 1)]
    for place, (vectors, rounds, _) in enumerate(shown.values()):
        figure.add_heatmap(
            x=np.concatenate([[0.0], np.cumsum(rounds)]), y=[f"i = {i + 1}" for i in range(n.d)], z=vectors.T + 1,
            colorscale=scale, zmin=0.5, zmax=n.k + 0.5, showscale=False, row=1 + place // 2, col=1 + place % 2,
            hovertemplate="%{y}: option %{z}<extra></extra>",
        )  # fmt: skip
    figure.update_yaxes(autorange="reversed", showgrid=False)
    return figure


@functools.lru_cache(2000)
def least_slope(d, gap, sigma):
    """C(ν) of two options a component: a figure asks for it once a cell, again and again."""
    return bounds.lower_bound_constant(one_gap(d, 2, gap), sigma)


def over_floor(result, cell, n):
    """F-UCB's regret over C(ν) log T, run by run."""
    return result.final_regret("F-UCB") / (least_slope(cell.d, cell.gap, n.sigma) * math.log(n.horizon))


def ratios_by_d(found, n):
    """Figure 2: the ratio and what Equation 16 allows, against d, one curve for each gap."""
    titles = ["measured", "allowed by the bounds"]
    figure = plots.blank("", "components d", "ratio", "", columns=2, subplot_titles=titles)
    for index, gap in enumerate(dict.fromkeys(cell.gap for cell in found)):
        cells = [cell for cell in found if cell.gap == gap]
        ds, values = [cell.d for cell in cells], np.array([over_floor(found[cell], cell, n) for cell in cells])
        middle, error, _ = interval(values.T)
        name = f"Δ = {gap:g}"
        plots.curve(figure, ds, middle, name, index, (middle - 2 * error, middle + 2 * error), mode="lines+markers")
        allowed = [bounds.remark41_ratio(gap, d, n.alpha) for d in ds]
        plots.curve(figure, ds, allowed, name, index, column=2, legend=False)
    plots.name_band(figure, 2)
    figure.update_yaxes(rangemode="tozero")  # a ratio that stays is a flat line, not the last digit of a number
    return figure


def line(found, gap, n):
    """Slope and R² of the straight line through the ratios of one gap, against d; a flat one has no R²."""
    ds = np.array([cell.d for cell in found if cell.gap == gap], float)
    values = np.array([over_floor(result, cell, n).mean() for cell, result in found.items() if cell.gap == gap])
    if len(ds) < 3:
        return math.nan, math.nan
    slope, start = np.polyfit(ds, values, 1)
    left, whole = ((values - slope * ds - start) ** 2).sum(), ((values - values.mean()) ** 2).sum()
    return float(slope), float(1 - left / whole) if np.ptp(values) > 1e-9 * values.mean() else math.nan


def last_by_d(found, n):
    """The headline: regret at the horizon against d."""
    figure = plots.blank("", "components d", "regret at T", "")
    for name, place in plots.places_of(next(iter(found.values())).policies, STYLES).items():
        ones = {cell.d: mean(result.final_regret(name)) for cell, result in found.items() if name in result.policies}
        low, high = zip(*(one.ends(LEVEL) for one in ones.values()), strict=True)
        middle = [one.value for one in ones.values()]
        plots.curve(figure, list(ones), middle, name, place, (low, high), mode="lines+markers")
    plots.name_band(figure, None)
    figure.update_xaxes(dtick=1)
    plots.logarithmic(figure)
    return figure


def against_horizons(panel):
    """Figures 4 and 6 in the report: one panel per cell, on a logarithmic axis."""

    def draw(found, n):
        shown = {panel.format(**cell._asdict()): found[cell] for cell in sorted(found, key=lambda cell: cell[::-1])}
        figure = plots.panels(shown, 2, "", "horizon T", "", STYLES, shared_yaxes="all")
        plots.logarithmic(figure)
        return figure

    return draw


def two_humps(found, n):
    """Figures 4 and 6 under the sliders: means and medians, and the law of the last regret."""
    (result,) = found.values()
    figure = plots.blank("", "horizon T", "cumulative regret", "", columns=2, column_widths=[0.6, 0.4])
    plots.regret(result, 2, figure=figure)
    plots.quantiles(figure, result, line=dict(width=1))
    plots.distribution(figure, result, column=2)
    plots.name_band(figure, 2)
    figure.update_xaxes(type="log", dtick=1, row=1, col=2)
    t, world = result.checkpoints, result.settings["environment"]
    if getattr(n, "lower", False):
        floor = bounds.lower_bound_constant(one_gap(n.d, 2, n.gap), n.sigma) * np.log(t)
        plots.bound(figure, t, floor, "C(ν) log T, asymptotic (Thm 3.4)")
    if hasattr(world, "rho") and (slope := world.best - 1.0) > 1e-9:
        plots.bound(figure, t, slope * t, "always playing (1..1)")
    return figure


def rewards_by_rho(found, n):
    """Figure 5: expected rewards against rho."""
    rhos, table = [cell.rho for cell in found], np.transpose(list(found.values()))
    figure = plots.blank("", "share of the common noise ρ", "expected reward", "")
    for m in range(1, n.d):
        plots.bound(figure, rhos, table[m], f"m between 1 and {n.d - 1}", 2, legend=m == 1)
    plots.curve(figure, rhos, table[0], "r(1..1), m = 0", 0)
    plots.curve(figure, rhos, table[n.d], f"r(2..2), m = {n.d}", 1)
    return figure


def prices_of(world):
    """What is known of a `Priced` world: multipliers and costs, one row per component, and the scale."""
    tables = world.multipliers, world.costs
    return *([row[:k] for row, k in zip(table, world.sizes, strict=True)] for table in tables), world.scale


def with_cap(found, n):
    """Pricing and manufacturing: regret, and the bound of the capped index."""
    (result,) = found.values()
    figure, world = plots.regret(result), result.settings["environment"]
    if n.upper and n.alpha > 2:
        t = plots.rounds(n.horizon)
        limit = bounds.priced_upper(*prices_of(world), n.sigma, t, n.alpha, cap=True)
        plots.bound(figure, t, limit, "capped F-UCB at most (Thm 4.1, App. A)")
        plots.logarithmic(figure)
    return figure


def all_second_best(world):
    """Whether shared noise has made (2..2) better than (1..1)."""
    first = np.zeros(len(world.sizes), np.int64)
    return world.expected(first + 1) > world.expected(first) + 1e-9


def mixed_best(world):
    """Whether a vector of both options is better than (1..1) and (2..2)."""
    first = np.zeros(len(world.sizes), np.int64)
    return world.best > max(world.expected(first), world.expected(first + 1)) + 1e-9


def wrong_shares(found):
    """Share of F-Track's runs that settled for a wrong vector, over all cells, in words."""
    names = dict.fromkeys(name for result in found.values() for name in result.policies)
    readings = [name for name in names if name.startswith("F-Track")]
    said = []
    for name in readings:
        parts = [wrong_runs(result, name).mean() for result in found.values() if name in result.policies]
        low, high = f"{min(parts):.0%}", f"{max(parts):.0%}"
        text = low if low == high else f"{low} to {high}"
        said.append(f"{text} ({name.removeprefix('F-Track, ')})")
    return ", ".join(said) or "the warm-up does not fit into the horizon"


def map_of_winners(found, n):
    """Two maps of the logarithm of F-Track's regret over F-UCB's: blue where F-Track loses less."""
    titles = [f"d = {n.d}", f"N₀ × {n.n0_mult}"]
    figure = plots.blank("", "gap Δ", "", "", columns=2, subplot_titles=titles, horizontal_spacing=0.12)
    gaps = [cell.gap for cell in found]
    for column, (part, y) in enumerate(((0, MULTIPLES), (1, COMPONENTS)), 1):
        table = np.log10(np.transpose([pair[part] for pair in found.values()]))
        common = dict(x=gaps, y=y, z=table, row=1, col=column)
        figure.add_heatmap(
            **common, colorscale="RdBu_r", zmid=0, zmin=-2, zmax=2, showscale=column == 2,
            colorbar=dict(title="F-Track / F-UCB", tickvals=[-2, -1, 0, 1, 2],
                          ticktext=["1/100", "1/10", "equal", "10", "100"]),
            customdata=10**table, hovertemplate="Δ = %{x:g}, %{y}: F-Track / F-UCB = %{customdata:.3g}<extra></extra>",
        )  # fmt: skip
        figure.add_contour(
            **common, showscale=False, contours=dict(start=0, end=0, size=1, coloring="none"), hoverinfo="skip",
            line=dict(color="#1b1f24", width=2), name="equal regret", showlegend=False,
        )  # fmt: skip
    figure.update_yaxes(title_text="multiple of the printed N₀", row=1, col=1)
    figure.update_yaxes(title_text="components d", row=1, col=2)
    return figure


def ratios_by_horizon(found, n):
    """F-Track's expected regret over C(ν) log T: left a curve a reading against T, right to where the limit begins."""
    titles = ["horizons that can be played", "log of the ratio, N₀ as printed"]
    figure = plots.blank("", "horizon T", "regret / (C(ν) log T)", "", columns=2, subplot_titles=titles,
                         horizontal_spacing=0.14)  # fmt: skip
    horizons = [cell.horizon for cell in found]
    for index, name in enumerate(next(iter(found.values()))[0]):
        values = [ratios[name] for ratios, _ in found.values()]
        plots.curve(figure, horizons, values, name, index + 1, mode="lines+markers")
    plots.bound(figure, horizons, np.ones(len(horizons)), "what Theorem 5.1 promises in the limit")
    begins = ftrack_law.ftrack_limit_begins(n.gap, n.sigma)
    logs = np.unique(np.concatenate([np.geomspace(10, 100 * begins, 200), [begins, begins * (1 + 1e-6)]]))
    planned, wrong = ftrack_law.ftrack_limit(n.gap, n.d, n.sigma, logs)
    plots.curve(figure, logs, np.logaddexp(np.log(planned), wrong), PRINTED, 1, column=2, legend=False)
    figure.update_xaxes(type="log", dtick=1)
    figure.update_xaxes(title_text="log T", row=1, col=2)
    plots.logarithmic(figure)
    return figure


def regret_by_d(found, n):
    """Regret where one vector among k^d has a mean, against d, and what must be lost with and without observations."""
    figure, ds = plots.blank("", "components d", "regret at T", ""), [cell.d for cell in found]
    for name, place in plots.places_of(next(iter(found.values())).policies, STYLES).items():
        ones = {cell.d: mean(result.final_regret(name)) for cell, result in found.items() if name in result.policies}
        low, high = zip(*(one.ends(LEVEL) for one in ones.values()), strict=True)
        middle = [one.value for one in ones.values()]
        plots.curve(figure, list(ones), middle, name, place, (low, high), mode="lines+markers")
    plots.name_band(figure, None)
    for place, (bound, name) in enumerate((
        (minimax.minimax_lower_reward_only, "reward only, at least (ours)"),
        (minimax.minimax_lower, "with observations, some instance costs at least"),
    )):  # fmt: skip
        plots.bound(figure, ds, [bound([n.k] * d, n.sigma, n.horizon) for d in ds], name, place)
    if n.sigma > 1:
        theirs = [bounds.reward_only_lower([n.k] * d, n.sigma, n.horizon) for d in ds]
        plots.bound(figure, ds, theirs, "reward only, at least (Thm 3.2)", 2)
    figure.update_xaxes(dtick=1)
    plots.logarithmic(figure)
    return figure


def side_by_side(found, n):
    """Left: rounds with m bad components, mean over runs. Right: every run's regret at the horizon, in order."""
    ((cell, policies),) = found.items()
    figure = plots.blank("", "bad components at once", "rounds", "", columns=2, column_widths=[0.6, 0.4])
    for name, (counts, regret) in policies.items():
        rounds, m = counts.mean(axis=0)[1:], np.arange(1, counts.shape[1])
        shown = rounds > 0
        plots.curve(figure, m[shown], rounds[shown], name, STYLES[name], mode="lines+markers")
        share = np.arange(1, len(regret) + 1) / len(regret)
        plots.curve(figure, np.sort(regret), share, name, STYLES[name], column=2, legend=False,
                      line=dict(shape="hv"))  # fmt: skip
    plots.logarithmic(figure, row=1, col=1)
    figure.update_xaxes(type="log", dtick=1, title_text=f"regret at T = {n.horizon:,}", row=1, col=2)
    figure.update_yaxes(title_text="share of runs", range=[0, 1.03], row=1, col=2)
    return figure


def bad_at_once(policies):
    """Bad options per round that has one, by policy, in words."""
    totals = {name: at_once(counts) for name, (counts, _) in policies.items()}
    return ", ".join(f"{bad.sum() / rounds.sum():.1f} ({name})" for name, (bad, rounds) in totals.items())
