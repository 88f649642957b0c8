"""Slow, literal twins of the algorithms of uplifting bandits, against which the fast ones are held.

Hsieh, Kasiviswanathan, Kveton, "Uplifting Bandits", NeurIPS 2022; the contextual twins and the bounds stand in
uplifting_context.py and uplifting_bounds.py. Every twin keeps its history of (action, payoffs) and computes its indices
from it in each round: `select()` gives the action of the next round, `update(action, y)` tells the payoffs of all m
variables. Actions and variables count from 0; each action is played once first, in order; the lowest index wins a tie.
`affected[a][i]` is true where action a affects variable i, `beta` = log(1/delta') never changes. A variable may stand
for the sum of `weights[i]` exchangeable ones.
"""

import math

import numpy as np


def first_argmax(values):
    values = list(values)
    return values.index(max(values))


def mean(values):
    return sum(values) / len(values)


def radius(beta, n):
    return math.sqrt(2 * beta / n) if n else math.inf


def payoffs(rounds, a):
    """Payoff vectors of the rounds that played a."""
    return [y for action, y in rounds if action == a]


def optimistic(policy):
    """Each action once, then the highest index."""
    t = len(policy.rounds)
    return t if t < policy.K else first_argmax(policy.index(a) for a in range(policy.K))


def as_sets(affected):
    return [[i for i, hit in enumerate(row) if hit] for row in affected]


class UCB:
    """UCB on the total reward, radius times m."""

    def __init__(self, K, m, beta):
        self.K, self.m, self.beta = K, m, beta
        self.rounds = []

    def index(self, a):
        rewards = [sum(y) for y in payoffs(self.rounds, a)]
        return mean(rewards) + self.m * radius(self.beta, len(rewards))

    def select(self):
        return optimistic(self)

    def update(self, action, y):
        self.rounds.append((action, np.array(y, dtype=float)))


class Thompson:
    """Gaussian Thompson sampling on the total reward (Appendix D.1).

    `rewards` are the true expected rewards; their mean and population variance make the common prior. The variance of
    the noise is m * m * sigma2. A round draws one standard normal per action, in the order of the actions; no action is
    forced.
    """

    def __init__(self, rewards, m, sigma2, rng):
        self.K, self.noise, self.rng = len(rewards), m * m * sigma2, rng
        self.nu0 = mean(rewards)
        self.s02 = mean([(r - self.nu0) ** 2 for r in rewards])
        self.rounds = []

    def posterior(self, a):
        """(mean, variance) of the expected reward of a."""
        rewards = [sum(y) for y in payoffs(self.rounds, a)]
        precision = 1 / self.s02 + len(rewards) / self.noise
        return (self.nu0 / self.s02 + sum(rewards) / self.noise) / precision, 1 / precision

    def select(self):
        samples = []
        for a in range(self.K):
            center, variance = self.posterior(a)
            samples.append(center + math.sqrt(variance) * self.rng.standard_normal())
        return first_argmax(samples)

    def update(self, action, y):
        self.rounds.append((action, np.array(y, dtype=float)))


class UpUCBbl:
    """Algorithm 1: baseline and affected sets known."""

    def __init__(self, mu0, affected, beta, weights=None):
        self.mu0, self.sets, self.beta = mu0, as_sets(affected), beta
        self.weights = [1.0] * len(mu0) if weights is None else weights
        self.K = len(self.sets)
        self.rounds = []

    def index(self, a):
        ys = payoffs(self.rounds, a)
        means, c = mean(ys), radius(self.beta, len(ys))
        return sum(means[i] + self.weights[i] * c - self.mu0[i] for i in self.sets[a])

    def select(self):
        return optimistic(self)

    def update(self, action, y):
        self.rounds.append((action, np.array(y, dtype=float)))


class UpUCBOffline(UpUCBbl):
    """Section 3: the baseline is known from n samples only, whose lower confidence bound is subtracted."""

    def __init__(self, estimate, n, affected, beta, weights=None):
        super().__init__(estimate, affected, beta, weights)
        self.n = n

    def index(self, a):
        ys = payoffs(self.rounds, a)
        means, c, c0 = mean(ys), radius(self.beta, len(ys)), radius(self.beta, self.n)
        upper = {i: means[i] + self.weights[i] * c for i in self.sets[a]}
        lower = {i: self.mu0[i] - self.weights[i] * c0 for i in self.sets[a]}
        return sum(upper[i] - lower[i] for i in self.sets[a])


