"""Results kept on disk, so that an interrupted report continues where it stopped.

Nothing stale is ever served: a result is found by the hash of everything that determines it: environment, policies,
horizon, runs, seed, checkpoints, what the code of their classes and functions depends on, and the engine's source. So
a caption or a claim may change, and the results behind it are still there. Results of classes and functions of a
notebook are never kept: no other process could tell whether it has the same. Where a function draws the environments,
the first one counts, too: so a file that it reads may change.

Kept is what is played while `BANDITLAB_KEEP` names a folder, as a report does; where it is not set, only what figures
and claims of a paper play at their own sizes (`lasting`), beside the kernels, so that a notebook run once more does not
play it once more; where it is empty, nothing.
"""

import contextlib
import functools
import hashlib
import json
import os
import warnings
from pathlib import Path
from types import FunctionType

import numba
import numpy as np

from .. import io
from ..evidence import provenance
from ..user_code import code_identity
from . import result_file
from .result import Result
from .settings_json import describe_settings


@contextlib.contextmanager
def keep_in(folder):
    """Keep what is played meanwhile, here and in processes that are started, in this folder; nowhere if it is empty."""
    before = os.environ.get("BANDITLAB_KEEP")
    os.environ["BANDITLAB_KEEP"] = str(folder)
    try:
        yield
    finally:
        del os.environ["BANDITLAB_KEEP"]
        if before is not None:
            os.environ["BANDITLAB_KEEP"] = before


def current_folder():
    """Where results are kept now, or None."""
    named = os.environ.get("BANDITLAB_KEEP")
    if named is None and provenance.within.get() and code_identity.HOME:
        return use_private(sweep_once(code_identity.HOME.with_name("results")))
    return use_private(Path(named)) if named else None


def use_private(folder):
    """The folder, or None where somebody else could have put numbers into it."""
    if not folder.exists() or io.is_private(folder):
        return folder
    warnings.warn(f"{folder}: results there are not used, and none is kept: {io.SHARED}", stacklevel=5)
    return None


@functools.cache
def sweep_once(folder):
    """The folder, in which `drop_stale` was once in this process."""
    drop_stale(folder)
    return folder


def drop_stale(folder):
    """Remove the kept results of other versions of the engine, those that nobody asked for in a month, and halves."""
    files = list(folder.glob("*.npz"))
    io.remove_old(file for file in files if not file.name.startswith(f"{code_identity.ENGINE_DIGEST}-"))
    io.remove_old(files, io.MONTH)
    io.remove_old(folder.glob("*.part"), io.DAY)  # whoever wrote it is gone


def path_of(settings, codes, first):
    """The file of this result, or None where nothing is to be kept.

    Parameters
    ----------
    settings : dict
        The arguments of `simulate`.
    codes : dict
        What `code_identity.code_keys` knows already.
    first : NamedTuple
        The environment of the first run.
    """
    if not (folder := current_folder()):
        return None
    arrays = []
    try:
        description = [describe_settings(thing, arrays) for thing in (settings, first)]
    except TypeError:  # nothing that a file can hold
        return None
    environment, policies = settings["environment"], tuple(settings["policies"].values())
    drawn = [part for part in environment if isinstance(part, FunctionType)]  # of `random_instances`
    if json.dumps(description).count('"function": ') > sum(not code_identity.is_ours(draw) for draw in drawn):
        return None  # a function among the settings: no key tells its code
    known = code_identity.code_keys({*code_identity.classes_in((environment, first, *policies)), *drawn}, codes)
    if not code_identity.is_lasting_everywhere(known):
        return None  # what it depends on cannot be told in another process
    code = code_identity.fingerprint((environment, first, *policies, *drawn), codes)
    text = json.dumps([*description, code, np.__version__, numba.__version__], sort_keys=True).encode()
    key = hashlib.sha256(text + b"".join(repr((a.dtype.str, a.shape)).encode() + a.tobytes() for a in arrays))
    return folder / f"{code_identity.ENGINE_DIGEST}-{key.hexdigest()[:24]}.npz"


def load_kept(path, settings, checkpoints):
    """The result kept in this file, or None: also where the file is not what was kept under this name.

    The name is a hash of the request, and the file holds it among what its own hash covers: so a file that was
    damaged, cut short, exchanged for another or changed is computed anew.
    """
    if path is None or not path.is_file():
        return None
    try:
        if not io.is_private(path):
            raise ValueError(io.SHARED)
        head, arrays = result_file.read_arrays(path)
        if head["key"] != path.name or not np.array_equal(arrays["checkpoints"], checkpoints):
            raise ValueError("it answers another request")
        os.utime(path)  # still wanted: what nobody asked for in a month is removed
        return Result.from_file(settings, head, arrays)
    except Exception as error:  # a damaged archive has many ways to fail
        warnings.warn(f"{path}: not what was kept under this name ({error}); it is computed again", stacklevel=5)
        return None


def save_kept(path, result):
    """Keep a result in this file, if there is one and the source has not changed since."""
    if path is not None and code_identity.stamp_sources() == code_identity.STAMP:
        try:
            io.make_private(path.parent)
            result_file.write_result(path, result, path.name)
        except OSError as error:  # a result is worth more than its copy
            warnings.warn(f"BANDITLAB_KEEP={path.parent}: the result could not be kept ({error})", stacklevel=3)
