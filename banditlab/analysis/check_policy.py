"""Are a policy and an environment of one's own what this package takes them for? Twelve checks in plain language."""

import copy
import html
import inspect
import itertools
import math
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from .. import classic
from ..engine.instances import RandomInstances
from ..engine.loop import run
from ..engine.player import Work, compile_pair, unshare
from ..engine.simulate import check_players
from ..evidence import chance_alike
from ..user_code import code_identity, contract, diagnose, guards
from ..user_code.code_identity import classes_from_outside
from ..user_code.contract import context_marker, make_streams
from ..user_code.fields import are_equal
from ..user_code.ignored import list_inner
from ..validate import LARGEST, number, whole
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

    def __str__(self):
        lines = [f"{SIGNS[c.verdict]} {c.name}: {c.found}" for c in self.checks]
        return "\n".join([f"{self.pair}: {'nothing failed' if self.ok else 'FAILED'}, {self.seconds:.1f} s", *lines])

    def _repr_html_(self):
        rows = "".join(
            f"<tr><td>{SIGNS[c.verdict]} {c.verdict}</td><td style='text-align:left'>{html.escape(c.name)}</td>"
            f"<td style='text-align:left;white-space:pre-wrap'>{html.escape(c.found)}</td></tr>"
            for c in self.checks
        )
        return f"<p><b>{html.escape(self.pair)}</b></p><table>{rows}</table>"


