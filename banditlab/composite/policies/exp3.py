"""ARS-EXP3: exponential weights in rounds that grow; and EXP3 that does not know of delays."""

import math
from typing import NamedTuple

import numpy as np

from ...validate import number, whole
from .rounds import draw, power_size


class Player(NamedTuple):
    """What ARS-EXP3 remembers."""

    memory: np.ndarray  # (2 arms,) additive weights, then the chances of this round
    arm: int  # played in this round
    number: int  # of the round
    left: int  # of the round
    total: float  # seen in the round so far


class ARSEXP3(NamedTuple):
    """Algorithm 2: what `ars_exp3` and `exp3` return."""

    arms: int
    horizon: int
    beta: float
    gamma: float
    rounds: int  # K, complete within the horizon
    largest: int  # g(K)

    def actions(self):
        return self.arms

    def tally(self, world, state):
        """Rounds completed."""
        return {"rounds": float(state.number - 1)}

    def begin(self, rng):
        memory = np.zeros(2 * self.arms)
        for arm in range(self.arms):
            memory[arm] = 1.0
        return Player(memory, draw(memory, self.arms, self.gamma, float(self.largest), rng), 1, 1, 0.0)

    def select(self, state, t, rng):
        return state.arm

    def update(self, state, action, seen, t, rng):
        memory, total = state.memory, state.total + seen
        if state.left > 1:
            return Player(memory, action, state.number, state.left - 1, total)
        arm, size = self.close(memory, action, state.number, total, rng)
        return Player(memory, arm, state.number + 1, size, 0.0)

    def close(self, memory, arm, k, total, rng):
        """Enter round k; return arm and size of the next. What is left after the last is played and not entered."""
        if k <= self.rounds:
            gain = min(total, float(power_size(1.0, self.beta, 1.0, k)))
            memory[arm] += self.gamma * gain / (self.arms * memory[self.arms + arm])
        size = power_size(1.0, self.beta, 1.0, k + 1) if k < self.rounds else self.horizon
        return draw(memory, self.arms, self.gamma, float(self.largest), rng), size


def ars_exp3(arms, horizon, beta=0.5):
    r"""ARS-EXP3: EXP3 over rounds of one arm, the k-th of size :math:`g(k)=\lceil k^\beta\rceil`.

    Parameters
    ----------
    arms : int
        Number of arms N, at least 1.
    horizon : int
        Number of rounds T, at least 1; `doubling` does without.
    beta : float
        Growth of the rounds, in [0, 1]; 1/2 balances the two terms of Theorem 2.

    Returns
    -------
    ARSEXP3
        The policy; rewards are expected in [0, 1].

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Wang, Wang, Huang, Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, AAAI 2021,
    Algorithm 2 and Theorem 2.

    Examples
    --------
    >>> policy = ars_exp3(10, 1_000_000)
    >>> policy.rounds, policy.largest, round(policy.gamma, 5)
    (13046, 115, 0.03198)
    """
    arms, horizon = whole("arms", arms, 1), whole("horizon", horizon, 1)
    beta = number("beta", beta, least=0, most=1)
    effective = ((beta + 1.0) * horizon) ** (1.0 / (beta + 1.0))
    gamma = min(1.0, math.sqrt(arms * math.log(arms) / ((math.e - 1.0) * effective)))
    rounds = complete(horizon, beta)
    return ARSEXP3(arms, horizon, beta, gamma, rounds, power_size(1.0, beta, 1.0, rounds))


def exp3(arms, horizon):
    """EXP3 that credits whatever it sees to the arm of the same round, as if nothing came late.

    Parameters
    ----------
    arms : int
        Number of arms N, at least 1.
    horizon : int
        Number of rounds T, at least 1.

    Returns
    -------
    ARSEXP3
        The policy: ARS-EXP3 with rounds of one step.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Auer, Cesa-Bianchi, Freund, Schapire, The nonstochastic multiarmed bandit problem, 2002, Corollary 3.2.
    """
    return ars_exp3(arms, horizon, 0.0)


def complete(horizon, beta):
    """How many rounds are complete within the horizon."""
    if beta == 0.0:
        return horizon
    count = int(((beta + 1.0) * horizon) ** (1.0 / (beta + 1.0))) + 2
    sizes = np.ceil(np.arange(1.0, count + 1.0) ** beta - 1e-9)
    return int(np.searchsorted(np.cumsum(sizes), horizon, side="right"))
