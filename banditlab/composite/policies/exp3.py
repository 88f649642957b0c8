"""ARS-EXP3: exponential weights in rounds that grow; and EXP3 that does not know of delays."""

import bisect
import functools
import math
from typing import NamedTuple

import numpy as np

from ...building_blocks.indices import draw_arm
from ...validate import choice, how_many, number, whole

__all__ = ["ARSEXP3", "ars_exp3", "exp3"]

LIMIT = 10**11  # rounds; their number K is counted size by size
SHIFTS = {"ceil": 1.0 - 1e-9, "floor": 1e-9, "nearest": 0.5}  # perfect powers stay exact


class ARSEXP3State(NamedTuple):
    """What ARS-EXP3 remembers."""

    weights: np.ndarray  # (arms,) w, additive
    chances: np.ndarray  # (arms,) p, that this round was drawn from
    arm: int  # a(k), played in this round
    number: int  # k, of the round
    left: int  # steps of the round
    total: float  # Z(k), seen in the round so far


class ARSEXP3(NamedTuple):
    """Algorithm 2: what `ars_exp3` and `exp3` return. The horizon cuts the round after the last complete one."""

    arms: int
    horizon: int
    beta: float
    shift: float  # g(k) is k^beta plus this, rounded down
    gamma: float
    rounds: int  # K, complete within the horizon
    largest: float  # g(K)

    def actions(self):
        return self.arms

    def diagnostics(self, world, state):
        """Rounds completed."""
        return {"rounds": float(state.number - 1)}

    def init(self, rng):
        weights, chances = np.ones(self.arms), np.zeros(self.arms)  # line 1
        arm = draw_arm(weights, chances, self.gamma, self.largest, rng)  # lines 4 and 5
        return ARSEXP3State(weights, chances, arm, 1, self.size(1), 0.0)

    def select(self, state, t, rng):
        return state.arm

    def update(self, state, action, observation, t, rng):
        arm, k, left, total = action, state.number, state.left - 1, state.total + observation
        if left == 0:
            arm, k = self.close(state, total, rng), k + 1
            left, total = self.size(k), 0.0
        return ARSEXP3State(state.weights, state.chances, arm, k, left, total)

    def close(self, state, total, rng):
        """Enter a round; return the arm of the next."""
        gain = min(total, float(self.size(state.number)))  # Z'(k), line 6
        state.weights[state.arm] += self.gamma * gain / (self.arms * state.chances[state.arm])
        return draw_arm(state.weights, state.chances, self.gamma, self.largest, rng)  # lines 4 and 5

    def size(self, k):
        """g(k)."""
        return int(math.floor(math.pow(float(k), self.beta) + self.shift))


def ars_exp3(arms, horizon, beta=0.5, rounding="ceil", rate=1.0):
    r"""ARS-EXP3: EXP3 over rounds of one arm, the k-th of size :math:`g(k)=\lceil k^\beta\rceil`.

    Rewards are expected in [0, 1]; the mixing rate is that of Theorem 2.

    Parameters
    ----------
    arms : int >= 1, number of arms N
    horizon : int from 1 to 10^11, number of rounds T; `doubling` does without
    beta : float in [0, 1], growth of the rounds; 1/2 balances the two terms of Theorem 2
    rounding : {"ceil", "floor", "nearest"}
        Reading of g, which the paper leaves open: k to the beta rounded up, down, or to the nearest (halves up).
    rate : float > 0, multiple of the gamma of Theorem 2; 1 is the paper's

    References
    ----------
    Wang, Wang, Huang, Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, AAAI 2021,
    Algorithm 2 and Theorem 2.

    Examples
    --------
    >>> policy = ars_exp3(10, 1_000_000)
    >>> policy.rounds, policy.largest, round(policy.gamma, 5)
    (13046, 115.0, 0.03198)
    """
    arms, horizon = how_many("arms", arms, 64), whole("horizon", horizon, 1, LIMIT)
    beta, rate = number("beta", beta, least=0, most=1), number("rate", rate, above=0)
    shift = SHIFTS[choice("rounding", rounding, tuple(SHIFTS))]
    effective = ((beta + 1.0) * horizon) ** (1.0 / (beta + 1.0))
    gamma = min(1.0, rate * math.sqrt(arms * math.log(arms) / ((math.e - 1.0) * effective)))
    policy = ARSEXP3(arms, horizon, beta, shift, gamma, 1, 1.0)
    rounds = complete(policy)
    return policy._replace(rounds=rounds, largest=float(policy.size(rounds)))


@functools.lru_cache(maxsize=1024)  # a slider asks for the same again
def complete(policy):
    """K, how many rounds are complete within the horizon (line 2); those of one size are counted together."""
    played = done = 0
    while True:
        size = policy.size(done + 1)
        fit = (policy.horizon - played) // size
        alike = bisect.bisect_right(range(done + 1, done + fit + 1), size, key=policy.size)
        played, done = played + size * alike, done + alike
        if alike == fit:
            return done


def exp3(arms, horizon):
    """EXP3 that credits whatever it sees to the arm of the same round, as if nothing came late.

    It is ARS-EXP3 with rounds of one step; the law of `classic.exp3` in other bits: weights start at 1 (line 1).

    Parameters
    ----------
    arms : int >= 1, number of arms N
    horizon : int >= 1, number of rounds T

    References
    ----------
    Auer, Cesa-Bianchi, Freund, Schapire, The nonstochastic multiarmed bandit problem, 2002, Corollary 3.2.
    """
    return ars_exp3(arms, horizon, 0.0)
