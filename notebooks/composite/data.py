"""Sequences for the adversarial setting: click logs of two competitions, and synthetic stand-ins."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from banditlab.io import CHUNK, read_pieces
from banditlab.validate import choice, how_many, whole

__all__ = ["Sequence", "coupon", "outbrain", "synthetic"]

LARGEST = 2**31 - 1  # of the numbers in a file
STAND_INS = {  # chances of each arm to be the one that pays
    "zipf10": tuple(1.0 / i for i in range(1, 11)),
    "outbrain10": (572, 408, 293, 276, 242, 212, 190, 175, 160, 150),
    "neartie10": (0.30, 0.255, *(0.055625,) * 8),
    "twin3": (0.50, 0.46, 0.04),
    "tie3": (0.50, 0.47, 0.03),
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
    name : {"zipf10", "outbrain10", "neartie10", "twin3", "tie3", "week7"}
        Chances of the arms: proportional to 1/i; to the counts of the ten largest categories of Outbrain; two that
        nearly tie among ten; two that nearly tie among three, or more nearly; the seven days of a week.
    rounds : int >= 1, length
    seed : int >= 0

    Examples
    --------
    >>> synthetic("week7", 5).source
    'synthetic stand-in week7'
    """
    chances = np.array(STAND_INS[choice("name", name, tuple(STAND_INS))])
    rng = np.random.default_rng(whole("seed", seed, 0))
    order = rng.permutation(len(chances))
    edges = np.cumsum(chances[order] / chances.sum())[:-1]
    labels = np.searchsorted(edges, rng.random(how_many("rounds", rounds, 32)), side="right").astype(np.int32)
    return Sequence(labels, tuple(f"rank {rank + 1}" for rank in order), f"synthetic stand-in {name}")


def outbrain(folder, by="category", top=10, progress=False):
    """Clicks of the Outbrain competition: each display is a round, the group of its clicked ad the arm that pays.

    Reads ``clicks_train`` and ``promoted_content``, and ``documents_categories`` for categories, each as ``.csv``,
    ``.csv.gz`` or ``.csv.zip`` under these names or with an ending such as ``_mini``, in chunks. At its peak it holds
    about 40 MB and 20 bytes for every click that is kept, 400 MB for the 17 million of the whole competition.

    Parameters
    ----------
    folder : path-like, where the files are
    by : {"category", "advertiser", "campaign"}
        Group of an ad: the surest category of its document (ties to the smallest), its advertiser, or its campaign.
    top : int >= 2, how many of the most frequent groups are kept
    progress : bool, whether to show a text progress bar

    Returns
    -------
    Sequence
        In the order of the displays, which follows time. A file that is missing, empty, cut off, no text, that lacks
        columns or holds anything but whole numbers (of a confidence: numbers), or that matches nothing is an error.

    References
    ----------
    Wang, Wang, Huang, Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, AAAI 2021,
    Section 4.2.
    """
    column = {"category": "document_id", "advertiser": "advertiser_id", "campaign": "campaign_id"}
    choice("by", by, tuple(column))
    top = whole("top", top, 2)
    ads = table(folder, "promoted_content", ["ad_id", column[by]], progress)
    groups = lookup(surest(folder, ads[:, 1], progress), ads[:, 1]) if by == "category" else ads[:, 1]
    displays, found, clicked, known = [], [], 0, 0
    for part in chunks(folder, "clicks_train", ["display_id", "ad_id", "clicked"], progress):
        part = part[part[:, 2] == 1]
        place = find_row(ads, part[:, 1])
        clicked, known = clicked + len(place), known + np.count_nonzero(place >= 0)
        group = np.where(place >= 0, groups[place], -1)
        displays.append(part[group >= 0, 0].astype(np.int32))
        found.append(group[group >= 0].astype(np.int32))
    if not clicked:
        raise ValueError(f"folder={str(folder)!r}: clicks_train holds no row with clicked = 1")
    if not known:
        raise ValueError(f"folder={str(folder)!r}: promoted_content matches none of the {clicked} clicked ads")
    if not any(map(len, found)):
        raise ValueError(f"folder={str(folder)!r}: documents_categories matches none of the {clicked} clicked ads; "
                         "group by='advertiser' or by='campaign' instead")  # fmt: skip
    return ranked(in_order(displays, found), top, by, f"Outbrain clicks by {by}")


