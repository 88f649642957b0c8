"""What a simulation returns: tidy frames, means, intervals, paired differences, save and load."""

import dataclasses
import os
import platform
from collections.abc import Sequence

import numba
import numpy as np
import pandas as pd

from ..evidence import provenance
from ..evidence.estimates import interval, mean, says_nothing
from ..user_code import code_identity, fields
from ..validate import choice, listed, number, percent, whole
from . import result_file
from .settings_json import rebuild_settings


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Result:
    """Expected regret of every policy in every run.

    Parameters
    ----------
    settings : dict
        The arguments of `simulate` that gave it: ``simulate(**result.settings)`` gives it again. Those of
        `simulate_horizons` are of its longest horizon, so that only the last checkpoint is given again.
    checkpoints : ndarray of int, shape (checkpoints,)
        Rounds at which regret was recorded, ascending; the last one is the horizon.
    regret : ndarray, shape (policies, runs, checkpoints)
        Cumulative expected regret, or whatever `metric` says.
    diagnostics : dict of str to ndarray, shape (policies, runs, ...)
        What environments and policies counted, numbers or arrays; nan where one does not count it.
    origin : dict
        Versions, hash of the source, CPU seconds.
    """

    settings: dict
    checkpoints: np.ndarray
    regret: np.ndarray
    diagnostics: dict
    origin: dict

    def __post_init__(self):
        for array in (self.checkpoints, self.regret, *self.diagnostics.values()):
            array.flags.writeable = False  # what is read of a result stays its own

    def __deepcopy__(self, memo):
        own = {name: keep_arrays(getattr(self, name)) for name in ("settings", "diagnostics", "origin")}
        return dataclasses.replace(self, **own)  # nobody can write into its arrays

    def __eq__(self, other):
        """Whether settings and numbers are the same, bit by bit; when and where they were computed may differ."""
        if not isinstance(other, Result):
            return NotImplemented
        mine, theirs = ((r.settings, r.checkpoints, r.regret, r.diagnostics) for r in (self, other))
        return fields.are_equal(mine, theirs)

    def __repr__(self):
        """What was played, in a line."""
        asked = self.settings
        runs = f"{asked['runs']:,} run{'s' * (asked['runs'] > 1)} of {asked['horizon']:,} rounds"
        return f"<Result: {self.metric} of {', '.join(self.policies)}; {runs}, seed {asked['seed']}>"

    @classmethod
    def of(cls, settings, checkpoints, regret, diagnostics, seconds):
        """Assemble what the runs returned."""
        keys = {key: None for rows in diagnostics.values() for row in rows for key in row}
        if taken := [key for key in ("policy", "run", settings.get("metric", "regret")) if key in keys]:
            raise ValueError(f"diagnostic {taken[0]!r}: is a column of `final` already, must have another name")
        table = {key: stack_diagnostic(key, list(diagnostics.values())) for key in keys}
        versions = dict(python=platform.python_version(), numpy=np.__version__, numba=numba.__version__)
        origin = {**versions, "source": code_identity.DIGEST, "seconds": round(seconds, 3)}
        return cls(keep_arrays(settings), checkpoints, regret, table, origin)

    @classmethod
    def from_file(cls, settings: dict, head: dict, arrays: dict) -> "Result":
        """Assemble what a file said of these settings."""
        diagnostics = {name: arrays[f"diagnostic{i}"] for i, name in enumerate(head["diagnostics"])}
        return cls(settings, arrays["checkpoints"], arrays["regret"], diagnostics, head["origin"])

    @property
    def policies(self) -> list[str]:
        """Names of the policies, in order."""
        return list(self.settings["policies"])

    @property
    def metric(self) -> str:
        """What `regret` holds: "regret" unless `simulate` was told another name."""
        return self.settings.get("metric", "regret")

    @property
    def frame(self) -> pd.DataFrame:
        """Tidy data frame with columns policy, run, t, regret (or the `metric`)."""
        places = [self.policies, range(self.regret.shape[1]), self.checkpoints]
        index = pd.MultiIndex.from_product(places, names=["policy", "run", "t"])
        return pd.DataFrame({self.metric: self.regret.ravel()}, index).reset_index()

    @property
    def final(self) -> pd.DataFrame:
        """Data frame with a row per policy and run: regret at the horizon and the diagnostics that are numbers; arrays
        stay in `diagnostics`."""
        columns = {key: table.ravel() for key, table in self.diagnostics.items() if table.ndim == 2}
        index = pd.MultiIndex.from_product([self.policies, range(self.regret.shape[1])], names=["policy", "run"])
        return pd.DataFrame({self.metric: self.regret[:, :, -1].ravel(), **columns}, index).reset_index()

    def of_policy(self, name: str) -> np.ndarray:
        """Regret of one policy.

        Parameters
        ----------
        name : str
            Name of the policy.

        Returns
        -------
        ndarray, shape (runs, checkpoints)
            Its cumulative expected regret.
        """
        if name not in self.policies:
            raise ValueError(f"policy={name!r}: must be one of {self.policies}")
        return self.regret[self.policies.index(name)]

    def final_regret(self, name: str) -> np.ndarray:
        """Regret of one policy at the horizon.

        Parameters
        ----------
        name : str
            Name of the policy.

        Returns
        -------
        ndarray, shape (runs,)
            Its cumulative expected regret, run by run.
        """
        return self.of_policy(name)[:, -1]

    def join(self, other: "Result") -> "Result":
        """The policies of this result and those of another one that met the same worlds.

        Parameters
        ----------
        other : Result
            On the same environment, runs, seed and checkpoints; with other names of policies.

        Returns
        -------
        Result
            All policies, this result's first.
        """
        if not isinstance(other, Result):
            raise TypeError(f"other={type(other).__name__}: must be a Result")
        self.require_same_worlds(other)
        if not np.array_equal(self.checkpoints, other.checkpoints):
            mine, theirs = len(self.checkpoints), len(other.checkpoints)
            raise ValueError(f"other: its {theirs} checkpoints are not the {mine} of this result")
        if twice := [name for name in self.policies if name in other.policies]:
            raise ValueError(f"other: {', '.join(map(repr, twice))} stands in both results; names must be distinct")
        p, q, runs = len(self.policies), len(other.policies), self.regret.shape[1]
        diagnostics = {}
        for key in dict.fromkeys([*self.diagnostics, *other.diagnostics]):
            shape = (self if key in self.diagnostics else other).diagnostics[key].shape[2:]
            halves = [r.diagnostics.get(key, np.full((n, runs, *shape), np.nan)) for r, n in ((self, p), (other, q))]
            if halves[0].shape[2:] != halves[1].shape[2:]:
                raise ValueError(f"other: its diagnostic {key!r} has another shape than this result's")
            diagnostics[key] = np.concatenate(halves)
        whole = dataclasses.replace(
            self,
            settings={**self.settings, "policies": {**self.settings["policies"], **other.settings["policies"]}},
            regret=np.concatenate([self.regret, other.regret]),
            diagnostics=diagnostics,
            origin={**self.origin, "seconds": round(self.origin["seconds"] + other.origin["seconds"], 3)},
        )
        return provenance.tell_of_parts(whole, (self, other))

    def require_same_worlds(self, other: "Result") -> None:
        """Refuse a result whose runs did not meet the worlds of this one's."""
        for name in ("environment", "seed", "runs", "horizon", "metric"):
            mine, others = self.settings.get(name), other.settings.get(name)
            if not fields.are_equal(mine, others):
                said = "" if name == "environment" else f" ({others!r}, not {mine!r})"
                raise ValueError(f"other: has another {name}{said}, so the two cannot be compared run by run")

    def summary(self, level: float = 0.95, quantiles: Sequence[float] = (0.95,)) -> pd.DataFrame:
        """Mean, standard error, t-interval and quantiles over the runs.

        Parameters
        ----------
        level : float
            Confidence level of the interval, in (0, 1).
        quantiles : sequence of float
            Levels of further quantiles over the runs, in [0, 1]; 0.95 gives a column q95.

        Returns
        -------
        DataFrame
            Columns policy, t, mean, se, low, high, median, q95; the interval is nan with a single run, and with a few
            equal ones: rare events may be still to come.
        """
        runs = {name: self.of_policy(name) for name in self.policies}
        tables = (self.statistics(own, level, quantiles=quantiles, policy=name) for name, own in runs.items())
        return pd.concat(tables, ignore_index=True)

    def paired(self, first: str, second: str, level: float = 0.95) -> pd.DataFrame:
        """Mean difference of two policies, run by run, with its t-interval.

        Parameters
        ----------
        first, second : str
            Names of policies; the difference is regret of the first minus regret of the second.
        level : float
            Confidence level of the interval, in (0, 1).

        Returns
        -------
        DataFrame
            Columns t, mean, se, low, high, median, q95.
        """
        return self.statistics(self.of_policy(first) - self.of_policy(second), level)

    def table(self, form: str = "markdown", level: float = 0.95, digits: int = 1, best: str = "least") -> str:
        """Regret, or what else was recorded, at the horizon: mean ± standard error, for a paper.

        Parameters
        ----------
        form : {"markdown", "latex"}
            LaTeX needs the package booktabs.
        level : float
            Confidence level of the rule, in (0, 1).
        digits : int
            Decimals, at least 0.
        best : {"least", "largest"}
            Which mean is best: of a reward, the largest.

        Returns
        -------
        str
            A row per policy, and the rule: bold are the best mean, and the means whose paired difference from it has
            an interval that contains 0.
        """
        choice("form", form, ("markdown", "latex"))
        digits, final = whole("digits", digits, 0, 15), [self.final_regret(name) for name in self.policies]
        sign = 1 if choice("best", best, ("least", "largest")) == "least" else -1
        lead, rows = min(final, key=lambda values: (np.isnan(values.mean()), sign * values.mean())), []
        runs, T = self.regret.shape[1], int(self.checkpoints[-1])
        for name, values in zip(self.policies, final, strict=True):
            middle, se, _ = interval(values, level)
            bold = np.isfinite(middle) and (values is lead or mean(sign * (values - lead)).ends(level)[0] <= 0)
            rows.append((name, f"{middle:.{digits}f}", f"{se:.{digits}f}" if runs > 1 else "unknown", bold))
        rule = (
            f"Mean ± standard error of the {self.metric} after {T:,} rounds, {runs:,} run{'s' * (runs > 1)}. Bold: the "
            f"{best} mean, and those whose paired difference from it has a {percent(level)} interval that contains 0."
        )
        return (format_markdown if form == "markdown" else format_latex)(rows, self.metric, rule)

    def statistics(self, values, level=0.95, t=None, quantiles=(0.95,), **columns):
        """Statistics over runs of an array of shape (runs, checkpoints), as a data frame with these further columns."""
        for q in (quantiles := listed("quantiles", quantiles, "a list of numbers from 0 to 1", least=0)):
            number("quantiles", q, least=0, most=1)
        middle, se, half = interval(values, level)
        half = np.where(says_nothing(values, level), np.nan, half)
        found = {"mean": middle, "se": se, "low": middle - half, "high": middle + half, "median": np.median(values, 0)}
        found |= {f"q{100 * q:.9g}": np.quantile(values, q, axis=0) for q in quantiles}
        return pd.DataFrame({**columns, "t": self.checkpoints if t is None else t, **found})

    def save(self, path: str | os.PathLike) -> None:
        """Write everything needed to make the result again into one file, without pickle.

        Parameters
        ----------
        path : path-like
            Name of the file; written to a temporary file first, then renamed.
        """
        result_file.write_result(path, self)


