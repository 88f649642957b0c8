"""A line in a notebook that changes while a cell computes."""

import sys
from contextlib import contextmanager

NOTEBOOK = "application/vnd.banditlab.notebook+json"  # marks an output that stands in notebooks and not in reports


def running_shell():
    """IPython's shell, or None where none runs: there nobody waits until IPython is loaded."""
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


@contextmanager
def line():
    """Yield the function that says a text in a line of this cell's output, which is empty at the end.

    Where there is no notebook nothing is said; a report leaves the line out.
    """
    if not hasattr(running_shell(), "kernel"):
        yield lambda text: None
        return
    from IPython.display import display

    def bundle(text):
        page = f'<p role="status">{text}</p>' if text else ""
        return {"text/html": page, "text/plain": text, NOTEBOOK: {}}

    shown = display(bundle(""), raw=True, display_id=True)
    try:
        yield lambda text: shown.update(bundle(text), raw=True)
    finally:
        shown.update(bundle(""), raw=True)
