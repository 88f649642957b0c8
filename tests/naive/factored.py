"""Slow, literal twins of the algorithms and bounds of factored-reward bandits, against which the fast ones are held.

Mussi, Drago, Restelli, Metelli, "Factored-Reward Bandits with Intermediate Observations", ICML 2024, and its baselines.
Every twin keeps its history and computes its indices from it in each round. `ks` lists the number of options of each
component, `select()` gives the action vector of the next round, `update(action, x, r)` tells what it brought. Rounds
count from 1, options from 0; an option that was never played has index +inf; the lowest index wins a tie.
"""

import itertools
import math
import statistics
from collections import Counter

from scipy.integrate import quad
from scipy.optimize import linprog


def per_component(sigma, d):
    return [float(s) for s in sigma] if hasattr(sigma, "__len__") else [float(sigma)] * d


def first_argmax(values):
    return values.index(max(values))


def all_vectors(ks):
    return list(itertools.product(*(range(k) for k in ks)))


def mean(values):
    return sum(values) / len(values)


class FUCB:
    """Algorithm 1: one optimistic index per option, one argmax per component."""

    def __init__(self, ks, sigma, alpha=4.0):
        self.sigma = per_component(sigma, len(ks))
        self.alpha = alpha
        self.t = 1
        self.seen = [[[] for _ in range(k)] for k in ks]

    def index(self, i, j):
        seen = self.seen[i][j]
        if not seen:
            return math.inf
        return mean(seen) + self.sigma[i] * math.sqrt(self.alpha * math.log(self.t) / len(seen))

    def select(self):
        return [first_argmax([self.index(i, j) for j in range(len(row))]) for i, row in enumerate(self.seen)]

    def update(self, action, x, r):
        for row, j, value in zip(self.seen, action, x, strict=True):
            row[j].append(float(value))
        self.t += 1


class TogetherFUCB:
    """F-UCB, but once an option that is not the best so far is due, every component explores more widely."""

    def __init__(self, ks, sigma, alpha=4.0, slack=1.0):
        self.calm, self.eager = FUCB(ks, sigma, alpha), FUCB(ks, sigma, alpha * (1 + slack))

    def select(self):
        action = self.calm.select()
        for i, j in enumerate(action):
            means = [mean(seen) if seen else 0.0 for seen in self.calm.seen[i]]
            if means[j] < max(means):
                return self.eager.select()
        return action

    def update(self, action, x, r):
        self.calm.update(action, x, r)
        self.eager.update(action, x, r)


class PricedFUCB:
    """Appendix A: F-UCB for the reward scale * prod(multiplier * x) - sum(cost), by trying every vector."""

    def __init__(self, ks, sigma, multipliers, costs, scale, alpha=4.0, cap=False):
        self.ks = ks
        self.multipliers = multipliers
        self.costs = costs
        self.scale = scale
        self.cap = cap
        self.fucb = FUCB(ks, sigma, alpha)

    def value(self, action):
        """V_t(action) of the coming round, once every option has been played."""
        indices = [max(self.fucb.index(i, j), 0.0) for i, j in enumerate(action)]
        if self.cap:
            indices = [min(u, 1.0) for u in indices]
        return priced(indices, action, self.multipliers, self.costs, self.scale)

    def select(self):
        t = self.fucb.t
        if t <= max(self.ks):
            return [(t - 1) % k for k in self.ks]
        return list(max(all_vectors(self.ks), key=self.value))

    def update(self, action, x, r):
        self.fucb.update(action, x, r)


