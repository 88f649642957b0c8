"""One task in another process: the same code or a refusal, its seconds, and an end as soon as nobody wants it."""

import os
import platform
import sys
from types import FunctionType

import numpy as np

from ..user_code import code_identity, endless
from .instances import RandomInstances


def play_remotely(code, token, work, policy, numbers):
    """Play these runs: what `Work.play` returns; refuse to mix two versions of the code."""
    flags, (gone, given_up) = np.zeros((len(numbers), 2), np.int64), watch_task(token)  # before what takes long
    if code != fingerprint_task(work, policy):
        who = f"worker {os.getpid()} on {platform.node()} ({code_identity.SOURCE})"
        raise RuntimeError(f"{who} runs banditlab source or classes of another version: restart the executor")
    if len(numbers) == 1:  # compiled before the clock starts
        short = work._replace(checkpoints=np.minimum(work.checkpoints[:1], 1))
        short.play(policy, numbers[:1], np.zeros((1, 2), np.int64), {})
    with endless.stop_unwanted(gone, lambda: flags[:, 1].fill(1)):
        try:
            found = work.play(policy, numbers, flags, {})
        except endless.NeverReturned:
            raise given_up from None
    if (flags[:, 1] > 0).any():  # a policy that stops by itself writes less
        raise given_up
    return found


def watch_task(token):
    """A function that tells whether the task under way was given up, and what to raise then.

    dask tells its workers, and plays the task again should somebody want it after all; elsewhere a task was given up
    when the submitter's file, which this machine could see, is gone.
    """
    distributed = sys.modules.get("distributed")
    try:
        worker = distributed.get_worker()
        key = worker.get_current_task()
    except (AttributeError, ValueError):  # no worker of dask
        there = os.path.exists(token)
        return lambda: there and not os.path.exists(token), InterruptedError("nobody waits for this task")
    return lambda: getattr(worker.state.tasks.get(key), "state", "cancelled") == "cancelled", distributed.Reschedule()


def fingerprint_task(work, policy):
    """What environment and policy, and a function that draws environments, depend on."""
    drawn = [part for part in work.environment if isinstance(part, FunctionType)]
    return code_identity.fingerprint((work.environment, policy, *drawn))


def require_importable(settings):
    """Refuse what another process could not find under its name."""
    world = settings["environment"]
    if isinstance(world, RandomInstances) and not isinstance(world.function, FunctionType):
        raise ValueError(
            f"function={world.function!r}: must be a function of a module to travel to another process;"
            " give `random_instances` its settings by name"
        )
    things = [world.function] if isinstance(world, RandomInstances) else [world]
    for cls in {*code_identity.classes_in((*things, *settings["policies"].values())), *filter(callable, things)}:
        if cls.__module__ == "__main__" or "<" in cls.__qualname__:
            raise ValueError(
                f"{cls.__qualname__}: defined in a notebook or inside a function, cannot travel to another process;"
                " leave executor=None (threads), or put it into a module"
            )
