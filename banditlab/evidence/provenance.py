"""Which results somebody used: what a claim rests on, with its runs, rounds and seconds, is told by the run itself."""

import contextlib
import math
from contextvars import ContextVar

from .spending import holding

watchers = ContextVar("watchers", default=())  # of this thread: what a slider plays in another one is not a claim's


class Used(dict):
    """Results by the identity of their regret."""

    def __init__(self):
        super().__init__()
        self.wholes = {}  # what was put together from some of these, seen or not


@contextlib.contextmanager
def watch():
    """Collect the results that are made, read or taken from memory meanwhile in this thread, each once."""
    used = Used()
    with holding(watchers, (*watchers.get(), used)):
        yield used


def saw(found):
    """Tell the watchers of a result, or of those in a tuple, list or dict."""
    if not watchers.get():
        return
    if hasattr(found, "origin") and hasattr(found, "regret"):
        for used in watchers.get():
            used[id(found.regret)] = found  # a copy with other settings is no more rounds
    elif isinstance(found, dict | tuple | list):
        for part in found.values() if isinstance(found, dict) else found:
            saw(part)


def tell_of_parts(whole, parts):
    """Tell the watchers of the parts of a result that was put together, and return it: its seconds are theirs."""
    saw(list(parts))
    for used in watchers.get():
        used.wholes[id(whole.regret)] = whole
    return whole


def sizes(used):
    """Runs and rounds of these results in words, and the CPU seconds that computing them took, whenever that was.

    Parameters
    ----------
    used : Used, as `watch` collects them

    Returns
    -------
    words : str
        "20 to 500 runs of 10,000 rounds"; empty where there is no result.
    seconds : float
        Those of a result and of the parts that it was put together from count once.
    """
    results = used.values()
    if not used:
        return "", 0.0
    runs = with_noun(span(result.regret.shape[1] for result in results), "run")
    seconds = math.fsum(result.origin["seconds"] for key, result in used.items() if key not in used.wholes)
    rounds = with_noun(span(int(result.checkpoints[-1]) for result in results), "round")
    return f"{runs} of {rounds}", round(seconds, 3)


def sum_rounds(used):
    """Rounds of all runs of all policies behind these results."""
    parts = (result for key, result in used.items() if key not in used.wholes)
    return sum(result.regret[..., 0].size * int(result.checkpoints[-1]) for result in parts)


def span(numbers):
    """Least and largest of some numbers, in words."""
    numbers = sorted(set(numbers))
    return f"{numbers[0]:,}" if len(numbers) == 1 else f"{numbers[0]:,} to {numbers[-1]:,}"


def with_noun(number, noun):
    """A number in words and what it counts, in the singular where it is one."""
    return f"{number} {noun}" if number == "1" else f"{number} {noun}s"


within = ContextVar("within", default=False)  # whether `lasting` is under way


def lasting():
    """Keep what is played meanwhile also where no folder is named; a decorator too."""
    return holding(within, True)
