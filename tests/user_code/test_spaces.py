"""Action spaces: what they draw, list, count and refuse; what is checked of a policy that plays on one."""

from collections import Counter
from typing import NamedTuple

import numpy as np
import pytest

import banditlab as bl
from banditlab import spaces
from banditlab.analysis import check_policy
from banditlab.user_code.contract import check_actions
from banditlab.user_code.spaces import SPACES

ROWS = [[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]
ALL = {
    "discrete": spaces.discrete(5),
    "multi_discrete": spaces.multi_discrete([2, 3]),
    "subsets": spaces.multi_binary(4, most=2),
    "pairs of items": spaces.multi_binary(4, most=2, least=2),
    "ranked": spaces.ranked(4, 2),
    "vectors": spaces.vectors(ROWS),
    "product": spaces.tuple_of(spaces.discrete(2), spaces.vectors(ROWS), spaces.ranked(3, 2)),
}
OUTSIDE = {
    "discrete": [-1, 5],
    "multi_discrete": [np.array([0, 3]), np.array([-1, 0]), np.array([0]), np.array([0, 0, 0])],
    "subsets": [np.ones(4, int), np.array([0, 0, 0, 2]), np.array([0, -1, 0, 0]), np.zeros(3, int)],
    "pairs of items": [np.zeros(4, int), np.array([1, 0, 0, 0])],
    "ranked": [np.array([1, 1]), np.array([0, 4]), np.array([-1, 0]), np.array([0]), np.array([0, 1, 2])],
    "vectors": [np.array([0.5, 0.5]), np.array([1.0, 0.0, 0.0]), np.array([1.0])],
    "product": [(2, np.array(ROWS[0]), np.array([0, 1])), (0, np.array(ROWS[0]), np.array([1, 1]))],
    "ball": [np.array([0.8, 0.8, 0.0]), np.array([0.1, 0.1]), np.array([np.nan, 0.0, 0.0])],
}


class Pays(NamedTuple):
    """An environment that pays nothing for an action of any kind."""

    space: tuple

    def actions(self):
        return self.space

    def reset(self, rng):
        return 0

    def step(self, world, action, t, rng):
        return rng.random()

    def regret(self, world, action, t):
        return 0.0


class Shows(Pays):
    """The same, which shows a context."""

    def context(self, world, t, rng):
        return rng.random(2)


class Fixed(NamedTuple):
    """A policy that plays one action for ever."""

    action: tuple

    def init(self, rng):
        return 0

    def select(self, state, t, rng):
        return self.action[0]

    def update(self, state, action, observation, t, rng):
        return state


def as_key(action):
    """The action as something that can be counted."""
    return tuple(map(as_key, action)) if isinstance(action, tuple | np.ndarray) else float(action)


@pytest.mark.parametrize("name", ALL)
def test_what_is_listed_is_all_that_is_drawn_and_none_is_refused(name):
    space, rng = ALL[name], np.random.default_rng(0)
    listed = [as_key(action) for action in space.every()]
    assert len(set(listed)) == len(listed) == space.count()
    drawn = Counter(as_key(space.sample(rng)) for _ in range(200 * len(listed)))
    assert set(drawn) == set(listed)
    for action in space.every():
        space.refuse(action)
    if name != "subsets":  # there sizes are drawn first
        # Tolerance: five standard deviations of a binomial count of mean 200.
        assert max(abs(count - 200) for count in drawn.values()) < 5 * 200**0.5


def test_subsets_are_drawn_by_their_size():
    rng = np.random.default_rng(1)
    sizes = Counter(int(ALL["subsets"].sample(rng).sum()) for _ in range(3000))
    # Tolerance: five standard deviations of a binomial count of mean 1000.
    assert sorted(sizes) == [0, 1, 2] and max(abs(n - 1000) for n in sizes.values()) < 130


def test_a_ball_is_filled_evenly():
    space, rng = spaces.ball(3, 2.0), np.random.default_rng(0)
    drawn = np.array([space.sample(rng) for _ in range(4000)])
    lengths = np.linalg.norm(drawn, axis=1)
    assert lengths.max() <= 2.0
    # Tolerance: four standard errors: the cube of the length is uniform; a coordinate has variance 4 / 5.
    assert ((lengths / 2) ** 3).mean() == pytest.approx(0.5, abs=4 * 0.289 / 63)
    assert drawn.mean(axis=0) == pytest.approx(np.zeros(3), abs=4 * 0.9 / 63)
    space.refuse(np.array([0.0, 2.0, 0.0]))


@pytest.mark.parametrize("name", OUTSIDE)
def test_what_is_no_action_is_refused(name):
    space = ALL.get(name, spaces.ball(3))
    for action in OUTSIDE[name]:
        with pytest.raises(IndexError, match="outside the action space"):
            space.refuse(action)


@pytest.mark.parametrize("name", [*ALL, "ball"])
def test_the_uniform_policy_is_the_same_compiled_and_interpreted_and_nothing_is_skipped(name, soak):
    """With and without a context; one of them in turn here, both under `make soak`: each compiles loops of its own."""
    space, turn = ALL.get(name, spaces.ball(3)), [*ALL, "ball"].index(name) % 2
    worlds = (Pays(space), False), (Shows(space), True)
    for world, shown in worlds if soak else worlds[turn : turn + 1]:
        report = bl.check_policy(world, bl.classic.uniform(space, context=shown), 60, runs=4)
        open_ = {check.name for check in report.checks if check.verdict != "passed"}
        # Nobody is better than uniform here, and a world that pays nothing has no arms to name.
        assert report.ok and open_ <= {
            check_policy.check_against_uniform.__doc__, check_policy.check_arm_names.__doc__,
        }, str(report)  # fmt: skip


@pytest.mark.parametrize("name", ["subsets", "ranked", "vectors", "product", "ball"])
def test_a_policy_that_leaves_the_space_is_told_what_an_action_is(name):
    space = ALL.get(name, spaces.ball(3))
    with pytest.raises(Exception, match=r"Fixed, run 0, round 0, in select: action .* outside") as told:
        bl.simulate(Pays(space), Fixed((OUTSIDE[name][0],)), 10)
    assert space.told() in str(told.value)


def test_two_numbers_are_no_list_of_items():
    """(4, 2) says that an action has two parts; `ranked(4, 2)` is another thing, although its fields are the same."""
    with pytest.raises(ValueError, match="plays on actions Ranked"):
        bl.simulate(Pays((4, 2)), bl.classic.uniform(spaces.ranked(4, 2)), 10)
    bl.simulate(Pays(spaces.ranked(4, 2)), bl.classic.uniform(spaces.ranked(4, 2)), 10)
    bl.simulate(Pays(spaces.discrete(4)), bl.classic.ucb1(4), 10)
    bl.simulate(Pays(spaces.vectors(ROWS)), bl.classic.uniform(spaces.vectors(ROWS)), 10)
    with pytest.raises(ValueError, match="plays on actions Vectors"):
        bl.simulate(Pays(spaces.vectors(ROWS)), bl.classic.uniform(spaces.vectors(ROWS[:2])), 10)


class Sized(NamedTuple):
    """A policy that plays the first choices of components, and says how many there are."""

    sizes: tuple

    def actions(self):
        return self.sizes[0]

    def init(self, rng):
        return 0

    def select(self, state, t, rng):
        return np.zeros(2, np.int64)

    def update(self, state, action, observation, t, rng):
        return state

    def indices(self, state, t):
        return np.zeros((3, 5))


SIZES = {"space": spaces.multi_discrete([2, 3]), "array": np.array([2, 3]), "tuple": (2, 3), "list": [2, 3]}


@pytest.mark.parametrize("offered", SIZES)
@pytest.mark.parametrize("known", SIZES)
def test_sizes_mean_the_same_whatever_holds_them(offered, known):
    """The check alone: compiled code knows a space, an array and a tuple."""

    def saying(said):
        return type("Says", (Sized,), {"actions": lambda self: said})((0,))

    check_actions(saying(SIZES[offered]), saying(SIZES[known]), "policy")
    for other in (3, 2), np.array([2, 3, 1]), np.array([[2, 3]]), spaces.multi_discrete([2]), 6:
        with pytest.raises(ValueError, match="policy: plays on actions .*, but the environment offers"):
            check_actions(saying(SIZES[offered]), saying(other), "policy")


@pytest.mark.parametrize("known", ["space", "array", "tuple"])
def test_a_trace_of_sizes_shows_every_choice(known):
    world, policy = Pays(SIZES["space"]), Sized((SIZES[known],))
    found = bl.trace(world, policy, 50)
    assert found.sizes == (2, 3) and bl.simulate(world, policy, 10, 2).regret.shape == (1, 2, 10)
    found.figure()
    with pytest.raises(ValueError, match=r"plays on actions \(2, 3\), but the environment offers \(2, 4\)"):
        bl.simulate(Pays(spaces.multi_discrete([2, 4])), policy, 10)


class Worth(NamedTuple):
    """Items in a list, each of which pays its worth."""

    worth: np.ndarray
    length: int

    def actions(self):
        return spaces.ranked(len(self.worth), self.length)

    def reset(self, rng):
        return 0

    def step(self, world, action, t, rng):
        return np.array([self.worth[item] for item in action])

    def regret(self, world, action, t):
        best, total = 0.0, 0.0
        for value in np.sort(self.worth)[-self.length :]:
            best += value
        for item in action:
            total += self.worth[item]
        return best - total


class Lowest(NamedTuple):
    """A list of the items of smallest number, which is no learner and treats items by their numbers."""

    length: int

    def init(self, rng):
        return 0

    def select(self, state, t, rng):
        return np.arange(self.length)

    def update(self, state, action, observation, t, rng):
        return state


def test_who_prefers_an_item_for_its_number_is_found():
    """The first items are the best ones: only the permuted world tells."""
    report = bl.check_policy(Worth(np.array([0.9, 0.8, 0.1, 0.2, 0.3, 0.1]), 2), Lowest(2), 100, runs=10)
    verdicts = {check.name: check.verdict for check in report.checks}
    assert verdicts[check_policy.check_arm_names.__doc__] == "failed"
    assert verdicts[check_policy.check_best_action.__doc__] == "passed"


def test_a_trace_of_lists_has_a_bar_for_every_item():
    found = bl.trace(Worth(np.array([0.9, 0.8, 0.1, 0.2]), 2), bl.classic.uniform(spaces.ranked(4, 2)), 50)
    assert found.sizes == (4,) and found.labels == ["0", "1", "2", "3"]
    assert sum(found.stop(49)["y"][1]) == pytest.approx(2.0)  # two items a round
    found.figure()


def test_a_regret_below_zero_is_found_where_actions_are_too_many_to_list():
    class Wrong(Worth):
        def regret(self, world, action, t):
            return 1.5 - self.worth[action[0]] - self.worth[action[1]]

    report = bl.check_policy(Wrong(np.linspace(0, 1, 40), 2), Lowest(2), 1000, runs=4)
    verdicts = {check.name: check.verdict for check in report.checks}
    assert verdicts[check_policy.check_best_action.__doc__] == "failed"


def test_a_product_is_of_spaces():
    for bad in ((3, 4), (spaces.discrete(3),)):
        with pytest.raises(TypeError, match="must be at least two action spaces"):
            spaces.tuple_of(*bad)
    assert all(isinstance(space, SPACES) for space in ALL.values())
