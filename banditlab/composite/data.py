"""Sequences for the adversarial setting: click logs of two competitions, and synthetic stand-ins."""

import gzip
import os
import zipfile
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..validate import choice, whole

CHUNK = 500_000  # rows held at a time
STAND_INS = {  # chances of each arm to be the one that pays
    "zipf10": tuple(1.0 / i for i in range(1, 11)),
    "outbrain10": (572, 408, 293, 276, 242, 212, 190, 175, 160, 150),
    "neartie10": (0.30, 0.255, *(0.055625,) * 8),
    "twin3": (0.50, 0.46, 0.04),
    "week7": (0.25, 0.19, 0.15, 0.13, 0.11, 0.09, 0.08),
}


class Sequence(NamedTuple):
    """The arm that pays in each round, and where that comes from."""

    labels: np.ndarray  # (rounds,) arms from 0, the most frequent first
    names: tuple  # what each arm stands for
    source: str  # for captions and the ledger: the files, or that it is synthetic


def synthetic(name, rounds, seed=0):
    """A stand-in for data that are not at hand: independent rounds, arms in random order.

    Parameters
    ----------
    name : {"zipf10", "outbrain10", "neartie10", "twin3", "week7"}
        Chances of the arms: proportional to 1/i; to the counts of the ten largest categories of Outbrain; two that
        nearly tie among ten; two that nearly tie among three; the seven days of a week.
    rounds : int
        Length, at least 1.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    Sequence
        Its source says that it is synthetic.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    Examples
    --------
    >>> synthetic("week7", 5).source
    'synthetic stand-in week7'
    """
    chances = np.array(STAND_INS[choice("name", name, tuple(STAND_INS))])
    rng = np.random.default_rng(whole("seed", seed, 0))
    order = rng.permutation(len(chances))
    edges = np.cumsum(chances[order] / chances.sum())[:-1]
    labels = np.searchsorted(edges, rng.random(whole("rounds", rounds, 1)), side="right").astype(np.int32)
    return Sequence(labels, tuple(f"rank {rank + 1}" for rank in order), f"synthetic stand-in {name}")


def outbrain(folder, by="category", top=10, progress=False):
    """Clicks of the Outbrain competition: each display is a round, the group of its clicked ad the arm that pays.

    Reads ``clicks_train`` and ``promoted_content``, and ``documents_categories`` for categories, each as ``.csv``,
    ``.csv.gz`` or ``.csv.zip`` under these names or with an ending such as ``_mini``, in chunks: at most a few dozen
    megabytes beside the tables of ads and documents.

    Parameters
    ----------
    folder : path-like
        Where the files are.
    by : {"category", "advertiser", "campaign"}
        Group of an ad: the surest category of its document (ties to the smallest), its advertiser, or its campaign.
    top : int
        How many of the most frequent groups are kept, at least 2.
    progress : bool
        Whether to show a text progress bar.

    Returns
    -------
    Sequence
        In the order of the displays, which follows time.

    Raises
    ------
    FileNotFoundError
        If a file is missing.
    ValueError
        If a file lacks columns, is cut off or no text, or if the categories match none of the ads.

    References
    ----------
    Wang, Wang, Huang, Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, AAAI 2021,
    Section 4.2.
    """
    column = {"category": "document_id", "advertiser": "advertiser_id", "campaign": "campaign_id"}
    choice("by", by, tuple(column))
    top = whole("top", top, 2)
    clicks = []
    for part in chunks(folder, "clicks_train", ["display_id", "ad_id", "clicked"], progress):
        clicks.append(part.loc[part["clicked"] == 1, ["display_id", "ad_id"]].to_numpy(np.int64))
    clicks = np.concatenate(clicks)
    clicks = clicks[np.argsort(clicks[:, 0], kind="stable")]
    content = table(folder, "promoted_content", ["ad_id", column[by]], progress)
    groups = lookup(content, clicks[:, 1])
    if by == "category":
        groups = np.where(groups >= 0, lookup(surest(folder, progress), groups), -1)
    if not (groups >= 0).any():
        missing = "documents_categories" if by == "category" else "promoted_content"
        advice = "; group by='advertiser' or by='campaign' instead" if by == "category" else ""
        raise ValueError(f"folder={str(folder)!r}: {missing} matches none of the {len(clicks)} clicked ads{advice}")
    return ranked(groups[groups >= 0], top, by, f"Outbrain clicks by {by}")


