"""Random instances on which sentences about all instances are searched, and instances that are hard on purpose."""

import functools
import itertools
import math
from typing import NamedTuple

import numpy as np

from banditlab.composite import bounds
from banditlab.composite.environments import increasing, oblivious_delay, random_delay, streak_delay
from banditlab.composite.policies import ars_exp3, ars_ucb, doubling
from banditlab.engine.simulate import simulate
from banditlab.evidence import mean, power, ratio

from . import beyond
from .delay import SHAPES, Delay
from .runs import ARS, GROWTHS, shuffled_runs


class Search(NamedTuple):
    """How much is searched."""

    instances: int  # drawn at random
    games: int  # in which the doubling trick is tried
    runs: int  # of each
    steps: int  # of each run; games take twice as many, hard ones ten times


SEARCH = dict(quick=Search(20, 10, 2, 50_000), paper=Search(200, 40, 5, 100_000))
LONG = 400  # longest delay of the case in which the leading term of Theorem 1 is exceeded


def draw_delay(rng, longest):
    """A random delay shape whose d1 and d2 are finite."""
    kind, d = SHAPES[rng.integers(len(SHAPES))], int(rng.integers(1, longest + 1))
    return Delay(kind, d, rng.uniform(0, 0.9), rng.uniform(0.05, 0.95), rng.uniform(2.2, 6.0))


def draw_means(rng):
    """Means of two to six arms in descending order."""
    return np.sort(rng.uniform(0, 1, rng.integers(2, 7)))[::-1]


def allowed_by_theorem_1(means, delay, alpha, growth, horizon):
    """Theorem 1 with its constant."""
    late = bounds.d1(means, delay.shape), bounds.d2(means, delay.shape)
    log = bounds.ars_ucb_constant(*late, alpha, growth, len(means)).log_constant
    return bounds.ars_ucb_upper(means, delay.shape, horizon, alpha)[0] + (math.exp(log) if log < 700 else math.inf)


def played_ars_ucb(means, shape, alpha, growth, horizon, runs, seed):
    """Regret of ARS-UCB at the horizon, run by run."""
    policies = {"ARS-UCB": ars_ucb(len(means), alpha, growth)}
    return simulate(shuffled_runs(means, shape), policies, horizon, runs, seed, 1).final_regret("ARS-UCB")


def search_theorem_1(size, seed):
    """The largest regret of a run of ARS-UCB over Theorem 1 with its constant, in random instances and in hard ones.

    Instances are kept in which the theorem allows less than can be lost: delays are short, and alpha is well above 4.
    The hard ones have two arms whose gap just decides the ratio, and delays of one step.
    """
    rng, found, hard = np.random.default_rng([seed, 1]), [], []
    while len(found) < size.instances:
        means, delay, alpha = draw_means(rng), draw_delay(rng, 8), 4.0 + 10 ** rng.uniform(0, 2)
        growth = tuple(GROWTHS)[rng.integers(len(GROWTHS))]
        limit = allowed_by_theorem_1(means, delay, alpha, growth, size.steps)
        if limit < size.steps * np.ptp(means):
            regret = played_ars_ucb(means, delay.shape, alpha, growth, size.steps, size.runs, seed)
            found.append(float(regret.max() / limit))
    delay, alpha = Delay("decreasing", 1), 36.0
    for gap, growth in itertools.product((0.3, 0.5, 1.0), GROWTHS):
        means = np.array([(1 + gap) / 2, (1 - gap) / 2])
        limit = allowed_by_theorem_1(means, delay, alpha, growth, size.steps)
        hard.append(float(played_ars_ucb(means, delay.shape, alpha, growth, size.steps, size.runs, seed).max() / limit))
    return max(found), max(hard)


def beyond_leading_term(runs, seed):
    """Regret of ARS-UCB over the leading term alone of Theorem 1, where delays are long: two arms, the largest gap."""
    means, shape, horizon, alpha = np.array([1.0, 0.0]), increasing(LONG), 10_000, 4.01
    limit = bounds.ars_ucb_upper(means, shape, horizon, alpha)[0]
    return mean(played_ars_ucb(means, shape, alpha, "k2", horizon, runs, seed) / limit)


def draw_game(rng):
    """Chances of the arms, the longest delay, and the delays of a random game: they watch in every other one."""
    arms, d = int(rng.integers(2, 7)), int(rng.integers(1, 11))
    chances = rng.dirichlet(np.full(arms, rng.uniform(0.2, 1.0)))
    return chances, d, streak_delay(d) if rng.random() < 0.5 else oblivious_delay(1, d)


