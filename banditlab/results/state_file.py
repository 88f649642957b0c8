"""What a policy remembers, in a file: stopped today, it goes on tomorrow as if nothing had happened."""

import json
import os

import numpy as np

from ..io import open_whole
from ..validate import LARGEST, whole
from .settings_json import describe_settings, rebuild_settings


def save_state(path: str | os.PathLike, state: object, t: int, rng: np.random.Generator) -> None:
    """Write what a policy needs to go on into one file, without pickle.

    Parameters
    ----------
    path : path-like
        Name of the file; written to a temporary file first, then renamed, so that a crash leaves the last whole one.
    state : object
        What `init` or the last `update` returned.
    t : int
        Number of decisions so far, at least 0.
    rng : numpy.random.Generator
        The generator that the policy draws from.

    Raises
    ------
    ValueError
        If two arrays of the state share memory: read from a file they would not.
    """
    arrays, t = [], whole("t", t, 0, LARGEST)
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng={type(rng).__name__}: must be a numpy Generator, as numpy.random.default_rng() makes one")
    told = json.dumps({"state": describe_settings(state, arrays), "t": t, "rng": rng.bit_generator.state})
    if any(np.shares_memory(a, b) for i, a in enumerate(arrays) for b in arrays[:i]):
        raise ValueError("state: two of its arrays share memory, which a file does not keep: make one of them a copy")
    with open_whole(path) as file:
        np.savez(file, text=np.array(told), **{f"field{i}": array for i, array in enumerate(arrays)})


def load_state(path: str | os.PathLike, policy: tuple, rng: np.random.Generator) -> tuple:
    """Read what `save_state` wrote.

    Parameters
    ----------
    path : path-like
        Name of the file.
    policy : NamedTuple
        The policy as it was made before.
    rng : numpy.random.Generator
        Is put where the generator was that `save_state` got.

    Returns
    -------
    state, t : object, int
        To go on with ``policy.select(state, t, rng)``, bit for bit as if it had not been stopped.

    Raises
    ------
    ValueError
        If the file was not written by `save_state`, is damaged, or holds the state of another policy, or of one with
        other sizes: an array keeps the lengths that `init` gives it, but for those of 0 or 1, which may have grown.
    """
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as arrays:
            told = json.loads(str(arrays["text"]))
            state, t = rebuild_settings(told["state"], arrays), whole("t", told["t"], 0, LARGEST)
        expected = policy.init(np.random.default_rng(0))
        if kinds_in(state) != kinds_in(expected):
            raise ValueError(f"its state is no state of {type(policy).__name__}")
        refuse_other_lengths(state, expected)
        rng.bit_generator.state = told["rng"]
    except FileNotFoundError:
        raise
    except Exception as error:  # a damaged archive has many ways to fail
        raise ValueError(f"path={str(path)!r}: cannot be read as a state of this policy ({error})") from error
    return state, t


def kinds_in(state):
    """Classes, types and numbers of dimensions of what a state holds; of lists, which grow, that they are lists."""
    if isinstance(state, tuple):
        return [type(state).__qualname__, *map(kinds_in, state)]
    return "list" if isinstance(state, list) else (np.asarray(state).dtype.kind, np.ndim(state))


def refuse_other_lengths(state, expected):
    """Refuse arrays of other lengths than those that `init` made: of a policy with more arms, or with fewer."""
    if isinstance(state, tuple):
        for saved, made in zip(state, expected, strict=True):
            refuse_other_lengths(saved, made)
    elif not isinstance(state, list):
        pairs = zip(np.shape(state), np.shape(expected), strict=True)
        if any(saved != made and (made > 1 or saved < made) for saved, made in pairs):
            raise ValueError(
                f"it holds an array of shape {np.shape(state)} where this policy has {np.shape(expected)}: make it "
                "with as many arms as the one that was saved"
            )
