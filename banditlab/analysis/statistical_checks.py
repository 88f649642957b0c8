"""The statistical lines of `check_policy`: the names of the arms, and a policy without skill."""

import itertools
from typing import NamedTuple

import numpy as np

from ..evidence import chance_alike
from ..evidence.estimates import interval
from ..user_code import contract, spaces
from ..user_code.fields import are_equal
from ..validate import percent

PASSED, FAILED, OPEN = "passed", "failed", "open"


def check_arm_names(pair):
    """the names of the arms do not matter"""
    space = named_space(pair)
    if isinstance(space, spaces.Vectors | spaces.Ball):
        return PASSED, "its actions are vectors, which have none"
    if space is None:
        return OPEN, "not asked: its actions are no arms or items of one kind, which could change places"
    count, shown = getattr(space, "first", space)[0], contract.context_marker(pair.environment)
    order = np.roll(np.arange(count), (count + 1) // 2)  # of two arms, too, another one
    environment, axes = rename_arms(pair, space, order)
    if environment is None:
        told = "features that are drawn anew tell" if shown else "no array with an entry for each arm tells"
        return OPEN, f"not asked: {told} what an arm of the environment does"
    policy = permute_arms(pair.policy, order, axes) or pair.policy
    chance, apart, least = compare_late_regret(pair, pair.environment, environment, policy)
    likely = (1 - pair.level) / 10
    if chance > likely:
        return PASSED, f"permuting them, late regret keeps its law: p = {chance:.2g} ({pair.runs} + {pair.runs} runs)"
    if apart <= least * count:
        return PASSED, f"permuting them, the late regret is {apart:.2g} apart, less than a pull of every arm makes"
    if isinstance(space, spaces.Discrete) and not shown and isinstance(play_one_round(environment, 0, 0, 0)[0], float):
        untied = compare_late_regret(pair, Untied(pair.environment), Untied(environment), policy)[0]
        if untied > likely:
            return OPEN, f"ties go to the first arm, p = {chance:.2g}: without they do not matter, p = {untied:.2g}"
    return FAILED, f"the late regret has another law after permuting them, p = {chance:.2g}: treat them alike"


def compare_late_regret(pair, environment, other, policy):
    """Late regret of the policy on an environment and of this one on the other: the chance of a difference as large,
    that of the means, and what a round can make."""
    # The second half: at first most policies take the arms in their order.
    played = pair.play_runs(environment), pair.play_runs(other, policy, pair.runs)
    late = [np.diff(regret)[:, 0] for regret, _ in played]
    pull = np.diff(pair.play(pair.horizon)[0], prepend=0.0).max()
    return chance_alike(*late), abs(late[0].mean() - late[1].mean()), pull


def named_space(pair):
    """The action space, where it is of vectors, or of arms, pairs of arms or items that have numbers; else None."""
    space = contract.declared_actions(pair.environment)
    kinds = spaces.Discrete | spaces.Ranked | spaces.MultiBinary | spaces.Vectors | spaces.Ball
    space = spaces.Discrete(int(space)) if isinstance(space, int | np.integer) else space
    arms = isinstance(space, spaces.Product) and isinstance(space.first, spaces.Discrete)
    return space if isinstance(space, kinds) or (arms and are_equal((*space.others,), (space.first,))) else None


def rename_arms(pair, space, order):
    """The environment whose arm i is arm order[i] of the pair's, and along which axes of its arrays; or None twice."""
    # An arm is a row and a column, where it meets every other; or a row; or a column, of phases.
    tried = [(permute_arms(pair.environment, order, axes), axes) for axes in ((0, -1), (0,), (-1,))]
    actions = list_renamed(space, order)
    return next((found for found in tried if found[0] and worlds_match(pair, found[0], actions)), (None, None))


def permute_arms(thing, order, axes):
    """The thing with the entries of its arms in another order, or None where it has none."""
    fields = {}
    for name, value in zip(thing._fields, thing, strict=True):
        for axis in {axis % value.ndim for axis in axes} if isinstance(value, np.ndarray) and value.ndim else ():
            if value.shape[axis] == len(order):
                fields[name] = np.ascontiguousarray(np.take(fields.get(name, value), order, axis))
    return type(thing)(**{**thing._asdict(), **fields}) if fields else None


def list_renamed(space, order):
    """What actions were called, and their new names: all arms, all duels in either order, some lists or subsets."""
    if isinstance(space, spaces.Discrete):
        return [(int(arm), i) for i, arm in enumerate(order)]
    if isinstance(space, spaces.Product):
        return [(pair, (i, j)) for i, a in enumerate(order) for j, b in enumerate(order) for pair in ((a, b), (b, a))]
    rng, ranked = np.random.default_rng(0), isinstance(space, spaces.Ranked)
    return [(order[a] if ranked else a[np.argsort(order)], a) for a in (space.sample(rng) for _ in range(24))]


def worlds_match(pair, other, actions):
    """Whether every action loses in the other world what it lost under its old name; and shows it, where it is an arm.

    What lists, subsets and duels show may have names in it.
    """
    for t in range(0, pair.horizon, pair.horizon // 4):
        for (meant, named), seed in itertools.product(actions, range(8)):
            mine, theirs = play_one_round(pair.environment, meant, seed, t), play_one_round(other, named, seed, t)
            if abs(mine[1] - theirs[1]) > 1e-9 or (isinstance(named, int) and not are_equal(mine[0], theirs[0])):
                return False
    return True


def play_one_round(environment, action, seed, t, number=0):
    """What is seen after this action in a world that has just begun, in the words of round t; and what it loses."""
    rng = contract.make_streams(seed, number)[0]
    world = environment.reset(rng)
    contract.show_context(environment, world, t, rng)
    return environment.step(world, action, t, rng), environment.regret(world, action, t)


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


def check_against_uniform(pair):
    """loses less than a policy that plays uniformly"""
    if (other := pair.uniform()) is None:
        return OPEN, "no uniform policy for such actions"
    (lost, _), (own, told) = pair.play_runs(policy=other), pair.play_runs()
    stops, answers = (contract.has_method(pair.policy, name) for name in ("stop", "answer"))
    if stops and min(run["stopping_time"] for run in told) == pair.horizon:
        return OPEN, f"no run stops within {pair.horizon} rounds: does `stop` ever hold, or does it need more?"
    lost = lost[:, 1]
    gain = lost / pair.horizon - [run["simple_regret"] for run in told] if answers else lost - own[:, 1]
    half, least = (interval(gain, level)[2] for level in (pair.level, 1 - (1 - pair.level) / 10))
    what = "by its answer" if answers else f"after {pair.horizon} rounds"
    apart = f"by {abs(gain.mean()):.4g} ± {half:.2g} {what} ({pair.runs} runs, {percent(pair.level)})"
    if gain.mean() > half:
        doubt = "" if answers else doubt_learning(own, pair.level)
        return (OPEN, f"{apart}, but {doubt}") if doubt else (PASSED, apart)
    if gain.mean() < -least:
        return FAILED, f"it loses more, {apart}: is a sign wrong, or the smallest index played?"
    more = "less" if gain.mean() > 0 else "more"
    return OPEN, f"not told apart, it loses {more} {apart}: more rounds or runs may"


def doubt_learning(regret, level):
    """Why regret at half the horizon and at its end is not what a policy that learns loses; "" where it is."""
    early, late = regret[:, 0], np.diff(regret)[:, 0]
    if not regret.any():
        return "it never loses anything: does it know the means?"
    mean, _, half = interval(late - 0.9 * early, level)
    told = "it loses as much in the second half as in the first: right if the world changes, or if it explores for ever"
    return told if mean > half else ""
