"""F-Track: warm up, plan the exploration that the lower bound prescribes, follow the plan."""

import math
from typing import NamedTuple

import numpy as np

from ...building_blocks.growing_arrays import sum_entries
from ...building_blocks.indices import confidence
from ...engine.methods import helper
from ...validate import LARGEST, choice, flag, refuse_unknown, whole
from ..arguments import deviations, exploration, sizes
from ..constants import ftrack_constants
from .fucb import FUCB, FUCBState, forget, fresh, most_optimistic, observe, record

__all__ = ["FTrack", "FTrackReading", "FTrackState", "Plan", "ftrack"]

WARMUP, SUCCESS, RECOVERY = 0, 1, 2  # phases
ENDLESS = 2**62  # length of a slice that nothing ends


class Plan(NamedTuple):
    """The slices of a packing, played in sweeps: each unfinished slice once, most suboptimal first."""

    vectors: np.ndarray  # (slices, d)
    lengths: np.ndarray  # (slices,) rounds
    active: np.ndarray  # (slices,) the first `left` entries are the unfinished slices, in order
    left: int
    sweep: int  # sweeps done: how often each unfinished slice was played
    slot: int  # place in `active` of the slice to play


@helper
def advanced(plan):
    """The plan after one more round; at the end of a sweep the slices that are finished leave it."""
    if plan.slot + 1 < plan.left:
        return plan._replace(slot=plan.slot + 1)
    sweep, left = plan.sweep + 1, 0
    for slot in range(plan.left):
        if plan.lengths[plan.active[slot]] > sweep:
            plan.active[left] = plan.active[slot]
            left += 1
    return plan._replace(left=left, sweep=sweep, slot=0)


@helper
def ranked(means, worst_first):
    """The options by increasing (or decreasing) mean, ties by index, but the lowest best one always last."""
    best, sign, order, filled = 0, 1.0 if worst_first else -1.0, np.zeros(len(means), np.int64), 0
    for j in range(len(means)):
        best = j if means[j] > means[best] else best
    order[-1] = best
    for j in range(len(means)):  # numba takes a second to compile numpy's sort
        if j != best:
            place = filled
            while place > 0 and sign * means[j] < sign * means[order[place - 1]]:
                order[place] = order[place - 1]
                place -= 1
            order[place] = j
            filled += 1
    return order


@helper
def packed(order, ends, arms, total):
    """The packing of Theorem 3.4 (Figure 1): cut the rows vertically where an option ends.

    Row i holds the options of component i in `order`, each up to its entry in `ends`; the last one, the best, never
    ends.  The last slice takes what is left of `total`; where nothing bounds it, the vector of best options comes
    after whatever slice has no end.
    """
    d, start, cut = len(arms), 0.0, 0
    most = 2 + sum_entries(arms) - d
    vectors, lengths, at = np.zeros((most, d), np.int64), np.zeros(most, np.int64), np.zeros(d, np.int64)
    while start < total:
        end = np.inf
        for i in range(d):
            while at[i] < arms[i] - 1 and ends[i, at[i]] <= start:
                at[i] += 1
            if at[i] < arms[i] - 1:
                end = min(end, ends[i, at[i]])
            vectors[cut, i] = order[i, at[i]]
        lengths[cut] = int(min(min(end, total) - start, ENDLESS))
        cut, start = cut + 1, end
    if total == np.inf:
        finished = True
        for i in range(d):
            vectors[cut, i] = order[i, arms[i] - 1]
            finished = finished and vectors[cut - 1, i] == vectors[cut, i]
        if not finished:
            lengths[cut] = ENDLESS
            cut += 1
    return Plan(vectors, lengths, np.arange(cut), cut, 0, 0)


class FTrackState(NamedTuple):
    """What F-Track remembers."""

    options: FUCBState  # running statistics, warm-up included; what its radii need in recovery only
    frozen: np.ndarray  # (d, kmax) means after the warm-up
    plan: Plan
    phase: int
    start: int  # the round from which recovery counts its own


@helper
def widen(options, arms):
    """What the radii need, of all that was observed."""
    for i in range(len(arms)):
        for j in range(arms[i]):
            options.roots[i, j] = math.sqrt(1.0 / options.pulls[i, j])


