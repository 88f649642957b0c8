"""How far a ledger is: a line in the notebook, for as long as it takes."""

import sys
import uuid


def told(things, words):
    """Yield things; in a notebook a line says how many are done, and is empty when this is closed.

    Parameters
    ----------
    things : list
        What is worked through.
    words : str
        What is said of them: "claims are judged".
    """
    say = line() if "IPython" in sys.modules else None
    try:
        for done, thing in enumerate(things):
            if say:
                say(f"{done} of {len(things)} {words} ...")
            yield thing
    finally:
        if say:
            say("")


def line():
    """Return the function that changes a line of this cell's output; None where there is no notebook."""
    from IPython import get_ipython
    from IPython.display import display, update_display

    if not hasattr(get_ipython(), "kernel"):
        return None
    from ..explorer.figure import NOTEBOOK

    def bundle(text):
        page = f'<p role="status">{text}</p>' if text else ""
        return {"text/html": page, "text/plain": text, NOTEBOOK: {}}

    name = uuid.uuid4().hex
    display(bundle(""), raw=True, display_id=name)
    return lambda text: update_display(bundle(text), raw=True, display_id=name)
