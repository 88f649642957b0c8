"""CLW: a wrapper that cuts rounds at random and looks at the last d steps; ARS-CLW, which does not know d."""

import math
from typing import NamedTuple

import numpy as np

from ...protocol import helper
from ...validate import choice, number, whole
from .weights import draw

LIMIT = 10**10  # rounds that ARS-CLW can play: its ring holds as many entries as its last phase needs


@helper
def gap(d, rng):
    """Steps until the next coin shows heads, with probability 1 / (2 d) each."""
    return 1 + int(math.log(1.0 - rng.random()) / math.log1p(-0.5 / d))


class Phase(NamedTuple):
    """One phase of ARS-CLW; the only one of CLW."""

    d: int  # guess of the longest delay
    gamma: float
    end: int  # its last step


class Wrapped(NamedTuple):
    """What CLW remembers."""

    weights: np.ndarray  # (arms,) as logarithms
    chances: np.ndarray  # (arms,) that the arm was drawn from
    ring: np.ndarray  # (a power of 2,) all seen up to each of the last steps
    arm: int
    total: float  # seen so far
    next: int  # step after which a coin shows heads, or the phase ends
    phase: Phase
    heads: tuple  # steps of the last, the next and the following coin that shows heads


class CLW(NamedTuple):
    """Algorithm 3: what `clw` and `ars_clw` return."""

    arms: int
    horizon: int  # rounds that it can play
    d: int  # told; 0 for the function h of each phase's end
    power: float  # h(T) is T^power
    end: int  # last step of the first phase
    ahead: bool  # whether a round ends before 2 d - 1 tails (ARS-CLW); else after them (CLW)
    earlier: int  # step of the last heads before the first step
    room: int  # of the ring, a power of 2

    def actions(self):
        return self.arms

    def init(self, rng):
        weights, chances, phase = np.zeros(self.arms), np.zeros(self.arms), self.phase(self.end)
        heads = self.coins(0, phase.d, rng)
        arm = self.fresh(weights, chances, phase.gamma, rng)
        return Wrapped(weights, chances, np.zeros(self.room), arm, 0.0, min(heads[1], phase.end), phase, heads)

    def select(self, state, t, rng):
        return state.arm

    def update(self, state, action, observation, t, rng):
        total = state.total + observation
        state.ring[t & (self.room - 1)] = total
        arm, phase, heads, next = action, state.phase, state.heads, state.next
        if t + 1 == next:
            arm, phase, heads = self.close(state, total, t, rng)
            next = min(heads[1], phase.end)
        return Wrapped(state.weights, state.chances, state.ring, arm, total, next, phase, heads)

    def close(self, state, total, t, rng):
        """Look at a coin that shows heads, or begin the next phase; return arm, phase and coins."""
        arm, phase, heads = state.arm, state.phase, state.heads
        if t + 1 == phase.end:
            phase = self.phase(2 * phase.end)
            heads = self.coins(t + 1, phase.d, rng)
            return self.fresh(state.weights, state.chances, phase.gamma, rng), phase, heads
        if self.quiet(heads) >= 2 * phase.d:
            window = total - state.ring[(t - phase.d) & (self.room - 1)]
            gain = min(1.0, window / (2.0 * phase.d))
            state.weights[arm] += phase.gamma * gain / (self.arms * state.chances[arm])
            arm = draw(state.weights, state.chances, phase.gamma, 1.0, rng)
        return arm, phase, (heads[1], heads[2], heads[2] + gap(phase.d, rng))

    def quiet(self, heads):
        """Steps between this coin that shows heads and the following (ARS-CLW) or the last one (CLW)."""
        return heads[2] - heads[1] if self.ahead else heads[1] - heads[0]

    def phase(self, end):
        """The phase that ends after this step."""
        d = self.d
        if d == 0:
            d = max(1, int(math.ceil(math.pow(float(end), self.power) - 1e-9)))
        gamma = math.sqrt(2.0 * d * self.arms * math.log(float(self.arms)) / (end + d))
        return Phase(d, min(1.0, gamma), end)

    def coins(self, played, d, rng):
        """Steps of the first heads after this one."""
        first = played + gap(d, rng)
        return self.earlier, first, first + gap(d, rng)

    def fresh(self, weights, chances, gamma, rng):
        """An arm drawn from weights that know nothing."""
        for arm in range(self.arms):
            weights[arm] = 0.0
        return draw(weights, chances, gamma, 1.0, rng)


def clw(arms, horizon, d, start="zeros"):
    r"""CLW with EXP3 inside: told a bound d on the delay, it ends a round where a coin of chance 1/(2d) shows heads
    after at least 2d - 1 tails, and looks at the last d steps only.

    Parameters
    ----------
    arms : int
        Number of arms N, at least 1.
    horizon : int
        Number of rounds T, at least 1.
    d : int
        What it is told of the longest delay, at least 1.
    start : {"zeros", "wait"}
        Reading of the coins before the first step: tails; or unknown, so that no round ends before step 2d.

    Returns
    -------
    CLW
        The policy; rewards are expected in [0, 1].

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Cesa-Bianchi, Gentile, Mansour, Nonstochastic bandits with composite anonymous feedback, 2018, Algorithm 1, with
    rewards in place of losses; Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback,
    Section 4.2.
    """
    arms, horizon, d = whole("arms", arms, 1), whole("horizon", horizon, 1), whole("d", d, 1, 10**6)
    earlier = 0 if choice("start", start, ("zeros", "wait")) == "wait" else -2 * d
    return CLW(arms, horizon, d, 0.0, horizon, False, earlier, 1 << d.bit_length())


def ars_clw(arms, power=1 / 3, first=1000):
    r"""ARS-CLW: phases of doubling length, each a CLW with the guess :math:`d=\lceil T^p\rceil` of its own end T.

    Parameters
    ----------
    arms : int
        Number of arms N, at least 1.
    power : float
        Exponent p of the paper's function h, in (0, 1/2]; 1/3 gives rounds as long as those of ARS-EXP3.
    first : int
        End of the first phase, at least 3: the guess of a phase must be shorter than the phase.

    Returns
    -------
    CLW
        The policy, for at most ten thousand million rounds; rewards are expected in [0, 1]. At ``power`` = 1/3 it
        keeps 33 kB a run.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Wang, Wang, Huang, Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, AAAI 2021,
    Algorithm 3 (Appendix C).
    """
    arms, power = whole("arms", arms, 1), number("power", power, above=0, most=0.5)
    first = whole("first", first, 3, LIMIT)
    longest = math.ceil((2.0 * LIMIT) ** power)
    return CLW(arms, LIMIT, 0, power, first, True, -LIMIT, 1 << longest.bit_length())
