"""Policies and environments as a careful student gets them wrong: one mistake each, most of them late in a run."""

import math
import random
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .base import ARMS, MEANS, Arms, Right, Sums, collect

PROGRAMS = {}
put = collect(PROGRAMS, __name__)
CALLS = 0
SEEN = np.zeros(5)


@put
def select_one_too_many(self, state, t, rng):
    return 1 + t % self.arms


@put
def select_rounded_up(self, state, t, rng):
    return int(self.arms * rng.random() + 0.5)


@put
def update_forgets_counts(self, state, action, observation, t, rng):
    state.rewards[action] += observation
    return state


@put
def select_mean_without_counts(self, state, t, rng):
    best, top = 0, -1.0
    for arm in range(self.arms):
        if state.rewards[arm] / state.pulls[arm] > top:
            best, top = arm, state.rewards[arm] / state.pulls[arm]
    return best


@put
def update_takes_a_vector(self, state, action, observation, t, rng):
    state.pulls[action] += 1.0
    state.rewards[action] += observation[0]
    return state


@put
def init_too_short(self, rng):
    return Sums(np.zeros(self.arms - 1), np.zeros(self.arms - 1))


@put
def init_whole_numbers(self, rng):  # rewards are cut, as numpy cuts them
    return Sums(np.zeros(self.arms, np.int64), np.zeros(self.arms, np.int64))


@put
def update_halves_whole_numbers(self, state, action, observation, t, rng):
    state.pulls[action] += 1
    state.rewards[action] += 0.7 * observation
    return state


@put
def select_none_late(self, state, t, rng):
    if t < 200:
        return t % self.arms
    if t < 300:
        return 0


@put
def update_none_late(self, state, action, observation, t, rng):
    if t > 200:
        return None
    return state


@put
def select_float(self, state, t, rng):
    return np.floor(self.arms * rng.random())


@put
def select_float_late(self, state, t, rng):
    return t % self.arms if t < 200 else t / 100


@put
def select_minus_one(self, state, t, rng):
    arm = -1
    for a in range(self.arms):
        if state.pulls[a] < 50:
            arm = a
    return arm


@put
def select_a_pair(self, state, t, rng):
    return 0, 1.0


@put
def select_log_of_zero(self, state, t, rng):
    return 0 if math.log(abs(t - 200)) > 3.0 else 1


@put
def select_log_of_a_mean(self, state, t, rng):
    best, top = 0, -np.inf
    for arm in range(self.arms):
        if t < 100:
            return t % self.arms
        gain = math.log(state.rewards[arm] / state.pulls[arm] - 0.5)
        if gain > top:
            best, top = arm, gain
    return best


@put
def select_root_of_a_negative(self, state, t, rng):
    return 1 if math.sqrt(250 - t) > 3.0 else 0


@put
def select_variance_by_difference(self, state, t, rng):
    mean = state.rewards[0] / max(state.pulls[0], 1.0)
    return 0 if math.sqrt(0.15 - mean * (1.0 - mean) + t * 1e-4) < 0.2 else 1


@put
def select_weights_explode(self, state, t, rng):
    total = 0.0
    for arm in range(self.arms):
        total += math.exp(20.0 * state.rewards[arm])
    return 0 if total < 1e300 else 1


@put
def select_nothing_over_nothing(self, state, t, rng):  # numpy's nan, which argmax takes for the largest
    return int(np.argmax(state.rewards / state.pulls))


@put
def select_compares_nan(self, state, t, rng):
    best, top = 0, np.nan
    for arm in range(self.arms):
        if state.rewards[arm] > top:
            best, top = arm, state.rewards[arm]
    return best


@put
def select_int_of_nan(self, state, t, rng):
    scale = np.inf if t > 250 else 1.0
    return int(0.0 * scale * state.pulls[0]) % self.arms


@put
def select_round_of_infinity(self, state, t, rng):
    scale = np.inf if t > 250 else 1.0
    return round(scale) % self.arms


def down(n):
    return 0 if n == 0 else 1 + down(n - 1)


