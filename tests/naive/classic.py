"""UCB1 and EXP3 word by word: the whole history is kept, every quantity is computed anew in every round."""

import math


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
