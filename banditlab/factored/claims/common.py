"""What the claims share."""

from ...claims import verdict
from ..experiments import paper
from ..experiments.instances import PRINTED, TENFOLD

AS_PRINTED, TEN = "N₀ as printed", "N₀ × 10"
READINGS = {AS_PRINTED: PRINTED, TEN: TENFOLD}
FIRST_DK = "first dk vectors only (released code)"
ALL = "all k^d vectors"


def claim(id, sentence, where, statistic, tolerance, holds):
    """A claim without its paper and scale; `holds` maps readings to booleans."""
    said, reading = verdict(holds)
    return id, sentence, where, statistic, tolerance, reading, said


def ratio_of(result, name):
    """Late ratio of a policy: 0.5 for linear regret."""
    return paper.late_ratio(result.of_policy(name))


def least(result, first, second):
    """Lower end of the 95 % interval of regret(first) - regret(second) at the horizon."""
    return float(result.paired(first, second)["low"].iloc[-1])
