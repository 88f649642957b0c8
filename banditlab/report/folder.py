"""The folder of the reports: locked while a run writes into it, swept of what killed runs left."""

import contextlib
import errno
import fcntl
import os
import tempfile

from ..io import make_private, remove_old

SCRATCH = ".draft-"  # how the folders of running notebooks begin


@contextlib.contextmanager
def lock_folder(out):
    """Make the folder, see that it can be written, and keep every other run out of it for a while.

    The lock is on the folder itself and ends with the process, however it ends; where the file system has no locks
    there is none.
    """
    out.mkdir(parents=True, exist_ok=True)
    handle = os.open(out, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BlockingIOError(errno.EAGAIN, "another run is writing into it; wait for its end") from None
        except OSError:
            pass
        make_private(out / ".kept")
        remove_old([*out.glob(f"{SCRATCH}*"), *out.glob("*.part")])  # what killed runs left half done
        tempfile.TemporaryFile(dir=out).close()
        yield
    finally:
        os.close(handle)


@contextlib.contextmanager
def take_turns(out):
    """Let one process after the other change the claims and the index."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # a file system without locks; the folder is gone
            handle = os.open(out / ".kept", os.O_RDONLY)
            stack.callback(os.close, handle)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def explain_trouble(error):
    """An error of the file system in the system's own words, as the end of a sentence."""
    words, place = error.strerror or str(error), f": {error.filename}" if error.filename else ""
    return f"{words[:1].lower()}{words[1:]}{place}"
