"""Whoever plays: asks once whose code it is, compiles it, plays its runs, and says where it failed."""

import time
from contextvars import ContextVar
from typing import NamedTuple

import numpy as np

from ..user_code import code_identity, contract, diagnose, errors, fields, guards, stopping
from ..user_code.brevity import brief
from ..user_code.contract import check_actions, check_rounds, context_marker, make_streams
from . import compiling
from .instances import Drawn, RandomInstances
from .loop import run
from .methods import helper


class Player:
    """Plays a policy: ours as it is; a reader's held to the rules and, where it fails, with a word on what to mend.

    Parameters
    ----------
    policy : NamedTuple
        With arrays of its own.
    checkpoints : ndarray of int
        Rounds at which regret is recorded.
    seed : int
    careful : bool
        Whether indexing is checked also where all classes are the package's: their fields may not fit together.
    codes : dict, optional
        The `code_identity.code_key` of classes, as far as it is known; what is missing is added.
    witness : NamedTuple, optional
        Looks on at every round: see `guards.Around`.
    kernel : callable, optional
        The loop to play with in place of a compiled one.
    """

    def __init__(self, policy, checkpoints, seed, careful=False, codes=None, witness=None, kernel=None):
        self.policy, self.checkpoints, self.seed = policy, checkpoints, seed
        self.careful, self.codes, self.witness, self.kernel = careful, codes, witness, kernel
        self.seats = {}

    def play(self, environment, number, flags, kernels=None, streams=None):
        """One run: regret at the checkpoints, final world, final state. `kernels` are those of other threads, `streams`
        the generators to draw from in place of the run's own."""
        kind = compiling.key_of_types(environment)
        with brief():
            if kind not in self.seats:
                self.seats[kind] = self.seat(environment, number, {} if kernels is None else kernels, kind)
            context, held, theirs, kernel = self.seats[kind]
            policy = stopping.let_stop(held, self.policy, flags)
            streams = streams or make_streams(self.seed, number)
            args = environment, policy, self.checkpoints, context, flags, *streams
            found = diagnose.play_or_explain(kernel, args, number, self.seed, bool(theirs))
        stopping.complete_regret(found[0], self.checkpoints, flags)
        return found

    def seat(self, environment, number, kernels, kind):
        """Ask whose code this pair is, and prepare it: the context's marker, the policy as it is played, the reader's
        classes, the loop."""
        theirs, context = code_identity.classes_from_outside(environment, self.policy), context_marker(environment)
        policy = self.policy if self.witness is None else guards.Around(self.policy, self.witness)
        if theirs:
            first = contract.play_first_action(environment, self.policy, self.seed, number)
            policy = guards.hold_to_actions(environment, policy, first)
        if kind not in kernels:
            flags, streams = np.zeros(2, np.int64), make_streams(self.seed, number)
            stops = stopping.let_stop(policy, self.policy, flags)
            args = environment, stops, self.checkpoints, context, flags, *streams
            kernels[kind] = self.kernel or compile_pair(args, theirs, self.careful, self.codes)
        return context, policy, theirs, kernels[kind]


unchanging = ContextVar("kernels of pairs whose code nobody changes meanwhile")  # by their types
listeners = []  # each is called with environment and policy of a pair that was compiled, or found in a cache


def compile_pair(args, theirs, careful=False, codes=None):
    """The compiled loop for these arguments, among them the classes of a reader."""
    try:
        signature = compiling.signature_of(args)
    except ValueError:
        raise errors.name_field(args) from None
    key, here = (signature, careful), unchanging.get({})
    if key in here:
        return here[key]
    known = code_identity.code_keys(set(code_identity.classes_in(args)), codes)
    folder = code_identity.HOME if code_identity.is_lasting_everywhere(known) else None
    for function in guards.prepare_functions(theirs):
        helper(function)
    try:
        kernel = compiling.compile_loop(run, signature, frozenset(known.items()), careful or bool(theirs), folder)
    except Exception as error:  # not only numba's own: a wrong call inside of it is told the same way
        if not theirs:
            raise
        raise errors.explain_compilation(error, theirs, args) from None
    for listener in listeners:
        listener(*args[:2])
    here[key] = kernel
    return kernel


