"""ARS-UCB: optimism in rounds that grow; and UCB1 that does not know of delays."""

import math
from typing import NamedTuple

import numpy as np

from ...validate import flag, how_many, number
from ..arguments import round_sizes

__all__ = ["ARSUCB", "ars_ucb", "ucb1"]


class ARSUCBState(NamedTuple):
    """What ARS-UCB remembers."""

    pulls: np.ndarray  # (arms,) N_i, in complete rounds
    sums: np.ndarray  # (arms,) M_i, all that was seen in complete rounds of the arm
    begun: np.ndarray  # (arms,) K_i - 1, rounds
    arm: int  # played in this round
    left: int  # steps of the round
    total: float  # seen in the round so far


class ARSUCB(NamedTuple):
    """Algorithm 1: what `ars_ucb` and `ucb1` return."""

    arms: int
    alpha: float
    factor: float  # the size of round k is factor * k^exponent * base^k
    exponent: float
    base: float
    first: int  # size of the first round of each arm
    cap: float  # of the index; infinite without

    def actions(self):
        return self.arms

    def diagnostics(self, world, state):
        """Rounds begun, over all arms."""
        return {"rounds": float(np.sum(state.begun))}

    def init(self, rng):
        begun = np.zeros(self.arms)
        return ARSUCBState(np.zeros(self.arms), np.zeros(self.arms), begun, 0, self.open(begun, 0), 0.0)

    def select(self, state, t, rng):
        return state.arm

    def update(self, state, action, observation, t, rng):
        arm, left, total = action, state.left - 1, state.total + observation
        if left == 0:
            state.pulls[arm] += self.size(int(state.begun[arm]))
            state.sums[arm] += total
            arm = self.decide(state, t + 1)
            left, total = self.open(state.begun, arm), 0.0
        return ARSUCBState(state.pulls, state.sums, state.begun, arm, left, total)

    def decide(self, state, played):
        """The arm of the largest index, ties to fewest pulls, then to the lowest."""
        best, top, width = 0, -np.inf, self.alpha * math.log(float(played))
        for arm in range(self.arms):
            pulls = state.pulls[arm]
            if pulls == 0.0:  # line 2
                return arm
            index = min(state.sums[arm] / pulls + math.sqrt(width / pulls), self.cap)  # line 4, with Eq. (1)
            if index > top or (index == top and pulls < state.pulls[best]):  # line 5
                best, top = arm, index
        return best

    def open(self, begun, arm):
        """Begin a round of this arm; return its size."""
        begun[arm] += 1.0  # line 6
        return self.size(int(begun[arm]))  # line 5

    def size(self, k):
        """f(k)."""
        if k == 1:
            return self.first
        return int(math.ceil(self.factor * math.pow(float(k), self.exponent) * math.pow(self.base, float(k)) - 1e-9))


def ars_ucb(arms, alpha=4.0, growth="k2", cap=True):
    r"""ARS-UCB: rounds of one arm, the k-th of size f(k), chosen by :math:`\min\{M_i/N_i+\sqrt{\alpha\ln t/N_i},1\}`.

    It is told neither the delays nor the horizon; rewards are expected in [0, 1].

    Parameters
    ----------
    arms : int >= 1, number of arms N
    alpha : float > 0, exploration; Theorem 1 asks for more than 4, the paper's experiments favour 4
    growth : {"k", "k2", "k3", "2k", "1"} or pair
        Round sizes f: k, its square, its cube, 2 to the k (with f(1) = 4), or always 1 (one decision a step, outside
        Theorem 1). A pair of numbers (c, b) stands for c k^b, rounded up, with c at least 1 and b positive, and such
        that the hundredth round is longer than the first; a pair ("2k", c) for 2 to the k + c (with f(1) = 2 to the
        2 + c), c whole and at least 0.
    cap : bool, whether the index stops at 1, as in the paper

    References
    ----------
    Wang, Wang, Huang, Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, AAAI 2021,
    Algorithm 1.

    Examples
    --------
    >>> ars_ucb(9).size(3)
    9
    """
    limit = 1.0 if flag("cap", cap) else np.inf
    return ARSUCB(how_many("arms", arms, 64), number("alpha", alpha, above=0), *round_sizes(growth), limit)


def ucb1(arms, alpha=2.0):
    r"""UCB1 that credits whatever it sees to the arm of the same round, as if nothing came late.

    It is ARS-UCB with rounds of one step and without a cap, so its ties go to the arm with fewer pulls; those of
    `classic.ucb1` go to the lowest arm, and its logarithm counts one round more.

    Parameters
    ----------
    arms : int >= 1, number of arms N
    alpha : float > 0, exploration; 2 is the choice of the paper below

    References
    ----------
    Auer, Cesa-Bianchi, Fischer, Finite-time analysis of the multiarmed bandit problem, 2002, Figure 1.
    """
    return ars_ucb(arms, alpha, "1", cap=False)
