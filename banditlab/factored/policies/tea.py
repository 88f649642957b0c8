"""TEA: temporary elimination of options, from the reward alone."""

import math
from typing import NamedTuple

import numpy as np

from ...building_blocks.growing_arrays import largest_entry
from ...engine.methods import helper
from ...validate import choice, number
from ..arguments import sizes

__all__ = ["TEA", "TEAState", "tea"]


@helper
def growth(t):
    """f(t) = (t + 1) log^2 (t + 1)."""
    log = math.log(t + 1.0)
    return (t + 1.0) * log * log


@helper
def radius(n, options, inverse, inside):
    """sqrt(12 log(2 K f(n) / delta) / n), or with the released code's 1 / delta outside the logarithm."""
    log = math.log(2.0 * options * growth(n))
    return math.sqrt(12.0 * (log + math.log(inverse) if inside else log * inverse) / n)


@helper
def all_compared(N, options):
    """Whether every two options were compared."""
    for i in range(options):
        for j in range(options):
            if i != j and N[i, j] == 0.0:
                return False
    return True


@helper
def eliminate(N, D, active, options, inverse, policy):
    """getActiveSet: the options that no other beats by more than the radius; all of them if none is left.

    N counts the comparisons of two options and D sums their differences; the active ones are counted.
    """
    count = 0
    for i in range(options):
        active[i] = True
        for j in range(options):
            if i != j:
                width = policy.noise_scale * radius(N[j, i], options, inverse, policy.inside)
                active[i] = active[i] and D[j, i] / N[j, i] <= width
        count += active[i]
    for i in range(options):
        active[i] = active[i] or count == 0
    return options if count == 0 else count


@helper
def refill(base, active, options):
    """B becomes what is in it and active, or the active options if there is none."""
    left = False
    for j in range(options):
        base[j] = base[j] and active[j]
        left = left or base[j]
    for j in range(options):
        base[j] = base[j] if left else active[j]


@helper
def put(slots, option, free, rng):
    """Put an option into a free slot, drawn uniformly; return how many are left."""
    skipped = int(free * rng.random())
    for slot in range(len(slots)):
        if slots[slot] < 0:
            if skipped == 0:
                slots[slot] = option
                return free - 1
            skipped -= 1
    return free


class TEAState(NamedTuple):
    """What TEA remembers."""

    N: np.ndarray  # (d, kmax, kmax) comparisons of two options
    D: np.ndarray  # (d, kmax, kmax) sums of their differences
    active: np.ndarray  # (d, kmax) options that are not eliminated in this block
    base: np.ndarray  # (d, kmax) the set B, which fills the free slots
    slots: np.ndarray  # (d, kmax) options of the block's rounds
    pulls: np.ndarray  # (d, kmax) of the options in this block
    rewards: np.ndarray  # (d, kmax)
    action: np.ndarray  # (d,) the vector that select returns
    slot: int
    length: int


class TEA(NamedTuple):
    """Temporary elimination with one module per component: what `tea` returns."""

    arms: np.ndarray  # (d,)
    noise_scale: float
    inside: bool  # 1 / delta inside the logarithm

    def actions(self):
        return tuple(self.arms.tolist())

    def init(self, rng):
        d, k = len(self.arms), largest_entry(self.arms)
        N, D = np.zeros((d, k, k)), np.zeros((d, k, k))
        active, base = np.ones((d, k), np.bool_), np.ones((d, k), np.bool_)
        slots, pulls, rewards = np.zeros((d, k), np.int64), np.zeros((d, k)), np.zeros((d, k))
        state = TEAState(N, D, active, base, slots, pulls, rewards, np.zeros(d, np.int64), 0, 0)
        return self.begin_block(state, 1.0, rng)

    def select(self, state, t, rng):
        for i in range(len(self.arms)):
            state.action[i] = state.slots[i, state.slot]
        return state.action

    def update(self, state, action, observation, t, rng):
        for i in range(len(self.arms)):
            state.pulls[i, action[i]] += 1.0
            state.rewards[i, action[i]] += observation.reward
        if state.slot + 1 < state.length:
            return state._replace(slot=state.slot + 1)
        self.compare(state)  # Algorithm 3, feedback
        return self.begin_block(state, t + 2.0, rng)

    def compare(self, state):
        """Enter the block's differences of every two active options into N and D, and clear the block."""
        pulls, rewards = state.pulls, state.rewards
        for i in range(len(self.arms)):
            for a in range(self.arms[i]):
                for b in range(self.arms[i]):
                    if a != b and state.active[i, a] and state.active[i, b]:
                        n, m = pulls[i, a], pulls[i, b]
                        least = min(n, m)
                        state.N[i, a, b] += least
                        state.D[i, a, b] += least * (rewards[i, a] / n - rewards[i, b] / m)
            for a in range(self.arms[i]):
                pulls[i, a] = rewards[i, a] = 0.0

    def begin_block(self, state, t, rng):
        """Algorithm 1 from round t: active sets at level 1 / f(t); each active option once, the rest is filled by B."""
        length, inverse = 0, growth(t)
        for i in range(len(self.arms)):
            k, active = self.arms[i], self.arms[i]
            if all_compared(state.N[i], k):
                active = eliminate(state.N[i], state.D[i], state.active[i], k, inverse, self)
                refill(state.base[i], state.active[i], k)
            else:  # nobody is eliminated, and B stays as it is
                for j in range(k):
                    state.active[i, j] = True
            length = max(length, active)
        for i in range(len(self.arms)):
            k = self.arms[i]
            self.schedule(state.slots[i], state.active[i, :k], state.base[i, :k], length, rng)
        return state._replace(slot=0, length=length)

    def schedule(self, slots, active, base, length, rng):
        """Each active option at a random slot of the block; the options of B in turn at the free ones."""
        for slot in range(len(slots)):
            slots[slot] = -1 if slot < length else 0
        free = length
        for j in range(len(active)):
            if active[j]:
                free = put(slots, j, free, rng)
        j = 0
        while free > 0:
            if base[j]:
                free = put(slots, j, free, rng)
            j = (j + 1) % len(base)


def tea(arms, noise_scale=1.0, delta="inside"):
    r"""TEA: one temporary elimination module per component, played in blocks, fed with the reward only.

    Parameters
    ----------
    arms : sequence of d ints >= 1, number of options of each component
    noise_scale : float > 0, factor of the confidence radius; 1 supposes 1-subgaussian rewards, as the paper of TEA does
    delta : {"inside", "outside"}
        Reading of the radius: :math:`\sqrt{12\log(2Kf(N)\delta^{-1})/N}`, or
        :math:`\sqrt{12\log(2Kf(N))\,\delta^{-1}/N}`, which never eliminates (the authors' released code).

    Returns
    -------
    TEA

    References
    ----------
    Zimmert, Seldin, Factored Bandits, NeurIPS 2018, Algorithms 1 and 3; Factored-Reward Bandits, Appendix E.1.

    Examples
    --------
    >>> import banditlab as bl
    >>> world, policy = bl.factored.gaussian([[0.9, 0.3], [0.2, 0.8]], sigma=0.05), tea([2, 2], noise_scale=0.05)
    >>> bool(bl.simulate(world, {"TEA": policy}, horizon=3000).of_policy("TEA")[0, -1] < 100)
    True
    """
    inside = choice("delta", delta, ("inside", "outside")) == "inside"
    return TEA(sizes(arms), number("noise_scale", noise_scale, above=0), inside)
