"""Slow, literal twins of the algorithms, tables and bounds of bandits with censored consumption of resources.

Bengs, Hüllermeier, "Multi-Armed Bandits with Censored Consumption of Resources", Machine Learning 2023. Every twin
keeps its history and computes its indices from it in each round. `select()` gives (arm, number of the limit), or (arm,
limit) for z-RCUCB; `update(action, (reward, consumption, censored))` tells what it brought; of a censored round reward
and consumption are never looked at. Rounds count from 1, arms and limits from 0. The lowest arm wins a tie, then its
lowest limit; with `rng`, RCUCB and UCB draw among the n tied pairs, in that order, the one of number
int(n * rng.random()), and draw nothing if n = 1.
"""

import itertools
import math

import numpy as np
from scipy.integrate import dblquad, quad
from scipy.stats import beta, expon


def synthetic_cost(x):
    return x / 10


def step_penalty(threshold=0.5, slope=10.0, cost=synthetic_cost):
    """cost(x) up to the threshold, slope * x above it; a point within 1e-9 of the threshold is on the cheap side."""
    return lambda x: cost(x) if x <= threshold + 1e-9 else slope * x


def best_pair(pairs, index, rng=None):
    """The pair of the largest index."""
    values = [index(*pair) for pair in pairs]
    tied = [pair for pair, value in zip(pairs, values, strict=True) if value == max(values)]
    return tied[int(len(tied) * rng.random())] if rng is not None and len(tied) > 1 else tied[0]


def total(values):
    """Sum in the given order, rounded after every addition as a running total is."""
    result = 0.0
    for value in values:
        result += value
    return result


class Statistics:
    """What definitions (8) and (9) say about an arm and a limit tau, from all rounds (arm, limit, outcome)."""

    def __init__(self, cost):
        self.cost, self.rounds = cost, []

    def of(self, arm):
        return [(limit, outcome) for played, limit, outcome in self.rounds if played == arm]

    def N0(self, arm):
        return len(self.of(arm))

    def N(self, arm, tau):
        return sum(limit >= tau for limit, _ in self.of(arm))

    def pulls(self, arm, tau):
        return sum(limit == tau for limit, _ in self.of(arm))

    def G(self, arm, tau):
        """Gains of the rounds with a limit of at least tau that consumed at most tau."""
        within = [(r, c) for limit, (r, c, censored) in self.of(arm) if limit >= tau and not censored and c <= tau]
        return total(r - self.cost(c) for r, c in within)

    def K(self, arm, tau):
        """Rounds with a limit of at least tau that consumed more than tau."""
        return sum(limit >= tau and (censored or c > tau) for limit, (_, c, censored) in self.of(arm))

    def survival(self, arm, tau, reading):
        if reading == "consistent":
            return self.K(arm, tau) / self.N(arm, tau)
        if reading == "known_only":
            return self.K(arm, tau) / self.N0(arm)
        if reading == "oracle":  # the outcome of a censored round tells its consumption
            return sum(c > tau for _, (_, c, _) in self.of(arm)) / self.N0(arm)
        return sum(censored or c > tau for _, (_, c, censored) in self.of(arm)) / self.N0(arm)


class RCUCB:
    """Section 4.1; survival `consistent`, `carry_up`, `known_only`, `oracle`; width as printed, or two others."""

    def __init__(
        self, arms, grid, cost, penalty, alpha=1.0, survival="consistent", width="printed", lambda_max=None, rng=None
    ):
        self.arms, self.grid, self.penalty, self.alpha, self.rng = arms, list(grid), penalty, alpha, rng
        self.survival, self.width = survival, width
        self.lambda_max = penalty(self.grid[-1]) if lambda_max is None else lambda_max
        self.statistics = Statistics(cost)

    def estimate(self, arm, number):
        tau, seen = self.grid[number], self.statistics
        return seen.G(arm, tau) / seen.N(arm, tau) - self.penalty(tau) * seen.survival(arm, tau, self.survival)

    def radius(self, arm, number):
        tau, seen = self.grid[number], self.statistics
        factor = {
            "printed": self.penalty(tau),
            "gain_only": 0.0,
            "normalised": self.penalty(tau) / (1 + self.lambda_max),
        }[self.width]
        numerator = 2 * self.alpha * math.log(len(seen.rounds) + 1)
        return math.sqrt(numerator / seen.N(arm, tau)) + factor * math.sqrt(numerator / seen.N0(arm))

    def index(self, arm, number):
        return self.estimate(arm, number) + self.radius(arm, number)

    def select(self):
        played = len(self.statistics.rounds)
        if played < self.arms:
            return played, len(self.grid) - 1
        return best_pair(all_pairs(self.arms, self.grid), self.index, self.rng)

    def update(self, action, outcome):
        arm, number = action
        self.statistics.rounds.append((arm, self.grid[number], outcome))


