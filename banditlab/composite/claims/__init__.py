"""The ledger of composite and anonymous feedback: every claim of the paper, its test, and what this run says."""

from ...claims import Claim, Ledger
from .adversarial import ADVERSARIAL
from .stochastic import STOCHASTIC


def ledger(scale="quick", seed=0):
    """Test every claim of the paper.

    Claims about adversarial rewards are tested on synthetic stand-ins, unless the folder that ``BANDITLAB_DATA`` names
    holds the competitions' complete files (see `experiments.paper_figure5`); statistic and reading say which.

    Parameters
    ----------
    scale : {"quick", "paper"}
        Size of the experiments behind it; they are shared with the paper's figures.
    seed : int
        Whole number, at least 0.

    Returns
    -------
    Ledger
        One row per claim.
    """
    return Ledger(Claim("composite", *test(scale, seed), scale) for test in (*STOCHASTIC, *ADVERSARIAL))
