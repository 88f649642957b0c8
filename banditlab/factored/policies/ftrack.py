"""F-Track: warm up, plan the exploration that the lower bound prescribes, follow the plan."""

import math
from typing import NamedTuple

import numpy as np

from ...classic import confidence
from ...protocol import helper
from ...validate import number, whole
from ..arguments import deviations, sizes
from ..bounds import ftrack_constants
from .fucb import Components, fresh, most_optimistic, record

WARMUP, SUCCESS, RECOVERY = 0, 1, 2


@helper
def by_mean(means, options, order):
    """Write the options into `order` by increasing mean; equal means by index, but the lowest best option comes last."""
    best = 0
    for j in range(1, options):
        if means[j] > means[best]:
            best = j
    for j in range(options):
        place = j
        while place > 0 and (order[place - 1] == best or (j != best and means[j] < means[order[place - 1]])):
            order[place] = order[place - 1]
            place -= 1
        order[place] = j
    return best


@helper
def pack(ends, order, arms, total, vectors, lengths):
    """Cut the rows vertically where an option ends; write the slices' vectors and lengths, return their number.

    Row i holds its options in `order`, each ending at `ends`; the best option of a row never ends. The last slice takes what
    is left of `total`; where nothing bounds it, the vector of best options comes after whatever slice has no end.
    """
    d, start, slices = len(arms), 0.0, 0
    at = np.zeros(d, np.int64)
    while start < total:
        end = np.inf
        for i in range(d):
            while at[i] < arms[i] - 1 and ends[i, at[i]] <= start:
                at[i] += 1
            if at[i] < arms[i] - 1:
                end = min(end, ends[i, at[i]])
        for i in range(d):
            vectors[slices, i] = order[i, at[i]]
        lengths[slices] = min(end, total) - start
        slices, start = slices + 1, end
    if total == np.inf:
        last = slices - 1
        for i in range(d):
            vectors[slices, i] = order[i, arms[i] - 1]
            if vectors[last, i] != vectors[slices, i]:
                lengths[slices] = np.inf
        slices += 1 if lengths[slices] == np.inf else 0
    return slices


class Track(NamedTuple):
    """What F-Track remembers."""

    now: Components  # running statistics
    frozen: np.ndarray  # (d, kmax) means after the warm-up
    vectors: np.ndarray  # (slices, d) of the plan
    counts: np.ndarray  # (2, slices) length and pulls
    following: np.ndarray  # (slices,) the unfinished slice after this one, in a ring
    phase: int
    before: int  # the unfinished slice before the current one
    current: int
    start: int  # rounds played when recovery began


