"""TEA: temporary elimination of options, from the reward alone."""

import math
from typing import NamedTuple

import numpy as np

from ...protocol import helper
from ...validate import number
from ..arguments import sizes


@helper
def growth(t):
    """f(t) = (t + 1) log^2 (t + 1)."""
    log = math.log(t + 1.0)
    return (t + 1.0) * log * log


@helper
def renew(pairs, options, sets, log_inverse, noise_scale):
    """Write the active set of one component into sets[0] and cut the played set sets[1]; return how many are active.

    pairs[0] counts the comparisons N of two options, pairs[1] sums their differences D; log_inverse is log(1 / delta).
    """
    for i in range(options):
        for j in range(options):
            if i != j and pairs[0, i, j] == 0.0:
                for a in range(options):
                    sets[0, a] = 1
                return options
    count = 0
    for i in range(options):
        sets[0, i] = 1
        for j in range(options):
            if i != j:
                n = pairs[0, j, i]
                log = math.log(2.0 * options * growth(n)) + log_inverse
                if pairs[1, j, i] / n - noise_scale * math.sqrt(12.0 * log / n) > 0.0:
                    sets[0, i] = 0
        count += sets[0, i]
    left = 0
    for i in range(options):
        if count == 0:
            sets[0, i] = 1
        left += sets[0, i] * sets[1, i]
    for i in range(options):
        sets[1, i] = sets[0, i] if left == 0 else sets[0, i] * sets[1, i]
    return options if count == 0 else count


@helper
def place(plan, i, option, free, rng):
    """Put an option of component i into a free slot of the plan, drawn uniformly."""
    number = int(free * rng.random())
    for slot in range(plan.shape[1]):
        if plan[i, slot] < 0:
            if number == 0:
                plan[i, slot] = option
                return free - 1
            number -= 1
    return free


class Blocks(NamedTuple):
    """What TEA remembers."""

    pairs: np.ndarray  # (d, 2, kmax, kmax) comparisons N and sums of differences D
    sets: np.ndarray  # (d, 2, kmax) active set, set B that fills the free slots
    plan: np.ndarray  # (d, kmax) options of the block's slots
    block: np.ndarray  # (2, d, kmax) pulls and rewards of the options in this block
    action: np.ndarray  # (d,) the vector that select returns
    slot: int
    length: int


class TEA(NamedTuple):
    """Temporary elimination with one module per component: what `tea` returns."""

    arms: np.ndarray  # (d,)
    noise_scale: float

    def actions(self):
        return tuple(self.arms.tolist())

    def init(self, rng):
        d, k = len(self.arms), self.arms.max()
        sets = np.ones((d, 2, k), np.int64)
        plan, action = np.zeros((d, k), np.int64), np.zeros(d, np.int64)
        state = Blocks(np.zeros((d, 2, k, k)), sets, plan, np.zeros((2, d, k)), action, 0, 0)
        return self.schedule(state, 1.0, rng)

    def select(self, state, t, rng):
        for i in range(len(self.arms)):
            state.action[i] = state.plan[i, state.slot]
        return state.action

    def update(self, state, action, observation, t, rng):
        for i in range(len(self.arms)):
            state.block[0, i, action[i]] += 1.0
            state.block[1, i, action[i]] += observation.reward
        slot = state.slot + 1
        if slot < state.length:
            return Blocks(state.pairs, state.sets, state.plan, state.block, state.action, slot, state.length)
        self.compare(state)
        return self.schedule(state, t + 2.0, rng)

    def compare(self, state):
        """Enter the block's differences of every two active options into the pairs, and clear the block."""
        for i in range(len(self.arms)):
            for a in range(self.arms[i]):
                for b in range(self.arms[i]):
                    if a != b and state.sets[i, 0, a] == 1 and state.sets[i, 0, b] == 1:
                        n, m = state.block[0, i, a], state.block[0, i, b]
                        least = min(n, m)
                        state.pairs[i, 0, a, b] += least
                        state.pairs[i, 1, a, b] += least * (state.block[1, i, a] / n - state.block[1, i, b] / m)
            for a in range(self.arms[i]):
                state.block[0, i, a] = state.block[1, i, a] = 0.0

    def schedule(self, state, t, rng):
        """The block that starts at round t: each active option once, at a random slot; B fills the rest."""
        length = 0
        for i in range(len(self.arms)):
            log_inverse = math.log(growth(t))
            active = renew(state.pairs[i], self.arms[i], state.sets[i], log_inverse, self.noise_scale)
            length = max(length, active)
        for i in range(len(self.arms)):
            for slot in range(state.plan.shape[1]):
                state.plan[i, slot] = -1 if slot < length else 0
            free = length
            for j in range(self.arms[i]):
                if state.sets[i, 0, j] == 1:
                    free = place(state.plan, i, j, free, rng)
            j = 0
            while free > 0:
                if state.sets[i, 1, j] == 1:
                    free = place(state.plan, i, j, free, rng)
                j = (j + 1) % self.arms[i]
        return Blocks(state.pairs, state.sets, state.plan, state.block, state.action, 0, length)


def tea(arms, noise_scale=1.0):
    r"""TEA: one temporary elimination module per component, played in blocks, fed with the reward only.

    Parameters
    ----------
    arms : sequence of int, shape (d,)
        Number of options of each component, at least 1.
    noise_scale : float
        Factor of the confidence radius, positive; 1 supposes 1-subgaussian rewards, as the paper of TEA does.

    Returns
    -------
    TEA
        The policy.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Zimmert, Seldin, Factored Bandits, NeurIPS 2018, Algorithms 1 and 3; Factored-Reward Bandits, Appendix E.1.
    """
    return TEA(sizes(arms), number("noise_scale", noise_scale, above=0))