def rehearse_pair(environment, policies, horizon, seed):
    """Play classes from outside the package for a moment interpreted: a mistake is then an ordinary Python error.

    Once for every code: later calls differ in values only, and what these break is told when it happens.
    """
    for policy in policies.values():
        if not (theirs := code_identity.classes_from_outside(environment, policy)):
            continue
        code = frozenset(code_identity.code_keys(set(code_identity.classes_in((environment, policy)))).items())
        if code not in rehearsed:
            with brief():
                guards.prepare_functions(theirs)
                diagnose.rehearse(run, unshare(environment), unshare(policy), min(horizon, 30), seed)
            rehearsed.add(code)


rehearsed = set()  # code that was played interpreted in this process


def unshare(thing):
    """A copy with arrays of its own: threads that share an array take turns at its reference count.

    Arrays of classes from outside the package are read-only besides.
    """
    theirs = code_identity.classes_from_outside(thing)
    return guards.make_read_only(thing) if theirs else fields.map_arrays(thing, np.ndarray.copy)


class Work(NamedTuple):
    """What all runs of a policy share."""

    environment: object
    checkpoints: np.ndarray
    seed: int
    careful: bool = False  # its classes' fields come from a file

    def play(self, policy, numbers, flags, kernels, codes=None, drawn=None):
        """Play the runs of these numbers; return (regret, diagnostics, CPU seconds). `kernels` keeps the compiled loops
        of this simulation, `codes` what its classes depend on, `drawn` the environments of its runs."""
        began, regret, diagnostics = time.thread_time(), np.zeros((len(numbers), len(self.checkpoints))), []
        policy, fresh, drawn = unshare(policy), isinstance(self.environment, RandomInstances), drawn or Drawn(0)
        player, environment = Player(policy, self.checkpoints, self.seed, self.careful, codes), None
        for i, number in enumerate(numbers):
            if flags[i, 1]:
                break
            if fresh or environment is None:
                environment = self.instance(policy, number, drawn)
            regret[i], world, state = player.play(environment, number, flags[i], kernels)
            counts = read_diagnostics(environment, policy, world, state)
            rounds = stopping.count_rounds_of_run(flags[i], int(self.checkpoints[-1]))
            answer = diagnose.ask_answer(environment, policy, state, number, rounds)
            judged = stopping.judge_answer(environment, policy, world, answer, rounds)
            diagnostics.append(unite_counts(counts, judged))
        return regret, diagnostics, time.thread_time() - began

    def instance(self, policy, number, drawn):
        """The environment of this run, with arrays of its own; a drawn one is checked."""
        if not isinstance(self.environment, RandomInstances):
            return unshare(self.environment)
        if (environment := drawn.held.get(number)) is None:
            environment = self.environment.draw(self.seed, number)
            fields.refuse_fields(environment)
            drawn.hold(number, environment)
        environment = unshare(environment)
        check_actions(environment, policy, type(policy).__name__)
        check_rounds(environment, int(self.checkpoints[-1]))
        return environment


def read_diagnostics(environment, policy, world, state):
    """What environment and policy count of a finished run."""
    counts = {}
    for thing in (environment, policy):
        if contract.has_method(thing, "diagnostics"):
            found = thing.diagnostics(world, state)
            if not isinstance(found, dict):
                wrong = f"must return a dict of numbers by name, got {found!r}"
                raise TypeError(f"{type(thing).__name__}.diagnostics: {wrong}")
            counts = unite_counts(counts, found)
    return counts


def unite_counts(counts, more):
    """Both dicts in one; a name in both is refused."""
    if twice := sorted(counts.keys() & more.keys()):
        raise ValueError(f"diagnostic {twice[0]!r}: is counted twice, by two of environment, policy and answer")
    return counts | more
