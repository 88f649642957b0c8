"""What the claims share: readings, and verdicts from intervals."""

import numpy as np

from ...result import interval
from ..experiments.instances import GAIN, PRINTED, WIDTHS

FIRST, AS_PRINTED = "first term of the width only", "width as printed"
READINGS = {FIRST: GAIN, AS_PRINTED: PRINTED}
ALL_WIDTHS = {FIRST: GAIN, "second term rescaled": WIDTHS["normalised"], AS_PRINTED: PRINTED}


def ends(values):
    """Both ends of the 95 % t-interval of a mean over runs."""
    mean, _, half = interval(np.asarray(values))
    return mean - half, mean + half


def positive(intervals):
    """Whether several quantities are all positive, from their intervals: False if one surely is not, else None."""
    low, high = np.min(np.array(intervals), axis=0)
    if low > 0:
        return True
    return False if high < 0 else None
