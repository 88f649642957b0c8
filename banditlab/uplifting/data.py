"""The people from whom a campaign draws, and the stand-in for them that comes with the package."""

from importlib.resources import files
from typing import NamedTuple

import numpy as np
import pandas as pd

FEATURES = [f"f{number}" for number in range(12)]
COLUMNS = [*FEATURES, "treatment", "conversion", "visit", "exposure"]
STAND_IN = "stand-in pool"


class Pool(NamedTuple):
    """People from whom a campaign draws: what `stand_in` returns, and what reads the real file."""

    name: str  # of a file: its name, and how many of its rows these are
    features: np.ndarray  # (n, 12) scaled to [0, 1]
    treatment: np.ndarray  # (n,) logged treatment, 0 for none
    visit: np.ndarray  # (n,) logged visit, 0.0 or 1.0


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
        table = pd.read_csv(file, compression="gzip")[COLUMNS].to_numpy(float)
    return Pool(STAND_IN, np.ascontiguousarray(table[:, :12]), *labels(table))