def load(path: str | os.PathLike) -> Result:
    """Read a result that `Result.save` wrote.

    Parameters
    ----------
    path : path-like
        Name of the file.

    Returns
    -------
    Result
        An equal result: ``load(path) == result``. Import the modules of your own classes first; those that are
        not imported or were edited since (also under another Python), and a function from outside the package
        that `random_instances` was given, come back as descriptions (dicts): such a result is not equal and
        cannot be played again, nor be compared where the environment is one.

    Raises
    ------
    ValueError
        If the file was not written by `Result.save`, or is damaged.
    """
    try:
        head, arrays = result_file.read_arrays(path)
        return Result.from_file(rebuild_settings(head["settings"], arrays), head, arrays)
    except FileNotFoundError:
        raise
    except Exception as error:  # a damaged archive has many ways to fail
        raise ValueError(f"path={str(path)!r}: not a result written by banditlab, or damaged ({error})") from error


def keep_arrays(value):
    """A copy that nobody can write into later: its dicts are its own, and its arrays where they can be written to."""
    return fields.map_arrays(value, lambda array: array.copy() if array.flags.writeable else array)


def stack_diagnostic(key, rows):
    """One diagnostic as an array (policies, runs, ...): nan where it was not counted."""
    shapes = {np.shape(row[key]) for runs in rows for row in runs if key in row}
    if len(shapes) > 1:
        told = ", ".join(map(str, sorted(shapes)))
        raise ValueError(f"diagnostic {key!r}: has the shapes {told}; they must all be the same")
    missing = np.full(shapes.pop(), np.nan)
    return np.array([[row.get(key, missing) for row in runs] for runs in rows], float)


def format_markdown(rows, metric, rule):
    """The table as markdown."""
    lines = [f"| policy | {metric.replace('|', '&#124;')} |", "|---|---|"]
    for name, middle, se, best in rows:
        lines.append(f"| {name.replace('|', '&#124;')} | {f'**{middle}**' if best else middle} ± {se} |")
    return "\n".join([*lines, "", rule])


def format_latex(rows, metric, rule):
    """The table as LaTeX."""
    spread = {"unknown": r"\text{unknown}"}
    numbers = [(rf"\mathbf{{{mean}}}" if best else mean, spread.get(se, se)) for _, mean, se, best in rows]
    cells = {"policy": [row[0] for row in rows], metric: [rf"${mean} \pm {se}$" for mean, se in numbers]}
    table = pd.DataFrame(cells).style.hide(axis="index").format(escape="latex", subset=["policy"])
    table = table.format_index(escape="latex", axis="columns").to_latex(column_format="lr", hrules=True)
    return f"% {rule.replace('±', '+-')}\n{table.rstrip()}"
