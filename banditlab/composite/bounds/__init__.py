"""The bounds of the paper as functions of the instance."""

from .delays import d1, d2, delay_moments
from .theorems import ars_clw_rate, ars_exp3_upper, ars_ucb_constant, ars_ucb_upper, clw_rate, hidden_radius

__all__ = [
    "ars_clw_rate",
    "ars_exp3_upper",
    "ars_ucb_constant",
    "ars_ucb_upper",
    "clw_rate",
    "d1",
    "d2",
    "delay_moments",
    "hidden_radius",
]
