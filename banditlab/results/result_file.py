"""The file of a result: one archive of plain arrays, sealed with a hash, looked through before anything is believed.

Sizes and shapes are compared before an array is read, so that a small file cannot ask for much memory; the hash tells
whether numbers and settings are those that were written. A file from a stranger may carry a right hash of wrong
numbers, but it runs nothing, and what it describes is played with checked indexing.
"""

import hashlib
import json
import math
import zipfile

import numpy as np

from ..io import open_private, open_whole
from ..validate import refuse_too_large
from .settings_json import describe_settings

FORMAT = np.lib.format


def write_result(path, result, key=""):
    """Write a result; the key tells under which name it was kept."""
    arrays = []
    head = {
        "settings": describe_settings(result.settings, arrays),
        "diagnostics": list(result.diagnostics),
        "origin": result.origin,
    }
    text = np.array(json.dumps(head | {"key": key}))
    members = {"text": text, "checkpoints": result.checkpoints, "regret": result.regret}
    members |= {f"diagnostic{i}": table for i, table in enumerate(result.diagnostics.values())}
    members |= {f"field{i}": array for i, array in enumerate(arrays)}
    with open_whole(path, **({"opener": open_private} if key else {})) as file:
        np.savez(file, **members, digest=np.array(hash_arrays(members)))


def hash_arrays(members):
    """A hash of all arrays with their names, types and shapes."""
    found = hashlib.sha256()
    for name in sorted(members):
        array = np.asarray(members[name])
        found.update(repr((name, array.dtype.str, array.shape)).encode())
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def read_arrays(path):
    """Everything that a file holds, as it was written: what its text says, and its arrays by name.

    Raises
    ------
    ValueError
        Where sizes, shapes or the hash do not agree. Others (of the archive, of the text) mean a damaged file too.
    """
    with open(path, "rb") as raw, zipfile.ZipFile(raw) as archive:
        shapes = read_shapes(archive)
        head = json.loads(str(read_array(archive, "text")))
        check_shapes(head, shapes)
        arrays = {name: read_array(archive, name) for name in shapes}
    written = str(arrays.pop("digest"))
    if written != hash_arrays(arrays):
        raise ValueError("its numbers are not those that were written")
    check_numbers(arrays, head)
    return head, arrays


def read_array(archive, name):
    """One array of the archive."""
    with archive.open(f"{name}.npy") as member:
        return FORMAT.read_array(member, allow_pickle=False)


def read_shapes(archive):
    """Name to shape and type of every array, from their first bytes only."""
    members = archive.infolist()
    names = [member.filename.removesuffix(".npy") for member in members]
    if len(set(names)) < len(names) or not {"text", "digest", "checkpoints", "regret"} <= set(names):
        raise ValueError("its arrays are not those of a result")
    refuse_too_large("its arrays", sum(member.file_size for member in members))
    shapes = {}
    for name, member in zip(names, members, strict=True):
        with archive.open(member) as file:
            version = FORMAT.read_magic(file)
            reader = FORMAT.read_array_header_1_0 if version == (1, 0) else FORMAT.read_array_header_2_0
            shape, _, dtype = reader(file)
            if dtype.hasobject or math.prod(shape) * dtype.itemsize != member.file_size - file.tell():
                raise ValueError(f"{name} declares the shape {shape} of {dtype}, which is not its size")
        shapes[name] = shape, dtype.str
    return shapes


def check_shapes(head, shapes):
    """Refuse shapes that do not fit each other or the settings."""
    settings, diagnostics = dict(head["settings"]["pairs"]), head["diagnostics"]
    policies = len(settings["policies"]["pairs"])
    (points,), kind = shapes["checkpoints"]
    runs = settings.get("runs", shapes["regret"][0][1])
    if kind != "<i8" or not points or shapes["regret"] != ((policies, runs, points), "<f8"):
        raise ValueError(f"regret of shape {shapes['regret'][0]} does not belong to its settings")
    for i in range(len(diagnostics)):
        shape, kind = shapes[f"diagnostic{i}"]
        if shape[:2] != (policies, runs) or kind != "<f8":
            raise ValueError(f"diagnostic {diagnostics[i]!r} of shape {shape} does not belong to its settings")
    fields = sum(name.startswith("field") for name in shapes)
    listed = [f"diagnostic{i}" for i in range(len(diagnostics))] + [f"field{i}" for i in range(fields)]
    if set(shapes) != {"text", "digest", "checkpoints", "regret", *listed}:
        raise ValueError("its arrays are not those of a result")
    if not isinstance(head["origin"], dict) or not isinstance(head["key"], str):
        raise ValueError("it does not say where it comes from")


def check_numbers(arrays, head):
    """Refuse numbers that no simulation gives."""
    points, regret, settings = arrays["checkpoints"], arrays["regret"], dict(head["settings"]["pairs"])
    if points[0] < 0 or (np.diff(points) <= 0).any() or settings.get("horizon", points[-1]) != points[-1]:
        raise ValueError("its checkpoints do not ascend to the horizon")
    missing = np.isnan(regret)  # a policy that has no version for a horizon has none in any run
    if np.isinf(regret).any() or (missing.any(axis=1) != missing.all(axis=1)).any() or missing[..., -1].any():
        raise ValueError("its regret is no number")