class Adjusted:
    """Algorithm 1 on uplifts minus their regression on the residuals of the variables that an action leaves alone.

    `covariances[a]` is that of the noise of action a; the regression is solved by its normal equations.
    """

    def __init__(self, mu0, affected, covariances, beta):
        self.mu0, self.sets, self.beta, self.covariances = mu0, as_sets(affected), beta, covariances
        self.K = len(self.sets)
        self.rounds = []

    def regression(self, a):
        """(coefficients on the others, standard deviation that is left)."""
        inside, S = self.sets[a], np.array(self.covariances[a])
        others = [i for i in range(len(self.mu0)) if i not in inside]
        cross = sum(S[i, others] for i in inside)
        coefficients = np.linalg.solve(S[np.ix_(others, others)], cross) if others else np.zeros(0)
        return others, coefficients, math.sqrt(sum(S[i, j] for i in inside for j in inside) - cross @ coefficients)

    def index(self, a):
        (others, coefficients, left), ys = self.regression(a), payoffs(self.rounds, a)
        residuals = [y - self.mu0 for y in ys]
        values = [sum(r[i] for i in self.sets[a]) - coefficients @ r[others] for r in residuals]
        return mean(values) + left * radius(self.beta, len(ys))

    def select(self):
        return optimistic(self)

    def update(self, action, y):
        self.rounds.append((action, np.array(y, dtype=float)))


class Optimal(Adjusted):
    """The same with beta = log(1 + t log^2 t) in round t = 1, 2, ..."""

    def __init__(self, mu0, affected, covariances):
        super().__init__(mu0, affected, covariances, None)

    def select(self):
        t = len(self.rounds) + 1
        self.beta = math.log(1 + t * math.log(t) ** 2)
        return super().select()


class Learnt:
    """The same with one regressor, the sum over the variables that an action leaves alone, by least squares.

    Radius: Student's, from (1 + x^2 / nu)^(-nu / 2) = exp(-beta); two pulls tell nothing.
    """

    def __init__(self, mu0, affected, beta):
        self.mu0, self.sets, self.beta = mu0, as_sets(affected), beta
        self.K = len(self.sets)
        self.rounds = []

    def index(self, a):
        residuals = [y - self.mu0 for y in payoffs(self.rounds, a)]
        n, inside = len(residuals), self.sets[a]
        if n < 3:
            return math.inf
        own = np.array([sum(r[i] for i in inside) for r in residuals])
        others = np.array([sum(r[i] for i in range(len(r)) if i not in inside) for r in residuals])
        columns = [np.ones(n), others] if len(inside) < len(self.mu0) else [np.ones(n)]
        design = np.column_stack(columns)
        found = np.linalg.lstsq(design, own)[0]
        nu, variance = n - len(columns), np.linalg.inv(design.T @ design)[0, 0]
        left = ((own - design @ found) ** 2).sum() / nu
        return found[0] + math.sqrt(left * variance * nu * (math.exp(2 * self.beta / nu) - 1))

    def select(self):
        return first_argmax(self.index(a) for a in range(self.K))

    def update(self, action, y):
        self.rounds.append((action, np.array(y, dtype=float)))


def baseline_payoffs(rounds, sets, i):
    """Payoffs of variable i in the rounds whose action does not affect it, equation (6)."""
    return [y[i] for action, y in rounds if i not in sets[action]]


class UpUCB:
    """Algorithm 2: affected sets known, baseline estimated; an upper bound minus an upper bound.

    `sign` = -1 subtracts the lower bound of the baseline instead.
    """

    def __init__(self, affected, beta, weights=None, sign=1):
        self.sets, self.beta, self.sign = as_sets(affected), beta, sign
        self.m = len(affected[0])
        self.weights = [1.0] * self.m if weights is None else weights
        self.K = len(self.sets)
        self.rounds = []

    def baseline(self, i):
        """U^0(i), 0 for a variable that every action affects, equation (7)."""
        seen = baseline_payoffs(self.rounds, self.sets, i)
        return mean(seen) + self.sign * self.weights[i] * radius(self.beta, len(seen)) if seen else 0.0

    def index(self, a):
        ys = payoffs(self.rounds, a)
        means, c = mean(ys), radius(self.beta, len(ys))
        return sum(means[i] + self.weights[i] * c - self.baseline(i) for i in self.sets[a])

    def select(self):
        return optimistic(self)

    def update(self, action, y):
        self.rounds.append((action, np.array(y, dtype=float)))


