"""Slow, literal twins of the environments and bounds of bandits with composite and anonymous feedback.

Wang, Wang, Huang, "Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback", AAAI 2021.
`pull(arm)` plays a step: the reward of the pull is booked part by part in its slots, then the slot of the step is read.
Steps count from 0; a shape or law is a dictionary delay -> weight; the best arm is the lowest of those that tie.
"""

import itertools
import math

import numpy as np

from tests.naive.composite import GROWTH, ROUND_SIZE, complete_rounds, draw_arm


def normalised(weights):
    whole = math.fsum(weights.values())
    return {delay: weight / whole for delay, weight in weights.items()}


def uniform_law(lo, hi):
    """P(delay) of `random_lo_hi`: uniform on lo..hi, both ends included."""
    return {z: 1 / (hi - lo + 1) for z in range(lo, hi + 1)}


def interval(lo, hi):
    """Weight of each delay of `interval_lo_hi`: equal on lo..hi - 1."""
    return {z: 1 / (hi - lo) for z in range(lo, hi)}


def decreasing(d):
    return {z: 2 * (d + 1 - z) / (d * (d + 1)) for z in range(1, d + 1)}


def increasing(d):
    return {z: 2 * z / (d * (d + 1)) for z in range(1, d + 1)}


def discounted(gamma, window):
    """The first `window` weights of the infinite shape, not rescaled."""
    return {z: (1 - gamma) * gamma ** (z - 1) for z in range(1, window + 1)}


def polynomial(gamma, window):
    """Weights proportional to z ** -gamma on 1..window, rescaled to sum 1."""
    return normalised({z: float(z) ** -gamma for z in range(1, window + 1)})


def convolve(totals, weights):
    """Y(t) for every step until the last part has arrived, term by term; totals[u] was earned in step u (from 0)."""
    seen = [0.0] * (len(totals) + max(weights))
    for u, earned in enumerate(totals):
        for delay, weight in weights.items():
            seen[u + delay] += earned * weight
    return seen


class DelayedWorld:
    """Stochastic environment of sections 2 and 3; the whole pending array is kept.

    `spread`: a total is split over the delays by `weights`, else it arrives whole at one delay drawn from them. Each
    pull draws one uniform for the Bernoulli total (none if `noise` is False: the total is the mean) and then, without
    `spread`, one for the delay, by the cumulative weights in increasing order of the delay.
    """

    def __init__(self, means, weights, rng=None, spread=True, noise=True):
        self.means, self.weights, self.rng, self.spread, self.noise = means, weights, rng, spread, noise
        self.arms, self.totals, self.pending = [], [], {}

    def pull(self, arm):
        t = len(self.arms)
        mean = self.means[arm]
        earned = (1.0 if self.rng.random() < mean else 0.0) if self.noise else mean
        delays = sorted(self.weights)
        if self.spread:
            parts = [(delay, earned * self.weights[delay]) for delay in delays]
        else:
            parts = [(delays[draw_arm([self.weights[delay] for delay in delays], self.rng)], earned)]
        for delay, part in parts:
            self.pending[t + delay] = self.pending.get(t + delay, 0.0) + part
        self.arms.append(arm)
        self.totals.append(earned)
        return self.pending.get(t, 0.0)

    def late(self):
        """What has not arrived yet."""
        return math.fsum(part for slot, part in self.pending.items() if slot >= len(self.arms))

    def regret(self):
        """Pseudo-regret after each step."""
        return list(itertools.accumulate(max(self.means) - self.means[arm] for arm in self.arms))


def best_fixed_arm(correct, arms):
    counts = [list(correct).count(arm) for arm in range(arms)]
    return counts.index(max(counts))


def misleading_delay(best, d):
    """The delay rule of the non-oblivious adversary, a function of all arms pulled so far (the present one last)."""

    def delay(pulled):
        streak = len(list(itertools.takewhile(lambda arm: arm == best, reversed(pulled))))
        return d if streak >= 3 * d else 1

    return delay


def random_delay(lo, hi, rng):
    """An oblivious delay, uniform on lo..hi; one uniform per pull, rewarded or not."""
    return lambda pulled: lo + int((hi - lo + 1) * rng.random())


