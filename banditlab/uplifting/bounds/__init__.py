"""Every bound of Uplifting Bandits (Hsieh, Kasiviswanathan, Kveton, NeurIPS 2022) as a function of the instance."""

from .contextual import confidence_ellipsoid, contextual_bonus, contextual_upper, elliptical_potential
from .lower import hard_instance, known_sets_lower, no_knowledge_lower
from .upper import (
    Upper,
    ilift_bl_upper,
    ilift_upper,
    naff_bl_upper,
    naff_upper,
    orders,
    ucb_upper,
    upucb_bl_upper,
    upucb_upper,
)

__all__ = [
    "Upper",
    "confidence_ellipsoid",
    "contextual_bonus",
    "contextual_upper",
    "elliptical_potential",
    "hard_instance",
    "ilift_bl_upper",
    "ilift_upper",
    "known_sets_lower",
    "naff_bl_upper",
    "naff_upper",
    "no_knowledge_lower",
    "orders",
    "ucb_upper",
    "upucb_bl_upper",
    "upucb_upper",
]
