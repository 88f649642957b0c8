"""The statistical lines of `check_policy`: the names of the arms, and a policy without skill."""

from typing import NamedTuple

import numpy as np

from ..evidence import chance_alike
from ..evidence.estimates import interval
from ..user_code import contract, spaces
from ..user_code.contract import context_marker, make_streams
from ..user_code.fields import are_equal

PASSED, FAILED, OPEN = "passed", "failed", "open"


def check_arm_names(pair):
    """the names of the arms do not matter"""
    space = named_space(pair)
    if isinstance(space, spaces.Vectors | spaces.Ball):
        return PASSED, "its actions are vectors, which have none"
    if space is None:
        return OPEN, "no single number of arms"
    count = space[0]
    order = np.roll(np.arange(count), 1 + count // 2)
    environment = permute_arms(pair.environment, order)
    if environment is None:
        return OPEN, "the environment has no array with an entry for each arm"
    match = arms_match if isinstance(space, spaces.Discrete) else lists_match
    if not match(pair.environment, environment, *([order] if match is arms_match else [space, order])):
        return OPEN, "what an arm of the environment does is not told by its arrays with an entry for each arm"
    policy = permute_arms(pair.policy, order) or pair.policy
    chance, apart, least = compare_late_regret(pair, pair.environment, environment, policy)
    least *= count
    likely = (1 - pair.level) / 10
    if chance > likely:
        runs = f"{pair.runs} + {pair.runs} runs"
        return PASSED, f"permuting them, the law of the late regret is the same: p = {chance:.2g} ({runs})"
    if apart <= least:
        return PASSED, f"permuting them, the late regret is {apart:.2g} apart, less than a pull of every arm makes"
    rng = make_streams(pair.seed, 0)[0]
    if isinstance(environment.step(environment.reset(rng), pair.space()[1], 0, rng), float):
        untied = compare_late_regret(pair, Untied(pair.environment), Untied(environment), policy)[0]
        if untied > likely:
            where = f"where none tie they do not matter, p = {untied:.2g}"
            return OPEN, f"ties go to the first arm, p = {chance:.2g}: {where}"
    return FAILED, f"the late regret has another law after permuting them, p = {chance:.2g}: treat them alike"


def compare_late_regret(pair, environment, other, policy):
    """Late regret of the policy on an environment and of this one on the other: the chance of a difference as large,
    that of the means, and what a round can make."""
    # The second half: at first most policies take the arms in their order.
    late = [np.diff(found)[:, 0] for found in (pair.regret(environment), pair.regret(other, policy, pair.runs))]
    pull = np.diff(pair.play(pair.horizon)[0], prepend=0.0).max()
    return chance_alike(*late), abs(late[0].mean() - late[1].mean()), pull


def named_space(pair):
    """The action space, where it is of arms or of items that have numbers, or of vectors; else None."""
    space = contract.declared_actions(pair.environment)
    if context_marker(pair.environment):
        return None
    kinds = spaces.Ranked | spaces.MultiBinary | spaces.Vectors | spaces.Ball
    if isinstance(space, int | np.integer):
        return spaces.Discrete(int(space))
    return space if isinstance(space, kinds) else None


def lists_match(environment, other, space, order):
    """Whether lists or subsets of items have in the other environment the regret of the items that they stand for."""
    rng = np.random.default_rng(0)
    worlds = environment.reset(make_streams(0, 0)[0]), other.reset(make_streams(0, 0)[0])
    for _ in range(24):
        action = space.sample(rng)
        meant = order[action] if isinstance(space, spaces.Ranked) else action[np.argsort(order)]
        apart = environment.regret(worlds[0], meant, 0) - other.regret(worlds[1], action, 0)
        if abs(apart) > 1e-9:
            return False
    return True


class Untied(NamedTuple):
    """An environment in whose observations no two are equal: its numbers, moved by less than a billionth."""

    environment: object

    def actions(self):
        return self.environment.actions()

    def reset(self, rng):
        return self.environment.reset(rng)

    def step(self, world, action, t, rng):
        return self.environment.step(world, action, t, rng) * (1.0 - 2e-9) + 1e-9 * rng.random()

    def regret(self, world, action, t):
        return self.environment.regret(world, action, t)


def arms_match(environment, other, order):
    """Whether arm i of the other shows what arm order[i] of the environment shows, in first rounds of eight seeds."""

    def first(world, arm, seed):
        rng = make_streams(seed, 0)[0]
        return world.step(world.reset(rng), arm, 0, rng)

    pairs = [(int(arm), i, seed) for i, arm in enumerate(order) for seed in range(8)]
    return all(are_equal(first(environment, arm, seed), first(other, i, seed)) for arm, i, seed in pairs)


def permute_arms(thing, order):
    """The thing with the entries of its arms in another order, or None where it has none."""
    fields = {
        name: np.ascontiguousarray(value[order])
        for name, value in zip(thing._fields, thing, strict=True)
        if isinstance(value, np.ndarray) and value.ndim and len(value) == len(order)
    }
    return type(thing)(**{**thing._asdict(), **fields}) if fields else None


def check_against_uniform(pair):
    """loses less than a policy that plays uniformly"""
    other = pair.uniform()
    if other is None:
        return OPEN, "no uniform policy for such actions"
    lost, own, explored = pair.regret(policy=other)[:, 1], pair.regret(), pair.explored()
    if "stopping_time" in explored[0] and min(run["stopping_time"] for run in explored) == pair.horizon:
        return OPEN, f"no run stops within {pair.horizon} rounds: does `stop` ever hold, or does it need more?"
    answers = "simple_regret" in explored[0]
    gain = lost / pair.horizon - [run["simple_regret"] for run in explored] if answers else lost - own[:, 1]
    half, least = (interval(gain, level)[2] for level in (pair.level, 1 - (1 - pair.level) / 10))
    what = "by its answer" if answers else f"after {pair.horizon} rounds"
    told = f"by {abs(gain.mean()):.4g} ± {half:.2g} {what} ({pair.runs} runs, {pair.level:.0%})"
    if gain.mean() > half:
        doubt = "" if answers else doubt_learning(own, pair.level)
        return (OPEN, f"{told}, but {doubt}") if doubt else (PASSED, told)
    if gain.mean() < -least:
        return FAILED, f"it loses more, {told}: is a sign wrong, or the smallest index played?"
    more = "less" if gain.mean() > 0 else "more"
    return OPEN, f"not told apart, it loses {more} {told}: more rounds or runs may"


def doubt_learning(regret, level):
    """Why regret at half the horizon and at its end is not what a policy that learns loses; "" where it is."""
    early, late = regret[:, 0], np.diff(regret)[:, 0]
    if not regret.any():
        return "it never loses anything: does it know the means?"
    mean, _, half = interval(late - 0.9 * early, level)
    told = "it loses as much in the second half as in the first: right if the world changes, or if it explores for ever"
    return told if mean > half else ""
