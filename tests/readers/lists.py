"""Arrays that are made of lists which live on, have a type of their own, look back or may be empty: all right."""

import math
from typing import NamedTuple

import numpy as np

from .base import collect

PROGRAMS = {}
put = collect(PROGRAMS, __name__)


@put
def select_list_beside_its_array(self, state, t, rng):
    means = [state.rewards[arm] / max(state.pulls[arm], 1.0) for arm in range(self.arms)]
    index = np.array(means)
    index += np.sqrt(2 * math.log(t + 1) / np.maximum(state.pulls, 1.0))
    return int(np.argmax(index)) if max(means) < 0.75 else t % self.arms


@put
def select_list_that_is_appended_to(self, state, t, rng):
    seen = []
    for arm in range(self.arms):
        seen.append(state.rewards[arm])
    ordered = np.array(seen)
    ordered.sort()
    return 0 if seen[0] == ordered[-1] else t % self.arms


@put
def select_type_by_position(self, state, t, rng):
    shares = np.array([1 for arm in range(self.arms)], np.float64)
    shares *= state.rewards / np.maximum(state.pulls, 1.0) + 1.0 / (t + 1)
    return int(np.argmax(shares)) if t % 3 else t % self.arms


@put
def select_sum_that_looks_back(self, state, t, rng):
    below = []
    for arm in range(self.arms):
        below.append(state.pulls[arm] + (below[-1] if arm else 0.0))
    chances = np.array(below)
    return min(int(np.searchsorted(chances, rng.random() * chances[-1])), self.arms - 1)


@put
def select_empty_range(self, state, t, rng):
    late = np.array([float(s) for s in range(t % 7 - 3)]).copy()
    return len(late) % self.arms


@put
def select_pairs_in_brackets(self, state, t, rng):
    means = np.array([total / max(n, 1.0) for n, total in zip(state.pulls, state.rewards)])  # noqa: B905
    return np.argmax(means)


@put
def select_array_of_a_list_twice(self, state, t, rng):
    listed = [state.rewards[arm] for arm in range(self.arms)]
    first, second = np.array(listed), np.array(listed)
    first[0] = -1.0
    return int(np.argmax(first + second))


class Box(NamedTuple):
    low: float
    high: float = 1.0


@put
def select_unpacks_into_fields(self, state, t, rng):
    pair = (state.rewards[t % self.arms], max(state.pulls[t % self.arms], 1.0))
    box = Box(*pair)
    return t % self.arms if box.low / box.high > 0.5 else 0


@put
def select_mask_before_a_slice(self, state, t, rng):
    cube = np.arange(50.0).reshape(5, 5, 2)
    return cube[state.pulls > 3.0, :, 1].shape[0] % self.arms


@put
def select_takes_without_an_axis(self, state, t, rng):
    return int(np.take(state.pulls, t % self.arms)) % self.arms
