"""One panel of every figure, from plain numbers: what the sliders move."""

import math

import numpy as np
import pandas as pd

from ... import figures
from ...simulation import simulate
from .. import bounds
from ..data import STAND_INS
from ..environments.shapes import weights_of
from ..policies import ars_ucb, generalised_odaaf, odaaf, ucb1
from . import instances, sequences
from .instances import ALPHAS, GROWTHS, named, shape_of, words

SHOWN = 600  # steps in the picture of rounds


def evenly(arms, gap):
    """Means of arms that differ by the gap, the best one at 0.9."""
    if not gap > 0:
        raise ValueError(f"gap={gap}: must be above 0")
    low = 0.9 - gap * (arms - 1)
    if low < -1e-9:
        raise ValueError(
            f"gap={gap}: {arms} arms from 0.9 down would need negative means; at most {0.9 / (arms - 1):.3f}"
        )
    return np.maximum(0.9 - gap * np.arange(arms), 0.0)


def regret(delay, d, start, gamma, power, alpha, growth, arms, gap, horizon, runs, upper, seed=0, progress=None):
    """Regret of ARS-UCB, of ODAAF, which is told the delays, and of UCB1, which does not know of them."""
    means = evenly(arms, gap)
    shape, told = shape_of(delay, d, start, gamma, power)
    policies = {"ARS-UCB": ars_ucb(arms, alpha, growth), "UCB1, delay-blind": ucb1(arms)}
    moments = bounds.delay_moments(shape)
    if math.isfinite(moments.mean):
        policies["ODAAF, told the mean"] = odaaf(arms, horizon, moments.mean)
    if math.isfinite(told):
        policies["gen. ODAAF, told d"] = generalised_odaaf(arms, horizon, told)
    result = simulate(instances.shuffled_runs(means, shape), policies, horizon, runs, seed, progress=progress)
    caption = (
        rf"{runs} runs; {words(delay, d, start, gamma, power)}; ARS-UCB with $\alpha={alpha:g}$ and f = "
        f"{GROWTHS[growth]}. Left: means, medians as thin lines. Right: share of runs with at most that regret at "
        "the horizon; a long flat end is a heavy tail."
    )
    figure = figures.blank(
        f"Regret under {words(delay, d, start, gamma, power)}", "step t", "cumulative regret", caption,
        columns=2, column_widths=[0.62, 0.38],
    )  # fmt: skip
    instances.spread_panels(figure, result)
    figure.update_xaxes(type="log", dtick="D2", row=1, col=2)
    if upper:
        limit = bounds.ars_ucb_upper(means, shape, result.checkpoints, alpha)
        if np.isfinite(limit).all():
            figures.bound(figure, result.checkpoints, limit, "Thm 1, leading term")
        figure.layout.meta["caption"] += theorem1(means, shape, alpha, growth, limit[-1], horizon)
    return figure, result


def theorem1(means, shape, alpha, growth, limit, horizon):
    """What Theorem 1 is worth here, in words: its leading term at the horizon, and the constant that is left out."""
    if not math.isfinite(limit):
        return r" Theorem 1 says nothing here: it asks for $\alpha>4$ and a finite $d_1$."
    late = bounds.d1(means, shape), bounds.d2(means, shape)
    constant = bounds.ars_ucb_constant(*late, alpha, growth).log_t1
    most = horizon * float(np.ptp(means))
    return (
        f" The line of Theorem 1 is its leading term, {limit:,.0f} at the horizon, "
        f"{'above' if limit > most else 'below'} {most:,.0f}, the most that can be lost. Its constant is left out: it "
        rf"is at least $2t_1$ with $\ln t_1={constant:,.1f}$."
        + (" With it, the theorem says nothing at this horizon." if constant + math.log(2.0) > math.log(most) else "")
    )


def alphas(delay, d, start, gamma, power, growth, arms, gap, horizon, runs, seed=0, progress=None):
    """The first panel of each pair in Figures 2 to 4: four values of alpha."""
    policies = {named(alpha, growth): ars_ucb(arms, alpha, growth) for alpha in ALPHAS}
    title = f"Exploration α under {words(delay, d, start, gamma, power)}"
    return panel(delay, d, start, gamma, power, arms, gap, horizon, runs, policies, title, seed, progress)


