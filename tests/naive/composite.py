"""Slow, literal twins of the algorithms for bandits with composite and anonymous feedback.

Wang, Wang, Huang, "Adaptive Algorithms for Multi-armed Bandit with Composite and Anonymous Feedback", AAAI 2021, and
its baselines. Every twin keeps its history and computes what it decides by from it. `select()` gives the arm of the
next step, `update(arm, seen)` tells what was seen in that step. `rounds` lists (steps played before, arm, length); the
last round may be cut by the end of the game. Arms count from 0.

Every draw is one `rng.random()`. An arm: the first whose cumulative probability, in index order, exceeds the uniform. A
coin: 1 if the uniform is below its probability. ARS-EXP3 and EXP3 draw the arm at the start of each round. CLW draws
an arm before the first step and, at the start of a step, after each step that ended a round; then, in every step, the
coin of that step. ARS-CLW draws at the start of a phase an arm and the coins of its first 2d - 1 steps; then in every
step an arm, if the step before ended a round of the same phase, and after it the coin of the step 2d - 1 ahead.
"""

import itertools
import math

GROWTH = {
    "1": lambda k: 1,
    "k": lambda k: k,
    "k2": lambda k: k * k,
    "k3": lambda k: k * k * k,
    "2k": lambda k: 4 if k == 1 else 2**k,
}


def total(values):
    """Sum in the given order, rounded after every addition as a running total is."""
    result = 0.0
    for value in values:
        result += value
    return result


def seen_by(history, arm):
    return [seen for played, seen in history if played == arm]


def draw_arm(chances, rng):
    uniform, passed = rng.random(), 0.0
    for arm, chance in enumerate(chances):
        passed += chance
        if uniform < passed:
            return arm
    return len(chances) - 1


class ARSUCB:
    """Algorithm 1: hold the arm of the largest (capped) index for f(k) steps in its k-th round."""

    def __init__(self, arms, alpha, growth, cap=True):
        self.arms, self.alpha, self.cap = arms, alpha, cap
        self.growth = GROWTH.get(growth, growth)
        self.history, self.rounds = [], []

    def index(self, arm):
        seen = seen_by(self.history, arm)
        index = total(seen) / len(seen) + math.sqrt(self.alpha * math.log(len(self.history)) / len(seen))
        return min(index, 1.0) if self.cap else index

    def decide(self):
        if len(self.rounds) < self.arms:
            return len(self.rounds)
        return min(range(self.arms), key=lambda arm: (-self.index(arm), len(seen_by(self.history, arm)), arm))

    def select(self):
        t = len(self.history)
        if t == sum(length for _, _, length in self.rounds):
            arm = self.decide()
            k = 1 + sum(played == arm for _, played, _ in self.rounds)
            self.rounds.append((t, arm, math.ceil(self.growth(k))))
        return self.rounds[-1][1]

    def update(self, arm, seen):
        self.history.append((arm, seen))


class UCB1:
    """Delay-blind UCB1: what is seen in a step is credited to the arm of that step; no cap."""

    def __init__(self, arms):
        self.arms, self.history = arms, []

    def index(self, arm):
        seen = seen_by(self.history, arm)
        return total(seen) / len(seen) + math.sqrt(2 * math.log(len(self.history)) / len(seen))

    def select(self):
        if len(self.history) < self.arms:
            return len(self.history)
        return min(range(self.arms), key=lambda arm: (-self.index(arm), len(seen_by(self.history, arm)), arm))

    def update(self, arm, seen):
        self.history.append((arm, seen))


ROUND_SIZE = {
    "ceil": lambda k, beta: math.ceil(k**beta - 1e-9),
    "floor": lambda k, beta: math.floor(k**beta + 1e-9),
    "nearest": lambda k, beta: math.floor(k**beta + 0.5),
}


def complete_rounds(horizon, g):
    """The largest K with g(1) + ... + g(K) <= horizon, and that sum."""
    K = length = 0
    while length + g(K + 1) <= horizon:
        K, length = K + 1, length + g(K + 1)
    return K, length


def ars_exp3_gamma(arms, horizon, beta):
    return min(1.0, math.sqrt(arms * math.log(arms) / ((math.e - 1) * ((beta + 1) * horizon) ** (1 / (beta + 1)))))


