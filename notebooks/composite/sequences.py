"""The sequences of Figure 5: the competitions' data where all their files are at hand, else synthetic stand-ins."""

import functools
import os
from pathlib import Path

import numpy as np

from banditlab.composite.environments import adversarial
from banditlab.engine.instances import drawn_by, random_instances

from .data import STAND_INS, coupon, outbrain, synthetic
from .lottery import Lottery

FILES = {  # of a stand-in: what reads the data that it stands for, and the files that are read
    "outbrain10": (outbrain, ("clicks_train", "promoted_content", "documents_categories")),
    "week7": (coupon, ("coupon_visit_train",)),
}


@functools.cache
def recording(name, rounds):
    """The first rounds of the data that a stand-in stands for; None where they are not at hand.

    The folder that ``BANDITLAB_DATA`` names, or its folder ``outbrain`` or ``coupon``, must hold every file under the
    competition's own name, and they must give so many rounds. A part of the data (``clicks_train_mini.csv``) is never
    taken: figures and ledger would depend on which part somebody has. `recorded` draws those.
    """
    root = os.environ.get("BANDITLAB_DATA")
    if name not in FILES or not root:
        return None
    read, files = FILES[name]
    for folder in (Path(root), Path(root) / read.__name__):
        if all(any((folder / f"{file}.csv{packed}").is_file() for packed in ("", ".gz", ".zip")) for file in files):
            found = read(folder)
            if len(found.labels) >= rounds:
                return found._replace(labels=found.labels[:rounds])
    return None


def sources(names, rounds):
    """Where these sequences come from, in words."""
    found = {name: recording(name, rounds) for name in names}
    real = [sequence.source for sequence in found.values() if sequence is not None]
    made = [name for name in names if found[name] is None]
    made = [f"synthetic stand-in{'s' * (len(made) > 1)} {', '.join(made)}"] if made else []
    return "; ".join(real + made)


def chances(name, rounds):
    """Share of the rounds in which each arm pays."""
    found = recording(name, rounds)
    counts = STAND_INS[name] if found is None else np.bincount(found.labels, minlength=len(found.names))
    return np.asarray(counts, float) / sum(counts)


@functools.lru_cache(maxsize=40)
def drawn(seed, name, rounds):
    """Labels of a stand-in; kept, because several figures and claims play on them."""
    return synthetic(name, rounds, seed).labels


def draws_stand_in(name, rounds, delays):
    """What draws the world of `stand_in` in compiled code."""
    chances = np.array(STAND_INS[name], float)
    return Lottery(chances, float(chances.sum()), True, rounds, delays)


@drawn_by(draws_stand_in)
def stand_in(seed, name, rounds, delays):
    """The adversarial world on a fresh stand-in sequence."""
    return adversarial(drawn(seed, name, rounds), delays, arms=len(STAND_INS[name]))


def relabelled(seed, labels, arms, delays):
    """The adversarial world on a recorded sequence, its arms in random order."""
    return adversarial(np.random.default_rng(seed).permutation(arms)[labels], delays, arms)


def synthetic_worlds(name, rounds, delays):
    """A stand-in for every run."""
    return random_instances(stand_in, name=name, rounds=rounds, delays=delays)


def worlds(name, rounds, delays):
    """The recorded sequence for every run where it is at hand, else a stand-in."""
    found = recording(name, rounds)
    if found is None:
        return synthetic_worlds(name, rounds, delays)
    return random_instances(relabelled, labels=found.labels, arms=len(found.names), delays=delays)