def forever(n):
    return forever(n + 1) + 1


@put
def select_recursive(self, state, t, rng):
    return down(t % 5)


@put
def select_endless_recursion(self, state, t, rng):
    return forever(t) if t > 100 else 0


@put
def select_calls_itself(self, state, t, rng):
    return self.select(state, t - 1, rng) if t > 100 else 0


@put
def select_gives_up(self, state, t, rng):
    if t == 300:
        raise ValueError("no arm is left")
    return 0


@put
def select_counts_globally(self, state, t, rng):
    global CALLS
    CALLS += 1
    return CALLS % self.arms


@put
def update_writes_globally(self, state, action, observation, t, rng):
    SEEN[action] += 1.0
    return state


@put
def select_python_dice(self, state, t, rng):
    return random.randrange(self.arms)


@put
def select_numpy_dice(self, state, t, rng):
    return np.random.randint(0, self.arms)


@put
def init_seeds(self, rng):
    np.random.seed(0)
    return Sums(np.zeros(self.arms), np.zeros(self.arms))


@put
def select_choice(self, state, t, rng):
    return rng.choice(np.arange(self.arms))


class Kept(NamedTuple):
    rng: object
    pulls: np.ndarray


@put
def init_keeps_the_generator(self, rng):
    return Kept(rng, np.zeros(self.arms))


class History(NamedTuple):
    rewards: list


def update_appends(self, state, action, observation, t, rng):
    state.rewards.append(observation)
    return state


@put
def init_a_list(self, rng):
    return History([])


class Counter(NamedTuple):
    n: int


def select_by_counter(self, state, t, rng):
    return int(state.n) % self.arms


def update_halves(self, state, action, observation, t, rng):
    return Counter(state.n / 2 + 1)


def init_counter(self, rng):
    return Counter(0)


put(init_counter, select_by_counter, update_halves)


def init_none(self, rng):
    return None


def select_if_none(self, state, t, rng):
    return 0 if state is None else 1


def update_from_none(self, state, action, observation, t, rng):
    return np.zeros(2)


put(init_none, select_if_none, update_from_none)


def init_seed(self, rng):
    return Counter(1)


def update_scrambles(self, state, action, observation, t, rng):
    return Counter(state.n * 6364136223846793005 + 1442695040888963407)


put(init_seed, select_by_counter, update_scrambles)


@put
def select_doubling(self, state, t, rng):
    return 0 if 2**t > 1000 else 1