@helper
def strays(means, frozen, action, allowed):
    """Whether a mean just updated is too far from where the warm-up left it (line 9; the others have not moved)."""
    found = False
    for i in range(len(action)):
        found = found or abs(frozen[i, action[i]] - means[i, action[i]]) > allowed[i]
    return found


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
    worst_first: bool
    keep: bool  # recovery keeps data and clock

    shows = "rounds of exploration still planned", "", "mean"

    actions = FUCB.actions

    def diagnostics(self, world, state):
        """Whether the run recovered, and the number of the vector it settled for (-1 before there is a plan)."""
        settled = -1
        if state.phase != WARMUP:
            settled = 0
            for row, k in zip(state.frozen, self.arms.tolist(), strict=True):
                settled = settled * k + int(np.argmax(row[:k]))
        return {"recovered": float(state.phase == RECOVERY), "settled": float(settled)}

    def init(self, rng):
        d = len(self.arms)
        none = Plan(np.zeros((0, d), np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64), 0, 0, 0)
        options = fresh(self.arms)
        return FTrackState(options, np.zeros(options.pulls.shape), none, WARMUP, 0)

    def select(self, state, t, rng):
        if state.phase == RECOVERY:  # line 12
            return most_optimistic(state.options, self.arms, self.sigma, confidence(self.alpha, t - state.start))
        action = state.options.action
        for i in range(len(action)):
            if state.phase == WARMUP:
                action[i] = t % self.arms[i]  # line 3
            else:
                action[i] = state.plan.vectors[state.plan.active[state.plan.slot], i]  # line 10
        return action

    def indices(self, state, t):
        shown, plan, first = np.full((3, sum_entries(self.arms)), np.nan), state.plan, 0
        for i in range(len(self.arms)):
            best = state.frozen[i, : self.arms[i]].argmax()
            for j in range(self.arms[i]):
                shown[2, first + j] = state.options.means[i, j]
                if state.phase == SUCCESS and j != best:
                    shown[0, first + j] = 0.0
            for slot in range(plan.left if state.phase == SUCCESS else 0):
                cut = plan.active[slot]
                if plan.vectors[cut, i] != best:
                    shown[0, first + plan.vectors[cut, i]] += plan.lengths[cut] - plan.sweep - (slot < plan.slot)
            first += self.arms[i]
        return shown

    def update(self, state, action, observation, t, rng):
        plan, phase, start = state.plan, state.phase, state.start
        if phase == RECOVERY:
            record(state.options, action, observation.x)
        else:
            for i in range(len(action)):
                observe(state.options, i, action[i], observation.x[i])
        if phase == SUCCESS:
            plan = advanced(plan)
            if strays(state.options.means, state.frozen, action, self.allowed):  # line 9
                phase = RECOVERY
                if self.keep:
                    widen(state.options, self.arms)
                else:  # line 12: "discard all data"
                    forget(state.options)
                    start = t + 1
        if t + 1 == self.warmup:  # lines 5 to 8
            plan, phase = self.prepare(state.options.means, state.frozen), SUCCESS
        return FTrackState(state.options, state.frozen, plan, phase, start)

    def prepare(self, means, frozen):
        """Freeze the means, and lay out every option as often as the lower bound asks for."""
        order, ends = np.zeros(means.shape, np.int64), np.zeros(means.shape)
        left = float(self.horizon - self.warmup)
        for i in range(len(self.arms)):
            for j in range(means.shape[1]):
                frozen[i, j] = means[i, j]
            row, end = ranked(frozen[i, : self.arms[i]], self.worst_first), 0.0
            best = frozen[i, row[-1]]
            for q in range(len(row)):
                order[i, q] = row[q]
                gap = best - frozen[i, row[q]]  # line 6
                pulls = np.inf if gap * gap == 0.0 else np.ceil(self.lead[i] / (gap * gap))  # line 7
                end += min(pulls, left) if self.truncate else pulls
                ends[i, q] = end
        return packed(order, ends, self.arms, left if self.truncate else np.inf)  # line 8, by Theorem 3.4


class FTrackReading(NamedTuple):
    r"""What text and code of the paper leave open, as options of `ftrack` by name.

    Parameters
    ----------
    n0_mult : float > 0
        The warm-up: :math:`N_0=\lceil m\lceil\sqrt{\log T}\rceil\rceil`; 1 as printed, 10 in the authors'
        released notebook, 3 (with ``eps_div=6``) in a later version.
    eps_div : float > 0
        The tolerance: :math:`N_0` times this number inside :math:`\epsilon_T`; 1 as printed.
    truncate : bool
        A plan longer than the horizon: cut it, most suboptimal slices first (the authors' code); or keep full lengths,
        so that all slices and the best vector share the rounds (Algorithm 2 to the letter).
    rows : {"worst", "best"}
        The packing's rows: worst option leftmost (Theorem 3.4), or the least suboptimal one (the authors' code, which
        sorts by decreasing :math:`\hat N_{i,j}`); the same where components have two options.
    recovery : {"fresh", "keep"}
        The recovery: F-UCB without data, its clock at 1 (line 12), or with all data and the clock of the run (the
        authors' code).
    """

    n0_mult: float = 1.0
    eps_div: float = 1.0
    truncate: bool = True
    rows: str = "worst"
    recovery: str = "fresh"


def ftrack(arms, sigma, horizon, c=2.5, alpha=4.0, **reading):
    r"""F-Track: sample every option :math:`N_0` times, then follow the packing of Theorem 3.4 at the estimated means.

    Parameters
    ----------
    arms : sequence of d ints >= 1, number of options of each component
    sigma : float > 0 or array_like, shape (d,), subgaussian proxy of an observation's noise
    horizon : int >= 3, number of rounds T, at least the length of the warm-up
    c : float > 0, constant of :math:`f_T`; 2.5 is the authors' code, "about 2" the proof
    alpha : float > 0, exploration of F-UCB in recovery; at most 2 warns
    **reading
        What the paper leaves open, the fields of `FTrackReading`: ``n0_mult=1.0``, ``eps_div=1.0``, ``truncate=True``,
        ``rows="worst"``, ``recovery="fresh"``.

    Returns
    -------
    FTrack

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
    refuse_unknown(reading, FTrackReading._fields)
    reading = FTrackReading(**reading)
    n0, eps, lead = ftrack_constants(horizon, sigma, c, reading.n0_mult, reading.eps_div)
    warmup = n0 * int(arms.max())
    if warmup > horizon:
        raise ValueError(
            f"horizon={horizon}: the warm-up takes {warmup} rounds (n0_mult={reading.n0_mult}, arms={arms.tolist()})"
        )
    truncate, alpha = flag("truncate", reading.truncate), exploration(alpha)
    worst_first = choice("rows", reading.rows, ("worst", "best")) == "worst"
    keep = choice("recovery", reading.recovery, ("fresh", "keep")) == "keep"
    return FTrack(arms, sigma, horizon, alpha, warmup, 2.0 * eps, lead, truncate, worst_first, keep)
