"""How figures that are no plain regret panels are drawn: ``draw(found, n)`` makes the figure."""

import numpy as np

from banditlab.evidence.estimates import interval
from banditlab.figures import plots
from banditlab.uplifting import bounds

from . import baseline, beyond, recorded
from .captions import only
from .figure_1 import figure_1  # noqa: F401
from .names import LCB, STYLES, TS, UCB, UP, UP_BL
from .tuning import q95

SHOWN = 3  # actions whose uplifts are seen without a click


def regret(found, n):
    """Regret and, if switched on, Propositions 1 and 3 for the sliders' instance."""
    result = only(found)
    figure = plots.regret(result, styles=STYLES)
    if n.bound:
        world, rounds = result.settings["environment"], plots.rounds(n.horizon, count=40)
        sizes, standard = world.affected.sum(axis=1), world.gaps / n.sigma  # the theorems are for noise 1
        upper = [n.sigma * bounds.upucb_bl_upper(standard, sizes, int(t)).regret for t in rounds]
        lower = n.sigma * bounds.known_sets_lower(standard, sizes) * np.log(rounds)
        plots.bound(figure, rounds, upper, "UpUCB (bl) at most (Prop. 1, its β)", 0)
        plots.bound(figure, rounds, lower, "least for T → ∞, all noise common (Prop. 3)", 1)
        plots.logarithmic(figure)
    return figure


def identified(found, n):
    """Which variables each action affects, and which were identified."""
    world, _, (state,) = only(found)
    K, m = world.mu.shape
    radius = np.sqrt(2 * n.beta / np.maximum(state.pulls, 1))[:, None]
    said = np.abs(state.sums / np.maximum(state.pulls, 1)[:, None] - world.mu0) > radius
    code = np.where(world.affected, np.where(said, 3, 2), np.where(said, 1, 0))
    words = ["not affected", "identified, though not affected", "affected, not yet identified", "identified"]
    colours = ["#f1f3f5", plots.PALETTE[1], plots.PALETTE[5], plots.PALETTE[0]]
    figure = plots.blank("", "variable i", "action (pulls)", "")
    steps = [(k / 4 + e, colour) for k, colour in enumerate(colours) for e in (0.0, 0.25)]
    order = np.argsort(world.gaps, kind="stable")
    figure.add_heatmap(
        z=code[order], zmin=-0.5, zmax=3.5, colorscale=steps, showscale=False, xgap=1, ygap=2,
        x=np.arange(m), text=np.array(words)[code[order]], hovertemplate="variable %{x}: %{text}<extra></extra>",
    )  # fmt: skip
    for name, colour in zip(words, colours, strict=True):
        figure.add_scatter(x=[None], y=[None], mode="markers", name=name, marker=dict(symbol="square", size=13,
                           color=colour, line=dict(width=1, color="#b6bcc4")))  # fmt: skip
    labels = [f"{a} ({int(state.pulls[a]):,})" for a in order]
    figure.update_yaxes(tickvals=list(range(K)), ticktext=labels, autorange="reversed", showgrid=False, zeroline=False)
    figure.update_xaxes(showgrid=False, zeroline=False)
    return figure


