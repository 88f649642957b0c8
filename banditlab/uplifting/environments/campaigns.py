"""Campaigns: a crowd of people every round, a few of whom are treated."""

from typing import NamedTuple

import numpy as np

from ...classic.linear import draw_direction
from ...engine.methods import helper
from ...validate import choice, flag, how_many, number, table, vector, whole
from ..arguments import treating
from ..data import Pool
from ..logistic import logistic_fit
from ..targets import Choice, new_choice, presume, top
from .gaussian import Observation

__all__ = ["campaign", "linear_campaign"]


@helper
def best_action(world, budget, at_most):
    """Write the best action of the round into the world; return its uplift."""
    best, total = world.best, 0.0
    presume(world.uplift, best)
    top(best, budget, at_most)
    for i in range(len(best.rho)):
        if best.chosen[i] == 1:
            total += best.rho[i]
        else:
            best.treatment[i] = 0
    return total


@helper
def admit(action, treatments, budget, at_most):
    """Refuse what is no action: a treatment that there is not, or too many or too few people treated."""
    treated = 0
    for i in range(len(action)):
        if action[i] < 0 or action[i] > treatments:
            raise ValueError("action: holds a treatment that this campaign does not have")
        if action[i] > 0:
            treated += 1
    if treated > budget:
        raise ValueError("action: treats more people than the budget allows")
    if treated < budget and not at_most:
        raise ValueError("action: must treat exactly as many people as the budget says, unless at_most=True")


class Crowd(NamedTuple):
    """The people of a round."""

    x: np.ndarray  # (m, d) features
    y: np.ndarray  # (m,) payoffs
    uplift: np.ndarray  # (q + 1, m) expected, of every treatment
    best: Choice  # the best action
    picked: np.ndarray  # (n,) numbers in the pool; its first m entries are this round's
    totals: np.ndarray  # (4,) rounds, realised regret, uplift of the best actions; that of this round's
    records: np.ndarray  # (2, 100) realised regret and uplift of the best action, every EVERY rounds


@helper
def crowd(individuals, features, treatments, people):
    """A crowd not yet drawn."""
    m = individuals
    x, y, uplift = np.zeros((m, features)), np.zeros(m), np.zeros((treatments + 1, m))
    return Crowd(x, y, uplift, new_choice(m), np.arange(people), np.zeros(4), np.zeros((2, RECORDS)))


RECORDS, EVERY = 100, 10  # the first so many records, a record every so many rounds


class Linear(NamedTuple):
    """Payoffs linear in the features: what `linear_campaign` returns.

    A round draws m d + m normals whatever the action, so all policies meet the same world.
    """

    theta: np.ndarray  # (q + 1, d)
    individuals: int
    budget: int
    noise: float
    at_most: bool  # whether fewer may be treated

    def actions(self):
        return treating(self.individuals, self.theta.shape[1], len(self.theta) - 1, self.budget, self.at_most)

    def reset(self, rng):
        return crowd(self.individuals, self.theta.shape[1], len(self.theta) - 1, 1)

    def context(self, world, t, rng):
        theta, x, uplift = self.theta, world.x, world.uplift
        for i in range(len(x)):
            draw_direction(x[i], rng)
            for z in range(1, len(theta)):
                uplift[z, i] = 0.0
                for j in range(x.shape[1]):
                    uplift[z, i] += (theta[z, j] - theta[0, j]) * x[i, j]
        world.totals[3] = best_action(world, self.budget, self.at_most)
        return x

    def step(self, world, action, t, rng):
        theta, x, y = self.theta, world.x, world.y
        admit(action, len(theta) - 1, self.budget, self.at_most)
        reward = 0.0
        for i in range(len(y)):
            y[i] = self.noise * rng.standard_normal()
            for j in range(x.shape[1]):
                y[i] += theta[action[i], j] * x[i, j]
            reward += y[i]
        return Observation(y, reward)

    def regret(self, world, action, t):
        total = 0.0
        for i in range(len(action)):
            total += world.uplift[action[i], i]
        return max(0.0, world.totals[3] - total)  # less than 0 can only be rounding


THETA = (0.6, 0.4, 0.0, 0.0, 0.0, 0.0), (0.5, 0.4, 0.5, 0.2, 0.0, 0.0), (0.6, 0.1, 0.0, 0.0, 0.45, -0.3)


def linear_campaign(theta=THETA[:2], individuals=50, budget=5, noise=0.5, at_most=False):
    r"""Contextual uplifting bandit with payoffs :math:`\langle\theta^{z},x\rangle+\xi`, features uniform on the sphere.

    Parameters
    ----------
    theta : array_like, shape (q + 1, d)
        Weights of no treatment (first row) and of every treatment; the paper runs no such experiment, these are ours.
    individuals : int >= 1, people m in a round
    budget : int from 1 to m, people L to be treated in every round
    noise : float > 0, standard deviation of a payoff
    at_most : bool
        Whether fewer than L may be treated (Algorithms 7 and 8); regret is then against the best of these.

    Returns
    -------
    Linear
        The environment; an action is a treatment, 0 for none, for each of the m people.

    References
    ----------
    Hsieh, Kasiviswanathan, Kveton, Uplifting Bandits, NeurIPS 2022, Section 8.

    Examples
    --------
    >>> linear_campaign(budget=3).actions()
    (50, 6, 1, 3)
    """
    theta = table("theta", theta)
    if len(theta) < 2:
        raise ValueError("theta has 1 row: must have one for no treatment and one for each treatment")
    individuals = how_many("individuals", individuals, 32 * theta.shape[1])
    budget = whole("budget", budget, 1, individuals)
    return Linear(theta, individuals, budget, number("noise", noise, above=0), flag("at_most", at_most))


