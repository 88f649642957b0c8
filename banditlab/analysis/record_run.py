"""One run written down round by round: the very run that `simulate` plays, watched by a policy around the policy."""

from typing import NamedTuple

import numpy as np

from ..engine.instances import RandomInstances
from ..engine.methods import helper
from ..engine.player import Player, rehearse_pair, unshare
from ..engine.simulate import check_players
from ..results.settings_json import is_strange
from ..user_code.contract import play_first_action
from ..user_code.stopping import count_rounds_of_run
from ..validate import LARGEST, how_many, whole


@helper
def write_values(log, row, value):
    """Put a number, or the entries of a vector or tuple, into a row of the log, where it has a shape for them."""
    if log.ndim == 1:  # known from the type, so that the other branches are never compiled
        log[row] = value
    elif log.ndim == 2:
        for i in range(log.shape[1]):
            log[row, i] = value[i]


@helper
def write_action(logs, row, action):
    """Write an action down, whole or field by field: compiled code cannot walk a tuple of several types."""
    if len(logs) == 1:  # known from the type too
        write_values(logs[0], row, action)
    else:
        write_values(logs[0], row, action[0])
        write_values(logs[1], row, action[1])
        if len(logs) > 2:
            write_values(logs[2], row, action[2])


@helper
def write_indices(policy, log, row, state, t):
    """Write the policy's indices into the log, where it has some."""
    if log.ndim == 3:
        values = policy.indices(state, t)
        for i in range(log.shape[1]):
            for arm in range(log.shape[2]):
                log[row, i, arm] = values[i, arm]


class Watcher(NamedTuple):
    """A witness that writes every n-th round down; it serves one run.

    The logs are fields that change in a run, which no policy may have: so the state stays the policy's own, and
    environments that look at it in `diagnostics` find what they expect.
    """

    every: int
    actions: tuple  # one of arrays (rounds,) or (rounds, entries), or one for each field of an action
    observations: np.ndarray
    indices: np.ndarray  # (rounds, 3, arms); of another dimension where there are none

    def before(self, policy, state, t):
        if t % self.every == 0:
            write_indices(policy, self.indices, t // self.every, state, t)

    def chosen(self, action, t):
        pass

    def after(self, action, observation, t):
        if t % self.every == 0:
            write_action(self.actions, t // self.every, action)
            write_values(self.observations, t // self.every, observation)


class Play(NamedTuple):
    """One run: what `play` returns."""

    actions: object  # (horizon,); (horizon, entries) of vectors and tuples; of mixed tuples a tuple, field by field
    regret: np.ndarray  # (horizon,) cumulative, after every round
    world: object  # as the last round left it
    state: object  # what the policy remembers at the end


NOTHING = np.zeros((0, 0, 0))  # what is not written down
FIELDS = 3  # of an action of several types, at most


def make_log(value, rounds):
    """An empty log for so many values of this kind; `NOTHING` for what is neither a number nor a row of numbers."""
    if isinstance(value, tuple) and len({(np.asarray(part).dtype, np.ndim(part)) for part in value}) > 1:
        return NOTHING  # compiled code cannot walk a tuple of several types
    entries = np.asarray(tuple(value) if isinstance(value, tuple) else value)
    if entries.ndim > 1 or entries.dtype.kind not in "biuf":
        return NOTHING
    return np.zeros((rounds, *entries.shape), np.float64 if entries.dtype.kind == "f" else np.int64)


def make_action_logs(action, rounds):
    """Empty logs for so many actions of this kind: one, or one for each field of a tuple of several types."""
    log = make_log(action, rounds)
    if log is NOTHING and isinstance(action, tuple) and len(action) <= FIELDS:
        return tuple(make_log(part, rounds) for part in action)
    return (log,)


def prepare_run(environment, policy, horizon, seed, number):
    """Environment and policy of a single run, checked, with arrays of their own; and whether a file made them."""
    careful = is_strange(environment, policy)
    environment = unshare(environment.draw(seed, number) if isinstance(environment, RandomInstances) else environment)
    policies = {type(policy).__name__: policy}
    check_players(environment, policies, horizon)
    rehearse_pair(environment, policies, horizon, seed)
    return environment, unshare(policy), careful


def record_run(environment: tuple, policy: tuple, horizon: int, seed: int = 0, run: int = 0) -> Play:
    """Play one run of `simulate` and keep all of it.

    Parameters
    ----------
    environment : NamedTuple or RandomInstances
        As in `simulate`.
    policy : NamedTuple
        The policy.
    horizon : int
        Number of rounds T, at least 1; all of them are kept.
    seed : int
        As in `simulate`.
    run : int
        Number of the run, at least 0: ``run=3`` is row 3 of ``simulate(...)`` with this seed, bit for bit.

    Returns
    -------
    Play
        Actions, cumulative regret, final world and final state, up to the round in which the policy stops, if it does.
        Actions of several types, an arm and a real limit, are kept in a tuple of their own class with an array for each
        field.

    Examples
    --------
    >>> from banditlab import classic, record_run
    >>> found = record_run(classic.bernoulli([0.3, 0.9]), classic.ucb1(2), horizon=6)
    >>> found.actions.tolist()
    [0, 1, 0, 1, 1, 1]
    >>> found.state.pulls
    array([2., 4.])
    """
    horizon, number = how_many("horizon", horizon), whole("run", run, 0, LARGEST)
    seed = whole("seed", seed, 0, None)
    environment, policy, careful = prepare_run(environment, policy, horizon, seed, number)
    action = play_first_action(environment, policy, seed, number)
    logs = make_action_logs(action, horizon)
    if any(log is NOTHING for log in logs):
        told = f"neither numbers nor vectors, nor tuples of up to {FIELDS} of them, and cannot be kept"
        raise TypeError(f"{type(policy).__name__}: its actions are {told}")
    player = Player(policy, np.arange(1, horizon + 1), seed, careful, witness=Watcher(1, logs, NOTHING, np.zeros(0)))
    flags = np.zeros(2, np.int64)
    regret, world, state = player.play(environment, number, flags)
    rounds = count_rounds_of_run(flags, horizon)
    logs = tuple(log[:rounds] for log in logs)
    kept = logs[0] if len(logs) == 1 else type(action)(*logs) if hasattr(action, "_fields") else logs
    return Play(kept, regret[:rounds], world, state)
