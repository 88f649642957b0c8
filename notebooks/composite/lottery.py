"""What draws a world of sequences in compiled code, as a report's page does: no environment, it makes one."""

from typing import NamedTuple

import numpy as np

from banditlab.composite.environments.adversarial import Adversarial, Delays, ring_size


class Lottery(NamedTuple):
    """Draws an `Adversarial` world in which every arm pays with its own chance, one in each round."""

    chances: np.ndarray  # (arms,)
    total: float  # of the chances
    shuffled: bool  # whether arms come in random order
    rounds: int
    delays: Delays

    def draw(self, rng):
        arms, below = len(self.chances), 0.0
        order, edges, sums = np.arange(arms), np.zeros(arms - 1), np.zeros(arms)
        if self.shuffled:
            rng.shuffle(order)
        for arm in range(arms - 1):
            below += self.chances[order[arm]] / self.total
            edges[arm] = below
        paying, best = np.zeros(self.rounds, np.int32), 0
        for t in range(self.rounds):
            u, arm = rng.random(), 0
            while arm < arms - 1 and u >= edges[arm]:
                arm += 1
            paying[t] = arm
            sums[arm] += 1.0
        for arm in range(arms):
            if sums[arm] > sums[best]:
                best = arm
        room = ring_size(self.delays)
        return Adversarial(paying, np.zeros((0, 0)), np.zeros((0, 0, 0)), self.delays, best, room, self.rounds, arms)