def growths(delay, d, start, gamma, power, alpha, arms, gap, horizon, runs, seed=0, progress=None):
    """The second panel of each pair in Figures 2 to 4: four growth functions."""
    policies = {named(alpha, growth): ars_ucb(arms, alpha, growth) for growth in GROWTHS}
    title = f"Round sizes f under {words(delay, d, start, gamma, power)}"
    return panel(delay, d, start, gamma, power, arms, gap, horizon, runs, policies, title, seed, progress)


def panel(delay, d, start, gamma, power, arms, gap, horizon, runs, policies, title, seed, progress):
    """Settings of ARS-UCB under one shape."""
    shape, _ = shape_of(delay, d, start, gamma, power)
    world = instances.shuffled_runs(evenly(arms, gap), shape)
    result = simulate(world, policies, horizon, runs, seed, progress=progress)
    caption = (
        f"{runs} runs. Left: mean regret with 95 % t-interval, medians as thin lines. Right: share of runs with at "
        f"most that regret at $T={horizon:,}$. A setting whose mean lies far above its median has a heavy tail: some "
        "runs dismiss the best arm early, because its rewards were credited to others."
    )
    figure = figures.blank(title, "step t", "cumulative regret", caption, columns=2, column_widths=[0.62, 0.38])
    instances.spread_panels(figure, result)
    figure.update_xaxes(type="log", dtick="D2", row=1, col=2)
    return figure, result


def short(value):
    """A number for captions."""
    return "∞" if math.isinf(value) else f"{value:.3g}"


def spread(delay, d, start, gamma, power, arms, gap, seed=0, progress=None):
    """How the reward of one pull spreads over time, and how much of it is late."""
    means = evenly(arms, gap)
    shape, told = shape_of(delay, d, start, gamma, power)
    longest = int(told) + 2 if math.isfinite(told) else 60
    weights = weights_of(shape, longest)
    weights = np.pad(weights, (0, max(0, longest + 1 - len(weights))))[: longest + 1]
    delays, late = np.arange(longest + 1), 1.0 - np.concatenate([[0.0], np.cumsum(weights)[:-1]])
    moments, first, second = bounds.delay_moments(shape), bounds.d1(means, shape), bounds.d2(means, shape)
    caption = (
        "Bars: the part of a reward that arrives after each delay (a chance where the delay is random). Line: what "
        f"is still to come. Mean delay {short(moments.mean)} steps; $d_1={short(first)}$ is the expected reward that "
        f"is late at any time, $d_2={short(second)}$ its variance (Theorem 1)."
    )
    figure = figures.blank(
        f"One reward: {words(delay, d, start, gamma, power)}", "delay τ", "part of the reward", caption,
        specs=[[dict(secondary_y=True)]],
    )  # fmt: skip
    figure.add_bar(x=delays, y=weights, name="arrives after τ", marker_color=figures.PALETTE[0], secondary_y=False)
    line = dict(color=figures.PALETTE[1], shape="hv", width=2.5)
    figure.add_scatter(x=delays, y=late, name="still to come", mode="lines", line=line, secondary_y=True)
    figure.update_yaxes(title_text="still to come", range=[0, 1.05], dtick=0.25, secondary_y=True, showgrid=False)
    return figure, pd.DataFrame({"delay": delays, "part": weights, "still to come": late})


