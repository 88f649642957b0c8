"""The Criteo uplift data: what reads the real file, and the people from whom the campaigns of this paper draw."""

import functools
import os
from pathlib import Path

import numpy as np
import pandas as pd

from banditlab.io import read_pieces
from banditlab.uplifting.data import COLUMNS, FEATURES, STAND_IN, Pool, labels, stand_in
from banditlab.validate import whole

RANGES = {  # of the published file, to three decimals
    "f0": (12.616, 26.745), "f1": (10.060, 16.344), "f2": (8.214, 9.052), "f3": (-8.398, 4.680),
    "f4": (10.281, 21.124), "f5": (-9.012, 4.115), "f6": (-31.430, 0.294), "f7": (4.834, 11.998),
    "f8": (3.635, 3.972), "f9": (13.190, 75.295), "f10": (5.300, 6.474), "f11": (-1.384, -0.169),
}  # fmt: skip
FLAGS = ["conversion", "visit", "exposure"]
CHUNK = 200_000  # rows read at a time
NO_DATA = f"on the paper's data, only on the {STAND_IN}; BANDITLAB_DATA names the folder of the real ones"


def allowed(column, values):
    """Whether each value may stand in this column, and which ones may."""
    if column in FLAGS:
        return (values == 0) | (values == 1), "0 or 1"
    if column == "treatment":
        return (values >= 0) & (values < 100) & (values == np.floor(values)), "a whole number from 0 to 99"
    low, high = RANGES[column]
    return (values >= low - 5e-4) & (values <= high + 5e-4), f"a number from {low} to {high}"


def checked(piece):
    """The columns of a piece as numbers, all of them as they must be; a feature may exceed its range by rounding."""
    for name in COLUMNS:
        good, what = allowed(name, pd.to_numeric(piece[name], errors="coerce").to_numpy(float))
        if not good.all():
            row = int(np.argmin(good))
            raise ValueError(f"row {piece.index[row] + 1}: {name}={piece[name].iloc[row]!r}, must be {what}")
    return piece[COLUMNS].astype(float).to_numpy()


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

    The file is read in chunks; memory holds one of them and the sample, whatever the size of the file. Visits and
    non-visits are drawn uniformly and without replacement, as many as the file and `rows` allow.

    Parameters
    ----------
    path : path-like
        CSV, plain or packed by gzip (its name then ends in .gz), with columns f0 to f11, treatment, conversion, visit,
        exposure.
    rows : int >= 4, largest size of the pool
    seed : int >= 0, of the sample
    progress : bool, whether to show a text bar

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the file is empty, cut short, or no table, lacks a column, holds a value outside the published range, a
        feature is constant, or visits or non-visits are missing.

    References
    ----------
    Hsieh, Kasiviswanathan, Kveton, Uplifting Bandits, NeurIPS 2022, Appendix C.3.
    """
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"path={path!r}: must be the path of a file")
    path, rows, rng = Path(path), whole("rows", rows, 4), np.random.default_rng(whole("seed", seed, 0))
    samples = [Reservoir(3 * (rows // 4), len(COLUMNS)), Reservoir(rows // 4, len(COLUMNS))]
    low, high, count = np.full(12, np.inf), np.full(12, -np.inf), 0
    for table in read_pieces(path, COLUMNS, checked, CHUNK, progress):
        if len(table):
            low, high = np.minimum(low, table[:, :12].min(axis=0)), np.maximum(high, table[:, :12].max(axis=0))
        for visited, sample in enumerate(samples):
            sample.add(table[table[:, COLUMNS.index("visit")] == visited], rng)
        count += len(table)
    if (low == high).any():
        raise ValueError(f"{path}: feature {FEATURES[int(np.argmax(low == high))]} is constant, it cannot be scaled")
    absent, visits = (rng.permutation(sample.taken()) for sample in samples)
    some = min(len(visits), len(absent) // 3)
    if not some:
        raise ValueError(f"{path}: must have a visit and three non-visits, has {len(visits)} and {len(absent)}")
    table = rng.permutation(np.vstack([visits[:some], absent[: 3 * some]]))
    name = f"{path.name}, {len(table):,} of {count:,} rows"
    return Pool(name, (table[:, :12] - low) / (high - low), *labels(table))


def find():
    """The Criteo file in the folder that the environment variable BANDITLAB_DATA names.

    Returns
    -------
    Path or None
        The first .csv or .csv.gz below it whose name begins with ``criteo`` and holds ``uplift``; None without one.
    """
    folder = os.environ.get("BANDITLAB_DATA")
    if not folder:
        return None
    paths = sorted(path for path in Path(folder).rglob("criteo*uplift*") if path.is_file())
    return next((path for path in paths if path.name.endswith((".csv", ".csv.gz"))), None)


def source():
    """What `pool` would read now: nothing for the stand-in, else path, time of change and size; it can be hashed."""
    path = find()
    if path is None:
        return ()
    state = path.stat()
    return path, state.st_mtime_ns, state.st_size


@functools.cache
def read_once(*source):
    """The pool of this source, read once; its arrays are read-only."""
    people = load(source[0], 20_000, progress=False) if source else stand_in()
    for array in people[1:]:
        array.flags.writeable = False
    return people


def draw_again(instance, *source):
    """Another sample of the people from whom those of this source came: as many of these, drawn with replacement."""
    people = read_once(*source)
    rows = np.random.default_rng(instance).integers(len(people.visit), size=len(people.visit))
    return Pool(people.name, *(array[rows] for array in people[1:]))


def pool():
    """The real data where they are found, else the stand-in; its name says which.

    The file is read again only when it has changed.

    Returns
    -------
    Pool
        A sample of at most 20,000 people.
    """
    return read_once(*source())
