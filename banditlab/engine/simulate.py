"""Replications of the loop, from one seed sequence."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from types import FunctionType

import numpy as np

from ..results.result import Result
from ..user_code import code_identity, contract
from ..user_code.brevity import brief
from ..user_code.fields import are_equal
from ..validate import LARGEST, refuse_too_large, whole
from .instances import RandomInstances
from .player import rehearse_pair, rehearsed
from .scheduler import Cell, play_all

Policies = Mapping[str, tuple] | Sequence[tuple[str, tuple]] | tuple  # by name, or a policy alone
Progress = Callable[[float], object]  # is told the share of the work that is done


def simulate(
    environment: tuple, policies: Policies, horizon: int, runs: int = 1, seed: int = 0,
    checkpoints: int | Sequence[int] | None = None, executor: Executor | None = None, progress: Progress | None = None,
    metric: str = "regret",
) -> Result:  # fmt: skip
    """Play every policy against the environment and record its expected regret.

    Every run has two random streams, one for the world and one for the policy, so that policies meet the same world
    run by run (common random numbers). The same seed gives the same bits on any number of threads or workers.

    Parameters
    ----------
    environment : NamedTuple or RandomInstances
        The environment, or `random_instances` of a function that draws one.
    policies : mapping or sequence of pairs or NamedTuple
        Name to policy; a policy alone is named after its class.
    horizon : int
        Number of rounds T, at least 1.
    runs : int
        Number of independent runs, at least 1.
    seed : int
        Whole number, at least 0.
    checkpoints : int or sequence of int
        Number of equally spaced rounds at which regret is recorded, 1 to ``horizon``, or these rounds themselves,
        ascending to ``horizon``; by default 200, or every round of a shorter horizon.
    executor : concurrent.futures.Executor, optional
        Where the runs go; threads on this machine by default.
    progress : callable, optional
        ``progress(fraction)`` is called about ten times a second; an exception it raises stops all runs.
    metric : str
        What the environment's method ``regret`` measures, where it is no regret: "cumulative reward" for one that
        returns expected rewards. It names the column in frames and tables.

    Returns
    -------
    Result
        Regret at the checkpoints, run by run.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or a policy does not fit the environment.

    Examples
    --------
    >>> from banditlab import classic, simulate
    >>> arms = classic.bernoulli([0.3, 0.5, 0.9])
    >>> result = simulate(arms, {"UCB1": classic.ucb1(3), "uniform": classic.uniform(3)}, horizon=1000, runs=20)
    >>> bool(result.paired("uniform", "UCB1")["low"].iloc[-1] > 0)
    True
    """
    check_callers(executor, progress)
    cell = make_cell(environment, policies, horizon, runs, seed, checkpoints, metric)
    play_all([cell], executor, progress)
    return cell.result


def check_callers(executor, progress):
    """Refuse an executor without the interface, and what cannot be told how far it is."""
    if progress is not None and not callable(progress):
        raise TypeError(f"progress={progress!r}: must be callable")
    if executor is not None and (isinstance(executor, type) or not callable(getattr(executor, "submit", None))):
        raise TypeError(f"executor={executor!r}: must have the interface of concurrent.futures.Executor")


def make_cell(environment, policies, horizon, runs, seed, checkpoints, metric="regret"):
    """The simulation that these arguments describe, checked and rehearsed."""
    horizon, runs = whole("horizon", horizon, 1, LARGEST), whole("runs", runs, 1, LARGEST)
    seed = whole("seed", seed, 0)
    checkpoints, recorded = resolve_checkpoints(checkpoints, horizon)
    if not isinstance(metric, str) or metric in ("", "policy", "run", "t"):
        raise ValueError(f"metric={metric!r}: must be a non-empty string other than policy, run and t")
    policies = name_policies(policies)
    cells = runs * len(policies) * len(recorded)
    refuse_too_large(f"runs={runs}: regret of {len(policies)} policies at {len(recorded)} checkpoints", 8 * cells)
    first = draw_twice(environment, seed) if isinstance(environment, RandomInstances) else environment
    check_players(first, policies, horizon)
    settings = dict(environment=environment, policies=policies, horizon=horizon, runs=runs, seed=seed,
                    checkpoints=checkpoints, metric=metric)  # fmt: skip
    cell = Cell(settings, recorded, first)
    if cell.result is None:
        rehearse_pair(first, policies, horizon, seed)
    return cell


def draw_twice(world, seed):
    """The environment of the first run; a function of one's own that draws another one when asked again is refused.

    Once for every code: policies would meet different worlds, and the same seed would give different numbers.
    """
    first = world.draw(seed, 0)
    if isinstance(world.function, FunctionType) and not code_identity.is_ours(world.function):
        code = code_identity.code_key(world.function)
        if code not in rehearsed and not are_equal(first, world.draw(seed, 0)):
            name = world.function.__qualname__
            cure = "draw from numpy.random.default_rng(seed), its first argument"
            raise ValueError(f"function={name}: draws another environment for the same seed; {cure}")
        rehearsed.add(code)
    return first


def resolve_checkpoints(checkpoints, horizon):
    """The argument of this name as plain numbers, and the rounds that it stands for."""
    if isinstance(checkpoints, list | tuple | range | np.ndarray):
        rounds = [whole(f"checkpoints[{i}]", t, 1, horizon) for i, t in enumerate(checkpoints)]
        if rounds != sorted(set(rounds)) or rounds[-1:] != [horizon]:
            raise ValueError(f"checkpoints={checkpoints!r}: must ascend to the horizon {horizon}")
        return rounds, np.array(rounds, np.int64)
    count = min(200, horizon) if checkpoints is None else whole("checkpoints", checkpoints, 1, horizon)
    refuse_too_large(f"checkpoints={count}", 8 * count)
    return count, np.unique(np.linspace(0, horizon, count + 1).astype(np.int64)[1:])


def name_policies(policies):
    """The policies as a dict; names must be distinct strings."""
    if not isinstance(policies, type) and contract.has_method(policies, "select"):
        return {type(policies).__name__: policies}
    pairs = list(policies.items()) if isinstance(policies, Mapping) else policies
    if not isinstance(pairs, list | tuple) or not all(type(pair) in (list, tuple) and len(pair) == 2 for pair in pairs):
        wanted = "must be a policy, or a mapping or list of pairs of names and policies"
        raise TypeError(f"policies={policies!r}: {wanted}{contract.hint_at(policies, 'policies')}")
    if not pairs:
        raise ValueError(f"policies={policies!r}: must name at least one policy")
    seen = set()
    for name, _ in pairs:
        if not isinstance(name, str) or not name:
            raise TypeError(f"policies: the name {name!r} must be a non-empty string")
        if name in seen:
            raise ValueError(f"policies: the name {name!r} stands for two policies; names must be distinct")
        seen.add(name)
    return dict(pairs)


@brief()
def check_players(environment, policies, horizon):
    """Refuse what does not follow the protocol or does not fit together."""
    shown = contract.has_method(environment, "context")
    contract.check_methods(environment, "environment", contract.ENVIRONMENT | (contract.CONTEXT if shown else {}))
    contract.check_rounds(environment, horizon)
    for name, policy in policies.items():
        role = f"policies[{name!r}]"
        asked = {name: told for name, told in contract.EXPLORING.items() if contract.has_method(policy, name)}
        contract.check_methods(policy, role, (contract.CONTEXTUAL if shown else contract.POLICY) | asked)
        contract.check_actions(environment, policy, role)
        if contract.horizon_of(policy, role, horizon) < horizon:
            raise ValueError(f"horizon={horizon}: {role} was made for a horizon of {policy.horizon}")


def split_progress(progress, n):
    """A progress callback for each of n equal parts of the work."""
    if progress is None:
        return [None] * n
    return [lambda fraction, i=i: progress((i + fraction) / n) for i in range(n)]
