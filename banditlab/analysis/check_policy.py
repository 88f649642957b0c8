"""Are a policy and an environment of one's own what this package takes them for? Twelve checks in plain language."""

import html
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from .. import classic
from ..engine.instances import RandomInstances
from ..engine.loop import run
from ..engine.player import Player, Work, unshare
from ..engine.simulate import check_players
from ..evidence import chance_alike
from ..results.state_file import kinds_in
from ..user_code import contract, diagnose, guards, spaces, stopping
from ..user_code.code_identity import classes_from_outside, list_codes
from ..user_code.fields import are_equal, list_arrays, map_arrays
from ..validate import LARGEST, number, whole
from .regret_checks import check_best_action, check_least_regret, is_documented
from .statistical_checks import FAILED, OPEN, PASSED, check_against_uniform, check_arm_names

SIGNS = {PASSED: "✓", FAILED: "✗", OPEN: "○"}


class Check(NamedTuple):
    """One property: whether it holds, what was found, and what to do where it does not."""

    name: str
    verdict: str
    found: str


class Report(NamedTuple):
    """What `check_policy` found: a table in a notebook, a list in a terminal."""

    pair: str
    checks: tuple
    seconds: float

    @property
    def ok(self):
        """Whether nothing failed; what could not be decided is open."""
        return all(check.verdict != FAILED for check in self.checks)

    @property
    def head(self):
        """The pair, and what was found in a few words."""
        still = sum(check.verdict == OPEN for check in self.checks)
        left = f", {still} of {len(self.checks)} checks open" * (still > 0)
        return f"{self.pair}: {'nothing failed' if self.ok else 'FAILED'}{left}, {self.seconds:.1f} s"

    def __str__(self):
        return "\n".join([self.head, *(f"{SIGNS[c.verdict]} {c.name}: {c.found}" for c in self.checks)])

    def _repr_html_(self):
        rows = "".join(
            f"<tr><td>{SIGNS[c.verdict]} {c.verdict}</td><td style='text-align:left'>{html.escape(c.name)}</td>"
            f"<td style='text-align:left;white-space:pre-wrap'>{html.escape(c.found)}</td></tr>"
            for c in self.checks
        )
        return f"<p><b>{html.escape(self.head)}</b></p><table>{rows}</table>"


