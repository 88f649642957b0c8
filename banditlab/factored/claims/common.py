"""What the claims share."""

from ..experiments import paper
from ..experiments.instances import PRINTED, TENFOLD

AS_PRINTED, TEN = "N₀ as printed", "N₀ × 10"
READINGS = {AS_PRINTED: PRINTED, TEN: TENFOLD}
FIRST_DK = "first dk vectors only (released code)"
ALL = "all k^d vectors"


def ratio_of(result, name):
    """Late ratio of a policy: 0.5 for linear regret."""
    return paper.late_ratio(result.of_policy(name))