class FTrack:
    """Algorithm 2: warm-up, a plan made once from the warm-up means, recovery by a fresh F-UCB."""

    def __init__(
        self, ks, sigma, horizon, c=2.5, alpha=4.0, n0_mult=1.0, eps_div=1.0, truncate=True, rows="worst",
        recovery="fresh",
    ):  # fmt: skip
        def f(delta):
            return (1 + 1 / log_t) * (c * math.log(log_t) + math.log(1 / delta))

        log_t = math.log(horizon)
        self.ks, self.horizon, self.truncate = ks, horizon, truncate
        self.n0 = math.ceil(n0_mult * math.ceil(math.sqrt(log_t)))
        self.warmup = self.n0 * max(ks)
        sigmas = per_component(sigma, len(ks))
        self.eps = [math.sqrt(2 * s * s * f(1 / log_t) / (self.n0 * eps_div)) for s in sigmas]
        self.wanted = [2 * s * s * f(1 / horizon) for s in sigmas]
        self.rows = rows
        self.fucb = FUCB(ks, sigma, alpha)  # of the recovery: fed from the start if it keeps the data
        self.keep = recovery == "keep"
        self.seen = [[[] for _ in range(k)] for k in ks]
        self.played = []
        self.plan = []
        self.recovered = False

    def select(self):
        if self.recovered:
            return self.fucb.select()
        t = len(self.played) + 1
        if t <= self.warmup:
            return [(t - 1) % k for k in self.ks]
        means = [[mean(seen) for seen in row] for row in self.seen]
        if not self.plan:
            self.means0 = means
            self.plan = ftrack_plan(means, self.wanted, self.horizon - self.warmup, self.truncate, self.rows)
        rows = zip(self.means0, means, self.eps, strict=True)
        if any(abs(m0 - m) > 2 * eps for row0, row, eps in rows for m0, m in zip(row0, row, strict=True)):
            self.recovered = True
            return self.fucb.select()
        pulls = Counter(self.played[self.warmup :])
        unfinished = [vector for length, vector in self.plan if pulls[vector] < length]
        return list(min(unfinished, key=lambda vector: pulls[vector]))

    def update(self, action, x, r):
        if self.recovered or self.keep:
            self.fucb.update(action, x, r)
        if self.recovered:
            return
        for row, j, value in zip(self.seen, action, x, strict=True):
            row[j].append(float(value))
        self.played.append(tuple(int(j) for j in action))


def ftrack_plan(means0, wanted, rounds, truncate, order="worst"):
    """Slices (length, vector) of F-Track; wanted[i] / gap^2 samples per option, no more than `rounds` if truncated."""
    sign = 1 if order == "worst" else -1
    limit = rounds if truncate else math.inf
    lengths, best, tail = [], [], []
    for row, want in zip(means0, wanted, strict=True):
        squares = [(max(row) - m) * (max(row) - m) for m in row]
        ratios = [want / square if square > 0 else math.inf for square in squares]
        lengths.append([limit if ratio >= limit else math.ceil(ratio) for ratio in ratios])
        best.append(first_argmax(row))
        endless = [j for j, length in enumerate(lengths[-1]) if length == math.inf and j != best[-1]]
        tail.append(min(endless, key=lambda j, row=row: sign * row[j], default=best[-1]))
    slices = plan_by_packing(means0, lengths, sign)
    if not truncate:
        return slices + [(math.inf, vector) for vector in dict.fromkeys([tuple(tail), tuple(best)])]
    plan = []
    for length, vector in [*slices, (rounds, tuple(best))]:
        left = rounds - sum(done for done, _ in plan)
        if left > 0:
            plan.append((min(length, left), vector))
    return plan


def plan_by_packing(means0, lengths, sign=1):
    """Slices (length, vector) of Theorem 3.4 (Figure 1): a row per component, worst options leftmost, cut vertically.

    With sign -1 the least suboptimal option is leftmost.

    The lowest best option of each component goes on for ever, whatever its entry in `lengths`; the endless slice that
    remains when all other options have ended is left out.
    """
    rows = []
    for row, row_lengths in zip(means0, lengths, strict=True):
        best = first_argmax(list(row))
        intervals, end = [], 0
        for j in sorted((j for j in range(len(row)) if j != best), key=lambda j, row=row: (sign * row[j], j)):
            end = end + row_lengths[j]
            intervals.append((end, j))
        rows.append([*intervals, (math.inf, best)])
    cuts = sorted(end for row in rows for end, _ in row if end < math.inf)
    slices, previous = [], 0
    for cut in cuts:
        if cut - previous > 1e-12 * cut:  # closer breakpoints differ by rounding only
            slices.append((cut - previous, tuple(next(j for end, j in row if end >= cut) for row in rows)))
            previous = cut
    return slices