class Pair(NamedTuple):
    """What all checks share."""

    environment: object
    policy: object
    horizon: int
    runs: int
    seed: int
    level: float

    def play(self, rounds, compiled=True, policy=None, number=0):
        """One run: regret after every round, world, state, the world's generator as it was left; the last round."""
        environment, policy = unshare(self.environment), unshare(policy or self.policy)
        flags, rngs = np.zeros(2, np.int64), contract.make_streams(self.seed, number)
        player = Player(policy, np.arange(1, rounds + 1), self.seed, kernel=None if compiled else run)
        regret, world, state = player.play(environment, number, flags, streams=rngs)
        return regret, world, state, rngs[0], stopping.count_rounds_of_run(flags, rounds)

    def before(self, t):
        """The world after t rounds, and its generator."""
        if t:
            _, world, _, rng, _ = self.play(t)
            return world, rng
        rng = contract.make_streams(self.seed, 0)[0]
        return self.environment.reset(rng), rng

    def play_runs(self, environment=None, policy=None, first=0):
        """Regret at half the horizon and at its end, and diagnostics (see `stopping.judge_answer`), run by run."""
        work = Work(environment or self.environment, np.array([self.horizon // 2, self.horizon]), self.seed)
        numbers, flags = np.arange(first, first + self.runs), np.zeros((self.runs, 2), np.int64)
        return work.play(policy or self.policy, numbers, flags, {})[:2]

    def space(self):
        """The action space that the environment, or else the policy, declares, and the first action; None without."""
        action = contract.play_first_action(self.environment, self.policy, self.seed, 0)
        return guards.space_of(self.environment, action) or guards.space_of(self.policy, action), action

    def uniform(self):
        """A policy without skill on the same actions, or None where they are told by their bounds only."""
        space, shown = contract.declared_actions(self.environment), bool(contract.context_marker(self.environment))
        if isinstance(space, int | np.integer):
            return classic.uniform(int(space), context=shown)
        action = contract.play_first_action(self.environment, self.policy, self.seed, 0)
        if not isinstance(space, spaces.SPACES) or kinds_in(space.sample(np.random.default_rng(0))) != kinds_in(action):
            return None
        return classic.uniform(space, context=shown)


def check_policy(
    environment: tuple, policy: tuple, horizon: int = 1000, runs: int = 50, seed: int = 0, level: float = 0.99
) -> Report:
    """Check a policy or an environment of one's own: is it what the workbench takes it for?

    An environment of one's own is checked with a policy that is known, ``classic.uniform``; the other way round a
    policy with ``classic.bernoulli``.

    Parameters
    ----------
    environment, policy : NamedTuple
        As in `simulate`.
    horizon, runs, seed : int
        Size of the two statistical checks; the others play at most 300 rounds of it, but for indexing and regret, which
        are looked at to the end: choose a horizon that covers a change of the world.
    level : float
        Confidence with which these two decide, in (0, 1); they fail only with a tenth of the doubt that it leaves.

    Returns
    -------
    Report
        ``report.ok``, ``print(report)``, or the last line of a notebook's cell. A line that failed says what to do.

    Examples
    --------
    >>> from banditlab import check_policy, classic
    >>> check_policy(classic.bernoulli([0.2, 0.5, 0.9]), classic.ucb1(3)).ok
    True
    """
    horizon, runs = whole("horizon", horizon, 4, LARGEST), whole("runs", runs, 2, LARGEST)
    seed, level = whole("seed", seed, 0), number("level", level, above=0, below=1)
    environment = environment.draw(seed, 0) if isinstance(environment, RandomInstances) else environment
    pair, began, checks = Pair(environment, policy, horizon, runs, seed, level), time.perf_counter(), []
    for test in TESTS:
        try:
            found = test(pair)
        except Exception as error:
            found = FAILED, f"{type(error).__name__}: {error}"
        checks.append(Check(test.__doc__, *found))
        if found[0] == FAILED and test in FATAL:
            break  # what follows would fail for the same reason
    checks += [Check(test.__doc__, OPEN, "not tried after the failure above") for test in TESTS[len(checks) :]]
    names = f"{type(policy).__name__} on {type(environment).__name__}"
    return Report(names, tuple(checks), time.perf_counter() - began)


def check_protocol(pair):
    """methods and actions are as the protocol says"""
    check_players(pair.environment, {"policy": pair.policy}, pair.horizon)
    return PASSED, "reset, step and regret, init, select and update have the right parameters"


def check_randomness(pair):
    """draws from rng only"""
    guards.prepare_functions(classes_from_outside(pair.environment, pair.policy))
    return PASSED, "no method reaches numpy's or Python's global generator"


def check_interpreted(pair):
    """plays in Python, every action and index in range, and writes into no field of its own"""
    rounds = min(pair.horizon, 300)
    environment, policy = guards.make_read_only(pair.environment), guards.make_read_only(pair.policy)
    diagnose.rehearse(run, environment, policy, rounds, pair.seed, 2.0)
    nans, cut = [], []
    _, world, state, *_ = pair.play(min(rounds, 30), compiled=False, policy=Looking(pair.policy, nans, cut))
    if any(np.shares_memory(a, b) for a in list_arrays(world) for b in list_arrays(state)):
        return OPEN, "the state holds an array of the world, which `step` may change: keep `observation.copy()`"
    if nans:
        return OPEN, f"the observation of round {nans[0]} holds nan: right only if the policy knows what that means"
    if cut:
        return OPEN, f"the state's whole numbers cut {cut[0]:.3g}, which is written into them: start with np.zeros(n)"
    return PASSED, f"{rounds} rounds on read-only fields"


class Watched(np.ndarray):
    """Whole numbers, and the first fraction of what is written into them, each time."""

    def __array_finalize__(self, source):
        self.cut = getattr(source, "cut", [])

    def __setitem__(self, place, value):
        told = np.ravel(value)
        self.cut.extend(told[told % 1 > 0][:1] if told.dtype.kind == "f" else ())
        super().__setitem__(place, value)


class Looking(NamedTuple):
    """A policy that plays as another one, interpreted, and notes the rounds whose observations hold nan, and fractions
    that arrays of whole numbers cut."""

    policy: object
    nans: list
    cut: list

    around = True

    def init(self, rng):
        return map_arrays(self.policy.init(rng), lambda array: watch_cuts(array, self.cut))

    def select(self, state, *seen):
        return self.policy.select(state, *seen)

    def update(self, state, action, observation, t, rng):
        if holds_nan(observation):
            self.nans.append(t)
        return self.policy.update(state, action, observation, t, rng)


def watch_cuts(array, cut):
    """An array that notes the fractions which are written into its whole numbers."""
    if array.dtype.kind not in "iu":
        return array
    watched = array.view(Watched)
    watched.cut = cut
    return watched


def holds_nan(value):
    """Whether one of these numbers is none."""
    if isinstance(value, tuple):
        return any(map(holds_nan, value))
    return np.asarray(value).dtype.kind == "f" and bool(np.isnan(value).any())


def check_compiled(pair):
    """compiles, and plays to the horizon with every action and index checked"""
    pair.play(pair.horizon)
    known = guards.space_of(pair.environment, pair.space()[1])
    words = "; more could be asked of an environment with a method `actions`, as def actions(self): return 3"
    return PASSED, f"{pair.horizon} rounds" + words * (not known)


def check_bits(pair):
    """compiled and interpreted play the same"""
    rounds = min(pair.horizon, 300)
    (fast, *ends), (slow, *others) = pair.play(rounds), pair.play(rounds, compiled=False)
    if are_equal((fast, *ends[:2]), (slow, *others[:2])):
        return PASSED, f"{rounds} rounds bit for bit, final world and state included"
    apart = ~np.isclose(fast, slow, rtol=1e-12, atol=1e-12)
    if not apart.any() and are_close(ends[:2], others[:2]):
        return PASSED, f"{rounds} rounds but for rounding: regret to 1e-12, x ** 2, np.exp or sum() may be the reason"
    told = f"regret differs from round {int(np.argmax(apart))} on" if apart.any() else "states differ"
    chance = compare_laws(pair, rounds)
    alike = f"{told}, but its law is the same (p = {chance:.2g}, {pair.runs} + {pair.runs} runs)"
    if chance <= (1 - pair.level) / 10:
        return FAILED, f"{told}: write x * x, math.log, math.exp and loops for x ** 2, np.log, np.exp, sum(), mean(), @"
    if sorts_unstably(pair):
        return PASSED, f'{alike}: ties are broken otherwise; use a stable sort, kind="mergesort", for the same bits'
    return OPEN, f"{alike}: rounding, as of np.log or sum(), may decide between two actions that are nearly equal"


def compare_laws(pair, rounds):
    """The chance that regrets as far apart have one law: compiled in some runs, interpreted in others."""
    fast = [pair.play(rounds, number=i)[0][-1] for i in range(pair.runs)]
    slow = [pair.play(rounds, compiled=False, number=i)[0][-1] for i in range(pair.runs, 2 * pair.runs)]
    return chance_alike(np.array(fast), np.array(slow))


def sorts_unstably(pair):
    """Whether code from outside sorts by a method whose order of ties is not told."""
    functions = guards.list_functions(classes_from_outside(pair.environment, pair.policy))
    codes = [code for _, function, _ in functions for code in list_codes(function.__code__)]
    return any({*code.co_names} & {"argsort", "argpartition", "partition"} for code in codes)


def are_close(a, b):
    """Whether two worlds or states are equal but for rounding, which moves no count of pulls."""
    if isinstance(a, tuple | list):
        return isinstance(b, tuple | list) and len(a) == len(b) and all(map(are_close, a, b))
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape or a.dtype.kind != "f":
        return a.shape == b.shape and bool((a == b).all())
    return bool(np.allclose(a, b, rtol=1e-9, atol=1e-9, equal_nan=True))


def check_repeats(pair):
    """gives the same bits again, on one and on two threads"""
    work = Work(pair.environment, np.array([min(pair.horizon, 300)]), pair.seed)

    def chunk(numbers):
        return work.play(pair.policy, numbers, np.zeros((len(numbers), 2), np.int64), {})[0]

    once = chunk(np.arange(8))
    with ThreadPoolExecutor(2) as pool:
        halves = np.concatenate(list(pool.map(chunk, np.split(np.arange(8), 2))))
    backwards = np.concatenate([chunk(np.array([i])) for i in range(7, -1, -1)])[::-1]
    if are_equal(once, halves) and are_equal(once, backwards):
        return PASSED, "8 runs together, in halves on two threads, one by one backwards"
    return FAILED, "something outlives a run: keep what changes in the state that init makes anew"


def check_common_world(pair):
    """the world draws as many random numbers whatever is played"""
    if (other := pair.uniform()) is None:
        return OPEN, "no second policy for such actions"
    *_, left, rounds = pair.play(min(pair.horizon, 300))
    if left.bit_generator.state == pair.play(rounds, policy=other)[3].bit_generator.state:
        return PASSED, f"two policies left its generator in the same state after {rounds} rounds: they can be paired"
    return FAILED, (
        "policies meet other worlds, paired differences lose their sharpness: "
        "let every step draw the same number, whatever the action"
    )


def check_memory(pair):
    """memory does not grow with the horizon"""
    states = [pair.play(rounds)[2] for rounds in (pair.horizon // 2, pair.horizon)]
    sizes = [sum(array.nbytes for array in list_arrays(state)) for state in states]
    if sizes[0] == sizes[1]:
        return PASSED, f"its state holds {sizes[0]} bytes"
    told = f"{(sizes[1] - sizes[0]) / (pair.horizon - pair.horizon // 2):.0f} bytes a round"
    if sizes[1] - sizes[0] < pair.horizon // 2 or is_documented(pair.policy, "bytes"):
        return PASSED, f"{told}, as its documentation says" if told[0] != "0" else "less than a byte a round"
    return FAILED, f"{told}: keep sums, or say in the docstring how many bytes it holds"


TESTS = (
    check_protocol, check_randomness, check_interpreted, check_compiled, check_bits, check_repeats,
    check_least_regret, check_best_action, check_common_world, check_memory, check_arm_names, check_against_uniform,
)  # fmt: skip
FATAL = (check_protocol, check_randomness, check_interpreted, check_compiled)
