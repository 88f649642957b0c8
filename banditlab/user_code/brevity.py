"""An error of a reader's own code comes as its few lines, in a terminal and in IPython: no traceback of ours above."""

import functools
import sys
from contextlib import contextmanager


@contextmanager
def brief():
    """Have an error that tells its place in a reader's code shown without a traceback, should nobody catch it."""
    try:
        yield
    except BaseException as error:
        if "\nat " in str(error):
            lines = functools.partial(str.splitlines, f"{type(error).__name__}: {error}")
            error._render_traceback_ = lines  # IPython asks for it; it travels from other processes
            if sys.excepthook is sys.__excepthook__:
                sys.excepthook = show
        raise


def show(kind, error, trace):
    """Python's `sys.excepthook`, but for such errors."""
    if (lines := getattr(error, "_render_traceback_", None)) is None:
        sys.__excepthook__(kind, error, trace)
    else:
        print(*lines(), sep="\n", file=sys.stderr)