def all_pairs(arms, grid):
    """Arms outside, limits inside, ascending."""
    return list(itertools.product(range(arms), range(len(grid))))


class KLRCUCB:
    """KL-UCB on the pairs: gains moved and scaled by the limit's own range, from all rounds with at least it."""

    def __init__(self, arms, grid, cost, penalty, c=0.0):
        self.arms, self.grid, self.penalty, self.c = arms, list(grid), penalty, c
        self.statistics = Statistics(cost)

    def index(self, arm, place):
        limit, t = self.grid[place], len(self.statistics.rounds) + 1
        worst, n = self.penalty(limit), self.statistics.N(arm, limit)
        gain = (self.statistics.G(arm, limit) - worst * self.statistics.K(arm, limit)) / n
        p = min(1.0, max(0.0, (gain + worst) / (1 + worst)))
        budget = (math.log(t) + self.c * max(0.0, math.log(math.log(t)))) / n

        def divergence(q):
            return sum(a * math.log(a / b) for a, b in ((p, q), (1 - p, 1 - q)) if a > 0)

        low, high = p, 1.0
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if middle < 1 and divergence(middle) <= budget else (low, middle)
        return (1 + worst) * low - worst if p < 1 else 1.0

    def select(self):
        t, m = len(self.statistics.rounds), len(self.grid)
        if t < self.arms:
            return t, m - 1
        return best_pair([(arm, place) for arm in range(self.arms) for place in range(m)], self.index)

    def update(self, action, outcome):
        arm, place = action
        self.statistics.rounds.append((arm, self.grid[place], outcome))


class UCB:
    """Appendix E.1: every pair is an arm of its own that knows only its own rounds."""

    def __init__(self, arms, grid, cost, penalty, alpha=1.0, lambda_max=None, rng=None):
        self.pairs, self.grid, self.cost, self.penalty = all_pairs(arms, grid), list(grid), cost, penalty
        self.alpha, self.rng = alpha, rng
        self.lambda_max = penalty(self.grid[-1]) if lambda_max is None else lambda_max
        self.gains = {pair: [] for pair in self.pairs}
        self.t = 1

    def index(self, arm, number):
        gains = self.gains[arm, number]
        scaled = (total(gains) / len(gains) + self.lambda_max) / (1 + self.lambda_max)
        return scaled + math.sqrt(self.alpha * math.log(self.t) / (2 * len(gains)))

    def select(self):
        if self.t <= len(self.pairs):
            return self.pairs[self.t - 1]
        return best_pair(self.pairs, self.index, self.rng)

    def update(self, action, outcome):
        reward, consumption, censored = outcome
        gain = -self.penalty(self.grid[action[1]]) if censored else reward - self.cost(consumption)
        self.gains[tuple(action)].append(gain)
        self.t += 1


class ThompsonSampling:
    """Appendix E.1; ts_update `per_tau` (equation 32), `played_outcome` or `naive`.

    After the first round of every pair a round draws `rng.beta(1 + S, 1 + F)` for all pairs, arms outside, limits
    inside, ascending. Every round, the first ones too, then draws one `rng.random()` for each limit that learns from
    it, ascending: a success if it is below the chance.
    """

    def __init__(self, arms, grid, cost, penalty, rng, ts_update="per_tau", lambda_max=None):
        self.pairs, self.grid, self.cost, self.penalty = all_pairs(arms, grid), list(grid), cost, penalty
        self.rng, self.ts_update = rng, ts_update
        self.lambda_max = penalty(self.grid[-1]) if lambda_max is None else lambda_max
        self.trials = {pair: [] for pair in self.pairs}
        self.t = 1

    def select(self):
        if self.t <= len(self.pairs):
            return self.pairs[self.t - 1]
        theta = {pair: self.rng.beta(*self.posterior(pair)) for pair in self.pairs}
        return max(self.pairs, key=theta.get)

    def posterior(self, pair):
        successes = sum(self.trials[pair])
        return 1 + successes, 1 + len(self.trials[pair]) - successes

    def chance(self, outcome, tau):
        """p of equation (32), clipped to [0, 1]; it needs a consumption only if the round was not censored."""
        reward, consumption, censored = outcome
        exceeds = censored or consumption > tau
        gain = -self.penalty(tau) if exceeds else reward - self.cost(consumption)
        return min(max((gain + self.lambda_max) / (1 + self.lambda_max), 0.0), 1.0)

    def update(self, action, outcome):
        arm, played = action
        for number in range(played + 1):
            if self.ts_update == "naive" and number < played:
                continue
            judged = number if self.ts_update == "per_tau" else played
            success = self.rng.random() < self.chance(outcome, self.grid[judged])
            self.trials[arm, number].append(success)
        self.t += 1


