"""Files written whole or not at all, folders for caches, and tables read in chunks, whatever their size."""

import contextlib
import gzip
import os
import shutil
import sys
import tempfile
import threading
import time
import warnings
import zipfile
import zlib
from contextlib import contextmanager
from pathlib import Path

CHUNK = 100_000  # rows of a table held at a time
PACKED = {".gz": "gzip", ".zip": "zip"}


@contextmanager
def open_whole(path, mode="wb", **options):
    """Open a file under a name of its own, and give it its real name when all is written: nobody ever sees half of it.

    Parameters
    ----------
    path : path-like
        Name of the file; an older one is replaced.
    mode : {"wb", "w"}
        Bytes, or text in UTF-8.
    **options
        Passed on to ``open``.

    Yields
    ------
    file
        Open for writing; where the block fails, nothing of it stays.
    """
    path = Path(path)
    draft = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    if "b" not in mode:
        options = {"encoding": "utf-8", **options}
    try:
        with open(draft, mode.replace("w", "x"), **options) as file:
            yield file
        os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def read_pieces(path, columns, read=None, chunk=CHUNK, progress=False, dtype=None):
    """Read a table with a header from a CSV file, piece by piece; whatever is wrong with it becomes one clear error.

    Parameters
    ----------
    path : path-like
        CSV in UTF-8, plain, or packed (``.gz``, ``.zip``).
    columns : sequence of str
        Columns that it must have; others are left out.
    read : callable, optional
        ``read(piece)`` makes of a piece what is yielded; a ValueError of it becomes the same clear error.
    chunk : int
        Rows of a piece, at least 1.
    progress : bool
        Whether to show a text bar of the bytes read.
    dtype : dict, optional
        Column to its type, the same in every piece; else each piece has the type that its own values tell.

    Yields
    ------
    DataFrame
        At most so many rows, none of them with a value missing; their index counts all rows from 0.
    """
    import pandas as pd
    from tqdm.std import tqdm  # text only: widgets do not survive a headless run

    path, columns = Path(path), list(columns)
    rows, must = 0, f"must be a table with columns {', '.join(columns)}"
    options = dict(compression=PACKED.get(path.suffix), encoding="utf-8", skipinitialspace=True, low_memory=False)
    bar = dict(total=path.stat().st_size, unit="B", unit_scale=True, desc=path.name, disable=not progress)
    try:
        # refuses a first row longer than the header, which pandas would take for an index
        first = pd.read_csv(path, header=None, nrows=2, **options)
        if twice := set(columns) & set(first.iloc[0][first.iloc[0].duplicated()]):
            raise ValueError(f"it has {', '.join(sorted(twice))} twice")
        with (
            path.open("rb") as file,
            pd.read_csv(file, chunksize=chunk, dtype=dtype, **options) as pieces,
            tqdm(file=sys.stderr, **bar) as shown,
        ):
            for piece in pieces:
                check_piece(piece, columns)
                rows += len(piece)
                yield piece[columns] if read is None else read(piece[columns])
                shown.update(file.tell() - shown.n)
        if not rows:
            raise ValueError("it has no rows")
    except (EOFError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile) as error:
        raise ValueError(f"{str(path)!r}: is cut off or damaged ({error})") from None
    except UnicodeDecodeError:
        raise ValueError(f"{str(path)!r}: is no UTF-8 text") from None
    except ValueError as error:
        raise ValueError(f"{str(path)!r}: {must} ({str(error).partition(chr(10))[0]})") from None


def check_piece(piece, columns):
    """Refuse a piece of a table that lacks a column or a value."""
    if missing := [name for name in columns if name not in piece.columns]:
        raise ValueError(f"it has no {', '.join(missing)}, but {', '.join(map(str, piece.columns))}")
    empty = piece[columns].isna().any(axis=1).to_numpy()
    if empty.any():
        row = int(piece.index[empty][0])
        name = next(name for name in columns if piece[name].isna()[row])
        raise ValueError(f"row {row + 1} has no {name}")


MONTH, DAY = 30 * 86400, 86400  # seconds
SHARED = "it belongs to another user, or others may write to it"


def make_private(folder):
    """Make a folder, unless it is there, that nobody but its user may enter."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)


def open_private(path, flags):
    """How ``open`` makes a file that nobody but its user may read or write."""
    return os.open(path, flags, 0o600)


def is_private(path):
    """Whether a file or folder is the user's own and nobody else may write to it: what lies there is trusted."""
    if not hasattr(os, "getuid"):  # Windows, whose user folders are private
        return True
    status = os.stat(path)
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


def find_cache_folder(source, package, name):
    """The first place for files of this name that is the user's own, or None: a cache is a pickle, and runs.

    Only the folder itself is looked at: who may write beside the sources may write the sources, too.

    Parameters
    ----------
    source : Path
        Folder of the package, whose ``__pycache__`` comes first.
    package : str
        Name of the folder in the user's cache, which comes second.
    name : str
        "kind-version": other versions of the same kind that nobody used for a month are removed.
    """
    user = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / package
    for base in (source / "__pycache__", user):
        folder = base / name
        try:
            make_private(folder)
            if not is_private(folder):
                cure = f"chmod -R go-w {folder}, or remove it"
                warnings.warn(f"{folder}: compiled code there is not used: {SHARED}; {cure}", stacklevel=3)
                continue
            tempfile.TemporaryFile(dir=folder).close()
            os.utime(folder)
        except OSError:
            continue
        remove_old(base.glob(f"{name.partition('-')[0]}-*"), MONTH)
        return folder
    return None


def remove_old(paths, age=-1):
    """Remove the files and folders that were last used so many seconds ago, by default all."""
    for path in paths:
        with contextlib.suppress(OSError):
            if path.stat().st_mtime >= time.time() - age:
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()