class Campaign(NamedTuple):
    """A campaign on a pool of people: what `campaign` returns.

    A round draws two uniforms for every person whatever the action (who comes, and whether they visit), so all
    policies meet the same world.
    """

    x: np.ndarray  # (n, 1 + features), a constant first
    chances: np.ndarray  # (n, q + 1) of a visit under every treatment, by the oracle models
    logged: np.ndarray  # (n, 2) treatment and visit in the data
    weights: np.ndarray  # (q + 1, 1 + features) of the oracle models
    individuals: int
    budget: int
    at_most: bool  # whether fewer may be treated
    log: bool  # whether the logged visit is used if its treatment is the chosen one

    def actions(self):
        return treating(self.individuals, self.x.shape[1], self.chances.shape[1] - 1, self.budget, self.at_most)

    def diagnostics(self, world, state):
        kept = min(int(world.totals[0]), EVERY * RECORDS) // EVERY
        last = {"realised regret": world.totals[1], "best uplift": world.totals[2]}
        return last | {"realised": world.records[0, :kept], "best": world.records[1, :kept]}

    def reset(self, rng):
        return crowd(self.individuals, self.x.shape[1], self.chances.shape[1] - 1, len(self.x))

    def context(self, world, t, rng):
        pool, chances, picked, x, uplift = self.x, self.chances, world.picked, world.x, world.uplift
        for i in range(len(x)):
            other = i + int((len(picked) - i) * rng.random())
            picked[i], picked[other] = picked[other], picked[i]
            for j in range(x.shape[1]):
                x[i, j] = pool[picked[i], j]
            for z in range(1, chances.shape[1]):
                uplift[z, i] = chances[picked[i], z] - chances[picked[i], 0]
        world.totals[3] = best_action(world, self.budget, self.at_most)
        return x

    def visit(self, person, treatment, u):
        """What this person does under a treatment, given a uniform number."""
        outcome = 1.0 if u < self.chances[person, treatment] else 0.0
        if self.log and self.logged[person, 0] == treatment:
            outcome = 1.0 * self.logged[person, 1]
        return outcome

    def step(self, world, action, t, rng):
        y, picked, totals = world.y, world.picked, world.totals
        admit(action, self.chances.shape[1] - 1, self.budget, self.at_most)
        reward, best = 0.0, 0.0
        for i in range(len(y)):
            u = rng.random()
            y[i] = self.visit(picked[i], action[i], u)
            reward += y[i]
            best += self.visit(picked[i], world.best.treatment[i], u)
        totals[0] += 1.0
        totals[1] += best - reward
        totals[2] += totals[3]
        if (t + 1) % EVERY == 0 and t < EVERY * RECORDS:
            world.records[0, (t + 1) // EVERY - 1] = totals[1]
            world.records[1, (t + 1) // EVERY - 1] = totals[2]
        return Observation(y, reward)

    regret = Linear.regret


MODES = ("counterfactual", "all")


def campaign(pool, mode="counterfactual", individuals=100, budget=10, at_most=False):
    """Targeted campaign: every round 100 people from the pool come, 10 are treated, a payoff is a visit.

    Logistic models fitted on the treated and on the untreated people of the pool are the oracle: they say what is
    expected, and regret is measured by them. ``diagnostics`` adds the regret that was realised.

    Parameters
    ----------
    pool : Pool
        People, as `stand_in` returns them; no feature is constant, and every treatment has both visits and
        non-visits.
    mode : {"counterfactual", "all"}
        What the oracle models are used for: visits under a treatment other than the logged one (the paper's first
        mode; the logged visit else), or all visits (the second mode).
    individuals : int >= 1, people in a round, at most the pool
    budget : int from 1 to `individuals`, how many of them are treated
    at_most : bool
        Whether fewer may be treated; regret is then against the best of these.

    Returns
    -------
    Campaign
        The environment; a context has a constant in its first column.

    References
    ----------
    Uplifting Bandits, Appendix C.3.
    """
    x, logged = people(pool)
    individuals = whole("individuals", individuals, 1, len(x))
    budget = whole("budget", budget, 1, individuals)
    rows = []
    for z in range(max(1, logged[:, 0].max()) + 1):
        visit = logged[logged[:, 0] == z, 1]
        if len(np.unique(visit)) < 2:
            raise ValueError(f"pool: the people with treatment {z} must have both visits and non-visits")
        rows.append(logistic_fit(x[logged[:, 0] == z], visit))
    weights = np.array(rows)
    chances = 1.0 / (1.0 + np.exp(-(x @ weights.T)))
    log = choice("mode", mode, MODES) == "counterfactual"
    return Campaign(x, chances, logged, weights, individuals, budget, flag("at_most", at_most), log)


def people(pool):
    """A constant and the features (n, 1 + features) of a pool, and its log (n, 2): treatment and visit."""
    if not isinstance(pool, Pool):
        raise TypeError(f"pool={pool!r}: must be a Pool, as stand_in returns it")
    features = table("pool.features", pool.features)
    n = len(features)
    treatment, visit = vector("pool.treatment", pool.treatment, 0, n, n), vector("pool.visit", pool.visit, 0, 1, n)
    for name, values in (("treatment", treatment), ("visit", visit)):
        if (values != np.floor(values)).any():
            i = int(np.argmax(values != np.floor(values)))
            raise ValueError(f"pool.{name}[{i}]={values[i]}: must be a whole number")
    constant = (features == features[0]).all(axis=0)
    if constant.any():
        raise ValueError(
            f"pool.features: column {int(np.argmax(constant))} is constant; a constant is added, leave it out"
        )
    log = np.column_stack([treatment, visit]).astype(np.int64)
    return np.ascontiguousarray(np.column_stack([np.ones(n), features])), np.ascontiguousarray(log)
