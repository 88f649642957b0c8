"""Bounds of Mussi, Drago, Restelli, Metelli, "Factored-Reward Bandits with Intermediate Observations" (ICML 2024).

`means` is a list of d arrays: the expected observations of the options of each component, in [0, 1]. `sizes` lists
their lengths, `sigma` is the known subgaussian proxy of the observations, one number or one per component
(footnote 4), `horizon` the number of rounds T. Arguments outside the stated ranges raise a ValueError, or a TypeError
if they are no numbers.
"""

from .lower import (
    lower_bound_constant,
    lower_bound_lp,
    lower_bound_slices,
    remark41_lower,
    reward_only_lower,
    worst_case_lower,
)
from .track import FTrackConstants, f_T, ftrack_constants, misidentification_probability
from .upper import (
    fucb_order,
    g1,
    g2,
    priced_upper,
    remark41_ratio,
    remark41_upper,
    robust_ucb_order,
    tea_order,
    upper_bound,
    upper_bound_lp,
    worst_case_upper,
)

__all__ = [
    "f_T",
    "ftrack_constants",
    "FTrackConstants",
    "fucb_order",
    "g1",
    "g2",
    "lower_bound_constant",
    "lower_bound_lp",
    "lower_bound_slices",
    "misidentification_probability",
    "priced_upper",
    "remark41_lower",
    "remark41_ratio",
    "remark41_upper",
    "reward_only_lower",
    "robust_ucb_order",
    "tea_order",
    "upper_bound",
    "upper_bound_lp",
    "worst_case_lower",
    "worst_case_upper",
]
