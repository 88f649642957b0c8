"""CLW: a wrapper that cuts rounds at random and looks at the last d steps; ARS-CLW, which does not know d."""

import math
from typing import NamedTuple

import numpy as np

from ...building_blocks.indices import draw_arm
from ...engine.methods import helper
from ...validate import choice, how_many, number, whole
from ..arguments import LONGEST, guesses

__all__ = ["CLW", "ars_clw", "clw"]

LIMIT = 10**10  # rounds that ARS-CLW can play by default


class Coins(NamedTuple):
    """Steps in which a coin B shows heads: three in succession, because tails must lie before or after one of them."""

    last: int
    now: int  # the one that is looked at next
    next: int


@helper
def heads_after(step, d, rng):
    """The first step after this one in which a coin shows heads, with chance q = 1 / (2 d) each (line 9)."""
    return step + 1 + int(math.log(1.0 - rng.random()) / math.log1p(-0.5 / d))


class Phase(NamedTuple):
    """One phase of ARS-CLW; the only one of CLW."""

    number: int  # from 0
    end: int  # T^(k), its last step
    d: int  # what it takes for the longest delay
    gamma: float


class CLWState(NamedTuple):
    """What CLW remembers."""

    weights: np.ndarray  # (arms,) as logarithms
    chances: np.ndarray  # (arms,) p, that the arm was drawn from
    ring: np.ndarray  # (a power of 2,) all seen up to each of the last steps
    arm: int
    seen: float  # sum of Z up to now
    phase: Phase
    coins: Coins
    rounds: int  # in the set U


class CLW(NamedTuple):
    """Algorithm 3: what `clw` and `ars_clw` return."""

    arms: int
    horizon: int  # rounds that it can play
    guesses: np.ndarray  # (phases,) h(T^(k)); CLW is told one
    first: int  # last step of the first phase
    ahead: bool  # whether the tails that end a round follow (ARS-CLW) or precede (CLW)
    earlier: int  # step of the last heads before the first step
    rate: float  # multiple of the paper's gamma
    room: int  # of the ring, a power of 2

    shows = "chance of the draw", "", "log-weight"
    extra = ("steps since heads / 2d",)

    def actions(self):
        return self.arms

    def diagnostics(self, world, state):
        """Rounds that have fed EXP3."""
        return {"rounds": float(state.rounds)}

    def init(self, rng):
        weights, chances, phase = np.zeros(self.arms), np.zeros(self.arms), self.plan_phase(0)
        coins = self.toss(0, phase.d, rng)
        arm = draw_arm(weights, chances, phase.gamma, 1.0, rng)
        return CLWState(weights, chances, np.zeros(self.room), arm, 0.0, phase, coins, 0)

    def select(self, state, t, rng):
        return state.arm

    def indices(self, state, t):
        shown = np.full((3, self.arms + 1), np.nan)
        for arm in range(self.arms):
            shown[0, arm], shown[2, arm] = state.chances[arm], state.weights[arm]
        shown[0, self.arms] = min(1.0, (t - state.coins.last) / (2.0 * state.phase.d))
        return shown

    def update(self, state, action, observation, t, rng):
        seen, arm, phase, coins, rounds = state.seen + observation, action, state.phase, state.coins, state.rounds
        state.ring[t & (self.room - 1)] = seen
        if t + 1 == phase.end:  # lines 16 and 17
            phase = self.plan_phase(phase.number + 1)
            coins = self.toss(t + 1, phase.d, rng)
            arm = self.forget(state, phase, rng)
        elif t + 1 == coins.now:
            if self.ends_round(coins, phase.d):  # line 11
                arm, rounds = self.feed(state, seen, t, rng), rounds + 1
            coins = Coins(coins.now, coins.next, heads_after(coins.next, phase.d, rng))
        return CLWState(state.weights, state.chances, state.ring, arm, seen, phase, coins, rounds)

    def plan_phase(self, number):
        """The phase of this number."""
        d, end = self.guesses[min(number, len(self.guesses) - 1)], self.first << number  # h(T^(k)), line 3
        gamma = math.sqrt(2.0 * d * self.arms * math.log(float(self.arms)) / (end + d))  # line 3
        return Phase(number, end, d, min(1.0, self.rate * gamma))

    def toss(self, played, d, rng):
        """The first coins of a phase that show heads, line 6."""
        now = heads_after(played, d, rng)
        return Coins(self.earlier, now, heads_after(now, d, rng))

    def forget(self, state, phase, rng):
        """Draw an arm from weights that know nothing, lines 4 and 5."""
        for arm in range(self.arms):
            state.weights[arm] = 0.0
        return draw_arm(state.weights, state.chances, phase.gamma, 1.0, rng)

    def ends_round(self, coins, d):
        """Line 10 of Algorithm 3: B_t = 1 and B_{t+1} = ... = B_{t+2d-1} = 0; of CLW B_{t-1} = ... = B_{t-2d+1} = 0."""
        return (coins.next - coins.now if self.ahead else coins.now - coins.last) >= 2 * d

    def feed(self, state, seen, t, rng):
        """Give EXP3 the last d steps, line 12, and draw the arm of the next round, line 8."""
        d, gamma = state.phase.d, state.phase.gamma
        window = seen - state.ring[(t - d) & (self.room - 1)]
        gain = min(1.0, window / (2.0 * d))
        state.weights[state.arm] += gamma * gain / (self.arms * state.chances[state.arm])
        return draw_arm(state.weights, state.chances, gamma, 1.0, rng)


