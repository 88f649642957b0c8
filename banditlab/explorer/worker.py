"""A thread that does the latest request and drops older ones.

In JupyterLab all widget callbacks share one thread, so a callback that computes cannot be cancelled by a button.
Callbacks therefore only post requests here.
"""

import contextlib
import threading

from ..user_code.endless import NeverReturned, stop_unwanted


class Stale(BaseException):
    """Ends a computation that nobody waits for any more; not an Exception, so that nothing catches it on its way."""


class Worker:
    """Do the latest request, one at a time, in a thread that lives as long as there is work.

    Parameters
    ----------
    job : callable
        ``job(request, alive)`` does the work in the thread; ``alive()`` raises `Stale` once a newer request or
        `cancel` came.
    rest : callable
        ``rest()`` is called each time when nothing is left to do.
    """

    def __init__(self, job, rest):
        self.job, self.rest = job, rest
        self.lock = threading.Lock()
        self.request, self.latest, self.running = None, 0, False

    def ask(self, request):
        """Put a request in place of all earlier ones; an empty one replaces none, and ends none."""
        with self.lock:
            self.latest += bool(request)
            self.request = request or self.request or {}
            if not self.running:
                self.running = True
                threading.Thread(target=self.loop, name="banditlab explorer", daemon=True).start()

    def cancel(self):
        """Drop the request that is being done and the one that waits."""
        with self.lock:
            self.request, self.latest = None, self.latest + 1

    def loop(self):
        """Do requests until there are none."""
        try:
            while (taken := self.take()) is not None:
                self.do(*taken)
        except BaseException:
            with self.lock:
                self.running = False  # the next request starts a new thread
            raise

    def do(self, request, number):
        """Do a request, unless a newer one comes."""

        def alive():
            if number != self.latest:
                raise Stale

        with contextlib.suppress(Stale, NeverReturned), stop_unwanted(lambda: number != self.latest, lambda: None):
            self.job(request, alive)

    def take(self):
        """Return the waiting request and its number, or rest."""
        with self.lock:
            request, self.request = self.request, None
            if request is None:
                self.rest()
                self.running = False
                return None
            return request, self.latest
