"""What the page hears of its reader before there is an explorer: a reader who scrolls stays there."""

import functools
import pathlib

import anywidget
import traitlets


class Reader(anywidget.AnyWidget):
    """Hears the reader scroll while cells run; it has nothing to show."""

    _esm = pathlib.Path(__file__).parent / "reader.js"


@functools.cache
def hear_reader():
    """Let the page hear from now on whether its reader scrolls; once in a process."""
    return Reader()


class Notice(anywidget.AnyWidget):
    """A sentence that brings itself into view: Run All leaves JupyterLab at the last cell, far below the parameters."""

    _esm = pathlib.Path(__file__).parent / "notice.js"
    text = traitlets.Unicode().tag(sync=True)


def notify(error):
    """Show an error of the parameters cell where the reader looks, in a notebook with widgets."""
    from IPython.display import display

    display(Notice(text=f"The parameters cell: {error}. Change it there, and run all cells again."))
