"""ARS-UCB: optimism in rounds that grow; and UCB1 that does not know of delays."""

import math
from typing import NamedTuple

import numpy as np

from ...validate import number, whole

GROWTHS = {"1": (1.0, 0.0, 1.0, 1), "k": (1.0, 1.0, 1.0, 1), "k2": (1.0, 2.0, 1.0, 1), "k3": (1.0, 3.0, 1.0, 1),
           "2k": (1.0, 0.0, 2.0, 4)}  # fmt: skip


class Optimist(NamedTuple):
    """What ARS-UCB remembers."""

    pulls: np.ndarray  # (arms,) in complete rounds
    sums: np.ndarray  # (arms,) seen in complete rounds
    begun: np.ndarray  # (arms,) rounds
    arm: int  # played in this round
    left: int  # of the round
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

    def tally(self, world, state):
        """Rounds begun, over all arms."""
        return {"rounds": float(np.sum(state.begun))}

    def init(self, rng):
        begun = np.zeros(self.arms)
        return Optimist(np.zeros(self.arms), np.zeros(self.arms), begun, 0, self.open(begun, 0), 0.0)

    def select(self, state, t, rng):
        return state.arm

    def update(self, state, action, observation, t, rng):
        arm, left, total = action, state.left - 1, state.total + observation
        if left == 0:
            state.pulls[arm] += self.size(int(state.begun[arm]))
            state.sums[arm] += total
            arm = self.decide(state, t + 1)
            left, total = self.open(state.begun, arm), 0.0
        return Optimist(state.pulls, state.sums, state.begun, arm, left, total)

    def decide(self, state, played):
        """The arm of largest min(M / N + sqrt(alpha ln t / N), 1), ties to fewest pulls, then to the lowest."""
        best, top, width = 0, -np.inf, self.alpha * math.log(float(played))
        for arm in range(self.arms):
            pulls = state.pulls[arm]
            if pulls == 0.0:
                return arm
            index = min(state.sums[arm] / pulls + math.sqrt(width / pulls), self.cap)
            if index > top or (index == top and pulls < state.pulls[best]):
                best, top = arm, index
        return best

    def open(self, begun, arm):
        """Begin a round of this arm; return its size."""
        begun[arm] += 1.0
        return self.size(int(begun[arm]))

    def size(self, k):
        """f(k)."""
        if k == 1:
            return self.first
        return int(math.ceil(self.factor * math.pow(float(k), self.exponent) * math.pow(self.base, float(k)) - 1e-9))


def ars_ucb(arms, alpha=4.0, growth="k2", cap=True):
    r"""ARS-UCB: rounds of one arm, the k-th of size f(k), chosen by :math:`\min\{M_i/N_i+\sqrt{\alpha\ln t/N_i},1\}`.

    It is told neither the delays nor the horizon.

    Parameters
    ----------
    arms : int
        Number of arms N, at least 1.
    alpha : float
        Exploration, positive; Theorem 1 asks for more than 4.
    growth : {"k", "k2", "k3", "2k", "1"} or pair
        Round sizes f: k, its square, its cube, 2 to the k (with f(1) = 4), or always 1 (one decision a step, outside
        Theorem 1). A pair of numbers (c, b) stands for c k^b, rounded up, with c at least 1 and b positive, and such
        that the hundredth round is longer than the first; a pair ("2k", c) for 2 to the k + c (with f(1) = 2 to the
        2 + c), c whole and at least 0.
    cap : bool
        Whether the index stops at 1, as in the paper.

    Returns
    -------
    ARSUCB
        The policy; rewards are expected in [0, 1].

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Wang, Wang, Huang, Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, AAAI 2021,
    Algorithm 1.

    Examples
    --------
    >>> ars_ucb(9).size(3)
    9
    """
    if not isinstance(cap, (bool, np.bool_)):
        raise TypeError(f"cap={cap!r}: must be True or False")
    return ARSUCB(whole("arms", arms, 1), number("alpha", alpha, above=0), *sizes(growth), 1.0 if cap else np.inf)


def ucb1(arms, alpha=2.0):
    r"""UCB1 that credits whatever it sees to the arm of the same round, as if nothing came late.

    Parameters
    ----------
    arms : int
        Number of arms N, at least 1.
    alpha : float
        Exploration, positive; 2 is the choice of UCB1.

    Returns
    -------
    ARSUCB
        The policy: ARS-UCB with rounds of one step and without a cap.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Auer, Cesa-Bianchi, Fischer, Finite-time analysis of the multiarmed bandit problem, 2002, Figure 1.
    """
    return ars_ucb(arms, alpha, "1", cap=False)


def sizes(growth):
    """Factor, exponent, base and first size of a growth function."""
    if isinstance(growth, str) and growth in GROWTHS:
        return GROWTHS[growth]
    if not isinstance(growth, tuple | list) or len(growth) != 2:
        known = ", ".join(map(repr, GROWTHS))
        raise ValueError(f"growth={growth!r}: must be one of {known}, or a pair (c, b) or ('2k', c)")
    if growth[0] == "2k":
        shift = whole("growth[1]", growth[1], 0, 40)
        return 2.0**shift, 0.0, 2.0, 4 << shift
    factor = number("growth[0]", growth[0], least=1, most=1e6)
    exponent = number("growth[1]", growth[1], above=0, most=10)
    first = math.ceil(factor - 1e-9)
    if math.ceil(factor * 100.0**exponent - 1e-9) <= first:
        raise ValueError(f"growth={growth!r}: does not grow; the hundredth round must be longer than the first")
    return factor, exponent, 1.0, first
