"""Whom to treat, and how: what a campaign knows and what a policy presumes leads to a choice in the same way."""

from typing import NamedTuple

import numpy as np

from ..building_blocks.order_statistics import mark_largest
from ..engine.methods import helper


class Choice(NamedTuple):
    """How a round's action is made."""

    treatment: np.ndarray  # (m,) z(i), the presumed best one; in the end the action
    rho: np.ndarray  # (m,) its uplifting index
    chosen: np.ndarray  # (m,) 1 for the people treated
    scratch: np.ndarray  # (m,)


@helper
def new_choice(individuals):
    """Nobody is treated yet."""
    m = individuals
    return Choice(np.zeros(m, np.int64), np.zeros(m), np.zeros(m, np.int64), np.zeros(m))


@helper
def presume(U, choice):
    """Everybody's presumed best treatment and its index rho^z = U^z - U^0, Eq. (44); the lowest of equals."""
    for i in range(U.shape[1]):
        choice.treatment[i], choice.rho[i] = 1, U[1, i] - U[0, i]
        for z in range(2, len(U)):
            if U[z, i] - U[0, i] > choice.rho[i]:
                choice.treatment[i], choice.rho[i] = z, U[z, i] - U[0, i]


@helper
def top(choice, L, at_most):
    """Choose the L people of largest index, only of positive index if fewer may be treated."""
    mark_largest(choice.rho, L, choice.scratch, choice.chosen)
    for i in range(len(choice.rho)):
        if at_most and choice.rho[i] <= 0.0:
            choice.chosen[i] = 0
