"""What policies remember of their arms, and how they choose: diagnostics, optimistic indices, exponential weights."""

import math
from typing import NamedTuple

import numpy as np

from ..engine.methods import helper
from .growing_arrays import largest_entry


class Tally(NamedTuple):
    """What an index policy remembers of its arms."""

    pulls: np.ndarray  # (arms,)
    sums: np.ndarray  # (arms,) of the rewards
    means: np.ndarray  # (arms,) sums over pulls: equal rewards tie whatever their order
    roots: np.ndarray  # (arms,) 1 / sqrt(pulls), infinite before the first pull


@helper
def new_tally(arms):
    """A tally of arms never pulled."""
    return Tally(np.zeros(arms), np.zeros(arms), np.zeros(arms), np.full(arms, np.inf))


class Indices(NamedTuple):
    """What a policy remembers whose index of an arm changes only when the arm is played."""

    pulls: np.ndarray  # (arms,)
    sums: np.ndarray  # (arms,) of the rewards, or of what is estimated
    index: np.ndarray  # (arms,) infinite before the first pull


@helper
def new_indices(arms):
    """Indices of arms never pulled."""
    return Indices(np.zeros(arms), np.zeros(arms), np.full(arms, np.inf))


@helper
def add_reward(tally, arm, reward):
    """The tally with one reward more."""
    tally.pulls[arm] += 1.0
    tally.sums[arm] += reward
    tally.means[arm] = tally.sums[arm] / tally.pulls[arm]
    tally.roots[arm] = math.sqrt(1.0 / tally.pulls[arm])
    return tally


@helper
def confidence(alpha, t):
    """sqrt(alpha log(t + 1)); positive in the first round too, where every index is infinite whatever the width."""
    return math.sqrt(alpha * math.log(max(t, 1) + 1.0))


@helper
def most_optimistic(tally, width):
    """The arm of largest mean + width / sqrt(pulls), infinite before its first pull; ties to the lowest."""
    best, top = 0, -np.inf
    for arm in range(len(tally.pulls)):
        index = tally.means[arm] + width * tally.roots[arm]
        if index > top:
            best, top = arm, index
    return best


@helper
def place_of_largest(index):
    """The place of the largest entry; ties to the lowest."""
    best, top = 0, -np.inf
    for arm in range(len(index)):
        if index[arm] > top:
            best, top = arm, index[arm]
    return best


@helper
def draw_arm(weights, chances, gamma, scale, rng):
    """Draw an arm in proportion to exp(weight / scale), mixed with gamma of uniform; write down all chances."""
    arms, top, total, left = len(weights), largest_entry(weights), 0.0, rng.random()
    for arm in range(arms):
        chances[arm] = math.exp((weights[arm] - top) / scale)
        total += chances[arm]
    for arm in range(arms):
        chances[arm] = (1.0 - gamma) * chances[arm] / total + gamma / arms
    for arm in range(arms - 1):
        left -= chances[arm]
        if left < 0.0:
            return arm
    return arms - 1
