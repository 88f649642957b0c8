"""Textbook policies word by word: the whole history is kept, every metric is computed anew in every round."""

import math

from banditlab import classic


class Historian:
    """Keeps every pair of arm and reward; `now` is the number of the current round, from 1."""

    def __init__(self, arms):
        self.arms, self.history = arms, []

    @property
    def now(self):
        return len(self.history) + 1

    def rewards(self, arm, last=None):
        """The rewards of an arm, of the last so many rounds if told."""
        return [reward for played, reward in self.history[-last if last else None :] if played == arm]

    def argmax(self, index):
        """The lowest arm of largest index(rewards of the arm); an arm without rewards comes first."""
        values = [index(self.rewards(arm)) if self.rewards(arm) else math.inf for arm in range(self.arms)]
        return values.index(max(values))

    def update(self, arm, reward):
        self.history.append((arm, reward))


def mean(values):
    """Exactly rounded, so that the order of the values does not matter."""
    return math.fsum(values) / len(values)


class UCB1:
    """Auer, Cesa-Bianchi, Fischer (2002), Figure 1, with the number of the current round under the logarithm."""

    def __init__(self, arms, alpha):
        self.arms, self.alpha, self.history = arms, alpha, []

    def select(self):
        now = len(self.history) + 1
        indices = []
        for arm in range(self.arms):
            rewards = [reward for played, reward in self.history if played == arm]
            if not rewards:
                return arm
            mean = math.fsum(rewards) / len(rewards)
            indices.append(mean + math.sqrt(self.alpha * math.log(now) / len(rewards)))
        return indices.index(max(indices))

    def update(self, arm, reward):
        self.history.append((arm, reward))


class EXP3:
    """Auer, Cesa-Bianchi, Freund, Schapire (2002), Figure 1, the weights themselves instead of their logarithms."""

    def __init__(self, arms, horizon):
        self.arms, self.history = arms, []
        self.gamma = min(1.0, math.sqrt(arms * math.log(arms) / ((math.e - 1) * horizon)))

    def probabilities(self):
        weights = [1.0] * self.arms
        for arm, estimate in self.history:
            weights[arm] *= math.exp(self.gamma * estimate / self.arms)
        total = sum(weights)
        return [(1 - self.gamma) * weight / total + self.gamma / self.arms for weight in weights]

    def select(self, uniform):
        """The arm where the running sum of the probabilities passes a uniform variate."""
        passed = 0.0
        for arm, chance in enumerate(self.probabilities()):
            passed += chance
            if uniform < passed:
                return arm
        return self.arms - 1

    def update(self, arm, reward):
        self.history.append((arm, reward / self.probabilities()[arm]))


class KLUCB(Historian):
    """Garivier, Cappé (2011), Algorithm 1: the largest q by bisection."""

    def __init__(self, arms, c):
        super().__init__(arms)
        self.c = c

    def divergence(self, p, q):
        terms = [a * math.log(a / b) if b > 0 else math.inf for a, b in ((p, q), (1 - p, 1 - q)) if a > 0]
        return math.fsum(terms)

    def index(self, rewards):
        p = mean(rewards)
        most = max(0.0, math.log(self.now) + self.c * math.log(math.log(self.now)))
        low, high = p, 1.0
        for _ in range(200):
            q = (low + high) / 2
            if len(rewards) * self.divergence(p, q) <= most:
                low = q
            else:
                high = q
        return low

    def select(self, rng):
        return self.now - 1 if self.now <= self.arms else self.argmax(self.index)


class MOSS(Historian):
    """Audibert, Bubeck (2009), Section 2.1."""

    def __init__(self, arms, horizon):
        super().__init__(arms)
        self.horizon = horizon

    def index(self, rewards):
        s = len(rewards)
        return mean(rewards) + math.sqrt(max(math.log(self.horizon / (self.arms * s)), 0) / s)

    def select(self, rng):
        return self.argmax(self.index)


