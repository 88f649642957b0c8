"""Many instances at once: every cell of a grid, and what its curve or map shows."""

import inspect
import itertools
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from ..engine.scheduler import play_all
from ..engine.simulate import Progress, check_callers, make_cell
from ..evidence import fieller_ratio, log_slope
from ..validate import is_real, listed, number, percent, shown, vector

COLUMNS = "policy", "run", "t", "regret", "mean", "se", "low", "high", "median", "q95", "ratio"  # of a sweep's tables


@dataclass(frozen=True)
class Sweep:
    """The results of all cells: what `sweep` returns.

    Parameters
    ----------
    cells : list of dict
        The parameters of each cell, in the order of the grid.
    results : list of Result
        One for each cell.
    found : int
        How many of them an earlier sweep had kept.
    """

    cells: list
    results: list
    found: int = 0

    def __repr__(self):
        played = f"{len(self.cells) - self.found} played now, {self.found} found where earlier ones are kept"
        return f"Sweep of {len(self.cells)} cells over {', '.join(self.cells[0])}: {played}"

    def __iter__(self):
        return zip(self.cells, self.results, strict=True)

    @cached_property
    def frame(self):
        """Tidy frame: the parameters, policy, run, regret at the horizon, and the diagnostics that are numbers."""
        return pd.concat([add_parameters(cell, result.final) for cell, result in self], ignore_index=True)

    def summary(self, level=0.95):
        """The parameters, policy, and statistics of the regret at the horizon, as `Result.summary` gives them."""
        last = (result.summary(level).groupby("policy", sort=False).tail(1) for result in self.results)
        return pd.concat(map(add_parameters, self.cells, last), ignore_index=True)

    def ratio(self, first, second, level=0.95):
        """Mean regret of the first policy over that of the second, cell by cell, with Fieller's paired interval.

        The interval is unbounded where the second mean may be zero.
        """
        level, rows = number("level", level, above=0, below=1), []
        for cell, result in self:
            found = fieller_ratio(result.final_regret(first), result.final_regret(second))
            low, high = found.ends(level)
            rows.append({**cell, "ratio": found.value, "low": low, "high": high})
        return pd.DataFrame(rows)

    def slope(self, x, name, level=0.95):
        """Slope of log regret against the logarithm of a parameter, and its interval: see `evidence.log_slope`.

        The interval of a single run, or of few equal ones, has no ends.
        """
        self.require(x)
        level = number("level", level, above=0, below=1)
        values = [result.final_regret(name) for result in self.results]
        found = log_slope([number(x, cell[x], above=0) for cell in self.cells], values)
        return found.value, *found.ends(level)

    def curve(self, x, level=0.95):
        """Figure of the regret at the horizon against one parameter, both logarithmic, with intervals and slopes.

        Parameters
        ----------
        x : str
            Name of a parameter with positive values, the only one of the grid that has several.
        level : float
            Confidence level, in (0, 1).

        Returns
        -------
        plotly.graph_objects.Figure
        """
        from ..figures import plots

        self.require(x)
        table = self.summary(level).sort_values(x, kind="stable")
        shown = table[["mean", "low", "high"]].to_numpy()
        least = min(shown[shown > 0], default=np.nan)
        caption = f"Intervals ({percent(level)}) over runs; the legend tells the slopes between logarithms."
        if least > 0 and (table["low"] <= 0).any():
            caption += f" Those that reach 0 or below end at {least:.3g}, the least value shown."
        figure = plots.blank(f"Regret against {x}", x, "regret at the horizon", caption)
        for i, (name, rows) in enumerate(table.groupby("policy", sort=False)):
            label = name
            if (rows[x] > 0).all() and (rows["mean"] > 0).all() and len(rows) > 1:
                label = "{}: slope {:.2f} [{:.2f}, {:.2f}]".format(name, *self.slope(x, name, level))
            plots.curve(figure, rows[x], rows["mean"], label, i, (rows["low"].clip(least), rows["high"]))
        figure.update_xaxes(type="log").update_yaxes(type="log")
        return figure

    def map(self, x, y, first, second, level=0.95, mark=None):
        """Figure of the ratio of two policies' regret over two parameters: where does a claim stop holding?

        Parameters
        ----------
        x, y : str
            Names of the two parameters of the grid that have several values.
        first, second : str
            Names of policies; blue where the first loses less.
        level : float
            Confidence level of the paired intervals, each for itself, in (0, 1).
        mark : tuple of two numbers, optional
            Values of x and y that get a star: the cell of a paper.

        Returns
        -------
        plotly.graph_objects.Figure
            A line is drawn where the interval begins to exclude a tie; cells that are undecided bear a cross.
        """
        from ..figures import plots

        self.require(x, y)
        table = self.ratio(first, second, level)
        ratio, low, high = (table.pivot(index=y, columns=x, values=v) for v in ("ratio", "low", "high"))
        state = np.where(high < 1, -1, np.where(low > 1, 1, 0))
        with np.errstate(divide="ignore"):  # of a policy that loses nothing
            logs = np.log2(ratio.to_numpy())
        reach = float(np.abs(logs[np.isfinite(logs)]).max(initial=0)) or 1.0
        less, more, none = (state == -1).sum(), (state == 1).sum(), int(low.isna().to_numpy().sum())
        caption = (
            f"Regret of {first} over that of {second}; blue: {first} loses less, in {less} of {state.size} cells; red: "
            f"it loses more, {f'in {more}' if more else 'nowhere on this map'}; crosses: the {percent(level)} "
            f"interval of a cell contains 1, in {state.size - less - more - none}"
            + (f", or there is none, in {none} (it takes two runs, and regret of {second})" if none else "")
            + (f"; of the darkest blue is also where {first} loses nothing" if np.isinf(logs).any() else "")
            + ". Lines part them."
        )
        figure = plots.blank(f"{first} against {second}", x, y, caption)
        figure.add_heatmap(
            z=logs.clip(-reach), zmin=-reach, zmax=reach, colorscale="RdBu_r", customdata=np.dstack([ratio, low, high]),
            hovertemplate="ratio %{customdata[0]:.3f} [%{customdata[1]:.3f}, %{customdata[2]:.3f}]<extra></extra>",
            colorbar=dict(
                title=dict(text="ratio of regret", side="right"), tickvals=[-reach, 0, reach],
                ticktext=[f"{2.0**v:.2f}" for v in (-reach, 0, reach)],
            ),
        )  # fmt: skip
        across, up = find_borders(state)
        common, ink = dict(hoverinfo="skip", showlegend=False), "#1b1f24"  # a pointer meets the cell, light in the dark
        figure.add_scatter(x=across, y=up, mode="lines", name="decided", line=dict(color=ink, width=3), **common)
        rows, columns = np.nonzero(state == 0)
        marker = dict(symbol="x-thin", size=12, line=dict(color=ink, width=2))
        figure.add_scatter(x=columns, y=rows, mode="markers", name="undecided", marker=marker, **common)
        if mark is not None:
            vector("mark", mark, size=2)
            here = dict(x=[self.place(x, mark[0], ratio.columns)], y=[self.place(y, mark[1], ratio.index)])
            star = dict(symbol="star", size=18, color="gold", line=dict(color=ink, width=1))
            figure.add_scatter(**here, mode="markers", name="the paper's", marker=star, **common | {"showlegend": True})
        # places are whole numbers: on an axis of categories plotly takes the number 0.5 for the category "0.5"
        return figure.update_xaxes(list_ticks(ratio.columns)).update_yaxes(list_ticks(ratio.index))

    def place(self, name, value, values):
        """Place of a value among those of a parameter."""
        if value not in values:
            raise ValueError(f"mark: {name}={value!r} must be one of {list(values)}")
        return list(values).index(value)

    def require(self, *names):
        """Refuse names that are no axes: no parameters or none of numbers, one place twice, another one that varies."""
        for name in names:
            if name not in self.cells[0]:
                raise ValueError(f"{name!r}: must be one of the parameters {list(self.cells[0])}")
            if wrong := [cell[name] for cell in self.cells if not is_real(cell[name])]:
                raise TypeError(f"{name}={shown(wrong[0])}: must be a number, to be drawn along an axis")
        others = [name for name in self.cells[0] if name not in names]
        if several := [name for name in others if len({repr(cell.get(name)) for cell in self.cells}) > 1]:
            raise ValueError(f"{several[0]!r} has several values too: sweep it alone, or fix it")
        place, count = Counter(tuple(cell[name] for name in names) for cell in self.cells).most_common(1)[0]
        if count > 1:
            raise ValueError(f"{', '.join(names)}: {place} stands in the grid {count} times, must be there once")


