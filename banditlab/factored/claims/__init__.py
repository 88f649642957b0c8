"""The ledger of Factored-Reward Bandits: every claim of the paper, its test, and what this run says."""

from ...claims import Claim, Ledger
from . import baselines, noise, theory, track


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
    tests = [
        baselines.one_component,
        baselines.robust_one_component,
        baselines.elimination,
        baselines.ucb1_grows,
        baselines.ucb1_linear,
        baselines.robust_sublinear,
        baselines.robust_grows,
        baselines.robust_below_ucb1,
        baselines.factored_best,
        track.ratio_linear,
        track.few_components,
        track.ten_components,
        track.many_components,
        track.wrong_plans,
        noise.crossing,
        noise.others_suboptimal,
        noise.others_between,
        noise.shared_noise,
        theory.explicit_bound,
        theory.bounds_hold,
        theory.orders,
    ]
    return Ledger(Claim("factored", *test(scale, seed), scale) for test in tests)
