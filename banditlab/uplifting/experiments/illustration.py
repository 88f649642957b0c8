"""Figure 1: the model, an index of UpUCB around one pull, and what UpUCB-nAff (bl) identifies and fills up with."""

import numpy as np

from ... import figures
from ..environments import gaussian
from . import instances
from .instances import NAFF_BL, UP
from .live import played

BASE = np.array([0.5, 0.4, 0.6, 0.3, 0.5])
SETS = [[1, 3], [2, 4], [3, 4]]
UPLIFTS = np.array([[0.5, 0.4], [0.4, -0.1], [0.3, 0.2]])
BETA, SEEN = 1.0, 60  # exploration, and rounds of the picture of UpUCB-nAff (bl)
BEFORE, AFTER = figures.BOUND, figures.PALETTE[3]
KINDS = {"identified": figures.PALETTE[0], "filled up with": figures.PALETTE[4], "left out": "#b6bcc4"}


def small_world(spread):
    """Three actions, five variables, two of them affected by each action, as in Figure 1; the means are ours."""
    mu = np.tile(BASE, (3, 1))
    for row, members, uplift in zip(mu, SETS, UPLIFTS, strict=True):
        row[members] += uplift
    return gaussian(mu, BASE, SETS, idiosyncratic=np.full(5, spread * spread))


def paper_figure1(seed=0):
    """Figure 1: the model, UpUCB around one pull, and what UpUCB-nAff (bl) identifies and fills up with.

    Parameters
    ----------
    seed : int
        Of the noise in the last panel, at least 0.

    Returns
    -------
    figure, states : plotly.graph_objects.Figure, tuple
        The figure, and the states behind it: UpUCB's before and after the pull, and that of UpUCB-nAff (bl).
    """
    still, noisy = small_world(0.0), small_world(0.5)
    before, after, pulled = around_a_pull(still)
    state = played(noisy, instances.policy(NAFF_BL, noisy, BETA), SEEN, seed)
    titles = ["the model", "(a) UpUCB: intervals", "(a) UpUCB: indices", "(b) UpUCB-nAff (bl)"]
    figure = figures.blank(
        "The paper's Figure 1: three actions, five variables", "", "", caption(before, after, pulled), rows=2,
        columns=2, subplot_titles=titles, vertical_spacing=0.2, horizontal_spacing=0.2,
    )  # fmt: skip
    draw_model(figure, still)
    draw_intervals(figure, still, before, after, pulled)
    draw_indices(figure, before, after)
    draw_identified(figure, noisy, state)
    figure.update_layout(height=720, legend_y=1 - 44 / 720)
    return figure, (before, after, state)


def around_a_pull(world):
    """States of UpUCB before and after the first pull of a worse action past round ten, and that action."""
    policy, rounds = instances.policy(UP, world, BETA), 10
    before, after = played(world, policy, rounds, 0), played(world, policy, rounds + 1, 0)
    while (after.pulls - before.pulls)[world.gaps == 0].any():
        rounds += 1
        before, after = after, played(world, policy, rounds + 1, 0)
    return before, after, int(np.argmax(after.pulls - before.pulls))


def caption(before, after, pulled):
    """What the panels show."""
    return (
        rf"Top left: each action affects two variables. (a) UpUCB without noise, $\beta={BETA:g}$, before and after "
        f"action {pulled} is played once more: the intervals of the means of its own variables shrink, and of the "
        f"baseline elsewhere. Its index goes from {before.index[pulled]:.2f} to {after.index[pulled]:.2f}, that of the "
        f"best action 0 from {before.index[0]:.2f} to {after.index[0]:.2f}. (b) With noise, after {SEEN} rounds: "
        "variables whose interval excludes the baseline (crosses) are identified; where fewer than two are, the "
        "largest others fill up to two."
    )


def draw_model(figure, world):
    """Which variables an action affects."""
    for a, i in np.ndindex(world.affected.shape):
        own = world.affected[a, i]
        line = dict(color=figures.PALETTE[0] if own else figures.BOUND, width=2)
        figure.add_scatter(
            x=[i], y=[a], mode="markers", showlegend=False, hovertext=f"mean {world.mu[a, i]:g}", hoverinfo="text",
            marker=dict(size=22, symbol="square" if own else "square-open", color=line["color"]), row=1, col=1,
        )  # fmt: skip
    figure.update_yaxes(title_text="action", tickvals=[0, 1, 2], autorange="reversed", row=1, col=1)
    figure.update_xaxes(title_text="variable i (filled: affected)", dtick=1, range=[-0.5, 4.5], row=1, col=1)


def draw_intervals(figure, world, before, after, pulled):
    """Intervals of the means of the action pulled and of the best one, and of the baseline of the latter."""
    rows = [(a, i) for a in (pulled, 0) for i in SETS[a]] + [(None, i) for i in SETS[0]]
    labels = [f"variable {i}, " + ("baseline" if a is None else f"action {a}") for a, i in rows]
    for state, name, colour, shift in ((before, "before the pull", BEFORE, -0.15), (after, "after", AFTER, 0.15)):
        counts = [state.pulls[~world.affected[:, i]].sum() if a is None else state.pulls[a] for a, i in rows]
        figure.add_scatter(
            x=[world.mu0[i] if a is None else world.mu[a, i] for a, i in rows], y=np.arange(len(rows)) + shift,
            error_x=dict(array=np.sqrt(2 * BETA / np.array(counts)), thickness=3, width=5), mode="markers", name=name,
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


def draw_identified(figure, world, state):
    """Intervals of all means, coloured by what the index does with the variable."""
    means, radii = state.sums / state.pulls[:, None], np.sqrt(2 * BETA / state.pulls)
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
