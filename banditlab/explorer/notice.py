"""An error that is seen: Run All leaves JupyterLab at the last cell, far below the parameters."""

import pathlib

import anywidget
import traitlets

HERE = pathlib.Path(__file__).parent


class Notice(anywidget.AnyWidget):
    """A sentence that brings itself into view."""

    _esm = HERE / "notice.js"
    text = traitlets.Unicode().tag(sync=True)


def notify(error):
    """Show an error of the parameters cell where the reader looks, in a notebook with widgets."""
    from IPython import get_ipython
    from IPython.display import display

    if get_ipython():
        display(Notice(text=f"The parameters cell: {error}. Change it there, and run all cells again."))
