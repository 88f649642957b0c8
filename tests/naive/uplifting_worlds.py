"""Slow, literal twins of the environments of uplifting bandits.

Hsieh, Kasiviswanathan, Kveton, "Uplifting Bandits", NeurIPS 2022: Section 7, Appendices C.2, C.3 and D.2. Actions,
variables and people count from 0, treatment 0 is none. `play(action)` gives the payoffs of a round; in a campaign
`context()` comes first. Every world says in which order a round draws from its generator.
"""

import math

import numpy as np
from scipy.special import expit
from scipy.stats import binom

from tests.naive.uplifting_context import largest, logistic_fit, with_constant


class GaussianWorld:
    """y = mu^a + diag(d)^(1/2) e + A z: the common factors z are drawn first, then e."""

    def __init__(self, mu, d, A, rng):
        self.mu, self.d, self.A, self.rng = mu, d, A, rng

    def play(self, action):
        z = [self.rng.standard_normal() for _ in self.A[0]]
        e = [self.rng.standard_normal() for _ in self.d]
        common = [sum(a * factor for a, factor in zip(row, z, strict=True)) for row in self.A]
        return [m + math.sqrt(v) * own + c for m, v, own, c in zip(self.mu[action], self.d, e, common, strict=True)]


class BernoulliWorld:
    """Each variable succeeds with its treated rate if the action affects it, else with the other; a uniform each."""

    def __init__(self, untreated, treated, sets, rng):
        self.untreated, self.treated, self.sets, self.rng = untreated, treated, sets, rng

    def play(self, action):
        rates = [self.treated[i] if i in self.sets[action] else rate for i, rate in enumerate(self.untreated)]
        return [1.0 if self.rng.random() < rate else 0.0 for rate in rates]


class ClusterWorld:
    """Action a treats cluster a; the sum of a cluster is the quantile of its binomial law at the cluster's uniform."""

    def __init__(self, sizes, untreated, treated, rng):
        self.sizes, self.untreated, self.treated, self.rng = sizes, untreated, treated, rng

    def play(self, action):
        sums = []
        for g, n in enumerate(self.sizes):
            u, rate = self.rng.random(), self.treated[g] if g == action else self.untreated[g]
            law = binom.cdf(np.arange(n + 1), n, rate)
            sums.append(next(count for count in range(n + 1) if u < law[count]))
        return sums


class Crowd:
    """What both campaigns share: `expected(i, z)`, the mean payoff of person i of the round under treatment z."""

    def __init__(self, individuals, treatments, budget, at_most):
        self.m, self.q, self.L, self.at_most = individuals, treatments, budget, at_most

    def uplift(self, i, z):
        return self.expected(i, z) - self.expected(i, 0)

    def best(self):
        """Everybody's best treatment for the L of largest uplift, of positive uplift if fewer may be treated."""
        choice = [max(range(1, self.q + 1), key=lambda z: self.uplift(i, z)) for i in range(self.m)]
        chosen = largest([self.uplift(i, z) for i, z in enumerate(choice)], self.L, self.at_most)
        return [z if i in chosen else 0 for i, z in enumerate(choice)]

    def total(self, action):
        return sum(self.uplift(i, z) for i, z in enumerate(action) if z > 0)

    def regret(self, action):
        """Predicted-uplift regret of the round."""
        return self.total(self.best()) - self.total(action)


class LinearWorld(Crowd):
    """Appendix C.2: features uniform on the sphere, from normals person by person; then one normal noise each."""

    def __init__(self, theta, individuals, budget, noise, at_most, rng):
        super().__init__(individuals, len(theta) - 1, budget, at_most)
        self.theta, self.noise, self.rng = theta, noise, rng

    def context(self):
        rows = [[self.rng.standard_normal() for _ in self.theta[0]] for _ in range(self.m)]
        self.x = [[v / math.sqrt(sum(w * w for w in row)) for v in row] for row in rows]
        return self.x

    def expected(self, i, z):
        return sum(weight * v for weight, v in zip(self.theta[z], self.x[i], strict=True))

    def play(self, action):
        return [self.noise * self.rng.standard_normal() + self.expected(i, z) for i, z in enumerate(action)]


class LinearActionsWorld:
    """Section 8, K actions: each person has `active` features that are not 0, of length 1 together.

    For each of them one uniform draws a coordinate by an exchange and one normal its value; a round's noise is one
    normal for all and one for everybody.
    """

    def __init__(self, theta, individuals, active, noise, rho, rng):
        self.theta, self.m, self.active, self.noise, self.rho, self.rng = theta, individuals, active, noise, rho, rng
        self.order = list(range(len(theta[0])))

    def context(self):
        self.x = []
        for _ in range(self.m):
            row = [0.0] * len(self.order)
            for k in range(self.active):
                other = k + int((len(self.order) - k) * self.rng.random())
                self.order[k], self.order[other] = self.order[other], self.order[k]
                row[self.order[k]] = self.rng.standard_normal()
            self.x.append([v / math.sqrt(sum(w * w for w in row)) for v in row])
        changes = [[sum((w - v) * u for w, v, u in zip(row, self.theta[0], x, strict=True)) for x in self.x]
                   for row in self.theta[1:]]  # fmt: skip
        self.uplift = [sum(change) for change in changes]
        return self.x, [[i for i, value in enumerate(change) if value != 0] for change in changes]

    def play(self, action):
        shared = self.rng.standard_normal()
        means = [sum(w * v for w, v in zip(self.theta[action + 1], row, strict=True)) for row in self.x]
        return [
            mean + self.noise * (math.sqrt(self.rho) * shared + math.sqrt(1 - self.rho) * self.rng.standard_normal())
            for mean in means
        ]

    def regret(self, action):
        return max(self.uplift) - self.uplift[action]


class CampaignWorld(Crowd):
    """Appendix C.3, feedback mode 1 ("counterfactual only") or 2 ("all").

    The i-th of a round's people is number int((n - i) u) of those not yet drawn, who keep the order in which the
    exchanges have left them; then everybody draws one uniform, which serves any treatment.
    """

    def __init__(self, features, treatment, visit, mode, individuals, budget, at_most, rng):
        super().__init__(individuals, max(treatment), budget, at_most)
        self.x, self.treatment, self.visit, self.mode, self.rng = with_constant(features), treatment, visit, mode, rng
        by_treatment = [np.array(treatment) == z for z in range(self.q + 1)]
        self.oracle = [logistic_fit(self.x[those], np.array(visit)[those]) for those in by_treatment]
        self.people = list(range(len(features)))
        self.realised = 0.0

    def context(self):
        for i in range(self.m):
            j = i + int((len(self.people) - i) * self.rng.random())
            self.people[i], self.people[j] = self.people[j], self.people[i]
        return self.x[self.people[: self.m]]

    def expected(self, i, z):
        return expit(self.x[self.people[i]] @ self.oracle[z])

    def outcome(self, i, z, u):
        """The visit of the i-th person under a treatment."""
        person = self.people[i]
        if self.mode == 1 and self.treatment[person] == z:
            return float(self.visit[person])
        return 1.0 if u < self.expected(i, z) else 0.0

    def play(self, action):
        uniforms = [self.rng.random() for _ in range(self.m)]
        y = [self.outcome(i, z, u) for i, (z, u) in enumerate(zip(action, uniforms, strict=True))]
        best = [self.outcome(i, z, u) for i, (z, u) in enumerate(zip(self.best(), uniforms, strict=True))]
        self.realised += sum(best) - sum(y)
        return y