def clw(arms, horizon, d, start="zeros", rate=1.0):
    r"""CLW with EXP3 inside: told a bound d on the delay, it ends a round where a coin of chance 1/(2d) shows heads
    after at least 2d - 1 tails, and looks at the last d steps only.

    Rewards are expected in [0, 1]. The original is written for losses.

    Parameters
    ----------
    arms : int >= 1, number of arms N
    horizon : int >= 1, number of rounds T
    d : int >= 1, what it is told of the longest delay
    start : {"zeros", "wait"}
        Reading of the coins before the first step: tails; or unknown, so that no round ends before step 2d.
    rate : float > 0, multiple of the gamma of Algorithm 3; 1 is the paper's

    References
    ----------
    Cesa-Bianchi, Gentile, Mansour, Nonstochastic bandits with composite anonymous feedback, 2018, Algorithm 1, with
    rewards in place of losses; Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback,
    Section 4.2.
    """
    arms, horizon, d = how_many("arms", arms, 64), whole("horizon", horizon, 1), whole("d", d, 1, LONGEST)
    earlier = 0 if choice("start", start, ("zeros", "wait")) == "wait" else -2 * d
    rate, told = number("rate", rate, above=0), np.array([d], np.int64)
    return CLW(arms, horizon, told, horizon, False, earlier, rate, 1 << d.bit_length())


def ars_clw(arms, h=1 / 3, first=1000, horizon=LIMIT, rate=1.0):
    r"""ARS-CLW: phases of doubling length, each a CLW with the guess d = h(T) of its own end T.

    Rewards are expected in [0, 1].

    Parameters
    ----------
    arms : int >= 1, number of arms N
    h : float in (0, 1) or callable
        The paper's function h: a power p stands for :math:`\lceil T^p\rceil`, 1/3 gives rounds as long as those of
        ARS-EXP3; a function of T gives whole numbers from 1, less than T, that do not fall (the logarithm comes
        closest to CLW's own rate).
    first : int >= 2
        End of the first phase; the guess of a phase must be shorter than the phase.
    horizon : int >= 1
        Rounds that it can play; it does not know them, only its memory depends on them: eight bytes for every step of
        the longest guess, 33 kB a run with the default values.
    rate : float > 0, multiple of the paper's gamma

    References
    ----------
    Wang, Wang, Huang, Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback, AAAI 2021,
    Algorithm 3 (Appendix C).

    Examples
    --------
    >>> ars_clw(10, lambda T: int(T).bit_length(), horizon=100_000).guesses.tolist()
    [10, 11, 12, 13, 14, 15, 16, 17]
    """
    arms, horizon = how_many("arms", arms, 64), whole("horizon", horizon, 1, 2**61)
    first = whole("first", first, 2, 2**61)
    phases = max(1, -(-horizon // first) - 1).bit_length() + 1
    told = guesses(h, [first << number for number in range(phases)])
    room, rate = 1 << int(told[-1]).bit_length(), number("rate", rate, above=0)
    return CLW(arms, horizon, told, first, True, -first, rate, room)
