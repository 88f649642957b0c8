"""The statistical lines of `check_policy`: the names of the arms, and a policy without skill."""

from typing import NamedTuple

import numpy as np

from ..evidence import chance_alike
from ..evidence.estimates import interval
from ..user_code.contract import make_streams
from ..user_code.fields import are_equal

PASSED, FAILED, OPEN = "passed", "failed", "open"


def check_arm_names(pair):
    """the names of the arms do not matter"""
    other = pair.uniform()
    if other is None:
        return OPEN, "no single number of arms"
    order = np.roll(np.arange(other.arms), 1 + other.arms // 2)
    environment = permute_arms(pair.environment, order)
    if environment is None:
        return OPEN, "the environment has no array with an entry for each arm"
    if not arms_match(pair.environment, environment, order):
        return OPEN, "what an arm of the environment does is not told by its arrays with an entry for each arm"
    policy = permute_arms(pair.policy, order) or pair.policy
    chance, apart, least = compare_late_regret(pair, pair.environment, environment, policy)
    likely = (1 - pair.level) / 10
    if chance > likely:
        runs = f"{pair.runs} + {pair.runs} runs"
        return PASSED, f"permuting them, the law of the late regret is the same: p = {chance:.2g} ({runs})"
    if apart <= least:
        return PASSED, f"permuting them, the late regret is {apart:.2g} apart, less than a pull of every arm makes"
    rng = make_streams(pair.seed, 0)[0]
    if isinstance(environment.step(environment.reset(rng), 0, 0, rng), float):
        untied = compare_late_regret(pair, Untied(pair.environment), Untied(environment), policy)[0]
        if untied > likely:
            return (
                OPEN,
                f"ties go to the first arm, p = {chance:.2g}: where none tie they do not matter, p = {untied:.2g}",
            )
    return FAILED, f"the late regret has another law after permuting them, p = {chance:.2g}: treat them alike"


def compare_late_regret(pair, environment, other, policy):
    """Late regret of the policy on an environment and of this one on the other: the chance of a difference as large,
    that of the means, and what a pull of every arm can make."""
    # The second half: at first most policies take the arms in their order.
    late = [np.diff(found)[:, 0] for found in (pair.regret(environment), pair.regret(other, policy, pair.runs))]
    pull = np.diff(pair.play(pair.horizon)[0], prepend=0.0).max()
    return chance_alike(*late), abs(late[0].mean() - late[1].mean()), pull * pair.uniform().arms


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
    gain = pair.regret(policy=other)[:, 1] - pair.regret()[:, 1]
    half, least = (interval(gain, level)[2] for level in (pair.level, 1 - (1 - pair.level) / 10))
    told = f"by {abs(gain.mean()):.4g} ± {half:.2g} after {pair.horizon} rounds ({pair.runs} runs, {pair.level:.0%})"
    if gain.mean() > half:
        return PASSED, told
    if gain.mean() < -least:
        return FAILED, f"it loses more, {told}: is a sign wrong, or the smallest index played?"
    more = "less" if gain.mean() > 0 else "more"
    return OPEN, f"not told apart, it loses {more} {told}: more rounds or runs may"