class UCB1:
    """UCB1 on the product space; sees the reward only."""

    def __init__(self, ks, sigma, alpha=4.0, scale="observation", action_set="all"):
        sigmas = per_component(sigma, len(ks))
        self.scale = {
            "observation": max(sigmas),
            "reward_std": math.sqrt(math.prod(1 + s * s for s in sigmas) - 1),
        }[scale]
        self.alpha = alpha
        self.arms = all_vectors(ks)[: {"all": None, "first_dk": sum(ks)}[action_set]]
        self.rewards = {arm: [] for arm in self.arms}
        self.t = 1

    def index(self, arm):
        rewards = self.rewards[arm]
        if not rewards:
            return math.inf
        return mean(rewards) + self.scale * math.sqrt(self.alpha * math.log(self.t) / len(rewards))

    def select(self):
        return list(max(self.arms, key=self.index))

    def update(self, action, x, r):
        self.rewards[tuple(int(j) for j in action)].append(float(r))
        self.t += 1


def median_of_means(rewards, t):
    """Median of the means of floor(min(1 + 16 log t, n / 2)) blocks, at least one, in order of arrival."""
    n = len(rewards)
    blocks = max(1, math.floor(min(1 + 16 * math.log(t), n / 2)))
    width = n // blocks
    return statistics.median(mean(rewards[b * width : (b + 1) * width]) for b in range(blocks))


class RUCBMoM:
    """Robust-UCB with the median of means (epsilon = 1) on the product space; sees the reward only."""

    def __init__(self, ks, v, mult=1.0, action_set="all"):
        self.v = v
        self.mult = mult
        self.rewards = {arm: [] for arm in all_vectors(ks)[: {"all": None, "first_dk": sum(ks)}[action_set]]}
        self.t = 1

    def index(self, arm):
        rewards = self.rewards[arm]
        if not rewards:
            return math.inf
        radius = math.sqrt(384 * self.v * (math.log(self.t) + 1 / 16) / len(rewards))
        return median_of_means(rewards, self.t) + self.mult * radius

    def select(self):
        return list(max(self.rewards, key=self.index))

    def update(self, action, x, r):
        self.rewards[tuple(int(j) for j in action)].append(float(r))
        self.t += 1


def growth(t):
    """f of TEA."""
    return (t + 1) * math.log(t + 1) ** 2


def active_set(N, D, K, delta, B, noise_scale, where="inside"):
    """(active options, new B), both ascending, of one component with pair counts N and reward differences D."""
    options = list(range(K))
    if any(N[i][j] == 0 for i in options for j in options if i != j):
        return options, B

    def lower(i, j):
        grown = 2 * K * growth(N[j][i])
        log = math.log(grown / delta) if where == "inside" else math.log(grown) / delta
        radius = math.sqrt(12 * log / N[j][i])
        return D[j][i] / N[j][i] - noise_scale * radius

    active = [i for i in options if all(lower(i, j) <= 0 for j in options if j != i)] or options
    return active, [j for j in B if j in active] or active


class TEA:
    """Zimmert and Seldin (2018): temporary elimination in each component; sees the reward only, block by block.

    A component draws one uniform number u per slot: the option goes into free slot int(u * free slots), in ascending
    order of the free slots; first each active option, then the options of B over and over until no slot is free.
    """

    def __init__(self, ks, noise_scale=1.0, delta="inside", *, rng):
        self.ks, self.noise_scale, self.where, self.rng = ks, noise_scale, delta, rng
        self.N = [[[0] * k for _ in range(k)] for k in ks]
        self.D = [[[0.0] * k for _ in range(k)] for k in ks]
        self.B = [list(range(k)) for k in ks]
        self.t = 1
        self.block, self.rewards = [], []

    def begin_block(self):
        delta = 1 / growth(self.t)
        tems = zip(self.N, self.D, self.ks, self.B, strict=True)
        sets = [active_set(N, D, K, delta, B, self.noise_scale, self.where) for N, D, K, B in tems]
        self.active = [active for active, _ in sets]
        self.B = [B for _, B in sets]
        slots = max(len(active) for active in self.active)
        self.block = list(zip(*(self.schedule(active, B, slots) for active, B in sets), strict=True))
        self.rewards = []

    def schedule(self, active, B, slots):
        chosen = [None] * slots
        for option in itertools.islice(itertools.chain(active, itertools.cycle(B)), slots):
            free = [slot for slot in range(slots) if chosen[slot] is None]
            chosen[free[int(self.rng.random() * len(free))]] = option
        return chosen

    def select(self):
        if len(self.rewards) == len(self.block):
            self.begin_block()
        return list(self.block[len(self.rewards)])

    def update(self, action, x, r):
        self.rewards.append(float(r))
        self.t += 1
        if len(self.rewards) == len(self.block):
            for i, active in enumerate(self.active):
                self.learn(i, active)

    def learn(self, i, active):
        won = {j: [r for a, r in zip(self.block, self.rewards, strict=True) if a[i] == j] for j in active}
        for j, other in itertools.permutations(active, 2):
            m = min(len(won[j]), len(won[other]))
            self.D[i][j][other] += m * (mean(won[j]) - mean(won[other]))
            self.N[i][j][other] += m


