"""A look inside one run: the very run that `simulate` plays, round by round, with what the policy shows of itself."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from ..engine.player import Player
from ..user_code import contract, spaces, stopping
from ..validate import LARGEST, refuse_too_large, whole
from .record_run import Watcher, make_log, prepare_run
from .statistical_checks import play_one_round

MOST = 10_000  # rounds written down where nothing else is asked for
STOPS = 60  # of the slider
SHOWS = ("estimate", "radius", "index")  # rows of what `indices` returns, unless the policy says otherwise


@dataclass(frozen=True, repr=False)
class Trace:
    """One run, round by round: what `trace` returns.

    Parameters
    ----------
    policy : str
        Name of its class.
    t : ndarray of int, shape (rows,)
        Rounds played before the one that was written down.
    actions, observations : ndarray, shape (rows,) or (rows, entries), or None
        None where they are neither numbers nor rows of numbers.
    indices : ndarray, shape (rows, 3, arms), or None
        Estimate, radius and index of every arm before the choice, where the policy shows them.
    regret : ndarray, shape (rows,)
        Cumulative, after the round.
    world, state : object
        As the last round left them.
    sizes : tuple of int
        Number of arms; of a vector of choices, the number of options of each component.
    shows : tuple of three str
        What the three rows of `indices` are; empty for one that holds nothing.
    extra : tuple of str
        What the columns of `indices` beyond the arms are.
    pairs : tuple of int and tuple
        Number of arms and the second choices, where an action is an arm and the place of a second choice.
    """

    policy: str
    t: np.ndarray
    actions: np.ndarray
    observations: np.ndarray
    indices: np.ndarray
    regret: np.ndarray
    world: object
    state: object
    sizes: tuple = ()
    shows: tuple = SHOWS
    extra: tuple = ()
    pairs: tuple = ()

    def __repr__(self):
        return f"Trace of {self.policy}: {len(self.t)} of the rounds {self.t[0] + 1} to {self.t[-1] + 1}"

    @cached_property
    def labels(self):
        """Names of the bars: arm, component.option, or a pair, and what the policy shows beyond them."""
        if self.pairs:
            arms, seconds = self.pairs
            names = [f"{second:.3g}" if isinstance(second, float) else f"{second}" for second in seconds]
            return [f"{arm}: {name}" if arms > 1 else name for arm in range(arms) for name in names] + [*self.extra]
        if len(self.sizes) > 1:
            arms = [f"{i}.{j}" for i, size in enumerate(self.sizes) for j in range(size)]
        else:
            arms = [str(arm) for arm in range(*self.sizes)]
        return [*arms, *self.extra]

    @cached_property
    def frame(self):
        """Data frame with a row per round: t, action, observation (a column per entry), regret, and the indices."""
        columns = {"t": self.t}
        for name, values in (("action", self.actions), ("observation", self.observations)):
            if values is not None and values.ndim == 1:
                columns[name] = values
            elif values is not None:
                columns |= {f"{name} {i}": values[:, i] for i in range(values.shape[1])}
        columns["regret"] = self.regret
        if self.indices is not None:
            for i, name in enumerate(self.shows):
                columns |= {f"{name} {bar}": self.indices[:, i, j] for j, bar in enumerate(self.labels) if name}
        return pd.DataFrame(columns)

    def figure(self, name=None):
        """Figure with a slider over the rounds, which needs no kernel: the regret so far, and beside it every arm.

        Of a policy with ``indices`` estimate and radius are drawn, or what it `shows` in their place, and the third row
        is told where one points at a bar; of others the share of the rounds so far. What is played is marked: an arm,
        or an option of each component.

        Parameters
        ----------
        name : str, optional
            What the title calls the policy; by default its class.

        Returns
        -------
        plotly.graph_objects.Figure
        """
        from ..figures import plots

        if not self.sizes and not self.pairs:
            raise ValueError(f"{self.policy}: its actions are no arms or options; draw from `frame` what they are")
        rows = np.unique(np.geomspace(1, len(self.t), STOPS).astype(int) - 1)
        title = f"{name or self.policy}, round by round"
        shown = "share of the rounds so far" if self.indices is None else " and ".join(filter(None, self.shows[:2]))
        arm = "pair" if self.pairs else "arm" if len(self.sizes) == 1 else "option (component.option)"
        caption = f"Left: regret; a point marks the round. Right: {shown} of every {arm}; a triangle marks the choice."
        if self.indices is not None and self.shows[2]:
            caption += f" Point at a bar for its {self.shows[2]}."
        figure = plots.blank(title, "round t", "regret", caption, columns=2)
        plots.curve(figure, self.t + 1, self.regret, "regret", 0)
        middle = len(rows) // 2  # at the end most learners have nothing left to show
        first = self.stop(rows[middle])
        style = dict(size=11, color=plots.PALETTE[1])
        figure.add_scatter(x=first["x"][0], y=first["y"][0], mode="markers", marker=style, name="this round")
        visible, right = self.indices is not None and bool(self.shows[1]), dict(row=1, col=2)
        bars = dict(type="data", array=first["error_y.array"][1] or [], visible=visible)
        heights = dict(x=first["x"][1], y=first["y"][1], hovertext=first["hovertext"][1])
        figure.add_bar(**heights, error_y=bars, name=shown, **right)
        style = dict(size=14, color=plots.PALETTE[1], symbol="triangle-up")
        figure.add_scatter(x=first["x"][2], y=first["y"][2], mode="markers", marker=style, name="choice", **right)
        steps = [dict(method="restyle", label=f"{self.t[row] + 1:,}", args=[self.stop(row), [1, 2, 3]]) for row in rows]
        slider = dict(steps=steps, active=middle, currentvalue=dict(prefix="round "), pad=dict(t=45))
        figure.update_layout(height=520, margin_b=110, sliders=[slider])
        ticks = dict(tickvals=list(range(len(self.labels))), ticktext=self.labels)
        return figure.update_xaxes(title_text=arm, **right, **ticks)

    @cached_property
    def played(self):
        """Places of the bars that are played, (rows, components)."""
        if self.pairs:
            return np.ravel_multi_index(self.actions.T, (self.pairs[0], len(self.pairs[1])))[:, None]
        return self.actions.reshape(len(self.t), -1) + np.cumsum((0, *self.sizes[:-1]))

    def stop(self, row):
        """What the slider shows at a row, for the three traces that move: places, heights, radii."""
        n, radii, told, chosen = len(self.labels), None, None, self.played[row].tolist()
        if self.indices is None:
            heights = (np.bincount(self.played[: row + 1].ravel(), minlength=n) / (row + 1)).round(4).tolist()
        else:
            heights, radii = to_json_numbers(self.indices[row, 0]), to_json_numbers(self.indices[row, 1])
            told = [f"{self.shows[2]} {value:.4g}" if self.shows[2] else "" for value in self.indices[row, 2]]
        here = [int(self.t[row]) + 1], [round(float(self.regret[row]), 4)]
        return {
            "x": [here[0], list(range(n)), chosen],
            "y": [here[1], heights, [0.0] * len(chosen)],
            "error_y.array": [None, radii, None],
            "hovertext": [None, told, None],
        }


def to_json_numbers(values):
    """Numbers for JSON: None where there is none."""
    return [round(float(value), 4) if np.isfinite(value) else None for value in values]


def trace(
    environment: tuple, policy: tuple, horizon: int, seed: int = 0, run: int = 0, every: int | None = None
) -> Trace:
    """Play one run of `simulate` and write down its rounds.

    Parameters
    ----------
    environment, policy : NamedTuple
        As in `simulate`. A policy may have a method ``indices(self, state, t)`` that returns an array of shape
        (3, arms), estimate, radius and index of every arm, nan where there is none; it must not change the state. Of
        vectors of choices the columns are the options of all components in a row, of pairs all pairs, arm by arm. An
        attribute ``shows`` of its class names the three rows otherwise, an attribute ``extra`` names columns beyond the
        arms.
    horizon, seed : int
        As in `simulate`.
    run : int
        Number of the run, at least 0: ``trace(..., run=3).regret`` is of row 3 of ``simulate(...)``, bit for bit.
    every : int
        Write down every so many rounds; by default so that there are at most 10,000.

    Returns
    -------
    Trace
        ``.frame`` and ``.figure()``.

    Examples
    --------
    >>> from banditlab import classic, trace
    >>> trace(classic.bernoulli([0.3, 0.9]), classic.ucb1(2), horizon=100, every=10).actions.shape
    (10,)
    """
    horizon, seed, number = whole("horizon", horizon, 1, LARGEST), whole("seed", seed, 0), whole("run", run, 0, LARGEST)
    every = max(1, -(-horizon // MOST)) if every is None else whole("every", every, 1, horizon)
    refuse_too_large(f"every={every}: of {horizon} rounds", 8 * (horizon // every))
    environment, policy, careful = prepare_run(environment, policy, horizon, seed, number)
    t = np.arange(0, horizon, every)
    logs = make_trace_logs(environment, policy, seed, number, len(t))
    player = Player(policy, np.union1d(t + 1, [horizon]), seed, careful, witness=Watcher(every, (logs[0],), *logs[1:]))
    flags = np.zeros(2, np.int64)
    regret, world, state = player.play(environment, number, flags)
    t = t[t < stopping.count_rounds_of_run(flags, horizon)]
    told = [log[: len(t)] if log.ndim < 3 else None for log in logs[:2]]
    indices = logs[2][: len(t)] if logs[2].ndim == 3 else None
    shows, extra = getattr(policy, "shows", SHOWS), getattr(policy, "extra", ())
    asked = policy, told[0], None if indices is None else indices.shape[2] - len(extra)
    more = sizes_of(*asked), shows, extra, pairs_of(*asked)
    return Trace(type(policy).__name__, t, *told, indices, regret[: len(t)], world, state, *more)


def pairs_of(policy, actions, columns):
    """Number of arms and second choices, where an action is a pair of their places; else empty."""
    known = contract.declared_actions(policy)
    if actions is None or actions.ndim != 2 or actions.shape[1] != 2 or actions.dtype.kind != "i":
        return ()
    if not isinstance(known, tuple) or [type(part) for part in known[:2]] != [int, tuple]:
        return ()
    return known[:2] if columns in (None, known[0] * len(known[1])) else ()


def sizes_of(policy, actions, columns):
    """Number of arms, or of options by component; empty where the actions, or the columns, are something else."""
    if actions is None or not np.issubdtype(actions.dtype, np.integer):
        return ()
    if actions.ndim == 1:
        return (int(actions.max()) + 1 if columns is None else columns,)
    sizes = contract.declared_sizes(policy)
    if isinstance(sizes, spaces.Ranked):
        return (sizes.items,)
    declared = isinstance(sizes, tuple) and len(sizes) == actions.shape[1] and all(isinstance(n, int) for n in sizes)
    return sizes if declared and columns in (None, sum(sizes)) else ()


def make_trace_logs(environment, policy, seed, number, rows):
    """Room for actions, observations and indices as the first round, played interpreted, has them."""
    action = contract.play_first_action(environment, policy, seed, number)
    observation, _ = play_one_round(environment, action, seed, 0, number)
    indices = np.zeros(0)
    if contract.has_method(policy, "indices"):
        shape = np.shape(policy.indices(policy.init(contract.make_streams(seed, number)[1]), 0))
        if len(shape) != 2 or shape[0] != 3:
            raise ValueError(f"{type(policy).__name__}.indices: returns the shape {shape}, must be (3, arms)")
        indices = np.zeros((rows, *shape))
    return [make_log(action, rows), make_log(observation, rows), indices]
