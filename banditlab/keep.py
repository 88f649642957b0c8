"""Results kept on disk, so that an interrupted report continues where it stopped.

Nothing stale is ever served: a result is found by the hash of everything that determines it (environment, policies,
horizon, runs, seed, checkpoints) and by the hash of the package's source. Classes from outside the package are never
kept.
"""

import hashlib
import json
import os
import warnings
from pathlib import Path

import numba
import numpy as np

from . import kernel
from .result import Result, describe


def place(settings):
    """The file of this result, or None where nothing is to be kept."""
    folder = os.environ.get("BANDITLAB_KEEP")
    if not folder or kernel.stamp() != kernel.STAMP:
        return None
    arrays = []
    try:
        description = describe(settings, arrays)
    except TypeError:  # nothing that a file can hold
        return None
    if '"outside": ' in json.dumps(description):
        return None
    environment, policies = settings["environment"], tuple(settings["policies"].values())
    code = kernel.fingerprint((environment, *policies))
    text = json.dumps([description, code, np.__version__, numba.__version__], sort_keys=True).encode()
    key = hashlib.sha256(text + b"".join(repr((a.dtype.str, a.shape)).encode() + a.tobytes() for a in arrays))
    return Path(folder) / f"{kernel.DIGEST}-{key.hexdigest()[:24]}.npz"


def find(settings):
    """The kept result of these settings, or None."""
    path = place(settings)
    if path is None or not path.is_file():
        return None
    try:
        return Result.load(path)
    except ValueError:  # cut short: it will be computed and written again
        return None


def put(result):
    """Keep a result, where a folder for it is set."""
    path = place(result.settings)
    if path is not None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            result.save(path)
        except OSError as error:  # a result is worth more than its copy
            warnings.warn(f"BANDITLAB_KEEP={path.parent}: the result could not be kept ({error})", stacklevel=3)