def coupon(folder, order="shuffle", seed=0, progress=False):
    """Visits of the Coupon competition: each visit is a round, its weekday the arm that pays.

    Reads ``coupon_visit_train`` as ``.csv``, ``.csv.gz`` or ``.csv.zip``, in chunks; a visit takes 30 bytes
    at the peak.

    Parameters
    ----------
    folder : path-like, where the file is
    order : {"shuffle", "time", "file"}
        Reading: in random order; by time, which makes blocks of a day where tracking beats every fixed arm; as stored.
    seed : int >= 0, of the shuffle
    progress : bool, whether to show a text progress bar

    Returns
    -------
    Sequence
        Seven arms. A file that is missing, empty, cut off, no text, or lacks dates in the column I_DATE is an error.

    References
    ----------
    Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, Section 4.2.
    """
    choice("order", order, ("shuffle", "time", "file"))
    seed = whole("seed", seed, 0)
    times = np.concatenate(list(chunks(folder, "coupon_visit_train", ["I_DATE"], progress, dates)))
    if order == "time":
        times = np.sort(times, kind="stable")
    if order == "shuffle":
        times = np.random.default_rng(seed).permutation(times)
    weekdays = (times.astype("datetime64[D]").astype(np.int64) + 3) % 7  # 1970-01-01 was a Thursday
    return ranked(weekdays, 7, "weekday", f"Coupon visits by weekday, order: {order}")


def in_order(displays, found):
    """What was found of all displays, in their order, in which the competition's file is already. Empties both
    lists."""
    displays = joined(displays)
    if (displays[1:] >= displays[:-1]).all():
        return joined(found)
    order = np.argsort(displays, kind="stable")
    return joined(found)[order]


def joined(parts):
    """One array of 32 bits a number; a part is given up as soon as it is copied."""
    whole = np.empty(sum(map(len, parts)), np.int32)
    end = len(whole)
    while parts:
        part = parts.pop()
        whole[end - len(part) : end] = part
        end -= len(part)
    return whole


def ranked(groups, top, kind, source):
    """The sequence of the most frequent groups, as ranks; ties to the smallest group."""
    values, counts = np.unique(groups, return_counts=True)
    if len(values) < 2:
        raise ValueError(f"{source}: only one {kind} is left; a bandit needs two arms")
    kept = values[np.argsort(-counts, kind="stable")][:top]
    rank = np.full(len(values), -1, np.int32)
    rank[np.searchsorted(values, kept)] = np.arange(len(kept))
    parts = np.split(groups, range(CHUNK, len(groups), CHUNK))
    labels = joined([part[part >= 0] for part in (rank[np.searchsorted(values, part)] for part in parts)])
    return Sequence(labels, tuple(f"{kind} {value}" for value in kept.tolist()), source)


def surest(folder, documents, progress):
    """Document and category of largest confidence (ties to the smallest), of these documents, sorted by document."""
    wanted, columns = np.unique(documents), ["document_id", "category_id", "confidence_level"]
    parts = [part[np.isin(part[:, 0], wanted)] for part in chunks(folder, "documents_categories", columns, progress)]
    rows = np.concatenate(parts)
    rows = rows[np.lexsort((rows[:, 1], -rows[:, 2], rows[:, 0]))]
    return rows[np.unique(rows[:, 0], return_index=True)[1], :2].astype(np.int32)


def table(folder, name, columns, progress):
    """Two whole-number columns of a file, sorted by the first."""
    rows = np.concatenate(list(chunks(folder, name, columns, progress))).astype(np.int32)
    return rows[np.argsort(rows[:, 0], kind="stable")]


def find_row(rows, keys):
    """The row whose first column is the key, -1 where there is none."""
    if not len(rows):
        return np.full(len(keys), -1)
    place = np.minimum(np.searchsorted(rows[:, 0], keys), len(rows) - 1)
    return np.where(rows[place, 0] == keys, place, -1)


def lookup(rows, keys):
    """The second column where the first one is the key, -1 where there is none."""
    place = find_row(rows, keys)
    return np.where(place >= 0, rows[place, 1], -1) if len(rows) else place


def find(folder, name):
    """The file of this name in the folder."""
    folder = Path(folder)
    if not folder.is_dir():
        raise FileNotFoundError(f"folder={str(folder)!r}: there is no such folder")
    for pattern in (name, f"{name}_*"):
        for ending in (".csv", ".csv.gz", ".csv.zip"):
            for path in sorted(folder.glob(f"{pattern}{ending}")):
                return path
    raise FileNotFoundError(f"folder={str(folder)!r}: holds no {name}.csv, {name}.csv.gz or {name}.csv.zip")


def numbers(part):
    """Columns as an array (rows, columns) of numbers: whole ones but for a confidence, and 0 or 1 for a click."""
    array = part.astype(float).to_numpy()
    for column, values in zip(part.columns, array.T, strict=True):
        most = 1 if column in ("clicked", "confidence_level") else LARGEST
        wrong = ~((values >= 0) & (values <= most))
        if column != "confidence_level":
            wrong |= values != np.floor(values)
        if wrong.any():
            kind = "number" if column == "confidence_level" else "whole number"
            raise ValueError(f"{column} {values[wrong][0]:g} is no {kind} from 0 to {most}")
    return array


def dates(part):
    """A column of dates."""
    import pandas as pd

    return pd.to_datetime(part["I_DATE"], format="%Y-%m-%d %H:%M:%S").to_numpy("datetime64[s]")


def chunks(folder, name, columns, progress, read=numbers):
    """Columns of one of the competition's files as arrays of bounded size."""
    return read_pieces(find(folder, name), columns, read, CHUNK, progress)
