"""The conformance kit: our pairs pass, and every broken policy fails at its own line."""

from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest

import banditlab as bl
from banditlab import classic
from banditlab.analysis import check_policy
from tests.engine.test_pairs import SOAK, name
from tests.pairs import PAIRS
from tests.readers import right, styles
from tests.toys import broken

ARMS = classic.bernoulli([0.8, 0.6, 0.6, 0.5, 0.4])
BROKEN = [  # a policy with one mistake, where it fails, and what it is told
    (broken.PastTheEnd(5), check_policy.check_compiled, "action 5 outside"),
    (broken.Negative(5), check_policy.check_interpreted, "action -1 outside"),
    (broken.ReadsPast(5), check_policy.check_interpreted, "out of bounds"),
    (broken.Dice(5), check_policy.check_randomness, "draw from rng"),
    (broken.OldDice(5), check_policy.check_randomness, "draw from rng"),
    (broken.Chooses(5), check_policy.check_compiled, "rng.choice"),
    (broken.Rounded(5), check_policy.check_bits, "math.log"),
    (broken.Growing(5), check_policy.check_memory, "8 bytes a round"),
    (broken.Favourite(5), check_policy.check_arm_names, "treat them alike"),
    (broken.Worst(5), check_policy.check_against_uniform, "loses more"),
]


def failed(report):
    return [check.name for check in report.checks if check.verdict == check_policy.FAILED]


@pytest.mark.parametrize("policy, where, told", BROKEN, ids=[type(policy).__name__ for policy, *_ in BROKEN])
def test_a_broken_policy_fails_at_its_own_line(policy, where, told):
    horizon = 800 if "PastTheEnd" in type(policy).__name__ else 300
    report = bl.check_policy(ARMS, policy, horizon=horizon, runs=40)
    assert not report.ok
    assert where.__doc__ in failed(report), str(report)
    line = next(check for check in report.checks if check.name == where.__doc__)
    assert told in line.found


@pytest.mark.parametrize("fields", [np.zeros(5)])
def test_a_policy_that_writes_into_its_fields_fails_there(fields):
    report = bl.check_policy(ARMS, broken.OwnField(5, fields), horizon=300, runs=4)
    assert failed(report) == [check_policy.check_interpreted.__doc__]
    assert [check.verdict for check in report.checks[3:]] == [check_policy.OPEN] * 9


def test_a_right_policy_passes_every_line():
    report = bl.check_policy(ARMS, broken.Right(5), horizon=300, runs=40)
    assert report.ok and {check.verdict for check in report.checks} == {check_policy.PASSED}, str(report)
    assert report._repr_html_().count("<tr>") == len(str(report).splitlines()) - 1 == 12


@pytest.mark.parametrize(
    "regret, pulls, score, verdict, said",
    [
        (0.3, 2.0, 0.7, check_policy.PASSED, "bit for bit"),
        (0.1 + 0.2, 2.0, 0.7 + 1e-12, check_policy.PASSED, "but for rounding"),
        (0.3 + 1e-9, 2.0, 0.7, check_policy.FAILED, "regret differs from round 1 on: write"),
        (0.3, 3.0, 0.7, check_policy.OPEN, "states differ, but its law is the same"),
    ],
)
def test_rounding_is_no_mistake_of_a_reader(regret, pulls, score, verdict, said):
    """The same actions are asked for, and regret to 1e-12; the package's own classes give the same bits."""

    def play(rounds, compiled=True, number=0):
        last, state = (regret, (np.array([1.0, pulls]), score)) if compiled else (0.3, (np.array([1.0, 2.0]), 0.7))
        return np.array([0.0, last]), (), state, None

    pair = SimpleNamespace(environment=ARMS, policy=classic.ucb1(5), horizon=2, runs=20, level=0.99, play=play)
    found = check_policy.check_bits(pair)
    assert found[0] == verdict and said in found[1]


