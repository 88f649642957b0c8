"""Slow, literal twins of the contextual uplifting bandits: Section 8 and Appendix C of "Uplifting Bandits".

`select(context)` takes the features of the m individuals, one row each, and gives the treatment of each one (0: none);
`update(context, action, y)` tells their payoffs. The model (linear or logistic) keeps every (features, payoff) pair
under the treatment it came from and is fitted anew in each round. A policy treats exactly L individuals, or with
`at_most` only those among them with a positive index; the lowest individual and the lowest treatment win a tie.
"""

import math

import numpy as np
from scipy.optimize import root
from scipy.special import expit


def gram(X, lam):
    """V of equation (45): lam * I plus the sum of x x'."""
    V = lam * np.eye(X.shape[1])
    for x in X:
        V = V + np.outer(x, x)
    return V


def norm(x, V):
    """The norm of x in the inverse of V."""
    return math.sqrt(x @ np.linalg.solve(V, x))


def logistic_fit(X, y):
    """The w of least sum(log(1 + exp(x w)) - y x w) + |w|^2 / 2; zeros without data.

    The loss is strictly convex: its minimum is the root of its gradient, which rounding blurs far less.
    """

    def gradient(w):
        return X.T @ (expit(X @ w) - y) + w

    def hessian(w):
        p = expit(X @ w)
        return (X.T * (p * (1 - p))) @ X + np.eye(len(w))

    return root(gradient, np.zeros(X.shape[1]), jac=hessian, tol=1e-14).x


class LinearModel:
    """Equations (45)-(46): ridge regression of the payoffs on the features, one per treatment."""

    def __init__(self, d, lam):
        self.d, self.lam = d, lam
        self.seen = []  # (treatment, features, payoff)

    def rows(self, z):
        X = np.array([x for treatment, x, _ in self.seen if treatment == z]).reshape(-1, self.d)
        return X, np.array([payoff for treatment, _, payoff in self.seen if treatment == z])

    def add(self, context, action, y):
        self.seen += [(int(z), np.array(x, dtype=float), float(v)) for z, x, v in zip(action, context, y, strict=True)]

    def estimate(self, z, context):
        X, y = self.rows(z)
        theta = np.linalg.solve(gram(X, self.lam), X.T @ y)
        return np.array([x @ theta for x in context])

    def width(self, z, context):
        V = gram(self.rows(z)[0], self.lam)
        return np.array([norm(x, V) for x in context])


class LogisticModel:
    """Appendix C.3: logistic regression with a constant before the features, which V holds as well (lam = 1)."""

    def __init__(self, d):
        self.linear = LinearModel(d + 1, 1.0)

    def add(self, context, action, y):
        self.linear.add(with_constant(context), action, y)

    def estimate(self, z, context):
        w = logistic_fit(*self.linear.rows(z))
        return np.array([expit(x @ w) for x in with_constant(context)])

    def width(self, z, context):
        return self.linear.width(z, with_constant(context))


def with_constant(context):
    return np.array([[1.0, *x] for x in context])


def upper(model, z, context, bonus):
    """U^z(i) of equation (46), or its logistic counterpart."""
    return model.estimate(z, context) + bonus * model.width(z, context)


def largest(indices, L, at_most=False):
    """The L individuals of the largest indices, the lowest first among equals."""
    order = sorted(range(len(indices)), key=lambda i: -indices[i])
    return [i for i in order[:L] if indices[i] > 0 or not at_most]


def action_of(chosen, treatments):
    return [int(treatments[i]) if i in chosen else 0 for i in range(len(treatments))]


class Optimistic:
    """Algorithms 7 and 8 and C2UCB, told apart by `indices(context, bonus)` -> array (individuals, treatments).

    `bonus` is a number, or a function of the round (from 1) such as alpha_t of Theorem 5.
    """

    def __init__(self, model, indices, L, bonus, at_most):
        self.model, self.indices, self.L, self.at_most = model, indices, L, at_most
        self.bonus = bonus if callable(bonus) else lambda t: bonus
        self.t = 1

    def select(self, context):
        rho = self.indices(context, self.bonus(self.t))
        treatments = [1 + list(row).index(max(row)) for row in rho]
        return action_of(largest([max(row) for row in rho], self.L, self.at_most), treatments)

    def update(self, context, action, y):
        self.model.add(context, action, y)
        self.t += 1


def C2UpUCB(model, L, bonus, at_most=False):
    """Algorithm 7: U^1 - U^0."""

    def indices(context, c):
        return (upper(model, 1, context, c) - upper(model, 0, context, c))[:, None]

    return Optimistic(model, indices, L, bonus, at_most)


def C2UpUCBbl(model, baseline, L, bonus, at_most=False):
    """Algorithm 7 with the expected baseline payoffs `baseline(context)` known: U^1 - g^0."""

    def indices(context, c):
        return (upper(model, 1, context, c) - baseline(context))[:, None]

    return Optimistic(model, indices, L, bonus, at_most)


def C2UpUCBM(model, q, L, bonus, at_most=False, baseline=None):
    """Algorithm 8 with treatments 1..q: U^z - U^0, the best treatment for each; or U^z - g^0 with g^0 known."""

    def indices(context, c):
        U0 = upper(model, 0, context, c) if baseline is None else baseline(context)
        return np.stack([upper(model, z, context, c) - U0 for z in range(1, q + 1)], axis=1)

    return Optimistic(model, indices, L, bonus, at_most)


