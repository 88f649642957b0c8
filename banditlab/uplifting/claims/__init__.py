"""The ledger of Uplifting Bandits: every claim of the paper, its test, and what this run says."""

from ...claims import Claim, Ledger
from . import ablations, bandit, campaign, theory

__all__ = ["ledger"]

TESTS = [
    bandit.uplift_wins, bandit.baseline_cheap, bandit.sets_dearer, bandit.sublinear, bandit.large_best,
    bandit.bernoulli_wins, bandit.bernoulli_baseline, bandit.bernoulli_naff, ablations.small_betas,
    ablations.larger_beta, ablations.similar_means, ablations.heavier_tail, ablations.same_optimum,
    ablations.overspecified, ablations.underspecified, ablations.severely_underspecified, campaign.greedy_poor,
    campaign.optimism_better, campaign.optimism_slightly, campaign.modes_agree, campaign.modes_differ,
    campaign.mode1_linear, campaign.mode2_sublinear, campaign.mode2_linear, campaign.correlation,
    campaign.baseline_hurts, campaign.mode1_alike, ablations.table_3, theory.pull_bounds, theory.linear_bound,
]  # fmt: skip


def ledger(scale="quick", seed=0):
    """Test every claim of the paper.

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
    return Ledger(Claim("uplifting", *test(scale, seed), scale) for test in TESTS)