def vector_gap(means, action):
    return math.prod(max(row) for row in means) - math.prod(row[j] for row, j in zip(means, action, strict=True))


def suboptimal_options(means, sigma):
    """(component, option, sigma of the component, gap) of every option with a positive gap."""
    sigmas = per_component(sigma, len(means))
    return [(i, j, sigmas[i], max(row) - m) for i, row in enumerate(means) for j, m in enumerate(row) if m < max(row)]


def lower_bound_lp(means, sigma):
    """C(nu) of Theorem 3.3 by a linear program over all suboptimal vectors."""
    best = tuple(first_argmax(list(row)) for row in means)
    vectors = [a for a in all_vectors([len(row) for row in means]) if a != best]
    options = suboptimal_options(means, sigma)
    if not options:
        return 0.0
    return linprog(
        [vector_gap(means, a) for a in vectors],
        A_ub=[[-float(a[i] == j) for a in vectors] for i, j, _, _ in options],
        b_ub=[-2 * s * s / gap**2 for _, _, s, gap in options],
        method="highs",
    ).fun


def g2(alpha):
    """g of Theorem 4.2, twice that of Theorem 4.1."""
    b = (alpha + 2) / (alpha - 2)
    return 2 * (b + b * b / math.log((alpha + 2) / 4))


def upper_bound_lp(means, sigma, alpha, T):
    """Theorem 4.2 by a linear program over all vectors."""
    vectors = all_vectors([len(row) for row in means])
    options = suboptimal_options(means, sigma)
    if not options:
        return 0.0
    return -linprog(
        [-vector_gap(means, a) for a in vectors],
        A_ub=[[float(a[i] == j) for a in vectors] for i, j, _, _ in options],
        b_ub=[4 * alpha * s * s * math.log(T) / gap**2 + g2(alpha) for _, _, s, gap in options],
        A_eq=[[1.0] * len(vectors)],
        b_eq=[T],
        method="highs",
    ).fun


def expected_reward_correlated(mu, s, rho, action):
    """Expected product of mu + s * (rho * eta + (1 - rho) * eps) (Appendix E.3), integrated over the shared eta."""

    def integrand(eta):
        density = math.exp(-eta * eta / 2) / math.sqrt(2 * math.pi)
        return density * math.prod(mu[i][j] + rho * s[i][j] * eta for i, j in enumerate(action))

    return quad(integrand, -math.inf, math.inf, epsabs=1e-13, epsrel=1e-12, limit=500)[0]


def priced(factors, action, multipliers, costs, scale):
    """scale * prod(multiplier * factor) - sum(cost) of a vector."""
    product = math.prod(multipliers[i][j] * factors[i] for i, j in enumerate(action))
    return scale * product - sum(costs[i][j] for i, j in enumerate(action))


def best_vector(means, multipliers, costs, scale):
    """The first vector of greatest expected priced reward."""

    def value(action):
        return priced([means[i][j] for i, j in enumerate(action)], action, multipliers, costs, scale)

    return list(max(all_vectors([len(row) for row in means]), key=value))
