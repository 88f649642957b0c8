"""Policies with one mistake each, beside one without."""

import math
import random
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from .plain import InTurn


class Sums(NamedTuple):
    pulls: np.ndarray  # (arms,)
    rewards: np.ndarray  # (arms,)


def radius(t, pulls):
    """A plain function: methods of classes from outside just call it."""
    return math.sqrt(2.0 * math.log(t + 1.0) / pulls)


class Right(NamedTuple):
    """UCB1 as one writes it down."""

    arms: int

    def actions(self):
        return self.arms

    def init(self, rng):
        return Sums(np.zeros(self.arms), np.zeros(self.arms))

    def select(self, state, t, rng):
        best, top = 0, -np.inf
        for arm in range(self.arms):
            if state.pulls[arm] == 0.0:
                return arm
            index = state.rewards[arm] / state.pulls[arm] + radius(t, state.pulls[arm])
            if index > top:
                best, top = arm, index
        return best

    def update(self, state, action, observation, t, rng):
        state.pulls[action] += 1.0
        state.rewards[action] += observation
        return state


def with_one_mistake(name, fields=(), **methods):
    """`Right` with these methods instead, as a class of this module."""
    made = NamedTuple(name, [("arms", int), *fields])
    for key in ("actions", "init", "select", "update"):
        setattr(made, key, methods.get(key, getattr(Right, key)))
    made.__module__ = __name__
    return made


def past_the_end(self, state, t, rng):
    return t // 150


def negative(self, state, t, rng):
    return t % self.arms - (1 if t > 250 else 0)


def counts_in_field(self, state, action, observation, t, rng):
    self.counts[action] += 1.0
    return state


def counts_late(self, state, action, observation, t, rng):
    if t > 100:
        self.counts[action] += 1.0
    return state


def foreign_dice(self, state, t, rng):
    return int(self.arms * np.random.random())


def old_dice(self, state, t, rng):
    return int(self.arms * random.random())


def chooses(self, state, t, rng):
    return rng.choice(self.arms)


def draws_whole(self, state, t, rng):
    return rng.integers(self.arms)


def nothing_later(self, state, t, rng):
    if t < 100:
        return 0


def reads_past(self, state, t, rng):
    return 0 if state.pulls[min(t // 50, 9)] > 1e9 else 1


def divides(self, state, t, rng):
    return 0 if 1.0 / (t - 200) > 2.0 else 1


def thrown(arms):
    return int(arms * np.random.random())


def throws(self, state, t, rng):
    return thrown(self.arms)


def remembers(self, state, action, observation, t, rng):
    self.last = action
    return state


def assigns(self, state, action, observation, t, rng):
    state.pulls = state.pulls + 1.0
    return state


def forgets(self, state, action, observation, t, rng):
    state.pulls[action] += 1.0


def empty(self, rng):
    pass


def halves(self, state, t, rng):
    return np.floor(rng.random() / 2.0)


def imports(self, state, t, rng):
    from scipy.optimize import brentq

    return int(brentq(shifted, 0.0, 1.0))


def solves(self, state, t, rng):
    return int(brentq(shifted, 0.0, 1.0))


def shifted(x):
    return x - 0.5


def scores(self, state, t, rng):
    score = {arm: state.rewards[arm] for arm in range(self.arms)}
    return max(score, key=score.get)


def perhaps(self, state, t, rng):
    arm = None
    if state.pulls[0] > 5.0:
        arm = 1
    return 0 if arm is None else arm


def counts_in_tuple(self, state, action, observation, t, rng):
    self.counts[0][action] += 1.0
    return state


class Turning(InTurn):
    """The type of its state changes."""

    def update(self, state, action, observation, t, rng):
        return "late" if t > 2 else state


class Rounded(NamedTuple):
    """An index with numpy's functions: other bits interpreted than compiled."""

    arms: int

    def actions(self):
        return self.arms

    def init(self, rng):
        return Sums(np.zeros(self.arms), np.zeros(self.arms))

    def select(self, state, t, rng):
        return int(1e15 * np.exp(0.1 * np.sqrt(t + 1.0)) * np.log(t + 2.0)) % self.arms

    def update(self, state, action, observation, t, rng):
        return state


class Favourite(NamedTuple):
    """Half of the time the first arm, because it is the first."""

    arms: int

    def actions(self):
        return self.arms

    def init(self, rng):
        return Sums(np.zeros(self.arms), np.zeros(self.arms))

    def select(self, state, t, rng):
        if rng.random() < 0.5:
            return 0
        best = 0
        for arm in range(self.arms):
            if state.pulls[arm] == 0.0:
                return arm
            if state.rewards[arm] / state.pulls[arm] > state.rewards[best] / state.pulls[best]:
                best = arm
        return best

    def update(self, state, action, observation, t, rng):
        state.pulls[action] += 1.0
        state.rewards[action] += observation
        return state


def the_last(self, state, t, rng):
    return self.arms - 1


class Rewards(NamedTuple):
    seen: np.ndarray  # (rounds,)


def grows(self, state, action, observation, t, rng):
    longer = np.zeros(len(state.seen) + 1)
    for i in range(len(state.seen)):
        longer[i] = state.seen[i]
    longer[len(state.seen)] = observation
    return Rewards(longer)


def alternates(self, state, t, rng):
    return t % self.arms


PastTheEnd = with_one_mistake("PastTheEnd", select=past_the_end)
Negative = with_one_mistake("Negative", select=negative)
OwnField = with_one_mistake("OwnField", [("counts", np.ndarray)], select=alternates, update=counts_in_field)
LateOwnField = with_one_mistake("LateOwnField", [("counts", np.ndarray)], select=alternates, update=counts_late)
Dice = with_one_mistake("Dice", select=foreign_dice)
OldDice = with_one_mistake("OldDice", select=old_dice)
Chooses = with_one_mistake("Chooses", select=chooses)
DrawsWhole = with_one_mistake("DrawsWhole", select=draws_whole)
NothingLater = with_one_mistake("NothingLater", select=nothing_later)
ReadsPast = with_one_mistake("ReadsPast", select=reads_past)
Divides = with_one_mistake("Divides", select=divides)
Worst = with_one_mistake("Worst", select=the_last)
Growing = with_one_mistake("Growing", init=lambda self, rng: Rewards(np.zeros(0)), select=alternates, update=grows)
Thrown = with_one_mistake("Thrown", select=throws)
Remembers = with_one_mistake("Remembers", update=remembers)
Assigns = with_one_mistake("Assigns", update=assigns)
Forgets = with_one_mistake("Forgets", update=forgets)
Empty = with_one_mistake("Empty", init=empty)
Halves = with_one_mistake("Halves", select=halves)
Imports = with_one_mistake("Imports", select=imports)
Solves = with_one_mistake("Solves", select=solves)
Scores = with_one_mistake("Scores", select=scores)
Perhaps = with_one_mistake("Perhaps", select=perhaps)
InTuple = with_one_mistake("InTuple", [("counts", tuple)], update=counts_in_tuple)
