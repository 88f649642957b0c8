"""Beyond the paper's figures: how regret grows with the horizon, two arms that nearly tie, and recorded sequences."""

import numpy as np

from ... import figures
from ...result import interval
from ...simulation import simulate
from ...validate import whole
from ..data import Sequence
from ..environments import adversarial
from . import instances, paper


def growth_and_ties(scale, seed=0):
    """How the regret grows with the horizon, and what delays that watch the player do where two arms nearly tie.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiment.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    figure, results : plotly.graph_objects.Figure, dict
        The figure, and the results of the near tie by delay rule.
    """
    regret, results = paper.slopes(scale, seed), paper.stress(scale, seed)
    horizons, names = np.array(paper.sizes(scale).slopes), ["ARS-EXP3", "CLW, d told"]
    late = {name: [f"{paper.late_slope(found, name).mean():.4f}" for found in results.values()] for name in names}
    caption = (
        r"Synthetic stand-ins, $d=10$. Left: regret of policies made anew for every horizon (outbrain10, 10 runs, 95 % "
        r"t-intervals), beside the power $T^{2/3}$ of Theorem 2. Right: two arms that nearly tie (twin3, 12 runs), "
        rf"with delays that watch the player or are constant. Regret per step over the last quarter, "
        rf"{', '.join(results)}: " + "; ".join(f"{name} {', '.join(slopes)}" for name, slopes in late.items()) + "."
    )
    titles = ["outbrain10: regret at T", "twin3: regret against t"]
    figure = figures.blank(
        "Growth with the horizon, and a near tie (synthetic)", "horizon T", "regret", caption, columns=2,
        subplot_titles=titles, horizontal_spacing=0.12,
    )  # fmt: skip
    for index, name in enumerate(names):
        mean, _, half = interval(regret[index].T)
        figures.curve(figure, horizons, mean, name, index, mean - half, mean + half, mode="lines+markers")
    start = regret[0, 0].mean()
    figures.bound(figure, horizons, start * (horizons / horizons[0]) ** (2 / 3), "power 2/3")
    for index, name in enumerate(names):
        for rule, dash in zip(results, ("solid", "dot", "dash"), strict=True):
            curve = results[rule].of_policy(name).mean(axis=0)
            line = dict(color=figures.PALETTE[index], dash=dash)
            figures.curve(figure, results[rule].checkpoints, curve, f"{name}, {rule}", index, column=2, line=line)
    figure.update_xaxes(type="log", row=1, col=1)
    figure.update_yaxes(type="log", dtick="D2", row=1, col=1)
    figure.update_xaxes(title_text="step t", row=1, col=2)
    figure.update_layout(margin_t=165, height=520, legend_y=1 - 44 / 520)
    return figure, results


def recorded(sequence, rule="non-oblivious", d=10, runs=20, seed=0, progress=None):
    """Figure 5 on a sequence of one's own, such as those that `outbrain` and `coupon` read.

    Parameters
    ----------
    sequence : Sequence
        The arm that pays in each round, the same in every run; the figure says where it comes from.
    rule : {"non-oblivious", "oblivious"}
        Whether delays watch the player.
    d : int
        Longest delay in rounds, at least 1.
    runs : int
        Number of runs, at least 1.
    seed : int
        Whole number, at least 0.
    progress : callable, optional
        As `simulate` takes it.

    Returns
    -------
    figure, result : plotly.graph_objects.Figure, Result
        The figure and its numbers.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.
    """
    if not isinstance(sequence, Sequence):
        raise TypeError(f"sequence={sequence!r}: must be made by outbrain, coupon, or synthetic")
    arms, horizon = len(sequence.names), len(sequence.labels)
    world = adversarial(sequence.labels, instances.rule(rule, whole("d", d, 1)), arms)
    policies = instances.contestants(arms, horizon, d)
    result = simulate(world, policies, horizon, runs, seed, progress=progress)
    caption = (
        rf"Realised regret against {sequence.names[world.best]}, the best of {arms} arms; {sequence.source}, "
        rf"{horizon:,} rounds, {runs} runs, {rule} delays with $d={d}$."
    )
    title = f"Regret on {sequence.source}"
    return figures.regret(result, figure=figures.blank(title, "step t", "cumulative regret", caption)), result
