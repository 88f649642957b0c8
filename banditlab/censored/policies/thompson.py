r"""Thompson sampling on the pairs, with a Bernoulli trial for every limit up to the chosen one.

Only the largest of the Beta draws matters, and most pairs are far from it. So the pairs are gone through one by one,
the one played last first, with the largest draw x so far, and of every other pair only what exceeds x is drawn. Its
density f is log-concave, as both parameters are at least 1: where it falls at x, with slope g < 0 of its logarithm,
:math:`f(y)\le f(x)e^{g(y-x)}` for y > x, so that at most :math:`B=f(x)/|g|` of its mass lies beyond. With probability B
a candidate y is drawn from this exponential, and kept with probability :math:`f(y)/(f(x)e^{g(y-x)})`; it is y with
density :math:`B\cdot|g|e^{g(y-x)}\cdot f(y)/(f(x)e^{g(y-x)})=f(y)`, exactly that of a full draw beyond x. Given x the
pairs are independent, so the pair of the largest draw has the law that it has when all are drawn.

B falls as x grows, since f falls and \|g\| grows. Once it was at most q = 1/32 at some x, it is so at every larger one
until the pair's law changes: such a pair is quiet. The coin of probability B is thrown as two, of q and of B/q; and
instead of the first coins one by one, the number of quiet pairs up to the next that falls is drawn: it is geometric,
whatever the pairs are. All others are passed over unseen.
"""

import math
from typing import NamedTuple

import numpy as np

from ...engine.methods import helper
from ...validate import choice
from ..actions import Pair, space
from ..arguments import largest, setting

__all__ = ["thompson"]

MODES = ("per_tau", "played_outcome", "naive")
PER_TAU, PLAYED, NAIVE = range(3)
EDGE = 2.0**-53  # draws are kept so far from 0 and 1
NEVER = -45.0  # log density below which a coin of 53 bits cannot fall
SHARE = 1 / 32  # q: a pair is quiet where at most so much of its law can lie beyond the threshold
MISS = math.log(1.0 - SHARE)


class ThompsonState(NamedTuple):
    """The Beta laws, each array of shape (arms, limits)."""

    successes: np.ndarray  # 1 + their number
    failures: np.ndarray  # 1 + their number
    log_beta: np.ndarray  # logarithm of the Beta function of the two
    last: np.ndarray  # (2,) the pair that was played last
    quiet: np.ndarray  # the least threshold from which on the pair is known to be quiet


class Threshold(NamedTuple):
    """A draw that others must exceed, and what of it is needed again and again."""

    x: float
    log: float  # of x
    log_rest: float  # of 1 - x


@helper
def threshold(x):
    """The draw, kept inside (0, 1)."""
    x = min(max(x, EDGE), 1.0 - EDGE)
    return Threshold(x, math.log(x), math.log(1.0 - x))


@helper
def mass_beyond(a, b, log_beta, top):
    """A bound B on the mass of Beta(a, b) beyond the threshold, and the slope g there; 1 where there is none."""
    slope = (a - 1.0) / top.x - (b - 1.0) / (1.0 - top.x)
    height = (a - 1.0) * top.log + (b - 1.0) * top.log_rest - log_beta
    if slope > -1e-3:
        return 1.0, slope
    return (0.0 if height < NEVER else math.exp(height) / -slope), slope


@helper
def beyond(a, b, slope, top, rng):
    """What Beta(a, b) draws beyond the threshold, given that the coin of probability B has fallen; else 0."""
    y = top.x + math.log(1.0 - rng.random()) / slope
    if y >= 1.0 - EDGE:
        return 0.0
    rise = (a - 1.0) * (math.log(y) - top.log) + (b - 1.0) * (math.log(1.0 - y) - top.log_rest)
    return y if rng.random() < math.exp(rise - slope * (y - top.x)) else 0.0


@helper
def passed_over(rng):
    """Number of coins of probability q before one falls."""
    return int(math.log(1.0 - rng.random()) / MISS)


