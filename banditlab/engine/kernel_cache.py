"""The folder of compiled kernels: sealed with a checksum, verified before anything is loaded, swept after a month.

A kernel is machine code inside a pickle: one damaged block, once loaded, ends the process. Each signature has a folder
of its own, which comes into being whole (written under another name, sealed, renamed) and is loaded only while its
files are those that were sealed.
"""

import contextlib
import hashlib
import os
import shutil
import tempfile
from pathlib import Path

from ..io import DAY, remove_old

SEAL = "sha256"  # name of the file that holds the checksum
DRAFT = ".draft-"  # how the folders of kernels that are being compiled begin


@contextlib.contextmanager
def open_folder(folder):
    """Where the kernel of this folder is to be loaded from, or compiled into.

    Parameters
    ----------
    folder : Path
        The kernel's own; it need not exist.

    Yields
    ------
    Path
        The folder itself where it is as it was sealed, else a new one that takes its place when the block ends.
    """
    if is_sealed(folder):
        yield folder
        if not is_sealed(folder):  # the compiler found it out of date and wrote anew
            seal(folder)
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    remove_old(folder.parent.glob(f"{DRAFT}*"), DAY)
    draft = Path(tempfile.mkdtemp(prefix=f"{DRAFT}{folder.name}-{os.getpid()}-", dir=folder.parent))
    try:
        yield draft
        seal(draft)
        with contextlib.suppress(OSError):  # another process was faster: its kernel is as good
            draft.rename(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def hash_folder(folder):
    """A hash of the names and contents of all files of a folder."""
    files = sorted(file for file in folder.rglob("*") if file.is_file() and file != folder / SEAL)
    parts = (part for file in files for part in (str(file.relative_to(folder)).encode(), file.read_bytes()))
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def seal(folder):
    """Write down the checksum of a folder."""
    (folder / SEAL).write_text(hash_folder(folder))


def is_sealed(folder):
    """Whether a folder holds exactly what was sealed."""
    try:
        return (folder / SEAL).read_text() == hash_folder(folder)
    except (OSError, ValueError):
        return False
