"""How much of the error intervals may leave out: all of it, or what one look at growing numbers of runs spends."""

import contextlib
from contextvars import ContextVar


class Share:
    """Part of the error that the present look at growing numbers of runs may spend, and whether anything spent it."""

    def __init__(self, part):
        self.part, self.spent = part, False


share = ContextVar("share", default=None)


def spend_share():
    """The part of the error that intervals may leave out now: all of it outside of a look."""
    now = share.get()
    if now is None:
        return 1.0
    now.spent = True
    return now.part


@contextlib.contextmanager
def spending(part):
    """Let joint intervals fail to hold with this part of the error only, while this lasts."""
    token = share.set(Share(part))
    try:
        yield share.get()
    finally:
        share.reset(token)