class FTrack(NamedTuple):
    """Algorithm 2: what `ftrack` returns."""

    arms: np.ndarray  # (d,)
    sigma: np.ndarray  # (d,)
    horizon: int
    alpha: float  # of F-UCB in recovery
    warmup: int  # rounds T_w
    allowed: np.ndarray  # (d,) 2 epsilon_T, the deviation that still counts as success
    lead: np.ndarray  # (d,) 2 sigma^2 f_T(1/T): pulls of an option times its squared gap
    truncate: bool

    def actions(self):
        return tuple(self.arms.tolist())

    def tally(self, world, state):
        """Whether the run recovered, and the number of the vector it settled for (-1 before there is a plan)."""
        settled = -1
        if state.phase != WARMUP:
            best = [np.argmax(state.frozen[i, :k]) for i, k in enumerate(self.arms)]
            settled = np.ravel_multi_index(best, self.arms)
        return {"recovered": float(state.phase == RECOVERY), "settled": float(settled)}

    def begin(self, rng):
        d, k = len(self.arms), self.arms.max()
        slices = 2
        for i in range(d):
            slices += self.arms[i] - 1
        vectors, ring = np.zeros((slices, d), np.int64), np.zeros(slices, np.int64)
        return Track(fresh(self.arms), np.zeros((d, k)), vectors, np.zeros((2, slices)), ring, WARMUP, 0, 0, 0)

    def select(self, state, t, rng):
        if state.phase == WARMUP:
            for i in range(len(self.arms)):
                state.now.action[i] = t % self.arms[i]
            return state.now.action
        if state.phase == RECOVERY:
            return most_optimistic(state.now, self.arms, self.sigma, confidence(self.alpha, t - state.start))
        for i in range(len(self.arms)):
            state.now.action[i] = state.vectors[state.current, i]
        return state.now.action

    def update(self, state, action, seen, t, rng):
        now = record(state.now, action, seen.x)
        if state.phase == SUCCESS:
            return self.advance(state, action, t)
        if state.phase == WARMUP and t + 1 == self.warmup:
            return self.plan(state)
        return Track(now, state.frozen, state.vectors, state.counts, state.following, state.phase, 0, 0, state.start)

    def plan(self, state):
        """Freeze the means and lay out the slices: every option of a component as often as the lower bound asks for."""
        d, k = len(self.arms), self.arms.max()
        left = float(self.horizon - self.warmup)
        order, ends = np.zeros((d, k), np.int64), np.zeros((d, k))
        for i in range(d):
            for j in range(k):
                state.frozen[i, j] = state.now.means[i, j]
            best, end = by_mean(state.frozen[i], self.arms[i], order[i]), 0.0
            for q in range(self.arms[i] - 1):
                gap = state.frozen[i, best] - state.frozen[i, order[i, q]]
                # Divided last and only if the gap is not 0: compiled code raises where the quotient would be infinite.
                pulls = np.inf if gap * gap == 0.0 else math.ceil(self.lead[i] / (gap * gap))
                end += min(pulls, left) if self.truncate else pulls
                ends[i, q] = end
        slices = pack(ends, order, self.arms, left if self.truncate else np.inf, state.vectors, state.counts[0])
        for s in range(slices):
            state.following[s] = (s + 1) % slices
        return Track(state.now, state.frozen, state.vectors, state.counts, state.following, SUCCESS, slices - 1, 0, 0)

    def advance(self, state, action, t):
        """Count the pull, go on to the next unfinished slice; recover if a mean has moved too far."""
        for i in range(len(action)):
            if abs(state.frozen[i, action[i]] - state.now.means[i, action[i]]) > self.allowed[i]:
                now = fresh(self.arms)
                return Track(now, state.frozen, state.vectors, state.counts, state.following, RECOVERY, 0, 0, t + 1)
        current, before = state.current, state.before
        state.counts[1, current] += 1.0
        if state.counts[1, current] < state.counts[0, current]:
            before = current
        else:
            state.following[before] = state.following[current]
        following = state.following[current]
        return Track(
            state.now, state.frozen, state.vectors, state.counts, state.following, SUCCESS, before, following, state.start
        )


def ftrack(arms, sigma, horizon, c=2.5, alpha=4.0, n0_mult=1.0, eps_div=1.0, truncate=True):
    r"""F-Track: sample every option :math:`N_0` times, then follow the packing of Theorem 3.4 at the estimated means.

    Parameters
    ----------
    arms : sequence of int, shape (d,)
        Number of options of each component, at least 1.
    sigma : float or array_like, shape (d,)
        Subgaussian proxy of an observation's noise, positive.
    horizon : int
        Number of rounds T, at least 3 and at least the length of the warm-up.
    c : float
        Constant of :math:`f_T`, positive; 2.5 is the authors' code, "about 2" the proof.
    alpha : float
        Exploration of F-UCB in recovery, positive.
    n0_mult : float
        Reading of the warm-up: :math:`N_0=\lceil m\lceil\sqrt{\log T}\rceil\rceil`, positive; 1 as printed, 10 in the authors'
        released notebook.
    eps_div : float
        Reading of the tolerance: :math:`N_0` times this number inside :math:`\epsilon_T`, positive; 1 as printed.
    truncate : bool
        Reading of a plan longer than the horizon: cut it, most suboptimal slices first (the authors' code); or keep full
        lengths, so that all slices and the best vector share the rounds (Algorithm 2 to the letter).

    Returns
    -------
    FTrack
        The policy.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or the warm-up does not fit into the horizon.

    References
    ----------
    Mussi, Drago, Restelli, Metelli, Factored-Reward Bandits with Intermediate Observations, ICML 2024, Algorithm 2.

    Examples
    --------
    >>> ftrack([2, 2], sigma=0.5, horizon=10_000).warmup
    8
    """
    arms, horizon = sizes(arms), whole("horizon", horizon, 3)
    sigma = deviations(sigma, len(arms))
    constants = [ftrack_constants(horizon, s, c=c, n0_mult=n0_mult, eps_div=eps_div) for s in sigma.tolist()]
    warmup = constants[0].n0 * int(arms.max())
    if warmup > horizon:
        raise ValueError(f"horizon={horizon}: the warm-up takes {warmup} rounds (n0_mult={n0_mult}, arms={arms.tolist()})")
    if not isinstance(truncate, (bool, np.bool_)):
        raise TypeError(f"truncate={truncate!r}: must be True or False")
    allowed = np.array([2.0 * constant.eps for constant in constants])
    lead = np.array([constant.lead for constant in constants])
    return FTrack(arms, sigma, horizon, number("alpha", alpha, above=0), warmup, allowed, lead, bool(truncate))
