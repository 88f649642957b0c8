"""One run written down round by round: the very run that `simulate` plays, watched by a policy around the policy."""

from typing import NamedTuple

import numpy as np

from . import guard, kernel, loop
from .loop import PerRun, contextual, dry_run, first_action, streams, unshared
from .protocol import helper
from .simulation import check
from .validate import LARGEST, whole


@helper
def write(log, row, value):
    """Put a number, or the entries of a vector or tuple, into a row of the log."""
    if log.ndim == 1:  # known from the type, so that the other branch is never compiled
        log[row] = value
    else:
        for i in range(log.shape[1]):
            log[row, i] = value[i]


class Recorder(NamedTuple):
    """A policy that plays as another one and writes its actions down.

    The log is a field that changes in a run, which no other policy may have: so the state stays the policy's own, and
    environments that look at it in `tally` find what they expect. A recorder serves one run.
    """

    policy: object
    log: np.ndarray  # (rounds,) or (rounds, entries)

    around = True

    def init(self, rng):
        return self.policy.init(rng)

    def select(self, state, t, rng):
        return self.policy.select(state, t, rng)

    def update(self, state, action, observation, t, rng):
        write(self.log, t, action)
        return self.policy.update(state, action, observation, t, rng)


class ContextRecorder(NamedTuple):
    """`Recorder` for a policy that is shown a context."""

    policy: object
    log: np.ndarray

    around = True

    def init(self, rng):
        return self.policy.init(rng)

    def select(self, state, context, t, rng):
        return self.policy.select(state, context, t, rng)

    def update(self, state, action, observation, t, rng):
        write(self.log, t, action)
        return self.policy.update(state, action, observation, t, rng)


class Play(NamedTuple):
    """One run: what `play` returns."""

    actions: np.ndarray  # (horizon,), or (horizon, entries) where an action is a vector or a tuple
    regret: np.ndarray  # (horizon,) cumulative, after every round
    world: object  # as the last round left it
    state: object  # what the policy remembers at the end


def room(value, rounds):
    """An empty log for so many values of this kind; None for what is neither a number nor a row of numbers."""
    if isinstance(value, tuple) and len({(np.asarray(part).dtype, np.ndim(part)) for part in value}) > 1:
        return None  # compiled code cannot walk a tuple of several types
    entries = np.asarray(tuple(value) if isinstance(value, tuple) else value)
    if entries.ndim > 1 or entries.dtype.kind not in "biuf":
        return None
    return np.zeros((rounds, *entries.shape), np.float64 if entries.dtype.kind == "f" else np.int64)


def play(environment: tuple, policy: tuple, horizon: int, seed: int = 0, run: int = 0) -> Play:
    """Play one run of `simulate` and keep all of it.

    Parameters
    ----------
    environment : NamedTuple or PerRun
        As in `simulate`.
    policy : NamedTuple
        The policy.
    horizon : int
        Number of rounds T, at least 1; all of them are kept.
    seed : int
        As in `simulate`.
    run : int
        Number of the run, at least 0: ``play(..., run=3)`` is row 3 of ``simulate(...)`` with this seed, bit for bit.

    Returns
    -------
    Play
        Actions, cumulative regret, final world and final state.

    Examples
    --------
    >>> from banditlab import classic, play
    >>> found = play(classic.bernoulli([0.3, 0.9]), classic.ucb1(2), horizon=6)
    >>> found.actions.tolist()
    [0, 1, 0, 1, 1, 1]
    >>> found.state.pulls
    array([2., 4.])
    """
    horizon, number = whole("horizon", horizon, 1, LARGEST), whole("run", run, 0, LARGEST)
    seed = whole("seed", seed, 0, None)
    environment = unshared(environment.draw(seed, number) if isinstance(environment, PerRun) else environment)
    policies = {type(policy).__name__: policy}
    check(environment, policies, horizon)
    dry_run(environment, policies, horizon, seed)
    policy = unshared(policy)
    action, shown = first_action(environment, policy, seed, number), contextual(environment)
    log = room(action, horizon)
    if log is None:
        raise TypeError(f"{type(policy).__name__}: its actions are neither numbers nor vectors, and cannot be kept")
    recorder = guard.guarded(environment, (ContextRecorder if shown else Recorder)(policy, log), action, shown)
    args = environment, recorder, np.arange(1, horizon + 1), shown, np.zeros(2, np.int64), *streams(seed, number)
    return Play(log, *loop.played(kernel.compile_for(loop.run, *args), args, number, seed))