def test_a_right_policy_whose_ties_are_broken_otherwise_does_not_fail():
    """As `np.argsort` leaves them, compiled and interpreted; a stable sort gives the same bits."""
    assert styles.CASCADE.actions().tolist() == [8, 8, 8]  # an array of sizes is an action space
    for stable, told in ((False, "use a stable sort"), (True, "bit for bit")):
        report = bl.check_policy(styles.CASCADE, styles.CascadeUCB1(8, 3, stable), horizon=300, runs=20)
        known, found = verdict(report, check_policy.check_bits)
        assert known == check_policy.PASSED and told in found and report.ok, str(report)


def verdict(report, where):
    return next((check.verdict, check.found) for check in report.checks if check.name == where.__doc__)


class Alike(NamedTuple):
    """Without skill and fair to every arm: in turn or by chance."""

    arms: int
    in_turn: bool

    def actions(self):
        return self.arms

    def init(self, rng):
        return 0

    def select(self, state, t, rng):
        return t % self.arms if self.in_turn else rng.integers(0, self.arms)

    def update(self, state, action, observation, t, rng):
        return state


@pytest.mark.parametrize("in_turn", [True, False])
def test_a_fair_policy_without_skill_fails_nowhere(in_turn):
    report = bl.check_policy(classic.bernoulli([0.9, 0.8, 0.7]), Alike(3, in_turn))
    assert report.ok, str(report)
    assert verdict(report, check_policy.check_arm_names)[0] == check_policy.PASSED
    known, told = verdict(report, check_policy.check_against_uniform)
    assert known == check_policy.OPEN and "not told apart, it loses more by 0." in told


def test_ties_that_go_to_the_first_arm_are_named():
    report = bl.check_policy(classic.bernoulli([0.9, 0.8, 0.7]), classic.explore_then_commit(3, 1))
    known, told = verdict(report, check_policy.check_arm_names)
    assert known == check_policy.OPEN and "ties go to the first arm" in told


class Always(NamedTuple):
    """One action for ever."""

    action: object

    def init(self, rng):
        return 0

    def select(self, state, t, rng):
        return self.action

    def update(self, state, action, observation, t, rng):
        return state


CHANGING = classic.piecewise([[0.8, 0.3, 0.2], [0.1, 0.3, 0.9]], changes=[150])
DUELS = classic.duels([[0.5, 0.7, 0.9], [0.3, 0.5, 0.8], [0.1, 0.2, 0.5]])
SHARED = right.Contexts(np.array([[1.0, 0.0], [0.0, 0.2]]))  # one context for both arms
FAVOURITES = [
    (CHANGING, Alike(3, False), check_policy.PASSED),
    (CHANGING, Always(0), check_policy.FAILED),
    (DUELS, classic.rucb(3), check_policy.PASSED),
    (DUELS, Always((0, 1)), check_policy.FAILED),
    (SHARED, classic.uniform(2, context=True), check_policy.PASSED),
    (SHARED, right.Contextual(2), check_policy.FAILED),
]


@pytest.mark.parametrize("environment, policy, known", FAVOURITES)
def test_names_are_asked_of_arms_that_change_or_meet_or_share_a_context(environment, policy, known):
    report = bl.check_policy(environment, policy, horizon=300, runs=40)
    assert verdict(report, check_policy.check_arm_names)[0] == known, str(report)


@pytest.mark.parametrize("policy, doubted", [(classic.ucb1(3), False), (Always(1), True)])
def test_a_policy_that_loses_as_much_late_as_early_is_doubted(policy, doubted):
    """The second best of three arms loses less than a uniform policy, and never less than at first."""
    report = bl.check_policy(classic.bernoulli([0.9, 0.8, 0.1]), policy)
    known, told = verdict(report, check_policy.check_against_uniform)
    assert known == (check_policy.OPEN if doubted else check_policy.PASSED), told
    assert ("it loses as much in the second half as in the first" in told) == doubted