def uplifts(found, n):
    """Estimated uplifts with their intervals, action by action, and the true ones."""
    world, rounds, states = only(found)
    L = int(world.affected[0].sum())
    means = np.array([state.sums / state.pulls for state in states])
    radii = np.array([L * np.sqrt(2 * n.beta / state.pulls) for state in states])
    true, order = world.rewards - world.mu0.sum(), np.argsort(world.gaps, kind="stable")
    figure = plots.blank("", "round t", "uplift", "")
    for index, a in enumerate(order):
        name, shown = f"action {a}", True if index < SHOWN else "legendonly"
        plots.curve(figure, rounds, means[:, a], name, index, (means[:, a] - radii[:, a], means[:, a] + radii[:, a]))
        figure.add_scatter(x=[rounds[0], rounds[-1]], y=[true[a]] * 2, mode="lines", legendgroup=name, showlegend=False,
                           name=f"{name}, true", line=dict(color=plots.BOUND, width=1.5, dash="dash"))  # fmt: skip
        figure.update_traces(dict(visible=shown), dict(legendgroup=name))
    figure.update_xaxes(type="log", dtick=1, exponentformat="power")
    best = order[:SHOWN]
    top = np.abs(true[best]).max() + 3 * np.median(radii[len(rounds) // 2, best])
    figure.update_yaxes(range=[-top, top])
    return figure


def with_quantile(found, n):
    """Mean regret on the left, its 95 % quantile on the right."""
    figure = plots.blank("", "round t", "regret", "", columns=2, subplot_titles=["mean", "95 % quantile"])
    plots.regret(only(found), 1, figure=figure)
    plots.quantiles(figure, only(found), 0.95, method="higher", column=2)
    plots.name_band(figure, 1)
    return figure


def locking(found, n):
    """Indices of the best action and of the one that the ablation played instead, under both variants."""
    world, _, traces = only(found)
    best = int(world.gaps.argmin())
    pulls = np.bincount(traces[LCB].actions, weights=world.gaps[traces[LCB].actions], minlength=len(world.gaps))
    figure = plots.blank("", "round t", "index", "", columns=2, subplot_titles=["UpUCB", "baseline LCB"])
    for column, one in enumerate(traces.values(), 1):
        for place, (name, a) in enumerate((("best action", best), ("played instead", int(pulls.argmax())))):
            plots.curve(figure, one.t + 1, one.indices[:, 2, a], name, place, column=column, legend=column == 1)
    return figure.update_xaxes(type="log", dtick=1, exponentformat="power")


def noiseless(found, n):
    """Pulls of every worse action against its gap, with what theory says of them."""
    world, _, (state,) = only(found)
    order = [a for a in np.argsort(world.gaps) if world.gaps[a] > 0]
    gaps, exact = world.gaps[order], 2 * n.beta * (world.affected.sum(axis=1)[order] / world.gaps[order]) ** 2
    figure = plots.blank("", "gap Δ", "pulls", "")
    figure.add_scatter(x=gaps, y=state.pulls[order], mode="markers", name="pulls", marker_size=11)
    plots.bound(figure, gaps, exact, "2βL²/Δ²", 1)
    plots.bound(figure, gaps, 4 * exact, "bound (4): 8βL²/Δ²", 0)
    plots.logarithmic(figure)
    return figure.update_xaxes(type="log", tickvals=[0.1, 0.2, 0.5, 1, 2, 5])


def tuned_beside(by_setting):
    """Score of every parameter over the least of its policy, a panel a setting, and behind it the printed one."""
    columns = min(3, len(by_setting))
    figure = plots.blank(
        "", "parameter", "score / least score", "", rows=-(-len(by_setting) // columns), columns=columns,
        subplot_titles=list(by_setting), vertical_spacing=0.2,
    )  # fmt: skip
    named = set()
    for place, policies in enumerate(by_setting.values()):
        where = dict(row=1 + place // columns, column=1 + place % columns)
        tables = {name: (one[0], one[1].table.set_index("parameter")["score"]) for name, one in policies.items()}
        for name, (theirs, scores) in tables.items():
            colour = plots.PALETTE[STYLES[name]]
            plots.printed(figure, [theirs], [scores[theirs] / scores.min()], f"{name}: {theirs:g}", colour, **where)
        for name, (_, scores) in tables.items():
            plots.curve(
                figure, scores.index, scores / scores.min(), name, STYLES[name], mode="lines+markers",
                legend=name not in named, **where,
            )  # fmt: skip
            named.add(name)
    plots.logarithmic(figure)
    return figure.update_xaxes(type="log", dtick=1, exponentformat="power").update_yaxes(dtick=None, nticks=5)


def figure_3(found, n):
    """Means and 95 % quantiles of the tuned policies: the two baselines above, the given L below."""
    titles = ["(a) mean", "(a) 95 % quantile", "(b) mean", "(b) 95 % quantile"]
    figure = plots.blank("", "round t", "regret", "", rows=2, columns=2, subplot_titles=titles)
    for place, (cell, one) in enumerate(found.items()):
        values, checkpoints = one.result.of_policy(repr(one.best)), one.result.checkpoints
        mean, error, _ = interval(values)
        row = 1 if cell.case.startswith(UP) else 2
        plots.curve(figure, checkpoints, mean, cell.case, place, (mean - error, mean + error), row=row, column=1)
        plots.curve(figure, checkpoints, q95(values), cell.case, place, row=row, column=2, legend=False)
    plots.name_band(figure, 1)
    return figure


def campaign(found, n):
    """Three panels for each feedback mode: predicted regret, realised regret, mean predicted uplift."""
    columns = ["predicted-uplift regret", "realised regret", "mean predicted uplift"]
    titles = columns if len(found) == 1 else [f"{what}<br>{cell.mode}" for cell in found for what in columns]
    figure = plots.blank("", "round t", "", "", rows=len(found), columns=3, subplot_titles=titles)
    for row, result in enumerate(found.values(), 1):
        plots.regret(result, 1, figure=figure, row=row, column=1, legend=row == 1, styles=STYLES)
        checkpoints, realised = recorded.at(result, "realised")
        _, uplift, oracle = recorded.mean_uplift(result)
        places = plots.places_of(result.policies, STYLES)
        for column, values in ((2, realised), (3, uplift)):
            for one, (name, place) in zip(values, places.items(), strict=True):
                mean, spread, _ = interval(one)
                plots.curve(figure, checkpoints, mean, name, place, (mean - spread, mean + spread), row=row,
                              column=column, legend=False)  # fmt: skip
        plots.bound(figure, checkpoints, oracle, "oracle", 1, row=row, column=3, legend=row == 1)
    plots.name_band(figure, 1)
    figure.update_annotations(font_size=13)
    figure.update_layout(legend_font_size=12, margin_t=165)
    return figure


def gains(found, n):
    """The gain as a map over the share of affected variables and the correlation."""
    table = only(found)
    figure = plots.blank("", "share of affected variables L/m", "correlation ρ", "")
    exponents = np.log10(table.to_numpy())
    ticks = [1, 2, 5, 10, 20, 50, 100, 1000]
    figure.add_heatmap(
        z=exponents, x=table.columns, y=table.index, colorscale="Viridis", customdata=table.to_numpy(),
        hovertemplate="L/m = %{x}, ρ = %{y}: %{customdata:.3g} times<extra></extra>",
        colorbar=dict(title="times less", tickvals=np.log10(ticks), ticktext=ticks),
    )  # fmt: skip
    return figure


def price(found, n):
    """What was measured, our formula, and the ratio of the paper's bounds, over the number of actions."""
    titles = [f"the best action affects {cell.best}" for cell in found]
    figure = plots.blank("", "actions K", "UpUCB over UpUCB (bl)", "", columns=len(found), subplot_titles=titles)
    for column, (cell, table) in enumerate(found.items(), 1):
        K, first = table["K"].to_numpy(), column == 1
        figure.add_scatter(x=K, y=table[UP] / table[UP_BL], mode="markers", name="without noise", row=1, col=column,
                           legendgroup="without noise", showlegend=first,
                           marker=dict(size=11, color=plots.PALETTE[0]))  # fmt: skip
        own = [baseline.baseline_price(int(one), n.L, cell.best) for one in K]
        theirs = np.full(len(K), (1 + cell.best / n.L) ** 2)
        plots.bound(figure, K, own, "once: (1 + L*/(L√(K−1)))²", 1, column=column, legend=first)
        plots.bound(figure, K, theirs, "Theorem 1 over Proposition 1", 0, column=column, legend=first)
    figure.update_yaxes(type="log", tickvals=[1, 1.5, 2, 3, 5, 10, 20, 30, 50])
    return figure.update_xaxes(type="log", tickvals=[2, 5, 10, 20])


def one_unit(found, n):
    """Every parameter of Table 3 in units of the noise, both settings beside each other."""
    titles = [f"total noise: {cell.spread:.3g}" for cell in found]
    figure = plots.blank("", "in units of the noise", "", "", columns=len(found), subplot_titles=titles)
    for column, table in enumerate(found.values(), 1):
        for place, (setting, rows) in enumerate(table.groupby("setting")):
            figure.add_scatter(
                x=rows["in units"], y=rows["policy"], mode="markers", name=setting, legendgroup=setting,
                showlegend=column == 1, row=1, col=column,
                marker=dict(size=13, color=plots.PALETTE[place], symbol=("circle", "diamond")[place]),
            )  # fmt: skip
    figure.update_xaxes(type="log", dtick=1, exponentformat="power", range=[-1.4, 3])
    figure.update_yaxes(categoryorder="array", categoryarray=[UP, UP_BL, TS, UCB])
    return figure


def outside(found, n):
    """Regret, and the line that follows from what the policy is told."""
    titles = [f"effect {cell.effect:g}" for cell in found]
    figure = plots.blank("", "round t", "regret", "", columns=len(found), subplot_titles=titles)
    for column, result in enumerate(found.values(), 1):
        plots.regret(result, 1, figure=figure, column=column, legend=column == 1)
        rounds = result.checkpoints
        plots.bound(figure, rounds, beyond.slope(result) * rounds, "follows from the sets told", 0, column=column,
                      legend=column == 1)  # fmt: skip
    plots.name_band(figure, 1)
    return figure
