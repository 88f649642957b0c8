"""Campaigns: a crowd of people every round, a few of whom are treated."""

import math
from typing import NamedTuple

import numpy as np

from ...protocol import helper
from ...validate import choice, number, whole
from ..arguments import table
from ..logistic import logistic_fit
from ..order import choose
from .gaussian import Seen


@helper
def best_treatments(uplift, action):
    """Write everybody's best treatment, the lowest of equals; return nothing. Column 0 of the table is the uplift."""
    for i in range(len(uplift)):
        action[i] = 1
        for z in range(2, uplift.shape[1]):
            if uplift[i, z] > uplift[i, action[i]]:
                action[i] = z
        uplift[i, 0] = uplift[i, action[i]]


@helper
def best_action(world, budget, at_most):
    """Write the best action of the round into the world; return its uplift."""
    uplift, best, chosen, scores, scratch = world.uplift, world.best, world.chosen, world.scores, world.scratch
    best_treatments(uplift, best)
    for i in range(len(best)):
        scores[i] = uplift[i, 0]
    choose(scores, budget, scratch, chosen)
    total = 0.0
    for i in range(len(best)):
        if at_most == 1 and scores[i] <= 0.0:
            chosen[i] = 0
        best[i] *= chosen[i]
        total += chosen[i] * scores[i]
        uplift[i, 0] = 0.0
    return total


@helper
def worth(uplift, action):
    """Expected uplift of an action."""
    total = 0.0
    for i in range(len(action)):
        total += uplift[i, action[i]]
    return total


class Crowd(NamedTuple):
    """The people of a round."""

    x: np.ndarray  # (m, d) features
    y: np.ndarray  # (m,) payoffs
    uplift: np.ndarray  # (m, q + 1) expected, of every treatment
    best: np.ndarray  # (m,) the best action
    chosen: np.ndarray  # (m,) whom it treats
    scores: np.ndarray  # (m,)
    scratch: np.ndarray  # (m,)
    picked: np.ndarray  # (n,) numbers in the pool; its first m entries are this round's
    totals: np.ndarray  # (4,) rounds, realised regret, uplift of the best action, and that of this round
    records: np.ndarray  # (2, 100) realised regret and uplift of the best action, every EVERY rounds


@helper
def crowd(individuals, features, treatments, people):
    """A crowd not yet drawn."""
    m, picked = individuals, np.zeros(people, np.int64)
    for i in range(people):
        picked[i] = i
    return Crowd(
        np.zeros((m, features)), np.zeros(m), np.zeros((m, treatments + 1)), np.zeros(m, np.int64),
        np.zeros(m, np.int64), np.zeros(m), np.zeros(m), picked, np.zeros(4), np.zeros((2, RECORDS)),
    )  # fmt: skip


RECORDS, EVERY = 100, 10  # the first so many records, a record every so many rounds


class Linear(NamedTuple):
    """Payoffs linear in the features: what `linear_campaign` returns.

    A round draws m d + m normals whatever the action, so all policies meet the same world.
    """

    theta: np.ndarray  # (q + 1, d)
    individuals: int
    budget: int
    noise: float
    at_most: int  # 1 where treating nobody is allowed too

    def actions(self):
        return self.individuals, self.theta.shape[1], len(self.theta) - 1, self.budget

    def start(self, rng):
        return crowd(self.individuals, self.theta.shape[1], len(self.theta) - 1, 1)

    def context(self, world, t, rng):
        theta, x, uplift = self.theta, world.x, world.uplift
        for i in range(len(x)):
            length = 0.0
            for j in range(x.shape[1]):
                x[i, j] = rng.standard_normal()
                length += x[i, j] * x[i, j]
            length = math.sqrt(length)
            for j in range(x.shape[1]):
                x[i, j] /= length
            for z in range(1, len(theta)):
                uplift[i, z] = 0.0
                for j in range(x.shape[1]):
                    uplift[i, z] += (theta[z, j] - theta[0, j]) * x[i, j]
        world.totals[3] = best_action(world, self.budget, self.at_most)
        return x

    def step(self, world, action, t, rng):
        theta, x, y = self.theta, world.x, world.y
        reward = 0.0
        for i in range(len(y)):
            y[i] = self.noise * rng.standard_normal()
            for j in range(x.shape[1]):
                y[i] += theta[action[i], j] * x[i, j]
            reward += y[i]
        return Seen(y, reward)

    def regret(self, world, action, t):
        return max(0.0, world.totals[3] - worth(world.uplift, action))


THETA = (
    (0.6, 0.4, 0.0, 0.0, 0.0, 0.0),
    (0.5, 0.4, 0.5, 0.2, 0.0, 0.0),
    (0.6, 0.1, 0.0, 0.0, 0.45, -0.3),
)