def C2UCB(model, L, bonus, q=1):
    """Qin, Chen, Zhu (2014): U^z, baseline ignored."""

    def indices(context, c):
        return np.stack([upper(model, z, context, c) for z in range(1, q + 1)], axis=1)

    return Optimistic(model, indices, L, bonus, at_most=False)


class Greedy:
    """The L largest estimated uplifts; with `baseline(context)` known, Greedy (bl)."""

    def __init__(self, model, L, baseline=None):
        self.model, self.L = model, L
        self.baseline = baseline or (lambda context: model.estimate(0, context))

    def uplift(self, context):
        return self.model.estimate(1, context) - self.baseline(context)

    def select(self, context):
        return action_of(largest(self.uplift(context), self.L), [1] * len(context))

    def update(self, context, action, y):
        self.model.add(context, action, y)


def GreedyBl(model, baseline, L):
    return Greedy(model, L, baseline)


class EpsilonGreedy:
    """b ~ Bin(L, epsilon); L - b greedy picks, then b uniform among those not selected; `baseline` as in Greedy.

    A round draws b by `binomial`, then one uniform number u per random pick: it goes to number int(u * free) of the
    individuals not yet selected, in ascending order.
    """

    def __init__(self, model, L, epsilon, rng, baseline=None):
        self.greedy, self.L, self.epsilon, self.rng = Greedy(model, L, baseline), L, epsilon, rng

    def select(self, context):
        b = self.rng.binomial(self.L, self.epsilon)
        chosen = largest(self.greedy.uplift(context), self.L - b)
        for _ in range(b):
            free = [i for i in range(len(context)) if i not in chosen]
            chosen.append(free[int(len(free) * self.rng.random())])
        return action_of(chosen, [1] * len(context))

    def update(self, context, action, y):
        self.greedy.update(context, action, y)


class EpsilonGreedyM:
    """`EpsilonGreedy` with treatments 1..q: after the number of the person a uniform number draws the treatment."""

    def __init__(self, model, q, L, epsilon, rng):
        self.model, self.q, self.L, self.epsilon, self.rng = model, q, L, epsilon, rng

    def select(self, context):
        g0 = self.model.estimate(0, context)
        rho = np.stack([self.model.estimate(z, context) - g0 for z in range(1, self.q + 1)], axis=1)
        treatments = [1 + list(row).index(max(row)) for row in rho]
        b = self.rng.binomial(self.L, self.epsilon)
        chosen = largest([max(row) for row in rho], self.L - b)
        for _ in range(b):
            free = [i for i in range(len(context)) if i not in chosen]
            person = free[int(len(free) * self.rng.random())]
            chosen.append(person)
            treatments[person] = 1 + int(self.q * self.rng.random())
        return action_of(chosen, treatments)

    def update(self, context, action, y):
        self.model.add(context, action, y)


def EpsilonGreedyBl(model, baseline, L, epsilon, rng):
    return EpsilonGreedy(model, L, epsilon, rng, baseline)


class UpUCBblLinear:
    """Section 8, K actions with linear payoffs: theta^0 and the affected people known, one ridge regression an action.

    A context is (x, sets): the features of everybody, and for each action whom it affects.
    """

    def __init__(self, theta0, K, bonus, lam):
        self.theta0, self.K, self.bonus, self.lam = np.array(theta0, float), K, bonus, lam
        self.seen = [[] for _ in range(K)]  # (X, response) of the rounds that played the action

    def X(self, context, a):
        x, sets = context
        return sum((np.array(x[i], float) for i in sets[a]), np.zeros(len(self.theta0)))

    def index(self, context, a):
        X, V, b = self.X(context, a), self.lam * np.eye(len(self.theta0)), np.zeros(len(self.theta0))
        for past, response in self.seen[a]:
            V, b = V + np.outer(past, past), b + response * past
        return np.linalg.solve(V, b) @ X + self.bonus * norm(X, V)

    def select(self, context):
        values = [self.index(context, a) for a in range(self.K)]
        return values.index(max(values))

    def update(self, context, action, y):
        x, sets = context
        response = sum(y[i] - self.theta0 @ np.array(x[i], float) for i in sets[action])
        self.seen[action].append((self.X(context, action), response))


def theorem_5_alpha(t, d, m, q, lam, S, delta):
    """alpha_t of Theorem 5; lam >= L, |theta^z| <= S."""
    return math.sqrt(lam) * S + math.sqrt(2 * math.log((q + 1) / delta) + d * math.log(1 + m * t / (d * lam)))


def theorem_5(T, d, m, q, L, lam, S, delta):
    """Regret bound of C2UpUCB-M, equation (47)."""
    alpha = theorem_5_alpha(T, d, m, q, lam, S, delta)
    return 4 * math.sqrt(d * L * (q + 1) * T * math.log(1 + L * T / (d * lam))) * alpha


def lemma_5(V, lam, theta_norm, delta_prime):
    """Radius in the norm of V of the confidence ellipsoid around the ridge estimate."""
    log_det = math.log(np.linalg.det(V)) - len(V) * math.log(lam)
    return math.sqrt(lam) * theta_norm + math.sqrt(2 * math.log(1 / delta_prime) + log_det)


def lemma_6(pairs, d, lam):
    """Bound on the sum of squared norms of `pairs` features, each in the inverse V of the round before."""
    return 2 * d * math.log(1 + pairs / (d * lam))