def UpUCBLCB(affected, beta, weights=None):
    """The ablation of Figure 3 (a): Algorithm 2 with the lower confidence bound of the baseline."""
    return UpUCB(affected, beta, weights, sign=-1)


class CombUCB:
    """CombUCB with the radius sqrt(2 beta / n) on the semi-bandit of Section 9.

    Items are (a, i) for the variables that a affects and (None, i) for the baseline of variable i; an action shows the
    payoffs of its m items only, and is worth the sum of their upper confidence bounds.
    """

    def __init__(self, affected, beta):
        self.beta = beta
        self.items = [[(a if hit else None, i) for i, hit in enumerate(row)] for a, row in enumerate(affected)]
        self.K = len(self.items)
        self.seen = {item: [] for items in self.items for item in items}
        self.rounds = []

    def upper(self, item):
        return mean(self.seen[item]) + radius(self.beta, len(self.seen[item]))

    def index(self, a):
        return sum(self.upper(item) for item in self.items[a])

    def select(self):
        return optimistic(self)

    def update(self, action, y):
        for item, value in zip(self.items[action], y, strict=True):
            self.seen[item].append(float(value))
        self.rounds.append(action)


class UpUCBnAffbl:
    """Algorithm 3: baseline known, at most L affected variables per action (a number, or one per action)."""

    def __init__(self, K, mu0, L, beta):
        self.K, self.m, self.mu0, self.beta = K, len(mu0), mu0, beta
        self.limits = L if hasattr(L, "__len__") else [L] * K
        self.rounds = []

    def identified(self, a):
        """Variables whose baseline lies outside the closed confidence interval of a."""
        ys = payoffs(self.rounds, a)
        means, c = mean(ys), radius(self.beta, len(ys))
        return [i for i in range(self.m) if abs(means[i] - self.mu0[i]) > c]

    def index(self, a):
        ys = payoffs(self.rounds, a)
        means, c = mean(ys), radius(self.beta, len(ys))
        rho = [means[i] + c - self.mu0[i] for i in range(self.m)]
        found = self.identified(a)
        others = sorted((rho[i] for i in range(self.m) if i not in found), reverse=True)
        padding = min(max(0, self.limits[a] - len(found)), self.m - len(found))
        return sum(rho[i] for i in found) + sum(others[:padding])

    def select(self):
        return optimistic(self)

    def update(self, action, y):
        self.rounds.append((action, np.array(y, dtype=float)))


class UpUCBnAff:
    """Algorithm 4: at most L affected variables per action; the most played action stands in for the baseline."""

    def __init__(self, K, m, L, beta):
        self.K, self.m, self.L, self.beta = K, m, L, beta
        self.rounds = []

    def reference(self):
        """b_t, the lowest of the most played actions."""
        return first_argmax(len(payoffs(self.rounds, a)) for a in range(self.K))

    def interval(self, a):
        ys = payoffs(self.rounds, a)
        return mean(ys), radius(self.beta, len(ys))

    def identified(self, a):
        """Variables on which the closed confidence intervals of a and b_t are disjoint."""
        (means, c), (means_b, c_b) = self.interval(a), self.interval(self.reference())
        return [i for i in range(self.m) if abs(means[i] - means_b[i]) > c + c_b]

    def index(self, a):
        (means, c), (means_b, c_b) = self.interval(a), self.interval(self.reference())
        rho = [(means[i] + c) - (means_b[i] + c_b) for i in range(self.m)]
        found = self.identified(a)
        positive = sorted((rho[i] for i in range(self.m) if i not in found and rho[i] > 0), reverse=True)
        return sum(rho[i] for i in found) + sum(positive[: max(0, 2 * self.L - len(found))])

    def select(self):
        return optimistic(self)

    def update(self, action, y):
        self.rounds.append((action, np.array(y, dtype=float)))


