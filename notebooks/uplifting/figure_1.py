"""Figure 1 drawn: the model, UpUCB around one pull, and what UpUCB-nAff (bl) identifies and fills up with."""

import numpy as np

from banditlab.figures import plots

from .captions import only
from .runs import SMALL_SETS

BEFORE, AFTER = plots.BOUND, plots.PALETTE[3]
KINDS = {"identified": plots.PALETTE[0], "filled up with": plots.PALETTE[4], "left out": "#b6bcc4"}


def figure_1(found, n):
    """The four panels."""
    world, _, (before, after, state) = only(found)
    titles = ["the model", "(a) UpUCB: intervals", "(a) UpUCB: indices", "(b) UpUCB-nAff (bl)"]
    figure = plots.blank(
        "", "", "", "", rows=2, columns=2, subplot_titles=titles, vertical_spacing=0.2, horizontal_spacing=0.2
    )
    draw_model(figure, world)
    draw_intervals(figure, world, before, after, n.beta)
    draw_indices(figure, before, after)
    draw_identified(figure, world, state, n.beta)
    figure.update_layout(height=720, legend_y=1 - 44 / 720)
    return figure


def draw_model(figure, world):
    """Which variables an action affects."""
    for a, i in np.ndindex(world.affected.shape):
        own = world.affected[a, i]
        line = dict(color=plots.PALETTE[0] if own else plots.BOUND, width=2)
        figure.add_scatter(
            x=[i], y=[a], mode="markers", showlegend=False, hovertext=f"mean {world.mu[a, i]:g}", hoverinfo="text",
            marker=dict(size=22, symbol="square" if own else "square-open", color=line["color"]), row=1, col=1,
        )  # fmt: skip
    figure.update_yaxes(title_text="action", tickvals=[0, 1, 2], autorange="reversed", row=1, col=1)
    figure.update_xaxes(title_text="variable i (filled: affected)", dtick=1, range=[-0.5, 4.5], row=1, col=1)


def draw_intervals(figure, world, before, after, beta):
    """Intervals of the means of the action pulled and of the best one, and of the baseline of the latter."""
    pulled, best = int(np.argmax(after.pulls - before.pulls)), int(world.gaps.argmin())
    rows = [(a, i) for a in (pulled, best) for i in SMALL_SETS[a]] + [(None, i) for i in SMALL_SETS[best]]
    labels = [f"variable {i}, " + ("baseline" if a is None else f"action {a}") for a, i in rows]
    for state, name, colour, shift in ((before, "before the pull", BEFORE, -0.15), (after, "after", AFTER, 0.15)):
        counts = [state.pulls[~world.affected[:, i]].sum() if a is None else state.pulls[a] for a, i in rows]
        figure.add_scatter(
            x=[world.mu0[i] if a is None else world.mu[a, i] for a, i in rows], y=np.arange(len(rows)) + shift,
            error_x=dict(array=np.sqrt(2 * beta / np.array(counts)), thickness=3, width=5), mode="markers", name=name,
            marker=dict(color=colour, size=8), legendgroup=name, row=1, col=2,
        )  # fmt: skip
    figure.update_yaxes(tickvals=list(range(len(rows))), ticktext=labels, autorange="reversed", row=1, col=2)
    figure.update_xaxes(title_text="expected payoff", row=1, col=2)


def draw_indices(figure, before, after):
    """The index of every action."""
    for state, name, colour in ((before, "before the pull", BEFORE), (after, "after", AFTER)):
        figure.add_bar(x=[f"action {a}" for a in range(3)], y=state.index, name=name, legendgroup=name,
                       showlegend=False, marker_color=colour, row=2, col=1)  # fmt: skip
    top = 1.1 * max(before.index.max(), after.index.max())
    figure.update_yaxes(title_text="uplifting index τ", range=[min(0.0, before.index.min(), after.index.min()), top],
                        row=2, col=1)  # fmt: skip


def draw_identified(figure, world, state, beta):
    """Intervals of all means, coloured by what the index does with the variable."""
    means, radii = state.sums / state.pulls[:, None], np.sqrt(2 * beta / state.pulls)
    for name, colour in KINDS.items():
        places = [(a, i) for a in range(3) for i in range(5) if kinds(means[a] - world.mu0, radii[a])[i] == name]
        figure.add_scatter(
            x=[6 * a + i for a, i in places], y=[means[place] for place in places], mode="markers", name=name,
            error_y=dict(array=[radii[a] for a, _ in places], thickness=2.5, width=4),
            marker=dict(color=colour, size=8), row=2, col=2,
        )  # fmt: skip
    spots = np.arange(17)[np.arange(17) % 6 < 5]
    figure.add_scatter(x=spots, y=np.tile(world.mu0, 3), mode="markers", name="baseline", row=2, col=2,
                       marker=dict(symbol="x-thin-open", color="#000000", size=10, line_width=2))  # fmt: skip
    figure.update_xaxes(tickvals=[2, 8, 14], ticktext=[f"action {a}" for a in range(3)], showgrid=False, row=2, col=2)
    figure.update_yaxes(title_text="payoffs of variables 0 to 4", row=2, col=2)


def kinds(uplift, radius):
    """What Algorithm 3 does with each variable of an action, told that two are affected."""
    found = np.abs(uplift) > radius
    rest = [i for i in np.argsort(-uplift, kind="stable") if not found[i]][: max(0, 2 - found.sum())]
    return ["identified" if found[i] else "filled up with" if i in rest else "left out" for i in range(len(uplift))]