class AdversarialWorld:
    """Section 4: the correct arm of a step pays 1, after delay(arms pulled so far) >= 1 steps."""

    def __init__(self, correct, arms, delay):
        self.correct, self.delay = list(correct), delay
        self.best = best_fixed_arm(correct, arms)
        self.arms, self.arrivals = [], []

    def pull(self, arm):
        t = len(self.arms)
        self.arms.append(arm)
        z = self.delay(self.arms)
        if arm == self.correct[t]:
            self.arrivals.append(t + z)
        return float(self.arrivals.count(t))

    def regret(self):
        """Realised regret after each step, against the arm that is best over the whole sequence."""
        steps = zip(self.arms, self.correct, strict=False)
        return list(itertools.accumulate((correct == self.best) - (correct == arm) for arm, correct in steps))


class RewardWorld:
    """Rewards of every arm in every step, fixed in advance, paid whole after delay >= 1 steps; rule(best) is the delay
    rule."""

    def __init__(self, rewards, rule):
        self.rewards = rewards
        sums = [math.fsum(column) for column in zip(*rewards, strict=True)]
        self.best = sums.index(max(sums))
        self.delay = rule(self.best)
        self.arms, self.arrivals = [], []

    def pull(self, arm):
        t = len(self.arms)
        self.arms.append(arm)
        self.arrivals.append((t + self.delay(self.arms), self.rewards[t][arm]))
        return math.fsum(paid for slot, paid in self.arrivals if slot == t)

    def regret(self):
        steps = zip(self.arms, self.rewards, strict=False)
        return list(itertools.accumulate(row[self.best] - row[arm] for arm, row in steps))


class WorldPerArm:
    """Section 2.1 with a law of its own for every arm: total times weights[arm], all parts added up anew in each step.

    One uniform per pull, for the Bernoulli total; `spread[arm]` False: the uniform over the mean, which is uniform
    again, draws the one delay of the whole.
    """

    def __init__(self, means, weights, spread, rng):
        self.means, self.weights, self.spread, self.rng, self.vectors = means, weights, spread, rng, []

    def vector(self, arm):
        uniform = self.rng.random()
        if uniform >= self.means[arm]:
            return {}
        if self.spread[arm]:
            return self.weights[arm]
        delays = sorted(self.weights[arm])
        return {delays[int(uniform / self.means[arm] * len(delays))]: 1.0}

    def pull(self, arm):
        self.vectors.append(self.vector(arm))
        t = len(self.vectors) - 1
        return math.fsum(parts.get(t - u, 0.0) for u, parts in enumerate(self.vectors))


class VectorWorld:
    """Section 3.1 as printed: vectors[t][arm][tau - 1] is r_{arm, tau}(t); what is seen is Z(t), summed anew."""

    def __init__(self, vectors):
        self.vectors, self.arms = vectors, []
        sums = [math.fsum(sum(step[arm]) for step in vectors) for arm in range(len(vectors[0]))]
        self.best = sums.index(max(sums))

    def pull(self, arm):
        self.arms.append(arm)
        t, d = len(self.arms) - 1, len(self.vectors[0][0])
        return sum(self.vectors[u][self.arms[u]][t - u - 1] for u in range(max(0, t - d), t))

    def regret(self):
        steps = zip(self.arms, self.vectors, strict=False)
        return list(itertools.accumulate(sum(step[self.best]) - sum(step[arm]) for arm, step in steps))


def constants_per_arm(means, weights, spread):
    """(d_1, d_2) where every arm has weights, and a spread or one random delay, of its own."""
    size, d1, d2 = max(max(law) for law in weights) + 1, 0.0, 0.0
    for first in range(1, size):
        expected, variances = [], []
        for mean, law, split in zip(means, weights, spread, strict=True):
            outcomes = [(chance, vector[first:].sum()) for chance, vector in reward_vectors(mean, law, split)]
            expected.append(sum(chance * tail for chance, tail in outcomes))
            variances.append(sum(chance * (tail - expected[-1]) ** 2 for chance, tail in outcomes))
        d1, d2 = d1 + max(expected), d2 + max(variances)
    return d1, d2


def reward_vectors(mean, weights, spread):
    """All (probability, vector of parts by delay) of one pull of an arm with a Bernoulli total."""
    size = max(weights) + 1
    paid = np.array([weights.get(delay, 0.0) for delay in range(size)])
    if spread:
        return [(1 - mean, np.zeros(size)), (mean, paid)]
    return [(1 - mean, np.zeros(size)), *((mean * paid[z], np.eye(size)[z]) for z in weights)]


