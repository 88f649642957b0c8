"""What the claims share: tests that may stay undecided, and ratios of means, both from the runs."""

import numpy as np

from ...result import interval

LEVEL = 0.98  # of the intervals: one-sided 1 %


def below(first, second, level=LEVEL):
    """Whether the first mean is below the second: by the t-interval of their difference over runs, None if it holds 0.

    Either may be a number.
    """
    mean, _, half = interval(np.asarray(first - second, float), level)
    return None if abs(mean) <= half else bool(mean < 0)


def ratio(first, second):
    """The ratio of two means as a number per run: their mean is the ratio, their spread the spread of the ratio.

    They are what each run adds to the ratio, linearised (the delta method).
    """
    value = first.mean() / second.mean()
    return value + (first - value * second) / second.mean()


def most(found, share):
    """Whether more than this share of the cases hold, whatever the undecided ones are; else None."""
    found = list(found)
    if found.count(True) > share * len(found):
        return True
    return False if found.count(True) + found.count(None) <= share * len(found) else None


def counted(found, better="better", worse="worse"):
    """How many hold, fail and are undecided, in words."""
    found = list(found)
    words = f"{better} in {found.count(True)} of {len(found)}"
    rest = ((word, found.count(kind)) for word, kind in ((worse, False), ("undecided", None)))
    return words + "".join(f", {word} {count}" for word, count in rest if count)