class UCBV(Historian):
    """Audibert, Munos, Szepesvári (2009), Equation 1."""

    def __init__(self, arms, zeta, c, b):
        super().__init__(arms)
        self.zeta, self.c, self.b = zeta, c, b

    def index(self, rewards):
        s, explore, centre = len(rewards), self.zeta * math.log(self.now), mean(rewards)
        variance = mean([(x - centre) ** 2 for x in rewards])
        return centre + math.sqrt(2 * variance * explore / s) + 3 * self.b * self.c * explore / s

    def select(self, rng):
        return self.argmax(self.index)


class ThompsonBeta(Historian):
    """Agrawal, Goyal (2012), Algorithm 2: after every reward a Bernoulli trial with it as its chance."""

    def __init__(self, arms, wins, losses):
        super().__init__(arms)
        self.wins, self.losses = wins, losses

    def select(self, rng):
        draws = []
        for arm in range(self.arms):
            successes = sum(self.rewards(arm))
            draws.append(rng.beta(self.wins + successes, self.losses + len(self.rewards(arm)) - successes))
        self.rng = rng
        return draws.index(max(draws))

    def update(self, arm, reward):
        super().update(arm, 1 if self.rng.random() < reward else 0)


class ThompsonGaussian(Historian):
    """Agrawal, Goyal (2013), Algorithm 2, with sigma in place of 1."""

    def __init__(self, arms, sigma):
        super().__init__(arms)
        self.sigma = sigma

    def select(self, rng):
        draws = []
        for arm in range(self.arms):
            k = len(self.rewards(arm))
            draws.append(rng.normal(math.fsum(self.rewards(arm)) / (k + 1), self.sigma / math.sqrt(k + 1)))
        return draws.index(max(draws))


class EpsilonGreedy(Historian):
    """Sutton, Barto (2018), Section 2.4; the chance of round n is that of a function."""

    def __init__(self, arms, chance):
        super().__init__(arms)
        self.chance = chance

    def select(self, rng):
        if rng.random() < self.chance(self.now):
            return int(rng.random() * self.arms)
        return self.argmax(mean)


class ExploreThenCommit(Historian):
    """Lattimore, Szepesvári (2020), Algorithm 1."""

    def __init__(self, arms, pulls):
        super().__init__(arms)
        self.pulls = pulls

    def select(self, rng):
        explored = self.pulls * self.arms
        if self.now <= explored:
            return (self.now - 1) % self.arms
        first = Historian(self.arms)
        first.history = self.history[:explored]
        return first.argmax(mean)


class SuccessiveElimination(Historian):
    """Even-Dar, Mannor, Mansour (2006), Algorithm 3, which in the end plays the last arm."""

    def __init__(self, arms, delta, c):
        super().__init__(arms)
        self.delta, self.c, self.t = delta, c, 0
        self.alive = self.queue = list(range(arms))

    def select(self, rng):
        if not self.queue:
            self.t += 1
            alpha = math.sqrt(math.log(self.c * self.arms * self.t**2 / self.delta) / self.t)
            means = {arm: mean(self.rewards(arm)[: self.t]) for arm in self.alive}
            if len(self.alive) > 1:
                self.alive = [arm for arm in self.alive if not max(means.values()) - means[arm] >= 2 * alpha]
            self.queue = self.alive
        arm, *self.queue = self.queue
        return arm


class EXP3IX(Historian):
    """Neu (2015), Algorithm 1; without a horizon the rates of Theorem 1, with all losses at the rate of the round."""

    def __init__(self, arms, horizon=None):
        super().__init__(arms)
        self.horizon = horizon

    def eta(self):
        if self.horizon is None:
            return math.sqrt(math.log(self.arms) / (self.arms * self.now))
        return math.sqrt(2 * math.log(self.arms) / (self.arms * self.horizon))

    def probabilities(self):
        losses = [math.fsum(self.rewards(arm)) for arm in range(self.arms)]  # estimated
        weights = [math.exp(-self.eta() * loss) for loss in losses]
        return [weight / sum(weights) for weight in weights]

    def select(self, rng):
        uniform, passed = rng.random(), 0.0
        for arm, chance in enumerate(self.probabilities()):
            passed += chance
            if uniform < passed:
                return arm
        return self.arms - 1

    def update(self, arm, reward):
        super().update(arm, (1 - reward) / (self.probabilities()[arm] + self.eta() / 2))