def linear_campaign(theta=THETA[:2], individuals=50, budget=5, noise=0.5, at_most=False):
    r"""Contextual uplifting bandit with payoffs :math:`\langle\theta^{z},x\rangle+\xi`, features uniform on the sphere.

    Parameters
    ----------
    theta : array_like, shape (q + 1, d)
        Weights of no treatment (first row) and of every treatment; the paper runs no such experiment, these are ours.
    individuals : int
        People m in a round, at least 1.
    budget : int
        People L to be treated in every round, from 1 to m.
    noise : float
        Standard deviation of a payoff, positive.
    at_most : bool
        Whether fewer than L may be treated (Algorithms 7 and 8); regret is then against the best of these.

    Returns
    -------
    Linear
        The environment; an action is a treatment, 0 for none, for each of the m people.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

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
    individuals = whole("individuals", individuals, 1)
    budget = whole("budget", budget, 1, individuals)
    return Linear(theta, individuals, budget, number("noise", noise, above=0), flag("at_most", at_most))


def flag(name, value):
    """1 or 0 for a bool."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}={value!r}: must be True or False")
    return int(value)


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
    log: int  # 1 where the logged visit is used if its treatment is the chosen one

    def actions(self):
        return self.individuals, self.x.shape[1], self.chances.shape[1] - 1, self.budget

    def tally(self, world, state):
        rounds = int(world.totals[0])
        marks = range(EVERY, min(rounds, EVERY * RECORDS) + 1, EVERY)
        realised = {f"realised {t}": float(world.records[0, t // EVERY - 1]) for t in marks}
        best = {f"best {t}": float(world.records[1, t // EVERY - 1]) for t in marks}
        return {"realised regret": float(world.totals[1]), "best uplift": float(world.totals[2]), **realised, **best}

    def start(self, rng):
        return crowd(self.individuals, self.x.shape[1], self.chances.shape[1] - 1, len(self.x))

    def context(self, world, t, rng):
        pool, chances, picked, x, uplift = self.x, self.chances, world.picked, world.x, world.uplift
        for i in range(len(x)):
            other = i + int((len(picked) - i) * rng.random())
            picked[i], picked[other] = picked[other], picked[i]
            for j in range(x.shape[1]):
                x[i, j] = pool[picked[i], j]
            for z in range(1, chances.shape[1]):
                uplift[i, z] = chances[picked[i], z] - chances[picked[i], 0]
        world.totals[3] = best_action(world, self.budget, 0)
        return x

    def visit(self, person, treatment, u):
        """What this person does under a treatment, given a uniform number."""
        outcome = 1.0 if u < self.chances[person, treatment] else 0.0
        if self.log == 1 and self.logged[person, 0] == treatment:
            outcome = 1.0 * self.logged[person, 1]
        return outcome

    def step(self, world, action, t, rng):
        y, picked, totals = world.y, world.picked, world.totals
        reward, best = 0.0, 0.0
        for i in range(len(y)):
            u = rng.random()
            y[i] = self.visit(picked[i], action[i], u)
            reward += y[i]
            best += self.visit(picked[i], world.best[i], u)
        totals[0] += 1.0
        totals[1] += best - reward
        totals[2] += totals[3]
        if (t + 1) % EVERY == 0 and t < EVERY * RECORDS:
            world.records[0, (t + 1) // EVERY - 1] = totals[1]
            world.records[1, (t + 1) // EVERY - 1] = totals[2]
        return Seen(y, reward)

    def regret(self, world, action, t):
        return max(0.0, world.totals[3] - worth(world.uplift, action))


MODES = ("counterfactual", "all")


def campaign(pool, mode="counterfactual", individuals=100, budget=10):
    """Targeted campaign: every round 100 people from the pool come, 10 are treated, a payoff is a visit.

    Logistic models fitted on the treated and on the untreated people of the pool are the oracle: they say what is
    expected, and regret is measured by them. ``tally`` adds the regret that was realised.

    Parameters
    ----------
    pool : Pool
        People, as `data.stand_in` or `data.load` returns them; every treatment must have both visits and non-visits.
    mode : {"counterfactual", "all"}
        What the oracle models are used for: visits under a treatment other than the logged one (the paper's first
        mode; the logged visit else), or all visits (the second mode).
    individuals : int
        People in a round, at most the pool.
    budget : int
        How many of them are treated, at most `individuals`.

    Returns
    -------
    Campaign
        The environment; a context has a constant in its first column.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    Uplifting Bandits, Appendix C.3.
    """
    features = table("pool.features", pool.features)
    logged, visit = np.asarray(pool.treatment, np.int64), np.asarray(pool.visit, float)
    individuals = whole("individuals", individuals, 1, len(features))
    budget = whole("budget", budget, 1, individuals)
    x = np.ascontiguousarray(np.column_stack([np.ones(len(features)), features]))
    rows = []
    for z in range(max(1, int(logged.max())) + 1):
        those = logged == z
        if len(np.unique(visit[those])) < 2:
            raise ValueError(f"pool: the people with treatment {z} must have both visits and non-visits")
        rows.append(logistic_fit(x[those], visit[those]))
    weights = np.array(rows)
    chances = 1.0 / (1.0 + np.exp(-(x @ weights.T)))
    table_of_log = np.column_stack([logged, visit.astype(np.int64)])
    log = int(choice("mode", mode, MODES) == "counterfactual")
    return Campaign(x, chances, np.ascontiguousarray(table_of_log), weights, individuals, budget, log)
