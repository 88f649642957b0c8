"""The ledger of censored consumption: every claim of the paper, its test, and what this run says."""

from ...claims import Claim, Ledger
from .forest import earns_most, least_censored, others_alike
from .learners import (
    all_limits,
    best_grids,
    best_low,
    best_many,
    best_problems,
    correlated,
    many_limits,
    stays,
    varies,
    varies_low,
)
from .shares import (
    all_close,
    closest,
    higher,
    only_rcucb_close,
    optimal_arm,
    optimal_limit,
    rcucb_indep,
    rcucb_others,
    share_indep,
    share_low,
    share_negcorr,
    share_negcorr_fine,
    share_poscorr,
    thompson_shares,
    ucb_exchanged,
    ucb_shares,
)
from .theory import literal_best, pairs_bound, radius, regret_bound, soft, strict, zooming


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
        optimal_limit, optimal_arm, share_indep, share_negcorr, share_negcorr_fine, share_poscorr, share_low,
        rcucb_indep, rcucb_others, ucb_shares, ucb_exchanged, thompson_shares, best_problems, best_grids,
        best_many, best_low, many_limits, correlated, varies, varies_low, closest, higher, all_close, only_rcucb_close,
        all_limits, strict, soft, radius, regret_bound, pairs_bound, zooming, earns_most, least_censored, others_alike,
        stays, literal_best,
    ]  # fmt: skip
    return Ledger(Claim("censored", *test(scale, seed), scale) for test in tests)