def delay_constants(means, weights, spread=True):
    """(d_1, d_2) of section 6, summed over every d', arm and outcome."""
    tail_mean, tail_variance = [], []
    for mean in means:
        chances, vectors = zip(*reward_vectors(mean, weights, spread), strict=True)
        tails = np.array([[vector[first:].sum() for first in range(1, len(vector))] for vector in vectors])
        tail_mean.append(np.array(chances) @ tails)
        tail_variance.append(np.array(chances) @ (tails - tail_mean[-1]) ** 2)
    return float(np.max(tail_mean, axis=0).sum()), float(np.max(tail_variance, axis=0).sum())


def theorem1_leading(alpha, gaps, T):
    """Sum over the suboptimal arms of 8 alpha ln T / gap; no bound unless alpha > 4."""
    return sum(8 * alpha * math.log(T) / gap for gap in gaps if gap > 0) if alpha > 4 else math.inf


def theorem1_log_t1(d1, alpha):
    return (4 * d1 / (math.sqrt(alpha) - 2)) ** 2 if alpha > 4 and d1 < math.inf else math.inf


def theorem1_n_d2(alpha, d2, growth, rounds):
    """N(d_2): the largest F(K), K <= rounds, that breaks sqrt(12 d_2 K / F(K)) <= (sqrt(alpha) - 2) / 2, or 0."""
    F = list(itertools.accumulate(GROWTH.get(growth, growth)(k) for k in range(1, rounds + 1)))
    limit = (math.sqrt(alpha) - 2) / 2
    return max((count for K, count in enumerate(F, start=1) if math.sqrt(12 * d2 * K / count) > limit), default=0)


def theorem1_early(growth, rounds=200):
    """F(k_0): the condition F(k) >= f(k + 1) fails last at k_0."""
    f = GROWTH.get(growth, growth)
    F = list(itertools.accumulate(f(k) for k in range(1, rounds + 1)))
    return max((F[k - 1] for k in range(1, rounds) if F[k - 1] < f(k + 1)), default=0)


def theorem1_constant(arms, d1, d2, alpha, growth, rounds):
    """(ln t_2, ln c_f*) with the numbers themselves, not from logarithms."""
    n, early = theorem1_n_d2(alpha, d2, growth, rounds), theorem1_early(growth)
    t2 = math.exp(n / alpha) + arms * (early + 2 * n)
    t1 = math.exp(theorem1_log_t1(d1, alpha))
    return math.log(t2) if t2 > 0 else -math.inf, math.log(2 * max(t1, t2) + 8 * arms + arms * early)


def hidden_radius(N, K, t, d1, d2):
    return math.sqrt(4 * math.log(t) / N) + d1 * K / N + math.sqrt(12 * d2 * K * math.log(t) / N**2)


def theorem3(arms, T, h, inverse, d):
    """sqrt(T h(2T) N ln N) + h^-1(d)."""
    return math.sqrt(T * h(2 * T) * arms * math.log(arms)) + inverse(d)


def lost_by_fresh_rounds(d, rounds, rng):
    """Share of its last d steps that a fresh round of CLW on the best arm loses, on average over so many rounds.

    Coin by coin: the round ends with heads after 2d - 1 tails, which are counted from the last end's heads. Pull j of a
    streak is paid after one step, from the 3d-th on after d; the first step of a round holds what came before it.
    """
    lost = 0
    for _ in range(rounds):
        length = tails = 0
        while True:
            length += 1
            if rng.random() < 1 / (2 * d):
                if tails >= 2 * d - 1:
                    break
                tails = 0
            else:
                tails += 1
        paid = {1, *(j + (d if j >= 3 * d else 1) for j in range(1, length + 1))}
        lost += sum(step not in paid for step in range(length - d + 1, length + 1))
    return lost / (d * rounds)


def lower_rate(arms, T, d):
    """sqrt(d T N), the order of CLW's lower bound."""
    return (d * T * arms) ** 0.5


def theorem2(arms, horizon, beta, d):
    """3 g(K) sqrt(N K ln N) + 2 d K + g(K + 1)."""
    K, _ = complete_rounds(horizon, lambda k: ROUND_SIZE["ceil"](k, beta))
    first, last = (ROUND_SIZE["ceil"](k, beta) for k in (K, K + 1))
    return 3 * first * math.sqrt(arms * K * math.log(arms)) + 2 * d * K + last