class ARSEXP3:
    """Algorithm 2: one draw per round, round sizes g(k) = ceil(k ** beta), rewards scaled by the last size g(K)."""

    def __init__(self, arms, horizon, beta, rng, rounding="ceil"):
        self.g = lambda k: ROUND_SIZE[rounding](k, beta)
        self.arms, self.horizon, self.rng = arms, horizon, rng
        self.K, self.G = complete_rounds(horizon, self.g)
        self.gamma = ars_exp3_gamma(arms, horizon, beta)
        self.history, self.rounds, self.drawn_from = [], [], []

    def weights(self):
        """w_i after the rounds done so far."""
        w = [1.0] * self.arms
        for (start, arm, length), p in zip(self.rounds, self.drawn_from, strict=True):
            Z = total(seen for _, seen in self.history[start : start + length])
            w[arm] += self.gamma * min(Z, length) / (self.arms * p[arm])
        return w

    def probabilities(self):
        w = self.weights()
        e = [math.exp((weight - max(w)) / self.g(self.K)) for weight in w]
        return [(1 - self.gamma) * value / sum(e) + self.gamma / self.arms for value in e]

    def select(self):
        t = len(self.history)
        if t == sum(length for _, _, length in self.rounds):
            p = self.probabilities()
            k = len(self.rounds) + 1
            self.rounds.append((t, draw_arm(p, self.rng), self.g(k) if k <= self.K else self.horizon - self.G))
            self.drawn_from.append(p)
        return self.rounds[-1][1]

    def update(self, arm, seen):
        self.history.append((arm, seen))


class EXP3:
    """Delay-blind EXP3 (Auer et al. 2002) with the weights themselves; what is seen in a step is capped at 1."""

    def __init__(self, arms, horizon, rng):
        self.arms, self.rng, self.history = arms, rng, []
        self.gamma = min(1.0, math.sqrt(arms * math.log(arms) / ((math.e - 1) * horizon)))

    def probabilities(self):
        weights = [1.0] * self.arms
        for arm, estimate in self.history:
            weights[arm] *= math.exp(self.gamma * estimate / self.arms)
        return [(1 - self.gamma) * weight / sum(weights) + self.gamma / self.arms for weight in weights]

    def select(self):
        return draw_arm(self.probabilities(), self.rng)

    def update(self, arm, seen):
        self.history.append((arm, min(seen, 1.0) / self.probabilities()[arm]))


def wrapper_gamma(arms, horizon, d):
    return min(1.0, math.sqrt(2 * d * arms * math.log(arms) / (horizon + d)))


def wrapper_probabilities(arms, gamma, fed):
    """EXP3 inside the wrappers; `fed` lists (arm, reward x, probability that the arm was drawn with)."""
    log_theta = [0.0] * arms
    for arm, x, chance in fed:
        log_theta[arm] += gamma * x / (arms * chance)
    theta = [math.exp(value - max(log_theta)) for value in log_theta]
    return [(1 - gamma) * value / sum(theta) + gamma / arms for value in theta]


def window_reward(history, d):
    """What a round that ends now is worth: half the mean of the last d observations, at most 1."""
    return min(1.0, total(seen for _, seen in history[-d:]) / (2 * d))


class CLW:
    """Composite Loss Wrapper: step t ends a round if its coin is 1 and the 2d - 1 coins before it are 0."""

    def __init__(self, arms, horizon, d, rng, start="zeros"):
        self.arms, self.d, self.rng, self.start = arms, d, rng, start
        self.gamma = wrapper_gamma(arms, horizon, d)
        self.history, self.coins, self.fed, self.ends = [], [], [], []

    def ends_round(self, t):
        """t counts from 1; coins before the first step count as 0, but `wait` lets no round end before 2d."""
        previous = self.coins[max(0, t - 2 * self.d) : t - 1]
        return self.coins[t - 1] == 1 and not any(previous) and (self.start == "zeros" or t >= 2 * self.d)

    def select(self):
        t = len(self.history) + 1
        if t == 1 or t - 1 in self.ends:
            self.p = wrapper_probabilities(self.arms, self.gamma, self.fed)
            self.arm = draw_arm(self.p, self.rng)
        self.coins.append(int(self.rng.random() < 1 / (2 * self.d)))
        return self.arm

    def update(self, arm, seen):
        self.history.append((arm, seen))
        t = len(self.history)
        if self.ends_round(t):
            self.ends.append(t)
            self.fed.append((arm, window_reward(self.history, self.d), self.p[arm]))


def power_guess(power):
    """h(T) = max(1, ceil(T ** power)), exact at perfect powers."""
    return lambda T: max(1, math.ceil(T**power - 1e-9))


CUBE_ROOT = power_guess(1 / 3)


class ARSCLW:
    """Algorithm 3: phases that double; step t ends a round if its coin is 1 and the 2d - 1 coins after it are 0."""

    def __init__(self, arms, rng, h=CUBE_ROOT, first=1000):
        self.arms, self.rng, self.h = arms, rng, h
        self.phase_start, self.phase_end = 0, first
        self.history, self.coins, self.ends = [], {}, []
        self.begin_phase()

    def begin_phase(self):
        self.d = self.h(self.phase_end)
        self.gamma = wrapper_gamma(self.arms, self.phase_end, self.d)
        self.fed = []
        self.draw()
        for t in range(self.phase_start + 1, self.phase_start + 2 * self.d):
            self.toss(t)

    def draw(self):
        self.p = wrapper_probabilities(self.arms, self.gamma, self.fed)
        self.arm = draw_arm(self.p, self.rng)

    def toss(self, t):
        self.coins[t] = int(self.rng.random() < 1 / (2 * self.d))

    def select(self):
        t = len(self.history) + 1
        if t > self.phase_end:
            self.phase_start, self.phase_end = self.phase_end, 2 * self.phase_end
            self.begin_phase()
        elif t - 1 in self.ends:
            self.draw()
        self.toss(t + 2 * self.d - 1)
        return self.arm

    def update(self, arm, seen):
        self.history.append((arm, seen))
        t = len(self.history)
        if self.coins[t] == 1 and not any(self.coins[later] for later in range(t + 1, t + 2 * self.d)):
            self.ends.append(t)
            self.fed.append((arm, window_reward(self.history, self.d), self.p[arm]))


