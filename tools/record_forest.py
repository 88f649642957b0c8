"""``python -m tools.record_forest``: measure rewards and training times of random forests (Section 5.2).

Ames Housing, 672 configurations: trees, features per split, smallest node, share of the rows. For every split 96
forests are grown to 100, 200, ..., 700 trees in one thread; after each step the time of the process and the error on
the test rows are noted, so that 96 forests give all 672 configurations. A split is one file, written whole or not at
all; a recording that was interrupted continues with the first split that is missing.

Nothing else should run meanwhile: the times are the measurement. The table ``recorded.npz``, put into
``banditlab/censored``, is what Figure 5 replays.
"""

import argparse
import csv
import gzip
import hashlib
import io
import itertools
import math
import os
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tqdm.std import tqdm

from banditlab.censored.environments.recorded import FORMAT, Table, checked, stored
from banditlab.io import open_whole
from banditlab.validate import whole

TREES = (100, 200, 300, 400, 500, 600, 700)
FEATURES, NODES, SHARES = (20, 22, 24, 26, 28, 30), (3, 5, 7, 9), (0.55, 0.632, 0.75, 0.8)
TARGETS = ("SalePrice", "Sale_Price")
FILES = ("AmesHousing.csv", "ames.csv", "ames_housing/ames_raw_2930x82.csv.gz")
KEYS = ("Order", "PID", "Id")  # columns that number the rows
TRAIN = 0.7


class Problem(NamedTuple):
    """What is to be learnt."""

    rows: np.ndarray  # (houses, features) numbers, one column per factor
    prices: np.ndarray  # (houses,)


class Sizes(NamedTuple):
    """Which forests are grown; arms are ordered trees first, then features, nodes, shares."""

    trees: tuple = TREES
    features: tuple = FEATURES
    nodes: tuple = NODES
    shares: tuple = SHARES

    def arms(self):
        """Number of configurations."""
        return len(self.trees) * len(self.features) * len(self.nodes) * len(self.shares)


def encode(names, rows):
    """Numbers from a table of strings: factors by rank of their words, missing numbers by the median.

    Parameters
    ----------
    names : list of str
        Column names; one of them is the price.
    rows : list of list of str
        The table.

    Returns
    -------
    Problem
        Features and prices.

    Raises
    ------
    ValueError
        If the table has no price or nothing else, is ragged, has fewer than 10 rows, two columns of one name, or a
        number that is not finite.
    """
    target = next((name for name in TARGETS if name in names), None)
    if target is None:
        raise ValueError(f"the table has no column {' or '.join(TARGETS)}: its columns are {', '.join(names[:8])}, ...")
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise ValueError(f"column {twice}: stands twice in the table; names must be distinct")
    features = [name for name in names if name not in (target, *KEYS)]
    if not features:
        raise ValueError(f"the table has no column beside {', '.join(names)}: nothing to learn from")
    if len(rows) < 10:
        raise ValueError(f"the table has {len(rows)} rows: at least 10 are needed")
    for place, row in enumerate(rows, 1):
        if len(row) != len(names):
            raise ValueError(f"row {place} has {len(row)} columns: must have {len(names)}")
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    prices = np.array([finite(target, place, value) for place, value in enumerate(columns[target], 1)])
    if prices.max() == prices.min():
        raise ValueError(f"column {target}: must not be all alike")
    return Problem(np.stack([numbers(name, columns[name]) for name in features], axis=1), prices)


def finite(name, place, value):
    """The number that a field of the table holds."""
    try:
        found = float(value)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise ValueError(f"column {name}, row {place}: {value!r} must be a finite number")
    return found


def numbers(name, values):
    """One column as numbers."""
    empty = [value.strip() in ("", "NA", "?") for value in values]
    try:
        known = [float(value) for value, none in zip(values, empty, strict=True) if not none]
    except ValueError:
        ranks = {word: rank for rank, word in enumerate(sorted(set(values)))}
        return np.array([float(ranks[value]) for value in values])
    middle = float(np.median(known)) if known else 0.0
    fields = enumerate(zip(values, empty, strict=True), 1)
    return np.array([middle if none else finite(name, place, value) for place, (value, none) in fields])


def ames(path=None):
    """Ames Housing from a file, from the folder ``BANDITLAB_DATA``, or from OpenML.

    Parameters
    ----------
    path : path-like, optional
        A CSV file with a header, perhaps gzipped; by default the first of `FILES` in ``BANDITLAB_DATA``, else the
        dataset ames_housing of OpenML (its 1,460 rows of house_prices are another table).

    Returns
    -------
    Problem
        Features and prices.

    Raises
    ------
    ValueError, OSError
        If the table cannot be had or read.
    """
    folder = os.environ.get("BANDITLAB_DATA")
    if path is None and folder:
        path = next((p for name in FILES if (p := Path(folder) / name).is_file()), None)
    if path is None:
        from sklearn.datasets import fetch_openml

        frame = fetch_openml(name="ames_housing", as_frame=True, parser="auto").frame
        return encode(list(frame.columns), frame.astype(object).where(frame.notna(), "").astype(str).values.tolist())
    data = Path(path).read_bytes()
    try:
        text = (gzip.decompress(data) if Path(path).suffix == ".gz" else data).decode("utf-8-sig")
        rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    except Exception as error:  # a damaged archive has many ways to fail
        raise ValueError(f"path={str(path)!r}: not a CSV file, or damaged ({error})") from error
    if not rows:
        raise ValueError(f"path={str(path)!r}: is empty")
    return encode(rows[0], rows[1:])