class Thompson(NamedTuple):
    """Posterior sampling of the pairs: what `thompson` returns."""

    arms: int
    limits: np.ndarray  # (limits,)
    penalty: np.ndarray  # (limits,)
    lambda_max: float
    mode: int  # among MODES

    def actions(self):
        return space(self.arms, self.limits)

    def init(self, rng):
        shape = self.arms, len(self.limits)
        return ThompsonState(np.ones(shape), np.ones(shape), np.zeros(shape), np.zeros(2, np.int64), np.ones(shape))

    def select(self, state, t, rng):
        n, m = self.arms, len(self.limits)
        if t < n * m:
            return Pair(t // m, t % m)
        first = Pair(state.last[0], state.last[1])
        pair = first
        top = threshold(rng.beta(state.successes[first.arm, first.limit], state.failures[first.arm, first.limit]))
        left = passed_over(rng)
        for i in range(n):
            for j in range(m):
                coin = 1.0
                if top.x >= state.quiet[i, j]:
                    left -= 1
                    if left >= 0:
                        continue
                    left, coin = passed_over(rng), SHARE
                if i != first.arm or j != first.limit:
                    value = self.draw(state, i, j, top, coin, rng)
                    if value > top.x:
                        pair, top = Pair(i, j), threshold(value)
        return pair

    def draw(self, state, i, j, top, coin, rng):
        """A draw of a pair, of which only what exceeds the threshold is of interest: else it may be 0.

        A coin of this probability, of B or more, has fallen already.
        """
        a, b = state.successes[i, j], state.failures[i, j]
        bound, slope = mass_beyond(a, b, state.log_beta[i, j], top)
        if bound >= 1.0:
            return rng.beta(a, b)
        if bound <= SHARE:
            state.quiet[i, j] = min(state.quiet[i, j], top.x)
        return beyond(a, b, slope, top, rng) if rng.random() * coin < bound else 0.0

    def update(self, state, action, observation, t, rng):
        i, chosen = action.arm, action.limit
        state.last[0], state.last[1] = i, chosen
        for j in range(chosen if self.mode == NAIVE else 0, chosen + 1):
            judged = chosen if self.mode == PLAYED else j
            within = not observation.censored and observation.consumption <= self.limits[judged]
            gain = observation.reward - observation.cost if within else -self.penalty[judged]
            a, b = state.successes[i, j], state.failures[i, j]
            state.quiet[i, j] = 1.0
            if rng.random() < (gain + self.lambda_max) / (1.0 + self.lambda_max):  # (32)
                state.successes[i, j] += 1.0
                state.log_beta[i, j] += math.log(a / (a + b))
            else:
                state.failures[i, j] += 1.0
                state.log_beta[i, j] += math.log(b / (a + b))
        return state


def thompson(arms, limits, penalty, ts_update="per_tau", lambda_max=None):
    r"""Thompson sampling: a draw from every pair's Beta posterior, and the pair of the largest.

    It plays every pair once first, arm by arm, limits ascending. A round updates every limit up to the chosen one by a
    Bernoulli trial of its own, with the probability of Equation 32; a probability outside [0, 1], possible with large
    costs, acts as 0 or 1.

    Parameters
    ----------
    arms : int >= 1
    limits : int or array_like, shape (m,)
    penalty : array_like, shape (m,), or Curve or callable
    ts_update : {"per_tau", "played_outcome", "naive"}
        Every limit up to the chosen one by what it would have brought (Equation 32); or all by what the chosen one
        brought (no reading of the paper's text, but of its printed tables); or the chosen one alone (the ablation of
        the paper's footnote 13).
    lambda_max : float >= 0, :math:`\lambda_{\max}` of the rescaling; by default the largest penalty

    References
    ----------
    Censored consumption, Appendix E.1.

    Examples
    --------
    >>> thompson(2, [0.5, 0.9], [0.05, 9.0], ts_update="naive").mode
    2
    """
    arms, limits, penalty = setting(arms, limits, penalty)
    mode = MODES.index(choice("ts_update", ts_update, MODES))
    return Thompson(arms, limits, penalty, largest(penalty, lambda_max), mode)
