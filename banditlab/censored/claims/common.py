"""What the claims share: readings, and paired differences."""

from ...claims import verdict
from ..experiments.instances import GAIN, PRINTED

FIRST, AS_PRINTED = "first term of the width only", "width as printed"
READINGS = {FIRST: GAIN, AS_PRINTED: PRINTED}


def claim(id, sentence, where, statistic, tolerance, holds):
    """A claim without its paper and scale; `holds` maps readings to booleans."""
    said, reading = verdict(holds)
    return id, sentence, where, statistic, tolerance, reading, said


def least(result, first, second):
    """Lower end of the 95 % interval of regret(first) - regret(second) at the horizon."""
    return float(result.paired(first, second)["low"].iloc[-1])