def odaaf_samples(m, horizon, variant, mean_delay, var_delay=None, d=None):
    """n_m of ODAAF before rounding: plays of each active arm up to the end of phase m."""

    tolerance = 2.0**-m
    L = max(0.0, math.log(horizon * tolerance**2))

    def solve(delay_term):
        root = math.sqrt(2 * L + 8 / 3 * tolerance * L + tolerance * delay_term)
        return (math.sqrt(2 * L) + root) ** 2 / tolerance**2

    if variant == "mean":
        return solve(6 * m * mean_delay)
    if variant == "bound":
        return max(m * min(d, solve(6 * m * mean_delay) / m), solve(4 * mean_delay))
    return solve(4 * (mean_delay + 2 * var_delay))


def generalised_samples(m, horizon, d):
    """n_m of generalised ODAAF before rounding."""
    tolerance = 2.0**-m
    L = max(0.0, math.log(horizon * tolerance**2))
    return (math.sqrt(L) + math.sqrt(L + 4 * tolerance * m * d)) ** 2 / (2 * tolerance**2)


def cumulative_plays(samples, phases):
    """Rounded-up, non-decreasing n_1, ..., n_phases."""
    return [math.ceil(n) for n in itertools.accumulate((samples(m) for m in range(1, phases + 1)), max)]


class PhasedElimination:
    """Phases, eliminations and bridges; n_m is samples(m), the bridge after phase m has bridge(m, plays) steps.

    A phase without new plays has no bridge, but its smaller tolerance can still eliminate arms.
    """

    def __init__(self, arms, horizon, samples, bridge):
        self.horizon, self.samples, self.bridge = horizon, samples, bridge
        self.history, self.rounds, self.counted = [], [], []
        self.plan = self.phases(list(range(arms)))

    def phases(self, active):
        """Yields (arm, length, whether what is seen counts); resumed when that has been played."""
        for m in itertools.count(1):
            done, goal = [0, *cumulative_plays(self.samples, m)][-2:]
            for arm in active:
                yield arm, goal - done, True
            means = {arm: self.mean(arm) for arm in active}
            best = max(means.values())
            active = [arm for arm in active if not means[arm] + 2.0**-m < best]
            if len(active) == 1:
                yield active[0], self.horizon, False
            yield (
                min(arm for arm in active if means[arm] == best),
                self.bridge(m, goal - done) if goal > done else 0,
                False,
            )

    def mean(self, arm):
        rounds = [r for r, counts in zip(self.rounds, self.counted, strict=True) if counts and r[1] == arm]
        seen = [self.history[t][1] for start, _, length in rounds for t in range(start, start + length)]
        return total(seen) / len(seen)

    def select(self):
        t = len(self.history)
        while t == sum(length for _, _, length in self.rounds):
            arm, length, counts = next(self.plan)
            if length > 0:
                self.rounds.append((t, arm, min(length, self.horizon - t)))
                self.counted.append(counts)
        return self.rounds[-1][1]

    def update(self, arm, seen):
        self.history.append((arm, seen))


class ODAAF(PhasedElimination):
    """Pike-Burke et al. (2018), variants `mean`, `bound`, `var`; `mean_delay` must be positive."""

    def __init__(self, arms, horizon, variant="mean", mean_delay=None, var_delay=None, d=None):
        def samples(m):
            return odaaf_samples(m, horizon, variant, mean_delay, var_delay, d)

        super().__init__(arms, horizon, samples, lambda m, plays: plays)


class GeneralisedODAAF(PhasedElimination):
    """In the manner of Garg and Akash (2019); bridges as long as the phase's plays per arm (`ratio`), d, or none."""

    def __init__(self, arms, horizon, d, bridge="ratio"):
        lengths = {"ratio": lambda m, plays: plays, "d": lambda m, plays: d, "none": lambda m, plays: 0}
        super().__init__(arms, horizon, lambda m: generalised_samples(m, horizon, d), lengths[bridge])


class Doubling:
    """A fresh policy make(horizon) for each of the epochs of first, 2 first, 4 first, ... steps."""

    def __init__(self, make, first=1000):
        self.make, self.epoch, self.left, self.policy = make, first, first, make(first)

    def select(self):
        if self.left == 0:
            self.epoch *= 2
            self.left, self.policy = self.epoch, self.make(self.epoch)
        return self.policy.select()

    def update(self, arm, seen):
        self.policy.update(arm, seen)
        self.left -= 1