def rounds(delay, d, start, gamma, power, alpha, growth, arms, gap, horizon, seed=0, progress=None):
    """Which arm is played when, in one run: rounds as a strip, for three policies."""
    means = evenly(arms, gap)
    shape, told = shape_of(delay, d, start, gamma, power)
    steps, other = min(SHOWN, horizon), bounds.delay_moments(shape).mean
    policies = {"ARS-UCB": ars_ucb(arms, alpha, growth), "UCB1": ucb1(arms)}
    if math.isfinite(other):
        policies["ODAAF"] = odaaf(arms, horizon, other)
    world = instances.shuffled_runs(means, shape)
    result = simulate(world, policies, steps, 1, seed, steps, progress=progress)
    steps_taken = np.diff(result.regret[:, 0, :], axis=1, prepend=0.0)
    rank = np.abs(steps_taken[:, :, None] - (means[0] - means)).argmin(axis=2)  # the loss of a step names the arm
    caption = (
        f"The first {steps:,} steps of one run; a colour is an arm, the best one darkest. ARS-UCB holds an arm for a "
        "round that grows each time, so that ever less of what it sees belongs to another arm; UCB1 changes arms at "
        "once."
    )
    if "ODAAF" in policies:
        caption += f" ODAAF begins with {policies['ODAAF'].plays[1]:,.0f} steps of each."
    figure = figures.blank(f"Rounds under {words(delay, d, start, gamma, power)}", "step t", "", caption)
    figure.add_heatmap(
        z=1 + rank[::-1], x=np.arange(1, steps + 1), y=result.policies[::-1], colorscale="Viridis", zmin=1, zmax=arms,
        colorbar=dict(title="arm, by<br>its mean", dtick=max(1, arms // 8)), ygap=6,
        hovertemplate="step %{x}, %{y}: arm of rank %{z}<extra></extra>",
    )  # fmt: skip
    figure.update_layout(height=330, margin_t=60)
    return figure, result


def late_at_the_end(shape, steps):
    """Rewards of a round of so many steps that come after it, if every pull pays 1.

    A round of n steps leaves S(1) + ... + S(n), S(j) the part that comes j steps after a pull or later. It gets as much
    of earlier pulls: the one j steps before it pays S(j) - S(j + n) into it, which adds up to the same.
    """
    parts, known = np.zeros(steps), weights_of(shape, steps)[:steps]
    parts[: len(known)] = known
    return float((shape.mass - np.cumsum(parts)).sum())


def limit_of_triangles(shape, late):
    """How the triangles depend on the length of the round, in words."""
    mean = bounds.delay_moments(shape).mean
    if math.isinf(mean):
        power = "logarithm" if shape.first == 2.0 else f"power {2.0 - shape.first:.2g}"
        return f"There is no limit: it grows like the {power} of the round, slower than the round itself."
    if math.isclose(late, mean):
        return "A longer round gets and leaves no more: this is the mean delay."
    return f"However long the round, it is never more than the mean delay, {mean:.4g}."


def figure1(delay, d, start, gamma, power, seed=0, progress=None):
    """Figure 1: the two triangles, what a round gets of earlier pulls and leaves to later ones."""
    shape, told = shape_of(delay, d, start, gamma, power)
    reach = 40 if math.isinf(told) else int(told)
    last = 2 * reach
    steps, late = np.arange(-reach, 3 * reach + 1), late_at_the_end(shape, last + 1)
    weights = weights_of(shape, 5 * reach)
    lag = steps[None, :] - steps[:, None]
    parts = np.where((lag >= 0) & (lag < len(weights)), weights[np.clip(lag, 0, len(weights) - 1)], 0.0)
    caption = (
        "Each row is a pull, each column the step in which a part of its reward arrives. The round (frame, "
        f"{last + 1} steps) collects its columns, not its rows: it gets {late:.2f} rewards of earlier pulls (the "
        "triangle above it) and leaves as much of its own to later ones (the triangle on its right), if every pull "
        f"pays 1. {limit_of_triangles(shape, late)} That is why long rounds help."
    )
    figure = figures.blank("The paper's Figure 1: the two triangles", "step of arrival", "step of the pull", caption)
    figure.add_heatmap(
        z=np.where(parts > 0, parts, np.nan).astype(np.float32), x=steps, y=steps, colorscale="Blues", zmin=0,
        colorbar=dict(title="part"), hovertemplate="pulled at %{y}, arrives at %{x}: %{z:.3f}<extra></extra>",
    )  # fmt: skip
    for low, high, left, right, dash in ((0, last, 0, last, "solid"), (-reach, -1, 0, last, "dot"),
                                         (0, last, last + 1, 3 * reach, "dot")):  # fmt: skip
        figure.add_shape(
            type="rect", x0=left - 0.5, x1=right + 0.5, y0=low - 0.5, y1=high + 0.5,
            line=dict(color=figures.PALETTE[1], width=2.5, dash=dash),
        )  # fmt: skip
    figure.update_yaxes(autorange="reversed")
    figure.update_layout(height=520, margin_t=60)
    return figure, pd.DataFrame({"round": [last + 1], "from earlier pulls": [late], "left to later rounds": [late]})


def radii(delay, d, start, gamma, power, alpha, growth, arms, gap, horizon, seed=0, progress=None):
    """The radius of ARS-UCB, and the hidden one of the proof, which knows how much is late."""
    means = evenly(arms, gap)
    shape, _ = shape_of(delay, d, start, gamma, power)
    late, variance, policy = bounds.d1(means, shape), bounds.d2(means, shape), ars_ucb(arms, alpha, growth)
    pulls = [policy.size(1)]
    while pulls[-1] < horizon:
        pulls.append(pulls[-1] + policy.size(len(pulls) + 1))
    pulls, rounds = np.array(pulls, float), np.arange(1.0, len(pulls) + 1.0)
    table = pd.DataFrame({"pulls N": pulls, "rounds K": rounds, "ARS-UCB": np.sqrt(alpha * np.log(horizon) / pulls)})
    text = "Here $d_1$ or $d_2$ is infinite, and so is the hidden radius."
    if math.isfinite(late) and math.isfinite(variance):
        table["hidden"] = bounds.hidden_radius(pulls, rounds, horizon, late, variance)
        table["its bias d₁K/N"] = late * rounds / pulls
        above = np.flatnonzero(table["hidden"] > table["ARS-UCB"])
        enough = 0 if len(above) == 0 else above[-1] + 1
        text = "The proof needs it below ARS-UCB's, " + (
            r"which $\alpha\le4$ never gives." if alpha <= 4 else f"as it is from {pulls[enough]:,.0f} pulls on."
            if enough < len(pulls) else "which takes more pulls than there are steps."
        )  # fmt: skip
    caption = (
        rf"At $t={horizon:,}$. ARS-UCB's radius $\sqrt{{\alpha\ln t/N}}$ knows nothing of the delays. The hidden one "
        rf"of the proof, $\sqrt{{4\ln t/N}}+d_1K/N+\sqrt{{12d_2K\ln t}}/N$, bounds how far what is seen leaves the "
        rf"true mean after K rounds; $d_1={short(late)}$, $d_2={short(variance)}$. {text}"
    )
    figure = figures.blank("The radius that is played, and the one of the proof", "pulls N", "radius", caption)
    for index, name in enumerate(table.columns[2:]):
        figures.curve(figure, pulls, table[name], name, index)
    figure.update_xaxes(type="log")
    figures.logarithmic(figure)
    return figure, table


def told_too(d, error):
    """What else CLW is told, in words."""
    told = max(1, round(d * (1.0 + error)))
    if told != d:
        return f", and {told} in its place"
    return f" only: with an error of {error:+.0%} it rounds to the same" if error else ""


def adversary(sequence, rule, d, error, beta, horizon, runs, seed=0, progress=None):
    """Figure 5: adversarial rewards, delays that watch the player or not."""
    arms = len(STAND_INS[sequence])
    policies = instances.contestants(arms, horizon, d, beta, (error,))
    world = sequences.synthetic_worlds(sequence, horizon, instances.rule(rule, d))
    result = simulate(world, policies, horizon, runs, seed, 100, progress=progress)
    limit = bounds.ars_exp3_upper(arms, horizon, d, beta)
    caption = (
        rf"Realised regret on a synthetic stand-in ({sequence}, {arms} arms), {runs} runs, {rule} delays with $d={d}$. "
        rf"Theorem 2 allows ARS-EXP3 at most {limit:,.0f}"
        + (", more than the horizon: it says nothing here." if limit > horizon else ".")
        + f" CLW is told d{told_too(d, error)}."
    )
    figure = figures.blank(f"Regret with {rule} delays", "step t", "cumulative regret", caption)
    return figures.regret(result, figure=figure), result