def add_parameters(cell, table):
    """A table with a cell's parameters before its columns; each value, an array too, stands as one in every row."""
    for name in cell:
        if name in table:
            both = f"{name!r} is a parameter of the sweep and a diagnostic"
            raise ValueError(f"{both}: one of them must have another name")
    columns = {name: pd.Series([value] * len(table), table.index) for name, value in cell.items()}
    return pd.concat([pd.DataFrame(columns, table.index), table], axis=1)


def list_ticks(values):
    """Places and texts of values along an axis, with six digits, or as many as tell them apart."""
    texts = ([f"{float(value):.{digits}g}" for value in values] for digits in range(6, 18))
    return dict(tickvals=list(range(len(values))), ticktext=next(t for t in texts if len(set(t)) == len(t)))


def find_borders(state):
    """The edges between cells of different state, as one broken line."""
    x, y = [], []
    for row, column in np.argwhere(state[:, 1:] != state[:, :-1]):
        x, y = [*x, column + 0.5, column + 0.5, None], [*y, row - 0.5, row + 0.5, None]
    for row, column in np.argwhere(state[1:] != state[:-1]):
        x, y = [*x, column - 0.5, column + 0.5, None], [*y, row + 0.5, row + 0.5, None]
    return x, y


def list_cells(grid):
    """The cells of a grid: the product of a mapping, or a list of cells."""
    if isinstance(grid, Mapping):
        lists = [listed(f"grid[{name!r}]", values, "a list of values, not empty") for name, values in grid.items()]
        cells = [dict(zip(grid, values, strict=True)) for values in itertools.product(*lists)]
    elif isinstance(grid, list | tuple) and all(isinstance(cell, Mapping) for cell in grid):
        cells = [dict(cell) for cell in grid]
    else:
        raise TypeError(f"grid={grid!r}: must be a dict of lists, or a list of dicts")
    if not cells or len({tuple(cell) for cell in cells}) > 1:
        raise ValueError("grid: must have at least one cell, and the same parameters in all of them")
    if taken := [name for name in cells[0] if name in COLUMNS]:
        raise ValueError(f"grid: the parameter {taken[0]!r} must have another name, none of {', '.join(COLUMNS)}")
    return cells