class Told(NamedTuple):
    """Three arms whose method `regret` may tell another thing than the regret of a round."""

    means: np.ndarray
    kind: str

    def actions(self):
        return len(self.means)

    def reset(self, rng):
        return np.zeros(2)

    def step(self, world, action, t, rng):
        reward = 1.0 if rng.random() < self.means[action] else 0.0
        world[0] += self.means.max() - self.means[action]
        world[1] = reward
        return reward

    def regret(self, world, action, t):
        if self.kind == "sum so far":
            return world[0]
        if self.kind == "from the noise":
            return self.means.max() - world[1]
        if self.kind == "sign":
            return -self.means[action]
        if self.kind == "loss":
            return 1.0 - self.means[action]
        return self.means.max() - self.means[action]


@pytest.mark.parametrize("kind", ["right", "sum so far", "from the noise", "sign", "loss"])
def test_a_regret_that_is_none_fails_at_its_own_line(kind):
    report = bl.check_policy(Told(np.array([0.9, 0.5, 0.1]), kind), classic.ucb1(3), horizon=200, runs=4)
    known, told = verdict(report, check_policy.check_best_action)
    assert report.ok == (kind == "right"), str(report)
    assert (known == check_policy.PASSED) == (kind == "right")
    assert kind == "right" or "the best mean minus the mean of the action" in told


class Asked(Told):
    """Its method `regret` counts how often it was asked."""

    __slots__ = ()

    def regret(self, world, action, t):
        world[0] += 1.0
        return self.means.max() - self.means[action]


def test_a_regret_that_changes_the_world_fails():
    report = bl.check_policy(Asked(np.array([0.9, 0.5, 0.1]), ""), classic.ucb1(3), horizon=100, runs=4)
    known, told = verdict(report, check_policy.check_least_regret)
    assert known == check_policy.FAILED and "regret changes the world" in told


class Buffer(Told):
    """It shows its own memory."""

    __slots__ = ()

    def step(self, world, action, t, rng):
        world[0], world[1] = rng.random(), self.means[action]
        return world


class Keeper(NamedTuple):
    arms: int

    def actions(self):
        return self.arms

    def init(self, rng):
        return np.zeros(2)

    def select(self, state, t, rng):
        return int(state[0] * self.arms)

    def update(self, state, action, observation, t, rng):
        return observation


def test_a_state_that_holds_the_memory_of_the_world_is_told():
    report = bl.check_policy(Buffer(np.array([0.9, 0.5, 0.1]), ""), Keeper(3), horizon=100, runs=4)
    known, told = verdict(report, check_policy.check_interpreted)
    assert known == check_policy.OPEN and "keep `observation.copy()`" in told


@pytest.mark.parametrize("pair", PAIRS if SOAK else PAIRS[::32], ids=name)
def test_our_own_pass(pair):
    """A part here, the whole under `make soak`: each compiles loops of its own."""
    environment, policy, horizon = pair
    report = bl.check_policy(environment, policy, horizon=min(horizon, 600), runs=10)
    if type(policy).__name__ in PHASED:
        assert set(failed(report)) <= {check_policy.check_arm_names.__doc__}, str(report)
    else:
        assert report.ok, str(report)


# They play phases in the order of the arms: in so few rounds the best arm's place does tell, and the check says so.
PHASED = {"ODAAF", "Doubling"}


class Blurred(NamedTuple):
    """A world of one's own, whose rewards are no numbers from some round on."""

    means: np.ndarray

    def actions(self):
        return len(self.means)

    def reset(self, rng):
        return 0

    def step(self, world, action, t, rng):
        return self.means[action] if t < 20 else np.nan

    def regret(self, world, action, t):
        return self.means.max() - self.means[action]


def test_observations_that_are_no_numbers_are_told():
    """Indices of nan are never the largest, and nothing else would tell."""
    report = bl.check_policy(Blurred(np.array([0.8, 0.6, 0.5])), classic.ucb1(3), horizon=300, runs=10)
    found = verdict(report, check_policy.check_interpreted)
    assert found == (
        check_policy.OPEN,
        "the observation of round 20 holds nan: right only if the policy knows what that means",
    )
