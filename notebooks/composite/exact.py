"""What is computed without random numbers: the parts of a reward, the triangles of a round, the radii."""

import math
from typing import NamedTuple

import numpy as np
import pandas as pd

from banditlab.composite import bounds
from banditlab.composite.environments.shapes import weights_of
from banditlab.composite.policies import ars_ucb
from banditlab.study.parameters import bundle

from . import refined
from .delay import described
from .runs import GROWTHS, evenly

UNENDING = 60  # delays shown of a shape without an end
ALPHAS_ABOVE = (4.25, 4.5, 5.0, 6.0, 8.0, 10.0, 12.0, 16.0)  # that Theorem 1 covers


@bundle(delay=described)
def one_reward(delay, arms, gap, seed=0, progress=None):
    """The part of a reward that arrives after each delay, and what is still to come."""
    longest = delay.told + 2 if math.isfinite(delay.told) else UNENDING
    weights = weights_of(delay.shape, longest)
    weights = np.pad(weights, (0, max(0, longest + 1 - len(weights))))[: longest + 1]
    late = 1.0 - np.concatenate([[0.0], np.cumsum(weights)[:-1]])
    return pd.DataFrame({"delay": np.arange(longest + 1), "part": weights, "still to come": late})


class Triangles(NamedTuple):
    """A round, and what it gets of earlier pulls and leaves to later ones."""

    weights: np.ndarray  # parts of a reward
    reach: int  # delays shown
    steps: int  # of the round
    late: float  # reward in each triangle


@bundle(delay=described)
def triangles(delay, seed=0, progress=None):
    """Figure 1, of a round twice as long as the longest delay."""
    reach = delay.told if math.isfinite(delay.told) else 40
    steps = 2 * reach + 1
    return Triangles(weights_of(delay.shape, 5 * reach), reach, steps, bounds.triangle(delay.shape, steps))


class Radii(NamedTuple):
    """Radii against pulls, and from which horizon on Theorem 1 is at work, against alpha."""

    table: pd.DataFrame
    starts: pd.DataFrame | None  # ln T* by alpha, for every growth function; None where d1 or d2 is infinite


@bundle(delay=described, means=evenly)
def radii(delay, means, alpha, growth, horizon, seed=0, progress=None):
    """The radius of ARS-UCB, and the hidden one of the proof, which knows how much is late, at the horizon."""
    policy = ars_ucb(len(means), alpha, growth)
    late, variance = bounds.d1(means, delay.shape), bounds.d2(means, delay.shape)
    pulls = [policy.size(1)]
    while pulls[-1] < horizon:
        pulls.append(pulls[-1] + policy.size(len(pulls) + 1))
    pulls, rounds = np.array(pulls, float), np.arange(1.0, len(pulls) + 1.0)
    table = pd.DataFrame({"pulls N": pulls, "rounds K": rounds, "ARS-UCB": np.sqrt(alpha * np.log(horizon) / pulls)})
    if not (math.isfinite(late) and math.isfinite(variance)):
        return Radii(table, None)
    table["hidden"] = bounds.hidden_radius(pulls, rounds, horizon, late, variance)
    table["its bias d₁K/N"] = late * rounds / pulls
    table["from below, proved"] = refined.lower_radius(pulls, rounds, horizon, late)
    return Radii(table, horizons_of_theorem_1(late, variance, alpha))


def horizons_of_theorem_1(late, variance, alpha):
    """The logarithm of T*, from which Theorem 1 is at work, by alpha: as printed of d1, whatever the f, and refined."""
    alphas = np.unique([*ALPHAS_ABOVE, *[alpha] * (alpha > 4.0)])
    found = {"α": alphas, "printed": (4.0 * late / (np.sqrt(alphas) - 2.0)) ** 2}
    for f, name in GROWTHS.items():
        found[name] = [refined.refined_log_horizon(late, variance, a, f) for a in alphas]
    return pd.DataFrame(found)