class ZRCUCB:
    """Algorithm 1 on (0, tau_max]: every arm refines its own grid; all statistics anew from definition (8)."""

    def __init__(self, arms, tau_max, cost, penalty, horizon, alpha=1.1, m=2, delta=0.1):
        self.arms, self.tau_max, self.penalty, self.alpha, self.m = arms, tau_max, penalty, alpha, m
        self.log = math.log(arms * horizon**2 / delta)
        self.level = [{tau_max: 0} for _ in range(arms)]  # limit -> how often the cell that it closes was refined
        self.statistics = Statistics(cost)

    def grid(self, arm):
        return sorted(self.level[arm])

    def down(self, arm, tau):
        return max((point for point in self.level[arm] if point < tau), default=0.0)

    def cell(self, arm, tau):
        """b: the length of the cell that ends in tau."""
        return tau - self.down(arm, tau)

    def radius(self, arm, tau):
        N, N0 = self.statistics.N(arm, tau), self.statistics.N0(arm)
        if N == 0:
            return math.inf
        return math.sqrt(2 * self.alpha * self.log / N) + self.penalty(tau) * math.sqrt(2 * self.alpha * self.log / N0)

    def estimate(self, arm, tau):
        seen = self.statistics
        return seen.G(arm, tau) / seen.N(arm, tau) - self.penalty(tau) * seen.survival(arm, tau, "consistent")

    def index(self, arm, tau):
        if self.statistics.N(arm, tau) == 0:
            return math.inf
        return self.estimate(arm, tau) + self.radius(arm, tau) + self.cell(arm, tau)

    def pairs(self):
        return [(arm, tau) for arm in range(self.arms) for tau in self.grid(arm)]

    def select(self):
        return best_pair(self.pairs(), self.index)

    def update(self, action, outcome):
        arm, tau = action
        self.statistics.rounds.append((arm, tau, outcome))
        for end in [end for end in self.grid(arm) if self.cell(arm, end) >= self.radius(arm, end)]:
            self.split(arm, end)

    def split(self, arm, end):
        begin, level = self.down(arm, end), self.level[arm][end] + 1
        for j in range(1, self.m):
            self.level[arm][begin + j * (end - begin) / self.m] = level
        self.level[arm][end] = level

    def recommend_finest(self):
        """A pair of the finest cell, of the larger estimate if there are several."""
        played = [(arm, tau) for arm, tau in self.pairs() if self.statistics.N(arm, tau) > 0]
        finest = max(self.level[arm][tau] for arm, tau in played)
        return best_pair([(arm, tau) for arm, tau in played if self.level[arm][tau] == finest], self.estimate)

    def recommend_lower(self):
        """The pair of the largest lower confidence bound."""
        played = [(arm, tau) for arm, tau in self.pairs() if self.statistics.N(arm, tau) > 0]
        return best_pair(played, lambda arm, tau: self.estimate(arm, tau) - self.radius(arm, tau))


class Replay:
    """The k-th round of an arm brings outcomes[arm][k] = (reward, consumption), censored at the limit played."""

    def __init__(self, outcomes):
        self.outcomes, self.played = outcomes, [0] * len(outcomes)

    def pull(self, arm, limit):
        reward, consumption = self.outcomes[arm][self.played[arm]]
        self.played[arm] += 1
        return (reward, consumption, False) if consumption <= limit else (math.nan, math.nan, True)


def correlation(x):
    """rho of equation (35), with the sign of x."""
    return 2 * x * math.sqrt(1 - x * x)


def truncated_gaussian_pair(mean, x, sigma, rng):
    """One (reward, consumption), two standard normals at a time until both coordinates are in [0, 1]."""
    rho, scale = correlation(x), math.sqrt(sigma)
    while True:
        z1, z2 = rng.standard_normal(), rng.standard_normal()
        r, c = mean[0] + scale * z1, mean[1] + scale * (rho * z1 + math.sqrt(1 - rho * rho) * z2)
        if 0 <= r <= 1 and 0 <= c <= 1:
            return r, c


