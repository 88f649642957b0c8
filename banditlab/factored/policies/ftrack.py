"""F-Track: warm up, plan the exploration that the lower bound prescribes, follow the plan."""

from typing import NamedTuple

import numpy as np

from ...arms import confidence
from ...protocol import helper
from ...validate import LARGEST, whole
from ..arguments import deviations, exploration, sizes
from ..bounds import ftrack_constants
from .fucb import MEAN, Components, forget, fresh, most_optimistic, record

WARMUP, SUCCESS, RECOVERY = 0, 1, 2
FROZEN = 4  # column of the table: mean after the warm-up
LENGTH, DONE, FOLLOWING = 0, 1, 2  # rows of the slices: rounds planned, rounds played, next unfinished slice in a ring
PHASE, CURRENT, BEFORE, RECOVERED = 0, 1, 2, 3  # places of `now`; BEFORE is the unfinished slice before the current one
ENDLESS = 2**62  # length of a slice that nothing ends


@helper
def by_mean(table, i, options, order):
    """Write the options of component i into `order` by increasing frozen mean, and return the best one.

    Equal means go by index, but the lowest best option always comes last.
    """
    best = 0
    for j in range(1, options):
        if table[i, j, FROZEN] > table[i, best, FROZEN]:
            best = j
    for j in range(options):
        place = j
        while place > 0:
            last = order[i, place - 1]
            if last != best and (j == best or table[i, j, FROZEN] >= table[i, last, FROZEN]):
                break
            order[i, place] = last
            place -= 1
        order[i, place] = j
    return best


@helper
def pack(ends, order, arms, total, vectors, slices):
    """Cut the rows vertically where an option ends; write the cuts' vectors and lengths, return their number.

    Row i holds its options in `order`, each ending at `ends`; the best option of a row never ends. The last slice
    takes what is left of `total`; where nothing bounds it, the vector of best options comes after whatever slice has
    no end.
    """
    d, start, cuts = len(arms), 0.0, 0
    at = np.zeros(d, np.int64)
    while start < total:
        end = np.inf
        for i in range(d):
            while at[i] < arms[i] - 1 and ends[i, at[i]] <= start:
                at[i] += 1
            if at[i] < arms[i] - 1:
                end = min(end, ends[i, at[i]])
        for i in range(d):
            vectors[cuts, i] = order[i, at[i]]
        slices[LENGTH, cuts] = int(min(min(end, total) - start, ENDLESS))
        cuts, start = cuts + 1, end
    if total == np.inf:
        finished = True
        for i in range(d):
            vectors[cuts, i] = order[i, arms[i] - 1]
            finished = finished and vectors[cuts - 1, i] == vectors[cuts, i]
        if not finished:
            slices[LENGTH, cuts] = ENDLESS
            cuts += 1
    return cuts


class Track(NamedTuple):
    """What F-Track remembers; everything changes in place."""

    options: Components  # running statistics, and the means after the warm-up
    vectors: np.ndarray  # (cuts, d) of the plan
    slices: np.ndarray  # (3, cuts)
    now: np.ndarray  # (4,) RECOVERED is the number of rounds played when recovery began


@helper
def advance(slices, now):
    """Count a round of the current slice and go on to the next unfinished one: the fewest rounds first, in order."""
    current, before = now[CURRENT], now[BEFORE]
    slices[DONE, current] += 1
    if slices[DONE, current] < slices[LENGTH, current]:
        before = current
    slices[FOLLOWING, before] = slices[FOLLOWING, current]  # drops the current slice from the ring if it is finished
    now[CURRENT], now[BEFORE] = slices[FOLLOWING, current], before


