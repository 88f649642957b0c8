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
import time
from pathlib import Path

SEAL = "sha256"  # name of the file that holds the checksum
DRAFT = ".draft-"  # how the folders of kernels that are being compiled begin
MONTH, DAY = 30 * 86400, 86400
MINUTE = 60  # no kernel takes longer to compile
PATIENCE, GLANCE = 5.0, 0.02  # seconds to wait for another process's kernel, and between two looks

polite = False  # whether this process leaves a kernel to another one that is compiling it


class Busy(BaseException):
    """Another process is compiling this kernel; not an Exception, so that nothing takes it for a damaged disk."""


def home(source, package, version):
    """The first writable place for kernels of this version, or None: never a shared folder, the cache is a pickle.

    Versions that nobody used for a month are removed.
    """
    user = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / package
    for base in (source / "__pycache__", user):
        folder = base / f"kernels-{version}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
            os.utime(folder)
        except OSError:
            continue
        sweep(base.glob("kernels-*"), MONTH)
        sweep(folder.glob(f"{DRAFT}*"), DAY)
        return folder
    return None


def sweep(folders, age):
    """Remove the folders that were last used so many seconds ago."""
    for folder in folders:
        with contextlib.suppress(OSError):
            if folder.stat().st_mtime < time.time() - age:
                shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def place(folder):
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
    if not is_sealed(folder):
        wait(folder)
    if is_sealed(folder):
        yield folder
        if not is_sealed(folder):  # the compiler found it out of date and wrote anew
            seal(folder)
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f"{DRAFT}{folder.name}-{os.getpid()}-", dir=folder.parent))
    try:
        yield draft
        seal(draft)
        with contextlib.suppress(OSError):  # another process was faster: its kernel is as good
            draft.rename(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def wait(folder):
    """Wait a little for another process that is compiling the kernel of this folder; whoever is polite leaves it."""
    ended = time.monotonic() + PATIENCE
    while is_drafted(folder) and time.monotonic() < ended:
        if polite:
            raise Busy
        time.sleep(GLANCE)


def is_drafted(folder):
    """Whether another process of this machine is compiling the kernel of this folder."""
    drafts = folder.parent.glob(f"{DRAFT}{folder.name}-*")
    with contextlib.suppress(OSError):  # it has just been finished
        return any(draft.stat().st_mtime > time.time() - MINUTE and is_at_it(draft) for draft in drafts)
    return False


def is_at_it(draft):
    """Whether the process that makes this draft is another one than this, and lives."""
    maker = int(draft.name.split("-")[-2])
    try:
        os.kill(maker, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # somebody else's
        pass
    return maker != os.getpid()


def checksum(folder):
    """A hash of the names and contents of all files of a folder."""
    files = sorted(file for file in folder.rglob("*") if file.is_file() and file != folder / SEAL)
    parts = (part for file in files for part in (str(file.relative_to(folder)).encode(), file.read_bytes()))
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def seal(folder):
    """Write down the checksum of a folder."""
    (folder / SEAL).write_text(checksum(folder))


def is_sealed(folder):
    """Whether a folder holds exactly what was sealed."""
    try:
        return (folder / SEAL).read_text() == checksum(folder)
    except (OSError, ValueError):
        return False
