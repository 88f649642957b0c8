"""How much of the error intervals may leave out: all of it, or what one look at growing numbers of runs spends."""

import contextlib
from contextvars import ContextVar
from types import SimpleNamespace


@contextlib.contextmanager
def holding(variable, value):
    """Let a context variable have this value, and return it, while this lasts."""
    token = variable.set(value)
    try:
        yield value
    finally:
        variable.reset(token)


share = ContextVar("share", default=None)


def spend_share():
    """The part of the error that intervals may leave out now: all of it outside of a look."""
    if (now := share.get()) is None:
        return 1.0
    now.spent = True
    return now.part


def spending(part):
    """Let joint intervals fail to hold with this part of the error only; within another part, with this part of it."""
    outer = share.get()
    return holding(share, SimpleNamespace(part=part if outer is None else part * outer.part, spent=False))