def gaussian_density(mean, x, sigma):
    """Density of N(mean, sigma * [[1, rho], [rho, 1]]) at (reward, consumption), not normalised."""
    inverse = np.linalg.inv(sigma * np.array([[1.0, correlation(x)], [correlation(x), 1.0]])).tolist()

    def density(r, c):
        a, b = r - mean[0], c - mean[1]
        return math.exp(-(a * a * inverse[0][0] + 2 * a * b * inverse[0][1] + b * b * inverse[1][1]) / 2)

    return density


def gaussian_arm(mean, x, sigma, grid, cost, penalty, bends=()):
    """(nu, survival) at each limit, by two-dimensional quadrature on [0, 1] x [0, 1]; `bends` are those of the cost."""
    density = gaussian_density(mean, x, sigma)

    def integral(f, begin, end):
        stops = [begin, *(stop for stop in bends if begin < stop < end), end]
        pieces = [(low, high) for low, high in itertools.pairwise(stops) if low < high]
        return sum(
            dblquad(lambda r, c: f(r, c) * density(r, c), low, high, 0, 1, epsabs=1e-11, epsrel=1e-10)[0]
            for low, high in pieces
        )

    Z = integral(lambda r, c: 1.0, 0, 1)
    above = [integral(lambda r, c: 1.0, min(tau, 1), 1) / Z for tau in grid]
    gain = [integral(lambda r, c: r - cost(c), 0, min(tau, 1)) / Z for tau in grid]
    return [g - penalty(tau) * s for g, s, tau in zip(gain, above, grid, strict=True)], above


def indep_arm(a, b, grid, cost, penalty):
    """(nu, survival) of R ~ Beta(a, b) and an independent exponential C of rate a / (a + b) + 1, by quadrature."""
    rate = a / (a + b) + 1

    def beta_integral(f):
        return quad(f, 0, 1, weight="alg", wvar=(a - 1, b - 1))[0]

    reward = beta_integral(lambda r: r) / beta_integral(lambda r: 1.0)
    nu, above = [], []
    for tau in grid:
        gain = quad(lambda c: (reward - cost(c)) * rate * math.exp(-rate * c), 0, tau, epsabs=1e-13)[0]
        above.append(quad(lambda c: rate * math.exp(-rate * c), tau, math.inf, epsabs=1e-13)[0])
        nu.append(gain - penalty(tau) * above[-1])
    return nu, above


class IndepInterval:
    """Section 3.2 with any limit: two uniforms a round, the first for the consumption, the second for the reward."""

    def __init__(self, b, cost):
        self.b, self.cost, self.censored = b, cost, 0

    def pull(self, arm, limit, u, v):
        rate = 0.8 / (0.8 + self.b[arm]) + 1
        consumption = expon.ppf(u, scale=1 / rate)
        if consumption > limit:
            self.censored += 1
            return 0.0, 0.0, 0.0, True
        return beta.ppf(v, 0.8, self.b[arm]), consumption, self.cost(consumption), False


class Recorded:
    """Section 3.5: a split drawn uniformly; times in units of the third quartile of the arms' mean times."""

    def __init__(self, reward, time, cost):
        self.reward, self.time, self.cost, self.censored = reward, time, cost, 0
        means = sorted(sum(column) / len(column) for column in zip(*time, strict=True))
        place = 0.75 * (len(means) - 1)
        low = math.floor(place)
        high = min(low + 1, len(means) - 1)
        self.unit = means[low] + (place - low) * (means[high] - means[low])

    def pull(self, arm, limit, u):
        split = math.floor(u * len(self.time))
        consumption = self.time[split][arm] / self.unit
        if consumption > limit:
            self.censored += 1
            return 0.0, 0.0, 0.0, True
        return self.reward[split][arm], consumption, self.cost(consumption), False


def table(arms):
    """(nu, survival), each arms x limits, of a list of (nu, survival) of single arms."""
    nu, above = zip(*arms, strict=True)
    return np.array(nu), np.array(above)


def pseudo_regret(nu, actions):
    """After each round."""
    return list(itertools.accumulate(float(np.max(nu) - nu[arm][number]) for arm, number in actions))


def proposition1(alpha, t):
    return 2 * (1 + math.log(t) / math.log((alpha + 1) / 2)) * t ** (-2 * alpha / (alpha + 1))