def identification_pulls(factor, beta, dup):
    """ceil(factor * beta / dup^2), at least 1; a ratio that rounding lifts above an integer counts as the integer."""
    return max(1, math.ceil(factor * beta / (dup * dup) - 1e-9))


class UpUCBiLiftbl:
    """Algorithm 5: baseline known, every individual uplift of an affected variable at least dup in size."""

    def __init__(self, K, mu0, dup, beta):
        self.K, self.m, self.mu0, self.dup, self.beta = K, len(mu0), mu0, dup, beta
        self.n_id = identification_pulls(8, beta, dup)
        self.rounds = []

    def identified(self, a):
        """All variables before n_id pulls of a, afterwards those with an estimated uplift above dup / 2 in size."""
        ys = payoffs(self.rounds, a)
        if len(ys) < self.n_id:
            return list(range(self.m))
        means = mean(ys)
        return [i for i in range(self.m) if abs(means[i] - self.mu0[i]) > self.dup / 2]

    def index(self, a):
        ys = payoffs(self.rounds, a)
        means, c = mean(ys), radius(self.beta, len(ys))
        return sum(means[i] + c - self.mu0[i] for i in self.identified(a))

    def select(self):
        return optimistic(self)

    def update(self, action, y):
        self.rounds.append((action, np.array(y, dtype=float)))


class UpUCBiLiftNaive(UpUCBiLiftbl):
    """Section 6.2.1, the naive strategy: n_id pulls of every action, in turn, then Algorithm 1 with the sets found."""

    def identified(self, a):
        means = mean(payoffs(self.rounds, a)[: self.n_id])
        return [i for i in range(self.m) if abs(means[i] - self.mu0[i]) > self.dup / 2]

    def select(self):
        t = len(self.rounds)
        return t % self.K if t < self.n_id * self.K else first_argmax(self.index(a) for a in range(self.K))


class UpUCBiLift:
    """Algorithm 6: Assumption 1 with dup; successive elimination on total rewards, then UpUCB on the survivors."""

    def __init__(self, K, m, dup, beta):
        self.m, self.beta = m, beta
        self.n_id = identification_pulls(32, beta, dup)
        self.sweeps = 0
        self.active = list(range(K))
        self.queue = list(self.active)
        self.sharing = []  # per variable: the survivors that share the baseline, frozen at the end of phase I
        self.rounds = []

    def interval(self, a):
        ys = payoffs(self.rounds, a)
        return mean(ys), radius(self.beta, len(ys))

    def identified(self, a):
        return [i for i in range(self.m) if a not in self.sharing[i]]

    def baseline(self, i):
        """U^0(i) of equation (14): the upper bound of the most played action that shares the baseline."""
        if not self.sharing[i]:
            return 0.0
        means, c = self.interval(max(self.sharing[i], key=lambda a: len(payoffs(self.rounds, a))))
        return means[i] + c

    def index(self, a):
        means, c = self.interval(a)
        return sum(means[i] + c - self.baseline(i) for i in self.identified(a))

    def select(self):
        return self.queue[0] if self.sweeps < self.n_id else max(self.active, key=self.index)

    def update(self, action, y):
        self.rounds.append((action, np.array(y, dtype=float)))
        if self.sweeps < self.n_id:
            self.queue.pop(0)
            if not self.queue:
                self.end_sweep()

    def end_sweep(self):
        self.sweeps += 1
        rewards = {a: mean([sum(y) for y in payoffs(self.rounds, a)]) for a in self.active}
        c, best = self.m * radius(self.beta, self.sweeps), max(rewards.values())
        self.active = [a for a in self.active if rewards[a] + 2 * c >= best]
        self.queue = list(self.active)
        if self.sweeps == self.n_id:
            at = {a: self.interval(a) for a in self.active}
            self.sharing = [[a for a in at if any(overlap(at, a, b, i) for b in at if b != a)] for i in range(self.m)]


def overlap(at, a, b, i):
    """Whether the closed confidence intervals of two actions meet on variable i, equation (13)."""
    (means_a, c_a), (means_b, c_b) = at[a], at[b]
    return abs(means_a[i] - means_b[i]) <= c_a + c_b
