"""The folder of compiled kernels: sealed with a checksum, verified before anything is loaded, swept after a month.

A kernel is machine code inside a pickle: one damaged block, once loaded, ends the process. Each signature has a folder
of its own, which comes into being whole (written under another name, sealed, renamed) and is loaded only while its
files are those that were sealed, and nobody but the user could have written them.
"""

import contextlib
import hashlib
import os
import shutil
import tempfile
from pathlib import Path

from numba import config
from numba.core import caching

from .. import io

SEAL = "sha256"  # name of the file that holds the checksum
DRAFT = ".draft-"  # how the folders of kernels that are being compiled begin


class Locator(caching.UserProvidedCacheLocator):
    """Where numba puts the files of a kernel: into its folder itself.

    numba's own makes a folder in it that is named after where the source lies: a checkout that was copied to another
    place, with its kernels, would compile them all anew.
    """

    def __init__(self, py_func, py_file):
        super().__init__(py_func, py_file)
        self._cache_path = config.CACHE_DIR


@contextlib.contextmanager
def numba_keeps_in(place):
    """Let numba load and keep what it compiles in this folder."""
    before = config.CACHE_DIR, getattr(config, "CACHE_LOCATOR_CLASSES", "")
    config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = str(place), f"{Locator.__module__}.{Locator.__name__}"
    try:
        yield
    finally:
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = before


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
        with contextlib.suppress(OSError):
            os.utime(folder)  # still wanted
        yield folder
        if not is_sealed(folder):  # the compiler found it out of date and wrote anew
            seal(folder)
        return
    shutil.rmtree(folder, ignore_errors=True)
    io.make_private(folder.parent)
    io.remove_old(folder.parent.glob(f"{DRAFT}*"), io.DAY)
    io.remove_old(folder.parent.iterdir(), io.MONTH)  # of policies that were edited since
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
    """Write down the checksum of a folder, and keep others out of its files."""
    (folder / SEAL).write_text(hash_folder(folder))
    for file in folder.rglob("*"):
        file.chmod(0o700 if file.is_dir() else 0o600)


def is_sealed(folder):
    """Whether a folder holds exactly what was sealed, and only what is the user's own."""
    try:
        private = all(map(io.is_private, (folder.parent, folder, *folder.rglob("*"))))
        return private and (folder / SEAL).read_text() == hash_folder(folder)
    except (OSError, ValueError):
        return False