def coupon(folder, order="shuffle", seed=0, progress=False):
    """Visits of the Coupon competition: each visit is a round, its weekday the arm that pays.

    Reads ``coupon_visit_train`` as ``.csv``, ``.csv.gz`` or ``.csv.zip``, in chunks.

    Parameters
    ----------
    folder : path-like
        Where the file is.
    order : {"shuffle", "time", "file"}
        Reading: in random order; by time, which makes blocks of a day where tracking beats every fixed arm; as stored.
    seed : int
        Of the shuffle, whole number, at least 0.
    progress : bool
        Whether to show a text progress bar.

    Returns
    -------
    Sequence
        Seven arms.

    Raises
    ------
    FileNotFoundError
        If the file is missing.
    ValueError
        If it lacks the column I_DATE, is cut off or no text, or holds no dates.

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Section 4.2.
    """
    import pandas as pd

    choice("order", order, ("shuffle", "time", "file"))
    times = []
    for part in chunks(folder, "coupon_visit_train", ["I_DATE"], progress):
        try:
            times.append(pd.to_datetime(part["I_DATE"], format="%Y-%m-%d %H:%M:%S").to_numpy("datetime64[s]"))
        except ValueError as error:
            raise ValueError(f"coupon_visit_train: I_DATE must be like 2012-03-28 14:15:00 ({error})") from None
    times = np.concatenate(times)
    if order == "time":
        times = np.sort(times, kind="stable")
    if order == "shuffle":
        times = np.random.default_rng(whole("seed", seed, 0)).permutation(times)
    weekdays = (times.astype("datetime64[D]").astype(np.int64) + 3) % 7  # 1970-01-01 was a Thursday
    return ranked(weekdays, 7, "weekday", f"Coupon visits by weekday, order: {order}")


def ranked(groups, top, kind, source):
    """The sequence of the most frequent groups, as ranks; ties to the smallest group."""
    values, counts = np.unique(groups, return_counts=True)
    if len(values) < 2:
        raise ValueError(f"{source}: only one {kind} is left; a bandit needs two arms")
    kept = values[np.argsort(-counts, kind="stable")][:top]
    rank = np.full(len(values), -1, np.int32)
    rank[np.searchsorted(values, kept)] = np.arange(len(kept))
    labels = rank[np.searchsorted(values, groups)]
    return Sequence(labels[labels >= 0], tuple(f"{kind} {value}" for value in kept.tolist()), source)


def surest(folder, progress):
    """Document and category of largest confidence, as two columns sorted by document."""
    parts = list(chunks(folder, "documents_categories", ["document_id", "category_id", "confidence_level"], progress))
    rows = np.concatenate([part.to_numpy(float) for part in parts])
    rows = rows[np.lexsort((rows[:, 1], -rows[:, 2], rows[:, 0]))]
    first = np.concatenate([[True], rows[1:, 0] != rows[:-1, 0]])
    return rows[first, :2].astype(np.int64)


def table(folder, name, columns, progress):
    """Two whole-number columns of a file, sorted by the first."""
    parts = [part.to_numpy(np.int64) for part in chunks(folder, name, columns, progress)]
    rows = np.concatenate(parts)
    return rows[np.argsort(rows[:, 0], kind="stable")]


def lookup(rows, keys):
    """The second column where the first one is the key, -1 where there is none."""
    place = np.minimum(np.searchsorted(rows[:, 0], keys), len(rows) - 1)
    return np.where(rows[place, 0] == keys, rows[place, 1], -1)


def find(folder, name):
    """The file of this name in the folder."""
    folder = Path(folder)
    if not folder.is_dir():
        raise FileNotFoundError(f"folder={str(folder)!r}: there is no such folder")
    for ending in (".csv", ".csv.gz", ".csv.zip", ".zip"):
        for path in sorted([*folder.glob(f"{name}{ending}"), *folder.glob(f"{name}_*{ending}")]):
            return path
    raise FileNotFoundError(f"folder={str(folder)!r}: holds no {name}.csv, {name}.csv.gz or {name}.csv.zip")


def chunks(folder, name, columns, progress):
    """The columns of a file as data frames of bounded size; whatever is wrong with it becomes one clear error."""
    import pandas as pd
    from tqdm.std import tqdm

    path = find(folder, name)
    packing = {".gz": "gzip", ".zip": "zip"}.get(path.suffix)
    try:
        with tqdm(desc=path.name, unit=" rows", disable=not progress) as bar:
            with pd.read_csv(path, usecols=columns, chunksize=CHUNK, compression=packing, encoding="utf-8") as reader:
                for part in reader:
                    if part.isna().any(axis=None):
                        raise ValueError(f"a value is missing in {', '.join(columns)}")
                    bar.update(len(part))
                    yield part[columns] if columns == ["I_DATE"] else part[columns].astype(float)
    except (EOFError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile) as error:
        raise ValueError(f"{os.fspath(path)!r}: is cut off or damaged ({error})") from None
    except UnicodeDecodeError:
        raise ValueError(f"{os.fspath(path)!r}: is no UTF-8 text") from None
    except ValueError as error:
        raise ValueError(f"{os.fspath(path)!r}: must be a table with columns {', '.join(columns)} ({error})") from None
