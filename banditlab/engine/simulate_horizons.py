"""Policies that must know their horizon, against the horizon."""

from collections.abc import Callable, Sequence

import numpy as np

from ..evidence import provenance
from ..results.result import Result
from ..validate import LARGEST, listed, whole
from .scheduler import play_all
from .simulate import Policies, Progress, check_callers, make_cell, name_policies


def simulate_horizons(
    environment: tuple | Callable[[int], tuple],
    make: Callable[[int], Policies],
    horizons: Sequence[int],
    runs: int = 1,
    seed: int = 0,
    progress: Progress | None = None,
) -> Result:
    """Play policies that must know their horizon, made anew for each.

    Parameters
    ----------
    environment : NamedTuple or RandomInstances or callable
        As in `simulate`; or ``environment(T)`` returns it, where it too has a length.
    make : callable
        ``make(T)`` returns the policies for T rounds by name. Where one of them cannot play so few rounds it is left
        out, and its regret there is nan.
    horizons : sequence of int
        Numbers of rounds T, at least 1, ascending.
    runs, seed, progress
        As in `simulate`.

    Returns
    -------
    Result
        Its checkpoints are the horizons: ``regret[p, r, h]`` is the regret of run r at the end of horizon h, played by
        a policy that was made for it. Environment, policies and diagnostics are those of the longest horizon, where all
        policies must play. Policies that need no horizon are added by ``simulate(..., checkpoints=horizons)`` and
        `Result.join`.

    Examples
    --------
    >>> from banditlab import classic, simulate_horizons
    >>> arms = classic.bernoulli([0.3, 0.9])
    >>> simulate_horizons(arms, lambda T: {"EXP3": classic.exp3(2, T)}, [50, 100, 400], runs=3).regret.shape
    (1, 3, 3)
    """
    runs, ascending = whole("runs", runs, 1, LARGEST), "ascending numbers of rounds, at least one"
    horizons = [whole(f"horizons[{i}]", T, 1, LARGEST) for i, T in enumerate(listed("horizons", horizons, ascending))]
    if horizons != sorted(set(horizons)):
        raise ValueError(f"horizons={horizons!r}: must be {ascending}")
    if not callable(make):
        raise TypeError(f"make={make!r}: must be callable")
    made = [name_policies(policies) if policies else {} for policies in map(make, horizons)]
    missing = [name for policies in made for name in policies if name not in made[-1]]
    if missing or not made[-1]:
        raise ValueError(f"make: the policies {missing} have no version for the longest horizon {horizons[-1]}")
    check_callers(None, progress)
    cells = {}
    for h, T in enumerate(horizons):
        if made[h]:
            world = environment(T) if callable(environment) else environment
            cells[h] = make_cell(world, made[h], T, runs, seed, 1)
    play_all(cells.values(), progress=progress)
    played = {h: cell.result for h, cell in cells.items()}
    last = played[len(horizons) - 1]
    regret = np.full((len(last.policies), runs, len(horizons)), np.nan)
    for h, found in played.items():
        for name in made[h]:
            regret[last.policies.index(name), :, h] = found.final_regret(name)
    settings, seconds = {**last.settings, "checkpoints": horizons}, sum(r.origin["seconds"] for r in played.values())
    origin = {**last.origin, "seconds": round(seconds, 3)}
    result = Result(settings, np.array(horizons, np.int64), regret, last.diagnostics, origin)
    return provenance.tell_of_parts(result, played.values())