@put
def select_halving_epochs(self, state, t, rng):
    gap = 2 ** -(t // 100)
    return 0 if gap > 0.2 else 1


@put
def select_shifted(self, state, t, rng):
    return 0 if 1 << t > 1000 else 1


@put
def init_single_precision(self, rng):
    return Sums(np.zeros(self.arms, np.float32), np.zeros(self.arms, np.float32))


@put
def init_bytes(self, rng):
    return Sums(np.zeros(self.arms, np.int8), np.zeros(self.arms))


@put
def select_identity(self, state, t, rng):
    return 0 if t + 0 is t else 1


@put
def select_order_of_a_set(self, state, t, rng):
    candidates = {300, 20, 7, 1000, t}
    for arm in candidates:
        return arm % self.arms
    return 0


@put
def select_isinstance(self, state, t, rng):
    return 0 if isinstance(np.argmax(state.pulls), int) else 1


@put
def select_beta_of_counts(self, state, t, rng):
    best, top = 0, -1.0
    for arm in range(self.arms):
        draw = rng.beta(state.rewards[arm], state.pulls[arm] - state.rewards[arm])
        if draw > top:
            best, top = arm, draw
    return best


@put
def select_beta_late(self, state, t, rng):
    return 0 if rng.beta(1.0, 200.0 - t) < 0.5 else 1


@put
def select_negative_width(self, state, t, rng):
    return 0 if rng.normal(0.5, 1.0 - t / 200) > 0.0 else 1


@put
def select_never_assigned(self, state, t, rng):
    for a in range(self.arms):
        if state.pulls[a] < 60.0:
            arm = a
    return arm


@put
def init_memory(self, rng):
    return Sums(np.empty(self.arms), np.zeros(self.arms))


@put
def select_flat(self, state, t, rng):
    return 0 if state.pulls.flat[t // 50] > 1.0 else 1


def remember(x, seen=[]):  # noqa: B006
    seen.append(x)
    return len(seen)


@put
def select_default_list(self, state, t, rng):
    return remember(t) % self.arms


def tally(x, seen=np.zeros(1)):  # noqa: B008
    seen[0] += 1.0
    return int(seen[0])


@put
def select_default_array(self, state, t, rng):
    return tally(t) % self.arms


@put
def select_last_entry(self, state, t, rng):  # index -1 at first: legal, and the same
    return int(state.pulls[t % self.arms - 1]) % self.arms


@put
def select_history_too_short(self, state, t, rng):
    return 0 if state.pulls[t // 60] >= 0.0 else 1


@put
def select_array_as_truth(self, state, t, rng):
    if t > 100 and state.pulls == 0.0:
        return 0
    return 1


@put
def select_truth(self, state, t, rng):
    return state.rewards[1] > state.rewards[0]


@put
def select_truth_late(self, state, t, rng):
    return 0 if t < 200 else state.rewards[1] > state.rewards[0]


@put
def update_swaps(self, state, action, observation, t, rng):  # legal, and the same
    state.pulls[action] += 1.0
    return Sums(state.rewards + observation, state.pulls)


@put
def update_leaves_out(self, state, action, observation, t, rng):
    return Sums(state.pulls)


@put
def update_misspells(self, state, action, observation, t, rng):
    return state._replace(pull=state.pulls + 1.0)


@put
def select_caret(self, state, t, rng):  # legal, and the same
    return (t ^ 2) % self.arms


@put
def update_plus_minus(self, state, action, observation, t, rng):  # legal, and the same
    state.pulls[action] = +1.0
    state.rewards[action] -= observation
    return state


@put
def update_loses_its_copy(self, state, action, observation, t, rng):  # legal, and the same
    pulls = state.pulls.copy()
    pulls[action] += 1.0
    return state


@put
def update_writes_all(self, state, action, observation, t, rng):  # legal, and the same: every arm is one array
    pulls = state.rewards
    pulls += observation
    return Sums(pulls, pulls)


@put
def update_wrong_shape(self, state, action, observation, t, rng):
    return Sums(state.pulls + np.ones(4), state.rewards) if t > 100 else state


@put
def update_grows(self, state, action, observation, t, rng):
    return Sums(np.append(state.pulls, 1.0), state.rewards)


@put
def update_a_dict(self, state, action, observation, t, rng):
    return {"pulls": state.pulls, "rewards": state.rewards}


def update_sorts_field(self, state, action, observation, t, rng):
    if t > 100:
        self.order.sort()
    return state


put(update_sorts_field, fields=[("order", np.ndarray)], values=[np.array([3.0, 1.0, 2.0])])


def update_flattens_field(self, state, action, observation, t, rng):
    if t > 100:
        np.ascontiguousarray(self.order)[0] += 1.0
    return state


put(update_flattens_field, fields=[("order", np.ndarray)], values=[np.array([3.0, 1.0, 2.0])])


def update_shuffles_field(self, state, action, observation, t, rng):
    if t > 100:
        rng.shuffle(self.order)
    return state


put(update_shuffles_field, fields=[("order", np.ndarray)], values=[np.array([3.0, 1.0, 2.0])])


@put
def select_tried(self, state, t, rng):
    try:
        mean = state.rewards[0] / state.pulls[0]
    except Exception:
        mean = 1.0
    return 0 if mean > 0.5 else 1


@put
def select_adds_truths(self, state, t, rng):
    return (state.pulls[0] > 3.0) + (state.pulls[1] > 3.0)


@put
def init_python_types(self, rng):
    return Sums(np.zeros(self.arms, dtype=int), np.zeros(self.arms, float))


class Defaulted(NamedTuple):
    n: int
    total: float = 0.0


def init_leaves_out(self, rng):
    return Defaulted(0)


def select_n(self, state, t, rng):
    return state.n % self.arms


def update_n(self, state, action, observation, t, rng):
    return Defaulted(state.n + 1)


put(init_leaves_out, select_n, update_n)


class Property(NamedTuple):
    arms: int

    init, update = Right.init, Right.update

    @property
    def half(self):
        return self.arms // 2

    def select(self, state, t, rng):
        return self.half


class Static(Property):
    __slots__ = ()

    @staticmethod
    def mean(total, n):
        return total / n if n > 0 else 1e9

    def select(self, state, t, rng):
        return 0 if self.mean(state.rewards[0], state.pulls[0]) > 0.5 else 1


class Constant(Property):
    __slots__ = ()
    BONUS = 0.5

    def select(self, state, t, rng):
        return 0 if self.BONUS > 0.3 else 1


class Sized(NamedTuple):
    arms: int

    def __len__(self):
        return 3

    init, update = Right.init, Right.update

    def select(self, state, t, rng):
        return len(self)


class Silent(NamedTuple):
    arms: int

    init, select = Right.init, Right.select


class Reordered(NamedTuple):
    arms: int

    init, update = Right.init, Right.update

    def select(self, rng, state, t):
        return 0


class TooFew(NamedTuple):
    arms: int

    init, select = Right.init, Right.select

    def update(self, state, action, observation):
        return state


@dataclass
class Data:
    arms: int

    init, select, update = Right.init, Right.select, Right.update


class Slots:
    __slots__ = ("arms",)

    def __init__(self, arms):
        self.arms = arms

    init, select, update = Right.init, Right.select, Right.update


PROGRAMS |= {
    cls.__name__: (ARMS, cls(5)) for cls in (Property, Static, Constant, Sized, Silent, Reordered, TooFew, Data, Slots)
}


def env(*methods, **options):
    return put(*methods, whole=Arms, **options)


@env
def regret_of_the_wrong_sign(self, world, action, t):  # legal, and the same
    return self.means[action] - self.means.max()


@env
def regret_missing_late(self, world, action, t):
    if t < 200:
        return self.means.max() - self.means[action]


@env
def regret_a_vector(self, world, action, t):
    return self.means.max() - self.means


@env
def regret_nan(self, world, action, t):
    return self.means[action] * (np.inf if t > 300 else 1.0) * 0.0


@env
def regret_ratio(self, world, action, t):
    return self.means[action] / (t - 300)


@env
def step_returns_nothing(self, world, action, t, rng):
    self.means[action]


@env
def step_returns_a_vector(self, world, action, t, rng):
    return self.means + rng.normal(0.0, 1.0)


@env
def step_changes_means(self, world, action, t, rng):
    if t > 100:
        self.means[action] *= 0.99
    return self.means[action]


@env
def step_more_than_certain(self, world, action, t, rng):
    return rng.binomial(1, self.means[action] + 0.001 * t) * 1.0


@env
def step_counts_its_own_world(self, world, action, t, rng):  # legal, and the same: a number is bound anew
    world = world + 1.0
    return self.means[action] + world[0]


@env
def reset_a_list(self, rng):
    return [0.0]


@env
def reset_the_means(self, rng):
    return self.means


def step_decays_world(self, world, action, t, rng):
    world[action] *= 0.99
    return world[action]


env(reset_the_means, step_decays_world)


@env
def step_next_arm(self, world, action, t, rng):
    return self.means[action + 1]


@env
def actions_too_many(self):
    return 7


@env
def step_single_precision(self, world, action, t, rng):
    return np.float32(self.means[action]) + rng.normal(0.0, 1.0)


PROGRAMS["means_a_list"] = (Arms(list(MEANS)), Right(5))
PROGRAMS["means_objects"] = (Arms(np.array([0.5, "0.4"], object)), Right(5))
