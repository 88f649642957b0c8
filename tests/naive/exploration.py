"""Pure exploration word by word: the whole history is kept, every metric is computed anew in every round.

`select` is told what was played in this round, for ties that rounding breaks.
"""

import math

from scipy.optimize import brentq

from banditlab import classic
from tests.naive.classic import Historian, mean


class LUCB(Historian):
    """Kalyanakrishnan, Tewari, Auer, Stone (2012), LUCB1 for one arm; round t samples h and l."""

    def __init__(self, arms, delta):
        super().__init__(arms)
        self.delta = delta

    def beta(self, u, t):
        return math.sqrt(math.log(1.25 * self.arms * t**4 / self.delta) / (2 * u))

    def pair(self):
        """h, l and U_l - L_h of the round that the history so far opens."""
        played = len(self.history) - (len(self.history) - self.arms) % 2
        seen = self.history[:played]
        t = 1 + (played - self.arms) // 2
        rewards = [[reward for arm, reward in seen if arm == a] for a in range(self.arms)]
        means = [mean(found) for found in rewards]
        h = means.index(max(means))
        upper = {a: means[a] + self.beta(len(rewards[a]), t) for a in range(self.arms) if a != h}
        rival = max(upper, key=lambda a: (upper[a], -a))
        return h, rival, upper[rival] - (means[h] - self.beta(len(rewards[h]), t))

    def select(self, played):
        if len(self.history) < self.arms:
            return len(self.history)
        return self.pair()[(len(self.history) - self.arms) % 2]

    def over(self):
        played = len(self.history) - self.arms
        return played >= 0 and played % 2 == 0 and self.pair()[2] < 0

    def answer(self):
        return self.pair()[0]


def kl(p, q):
    return classic.divergence(p, q)


class TrackAndStop(Historian):
    """Garivier, Kaufmann (2016): D-tracking of w* at the empirical means, Chernoff's stopping rule; Bernoulli laws."""

    def __init__(self, arms, delta):
        super().__init__(arms)
        self.delta = delta

    def means(self):
        return [mean(self.rewards(arm)) for arm in range(self.arms)]

    def optimal_shares(self):
        """Theorem 5: x_a(y) inverts g_a, and F(y) = 1 is solved by bisection."""
        mu = self.means()
        best = mu.index(max(mu))
        if mu.count(max(mu)) > 1:
            return [1 / self.arms] * self.arms

        def middle(a, x):
            return (mu[best] + x * mu[a]) / (1 + x)

        def g(a, x):
            m = middle(a, x)
            return kl(mu[best], m) + x * kl(mu[a], m) if x > 0 else 0.0

        def x_of(a, y):
            high = 1.0
            while g(a, high) < y:
                high *= 2
            return brentq(lambda x: g(a, x) - y, 0.0, high, xtol=1e-15, rtol=1e-14)

        others = [a for a in range(self.arms) if a != best]

        def F(y):
            return sum(kl(mu[best], middle(a, x_of(a, y))) / kl(mu[a], middle(a, x_of(a, y))) for a in others)

        least = min(others, key=lambda a: kl(mu[best], mu[a]))
        x = 1.0  # y is given by the share of the second best arm, so that no end of the range is infinite
        while F(g(least, x)) < 1:
            x *= 2
        y = g(least, brentq(lambda x: F(g(least, x)) - 1, x * 1e-9, x, xtol=1e-15, rtol=1e-14))
        shares = [1.0 if a == best else x_of(a, y) for a in range(self.arms)]
        return [share / sum(shares) for share in shares]

    def select(self, played):
        t = len(self.history)
        if t < self.arms:
            return t
        counts = [len(self.rewards(arm)) for arm in range(self.arms)]
        starved = [arm for arm in range(self.arms) if counts[arm] < math.sqrt(t) - self.arms / 2]
        if starved:
            return min(starved, key=lambda arm: (counts[arm], arm))
        behind = [t * share - count for share, count in zip(self.optimal_shares(), counts, strict=True)]
        ties = [arm for arm in range(self.arms) if behind[arm] > max(behind) - 1e-9]
        return played if played in ties else ties[0]  # where only rounding tells them apart, either is right

    def over(self):
        t = len(self.history)
        if t < self.arms:
            return False
        mu, counts = self.means(), [len(self.rewards(arm)) for arm in range(self.arms)]
        best = mu.index(max(mu))
        evidence = []
        for b in range(self.arms):
            if b != best:
                m = mean(self.rewards(best) + self.rewards(b))
                evidence.append(counts[best] * kl(mu[best], m) + counts[b] * kl(mu[b], m))
        return min(evidence) > math.log(2 * t * (self.arms - 1) / self.delta)

    def answer(self):
        return self.means().index(max(self.means()))


class SequentialHalving(Historian):
    """Karnin, Koren, Somekh (2013), Algorithm 1: the plan of a phase is made when the phase before it has ended."""

    def __init__(self, arms, budget):
        super().__init__(arms)
        self.budget, self.phases = budget, math.ceil(math.log2(arms))
        self.left, self.plan, self.start = list(range(arms)), [], 0
        self.make_plan()

    def make_plan(self):
        each = self.budget // (len(self.left) * self.phases)
        self.plan = [arm for arm in self.left for _ in range(each)] if len(self.left) > 1 else []
        self.start = len(self.history)

    def select(self, played):
        return self.plan[len(self.history) - self.start]

    def update(self, arm, reward):
        super().update(arm, reward)
        phase = self.history[self.start :]
        if len(phase) == len(self.plan):
            average = {arm: mean([r for a, r in phase if a == arm]) for arm in self.left}
            ranked = sorted(self.left, key=lambda arm: (-average[arm], arm))
            self.left = sorted(ranked[: math.ceil(len(self.left) / 2)])
            self.make_plan()

    def over(self):
        return len(self.left) == 1

    def answer(self):
        return self.left[0]


class Elimination(Historian):
    """Even-Dar, Mannor, Mansour (2006), Algorithm 3, which ends when one arm is left."""

    def __init__(self, arms, delta, c):
        super().__init__(arms)
        self.delta, self.c, self.left, self.todo = delta, c, list(range(arms)), list(range(arms))

    def select(self, played):
        return self.todo[0]

    def update(self, arm, reward):
        super().update(arm, reward)
        self.todo.pop(0)
        if not self.todo:
            n = len(self.rewards(arm))
            alpha = math.sqrt(math.log(self.c * self.arms * n * n / self.delta) / n)
            best = max(mean(self.rewards(a)) for a in self.left)
            self.left = [a for a in self.left if best - mean(self.rewards(a)) < 2 * alpha]
            self.todo = list(self.left)

    def over(self):
        return len(self.left) == 1

    def answer(self):
        return self.left[0]


TWINS = {  # name to policy and twin, each of a number of arms
    "LUCB": (lambda arms: classic.lucb(arms, 0.3), lambda arms: LUCB(arms, 0.3)),
    "Track-and-Stop": (lambda arms: classic.track_and_stop(arms, 0.2), lambda arms: TrackAndStop(arms, 0.2)),
    "sequential halving": (
        lambda arms: classic.sequential_halving(arms, 250), lambda arms: SequentialHalving(arms, 250)
    ),
    "elimination": (
        lambda arms: classic.successive_elimination(arms, 0.5, 1.0, stops=True),
        lambda arms: Elimination(arms, 0.5, 1.0),
    ),
}  # fmt: skip