@helper
def violations(table, action, allowed):
    """How many of the means just updated are too far from where the warm-up left them."""
    count = 0
    for i in range(len(action)):
        j = action[i]
        if abs(table[i, j, FROZEN] - table[i, j, MEAN]) > allowed[i]:
            count += 1
    return count


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
        if state.now[PHASE] != WARMUP:
            settled = 0
            for row, k in zip(state.options.table, self.arms.tolist(), strict=True):
                settled = settled * k + int(np.argmax(row[:k, FROZEN]))
        return {"recovered": float(state.now[PHASE] == RECOVERY), "settled": float(settled)}

    def init(self, rng):
        d, cuts = len(self.arms), 2
        for i in range(d):
            cuts += self.arms[i] - 1
        vectors, slices = np.zeros((cuts, d), np.int64), np.zeros((3, cuts), np.int64)
        return Track(fresh(self.arms, 5), vectors, slices, np.zeros(4, np.int64))

    def select(self, state, t, rng):
        action, now = state.options.action, state.now
        if now[PHASE] == WARMUP:
            for i in range(len(action)):
                action[i] = t % self.arms[i]
        elif now[PHASE] == SUCCESS:
            for i in range(len(action)):
                action[i] = state.vectors[now[CURRENT], i]
        else:
            width = confidence(self.alpha, t - now[RECOVERED])
            most_optimistic(state.options.table, self.arms, self.sigma, width, action)
        return action

    def update(self, state, action, observation, t, rng):
        table, now = state.options.table, state.now
        record(table, action, observation.x)
        if now[PHASE] == SUCCESS:
            advance(state.slices, now)
            if violations(table, action, self.allowed) > 0:
                forget(table)
                now[PHASE], now[RECOVERED] = RECOVERY, t + 1
        if t + 1 == self.warmup:
            self.plan(table, state.vectors, state.slices, now)
        return state

    def plan(self, table, vectors, slices, now):
        """Freeze the means and lay out the slices: every option of a component as often as the lower bound asks for."""
        d, k = len(self.arms), self.arms.max()
        left = float(self.horizon - self.warmup)
        order, ends = np.zeros((d, k), np.int64), np.zeros((d, k))
        for i in range(d):
            for j in range(k):
                table[i, j, FROZEN] = table[i, j, MEAN]
            best, end = by_mean(table, i, self.arms[i], order), 0.0
            for q in range(self.arms[i] - 1):
                gap = table[i, best, FROZEN] - table[i, order[i, q], FROZEN]
                pulls = np.inf if gap * gap == 0.0 else np.ceil(self.lead[i] / (gap * gap))
                end += min(pulls, left) if self.truncate else pulls
                ends[i, q] = end
        cuts = pack(ends, order, self.arms, left if self.truncate else np.inf, vectors, slices)
        for s in range(cuts):
            slices[FOLLOWING, s] = s + 1 if s + 1 < cuts else 0
        now[PHASE], now[CURRENT], now[BEFORE] = SUCCESS, 0, cuts - 1


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
        Reading of the warm-up: :math:`N_0=\lceil m\lceil\sqrt{\log T}\rceil\rceil`, positive; 1 as printed, 10 in the
        authors' released notebook.
    eps_div : float
        Reading of the tolerance: :math:`N_0` times this number inside :math:`\epsilon_T`, positive; 1 as printed.
    truncate : bool
        Reading of a plan longer than the horizon: cut it, most suboptimal slices first (the authors' code); or keep
        full lengths, so that all slices and the best vector share the rounds (Algorithm 2 to the letter).

    Returns
    -------
    FTrack
        The policy.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or the warm-up does not fit into the horizon.

    Warns
    -----
    UserWarning
        If ``alpha`` is at most 2.

    References
    ----------
    Mussi, Drago, Restelli, Metelli, Factored-Reward Bandits with Intermediate Observations, ICML 2024, Algorithm 2.

    Examples
    --------
    >>> ftrack([2, 2], sigma=0.5, horizon=10_000).warmup
    8
    """
    arms, horizon = sizes(arms), whole("horizon", horizon, 3, LARGEST)
    sigma = deviations(sigma, len(arms))
    constants = [ftrack_constants(horizon, s, c=c, n0_mult=n0_mult, eps_div=eps_div) for s in sigma.tolist()]
    warmup = constants[0].n0 * int(arms.max())
    if warmup > horizon:
        raise ValueError(
            f"horizon={horizon}: the warm-up takes {warmup} rounds (n0_mult={n0_mult}, arms={arms.tolist()})"
        )
    if not isinstance(truncate, (bool, np.bool_)):
        raise TypeError(f"truncate={truncate!r}: must be True or False")
    allowed = np.array([2.0 * constant.eps for constant in constants])
    lead = np.array([constant.lead for constant in constants])
    return FTrack(arms, sigma, horizon, exploration(alpha), warmup, allowed, lead, bool(truncate))