class SlidingUCB(Historian):
    """Garivier, Moulines (2011), Section 3: sums over the last tau rounds."""

    def __init__(self, arms, window, xi, scale):
        super().__init__(arms)
        self.window, self.xi, self.scale = window, xi, scale

    def select(self, rng):
        played = len(self.history)
        if played < self.arms:
            return played
        indices = []
        for arm in range(self.arms):
            rewards = self.rewards(arm, self.window)
            if not rewards:
                return arm
            log = math.log(min(played, self.window))
            indices.append(mean(rewards) + self.scale * math.sqrt(self.xi * log / len(rewards)))
        return indices.index(max(indices))


class DiscountedUCB(Historian):
    """Garivier, Moulines (2011), Section 3: sums with a weight for every round."""

    def __init__(self, arms, gamma, xi, scale):
        super().__init__(arms)
        self.gamma, self.xi, self.scale = gamma, xi, scale

    def select(self, rng):
        t = len(self.history)
        if t < self.arms:
            return t
        numbers, sums = [0.0] * self.arms, [0.0] * self.arms
        for s, (arm, reward) in enumerate(self.history, 1):
            numbers[arm] += self.gamma ** (t - s)
            sums[arm] += self.gamma ** (t - s) * reward
        log = math.log(sum(numbers))
        pairs = zip(sums, numbers, strict=True)
        indices = [x / n + 2 * self.scale * math.sqrt(self.xi * log / n) for x, n in pairs]
        return indices.index(max(indices))


# Policy and twin for a number of arms: they must play the same actions (tests/classic/test_classic.py).
TWINS = {
    "kl_ucb": (lambda k: classic.kl_ucb(k), lambda k: KLUCB(k, 0.0)),
    "kl_ucb, c = 3": (lambda k: classic.kl_ucb(k, 3.0), lambda k: KLUCB(k, 3.0)),
    "moss": (lambda k: classic.moss(k, 200), lambda k: MOSS(k, 200)),
    "ucb_v": (lambda k: classic.ucb_v(k), lambda k: UCBV(k, 1.2, 1.0, 1.0)),
    "ucb_v, other constants": (lambda k: classic.ucb_v(k, 0.7, 0.2, 2.0), lambda k: UCBV(k, 0.7, 0.2, 2.0)),
    "thompson_beta": (lambda k: classic.thompson_beta(k, 0.5, 2.0), lambda k: ThompsonBeta(k, 0.5, 2.0)),
    "thompson_gaussian": (lambda k: classic.thompson_gaussian(k, 0.3), lambda k: ThompsonGaussian(k, 0.3)),
    "epsilon_greedy": (lambda k: classic.epsilon_greedy(k, 0.2), lambda k: EpsilonGreedy(k, lambda n: 0.2)),
    "epsilon_n_greedy": (
        lambda k: classic.epsilon_n_greedy(k, 0.5, 0.4),
        lambda k: EpsilonGreedy(k, lambda n: min(1, 0.4 * k / (0.5**2 * n))),
    ),
    "explore_then_commit": (lambda k: classic.explore_then_commit(k, 7), lambda k: ExploreThenCommit(k, 7)),
    "successive_elimination": (
        lambda k: classic.successive_elimination(k, 0.5, 1.0),
        lambda k: SuccessiveElimination(k, 0.5, 1.0),
    ),
    "exp3_ix": (lambda k: classic.exp3_ix(k, 300), lambda k: EXP3IX(k, 300)),
    "exp3_ix, anytime": (lambda k: classic.exp3_ix(k), lambda k: EXP3IX(k)),
    "sliding_ucb": (lambda k: classic.sliding_ucb(k, 40, 0.6, 0.7), lambda k: SlidingUCB(k, 40, 0.6, 0.7)),
    "sliding_ucb, few": (lambda k: classic.sliding_ucb(k, 2), lambda k: SlidingUCB(k, 2, 0.6, 1.0)),
    "discounted_ucb": (
        lambda k: classic.discounted_ucb(k, 0.97, 0.5, 0.3),
        lambda k: DiscountedUCB(k, 0.97, 0.5, 0.3),
    ),
}