def measure(problem, seed, split, sizes=None, progress=None):
    """Grow all forests of one split.

    Parameters
    ----------
    problem : Problem
        Features and prices.
    seed, split : int
        Number of the recording, and of the split; they determine which rows train.
    sizes : Sizes, optional
        Which forests; by default the paper's.
    progress : callable, optional
        ``progress(forests)`` is called after every forest.

    Returns
    -------
    reward, seconds : ndarray, shape (arms,)
        1 - RMSE / (largest - smallest price) on the test rows, not below 0; time of the process in one thread.
    """
    from sklearn.ensemble import RandomForestRegressor

    sizes = Sizes() if sizes is None else sizes
    order = np.random.default_rng([seed, split]).permutation(len(problem.prices))
    train, test = np.split(order, [round(TRAIN * len(order))])
    shape = tuple(map(len, sizes))
    reward, seconds = np.zeros(shape), np.zeros(shape)
    for place in itertools.product(*map(range, shape[1:])):
        features, node, share = (options[k] for options, k in zip(sizes[1:], place, strict=True))
        forest = RandomForestRegressor(
            max_features=min(features, problem.rows.shape[1]), min_samples_split=node + 1, max_samples=share,
            bootstrap=True, n_jobs=1, warm_start=True, random_state=seed + split,
        )  # fmt: skip
        spent, total, grown = 0.0, np.zeros(len(test)), 0
        for k, trees in enumerate(sizes.trees):
            forest.set_params(n_estimators=trees)
            began = time.process_time()
            forest.fit(problem.rows[train], problem.prices[train])
            spent += time.process_time() - began
            for tree in forest.estimators_[grown:]:
                total += tree.predict(problem.rows[test].astype(np.float32))
            grown = trees
            error = np.sqrt(np.mean((total / trees - problem.prices[test]) ** 2))
            reward[(k, *place)] = max(0.0, 1.0 - error / np.ptp(problem.prices))
            seconds[(k, *place)] = spent
        if progress is not None:
            progress(1)
    return reward.ravel(), seconds.ravel()


def fingerprint(problem, seed, sizes):
    """What a recording is about, as a word: splits of two recordings must not be mixed."""
    text = repr((tuple(sizes), seed, problem.rows.shape)).encode()
    return hashlib.sha256(text + problem.rows.tobytes() + problem.prices.tobytes()).hexdigest()[:16]


def write(path, **arrays):
    """Write a file whole or not at all."""
    with open_whole(path) as file:
        np.savez_compressed(file, format=FORMAT, **arrays)


def read(path, mark):
    """One split, or None where its file is missing or damaged, or does not say which recording it belongs to."""
    try:
        reward, seconds, found = stored(path, ("reward", "time", "fingerprint"))
    except (FileNotFoundError, ValueError):
        return None
    if str(found) != mark:
        raise ValueError(f"{path}: is of another recording (other data, seed or forests); choose another folder")
    return reward, seconds


def record(problem, folder, splits, seed=0, sizes=None, bar=None):
    """Measure all splits that the folder does not hold yet, and write their table.

    A split carries a fingerprint of data, seed and forests; one of another recording is refused, one without is
    measured again.

    Parameters
    ----------
    problem : Problem
        Features and prices.
    folder : path-like
        Where the splits go, one file each, and the table, ``recorded.npz``.
    splits : int
        How many, at least 1.
    seed : int
        Whole number, at least 0.
    sizes : Sizes, optional
        Which forests; by default the paper's.
    bar : tqdm, optional
        Progress bar, one step a forest.

    Returns
    -------
    Table
        What was measured.

    Raises
    ------
    ValueError
        If an argument is not as described, or the folder holds splits of another recording.
    """
    folder, sizes = Path(folder), Sizes() if sizes is None else sizes
    splits, seed = whole("splits", splits, 1), whole("seed", seed, 0)
    folder.mkdir(parents=True, exist_ok=True)
    forests, found, mark = sizes.arms() // len(sizes.trees), [], fingerprint(problem, seed, sizes)
    for split in range(splits):
        path = folder / f"split-{seed}-{split:03d}.npz"
        measured = read(path, mark)
        if measured is None:
            measured = measure(problem, seed, split, sizes, bar and bar.update)
            write(path, reward=measured[0], time=measured[1], fingerprint=mark)
        elif bar is not None:
            bar.update(forests)
        found.append(measured)
    table = checked(Table(*map(np.stack, zip(*found, strict=True))))
    write(folder / "recorded.npz", reward=table.reward.astype(np.float32), time=table.time.astype(np.float32))
    return table


def main(argv=None):
    """Run the command line; returns the exit status: 0, or 2 where something is missing."""
    parser = argparse.ArgumentParser(prog="python -m tools.record_forest", description=__doc__.split("\n\n")[1])
    parser.add_argument("folder", type=Path, help="where the splits and the table go")
    parser.add_argument("--data", type=Path, help="CSV file of Ames Housing (default: BANDITLAB_DATA, else OpenML)")
    parser.add_argument("--splits", type=int, default=20, help="how many splits (default: 20)")
    parser.add_argument("--seed", type=int, default=0, help="number of the recording (default: 0)")
    options = parser.parse_args(argv)
    try:
        import sklearn  # noqa: F401
    except ImportError:
        print("error: scikit-learn is missing: pip install -e '.[forest]'", file=sys.stderr)
        return 2
    try:
        problem = ames(options.data)
        splits = whole("--splits", options.splits, 1)
        with tqdm(total=splits * Sizes().arms() // len(TREES), unit="forest") as bar:
            table = record(problem, options.folder, splits, options.seed, bar=bar)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{len(table.time)} splits, {table.time.shape[1]} configurations: {options.folder / 'recorded.npz'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