def theorem1_u(gap, penalty, alpha, T):
    tail = 8 / math.log((alpha + 1) / 2) * ((alpha + 1) / (alpha - 1)) ** 2
    return 8 * alpha * (1 + penalty) ** 2 * math.log(T) / gap**2 + 1 + tail


def theorem1_H(gaps, penalties, alpha, i, k):
    """H of arm i and limit k, over all other pairs."""
    others = [(j, h) for j, h in all_pairs(len(gaps), penalties) if (j, h) != (i, k)]
    return max((8 * (1 + penalties[h] ** 2 * alpha) + gaps[i][k] - gaps[j][h]) ** 2 for j, h in others)


def theorem1(nu, penalties, alpha, T, epsilon=0.0, delta=0.0, chance=0.0):
    """Theorem 1; `chance` is P(A_epsilon), so 0 leaves the subtracted sum out."""
    gaps = (np.max(nu) - np.array(nu)).tolist()
    upper = lower = 0.0
    for i, k in all_pairs(len(gaps), penalties):
        if gaps[i][k] > 0:
            upper += gaps[i][k] * theorem1_u(gaps[i][k], penalties[k], alpha, T)
        if k < len(penalties) - 1:
            lower += gaps[i][k] * alpha * epsilon * delta * math.log(T) / theorem1_H(gaps, penalties, alpha, i, k + 1)
    return upper - chance * lower


def theorem1_delta(pairs, T):
    """The largest delta with (pairs - 1) ** (1 - delta) * T ** (2 delta) <= T."""
    return (math.log(T) - math.log(pairs - 1)) / (2 * math.log(T) - math.log(pairs - 1))


def corollary14(nu, lambda_max, alpha, T):
    tail = 1 + 4 / math.log((alpha + 1) / 2) * ((alpha + 1) / (alpha - 1)) ** 2
    gaps = [float(gap) for gap in (np.max(nu) - np.array(nu)).ravel() if gap > 0]
    return sum(2 * alpha * (1 + lambda_max) ** 2 * math.log(T) / gap + gap * tail for gap in gaps)


def theorem2_H(arms, alpha, m, T, delta, penalty, tau_max, depth, stochastic=False):
    """H_T over the levels 1..depth; `stochastic` leaves the subtracted term out, as for StoOO."""
    lam = penalty(tau_max)
    c_T = math.sqrt(2 * alpha * math.log(arms * T**2 / delta) * (1 + lam) ** 2 / (tau_max**2 * T))
    values = []
    for level in range(1, depth + 1):
        for j in range(1, m**level):
            point, parent = j * m**-level * tau_max, (j // m + 1) * m ** -(level - 1) * tau_max
            subtracted = 0.0 if stochastic else (1 + penalty(parent) * c_T) ** 2 / m**2
            values.append((1 + penalty(point)) ** 2 - subtracted)
    return max(values)


def theorem2(d, C, arms, alpha, m, T, delta, penalty, depth, tau_max=1.0, stochastic=False):
    """Bound on the simple regret of z-RCUCB, or of StoOO, that holds with probability 1 - delta."""
    H = theorem2_H(arms, alpha, m, T, delta, penalty, tau_max, depth, stochastic)
    inner = 4 * alpha * C * m**2 * (H + (1 + penalty(tau_max)) ** 2) / (3**d * (1 - m ** -(d + 2)))
    return (inner * math.log(T**2 / delta) / T) ** (1 / (d + 2))


def near_cells(gains, best, epsilon, steps=60_000):
    """Definition 3 with "at least": how many cells of length ε / 3 or more end where little is lost, one by one."""
    total = 0
    for gain in gains:
        last = 0
        for k in range(1, steps + 1):
            if gain(k / steps) >= best - epsilon and (k - last) / steps >= epsilon / 3 - 1e-12:
                total, last = total + 1, k
    return total


def leaving_round(nu, penalties, alpha):
    """RCUCB, width as printed, whose estimates are the true gains: the first round with a limit below the largest."""
    N, t, top = [1] * len(nu), len(nu) + 1, len(penalties) - 1
    while True:
        width = math.sqrt(2 * alpha * math.log(t))
        index = {
            (i, j): nu[i][j] + (1 + penalties[j]) * width / math.sqrt(N[i]) for i, j in all_pairs(len(nu), penalties)
        }
        arm, number = max(index, key=index.get)
        if number < top:
            return t
        N[arm] += 1
        t += 1