class Pair(NamedTuple):
    """What all checks share."""

    environment: object
    policy: object
    horizon: int
    runs: int
    seed: int
    level: float

    def play(self, rounds, compiled=True, policy=None, number=0):
        """One run: regret after every round, world, state, and the world's generator as it was left."""
        environment, policy = unshare(self.environment), unshare(policy or self.policy)
        shown, rngs = context_marker(environment), make_streams(self.seed, number)
        action = contract.play_first_action(environment, policy, self.seed, number)
        theirs = classes_from_outside(environment, policy)
        player = guards.hold_to_actions(environment, policy, action, shown)
        args = environment, player, np.arange(1, rounds + 1), shown, np.zeros(2, np.int64), *rngs
        how = compile_pair(args, theirs) if compiled else run
        regret, world, state = diagnose.play_or_explain(how, args, number, self.seed, bool(theirs))
        return regret, world, state, rngs[0].bit_generator.state

    def before(self, t):
        """The world after t rounds, and the state of its generator."""
        if t:
            _, world, _, stream = self.play(t)
            return world, stream
        rng = make_streams(self.seed, 0)[0]
        world = self.environment.reset(rng)
        return world, rng.bit_generator.state

    def regret(self, environment=None, policy=None, first=0):
        """Regret at half the horizon and at its end, run by run."""
        work = Work(environment or self.environment, np.array([self.horizon // 2, self.horizon]), self.seed)
        numbers, flags = np.arange(first, first + self.runs), np.zeros((self.runs, 2), np.int64)
        return work.play(policy or self.policy, numbers, flags, {})[0]

    def uniform(self):
        """A policy without skill on the same actions, or None."""
        actions = contract.declared_actions(self.environment)
        single = isinstance(actions, int | np.integer) and not context_marker(self.environment)
        return classic.uniform(int(actions)) if single else None


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
    return Report(
        f"{type(policy).__name__} on {type(environment).__name__}", tuple(checks), time.perf_counter() - began
    )


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
    nans = []
    _, world, state, _ = pair.play(min(rounds, 30), compiled=False, policy=Looking(pair.policy, nans))
    if any(np.shares_memory(a, b) for a in list_arrays(world) for b in list_arrays(state)):
        return OPEN, "the state holds an array of the world, which `step` may change: keep `observation.copy()`"
    if nans:
        return OPEN, f"the observation of round {nans[0]} holds nan: right only if the policy knows what that means"
    return PASSED, f"{rounds} rounds on read-only fields"


class Looking(NamedTuple):
    """A policy that plays as another one, interpreted, and notes the rounds whose observations hold nan."""

    policy: object
    nans: list

    around = True

    def init(self, rng):
        return self.policy.init(rng)

    def select(self, state, *seen):
        return self.policy.select(state, *seen)

    def update(self, state, action, observation, t, rng):
        if holds_nan(observation):
            self.nans.append(t)
        return self.policy.update(state, action, observation, t, rng)


def list_arrays(thing):
    """All arrays in a state or a world."""
    if isinstance(thing, np.ndarray):
        return [thing]
    return [array for part in thing for array in list_arrays(part)] if isinstance(thing, tuple | list) else []


def holds_nan(value):
    """Whether one of these numbers is none."""
    if isinstance(value, tuple):
        return any(map(holds_nan, value))
    return np.asarray(value).dtype.kind == "f" and bool(np.isnan(value).any())


def check_compiled(pair):
    """compiles, and plays to the horizon with every action and index checked"""
    pair.play(pair.horizon)
    known = guards.space_of(pair.environment, contract.play_first_action(pair.environment, pair.policy, pair.seed, 0))
    return PASSED, f"{pair.horizon} rounds" + ("" if known else "; the environment declares no bounds of its actions")


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
    codes = [code for _, function, _ in functions for code in (function.__code__, *list_inner(function.__code__))]
    return any({*code.co_names} & {"argsort", "argpartition", "partition"} for code in codes)


def are_close(a, b):
    """Whether two worlds or states are equal but for rounding, which moves no count of pulls."""
    if isinstance(a, tuple | list):
        return isinstance(b, tuple | list) and len(a) == len(b) and all(map(are_close, a, b))
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape or a.dtype.kind != "f":
        return a.shape == b.shape and bool((a == b).all())
    return bool(np.allclose(a, b, rtol=1e-9, atol=1e-9, equal_nan=True))


def is_documented(thing, word):
    """Whether a class that the thing is made of, or what is beside it in its module, documents this word."""
    names = {cls.__module__ for cls in code_identity.classes_in(thing)}
    there = [f for name in names for f in vars(sys.modules[name]).values() if getattr(f, "__module__", "") == name]
    return any(word in (inspect.getdoc(found) or "") for found in there)


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


def check_least_regret(pair):
    """the expected regret of a round is never negative"""
    if writes_in_regret(pair):
        return FAILED, "regret changes the world, and whoever asks it twice plays another one: let `step` do that"
    steps = np.diff(pair.play(pair.horizon)[0], prepend=0.0)
    if steps.min() >= -1e-9:
        return PASSED, f"at least {max(steps.min(), 0.0):.3g} in {len(steps)} rounds"
    if is_documented(pair.environment, "realised"):
        return PASSED, f"but for {steps.min():.3g}: the environment says that its regret is realised, not expected"
    return FAILED, f"{steps.min():.3g} in round {int(np.argmin(steps))}: {REGRET}"


def writes_in_regret(pair):
    """Whether the world is another one after `regret` was asked about the first round."""
    environment, (world, stream) = unshare(pair.environment), pair.before(0)
    rng = np.random.default_rng()
    rng.bit_generator.state = stream
    if context_marker(environment):
        environment.context(world, 0, rng)
    action = contract.play_first_action(environment, pair.policy, pair.seed, 0)
    environment.step(world, action, 0, rng)
    kept = copy.deepcopy(world)
    environment.regret(world, action, 0)
    return not are_equal(kept, world)


REGRET = "regret is that of one round, the best mean minus the mean of the action, and never from the noise"
ROUNDS, ACTIONS = 24, 200  # looked at one by one


def check_best_action(pair):
    """in every round the best action has no regret"""
    if is_documented(pair.environment, "realised"):
        return OPEN, "the environment says that its regret is realised, not expected"
    actions = list_actions(pair)
    if actions is None:
        return OPEN, f"the environment declares no discrete actions, or more than {ACTIONS}"
    rounds = np.unique(np.linspace(0, pair.horizon - 1, ROUNDS).astype(int)).tolist()
    least = np.array([min(found) for found in map(lambda t: regrets_of(pair, actions, t), rounds)])
    t = int(np.argmax(np.abs(least)))
    if abs(least[t]) <= 1e-9:
        return PASSED, f"the least of {len(actions)} actions is 0 in {len(rounds)} rounds of {pair.horizon}"
    return FAILED, f"the least of {len(actions)} actions is {least[t]:.3g} in round {rounds[t]}: {REGRET}"


def list_actions(pair):
    """Every action, as the policy would write it; None where they cannot be listed."""
    action = contract.play_first_action(pair.environment, pair.policy, pair.seed, 0)
    space = guards.space_of(pair.environment, action) or guards.space_of(pair.policy, action)
    if isinstance(space, guards.Discrete):
        return list(range(space.n)) if space.n <= ACTIONS else None
    whole_numbers = isinstance(action, np.ndarray) or isinstance(action, tuple) and all(map(is_whole, action))
    if space is None or not whole_numbers or math.prod(space.sizes.tolist()) > ACTIONS:
        return None
    listed = itertools.product(*map(range, space.sizes.tolist()))
    if isinstance(action, np.ndarray):
        return [np.array(entries, action.dtype) for entries in listed]
    return [type(action)(*entries) if hasattr(action, "_fields") else entries for entries in listed]


def is_whole(value):
    """Whether this is a whole number."""
    return isinstance(value, int | np.integer)


def regrets_of(pair, actions, t):
    """Regret of each of these actions in round t of a run, had the policy played it there."""
    environment, (world, stream) = unshare(pair.environment), pair.before(t)
    for action in actions:
        there, rng = copy.deepcopy(world), np.random.default_rng()
        rng.bit_generator.state = stream
        if context_marker(environment):
            environment.context(there, t, rng)
        environment.step(there, action, t, rng)
        yield environment.regret(there, action, t)


def check_common_world(pair):
    """the world draws as many random numbers whatever is played"""
    other, rounds = pair.uniform(), min(pair.horizon, 300)
    if other is None:
        return OPEN, "no second policy for such actions"
    if pair.play(rounds)[3] == pair.play(rounds, policy=other)[3]:
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
