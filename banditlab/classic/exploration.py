"""Pure exploration: find the best arm, then stop: LUCB, Track-and-Stop, sequential halving."""

import math
from typing import NamedTuple

import numpy as np

from ..building_blocks.indices import Tally, add_reward, new_tally, place_of_largest
from ..building_blocks.oracle import divergence_at, fill_optimal_shares, meet
from ..validate import LARGEST, choice, how_many, number, whole
from .committing import StoppingElimination, SuccessiveElimination, following

__all__ = ["LUCB", "SequentialHalving", "TrackAndStop", "lucb", "sequential_halving", "track_and_stop"]


class Contest(NamedTuple):
    """What LUCB remembers."""

    pulls: np.ndarray  # (arms,)
    sums: np.ndarray  # (arms,) of the rewards
    two: np.ndarray  # (2,) the best arm, and the one that may yet be better
    overlap: np.ndarray  # (1,) by how much the upper end of the second passes the lower end of the first


class LUCB(NamedTuple):
    """The best arm and its strongest rival in every round: what `lucb` returns."""

    arms: int
    delta: float
    epsilon: float
    sigma: float

    actions = SuccessiveElimination.actions

    def init(self, rng):
        n = self.arms
        return Contest(np.zeros(n), np.zeros(n), np.zeros(2, np.int64), np.full(1, np.inf))

    def select(self, state, t, rng):
        return t if t < self.arms else state.two[(t - self.arms) % 2]

    def update(self, state, action, observation, t, rng):
        state.pulls[action] += 1.0
        state.sums[action] += observation
        if t + 1 >= self.arms and (t + 1 - self.arms) % 2 == 0:
            self.choose(state, 1 + (t + 1 - self.arms) // 2)
        return state

    def radius(self, pulls, t):
        """beta(u, t) of Theorem 1; with sigma = 1/2 the paper's, for rewards in [0, 1]."""
        power = float(t) * float(t) * float(t) * float(t)
        return self.sigma * math.sqrt(2.0 * math.log(1.25 * self.arms * power / self.delta) / pulls)

    def choose(self, state, t):
        """Write down the two arms of round t, and how far their intervals overlap."""
        first, second, top = place_of_largest(state.sums / state.pulls), 0, -np.inf
        for arm in range(self.arms):
            upper = state.sums[arm] / state.pulls[arm] + self.radius(state.pulls[arm], t)
            if arm != first and upper > top:
                second, top = arm, upper
        state.two[0], state.two[1] = first, second
        state.overlap[0] = top - state.sums[first] / state.pulls[first] + self.radius(state.pulls[first], t)

    def stop(self, state, t):
        return state.overlap[0] < self.epsilon and (t - self.arms) % 2 == 0

    def answer(self, state):
        return state.two[0]


def lucb(arms, delta, epsilon=0.0, sigma=0.5):
    """LUCB: play the best arm and the one of largest upper end among the others, until their intervals are apart.

    Parameters
    ----------
    arms : int >= 1, number of arms
    delta : float in (0, 1), allowed probability of a wrong answer
    epsilon : float >= 0, how much worse than the best arm the answer may be
    sigma : float > 0, scale of sub-Gaussian rewards; 1/2 for rewards in [0, 1], the paper's

    Returns
    -------
    LUCB
        The policy; it stops, and its answer is the arm of largest mean.

    References
    ----------
    Kalyanakrishnan, Tewari, Auer, Stone, PAC subset selection in stochastic multi-armed bandits, ICML 2012, Section 3:
    LUCB1 for a single arm.

    Examples
    --------
    >>> from banditlab import classic, simulate
    >>> result = simulate(classic.bernoulli([0.9, 0.5, 0.4]), {"LUCB": lucb(3, 0.1)}, 5000, runs=20)
    >>> bool(result.final["stopping_time"].max() < 5000), result.final["error"].sum()
    (True, np.float64(0.0))
    """
    delta, epsilon = number("delta", delta, above=0, below=1), number("epsilon", epsilon, least=0)
    return LUCB(how_many("arms", arms, 16), delta, epsilon, number("sigma", sigma, above=0))


class Tracked(NamedTuple):
    """What Track-and-Stop remembers."""

    tally: Tally
    shares: np.ndarray  # (arms,) of the rounds, best if the means were the true ones


class TrackAndStop(NamedTuple):
    """Every arm as often as the lower bound asks for: what `track_and_stop` returns."""

    arms: int
    delta: float
    sigma: float  # of normal rewards; 0 for Bernoulli laws
    proved: bool  # threshold of the theorem, or of the experiments

    actions = SuccessiveElimination.actions

    def init(self, rng):
        return Tracked(new_tally(self.arms), np.zeros(self.arms))

    def select(self, state, t, rng):
        if t < self.arms:
            return t
        pulls = state.tally.pulls
        least = place_of_largest(-pulls)
        if pulls[least] < math.sqrt(t) - 0.5 * self.arms:  # forced exploration
            return least
        fill_optimal_shares(state.tally.means, self.sigma, state.shares)
        return place_of_largest(t * state.shares - pulls)

    def update(self, state, action, observation, t, rng):
        return Tracked(add_reward(state.tally, action, observation), state.shares)

    def stop(self, state, t):
        return t >= self.arms and self.evidence(state) > self.threshold(t)

    def evidence(self, state):
        """Z(t): the least log-likelihood ratio of the best arm and another one."""
        pulls, means = state.tally.pulls, state.tally.means
        best, least = place_of_largest(means), np.inf
        for arm in range(self.arms):
            if arm != best:
                middle = meet(means[best], means[arm], pulls[arm] / pulls[best])
                found = pulls[best] * divergence_at(means[best], middle, self.sigma)
                least = min(least, found + pulls[arm] * divergence_at(means[arm], middle, self.sigma))
        return least

    def threshold(self, t):
        """beta(t, delta)."""
        if self.proved:
            return math.log(2.0 * t * max(self.arms - 1, 1) / self.delta)
        return math.log((math.log(t) + 1.0) / self.delta)

    def answer(self, state):
        return place_of_largest(state.tally.means)


def track_and_stop(arms, delta, sigma=None, threshold="proved"):
    r"""Track-and-Stop: play arms in the proportions that the lower bound asks for at the means seen so far.

    Arms with fewer than :math:`\sqrt t-K/2` pulls come first (D-tracking). It stops as soon as the likelihood of every
    other best arm is small (Chernoff's rule).

    Parameters
    ----------
    arms : int >= 1, number of arms K
    delta : float in (0, 1), allowed probability of a wrong answer
    sigma : float > 0, standard deviation of normal rewards; None for Bernoulli laws
    threshold : {"proved", "experiments"}, log(2t(K - 1)/delta), of Theorem 10 for Bernoulli laws, or
        log((log t + 1)/delta), which the paper plays in Section 6 and proves nothing about

    Returns
    -------
    TrackAndStop
        The policy; where best means are equal it aims at equal shares. A round costs some 10 microseconds an arm.

    References
    ----------
    Garivier, Kaufmann, Optimal best arm identification with fixed confidence, COLT 2016, Sections 3 and 4.

    Examples
    --------
    >>> from banditlab import classic, simulate
    >>> policy = track_and_stop(2, 0.1, sigma=1.0)
    >>> result = simulate(classic.gaussian([1.0, 0.0]), {"T-a-S": policy}, 2000, runs=20)
    >>> bool(result.final["stopping_time"].max() < 2000), bool(result.final["error"].mean() <= 0.1)
    (True, True)
    """
    delta, sigma = number("delta", delta, above=0, below=1), 0.0 if sigma is None else number("sigma", sigma, above=0)
    proved = choice("threshold", threshold, ("proved", "experiments")) == "proved"
    return TrackAndStop(how_many("arms", arms, 48), delta, sigma, proved)


class Halved(NamedTuple):
    """What sequential halving remembers."""

    sums: np.ndarray  # (arms,) of the rewards in this phase
    active: np.ndarray  # (arms,) bool
    arm: int  # to play next
    pulls: int  # of this arm in this phase
    left: int  # number of active arms


class SequentialHalving(NamedTuple):
    """Half of the arms leave after every phase: what `sequential_halving` returns."""

    arms: int
    budget: int
    phases: int

    actions, select = SuccessiveElimination.actions, SuccessiveElimination.select

    def init(self, rng):
        return Halved(np.zeros(self.arms), np.ones(self.arms, np.bool_), 0, 0, self.arms)

    def update(self, state, action, observation, t, rng):
        sums, active, arm, pulls, left = state.sums, state.active, state.arm, state.pulls + 1, state.left
        sums[action] += observation
        if left > 1 and pulls == self.budget // (left * self.phases):
            arm, pulls = following(active, action + 1), 0
            if arm == len(active):
                left = self.halve(sums, active, left)
                arm = following(active, 0)
        return Halved(sums, active, arm, pulls, left)

    def halve(self, sums, active, left):
        """Drop the worse half, of equal arms the last one; return how many are left."""
        for _ in range(left // 2):
            worst, least = 0, np.inf
            for arm in range(self.arms):
                if active[arm] and sums[arm] <= least:
                    worst, least = arm, sums[arm]
            active[worst] = False
        for arm in range(self.arms):
            sums[arm] = 0.0
        return left - left // 2

    stop, answer = StoppingElimination.stop, StoppingElimination.answer


def sequential_halving(arms, budget):
    """Sequential halving: share a budget among as many phases as it takes to halve the arms down to one.

    In a phase every arm that is left is played equally often, and the half of larger means, in this phase, stays.

    Parameters
    ----------
    arms : int >= 1, number of arms K
    budget : int, number of rounds, at least K log2 K, rounded up

    Returns
    -------
    SequentialHalving
        The policy; it stops within its budget. The answer is the arm that is left.

    References
    ----------
    Karnin, Koren, Somekh, Almost optimal exploration in multi-armed bandits, ICML 2013, Algorithm 1.

    Examples
    --------
    >>> from banditlab import classic, simulate
    >>> world = classic.bernoulli([0.9, 0.5, 0.4, 0.3])
    >>> result = simulate(world, {"halving": sequential_halving(4, 400)}, 1000, runs=20)
    >>> result.final["stopping_time"].unique().tolist(), result.final["error"].mean() < 0.2
    ([400.0], np.True_)
    """
    arms = how_many("arms", arms, 16)
    phases = max(1, (arms - 1).bit_length())
    return SequentialHalving(arms, whole("budget", budget, arms * phases, LARGEST), phases)
