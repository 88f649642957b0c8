"""The Criteo uplift data: a loader for the real file, and the stand-in that comes with the package."""

import os
import sys
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..validate import whole

FEATURES = [f"f{k}" for k in range(12)]
COLUMNS = [*FEATURES, "treatment", "conversion", "visit", "exposure"]
FLAGS = ["conversion", "visit", "exposure"]
CHUNK = 200_000  # rows read at a time
STAND_IN, REAL = "stand-in pool", "Criteo uplift data"


class Pool(NamedTuple):
    """People from whom a campaign draws: what `load` and `stand_in` return."""

    name: str
    features: np.ndarray  # (n, 12) scaled to [0, 1]
    treatment: np.ndarray  # (n,) logged treatment, 0 for none
    visit: np.ndarray  # (n,) logged visit, 0.0 or 1.0


def checked(table, path, first=0):
    """A chunk with the columns that are needed, all of them finite numbers and all flags 0 or 1."""
    missing = [name for name in COLUMNS if name not in table.columns]
    if missing:
        raise ValueError(f"{path}: has no column {', '.join(missing)}; it must have {', '.join(COLUMNS)}")
    for name in COLUMNS:
        values = pd.to_numeric(table[name], errors="coerce").to_numpy(float)
        if name in FLAGS:
            good, allowed = (values == 0) | (values == 1), "0 or 1"
        elif name == "treatment":
            good, allowed = (values >= 0) & (values == np.floor(values)), "a whole number, at least 0"
        else:
            good, allowed = np.isfinite(values), "a finite number"
        if not good.all():
            row = int(np.argmin(good))
            raise ValueError(f"{path}, row {first + row + 1}: {name}={table[name].iloc[row]!r}, must be {allowed}")
    return table[COLUMNS].astype(float)


class Reservoir:
    """A uniform sample of fixed size from a stream of rows."""

    def __init__(self, size, width):
        self.rows, self.seen = np.zeros((size, width)), 0

    def add(self, rows, rng):
        """Offer rows, one after the other."""
        size = len(self.rows)
        free = min(max(size - self.seen, 0), len(rows))
        self.rows[self.seen : self.seen + free] = rows[:free]
        rest = rows[free:]
        places = rng.integers(0, self.seen + free + 1 + np.arange(len(rest)))
        for place, row in zip(places[places < size], rest[places < size], strict=True):
            self.rows[place] = row
        self.seen += len(rows)

    def taken(self):
        """The rows in the sample."""
        return self.rows[: min(self.seen, len(self.rows))]


def load(path, rows=100_000, seed=0, progress=True):
    """Read a file of Criteo uplift rows into a pool: features scaled to [0, 1], one visit to three non-visits.

    The file is read in chunks; memory holds one of them and the sample, whatever the size of the file.

    Parameters
    ----------
    path : path-like
        CSV, plain or compressed, with columns f0 to f11, treatment, conversion, visit, exposure.
    rows : int
        Largest size of the pool, at least 4.
    seed : int
        Of the sample, at least 0.
    progress : bool
        Whether to show a text bar.

    Returns
    -------
    Pool
        The sample.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it is empty, lacks a column, holds a value out of range, a feature is constant, or nobody or everybody
        visits.

    References
    ----------
    Hsieh, Kasiviswanathan, Kveton, Uplifting Bandits, NeurIPS 2022, Appendix C.3.
    """
    from tqdm.std import tqdm  # text only: widgets do not survive a headless run

    path, rows, rng = Path(path), whole("rows", rows, 4), np.random.default_rng(whole("seed", seed, 0))
    samples = [Reservoir(3 * (rows // 4), len(COLUMNS)), Reservoir(rows // 4, len(COLUMNS))]
    low, high, count = np.full(12, np.inf), np.full(12, -np.inf), 0
    try:
        with (
            pd.read_csv(path, chunksize=CHUNK) as chunks,
            tqdm(unit=" rows", desc=path.name, disable=not progress, file=sys.stderr) as bar,
        ):
            for chunk in chunks:
                table = checked(chunk, path, count).to_numpy()
                if not len(table):
                    continue
                low, high = np.minimum(low, table[:, :12].min(axis=0)), np.maximum(high, table[:, :12].max(axis=0))
                for visited, sample in enumerate(samples):
                    sample.add(table[table[:, COLUMNS.index("visit")] == visited], rng)
                count += len(table)
                bar.update(len(table))
    except pd.errors.EmptyDataError:
        raise ValueError(f"{path}: is empty") from None
    except pd.errors.ParserError as error:
        raise ValueError(f"{path}: is no table ({error})") from None
    if not count:
        raise ValueError(f"{path}: has no rows")
    if (low == high).any():
        raise ValueError(f"{path}: feature {FEATURES[int(np.argmax(low == high))]} is constant, it cannot be scaled")
    absent, visits = (sample.taken() for sample in samples)
    if not len(visits) or not len(absent):
        raise ValueError(f"{path}: visit is the same in every row")
    absent = absent[: 3 * len(visits)] if len(absent) == samples[0].seen else absent
    table = rng.permutation(np.vstack([visits, absent]))
    return Pool(REAL, (table[:, :12] - low) / (high - low), *labels(table))


def labels(table):
    """Treatment and visit of rows in the order of the columns."""
    return table[:, COLUMNS.index("treatment")].astype(np.int64), table[:, COLUMNS.index("visit")].copy()


def stand_in():
    """The pool that comes with the package: 5,000 made-up people with the columns of the Criteo uplift data.

    Features are scaled already, a quarter visits, 86 % are treated. Visits follow a logistic law and a jump that no
    logistic model fits, so that feedback from the log differs from that of a fitted model.

    Returns
    -------
    Pool
        The pool.

    Examples
    --------
    >>> pool = stand_in()
    >>> pool.features.shape, float(pool.visit.mean())
    ((5000, 12), 0.25)
    """
    source = files(__package__) / "standin_pool.csv.gz"
    with source.open("rb") as file:
        table = checked(pd.read_csv(file, compression="gzip"), source.name).to_numpy()
    return Pool(STAND_IN, np.ascontiguousarray(table[:, :12]), *labels(table))


def find():
    """The Criteo file in the folder that the environment variable BANDITLAB_DATA names.

    Returns
    -------
    Path or None
        The first file below it whose name begins with ``criteo_uplift`` or ``criteo-uplift``; None without one.
    """
    folder = os.environ.get("BANDITLAB_DATA")
    if not folder:
        return None
    names = sorted(path for path in Path(folder).rglob("criteo*uplift*.csv*") if path.is_file())
    return names[0] if names else None


def pool():
    """The real data where they are found, else the stand-in; its name says which.

    Returns
    -------
    Pool
        A sample of at most 20,000 people.
    """
    path = find()
    return stand_in() if path is None else load(path, rows=20_000, progress=False)
