"""A policy that never returns from its later rounds."""

from typing import NamedTuple

import numpy as np


class Stuck(NamedTuple):
    arms: int
    late: int

    def init(self, rng):
        return np.zeros(self.arms)

    def select(self, state, t, rng):
        arm = 0
        while t >= self.late:
            arm = (arm + 1) % self.arms
        return arm

    def update(self, state, action, observation, t, rng):
        return state
