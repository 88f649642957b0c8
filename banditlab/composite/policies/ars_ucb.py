"""ARS-UCB: optimism in rounds that grow; and UCB1 that does not know of delays."""

import math
from numbers import Real
from typing import NamedTuple

import numpy as np

from ...protocol import helper
from ...validate import number, whole
from .rounds import power_size

PULLS, SUM, NEXT = 0, 1, 2  # rows of the table; NEXT is the number of the arm's next round
GROWTHS = {"1": (1.0, 0.0, 1.0, 1), "k": (1.0, 1.0, 1.0, 1), "k2": (1.0, 2.0, 1.0, 1), "k3": (1.0, 3.0, 1.0, 1),
           "2k": (1.0, 0.0, 2.0, 4)}  # fmt: skip


class Optimist(NamedTuple):
    """What ARS-UCB remembers."""

    table: np.ndarray  # (3, arms)
    arm: int  # played in this round
    left: int  # of the round
    total: float  # seen in the round so far


@helper
def most_optimistic(table, width, cap):
    """The arm of largest min(sum / pulls + sqrt(width / pulls), cap), ties to fewest pulls, then to the lowest."""
    best, top = 0, -np.inf
    for arm in range(table.shape[1]):
        index = table[SUM, arm] / table[PULLS, arm] + math.sqrt(width / table[PULLS, arm])
        index = min(index, cap)
        if index > top or (index == top and table[PULLS, arm] < table[PULLS, best]):
            best, top = arm, index
    return best


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
        return {"rounds": float(np.sum(state.table[NEXT] - 1.0))}

    def begin(self, rng):
        table = np.zeros((3, self.arms))
        for arm in range(self.arms):
            table[NEXT, arm] = 1.0
        return Optimist(table, 0, self.open(table, 0), 0.0)

    def select(self, state, t, rng):
        return state.arm

    def update(self, state, action, seen, t, rng):
        table, total = state.table, state.total + seen
        arm, left = action, state.left - 1
        if left == 0:
            arm = self.close(table, arm, total, t)
            left, total = self.open(table, arm), 0.0
        return Optimist(table, arm, left, total)

    def close(self, table, arm, total, t):
        """Enter a finished round and return the next arm."""
        table[PULLS, arm] += self.size(int(table[NEXT, arm]) - 1)
        table[SUM, arm] += total
        for other in range(self.arms):
            if table[PULLS, other] == 0.0:
                return other
        return most_optimistic(table, self.alpha * math.log(t + 1.0), self.cap)

    def open(self, table, arm):
        """Begin a round of this arm; return its size."""
        table[NEXT, arm] += 1.0
        return self.size(int(table[NEXT, arm]) - 1)

    def size(self, k):
        """f(k)."""
        return self.first if k == 1 else power_size(self.factor, self.exponent, self.base, k)


def ars_ucb(arms, alpha=4.0, growth="k2", cap=True):
    r"""ARS-UCB: rounds of one arm, the k-th of size f(k), chosen by :math:`\min\{M_i/N_i+\sqrt{\alpha\ln t/N_i},1\}`.

    It is told neither the delays nor the horizon.

    Parameters
    ----------
    arms : int
        Number of arms N, at least 1.
    alpha : float
        Exploration, positive; Theorem 1 asks for more than 4.
    growth : {"k", "k2", "k3", "2k", "1"} or pair of float
        Round sizes f: k, its square, its cube, 2 to the k (with f(1) = 4), or always 1 (one decision a step, outside
        Theorem 1); a pair (c, b) stands for c k^b, rounded up, with c at least 1 and b positive.
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
    if not isinstance(growth, tuple | list) or len(growth) != 2 or not all(isinstance(x, Real) for x in growth):
        known = ", ".join(map(repr, GROWTHS))
        raise ValueError(f"growth={growth!r}: must be one of {known}, or a pair (c, b) for rounds of size c k^b")
    factor = number("growth[0]", growth[0], least=1, most=1e6)
    exponent = number("growth[1]", growth[1], above=0, most=10)  # sizes that do not grow are outside every theorem
    return factor, exponent, 1.0, math.ceil(factor - 1e-9)
