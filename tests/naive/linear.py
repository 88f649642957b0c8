"""Linear bandits word by word: the whole history is kept, the regression is solved anew in every round."""

import numpy as np
from scipy.optimize import minimize


class Regression:
    """Ridge regression over the history."""

    def __init__(self, features, ridge):
        self.design, self.rewards, self.features, self.ridge = [], [], features, ridge

    def solve(self):
        """V and the estimate."""
        X = np.array(self.design).reshape(-1, self.features)
        V = self.ridge * np.eye(self.features) + X.T @ X
        return V, np.linalg.solve(V, X.T @ np.array(self.rewards))

    def update(self, x, reward):
        self.design.append(np.array(x))
        self.rewards.append(reward)


class LinUCB(Regression):
    """Li and others (2010), Algorithm 1, one theta for all arms."""

    def __init__(self, features, alpha, ridge):
        super().__init__(features, ridge)
        self.alpha = alpha

    def select(self, contexts, rng):
        V, theta = self.solve()
        return int(np.argmax([x @ theta + self.alpha * np.sqrt(x @ np.linalg.inv(V) @ x) for x in contexts]))


class LinTS(Regression):
    """Agrawal, Goyal (2013), Algorithm 1."""

    def __init__(self, features, scale, ridge):
        super().__init__(features, ridge)
        self.scale = scale

    def select(self, contexts, rng):
        V, theta = self.solve()
        drawn = theta + self.scale * np.linalg.cholesky(np.linalg.inv(V)) @ rng.standard_normal(self.features)
        return int(np.argmax([x @ drawn for x in contexts]))


class LogisticTS:
    """Chapelle, Li (2011), Algorithm 3, a batch of one round; the mode by a general minimiser."""

    def __init__(self, features, scale, penalty):
        self.m, self.q, self.scale = np.zeros(features), np.full(features, penalty), scale

    def select(self, contexts, rng):
        w = self.m + self.scale * rng.standard_normal(len(self.m)) / np.sqrt(self.q)
        return int(np.argmax([x @ w for x in contexts]))

    def update(self, x, reward):
        y = 2 * reward - 1

        def loss(w):
            return 0.5 * self.q @ (w - self.m) ** 2 + np.logaddexp(0, -y * (w @ x))

        def slope(w):
            return self.q * (w - self.m) - y * x / (1 + np.exp(y * (w @ x)))

        self.m = minimize(loss, self.m, jac=slope, method="BFGS", options={"gtol": 1e-10}).x
        p = 1 / (1 + np.exp(-self.m @ x))
        self.q = self.q + x**2 * p * (1 - p)