def learnt_games(count):
    """Chances and longest delays of random games in which one arm leads by 0.4: what is learnt there shows soon."""
    rng = np.random.default_rng(0)
    games = (draw_game(rng)[:2] for _ in itertools.count())
    learnt = ((tuple(chances.tolist()), d) for chances, d in games if np.diff(np.sort(chances)[-2:]) >= 0.4)
    return tuple(itertools.islice(learnt, count))


def play_game(chances, delays, policies, horizon, runs, seed):
    """What policies do in a game."""
    return simulate(beyond.lotteries(chances, horizon, delays), policies, horizon, runs, seed, 1)


def search_theorem_2(size, seed):
    """The largest regret of a run of ARS-EXP3 over Theorem 2, in random games and in hard ones.

    Games are kept in which the theorem allows less than uniform play loses. The hard ones have two arms whose gap can
    just be told at this horizon.
    """
    rng, found, hard, horizon = np.random.default_rng([seed, 2]), [], [], 2 * size.steps
    while len(found) < size.instances:
        (chances, d, delays), beta = draw_game(rng), rng.uniform(0.2, 0.9)
        limit = bounds.ars_exp3_upper(len(chances), horizon, d, beta)
        if limit < horizon * (chances.max() - 1 / len(chances)):
            policies = {ARS: ars_exp3(len(chances), horizon, beta)}
            result = play_game(chances, delays, policies, horizon, size.runs, seed)
            found.append(float(result.final_regret(ARS).max() / limit))
    horizon = 10 * size.steps
    for gap, d in itertools.product((0.02, 0.05, 0.1, 0.2, 0.4), (1, 5)):
        chances, limit = ((1 + gap) / 2, (1 - gap) / 2), bounds.ars_exp3_upper(2, horizon, d)
        result = play_game(chances, streak_delay(d), {ARS: ars_exp3(2, horizon)}, horizon, size.runs, seed)
        hard.append(float(result.final_regret(ARS).max() / limit))
    return max(found), max(hard)


def search_growth(size, seed):
    """Power of T in the regret of ARS-EXP3 from a horizon to ten times as many rounds, in random games.

    Games are kept in which the theorem allows less than uniform play loses, at the shorter horizon, too.
    """
    rng, found, horizon = np.random.default_rng([seed, 6]), {}, size.steps
    while len(found) < size.games:
        chances, d, delays = draw_game(rng)
        if bounds.ars_exp3_upper(len(chances), horizon, d) < horizon * (chances.max() - 1 / len(chances)):
            early, late = (
                play_game(chances, delays, {ARS: ars_exp3(len(chances), T)}, T, 4 * size.runs, seed).final_regret(ARS)
                for T in (horizon, 10 * horizon)
            )
            found[f"random game {len(found)}, N = {len(chances)}, d = {d}"] = power(ratio(late, early), 10)
    return found


def search_doubling(size, seed):
    """Regret of ARS-EXP3 with the doubling trick over that with T known, in random games."""
    rng, found, horizon = np.random.default_rng([seed, 3]), {}, size.steps
    for number in range(size.games):
        chances, d, delays = draw_game(rng)
        made = functools.partial(ars_exp3, len(chances))
        policies = {ARS: made(horizon), "doubling": doubling(made)}
        result = play_game(chances, delays, policies, horizon, 20, seed)
        name = f"random game {number}, N = {len(chances)}, d = {d}"
        found[name] = ratio(result.final_regret("doubling"), result.final_regret(ARS))
    return found


def largest_over_rate(count, seed, least, most):
    """Theorem 2's bound at beta = 1/2 over its rate, the largest of random N, d and T between powers of ten."""
    rng, largest = np.random.default_rng([seed, 4]), 0.0
    for _ in range(count):
        arms, d = int(10 ** rng.uniform(0.31, 3)), 10 ** rng.uniform(0, 3)
        horizon = int(10 ** rng.uniform(least, most))
        rate = (d + math.sqrt(arms * math.log(arms))) * horizon ** (2 / 3)
        largest = max(largest, bounds.ars_exp3_upper(arms, horizon, d) / rate)
    return largest


def search_lemma_1(size, seed):
    """The largest error of any arm over the hidden radius, in random instances and in hard ones.

    The hard ones are fair coins at a short horizon, where the radius is narrowest against the noise.
    """
    rng, found = np.random.default_rng([seed, 5]), []
    for number in range(size.instances):
        means, delay = draw_means(rng), draw_delay(rng, 100)
        policy = ars_ucb(len(means), 10 ** rng.uniform(-0.3, 1.2), tuple(GROWTHS)[rng.integers(len(GROWTHS))])
        found.append(float(beyond.used_radius(means, delay.shape, policy, 20_000, 1, seed + number).max()))
    fair = beyond.used_radius(np.array([0.5, 0.5]), random_delay(0, 0), ars_ucb(2), 30, 10 * size.instances, seed)
    return max(found), float(fair.max())