def sweep(
    function: Callable[..., tuple], grid: Mapping | Sequence[Mapping], horizon: int, runs: int = 20, seed: int = 0,
    executor: Executor | None = None, progress: Progress | None = None,
) -> Sweep:  # fmt: skip
    """Simulate every cell of a grid, all of them in flight at once.

    Parameters
    ----------
    function : callable
        ``function(**cell)`` returns environment and policies, as `simulate` takes them; it is called here, not in the
        workers. Where it has a parameter ``horizon`` it is told it.
    grid : dict of lists, or list of dicts
        Names to values, all combinations of which are simulated; or the cells themselves. A parameter called
        ``horizon`` takes the place of the argument, cell by cell. None may be called as a column of the tables.
    horizon, runs, seed : int
        As in `simulate`. All cells share the seed, so that they too can be compared run by run.
    executor : concurrent.futures.Executor, optional
        As in `simulate`: threads on this machine by default.
    progress : callable, optional
        As in `simulate`; an exception that it raises stops all cells, and those that are complete are kept.

    Returns
    -------
    Sweep
        A `Result` for each cell; ``.frame``, ``.curve(x)``, ``.map(x, y, first, second)``.

    Examples
    --------
    >>> from banditlab import classic, sweep
    >>> def gaps(gap):
    ...     return classic.bernoulli([0.5, 0.5 + gap]), {"UCB1": classic.ucb1(2), "uniform": classic.uniform(2)}
    >>> found = sweep(gaps, {"gap": [0.1, 0.4]}, horizon=500, runs=5)
    >>> list(found.frame.columns)
    ['gap', 'policy', 'run', 'regret']
    """
    if not callable(function):
        raise TypeError(f"function={function!r}: must be callable")
    check_callers(executor, progress)
    cells, simulations = list_cells(grid), []
    told = "horizon" in inspect.signature(function).parameters
    for cell in cells:
        rounds = cell.get("horizon", horizon)
        given = {name: value for name, value in cell.items() if name != "horizon"}
        found = function(**given, horizon=rounds) if told else function(**given)
        if type(found) not in (tuple, list) or len(found) != 2:
            raise TypeError(f"function(**{cell!r}): must return environment and policies, a pair")
        simulations.append(make_cell(*found, rounds, runs, seed, 1))
    found = sum(simulation.result is not None for simulation in simulations)
    play_all(simulations, executor, progress)
    return Sweep(cells, [simulation.result for simulation in simulations], found)
